//! Walks: step by step over a network, under clauses. What the language's `walk`, `best walk` and `ends of walk` run on.
//!
//! A walk starts at a node of `from`, takes steps that `allows` permits, and may end where `may_end` and `need` agree.
//! How the answer is found depends on what the clauses read, which the caller declares in [`Hints`] (known from the rules
//! text). Every way is exact; the reasons stand at the head of each file:
//!
//! | the clauses read | search | file |
//! |---|---|---|
//! | nothing of the walk's past | layer by layer over (node, arrival) | `layers.rs` |
//! | `fresh` and `unused`, but circles do not pay, as of the cheapest way | the same | `layers.rs` |
//! | `fresh` of at most 128 nodes, gains only there | hops between those nodes, bound by relaxed memory | `runs.rs` |
//! | anything else | depth first, with bound and memo | `deep.rs` |
//!
//! Several walks at once, over links that no two of them share, are put together of such walks in `sets.rs`.
//!
//! **Ties.** Of equally good walks the one found first is given: starts ascending, arcs in canonical order, except in
//! `runs.rs`, which looks at the most promising hop first and keeps canonical order among equals, and in `layers.rs`, where
//! fewer steps come first. The search is chosen by the hints, the network and what the clauses answer, so the same question
//! always has the same answer.

mod deep;
mod layers;
mod memo;
mod runs;
mod sets;
mod table;

use super::{Adjacency, Arc, Exhausted, LinkId, NodeId, Scratch, bits};
pub(crate) use sets::{SetScratch, best_set};
pub use sets::{Walk, Walkers};
use table::{Core, Table};

/// A step a walk might take; the words that the clauses read.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Where it starts.
    pub here: NodeId,
    /// Where it leads.
    pub next: NodeId,
    /// The link it goes along.
    pub link: LinkId,
    /// The direction on a tiling, from 0; 0 elsewhere.
    pub side: u32,
    /// Steps taken so far, without this one.
    pub steps: u32,
    /// `next` was not visited; the start counts as visited.
    pub fresh: bool,
    /// `link` was not used.
    pub unused: bool,
    /// Not out by the gate one came in by; true for the first step.
    pub onward: bool,
    /// The same side as the last step; true for the first step.
    pub straight: bool,
    /// The nodes visited, `here` among them, as a bitset. Empty unless [`Reads::nodes`] is declared.
    pub visited: &'a [u32],
}

/// A whole walk, for `need`.
#[derive(Clone, Copy, Debug)]
pub struct Visit<'a> {
    /// The nodes in order, the start first; again where visited again.
    pub nodes: &'a [NodeId],
    /// The links in order.
    pub links: &'a [LinkId],
    /// The nodes as a bitset.
    pub visited: &'a [u32],
}

/// The clauses of a walk. They must be functions of what they are given: the search asks them in any order, more than
/// once or not at all. Every default is "no such clause".
pub trait Clauses {
    /// `where`.
    fn allows(&mut self, _step: &Step) -> bool {
        true
    }
    /// `max`: what this allowed step adds.
    fn gain(&mut self, _step: &Step) -> i32 {
        0
    }
    /// What starting there adds; the language's `max` adds nothing.
    fn start_gain(&mut self, _start: NodeId) -> i32 {
        0
    }
    /// `to`.
    fn may_end(&mut self, _node: NodeId) -> bool {
        true
    }
    /// `need`, asked of a walk that could end here.
    fn need(&mut self, _visit: &Visit) -> bool {
        true
    }
}

/// Which words about the walk's past a clause reads. `here next link side` are always allowed and not listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// Whether the place was entered before.
    pub fresh: bool,
    /// Whether the link was used before.
    pub unused: bool,
    /// `nodes` itself.
    pub nodes: bool,
    /// `onward` or `straight`.
    pub direction: bool,
    /// How many steps were taken.
    pub steps: bool,
}

impl Reads {
    /// Nothing of the walk so far.
    pub const NOTHING: Reads = Reads {
        fresh: false,
        unused: false,
        nodes: false,
        direction: false,
        steps: false,
    };
    /// All that a walk tells.
    pub const EVERYTHING: Reads = Reads {
        fresh: true,
        unused: true,
        nodes: true,
        direction: true,
        steps: true,
    };

    /// Anything about the nodes visited or the links used.
    pub(crate) fn remembers(self) -> bool {
        self.fresh || self.unused || self.nodes
    }

    pub(crate) fn with(self, other: Reads) -> Reads {
        Reads {
            fresh: self.fresh | other.fresh,
            unused: self.unused | other.unused,
            nodes: self.nodes | other.nodes,
            direction: self.direction | other.direction,
            steps: self.steps | other.steps,
        }
    }
}

/// What `need` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need<'a> {
    /// There is none.
    Nothing,
    /// "One of these nodes was visited", exactly this; [`Clauses::need`] is not asked. The start counts.
    AnyOf(&'a [u32]),
    /// Ask [`Clauses::need`]. It may read which nodes were visited and nothing else of the walk.
    Asked,
}

/// What is known of the clauses before the search. Too much declared is slow, too little is wrong.
#[derive(Clone, Copy, Debug)]
pub struct Hints<'a> {
    /// What tells whether a step is allowed.
    pub allows: Reads,
    /// What tells what a step is worth.
    pub gain: Reads,
    /// Whether `may_end` can refuse.
    pub to: bool,
    /// What has to hold in the end.
    pub need: Need<'a>,
    /// The only nodes whose having been visited the clauses ever look at (for `fresh or not next.kind`: the nodes with a
    /// kind); for all others `allows` and `gain` are the same with `fresh` and without. `None`: all nodes.
    pub remembers: Option<&'a [u32]>,
}

impl Hints<'_> {
    /// Nothing is known.
    pub const UNKNOWN: Hints<'static> = Hints {
        allows: Reads::EVERYTHING,
        gain: Reads::EVERYTHING,
        to: true,
        need: Need::Asked,
        remembers: None,
    };
    /// There are no clauses that look at the walk.
    pub const PLAIN: Hints<'static> = Hints {
        allows: Reads::NOTHING,
        gain: Reads::NOTHING,
        to: false,
        need: Need::Nothing,
        remembers: None,
    };
}

/// A question about walks.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The start nodes, a bitset.
    pub from: &'a [u32],
    /// Most steps; `u32::MAX` if there is no `up to`.
    pub up_to: u32,
    /// Fewest steps.
    pub at_least: u32,
    /// What is known of the network.
    pub hints: Hints<'a>,
    /// How many partial walks may be expanded before the search gives up.
    pub budget: u32,
}

/// A best walk. It lies in the scratch buffers until the next query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Best<'a> {
    /// Sum of the gains, the start's among them.
    pub value: i64,
    /// Places in order, the start among them.
    pub nodes: &'a [NodeId],
    /// Links in order, one less than places.
    pub links: &'a [LinkId],
}

#[derive(Default)]
pub(crate) struct WalkScratch {
    table: Table,
    layers: layers::LayerScratch,
    deep: deep::DeepScratch,
    runs: runs::RunScratch,
    memo: memo::Memo,
    found: Found,
}

/// The best walk so far.
#[derive(Default)]
struct Found {
    value: Option<i64>,
    nodes: Vec<NodeId>,
    links: Vec<LinkId>,
    visited: Vec<u32>,
    /// Of a search layer by layer that stopped at the first walk: its steps.
    steps: u32,
    /// Partial walks that were expanded.
    expanded: u32,
}

impl Found {
    fn clear(&mut self) {
        self.expanded = 0;
        self.value = None;
        self.nodes.clear();
        self.links.clear();
    }

    fn beaten_by(&self, value: i64) -> bool {
        self.value.is_none_or(|best| value > best)
    }
}

/// What a search is for.
enum Aim<'a> {
    Exists,
    Ends(&'a mut [u32]),
    Best,
}

/// Whether there is a walk at all. Stops at the first; `gain` is not asked.
pub fn exists<A: Adjacency, C: Clauses>(
    network: &A,
    query: &Query,
    clauses: &mut C,
    scratch: &mut Scratch,
) -> Result<bool, Exhausted> {
    search(network, query, clauses, scratch, Aim::Exists)
}

/// Writes into `out` the nodes where a walk may end. `out` needs [`bits::words`] of the node count; the words are cleared
/// first. `gain` is not asked.
pub fn ends<A: Adjacency, C: Clauses>(
    network: &A,
    query: &Query,
    clauses: &mut C,
    scratch: &mut Scratch,
    out: &mut [u32],
) -> Result<(), Exhausted> {
    out.fill(0);
    search(network, query, clauses, scratch, Aim::Ends(out)).map(|_| ())
}

/// The walk with the greatest sum of gains, exact; `None` if there is no walk.
pub fn best<'s, A: Adjacency, C: Clauses>(
    network: &A,
    query: &Query,
    clauses: &mut C,
    scratch: &'s mut Scratch,
) -> Result<Option<Best<'s>>, Exhausted> {
    let found = search(network, query, clauses, scratch, Aim::Best)?;
    let walk = &scratch.walk.found;
    Ok(walk.value.filter(|_| found).map(|value| Best {
        value,
        nodes: &walk.nodes,
        links: &walk.links,
    }))
}

/// The steps of the shortest walk, exact; `None` if there is no walk. `gain` is not asked.
pub fn distance<A: Adjacency, C: Clauses>(
    network: &A,
    query: &Query,
    clauses: &mut C,
    scratch: &mut Scratch,
) -> Result<Option<u32>, Exhausted> {
    if query.hints.allows.remembers() || query.hints.need != Need::Nothing {
        let mut hints = query.hints;
        hints.gain = Reads::NOTHING;
        let query = Query { hints, ..*query };
        let best = best(network, &query, &mut Costly(clauses), scratch)?;
        return Ok(best.map(|best| best.value.unsigned_abs() as u32));
    }
    // Layer by layer, the first walk found is the shortest.
    let found = search(network, query, clauses, scratch, Aim::Exists)?;
    Ok(found.then_some(scratch.walk.found.steps))
}

/// Each step costs one: the best walk is the shortest.
struct Costly<'c, C>(&'c mut C);

impl<C: Clauses> Clauses for Costly<'_, C> {
    fn allows(&mut self, step: &Step) -> bool {
        self.0.allows(step)
    }
    fn gain(&mut self, _: &Step) -> i32 {
        -1
    }
    fn may_end(&mut self, node: NodeId) -> bool {
        self.0.may_end(node)
    }
    fn need(&mut self, visit: &Visit) -> bool {
        self.0.need(visit)
    }
}

/// As [`best`], put into `walk`; how many partial walks were expanded.
pub(crate) fn best_into<A: Adjacency, C: Clauses>(
    network: &A,
    query: &Query,
    clauses: &mut C,
    scratch: &mut Scratch,
    walk: &mut Walk,
) -> Result<u32, Exhausted> {
    search(network, query, clauses, scratch, Aim::Best)?;
    let found = &scratch.walk.found;
    walk.put(found);
    Ok(found.expanded)
}

fn search<A: Adjacency, C: Clauses>(
    network: &A,
    query: &Query,
    clauses: &mut C,
    scratch: &mut Scratch,
    mut aim: Aim,
) -> Result<bool, Exhausted> {
    let WalkScratch {
        table,
        layers,
        deep,
        runs,
        memo,
        found,
    } = &mut scratch.walk;
    found.clear();
    let mut core = Core::new(network, query, clauses, table, matches!(aim, Aim::Best));
    if let Some(any) = layers::search(&mut core, layers, found, &mut aim)? {
        return Ok(any);
    }
    found.clear();
    if matches!(aim, Aim::Best)
        && let Some(result) = runs::search(&mut core, runs, memo, found)
    {
        return result;
    }
    // What was expanded in vain counts too.
    let expanded = found.expanded;
    found.clear();
    found.expanded = expanded;
    deep::search(&mut core, deep, memo, found, &mut aim)
}

/// How the last step came in; kept by the caller of an interactive walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The direction it came in.
    pub side: u32,
    /// The way into the place.
    pub entry: u32,
}

impl From<Arc> for Arrival {
    fn from(arc: Arc) -> Arrival {
        Arrival {
            side: arc.side,
            entry: arc.entry,
        }
    }
}

/// An interactive walk under way; its bitsets lie with the caller, who adds each step's node and link.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Where it stands.
    pub here: NodeId,
    /// `None` before the first step.
    pub last: Option<Arrival>,
    /// Steps taken so far.
    pub steps: u32,
    /// Nodes visited, the start among them.
    pub visited: &'a [u32],
    /// Links used.
    pub used: &'a [u32],
}

/// The steps that `allows` permits next, in canonical order. `up to` and `at least` are the caller's.
pub fn steps_from<A: Adjacency, C: Clauses>(
    network: &A,
    progress: &Progress,
    clauses: &mut C,
    mut offer: impl FnMut(Arc),
) {
    for index in network.arcs_of(progress.here) {
        let arc = network.arc(index);
        let step = Step {
            here: progress.here,
            next: arc.to,
            link: arc.link,
            side: arc.side,
            steps: progress.steps,
            fresh: !bits::has(progress.visited, arc.to.0),
            unused: !bits::has(progress.used, arc.link.0),
            onward: progress.last.is_none_or(|last| last.entry != arc.gate),
            straight: progress.last.is_none_or(|last| last.side == arc.side),
            visited: progress.visited,
        };
        if network.is_active(arc.link) && clauses.allows(&step) {
            offer(arc);
        }
    }
}
