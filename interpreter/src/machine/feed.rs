//! Starts of cells, refilling and filling.

use super::targets::Target;
use super::{Halt, Loc, Machine};
use crate::program::*;
use dsl::ir::DeckEnd;

impl Machine<'_> {
    /// Puts all slots of a cell to their start.
    pub(crate) fn start_cell(&mut self, slot: Slot) {
        let p = self.p;
        let cell = &p.cells[slot.at()];
        for index in 0..cell.slots {
            let target = Target {
                word: (cell.base + index * cell.words) as usize,
                slot,
                shape: cell.shape,
            };
            match cell.start {
                Start::Fill(value) if cell.shape == Shape::Scalar => self.set(target.word, value),
                Start::Fill(_) => self.clear_zone(target),
                Start::Eval(node) => self.start_from(node, target),
            }
        }
    }

    /// Shuffles all slots of a cell whose decks lie ready.
    pub(crate) fn shuffle_cell(&mut self, slot: Slot) {
        let cell = &self.p.cells[slot.at()];
        for index in 0..cell.slots {
            let deck = cell.base + index * cell.words;
            self.shuffle_words(deck as usize, cell.stream + index);
        }
    }

    fn start_from(&mut self, node: NodeId, target: Target) {
        let p = self.p;
        let cell = &p.cells[target.slot.at()];
        let base = self.reserve(cell.frame_words as usize);
        self.cell_frame(cell, self.number(target), base);
        let caller = std::mem::replace(&mut self.fp, base);
        if target.shape == Shape::Scalar {
            let value = self.ev(node);
            self.fp = caller;
            self.top = base;
            let low = self.bound(cell.low, target);
            let high = self.bound(cell.high, target);
            if value != NONE && self.halt == Halt::No && (value < low || value > high) {
                let span = p.node_spans[node.at()];
                self.broken(
                    span,
                    format!("the start of `{}` is {value}, outside its range", cell.name),
                );
            }
            self.set(target.word, value);
            return;
        }
        let shape = p.shapes[node.at()];
        let loc = self.loc_of_start(node, target);
        let mark = self.candidates.len();
        self.for_items(loc, shape, |machine, item, count| {
            machine.candidates.extend([item, count]);
            true
        });
        self.fp = caller;
        self.top = base;
        self.clear_zone(target);
        let pairs = (self.candidates.len() - mark) / 2;
        for at in 0..pairs {
            // Of a deck the first one lies on top.
            let at = if target.shape.is_deck() {
                pairs - 1 - at
            } else {
                at
            };
            let [item, count] = [0, 1].map(|part| self.candidates[mark + 2 * at + part]);
            self.put(target, item, count, DeckEnd::Default);
        }
        self.candidates.truncate(mark);
        if self.halt == Halt::Fault {
            self.breaks_at(p.node_spans[node.at()]);
        }
        if self.halt == Halt::Fail {
            self.halt = Halt::No;
            let span = p.node_spans[node.at()];
            self.broken(
                span,
                format!("the start of `{}` does not fit into it", cell.name),
            );
        }
    }

    /// A shuffled start uses the stream of its cell and slot, so that rule sets can be compared game by game.
    fn loc_of_start(&mut self, node: NodeId, target: Target) -> Loc {
        let p = self.p;
        let Node::Shuffled(inner, _) = p.nodes[node.at()] else {
            return self.loc(node);
        };
        let shape = p.shapes[node.at()];
        let to = self.reserve(shape.words());
        self.m[to..to + shape.words()].fill(0);
        let loc = self.loc(inner);
        self.copy_shape(loc, p.shapes[inner.at()], to, shape);
        let stream = p.cells[target.slot.at()].stream + self.number(target);
        self.shuffle_words(to, stream);
        Loc::State(to)
    }

    /// Owner and indices of a slot into a frame.
    fn cell_frame(&mut self, cell: &CellLayout, index: u32, base: usize) {
        for (local, (low, n, stride)) in cell.start_locals.iter().zip(&cell.dims) {
            self.m[base + *local as usize] = low + (index / stride % n) as i32;
        }
    }

    /// Refills empty decks and fills gaps, at the end of a statement.
    pub(crate) fn feed(&mut self) {
        let p = self.p;
        for slot in &p.feeding {
            let cell = &p.cells[slot.at()];
            for index in 0..cell.slots {
                let target = Target {
                    word: (cell.base + index * cell.words) as usize,
                    slot: *slot,
                    shape: cell.shape,
                };
                if let Some(from) = cell.refill {
                    self.refill(target, from);
                }
                if let Some(from) = cell.fill {
                    self.fill(target, from);
                }
            }
        }
    }

    /// The source of a feed, read in the frame of the fed slot.
    fn source(&mut self, target: Target, from: PlaceId) -> Option<Target> {
        let p = self.p;
        let cell = &p.cells[target.slot.at()];
        let base = self.reserve(cell.frame_words as usize);
        self.cell_frame(cell, self.number(target), base);
        let caller = std::mem::replace(&mut self.fp, base);
        let source = self.target(from);
        self.fp = caller;
        self.top = base;
        source
    }

    #[inline]
    fn refill(&mut self, deck: Target, from: PlaceId) {
        if self.m[deck.word] == 0 {
            self.refill_empty(deck, from);
        }
    }

    fn refill_empty(&mut self, deck: Target, from: PlaceId) {
        let Some(source) = self.source(deck, from) else {
            return;
        };
        if self.size_at(Loc::State(source.word), source.shape) == 0 {
            return;
        }
        let mark = self.candidates.len();
        self.zone_items(source);
        self.clear_zone(source);
        for at in mark..self.candidates.len() {
            let item = self.candidates[at];
            self.put(deck, item, 1, DeckEnd::Default);
        }
        self.candidates.truncate(mark);
        let stream = self.p.cells[deck.slot.at()].stream + self.number(deck);
        self.shuffle_words(deck.word, stream);
    }

    fn zone_items(&mut self, source: Target) {
        let unseen = match source.shape {
            Shape::Set { .. } | Shape::Bag { .. } => self.m[source.word + source.shape.words()],
            _ => 0,
        };
        if unseen > 0 {
            // Some cards were not seen: all are shuffled, so none is known afterwards.
            let size = self.size_at(Loc::State(source.word), source.shape);
            self.candidates.extend((0..size).map(|_| UNKNOWN));
            return;
        }
        if let Shape::List { .. } = source.shape {
            let len = self.m[source.word] as usize;
            self.candidates
                .extend_from_slice(&self.m[source.word + 1..=source.word + len]);
            return;
        }
        self.for_items(
            Loc::State(source.word),
            source.shape,
            |machine, item, count| {
                for _ in 0..count {
                    machine.candidates.push(item);
                }
                true
            },
        );
    }

    fn fill(&mut self, row: Target, from: PlaceId) {
        let Shape::Row { n } = row.shape else { return };
        let places = row.word..row.word + n as usize;
        if !self.m[places].contains(&NONE) {
            return;
        }
        let Some(deck) = self.source(row, from) else {
            return;
        };
        let refill = self.p.cells[deck.slot.at()].refill;
        for at in 0..n as usize {
            if self.m[row.word + at] != NONE {
                continue;
            }
            if let Some(refill) = refill {
                self.refill(deck, refill);
            }
            let Some(item) = self.draw(deck) else { break };
            self.set(row.word + at, item);
        }
        if let Some(refill) = refill {
            self.refill(deck, refill);
        }
    }
}
