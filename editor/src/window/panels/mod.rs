//! The panels, one file each: a panel reads, draws, and says what is to be done.

pub mod start;
