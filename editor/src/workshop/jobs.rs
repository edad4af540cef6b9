//! Work in the background: all scenarios of the game, and many games of bots.

use super::checker::Checked;
use super::worker::{Desk, Waker, Worker};
use crate::bench::{Bench, Case, scenario_files};
use dsl::assembly::Selection;
use dsl::diagnostic::Diagnostic;
use dsl::source::Span;
use interpreter::bots::Bot;
use interpreter::playout::{self, Comparison, PlayoutFault, Report, Spec};
use interpreter::stats::Distribution;
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
pub struct Simulated {
    pub report: Report,
    /// The same seeds without overlays, and both compared.
    pub base: Option<(Report, Comparison)>,
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
    /// Games in all, those of the base included.
    pub asked: u64,
    pub elapsed: Duration,
    /// None: that cannot be said yet.
    pub left: Option<Duration>,
}

impl Simulation {
    /// Begins to play in the background.
    pub fn start(order: Order, waker: Waker) -> Simulation {
        let done = Arc::new(AtomicU64::new(0));
        let asked = order.games * if order.beside_base { 2 } else { 1 };
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
        games: order.games,
        seed: order.seed,
        bots: order.bots.clone(),
        threads: order.threads,
    };
    let play = |rules: &dsl::ir::RuleSet| {
        let program = interpreter::lower(rules, order.players)
            .map_err(|error| NotSimulated::CannotRun(error.message))?;
        let progress = |_| {
            done.fetch_add(1, Ordering::Relaxed);
        };
        playout::run(rules, &program, &spec, &progress, desk.stop())
            .map_err(|fault| NotSimulated::Fault(Box::new(fault)))
    };
    let report = play(rules)?;
    if !order.beside_base {
        return Ok(Simulated { report, base: None });
    }
    let checked = &order.rules;
    let base = dsl::compile(&checked.sources, &checked.game, &Selection::default());
    let Some(base) = base.rules else {
        return Err(NotSimulated::CannotRun(
            "the game without overlays has mistakes".into(),
        ));
    };
    if !(base.players.0..=base.players.1).contains(&order.players) {
        let why = format!(
            "the game without overlays is not for {} players",
            order.players
        );
        return Err(NotSimulated::CannotRun(why));
    }
    let base = play(&base)?;
    let comparison = playout::compare(&base, &report);
    Ok(Simulated {
        report,
        base: Some((base, comparison)),
    })
}

/// A bar of a histogram: values from `low` to `high`, and how often they were seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    pub low: i64,
    pub high: i64,
    pub count: u64,
}

/// Values in at most so many bars of equal width, gaps included.
pub fn histogram(values: &Distribution, bars: u32) -> Vec<Bar> {
    if values.is_empty() || bars == 0 {
        return Vec::new();
    }
    let (low, high) = (values.min(), values.max());
    let width = ((high - low + 1) as u64).div_ceil(u64::from(bars)).max(1) as i64;
    let count = (high - low) / width + 1;
    let mut all: Vec<Bar> = (0..count)
        .map(|at| Bar {
            low: low + at * width,
            high: low + (at + 1) * width - 1,
            count: 0,
        })
        .collect();
    for (value, times) in values.counts() {
        all[((value - low) / width) as usize].count += times;
    }
    all
}
