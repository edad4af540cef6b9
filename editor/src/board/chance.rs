//! What chance has put on a board: it is not printed, since it lies elsewhere in the next game.

use super::palette::Colour;
use super::scene::{Form, Point, Scene, Shape};

/// The first of several drawings of one board, each of a game set up with other luck, without what is not the same in all of them. Of
/// what only has another colour in each the outline stays.
pub fn without(mut scenes: Vec<Scene>) -> Scene {
    let others = scenes.split_off(scenes.len().min(1));
    let mut scene = scenes.pop().unwrap_or_default();
    let shifts: Vec<Vec<Point>> = others.iter().map(|other| shifts(&scene, other)).collect();
    let mut kept = Vec::with_capacity(scene.shapes.len());
    for (at, shape) in std::mem::take(&mut scene.shapes).into_iter().enumerate() {
        let area = scene.areas.iter().position(|area| {
            let middle = shape.bounds().centre();
            area.rect.contains(middle)
        });
        let each = others.iter().zip(&shifts);
        let like = each.map(|(other, shifts)| {
            let shift = area.and_then(|area| shifts.get(area).copied());
            likeness(&shape, at, other, shift.unwrap_or(Point::new(0.0, 0.0)))
        });
        match like.min().unwrap_or(Likeness::Same) {
            Likeness::Same => kept.push(shape),
            Likeness::Outline => kept.push(Shape {
                fill: shape.fill.map(|_| Colour::Card),
                pattern: None,
                ..shape
            }),
            Likeness::None => {}
        }
    }
    scene.shapes = kept;
    scene
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    None,
    /// It has the same place and form.
    Outline,
    Same,
}

/// How far each area of the other drawing lies from where it lies in this one.
fn shifts(scene: &Scene, other: &Scene) -> Vec<Point> {
    let pairs = scene.areas.iter().zip(&other.areas);
    let shifts =
        pairs.map(|(one, other)| Point::new(other.rect.x - one.rect.x, other.rect.y - one.rect.y));
    shifts.collect()
}

/// How like a shape is what lies in its place in another drawing; most often it has the same number there.
fn likeness(shape: &Shape, at: usize, other: &Scene, shift: Point) -> Likeness {
    let there = match shift == Point::new(0.0, 0.0) {
        true => shape.clone(),
        false => shape.clone().moved(1.0, shift),
    };
    let first = other.shapes.get(at).into_iter();
    let mut shapes = first.chain(&other.shapes);
    if shapes.clone().any(|other| other.looks_like(&there)) {
        return Likeness::Same;
    }
    let outlined = !matches!(there.form, Form::Text(_) | Form::Picture { .. });
    match outlined && shapes.any(|other| other.form == there.form) {
        true => Likeness::Outline,
        false => Likeness::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Rect;
    use crate::board::canvas::{boxed, text};

    /// A place, something on it in this colour, a name beside it, and what stands there else.
    fn drawing(colour: Colour, word: &str, more: Vec<Shape>) -> Scene {
        let place = boxed(Rect::new(0.0, 0.0, 40.0, 20.0), 2.0).filled(Colour::Card);
        let token = Form::Circle {
            centre: Point::new(10.0, 10.0),
            radius: 4.0,
        };
        let mut shapes = vec![place, Shape::new(token).filled(colour)];
        shapes.push(text(Point::new(30.0, 10.0), word, 5.0, Colour::Ink));
        shapes.extend(more);
        Scene {
            shapes,
            ..Scene::default()
        }
    }

    #[test]
    fn what_is_the_same_stays_and_of_colours_the_outline() {
        let drawings = vec![
            drawing(Colour::Highlight, "3", Vec::new()),
            drawing(Colour::Muted, "5", Vec::new()),
        ];
        let left = without(drawings).shapes;
        assert_eq!(left.len(), 2);
        assert_eq!(left[1].fill, Some(Colour::Card));
        let same = drawing(Colour::Highlight, "3", Vec::new());
        let left = without(vec![same.clone(), same.clone()]);
        assert_eq!(left.shapes, same.shapes);
    }

    #[test]
    fn what_lies_elsewhere_in_other_games_is_left_out() {
        let cube = |x: f32| boxed(Rect::new(x, 30.0, 5.0, 5.0), 0.0).filled(Colour::Ink);
        let drawings = [0.0, 9.0, 18.0].map(|x| drawing(Colour::Ink, "3", vec![cube(x)]));
        let left = without(drawings.to_vec());
        assert_eq!(left.shapes.len(), 3);
    }
}
