//! The board of the game that is played: what can be answered glows, a click answers.

use super::play::PlayView;
use crate::board::{Board, Scene, Subject};
use crate::window::widgets::canvas::{CanvasView, Shown};
use crate::window::{Command, theme};
use crate::workshop::Workshop;
use crate::workshop::playtest::{Eyes, Playtest};
use egui::{RichText, Ui};
use interpreter::ask;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What the panel remembers.
#[derive(Default)]
pub struct BoardView {
    canvas: CanvasView,
    /// Of which rules, by their place in memory.
    board: Option<(usize, Option<Board>)>,
    /// Of which version of the play-test.
    scene: Option<(usize, u64, Scene)>,
    /// For each answer what on the board it names.
    named: Vec<BTreeSet<Subject>>,
    /// Answers that a click left to choose from.
    open: Vec<usize>,
}

impl BoardView {
    /// Lets the board fill the panel.
    pub fn fit(&mut self) {
        self.canvas.fit();
    }

    /// Draws the board anew, if the game has gone on.
    pub fn refresh(&mut self, shop: &Workshop, play: &PlayView) {
        let Some(playtest) = &shop.playtest else {
            *self = BoardView::default();
            return;
        };
        let game = playtest.game();
        let place = Arc::as_ptr(game) as usize;
        if self.board.as_ref().is_none_or(|(known, _)| *known != place) {
            let checked = &game.checked;
            let made = Board::new(&checked.sources, &checked.compiled, &game.program);
            let board = made
                .map(|(board, _)| board)
                .filter(|board| !board.is_empty());
            self.board = Some((place, board));
        }
        let now = (place, playtest.version());
        let known = self
            .scene
            .as_ref()
            .map(|(place, version, _)| (*place, *version));
        if known == Some(now) {
            return;
        }
        let Some((_, Some(board))) = &self.board else {
            return;
        };
        let scene = board.scene(playtest.position(), eyes(playtest));
        self.named = named(playtest, &scene, play);
        self.open.clear();
        self.scene = Some((now.0, now.1, scene));
    }

    pub fn show_ui(
        &mut self,
        ui: &mut Ui,
        shop: &Workshop,
        play: &PlayView,
        meant: Option<usize>,
        out: &mut Vec<Command>,
    ) {
        let Some((_, _, scene)) = &self.scene else {
            empty_ui(ui, shop, out);
            return;
        };
        let choices: BTreeSet<Subject> = self.named.iter().flatten().copied().collect();
        let none = BTreeSet::new();
        let shown = Shown {
            scene,
            choices: &choices,
            meant: meant.and_then(|at| self.named.get(at)).unwrap_or(&none),
        };
        let answer = self.canvas.show_ui(ui, shown);
        let wanted = answer
            .clicked
            .iter()
            .find(|subject| choices.contains(subject));
        if let Some(wanted) = wanted {
            let fits = |at: &usize| self.named[*at].contains(wanted);
            self.open = (0..self.named.len()).filter(fits).collect();
            if let [only] = self.open[..] {
                self.open.clear();
                out.push(Command::Answer(only));
            }
        } else if !answer.clicked.is_empty() {
            self.open.clear();
        }
        self.open_ui(ui, play, out);
    }

    /// A choice between the answers that name what was clicked.
    fn open_ui(&mut self, ui: &Ui, play: &PlayView, out: &mut Vec<Command>) {
        if self.open.is_empty() {
            return;
        }
        let mut keep = true;
        egui::Window::new("Which one?")
            .open(&mut keep)
            .collapsible(false)
            .resizable(false)
            .default_width(theme::TEXT_WIDTH)
            .show(ui.ctx(), |ui| {
                egui::ScrollArea::vertical()
                    .max_height(300.0)
                    .show(ui, |ui| {
                        for at in &self.open {
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
        if !keep {
            self.open.clear();
        }
    }
}

fn eyes(playtest: &Playtest) -> ask::Eyes {
    match playtest.eyes() {
        Eyes::All => ask::Eyes::Open,
        Eyes::Seat(seat) => ask::Eyes::Of(Some(seat)),
        Eyes::Nobody => ask::Eyes::Of(None),
    }
}

/// For each answer the things of the board whose names stand in it.
fn named(playtest: &Playtest, scene: &Scene, play: &PlayView) -> Vec<BTreeSet<Subject>> {
    let words = playtest.game().words();
    let mut by_name: BTreeMap<String, BTreeSet<Subject>> = BTreeMap::new();
    for subject in scene.shapes.iter().flat_map(|shape| &shape.subjects) {
        if let Subject::Element(domain, word) = *subject {
            let name = words.element(domain, word).trim_matches('"').to_owned();
            by_name.entry(name).or_default().insert(*subject);
        }
    }
    let letters = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    let answers = play.seen.question.answers.iter();
    answers
        .map(|answer| {
            let names = answer.text.split(|letter: char| !letters(letter));
            names
                .filter_map(|name| by_name.get(name))
                .flatten()
                .copied()
                .collect()
        })
        .collect()
}

fn empty_ui(ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
    if shop.playtest.is_none() {
        ui.weak("The board appears as soon as a game can be played.");
        return;
    }
    ui.label(RichText::new("This game has no board yet").text_style(theme::section()));
    ui.label("A file `board.toml` says what is drawn where; docs/board.md shows how, by examples.");
    if let Some(game) = shop.game() {
        let name = format!("{}/board.toml", game.id);
        if shop.path(&name).is_some() && ui.button("Open board.toml").clicked() {
            out.push(Command::OpenFile(name, None));
        }
    }
}
