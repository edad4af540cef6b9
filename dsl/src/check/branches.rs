//! `if` and `match`.

use super::body::Body;
use super::types::domain_of;
use crate::diagnostic::Diagnostic;
use crate::ir::{Block, Expr, StatementKind, Ty, Value};
use crate::source::Span;
use crate::syntax::ast;

impl Body<'_, '_> {
    pub(super) fn if_(
        &mut self,
        arms: &[(ast::Expr, ast::Block)],
        otherwise: Option<&ast::Block>,
    ) -> Option<StatementKind> {
        let start = self.known.clone();
        let mut after: Option<Vec<String>> = None;
        let mut checked = Vec::new();
        let mut failed: Vec<Expr> = Vec::new();
        for (condition, block) in arms {
            self.known.clone_from(&start);
            for before in &failed {
                self.learn(before, false);
            }
            let condition = self.condition(condition);
            if let Some(condition) = &condition {
                self.learn(condition, true);
            }
            let block = self.block(block);
            if !ends(&block) {
                merge(&mut after, &self.known);
            }
            if let Some(condition) = condition {
                failed.push(condition.clone());
                checked.push((condition, block));
            }
        }
        self.known = start;
        for before in &failed {
            self.learn(before, false);
        }
        let otherwise = otherwise.map(|block| self.block(block));
        if !otherwise.as_ref().is_some_and(ends) {
            merge(&mut after, &self.known);
        }
        self.known = after.unwrap_or_default();
        Some(StatementKind::If {
            arms: checked,
            otherwise,
        })
    }

    pub(super) fn match_(
        &mut self,
        value: &ast::Expr,
        arms: &[ast::MatchArm],
        otherwise: Option<&ast::Block>,
        span: Span,
    ) -> Option<StatementKind> {
        let value = self.expr(value, None);
        let mut seen: Vec<Value> = Vec::new();
        let mut checked = Vec::new();
        let mut whole = value.is_some();
        for arm in arms {
            let values = value
                .as_ref()
                .map(|value| self.arm_values(&value.ty, arm, &mut seen));
            let there = value
                .as_ref()
                .filter(|_| {
                    values
                        .as_ref()
                        .is_some_and(|all| !all.contains(&Value::None))
                })
                .cloned();
            let body = self.scoped(|body| {
                if let Some(there) = there {
                    body.learn(&super::expr::there(there), true);
                }
                body.block(&arm.body)
            });
            whole &= values
                .as_ref()
                .is_some_and(|all| all.len() == arm.values.len());
            checked.extend(values.map(|values| (values, body)));
        }
        let otherwise = otherwise.map(|block| self.block(block));
        let value = value?;
        if whole {
            self.covered(&value, &seen, otherwise.is_some(), span);
        }
        Some(StatementKind::Match {
            value,
            arms: checked,
            otherwise,
        })
    }

    pub(super) fn arm_values(
        &mut self,
        ty: &Ty,
        arm: &ast::MatchArm,
        seen: &mut Vec<Value>,
    ) -> Vec<Value> {
        let mut values = Vec::new();
        for expr in &arm.values {
            let Some(found) = self.value(expr, ty) else {
                continue;
            };
            let Some(value) = self.k.constant(&found) else {
                self.error(
                    "not-constant",
                    expr.span,
                    "a case is a constant: a member, a row, a number",
                );
                continue;
            };
            if seen.contains(&value) {
                self.k.report(Diagnostic::warning(
                    "unreachable",
                    expr.span,
                    "this case stands above already",
                ));
            }
            seen.push(value.clone());
            values.push(value);
        }
        values
    }

    pub(super) fn covered(&mut self, value: &Expr, seen: &[Value], has_else: bool, span: Span) {
        let Some(mut missing) = self.cases(&value.ty) else {
            if !has_else {
                self.error_help(
                    "uncovered",
                    span,
                    "not every case has a line",
                    "end with `else: skip`",
                );
            }
            return;
        };
        missing.retain(|case| !seen.contains(case));
        if has_else {
            if missing.is_empty() {
                self.k.report(Diagnostic::warning(
                    "unreachable",
                    span,
                    "all cases have a line: `else` never happens",
                ));
            }
            return;
        }
        if !missing.is_empty() {
            let words: Vec<String> = missing
                .iter()
                .take(6)
                .map(|case| format!("`{}`", self.k.show_value(case)))
                .collect();
            let message = format!("no line for {}", words.join(", "));
            self.error_help("uncovered", span, message, "add the case, or `else: …`");
        }
    }

    pub(super) fn cases(&self, ty: &Ty) -> Option<Vec<Value>> {
        if let Ty::Optional(inner) = ty {
            let mut all = self.cases(inner)?;
            all.push(Value::None);
            return Some(all);
        }
        if *ty == Ty::Bool {
            return Some(vec![Value::Bool(true), Value::Bool(false)]);
        }
        self.k.elements_of(domain_of(ty)?)
    }
}

fn merge(after: &mut Option<Vec<String>>, known: &[String]) {
    match after {
        None => *after = Some(known.to_vec()),
        Some(all) => all.retain(|path| known.contains(path)),
    }
}

fn ends(block: &Block) -> bool {
    match block.statements.last().map(|last| &last.kind) {
        Some(StatementKind::Stop) => true,
        Some(StatementKind::Finish(finish)) => finish.is_now(),
        _ => false,
    }
}
