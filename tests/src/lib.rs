//! Test harness.

pub mod games;
pub mod typing;
pub mod window;
