//! Places that can be written: cells, places of rows and lists, the box.

use super::body::Body;
use super::graph::Touched;
use crate::diagnostic::Diagnostic;
use crate::ir::{Domain, Expr, ExprKind, Place, Ty};
use crate::source::Span;
use crate::syntax::ast;

/// The place an expression reads, if it reads one.
pub(crate) fn place_of(expr: &Expr) -> Option<Place> {
    match &expr.kind {
        ExprKind::Cell(cell, indices) => Some(Place {
            cell: *cell,
            indices: indices.clone(),
            element: None,
            ty: expr.ty.clone(),
            span: expr.span,
        }),
        ExprKind::At(base, index) => {
            let place = place_of(base)?;
            let ty = match base.ty {
                crate::ir::Ty::Row(domain) => domain.element_ty().optional(),
                _ => expr.ty.clone(),
            };
            (place.element.is_none()).then(|| Place {
                element: Some(index.clone()),
                ty,
                span: expr.span,
                ..place
            })
        }
        ExprKind::Unwrap(inner) => place_of(inner),
        _ => None,
    }
}

impl Body<'_, '_> {
    /// What stands left of `=`, `+=`, behind `from` and `to`.
    pub fn target(&mut self, target: &ast::Expr) -> Option<Place> {
        self.writing = true;
        let expr = self.raw(target, None);
        self.writing = false;
        let expr = expr?;
        let Some(mut place) = place_of(&expr) else {
            self.no_place(&expr);
            return None;
        };
        if place.element.is_none() {
            place.ty = self.k.rs.cells[place.cell.index()].ty.clone();
        }
        Some(place)
    }

    fn no_place(&mut self, expr: &Expr) {
        let text = self.k.slice(expr.span).to_owned();
        let (what, help) = match &expr.kind {
            ExprKind::Call(..) => (
                "a formula",
                "it follows from what it reads: change that; what keeps a value is a cell, `name: type`",
            ),
            ExprKind::Column(..) | ExprKind::ColumnAt(..) | ExprKind::Lookup(..) => (
                "a column",
                "tables stay as they are during a game; what changes is a cell of their rows: `route.toll: 0.. = 3`; a variant changes columns with `patch`",
            ),
            ExprKind::Local(_) => (
                "a name for a value",
                "only cells change: declare one, `player.name: 0..`",
            ),
            ExprKind::Random(_) => (
                "what chance decides",
                "in a case `random = [3, 5]` says what comes next",
            ),
            ExprKind::Const(_) if expr.ty == Ty::Element(Domain::Action) => (
                "an action",
                "only cells change: declare one, `player.name: 0..`",
            ),
            ExprKind::Const(_) => (
                "a constant",
                "what changes during a game is a cell: `name: 0.. = 3`; a variant changes options with `set`",
            ),
            ExprKind::Grid(..) => ("a table's cell", "a variant changes it with `set`"),
            _ => ("no cell", "only cells change"),
        };
        let diagnostic = Diagnostic::error(
            "cannot-change",
            expr.span,
            format!("`{text}` is {what} and cannot be changed"),
        )
        .help(help);
        self.k.report(diagnostic);
    }

    /// Notes that a place is written, and what may no longer be known.
    pub fn written_place(&mut self, place: &Place) {
        self.touch(Touched::Write(place.cell), place.span);
        self.forget(Some(place.cell));
    }

    /// The box holds what has left the game, one box for each kind of thing.
    pub fn the_box(&mut self, held: &Ty, unseen: bool, span: Span) -> Place {
        let cell = self.k.box_of(held, unseen);
        self.touch(Touched::Write(cell), span);
        self.touch(Touched::Read(cell), span);
        Place {
            cell,
            indices: Vec::new(),
            element: None,
            ty: self.k.rs.cells[cell.index()].ty.clone(),
            span,
        }
    }
}
