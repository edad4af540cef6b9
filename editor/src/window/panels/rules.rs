//! Texts of rules: the files that are open, what is wrong with them, and what the words under the pointer mean.

use super::find::{FindBar, Query};
use super::fixes::FixMenu;
use super::making::Making;
use super::problems;
use crate::window::theme;
use crate::window::widgets::code::{self, CodeAnswer, CodeView, Mark, Offer, Shown, Weight};
use crate::window::{Command, Pane, commands};
use crate::workshop::Workshop;
use crate::workshop::checker::Checked;
use crate::workshop::document::Document;
use crate::workshop::language::sentence;
use dsl::service::{self, Completion, Hover, Language, OutlineItem};
use egui::{Id, RichText, Ui};
use std::collections::BTreeMap;
use std::ops::Range;

/// Width of the list of declarations.
const OUTLINE_WIDTH: f32 = 180.0;
/// A text with fewer declarations is seen at a glance.
const OUTLINE_LEAST: usize = 5;

/// What the panel remembers.
#[derive(Default)]
pub struct RulesView {
    /// Name of the document that is looked at.
    shown: Option<String>,
    editors: BTreeMap<String, CodeView>,
    /// Of the document shown, for the version of the texts that were checked last.
    marks: (u64, String, Vec<Mark>),
    outline: (u64, String, Vec<OutlineItem>),
    hint: Option<(u64, usize, Option<Hover>)>,
    cursor: usize,
    selected: Range<usize>,
    find: FindBar,
    fixes: FixMenu,
}

impl RulesView {
    /// The document that is looked at.
    pub fn shown(&self) -> Option<&str> {
        self.shown.as_deref()
    }

    /// Where the cursor is in it, or what is selected begins, in bytes.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// What is selected; empty if it spans lines or nothing is.
    pub fn selected_text<'s>(&self, shop: &'s Workshop) -> &'s str {
        let mut documents = shop.documents().iter();
        let shown = documents.find(|document| self.shown.as_deref() == Some(&document.name));
        let text = shown.and_then(|document| document.text().get(self.selected.clone()));
        text.filter(|text| !text.contains('\n')).unwrap_or_default()
    }

    /// Opens the bar that finds a word.
    pub fn find(&mut self, word: &str, replacing: bool) {
        self.find.open(word, replacing);
    }

    /// What the bar looks for.
    pub fn query(&self) -> &Query {
        self.find.query()
    }

    /// Lists what can be mended in the cursor's line; false: nothing.
    pub fn open_fixes(&mut self) -> bool {
        if self.fixes.fixes().is_empty() {
            return false;
        }
        self.fixes.open();
        // The list lies below the cursor: the text has the focus.
        if let Some(name) = self.shown.clone() {
            self.show(name, Some(self.selected.clone()));
        }
        true
    }

    /// Shows a document, and a place in it.
    pub fn show(&mut self, name: String, range: Option<Range<usize>>) {
        let begun = self.editors.contains_key(&name);
        let editor = self.editors.entry(name.clone()).or_default();
        match range {
            // A text that has been read keeps its place.
            None if begun => editor.focus(),
            range => {
                let range = range.unwrap_or_default();
                self.cursor = range.start;
                self.selected = range.clone();
                editor.go_to(range);
            }
        }
        self.shown = Some(name);
    }

    /// Looks at a document, which does not take the focus.
    pub fn turn_to(&mut self, name: String) {
        self.shown = Some(name);
    }

    /// Offers what could stand at the cursor.
    pub fn offer(&mut self, name: &str, found: Vec<Completion>) {
        if let Some(editor) = self.editors.get_mut(name) {
            let offers = found.into_iter().map(|one| Offer {
                label: one.label,
                detail: one.detail,
                insert: one.insert,
                range: one.range,
            });
            editor.offer(offers.collect());
        }
    }

    pub fn show_ui(&mut self, ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
        let documents = shop.documents();
        if documents.is_empty() {
            empty_ui(ui, shop, out);
            return;
        }
        let known = |name: &str| documents.iter().any(|document| document.name == name);
        if !self.shown.as_deref().is_some_and(known) {
            self.shown = documents.last().map(|document| document.name.clone());
        }
        self.tabs_ui(ui, documents, out);
        let shown = documents
            .iter()
            .find(|document| self.shown.as_deref() == Some(&document.name));
        if let Some(document) = shown {
            self.document_ui(ui, shop, document, out);
        }
    }

    fn tabs_ui(&mut self, ui: &mut Ui, documents: &[Document], out: &mut Vec<Command>) {
        ui.horizontal_wrapped(|ui| {
            for document in documents {
                let short = document.name.rsplit('/').next().unwrap_or(&document.name);
                let sign = if document.is_dirty() { " •" } else { "" };
                let chosen = self.shown.as_deref() == Some(&document.name);
                let tab = ui
                    .selectable_label(chosen, format!("{short}{sign}"))
                    .on_hover_text(&document.name);
                if tab.clicked() {
                    self.shown = Some(document.name.clone());
                }
                if tab.middle_clicked() {
                    out.push(Command::CloseFile(document.name.clone()));
                }
            }
        });
    }

    fn document_ui(
        &mut self,
        ui: &mut Ui,
        shop: &Workshop,
        document: &Document,
        out: &mut Vec<Command>,
    ) {
        self.refresh(shop, document);
        let place = self.find.show_ui(ui, document, &self.selected, out);
        if let Some(place) = place {
            self.cursor = place.start;
            self.selected = place.clone();
            let editor = self.editors.entry(document.name.clone()).or_default();
            editor.reveal(place);
        }
        let language = Language::of(&document.name);
        let long = self.outline.2.len() >= OUTLINE_LEAST;
        if long && ui.available_width() > 3.0 * OUTLINE_WIDTH {
            egui::Panel::right("outline")
                .default_size(OUTLINE_WIDTH)
                .show(ui, |ui| self.outline_ui(ui, document, out));
        }
        self.fixes.refresh(shop, document, self.cursor);
        self.fixes.keys(ui, out);
        let id = Id::unique("code").with(&document.name);
        let editor = self.editors.entry(document.name.clone()).or_default();
        let shown = Shown {
            name: &document.name,
            text: document.text(),
            language,
            marks: &self.marks.2,
            found: self.find.found(),
            meant: self
                .find
                .found()
                .iter()
                .find(|range| **range == self.selected),
            bulb: (!self.fixes.fixes().is_empty()).then_some(self.cursor),
        };
        let answer = editor.show_ui(ui, id, shown);
        if self.fixes.is_open() {
            code::keep_escape(ui, id);
        }
        self.answer(ui, shop, document, answer, out);
    }

    /// Takes up what happened in the editor.
    fn answer(
        &mut self,
        ui: &mut Ui,
        shop: &Workshop,
        document: &Document,
        answer: CodeAnswer,
        out: &mut Vec<Command>,
    ) {
        if let Some(cursor) = answer.cursor {
            self.cursor = cursor.min(answer.selected.start);
            self.selected = answer.selected;
        }
        self.fixes.show_ui(ui, answer.cursor_place);
        if answer.bulb {
            self.fixes.open();
        }
        if let Some(response) = answer.response {
            response.context_menu(|ui| self.menu_ui(ui, out));
        }
        if let Some(at) = answer.hint_at
            && answer.text.is_none()
        {
            self.hint_ui(ui, shop, document, at);
        }
        if let Some(at) = answer.follow {
            out.push(Command::GoToDefinition(document.name.clone(), at));
        }
        if let Some(text) = answer.text {
            out.push(Command::Type(document.name.clone(), text));
        }
        if let Some(at) = answer.complete {
            out.push(Command::Complete(document.name.clone(), at));
        }
    }

    /// What can be done about what the cursor stands on.
    fn menu_ui(&self, ui: &mut Ui, out: &mut Vec<Command>) {
        let cut = |ui: &Ui, what| ui.ctx().send_viewport_cmd(what);
        if !self.fixes.fixes().is_empty() {
            for fix in self.fixes.fixes() {
                if ui.button(sentence(&fix.title)).clicked() {
                    out.push(Command::Edit(fix.title.clone(), fix.edits.clone()));
                }
            }
            ui.separator();
        }
        for command in [
            Command::Definition,
            Command::Uses,
            Command::Rename,
            Command::ChangeInVariant,
            Command::Format,
        ] {
            commands::item_ui(ui, command, out);
        }
        ui.separator();
        for (name, what) in [
            ("Cut", egui::ViewportCommand::RequestCut),
            ("Copy", egui::ViewportCommand::RequestCopy),
            ("Paste", egui::ViewportCommand::RequestPaste),
        ] {
            if ui.button(name).clicked() {
                cut(ui, what);
            }
        }
    }

    /// What the word under the pointer means, and what is wrong with it.
    fn hint_ui(&mut self, ui: &mut Ui, shop: &Workshop, document: &Document, at: usize) {
        let Some(checked) = shop.checked() else {
            return;
        };
        let known = self.hint.as_ref();
        if known.is_none_or(|(version, place, _)| (*version, *place) != (checked.version, at)) {
            let hover = shop.hover(&document.name, at);
            self.hint = Some((checked.version, at, hover));
        }
        let wrong = self.marks.2.iter();
        let wrong = wrong.filter(|mark| mark.range.start <= at && at <= mark.range.end);
        let wrong: Vec<&Mark> = wrong.collect();
        let hover = self.hint.as_ref().and_then(|(_, _, hover)| hover.as_ref());
        if wrong.is_empty() && hover.is_none() {
            return;
        }
        let layer = ui.layer_id();
        egui::Tooltip::always_open(
            ui.ctx().clone(),
            layer,
            Id::unique("hint"),
            egui::PopupAnchor::Pointer,
        )
        .show(|ui| {
            ui.set_max_width(theme::TEXT_WIDTH);
            for mark in wrong {
                mark_ui(ui, mark);
            }
            if let Some(hover) = hover {
                hover_ui(ui, hover);
            }
        });
    }

    fn outline_ui(&self, ui: &mut Ui, document: &Document, out: &mut Vec<Command>) {
        ui.spacing_mut().item_spacing.y = 0.0;
        egui::ScrollArea::vertical().auto_shrink(false).show_rows(
            ui,
            theme::ROW,
            self.outline.2.len(),
            |ui, rows| {
                for item in &self.outline.2[rows] {
                    let label = RichText::new(&item.name).small();
                    let row = ui.add(egui::Button::selectable(false, label).truncate());
                    if row.on_hover_text(&item.doc).clicked() {
                        let span = item.name_span;
                        let range = span.start as usize..span.end as usize;
                        out.push(Command::OpenFile(document.name.clone(), Some(range)));
                    }
                }
            },
        );
    }

    /// Marks and outline, if the texts have been checked since.
    fn refresh(&mut self, shop: &Workshop, document: &Document) {
        let Some(checked) = shop.checked() else {
            return;
        };
        let file = checked.sources.find(&document.name);
        if (self.marks.0, self.marks.1.as_str()) != (checked.version, &document.name) {
            let marks = file.map(|file| problems::marks(&shop.problems(), file));
            self.marks = (
                checked.version,
                document.name.clone(),
                marks.unwrap_or_default(),
            );
            let outline = file.map(|file| service::outline(&checked.sources, file));
            self.outline = (
                checked.version,
                document.name.clone(),
                outline.unwrap_or_default(),
            );
        }
    }
}

/// The first place that says what stands at a byte.
pub fn definition(checked: &Checked, name: &str, at: usize) -> Option<(String, Range<usize>)> {
    let file = checked.sources.find(name)?;
    let targets = service::definition(&checked.sources, &checked.compiled, file, at);
    let span = targets.first()?.span;
    let path = checked.sources.file(span.file).path.clone();
    Some((path, span.start as usize..span.end as usize))
}

fn mark_ui(ui: &mut Ui, mark: &Mark) {
    let colours = theme::colours(ui.style());
    let (sign, colour) = match mark.weight {
        Weight::Error => ("×", colours.error),
        Weight::Warning => ("▲", colours.warning),
    };
    ui.colored_label(colour, format!("{sign} {}", mark.message));
}

fn hover_ui(ui: &mut Ui, hover: &Hover) {
    ui.monospace(&hover.signature);
    if !hover.doc.is_empty() {
        ui.label(&hover.doc);
    }
    if !hover.example.is_empty() {
        ui.label(RichText::new(&hover.example).code());
    }
    for fact in &hover.facts {
        ui.weak(fact);
    }
}

fn empty_ui(ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
    ui.label(RichText::new("No file is open").text_style(theme::section()));
    ui.label("Choose one in the project, or begin a variant of your own: one file with only what it changes.");
    ui.horizontal(|ui| {
        if ui.button("New variant…").clicked() {
            out.push(Command::New(Making::Variant));
        }
        if ui.button("Show the project").clicked() {
            out.push(Command::Show(Pane::Project));
        }
    });
    let Some(game) = shop.game() else { return };
    ui.add_space(theme::GAP);
    for file in &game.rules {
        if ui.link(file).clicked() {
            out.push(Command::OpenFile(file.clone(), None));
        }
    }
}
