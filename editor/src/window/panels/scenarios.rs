//! The worked cases of the game: played after each edit that checks, green or red with what differs.

use super::bars::several;
use crate::window::{Command, theme};
use crate::workshop::Workshop;
use crate::workshop::cases::CaseResult;
use dsl::source::{SourceSet, Span};
use egui::{RichText, Ui};

/// What the panel remembers.
#[derive(Default)]
pub struct ScenariosView {
    search: String,
    failing: bool,
    /// The title of the one that is looked at.
    chosen: Option<String>,
}

impl ScenariosView {
    /// Shows the scenario with this title.
    pub fn look_for(&mut self, title: String) {
        self.search = title.clone();
        self.chosen = Some(title);
        self.failing = false;
    }

    pub fn show_ui(&mut self, ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
        self.head_ui(ui, shop, out);
        let cases = shop.cases();
        if cases.results.is_empty() {
            ui.label("A scenario is a worked case of the rulebook: a position, what is done, what comes of it.");
            ui.weak("Play to a position and make one from it.");
        }
        let wanted = self.search.to_lowercase();
        let found: Vec<(usize, &CaseResult)> = cases
            .results
            .iter()
            .enumerate()
            .filter(|(_, one)| one.title.to_lowercase().contains(&wanted))
            .filter(|(_, one)| !self.failing || one.passed() == Some(false))
            .collect();
        if found.is_empty() && !cases.results.is_empty() {
            ui.weak(match self.failing {
                true => "None that fails.",
                false => "None with these words in its title.",
            });
        }
        // Places are looked up in the texts they are of.
        let checked = shop.checked().filter(|one| one.version == cases.version);
        let chosen = self.chosen.as_ref();
        let chosen = chosen.and_then(|title| cases.results.iter().find(|one| one.title == *title));
        if let (Some(one), Some(checked)) = (chosen, checked) {
            let panel = egui::Panel::bottom("chosen scenario").resizable(true);
            panel.show(ui, |ui| {
                egui::ScrollArea::vertical()
                    .auto_shrink([false, true])
                    .max_height(0.5 * ui.ctx().content_rect().height())
                    .show(ui, |ui| chosen_ui(ui, &checked.sources, one, out));
            });
        }
        egui::ScrollArea::vertical().auto_shrink(false).show_rows(
            ui,
            theme::ROW,
            found.len(),
            |ui, rows| {
                for (at, one) in &found[rows] {
                    self.case_ui(ui, *at, one, out);
                }
            },
        );
    }

    fn head_ui(&mut self, ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
        let cases = shop.cases();
        let colours = theme::colours(ui.style());
        ui.horizontal_wrapped(|ui| {
            let all = cases.results.len();
            ui.strong(several(all, "scenario"));
            ui.colored_label(colours.fine, format!("● {} pass", cases.passed()));
            if cases.failed() > 0 {
                ui.colored_label(colours.error, format!("× {} fail", cases.failed()));
            }
            let left = all - cases.passed() - cases.failed();
            if left > 0 {
                ui.weak(format!("{left} to be played"));
            }
            ui.checkbox(&mut self.failing, "Failing only");
            if ui.button("Make one from here").clicked() {
                out.push(Command::MakeScenario);
            }
            let field = egui::TextEdit::singleline(&mut self.search).hint_text("Search scenarios");
            ui.add(field);
        });
    }

    fn case_ui(&mut self, ui: &mut Ui, at: usize, one: &CaseResult, out: &mut Vec<Command>) {
        let colours = theme::colours(ui.style());
        ui.horizontal(|ui| {
            match one.passed() {
                Some(true) => ui
                    .colored_label(colours.fine, "●")
                    .on_hover_text("It passes"),
                Some(false) => ui
                    .colored_label(colours.error, "×")
                    .on_hover_text("It fails"),
                None => ui.weak("○").on_hover_text("To be played"),
            };
            let mut text = one.title.clone();
            if !one.with.is_empty() {
                text += &format!("  (with {})", one.with.join(", "));
            }
            let mistakes = one.case.iter().flat_map(|case| &case.mistakes);
            if let Some(first) = mistakes.map(|mistake| &mistake.message).next() {
                text += &format!(": {first}");
            }
            if ui.small_button("Run").clicked() {
                out.push(Command::PlayCase(at));
            }
            let chosen = self.chosen.as_ref() == Some(&one.title);
            let row = ui.add(egui::Button::selectable(chosen, RichText::new(text)).truncate());
            if row.clicked() {
                self.chosen = Some(one.title.clone());
                out.push(Command::OpenFile(
                    one.file.clone(),
                    Some(bytes(failing_place(one))),
                ));
                out.push(Command::ShowCase(at));
            }
        });
    }
}

/// The step that failed, else the heading.
fn failing_place(one: &CaseResult) -> Span {
    let mistakes = one.case.iter().flat_map(|case| &case.mistakes);
    // A mistake may lie in the rules; the step is in the scenario's own file.
    let mut own = mistakes.filter(|mistake| mistake.span.file == one.span.file);
    own.next().map_or(one.span, |mistake| mistake.span)
}

fn bytes(span: Span) -> std::ops::Range<usize> {
    span.start as usize..span.end as usize
}

/// What differs in the scenario that is looked at, and what had happened up to there.
fn chosen_ui(ui: &mut Ui, sources: &SourceSet, one: &CaseResult, out: &mut Vec<Command>) {
    let colours = theme::colours(ui.style());
    ui.strong(&one.title);
    let Some(case) = &one.case else {
        ui.weak("It is being played…");
        return;
    };
    if case.passed() {
        ui.colored_label(colours.fine, "● It passes. The board shows how it ends.");
    }
    for mistake in &case.mistakes {
        ui.horizontal_wrapped(|ui| {
            let place = RichText::new(sources.place(mistake.span)).small();
            if ui.link(place).clicked() {
                out.push(Command::GoTo(mistake.span));
            }
            ui.colored_label(colours.error, format!("× {}", mistake.message));
            if !mistake.here.is_empty() {
                ui.label(&mistake.here);
            }
        });
        for label in &mistake.labels {
            ui.horizontal_wrapped(|ui| {
                let place = RichText::new(sources.place(label.span)).small();
                if ui.link(place).clicked() {
                    out.push(Command::GoTo(label.span));
                }
                ui.label(&label.text);
            });
        }
    }
    for line in &case.log {
        ui.weak(line);
    }
}
