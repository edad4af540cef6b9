//! What lies under the pointer, large, with all that is known of it.

use super::{BoardView, Drawn, Offer};
use crate::board::{Form, Point, Rect as BoardRect, Subject};
use crate::window::panels::play;
use crate::window::widgets::canvas::{self, CanvasAnswer};
use crate::window::{Command, theme};
use crate::workshop::Workshop;
use crate::workshop::playtest::{Element, Moment, Playtest};
use egui::{Grid, Id, PopupAnchor, RichText, Ui, vec2};
use std::time::Duration;

/// How long the pointer rests on something until it is told.
const REST: Duration = Duration::from_millis(250);
/// Width of what is told at most, whatever lies beside the pointer.
const WIDTH: f32 = 340.0;
/// Height of the picture at most, and how many times larger than on the board it is at most.
const HEIGHT: f32 = 120.0;
const LARGER: f32 = 3.5;
/// A thing whose letters are this high on the screen needs no picture.
const READABLE: f32 = 16.0;
/// Height of the letters that a picture is as hard to see as, as a share of it.
const PICTURE: f32 = 0.25;
/// Answers that are told before the rest is only counted: all of them stand in the list.
const TOLD: usize = 3;
/// Facts that are told.
const FACTS: usize = 8;

/// What is under the pointer, and what is known of it.
#[derive(Default)]
pub struct Lens {
    known: Option<Known>,
    /// What was clicked with the other button.
    menu: Option<(String, Vec<Element>)>,
}

struct Known {
    of: Moment,
    shape: usize,
    facts: Vec<(String, String)>,
    doc: String,
}

impl Lens {
    /// What is known of a shape, asked for once.
    fn known(&mut self, drawn: &Drawn, playtest: &Playtest, shape: usize) -> &Known {
        let fits = |known: &Known| known.of == drawn.of && known.shape == shape;
        if !self.known.as_ref().is_some_and(fits) {
            self.known = None;
        }
        self.known.get_or_insert_with(|| {
            let element = elements(drawn, shape).into_iter().next();
            let kind = element.and_then(|(domain, _)| playtest.kind_of(domain));
            Known {
                of: drawn.of,
                shape,
                facts: element.map_or_else(Vec::new, |one| playtest.facts(one)),
                doc: kind.map_or_else(String::new, |(doc, _)| doc),
            }
        })
    }
}

/// What a shape stands for, the most special first.
fn elements(drawn: &Drawn, shape: usize) -> Vec<Element> {
    let shape = drawn.scene.shapes.get(shape);
    let subjects = shape.into_iter().flat_map(|shape| &shape.subjects);
    let elements = subjects.filter_map(|subject| match subject {
        Subject::Element(domain, word) => Some((*domain, *word)),
        Subject::Slot(..) | Subject::Number(..) => None,
    });
    elements.collect()
}

impl BoardView {
    /// Tells what the pointer rests on, and what a click would answer.
    pub(super) fn lens_ui(
        &mut self,
        ui: &Ui,
        answer: &CanvasAnswer,
        shop: &Workshop,
        begun: Option<Subject>,
    ) {
        let (Some(drawn), Some(playtest)) = (&self.drawn, &shop.playtest) else {
            return;
        };
        let Some(shape) = answer.hovered.first().copied() else {
            return;
        };
        let rest = ui.input(|input| input.pointer.time_since_last_movement());
        let wait = REST.saturating_sub(Duration::from_secs_f32(rest.max(0.0)));
        if !wait.is_zero() {
            ui.ctx().request_repaint_after(wait);
            return;
        }
        let offers = drawn.offers_at(&answer.hovered, begun);
        let offers: Vec<&Offer> = offers
            .into_iter()
            .flat_map(|(_, offers)| offers)
            .map(|at| &drawn.offers[at])
            .collect();
        let known = self.lens.known(drawn, playtest, shape);
        let name = &drawn.scene.shapes[shape].name;
        if name.is_empty() && offers.is_empty() {
            return;
        }
        let id = Id::unique("lens");
        egui::Tooltip::always_open(ui.ctx().clone(), ui.layer_id(), id, PopupAnchor::Pointer)
            .gap(14.0)
            .show(|ui| {
                ui.set_max_width(WIDTH);
                picture_ui(ui, answer, drawn, shape);
                told_ui(ui, name, &drawn.scene.shapes[shape].whole, known);
                for offer in offers.iter().take(TOLD) {
                    ui.strong(format!("▶ {}", offer.text));
                    effects_ui(ui, shop, &offer.answers);
                }
                if offers.len() > TOLD {
                    ui.weak(format!("and {} more answers", offers.len() - TOLD));
                }
            });
    }

    /// What can be done with a thing besides choosing it.
    pub(super) fn thing_ui(
        &mut self,
        answer: &CanvasAnswer,
        shop: &Workshop,
        out: &mut Vec<Command>,
    ) {
        let (Some(drawn), Some(playtest)) = (&self.drawn, &shop.playtest) else {
            return;
        };
        if answer.response.secondary_clicked() {
            let shape = answer.hovered.first().copied();
            self.lens.menu = shape.map(|shape| {
                let name = drawn.scene.shapes[shape].name.clone();
                (name, elements(drawn, shape))
            });
        }
        let Some((name, elements)) = &self.lens.menu else {
            return;
        };
        answer.response.context_menu(|ui| {
            ui.strong(name);
            let row = elements.iter().find_map(|one| playtest.written_at(*one));
            let kind = elements.iter().find_map(|one| playtest.kind_of(one.0));
            for (text, span) in [
                ("Show its row", row),
                ("Show its rules", kind.map(|one| one.1)),
            ] {
                let place = span.and_then(|span| play::open(playtest, span));
                if ui
                    .add_enabled(place.is_some(), egui::Button::new(text))
                    .clicked()
                {
                    out.extend(place);
                }
            }
            for element in elements.iter().take(1) {
                let written = playtest.written_name(*element);
                ui.label(RichText::new(written).weak().monospace());
            }
        });
    }
}

/// What would come of answers, if that is known.
pub(super) fn effects_ui(ui: &mut Ui, shop: &Workshop, answers: &[usize]) {
    if let Some(Some(foreseen)) = shop.preview(answers)
        && !foreseen.effects.is_empty()
    {
        ui.label(&foreseen.effects);
    }
}

/// `whole`: what is written on it, if not all of that had room.
fn told_ui(ui: &mut Ui, name: &str, whole: &[String], known: &Known) {
    if !name.is_empty() {
        ui.label(RichText::new(name).text_style(theme::section()));
    }
    for line in whole.iter().filter(|line| *line != name) {
        ui.label(line);
    }
    if !known.facts.is_empty() {
        Grid::new("facts").num_columns(2).show(ui, |ui| {
            for (what, value) in known.facts.iter().take(FACTS) {
                ui.weak(what);
                ui.add(egui::Label::new(value).wrap());
                ui.end_row();
            }
        });
    }
    if !known.doc.is_empty() {
        ui.add(egui::Label::new(RichText::new(&known.doc).weak()).wrap());
    }
}

/// A thing that is small on the screen, as large as it can be read.
fn picture_ui(ui: &mut Ui, answer: &CanvasAnswer, drawn: &Drawn, shape: usize) {
    let rect = drawn.scene.shapes[shape].bounds();
    if smallest_letters(drawn, rect) * answer.place.scaling >= READABLE {
        return;
    }
    let whole = vec2(rect.width.max(1.0), rect.height.max(1.0));
    let scaling = (vec2(WIDTH, HEIGHT) / whole)
        .min_elem()
        .min(LARGER * answer.place.scaling);
    let (area, _) = ui.allocate_exact_size(whole * scaling, egui::Sense::hover());
    canvas::part_ui(ui, area, &drawn.scene, rect);
}

/// Of what is written on a thing; nothing: too high to be small.
fn smallest_letters(drawn: &Drawn, rect: BoardRect) -> f32 {
    let inside = |point: Point| rect.contains(point);
    let shapes = drawn.scene.shapes.iter();
    let sizes = shapes.filter_map(|shape| match &shape.form {
        Form::Text(text) if inside(text.at) => Some(text.size),
        Form::Picture { rect: own, .. } if inside(own.centre()) => {
            Some(own.width.max(own.height) * PICTURE)
        }
        _ => None,
    });
    sizes.fold(f32::INFINITY, f32::min)
}
