//! Formulas that say where one gets to in one direction: called, they are found without a frame of their own. What the formula
//! is given is put in the place of its parameters; as that reads no state and always has a value, it does not matter when it
//! is asked, nor how often.

use crate::Program;
use crate::facts::{Ends, Facts, Reads};
use crate::program::*;
use std::collections::BTreeMap;

/// Fills `Program::rays`.
pub(super) fn mark(program: &mut Program, facts: &Facts) {
    for at in 0..program.nodes.len() {
        if let Some(ray) = of(program, facts, NodeId(at as u32)) {
            program.rays.push(ray);
        }
    }
    if !program.rays.is_empty() {
        program.choose_forms();
    }
}

fn of(program: &mut Program, facts: &Facts, call: NodeId) -> Option<Ray> {
    let Node::Call(proc, args) = program.nodes[call.at()] else {
        return None;
    };
    let code = &program.procs[proc.at()];
    let Node::EndsOfWalk(id) = program.nodes[code.body.at()] else {
        return None;
    };
    let walk = &program.walks[id.at()];
    let course = walk.course.as_ref()?;
    let [Sides::One(side)] = *course.sides.as_slice() else {
        return None;
    };
    let at_least = match walk.at_least.map(|n| program.nodes[n.at()]) {
        None => 0,
        Some(Node::Const(n)) => n.max(0) as u32,
        Some(_) => return None,
    };
    let one_way = course.way == CourseWay::Rays && course.told && !walk.from_set;
    let plain = walk.to.is_none() && walk.up_to.is_none() && walk.by.is_none();
    let same = program.shapes[call.at()] == program.shapes[code.body.at()];
    if !one_way || !plain || !same {
        return None;
    }
    let (from, values) = (walk.from, course.values.clone());
    let given: BTreeMap<u32, NodeId> = (code.params.iter())
        .zip(program.listed(args))
        .map(|((local, _), arg)| (*local, *arg))
        .collect();
    let steady = given.values().all(|arg| is_steady(program, facts, *arg));
    steady.then_some(())?;
    Some(Ray {
        call,
        walk: id,
        from: put_in(program, from, &given)?,
        side: put_in(program, side, &given)?,
        values: (values.into_iter())
            .map(|value| put_in(program, value, &given))
            .collect::<Option<_>>()?,
        at_least,
    })
}

/// It comes to a number, without a look at the state.
fn is_steady(program: &Program, facts: &Facts, node: NodeId) -> bool {
    let mut reads = Reads::default();
    crate::facts::reads(program, node, &mut reads);
    program.shapes[node.at()] == Shape::Scalar
        && (!reads.state || program.nodes[node.at()] == Node::Me)
        && facts.ends(node) == Ends::WELL
}

/// An expression of a formula with what that is given; none of those that are seldom met there.
fn put_in(program: &mut Program, node: NodeId, given: &BTreeMap<u32, NodeId>) -> Option<NodeId> {
    let put = match program.nodes[node.at()] {
        Node::Local(at) => return given.get(&at).copied(),
        same @ (Node::Const(_) | Node::Me | Node::Cell0(_)) => same,
        Node::Cell1(slot, a) => Node::Cell1(slot, put_in(program, a, given)?),
        Node::Column(base, a) => Node::Column(base, put_in(program, a, given)?),
        Node::Back(a) => Node::Back(put_in(program, a, given)?),
        Node::Left(a) => Node::Left(put_in(program, a, given)?),
        Node::Right(a) => Node::Right(put_in(program, a, given)?),
        Node::Next(a, b) => {
            let a = put_in(program, a, given)?;
            Node::Next(a, put_in(program, b, given)?)
        }
        _ => return None,
    };
    let span = program.node_spans[node.at()];
    Some(program.add_node(put, Shape::Scalar, span))
}
