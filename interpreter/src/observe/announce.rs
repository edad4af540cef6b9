//! Which answers all may hear: those that tell nothing of what some cannot see.

use super::CellSight;
use crate::program::*;
use std::collections::BTreeSet;

/// For each choice of a program whether its answers may be heard by all: neither what it chooses from nor its conditions look
/// at anything that is not open. How many pieces lie in a place is open always.
pub(super) fn open_choices(program: &Program, cells: &[CellSight]) -> Vec<bool> {
    let choices = program.choices.iter();
    choices
        .map(|choice| {
            let mut reader = Reader::new(program, cells);
            let bare_copy = match program.binders[choice.binder.at()].source {
                Source::Container(node) | Source::Parts(node) => {
                    matches!(program.nodes[node.at()], Node::Local(_))
                }
                _ => false,
            };
            // A copy may be one of something hidden.
            !bare_copy && !reader.binder(choice.binder)
        })
        .collect()
}

/// For each walk whether its steps may be heard by all.
pub(super) fn open_walks(program: &Program, cells: &[CellSight]) -> Vec<bool> {
    let walks = program.walks.iter();
    walks
        .map(|walk| {
            let mut reader = Reader::new(program, cells);
            let ends = walk.to.map(|(node, _)| node);
            let mut clauses = [Some(walk.from), ends, walk.where_, walk.need, walk.max]
                .into_iter()
                .flatten();
            !clauses.any(|node| reader.node(node)) && !reader.network(walk.network)
        })
        .collect()
}

/// Looks for what is not open. Each question answers whether there is something.
struct Reader<'a> {
    program: &'a Program,
    cells: &'a [CellSight],
    /// Bodies of formulas and conditions of networks that have been gone into: each is looked at once.
    met: BTreeSet<NodeId>,
}

impl<'a> Reader<'a> {
    fn new(program: &'a Program, cells: &'a [CellSight]) -> Reader<'a> {
        Reader {
            program,
            cells,
            met: BTreeSet::new(),
        }
    }

    fn binder(&mut self, id: BinderId) -> bool {
        let binder = &self.program.binders[id.at()];
        let source = match binder.source {
            Source::All { .. } | Source::OnBoard(_) => [None, None],
            Source::Range(a, b) => [Some(a), Some(b)],
            Source::Container(node) | Source::Parts(node) => [Some(node), None],
        };
        let conditions = binder.conditions.iter().map(|(node, _)| *node);
        let clauses = binder.by.iter().copied();
        let ends = [binder.from, binder.up_to].into_iter().flatten();
        let mut nodes = source
            .into_iter()
            .flatten()
            .chain(conditions)
            .chain(clauses)
            .chain(ends);
        nodes.any(|node| self.node(node))
    }

    fn network(&mut self, network: u32) -> bool {
        let condition = self.program.networks[network as usize].condition;
        condition.is_some_and(|node| self.once(node))
    }

    fn once(&mut self, node: NodeId) -> bool {
        self.met.insert(node) && self.node(node)
    }

    fn all(&mut self, nodes: &[NodeId]) -> bool {
        nodes.iter().any(|node| self.node(*node))
    }

    fn list(&mut self, list: List) -> bool {
        let program = self.program;
        self.all(program.listed(list))
    }

    fn node(&mut self, node: NodeId) -> bool {
        let program = self.program;
        match program.nodes[node.at()] {
            // How many there are, all may know.
            Node::Size(place) | Node::NotEmpty(place) | Node::IsSome(place) => {
                match program.nodes[place.at()] {
                    Node::Cell0(_) => false,
                    Node::Cell1(_, index) => self.node(index),
                    Node::Cell(_, list) | Node::CellWords(_, list) => self.list(list),
                    _ => self.node(place),
                }
            }
            Node::Cell0(word) => {
                let cell = program.cells.iter().position(|cell| cell.base == word);
                cell.is_none_or(|cell| !self.cells[cell].is_open())
            }
            Node::Cell1(slot, index) => !self.cells[slot.at()].is_open() || self.node(index),
            Node::Cell(slot, list) | Node::CellWords(slot, list) => {
                !self.cells[slot.at()].is_open() || self.list(list)
            }
            Node::Call(proc, list) => self.list(list) || self.once(program.procs[proc.at()].body),
            Node::Aggregate(id) | Node::Collect(id) => {
                let aggregate = &program.aggregates[id.at()];
                aggregate.binders.iter().any(|binder| self.binder(*binder))
                    || aggregate.value.is_some_and(|value| self.node(value))
            }
            Node::Joins(network, owner, a, b) => self.all(&[owner, a, b]) || self.network(network),
            Node::Reach(network, owner, from) => self.all(&[owner, from]) || self.network(network),
            Node::WalkValue(walk) | Node::WalkNodes(walk) => self.node(walk),
            Node::Local(_)
            | Node::Me
            | Node::Starter
            | Node::Word(_)
            | Node::OnBoard(_)
            | Node::PositionOfTile(_)
            | Node::RowOfPart(..)
            | Node::Finishing
            | Node::Finished
            | Node::DecisionOf => false,
            other => match other.operands() {
                Some(operands) => self.all(operands.of(program)),
                // What is not taken apart here may look at anything.
                None => true,
            },
        }
    }
}
