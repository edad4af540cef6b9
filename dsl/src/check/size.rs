//! How large formulas are with all the formulas they use written out: what doubles from line to line would take for ever.

use super::Checker;
use super::visit::children;
use crate::bounds::{WRITTEN_DEPTH_MAX, WRITTEN_OUT_MAX};
use crate::diagnostic::Diagnostic;
use crate::ir::{Expr, ExprKind, FormulaId};

/// Of a formula.
#[derive(Clone, Copy, Default)]
struct Size {
    terms: u64,
    depth: u32,
}

/// What stands in a formula itself, and the formulas it uses, each with how deep it stands there.
#[derive(Default)]
struct Own {
    size: Size,
    uses: Vec<(FormulaId, u32)>,
}

impl Checker<'_> {
    /// Reports the formulas that are too large, of those that use one another the innermost.
    pub(super) fn written_out(&mut self) {
        let own: Vec<Own> = self.rs.formulas.iter().map(|f| Own::of(&f.body)).collect();
        let mut sizes: Vec<Option<Size>> = vec![None; own.len()];
        // Without recursion: formulas may need one another many deep.
        let mut open: Vec<usize> = (0..own.len()).rev().collect();
        let mut begun = vec![false; own.len()];
        while let Some(&at) = open.last() {
            if sizes[at].is_some() {
                open.pop();
                continue;
            }
            let waiting = own[at].uses.iter().map(|(id, _)| id.index());
            let waiting: Vec<usize> = waiting.filter(|id| sizes[*id].is_none()).collect();
            // Whoever needs itself is reported elsewhere.
            if waiting.is_empty() || std::mem::replace(&mut begun[at], true) {
                open.pop();
                sizes[at] = Some(self.written_size(FormulaId(at as u32), &own[at], &sizes));
            } else {
                open.extend(waiting);
            }
        }
    }

    fn written_size(&mut self, id: FormulaId, own: &Own, sizes: &[Option<Size>]) -> Size {
        let mut size = own.size;
        for (used, depth) in &own.uses {
            let of = sizes[used.index()].unwrap_or_default();
            size.terms = size.terms.saturating_add(of.terms);
            size.depth = size.depth.max(depth.saturating_add(of.depth));
        }
        let message = if size.terms > WRITTEN_OUT_MAX {
            format!(
                "comes to more than {WRITTEN_OUT_MAX} terms with all the formulas it uses written out"
            )
        } else if size.depth > WRITTEN_DEPTH_MAX {
            format!(
                "goes more than {WRITTEN_DEPTH_MAX} levels deep with all the formulas it uses written out"
            )
        } else {
            return size;
        };
        let formula = &self.rs.formulas[id.index()];
        let message = format!("`{}` {message}", formula.name);
        let mut diagnostic = Diagnostic::error("too-large", formula.span, message);
        let largest = own
            .uses
            .iter()
            .max_by_key(|(used, _)| sizes[used.index()].map_or(0, |s| s.terms));
        if let Some((used, _)) = largest {
            let times = own.uses.iter().filter(|(other, _)| other == used).count();
            let name = &self.rs.formulas[used.index()].name;
            diagnostic = diagnostic.help(match times {
                1 => format!("most of it is `{name}`"),
                _ => format!("it uses `{name}` {times} times: multiply it, or keep it in a cell"),
            });
        }
        self.report(diagnostic);
        // Told once: whoever uses it is not told of it again.
        Size::default()
    }
}

impl Own {
    fn of(body: &Expr) -> Own {
        let mut own = Own::default();
        own.add(body, 1);
        own
    }

    fn add(&mut self, expr: &Expr, depth: u32) {
        self.size.terms += 1;
        self.size.depth = self.size.depth.max(depth);
        if let ExprKind::Call(formula, _) = &expr.kind {
            self.uses.push((*formula, depth));
        }
        for child in children(expr) {
            self.add(child, depth + 1);
        }
    }
}
