//! Expressions from outside a rule set (scenarios, watches), lowered onto a program that is there already.

use super::{ColumnPlace, Lower, LowerError};
use crate::Program;
use crate::program::*;
use dsl::ir::{self, RuleSet};
use std::collections::HashMap;

/// What lowering knows of tables and grids, kept for what is lowered later.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    columns: Vec<Vec<ColumnPlace>>,
    lookups: Vec<Option<DenseId>>,
    grids: Vec<(DenseId, u32, Shape)>,
    empty_words: u32,
    brought: Vec<(ir::Domain, u64)>,
}

impl Lower<'_> {
    pub(super) fn kept(&mut self) -> Kept {
        Kept {
            columns: std::mem::take(&mut self.columns),
            lookups: std::mem::take(&mut self.lookups),
            grids: std::mem::take(&mut self.grids),
            empty_words: self.empty_words,
            brought: std::mem::take(&mut self.brought),
        }
    }
}

/// Expressions and places of one [`ir::Code`], to be added to a program.
#[derive(Default)]
pub(crate) struct Extra<'e> {
    pub exprs: Vec<&'e ir::Expr>,
    pub places: Vec<&'e ir::Place>,
    pub binders: Vec<&'e ir::Binder>,
}

/// Where they are in the program, and the frame they are evaluated in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Appended {
    pub exprs: Vec<NodeId>,
    pub places: Vec<PlaceId>,
    pub binders: Vec<BinderId>,
    /// Frame offsets of the code's locals.
    pub locals: Vec<u32>,
    pub frame_words: u32,
}

/// Adds expressions to a program; everything lowered before stays where it is, so states of it fit.
///
/// # Errors
/// If something in them would need words of the state, as chance and histories do, or too much room.
pub(crate) fn append(
    rules: &RuleSet,
    program: &mut Program,
    code: &ir::Code,
    extra: &Extra<'_>,
) -> Result<Appended, LowerError> {
    let mut lower = Lower::new(rules, program.players);
    let kept = std::mem::take(&mut program.kept);
    lower.program = std::mem::replace(program, lower.program);
    lower.columns = kept.columns;
    lower.lookups = kept.lookups;
    lower.grids = kept.grids;
    lower.empty_words = kept.empty_words;
    lower.brought = kept.brought;
    lower.streams = HashMap::new();
    let before = lower.program.stream_keys.len();
    let histories = lower.program.histories.len();
    let nodes = lower.program.nodes.len();
    lower.open(code);
    let exprs: Vec<NodeId> = extra.exprs.iter().map(|e| lower.expr(e)).collect();
    let places: Vec<PlaceId> = extra.places.iter().map(|p| lower.place(p)).collect();
    let binders: Vec<BinderId> = extra.binders.iter().map(|b| lower.binder(b)).collect();
    let appended = Appended {
        exprs,
        places,
        binders,
        locals: lower.locals.iter().map(|(offset, _)| *offset).collect(),
        frame_words: lower.frame_words,
    };
    let stateful =
        lower.program.stream_keys.len() > before || lower.program.histories.len() > histories;
    lower.program.stream_keys.truncate(before);
    lower.program.histories.truncate(histories);
    let fits = lower.made_containers_fit(nodes);
    let kept = lower.kept();
    *program = lower.program;
    program.kept = kept;
    if stateful {
        let span = extra.exprs.first().map(|e| e.span);
        return Err(LowerError {
            span: span.unwrap_or(super::NOWHERE),
            message: "chance and histories cannot be asked from outside the rules".into(),
        });
    }
    fits?;
    Ok(appended)
}
