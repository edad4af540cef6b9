//! Lines that can have no effect, or not the one that whoever wrote them can have meant. Each is told by a fact of the rules.

mod blocks;
mod hidden;
mod limits;
mod oneself;
mod seats;

use std::collections::BTreeMap;

use super::Checker;
use super::graph::{Node, Use};
use super::visit;
use crate::diagnostic::Diagnostic;
use crate::ir::{Block, Expr, RuleSet};

impl Checker<'_> {
    pub(super) fn senseless(&mut self, by_node: &BTreeMap<Node, Vec<Use>>) {
        let mut found = Vec::new();
        for block in bodies(&self.rs) {
            blocks::check(self, block, &mut found);
            seats::in_block(block, &mut found);
        }
        for expr in expressions(&self.rs) {
            seats::in_expression(expr, &mut found);
            oneself::check(expr, &mut found);
        }
        limits::in_flow(&self.rs.flow_body, &mut found);
        blocks::endless_calls(&self.rs, &mut found);
        self.skipped_originals(&mut found);
        self.hidden_lines(by_node, &mut found);
        let mut seen = Vec::new();
        for one in found {
            if !seen.contains(&(one.span, one.code)) {
                seen.push((one.span, one.code));
                self.report(one);
            }
        }
    }
}

/// All lines that run.
fn bodies(rs: &RuleSet) -> impl Iterator<Item = &Block> {
    let actions = rs.actions.iter().map(|action| &action.body);
    let whens = rs.whens.iter().map(|when| &when.body);
    let effects = rs.effects.iter().map(|effect| &effect.body);
    std::iter::once(&rs.flow_body)
        .chain(actions)
        .chain(whens)
        .chain(effects)
}

/// All expressions, the outermost of each.
fn expressions(rs: &RuleSet) -> Vec<&Expr> {
    let mut found: Vec<&Expr> = Vec::new();
    found.extend(rs.formulas.iter().map(|formula| &formula.body));
    found.extend(
        rs.networks
            .iter()
            .filter_map(|network| network.condition.as_ref()),
    );
    found.extend(rs.rules.iter().map(|rule| &rule.condition));
    found.extend(rs.whens.iter().map(|when| &when.condition));
    found.extend(rs.scores.iter().map(|line| &line.value));
    bodies(rs).for_each(|block| of_block(block, &mut found));
    found
}

fn of_block<'e>(block: &'e Block, found: &mut Vec<&'e Expr>) {
    for statement in &block.statements {
        found.extend(visit::expressions(statement));
        for inner in visit::blocks(statement) {
            of_block(inner, found);
        }
    }
}

/// Whether something in an expression, or itself, is so.
fn any(expr: &Expr, is: &dyn Fn(&Expr) -> bool) -> bool {
    is(expr)
        || visit::children(expr)
            .into_iter()
            .any(|inner| any(inner, is))
}

fn warning(code: &'static str, span: crate::source::Span, message: String) -> Diagnostic {
    Diagnostic::warning(code, span, message)
}
