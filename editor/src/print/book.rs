//! Text on sheets of paper: headings, paragraphs and tables, one below the other, page by page.

use super::{Page, Part, Size};
use crate::board::{Anchor, Colour, Fonts, Form, Point, Shape, canvas};

/// Around the text.
const EDGE: f32 = 18.0;
/// Height of letters: of text, and of headings from the title down.
const LETTERS: f32 = 3.4;
const HEADINGS: [f32; 3] = [7.0, 5.0, 4.0];
/// Height of a line, as a share of its letters.
const LINE: f32 = 1.35;
/// Between paragraphs.
const GAP: f32 = 1.4;
/// How far inner paragraphs stand from the left.
const STEP: f32 = 6.0;
/// Between columns of a table.
const COLUMN_GAP: f32 = 3.0;
/// One column takes no more than this share of the width, where others need it.
const COLUMN_MOST: f32 = 0.5;

/// See the module.
pub struct Sheets {
    paper: Size,
    fonts: Fonts,
    pages: Vec<Vec<Shape>>,
    /// Where the next line begins.
    y: f32,
    /// Headings that what they stand above is awaited for: their lines, and the size of their letters.
    headings: Vec<(Vec<String>, f32)>,
}

impl Sheets {
    pub fn new(paper: Size) -> Sheets {
        Sheets {
            paper,
            fonts: Fonts::default(),
            pages: vec![Vec::new()],
            y: EDGE,
            headings: Vec::new(),
        }
    }

    fn width(&self) -> f32 {
        self.paper.width - 2.0 * EDGE
    }

    /// Room for so much, on the next sheet if there is none on this one.
    fn room(&mut self, height: f32) {
        if self.y + height > self.paper.height - EDGE && self.y > EDGE {
            self.pages.push(Vec::new());
            self.y = EDGE;
        }
    }

    fn put(&mut self, shape: Shape) {
        if let Some(page) = self.pages.last_mut() {
            page.push(shape);
        }
    }

    fn write(&mut self, (x, y): (f32, f32), text: &str, size: f32, bold: bool) {
        let at = Point::new(x, y + size * LINE / 2.0);
        let shape = canvas::anchored(at, text, size, Colour::Ink, Anchor::Start);
        self.put(if bold { canvas::bold(shape) } else { shape });
    }

    /// `level`: 0 for the title. It is written with what follows, on the same sheet.
    pub fn heading(&mut self, level: usize, text: &str) {
        let size = HEADINGS[level.min(HEADINGS.len() - 1)];
        let lines = self.lines(text, size, self.width(), 0.0);
        self.headings.push((lines, size));
    }

    /// Writes the headings that are due, with room for so much below.
    fn headed(&mut self, below: f32) {
        let due = std::mem::take(&mut self.headings);
        let height = |(lines, size): &(Vec<String>, f32)| {
            size * 0.7 + lines.len() as f32 * size * LINE + GAP
        };
        self.room(due.iter().map(height).sum::<f32>() + below);
        for (lines, size) in due {
            self.y += if self.y > EDGE { size * 0.7 } else { 0.0 };
            for line in lines {
                self.write((EDGE, self.y), &line, size, true);
                self.y += size * LINE;
            }
            self.y += GAP;
        }
    }

    /// A paragraph so many steps from the left, with a few words before it that stand out. Blanks at its beginning stay.
    pub fn paragraph(&mut self, steps: usize, lead: &str, text: &str) {
        let blanks = text.chars().take_while(|letter| *letter == ' ').count();
        let indent = steps as f32 * STEP;
        let taken = match lead {
            "" => 0.0,
            lead => self.fonts.width(&format!("{lead}  "), LETTERS),
        };
        let taken = taken + blanks as f32 * self.fonts.width(" ", LETTERS) * 2.0;
        let lines = self.lines(text, LETTERS, self.width() - indent, taken);
        // No line stands alone.
        let together = if lines.len() <= 3 { lines.len() } else { 2 };
        self.headed(together as f32 * LETTERS * LINE);
        let left = EDGE + indent;
        for (at, line) in lines.iter().enumerate() {
            let last_two = at > 1 && at + 2 == lines.len();
            self.room(if last_two { 2.0 } else { 1.0 } * LETTERS * LINE);
            if at == 0 {
                self.write((left, self.y), lead, LETTERS, true);
            }
            let x = if at == 0 { left + taken } else { left };
            self.write((x, self.y), line, LETTERS, false);
            self.y += LETTERS * LINE;
        }
        self.y += GAP;
    }

    /// Where it goes on on another sheet, its head stands there again.
    pub fn table(&mut self, head: &[String], rows: &[Vec<String>]) {
        let widths = self.columns(head, rows);
        let head = self.cells(head, &widths);
        let first = rows.first().map(|row| self.cells(row, &widths));
        self.headed(height(&head) + first.as_deref().map_or(0.0, height));
        self.row(&head, &widths, true);
        for row in rows {
            let row = self.cells(row, &widths);
            let sheets = self.pages.len();
            self.room(height(&row));
            if self.pages.len() > sheets {
                self.row(&head, &widths, true);
            }
            self.row(&row, &widths, false);
        }
        self.y += GAP;
    }

    /// How wide each column is to be.
    fn columns(&self, head: &[String], rows: &[Vec<String>]) -> Vec<f32> {
        let cell = |text: &String| self.fonts.width(text, LETTERS) * 1.05 + COLUMN_GAP;
        let all = || std::iter::once(head).chain(rows.iter().map(Vec::as_slice));
        let natural: Vec<f32> = (0..head.len())
            .map(|column| {
                let cells = all().filter_map(|row| row.get(column));
                cells.map(cell).fold(0.0, f32::max)
            })
            .collect();
        let most = self.width();
        let whole: f32 = natural.iter().sum();
        if whole <= most {
            return natural;
        }
        let cut: Vec<f32> = natural
            .iter()
            .map(|one| one.min(most * COLUMN_MOST))
            .collect();
        let whole: f32 = cut.iter().sum();
        cut.iter()
            .map(|one| one * (most / whole).min(1.0))
            .collect()
    }

    /// The cells of a row as lines.
    fn cells(&self, cells: &[String], widths: &[f32]) -> Vec<Vec<String>> {
        let pairs = cells.iter().zip(widths);
        let lines = pairs
            .map(|(text, width)| self.lines(text, LETTERS, (width - COLUMN_GAP).max(LETTERS), 0.0));
        lines.collect()
    }

    fn row(&mut self, cells: &[Vec<String>], widths: &[f32], bold: bool) {
        let mut x = EDGE;
        for (lines, width) in cells.iter().zip(widths) {
            for (at, line) in lines.iter().enumerate() {
                let y = self.y + at as f32 * LETTERS * LINE;
                self.write((x, y), line, LETTERS, bold);
            }
            x += width;
        }
        self.y += height(cells) - 0.4;
        let points = vec![Point::new(EDGE, self.y), Point::new(x, self.y)];
        let line = if bold { 0.3 } else { 0.08 };
        self.put(Shape::new(Form::Polyline(points)).stroked(Colour::Muted, line));
        self.y += 0.4;
    }

    /// A text in as many lines as it takes; the first one begins further right.
    fn lines(&self, text: &str, size: f32, width: f32, taken: f32) -> Vec<String> {
        let mut lines = vec![String::new()];
        for word in text.split_whitespace() {
            let room = if lines.len() == 1 {
                width - taken
            } else {
                width
            };
            let last = lines.last().map_or("", String::as_str);
            let longer = match last.is_empty() {
                true => word.to_owned(),
                false => format!("{last} {word}"),
            };
            if self.fonts.width(&longer, size) <= room {
                lines.pop();
                lines.push(longer);
                continue;
            }
            if !last.is_empty() {
                lines.push(String::new());
            }
            let fits = |part: &str| self.fonts.width(part, size) <= width;
            lines.pop();
            lines.extend(canvas::parted(word, &fits));
        }
        lines
    }

    /// The sheets, each with its number.
    pub fn pages(mut self) -> Vec<Page> {
        self.headed(0.0);
        let (middle, foot) = (self.paper.width / 2.0, self.paper.height - EDGE / 2.0);
        let all = self.pages.len();
        let pages = self.pages.into_iter().enumerate().map(|(at, mut shapes)| {
            let number = format!("{} / {all}", at + 1);
            let place = Point::new(middle, foot);
            shapes.push(canvas::text(place, number, LETTERS, Colour::Muted));
            let frame = None;
            Page {
                paper: self.paper,
                parts: vec![Part { shapes, frame }],
            }
        });
        pages.collect()
    }
}

/// Of a row of a table, with the line below it.
fn height(cells: &[Vec<String>]) -> f32 {
    let lines = cells.iter().map(Vec::len).max().unwrap_or(0);
    lines as f32 * LETTERS * LINE + 0.8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_and_nothing_is_lost() {
        let sheets = Sheets::new(Size::A4);
        let long = "Donaudampfschifffahrtsgesellschaftskapitän ".repeat(3);
        for text in ["a few words that go on and on", long.trim(), ""] {
            for width in [12.0, 30.0, 500.0] {
                let lines = sheets.lines(text, LETTERS, width, 5.0);
                let joined: String = lines.concat().replace('-', "").split_whitespace().collect();
                assert_eq!(joined, text.split_whitespace().collect::<String>());
                for line in &lines {
                    assert!(
                        sheets.fonts.width(line, LETTERS) <= width,
                        "`{line}` in {width}"
                    );
                }
            }
        }
    }

    #[test]
    fn text_goes_on_on_the_next_sheet() {
        let mut sheets = Sheets::new(Size::A4);
        sheets.heading(0, "Title");
        for number in 0..200 {
            sheets.paragraph(1, &format!("X-{number}"), "A rule in a line.");
        }
        let row = || vec!["1".to_owned(), "two words".to_owned()];
        sheets.table(&row(), &vec![row(); 80]);
        let pages = sheets.pages();
        assert!((5..12).contains(&pages.len()), "{} sheets", pages.len());
        for shape in pages.iter().flat_map(|page| &page.parts[0].shapes) {
            let bounds = shape.bounds();
            assert!(bounds.bottom() < Size::A4.height && bounds.y > 0.0);
        }
    }

    /// What is written on each sheet, from the top.
    fn texts(sheets: Sheets) -> Vec<Vec<String>> {
        let pages = sheets.pages().into_iter();
        let pages = pages.map(|page| {
            let shapes = page.parts.into_iter().flat_map(|part| part.shapes);
            let texts = shapes.filter_map(|shape| match shape.form {
                Form::Text(text) => Some(text.text),
                _ => None,
            });
            texts.filter(|text| !text.is_empty()).collect()
        });
        pages.collect()
    }

    /// However full the sheet is on which they come: headings stand with what they are above, a table's head with a row.
    #[test]
    fn no_heading_stands_alone() {
        for before in 0..80 {
            let mut sheets = Sheets::new(Size::A4);
            for _ in 0..before {
                sheets.paragraph(0, "", "x");
            }
            sheets.heading(1, "Components");
            sheets.heading(2, "card");
            let row = |text: &str| vec![text.to_owned(), "two words".to_owned()];
            sheets.table(&row("head"), &[row("first"), row("second")]);
            for page in texts(sheets) {
                let at = |text: &str| page.iter().position(|one| one == text);
                assert_eq!(at("Components").is_some(), at("first").is_some());
                assert_eq!(at("card").is_some(), at("first").is_some());
                if at("first").is_some() || at("second").is_some() {
                    assert!(at("head").is_some(), "{before}: {page:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_indented_stays_so() {
        let place = |text: &str| {
            let mut sheets = Sheets::new(Size::A4);
            sheets.paragraph(1, "now", text);
            let page = sheets.pages().remove(0);
            let shape = page.parts[0].shapes[1].clone();
            shape.bounds().x
        };
        assert!(place("    when it") > place("  when it"));
        assert!(place("  when it") > place("when it"));
    }
}
