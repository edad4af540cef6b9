//! A tray beside the board: what is asked for and lies nowhere on it, each thing as it is drawn elsewhere.

use super::palette::Colour;
use super::pen::{Pen, Sheet, Shown};
use super::scene::{Anchor, Area, Form, Point, Rect, Scene, Shape, Size, Subject, Text};
use super::{Board, canvas, cards, faces, layout, marks};
use dsl::ir::Domain;
use interpreter::State;
use interpreter::ask::Eyes;

/// From the board to the tray, and between things on it.
const GAP: f32 = 8.0;
const PADDING: f32 = 7.0;
const TITLE: f32 = 13.0;
const LETTERS: f32 = 14.0;
/// Of a thing that says no more than its name.
const HEIGHT: f32 = 36.0;
const WIDTH_MIN: f32 = 44.0;
const WIDTH_MAX: f32 = 220.0;
/// Of a part of the table as it would stand.
const PICTURE: f32 = 150.0;
/// How many times larger it is than what differs.
const AROUND: f32 = 3.0;
/// Things that are laid out; of more a list is better.
const THINGS_MAX: usize = 60;

/// Something to lay on the tray.
#[derive(Clone, Debug, PartialEq)]
pub struct Thing {
    pub subject: Subject,
    /// What stands on it, if nothing is known of how it looks.
    pub text: String,
    /// A part of the table as it would stand behind choosing it.
    pub picture: Option<(Vec<Shape>, Rect)>,
}

/// What is drawn of a thing, its corner at the origin.
struct Tile {
    size: Size,
    shapes: Vec<Shape>,
}

impl Board {
    /// A tray with these things, and where it lies: beside or below a scene of the state, wherever a room of this size has more
    /// place left. None: there is nothing to lay on it, or too much.
    pub fn tray(
        &self,
        board: Size,
        (state, eyes): (&State, Eyes),
        (title, things): (&str, &[Thing]),
        room: Size,
    ) -> Option<(Scene, Point)> {
        if things.is_empty() || things.len() > THINGS_MAX {
            return None;
        }
        let mut pen = Pen::new(self, self.view(state, eyes));
        pen.start = layout::start(&pen);
        let tiles: Vec<Tile> = things.iter().map(|thing| tile(&mut pen, thing)).collect();
        let widest = tiles.iter().map(|tile| tile.size.width);
        let widest = widest.fold(0.0, f32::max) + 2.0 * PADDING;
        let free = room.width / room.height.max(1.0) * board.height - board.width - GAP;
        let below = laid(title, &tiles, (board.width - 2.0 * GAP).max(widest));
        let beside = laid(title, &tiles, free.max(widest));
        let low = (below, Point::new(GAP, board.height));
        let wide = (beside, Point::new(board.width, GAP));
        let scale = |(tray, at): &(Scene, Point)| {
            let whole = reach(board, tray.size, *at);
            (room.width / whole.width).min(room.height / whole.height)
        };
        Some(if scale(&wide) > scale(&low) {
            wide
        } else {
            low
        })
    }
}

impl Scene {
    /// Puts another scene beside this one, on the same paper.
    pub fn append(&mut self, other: Scene, at: Point) {
        self.size = reach(self.size, other.size, at);
        let paper = Rect::new(0.0, 0.0, self.size.width, self.size.height);
        if let Some(ground) = self.shapes.first_mut() {
            *ground = canvas::boxed(paper, 0.0).filled(Colour::Paper);
        }
        let shapes = other.shapes.into_iter();
        self.shapes.extend(shapes.map(|shape| shape.moved(1.0, at)));
        let areas = other.areas.into_iter().map(|area| Area {
            rect: area.rect.moved(1.0, at),
            head: area.head.moved(1.0, at),
            ..area
        });
        self.areas.extend(areas);
    }
}

/// Parts of scenes in which these differ from one another, with what lies around; none where nothing can be seen of it.
pub fn differing(scenes: &[Scene]) -> Option<Vec<(Vec<Shape>, Rect)>> {
    let has = |scene: &Scene, at: usize, shape: &Shape| {
        scene.shapes.get(at) == Some(shape) || scene.shapes.contains(shape)
    };
    let mut part: Option<Rect> = None;
    for scene in scenes {
        for (at, shape) in scene.shapes.iter().enumerate() {
            // What is said in words elsewhere is not what it is about.
            if matches!(shape.form, Form::Text(_)) || scenes.iter().all(|one| has(one, at, shape)) {
                continue;
            }
            let bounds = shape.bounds();
            part = Some(part.map_or(bounds, |part| part.union(bounds)));
        }
    }
    let part = part?;
    let side = part.width.max(part.height) * AROUND;
    let around = Rect::around(part.centre(), side, side);
    let inside = |shape: &&Shape| {
        let bounds = shape.bounds();
        around.contains(Point::new(bounds.x, bounds.y))
            && around.contains(Point::new(bounds.right(), bounds.bottom()))
    };
    let parts = scenes.iter().map(|scene| {
        let shapes = scene.shapes.iter().filter(inside);
        (shapes.cloned().collect(), around)
    });
    Some(parts.collect())
}

/// What two things take together.
fn reach(board: Size, other: Size, at: Point) -> Size {
    Size {
        width: board.width.max(at.x + other.width + GAP),
        height: board.height.max(at.y + other.height + GAP),
    }
}

/// The tray's scene, laid out in a width.
fn laid(title: &str, tiles: &[Tile], width: f32) -> Scene {
    let head = TITLE + 5.0;
    let inner = width - 2.0 * PADDING;
    let (mut x, mut y, mut row) = (0.0f32, 0.0f32, 0.0f32);
    let mut right = 0.0f32;
    let mut shapes = Vec::new();
    for tile in tiles {
        if x > 0.0 && x + tile.size.width > inner {
            y += row + GAP;
            (x, row) = (0.0, 0.0);
        }
        let at = Point::new(PADDING + x, PADDING + head + y);
        let moved = tile.shapes.iter().map(|shape| shape.clone().moved(1.0, at));
        shapes.extend(moved);
        right = right.max(x + tile.size.width);
        row = row.max(tile.size.height);
        x += tile.size.width + GAP;
    }
    let wanted = right
        .max(Text::width_of(title, TITLE) * 1.1)
        .min(inner.max(right));
    let size = Size {
        width: wanted + 2.0 * PADDING,
        height: head + y + row + 2.0 * PADDING,
    };
    let rect = Rect::new(0.0, 0.0, size.width, size.height);
    let ground = canvas::boxed(rect, 6.0)
        .filled(Colour::Card)
        .stroked(Colour::Ink, 1.5);
    let at = Point::new(PADDING, PADDING + TITLE / 2.0);
    let said = canvas::anchored(at, title, TITLE, Colour::Ink, Anchor::Start);
    let said = canvas::bold(canvas::fitted(said, wanted / 1.1, TITLE));
    shapes.splice(0..0, [ground, said]);
    let mut scene = Scene {
        size,
        areas: vec![Area {
            title: title.to_owned(),
            rect,
            head: Rect::new(PADDING, 0.0, wanted, head),
            seat: None,
        }],
        shapes,
        handles: Vec::new(),
    };
    scene.contrasted();
    scene
}

/// A thing as the board draws it where it lies, as it would stand, or by its name in its colour.
fn tile(pen: &mut Pen, thing: &Thing) -> Tile {
    if let Some((shapes, part)) = &thing.picture {
        return pictured(thing, shapes, *part);
    }
    if let Subject::Element(Domain::Table(table), row) = thing.subject
        && let Some((item, bound)) = faces::best(pen, table)
    {
        let (width, height) = marks::size(item, cards::CARD);
        let size = Size { width, height };
        let rect = Rect::new(0.0, 0.0, width, height);
        let mut shapes = cards::face(pen, item, &bound, row, rect);
        for shape in shapes.iter_mut().filter(|one| !one.subjects.is_empty()) {
            shape.subjects = vec![thing.subject];
        }
        return Tile { size, shapes };
    }
    named(pen, thing)
}

/// A box with its name, in the colour it has everywhere.
fn named(pen: &mut Pen, thing: &Thing) -> Tile {
    let look = match thing.subject {
        Subject::Element(domain, word) => {
            let name = pen.view.words.element(domain, word);
            pen.colour(&Shown::Element(domain, word, name))
        }
        Subject::Slot(..) | Subject::Number(..) => None,
    };
    let fill = look.unwrap_or(Colour::Paper);
    let width = Text::width_of(&thing.text, LETTERS) + 2.0 * PADDING;
    let size = Size {
        width: width.clamp(WIDTH_MIN, WIDTH_MAX),
        height: HEIGHT,
    };
    let rect = Rect::new(0.0, 0.0, size.width, size.height);
    let ground = canvas::boxed(rect, 4.0)
        .filled(fill)
        .stroked(Colour::Ink, 1.0)
        .standing_for(&[thing.subject], &thing.text);
    let texts = std::slice::from_ref(&thing.text);
    let letters = (LETTERS, pen.least(Sheet::Flow));
    let written = canvas::lines(rect.shrunk(3.0), texts, letters, fill.ink());
    let mut shapes = vec![ground];
    shapes.extend(written.shapes);
    Tile { size, shapes }
}

/// A part of the table as it would stand, with what it stands for below.
fn pictured(thing: &Thing, shapes: &[Shape], part: Rect) -> Tile {
    let scale = PICTURE / part.width.max(part.height).max(1.0);
    let to = Point::new(-part.x * scale, -part.y * scale);
    let size = Size {
        width: part.width * scale,
        height: part.height * scale,
    };
    let rect = Rect::new(0.0, 0.0, size.width, size.height);
    let mut drawn: Vec<Shape> = shapes
        .iter()
        .map(|shape| {
            let mut shape = shape.clone().moved(scale, to);
            shape.subjects.clear();
            shape.name.clear();
            shape
        })
        .collect();
    let edge = canvas::boxed(rect, 0.0)
        .stroked(Colour::Ink, 1.0)
        .standing_for(&[thing.subject], &thing.text);
    drawn.push(edge);
    Tile {
        size,
        shapes: drawn,
    }
}
