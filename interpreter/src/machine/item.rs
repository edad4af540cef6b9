//! What an item of an agenda may come to: goes through its code, and all that is called in it, with the arguments it was given.

use super::Machine;
use crate::program::*;
use std::cell::RefCell;

/// Bodies one item may go through.
const BODIES_MAX: usize = 200;

/// What is known of a local.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Exactly these words.
    Words(Vec<i32>),
    /// One of these.
    OneOf(Vec<i32>),
    /// A number that is not negative.
    Natural,
}

pub(super) type Values = Vec<(u32, Value)>;

/// Goes through the code of a body and of all it may come to.
pub(super) struct Walk<'m, 'p> {
    machine: &'m Machine<'p>,
    bearings: &'m Bearings,
    seen: Vec<(ProcId, Values)>,
    pub found: Bearing,
    /// Words that were looked at, and their values.
    pub rests_on: RefCell<Vec<(usize, i32)>>,
}

impl<'m, 'p> Walk<'m, 'p> {
    pub fn new(machine: &'m Machine<'p>, bearings: &'m Bearings) -> Walk<'m, 'p> {
        Walk {
            machine,
            bearings,
            seen: Vec::new(),
            found: Bearing::default(),
            rests_on: RefCell::default(),
        }
    }

    pub fn body(&mut self, proc: ProcId, values: Values) {
        let visit = (proc, values.clone());
        if self.found.free || self.seen.contains(&visit) {
            return;
        }
        if self.seen.len() == BODIES_MAX {
            self.found.free = true;
            return;
        }
        self.seen.push(visit);
        self.code(self.bearings.bodies[proc.at()].clone(), values);
    }

    /// As [`Walk::body`] for a part of a body.
    pub fn code(&mut self, code: std::ops::Range<usize>, mut values: Values) {
        let p = self.machine.p;
        for pc in code {
            let bearing = &self.bearings.ops[pc];
            self.found.join(bearing);
            if let Some((slot, value)) = self.bearings.doubts[pc]
                && !self.is_natural(value, &values)
            {
                self.found.touch(slot);
            }
            for (slot, woken) in self.bearings.wakes.iter().enumerate() {
                if !woken.is_empty() && bearing.moves.has(slot) {
                    woken.iter().for_each(|proc| self.body(*proc, Vec::new()));
                }
            }
            match p.code[pc] {
                Op::Call(inner, args) => self.call(inner, args, &values),
                Op::RunEffect(effect) | Op::AgendaAdd { effect, .. } => {
                    self.effect(&p.effects[effect as usize], &values)
                }
                Op::Let(local, value) => {
                    if let Some(known) = self.one_of(value, &values) {
                        values.push((local, Value::OneOf(known)));
                    }
                }
                Op::EachBegin { binder, .. } => self.bind(binder, &mut values),
                _ => {}
            }
        }
    }

    /// The element of a loop over a known list is one of the list.
    fn bind(&self, binder: BinderId, values: &mut Values) {
        let binder = &self.machine.p.binders[binder.at()];
        if let Source::Container(node) = binder.source
            && let Some(elements) = self.elements(node, values)
        {
            values.push((binder.local, Value::OneOf(elements)));
        }
    }

    fn call(&mut self, proc: ProcId, args: List, values: &Values) {
        let p = self.machine.p;
        let nodes = p.listed(args);
        let params = &p.procs[proc.at()].params;
        let known = nodes.iter().zip(params).filter_map(|(node, (local, _))| {
            if *node == ASKED {
                return None;
            }
            let value = match p.shapes[node.at()] {
                Shape::Scalar => match self.one_of(*node, values) {
                    Some(known) => Value::OneOf(known),
                    None if self.is_natural(*node, values) => Value::Natural,
                    None => return None,
                },
                Shape::List { .. } => {
                    // Which of them there are is known, their number is not: as good for what follows.
                    let mut elements = self.elements(*node, values)?;
                    elements.insert(0, elements.len() as i32);
                    Value::Words(elements)
                }
                _ => return None,
            };
            Some((*local, value))
        });
        let known = known.collect();
        self.body(proc, known);
    }

    fn effect(&mut self, effect: &EffectNode, values: &Values) {
        let p = self.machine.p;
        match effect {
            EffectNode::Call { proc, args } => self.call(*proc, *args, values),
            EffectNode::Value { value, kind } => {
                let procs = match kind {
                    EffectValue::Action => &p.action_procs,
                    EffectValue::Effect | EffectValue::List => &p.effect_procs,
                };
                let known = match kind {
                    EffectValue::List => self.elements(*value, values),
                    _ => self.one_of(*value, values),
                };
                let Some(known) = known else {
                    self.found.free = true;
                    return;
                };
                for at in known.into_iter().filter(|at| *at != NONE) {
                    match procs.get(at as usize) {
                        Some(proc) => self.body(*proc, Vec::new()),
                        None => self.found.free = true,
                    }
                }
            }
            EffectNode::Times(_, inner) => self.effect(inner, values),
            EffectNode::Many(parts) => parts.iter().for_each(|part| self.effect(part, values)),
            EffectNode::If(_, yes, no) => {
                self.effect(yes, values);
                no.iter().for_each(|no| self.effect(no, values));
            }
            EffectNode::For(binders, inner) => {
                let mut values = values.clone();
                binders
                    .iter()
                    .for_each(|binder| self.bind(*binder, &mut values));
                self.effect(inner, &values);
            }
            EffectNode::Inline { proc, .. } => self.body(*proc, values.clone()),
        }
    }

    // ------------------------------------------------------------------------------------------- values

    /// The value is a number and never below 0, as far as is known of locals.
    fn is_natural(&self, node: NodeId, values: &Values) -> bool {
        let p = self.machine.p;
        let natural = |node: NodeId| self.is_natural(node, values);
        let never_below = |cell: &CellLayout| {
            let low = matches!(cell.low, Bound::Const(low) if low >= 0);
            low && cell.shape == Shape::Scalar && !cell.optional
        };
        match p.nodes[node.at()] {
            Node::Const(value) => value >= 0,
            Node::Local(local) => match local_value(values, local) {
                Some(Value::Words(known) | Value::OneOf(known)) => {
                    known.iter().all(|value| *value >= 0)
                }
                Some(Value::Natural) => true,
                None => false,
            },
            Node::Size(_) | Node::CountOf(..) => true,
            Node::Column(base, _) => p.natural_columns.contains(&base),
            Node::Aggregate(id) => p.aggregates[id.at()].op == dsl::ir::AggregateOp::Count,
            Node::If(_, a, b)
            | Node::Add(a, b)
            | Node::Multiply(a, b)
            | Node::Minimum(a, b)
            | Node::Maximum(a, b) => natural(a) && natural(b),
            Node::Cell0(word) => {
                let slot = p.cell_at(word);
                slot.is_some_and(|slot| never_below(&p.cells[slot.at()]))
            }
            Node::Cell1(slot, _) => never_below(&p.cells[slot.at()]),
            _ => false,
        }
    }

    /// Everything that a scalar may be; none where that is not known.
    fn one_of(&self, node: NodeId, values: &Values) -> Option<Vec<i32>> {
        let p = self.machine.p;
        if p.shapes[node.at()] != Shape::Scalar {
            return None;
        }
        Some(match p.nodes[node.at()] {
            Node::Const(value) => vec![value],
            Node::Local(local) => match local_value(values, local)? {
                Value::Words(words) if words.len() == 1 => words.clone(),
                Value::OneOf(known) => known.clone(),
                Value::Words(_) | Value::Natural => return None,
            },
            Node::Unwrap(inner, _) => self.one_of(inner, values)?,
            Node::Cell1(slot, index) if self.bearings.still[slot.at()] => {
                let index = self.one_of(index, values)?;
                let cell = &p.cells[slot.at()];
                let (low, n, _) = *cell.dims.first()?;
                let inside = index.iter().all(|at| (low..low + n as i32).contains(at));
                let word = |at: i32| (cell.base + cell.words * (at - low) as u32) as usize;
                if !inside || cell.shape != Shape::Scalar {
                    return None;
                }
                let at = index.into_iter().map(word);
                let found: Vec<_> = at.map(|at| (at, self.machine.m[at])).collect();
                self.rests_on.borrow_mut().extend(&found);
                found.into_iter().map(|(_, value)| value).collect()
            }
            Node::Column(base, row) => {
                let rows = self.rows(base, row, values)?;
                let at = rows.into_iter().map(|row| (base + row) as usize);
                at.map(|at| p.consts[at]).collect()
            }
            Node::Dense(id, args) => self.dense(id, args, values)?,
            _ => return None,
        })
    }

    /// Everything that a list may hold.
    fn elements(&self, node: NodeId, values: &Values) -> Option<Vec<i32>> {
        let p = self.machine.p;
        if !matches!(p.shapes[node.at()], Shape::List { .. }) {
            return None;
        }
        let listed = |words: &[i32]| {
            words[1..]
                .iter()
                .take(words[0].max(0) as usize)
                .copied()
                .collect()
        };
        Some(match p.nodes[node.at()] {
            Node::Local(local) => match local_value(values, local)? {
                Value::Words(words) => listed(words),
                Value::OneOf(_) | Value::Natural => return None,
            },
            Node::Words(base) => {
                let base = base as usize;
                listed(&p.consts[base..base + p.shapes[node.at()].words()])
            }
            Node::ColumnWords { base, stride, row } => {
                let rows = self.rows(base, row, values)?;
                let mut all = Vec::new();
                for row in rows {
                    let at = (base + row * stride) as usize;
                    let words: Vec<i32> = listed(&p.consts[at..at + stride as usize]);
                    all.extend(words);
                }
                all
            }
            _ => return None,
        })
    }

    /// Rows of a column: those that are known, else all.
    fn rows(&self, base: u32, row: NodeId, values: &Values) -> Option<Vec<u32>> {
        let all = *self.machine.p.column_rows.get(&base)?;
        let Some(known) = self.one_of(row, values) else {
            return Some((0..all).collect());
        };
        // Of none nothing is read.
        let rows = known.into_iter().filter(|row| *row != NONE);
        rows.map(|row| u32::try_from(row).ok().filter(|row| *row < all))
            .collect()
    }

    fn dense(&self, id: DenseId, args: List, values: &Values) -> Option<Vec<i32>> {
        let p = self.machine.p;
        let dense = &p.dense[id.at()];
        let nodes = p.listed(args);
        let mut places = vec![0];
        for (node, (low, n)) in nodes.iter().zip(&dense.dims) {
            let all = || (*low..*low + *n as i32).collect();
            let known = self.one_of(*node, values).unwrap_or_else(all);
            let inside = known
                .into_iter()
                .filter(|at| (*low..*low + *n as i32).contains(at));
            let inside: Vec<u32> = inside.map(|at| (at - low) as u32).collect();
            places = places
                .iter()
                .flat_map(|place| inside.iter().map(move |at| place * n + at))
                .collect();
            if places.len() > 1 << 12 {
                return None;
            }
        }
        // Outside there is none.
        let found = places
            .iter()
            .map(|place| p.consts[(dense.base + place) as usize]);
        Some(found.chain([NONE]).collect())
    }
}

/// The last one said of a local counts.
fn local_value(values: &Values, local: u32) -> Option<&Value> {
    values
        .iter()
        .rev()
        .find(|(at, _)| *at == local)
        .map(|(_, value)| value)
}
