//! Walks whose clauses read nothing of their past, or whose past does not pay: layer by layer.
//!
//! **Why it is exact.** What may follow depends on the state alone (and on the number of steps, if that is read). So of
//! all walks of `d` steps to one state only one with the greatest sum matters; layer `d` holds it. If `steps` is not read,
//! a walk is dropped too if an earlier layer, from `at least` on, had its state with no smaller sum: whatever follows could
//! have followed there, within `up to` and ending no worse.

use super::table::{Core, NONE, combination};
use super::{Aim, Clauses, Found};
use crate::bounds::WALK_STEPS_MAX;
use crate::network::{Adjacency, Exhausted, bits, refill};

#[derive(Clone, Copy)]
struct Entry {
    state: u32,
    value: i64,
    /// The entry one step before, and the arc from there.
    before: u32,
    arc: u32,
}

#[derive(Clone, Copy)]
struct Seen {
    /// The newest entry of the state.
    entry: u32,
    /// The greatest sum in a layer from `at least` on.
    value: Option<i64>,
}

#[derive(Default)]
pub(super) struct LayerScratch {
    entries: Vec<Entry>,
    seen: Vec<Seen>,
}

/// Whether there is a walk; `None` if the question is not one for this search.
pub(super) fn search<A: Adjacency, C: Clauses>(
    core: &mut Core<A, C>,
    scratch: &mut LayerScratch,
    found: &mut Found,
    aim: &mut Aim,
) -> Result<Option<bool>, Exhausted> {
    let remembers = core.remembers();
    if remembers && !core.may_forget() {
        return Ok(None);
    }
    let LayerScratch { entries, seen } = scratch;
    let query = core.query;
    let unseen = Seen {
        entry: NONE,
        value: None,
    };
    refill(seen, (core.arcs + core.net.node_count()) as usize, unseen);
    entries.clear();
    for node in core.starts() {
        let entry = Entry {
            state: core.start(node),
            value: if core.gains {
                core.clauses.start_gain(node).into()
            } else {
                0
            },
            before: NONE,
            arc: NONE,
        };
        offer(
            entries,
            seen,
            0,
            entry,
            query.at_least == 0,
            core.reads.steps,
        );
    }
    let (mut low, mut steps, mut best, mut any) = (0, 0, NONE, false);
    while low < entries.len() {
        let high = entries.len();
        if steps >= query.at_least {
            for (at, entry) in (low as u32..).zip(&entries[low..high]) {
                let node = core.node(entry.state);
                if !core.may_end(node) {
                    continue;
                }
                any = true;
                match aim {
                    Aim::Exists => {
                        found.steps = steps;
                        return Ok(Some(true));
                    }
                    Aim::Ends(out) => {
                        bits::insert(out, node.0);
                    }
                    Aim::Best if found.beaten_by(entry.value) => {
                        found.value = Some(entry.value);
                        best = at;
                    }
                    Aim::Best => {}
                }
            }
        }
        if steps == query.up_to {
            break;
        }
        if steps == WALK_STEPS_MAX {
            return Err(Exhausted::Steps);
        }
        for at in low..high {
            let entry = entries[at];
            let row = if core.has_rows() {
                core.row(entry.state)
            } else {
                0
            };
            for (k, index) in core.net.arcs_of(core.node(entry.state)).enumerate() {
                let arc = core.net.arc(index);
                let gain = if core.has_rows() {
                    let (allowed, gain) = (core.allowed(row + k), core.gain(row + k));
                    let new = allowed & combination(true, true) != 0;
                    if remembers && allowed != 0 && (!new || gain > 0) {
                        return Ok(None);
                    }
                    new.then_some(gain)
                } else {
                    core.ask(entry.state, &arc, steps, (true, true), &[])
                };
                let Some(gain) = gain else { continue };
                let next = Entry {
                    state: core.after(index, &arc),
                    value: entry.value + i64::from(gain),
                    before: at as u32,
                    arc: index,
                };
                let late = steps + 1 >= query.at_least;
                offer(entries, seen, high, next, late, core.reads.steps);
            }
        }
        if entries.len() > query.budget as usize {
            return Err(Exhausted::Budget);
        }
        low = high;
        steps += 1;
    }
    found.expanded = entries.len() as u32;
    trace(core, entries, best, found);
    Ok(Some(any))
}

/// Puts `entry` into the layer that begins at `layer`, unless something no worse is there or came before.
fn offer(
    entries: &mut Vec<Entry>,
    seen: &mut [Seen],
    layer: usize,
    entry: Entry,
    late: bool,
    steps_read: bool,
) {
    let seen = &mut seen[entry.state as usize];
    if !steps_read && seen.value.is_some_and(|value| value >= entry.value) {
        return;
    }
    if late {
        seen.value = seen.value.max(Some(entry.value));
    }
    if seen.entry != NONE && seen.entry as usize >= layer {
        let old = &mut entries[seen.entry as usize];
        if entry.value > old.value {
            *old = entry;
        }
    } else {
        seen.entry = entries.len() as u32;
        entries.push(entry);
    }
}

fn trace<A: Adjacency, C: Clauses>(
    core: &Core<A, C>,
    entries: &[Entry],
    best: u32,
    found: &mut Found,
) {
    let mut at = best;
    while at != NONE {
        let entry = entries[at as usize];
        found.nodes.push(core.node(entry.state));
        if entry.arc != NONE {
            found.links.push(core.net.arc(entry.arc).link);
        }
        at = entry.before;
    }
    found.nodes.reverse();
    found.links.reverse();
}
