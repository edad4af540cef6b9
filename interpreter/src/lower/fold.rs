//! Formulas that read no state are computed once for all their arguments.

use crate::Program;
use crate::facts::{self, Reads};
use crate::machine::Machine;
use crate::program::*;
use dsl::ir::{Domain, RuleSet, Ty};

/// Results one formula may be tabulated for.
const RESULTS_MAX: u64 = 1 << 14;
/// Words all its results may take.
const WORDS_MAX: u64 = 1 << 18;

/// Tabulates formulas and replaces their calls.
pub(super) fn fold(rules: &RuleSet, program: &mut Program) {
    let mut tables: Vec<Option<(DenseId, u32, Shape)>> = vec![None; program.procs.len()];
    // Formulas may use each other: repeat until nothing is found any more.
    loop {
        let mut found = false;
        for at in 0..rules.formulas.len() {
            let proc = program.formula_procs[at];
            if tables[proc.at()].is_some() {
                continue;
            }
            if let Some(table) = tabulate(rules, program, at, proc) {
                tables[proc.at()] = Some(table);
                found = true;
            }
        }
        if !found {
            break;
        }
        replace_calls(program, &tables);
    }
}

/// Containers put together of constants are made once.
pub(super) fn constants(program: &mut Program) {
    let mut found = false;
    // Operands come before what is made of them.
    for at in 0..program.nodes.len() {
        let node = program.nodes[at];
        let shape = program.shapes[at];
        let Some(operands) = node.operands() else {
            continue;
        };
        let constant =
            |node: &NodeId| matches!(program.nodes[node.at()], Node::Const(_) | Node::Words(_));
        let made = !matches!(node, Node::Words(_))
            && matches!(shape, Shape::Set { .. } | Shape::Bag { .. });
        if !made
            || shape.words() as u64 > WORDS_MAX >> 6
            || !operands.of(program).iter().all(constant)
        {
            continue;
        }
        let mut words = Vec::with_capacity(shape.words());
        let mut machine = Machine::bare(program);
        let done = machine.tabulate(NodeId(at as u32), &[], &[], shape, &mut words);
        machine.keep_work();
        if done.is_some() {
            let base = program.consts.len() as u32;
            program.consts.extend(words);
            program.replace_node(NodeId(at as u32), Node::Words(base), shape);
            found = true;
        }
    }
    if found {
        program.choose_forms();
    }
}

fn replace_calls(program: &mut Program, tables: &[Option<(DenseId, u32, Shape)>]) {
    for at in 0..program.nodes.len() {
        let Node::Call(proc, args) = program.nodes[at] else {
            continue;
        };
        let Some((dense, base, shape)) = tables[proc.at()] else {
            continue;
        };
        let node = match (shape, args.len) {
            (Shape::Scalar, 0) => Node::Const(program.consts[base as usize]),
            (Shape::Scalar, _) => Node::Dense(dense, args),
            (_, 0) => Node::Words(base),
            (_, 1) if program.dense[dense.at()].dims[0].0 == 0 => Node::ColumnWords {
                base,
                stride: shape.words() as u32,
                row: program.lists[args.start as usize],
            },
            _ => Node::DenseWords {
                dense,
                args,
                base,
                stride: shape.words() as u32,
            },
        };
        program.replace_node(NodeId(at as u32), node, shape);
    }
    program.choose_forms();
}

fn tabulate(
    rules: &RuleSet,
    program: &mut Program,
    at: usize,
    proc: ProcId,
) -> Option<(DenseId, u32, Shape)> {
    let formula = &rules.formulas[at];
    let body = program.procs[proc.at()].body;
    let shape = program.shapes[body.at()];
    if matches!(formula.ty.required(), Ty::Walk(_) | Ty::Agenda) {
        return None;
    }
    let mut found = Reads::default();
    facts::reads(program, body, &mut found);
    if found.state {
        return None;
    }
    let mut dims = Vec::new();
    for param in &formula.params {
        let ty = &formula.code.locals[param.index()].ty;
        dims.push(argument_values(rules, program, ty)?);
    }
    let results = dims
        .iter()
        .map(|d: &(i32, u32)| u64::from(d.1))
        .product::<u64>();
    if results == 0 || results > RESULTS_MAX || results * shape.words() as u64 > WORDS_MAX {
        return None;
    }
    let mut words = Vec::with_capacity(results as usize * shape.words());
    {
        let params = program.procs[proc.at()].params.clone();
        let mut machine = Machine::bare(program);
        let done = (0..results).try_for_each(|result| {
            let mut rest = result;
            let mut args = vec![0; dims.len()];
            for (arg, (low, n)) in args.iter_mut().zip(&dims).rev() {
                *arg = low + (rest % u64::from(*n)) as i32;
                rest /= u64::from(*n);
            }
            machine.tabulate(body, &params, &args, shape, &mut words)
        });
        machine.keep_work();
        done?;
    }
    let base = program.consts.len() as u32;
    program.consts.extend(words);
    program.dense.push(Dense { base, dims });
    Some((DenseId(program.dense.len() as u32 - 1), base, shape))
}

/// All values an argument of this type can take.
pub(super) fn argument_values(rules: &RuleSet, program: &Program, ty: &Ty) -> Option<(i32, u32)> {
    Some(match ty {
        Ty::Bool => (0, 2),
        Ty::Int {
            low: Some(low),
            high: Some(high),
        } if high - low < 1024 => (i32::try_from(*low).ok()?, (high - low + 1).max(0) as u32),
        Ty::Element(Domain::Table(id)) => (0, rules.tables[id.index()].rows.len() as u32),
        Ty::Element(Domain::Enum(id)) => (0, rules.enums[id.index()].members.len() as u32),
        Ty::Element(Domain::Player) => (0, program.players),
        Ty::Element(Domain::Cell) => (0, program.tiling.as_ref()?.positions),
        Ty::Element(Domain::Side) => (0, program.tiling.as_ref()?.directions),
        Ty::Element(Domain::Port) => (0, program.tiling.as_ref()?.port_side.len() as u32),
        Ty::Element(Domain::Action) => (0, rules.actions.len() as u32),
        _ => return None,
    })
}

/// Fills `Binder::unread` of each aggregate's last binder.
pub(super) fn mark_unread(program: &mut Program) {
    for at in 0..program.aggregates.len() {
        let aggregate = &program.aggregates[at];
        let (Some(value), Some(last)) = (aggregate.value, aggregate.binders.last().copied()) else {
            continue;
        };
        let binder = &program.binders[last.at()];
        let plain = binder.conditions.is_empty() && binder.is_plain();
        let mut found = Reads::default();
        facts::reads(program, value, &mut found);
        let unread = plain && !found.opaque && !found.locals.contains(&binder.local);
        program.binders[last.at()].unread = unread;
    }
}
