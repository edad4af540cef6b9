//! Finding and replacing: a bar above one text, and a panel for all texts of the game, which lists where a word is used too.

use crate::window::theme;
use crate::window::widgets::field;
use crate::window::widgets::places::place_ui;
use crate::window::{Command, Pane};
use crate::workshop::Workshop;
use crate::workshop::document::Document;
use crate::workshop::places::{Found, Pattern, Place, files};
use egui::{Key, RichText, TextEdit, Ui};
use std::ops::Range;

use super::bars::several;

const FIELD_WIDTH: f32 = 180.0;

/// What is looked for, and what takes its place; shared by the bar and the panel.
#[derive(Clone, Default, PartialEq)]
pub struct Query {
    pub pattern: Pattern,
    pub with: String,
    /// Something is to take the place of what is found.
    pub replacing: bool,
}

/// What happened to the fields.
#[derive(Default)]
struct Fields {
    next: bool,
    back: bool,
    close: bool,
}

impl Query {
    fn replacement(&self) -> Option<&str> {
        self.replacing.then_some(self.with.as_str())
    }

    /// What is looked for; `name`: of the field, which takes the focus if it is `fresh`.
    fn pattern_ui(&mut self, ui: &mut Ui, name: &str, fresh: bool) -> Fields {
        let mut fields = Fields::default();
        let field = field_ui(ui, &mut self.pattern.text, name);
        if fresh {
            field::choose(&field, &self.pattern.text);
        }
        fields.close = left_by(&field, Key::Escape);
        if left_by(&field, Key::Enter) {
            fields.back = ui.input(|input| input.modifiers.shift);
            fields.next = !fields.back;
            field.request_focus();
        }
        for (on, sign, name) in [
            (&mut self.pattern.case, "Aa", "Match case"),
            (&mut self.pattern.words, "ab", "Whole words"),
            (&mut self.pattern.regex, ".*", "Regular expression"),
        ] {
            let toggle = ui.toggle_value(on, RichText::new(sign).monospace());
            toggle.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, *on, name));
            toggle.on_hover_text(name);
        }
        if !self.replacing && ui.button("Replace…").clicked() {
            self.replacing = true;
        }
        fields
    }

    /// What takes its place; whether the field was left by Escape.
    fn with_ui(&mut self, ui: &mut Ui) -> bool {
        let with = field_ui(ui, &mut self.with, "Replace with");
        left_by(&with, Key::Escape)
    }
}

/// Whether a field has lost the focus to this key.
fn left_by(field: &egui::Response, key: Key) -> bool {
    field.lost_focus() && field.ctx.input(|input| input.key_pressed(key))
}

fn field_ui(ui: &mut Ui, text: &mut String, name: &str) -> egui::Response {
    let field = TextEdit::singleline(text)
        .hint_text(name)
        .desired_width(FIELD_WIDTH);
    let field = ui.add(field);
    let known = text.clone();
    field.widget_info(|| {
        let mut info = egui::WidgetInfo::text_edit(true, &known, &known, name);
        info.label = Some(name.to_owned());
        info
    });
    field
}

/// The bar above a text.
#[derive(Default)]
pub struct FindBar {
    open: bool,
    fresh: bool,
    query: Query,
    known: Option<Known>,
}

/// What was found in a version of a text.
struct Known {
    name: String,
    version: u64,
    pattern: Pattern,
    found: Result<Vec<Range<usize>>, String>,
}

impl FindBar {
    /// Opens the bar with a word in it, unless it is empty.
    pub fn open(&mut self, word: &str, replacing: bool) {
        self.open = true;
        self.fresh = true;
        self.query.replacing = replacing;
        if !word.is_empty() && !word.contains('\n') {
            self.query.pattern.text = word.to_owned();
        }
    }

    /// What is to be marked in the text.
    pub fn found(&self) -> &[Range<usize>] {
        match &self.known {
            Some(Known {
                found: Ok(found), ..
            }) if self.open => found,
            _ => &[],
        }
    }

    /// Draws the bar; `at`: where the cursor is. The part of the text to go to.
    pub fn show_ui(
        &mut self,
        ui: &mut Ui,
        document: &Document,
        at: &Range<usize>,
        out: &mut Vec<Command>,
    ) -> Option<Range<usize>> {
        if !self.open {
            return None;
        }
        let fresh = std::mem::take(&mut self.fresh);
        let mut fields = Fields::default();
        let found = self.look(document).clone();
        let places = found.as_deref().unwrap_or_default();
        ui.horizontal_wrapped(|ui| {
            fields = self.query.pattern_ui(ui, "Find in this file", fresh);
            if let Err(why) = &found {
                ui.colored_label(theme::colours(ui.style()).error, why);
            }
            let some = !places.is_empty();
            let arrow = |ui: &mut Ui, sign: &str, name: &str| {
                let button = ui.add_enabled(some, egui::Button::new(sign));
                button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, some, name));
                button.on_hover_text(name).clicked()
            };
            fields.back |= arrow(ui, "▲", "Previous place");
            fields.next |= arrow(ui, "▼", "Next place");
            let current = places.iter().position(|range| range == at);
            ui.weak(match current {
                Some(current) => format!("{} of {}", current + 1, places.len()),
                None if self.query.pattern.text.is_empty() => String::new(),
                None => several(places.len(), "place"),
            });
            if ui.button("In all files").clicked() {
                out.push(Command::FindInAll(self.query.replacing));
            }
            fields.close |= ui.button("Close").clicked();
        });
        if self.query.replacing {
            ui.horizontal_wrapped(|ui| {
                fields.close |= self.query.with_ui(ui);
                self.replace_ui(ui, document, at, places, out);
            });
        }
        self.open = !fields.close;
        let (next, back) = (fields.next, fields.back);
        let found = found.unwrap_or_default();
        if next {
            let later = found
                .iter()
                .find(|range| range.start >= at.end.max(at.start + 1));
            return later.or(found.first()).cloned();
        }
        if back {
            let earlier = found.iter().rev().find(|range| range.end <= at.start);
            return earlier.or(found.last()).cloned();
        }
        None
    }

    fn replace_ui(
        &self,
        ui: &mut Ui,
        document: &Document,
        at: &Range<usize>,
        found: &[Range<usize>],
        out: &mut Vec<Command>,
    ) {
        let places = |only: Option<&Range<usize>>| {
            let (name, text) = (&document.name, document.text());
            let pattern = &self.query.pattern;
            let places = pattern.places(name, text, self.query.replacement());
            let mut places = places.map(|found| found.places).unwrap_or_default();
            places.retain(|place| only.is_none_or(|only| place.range == *only));
            places
        };
        let here = found.contains(at);
        let one = ui.add_enabled(here, egui::Button::new("Replace"));
        if one.clicked() {
            out.push(Command::Replace("replace".to_owned(), places(Some(at))));
        }
        let all = egui::Button::new("Replace all in this file");
        if ui.add_enabled(!found.is_empty(), all).clicked() {
            out.push(Command::Replace("replace all".to_owned(), places(None)));
        }
    }

    /// What is found in a text; looked for again only if something is different.
    fn look(&mut self, document: &Document) -> &Result<Vec<Range<usize>>, String> {
        let pattern = &self.query.pattern;
        let same = |known: &Known| {
            known.name == document.name
                && known.version == document.version()
                && known.pattern == *pattern
        };
        let known = self.known.take().filter(same);
        let known = known.unwrap_or_else(|| Known {
            name: document.name.clone(),
            version: document.version(),
            pattern: pattern.clone(),
            found: pattern.ranges(document.text()),
        });
        &self.known.insert(known).found
    }

    pub fn query(&self) -> &Query {
        &self.query
    }
}

/// The panel for all texts.
#[derive(Default)]
pub struct FindView {
    fresh: bool,
    query: Query,
    /// What was found, for a version of the texts.
    known: Option<(u64, Query, Result<Found, String>)>,
    /// A word, and where it is used: listed instead of what is looked for.
    uses: Option<(String, Vec<Place>)>,
}

impl FindView {
    /// Looks for what the bar looked for, or for a word.
    pub fn open(&mut self, query: Query, word: &str, replacing: bool) {
        self.uses = None;
        self.fresh = true;
        if !query.pattern.text.is_empty() {
            self.query = query;
        }
        self.query.replacing = replacing;
        if !word.is_empty() && !word.contains('\n') {
            self.query.pattern.text = word.to_owned();
        }
    }

    /// Lists where a word is used.
    pub fn list(&mut self, word: String, uses: Vec<Place>) {
        self.uses = Some((word, uses));
    }

    pub fn show_ui(&mut self, ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
        if let Some((word, uses)) = &self.uses {
            let mut close = false;
            ui.horizontal(|ui| {
                let in_files = several(files(uses), "file");
                ui.label(format!(
                    "{} of `{word}` in {in_files}",
                    several(uses.len(), "use")
                ));
                close = ui.button("Back to finding").clicked();
            });
            list_ui(ui, uses, false, out);
            if close {
                self.uses = None;
                self.fresh = true;
            }
            return;
        }
        let fresh = std::mem::take(&mut self.fresh);
        ui.horizontal_wrapped(|ui| {
            self.query.pattern_ui(ui, "Find in all files", fresh);
            if self.query.replacing {
                self.query.with_ui(ui);
            }
        });
        if self.query.pattern.text.is_empty() {
            ui.weak("Type what to look for in all rules, tables and scenarios of the game.");
            return;
        }
        let replacing = self.query.replacing;
        match self.look(shop) {
            Err(why) => {
                ui.colored_label(theme::colours(ui.style()).error, why);
            }
            Ok(found) => {
                ui.horizontal(|ui| {
                    let in_files = several(files(&found.places), "file");
                    let more = if found.more { "more than " } else { "" };
                    let places = several(found.places.len(), "place");
                    ui.weak(format!("{more}{places} in {in_files}"));
                    if replacing {
                        let all = egui::Button::new("Replace in all files");
                        if ui.add_enabled(!found.places.is_empty(), all).clicked() {
                            let label = "replace in all files".to_owned();
                            out.push(Command::Replace(label, found.places.clone()));
                        }
                    }
                });
                list_ui(ui, &found.places, replacing, out);
            }
        }
    }

    fn look(&mut self, shop: &Workshop) -> &Result<Found, String> {
        let version = shop.version();
        let same = |known: &(u64, Query, _)| known.0 == version && known.1 == self.query;
        let known = self.known.take().filter(same);
        let known = known.unwrap_or_else(|| {
            let found = shop.search(&self.query.pattern, self.query.replacement());
            (version, self.query.clone(), found)
        });
        &self.known.insert(known).2
    }
}

/// Places under their files; a click goes there.
fn list_ui(ui: &mut Ui, places: &[Place], replacing: bool, out: &mut Vec<Command>) {
    // A row is a file's name or a place.
    let mut rows: Vec<Result<&Place, &str>> = Vec::new();
    let mut file = "";
    for place in places {
        if place.name != file {
            file = &place.name;
            rows.push(Err(file));
        }
        rows.push(Ok(place));
    }
    egui::ScrollArea::vertical().auto_shrink(false).show_rows(
        ui,
        theme::ROW,
        rows.len(),
        |ui, shown| {
            for row in &rows[shown] {
                match row {
                    Ok(place) => {
                        if place_ui(ui, place).clicked() {
                            let range = Some(place.range.clone());
                            out.push(Command::OpenFile(place.name.clone(), range));
                            out.push(Command::Show(Pane::Rules));
                        }
                    }
                    Err(name) => file_ui(ui, name, places, replacing, out),
                }
            }
        },
    );
}

fn file_ui(ui: &mut Ui, name: &str, places: &[Place], replacing: bool, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.set_height(theme::ROW);
        ui.strong(name);
        if replacing {
            let button = ui.small_button("Replace in this file");
            if button.clicked() {
                let own = places.iter().filter(|place| place.name == name);
                let label = "replace in this file".to_owned();
                out.push(Command::Replace(label, own.cloned().collect()));
            }
        }
    });
}
