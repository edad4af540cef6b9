//! Shapes that most things are made of.

use super::palette::Colour;
use super::scene::{Anchor, Form, Point, Rect, Shape, Text};

/// Letters are not made smaller than this share of the size wanted.
const SHRINK_MIN: f32 = 0.62;

pub fn boxed(rect: Rect, corner: f32) -> Shape {
    turned(rect, corner, 0.0)
}

pub fn turned(rect: Rect, corner: f32, turn: f32) -> Shape {
    Shape::new(Form::Rect { rect, corner, turn })
}

pub fn circle(centre: Point, radius: f32) -> Shape {
    Shape::new(Form::Circle { centre, radius })
}

pub fn diamond(rect: Rect) -> Shape {
    let middle = rect.centre();
    Shape::new(Form::Polygon(vec![
        Point::new(middle.x, rect.y),
        Point::new(rect.right(), middle.y),
        Point::new(middle.x, rect.bottom()),
        Point::new(rect.x, middle.y),
    ]))
}

/// A text in the middle of a place.
pub fn text(at: Point, text: impl Into<String>, size: f32, colour: Colour) -> Shape {
    anchored(at, text, size, colour, Anchor::Middle)
}

pub fn anchored(
    at: Point,
    text: impl Into<String>,
    size: f32,
    colour: Colour,
    anchor: Anchor,
) -> Shape {
    Shape::new(Form::Text(Text {
        at,
        text: text.into(),
        size,
        anchor,
        turn: 0.0,
        bold: false,
        halo: None,
    }))
    .filled(colour)
}

pub fn bold(mut shape: Shape) -> Shape {
    if let Form::Text(text) = &mut shape.form {
        text.bold = true;
    }
    shape
}

/// Can be read on anything.
pub fn haloed(mut shape: Shape, colour: Colour) -> Shape {
    if let Form::Text(text) = &mut shape.form {
        text.halo = Some(colour);
    }
    shape
}

/// Makes a text fit a width: smaller letters first, then fewer.
pub fn fitted(mut shape: Shape, width: f32) -> Shape {
    if let Form::Text(text) = &mut shape.form {
        let wanted = Text::width_of(&text.text, text.size);
        if wanted > width {
            text.size *= (width / wanted).max(SHRINK_MIN);
        }
        if Text::width_of(&text.text, text.size) > width {
            let kept = Text::fitting(&text.text, text.size, width);
            text.text = format!("{}…", kept.trim_end());
        }
    }
    shape
}

/// Lines of text in the middle of a box, all in one size that fits.
pub fn lines(rect: Rect, lines: &[String], size: f32, colour: Colour) -> Vec<Shape> {
    let filled: Vec<&String> = lines.iter().filter(|line| !line.is_empty()).collect();
    let height = rect.height / filled.len().max(1) as f32;
    let size = size.min(height * 0.95);
    let step = (size * 1.15).min(height);
    let top = rect.centre().y - step * (filled.len() as f32 - 1.0) / 2.0;
    let shapes = filled.iter().enumerate().map(|(at, line)| {
        let place = Point::new(rect.centre().x, top + at as f32 * step);
        fitted(text(place, line.as_str(), size, colour), rect.width)
    });
    shapes.collect()
}
