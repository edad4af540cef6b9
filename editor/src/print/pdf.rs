//! Sheets as a PDF; letters are drawn, so that no font is needed to read it.

use super::{Page, Size, palette};
use crate::board::{Drawn, Fonts, Line, Rect, Rgb, drawn};
use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Finish, Pdf, Ref, TextStr};
use vello_cpu::kurbo::{BezPath, PathEl, Point};

/// Points of print in a millimetre.
const POINTS: f32 = 72.0 / 25.4;

/// All sheets, one behind the other; `title` is what the file is called in readers.
pub fn pdf(pages: &[Page], paper: Size, title: &str) -> Vec<u8> {
    let fonts = Fonts::default();
    let mut pdf = Pdf::new();
    let (catalog, tree, info) = (Ref::new(1), Ref::new(2), Ref::new(3));
    let number = |at: usize, which: i32| Ref::new(4 + 2 * at as i32 + which);
    pdf.catalog(catalog).pages(tree);
    let kids = (0..pages.len()).map(|at| number(at, 0));
    pdf.pages(tree).kids(kids).count(pages.len() as i32);
    pdf.document_info(info).title(TextStr(title));
    for (at, page) in pages.iter().enumerate() {
        let (width, height) = (paper.width * POINTS, paper.height * POINTS);
        let mut written = pdf.page(number(at, 0));
        written
            .media_box(pdf_writer::Rect::new(0.0, 0.0, width, height))
            .parent(tree)
            .contents(number(at, 1));
        written.resources();
        written.finish();
        pdf.stream(number(at, 1), &content(page, height, &fonts));
    }
    pdf.finish()
}

fn content(page: &Page, height: f32, fonts: &Fonts) -> Vec<u8> {
    let mut content = Content::new();
    // From millimetres, downwards, to points, upwards.
    content.transform([POINTS, 0.0, 0.0, -POINTS, 0.0, height]);
    for part in &page.parts {
        content.save_state();
        if let Some(Rect {
            x,
            y,
            width,
            height,
        }) = part.frame
        {
            content.rect(x, y, width, height).clip_nonzero().end_path();
        }
        for one in drawn(&part.shapes, &palette(), fonts) {
            paint(&mut content, &one);
        }
        content.restore_state();
    }
    content.finish().to_vec()
}

fn paint(content: &mut Content, one: &Drawn) {
    content.save_state();
    if let Some(clip) = &one.clip {
        follow(content, clip);
        content.clip_nonzero().end_path();
    }
    if let Some(fill) = one.fill {
        let [r, g, b] = parts(fill);
        content.set_fill_rgb(r, g, b);
    }
    if let Some(line) = one.line {
        set_line(content, line);
    }
    follow(content, &one.path);
    match (one.fill.is_some(), one.line.is_some()) {
        (true, true) => content.fill_nonzero_and_stroke(),
        (true, false) => content.fill_nonzero(),
        (false, true) => content.stroke(),
        (false, false) => content.end_path(),
    };
    content.restore_state();
}

fn set_line(content: &mut Content, line: Line) {
    let [r, g, b] = parts(line.colour);
    content.set_stroke_rgb(r, g, b).set_line_width(line.width);
    if line.round {
        content
            .set_line_cap(LineCapStyle::RoundCap)
            .set_line_join(LineJoinStyle::RoundJoin);
    }
    if line.dashed {
        content.set_dash_pattern([4.0 * line.width, 3.0 * line.width], 0.0);
    }
}

fn parts(colour: Rgb) -> [f32; 3] {
    colour.0.map(|part| f32::from(part) / 255.0)
}

fn follow(content: &mut Content, path: &BezPath) {
    let mut last = Point::ZERO;
    for step in path.elements() {
        match *step {
            PathEl::MoveTo(to) => {
                content.move_to(to.x as f32, to.y as f32);
                last = to;
            }
            PathEl::LineTo(to) => {
                content.line_to(to.x as f32, to.y as f32);
                last = to;
            }
            PathEl::QuadTo(by, to) => {
                // The same curve, of a degree more.
                let (one, two) = (last.lerp(by, 2.0 / 3.0), to.lerp(by, 2.0 / 3.0));
                curve(content, one, two, to);
                last = to;
            }
            PathEl::CurveTo(one, two, to) => {
                curve(content, one, two, to);
                last = to;
            }
            PathEl::ClosePath => {
                content.close_path();
            }
        }
    }
}

fn curve(content: &mut Content, one: Point, two: Point, to: Point) {
    content.cubic_to(
        one.x as f32,
        one.y as f32,
        two.x as f32,
        two.y as f32,
        to.x as f32,
        to.y as f32,
    );
}
