//! The names by which operations of overlays mean what they change, kept for those who ask about a place in a text.

use super::Assembly;
use crate::syntax::ast::{DeclarationKind, Expr, ExprKind, Name, Overlay};

/// A name in the head of an operation.
#[derive(Clone, Debug)]
pub enum Mention {
    /// `wagons_each`, `score.tickets`: a declaration, or a step; outermost part first.
    Path(Vec<Name>),
    /// `turn.act`, `claim.r`: an action or a step.
    Step(Vec<Name>),
    /// Cells of a table or grid: `card[604]`, `patch colour[brown]: unlock = 5`.
    Cells {
        table: Name,
        key: Vec<Expr>,
        columns: Vec<Name>,
    },
}

/// Keeps what a declaration's head mentions; plain declarations mention nothing.
pub(super) fn keep(assembly: &mut Assembly, kind: &DeclarationKind) {
    let all = &mut assembly.mentions;
    let operation = match kind {
        DeclarationKind::Overlay(operation) => operation,
        DeclarationKind::Rows(rows) => {
            let columns = rows.head.clone();
            return all.push(Mention::Cells {
                table: rows.table.clone(),
                key: Vec::new(),
                columns,
            });
        }
        _ => return,
    };
    match operation {
        Overlay::Set { target, .. } => all.extend(of(target)),
        Overlay::Remove(targets) => all.extend(targets.iter().filter_map(of)),
        Overlay::Patch {
            table, key, cells, ..
        } => all.push(Mention::Cells {
            table: table.clone(),
            key: key.clone(),
            columns: cells.iter().map(|(name, _)| name.clone()).collect(),
        }),
        Overlay::ReplaceClause { path, .. }
        | Overlay::AddTo { path, .. }
        | Overlay::AddCondition { path, .. } => all.push(Mention::Step(path.parts.clone())),
        Overlay::Hook { paths, .. } => {
            all.extend(paths.iter().map(|path| Mention::Step(path.parts.clone())))
        }
        Overlay::Replace(_)
        | Overlay::ReplaceScore(_)
        | Overlay::AddScore(_)
        | Overlay::RemoveStrategy(_) => {}
    }
}

fn of(target: &Expr) -> Option<Mention> {
    match &target.kind {
        ExprKind::Index(base, key) => match &base.kind {
            ExprKind::Name(name) => Some(Mention::Cells {
                table: Name {
                    text: name.clone(),
                    span: base.span,
                },
                key: key.clone(),
                columns: Vec::new(),
            }),
            _ => None,
        },
        _ => path(target).map(Mention::Path),
    }
}

fn path(target: &Expr) -> Option<Vec<Name>> {
    match &target.kind {
        ExprKind::Name(name) => Some(vec![Name {
            text: name.clone(),
            span: target.span,
        }]),
        ExprKind::Member(base, word) => {
            let mut parts = path(base)?;
            parts.push(word.clone());
            Some(parts)
        }
        _ => None,
    }
}
