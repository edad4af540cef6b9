//! Test harness.

pub mod games;
