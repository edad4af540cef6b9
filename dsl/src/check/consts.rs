//! Values that are known when the rules are loaded.

use super::Checker;
use super::values::{collect, order};
use crate::ir::{
    AggregateOp, BinaryOp, Binder, Domain, Expr, ExprKind, FormulaId, TableId, Ty, UnaryOp, Value,
    number,
};

const DEPTH_MAX: u32 = 32;
/// Expressions read for one value: what needs more is not called known.
const STEPS_MAX: u32 = 200_000;
const RANGE_MAX: i64 = 10_000;

/// What an expression is worth, if nothing in it waits for the game.
pub(super) fn value(checker: &mut Checker, expr: &Expr) -> Option<Value> {
    value_with(checker, expr, Vec::new())
}

/// The same, where the first names have values.
pub(super) fn value_with(
    checker: &mut Checker,
    expr: &Expr,
    locals: Vec<Option<Value>>,
) -> Option<Value> {
    Evaluator {
        checker,
        locals,
        depth: 0,
        steps: 0,
    }
    .value(expr)
}

struct Evaluator<'c, 'a> {
    checker: &'c mut Checker<'a>,
    locals: Vec<Option<Value>>,
    depth: u32,
    steps: u32,
}

impl Evaluator<'_, '_> {
    fn value(&mut self, expr: &Expr) -> Option<Value> {
        self.steps += 1;
        if self.steps > STEPS_MAX {
            return None;
        }
        match &expr.kind {
            ExprKind::Const(value) => Some(value.clone()),
            ExprKind::Local(id) => self.locals.get(id.index()).cloned().flatten(),
            ExprKind::Column(base, table, column) => {
                let row = self.element(base)?;
                self.checker.rs.tables[table.index()]
                    .rows
                    .get(row as usize)?
                    .values
                    .get(column.index())
                    .cloned()
            }
            ExprKind::Lookup(table, keys) => self.lookup(*table, keys),
            ExprKind::Call(formula, args) => self.call(*formula, args),
            ExprKind::Unary(op, inner) => self.unary(*op, inner),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::If(condition, then, otherwise) => match self.value(condition)? {
                Value::Bool(true) => self.value(then),
                _ => self.value(otherwise),
            },
            ExprKind::Otherwise(inner, or) => match self.value(inner)? {
                Value::None => self.value(or),
                found => Some(found),
            },
            ExprKind::Unwrap(inner) => self.value(inner).filter(|value| *value != Value::None),
            ExprKind::SetOf(elements) | ExprKind::ListOf(elements) => {
                self.all(elements).map(|all| collect(all, &expr.ty))
            }
            ExprKind::BagOf(pairs) => self.bag(pairs),
            ExprKind::PositionAt(row, column) => {
                let at = (self.number(row)?, self.number(column)?);
                let at = (i32::try_from(at.0).ok()?, i32::try_from(at.1).ok()?);
                let tiling = self.checker.rs.tiling.as_ref()?;
                let position = tiling.ground.find(at)?;
                Some(Value::Element(tiling.positions, position))
            }
            ExprKind::Size(inner) => self.value(inner).and_then(|value| size(&value)),
            ExprKind::At(list, index) => match (self.value(list)?, self.number(index)?) {
                (Value::List(values), n) => values.get(usize::try_from(n - 1).ok()?).cloned(),
                _ => None,
            },
            ExprKind::All(domain) => self.domain(*domain),
            ExprKind::Range(low, high) => {
                let (low, high) = (self.number(low)?, self.number(high)?);
                if high.saturating_sub(low) > RANGE_MAX {
                    return None;
                }
                Some(Value::Set(
                    (low..=high).map(|n| Value::Int(n as i32)).collect(),
                ))
            }
            ExprKind::Aggregate { op, binders, value } => {
                self.aggregate(*op, binders, value.as_deref(), &expr.ty)
            }
            _ => None,
        }
    }

    fn element(&mut self, expr: &Expr) -> Option<u32> {
        match self.value(expr)? {
            Value::Element(_, n) => Some(n),
            _ => None,
        }
    }

    fn number(&mut self, expr: &Expr) -> Option<i64> {
        match self.value(expr)? {
            Value::Int(n) => Some(n.into()),
            _ => None,
        }
    }

    fn all(&mut self, exprs: &[Expr]) -> Option<Vec<Value>> {
        exprs.iter().map(|expr| self.value(expr)).collect()
    }

    fn bag(&mut self, pairs: &[(Expr, Expr)]) -> Option<Value> {
        let mut bag: Vec<(Value, u32)> = Vec::new();
        for (element, count) in pairs {
            let (element, count) = (
                self.value(element)?,
                u32::try_from(self.number(count)?).ok()?,
            );
            match bag.iter_mut().find(|(known, _)| *known == element) {
                Some((_, n)) => *n = n.checked_add(count)?,
                None => bag.push((element, count)),
            }
        }
        bag.sort_by_key(|(element, _)| order(element));
        bag.retain(|(_, count)| *count > 0);
        Some(Value::Bag(bag))
    }

    fn lookup(&mut self, table: TableId, keys: &[Expr]) -> Option<Value> {
        let keys = self.all(keys)?;
        let row = self.checker.row_with(table, &keys);
        Some(row.map_or(Value::None, |row| Value::Element(Domain::Table(table), row)))
    }

    fn call(&mut self, formula: FormulaId, args: &[Expr]) -> Option<Value> {
        if self.depth >= DEPTH_MAX {
            return None;
        }
        self.checker.formula_ready(formula)?;
        let args = self.all(args)?;
        let called = &self.checker.rs.formulas[formula.index()];
        let body = called.body.clone();
        let mut locals = vec![None; called.code.locals.len()];
        for (param, arg) in called.params.clone().into_iter().zip(args) {
            *locals.get_mut(param.index())? = Some(arg);
        }
        let mut inner = Evaluator {
            checker: self.checker,
            locals,
            depth: self.depth + 1,
            steps: self.steps,
        };
        let result = inner.value(&body);
        self.steps = inner.steps;
        result
    }

    fn unary(&mut self, op: UnaryOp, inner: &Expr) -> Option<Value> {
        Some(match (op, self.value(inner)?) {
            (UnaryOp::Not, Value::Bool(b)) => Value::Bool(!b),
            (UnaryOp::Negate, Value::Int(n)) => Value::Int(number::negate(n).ok()?),
            (UnaryOp::There, Value::None) => Value::Bool(false),
            (UnaryOp::There, value) => Value::Bool(size(&value) != Some(Value::Int(0))),
            _ => return None,
        })
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Value> {
        let a = self.value(left)?;
        match (op, &a) {
            (BinaryOp::And, Value::Bool(false)) => return Some(Value::Bool(false)),
            (BinaryOp::Or | BinaryOp::Implies, Value::Bool(b)) if *b == (op == BinaryOp::Or) => {
                return Some(Value::Bool(true));
            }
            _ => {}
        }
        combine(op, a, self.value(right)?)
    }

    fn domain(&mut self, domain: Domain) -> Option<Value> {
        let count = match domain {
            Domain::Table(id) => self.checker.rs.tables[id.index()].rows.len(),
            Domain::Enum(id) => self.checker.rs.enums[id.index()].members.len(),
            Domain::Int { low, high } if i64::from(high) - i64::from(low) <= RANGE_MAX => {
                return Some(Value::Set((low..=high).map(Value::Int).collect()));
            }
            _ => return None,
        };
        Some(Value::Set(
            (0..count as u32)
                .map(|n| Value::Element(domain, n))
                .collect(),
        ))
    }

    // -------------------------------------------------------------------------------------------- aggregates

    fn aggregate(
        &mut self,
        op: AggregateOp,
        binders: &[Binder],
        value: Option<&Expr>,
        ty: &Ty,
    ) -> Option<Value> {
        if !binders.iter().all(Binder::is_plain) {
            return None;
        }
        let mut found = Vec::new();
        self.each(binders, value, &mut found)?;
        let truth = |value: &Value| *value == Value::Bool(true);
        let count = i32::try_from(found.len()).ok()?;
        let numbers = || found.iter().map(order);
        Some(match op {
            AggregateOp::Some => Value::Bool(found.iter().any(|v| value.is_none() || truth(v))),
            AggregateOp::Every => Value::Bool(found.iter().all(truth)),
            AggregateOp::No => Value::Bool(!found.iter().any(|v| value.is_none() || truth(v))),
            AggregateOp::Count => Value::Int(count),
            AggregateOp::Sum => Value::Int(number::number(numbers().sum()).ok()?),
            AggregateOp::Min => Value::Int(i32::try_from(numbers().min().unwrap_or(0)).ok()?),
            AggregateOp::Max => Value::Int(i32::try_from(numbers().max().unwrap_or(0)).ok()?),
            AggregateOp::First => found.into_iter().next().unwrap_or(Value::None),
            AggregateOp::Set | AggregateOp::Bag | AggregateOp::List => collect(found, ty),
        })
    }

    fn each(
        &mut self,
        binders: &[Binder],
        value: Option<&Expr>,
        found: &mut Vec<Value>,
    ) -> Option<()> {
        let Some((binder, rest)) = binders.split_first() else {
            let result = value.map_or(Some(Value::Bool(true)), |value| self.value(value))?;
            found.push(result);
            return Some(());
        };
        for element in elements(self.value(&binder.source)?)? {
            let at = binder.local.index();
            if self.locals.len() <= at {
                self.locals.resize(at + 1, None);
            }
            self.locals[at] = Some(element.clone());
            let mut holds = true;
            for condition in &binder.conditions {
                holds = holds && self.value(&condition.expr)? == Value::Bool(true);
            }
            if holds && rest.is_empty() && value.is_none() {
                found.push(element);
            } else if holds {
                self.each(rest, value, found)?;
            }
        }
        Some(())
    }
}

fn elements(value: Value) -> Option<Vec<Value>> {
    match value {
        Value::Set(all) | Value::List(all) => Some(all),
        Value::Bag(all) => Some(
            all.into_iter()
                .flat_map(|(value, n)| std::iter::repeat_n(value, n as usize))
                .collect(),
        ),
        _ => None,
    }
}

fn size(value: &Value) -> Option<Value> {
    let size = match value {
        Value::Set(all) | Value::List(all) => all.len(),
        Value::Bag(all) => all.iter().map(|(_, count)| *count as usize).sum(),
        _ => return None,
    };
    i32::try_from(size).ok().map(Value::Int)
}

fn combine(op: BinaryOp, a: Value, b: Value) -> Option<Value> {
    Some(match (op, a, b) {
        (BinaryOp::Equal, a, b) => Value::Bool(a == b),
        (BinaryOp::NotEqual, a, b) => Value::Bool(a != b),
        (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies, _, b) => b,
        (BinaryOp::In, a, Value::Set(all) | Value::List(all)) => Value::Bool(all.contains(&a)),
        (BinaryOp::In, a, Value::Bag(all)) => Value::Bool(all.iter().any(|(value, _)| *value == a)),
        (BinaryOp::Union, Value::Set(a), Value::Set(b)) => union(a, b),
        (BinaryOp::Difference, Value::Set(a), Value::Set(b)) => {
            Value::Set(a.into_iter().filter(|x| !b.contains(x)).collect())
        }
        (op, Value::Int(a), Value::Int(b)) => arithmetic(op, a, b)?,
        _ => return None,
    })
}

fn union(mut a: Vec<Value>, b: Vec<Value>) -> Value {
    a.extend(b);
    a.sort_by_key(order);
    a.dedup();
    Value::Set(a)
}

fn arithmetic(op: BinaryOp, a: i32, b: i32) -> Option<Value> {
    Some(match op {
        BinaryOp::Less => Value::Bool(a < b),
        BinaryOp::LessEqual => Value::Bool(a <= b),
        BinaryOp::Greater => Value::Bool(a > b),
        BinaryOp::GreaterEqual => Value::Bool(a >= b),
        BinaryOp::Add => Value::Int(number::add(a, b).ok()?),
        BinaryOp::Subtract => Value::Int(number::subtract(a, b).ok()?),
        BinaryOp::Multiply => Value::Int(number::multiply(a, b).ok()?),
        BinaryOp::Divide => Value::Int(number::divide(a, b).ok()?),
        BinaryOp::Remainder => Value::Int(number::remainder(a, b).ok()?),
        _ => return None,
    })
}
