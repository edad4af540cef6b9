//! Which elements meet the first conditions of an aggregate, where constants alone tell it: they are listed once, and nothing
//! is asked of the others. The last thing to be done, since the conditions are gone then.

use crate::Program;
use crate::facts::{Ends, Facts, Reads};
use crate::machine::Machine;
use crate::program::*;
use std::collections::BTreeMap;

/// Elements that are looked at one by one.
const ELEMENTS_MAX: u32 = 1024;

/// Lets the binders of aggregates run over such lists.
pub(super) fn mark(program: &mut Program, facts: &Facts) {
    for at in 0..program.aggregates.len() {
        for binder in program.aggregates[at].binders.clone() {
            let Some((set, shape, met)) = of_binder(program, facts, &program.binders[binder.at()])
            else {
                continue;
            };
            let base = program.consts.len() as u32;
            program.consts.extend(set);
            let list = program.add_node(Node::Words(base), shape, super::NOWHERE);
            let binder = &mut program.binders[binder.at()];
            binder.source = Source::Container(list);
            binder.conditions.drain(..met);
        }
    }
}

/// The elements that meet the first so many conditions, as a set.
fn of_binder(
    program: &Program,
    facts: &Facts,
    binder: &Binder,
) -> Option<(Vec<i32>, Shape, usize)> {
    let Source::All { n, low } = binder.source else {
        return None;
    };
    let found_otherwise = binder.run.is_some() || binder.among.is_some() || binder.sieve.is_some();
    if n > ELEMENTS_MAX || found_otherwise {
        return None;
    }
    let conditions = binder.conditions.iter().map(|(condition, _)| *condition);
    let known: Vec<NodeId> = conditions
        .take_while(|condition| reads_the_element_alone(program, facts, *condition, binder.local))
        .collect();
    if known.is_empty() {
        return None;
    }
    let shape = Shape::Set { n, low };
    let mut set = vec![0; shape.words()];
    let mut machine = Machine::bare(program);
    let done = (0..n).try_for_each(|at| {
        let element = BTreeMap::from([(binder.local, low + at as i32)]);
        let mut meets = true;
        for condition in &known {
            meets &= machine.value_with(*condition, &element)? != 0;
        }
        set[(at / 32) as usize] |= i32::from(meets) << (at % 32);
        Some(())
    });
    machine.keep_work();
    done?;
    Some((set, shape, known.len()))
}

/// Nothing else is read, and asking cannot fail.
fn reads_the_element_alone(
    program: &Program,
    facts: &Facts,
    condition: NodeId,
    local: u32,
) -> bool {
    let mut reads = Reads::default();
    crate::facts::reads(program, condition, &mut reads);
    !reads.state
        && !reads.opaque
        && reads.locals.iter().all(|at| *at == local)
        && facts.ends(condition) == Ends::WELL
}
