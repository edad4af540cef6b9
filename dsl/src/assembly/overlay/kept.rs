//! How large a thing becomes that operations of overlays keep and put more around, again and again: known before it is made,
//! for what keeps a thing twice doubles it each time.

use super::walk;
use crate::assembly::draft::{Draft, Frame};
use crate::assembly::names::full;
use crate::bounds::{KEPT_BYTES_MAX, KEPT_OPERATIONS_MAX, WRITTEN_DEPTH_MAX};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{ActionBody, Block, DeclarationKind as Kind, Expr, HookKind, Overlay};

/// What became of a thing.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::assembly) struct Kept {
    operations: usize,
    /// At most, with everything kept written out.
    bytes: u64,
    depth: u32,
    /// It is too much, and that has been told.
    told: bool,
}

/// Whether an operation leaves the thing it changes small enough; else that is told, once for each thing.
pub(super) fn fits(draft: &mut Draft, operation: &mut Overlay, frame: &Frame) -> bool {
    let Some((thing, depth)) = changed(operation) else {
        return true;
    };
    let text = draft.sources.slice(frame.span);
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let copies = match operation {
        Overlay::AddCondition { .. } => 1,
        _ => words.filter(|word| *word == "original").count() as u64,
    };
    if copies == 0 {
        return true;
    }
    let bytes = text.len() as u64;
    let files = draft.sources.ids().map(|file| draft.sources.text(file));
    let largest = files.map(str::len).max().unwrap_or(0) as u64;
    let before = draft.kept.get(&thing).copied().unwrap_or(Kept {
        bytes: largest,
        ..Kept::default()
    });
    let after = Kept {
        operations: before.operations + 1,
        bytes: copies.saturating_mul(before.bytes).saturating_add(bytes),
        depth: before.depth + depth,
        told: false,
    };
    let message = if before.told {
        return false;
    } else if after.operations > KEPT_OPERATIONS_MAX {
        format!(
            "more than {KEPT_OPERATIONS_MAX} operations keep what `{thing}` was, one around the other"
        )
    } else if after.bytes > KEPT_BYTES_MAX {
        format!(
            "`{thing}` comes to more than {KEPT_BYTES_MAX} bytes with every `original` written out"
        )
    } else if after.depth > WRITTEN_DEPTH_MAX {
        format!(
            "`{thing}` is nested more than {WRITTEN_DEPTH_MAX} levels with every `original` written out"
        )
    } else {
        draft.kept.insert(thing, after);
        return true;
    };
    draft.out.push(
        Diagnostic::error("too-large", frame.span, message)
            .help("write out what it is to be, without `original`"),
    );
    draft.kept.insert(
        thing,
        Kept {
            told: true,
            ..after
        },
    );
    false
}

/// The name of what an operation changes and can keep, and how many levels it puts around it.
fn changed(operation: &mut Overlay) -> Option<(String, u32)> {
    let root = |path: &crate::syntax::ast::Path| path.parts.first().map(|name| name.text.clone());
    match operation {
        Overlay::ReplaceClause { path, value } => Some((root(path)?, levels(value))),
        Overlay::AddCondition { path, condition } => {
            Some((root(path)?, 1 + levels(&mut condition.expr)))
        }
        Overlay::ReplaceScore(line) => Some((line.name.text.clone(), levels(&mut line.value))),
        Overlay::Hook {
            kind: HookKind::InsteadOf,
            paths,
            body,
        } => Some((root(paths.first()?)?, blocks(body))),
        Overlay::Replace(declaration) => match &mut declaration.kind {
            Kind::Option(decl) => Some((decl.name.text.clone(), levels(&mut decl.value))),
            Kind::Formula(decl) => Some((full(decl.owner.as_ref(), &decl.name), 1)),
            Kind::Network(decl) => {
                let depth = decl.condition.as_mut().map_or(0, levels);
                Some((full(decl.owner.as_ref(), &decl.name), depth))
            }
            Kind::Rule(decl) => Some((decl.name.text.clone(), levels(&mut decl.condition))),
            Kind::When(decl) => {
                let depth = levels(&mut decl.condition).max(blocks(&mut decl.body));
                Some((decl.name.text.clone(), depth))
            }
            Kind::Action(decl) => {
                let depth = match &mut decl.body {
                    ActionBody::Steps(body) => blocks(body),
                    ActionBody::Composite(value) => levels(value),
                };
                Some((decl.name.text.clone(), depth))
            }
            Kind::Flow(body) => Some(("flow".to_owned(), blocks(body))),
            _ => None,
        },
        _ => None,
    }
}

fn levels(expr: &mut Expr) -> u32 {
    let inner = walk::parts(expr).into_iter().map(levels);
    1 + inner.max().unwrap_or(0)
}

fn blocks(body: &mut Block) -> u32 {
    let statements = body.statements.iter_mut().flat_map(walk::blocks);
    1 + statements.map(blocks).max().unwrap_or(0)
}
