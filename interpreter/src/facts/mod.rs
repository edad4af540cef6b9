//! What is known of every expression and instruction before a game begins: in which range a value lies, how an expression
//! may end, what an instruction writes. Stated once for each construct, without a guess for those to come: who adds one is
//! told by the compiler what has to be said of it. What is left out or remembered while playing rests on this alone.

#![deny(clippy::wildcard_enum_match_arm)]

mod ends;
mod reads;
mod values;
mod writes;

pub(crate) use ends::{Ends, binder_clauses, walk_clauses};
pub(crate) use reads::{
    Reads, binder_reads, effect_asks, inside, locals_named, op_reads, place_reads, reads, searches,
};
pub(crate) use values::{Hints, Origin, Values};
pub(crate) use writes::{Runs, fed, leads, writes};

use crate::program::*;
use std::collections::BTreeSet;

/// The facts of all expressions of a program; those added later are not known.
pub(crate) struct Facts {
    values: Vec<Values>,
    ends: Vec<Ends>,
    /// Cells that bodies of `when`s may write; none where that cannot be told.
    whens: Option<BTreeSet<Slot>>,
}

impl Facts {
    pub fn of(program: &Flat, hints: &Hints) -> Facts {
        let values = values::of_all(program, hints);
        let ends = ends::of_all(program, &values);
        Facts {
            values,
            ends,
            whens: writes::of_whens(program),
        }
    }

    /// The same where it is known which walks need no search.
    pub fn with_courses(self, program: &Flat) -> Facts {
        Facts {
            ends: ends::of_all(program, &self.values),
            ..self
        }
    }

    /// Cells that bodies of `when`s may write; none where that cannot be told.
    pub fn written_by_whens(&self) -> Option<&BTreeSet<Slot>> {
        self.whens.as_ref()
    }

    /// With these cells all that may be written because they are; none where that cannot be told.
    pub fn with_woken(&self, program: &Flat, cells: BTreeSet<Slot>) -> Option<BTreeSet<Slot>> {
        let wakes = |slot: &Slot| {
            let mut watchers = program.cell_watchers(*slot);
            watchers.any(|watcher| matches!(watcher, Watcher::When { .. }))
        };
        if !cells.iter().any(wakes) {
            return Some(cells);
        }
        let whens = self.whens.as_ref()?;
        Some(cells.union(whens).copied().collect())
    }

    /// What a scalar may be.
    pub fn values(&self, node: NodeId) -> Values {
        self.values[node.at()]
    }

    /// It is a number and never below 0.
    pub fn is_natural(&self, node: NodeId) -> bool {
        let values = self.values(node);
        values.low >= 0 && !values.none
    }

    /// How evaluating it may end.
    pub fn ends(&self, node: NodeId) -> Ends {
        self.ends[node.at()]
    }

    /// The same of all that a binder asks.
    pub fn binder_ends(&self, program: &Flat, binder: BinderId) -> Ends {
        let nodes = binder_clauses(program, binder).into_iter();
        nodes.fold(Ends::WELL, |ends, node| ends | self.ends(node))
    }

    /// The same of all that a walk asks.
    pub fn walk_ends(&self, program: &Flat, walk: WalkId) -> Ends {
        let nodes = ends::of_walk(program, walk).into_iter();
        nodes.fold(Ends::WELL, |ends, node| ends | self.ends(node))
    }

    /// The same of a condition for each of these bindings.
    pub fn bindings_end(&self, bindings: &Bindings, condition: NodeId) -> Ends {
        let guard = bindings.guard.map(|guard| self.ends(guard));
        guard.unwrap_or(Ends::WELL) | self.ends(condition)
    }

    /// The same of a list of arguments, some of which may be asked.
    pub fn list_ends(&self, program: &Flat, list: List) -> Ends {
        let nodes = program.listed(list).iter();
        let given = nodes.filter(|node| **node != ASKED);
        given.fold(Ends::WELL, |ends, node| ends | self.ends(*node))
    }

    /// The indices lie within their cell for certain, whatever they are.
    pub fn is_inside(&self, program: &Flat, cell: Slot, indices: List) -> bool {
        values::is_inside(program, &self.values, cell, program.listed(indices))
    }
}
