//! Answering by pointing: what glows, what the pointer says, and the menu where several answers name one thing.

use super::doubt::Doubt;
use super::{BoardView, Drawn, Offer};
use crate::board::{Form, Point, Rect, Subject};
use crate::window::panels::play::advice::best;
use crate::window::widgets::canvas::{CanvasAnswer, CanvasView, Shown, on_board, on_screen};
use crate::window::{Command, theme};
use crate::workshop::Workshop;
use crate::workshop::playtest::Moment;
use egui::{Id, Popup, Pos2, Role, Sense, Ui, WidgetInfo, vec2};
use std::collections::{BTreeMap, BTreeSet};

/// Answers that are shown above the board.
const CHIPS: usize = 40;
/// Height of the menu before it scrolls.
const MENU_HEIGHT: f32 = 300.0;

/// A choice between the offers that name what was clicked.
pub struct Menu {
    at: Pos2,
    offers: Vec<usize>,
}

/// What was pointed at of what is answered at once.
pub struct Begun {
    /// The picture in which it was.
    of: Moment,
    subject: Subject,
}

/// What was dragged to a place on the board while only what is dragged was asked for.
pub struct Dropped {
    /// The picture in which it was.
    of: Moment,
    at: Point,
}

impl Drawn {
    /// The offers about some shapes, and about others where they were dragged to.
    fn offers_from_to(&self, from: &[usize], to: &[usize], begun: Option<Subject>) -> Vec<usize> {
        let Some((subject, offers)) = self.offers_at(from, begun) else {
            return Vec::new();
        };
        let leads = |at: &usize| {
            let offer = &self.offers[*at];
            let mut all = offer.shapes.iter().chain(&offer.goals);
            all.any(|(shape, one)| to.contains(shape) && *one != subject && begun != Some(*one))
        };
        offers.into_iter().filter(leads).collect()
    }

    /// What behind a menu is about a shape takes it over from the item of the menu.
    pub(super) fn leave_to_ways(&mut self) {
        let mut ways: BTreeMap<Vec<usize>, BTreeSet<usize>> = BTreeMap::new();
        for offer in self.offers.iter().filter(|offer| offer.answers.len() > 1) {
            let shapes = offer.shapes.iter().map(|(at, _)| *at);
            ways.entry(offer.answers.clone())
                .or_default()
                .extend(shapes);
        }
        for offer in &mut self.offers {
            let own = &offer.answers;
            let behind = |way: &Vec<usize>| way.len() > own.len() && way.starts_with(own);
            let behind = ways.iter().filter(|(way, _)| behind(way));
            let taken: BTreeSet<usize> = behind.flat_map(|(_, shapes)| shapes).copied().collect();
            offer.shapes.retain(|(at, _)| !taken.contains(at));
        }
    }

    /// The offers about the topmost of some shapes of which there are any, and what of them it stands for: those that can be begun
    /// by it, else all that name it, else those that bring something there.
    pub(super) fn offers_at(
        &self,
        shapes: &[usize],
        begun: Option<Subject>,
    ) -> Option<(Subject, Vec<usize>)> {
        let open: Vec<usize> = (0..self.offers.len())
            .filter(|at| self.goes_on(&self.offers[*at], begun))
            .collect();
        let firsts = self.firsts(&open, begun);
        let named = |at: usize| self.offers[at].shapes.clone();
        let goals = |at: usize| self.offers[at].goals.clone();
        let all = |at: usize| [named(at), goals(at)].concat();
        let first = |at: usize| {
            let mut own = named(at);
            own.retain(|(_, subject)| firsts[&at].is_none_or(|first| first == *subject));
            own
        };
        let ways: [&dyn Fn(usize) -> Vec<(usize, Subject)>; 3] = [&first, &named, &goals];
        let behind: [&dyn Fn(usize) -> Vec<(usize, Subject)>; 1] = [&all];
        let ways = if begun.is_some() { &behind[..] } else { &ways };
        ways.iter().find_map(|about| {
            shapes.iter().find_map(|shape| {
                let fitting = open.iter().filter_map(|at| {
                    let own = about(*at).into_iter();
                    let mut own = own.filter(|(one, _)| one == shape);
                    let found = own.find(|(_, subject)| begun != Some(*subject));
                    found.map(|(_, subject)| (*at, subject))
                });
                let (offers, subjects): (Vec<usize>, Vec<Subject>) = fitting.unzip();
                Some((*subjects.first()?, offers))
            })
        })
    }

    /// By which thing each of these offers is begun, if it is one of several that are pointed at one after the other: the first that
    /// not all of them name.
    fn firsts(&self, open: &[usize], begun: Option<Subject>) -> BTreeMap<usize, Option<Subject>> {
        let mut naming: BTreeMap<Subject, usize> = BTreeMap::new();
        for at in open {
            let shapes = self.offers[*at].shapes.iter();
            let subjects: BTreeSet<Subject> = shapes.map(|(_, one)| *one).collect();
            for subject in subjects {
                *naming.entry(subject).or_default() += 1;
            }
        }
        let first = |at: &usize| {
            let offer = &self.offers[*at];
            let mut fresh = offer.shapes.iter().filter(|(_, one)| begun != Some(*one));
            let telling = fresh.find(|(_, one)| naming.get(one) != Some(&open.len()));
            let first = telling.filter(|_| offer.at_once).map(|(_, one)| *one);
            (*at, first)
        };
        open.iter().map(first).collect()
    }

    /// The shapes that can be pointed at when an answer is begun. Where several things are pointed at one after the other, those
    /// that are named first, as far as not all answers name them; of shapes for one thing that lie on each other, the largest.
    pub(super) fn choices_behind(&self, begun: Option<Subject>) -> BTreeSet<usize> {
        let open: Vec<usize> = (0..self.offers.len())
            .filter(|at| self.goes_on(&self.offers[*at], begun))
            .collect();
        let mut wanted: BTreeSet<(Subject, usize)> = BTreeSet::new();
        for (at, first) in self.firsts(&open, begun) {
            let offer = &self.offers[at];
            let own = offer.shapes.iter().filter(|(_, one)| begun != Some(*one));
            let own = own.filter(|(_, one)| first.is_none_or(|first| first == *one));
            wanted.extend(own.map(|(at, subject)| (*subject, *at)));
            if begun.is_some() {
                wanted.extend(offer.goals.iter().map(|(at, subject)| (*subject, *at)));
            }
        }
        let shapes = &self.scene.shapes;
        let hidden = |(subject, at): &&(Subject, usize)| {
            let bounds = shapes[*at].bounds();
            let area = |rect: Rect| rect.width * rect.height;
            let range = (*subject, 0)..=(*subject, usize::MAX);
            let mut others = wanted.range(range).filter(|(_, other)| other != at);
            others.any(|(_, other)| {
                let ground = &shapes[*other];
                let more = area(ground.bounds()) - area(bounds);
                let below = more > 0.0 || more == 0.0 && other < at;
                let is_line = matches!(ground.form, Form::Polyline(_));
                below && !is_line && ground.contains(bounds.centre())
            })
        };
        let glowing = wanted.iter().filter(|one| !hidden(one));
        glowing.map(|(_, at)| *at).collect()
    }

    fn goes_on(&self, offer: &Offer, begun: Option<Subject>) -> bool {
        let names = |subject: Subject| offer.shapes.iter().any(|(_, one)| *one == subject);
        begun.is_none_or(|subject| offer.at_once && names(subject))
    }

    /// What answers in a row name, and whatever comes behind them.
    fn meant_by(&self, answers: &[usize]) -> BTreeSet<usize> {
        let offers = self.offers.iter();
        let behind = offers.filter(|one| !answers.is_empty() && one.answers.starts_with(answers));
        let shapes = behind.flat_map(|one| &one.shapes);
        shapes.map(|(at, _)| *at).collect()
    }

    /// Marks what a hint would answer.
    fn advise(&mut self, answer: Option<usize>) {
        self.marks.advised = match answer {
            Some(answer) => self.meant_by(&[answer]),
            None => BTreeSet::new(),
        };
    }

    /// What is to be brought to sight once, where nothing that can be chosen is seen.
    fn out_of_sight(&mut self, begun: Option<Subject>, canvas: &mut CanvasView) -> Option<Rect> {
        let now = Some((begun, canvas.room()));
        if self.sighted == now || self.marks.choices.is_empty() {
            return None;
        }
        self.sighted = now;
        let shapes = self.marks.choices.iter();
        let mut places = shapes.map(|at| self.scene.shapes[*at].bounds());
        match canvas.sees_any(&self.scene, places.clone()) {
            true => None,
            false => places.next(),
        }
    }

    /// Makes the marks anew, if something else is begun or meant.
    fn mark(&mut self, begun: Option<Subject>, meant: &[usize]) {
        if self.marked.0 != begun {
            self.marks.choices = self.choices_behind(begun);
        }
        if self.marked.1 != meant {
            self.marks.meant = self.meant_by(meant);
        }
        if self.marked.0 != begun || self.marked.1 != meant {
            self.marked = (begun, meant.to_vec());
        }
    }
}

impl BoardView {
    pub(super) fn play_ui(
        &mut self,
        ui: &mut Ui,
        shop: &Workshop,
        meant: &[usize],
        out: &mut Vec<Command>,
    ) {
        self.menu_ui(ui, out);
        self.doubt_ui(ui, shop, out);
        self.question_ui(ui, shop, out);
        let Some(drawn) = &mut self.drawn else { return };
        let begun = self.begun.as_ref().filter(|begun| begun.of == drawn.of);
        let begun = begun.map(|begun| begun.subject);
        drawn.mark(begun, meant);
        drawn.advise(shop.hint().and_then(best));
        let person = shop.playtest.as_ref();
        if person.is_some_and(|game| game.bot_asked().is_none())
            && let Some(part) = drawn.out_of_sight(begun, &mut self.canvas)
        {
            self.canvas.bring_to_sight(part);
        }
        let foreseen = drawn
            .foreseen
            .as_ref()
            .filter(|(answers, ..)| answers == meant);
        let shown = Shown {
            scene: &drawn.scene,
            instead: foreseen.map(|(_, scene, others)| (scene, others.as_slice())),
            marks: &drawn.marks,
            path: &drawn.path,
            holds: false,
        };
        let answer = self.canvas.show_ui(ui, shown);
        // What a click would give is shown before it is given.
        let pointed = drawn.offers_at(&answer.hovered, begun);
        if let Some([only]) = pointed.as_ref().map(|(_, offers)| offers.as_slice())
            && self.menu.is_none()
        {
            out.push(Command::Mean(drawn.offers[*only].answers.clone()));
        }
        self.meant = meant.to_vec();
        let pictured = drawn.tray.as_ref().map(|tray| tray.pictured.as_slice());
        let mut thought = pictured.unwrap_or_default().to_vec();
        if !meant.is_empty() {
            thought.push(meant.to_vec());
        }
        if !thought.is_empty() {
            out.push(Command::ThinkOf(thought));
        }
        let (begun, moment) = (begun, drawn.of);
        self.thing_ui(&answer, shop, out);
        self.titles_ui(ui, &answer);
        if let Some(from) = &answer.grabbed {
            self.grab(from);
        }
        if let Some((from, to)) = &answer.dropped {
            self.drop(&answer, from, to, out);
        } else if self
            .dropped
            .as_ref()
            .is_some_and(|dropped| dropped.of != moment)
        {
            self.go_on_to(out);
        }
        match &answer.clicked {
            Some(shapes) if !shapes.is_empty() => self.click(&answer, shapes, begun, shop, out),
            Some(_) => self.begun = None,
            None if self.menu.is_none() && self.doubt.is_none() => {
                self.lens_ui(ui, &answer, shop, begun);
            }
            None => {}
        }
    }

    /// A click on a panel's title lets it fill the canvas, the next one shows the whole board again.
    fn titles_ui(&mut self, ui: &Ui, answer: &CanvasAnswer) {
        let Some(drawn) = &self.drawn else { return };
        let mut enlarged = None;
        for (at, area) in drawn.scene.areas.iter().enumerate() {
            // What can be chosen is rather chosen.
            let shapes = &drawn.scene.shapes;
            let mut choices = drawn.marks.choices.iter().filter_map(|at| shapes.get(*at));
            let answers = choices.any(|shape| shape.bounds().overlaps(area.head));
            if area.title.is_empty() || answers {
                continue;
            }
            let title = on_screen(answer.place, area.head);
            let title = title.intersect(answer.response.rect);
            if !title.is_positive() {
                continue;
            }
            let id = answer.response.id.with(("title", at));
            let row = ui.interact(title, id, Sense::click());
            let name = format!("Enlarge {}", area.title);
            row.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
            if row.clicked() {
                enlarged = Some(area.rect);
            }
            row.on_hover_cursor(egui::CursorIcon::ZoomIn);
        }
        if let Some(part) = enlarged {
            self.canvas.enlarge(part);
        }
    }

    /// What is asked, and the answers that no shape stands for. Always of one height, so that the board stays where it is.
    fn question_ui(&mut self, ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
        let Some(drawn) = &self.drawn else { return };
        let size = vec2(ui.available_width(), 2.0 * theme::ROW + 8.0);
        let (area, _) = ui.allocate_exact_size(size, egui::Sense::hover());
        let inside = egui::UiBuilder::new().max_rect(area);
        let own: Vec<usize> = (0..drawn.offers.len())
            .filter(|at| {
                drawn.offers[*at].shapes.is_empty() && drawn.offers[*at].answers.len() == 1
            })
            .collect();
        let person = shop.playtest.as_ref();
        let person = person.is_some_and(|game| game.bot_asked().is_none());
        let keys = person && own.len() == drawn.offers.len() && !own.is_empty();
        let typed = ui.ctx().text_edit_focused();
        if keys && !typed {
            let (turn, give) = ui.input_mut(|input| {
                let mut pressed = |key| input.consume_key(egui::Modifiers::NONE, key);
                (pressed(egui::Key::R), pressed(egui::Key::Enter))
            });
            self.turned += usize::from(turn);
            if give {
                let offer = &drawn.offers[own[self.turned % own.len()]];
                out.push(Command::Answer(offer.answers.clone()));
            }
        }
        let turned = self.turned % own.len().max(1);
        let mut meant = None;
        {
            // Whatever it takes, what lies below stays where it is.
            let ui = &mut ui.new_child(inside);
            ui.horizontal(|ui| {
                let colours = theme::colours(ui.style());
                let asked = egui::RichText::new(&drawn.question).strong();
                ui.add(egui::Label::new(asked).truncate());
                let count = drawn.marks.things(&drawn.scene);
                if person && drawn.marks.are_too_many(&drawn.scene) {
                    let said = format!("{count} can be chosen: what can glows under the pointer");
                    ui.colored_label(colours.glow, said);
                } else if person && count > 0 {
                    ui.colored_label(colours.glow, "what glows can be chosen");
                } else if keys && own.len() > 1 {
                    ui.weak("R shows the next one, Enter takes it");
                }
            });
            let area = egui::ScrollArea::horizontal().id_salt("answers");
            area.show(ui, |ui| {
                ui.horizontal(|ui| {
                    for (at, offer) in own
                        .iter()
                        .map(|at| &drawn.offers[*at])
                        .enumerate()
                        .take(CHIPS)
                    {
                        let chosen = keys && at == turned && self.turned > 0;
                        let chip = egui::Button::selectable(chosen, format!("▶ {}", offer.text));
                        let chip = ui.add_enabled(person, chip.frame_when_inactive(true));
                        let chip = match shop.preview(&offer.answers) {
                            Some(Some(foreseen)) if !foreseen.effects.is_empty() => {
                                chip.on_hover_text(&foreseen.effects)
                            }
                            _ => chip,
                        };
                        if chip.hovered() || chosen && meant.is_none() {
                            meant = Some(offer.answers.clone());
                        }
                        if chip.clicked() {
                            out.push(Command::Answer(offer.answers.clone()));
                        }
                    }
                });
            });
        }
        out.extend(meant.map(Command::Mean));
    }

    /// What is dragged is pointed at first: where it can go to glows.
    fn grab(&mut self, from: &[usize]) {
        let Some(drawn) = &self.drawn else { return };
        (self.menu, self.doubt, self.begun) = (None, None, None);
        if let Some((subject, offers)) = drawn.offers_at(from, None)
            && offers.iter().all(|at| drawn.offers[*at].at_once)
        {
            let of = drawn.of;
            self.begun = Some(Begun { of, subject });
        }
    }

    /// Gives the answer that brings what was dragged to where it was let go; if what it is is asked first, that one, and then where.
    fn drop(
        &mut self,
        answer: &CanvasAnswer,
        from: &[usize],
        to: &[usize],
        out: &mut Vec<Command>,
    ) {
        let Some(drawn) = &self.drawn else { return };
        let fitting = drawn.offers_from_to(from, to, None);
        let at = answer.response.interact_pointer_pos();
        match (fitting.as_slice(), drawn.offers_at(from, None)) {
            ([only], _) => out.push(Command::Answer(drawn.offers[*only].answers.clone())),
            ([], Some((_, offers))) if offers.len() == 1 && !to.is_empty() => {
                let offer = &drawn.offers[offers[0]];
                if !offer.at_once {
                    let of = drawn.of;
                    let at = at.map(|at| on_board(answer.place, at));
                    self.dropped = at.map(|at| Dropped { of, at });
                    out.push(Command::Answer(offer.answers.clone()));
                }
            }
            ([], _) => {}
            _ => {
                let at = at.unwrap_or(answer.response.rect.center());
                let offers = fitting;
                self.menu = Some(Menu { at, offers });
            }
        }
    }

    /// Where what was dragged is to go is asked only now.
    fn go_on_to(&mut self, out: &mut Vec<Command>) {
        let (Some(dropped), Some(drawn)) = (self.dropped.take(), &self.drawn) else {
            return;
        };
        let shapes = drawn.scene.shapes_at(dropped.at);
        if let Some((_, offers)) = drawn.offers_at(&shapes, None)
            && let [only] = offers.as_slice()
        {
            out.push(Command::Answer(drawn.offers[*only].answers.clone()));
        }
    }

    /// Gives the answer that shapes stand for, asks which one, or says why there is none.
    fn click(
        &mut self,
        answer: &CanvasAnswer,
        shapes: &[usize],
        begun: Option<Subject>,
        shop: &Workshop,
        out: &mut Vec<Command>,
    ) {
        let Some(drawn) = &self.drawn else { return };
        // Who points at something else begins anew.
        let (begun, offers) = match drawn.offers_at(shapes, begun) {
            None => (None, drawn.offers_at(shapes, None)),
            found => (begun, found),
        };
        let at_once = |offers: &[usize]| offers.iter().all(|at| drawn.offers[*at].at_once);
        let middle = answer.response.rect.center();
        let at = answer.response.interact_pointer_pos().unwrap_or(middle);
        (self.menu, self.begun, self.doubt) = (None, None, None);
        match offers {
            None => {
                let playtest = shop.playtest.as_ref();
                let playtest = playtest.filter(|game| game.bot_asked().is_none());
                self.doubt = playtest.and_then(|game| Doubt::new(drawn, game, shapes, at));
                out.extend(self.doubt.as_ref().map(|_| Command::Doubt));
            }
            Some((_, offers)) if offers.len() == 1 => {
                out.push(Command::Answer(drawn.offers[offers[0]].answers.clone()));
            }
            Some((subject, offers)) if begun.is_none() && at_once(&offers) => {
                let of = drawn.of;
                self.begun = Some(Begun { of, subject });
            }
            Some((_, offers)) => self.menu = Some(Menu { at, offers }),
        }
    }

    fn menu_ui(&mut self, ui: &Ui, out: &mut Vec<Command>) {
        let (Some(menu), Some(drawn)) = (&self.menu, &self.drawn) else {
            return;
        };
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
                    for offer in menu.offers.iter().filter_map(|at| drawn.offers.get(*at)) {
                        let row = ui.button(&offer.text);
                        if row.hovered() {
                            out.push(Command::Mean(offer.answers.clone()));
                        }
                        if row.clicked() {
                            out.push(Command::Answer(offer.answers.clone()));
                        }
                    }
                });
            });
        if !open {
            self.menu = None;
        }
    }
}
