//! Everything a person touches: the command line, and the files it opens. Rules are read by `dsl` and run by
//! `interpreter`; this crate finds files, asks, and shows.

pub mod bench;
pub mod board;
pub mod cli;
mod escape;
pub mod files;
pub mod lsp;
pub mod models;
pub mod page;
pub mod picture;
#[cfg(feature = "window")]
pub mod print;
pub mod share;
pub mod surroundings;
pub mod template;
pub mod unlisted;
pub mod values;
#[cfg(feature = "window")]
pub mod window;
pub mod workshop;
pub mod written;
