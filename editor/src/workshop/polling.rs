//! Once a frame: changed texts go to the checker, and what the threads have found comes back.

use super::cases::{CaseOrder, Cases};
use super::checker::Checked;
use super::whole::{News, Workshop};
use crate::bench;
use dsl::diagnostic::Diagnostic;
use std::sync::Arc;
use std::time::Instant;

impl Workshop {
    /// To be called once a frame: hands changed texts to the checker and says what has come back. Takes no time.
    pub fn poll(&mut self) -> Vec<News> {
        let mut news = Vec::new();
        self.shelf.poll();
        let (done, opened) = self.poll_simulation();
        news.extend(done.then_some(News::Simulated));
        if let Some(opened) = opened {
            let loading = opened.and_then(|(game, answers)| self.load(game, "this game", answers));
            news.extend(loading.err().map(News::NotLoaded));
        }
        while let Some(answer) = self.asker.poll() {
            news.push(News::Answered(answer));
        }
        news.extend(self.watch.take_trouble().map(News::Unwatched));
        let Some(open) = &mut self.open else {
            return news;
        };
        open.note_documents();
        if let Some(journal) = &mut self.journal {
            journal.note(&open.id, &open.documents, Instant::now());
        }
        if open.asked != open.version {
            open.asked = open.version;
            self.checker.ask(open.request());
        }
        while let Some(checked) = self.checker.poll() {
            if checked.game != open.id {
                continue;
            }
            // What was checked at once meanwhile is newer.
            if open
                .checked
                .as_ref()
                .is_some_and(|known| known.version > checked.version)
            {
                continue;
            }
            open.take(checked.clone());
            news.push(News::Checked);
            if checked.rules().is_some() {
                self.case_worker.ask(CaseOrder {
                    rules: checked,
                    only: None,
                });
            }
        }
        while let Some(played) = self.case_worker.poll() {
            self.cases.note(played);
            news.push(News::Cases);
        }
        self.poll_playtest(&mut news);
        self.remember_if_due(Instant::now());
        news
    }

    /// Scenarios of the game, with what came of them as far as they have been played.
    pub fn cases(&self) -> &Cases {
        &self.cases
    }

    /// Plays one scenario again, by its place in the list, as soon as none is being played.
    pub fn play_case(&mut self, at: usize) {
        let known = self
            .checked()
            .filter(|one| one.version == self.cases.version);
        let (Some(rules), Some(case)) = (known.cloned(), self.cases.results.get_mut(at)) else {
            return;
        };
        if !self.case_worker.is_busy() {
            let only = Some(case.title.clone());
            case.case = None;
            self.case_worker.ask(CaseOrder { rules, only });
        }
    }

    /// Whether scenarios are being played.
    pub fn is_playing_cases(&self) -> bool {
        self.case_worker.is_busy()
    }

    /// Checks the texts as they are at once, if the checker has not come to them yet.
    pub(super) fn check_now(&mut self) {
        let Some(open) = &mut self.open else { return };
        open.note_documents();
        if open.checked.as_ref().map(|checked| checked.version) != Some(open.version) {
            let checked = Arc::new(Checked::of(open.request()));
            open.take(checked);
        }
    }

    /// Reads again what lies on disk, after files were made here.
    pub(super) fn reread(&mut self) {
        self.project.refresh();
        self.shelf.clear();
        if let Some(open) = &mut self.open {
            open.reread(&self.project.library);
        }
    }

    /// The texts that were checked last.
    pub fn checked(&self) -> Option<&Arc<Checked>> {
        self.open.as_ref()?.checked.as_ref()
    }

    /// The last ones that were without mistakes: what is played.
    pub fn good(&self) -> Option<&Arc<Checked>> {
        self.open.as_ref()?.good.as_ref()
    }

    /// Whether what is played are the rules as they are written now.
    pub fn is_current(&self) -> bool {
        let Some(open) = &self.open else { return false };
        let good = open.good.as_ref().map(|good| good.version);
        good == Some(open.version)
    }

    /// Whether the checker has not come to the texts as they are now.
    pub fn is_checking(&self) -> bool {
        let Some(open) = &self.open else { return false };
        open.checked.as_ref().map(|checked| checked.version) != Some(open.version)
    }

    /// All problems of the texts that were checked last, those of unreadable files too. Warnings only of what is the game's own.
    pub fn problems(&self) -> Vec<Diagnostic> {
        let Some(open) = &self.open else {
            return Vec::new();
        };
        let checked = open.checked.iter().flat_map(|checked| {
            checked.problems().filter(|one| {
                one.is_error()
                    || bench::is_own(&checked.sources, &checked.game, &checked.compiled, one.span)
            })
        });
        let cases = self.cases.problems.iter();
        let cases = cases.filter(|_| self.cases.version == open.version);
        let unreadable = open.loaded.diagnostics.iter();
        unreadable.chain(checked).chain(cases).cloned().collect()
    }
}
