//! What can be done about the mistakes of a line, in a list below the cursor.

use crate::window::Command;
use crate::window::widgets::choices::{Choice, Choices};
use crate::workshop::Workshop;
use crate::workshop::document::Document;
use dsl::service::Fix;
use egui::{Id, Rect, Ui};
use std::ops::Range;

/// What can be mended in the line of the cursor, and the list of it, open or not.
#[derive(Default)]
pub struct FixMenu {
    /// Version of the texts, file and line that the fixes are of.
    known: Option<(u64, String, usize)>,
    fixes: Vec<Fix>,
    open: Option<Choices>,
}

impl FixMenu {
    pub fn fixes(&self) -> &[Fix] {
        &self.fixes
    }

    pub fn open(&mut self) {
        self.open = Some(Choices::default());
    }

    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Takes the keys that mean the list.
    pub fn keys(&mut self, ui: &Ui, out: &mut Vec<Command>) {
        let Some(choices) = &mut self.open else {
            return;
        };
        match choices.keys(ui, self.fixes.len()) {
            Choice::None => return,
            Choice::Closed => {}
            Choice::Picked(at) => {
                let fix = self.fixes[at].clone();
                out.push(Command::Edit(fix.title, fix.edits));
            }
        }
        self.open = None;
    }

    /// Draws the list, if it is open; `place`: where the cursor is, while the text has the focus.
    pub fn show_ui(&mut self, ui: &Ui, place: Option<Rect>) {
        let clicked = self.open.as_ref().is_some_and(Choices::is_clicked);
        if self.fixes.is_empty() || place.is_none() && !clicked {
            self.open = None;
        }
        if let (Some(choices), Some(place)) = (&mut self.open, place) {
            let rows = self.fixes.iter().map(|fix| (fix.title.as_str(), ""));
            choices.show_ui(ui, Id::unique("fixes"), place, rows);
        }
    }

    /// Looks what can be mended in the line that holds a byte.
    pub fn refresh(&mut self, shop: &Workshop, document: &Document, at: usize) {
        let Some(checked) = shop.checked() else {
            return;
        };
        let line = line_of(document.text(), at);
        let now = (checked.version, document.name.clone(), line.start);
        if self.known.as_ref() == Some(&now) {
            return;
        }
        self.known = Some(now);
        self.open = None;
        self.fixes = Vec::new();
        let Some(file) = checked.sources.find(&document.name) else {
            return;
        };
        let here = checked.problems().filter(|problem| {
            let start = problem.span.start as usize;
            problem.span.file == file && line.start <= start && start <= line.end
        });
        for fix in here.flat_map(|problem| shop.fixes(problem)) {
            if !self.fixes.contains(&fix) {
                self.fixes.push(fix);
            }
        }
    }
}

/// The line that holds a byte.
pub fn line_of(text: &str, at: usize) -> Range<usize> {
    let before = text.get(..at).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let rest = text.get(start..).unwrap_or_default();
    start..start + rest.find('\n').unwrap_or(rest.len())
}
