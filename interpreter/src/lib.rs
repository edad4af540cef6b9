//! Runs any rule set: state, decisions, legal answers, play-outs. Knows no game.

#![warn(missing_docs)]

pub mod ask;
pub mod bots;
pub mod bounds;
pub mod count;
pub mod coverage;
pub mod explain;
mod facts;
pub mod game;
mod json;
mod lower;
mod machine;
pub mod network;
pub mod observe;
pub mod playout;
mod program;
mod ready;
mod record;
pub mod replay;
pub mod scenario;
mod state;
pub mod stats;
pub mod words;

pub use lower::{LowerError, lower, lower_eager, lower_plain};
pub use machine::{Answer, AnswerKind, Answers, Event, Fault, Machine, Stop, Unmet};
pub use program::{NONE, Shape, Slot, UNKNOWN, header};
pub use ready::{Asked, Program};
pub use state::State;
