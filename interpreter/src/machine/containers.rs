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
            _ => {
                let to = self.fresh(shape);
                if self.make(node, to, shape) {
                    Loc::State(to)
                } else {
                    let span = p.node_spans[node.at()];
                    let other = p.nodes[node.at()];
                    self.broken(
                        span,
                        format!("one value stands where a container is wanted ({other:?})"),
                    );
                    Loc::Const(0)
                }
            }
        }
    }

    /// Makes a container in empty room of its shape; false where it is none that is made, but one that lies somewhere.
    fn make(&mut self, node: NodeId, to: usize, shape: Shape) -> bool {
        let p = self.p;
        match p.nodes[node.at()] {
            Node::Call(proc, args) => {
                let base = self.enter_formula(proc, args);
                self.formula_into(proc, base, to, shape);
            }
            Node::CallValue(formula, receiver) => {
                let proc = self.formula_value(formula);
                let base = self.enter_with(proc, receiver);
                self.formula_into(proc, base, to, shape);
            }
            Node::SetOf(args) | Node::ListOf(args) => {
                for at in args.start..args.start + args.len {
                    let item = p.lists[at as usize];
                    match p.nodes[item.at()] {
                        // An empty place, as it is written of a row.
                        Node::Const(NONE) => self.put_value(NONE, to, shape, 1),
                        _ => self.put_in(item, to, shape, 1),
                    }
                }
            }
            Node::BagOf(args) => {
                for at in (args.start..args.start + args.len).step_by(2) {
                    let count = self.ev(p.lists[at as usize + 1]);
                    self.put_in(p.lists[at as usize], to, shape, count);
                }
            }
            Node::Union(a, b) => {
                self.put_in(a, to, shape, 1);
                self.put_in(b, to, shape, 1);
            }
            Node::Difference(a, b) => {
                self.put_in(a, to, shape, 1);
                self.take_out(b, to, shape);
            }
            Node::Scale(count, bag) => {
                let count = self.ev(count);
                self.put_in(bag, to, shape, count.max(0));
            }
            Node::Convert(inner) => self.put_in(inner, to, shape, 1),
            Node::Numbers(low, high) => self.put_numbers(low, high, to, shape),
            Node::Collect(id) => self.collect(id, to, shape),
            Node::Reach(network, receiver, from) => {
                let receiver = self.ev(receiver);
                self.reach(network as usize, receiver, from, to, shape);
            }
            Node::OnBoard(parts) => {
                self.each_part(parts as usize, None, |machine, part| {
                    machine.put_value(part, to, shape, 1);
                    true
                });
            }
            Node::TurnedSet { turn, value, port } => {
                let turn = self.ev(turn);
                let loc = self.loc(value);
                let inner = p.shapes[value.at()];
                self.for_items(loc, inner, |machine, item, _| {
                    let item = machine.turned_by(turn, item, port);
                    machine.put_value(item, to, shape, 1);
                    true
                });
            }
            Node::WalkNodes(walk) => self.walk_nodes(walk, to, shape),
            Node::EndsOfWalk(walk) => self.ends_of_walk(walk, to, shape),
            Node::Shuffled(container, stream) => {
                // Which one lies on top is decided then.
                let cap = shape.words() as u32 - 1;
                self.put_in(container, to, Shape::List { cap, deck: false }, 1);
                self.shuffle_words(to, stream);
            }
            Node::Winners => {
                for seat in self.winning_seats() {
                    self.put_value(seat, to, shape, 1);
                }
            }
            _ => return false,
        }
        true
    }

    fn put_numbers(&mut self, low: NodeId, high: NodeId, to: usize, shape: Shape) {
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
    pub(super) fn fresh(&mut self, shape: Shape) -> usize {
        let words = shape.words();
        self.spend(words as u32 / 16);
        let to = self.reserve(words);
        self.m[to..to + words].fill(shape.empty_word());
        to
    }

    /// Where what a formula says lies whose frame was opened last: in this empty room, where it is made or copied to, or among
    /// the constants.
    fn formula_words(&mut self, proc: ProcId, base: usize, to: usize, shape: Shape) -> Loc {
        let code = &self.p.procs[proc.at()];
        match code.ledger {
            Some(id) if code.shape == shape => self.by_ledger(id, (proc, base), to, |machine| {
                machine.formula_made(proc, base, to, shape)
            }),
            _ => self.formula_made(proc, base, to, shape),
        }
    }

    fn formula_made(&mut self, proc: ProcId, base: usize, to: usize, shape: Shape) -> Loc {
        let p = self.p;
        let caller = std::mem::replace(&mut self.fp, base);
        let mut body = p.procs[proc.at()].body;
        while let Node::If(condition, yes, no) = p.nodes[body.at()] {
            body = if self.ev(condition) != 0 { yes } else { no };
        }
        let own = p.shapes[body.at()];
        let mut loc = Loc::State(to);
        if own == shape && self.make(body, to, shape) {
            if self.halt == Halt::Fault {
                self.breaks_at(p.node_spans[body.at()]);
            }
        } else {
            loc = self.loc(body);
            // What does not lie in the formula's own frame stays where it is.
            if !matches!(loc, Loc::Const(_)) || own != shape {
                self.copy_shape(loc, own, to, shape);
                loc = Loc::State(to);
            }
        }
        self.fp = caller;
        self.top = base;
        loc
    }

    /// As [`Machine::formula_words`]; it lies in the room in any case.
    fn formula_into(&mut self, proc: ProcId, base: usize, to: usize, shape: Shape) {
        let loc = self.formula_words(proc, base, to, shape);
        if loc != Loc::State(to) {
            self.copy_out(loc, shape, to, shape.words());
        }
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
                } else if count > 0 && value > UNKNOWN {
                    self.has_no_room(value, n, low);
                }
            }
            Shape::Bag { n, low } => {
                let at = value.wrapping_sub(low) as u32;
                if at >= n && count > 0 && value > UNKNOWN {
                    self.has_no_room(value, n, low);
                } else if at < n {
                    match number::add(self.m[to + at as usize], count) {
                        Ok(count) => self.m[to + at as usize] = count,
                        Err(why) => self.cannot_be_made(why.message()),
                    }
                }
            }
            Shape::List { cap, deck } => {
                for _ in 0..count {
                    let len = self.m[to] as usize;
                    if len >= cap as usize {
                        self.cannot_be_made(format!("a list holds more than {cap} elements"));
                        return;
                    }
                    // What comes later lies further below in a deck.
                    let at = if deck { to + 1 } else { to + 1 + len };
                    self.m.copy_within(at..to + 1 + len, at + 1);
                    self.m[at] = value;
                    self.m[to] = len as i32 + 1;
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

    /// Nothing that is put somewhere is lost in silence.
    #[cold]
    fn has_no_room(&mut self, value: i32, n: u32, low: i32) {
        let most = i64::from(low) + i64::from(n) - 1;
        self.cannot_be_made(format!(
            "{value} does not fit where {low} to {most} can lie"
        ));
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
}
