//! `may`s that can be declined and no more: behind their bodies goes on what goes on behind declining.

use crate::Program;
use crate::facts::leads;
use crate::program::*;
use std::collections::{BTreeMap, BTreeSet};

/// All of these, by their instruction.
pub(super) fn all(program: &Program) -> BTreeMap<usize, Optional> {
    let optional = |(pc, op): (usize, &Op)| {
        let Op::May { body, end, .. } = *op else {
            return None;
        };
        let code = body as usize..end as usize;
        goes_on_alike(program, pc, code.clone()).then(|| {
            let mut locals = Vec::new();
            let mut bound = BTreeSet::new();
            for pc in code.clone() {
                read_by(program, pc, &mut locals, &mut bound);
            }
            locals.sort_unstable();
            locals.dedup();
            locals.retain(|local| !bound.contains(local));
            (pc, Optional { code, locals })
        })
    };
    program
        .code
        .iter()
        .enumerate()
        .filter_map(optional)
        .collect()
}

/// Whoever leaves the body comes to its end, or to the question itself once more (in a loop, which declining leaves).
fn goes_on_alike(program: &Program, pc: usize, code: std::ops::Range<usize>) -> bool {
    let again = |to: u32| {
        to as usize == pc
            || to as usize + 1 == pc
                && matches!(program.code[to as usize], Op::RepeatTest { end, .. } if end as usize == code.end)
    };
    let inside = |to: usize| (code.start..=code.end).contains(&to);
    code.clone().all(|at| {
        let ways = leads(program, program.code[at]).ways(at);
        let returns = |to: usize| at + 1 == code.end && again(to as u32);
        !ways.is_empty() && ways.into_iter().all(|to| inside(to) || returns(to))
    })
}

/// Locals of one word that decide what is called with what, and locals that get their values here.
fn read_by(program: &Program, pc: usize, out: &mut Vec<u32>, bound: &mut BTreeSet<u32>) {
    let binder = |id: BinderId| program.binders[id.at()].local;
    match program.code[pc] {
        Op::Call(_, args) => list(program, args, out),
        Op::RunEffect(at) | Op::AgendaAdd { effect: at, .. } => {
            effect(program, &program.effects[at as usize], out, bound)
        }
        Op::Let(local, value) => {
            node(program, value, out);
            bound.insert(local);
        }
        Op::LetWords(local, _) | Op::EachNext { local, .. } | Op::ParamDefault { local, .. } => {
            bound.insert(local);
        }
        Op::Choose(choice) | Op::Param { choice, .. } => {
            bound.insert(binder(program.choices[choice as usize].binder));
        }
        _ => {}
    }
}

fn effect(program: &Program, whole: &EffectNode, out: &mut Vec<u32>, bound: &mut BTreeSet<u32>) {
    for part in whole.all() {
        match part {
            EffectNode::Call { args, .. } => list(program, *args, out),
            EffectNode::Value { value, .. } => node(program, *value, out),
            EffectNode::For(binders, _) => {
                let locals = binders.iter().map(|id| program.binders[id.at()].local);
                bound.extend(locals);
            }
            EffectNode::Times(..)
            | EffectNode::Many(_)
            | EffectNode::If(..)
            | EffectNode::Inline { .. } => {}
        }
    }
}

fn list(program: &Program, list: List, out: &mut Vec<u32>) {
    for at in list.start..list.start + list.len {
        let arg = program.lists[at as usize];
        if arg != super::ASKED {
            node(program, arg, out);
        }
    }
}

fn node(program: &Program, id: NodeId, out: &mut Vec<u32>) {
    match program.nodes[id.at()] {
        Node::Local(local) if program.shapes[id.at()] == Shape::Scalar => out.push(local),
        Node::Column(_, row) | Node::ColumnWords { row, .. } | Node::Unwrap(row, _) => {
            node(program, row, out)
        }
        Node::Cell1(_, index) => node(program, index, out),
        Node::Dense(_, args) => list(program, args, out),
        _ => {}
    }
}
