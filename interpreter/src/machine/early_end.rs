//! Where looking ahead may stop before the end of the extent: nothing can fail any more.

use super::decide::Stop;
use super::{Halt, Machine};
use crate::program::*;

impl Machine<'_> {
    /// Where nothing can fail from here on: whether what was written breaks no rule. None where only running on tells.
    pub(super) fn end_early(&mut self) -> Option<Stop> {
        let p = self.p;
        let waits = self.all_dirty
            || !self.rules_due.is_empty()
            || self.m[header::PENDING] > 0
            || self.m[header::SECRET] > 0;
        if waits || !self.callers_are_safe() {
            return None;
        }
        if self.dirty.is_empty() {
            return Some(Stop::Done);
        }
        let known = self.dirty.iter().all(|word| {
            let watchers = p.woken_by(*word as usize);
            watchers.iter().all(|watcher| match watcher {
                Watcher::Rule { rule, .. } => p.rules[*rule as usize].early,
                Watcher::When { when, .. } => p.procs[p.whens[*when as usize].proc.at()].safe,
                Watcher::Network { .. } => true,
            })
        });
        if !known {
            return None;
        }
        self.test_written();
        Some(match self.halt {
            Halt::No => Stop::Done,
            Halt::Fail => Stop::Fail,
            Halt::Unknown => Stop::Unknown,
            Halt::Fault => Stop::Fault,
        })
    }

    /// Nothing from `pc` on to the end of the extent can fail.
    pub(crate) fn safe_from(&self, pc: usize) -> bool {
        self.p.safe[pc] && self.callers_are_safe()
    }

    /// Nothing behind the running body can fail.
    pub(crate) fn callers_are_safe(&self) -> bool {
        let p = self.p;
        if !p.awaited.is_empty() {
            return false;
        }
        let mut fp = self.fp;
        let flow = p.fixed_words as usize;
        while fp != flow {
            let pc = self.m[fp + frame::RETURN_PC] as usize;
            if !p.safe[pc] {
                return false;
            }
            fp = self.m[fp + frame::CALLER] as usize;
        }
        true
    }
}
