//! The legend of the board coloured by use, and its numbers.

use crate::board::Subject;
use crate::board::heat::{Heat, colour};
use crate::window::widgets::canvas::CanvasAnswer;
use crate::window::{Command, theme};
use egui::{Color32, Rect, Sense, Ui, pos2, vec2};
use interpreter::playout::Report;

/// Colours of the scale that are shown.
const PARTS: u32 = 40;

/// The scale from never to most, or what to do to have one.
pub fn legend_ui(ui: &mut Ui, report: Option<&Report>, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let Some(report) = report else {
            ui.label("Nothing has been simulated under these rules yet.");
            if ui.button("Simulate").clicked() {
                out.push(Command::SimulateGames);
            }
            return;
        };
        ui.label("never");
        let size = vec2(theme::SCALE_WIDTH, theme::ROW / 2.0);
        let (area, _) = ui.allocate_exact_size(size, Sense::hover());
        let width = area.width() / PARTS as f32;
        for part in 0..PARTS {
            let [red, green, blue] = colour(u64::from(part * 1000 / (PARTS - 1))).0;
            let from = pos2(area.left() + part as f32 * width, area.top());
            let place = Rect::from_min_size(from, vec2(width + 0.5, area.height()));
            let fill = Color32::from_rgb(red, green, blue);
            ui.painter().rect_filled(place, 0, fill);
        }
        ui.label("most of its kind");
        ui.weak(format!("{} games; numbers under the pointer", report.games));
    });
}

/// How often what lies under the pointer was used.
pub fn hover_ui(answer: &CanvasAnswer, heat: &Heat, games: u64) {
    let Some(pointer) = answer.pointer else {
        return;
    };
    let subjects = heat.scene.at(pointer);
    let found = subjects.iter().find(|one| heat.counts.contains_key(one));
    let (Some(subject), Some(name)) = (found, heat.scene.name_at(pointer)) else {
        return;
    };
    let text = in_words(heat, subject, games);
    answer.response.clone().on_hover_ui_at_pointer(|ui| {
        ui.label(name);
        ui.strong(text);
    });
}

/// `chosen 132 times, 1.3 a game`
fn in_words(heat: &Heat, subject: &Subject, games: u64) -> String {
    let count = heat.counts.get(subject).copied().unwrap_or(0);
    let tenths = count * 10 / games.max(1);
    format!(
        "chosen {count} times, {}.{} a game",
        tenths / 10,
        tenths % 10
    )
}
