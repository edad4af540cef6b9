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

/// Sizes that letters are tried in, as shares of the size wanted.
const SHARES: [f32; 6] = [1.0, 0.92, 0.84, 0.76, 0.69, SHRINK_MIN];
/// Height of a line, as a share of its letters.
const LINE: f32 = 1.15;
/// Letters are never smaller.
const LEAST: f32 = 5.0;

/// Lines of text in the middle of a box, all in one size that fits; long ones go on in the next line where there is room.
pub fn lines(rect: Rect, lines: &[String], size: f32, colour: Colour) -> Vec<Shape> {
    let filled: Vec<&String> = lines
        .iter()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let whole = SHARES.iter().find_map(|share| {
        let size = size * share;
        let all: Vec<String> = filled
            .iter()
            .flat_map(|line| wrapped(line, size, rect.width))
            .collect();
        let high = size * (LINE * all.len() as f32 - (LINE - 0.95)) <= rect.height;
        let wide = |line: &String| Text::width_of(line, size) <= rect.width;
        (high && all.iter().all(wide)).then_some((size, all))
    });
    // What does not fit is cut off, line by line.
    let (size, all) = whole.unwrap_or_else(|| {
        let height = rect.height / filled.len().max(1) as f32;
        let all = filled.iter().map(|line| (*line).clone());
        (size.min(height * 0.95).max(LEAST), all.collect())
    });
    let step = (size * LINE).min(rect.height.max(LEAST) / all.len().max(1) as f32);
    let top = rect.centre().y - step * (all.len() as f32 - 1.0) / 2.0;
    let shapes = all.into_iter().enumerate().map(|(at, line)| {
        let place = Point::new(rect.centre().x, top + at as f32 * step);
        fitted(text(place, line, size, colour), rect.width)
    });
    shapes.collect()
}

/// A text in as many lines as it takes at a width.
fn wrapped(text: &str, size: f32, width: f32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let longer = lines.last().map(|line| format!("{line} {word}"));
        match (lines.last_mut(), longer) {
            (Some(line), Some(longer)) if Text::width_of(&longer, size) <= width => *line = longer,
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
