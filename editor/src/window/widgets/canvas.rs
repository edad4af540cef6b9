//! A board, painted from its display list: moved by dragging, made larger by scrolling; what can be answered glows.

mod bars;
mod paint;
mod textures;

use crate::board::{Palette, Point, Rect as BoardRect, Scene, Shape, Subject};
use crate::window::theme;
use egui::emath::TSTransform;
use egui::{
    Color32, EventFilter, Key, Modifiers, Pos2, Rect, Response, Role, Sense, Ui, Vec2, WidgetInfo,
    pos2, vec2,
};
use paint::Brush;
use std::collections::BTreeSet;

const ZOOM_MIN: f32 = 0.15;
const ZOOM_MAX: f32 = 12.0;
/// How much a key enlarges.
pub const ZOOM_STEP: f32 = 1.25;
/// How far a key moves the board, in points.
const PAN_STEP: f32 = 60.0;
/// How much a step of the wheel enlarges.
const ZOOM_SPEED: f32 = 0.003;
/// Space around the board when it is fitted.
pub const EDGE: f32 = 8.0;

/// What a board has of a small screen, until it is known.
const ROOM: (f32, f32) = (820.0, 640.0);

/// Where the board lies on the screen.
pub struct CanvasView {
    /// From board to the canvas' own corner; none: the board fills the canvas.
    place: Option<TSTransform>,
    /// How many times larger it is to become.
    wanted_zoom: f32,
    /// A part that is to fill the canvas.
    wanted_part: Option<BoardRect>,
    /// What is to be seen of a board that is looked at in parts.
    wanted_sight: Option<BoardRect>,
    /// How many points a board unit has at least where the board is fitted; a board that is larger then is looked at in parts.
    least: f32,
    /// What is dragged over the board, and where on it that was pressed.
    held: Option<(Vec<usize>, Point)>,
    /// The size of the canvas, and that of the board, as they were last.
    room: Vec2,
    board: Vec2,
}

impl Default for CanvasView {
    fn default() -> CanvasView {
        CanvasView {
            place: None,
            wanted_zoom: 1.0,
            wanted_part: None,
            wanted_sight: None,
            least: 0.0,
            held: None,
            room: vec2(ROOM.0, ROOM.1),
            board: Vec2::ZERO,
        }
    }
}

/// Shapes that stand out, by their numbers in the scene.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// What can be chosen.
    pub choices: BTreeSet<usize>,
    /// What could be chosen before anything was begun: it can be dragged.
    pub starts: BTreeSet<usize>,
    /// What is meant by the answer under the pointer.
    pub meant: BTreeSet<usize>,
    /// What has been chosen so far.
    pub chosen: BTreeSet<usize>,
    /// What others have changed.
    pub recent: BTreeSet<usize>,
    /// What a hint would answer.
    pub advised: BTreeSet<usize>,
}

impl Marks {
    /// How many things of a scene can be chosen; a thing may have many shapes.
    pub fn things(&self, scene: &Scene) -> usize {
        let shapes = self.choices.iter().filter_map(|at| scene.shapes.get(*at));
        let things: BTreeSet<&Subject> = shapes.filter_map(|one| one.subjects.first()).collect();
        things.len()
    }

    /// Whether so many can be chosen that only what is pointed at glows: all of them would say nothing.
    pub fn are_too_many(&self, scene: &Scene) -> bool {
        self.things(scene) > GLOW_MAX
    }
}

static NO_MARKS: Marks = Marks {
    choices: BTreeSet::new(),
    starts: BTreeSet::new(),
    meant: BTreeSet::new(),
    chosen: BTreeSet::new(),
    recent: BTreeSet::new(),
    advised: BTreeSet::new(),
};

/// More things that can be chosen than these are only outlined, and of more than those only what is pointed at.
const CALM_MAX: usize = 16;
const GLOW_MAX: usize = 48;

/// What is to be shown of a board.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    pub scene: &'a Scene,
    /// What is painted in its place, and which of its shapes are other ones: how it would look.
    pub instead: Option<(&'a Scene, &'a [usize])>,
    pub marks: &'a Marks,
    /// A line over the board: the way of a walk that is being made.
    pub path: &'a [Point],
    /// What is dragged moves instead of the board.
    pub holds: bool,
}

impl<'a> Shown<'a> {
    /// Only to be looked at.
    pub fn still(scene: &'a Scene) -> Shown<'a> {
        Shown {
            scene,
            instead: None,
            marks: &NO_MARKS,
            path: &[],
            holds: false,
        }
    }
}

/// What happened in a frame.
pub struct CanvasAnswer {
    pub response: Response,
    /// From board to screen.
    pub place: TSTransform,
    /// The shapes that were clicked, topmost first; none: nothing was.
    pub clicked: Option<Vec<usize>>,
    /// Where the pointer is on the board.
    pub pointer: Option<Point>,
    /// The shapes under it that stand for something, topmost first.
    pub hovered: Vec<usize>,
    /// What begins to be dragged: the shapes at the place where it was pressed, of which something can be chosen.
    pub grabbed: Option<Vec<usize>>,
    /// What was dragged, and what lies where it was let go.
    pub dropped: Option<(Vec<usize>, Vec<usize>)>,
}

impl CanvasView {
    /// How much room the board has.
    pub fn room(&self) -> Vec2 {
        self.room
    }

    /// Lets the board fill the canvas; one that is looked at in parts is seen whole, and in parts again the next time.
    pub fn fit(&mut self) {
        let whole = fitted(self.room, self.board, 0.0);
        self.place = match self.place {
            Some(place) if place == whole => None,
            _ if self.is_parted() => Some(whole),
            _ => None,
        };
    }

    /// How many points a board unit has at least where the board is fitted.
    pub fn keep_readable(&mut self, least: Option<f32>) {
        self.least = least.unwrap_or(0.0);
    }

    /// Whether the board has to be looked at in parts, as it is fitted.
    fn is_parted(&self) -> bool {
        self.least > fitted(self.room, self.board, 0.0).scaling
    }

    /// Moves a board that is looked at in parts until this is seen.
    pub fn bring_to_sight(&mut self, part: BoardRect) {
        self.wanted_sight = Some(part);
    }

    /// Whether any of these parts of a board is seen, all of it; of a board that is not looked at in parts all is.
    pub fn sees_any(&mut self, scene: &Scene, mut parts: impl Iterator<Item = BoardRect>) -> bool {
        self.board = size_of(scene);
        let place = self.place.unwrap_or_else(|| self.fitted());
        let canvas = Rect::from_min_size(Pos2::ZERO, self.room);
        !self.is_parted() || parts.any(|part| canvas.contains_rect(on_screen(place, part)))
    }

    fn fitted(&self) -> TSTransform {
        fitted(self.room, self.board, self.least)
    }

    pub fn show_ui(&mut self, ui: &mut Ui, shown: Shown) -> CanvasAnswer {
        let (area, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
        if area.size() != self.room {
            self.room = area.size();
            // Perhaps the panels are to be put together anew.
            ui.ctx().request_repaint();
        }
        response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Board"));
        self.board = size_of(shown.scene);
        if self.is_parted() {
            self.bars_ui(ui, area);
        }
        let place = self.moved(ui, area, &response, shown);
        let painter = ui.painter_at(area);
        let palette = palette(ui);
        let brush = Brush {
            painter: &painter,
            place,
            palette: &palette,
        };
        let painted = shown.instead.map_or(shown.scene, |(scene, _)| scene);
        for shape in &painted.shapes {
            brush.shape(shape);
        }
        let pointer = response.hover_pos().map(|at| on_board(place, at));
        let hovered = pointer.map_or_else(Vec::new, |at| shown.scene.shapes_at(at));
        let mut answer = CanvasAnswer {
            place,
            clicked: None,
            pointer,
            hovered,
            grabbed: None,
            dropped: None,
            response: response.clone(),
        };
        if response.drag_started() {
            answer.grabbed = self.held.as_ref().map(|(shapes, _)| shapes.clone());
        }
        marks_ui(ui, &brush, shown, &mut answer);
        let dragged = response.interact_pointer_pos();
        let dragged = dragged.map(|at| on_board(place, at));
        if let (Some((shapes, from)), Some(to)) = (&self.held, dragged) {
            let by = Point::new(to.x - from.x, to.y - from.y);
            let held = shapes.first().and_then(|at| shown.scene.shapes.get(*at));
            if let Some(shape) = held {
                brush.shape(&shape.clone().moved(1.0, by));
            }
        }
        if response.drag_stopped() || !response.dragged() {
            let held = self.held.take().filter(|_| response.drag_stopped());
            let to = dragged.map(|at| shown.scene.shapes_at(at));
            answer.dropped = held.and_then(|(shapes, _)| Some((shapes, to?)));
        }
        let colours = theme::colours(ui.style());
        brush.path(shown.path, colours.accent, colours.card);
        if self.is_parted() {
            self.paint_bars(ui, area);
        }
        if response.clicked()
            && let Some(at) = response.interact_pointer_pos()
        {
            response.request_focus();
            answer.clicked = Some(shown.scene.shapes_at(on_board(place, at)));
        }
        let choices = &shown.marks.choices;
        if answer.hovered.iter().any(|at| choices.contains(at)) {
            ui.set_cursor_icon(egui::CursorIcon::PointingHand);
        }
        answer
    }

    /// Lets a part of the board fill the canvas; the whole board, if a part does so already.
    pub fn enlarge(&mut self, part: BoardRect) {
        match self.place {
            None => self.wanted_part = Some(part),
            Some(_) => self.place = None,
        }
    }

    /// Makes the board so many times larger, around the middle of the canvas.
    pub fn zoom(&mut self, factor: f32) {
        self.wanted_zoom *= factor;
    }

    /// Drags, scrolls and keys; from board to screen.
    fn moved(&mut self, ui: &Ui, area: Rect, response: &Response, shown: Shown) -> TSTransform {
        let corner = TSTransform::from_translation(area.min.to_vec2());
        let fitted = self.fitted();
        if let Some(part) = self.wanted_part.take() {
            let large = fitted_part(area.size(), part);
            self.place = Some(large);
            return corner * large;
        }
        let before = self.place.unwrap_or(fitted);
        let mut place = corner * before;
        if response.double_clicked() {
            self.fit();
            return corner * self.place.unwrap_or(fitted);
        }
        if response.drag_started() {
            self.held = held(ui, place, shown);
        }
        if !shown.holds && self.held.is_none() {
            place.translation += response.drag_delta();
        }
        let keys = pressed(ui, response);
        if keys.fit {
            self.fit();
            return corner * self.place.unwrap_or(fitted);
        }
        place.translation += keys.pan;
        let factor = std::mem::replace(&mut self.wanted_zoom, 1.0) * keys.zoom;
        place = zoomed(place, factor, area.center());
        if let Some(pointer) = response.hover_pos() {
            let (scroll, pinch) =
                ui.input(|input| (input.smooth_scroll_delta(), input.zoom_delta()));
            // Where there are bars the wheel moves them.
            let larger = match self.is_parted() {
                true => pinch,
                false => pinch * (scroll.y * ZOOM_SPEED).exp(),
            };
            if self.is_parted() {
                let inside = scrolled(corner.inverse() * place, area.size(), self.board, scroll);
                place = corner * inside;
            }
            place = zoomed(place, larger, pointer);
        }
        if let Some(part) = self.wanted_sight.take().filter(|_| self.is_parted()) {
            place = corner * seeing(corner.inverse() * place, area.size(), part);
        }
        let mut after = corner.inverse() * place;
        // What was moved for something that lay beside the board, and is gone, lies where it fits again.
        if self.is_parted() && after.scaling == fitted.scaling && !response.dragged() {
            for axis in 0..2 {
                if self.board[axis] * after.scaling + 2.0 * EDGE <= area.size()[axis] {
                    after.translation[axis] = fitted.translation[axis];
                }
            }
            place = corner * after;
        }
        if after != before {
            self.place = Some(after);
        }
        place
    }
}

fn size_of(scene: &Scene) -> Vec2 {
    vec2(scene.size.width, scene.size.height)
}

/// What is dragged from where the pointer was pressed: something that can be chosen, if such lies there.
fn held(ui: &Ui, place: TSTransform, shown: Shown) -> Option<(Vec<usize>, Point)> {
    let pressed = ui.input(|input| input.pointer.press_origin())?;
    let at = on_board(place, pressed);
    let shapes = shown.scene.shapes_at(at);
    let starts = &shown.marks.starts;
    let from = shapes.iter().position(|shape| starts.contains(shape))?;
    Some((shapes[from..].to_vec(), at))
}

/// What the keys want while the board has the focus.
struct Keys {
    zoom: f32,
    pan: Vec2,
    fit: bool,
}

fn pressed(ui: &Ui, response: &Response) -> Keys {
    let mut keys = Keys {
        zoom: 1.0,
        pan: Vec2::ZERO,
        fit: false,
    };
    if !response.has_focus() {
        return keys;
    }
    ui.memory_mut(|memory| {
        let arrows = EventFilter {
            horizontal_arrows: true,
            vertical_arrows: true,
            ..EventFilter::default()
        };
        memory.set_focus_lock_filter(response.id, arrows);
    });
    ui.input_mut(|input| {
        let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
        for (key, way) in [
            (Key::ArrowLeft, Vec2::RIGHT),
            (Key::ArrowRight, Vec2::LEFT),
            (Key::ArrowUp, Vec2::DOWN),
            (Key::ArrowDown, Vec2::UP),
        ] {
            if pressed(key) {
                keys.pan += way * PAN_STEP;
            }
        }
        if pressed(Key::Plus) || pressed(Key::Equals) {
            keys.zoom *= ZOOM_STEP;
        }
        if pressed(Key::Minus) {
            keys.zoom /= ZOOM_STEP;
        }
        keys.fit = pressed(Key::Num0) || pressed(Key::Home);
    });
    keys
}

/// A board that is only looked at, in the middle of an area.
pub fn picture_ui(ui: &Ui, area: Rect, scene: &Scene) {
    let size = vec2(scene.size.width.max(1.0), scene.size.height.max(1.0));
    let scaling = (area.size() / size).min_elem();
    let corner = area.center() - size * scaling / 2.0;
    let place = TSTransform::new(corner.to_vec2(), scaling);
    shapes_ui(ui, area, place, scene.shapes.iter());
}

/// A part of a board, as large as an area.
pub fn part_ui(ui: &Ui, area: Rect, scene: &Scene, part: BoardRect) {
    let scaling = area.width() / part.width.max(1.0);
    let corner = area.min - vec2(part.x, part.y) * scaling;
    let place = TSTransform::new(corner.to_vec2(), scaling);
    let shapes = scene.shapes.iter();
    let shapes = shapes.filter(|shape| shape.bounds().overlaps(part));
    shapes_ui(ui, area, place, shapes);
}

/// Draws inside an area what lies there by `place`.
fn shapes_ui<'a>(ui: &Ui, area: Rect, place: TSTransform, shapes: impl Iterator<Item = &'a Shape>) {
    let brush = Brush {
        painter: &ui.painter_at(area),
        place,
        palette: &palette(ui),
    };
    shapes.for_each(|shape| brush.shape(shape));
}

fn palette(ui: &Ui) -> Palette {
    match ui.visuals().dark_mode {
        true => Palette::dark(),
        false => Palette::light(),
    }
}

/// Made larger around a point of the screen.
fn zoomed(place: TSTransform, factor: f32, around: Pos2) -> TSTransform {
    let wanted = (place.scaling * factor).clamp(ZOOM_MIN, ZOOM_MAX);
    let factor = wanted / place.scaling;
    if (factor - 1.0).abs() <= f32::EPSILON {
        return place;
    }
    let away = around.to_vec2();
    TSTransform::from_translation(away)
        * TSTransform::from_scaling(factor)
        * TSTransform::from_translation(-away)
        * place
}

/// The whole board, at the upper edge: what grows below does not move what lies above. Never smaller than `least`.
fn fitted(canvas: Vec2, size: Vec2, least: f32) -> TSTransform {
    let size = size.max(Vec2::splat(1.0));
    let room = (canvas - Vec2::splat(2.0 * EDGE)).max(Vec2::splat(1.0));
    let scaling = (room / size).min_elem().max(least);
    let beside = ((canvas.x - size.x * scaling) / 2.0).max(EDGE);
    TSTransform::new(vec2(beside, EDGE), scaling)
}

/// Moved by the wheel, as far as there is more to be seen on that side.
fn scrolled(mut place: TSTransform, canvas: Vec2, board: Vec2, by: Vec2) -> TSTransform {
    let beyond = canvas - board * place.scaling - Vec2::splat(EDGE);
    for axis in 0..2 {
        let now = place.translation[axis];
        let (low, high) = (beyond[axis].min(now), EDGE.max(now));
        place.translation[axis] = (now + by[axis]).clamp(low, high);
    }
    place
}

/// Moved as little as lets a part be seen.
fn seeing(mut place: TSTransform, canvas: Vec2, part: BoardRect) -> TSTransform {
    let part = on_screen(place, part).expand(EDGE);
    for axis in 0..2 {
        let (low, high) = (part.min[axis], part.max[axis]);
        place.translation[axis] += match low < 0.0 {
            true => -low,
            // What is larger than the canvas is seen from its beginning.
            false => (canvas[axis] - high).min(0.0).max(-low),
        };
    }
    place
}

/// A part of the board, at the upper edge.
fn fitted_part(canvas: Vec2, part: BoardRect) -> TSTransform {
    let fitted = fitted(canvas, vec2(part.width, part.height), 0.0);
    fitted * TSTransform::from_translation(-vec2(part.x, part.y))
}

pub fn on_board(place: TSTransform, point: Pos2) -> Point {
    let point = place.inverse() * point;
    Point::new(point.x, point.y)
}

pub fn on_screen(place: TSTransform, rect: BoardRect) -> Rect {
    let (min, max) = (pos2(rect.x, rect.y), pos2(rect.right(), rect.bottom()));
    Rect::from_min_max(place * min, place * max)
}

/// Draws what stands out. What can be chosen has a name, so that it can be chosen without seeing it.
fn marks_ui(ui: &Ui, brush: &Brush, shown: Shown, answer: &mut CanvasAnswer) {
    let colours = theme::colours(ui.style());
    let (marks, scene) = (shown.marks, shown.scene);
    let shape = |at: &usize| scene.shapes.get(*at);
    if let Some((instead, others)) = shown.instead {
        // Marks are of what is there; here stands out what would come.
        for at in others {
            if let Some(shape) = instead.shapes.get(*at) {
                brush.outline(shape, colours.accent, 2.5);
            }
        }
        for at in &marks.choices {
            if shape(at).is_some_and(|shape| chosen_by(ui, answer, shape)) {
                answer.clicked = Some(vec![*at]);
            }
        }
        return;
    }
    for recent in marks.recent.iter().filter_map(shape) {
        brush.recent(recent, colours.accent);
    }
    let first = |at: &usize| shape(at).and_then(|shape| shape.subjects.first());
    let things = marks.things(scene);
    let (calm, hushed) = (things > CALM_MAX, marks.are_too_many(scene));
    let pointed = answer.hovered.iter().find(|at| marks.choices.contains(at));
    let pointed = pointed.and_then(first);
    for at in &marks.choices {
        let Some(shape) = shape(at) else { continue };
        // A thing of many shapes glows as one.
        match calm && (pointed.is_none() || first(at) != pointed) {
            true if hushed => {}
            true => brush.outline(shape, colours.glow, 1.6),
            false => brush.glow(shape, colours.glow, colours.card),
        }
        if chosen_by(ui, answer, shape) {
            answer.clicked = Some(vec![*at]);
        }
    }
    for advised in marks.advised.iter().filter_map(shape) {
        brush.outline(advised, colours.glow, 5.0);
    }
    for chosen in marks.chosen.union(&marks.meant).filter_map(shape) {
        brush.outline(chosen, colours.accent, 3.5);
    }
}

/// A name for the shape; whether it was chosen by it.
fn chosen_by(ui: &Ui, answer: &CanvasAnswer, shape: &Shape) -> bool {
    let Some(subject) = shape.subjects.first().filter(|_| !shape.name.is_empty()) else {
        return false;
    };
    let area = on_screen(answer.place, shape.bounds());
    let canvas = answer.response.id;
    let id = canvas.with((subject, area.min.x as i32, area.min.y as i32));
    let response = ui.interact(area, id, Sense::focusable_noninteractive());
    let name = shape.name.clone();
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    ui.input(|input| input.has_accesskit_action_request(id, egui::accesskit::Action::Click))
}

/// Half of what is seen through.
fn faint(colour: Color32) -> Color32 {
    colour.gamma_multiply(0.35)
}
