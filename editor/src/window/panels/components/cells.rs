//! Cells of a sheet: which one keys mean, what is chosen, what is typed.

use super::{At, ComponentsView, Typing};
use crate::window::widgets::choices::Choice;
use crate::window::widgets::field;
use crate::window::{Command, theme};
use crate::workshop::sheet::{Cell, CellKind, Sheet, SheetChange};
use egui::{
    Align2, Event, EventFilter, Id, Key, Modifiers, RichText, Role, Sense, Stroke, StrokeKind,
    TextEdit, TextStyle, Ui, WidgetInfo, vec2,
};

/// Rows that a page is.
const PAGE: isize = 15;
/// Values that are offered for a cell at once.
const OFFERED_MAX: usize = 40;

impl ComponentsView {
    /// A cell of the rows that are shown.
    pub(super) fn cell_ui(
        &mut self,
        ui: &mut Ui,
        (sheet, rows): (&Sheet, &[usize]),
        at: At,
        out: &mut Vec<Command>,
    ) {
        let cell = &sheet.rows[at.0].cells[at.1];
        let name = format!("{} {}", sheet.rows[at.0].name, sheet.columns[at.1].name);
        if self.cursor == Some(at) && self.typing.is_some() {
            self.field_ui(ui, (sheet, rows), at, &name, out);
            return;
        }
        let area = ui.available_rect_before_wrap();
        let id = Id::unique("cell").with((&sheet.name, at));
        let response = ui.interact(area, id, Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, &name));
        ui.ctx()
            .accesskit_node_builder(id, |node| node.set_value(cell.text.as_str()));
        ui.advance_cursor_after_rect(area);
        self.paint(ui, (sheet, rows), at, area);
        if self.moved && self.cursor == Some(at) {
            ui.memory_mut(|memory| memory.request_focus(id));
            ui.scroll_to_rect(area, None);
        }
        if response.clicked() {
            response.request_focus();
        }
        if (response.gained_focus() || response.clicked()) && self.cursor != Some(at) {
            let more = ui.input(|input| input.modifiers.shift) && response.clicked();
            self.anchor = self
                .cursor
                .filter(|_| more)
                .and(self.anchor.or(self.cursor));
            self.cursor = Some(at);
        } else if response.clicked() {
            self.anchor = None;
        }
        if response.double_clicked() {
            self.begin(sheet, cell.text.clone(), true);
        }
        response.context_menu(|ui| self.menu_ui(ui, (sheet, rows), at, out));
        if let Some(problem) = &cell.problem {
            response.on_hover_text(problem);
        } else if let Some(below) = &cell.below {
            response.on_hover_text(format!("{} says so; below it is {below}", cell.layer));
        }
    }

    fn paint(&self, ui: &Ui, (sheet, rows): (&Sheet, &[usize]), at: At, area: egui::Rect) {
        let colours = theme::colours(ui.style());
        let cell = &sheet.rows[at.0].cells[at.1];
        let painter = ui.painter_at(area);
        if self.is_chosen(rows, at) {
            painter.rect_filled(area, 0, colours.chosen);
        }
        if self.cursor == Some(at) {
            let edge = Stroke::new(2.0, colours.accent);
            painter.rect_stroke(area.shrink(1.0), 0, edge, StrokeKind::Inside);
        }
        let (text, colour) = coloured(cell, colours);
        let removed = sheet.rows[at.0].removed.is_some();
        let font = TextStyle::Body.resolve(ui.style());
        let left = area.left_center() + vec2(ui.spacing().button_padding.x, 0.0);
        let place = painter.text(left, Align2::LEFT_CENTER, text, font, colour);
        if removed {
            painter.hline(place.x_range(), place.center().y, Stroke::new(1.0, colour));
        }
    }

    /// Whether a cell lies between the two corners of what is chosen.
    fn is_chosen(&self, rows: &[usize], at: At) -> bool {
        let chosen = self.chosen(rows);
        chosen
            .is_some_and(|(lines, columns)| columns.contains(&at.1) && rows[lines].contains(&at.0))
    }

    /// Lines, as they are shown, and columns that are chosen.
    fn chosen(
        &self,
        rows: &[usize],
    ) -> Option<(
        std::ops::RangeInclusive<usize>,
        std::ops::RangeInclusive<usize>,
    )> {
        let line = |at: At| rows.iter().position(|row| *row == at.0);
        let cursor = self.cursor?;
        let anchor = self.anchor.unwrap_or(cursor);
        let (one, other) = (line(cursor)?, line(anchor)?);
        let (left, right) = (cursor.1.min(anchor.1), cursor.1.max(anchor.1));
        Some((one.min(other)..=one.max(other), left..=right))
    }

    // ---------------------------------------------------------------------------------------------- keys

    /// Keys of the cell that has the focus, while nothing is typed.
    pub(super) fn keys(&mut self, ui: &Ui, sheet: &Sheet, rows: &[usize], out: &mut Vec<Command>) {
        let Some(cursor) = self.cursor.filter(|_| self.typing.is_none()) else {
            return;
        };
        let id = Id::unique("cell").with((&sheet.name, cursor));
        if !ui.memory(|memory| memory.has_focus(id)) {
            return;
        }
        let all = EventFilter {
            tab: true,
            horizontal_arrows: true,
            vertical_arrows: true,
            escape: false,
        };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(id, all));
        for event in ui.input(|input| input.events.clone()) {
            match event {
                Event::Text(text) if text != " " || self.anchor.is_none() => {
                    self.begin(sheet, text, false);
                }
                Event::Key {
                    key,
                    pressed: true,
                    modifiers,
                    ..
                } => self.key(sheet, rows, key, modifiers, out),
                Event::Copy | Event::Cut => {
                    ui.ctx().copy_text(self.copied(sheet, rows));
                    if event == Event::Cut {
                        self.fill(sheet, rows, |_, _| Some(String::new()), out);
                    }
                }
                Event::Paste(text) => self.paste(sheet, rows, &text, out),
                _ => {}
            }
        }
    }

    fn key(
        &mut self,
        sheet: &Sheet,
        rows: &[usize],
        key: Key,
        modifiers: Modifiers,
        out: &mut Vec<Command>,
    ) {
        let text = |at: At| sheet.rows[at.0].cells[at.1].text.clone();
        let far = if modifiers.command { isize::MAX / 2 } else { 1 };
        match key {
            Key::ArrowUp => self.go(sheet, rows, (-far, 0), modifiers.shift),
            Key::ArrowDown => self.go(sheet, rows, (far, 0), modifiers.shift),
            Key::ArrowLeft => self.go(sheet, rows, (0, -far), modifiers.shift),
            Key::ArrowRight => self.go(sheet, rows, (0, far), modifiers.shift),
            Key::PageUp => self.go(sheet, rows, (-PAGE, 0), modifiers.shift),
            Key::PageDown => self.go(sheet, rows, (PAGE, 0), modifiers.shift),
            Key::Home => self.go(sheet, rows, (0, isize::MIN / 2), modifiers.shift),
            Key::End => self.go(sheet, rows, (0, isize::MAX / 2), modifiers.shift),
            Key::Enter if modifiers.shift => self.go(sheet, rows, (-1, 0), false),
            Key::Enter => self.go(sheet, rows, (1, 0), false),
            Key::Tab if modifiers.shift => self.go(sheet, rows, (0, -1), false),
            Key::Tab => self.go(sheet, rows, (0, 1), false),
            Key::F2 if modifiers.is_none() => {
                if let Some(at) = self.cursor {
                    self.begin(sheet, text(at), true);
                }
            }
            Key::Delete | Key::Backspace => {
                self.fill(sheet, rows, |_, _| Some(String::new()), out);
            }
            Key::D if modifiers.command => self.fill_down(sheet, rows, out),
            _ => {}
        }
    }

    /// So many lines down and columns to the right.
    fn go(&mut self, sheet: &Sheet, rows: &[usize], (down, right): (isize, isize), more: bool) {
        let Some(cursor) = self.cursor else { return };
        let Some(line) = rows.iter().position(|row| *row == cursor.0) else {
            return;
        };
        let moved = |at: usize, by: isize, count: usize| {
            let last = count.saturating_sub(1) as isize;
            (at as isize).saturating_add(by).clamp(0, last) as usize
        };
        let to = (
            rows[moved(line, down, rows.len())],
            moved(cursor.1, right, sheet.columns.len()),
        );
        self.anchor = more.then(|| self.anchor.unwrap_or(cursor));
        self.cursor = Some(to);
        self.moved = true;
    }

    // ---------------------------------------------------------------------------------------------- typing

    /// Begins to type into the cell; `whole`: its text is changed, not replaced.
    fn begin(&mut self, sheet: &Sheet, text: String, whole: bool) {
        let Some(at) = self.cursor else { return };
        let gone = sheet.rows[at.0].removed.is_some();
        if gone || sheet.columns[at.1].kind == CellKind::Parent {
            return;
        }
        self.anchor = None;
        self.typing = Some(Typing {
            text,
            fresh: Some(whole),
            ..Typing::default()
        });
    }

    fn field_ui(
        &mut self,
        ui: &mut Ui,
        (sheet, rows): (&Sheet, &[usize]),
        at: At,
        name: &str,
        out: &mut Vec<Command>,
    ) {
        let Some(mut typing) = self.typing.take() else {
            return;
        };
        let offered = offered(sheet, at.1, &typing.text, typing.fresh == Some(true));
        let (down, right, mut done) = ui.input_mut(|input| {
            let mut pressed = |modifiers, key| input.consume_key(modifiers, key);
            let back = pressed(Modifiers::SHIFT, Key::Tab);
            let tab = pressed(Modifiers::NONE, Key::Tab);
            let escape = pressed(Modifiers::NONE, Key::Escape);
            let arrows = offered.is_empty();
            let up = arrows && pressed(Modifiers::NONE, Key::ArrowUp);
            let down = arrows && pressed(Modifiers::NONE, Key::ArrowDown);
            let step = isize::from(down) - isize::from(up);
            let aside = isize::from(tab) - isize::from(back);
            (step, aside, escape.then_some(None))
        });
        let mut enter = false;
        if !offered.is_empty() && down == 0 {
            match typing.choices.keys(ui, offered.len()) {
                Choice::Picked(chosen) => {
                    typing.text.clone_from(&offered[chosen]);
                    enter = true;
                }
                Choice::None | Choice::Closed => {}
            }
        } else {
            enter = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        }
        let field = TextEdit::singleline(&mut typing.text)
            .frame(egui::Frame::new())
            .margin(vec2(ui.spacing().button_padding.x, 2.0))
            .min_size(vec2(0.0, theme::ROW))
            .desired_width(f32::INFINITY);
        let field = ui.add(field);
        ui.ctx()
            .accesskit_node_builder(field.id, |node| node.set_label(name));
        let fresh = typing.fresh.take();
        match fresh {
            Some(true) => field::choose(&field, &typing.text),
            Some(false) => field::end(&field, &typing.text),
            None => {}
        }
        if !offered.is_empty() {
            let all = offered.iter().map(|one| (one.as_str(), ""));
            typing
                .choices
                .show_ui(ui, field.id.with("values"), field.rect, all);
        }
        let away = fresh.is_none() && field.lost_focus() && !typing.choices.is_clicked();
        if enter || down != 0 || right != 0 || away {
            done = Some(Some(typing.text.clone()));
        }
        match done {
            None => self.typing = Some(typing),
            Some(text) => {
                if let Some(text) = text.filter(|text| *text != sheet.rows[at.0].cells[at.1].text) {
                    let change = SheetChange::Set(vec![(at.0, at.1, text)]);
                    out.push(Command::Sheet(sheet.name.clone(), change));
                }
                let down = if enter { 1 } else { down };
                if !away {
                    self.go(sheet, rows, (down, right), false);
                }
            }
        }
    }

    // ---------------------------------------------------------------------------------------------- many cells

    /// What is chosen as a spreadsheet copies it.
    fn copied(&self, sheet: &Sheet, rows: &[usize]) -> String {
        let Some((lines, columns)) = self.chosen(rows) else {
            return String::new();
        };
        let lines = lines.map(|line| {
            let cells = &sheet.rows[rows[line]].cells[columns.clone()];
            cells.iter().map(|cell| cell.text.as_str()).collect()
        });
        crate::workshop::sheet::copied(lines.collect())
    }

    /// One value goes into all that is chosen, several into as many cells.
    fn paste(&mut self, sheet: &Sheet, rows: &[usize], text: &str, out: &mut Vec<Command>) {
        let several = text.trim_end_matches(['\r', '\n']).contains(['\t', '\n']);
        if !several {
            let text = text.trim_end_matches(['\r', '\n']).to_owned();
            self.fill(sheet, rows, |_, _| Some(text.clone()), out);
            return;
        }
        let Some((lines, columns)) = self.chosen(rows) else {
            return;
        };
        let change = SheetChange::Paste {
            rows: rows[*lines.start()..].to_vec(),
            column: *columns.start(),
            text: text.to_owned(),
        };
        out.push(Command::Sheet(sheet.name.clone(), change));
    }

    /// The uppermost row of what is chosen goes into the rows below; of one cell the one above it goes into it.
    fn fill_down(&mut self, sheet: &Sheet, rows: &[usize], out: &mut Vec<Command>) {
        let Some((lines, _)) = self.chosen(rows) else {
            return;
        };
        let from = match lines.start() == lines.end() {
            true => lines.start().checked_sub(1),
            false => Some(*lines.start()),
        };
        let Some(from) = from else { return };
        let source = &sheet.rows[rows[from]];
        let source = |row: usize, column: usize| {
            (row != rows[from]).then(|| source.cells[column].text.clone())
        };
        self.fill(sheet, rows, source, out);
    }

    /// Puts texts into the cells that are chosen.
    fn fill(
        &mut self,
        sheet: &Sheet,
        rows: &[usize],
        text: impl Fn(usize, usize) -> Option<String>,
        out: &mut Vec<Command>,
    ) {
        let Some((lines, columns)) = self.chosen(rows) else {
            return;
        };
        let all = lines.flat_map(|line| columns.clone().map(move |column| (rows[line], column)));
        let cells = all.filter_map(|(row, column)| Some((row, column, text(row, column)?)));
        let change = SheetChange::Set(cells.collect());
        out.push(Command::Sheet(sheet.name.clone(), change));
    }

    fn menu_ui(
        &mut self,
        ui: &mut Ui,
        (sheet, rows): (&Sheet, &[usize]),
        at: At,
        out: &mut Vec<Command>,
    ) {
        if !self.is_chosen(rows, at) {
            (self.cursor, self.anchor) = (Some(at), None);
        }
        if ui.button("Copy").clicked() {
            ui.ctx().copy_text(self.copied(sheet, rows));
        }
        if ui.button("Fill down").clicked() {
            self.fill_down(sheet, rows, out);
        }
        if ui.button("Delete rows").clicked()
            && let Some((lines, _)) = self.chosen(rows)
        {
            let change = SheetChange::Delete(rows[lines].to_vec());
            out.push(Command::Sheet(sheet.name.clone(), change));
        }
        let cell = &sheet.rows[at.0].cells[at.1];
        let place = cell.span.unwrap_or(sheet.rows[at.0].span);
        if ui.button("Show in the text").clicked() {
            out.push(Command::GoTo(place));
        }
        ui.label(RichText::new(&sheet.columns[at.1].words).weak());
    }
}

/// Values that fit what is typed; all of them where the text has just been taken up.
fn offered(sheet: &Sheet, column: usize, typed: &str, all: bool) -> Vec<String> {
    let CellKind::Choice { values, .. } = &sheet.columns[column].kind else {
        return Vec::new();
    };
    let wanted = typed.to_lowercase();
    let fits = |value: &&String| all || value.to_lowercase().contains(&wanted);
    let mut found: Vec<String> = values
        .iter()
        .filter(fits)
        .take(OFFERED_MAX)
        .cloned()
        .collect();
    // What begins so comes first, what is meant already as the very first.
    found.sort_by_key(|value| (value != typed, !value.to_lowercase().starts_with(&wanted)));
    found
}

/// Red where something is wrong, with a sign; accented where an overlay says so.
fn coloured(cell: &Cell, colours: &theme::Colours) -> (String, egui::Color32) {
    if cell.problem.is_some() {
        (format!("▲ {}", cell.text), colours.error)
    } else if cell.below.is_some() {
        (cell.text.clone(), colours.accent)
    } else {
        (cell.text.clone(), colours.ink)
    }
}
