//! How running stops early: what fails, what is not known, what is wrong with the rules.

use super::{Halt, Machine, Unmet};
use crate::program::*;
use dsl::source::Span;

impl<'p> Machine<'p> {
    #[cold]
    pub(crate) fn fail(&mut self, reason: ReasonId, needed: Option<i32>, found: Option<i32>) {
        if self.halt == Halt::No {
            self.halt = Halt::Fail;
            let unmet = Unmet {
                reason,
                needed,
                found,
            };
            self.unmet = Some(unmet);
            if self.witnesses.is_some() {
                self.note_witness(unmet);
            }
            self.count_refusal(reason);
        }
    }

    #[cold]
    pub(crate) fn unknown(&mut self) -> i32 {
        if self.halt == Halt::No {
            self.halt = Halt::Unknown;
        }
        0
    }

    #[cold]
    pub(crate) fn broken(&mut self, span: Span, message: impl Into<String>) {
        self.breaks(Some(span), message.into());
    }

    /// As [`Machine::broken`] where what a node makes cannot be made: the node says where, in a statement the statement.
    #[cold]
    pub(super) fn cannot_be_made(&mut self, message: impl Into<String>) {
        self.breaks(None, message.into());
    }

    fn breaks(&mut self, span: Option<Span>, message: String) {
        if self.halt == Halt::No {
            self.halt = Halt::Fault;
            self.fault = Some((span, message));
        }
    }

    /// A fault of which nobody has said yet where it lies, lies there.
    #[cold]
    pub(super) fn breaks_at(&mut self, span: Span) {
        if let Some((at, _)) = &mut self.fault {
            at.get_or_insert(span);
        }
    }

    pub(crate) fn here(&self) -> Span {
        self.p.op_spans[self.pc]
    }
}
