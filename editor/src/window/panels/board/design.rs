//! Designing on the board: what has a place of its own is dragged, spaces are joined, labels written.

use super::{BoardView, Drawn};
use crate::board::{Handle, Join, Point, Rect as BoardRect, Scene, Spot};
use crate::window::panels::row::Purpose;
use crate::window::widgets::canvas::{CanvasAnswer, Shown, on_board, on_screen};
use crate::window::{Command, theme};
use crate::workshop::design::Drawing;
use egui::{
    Align2, DragValue, FontId, Key, Modifiers, Painter, Role, Sense, Stroke, StrokeKind, Ui,
    WidgetInfo, pos2,
};

/// How near to a thing is near enough to take it, in board units.
const NEAR: f32 = 4.0;
/// Steps of places, as they are written, that a drag keeps to.
const SNAP: i32 = 5;
const SNAP_MAX: i32 = 100;

/// What a drag or a click does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Tool {
    #[default]
    Move,
    /// A drag joins spaces, by the number of the table.
    Join(usize),
    /// A click puts one more row of a table there.
    Put(String),
}

/// What the panel remembers of designing.
pub struct Design {
    snap: i32,
    tool: Tool,
    /// What is dragged, and from where on the board.
    held: Option<(usize, Point)>,
    /// The pointer is on something that can be dragged.
    over: bool,
    /// What is chosen, by where its place is written; the last one was clicked last.
    chosen: Vec<[Spot; 2]>,
    /// The label of the last one, as it is typed.
    label: String,
}

impl Default for Design {
    fn default() -> Design {
        Design {
            snap: SNAP,
            tool: Tool::default(),
            held: None,
            over: false,
            chosen: Vec::new(),
            label: String::new(),
        }
    }
}

/// How things that are chosen are put in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// One below the other: all where the last one is.
    Column,
    /// Beside one another: all where the last one is.
    Row,
    /// From the first to the last, equally far apart.
    Across,
    Down,
}

const ORDERS: [(Order, &str, &str); 4] = [
    (
        Order::Column,
        "Same column",
        "All as far to the right as the last one",
    ),
    (Order::Row, "Same row", "All as far down as the last one"),
    (
        Order::Across,
        "Spread across",
        "Equally far apart, between the leftmost and the rightmost",
    ),
    (
        Order::Down,
        "Spread down",
        "Equally far apart, between the uppermost and the lowest",
    ),
];

impl BoardView {
    pub(super) fn design_ui(&mut self, ui: &mut Ui, out: &mut Vec<Command>) {
        let Some(drawn) = &self.drawn else { return };
        let design = &mut self.design;
        design.tools_ui(ui, drawn);
        let handles = &drawn.scene.handles;
        design
            .chosen
            .retain(|spots| handles.iter().any(|one| one.spots == *spots));
        design.keys(ui, handles, out);
        design.chosen_ui(ui, handles, out);
        let shown = Shown {
            holds: design.over || design.held.is_some(),
            ..Shown::still(&drawn.scene)
        };
        let answer = self.canvas.show_ui(ui, shown);
        design.follow(&answer, drawn, out);
        design.marks_ui(ui, &answer, &drawn.scene);
    }
}

impl Design {
    fn tools_ui(&mut self, ui: &mut Ui, drawn: &Drawn) {
        ui.horizontal_wrapped(|ui| {
            ui.selectable_value(&mut self.tool, Tool::Move, "Move")
                .on_hover_text("Drag a thing to another place; its place is written into the file");
            for (at, join) in drawn.joins.iter().enumerate() {
                let name = format!("Draw a {}", join.table.replace('_', " "));
                ui.selectable_value(&mut self.tool, Tool::Join(at), name)
                    .on_hover_text(
                        "Drag from one space to another: a row is added that joins them",
                    );
            }
            for table in placed(&drawn.scene.handles) {
                let name = format!("Put a {}", table.replace('_', " "));
                ui.selectable_value(&mut self.tool, Tool::Put(table), name)
                    .on_hover_text("Click where it is to lie: a row is added with this place");
            }
            let label = ui.label("Snap to");
            let field = DragValue::new(&mut self.snap).range(1..=SNAP_MAX);
            ui.add(field).labelled_by(label.id);
            ui.weak("A click chooses a thing, with Shift one more; arrows move what is chosen.");
        });
    }

    /// What can be done with what is chosen. Always of one height, so that the board stays where it is.
    fn chosen_ui(&mut self, ui: &mut Ui, handles: &[Handle], out: &mut Vec<Command>) {
        let all = self.chosen_of(handles);
        let size = egui::vec2(ui.available_width(), theme::ROW);
        let (area, _) = ui.allocate_exact_size(size, Sense::hover());
        let mut row = ui.new_child(egui::UiBuilder::new().max_rect(area));
        row.horizontal(|ui| match all.as_slice() {
            [] => {
                ui.weak("Nothing is chosen.");
            }
            [handle] => self.one_ui(ui, handle, out),
            several => {
                ui.strong(format!("{} chosen", several.len()));
                for (order, name, told) in ORDERS {
                    if ui.button(name).on_hover_text(told).clicked() {
                        let label = format!("{}: {} things", name.to_lowercase(), several.len());
                        out.extend(moved(several, &ordered(several, order), label));
                    }
                }
            }
        });
    }

    /// Name, place, label and size of one thing.
    fn one_ui(&mut self, ui: &mut Ui, handle: &Handle, out: &mut Vec<Command>) {
        let write = |what: &str, values: Vec<(Spot, String)>| {
            Command::Draw(Drawing::Write(format!("{what} of {}", handle.name), values))
        };
        ui.strong(&handle.name);
        let names = ["Right", "Down"];
        let numbers = [handle.at.0, handle.at.1];
        for ((name, number), spot) in names.into_iter().zip(numbers).zip(&handle.spots) {
            if let Some(number) = number_ui(ui, name, number) {
                out.push(write("place", vec![(spot.clone(), number.to_string())]));
            }
        }
        let names: &[&str] = match handle.size.len() {
            1 => &["Size"],
            _ => &["Width", "Height"],
        };
        for (name, (number, spot)) in names.iter().zip(&handle.size) {
            let found = number_ui(ui, name, *number as i32).filter(|number| *number > 0);
            if let Some(number) = found {
                out.push(write("size", vec![(spot.clone(), number.to_string())]));
            }
        }
        if let Some((now, spot)) = &handle.label {
            let label = ui.label("Label");
            let field = ui
                .text_edit_singleline(&mut self.label)
                .labelled_by(label.id);
            if field.lost_focus() && self.label != *now {
                out.push(write("label", vec![(spot.clone(), self.label.clone())]));
            }
        }
    }

    /// The things that are chosen, the one that was clicked last behind the others.
    fn chosen_of<'h>(&self, handles: &'h [Handle]) -> Vec<&'h Handle> {
        let found = self.chosen.iter();
        let found = found.filter_map(|spots| handles.iter().find(|one| one.spots == *spots));
        found.collect()
    }

    /// Arrows move what is chosen by a step of the grid, Escape chooses nothing.
    fn keys(&mut self, ui: &Ui, handles: &[Handle], out: &mut Vec<Command>) {
        if self.chosen.is_empty() || ui.ctx().text_edit_focused() {
            return;
        }
        let steps = [
            (Key::ArrowLeft, (-1, 0)),
            (Key::ArrowRight, (1, 0)),
            (Key::ArrowUp, (0, -1)),
            (Key::ArrowDown, (0, 1)),
        ];
        for (key, (right, down)) in steps {
            if ui.input_mut(|input| input.consume_key(Modifiers::NONE, key)) {
                let all = self.chosen_of(handles);
                let to = |handle: &&Handle| {
                    (
                        handle.at.0 + right * self.snap,
                        handle.at.1 + down * self.snap,
                    )
                };
                let places: Vec<(i32, i32)> = all.iter().map(to).collect();
                out.extend(moved(&all, &places, named_of(&all)));
            }
        }
        if ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
            self.chosen.clear();
        }
    }

    /// Chooses what was clicked, alone or besides the others.
    fn choose(&mut self, handle: Option<&Handle>, besides: bool) {
        let Some(handle) = handle else {
            self.chosen.clear();
            return;
        };
        let known = self.chosen.iter().position(|spots| *spots == handle.spots);
        match (besides, known) {
            (true, Some(at)) => {
                self.chosen.remove(at);
            }
            (true, None) => self.chosen.push(handle.spots.clone()),
            (false, _) => self.chosen = vec![handle.spots.clone()],
        }
        let label = handle.label.as_ref();
        self.label = label.map_or_else(String::new, |(text, _)| text.clone());
    }

    /// Takes, drags, lets go.
    fn follow(&mut self, answer: &CanvasAnswer, drawn: &Drawn, out: &mut Vec<Command>) {
        let handles = &drawn.scene.handles;
        let under = answer
            .pointer
            .and_then(|pointer| handle_at(handles, pointer));
        self.over = under.is_some();
        if let (Tool::Put(table), true) = (&self.tool, answer.response.clicked()) {
            let put = answer.pointer.and_then(|at| self.put(table, handles, at));
            out.extend(put.map(Command::AskRow));
            return;
        }
        if answer.response.clicked() {
            let modifiers = answer.response.ctx.input(|input| input.modifiers);
            let besides = modifiers.shift || modifiers.command;
            self.choose(under.and_then(|at| handles.get(at)), besides);
        }
        if answer.response.drag_started() {
            // What was pressed, not what the pointer has come to since.
            let from = answer
                .response
                .ctx
                .input(|input| input.pointer.press_origin());
            let from = from.map(|from| on_board(answer.place, from));
            self.held = from.and_then(|from| Some((handle_at(handles, from)?, from)));
        }
        if !answer.response.drag_stopped() {
            return;
        }
        let (Some((at, from)), Some(pointer)) = (self.held.take(), answer.pointer) else {
            return;
        };
        let Some(handle) = handles.get(at) else {
            return;
        };
        let join = match self.tool {
            Tool::Join(at) => drawn.joins.get(at),
            Tool::Move | Tool::Put(_) => None,
        };
        match join {
            Some(join) => {
                let other = under.and_then(|under| handles.get(under));
                let row = joined(join, handle, other).map(Purpose::Join);
                out.extend(row.map(Command::AskRow));
            }
            None => {
                let to = self.snapped(handle, from, pointer);
                let by = (to.0 - handle.at.0, to.1 - handle.at.1);
                let chosen = self.chosen_of(handles);
                // Who drags one of several that are chosen drags all.
                let all = match chosen.iter().any(|one| one.spots == handle.spots) {
                    true => chosen,
                    false => vec![handle],
                };
                let places = all.iter().map(|one| (one.at.0 + by.0, one.at.1 + by.1));
                let places: Vec<(i32, i32)> = places.collect();
                out.extend(moved(&all, &places, named_of(&all)));
            }
        }
    }

    /// One more row of a table, written to lie where others of it would if they were there.
    fn put(&self, table: &str, handles: &[Handle], at: Point) -> Option<Purpose> {
        let own = handles
            .iter()
            .find(|handle| lies_by(handle) == Some(table))?;
        let (x, y) = self.snapped(own, own.rect.centre(), at);
        let columns = own.spots.iter().zip([x, y]);
        let place = columns.filter_map(|(spot, value)| match spot {
            Spot::Cell { column, .. } => Some((column.clone(), value.to_string())),
            Spot::Number(_) => None,
        });
        Some(Purpose::Put(table.to_owned(), place.collect()))
    }

    /// Where a thing would be written to lie.
    fn snapped(&self, handle: &Handle, from: Point, to: Point) -> (i32, i32) {
        let step = |at: i32, by: f32| {
            let wanted = at as f32 + by / handle.scale;
            let steps = (wanted / self.snap as f32).round() as i32;
            // Who does not move it that way leaves it where it is, on the grid or off.
            match by.abs() < handle.scale {
                true => at,
                false => steps * self.snap,
            }
        };
        (
            step(handle.at.0, to.x - from.x),
            step(handle.at.1, to.y - from.y),
        )
    }

    /// What can be taken, and where it would come to.
    fn marks_ui(&self, ui: &Ui, answer: &CanvasAnswer, scene: &Scene) {
        let painter = ui.painter_at(answer.response.rect);
        let colours = theme::colours(ui.style());
        let frame = |rect: BoardRect, stroke: Stroke| {
            let area = on_screen(answer.place, rect).expand(2.0);
            painter.rect_stroke(area, 3.0, stroke, StrokeKind::Outside);
        };
        for (at, handle) in scene.handles.iter().enumerate() {
            named(ui, answer, at, handle);
            let width = match self.chosen.contains(&handle.spots) {
                true => 3.0,
                false => 1.0,
            };
            frame(handle.rect, Stroke::new(width, colours.accent));
        }
        let Some((at, from)) = self.held else { return };
        let (Some(handle), Some(pointer)) = (scene.handles.get(at), answer.pointer) else {
            return;
        };
        let strong = Stroke::new(3.0, colours.glow);
        if matches!(self.tool, Tool::Join(_)) {
            let ends = [handle.rect.centre(), pointer];
            let ends = ends.map(|end| answer.place * pos2(end.x, end.y));
            painter.line_segment(ends, strong);
            return;
        }
        let to = self.snapped(handle, from, pointer);
        let by = |to: i32, at: i32| (to - at) as f32 * handle.scale;
        let mut rect = handle.rect;
        rect.x += by(to.0, handle.at.0);
        rect.y += by(to.1, handle.at.1);
        frame(rect, strong);
        let place = answer.place * pos2(rect.centre().x, rect.y);
        told(&painter, place, &format!("{}, {}", to.0, to.1), colours);
    }
}

/// A number that is written when it has its value.
fn number_ui(ui: &mut Ui, name: &str, now: i32) -> Option<i32> {
    let mut number = now;
    let label = ui.label(name);
    let field = ui.add(DragValue::new(&mut number).update_while_editing(false));
    let changed = field.labelled_by(label.id).changed();
    (changed && number != now).then_some(number)
}

/// What moving these things is called.
fn named_of(all: &[&Handle]) -> String {
    match all {
        [one] => format!("move {}", one.name),
        several => format!("move {} things", several.len()),
    }
}

/// Writes other places for things, in one step; none if all lie there.
fn moved(all: &[&Handle], places: &[(i32, i32)], label: String) -> Option<Command> {
    let mut values = Vec::new();
    for (handle, (x, y)) in all.iter().zip(places) {
        let [right, down] = &handle.spots;
        let numbers = [(right, *x, handle.at.0), (down, *y, handle.at.1)];
        let others = numbers.into_iter().filter(|(_, new, old)| new != old);
        values.extend(others.map(|(spot, new, _)| (spot.clone(), new.to_string())));
    }
    (!values.is_empty()).then_some(Command::Draw(Drawing::Write(label, values)))
}

/// Where things lie when they are put in order; the last one is the one that others follow.
fn ordered(all: &[&Handle], order: Order) -> Vec<(i32, i32)> {
    let Some(last) = all.last() else {
        return Vec::new();
    };
    let places = all.iter().map(|one| one.at);
    match order {
        Order::Column => places.map(|(_, y)| (last.at.0, y)).collect(),
        Order::Row => places.map(|(x, _)| (x, last.at.1)).collect(),
        Order::Across => {
            let across = spread(places.clone().map(|(x, _)| x).collect());
            across
                .into_iter()
                .zip(places)
                .map(|(x, (_, y))| (x, y))
                .collect()
        }
        Order::Down => {
            let down = spread(places.clone().map(|(_, y)| y).collect());
            down.into_iter()
                .zip(places)
                .map(|(y, (x, _))| (x, y))
                .collect()
        }
    }
}

/// Numbers equally far apart, in the order they have, between the least and the greatest.
fn spread(numbers: Vec<i32>) -> Vec<i32> {
    let mut places: Vec<(i32, usize)> = numbers.iter().copied().zip(0..).collect();
    places.sort_unstable();
    let mut found = numbers;
    if let (Some((from, _)), Some((to, _))) = (places.first().copied(), places.last().copied()) {
        let steps = (places.len() - 1).max(1) as i64;
        let (from, apart) = (i64::from(from), i64::from(to) - i64::from(from));
        for (step, (_, at)) in (0..).zip(places) {
            found[at] = (from + apart * step / steps) as i32;
        }
    }
    found
}

/// A name for what can be dragged, for who does not see it.
fn named(ui: &Ui, answer: &CanvasAnswer, at: usize, handle: &Handle) {
    let id = answer.response.id.with(("place", at));
    let area = on_screen(answer.place, handle.rect);
    let response = ui.interact(area, id, Sense::focusable_noninteractive());
    let name = format!("{} at {}, {}", handle.name, handle.at.0, handle.at.1);
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
}

fn told(painter: &Painter, at: egui::Pos2, text: &str, colours: &theme::Colours) {
    let font = FontId::proportional(14.0);
    let galley = painter.layout_no_wrap(text.to_owned(), font, colours.ink);
    let corner = Align2::CENTER_BOTTOM.anchor_size(at, galley.size()).min - egui::vec2(0.0, 6.0);
    let ground = egui::Rect::from_min_size(corner, galley.size()).expand(3.0);
    painter.rect_filled(ground, 3.0, colours.card);
    painter.galley(corner, galley, colours.ink);
}

/// The row that joins two different spaces of the table that the ends are rows of.
fn joined(join: &Join, from: &Handle, to: Option<&Handle>) -> Option<Drawing> {
    let ends = [row(from, join)?, row(to?, join)?];
    (ends[0] != ends[1]).then(|| Drawing::Join(join.clone(), ends, Vec::new()))
}

fn row(handle: &Handle, join: &Join) -> Option<String> {
    match &handle.spots[0] {
        Spot::Cell { table, row, .. } if *table == join.node => Some(row.clone()),
        _ => None,
    }
}

/// The table whose columns say where a thing lies.
fn lies_by(handle: &Handle) -> Option<&str> {
    match &handle.spots {
        [Spot::Cell { table, .. }, Spot::Cell { .. }] => Some(table),
        _ => None,
    }
}

/// Tables whose rows have places of their own.
fn placed(handles: &[Handle]) -> Vec<String> {
    let mut tables: Vec<String> = Vec::new();
    for table in handles.iter().filter_map(lies_by) {
        if !tables.iter().any(|known| known == table) {
            tables.push(table.to_owned());
        }
    }
    tables
}

/// The thing whose middle is nearest of those near enough.
fn handle_at(handles: &[Handle], point: Point) -> Option<usize> {
    let near = handles.iter().enumerate().filter(|(_, handle)| {
        let rect = handle.rect;
        let (width, height) = (rect.width + 2.0 * NEAR, rect.height + 2.0 * NEAR);
        BoardRect::around(rect.centre(), width, height).contains(point)
    });
    let distance = |handle: &Handle| handle.rect.centre().distance(point);
    let nearest = near.min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b)));
    nearest.map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn things_are_spread_in_their_order() {
        assert_eq!(spread(vec![90, 0, 20, 30]), [90, 0, 30, 60]);
        assert_eq!(spread(vec![7]), [7]);
        assert!(spread(Vec::new()).is_empty());
    }
}
