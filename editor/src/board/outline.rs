//! The display list as plain paths, letters too: for whatever paints neither shapes nor fonts, as a printer.

use super::palette::{Palette, Rgb};
use super::scene::{Anchor, Form, Pattern, Point, Shape, Text};
use dsl::source::Picture;
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider};
use vello_cpu::kurbo::{Affine, BezPath, Circle, RoundedRect, Shape as _};

/// Signs of games that the other fonts do not have.
const SIGNS: &[u8] = include_bytes!("../window/fonts/signs.ttf");
/// How exactly curves follow circles, in board units.
const TOLERANCE: f64 = 0.01;
/// Letters are made bold by a line around them, as a share of their height.
const BOLD: f32 = 0.055;

/// What is painted.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawn {
    Path(Path),
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

/// The fonts that letters are taken from, the first one that has a letter.
pub struct Fonts(Vec<FontRef<'static>>);

impl Default for Fonts {
    fn default() -> Fonts {
        let all = [
            epaint_default_fonts::UBUNTU_LIGHT,
            SIGNS,
            epaint_default_fonts::HACK_REGULAR,
        ];
        // What the program is built with are fonts.
        Fonts(
            all.into_iter()
                .filter_map(|bytes| FontRef::new(bytes).ok())
                .collect(),
        )
    }
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
            return letters(text, fill.unwrap_or(palette.ink), palette, fonts, out);
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
fn turned(degrees: f32, around: Point) -> Affine {
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

// -------------------------------------------------------------------------------------------------- letters

/// The paths of one text, in font units turned to board units.
struct Pen<'p> {
    path: &'p mut BezPath,
    /// Where the letter begins.
    x: f64,
}

impl OutlinePen for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(self.at(x, y));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(self.at(x, y));
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.path.quad_to(self.at(cx, cy), self.at(x, y));
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        self.path
            .curve_to(self.at(ax, ay), self.at(bx, by), self.at(x, y));
    }

    fn close(&mut self) {
        self.path.close_path();
    }
}

impl Pen<'_> {
    /// In fonts, up is more.
    fn at(&self, x: f32, y: f32) -> (f64, f64) {
        (self.x + f64::from(x), -f64::from(y))
    }
}

impl Fonts {
    /// How wide a line of text is.
    pub fn width(&self, text: &str, size: f32) -> f32 {
        let of_size = Size::new(size);
        let letters = text.chars().map(|letter| match self.of(letter) {
            Some((font, glyph)) => {
                let metrics = font.glyph_metrics(of_size, LocationRef::default());
                metrics.advance_width(glyph).unwrap_or(size * 0.5)
            }
            None => size * 0.5,
        });
        letters.sum()
    }

    /// Where the line of a text begins, and which way it goes.
    pub fn place(&self, text: &Text) -> Affine {
        place(text, f64::from(self.width(&text.text, text.size)))
    }

    /// The first font that has a letter, and which of its signs it is.
    fn of(&self, letter: char) -> Option<(&FontRef<'static>, GlyphId)> {
        let mut found = self.0.iter();
        found.find_map(|font| Some((font, font.charmap().map(letter)?)))
    }

    /// The outline of a line of text that begins at the origin, on it, and how wide it is.
    fn line(&self, text: &str, size: f32) -> (BezPath, f64) {
        let mut path = BezPath::new();
        let mut x = 0.0;
        let of_size = Size::new(size);
        for letter in text.chars() {
            let Some((font, glyph)) = self.of(letter) else {
                x += f64::from(size) * 0.5;
                continue;
            };
            if let Some(outline) = font.outline_glyphs().get(glyph) {
                let mut pen = Pen { path: &mut path, x };
                let settings = DrawSettings::unhinted(of_size, LocationRef::default());
                // A letter that cannot be drawn leaves its room blank.
                let _ = outline.draw(settings, &mut pen);
            }
            let metrics = font.glyph_metrics(of_size, LocationRef::default());
            x += f64::from(metrics.advance_width(glyph).unwrap_or(size * 0.5));
        }
        (path, x)
    }
}

/// Where a text of this width begins, on the line that it stands on.
fn place(text: &Text, width: f64) -> Affine {
    let before = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => width / 2.0,
        Anchor::End => width,
    };
    let at = (f64::from(text.at.x), f64::from(text.at.y));
    // Letters stand on a line a third of their height below the middle.
    let down = f64::from(text.size) * 0.35;
    turned(text.turn, text.at) * Affine::translate((at.0 - before, at.1 + down))
}

fn letters(text: &Text, colour: Rgb, palette: &Palette, fonts: &Fonts, out: &mut Vec<Drawn>) {
    let (mut path, width) = fonts.line(&text.text, text.size);
    path.apply_affine(place(text, width));
    let round = |colour: Rgb, width: f32| Line {
        colour,
        width,
        dashed: false,
        round: true,
    };
    if let Some(halo) = text.halo {
        out.push(Drawn::Path(Path {
            path: path.clone(),
            fill: None,
            line: Some(round(palette.rgb(halo), text.size * 0.28)),
            clip: None,
        }));
    }
    let bold = text.bold.then(|| round(colour, text.size * BOLD));
    out.push(Drawn::Path(Path {
        path,
        fill: Some(colour),
        line: bold,
        clip: None,
    }));
}
