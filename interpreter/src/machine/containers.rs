//! Containers: where they lie, what is in them, how they are made.

use super::{Halt, Loc, Machine};
use crate::program::*;
use dsl::ir::number;

impl Machine<'_> {
    /// The address of a container for which there is no function of its own.
    pub(super) fn place_of(&mut self, node: NodeId) -> Loc {
        let loc = self.made(node);
        if self.halt == Halt::Fault {
            self.breaks_at(self.p.node_spans[node.at()]);
        }
        loc
    }

    fn made(&mut self, node: NodeId) -> Loc {
        let p = self.p;
        let shape = p.shapes[node.at()];
        match p.nodes[node.at()] {
            Node::DenseWords {
                dense,
                args,
                base,
                stride,
            } => match self.dense_index(dense, args) {
                Some(at) => Loc::Const(base as usize + at * stride as usize),
                None => Loc::Const(0),
            },
            Node::CellWords(slot, args) => match self.slot_word(slot, args) {
                Some(word) => Loc::State(word),
                None => Loc::Const(0),
            },
            Node::If(condition, yes, no) => {
                let chosen = if self.ev(condition) != 0 { yes } else { no };
                self.loc_as(chosen, shape)
            }
            Node::Otherwise(value, other) => {
                let loc = self.loc(value);
                if self.size_at(loc, p.shapes[value.at()]) > 0 {
                    if p.shapes[value.at()] == shape {
                        loc
                    } else {
                        self.loc_as(value, shape)
                    }
                } else {
                    self.loc_as(other, shape)
                }
            }
            Node::Unwrap(inner, _) => self.loc(inner),
            Node::Call(proc, args) => {
                let to = self.fresh(shape);
                let base = self.enter_formula(proc, args);
                self.formula_words(proc, base, to, shape)
            }
            Node::CallValue(formula, receiver) => {
                let to = self.fresh(shape);
                let proc = self.formula_value(formula);
                let base = self.enter_with(proc, receiver);
                self.formula_words(proc, base, to, shape)
            }
            Node::SetOf(args) | Node::ListOf(args) => {
                let to = self.fresh(shape);
                for at in args.start..args.start + args.len {
                    let item = p.lists[at as usize];
                    self.put_in(item, to, shape, 1);
                }
                Loc::State(to)
            }
            Node::BagOf(args) => {
                let to = self.fresh(shape);
                for at in (args.start..args.start + args.len).step_by(2) {
                    let count = self.ev(p.lists[at as usize + 1]);
                    self.put_in(p.lists[at as usize], to, shape, count);
                }
                Loc::State(to)
            }
            Node::Union(a, b) => {
                let to = self.fresh(shape);
                self.put_in(a, to, shape, 1);
                self.put_in(b, to, shape, 1);
                Loc::State(to)
            }
            Node::Difference(a, b) => {
                let to = self.fresh(shape);
                self.put_in(a, to, shape, 1);
                self.take_out(b, to, shape);
                Loc::State(to)
            }
            Node::Scale(count, bag) => {
                let to = self.fresh(shape);
                let count = self.ev(count);
                self.put_in(bag, to, shape, count.max(0));
                Loc::State(to)
            }
            Node::Convert(inner) => {
                let to = self.fresh(shape);
                self.put_in(inner, to, shape, 1);
                Loc::State(to)
            }
            Node::Numbers(low, high) => {
                let to = self.fresh(shape);
                let (low, high) = (self.ev(low), self.ev(high));
                // What lies outside of the shape is not put in.
                let (first, last) = shape.numbers();
                for value in low.max(first)..=high.min(last) {
                    self.spend(1);
                    if self.halt != Halt::No {
                        break;
                    }
                    self.put_value(value, to, shape, 1);
                }
                Loc::State(to)
            }
            Node::Collect(id) => {
                let to = self.fresh(shape);
                self.collect(id, to, shape);
                Loc::State(to)
            }
            Node::Reach(network, receiver, from) => {
                let to = self.fresh(shape);
                let receiver = self.ev(receiver);
                self.reach(network as usize, receiver, from, to, shape);
                Loc::State(to)
            }
            Node::OnBoard(parts) => {
                let to = self.fresh(shape);
                self.each_part(parts as usize, None, |machine, part| {
                    machine.put_value(part, to, shape, 1);
                    true
                });
                Loc::State(to)
            }
            Node::TurnedSet { turn, value, port } => {
                let to = self.fresh(shape);
                let turn = self.ev(turn);
                let loc = self.loc(value);
                let inner = p.shapes[value.at()];
                self.for_items(loc, inner, |machine, item, _| {
                    let item = machine.turned_by(turn, item, port);
                    machine.put_value(item, to, shape, 1);
                    true
                });
                Loc::State(to)
            }
            Node::TurnedColumn {
                base,
                rows,
                turn,
                row,
            } => {
                let turn = self.ev(turn);
                let row = self.ev(row);
                let turns = self.p.tiling.as_ref().map_or(1, |t| t.turns) as i32;
                if row < 0 {
                    return Loc::Const(0);
                }
                let turn = turn.rem_euclid(turns) as u32;
                Loc::Const((base + turn * rows + row as u32) as usize)
            }
            Node::WalkNodes(walk) => {
                let to = self.fresh(shape);
                self.walk_nodes(walk, to, shape);
                Loc::State(to)
            }
            Node::EndsOfWalk(walk) => {
                let to = self.fresh(shape);
                self.ends_of_walk(walk, to, shape);
                Loc::State(to)
            }
            Node::Shuffled(container, stream) => {
                let to = self.fresh(shape);
                self.put_in(container, to, shape, 1);
                self.shuffle_words(to, stream);
                Loc::State(to)
            }
            Node::Winners => {
                let to = self.fresh(shape);
                for seat in self.winning_seats() {
                    self.put_value(seat, to, shape, 1);
                }
                Loc::State(to)
            }
            other => {
                let span = p.node_spans[node.at()];
                self.broken(
                    span,
                    format!("one value stands where a container is wanted ({other:?})"),
                );
                Loc::Const(0)
            }
        }
    }

    /// Like [`Machine::loc`], in another shape where lists differ in room.
    fn loc_as(&mut self, node: NodeId, shape: Shape) -> Loc {
        if self.p.shapes[node.at()] == shape {
            return self.loc(node);
        }
        let to = self.fresh(shape);
        self.put_in(node, to, shape, 1);
        Loc::State(to)
    }

    /// Empty room for a container.
    fn fresh(&mut self, shape: Shape) -> usize {
        self.spend(shape.words() as u32 / 16);
        let to = self.reserve(shape.words());
        self.m[to..to + shape.words()].fill(shape.empty_word());
        to
    }

    fn formula_words(&mut self, proc: ProcId, base: usize, to: usize, shape: Shape) -> Loc {
        let body = self.p.procs[proc.at()].body;
        let caller = std::mem::replace(&mut self.fp, base);
        let mut loc = self.loc(body);
        // What does not lie in the formula's own frame stays where it is.
        if !matches!(loc, Loc::Const(_)) || self.p.shapes[body.at()] != shape {
            self.copy_shape(loc, self.p.shapes[body.at()], to, shape);
            loc = Loc::State(to);
        }
        self.fp = caller;
        self.top = base;
        loc
    }

    /// A list that holds more than so many words have room for: a fault.
    pub(super) fn is_cut_off(&mut self, loc: Loc, shape: Shape, words: usize) -> bool {
        let smaller = shape.words() > words && matches!(shape, Shape::List { .. });
        let cut_off = smaller && self.get(loc, 0) as usize >= words;
        if cut_off {
            let room = words - 1;
            self.cannot_be_made(format!("a list holds more than {room} elements"));
        }
        cut_off
    }

    /// Copies a container's words to a place of `words` words of the same kind.
    pub(crate) fn copy_out(&mut self, loc: Loc, shape: Shape, to: usize, words: usize) {
        let own = shape.words();
        if self.is_cut_off(loc, shape, words) {
            return;
        }
        for at in 0..words.min(own) {
            self.m[to + at] = self.get(loc, at);
        }
        for at in own..words {
            self.m[to + at] = shape.empty_word();
        }
    }

    /// Copies between shapes that may differ (list and row, sizes of lists).
    pub(crate) fn copy_shape(&mut self, loc: Loc, from: Shape, to: usize, shape: Shape) {
        if from == shape {
            return self.copy_out(loc, from, to, shape.words());
        }
        self.for_items(loc, from, |machine, value, count| {
            machine.put_value(value, to, shape, count);
            true
        });
    }

    /// Adds an element or a container's elements to a temporary.
    fn put_in(&mut self, node: NodeId, to: usize, shape: Shape, times: i32) {
        let from = self.p.shapes[node.at()];
        if from == Shape::Scalar {
            let value = self.ev(node);
            if value != NONE {
                self.put_value(value, to, shape, times);
            }
            return;
        }
        let loc = self.loc(node);
        if let (Shape::Set { low: a, .. }, Shape::Set { low: b, .. }) = (from, shape)
            && a == b
        {
            for at in 0..shape.words().min(from.words()) {
                self.m[to + at] |= self.get(loc, at);
            }
            return;
        }
        self.for_items(loc, from, |machine, value, count| {
            match number::multiply(count, times) {
                Ok(count) => machine.put_value(value, to, shape, count),
                Err(why) => machine.cannot_be_made(why.message()),
            }
            true
        });
    }

    fn take_out(&mut self, node: NodeId, to: usize, shape: Shape) {
        let from = self.p.shapes[node.at()];
        if from == Shape::Scalar {
            let value = self.ev(node);
            self.drop_value(value, to, shape, 1);
            return;
        }
        let loc = self.loc(node);
        if let (Shape::Set { low: a, .. }, Shape::Set { low: b, .. }) = (from, shape)
            && a == b
        {
            for at in 0..shape.words().min(from.words()) {
                self.m[to + at] &= !self.get(loc, at);
            }
            return;
        }
        self.for_items(loc, from, |machine, value, count| {
            machine.drop_value(value, to, shape, count);
            true
        });
    }

    /// Adds `count` of one element to a temporary.
    pub(crate) fn put_value(&mut self, value: i32, to: usize, shape: Shape, count: i32) {
        match shape {
            Shape::Set { n, low } => {
                let at = value.wrapping_sub(low) as u32;
                if at < n && count > 0 {
                    self.m[to + (at / 32) as usize] |= 1i32.wrapping_shl(at % 32);
                }
            }
            Shape::Bag { n, low } => {
                let at = value.wrapping_sub(low) as u32;
                if at < n {
                    match number::add(self.m[to + at as usize], count) {
                        Ok(count) => self.m[to + at as usize] = count,
                        Err(why) => self.cannot_be_made(why.message()),
                    }
                }
            }
            Shape::List { cap } => {
                for _ in 0..count {
                    let len = self.m[to];
                    if len as u32 >= cap {
                        self.cannot_be_made(format!("a list holds more than {cap} elements"));
                        return;
                    }
                    self.m[to + 1 + len as usize] = value;
                    self.m[to] = len + 1;
                }
            }
            Shape::Row { n } => {
                if let Some(gap) = (0..n as usize).find(|at| self.m[to + at] == NONE) {
                    self.m[to + gap] = value;
                }
            }
            Shape::Scalar | Shape::Agenda { .. } => {}
        }
    }

    fn drop_value(&mut self, value: i32, to: usize, shape: Shape, count: i32) {
        match shape {
            Shape::Set { n, low } => {
                let at = value.wrapping_sub(low) as u32;
                if at < n {
                    self.m[to + (at / 32) as usize] &= !1i32.wrapping_shl(at % 32);
                }
            }
            Shape::Bag { n, low } => {
                let at = value.wrapping_sub(low) as u32;
                if at < n {
                    let left = self.m[to + at as usize] - count;
                    self.m[to + at as usize] = left.max(0);
                }
            }
            Shape::List { .. } => {
                for _ in 0..count {
                    let len = self.m[to] as usize;
                    let Some(found) = (0..len).find(|at| self.m[to + 1 + at] == value) else {
                        return;
                    };
                    for at in found..len - 1 {
                        self.m[to + 1 + at] = self.m[to + 2 + at];
                    }
                    self.m[to] = len as i32 - 1;
                }
            }
            _ => {}
        }
    }

    /// Calls `visit` for each element with how many there are (sets, lists, rows: 1); stops when it says false.
    /// Gaps are passed over; something not yet seen ends the way.
    pub(crate) fn for_items(
        &mut self,
        loc: Loc,
        shape: Shape,
        mut visit: impl FnMut(&mut Self, i32, i32) -> bool,
    ) -> bool {
        match shape {
            Shape::Set { n, low } => {
                if self.unseen(loc, shape) {
                    self.unknown();
                    return false;
                }
                self.spend(n / 256);
                for word in 0..n.div_ceil(32) {
                    let mut bits = self.get(loc, word as usize) as u32;
                    while bits != 0 {
                        let bit = bits.trailing_zeros();
                        bits &= bits - 1;
                        if !visit(self, low + (word * 32 + bit) as i32, 1) || self.halt != Halt::No
                        {
                            return false;
                        }
                    }
                }
            }
            Shape::Bag { n, low } => {
                if self.unseen(loc, shape) {
                    self.unknown();
                    return false;
                }
                self.spend(n / 16);
                for kind in 0..n as i32 {
                    let count = self.get(loc, kind as usize);
                    if count > 0 && (!visit(self, low + kind, count) || self.halt != Halt::No) {
                        return false;
                    }
                }
            }
            Shape::List { .. } => {
                let len = self.get(loc, 0) as usize;
                for at in 0..len {
                    if !self.visit_item(loc, 1 + at, &mut visit) {
                        return false;
                    }
                }
            }
            Shape::Row { n } => {
                for at in 0..n as usize {
                    if !self.visit_item(loc, at, &mut visit) {
                        return false;
                    }
                }
            }
            Shape::Scalar | Shape::Agenda { .. } => {}
        }
        true
    }

    fn visit_item(
        &mut self,
        loc: Loc,
        at: usize,
        visit: &mut impl FnMut(&mut Self, i32, i32) -> bool,
    ) -> bool {
        match self.get(loc, at) {
            NONE => true,
            UNKNOWN => {
                self.unknown();
                false
            }
            value => visit(self, value, 1) && self.halt == Halt::No,
        }
    }

    /// A zone of the state holds pieces not yet seen (only while looking ahead).
    #[inline]
    fn unseen(&self, loc: Loc, shape: Shape) -> bool {
        match loc {
            Loc::State(base) if self.probing > 0 && base < self.p.fixed_words as usize => {
                self.m[base + shape.words()] > 0
            }
            _ => false,
        }
    }

    /// Something in the container was not seen yet.
    pub(crate) fn has_unseen(&self, loc: Loc, shape: Shape) -> bool {
        match shape {
            Shape::List { .. } => {
                (1..=self.get(loc, 0) as usize).any(|at| self.get(loc, at) == UNKNOWN)
            }
            Shape::Row { n } => (0..n as usize).any(|at| self.get(loc, at) == UNKNOWN),
            shape => self.unseen(loc, shape),
        }
    }

    /// How many elements there are, as far as numbers go.
    pub(crate) fn size_at(&self, loc: Loc, shape: Shape) -> i32 {
        self.exact_size(loc, shape).min(number::GREATEST.into()) as i32
    }

    pub(super) fn exact_size(&self, loc: Loc, shape: Shape) -> i64 {
        let unseen = match (loc, shape) {
            (Loc::State(base), Shape::Set { .. } | Shape::Bag { .. })
                if base < self.p.fixed_words as usize =>
            {
                self.m[base + shape.words()]
            }
            _ => 0,
        };
        let counted = |words: &[i32]| words.iter().map(|count| i64::from(*count)).sum();
        let listed: i64 = match shape {
            Shape::Set { .. } => (0..shape.words())
                .map(|at| i64::from(self.get(loc, at).count_ones()))
                .sum(),
            Shape::Bag { n, .. } => match loc {
                Loc::State(base) => counted(&self.m[base..base + n as usize]),
                Loc::Const(base) => counted(&self.p.consts[base..base + n as usize]),
            },
            Shape::Row { n } => (0..n as usize)
                .filter(|at| self.get(loc, *at) != NONE)
                .count() as i64,
            Shape::List { .. } | Shape::Agenda { .. } => self.get(loc, 0).into(),
            Shape::Scalar => 0,
        };
        i64::from(unseen) + listed
    }

    pub(crate) fn holds(&mut self, loc: Loc, shape: Shape, item: i32) -> bool {
        match shape {
            Shape::Set { n, low } => {
                let at = item.wrapping_sub(low) as u32;
                let found =
                    at < n && (self.get(loc, (at / 32) as usize) as u32) >> (at % 32) & 1 == 1;
                if !found && self.unseen(loc, shape) {
                    self.unknown();
                }
                found
            }
            _ => self.count_of(loc, shape, item) > 0,
        }
    }

    pub(crate) fn count_of(&mut self, loc: Loc, shape: Shape, item: i32) -> i32 {
        match shape {
            Shape::Bag { n, low } => {
                if self.unseen(loc, shape) {
                    return self.unknown();
                }
                let at = item.wrapping_sub(low) as u32;
                if at < n {
                    self.get(loc, at as usize)
                } else {
                    0
                }
            }
            Shape::Set { .. } => i32::from(self.holds(loc, shape, item)),
            _ => {
                let mut count = 0;
                self.for_items(loc, shape, |_, value, _| {
                    count += i32::from(value == item);
                    true
                });
                count
            }
        }
    }

    pub(crate) fn equal_words(&mut self, a: NodeId, b: NodeId) -> i32 {
        let top = self.top;
        let (x, y) = (self.loc(a), self.loc(b));
        let (sx, sy) = (self.p.shapes[a.at()], self.p.shapes[b.at()]);
        let equal = match (sx, sy) {
            (Shape::Set { low: a, .. }, Shape::Set { low: b, .. })
            | (Shape::Bag { low: a, .. }, Shape::Bag { low: b, .. })
                if a != b =>
            {
                self.size_at(x, sx) == self.size_at(y, sy)
                    && self.for_items(x, sx, |machine, value, count| {
                        machine.count_of(y, sy, value) == count
                    })
            }
            (Shape::Set { .. }, Shape::Set { .. })
            | (Shape::Bag { .. }, Shape::Bag { .. })
            | (Shape::Row { .. }, Shape::Row { .. }) => {
                let most = sx.words().max(sy.words());
                (0..most).all(|at| {
                    let word = |loc, shape: Shape| {
                        if at < shape.words() {
                            self.get(loc, at)
                        } else {
                            0
                        }
                    };
                    word(x, sx) == word(y, sy)
                })
            }
            (Shape::List { .. }, Shape::List { .. }) => {
                let len = self.get(x, 0);
                len == self.get(y, 0)
                    && (1..=len as usize).all(|at| self.get(x, at) == self.get(y, at))
            }
            (Shape::List { .. }, Shape::Row { n }) => self.list_is_row(x, y, n),
            (Shape::Row { n }, Shape::List { .. }) => self.list_is_row(y, x, n),
            _ => self.same_counts(x, sx, y, sy),
        };
        self.top = top;
        i32::from(equal)
    }

    fn list_is_row(&self, list: Loc, row: Loc, n: u32) -> bool {
        let len = self.get(list, 0) as u32;
        len <= n
            && (0..n).all(|at| {
                let item = if at < len {
                    self.get(list, 1 + at as usize)
                } else {
                    NONE
                };
                item == self.get(row, at as usize)
            })
    }

    fn same_counts(&mut self, x: Loc, sx: Shape, y: Loc, sy: Shape) -> bool {
        if self.size_at(x, sx) != self.size_at(y, sy) {
            return false;
        }
        self.for_items(x, sx, |machine, value, count| {
            let found = machine.count_of(y, sy, value);
            found == count || (count == 1 && found == machine.count_of(x, sx, value))
        })
    }

    pub(crate) fn within(&mut self, a: NodeId, b: NodeId) -> i32 {
        let top = self.top;
        let (x, y) = (self.loc(a), self.loc(b));
        let (sx, sy) = (self.p.shapes[a.at()], self.p.shapes[b.at()]);
        let within = self.for_items(x, sx, |machine, value, count| {
            let needed = if matches!(sx, Shape::Bag { .. }) {
                count
            } else {
                1
            };
            machine.count_of(y, sy, value) >= needed
        });
        self.top = top;
        i32::from(within)
    }

    /// Shuffles a list in place with the next outcome of a stream.
    pub(crate) fn shuffle_words(&mut self, list: usize, stream: u32) {
        let len = self.m[list] as usize;
        if self.probing > 0 {
            for at in 0..len {
                self.set(list + 1 + at, UNKNOWN);
            }
            return;
        }
        let mut rng = self.generator(stream);
        // Canonical order first, so that the outcome does not depend on how the cards came here.
        let mut items = std::mem::take(&mut self.keys);
        let start = items.len();
        items.extend_from_slice(&self.m[list + 1..list + 1 + len]);
        items[start..].sort_unstable();
        for at in (1..len).rev() {
            let other = Machine::below(&mut rng, at as u32 + 1) as usize;
            items.swap(start + at, start + other);
        }
        if let Some(outcome) = self.fixed(stream) {
            let mut sorted = outcome.clone();
            sorted.sort_unstable();
            let mut own = items[start..].to_vec();
            own.sort_unstable();
            if sorted == own {
                items.truncate(start);
                items.extend_from_slice(&outcome);
            }
        }
        for at in 0..len {
            let value = items[start + at];
            self.set(list + 1 + at, value);
        }
        if self.chance_log.is_some() || self.trace.is_some() {
            let outcome = items[start..].to_vec();
            self.note_chance(stream, &outcome);
        }
        items.truncate(start);
        self.keys = items;
    }

    pub(crate) fn random(&mut self, node: NodeId, container: NodeId, stream: u32) -> i32 {
        let top = self.top;
        let shape = self.p.shapes[container.at()];
        let loc = self.loc(container);
        let total = self.size_at(loc, shape);
        if total == 0 {
            self.top = top;
            let span = self.p.node_spans[node.at()];
            self.broken(span, "there is nothing to choose from at random");
            return NONE;
        }
        if self.probing > 0 {
            self.top = top;
            return self.unknown();
        }
        let mut rng = self.generator(stream);
        let mut pick = Machine::below(&mut rng, total as u32) as i32;
        let mut found = NONE;
        self.for_items(loc, shape, |_, value, count| {
            found = value;
            pick -= count;
            pick >= 0
        });
        if let Some(value) = self.fixed_random(stream) {
            if self.count_of(loc, shape, value) > 0 {
                found = value;
            } else {
                let here = self.here();
                self.broken(
                    here,
                    "what is fixed to come out here is not among what chance has to choose from",
                );
            }
        }
        self.note_chance(stream, &[found]);
        self.top = top;
        found
    }
}
