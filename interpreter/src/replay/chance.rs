//! What chance decides, by name: streams and their outcomes as text and back.

use crate::words::Words;
use dsl::ir::Ty;

/// `draw_pile`, `stack[coal, 2]`, `random 1`
pub(super) fn name(words: &Words<'_>, stream: u32) -> String {
    let unnamed = || match words.program.stream_keys.get(stream as usize) {
        Some((_, key)) => key.clone(),
        None => format!("chance {stream}"),
    };
    words.stream_cell(stream).unwrap_or_else(unnamed)
}

/// The stream of this name.
pub(super) fn stream(words: &Words<'_>, wanted: &str) -> Option<u32> {
    (0..words.program.stream_keys.len() as u32).find(|stream| name(words, *stream) == wanted)
}

/// One of the things that came out.
pub(super) fn value(words: &Words<'_>, stream: u32, word: i32) -> String {
    let ty = words
        .program
        .stream_types
        .get(stream as usize)
        .unwrap_or(&Ty::INT);
    words.scalar(ty, word)
}

/// The word of something that came out.
pub(super) fn word(words: &Words<'_>, stream: u32, text: &str) -> Option<i32> {
    let ty = words.program.stream_types.get(stream as usize)?;
    let count: i32 = match ty.required() {
        Ty::Int { .. } => return text.parse().ok(),
        Ty::Bool => 2,
        Ty::Element(domain) => words.size(*domain),
        _ => return None,
    };
    (0..count).find(|word| words.scalar(ty, *word) == text)
}
