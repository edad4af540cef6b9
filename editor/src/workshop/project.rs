//! What lies in the folder of games, as lists to choose from.

use crate::files::{Library, Loaded};
use dsl::assembly::{self, Manifest, OverlayInfo};
use std::path::{Path, PathBuf};

/// Endings of recorded games.
pub const REPLAY_ENDING: &str = "replay";

/// The games of a library.
#[derive(Clone, Debug, Default)]
pub struct Project {
    pub library: Library,
    /// By id; families too.
    pub games: Vec<GameEntry>,
}

/// A game or family.
#[derive(Clone, Debug)]
pub struct GameEntry {
    pub id: String,
    pub title: String,
    /// Shared rules, not playable itself.
    pub family: bool,
    /// What bare `trackwright` plays.
    pub default: bool,
    /// None: its manifest is of no use.
    pub players: Option<(u32, u32)>,
    pub extends: Option<String>,
    pub folder: PathBuf,
    /// In the order of the layers.
    pub overlays: Vec<OverlayInfo>,
    /// Of the game, of what it extends and of its expansions, as the source set names them.
    pub rules: Vec<String>,
    pub scenarios: Vec<String>,
    /// Recorded games in its folder.
    pub replays: Vec<PathBuf>,
}

/// Something found by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    pub game: String,
    pub kind: HitKind,
    /// What people call it.
    pub title: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HitKind {
    Game,
    /// Its id.
    Overlay(String),
    /// The file, as the source set names it.
    Scenarios(String),
    Replay(PathBuf),
}

impl Project {
    /// Reads what there is.
    pub fn open(library: Library) -> Project {
        let listings = assembly::games(&Loaded::manifests_only(&library).sources);
        let games = listings
            .into_iter()
            .filter_map(|listing| {
                let folder = library.folder_of(&listing.id)?;
                let loaded = Loaded::game(&library, &listing.id);
                let (manifest, _) = assembly::manifest(&loaded.sources, &listing.id);
                let paths: Vec<&str> = loaded.sources.paths().collect();
                let ending = |ending: &str| -> Vec<String> {
                    let own = paths.iter().filter(|path| path.ends_with(ending));
                    own.map(|path| (*path).to_owned()).collect()
                };
                let own = format!("{}/", listing.id);
                let mut scenarios = ending(".scenario");
                scenarios.retain(|path| path.starts_with(&own));
                Some(GameEntry {
                    replays: replays(&folder),
                    overlays: manifest.map(|m: Manifest| m.overlays).unwrap_or_default(),
                    rules: ending(".rules"),
                    scenarios,
                    id: listing.id,
                    title: listing.title,
                    family: listing.family,
                    default: listing.default,
                    players: listing.players,
                    extends: listing.extends,
                    folder,
                })
            })
            .collect();
        Project { library, games }
    }

    /// Reads again what there is.
    pub fn refresh(&mut self) {
        *self = Project::open(std::mem::take(&mut self.library));
    }

    /// Looks again which recorded games lie in a game's folder.
    pub fn look_for_replays(&mut self, id: &str) {
        if let Some(game) = self.games.iter_mut().find(|game| game.id == id) {
            game.replays = replays(&game.folder);
        }
    }

    pub fn game(&self, id: &str) -> Option<&GameEntry> {
        self.games.iter().find(|game| game.id == id)
    }

    /// A game and all it extends, itself first.
    pub fn chain<'a>(&'a self, id: &str) -> Vec<&'a str> {
        let mut chain: Vec<&str> = Vec::new();
        let mut next = self.game(id);
        while let Some(game) = next.filter(|game| !chain.contains(&game.id.as_str())) {
            chain.push(&game.id);
            next = game.extends.as_deref().and_then(|id| self.game(id));
        }
        chain
    }

    /// All other games that share texts with this one: what it extends, and whatever extends the same.
    pub fn relatives(&self, id: &str) -> Vec<String> {
        let root = self.chain(id).pop();
        let related = |game: &&GameEntry| game.id != id && self.chain(&game.id).pop() == root;
        let related = self.games.iter().filter(related);
        related.map(|game| game.id.clone()).collect()
    }

    /// The game that lies in a folder.
    pub fn game_in(&self, folder: &Path) -> Option<&GameEntry> {
        self.games.iter().find(|game| game.folder == folder)
    }

    /// All whose id or title has the text in it, whatever the case; everything for an empty text.
    pub fn search(&self, text: &str) -> Vec<Hit> {
        let wanted = text.trim().to_lowercase();
        let fits = |names: &[&str]| {
            wanted.is_empty()
                || names
                    .iter()
                    .any(|name| name.to_lowercase().contains(&wanted))
        };
        let mut hits = Vec::new();
        for game in &self.games {
            let mut add = |kind, title: &str| {
                hits.push(Hit {
                    game: game.id.clone(),
                    kind,
                    title: title.to_owned(),
                });
            };
            if fits(&[&game.id, &game.title]) {
                add(HitKind::Game, &game.title);
            }
            for overlay in &game.overlays {
                if fits(&[&overlay.id, &overlay.title]) {
                    add(HitKind::Overlay(overlay.id.clone()), &overlay.title);
                }
            }
            for file in &game.scenarios {
                let name = file.rsplit('/').next().unwrap_or(file);
                if fits(&[name]) {
                    add(HitKind::Scenarios(file.clone()), name);
                }
            }
            for path in &game.replays {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                if fits(&[&name]) {
                    add(HitKind::Replay(path.clone()), &name);
                }
            }
        }
        hits
    }
}

/// Recorded games in the folder of a game, and where new ones are put.
pub fn replays(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder.join("replays")) else {
        return Vec::new();
    };
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            path.extension()
                .is_some_and(|ending| ending == REPLAY_ENDING)
        })
        .collect();
    found.sort();
    found
}

/// Why an overlay cannot be laid over a game together with those that are active; none: it can.
pub fn obstacle(overlays: &[OverlayInfo], active: &[String], id: &str) -> Option<String> {
    let info = overlays.iter().find(|overlay| overlay.id == id)?;
    let title = |id: &str| {
        let known = overlays.iter().find(|overlay| overlay.id == id);
        known.map_or_else(|| id.to_owned(), |overlay| overlay.title.clone())
    };
    let excluded = overlays
        .iter()
        .filter(|other| other.id != id && active.contains(&other.id))
        .find(|other| info.not_with.contains(&other.id) || other.not_with.contains(&info.id));
    if let Some(other) = excluded {
        return Some(format!(
            "“{}” does not go with “{}”",
            info.title, other.title
        ));
    }
    let missing = info.needs.iter().find(|need| !active.contains(need))?;
    Some(format!("“{}” needs “{}”", info.title, title(missing)))
}
