//! The state of the game as a tree, with questions to it in the rules language.

use super::play::{PlayView, open};
use crate::window::{Command, theme};
use crate::workshop::Workshop;
use crate::workshop::playtest::{Playtest, StateCell};
use egui::{RichText, Ui};

/// Names offered for a word that is being typed.
const NAMES_MAX: usize = 8;

/// What the panel remembers.
#[derive(Default)]
pub struct StateView {
    search: String,
    watch: String,
    /// What is wrong with it so far.
    problem: Option<String>,
    with_empty: bool,
    /// Cells can be set by hand.
    by_hand: bool,
    /// The cell that is being set, as the rules call it, and what has been typed.
    typing: Option<(String, String)>,
}

impl StateView {
    pub fn show_ui(
        &mut self,
        ui: &mut Ui,
        shop: &Workshop,
        view: &PlayView,
        out: &mut Vec<Command>,
    ) {
        let Some(playtest) = &shop.playtest else {
            ui.weak("The cells of a game that is played are shown here.");
            return;
        };
        ui.horizontal(|ui| {
            let field = egui::TextEdit::singleline(&mut self.search)
                .hint_text("Search owners, cells, values")
                .desired_width(200.0);
            ui.add(field);
            ui.checkbox(&mut self.with_empty, "Empty ones too");
            let by_hand = ui.checkbox(&mut self.by_hand, "Set by hand");
            by_hand.on_hover_text(
                "A value is typed as the rules write it: 3, berlin, {red: 2, blue}. Pieces come from where they can: their number stays true. “Undo answer” takes it back",
            );
        });
        self.watches_ui(ui, playtest, view, out);
        let wanted = self.search.to_lowercase();
        egui::ScrollArea::vertical()
            .auto_shrink(false)
            .show(ui, |ui| {
                for group in &view.seen.state {
                    let owner_fits = group.owner.to_lowercase().contains(&wanted);
                    let fits = |text: &str| owner_fits || text.to_lowercase().contains(&wanted);
                    let cells = group.cells.iter().filter(|cell| {
                        (self.with_empty || !cell.empty)
                            && (fits(&cell.name) || fits(&cell.id) || fits(&cell.value))
                    });
                    let cells: Vec<_> = cells.collect();
                    if cells.is_empty() {
                        continue;
                    }
                    egui::CollapsingHeader::new(&group.owner)
                        .default_open(true)
                        .show(ui, |ui| {
                            for cell in cells {
                                ui.horizontal(|ui| {
                                    cell_ui(ui, playtest, cell, out);
                                    if self.by_hand {
                                        give_ui(ui, cell, &mut self.typing, out);
                                    }
                                });
                            }
                        });
                }
            });
    }

    fn watches_ui(
        &mut self,
        ui: &mut Ui,
        playtest: &Playtest,
        view: &PlayView,
        out: &mut Vec<Command>,
    ) {
        let colours = theme::colours(ui.style());
        ui.horizontal(|ui| {
            let field = egui::TextEdit::singleline(&mut self.watch)
                .hint_text("Watch, in the rules language: count(A.hand)")
                .desired_width((ui.available_width() - 80.0).max(100.0));
            let field = ui.add(field);
            if field.changed() {
                let empty = self.watch.trim().is_empty();
                self.problem = match empty {
                    true => None,
                    false => playtest.watch_problem(&self.watch),
                };
            }
            let enter = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            let fits = !self.watch.trim().is_empty() && self.problem.is_none();
            let button = ui.add_enabled(fits, egui::Button::new("Watch"));
            if (button.clicked() || enter) && fits {
                out.push(Command::Watch(std::mem::take(&mut self.watch)));
            }
        });
        if let Some(problem) = &self.problem {
            ui.colored_label(colours.warning, format!("▲ {problem}"));
            self.names_ui(ui, playtest);
        }
        for (at, watch) in view.seen.watches.iter().enumerate() {
            ui.horizontal(|ui| {
                if ui
                    .small_button("×")
                    .on_hover_text("Watch no more")
                    .clicked()
                {
                    out.push(Command::ForgetWatch(at));
                }
                ui.label(RichText::new(&watch.text).code());
                match &watch.value {
                    Ok(value) => ui.strong(value),
                    Err(why) => ui.colored_label(colours.warning, why),
                };
            });
        }
    }

    /// Names that begin as the word that is being typed does.
    fn names_ui(&mut self, ui: &mut Ui, playtest: &Playtest) {
        let letters = |letter: char| letter.is_alphanumeric() || letter == '_';
        let before = self.watch.trim_end_matches(letters).len();
        let word = self.watch[before..].to_owned();
        if word.is_empty() {
            return;
        }
        ui.horizontal_wrapped(|ui| {
            for name in playtest.names(&word).into_iter().take(NAMES_MAX) {
                if ui.small_button(name).clicked() {
                    self.watch.replace_range(before.., name);
                    self.problem = playtest.watch_problem(&self.watch);
                }
            }
        });
    }
}

/// A cell: its name leads to its declaration.
fn cell_ui(ui: &mut Ui, playtest: &Playtest, cell: &StateCell, out: &mut Vec<Command>) {
    let name = ui.link(&cell.name);
    let told = format!("{}: go to its declaration", cell.id);
    if name.on_hover_text(told).clicked() {
        out.extend(open(playtest, cell.span));
    }
    let value = egui::Label::new(&cell.value).truncate();
    ui.add(value).on_hover_text(&cell.value);
}

/// Sets a cell by hand.
fn give_ui(
    ui: &mut Ui,
    cell: &StateCell,
    typing: &mut Option<(String, String)>,
    out: &mut Vec<Command>,
) {
    let Some((_, typed)) = typing.as_mut().filter(|(id, _)| *id == cell.id) else {
        let set = ui.small_button("Set…");
        let name = format!("Set {}", cell.id);
        set.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
        if set.clicked() {
            *typing = Some((cell.id.clone(), String::new()));
        }
        return;
    };
    let field = egui::TextEdit::singleline(typed)
        .hint_text("as the rules write it")
        .desired_width(160.0);
    let field = ui.add(field);
    let id = field.id;
    ui.ctx()
        .accesskit_node_builder(id, |node| node.set_label(cell.id.as_str()));
    if typed.is_empty() && !field.has_focus() && !field.lost_focus() {
        field.request_focus();
    }
    if field.lost_focus() {
        let enter = ui.input(|input| input.key_pressed(egui::Key::Enter));
        if enter && !typed.trim().is_empty() {
            out.push(Command::Give(cell.id.clone(), typed.clone()));
        }
        *typing = None;
    }
}
