//! A position that is shown instead of the game that is played: where a scenario came to.

use crate::bench::Stand;
use crate::board::{Board, Scene};
use crate::window::theme;
use crate::window::widgets::canvas::{CanvasView, Shown};
use dsl::source::SourceSet;
use egui::Ui;
use interpreter::ask::Eyes;

/// What is shown, if anything is.
#[derive(Default)]
pub struct Exhibit {
    canvas: CanvasView,
    shown: Option<Position>,
}

struct Position {
    title: String,
    /// None: the game has no board.
    scene: Option<Scene>,
}

impl Exhibit {
    /// Shows a position; the texts are those of its rules.
    pub fn show(&mut self, title: String, sources: &SourceSet, stand: &Stand) {
        let made = Board::new(sources, &stand.compiled, &stand.program);
        let board = made
            .map(|(board, _)| board)
            .filter(|board| !board.is_empty());
        let scene = board.map(|board| board.scene(&stand.state, Eyes::Open));
        self.canvas.fit();
        self.shown = Some(Position { title, scene });
    }

    /// Back to the game that is played.
    pub fn close(&mut self) {
        self.shown = None;
    }

    pub fn is_open(&self) -> bool {
        self.shown.is_some()
    }

    pub fn show_ui(&mut self, ui: &mut Ui) {
        let Some(position) = &self.shown else { return };
        let colours = theme::colours(ui.style());
        let mut close = false;
        ui.horizontal(|ui| {
            ui.colored_label(colours.accent, &position.title);
            close = ui.button("Back to the game").clicked();
        });
        match &position.scene {
            Some(scene) => {
                self.canvas.show_ui(ui, Shown::still(scene));
            }
            None => {
                ui.weak("This game has no board to be shown.");
            }
        }
        if close {
            self.shown = None;
        }
    }
}
