//! What happened, in sentences, each with its rule; and the lines that were tried.

use super::lines::LinesView;
use super::play::{PlayView, rule_ui};
use crate::window::{Command, theme};
use crate::workshop::Workshop;
use crate::workshop::playtest::{LogKind, LogLine, Playtest};
use egui::{AtomExt, RichText, Ui};

/// What came of something is told where there is so much room for it.
const EFFECTS_MIN: f32 = 60.0;

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
    ui.spacing_mut().item_spacing.y = 0.0;
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .stick_to_bottom(true)
        .show_rows(ui, theme::ROW, log.len(), |ui, rows| {
            for line in &log[rows] {
                ui.horizontal(|ui| line_ui(ui, playtest, line, out));
            }
        });
}

/// A sentence, what came of it as far as there is room, and its rule.
fn line_ui(ui: &mut Ui, playtest: &Playtest, line: &LogLine, out: &mut Vec<Command>) {
    if let Some(span) = line.span {
        rule_ui(ui, playtest, span, out);
    }
    let text = RichText::new(&line.text);
    let text = match line.kind {
        LogKind::Answer { .. } => text.strong(),
        LogKind::Forced { .. } => text.weak(),
    };
    let font = egui::TextStyle::Button.resolve(ui.style());
    let ink = ui.visuals().text_color();
    let said = ui.painter().layout_no_wrap(line.text.clone(), font, ink);
    let padding = 2.0 * ui.spacing().button_padding.x + ui.spacing().item_spacing.x;
    let left = ui.available_width() - said.size().x - padding;
    // What was done comes first.
    let row = match line.effects.is_empty() || left < EFFECTS_MIN {
        true => egui::Button::selectable(false, text).truncate(),
        false => {
            let effects = RichText::new(&line.effects).weak();
            egui::Button::selectable(false, (text, effects.atom_shrink(true))).truncate()
        }
    };
    let row = ui.add(row);
    row.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &line.text));
    if row.clicked() && line.node != playtest.tree().current() {
        out.push(Command::GoToNode(line.node));
    }
    if !line.folded.is_empty() || !line.effects.is_empty() {
        row.on_hover_ui(|ui| {
            ui.strong(&line.text);
            for (text, _) in &line.folded {
                ui.label(text);
            }
        });
    }
}
