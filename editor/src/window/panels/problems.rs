//! All that is wrong with the texts: a click goes there, a button mends it.

use crate::window::theme::{self, Colours};
use crate::window::widgets::code::{Mark, Weight};
use crate::window::{Command, Pane};
use crate::workshop::Workshop;
use crate::workshop::language::sentence;
use dsl::diagnostic::Diagnostic;
use dsl::service::Fix;
use dsl::source::{FileId, SourceSet};
use egui::{Color32, RichText, Ui};
use std::ops::Range;

/// What the panel remembers.
#[derive(Default)]
pub struct ProblemsView {
    /// Version of the texts that were checked, and how many problems there were.
    known: Option<(u64, usize)>,
    /// Ways to mend each of them.
    fixes: Vec<Vec<Fix>>,
}

impl ProblemsView {
    pub fn show_ui(&mut self, ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
        let Some(checked) = shop.checked() else {
            ui.weak("The rules are being read…");
            return;
        };
        let problems = shop.problems();
        if problems.is_empty() {
            let colours = theme::colours(ui.style());
            ui.colored_label(colours.fine, "Nothing is wrong.");
            ui.weak("Mistakes appear here while you type, with what to do about them.");
            return;
        }
        let now = (checked.version, problems.len());
        if self.known != Some(now) {
            self.known = Some(now);
            let fixes = problems.iter().map(|problem| shop.fixes(problem));
            self.fixes = fixes.collect();
        }
        egui::ScrollArea::vertical()
            .auto_shrink(false)
            .show(ui, |ui| {
                for (at, (problem, fixes)) in problems.iter().zip(&self.fixes).enumerate() {
                    ui.push_id(at, |ui| {
                        problem_ui(ui, &checked.sources, problem, fixes, out);
                    });
                }
            });
    }
}

fn problem_ui(
    ui: &mut Ui,
    sources: &SourceSet,
    problem: &Diagnostic,
    fixes: &[Fix],
    out: &mut Vec<Command>,
) {
    let colours = theme::colours(ui.style());
    let (sign, colour) = sign(problem, colours);
    ui.horizontal_top(|ui| {
        ui.colored_label(colour, sign);
        ui.vertical(|ui| {
            let message = egui::Button::selectable(false, RichText::new(&problem.message)).wrap();
            if ui.add(message).clicked() {
                let place = place(sources, problem);
                out.push(Command::OpenFile(place.0, Some(place.1)));
                out.push(Command::Show(Pane::Rules));
            }
            ui.horizontal_wrapped(|ui| {
                ui.small(RichText::new(sources.place(problem.span)).color(colours.muted));
                if let Some(help) = &problem.help {
                    ui.small(help);
                }
                let look_up = ui.link(RichText::new("manual").small());
                if look_up
                    .on_hover_text("An example of it, and what mends it (F1 in its line)")
                    .clicked()
                {
                    out.push(Command::HelpOn(problem.code.to_owned()));
                }
                for fix in fixes {
                    if ui.small_button(sentence(&fix.title)).clicked() {
                        out.push(Command::Edit(fix.title.clone(), fix.edits.clone()));
                    }
                }
            });
        });
    });
    ui.add_space(4.0);
}

fn sign(problem: &Diagnostic, colours: &Colours) -> (&'static str, Color32) {
    if problem.is_error() {
        ("×", colours.error)
    } else {
        ("▲", colours.warning)
    }
}

fn place(sources: &SourceSet, problem: &Diagnostic) -> (String, Range<usize>) {
    let name = sources.file(problem.span.file).path.clone();
    (name, problem.span.start as usize..problem.span.end as usize)
}

/// How many errors and warnings there are.
pub fn counted(problems: &[Diagnostic]) -> (usize, usize) {
    let errors = problems.iter().filter(|problem| problem.is_error()).count();
    (errors, problems.len() - errors)
}

/// What is to be marked in a file.
pub fn marks(problems: &[Diagnostic], file: FileId) -> Vec<Mark> {
    let here = problems.iter().filter(|problem| problem.span.file == file);
    here.map(|problem| Mark {
        range: problem.span.start as usize..problem.span.end as usize,
        weight: if problem.is_error() {
            Weight::Error
        } else {
            Weight::Warning
        },
        message: match &problem.help {
            Some(help) => format!("{}\n{help}", problem.message),
            None => problem.message.clone(),
        },
    })
    .collect()
}
