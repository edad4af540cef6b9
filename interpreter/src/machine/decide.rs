//! Decisions: what is offered, looking ahead, answering.

use super::answers::{AnswerKind, Answers, Raw};
use super::trying::Outcome;
use super::{Fault, Halt, Machine};
use crate::program::*;

/// Why the machine stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A seat is asked.
    Decision,
    /// The game is over.
    Over,
    /// Only while looking ahead: the extent is through, a requirement is unmet, something unseen is needed, the rules are wrong.
    Done,
    /// Something written is not fulfilled: looking ahead alone ends so.
    Fail,
    /// Something that is not seen would have to be known: looking ahead alone ends so.
    Unknown,
    /// The rules are wrong here.
    Fault,
}

impl<'p> Machine<'p> {
    /// From now on the machine stands at each answer, also where there is no other.
    pub fn stand_at_only_answers(&mut self) {
        self.stops_from = 1;
    }

    /// Runs on until a seat has more than one answer, or the game is over.
    pub(crate) fn go_on(&mut self) -> Result<Stop, Fault> {
        loop {
            let stop = if self.is_over() {
                Stop::Over
            } else {
                self.run()
            };
            match stop {
                Stop::Over => {
                    self.answers.clear();
                    return Ok(Stop::Over);
                }
                Stop::Decision => {
                    match self.drawers.get(self.me as usize) {
                        Some(Some(lot)) => self.find_by_lot(*lot),
                        _ => self.find_answers(),
                    }
                    if self.halt == Halt::Fault {
                        return Err(self.take_fault());
                    }
                    if self.answers.len() >= self.stops_from {
                        return Ok(Stop::Decision);
                    }
                    self.resolve()?;
                }
                Stop::Fault => return Err(self.take_fault()),
                Stop::Done | Stop::Fail | Stop::Unknown => self.dead_end()?,
            }
        }
    }

    /// All answers of the decision at which the machine stands, where a seat draws lots too.
    pub(crate) fn all_answers(&mut self) -> Answers {
        if !matches!(self.drawers.get(self.me as usize), Some(Some(_))) {
            return self.answers.clone();
        }
        let all = self.instead_of_drawn(|machine| {
            machine.find_answers();
            std::mem::take(&mut machine.answers)
        });
        all.unwrap_or_else(|| self.answers.clone())
    }

    /// Whether there is more than one answer to the decision at which the machine stands, where a seat draws lots too.
    pub(crate) fn has_choice(&mut self) -> bool {
        let Some(Some(lot)) = self.drawers.get(self.me as usize).copied() else {
            return self.answers.len() > 1;
        };
        let stops_from = std::mem::replace(&mut self.stops_from, 2);
        let choice = self.instead_of_drawn(|machine| {
            machine.find_by_lot(lot);
            machine.answers.len() > 1
        });
        self.stops_from = stops_from;
        choice.unwrap_or(false)
    }

    /// The rules ask for one thing alone, as a menu of one item.
    pub(crate) fn asks_for_one(&self) -> bool {
        match self.p.code[self.pc] {
            Op::OneOf(menu) => {
                let items = &self.p.menus[menu as usize].items;
                items.len() == 1 && self.p.anytime.is_empty()
            }
            _ => false,
        }
    }

    /// What `find` finds of the answers; those of before are put back. None if it met a fault: who draws lots did not get there.
    fn instead_of_drawn<T>(&mut self, find: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let (drawn, lone) = (std::mem::take(&mut self.answers), self.lone);
        let found = find(self);
        self.answers = drawn;
        self.lone = lone;
        if self.halt == Halt::Fault {
            self.forget_fault();
            return None;
        }
        Some(found)
    }

    /// Takes answer number `at` of [`Machine::answers`] and runs on.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn answer(&mut self, at: usize) -> Result<Stop, Fault> {
        if self.lone {
            self.note_no_choice()?;
        } else {
            self.steps = 0;
            self.begin_work();
        }
        self.take_answer(at)?;
        self.go_on()
    }

    /// An answer to which there is no other; of these there cannot be any number one behind the other.
    fn note_no_choice(&mut self) -> Result<(), Fault> {
        self.steps += STEPS_OF_RESOLVING;
        if self.steps > STEPS_PER_ANSWER_MAX {
            let span = self.here();
            self.broken(
                span,
                "no player has a choice any more, one answer follows the other: does a loop never end?",
            );
            return Err(self.take_fault());
        }
        Ok(())
    }

    /// Goes on where there is one answer or none.
    fn resolve(&mut self) -> Result<(), Fault> {
        self.note_no_choice()?;
        if self.answers.is_empty() {
            return self.no_answer();
        }
        self.remember_if_marked(0)?;
        self.note_resolved();
        self.do_answer(0);
        Ok(())
    }

    /// Of a held machine: as [`Machine::go_on`] would do at a decision with one answer or none, up to the next decision.
    pub(crate) fn resolve_held(&mut self) -> Result<Stop, Fault> {
        self.resolve()?;
        self.go_on()
    }

    fn note_resolved(&mut self) {
        if self.resolved_log.is_some() {
            let answer = self.answers.get(0);
            let me = self.me;
            if let Some(log) = &mut self.resolved_log {
                log.push((me, answer));
            }
        }
        if let Some(trace) = &mut self.trace {
            trace.push(super::Event::Resolved {
                pc: self.pc as u32,
                me: self.me,
            });
        }
    }

    fn take_answer(&mut self, at: usize) -> Result<(), Fault> {
        self.remember_if_marked(at)?;
        self.do_answer(at);
        Ok(())
    }

    fn do_answer(&mut self, at: usize) {
        self.m[header::ANSWERS] += 1;
        let (raw, _) = self.answers.items[at];
        let start = self.part_words.len();
        let words = std::mem::take(&mut self.answers.words);
        self.part_words
            .extend_from_slice(&words[raw.start as usize..(raw.start + raw.len) as usize]);
        self.answers.words = words;
        self.apply(Raw {
            start: start as u32,
            ..raw
        });
        self.part_words.truncate(start);
    }

    /// No answer at a decision: the `if none can be done` of a menu, else a dead end.
    fn no_answer(&mut self) -> Result<(), Fault> {
        if self.none_can_be_done() {
            return Ok(());
        }
        if self.marked.is_empty() && self.unmet.is_none() && !self.unheard {
            self.find_reason();
        }
        if self.at_moment() {
            self.test_at_moment();
        }
        self.dead_end()
    }

    /// What was seen to lead nowhere at a glance is tried, so that the reason can be told.
    #[cold]
    fn find_reason(&mut self) {
        let before = self.witnesses.replace(Vec::new());
        self.find_answers();
        self.witnesses = before;
    }

    /// The rules say what happens if nothing at this decision can be done.
    pub(super) fn goes_on_without(&self) -> bool {
        match self.p.code[self.pc] {
            Op::OneOf(menu) => self.p.menus[menu as usize].none.is_some(),
            Op::AgendaPick { as_far, .. } => as_far,
            _ => false,
        }
    }

    /// Goes on where the rules say what happens if nothing at this decision can be done.
    pub(super) fn none_can_be_done(&mut self) -> bool {
        match self.p.code[self.pc] {
            Op::OneOf(menu) => {
                let Some(none) = self.p.menus[menu as usize].none else {
                    return false;
                };
                self.pc = none as usize;
            }
            Op::AgendaPick {
                agenda,
                end,
                as_far: true,
                ..
            } => {
                if let Some(target) = self.target(agenda) {
                    self.agenda_clear(target);
                }
                self.pc = end as usize;
            }
            _ => return false,
        }
        self.halt = Halt::No;
        true
    }

    pub(crate) fn take_fault(&mut self) -> Fault {
        let (span, message) = self
            .fault
            .take()
            .unwrap_or_else(|| (None, "the rules cannot go on".into()));
        self.halt = Halt::No;
        Fault {
            span: span.unwrap_or_else(|| self.here()),
            message,
            unmet: self.unmet,
            rule: None,
        }
    }

    // ---------------------------------------------------------------------------------- finding answers

    /// Fills `answers` with everything the seat can go on from.
    pub(super) fn find_answers(&mut self) {
        let mut answers = std::mem::take(&mut self.answers);
        let alike = self.begin_answers(&mut answers);
        // So that what is offered depends on nothing but the state.
        self.forget_met();
        let mut first = None;
        self.offer(&mut |machine, raw| {
            let outcome = match first {
                Some(outcome) if alike => outcome,
                _ => *first.insert(machine.outcome(raw)),
            };
            if outcome != Outcome::No {
                let words = raw.start as usize..(raw.start + raw.len) as usize;
                answers.push(raw, &machine.part_words[words], outcome);
            }
            machine.halt != Halt::Fault
        });
        self.end_answers(&mut answers);
        self.answers = answers;
    }

    /// Whether what goes for one answer goes for all.
    pub(super) fn begin_answers(&mut self, answers: &mut Answers) -> bool {
        answers.clear();
        self.lone = false;
        self.probe_seat = self.me;
        if self.probing == 0 {
            // What was in the way before is no reason for what happens here.
            self.unmet = None;
            self.rounds.endless = None;
        }
        self.begin_looking();
        self.answers_are_alike()
    }

    /// Takes out what led to a dead end.
    pub(super) fn end_answers(&mut self, answers: &mut Answers) {
        if !self.struck.is_empty() {
            self.struck.take_out_of(answers, self.state_hash());
        }
        self.rest();
    }

    /// Whatever ended a way is forgotten, but for a fault.
    pub(super) fn rest(&mut self) {
        if self.halt != Halt::Fault {
            self.halt = Halt::No;
        }
        self.top = self.sp;
    }

    // ---------------------------------------------------------------------------------- answering

    /// Does what an answer does at this decision; the machine then stands behind it.
    pub(crate) fn apply(&mut self, raw: Raw) {
        let p = self.p;
        self.set(header::CAUSE, self.me);
        if raw.kind == AnswerKind::Anytime {
            let (proc, ..) = p.anytime[raw.value as usize];
            // It may have been his last one.
            let stays = self
                .pc
                .checked_sub(1)
                .filter(|pc| matches!(p.code[*pc], Op::Stay { .. }));
            let return_pc = stays.unwrap_or(self.pc);
            self.push_frame(proc, return_pc);
            self.mark_helper();
            return;
        }
        match p.code[self.pc] {
            Op::Choose(choice) | Op::Param { choice, .. } => {
                if raw.kind == AnswerKind::Together {
                    return self.apply_together(raw);
                }
                let binder = &p.binders[p.choices[choice as usize].binder.at()];
                let local = self.fp + binder.local as usize;
                if raw.kind == AnswerKind::Part {
                    for at in 0..raw.len as usize {
                        let word = self.part_words[raw.start as usize + at];
                        self.set(local + at, word);
                    }
                } else {
                    self.choose_element(local, raw.value);
                }
                self.pc += 1;
            }
            Op::OneOf(menu) => {
                // Here, since a `may` may have stood before it.
                if self.probing == 0 {
                    self.count_item(menu, raw.value);
                }
                self.pc = p.menus[menu as usize].items[raw.value as usize].pc as usize
            }
            Op::May { body, end, .. } => match raw.kind {
                AnswerKind::Done => self.pc = end as usize,
                AnswerKind::Yes => self.pc = body as usize,
                _ => {
                    self.pc = body as usize;
                    if self.run() == Stop::Decision {
                        self.apply(raw);
                    }
                }
            },
            Op::AgendaPick { agenda, end, .. } => {
                let Some(target) = self.target(agenda) else {
                    return;
                };
                if raw.kind == AnswerKind::Done {
                    self.agenda_clear(target);
                    self.pc = end as usize;
                } else {
                    self.agenda_run(target, raw.value as usize);
                }
            }
            Op::WalkPick { walk, end } => {
                if raw.kind == AnswerKind::Done {
                    self.pc = end as usize;
                } else {
                    let start = raw.start as usize;
                    let words = [
                        self.part_words[start],
                        self.part_words[start + 1],
                        self.part_words[start + 2],
                        self.part_words[start + 3],
                    ];
                    self.walk_step(walk, words);
                    self.pc += 1;
                }
            }
            Op::Pause(_) => self.pc += 1,
            _ => {}
        }
    }
}
