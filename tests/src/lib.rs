//! Test harness.

pub mod games;
pub mod generate;
pub mod judge;
pub mod typing;
pub mod window;
