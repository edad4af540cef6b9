//! What makes looking ahead short: which answers are tried first, and which states were met before.

use super::decide::{AnswerKind, Outcome, Raw};
use super::help::Helpers;
use super::learn::{Ahead, Learnt};
use super::{Machine, Target};
use crate::program::*;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// States at decisions that a look-ahead met, by their hashes: what was learnt where one cannot go on from there.
pub(crate) struct Met {
    outcomes: HashMap<u64, Option<Learnt>, BuildHasherDefault<Hashed>>,
    /// The states on the way that is being tried.
    way: Vec<u64>,
    /// Number on the way of the earliest state that was met again; none: `usize::MAX`.
    again: usize,
}

impl Default for Met {
    fn default() -> Met {
        Met {
            outcomes: HashMap::default(),
            way: Vec::new(),
            again: usize::MAX,
        }
    }
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
    pub(crate) fn met_before(&mut self, hash: u64) -> Option<Outcome> {
        Some(match *self.met.outcomes.get(&hash)? {
            None => Outcome::Yes,
            Some(learnt) => {
                self.learn(&learnt);
                Outcome::No
            }
        })
    }

    /// Whether one stands again where one stood on this way. Going round leads nowhere that is not found without; but what was
    /// met on the way round is then not known to be dead.
    pub(crate) fn goes_round(&mut self, hash: u64) -> bool {
        let Some(at) = self.met.way.iter().rposition(|before| *before == hash) else {
            return false;
        };
        self.met.again = self.met.again.min(at);
        self.learn_nothing();
        true
    }

    /// Looks on from a state. Also says whether what is found can be told of this state wherever it is met.
    pub(crate) fn look_on(&mut self, hash: u64) -> (Outcome, bool) {
        let at = self.met.way.len();
        self.met.way.push(hash);
        let again = std::mem::replace(&mut self.met.again, usize::MAX);
        let outcome = self.any_answer();
        self.met.way.truncate(at);
        let known = self.met.again >= at;
        self.met.again = match known {
            true => again,
            false => again.min(self.met.again),
        };
        (outcome, known)
    }

    pub(crate) fn remember_met(&mut self, hash: u64, outcome: Outcome, learnt: &Learnt) {
        match outcome {
            Outcome::Yes => self.met.outcomes.insert(hash, None),
            Outcome::No => self.met.outcomes.insert(hash, Some(*learnt)),
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
    /// what must be done; where nothing can be put off, all of the decision's own. Then what may be done before that, those
    /// anytime actions first that change what it failed for want of. What cannot help is left out.
    pub(crate) fn offer_ahead(&mut self, visit: &mut dyn FnMut(&mut Machine<'p>, Raw) -> bool) {
        let p = self.p;
        let before = self.unmet.take();
        let first = self.raws.len();
        let mut ahead = Ahead::default();
        let going = match p.code[self.pc] {
            Op::May { .. } => {
                ahead.may = true;
                visit(self, Raw::new(AnswerKind::Done, 0))
            }
            Op::AgendaPick { agenda, as_far, .. } => match self.target(agenda) {
                Some(target) => {
                    ahead.agenda = Some(target);
                    ahead.all = as_far;
                    self.list_entries();
                    if self.agenda_may_end(target) {
                        as_far || visit(self, Raw::new(AnswerKind::Done, 0))
                    } else {
                        self.offer_musts(target, as_far, &mut ahead.helpers, first, visit)
                    }
                }
                None => false,
            },
            _ => {
                self.unmet = before;
                self.offer_choices(visit)
            }
        };
        ahead.remedies = match self.unmet {
            Some(unmet) => &p.remedies[unmet.reason.at()],
            None => &[],
        };
        self.unmet = self.unmet.or(before);
        if going {
            self.offer_extras(&ahead, first, visit);
        }
        self.raws.truncate(first);
    }

    /// Puts the entries of the agenda at hand on `raws`, by their numbers alone.
    fn list_entries(&mut self) {
        self.offer_own(&mut |machine, raw| {
            if raw.kind == AnswerKind::Entry {
                machine.raws.push(Raw::new(raw.kind, raw.value));
            }
            true
        });
    }

    /// What must be done of an agenda whose entries lie on `raws` from `first` on; the rest is left there. Only the first that
    /// must be done and what may help it have to be tried.
    fn offer_musts(
        &mut self,
        agenda: Target,
        as_far: bool,
        helpers: &mut Option<Helpers>,
        first: usize,
        visit: &mut dyn FnMut(&mut Machine<'p>, Raw) -> bool,
    ) -> bool {
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
}
