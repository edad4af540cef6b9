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
}

impl Sheets {
    pub fn new(paper: Size) -> Sheets {
        Sheets {
            paper,
            fonts: Fonts::default(),
            pages: vec![Vec::new()],
            y: EDGE,
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

    /// `level`: 0 for the title.
    pub fn heading(&mut self, level: usize, text: &str) {
        let size = HEADINGS[level.min(HEADINGS.len() - 1)];
        self.y += if self.y > EDGE { size * 0.7 } else { 0.0 };
        // Not alone at the foot of a sheet.
        self.room(size * LINE + 3.0 * LETTERS * LINE);
        for line in self.lines(text, size, self.width(), 0.0) {
            self.write((EDGE, self.y), &line, size, true);
            self.y += size * LINE;
        }
        self.y += GAP;
    }

    /// A paragraph so many steps from the left, with a few words before it that stand out.
    pub fn paragraph(&mut self, steps: usize, lead: &str, text: &str) {
        let left = EDGE + steps as f32 * STEP;
        let width = self.width() - steps as f32 * STEP;
        let taken = match lead {
            "" => 0.0,
            lead => self.fonts.width(&format!("{lead}  "), LETTERS),
        };
        for (at, line) in self.lines(text, LETTERS, width, taken).iter().enumerate() {
            self.room(LETTERS * LINE);
            if at == 0 {
                self.write((left, self.y), lead, LETTERS, true);
            }
            let x = if at == 0 { left + taken } else { left };
            self.write((x, self.y), line, LETTERS, false);
            self.y += LETTERS * LINE;
        }
        self.y += GAP;
    }

    pub fn table(&mut self, head: &[String], rows: &[Vec<String>]) {
        let widths = self.columns(head, rows);
        self.row(head, &widths, true);
        for row in rows {
            self.row(row, &widths, false);
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

    fn row(&mut self, cells: &[String], widths: &[f32], bold: bool) {
        let texts: Vec<Vec<String>> = cells
            .iter()
            .zip(widths)
            .map(|(text, width)| self.lines(text, LETTERS, (width - COLUMN_GAP).max(LETTERS), 0.0))
            .collect();
        let lines = texts.iter().map(Vec::len).max().unwrap_or(0);
        let height = lines as f32 * LETTERS * LINE;
        self.room(height);
        let mut x = EDGE;
        for (lines, width) in texts.iter().zip(widths) {
            for (at, line) in lines.iter().enumerate() {
                let y = self.y + at as f32 * LETTERS * LINE;
                self.write((x, y), line, LETTERS, bold);
            }
            x += width;
        }
        self.y += height + 0.4;
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
            self.broken(word, size, width, &mut lines);
        }
        lines
    }

    /// A word that may be longer than a line.
    fn broken(&self, word: &str, size: f32, width: f32, lines: &mut Vec<String>) {
        let mut line = lines.pop().unwrap_or_default();
        for letter in word.chars() {
            line.push(letter);
            if self.fonts.width(&line, size) > width && line.chars().count() > 1 {
                line.pop();
                lines.push(std::mem::replace(&mut line, letter.to_string()));
            }
        }
        lines.push(line);
    }

    /// The sheets, each with its number.
    pub fn pages(self) -> Vec<Page> {
        let (middle, foot) = (self.paper.width / 2.0, self.paper.height - EDGE / 2.0);
        let all = self.pages.len();
        let pages = self.pages.into_iter().enumerate().map(|(at, mut shapes)| {
            let number = format!("{} / {all}", at + 1);
            let place = Point::new(middle, foot);
            shapes.push(canvas::text(place, number, LETTERS, Colour::Muted));
            let frame = None;
            Page {
                parts: vec![Part { shapes, frame }],
            }
        });
        pages.collect()
    }
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
                let joined: String = lines.concat().split_whitespace().collect();
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
}
