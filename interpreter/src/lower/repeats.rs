//! What `repeats` compares: all slots of cells, and formulas with each of their arguments.

use super::Lower;
use super::fold::argument_values;
use crate::program::*;
use dsl::ir;
use dsl::source::Span;

impl Lower<'_> {
    pub(super) fn repeats(&mut self, compared: &ir::Repeats, span: Span) -> u32 {
        let known = self.program.histories.iter();
        if let Some(at) = known.map(|code| &code.of).position(|of| of == compared) {
            return at as u32;
        }
        let formulas = compared.formulas.iter();
        let values = formulas
            .flat_map(|formula| self.calls(*formula, span))
            .collect();
        self.program.histories.push(HistoryCode {
            of: compared.clone(),
            slots: compared.cells.iter().map(|cell| Slot(cell.0)).collect(),
            values,
            base: 0,
        });
        self.program.histories.len() as u32 - 1
    }

    /// Calls of a formula, one for each combination of its arguments.
    fn calls(&mut self, id: ir::FormulaId, span: Span) -> Vec<NodeId> {
        let formula = &self.rules.formulas[id.index()];
        let types = formula.params.iter();
        let ranges: Option<Vec<(i32, u32)>> = types
            .map(|param| {
                let ty = &formula.code.locals[param.index()].ty;
                argument_values(self.rules, &self.program, ty)
            })
            .collect();
        let mut all: Vec<Vec<NodeId>> = vec![Vec::new()];
        for (low, n) in ranges.unwrap_or_default() {
            let values = (0..n).map(|at| low + at as i32);
            let nodes: Vec<NodeId> = values
                .map(|value| self.scalar(Node::Const(value), span))
                .collect();
            all = all
                .iter()
                .flat_map(|args| {
                    nodes
                        .iter()
                        .map(move |node| [args.as_slice(), &[*node]].concat())
                })
                .collect();
        }
        let proc = self.program.formula_procs[id.index()];
        let shape = self.shape(formula.ty.required());
        all.iter()
            .map(|args| {
                let args = self.list(args);
                self.node(Node::Call(proc, args), shape, span)
            })
            .collect()
    }
}
