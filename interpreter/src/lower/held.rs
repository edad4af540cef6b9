//! What a container may hold at most, whatever the state is: so that of what is asked of its elements it is known which cells
//! it reads.

use super::watch::{Finder, Known, Words};
use crate::program::*;
use std::collections::BTreeSet;

/// Formulas behind one another that are looked into.
const CALLS_MAX: u32 = 8;

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
}
