//! Under which rules and options a game is played, where that is not a matter of course.

use super::PlayView;
use crate::window::{Command, theme};
use crate::workshop::Workshop;
use crate::workshop::playtest::Reload;
use egui::{RichText, Ui};

impl PlayView {
    /// Under which rules the game stands, where that is not a matter of course.
    pub(super) fn rules_ui(&mut self, ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
        let colours = theme::colours(ui.style());
        let parted = self.parted.as_ref().filter(|one| **one != Reload::Whole);
        if parted.is_none() && !shop.plays_older_rules() {
            return;
        }
        let mut done = false;
        egui::Frame::new()
            .fill(colours.card)
            .stroke(egui::Stroke::new(1.0, colours.warning))
            .corner_radius(theme::CORNER)
            .inner_margin(theme::MARGIN)
            .show(ui, |ui| {
                ui.set_width(ui.available_width());
                if shop.plays_older_rules() {
                    ui.label("This game is played under the rules as they were.");
                    if ui.button("Take the rules of now").clicked() {
                        out.push(Command::NewRules);
                    }
                    return;
                }
                if let Some(reload) = parted {
                    reload_ui(ui, reload);
                }
                ui.horizontal(|ui| {
                    if shop.has_older_rules() && ui.button("Back to the older rules").clicked() {
                        out.push(Command::OlderRules);
                    }
                    done = ui.button("Play on from here").clicked();
                });
            });
        if done {
            self.parted = None;
        }
    }
}

/// Options that were set for the game that was loaded.
pub(super) fn options_ui(ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
    if shop.options().is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        let set = shop.options().iter();
        let set: Vec<String> = set
            .map(|(name, _, value)| format!("{name} = {value}"))
            .collect();
        ui.weak(format!("As the loaded game was played: {}", set.join(", ")));
        if ui.button("Take it back").clicked() {
            out.push(Command::OwnOptions);
        }
    });
}

/// Both sides of where a game does not go on as it did.
fn reload_ui(ui: &mut Ui, reload: &Reload) {
    let colours = theme::colours(ui.style());
    match reload {
        Reload::Whole => {}
        Reload::Parted {
            after,
            logged,
            now,
            reasons,
        } => {
            ui.label(format!(
                "Under these rules the game goes on only to answer {after}."
            ));
            for (title, text, fill) in [
                ("It was", logged, colours.removed),
                ("Now it is", now, colours.added),
            ] {
                ui.horizontal_wrapped(|ui| {
                    ui.weak(title);
                    ui.label(RichText::new(text).background_color(fill));
                });
            }
            for reason in reasons {
                ui.label(format!("because {reason}"));
            }
        }
        Reload::Fault { after, fault } => {
            ui.label(format!(
                "Under these rules the game goes on only to answer {after}: {}",
                fault.message
            ));
        }
        Reload::Unfit { logged, now } => {
            ui.label(format!(
                "The game cannot be taken over: it is `{logged}`, here is `{now}`."
            ));
        }
    }
}
