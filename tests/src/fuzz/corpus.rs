//! What inputs are made from: the shipped games and the small games of the suites, each with what can be chosen of it.

use crate::case::Case;
use crate::chance::Chance;
use crate::games;
use dsl::source::SourceSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What kind of text a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Rules,
    Overlay,
    Table,
    Manifest,
    Board,
    Scenario,
    Replay,
    /// Numbered rules, for people.
    Book,
}

impl Kind {
    pub const ALL: [Kind; 8] = [
        Kind::Rules,
        Kind::Overlay,
        Kind::Table,
        Kind::Manifest,
        Kind::Board,
        Kind::Scenario,
        Kind::Replay,
        Kind::Book,
    ];

    /// By the path of the file.
    pub fn of(path: &str) -> Kind {
        let name = path.rsplit('/').next().unwrap_or(path);
        match name.rsplit('.').next() {
            Some("rules") if path.contains("/variants/") || path.contains("/expansions/") => {
                Kind::Overlay
            }
            Some("rules") => Kind::Rules,
            Some("toml") if name == "board.toml" => Kind::Board,
            Some("toml") if name == "game.toml" || name == "expansion.toml" => Kind::Manifest,
            Some("toml") => Kind::Table,
            Some("scenario") => Kind::Scenario,
            Some("replay") => Kind::Replay,
            _ => Kind::Book,
        }
    }
}

/// The files of a game, and of the games it builds on.
pub struct Home {
    pub name: String,
    pub game: String,
    /// Path below the folder of games, and text.
    pub files: Vec<(String, String)>,
    /// Overlays that go together.
    pub choices: Vec<Vec<String>>,
    /// Small enough that all its combinations can be checked.
    pub small: bool,
}

impl Home {
    fn new(name: String, game: &str, files: Vec<(String, String)>, small: bool) -> Home {
        let mut sources = SourceSet::new();
        for (path, text) in &files {
            sources.insert(path.clone(), text.clone());
        }
        let mut choices = vec![Vec::new()];
        if let (Some(manifest), _) = dsl::assembly::manifest(&sources, game) {
            for overlay in manifest.overlays {
                let mut chosen = overlay.needs;
                chosen.push(overlay.id);
                choices.push(chosen);
            }
            choices.extend(manifest.combinations.into_iter().map(|one| one.overlays));
        }
        Home {
            name,
            game: game.to_owned(),
            files,
            choices,
            small,
        }
    }

    /// Overlays to be chosen so that a file counts.
    pub fn choice(&self, path: &str, chance: &mut Chance) -> Vec<String> {
        let of = |id: &String| {
            path.contains(&format!("/variants/{id}.")) || path.contains(&format!("/{id}/"))
        };
        let fitting: Vec<&Vec<String>> = self
            .choices
            .iter()
            .filter(|choice| choice.iter().any(of))
            .collect();
        let found = match fitting.is_empty() {
            true => chance.of(&self.choices),
            false => chance.of(&fitting).copied(),
        };
        found.cloned().unwrap_or_default()
    }
}

/// All homes, and all texts by kind, from which pieces are taken.
pub struct Corpus {
    shipped: Vec<Home>,
    small: Vec<Home>,
    pieces: Vec<(Kind, String)>,
}

impl Corpus {
    /// # Panics
    /// If there is none.
    pub fn new() -> Corpus {
        let shipped = shipped();
        let mut small = checked();
        small.extend(alone("scenario"));
        small.extend(alone("bounds"));
        small.extend(layered());
        let homes = shipped.iter().chain(&small);
        let mut pieces: Vec<(Kind, String)> = homes
            .flat_map(|home| &home.files)
            .map(|(path, text)| (Kind::of(path), text.clone()))
            .collect();
        pieces.extend(texts(&suite("board"), "toml").map(|text| (Kind::Board, text)));
        for folder in ["syntax/ok", "syntax/err", "syntax"] {
            pieces.extend(texts(&suite(folder), "rules").map(|text| (Kind::Rules, text)));
        }
        assert!(
            shipped.len() >= 5 && small.len() >= 60,
            "texts to begin with"
        );
        Corpus {
            shipped,
            small,
            pieces,
        }
    }

    /// A game and one of its files; each kind of text as often as any other.
    pub fn pick(&self, chance: &mut Chance) -> (&Home, &(String, String)) {
        loop {
            let kind = chance.of(&Kind::ALL).copied().unwrap_or(Kind::Rules);
            let homes = match chance.one_in(3) {
                true => &self.shipped,
                false => &self.small,
            };
            // Not every small game has every kind: of a few the first that has it.
            for _ in 0..40 {
                let Some(home) = chance.of(homes) else { break };
                let files: Vec<&(String, String)> = home
                    .files
                    .iter()
                    .filter(|(path, _)| Kind::of(path) == kind)
                    .collect();
                if let Some(file) = chance.of(&files) {
                    return (home, file);
                }
            }
        }
    }

    /// A text of this kind, now and then of any.
    pub fn piece(&self, kind: Kind, chance: &mut Chance) -> &str {
        let any = chance.one_in(6);
        let fitting: Vec<&(Kind, String)> = self
            .pieces
            .iter()
            .filter(|(other, _)| any || *other == kind)
            .collect();
        chance.of(&fitting).map_or("", |(_, text)| text.as_str())
    }
}

impl Default for Corpus {
    fn default() -> Corpus {
        Corpus::new()
    }
}

fn suite(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("suite")
        .join(name)
}

fn shipped() -> Vec<Home> {
    let sources = games::sources();
    let mut homes = Vec::new();
    let listings = dsl::assembly::games(&sources);
    for id in games::ids(&sources) {
        let mut below = vec![id.clone()];
        while let Some(next) = listings
            .iter()
            .find(|one| Some(&one.id) == below.last())
            .and_then(|one| one.extends.clone())
        {
            below.push(next);
        }
        let files = sources.paths().filter(|path| {
            let of = path.split('/').next().unwrap_or_default();
            below.iter().any(|id| id == of)
        });
        let files = files.filter_map(|path| {
            let text = sources.text(sources.find(path)?);
            Some((path.to_owned(), text.to_owned()))
        });
        homes.push(Home::new(id.clone(), &id, files.collect(), false));
    }
    homes
}

/// `suite/check`: a game a file.
fn checked() -> Vec<Home> {
    let files = paths(&suite("check"), "rules");
    let home = |path: PathBuf| {
        let case = Case::new(&fs::read_to_string(&path).unwrap_or_default());
        let mut files = vec![("g/game.toml".to_owned(), case.manifest())];
        files.extend(case.files.into_iter().filter(|(path, _)| is_plain(path)));
        Home::new(format!("suite/check {}", stem(&path)), "g", files, true)
    };
    files.into_iter().map(home).collect()
}

/// Paths that can be written below any folder.
fn is_plain(path: &str) -> bool {
    !path.starts_with('/') && !path.contains(':') && path.split('/').all(|part| part != "..")
}

/// Suites of one rules file a game, with a table and cases beside it.
fn alone(folder: &str) -> Vec<Home> {
    let home = |path: PathBuf| {
        let id = stem(&path);
        let rules = fs::read_to_string(&path).unwrap_or_default();
        let players = rules.lines().next().unwrap_or_default();
        let players = players.strip_prefix("# players ").unwrap_or("2, 2");
        let sources = games::of_text(&id, players, rules.as_str());
        let mut files: Vec<(String, String)> = sources
            .ids()
            .map(|file| {
                (
                    sources.file(file).path.clone(),
                    sources.text(file).to_owned(),
                )
            })
            .collect();
        for ending in ["toml", "scenario"] {
            if let Ok(text) = fs::read_to_string(path.with_extension(ending)) {
                files.push((format!("{id}/{id}.{ending}"), text));
            }
        }
        Home::new(format!("suite/{folder} {id}"), &id, files, true)
    };
    paths(&suite(folder), "rules")
        .into_iter()
        .map(home)
        .collect()
}

/// `suite/overlay`: a folder a case, over the files of `_base`.
fn layered() -> Vec<Home> {
    let root = suite("overlay");
    let entries = fs::read_dir(&root).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    folders.sort();
    let mut homes = Vec::new();
    for folder in folders.into_iter().filter(|path| path.is_dir()) {
        let mut sources = SourceSet::new();
        for from in [&root.join("_base"), &folder] {
            games::load(from, "", &mut sources);
        }
        let with = fs::read_to_string(folder.join("with.txt")).unwrap_or_else(|_| "mini".into());
        let game = with.split_whitespace().next().unwrap_or("mini").to_owned();
        let files = sources.ids().map(|file| {
            (
                sources.file(file).path.clone(),
                sources.text(file).to_owned(),
            )
        });
        let files = files.filter(|(path, _)| path.contains('/')).collect();
        let name = format!("suite/overlay {}", stem(&folder));
        homes.push(Home::new(name, &game, files, true));
    }
    homes
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn paths(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == ending))
        .collect();
    found.sort();
    found
}

fn texts(folder: &Path, ending: &str) -> impl Iterator<Item = String> {
    let paths = paths(folder, ending).into_iter();
    paths.filter_map(|path| fs::read_to_string(path).ok())
}
