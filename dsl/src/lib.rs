//! Rules text and component tables in, a checked rule set and diagnostics out.
//! Strings in, values out: no disk, no clock, no game.

pub mod assembly;
pub mod diagnostic;
pub mod ir;
pub mod source;
pub mod syntax;
