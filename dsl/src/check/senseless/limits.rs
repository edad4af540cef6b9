//! A `need` of the flow that no answer stands before: it limits nobody, and where it is not met the game cannot go on.

use super::warning;
use crate::check::visit;
use crate::diagnostic::Diagnostic;
use crate::ir::{Block, StatementKind};

/// What runs in this block of the flow, or in one inside, without an answer that it could limit. An action or a step that has
/// ended is answered for.
pub(super) fn in_flow(block: &Block, found: &mut Vec<Diagnostic>) {
    use StatementKind as S;
    for statement in &block.statements {
        match &statement.kind {
            // From here on, to the end of the block, all belongs to what is chosen.
            S::Choose(_) => return,
            S::Need(condition, _) => {
                let message = "this limits no answer: who was asked before has ended what he did";
                let help = "write it into the action, as `always … after` a step, or after a `choose` of the same lines; `check NAME: …` says what has to be so in any case";
                found
                    .push(warning("limits-nothing", condition.span, message.to_owned()).help(help));
            }
            // What stands in them is limited by whoever picks it.
            S::May(_) | S::OneOf { .. } | S::AnyOrder { .. } | S::Walk { .. } => {}
            S::Repeat(repeat) if repeat.may => {}
            _ => visit::blocks(statement)
                .into_iter()
                .for_each(|inner| in_flow(inner, found)),
        }
    }
}
