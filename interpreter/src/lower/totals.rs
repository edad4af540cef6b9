//! Aggregates over many elements that read cells and networks alone: what they came to is remembered together with the words
//! it rests on, and holds wherever these are the same again.

use super::finder::{Finder, Known, Words};
use super::sieve;
use crate::Program;
use crate::facts::Reads;
use crate::program::*;

/// Words that what is remembered may rest on.
const WORDS_MAX: usize = 512;

/// Fills `Program::totals` and says which aggregates use which.
pub(super) fn mark(program: &mut Program) {
    let mut totals = Vec::new();
    let mut users = Vec::new();
    {
        let mut finder = Finder::new(program);
        let mut words = 0;
        for (at, node) in program.nodes.iter().enumerate() {
            let Node::Aggregate(id) = *node else { continue };
            if let Some(mut total) = of(program, &mut finder, NodeId(at as u32), id) {
                total.first = words;
                words += total.entry_words() * TOTAL_ENTRIES;
                users.push((id, totals.len() as u32));
                totals.push(total);
            }
        }
    }
    for (id, at) in users {
        program.aggregates[id.at()].total = Some(at);
    }
    program.totals = totals;
}

fn of(program: &Program, finder: &mut Finder<'_>, node: NodeId, id: AggregateId) -> Option<Total> {
    let aggregate = &program.aggregates[id.at()];
    let elements: u32 = (aggregate.binders.iter())
        .map(|binder| most(program, &program.binders[binder.at()]))
        .product();
    let mut reads = Reads::default();
    crate::facts::reads(program, node, &mut reads);
    let few = reads.locals.len() <= TOTAL_LOCALS;
    // What ends otherwise than well is not remembered.
    if elements < program.many || reads.beyond || !few || aggregate.is_sifted(program) {
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
