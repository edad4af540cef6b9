//! In which range the value of an expression lies.

use crate::program::*;
use dsl::ir::AggregateOp;
use std::collections::BTreeMap;

/// What a scalar may be: a number from `low` to `high`, both included, or `none`. What is not yet seen is nothing of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Values {
    pub low: i64,
    pub high: i64,
    pub none: bool,
}

const LEAST: i64 = UNKNOWN as i64 + 1;
pub(super) const MOST: i64 = i32::MAX as i64;

impl Values {
    pub const ANY: Values = Values {
        low: LEAST,
        high: MOST,
        none: true,
    };
    const TRUTH: Values = Values::from(0, 1);
    const NATURAL: Values = Values::from(0, MOST);
    const NUMBER: Values = Values::from(LEAST, MOST);
    const NONE: Values = Values {
        low: 1,
        high: 0,
        none: true,
    };

    const fn from(low: i64, high: i64) -> Values {
        Values {
            low,
            high,
            none: false,
        }
    }

    fn one(value: i32) -> Values {
        match value {
            NONE => Values::NONE,
            _ => Values::from(value.into(), value.into()),
        }
    }

    /// So many elements, the first of which is called `low`.
    fn among(low: i32, n: u32) -> Values {
        Values::from(low.into(), i64::from(low) + i64::from(n) - 1)
    }

    fn or_none(self) -> Values {
        Values { none: true, ..self }
    }

    pub fn some(self) -> Values {
        Values {
            none: false,
            ..self
        }
    }

    fn join(self, other: Values) -> Values {
        if self.low > self.high {
            return Values {
                none: true,
                ..other
            };
        }
        if other.low > other.high {
            return self.or_none();
        }
        Values {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            none: self.none || other.none,
        }
    }

    fn meet(self, other: Values) -> Values {
        Values {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            none: self.none && other.none,
        }
    }

    /// Both are numbers for certain.
    fn numbers(self, other: Values) -> bool {
        !self.none && !other.none
    }

    pub fn lies_in(self, low: i64, high: i64) -> bool {
        low <= self.low && self.high <= high
    }

    /// Nothing is known of it: where it is computed it may leave the numbers there are.
    pub fn may_be_anything(self) -> bool {
        self.low == LEAST && self.high == MOST
    }

    /// A number that an operation makes, if none leaves the numbers there are.
    fn made(low: i64, high: i64) -> Values {
        let made = Values::from(low, high);
        if made.lies_in(LEAST, MOST) {
            made
        } else {
            Values::NUMBER
        }
    }
}

/// Where the value of a local comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Origin {
    /// One of so many elements, the first of which is called `low`.
    Among { low: i32, n: u32 },
    /// Something that lies in a container, or was given as what is never none.
    Item,
    /// A number between these, both included.
    Between(NodeId, NodeId),
    /// What this comes to.
    Value(NodeId),
    /// The same, where it is known not to be none.
    Something(NodeId),
}

/// What the rules tell of nodes beyond what they are made of.
#[derive(Default)]
pub(crate) struct Hints {
    /// Of locals where their values come from.
    pub origins: BTreeMap<NodeId, Origin>,
    /// Of elements what the first is called and how many there are.
    pub elements: BTreeMap<NodeId, (i32, u32)>,
}

/// The values of all nodes. From anything on each pass leaves fewer: what formulas say, and what is said of them.
pub(super) fn of_all(program: &Flat, hints: &Hints) -> Vec<Values> {
    const PASSES: usize = 3;
    let mut finder = Finder {
        program,
        hints,
        known: vec![Values::ANY; program.nodes.len()],
        columns: Default::default(),
    };
    for _ in 0..PASSES {
        for at in 0..program.nodes.len() {
            let node = NodeId(at as u32);
            if program.shapes[at] == Shape::Scalar {
                let values = finder.of(node);
                finder.known[at] = match hints.elements.get(&node) {
                    // An element of a domain, as its type tells.
                    Some((low, n)) => Values {
                        none: values.none,
                        ..values.meet(Values::among(*low, *n))
                    },
                    None => values,
                };
            }
        }
    }
    finder.known
}

pub(super) fn is_inside(program: &Flat, known: &[Values], cell: Slot, indices: &[NodeId]) -> bool {
    let dims = &program.cells[cell.at()].dims;
    indices.len() == dims.len()
        && indices.iter().zip(dims).all(|(index, (low, n, _))| {
            let values = known[index.at()];
            let (low, n) = (i64::from(*low), i64::from(*n));
            !values.none && values.lies_in(low, low + n - 1)
        })
}

struct Finder<'p> {
    program: &'p Flat,
    hints: &'p Hints,
    known: Vec<Values>,
    /// Of columns, by their first constant.
    columns: BTreeMap<u32, Values>,
}

/// What a number is that must lie where a reason says.
pub(super) fn kept(program: &Flat, reason: ReasonId) -> Values {
    let ReasonKind::Outside {
        low,
        high,
        optional,
    } = program.reasons[reason.at()].kind
    else {
        return Values::ANY;
    };
    Values {
        low: low.map_or(LEAST, i64::from),
        high: high.map_or(MOST, i64::from),
        none: optional,
    }
}

impl Finder<'_> {
    fn at(&self, node: NodeId) -> Values {
        self.known[node.at()]
    }

    fn of(&mut self, node: NodeId) -> Values {
        let p = self.program;
        let seats = Values::among(0, p.players);
        match p.nodes[node.at()] {
            Node::Local(_) => match self.hints.origins.get(&node) {
                Some(Origin::Among { low, n }) => Values::among(*low, *n),
                Some(Origin::Item) => Values::NUMBER,
                Some(Origin::Between(low, high)) => {
                    let (low, high) = (self.at(*low), self.at(*high));
                    match low.numbers(high) {
                        true => Values::from(low.low, high.high),
                        false => Values::NUMBER,
                    }
                }
                Some(Origin::Value(value)) => self.at(*value),
                Some(Origin::Something(value)) => self.at(*value).some(),
                None => Values::ANY,
            },
            Node::If(_, yes, no) => self.at(yes).join(self.at(no)),
            Node::Otherwise(value, other) => {
                let value = self.at(value);
                match value.none {
                    true => value.some().join(self.at(other)),
                    false => value,
                }
            }
            Node::Unwrap(inner, _) => self.at(inner).some(),
            Node::Kept(inner, reason) => self.at(inner).meet(kept(p, reason)),
            Node::Call(proc, _) => self.at(p.procs[proc.at()].body),
            Node::Const(value) => Values::one(value),
            Node::Me | Node::Starter => seats,
            Node::DecisionOf => seats.or_none(),
            Node::Left(player) | Node::Right(player) => match self.at(player) {
                player if !player.none && player.lies_in(seats.low, seats.high) => seats,
                _ => Values::ANY,
            },
            Node::Column(base, row) => self.column(base, row),
            Node::Dense(dense, args) => self.dense(dense, args),
            Node::Cell0(word) => {
                let cell = p.cell_at(word);
                cell.map_or(Values::ANY, |slot| self.cell(&p.cells[slot.at()]))
            }
            // Outside of it there is none, or the rules are at fault.
            Node::Cell1(slot, _) | Node::Cell(slot, _) => self.cell(&p.cells[slot.at()]),
            Node::Not(_)
            | Node::IsSome(_)
            | Node::NotEmpty(_)
            | Node::And(..)
            | Node::Or(..)
            | Node::Implies(..)
            | Node::Equal(..)
            | Node::NotEqual(..)
            | Node::EqualWords(..)
            | Node::Less(..)
            | Node::LessEqual(..)
            | Node::In(..)
            | Node::InRange(..)
            | Node::Within(..)
            | Node::Joins(..)
            | Node::Finishing
            | Node::Finished
            | Node::Out(_)
            | Node::Wins(..)
            | Node::Loses(..)
            | Node::Drawn(_)
            | Node::Can(..) => Values::TRUTH,
            Node::Negate(a) => {
                let a = self.at(a);
                match a.none {
                    true => Values::ANY,
                    false => Values::made(-a.high, -a.low),
                }
            }
            Node::Add(a, b) => self.of_two(a, b, |a, b| (a.low + b.low, a.high + b.high)),
            Node::Subtract(a, b) => self.of_two(a, b, |a, b| (a.low - b.high, a.high - b.low)),
            Node::Multiply(a, b) => self.of_two(a, b, |a, b| {
                let all = [
                    a.low * b.low,
                    a.low * b.high,
                    a.high * b.low,
                    a.high * b.high,
                ];
                (least(&all), most(&all))
            }),
            // No further from 0 than what is divided, but for the one that rounding adds.
            Node::Divide(a, b) => self.of_two(a, b, |a, _| {
                let far = a.low.abs().max(a.high.abs());
                (if a.low >= 0 { -far } else { -far - 1 }, far)
            }),
            Node::Remainder(a, b) => self.of_two(a, b, |_, b| {
                let far = b.low.abs().max(b.high.abs());
                (-far, far)
            }),
            Node::Minimum(a, b) => self.of_two(a, b, |a, b| (a.low.min(b.low), a.high.min(b.high))),
            Node::Maximum(a, b) => self.of_two(a, b, |a, b| (a.low.max(b.low), a.high.max(b.high))),
            Node::Aggregate(id) => self.aggregate(&p.aggregates[id.at()]),
            Node::Size(container) => match p.shapes[container.at()] {
                // Those that are not seen count beside those that are.
                Shape::Set { n, .. } => Values::among(0, n.saturating_mul(2).saturating_add(1)),
                Shape::Row { n } => Values::among(0, n.saturating_add(1)),
                Shape::List { cap, .. } => Values::among(0, cap.saturating_add(1)),
                Shape::Bag { .. } | Shape::Agenda { .. } | Shape::Scalar => Values::NATURAL,
            },
            Node::CountOf(..) | Node::Word(_) | Node::Repeats(_) => Values::NATURAL,
            Node::First(container) | Node::Random(container, _) => {
                self.in_container(container).or_none()
            }
            Node::At(container, _) => self.in_container(container).or_none(),
            Node::Next(..) | Node::PositionAt(..) => {
                let positions = p.tiling.as_ref().map_or(0, |t| t.positions);
                Values::among(0, positions).or_none()
            }
            Node::CallValue(..)
            | Node::TopOf(_)
            | Node::BottomOf(_)
            | Node::Score(..)
            | Node::ScoreTotal(_)
            | Node::RowOf(_)
            | Node::ColumnOf(_)
            | Node::Back(_)
            | Node::PositionOfPart(..)
            | Node::PositionOfTile(_)
            | Node::RowOfPart(..)
            | Node::Turned { .. }
            | Node::BestWalk(_)
            | Node::Distance(_) => Values::ANY,
            // Containers.
            Node::Words(_)
            | Node::ColumnWords { .. }
            | Node::DenseWords { .. }
            | Node::CellWords(..)
            | Node::SetOf(_)
            | Node::BagOf(_)
            | Node::ListOf(_)
            | Node::Union(..)
            | Node::Difference(..)
            | Node::Scale(..)
            | Node::Collect(_)
            | Node::Convert(_)
            | Node::Reach(..)
            | Node::Numbers(..)
            | Node::OnBoard(_)
            | Node::TurnedSet { .. }
            | Node::TurnedColumn { .. }
            | Node::WalkNodes(_)
            | Node::EndsOfWalk(_)
            | Node::Shuffled(..)
            | Node::Winners => Values::ANY,
        }
    }

    fn of_two(
        &self,
        a: NodeId,
        b: NodeId,
        ends: impl FnOnce(Values, Values) -> (i64, i64),
    ) -> Values {
        let (a, b) = (self.at(a), self.at(b));
        if !a.numbers(b) {
            return Values::ANY;
        }
        let (low, high) = ends(a, b);
        Values::made(low, high)
    }

    fn in_container(&self, container: NodeId) -> Values {
        match self.program.shapes[container.at()] {
            Shape::Set { n, low } | Shape::Bag { n, low } => Values::among(low, n),
            Shape::Scalar | Shape::List { .. } | Shape::Row { .. } | Shape::Agenda { .. } => {
                Values::ANY
            }
        }
    }

    fn column(&mut self, base: u32, row: NodeId) -> Values {
        let p = self.program;
        let Some(rows) = p.column_rows.get(&base) else {
            return Values::ANY;
        };
        let column = *self.columns.entry(base).or_insert_with(|| {
            let words = &p.consts[base as usize..(base + rows) as usize];
            of_words(words)
        });
        let row = self.at(row);
        match !row.none && row.lies_in(0, i64::from(*rows) - 1) {
            true => column,
            false => column.or_none(),
        }
    }

    fn dense(&mut self, dense: DenseId, args: List) -> Values {
        let p = self.program;
        let dense = &p.dense[dense.at()];
        let len: u32 = dense.dims.iter().map(|(_, n)| n).product();
        let all = *self.columns.entry(dense.base).or_insert_with(|| {
            of_words(&p.consts[dense.base as usize..(dense.base + len) as usize])
        });
        let inside = p
            .listed(args)
            .iter()
            .zip(&dense.dims)
            .all(|(arg, (low, n))| {
                let arg = self.known[arg.at()];
                let low = i64::from(*low);
                !arg.none && arg.lies_in(low, low + i64::from(*n) - 1)
            });
        match inside {
            true => all,
            false => all.or_none(),
        }
    }

    /// What a write lets into a cell.
    fn cell(&self, cell: &CellLayout) -> Values {
        if cell.shape != Shape::Scalar {
            return Values::ANY;
        }
        let slots = |base: u32| &self.program.consts[base as usize..(base + cell.slots) as usize];
        let low = match cell.low {
            Bound::Const(low) => low.into(),
            Bound::PerSlot(base) => of_words(slots(base)).low,
            Bound::PerPart { .. } => LEAST,
        };
        let high = match cell.high {
            Bound::Const(high) => high.into(),
            Bound::PerSlot(base) => of_words(slots(base)).high,
            Bound::PerPart { .. } => MOST,
        };
        Values {
            low,
            high,
            none: cell.optional,
        }
    }

    fn aggregate(&self, aggregate: &Aggregate) -> Values {
        // Without a value of its own it is the element that is taken.
        let value = aggregate.value.map_or(Values::ANY, |value| self.at(value));
        match aggregate.op {
            AggregateOp::Some | AggregateOp::No | AggregateOp::Every => Values::TRUTH,
            AggregateOp::Count => Values::NATURAL,
            AggregateOp::Sum => match !value.none && value.low >= 0 {
                true => Values::NATURAL,
                false => Values::NUMBER,
            },
            // Of nothing it is 0.
            AggregateOp::Min | AggregateOp::Max => value.join(Values::from(0, 0)),
            AggregateOp::First => value.or_none(),
            AggregateOp::Set | AggregateOp::Bag | AggregateOp::List => Values::ANY,
        }
    }
}

fn of_words(words: &[i32]) -> Values {
    let values = words.iter().map(|word| Values::one(*word));
    values.reduce(Values::join).unwrap_or(Values::NONE)
}

fn least(values: &[i64]) -> i64 {
    values.iter().copied().min().unwrap_or(LEAST)
}

fn most(values: &[i64]) -> i64 {
    values.iter().copied().max().unwrap_or(MOST)
}
