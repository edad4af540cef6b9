//! Test harness.

pub mod call;
pub mod case;
pub mod chance;
pub mod counting;
pub mod fuzz;
pub mod games;
pub mod generate;
pub mod judge;
pub mod mutate;
pub mod page;
pub mod typing;
pub mod window;
