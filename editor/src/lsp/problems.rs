//! All that is wrong with the texts of a game that are edited, with ways to mend it.

use super::position::Lines;
use super::space::{Game, Space};
use crate::bench::{Bench, is_own};
use crate::board::Board;
use crate::files::FILE_BYTES_MAX;
use crate::unlisted::unlisted;
use crate::workshop::checker::Checked;
use dsl::diagnostic::{Diagnostic, Severity};
use dsl::service::{Edit, Fix};
use dsl::source::{FileId, SourceSet, Span};
use lsp_types as lsp;
use std::path::Path;

/// One mistake.
#[derive(Clone, Debug)]
pub struct Problem {
    pub diagnostic: Diagnostic,
    /// Ways to mend it, the likeliest first.
    pub fixes: Vec<Fix>,
}

/// All that is wrong: with the game, with each overlay and language whose text is edited, with worked cases that are
/// edited. They are checked as far as the rules they ask for can be run.
pub fn problems(space: &mut Space, folder: &Path) -> Vec<Problem> {
    let held = space.held(folder);
    let long = space.too_long(folder);
    let Some(game) = space.game(folder) else {
        return Vec::new();
    };
    let mut found = Found::default();
    for file in long.iter().filter_map(|name| game.sources.find(name)) {
        let message = format!(
            "the file is larger than {} MB, and is not read",
            FILE_BYTES_MAX >> 20
        );
        let wrong = Diagnostic::error("file-too-large", Span::new(file, 0, 0), message);
        found.add(wrong.help("split it into several files"), Vec::new());
    }
    if let Some(manifest) = game.manifest() {
        let idle = unlisted(&game.sources, &game.id, &manifest).into_iter();
        for one in idle.filter(|one| held.contains(&game.sources.file(one.span.file).path)) {
            found.add(one, Vec::new());
        }
    }
    let unread = game.loaded.diagnostics.iter().filter(|one| {
        // The editor has it as text.
        let path = &game.sources.file(one.span.file).path;
        !held.contains(path)
    });
    for one in unread {
        found.add(one.clone(), Vec::new());
    }
    let mut worlds: Vec<(Vec<String>, Option<String>)> = vec![(game.overlays_for(""), None)];
    for name in &held {
        let language = language_of(name).filter(|_| !name.ends_with(".scenario"));
        let world = (game.overlays_for(name), language);
        if !worlds.contains(&world) {
            worlds.push(world);
        }
    }
    for (overlays, language) in worlds {
        let checked = game.checked(overlays, language);
        rules(&checked, &mut found);
        board(&checked, &mut found);
    }
    for name in held.iter().filter(|name| name.ends_with(".scenario")) {
        if let Some(file) = game.sources.find(name) {
            cases(game, file, &mut found);
        }
    }
    found.0
}

/// `de` of `game/words/de.toml`.
fn language_of(name: &str) -> Option<String> {
    let (folder, file) = name.rsplit_once('/')?;
    let words = folder.rsplit('/').next() == Some("words");
    let language = file.strip_suffix(".toml")?;
    words.then(|| language.to_owned())
}

#[derive(Default)]
struct Found(Vec<Problem>);

impl Found {
    fn add(&mut self, diagnostic: Diagnostic, fixes: Vec<Fix>) {
        let same = |other: &Problem| {
            let other = &other.diagnostic;
            other.span == diagnostic.span && other.message == diagnostic.message
        };
        if !self.0.iter().any(same) {
            self.0.push(Problem { diagnostic, fixes });
        }
    }

    /// What is found where nobody looks for more than what it brings itself.
    fn add_all(&mut self, sources: &SourceSet, found: impl IntoIterator<Item = Diagnostic>) {
        for diagnostic in found {
            let brought = diagnostic.fix.as_ref().map(|fix| Fix {
                title: fix.title.clone(),
                edits: vec![Edit::at(sources, fix.span, fix.replacement.as_str())],
            });
            self.add(diagnostic, brought.into_iter().collect());
        }
    }
}

fn rules(checked: &Checked, found: &mut Found) {
    let all = checked.diagnostics().iter().zip(&checked.fixes);
    let (sources, game) = (&checked.sources, &checked.game);
    for (one, fixes) in all {
        let of_words = language_of(&sources.file(one.span.file).path).is_some();
        if one.is_error() || of_words || is_own(sources, game, &checked.compiled, one.span) {
            found.add(one.clone(), fixes.clone());
        }
    }
}

/// What shows only where the rules are made ready to run, and what is wrong with the `board.toml`s.
fn board(checked: &Checked, found: &mut Found) {
    let family = checked.manifest().is_none_or(|manifest| manifest.family);
    let Some(rules) = checked.rules().filter(|_| !family) else {
        return;
    };
    match interpreter::lower(rules, rules.players.0) {
        Ok(program) => {
            let made = Board::new(&checked.sources, &checked.compiled, &program);
            if let Some((_, wrong)) = made {
                found.add_all(&checked.sources, wrong);
            }
        }
        Err(error) => {
            let wrong = Diagnostic::error("cannot-run", error.span, error.message);
            found.add(wrong, Vec::new());
        }
    }
}

/// Worked cases are played.
fn cases(game: &Game, file: FileId, found: &mut Found) {
    let sources = &game.sources;
    let parsed = dsl::syntax::parse::parse(file, sources.text(file)).diagnostics;
    found.add_all(sources, parsed);
    let mut bench = Bench::new(sources, &game.id);
    for heading in dsl::headings(sources, file) {
        found.add_all(sources, bench.case(file, &heading).mistakes);
    }
}

/// What is told of rules that lie in no game: nothing else is found in them.
pub fn homeless() -> lsp::Diagnostic {
    lsp::Diagnostic {
        severity: Some(lsp::DiagnosticSeverity::WARNING),
        code: Some(lsp::NumberOrString::String("unlisted-file".to_owned())),
        source: Some("trackwright".to_owned()),
        message: "this file is part of no game, so nothing is checked in it: there is no `game.toml` in a folder above it\nhelp: \
                  `trackwright new game NAME` makes a game; its `game.toml` lists the files of rules"
            .to_owned(),
        ..lsp::Diagnostic::default()
    }
}

/// A mistake as the protocol tells it; none: it stands in no text that has an address.
pub fn told(
    space: &Space,
    folder: &Path,
    sources: &SourceSet,
    one: &Diagnostic,
) -> Option<(lsp::Uri, lsp::Diagnostic)> {
    let place = |span: dsl::source::Span| {
        let file = sources.file(span.file);
        let range = Lines::new(&file.text).range(span.start as usize..span.end as usize);
        Some(lsp::Location::new(space.uri(folder, &file.path)?, range))
    };
    let lsp::Location { uri, range } = place(one.span)?;
    let mut message = one.message.clone();
    if !one.here.is_empty() {
        message += &format!(" ({})", one.here);
    }
    if let Some(help) = &one.help {
        message += &format!("\nhelp: {help}");
    }
    let related = one.labels.iter().filter_map(|label| {
        Some(lsp::DiagnosticRelatedInformation {
            location: place(label.span)?,
            message: label.text.clone(),
        })
    });
    let related: Vec<_> = related.collect();
    let unused = one.code.starts_with("unused");
    let diagnostic = lsp::Diagnostic {
        range,
        severity: Some(match one.severity {
            Severity::Error => lsp::DiagnosticSeverity::ERROR,
            Severity::Warning => lsp::DiagnosticSeverity::WARNING,
            Severity::Note => lsp::DiagnosticSeverity::INFORMATION,
        }),
        code: Some(lsp::NumberOrString::String(one.code.to_owned())),
        source: Some("trackwright".to_owned()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        tags: unused.then(|| vec![lsp::DiagnosticTag::UNNECESSARY]),
        ..lsp::Diagnostic::default()
    };
    Some((uri, diagnostic))
}
