//! Component tables as sheets: typed cells, filter, sort, rows added and taken away, many cells pasted.

use crate::window::{Command, theme};
use crate::workshop::Workshop;
use crate::workshop::sheet::{Cell, CellKind, Column, Sheet, SheetChange};
use egui::{Align2, Color32, ComboBox, RichText, Role, TextEdit, Ui, WidgetInfo, vec2};
use egui_extras::{Column as Width, TableBuilder};

/// A menu does not show more values than this: a row is then typed.
const MENU_MAX: usize = 60;

/// Room for the buttons of a row.
const BUTTONS_WIDTH: f32 = 66.0;

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
    /// Row and column that are typed in, and what.
    typing: Option<(usize, usize, String)>,
}

impl ComponentsView {
    /// Whether the sheets have to be made anew; [`ComponentsView::take`] brings them.
    pub fn wants(&self, shop: &Workshop) -> bool {
        self.at != shop.checked().map(|checked| checked.version)
    }

    pub fn take(&mut self, shop: &Workshop, sheets: Vec<Sheet>) {
        self.at = shop.checked().map(|checked| checked.version);
        self.sheets = sheets;
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
        self.choice_ui(ui, shop, out);
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
                let change = SheetChange::Add(Vec::new());
                out.push(Command::Sheet(self.table.clone(), change));
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
        let mut paste = None;
        egui::ScrollArea::horizontal()
            .auto_shrink(false)
            .show(ui, |ui| {
                TableBuilder::new(ui)
                    .id_salt(&sheet.name)
                    .striped(true)
                    .column(Width::exact(BUTTONS_WIDTH))
                    .columns(
                        Width::initial(120.0)
                            .at_least(48.0)
                            .resizable(true)
                            .clip(true),
                        columns,
                    )
                    .header(theme::ROW, |mut header| {
                        header.col(|_| {});
                        for (at, column) in sheet.columns.iter().enumerate() {
                            header.col(|ui| self.head_ui(ui, at, column));
                        }
                    })
                    .body(|body| {
                        body.rows(theme::ROW + 2.0, rows.len(), |mut line| {
                            let row = rows[line.index()];
                            line.col(|ui| row_ui(ui, sheet, row, out));
                            for column in 0..columns {
                                line.col(|ui| {
                                    let pasted = self.cell_ui(ui, sheet, row, column, out);
                                    if let Some(text) = pasted {
                                        paste = Some((row, column, text));
                                    }
                                });
                            }
                        });
                    });
            });
        if let Some((row, column, text)) = paste {
            let change = SheetChange::Paste { row, column, text };
            out.push(Command::Sheet(sheet.name.clone(), change));
        }
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

    /// A cell; several cells that were pasted into it.
    fn cell_ui(
        &mut self,
        ui: &mut Ui,
        sheet: &Sheet,
        row: usize,
        column: usize,
        out: &mut Vec<Command>,
    ) -> Option<String> {
        let cell = &sheet.rows[row].cells[column];
        let kind = &sheet.columns[column].kind;
        let name = format!("{} {}", sheet.rows[row].name, sheet.columns[column].name);
        let gone = sheet.rows[row].removed.is_some();
        if gone || *kind == CellKind::Parent {
            ui.label(RichText::new(&cell.text).strikethrough());
            return None;
        }
        let set = |text: String| {
            Command::Sheet(
                sheet.name.clone(),
                SheetChange::Set(vec![(row, column, text)]),
            )
        };
        if let CellKind::Choice { values, .. } = kind
            && values.len() <= MENU_MAX
        {
            let mut chosen = cell.text.clone();
            let combo = ComboBox::from_id_salt((row, column))
                .width(ui.available_width())
                .selected_text(coloured(ui, cell))
                .show_ui(ui, |ui| {
                    for value in values {
                        ui.selectable_value(&mut chosen, value.clone(), value);
                    }
                });
            combo
                .response
                .widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, &name));
            if chosen != cell.text {
                out.push(set(chosen));
            }
            return None;
        }
        let here = self
            .typing
            .as_ref()
            .filter(|one| (one.0, one.1) == (row, column));
        let mut text = here.map_or_else(|| cell.text.clone(), |one| one.2.clone());
        let colour = coloured(ui, cell).1;
        let field = TextEdit::singleline(&mut text)
            .text_color(colour)
            .frame(egui::Frame::new())
            // As far in as the words of heads and menus.
            .margin(vec2(ui.spacing().button_padding.x, 2.0))
            .align(Align2::LEFT_CENTER)
            .min_size(vec2(0.0, theme::ROW))
            .desired_width(f32::INFINITY);
        let field = ui.add(field);
        ui.ctx()
            .accesskit_node_builder(field.id, |node| node.set_label(name.as_str()));
        let pasted = field.has_focus().then(|| pasted(ui)).flatten();
        if pasted.is_some() {
            self.typing = None;
            return pasted;
        }
        if field.changed() {
            self.typing = Some((row, column, text.clone()));
        }
        if field.lost_focus() && self.typing.take().is_some() && text != cell.text {
            out.push(set(text));
        }
        if let Some(problem) = &cell.problem {
            field.on_hover_text(problem);
        } else if let Some(below) = &cell.below {
            field.on_hover_text(format!("{} says so; below it is {below}", cell.layer));
        }
        None
    }
}

/// Text that was pasted and is more than one cell.
fn pasted(ui: &Ui) -> Option<String> {
    ui.input(|input| {
        input.events.iter().find_map(|event| match event {
            egui::Event::Paste(text) if text.contains(['\t', '\n']) => Some(text.clone()),
            _ => None,
        })
    })
}

/// Buttons of a row.
fn row_ui(ui: &mut Ui, sheet: &Sheet, row: usize, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let mut button = |sign: &str, what: &str, change: SheetChange| {
            let name = format!("{what} {}", sheet.rows[row].name);
            let button = ui.small_button(sign);
            button.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
            if button.on_hover_text(&name).clicked() {
                out.push(Command::Sheet(sheet.name.clone(), change));
            }
        };
        button("+", "Duplicate", SheetChange::Duplicate(row));
        button("×", "Delete", SheetChange::Delete(vec![row]));
    });
}

/// Red where something is wrong, with a sign; accented where an overlay says so.
fn coloured(ui: &Ui, cell: &Cell) -> Tinted {
    let colours = theme::colours(ui.style());
    if cell.problem.is_some() {
        Tinted(format!("▲ {}", cell.text), colours.error)
    } else if cell.below.is_some() {
        Tinted(cell.text.clone(), colours.accent)
    } else {
        Tinted(cell.text.clone(), colours.ink)
    }
}

struct Tinted(String, Color32);

impl From<Tinted> for egui::WidgetText {
    fn from(tinted: Tinted) -> egui::WidgetText {
        RichText::new(tinted.0).color(tinted.1).into()
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
