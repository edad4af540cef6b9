//! Cards as pictures for virtual tables: ten beside one another, seven rows, the back as the last.

use super::{Size, back, palette, units};
use crate::board::{Deck, Drawn, Fonts, Line, Path, Rect, Rgb, Shape, drawn};
use crate::picture;
use dsl::source::Picture as Source;
use std::collections::BTreeMap;
use std::sync::Arc;
use vello_cpu::color::AlphaColor;
use vello_cpu::kurbo::{Affine, Cap, Join, Stroke};
use vello_cpu::{Pixmap, RenderContext, Resources};

/// Cards beside one another, and below: what Tabletop Simulator takes.
const COLUMNS: usize = 10;
const ROWS: usize = 7;
/// No side of a picture is longer.
const PIXELS_MAX: f32 = 4096.0;

/// A picture with so many cards.
pub struct Picture {
    pub png: Vec<u8>,
    /// How many cards it has, copies included, without the back.
    pub cards: usize,
    pub columns: usize,
    pub rows: usize,
}

/// The cards of a deck, copies included, on as many pictures as they take.
///
/// # Errors
/// If a picture cannot be made.
pub fn deck_pictures(deck: &Deck, card: Size) -> Result<Vec<Picture>, String> {
    let fonts = Fonts::default();
    let faces = deck.faces.iter();
    let all: Vec<&[Shape]> = faces
        .flat_map(|face| (0..face.copies.min(1_000)).map(|_| face.shapes.as_slice()))
        .collect();
    let back = back(deck, card);
    let sheets = all.chunks(COLUMNS * ROWS - 1);
    sheets
        .map(|sheet| picture(sheet, &back, card, &fonts))
        .collect()
}

fn picture(
    sheet: &[&[Shape]],
    back: &[Shape],
    card: Size,
    fonts: &Fonts,
) -> Result<Picture, String> {
    let columns = COLUMNS.min(sheet.len() + 1).max(2);
    let rows = (sheet.len() + 1).div_ceil(columns).max(2);
    let size = units(card);
    let wide = PIXELS_MAX / COLUMNS as f32 / size.width;
    let high = PIXELS_MAX / ROWS as f32 / size.height;
    let scale = wide.min(high);
    let (width, height) = ((size.width * scale).floor(), (size.height * scale).floor());
    let whole = (width * columns as f32, height * rows as f32);
    let (pixels_wide, pixels_high) = (whole.0 as u16, whole.1 as u16);
    let mut context = RenderContext::new(pixels_wide, pixels_high);
    let mut pixels = Pixels::default();
    let last = columns * rows - 1;
    let cards = sheet.iter().copied().enumerate();
    for (at, shapes) in cards.chain([(last, back)]) {
        let (x, y) = (
            (at % columns) as f32 * width,
            (at / columns) as f32 * height,
        );
        let rect = Rect::new(0.0, 0.0, size.width, size.height);
        let turn =
            Affine::translate((f64::from(x), f64::from(y))) * Affine::scale(f64::from(scale));
        context.set_transform(turn);
        let frame =
            vello_cpu::kurbo::Rect::new(0.0, 0.0, f64::from(rect.width), f64::from(rect.height));
        context.push_clip_layer(&vello_cpu::kurbo::Shape::to_path(&frame, 0.1));
        for one in drawn(shapes, &palette(), fonts) {
            match one {
                Drawn::Path(path) => paint(&mut context, &path),
                Drawn::Letters(letters) => {
                    for path in fonts.paths(&letters) {
                        paint(&mut context, &path);
                    }
                }
                Drawn::Picture(picture, place) => {
                    let pixels = pixels.of(&picture, turn * place);
                    lay(&mut context, pixels, turn * place);
                }
            }
        }
        context.pop_layer();
    }
    let mut whole = Pixmap::new(pixels_wide, pixels_high);
    context.flush();
    context.render(&mut whole, &mut Resources::new());
    let bytes: Vec<u8> = whole
        .take_unpremultiplied()
        .iter()
        .flat_map(|pixel| [pixel.r, pixel.g, pixel.b, pixel.a])
        .collect();
    let made = image::RgbaImage::from_raw(pixels_wide.into(), pixels_high.into(), bytes);
    let made = made.ok_or("a picture cannot be made of these cards")?;
    let mut png = std::io::Cursor::new(Vec::new());
    made.write_to(&mut png, image::ImageFormat::Png)
        .map_err(|error| error.to_string())?;
    Ok(Picture {
        png: png.into_inner(),
        cards: sheet.len(),
        columns,
        rows,
    })
}

/// The pixels of pictures, each made once for a size.
#[derive(Default)]
struct Pixels(BTreeMap<(usize, u32), Option<Arc<Pixmap>>>);

impl Pixels {
    /// In the size in which it is painted. None if it cannot be drawn.
    fn of(&mut self, picture: &Source, place: Affine) -> Option<Arc<Pixmap>> {
        let longest = longest(place);
        let known = self.0.entry((picture.key(), longest));
        let made = known.or_insert_with(|| {
            let own = picture::pixels(picture, longest)?;
            let [width, height] = [own.width(), own.height()].map(|side| u16::try_from(side).ok());
            let pixels = own.pixels().map(|pixel| {
                let [r, g, b, a] = pixel.0;
                AlphaColor::from_rgba8(r, g, b, a).premultiply().to_rgba8()
            });
            Some(Arc::new(Pixmap::from_parts(
                pixels.collect(),
                width?,
                height?,
            )))
        });
        made.clone()
    }
}

/// The longer side of what a box of side 1 becomes.
pub(super) fn longest(place: Affine) -> u32 {
    let [a, b, c, d, ..] = place.as_coeffs();
    a.hypot(b).max(c.hypot(d)).ceil().max(1.0) as u32
}

fn lay(context: &mut RenderContext, pixels: Option<Arc<Pixmap>>, place: Affine) {
    let Some(pixels) = pixels else { return };
    let (width, height) = (f64::from(pixels.width()), f64::from(pixels.height()));
    let before = *context.transform();
    context.set_transform(place * Affine::scale_non_uniform(1.0 / width, 1.0 / height));
    context.set_paint(vello_cpu::Image {
        image: vello_cpu::ImageSource::Pixmap(pixels),
        sampler: vello_cpu::peniko::ImageSampler::default(),
    });
    context.fill_rect(&vello_cpu::kurbo::Rect::new(0.0, 0.0, width, height));
    context.set_transform(before);
}

fn paint(context: &mut RenderContext, one: &Path) {
    if let Some(clip) = &one.clip {
        context.push_clip_layer(clip);
    }
    let colour = |Rgb([r, g, b]): Rgb| AlphaColor::from_rgba8(r, g, b, 255);
    if let Some(fill) = one.fill {
        context.set_paint(colour(fill));
        context.fill_path(&one.path);
    }
    if let Some(line) = one.line {
        context.set_paint(colour(line.colour));
        context.set_stroke(stroke(line));
        context.stroke_path(&one.path);
    }
    if one.clip.is_some() {
        context.pop_layer();
    }
}

fn stroke(line: Line) -> Stroke {
    let width = f64::from(line.width);
    let mut stroke = Stroke::new(width);
    if line.round {
        stroke = stroke.with_caps(Cap::Round).with_join(Join::Round);
    }
    if line.dashed {
        stroke = stroke.with_dashes(0.0, [4.0 * width, 3.0 * width]);
    }
    stroke
}
