//! Why not: everything that is not offered with the rules that stand in its way, and whatever else is typed.

use super::play::place_ui;
use crate::window::{Command, theme};
use crate::workshop::Workshop;
use crate::workshop::dealer::WhyNot;
use crate::workshop::playtest::{NotOffered, Playtest};
use egui::{Label, RichText, Ui};
use interpreter::words::Refusal;

/// What has been found out about the decision that is pending.
#[derive(Default)]
pub struct DoubtView {
    all: Option<Vec<NotOffered>>,
    typed: Option<(String, Result<Vec<Refusal>, String>)>,
    /// What was typed when it was asked last.
    asked: Option<String>,
}

impl DoubtView {
    /// Has it found out, in the background, what is not known yet.
    pub fn ask(&mut self, shop: &Workshop, typed: &str) {
        if self.asked.as_deref() == Some(typed) {
            return;
        }
        self.asked = Some(typed.to_owned());
        let typed = Some(typed.trim()).filter(|text| !text.is_empty());
        let all = self.all.is_none();
        if all || typed.is_some() {
            shop.doubt(all, typed.map(str::to_owned));
        }
    }

    pub fn take(&mut self, why: WhyNot) {
        self.all = why.all.or(self.all.take());
        self.typed = why.typed;
    }

    pub fn show_ui(&self, ui: &mut Ui, playtest: &Playtest, search: &str, out: &mut Vec<Command>) {
        let Some(all) = &self.all else {
            ui.horizontal(|ui| {
                ui.spinner();
                ui.weak("Looking for what stands in the way…");
            });
            return;
        };
        let wanted = search.trim().to_lowercase();
        let found: Vec<&NotOffered> = all
            .iter()
            .filter(|one| {
                let has = |text: &str| text.to_lowercase().contains(&wanted);
                has(&one.said) || has(&one.text)
            })
            .collect();
        if let Some((text, why)) = self
            .typed
            .as_ref()
            .filter(|(text, _)| text == search.trim())
        {
            typed_ui(ui, playtest, text, why, !found.is_empty(), out);
        }
        if found.is_empty() && wanted.is_empty() {
            ui.weak("Nothing within reach is kept from being offered here.");
        }
        let line = ui.text_style_height(&egui::TextStyle::Body);
        let height = line + ui.spacing().item_spacing.y + theme::ROW;
        egui::ScrollArea::vertical().auto_shrink(false).show_rows(
            ui,
            height,
            found.len(),
            |ui, rows| {
                for one in &found[rows] {
                    ui.add(Label::new(RichText::new(&one.said).strong()).truncate())
                        .on_hover_text(&one.text);
                    ui.horizontal(|ui| refused_ui(ui, playtest, &one.reasons, out));
                }
            },
        );
    }
}

/// The first reason, the others where one points.
fn refused_ui(ui: &mut Ui, playtest: &Playtest, reasons: &[Refusal], out: &mut Vec<Command>) {
    let Some(reason) = reasons.first() else {
        return;
    };
    place_ui(ui, playtest, reason.span, out);
    let all: Vec<String> = reasons.iter().map(|one| playtest.in_full(one)).collect();
    let text = match reasons.len() - 1 {
        0 => reason.sentence.clone(),
        more => format!("{} (and {more} more)", reason.sentence),
    };
    ui.add(Label::new(text).truncate())
        .on_hover_text(all.join("\n"));
}

/// What was written, with all reasons; what cannot be read is worth a word only where nothing else is found.
fn typed_ui(
    ui: &mut Ui,
    playtest: &Playtest,
    text: &str,
    why: &Result<Vec<Refusal>, String>,
    found: bool,
    out: &mut Vec<Command>,
) {
    match why {
        Err(help) if !found => {
            ui.weak(help);
        }
        Err(_) => {}
        Ok(reasons) if reasons.is_empty() => {
            ui.label(format!("`{text}` is offered."));
        }
        Ok(reasons) if !found => {
            ui.strong(text);
            for reason in reasons {
                ui.horizontal_wrapped(|ui| {
                    place_ui(ui, playtest, reason.span, out);
                    ui.label(&reason.sentence);
                });
            }
        }
        Ok(_) => {}
    }
    ui.add_space(4.0);
}
