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
/// For a single word there is so much of it in a column, if need be.
const WORD_MOST: f32 = 0.2;

/// See the module.
pub struct Sheets {
    paper: Size,
    fonts: Fonts,
    pages: Vec<Vec<Shape>>,
    /// Where the next line begins.
    y: f32,
    /// Headings and the like, until what they stand above comes.
    headings: Vec<Heading>,
}

struct Heading {
    lines: Vec<String>,
    /// Of its letters.
    size: f32,
    bold: bool,
}

impl Heading {
    /// What is left free above it.
    fn above(&self) -> f32 {
        if self.bold { self.size * 0.7 } else { 0.0 }
    }

    fn height(&self) -> f32 {
        self.above() + self.lines.len() as f32 * self.size * LINE + GAP
    }
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
        self.headings.push(Heading {
            lines,
            size,
            bold: true,
        });
    }

    /// A few words on what follows, on the same sheet.
    pub fn introduction(&mut self, text: &str) {
        let lines = self.lines(text, LETTERS, self.width(), 0.0);
        self.headings.push(Heading {
            lines,
            size: LETTERS,
            bold: false,
        });
    }

    /// Writes the headings that are due, with room for so much below.
    fn headed(&mut self, below: f32) {
        let due = std::mem::take(&mut self.headings);
        self.room(due.iter().map(Heading::height).sum::<f32>() + below);
        for one in due {
            self.y += if self.y > EDGE { one.above() } else { 0.0 };
            for line in one.lines {
                self.write((EDGE, self.y), &line, one.size, one.bold);
                self.y += one.size * LINE;
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
        let most = self.width();
        let wide = |text: &str| self.fonts.width(text, LETTERS) * 1.05 + COLUMN_GAP;
        let all = || std::iter::once(head).chain(rows.iter().map(Vec::as_slice));
        let widest = |column: usize, width: &dyn Fn(&String) -> f32| {
            let cells = all().filter_map(|row| row.get(column));
            cells.map(width).fold(0.0, f32::max)
        };
        let columns = || 0..head.len();
        let natural: Vec<f32> = columns()
            .map(|column| widest(column, &|text| wide(text)))
            .collect();
        if natural.iter().sum::<f32>() <= most {
            return natural;
        }
        // No word is parted where others can go on in the next line.
        let word = |text: &String| text.split_whitespace().map(wide).fold(0.0, f32::max);
        let least = columns().map(|column| widest(column, &word).min(most * WORD_MOST));
        let least: Vec<f32> = least.collect();
        let needed: f32 = least.iter().sum();
        if needed >= most {
            return least.iter().map(|one| one * most / needed).collect();
        }
        // What is left goes to those that want least of it first: short texts stand on one line, long ones share the rest.
        let wanted = |at: &usize| (natural[*at] - least[*at]).max(0.0);
        let mut order: Vec<usize> = columns().collect();
        order.sort_by(|one, other| wanted(one).total_cmp(&wanted(other)));
        let (mut widths, mut spare) = (least.clone(), most - needed);
        for (behind, at) in order.iter().enumerate() {
            let given = wanted(at).min(spare / (order.len() - behind) as f32);
            widths[*at] += given;
            spare -= given;
        }
        widths
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
            lines.extend(canvas::parted(word, &fits, true));
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
        let number = "1234567890".repeat(6);
        for text in ["a few words that go on and on", long.trim(), &number, ""] {
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
            sheets.introduction("what it is");
            let row = |text: &str| vec![text.to_owned(), "two words".to_owned()];
            sheets.table(&row("head"), &[row("first"), row("second")]);
            for page in texts(sheets) {
                let at = |text: &str| page.iter().position(|one| one == text);
                assert_eq!(at("Components").is_some(), at("first").is_some());
                assert_eq!(at("card").is_some(), at("first").is_some());
                assert_eq!(at("what it is").is_some(), at("first").is_some());
                if at("first").is_some() || at("second").is_some() {
                    assert!(at("head").is_some(), "{before}: {page:?}");
                }
            }
        }
    }

    /// A long text gives way, short words beside it stay whole.
    #[test]
    fn words_of_tables_stay_whole() {
        let mut sheets = Sheets::new(Size::A4);
        let row = |text: &str| {
            let long = "many words that need a lot of room ".repeat(6);
            vec![text.to_owned(), long.clone(), "orange".to_owned(), long]
        };
        sheets.table(&row("length"), &[row("1")]);
        let page = texts(sheets).remove(0);
        for whole in ["length", "orange"] {
            assert!(page.iter().any(|one| one == whole), "{page:?}");
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
