//! The display list: what to paint, in order, and what of the game each shape stands for.
//!
//! Lengths are board units: one is about a pixel when the whole board fills a small laptop's screen.

use super::palette::Colour;
use dsl::ir::{CellId, Domain};
use dsl::source::{Picture, Span};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    pub x: f32,
    pub y: f32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Size {
    pub width: f32,
    pub height: f32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    pub x: f32,
    pub y: f32,
    pub width: f32,
    pub height: f32,
}

/// A whole board as one seat sees it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    pub size: Size,
    /// Parts of the board with a title: the map, a player's board, a hand. They do not overlap.
    pub areas: Vec<Area>,
    /// In painting order.
    pub shapes: Vec<Shape>,
    /// What can be moved where it is written.
    pub handles: Vec<Handle>,
}

/// Something whose place is written in a table or a `board.toml`.
#[derive(Clone, Debug, PartialEq)]
pub struct Handle {
    pub subject: Option<Subject>,
    /// What people call it.
    pub name: String,
    pub rect: Rect,
    /// Board units for one unit of the place as it is written.
    pub scale: f32,
    /// The place as it is written.
    pub at: (i32, i32),
    pub spots: [Spot; 2],
    /// Its label, and where that is written.
    pub label: Option<(String, Spot)>,
    /// The numbers of its size, and where they are written: one for both, or width and height. Others of its kind have them too.
    pub size: Vec<(u32, Spot)>,
}

/// Where a value that is shown is written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spot {
    /// A cell, by the names of its table, row and column.
    Cell {
        table: String,
        row: String,
        column: String,
    },
    /// A number of a `board.toml`.
    Number(Span),
}

impl Handle {
    /// Scaled from the origin, then moved.
    pub fn moved(mut self, scale: f32, by: Point) -> Handle {
        self.rect = self.rect.moved(scale, by);
        self.scale *= scale;
        self
    }
}

/// A part of the board that has a name for people who do not see it.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    pub title: String,
    pub rect: Rect,
    /// Where its title stands.
    pub head: Rect,
    /// Whose it is, if it is one seat's.
    pub seat: Option<u32>,
}

/// Something of the game that can be meant by an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subject {
    /// An element, by its word: a table's row, a position of a tiling, a part on it, a seat, an action.
    Element(Domain, i32),
    /// One slot of a cell: a zone, a pile, a counter.
    Slot(CellId, u32),
    /// A number, where the choice of this number in [`super::Board::choices`] asks for one.
    Number(u32, i32),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    pub form: Form,
    pub fill: Option<Colour>,
    pub stroke: Option<Stroke>,
    /// Drawn over the fill, so that colour is never alone.
    pub pattern: Option<Pattern>,
    /// The most special first; empty: decoration.
    pub subjects: Vec<Subject>,
    /// What a person who does not see the shape is told; empty: nothing.
    pub name: String,
    /// The player on whose part of the board it lies.
    pub seat: Option<u32>,
    /// What is written on it, where not all of that had room.
    pub whole: Vec<String>,
    /// Height of the letters that it is the ground of, if it is no more than that: where they cannot be read it says nothing.
    pub letters: Option<f32>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// `turn`: degrees clockwise around the middle; `corner`: radius of the corners.
    Rect {
        rect: Rect,
        corner: f32,
        turn: f32,
    },
    Circle {
        centre: Point,
        radius: f32,
    },
    Polygon(Vec<Point>),
    /// Not closed, not filled.
    Polyline(Vec<Point>),
    /// The fill is the letters' colour.
    Text(Text),
    /// A picture that fills a box; `turn` as of a box.
    Picture {
        rect: Rect,
        turn: f32,
        picture: Picture,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// The middle of the line's height, at the anchor.
    pub at: Point,
    pub text: String,
    /// Height of the letters' box.
    pub size: f32,
    pub anchor: Anchor,
    /// Degrees clockwise around `at`.
    pub turn: f32,
    pub bold: bool,
    /// Drawn around the letters, so that they can be read on anything.
    pub halo: Option<Colour>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Anchor {
    Start,
    #[default]
    Middle,
    End,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    pub colour: Colour,
    pub width: f32,
    pub dashed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Thin lines, rising.
    Hatched,
    /// Thin lines both ways.
    Crossed,
    Dotted,
}

impl Point {
    pub fn new(x: f32, y: f32) -> Point {
        Point { x, y }
    }

    pub fn distance(self, other: Point) -> f32 {
        (self.x - other.x).hypot(self.y - other.y)
    }

    /// Turned around `centre`, degrees clockwise.
    pub fn turned(self, centre: Point, degrees: f32) -> Point {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let (x, y) = (self.x - centre.x, self.y - centre.y);
        Point::new(centre.x + x * cos - y * sin, centre.y + x * sin + y * cos)
    }
}

impl Rect {
    pub fn new(x: f32, y: f32, width: f32, height: f32) -> Rect {
        Rect {
            x,
            y,
            width,
            height,
        }
    }

    pub fn around(centre: Point, width: f32, height: f32) -> Rect {
        Rect::new(
            centre.x - width / 2.0,
            centre.y - height / 2.0,
            width,
            height,
        )
    }

    pub fn centre(self) -> Point {
        Point::new(self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    pub fn right(self) -> f32 {
        self.x + self.width
    }

    pub fn bottom(self) -> f32 {
        self.y + self.height
    }

    pub fn contains(self, point: Point) -> bool {
        (self.x..=self.right()).contains(&point.x) && (self.y..=self.bottom()).contains(&point.y)
    }

    /// Scaled from the origin, then moved.
    pub fn moved(self, scale: f32, by: Point) -> Rect {
        Rect::new(
            self.x * scale + by.x,
            self.y * scale + by.y,
            self.width * scale,
            self.height * scale,
        )
    }

    /// Smaller on every side by `by`.
    pub fn shrunk(self, by: f32) -> Rect {
        Rect::new(
            self.x + by,
            self.y + by,
            (self.width - 2.0 * by).max(0.0),
            (self.height - 2.0 * by).max(0.0),
        )
    }

    pub fn overlaps(self, other: Rect) -> bool {
        self.x < other.right()
            && other.x < self.right()
            && self.y < other.bottom()
            && other.y < self.bottom()
    }

    pub fn union(self, other: Rect) -> Rect {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        Rect::new(
            x,
            y,
            self.right().max(other.right()) - x,
            self.bottom().max(other.bottom()) - y,
        )
    }
}

impl Scene {
    /// The numbers of the shapes that lie at a point and stand for something, topmost first.
    pub fn shapes_at(&self, point: Point) -> Vec<usize> {
        let shapes = self.shapes.iter().enumerate().rev();
        let here = shapes.filter(|(_, shape)| !shape.subjects.is_empty() && shape.contains(point));
        here.map(|(at, _)| at).collect()
    }

    /// What lies at a point, topmost first, each once.
    pub fn at(&self, point: Point) -> Vec<Subject> {
        let mut found = Vec::new();
        for shape in self
            .shapes
            .iter()
            .rev()
            .filter(|shape| shape.contains(point))
        {
            for subject in &shape.subjects {
                if !found.contains(subject) {
                    found.push(*subject);
                }
            }
        }
        found
    }

    /// What is said of what lies topmost at a point, if anything is.
    pub fn name_at(&self, point: Point) -> Option<&str> {
        let named = self
            .shapes
            .iter()
            .rev()
            .filter(|shape| !shape.name.is_empty());
        let mut here = named.filter(|shape| shape.contains(point));
        here.next().map(|shape| shape.name.as_str())
    }

    /// How many texts are not there in whole.
    pub fn cut(&self) -> usize {
        cut(&self.shapes)
    }

    /// The shapes that stand for a subject, in painting order.
    pub fn shapes_of(&self, subject: Subject) -> impl Iterator<Item = &Shape> {
        self.shapes
            .iter()
            .filter(move |shape| shape.subjects.contains(&subject))
    }

    /// The part of the board around a point.
    pub fn area_at(&self, point: Point) -> Option<&Area> {
        self.areas.iter().find(|area| area.rect.contains(point))
    }
}

/// How many of the texts among shapes are not there in whole.
pub(super) fn cut(shapes: &[Shape]) -> usize {
    let texts = shapes.iter().filter_map(|shape| match &shape.form {
        Form::Text(text) => Some(&text.text),
        _ => None,
    });
    texts.filter(|text| text.ends_with(MORE)).count()
}

/// Stands for what is left out of a text.
pub(super) const MORE: &str = "…";

/// How near a line is near enough to be meant, beyond its own width.
const NEAR: f32 = 4.0;

impl Shape {
    pub fn new(form: Form) -> Shape {
        Shape {
            form,
            fill: None,
            stroke: None,
            pattern: None,
            subjects: Vec::new(),
            name: String::new(),
            seat: None,
            whole: Vec::new(),
            letters: None,
        }
    }

    pub fn filled(mut self, colour: Colour) -> Shape {
        self.fill = Some(colour);
        self
    }

    pub fn stroked(mut self, colour: Colour, width: f32) -> Shape {
        self.stroke = Some(Stroke {
            colour,
            width,
            dashed: false,
        });
        self
    }

    pub fn standing_for(mut self, subjects: &[Subject], name: &str) -> Shape {
        self.subjects.extend_from_slice(subjects);
        self.name = name.to_owned();
        self
    }

    /// Whether both are painted alike, whatever they stand for.
    pub fn looks_like(&self, other: &Shape) -> bool {
        (&self.form, self.fill, self.stroke, self.pattern)
            == (&other.form, other.fill, other.stroke, other.pattern)
    }

    /// Scaled from the origin, then moved.
    pub fn moved(mut self, scale: f32, by: Point) -> Shape {
        let place = |point: Point| Point::new(point.x * scale + by.x, point.y * scale + by.y);
        match &mut self.form {
            Form::Rect { rect, corner, .. } => {
                *rect = rect.moved(scale, by);
                *corner *= scale;
            }
            Form::Circle { centre, radius } => {
                *centre = place(*centre);
                *radius *= scale;
            }
            Form::Polygon(points) | Form::Polyline(points) => {
                points.iter_mut().for_each(|point| *point = place(*point));
            }
            Form::Text(text) => {
                text.at = place(text.at);
                text.size *= scale;
            }
            Form::Picture { rect, .. } => *rect = rect.moved(scale, by),
        }
        if let Some(stroke) = &mut self.stroke {
            stroke.width *= scale;
        }
        self.letters = self.letters.map(|height| height * scale);
        self
    }

    /// Whether a point lies on the shape; texts are looked through.
    pub fn contains(&self, point: Point) -> bool {
        match &self.form {
            Form::Rect { rect, turn, .. } | Form::Picture { rect, turn, .. } => {
                rect.contains(point.turned(rect.centre(), -turn))
            }
            Form::Circle { centre, radius } => centre.distance(point) <= *radius,
            Form::Polygon(corners) => is_inside(corners, point),
            Form::Polyline(points) => {
                let width = self.stroke.map_or(0.0, |stroke| stroke.width);
                let pairs = points.windows(2);
                pairs
                    .into_iter()
                    .any(|pair| distance_to(pair[0], pair[1], point) <= width / 2.0 + NEAR)
            }
            Form::Text(_) => false,
        }
    }

    /// The smallest upright box around the shape; of a text what it takes at most.
    pub fn bounds(&self) -> Rect {
        match &self.form {
            Form::Rect { rect, turn, .. } | Form::Picture { rect, turn, .. } => {
                around(&corners(*rect, *turn))
            }
            Form::Circle { centre, radius } => Rect::around(*centre, 2.0 * radius, 2.0 * radius),
            Form::Polygon(points) | Form::Polyline(points) => around(points),
            Form::Text(text) => text.bounds(),
        }
    }
}

impl Text {
    /// About how wide a text is in letters of this size.
    pub fn width_of(text: &str, size: f32) -> f32 {
        let units: f32 = text.chars().map(advance).sum();
        units * size
    }

    /// The beginning of a text that fits a width together with a sign that it goes on.
    pub fn fitting(text: &str, size: f32, width: f32) -> &str {
        let mut units = 0.0;
        let beyond = text.char_indices().find(|(_, c)| {
            units += advance(*c);
            units * size + size > width
        });
        &text[..beyond.map_or(text.len(), |(at, _)| at)]
    }

    fn bounds(&self) -> Rect {
        let width = Text::width_of(&self.text, self.size);
        let left = match self.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width / 2.0,
            Anchor::End => width,
        };
        let flat = Rect::new(
            self.at.x - left,
            self.at.y - self.size / 2.0,
            width,
            self.size,
        );
        let turned = corners(flat, 0.0).map(|corner| corner.turned(self.at, self.turn));
        around(&turned)
    }
}

/// Width of a letter as a share of its size, on the safe side for the usual sans-serif fonts.
fn advance(letter: char) -> f32 {
    match letter {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '|' | '\'' | ' ' | '!' => 0.32,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' | '/' => 0.40,
        'm' | 'w' | 'M' | 'W' | '—' | '…' => 0.92,
        'A'..='Z' | '&' | '+' | '=' | '×' => 0.70,
        _ if letter.is_ascii() => 0.57,
        _ => 0.75,
    }
}

pub(super) fn corners(rect: Rect, turn: f32) -> [Point; 4] {
    let centre = rect.centre();
    [
        Point::new(rect.x, rect.y),
        Point::new(rect.right(), rect.y),
        Point::new(rect.right(), rect.bottom()),
        Point::new(rect.x, rect.bottom()),
    ]
    .map(|corner| corner.turned(centre, turn))
}

fn around(points: &[Point]) -> Rect {
    let mut boxes = points
        .iter()
        .map(|point| Rect::new(point.x, point.y, 0.0, 0.0));
    let first = boxes.next().unwrap_or_default();
    boxes.fold(first, Rect::union)
}

/// Even-odd rule.
fn is_inside(corners: &[Point], point: Point) -> bool {
    let Some(mut before) = corners.last() else {
        return false;
    };
    let mut inside = false;
    for corner in corners {
        if (corner.y > point.y) != (before.y > point.y) {
            let share = (point.y - corner.y) / (before.y - corner.y);
            if point.x < corner.x + share * (before.x - corner.x) {
                inside = !inside;
            }
        }
        before = corner;
    }
    inside
}

fn distance_to(a: Point, b: Point, point: Point) -> f32 {
    let (x, y) = (b.x - a.x, b.y - a.y);
    let length = x * x + y * y;
    let share = if length == 0.0 {
        0.0
    } else {
        (((point.x - a.x) * x + (point.y - a.y) * y) / length).clamp(0.0, 1.0)
    };
    point.distance(Point::new(a.x + share * x, a.y + share * y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_topmost_subject_comes_first() {
        let below = Subject::Element(Domain::Cell, 1);
        let above = Subject::Element(Domain::Player, 0);
        let board = Form::Rect {
            rect: Rect::new(0.0, 0.0, 10.0, 10.0),
            corner: 0.0,
            turn: 0.0,
        };
        let piece = Form::Circle {
            centre: Point::new(5.0, 5.0),
            radius: 2.0,
        };
        let scene = Scene {
            size: Size {
                width: 10.0,
                height: 10.0,
            },
            areas: Vec::new(),
            handles: Vec::new(),
            shapes: vec![
                Shape::new(board).standing_for(&[below], "field"),
                Shape::new(piece).standing_for(&[above, below], "piece"),
            ],
        };
        assert_eq!(scene.at(Point::new(5.0, 5.0)), [above, below]);
        assert_eq!(scene.at(Point::new(1.0, 1.0)), [below]);
        assert!(scene.at(Point::new(11.0, 1.0)).is_empty());
        assert_eq!(scene.shapes_of(below).count(), 2);
    }

    #[test]
    fn lines_and_turned_boxes_can_be_hit() {
        let line = Shape::new(Form::Polyline(vec![
            Point::new(0.0, 0.0),
            Point::new(100.0, 0.0),
        ]))
        .stroked(Colour::Ink, 2.0);
        assert!(line.contains(Point::new(50.0, 4.0)));
        assert!(!line.contains(Point::new(50.0, 6.0)));
        let turned = Shape::new(Form::Rect {
            rect: Rect::new(-50.0, -5.0, 100.0, 10.0),
            corner: 0.0,
            turn: 90.0,
        });
        assert!(turned.contains(Point::new(0.0, 45.0)));
        assert!(!turned.contains(Point::new(45.0, 0.0)));
    }
}
