//! Places of a text as the protocol counts them: lines from 0, and in a line units of UTF-16.

use lsp_types::{Position, Range};
use std::ops;

/// A text with the places where its lines begin. A line ends in `\n`, `\r\n` or `\r`.
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub fn new(text: &'t str) -> Lines<'t> {
        let bytes = text.as_bytes();
        let ends = bytes.iter().enumerate().filter(|(at, byte)| {
            **byte == b'\n' || **byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')
        });
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1));
        Lines {
            text,
            starts: starts.collect(),
        }
    }

    /// The byte of a place; what lies behind a line is its end, what lies behind the text is the text's.
    pub fn byte(&self, place: Position) -> usize {
        let Some(&start) = self.starts.get(place.line as usize) else {
            return self.text.len();
        };
        let next = self.starts.get(place.line as usize + 1);
        let line = &self.text[start..next.map_or(self.text.len(), |next| *next)];
        let line = line.trim_end_matches(['\n', '\r']);
        let mut units = 0;
        for (at, letter) in line.char_indices() {
            let end = units + letter.len_utf16();
            // The midst of a letter is its beginning.
            if end > place.character as usize {
                return start + at;
            }
            units = end;
        }
        start + line.len()
    }

    /// The place of a byte; the midst of a letter is its beginning.
    pub fn place(&self, byte: usize) -> Position {
        let mut byte = byte.min(self.text.len());
        while !self.text.is_char_boundary(byte) {
            byte -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= byte) - 1;
        let units = self.text[self.starts[line]..byte].encode_utf16().count();
        Position::new(line as u32, units as u32)
    }

    pub fn range(&self, bytes: ops::Range<usize>) -> Range {
        Range::new(self.place(bytes.start), self.place(bytes.end))
    }

    /// The bytes of a range, the lesser end first.
    pub fn bytes(&self, range: Range) -> ops::Range<usize> {
        let (start, end) = (self.byte(range.start), self.byte(range.end));
        start.min(end)..start.max(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_bytes_agree_at_every_letter() {
        let text = "a\u{1f682}b\r\nstraße\ré\u{301}\n\n";
        let lines = Lines::new(text);
        for (at, letter) in text.char_indices() {
            if !matches!(letter, '\n') {
                assert_eq!(lines.byte(lines.place(at)), at, "at {at} {letter:?}");
            }
        }
        assert_eq!(lines.place(5), Position::new(0, 3));
        assert_eq!(lines.byte(Position::new(0, 2)), 1);
        assert_eq!(lines.place(8), Position::new(1, 0));
        assert_eq!(lines.place(text.len()), Position::new(4, 0));
    }

    #[test]
    fn what_lies_outside_is_brought_inside() {
        let lines = Lines::new("ab\ncd");
        assert_eq!(lines.byte(Position::new(0, 99)), 2);
        assert_eq!(lines.byte(Position::new(9, 9)), 5);
        assert_eq!(lines.byte(Position::new(u32::MAX, u32::MAX)), 5);
        let turned = Range::new(Position::new(1, 1), Position::new(0, 1));
        assert_eq!(lines.bytes(turned), 1..4);
        assert_eq!(Lines::new("").place(7), Position::new(0, 0));
    }
}
