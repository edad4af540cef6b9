//! What was refused and what its message said then: kept on request, for explanations.
//!
//! Messages tell no more than they may: values that somebody does not see are not quoted to him.

use super::targets::Target;
use super::{Halt, Loc, Machine, Unmet};
use crate::ask::Eyes;
use crate::observe::{Looker, Seen, Sight};
use crate::program::*;
use crate::words::{Held, Quoted};

/// A refusal with the values of its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Witness {
    pub unmet: Unmet,
    pub values: Vec<Quoted>,
}

impl Machine<'_> {
    /// Remembers every refusal from now on, as these eyes see it.
    pub(crate) fn watch_refusals(&mut self, eyes: Eyes) {
        self.witnesses = Some(Vec::new());
        self.eyes = eyes;
    }

    pub(crate) fn watch_no_refusals(&mut self) {
        self.witnesses = None;
        self.eyes = Eyes::Open;
    }

    pub(crate) fn take_refusals(&mut self) -> Vec<Witness> {
        let witnesses = self.witnesses.as_mut();
        witnesses.map(std::mem::take).unwrap_or_default()
    }

    #[cold]
    pub(super) fn note_witness(&mut self, unmet: Unmet) {
        let reason = &self.p.reasons[unmet.reason.at()];
        // A rule's message is read in a frame of its own.
        let local = !matches!(reason.kind, ReasonKind::Rule(_));
        let values = match reason.message {
            Some(id) => self.quote(id, local),
            None => Vec::new(),
        };
        if let Some(witnesses) = &mut self.witnesses {
            witnesses.push(Witness { unmet, values });
        }
    }

    /// The values of a message in the running frame, as far as the eyes see them.
    pub(crate) fn message_values(&mut self, message: MessageId) -> Vec<Quoted> {
        self.quote(message, true)
    }

    fn quote(&mut self, message: MessageId, local: bool) -> Vec<Quoted> {
        let p = self.p;
        let nodes = p.messages[message as usize].iter().filter_map(|part| {
            if let MessagePart::Value(node, _) = part {
                Some(*node)
            } else {
                None
            }
        });
        nodes.map(|node| self.quoted(node, local)).collect()
    }

    /// The value of an expression of the running body, if these eyes see all of it.
    pub(crate) fn value_seen(&mut self, node: NodeId, eyes: Eyes) -> Option<Held> {
        let before = std::mem::replace(&mut self.eyes, eyes);
        let quoted = self.quoted(node, true);
        self.eyes = before;
        match quoted {
            Quoted::Held(held) => Some(held),
            Quoted::Zone(..) | Quoted::Unseen => None,
        }
    }

    /// The value of an expression as far as the eyes see it; `local`: it stands in the running body.
    fn quoted(&mut self, node: NodeId, local: bool) -> Quoted {
        let Eyes::Of(seat) = self.eyes else {
            return Quoted::Held(self.held(node));
        };
        let p = self.p;
        if local && p.secrets().holds_secret(p, self.pc, node) {
            return Quoted::Unseen;
        }
        let zone = self.as_seen(seat, |machine| machine.zone_named(node));
        let Some((cell, slot)) = zone else {
            return self.as_seen(seat, |machine| {
                let held = machine.held_or_halt(node);
                match machine.halt == Halt::No && !held.words.contains(&UNKNOWN) {
                    true => Quoted::Held(held),
                    false => Quoted::Unseen,
                }
            });
        };
        let shape = p.cells[cell.at()].shape;
        match self.looker(seat).seen(p, cell.at(), slot) {
            Seen::Open(mut words) => {
                words.truncate(shape.words());
                Quoted::Held(Held { shape, words })
            }
            seen => Quoted::Zone(cell, seen),
        }
    }

    /// A number that is told of a refusal, if the eyes see it.
    pub(super) fn quoted_number(&mut self, node: NodeId, local: bool) -> Option<i32> {
        match self.quoted(node, local) {
            Quoted::Held(held) => Some(held.word()).filter(|word| *word != UNKNOWN),
            _ => None,
        }
    }

    /// The eyes see all that a slot holds.
    pub(super) fn is_seen(&self, target: Target) -> bool {
        let Eyes::Of(seat) = self.eyes else {
            return true;
        };
        let layout = &self.p.cells[target.slot.at()];
        self.looker(seat).sight(layout, self.number(target)) == Sight::Open
    }

    pub(super) fn looker(&self, seat: Option<u32>) -> Looker<'_> {
        Looker {
            words: &self.m,
            asked: self.me,
            seat,
        }
    }

    /// The slot whose container an expression names.
    pub(crate) fn zone_named(&mut self, node: NodeId) -> Option<(Slot, u32)> {
        let p = self.p;
        if p.shapes[node.at()] == Shape::Scalar {
            return None;
        }
        let Node::CellWords(slot, _) = p.nodes[node.at()] else {
            return None;
        };
        let Loc::State(word) = self.loc(node) else {
            return None;
        };
        let cell = &p.cells[slot.at()];
        let at = (word as u32).checked_sub(cell.base)? / cell.words.max(1);
        (self.halt == Halt::No && at < cell.slots).then_some((slot, at))
    }

    /// Runs something where all that somebody does not see is unknown, as a look-ahead. Whatever ended a way before is
    /// remembered, and so is what waits to be settled.
    pub(crate) fn as_seen<T>(&mut self, seat: Option<u32>, run: impl FnOnce(&mut Self) -> T) -> T {
        let (halt, unmet) = (std::mem::replace(&mut self.halt, Halt::No), self.unmet);
        let (fault, witnesses) = (self.fault.take(), self.witnesses.take());
        let dirty = std::mem::take(&mut self.dirty);
        let due = std::mem::take(&mut self.rules_due);
        let all_dirty = self.all_dirty;
        let eyes = std::mem::replace(&mut self.eyes, Eyes::Open);
        let result = self.ahead(|machine| {
            machine.veil(seat);
            let result = run(machine);
            machine.halt = Halt::No;
            machine.fault = None;
            result
        });
        self.eyes = eyes;
        (self.dirty, self.rules_due, self.all_dirty) = (dirty, due, all_dirty);
        (self.fault, self.witnesses) = (fault, witnesses);
        (self.halt, self.unmet) = (halt, unmet);
        result
    }

    fn veil(&mut self, seat: Option<u32>) {
        let p = self.p;
        let secret = self.m[header::SECRET] > 0;
        for layout in p.cells.iter().filter(|layout| secret || !layout.is_open()) {
            for slot in 0..layout.slots {
                let looker = self.looker(seat);
                let from = looker.seen_word(p, layout, slot);
                let word = layout.word(slot);
                let sight = looker.sight(layout, slot);
                for at in 0..layout.words as usize {
                    self.set(word + at, self.m[from + at]);
                }
                self.hide(layout, word, sight);
            }
        }
    }

    /// The value of an expression in the running frame, copied out; halts of its own are forgotten.
    pub(crate) fn held(&mut self, node: NodeId) -> Held {
        let halt = std::mem::replace(&mut self.halt, Halt::No);
        let unmet = self.unmet;
        let fault = self.fault.take();
        let witnesses = self.witnesses.take();
        let mut held = self.held_or_halt(node);
        if self.halt != Halt::No && held.shape == Shape::Scalar {
            held.words = vec![UNKNOWN];
        }
        self.halt = halt;
        self.unmet = unmet;
        self.fault = fault;
        self.witnesses = witnesses;
        held
    }

    /// As [`Machine::held`]; `halt` says if there is no value.
    pub(crate) fn held_or_halt(&mut self, node: NodeId) -> Held {
        let shape = self.p.shapes[node.at()];
        let top = self.top;
        let words = if shape == Shape::Scalar {
            vec![self.ev(node)]
        } else {
            let loc = self.loc(node);
            self.words_at(loc, shape)
        };
        self.top = top;
        Held { shape, words }
    }

    fn words_at(&self, loc: Loc, shape: Shape) -> Vec<i32> {
        let words = match loc {
            Loc::State(at) => self.m.get(at..at + shape.words()),
            Loc::Const(at) => self.p.consts.get(at..at + shape.words()),
        };
        words.unwrap_or_default().to_vec()
    }
}
