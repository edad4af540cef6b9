//! Conditions that compare words and nothing else, as every plain `always` does: with the values of a binding put in they
//! become clauses, which the machine asks without a frame and without a formula.

use super::finder::{Finder, Known};
use super::watch::binding_values;
use crate::program::*;
use dsl::ir::AggregateOp;
use std::ops::Range;

/// Atoms of one binding; what needs more is asked as it is written.
const ATOMS_MAX: usize = 16;

/// All clauses must hold, and of each clause one atom.
pub(super) type Clauses<T = Compared> = Vec<Vec<Atom<T>>>;

/// A clause that never holds.
pub(super) const NEVER: [Atom<Compared>; 1] = [Atom {
    test: Compared {
        a: Side::Number(0),
        comparison: Comparison::Less,
        b: Side::Number(0),
    },
    holds: true,
    last: true,
}];

pub(super) fn constant<T>(holds: bool) -> Clauses<T> {
    if holds { Vec::new() } else { vec![Vec::new()] }
}

pub(super) fn atom<T>(test: T, holds: bool) -> Clauses<T> {
    vec![vec![Atom {
        test,
        holds,
        last: false,
    }]]
}

/// None where they are too many.
pub(super) fn both<T: Ord>(mut a: Clauses<T>, b: Clauses<T>) -> Option<Clauses<T>> {
    a.extend(b);
    a.sort();
    a.dedup();
    if a.first().is_some_and(Vec::is_empty) {
        return Some(constant(false));
    }
    let atoms: usize = a.iter().map(Vec::len).sum();
    (atoms <= ATOMS_MAX).then_some(a)
}

pub(super) fn either<T: Ord + Copy>(a: &Clauses<T>, b: &Clauses<T>) -> Option<Clauses<T>> {
    let mut all = constant(true);
    for x in a {
        for y in b {
            let mut clause = [x.as_slice(), y].concat();
            clause.sort();
            clause.dedup();
            all = both(all, vec![clause])?;
        }
    }
    Some(all)
}

/// Adds clauses to atoms, `never` for one that never holds; returns where they lie.
pub(super) fn lay<T: Copy>(
    clauses: &Clauses<T>,
    never: &[Atom<T>],
    atoms: &mut Vec<Atom<T>>,
) -> Range<u32> {
    let start = atoms.len() as u32;
    for clause in clauses {
        atoms.extend_from_slice(if clause.is_empty() { never } else { clause });
        if let Some(atom) = atoms.last_mut() {
            atom.last = true;
        }
    }
    start..atoms.len() as u32
}

impl Finder<'_> {
    /// What guard and condition of each binding come to; a binding outside the guard is `otherwise`. None where one is more
    /// than comparisons of words.
    pub fn bound(
        &mut self,
        bindings: &Bindings,
        condition: NodeId,
        otherwise: bool,
    ) -> Option<Vec<Clauses>> {
        if bindings.parts.is_some() {
            return None;
        }
        let bound = (0..bindings.count).map(|binding| {
            let known = binding_values(bindings, binding).collect();
            match bindings.guard {
                Some(guard) => {
                    let (guard, condition) = ((guard, !otherwise), (condition, true));
                    self.joined(guard, condition, &known, !otherwise)
                }
                None => self.told(condition, &known, true),
            }
        });
        bound.collect()
    }

    /// When a condition is as wanted; none where that takes more than comparisons of words.
    fn told(&mut self, node: NodeId, known: &Known, wanted: bool) -> Option<Clauses> {
        match self.program().nodes[node.at()] {
            Node::Not(a) => self.told(a, known, !wanted),
            Node::And(a, b) => self.joined((a, wanted), (b, wanted), known, wanted),
            Node::Or(a, b) => self.joined((a, wanted), (b, wanted), known, !wanted),
            Node::Implies(a, b) => self.joined((a, !wanted), (b, wanted), known, !wanted),
            Node::Equal(a, b) => self.compared(a, Comparison::Equal, b, known, wanted),
            Node::NotEqual(a, b) => self.compared(a, Comparison::Equal, b, known, !wanted),
            Node::Less(a, b) => self.compared(a, Comparison::Less, b, known, wanted),
            Node::LessEqual(a, b) => self.compared(b, Comparison::Less, a, known, !wanted),
            Node::IsSome(a) => {
                let a = self.side(a, known)?;
                Some(comparison(
                    a,
                    Comparison::Equal,
                    Side::Number(NONE),
                    !wanted,
                ))
            }
            _ => match self.value(node, known) {
                Some(value) => Some(constant((value != 0) == wanted)),
                None => self.told_by_state(node, known, wanted),
            },
        }
    }

    /// The same of what no table tells.
    fn told_by_state(&mut self, node: NodeId, known: &Known, wanted: bool) -> Option<Clauses> {
        match self.program().nodes[node.at()] {
            Node::Call(proc, args) => {
                let proc = &self.program().procs[proc.at()];
                let mut inner = Known::new();
                for (arg, (local, _)) in self.args(args).into_iter().zip(&proc.params) {
                    inner.insert(*local, self.value(arg, known)?);
                }
                self.told(proc.body, &inner, wanted)
            }
            Node::Aggregate(id) => {
                let aggregate = &self.program().aggregates[id.at()];
                let (of_each, wanted) = match aggregate.op {
                    AggregateOp::Every => (true, wanted),
                    AggregateOp::No => (false, wanted),
                    AggregateOp::Some => (false, !wanted),
                    _ => return None,
                };
                let each = Each {
                    value: aggregate.value,
                    of_each,
                    wanted,
                };
                self.of_all(&aggregate.binders, each, known)
            }
            _ => {
                let value = self.side(node, known)?;
                Some(comparison(
                    value,
                    Comparison::Equal,
                    Side::Number(0),
                    !wanted,
                ))
            }
        }
    }

    /// Two conditions that must both be as wanted, or one of them.
    fn joined(
        &mut self,
        a: (NodeId, bool),
        b: (NodeId, bool),
        known: &Known,
        all: bool,
    ) -> Option<Clauses> {
        let a = self.told(a.0, known, a.1)?;
        // What the first one decides alone is not asked further.
        if a == constant(!all) {
            return Some(a);
        }
        let b = self.told(b.0, known, b.1)?;
        if all { both(a, b) } else { either(&a, &b) }
    }

    fn compared(
        &mut self,
        a: NodeId,
        how: Comparison,
        b: NodeId,
        known: &Known,
        wanted: bool,
    ) -> Option<Clauses> {
        let (a, b) = (self.side(a, known)?, self.side(b, known)?);
        Some(comparison(a, how, b, wanted))
    }

    fn side(&mut self, node: NodeId, known: &Known) -> Option<Side> {
        let word = match self.program().nodes[node.at()] {
            Node::Cell0(word) => word,
            Node::Cell1(slot, index) => self.first_word(slot, &[index], known)?,
            Node::Cell(slot, args) => {
                let args = self.args(args);
                self.first_word(slot, &args, known)?
            }
            Node::CountOf(container, item) => {
                let item = self.value(item, known)?;
                return self.count(container, item, known);
            }
            _ => return self.value(node, known).map(Side::Number),
        };
        Some(Side::Word(word))
    }

    /// How often an item lies in a row of the state.
    fn count(&mut self, container: NodeId, item: i32, known: &Known) -> Option<Side> {
        let program = self.program();
        match (
            program.nodes[container.at()],
            program.shapes[container.at()],
        ) {
            // Gaps are no items.
            (Node::CellWords(slot, args), Shape::Row { n }) if item != NONE => {
                let args = self.args(args);
                let first = self.first_word(slot, &args, known)?;
                let words = (first, first + n);
                Some(Side::Count { words, item })
            }
            _ => None,
        }
    }

    /// Whether all elements of the first binder are as wanted, each with all of those behind it.
    fn of_all(&mut self, binders: &[BinderId], each: Each, known: &Known) -> Option<Clauses> {
        let Some((first, rest)) = binders.split_first() else {
            let wanted = each.of_each == each.wanted;
            return match each.value {
                Some(value) => self.told(value, known, wanted),
                None => Some(constant(wanted)),
            };
        };
        let binder = &self.program().binders[first.at()];
        if !binder.is_plain() {
            return None;
        }
        let mut all = constant(each.wanted);
        for item in self.items(binder, known)? {
            let mut known = known.clone();
            known.insert(binder.local, item);
            let found = self.of_element(binder, 0, rest, each, &known)?;
            all = if each.wanted {
                both(all, found)?
            } else {
                either(&all, &found)?
            };
        }
        Some(all)
    }

    /// That an element passes the conditions from this one on and is not as wanted of each, or else.
    fn of_element(
        &mut self,
        binder: &Binder,
        condition: usize,
        rest: &[BinderId],
        each: Each,
        known: &Known,
    ) -> Option<Clauses> {
        let Some((node, _)) = binder.conditions.get(condition) else {
            return self.of_all(rest, each, known);
        };
        let passes = self.told(*node, known, !each.wanted)?;
        if passes == constant(each.wanted) {
            return Some(passes);
        }
        let inner = self.of_element(binder, condition + 1, rest, each, known)?;
        if each.wanted {
            either(&passes, &inner)
        } else {
            both(passes, inner)
        }
    }
}

/// What is wanted of the elements of an aggregate.
#[derive(Clone, Copy)]
struct Each {
    value: Option<NodeId>,
    /// What the value must be of each element that passes.
    of_each: bool,
    /// Whether that shall be so, or fail of one.
    wanted: bool,
}

fn comparison(a: Side, comparison: Comparison, b: Side, holds: bool) -> Clauses {
    if let (Side::Number(a), Side::Number(b)) = (a, b) {
        return constant(comparison.holds(a, b) == holds);
    }
    let (a, b) = match comparison {
        Comparison::Equal => (a.max(b), a.min(b)),
        Comparison::Less => (a, b),
    };
    atom(Compared { a, comparison, b }, holds)
}
