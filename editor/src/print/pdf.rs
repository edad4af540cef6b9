//! Sheets as a PDF, with the fonts that their letters are of.

use super::fonts::Embedded;
use super::picture::longest;
use super::{Page, palette};
use crate::board::{Drawn, Letters, Line, Path, Rect, Rgb, drawn};
use crate::picture;
use dsl::source::Picture;
use image::RgbaImage;
use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::types::{LineCapStyle, LineJoinStyle, TextRenderingMode};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Ref, TextStr};
use std::collections::{BTreeMap, BTreeSet};
use vello_cpu::kurbo::{Affine, BezPath, PathEl, Point};

/// Points of print in a millimetre.
const POINTS: f32 = 72.0 / 25.4;
/// Dots of pictures in a millimetre.
const DOTS: f64 = 300.0 / 25.4;

/// All sheets, one behind the other; `title` is what the file is called in readers.
pub fn pdf(pages: &[Page], title: &str) -> Vec<u8> {
    let mut pdf = Pdf::new();
    let (catalog, tree, info) = (Ref::new(1), Ref::new(2), Ref::new(3));
    let number = |at: usize, which: i32| Ref::new(4 + 2 * at as i32 + which);
    let (mut images, mut fonts) = (Images::default(), Embedded::default());
    // Pictures and fonts come behind the sheets.
    let mut next = number(pages.len(), 0);
    pdf.catalog(catalog).pages(tree);
    let kids = (0..pages.len()).map(|at| number(at, 0));
    pdf.pages(tree).kids(kids).count(pages.len() as i32);
    pdf.document_info(info).title(TextStr(title));
    for (at, page) in pages.iter().enumerate() {
        images.used.clear();
        let paper = page.paper;
        let height = paper.height * POINTS;
        let content = content(page, height, &mut fonts, &mut images, &mut next);
        let stream = content.finish().to_vec();
        let width = paper.width * POINTS;
        let mut written = pdf.page(number(at, 0));
        written
            .media_box(pdf_writer::Rect::new(0.0, 0.0, width, height))
            .parent(tree)
            .contents(number(at, 1));
        let mut resources = written.resources();
        let mut objects = resources.x_objects();
        for image in &images.used {
            objects.pair(Name(name(*image).as_bytes()), images.all[*image].0);
        }
        objects.finish();
        fonts.name_in(&mut resources.fonts());
        resources.finish();
        written.finish();
        pdf.stream(number(at, 1), &packed(&stream))
            .filter(Filter::FlateDecode);
    }
    for (id, image) in &images.all {
        embed(&mut pdf, image, *id, next.bump());
    }
    fonts.embed(&mut pdf, &mut next);
    pdf.finish()
}

pub(super) fn packed(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec_zlib(bytes, 6)
}

/// Pictures of all pages, each once for a size.
#[derive(Default)]
struct Images {
    all: Vec<(Ref, RgbaImage)>,
    /// Which of them a picture is; none: it cannot be drawn.
    known: BTreeMap<(usize, u32), Option<usize>>,
    /// Of the page being made.
    used: BTreeSet<usize>,
}

impl Images {
    fn of(&mut self, picture: &Picture, place: Affine, next: &mut Ref) -> Option<usize> {
        // A box of side 1 is a millimetre.
        let longest = longest(place * Affine::scale(DOTS));
        let known = self.known.entry((picture.key(), longest));
        let found = *known.or_insert_with(|| {
            let pixels = picture::pixels(picture, longest)?;
            self.all.push((next.bump(), pixels));
            Some(self.all.len() - 1)
        });
        self.used.extend(found);
        found
    }
}

fn name(image: usize) -> String {
    format!("P{image}")
}

/// Colours, and what is seen through them.
fn embed(pdf: &mut Pdf, image: &RgbaImage, id: Ref, mask: Ref) {
    let (width, height) = (image.width() as i32, image.height() as i32);
    let colours: Vec<u8> = image
        .pixels()
        .flat_map(|pixel| [pixel.0[0], pixel.0[1], pixel.0[2]])
        .collect();
    let through: Vec<u8> = image.pixels().map(|pixel| pixel.0[3]).collect();
    let colours = packed(&colours);
    let mut object = pdf.image_xobject(id, &colours);
    object.width(width).height(height).bits_per_component(8);
    object.color_space().device_rgb();
    object.s_mask(mask).filter(Filter::FlateDecode);
    object.finish();
    let through = packed(&through);
    let mut object = pdf.image_xobject(mask, &through);
    object.width(width).height(height).bits_per_component(8);
    object.color_space().device_gray();
    object.filter(Filter::FlateDecode);
}

fn content(
    page: &Page,
    height: f32,
    fonts: &mut Embedded,
    images: &mut Images,
    next: &mut Ref,
) -> Content {
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
        for one in drawn(&part.shapes, &palette(), &fonts.fonts) {
            match one {
                Drawn::Path(path) => paint(&mut content, &path),
                Drawn::Letters(letters) => write(&mut content, &letters, fonts, next),
                Drawn::Picture(picture, place) => {
                    if let Some(image) = images.of(&picture, place, next) {
                        lay(&mut content, image, place);
                    }
                }
            }
        }
        content.restore_state();
    }
    content
}

/// In files, the first line of a picture is the upper one, and up is more.
fn lay(content: &mut Content, image: usize, place: Affine) {
    let upright = place * Affine::new([1.0, 0.0, 0.0, -1.0, 0.0, 1.0]);
    content
        .save_state()
        .transform(upright.as_coeffs().map(|part| part as f32))
        .x_object(Name(name(image).as_bytes()))
        .restore_state();
}

/// Letters in their own fonts, so that they are found and copied; what is around them is a path, so that it is not found again.
fn write(content: &mut Content, letters: &Letters, fonts: &mut Embedded, next: &mut Ref) {
    if letters.text.trim().is_empty() {
        return;
    }
    if let Some(halo) = fonts.fonts.halo(letters) {
        paint(content, &halo);
    }
    content.save_state();
    let [r, g, b] = parts(letters.colour);
    content.set_fill_rgb(r, g, b);
    if let Some(line) = letters.bold {
        set_line(content, line);
        content.set_text_rendering_mode(TextRenderingMode::FillStroke);
    }
    fonts.write(content, letters, next);
    content.restore_state();
}

fn paint(content: &mut Content, one: &Path) {
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
