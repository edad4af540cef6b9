//! Questions about what is kept of a play-test: under which name a game is saved, which one is loaded, what a scenario is called,
//! where results are written.

use crate::window::{Command, theme};
use crate::workshop::Workshop;
use egui::{Context, Id, Key, Modal, RichText, ScrollArea, TextEdit, Ui};
use std::path::{Path, PathBuf};

/// The question that is open, with what has been typed.
#[derive(Default)]
pub struct KeepDialog {
    question: Option<(Kind, String)>,
    fresh: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Save,
    Load,
    Scenario,
    Export,
}

impl KeepDialog {
    pub fn open(&mut self, kind: Kind, typed: String) {
        self.question = Some((kind, typed));
        self.fresh = true;
    }

    pub fn show_ui(&mut self, ctx: &Context, shop: &Workshop, out: &mut Vec<Command>) {
        let Some((kind, mut typed)) = self.question.take() else {
            return;
        };
        let mut done = false;
        let modal = Modal::new(Id::unique("keep")).show(ctx, |ui| {
            ui.set_width(theme::TEXT_WIDTH);
            let enter = ui.input(|input| input.key_pressed(Key::Enter));
            done = match kind {
                Kind::Save => self.save_ui(ui, shop, &mut typed, enter, out),
                Kind::Load => self.load_ui(ui, shop, &mut typed, enter, out),
                Kind::Scenario => self.scenario_ui(ui, &mut typed, enter, out),
                Kind::Export => self.export_ui(ui, &mut typed, enter, out),
            };
        });
        if !done && !modal.should_close() {
            self.question = Some((kind, typed));
        }
    }

    fn field_ui(&mut self, ui: &mut Ui, label: &str, typed: &mut String) {
        let label = ui.label(label);
        let field = ui.add(TextEdit::singleline(typed).desired_width(f32::INFINITY));
        let field = field.labelled_by(label.id);
        if std::mem::take(&mut self.fresh) {
            field.request_focus();
        }
    }

    fn save_ui(
        &mut self,
        ui: &mut Ui,
        shop: &Workshop,
        typed: &mut String,
        enter: bool,
        out: &mut Vec<Command>,
    ) -> bool {
        ui.label(RichText::new("Save the game").text_style(theme::section()));
        ui.label("Up to where it stands now.");
        self.field_ui(ui, "Name, or a path", typed);
        let path = shop.replay_path(typed);
        let there = path.as_ref().is_some_and(|path| path.exists());
        ui.weak(match &path {
            Some(path) if there => format!("{} is there already", path.display()),
            Some(path) => path.display().to_string(),
            None => "Give it a name with a letter in it".to_owned(),
        });
        let mut done = false;
        ui.horizontal(|ui| {
            let name = if there { "Replace it" } else { "Save game" };
            let save = ui.add_enabled(path.is_some(), egui::Button::new(name));
            if path.is_some() && (save.clicked() || enter && !there) {
                out.push(Command::SaveGame(typed.clone()));
                done = true;
            }
            done |= ui.button("Cancel").clicked();
        });
        done
    }

    fn load_ui(
        &mut self,
        ui: &mut Ui,
        shop: &Workshop,
        typed: &mut String,
        enter: bool,
        out: &mut Vec<Command>,
    ) -> bool {
        ui.label(RichText::new("Load a game").text_style(theme::section()));
        ui.label(
            "It is played again under the rules of now, with the overlays it was played with.",
        );
        self.field_ui(ui, "Search, or a path", typed);
        let mut chosen: Option<PathBuf> = None;
        let replays = shop.game().map(|game| game.replays.as_slice());
        let replays = replays.unwrap_or_default();
        let wanted = typed.trim().to_lowercase();
        ScrollArea::vertical()
            .max_height(260.0)
            .auto_shrink([false, true])
            .show(ui, |ui| {
                for path in replays {
                    let name = path.file_stem().unwrap_or_default().to_string_lossy();
                    let row = egui::Button::selectable(false, name.as_ref()).truncate();
                    if name.to_lowercase().contains(&wanted) && ui.add(row).clicked() {
                        chosen = Some(path.clone());
                    }
                }
                if replays.is_empty() {
                    ui.weak("No game has been saved yet.");
                }
            });
        let path = PathBuf::from(typed.trim());
        let mut done = false;
        ui.horizontal(|ui| {
            let load = ui.add_enabled(path.is_file(), egui::Button::new("Load this file"));
            if path.is_file() && (load.clicked() || enter) {
                chosen = Some(path);
            }
            done = ui.button("Cancel").clicked();
        });
        if let Some(path) = chosen {
            out.push(Command::LoadGame(path));
            done = true;
        }
        done
    }

    fn export_ui(
        &mut self,
        ui: &mut Ui,
        typed: &mut String,
        enter: bool,
        out: &mut Vec<Command>,
    ) -> bool {
        ui.label(RichText::new("Export the results").text_style(theme::section()));
        ui.label("As a table (.csv) or with all details (.json); what overlays change goes into a file beside it.");
        self.field_ui(ui, "Path", typed);
        let path = Path::new(typed.trim());
        let ending = path.extension().and_then(|ending| ending.to_str());
        let fits = matches!(ending, Some("csv" | "json"));
        ui.weak(match fits {
            true if path.exists() => "It is there already, and will be replaced",
            true => "",
            false => "End it with .csv or .json",
        });
        let mut done = false;
        ui.horizontal(|ui| {
            let export = ui.add_enabled(fits, egui::Button::new("Export"));
            if fits && (export.clicked() || enter) {
                out.push(Command::Export(typed.clone()));
                done = true;
            }
            done |= ui.button("Cancel").clicked();
        });
        done
    }

    fn scenario_ui(
        &mut self,
        ui: &mut Ui,
        typed: &mut String,
        enter: bool,
        out: &mut Vec<Command>,
    ) -> bool {
        ui.label(RichText::new("Make a scenario from here").text_style(theme::section()));
        ui.label(
            "The way here, and what is asked now, as a worked case that is played after each edit.",
        );
        self.field_ui(ui, "What does it show?", typed);
        let titled = !typed.trim().is_empty();
        let mut done = false;
        ui.horizontal(|ui| {
            let make = ui.add_enabled(titled, egui::Button::new("Make it"));
            if titled && (make.clicked() || enter) {
                out.push(Command::WriteScenario(typed.clone()));
                done = true;
            }
            done |= ui.button("Cancel").clicked();
        });
        done
    }
}
