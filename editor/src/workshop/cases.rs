//! All scenarios of the game, played in the background.

use super::checker::Checked;
use super::worker::{Desk, Waker, Worker};
use crate::bench::{Bench, Case, scenario_files};
use dsl::diagnostic::Diagnostic;
use dsl::source::Span;
use std::sync::Arc;

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
