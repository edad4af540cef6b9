//! One's own pictures on spaces, boxes, pieces and cards.

use super::pen::{Bound, Pen, Shown};
use super::scene::{Form, Rect, Shape};
use dsl::board::{Item, TemplatePart};
use dsl::source::Picture;

/// Between a picture and the edge of what it lies on, as a share of it.
const EDGE: f32 = 0.04;
/// A picture above texts takes at least this share of the height; else they lie on it.
const LEAST: f32 = 0.4;

/// What the picture of an item is, if it has one here.
pub fn of(pen: &mut Pen, item: &Item, bound: &Bound) -> Option<Picture> {
    let template = item.picture.as_ref()?;
    let mut name = String::new();
    for part in &template.parts {
        match part {
            TemplatePart::Text(text) => name.push_str(text),
            TemplatePart::Value(value) => match pen.show(value, bound) {
                Shown::Nothing | Shown::Unseen => return None,
                Shown::Number(number) => name.push_str(&number.to_string()),
                Shown::Truth(yes) => name.push_str(if yes { "true" } else { "false" }),
                Shown::Word(word) => name.push_str(&word),
                Shown::Element(_, _, element) => name.push_str(&element),
            },
        }
    }
    pen.board.plan.pictures.get(&name).cloned()
}

/// The picture in a box, above its lines of text of a size, and what is left for these.
pub fn above(picture: &Picture, (lines, size): (usize, f32), rect: Rect) -> (Option<Shape>, Rect) {
    let below = match lines {
        0 => 0.0,
        lines => lines as f32 * size * 1.15 + 2.0,
    };
    let height = rect.height - below;
    match lines > 0 && height >= rect.height * LEAST {
        true => (
            placed(picture, Rect { height, ..rect }),
            Rect::new(rect.x, rect.y + height, rect.width, below),
        ),
        false => (placed(picture, rect), rect),
    }
}

/// As large as fits, in the middle.
pub fn placed(picture: &Picture, rect: Rect) -> Option<Shape> {
    let room = rect.shrunk(rect.width.min(rect.height) * EDGE);
    let (width, height) = picture.size()?;
    let scale = (room.width / width).min(room.height / height);
    if !scale.is_finite() || scale <= 0.0 {
        return None;
    }
    let rect = Rect::around(room.centre(), width * scale, height * scale);
    Some(Shape::new(Form::Picture {
        rect,
        turn: 0.0,
        picture: picture.clone(),
    }))
}
