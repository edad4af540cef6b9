//! How evaluating an expression may end, but well.

use super::values::{MOST, Values, kept};
use crate::program::*;
use dsl::ir::AggregateOp;

/// See the module. That something is not yet seen is no end of its own: looking ahead, nobody knows then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ends {
    /// What was answered leads nowhere: it is refused.
    pub fails: bool,
    /// The rules are at fault: the game ends with a message.
    pub faults: bool,
}

impl Ends {
    /// It always has a value.
    pub const WELL: Ends = Ends {
        fails: false,
        faults: false,
    };
    const FAULT: Ends = Ends {
        fails: false,
        faults: true,
    };
    const ANYHOW: Ends = Ends {
        fails: true,
        faults: true,
    };

    fn fault_if(faults: bool) -> Ends {
        Ends {
            fails: false,
            faults,
        }
    }
}

impl std::ops::BitOr for Ends {
    type Output = Ends;

    fn bitor(self, other: Ends) -> Ends {
        Ends {
            fails: self.fails || other.fails,
            faults: self.faults || other.faults,
        }
    }
}

/// The ends of all nodes.
pub(super) fn of_all(program: &Flat, values: &[Values]) -> Vec<Ends> {
    let mut finder = Finder {
        program,
        values,
        known: vec![None; program.nodes.len()],
    };
    (0..program.nodes.len())
        .map(|at| finder.node(NodeId(at as u32)))
        .collect()
}

/// All that a binder asks.
pub(crate) fn binder_clauses(program: &Flat, id: BinderId) -> Vec<NodeId> {
    let binder = &program.binders[id.at()];
    let source = match binder.source {
        Source::All { .. } | Source::OnBoard(_) => [None, None],
        Source::Range(low, high) => [Some(low), Some(high)],
        Source::Container(node) | Source::Parts(node) => [Some(node), None],
    };
    let conditions = binder.conditions.iter().map(|(condition, _)| *condition);
    let rest = binder.by.iter().chain(&binder.from).chain(&binder.up_to);
    let all = source.into_iter().flatten().chain(conditions);
    all.chain(rest.copied()).collect()
}

/// All that a walk asks for itself.
pub(crate) fn walk_clauses(program: &Flat, id: WalkId) -> Vec<NodeId> {
    let walk = &program.walks[id.at()];
    let walkers = walk.by.map(|by| binder_clauses(program, by.binder));
    let clauses = [
        walk.receiver,
        Some(walk.from),
        walk.to.map(|(to, _)| to),
        walk.up_to,
        walk.at_least,
        walk.where_,
        walk.need,
        walk.start,
        walk.max,
    ];
    let walkers = walkers.into_iter().flatten();
    walkers.chain(clauses.into_iter().flatten()).collect()
}

/// The same with what its network asks. What a step is compared with is all that is asked where that tells of all steps.
pub(super) fn of_walk(program: &Flat, id: WalkId) -> Vec<NodeId> {
    let mut nodes = walk_clauses(program, id);
    let walk = &program.walks[id.at()];
    if let Some(course) = walk.course.as_ref().filter(|course| course.told) {
        nodes.retain(|node| Some(*node) != walk.where_);
        nodes.extend(course.still());
    }
    nodes.extend(of_network(program, program.walks[id.at()].network));
    nodes
}

/// What tells which links of a network are there.
fn of_network(program: &Flat, network: u32) -> impl Iterator<Item = NodeId> {
    let network = &program.networks[network as usize];
    network.condition.into_iter().chain(network.bindings.guard)
}

struct Finder<'p> {
    program: &'p Flat,
    values: &'p [Values],
    known: Vec<Option<Ends>>,
}

impl Finder<'_> {
    fn node(&mut self, node: NodeId) -> Ends {
        if let Some(known) = self.known[node.at()] {
            return known;
        }
        // What asks itself on the way is not told apart further.
        self.known[node.at()] = Some(Ends::ANYHOW);
        let ends = self.find(node);
        self.known[node.at()] = Some(ends);
        ends
    }

    fn all(&mut self, nodes: impl IntoIterator<Item = NodeId>) -> Ends {
        nodes
            .into_iter()
            .fold(Ends::WELL, |ends, node| ends | self.node(node))
    }

    fn list(&mut self, list: List) -> Ends {
        let program = self.program;
        let nodes = program.listed(list).iter().copied();
        self.all(nodes.filter(|node| *node != ASKED))
    }

    fn body(&mut self, proc: ProcId) -> Ends {
        self.node(self.program.procs[proc.at()].body)
    }

    fn bodies(&mut self, procs: &[ProcId]) -> Ends {
        procs
            .iter()
            .fold(Ends::WELL, |ends, proc| ends | self.body(*proc))
    }

    fn find(&mut self, node: NodeId) -> Ends {
        let p = self.program;
        match p.nodes[node.at()] {
            Node::Local(_)
            | Node::Const(_)
            | Node::Me
            | Node::Starter
            | Node::Cell0(_)
            | Node::Word(_)
            | Node::Finishing
            | Node::Finished
            | Node::Drawn(_)
            | Node::DecisionOf
            | Node::Words(_)
            | Node::OnBoard(_) => Ends::WELL,
            Node::Unwrap(inner, _) => {
                let fails = self.values[inner.at()].none;
                self.node(inner)
                    | Ends {
                        fails,
                        faults: false,
                    }
            }
            Node::Kept(inner, reason) => {
                let (values, kept) = (self.values[inner.at()], kept(p, reason));
                let fails = values.none && !kept.none || !values.lies_in(kept.low, kept.high);
                self.node(inner)
                    | Ends {
                        fails,
                        faults: false,
                    }
            }
            Node::Column(_, a)
            | Node::Not(a)
            | Node::Out(a)
            | Node::IsSome(a)
            | Node::NotEmpty(a)
            | Node::Size(a)
            | Node::TopOf(a)
            | Node::BottomOf(a)
            | Node::First(a)
            | Node::Left(a)
            | Node::Right(a)
            | Node::RowOf(a)
            | Node::ColumnOf(a)
            | Node::Back(a)
            | Node::PositionOfPart(a, _)
            | Node::PositionOfTile(a)
            | Node::RowOfPart(a, _)
            | Node::ColumnWords { row: a, .. } => self.node(a),
            Node::And(a, b)
            | Node::Or(a, b)
            | Node::Implies(a, b)
            | Node::Equal(a, b)
            | Node::NotEqual(a, b)
            | Node::EqualWords(a, b)
            | Node::Less(a, b)
            | Node::LessEqual(a, b)
            | Node::Minimum(a, b)
            | Node::Maximum(a, b)
            | Node::In(a, b)
            | Node::Within(a, b)
            | Node::CountOf(a, b)
            | Node::Next(a, b)
            | Node::PositionAt(a, b)
            | Node::Turned {
                turn: a, value: b, ..
            }
            | Node::TurnedColumn {
                turn: a, row: b, ..
            } => self.all([a, b]),
            Node::InRange(a, b, c) => self.all([a, b, c]),
            Node::If(a, b, c) => self.all([a, b, c]) | self.made(node),
            Node::Otherwise(a, b) => self.all([a, b]) | self.made(node),
            Node::Cell1(slot, index) => self.node(index) | self.outside(slot, &[index]),
            Node::Cell(slot, list) => self.list(list) | self.outside(slot, p.listed(list)),
            Node::Dense(_, list)
            | Node::CellWords(_, list)
            | Node::DenseWords { args: list, .. } => self.list(list),
            Node::Negate(a) => self.node(a) | self.leaves_numbers(node),
            Node::Add(a, b) | Node::Subtract(a, b) | Node::Multiply(a, b) => {
                self.all([a, b]) | self.leaves_numbers(node)
            }
            Node::Divide(a, b) | Node::Remainder(a, b) => {
                let by = self.values[b.at()];
                let zero = by.none || by.low <= 0 && by.high >= 0;
                self.all([a, b]) | Ends::fault_if(zero) | self.leaves_numbers(node)
            }
            Node::Aggregate(id) | Node::Collect(id) => {
                let aggregate = &p.aggregates[id.at()];
                let mut ends = self.all(aggregate.value);
                for binder in &aggregate.binders {
                    ends = ends | self.all(binder_clauses(p, *binder));
                }
                let sums = matches!(aggregate.op, AggregateOp::Sum);
                ends | Ends::fault_if(sums) | self.made(node)
            }
            // There may be no such place.
            Node::At(container, index) => {
                let row = matches!(p.shapes[container.at()], Shape::Row { .. });
                self.all([container, index]) | Ends::fault_if(!row)
            }
            Node::Call(proc, list) => self.list(list) | self.body(proc) | self.made(node),
            // Any formula.
            Node::CallValue(formula, receiver) => {
                self.all([formula, receiver]) | self.bodies(&p.formula_procs) | self.made(node)
            }
            Node::Score(line, player) => {
                self.node(player) | self.body(p.score_procs[line as usize])
            }
            Node::ScoreTotal(player) => self.node(player) | self.bodies(&p.score_procs),
            Node::Winners => self.bodies(&p.score_procs) | self.bodies(&p.win_procs),
            Node::Wins(player, _) | Node::Loses(player, _) => {
                let keys = self.bodies(&p.score_procs) | self.bodies(&p.win_procs);
                self.node(player) | keys
            }
            Node::Joins(network, receiver, a, b) => {
                self.all([receiver, a, b]) | self.all(of_network(p, network))
            }
            Node::Reach(network, receiver, from) => {
                self.all([receiver, from]) | self.all(of_network(p, network)) | self.made(node)
            }
            Node::Repeats(history) => {
                let values = &p.histories[history as usize].values;
                self.all(values.iter().copied())
            }
            // Whether it can be done is asked of a state that is put back.
            Node::Can(_, list) => self.list(list) | Ends::FAULT,
            // From nothing nothing can be drawn.
            Node::Random(container, _) => self.node(container) | Ends::FAULT,
            Node::Shuffled(container, _) => self.node(container) | self.made(node),
            Node::SetOf(list) | Node::BagOf(list) => self.list(list) | self.has_no_room(node, list),
            Node::ListOf(list) => self.list(list),
            Node::Union(a, b)
            | Node::Difference(a, b)
            | Node::Scale(a, b)
            | Node::Numbers(a, b)
            | Node::TurnedSet {
                turn: a, value: b, ..
            } => self.all([a, b]) | self.made(node),
            Node::Convert(a) => {
                let narrower = !lies_in(p.shapes[a.at()], p.shapes[node.at()]);
                self.node(a) | self.made(node) | Ends::fault_if(narrower)
            }
            // A search may take too long, and what is best may be more than a number holds.
            Node::BestWalk(walk) => {
                let code = &p.walks[walk.at()];
                let far = MOST / i64::from(WALK_STEPS_MAX);
                let small = |gain: &Option<NodeId>| {
                    gain.is_none_or(|gain| self.values[gain.at()].lies_in(-far, far - 1))
                };
                let fits = small(&code.max) && code.start.is_none();
                let searched = code.course.is_none();
                self.all(of_walk(p, walk)) | Ends::fault_if(searched || !fits)
            }
            Node::WalkNodes(walk) => self.all(of_walk(p, walk)) | Ends::FAULT | self.made(node),
            Node::Distance(walk) | Node::EndsOfWalk(walk) => {
                let searched = p.walks[walk.at()].course.is_none();
                self.all(of_walk(p, walk)) | Ends::fault_if(searched)
            }
        }
    }

    /// What may not be none is read where it has no place.
    fn outside(&self, cell: Slot, indices: &[NodeId]) -> Ends {
        let optional = self.program.cells[cell.at()].optional;
        let inside = super::values::is_inside(self.program, self.values, cell, indices);
        Ends::fault_if(!optional && !inside)
    }

    /// A number that is put into a set or bag may be none that lies there. Of a bag each second node says how often.
    fn has_no_room(&self, node: NodeId, list: List) -> Ends {
        let p = self.program;
        let shape = p.shapes[node.at()];
        let Some((low, high)) = range(shape) else {
            return Ends::WELL;
        };
        let each = match shape {
            Shape::Bag { .. } => 2,
            Shape::Set { .. }
            | Shape::Scalar
            | Shape::List { .. }
            | Shape::Row { .. }
            | Shape::Agenda { .. } => 1,
        };
        let fits = |item: &NodeId| match p.shapes[item.at()] == Shape::Scalar {
            true => self.values[item.at()].lies_in(low, high),
            false => lies_in(p.shapes[item.at()], shape),
        };
        Ends::fault_if(!p.listed(list).iter().step_by(each).all(fits))
    }

    /// What is put together may be more than there is room for.
    fn made(&self, node: NodeId) -> Ends {
        match self.program.shapes[node.at()] {
            Shape::List { .. } => Ends::FAULT,
            Shape::Scalar
            | Shape::Set { .. }
            | Shape::Bag { .. }
            | Shape::Row { .. }
            | Shape::Agenda { .. } => Ends::WELL,
        }
    }

    /// A number may become too large.
    fn leaves_numbers(&self, node: NodeId) -> Ends {
        Ends::fault_if(self.values[node.at()].may_be_anything())
    }
}

/// Whether all that can lie in a set or bag can lie in another. What lies in a list or row is what its type says.
fn lies_in(one: Shape, other: Shape) -> bool {
    let (Some((low, high)), Some((least, most))) = (range(one), range(other)) else {
        return true;
    };
    low >= least && high <= most
}

/// The first and the last element that can lie in a set or bag.
fn range(shape: Shape) -> Option<(i64, i64)> {
    match shape {
        Shape::Set { n, low } | Shape::Bag { n, low } => {
            Some((i64::from(low), i64::from(low) + i64::from(n) - 1))
        }
        Shape::Scalar | Shape::List { .. } | Shape::Row { .. } | Shape::Agenda { .. } => None,
    }
}
