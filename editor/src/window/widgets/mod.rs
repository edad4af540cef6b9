//! Pieces that panels are made of: they draw what they are given.

pub mod canvas;
pub mod choices;
pub mod code;
pub mod field;
pub mod places;
pub mod seed;
