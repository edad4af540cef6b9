//! What stands on sheets as paths, written once more by letters that draw nothing: so readers of a PDF find, copy and read aloud
//! what is on it.
//!
//! Each letter is one of a font without outlines ("Type 3"), as wide as it is drawn, and says which sign it is.

use super::Part;
use crate::board::{Fonts, Form, Text};
use pdf_writer::types::{SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Dict, Name, Pdf, Rect, Ref, Str};
use std::collections::BTreeMap;
use vello_cpu::kurbo::Affine;

/// Signs of one font.
const SIGNS: usize = 256;
/// Widths are in so many parts of the height of letters.
const PARTS: f32 = 1_000.0;
/// How far letters reach above and below their line, in these parts.
const ABOVE: f32 = 800.0;
const BELOW: f32 = 250.0;

/// Letters met so far, on all sheets.
#[derive(Default)]
pub struct Unseen {
    letters: Vec<char>,
    known: BTreeMap<char, usize>,
    /// Of each font.
    ids: Vec<Ref>,
}

impl Unseen {
    /// Writes the texts of a part that can be seen there.
    pub fn write(&mut self, content: &mut Content, part: &Part, fonts: &Fonts, next: &mut Ref) {
        for shape in &part.shapes {
            let Form::Text(text) = &shape.form else {
                continue;
            };
            let middle = shape.bounds().centre();
            let seen = part.frame.is_none_or(|frame| frame.contains(middle));
            if seen && !text.text.trim().is_empty() {
                self.line(content, text, fonts, next);
            }
        }
    }

    fn line(&mut self, content: &mut Content, text: &Text, fonts: &Fonts, next: &mut Ref) {
        content.begin_text();
        // Up is more for letters, down for shapes.
        let upright = fonts.place(text) * Affine::scale_non_uniform(1.0, -1.0);
        content.set_text_matrix(upright.as_coeffs().map(|part| part as f32));
        let numbers: Vec<usize> = text
            .text
            .chars()
            .map(|sign| self.number(sign, next))
            .collect();
        for of_font in numbers.chunk_by(|one, other| one / SIGNS == other / SIGNS) {
            content.set_font(Name(name(of_font[0] / SIGNS).as_bytes()), text.size);
            let codes: Vec<u8> = of_font
                .iter()
                .map(|number| (number % SIGNS) as u8)
                .collect();
            content.show(Str(&codes));
        }
        content.end_text();
    }

    /// Which of the letters a sign is.
    fn number(&mut self, sign: char, next: &mut Ref) -> usize {
        let letters = &mut self.letters;
        let number = *self.known.entry(sign).or_insert_with(|| {
            letters.push(sign);
            letters.len() - 1
        });
        if self.ids.len() <= number / SIGNS {
            self.ids.push(next.bump());
        }
        number
    }

    /// Names the fonts where pages say what they use.
    pub fn name_in(&self, fonts: &mut Dict<'_>) {
        for (at, id) in self.ids.iter().enumerate() {
            fonts.pair(Name(name(at).as_bytes()), *id);
        }
    }

    /// Writes the fonts themselves.
    pub fn embed(&self, pdf: &mut Pdf, fonts: &Fonts, next: &mut Ref) {
        for (at, (id, signs)) in self.ids.iter().zip(self.letters.chunks(SIGNS)).enumerate() {
            let widths = signs
                .iter()
                .map(|sign| fonts.width(&sign.to_string(), PARTS));
            let widths: Vec<f32> = widths.collect();
            let names: Vec<String> = (0..signs.len()).map(|code| format!("s{code}")).collect();
            let blanks: Vec<Ref> = widths
                .iter()
                .map(|width| blank(pdf, *width, next))
                .collect();
            let meaning = next.bump();
            let mut font = pdf.type3_font(*id);
            font.name(Name(name(at).as_bytes()));
            font.bbox(Rect::new(0.0, -BELOW, PARTS, ABOVE));
            font.matrix([1.0 / PARTS, 0.0, 0.0, 1.0 / PARTS, 0.0, 0.0]);
            font.char_procs().pairs(
                names
                    .iter()
                    .zip(&blanks)
                    .map(|(name, id)| (Name(name.as_bytes()), *id)),
            );
            let named = names.iter().map(|name| Name(name.as_bytes()));
            font.encoding_custom().differences().consecutive(0, named);
            font.first_char(0)
                .last_char((signs.len() - 1) as u8)
                .widths(widths);
            font.to_unicode(meaning);
            drop(font);
            pdf.cmap(meaning, &meanings(signs));
        }
    }
}

fn name(font: usize) -> String {
    format!("T{font}")
}

/// A letter that draws nothing.
fn blank(pdf: &mut Pdf, width: f32, next: &mut Ref) -> Ref {
    let mut content = Content::new();
    content.start_color_glyph(width);
    let id = next.bump();
    pdf.stream(id, &content.finish());
    id
}

/// Which sign each letter of a font is.
fn meanings(signs: &[char]) -> Vec<u8> {
    let info = SystemInfo {
        registry: Str(b"Adobe"),
        ordering: Str(b"UCS"),
        supplement: 0,
    };
    let mut cmap = UnicodeCmap::<u8>::new(Name(b"Signs"), info);
    for (code, sign) in signs.iter().enumerate() {
        cmap.pair(code as u8, *sign);
    }
    cmap.finish().to_vec()
}
