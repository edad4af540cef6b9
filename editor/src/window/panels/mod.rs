//! The panels, one file each: a panel reads, draws, and says what is to be done.

pub mod bars;
pub mod board;
pub mod components;
pub mod dialog;
pub mod doubt;
pub mod exhibit;
pub mod find;
pub mod fixes;
pub mod folder;
pub mod goto;
pub mod keep;
pub mod lines;
pub mod log;
pub mod making;
pub mod play;
pub mod problems;
pub mod project;
pub mod rename;
pub mod results;
pub mod rules;
pub mod scenarios;
pub mod simulation;
pub mod start;
pub mod state;
pub mod variant;
