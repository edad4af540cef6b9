//! The bars above and below the panels: which game, which desk, how things stand.

use crate::window::app::Notice;
use crate::window::{Command, Desk, Pane, theme};
use crate::workshop::Workshop;
use egui::{Align, Label, Layout, RichText, Ui};

pub fn top_ui(ui: &mut Ui, shop: &Workshop, desk: Desk, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        if let Some(game) = shop.game() {
            if ui.button("Games").clicked() {
                out.push(Command::Start);
            }
            ui.separator();
            ui.label(RichText::new(&game.title).text_style(theme::section()));
            for overlay in shop.overlays() {
                if shop.stack().contains(&overlay.id) {
                    ui.weak(format!("+ {}", overlay.title));
                }
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let theme = if ui.visuals().dark_mode {
                "Light"
            } else {
                "Dark"
            };
            if ui.button(theme).clicked() {
                out.push(Command::Theme);
            }
            if ui.button("Commands").clicked() {
                out.push(Command::Palette);
            }
            if shop.game().is_none() {
                return;
            }
            let save = ui.add_enabled(shop.is_dirty(), egui::Button::new("Save"));
            if save.clicked() {
                out.push(Command::Save);
            }
            ui.separator();
            for other in Desk::ALL.into_iter().rev() {
                if ui.selectable_label(desk == other, other.title()).clicked() {
                    out.push(Command::Arrange(other));
                }
            }
        });
    });
}

pub fn status_ui(
    ui: &mut Ui,
    shop: &Workshop,
    (errors, warnings): (usize, usize),
    notice: Option<&Notice>,
    out: &mut Vec<Command>,
) {
    let colours = theme::colours(ui.style());
    ui.horizontal(|ui| {
        let (text, colour) = match (errors, warnings) {
            _ if shop.checked().is_none() => ("Reading the rules…".to_owned(), colours.muted),
            (0, 0) => ("No problems".to_owned(), colours.fine),
            (0, warnings) => (
                format!("▲ {}", several(warnings, "warning")),
                colours.warning,
            ),
            (errors, 0) => (format!("× {}", several(errors, "error")), colours.error),
            (errors, warnings) => {
                let both = (several(errors, "error"), several(warnings, "warning"));
                (format!("× {}, {}", both.0, both.1), colours.error)
            }
        };
        let button = egui::Button::new(RichText::new(text).color(colour)).frame(false);
        if ui.add(button).clicked() {
            out.push(Command::Show(Pane::Problems));
        }
        if shop.good().is_some() && !shop.is_current() && !shop.is_checking() {
            ui.separator();
            ui.colored_label(
                colours.warning,
                "Play goes on with the last rules that were without mistakes",
            );
        }
        if let Some(notice) = notice {
            ui.separator();
            let text = match notice.is_error {
                true => RichText::new(format!("× {}", notice.text)).color(colours.error),
                false => RichText::new(&notice.text),
            };
            // What does not fit is told by the pointer.
            ui.add(Label::new(text).truncate());
        }
    });
}

/// `1 error`, `2 errors`
pub fn several(count: usize, what: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {what}{ending}")
}
