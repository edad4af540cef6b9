//! All that the window shows and changes, without the window: the project, the documents with their histories, the rules
//! as they check, the play-test, the work in the background.

pub mod cases;
pub mod checker;
pub mod dealer;
pub mod design;
pub mod document;
pub mod history;
pub mod journal;
pub mod laboratory;
pub(crate) mod language;
mod making;
mod memory;
mod open;
pub mod outside;
pub mod places;
mod playing;
pub mod playtest;
mod polling;
pub mod project;
pub mod questions;
pub mod recents;
pub mod sheet;
mod shelf;
mod texts;
pub mod variant;
mod watch;
mod whole;
pub mod worker;

pub use watch::LOOK_EVERY;
pub use whole::{News, Workshop};
