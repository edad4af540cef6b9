//! What makes looking ahead short: which answers are tried first, and which states were met before.

use super::decide::{AnswerKind, Outcome, Raw};
use super::help::Helpers;
use super::{Machine, Target};
use crate::program::*;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// States at decisions that a look-ahead met, by their hashes: whether one can go on from there.
#[derive(Default)]
pub(crate) struct Met {
    outcomes: HashMap<u64, bool, BuildHasherDefault<Hashed>>,
}

/// For keys that are hashes already.
#[derive(Default)]
pub(crate) struct Hashed(u64);

impl Hasher for Hashed {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl<'p> Machine<'p> {
    /// A new look-ahead begins: what was met before is of no use.
    pub(crate) fn forget_met(&mut self) {
        if !self.met.outcomes.is_empty() {
            self.met.outcomes.clear();
        }
    }

    /// What came of this state when it was met before.
    pub(crate) fn met_before(&self, hash: u64) -> Option<bool> {
        self.met.outcomes.get(&hash).copied()
    }

    pub(crate) fn remember_met(&mut self, hash: u64, outcome: Outcome) {
        match outcome {
            Outcome::Yes => self.met.outcomes.insert(hash, true),
            Outcome::No => self.met.outcomes.insert(hash, false),
            Outcome::Perhaps => None,
        };
    }

    /// Stands for the state: where the machine is, whose look-ahead this is, the cells, and the bodies that run.
    pub(crate) fn ahead_hash(&self) -> u64 {
        let mut hash = super::run::Hash::new();
        hash.word(self.pc as i32);
        hash.word(self.fp as i32);
        hash.word(self.me);
        hash.word(self.probe_seat);
        hash.word(self.cells_sum as u32 as i32);
        hash.word((self.cells_sum >> 32) as u32 as i32);
        hash.words(&self.m[self.p.fixed_words as usize..self.sp]);
        hash.finish()
    }

    /// Adds up the words before the frames anew.
    pub(crate) fn sum_cells(&mut self) {
        let keys = self.p.words.iter().map(|word| word.key);
        let words = self.m.iter().zip(keys);
        self.cells_sum = words.fold(0, |sum, (value, key)| {
            sum.wrapping_add(key.wrapping_mul(i64::from(*value) as u64))
        });
    }

    /// Calls `visit` for the answers of [`Machine::offer`], those first that soonest end what is looked at: declining, then
    /// what must be done. Where that fails for want of something that anytime actions change, these come next; the other
    /// anytime actions come last. Where something must be done, what can as well wait until then is left out.
    pub(crate) fn offer_ahead(&mut self, visit: &mut dyn FnMut(&mut Machine<'p>, Raw) -> bool) {
        let p = self.p;
        let before = self.unmet.take();
        let first = self.raws.len();
        let words = self.part_words.len();
        let mut helpers = None;
        let going = match p.code[self.pc] {
            Op::May { .. } => visit(self, Raw::new(AnswerKind::Done, 0)),
            Op::AgendaPick { agenda, as_far, .. } => match self.target(agenda) {
                Some(target) if self.agenda_may_end(target) => {
                    as_far || visit(self, Raw::new(AnswerKind::Done, 0))
                }
                Some(target) => self.offer_musts(target, as_far, &mut helpers, visit),
                None => false,
            },
            _ => {
                self.unmet = before;
                return self.offer(visit);
            }
        };
        let last = self.raws.len();
        let remedies: &[u32] = match self.unmet {
            Some(unmet) => &p.remedies[unmet.reason.at()],
            None => &[],
        };
        self.unmet = self.unmet.or(before);
        let helps = |at: u32| {
            helpers
                .as_ref()
                .is_none_or(|helpers| helpers.has_anytime(at))
        };
        let going = going && self.offer_anytime(|at| remedies.contains(&at) && helps(at), visit);
        let going = going && self.offer_rest(first..last, visit);
        if going {
            self.offer_anytime(|at| !remedies.contains(&at) && helps(at), visit);
        }
        self.raws.truncate(first);
        self.part_words.truncate(words);
    }

    /// What must be done of an agenda; the rest is left on `raws`. Only the first that must be done and what may help it
    /// have to be tried.
    fn offer_musts(
        &mut self,
        agenda: Target,
        as_far: bool,
        helpers: &mut Option<Helpers>,
        visit: &mut dyn FnMut(&mut Machine<'p>, Raw) -> bool,
    ) -> bool {
        let first = self.raws.len();
        self.offer_own(&mut |machine, raw| {
            let at = machine.part_words.len() as u32;
            let entry = raw.start as usize..(raw.start + raw.len) as usize;
            machine.part_words.extend_from_within(entry);
            machine.raws.push(Raw { start: at, ..raw });
            true
        });
        let helps = |helpers: &Option<Helpers>, at: usize| {
            helpers.as_ref().is_none_or(|helpers| helpers.has_entry(at))
        };
        // Payments and the like first: little helps them.
        let mut tried = false;
        for plain in [true, false] {
            for at in first..self.raws.len() {
                let raw = self.raws[at];
                let entry = raw.value as usize;
                let now = self.is_must(agenda, entry) && self.is_plain(agenda, entry) == plain;
                if !now || !helps(helpers, entry) {
                    continue;
                }
                if !visit(self, raw) {
                    return false;
                }
                if !std::mem::replace(&mut tried, true) && !as_far {
                    *helpers = self.helpers(agenda, entry);
                }
            }
        }
        let mut kept = first;
        for at in first..self.raws.len() {
            let raw = self.raws[at];
            let entry = raw.value as usize;
            if !self.is_must(agenda, entry) && helps(helpers, entry) {
                self.raws[kept] = raw;
                kept += 1;
            }
        }
        self.raws.truncate(kept);
        true
    }

    /// The answers kept on `raws`, or all but declining where none are.
    fn offer_rest(
        &mut self,
        kept: std::ops::Range<usize>,
        visit: &mut dyn FnMut(&mut Machine<'p>, Raw) -> bool,
    ) -> bool {
        if let Op::AgendaPick { agenda, .. } = self.p.code[self.pc]
            && let Some(target) = self.target(agenda)
            && !self.agenda_may_end(target)
        {
            return kept.into_iter().all(|at| {
                let raw = self.raws[at];
                visit(self, raw)
            });
        }
        self.offer_own(&mut |machine, raw| raw.kind == AnswerKind::Done || visit(machine, raw))
    }
}
