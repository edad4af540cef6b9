//! Rows and columns along the edge of a tiling, as the names of its places say them: what answers and the log call `f6` is found
//! on the board by its `f` and its `6`.

use super::canvas;
use super::labels::covered;
use super::palette::Colour;
use super::pen::{Pen, Sheet};
use super::scene::{Anchor, Form, Point, Rect, Shape, Subject, Text};
use dsl::ir::Domain;
use interpreter::words::Coordinate;
use std::collections::BTreeMap;

/// Height of the letters: so much, and a share of a place's.
const LETTERS: (f32, f32) = (6.0, 0.22);
/// Between the places and the letters, as a share of a place.
const GAP: f32 = 0.12;
/// How far the places of a straight row lie from its middle, as a share of a place: those of offset hexes go to and fro.
const STRAIGHT: f32 = 0.3;
/// How many times the letters are moved further out where something lies, each time by this share of a place.
const STEPS: usize = 4;
const STEP: f32 = 0.3;
/// What it costs to lie on things whole, on the side not wanted, and a step further out.
const ON_THINGS: f32 = 4.0;
const NOT_WANTED: f32 = 0.12;
const FURTHER: f32 = 0.1;

/// One row or column: how it is called, and the middles of its places, in order.
struct Line {
    called: Coordinate,
    places: Vec<Point>,
}

/// How the rows of a board lie, or its columns.
#[derive(Clone, Copy)]
enum Way {
    Across,
    Down,
    /// The step from a place to the one before it.
    Slanted(Point),
}

/// Writes what rows and columns are called beside the places that lie on the canvas.
pub fn draw(pen: &mut Pen) {
    let mut places: BTreeMap<i32, Rect> = BTreeMap::new();
    for shape in &pen.canvas {
        let Some(Subject::Element(Domain::Cell, word)) = shape.subjects.first() else {
            continue;
        };
        if !matches!(shape.form, Form::Text(_) | Form::Polyline(_)) {
            places.entry(*word).or_insert_with(|| shape.bounds());
        }
    }
    let mut sizes: Vec<Rect> = places.values().copied().collect();
    sizes.sort_by(|one, other| one.width.total_cmp(&other.width));
    let Some(usual) = sizes.get(sizes.len() / 2).copied() else {
        return;
    };
    let whole = sizes.iter().copied().reduce(Rect::union);
    let whole = whole.unwrap_or_default();
    let mut lines: [BTreeMap<i32, Line>; 2] = [BTreeMap::new(), BTreeMap::new()];
    for (word, rect) in &places {
        let called = pen.view.words.row_and_column(*word);
        for (lines, called) in lines.iter_mut().zip(called.into_iter().flatten()) {
            let Some(called) = called else { continue };
            let line = lines.entry(called.number).or_insert_with(|| Line {
                called,
                places: Vec::new(),
            });
            line.places.push(rect.centre());
        }
    }
    let [rows, columns] = lines.map(|lines| lines.into_values().collect::<Vec<Line>>());
    // One alone tells nothing from anything.
    if rows.len() < 2 && columns.len() < 2 {
        return;
    }
    let side = usual.width.min(usual.height);
    let upwards = rows.first().is_some_and(|row| row.called.upwards);
    for (lines, usually) in [(rows, Way::Across), (columns, Way::Down)] {
        let ruler = Ruler {
            way: way(&lines, usually, usual),
            lines,
            usual,
            size: pen.readable(LETTERS.0 + LETTERS.1 * side, Sheet::Canvas),
            whole,
            level: pen.board.is_square(),
            // Rows that are counted upwards stand on the letters of the columns.
            last: upwards && matches!(usually, Way::Down),
        };
        let shapes = ruler.best(&pen.canvas);
        pen.canvas.extend(shapes);
    }
}

/// How lines lie: straight as far as places of offset hexes do, else in the direction from place to place.
fn way(lines: &[Line], usually: Way, usual: Rect) -> Way {
    let spread = |of: fn(&Point) -> f32, size: f32| {
        lines.iter().all(|line| {
            let all = line.places.iter().map(of);
            let (low, high) = all.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), at| {
                (low.min(at), high.max(at))
            });
            high - low <= 2.0 * STRAIGHT * size
        })
    };
    let across = spread(|point| point.y, usual.height);
    let down = spread(|point| point.x, usual.width);
    if let (Way::Across, true, _) | (Way::Down, _, true) = (usually, across, down) {
        return usually;
    }
    if across {
        return Way::Across;
    }
    if down {
        return Way::Down;
    }
    let pairs = lines.iter().flat_map(|line| line.places.windows(2));
    let steps = pairs.map(|pair| Point::new(pair[0].x - pair[1].x, pair[0].y - pair[1].y));
    let length = |step: &Point| step.x.hypot(step.y);
    // Where places are missing steps are longer.
    let shortest = steps.min_by(|one, other| length(one).total_cmp(&length(other)));
    shortest.map_or(usually, Way::Slanted)
}

/// The names of all rows, or of all columns.
struct Ruler {
    lines: Vec<Line>,
    way: Way,
    /// A place as large as most.
    usual: Rect,
    /// Of the letters.
    size: f32,
    /// Around all places.
    whole: Rect,
    /// They stand on one line.
    level: bool,
    /// They rather stand at the end.
    last: bool,
}

impl Ruler {
    /// On the side and as far out as least lies there.
    fn best(&self, canvas: &[Shape]) -> Vec<Shape> {
        let near: Vec<(&Shape, Rect)> =
            canvas.iter().map(|shape| (shape, shape.bounds())).collect();
        let mut best: Option<(f32, Vec<Shape>)> = None;
        for last in [self.last, !self.last] {
            for out in 0..STEPS {
                let shapes = self.at(last, out as f32 * STEP);
                let on = shapes.iter().map(|shape| covered(shape.bounds(), &near));
                let on = on.sum::<f32>() / shapes.len().max(1) as f32;
                let other = if last == self.last { 0.0 } else { NOT_WANTED };
                let cost = ON_THINGS * on + other + out as f32 * FURTHER;
                if best.as_ref().is_none_or(|(known, _)| cost < *known) {
                    best = Some((cost, shapes));
                }
            }
        }
        best.map_or_else(Vec::new, |(_, shapes)| shapes)
    }

    /// `out`: how many places further out than usual.
    fn at(&self, last: bool, out: f32) -> Vec<Shape> {
        let (width, height, size) = (self.usual.width, self.usual.height, self.size);
        let (whole, away) = (self.whole, GAP + out);
        let mut shapes = Vec::new();
        for (number, line) in self.lines.iter().enumerate() {
            let ends = (line.places.first(), line.places.last());
            let (Some(first), Some(end)) = ends else {
                continue;
            };
            let count = line.places.len() as f32;
            let sum = |of: fn(&Point) -> f32| line.places.iter().map(of).sum::<f32>() / count;
            let (middle_x, middle_y) = (sum(|point| point.x), sum(|point| point.y));
            // Rows of squares stand below one another, those of hexes where each begins.
            let (left, right, top, bottom) = match self.level {
                true => (whole.x, whole.right(), whole.y, whole.bottom()),
                false => (
                    first.x - width / 2.0,
                    end.x + width / 2.0,
                    first.y - height / 2.0,
                    end.y + height / 2.0,
                ),
            };
            let at = match (self.way, last) {
                (Way::Across, false) => Point::new(left - away * width, middle_y),
                (Way::Across, true) => Point::new(right + away * width, middle_y),
                (Way::Down, false) => Point::new(middle_x, top - away * height - size * 0.5),
                (Way::Down, true) => Point::new(middle_x, bottom + away * height + size * 0.5),
                (Way::Slanted(step), _) => {
                    let (from, to) = if last { (end, -1.0) } else { (first, 1.0) };
                    let share = to * (0.75 + out);
                    Point::new(from.x + step.x * share, from.y + step.y * share)
                }
            };
            // The first one says what it is, if that is not said by its sign.
            let called = &line.called;
            let said = if number == 0 {
                &called.said
            } else {
                &called.sign
            };
            let beside = Text::width_of(&called.sign, size) / 2.0;
            let (at, anchor) = match (self.way, last) {
                (Way::Across, false) => (at, Anchor::End),
                (Way::Across, true) => (at, Anchor::Start),
                // Its sign stands where the others do, the words before it.
                _ if *said != called.sign => (Point::new(at.x + beside, at.y), Anchor::End),
                _ => (at, Anchor::Middle),
            };
            let text = canvas::anchored(at, said.as_str(), size, Colour::Ink, anchor);
            shapes.push(canvas::haloed(text, Colour::Card));
        }
        shapes
    }
}
