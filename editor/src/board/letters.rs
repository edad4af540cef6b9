//! Letters of the fonts that the program brings: which of them has a letter, how wide it is, how it is drawn.

use super::outline::{Line, Path, turned};
use super::palette::Rgb;
use super::scene::{Anchor, Text};
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider};
use vello_cpu::kurbo::{Affine, BezPath};

/// Signs of games that the other fonts do not have: suits, stars, dice, numbers in circles, pieces of chess.
const SIGNS: &[u8] = include_bytes!("../window/fonts/signs.ttf");
/// Letters are made bold by a line around them, as a share of their height.
const BOLD: f32 = 0.055;
/// The line around letters that stand on something, as a share of their height.
const HALO: f32 = 0.28;
/// Letters stand on a line so far below their middle, as a share of their height.
const DOWN: f64 = 0.35;

/// A line of text, where and how it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Letters {
    pub text: String,
    pub size: f32,
    pub colour: Rgb,
    /// The line that makes them bold.
    pub bold: Option<Line>,
    /// A line around them, painted first.
    pub halo: Option<Line>,
    /// From letters that begin at the origin, on it, down is more.
    pub place: Affine,
}

/// A sign of a text as one of the fonts has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glyph {
    pub letter: char,
    /// Which of the fonts.
    pub font: usize,
    pub id: GlyphId,
    /// None of the fonts has the letter: a box stands for it.
    pub lacking: bool,
}

/// The fonts that letters are taken from, the first one that has a letter.
pub struct Fonts(Vec<(&'static [u8], FontRef<'static>)>);

impl Default for Fonts {
    fn default() -> Fonts {
        let all = [
            epaint_default_fonts::UBUNTU_LIGHT,
            SIGNS,
            epaint_default_fonts::HACK_REGULAR,
        ];
        // What the program is built with are fonts.
        let all = all.into_iter();
        Fonts(
            all.filter_map(|bytes| Some((bytes, FontRef::new(bytes).ok()?)))
                .collect(),
        )
    }
}

/// What only says how its neighbours are written, and is nothing to be seen itself.
fn is_unseen(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

impl Fonts {
    /// The signs of a text from left to right.
    pub fn glyphs(&self, text: &str) -> impl Iterator<Item = Glyph> {
        let seen = text.chars().filter(|letter| !is_unseen(*letter));
        seen.map(|letter| {
            let mut fonts = self.0.iter().enumerate();
            let found = fonts.find_map(|(at, (_, font))| Some((at, font.charmap().map(letter)?)));
            let (font, id) = found.unwrap_or((0, GlyphId::NOTDEF));
            Glyph {
                letter,
                font,
                id,
                lacking: found.is_none(),
            }
        })
    }

    /// The letters of a text that no font has, each once.
    pub fn lacking(&self, text: &str) -> Vec<char> {
        let lacking = self.glyphs(text).filter(|glyph| glyph.lacking);
        let mut letters: Vec<char> = lacking.map(|glyph| glyph.letter).collect();
        letters.sort_unstable();
        letters.dedup();
        letters
    }

    /// A font as its file has it.
    pub fn file(&self, font: usize) -> Option<(&'static [u8], &FontRef<'static>)> {
        self.0.get(font).map(|(bytes, font)| (*bytes, font))
    }

    /// How far the next letter stands from this one.
    pub fn advance(&self, glyph: Glyph, size: f32) -> f32 {
        let width = self.0.get(glyph.font).and_then(|(_, font)| {
            let metrics = font.glyph_metrics(Size::new(size), LocationRef::default());
            metrics.advance_width(glyph.id)
        });
        width.unwrap_or(size * 0.5)
    }

    /// How wide a line of text is.
    pub fn width(&self, text: &str, size: f32) -> f32 {
        let glyphs = self.glyphs(text);
        glyphs.map(|glyph| self.advance(glyph, size)).sum()
    }

    /// A text in its place.
    pub(super) fn letters(&self, text: &Text, colour: Rgb, halo: Option<Rgb>) -> Letters {
        let round = |colour: Rgb, share: f32| Line {
            colour,
            width: text.size * share,
            dashed: false,
            round: true,
        };
        Letters {
            text: text.text.clone(),
            size: text.size,
            colour,
            bold: text.bold.then(|| round(colour, BOLD)),
            halo: halo.map(|halo| round(halo, HALO)),
            place: place(text, f64::from(self.width(&text.text, text.size))),
        }
    }

    /// The paths of letters, in painting order.
    pub fn paths(&self, letters: &Letters) -> Vec<Path> {
        let halo = self.halo(letters);
        let filled = Path {
            path: self.outline(letters),
            fill: Some(letters.colour),
            line: letters.bold,
            clip: None,
        };
        halo.into_iter().chain([filled]).collect()
    }

    /// What is painted around letters, below them.
    pub fn halo(&self, letters: &Letters) -> Option<Path> {
        Some(Path {
            line: Some(letters.halo?),
            path: self.outline(letters),
            fill: None,
            clip: None,
        })
    }

    fn outline(&self, letters: &Letters) -> BezPath {
        let mut path = BezPath::new();
        let mut x = 0.0;
        for glyph in self.glyphs(&letters.text) {
            let font = self.0.get(glyph.font).map(|(_, font)| font);
            let outline = font.and_then(|font| font.outline_glyphs().get(glyph.id));
            if let Some(outline) = outline {
                let mut pen = Pen { path: &mut path, x };
                let size = Size::new(letters.size);
                // A letter that cannot be drawn leaves its room blank.
                let _ = outline.draw(
                    DrawSettings::unhinted(size, LocationRef::default()),
                    &mut pen,
                );
            }
            x += f64::from(self.advance(glyph, letters.size));
        }
        path.apply_affine(letters.place);
        path
    }
}

/// Where a text of this width begins, on the line that it stands on.
fn place(text: &Text, width: f64) -> Affine {
    let before = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => width / 2.0,
        Anchor::End => width,
    };
    let at = (f64::from(text.at.x), f64::from(text.at.y));
    let down = f64::from(text.size) * DOWN;
    turned(text.turn, text.at) * Affine::translate((at.0 - before, at.1 + down))
}

/// The paths of one text, in font units turned to board units.
struct Pen<'p> {
    path: &'p mut BezPath,
    /// Where the letter begins.
    x: f64,
}

impl OutlinePen for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(self.at(x, y));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(self.at(x, y));
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.path.quad_to(self.at(cx, cy), self.at(x, y));
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        self.path
            .curve_to(self.at(ax, ay), self.at(bx, by), self.at(x, y));
    }

    fn close(&mut self) {
        self.path.close_path();
    }
}

impl Pen<'_> {
    /// In fonts, up is more.
    fn at(&self, x: f32, y: f32) -> (f64, f64) {
        (self.x + f64::from(x), -f64::from(y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What people print on cards.
    #[test]
    fn signs_of_games_can_be_drawn() {
        let fonts = Fonts::default();
        for signs in [
            "♠♥♦♣♤♡♢♧",
            "★☆✦✧",
            "←↑→↓↔↕⇐⇒➔➜➡",
            "⚀⚁⚂⚃⚄⚅",
            "①②③④⑤⑥⑦⑧⑨⑩❶❿",
            "■□▲△◆◇●○⬟⬢⬡",
            "♔♕♖♗♘♙♚♛♜♝♞♟",
            "✓✔✗✘✕ⅠⅡⅢⅣ½¼¾−×÷≤≥≠∞",
            "☀☁☠⚔⚙⚑⚡❤\u{fe0f}♂♀♩♪♫",
            "ÄÖÜäöüßẞàéîøåžřőșğ αβΓ жЖя",
        ] {
            assert!(fonts.lacking(signs).is_empty(), "{signs}");
        }
        assert_eq!(
            fonts.lacking("two 日本, עברית 日"),
            ['ב', 'י', 'ע', 'ר', 'ת', '日', '本']
        );
    }

    /// A box stands for what is lacking, and it takes room.
    #[test]
    fn what_is_lacking_is_seen() {
        let fonts = Fonts::default();
        assert!(fonts.width("日", 10.0) > 1.0);
        assert_eq!(
            fonts.width("a\u{200d}\u{fe0f}", 10.0),
            fonts.width("a", 10.0)
        );
    }
}
