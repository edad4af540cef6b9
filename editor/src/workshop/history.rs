//! Undo and redo of one document: every change with what stood there before.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Steps made so far, in all documents.
static STEPS: AtomicU64 = AtomicU64::new(0);

/// A replacement, in bytes of the text before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub range: Range<usize>,
    pub text: String,
}

impl Edit {
    pub fn new(range: Range<usize>, text: impl Into<String>) -> Edit {
        Edit {
            range,
            text: text.into(),
        }
    }

    pub fn insert(at: usize, text: impl Into<String>) -> Edit {
        Edit::new(at..at, text)
    }
}

/// What an edit belongs to; what belongs together is undone in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gesture {
    /// A step of its own: a cell, a fix, a paste.
    Once,
    /// A burst of typing: goes on where the last letter was typed, up to the end of the line or [`History::seal`].
    Typing,
    /// All edits of one drag have its number.
    Drag(u64),
    /// A step of its own in each of the documents that have one of this number: they are taken back together.
    Deed(u64),
}

/// One replacement that was made: what stood at `at`, and what stands there now.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Change {
    at: usize,
    old: String,
    new: String,
}

/// What undo takes back at once.
#[derive(Clone, Debug)]
struct Step {
    /// For menus: `typing`, `set a cell`.
    label: String,
    gesture: Gesture,
    /// Of two steps, in whatever documents, the later one has more.
    made: u64,
    /// In the order they were made.
    changes: Vec<Change>,
}

/// The steps of a document, and which of them are in force.
#[derive(Clone, Debug, Default)]
pub struct History {
    steps: Vec<Step>,
    /// Steps in force; those behind it can be redone.
    at: usize,
    /// How many were in force when the text was saved; none: that state cannot be reached any more.
    saved: Option<usize>,
    /// The last step may be gone on with.
    open: bool,
}

impl History {
    /// A history of a text that is as on disk.
    pub fn new() -> History {
        History {
            saved: Some(0),
            ..History::default()
        }
    }

    pub fn can_undo(&self) -> Option<&str> {
        let step = self.at.checked_sub(1)?;
        Some(&self.steps[step].label)
    }

    pub fn can_redo(&self) -> Option<&str> {
        self.steps.get(self.at).map(|step| step.label.as_str())
    }

    /// When the step was made that the next undo takes back.
    pub(super) fn made(&self) -> Option<u64> {
        Some(self.steps.get(self.at.checked_sub(1)?)?.made)
    }

    /// When the step was made that the next redo makes again.
    pub(super) fn to_make(&self) -> Option<u64> {
        Some(self.steps.get(self.at)?.made)
    }

    /// The deed over several documents that the next undo is of.
    pub(super) fn undoes(&self) -> Option<u64> {
        self.steps.get(self.at.checked_sub(1)?)?.deed()
    }

    /// The deed over several documents that the next redo is of.
    pub(super) fn redoes(&self) -> Option<u64> {
        self.steps.get(self.at)?.deed()
    }

    /// Whether something was done here since a deed over several documents.
    pub(super) fn buries(&self, deed: u64) -> bool {
        let before = self.at.saturating_sub(1);
        let mut steps = self.steps[..before].iter();
        steps.any(|step| step.deed() == Some(deed))
    }

    pub fn is_saved(&self) -> bool {
        self.saved == Some(self.at)
    }

    pub fn mark_saved(&mut self) {
        self.saved = Some(self.at);
        self.open = false;
    }

    /// The text on disk is another one now: no step leads there.
    pub fn mark_unsaved(&mut self) {
        self.saved = None;
    }

    /// Ends a burst of typing or a drag: what comes next is a step of its own.
    pub fn seal(&mut self) {
        self.open = false;
    }

    /// Makes edits, which do not overlap and all mean the text as it is before them. False if one lies outside of the text.
    pub(super) fn apply(
        &mut self,
        text: &mut String,
        label: &str,
        gesture: Gesture,
        mut edits: Vec<Edit>,
    ) -> bool {
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        let apart = edits
            .windows(2)
            .all(|pair| pair[0].range.end <= pair[1].range.start);
        let inside = edits
            .iter()
            .all(|edit| text.get(edit.range.clone()).is_some());
        if !apart || !inside {
            return false;
        }
        // From the end on, so that places before stay where they are.
        let mut changes = Vec::new();
        for edit in edits.into_iter().rev() {
            let old = text[edit.range.clone()].to_owned();
            if old != edit.text {
                text.replace_range(edit.range.clone(), &edit.text);
                changes.push(Change {
                    at: edit.range.start,
                    old,
                    new: edit.text,
                });
            }
        }
        if !changes.is_empty() {
            self.note(label, gesture, changes);
        }
        true
    }

    fn note(&mut self, label: &str, gesture: Gesture, changes: Vec<Change>) {
        self.steps.truncate(self.at);
        if self.saved.is_some_and(|saved| saved > self.at) {
            self.saved = None;
        }
        // The saved state must stay reachable: nothing is added to the step that led to it.
        let goes_on = self.open
            && self.saved != Some(self.at)
            && self
                .steps
                .last()
                .is_some_and(|step| step.takes(gesture, &changes));
        match self.steps.last_mut() {
            Some(step) if goes_on => step.changes.extend(changes),
            _ => {
                self.steps.push(Step {
                    label: label.to_owned(),
                    gesture,
                    made: STEPS.fetch_add(1, Ordering::Relaxed),
                    changes,
                });
                self.at += 1;
            }
        }
        self.open = matches!(gesture, Gesture::Typing | Gesture::Drag(_));
    }

    /// Takes the last step back; the place where the text changed last.
    pub(super) fn undo(&mut self, text: &mut String) -> Option<Range<usize>> {
        self.at = self.at.checked_sub(1)?;
        self.open = false;
        let mut place = None;
        for change in self.steps[self.at].changes.iter().rev() {
            text.replace_range(change.at..change.at + change.new.len(), &change.old);
            place = Some(change.at..change.at + change.old.len());
        }
        place
    }

    /// Makes the next step again; the place where the text changed last.
    pub(super) fn redo(&mut self, text: &mut String) -> Option<Range<usize>> {
        let step = self.steps.get(self.at)?;
        self.at += 1;
        self.open = false;
        let mut place = None;
        for change in &step.changes {
            text.replace_range(change.at..change.at + change.old.len(), &change.new);
            place = Some(change.at..change.at + change.new.len());
        }
        place
    }
}

impl Step {
    fn deed(&self) -> Option<u64> {
        match self.gesture {
            Gesture::Deed(number) => Some(number),
            Gesture::Once | Gesture::Typing | Gesture::Drag(_) => None,
        }
    }

    /// Whether changes go on with this step.
    fn takes(&self, gesture: Gesture, changes: &[Change]) -> bool {
        match (self.gesture, gesture) {
            (Gesture::Drag(own), Gesture::Drag(other)) => own == other,
            (Gesture::Typing, Gesture::Typing) => {
                let ([next], Some(last)) = (changes, self.changes.last()) else {
                    return false;
                };
                let end = last.at + last.new.len();
                let touches = next.at == end || next.at + next.old.len() == end;
                touches && !last.new.contains('\n') && !next.old.contains('\n')
            }
            _ => false,
        }
    }
}
