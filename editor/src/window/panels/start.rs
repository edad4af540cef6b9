//! The first page: all games as cards, one click from playing.

use super::bars::several;
use super::making::Making;
use crate::window::widgets::canvas::picture_ui;
use crate::window::{Command, Desk, theme};
use crate::workshop::Workshop;
use crate::workshop::project::GameEntry;
use egui::{Align, Layout, Rect, RichText, Stroke, Ui, UiBuilder, vec2};
use std::path::Path;

const CARD_HEIGHT: f32 = 268.0;
/// Of it for the board.
const PICTURE_HEIGHT: f32 = 160.0;
/// Games that were opened last, so many of them.
const RECENT_MAX: usize = 5;

pub fn start_ui(ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            ui.add_space(theme::GAP);
            ui.label(RichText::new("trackwright").text_style(theme::title()));
            ui.label("Open a game, change a rule, play it at once.");
            leftovers_ui(ui, shop, out);
            ui.add_space(theme::GAP / 2.0);
            ui.horizontal_wrapped(|ui| {
                if ui.button("New game…").clicked() {
                    out.push(Command::New(Making::Game));
                }
                if ui.button("Open a folder…").clicked() {
                    out.push(Command::Folder);
                }
            });
            recents_ui(ui, shop, out);
            ui.add_space(theme::GAP);
            let games: Vec<&GameEntry> = shop
                .project
                .games
                .iter()
                .filter(|game| !game.family)
                .collect();
            if games.is_empty() {
                ui.label("There is no game in this folder yet: begin one, or open another folder.");
            }
            cards_ui(ui, shop, &games, out);
        });
}

/// Games that were opened last, the last one first.
pub fn recents_ui(ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
    let open = shop.game().map(|game| game.folder.as_path());
    let recent: Vec<&Path> = shop
        .recents
        .paths()
        .filter(|path| path.is_dir() && Some(*path) != open)
        .collect();
    if recent.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.weak("Opened last");
        for path in recent.into_iter().take(RECENT_MAX) {
            let known = shop.project.game_in(path).map(|game| game.title.clone());
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let link = ui.link(known.unwrap_or_else(|| name.into_owned()));
            if link.on_hover_text(path.display().to_string()).clicked() {
                out.push(Command::OpenFolder(path.to_path_buf()));
            }
        }
    });
}

/// Unsaved work of a program that ended before it was saved.
fn leftovers_ui(ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
    let leftovers = shop.journal.iter().flat_map(|journal| journal.leftovers());
    for (at, leftover) in leftovers.enumerate() {
        ui.horizontal(|ui| {
            ui.label(format!(
                "Unsaved changes of `{}` were left behind.",
                leftover.entry.name
            ));
            if ui.button("Recover").clicked() {
                out.push(Command::Recover(at));
            }
            if ui.button("Discard").clicked() {
                out.push(Command::Discard(at));
            }
        });
    }
}

fn cards_ui(ui: &mut Ui, shop: &Workshop, games: &[&GameEntry], out: &mut Vec<Command>) {
    let step = theme::CARD_WIDTH + theme::GAP;
    let columns = ((ui.available_width() + theme::GAP) / step)
        .floor()
        .max(1.0) as usize;
    for row in games.chunks(columns) {
        let size = vec2(ui.available_width(), CARD_HEIGHT);
        let (area, _) = ui.allocate_exact_size(size, egui::Sense::hover());
        for (column, game) in row.iter().enumerate() {
            let corner = area.min + vec2(column as f32 * step, 0.0);
            let card = Rect::from_min_size(corner, vec2(theme::CARD_WIDTH, CARD_HEIGHT));
            ui.scope_builder(UiBuilder::new().max_rect(card).id_salt(&game.id), |ui| {
                card_ui(ui, shop, game, out);
            });
        }
        ui.add_space(theme::GAP - ui.spacing().item_spacing.y);
    }
}

fn card_ui(ui: &mut Ui, shop: &Workshop, game: &GameEntry, out: &mut Vec<Command>) {
    let colours = theme::colours(ui.style());
    let card = egui::Frame::new()
        .fill(colours.card)
        .stroke(Stroke::new(1.0, colours.line))
        .corner_radius(theme::CORNER)
        .inner_margin(theme::MARGIN);
    card.show(ui, |ui| {
        ui.set_min_size(ui.available_size());
        let size = vec2(ui.available_width(), PICTURE_HEIGHT);
        let (area, _) = ui.allocate_exact_size(size, egui::Sense::hover());
        if let Some(scene) = shop.picture(&game.id) {
            picture_ui(ui, area, scene);
        }
        ui.label(RichText::new(&game.title).text_style(theme::section()));
        ui.weak(facts(game));
        ui.with_layout(Layout::bottom_up(Align::Min), |ui| {
            ui.horizontal(|ui| {
                let play = egui::Button::new("▶ Play").fill(colours.chosen);
                let play = ui.add(play);
                let name = format!("Play {}", game.title);
                play.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
                if play.clicked() {
                    out.push(Command::Open(game.id.clone()));
                    out.push(Command::Arrange(Desk::Play));
                }
                if ui.button("New variant…").clicked() {
                    out.push(Command::Open(game.id.clone()));
                    out.push(Command::New(Making::Variant));
                }
            });
        });
    });
}

/// `2 to 5 players, 3 expansions, 12 variants`
fn facts(game: &GameEntry) -> String {
    let expansions = game
        .overlays
        .iter()
        .filter(|overlay| overlay.expansion)
        .count();
    let variants = game.overlays.len() - expansions;
    let players = match game.players {
        Some((least, most)) if least == most => format!("{least} players"),
        Some((least, most)) => format!("{least} to {most} players"),
        None => "its manifest has a mistake".to_owned(),
    };
    let counted = [(expansions, "expansion"), (variants, "variant")];
    let more = counted.into_iter().filter(|(count, _)| *count > 0);
    std::iter::once(players)
        .chain(more.map(|(count, what)| several(count, what)))
        .collect::<Vec<_>>()
        .join(", ")
}
