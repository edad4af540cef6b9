//! Links as a graph: reach, longest trail, best walk, tile networks.
//!
//! This module works on plain numbers and word bitsets and knows nothing of the rest of the interpreter; it is the only
//! place that names `petgraph`, which builds and measures what is static. Everything asked *during* a game runs on
//! compact adjacency lists and on the buffers of one [`Scratch`], which the caller keeps: a query allocates only while
//! those buffers still grow. All results are deterministic: arcs are tried in canonical order (link or side order).
//!
//! | question | where | how |
//! |---|---|---|
//! | are two nodes joined, what can be reached | [`Graph::joins`], [`Graph::reach`] | flood over a bitset |
//! | the same where links are only added | [`UnionUndo`] | union-find with undo, sums per component |
//! | how far two nodes lie apart | [`Graph::shortest`] | nearest first |
//! | longest trail | [`Graph::longest_trail`] | least removal by matching, branching only if it disconnects |
//! | walks with clauses | [`walk::exists`], [`walk::ends`], [`walk::best`], [`walk::steps_from`] | layers, or depth first with bound and memo |
//! | the best walks at once, no two over one link | `walk::best_set` | branch and bound over who may use a link |
//! | what a laid tiling joins | [`TileNetwork`], [`Lattice`] | rebuilt into its own buffers |

mod flood;
mod graph;
mod matching;
mod shortest;
mod tiles;
mod trail;
mod union;
pub mod walk;

#[cfg(test)]
mod cheapest_tests;
#[cfg(test)]
mod walk_tests;

pub use graph::{Adjacency, Arc, Distances, Graph, Masked};
pub use tiles::{Lattice, Layout, NO_CELL, TileNetwork};
pub use trail::Trail;
pub use union::{UndoMark, UnionUndo};

/// A node of a network: a row, a cell, or a placed part. Index from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// A link of a network; it joins two nodes and is passed both ways. Index from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub u32);

impl NodeId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl LinkId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The buffers of every query. Keep one per thread; they grow to the largest network asked about and stay.
#[derive(Default)]
pub struct Scratch {
    pub(crate) flood: flood::FloodScratch,
    pub(crate) shortest: shortest::ShortestScratch,
    pub(crate) trail: trail::TrailScratch,
    pub(crate) walk: walk::WalkScratch,
}

/// A search stopped at its bound before it could prove its answer; the caller turns it into a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// The query's `budget` of expanded walks (or the trail's [`TRAIL_CASES_MAX`](crate::bounds::TRAIL_CASES_MAX)) is used up.
    Budget,
    /// Looking for the best walks at once came to [`WALKS_CASES_MAX`](crate::bounds::WALKS_CASES_MAX).
    Cases,
    /// The walk has no `up to`, and nothing else ended it within [`WALK_STEPS_MAX`](crate::bounds::WALK_STEPS_MAX) steps.
    Steps,
}

/// Word bitsets, 32 members a word, as they lie in the state's block.
pub mod bits {
    /// How many words hold `members` bits.
    pub const fn words(members: u32) -> usize {
        members.div_ceil(32) as usize
    }

    /// Whether `member` is in; members beyond the last word are not.
    pub fn has(set: &[u32], member: u32) -> bool {
        set.get(member as usize / 32)
            .is_some_and(|word| word >> (member % 32) & 1 != 0)
    }

    /// Puts `member` in, which must lie within the words; true if it was not in before.
    #[inline]
    pub fn insert(set: &mut [u32], member: u32) -> bool {
        let word = &mut set[member as usize / 32];
        let bit = 1 << (member % 32);
        let fresh = *word & bit == 0;
        *word |= bit;
        fresh
    }

    /// Takes `member` out, which must lie within the words.
    #[inline]
    pub fn remove(set: &mut [u32], member: u32) {
        set[member as usize / 32] &= !(1 << (member % 32));
    }

    /// The member of a set of one.
    pub fn only(set: &[u32]) -> Option<u32> {
        let mut members = iter(set);
        let first = members.next()?;
        members.next().is_none().then_some(first)
    }

    /// The members, ascending.
    pub fn iter(set: &[u32]) -> Members<'_> {
        Members {
            words: set.iter(),
            rest: 0,
            end: 0,
        }
    }

    /// See [`iter`].
    pub struct Members<'a> {
        words: std::slice::Iter<'a, u32>,
        /// What is left of the word that is gone through, and the number behind its last member.
        rest: u32,
        end: u32,
    }

    impl Iterator for Members<'_> {
        type Item = u32;

        #[inline]
        fn next(&mut self) -> Option<u32> {
            while self.rest == 0 {
                self.rest = *self.words.next()?;
                self.end += 32;
            }
            let bit = self.rest.trailing_zeros();
            self.rest &= self.rest - 1;
            Some(self.end - 32 + bit)
        }
    }
}

/// Sets `buffer` to `len` times `value`, keeping its memory.
pub(crate) fn refill<T: Clone>(buffer: &mut Vec<T>, len: usize, value: T) {
    buffer.clear();
    buffer.resize(len, value);
}
