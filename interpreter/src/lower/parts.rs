//! `choose pay in parts of hand where …`: takes the condition apart, so that parts need not be tried one by one.
//!
//! Recognised, through formulas: bounds on the part's size; "every piece is fit"; "for some c, every piece is fit for c".
//! What is left is tried on each part that passes.

use super::Lower;
use crate::Program;
use crate::machine::Machine;
use crate::program::*;
use dsl::ir::{self, AggregateOp, BinaryOp, ExprKind, number};

impl Lower<'_> {
    pub(super) fn parts_plan(&mut self, binder: &ir::Binder, lowered: &Binder) -> PartsPlan {
        let mut plan = PartsPlan {
            size_low: None,
            size_high: None,
            kinds: None,
            rest: Vec::new(),
            still: false,
        };
        for (at, condition) in binder.conditions.iter().enumerate() {
            let mut conjuncts = Vec::new();
            self.conjuncts(&condition.expr, binder.local, &mut conjuncts);
            let mut understood = !conjuncts.is_empty();
            for conjunct in &conjuncts {
                understood &= self.take_conjunct(conjunct, binder.local, &mut plan);
            }
            if !understood {
                plan.rest.push(at);
            }
        }
        let _ = lowered;
        plan
    }

    /// Splits `and`s, and calls of formulas into which the part is handed, into single conditions over this body's locals.
    fn conjuncts(&self, expr: &ir::Expr, part: ir::LocalId, out: &mut Vec<ir::Expr>) {
        match &expr.kind {
            ExprKind::Binary(BinaryOp::And, a, b) => {
                self.conjuncts(a, part, out);
                self.conjuncts(b, part, out);
            }
            ExprKind::Call(formula, args) if mentions(expr, part) => {
                let formula = &self.rules.formulas[formula.index()];
                match inline(formula, args, &self.current_binders()) {
                    Some(body) => self.conjuncts(&body, part, out),
                    None => out.push(expr.clone()),
                }
            }
            _ => out.push(expr.clone()),
        }
    }

    fn current_binders(&self) -> usize {
        self.locals.len()
    }

    fn take_conjunct(&mut self, expr: &ir::Expr, part: ir::LocalId, plan: &mut PartsPlan) -> bool {
        if let ExprKind::Binary(op, a, b) = &expr.kind {
            let (op, bound) = if is_size_of(a, part) && !mentions(b, part) {
                (*op, b)
            } else if is_size_of(b, part) && !mentions(a, part) {
                (flip(*op), a)
            } else {
                return false;
            };
            return self.take_size(op, bound, plan);
        }
        if plan.kinds.is_some() {
            return false;
        }
        let ExprKind::Aggregate { op, binders, value } = &expr.kind else {
            return false;
        };
        match (op, binders.as_slice(), value) {
            (AggregateOp::Every, [piece], Some(test))
                if is_local(&piece.source, part) && piece.conditions.is_empty() =>
            {
                plan.kinds = self.kind_test(None, piece, test, part);
                plan.kinds.is_some()
            }
            (AggregateOp::Some, [alternative], Some(value))
                if !mentions(&alternative.source, part) =>
            {
                let ExprKind::Aggregate {
                    op: AggregateOp::Every,
                    binders,
                    value: Some(test),
                } = &value.kind
                else {
                    return false;
                };
                let [piece] = binders.as_slice() else {
                    return false;
                };
                if !is_local(&piece.source, part) || !piece.conditions.is_empty() {
                    return false;
                }
                plan.kinds = self.kind_test(Some(alternative), piece, test, part);
                plan.kinds.is_some()
            }
            _ => false,
        }
    }

    fn take_size(&mut self, op: BinaryOp, bound: &ir::Expr, plan: &mut PartsPlan) -> bool {
        let span = bound.span;
        let node = self.expr(bound);
        let constant = |lower: &mut Self, n: i32| lower.scalar(Node::Const(n), span);
        let (low, high) = match op {
            BinaryOp::Equal => (Some(node), Some(node)),
            BinaryOp::GreaterEqual => (Some(node), None),
            BinaryOp::LessEqual => (None, Some(node)),
            // No part has so many pieces, and none fewer than none.
            BinaryOp::Greater => {
                let most = constant(self, number::GREATEST - 1);
                let node = self.scalar(Node::Minimum(node, most), span);
                let one = constant(self, 1);
                (Some(self.scalar(Node::Add(node, one), span)), None)
            }
            BinaryOp::Less => {
                let least = constant(self, 0);
                let node = self.scalar(Node::Maximum(node, least), span);
                let one = constant(self, 1);
                (None, Some(self.scalar(Node::Subtract(node, one), span)))
            }
            _ => return false,
        };
        let mut merge = |old: &mut Option<NodeId>, new: Option<NodeId>, larger: bool| {
            *old = match (*old, new) {
                (Some(a), Some(b)) if larger => Some(self.scalar(Node::Maximum(a, b), span)),
                (Some(a), Some(b)) => Some(self.scalar(Node::Minimum(a, b), span)),
                (a, b) => a.or(b),
            };
        };
        merge(&mut plan.size_low, low, true);
        merge(&mut plan.size_high, high, false);
        true
    }

    fn kind_test(
        &mut self,
        alternative: Option<&ir::Binder>,
        piece: &ir::Binder,
        test: &ir::Expr,
        part: ir::LocalId,
    ) -> Option<KindTest> {
        if mentions(test, part)
            || alternative.is_some_and(|a| a.conditions.iter().any(|c| mentions(&c.expr, part)))
        {
            return None;
        }
        // Binders that came with an inlined formula have no place in this frame yet.
        self.place_binder(alternative);
        self.place_binder(Some(piece));
        let alternatives = alternative.map(|a| self.binder(a));
        let (at, _) = self.local(piece.local);
        let test = self.expr(test);
        Some(KindTest {
            alternatives,
            piece: at,
            test,
            cached: None,
        })
    }

    fn place_binder(&mut self, binder: Option<&ir::Binder>) {
        let Some(binder) = binder else { return };
        while self.locals.len() <= binder.local.index() {
            self.place_local("piece".into(), Shape::Scalar, false);
        }
    }
}

fn is_local(expr: &ir::Expr, local: ir::LocalId) -> bool {
    matches!(&expr.kind, ExprKind::Local(id) if *id == local)
}

fn is_size_of(expr: &ir::Expr, local: ir::LocalId) -> bool {
    matches!(&expr.kind, ExprKind::Size(inner) if is_local(inner, local))
}

fn mentions(expr: &ir::Expr, local: ir::LocalId) -> bool {
    let mut found = false;
    super::cells::walk_expr(expr, &mut |e| found |= is_local(e, local));
    found
}

fn flip(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        other => other,
    }
}

/// The body of a formula with its parameters replaced by the arguments and its own binders moved behind `locals` others.
fn inline(formula: &ir::Formula, args: &[ir::Expr], locals: &usize) -> Option<ir::Expr> {
    let mut body = formula.body.clone();
    let shift = *locals as u32;
    let mut fine = true;
    substitute(
        &mut body,
        &mut |id| match formula.params.iter().position(|p| *p == id) {
            Some(at) => args.get(at).cloned().ok_or(id),
            None => Err(ir::LocalId(id.0 + shift)),
        },
        &mut fine,
    );
    fine.then_some(body)
}

/// What becomes of a local: an expression, or another local.
type Replace<'a> = dyn FnMut(ir::LocalId) -> Result<ir::Expr, ir::LocalId> + 'a;

fn substitute(expr: &mut ir::Expr, replace: &mut Replace, fine: &mut bool) {
    match &mut expr.kind {
        ExprKind::Local(id) => match replace(*id) {
            Ok(value) => *expr = value,
            Err(other) => *id = other,
        },
        ExprKind::Const(_) | ExprKind::Players | ExprKind::All(_) | ExprKind::Pieces(_) => {}
        ExprKind::Column(e, ..)
        | ExprKind::Unary(_, e)
        | ExprKind::Unwrap(e)
        | ExprKind::Size(e) => {
            substitute(e, replace, fine);
        }
        ExprKind::Binary(_, a, b) | ExprKind::Otherwise(a, b) | ExprKind::CountOf(a, b) => {
            substitute(a, replace, fine);
            substitute(b, replace, fine);
        }
        ExprKind::If(a, b, c) => {
            substitute(a, replace, fine);
            substitute(b, replace, fine);
            substitute(c, replace, fine);
        }
        ExprKind::Call(_, args)
        | ExprKind::Cell(_, args)
        | ExprKind::Grid(_, args)
        | ExprKind::Lookup(_, args) => {
            args.iter_mut().for_each(|a| substitute(a, replace, fine));
        }
        ExprKind::SetOf(items) => items.iter_mut().for_each(|a| substitute(a, replace, fine)),
        ExprKind::Aggregate { binders, value, .. } => {
            for binder in binders {
                substitute(&mut binder.source, replace, fine);
                binder
                    .conditions
                    .iter_mut()
                    .for_each(|c| substitute(&mut c.expr, replace, fine));
                *fine &= binder.is_plain();
                match replace(binder.local) {
                    Err(other) => binder.local = other,
                    Ok(_) => *fine = false,
                }
            }
            if let Some(value) = value {
                substitute(value, replace, fine);
            }
        }
        _ => *fine = false,
    }
}

/// Computes the masks of kind tests that depend on one local only, once for each of its values.
pub(super) fn cache_masks(program: &mut Program) {
    for at in 0..program.binders.len() {
        if let Source::Parts(zone) = program.binders[at].source {
            let mut reads = crate::facts::Reads::default();
            crate::facts::reads(program, zone, &mut reads);
            let still = reads.locals.is_empty() && !reads.opaque;
            if let Some(plan) = &mut program.binders[at].parts {
                plan.still = still;
            }
        }
        let Some(plan) = &program.binders[at].parts else {
            continue;
        };
        let Some(kinds) = &plan.kinds else { continue };
        let Source::Parts(zone) = program.binders[at].source else {
            continue;
        };
        let (Shape::Bag { n, .. } | Shape::Set { n, .. }) = program.shapes[zone.at()] else {
            continue;
        };
        if n > 64 {
            continue;
        }
        let mut reads = crate::facts::Reads::default();
        crate::facts::reads(program, kinds.test, &mut reads);
        if let Some(alternatives) = kinds.alternatives {
            crate::facts::binder_reads(program, alternatives, &mut reads);
            reads
                .locals
                .remove(&program.binders[alternatives.at()].local);
        }
        reads.locals.remove(&kinds.piece);
        let mut outer = reads.locals.iter().copied();
        let (Some(key), None) = (outer.next(), outer.next()) else {
            continue;
        };
        if reads.state {
            continue;
        }
        let Some(count) = local_values(program, key) else {
            continue;
        };
        let mut cached = CachedMasks {
            key,
            ranges: Vec::new(),
            masks: Vec::new(),
            distinct: Vec::new(),
            ids: Vec::new(),
        };
        let kinds = kinds.clone();
        let mut machine = Machine::bare(program);
        for value in 0..count {
            let start = cached.masks.len() as u32;
            if !machine.kind_masks(&kinds, key, value as i32, n, &mut cached.masks) {
                cached.masks.truncate(start as usize);
                break;
            }
            cached.ranges.push(start..cached.masks.len() as u32);
        }
        machine.keep_work();
        cached.distinct = cached.masks.clone();
        cached.distinct.sort_unstable();
        cached.distinct.dedup();
        cached.ids = cached
            .masks
            .iter()
            .map(|mask| cached.distinct.partition_point(|other| other < mask) as u32)
            .collect();
        if let Some(plan) = &mut program.binders[at].parts
            && let Some(kinds) = &mut plan.kinds
        {
            kinds.cached = Some(cached);
        }
    }
}

/// How many values a binder of this local can give, when it runs over all elements of a domain. Other bodies may have
/// other binders at the same place of their frames: the largest counts, and a value outside is looked at when it comes.
fn local_values(program: &Program, local: u32) -> Option<u32> {
    let sizes = program
        .binders
        .iter()
        .filter(|b| b.local == local)
        .filter_map(|b| match b.source {
            Source::All { n, low: 0 } => Some(n),
            _ => None,
        });
    sizes.filter(|size| *size <= 4096).max()
}
