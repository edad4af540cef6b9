//! `set` lines of overlays: those that give one thing two values, and those that change nothing.

use super::Checker;
use crate::assembly::SetEntry;
use crate::assembly::clash::{Kind, Part};
use crate::diagnostic::Diagnostic;
use crate::ir::Value;
use crate::syntax::ast;

impl Checker<'_> {
    /// Overlays that know nothing of each other and give `place` different values.
    pub(super) fn sets_clash(
        &mut self,
        place: &str,
        earlier: &[(&SetEntry, Value)],
        (set, value): (&SetEntry, &Value),
    ) {
        let asm = self.asm;
        let others = earlier
            .iter()
            .filter(|(other, given)| given != value && asm.are_strangers(other.layer, set.layer));
        for (other, _) in others {
            for one in [other, set] {
                let part = Part {
                    layer: one.layer,
                    span: one.span,
                    does: format!("`{}` sets `{place}`", asm.layer_id(one.layer)),
                };
                self.clashes.add(Kind::Conflict, place, part);
            }
        }
    }

    /// A number or word that stands there already. Where another overlay sets it too, or the value follows from others,
    /// it may be another one elsewhere.
    pub(super) fn idle_set(&mut self, place: &str, sets: &[SetEntry], set: &SetEntry) {
        let mut layers = sets.iter().map(|other| other.layer);
        let alone = !layers.any(|other| self.asm.are_strangers(other, set.layer));
        if !alone || !self.asm.is_overlay(set.layer) || !is_plain(&set.value) {
            return;
        }
        let message = format!("this line changes nothing: `{place}` has this value already");
        self.report(
            Diagnostic::warning("changes-nothing", set.span, message)
                .help("take the line away, or write another value"),
        );
    }
}

/// A number, `true`, `false`.
fn is_plain(value: &ast::GridCell) -> bool {
    match value {
        ast::GridCell::Expr(expr) => match &expr.kind {
            ast::ExprKind::Number(_) => true,
            ast::ExprKind::Name(name) => name == "true" || name == "false",
            _ => false,
        },
        ast::GridCell::Statements(_) => false,
    }
}
