//! The text of an editor laid out: coloured once for each text, and found again by byte and by place.

use super::{Mark, Shown, Weight};
use crate::window::theme::{self, Colours};
use dsl::service::{Language, TokenKind, tokens};
use egui::text::{CCursor, CharIndex, LayoutJob, TextFormat};
use egui::{Align2, Color32, FontId, Galley, Pos2, Rect, Shape, Stroke, Ui, Vec2, pos2, vec2};
use std::ops::Range;
use std::sync::Arc;

/// A text and how it is laid out.
pub struct Laid {
    text: String,
    dark: bool,
    language: Language,
    galley: Arc<Galley>,
    /// Where each line begins, in bytes.
    starts: Vec<usize>,
}

impl Laid {
    /// The layout of a text, laid out anew only if something is different.
    pub fn of(known: &mut Option<Laid>, ui: &Ui, text: &str, language: Language) -> Arc<Galley> {
        let dark = ui.visuals().dark_mode;
        if let Some(laid) = known
            && laid.text == text
            && laid.dark == dark
            && laid.language == language
            && laid.galley.pixels_per_point == ui.ctx().pixels_per_point()
        {
            return laid.galley.clone();
        }
        let job = coloured(ui, text, language);
        let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        *known = Some(Laid {
            text: text.to_owned(),
            dark,
            language,
            galley: galley.clone(),
            starts: std::iter::once(0).chain(ends).collect(),
        });
        galley
    }

    /// The line a byte is in, and the letters before it there.
    fn place(&self, byte: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= byte) - 1;
        let before = self.text.get(self.starts[line]..byte).unwrap_or_default();
        (line, before.chars().count())
    }

    /// The byte of a cursor in the text shown.
    pub fn byte(&self, text: &str, cursor: CCursor) -> usize {
        text.char_indices()
            .nth(cursor.index.0)
            .map_or(text.len(), |(at, _)| at)
    }

    /// The letter under a place; none beside the text.
    pub fn under(&self, place: Vec2) -> Option<CCursor> {
        let row = self
            .galley
            .rows
            .iter()
            .find(|row| (row.rect().top()..row.rect().bottom()).contains(&place.y))?;
        (place.x <= row.rect().right()).then(|| self.galley.cursor_from_pos(place))
    }

    /// The parts of lines that a range covers.
    pub fn rects(&self, range: Range<usize>) -> impl Iterator<Item = Rect> {
        let (first, from) = self.place(range.start.min(self.text.len()));
        let (last, to) = self.place(range.end.min(self.text.len()));
        (first..=last).filter_map(move |line| {
            let row = self.galley.rows.get(line)?;
            let left = if line == first {
                row.x_offset(CharIndex(from))
            } else {
                0.0
            };
            let right = if line == last {
                row.x_offset(CharIndex(to))
            } else {
                row.size.x
            };
            let top = row.rect().top();
            let corner = row.rect().left();
            Some(Rect::from_min_max(
                pos2(corner + left, top),
                pos2(corner + right, row.rect().bottom()),
            ))
        })
    }

    /// Line numbers and marks of the lines that are to be seen; `origin` is where the text begins, `margin` how wide the margin is. Whether the sign that
    /// something can be mended was clicked.
    pub fn margin_ui(
        &self,
        ui: &mut Ui,
        (origin, margin): (Pos2, f32),
        shown: &Shown,
        colours: &Colours,
    ) -> bool {
        let font = egui::TextStyle::Monospace.resolve(ui.style());
        let seen = ui.clip_rect();
        let rows = &self.galley.rows;
        // The numbers stay where they are while long lines scroll by below them.
        let edge = origin.x.max(seen.left() + margin);
        if origin.x < edge {
            let ground = Rect::from_min_max(
                seen.left_top(),
                pos2(edge - super::GUTTER_GAP / 4.0, seen.bottom()),
            );
            ui.painter().rect_filled(ground, 0, colours.card);
        }
        let first = rows.partition_point(|row| origin.y + row.rect().bottom() < seen.top());
        for (line, row) in rows.iter().enumerate().skip(first) {
            let middle = origin.y + row.rect().center().y;
            if middle > seen.bottom() + font.size {
                break;
            }
            let right = pos2(edge - super::GUTTER_GAP, middle);
            let number = (line + 1).to_string();
            ui.painter().text(
                right,
                Align2::RIGHT_CENTER,
                number,
                font.clone(),
                colours.muted,
            );
        }
        let middle_of = |byte: usize| {
            let (line, _) = self.place(byte.min(self.text.len()));
            let row = rows.get(line)?;
            let left = edge - super::GUTTER_GAP / 2.0;
            Some((line, pos2(left, origin.y + row.rect().center().y)))
        };
        let bulb = shown.bulb.and_then(middle_of);
        for mark in shown.marks {
            if let Some((line, middle)) = middle_of(mark.range.start)
                && bulb.is_none_or(|(other, _)| other != line)
            {
                sign(ui, middle, mark, colours);
            }
        }
        bulb.is_some_and(|(_, middle)| bulb_ui(ui, middle))
    }
}

/// The sign of a mark: a disc for an error, a triangle for a warning.
fn sign(ui: &mut Ui, middle: Pos2, mark: &Mark, colours: &Colours) {
    let area = Rect::from_center_size(middle, vec2(10.0, 10.0));
    if !ui.is_rect_visible(area) {
        return;
    }
    match mark.weight {
        Weight::Error => {
            ui.painter().circle_filled(middle, 4.0, colours.error);
        }
        Weight::Warning => {
            let corners = [vec2(-4.5, 4.0), vec2(4.5, 4.0), vec2(0.0, -4.5)];
            let corners = corners.map(|corner| middle + corner).to_vec();
            ui.painter().add(Shape::convex_polygon(
                corners,
                colours.warning,
                Stroke::NONE,
            ));
        }
    }
    let id = ui
        .scope_id()
        .with(("sign", mark.range.start, mark.message.len()));
    ui.interact(area, id, egui::Sense::hover())
        .on_hover_text(&mark.message);
}

/// The sign that something can be mended; whether it was clicked.
fn bulb_ui(ui: &mut Ui, middle: Pos2) -> bool {
    let area = Rect::from_center_size(middle, vec2(14.0, 16.0));
    let bulb = egui::Button::new(egui::RichText::new("◆").small())
        .frame(false)
        .min_size(Vec2::ZERO);
    let bulb = ui.put(area, bulb);
    bulb.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Quick fixes"));
    bulb.on_hover_text("Quick fixes").clicked()
}

fn coloured(ui: &Ui, text: &str, language: Language) -> LayoutJob {
    let colours = theme::colours(ui.style());
    let font = egui::TextStyle::Monospace.resolve(ui.style());
    let mut job = LayoutJob::default();
    job.wrap.max_width = f32::INFINITY;
    let mut at = 0;
    for (range, kind) in tokens(text, language) {
        append(&mut job, &text[at..range.start], &font, colours.ink);
        append(&mut job, &text[range.clone()], &font, colour(colours, kind));
        at = range.end;
    }
    append(&mut job, &text[at..], &font, colours.ink);
    job
}

fn append(job: &mut LayoutJob, text: &str, font: &FontId, colour: Color32) {
    if !text.is_empty() {
        job.append(text, 0.0, TextFormat::simple(font.clone(), colour));
    }
}

fn colour(colours: &Colours, kind: TokenKind) -> Color32 {
    let code = &colours.code;
    match kind {
        TokenKind::Comment => code.comment,
        TokenKind::Doc => code.doc,
        TokenKind::Text => code.text,
        TokenKind::Number | TokenKind::BuiltIn => code.number,
        TokenKind::Keyword | TokenKind::Section => code.keyword,
        TokenKind::Type | TokenKind::Call | TokenKind::Key => code.name,
        TokenKind::RuleId => colours.muted,
        TokenKind::Member | TokenKind::Name | TokenKind::Operator | TokenKind::Bracket => {
            colours.ink
        }
    }
}
