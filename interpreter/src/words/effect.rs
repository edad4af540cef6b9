//! What an effect of a table does, before it is known what it will come to.

use super::Words;
use super::speech::{change, plain};
use dsl::ir::{self, AssignOp, BinaryOp, Expr, ExprKind, MoveWhat, Noun, Saying, Ty, Value};

impl Words<'_> {
    /// What an effect of a table's cell does: the deeds that it calls, what it adds, sets and moves.
    pub(super) fn effect(&self, effect: &ir::Effect) -> String {
        let statements = effect.body.statements.iter();
        let parts: Option<Vec<String>> = statements
            .map(|statement| self.effect_part(statement))
            .collect();
        match parts {
            Some(parts) if !parts.is_empty() => parts.join(", "),
            _ => plain(&effect.text),
        }
    }

    /// What a table's cell asks: the formula that it calls, and with what, each under its name.
    pub(super) fn formula(&self, id: ir::FormulaId) -> String {
        let written = &self.rules.formulas[id.index()];
        let ExprKind::Call(called, args) = &written.body.kind else {
            return plain(&written.name);
        };
        let formula = &self.rules.formulas[called.index()];
        let pairs = formula.params.iter().zip(args);
        let told = pairs.filter_map(|(param, arg)| {
            let name = plain(&formula.code.locals[param.index()].name);
            Some(format!("{name} {}", self.expression(arg)?))
        });
        let told: Vec<String> = told.collect();
        match told.is_empty() {
            true => self.formula_called(*called),
            false => format!("{}: {}", self.formula_called(*called), told.join(", ")),
        }
    }

    /// Its name, whosever it is.
    fn formula_called(&self, id: ir::FormulaId) -> String {
        let name = &self.rules.formulas[id.index()].name;
        plain(name.rsplit('.').next().unwrap_or(name))
    }

    /// Nothing but whose it is.
    fn has_no_arguments(args: &[Expr]) -> bool {
        args.iter().all(|arg| matches!(arg.kind, ExprKind::Me))
    }

    fn effect_part(&self, statement: &ir::Statement) -> Option<String> {
        match &statement.kind {
            ir::StatementKind::Call(action, args) => {
                let values = args.iter().map(|arg| self.expression(arg.as_ref()?));
                let values: Vec<Option<String>> = values.collect();
                Some(self.deed_with(*action, &values))
            }
            ir::StatementKind::Assign { target, op, value } => self.assigned(target, *op, value),
            ir::StatementKind::Move(one) => self.moved(one),
            _ => None,
        }
    }

    fn assigned(&self, target: &ir::Place, op: AssignOp, value: &Expr) -> Option<String> {
        let noun = self.place_noun(target)?;
        let sign = match op {
            AssignOp::Set => return self.set(&noun, value),
            AssignOp::Add => '+',
            AssignOp::Subtract => '−',
        };
        if let ExprKind::Const(Value::Int(by)) = value.kind {
            let by = i64::from(by);
            return Some(change(if sign == '−' { -by } else { by }, &noun));
        }
        let by = self.operand(value)?;
        Some(
            match noun.counted && matches!(target.ty.required(), Ty::Int { .. }) {
                true => format!("{sign}{by} {}", noun.many),
                false => format!("{} {sign}{by}", noun.one),
            },
        )
    }

    /// A cell gets a value: `no price`, `site Boston`
    fn set(&self, noun: &Noun, value: &Expr) -> Option<String> {
        Some(match value.kind {
            ExprKind::Const(Value::Bool(true)) => noun.one.clone(),
            ExprKind::Const(Value::Bool(false)) => self.say(Saying::Not, &[("what", &noun.one)]),
            ExprKind::Const(Value::None) => {
                self.say(Saying::NoThingCalled, &[("thing", &noun.one)])
            }
            _ => format!("{} {}", noun.heading(), self.expression(value)?),
        })
    }

    /// `hand +2 red`, as the log says it: where it goes to, else where it comes from.
    fn moved(&self, one: &ir::Move) -> Option<String> {
        let (what, from) = match &one.what {
            MoveWhat::Value { value, from } => (self.expression(value)?, from),
            MoveWhat::Drawn {
                count: None, of, ..
            } => ("1".to_owned(), of),
            MoveWhat::Drawn {
                count: Some(count),
                of,
                ..
            } => (self.operand(count)?, of),
            MoveWhat::Everything(from) => {
                let from = self.place_noun(from)?;
                (from.heading().to_owned(), &one.to)
            }
        };
        let is_own = |place: &ir::Place| {
            let owner = place.indices.first();
            owner.is_some_and(|owner| matches!(owner.kind, ExprKind::Me))
        };
        let (sign, place) = match is_own(from) && !is_own(&one.to) {
            true => ('−', from),
            false => ('+', &one.to),
        };
        Some(format!(
            "{} {sign}{what}",
            self.place_noun(place)?.heading()
        ))
    }

    /// What a place is called, with its indices where they are the same in every game.
    fn place_noun(&self, place: &ir::Place) -> Option<Noun> {
        let noun = self.cell_said(place.cell, &place.indices)?;
        match &place.element {
            None => Some(noun),
            Some(at) => Some(noun.with(&self.expression(at)?)),
        }
    }

    fn cell_said(&self, cell: ir::CellId, indices: &[Expr]) -> Option<Noun> {
        let declared = self.rules.cells.get(cell.index())?;
        let noun = self.speech().cells.get(cell.index())?.clone();
        let noun = noun.unwrap_or_else(|| Noun {
            one: plain(&declared.name),
            many: plain(&declared.name),
            counted: false,
        });
        let owners = indices.len().saturating_sub(declared.indices.len());
        let of: Option<Vec<String>> = indices[owners..]
            .iter()
            .map(|index| self.expression(index))
            .collect();
        Some(noun.with(&of?.join(", ")))
    }

    /// A value before it is known: a constant, what a cell or a column is called, a calculation with them; none if it cannot be said
    /// in a few words.
    pub(super) fn expression(&self, expr: &Expr) -> Option<String> {
        match &expr.kind {
            ExprKind::Const(value) => Some(self.constant_in_words(value)),
            ExprKind::SetOf(items) | ExprKind::ListOf(items) => {
                let items: Option<Vec<String>> =
                    items.iter().map(|item| self.expression(item)).collect();
                Some(self.list(&items?))
            }
            ExprKind::Cell(cell, indices) => {
                Some(self.cell_said(*cell, indices)?.heading().to_owned())
            }
            ExprKind::Column(_, table, column) | ExprKind::ColumnAt(_, table, column) => {
                let words = self.speech().tables.get(table.index())?;
                Some(words.columns.get(column.index())?.heading().to_owned())
            }
            ExprKind::Call(formula, args) if Self::has_no_arguments(args) => {
                Some(self.formula_called(*formula))
            }
            ExprKind::Size(inner) | ExprKind::Unwrap(inner) | ExprKind::Otherwise(inner, _) => {
                self.expression(inner)
            }
            ExprKind::Binary(op, left, right) => {
                let sign = match op {
                    BinaryOp::Add => "+",
                    BinaryOp::Subtract => "−",
                    BinaryOp::Multiply => "×",
                    BinaryOp::Divide => "÷",
                    _ => return None,
                };
                let (left, right) = match op {
                    BinaryOp::Multiply | BinaryOp::Divide => {
                        (self.operand(left)?, self.operand(right)?)
                    }
                    _ => (self.expression(left)?, self.expression(right)?),
                };
                Some(format!("{left} {sign} {right}"))
            }
            _ => None,
        }
    }

    /// In brackets, if it is a sum.
    fn operand(&self, expr: &Expr) -> Option<String> {
        let text = self.expression(expr)?;
        let is_sum = matches!(
            expr.kind,
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Subtract, ..)
        );
        Some(match is_sum {
            true => format!("({text})"),
            false => text,
        })
    }
}
