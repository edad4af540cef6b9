//! What could stand at the cursor, in a list below it.

use crate::window::widgets::choices::{Choice, Choices};
use egui::{Id, Rect, Ui};
use std::ops::Range;

/// One thing that could be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// What is shown.
    pub label: String,
    /// Type or kind, beside it.
    pub detail: String,
    /// What is written in the place of the bytes of `range`; the cursor comes to stand at `$0`, or behind it.
    pub insert: String,
    pub range: Range<usize>,
}

/// The list, open if there is anything in it.
#[derive(Default)]
pub struct Popup {
    offers: Vec<Offer>,
    choices: Choices,
    /// Where the list was closed by hand: it stays closed in this word.
    closed_at: Option<usize>,
}

impl Popup {
    pub fn offer(&mut self, offers: Vec<Offer>) {
        self.offers = offers;
        self.choices = Choices::default();
    }

    pub fn is_open(&self) -> bool {
        !self.offers.is_empty()
    }

    /// Whether a row was clicked, which is taken up in the next frame.
    pub fn is_clicked(&self) -> bool {
        self.choices.is_clicked()
    }

    /// Takes the keys that mean the list; what was picked: the bytes to be replaced, and what by.
    pub fn keys(&mut self, ui: &Ui) -> Option<(Range<usize>, String)> {
        if self.offers.is_empty() {
            return None;
        }
        let choice = self.choices.keys(ui, self.offers.len());
        if choice == Choice::None {
            return None;
        }
        // It stays closed in this word.
        self.closed_at = self.offers.first().map(|offer| offer.range.start);
        let mut offers = std::mem::take(&mut self.offers);
        match choice {
            Choice::Picked(at) => {
                let offer = offers.swap_remove(at);
                Some((offer.range, offer.insert))
            }
            _ => None,
        }
    }

    /// Whether a fresh list is wanted: letters or a dot were typed, or it was asked for.
    pub fn wants(&mut self, text: &str, at: usize, typed: bool, asked: bool) -> bool {
        let before = &text[..at];
        let word = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
        if asked {
            self.closed_at = None;
            return true;
        }
        if !typed {
            // The cursor went elsewhere.
            if self
                .offers
                .first()
                .is_some_and(|offer| at < offer.range.start || at > offer.range.end)
            {
                self.offers.clear();
            }
            return false;
        }
        let in_word = word.len() < at || word.ends_with('.');
        if self.closed_at.is_some_and(|closed| closed != word.len()) {
            self.closed_at = None;
        }
        if !in_word || self.closed_at.is_some() {
            self.offers.clear();
            return false;
        }
        true
    }

    /// Draws the list below the cursor.
    pub fn show_ui(&mut self, ui: &Ui, id: Id, cursor: Rect) {
        if self.offers.is_empty() {
            return;
        }
        let rows = self.offers.iter();
        let rows = rows.map(|offer| (offer.label.as_str(), offer.detail.as_str()));
        self.choices.show_ui(ui, id.with("offers"), cursor, rows);
    }
}
