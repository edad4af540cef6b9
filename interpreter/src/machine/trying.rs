//! Looking ahead: whether the player can go on from an answer, to the end of the extent.

use super::answers::{AnswerKind, Raw};
use super::decide::Stop;
use super::{Halt, Machine};
use crate::program::*;

/// What looking ahead from an answer found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Yes,
    No,
    /// It depends on what is not seen, or it became too much.
    Perhaps,
    /// The same, but only behind a question to another player: it rests with him.
    Others,
}

impl Outcome {
    /// What two ways come to of which one may be taken.
    pub(super) fn or(self, other: Outcome) -> Outcome {
        let order = [Outcome::Yes, Outcome::Others, Outcome::Perhaps, Outcome::No];
        let either = order.into_iter().find(|one| [self, other].contains(one));
        either.unwrap_or(Outcome::No)
    }
}

/// Positions passed because nothing could be done there (Brent's way to find a circle).
#[derive(Default)]
struct Passed {
    kept: u64,
    count: u32,
}

impl Passed {
    /// Whether this position was passed before, found out after a few rounds.
    fn again(&mut self, hash: u64) -> bool {
        if self.count > 0 && self.kept == hash {
            return true;
        }
        self.count += 1;
        if self.count.is_power_of_two() {
            self.kept = hash;
        }
        false
    }
}

impl<'p> Machine<'p> {
    /// Whether any answer can be gone on from. What is learnt from failures is joined to what was learnt before.
    pub(super) fn any_answer(&mut self) -> Outcome {
        let before = self.learnt;
        self.begin_learning();
        self.helping += 1;
        let outcome = self.any_answer_here();
        self.helping -= 1;
        self.learn(&before);
        outcome
    }

    fn any_answer_here(&mut self) -> Outcome {
        let tried = self.tried;
        let outcome = self.any_answer_of_all();
        if self.halt == Halt::Fault {
            return self.faulty();
        }
        if outcome == Outcome::No && self.tried == tried {
            // There was nothing to choose.
            self.rounds.note_refusal();
        }
        outcome
    }

    fn any_answer_of_all(&mut self) -> Outcome {
        let alike = self.answers_are_alike();
        if alike && let Some(outcome) = self.some_part() {
            return outcome;
        }
        // One answer may need a long search to be refused where another leads on at once: none is followed far before
        // all were tried a little.
        if self.probing == self.probe_from + 1 && !alike {
            let broke_off = std::mem::take(&mut self.broke_off);
            let fell_short = std::mem::take(&mut self.fell_short);
            let outcome = self.try_answers(false, PROBE_FIRST_TRIES);
            let in_full = !self.broke_off && !self.fell_short;
            self.broke_off = broke_off || self.is_spent();
            self.fell_short = fell_short;
            if outcome == Outcome::No || in_full && self.is_enough(outcome) {
                return outcome;
            }
        }
        self.try_answers(alike, PROBE_ANSWERS_MAX)
    }

    /// As [`Machine::any_answer`], with at most so many tries for each answer.
    fn try_answers(&mut self, alike: bool, tries: u32) -> Outcome {
        let mut best = Outcome::No;
        self.begin_learning();
        self.offer_ahead(&mut |machine, raw| {
            let left = machine.probe_left;
            machine.probe_left = left.min(tries);
            // A question that nothing answers is a dead end, whatever may be done beside it.
            machine.tried += u64::from(raw.kind != AnswerKind::Anytime);
            let kept = left - machine.probe_left;
            match machine.outcome(raw) {
                Outcome::Yes => best = Outcome::Yes,
                outcome @ (Outcome::Perhaps | Outcome::Others) => {
                    best = best.or(outcome);
                    machine.learn_nothing();
                }
                Outcome::No => {}
            }
            machine.probe_left = if machine.is_spent() {
                0
            } else {
                machine.probe_left + kept
            };
            !machine.is_enough(best) && !alike && machine.halt != Halt::Fault
        });
        // Listing the candidates themselves met something unseen.
        if best == Outcome::No && self.halt == Halt::Unknown {
            best = Outcome::Perhaps;
        }
        best
    }

    /// Nothing better is looked for. What rests with others is offered whether it is proved or not.
    fn is_enough(&self, outcome: Outcome) -> bool {
        match outcome {
            Outcome::Yes | Outcome::Others => true,
            Outcome::Perhaps => self.beyond,
            Outcome::No => false,
        }
    }

    /// Of parts that are all alike none is listed: whether there is one, and what comes behind it. None if this is not
    /// such a question.
    fn some_part(&mut self) -> Option<Outcome> {
        let (Op::Choose(choice) | Op::Param { choice, .. }) = self.p.code[self.pc] else {
            return None;
        };
        if !self.has_part(self.p.choices[choice as usize].binder)? {
            return Some(Outcome::No);
        }
        if self.probe_left == 0 {
            self.broke_off = true;
            return Some(Outcome::Perhaps);
        }
        if self.safe_from(self.pc + 1) {
            return Some(Outcome::Yes);
        }
        self.tried += 1;
        if self.is_too_deep() {
            return Some(self.unproved());
        }
        self.probe_left -= 1;
        let mark = self.mark();
        self.look_ahead();
        self.set(header::CAUSE, self.me);
        self.pc += 1;
        let outcome = self.explore();
        self.look_back();
        self.undo(mark);
        Some(outcome)
    }

    /// What goes for one answer of this question goes for all.
    pub(super) fn answers_are_alike(&self) -> bool {
        let p = self.p;
        match p.code[self.pc] {
            Op::Choose(_) | Op::Param { .. } => {
                let asked = &p.code[self.pc..self.pc + self.at_once(self.pc)];
                let alike = |op: &Op| match *op {
                    Op::Choose(choice) | Op::Param { choice, .. } => {
                        p.choices[choice as usize].alike
                    }
                    _ => false,
                };
                asked.iter().all(alike) && p.anytime.is_empty() && self.callers_are_safe()
            }
            _ => false,
        }
    }

    /// Looks ahead from an answer, unless nothing can fail behind it.
    pub(super) fn outcome(&mut self, raw: Raw) -> Outcome {
        // What a `may` asks for is tried from the `may` itself, which is entered first.
        let asked = matches!(self.p.code[self.pc], Op::Choose(_) | Op::Param { .. });
        if raw.kind == AnswerKind::Together && asked {
            return self.outcome_together(raw);
        }
        if self.probe_left == 0 {
            self.broke_off = true;
            return Outcome::Perhaps;
        }
        let behind = self.pc_behind(raw);
        if behind.is_some_and(|pc| self.safe_from(pc)) {
            return Outcome::Yes;
        }
        if let Some(outcome) = behind.and_then(|pc| self.glance(raw, pc)) {
            self.rounds.note_refusal();
            self.learn_nothing();
            return outcome;
        }
        if self.is_too_deep() {
            return self.unproved();
        }
        if let Some(outcome) = self.next_question(raw) {
            return outcome;
        }
        self.probe_left -= 1;
        let mark = self.mark();
        self.look_ahead();
        self.spend(WORK_OF_TRY);
        self.apply(raw);
        let outcome = self.explore();
        self.look_back();
        self.undo(mark);
        outcome
    }

    /// Two questions one behind the other: whether the second has an answer, without running anything in between.
    fn next_question(&mut self, raw: Raw) -> Option<Outcome> {
        let p = self.p;
        let (Op::Choose(choice) | Op::Param { choice, .. }) = p.code[self.pc] else {
            return None;
        };
        if raw.kind != AnswerKind::Element || p.plain {
            return None;
        }
        match p.code[self.pc + 1] {
            Op::Choose(_) => {}
            Op::Param { index, .. } if !self.is_given(index) => {}
            _ => return None,
        }
        if self.is_too_deep() {
            return Some(self.unproved());
        }
        let local = self.fp + p.binders[p.choices[choice as usize].binder.at()].local as usize;
        let mark = self.mark();
        self.look_ahead();
        self.m[local] = 0;
        self.set(local, raw.value);
        self.pc += 1;
        self.open_question();
        let outcome = self.any_answer();
        self.look_back();
        self.undo(mark);
        Some(outcome)
    }

    /// Where the machine would stand behind an answer that does nothing but set a local or jump.
    pub(super) fn pc_behind(&self, raw: Raw) -> Option<usize> {
        Some(match (self.p.code[self.pc], raw.kind) {
            (Op::Choose(_) | Op::Param { .. }, AnswerKind::Element | AnswerKind::Part) => {
                self.pc + 1
            }
            (Op::Choose(_) | Op::Param { .. }, AnswerKind::Together) => self.pc + raw.len as usize,
            (Op::Pause(_), AnswerKind::Go) => self.pc + 1,
            (
                Op::May { end, .. } | Op::WalkPick { end, .. } | Op::AgendaPick { end, .. },
                AnswerKind::Done,
            ) => end as usize,
            (
                Op::May {
                    body, lead: false, ..
                },
                AnswerKind::Yes,
            ) => body as usize,
            (Op::OneOf(menu), AnswerKind::Item) => {
                self.p.menus[menu as usize].items[raw.value as usize].pc as usize
            }
            _ => return None,
        })
    }

    /// From behind an answer to the end of the extent.
    pub(crate) fn explore(&mut self) -> Outcome {
        let mut passed = Passed::default();
        loop {
            match self.run_to(true) {
                Stop::Done | Stop::Over => return Outcome::Yes,
                Stop::Fail => {
                    self.rounds.note_refusal();
                    return Outcome::No;
                }
                Stop::Unknown => return Outcome::Perhaps,
                Stop::Fault => return self.faulty(),
                Stop::Decision if self.comes_to_others() => {
                    return self.explore_beyond();
                }
                Stop::Decision => {
                    if let Some(outcome) = self.go_on_here(&mut passed) {
                        return outcome;
                    }
                }
            }
        }
    }

    /// From a decision to the end of the extent. None where nothing can be done at it and the rules say what happens then.
    fn go_on_here(&mut self, passed: &mut Passed) -> Option<Outcome> {
        let hash = self.ahead_hash();
        if let Some(outcome) = self.met_before(hash) {
            return Some(outcome);
        }
        if self.goes_round(hash) {
            return Some(Outcome::No);
        }
        let round = self.begin_round(hash);
        let before = std::mem::take(&mut self.learnt);
        let outcome = self.any_answer();
        let learnt = self.learnt;
        self.learn(&before);
        if outcome == Outcome::No && self.none_can_be_done() {
            self.leave_round(round);
            if passed.again(hash) {
                self.never_ends();
            }
            return None;
        }
        if outcome == Outcome::No && self.halt == Halt::No && self.unmet.is_none() {
            self.note_no_answer();
        }
        self.end_round(round, outcome, &learnt);
        Some(outcome)
    }

    /// A way that ends in a fault of the rules is no refusal: it leads on, to where the fault is told if somebody goes there.
    /// What leads on in no other way may be found to fail before such a way is.
    #[cold]
    fn faulty(&mut self) -> Outcome {
        self.forget_fault();
        self.foresaw_fault = true;
        Outcome::Yes
    }

    /// What went wrong looking ahead did not happen.
    pub(super) fn forget_fault(&mut self) {
        if self.halt == Halt::Fault {
            self.halt = Halt::No;
            self.fault = None;
        }
    }

    #[cold]
    fn never_ends(&mut self) {
        let span = self.here();
        self.broken(
            span,
            "nothing can be done here, again and again: does a loop never end?",
        );
    }

    #[cold]
    fn note_no_answer(&mut self) {
        let reason = match self.p.code[self.pc] {
            Op::Choose(choice) | Op::Param { choice, .. } => self.p.choice_reasons[choice as usize],
            Op::OneOf(menu) => self.p.menu_reasons[menu as usize],
            _ => return,
        };
        self.unmet = Some(super::Unmet {
            reason,
            needed: None,
            found: None,
        });
    }

    /// `can X`: the call could be gone on from to its end.
    pub(crate) fn can(&mut self, proc: ProcId, args: List) -> bool {
        if self.is_too_deep() {
            self.break_off();
            return false;
        }
        if self.probing == 0 {
            self.begin_looking();
            self.forget_met();
        }
        let seat = std::mem::replace(&mut self.probe_seat, self.me);
        // The rules ask how it is, and no player.
        let beyond = std::mem::take(&mut self.beyond);
        let all_seeing = std::mem::replace(&mut self.all_seeing, true);
        // What was written before it is asked still waits for the settle of the real run.
        let written = self.written.len();
        self.written.extend_from_slice(&self.dirty);
        let due = std::mem::take(&mut self.rules_due);
        let all_dirty = self.all_dirty;
        let mark = self.mark();
        self.look_ahead();
        self.call(proc, args, 0);
        // What it would be called with may not be there: then nothing is called.
        let outcome = match self.halt {
            Halt::No => self.explore(),
            Halt::Fail => Outcome::No,
            Halt::Unknown => Outcome::Perhaps,
            Halt::Fault => self.faulty(),
        };
        self.look_back();
        self.undo(mark);
        self.dirty.extend_from_slice(&self.written[written..]);
        self.written.truncate(written);
        self.rules_due = due;
        self.all_dirty = all_dirty;
        (self.probe_seat, self.beyond, self.all_seeing) = (seat, beyond, all_seeing);
        if outcome == Outcome::Perhaps && self.probing > 0 && self.probe_left == 0 {
            self.unknown();
        }
        outcome != Outcome::No
    }
}
