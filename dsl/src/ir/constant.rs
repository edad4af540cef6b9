//! What expressions are worth that wait for nothing in the game: for the checker and for whoever lays a rule set out.

use super::{
    AggregateOp, BinaryOp, Binder, Domain, Expr, ExprKind, FormulaId, Row, RuleSet, Table, TableId,
    Ty, UnaryOp, Value, number,
};

const DEPTH_MAX: u32 = 32;
/// Expressions read for one value: what needs more is not called known.
const STEPS_MAX: u32 = 200_000;
const RANGE_MAX: i64 = 10_000;

/// What is known beside an expression.
pub trait Known {
    fn rules(&self) -> &RuleSet;

    /// A formula that is called may be looked into.
    fn is_ready(&mut self, formula: FormulaId) -> bool;

    /// How many play.
    fn players(&self) -> Option<u32>;

    /// What a domain's first element is called, and how many stand in the set of all; none if that is not known yet.
    fn all_in(&self, domain: Domain) -> Option<(i32, u32)>;
}

/// What an expression is worth, if nothing in it waits for the game; some of its locals have values.
pub fn constant(known: &mut impl Known, expr: &Expr, locals: Vec<Option<Value>>) -> Option<Value> {
    let mut evaluator = Evaluator {
        known,
        locals,
        depth: 0,
        steps: 0,
    };
    evaluator.value(expr)
}

impl Domain {
    /// An element by its number, or the number itself.
    pub fn element(self, number: i32) -> Value {
        match self {
            Domain::Int { .. } => Value::Int(number),
            domain => Value::Element(domain, number as u32),
        }
    }
}

impl Table {
    /// The row under a key.
    pub fn row_with(&self, keys: &[Value]) -> Option<u32> {
        let fits = |row: &Row| {
            let mut columns = self.key.iter().zip(keys);
            columns.all(|(column, key)| row.values.get(column.index()) == Some(key))
        };
        self.rows.iter().position(fits).map(|at| at as u32)
    }

    /// How many pieces of a row there are.
    pub fn copies(&self, row: u32) -> u32 {
        let values = &self.rows[row as usize].values;
        match self.copies.map(|column| &values[column.index()]) {
            Some(Value::Int(n)) => (*n).max(0) as u32,
            _ => 1,
        }
    }
}

impl Value {
    /// Values as a container of the type, in canonical order.
    pub fn collected(mut values: Vec<Value>, ty: &Ty) -> Value {
        match ty.required() {
            Ty::List(_) => Value::List(values),
            Ty::Bag(_) => {
                values.sort_by_key(order);
                let mut bag: Vec<(Value, u32)> = Vec::new();
                for value in values {
                    match bag.last_mut() {
                        Some((last, count)) if *last == value => *count += 1,
                        _ => bag.push((value, 1)),
                    }
                }
                Value::Bag(bag)
            }
            _ => {
                values.sort_by_key(order);
                values.dedup();
                Value::Set(values)
            }
        }
    }

    /// How many a container holds; none of what is no container.
    pub fn size(&self) -> Option<u64> {
        match self {
            Value::Set(all) | Value::List(all) => Some(all.len() as u64),
            Value::Bag(all) => Some(all.iter().map(|(_, count)| u64::from(*count)).sum()),
            Value::None
            | Value::Int(_)
            | Value::Bool(_)
            | Value::Text(_)
            | Value::Element(..)
            | Value::Effect(_)
            | Value::Formula(_) => None,
        }
    }
}

struct Evaluator<'k, K> {
    known: &'k mut K,
    locals: Vec<Option<Value>>,
    depth: u32,
    steps: u32,
}

impl<K: Known> Evaluator<'_, K> {
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
                self.known.rules().tables[table.index()]
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
            ExprKind::SetOf(elements) | ExprKind::ListOf(elements) => self
                .all(elements)
                .map(|all| Value::collected(all, &expr.ty)),
            ExprKind::BagOf(pairs) => self.bag(pairs),
            ExprKind::PositionAt(row, column) => {
                let at = (self.number(row)?, self.number(column)?);
                let at = (i32::try_from(at.0).ok()?, i32::try_from(at.1).ok()?);
                let tiling = self.known.rules().tiling.as_ref()?;
                let position = tiling.ground.find(at)?;
                Some(Value::Element(tiling.positions, position))
            }
            ExprKind::Size(inner) => self.size(inner),
            ExprKind::At(list, index) => match (self.value(list)?, self.number(index)?) {
                (Value::List(values), n) => values.get(usize::try_from(n - 1).ok()?).cloned(),
                _ => None,
            },
            ExprKind::All(domain) => self.domain(*domain),
            ExprKind::Pieces(table) => Some(self.pieces(*table)),
            ExprKind::Players => self.known.players().map(|n| Value::Int(n as i32)),
            ExprKind::Seat(player) => self.element(player).map(|seat| Value::Int(seat as i32 + 1)),
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
        let row = self.known.rules().tables[table.index()].row_with(&keys);
        Some(row.map_or(Value::None, |row| Value::Element(Domain::Table(table), row)))
    }

    fn call(&mut self, formula: FormulaId, args: &[Expr]) -> Option<Value> {
        if self.depth >= DEPTH_MAX {
            return None;
        }
        if !self.known.is_ready(formula) {
            return None;
        }
        let args: Vec<Option<Value>> = args.iter().map(|arg| self.value(arg)).collect();
        let called = &self.known.rules().formulas[formula.index()];
        let body = called.body.clone();
        let mut locals = vec![None; called.code.locals.len()];
        for (param, arg) in called.params.clone().into_iter().zip(args) {
            *locals.get_mut(param.index())? = arg;
        }
        let mut inner = Evaluator {
            known: self.known,
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
            (UnaryOp::There, value) => Value::Bool(value.size() != Some(0)),
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
        let (low, count) = self.known.all_in(domain)?;
        let few = i64::from(count) <= RANGE_MAX;
        let all = || (0..count).map(|at| domain.element(low + at as i32));
        few.then(|| Value::Set(all().collect()))
    }

    fn pieces(&self, id: TableId) -> Value {
        let table = &self.known.rules().tables[id.index()];
        let pieces = (0..table.rows.len() as u32).map(|row| (row, table.copies(row)));
        let there = pieces.filter(|(_, copies)| *copies > 0);
        let element = |row| Value::Element(Domain::Table(id), row);
        Value::Bag(there.map(|(row, copies)| (element(row), copies)).collect())
    }

    fn size(&mut self, container: &Expr) -> Option<Value> {
        let size = match &container.kind {
            ExprKind::All(domain) => self.known.all_in(*domain)?.1.into(),
            _ => match self.value(container)? {
                Value::None => 0,
                value => value.size()?,
            },
        };
        i32::try_from(size).ok().map(Value::Int)
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
            AggregateOp::Set | AggregateOp::Bag | AggregateOp::List => Value::collected(found, ty),
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

fn order(value: &Value) -> i64 {
    match value {
        Value::Int(n) => i64::from(*n),
        Value::Element(_, n) => i64::from(*n),
        Value::Bool(b) => i64::from(*b),
        _ => 0,
    }
}
