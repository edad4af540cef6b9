//! The board of the game that is played: what can be answered glows and a click answers; or coloured by use.

mod design;
mod heat;
mod play;

use crate::board::heat::{Heat, heated};
use crate::board::{Board, Join, Point, Scene, Subject, path};
use crate::window::widgets::canvas::{CanvasView, Shown, ZOOM_STEP};
use crate::window::{Command, theme};
use crate::workshop::Workshop;
use crate::workshop::playtest::{Element, Playtest, Way};
use egui::{RichText, Ui, WidgetInfo};
use interpreter::playout::Report;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What the board is looked at for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Play,
    Heat,
    Design,
}

/// What the panel remembers.
#[derive(Default)]
pub struct BoardView {
    canvas: CanvasView,
    mode: Mode,
    /// Of which rules, by their place in memory.
    board: Option<(usize, Option<Board>)>,
    drawn: Option<Drawn>,
    /// Of which drawing and which simulation.
    heat: Option<((usize, u64, u64), Heat)>,
    menu: Option<play::Menu>,
    begun: Option<play::Begun>,
    design: design::Design,
}

/// The board of one position as somebody sees it.
struct Drawn {
    /// Which rules, and which version of the play-test.
    of: (usize, u64),
    scene: Scene,
    /// The answers that are offered, then those behind menus, once they are known.
    offers: Vec<Offer>,
    offers_are_whole: bool,
    /// What any of them names.
    choices: BTreeSet<Subject>,
    /// The way of the walk that is being made.
    path: Vec<Point>,
    /// Tables whose rows join two spaces.
    joins: Vec<Join>,
}

/// Answers in a row that a click gives.
struct Offer {
    /// By their numbers.
    answers: Vec<usize>,
    text: String,
    /// What the last of them names.
    names: BTreeSet<Subject>,
    /// It is given when all that it names has been pointed at.
    at_once: bool,
}

impl BoardView {
    /// Lets the board fill the panel.
    pub fn fit(&mut self) {
        self.canvas.fit();
    }

    /// Makes the board larger, in hundredths.
    pub fn zoom(&mut self, percent: u32) {
        self.canvas.zoom(percent as f32 / 100.0);
    }

    /// Draws the board anew, if the game has gone on.
    pub fn refresh(&mut self, shop: &mut Workshop) {
        let Some(playtest) = &mut shop.playtest else {
            self.board = None;
            self.drawn = None;
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
            self.drawn = None;
        }
        let now = (place, playtest.version());
        if self.drawn.as_ref().is_none_or(|drawn| drawn.of != now) {
            let Some((_, Some(board))) = &self.board else {
                return;
            };
            self.menu = None;
            self.drawn = Some(Drawn::new(board, playtest, now));
        }
        if let (Some(drawn), Some(ways)) = (&mut self.drawn, shop.ways()) {
            drawn.take(ways);
        }
    }

    pub fn show_ui(
        &mut self,
        ui: &mut Ui,
        shop: &Workshop,
        meant: &[usize],
        out: &mut Vec<Command>,
    ) {
        if self.drawn.is_none() {
            empty_ui(ui, shop, out);
            return;
        }
        self.bar_ui(ui);
        match self.mode {
            Mode::Design => self.design_ui(ui, out),
            Mode::Play => self.play_ui(ui, meant, out),
            Mode::Heat => self.heat_ui(ui, shop, out),
        }
    }

    /// What the board is looked at for, and how large it is.
    fn bar_ui(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            for (mode, name, what) in [
                (
                    Mode::Play,
                    "Play",
                    "What can be chosen glows; a click answers",
                ),
                (
                    Mode::Heat,
                    "Heat",
                    "Colours say how often the last simulation used each thing",
                ),
            ] {
                ui.selectable_value(&mut self.mode, mode, name)
                    .on_hover_text(what);
            }
            let drawn = self.drawn.as_ref();
            let fixed = drawn.is_none_or(|drawn| drawn.scene.handles.is_empty());
            let chosen = self.mode == Mode::Design;
            let design = egui::Button::selectable(chosen, "Design");
            let design = ui
                .add_enabled(!fixed, design)
                .on_hover_text("Drag things to other places, join spaces, write labels")
                .on_disabled_hover_text(
                    "Nothing here can be dragged: no place is written as two numbers or two columns, like `at = [\"c.x\", \"c.y\"]`",
                );
            if design.clicked() {
                self.mode = Mode::Design;
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let button = |ui: &mut Ui, sign: &str, name: &str, keys: &str| {
                    let button = ui.button(sign);
                    button.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, name));
                    button.on_hover_text(format!("{name} ({keys})")).clicked()
                };
                if button(ui, "+", "Larger board", "Alt +, or + on the board") {
                    self.canvas.zoom(ZOOM_STEP);
                }
                if button(ui, "−", "Smaller board", "Alt −, or − on the board") {
                    self.canvas.zoom(1.0 / ZOOM_STEP);
                }
                if button(ui, "Fit", "Whole board", "Alt F, or a double click") {
                    self.canvas.fit();
                }
            });
        });
    }

    fn heat_ui(&mut self, ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
        let Some(drawn) = &self.drawn else { return };
        let report = simulated(shop);
        heat::legend_ui(ui, report, out);
        let fresh = report.map(|report| (drawn.of.0, drawn.of.1, report.seed ^ report.games));
        match (fresh, report) {
            (Some(fresh), Some(report)) => {
                if self.heat.as_ref().is_none_or(|(known, _)| *known != fresh) {
                    let count = |domain, word| report.named().count(domain, word);
                    self.heat = Some((fresh, heated(drawn.scene.clone(), count)));
                }
            }
            _ => self.heat = None,
        }
        let none = BTreeSet::new();
        let heat = self.heat.as_ref().map(|(_, heat)| heat);
        let scene = heat.map_or(&drawn.scene, |heat| &heat.scene);
        let answer = self.canvas.show_ui(ui, Shown::still(scene, &none));
        if let (Some(heat), Some(report)) = (heat, report) {
            heat::hover_ui(&answer, heat, report.games);
        }
    }
}

impl Drawn {
    fn new(board: &Board, playtest: &mut Playtest, of: (usize, u64)) -> Drawn {
        let scene = board.scene(playtest.position(), playtest.eyes().into());
        let question = playtest.question();
        let offered = question.answers.into_iter().zip(playtest.named());
        let offers: Vec<Offer> = offered
            .enumerate()
            .map(|(at, (answer, names))| Offer {
                answers: vec![at],
                text: match answer.details.is_empty() {
                    true => answer.said,
                    false => format!("{} ({})", answer.said, answer.details),
                },
                at_once: answer.at_once,
                names: names.into_iter().map(subject).collect(),
            })
            .collect();
        let steps: Vec<Vec<Subject>> = playtest
            .walked()
            .into_iter()
            .map(|step| step.into_iter().map(subject).collect())
            .collect();
        Drawn {
            of,
            choices: offers.iter().flat_map(|one| &one.names).copied().collect(),
            offers_are_whole: false,
            path: path::line(&scene, &steps),
            joins: board.joins(),
            offers,
            scene,
        }
    }

    /// What lies behind menus glows too.
    fn take(&mut self, ways: &[Way]) {
        if std::mem::replace(&mut self.offers_are_whole, true) {
            return;
        }
        for way in ways {
            let names: BTreeSet<Subject> = way.names.iter().copied().map(subject).collect();
            self.choices.extend(&names);
            self.offers.push(Offer {
                answers: way.answers.clone(),
                text: way.text.clone(),
                at_once: way.at_once,
                names,
            });
        }
    }
}

fn subject((domain, word): Element) -> Subject {
    Subject::Element(domain, word)
}

/// The last simulation, if it was of the rules that are played.
fn simulated(shop: &Workshop) -> Option<&Report> {
    let result = shop.simulation.as_ref()?.result.as_ref()?;
    let report = result.as_ref().ok()?.report();
    let game = shop.playtest.as_ref()?.game();
    (report.fingerprint == game.fingerprint).then_some(report)
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
