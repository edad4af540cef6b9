//! The texts of the game that is open, as they lie on disk and as they are edited here.

use super::checker::{Checked, Request};
use super::document::Document;
use super::outside::{Outside, Stamp, stamp};
use super::whole::News;
use crate::files::{Library, Loaded};
use dsl::assembly::Selection;
use dsl::source::SourceSet;
use dsl::syntax::ast::AssignOp;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The game that is open.
pub(super) struct Open {
    pub(super) id: String,
    /// As it lies on disk.
    pub(super) loaded: Loaded,
    pub(super) folders: BTreeMap<PathBuf, Stamp>,
    pub(super) stamps: Vec<Stamp>,
    /// With the texts of the documents.
    pub(super) sources: SourceSet,
    pub(super) documents: Vec<Document>,
    /// Versions of the documents that are in `sources`.
    pub(super) seen: Vec<u64>,
    /// Conflicts that are told and not settled.
    pub(super) conflicts: Vec<String>,
    /// Deeds over several documents so far.
    pub(super) deeds: u64,
    pub(super) stack: Vec<String>,
    pub(super) options: Vec<(String, AssignOp, String)>,
    /// The language that is read.
    pub(super) language: Option<String>,
    pub(super) target: Option<String>,
    pub(super) version: u64,
    pub(super) asked: u64,
    pub(super) checked: Option<Arc<Checked>>,
    pub(super) good: Option<Arc<Checked>>,
}

impl Open {
    /// `version`: of the texts, greater than that of any before.
    pub(super) fn read(library: &Library, id: String, version: u64) -> Open {
        let loaded = Loaded::game(library, &id);
        let mut open = Open {
            id,
            sources: loaded.sources.clone(),
            loaded,
            folders: BTreeMap::new(),
            stamps: Vec::new(),
            documents: Vec::new(),
            seen: Vec::new(),
            conflicts: Vec::new(),
            deeds: 0,
            stack: Vec::new(),
            options: Vec::new(),
            language: None,
            target: None,
            version,
            asked: 0,
            checked: None,
            good: None,
        };
        open.note_stamps();
        open
    }

    pub(super) fn request(&self) -> Request {
        Request {
            version: self.version,
            sources: self.sources.clone(),
            game: self.id.clone(),
            selection: Selection {
                overlays: self.stack.clone(),
                options: self.options.clone(),
                language: self.language.clone(),
            },
            target: self.target.clone(),
        }
    }

    pub(super) fn take(&mut self, checked: Arc<Checked>) {
        if checked.rules().is_some() {
            self.good = Some(checked.clone());
        }
        self.checked = Some(checked);
    }

    /// Puts the documents' texts into the sources.
    pub(super) fn note_documents(&mut self) {
        for (document, seen) in self.documents.iter().zip(&mut self.seen) {
            if *seen != document.version() {
                *seen = document.version();
                self.sources.insert(document.name.clone(), document.text());
                self.version += 1;
            }
        }
    }

    /// The texts as they lie on disk, and over them those of the documents. File ids may be others then: all that was
    /// checked before keeps its own sources.
    pub(super) fn gather(&mut self) {
        self.sources = self.loaded.sources.clone();
        for document in &self.documents {
            self.sources.insert(document.name.clone(), document.text());
        }
        self.version += 1;
    }

    pub(super) fn note_stamps(&mut self) {
        let files = || self.loaded.paths.iter().chain(&self.loaded.picture_paths);
        self.stamps = files().map(|path| stamp(path)).collect();
        let folders = files().filter_map(|path| path.parent());
        self.folders = folders
            .map(|folder| (folder.to_path_buf(), stamp(folder)))
            .collect();
    }

    pub(super) fn look_outside(&mut self, library: &Library) -> Vec<News> {
        let mut news = Vec::new();
        for document in &mut self.documents {
            let theirs = match document.look_outside() {
                Outside::Same => continue,
                Outside::Unreadable(why) => {
                    let name = document.name.clone();
                    news.push(News::Unreadable { name, why });
                    continue;
                }
                Outside::Changed(theirs) if !document.is_dirty() => {
                    document.take_theirs(theirs);
                    news.push(News::Reread(document.name.clone()));
                    continue;
                }
                Outside::Changed(theirs) => Some(theirs),
                Outside::Gone => None,
            };
            if !self.conflicts.contains(&document.name) {
                self.conflicts.push(document.name.clone());
                let name = document.name.clone();
                news.push(News::Conflict { name, theirs });
            }
        }
        let files = self.loaded.paths.iter().chain(&self.loaded.picture_paths);
        let touched = files.zip(&self.stamps);
        let touched = touched
            .filter(|(path, known)| stamp(path) != **known)
            .count()
            > 0
            || self
                .folders
                .iter()
                .any(|(folder, known)| stamp(folder) != *known);
        if touched {
            news.extend(self.reread(library).into_iter().map(News::Reread));
        }
        news
    }

    /// Reads all files again; the names of those that differ and are not open as documents.
    pub(super) fn reread(&mut self, library: &Library) -> Vec<String> {
        let loaded = Loaded::game(library, &self.id);
        let old = std::mem::replace(&mut self.loaded, loaded);
        self.note_stamps();
        let text = |set: &SourceSet, name: &str| set.find(name).map(|id| set.text(id).to_owned());
        let names: Vec<&str> = self
            .loaded
            .sources
            .paths()
            .chain(old.sources.paths())
            .collect();
        let mut differ: Vec<String> = names
            .into_iter()
            .filter(|name| text(&self.loaded.sources, name) != text(&old.sources, name))
            .map(str::to_owned)
            .collect();
        let pictures = [&self.loaded, &old].map(|one| one.sources.pictures());
        let pictures = pictures.into_iter().flatten().map(|picture| picture.path());
        let other = |name: &&str| self.loaded.sources.picture(name) != old.sources.picture(name);
        differ.extend(pictures.filter(other).map(str::to_owned));
        differ.sort();
        differ.dedup();
        if differ.is_empty() {
            return differ;
        }
        self.gather();
        differ.retain(|name| !self.documents.iter().any(|one| one.name == *name));
        differ
    }
}
