//! What happened, in sentences, each with its rule; and the lines that were tried.

use super::lines::LinesView;
use super::play::{PlayView, place_ui};
use crate::window::{Command, theme};
use crate::workshop::Workshop;
use crate::workshop::playtest::LogKind;
use egui::{RichText, Ui};

pub fn log_ui(
    ui: &mut Ui,
    shop: &Workshop,
    view: &PlayView,
    lines: &mut LinesView,
    out: &mut Vec<Command>,
) {
    let Some(playtest) = &shop.playtest else {
        ui.weak("What happens in the play-test is told here.");
        return;
    };
    if view.seen.lines.len() > 1 {
        lines.show_ui(ui, playtest, &view.seen.lines, out);
    }
    let log = &view.seen.log;
    if log.is_empty() {
        ui.weak("Nothing has happened yet.");
    }
    let here = playtest.tree().current();
    ui.spacing_mut().item_spacing.y = 0.0;
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .stick_to_bottom(true)
        .show_rows(ui, theme::ROW, log.len(), |ui, rows| {
            for line in &log[rows] {
                ui.horizontal(|ui| {
                    let text = RichText::new(&line.text);
                    let text = match line.kind {
                        LogKind::Answer { .. } => text.strong(),
                        LogKind::Forced { .. } => text.weak(),
                    };
                    if let Some(span) = line.span {
                        place_ui(ui, playtest, span, out);
                    }
                    let mut row = egui::Button::selectable(false, text).truncate();
                    if !line.effects.is_empty() {
                        row = row.right_text(RichText::new(&line.effects).weak());
                    }
                    let row = ui.add(row);
                    if row.clicked() && line.node != here {
                        out.push(Command::GoToNode(line.node));
                    }
                    if !line.folded.is_empty() {
                        row.on_hover_ui(|ui| {
                            for (text, _) in &line.folded {
                                ui.label(text);
                            }
                        });
                    }
                });
            }
        });
}
