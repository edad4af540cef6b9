//! What makes looking ahead short: which answers are tried first, and which states were met before.

use super::Machine;
use super::decide::{AnswerKind, Outcome, Raw};
use crate::program::*;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// States at decisions that a look-ahead met, by a hash of what differs from where it began.
#[derive(Default)]
pub(crate) struct Met {
    /// Whether one can go on from there.
    outcomes: HashMap<u64, bool, BuildHasherDefault<Hashed>>,
    /// In which round a word was last looked at.
    stamps: Vec<u32>,
    round: u32,
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
        self.met.outcomes.clear();
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

    /// Stands for the state of a look-ahead: the cells, and words of the flow, that differ from where it
    /// began, and the bodies that run.
    pub(crate) fn ahead_hash(&mut self) -> u64 {
        // The flow's frame lies there to the end, like the cells.
        let flow = &self.p.procs[self.p.flow.at()];
        let fixed = (self.p.fixed_words + flow.frame_words) as usize;
        let met = &mut self.met;
        if met.stamps.len() < fixed {
            met.stamps.resize(fixed, 0);
        }
        if met.round == u32::MAX {
            met.stamps.fill(0);
            met.round = 0;
        }
        met.round += 1;
        let mut cells = 0u64;
        for (at, old) in &self.journal {
            let at = *at as usize;
            // The first entry of a word says what it was in the beginning.
            if at >= fixed || met.stamps[at] == met.round {
                continue;
            }
            met.stamps[at] = met.round;
            let now = self.m[at];
            if now != *old {
                cells = cells.wrapping_add(mixed(at, now));
            }
        }
        let mut hash = super::run::Hash::new();
        hash.word(self.pc as i32);
        hash.word(self.fp as i32);
        hash.word(self.me);
        hash.word(self.probe_seat);
        hash.word(cells as u32 as i32);
        hash.word((cells >> 32) as u32 as i32);
        for word in self.m.get(fixed..self.sp).unwrap_or_default() {
            hash.word(*word);
        }
        hash.finish()
    }

    /// Calls `visit` for the answers of [`Machine::offer`], those first that soonest end what is looked at: declining, then
    /// what must be done; anytime actions last.
    pub(crate) fn offer_ahead(&mut self, visit: &mut dyn FnMut(&mut Machine<'p>, Raw) -> bool) {
        let p = self.p;
        let done = Raw::new(AnswerKind::Done, 0);
        match p.code[self.pc] {
            Op::May { .. } => {
                if visit(self, done) {
                    self.offer(&mut |machine, raw| {
                        raw.kind == AnswerKind::Done || visit(machine, raw)
                    });
                }
            }
            Op::AgendaPick { agenda, as_far, .. } => {
                let Some(target) = self.target(agenda) else {
                    return;
                };
                if self.agenda_may_end(target) {
                    if as_far || visit(self, done) {
                        self.offer(&mut |machine, raw| {
                            raw.kind == AnswerKind::Done || visit(machine, raw)
                        });
                    }
                    return;
                }
                let first = self.raws.len();
                let words = self.part_words.len();
                self.offer_own(&mut |machine, raw| {
                    let at = machine.part_words.len() as u32;
                    let entry = raw.start as usize..(raw.start + raw.len) as usize;
                    machine.part_words.extend_from_within(entry);
                    machine.raws.push(Raw { start: at, ..raw });
                    true
                });
                let last = self.raws.len();
                let mut going = true;
                for must in [true, false] {
                    for at in first..last {
                        let raw = self.raws[at];
                        if going && self.is_must(target, raw.value as usize) == must {
                            going = visit(self, raw);
                        }
                    }
                }
                self.raws.truncate(first);
                self.part_words.truncate(words);
                if going {
                    self.offer_anytime(visit);
                }
            }
            _ => self.offer(visit),
        }
    }
}

/// One word of the state, so that their sum does not depend on the order in which they were written.
fn mixed(at: usize, value: i32) -> u64 {
    let mut x = (at as u64) << 32 | u64::from(value as u32);
    x = (x ^ x >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ x >> 32
}
