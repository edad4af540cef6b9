//! What makes looking ahead short: which answers are tried first, and which states were met before.

use super::answers::{AnswerKind, Raw};
use super::hash::Hash;
use super::help::Helpers;
use super::learn::{Ahead, Learnt};
use super::trying::Outcome;
use super::{Machine, Target};
use crate::program::*;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// States at decisions that a look-ahead met, by their hashes.
#[derive(Default)]
pub(crate) struct Met {
    outcomes: HashMap<u64, Came, BuildHasherDefault<Hashed>>,
}

/// What came of a state.
enum Came {
    Yes,
    /// One cannot go on from there, and what was learnt of it.
    No(Learnt),
    /// All ways lead back to this place on the way to it, which is still looked at.
    Round(u32),
}

/// What a state that is kept counts as: it takes room.
const WORK_OF_KEEPING: u32 = 100;

/// For keys that are hashes already, or words that nobody chooses to collide.
#[derive(Default)]
pub(crate) struct Hashed(u64);

impl Hasher for Hashed {
    fn write(&mut self, bytes: &[u8]) {
        let mut hash = Hash::after(self.0);
        for run in bytes.chunks(4) {
            let mut word = [0; 4];
            word[..run.len()].copy_from_slice(run);
            hash.word(i32::from_le_bytes(word));
        }
        self.0 = hash.finish();
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
        Some(match self.met.outcomes.get(&hash)? {
            Came::Yes => Outcome::Yes,
            Came::No(learnt) => {
                let learnt = *learnt;
                self.rounds.note_refusal();
                self.learn(&learnt);
                Outcome::No
            }
            Came::Round(place) => {
                let place = *place;
                self.rounds.come_back(place);
                self.learn_nothing();
                Outcome::No
            }
        })
    }

    pub(crate) fn remember_met(&mut self, hash: u64, outcome: Outcome, learnt: &Learnt) {
        let came = match outcome {
            Outcome::Yes => Came::Yes,
            Outcome::No => Came::No(*learnt),
            Outcome::Perhaps | Outcome::Others => return,
        };
        if self.p.plain {
            self.forget_round(hash);
            return;
        }
        self.spend(WORK_OF_KEEPING);
        self.met.outcomes.insert(hash, came);
    }

    pub(super) fn remember_round(&mut self, hash: u64, place: u32) {
        self.spend(WORK_OF_KEEPING);
        self.met.outcomes.insert(hash, Came::Round(place));
    }

    pub(super) fn forget_round(&mut self, hash: u64) {
        self.met.outcomes.remove(&hash);
    }

    /// Stands for the state: where the machine is, whose look-ahead this is, the cells, and the bodies that run.
    pub(crate) fn ahead_hash(&self) -> u64 {
        let mut hash = Hash::new();
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
    /// what must be done; where nothing can be put off, all of the decision's own. Then what may be done before that. What cannot
    /// help is left out.
    pub(crate) fn offer_ahead(&mut self, visit: &mut dyn FnMut(&mut Machine<'p>, Raw) -> bool) {
        let p = self.p;
        let before = self.unmet.take();
        let first = self.raws.len();
        // What is left out could help what the rules let happen where nothing can be done.
        let mut ahead = Ahead {
            all: self.goes_on_without(),
            ..Ahead::default()
        };
        let going = match p.code[self.pc] {
            Op::May { .. } => {
                ahead.may = true;
                visit(self, Raw::new(AnswerKind::Done, 0))
            }
            Op::AgendaPick { agenda, as_far, .. } => match self.target(agenda) {
                Some(target) => {
                    ahead.agenda = Some(target);
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
