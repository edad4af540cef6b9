//! Decisions: what is offered, looking ahead, answering.

use super::zones::Target;
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
    Fail,
    Unknown,
    Fault,
}

/// How an answer answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AnswerKind {
    #[default]
    /// An element of a choice: `value`.
    Element,
    /// A part of a zone: `words` are its words.
    Part,
    /// Item `value` of a menu.
    Item,
    /// No more, or no.
    Done,
    /// Yes, do it (the body of a `may` that begins without a question).
    Yes,
    /// Anytime action number `value`.
    Anytime,
    /// Entry `value` of an agenda; `words` are body, given, arguments.
    Entry,
    /// Go on after a pause.
    Go,
    /// The step of a walk along arc `value`; `words` are link, next node, side.
    Step,
}

/// An answer on its own, for logs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Answer {
    pub kind: AnswerKind,
    pub value: i32,
    pub words: Vec<i32>,
}

/// An answer whose words lie in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Raw {
    pub kind: AnswerKind,
    pub value: i32,
    /// Run of `part_words`.
    pub start: u32,
    pub len: u32,
}

impl Raw {
    pub fn new(kind: AnswerKind, value: i32) -> Raw {
        Raw {
            kind,
            value,
            start: 0,
            len: 0,
        }
    }
}

/// All answers of a decision, in canonical order; reused without allocation.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    items: Vec<(Raw, bool)>,
    words: Vec<i32>,
}

impl Answers {
    pub fn clear(&mut self) {
        self.items.clear();
        self.words.clear();
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub fn kind(&self, at: usize) -> AnswerKind {
        self.items[at].0.kind
    }

    pub fn value(&self, at: usize) -> i32 {
        self.items[at].0.value
    }

    pub fn words(&self, at: usize) -> &[i32] {
        let raw = self.items[at].0;
        &self.words[raw.start as usize..(raw.start + raw.len) as usize]
    }

    /// Nobody could prove that the player can go on from it: it needs what is not seen yet, or the look-ahead became too large.
    pub fn is_marked(&self, at: usize) -> bool {
        self.items[at].1
    }

    pub fn get(&self, at: usize) -> Answer {
        Answer {
            kind: self.kind(at),
            value: self.value(at),
            words: self.words(at).to_vec(),
        }
    }

    pub fn position(&self, answer: &Answer) -> Option<usize> {
        (0..self.len()).find(|&at| {
            self.kind(at) == answer.kind
                && self.value(at) == answer.value
                && self.words(at) == answer.words
        })
    }

    pub(super) fn raw(&self, at: usize) -> Raw {
        self.items[at].0
    }

    pub(super) fn remove(&mut self, at: usize) {
        self.items.remove(at);
    }

    pub(super) fn swap(&mut self, a: usize, b: usize) {
        self.items.swap(a, b);
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.items.truncate(len);
    }

    pub(super) fn mark(&mut self, at: usize, marked: bool) {
        self.items[at].1 = marked;
    }

    pub(super) fn push(&mut self, raw: Raw, words: &[i32], marked: bool) {
        let start = self.words.len() as u32;
        self.words.extend_from_slice(words);
        self.items.push((
            Raw {
                start,
                len: words.len() as u32,
                ..raw
            },
            marked,
        ));
    }
}

/// An answer that was taken although nobody could prove that it leads on, and the words of the state before it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Marked {
    /// Looking ahead broke off.
    broken_off: bool,
    before: Vec<i32>,
    kind: AnswerKind,
    value: i32,
    words: Vec<i32>,
}

/// Answers that led to a dead end, by the state in which they were taken; kept without allocation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Struck {
    items: Vec<(u64, Raw)>,
    words: Vec<i32>,
}

impl Struck {
    pub fn clear(&mut self) {
        self.items.clear();
        self.words.clear();
    }

    fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    fn push(&mut self, state: u64, marked: &Marked) {
        let raw = Raw {
            kind: marked.kind,
            value: marked.value,
            start: self.words.len() as u32,
            len: marked.words.len() as u32,
        };
        self.words.extend_from_slice(&marked.words);
        self.items.push((state, raw));
    }

    /// Takes what was struck in this state out of the answers.
    fn take_out_of(&self, answers: &mut Answers, state: u64) {
        let run = |raw: &Raw| raw.start as usize..(raw.start + raw.len) as usize;
        let Answers { items, words } = answers;
        items.retain(|(raw, _)| {
            !self.items.iter().any(|(at, other)| {
                *at == state
                    && (other.kind, other.value) == (raw.kind, raw.value)
                    && self.words[run(other)] == words[run(raw)]
            })
        });
    }
}

/// What looking ahead from an answer found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Yes,
    No,
    /// It depends on what is not seen, or it became too much.
    Perhaps,
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

/// Where to put the machine back to.
pub(crate) struct Mark {
    journal: usize,
    pc: usize,
    fp: usize,
    sp: usize,
    top: usize,
    floor: usize,
    me: i32,
    steps: u32,
    cells_sum: u64,
}

/// `visit` gets each candidate; false stops.
type Visit<'a, 'p> = dyn FnMut(&mut Machine<'p>, Raw) -> bool + 'a;

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
        let (drawn, lone) = (std::mem::take(&mut self.answers), self.lone);
        self.find_answers();
        let all = std::mem::replace(&mut self.answers, drawn);
        self.lone = lone;
        if self.halt == Halt::Fault {
            // Who draws lots did not get there.
            self.halt = Halt::No;
            self.fault = None;
            return self.answers.clone();
        }
        all
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

    fn remember_if_marked(&mut self, at: usize) -> Result<(), Fault> {
        if self.answers.is_marked(at) {
            self.remember_marked(at)?;
        }
        Ok(())
    }

    fn do_answer(&mut self, at: usize) {
        self.m[header::ANSWERS] += 1;
        let (raw, _) = self.answers.items[at];
        self.count_item(raw);
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

    #[cold]
    fn remember_marked(&mut self, at: usize) -> Result<(), Fault> {
        self.note_how_much();
        if self.unproved_so_far() == UNPROVED_MAX {
            let span = self.here();
            self.broken(
                span,
                format!(
                    "after {UNPROVED_MAX} answers of this action, one behind the other, looking ahead cannot see that it \
                     can be ended: does a loop never end, or is something free that should cost?"
                ),
            );
            return Err(self.take_fault());
        }
        if self.marked_count == MARKED_MAX {
            // Nobody goes back so far.
            self.marked.rotate_left(1);
            self.marked_count -= 1;
            self.noted.remove(0);
        }
        if self.marked_count == self.marked.len() {
            self.marked.push(Marked::default());
        }
        let mut marked = std::mem::take(&mut self.marked[self.marked_count]);
        marked.broken_off = self.broke_off;
        self.save_words(&mut marked.before);
        marked.kind = self.answers.kind(at);
        marked.value = self.answers.value(at);
        marked.words.clear();
        marked.words.extend_from_slice(self.answers.words(at));
        self.marked[self.marked_count] = marked;
        self.marked_count += 1;
        Ok(())
    }

    /// Answers of this action before which looking ahead broke off.
    pub(super) fn unproved_so_far(&self) -> usize {
        let marked = &self.marked[..self.marked_count];
        marked.iter().filter(|marked| marked.broken_off).count()
    }

    /// An action of the flow is through: nothing before it is taken back.
    pub(crate) fn forget_marked(&mut self) {
        self.marked_count = 0;
        self.struck.clear();
        self.keep_counts();
        self.forget_met();
    }

    /// No answer at a decision: the `if none can be done` of a menu, else a dead end.
    fn no_answer(&mut self) -> Result<(), Fault> {
        if self.none_can_be_done() {
            return Ok(());
        }
        if self.at_moment() {
            self.test_at_moment();
        }
        self.dead_end()
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
    fn none_can_be_done(&mut self) -> bool {
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

    /// Nothing goes on from here: back to the last answer that was offered without proof, which is struck.
    fn dead_end(&mut self) -> Result<(), Fault> {
        let Some(last) = self.marked_count.checked_sub(1) else {
            return Err(self.stuck());
        };
        if self.struck.len() == DEAD_ENDS_MAX {
            let stuck = self.stuck();
            return Err(Fault {
                message: format!(
                    "{DEAD_ENDS_MAX} ways to go on with this action were dead ends, and no other is known; at the last one {}",
                    stuck.message
                ),
                ..stuck
            });
        }
        self.forget_since(last);
        let marked = std::mem::take(&mut self.marked[last]);
        let mut struck = std::mem::take(&mut self.struck);
        let (steps, work) = (self.steps, self.work);
        self.restore_words(&marked.before);
        (self.steps, self.work) = (steps, work);
        struck.push(self.state_hash(), &marked);
        self.marked[last] = marked;
        self.marked_count = last;
        self.struck = struck;
        self.networks.forget();
        Ok(())
    }

    /// A requirement fails where nobody chose anything.
    fn stuck(&mut self) -> Fault {
        let (message, rule) = match self.unmet {
            Some(unmet) => {
                let reason = &self.p.reasons[unmet.reason.at()];
                let rule = matches!(reason.kind, ReasonKind::Rule(_)).then_some(reason.span);
                let brief = self.reason_in_brief(reason);
                let message = match self.halt {
                    Halt::Fail => format!("nothing can be done here: {brief}"),
                    Halt::No | Halt::Unknown | Halt::Fault => format!(
                        "no answer is possible here; the last that was tried leads to this: {brief}"
                    ),
                };
                (message, rule)
            }
            None => ("no answer is possible here".to_owned(), None),
        };
        self.halt = Halt::No;
        Fault {
            span: self.here(),
            message,
            unmet: self.unmet,
            rule,
        }
    }

    fn reason_in_brief(&self, reason: &Reason) -> String {
        match &reason.kind {
            ReasonKind::Range(slot) => {
                format!("`{}` would leave its range", self.p.cells[slot.at()].name)
            }
            ReasonKind::Missing(slot) => {
                format!("`{}` does not hold enough", self.p.cells[slot.at()].name)
            }
            ReasonKind::Full(slot) => format!("`{}` has no room", self.p.cells[slot.at()].name),
            ReasonKind::Need | ReasonKind::Where(_) => "a requirement is not met".into(),
            ReasonKind::Rule(id) => {
                let mut text = match self.p.rules[id.index()].name.as_str() {
                    "" => "an `always` rule would be broken".to_owned(),
                    name => format!("`always {name}` would be broken"),
                };
                if let Some(message) = reason.message {
                    text.push_str(": ");
                    let mut number;
                    for part in &self.p.messages[message as usize] {
                        text.push_str(match part {
                            MessagePart::Text(part) => part,
                            MessagePart::Value(node, dsl::ir::Ty::Int { .. }) => {
                                // Of an option the value is known; of all else it is no more what it was.
                                if let Node::Const(value) = self.p.nodes[node.at()] {
                                    number = value.to_string();
                                    &number
                                } else {
                                    "…"
                                }
                            }
                            MessagePart::Value(..) => "…",
                        });
                    }
                }
                text
            }
            ReasonKind::IsNone => "something that is needed is none".into(),
            ReasonKind::NoAnswer(name) => format!("nothing can be chosen for `{name}`"),
            ReasonKind::NothingPossible => "none of the alternatives can be done".into(),
        }
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
                answers.push(raw, &machine.part_words[words], outcome == Outcome::Perhaps);
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
        }
        self.begin_looking();
        self.answers_are_alike()
    }

    pub(super) fn has_struck(&self) -> bool {
        !self.struck.is_empty()
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

    /// Whether any answer can be gone on from. What is learnt from failures is joined to what was learnt before.
    pub(super) fn any_answer(&mut self) -> Outcome {
        let before = self.learnt;
        self.begin_learning();
        let outcome = self.any_answer_here();
        self.learn(&before);
        outcome
    }

    fn any_answer_here(&mut self) -> Outcome {
        let tried = self.tried;
        let outcome = self.any_answer_of_all();
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
            let broke_off = self.broke_off;
            let outcome = self.try_answers(false, PROBE_FIRST_TRIES);
            self.broke_off = broke_off || self.is_spent();
            if outcome != Outcome::Perhaps {
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
                Outcome::Perhaps => {
                    best = Outcome::Perhaps;
                    machine.learn_nothing();
                }
                Outcome::No => {}
            }
            machine.probe_left = if machine.is_spent() {
                0
            } else {
                machine.probe_left + kept
            };
            best != Outcome::Yes && !alike && machine.halt != Halt::Fault
        });
        // Listing the candidates themselves met something unseen.
        if best == Outcome::No && self.halt == Halt::Unknown {
            best = Outcome::Perhaps;
        }
        best
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
            Op::Choose(choice) | Op::Param { choice, .. } => {
                p.choices[choice as usize].alike && p.anytime.is_empty() && self.callers_are_safe()
            }
            _ => false,
        }
    }

    /// Looks ahead from an answer, unless nothing can fail behind it.
    pub(super) fn outcome(&mut self, raw: Raw) -> Outcome {
        if self.probe_left == 0 {
            self.broke_off = true;
            return Outcome::Perhaps;
        }
        let behind = self.pc_behind(raw);
        if behind.is_some_and(|pc| self.safe_from(pc)) {
            return Outcome::Yes;
        }
        let recall = behind.and_then(|pc| self.recall_at(pc));
        if let Some(outcome) = recall.and_then(|at| self.recall(at)) {
            return outcome;
        }
        if recall.is_none() && self.is_barred(raw) {
            self.rounds.note_refusal();
            return Outcome::No;
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
        if let Some(at) = recall {
            self.keep_recalled(at, outcome);
        }
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
                Stop::Fault => {
                    self.learn_nothing();
                    return Outcome::No;
                }
                Stop::Decision => {
                    if self.me != self.probe_seat {
                        if self.at_moment() && self.others_moment() == Outcome::No {
                            return Outcome::No;
                        }
                        let seat = self.probe_seat;
                        self.test_open_obligations(seat);
                        self.learn_of_obligations();
                        return match self.halt {
                            Halt::No => Outcome::Yes,
                            Halt::Unknown => Outcome::Perhaps,
                            _ => {
                                self.rounds.note_refusal();
                                Outcome::No
                            }
                        };
                    }
                    let hash = self.ahead_hash();
                    if let Some(outcome) = self.met_before(hash) {
                        return outcome;
                    }
                    if self.goes_round(hash) {
                        return Outcome::No;
                    }
                    let round = self.begin_round(hash);
                    let before = std::mem::take(&mut self.learnt);
                    let outcome = self.any_answer();
                    let learnt = self.learnt;
                    self.learn(&before);
                    if outcome == Outcome::No && self.halt != Halt::Fault && self.none_can_be_done()
                    {
                        self.leave_round(round);
                        if passed.again(hash) {
                            self.never_ends();
                        }
                        continue;
                    }
                    if outcome == Outcome::No && self.halt == Halt::No && self.unmet.is_none() {
                        self.note_no_answer();
                    }
                    self.end_round(round, outcome, &learnt);
                    return outcome;
                }
            }
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
        // What was written before it is asked still waits for the settle of the real run.
        let written = self.written.len();
        self.written.extend_from_slice(&self.dirty);
        let due = std::mem::take(&mut self.rules_due);
        let all_dirty = self.all_dirty;
        let mark = self.mark();
        self.look_ahead();
        self.call(proc, args, 0);
        let outcome = self.explore();
        self.look_back();
        self.undo(mark);
        self.dirty.extend_from_slice(&self.written[written..]);
        self.written.truncate(written);
        self.rules_due = due;
        self.all_dirty = all_dirty;
        self.probe_seat = seat;
        if outcome == Outcome::Perhaps && self.probing > 0 && self.probe_left == 0 {
            self.unknown();
        }
        outcome != Outcome::No
    }

    /// The greatest score `seat` can have at the end of what answer `at` begins, or at another seat's decision, as far as
    /// `tries` answers and what may be seen tell. The state stays as it is.
    pub(crate) fn score_behind(&mut self, at: usize, tries: u32) -> Option<i32> {
        let seat = self.me;
        let asked = self.asked;
        self.probe_seat = seat;
        self.probe_left = tries;
        let (raw, _) = self.answers.items[at];
        let start = self.part_words.len();
        let words = std::mem::take(&mut self.answers.words);
        self.part_words
            .extend_from_slice(&words[raw.start as usize..(raw.start + raw.len) as usize]);
        self.answers.words = words;
        let score = self.best_score(
            Raw {
                start: start as u32,
                ..raw
            },
            seat,
        );
        self.part_words.truncate(start);
        self.top = self.sp;
        self.asked = asked;
        score
    }

    fn best_score(&mut self, raw: Raw, seat: i32) -> Option<i32> {
        let mark = self.mark();
        self.look_ahead();
        self.apply(raw);
        let score = if self.halt == Halt::No {
            self.best_score_from_here(seat)
        } else {
            None
        };
        self.look_back();
        self.undo(mark);
        score
    }

    fn best_score_from_here(&mut self, seat: i32) -> Option<i32> {
        loop {
            match self.run() {
                Stop::Done | Stop::Over => break,
                Stop::Fail | Stop::Unknown | Stop::Fault => return None,
                Stop::Decision if self.me != seat || self.probe_left == 0 => break,
                Stop::Decision => {}
            }
            let mut best = None;
            self.offer(&mut |machine, raw| {
                if machine.probe_left > 0 {
                    machine.probe_left -= 1;
                    best = best.max(machine.best_score(raw, seat));
                }
                machine.probe_left > 0 && machine.halt != Halt::Fault
            });
            if best.is_none() && self.none_can_be_done() {
                continue;
            }
            return best;
        }
        let score = self.score_total(seat);
        (self.halt == Halt::No).then_some(score)
    }

    pub(crate) fn mark(&mut self) -> Mark {
        let mark = Mark {
            journal: self.journal.len(),
            pc: self.pc,
            fp: self.fp,
            sp: self.sp,
            top: self.top,
            floor: self.floor,
            me: self.me,
            steps: self.steps,
            cells_sum: self.cells_sum,
        };
        // Temporaries are not in the journal: they must not lie where frames or temporaries live that come back.
        self.floor = self.floor.max(self.top).max(self.sp);
        mark
    }

    pub(crate) fn undo(&mut self, mark: Mark) {
        if self.journal.len() > mark.journal {
            self.writes += 1;
        }
        while self.journal.len() > mark.journal {
            if let Some((at, old)) = self.journal.pop() {
                let at = at as usize;
                self.m[at] = old;
                if self.p.words.get(at).is_some_and(|word| word.touches()) {
                    self.touch(at);
                }
            }
        }
        self.pc = mark.pc;
        self.fp = mark.fp;
        self.sp = mark.sp;
        self.top = mark.top;
        self.floor = mark.floor;
        self.me = mark.me;
        self.steps = mark.steps;
        self.cells_sum = mark.cells_sum;
        self.dirty.clear();
        self.rules_due.clear();
        self.all_dirty = false;
        if self.halt != Halt::Fault {
            self.halt = Halt::No;
        }
    }

    // ---------------------------------------------------------------------------------- candidates

    /// Calls `visit` for every candidate of the decision that passes its own conditions, then for anytime actions.
    pub(crate) fn offer(&mut self, visit: &mut Visit<'_, 'p>) {
        let going = self.offer_own(visit);
        let asked = self.asked;
        if going {
            self.offer_anytime(|_| true, visit);
        }
        self.asked = asked;
    }

    /// Also says which instruction's question it is, in [`Machine::asked`].
    pub(crate) fn offer_own(&mut self, visit: &mut Visit<'_, 'p>) -> bool {
        let pc = self.pc;
        if let Op::May {
            lead, body, end, ..
        } = self.p.code[pc]
        {
            let body = (body as usize, end as usize, lead);
            let (going, asked) = self.offer_may(body, visit);
            let going = going && visit(self, Raw::new(AnswerKind::Done, 0));
            self.asked = asked;
            return going;
        }
        let going = self.offer_here(visit);
        self.asked = pc;
        going
    }

    fn offer_here(&mut self, visit: &mut Visit<'_, 'p>) -> bool {
        let p = self.p;
        match p.code[self.pc] {
            Op::Choose(choice) | Op::Param { choice, .. } => self.offer_choice(choice, visit),
            Op::OneOf(menu) => (0..p.menus[menu as usize].items.len())
                .all(|item| visit(self, Raw::new(AnswerKind::Item, item as i32))),
            Op::AgendaPick { agenda, as_far, .. } => {
                let Some(target) = self.target(agenda) else {
                    return false;
                };
                self.offer_agenda(target, as_far, visit)
            }
            Op::WalkPick { walk, .. } => self.offer_walk(walk, visit),
            Op::Pause(_) => visit(self, Raw::new(AnswerKind::Go, 0)),
            _ => true,
        }
    }

    fn offer_choice(&mut self, choice: u32, visit: &mut Visit<'_, 'p>) -> bool {
        let p = self.p;
        let id = p.choices[choice as usize].binder;
        let binder = &p.binders[id.at()];
        if let Source::Parts(zone) = binder.source {
            return self.offer_parts(id, zone, visit);
        }
        // Kinds that occur twice (in lists, rows, decks) are offered once.
        let ordered = match binder.source {
            Source::Container(node) => {
                matches!(p.shapes[node.at()], Shape::List { .. } | Shape::Row { .. })
            }
            _ => false,
        };
        let seen = self.candidates.len();
        let fp = self.fp;
        let mut met = 0;
        let going = self.scan_noting::<true>(id, |machine, value, _| {
            if ordered {
                if machine.candidates[seen..].contains(&value) {
                    return true;
                }
                machine.candidates.push(value);
            }
            met += 1;
            if met > ANSWERS_MAX && machine.probing == 0 {
                machine.too_many_answers(choice);
                return false;
            }
            let local = fp + binder.local as usize;
            let going = visit(machine, Raw::new(AnswerKind::Element, value));
            machine.m[local] = value;
            going
        });
        self.candidates.truncate(seen);
        going || self.halt == Halt::No
    }

    #[cold]
    fn too_many_answers(&mut self, choice: u32) {
        self.broken(
            self.p.choices[choice as usize].span,
            format!("there are more than {ANSWERS_MAX} answers to choose from: bound them"),
        );
    }

    /// The answers of the first question of a `may` body, or yes where something happens before one is asked.
    fn offer_may(
        &mut self,
        (body, end, lead): (usize, usize, bool),
        visit: &mut Visit<'_, 'p>,
    ) -> (bool, usize) {
        if let Some(stopped) = self.lists_too_deep() {
            return (stopped, self.pc);
        }
        self.offer_may_here((body, end, lead), visit)
    }

    /// Whether a `may` in the midst of others can no longer be listed; what its visitor would have said then.
    fn lists_too_deep(&mut self) -> Option<bool> {
        if self.mays >= MAYS_MAX {
            let span = self.here();
            self.broken(
                span,
                format!("one `may` leads to the next, more than {MAYS_MAX} deep: does an action call itself without end?"),
            );
        } else if self.is_too_deep() {
            self.unproved();
            self.unknown();
        } else {
            return None;
        }
        Some(false)
    }

    fn offer_may_here(
        &mut self,
        (body, end, lead): (usize, usize, bool),
        visit: &mut Visit<'_, 'p>,
    ) -> (bool, usize) {
        let mark = self.mark();
        let start = self.raw_words.len();
        let first = self.raws.len();
        self.look_ahead();
        self.pc = body;
        let written = self.journal.len();
        let stop = self.run();
        let mut question = stop == Stop::Decision
            && self.me == mark.me
            && (lead || self.only_entered(written))
            && self.leads(&mark, end);
        let mut asked = self.pc;
        if question {
            // Candidates are found inside, but tried from the `may` itself, so that they are what the answer will do.
            self.mays += 1;
            self.offer_own(&mut |machine, raw| {
                if raw.kind != AnswerKind::Done {
                    // Who lists parts takes their words away behind the last of them.
                    let at = machine.raw_words.len() as u32;
                    let words = raw.start as usize..(raw.start + raw.len) as usize;
                    let words = &machine.part_words[words];
                    machine.raw_words.extend_from_slice(words);
                    machine.raws.push(Raw { start: at, ..raw });
                }
                true
            });
            self.mays -= 1;
            asked = self.asked;
            // A yes inside would be taken for the yes of this one.
            question = !self.raws[first..]
                .iter()
                .any(|raw| raw.kind == AnswerKind::Yes);
        }
        self.look_back();
        self.undo(mark);
        let mut going = self.halt != Halt::Fault;
        if !question {
            self.raws.truncate(first);
            self.raw_words.truncate(start);
            let pc = self.pc;
            return (going && visit(self, Raw::new(AnswerKind::Yes, 0)), pc);
        }
        let last = self.raws.len();
        for at in first..last {
            let raw = self.raws[at];
            let words = raw.start as usize..(raw.start + raw.len) as usize;
            let start = self.part_words.len();
            let words = &self.raw_words[words];
            self.part_words.extend_from_slice(words);
            going = visit(
                self,
                Raw {
                    start: start as u32,
                    ..raw
                },
            );
            self.part_words.truncate(start);
            if !going {
                break;
            }
        }
        // A `may` around this one has put its own copies on top.
        if self.raws.len() == last {
            self.raw_words.truncate(start);
        }
        self.raws.drain(first..last);
        (going, asked)
    }

    /// Nothing but frames, and cells of steps and actions, was written since.
    fn only_entered(&self, since: usize) -> bool {
        let p = self.p;
        let cells = p.label_cells.iter().chain(&p.action_cells).flatten();
        let fresh = |word: u32| {
            cells.clone().any(|slot| {
                let cell = &p.cells[slot.at()];
                (cell.base..cell.base + cell.words * cell.slots).contains(&word)
            }) || p.label_words.iter().any(|at| *at == word || at + 1 == word)
        };
        self.journal[since..]
            .iter()
            .all(|(word, _)| *word >= p.fixed_words || fresh(*word))
    }

    /// The decision inside a `may` can stand for the `may`: a question, or another `may` that declining leaves in the same way.
    fn leads(&mut self, outer: &Mark, end: usize) -> bool {
        match self.p.code[self.pc] {
            Op::Choose(_) | Op::Param { .. } | Op::OneOf(_) => true,
            Op::May { .. } => {
                let inner = self.mark();
                self.apply(Raw::new(AnswerKind::Done, 0));
                let stop = self.run();
                let within = (stop, self.halt, self.ahead_hash());
                self.undo(inner);
                let inner = self.mark();
                self.pc = end;
                self.fp = outer.fp;
                self.sp = outer.sp;
                self.me = outer.me;
                let stop = self.run();
                let without = (stop, self.halt, self.ahead_hash());
                self.undo(inner);
                matches!(stop, Stop::Decision | Stop::Done | Stop::Over) && within == without
            }
            _ => false,
        }
    }

    fn offer_agenda(&mut self, agenda: Target, as_far: bool, visit: &mut Visit<'_, 'p>) -> bool {
        let going = self.distinct_entries(agenda, |machine, at| {
            let start = machine.part_words.len();
            let words = machine.entry_range(agenda, at);
            machine.part_words.extend_from_slice(&machine.m[words]);
            let raw = Raw {
                kind: AnswerKind::Entry,
                value: at as i32,
                start: start as u32,
                len: (machine.part_words.len() - start) as u32,
            };
            let going = visit(machine, raw);
            machine.part_words.truncate(start);
            going
        });
        if !going {
            return false;
        }
        if !as_far && self.agenda_may_end(agenda) {
            return visit(self, Raw::new(AnswerKind::Done, 0));
        }
        true
    }

    /// Anytime actions that are open, of those that are wanted; false when `visit` said so.
    pub(crate) fn offer_anytime(
        &mut self,
        wanted: impl Fn(u32) -> bool,
        visit: &mut Visit<'_, 'p>,
    ) -> bool {
        let p = self.p;
        let unmet = self.unmet.filter(|_| self.probing > 0);
        let witnesses = self.witnesses.as_ref().map(Vec::len);
        for (at, (_, during, _)) in p.anytime.iter().enumerate() {
            let open = during.is_none_or(|label| {
                self.m[p.label_words[label.index()] as usize + 1] == self.me + 1
            });
            if open
                && wanted(at as u32)
                && !self.anytime_is_running(at)
                && !visit(self, Raw::new(AnswerKind::Anytime, at as i32))
            {
                return false;
            }
        }
        // What they could not mend is the reason, not why they failed themselves.
        if unmet.is_some() {
            self.unmet = unmet;
            if let (Some(found), Some(len)) = (&mut self.witnesses, witnesses) {
                found.truncate(len);
            }
        }
        true
    }

    /// An anytime action is not offered in the middle of itself.
    pub(crate) fn anytime_is_running(&self, at: usize) -> bool {
        let entry = self.p.procs[self.p.anytime[at].0.at()].entry;
        let code = self.p.anytime_ends[at];
        let mut pc = self.pc as u32;
        let mut fp = self.fp;
        loop {
            if (entry..code).contains(&pc) {
                return true;
            }
            if fp == self.p.fixed_words as usize {
                return false;
            }
            pc = self.m[fp + frame::RETURN_PC] as u32;
            fp = self.m[fp + frame::CALLER] as usize;
        }
    }

    // ---------------------------------------------------------------------------------- answering

    /// Does what an answer does at this decision; the machine then stands behind it.
    pub(crate) fn apply(&mut self, raw: Raw) {
        let p = self.p;
        self.set(header::CAUSE, self.me);
        if raw.kind == AnswerKind::Anytime {
            let (proc, ..) = p.anytime[raw.value as usize];
            let return_pc = self.pc;
            self.push_frame(proc, return_pc);
            return;
        }
        match p.code[self.pc] {
            Op::Choose(choice) | Op::Param { choice, .. } => {
                let binder = &p.binders[p.choices[choice as usize].binder.at()];
                let local = self.fp + binder.local as usize;
                if raw.kind == AnswerKind::Part {
                    for at in 0..raw.len as usize {
                        let word = self.part_words[raw.start as usize + at];
                        self.set(local + at, word);
                    }
                } else {
                    // Listing the answers may have left another candidate here.
                    self.m[local] = 0;
                    self.set(local, raw.value);
                }
                self.pc += 1;
            }
            Op::OneOf(menu) => {
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
