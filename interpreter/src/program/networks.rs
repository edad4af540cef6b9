//! Networks, walks along them, and the ground that tiles are laid on.

use super::{BinderId, Bindings, Course, NONE, NodeId, ReasonId, SieveId, Slot};
use dsl::ir::Coordinates;
use dsl::source::Span;

/// A network, or one for each owner.
#[derive(Clone, Debug)]
pub struct NetworkCode {
    pub kind: NetworkKind,
    /// How many networks: one, or one for each element of the owner.
    pub owners: u32,
    pub condition: Option<NodeId>,
    /// Each owner with each link.
    pub bindings: Bindings,
    pub nodes: u32,
    pub links: u32,
}

/// What joins the nodes of a network.
#[derive(Clone, Debug)]
pub enum NetworkKind {
    Links {
        graph: crate::network::Graph,
        ends: Vec<(u32, u32)>,
    },
    /// Positions and their neighbours in every direction.
    Neighbours(crate::network::Lattice),
    /// Parts (or whole positions when `parts` is none) that face each other.
    Joins {
        /// The sides or ports of each row as it lies, turn by turn: row × turns + turn.
        ports: Vec<u64>,
        parts: Option<u32>,
        port: bool,
    },
}

/// The clauses of a walk, its words in the frame.
#[derive(Clone, Debug)]
pub struct WalkCode {
    pub network: u32,
    /// Who walks at once; each has one walk or none.
    pub by: Option<Walkers>,
    pub receiver: Option<NodeId>,
    pub from: NodeId,
    pub from_set: bool,
    pub to: Option<(NodeId, bool)>,
    pub up_to: Option<NodeId>,
    pub at_least: Option<NodeId>,
    pub where_: Option<NodeId>,
    /// Why a step is not offered that `where_` forbids.
    pub where_reason: Option<ReasonId>,
    pub need: Option<NodeId>,
    /// `need some(n in nodes where …)` with conditions about `n` alone: its binder.
    pub need_any: Option<BinderId>,
    /// Conditions `fresh or REST or …`, their RESTs about `next` alone; none where anything else looks at the walk's past.
    pub rests: Vec<Vec<NodeId>>,
    /// What the start adds.
    pub start: Option<NodeId>,
    pub max: Option<NodeId>,
    /// Frame offset of the words: here, next, link, side, steps, fresh, unused, onward, straight, arrival, then nodes, then links.
    pub words: u32,
    pub node_words: u32,
    pub link_words: u32,
    pub uses: WordUse,
    /// How its ends are found, where that takes no search.
    pub course: Option<Course>,
    /// Which of the program's totals keeps what the best of it is worth.
    pub total: Option<u32>,
    pub span: Span,
}

/// A plain binder.
#[derive(Clone, Copy, Debug)]
pub struct Walkers {
    pub binder: BinderId,
    /// A clause looks at who walks.
    pub read: bool,
}

/// Which words the clauses of a walk read: tells the search what it may forget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordUse {
    /// `nodes` or `fresh`, in `where` or `max`.
    pub visited: bool,
    /// `max` reads `fresh`, `nodes`.
    pub gain_fresh: bool,
    pub gain_nodes: bool,
    /// `unused`
    pub links: bool,
    /// `side`, `onward`, `straight`
    pub direction: bool,
    pub steps: bool,
    /// `need` reads more than `nodes`.
    pub need_more: bool,
}

/// Offsets of the words of a walk from [`WalkCode::words`].
pub mod walk_word {
    /// The node a step leads from.
    pub const HERE: u32 = 0;
    /// The node it leads to.
    pub const NEXT: u32 = 1;
    /// The link it takes.
    pub const LINK: u32 = 2;
    /// The direction it has.
    pub const SIDE: u32 = 3;
    /// How many steps were taken before.
    pub const STEPS: u32 = 4;
    /// The walk was not at that node before.
    pub const FRESH: u32 = 5;
    /// The walk did not take that link before.
    pub const UNUSED: u32 = 6;
    /// It does not go back where it came from.
    pub const ONWARD: u32 = 7;
    /// It keeps its direction.
    pub const STRAIGHT: u32 = 8;
    /// Link and side one came by, for `onward` and `straight`.
    pub const ARRIVAL_LINK: u32 = 9;
    /// See [`ARRIVAL_LINK`].
    pub const ARRIVAL_SIDE: u32 = 10;
    /// Behind them lie the sets of nodes and of links.
    pub const SETS: u32 = 11;
}

/// The tiling's geometry.
#[derive(Clone, Debug, Default)]
pub struct TilingCode {
    pub positions: u32,
    /// `next[position * directions + direction]`, [`NONE`] off the ground. Sides come first.
    pub next: Vec<i32>,
    pub sides: u32,
    pub directions: u32,
    /// `ways[from * positions + to]`: a bit for each direction that leads straight on from one place to another. Empty where
    /// walks may come back to where they were, and where there are very many places.
    pub ways: Vec<u64>,
    pub back: Vec<i32>,
    pub rows: Vec<i32>,
    pub columns: Vec<i32>,
    /// Row and column in which each direction is one step.
    pub straight: Vec<Coordinates>,
    pub by_place: PlaceIndex,
    pub turns: u32,
    /// Cells that hold the tile and its turn.
    pub tile_cell: Option<Slot>,
    pub turn_cell: Option<Slot>,
    /// Side `s` of a tile turned `t` times: `turned_side[t * directions + s]`; ports likewise.
    pub turned_side: Vec<i32>,
    pub turned_port: Vec<i32>,
    /// The side a port lies on, and the port it meets.
    pub port_side: Vec<u32>,
    pub port_faces: Vec<u32>,
    /// What remembers where tiles lie.
    pub laid: Option<SieveId>,
    /// Columns of sides and ports as turned tiles show them: base of the column, base of the table of all turns.
    pub turned_columns: Vec<(u32, u32)>,
    /// For each table that can be a part: greatest number on a tile, and for each tile the run of its rows.
    pub parts: Vec<PartsCode>,
}

impl TilingCode {
    /// The place of the ground that a value is.
    pub fn place(&self, value: i32) -> Option<u32> {
        u32::try_from(value).ok().filter(|at| *at < self.positions)
    }

    /// A side or port of a tile that is turned so often (less than a full turn).
    pub fn turned(&self, turn: usize, value: usize, port: bool) -> Option<i32> {
        if port {
            self.turned_port
                .get(turn * self.port_side.len() + value)
                .copied()
        } else {
            self.turned_side
                .get(turn * self.directions as usize + value)
                .copied()
        }
    }
}

/// Positions by row and column.
#[derive(Clone, Debug, Default)]
pub struct PlaceIndex {
    low: (i32, i32),
    size: (u32, u32),
    /// By (row - low) * width + column - low; [`NONE`] where no place is.
    by_place: Vec<i32>,
}

impl PlaceIndex {
    /// Of places in the order of their positions.
    pub fn new(places: impl Iterator<Item = Coordinates> + Clone) -> PlaceIndex {
        let rows = places.clone().map(|at| at.0);
        let columns = places.clone().map(|at| at.1);
        let low = (
            rows.clone().min().unwrap_or(0),
            columns.clone().min().unwrap_or(0),
        );
        let high = (rows.max().unwrap_or(0), columns.max().unwrap_or(0));
        let size = ((high.0 - low.0 + 1) as u32, (high.1 - low.1 + 1) as u32);
        let mut index = PlaceIndex {
            low,
            size,
            by_place: vec![NONE; (size.0 * size.1) as usize],
        };
        for (position, (row, column)) in places.enumerate() {
            if let Some(at) = index.at(row, column) {
                index.by_place[at] = position as i32;
            }
        }
        index
    }

    fn at(&self, row: i32, column: i32) -> Option<usize> {
        let row = u32::try_from(row.checked_sub(self.low.0)?).ok()?;
        let column = u32::try_from(column.checked_sub(self.low.1)?).ok()?;
        (row < self.size.0 && column < self.size.1).then_some((row * self.size.1 + column) as usize)
    }

    /// The position with these coordinates; [`NONE`]: there is none.
    #[inline]
    pub fn find(&self, row: i32, column: i32) -> i32 {
        self.at(row, column).map_or(NONE, |at| self.by_place[at])
    }
}

/// The parts of a tile, rows of a table of their own.
#[derive(Clone, Debug)]
pub struct PartsCode {
    pub table: dsl::ir::TableId,
    pub max: u32,
    /// For each tile: first row and number of rows.
    pub rows: Vec<(u32, u32)>,
}
