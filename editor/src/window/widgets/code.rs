//! A text editor for rules: line numbers, marks in the margin, squiggles, hints under the pointer, completion.

mod layout;
mod popup;

pub use popup::Offer;

use crate::window::theme::{self, Colours};
use dsl::service::Language;
use egui::text::{CCursor, CCursorRange};
use egui::{
    Event, EventFilter, Id, Key, Margin, Modifiers, Pos2, Rect, Response, Shape, Stroke,
    StrokeKind, TextEdit, Ui, pos2, vec2,
};
use layout::Laid;
use popup::Popup;
use std::ops::Range;
use std::time::Duration;

/// Between the line numbers and the text.
const GUTTER_GAP: f32 = 14.0;
/// Below the last line, so that it is not written at the very edge.
const BELOW: i8 = 60;
/// Beside the text for the bars to scroll, so that they do not lie on it.
const BARS: f32 = 8.0;
/// Height of a wave under a word.
const WAVE: f32 = 2.0;
/// How long the pointer rests on a word until the hint is shown.
const HINT_AFTER: Duration = Duration::from_millis(350);

/// How bad a mark is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    Warning,
    Error,
}

/// A part of the text to be underlined, and marked in the margin.
#[derive(Clone, Debug)]
pub struct Mark {
    /// In bytes.
    pub range: Range<usize>,
    pub weight: Weight,
    pub message: String,
}

/// What is shown: a file's text and what is wrong with it.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    /// For people who do not see it.
    pub name: &'a str,
    pub text: &'a str,
    pub language: Language,
    pub marks: &'a [Mark],
    /// Parts that were looked for.
    pub found: &'a [Range<usize>],
    /// The one of them that is looked at.
    pub meant: Option<&'a Range<usize>>,
    /// In the line of this byte something can be mended.
    pub bulb: Option<usize>,
}

/// What an editor remembers between frames.
#[derive(Default)]
pub struct CodeView {
    buffer: String,
    laid: Option<Laid>,
    popup: Popup,
    /// Where the cursor is on the screen, while there may be a list below it.
    place: Option<Rect>,
    /// To be selected and scrolled to in the next frame; whether the focus comes here.
    goal: Option<(Range<usize>, bool)>,
    /// The focus comes here in the next frame.
    wants_focus: bool,
    /// Width of the numbers beside the text.
    margin: f32,
}

/// What happened in a frame. Places are bytes of the text.
#[derive(Default)]
pub struct CodeAnswer {
    /// The text, if it was changed.
    pub text: Option<String>,
    /// Where the cursor is, while the editor has the focus.
    pub cursor: Option<usize>,
    /// What is selected, while it has the focus.
    pub selected: Range<usize>,
    /// Where the cursor is on the screen, while there may be a list below it.
    pub cursor_place: Option<Rect>,
    /// The sign that something can be mended was clicked.
    pub bulb: bool,
    /// The text's own, for a menu.
    pub response: Option<Response>,
    /// The pointer rests here: what is there to be said?
    pub hint_at: Option<usize>,
    /// Clicked with the command key: where is it declared?
    pub follow: Option<usize>,
    /// A fresh list for this place is wanted; hand it to [`CodeView::offer`].
    pub complete: Option<usize>,
}

impl CodeView {
    /// Selects a part of the text and brings it into view, to be worked on.
    pub fn go_to(&mut self, range: Range<usize>) {
        self.goal = Some((range, true));
    }

    /// Selects a part of the text and brings it into view, to be looked at.
    pub fn reveal(&mut self, range: Range<usize>) {
        self.goal = Some((range, false));
    }

    /// Goes on where the cursor is.
    pub fn focus(&mut self) {
        self.wants_focus = true;
    }

    /// Shows what could stand at the cursor.
    pub fn offer(&mut self, mut offers: Vec<Offer>) {
        // A word that is whole needs no list, which would take the keys.
        if let [only] = offers.as_slice()
            && self.buffer.get(only.range.clone()) == Some(&only.insert)
        {
            offers.clear();
        }
        self.popup.offer(offers);
    }

    pub fn show_ui(&mut self, ui: &mut Ui, id: Id, shown: Shown) -> CodeAnswer {
        if self.buffer != shown.text {
            self.buffer = shown.text.to_owned();
        }
        let has_focus = ui.memory(|memory| memory.has_focus(id));
        // A click on the list took the focus away.
        let picked = if has_focus || self.popup.is_clicked() {
            self.popup.keys(ui)
        } else {
            None
        };
        if has_focus {
            indent(ui, &self.buffer, id);
        }
        let reveal = self.select_goal(ui, id);
        let frame = egui::Frame::new().fill(theme::colours(ui.style()).card);
        let scrolled = frame.show(ui, |ui| {
            ui.spacing_mut().scroll.floating_allocated_width = BARS;
            egui::ScrollArea::both()
                .auto_shrink(false)
                .id_salt(id)
                .show(ui, |ui| self.inside_ui(ui, id, shown, reveal))
        });
        let mut answer = scrolled.inner.inner;
        if !has_focus {
            answer.cursor = None;
        }
        if let Some((range, insert)) = picked {
            self.insert(ui, id, range, &insert);
            answer.text = Some(self.buffer.clone());
        }
        answer
    }

    fn inside_ui(
        &mut self,
        ui: &mut Ui,
        id: Id,
        shown: Shown,
        reveal: Option<usize>,
    ) -> CodeAnswer {
        let mut answer = CodeAnswer::default();
        let behind = ui.painter().add(Shape::Noop);
        let output = self.text_ui(ui, id, shown);
        let Some(laid) = &self.laid else {
            return answer;
        };
        let response = &output.response.response;
        let origin = output.galley_pos;
        let colours = theme::colours(ui.style());
        let found = shown.found.iter();
        let found = found.flat_map(|range| laid.rects(range.clone()));
        let found = found.map(|rect| rect.translate(origin.to_vec2()));
        let found = found.map(|rect| Shape::rect_filled(rect, 2.0, colours.found));
        let meant = shown
            .meant
            .into_iter()
            .flat_map(|range| laid.rects(range.clone()));
        let meant = meant.map(|rect| rect.translate(origin.to_vec2()).expand(1.0));
        let edge = Stroke::new(1.5, colours.glow);
        let meant = meant.map(|rect| Shape::rect_stroke(rect, 2.0, edge, StrokeKind::Outside));
        ui.painter()
            .set(behind, Shape::Vec(found.chain(meant).collect()));
        answer.bulb = laid.margin_ui(ui, (origin, self.margin), &shown, colours);
        if answer.bulb {
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        for mark in shown.marks {
            squiggle(ui, laid, origin, mark, colours);
        }
        if let Some(line) = reveal.and_then(|byte| laid.rects(byte..byte).next()) {
            let line = line.translate(origin.to_vec2());
            ui.scroll_to_rect(line, Some(egui::Align::Center));
        }
        if response.changed() {
            answer.text = Some(self.buffer.clone());
        }
        if let Some(cursor) = output.cursor_range.map(|range| range.primary) {
            let at = laid.byte(&self.buffer, cursor);
            let place = output.galley.pos_from_cursor(cursor);
            let place = place.translate(origin.to_vec2());
            let asked = ui.input_mut(|input| input.consume_key(Modifiers::CTRL, Key::Space));
            if self
                .popup
                .wants(&self.buffer, at, response.changed(), asked)
            {
                answer.complete = Some(at);
            }
            self.place = Some(place);
            answer.cursor = Some(at);
            let other = output.cursor_range.map_or(cursor, |range| range.secondary);
            let other = laid.byte(&self.buffer, other);
            answer.selected = at.min(other)..at.max(other);
        }
        // A click on a list takes the focus away; the list stays until it is done.
        let clicking = |pointer: &egui::PointerState| pointer.any_down() || pointer.any_released();
        if output.cursor_range.is_none() && !ui.input(|input| clicking(&input.pointer)) {
            self.place = None;
        }
        if let Some(place) = self.place {
            self.popup.show_ui(ui, id, place);
            answer.cursor_place = Some(place);
        }
        if self.popup.is_open() {
            keep_escape(ui, id);
        }
        if let Some(pointer) = response.hover_pos() {
            let under = laid.under(pointer - origin);
            let under = under.map(|cursor| laid.byte(&self.buffer, cursor));
            let rest = ui.input(|input| input.pointer.time_since_last_movement());
            let wait = HINT_AFTER.saturating_sub(Duration::from_secs_f32(rest.max(0.0)));
            if wait.is_zero() {
                answer.hint_at = under;
            } else {
                ui.ctx().request_repaint_after(wait);
            }
            if response.clicked() && ui.input(|input| input.modifiers.command) {
                answer.follow = under;
            }
            // A menu is about what is under the pointer, or about what is selected there.
            if response.secondary_clicked()
                && let Some(at) = under.filter(|at| !answer.selected.contains(at))
            {
                self.goal = Some((at..at, true));
                answer.cursor = Some(at);
                answer.selected = at..at;
            }
        }
        answer.response = Some(response.clone());
        answer
    }

    /// The text itself, to the right of the margin.
    fn text_ui(&mut self, ui: &mut Ui, id: Id, shown: Shown) -> egui::text_edit::TextEditOutput {
        let lines = self.buffer.lines().count().max(1);
        let font = egui::TextStyle::Monospace.resolve(ui.style());
        let digit = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0'));
        let margin = (lines.to_string().len() as f32 + 1.0) * digit + GUTTER_GAP;
        self.margin = margin;
        let laid = &mut self.laid;
        let mut layouter = |ui: &Ui, text: &dyn egui::TextBuffer, _width: f32| {
            Laid::of(laid, ui, text.as_str(), shown.language)
        };
        let available = ui.available_size();
        let output = ui.horizontal_top(|ui| {
            ui.add_space(margin);
            TextEdit::multiline(&mut self.buffer)
                .id(id)
                .code_editor()
                .frame(egui::Frame::new())
                .margin(Margin {
                    bottom: BELOW,
                    ..Margin::symmetric(2, 4)
                })
                .desired_width((available.x - margin).max(80.0))
                .min_size(vec2(0.0, available.y))
                .layouter(&mut layouter)
                .show(ui)
        });
        // Undo is the document's, over all kinds of edits.
        if let Some(mut state) = TextEdit::load_state(ui.ctx(), id) {
            state.clear_undoer();
            TextEdit::store_state(ui.ctx(), id, state);
        }
        ui.ctx()
            .accesskit_node_builder(id, |node| node.set_label(shown.name));
        output.inner
    }

    /// Selects what is to be gone to; the byte that must come into view.
    fn select_goal(&mut self, ui: &Ui, id: Id) -> Option<usize> {
        let layer = ui.layer_id();
        if !ui.memory(|memory| memory.allows_interaction(layer)) {
            // A question has just been answered that lay above: the focus can come here in the next frame.
            ui.ctx().request_repaint();
            return None;
        }
        if std::mem::take(&mut self.wants_focus) {
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        let (goal, focus) = self.goal.take()?;
        let chars = |byte: usize| {
            let before = self.buffer.get(..byte).unwrap_or(&self.buffer);
            CCursor::new(before.chars().count())
        };
        let range = CCursorRange::two(chars(goal.start), chars(goal.end));
        set_cursor(ui, id, range);
        if focus {
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        Some(goal.start)
    }

    /// Puts a text in the place of another; the cursor comes to stand at its `$0`, or behind it.
    fn insert(&mut self, ui: &Ui, id: Id, range: Range<usize>, text: &str) {
        if self.buffer.get(range.clone()).is_none() {
            return;
        }
        let stop = text.find("$0").unwrap_or(text.len());
        let text = text.replacen("$0", "", 1);
        self.buffer.replace_range(range.clone(), &text);
        let at = self.buffer[..range.start + stop].chars().count();
        set_cursor(ui, id, CCursorRange::one(CCursor::new(at)));
        ui.memory_mut(|memory| memory.request_focus(id));
    }
}

/// While a list is open, Escape closes it, and the text keeps the focus.
pub fn keep_escape(ui: &Ui, id: Id) {
    let filter = EventFilter {
        tab: true,
        horizontal_arrows: true,
        vertical_arrows: true,
        escape: true,
    };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
}

fn set_cursor(ui: &Ui, id: Id, range: CCursorRange) {
    let mut state = TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
    state.cursor.set_char_range(Some(range));
    TextEdit::store_state(ui.ctx(), id, state);
}

/// A new line begins below the words of the one before; Tab is two blanks.
fn indent(ui: &Ui, text: &str, id: Id) {
    let state = TextEdit::load_state(ui.ctx(), id);
    let Some(range) = state.and_then(|state| state.cursor.char_range()) else {
        return;
    };
    let cursor = range.as_sorted_char_range().start.0;
    ui.input_mut(|input| {
        for event in &mut input.events {
            let Event::Key {
                key,
                pressed: true,
                modifiers: Modifiers::NONE,
                ..
            } = event
            else {
                continue;
            };
            if *key == Key::Tab {
                *event = Event::Text("  ".to_owned());
            } else if *key == Key::Enter {
                let before: String = text.chars().take(cursor).collect();
                let line = before.rsplit('\n').next().unwrap_or_default();
                let blanks = line.len() - line.trim_start_matches(' ').len();
                let deeper = if opens(line) { "  " } else { "" };
                if blanks + deeper.len() > 0 {
                    *event = Event::Text(format!("\n{}{deeper}", &line[..blanks]));
                }
            }
        }
    });
}

/// Whether what stands below a line belongs to it.
fn opens(line: &str) -> bool {
    const HEADS: [&str; 7] = [
        "action", "instead", "before", "after", "when", "table", "scenario",
    ];
    let head = line.split(' ').next().unwrap_or_default();
    let code = line.split('#').next().unwrap_or_default().trim_end();
    code.ends_with(':') || HEADS.contains(&head) && !code.contains(": ")
}

fn squiggle(ui: &Ui, laid: &Laid, origin: Pos2, mark: &Mark, colours: &Colours) {
    let colour = match mark.weight {
        Weight::Error => colours.error,
        Weight::Warning => colours.warning,
    };
    for line in laid.rects(mark.range.clone()) {
        let line = line.translate(origin.to_vec2());
        if ui.is_rect_visible(line) {
            ui.painter().add(wave(line, colour));
        }
    }
}

/// A wave along the lower edge.
fn wave(line: Rect, colour: egui::Color32) -> Shape {
    let steps = (line.width().max(6.0) / WAVE) as usize;
    let points = (0..=steps).map(|step| {
        let up = if step % 2 == 0 { 0.0 } else { WAVE };
        pos2(line.left() + step as f32 * WAVE, line.bottom() - up)
    });
    Shape::line(points.collect(), Stroke::new(1.2, colour))
}
