//! Another name for a word, everywhere: what it changes is shown before it is done.

use super::bars::several;
use crate::window::widgets::field;
use crate::window::widgets::places::place_ui;
use crate::window::{Command, theme};
use crate::workshop::Workshop;
use crate::workshop::places::{Place, files};
use crate::workshop::questions::{About, Answer};
use egui::{Context, Id, Key, Modal, RichText, TextEdit, Ui};

/// Greatest height of the list of places.
const LIST_HEIGHT: f32 = 300.0;

/// The question, open or not.
#[derive(Default)]
pub struct RenameDialog(Option<Asked>);

struct Asked {
    /// Where the word stands.
    name: String,
    at: usize,
    word: String,
    typed: String,
    fresh: bool,
    /// The name that was asked about last.
    asked: Option<String>,
    /// The last answer, and what it was about.
    answer: Option<Answer>,
}

impl RenameDialog {
    pub fn open(&mut self, name: String, at: usize, word: String) {
        self.0 = Some(Asked {
            name,
            at,
            typed: word.clone(),
            word,
            fresh: true,
            asked: None,
            answer: None,
        });
    }

    /// Takes an answer in; false: it is not for this dialog.
    pub fn take(&mut self, answer: &Answer) -> bool {
        let Some(asked) = &mut self.0 else {
            return false;
        };
        asked.answer = Some(answer.clone());
        true
    }

    pub fn show_ui(&mut self, ctx: &Context, shop: &Workshop, out: &mut Vec<Command>) {
        let Some(mut asked) = self.0.take() else {
            return;
        };
        let mut done = false;
        let modal = Modal::new(Id::unique("rename")).show(ctx, |ui| {
            ui.set_width(1.5 * theme::TEXT_WIDTH);
            done = asked.inside_ui(ui, shop, out);
        });
        if !done && !modal.should_close() {
            self.0 = Some(asked);
        }
    }
}

impl Asked {
    /// Whether it is done with.
    fn inside_ui(&mut self, ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) -> bool {
        let title = format!("Rename `{}`", self.word);
        ui.label(RichText::new(title).text_style(theme::section()));
        let label = ui.label("New name");
        let field = ui.add(TextEdit::singleline(&mut self.typed).desired_width(f32::INFINITY));
        let field = field.labelled_by(label.id);
        if self.asked.as_ref() != Some(&self.typed) && !shop.is_checking() {
            self.asked = Some(self.typed.clone());
            let about = match self.typed == self.word {
                true => About::Uses,
                false => About::Rename(self.typed.clone()),
            };
            out.push(Command::Ask(about, self.name.clone(), self.at));
        }
        if std::mem::take(&mut self.fresh) {
            field::choose(&field, &self.typed);
        }
        let enter = ui.input(|input| input.key_pressed(Key::Enter));
        let ready = self.ready();
        self.answer_ui(ui, shop, ready.is_some());
        let mut done = false;
        ui.horizontal(|ui| {
            let rename = ui.add_enabled(ready.is_some(), egui::Button::new("Rename"));
            if let Some(places) = ready
                && (rename.clicked() || enter)
            {
                let label = format!("rename {} to {}", self.word, self.typed);
                out.push(Command::Replace(label, places));
                done = true;
            }
            done |= ui.button("Cancel").clicked();
        });
        done
    }

    /// The changes, if they are known for the name that is typed now.
    fn ready(&self) -> Option<Vec<Place>> {
        let answer = self.answer.as_ref()?;
        let fits = answer.about == About::Rename(self.typed.clone());
        let places = answer
            .places
            .as_ref()
            .ok()
            .filter(|places| !places.is_empty());
        places.filter(|_| fits).cloned()
    }

    /// What is known: the places, or why it cannot be.
    fn answer_ui(&self, ui: &mut Ui, shop: &Workshop, ready: bool) {
        let Some(answer) = &self.answer else {
            ui.weak("Looking for the places…");
            return;
        };
        let colours = theme::colours(ui.style());
        match &answer.places {
            Err(why) => {
                ui.colored_label(colours.error, why);
            }
            Ok(places) => {
                let in_files = several(files(places), "file");
                let counted = format!("{} in {in_files}", several(places.len(), "place"));
                ui.weak(match shop.is_asking() && !ready {
                    true => format!("{counted}; looking again…"),
                    false => format!("{counted}. One undo takes all of it back."),
                });
                places_ui(ui, places);
            }
        }
    }
}

fn places_ui(ui: &mut Ui, places: &[Place]) {
    let scroll = egui::ScrollArea::vertical().max_height(LIST_HEIGHT);
    scroll.show_rows(ui, theme::ROW, places.len(), |ui, rows| {
        let first = rows.start;
        for (at, place) in places[rows].iter().enumerate() {
            let above = (first + at).checked_sub(1).map(|at| &places[at].name);
            let row = place_ui(ui, place);
            if above != Some(&place.name) {
                row.on_hover_text(&place.name);
            }
        }
    });
}
