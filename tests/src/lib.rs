//! Test harness.

pub mod games;
pub mod window;
