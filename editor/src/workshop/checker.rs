//! Checking in the background: the texts as they are now become a rule set, or problems.

use super::worker::{Desk, Waker, Worker};
use dsl::Compiled;
use dsl::assembly::{Manifest, Selection};
use dsl::diagnostic::Diagnostic;
use dsl::ir::RuleSet;
use dsl::service::{self, Fix};
use dsl::source::SourceSet;
use std::sync::Arc;

/// What is to be checked.
#[derive(Clone, Debug)]
pub struct Request {
    /// Of the texts: comes back with the answer.
    pub version: u64,
    pub sources: SourceSet,
    pub game: String,
    pub selection: Selection,
    /// The overlay that edits go to.
    pub target: Option<String>,
}

/// Texts that were checked, and what came of it.
#[derive(Clone, Debug)]
pub struct Checked {
    pub version: u64,
    pub sources: SourceSet,
    pub game: String,
    pub selection: Selection,
    pub compiled: Compiled,
    /// What is wrong with the `board.toml`s; the rules are played all the same.
    pub board: Vec<Diagnostic>,
    /// Of each of the problems: ways to mend it.
    pub fixes: Vec<Vec<Fix>>,
    /// Without the overlay that edits go to: what its lines start from. None: there is no such overlay, or it has mistakes.
    pub below: Option<RuleSet>,
}

impl Checked {
    /// There if nothing is wrong.
    pub fn rules(&self) -> Option<&RuleSet> {
        self.compiled.rules.as_ref()
    }

    pub fn manifest(&self) -> Option<&Manifest> {
        self.compiled.assembly.as_ref().map(|a| &a.manifest)
    }

    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.compiled.diagnostics
    }

    /// All that is wrong, with the rules and with how they are drawn.
    pub fn problems(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics().iter().chain(&self.board)
    }

    /// Checks at once.
    pub(crate) fn of(request: Request) -> Checked {
        let compiled = dsl::compile(&request.sources, &request.game, &request.selection);
        let board = dsl::board::board(&request.sources, &compiled);
        let mut board = board.map_or_else(Vec::new, |(_, mistakes)| mistakes);
        // A board that nobody wrote has no text to be shown.
        let files = request.sources.ids().count();
        board.retain(|mistake| (mistake.span.file.0 as usize) < files);
        let mut fixes = service::all_fixes(&request.sources, &compiled);
        let own = |mistake: &Diagnostic| service::brought(&request.sources, mistake);
        fixes.extend(
            board
                .iter()
                .map(|mistake| own(mistake).into_iter().collect()),
        );
        let below = request
            .target
            .filter(|target| {
                compiled.rules.is_some() && request.selection.overlays.contains(target)
            })
            .and_then(|target| {
                let mut selection = request.selection.clone();
                selection.overlays.retain(|id| *id != target);
                dsl::compile(&request.sources, &request.game, &selection).rules
            });
        Checked {
            version: request.version,
            board,
            fixes,
            sources: request.sources,
            game: request.game,
            selection: request.selection,
            compiled,
            below,
        }
    }
}

/// The thread that checks.
pub(super) type Checker = Worker<Request, Arc<Checked>>;

pub(super) fn checker(waker: Waker) -> Checker {
    Worker::new(waker, |request: Request, desk: &Desk<Arc<Checked>>| {
        desk.send(Arc::new(Checked::of(request)));
    })
}
