//! Games and recorded games that were opened last, kept in the user's folder.

use crate::files;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// How many are kept.
const RECENT_MAX: usize = 12;

/// See the module.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Recents {
    /// Folders of games and files of recorded games, the last one first.
    #[serde(default)]
    paths: Vec<PathBuf>,
    #[serde(skip)]
    file: PathBuf,
}

impl Recents {
    /// Reads the list; an empty one if there is none, or none of use.
    pub fn open(user_folder: &Path) -> Recents {
        let file = user_folder.join("recent.toml");
        let text = files::read_text(&file).unwrap_or_default();
        let known: Recents = toml::from_str(&text).unwrap_or_default();
        Recents { file, ..known }
    }

    /// Those that are still there, the last one first.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.paths
            .iter()
            .map(PathBuf::as_path)
            .filter(|path| path.exists())
    }

    /// Puts one at the head of the list and writes it down.
    pub fn note(&mut self, path: &Path) {
        self.paths.retain(|other| other != path);
        self.paths.insert(0, path.to_path_buf());
        self.paths.truncate(RECENT_MAX);
        if let Ok(text) = toml::to_string(self)
            && !self.file.as_os_str().is_empty()
        {
            // A list that cannot be kept is no loss.
            let _ = files::write(&self.file, text.as_bytes());
        }
    }
}
