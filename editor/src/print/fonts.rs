//! The fonts of a PDF: of each that sheets have letters of, no more than these letters.

use super::pdf::packed;
use crate::board::{Fonts, Glyph, Letters};
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Dict, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use skrifa::instance::{LocationRef, Size};
use skrifa::{GlyphId, MetadataProvider};
use std::collections::BTreeMap;
use subsetter::GlyphRemapper;
use vello_cpu::kurbo::Affine;

/// Lengths of letters are in so many parts of their height.
const PARTS: f32 = 1_000.0;
/// Letters are numbered as the font in the file numbers them.
const NUMBERED: SystemInfo<'static> = SystemInfo {
    registry: Str(b"Adobe"),
    ordering: Str(b"Identity"),
    supplement: 0,
};

/// Letters met so far, on all sheets.
#[derive(Default)]
pub struct Embedded {
    pub fonts: Fonts,
    /// By which of the fonts it is.
    used: BTreeMap<usize, Used>,
}

struct Used {
    id: Ref,
    numbers: GlyphRemapper,
    /// By their number: what they mean and how wide they are.
    letters: BTreeMap<u16, Glyph>,
}

impl Embedded {
    /// Writes a line of letters.
    pub fn write(&mut self, content: &mut Content, letters: &Letters, next: &mut Ref) {
        content.begin_text();
        // Up is more for letters, down for shapes.
        let upright = letters.place * Affine::scale_non_uniform(1.0, -1.0);
        content.set_text_matrix(upright.as_coeffs().map(|part| part as f32));
        let glyphs: Vec<Glyph> = self.fonts.glyphs(&letters.text).collect();
        let alike =
            |one: &Glyph, other: &Glyph| (one.font, one.lacking) == (other.font, other.lacking);
        for run in glyphs.chunk_by(alike) {
            let Some(first) = run.first() else { continue };
            content.set_font(Name(name(first.font).as_bytes()), letters.size);
            let numbers = run
                .iter()
                .flat_map(|glyph| self.number(*glyph, next).to_be_bytes());
            let numbers: Vec<u8> = numbers.collect();
            if first.lacking {
                // What the boxes stand for is found all the same.
                let text: String = run.iter().map(|glyph| glyph.letter).collect();
                let mut marked = content.begin_marked_content_with_properties(Name(b"Span"));
                marked.properties().actual_text(TextStr(&text));
            }
            content.show(Str(&numbers));
            if first.lacking {
                content.end_marked_content();
            }
        }
        content.end_text();
    }

    /// What a letter is called in the font of the file.
    fn number(&mut self, glyph: Glyph, next: &mut Ref) -> u16 {
        let used = self.used.entry(glyph.font).or_insert_with(|| Used {
            id: next.bump(),
            numbers: GlyphRemapper::new(),
            letters: BTreeMap::new(),
        });
        // A font has no more letters than that.
        let number = used.numbers.remap(glyph.id.to_u32() as u16);
        used.letters.entry(number).or_insert(glyph);
        number
    }

    /// Names the fonts where pages say what they use.
    pub fn name_in(&self, fonts: &mut Dict<'_>) {
        for (font, used) in &self.used {
            fonts.pair(Name(name(*font).as_bytes()), used.id);
        }
    }

    /// Writes the fonts themselves.
    pub fn embed(&self, pdf: &mut Pdf, next: &mut Ref) {
        for (font, used) in &self.used {
            self.font(pdf, *font, used, next);
        }
    }

    fn font(&self, pdf: &mut Pdf, font: usize, used: &Used, next: &mut Ref) {
        let Some((bytes, known)) = self.fonts.file(font) else {
            return;
        };
        // The fonts are those of the program: they can be cut, and where one could not, it is whole.
        let cut = subsetter::subset(bytes, 0, &used.numbers);
        let cut = cut.unwrap_or_else(|_| bytes.to_vec());
        let (inner, facts, file, meaning) = (next.bump(), next.bump(), next.bump(), next.bump());
        let called = format!("{}+{}", tag(font), name(font));
        let called = Name(called.as_bytes());
        pdf.type0_font(used.id)
            .base_font(called)
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(inner)
            .to_unicode(meaning);
        let mut letters = pdf.cid_font(inner);
        letters
            .subtype(CidFontType::Type2)
            .base_font(called)
            .system_info(NUMBERED)
            .font_descriptor(facts)
            .cid_to_gid_map_predefined(Name(b"Identity"));
        let mut widths = letters.widths();
        for (number, glyph) in &used.letters {
            widths.consecutive(*number, [self.fonts.advance(*glyph, PARTS)]);
        }
        widths.finish();
        letters.finish();
        let metrics = known.metrics(Size::new(PARTS), LocationRef::default());
        let bounds = metrics.bounds.unwrap_or_default();
        let mut descriptor = pdf.font_descriptor(facts);
        descriptor
            .name(called)
            .flags(FontFlags::SYMBOLIC)
            .bbox(Rect::new(
                bounds.x_min,
                bounds.y_min,
                bounds.x_max,
                bounds.y_max,
            ))
            .italic_angle(0.0)
            .ascent(metrics.ascent)
            .descent(metrics.descent)
            .cap_height(metrics.cap_height.unwrap_or(metrics.ascent))
            .stem_v(80.0)
            .font_file2(file);
        descriptor.finish();
        let packed_font = packed(&cut);
        let mut stream = pdf.stream(file, &packed_font);
        stream.filter(Filter::FlateDecode);
        stream.pair(Name(b"Length1"), cut.len() as i32);
        stream.finish();
        pdf.stream(meaning, &packed(&meanings(used)))
            .filter(Filter::FlateDecode);
    }
}

fn name(font: usize) -> String {
    format!("F{font}")
}

/// Before the name of a font that is not whole stand six letters.
fn tag(font: usize) -> String {
    let last = char::from(b'A' + (font % 26) as u8);
    format!("TRACK{last}")
}

/// Which letters the numbers are.
fn meanings(used: &Used) -> Vec<u8> {
    let mut cmap = UnicodeCmap::<u16>::new(Name(b"Letters"), NUMBERED);
    for (number, glyph) in &used.letters {
        if glyph.id != GlyphId::NOTDEF {
            cmap.pair(*number, glyph.letter);
        }
    }
    cmap.finish().to_vec()
}
