//! Values that are known when the rules are loaded.

use super::Checker;
use crate::ir::{self, Domain, Expr, FormulaId, RuleSet, Value};

impl ir::Known for Checker<'_> {
    fn rules(&self) -> &RuleSet {
        &self.rs
    }

    fn is_ready(&mut self, formula: FormulaId) -> bool {
        self.formula_ready(formula).is_some()
    }

    fn players(&self) -> Option<u32> {
        None
    }

    fn all_in(&self, domain: Domain) -> Option<(i32, u32)> {
        match domain {
            Domain::Table(id) => Some((0, self.rs.tables[id.index()].rows.len() as u32)),
            Domain::Enum(id) => Some((0, self.rs.enums[id.index()].members.len() as u32)),
            Domain::Int { low, high } => {
                let count = i64::from(high) - i64::from(low) + 1;
                Some((low, u32::try_from(count.max(0)).ok()?))
            }
            // How many there are is known only when the game is laid out.
            Domain::Player
            | Domain::Cell
            | Domain::Side
            | Domain::Port
            | Domain::Action
            | Domain::Part(_) => None,
        }
    }
}

impl Checker<'_> {
    /// What an expression is worth, if nothing in it waits for the game.
    pub(super) fn constant(&mut self, expr: &Expr) -> Option<Value> {
        self.constant_with(expr, Vec::new())
    }

    /// The same, where the first names have values.
    pub(super) fn constant_with(
        &mut self,
        expr: &Expr,
        locals: Vec<Option<Value>>,
    ) -> Option<Value> {
        ir::constant(self, expr, locals)
    }
}
