//! Shapes of the display list as shapes of the screen.

use super::{faint, textures};
use crate::board::{Anchor, Colour, Form, Palette, Pattern, Point, Rect, Shape, Text};
use dsl::source::Picture;
use egui::emath::{Rot2, TSTransform};
use egui::epaint::{Mesh, PathShape, PathStroke, TextShape};
use egui::{Align2, Color32, FontId, Painter, Pos2, Stroke, StrokeKind, Vec2, pos2, vec2};

/// Letters smaller than this on the screen are not drawn: dots say that something stands there.
const LETTER_MIN: f32 = 4.0;
/// Radius of these dots, and from one to the next.
const DOT: (f32, f32) = (0.9, 3.5);
/// Letters smaller than this are not made bold.
const BOLD_MIN: f32 = 15.0;
/// Letters are drawn so many times around themselves, to be read on anything.
const HALO: usize = 8;
/// Between the lines of a pattern, in board units.
const PATTERN_STEP: f32 = 5.0;
/// Corners of a circle that is filled with a pattern.
const CIRCLE_CORNERS: usize = 20;

/// Paints one board.
pub struct Brush<'a> {
    pub painter: &'a Painter,
    /// From board to screen.
    pub place: TSTransform,
    pub palette: &'a Palette,
}

impl Brush<'_> {
    pub fn shape(&self, shape: &Shape) {
        let unread = |height: f32| height * self.place.scaling < LETTER_MIN;
        if shape.letters.is_some_and(unread) {
            return;
        }
        let fill = shape
            .fill
            .map_or(Color32::TRANSPARENT, |colour| self.colour(colour));
        let stroke = shape.stroke.map_or(Stroke::NONE, |stroke| {
            Stroke::new(
                stroke.width * self.place.scaling,
                self.colour(stroke.colour),
            )
        });
        let dashed = shape.stroke.is_some_and(|stroke| stroke.dashed);
        match &shape.form {
            Form::Text(text) => self.text(text, fill),
            Form::Circle { centre, radius } => {
                self.painter
                    .circle(self.at(*centre), radius * self.place.scaling, fill, stroke);
            }
            Form::Rect { rect, corner, turn } if *turn == 0.0 && !dashed => {
                let area = super::on_screen(self.place, *rect);
                let corner = corner * self.place.scaling;
                self.painter
                    .rect(area, corner, fill, stroke, StrokeKind::Middle);
            }
            Form::Rect { .. } | Form::Polygon(_) => {
                let points = self.points(&outline(&shape.form));
                if dashed {
                    self.fill(points.clone(), fill);
                    self.dashes(closed(points), stroke);
                } else {
                    self.fill(points.clone(), fill);
                    let stroke = PathStroke::from(stroke);
                    self.painter.add(PathShape::closed_line(points, stroke));
                }
            }
            Form::Picture {
                rect,
                turn,
                picture,
            } => self.picture(*rect, *turn, picture),
            Form::Polyline(points) if dashed => self.dashes(self.points(points), stroke),
            Form::Polyline(points) => {
                self.painter.line(self.points(points), stroke);
            }
        }
        if let Some(pattern) = shape.pattern {
            self.pattern(shape, pattern);
        }
    }

    /// A line around a shape.
    pub fn outline(&self, shape: &Shape, colour: Color32, width: f32) {
        let stroke = Stroke::new(width, colour);
        match &shape.form {
            Form::Text(_) => {}
            Form::Circle { centre, radius } => {
                let radius = radius * self.place.scaling + width;
                self.painter.circle_stroke(self.at(*centre), radius, stroke);
            }
            Form::Polyline(points) => {
                let own = shape.stroke.map_or(1.0, |stroke| stroke.width) * self.place.scaling;
                let wide = Stroke::new(own + 3.0 * width, faint(colour));
                self.painter.line(self.points(points), wide);
            }
            form => {
                let points = self.points(&outline(form));
                self.painter
                    .add(PathShape::closed_line(points, PathStroke::from(stroke)));
            }
        }
    }

    /// A dotted line around a shape, outside of it.
    pub fn recent(&self, shape: &Shape, colour: Color32) {
        if matches!(shape.form, Form::Text(_)) {
            return;
        }
        let line = match &shape.form {
            Form::Polyline(points) => self.points(points),
            form => closed(self.points(&outline(form))),
        };
        let stroke = Stroke::new(2.4, colour);
        self.painter
            .extend(egui::Shape::dashed_line(&line, stroke, 3.0, 4.0));
    }

    /// A striped line around a shape: seen without its colour too.
    pub fn glow(&self, shape: &Shape, colour: Color32, stripe: Color32) {
        self.outline(shape, colour, 3.0);
        if matches!(shape.form, Form::Text(_)) {
            return;
        }
        let line = match &shape.form {
            Form::Polyline(points) => self.points(points),
            form => closed(self.points(&outline(form))),
        };
        let stroke = Stroke::new(1.2, stripe);
        self.painter
            .extend(egui::Shape::dashed_line(&line, stroke, 4.0, 4.0));
    }

    /// A way over the board, from its begin to an arrow's head.
    pub fn path(&self, points: &[Point], colour: Color32, edge: Color32) {
        let [.., before, last] = points else { return };
        let (before, last) = (self.at(*before), self.at(*last));
        let line = self.points(points);
        let width = (5.0 * self.place.scaling).clamp(3.0, 10.0);
        self.painter
            .line(line.clone(), Stroke::new(width + 3.0, edge));
        self.painter.line(line, Stroke::new(width, colour));
        let along = (last - before).normalized() * width * 2.5;
        let corners = [last + along, last + along.rot90(), last - along.rot90()];
        self.painter.add(PathShape::convex_polygon(
            corners.to_vec(),
            colour,
            PathStroke::new(1.5, edge),
        ));
    }

    fn picture(&self, rect: Rect, turn: f32, picture: &Picture) {
        let area = super::on_screen(self.place, rect);
        let side = area.width().max(area.height()) * self.painter.pixels_per_point();
        let Some(texture) = textures::of(self.painter.ctx(), picture, side) else {
            return;
        };
        let mut mesh = Mesh::with_texture(texture);
        let whole = egui::Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        mesh.add_rect_with_uv(area, whole, Color32::WHITE);
        mesh.rotate(Rot2::from_angle(turn.to_radians()), area.center());
        self.painter.add(egui::Shape::mesh(mesh));
    }

    fn colour(&self, colour: Colour) -> Color32 {
        let [r, g, b] = self.palette.rgb(colour).0;
        Color32::from_rgb(r, g, b)
    }

    fn at(&self, point: Point) -> Pos2 {
        self.place * pos2(point.x, point.y)
    }

    fn points(&self, points: &[Point]) -> Vec<Pos2> {
        points.iter().map(|point| self.at(*point)).collect()
    }

    /// Any polygon that does not cross itself: egui fills convex ones, others are cut into triangles.
    fn fill(&self, points: Vec<Pos2>, colour: Color32) {
        if colour == Color32::TRANSPARENT {
            return;
        }
        if is_convex(&points) {
            self.painter
                .add(PathShape::convex_polygon(points, colour, PathStroke::NONE));
        } else {
            self.painter
                .add(egui::Shape::mesh(triangles(points, colour)));
        }
    }

    fn dashes(&self, points: Vec<Pos2>, stroke: Stroke) {
        let length = (3.0 * stroke.width).max(3.0);
        self.painter
            .extend(egui::Shape::dashed_line(&points, stroke, length, length));
    }

    fn text(&self, text: &Text, colour: Color32) {
        let size = text.size * self.place.scaling;
        let at = self.at(text.at);
        // Turned texts reach as far as they are long.
        let reach = Vec2::splat(Text::width_of(&text.text, size) + size);
        if !self.painter.clip_rect().expand2(reach).contains(at) {
            return;
        }
        if size < LETTER_MIN {
            return self.dots(at, text, colour);
        }
        let font = FontId::proportional(letters(size));
        let galley = self
            .painter
            .layout_no_wrap(text.text.clone(), font, Color32::PLACEHOLDER);
        let anchor = match text.anchor {
            Anchor::Start => Align2::LEFT_CENTER,
            Anchor::Middle => Align2::CENTER_CENTER,
            Anchor::End => Align2::RIGHT_CENTER,
        };
        let corner = anchor.anchor_size(at, galley.size()).min;
        let write = |by: Vec2, colour: Color32| {
            let shape = TextShape::new(corner + by, galley.clone(), colour);
            let turned = shape.with_angle_and_anchor(text.turn.to_radians(), anchor);
            self.painter.add(turned);
        };
        if let Some(halo) = text.halo {
            let width = (size * 0.08).max(1.0);
            for turn in 0..HALO {
                let turn = turn as f32 / HALO as f32 * std::f32::consts::TAU;
                write(Vec2::angled(turn) * width, self.colour(halo));
            }
        }
        write(Vec2::ZERO, colour);
        // Of small letters it would only blur them.
        if text.bold && size >= BOLD_MIN {
            write(vec2(size * 0.03, 0.0), colour);
        }
    }

    /// In place of a text that is too small to be read.
    fn dots(&self, at: Pos2, text: &Text, colour: Color32) {
        let (radius, step) = DOT;
        let first = match text.anchor {
            Anchor::Start => 1.0,
            Anchor::Middle => -1.0,
            Anchor::End => -3.0,
        };
        for dot in 0..3 {
            let by = vec2((first + dot as f32) * step, 0.0);
            self.painter.circle_filled(at + by, radius, colour);
        }
    }

    fn pattern(&self, shape: &Shape, pattern: Pattern) {
        let corners = outline(&shape.form);
        let ink = shape.fill.map_or(Colour::Muted, Colour::ink);
        let colour = faint(self.colour(ink));
        let stroke = Stroke::new(1.0, colour);
        let hatch = |rising: bool| {
            for (from, to) in hatches(&corners, rising) {
                self.painter
                    .line_segment([self.at(from), self.at(to)], stroke);
            }
        };
        match pattern {
            Pattern::Hatched => hatch(true),
            Pattern::Crossed => {
                hatch(true);
                hatch(false);
            }
            Pattern::Dotted => {
                for (from, to) in hatches(&corners, true) {
                    let length = from.distance(to);
                    let steps = (length / PATTERN_STEP) as usize;
                    for step in 0..=steps {
                        let share = step as f32 * PATTERN_STEP / length.max(PATTERN_STEP);
                        let x = from.x + (to.x - from.x) * share;
                        let y = from.y + (to.y - from.y) * share;
                        let radius = (0.8 * self.place.scaling).max(0.7);
                        self.painter
                            .circle_filled(self.at(Point::new(x, y)), radius, colour);
                    }
                }
            }
        }
    }
}

/// Whether all corners turn the same way.
fn is_convex(points: &[Pos2]) -> bool {
    let corner = |at: usize| points[at % points.len()];
    let turns = (0..points.len()).map(|at| {
        let (before, after) = (corner(at + 1) - corner(at), corner(at + 2) - corner(at + 1));
        before.x * after.y - before.y * after.x
    });
    let (mut left, mut right) = (false, false);
    for turn in turns {
        left |= turn > 0.0;
        right |= turn < 0.0;
    }
    !(left && right)
}

/// A polygon cut into triangles.
fn triangles(points: Vec<Pos2>, colour: Color32) -> Mesh {
    let mut cut: Vec<u32> = Vec::new();
    let corners = points.iter().map(|point| [point.x, point.y]);
    earcut::Earcut::new().earcut::<u32>(corners, &[], &mut cut);
    let mut mesh = Mesh::default();
    for point in points {
        mesh.colored_vertex(point, colour);
    }
    for triangle in cut.chunks_exact(3) {
        mesh.add_triangle(triangle[0], triangle[1], triangle[2]);
    }
    mesh
}

/// Sizes of letters in steps, so that the same letters are not drawn anew for each width of the window.
fn letters(size: f32) -> f32 {
    (size * 2.0).round() / 2.0
}

fn closed(mut points: Vec<Pos2>) -> Vec<Pos2> {
    points.extend(points.first().copied());
    points
}

/// The corners of a form; of a circle enough of them.
fn outline(form: &Form) -> Vec<Point> {
    match form {
        Form::Rect { rect, turn, .. } | Form::Picture { rect, turn, .. } => corners(*rect, *turn),
        Form::Circle { centre, radius } => {
            let corner = |at: usize| {
                let turn = at as f32 * 360.0 / CIRCLE_CORNERS as f32;
                Point::new(centre.x + radius, centre.y).turned(*centre, turn)
            };
            (0..CIRCLE_CORNERS).map(corner).collect()
        }
        Form::Polygon(points) | Form::Polyline(points) => points.clone(),
        Form::Text(_) => Vec::new(),
    }
}

fn corners(rect: Rect, turn: f32) -> Vec<Point> {
    let (right, bottom) = (rect.right(), rect.bottom());
    let upright = [
        (rect.x, rect.y),
        (right, rect.y),
        (right, bottom),
        (rect.x, bottom),
    ];
    upright
        .map(|(x, y)| Point::new(x, y).turned(rect.centre(), turn))
        .to_vec()
}

/// Slanted lines across a polygon, by the even-odd rule.
fn hatches(corners: &[Point], rising: bool) -> Vec<(Point, Point)> {
    // Turned by 45 degrees, the lines lie flat.
    let turn = if rising { 45.0 } else { -45.0 };
    let origin = Point::new(0.0, 0.0);
    let flat: Vec<Point> = corners
        .iter()
        .map(|point| point.turned(origin, turn))
        .collect();
    let lowest = flat
        .iter()
        .map(|point| point.y)
        .fold(f32::INFINITY, f32::min);
    let highest = flat
        .iter()
        .map(|point| point.y)
        .fold(f32::NEG_INFINITY, f32::max);
    let mut lines = Vec::new();
    let first = (lowest / PATTERN_STEP).ceil() as i64;
    let last = (highest / PATTERN_STEP).floor() as i64;
    for step in first..=last {
        let y = step as f32 * PATTERN_STEP;
        let mut crossings: Vec<f32> = Vec::new();
        for (at, from) in flat.iter().enumerate() {
            let to = flat[(at + 1) % flat.len()];
            if (from.y > y) != (to.y > y) {
                crossings.push(from.x + (y - from.y) / (to.y - from.y) * (to.x - from.x));
            }
        }
        crossings.sort_by(f32::total_cmp);
        for pair in crossings.chunks_exact(2) {
            let ends = [pair[0], pair[1]].map(|x| Point::new(x, y).turned(origin, -turn));
            lines.push((ends[0], ends[1]));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polygon_with_a_dent_is_filled_without_it() {
        let points = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 1.0), (0.0, 4.0)];
        let points: Vec<Pos2> = points.into_iter().map(Pos2::from).collect();
        assert!(!is_convex(&points));
        let mesh = triangles(points, Color32::RED);
        let place = |at: usize| mesh.vertices[mesh.indices[at] as usize].pos;
        let areas = (0..mesh.indices.len() / 3).map(|at| {
            let [a, b, c] = [0, 1, 2].map(|corner| place(3 * at + corner));
            ((b - a).x * (c - a).y - (b - a).y * (c - a).x).abs() / 2.0
        });
        // The square without the triangle of the dent.
        assert!((areas.sum::<f32>() - (16.0 - 6.0)).abs() < 1e-4);
    }
}
