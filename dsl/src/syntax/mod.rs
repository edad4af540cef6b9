//! From text to syntax tree and back.

pub mod ast;
pub mod layout;
pub mod parse;
pub mod print;
