//! A language server: what `dsl::service` and the workshop's checker know, said to text editors. Nothing is decided here.
//!
//! Texts come from the editor, saved or not, over those on disk; no file outside of a game that is edited and of what it
//! builds on is read. Requests are answered one behind the other, mistakes are looked for as soon as nothing else is to do.

mod abilities;
mod deeds;
pub mod extension;
mod places;
mod position;
mod problems;
mod server;
mod space;
mod texts;
mod uri;
pub mod wire;

pub use deeds::{Deed, Deeds, Given};
pub use server::serve;
