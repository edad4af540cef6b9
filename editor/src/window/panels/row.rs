//! Asks what stands in a row before it is there: its name, and whatever it cannot be without.

use crate::window::widgets::field;
use crate::window::{Command, theme};
use crate::workshop::design::Drawing;
use crate::workshop::sheet::{CellKind, Column, SheetChange};
use egui::{ComboBox, Context, Grid, Id, Key, Modal, RichText, TextEdit, Ui};

/// Height of the list of columns before it scrolls.
const HEIGHT_MAX: f32 = 420.0;

/// What becomes of the row.
#[derive(Clone, Debug, PartialEq)]
pub enum Purpose {
    /// One more of a table.
    Add(String),
    /// One more of a table, at a place of the board: its columns, and what stands in them.
    Put(String, Vec<(String, String)>),
    /// It joins two spaces.
    Join(Drawing),
}

/// The question, open or not.
#[derive(Default)]
pub struct RowDialog(Option<Asked>);

struct Asked {
    purpose: Purpose,
    title: String,
    columns: Vec<Column>,
    typed: Vec<String>,
    fresh: bool,
    /// Columns that have a default are shown too.
    all: bool,
}

impl RowDialog {
    pub fn open(&mut self, purpose: Purpose, title: String, columns: Vec<Column>) {
        self.0 = Some(Asked {
            purpose,
            title,
            typed: vec![String::new(); columns.len()],
            all: !columns.iter().any(|column| column.required),
            columns,
            fresh: true,
        });
    }

    pub fn show_ui(&mut self, ctx: &Context, out: &mut Vec<Command>) {
        let Some(mut asked) = self.0.take() else {
            return;
        };
        let mut done = false;
        let modal = Modal::new(Id::unique("row")).show(ctx, |ui| {
            ui.set_width(1.2 * theme::TEXT_WIDTH);
            done = asked.inside_ui(ui, out);
        });
        // A click beside it, or on what hangs over its edge, takes nothing away that was typed.
        let left = modal.is_top_modal
            && !modal.any_popup_open
            && ctx.input(|input| input.key_pressed(Key::Escape));
        if !done && !left {
            self.0 = Some(asked);
        }
    }
}

impl Asked {
    /// Whether it is done with.
    fn inside_ui(&mut self, ui: &mut Ui, out: &mut Vec<Command>) -> bool {
        ui.label(RichText::new(&self.title).text_style(theme::section()));
        let area = egui::ScrollArea::vertical().max_height(HEIGHT_MAX);
        area.show(ui, |ui| {
            Grid::new("columns").num_columns(2).show(ui, |ui| {
                let mut first = std::mem::take(&mut self.fresh);
                for (column, typed) in self.columns.iter().zip(&mut self.typed) {
                    if column.required || self.all {
                        cell_ui(ui, column, typed, std::mem::take(&mut first));
                        ui.end_row();
                    }
                }
            });
        });
        if !self.all && self.columns.iter().any(|column| !column.required) {
            self.all = ui.button("All columns").clicked();
        }
        let lacking = self.lacking();
        if let Some(column) = lacking {
            ui.weak(format!("`{column}` is still to be said"));
        }
        let enter = ui.input(|input| input.key_pressed(Key::Enter));
        let mut done = false;
        ui.horizontal(|ui| {
            let add = ui.add_enabled(lacking.is_none(), egui::Button::new("Add"));
            if (add.clicked() || enter) && lacking.is_none() {
                out.push(self.command());
                done = true;
            }
            done |= ui.button("Cancel").clicked();
        });
        done
    }

    /// The first column that a row cannot be without.
    fn lacking(&self) -> Option<&str> {
        let both = self.columns.iter().zip(&self.typed);
        let mut lacking = both.filter(|(column, typed)| column.required && typed.trim().is_empty());
        lacking.next().map(|(column, _)| column.name.as_str())
    }

    fn command(&self) -> Command {
        let said = self.columns.iter().zip(&self.typed);
        let said = said.filter(|(_, typed)| !typed.trim().is_empty());
        let said = said.map(|(column, typed)| (column.name.clone(), typed.trim().to_owned()));
        match &self.purpose {
            Purpose::Add(table) => Command::Sheet(table.clone(), SheetChange::Add(said.collect())),
            Purpose::Put(table, place) => {
                let cells = said.chain(place.iter().cloned());
                Command::Sheet(table.clone(), SheetChange::Add(cells.collect()))
            }
            Purpose::Join(Drawing::Join(join, ends, _)) => {
                Command::Draw(Drawing::Join(join.clone(), ends.clone(), said.collect()))
            }
            Purpose::Join(other) => Command::Draw(other.clone()),
        }
    }
}

fn cell_ui(ui: &mut Ui, column: &Column, typed: &mut String, first: bool) {
    let label = ui.label(&column.name).on_hover_text(&column.doc);
    if let CellKind::Choice {
        values,
        open: false,
    } = &column.kind
    {
        let combo = ComboBox::from_id_salt(&column.name)
            .width(ui.available_width())
            .selected_text(typed.as_str())
            .show_ui(ui, |ui| {
                for value in values {
                    ui.selectable_value(typed, value.clone(), value);
                }
            });
        combo.response.labelled_by(label.id);
        return;
    }
    let field = TextEdit::singleline(typed)
        .hint_text(&column.words)
        .desired_width(f32::INFINITY);
    let field = ui.add(field).labelled_by(label.id);
    if first {
        field::choose(&field, typed);
    }
}
