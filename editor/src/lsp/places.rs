//! Where something is declared and used, and changes of texts: other names, mended mistakes, what goes into a variant.

use super::position::Lines;
use super::problems::{Problem, told};
use super::space::{Here, Space};
use crate::workshop::language::sentence;
use crate::workshop::project::Project;
use crate::workshop::questions::with_relatives;
use dsl::service::{self, Edit};
use dsl::source::{SourceSet, Span};
use lsp_types as lsp;
use std::collections::BTreeMap;
use std::path::Path;

/// Places of texts as the protocol tells them.
fn locations(
    space: &Space,
    folder: &Path,
    sources: &SourceSet,
    spans: impl IntoIterator<Item = Span>,
) -> Vec<lsp::Location> {
    let spans = spans.into_iter();
    let told = spans.filter_map(|span| {
        let file = sources.file(span.file);
        let range = span.start as usize..span.end as usize;
        let uri = space.uri(folder, &file.path)?;
        Some(lsp::Location::new(uri, Lines::new(&file.text).range(range)))
    });
    told.collect()
}

/// The declaration of what stands at a place, and what each layer did to it.
pub fn definition(space: &Space, here: &Here) -> Vec<lsp::Location> {
    let (sources, compiled) = (&here.checked.sources, &here.checked.compiled);
    let targets = service::definition(sources, compiled, here.file, here.at);
    let spans = targets.into_iter().map(|target| target.span);
    locations(space, &here.folder, sources, spans)
}

/// All places that name it, in all games that share texts.
pub fn references(space: &mut Space, here: &Here) -> Vec<lsp::Location> {
    let sources = all_texts(space, here);
    let spans = service::references(&sources, &here.checked.compiled, here.file, here.at);
    locations(space, &here.folder, &sources, spans)
}

/// The word that a rename would change.
pub fn renamed(here: &Here) -> Option<lsp::Range> {
    let (sources, compiled) = (&here.checked.sources, &here.checked.compiled);
    let (span, _) = service::symbol_at(sources, compiled, here.file, here.at)?;
    let lines = Lines::new(sources.text(here.file));
    Some(lines.range(span.start as usize..span.end as usize))
}

/// Gives what stands at a place another name, in all games that share texts.
///
/// # Errors
/// Why it cannot have that name.
pub fn rename(space: &mut Space, here: &Here, new: &str) -> Result<lsp::WorkspaceEdit, String> {
    let sources = all_texts(space, here);
    let compiled = &here.checked.compiled;
    let edits = service::rename(&sources, compiled, here.file, here.at, new)?;
    Ok(changes(space, &here.folder, &sources, edits))
}

/// The texts that a question about a word looks at.
fn all_texts(space: &mut Space, here: &Here) -> SourceSet {
    let Some(game) = space.game(&here.folder) else {
        return here.checked.sources.clone();
    };
    let library = game.library.clone();
    let relatives = Project::open(library.clone()).relatives(&here.checked.game);
    let documents = space.documents.values();
    let edited = documents.filter_map(|document| {
        let home = document.home.as_ref()?;
        let id = home.name.split('/').next()?;
        let same = library.folder_of(id)? == home.folder;
        same.then_some((home.name.as_str(), document.text.as_str()))
    });
    with_relatives(&here.checked, &library, &relatives, edited)
}

/// Changes of texts as the protocol tells them.
fn changes(
    space: &Space,
    folder: &Path,
    sources: &SourceSet,
    edits: Vec<Edit>,
) -> lsp::WorkspaceEdit {
    let mut by_file: BTreeMap<String, Vec<lsp::OneOf<lsp::TextEdit, lsp::AnnotatedTextEdit>>> =
        BTreeMap::new();
    for edit in edits {
        let text = sources.find(&edit.path).map(|file| sources.text(file));
        let lines = Lines::new(text.unwrap_or_default());
        let range = lines.range(edit.range);
        let told = lsp::TextEdit::new(range, edit.text);
        by_file
            .entry(edit.path)
            .or_default()
            .push(lsp::OneOf::Left(told));
    }
    let files = by_file.into_iter().filter_map(|(name, edits)| {
        let uri = space.uri(folder, &name)?;
        let version = space.version(&uri);
        let text_document = lsp::OptionalVersionedTextDocumentIdentifier { uri, version };
        Some(lsp::TextDocumentEdit {
            text_document,
            edits,
        })
    });
    lsp::WorkspaceEdit {
        document_changes: Some(lsp::DocumentChanges::Edits(files.collect())),
        ..lsp::WorkspaceEdit::default()
    }
}

/// What can be done about the mistakes of the lines of a range, and where a variant's text is edited too, what of it can
/// be changed there.
pub fn actions(
    space: &mut Space,
    here: &Here,
    problems: &[Problem],
    range: lsp::Range,
) -> Vec<lsp::CodeAction> {
    let sources = &here.checked.sources;
    let lines = Lines::new(sources.text(here.file));
    let mut all: Vec<lsp::CodeAction> = Vec::new();
    for problem in problems {
        let Some((_, diagnostic)) = told(space, &here.folder, sources, &problem.diagnostic) else {
            continue;
        };
        let rows = diagnostic.range.start.line..=diagnostic.range.end.line;
        let apart = *rows.end() < range.start.line || range.end.line < *rows.start();
        if problem.diagnostic.span.file != here.file || apart {
            continue;
        }
        for (at, fix) in problem.fixes.iter().enumerate() {
            let edit = changes(space, &here.folder, sources, fix.edits.clone());
            all.push(lsp::CodeAction {
                title: sentence(&fix.title),
                kind: Some(lsp::CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![diagnostic.clone()]),
                edit: Some(edit),
                is_preferred: Some(at == 0),
                ..lsp::CodeAction::default()
            });
        }
    }
    let at = lines.byte(range.start);
    all.extend(into_variants(space, here, at));
    all
}

/// Changes of what stands at a byte, written into a variant that is edited too.
fn into_variants(space: &mut Space, here: &Here, at: usize) -> Vec<lsp::CodeAction> {
    let held = space.held(&here.folder);
    let Some(game) = space.game(&here.folder) else {
        return Vec::new();
    };
    let Some(manifest) = game.manifest() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for name in held.iter().filter(|name| name.ends_with(".rules")) {
        let Some(overlay) = game.overlay_of(&manifest, name) else {
            continue;
        };
        let (sources, compiled) = (&here.checked.sources, &here.checked.compiled);
        let stub = service::overlay_stub(sources, compiled, here.file, at, name);
        if let Ok(edit) = stub {
            found.push((format!("Change this in `{overlay}`"), edit));
        }
    }
    let actions = found.into_iter().map(|(title, edit)| lsp::CodeAction {
        title,
        kind: Some(lsp::CodeActionKind::REFACTOR),
        edit: Some(changes(
            space,
            &here.folder,
            &here.checked.sources,
            vec![edit],
        )),
        ..lsp::CodeAction::default()
    });
    actions.collect()
}
