//! What a game consists of on sheets of paper: cards with their backs, boards over several sheets, in real sizes.
//!
//! Lengths are millimetres. What is drawn is what the window draws; here it is only laid out on sheets.

mod book;
mod decks;
mod fonts;
mod pdf;
mod picture;

pub use book::Sheets;
pub use decks::{Change, changed};
pub use pdf::pdf;
pub use picture::{Picture, deck_pictures};

use crate::board::{Anchor, Colour, Form, Point, Rect, Shape};
use crate::board::{Deck, Face, Fonts, Palette, Scene, canvas};

/// Around what is printed; no printer reaches the edge.
pub const MARGIN: f32 = 10.0;
/// What neighbouring sheets of a board have in common.
pub const OVERLAP: f32 = 8.0;
/// Length of the marks along which is cut.
const MARK: f32 = 4.0;
/// Between what is printed and the marks.
const MARK_GAP: f32 = 1.0;
const MARK_WIDTH: f32 = 0.15;
const NOTE: f32 = 3.0;
/// Sheets of one call.
pub const PAGES_MAX: usize = 400;

/// A size in millimetres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    pub width: f32,
    pub height: f32,
}

impl Size {
    pub const A4: Size = Size::new(210.0, 297.0);
    pub const LETTER: Size = Size::new(215.9, 279.4);
    pub const POKER: Size = Size::new(63.0, 88.0);
    pub const MINI_EURO: Size = Size::new(44.0, 67.0);
    pub const SQUARE: Size = Size::new(50.0, 50.0);

    pub const fn new(width: f32, height: f32) -> Size {
        Size { width, height }
    }

    /// The same lying on its other side.
    fn turned(self) -> Size {
        Size::new(self.height, self.width)
    }
}

/// A sheet of paper.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    pub paper: Size,
    pub parts: Vec<Part>,
}

/// Shapes in millimetres, of which only what lies in a frame is seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub shapes: Vec<Shape>,
    pub frame: Option<Rect>,
}

/// How cards are cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    pub card: Size,
    /// How far a card's ground goes on beyond its edges, so that a cut beside them leaves nothing white.
    pub bleed: f32,
}

impl Cut {
    /// What a card takes of a sheet.
    fn whole(self) -> Size {
        let around = 2.0 * self.bleed;
        Size::new(self.card.width + around, self.card.height + around)
    }
}

/// How many cards lie beside and below one another on a sheet, and where the first begins.
struct Grid {
    columns: usize,
    rows: usize,
    left: f32,
    top: f32,
    cut: Cut,
}

impl Grid {
    /// # Errors
    /// If not even one card fits.
    fn new(paper: Size, cut: Cut) -> Result<Grid, String> {
        let card = cut.whole();
        let fits = |room: f32, one: f32| ((room - 2.0 * MARGIN) / one + 1e-3).floor() as usize;
        let (columns, rows) = (
            fits(paper.width, card.width),
            fits(paper.height, card.height),
        );
        if columns == 0 || rows == 0 {
            let (width, height) = (paper.width - 2.0 * MARGIN, paper.height - 2.0 * MARGIN);
            return Err(format!(
                "a card of {} × {} mm does not fit on a sheet, which has room for {width} × {height} mm",
                card.width, card.height
            ));
        }
        Ok(Grid {
            columns,
            rows,
            left: (paper.width - columns as f32 * card.width) / 2.0,
            top: (paper.height - rows as f32 * card.height) / 2.0,
            cut,
        })
    }

    /// The place of a card; `mirrored`: as it lies on the other side of the sheet.
    fn place(&self, at: usize, mirrored: bool) -> Rect {
        let (row, column) = (at / self.columns, at % self.columns);
        let column = if mirrored {
            self.columns - 1 - column
        } else {
            column
        };
        let (whole, bleed) = (self.cut.whole(), self.cut.bleed);
        Rect::new(
            self.left + column as f32 * whole.width + bleed,
            self.top + row as f32 * whole.height + bleed,
            self.cut.card.width,
            self.cut.card.height,
        )
    }

    /// Marks at the edge, along which is cut.
    fn marks(&self) -> Part {
        let mut shapes = Vec::new();
        let (whole, card, bleed) = (self.cut.whole(), self.cut.card, self.cut.bleed);
        let right = self.left + self.columns as f32 * whole.width;
        let bottom = self.top + self.rows as f32 * whole.height;
        let mut mark = |from: (f32, f32), to: (f32, f32)| {
            let points = vec![Point::new(from.0, from.1), Point::new(to.0, to.1)];
            shapes.push(Shape::new(Form::Polyline(points)).stroked(Colour::Ink, MARK_WIDTH));
        };
        // Where one card ends the next begins, if there is nothing between them.
        let cuts = |count: usize, begin: f32, step: f32, side: f32| {
            let each = move |at: usize| {
                let edge = begin + at as f32 * step + bleed;
                [edge, edge + side]
            };
            let mut all: Vec<f32> = (0..count).flat_map(each).collect();
            all.dedup_by(|one, other| (*one - *other).abs() < 1e-3);
            all
        };
        for x in cuts(self.columns, self.left, whole.width, card.width) {
            mark((x, self.top - MARK_GAP - MARK), (x, self.top - MARK_GAP));
            mark((x, bottom + MARK_GAP), (x, bottom + MARK_GAP + MARK));
        }
        for y in cuts(self.rows, self.top, whole.height, card.height) {
            mark((self.left - MARK_GAP - MARK, y), (self.left - MARK_GAP, y));
            mark((right + MARK_GAP, y), (right + MARK_GAP + MARK, y));
        }
        Part {
            shapes,
            frame: None,
        }
    }
}

/// Height of the smallest letters that are read on paper: 6 points.
pub const LEAST: f32 = 2.1;

/// Board units in a millimetre of a card: as wide as cards lie on boards, so that as much fits on them.
pub const UNITS: f32 = 1.25;

/// Size of the faces of a deck in board units.
pub fn units(card: Size) -> crate::board::Size {
    crate::board::Size {
        width: card.width * UNITS,
        height: card.height * UNITS,
    }
}

/// Points further away from the middle of a place, by so much of its shorter side.
fn widened(points: &[Point], place: Rect, by: f32) -> Vec<Point> {
    let more = 1.0 + 2.0 * by / place.width.min(place.height);
    let centre = place.centre();
    let away = |from: f32, to: f32| from + (to - from) * more;
    let points = points.iter();
    points
        .map(|point| Point::new(away(centre.x, point.x), away(centre.y, point.y)))
        .collect()
}

/// Shapes made in [`units`], at a place of a sheet; the first one, which is their ground, goes on beyond it.
fn placed(shapes: &[Shape], place: Rect, bleed: f32) -> Part {
    let mut shapes: Vec<Shape> = shapes.to_vec();
    if bleed > 0.0
        && let Some(ground) = shapes.first_mut()
    {
        let size = units(Size::new(place.width, place.height));
        let whole = Rect::new(0.0, 0.0, size.width, size.height);
        match &mut ground.form {
            Form::Rect { rect, corner, .. } => {
                *rect = rect.shrunk(-bleed * UNITS);
                *corner = 0.0;
                ground.stroke = None;
            }
            Form::Polygon(points) => *points = widened(points, whole, bleed * UNITS),
            _ => {}
        }
    }
    let shapes = shapes.into_iter();
    let shapes = shapes.map(|shape| shape.moved(1.0 / UNITS, Point::new(place.x, place.y)));
    Part {
        shapes: shapes.collect(),
        frame: Some(place.shrunk(-bleed)),
    }
}

/// Cards with their copies, row by row; with `backs` each sheet is followed by one for its other side, to be turned over its
/// long edge.
///
/// # Errors
/// If a card is larger than a sheet, or there are too many.
pub fn cards(deck: &Deck, cut: Cut, paper: Size, backs: bool) -> Result<Vec<Page>, String> {
    let grid = Grid::new(paper, cut)?;
    let each = deck.faces.iter().flat_map(|face| {
        let copies = (0..face.copies).map(move |_| face);
        copies.take(PAGES_MAX * grid.columns * grid.rows + 1)
    });
    let limit = PAGES_MAX * grid.columns * grid.rows;
    let all: Vec<&Face> = each.take(limit + 1).collect();
    if all.len() > limit {
        return Err(format!(
            "the cards of `{}` are more than fit on {PAGES_MAX} sheets",
            deck.title()
        ));
    }
    let back = back(deck, cut.card);
    let mut pages = Vec::new();
    for sheet in all.chunks(grid.columns * grid.rows) {
        let mut page = Page {
            paper,
            parts: vec![grid.marks()],
        };
        for (at, face) in sheet.iter().enumerate() {
            let place = grid.place(at, false);
            page.parts.push(placed(&face.shapes, place, cut.bleed));
        }
        pages.push(page);
        if backs {
            let places = (0..sheet.len()).map(|at| grid.place(at, true));
            let parts = places.map(|place| placed(&back, place, cut.bleed));
            pages.push(Page {
                paper,
                parts: parts.collect(),
            });
        }
    }
    Ok(pages)
}

/// The other side of a card: the same for all of a deck.
pub fn back(deck: &Deck, card: Size) -> Vec<Shape> {
    let size = units(card);
    let rect = Rect::new(0.0, 0.0, size.width, size.height);
    let mut ground = canvas::boxed(rect, 0.0).filled(Colour::Muted);
    ground.pattern = Some(crate::board::Pattern::Crossed);
    let name = deck.back.clone().unwrap_or_else(|| deck.called.clone());
    // Long names go on in the next line.
    let room = Rect::around(rect.centre(), rect.width * 0.72 - 8.0, rect.height * 0.4);
    let title = canvas::lines(room, &[name], (11.0, LEAST * UNITS), Colour::Ink);
    let bounds = title.shapes.iter().map(Shape::bounds);
    let height = bounds.reduce(|all, next| all.union(next));
    let height = height.map_or(0.0, |all| all.height) + 7.0;
    let plate = Rect::around(rect.centre(), rect.width * 0.72, height.max(18.0));
    let mut shapes = vec![ground, canvas::boxed(plate, 4.0).filled(Colour::Card)];
    shapes.extend(title.shapes.into_iter().map(canvas::bold));
    shapes
}

/// A board is made so much smaller, where it fits on one sheet then.
const SMALLER: f32 = 0.8;

/// How a board lies on paper.
struct Laid {
    /// A sheet, as it lies.
    paper: Size,
    /// Millimetres in a unit of the board.
    scale: f32,
    columns: usize,
    rows: usize,
}

impl Laid {
    /// What of a sheet is printed on.
    fn inner(&self) -> Size {
        Size::new(
            self.paper.width - 2.0 * MARGIN,
            self.paper.height - 2.0 * MARGIN,
        )
    }

    /// The sheets lie as it takes fewer of them; without a width the board is as wide as it is drawn, or a little smaller if it is
    /// on one sheet then.
    fn new(part: Rect, width: Option<f32>, paper: Size) -> Laid {
        let at = |paper: Size, scale: f32| {
            let mut laid = Laid {
                paper,
                scale,
                columns: 1,
                rows: 1,
            };
            let inner = laid.inner();
            let count = |room: f32, whole: f32| match whole <= room + 1e-3 {
                true => 1,
                false => ((whole - OVERLAP) / (room - OVERLAP)).ceil() as usize,
            };
            laid.columns = count(inner.width, part.width * scale);
            laid.rows = count(inner.height, part.height * scale);
            laid
        };
        let fitting = |paper: Size| {
            let inner = at(paper, 1.0).inner();
            (inner.width / part.width.max(1.0)).min(inner.height / part.height.max(1.0))
        };
        let each = [paper, paper.turned()].map(|paper| {
            let scale = match width {
                Some(width) => width / part.width.max(1.0),
                None if fitting(paper) >= SMALLER => fitting(paper).min(1.0),
                None => 1.0,
            };
            at(paper, scale)
        });
        let [upright, turned] = each;
        let needed = |laid: &Laid| laid.columns.saturating_mul(laid.rows);
        let fewer = needed(&turned) < needed(&upright);
        let larger = needed(&turned) == needed(&upright) && turned.scale > upright.scale;
        if fewer || larger { turned } else { upright }
    }
}

/// How wide, in whole millimetres, a part of the board may be at most to lie on so many sheets beside and so many below one another.
pub fn widest(part: Rect, paper: Size, sheets: usize) -> f32 {
    let whole = |side: f32| {
        let inner = side - 2.0 * MARGIN;
        inner * sheets as f32 - OVERLAP * sheets.saturating_sub(1) as f32
    };
    let ways = [paper, paper.turned()].map(|paper| {
        let by_height = whole(paper.height) * part.width / part.height.max(1.0);
        whole(paper.width).min(by_height)
    });
    ways[0].max(ways[1]).floor()
}

/// A part of the board over as many sheets as it takes; neighbours overlap, and say where they belong. Sheets on which nothing lies
/// are left out. `width`: how wide the whole is to be; how wide it has become is told.
///
/// # Errors
/// If there were too many sheets.
pub fn board(
    scene: &Scene,
    part: Rect,
    (title, sheet): (&str, &str),
    width: Option<f32>,
    paper: Size,
) -> Result<(Vec<Page>, f32), String> {
    let laid = Laid::new(part, width, paper);
    let Laid {
        scale,
        columns,
        rows,
        ..
    } = laid;
    let (inner, paper) = (laid.inner(), laid.paper);
    let (width, height) = (part.width * scale, part.height * scale);
    if columns.saturating_mul(rows) > PAGES_MAX {
        return Err(format!(
            "a board {width:.0} mm wide takes {columns} times {rows} sheets: give it a smaller width"
        ));
    }
    let mut sheets = Vec::new();
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let left = column as f32 * (inner.width - OVERLAP);
        let top = row as f32 * (inner.height - OVERLAP);
        let by = Point::new(
            MARGIN - left - part.x * scale,
            MARGIN - top - part.y * scale,
        );
        let shown = Rect::new(
            MARGIN,
            MARGIN,
            inner.width.min(width - left),
            inner.height.min(height - top),
        );
        let shapes = scene.shapes.iter().cloned();
        let shapes = shapes.map(|shape| shape.moved(scale, by));
        let seen = shapes.filter(|shape| shape.bounds().overlaps(shown));
        let seen: Vec<Shape> = seen.collect();
        if rows * columns == 1 || seen.iter().any(|shape| !is_ground(shape, shown)) {
            sheets.push((row, column, shown, seen));
        }
    }
    let all = sheets.len();
    let pages = sheets.into_iter().map(|(row, column, shown, seen)| {
        let note = match rows * columns {
            1 => title.to_owned(),
            _ => {
                let numbers = [
                    ("{row}", row + 1),
                    ("{rows}", rows),
                    ("{column}", column + 1),
                    ("{columns}", columns),
                    ("{sheets}", all),
                    ("{overlap}", OVERLAP as usize),
                ];
                let filled = numbers
                    .iter()
                    .fold(sheet.to_owned(), |text, (hole, number)| {
                        text.replace(hole, &number.to_string())
                    });
                filled.replace("{title}", title)
            }
        };
        let at = Point::new(MARGIN, MARGIN - NOTE);
        let note = canvas::anchored(at, note, NOTE, Colour::Ink, Anchor::Start);
        let frame = canvas::boxed(shown, 0.0).stroked(Colour::Ink, MARK_WIDTH);
        Page {
            paper,
            parts: vec![
                Part {
                    shapes: seen,
                    frame: Some(shown),
                },
                Part {
                    shapes: vec![note, frame],
                    frame: None,
                },
            ],
        }
    });
    Ok((pages.collect(), width))
}

/// What is said of sheets on which boxes stand for letters that no font has; nothing where there are none.
pub fn boxes(pages: &[Page], what: &str) -> Option<String> {
    let shapes = pages.iter().flat_map(|page| &page.parts);
    let shapes = shapes.flat_map(|part| &part.shapes);
    let texts = shapes.filter_map(|shape| match &shape.form {
        Form::Text(text) => Some(text.text.as_str()),
        _ => None,
    });
    let lacking = Fonts::default().lacking(&texts.collect::<String>());
    let letters: String = lacking.iter().collect();
    (!lacking.is_empty()).then(|| {
        format!("{what}: boxes stand for letters that no font here has: {letters}; write it in other letters, or draw a picture of it")
    })
}

/// Whether a shape is no more than what everything lies on: all of what is shown lies within it.
fn is_ground(shape: &Shape, shown: Rect) -> bool {
    const NEAR: f32 = 0.01;
    let Form::Rect { rect, turn, .. } = &shape.form else {
        return false;
    };
    let around = rect.shrunk(-NEAR);
    *turn == 0.0
        && around.x <= shown.x
        && around.y <= shown.y
        && around.right() >= shown.right()
        && around.bottom() >= shown.bottom()
}

/// What everything is printed in: ink on white.
pub fn palette() -> Palette {
    Palette::light()
}
