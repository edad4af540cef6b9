//! Rules text and component tables in, a checked rule set and diagnostics out.
//! Strings in, values out: no disk, no clock, no game.

pub mod diagnostic;
pub mod source;
pub mod syntax;
