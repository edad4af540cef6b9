//! The manual in the window: searched, and opened at what the cursor stands on.

mod pages;

use crate::window::{Command, theme};
use egui::text::{LayoutJob, TextFormat};
use egui::{FontFamily, FontId, RichText, ScrollArea, TextEdit, TextStyle, Ui};
use pages::{Block, Section, Style};

/// Sections that are listed at once.
const LISTED_MAX: usize = 40;

/// What the panel remembers.
#[derive(Default)]
pub struct HelpView {
    /// All sections; read when they are first asked for.
    sections: Vec<Section>,
    search: String,
    /// The section that is read, by its number; none: the list is shown.
    open: Option<usize>,
    /// It is to be read from its beginning.
    fresh: bool,
}

impl HelpView {
    /// Opens the section that tells most of some words; lists what is found if none does.
    pub fn look_up(&mut self, words: &str) {
        self.fill();
        self.search = words.to_owned();
        if self.found().is_empty() {
            // A code without an example of its own: what its words say.
            self.search = words.replace('-', " ");
        }
        self.open = self.found().first().copied();
        self.fresh = true;
    }

    fn fill(&mut self) {
        if self.sections.is_empty() {
            self.sections = pages::sections();
        }
    }

    /// Sections with all words that are looked for, the best first; without words those that pages begin with.
    fn found(&self) -> Vec<usize> {
        let search = self.search.to_lowercase();
        let words: Vec<&str> = search.split_whitespace().collect();
        let sections = self.sections.iter().enumerate();
        if words.is_empty() {
            let heads = sections.filter(|(_, section)| section.level <= 2);
            return heads.map(|(at, _)| at).collect();
        }
        let scored = sections.map(|(at, section)| (section.fits(&words), at));
        let mut scored: Vec<(usize, usize)> = scored.filter(|(score, _)| *score > 0).collect();
        scored.sort_by_key(|(score, at)| (std::cmp::Reverse(*score), *at));
        scored
            .into_iter()
            .map(|(_, at)| at)
            .take(LISTED_MAX)
            .collect()
    }

    pub fn show_ui(&mut self, ui: &mut Ui, out: &mut Vec<Command>) {
        self.fill();
        ui.horizontal(|ui| {
            let field = TextEdit::singleline(&mut self.search)
                .hint_text("Search the manual")
                .desired_width(200.0);
            let field = ui.add(field);
            ui.ctx()
                .accesskit_node_builder(field.id, |node| node.set_label("Search the manual"));
            if field.changed() {
                self.open = None;
            }
            let back = ui.add_enabled(self.open.is_some(), egui::Button::new("All found"));
            if back.clicked() {
                self.open = None;
            }
            if let Some(at) = self.open {
                for (name, to) in [("Before", at.checked_sub(1)), ("Next", Some(at + 1))] {
                    let to = to.filter(|to| *to < self.sections.len());
                    if ui
                        .add_enabled(to.is_some(), egui::Button::new(name))
                        .clicked()
                    {
                        self.open = to;
                        self.fresh = true;
                    }
                }
            }
        });
        match self.open.and_then(|at| self.sections.get(at)) {
            Some(section) => {
                let mut area = ScrollArea::vertical().auto_shrink(false).id_salt("section");
                if std::mem::take(&mut self.fresh) {
                    area = area.vertical_scroll_offset(0.0);
                }
                area.show(ui, |ui| section_ui(ui, section, out));
            }
            None => self.list_ui(ui),
        }
    }

    fn list_ui(&mut self, ui: &mut Ui) {
        let found = self.found();
        if found.is_empty() {
            ui.weak("Nothing in the manual has these words.");
        }
        let area = ScrollArea::vertical().auto_shrink(false).id_salt("found");
        area.show(ui, |ui| {
            for at in found {
                let section = &self.sections[at];
                let row = egui::Button::selectable(false, section.title.as_str())
                    .right_text(RichText::new(section.page).weak())
                    .truncate()
                    .min_size(egui::vec2(ui.available_width(), theme::ROW));
                if ui.add(row).clicked() {
                    self.open = Some(at);
                    self.fresh = true;
                }
            }
        });
    }
}

fn section_ui(ui: &mut Ui, section: &Section, out: &mut Vec<Command>) {
    ui.weak(section.page);
    ui.label(
        RichText::new(&section.title)
            .text_style(theme::section())
            .strong(),
    );
    for (at, block) in section.blocks.iter().enumerate() {
        match block {
            Block::Text(text) => {
                let job = laid(ui, text);
                ui.add(egui::Label::new(job).wrap());
            }
            Block::Row(cells) => {
                ui.horizontal_top(|ui| {
                    let width = ui.available_width() / cells.len().max(1) as f32 - 10.0;
                    for cell in cells {
                        let job = laid(ui, cell);
                        ui.vertical(|ui| {
                            ui.set_width(width.max(60.0));
                            ui.add(egui::Label::new(job).wrap());
                        });
                    }
                });
            }
            Block::Code(code) => code_ui(ui, (at, code), out),
        }
        ui.add_space(2.0);
    }
}

/// An example, and a button that puts it where the cursor is.
fn code_ui(ui: &mut Ui, (at, code): (usize, &str), out: &mut Vec<Command>) {
    let colours = theme::colours(ui.style());
    egui::Frame::new()
        .fill(colours.card)
        .inner_margin(6)
        .corner_radius(theme::CORNER)
        .show(ui, |ui| {
            ui.push_id(at, |ui| {
                let area = ScrollArea::horizontal().auto_shrink([false, true]);
                area.show(ui, |ui| {
                    ui.add(egui::Label::new(RichText::new(code.trim_end()).monospace()).extend());
                });
                let insert = ui.small_button("Insert");
                if insert
                    .on_hover_text("Writes it where the cursor is")
                    .clicked()
                {
                    out.push(Command::InsertExample(code.to_owned()));
                }
            });
        });
}

/// A paragraph with its words in their styles.
fn laid(ui: &Ui, text: &str) -> LayoutJob {
    let colours = theme::colours(ui.style());
    let body = TextStyle::Body.resolve(ui.style());
    let letters = FontId::new(body.size - 1.0, FontFamily::Monospace);
    let mut job = LayoutJob::default();
    for (style, part) in pages::parts(text) {
        let (font, colour) = match style {
            Style::Plain => (body.clone(), colours.ink),
            Style::Strong => (body.clone(), colours.accent),
            Style::Code => (letters.clone(), colours.code.keyword),
        };
        job.append(&part, 0.0, TextFormat::simple(font, colour));
    }
    job
}
