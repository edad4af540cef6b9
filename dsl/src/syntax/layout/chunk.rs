//! Declarations as pieces of a text.

use std::ops::Range;

/// One declaration with the documentation above it and everything down to the next one: bytes of the file.
pub type Chunk = Range<usize>;

/// Cuts a text into chunks that can be parsed one by one. Together they cover the text from the first to the last byte.
pub fn chunks(text: &str) -> Vec<Chunk> {
    let mut starts = Vec::new();
    // Where the documentation right above the coming declaration begins.
    let mut doc_start = None;
    for line in physical_lines(text) {
        let content = &text[line.clone()];
        if content.starts_with("##") {
            doc_start = doc_start.or(Some(line.start));
        } else if begins_declaration(content) || starts.is_empty() && begins_too_deep(content) {
            starts.push(doc_start.take().unwrap_or(line.start));
        } else if !content.trim().is_empty() && !content.trim_start().starts_with('#') {
            doc_start = None;
        }
    }
    let Some(first) = starts.first_mut() else {
        return if text.is_empty() {
            Vec::new()
        } else {
            std::iter::once(0..text.len()).collect()
        };
    };
    *first = 0;
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts
        .iter()
        .copied()
        .zip(ends)
        .map(|(start, end)| start..end)
        .collect()
}

/// A line at column 0 begins a declaration, unless it is blank, a comment or closes a bracket.
fn begins_declaration(line: &str) -> bool {
    line.chars()
        .next()
        .is_some_and(|first| !first.is_whitespace() && !matches!(first, '#' | ')' | ']' | '}'))
}

/// An indented line; the first of a file belongs to no declaration.
fn begins_too_deep(line: &str) -> bool {
    line.starts_with([' ', '\t']) && !line.trim().is_empty() && !line.trim_start().starts_with('#')
}

/// Ranges of the lines without their line ends.
pub(super) fn physical_lines(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let range = start..start + line.trim_end_matches(['\n', '\r']).len();
        start += line.len();
        range
    })
}
