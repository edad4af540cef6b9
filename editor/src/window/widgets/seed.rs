//! A field for where chance begins. Fields for numbers round what is longer than sixteen digits: seeds are not.

use egui::{Response, TextEdit, Ui};

/// As wide as the longest seed, with the edges of the field.
const WIDTH: f32 = 180.0;
/// Digits of the greatest one.
const DIGITS: usize = 20;

/// Only digits can be written; whether the seed has changed is what the answer says.
pub fn seed_ui(ui: &mut Ui, seed: &mut u64) -> Response {
    let label = ui.label("Seed");
    let mut text = seed.to_string();
    let field = TextEdit::singleline(&mut text)
        .char_limit(DIGITS)
        .desired_width(WIDTH);
    let response = ui.add(field).labelled_by(label.id);
    let written = match text.trim() {
        "" => Some(0),
        digits => digits.parse().ok(),
    };
    if let Some(written) = written {
        *seed = written;
    }
    response
}
