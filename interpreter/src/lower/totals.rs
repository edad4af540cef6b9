//! Aggregates over many elements, and best walks that must be searched, which read cells and networks alone: what they came to is
//! remembered together with the words it rests on, and holds wherever these are the same again.

use super::finder::{Finder, Known, Words};
use super::sieve;
use crate::Program;
use crate::facts::Reads;
use crate::program::*;

/// Words that what is remembered may rest on.
const WORDS_MAX: usize = 512;

/// Fills `Program::totals` and says which expressions use which.
pub(super) fn mark(program: &mut Program) {
    let mut totals: Vec<Total> = Vec::new();
    let mut users = Vec::new();
    {
        let mut finder = Finder::new(program);
        let mut words = 0;
        for (at, node) in program.nodes.iter().enumerate() {
            let at = NodeId(at as u32);
            if takes_long(program, *node)
                && let Some(mut total) = of(program, &mut finder, at)
            {
                total.first = words;
                words += total.entry_words() * TOTAL_ENTRIES;
                users.push((*node, totals.len() as u32));
                totals.push(total);
            }
        }
    }
    for (node, at) in users {
        match node {
            Node::Aggregate(id) => program.aggregates[id.at()].total = Some(at),
            Node::BestWalk(id) => program.walks[id.at()].total = Some(at),
            _ => {}
        }
    }
    program.totals = totals;
}

/// Finding it out takes longer than comparing words.
fn takes_long(program: &Program, node: Node) -> bool {
    match node {
        Node::Aggregate(id) => {
            let aggregate = &program.aggregates[id.at()];
            let binders = aggregate.binders.iter();
            let elements = binders.map(|binder| most(program, &program.binders[binder.at()]));
            elements.product::<u32>() >= program.many && !aggregate.is_sifted(program)
        }
        Node::BestWalk(id) => program.walks[id.at()].course.is_none(),
        _ => false,
    }
}

fn of(program: &Program, finder: &mut Finder<'_>, node: NodeId) -> Option<Total> {
    let mut reads = Reads::default();
    crate::facts::reads(program, node, &mut reads);
    // What ends otherwise than well is not remembered.
    if reads.is_beyond() || reads.locals.len() > TOTAL_LOCALS {
        return None;
    }
    let mut words = Words::new();
    finder.expression(node, &Known::new(), &mut words);
    let len = words.len();
    if !(1..=WORDS_MAX).contains(&len) {
        return None;
    }
    let mut runs = Vec::new();
    words
        .iter()
        .for_each(|word| sieve::add_to_runs(&mut runs, word));
    let mut locals = [None; TOTAL_LOCALS];
    for (to, local) in locals.iter_mut().zip(reads.locals) {
        *to = Some(local);
    }
    Some(Total {
        locals,
        seat: reads.seat || reads.own,
        len: len as u32,
        runs,
        first: 0,
    })
}

/// How many elements a binder runs over at most.
fn most(program: &Program, binder: &Binder) -> u32 {
    match binder.source {
        Source::All { n, .. } => n,
        Source::Range(..) => program.many,
        Source::Container(node) | Source::Parts(node) => match program.shapes[node.at()] {
            Shape::Set { n, .. } | Shape::Bag { n, .. } | Shape::Row { n } => n,
            Shape::List { cap, .. } => cap,
            Shape::Scalar | Shape::Agenda { .. } => 1,
        },
        Source::OnBoard(_) => 1,
    }
}
