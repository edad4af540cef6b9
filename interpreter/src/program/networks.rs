//! Networks, walks along them, and the ground that tiles are laid on.

use super::{BinderId, Bindings, NodeId, ReasonId, SieveId, Slot};
use dsl::source::Span;

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

#[derive(Clone, Debug)]
pub enum NetworkKind {
    Links {
        graph: crate::network::Graph,
        ends: Vec<(u32, u32)>,
    },
    /// Positions and their neighbours in every direction.
    Neighbours(crate::network::Lattice),
    /// Parts (or whole positions when `parts` is none) that face each other by the column at `base`.
    Joins {
        column: u32,
        stride: u32,
        parts: Option<u32>,
        port: bool,
    },
}

/// The clauses of a walk, its words in the frame.
#[derive(Clone, Debug)]
pub struct WalkCode {
    pub network: u32,
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
    pub span: Span,
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
    pub const HERE: u32 = 0;
    pub const NEXT: u32 = 1;
    pub const LINK: u32 = 2;
    pub const SIDE: u32 = 3;
    pub const STEPS: u32 = 4;
    pub const FRESH: u32 = 5;
    pub const UNUSED: u32 = 6;
    pub const ONWARD: u32 = 7;
    pub const STRAIGHT: u32 = 8;
    /// Link and side one came by, for `onward` and `straight`.
    pub const ARRIVAL_LINK: u32 = 9;
    pub const ARRIVAL_SIDE: u32 = 10;
    pub const SETS: u32 = 11;
}

/// The tiling's geometry.
#[derive(Clone, Debug, Default)]
pub struct TilingCode {
    pub positions: u32,
    /// `next[position * directions + direction]`, [`NONE`] off the ground.
    pub next: Vec<i32>,
    pub directions: u32,
    pub back: Vec<i32>,
    pub rows: Vec<i32>,
    pub columns: Vec<i32>,
    /// Position by (row - low) * width + column - low.
    pub by_place: Vec<i32>,
    pub place_low: (i32, i32),
    pub place_size: (u32, u32),
    pub turns: u32,
    /// Cells that hold the tile and its turn.
    pub tile_cell: Option<Slot>,
    pub turn_cell: Option<Slot>,
    /// Side `s` of a tile turned `t` times: `turned_side[t * 8 + s]`; ports likewise.
    pub turned_side: Vec<i32>,
    pub turned_port: Vec<i32>,
    /// Facing ports, and the side a port lies on.
    pub port_side: Vec<i32>,
    pub port_faces: Vec<i32>,
    /// What remembers where tiles lie.
    pub laid: Option<SieveId>,
    /// Columns of sides and ports as turned tiles show them: base of the column, base of the table of all turns.
    pub turned_columns: Vec<(u32, u32)>,
    /// For each table that can be a part: greatest number on a tile, and for each tile the run of its rows.
    pub parts: Vec<PartsCode>,
}

impl TilingCode {
    /// A side or port of a tile that is turned so often (less than a full turn).
    pub fn turned(&self, turn: usize, value: usize, port: bool) -> Option<i32> {
        if port {
            self.turned_port.get(turn * 8 + value).copied()
        } else {
            self.turned_side.get(turn * 16 + value).copied()
        }
    }
}

#[derive(Clone, Debug)]
pub struct PartsCode {
    pub table: dsl::ir::TableId,
    pub max: u32,
    /// For each tile: first row and number of rows.
    pub rows: Vec<(u32, u32)>,
}
