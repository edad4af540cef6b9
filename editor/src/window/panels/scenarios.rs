//! The worked cases of the game: played after each edit that checks, green or red with what differs.

use super::bars::several;
use crate::window::{Command, theme};
use crate::workshop::Workshop;
use crate::workshop::jobs::CaseResult;
use egui::{RichText, Ui};

/// What the panel remembers.
#[derive(Default)]
pub struct ScenariosView {
    search: String,
    failing: bool,
}

impl ScenariosView {
    /// Shows the scenarios with these words in their title.
    pub fn look_for(&mut self, title: String) {
        self.search = title;
        self.failing = false;
    }

    pub fn show_ui(&mut self, ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
        let cases = shop.cases();
        let colours = theme::colours(ui.style());
        ui.horizontal_wrapped(|ui| {
            let all = cases.results.len();
            ui.strong(several(all, "scenario"));
            ui.colored_label(colours.fine, format!("{} pass", cases.passed()));
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
        if cases.results.is_empty() {
            ui.label("A scenario is a worked case of the rulebook: a position, what is done, what comes of it.");
            ui.weak("Play to a position and make one from it.");
        }
        let wanted = self.search.to_lowercase();
        let found: Vec<&CaseResult> = cases
            .results
            .iter()
            .filter(|one| one.title.to_lowercase().contains(&wanted))
            .filter(|one| !self.failing || one.passed() == Some(false))
            .collect();
        egui::ScrollArea::vertical().auto_shrink(false).show_rows(
            ui,
            theme::ROW,
            found.len(),
            |ui, rows| {
                for one in &found[rows] {
                    case_ui(ui, one, out);
                }
            },
        );
    }
}

fn case_ui(ui: &mut Ui, one: &CaseResult, out: &mut Vec<Command>) {
    let colours = theme::colours(ui.style());
    ui.horizontal(|ui| {
        match one.passed() {
            Some(true) => ui.colored_label(colours.fine, "●"),
            Some(false) => ui.colored_label(colours.error, "×"),
            None => ui.weak("○"),
        };
        let mut text = one.title.clone();
        if !one.with.is_empty() {
            text += &format!("  (with {})", one.with.join(", "));
        }
        let mistakes = one.case.iter().flat_map(|case| &case.mistakes);
        let mistakes: Vec<String> = mistakes.map(|mistake| mistake.message.clone()).collect();
        if let Some(first) = mistakes.first() {
            text += &format!(": {first}");
        }
        let row = ui.add(egui::Button::selectable(false, RichText::new(text)).truncate());
        let row = if mistakes.is_empty() {
            row
        } else {
            row.on_hover_text(mistakes.join("\n"))
        };
        if row.clicked() {
            let range = one.span.start as usize..one.span.end as usize;
            out.push(Command::OpenFile(one.file.clone(), Some(range)));
        }
    });
}
