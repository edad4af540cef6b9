//! A board, painted from its display list: moved by dragging, made larger by scrolling; what can be answered glows.

mod paint;

use crate::board::{Palette, Point, Rect as BoardRect, Scene, Shape, Subject};
use crate::window::theme;
use egui::emath::TSTransform;
use egui::{Color32, Id, Pos2, Rect, Role, Sense, Ui, Vec2, WidgetInfo, pos2, vec2};
use paint::Brush;
use std::collections::BTreeSet;

const ZOOM_MIN: f32 = 0.15;
const ZOOM_MAX: f32 = 12.0;
/// How much a step of the wheel enlarges.
const ZOOM_SPEED: f32 = 0.003;
/// Space around the board when it is fitted.
const EDGE: f32 = 8.0;

/// Where the board lies on the screen.
#[derive(Default)]
pub struct CanvasView {
    /// From board to the canvas' own corner; none: the board fills the canvas.
    place: Option<TSTransform>,
}

/// What is to be shown of a board.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    pub scene: &'a Scene,
    /// What can be chosen.
    pub choices: &'a BTreeSet<Subject>,
    /// What has been chosen so far, or is meant by the answer under the pointer.
    pub meant: &'a BTreeSet<Subject>,
}

/// What happened in a frame.
#[derive(Default)]
pub struct CanvasAnswer {
    /// What was clicked, topmost first.
    pub clicked: Vec<Subject>,
    /// What lies under the pointer, topmost first.
    pub hovered: Vec<Subject>,
}

impl CanvasView {
    /// Lets the board fill the canvas.
    pub fn fit(&mut self) {
        self.place = None;
    }

    pub fn show_ui(&mut self, ui: &mut Ui, shown: Shown) -> CanvasAnswer {
        let (area, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Board"));
        let place = self.moved(ui, area, &response, shown.scene);
        let painter = ui.painter_at(area);
        let palette = if ui.visuals().dark_mode {
            Palette::dark()
        } else {
            Palette::light()
        };
        let brush = Brush {
            painter: &painter,
            place,
            palette: &palette,
        };
        for shape in &shown.scene.shapes {
            brush.shape(shape);
        }
        let colours = theme::colours(ui.style());
        let mut answer = CanvasAnswer::default();
        if let Some(pointer) = response.hover_pos() {
            answer.hovered = shown.scene.at(on_board(place, pointer));
        }
        for shape in glowing(shown.scene, shown.choices) {
            brush.outline(shape, colours.glow, 2.0);
            if let Some(subject) = chosen_by(ui, response.id, place, shape, shown.choices) {
                answer.clicked = vec![subject];
            }
        }
        for shape in glowing(shown.scene, shown.meant) {
            brush.outline(shape, colours.accent, 3.5);
        }
        if response.clicked()
            && let Some(pointer) = response.interact_pointer_pos()
        {
            answer.clicked = shown.scene.at(on_board(place, pointer));
        }
        if answer
            .hovered
            .iter()
            .any(|subject| shown.choices.contains(subject))
        {
            ui.set_cursor_icon(egui::CursorIcon::PointingHand);
        }
        answer
    }

    /// Drags and scrolls; from board to screen.
    fn moved(
        &mut self,
        ui: &Ui,
        area: Rect,
        response: &egui::Response,
        scene: &Scene,
    ) -> TSTransform {
        let corner = TSTransform::from_translation(area.min.to_vec2());
        let mut place = corner * self.place.unwrap_or_else(|| fitted(area.size(), scene));
        if response.double_clicked() {
            self.place = None;
            return corner * fitted(area.size(), scene);
        }
        let mut touched = response.dragged();
        place.translation += response.drag_delta();
        if let Some(pointer) = response.hover_pos() {
            let (scroll, pinch) =
                ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
            let wanted = place.scaling * pinch * (scroll * ZOOM_SPEED).exp();
            let factor = wanted.clamp(ZOOM_MIN, ZOOM_MAX) / place.scaling;
            if (factor - 1.0).abs() > f32::EPSILON {
                touched = true;
                let away = pointer.to_vec2();
                place = TSTransform::from_translation(away)
                    * TSTransform::from_scaling(factor)
                    * TSTransform::from_translation(-away)
                    * place;
            }
        }
        if touched {
            self.place = Some(corner.inverse() * place);
        }
        place
    }
}

/// The whole board in the middle of the canvas.
fn fitted(canvas: Vec2, scene: &Scene) -> TSTransform {
    let size = vec2(scene.size.width.max(1.0), scene.size.height.max(1.0));
    let room = (canvas - Vec2::splat(2.0 * EDGE)).max(Vec2::splat(1.0));
    let scaling = (room / size).min_elem();
    let translation = (canvas - size * scaling) / 2.0;
    TSTransform::new(translation, scaling)
}

fn on_board(place: TSTransform, point: Pos2) -> Point {
    let point = place.inverse() * point;
    Point::new(point.x, point.y)
}

fn on_screen(place: TSTransform, rect: BoardRect) -> Rect {
    let (min, max) = (pos2(rect.x, rect.y), pos2(rect.right(), rect.bottom()));
    Rect::from_min_max(place * min, place * max)
}

/// The shapes that stand for something before all else.
fn glowing<'s>(scene: &'s Scene, wanted: &'s BTreeSet<Subject>) -> impl Iterator<Item = &'s Shape> {
    scene.shapes.iter().filter(|shape| {
        let first = shape.subjects.first();
        first.is_some_and(|subject| wanted.contains(subject))
    })
}

/// A name for the shape, so that it can be chosen without seeing it; what it stands for, if that was done.
fn chosen_by(
    ui: &Ui,
    canvas: Id,
    place: TSTransform,
    shape: &Shape,
    choices: &BTreeSet<Subject>,
) -> Option<Subject> {
    let subject = *shape
        .subjects
        .iter()
        .find(|subject| choices.contains(subject))?;
    if shape.name.is_empty() {
        return None;
    }
    let area = on_screen(place, shape.bounds());
    let id = canvas.with((subject, area.min.x as i32, area.min.y as i32));
    let response = ui.interact(area, id, Sense::focusable_noninteractive());
    let name = shape.name.clone();
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    let asked =
        ui.input(|input| input.has_accesskit_action_request(id, egui::accesskit::Action::Click));
    asked.then_some(subject)
}

/// Half of what is seen through.
fn faint(colour: Color32) -> Color32 {
    colour.gamma_multiply(0.35)
}
