//! One frame: hear the news, show the panels, then run the commands they returned.

use super::Opening;
use super::commands::{self, Command, Palette};
use super::dock::{Desk, Dock, Pane};
use super::{panels, theme};
use crate::files::Loaded;
use dsl::assembly::{self, Listing};
use egui::{Theme, Ui};

const ZOOM_MIN: f32 = 0.6;
const ZOOM_MAX: f32 = 2.5;
const ZOOM_STEP: f32 = 0.1;

/// The window's state: what is looked at. What is worked on is the workshop's.
pub struct Window {
    games: Vec<Listing>,
    game: Option<String>,
    dock: Dock,
    palette: Palette,
    shortcuts: bool,
}

impl Window {
    /// `dock`: where the panels lay when the window was closed.
    pub fn new(opening: Opening, dock: Option<Dock>) -> Window {
        Window {
            games: assembly::games(&Loaded::manifests_only(&opening.library).sources),
            game: opening.game,
            dock: dock.filter(Dock::is_whole).unwrap_or_default(),
            palette: Palette::default(),
            shortcuts: false,
        }
    }

    /// How the panels lie now.
    pub fn dock(&self) -> &Dock {
        &self.dock
    }

    /// Draws the window, then does what was asked for.
    pub fn frame_ui(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        let mut out = commands::pressed(&ctx);
        egui::Panel::top("top").show(ui, |ui| self.top_ui(ui, &mut out));
        match &self.game {
            None => {
                egui::CentralPanel::default()
                    .show(ui, |ui| panels::start::start_ui(ui, &self.games, &mut out));
            }
            Some(_) => {
                egui::CentralPanel::no_frame().show(ui, |ui| {
                    let title = |pane: Pane| pane.title().to_owned();
                    self.dock.show_ui(ui, &title, &mut |ui, pane| {
                        ui.weak(pane.title());
                    });
                });
            }
        }
        self.palette.show_ui(&ctx, &mut out);
        if self.shortcuts {
            self.shortcuts = commands::shortcuts_ui(&ctx);
        }
        for command in out {
            self.run(&ctx, command);
        }
    }

    fn run(&mut self, ctx: &egui::Context, command: Command) {
        match command {
            Command::Start => self.game = None,
            Command::Open(game) => self.game = Some(game),
            Command::Show(pane) => self.dock.show(pane),
            Command::Arrange(desk) => self.dock.desk = desk,
            Command::ResetDesk => self.dock.reset(),
            Command::Palette => self.palette.open(),
            Command::Shortcuts => self.shortcuts = !self.shortcuts,
            Command::Theme => ctx.set_theme(match ctx.theme() {
                Theme::Dark => Theme::Light,
                Theme::Light => Theme::Dark,
            }),
            Command::Larger => zoom(ctx, ctx.zoom_factor() + ZOOM_STEP),
            Command::Smaller => zoom(ctx, ctx.zoom_factor() - ZOOM_STEP),
            Command::NormalSize => zoom(ctx, 1.0),
        }
    }

    fn top_ui(&self, ui: &mut Ui, out: &mut Vec<Command>) {
        ui.horizontal(|ui| {
            if ui.button("Games").clicked() {
                out.push(Command::Start);
            }
            if let Some(game) = &self.game {
                ui.separator();
                ui.strong(self.title_of(game));
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
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
                if self.game.is_some() {
                    ui.separator();
                    for desk in Desk::ALL.into_iter().rev() {
                        if ui
                            .selectable_label(self.dock.desk == desk, desk.title())
                            .clicked()
                        {
                            out.push(Command::Arrange(desk));
                        }
                    }
                }
            });
        });
    }

    fn title_of<'a>(&'a self, game: &'a str) -> &'a str {
        let listing = self.games.iter().find(|listing| listing.id == game);
        listing.map_or(game, |listing| &listing.title)
    }
}

fn zoom(ctx: &egui::Context, factor: f32) {
    ctx.set_zoom_factor(factor.clamp(ZOOM_MIN, ZOOM_MAX));
}
