//! What happened, in sentences, each with its rule; and the lines that were tried.

use super::play::{PlayView, place_ui};
use crate::window::{Command, theme};
use crate::workshop::Workshop;
use crate::workshop::playtest::LogKind;
use egui::{RichText, Ui};

pub fn log_ui(ui: &mut Ui, shop: &Workshop, view: &PlayView, out: &mut Vec<Command>) {
    let Some(playtest) = &shop.playtest else {
        ui.weak("What happens in the play-test is told here.");
        return;
    };
    let lines = playtest.lines();
    if lines.len() > 1 {
        egui::CollapsingHeader::new(format!("Lines ({})", lines.len()))
            .id_salt("lines")
            .show(ui, |ui| {
                for line in &lines {
                    let name = line.name.clone().or_else(|| line.first.clone());
                    let name = name.unwrap_or_else(|| "this line".to_owned());
                    let text = format!(
                        "{name}: {} answers, parts after {}",
                        line.length, line.parts_after
                    );
                    if ui.selectable_label(line.current, text).clicked() {
                        out.push(Command::GoToNode(line.end));
                    }
                }
            });
    }
    let log = &view.seen.log;
    if log.is_empty() {
        ui.weak("Nothing has happened yet.");
    }
    let here = playtest.tree().current();
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .stick_to_bottom(true)
        .show_rows(ui, theme::ROW - 4.0, log.len(), |ui, rows| {
            for line in &log[rows] {
                ui.horizontal(|ui| {
                    let text = RichText::new(&line.text);
                    let text = match line.kind {
                        LogKind::Answer { .. } => text.strong(),
                        _ => text.weak(),
                    };
                    if let Some(span) = line.span {
                        place_ui(ui, playtest, span, out);
                    }
                    let row = egui::Button::selectable(false, text).truncate();
                    if ui.add(row).clicked() && line.node != here {
                        out.push(Command::GoToNode(line.node));
                    }
                });
            }
        });
}
