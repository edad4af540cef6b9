//! Places of texts as rows: the line with what stands there, and what is to stand there.

use crate::window::theme;
use crate::workshop::places::Place;
use egui::text::{LayoutJob, TextFormat};
use egui::{Button, Color32, Response, Stroke, Ui, vec2};

/// Letters shown before and after a place at most.
const AROUND_MAX: usize = 60;

/// One place in a row that can be clicked.
pub fn place_ui(ui: &mut Ui, place: &Place) -> Response {
    let row = Button::selectable(false, words(ui, place))
        .truncate()
        .min_size(vec2(ui.available_width(), theme::ROW - 2.0));
    ui.add(row)
}

/// `12  before [old][new] after`: what goes is struck out, what comes is underlined.
fn words(ui: &Ui, place: &Place) -> LayoutJob {
    let colours = theme::colours(ui.style());
    let font = egui::TextStyle::Monospace.resolve(ui.style());
    let plain = |colour: Color32| TextFormat::simple(font.clone(), colour);
    let mut job = LayoutJob::default();
    job.append(&format!("{:>4}  ", place.line), 0.0, plain(colours.muted));
    let skipped = place.before.chars().count().saturating_sub(AROUND_MAX);
    if skipped > 0 {
        job.append("…", 0.0, plain(colours.muted));
    }
    let before: String = place.before.chars().skip(skipped).collect();
    job.append(&before, 0.0, plain(colours.ink));
    let old = first_line(&place.old);
    match &place.new {
        Some(new) if *new != place.old => {
            let gone = TextFormat {
                background: colours.removed,
                strikethrough: Stroke::new(1.0, colours.error),
                ..plain(colours.ink)
            };
            let come = TextFormat {
                background: colours.added,
                underline: Stroke::new(1.0, colours.fine),
                ..plain(colours.ink)
            };
            job.append(&old, 0.0, gone);
            job.append(&first_line(new), 0.0, come);
        }
        _ => {
            let meant = TextFormat {
                background: colours.chosen,
                ..plain(colours.ink)
            };
            job.append(&old, 0.0, meant);
        }
    }
    let after: String = place.after.chars().take(AROUND_MAX).collect();
    job.append(&after, 0.0, plain(colours.ink));
    job
}

fn first_line(text: &str) -> String {
    match text.split_once('\n') {
        Some((first, _)) => format!("{first}…"),
        None => text.to_owned(),
    }
}
