//! Looking around at a decision, for explanations: what could be asked about, what of it fails which condition.
//! All of it runs as a look-ahead; [`Machine::ahead`] puts everything back.

use super::answers::{Answer, AnswerKind, Answers, Raw};
use super::decide::Stop;
use super::trying::Outcome;
use super::witness::Witness;
use super::{Halt, Machine};
use crate::program::*;
use std::collections::BTreeMap;

impl<'p> Machine<'p> {
    /// Runs something as a look-ahead of the seat that is asked and puts everything back.
    pub(crate) fn ahead<T>(&mut self, run: impl FnOnce(&mut Machine<'p>) -> T) -> T {
        let mark = self.mark();
        let top = self.top;
        let asked = self.asked;
        let outermost = self.probing == 0;
        if outermost {
            self.probe_seat = self.me;
            self.probe_left = PROBE_ANSWERS_MAX;
            self.begin_explaining();
            self.forget_met();
        }
        self.look_ahead();
        let result = run(self);
        self.look_back();
        self.undo(mark);
        self.forget_fault();
        self.top = top;
        self.asked = asked;
        result
    }

    /// The words of the state that answer number `at` of those offered changes up to the next question, the end of the extent, or
    /// where it depends on what whoever is asked does not see.
    pub(crate) fn words_changed(&mut self, at: usize) -> Vec<u32> {
        let answer = self.answers().get(at);
        let seat = Some(self.seat());
        self.as_seen(seat, |machine| {
            let begin = machine.journal.len();
            if machine.apply_answer(&answer) {
                machine.run_on();
            }
            let fixed = machine.p.fixed_words;
            let mut first = BTreeMap::new();
            for (word, old) in &machine.journal[begin..] {
                if *word < fixed {
                    first.entry(*word).or_insert(*old);
                }
            }
            first.retain(|word, old| machine.m[*word as usize] != *old);
            first.into_keys().collect()
        })
    }

    /// Where an answer that does nothing else leads, unless it chooses something.
    pub(crate) fn leads_behind(&self, at: usize) -> Option<usize> {
        let answer = self.answers().get(at);
        let is_way = matches!(
            answer.kind,
            AnswerKind::Item | AnswerKind::Yes | AnswerKind::Anytime
        );
        let raw = Raw {
            kind: answer.kind,
            value: answer.value,
            start: 0,
            len: 0,
        };
        is_way.then(|| self.pc_behind(raw)).flatten()
    }

    /// Where the question is that the answers answer: inside the body of a `may` that begins with one.
    pub fn asked_pc(&self) -> usize {
        match self.p.code[self.pc] {
            Op::May { .. } => self.asked,
            _ => self.pc,
        }
    }

    /// Steps into a `may` up to the question that is asked; false if it is not reached.
    pub(crate) fn enter_question(&mut self) -> bool {
        let asked = self.asked_pc();
        self.enter(asked)
    }

    /// The same where the question is known to stand there.
    pub(crate) fn enter(&mut self, asked: usize) -> bool {
        while self.pc != asked {
            let Op::May { body, .. } = self.p.code[self.pc] else {
                return false;
            };
            self.pc = body as usize;
            if self.run_on() != Stop::Decision {
                return false;
            }
        }
        self.asked = asked;
        true
    }

    /// Everything the decision offers that passes its own conditions, whether it can be gone on from or not.
    pub(crate) fn own_candidates(&mut self, with_anytime: bool) -> Vec<Answer> {
        let mut found = Vec::new();
        let mut keep = |machine: &mut Machine<'p>, raw: Raw| {
            let words = raw.start as usize..(raw.start + raw.len) as usize;
            found.push(Answer {
                kind: raw.kind,
                value: raw.value,
                words: machine.part_words[words].to_vec(),
            });
            true
        };
        if with_anytime {
            self.offer(&mut keep);
        } else {
            self.offer_own(&mut keep);
        }
        self.forget_halt();
        found
    }

    /// Where a walk could step if its `where` allowed it, and what that needs.
    pub(crate) fn refused_steps(&mut self) -> Vec<(Answer, Witness)> {
        self.refused_steps.clear();
        self.offer_own(&mut |_, _| true);
        self.forget_halt();
        std::mem::take(&mut self.refused_steps)
    }

    /// Answers without offering; true if nothing failed at once.
    pub(crate) fn apply_answer(&mut self, answer: &Answer) -> bool {
        let start = self.part_words.len();
        self.part_words.extend_from_slice(&answer.words);
        self.apply(Raw {
            kind: answer.kind,
            value: answer.value,
            start: start as u32,
            len: answer.words.len() as u32,
        });
        self.part_words.truncate(start);
        self.halt == Halt::No
    }

    /// What would be offered if the game stood here.
    pub(crate) fn offered_here(&mut self) -> Answers {
        let before = std::mem::take(&mut self.answers);
        self.as_the_game(Machine::find_answers);
        std::mem::replace(&mut self.answers, before)
    }

    /// Whether the seat can go on from here to the end of the extent.
    pub(crate) fn can_go_on(&mut self) -> Outcome {
        self.as_the_game(|machine| {
            // What was refused to somebody fails whatever others hold.
            machine.all_seeing = true;
            machine.ahead(Machine::explore)
        })
    }

    /// Looks ahead in the way and with the bound of a game that stands here, and tells no reasons.
    fn as_the_game<T>(&mut self, look: impl FnOnce(&mut Machine<'p>) -> T) -> T {
        let witnesses = self.witnesses.take();
        let (seat, left, top) = (self.probe_seat, self.probe_left, self.top);
        let others = (self.beyond, self.all_seeing);
        (self.beyond, self.all_seeing) = (false, false);
        let from = std::mem::replace(&mut self.probe_from, self.probing);
        self.probe_seat = self.me;
        self.probe_left = PROBE_ANSWERS_MAX;
        let found = self.with_bound(look);
        self.forget_halt();
        self.probe_from = from;
        (self.probe_seat, self.probe_left, self.top) = (seat, left, top);
        (self.beyond, self.all_seeing) = others;
        self.witnesses = witnesses;
        found
    }

    /// Runs to the next decision or what else ends the look-ahead.
    pub(crate) fn run_on(&mut self) -> Stop {
        if self.halt == Halt::No {
            self.run()
        } else {
            Stop::Fail
        }
    }

    /// The elements of a choice's source, conditions not asked, each once.
    pub(crate) fn source_elements(&mut self, choice: u32) -> Vec<i32> {
        let p = self.p;
        let binder = &p.binders[p.choices[choice as usize].binder.at()];
        let mut found = Vec::new();
        self.scan_source(binder, |_, value, _| {
            if !found.contains(&value) {
                found.push(value);
            }
            true
        });
        self.forget_halt();
        found
    }

    /// What a part would have to be taken from: the words of the zone, of the shape of one part.
    pub(crate) fn part_zone(&mut self, choice: u32) -> Option<(NodeId, Shape)> {
        let p = self.p;
        let binder = &p.binders[p.choices[choice as usize].binder.at()];
        match binder.source {
            Source::Parts(zone) => Some((zone, binder.shape)),
            _ => None,
        }
    }

    /// The conditions of a choice that this answer does not meet, in order.
    pub(crate) fn unmet_conditions(&mut self, choice: u32, words: &[i32]) -> Vec<Witness> {
        let p = self.p;
        let binder = &p.binders[p.choices[choice as usize].binder.at()];
        let local = self.fp + binder.local as usize;
        let before: Vec<i32> = self.m[local..local + words.len()].to_vec();
        self.m[local..local + words.len()].copy_from_slice(words);
        let others = self.witnesses.replace(Vec::new());
        for (condition, reason) in &binder.conditions {
            let top = self.top;
            let holds = self.ev(*condition);
            if self.halt == Halt::No && holds == 0 {
                self.need_failed(*condition, *reason);
            }
            self.top = top;
            self.forget_halt();
        }
        let found = std::mem::replace(&mut self.witnesses, others);
        self.m[local..local + words.len()].copy_from_slice(&before);
        found.unwrap_or_default()
    }

    /// The `need`s that stand directly behind the one at which this machine has failed and are unmet too: they are asked of
    /// the same state.
    pub(crate) fn further_needs(&mut self, failed: ReasonId) -> Vec<Witness> {
        let p = self.p;
        if !matches!(p.code[self.pc], Op::Need(_, reason) if reason == failed) {
            return Vec::new();
        }
        let others = self.witnesses.replace(Vec::new());
        for op in &p.code[self.pc + 1..] {
            let Op::Need(condition, reason) = *op else {
                break;
            };
            self.forget_halt();
            let top = self.top;
            if self.ev(condition) == 0 && self.halt == Halt::No {
                self.need_failed(condition, reason);
            }
            self.top = top;
        }
        self.forget_halt();
        std::mem::replace(&mut self.witnesses, others).unwrap_or_default()
    }

    pub(crate) fn forget_halt(&mut self) {
        if self.halt != Halt::Fault {
            self.halt = Halt::No;
        }
    }

    /// Anytime actions by number: open now, or the step they are for.
    pub(crate) fn anytime_open(&self, at: usize) -> bool {
        let (_, during, _) = &self.p.anytime[at];
        during.is_none_or(|label| {
            self.m[self.p.label_words[label.index()] as usize + 1] == self.me + 1
        }) && !self.anytime_is_running(at)
    }

    /// Bodies of must-entries of the agenda the decision works off.
    pub(crate) fn musts(&mut self) -> Vec<Vec<i32>> {
        let Op::AgendaPick { agenda, .. } = self.p.code[self.pc] else {
            return Vec::new();
        };
        let Some(target) = self.target(agenda) else {
            return Vec::new();
        };
        let count = self.m[target.word] as usize;
        let width = self.p.agenda_width as usize;
        (0..count)
            .map(|at| self.entry_range(target, at))
            .filter(|range| self.m[range.start - 1] == 1)
            .map(|range| self.m[range.start..range.start + width - 1].to_vec())
            .collect()
    }
}

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoValue {
    /// Something in it is none.
    Missing(Option<super::Unmet>),
    /// It depends on something that is not seen.
    Unseen,
    Fault(dsl::source::Span, String),
}

impl Machine<'_> {
    /// Runs something in a frame of its own above everything, with temporaries of any size.
    pub(crate) fn in_frame<T>(&mut self, words: u32, run: impl FnOnce(&mut Self) -> T) -> T {
        let top = self.top;
        self.begin_asking();
        self.top = self.top.max(self.sp);
        let base = self.reserve(words as usize);
        self.m[base..base + words as usize].fill(0);
        let caller = std::mem::replace(&mut self.fp, base);
        let result = run(self);
        self.fp = caller;
        self.top = top;
        result
    }

    /// The value of an expression from outside the rules.
    pub(crate) fn ask(
        &mut self,
        node: NodeId,
        frame_words: u32,
    ) -> Result<crate::words::Held, NoValue> {
        self.halt = Halt::No;
        let held = self.in_frame(frame_words, |machine| machine.held_or_halt(node));
        self.no_value(held)
    }

    /// What an evaluation from outside came to.
    pub(crate) fn no_value<T>(&mut self, value: T) -> Result<T, NoValue> {
        match std::mem::replace(&mut self.halt, Halt::No) {
            Halt::No => Ok(value),
            Halt::Fail => Err(NoValue::Missing(self.unmet)),
            Halt::Unknown => Err(NoValue::Unseen),
            Halt::Fault => {
                let (span, message) = self
                    .fault
                    .take()
                    .unwrap_or_else(|| (None, "this has no value".into()));
                let span = span.unwrap_or_else(|| self.here());
                Err(NoValue::Fault(span, message))
            }
        }
    }
}
