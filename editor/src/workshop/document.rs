//! One file that is open: its text with the edits made to it, and what lies on disk.

use super::history::{Edit, Gesture, History};
use super::outside::{Disk, Outside};
use crate::files;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// See the module.
#[derive(Clone, Debug)]
pub struct Document {
    /// Where it lies.
    pub path: PathBuf,
    /// As the source set names it: `game/rules/play.rules`.
    pub name: String,
    text: String,
    version: u64,
    history: History,
    disk: Disk,
}

impl Document {
    /// Opens a file; one that is not there yet is empty and not saved.
    ///
    /// # Errors
    /// What is wrong with the file, and what to do about it.
    pub fn open(path: &Path, name: impl Into<String>) -> Result<Document, (String, String)> {
        let disk = Disk::read(path)?;
        let mut history = History::new();
        if disk.text().is_none() {
            history.mark_unsaved();
        }
        Ok(Document {
            path: path.to_path_buf(),
            name: name.into(),
            text: disk.text().unwrap_or_default().to_owned(),
            version: 0,
            history,
            disk,
        })
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Grows with every change of the text: equal versions, equal texts.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// What the next undo and redo are of.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Whether there is something to save.
    pub fn is_dirty(&self) -> bool {
        !self.history.is_saved()
    }

    /// Makes edits that belong together: they do not overlap and all mean the text as it is now. False, and nothing
    /// happens, if one lies outside of the text.
    pub fn edit(&mut self, label: &str, gesture: Gesture, edits: Vec<Edit>) -> bool {
        let done = self.history.apply(&mut self.text, label, gesture, edits);
        self.version += u64::from(done);
        done
    }

    /// Makes the text this one, as one edit of the part that differs: for text fields that hand back the whole.
    pub fn set_text(&mut self, label: &str, gesture: Gesture, text: &str) {
        let edit = difference(&self.text, text);
        if let Some(edit) = edit {
            self.edit(label, gesture, vec![edit]);
        }
    }

    /// Ends a burst of typing or a drag.
    pub fn seal(&mut self) {
        self.history.seal();
    }

    /// Takes the last step back; where the text changed.
    pub fn undo(&mut self) -> Option<Range<usize>> {
        let place = self.history.undo(&mut self.text);
        self.version += u64::from(place.is_some());
        place
    }

    /// Makes the step again that was taken back last; where the text changed.
    pub fn redo(&mut self) -> Option<Range<usize>> {
        let place = self.history.redo(&mut self.text);
        self.version += u64::from(place.is_some());
        place
    }

    /// Writes the text to its file.
    ///
    /// # Errors
    /// What the system says, in words. The document stays unsaved.
    pub fn save(&mut self) -> Result<(), String> {
        // The last line ends too, for whoever reads the file line by line.
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            let end = Edit::insert(self.text.len(), "\n");
            self.edit("end the last line", Gesture::Once, vec![end]);
        }
        files::write(&self.path, self.text.as_bytes()).map_err(|error| {
            format!(
                "`{}` cannot be written: {}",
                self.name,
                files::in_words(&error)
            )
        })?;
        self.disk = Disk::written(&self.path, self.text.clone());
        self.history.mark_saved();
        Ok(())
    }

    /// Looks whether the file has been changed by somebody else since it was read or written here.
    pub fn look_outside(&mut self) -> Outside {
        self.disk.look(&self.path)
    }

    /// Goes on with this text, whatever lies on disk; saving writes over that.
    pub fn keep_mine(&mut self, theirs: Option<String>) {
        self.disk = Disk::seen(&self.path, theirs);
        if self.disk.text() == Some(self.text.as_str()) {
            self.history.mark_saved();
        } else {
            self.history.mark_unsaved();
        }
    }

    /// Takes what lies on disk, as one step that can be undone.
    pub fn take_theirs(&mut self, theirs: String) {
        self.set_text("take what was changed outside", Gesture::Once, &theirs);
        self.disk = Disk::seen(&self.path, Some(theirs));
        self.history.mark_saved();
    }

    /// What lies on disk, as far as it is known; none: no such file.
    pub fn on_disk(&self) -> Option<&str> {
        self.disk.text()
    }
}

/// The smallest edit that makes one text the other; none if they are equal.
pub(crate) fn difference(old: &str, new: &str) -> Option<Edit> {
    if old == new {
        return None;
    }
    let same = |(a, b): &(char, char)| a == b;
    let before: usize = old
        .chars()
        .zip(new.chars())
        .take_while(same)
        .map(|(letter, _)| letter.len_utf8())
        .sum();
    let after: usize = old[before..]
        .chars()
        .rev()
        .zip(new[before..].chars().rev())
        .take_while(same)
        .map(|(letter, _)| letter.len_utf8())
        .sum();
    Some(Edit::new(
        before..old.len() - after,
        &new[before..new.len() - after],
    ))
}
