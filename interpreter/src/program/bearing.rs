//! What instructions do to cells and what they need of them.

use super::{NodeId, ProcId, TOLD_APART_CELLS_MAX};
use std::collections::BTreeMap;
use std::ops::Range;

/// More (truer, fuller) or less of a cell; or any change of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    More,
    Less,
    Any,
}

impl Way {
    /// The contrary.
    pub fn turned(self) -> Way {
        match self {
            Way::More => Way::Less,
            Way::Less => Way::More,
            Way::Any => Way::Any,
        }
    }
}

/// Cells, each with the ways that matter. Behind the cells stand the end of the game, the `when`s, and how many each bag holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ways([u64; TOLD_APART_CELLS_MAX / 32]);

impl Ways {
    /// Whatever changes matters.
    pub const ALL: Ways = Ways([u64::MAX; TOLD_APART_CELLS_MAX / 32]);
    const MORE: u64 = 0x5555_5555_5555_5555;

    /// This way of this cell matters too.
    pub fn add(&mut self, slot: usize, way: Way) {
        let bits = match way {
            Way::More => 1,
            Way::Less => 2,
            Way::Any => 3,
        };
        self.0[slot / 32] |= bits << (slot % 32 * 2);
    }

    /// Whether any change of this cell matters.
    pub fn has(&self, slot: usize) -> bool {
        self.0[slot / 32] >> (slot % 32 * 2) & 3 != 0
    }

    /// What matters to either.
    pub fn join(&mut self, other: &Ways) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
    }

    /// Whether some way of some cell matters to both.
    pub fn meets(&self, other: &Ways) -> bool {
        self.0
            .iter()
            .zip(other.0)
            .any(|(word, other)| word & other != 0)
    }

    /// Each way turned round.
    pub fn turned(&self) -> Ways {
        Ways(
            self.0
                .map(|word| (word & Ways::MORE) << 1 | word >> 1 & Ways::MORE),
        )
    }
}

/// What instructions do to cells and what they need of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bearing {
    pub moves: Ways,
    /// They can be done where they could not before, if these change so.
    pub reads: Ways,
    /// Likewise, but only to take away so much: it does not matter who takes first.
    pub takes: Ways,
    /// They may do anything, or ask others.
    pub free: bool,
}

impl Bearing {
    /// The cell is changed in any way, and it matters what it was.
    pub fn touch(&mut self, slot: usize) {
        self.moves.add(slot, Way::Any);
        self.reads.add(slot, Way::Any);
    }

    /// What both do, one after the other.
    pub fn join(&mut self, other: &Bearing) {
        self.moves.join(&other.moves);
        self.reads.join(&other.reads);
        self.takes.join(&other.takes);
        self.free |= other.free;
    }
}

/// The bearing of each instruction, and what tells that of whole bodies.
#[derive(Clone, Debug)]
pub struct Bearings {
    pub ops: Vec<Bearing>,
    /// Of each instruction what it looks at, so that what follows would be other if that were other.
    pub looks: Vec<Ways>,
    /// And without what it need not fail, where it does.
    pub fails: Vec<Ways>,
    /// And which locals it reads; none where that cannot be told.
    pub locals: Vec<Option<Vec<u32>>>,
    /// The local that it only carries from one bag to another, and the bags.
    pub carried: Vec<Option<(u32, Ways)>>,
    /// Of each `may` that can be declined and no more: its body.
    pub optional: BTreeMap<usize, Optional>,
    /// An expression looks at what lies on an agenda.
    pub agendas_are_read: bool,
    /// Of each cell: bodies that a write may wake.
    pub wakes: Vec<Vec<ProcId>>,
    /// Cells that nothing but the flow writes.
    pub still: Vec<bool>,
    /// Code of each body.
    pub bodies: Vec<Range<usize>>,
    /// Bodies that ask nothing and call nothing.
    pub plain: Vec<bool>,
    /// Of each instruction that changes a number: the cell and by what, where that may be negative.
    pub doubts: Vec<Option<(usize, NodeId)>>,
}

/// The body of a `may`, behind which goes on what goes on behind declining.
#[derive(Clone, Debug)]
pub struct Optional {
    pub code: Range<usize>,
    /// Locals of one word that it reads.
    pub locals: Vec<u32>,
}
