//! Scalars: those for which there is no function of their own, and what the others share.

use super::{Halt, Loc, Machine};
use crate::program::*;
use dsl::ir::number::{self, NoNumber};
use dsl::source::Span;
use std::collections::BTreeMap;

impl Machine<'_> {
    /// The value of a node for which there is no function of its own.
    pub(super) fn value_of(&mut self, node: NodeId) -> i32 {
        let p = self.p;
        match p.nodes[node.at()] {
            Node::Starter => self.m[header::STARTER],
            Node::Cell(slot, args) => match self.slot_word(slot, args) {
                Some(word) => self.known(word),
                None => self.outside(slot.at()),
            },
            Node::Dense(dense, args) => match self.dense_index(dense, args) {
                Some(at) => p.consts[p.dense[dense.at()].base as usize + at],
                None => NONE,
            },
            Node::Unwrap(inner, reason) => {
                let value = self.ev(inner);
                if value == NONE {
                    self.fail(reason, None, None);
                }
                value
            }
            Node::Negate(a) => match self.ev(a) {
                NONE => self.no_number(node, None),
                a => number::negate(a).unwrap_or_else(|why| self.no_number(node, Some(why))),
            },
            Node::Kept(inner, reason) => self.kept(inner, reason),
            Node::InRange(item, low, high) => {
                let item = self.ev(item);
                i32::from(item >= self.ev(low) && item <= self.ev(high))
            }
            Node::EqualWords(a, b) => self.equal_words(a, b),
            Node::Within(a, b) => self.within(a, b),
            Node::At(container, index) => self.at(container, index, node),
            Node::TopOf(deck) => self.end_of(deck, false),
            Node::BottomOf(deck) => self.end_of(deck, true),
            Node::First(container) => self.first(container),
            Node::CallValue(formula, receiver) => {
                let proc = self.formula_value(formula);
                let frame = self.enter_with(proc, receiver);
                self.value_in(frame, p.procs[proc.at()].body)
            }
            Node::Score(line, player) => {
                let player = self.ev(player);
                self.score_line(line as usize, player)
            }
            Node::ScoreTotal(player) => {
                let player = self.ev(player);
                self.score_total(player)
            }
            Node::Joins(network, receiver, a, b) => {
                let receiver = self.ev(receiver);
                let a = self.ev(a);
                let b = self.ev(b);
                i32::from(self.joins(network as usize, receiver, a, b))
            }
            Node::Left(player) => {
                let player = self.ev(player);
                (player + 1) % p.players as i32
            }
            Node::Right(player) => {
                let player = self.ev(player);
                (player + p.players as i32 - 1) % p.players as i32
            }
            Node::RowOf(position) => {
                let position = self.ev(position);
                self.tiling(|t| t.rows.get(position as usize).copied())
                    .unwrap_or(NONE)
            }
            Node::ColumnOf(position) => {
                let position = self.ev(position);
                self.tiling(|t| t.columns.get(position as usize).copied())
                    .unwrap_or(NONE)
            }
            Node::PositionAt(row, column) => {
                let row = self.ev(row);
                let column = self.ev(column);
                self.tiling(|t| Some(t.by_place.find(row, column)))
                    .unwrap_or(NONE)
            }
            Node::PositionOfPart(part, parts) => {
                let part = self.ev(part);
                self.position_of_part(part, parts as usize)
            }
            Node::PositionOfTile(tile) => {
                let tile = self.ev(tile);
                self.position_of_tile(tile)
            }
            Node::RowOfPart(part, parts) => {
                let part = self.ev(part);
                self.row_of_part(part, parts as usize)
            }
            Node::Turned { turn, value, port } => {
                let value = self.ev(value);
                let turn = self.ev(turn);
                self.turned_by(turn, value, port)
            }
            Node::Word(word) => self.m[word as usize],
            Node::Finishing => i32::from(self.m[header::FINISH_LABEL] != NONE),
            Node::Finished => self.m[header::ENDED],
            Node::Out(player) => {
                let player = self.ev(player);
                i32::from(self.is_out(player))
            }
            Node::Wins(player, name) => {
                let player = self.ev(player);
                i32::from(self.has_won(player, name))
            }
            Node::Loses(player, name) => {
                let player = self.ev(player);
                i32::from(self.has_lost(player, name))
            }
            Node::Drawn(name) => i32::from(self.was_drawn(name)),
            Node::DecisionOf => {
                if self.is_over() {
                    NONE
                } else {
                    self.me
                }
            }
            Node::Repeats(at) => self.repeats(at as usize),
            Node::Can(proc, args) => i32::from(self.can(proc, args)),
            Node::BestWalk(walk) => self.best_walk(walk),
            Node::Distance(walk) => self.distance(walk),
            Node::Random(container, stream) => self.random(node, container, stream),
            other => {
                let span = p.node_spans[node.at()];
                self.broken(
                    span,
                    format!("a container stands where one value is wanted ({other:?})"),
                );
                0
            }
        }
    }

    /// The value of a formula whose frame was opened last.
    #[inline]
    pub(super) fn value_in(&mut self, frame: usize, body: NodeId) -> i32 {
        let caller = std::mem::replace(&mut self.fp, frame);
        let value = self.ev(body);
        self.fp = caller;
        self.top = frame;
        value
    }

    /// Whether an item is in a container. Of one that is chosen, reached, or that a formula says, nothing is copied, and no
    /// walk is made that does not lead to the item.
    pub(super) fn is_in(&mut self, container: NodeId, item: i32) -> bool {
        let p = self.p;
        match p.nodes[container.at()] {
            Node::If(condition, yes, no)
                if p.shapes[yes.at()] != Shape::Scalar && p.shapes[no.at()] != Shape::Scalar =>
            {
                let chosen = if self.ev(condition) != 0 { yes } else { no };
                self.is_in(chosen, item)
            }
            Node::Call(proc, args) if !self.is_kept_whole(proc) => {
                let base = self.enter_formula(proc, args);
                let caller = std::mem::replace(&mut self.fp, base);
                let holds = self.is_in(p.procs[proc.at()].body, item);
                self.fp = caller;
                self.top = base;
                holds
            }
            Node::Reach(network, receiver, from) => {
                let receiver = self.ev(receiver);
                self.is_reached(network as usize, receiver, from, item)
            }
            Node::EndsOfWalk(walk) => match self.may_end_at(&p.walks[walk.at()], item) {
                Some(ends) => ends,
                None => self.holds_here(container, item),
            },
            _ => self.holds_here(container, item),
        }
    }

    /// What a formula says is remembered, and to ask for a part of it is no quicker.
    fn is_kept_whole(&self, proc: ProcId) -> bool {
        let ledger = self.p.procs[proc.at()].ledger;
        ledger.is_some_and(|id| self.p.ledgers[id.at()].whole)
    }

    fn holds_here(&mut self, container: NodeId, item: i32) -> bool {
        let loc = self.loc(container);
        self.holds(loc, self.p.shapes[container.at()], item)
    }

    /// The first word of a cell's slot; none if an index is none or out of bounds.
    pub(crate) fn slot_word(&mut self, slot: Slot, args: List) -> Option<usize> {
        let cell = &self.p.cells[slot.at()];
        let mut at = 0;
        for (arg, &(low, n, stride)) in self.p.listed(args).iter().zip(&cell.dims) {
            let index = self.ev(*arg).wrapping_sub(low) as u32;
            if index >= n {
                return None;
            }
            at += index * stride;
        }
        Some((cell.base + at * cell.words) as usize)
    }

    pub(crate) fn dense_index(&mut self, dense: DenseId, args: List) -> Option<usize> {
        let dense = &self.p.dense[dense.at()];
        let (mut at, mut inside) = (0usize, true);
        // Behind an argument that has no place the others are evaluated all the same: they may be faults.
        for (arg, &(low, n)) in self.p.listed(args).iter().zip(&dense.dims) {
            let index = self.ev(*arg).wrapping_sub(low) as u32;
            inside &= index < n;
            at = at.wrapping_mul(n as usize).wrapping_add(index as usize);
        }
        inside.then_some(at)
    }

    /// An expression comes to no number; without a reason because something it calculates with is none.
    #[cold]
    pub(super) fn no_number(&mut self, node: NodeId, why: Option<NoNumber>) -> i32 {
        self.comes_to_nothing(self.p.node_spans[node.at()], why);
        0
    }

    /// As [`Machine::no_number`], of what stands there.
    #[cold]
    pub(super) fn comes_to_nothing(&mut self, span: Span, why: Option<NoNumber>) {
        let message = why.map_or(
            "this calculates with what is none: an index lies outside of its range",
            NoNumber::message,
        );
        self.broken(span, message);
    }

    #[inline(never)]
    fn kept(&mut self, inner: NodeId, reason: ReasonId) -> i32 {
        let value = self.ev(inner);
        if !self.p.reasons[reason.at()].kind.lets(value) {
            self.fail(reason, None, None);
        }
        value
    }

    /// Evaluates arguments into a new frame above the temporaries.
    pub(crate) fn enter_formula(&mut self, proc: ProcId, args: List) -> usize {
        let p = self.p;
        let proc = &p.procs[proc.at()];
        let base = self.reserve(proc.frame_words as usize);
        for (arg, &(local, words)) in p.listed(args).iter().zip(&proc.params) {
            self.argument(*arg, base + local as usize, words as usize);
        }
        base
    }

    pub(crate) fn enter_with(&mut self, proc: ProcId, receiver: NodeId) -> usize {
        let p = self.p;
        let proc = &p.procs[proc.at()];
        let base = self.reserve(proc.frame_words as usize);
        if let Some((local, words)) = proc.params.first() {
            self.argument(receiver, base + *local as usize, *words as usize);
        }
        base
    }

    #[inline(always)]
    pub(super) fn argument(&mut self, node: NodeId, to: usize, words: usize) {
        match self.p.shapes[node.at()] {
            Shape::Scalar => self.m[to] = self.ev(node),
            shape => {
                let loc = self.loc(node);
                self.copy_out(loc, shape, to, words);
            }
        }
    }

    pub(crate) fn formula_value(&mut self, formula: NodeId) -> ProcId {
        let at = self.ev(formula);
        let fallback = self.p.formula_procs.first().copied().unwrap_or(self.p.flow);
        usize::try_from(at)
            .ok()
            .and_then(|at| self.p.formula_procs.get(at).copied())
            .unwrap_or(fallback)
    }

    /// Room for temporaries; the caller puts `top` back.
    #[inline]
    pub(crate) fn reserve(&mut self, words: usize) -> usize {
        let base = self.top;
        if base + words + 256 > self.m.len() {
            return self.no_room(words);
        }
        self.spend(1);
        self.top = base + words;
        base
    }

    #[cold]
    fn no_room(&mut self, words: usize) -> usize {
        let span = self.here();
        self.broken(span, "an expression needs too much room");
        self.m.len() - 256 - words.min(self.m.len() - 512)
    }

    /// How many elements a container has. Of one that is chosen or that a formula says nothing is copied, and nothing is put
    /// together of what can be counted as it comes.
    pub(super) fn size(&mut self, node: NodeId) -> i32 {
        let top = self.top;
        let size = match self.p.nodes[node.at()] {
            Node::EndsOfWalk(walk) => self.size_of_ends(node, walk),
            Node::Call(proc, args) => self.size_of_formula(node, proc, args),
            Node::If(condition, yes, no) => self.size_of_chosen(node, condition, [yes, no]),
            Node::Collect(id) => self.size_of_collected(node, id),
            _ => self.size_here(node),
        };
        self.top = top;
        size
    }

    #[inline(never)]
    fn size_of_ends(&mut self, node: NodeId, walk: WalkId) -> i32 {
        let counted = self.count_by_course(&self.p.walks[walk.at()]);
        counted.unwrap_or_else(|| self.size_here(node))
    }

    #[inline(never)]
    fn size_of_formula(&mut self, node: NodeId, proc: ProcId, args: List) -> i32 {
        let p = self.p;
        let body = p.procs[proc.at()].body;
        if p.shapes[body.at()] != p.shapes[node.at()] || self.is_kept_whole(proc) {
            return self.size_here(node);
        }
        let base = self.enter_formula(proc, args);
        let caller = std::mem::replace(&mut self.fp, base);
        let size = self.size(body);
        self.fp = caller;
        size
    }

    #[inline(never)]
    fn size_of_chosen(&mut self, node: NodeId, condition: NodeId, [yes, no]: [NodeId; 2]) -> i32 {
        let shapes = &self.p.shapes;
        if shapes[yes.at()] != shapes[no.at()] {
            return self.size_here(node);
        }
        let chosen = if self.ev(condition) != 0 { yes } else { no };
        self.size(chosen)
    }

    #[inline(never)]
    fn size_of_collected(&mut self, node: NodeId, id: AggregateId) -> i32 {
        let p = self.p;
        let aggregate = &p.aggregates[id.at()];
        match p.shapes[node.at()] {
            Shape::Bag { n, low } if aggregate.collects_elements(p) => {
                self.count_collected(aggregate, low, n)
            }
            _ => self.size_here(node),
        }
    }

    fn size_here(&mut self, node: NodeId) -> i32 {
        let shape = self.p.shapes[node.at()];
        let loc = self.loc(node);
        let size = number::number(self.exact_size(loc, shape));
        size.unwrap_or_else(|why| self.no_number(node, Some(why)))
    }

    /// The element of a set that stands at a place, counted from 0.
    fn element_at(&self, loc: Loc, n: u32, at: u32) -> Option<u32> {
        let holds = |element: &u32| {
            let word = self.get(loc, *element as usize / 32) as u32;
            word >> (element % 32) & 1 == 1
        };
        (0..n).filter(holds).nth(at as usize)
    }

    fn at(&mut self, container: NodeId, index: NodeId, node: NodeId) -> i32 {
        let index = self.ev(index);
        let loc = self.loc(container);
        let at = index.wrapping_sub(1) as u32;
        let value = match self.p.shapes[container.at()] {
            Shape::Row { n } if at < n => self.get(loc, at as usize),
            Shape::List { deck, .. } if at < self.get(loc, 0) as u32 => {
                let last = self.get(loc, 0) as usize;
                self.get(
                    loc,
                    if deck {
                        last - at as usize
                    } else {
                        1 + at as usize
                    },
                )
            }
            Shape::Row { .. } => NONE,
            // `player[n]`: the n-th seat.
            Shape::Set { n, low } if self.element_at(loc, n, at).is_some() => {
                low + self.element_at(loc, n, at).unwrap_or_default() as i32
            }
            _ => {
                if self.halt == Halt::No {
                    let span = self.p.node_spans[node.at()];
                    let size = self.size_at(loc, self.p.shapes[container.at()]);
                    self.broken(span, format!("there is no place {index}: there are {size}"));
                }
                return 0;
            }
        };
        if value == UNKNOWN {
            self.unknown()
        } else {
            value
        }
    }

    /// The top card of a deck, or its bottom one.
    fn end_of(&mut self, deck: NodeId, bottom: bool) -> i32 {
        let loc = self.loc(deck);
        let len = self.get(loc, 0);
        if len == 0 {
            return NONE;
        }
        // The only card is the top one.
        let bottom = bottom && len > 1;
        let (hidden, at) = match bottom {
            true => (self.p.hides_bottom(deck), 1),
            false => (self.p.hides_top(deck), len as usize),
        };
        let value = self.get(loc, at);
        if self.probing > 0 && (hidden || value == UNKNOWN) {
            return self.unknown();
        }
        value
    }

    fn first(&mut self, container: NodeId) -> i32 {
        let shape = self.p.shapes[container.at()];
        let loc = self.loc(container);
        let mut found = NONE;
        self.for_items(loc, shape, |_, value, _| {
            found = value;
            false
        });
        found
    }

    pub(crate) fn tiling<T>(&self, read: impl FnOnce(&TilingCode) -> Option<T>) -> Option<T> {
        self.p.tiling.as_ref().and_then(read)
    }

    // ------------------------------------------------------------------------------------ for lowering

    /// Appends the words of a formula's result for given scalar arguments; none if it cannot be computed.
    pub(crate) fn tabulate(
        &mut self,
        body: NodeId,
        params: &[(u32, u32)],
        args: &[i32],
        shape: Shape,
        out: &mut Vec<i32>,
    ) -> Option<()> {
        self.halt = Halt::No;
        self.top = self.sp + 4096;
        for ((local, _), arg) in params.iter().zip(args) {
            self.m[self.fp + *local as usize] = *arg;
        }
        if shape == Shape::Scalar {
            let value = self.ev(body);
            out.push(value);
        } else {
            let loc = self.loc(body);
            out.extend((0..shape.words()).map(|at| self.get(loc, at)));
        }
        (self.halt == Halt::No).then_some(())
    }

    pub(crate) fn value_with(&mut self, node: NodeId, known: &BTreeMap<u32, i32>) -> Option<i32> {
        if self.p.shapes[node.at()] != Shape::Scalar {
            return None;
        }
        self.prepare(known);
        let value = self.ev(node);
        (self.halt == Halt::No).then_some(value)
    }

    /// The elements of a container; none if they cannot be computed.
    pub(crate) fn items_with(
        &mut self,
        node: NodeId,
        known: &BTreeMap<u32, i32>,
    ) -> Option<Vec<i32>> {
        self.prepare(known);
        let loc = self.loc(node);
        let mut items = Vec::new();
        self.for_items(loc, self.p.shapes[node.at()], |_, value, _| {
            items.push(value);
            true
        });
        (self.halt == Halt::No).then_some(items)
    }

    fn prepare(&mut self, known: &BTreeMap<u32, i32>) {
        self.halt = Halt::No;
        self.top = self.sp + 8192;
        for (local, value) in known {
            self.m[self.fp + *local as usize] = *value;
        }
    }

    pub(crate) fn get(&self, loc: Loc, at: usize) -> i32 {
        match loc {
            Loc::State(base) => self.m[base + at],
            Loc::Const(base) => self.p.consts[base + at],
        }
    }
}
