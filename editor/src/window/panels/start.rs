//! The first page: all games as cards, one click from playing.

use crate::window::Command;
use crate::window::theme;
use dsl::assembly::Listing;
use egui::{RichText, Ui, vec2};

const CARD_HEIGHT: f32 = 120.0;

pub fn start_ui(ui: &mut Ui, games: &[Listing], out: &mut Vec<Command>) {
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            ui.add_space(theme::GAP);
            ui.label(RichText::new("trackwright").text_style(theme::title()));
            ui.label("Open a game, change a rule, play it at once.");
            ui.add_space(theme::GAP);
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing = vec2(theme::GAP, theme::GAP);
                for game in games.iter().filter(|game| !game.family) {
                    card_ui(ui, game, out);
                }
            });
            if games.is_empty() {
                ui.label("There is no game in this folder yet. Begin one with “New game…”.");
            }
        });
}

fn card_ui(ui: &mut Ui, game: &Listing, out: &mut Vec<Command>) {
    let size = vec2(theme::CARD_WIDTH, CARD_HEIGHT);
    let layout = egui::Layout::top_down(egui::Align::Min);
    let colours = theme::colours(ui.style());
    ui.allocate_ui_with_layout(size, layout, |ui| {
        egui::Frame::new()
            .fill(colours.card)
            .stroke(egui::Stroke::new(1.0, colours.line))
            .corner_radius(theme::CORNER)
            .inner_margin(theme::MARGIN)
            .show(ui, |ui| {
                ui.set_min_size(size - vec2(2.0, 2.0) * f32::from(theme::MARGIN));
                ui.label(RichText::new(&game.title).text_style(theme::section()));
                if let Some((least, most)) = game.players {
                    ui.weak(format!("{least} to {most} players"));
                }
                ui.with_layout(egui::Layout::bottom_up(egui::Align::Min), |ui| {
                    ui.horizontal(|ui| {
                        if ui.button("Play").clicked() {
                            out.push(Command::Open(game.id.clone()));
                        }
                    });
                });
            });
    });
}
