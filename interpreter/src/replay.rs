//! Games as text.

use crate::bots::Bot;
use crate::program::Program;
use dsl::ir::RuleSet;

pub(crate) fn of_bots(_rules: &RuleSet, _program: &Program, _bots: &[Bot], seed: u64) -> String {
    format!("seed {seed}\n")
}
