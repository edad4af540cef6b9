//! Answering by pointing: what glows, what the pointer says, and the menu where several answers name one thing.

use super::{BoardView, Drawn};
use crate::board::{Point, Subject};
use crate::window::panels::play::PlayView;
use crate::window::widgets::canvas::{CanvasAnswer, Shown};
use crate::window::{Command, theme};
use egui::{Id, Popup, Pos2, Ui};
use std::collections::BTreeSet;

/// Answers that are told before the rest is only counted.
const TOLD: usize = 6;
/// Height of the menu before it scrolls.
const MENU_HEIGHT: f32 = 300.0;

/// A choice between the answers that name what was clicked.
pub struct Menu {
    at: Pos2,
    answers: Vec<usize>,
}

impl Drawn {
    /// The answers that name what lies topmost at a place, of what can be chosen.
    fn answers_at(&self, subjects: &[Subject]) -> Vec<usize> {
        let wanted = subjects.iter().find(|one| self.choices.contains(one));
        let Some(wanted) = wanted else {
            return Vec::new();
        };
        let fits = |at: &usize| self.named[*at].contains(wanted);
        (0..self.named.len()).filter(fits).collect()
    }
}

impl BoardView {
    pub(super) fn play_ui(
        &mut self,
        ui: &mut Ui,
        play: &PlayView,
        meant: Option<usize>,
        out: &mut Vec<Command>,
    ) {
        self.menu_ui(ui, play, out);
        let Some(drawn) = &self.drawn else { return };
        let none = BTreeSet::new();
        let shown = Shown {
            scene: &drawn.scene,
            choices: &drawn.choices,
            meant: meant.and_then(|at| drawn.named.get(at)).unwrap_or(&none),
            path: &drawn.path,
            holds: false,
        };
        let answer = self.canvas.show_ui(ui, shown);
        if !answer.clicked.is_empty() {
            let answers = drawn.answers_at(&answer.clicked);
            let corner = answer.response.rect.center();
            self.menu = match answers[..] {
                [] => None,
                [only] => {
                    out.push(Command::Answer(only));
                    None
                }
                _ => Some(Menu {
                    at: answer.response.interact_pointer_pos().unwrap_or(corner),
                    answers,
                }),
            };
        } else if self.menu.is_none()
            && let Some(pointer) = answer.pointer
        {
            hover_ui(&answer, drawn, play, pointer);
        }
    }

    fn menu_ui(&mut self, ui: &Ui, play: &PlayView, out: &mut Vec<Command>) {
        let Some(menu) = &self.menu else { return };
        let mut open = true;
        let id = Id::unique("answers of the board");
        Popup::new(id, ui.ctx().clone(), menu.at, ui.layer_id())
            .open_bool(&mut open)
            .accessible_name("Which one?")
            .show(|ui| {
                ui.set_max_width(theme::TEXT_WIDTH);
                ui.weak("Which one?");
                let area = egui::ScrollArea::vertical().max_height(MENU_HEIGHT);
                area.show(ui, |ui| {
                    for at in &menu.answers {
                        let Some(answer) = play.seen.question.answers.get(*at) else {
                            continue;
                        };
                        let row = ui.button(&answer.text);
                        if row.hovered() {
                            out.push(Command::Mean(Some(*at)));
                        }
                        if row.clicked() {
                            out.push(Command::Answer(*at));
                        }
                    }
                });
            });
        if !open {
            self.menu = None;
        }
    }
}

/// What a click would answer, or what lies there.
fn hover_ui(answer: &CanvasAnswer, drawn: &Drawn, play: &PlayView, pointer: Point) {
    let answers = drawn.answers_at(&drawn.scene.at(pointer));
    let name = drawn.scene.name_at(pointer);
    if answers.is_empty() && name.is_none() {
        return;
    }
    let offered = &play.seen.question.answers;
    answer.response.clone().on_hover_ui_at_pointer(|ui| {
        if let Some(name) = name {
            ui.label(name);
        }
        let known = answers.iter().filter_map(|at| offered.get(*at));
        for one in known.take(TOLD) {
            ui.strong(format!("▶ {}", one.text));
        }
        if answers.len() > TOLD {
            ui.weak(format!("and {} more answers", answers.len() - TOLD));
        }
    });
}
