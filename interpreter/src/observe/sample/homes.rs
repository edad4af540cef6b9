//! Where pieces can come to lie, and between which numbers a cell stays.

use super::each_piece;
use crate::Program;
use crate::bots::Dice;
use crate::machine::Machine;
use crate::observe::sight::{Looker, Sight};
use crate::program::*;

/// Values a number may have that knows no bound, at least.
const UNBOUNDED_VALUES_MIN: i32 = 10;

/// By slot, by piece.
pub(super) type Homes = Vec<Vec<bool>>;

// -------------------------------------------------------------------------------------------- other values

/// The least and the greatest number of a cell that the seat sees: what bounds numbers that know no bound.
pub(super) fn known_numbers(program: &Program, looker: Looker<'_>, cell: usize) -> (i32, i32) {
    let layout = &program.cells[cell];
    if layout.shape != Shape::Scalar {
        return (0, 0);
    }
    let seen = (0..layout.slots).filter(|slot| looker.sight(layout, *slot) == Sight::Open);
    let numbers = seen.map(|slot| looker.words[looker.seen_word(program, layout, slot)]);
    let numbers = numbers.filter(|number| *number > UNKNOWN);
    numbers.fold((0, 0), |(low, high), number| {
        (low.min(number), high.max(number))
    })
}

/// Lowest value and number of values of a scalar.
pub(super) fn number_range(
    program: &Program,
    layout: &CellLayout,
    slot: u32,
    known: (i32, i32),
) -> Option<(i32, u32)> {
    if let Some((_, 0)) = layout.values {
        return None;
    }
    let bound = |bound: Bound| match bound {
        Bound::Const(value) => Some(value),
        Bound::PerSlot(base) => program.consts.get((base + slot) as usize).copied(),
        Bound::PerPart { .. } => None,
    };
    let (bottom, top) = (Bound::Const(UNKNOWN + 1), Bound::Const(i32::MAX));
    let low = bound(layout.low).filter(|_| layout.low != bottom);
    let high = bound(layout.high).filter(|_| layout.high != top);
    let (low, high) = match (low, high, layout.values) {
        (None, None, Some((low, n))) => (low, i64::from(low) + i64::from(n) - 1),
        (low, high, _) => {
            let low = low.unwrap_or(known.0);
            let far = i64::from(low) + i64::from(UNBOUNDED_VALUES_MIN);
            (low, high.map_or(far.max(i64::from(known.1) * 2), i64::from))
        }
    };
    let n = high.min(i64::from(i32::MAX)) - i64::from(low) + 1;
    u32::try_from(n).ok().filter(|n| *n > 0).map(|n| (low, n))
}

/// So many of so many.
#[derive(Clone, Copy)]
pub(super) struct Share {
    there: usize,
    of: usize,
}

impl Share {
    /// One is among them, by chance.
    pub fn falls(self, dice: &mut Dice) -> bool {
        dice.below(self.of) < self.there
    }
}

/// How many of the slots of a cell hold something, where the seat sees that: what others conceal is thought to be as much. Half
/// of them, where it sees none that do.
pub(super) fn share_there(program: &Program, looker: Looker<'_>, cell: usize) -> Share {
    let layout = &program.cells[cell];
    let seen = (0..layout.slots).filter(|slot| looker.sight(layout, *slot) == Sight::Open);
    let mut share = Share { there: 0, of: 0 };
    for slot in seen {
        let word = looker.words[looker.seen_word(program, layout, slot)];
        share.there += usize::from(word != NONE);
        share.of += 1;
    }
    match share.there {
        0 => Share { there: 1, of: 2 },
        _ => share,
    }
}

// ------------------------------------------------------------------------------------ what is known of a program

/// Cells that pieces are moved into or out of, or that begin as decks.
pub(super) fn moved_cells(program: &Program) -> Vec<bool> {
    let mut moved = vec![false; program.cells.len()];
    let place = |id: PlaceId| program.places[id.at()].cell.at();
    for step in &program.moves {
        moved[place(step.to)] = true;
        moved[place(step.from())] = true;
    }
    for (at, cell) in program.cells.iter().enumerate() {
        for from in [cell.refill, cell.fill].into_iter().flatten() {
            moved[at] = true;
            moved[place(from)] = true;
        }
        if let Start::Eval(node) = cell.start
            && matches!(program.nodes[node.at()], Node::Shuffled(..))
        {
            moved[at] = true;
        }
    }
    moved
}

/// Of cells with several decks or heaps which pieces may lie in which, where the rules prove that not all may: they hold what
/// they held at the start, and what is put in is put where its own columns say.
pub(super) fn homes(program: &Program) -> Vec<Option<Homes>> {
    let mut machine = Machine::new(program);
    machine.begin(0);
    let mut found: Vec<Option<Homes>> = program
        .cells
        .iter()
        .map(|layout| {
            let several = layout.slots > 1 && !layout.passing && layout.shape != Shape::Scalar;
            several.then(|| at_start(&machine, layout))
        })
        .collect();
    let written = program.code.iter().filter_map(|op| match *op {
        Op::SetWords(place, _) | Op::AddTo(place, _) => Some(place),
        _ => None,
    });
    for place in written {
        found[program.places[place.at()].cell.at()] = None;
    }
    for (at, cell) in program.cells.iter().enumerate() {
        if cell.refill.is_some() || cell.fill.is_some() {
            found[at] = None;
        }
    }
    for step in &program.moves {
        let cell = program.places[step.to.at()].cell.at();
        if let Some(homes) = &mut found[cell]
            && !add_homes(program, step, homes)
        {
            found[cell] = None;
        }
    }
    found
}

fn at_start(machine: &Machine<'_>, layout: &CellLayout) -> Homes {
    let slots = (0..layout.slots).map(|slot| {
        let word = layout.word(slot);
        let mut held = Vec::new();
        let words = &machine.m[word..word + layout.words as usize];
        each_piece(layout.shape, words, |_, piece| note(&mut held, piece));
        held
    });
    slots.collect()
}

fn note(held: &mut Vec<bool>, piece: i32) {
    let at = piece.max(0) as usize;
    held.resize(held.len().max(at + 1), false);
    held[at] = true;
}

/// Adds where a move puts each piece; false if its place does not follow from the piece alone.
fn add_homes(program: &Program, step: &MoveOp, homes: &mut Homes) -> bool {
    let place = &program.places[step.to.at()];
    let layout = &program.cells[place.cell.at()];
    let MoveWhat::Value {
        value,
        shape: Shape::Scalar,
        ..
    } = step.what
    else {
        return false;
    };
    let Some((low, n)) = layout.values else {
        return false;
    };
    // Each index is a column of the piece, or always the same.
    let index = |arg: &NodeId, piece: i32| match program.nodes[arg.at()] {
        Node::Const(index) => Some(index),
        Node::Column(base, row) if is_same(program, row, value) => {
            program.consts.get((base as i32 + piece) as usize).copied()
        }
        _ => None,
    };
    let args = program.listed(place.args);
    if args.iter().any(|arg| index(arg, low).is_none()) {
        return false;
    }
    for piece in low..low + n as i32 {
        let dims = layout.dims.iter().zip(args);
        let strides = dims.map(|((low, _, stride), arg)| {
            let index = index(arg, piece).unwrap_or(NONE);
            (i64::from(index) - i64::from(*low)) * i64::from(*stride)
        });
        let slot: i64 = strides.sum();
        if let Some(held) = usize::try_from(slot).ok().and_then(|at| homes.get_mut(at)) {
            note(held, piece);
        }
    }
    true
}

/// Two expressions in the same place say the same.
fn is_same(program: &Program, a: NodeId, b: NodeId) -> bool {
    let (a, b) = (program.nodes[a.at()], program.nodes[b.at()]);
    match (a, b) {
        (Node::Unwrap(a, _), Node::Unwrap(b, _)) => is_same(program, a, b),
        (Node::Unwrap(a, _), _) => program.nodes[a.at()] == b,
        (Node::Cell1(a, x), Node::Cell1(b, y)) => a == b && is_same(program, x, y),
        _ => a == b,
    }
}
