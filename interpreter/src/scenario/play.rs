//! Set-up and answers.

use super::{Line, Reading, Run, Stopped};
use crate::explain::why_not;
use crate::machine::{AnswerKind, Machine, Stop};
use crate::program::*;
use crate::state::State;
use crate::words::{Matched, Refusal, print};
use dsl::ir::{Answer, ScenarioStepKind};
use dsl::source::Span;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::collections::VecDeque;

/// Decisions a set-up may ask.
const SETUP_MAX: usize = 10_000;
/// Decisions in a row that resolve themselves.
const RESOLVED_MAX: usize = 1_000;
/// Readings of one line that are tried.
const READINGS_MAX: u32 = 64;

/// Something of `before setup` that waits for a decision of its seat.
struct Early {
    step: usize,
    /// None: of whoever is asked.
    seat: Option<u32>,
    /// None: something expected or given.
    answer: Option<Answer>,
}

/// Where a line of answers stands.
#[derive(Clone)]
struct Line_ {
    queue: VecDeque<Answer>,
    /// Whole answers of the line that are done.
    done: usize,
}

impl Run<'_> {
    // ---------------------------------------------------------------------------------------------- set-up

    pub(super) fn set_up(&mut self) -> Result<(), Stopped> {
        self.machine.begin_unfed(self.scenario.seed);
        self.supply = super::given::Supply::new(&self.words, &self.machine);
        self.a_moves_first();
        let before = &self.scenario.before_setup;
        let mut queue: VecDeque<Early> = VecDeque::new();
        for (at, step) in before.iter().enumerate() {
            match &step.kind {
                ScenarioStepKind::Given(givens) if queue.is_empty() => {
                    self.give_all(at, givens)?;
                }
                ScenarioStepKind::Answers(seat, answers) => {
                    queue.extend(answers.iter().map(|answer| Early {
                        step: at,
                        seat: Some(*seat),
                        answer: Some(answer.clone()),
                    }));
                }
                ScenarioStepKind::ExpectNot { seat, .. } => queue.push_back(Early {
                    step: at,
                    seat: Some(*seat),
                    answer: None,
                }),
                _ => queue.push_back(Early {
                    step: at,
                    seat: None,
                    answer: None,
                }),
            }
        }
        self.machine.feed();
        self.supply.release();
        let span = self.scenario.span;
        let stop = self.machine.go_on();
        let mut stop = stop.map_err(|fault| self.fault(&fault, span))?;
        let mut rng = ChaCha8Rng::seed_from_u64(self.scenario.seed);
        for _ in 0..SETUP_MAX {
            if stop != Stop::Decision || !self.in_set_up() {
                break;
            }
            self.look_in_set_up(&mut queue)?;
            stop = self.answer_set_up(&mut queue, &mut rng, span)?;
        }
        match queue.front() {
            Some(early) => {
                let span = before[early.step].span;
                Err(Stopped::at(span, "this was not asked in the set-up"))
            }
            None => Ok(()),
        }
    }

    fn give_all(&mut self, step: usize, givens: &[dsl::ir::Given]) -> Result<(), Stopped> {
        for (which, given) in givens.iter().enumerate() {
            let known = self.plan.before[step].givens[which];
            self.give(given, &known)?;
        }
        Ok(())
    }

    /// What is expected or given at this decision of the set-up, before it is answered.
    fn look_in_set_up(&mut self, queue: &mut VecDeque<Early>) -> Result<(), Stopped> {
        let scenario = self.scenario;
        loop {
            let seat = self.machine.seat();
            let mut mine = queue.iter();
            let next = mine.position(|early| early.seat.is_none_or(|of| of == seat));
            let Some(next) = next.filter(|at| queue[*at].seat.is_some() || *at == 0) else {
                return Ok(());
            };
            if queue[next].answer.is_some() {
                return Ok(());
            }
            let Some(early) = queue.remove(next) else {
                return Ok(());
            };
            let step = &scenario.before_setup[early.step];
            match &step.kind {
                ScenarioStepKind::Given(givens) => {
                    self.give_all(early.step, givens)?;
                    self.offer_anew(step.span)?;
                }
                ScenarioStepKind::Expect(_) => {
                    let parts = &self.plan.before[early.step].parts;
                    self.expect(parts, step.span)?;
                }
                ScenarioStepKind::ExpectNot {
                    seat,
                    answer,
                    because,
                } => self.expect_not(*seat, answer, because.as_ref(), step.span)?,
                ScenarioStepKind::ExpectChoices(answers) => {
                    self.expect_choices(answers, step.span)?;
                }
                ScenarioStepKind::Answers(..) => {}
            }
        }
    }

    fn in_set_up(&self) -> bool {
        let labels = self.words.rules.labels.iter();
        let mut words = labels.zip(&self.words.program.label_words);
        words.any(|(label, word)| label.name == "setup" && self.machine.word(word + 1) != 0)
    }

    fn answer_set_up(
        &mut self,
        queue: &mut VecDeque<Early>,
        rng: &mut ChaCha8Rng,
        span: Span,
    ) -> Result<Stop, Stopped> {
        let seat = self.machine.seat();
        let next = queue.iter().position(|early| early.seat == Some(seat));
        let count = self.machine.answers().len();
        if let Some(next) = next
            && let Some(written) = queue[next].answer.clone()
        {
            if let Some((at, matched)) = self.offered(&written) {
                let step = queue[next].step;
                queue.remove(next);
                if let Matched::Head(args) = matched {
                    for (offset, arg) in args.into_iter().enumerate() {
                        let early = Early {
                            step,
                            seat: Some(seat),
                            answer: Some(arg),
                        };
                        queue.insert(next + offset, early);
                    }
                }
                return self.take(at, span);
            }
            if count > 1 {
                return Err(self.cannot(seat, &written).1);
            }
        }
        if count <= 1 {
            return self.resolve(span);
        }
        // Nobody does without need what may be done at any time.
        let answers = self.machine.answers();
        let own: Vec<usize> = (0..count)
            .filter(|at| answers.kind(*at) != AnswerKind::Anytime)
            .collect();
        let at = match own.len() {
            0 => Machine::below(rng, count as u32) as usize,
            n => own[Machine::below(rng, n as u32) as usize],
        };
        self.take(at, span)
    }

    /// The start player, if chance decides it, is A.
    fn a_moves_first(&mut self) {
        let program = self.words.program;
        for op in &program.code {
            if let Op::SetStarter(node) = op
                && let Node::Random(_, stream) = program.nodes[node.at()]
            {
                self.machine.fix_chance(stream, vec![vec![0]]);
            }
        }
    }

    // ---------------------------------------------------------------------------------------------- answers

    pub(super) fn answers(&mut self, seat: u32, answers: &[Answer]) -> Result<(), Stopped> {
        let line = Line_ {
            queue: answers.iter().cloned().collect(),
            done: 0,
        };
        let mut left = READINGS_MAX;
        match self.play(seat, line, &mut left) {
            Ok(()) => Ok(()),
            Err((_, stopped)) => Err(stopped),
        }
    }

    /// Plays a line; on failure says how far it came.
    fn play(&mut self, seat: u32, mut line: Line_, left: &mut u32) -> Result<(), (usize, Stopped)> {
        // Where an answer that was the only one was not meant, but something of its kind.
        let mut skipped: Option<(usize, Stopped)> = None;
        for _ in 0..RESOLVED_MAX {
            let Some(written) = line.queue.front().cloned() else {
                return Ok(());
            };
            let span = written.span;
            let failed = |stopped| (line.done, stopped);
            if self.machine.is_over() {
                let message = format!("the game is over: `{}` is not asked", print(&written));
                return Err(failed(Stopped::at(span, message)));
            }
            let count = self.machine.answers().len();
            if self.machine.seat() != seat {
                if count > 1 {
                    let asked = self.words.seat(self.machine.seat() as i32);
                    let message = format!(
                        "{asked} is asked, not {}: `{}`",
                        self.words.seat(seat as i32),
                        print(&written)
                    );
                    return Err(failed(Stopped::at(span, message)));
                }
                self.resolve(span).map_err(failed)?;
                continue;
            }
            match self.offered(&written) {
                Some((at, matched)) => {
                    let mut next = line.clone();
                    next.queue.pop_front();
                    next.done += 1;
                    if let Matched::Head(args) = matched {
                        for arg in args.into_iter().rev() {
                            next.queue.push_front(arg);
                        }
                    }
                    if count > 1 || *left == 0 {
                        self.take(at, span).map_err(failed)?;
                        line = next;
                        continue;
                    }
                    return self.two_readings(seat, (line, next), Some(at), left);
                }
                None => {
                    if let Some(args) = self.words.names_asker(&self.machine, &written) {
                        let mut named = line.clone();
                        named.queue.pop_front();
                        args.into_iter()
                            .rev()
                            .for_each(|arg| named.queue.push_front(arg));
                        if count > 1 || *left == 0 {
                            line = named;
                            continue;
                        }
                        return self.two_readings(seat, (line, named), None, left);
                    }
                    if count > 1 {
                        // Where it was refused first is where it was meant.
                        return Err(failed(match skipped {
                            Some((at, first)) if at == line.done => first,
                            _ => self.cannot(seat, &written).1,
                        }));
                    }
                    let refused = self.resolve_unless_refused(seat, &written);
                    let (meant, refused) = refused.map_err(failed)?;
                    if meant && skipped.as_ref().is_none_or(|(at, _)| *at != line.done) {
                        skipped = Some((line.done, refused));
                    }
                }
            }
        }
        let span = line.queue.front().map_or(self.scenario.span, |a| a.span);
        Err((
            line.done,
            Stopped::at(span, "too many decisions resolve themselves"),
        ))
    }

    /// The one answer there is, or what asks for it, is written: it may be meant, or it may resolve itself and a later one
    /// be meant.
    fn two_readings(
        &mut self,
        seat: u32,
        (left_out, written): (Line_, Line_),
        at: Option<usize>,
        left: &mut u32,
    ) -> Result<(), (usize, Stopped)> {
        let span = left_out
            .queue
            .front()
            .map_or(self.scenario.span, |a| a.span);
        *left -= 1;
        let mut state = State::default();
        self.note();
        let log = self.log.len();
        self.machine.save(&mut state);
        let written_first = self.reading == Reading::Written;
        let lines = [written, left_out];
        let order = if written_first { [0, 1] } else { [1, 0] };
        let mut failure = None;
        for (attempt, which) in order.into_iter().enumerate() {
            if attempt > 0 {
                self.note();
                self.log.truncate(log);
                let loaded = self.machine.load(&state);
                loaded.map_err(|fault| (0, self.fault(&fault, span)))?;
            }
            let line = lines[which].clone();
            let done = line.done;
            let taken = match (which, at) {
                (0, Some(at)) => self.take(at, span).map(drop),
                (0, None) => Ok(()),
                _ => self.resolve(span).map(drop),
            };
            let result = match taken {
                Ok(()) => self.play(seat, line, left),
                Err(stopped) => Err((done, stopped)),
            };
            match result {
                Ok(()) => {
                    self.ambiguous = true;
                    return Ok(());
                }
                Err(new) => {
                    let further = failure
                        .as_ref()
                        .is_none_or(|(old, _): &(usize, Stopped)| new.0 > *old);
                    if further {
                        failure = Some(new);
                    }
                }
            }
        }
        match failure {
            Some(failure) => Err(failure),
            None => Ok(()),
        }
    }

    /// One answer, another one is written: it resolves itself, unless nobody could then mean what is written.
    /// Gives back why what is written was refused here, as [`Run::cannot`].
    fn resolve_unless_refused(
        &mut self,
        seat: u32,
        written: &Answer,
    ) -> Result<(bool, Stopped), Stopped> {
        let refused = self.cannot(seat, written);
        let before = self.machine.seat();
        self.resolve(written.span)?;
        let others = self.machine.is_over() || self.machine.seat() != before;
        if others && self.machine.answers().len() != 1 {
            return Err(refused.1);
        }
        Ok(refused)
    }

    /// The first answer offered that something written means.
    pub(super) fn offered(&self, written: &Answer) -> Option<(usize, Matched)> {
        let answers = self.machine.answers();
        let mut matches = (0..answers.len()).filter_map(|at| {
            let matched = self
                .words
                .matches(&self.machine, &answers.get(at), written)?;
            Some((at, matched))
        });
        let first = matches.next()?;
        if first.1 == Matched::Whole {
            return Some(first);
        }
        Some(matches.find(|m| m.1 == Matched::Whole).unwrap_or(first))
    }

    pub(super) fn take(&mut self, at: usize, span: Span) -> Result<Stop, Stopped> {
        self.note_answer(at);
        let stop = self.machine.answer(at);
        stop.map_err(|fault| self.fault(&fault, span))
    }

    fn note_answer(&mut self, at: usize) {
        self.note();
        let answer = self.machine.answers().get(at);
        let text = self.words.answer(&self.machine, &answer);
        self.log
            .push(Line::Answer(self.machine.seat() as i32, text));
    }

    /// Goes on where there is one answer or none.
    pub(super) fn resolve(&mut self, span: Span) -> Result<Stop, Stopped> {
        if self.machine.answers().len() == 1 {
            self.note_answer(0);
        }
        let stop = self.machine.resolve_held();
        stop.map_err(|fault| self.fault(&fault, span))
    }

    /// "A cannot answer `x`: reasons", and whether it could be meant where the game stands.
    fn cannot(&mut self, seat: u32, written: &Answer) -> (bool, Stopped) {
        let offered = self.words.answers(&self.machine);
        let reasons = why_not(&self.words, &mut self.machine, written);
        let meant = reasons.iter().any(Refusal::is_meant);
        let text: Vec<String> = reasons
            .iter()
            .take(3)
            .map(|reason| self.words.full(reason))
            .collect();
        let message = format!(
            "{} cannot answer `{}`: {}",
            self.words.seat(seat as i32),
            print(written),
            if text.is_empty() {
                "it is not offered".to_owned()
            } else {
                text.join("; ")
            }
        );
        let stopped = Stopped {
            shown: vec![format!("offered: {}", offered.join(", "))],
            ..Stopped::at(written.span, message)
        };
        (meant, stopped)
    }
}
