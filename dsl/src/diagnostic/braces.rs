//! Braces in texts that quote values: `"{name} was faster"`.

use super::Diagnostic;
use crate::source::Span;

/// The brace at a place of a text is never closed.
pub(crate) fn unclosed(text: &str, span: Span, at: usize) -> Diagnostic {
    let start = span.start as usize + at;
    let end = span.start as usize + text.len();
    let here = Span::new(span.file, start, end.max(start + 1));
    Diagnostic::error("open-brace", here, "this `{` is not closed")
}

/// A brace in a part of a text between values closes nothing.
pub(crate) fn stray(part: &str, start: usize, span: Span) -> Option<Diagnostic> {
    let at = span.start as usize + start + part.find('}')?;
    let here = Span::new(span.file, at, at + 1);
    let found = Diagnostic::error("stray-brace", here, "this `}` closes nothing");
    let found = found.help("braces quote a value: `{name}`");
    Some(found.fix("leave it out", here, ""))
}
