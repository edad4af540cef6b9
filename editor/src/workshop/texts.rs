//! Documents of the game that is open: opening, saving, recovering, and what others do to their files.

use super::document::Document;
use super::history::{Gesture, History};
use super::whole::{News, Workshop, no_game};
use dsl::source::SourceSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

impl Workshop {
    /// The texts of the game as they are now, unsaved edits included.
    pub fn sources(&self) -> Option<&SourceSet> {
        self.open.as_ref().map(|open| &open.sources)
    }

    /// Of the texts, the overlays and the options: equal versions, equal rules. 0: no game is open.
    pub fn version(&self) -> u64 {
        self.open.as_ref().map_or(0, |open| open.version)
    }

    /// Where a file of the game lies.
    pub fn path(&self, name: &str) -> Option<&Path> {
        let open = self.open.as_ref()?;
        let file = open.loaded.sources.find(name)?;
        open.loaded.paths.get(file.0 as usize).map(PathBuf::as_path)
    }

    /// Files of the game that is open and of what it extends, by name: the source set knows other games' manifests too.
    pub fn own_files(&self) -> Vec<&str> {
        let Some(open) = &self.open else {
            return Vec::new();
        };
        let chain = self.project.chain(&open.id);
        let own = |path: &&str| {
            let folder = path.split('/').next().unwrap_or_default();
            chain.contains(&folder)
        };
        let mut names: Vec<&str> = open.sources.paths().filter(own).collect();
        names.sort_unstable();
        names
    }

    /// Documents that are open, in the order they were opened.
    pub fn documents(&self) -> &[Document] {
        self.open.as_ref().map_or(&[], |open| &open.documents)
    }

    /// Opens a file of this or another game, named as the source set names it; one that is open already stays as it is.
    ///
    /// # Errors
    /// What is wrong, in a sentence.
    pub fn document(&mut self, name: &str) -> Result<&mut Document, String> {
        let path = self.path(name).map(Path::to_path_buf);
        let path = path.or_else(|| self.path_elsewhere(name));
        let Some(open) = &mut self.open else {
            return Err("no game is open".into());
        };
        if let Some(at) = open.documents.iter().position(|other| other.name == name) {
            return Ok(&mut open.documents[at]);
        }
        let path = path.ok_or_else(|| format!("there is no file `{name}`"))?;
        let document = Document::open(&path, name)
            .map_err(|(message, help)| format!("`{name}`: {message}; {help}"))?;
        open.documents.push(document);
        // Never seen: what lies on disk may differ from what was loaded.
        open.seen.push(u64::MAX);
        let last = open.documents.len() - 1;
        Ok(&mut open.documents[last])
    }

    /// Where a file of another game lies.
    fn path_elsewhere(&self, name: &str) -> Option<PathBuf> {
        let (game, rest) = name.split_once('/')?;
        let path = self.project.library.folder_of(game)?.join(rest);
        path.is_file().then_some(path)
    }

    /// Opens a file of the game that may not be there yet: saving makes it.
    ///
    /// # Errors
    /// What is wrong, in a sentence.
    pub(super) fn new_document(
        &mut self,
        name: &str,
        path: &Path,
    ) -> Result<&mut Document, String> {
        let known = self.documents().iter().any(|one| one.name == name);
        if known || self.path(name).is_some() {
            return self.document(name);
        }
        let open = self.open.as_mut().ok_or_else(no_game)?;
        let document = Document::open(path, name)
            .map_err(|(message, help)| format!("`{name}`: {message}; {help}"))?;
        open.documents.push(document);
        open.seen.push(u64::MAX);
        let last = open.documents.len() - 1;
        Ok(&mut open.documents[last])
    }

    /// Takes an unsaved text that was left behind by a program that ended into its document; its game must be open.
    ///
    /// # Errors
    /// What is wrong, in a sentence.
    pub fn recover(&mut self, at: usize) -> Result<String, String> {
        let journal = self.journal.as_ref().ok_or("there is no journal")?;
        let leftover = journal
            .leftovers()
            .get(at)
            .ok_or("there is nothing left behind")?;
        let entry = leftover.entry.clone();
        if self.open.as_ref().is_none_or(|open| open.id != entry.game) {
            self.open_game(&entry.game)?;
        }
        let document = self.new_document(&entry.name, &entry.path)?;
        document.set_text("recover unsaved work", Gesture::Once, &entry.text);
        if let Some(journal) = &mut self.journal {
            journal.take(at);
        }
        Ok(entry.name)
    }

    /// Takes back what was done last in a document, and in all others that the same deed touched; where that one changed, none:
    /// there is nothing to take back.
    ///
    /// # Errors
    /// If one of the others has been changed since.
    pub fn undo(&mut self, name: &str) -> Result<Option<Range<usize>>, String> {
        let deed = self.document(name)?.history().undoes();
        self.step(name, deed, |history| history.undoes(), Document::undo)
    }

    /// Makes again what was taken back last in a document, and in all others that the same deed touched.
    ///
    /// # Errors
    /// If one of the others has been changed since.
    pub fn redo(&mut self, name: &str) -> Result<Option<Range<usize>>, String> {
        let deed = self.document(name)?.history().redoes();
        self.step(name, deed, |history| history.redoes(), Document::redo)
    }

    /// Of tables and drawings, which hands change several of in turn: the document with what was done last, or taken back last.
    pub fn done_last(&self, back: bool) -> Option<String> {
        let documents = self.documents().iter();
        let by_hand = documents.filter(|document| document.name.ends_with(".toml"));
        let step = |document: &&Document| match back {
            true => document.history().made(),
            false => document.history().to_make().map(|made| u64::MAX - made),
        };
        let last = by_hand.filter(|one| step(one).is_some()).max_by_key(step);
        last.map(|document| document.name.clone())
    }

    fn step(
        &mut self,
        name: &str,
        deed: Option<u64>,
        next: fn(&History) -> Option<u64>,
        go: fn(&mut Document) -> Option<Range<usize>>,
    ) -> Result<Option<Range<usize>>, String> {
        let Some(open) = &mut self.open else {
            return Err(no_game());
        };
        let with = |document: &Document| {
            document.name == name || deed.is_some() && next(document.history()) == deed
        };
        let buried = |document: &&Document| {
            let history = document.history();
            !with(document) && deed.is_some_and(|deed| history.buries(deed))
        };
        if let Some(other) = open.documents.iter().find(buried) {
            return Err(format!(
                "this was done together with `{}`, which has been changed since: undo that first",
                other.name
            ));
        }
        let mut place = None;
        for document in open.documents.iter_mut().filter(|one| with(one)) {
            let changed = go(document);
            if document.name == name {
                place = changed;
            }
        }
        Ok(place)
    }

    /// Closes a document; unsaved edits are lost.
    pub fn close(&mut self, name: &str) {
        let Some(open) = &mut self.open else { return };
        let Some(at) = open.documents.iter().position(|other| other.name == name) else {
            return;
        };
        let document = open.documents.remove(at);
        open.seen.remove(at);
        match document.on_disk() {
            Some(text) if open.loaded.sources.find(name).is_some() => {
                open.sources.insert(document.name.clone(), text);
                open.version += 1;
            }
            // The file has been taken away, or was never there.
            _ => open.gather(),
        }
    }

    /// Gives up all edits that are not saved, in the journal too.
    pub fn give_up(&mut self) {
        let dirty = self.documents().iter().filter(|one| one.is_dirty());
        let names: Vec<String> = dirty.map(|one| one.name.clone()).collect();
        names.iter().for_each(|name| self.close(name));
        if let (Some(open), Some(journal)) = (&self.open, &mut self.journal) {
            journal.write(&open.id, &[]);
        }
    }

    /// Whether a document has unsaved edits.
    pub fn is_dirty(&self) -> bool {
        self.documents().iter().any(Document::is_dirty)
    }

    /// Writes all documents with unsaved edits.
    ///
    /// # Errors
    /// What could not be written, and why; the others are.
    pub fn save_all(&mut self) -> Result<(), Vec<String>> {
        let Some(open) = &mut self.open else {
            return Ok(());
        };
        let dirty = open.documents.iter_mut().filter(|one| one.is_dirty());
        let errors: Vec<String> = dirty.filter_map(|one| one.save().err()).collect();
        open.conflicts.clear();
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }

    // ---------------------------------------------------------------------------------------------- outside

    /// Looks whether files were changed, made or taken away by somebody else, if the system says that something happened,
    /// or cannot say it and a second has gone by. To be called once a frame.
    pub fn look_if_due(&mut self, now: Instant) -> Vec<News> {
        if self.open.is_some() && self.watch.is_due(now) {
            self.look_outside()
        } else {
            Vec::new()
        }
    }

    /// Whether the system says when files change, so that no frame is needed to look.
    pub fn is_watched(&self) -> bool {
        self.watch.is_told()
    }

    /// Looks whether files were changed, made or taken away by somebody else.
    pub fn look_outside(&mut self) -> Vec<News> {
        match &mut self.open {
            Some(open) => open.look_outside(&self.project.library),
            None => Vec::new(),
        }
    }

    /// Goes on with the document as it is here; saving writes over what lies on disk.
    pub fn keep_mine(&mut self, name: &str, theirs: Option<String>) {
        self.settle(name, |document| document.keep_mine(theirs));
    }

    /// Takes what lies on disk, as a step that can be undone.
    pub fn take_theirs(&mut self, name: &str, theirs: String) {
        self.settle(name, |document| document.take_theirs(theirs));
    }

    fn settle(&mut self, name: &str, how: impl FnOnce(&mut Document)) {
        let Some(open) = &mut self.open else { return };
        open.conflicts.retain(|other| other != name);
        if let Some(document) = open.documents.iter_mut().find(|one| one.name == name) {
            how(document);
        }
    }
}
