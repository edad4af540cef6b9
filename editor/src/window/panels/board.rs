//! The board of the game that is played: what can be answered glows and a click answers; or coloured by use.

mod aim;
mod design;
mod doubt;
mod heat;
mod lens;
mod play;
mod tray;

use crate::board::heat::{Heat, heated};
use crate::board::{Arrangement, Board, Join, Point, Scene, Size, Subject, path};
use crate::template::Part;
use crate::window::widgets::canvas::{CanvasView, EDGE, Marks, Shown, ZOOM_STEP};
use crate::window::{Command, theme};
use crate::workshop::Workshop;
use crate::workshop::dealer::WhyNot;
use crate::workshop::playtest::{Element, Moment, Playtest, Pointed, Way};
use aim::Aim;
use egui::{RichText, Ui, Vec2, WidgetInfo, vec2};
use interpreter::playout::{Report, seat_name};
use std::sync::Arc;

/// By what share the room, or what is drawn, must change for the panels to be put together anew.
const REARRANGE: f32 = 0.08;

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
    /// Nobody wrote the board: it is made from the rules.
    derived: bool,
    /// The game whose board it is.
    of: String,
    /// How the panels are put together, and for what.
    arranged: Option<Arranged>,
    /// Of which drawing and which simulation.
    heat: Option<((usize, u64, u64), Heat)>,
    /// The answers that were meant in the frame before.
    meant: Vec<usize>,
    /// Of answers that cannot be pointed at, the one that keys mean.
    turned: usize,
    menu: Option<play::Menu>,
    begun: Option<play::Begun>,
    doubt: Option<doubt::Doubt>,
    dropped: Option<play::Dropped>,
    lens: lens::Lens,
    design: design::Design,
}

/// How panels are put together.
#[derive(Clone, Copy)]
struct Arranged {
    arrangement: Arrangement,
    /// How much room there was, and how large what was drawn.
    room: Vec2,
    size: Vec2,
    /// How many texts were not there in whole.
    cut: usize,
}

impl Arranged {
    /// Whether there is about as much room for about as much, and no more texts are cut.
    fn fits(&self, room: Vec2, drawn: Option<&Drawn>) -> bool {
        let scene = drawn.map(|drawn| &drawn.scene);
        let size = scene.map_or(self.size, size_of);
        let cut = scene.map_or(self.cut, Scene::cut);
        near(self.room, room) && near(self.size, size) && cut <= self.cut
    }
}

fn near(known: Vec2, now: Vec2) -> bool {
    let apart = (known - now).abs();
    apart.x <= REARRANGE * known.x && apart.y <= REARRANGE * known.y
}

/// What a board has of a canvas.
fn room_for(canvas: Vec2) -> Size {
    let room = canvas - Vec2::splat(2.0 * EDGE);
    Size {
        width: room.x.max(1.0),
        height: room.y.max(1.0),
    }
}

fn size_of(scene: &Scene) -> Vec2 {
    vec2(scene.size.width, scene.size.height)
}

/// The board of one position as somebody sees it.
struct Drawn {
    /// Which rules, and which version of the play-test.
    of: Moment,
    arrangement: Arrangement,
    scene: Scene,
    /// What lies beside the board, if anything that is asked for has no place on it.
    tray: Option<tray::Tray>,
    /// Names of choices for whose numbers shapes stand.
    choices: Vec<String>,
    /// The answers that are offered, then those behind menus, once they are known.
    offers: Vec<Offer>,
    offers_are_whole: bool,
    asked: Option<u32>,
    /// What was chosen before in the same action.
    before: Vec<Element>,
    marks: Marks,
    /// What the marks were made for: what was pointed at, and the answers that are meant.
    marked: (Option<Subject>, Vec<usize>),
    /// What was begun, and in which room, when something to be chosen was brought to sight; none: that was not yet.
    sighted: Option<(Option<Subject>, Vec2)>,
    /// Who is asked what; empty: nobody.
    question: String,
    /// How it would look behind the answers that are meant, and which shapes are other ones.
    foreseen: Option<(Vec<usize>, Scene, Vec<usize>)>,
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
    about: Pointed,
    /// The shapes that the last of them is about, each with what of it they stand for.
    shapes: Vec<(usize, Subject)>,
    /// The shapes of places that it changes besides: where what it names goes to.
    goals: Vec<(usize, Subject)>,
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
        let of = shop.game().map_or_else(String::new, |game| game.id.clone());
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
            self.derived = board.is_some() && dsl::board::written(&checked.compiled).is_some();
            self.board = Some((place, board));
            self.drawn = None;
            // Under changed rules the panels stay where they are.
            if self.of != of {
                self.of = of;
                self.arranged = None;
            }
        }
        let room = self.canvas.room();
        let now = playtest.moment();
        let Some((_, Some(board))) = &self.board else {
            return;
        };
        let fits = |known: &Arranged| known.fits(room, self.drawn.as_ref());
        let anew = !self.arranged.as_ref().is_some_and(fits);
        if anew {
            let size = room_for(room);
            // In another room all begins anew.
            let known = self.arranged.filter(|known| near(known.room, room));
            let known = known.map(|known| known.arrangement);
            let before = self.arranged.map(|known| known.arrangement);
            let eyes = playtest.eyes().into();
            let arrangement = board.arranged(playtest.position(), eyes, size, known);
            let scene = board.scene_as(playtest.position(), eyes, arrangement);
            self.arranged = Some(Arranged {
                arrangement,
                room,
                size: size_of(&scene),
                cut: scene.cut(),
            });
            if before != Some(arrangement) {
                self.drawn = None;
            }
        }
        let arrangement = self.arranged.map(|known| known.arrangement);
        let arrangement = arrangement.unwrap_or_default();
        self.canvas.keep_readable(arrangement.least);
        if self.drawn.as_ref().is_none_or(|drawn| drawn.of != now) {
            self.menu = None;
            self.doubt = None;
            self.turned = 0;
            let room = room_for(room);
            self.drawn = Some(Drawn::new(board, playtest, arrangement, room));
        }
        if let (Some(drawn), Some(ways)) = (&mut self.drawn, shop.ways()) {
            drawn.take(ways);
        }
        if let Some(drawn) = &mut self.drawn {
            drawn.show_tray(board, shop);
            let meant = std::mem::take(&mut self.meant);
            drawn.foresee(board, shop, &meant);
            self.meant = meant;
        }
    }

    /// Takes up why things are not offered, if it was asked here.
    pub fn take_why(&mut self, why: &WhyNot) {
        if let (Some(doubt), Some(drawn)) = (&mut self.doubt, &self.drawn) {
            doubt.take(why, drawn.of.1);
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
        if self.derived {
            ui.horizontal(|ui| {
                ui.weak("This board is made from the rules.");
                let keep = ui.button("Keep it").on_hover_text(
                    "Writes it as `board.toml`, to be changed: what it shows, where it lies, how it looks",
                );
                if keep.clicked() {
                    out.push(Command::MakeFile(Part::Board, String::new()));
                }
            });
        }
        match self.mode {
            Mode::Design => self.design_ui(ui, out),
            Mode::Play => self.play_ui(ui, shop, meant, out),
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
        let heat = self.heat.as_ref().map(|(_, heat)| heat);
        let scene = heat.map_or(&drawn.scene, |heat| &heat.scene);
        let answer = self.canvas.show_ui(ui, Shown::still(scene));
        if let (Some(heat), Some(report)) = (heat, report) {
            heat::hover_ui(&answer, heat, report.games);
        }
    }
}

impl Drawn {
    fn new(board: &Board, playtest: &mut Playtest, arrangement: Arrangement, room: Size) -> Drawn {
        let of = playtest.moment();
        let scene = board.scene_as(playtest.position(), playtest.eyes().into(), arrangement);
        let asked = playtest.asked();
        let question = playtest.question();
        let before = match question.unheard {
            true => Vec::new(),
            false => playtest.chosen(),
        };
        let said = question.seat.map_or_else(String::new, |seat| {
            format!("{}: {}", seat_name(seat as usize), question.text)
        });
        let offered = question.answers.into_iter().zip(playtest.pointed());
        let offers = offered.enumerate().map(|(at, (answer, about))| Offer {
            answers: vec![at],
            text: match answer.details.is_empty() {
                true => answer.said,
                false => format!("{} ({})", answer.said, answer.details),
            },
            at_once: answer.at_once,
            about,
            shapes: Vec::new(),
            goals: Vec::new(),
        });
        let steps: Vec<Vec<Subject>> = playtest
            .walked()
            .into_iter()
            .map(|step| step.into_iter().map(subject).collect())
            .collect();
        let aim = Aim::new(&scene, &[], asked, &before);
        let marks = Marks {
            chosen: aim.standing_for(before.iter().copied()),
            recent: Aim::new(&scene, &[], None, &[]).standing_for(playtest.recent()),
            ..Marks::default()
        };
        let mut drawn = Drawn {
            of,
            arrangement,
            offers_are_whole: false,
            asked,
            marks,
            marked: (None, Vec::new()),
            sighted: None,
            question: said,
            foreseen: None,
            path: path::line(&scene, &steps),
            joins: board.joins(),
            choices: board.choices().to_vec(),
            tray: None,
            offers: offers.collect(),
            before,
            scene,
        };
        if playtest.bot_asked().is_none() {
            drawn.lay_tray(board, playtest, (&question.text, room));
        }
        drawn.take_aim();
        drawn
    }

    /// How it would look behind answers, if that is known.
    fn foresee(&mut self, board: &Board, shop: &Workshop, meant: &[usize]) {
        let known = self.foreseen.as_ref();
        if known.is_some_and(|(answers, ..)| answers == meant) {
            return;
        }
        self.foreseen = None;
        let playtest = shop.playtest.as_ref();
        let (Some(playtest), Some(Some(foreseen))) = (playtest, shop.preview(meant)) else {
            return;
        };
        let scene = board.scene_as(&foreseen.state, playtest.eyes().into(), self.arrangement);
        let shapes = scene.shapes.iter().enumerate();
        let others = shapes.filter(|(_, shape)| !self.scene.shapes.contains(shape));
        let others = others.map(|(at, _)| at).collect();
        let scene = match &self.tray {
            Some(tray) => tray.beside(scene),
            None => scene,
        };
        self.foreseen = Some((meant.to_vec(), scene, others));
    }

    /// What lies behind menus glows too.
    fn take(&mut self, ways: &[Way]) {
        if std::mem::replace(&mut self.offers_are_whole, true) {
            return;
        }
        let offers = ways.iter().map(|way| Offer {
            answers: way.answers.clone(),
            text: way.text.clone(),
            at_once: way.at_once,
            about: way.about.clone(),
            shapes: Vec::new(),
            goals: Vec::new(),
        });
        self.offers.extend(offers);
        self.take_aim();
    }
}

fn subject((domain, word): Element) -> Subject {
    Subject::Element(domain, word)
}

/// The last simulation, if it was of the rules that are played.
fn simulated(shop: &Workshop) -> Option<&Report> {
    let result = shop.simulation.as_ref()?.result.as_ref()?;
    let report = result.as_ref().ok()?.report()?;
    let game = shop.playtest.as_ref()?.game();
    (report.fingerprint == game.fingerprint).then_some(report)
}

fn empty_ui(ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
    if shop.playtest.is_none() {
        ui.weak("The board appears as soon as a game can be played.");
        return;
    }
    ui.label(RichText::new("This game has nothing to be drawn").text_style(theme::section()));
    ui.label("A file `board.toml` says what is drawn where; the manual shows how, by examples.");
    if let Some(game) = shop.game() {
        let name = format!("{}/board.toml", game.id);
        if shop.path(&name).is_some() && ui.button("Open board.toml").clicked() {
            out.push(Command::OpenFile(name, None));
        }
    }
}
