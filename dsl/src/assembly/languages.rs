//! Which languages a game can be read in: `words/de.toml` of the product, the game, its family and its overlays.

use super::any::ANY;
use super::draft::Draft;
use super::{Manifest, Selection, manifest};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, SourceSet, Span};

/// The language that rules are written in.
pub const ENGLISH: &str = "en";

/// The languages of a folder's words: code and file, by code.
fn of_folder(sources: &SourceSet, folder: &str) -> Vec<(String, FileId)> {
    let start = format!("{folder}/words/");
    let files = sources.paths().filter_map(|path| {
        let name = path.strip_prefix(&start)?.strip_suffix(".toml")?;
        let file = sources.find(path)?;
        (!name.contains('/')).then(|| (name.to_owned(), file))
    });
    files.collect()
}

/// Languages that a game has words in, beside its own: what only the product has is none of the game's.
pub fn languages(sources: &SourceSet, game: &str) -> Vec<String> {
    let chain = manifest::chain(sources, game);
    let files = chain.iter().flat_map(|id| of_folder(sources, id));
    let mut found: Vec<String> = files
        .map(|(language, _)| language)
        .filter(|language| language != ENGLISH)
        .collect();
    found.sort();
    found.dedup();
    found
}

/// Finds the language files of all layers, and says if there are none of the language chosen.
pub(super) fn find(draft: &mut Draft, sources: &SourceSet, selection: &Selection) {
    let mut words = of_folder(sources, ANY);
    let mut folders: Vec<&String> = Vec::new();
    for folder in &draft.folders {
        // Parts of an overlay lie in its folder, variants in their game's.
        if !folders.contains(&folder) {
            folders.push(folder);
            words.extend(of_folder(sources, folder));
        }
    }
    words.dedup();
    draft.assembly.words = words;
    draft.assembly.language.clone_from(&selection.language);
    if let Some(language) = &selection.language
        && language != ENGLISH
        && let Some(found) = unknown(sources, &draft.assembly.manifest, language)
    {
        draft.out.push(found);
    }
}

fn unknown(sources: &SourceSet, manifest: &Manifest, language: &str) -> Option<Diagnostic> {
    let known = languages(sources, &manifest.id);
    if known.iter().any(|one| one == language) {
        return None;
    }
    let message = format!("`{}` has no words in `{language}`", manifest.id);
    let help = match known.as_slice() {
        [] => format!("write `words/{language}.toml` in its folder"),
        known => format!("it has `{}`", known.join("`, `")),
    };
    let place = Span::new(manifest.file, 0, 0);
    Some(Diagnostic::error("unknown-language", place, message).help(help))
}
