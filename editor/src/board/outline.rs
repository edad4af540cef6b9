//! The display list as plain paths, and lines of letters ([`Fonts`] has their paths too): for whatever paints no shapes, as a printer.

use super::letters::{Fonts, Letters};
use super::palette::{Palette, Rgb};
use super::scene::{Form, Pattern, Point, Shape};
use dsl::source::Picture;
use vello_cpu::kurbo::{Affine, BezPath, Circle, RoundedRect, Shape as _};

/// How exactly curves follow circles, in board units.
const TOLERANCE: f64 = 0.01;

/// What is painted.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawn {
    Path(Path),
    Letters(Letters),
    /// A picture in the box that has its corner at the origin and sides of 1, turned to where it lies.
    Picture(Picture, Affine),
}

/// One path to be painted.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    pub path: BezPath,
    pub fill: Option<Rgb>,
    pub line: Option<Line>,
    /// Only what lies in here is painted.
    pub clip: Option<BezPath>,
}

/// How a path is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    pub colour: Rgb,
    pub width: f32,
    pub dashed: bool,
    /// With round ends and corners.
    pub round: bool,
}

/// The paths of shapes, in painting order.
pub fn drawn(shapes: &[Shape], palette: &Palette, fonts: &Fonts) -> Vec<Drawn> {
    let mut all = Vec::new();
    for shape in shapes {
        one(shape, palette, fonts, &mut all);
    }
    all
}

fn one(shape: &Shape, palette: &Palette, fonts: &Fonts, out: &mut Vec<Drawn>) {
    let fill = shape.fill.map(|fill| palette.rgb(fill));
    let line = shape.stroke.map(|stroke| Line {
        colour: palette.rgb(stroke.colour),
        width: stroke.width,
        dashed: stroke.dashed,
        round: matches!(shape.form, Form::Polyline(_)),
    });
    match &shape.form {
        Form::Text(text) => {
            let colour = fill.unwrap_or(palette.ink);
            let halo = text.halo.map(|halo| palette.rgb(halo));
            return out.push(Drawn::Letters(fonts.letters(text, colour, halo)));
        }
        Form::Picture {
            rect,
            turn,
            picture,
        } => {
            let place = Affine::translate((f64::from(rect.x), f64::from(rect.y)))
                * Affine::scale_non_uniform(f64::from(rect.width), f64::from(rect.height));
            let place = turned(*turn, rect.centre()) * place;
            return out.push(Drawn::Picture(picture.clone(), place));
        }
        _ => {}
    }
    let path = outline(&shape.form);
    out.push(Drawn::Path(Path {
        path: path.clone(),
        fill,
        line,
        clip: None,
    }));
    if let Some(pattern) = shape.pattern {
        let paper = mixed(fill.unwrap_or(palette.card), palette.paper);
        out.push(Drawn::Path(Path {
            path: hatching(shape, pattern),
            fill: (pattern == Pattern::Dotted).then_some(paper),
            line: (pattern != Pattern::Dotted).then_some(Line {
                colour: paper,
                width: 1.0,
                dashed: false,
                round: false,
            }),
            clip: Some(path),
        }));
    }
}

/// Half of one colour, half of the other.
fn mixed(one: Rgb, other: Rgb) -> Rgb {
    let half = |at: usize| u8::midpoint(one.0[at], other.0[at]);
    Rgb([half(0), half(1), half(2)])
}

fn outline(form: &Form) -> BezPath {
    let at = |point: &Point| (f64::from(point.x), f64::from(point.y));
    let through = |points: &[Point], closed: bool| {
        let mut path = BezPath::new();
        for (number, point) in points.iter().enumerate() {
            match number {
                0 => path.move_to(at(point)),
                _ => path.line_to(at(point)),
            }
        }
        if closed && !points.is_empty() {
            path.close_path();
        }
        path
    };
    match form {
        Form::Rect { rect, corner, turn } => {
            let (x, y) = (f64::from(rect.x), f64::from(rect.y));
            let (right, bottom) = (f64::from(rect.right()), f64::from(rect.bottom()));
            let mut path =
                RoundedRect::new(x, y, right, bottom, f64::from(*corner)).to_path(TOLERANCE);
            if *turn != 0.0 {
                path.apply_affine(turned(*turn, rect.centre()));
            }
            path
        }
        Form::Circle { centre, radius } => {
            Circle::new(at(centre), f64::from(*radius)).to_path(TOLERANCE)
        }
        Form::Polygon(points) => through(points, true),
        Form::Polyline(points) => through(points, false),
        Form::Text(_) | Form::Picture { .. } => BezPath::new(),
    }
}

/// Degrees clockwise around a point.
pub(super) fn turned(degrees: f32, around: Point) -> Affine {
    let middle = (f64::from(around.x), f64::from(around.y));
    Affine::rotate_about(f64::from(degrees.to_radians()), middle)
}

/// Lines or dots over all that a shape may take.
fn hatching(shape: &Shape, pattern: Pattern) -> BezPath {
    const APART: f64 = 6.0;
    let bounds = shape.bounds();
    let (left, top) = (f64::from(bounds.x), f64::from(bounds.y));
    let (width, height) = (f64::from(bounds.width), f64::from(bounds.height));
    let mut path = BezPath::new();
    let steps = ((width + height) / APART).ceil() as usize;
    if pattern == Pattern::Dotted {
        let dots =
            |length: f64| (0..=(length / APART).ceil() as usize).map(|at| at as f64 * APART + 2.0);
        for (x, y) in dots(width).flat_map(|x| dots(height).map(move |y| (x, y))) {
            path.extend(Circle::new((left + x, top + y), 1.0).path_elements(TOLERANCE));
        }
        return path;
    }
    for step in 0..=steps {
        let along = step as f64 * APART;
        path.move_to((left + along, top));
        path.line_to((left + along - height, top + height));
        if pattern == Pattern::Crossed {
            path.move_to((left + along - height, top));
            path.line_to((left + along, top + height));
        }
    }
    path
}
