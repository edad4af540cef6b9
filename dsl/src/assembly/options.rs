//! Options set from outside, after all layers: `--set hand_size=5`.

use super::SetEntry;
use super::draft::Draft;
use super::fields::there_are;
use crate::diagnostic::{Diagnostic, suggest::nearest};
use crate::source::Span;
use crate::syntax::ast::{AssignOp, Expr, ExprKind, GridCell, UnaryOp};

/// Appends a `set` for each; its place is the option's declaration, for the words have none of their own.
pub(super) fn from_outside(draft: &mut Draft, options: &[(String, AssignOp, String)]) {
    for (name, op, value) in options {
        let mut entries = draft.assembly.options.iter_mut();
        let Some(entry) = entries.find(|entry| entry.item.decl.name.text == *name) else {
            let found = unknown(draft, name);
            draft.out.push(found);
            continue;
        };
        let span = entry.item.decl.name.span;
        match expression(value.trim(), span) {
            Some(value) => entry.item.sets.push(SetEntry {
                op: *op,
                indices: Vec::new(),
                value: GridCell::Expr(value),
                layer: None,
                span,
            }),
            None => {
                let message = format!("`{value}` is no value for the option `{name}`");
                draft.out.push(
                    Diagnostic::error("wrong-value", span, message)
                        .help("give a whole number, `true`, `false` or a name"),
                );
            }
        }
    }
}

fn unknown(draft: &Draft, name: &str) -> Diagnostic {
    let start = Span::new(draft.assembly.manifest.file, 0, 0);
    let names = draft.assembly.options.iter();
    let near = nearest(name, names.map(|entry| entry.item.decl.name.text.as_str()));
    let message = format!("there is no option `{name}`");
    let diagnostic = Diagnostic::error("unknown-name", start, message).about(name);
    match near {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None if draft.assembly.options.is_empty() => {
            diagnostic.help("this game has no options; one is declared as `option name: 0..9 = 3`")
        }
        None => {
            let options = draft.assembly.options.iter();
            let names: Vec<&str> = options
                .map(|entry| entry.item.decl.name.text.as_str())
                .collect();
            diagnostic.help(there_are(&names))
        }
    }
}

fn expression(text: &str, span: Span) -> Option<Expr> {
    let expr = |kind| Expr { kind, span };
    if let Some(positive) = text.strip_prefix('-') {
        let value = expression(positive, span)?;
        return Some(expr(ExprKind::Unary(UnaryOp::Negate, Box::new(value))));
    }
    if let Ok(number) = text.parse::<i64>() {
        return Some(expr(ExprKind::Number(number)));
    }
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let is_name = text.starts_with(|c: char| c.is_alphabetic()) && text.chars().all(word);
    is_name.then(|| expr(ExprKind::Name(text.to_string())))
}
