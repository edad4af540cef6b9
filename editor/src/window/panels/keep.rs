//! Questions about what is kept of a play-test: under which name a game is saved, which one is loaded, what a scenario is called,
//! where results are written.

use crate::window::{Command, theme};
use crate::workshop::Workshop;
use crate::workshop::sheet::is_workbook;
use egui::{Context, Id, Key, Modal, RichText, ScrollArea, TextEdit, Ui};
use std::path::{Path, PathBuf};

/// The question that is open, with what has been typed.
#[derive(Default)]
pub struct KeepDialog {
    question: Option<(Kind, String)>,
    /// The table that is written or read.
    table: String,
    fresh: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Save,
    Load,
    Scenario,
    Export,
    Csv,
}

impl KeepDialog {
    pub fn open(&mut self, kind: Kind, typed: String) {
        self.question = Some((kind, typed));
        self.fresh = true;
    }

    /// Where a table is written, or read from.
    pub fn open_csv(&mut self, table: String) {
        let path = std::env::current_dir().unwrap_or_default();
        let path = path.join(format!("{table}.csv"));
        self.table = table;
        self.open(Kind::Csv, path.display().to_string());
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
                Kind::Csv => self.csv_ui(ui, &mut typed, out),
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
        let name = if there { "Replace it" } else { "Save game" };
        let pressed = buttons_ui(ui, name, path.is_some(), enter && !there);
        if pressed == Some(Pressed::Done) {
            out.push(Command::SaveGame(typed.clone()));
        }
        pressed.is_some()
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
        let pressed = buttons_ui(ui, "Load this file", path.is_file(), enter);
        if pressed == Some(Pressed::Done) {
            chosen = Some(path);
        }
        let done = pressed.is_some() || chosen.is_some();
        out.extend(chosen.map(Command::LoadGame));
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
        let pressed = buttons_ui(ui, "Export", fits, enter);
        if pressed == Some(Pressed::Done) {
            out.push(Command::Export(typed.clone()));
        }
        pressed.is_some()
    }

    fn csv_ui(&mut self, ui: &mut Ui, typed: &mut String, out: &mut Vec<Command>) -> bool {
        let title = format!("{} for a spreadsheet", self.table);
        ui.label(RichText::new(title).text_style(theme::section()));
        ui.label("Written for a spreadsheet, or read from one: rows are told by their names, new ones are added, none is taken away.");
        self.field_ui(ui, "Path", typed);
        let path = PathBuf::from(typed.trim());
        let named = path.extension().is_some_and(|ending| ending == "csv") || is_workbook(&path);
        let there = path.is_file();
        ui.weak(match (named, there) {
            (false, _) => "End it with .csv or .xlsx",
            (true, true) => "It is there already: writing replaces it",
            (true, false) => "",
        });
        let mut done = false;
        ui.horizontal(|ui| {
            if ui.add_enabled(named, egui::Button::new("Write")).clicked() {
                out.push(Command::WriteCsv(self.table.clone(), path.clone()));
                done = true;
            }
            if ui
                .add_enabled(there, egui::Button::new("Read in"))
                .clicked()
            {
                out.push(Command::ReadCsv(self.table.clone(), path.clone()));
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
        let pressed = buttons_ui(ui, "Make it", titled, enter);
        if pressed == Some(Pressed::Done) {
            out.push(Command::WriteScenario(typed.clone()));
        }
        pressed.is_some()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pressed {
    Done,
    Cancelled,
}

/// The button that does it, if that is possible, and the one that does not; `enter` presses the first.
fn buttons_ui(ui: &mut Ui, name: &str, possible: bool, enter: bool) -> Option<Pressed> {
    ui.horizontal(|ui| {
        let does = ui.add_enabled(possible, egui::Button::new(name));
        let cancelled = ui.button("Cancel").clicked();
        if possible && (does.clicked() || enter) {
            Some(Pressed::Done)
        } else {
            cancelled.then_some(Pressed::Cancelled)
        }
    })
    .inner
}
