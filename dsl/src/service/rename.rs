//! Another name for something, everywhere at once.

use super::edit::{Edit, apply, sorted};
use super::references::{Wanted, World};
use super::said;
use crate::Compiled;
use crate::assembly::Selection;
use crate::check::Symbol;
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, SourceSet, Span};
use crate::syntax::reserved;

/// Renames what stands at a byte of a file in all rules, scenarios and tables of the texts.
///
/// The new texts are compiled before they are handed out: a rename never changes what any rule means.
///
/// # Errors
/// Why not: nothing is named there, the new name is no name or is taken, or something would come to mean something else.
pub fn rename(
    sources: &SourceSet,
    compiled: &Compiled,
    file: FileId,
    offset: usize,
    new: &str,
) -> Result<Vec<Edit>, String> {
    let wanted = Wanted::at(sources, compiled, file, offset)
        .ok_or("there is nothing here that has a name of its own")?;
    if wanted.word == new {
        return Ok(Vec::new());
    }
    check_name(&wanted, new)?;
    let worlds = wanted.worlds(sources);
    let places = wanted.places(sources, &worlds);
    let is_said = |span: &&Span| said::is_said(&sources.file(span.file).path);
    let bare = |span: &&Span| !is_said(span) && !is_quoted(sources, **span);
    if !is_name(new)
        && let Some(span) = places.iter().find(bare)
    {
        let place = sources.place(*span);
        return Err(format!(
            "`{new}` is no word, and {place} names it without quotes"
        ));
    }
    let rules = places.iter().filter(|span| !is_said(span));
    let mut edits: Vec<Edit> = rules.map(|span| Edit::at(sources, *span, new)).collect();
    let named = worlds.iter();
    let named = named.filter_map(|world| Some((world, wanted.in_world(world)?)));
    let named: Vec<(&World, Symbol)> = named.collect();
    edits.extend(said::renamed(sources, &named, &places, new));
    let edits = sorted(edits)?;
    still_the_same(sources, &worlds, &edits, new)?;
    Ok(edits)
}

fn check_name(wanted: &Wanted, new: &str) -> Result<(), String> {
    if matches!(wanted.symbol, Symbol::Row(..)) {
        let plain = !new.is_empty() && !new.contains(['"', '\\', '\n', '/']);
        return plain
            .then_some(())
            .ok_or_else(|| format!("`{new}` cannot be a row's name"));
    }
    if !is_name(new) {
        return Err(format!(
            "`{new}` is no name: letters a to z, digits and `_`, a letter first"
        ));
    }
    if reserved::is_reserved(new) {
        return Err(format!("`{new}` is a word of the language"));
    }
    Ok(())
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
        && word
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

fn is_quoted(sources: &SourceSet, span: Span) -> bool {
    let text = sources.text(span.file);
    text[..span.start as usize].ends_with(['"', '\''])
        || text[..span.start as usize].trim_end().ends_with('[')
            && sources.file(span.file).path.ends_with(".toml")
}

/// Compiles all rule sets with the new name: the same words must mean the same things, in the same order.
fn still_the_same(
    sources: &SourceSet,
    worlds: &[World],
    edits: &[Edit],
    new: &str,
) -> Result<(), String> {
    let mut changed = sources.clone();
    apply(edits, &mut changed)?;
    for world in worlds {
        let selection = Selection {
            overlays: world.overlays.clone(),
            ..Selection::default()
        };
        let after = crate::compile(&changed, &world.game, &selection);
        let of = format!("`{}`", world.game);
        let before = mistakes(sources, world, &world.compiled);
        let now = mistakes(&changed, world, &after);
        if now.len() > before.len() {
            let first = now.iter().find(|one| {
                let mut known = before.iter();
                !known.any(|other| other.message == one.message)
            });
            let why = first.map_or(String::new(), |one| {
                format!(": {}, {}", one.message, changed.place(one.span))
            });
            return Err(format!("`{new}` does not fit everywhere in {of}{why}"));
        }
        if meanings(&world.compiled) != meanings(&after) {
            return Err(format!(
                "`{new}` means something else already in {of}, and some words would change their meaning"
            ));
        }
    }
    Ok(())
}

/// What is wrong with the rules, with what is drawn of them and with their worked cases.
fn mistakes(sources: &SourceSet, world: &World, compiled: &Compiled) -> Vec<Diagnostic> {
    let board = crate::board::board(sources, compiled);
    let board = board.into_iter().flat_map(|(_, mistakes)| mistakes);
    let cases = world.files.iter();
    let cases = cases.flat_map(|file| crate::scenarios(sources, compiled, *file).1);
    let all = compiled.diagnostics.iter().cloned();
    let all = all.chain(board).chain(cases);
    all.filter(Diagnostic::is_error).collect()
}

/// What each word means, in the order of the texts; locals by where they are bound among the words.
fn meanings(compiled: &Compiled) -> Vec<Symbol> {
    let Some(uses) = compiled.uses() else {
        return Vec::new();
    };
    let all = uses.all();
    let numbered = |symbol: Symbol| match symbol {
        Symbol::Local(span) => {
            let at = all.partition_point(|(other, _)| *other < span);
            Symbol::Local(Span::new(span.file, at, at))
        }
        other => other,
    };
    all.iter().map(|(_, symbol)| numbered(*symbol)).collect()
}
