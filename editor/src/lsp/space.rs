//! The games whose texts are edited: what lies on disk, over it what the editor holds, and what came of checking it.

use super::position::Lines;
use super::uri;
use crate::files::{FILE_BYTES_MAX, FOLDER_DEPTH_MAX, Library, Loaded, is_text};
use crate::workshop::checker::{Checked, Request};
use crate::workshop::project::obstacle;
use dsl::assembly::{self, ANY, Manifest, Selection};
use dsl::source::{FileId, SourceSet};
use lsp_types::Uri;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A text that the editor holds, saved or not.
pub struct Document {
    pub uri: Uri,
    pub version: i32,
    pub text: String,
    /// The game it is part of.
    pub home: Option<Home>,
}

/// Where a text lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    /// Of the game.
    pub folder: PathBuf,
    /// As the source set names it: `game/rules/play.rules`.
    pub name: String,
}

/// All games that are edited.
pub struct Space {
    /// Where games are looked for that the edited ones build on.
    pub library: Library,
    /// Overlays that are laid over each game that has them.
    pub with: Vec<String>,
    pub documents: BTreeMap<PathBuf, Document>,
    games: BTreeMap<PathBuf, Game>,
}

/// A game with texts that are edited.
pub struct Game {
    pub id: String,
    pub library: Library,
    pub loaded: Loaded,
    /// With the texts that the editor holds.
    pub sources: SourceSet,
    pub with: Vec<String>,
    worlds: BTreeMap<(Vec<String>, Option<String>), Arc<Checked>>,
}

/// A text of a game, and the rules that hold where something is asked about it.
pub struct Here {
    pub folder: PathBuf,
    pub file: FileId,
    /// In bytes.
    pub at: usize,
    pub checked: Arc<Checked>,
}

impl Space {
    pub fn new(library: Library) -> Space {
        Space {
            library,
            with: Vec::new(),
            documents: BTreeMap::new(),
            games: BTreeMap::new(),
        }
    }

    pub fn document(&self, uri: &Uri) -> Option<&Document> {
        self.documents.get(&uri::path(uri)?)
    }

    /// Takes a text that the editor holds from now on.
    pub fn open(&mut self, uri: Uri, version: i32, text: String) {
        let Some(path) = uri::path(&uri) else { return };
        let home = home(&path);
        if let Some(home) = &home
            && (home.is_of_any() || !self.games.contains_key(&home.folder))
            && let Some(game) = Game::read(&self.library, home, &self.with)
        {
            self.games.insert(home.folder.clone(), game);
        }
        let document = Document {
            uri,
            version,
            text,
            home,
        };
        self.documents.insert(path, document);
        self.gather();
    }

    /// Takes changes of a text, one behind the other; without a range, the whole is another one.
    pub fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<(Option<lsp_types::Range>, String)>,
    ) {
        let path = uri::path(uri);
        let Some(document) = path.and_then(|path| self.documents.get_mut(&path)) else {
            return;
        };
        document.version = version;
        for (range, text) in changes {
            match range {
                Some(range) => {
                    let bytes = Lines::new(&document.text).bytes(range);
                    document.text.replace_range(bytes, &text);
                }
                None => document.text = text,
            }
        }
        self.gather();
    }

    /// The text on disk holds again; a game of which no text is edited any more is forgotten.
    pub fn close(&mut self, uri: &Uri) {
        let Some(document) = uri::path(uri).and_then(|path| self.documents.remove(&path)) else {
            return;
        };
        if let Some(home) = document.home {
            let folders = self.documents.values();
            let mut folders = folders.filter_map(|one| one.home.as_ref());
            if !folders.any(|other| other.folder == home.folder) {
                self.games.remove(&home.folder);
            }
        }
        self.gather();
    }

    /// Reads again what lies on disk.
    pub fn reread(&mut self) {
        let homes = self.documents.values().filter_map(|one| one.home.as_ref());
        for home in homes {
            if let Some(read) = Game::read(&self.library, home, &self.with) {
                self.games.insert(home.folder.clone(), read);
            }
        }
        self.gather();
    }

    /// Puts what the editor holds over what lies on disk.
    fn gather(&mut self) {
        for game in self.games.values_mut() {
            game.sources = game.loaded.sources.clone();
            game.worlds.clear();
            for (path, document) in &self.documents {
                let Some(home) = &document.home else { continue };
                let id = home.name.split('/').next().unwrap_or_default();
                let same = game
                    .library
                    .folder_of(id)
                    .is_some_and(|it| it == home.folder);
                let known = game.loaded.holds(id) || path.ends_with("game.toml");
                // What is too long to be read from disk is not read from the editor either.
                let short = document.text.len() as u64 <= FILE_BYTES_MAX;
                if same && known {
                    let text = if short { document.text.as_str() } else { "" };
                    game.sources.insert(home.name.as_str(), text);
                }
            }
        }
    }

    /// Folders of the games.
    pub fn folders(&self) -> Vec<PathBuf> {
        self.games.keys().cloned().collect()
    }

    pub fn game(&mut self, folder: &Path) -> Option<&mut Game> {
        self.games.get_mut(folder)
    }

    /// Names of a game's texts that the editor holds.
    pub fn held(&self, folder: &Path) -> Vec<String> {
        let homes = self.documents.values().filter_map(|one| one.home.as_ref());
        let own = homes.filter(|home| home.folder == folder);
        own.map(|home| home.name.clone()).collect()
    }

    /// Those of them that are too long to be read.
    pub fn too_long(&self, folder: &Path) -> Vec<String> {
        let long = self.documents.values();
        let long = long.filter(|one| one.text.len() as u64 > FILE_BYTES_MAX);
        let homes = long.filter_map(|one| one.home.as_ref());
        let own = homes.filter(|home| home.folder == folder);
        own.map(|home| home.name.clone()).collect()
    }

    /// Overlays that are to be laid over each game, and that no game with an edited text has.
    pub fn unknown_overlays(&self) -> Vec<String> {
        let games = self.games.values().filter_map(Game::manifest);
        let games: Vec<Manifest> = games.collect();
        let has = |id: &String| {
            let mut overlays = games.iter().flat_map(|game| &game.overlays);
            overlays.any(|overlay| overlay.id == *id)
        };
        let unknown = self.with.iter().filter(|id| !games.is_empty() && !has(id));
        unknown.cloned().collect()
    }

    /// The address of a text of a game.
    pub fn uri(&self, folder: &Path, name: &str) -> Option<Uri> {
        let game = self.games.get(folder)?;
        let path = game.path(name)?;
        let held = self.documents.get(&path);
        held.map(|one| one.uri.clone()).or_else(|| uri::of(&path))
    }

    /// The version of a text that the editor holds.
    pub fn version(&self, uri: &Uri) -> Option<i32> {
        self.document(uri).map(|one| one.version)
    }

    /// What is known at a place of a text that the editor holds.
    pub fn here(&mut self, uri: &Uri, place: lsp_types::Position) -> Option<Here> {
        let document = self.document(uri)?;
        let at = Lines::new(&document.text).byte(place);
        let home = document.home.clone()?;
        let game = self.games.get_mut(&home.folder)?;
        let file = game.sources.find(&home.name)?;
        // The text was too long.
        if at > game.sources.text(file).len() {
            return None;
        }
        let overlays = game.overlays_at(file, at);
        Some(Here {
            folder: home.folder,
            file,
            at,
            checked: game.checked(overlays, None),
        })
    }
}

impl Home {
    /// Whether it is of the house rules for any game.
    fn is_of_any(&self) -> bool {
        self.name.starts_with(&format!("{ANY}/"))
    }
}

impl Game {
    /// The game that a text is of. What several games build on is checked as part of one: house rules for any game with the first
    /// game that they go with, a family with the first of its games that has the text.
    fn read(library: &Library, home: &Home, with: &[String]) -> Option<Game> {
        let mut id = home.folder.file_name()?.to_str()?.to_owned();
        let mut library = library.clone();
        library.put_first(home.folder.parent()?.to_owned());
        id = host(&library, &id, &home.name).unwrap_or(id);
        let loaded = Loaded::game(&library, &id);
        Some(Game {
            id,
            library,
            sources: loaded.sources.clone(),
            loaded,
            with: with.to_vec(),
            worlds: BTreeMap::new(),
        })
    }

    pub fn manifest(&self) -> Option<Manifest> {
        assembly::manifest(&self.sources, &self.id).0
    }

    /// Where a text lies, or is to lie.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        let known = self.loaded.sources.find(name);
        let known = known.and_then(|file| self.loaded.paths.get(file.0 as usize));
        known.cloned().or_else(|| {
            let (id, rest) = name.split_once('/')?;
            Some(self.library.folder_of(id)?.join(rest))
        })
    }

    /// The overlay whose text this is.
    pub fn overlay_of(&self, manifest: &Manifest, name: &str) -> Option<String> {
        let mut overlays = manifest.overlays.iter();
        let found = overlays.find(|one| {
            let folder = format!("/expansions/{}/", one.id);
            one.files.iter().any(|file| file == name) || one.expansion && name.contains(&folder)
        });
        found.map(|one| one.id.clone())
    }

    /// The overlays that hold for a text: those that are laid over everything, and what its own overlay needs.
    pub fn overlays_for(&self, name: &str) -> Vec<String> {
        let Some(manifest) = self.manifest() else {
            return Vec::new();
        };
        let own = self.overlay_of(&manifest, name);
        let mut chosen = own.map_or_else(Vec::new, |own| manifest.with_needs(&own));
        for id in &self.with {
            let listed = manifest.overlays.iter().any(|one| one.id == *id);
            if listed && !chosen.contains(id) && obstacle(&manifest.overlays, &chosen, id).is_none()
            {
                chosen.push(id.clone());
            }
        }
        let place = |id: &String| manifest.overlays.iter().position(|one| one.id == *id);
        chosen.sort_by_key(place);
        chosen
    }

    /// As [`Game::overlays_for`]; in a worked case what its heading asks for.
    fn overlays_at(&self, file: FileId, at: usize) -> Vec<String> {
        let name = &self.sources.file(file).path;
        if name.ends_with(".scenario") {
            let headings = dsl::headings(&self.sources, file).into_iter();
            let mut above = headings.filter(|one| one.span.start as usize <= at);
            return above.next_back().map_or_else(Vec::new, |one| one.with);
        }
        self.overlays_for(name)
    }

    /// The texts as they are now, checked with these overlays, the words in this language.
    pub fn checked(&mut self, overlays: Vec<String>, language: Option<String>) -> Arc<Checked> {
        let (sources, id) = (&self.sources, &self.id);
        let world = self.worlds.entry((overlays, language));
        let key = world.key().clone();
        let checked = world.or_insert_with(|| {
            Arc::new(Checked::of(Request {
                version: 0,
                sources: sources.clone(),
                game: id.clone(),
                selection: Selection {
                    overlays: key.0,
                    language: key.1,
                    ..Selection::default()
                },
                target: None,
            }))
        });
        checked.clone()
    }
}

/// The first game that builds on the rules whose text this is, if they cannot be played alone: rather one that lists the variant or
/// expansion that it is part of.
fn host(library: &Library, id: &str, name: &str) -> Option<String> {
    let listings = assembly::games(&Loaded::manifests_only(library).sources);
    let is_family = |id: &str| listings.iter().any(|one| one.id == id && one.family);
    if id != ANY && !is_family(id) {
        return None;
    }
    let parent = |id: &str| {
        let own = listings.iter().find(|one| one.id == id);
        own.and_then(|one| one.extends.clone())
    };
    let builds = |game: &str| {
        let below = std::iter::successors(parent(game), |id| parent(id));
        id == ANY || below.take(listings.len()).any(|one| one == id)
    };
    let games = listings.iter().filter(|one| !one.family && builds(&one.id));
    let games: Vec<&str> = games.map(|one| one.id.as_str()).collect();
    let mut parts = name.split('/').skip(1);
    let overlay = match (parts.next(), parts.next()) {
        (Some("variants"), Some(file)) => file.strip_suffix(".rules"),
        (Some("expansions"), Some(folder)) => Some(folder),
        _ => None,
    };
    let lists = |game: &&&str| {
        let sources = Loaded::game(library, game).sources;
        let manifest = assembly::manifest(&sources, game).0;
        manifest.is_some_and(|manifest| {
            let mut overlays = manifest.overlays.iter();
            overlays.any(|one| overlay == Some(one.id.as_str()))
        })
    };
    let fitting = overlay.and_then(|_| games.iter().find(lists));
    let any = games.first().filter(|_| id != ANY);
    fitting.or(any).map(|game| (*game).to_owned())
}

/// The game that a path lies in, and the path's name there; none for what is no text of a game.
fn home(path: &Path) -> Option<Home> {
    if !is_text(path) {
        return None;
    }
    let folders = path.ancestors().skip(1).take(FOLDER_DEPTH_MAX + 1);
    let mut games = folders.filter(|folder| folder.join("game.toml").is_file());
    let folder = games.next()?;
    let mut name = folder.file_name()?.to_str()?.to_owned();
    for part in path.strip_prefix(folder).ok()?.components() {
        let part = part.as_os_str().to_str()?;
        if part.starts_with('.') {
            return None;
        }
        name = format!("{name}/{part}");
    }
    Some(Home {
        folder: folder.to_owned(),
        name,
    })
}
