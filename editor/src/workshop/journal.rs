//! Unsaved work outlives a crash: texts of documents in the user's folder, offered when the program starts again.
//!
//! Each running program has a folder of its own, which it holds locked; what lies in a folder that nobody holds was left
//! behind.

use super::document::Document;
use crate::files;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Texts are written down when nothing was changed for so long, or the oldest change is [`WRITE_AT_LEAST`] old.
const WRITE_AFTER: Duration = Duration::from_millis(400);
const WRITE_AT_LEAST: Duration = Duration::from_millis(900);
/// Programs that may run at once.
const FOLDERS_MAX: u32 = 100;

/// A text that was not saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The game it is of, and the file as the source set names it.
    pub game: String,
    pub name: String,
    pub path: PathBuf,
    /// What lay on disk when it was written down; none: no such file.
    pub disk: Option<String>,
    pub text: String,
}

/// What a program that ended without saving left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leftover {
    pub entry: Entry,
    /// The file on disk is another one than the edits were made to.
    pub disk_changed: bool,
    file: PathBuf,
}

/// See the module.
pub struct Journal {
    folder: PathBuf,
    /// Locked as long as the program runs.
    _lock: File,
    leftovers: Vec<Leftover>,
    /// Versions that are written down, by path.
    written: BTreeMap<PathBuf, u64>,
    /// Versions that wait, and since when they changed first and last.
    waiting: Option<(BTreeMap<PathBuf, u64>, Instant, Instant)>,
}

impl Journal {
    /// Opens the journal of this program in the user's folder, and finds what others left behind.
    ///
    /// # Errors
    /// If nothing can be written there: what the system says, in words.
    pub fn open(user_folder: &Path) -> Result<Journal, String> {
        let root = user_folder.join("journal");
        let failed = |error: std::io::Error| {
            format!(
                "`{}` cannot be written: {}",
                root.display(),
                files::in_words(&error)
            )
        };
        let mut leftovers = Vec::new();
        let mut own: Option<(PathBuf, File)> = None;
        for number in 1..=FOLDERS_MAX {
            let folder = root.join(number.to_string());
            let fresh = !folder.exists();
            if fresh && own.is_some() {
                break;
            }
            std::fs::create_dir_all(&folder).map_err(failed)?;
            let lock = File::create(folder.join("lock")).map_err(failed)?;
            if lock.try_lock().is_err() {
                continue;
            }
            let found = entries(&folder);
            if found.is_empty() && own.is_none() {
                own = Some((folder, lock));
            }
            leftovers.extend(found);
        }
        let Some((folder, lock)) = own else {
            return Err(format!(
                "`{}` is full of what was left behind",
                root.display()
            ));
        };
        Ok(Journal {
            folder,
            _lock: lock,
            leftovers,
            written: BTreeMap::new(),
            waiting: None,
        })
    }

    /// Whether something waits to be written down.
    pub fn is_behind(&self) -> bool {
        self.waiting.is_some()
    }

    /// Texts that were not saved when a program ended, to be recovered or discarded.
    pub fn leftovers(&self) -> &[Leftover] {
        &self.leftovers
    }

    /// Takes a leftover out: it is written down again as soon as it is a document's unsaved text.
    pub fn take(&mut self, at: usize) -> Option<Entry> {
        if at >= self.leftovers.len() {
            return None;
        }
        let leftover = self.leftovers.remove(at);
        // If it stays there it is only offered once more.
        let _ = std::fs::remove_file(&leftover.file);
        Some(leftover.entry)
    }

    /// To be called once a frame with the documents of the game that is open. Writes rarely: when typing pauses.
    pub fn note(&mut self, game: &str, documents: &[Document], now: Instant) {
        let dirty = documents.iter().filter(|document| document.is_dirty());
        let versions: BTreeMap<PathBuf, u64> = dirty
            .map(|document| (document.path.clone(), document.version()))
            .collect();
        if versions == self.written {
            self.waiting = None;
            return;
        }
        let (first, last) = match &self.waiting {
            Some((known, first, last)) if *known == versions => (*first, *last),
            Some((_, first, _)) => (*first, now),
            None => (now, now),
        };
        if now - last < WRITE_AFTER && now - first < WRITE_AT_LEAST {
            self.waiting = Some((versions, first, last));
            return;
        }
        self.write(game, documents);
    }

    /// Writes down now what is not saved, and strikes what is.
    pub fn write(&mut self, game: &str, documents: &[Document]) {
        let dirty = documents.iter().filter(|document| document.is_dirty());
        let dirty: BTreeMap<&PathBuf, &Document> = dirty.map(|one| (&one.path, one)).collect();
        self.written.retain(|path, _| {
            let stays = dirty.contains_key(path);
            if !stays {
                // If it stays there it is offered once more: what it says is on disk then.
                let _ = std::fs::remove_file(self.folder.join(file_name(path)));
            }
            stays
        });
        for (path, document) in dirty {
            if self.written.get(path) == Some(&document.version()) {
                continue;
            }
            let entry = Entry {
                game: game.to_owned(),
                name: document.name.clone(),
                path: path.clone(),
                disk: document.on_disk().map(str::to_owned),
                text: document.text().to_owned(),
            };
            let Ok(text) = toml::to_string(&entry) else {
                continue;
            };
            // A journal that cannot be written must not stop the work; it is tried again with the next change.
            if files::write(&self.folder.join(file_name(path)), text.as_bytes()).is_ok() {
                self.written.insert(path.clone(), document.version());
            }
        }
        self.waiting = None;
    }
}

/// What lies in a folder; what says the same as the file on disk is struck.
fn entries(folder: &Path) -> Vec<Leftover> {
    let Ok(files) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = files
        .flatten()
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    paths.sort();
    let leftovers = paths.into_iter().filter_map(|file| {
        let text = files::read_text(&file).ok()?;
        let entry: Entry = toml::from_str(&text).ok()?;
        let disk = files::read_text(&entry.path).ok();
        if disk.as_ref() == Some(&entry.text) {
            let _ = std::fs::remove_file(&file);
            return None;
        }
        Some(Leftover {
            disk_changed: disk != entry.disk,
            entry,
            file,
        })
    });
    leftovers.collect()
}

/// A name for the file of a path: the same path, the same name.
fn file_name(path: &Path) -> String {
    let sum = files::sum_of(path.to_string_lossy().as_bytes());
    format!("{sum:016x}.toml")
}
