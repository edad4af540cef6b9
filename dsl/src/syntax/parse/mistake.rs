//! Failures of the grammar in words.
use super::{Builder, Rule};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

pub(super) fn indented_declaration(span: Span) -> Diagnostic {
    Diagnostic::error(
        "indentation",
        span,
        "this line is indented, but no declaration stands above it",
    )
    .fix("move it to column 0", span, "")
}
pub(super) fn declaration(
    builder: &Builder,
    rule: Rule,
    error: &pest::error::Error<Rule>,
) -> Diagnostic {
    cell(builder, rule, error, 0)
}
pub(super) fn cell(
    builder: &Builder,
    _rule: Rule,
    error: &pest::error::Error<Rule>,
    _offset: usize,
) -> Diagnostic {
    let at = match error.location {
        pest::error::InputLocation::Pos(p) => p,
        pest::error::InputLocation::Span((a, _)) => a,
    } + builder.base.get();
    let start = builder.layout.origin(at);
    Diagnostic::error(
        "syntax",
        Span::new(builder.file, start, start + 1),
        format!("{}", error.variant.message()),
    )
}
