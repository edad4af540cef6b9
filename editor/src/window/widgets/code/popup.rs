//! What could stand at the cursor, in a list below it.

use crate::window::theme;
use egui::{Area, Frame, Id, Key, Modifiers, Order, Rect, RichText, Ui, vec2};
use std::ops::Range;

/// Greatest height of the list.
const HEIGHT_MAX: f32 = 220.0;
const WIDTH: f32 = 380.0;

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
    chosen: usize,
    moved: bool,
    /// A click on an offer, taken up in the next frame.
    clicked: Option<usize>,
    /// Where the list was closed by hand: it stays closed in this word.
    closed_at: Option<usize>,
}

impl Popup {
    pub fn offer(&mut self, offers: Vec<Offer>) {
        self.offers = offers;
        self.chosen = 0;
    }

    /// Takes the keys that mean the list; what was picked: the bytes to be replaced, and what by.
    pub fn keys(&mut self, ui: &Ui) -> Option<(Range<usize>, String)> {
        if self.offers.is_empty() {
            return None;
        }
        let (up, down, pick, close) = ui.input_mut(|input| {
            let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
            (
                pressed(Key::ArrowUp),
                pressed(Key::ArrowDown),
                pressed(Key::Enter) || pressed(Key::Tab),
                pressed(Key::Escape),
            )
        });
        let last = self.offers.len() - 1;
        self.chosen = (self.chosen + usize::from(down))
            .saturating_sub(usize::from(up))
            .min(last);
        self.moved = up || down;
        if close {
            self.closed_at = self.offers.first().map(|offer| offer.range.start);
            self.offers.clear();
        }
        let picked = self.clicked.take().or(pick.then_some(self.chosen));
        let offer = picked.and_then(|at| self.offers.get(at).cloned())?;
        self.offers.clear();
        self.closed_at = Some(offer.range.start);
        Some((offer.range, offer.insert))
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
        let below = cursor.left_bottom() + vec2(0.0, 4.0);
        Area::new(id.with("offers"))
            .order(Order::Foreground)
            .fixed_pos(below)
            .constrain(true)
            .show(ui.ctx(), |ui| {
                Frame::popup(ui.style()).show(ui, |ui| {
                    ui.set_width(WIDTH);
                    egui::ScrollArea::vertical()
                        .max_height(HEIGHT_MAX)
                        .show(ui, |ui| self.list_ui(ui));
                });
            });
    }

    fn list_ui(&mut self, ui: &mut Ui) {
        ui.spacing_mut().item_spacing.y = 0.0;
        for (at, offer) in self.offers.iter().enumerate() {
            let label = RichText::new(&offer.label).monospace();
            let button = egui::Button::selectable(at == self.chosen, label)
                .right_text(RichText::new(&offer.detail).weak())
                .truncate()
                .min_size(vec2(ui.available_width(), theme::ROW - 2.0));
            let row = ui.add(button);
            if at == self.chosen && self.moved {
                row.scroll_to_me(None);
            }
            if row.clicked() {
                self.clicked = Some(at);
            }
        }
    }
}
