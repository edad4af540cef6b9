//! Work in the background: all scenarios of the game, and many games of bots.

use super::checker::Checked;
use super::worker::{Desk, Waker, Worker};
use crate::bench::{Bench, Case, scenario_files};
use dsl::assembly::Selection;
use dsl::diagnostic::Diagnostic;
use dsl::ir::RuleSet;
use dsl::source::Span;
use interpreter::bots::Bot;
use interpreter::playout::{self, Compared, PlayoutFault, Report, Side, Spec};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

// -------------------------------------------------------------------------------------------------- scenarios

/// A scenario of the game, and what came of it.
#[derive(Clone, Debug)]
pub struct CaseResult {
    pub title: String,
    /// The file, as the source set names it.
    pub file: String,
    /// Its heading.
    pub span: Span,
    /// Overlays it asks for.
    pub with: Vec<String>,
    /// None: it has not been played yet.
    pub case: Option<Case>,
}

/// All scenarios of the texts that were checked last, as far as they have been played.
#[derive(Default)]
pub struct Cases {
    pub results: Vec<CaseResult>,
    /// Of the texts.
    pub version: u64,
    /// What is wrong with the texts of the scenarios.
    pub problems: Vec<Diagnostic>,
}

impl Cases {
    pub fn passed(&self) -> usize {
        self.results
            .iter()
            .filter(|one| one.passed() == Some(true))
            .count()
    }

    pub fn failed(&self) -> usize {
        self.results
            .iter()
            .filter(|one| one.passed() == Some(false))
            .count()
    }
}

impl CaseResult {
    /// None: it has not been played yet.
    pub fn passed(&self) -> Option<bool> {
        self.case.as_ref().map(Case::passed)
    }
}

/// What the thread tells: the list, then each result by its place in it.
pub(super) enum CaseNews {
    List(u64, Vec<CaseResult>, Vec<Diagnostic>),
    Played(u64, usize, Box<Case>),
}

/// Texts whose scenarios are to be played; the one of this title alone, if one is named.
pub(super) struct CaseOrder {
    pub rules: Arc<Checked>,
    pub only: Option<String>,
}

pub(super) type CaseWorker = Worker<CaseOrder, CaseNews>;

pub(super) fn case_worker(waker: Waker) -> CaseWorker {
    Worker::new(waker, |order: CaseOrder, desk: &Desk<CaseNews>| {
        let checked = order.rules;
        let sources = &checked.sources;
        let files = scenario_files(sources, &checked.game);
        let parsed = files
            .iter()
            .map(|file| dsl::syntax::parse::parse(*file, sources.text(*file)));
        let problems = parsed.flat_map(|parsed| parsed.diagnostics).collect();
        let headings = files.into_iter().flat_map(|file| {
            let headings = dsl::headings(sources, file).into_iter();
            headings.map(move |heading| (file, heading))
        });
        let headings: Vec<_> = headings.collect();
        let list = headings.iter().map(|(file, heading)| CaseResult {
            title: heading.title.clone(),
            file: sources.file(*file).path.clone(),
            span: heading.span,
            with: heading.with.clone(),
            case: None,
        });
        if order.only.is_none() {
            desk.send(CaseNews::List(checked.version, list.collect(), problems));
        }
        let mut bench = Bench::new(sources, &checked.game);
        for (at, (file, heading)) in headings.iter().enumerate() {
            if desk.is_stopped() {
                return;
            }
            if order
                .only
                .as_ref()
                .is_some_and(|title| *title != heading.title)
            {
                continue;
            }
            let case = bench.case(*file, heading);
            desk.send(CaseNews::Played(checked.version, at, Box::new(case)));
        }
    })
}

impl Cases {
    /// Takes in what the thread tells; news of older texts are dropped.
    pub(super) fn note(&mut self, news: CaseNews) {
        match news {
            CaseNews::List(version, results, problems) => {
                self.problems = problems;
                self.version = version;
                self.results = results;
            }
            CaseNews::Played(version, at, case) if version == self.version => {
                if let Some(result) = self.results.get_mut(at) {
                    let wrong = case.mistakes.iter().filter(|one| one.code != "failed");
                    let wrong = wrong.filter(|one| !self.problems.contains(one));
                    let wrong: Vec<Diagnostic> = wrong.cloned().collect();
                    self.problems.extend(wrong);
                    result.case = Some(*case);
                }
            }
            CaseNews::Played(..) => {}
        }
    }
}

// -------------------------------------------------------------------------------------------------- simulations

/// Many games of bots.
#[derive(Clone, Debug)]
pub struct Order {
    /// Texts without mistakes.
    pub rules: Arc<Checked>,
    pub players: u32,
    pub games: u64,
    pub seed: u64,
    /// Of the seats in order, over again if there are fewer.
    pub bots: Vec<Bot>,
    pub threads: usize,
    /// Play the same games of the game without overlays too, and compare.
    pub beside_base: bool,
}

/// What came of them.
#[derive(Clone, Debug)]
pub enum Simulated {
    Alone(Box<Report>),
    /// The same games of the game without overlays, first, and both compared.
    Beside(Box<Compared>),
}

impl Simulated {
    /// What came of the rules with all their overlays.
    pub fn report(&self) -> &Report {
        match self {
            Simulated::Alone(report) => report,
            Simulated::Beside(compared) => &compared.second,
        }
    }

    /// What they were compared with.
    pub fn compared(&self) -> Option<&Compared> {
        match self {
            Simulated::Alone(_) => None,
            Simulated::Beside(compared) => Some(compared),
        }
    }
}

/// Why there is nothing to show.
#[derive(Clone, Debug)]
pub enum NotSimulated {
    /// The rules met a mistake in a game; it can be loaded as a replay.
    Fault(Box<PlayoutFault>),
    /// What cannot be run, and why.
    CannotRun(String),
}

/// A simulation that runs, or is done.
pub struct Simulation {
    worker: Worker<Order, Result<Simulated, NotSimulated>>,
    done: Arc<AtomicU64>,
    asked: u64,
    begin: Instant,
    pub result: Option<Result<Simulated, NotSimulated>>,
}

/// How far a simulation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub done: u64,
    pub asked: u64,
    pub elapsed: Duration,
    /// None: that cannot be said yet.
    pub left: Option<Duration>,
}

impl Simulation {
    /// Begins to play in the background.
    pub fn start(order: Order, waker: Waker) -> Simulation {
        let done = Arc::new(AtomicU64::new(0));
        let asked = order.games;
        let counter = done.clone();
        let worker = Worker::new(waker, move |order: Order, desk: &Desk<_>| {
            desk.send(simulate(&order, &counter, desk));
        });
        worker.ask(order);
        Simulation {
            worker,
            done,
            asked,
            begin: Instant::now(),
            result: None,
        }
    }

    /// Takes in the result; whether it has just come.
    pub fn poll(&mut self) -> bool {
        let Some(result) = self.worker.poll() else {
            return false;
        };
        self.result = Some(result);
        true
    }

    pub fn is_running(&self) -> bool {
        self.result.is_none() && self.worker.is_busy()
    }

    /// Ends it early; the result is of the games that were played.
    pub fn cancel(&self) {
        self.worker.cancel();
    }

    pub fn progress(&self) -> Progress {
        let done = self.done.load(Ordering::Relaxed);
        let elapsed = self.begin.elapsed();
        let left = self.asked.saturating_sub(done);
        Progress {
            done,
            asked: self.asked,
            elapsed,
            left: (done > 0).then(|| {
                let millis =
                    elapsed.as_millis().saturating_mul(u128::from(left)) / u128::from(done);
                Duration::from_millis(millis.min(u128::from(u64::MAX)) as u64)
            }),
        }
    }
}

fn simulate(
    order: &Order,
    done: &AtomicU64,
    desk: &Desk<Result<Simulated, NotSimulated>>,
) -> Result<Simulated, NotSimulated> {
    let Some(rules) = order.rules.rules() else {
        return Err(NotSimulated::CannotRun("the rules have mistakes".into()));
    };
    let spec = Spec {
        first: 0,
        games: order.games,
        seed: order.seed,
        bots: order.bots.clone(),
        threads: order.threads,
    };
    let lower = |rules: &RuleSet| {
        let lowered = interpreter::lower(rules, order.players);
        lowered.map_err(|error| NotSimulated::CannotRun(error.message))
    };
    let progress = |_| {
        done.fetch_add(1, Ordering::Relaxed);
    };
    let program = lower(rules)?;
    if !order.beside_base {
        let report = playout::run(
            rules,
            &program,
            &spec,
            &progress,
            desk.stop(),
            &mut |_, _| {},
        );
        return match report {
            Ok(report) => Ok(Simulated::Alone(Box::new(report))),
            Err(fault) => Err(NotSimulated::Fault(Box::new(fault))),
        };
    }
    let base = base_rules(order)?;
    let base_program = lower(&base)?;
    let side = |rules, program| Side { rules, program };
    let sides = (side(&base, &base_program), side(rules, &program));
    let compared = playout::compare(sides.0, sides.1, &spec, &progress, desk.stop());
    match compared {
        Ok(compared) => Ok(Simulated::Beside(Box::new(compared))),
        Err((_, fault)) => Err(NotSimulated::Fault(Box::new(fault))),
    }
}

/// The game without overlays, if it is for so many players.
fn base_rules(order: &Order) -> Result<RuleSet, NotSimulated> {
    let checked = &order.rules;
    let base = dsl::compile(&checked.sources, &checked.game, &Selection::default());
    let why = match base.rules {
        Some(base) if (base.players.0..=base.players.1).contains(&order.players) => {
            return Ok(base);
        }
        Some(_) => format!("is not for {} players", order.players),
        None => "has mistakes".to_owned(),
    };
    let why = format!("the game without overlays {why}");
    Err(NotSimulated::CannotRun(why))
}
