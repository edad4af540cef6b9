//! Runs any rule set: state, decisions, legal answers, play-outs. Knows no game.

mod lower;
mod machine;
pub mod network;
mod program;
mod state;

pub use lower::{LowerError, lower};
pub use machine::{Answer, AnswerKind, Answers, Event, Fault, Machine, Stop, Unmet};
pub use program::Program;
pub use state::State;
