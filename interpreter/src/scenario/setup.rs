//! The set-up, and the moment at which a case begins.

use super::read::Row;
use super::{Run, Stopped};
use crate::Program;
use crate::bounds::SET_UP_ANSWERS_MAX;
use crate::machine::{AnswerKind, Machine, Stop};
use crate::program::*;
use crate::state::State;
use dsl::ir::{Expectation, Given, ScenarioStep, ScenarioStepKind};
use dsl::source::Span;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::collections::VecDeque;

/// Something of `before setup` that waits for a decision of its seat.
struct Early {
    step: usize,
    /// None: of whoever is asked.
    seat: Option<u32>,
    /// None: something expected or given.
    row: Option<Row>,
}

/// A program that stands still where a step begins.
pub(super) fn stops_before(program: &Program, label: dsl::ir::LabelId) -> Program {
    let mut stops = program.clone();
    for op in &mut stops.code {
        if matches!(op, Op::EnterStep { label: begun, .. } if *begun == label) {
            *op = Op::Pause(0);
        }
    }
    stops
}

impl<'p> Run<'p> {
    pub(super) fn set_up(&mut self, stops: Option<&'p Program>) -> Result<(), Stopped> {
        if let Some(stops) = stops {
            self.machine = super::machine_of(stops);
        }
        self.machine.begin_unfed(self.scenario.seed);
        self.supply = super::given::Supply::new(&self.words, &self.machine);
        self.a_moves_first();
        let scenario = self.scenario;
        let mut queue: VecDeque<Early> = VecDeque::new();
        for (at, step) in scenario.before_setup.iter().enumerate() {
            match &step.kind {
                ScenarioStepKind::Given(givens) if queue.is_empty() => {
                    self.give_early(at, givens)?;
                }
                ScenarioStepKind::Answers(given) => {
                    let rows = given.answers.iter().map(|answer| Early {
                        step: at,
                        seat: given.seat,
                        row: Some(Row::of(std::slice::from_ref(answer))),
                    });
                    queue.extend(rows);
                }
                kind => queue.push_back(Early {
                    step: at,
                    seat: seat_of(kind),
                    row: None,
                }),
            }
        }
        self.machine.feed();
        self.supply.release();
        let span = scenario.span;
        let stop = self.machine.go_on();
        let mut stop = stop.map_err(|fault| self.fault(&fault, span))?;
        let mut rng = ChaCha8Rng::seed_from_u64(scenario.seed);
        let mut stands;
        let mut left = SET_UP_ANSWERS_MAX;
        loop {
            stands = self.stands_at_step();
            if stop != Stop::Decision || stands || !self.is_setting_up(stops.is_some()) {
                break;
            }
            if left == 0 {
                let message =
                    format!("the set-up is not through after {SET_UP_ANSWERS_MAX} answers");
                return Err(Stopped::at(span, message));
            }
            left -= 1;
            self.look_in_set_up(&mut queue)?;
            stop = self.answer_set_up(&mut queue, &mut rng, span)?;
        }
        if let Some(early) = queue.front() {
            let span = scenario.before_setup[early.step].span;
            return Err(Stopped::at(span, "this was not asked in the set-up"));
        }
        match &scenario.before_step {
            Some((_, steps)) if stands => self.before_step(steps),
            Some((label, _)) => {
                let name = &self.words.rules.labels[label.index()].name;
                let message = format!("`{name}` does not begin before somebody is asked");
                Err(Stopped::at(span, message))
            }
            None => Ok(()),
        }
    }

    /// A decision of the set-up; or one that resolves itself on the way to the step that was chosen.
    fn is_setting_up(&self, awaits_step: bool) -> bool {
        let labels = self.words.rules.labels.iter();
        let mut words = labels.zip(&self.words.program.label_words);
        let set_up =
            words.any(|(label, word)| label.name == "setup" && self.machine.word(word + 1) != 0);
        set_up || awaits_step && self.machine.answers().len() <= 1
    }

    fn stands_at_step(&self) -> bool {
        let (pc, _) = self.machine.position();
        let begins = matches!(self.words.program.code[pc], Op::EnterStep { .. });
        begins && matches!(self.machine.program().code[pc], Op::Pause(_))
    }

    /// At the moment before a step begins: what is given and expected there.
    fn before_step(&mut self, steps: &'p [ScenarioStep]) -> Result<(), Stopped> {
        let mut state = State::default();
        self.machine.save(&mut state);
        let fate = std::mem::take(&mut self.machine.fate);
        self.machine = super::machine_of(self.words.program);
        self.machine.fate = fate;
        self.machine.restore(&state);
        for (at, step) in steps.iter().enumerate() {
            let plan = self.plan;
            match &step.kind {
                ScenarioStepKind::Given(givens) => {
                    self.give_all(givens, &plan.before_step[at].givens)?;
                }
                ScenarioStepKind::Expect(_, Expectation::Holds(_)) => {
                    self.parts_hold(&plan.before_step[at].parts)?;
                }
                ScenarioStepKind::Expect(..) | ScenarioStepKind::Answers(_) => {
                    return Err(Stopped::at(step.span, "nobody is asked at this moment"));
                }
            }
        }
        self.offer_anew(self.scenario.span).map(drop)
    }

    pub(super) fn give_all(
        &mut self,
        givens: &[Given],
        known: &[super::plan::GivenCode],
    ) -> Result<(), Stopped> {
        let frame = self.plan.frame_words;
        let before = self.machine.in_frame(frame, Machine::positions);
        for (given, known) in givens.iter().zip(known) {
            self.give(given, known)?;
        }
        let count = |machine: &mut Machine<'_>| machine.count_set_positions(&before);
        self.machine.in_frame(frame, count);
        Ok(())
    }

    fn give_early(&mut self, step: usize, givens: &[Given]) -> Result<(), Stopped> {
        let plan = self.plan;
        self.give_all(givens, &plan.before[step].givens)
    }

    /// What is expected or given at this decision of the set-up, before it is answered.
    fn look_in_set_up(&mut self, queue: &mut VecDeque<Early>) -> Result<(), Stopped> {
        let (scenario, plan) = (self.scenario, self.plan);
        loop {
            let seat = self.machine.seat();
            let mut mine = queue.iter();
            let next = mine.position(|early| early.seat.is_none_or(|of| of == seat));
            let Some(next) = next.filter(|at| queue[*at].seat.is_some() || *at == 0) else {
                return Ok(());
            };
            if queue[next].row.is_some() {
                return Ok(());
            }
            let Some(early) = queue.remove(next) else {
                return Ok(());
            };
            let step = &scenario.before_setup[early.step];
            match &step.kind {
                ScenarioStepKind::Given(givens) => {
                    self.give_early(early.step, givens)?;
                    self.offer_anew(step.span)?;
                }
                ScenarioStepKind::Expect(moment, what) => {
                    self.expect(*moment, what, &plan.before[early.step].parts, step.span)?;
                }
                ScenarioStepKind::Answers(_) => {}
            }
        }
    }

    fn answer_set_up(
        &mut self,
        queue: &mut VecDeque<Early>,
        rng: &mut ChaCha8Rng,
        span: Span,
    ) -> Result<Stop, Stopped> {
        let seat = self.machine.seat();
        let mut waiting = queue.iter();
        let next =
            waiting.position(|early| early.row.is_some() && early.seat.is_none_or(|of| of == seat));
        let count = self.machine.answers().len();
        if let Some(next) = next
            && let Some(row) = queue[next].row.clone()
        {
            match self.read(&row) {
                Ok((Some(at), left)) => {
                    if left.is_done() {
                        queue.remove(next);
                    } else {
                        queue[next].row = Some(left);
                    }
                    return self.take(at, span);
                }
                Ok((None, _)) => {
                    return Err(Stopped::at(
                        row.span(span),
                        "the name alone does not answer",
                    ));
                }
                Err(row) if count > 1 => return Err(self.cannot(seat, &row).1),
                Err(_) => {}
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
}

/// Whose decision something in `before setup` waits for.
fn seat_of(kind: &ScenarioStepKind) -> Option<u32> {
    match kind {
        ScenarioStepKind::Expect(_, Expectation::Offered(seat, _)) => Some(*seat),
        ScenarioStepKind::Expect(_, Expectation::Refused { seat, .. }) => Some(*seat),
        _ => None,
    }
}
