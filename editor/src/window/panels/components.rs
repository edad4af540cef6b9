//! Component tables as sheets: a cell is gone to by keys or pointer and typed into; rows are filtered, sorted, added and taken
//! away, many cells copied, pasted and filled.

mod cells;

use super::row::Purpose;
use crate::window::widgets::choices::Choices;
use crate::window::{Command, theme};
use crate::workshop::Workshop;
use crate::workshop::sheet::{Column, Sheet, SheetChange};
use egui::{ComboBox, RichText, Role, TextEdit, Ui, WidgetInfo};
use egui_extras::{Column as Width, TableBuilder};

/// Room for the number of a row and its buttons.
const HEAD_WIDTH: f32 = 84.0;

/// A row and a column, by their numbers in the sheet.
type At = (usize, usize);

/// What the panel remembers, for the version of the texts that were checked last.
#[derive(Default)]
pub struct ComponentsView {
    at: Option<u64>,
    sheets: Vec<Sheet>,
    /// Name of the table that is looked at.
    table: String,
    filter: String,
    /// Column, and whether the greatest comes first.
    sort: Option<(usize, bool)>,
    /// The cell that keys mean.
    cursor: Option<At>,
    /// The other corner of what is chosen, if it is more than a cell.
    anchor: Option<At>,
    /// What is typed into the cell.
    typing: Option<Typing>,
    /// The cell comes into view, and takes the focus, in the next frame.
    moved: bool,
    /// A row is being added: the cursor goes there when it has come.
    comes: bool,
}

/// A cell that is typed into.
#[derive(Default)]
struct Typing {
    text: String,
    /// The field has not been shown yet; whether its text is selected then.
    fresh: Option<bool>,
    choices: Choices,
}

impl ComponentsView {
    /// Whether the sheets have to be made anew; [`ComponentsView::take`] brings them.
    pub fn wants(&self, shop: &Workshop) -> bool {
        self.at != shop.checked().map(|checked| checked.version)
    }

    pub fn take(&mut self, shop: &Workshop, sheets: Vec<Sheet>) {
        self.at = shop.checked().map(|checked| checked.version);
        let before = std::mem::replace(&mut self.sheets, sheets);
        let named = |sheets: &[Sheet]| sheets.iter().position(|sheet| sheet.name == self.table);
        let Some(now) = named(&self.sheets).map(|at| &self.sheets[at]) else {
            return;
        };
        if self.comes
            && let Some(before) = named(&before).map(|at| &before[at])
            && now.rows.len() > before.rows.len()
        {
            let known = |name: &str| before.rows.iter().any(|row| row.name == name);
            let fresh = now.rows.iter().rposition(|row| !known(&row.name));
            self.comes = false;
            self.cursor = fresh.map(|row| (row, 0));
            self.anchor = None;
            self.moved = true;
        }
        let inside = |at: &At| at.0 < now.rows.len() && at.1 < now.columns.len();
        self.cursor = self.cursor.filter(inside);
        self.anchor = self.anchor.filter(inside);
    }

    pub fn show_ui(&mut self, ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
        if self.sheets.is_empty() {
            ui.weak(
                "The component tables of the game are shown here: what is in the box, row by row.",
            );
            return;
        }
        if !self.sheets.iter().any(|sheet| sheet.name == self.table) {
            self.table = self.sheets[0].name.clone();
        }
        let table = self.table.clone();
        self.choice_ui(ui, shop, out);
        if self.table != table {
            (self.cursor, self.anchor, self.typing, self.sort) = (None, None, None, None);
        }
        let shown = self
            .sheets
            .iter()
            .position(|sheet| sheet.name == self.table);
        let Some(sheet) = shown.map(|at| std::mem::replace(&mut self.sheets[at], empty())) else {
            return;
        };
        self.sheet_ui(ui, &sheet, out);
        if let Some(at) = shown {
            self.sheets[at] = sheet;
        }
    }

    fn choice_ui(&mut self, ui: &mut Ui, shop: &Workshop, out: &mut Vec<Command>) {
        ui.horizontal_wrapped(|ui| {
            let combo = ComboBox::from_id_salt("table")
                .selected_text(&self.table)
                .show_ui(ui, |ui| {
                    for sheet in &self.sheets {
                        let name = format!("{} ({})", sheet.name, sheet.rows.len());
                        ui.selectable_value(&mut self.table, sheet.name.clone(), name);
                    }
                });
            combo
                .response
                .widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, "Table"));
            let field = TextEdit::singleline(&mut self.filter)
                .hint_text("Filter rows")
                .desired_width(160.0);
            ui.add(field);
            if ui.button("Add row").clicked() {
                self.comes = true;
                out.push(Command::AskRow(Purpose::Add(self.table.clone())));
            }
            if ui
                .button("CSV…")
                .on_hover_text(
                    "Write the table for a spreadsheet, as .csv or .xlsx, or read one in",
                )
                .clicked()
            {
                out.push(Command::AskCsv(self.table.clone()));
            }
            match shop.target() {
                Some(target) => ui.weak(format!("Changes go into {target}")),
                None => ui.weak("Changes go into the game itself"),
            };
        });
    }

    fn sheet_ui(&mut self, ui: &mut Ui, sheet: &Sheet, out: &mut Vec<Command>) {
        let rows = self.order(sheet);
        let columns = sheet.columns.len();
        self.keys(ui, sheet, &rows, out);
        let goal = self.cursor.filter(|_| self.moved);
        let goal = goal.and_then(|(row, _)| rows.iter().position(|other| *other == row));
        egui::ScrollArea::horizontal()
            .auto_shrink(false)
            .show(ui, |ui| {
                let mut table = TableBuilder::new(ui)
                    .id_salt(&sheet.name)
                    .striped(true)
                    .column(Width::exact(HEAD_WIDTH))
                    .columns(
                        Width::initial(120.0)
                            .at_least(48.0)
                            .resizable(true)
                            .clip(true),
                        columns,
                    );
                if let Some(goal) = goal {
                    table = table.scroll_to_row(goal, None);
                }
                table
                    .header(theme::ROW, |mut header| {
                        header.col(|_| {});
                        for (at, column) in sheet.columns.iter().enumerate() {
                            header.col(|ui| self.head_ui(ui, at, column));
                        }
                    })
                    .body(|body| {
                        body.rows(theme::ROW, rows.len(), |mut line| {
                            let row = rows[line.index()];
                            line.col(|ui| self.row_ui(ui, sheet, row, out));
                            for column in 0..columns {
                                line.col(|ui| {
                                    self.cell_ui(ui, (sheet, &rows), (row, column), out);
                                });
                            }
                        });
                    });
            });
        self.moved = false;
    }

    fn head_ui(&mut self, ui: &mut Ui, at: usize, column: &Column) {
        let sign = match self.sort {
            Some((sorted, false)) if sorted == at => " ▲",
            Some((sorted, true)) if sorted == at => " ▼",
            _ => "",
        };
        let name = RichText::new(format!("{}{sign}", column.name)).strong();
        let head = ui.add(egui::Button::selectable(false, name).truncate());
        if head
            .on_hover_text(format!("{}\n{}", column.doc, column.words))
            .clicked()
        {
            self.sort = match self.sort {
                Some((sorted, false)) if sorted == at => Some((at, true)),
                Some((sorted, true)) if sorted == at => None,
                _ => Some((at, false)),
            };
        }
    }

    /// Rows that are shown, in their order.
    fn order(&self, sheet: &Sheet) -> Vec<usize> {
        let wanted = self.filter.to_lowercase();
        let fits = |row: &usize| {
            let mut cells = sheet.rows[*row].cells.iter();
            cells.any(|cell| cell.text.to_lowercase().contains(&wanted))
        };
        let mut rows: Vec<usize> = (0..sheet.rows.len()).filter(fits).collect();
        if let Some((column, greatest_first)) =
            self.sort.filter(|(at, _)| *at < sheet.columns.len())
        {
            let key = |row: &usize| {
                let text = sheet.rows[*row].cells[column].text.clone();
                (text.parse::<i64>().unwrap_or(i64::MAX), text)
            };
            rows.sort_by_key(key);
            if greatest_first {
                rows.reverse();
            }
        }
        rows
    }

    /// The number of a row, and its buttons.
    fn row_ui(&mut self, ui: &mut Ui, sheet: &Sheet, row: usize, out: &mut Vec<Command>) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let number = ui.add(egui::Label::new(
                RichText::new((row + 1).to_string()).weak(),
            ));
            number.on_hover_text(format!(
                "{}, of {}",
                sheet.rows[row].name, sheet.rows[row].layer
            ));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let mut button = |sign: &str, what: &str, change: SheetChange| {
                    let name = format!("{what} {}", sheet.rows[row].name);
                    let button = ui.small_button(sign);
                    button.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
                    let clicked = button.on_hover_text(&name).clicked();
                    if clicked {
                        out.push(Command::Sheet(sheet.name.clone(), change));
                    }
                    clicked
                };
                button("×", "Delete", SheetChange::Delete(vec![row]));
                if button("+", "Duplicate", SheetChange::Duplicate(row)) {
                    self.comes = true;
                }
            });
        });
    }
}

/// Stands in while a sheet is drawn.
fn empty() -> Sheet {
    Sheet {
        name: String::new(),
        doc: String::new(),
        span: dsl::source::Span::new(dsl::source::FileId(0), 0, 0),
        columns: Vec::new(),
        rows: Vec::new(),
        parent: None,
    }
}
