//! The lines of play that were tried, as a tree: gone to, named, compared, deleted.

use super::play::place_ui;
use crate::window::{Command, theme};
use crate::workshop::playtest::{Fork, Line, Playtest};
use egui::{Grid, Key, RichText, ScrollArea, TextEdit, Ui};
use interpreter::game::NodeId;
use interpreter::playout::seat_name;

/// How far a line stands to the right of the one it branches off from.
const INDENT: f32 = 16.0;
const HEIGHT_MAX: f32 = 170.0;

/// What the panel remembers.
#[derive(Default)]
pub struct LinesView {
    /// The line that is being named, and what has been typed.
    naming: Option<(NodeId, String)>,
    /// Two lines side by side, as they were in this version of the game.
    compared: Option<(u64, Fork)>,
}

impl LinesView {
    pub fn show_ui(
        &mut self,
        ui: &mut Ui,
        playtest: &Playtest,
        lines: &[Line],
        out: &mut Vec<Command>,
    ) {
        egui::CollapsingHeader::new(format!("Lines ({})", lines.len()))
            .id_salt("lines")
            .default_open(true)
            .show(ui, |ui| {
                ScrollArea::vertical()
                    .id_salt("all lines")
                    .max_height(HEIGHT_MAX)
                    .auto_shrink([false, true])
                    .show(ui, |ui| {
                        for line in lines {
                            ui.push_id(line.end, |ui| self.line_ui(ui, playtest, line, out));
                        }
                    });
            });
        let mut keep = true;
        if let Some((version, fork)) = &mut self.compared {
            if *version != playtest.version() {
                let [one, other] = [fork.ends[0].end, fork.ends[1].end];
                (*version, *fork) = (playtest.version(), playtest.compare(one, other));
            }
            keep = fork_ui(ui, playtest, fork, out);
        }
        if !keep {
            self.compared = None;
        }
        ui.separator();
    }

    fn line_ui(&mut self, ui: &mut Ui, playtest: &Playtest, line: &Line, out: &mut Vec<Command>) {
        ui.horizontal(|ui| {
            ui.add_space(INDENT * line.depth as f32);
            if self
                .naming
                .as_ref()
                .is_some_and(|(end, _)| *end == line.end)
            {
                self.naming_ui(ui, line.end, out);
                return;
            }
            // The buttons first, from the right: whatever the width, none is cut off.
            let buttons = egui::Layout::right_to_left(egui::Align::Center);
            ui.with_layout(buttons, |ui| self.buttons_ui(ui, playtest, line, out));
        });
    }

    fn buttons_ui(
        &mut self,
        ui: &mut Ui,
        playtest: &Playtest,
        line: &Line,
        out: &mut Vec<Command>,
    ) {
        let delete = ui.add_enabled(!line.current, egui::Button::new("Delete").small());
        if delete
            .on_disabled_hover_text("The game stands on it")
            .clicked()
        {
            self.compared = None;
            out.push(Command::ForgetLine(line.end));
        }
        let here = playtest.tree().current();
        let compare = egui::Button::new("Compare").small();
        let compare = ui.add_enabled(line.end != here, compare);
        let compare = compare.on_disabled_hover_text("The game stands at its end");
        if compare
            .on_hover_text("With where the game stands")
            .clicked()
        {
            let fork = playtest.compare(line.end, here);
            self.compared = Some((playtest.version(), fork));
        }
        if ui.small_button("Name").clicked() {
            self.naming = Some((line.end, line.name.clone().unwrap_or_default()));
        }
        let text = format!("{} · {}", called(line), extent(line));
        let row = egui::Button::selectable(line.current, text).truncate();
        let row = ui.add_sized([ui.available_width(), theme::ROW], row);
        if row.on_hover_text("Go to its end").clicked() {
            out.push(Command::GoToNode(line.end));
        }
    }

    fn naming_ui(&mut self, ui: &mut Ui, end: NodeId, out: &mut Vec<Command>) {
        let Some((_, name)) = &mut self.naming else {
            return;
        };
        let label = ui.label("Name");
        let field = TextEdit::singleline(name).desired_width(160.0);
        let field = ui.add(field).labelled_by(label.id);
        field.request_focus();
        let enter = ui.input(|input| input.key_pressed(Key::Enter));
        if ui.small_button("Keep").clicked() || enter {
            out.push(Command::NameLine(end, name.clone()));
            self.naming = None;
        } else if ui.input(|input| input.key_pressed(Key::Escape)) {
            self.naming = None;
        }
    }
}

fn called(line: &Line) -> String {
    let name = line.name.clone().or_else(|| line.first.clone());
    name.unwrap_or_else(|| "The first line".to_owned())
}

fn extent(line: &Line) -> String {
    let over = if line.over { ", to the end" } else { "" };
    match line.first {
        Some(_) => format!("from {} to {}{over}", line.parts_after, line.length),
        None => format!("{} answers{over}", line.length),
    }
}

/// Two lines side by side; false when it is closed.
fn fork_ui(ui: &mut Ui, playtest: &Playtest, fork: &Fork, out: &mut Vec<Command>) -> bool {
    let colours = theme::colours(ui.style());
    let mut keep = true;
    ui.horizontal(|ui| {
        ui.strong(format!("The same up to answer {}", fork.after));
        if ui.small_button("Go there").clicked() {
            out.push(Command::GoToNode(fork.at));
        }
        keep = !ui.small_button("Close").clicked();
    });
    let names = ["There", "Here"];
    ScrollArea::vertical()
        .id_salt("fork")
        .max_height(1.5 * HEIGHT_MAX)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            ui.columns(2, |columns| {
                for ((ui, end), name) in columns.iter_mut().zip(&fork.ends).zip(names) {
                    ui.weak(name);
                    for (_, text) in &end.answers {
                        ui.add(egui::Label::new(text).truncate());
                    }
                    if end.answers.is_empty() {
                        ui.weak("nothing more");
                    }
                }
            });
            Grid::new("fork scores").striped(true).show(ui, |ui| {
                ui.weak("Score");
                for seat in 0..playtest.players() {
                    ui.strong(seat_name(seat as usize));
                }
                ui.end_row();
                let lines = fork.ends[0].scores.iter().zip(&fork.ends[1].scores);
                for ((name, there), (_, here)) in lines.filter(|(a, b)| a != b) {
                    ui.label(name);
                    for (there, here) in there.iter().zip(here) {
                        let [a, b] = [there, here].map(|score| {
                            score.map_or_else(|| "?".to_owned(), |score| score.to_string())
                        });
                        let text = RichText::new(format!("{a} → {b}"));
                        ui.label(if there == here { text.weak() } else { text });
                    }
                    ui.end_row();
                }
            });
            for one in &fork.differing {
                ui.horizontal_wrapped(|ui| {
                    place_ui(ui, playtest, one.span, out);
                    ui.label(format!("{} {}", one.owner, one.name));
                    for (value, fill) in one.values.iter().zip([colours.removed, colours.added]) {
                        let value = value.as_deref().unwrap_or("not seen");
                        ui.label(RichText::new(value).background_color(fill));
                    }
                });
            }
        });
    keep
}
