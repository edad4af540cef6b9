//! Questions that are asked in between: what to do about a file changed outside and about work that is not saved.

use crate::window::{Command, theme};
use crate::workshop::Workshop;
use crate::workshop::outside::{Side, lines};
use egui::{Context, Id, Modal, RichText};

/// What two texts side by side leave free of the window's height, and the least they have.
const BOTH_EDGE: f32 = 260.0;
const BOTH_LEAST: f32 = 160.0;

/// A file that was changed outside while it is edited here.
pub struct Conflict {
    pub name: String,
    /// What lies on disk; none: the file is gone.
    pub theirs: Option<String>,
    pub both: bool,
}

/// Asks what to go on with.
pub fn conflict_ui(
    ctx: &Context,
    shop: &Workshop,
    conflict: &mut Conflict,
    out: &mut Vec<Command>,
) {
    Modal::new(Id::unique("conflict")).show(ctx, |ui| {
        ui.set_width(1.5 * theme::TEXT_WIDTH);
        ui.label(RichText::new("Changed outside").text_style(theme::section()));
        let mut begin = false;
        let what = match conflict.theirs {
            Some(_) => "was changed by another program while you edit it",
            None => "was taken away while you edit it",
        };
        ui.label(format!("`{}` {what}.", conflict.name));
        ui.horizontal(|ui| {
            if ui.button("Keep mine").clicked() {
                out.push(Command::Settle(false));
            }
            if conflict.theirs.is_some() {
                if ui.button("Take theirs").clicked() {
                    out.push(Command::Settle(true));
                }
                let both = ui.toggle_value(&mut conflict.both, "Show both");
                begin = both.changed();
            } else if ui.button("Close it").clicked() {
                out.push(Command::Settle(true));
            }
        });
        let documents = shop.documents().iter();
        let mine = documents.clone().find(|one| one.name == conflict.name);
        if let (true, Some(theirs), Some(mine)) = (conflict.both, &conflict.theirs, mine) {
            both_ui(ui, mine.text(), theirs, begin);
        }
    });
}

/// Asks what becomes of work that is not saved.
pub fn leaving_ui(ctx: &Context, shop: &Workshop, out: &mut Vec<Command>) {
    let modal = Modal::new(Id::unique("leaving")).show(ctx, |ui| {
        ui.set_width(theme::TEXT_WIDTH);
        ui.label(RichText::new("Not saved").text_style(theme::section()));
        for document in shop.documents().iter().filter(|one| one.is_dirty()) {
            ui.label(format!("`{}` has changes", document.name));
        }
        ui.horizontal(|ui| {
            if ui.button("Save").clicked() {
                out.push(Command::Leave { save: true });
            }
            if ui.button("Give up the changes").clicked() {
                out.push(Command::Leave { save: false });
            }
            if ui.button("Stay").clicked() {
                out.push(Command::Stay);
            }
        });
    });
    if modal.should_close() {
        out.push(Command::Stay);
    }
}

/// Both texts, from the first difference on.
fn both_ui(ui: &mut egui::Ui, mine: &str, theirs: &str, begin: bool) {
    let colours = theme::colours(ui.style());
    let height = (ui.ctx().content_rect().height() - BOTH_EDGE).max(BOTH_LEAST);
    let lines = lines(mine, theirs);
    let first = lines.iter().position(|line| line.side != Side::Both);
    egui::ScrollArea::both()
        .min_scrolled_height(height)
        .max_height(height)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            for (at, line) in lines.iter().enumerate() {
                let (sign, fill) = match line.side {
                    Side::Both => (" ", egui::Color32::TRANSPARENT),
                    Side::Mine => ("-", colours.removed),
                    Side::Theirs => ("+", colours.added),
                };
                let text = RichText::new(format!("{sign} {}", line.text)).monospace();
                let label = ui.add(egui::Label::new(text.background_color(fill)).extend());
                if begin && Some(at) == first {
                    label.scroll_to_me(Some(egui::Align::Center));
                }
            }
        });
}
