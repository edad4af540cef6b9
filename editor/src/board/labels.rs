//! Where labels lie: beside their things, off one another and off what else is drawn, as far as that goes.

use super::canvas;
use super::marks::letters;
use super::palette::Colour;
use super::pen::{Bound, Pen, Sheet};
use super::scene::{Anchor, Form, Point, Rect, Shape};
use dsl::board::{Item, LabelSide};

const LETTERS: f32 = 12.0;
/// Points of a label that are looked at: beside one another, and below.
const LOOKS: (usize, usize) = (6, 3);
/// What it costs to lie on another label whole, on other things whole, beyond all else, and not on the side wanted.
const ON_LABEL: f32 = 8.0;
const ON_THINGS: f32 = 2.0;
const BEYOND: f32 = 0.6;
const NOT_WANTED: f32 = 0.12;
/// A corner is further from its thing than a side.
const CORNER: f32 = 0.1;
/// What is so much larger than a label, and around it, is what everything lies on.
const GROUND: f32 = 4.0;

/// A label before it has its place.
pub struct Wanted {
    text: String,
    /// Of the thing it belongs to.
    rect: Rect,
    size: f32,
    side: LabelSide,
}

/// Notes the label of a thing.
pub fn note(pen: &mut Pen, item: &Item, bound: &Bound, rect: Rect) {
    let Some(template) = &item.label else { return };
    let text = pen.text(template, bound);
    if !text.is_empty() {
        pen.labels.push(Wanted {
            text,
            rect,
            size: letters(pen, item, LETTERS, Sheet::Canvas).0,
            side: item.label_side,
        });
    }
}

/// Puts all labels of a panel over what is drawn on it.
pub fn place(pen: &mut Pen) {
    let wanted = std::mem::take(&mut pen.labels);
    if wanted.is_empty() {
        return;
    }
    let bounds: Vec<Rect> = pen.canvas.iter().map(Shape::bounds).collect();
    let whole = bounds
        .iter()
        .copied()
        .reduce(Rect::union)
        .unwrap_or_default();
    let mut placed: Vec<(String, Rect)> = Vec::new();
    let mut shapes = Vec::new();
    for label in wanted {
        let first = label.at(label.side.into());
        let here = first.bounds();
        // Places side by side with one name: it is written once.
        let mut known = placed.iter();
        if known.any(|(text, place)| *text == label.text && place.overlaps(here)) {
            continue;
        }
        let reach = here.width.max(here.height) + label.rect.width + label.rect.height;
        let around = Rect::around(label.rect.centre(), 2.0 * reach, 2.0 * reach);
        let near = pen.canvas.iter().zip(&bounds);
        let near: Vec<(&Shape, Rect)> = near
            .filter(|(_, bounds)| bounds.overlaps(around))
            .map(|(shape, bounds)| (shape, *bounds))
            .collect();
        let cost = |shape: &Shape| {
            let place = shape.bounds();
            let labels = placed.iter().map(|(_, other)| share(place, *other));
            let beyond = if share(place, whole) < 0.99 {
                BEYOND
            } else {
                0.0
            };
            ON_LABEL * labels.sum::<f32>() + ON_THINGS * covered(place, &near) + beyond
        };
        let mut best = (cost(&first), first);
        for side in Side::ALL {
            // A side that costs nothing is not bettered.
            if best.0 <= NOT_WANTED {
                break;
            }
            let other = label.at(side);
            let more = if side.0 != 0 && side.1 != 0 {
                CORNER
            } else {
                0.0
            };
            let cost = cost(&other) + NOT_WANTED + more;
            if cost < best.0 {
                best = (cost, other);
            }
        }
        placed.push((label.text, best.1.bounds()));
        shapes.push(canvas::haloed(best.1, Colour::Card));
    }
    pen.canvas.extend(shapes);
}

/// To the left or right, above or below: -1, 0 or 1 each.
#[derive(Clone, Copy)]
struct Side(i8, i8);

impl Side {
    const ALL: [Side; 8] = [
        Side(0, 1),
        Side(0, -1),
        Side(1, 0),
        Side(-1, 0),
        Side(1, 1),
        Side(-1, 1),
        Side(1, -1),
        Side(-1, -1),
    ];
}

impl From<LabelSide> for Side {
    fn from(side: LabelSide) -> Side {
        match side {
            LabelSide::Above => Side(0, -1),
            LabelSide::Below => Side(0, 1),
            LabelSide::Left => Side(-1, 0),
            LabelSide::Right => Side(1, 0),
        }
    }
}

impl Wanted {
    fn at(&self, side: Side) -> Shape {
        let middle = self.rect.centre();
        let corner = side.0 != 0 && side.1 != 0;
        let gap = if corner { 0.0 } else { 3.0 };
        let (x, anchor) = match side.0 {
            0 => (middle.x, Anchor::Middle),
            1 => (self.rect.right() + gap, Anchor::Start),
            _ => (self.rect.x - gap, Anchor::End),
        };
        let away = if corner { 0.3 } else { 0.6 } * self.size;
        let y = match side.1 {
            0 => middle.y,
            1 => self.rect.bottom() + away,
            _ => self.rect.y - away,
        };
        canvas::anchored(
            Point::new(x, y),
            self.text.as_str(),
            self.size,
            Colour::Ink,
            anchor,
        )
    }
}

/// How much of one rectangle lies in another, from 0 to 1.
fn share(of: Rect, other: Rect) -> f32 {
    let width = of.right().min(other.right()) - of.x.max(other.x);
    let height = of.bottom().min(other.bottom()) - of.y.max(other.y);
    if width <= 0.0 || height <= 0.0 {
        return 0.0;
    }
    width * height / (of.width * of.height).max(1.0)
}

/// How much of a place lies on things, from 0 to 1.
pub fn covered(place: Rect, near: &[(&Shape, Rect)]) -> f32 {
    let is_ground = |bounds: &Rect| {
        let larger = bounds.width * bounds.height > GROUND * place.width * place.height;
        larger && share(place, *bounds) > 0.99
    };
    let things: Vec<&(&Shape, Rect)> = near
        .iter()
        .filter(|(_, bounds)| bounds.overlaps(place) && !is_ground(bounds))
        .collect();
    if things.is_empty() {
        return 0.0;
    }
    let is_on = |point: Point| {
        things.iter().any(|(shape, bounds)| match &shape.form {
            Form::Text(_) => bounds.contains(point),
            _ => shape.contains(point),
        })
    };
    let step = |at: usize, count: usize, from: f32, whole: f32| {
        from + whole * (at as f32 + 0.5) / count as f32
    };
    let points = (0..LOOKS.0).flat_map(|x| (0..LOOKS.1).map(move |y| (x, y)));
    let on = points.filter(|(x, y)| {
        is_on(Point::new(
            step(*x, LOOKS.0, place.x, place.width),
            step(*y, LOOKS.1, place.y, place.height),
        ))
    });
    on.count() as f32 / (LOOKS.0 * LOOKS.1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(x: f32) -> Wanted {
        Wanted {
            text: "Dortmund".to_owned(),
            rect: Rect::around(Point::new(x, 0.0), 10.0, 10.0),
            size: 10.0,
            side: LabelSide::Below,
        }
    }

    #[test]
    fn a_label_on_a_line_is_seen_to_be() {
        let line = canvas::boxed(Rect::new(-100.0, 8.0, 200.0, 10.0), 0.0);
        let near = [(&line, line.bounds())];
        let below = covered(label(0.0).at(Side(0, 1)).bounds(), &near);
        let above = covered(label(0.0).at(Side(0, -1)).bounds(), &near);
        assert!(below > 0.5 && above == 0.0, "{below} {above}");
        let map = canvas::boxed(Rect::new(-400.0, -400.0, 800.0, 800.0), 0.0);
        assert_eq!(
            covered(label(0.0).at(Side(0, 1)).bounds(), &[(&map, map.bounds())]),
            0.0
        );
    }
}
