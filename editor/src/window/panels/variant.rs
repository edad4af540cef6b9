//! What the active overlays change, old beside new; and options as dials, which write into the variant.

use super::making::Making;
use super::project::section_ui;
use crate::window::{Command, Pane, theme};
use crate::workshop::Workshop;
use crate::workshop::sheet::CellKind;
use crate::workshop::variant::{Dial, Difference, conflicts, differences};
use dsl::assembly::ChangeKind;
use dsl::diagnostic::Diagnostic;
use dsl::source::{SourceSet, Span};
use egui::{ComboBox, DragValue, Id, RichText, Ui, UiBuilder};
use std::collections::BTreeMap;

/// What the value of an option and the button beside it take at most.
const VALUE_WIDTH: f32 = 130.0;
/// Below each change.
const BELOW_CHANGE: f32 = 4.0;

/// What the panel remembers, for the version of the texts that were checked last.
#[derive(Default)]
pub struct VariantView {
    at: Option<u64>,
    dials: Vec<Dial>,
    differences: Vec<Difference>,
    /// Values that dials were turned to and that have not been checked yet.
    turned: BTreeMap<String, String>,
    search: String,
}

impl VariantView {
    /// Looks again, if the texts have been checked since.
    pub fn refresh(&mut self, shop: &Workshop) {
        let now = shop.checked().map(|checked| checked.version);
        if self.at != now {
            self.at = now;
            self.dials = shop.dials();
            let now = shop.checked().map(|one| differences(one));
            let before = std::mem::replace(&mut self.differences, now.unwrap_or_default());
            // Half-typed rules have no values: what has not changed keeps those it had.
            for one in self
                .differences
                .iter_mut()
                .filter(|one| one.values.is_none())
            {
                let same = |other: &&Difference| {
                    (&other.layer, &other.name, &other.new.1) == (&one.layer, &one.name, &one.new.1)
                };
                let known = before.iter().find(same);
                one.values = known.and_then(|known| known.values.clone());
            }
        }
    }

    /// How many changes there are.
    pub fn count(&self) -> usize {
        self.differences.len()
    }

    pub fn show_ui(&mut self, ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
        egui::ScrollArea::vertical()
            .auto_shrink(false)
            .show(ui, |ui| {
                self.target_ui(ui, shop, out);
                self.differences_ui(ui, shop, out);
                self.dials_ui(ui, shop, out);
            });
    }

    fn target_ui(&self, ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
        let Some(target) = shop.target() else {
            ui.label(RichText::new("Make it your own").text_style(theme::section()));
            ui.label(
                "A variant is one file with only what it changes. The game itself stays as it is.",
            );
            if ui.button("New variant…").clicked() {
                out.push(Command::New(Making::Variant));
            }
            return;
        };
        let info = shop.overlays().iter().find(|overlay| overlay.id == target);
        let title = info.map_or(target, |overlay| &overlay.title);
        ui.horizontal_wrapped(|ui| {
            ui.label("Changes go into");
            ui.strong(title);
            if let Some(file) = shop.file_of(target)
                && ui.link("its rules").clicked()
            {
                out.push(Command::OpenFile(file, None));
                out.push(Command::Show(Pane::Rules));
            }
        });
    }

    fn differences_ui(&self, ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
        section_ui(ui, &super::bars::several(self.differences.len(), "change"));
        if self.differences.is_empty() {
            // As high as the first change, so that the dial that makes it stays under the pointer.
            ui.horizontal(|ui| ui.weak("The game is played as its own rules say."));
            ui.add_space(BELOW_CHANGE);
        }
        let Some(checked) = shop.checked() else {
            return;
        };
        for conflict in conflicts(checked) {
            conflict_ui(ui, &checked.sources, conflict, out);
        }
        for (at, one) in self.differences.iter().enumerate() {
            ui.push_id(("difference", at), |ui| difference_ui(ui, shop, one, out));
        }
    }

    fn dials_ui(&mut self, ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
        section_ui(ui, "Options");
        if self.dials.len() > 6 {
            let field = egui::TextEdit::singleline(&mut self.search)
                .hint_text("Search options")
                .desired_width(f32::INFINITY);
            ui.add(field);
        }
        if shop.target().is_none() {
            ui.weak("Begin a variant to turn them.");
        }
        if !shop.is_checking() {
            self.turned.clear();
        }
        let wanted = self.search.to_lowercase();
        for dial in &self.dials {
            let fits = |text: &str| text.to_lowercase().contains(&wanted);
            if fits(&dial.name) || fits(&dial.said) || fits(&dial.doc) {
                // What is above comes and goes with each turn: the dial that is held must not become another one.
                let id = Id::unique(("dial", &dial.name));
                let enabled = shop.target().is_some();
                let value = self.turned.get(&dial.name).unwrap_or(&dial.value);
                let own = UiBuilder::new().scope_id(id);
                let turned = ui.scope_builder(own, |ui| dial_ui(ui, dial, value, enabled, out));
                if let Some(value) = turned.inner {
                    self.turned.insert(dial.name.clone(), value.clone());
                    out.push(Command::Turn(dial.name.clone(), value));
                }
            }
        }
    }
}

/// A dial that shows a value; the one that it is turned to.
fn dial_ui(
    ui: &mut Ui,
    dial: &Dial,
    value: &str,
    enabled: bool,
    out: &mut Vec<Command>,
) -> Option<String> {
    let colours = theme::colours(ui.style());
    let hint = format!(
        "{}\n{}; the game says {}",
        dial.doc, dial.words, dial.declared
    );
    let mut turned = None;
    ui.horizontal(|ui| {
        let changed = value != dial.start;
        let name =
            RichText::new(&dial.said).color(if changed { colours.accent } else { colours.ink });
        // A long name leaves the value its room.
        let room = egui::vec2(ui.available_width() - VALUE_WIDTH, theme::ROW);
        let label = egui::Label::new(name).truncate();
        let label = label.sense(egui::Sense::click());
        let label = ui.allocate_ui(room, |ui| ui.add(label)).inner;
        let label_id = label.id;
        if label.on_hover_text(&hint).clicked() {
            out.push(Command::GoTo(dial.span));
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.add_enabled_ui(enabled, |ui| {
                turned = value_ui(ui, dial, value, label_id);
                if changed
                    && ui
                        .small_button("Back")
                        .on_hover_text(format!("Back to {}", dial.start))
                        .clicked()
                {
                    turned = Some(dial.start.clone());
                }
            });
        });
    });
    turned
}

fn value_ui(ui: &mut Ui, dial: &Dial, value: &str, label: Id) -> Option<String> {
    match &dial.kind {
        CellKind::Number { low, high } => {
            let mut number: i64 = value.parse().unwrap_or_default();
            let range = low.unwrap_or(i64::from(i32::MIN))..=high.unwrap_or(i64::from(i32::MAX));
            // A number that is half typed is nobody's wish.
            let field = DragValue::new(&mut number)
                .range(range)
                .update_while_editing(false);
            let field = ui.add(field).labelled_by(label);
            field.changed().then(|| number.to_string())
        }
        CellKind::Choice { values, .. } => {
            let mut chosen = value.to_owned();
            let combo = ComboBox::from_id_salt(("dial", &dial.name))
                .selected_text(value)
                .show_ui(ui, |ui| {
                    for value in values {
                        ui.selectable_value(&mut chosen, value.clone(), value);
                    }
                });
            combo.response.labelled_by(label);
            (chosen != value).then_some(chosen)
        }
        CellKind::Text | CellKind::Code | CellKind::Parent => {
            ui.label(value);
            None
        }
    }
}

/// Overlays that do not go together, each place a link.
fn conflict_ui(ui: &mut Ui, sources: &SourceSet, conflict: &Diagnostic, out: &mut Vec<Command>) {
    let colours = theme::colours(ui.style());
    let (sign, colour) = match conflict.is_error() {
        true => ("×", colours.error),
        false => ("▲", colours.warning),
    };
    ui.colored_label(colour, format!("{sign} {}", conflict.message));
    let labels = conflict.labels.iter();
    let labels = labels.map(|label| (label.span, label.text.as_str()));
    for (span, text) in std::iter::once((conflict.span, conflict.here.as_str())).chain(labels) {
        ui.horizontal_wrapped(|ui| {
            ui.add_space(theme::GAP);
            if ui.link(sources.place(span)).clicked() {
                out.push(Command::GoTo(span));
            }
            ui.monospace(sources.slice(span).lines().next().unwrap_or_default());
            ui.weak(text);
        });
    }
    if let Some(help) = &conflict.help {
        ui.weak(help);
    }
}

fn difference_ui(ui: &mut Ui, shop: &Workshop, one: &Difference, out: &mut Vec<Command>) {
    let colours = theme::colours(ui.style());
    ui.horizontal_wrapped(|ui| {
        ui.strong(&one.name);
        ui.weak(kind(one.kind));
        if let Some((old, new)) = &one.values {
            ui.label(RichText::new(old).background_color(colours.removed));
            ui.label("→");
            ui.label(RichText::new(new).background_color(colours.added));
        }
        ui.weak(format!("in {}", one.title));
    });
    let side =
        |ui: &mut Ui, sign: &str, fill, (span, text): &(Span, String), out: &mut Vec<Command>| {
            egui::Frame::new()
                .fill(fill)
                .inner_margin(4)
                .show(ui, |ui| {
                    ui.horizontal_top(|ui| {
                        let place = link(shop, *span);
                        ui.monospace(sign);
                        let text =
                            egui::Label::new(RichText::new(text.trim_end()).monospace()).wrap();
                        let text = ui.add(text.sense(egui::Sense::click()));
                        if text.on_hover_text(place).clicked() {
                            out.push(Command::GoTo(*span));
                        }
                    });
                });
        };
    if one.values.is_none() {
        // What is added to still stands.
        if let Some(old) = one.old.as_ref().filter(|_| one.kind != ChangeKind::Added) {
            side(ui, "-", colours.removed, old, out);
        }
        side(ui, "+", colours.added, &one.new, out);
    }
    ui.add_space(BELOW_CHANGE);
}

fn link(shop: &Workshop, span: Span) -> String {
    shop.checked()
        .map_or_else(String::new, |checked| checked.sources.place(span))
}

fn kind(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::New => "new",
        ChangeKind::Added => "added",
        ChangeKind::Changed => "changed",
        ChangeKind::Removed => "removed",
    }
}
