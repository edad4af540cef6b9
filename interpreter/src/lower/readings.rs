//! Formulas of one element that see it through a few of its own cells alone, as the sides of a place through the tile that
//! lies there and its turn: computed once for all values of these cells.

use crate::Program;
use crate::facts::Reads;
use crate::machine::Machine;
use crate::program::*;
use dsl::ir::{Domain, RuleSet, Ty};

/// Values of the cells together for which one formula may be tabulated.
const RESULTS_MAX: usize = 1 << 12;
const CELLS_MAX: usize = 2;

/// A formula's results by the values of cells of its argument.
struct Reading {
    proc: ProcId,
    cells: Vec<Slot>,
    dense: DenseId,
    base: u32,
    shape: Shape,
}

/// Tabulates such formulas and replaces their calls.
pub(super) fn fold(rules: &RuleSet, program: &mut Program) {
    let mut readings = Vec::new();
    for (at, formula) in rules.formulas.iter().enumerate() {
        if let [param] = formula.params[..]
            && let Ty::Element(domain) = formula.code.locals[param.index()].ty
            && !matches!(domain, Domain::Int { .. })
            && let Some(reading) = tabulate(program, program.formula_procs[at])
        {
            readings.push(reading);
        }
    }
    for at in 0..program.nodes.len() {
        let Node::Call(proc, args) = program.nodes[at] else {
            continue;
        };
        let Some(reading) = readings.iter().find(|reading| reading.proc == proc) else {
            continue;
        };
        let element = program.lists[args.start as usize];
        if !is_cheap(program, element) {
            continue;
        }
        let values = program.lists.len() as u32;
        for slot in &reading.cells {
            let span = program.node_spans[at];
            let value = program.add_node(Node::Cell1(*slot, element), Shape::Scalar, span);
            program.lists.push(value);
        }
        let args = List {
            start: values,
            len: reading.cells.len() as u32,
        };
        let node = Node::DenseWords {
            dense: reading.dense,
            args,
            base: reading.base,
            stride: reading.shape.words() as u32,
        };
        program.replace_node(NodeId(at as u32), node, reading.shape);
    }
    program.choose_forms();
}

/// Evaluating it again for each cell costs next to nothing.
fn is_cheap(program: &Program, element: NodeId) -> bool {
    let is_local = |node: NodeId| matches!(program.nodes[node.at()], Node::Local(_));
    match program.nodes[element.at()] {
        Node::Local(_) => true,
        Node::Next(place, side) => is_local(place) && is_local(side),
        _ => false,
    }
}

fn tabulate(program: &mut Program, proc: ProcId) -> Option<Reading> {
    let body = program.procs[proc.at()].body;
    let shape = program.shapes[body.at()];
    let param = program.procs[proc.at()].params.first()?.0;
    let mut reads = Reads::default();
    crate::facts::reads(program, body, &mut reads);
    let cells: Vec<Slot> = reads.cells.into_iter().collect();
    if shape == Shape::Scalar
        || reads.opaque
        || reads.seat
        || cells.is_empty()
        || cells.len() > CELLS_MAX
        || !sees_cells_alone(program, body, param)
    {
        return None;
    }
    let mut dims = Vec::new();
    for slot in &cells {
        let cell = &program.cells[slot.at()];
        let (Bound::Const(low), Bound::Const(high)) = (cell.low, cell.high) else {
            return None;
        };
        let n = high.checked_sub(low).filter(|n| (0..1 << 12).contains(n))? + 1;
        dims.push((low, n as u32));
    }
    let results: usize = dims.iter().map(|(_, n)| *n as usize).product();
    if results > RESULTS_MAX {
        return None;
    }
    let words = results_of(program, proc, &cells, &dims, results)?;
    let base = program.consts.len() as u32;
    program.consts.extend(words);
    program.dense.push(Dense { base, dims });
    Some(Reading {
        proc,
        cells,
        dense: DenseId(program.dense.len() as u32 - 1),
        base,
        shape,
    })
}

/// The words of all results; none if one cannot be computed, or if a cell without a value makes anything but an empty
/// container, which is what lies outside of a table.
fn results_of(
    program: &Program,
    proc: ProcId,
    cells: &[Slot],
    dims: &[(i32, u32)],
    results: usize,
) -> Option<Vec<i32>> {
    let code = &program.procs[proc.at()];
    let shape = program.shapes[code.body.at()];
    let first = program.cells[cells[0].at()].dims[0].0;
    let mut machine = Machine::bare(program);
    let mut words = Vec::new();
    let mut ask = |values: &[i32], words: &mut Vec<i32>| {
        for (slot, value) in cells.iter().zip(values) {
            machine.m[program.cells[slot.at()].base as usize] = *value;
        }
        machine.tabulate(code.body, &code.params, &[first], shape, words)
    };
    let done = (0..results).try_for_each(|result| {
        let mut rest = result;
        let mut values = vec![0; dims.len()];
        for (value, (low, n)) in values.iter_mut().zip(dims).rev() {
            *value = low + (rest % *n as usize) as i32;
            rest /= *n as usize;
        }
        ask(&values, &mut words)?;
        for (at, slot) in cells.iter().enumerate() {
            if program.cells[slot.at()].optional {
                let mut without = values.clone();
                without[at] = NONE;
                let mut empty = Vec::new();
                ask(&without, &mut empty)?;
                if empty.iter().any(|word| *word != 0) {
                    return None;
                }
            }
        }
        Some(())
    });
    machine.keep_work();
    done.map(|()| words)
}

/// The element is looked at through scalar cells of its own, and nothing else depends on it.
fn sees_cells_alone(program: &Program, node: NodeId, param: u32) -> bool {
    match program.nodes[node.at()] {
        Node::Local(at) => at != param,
        Node::Cell1(slot, element) => {
            let cell = &program.cells[slot.at()];
            program.nodes[element.at()] == Node::Local(param)
                && cell.dims.len() == 1
                && cell.shape == Shape::Scalar
        }
        other => other.operands().is_some_and(|operands| {
            let mut operands = operands.of(program).iter();
            operands.all(|operand| sees_cells_alone(program, *operand, param))
        }),
    }
}
