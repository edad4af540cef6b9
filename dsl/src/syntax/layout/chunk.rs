//! Declarations as pieces of a text.

use std::ops::Range;

use super::width;

/// One declaration with the documentation above it and everything down to the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Bytes of the file.
    pub range: Range<usize>,
    /// Below a `with`: its own line is indented.
    pub inner: bool,
}

/// Cuts a text into chunks that can be parsed one by one. Together they cover the text from the first to the last byte.
/// The line of a `with` is a chunk, and so is each declaration below it.
pub fn chunks(text: &str) -> Vec<Chunk> {
    let mut starts: Vec<(usize, bool)> = Vec::new();
    // Where the documentation right above the coming declaration begins.
    let mut doc_start = None;
    // Below a `with`: how deep its declarations stand, as soon as the first one tells.
    let mut part: Option<Option<usize>> = None;
    for line in physical_lines(text) {
        let content = &text[line.clone()];
        let code = content.trim_start_matches([' ', '\t']);
        let depth = width(&content[..content.len() - code.len()]);
        let level = part.flatten().unwrap_or(depth);
        let may_begin = depth == 0 || part.is_some() && depth <= level;
        if code.starts_with("##") && may_begin {
            doc_start = doc_start.or(Some(line.start));
        } else if begins_declaration(code) && may_begin {
            part = match depth {
                0 => opens_part(code).then_some(None),
                _ => Some(Some(level)),
            };
            starts.push((doc_start.take().unwrap_or(line.start), depth > 0));
        } else if starts.is_empty() && begins_too_deep(content) {
            starts.push((doc_start.take().unwrap_or(line.start), false));
        } else if !code.trim().is_empty() && !code.starts_with('#') {
            doc_start = None;
        }
    }
    let Some(first) = starts.first_mut() else {
        return if text.is_empty() {
            Vec::new()
        } else {
            std::iter::once(whole(text)).collect()
        };
    };
    first.0 = 0;
    let ends = starts.iter().skip(1).map(|(start, _)| *start);
    let chunks = starts.iter().zip(ends.chain([text.len()]));
    chunks
        .map(|((start, inner), end)| Chunk {
            range: *start..end,
            inner: *inner,
        })
        .collect()
}

/// A text that is one declaration, or a part of one.
pub fn whole(text: &str) -> Chunk {
    Chunk {
        range: 0..text.len(),
        inner: false,
    }
}

/// `with coast`, `not with coast`: declarations stand below it.
fn opens_part(line: &str) -> bool {
    let rest = line.strip_prefix("not ").map_or(line, str::trim_start);
    let behind = rest.strip_prefix("with ").map(str::trim_start);
    behind.is_some_and(|behind| behind.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
}

/// A line begins a declaration, unless it is blank, a comment or closes a bracket.
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
