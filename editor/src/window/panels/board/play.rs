//! Answering by pointing: what glows, what the pointer says, and the menu where several answers name one thing.

use super::{BoardView, Drawn, Offer};
use crate::board::{Point, Subject};
use crate::window::widgets::canvas::{CanvasAnswer, Shown};
use crate::window::{Command, theme};
use egui::{Id, Popup, Pos2, Ui};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Answers that are told before the rest is only counted.
const TOLD: usize = 6;
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
    of: (usize, u64),
    subject: Subject,
}

impl Drawn {
    /// The offers that name what lies topmost at a place, of what can be chosen, and what that is.
    fn offers_at(
        &self,
        subjects: &[Subject],
        begun: Option<Subject>,
    ) -> Option<(Subject, Vec<usize>)> {
        let choices = self.choices_behind(begun);
        let wanted = subjects.iter().find(|one| choices.contains(one))?;
        let fits = |at: &usize| {
            self.goes_on(&self.offers[*at], begun) && self.offers[*at].names.contains(wanted)
        };
        Some((*wanted, (0..self.offers.len()).filter(fits).collect()))
    }

    /// What can be pointed at when an answer is begun.
    fn choices_behind(&self, begun: Option<Subject>) -> Cow<'_, BTreeSet<Subject>> {
        let Some(subject) = begun else {
            return Cow::Borrowed(&self.choices);
        };
        let open = (self.offers.iter()).filter(|one| self.goes_on(one, begun));
        let names = open.flat_map(|one| &one.names).copied();
        Cow::Owned(names.filter(|name| *name != subject).collect())
    }

    fn goes_on(&self, offer: &Offer, begun: Option<Subject>) -> bool {
        begun.is_none_or(|subject| offer.at_once && offer.names.contains(&subject))
    }

    /// What answers in a row name, and whatever comes behind them.
    fn meant_by(&self, answers: &[usize]) -> BTreeSet<Subject> {
        let offers = self.offers.iter();
        let behind = offers.filter(|one| !answers.is_empty() && one.answers.starts_with(answers));
        behind.flat_map(|one| &one.names).copied().collect()
    }
}

impl BoardView {
    pub(super) fn play_ui(&mut self, ui: &mut Ui, meant: &[usize], out: &mut Vec<Command>) {
        self.menu_ui(ui, out);
        let Some(drawn) = &self.drawn else { return };
        let begun = self.begun.as_ref().filter(|begun| begun.of == drawn.of);
        let begun = begun.map(|begun| begun.subject);
        let shown = Shown {
            scene: &drawn.scene,
            choices: &drawn.choices_behind(begun),
            meant: &drawn.meant_by(meant),
            path: &drawn.path,
            holds: false,
        };
        let answer = self.canvas.show_ui(ui, shown);
        if !answer.clicked.is_empty() {
            // Who points at something else begins anew.
            let (begun, offers) = match drawn.offers_at(&answer.clicked, begun) {
                None => (None, drawn.offers_at(&answer.clicked, None)),
                found => (begun, found),
            };
            let at_once = |offers: &[usize]| offers.iter().all(|at| drawn.offers[*at].at_once);
            let corner = answer.response.rect.center();
            (self.menu, self.begun) = (None, None);
            match offers {
                None => {}
                Some((_, offers)) if offers.len() == 1 => {
                    out.push(Command::Answer(drawn.offers[offers[0]].answers.clone()));
                }
                Some((subject, offers)) if begun.is_none() && at_once(&offers) => {
                    let of = drawn.of;
                    self.begun = Some(Begun { of, subject });
                }
                Some((_, offers)) => {
                    self.menu = Some(Menu {
                        at: answer.response.interact_pointer_pos().unwrap_or(corner),
                        offers,
                    });
                }
            }
        } else if self.menu.is_none()
            && let Some(pointer) = answer.pointer
        {
            hover_ui(&answer, drawn, pointer, begun);
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

/// What a click would answer, or what lies there.
fn hover_ui(answer: &CanvasAnswer, drawn: &Drawn, pointer: Point, begun: Option<Subject>) {
    let offers = drawn.offers_at(&drawn.scene.at(pointer), begun);
    let offers = offers.map_or_else(Vec::new, |(_, offers)| offers);
    let name = drawn.scene.name_at(pointer);
    if offers.is_empty() && name.is_none() {
        return;
    }
    answer.response.clone().on_hover_ui_at_pointer(|ui| {
        if let Some(name) = name {
            ui.label(name);
        }
        for at in offers.iter().take(TOLD) {
            ui.strong(format!("▶ {}", drawn.offers[*at].text));
        }
        if offers.len() > TOLD {
            ui.weak(format!("and {} more answers", offers.len() - TOLD));
        }
    });
}
