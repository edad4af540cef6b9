//! `always`, `check` and `when`: what must hold and what wakes.

use super::{NodeId, ProcId, ReasonId, Slot};
use dsl::ir::LabelId;
use std::ops::Range;

/// An `always` or a `check`.
#[derive(Clone, Debug)]
pub struct RuleCode {
    /// Empty if it has none.
    pub name: String,
    pub condition: NodeId,
    pub bindings: Bindings,
    pub after: Option<LabelId>,
    pub invariant: bool,
    pub reason: ReasonId,
    /// No `when` writes what it reads: it need not wait until their bodies are through.
    pub early: bool,
}

/// A `when`.
#[derive(Clone, Debug)]
pub struct WhenCode {
    pub proc: ProcId,
    pub condition: NodeId,
    pub bindings: Bindings,
    pub once: bool,
    /// Fires on writes to these cells instead of on edges.
    pub on: Vec<Slot>,
    /// First word of the "was true", "pending" and "fired" bits.
    pub was: u32,
    pub pending: u32,
    pub fired: u32,
    /// The local that is a player, who then acts.
    pub actor: Option<u32>,
}

/// All combinations of binder values: every element of each binder's domain; sources and `where`s are in `guard`.
#[derive(Clone, Debug, Default)]
pub struct Bindings {
    /// Frame offset, lowest value, number of values.
    pub dims: Vec<(u32, i32, u32)>,
    pub count: u32,
    pub guard: Option<NodeId>,
    /// The first binder runs over the parts that lie on the tiling: these, by number of the kind of part. Rules over them
    /// are woken as a whole.
    pub parts: Option<u32>,
    /// Frame offsets of those over players.
    pub players: Vec<u32>,
    pub frame_words: u32,
    /// What each binding comes to, as runs of [`Flat::atoms`]; empty if one of them is more than comparisons of words.
    pub clauses: Vec<Range<u32>>,
}

impl Bindings {
    /// Whether a binding is known to hold whatever happens.
    pub fn always(&self, binding: u32) -> bool {
        let atoms = self.clauses.get(binding as usize);
        atoms.is_some_and(Range::is_empty)
    }
}

/// A test in a clause; one at least must come out as it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Atom<T> {
    pub test: T,
    /// Whether the test must hold or must not.
    pub holds: bool,
    /// It ends its clause.
    pub last: bool,
}

/// Two words are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Compared {
    pub a: Side,
    pub comparison: Comparison,
    pub b: Side,
}

/// How two words are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Comparison {
    Equal,
    Less,
}

impl Comparison {
    /// Whether they compare so.
    #[inline]
    pub fn holds(self, a: i32, b: i32) -> bool {
        match self {
            Comparison::Equal => a == b,
            Comparison::Less => a < b,
        }
    }
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    Number(i32),
    /// A word of the state.
    Word(u32),
    /// How many words of a run hold an item.
    Count {
        words: (u32, u32),
        item: i32,
    },
}
