//! Where the games are: a folder given, `games` beside the current folder or its parents, beside the program, or unpacked.

use super::unpack::unpack;
use super::{holds_games, shown};
use include_dir::Dir;
use std::path::{Path, PathBuf};

/// Folders of games, the first one that has a game wins.
#[derive(Clone, Debug, Default)]
pub struct Library {
    pub roots: Vec<PathBuf>,
}

/// Why there is no games folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindError {
    /// The folder given is none, or holds no game.
    NoGamesIn(String),
    /// There is none anywhere, and none could be unpacked; why.
    Nowhere(String),
}

/// Where to look, in this order.
pub struct Places<'a> {
    pub given: Option<&'a Path>,
    pub folder: &'a Path,
    pub executable: Option<&'a Path>,
    pub user_folder: Option<&'a Path>,
    pub shipped: Option<&'a Dir<'static>>,
}

impl Library {
    /// Finds the games folder.
    ///
    /// # Errors
    /// If the folder given holds no game, or there is none anywhere.
    pub fn find(places: &Places) -> Result<Library, FindError> {
        if let Some(given) = places.given {
            let folder = places.folder.join(given);
            return if holds_games(&folder) {
                Ok(Library::of(folder))
            } else {
                Err(FindError::NoGamesIn(shown(given, places.folder)))
            };
        }
        let beside = |start: &Path| {
            start
                .ancestors()
                .map(|folder| folder.join("games"))
                .find(|folder| holds_games(folder))
        };
        if let Some(folder) = beside(places.folder) {
            return Ok(Library::of(folder));
        }
        if let Some(folder) = places.executable.and_then(beside) {
            return Ok(Library::of(folder));
        }
        let (Some(user_folder), Some(shipped)) = (places.user_folder, places.shipped) else {
            return Err(FindError::Nowhere(
                "this system has no folder for a user's data".into(),
            ));
        };
        let unpacked = unpack(shipped, &user_folder.join("games"));
        let unpacked = unpacked.map_err(|error| FindError::Nowhere(error.to_string()))?;
        Ok(Library::of(unpacked))
    }

    /// Where a game is begun if no folder is given: in `games` here, even if it is empty, else in a folder of games above, or
    /// in `games` here anew. Never beside the program, nor among the games that came with it.
    pub fn beginning(folder: &Path) -> PathBuf {
        let here = folder.join("games");
        if here.is_dir() {
            return here;
        }
        let above = folder.ancestors().map(|folder| folder.join("games"));
        let mut above = above.filter(|games| games == folder || holds_games(games));
        above.next().unwrap_or(here)
    }

    fn of(folder: PathBuf) -> Library {
        Library {
            roots: vec![folder],
        }
    }

    /// Looks in `folder` before all others.
    pub fn put_first(&mut self, folder: PathBuf) {
        let same = |other: &PathBuf| match (other.canonicalize(), folder.canonicalize()) {
            (Ok(one), Ok(two)) => one == two,
            _ => *other == folder,
        };
        if let Some(at) = self.roots.iter().position(same) {
            let known = self.roots.remove(at);
            self.roots.insert(0, known);
        } else {
            self.roots.insert(0, folder);
        }
    }

    /// The folder of a game.
    pub fn folder_of(&self, game: &str) -> Option<PathBuf> {
        self.roots
            .iter()
            .map(|root| root.join(game))
            .find(|folder| folder.join("game.toml").is_file())
    }

    /// Folders among the games that cannot be read, and why.
    pub fn unreadable(&self) -> Vec<(PathBuf, String)> {
        let entries = self
            .roots
            .iter()
            .filter_map(|root| std::fs::read_dir(root).ok());
        let folders = entries
            .flat_map(|entries| entries.flatten())
            .map(|entry| entry.path());
        let mut found: Vec<(PathBuf, String)> = folders
            .filter(|path| path.is_dir())
            .filter_map(|path| {
                let error = std::fs::read_dir(&path).err()?;
                Some((path, super::in_words(&error)))
            })
            .collect();
        found.sort();
        found
    }

    /// Names of all games and families, in alphabetical order.
    pub fn ids(&self) -> Vec<String> {
        let mut ids: Vec<String> = self
            .roots
            .iter()
            .filter_map(|root| std::fs::read_dir(root).ok())
            .flat_map(|entries| entries.flatten())
            .filter(|entry| entry.path().join("game.toml").is_file())
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        ids.sort();
        ids.dedup();
        ids
    }
}
