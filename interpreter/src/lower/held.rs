//! What a container may hold at most, whatever the state is: so that of what is asked of its elements it is known which cells
//! it reads.

use super::finder::{Finder, Known, Words};
use crate::program::*;
use std::collections::BTreeSet;

/// Formulas behind one another that are looked into.
const CALLS_MAX: u32 = 8;
/// More values than these are not told apart.
const VALUES_MAX: usize = 16;

impl Finder<'_> {
    /// The elements of which some may lie in a container and no others; none where that may be any.
    pub(super) fn may_hold(&mut self, container: NodeId, known: &Known) -> Option<BTreeSet<i32>> {
        self.held(container, known, CALLS_MAX)
    }

    fn held(&mut self, node: NodeId, known: &Known, calls: u32) -> Option<BTreeSet<i32>> {
        let program = self.program();
        if program.shapes[node.at()] == Shape::Scalar {
            return Some(BTreeSet::from([self.value(node, known)?]));
        }
        if let Some(items) = self.items_of(node, known) {
            return Some(items.into_iter().collect());
        }
        match program.nodes[node.at()] {
            Node::If(_, a, b) | Node::Otherwise(a, b) | Node::Union(a, b) => {
                let mut held = self.held(a, known, calls)?;
                held.extend(self.held(b, known, calls)?);
                Some(held)
            }
            Node::Difference(a, _)
            | Node::Scale(_, a)
            | Node::Convert(a)
            | Node::Unwrap(a, _)
            | Node::Shuffled(a, _) => self.held(a, known, calls),
            Node::Call(proc, args) if calls > 0 => {
                let inner = self.frame(proc, args, known, &mut Words::new(), 0);
                self.held(program.procs[proc.at()].body, &inner, calls - 1)
            }
            Node::EndsOfWalk(walk) => self.ends_of(walk, known),
            Node::Collect(id) => {
                let aggregate = &program.aggregates[id.at()];
                let last = aggregate
                    .binders
                    .last()
                    .filter(|_| aggregate.value.is_none())?;
                match program.binders[last.at()].source {
                    Source::Container(inner) => {
                        // What the binders before it stand for is not known.
                        let mut known = known.clone();
                        for binder in &aggregate.binders {
                            known.remove(&program.binders[binder.at()].local);
                        }
                        self.held(inner, &known, calls)
                    }
                    Source::All { .. }
                    | Source::Range(..)
                    | Source::Parts(_)
                    | Source::OnBoard(_) => None,
                }
            }
            _ => None,
        }
    }

    /// What a scalar may be, whatever the state is: some of these values and no others; none where they are not few.
    pub(super) fn may_be(&mut self, node: NodeId, known: &Known) -> Option<BTreeSet<i32>> {
        let found = self.one_of(node, known, CALLS_MAX)?;
        (found.len() <= VALUES_MAX).then_some(found)
    }

    fn one_of(&mut self, node: NodeId, known: &Known, calls: u32) -> Option<BTreeSet<i32>> {
        let program = self.program();
        if let Some(value) = self.value(node, known) {
            return Some(BTreeSet::from([value]));
        }
        match program.nodes[node.at()] {
            Node::If(condition, yes, no) => match self.truth(condition, known) {
                Some(holds) => self.one_of(if holds { yes } else { no }, known, calls),
                None => self.either(yes, no, known, calls),
            },
            Node::Otherwise(value, other) => self.either(value, other, known, calls),
            Node::Unwrap(inner, _) => self.one_of(inner, known, calls),
            Node::Call(proc, args) if calls > 0 => {
                let inner = self.frame(proc, args, known, &mut Words::new(), 0);
                self.one_of(program.procs[proc.at()].body, &inner, calls - 1)
            }
            Node::Cell0(word) => self.of_cell(program.cell_at(word)?),
            Node::Cell1(slot, _) | Node::Cell(slot, _) => self.of_cell(slot),
            Node::Dense(dense, List { start, len: 1 }) => {
                let dense = &program.dense[dense.at()];
                let (low, n) = dense.dims[0];
                let index = self.one_of(program.lists[start as usize], known, calls)?;
                let at = index
                    .into_iter()
                    .map(|index| index.wrapping_sub(low) as u32);
                Some(
                    at.map(|at| match at < n {
                        true => program.consts[(dense.base + at) as usize],
                        false => NONE,
                    })
                    .collect(),
                )
            }
            Node::Next(place, side) => {
                let tiling = program.tiling.as_ref()?;
                let places = self.one_of(place, known, calls)?;
                let sides = self.one_of(side, known, calls);
                let sides = sides.unwrap_or_else(|| (0..tiling.directions as i32).collect());
                let mut found = BTreeSet::from([NONE]);
                for place in places {
                    for side in sides.iter().filter(|side| place >= 0 && **side >= 0) {
                        let at = place as usize * tiling.directions as usize + *side as usize;
                        found.extend(tiling.next.get(at));
                    }
                }
                (found.len() <= VALUES_MAX).then_some(found)
            }
            _ => None,
        }
    }

    fn either(&mut self, a: NodeId, b: NodeId, known: &Known, calls: u32) -> Option<BTreeSet<i32>> {
        let mut found = self.one_of(a, known, calls)?;
        found.extend(self.one_of(b, known, calls)?);
        Some(found)
    }

    /// What a write lets into a cell.
    fn of_cell(&self, slot: Slot) -> Option<BTreeSet<i32>> {
        let cell = &self.program().cells[slot.at()];
        let (low, n) = cell.values.filter(|_| cell.shape == Shape::Scalar)?;
        if n as usize >= VALUES_MAX {
            return None;
        }
        let mut found: BTreeSet<i32> = (low..low + n as i32).collect();
        if cell.optional {
            found.insert(NONE);
        }
        Some(found)
    }
}
