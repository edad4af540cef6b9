//! A list below a place of a text, for the keyboard and the pointer: the cursor stays where it is meanwhile.

use crate::window::theme;
use egui::{Area, Frame, Id, Key, Modifiers, Order, Rect, RichText, Ui, vec2};

/// Greatest height of the list.
const HEIGHT_MAX: f32 = 220.0;
const WIDTH: f32 = 380.0;

/// Which row is chosen.
#[derive(Default)]
pub struct Choices {
    chosen: usize,
    moved: bool,
    /// A click on a row, taken up in the next frame.
    clicked: Option<usize>,
}

/// What was done with the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    None,
    /// A row, by its number.
    Picked(usize),
    Closed,
}

impl Choices {
    /// Takes the keys that mean a list of `count` rows.
    pub fn keys(&mut self, ui: &Ui, count: usize) -> Choice {
        let (up, down, pick, close) = ui.input_mut(|input| {
            let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
            (
                pressed(Key::ArrowUp),
                pressed(Key::ArrowDown),
                pressed(Key::Enter) || pressed(Key::Tab),
                pressed(Key::Escape),
            )
        });
        self.chosen = (self.chosen + usize::from(down))
            .saturating_sub(usize::from(up))
            .min(count.saturating_sub(1));
        self.moved = up || down;
        match self.clicked.take().or(pick.then_some(self.chosen)) {
            Some(at) if at < count => Choice::Picked(at),
            _ if close => Choice::Closed,
            _ => Choice::None,
        }
    }

    /// Whether a row was clicked, which is taken up in the next frame.
    pub fn is_clicked(&self) -> bool {
        self.clicked.is_some()
    }

    /// Draws the list below a place; a row is what it says, and what is said beside it.
    pub fn show_ui<'r>(
        &mut self,
        ui: &Ui,
        id: Id,
        place: Rect,
        rows: impl Iterator<Item = (&'r str, &'r str)>,
    ) {
        let below = place.left_bottom() + vec2(0.0, 4.0);
        Area::new(id)
            .order(Order::Foreground)
            .fixed_pos(below)
            .constrain(true)
            .show(ui.ctx(), |ui| {
                Frame::popup(ui.style()).show(ui, |ui| {
                    ui.set_width(WIDTH);
                    egui::ScrollArea::vertical()
                        .max_height(HEIGHT_MAX)
                        .show(ui, |ui| self.rows_ui(ui, rows));
                });
            });
    }

    fn rows_ui<'r>(&mut self, ui: &mut Ui, rows: impl Iterator<Item = (&'r str, &'r str)>) {
        ui.spacing_mut().item_spacing.y = 0.0;
        for (at, (label, detail)) in rows.enumerate() {
            let label = RichText::new(label).monospace();
            let button = egui::Button::selectable(at == self.chosen, label)
                .right_text(RichText::new(detail).weak())
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
