//! Files that somebody else changes while they are open here.

use crate::files;
use similar::{ChangeTag, TextDiff};
use std::path::Path;
use std::time::SystemTime;

/// What is known of a file on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disk {
    stamp: Stamp,
    /// None: there is no such file.
    text: Option<String>,
}

/// What tells without reading that a file may have changed.
pub(super) type Stamp = Option<(Option<SystemTime>, u64)>;

/// What a look at the disk showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outside {
    Same,
    /// This is what lies there now.
    Changed(String),
    Gone,
    /// It is there and cannot be read: why.
    Unreadable(String),
}

impl Disk {
    /// Reads a file.
    ///
    /// # Errors
    /// What is wrong with it, and what to do; that there is none is no error.
    pub fn read(path: &Path) -> Result<Disk, (String, String)> {
        let stamp = stamp(path);
        let text = match path.exists() {
            true => Some(files::read_text(path)?),
            false => None,
        };
        Ok(Disk { stamp, text })
    }

    /// What has just been written.
    pub fn written(path: &Path, text: String) -> Disk {
        Disk::seen(path, Some(text))
    }

    /// What has just been looked at.
    pub fn seen(path: &Path, text: Option<String>) -> Disk {
        Disk {
            stamp: stamp(path),
            text,
        }
    }

    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// Looks again. A file that was only touched is the same.
    pub fn look(&mut self, path: &Path) -> Outside {
        let now = stamp(path);
        if now == self.stamp {
            return Outside::Same;
        }
        if now.is_none() {
            return match self.text {
                Some(_) => Outside::Gone,
                None => Outside::Same,
            };
        }
        match files::read_text(path) {
            Ok(text) if self.text.as_deref() == Some(&text) => {
                self.stamp = now;
                Outside::Same
            }
            Ok(text) => Outside::Changed(text),
            Err((message, _)) => Outside::Unreadable(message),
        }
    }
}

/// The stamp of a file or folder; none: it is not there.
pub(super) fn stamp(path: &Path) -> Stamp {
    let data = std::fs::metadata(path).ok()?;
    Some((data.modified().ok(), data.len()))
}

/// A line of two texts beside each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffLine {
    pub side: Side,
    pub text: String,
}

/// Which of two texts has a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Both,
    /// Only the first.
    Mine,
    /// Only the second.
    Theirs,
}

/// Both texts line by line, in one list.
pub fn lines(mine: &str, theirs: &str) -> Vec<DiffLine> {
    let diff = TextDiff::from_lines(mine, theirs);
    diff.iter_all_changes()
        .map(|change| DiffLine {
            side: match change.tag() {
                ChangeTag::Equal => Side::Both,
                ChangeTag::Delete => Side::Mine,
                ChangeTag::Insert => Side::Theirs,
            },
            text: change.value().trim_end_matches(['\n', '\r']).to_owned(),
        })
        .collect()
}
