//! What expressions and questions need of the cells.

use super::Finder;
use crate::facts::Reads;
use crate::program::*;
use dsl::ir::AggregateOp;

impl Finder<'_> {
    pub(super) fn choice(&mut self, id: BinderId) {
        let p = self.program;
        let binder = &p.binders[id.at()];
        let plain = binder.is_plain();
        let Source::Container(zone) = binder.source else {
            return self.binder(id, if plain { Way::More } else { Way::Any });
        };
        if !plain {
            return self.binder(id, Way::Any);
        }
        for (condition, _) in &binder.conditions {
            self.node(*condition, Way::More);
        }
        // What is chosen to be taken is there for whoever comes first.
        match p.nodes[zone.at()] {
            Node::CellWords(slot, args) if self.is_taken(binder.local, slot) => {
                self.list(args);
                self.found.takes.add(slot.at(), Way::More);
                self.looks.add(slot.at(), Way::More);
            }
            _ => self.node(zone, Way::More),
        }
    }

    /// Straight on from here this element is taken out of this cell.
    fn is_taken(&self, local: u32, slot: Slot) -> bool {
        let p = self.program;
        let behind = &p.code[self.pc + 1..];
        let straight = behind.iter().take_while(|op| {
            !matches!(
                op,
                Op::Return | Op::Jump(_) | Op::JumpUnless(..) | Op::Match { .. }
            ) && !matches!(op, Op::May { .. } | Op::OneOf(_) | Op::RepeatTest { .. })
                && !matches!(op, Op::EachNext { .. })
        });
        straight.into_iter().any(|op| {
            let Op::Move(step) = op else { return false };
            let MoveWhat::Value { value, from, .. } = p.moves[*step as usize].what else {
                return false;
            };
            p.nodes[value.at()] == Node::Local(local) && p.places[from.at()].cell == slot
        })
    }

    /// Elements of a binder: the more there are, the more (or less) it comes to.
    pub(super) fn binder(&mut self, id: BinderId, way: Way) {
        let binder = &self.program.binders[id.at()];
        let clauses = binder.by.iter().chain(&binder.from).chain(&binder.up_to);
        let clauses: Vec<NodeId> = clauses.copied().collect();
        let way = if clauses.is_empty() { way } else { Way::Any };
        clauses
            .into_iter()
            .for_each(|node| self.node(node, Way::Any));
        if let Some((_, wanted)) = binder.run {
            self.node(wanted, Way::Any);
        }
        match binder.source {
            Source::All { .. } => {}
            Source::Range(a, b) => {
                self.node(a, Way::Any);
                self.node(b, Way::Any);
            }
            Source::Container(node) => self.node(node, way),
            Source::Parts(node) => self.node(node, Way::Any),
            Source::OnBoard(_) => self.anything(),
        }
        let way = if matches!(binder.source, Source::Parts(_)) {
            Way::Any
        } else {
            way
        };
        for (condition, _) in &binder.conditions {
            self.node(*condition, way);
        }
    }

    pub(super) fn list(&mut self, list: List) {
        for at in list.start..list.start + list.len {
            let node = self.program.lists[at as usize];
            if node != ASKED {
                self.node(node, Way::Any);
            }
        }
    }

    /// The value is wanted to be more (truer, fuller), less, or just as it is.
    pub(super) fn node(&mut self, node: NodeId, way: Way) {
        let p = self.program;
        match p.nodes[node.at()] {
            Node::Local(_) | Node::Me | Node::Starter => {}
            Node::Not(a) => self.node(a, way.turned()),
            Node::And(a, b) | Node::Or(a, b) | Node::Add(a, b) | Node::Union(a, b) => {
                self.node(a, way);
                self.node(b, way);
            }
            Node::Implies(a, b) | Node::Less(a, b) | Node::LessEqual(a, b) | Node::Within(a, b) => {
                self.node(a, way.turned());
                self.node(b, way);
            }
            Node::Subtract(a, b) | Node::Difference(a, b) => {
                self.node(a, way);
                self.node(b, way.turned());
            }
            Node::Size(a) | Node::NotEmpty(a) => match p.nodes[a.at()] {
                Node::CellWords(slot, args) if super::is_bag(&p.cells[slot.at()]) => {
                    self.list(args);
                    self.read(super::size_slot(p, slot.at()), way);
                }
                _ => self.node(a, way),
            },
            Node::CountOf(zone, element) => {
                self.node(zone, way);
                self.node(element, Way::Any);
            }
            Node::In(element, zone) => {
                self.node(element, Way::Any);
                self.node(zone, way);
            }
            Node::Cell0(word) => match p.cell_at(word) {
                Some(slot) => self.read(slot.at(), way),
                None => self.anything(),
            },
            Node::Cell1(slot, index) => {
                self.read(slot.at(), way);
                self.node(index, Way::Any);
            }
            Node::Cell(slot, args) | Node::CellWords(slot, args) => {
                self.read(slot.at(), way);
                self.list(args);
            }
            Node::Call(proc, args) => {
                self.list(args);
                if self.seen.insert((proc, way)) {
                    self.node(p.procs[proc.at()].body, way);
                }
            }
            Node::Aggregate(id) | Node::Collect(id) => self.aggregate(&p.aggregates[id.at()], way),
            Node::Joins(network, receiver, a, b) => {
                [receiver, a, b]
                    .into_iter()
                    .for_each(|node| self.node(node, Way::Any));
                self.network(network);
            }
            Node::Reach(network, receiver, from) => {
                [receiver, from]
                    .into_iter()
                    .for_each(|node| self.node(node, Way::Any));
                self.network(network);
            }
            other => match other.operands() {
                Some(operands) => {
                    let operands = operands.of(p);
                    operands
                        .iter()
                        .for_each(|operand| self.node(*operand, Way::Any));
                }
                None => self.rest(node),
            },
        }
    }

    /// Anything else counts as read just as it is.
    fn rest(&mut self, node: NodeId) {
        let mut reads = Reads::default();
        crate::facts::reads(self.program, node, &mut reads);
        if reads.opaque {
            self.anything();
        }
        for slot in reads.cells {
            self.read(slot.at(), Way::Any);
        }
    }

    fn network(&mut self, network: u32) {
        let code = &self.program.networks[network as usize];
        match (&code.kind, code.condition) {
            (NetworkKind::Links { .. }, Some(condition)) => self.node(condition, Way::Any),
            (NetworkKind::Links { .. }, None) => {}
            _ => self.anything(),
        }
    }

    fn aggregate(&mut self, aggregate: &Aggregate, way: Way) {
        let grows = (aggregate.value).is_none_or(|value| self.facts.is_natural(value));
        let (elements, value) = match aggregate.op {
            AggregateOp::Some | AggregateOp::Count => (way, way),
            AggregateOp::Sum if grows => (way, way),
            AggregateOp::Sum => (Way::Any, way),
            AggregateOp::No => (way.turned(), way.turned()),
            AggregateOp::Every => (way.turned(), way),
            _ => (Way::Any, Way::Any),
        };
        for binder in &aggregate.binders {
            self.binder(*binder, elements);
        }
        if let Some(node) = aggregate.value {
            self.node(node, value);
        }
    }
}
