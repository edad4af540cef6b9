//! Rules that are tested before the bodies of `when`s run: a `when` that nobody can foresee must not hide that one is broken.

use crate::Program;
use crate::facts::Facts;
use crate::program::*;

/// Fills `RuleCode::early`.
pub(super) fn mark(program: &mut Program, facts: &Facts) {
    let mut early = vec![true; program.rules.len()];
    if !program.whens.is_empty() {
        // Bodies that run steps write words of no cell.
        let Some(written) = facts.written_by_whens() else {
            return;
        };
        let mut changes = vec![true; program.fixed_words as usize];
        for (at, cell) in program.cells.iter().enumerate() {
            let words = cell.base as usize..(cell.base + cell.words * cell.slots) as usize;
            changes[words].fill(written.contains(&Slot(at as u32)));
        }
        for (word, changes) in changes.iter().enumerate() {
            for watcher in program.word_watchers(word) {
                if let Watcher::Rule { rule, .. } = watcher {
                    early[*rule as usize] &= !changes;
                }
            }
        }
    }
    for (rule, early) in program.rules.iter_mut().zip(early) {
        rule.early = early;
    }
}
