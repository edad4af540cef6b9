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
        let Some(own) = set.layer else { return };
        for (other, given) in earlier {
            let Some(layer) = other.layer.filter(|_| given != value) else {
                continue;
            };
            if !asm.are_strangers(layer, own) {
                continue;
            }
            for (layer, span) in [(layer, other.span), (own, set.span)] {
                let part = Part {
                    layer,
                    span,
                    does: format!("`{}` sets `{place}`", asm.layer_id(layer)),
                };
                self.clashes.add(Kind::Conflict, place, part);
            }
        }
    }

    /// A number or word that stands there already. Where another overlay sets it too, or the value follows from others,
    /// it may be another one elsewhere.
    pub(super) fn idle_set(&mut self, place: &str, sets: &[SetEntry], set: &SetEntry) {
        let Some(own) = set.layer else { return };
        let mut layers = sets.iter().filter_map(|other| other.layer);
        let alone = !layers.any(|other| self.asm.are_strangers(other, own));
        if !alone || !self.asm.is_overlay(own) || !is_plain(&set.value) {
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
