//! How much lists, decks and loops need room for: counted from what is written, so that what fits in play has its room.

use super::cells::{domains_of, holds};
use super::{Lower, LowerError};
use crate::program::*;
use dsl::ir::{self, AggregateOp, BinaryOp, Domain, Expr, ExprKind, Ty, Value};

/// Formulas, and cells' starts, that are looked into one in another.
const DEPTH_MAX: u32 = 32;
/// Slots of a cell whose starts are counted one by one, and elements that are asked one by one for that.
const COUNTED_MAX: u32 = 1 << 12;

impl Lower<'_> {
    /// Counts the pieces of each kind that the starts of cells bring: none can hold more of them, as long as pieces are moved.
    pub(super) fn count_pieces(&mut self) {
        for cell in &self.rules.cells {
            let (Some(domain), Some(start)) = (holds(&cell.ty), &cell.start) else {
                continue;
            };
            let Some(more) = self.most_at_start(cell, start) else {
                continue;
            };
            match self.brought.iter_mut().find(|(of, _)| *of == domain) {
                Some((_, count)) => *count = count.saturating_add(more),
                None => self.brought.push((domain, more)),
            }
        }
    }

    /// The most that all slots of a cell hold at first; none if that is not known.
    fn most_at_start(&self, cell: &ir::Cell, start: &Expr) -> Option<u64> {
        let domains = domains_of(cell);
        let sizes = self.dims_of(&domains);
        let slots = sizes.iter().map(|(_, n)| u64::from(*n));
        let slots = slots.fold(1, u64::saturating_mul);
        if slots > COUNTED_MAX.into() {
            return Some(slots.saturating_mul(self.most(start, &[], 0)?));
        }
        let mut all = 0u64;
        for slot in 0..slots as u32 {
            let locals = self.indices_of(&domains, &sizes, slot, cell.code.locals.len());
            all = all.saturating_add(self.most(start, &locals, 0)?);
        }
        Some(all)
    }

    /// Room for an ordered container of which nothing else is said.
    pub(super) fn list_room(&self, element: &Ty) -> u32 {
        let Ty::Element(domain) = element.required() else {
            return LIST_ROOM_MAX;
        };
        let kinds = match domain {
            Domain::Table(id) => self.pieces(*id),
            _ => self.domain(*domain).1,
        };
        let brought = self.brought.iter().find(|(of, _)| of == domain);
        let brought = brought.map_or(0, |(_, count)| clipped(*count));
        LIST_ROOM_MAX.max(kinds).max(brought)
    }

    /// How many an ordered container needs room for.
    pub(super) fn room_of(&self, expr: &Expr, element: &Ty) -> u32 {
        match self.most(expr, &[], 0) {
            Some(most) if most < MADE_WORDS_MAX as u64 => most as u32,
            _ => self.list_room(element),
        }
    }

    /// How many a cell's start needs room for, as far as that is known.
    pub(super) fn room_of_start(&self, start: &Expr) -> u32 {
        clipped(self.most(start, &[], 0).unwrap_or(0))
    }

    /// Elements that a loop may have to list.
    pub(super) fn loop_room(&self, source: &Expr) -> u32 {
        match self.most(source, &[], 0) {
            Some(most) => most.min(u64::from(EACH_ROOM_MAX)) as u32,
            None => EACH_UNKNOWN_MAX,
        }
    }

    /// The shape of what a formula says: its room is that of its body.
    pub(super) fn said_shape(&self, formula: &ir::Formula) -> Shape {
        match formula.ty.required() {
            Ty::List(element) => Shape::List {
                deck: false,
                cap: self.room_of(&formula.body, element),
            },
            Ty::Deck(domain) => Shape::List {
                deck: true,
                cap: self.room_of(&formula.body, &domain.element_ty()),
            },
            ty => self.shape(ty),
        }
    }

    /// The longest row there is of these.
    pub(super) fn row_room(&self) -> u32 {
        let rows = self.program.cells.iter().map(|cell| match cell.shape {
            Shape::Row { n } => n,
            _ => 0,
        });
        rows.max().unwrap_or(0)
    }

    /// A bound that a cell has must be enough for what stands in it at first.
    pub(super) fn start_fits(&self, cell: &ir::Cell, room: Option<i32>) -> Result<(), LowerError> {
        let (Some(room), Some(start)) = (room, &cell.start) else {
            return Ok(());
        };
        match written_size(start) {
            Some(size) if size > u64::try_from(room).unwrap_or(0) => Err(LowerError {
                span: start.span,
                message: format!(
                    "`{}` has room for {room}, and this holds {size}: give it more room, or put less into it",
                    cell.name
                ),
            }),
            _ => Ok(()),
        }
    }

    /// The most elements a container can hold (a bag's pieces one by one); none if that is not known.
    fn most(&self, expr: &Expr, locals: &[Option<Value>], depth: u32) -> Option<u64> {
        if depth > DEPTH_MAX {
            return None;
        }
        let inner = |expr: &Expr| self.most(expr, locals, depth + 1);
        let found = match &expr.kind {
            ExprKind::Const(value) => Some(size(value)),
            ExprKind::All(domain) => Some(self.all_in(*domain).1.into()),
            ExprKind::Pieces(table) => Some(self.pieces(*table).into()),
            ExprKind::Range(low, high) => {
                let (low, high) = (self.least(low, locals)?, self.greatest(high, locals)?);
                u64::try_from(high - low + 1).ok().or(Some(0))
            }
            ExprKind::SetOf(items) | ExprKind::ListOf(items) => items
                .iter()
                .map(inner)
                .try_fold(0u64, |sum, most| Some(sum.saturating_add(most?))),
            ExprKind::BagOf(pairs) => pairs.iter().try_fold(0u64, |sum, (_, count)| {
                let most = self.greatest(count, locals)?;
                Some(sum.saturating_add(u64::try_from(most).unwrap_or(0)))
            }),
            ExprKind::Shuffled(of) | ExprKind::Convert(of) | ExprKind::Unwrap(of) => inner(of),
            ExprKind::If(_, a, b) | ExprKind::Otherwise(a, b) => Some(inner(a)?.max(inner(b)?)),
            ExprKind::Binary(BinaryOp::Union, a, b) => Some(inner(a)?.saturating_add(inner(b)?)),
            ExprKind::Binary(BinaryOp::Difference, a, _) => inner(a),
            ExprKind::Binary(BinaryOp::Scale, a, b) => {
                let (count, bag) = if a.ty.is_container() { (b, a) } else { (a, b) };
                let count = u64::try_from(self.greatest(count, locals)?).unwrap_or(0);
                Some(count.saturating_mul(inner(bag)?))
            }
            ExprKind::Call(formula, args) => {
                let formula = &self.rules.formulas[formula.index()];
                let mut given = vec![None; formula.code.locals.len()];
                for (param, arg) in formula.params.iter().zip(args) {
                    given[param.index()] = self.constant(arg, locals);
                }
                self.most(&formula.body, &given, depth + 1)
            }
            ExprKind::Column(_, table, column) | ExprKind::ColumnAt(_, table, column) => {
                let rows = &self.rules.tables[table.index()].rows;
                let sizes = rows.iter().map(|row| size(&row.values[column.index()]));
                Some(sizes.max().unwrap_or(0))
            }
            ExprKind::Grid(grid, _) => {
                let sizes = self.rules.grids[grid.index()].values.iter().map(size);
                Some(sizes.max().unwrap_or(0))
            }
            ExprKind::Cell(cell, _) => self.most_in_cell(*cell, depth),
            ExprKind::Aggregate { op, binders, value } => {
                self.most_collected(*op, binders, value.as_deref(), locals, depth)
            }
            _ => None,
        };
        // A single element, or a set: each at most once.
        let bound = match &expr.ty {
            Ty::Set(domain) => Some(u64::from(self.domain(*domain).1)),
            ty if !ty.is_container() => Some(1),
            _ => None,
        };
        match (found, bound) {
            (Some(found), Some(bound)) => Some(found.min(bound)),
            (found, bound) => found.or(bound),
        }
    }

    /// What a cell has room for, or, before that is known, what it holds at first.
    fn most_in_cell(&self, cell: ir::CellId, depth: u32) -> Option<u64> {
        if let Some(layout) = self.program.cells.get(cell.index()) {
            return match (layout.shape, layout.capacity) {
                (Shape::List { cap, .. }, _) => Some(cap.into()),
                (Shape::Row { n }, _) => Some(n.into()),
                (Shape::Bag { .. }, Bound::Const(room)) if room < i32::MAX => {
                    u64::try_from(room).ok()
                }
                // What is no piece can be made more of: coins, for one.
                (Shape::Bag { n, .. }, _) => {
                    let least = u64::from(EACH_UNKNOWN_MAX).max(u64::from(n) * 16);
                    let domain = holds(&self.rules.cells[cell.index()].ty);
                    let brought = self.brought.iter().find(|(of, _)| Some(*of) == domain);
                    Some(brought.map_or(least, |(_, count)| least.max(*count)))
                }
                (Shape::Scalar | Shape::Set { .. } | Shape::Agenda { .. }, _) => None,
            };
        }
        let start = self.rules.cells[cell.index()].start.as_ref()?;
        self.most(start, &[], depth + 1)
    }

    fn most_collected(
        &self,
        op: AggregateOp,
        binders: &[ir::Binder],
        value: Option<&Expr>,
        locals: &[Option<Value>],
        depth: u32,
    ) -> Option<u64> {
        if !matches!(op, AggregateOp::Set | AggregateOp::Bag | AggregateOp::List) {
            return None;
        }
        let mut most = value.map_or(Some(1), |value| self.most(value, &[], depth + 1))?;
        for binder in binders {
            let met = self.most_met(binder, locals, depth)?;
            let up_to = binder.up_to.as_ref().and_then(|n| self.greatest(n, locals));
            let up_to = up_to.map_or(u64::MAX, |n| u64::try_from(n).unwrap_or(0));
            most = most.saturating_mul(met.min(up_to));
        }
        Some(most)
    }

    /// The most elements a binder meets. Rows of a table are asked one by one, as far as their conditions are known.
    fn most_met(&self, binder: &ir::Binder, locals: &[Option<Value>], depth: u32) -> Option<u64> {
        let all = self.most(&binder.source, locals, depth + 1)?;
        let domain = match &binder.source.kind {
            ExprKind::All(domain) => *domain,
            ExprKind::Pieces(table) => Domain::Table(*table),
            _ => return Some(all),
        };
        let (low, n) = self.all_in(domain);
        if binder.conditions.is_empty() || n > COUNTED_MAX {
            return Some(all);
        }
        let mut known = locals.to_vec();
        known.resize(known.len().max(binder.local.index() + 1), None);
        let mut met = 0u64;
        for at in 0..n {
            known[binder.local.index()] = Some(domain.element(low + at as i32));
            let mut conditions = binder.conditions.iter();
            if conditions
                .all(|condition| self.constant(&condition.expr, &known) != Some(Value::Bool(false)))
            {
                met += match &binder.source.kind {
                    ExprKind::Pieces(table) => self.copies(*table, at).into(),
                    _ => 1,
                };
            }
        }
        Some(met)
    }

    fn number(&self, expr: &Expr, locals: &[Option<Value>]) -> Option<i64> {
        match self.constant(expr, locals)? {
            Value::Int(n) => Some(n.into()),
            _ => None,
        }
    }

    fn least(&self, expr: &Expr, locals: &[Option<Value>]) -> Option<i64> {
        let known = self.number(expr, locals);
        known.or(match expr.ty.required() {
            Ty::Int { low, .. } => *low,
            _ => None,
        })
    }

    fn greatest(&self, expr: &Expr, locals: &[Option<Value>]) -> Option<i64> {
        let known = self.number(expr, locals);
        known.or(match expr.ty.required() {
            Ty::Int { high, .. } => *high,
            _ => None,
        })
    }
}

/// What would give a cell more room, in the words of the language.
pub(super) fn more_room(lower: &Lower<'_>, cell: &ir::Cell) -> String {
    let element = match cell.ty.required() {
        Ty::List(element) => match element.required() {
            Ty::Element(domain) => lower.domain_name(*domain),
            Ty::Int { .. } => "0..".to_owned(),
            Ty::Bool => "bool".to_owned(),
            _ => "effect".to_owned(),
        },
        Ty::Deck(domain) => {
            return format!("write `deck of {} up to N`", lower.domain_name(*domain));
        }
        _ => return "let pieces come by `move` instead of making more of them".to_owned(),
    };
    format!("write `list of {element} up to N`")
}

/// As in a container: nothing holds nothing, what is no container counts as one of one element.
fn size(value: &Value) -> u64 {
    value.size().unwrap_or(u64::from(*value != Value::None))
}

/// How much a container holds for certain that is written down.
fn written_size(expr: &Expr) -> Option<u64> {
    match &expr.kind {
        ExprKind::Const(value) => Some(size(value)),
        ExprKind::ListOf(items) => items
            .iter()
            .all(|item| !item.ty.is_container() && !matches!(item.ty, Ty::Optional(_)))
            .then_some(items.len() as u64),
        ExprKind::Shuffled(of) => written_size(of),
        _ => None,
    }
}

fn clipped(count: u64) -> u32 {
    count.min(u64::from(STATE_WORDS_MAX)) as u32
}
