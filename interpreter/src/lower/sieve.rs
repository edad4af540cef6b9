//! Questions about many elements whose first conditions read cells and nothing else: which elements meet them is remembered
//! while a game runs, and asked again only where a word that was read has changed.

use super::watch::Finder;
use crate::Program;
use crate::facts::{Ends, Facts, Reads};
use crate::program::*;
use dsl::ir::AggregateOp;
use std::collections::BTreeMap;

/// Fewer elements are as quickly asked.
const ELEMENTS_MIN: u32 = 24;
/// Conditions one sieve may stand for.
pub const CONDITIONS_MAX: usize = 8;
/// Where more elements have to be asked again because of one word, all are: so many, or half of them.
const READERS_MAX: usize = 32;

fn readers_max(n: u32) -> usize {
    READERS_MAX.max(n as usize / 2)
}

/// `some(x in S: V)` asks what `some(x in S where V)` asks, and so on: what is asked of each of many elements becomes a
/// condition, so that it is remembered which elements meet it.
pub(super) fn ask_values_first(program: &mut Program) {
    for at in 0..program.aggregates.len() {
        let aggregate = &program.aggregates[at];
        let (Some(value), [binder]) = (aggregate.value, aggregate.binders.as_slice()) else {
            continue;
        };
        let binder = *binder;
        let of_many = matches!(program.binders[binder.at()].source, Source::All { n, .. } if n >= ELEMENTS_MIN);
        let (op, turned) = match aggregate.op {
            AggregateOp::Some => (AggregateOp::Some, false),
            AggregateOp::No => (AggregateOp::No, false),
            AggregateOp::Count => (AggregateOp::Count, false),
            AggregateOp::Every => (AggregateOp::No, true),
            AggregateOp::Sum
            | AggregateOp::Min
            | AggregateOp::Max
            | AggregateOp::First
            | AggregateOp::Set
            | AggregateOp::Bag
            | AggregateOp::List => continue,
        };
        if !of_many || !program.binders[binder.at()].is_plain() {
            continue;
        }
        let span = program.node_spans[value.at()];
        let condition = match turned {
            true => program.add_node(Node::Not(value), Shape::Scalar, span),
            false => value,
        };
        let reason = ReasonId(program.reasons.len() as u32);
        program.reasons.push(Reason {
            span,
            kind: ReasonKind::Where(String::new()),
            message: None,
            numbers: false,
        });
        program.binders[binder.at()]
            .conditions
            .push((condition, reason));
        let aggregate = &mut program.aggregates[at];
        (aggregate.op, aggregate.value) = (op, None);
    }
}

/// Fills `Program::sieves` and says which binders use which.
pub(super) fn mark(program: &mut Program, facts: &Facts) {
    let mut sieves = Vec::new();
    let mut users = Vec::new();
    {
        let mut finder = Finder::new(program);
        for (at, binder) in program.binders.iter().enumerate() {
            let Some((sieve, conditions)) = of_binder(program, facts, &mut finder, binder) else {
                continue;
            };
            users.push((at, SieveId(sieves.len() as u32), conditions));
            let count = if sieve.own { program.players } else { 1 };
            sieves.extend(std::iter::repeat_n(sieve, count as usize));
        }
    }
    for (at, id, conditions) in users {
        program.binders[at].sieve = Some((id, conditions));
    }
    let laid = program
        .tiling
        .as_ref()
        .and_then(|tiling| laid(tiling, program));
    if let (Some(sieve), Some(tiling)) = (laid, &mut program.tiling) {
        tiling.laid = Some(SieveId(sieves.len() as u32));
        sieves.push(sieve);
    }
    program.sieves = sieves;
}

/// The first conditions of a binder that can be remembered, and how many they are.
fn of_binder(
    program: &Program,
    facts: &Facts,
    finder: &mut Finder<'_>,
    binder: &Binder,
) -> Option<(Sieve, usize)> {
    let Source::All { n, low } = binder.source else {
        return None;
    };
    if n < ELEMENTS_MIN || !binder.is_plain() {
        return None;
    }
    let conditions = binder.conditions.iter().take(CONDITIONS_MAX);
    let conditions = conditions.map(|(condition, _)| *condition);
    let conditions: Vec<NodeId> = conditions
        .take_while(|condition| reads_cells_alone(program, facts, *condition, binder.local))
        .collect();
    let mut reads = Reads::default();
    for condition in &conditions {
        crate::facts::reads(program, *condition, &mut reads);
    }
    let readers = finder.readers(&conditions, binder.local, low, n);
    readers
        .values()
        .any(|elements| elements.len() <= readers_max(n))
        .then(|| {
            let mut sieve = Sieve::new(&readers, low, n);
            sieve.own = reads.seat || reads.own;
            (sieve, conditions.len())
        })
}

/// Other choices do not matter, and asking cannot fail.
fn reads_cells_alone(program: &Program, facts: &Facts, condition: NodeId, local: u32) -> bool {
    let mut reads = Reads::default();
    crate::facts::reads(program, condition, &mut reads);
    !reads.opaque
        && !reads.cells.is_empty()
        && reads.locals.iter().all(|at| *at == local)
        && facts.ends(condition) == Ends::WELL
}

/// The places on which a tile lies.
fn laid(tiling: &TilingCode, program: &Program) -> Option<Sieve> {
    let cell = &program.cells[tiling.tile_cell?.at()];
    let readers = (0..tiling.positions).map(|at| (cell.base + at * cell.words, vec![at]));
    Some(Sieve::new(&readers.collect(), 0, tiling.positions))
}

impl Sieve {
    /// `readers`: for each word that is read the elements, counted from 0, whose conditions read it.
    pub(super) fn new(readers: &BTreeMap<u32, Vec<u32>>, low: i32, n: u32) -> Sieve {
        let mut sieve = Sieve {
            low,
            n,
            own: false,
            runs: Vec::new(),
            common: Vec::new(),
            firsts: vec![0],
            readers: Vec::new(),
        };
        for (word, elements) in readers {
            if elements.len() > readers_max(n) {
                add_to_runs(&mut sieve.common, *word);
                continue;
            }
            add_to_runs(&mut sieve.runs, *word);
            sieve.readers.extend_from_slice(elements);
            sieve.firsts.push(sieve.readers.len() as u32);
        }
        sieve
    }
}

/// Adds a word behind all others.
pub(super) fn add_to_runs(runs: &mut Vec<std::ops::Range<u32>>, word: u32) {
    match runs.last_mut() {
        Some(run) if run.end == word => run.end += 1,
        _ => runs.push(word..word + 1),
    }
}
