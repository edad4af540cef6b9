//! What fields for short texts have in common.

use egui::text::{CCursor, CCursorRange};
use egui::{Response, TextEdit};

/// Gives a field the focus, with all its text selected: what is typed next takes its place.
pub fn choose(field: &Response, text: &str) {
    field.request_focus();
    let all = CCursorRange::two(CCursor::new(0), CCursor::new(text.chars().count()));
    let mut state = TextEdit::load_state(&field.ctx, field.id).unwrap_or_default();
    state.cursor.set_char_range(Some(all));
    TextEdit::store_state(&field.ctx, field.id, state);
}

/// Gives a field the focus, with the cursor behind its text.
pub fn end(field: &Response, text: &str) {
    field.request_focus();
    let end = CCursorRange::one(CCursor::new(text.chars().count()));
    let mut state = TextEdit::load_state(&field.ctx, field.id).unwrap_or_default();
    state.cursor.set_char_range(Some(end));
    TextEdit::store_state(&field.ctx, field.id, state);
}
