//! Texts of rules: the files that are open, what is wrong with them, and what the words under the pointer mean.

use super::problems;
use crate::window::theme;
use crate::window::widgets::code::{CodeAnswer, CodeView, Mark, Offer, Shown};
use crate::window::{Command, Pane};
use crate::workshop::Workshop;
use crate::workshop::checker::Checked;
use crate::workshop::document::Document;
use dsl::service::{self, Completion, Hover, Language, OutlineItem};
use egui::{Id, RichText, Ui};
use std::collections::BTreeMap;
use std::ops::Range;

/// Width of the list of declarations.
const OUTLINE_WIDTH: f32 = 180.0;

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
}

impl RulesView {
    /// The document that is looked at.
    pub fn shown(&self) -> Option<&str> {
        self.shown.as_deref()
    }

    /// Where the cursor is in it, in bytes.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// Shows a document, and a place in it.
    pub fn show(&mut self, name: String, range: Option<Range<usize>>) {
        if let Some(range) = range {
            self.cursor = range.start;
            self.editors.entry(name.clone()).or_default().go_to(range);
        }
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
        let language = Language::of(&document.name);
        if language == Language::Rules && ui.available_width() > 3.0 * OUTLINE_WIDTH {
            egui::Panel::right("outline")
                .default_size(OUTLINE_WIDTH)
                .show(ui, |ui| self.outline_ui(ui, document, out));
        }
        let id = Id::unique("code").with(&document.name);
        let editor = self.editors.entry(document.name.clone()).or_default();
        let shown = Shown {
            name: &document.name,
            text: document.text(),
            language,
            marks: &self.marks.2,
        };
        let answer = editor.show_ui(ui, id, shown);
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
            self.cursor = cursor;
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

    /// What the word under the pointer means.
    fn hint_ui(&mut self, ui: &mut Ui, shop: &Workshop, document: &Document, at: usize) {
        let Some(checked) = shop.checked() else {
            return;
        };
        let known = self.hint.as_ref();
        if known.is_none_or(|(version, place, _)| (*version, *place) != (checked.version, at)) {
            let file = checked.sources.find(&document.name);
            let hover =
                file.and_then(|file| service::hover(&checked.sources, &checked.compiled, file, at));
            self.hint = Some((checked.version, at, hover));
        }
        let Some((_, _, Some(hover))) = &self.hint else {
            return;
        };
        let layer = ui.layer_id();
        egui::Tooltip::always_open(
            ui.ctx().clone(),
            layer,
            Id::unique("hint"),
            egui::PopupAnchor::Pointer,
        )
        .show(|ui| hover_ui(ui, hover));
    }

    fn outline_ui(&self, ui: &mut Ui, document: &Document, out: &mut Vec<Command>) {
        egui::ScrollArea::vertical().auto_shrink(false).show_rows(
            ui,
            theme::ROW - 4.0,
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

fn hover_ui(ui: &mut Ui, hover: &Hover) {
    ui.set_max_width(theme::TEXT_WIDTH);
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
            out.push(Command::NewVariant);
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
