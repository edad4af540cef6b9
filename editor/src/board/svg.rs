//! The display list as SVG.

use super::palette::{Colour, Palette};
use super::scene::{Anchor, Form, Pattern, Point, Scene, Shape, Text};
use crate::escape::escaped;
use crate::picture;
use dsl::source::Picture;
use std::collections::BTreeSet;
use std::fmt::Write;

/// One picture without anything from outside; `title` is what it shows.
pub fn svg(scene: &Scene, title: &str, palette: &Palette) -> String {
    let mut out = String::new();
    let (width, height) = (scene.size.width.ceil(), scene.size.height.ceil());
    // Writing into a string cannot fail.
    let _ = writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" font-family="DejaVu Sans, Noto Sans, Arial, sans-serif">"#
    );
    let _ = writeln!(out, "<title>{}</title>", escaped(title));
    patterns(&mut out, &hex(palette, Colour::Paper));
    pictures(&mut out, scene);
    for shape in &scene.shapes {
        draw(&mut out, shape, palette);
    }
    out.push_str("</svg>\n");
    out
}

fn patterns(out: &mut String, colour: &str) {
    let _ = writeln!(
        out,
        r#"<defs><pattern id="hatched" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M0 6L6 0" stroke="{colour}" stroke-opacity="0.5"/></pattern><pattern id="crossed" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M0 6L6 0M0 0L6 6" stroke="{colour}" stroke-opacity="0.5"/></pattern><pattern id="dotted" width="5" height="5" patternUnits="userSpaceOnUse"><circle cx="2" cy="2" r="1" fill="{colour}" fill-opacity="0.6"/></pattern></defs>"#
    );
}

/// Each picture once, in a box of side 1, to be drawn by its name.
fn pictures(out: &mut String, scene: &Scene) {
    let mut known = BTreeSet::new();
    for shape in &scene.shapes {
        if let Form::Picture { picture, .. } = &shape.form
            && known.insert(picture.path())
        {
            let (id, address) = (name_of(picture), picture::address(picture));
            let _ = writeln!(
                out,
                r#"<defs><image id="{id}" width="1" height="1" preserveAspectRatio="none" href="{address}"/></defs>"#
            );
        }
    }
}

fn name_of(picture: &Picture) -> String {
    escaped(&format!("picture:{}", picture.path().replace(' ', "_")))
}

fn draw(out: &mut String, shape: &Shape, palette: &Palette) {
    let mut paint = shape.fill.map_or_else(
        || " fill=\"none\"".to_owned(),
        |fill| format!(" fill=\"{}\"", hex(palette, fill)),
    );
    if let Some(stroke) = shape.stroke {
        let _ = write!(
            paint,
            r#" stroke="{}" stroke-width="{}""#,
            hex(palette, stroke.colour),
            short(stroke.width)
        );
        if stroke.dashed {
            paint.push_str(r#" stroke-dasharray="4 3""#);
        }
        if matches!(shape.form, Form::Polyline(_)) {
            paint.push_str(r#" stroke-linecap="round" stroke-linejoin="round""#);
        }
    }
    element(out, shape, &paint, &shape.name);
    if let Some(pattern) = shape.pattern {
        let id = match pattern {
            Pattern::Hatched => "hatched",
            Pattern::Crossed => "crossed",
            Pattern::Dotted => "dotted",
        };
        element(out, shape, &format!(r#" fill="url(#{id})""#), "");
    }
}

fn element(out: &mut String, shape: &Shape, paint: &str, name: &str) {
    let title = if name.is_empty() {
        String::new()
    } else {
        format!("<title>{}</title>", escaped(name))
    };
    let _ = match &shape.form {
        Form::Rect { rect, corner, turn } => {
            let turned = turning(*turn, rect.centre());
            let (x, y) = (short(rect.x), short(rect.y));
            let (width, height) = (short(rect.width), short(rect.height));
            let corner = short(*corner);
            writeln!(
                out,
                r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{corner}"{turned}{paint}>{title}</rect>"#
            )
        }
        Form::Circle { centre, radius } => writeln!(
            out,
            r#"<circle cx="{}" cy="{}" r="{}"{paint}>{title}</circle>"#,
            short(centre.x),
            short(centre.y),
            short(*radius)
        ),
        Form::Polygon(points) => writeln!(
            out,
            r#"<polygon points="{}"{paint}>{title}</polygon>"#,
            listed(points)
        ),
        Form::Polyline(points) => writeln!(
            out,
            r#"<polyline points="{}"{paint}>{title}</polyline>"#,
            listed(points)
        ),
        Form::Text(text) => write_text(out, text, paint),
        Form::Picture {
            rect,
            turn,
            picture,
        } => {
            let turned = match *turn {
                0.0 => String::new(),
                turn => format!(
                    "rotate({} {} {}) ",
                    short(turn),
                    short(rect.centre().x),
                    short(rect.centre().y)
                ),
            };
            let (x, y) = (short(rect.x), short(rect.y));
            let (width, height) = (short(rect.width), short(rect.height));
            let id = name_of(picture);
            writeln!(
                out,
                r##"<use href="#{id}" transform="{turned}translate({x} {y}) scale({width} {height})">{title}</use>"##
            )
        }
    };
}

fn write_text(out: &mut String, text: &Text, paint: &str) -> std::fmt::Result {
    let anchor = match text.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let weight = if text.bold {
        r#" font-weight="bold""#
    } else {
        ""
    };
    let turned = turning(text.turn, text.at);
    let (x, size) = (short(text.at.x), short(text.size));
    // Letters stand on a line a third of their height below the middle.
    let y = short(text.at.y + text.size * 0.35);
    let words = escaped(&text.text);
    if text.halo.is_some() {
        let width = short(text.size * 0.28);
        writeln!(
            out,
            r##"<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}"{weight}{turned} fill="none" stroke="#fdfcf9" stroke-opacity="0.85" stroke-width="{width}" stroke-linejoin="round">{words}</text>"##
        )?;
    }
    writeln!(
        out,
        r#"<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}"{weight}{turned}{paint}>{words}</text>"#
    )
}

fn turning(degrees: f32, around: Point) -> String {
    if degrees == 0.0 {
        return String::new();
    }
    format!(
        r#" transform="rotate({} {} {})""#,
        short(degrees),
        short(around.x),
        short(around.y)
    )
}

fn listed(points: &[Point]) -> String {
    let texts = points
        .iter()
        .map(|point| format!("{},{}", short(point.x), short(point.y)));
    texts.collect::<Vec<_>>().join(" ")
}

/// With one digit behind the point at most.
fn short(number: f32) -> f32 {
    (number * 10.0).round() / 10.0
}

fn hex(palette: &Palette, colour: Colour) -> String {
    let [r, g, b] = palette.rgb(colour).0;
    format!("#{r:02x}{g:02x}{b:02x}")
}
