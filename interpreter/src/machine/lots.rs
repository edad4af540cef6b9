//! Answers drawn by lot. Every possible answer has a lot of its own, which depends on the seat, the moment and the answer
//! alone; the one with the least lot is taken. So a seat that answers at random need not know all answers: those with
//! small lots are tried until one leads on, and where it matters whether there was a choice at all, one more.

use super::answers::{AnswerKind, Answers, Raw};
use super::trying::Outcome;
use super::{Halt, Machine};
use crate::network::bits;
use crate::program::*;

/// From one number of SplitMix64 to the next.
pub(crate) const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Bits that tell equal lots apart: the one that comes first is taken.
const INDEX_BITS: u32 = 16;

impl Machine<'_> {
    /// The number of the answer that a seat with this `lot` takes.
    pub(crate) fn answer_by_lot(&self, lot: u64) -> usize {
        if self.answers.len() == 1 {
            return 0;
        }
        let lot = self.lot_now(lot);
        let lots = (0..self.answers.len()).map(|at| self.answers.lot(at, lot));
        let least = lots.enumerate().min_by_key(|(at, lot)| (*lot, *at));
        least.map_or(0, |(at, _)| at)
    }

    /// Fills `answers` with the one that a seat with this `lot` takes and, if the machine goes on by itself without a choice
    /// and there is any, one other.
    pub(crate) fn find_by_lot(&mut self, lot: u64) {
        let mut answers = std::mem::take(&mut self.answers);
        let alike = self.begin_answers(&mut answers);
        let drawn = match alike {
            true => self.draw_alike(lot, &mut answers),
            false => self.draw_elements(lot, &mut answers),
        };
        if drawn.is_some() {
            self.answers = answers;
            self.rest();
            return;
        }
        answers.clear();
        self.offer(&mut |machine, raw| {
            let words = raw.start as usize..(raw.start + raw.len) as usize;
            answers.push(raw, &machine.part_words[words], Outcome::Yes);
            machine.halt != Halt::Fault
        });
        self.end_answers(&mut answers);
        let lot = self.lot_now(lot);
        let mut lots = std::mem::take(&mut self.lots);
        lots.clear();
        lots.extend((0..answers.len()).map(|at| answers.lot(at, lot)));
        self.lone = answers.len() == 1;
        if self.lone && !self.goes_on_without() && !self.at_moment() {
            // No choice: if it is a dead end, so is all of this.
            self.lots = lots;
            self.answers = answers;
            return;
        }
        let mut known = None;
        let mut found = 0;
        let wanted = self.answers_wanted();
        while found < wanted && found < lots.len() && self.halt != Halt::Fault {
            let next = match found {
                0 => (0..lots.len()).min_by_key(|at| (lots[*at], *at)),
                _ if lots.len() == found + 1 => None,
                // Whether there is another at all: the one that is soonest known to lead on.
                _ => (found..lots.len()).min_by_key(|at| (self.effort(answers.raw(*at)), *at)),
            };
            let next = next.unwrap_or(found);
            let outcome = match known {
                Some(outcome) if alike => outcome,
                _ => *known.insert(self.outcome_of(&answers, next)),
            };
            if outcome == Outcome::No {
                // The others keep their order, which tells equal lots apart.
                answers.remove(next);
                lots.remove(next);
            } else {
                answers.mark(next, outcome);
                answers.swap(found, next);
                lots.swap(found, next);
                found += 1;
            }
        }
        answers.truncate(found);
        self.lots = lots;
        self.answers = answers;
        self.rest();
    }

    /// Of elements that are all alike, and of which it is remembered which may be chosen, one is tried for all. None where
    /// only a list will do, as where there is no choice.
    fn draw_alike(&mut self, lot: u64, answers: &mut Answers) -> Option<()> {
        let p = self.p;
        let choice = self.asks_alone()?;
        let binder = &p.binders[p.choices[choice as usize].binder.at()];
        let (Source::All { n, low }, Some((_, conditions))) = (binder.source, binder.sieve) else {
            return None;
        };
        let all = conditions == binder.conditions.len() && n <= 1 << INDEX_BITS;
        if !all || self.has_struck() || self.counts_refusals || self.witnesses.is_some() {
            return None;
        }
        let (passing, _) = self.sieve_of(binder)?;
        let lot = self.lot_now(lot);
        let of = |at: u32| lot_of(AnswerKind::Element, low + at as i32, &[], lot);
        let passing = self.sifted(passing);
        let least = bits::iter(passing).map(|at| (of(at), at)).min()?.1;
        // Two of them, of which the first that is not the least stands for all others.
        let mut others = bits::iter(passing).filter(|at| *at != least);
        let other = others.next()?;
        self.asked = self.pc;
        let answer = |at: u32| Raw::new(AnswerKind::Element, low + at as i32);
        let outcome = self.outcome(answer(least));
        self.asked = self.pc;
        if outcome != Outcome::No {
            let drawn = [least, other].into_iter().take(self.answers_wanted());
            drawn.for_each(|at| answers.push(answer(at), &[], outcome));
        }
        Some(())
    }

    /// Of a question for one of many elements not even the conditions are asked of all: they are drawn one by one, the
    /// least lot first. None where only a list will do.
    fn draw_elements(&mut self, lot: u64, answers: &mut Answers) -> Option<()> {
        let p = self.p;
        let choice = self.asks_alone()?;
        let binder = &p.binders[p.choices[choice as usize].binder.at()];
        let Source::All { n, low } = binder.source else {
            return None;
        };
        if !binder.is_plain() || n > 1 << INDEX_BITS || self.has_struck() || !p.anytime.is_empty() {
            return None;
        }
        let lot = self.lot_now(lot);
        let of = |value: i32| {
            let lot = lot_of(AnswerKind::Element, value, &[], lot);
            lot << INDEX_BITS | (value - low) as u64
        };
        let mut drawn = std::mem::take(&mut self.lots);
        drawn.clear();
        let local = self.fp + binder.local as usize;
        let found = match self.memory() {
            Some((memo, leading)) => {
                match self.lone_element(binder) {
                    // No choice: if it is a dead end, so is all of this.
                    Some(only) => {
                        answers.push(Raw::new(AnswerKind::Element, only), &[], Outcome::Yes)
                    }
                    None => {
                        let (code, classes) = (&p.memos[memo as usize], self.class_memo(memo));
                        drawn.reserve(n as usize);
                        classes.each_open(code, self.sifted(leading), |element| {
                            drawn.push(of(element as i32));
                        });
                        self.draw_remembered(memo, Drawing::new(&mut drawn, low), answers);
                    }
                }
                Some(())
            }
            None => {
                let start = self.candidates.len();
                if !self.counts_refusals && self.sift::<false>(binder).is_some()
                    || self.push_among(binder)
                {
                    drawn.extend(self.candidates.drain(start..).map(of));
                } else {
                    drawn.extend((low..low + n as i32).map(of));
                }
                self.draw_passing(binder, Drawing::new(&mut drawn, low), answers)
            }
        };
        self.lots = drawn;
        self.m[local] = 0;
        found
    }

    /// The question at hand, if it is answered alone.
    fn asks_alone(&self) -> Option<u32> {
        match self.p.code[self.pc] {
            Op::Choose(choice) | Op::Param { choice, .. } if self.at_once(self.pc) == 1 => {
                Some(choice)
            }
            _ => None,
        }
    }

    /// The only element that meets the conditions, where it matters whether there is a choice.
    fn lone_element(&mut self, binder: &Binder) -> Option<i32> {
        if self.answers_wanted() == 1 {
            return None;
        }
        let (passing, _) = self.sieve_of(binder)?;
        bits::only(self.sifted(passing)).map(|only| only as i32)
    }

    /// What is remembered of the question at hand, if it is to be used: the memo, and the sieve of the elements that may
    /// lead on.
    fn memory(&mut self) -> Option<(u32, SieveId)> {
        let memo = self.p.glances[self.pc + 1].memo?;
        if !self.glances_tell() || !self.memo_tells(&self.p.memos[memo as usize]) {
            return None;
        }
        Some((memo, self.leading(memo)?))
    }

    /// Draws among elements that pass the conditions and lead on as far as the element itself matters.
    fn draw_remembered(&mut self, memo: u32, mut drawing: Drawing, answers: &mut Answers) {
        let code = &self.p.memos[memo as usize];
        let mut classes = self.class_memo(memo);
        let wanted = self.answers_wanted();
        while let Some(value) = drawing.next() {
            // Hidden cards are not seen.
            self.probing += 1;
            let said = self.class_leads(code, value, &mut classes);
            self.probing -= 1;
            let raw = Raw::new(AnswerKind::Element, value);
            let outcome = said.unwrap_or_else(|| self.outcome(raw));
            if outcome != Outcome::No {
                answers.push(raw, &[], outcome);
            }
            if answers.len() == wanted || self.halt == Halt::Fault {
                break;
            }
        }
        self.keep_classes(memo, classes);
    }

    fn draw_passing(
        &mut self,
        binder: &Binder,
        mut drawing: Drawing,
        answers: &mut Answers,
    ) -> Option<()> {
        let local = self.fp + binder.local as usize;
        let (mut passed, mut first) = (0, 0);
        let wanted = self.answers_wanted();
        while let Some(value) = drawing.next() {
            self.m[local] = value;
            let passes = self.passes_noting::<true>(binder);
            if self.halt != Halt::No {
                return None;
            }
            if !passes {
                continue;
            }
            passed += 1;
            first = if passed == 1 { value } else { first };
            let raw = Raw::new(AnswerKind::Element, value);
            let outcome = self.outcome(raw);
            if outcome != Outcome::No {
                answers.push(raw, &[], outcome);
                if answers.len() == wanted {
                    break;
                }
            }
            if self.halt == Halt::Fault {
                return Some(());
            }
        }
        if passed == 1 {
            // No choice: if it is a dead end, so is all of this.
            answers.clear();
            answers.push(Raw::new(AnswerKind::Element, first), &[], Outcome::Yes);
        }
        Some(())
    }

    /// Of so many answers it must be known that they lead on.
    fn answers_wanted(&self) -> usize {
        // Where the machine stands at any answer it does not matter whether there is another.
        if self.stops_from == 1 { 1 } else { 2 }
    }

    /// How much it probably takes to find out whether one can go on from an answer.
    fn effort(&mut self, raw: Raw) -> u32 {
        let p = self.p;
        if let Some(pc) = self.pc_behind(raw) {
            if self.safe_from(pc) {
                return 0;
            }
            if p.glances[pc] != Glance::default() {
                return 1;
            }
        }
        match (raw.kind, p.code[self.pc]) {
            (AnswerKind::Entry, Op::AgendaPick { agenda, .. }) => {
                let entry = raw.value as usize;
                self.target(agenda).map_or(0, |agenda| {
                    let must = self.is_must(agenda, entry);
                    let plain = self.is_plain(agenda, entry);
                    3 + 2 * u32::from(!must) + u32::from(!plain)
                })
            }
            (AnswerKind::Anytime, _) => 7,
            _ => 2,
        }
    }

    fn outcome_of(&mut self, answers: &Answers, at: usize) -> Outcome {
        let start = self.part_words.len();
        // Looking ahead meets other questions; the answers are those of this one.
        let asked = self.asked;
        self.part_words.extend_from_slice(answers.words(at));
        let outcome = self.outcome(Raw {
            kind: answers.kind(at),
            value: answers.value(at),
            start: start as u32,
            len: answers.words(at).len() as u32,
        });
        self.part_words.truncate(start);
        self.asked = asked;
        outcome
    }

    /// What lots depend on at this moment.
    fn lot_now(&self, lot: u64) -> u64 {
        mixed(lot ^ u64::from(self.m[header::ANSWERS] as u32))
    }
}

impl Answers {
    fn lot(&self, at: usize, lot: u64) -> u64 {
        lot_of(self.kind(at), self.value(at), self.words(at), lot)
    }
}

/// Elements in the order of their lots, sorted only as far as they are drawn.
struct Drawing<'a> {
    /// Lots, and in the low bits the elements.
    lots: &'a mut [u64],
    low: i32,
    at: usize,
    sorted: usize,
}

impl<'a> Drawing<'a> {
    fn new(lots: &'a mut [u64], low: i32) -> Drawing<'a> {
        Drawing {
            lots,
            low,
            at: 0,
            sorted: 0,
        }
    }

    fn next(&mut self) -> Option<i32> {
        if self.at == self.lots.len() {
            return None;
        }
        if self.at == self.sorted {
            // Rarely more than one is needed.
            let rest = &mut self.lots[self.sorted..];
            let next = rest.len().min(1 + 3 * self.sorted);
            if next < rest.len() {
                rest.select_nth_unstable(next - 1);
            }
            rest[..next].sort_unstable();
            self.sorted += next;
        }
        self.at += 1;
        Some(self.low + (self.lots[self.at - 1] & ((1 << INDEX_BITS) - 1)) as i32)
    }
}

/// The lot of an answer, of 48 bits.
#[inline]
fn lot_of(kind: AnswerKind, value: i32, words: &[i32], lot: u64) -> u64 {
    let mut x = lot ^ (kind as u64) << 32 ^ u64::from(value as u32);
    for word in words {
        x = (x ^ u64::from(*word as u32)).wrapping_mul(STEP);
        x ^= x >> 29;
    }
    mixed(x) >> INDEX_BITS
}

/// SplitMix64: neighbouring numbers have nothing to do with each other afterwards.
pub(crate) fn mixed(x: u64) -> u64 {
    let mut x = x.wrapping_add(STEP);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
