//! Binders: running over elements, aggregates, sorted lists of candidates.

use super::{Halt, Machine};
use crate::program::*;
use dsl::ir::AggregateOp;
use dsl::ir::number::{self, NoNumber, Sum};
use dsl::source::Span;

impl Machine<'_> {
    /// Meets each element of a binder that passes its conditions, with how many there are; stops when `visit` says false.
    /// The binder's local holds the element meanwhile and is 0 afterwards.
    pub(crate) fn scan(
        &mut self,
        id: BinderId,
        visit: impl FnMut(&mut Self, i32, i32) -> bool,
    ) -> bool {
        self.scan_noting::<false>(id, visit)
    }

    /// As [`Machine::scan`]; on request each condition that is not met counts as a refusal.
    pub(crate) fn scan_noting<const NOTED: bool>(
        &mut self,
        id: BinderId,
        mut visit: impl FnMut(&mut Self, i32, i32) -> bool,
    ) -> bool {
        let p = self.p;
        let binder = &p.binders[id.at()];
        let local = self.fp + binder.local as usize;
        if !binder.is_plain() {
            return self.scan_sorted(binder, visit);
        }
        let start = self.candidates.len();
        if let Some(met) = self.sift::<NOTED>(binder) {
            return self.scan_sifted::<NOTED>(binder, met, start, visit);
        }
        let going = self.scan_source(binder, |machine, value, count| {
            machine.m[local] = value;
            let passes = machine.passes_noting::<NOTED>(binder);
            if machine.halt != Halt::No {
                return false;
            }
            !passes || visit(machine, value, count)
        });
        self.m[local] = 0;
        going
    }

    /// The candidates from `start` on that meet the conditions behind the first `met`.
    fn scan_sifted<const NOTED: bool>(
        &mut self,
        binder: &Binder,
        met: usize,
        start: usize,
        mut visit: impl FnMut(&mut Self, i32, i32) -> bool,
    ) -> bool {
        let local = self.fp + binder.local as usize;
        let end = self.candidates.len();
        let going = (start..end).all(|at| {
            let value = self.candidates[at];
            self.m[local] = value;
            let passes = self.meets::<NOTED>(&binder.conditions[met..]);
            if self.halt != Halt::No {
                return false;
            }
            !passes || visit(self, value, 1) && self.halt == Halt::No
        });
        // What was visited may have been collected behind.
        self.candidates.drain(start..end);
        self.m[local] = 0;
        going
    }

    /// Whether the element in the binder's local passes its conditions.
    #[inline]
    pub(super) fn passes(&mut self, binder: &Binder) -> bool {
        self.passes_noting::<false>(binder)
    }

    /// As [`Machine::passes`]; a condition that is not met counts as a refusal if that is wanted.
    #[inline]
    pub(super) fn passes_noting<const NOTED: bool>(&mut self, binder: &Binder) -> bool {
        self.meets::<NOTED>(&binder.conditions)
    }

    #[inline]
    fn meets<const NOTED: bool>(&mut self, conditions: &[(NodeId, ReasonId)]) -> bool {
        conditions.iter().all(|(condition, reason)| {
            let top = self.top;
            let holds = self.ev(*condition);
            self.top = top;
            if NOTED && holds == 0 && self.halt == Halt::No {
                self.count_refusal(*reason);
            }
            self.halt == Halt::No && holds != 0
        })
    }

    /// The elements of a binder's source, conditions not asked.
    pub(super) fn scan_source(
        &mut self,
        binder: &Binder,
        mut visit: impl FnMut(&mut Self, i32, i32) -> bool,
    ) -> bool {
        let start = self.candidates.len();
        if binder.among.is_some() && self.push_among(binder) {
            let end = self.candidates.len();
            let going = (start..end).all(|at| {
                let value = self.candidates[at];
                visit(self, value, 1) && self.halt == Halt::No
            });
            // What was visited may have been collected behind.
            self.candidates.drain(start..end);
            return going && self.halt == Halt::No;
        }
        match binder.source {
            Source::All { n, low } => {
                let rows = match binder.run {
                    Some((base, wanted)) => self.run_of(base, n, wanted),
                    None => low..low + n as i32,
                };
                // Few of them are left out where the first ones tell.
                self.spend(rows.len() as u32);
                for value in rows {
                    if !visit(self, value, 1) || self.halt != Halt::No {
                        return false;
                    }
                }
                true
            }
            Source::Range(low, high) => {
                let span = self.p.node_spans[high.at()];
                let (low, high) = (self.ev(low), self.ev(high));
                if binder.unread {
                    let Some(count) = high.checked_sub(low).and_then(|n| n.checked_add(1)) else {
                        return self.too_wide(span);
                    };
                    return count <= 0 || visit(self, low, count) && self.halt == Halt::No;
                }
                for value in low..=high {
                    self.spend(1);
                    if !visit(self, value, 1) || self.halt != Halt::No {
                        return false;
                    }
                }
                true
            }
            Source::Container(node) | Source::Parts(node) => {
                let top = self.top;
                let loc = self.loc(node);
                let going = self.for_items(loc, self.p.shapes[node.at()], visit);
                self.top = top;
                going
            }
            Source::OnBoard(parts) => {
                let at = binder.at.map(|at| self.ev(at));
                self.each_part(parts as usize, at, |machine, part| {
                    visit(machine, part, 1) && machine.halt == Halt::No
                })
            }
        }
    }

    /// Nobody counts so many numbers: the answer would be none of the language.
    #[cold]
    fn too_wide(&mut self, span: Span) -> bool {
        self.broken(span, NoNumber::TooLarge.message());
        false
    }

    /// Pushes the rows that an index finds onto the candidates, in order: no other meets the first condition. False where all
    /// must be asked: without an index, where somebody wants to know what refuses them, or where not all is seen.
    pub(super) fn push_among(&mut self, binder: &Binder) -> bool {
        let Some((index, container)) = binder.among else {
            return false;
        };
        if self.witnesses.is_some() || self.counts_refusals {
            return false;
        }
        let p = self.p;
        let top = self.top;
        let start = self.candidates.len();
        let shape = p.shapes[container.at()];
        let loc = self.loc(container);
        if self.halt == Halt::No && self.probing > 0 && self.has_unseen(loc, shape) {
            self.top = top;
            return false;
        }
        self.for_items(loc, shape, |machine, value, _| {
            for row in p.indices[index as usize].rows_with(value) {
                // A list can hold a value twice.
                if !machine.candidates[start..].contains(&row) {
                    machine.candidates.push(row);
                }
            }
            true
        });
        self.top = top;
        self.candidates[start..].sort_unstable();
        true
    }

    /// The rows in which a column that never falls has a value.
    fn run_of(&mut self, base: u32, n: u32, wanted: NodeId) -> std::ops::Range<i32> {
        let wanted = self.ev(wanted);
        let column = &self.p.consts[base as usize..(base + n) as usize];
        let first = column.partition_point(|value| *value < wanted);
        let rest = column[first..].partition_point(|value| *value == wanted);
        first as i32..(first + rest) as i32
    }

    fn scan_sorted(
        &mut self,
        binder: &Binder,
        mut visit: impl FnMut(&mut Self, i32, i32) -> bool,
    ) -> bool {
        let local = self.fp + binder.local as usize;
        let start = self.candidates.len();
        self.collect_candidates(binder);
        let end = self.candidates.len();
        let mut going = self.halt == Halt::No;
        for at in start..end {
            if !going {
                break;
            }
            let value = self.candidates[at];
            self.m[local] = value;
            going = visit(self, value, 1) && self.halt == Halt::No;
        }
        self.candidates.drain(start..end);
        self.m[local] = 0;
        going
    }

    /// Pushes the elements that pass, sorted, rotated and cut, onto the candidates. A bag's pieces one by one.
    pub(crate) fn collect_candidates(&mut self, binder: &Binder) {
        let local = self.fp + binder.local as usize;
        let start = self.candidates.len();
        let keys_start = self.keys.len();
        let mut collected = 0;
        self.scan_source(binder, |machine, value, count| {
            machine.m[local] = value;
            for (condition, _) in &binder.conditions {
                if machine.ev(*condition) == 0 || machine.halt != Halt::No {
                    return machine.halt == Halt::No;
                }
            }
            if !machine.can_spend(count.into()) {
                return false;
            }
            if collected > COLLECTED_MAX {
                machine.too_many_collected();
                return false;
            }
            collected += count.max(0) as usize;
            for _ in 0..count {
                machine.candidates.push(value);
                for key in &binder.by {
                    let key = machine.ev(*key);
                    // `none` sorts last.
                    machine.keys.push(if key == NONE { i32::MAX } else { key });
                }
            }
            true
        });
        self.m[local] = 0;
        self.sort_candidates(start, keys_start, binder.by.len());
        if let Some(from) = binder.from {
            let first = self.ev(from);
            if let Some(at) = self.candidates[start..].iter().position(|v| *v == first) {
                self.candidates[start..].rotate_left(at);
            }
        }
        if let Some(up_to) = binder.up_to {
            let most = self.ev(up_to).max(0) as usize;
            self.candidates
                .truncate(start + most.min(self.candidates.len() - start));
        }
        self.keys.truncate(keys_start);
    }

    #[cold]
    fn too_many_collected(&mut self) {
        let span = self.here();
        self.broken(
            span,
            format!("more than {COLLECTED_MAX} elements would have to be listed here: bound them"),
        );
    }

    /// Stable insertion sort of the candidates from `start` on by their runs of `width` keys.
    pub(crate) fn sort_candidates(&mut self, start: usize, keys_start: usize, width: usize) {
        if width == 0 {
            return;
        }
        let count = self.candidates.len() - start;
        for at in 1..count {
            let mut to = at;
            while to > 0 {
                let (a, b) = (keys_start + (to - 1) * width, keys_start + to * width);
                if self.keys[a..a + width] <= self.keys[b..b + width] || self.halt == Halt::Fault {
                    break;
                }
                self.spend(1);
                self.candidates.swap(start + to - 1, start + to);
                for key in 0..width {
                    self.keys.swap(a + key, b + key);
                }
                to -= 1;
            }
        }
    }

    /// All combinations of several binders; `count` is the product of the pieces.
    pub(super) fn scan_all(
        &mut self,
        aggregate: &Aggregate,
        binders: &[BinderId],
        count: i32,
        visit: &mut dyn FnMut(&mut Self, i32, i32) -> bool,
    ) -> bool {
        let Some((first, rest)) = binders.split_first() else {
            return true;
        };
        self.scan(*first, |machine, value, pieces| {
            match count.checked_mul(pieces) {
                None => {
                    machine.no_sum(aggregate, Some(NoNumber::TooLarge));
                    false
                }
                Some(count) if rest.is_empty() => visit(machine, value, count),
                Some(count) => machine.scan_all(aggregate, rest, count, visit),
            }
        })
    }

    /// What numbers added up come to.
    fn summed(&mut self, aggregate: &Aggregate, sum: Sum) -> i32 {
        sum.total().unwrap_or_else(|why| {
            self.no_sum(aggregate, Some(why));
            0
        })
    }

    /// An aggregate comes to no number; without a reason because something in it is none.
    #[cold]
    fn no_sum(&mut self, aggregate: &Aggregate, why: Option<NoNumber>) {
        self.comes_to_nothing(aggregate.span, why);
    }

    pub(crate) fn aggregate(&mut self, id: AggregateId) -> i32 {
        let aggregate = &self.p.aggregates[id.at()];
        match aggregate.total {
            Some(at) => self.total(at, |machine| machine.aggregate_now(aggregate)),
            None => self.aggregate_now(aggregate),
        }
    }

    /// What a question comes to of which it is remembered which elements meet it.
    fn aggregate_sifted(&mut self, aggregate: &Aggregate) -> Option<i32> {
        if !aggregate.is_sifted(self.p) {
            return None;
        }
        let binder = &self.p.binders[aggregate.binders[0].at()];
        let (id, _) = self.sieve_of(binder)?;
        let passing = self.sifted(id).iter().map(|word| word.count_ones());
        let count = passing.sum::<u32>() as i32;
        Some(match aggregate.op {
            AggregateOp::Some => i32::from(count > 0),
            AggregateOp::No => i32::from(count == 0),
            _ => count,
        })
    }

    fn aggregate_now(&mut self, aggregate: &Aggregate) -> i32 {
        if let Some(result) = self.aggregate_sifted(aggregate) {
            return result;
        }
        let top = self.top;
        let result = match aggregate.op {
            AggregateOp::Some => i32::from(!self.test_all(aggregate, false)),
            AggregateOp::No => i32::from(self.test_all(aggregate, false)),
            AggregateOp::Every => i32::from(self.test_all(aggregate, true)),
            AggregateOp::Count => {
                let mut total = Sum::default();
                self.fold(aggregate, |machine, _, count| {
                    if aggregate.value.is_none_or(|v| machine.ev(v) != 0) {
                        total.add(1, count);
                    }
                    true
                });
                self.summed(aggregate, total)
            }
            AggregateOp::Sum => {
                let mut total = Sum::default();
                self.fold(aggregate, |machine, value, count| {
                    let value = aggregate.value.map_or(value, |v| machine.ev(v));
                    if value == NONE {
                        machine.no_sum(aggregate, None);
                        return false;
                    }
                    total.add(value, count);
                    true
                });
                self.summed(aggregate, total)
            }
            AggregateOp::Min | AggregateOp::Max => {
                let mut best: Option<i32> = None;
                let least = aggregate.op == AggregateOp::Min;
                self.fold(aggregate, |machine, value, _| {
                    let value = aggregate.value.map_or(value, |v| machine.ev(v));
                    best = Some(match best {
                        Some(best) if least => best.min(value),
                        Some(best) => best.max(value),
                        None => value,
                    });
                    true
                });
                best.unwrap_or(0)
            }
            AggregateOp::First => {
                let mut found = NONE;
                self.fold(aggregate, |machine, value, _| {
                    found = aggregate.value.map_or(value, |v| machine.ev(v));
                    false
                });
                found
            }
            AggregateOp::Set | AggregateOp::Bag | AggregateOp::List => 0,
        };
        self.top = top;
        result
    }

    /// Whether all values are `wanted` (of nothing: yes). Without a value an element counts as true.
    fn test_all(&mut self, aggregate: &Aggregate, wanted: bool) -> bool {
        self.fold(aggregate, |machine, _, _| {
            let value = aggregate.value.is_none_or(|v| {
                let top = machine.top;
                let holds = machine.ev(v) != 0;
                machine.top = top;
                holds
            });
            value == wanted
        })
    }

    fn fold(
        &mut self,
        aggregate: &Aggregate,
        mut visit: impl FnMut(&mut Self, i32, i32) -> bool,
    ) -> bool {
        match aggregate.binders.as_slice() {
            [one] => self.scan(*one, visit),
            many => self.scan_all(aggregate, many, 1, &mut visit),
        }
    }

    /// `set`, `bag`, `list` of values into a temporary.
    pub(crate) fn collect(&mut self, id: AggregateId, to: usize, shape: Shape) {
        let p = self.p;
        let aggregate = &p.aggregates[id.at()];
        self.fold(aggregate, |machine, value, count| {
            match aggregate.value {
                None => machine.put_value(value, to, shape, count),
                Some(node) if p.shapes[node.at()] == Shape::Scalar => {
                    let value = machine.ev(node);
                    if value != NONE {
                        machine.put_value(value, to, shape, count);
                    }
                }
                Some(node) => {
                    let top = machine.top;
                    let loc = machine.loc(node);
                    machine.for_items(loc, p.shapes[node.at()], |machine, value, pieces| {
                        match number::multiply(pieces, count) {
                            Ok(pieces) => machine.put_value(value, to, shape, pieces),
                            Err(why) => machine.cannot_be_made(why.message()),
                        }
                        true
                    });
                    machine.top = top;
                }
            }
            true
        });
    }

    /// How many pieces a `bag` of kinds would hold.
    pub(super) fn count_collected(&mut self, aggregate: &Aggregate, low: i32, n: u32) -> i32 {
        let mut total = Sum::default();
        self.fold(aggregate, |machine, value, count| {
            let kind = aggregate.value.map_or(value, |v| machine.ev(v));
            if (kind.wrapping_sub(low) as u32) < n {
                total.add(1, count);
            }
            true
        });
        self.summed(aggregate, total)
    }

    // -------------------------------------------------------------------------------------------- the tiling
}
