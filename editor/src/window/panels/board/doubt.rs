//! Why something that was pointed at cannot be chosen.

use super::{BoardView, Drawn};
use crate::board::Subject;
use crate::window::panels::play::place_ui;
use crate::window::{Command, theme};
use crate::workshop::Workshop;
use crate::workshop::dealer::WhyNot;
use crate::workshop::playtest::{Element, NotOffered, Playtest};
use egui::{Id, Popup, Pos2, Ui};
use interpreter::words::Refusal;

/// Answers that are told before the rest is only counted.
const TOLD: usize = 4;
/// Reasons of each.
const REASONS: usize = 2;

/// What was pointed at in vain.
pub struct Doubt {
    at: Pos2,
    name: String,
    /// How the rules call what lies there, the topmost first.
    written: Vec<String>,
    /// Numbers that it stands for, with the names of their choices.
    numbers: Vec<(String, i32)>,
    /// What is asked instead.
    asked: String,
    /// What is known by now: answers about it, with what stands in their way.
    found: Option<Vec<(String, Vec<Refusal>)>>,
}

impl Doubt {
    /// What lies at the shapes that were pointed at; none if nothing of the game does.
    pub(super) fn new(
        drawn: &Drawn,
        playtest: &Playtest,
        shapes: &[usize],
        at: Pos2,
    ) -> Option<Doubt> {
        let shapes = shapes.iter().filter_map(|at| drawn.scene.shapes.get(*at));
        let mut name = String::new();
        let (mut written, mut numbers) = (Vec::new(), Vec::new());
        for shape in shapes {
            if name.is_empty() {
                name.clone_from(&shape.name);
            }
            let elements = shape.subjects.iter().filter_map(|subject| match subject {
                Subject::Element(domain, word) => Some((*domain, *word)),
                Subject::Slot(..) | Subject::Number(..) => None,
            });
            let names = elements.map(|one: Element| playtest.written_name(one));
            written.extend(names);
            numbers.extend(shape.subjects.iter().filter_map(|subject| match subject {
                Subject::Number(choice, number) => {
                    Some((drawn.choices.get(*choice as usize)?.clone(), *number))
                }
                Subject::Element(..) | Subject::Slot(..) => None,
            }));
        }
        let is_known = !written.is_empty() || !numbers.is_empty();
        is_known.then_some(Doubt {
            at,
            name,
            written,
            numbers,
            asked: drawn.question.clone(),
            found: None,
        })
    }

    pub(super) fn take(&mut self, why: &WhyNot, version: u64) {
        let Some(all) = why.all.as_ref().filter(|_| why.version == version) else {
            return;
        };
        // What is topmost there and named by something that is not offered: now, else behind a menu.
        let found = [all, &why.behind].into_iter().find_map(|all| {
            let numbered = self.numbers.iter().map(|number| {
                let own = all.iter().filter(|one| one.numbers.contains(number));
                own.map(reasons).collect::<Vec<_>>()
            });
            let named = self.written.iter().map(|name| {
                let own = all.iter().filter(|one| names(&one.text, name));
                own.map(reasons).collect::<Vec<_>>()
            });
            numbered.chain(named).find(|own| !own.is_empty())
        });
        self.found = Some(found.unwrap_or_default());
    }
}

fn reasons(one: &NotOffered) -> (String, Vec<Refusal>) {
    (one.said.clone(), one.reasons.clone())
}

/// Whether a written answer names something, as a word of its own.
fn names(answer: &str, name: &str) -> bool {
    let inner = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-');
    answer.match_indices(name).any(|(at, _)| {
        let before = answer[..at].chars().next_back();
        let behind = answer[at + name.len()..].chars().next();
        !inner(before) && !inner(behind)
    })
}

impl BoardView {
    /// Says why, below what was clicked.
    pub(super) fn doubt_ui(&mut self, ui: &Ui, shop: &Workshop, out: &mut Vec<Command>) {
        let (Some(doubt), Some(playtest)) = (&self.doubt, &shop.playtest) else {
            return;
        };
        let mut open = true;
        let id = Id::unique("why not here");
        Popup::new(id, ui.ctx().clone(), doubt.at, ui.layer_id())
            .open_bool(&mut open)
            .accessible_name("Why not?")
            .show(|ui| {
                ui.set_width(theme::TEXT_WIDTH);
                ui.strong(&doubt.name);
                match &doubt.found {
                    None => {
                        ui.horizontal(|ui| {
                            ui.spinner();
                            ui.weak("Looking for what stands in the way…");
                        });
                    }
                    Some(found) if found.is_empty() => {
                        ui.label("What is asked now is not about this.");
                        ui.weak(&doubt.asked);
                    }
                    Some(found) => found_ui(ui, playtest, found, out),
                }
            });
        if !open {
            self.doubt = None;
        }
    }
}

fn found_ui(
    ui: &mut Ui,
    playtest: &Playtest,
    found: &[(String, Vec<Refusal>)],
    out: &mut Vec<Command>,
) {
    for (said, reasons) in found.iter().take(TOLD) {
        ui.label(format!("Not possible: {said}"));
        for reason in reasons.iter().take(REASONS) {
            ui.horizontal_wrapped(|ui| {
                place_ui(ui, playtest, reason.span, out);
                ui.label(&reason.sentence);
            });
        }
    }
    if found.len() > TOLD {
        ui.weak(format!("and {} more", found.len() - TOLD));
    }
}
