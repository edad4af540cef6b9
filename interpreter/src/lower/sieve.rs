//! Questions about many elements whose first conditions read cells and nothing else: which elements meet them is remembered
//! while a game runs, and asked again only where a word that was read has changed.

use super::finder::{Finder, Known, Words};
use crate::Program;
use crate::facts::{Ends, Facts, Reads};
use crate::program::*;
use dsl::ir::AggregateOp;
use std::collections::BTreeMap;

/// Conditions one sieve may stand for.
pub const CONDITIONS_MAX: usize = 8;
/// Parts of one condition that are told apart: each has a bit.
const PARTS_MAX: usize = u64::BITS as usize;
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
        let of_many = matches!(program.binders[binder.at()].source, Source::All { n, .. } if n >= program.many);
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
            condition: None,
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
    if n < program.many || !binder.is_plain() {
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
    let elements = Elements {
        local: binder.local,
        low,
        n,
    };
    let split = split(program, finder, &conditions).filter(|_| is_of_words(program, &reads));
    let readers = readers(finder, &conditions, &elements, split.as_ref());
    if !readers
        .values()
        .any(|of_word| of_word.len() <= readers_max(n))
    {
        return None;
    }
    let mut sieve = Sieve::new(&readers, low, n);
    sieve.split = split.filter(|split| tells_apart(&readers, split));
    sieve.own = reads.seat || reads.own;
    Some((sieve, conditions.len()))
}

/// What a sieve tells apart: where it lies in the frame, how the first is called, how many there are.
struct Elements {
    local: u32,
    low: i32,
    n: u32,
}

/// Who reads each word.
type Readers = BTreeMap<u32, Vec<Reader>>;

/// For each word that conditions read of an element which elements these are, and which parts of a split condition.
fn readers(
    finder: &mut Finder<'_>,
    conditions: &[NodeId],
    elements: &Elements,
    split: Option<&Split>,
) -> Readers {
    let mut readers = Readers::new();
    for element in 0..elements.n {
        let known = Known::from([(elements.local, elements.low + element as i32)]);
        let mut words: BTreeMap<u32, u64> = BTreeMap::new();
        let mut add = |found: &Words, parts: u64| {
            for word in found.iter() {
                *words.entry(word).or_default() |= parts;
            }
        };
        for (at, condition) in conditions.iter().enumerate() {
            let mut found = Words::new();
            match split.filter(|split| split.condition == at) {
                None => {
                    finder.expression(*condition, &known, &mut found);
                    add(&found, 0);
                }
                Some(split) => {
                    // What the formula is given tells of all parts.
                    let frame = match split.call {
                        Some((proc, args)) => finder.frame(proc, args, &known, &mut found, 0),
                        None => known.clone(),
                    };
                    add(&found, u64::MAX >> (u64::BITS - split.parts.len() as u32));
                    for (at, part) in split.parts.iter().enumerate() {
                        let mut found = Words::new();
                        finder.aggregate_of(split.aggregate, *part, &frame, &mut found);
                        add(&found, 1 << at);
                    }
                }
            }
        }
        for (word, parts) in words {
            readers
                .entry(word)
                .or_default()
                .push(Reader { element, parts });
        }
    }
    readers
}

impl Finder<'_> {
    /// Adds the words that an aggregate depends on as far as the element of its first binder is this one.
    fn aggregate_of(&mut self, id: AggregateId, element: i32, known: &Known, words: &mut Words) {
        let program = self.program();
        let aggregate = &program.aggregates[id.at()];
        if let Some((first, rest)) = aggregate.binders.split_first() {
            let binder = &program.binders[first.at()];
            let mut known = known.clone();
            known.insert(binder.local, element);
            self.element(binder, rest, aggregate.value, &mut known, words, 0);
        }
    }
}

/// All that is read are cells of one word, so that what is not seen is told from them.
fn is_of_words(program: &Program, reads: &Reads) -> bool {
    let scalar = |slot: &Slot| program.cells[slot.at()].shape == Shape::Scalar;
    reads.cells.iter().all(scalar) && !reads.is_beyond()
}

/// The first condition that asks whether one of a few elements, always the same, meets something.
fn split(program: &Program, finder: &mut Finder<'_>, conditions: &[NodeId]) -> Option<Split> {
    conditions.iter().enumerate().find_map(|(at, node)| {
        let Asked {
            call,
            aggregate,
            some,
        } = asks_for_some(program, *node, None)?;
        let first = *program.aggregates[aggregate.at()].binders.first()?;
        let binder = &program.binders[first.at()];
        let parts = finder.items(binder, &Known::new())?;
        let few = (2..=PARTS_MAX).contains(&parts.len());
        (binder.is_plain() && few).then_some(Split {
            condition: at,
            call,
            aggregate,
            parts,
            some,
        })
    })
}

/// What a condition asks: in the formula that is called, if it is one, whether anything meets an aggregate.
struct Asked {
    call: Option<(ProcId, List)>,
    aggregate: AggregateId,
    /// It holds where something does; else where nothing does.
    some: bool,
}

fn asks_for_some(program: &Program, node: NodeId, call: Option<(ProcId, List)>) -> Option<Asked> {
    let asked = |aggregate: AggregateId, some: bool| Asked {
        call,
        aggregate,
        some,
    };
    match program.nodes[node.at()] {
        Node::Not(inner) => {
            let inner = asks_for_some(program, inner, call)?;
            Some(Asked {
                some: !inner.some,
                ..inner
            })
        }
        Node::Call(proc, args) if call.is_none() => {
            asks_for_some(program, program.procs[proc.at()].body, Some((proc, args)))
        }
        Node::NotEmpty(set) => match program.nodes[set.at()] {
            Node::Call(proc, args) if call.is_none() => Some(Asked {
                call: Some((proc, args)),
                aggregate: collected(program, program.procs[proc.at()].body)?,
                some: true,
            }),
            _ => Some(asked(collected(program, set)?, true)),
        },
        Node::Aggregate(id) => match program.aggregates[id.at()].op {
            AggregateOp::Some => Some(asked(id, true)),
            AggregateOp::No | AggregateOp::Every => Some(asked(id, false)),
            AggregateOp::Count
            | AggregateOp::Sum
            | AggregateOp::Min
            | AggregateOp::Max
            | AggregateOp::First
            | AggregateOp::Set
            | AggregateOp::Bag
            | AggregateOp::List => None,
        },
        _ => None,
    }
}

/// The aggregate whose elements, one word each, a set is of.
fn collected(program: &Program, set: NodeId) -> Option<AggregateId> {
    let Node::Collect(id) = program.nodes[set.at()] else {
        return None;
    };
    let aggregate = &program.aggregates[id.at()];
    let is_set = aggregate.op == AggregateOp::Set
        && matches!(program.shapes[set.at()], Shape::Set { .. })
        && program.shapes[set.at()] == aggregate.shape;
    (is_set && aggregate.collects_elements(program)).then_some(id)
}

/// A word tells of fewer than half of the parts of those who read it.
fn tells_apart(readers: &Readers, split: &Split) -> bool {
    let all = readers.values().flatten();
    let (told, most) = all.fold((0, 0), |(told, most), reader| {
        (
            told + reader.parts.count_ones() as usize,
            most + split.parts.len(),
        )
    });
    2 * told < most
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
    let readers = (0..tiling.positions).map(|element| {
        let reader = Reader { element, parts: 0 };
        (cell.base + element * cell.words, vec![reader])
    });
    Some(Sieve::new(&readers.collect(), 0, tiling.positions))
}

impl Sieve {
    /// Of who reads each word.
    pub(super) fn new(readers: &Readers, low: i32, n: u32) -> Sieve {
        let mut sieve = Sieve {
            low,
            n,
            own: false,
            split: None,
            runs: Vec::new(),
            common: Vec::new(),
            firsts: vec![0],
            readers: Vec::new(),
        };
        for (word, of_word) in readers {
            if of_word.len() > readers_max(n) {
                add_to_runs(&mut sieve.common, *word);
                continue;
            }
            add_to_runs(&mut sieve.runs, *word);
            sieve.readers.extend_from_slice(of_word);
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
