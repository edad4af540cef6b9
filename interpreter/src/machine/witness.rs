//! What was refused and what its message said then: kept on request, for explanations.

use super::{Halt, Loc, Machine, Unmet};
use crate::program::*;
use crate::words::Held;

/// A refusal with the values of its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Witness {
    pub unmet: Unmet,
    pub values: Vec<Held>,
}

impl Machine<'_> {
    /// Remembers every refusal from now on.
    pub(crate) fn watch_refusals(&mut self, on: bool) {
        self.witnesses = on.then(Vec::new);
    }

    pub(crate) fn take_refusals(&mut self) -> Vec<Witness> {
        let witnesses = self.witnesses.as_mut();
        witnesses.map(std::mem::take).unwrap_or_default()
    }

    #[cold]
    pub(super) fn note_witness(&mut self, unmet: Unmet) {
        let message = self.p.reasons[unmet.reason.at()].message;
        let values = message.map_or_else(Vec::new, |id| self.message_values(id));
        if let Some(witnesses) = &mut self.witnesses {
            witnesses.push(Witness { unmet, values });
        }
    }

    /// The values of a message in the running frame.
    pub(crate) fn message_values(&mut self, message: MessageId) -> Vec<Held> {
        let p = self.p;
        let nodes = p.messages[message as usize].iter().filter_map(|part| {
            if let MessagePart::Value(node, _) = part {
                Some(*node)
            } else {
                None
            }
        });
        nodes.map(|node| self.held(node)).collect()
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
