//! Designing on the board: what has a place of its own is dragged, spaces are joined, labels written.

use super::{BoardView, Drawn};
use crate::board::{Handle, Join, Point, Rect as BoardRect, Scene, Spot};
use crate::window::panels::row::Purpose;
use crate::window::widgets::canvas::{CanvasAnswer, Shown, on_board, on_screen};
use crate::window::{Command, theme};
use crate::workshop::design::Drawing;
use egui::{
    Align2, DragValue, FontId, Painter, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2,
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
    /// What was clicked last, and its label as it is typed.
    chosen: Option<([Spot; 2], String)>,
}

impl Default for Design {
    fn default() -> Design {
        Design {
            snap: SNAP,
            tool: Tool::default(),
            held: None,
            over: false,
            chosen: None,
        }
    }
}

impl BoardView {
    pub(super) fn design_ui(&mut self, ui: &mut Ui, out: &mut Vec<Command>) {
        let Some(drawn) = &self.drawn else { return };
        let design = &mut self.design;
        design.tools_ui(ui, drawn);
        design.label_ui(ui, &drawn.scene, out);
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
            ui.weak("Click a thing to change its label.");
        });
    }

    /// The label of what was clicked last.
    fn label_ui(&mut self, ui: &mut Ui, scene: &Scene, out: &mut Vec<Command>) {
        let Some((spots, typed)) = &mut self.chosen else {
            return;
        };
        let Some(handle) = scene.handles.iter().find(|one| one.spots == *spots) else {
            self.chosen = None;
            return;
        };
        ui.horizontal(|ui| {
            ui.strong(&handle.name);
            ui.weak(format!("at {}, {}", handle.at.0, handle.at.1));
            let Some((now, spot)) = &handle.label else {
                ui.weak("It has no label that is a column of its own.");
                return;
            };
            let label = ui.label("Label");
            let field = ui.text_edit_singleline(typed).labelled_by(label.id);
            if field.lost_focus() && typed != now {
                let values = vec![(spot.clone(), typed.clone())];
                let drawing = Drawing::Write(format!("label of {}", handle.name), values);
                out.push(Command::Draw(drawing));
            }
        });
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
            self.chosen = under.map(|at| {
                let label = handles[at].label.as_ref();
                let text = label.map_or_else(String::new, |(text, _)| text.clone());
                (handles[at].spots.clone(), text)
            });
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
                if to != handle.at {
                    let [x, y] = handle.spots.clone();
                    let values = vec![(x, to.0.to_string()), (y, to.1.to_string())];
                    let drawing = Drawing::Write(format!("move {}", handle.name), values);
                    out.push(Command::Draw(drawing));
                }
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
        let chosen = self.chosen.as_ref().map(|(spots, _)| spots);
        for (at, handle) in scene.handles.iter().enumerate() {
            named(ui, answer, at, handle);
            let width = if chosen == Some(&handle.spots) {
                3.0
            } else {
                1.0
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
