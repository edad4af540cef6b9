//! Questions that are asked in between: what to do about a file changed outside and about work that is not saved.

use crate::window::{Command, theme};
use crate::workshop::Workshop;
use crate::workshop::outside::{Side, lines};
use egui::{Context, Id, Modal, RichText};

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
                ui.toggle_value(&mut conflict.both, "Show both");
            } else if ui.button("Close it").clicked() {
                out.push(Command::Settle(true));
            }
        });
        let documents = shop.documents().iter();
        let mine = documents.clone().find(|one| one.name == conflict.name);
        if let (true, Some(theirs), Some(mine)) = (conflict.both, &conflict.theirs, mine) {
            both_ui(ui, mine.text(), theirs);
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

fn both_ui(ui: &mut egui::Ui, mine: &str, theirs: &str) {
    let colours = theme::colours(ui.style());
    egui::ScrollArea::both().max_height(360.0).show(ui, |ui| {
        for line in lines(mine, theirs) {
            let (sign, fill) = match line.side {
                Side::Both => (" ", egui::Color32::TRANSPARENT),
                Side::Mine => ("-", colours.removed),
                Side::Theirs => ("+", colours.added),
            };
            let text = RichText::new(format!("{sign} {}", line.text)).monospace();
            ui.add(egui::Label::new(text.background_color(fill)).extend());
        }
    });
}
