//! Worked cases: sets a game up, puts pieces where the case wants them, answers, and looks whether it came out as expected.

mod expect;
mod given;
mod negate;
mod plan;
mod read;
mod readings;
mod setup;

use crate::Program;
use crate::coverage::Coverage;
use crate::lower::lower;
use crate::machine::{Event, Fault, Machine};
use crate::state::State;
use crate::words::Refusal;
use crate::words::Words;
use dsl::ir::{Moment, RuleSet, Scenario, ScenarioStep, ScenarioStepKind};
use dsl::source::{SourceSet, Span};
use readings::Picks;

/// A scenario that was run.
#[derive(Clone, Debug)]
pub struct Report {
    /// None: passed.
    pub failure: Option<Failure>,
    /// What ran and what was refused; counts of a program for `players` players.
    pub coverage: Option<Coverage>,
    /// Number of players.
    pub players: u32,
    /// Where it came to, a state of the rules' program; none if it did not begin.
    pub state: Option<State>,
}

impl Report {
    /// Nothing of what was expected failed.
    pub fn passed(&self) -> bool {
        self.failure.is_none()
    }
}

/// Why a scenario failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The line of the scenario that failed.
    pub span: Span,
    /// What is wrong, for people.
    pub message: String,
    /// Values that were looked at: `A.goods = 9`.
    pub shown: Vec<String>,
    /// For a fault of the rules, its place in them.
    pub at: Option<Span>,
    /// What had happened, oldest first.
    pub log: Vec<String>,
}

/// A line of the log before it is put into words.
#[derive(Clone, Debug)]
enum Line {
    Answer(i32, String),
    Event(Event),
    /// So many of a piece, and from where to where they went.
    Given(i32, String, String),
}

pub use negate::{Negation, negations};

/// Runs a scenario; lowers the rules for its number of players.
pub fn run(rules: &RuleSet, sources: Option<&SourceSet>, scenario: &Scenario) -> Report {
    match lower(rules, scenario.players) {
        Ok(program) => run_on(rules, &program, sources, scenario),
        Err(error) => broken(scenario, scenario.span, error.message),
    }
}

/// Runs a scenario on a program lowered for its number of players.
pub fn run_on(
    rules: &RuleSet,
    program: &Program,
    sources: Option<&SourceSet>,
    scenario: &Scenario,
) -> Report {
    if program.players != scenario.players {
        let message = format!("the rules were prepared for {} players", program.players);
        return broken(scenario, scenario.span, message);
    }
    let mut program = program.clone();
    let plan = match plan::plan(rules, &mut program, scenario) {
        Ok(plan) => plan,
        Err(error) => return broken(scenario, error.span, error.message),
    };
    let stops = scenario
        .before_step
        .as_ref()
        .map(|(label, _)| setup::stops_before(&program, *label));
    let begun = || Run::new(rules, &program, sources, scenario, &plan);
    let run = |picks: &Picks| {
        let mut run = begun();
        let failure = run.steps(stops.as_ref(), picks).err();
        (run, failure)
    };
    let (first, failure) = run(&Picks::new());
    // Answers that resolve themselves may be written or not: where a later answer does not fit, the case may have meant another
    // reading. One in which all answers fit stands, whatever is expected.
    let other = match &failure {
        Some(_) if first.ambiguous => begun().reading(stops.as_ref()),
        _ => None,
    };
    match other.filter(|picks| picks.iter().any(|pick| *pick > 0)) {
        Some(picks) => {
            let (second, failure) = run(&picks);
            second.report(failure)
        }
        None => first.report(failure),
    }
}

fn machine_of(program: &Program) -> Machine<'_> {
    let mut machine = Machine::new(program);
    machine.stops_from = 0;
    machine.set_coverage(true);
    machine
}

fn broken(scenario: &Scenario, span: Span, message: String) -> Report {
    Report {
        failure: Some(Failure {
            span,
            message,
            shown: Vec::new(),
            at: None,
            log: Vec::new(),
        }),
        coverage: None,
        players: scenario.players,
        state: None,
    }
}

/// What stops a scenario.
struct Stopped {
    span: Span,
    message: String,
    shown: Vec<String>,
    at: Option<Span>,
    /// An answer is not offered: why.
    refused: Option<Vec<Refusal>>,
}

impl Stopped {
    fn at(span: Span, message: impl Into<String>) -> Stopped {
        Stopped {
            span,
            message: message.into(),
            shown: Vec::new(),
            at: None,
            refused: None,
        }
    }

    /// One answer follows the other, and nobody has a choice any more.
    fn endless(span: Span) -> Stopped {
        let message = "nobody has a choice any more, one answer follows the other: what holds at a decision on the way is \
                       expected `at some moment`";
        Stopped::at(span, message)
    }
}

/// A decision whose answer is begun.
#[derive(Clone)]
struct Begun {
    decision: i32,
    /// What was answered so far of what is answered at once.
    chosen: Vec<dsl::ir::Answer>,
}

struct Run<'p> {
    words: Words<'p>,
    machine: Machine<'p>,
    scenario: &'p Scenario,
    plan: &'p plan::Plan,
    /// So many readings of the running line that fit are passed over.
    passed_over: u32,
    /// Some answer could be read in two ways.
    ambiguous: bool,
    /// Something was given, and nothing answered since.
    gave: bool,
    /// The decision at which the name of what asks was written alone, or some of what is answered at once: a way must follow.
    open: Option<Begun>,
    /// How deep in bodies the shallowest decision lay at which a line of answers began.
    depth: Option<usize>,
    supply: given::Supply,
    log: Vec<Line>,
}

impl<'p> Run<'p> {
    fn new(
        rules: &'p RuleSet,
        program: &'p Program,
        sources: Option<&'p SourceSet>,
        scenario: &'p Scenario,
        plan: &'p plan::Plan,
    ) -> Run<'p> {
        let words = Words {
            rules,
            program,
            sources,
        };
        Run {
            words,
            machine: machine_of(program),
            scenario,
            plan,
            passed_over: 0,
            ambiguous: false,
            gave: false,
            open: None,
            depth: None,
            supply: given::Supply::default(),
            log: Vec::new(),
        }
    }

    fn report(mut self, failure: Option<Stopped>) -> Report {
        let coverage = Coverage::of(&self.machine);
        let mut state = State::new();
        self.machine.save(&mut state);
        let failure = failure.map(|stopped| Failure {
            span: stopped.span,
            message: stopped.message,
            shown: stopped.shown,
            at: stopped.at,
            log: self.sentences(),
        });
        Report {
            failure,
            coverage,
            players: self.scenario.players,
            state: Some(state),
        }
    }

    fn sentences(&mut self) -> Vec<String> {
        self.note();
        let lines = std::mem::take(&mut self.log);
        lines
            .iter()
            .filter_map(|line| match line {
                Line::Answer(seat, text) => Some(format!("{}: {text}", self.words.seat(*seat))),
                Line::Given(1, piece, way) => Some(format!("given: {piece} goes {way}")),
                Line::Given(count, piece, way) => Some(format!("given: {count} {piece} go {way}")),
                Line::Event(event) => self.words.event(event).map(|text| format!("  {text}")),
            })
            .collect()
    }

    /// Moves what the machine has traced into the log.
    fn note(&mut self) {
        let events = self.machine.take_trace();
        // An answer that was the only one has a line of its own.
        let news = events
            .into_iter()
            .filter(|event| !matches!(event, Event::Resolved { .. }));
        self.log.extend(news.map(Line::Event));
    }

    fn steps(&mut self, stops: Option<&'p Program>, picks: &Picks) -> Result<(), Stopped> {
        self.set_up(stops)?;
        self.machine.set_trace(true);
        let mut picks = picks.iter();
        for (at, step) in self.scenario.steps.iter().enumerate() {
            let is_line = matches!(step.kind, ScenarioStepKind::Answers(_));
            let pick = if is_line { picks.next() } else { None };
            self.step(at, pick.copied().unwrap_or(0))?;
        }
        self.last_is_whole()?;
        self.all_thrown()
    }

    /// `pick`: which reading of a line of answers is meant.
    fn step(&mut self, at: usize, pick: u32) -> Result<(), Stopped> {
        let (scenario, plan) = (self.scenario, self.plan);
        let (step, known) = (&scenario.steps[at], &plan.steps[at]);
        match &step.kind {
            ScenarioStepKind::Given(givens) => {
                if was_looked_at(&scenario.steps[..at]) {
                    self.stand(step.span)?;
                }
                self.gave = true;
                self.give_all(givens, &known.givens)?;
                self.offer_anew(step.span).map(drop)
            }
            ScenarioStepKind::Answers(line) => {
                self.supply.release();
                self.passed_over = pick;
                let read = self.line(line, &known.parts);
                self.passed_over = 0;
                read
            }
            ScenarioStepKind::Expect(moment, what) => {
                self.expect(*moment, what, &known.parts, step.span)
            }
        }
    }

    fn last_is_whole(&mut self) -> Result<(), Stopped> {
        let last = self.scenario.steps.last().map(|step| &step.kind);
        let Some(ScenarioStepKind::Answers(line)) = last else {
            return Ok(());
        };
        let span = line
            .answers
            .last()
            .map_or(self.scenario.span, |answer| answer.span);
        self.tried(span, |run| run.is_whole(line.seat, span))
    }

    /// What chance was to come to has come, when everything has happened that happens by itself.
    fn all_thrown(&mut self) -> Result<(), Stopped> {
        let span = self.scenario.span;
        let mut left = self.machine.throws_left();
        self.tried(span, |run| {
            for _ in 0..expect::RESOLVED_MAX {
                left = run.machine.throws_left();
                if left == 0 || !run.resolves_itself() {
                    return Ok(());
                }
                run.resolve(span)?;
            }
            Ok(())
        })?;
        match left {
            0 => Ok(()),
            left => {
                let message = format!(
                    "chance did not decide so often: {left} of `random = […]` did not come"
                );
                Err(Stopped::at(span, message))
            }
        }
    }

    /// A fault of the rules stops a scenario where it stands.
    fn fault(&self, fault: &Fault, span: Span) -> Stopped {
        let mut message = fault.message.clone();
        if let Some(place) = self.words.place(fault.span) {
            message.push_str(&format!(" ({place})"));
        }
        if self.gave {
            message.push_str(
                "; nothing was answered since the case has given something: look at that first",
            );
        }
        Stopped {
            span,
            at: Some(fault.span),
            ..Stopped::at(span, message)
        }
    }
}

/// What was expected last, before something is given, was about the position that then stood.
fn was_looked_at(before: &[ScenarioStep]) -> bool {
    let expected = before.iter().rev().map_while(|step| match &step.kind {
        ScenarioStepKind::Expect(moment, what) => Some((*moment, what)),
        _ => None,
    });
    expected
        .into_iter()
        .any(|(moment, what)| moment == Moment::Now && !expect::is_of_answers(what))
}
