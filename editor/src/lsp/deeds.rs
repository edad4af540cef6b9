//! What can be begun above a line: a worked case, a simulation, a list of what a variant changes.

use super::position::Lines;
use super::space::{Game, Space};
use crate::bench::Bench;
use crate::files::{Library, Loaded};
use dsl::diagnostic::render::render;
use dsl::service::{self, Kind, Language};
use lsp_types as lsp;
use serde_json::{Value, json};

/// What is done with a whole game, and ends in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Lists what the overlays change.
    Changes,
    /// Lets bots play, with the overlays and without them.
    Simulate,
}

/// A game as its texts are now.
pub struct Given {
    pub id: String,
    pub library: Library,
    pub loaded: Loaded,
    /// What is laid over it.
    pub overlays: Vec<String>,
}

/// Whoever does them.
pub trait Deeds: Send + Sync {
    /// Does it; what is to be told.
    ///
    /// # Errors
    /// Why it cannot be done, in words.
    fn done(&self, deed: Deed, given: Given) -> Result<String, String>;
}

/// Plays a worked case.
pub const RUN: &str = "trackwright.runScenario";
pub const SIMULATE: &str = "trackwright.simulate";
pub const CHANGES: &str = "trackwright.showChanges";
/// All of them.
pub const ALL: [&str; 3] = [RUN, SIMULATE, CHANGES];

impl Given {
    /// A game with the overlays that hold for one of its texts.
    pub fn of(game: &Game, name: &str) -> Given {
        let mut loaded = game.loaded.clone();
        loaded.sources = game.sources.clone();
        // What the editor holds and no file has.
        let missing = loaded.sources.ids().skip(loaded.paths.len());
        let missing = missing.filter_map(|file| game.path(&game.sources.file(file).path));
        let missing: Vec<_> = missing.collect();
        loaded.paths.extend(missing);
        Given {
            id: game.id.clone(),
            library: game.library.clone(),
            loaded,
            overlays: game.overlays_for(name),
        }
    }
}

/// What can be begun in a text, above the lines it belongs to.
pub fn lenses(space: &mut Space, uri: &lsp::Uri) -> Vec<lsp::CodeLens> {
    let Some(home) = space.document(uri).and_then(|one| one.home.clone()) else {
        return Vec::new();
    };
    let Some(game) = space.game(&home.folder) else {
        return Vec::new();
    };
    let (Some(file), Some(manifest)) = (game.sources.find(&home.name), game.manifest()) else {
        return Vec::new();
    };
    let lines = Lines::new(game.sources.text(file));
    let lens = |at: usize, title: &str, command: &str, arguments: Value| lsp::CodeLens {
        range: lines.range(at..at),
        command: Some(lsp::Command {
            title: title.to_owned(),
            command: command.to_owned(),
            arguments: Some(vec![arguments]),
        }),
        data: None,
    };
    let whole = json!({ "uri": uri });
    if home.name == format!("{}/game.toml", game.id) && !manifest.family {
        return vec![lens(0, "Simulate", SIMULATE, whole)];
    }
    if home.name.ends_with(".scenario") {
        let headings = dsl::headings(&game.sources, file).into_iter();
        let lenses = headings.map(|heading| {
            let case = json!({ "uri": uri, "title": heading.title });
            lens(heading.span.start as usize, "Run scenario", RUN, case)
        });
        return lenses.collect();
    }
    if Language::of(&home.name) != Language::Rules
        || game.overlay_of(&manifest, &home.name).is_none()
    {
        return Vec::new();
    }
    let outline = service::outline(&game.sources, file);
    let header = outline.iter().find(|one| one.kind == Kind::Header);
    let at = header.map_or(0, |header| header.span.start as usize);
    let mut all = vec![lens(at, "Show what this changes", CHANGES, whole.clone())];
    if !manifest.family {
        all.push(lens(at, "Simulate with and without it", SIMULATE, whole));
    }
    all
}

/// Plays the case of this title in a file; what came of it.
pub fn play(game: &Game, name: &str, title: &str) -> Result<String, String> {
    let sources = &game.sources;
    let file = sources.find(name);
    let found = file.and_then(|file| {
        let mut headings = dsl::headings(sources, file).into_iter();
        Some((file, headings.find(|one| one.title == title)?))
    });
    let Some((file, heading)) = found else {
        return Err(format!("there is no scenario \"{title}\" in `{name}`"));
    };
    let case = Bench::new(sources, &game.id).case(file, &heading);
    if case.passed() {
        return Ok(format!("\"{title}\" passes"));
    }
    let mistakes = case.mistakes.iter();
    let mut told: Vec<String> = mistakes.map(|one| render(sources, one, false)).collect();
    if !case.log.is_empty() {
        told.push(format!("What had happened:\n  {}", case.log.join("\n  ")));
    }
    Ok(format!("\"{title}\" fails\n\n{}", told.join("\n")))
}
