//! How values lie in memory, cells, and cells as targets.

use super::{AGENDA_MAX, List, NONE, NodeId, PlaceId, ReasonId, Slot};
use dsl::source::Span;

/// How a value lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One word.
    Scalar,
    /// A bit for each element; `low` is what element 0 is called (numbers).
    Set {
        /// Elements there are.
        n: u32,
        /// The first of them.
        low: i32,
    },
    /// A counter for each kind.
    Bag {
        /// Kinds there are.
        n: u32,
        /// The first of them.
        low: i32,
    },
    /// Length, then items.
    List {
        /// Items it has room for.
        cap: u32,
        /// It is a deck: the one on top comes first and lies at the end.
        deck: bool,
    },
    /// Places, [`NONE`] is a gap.
    Row {
        /// Places.
        n: u32,
    },
    /// Count, then entries of `width` words.
    Agenda {
        /// Words of an entry.
        width: u32,
    },
}

/// What lies in the words of a list or a deck, in its order: a deck's top card first.
pub(crate) fn list_items(words: &[i32], deck: bool) -> impl Iterator<Item = i32> {
    let len = words.first().copied().unwrap_or(0).max(0) as usize;
    let items = words.get(1..).unwrap_or_default();
    let items = &items[..len.min(items.len())];
    (0..items.len()).map(move |at| items[if deck { items.len() - 1 - at } else { at }])
}

impl Shape {
    /// Words that a value of it takes, without what is not seen.
    #[inline]
    pub fn words(self) -> usize {
        match self {
            Shape::Scalar => 1,
            Shape::Set { n, .. } => n.div_ceil(32) as usize,
            Shape::Bag { n, .. } => n as usize,
            Shape::List { cap, .. } => 1 + cap as usize,
            Shape::Row { n } => n as usize,
            Shape::Agenda { width } => 1 + AGENDA_MAX * width as usize,
        }
    }

    /// A list of which the one on top comes first.
    #[inline]
    pub fn is_deck(self) -> bool {
        matches!(self, Shape::List { deck: true, .. })
    }

    /// What stands where there is no element.
    #[inline]
    pub fn empty_word(self) -> i32 {
        match self {
            Shape::Row { .. } => NONE,
            Shape::Scalar
            | Shape::Set { .. }
            | Shape::Bag { .. }
            | Shape::List { .. }
            | Shape::Agenda { .. } => 0,
        }
    }

    /// The least and the greatest number that has its place in it.
    pub fn numbers(self) -> (i32, i32) {
        match self {
            Shape::Set { n, low } | Shape::Bag { n, low } => {
                let last = i64::from(low) + i64::from(n) - 1;
                (low, last.min(i32::MAX.into()) as i32)
            }
            _ => (i32::MIN, i32::MAX),
        }
    }

    /// Words in the state: sets and bags count what is in them unseen behind.
    pub fn state_words(self) -> usize {
        match self {
            Shape::Set { .. } | Shape::Bag { .. } => self.words() + 1,
            _ => self.words(),
        }
    }
}

/// The least or the greatest number that a cell holds, or how many pieces it has room for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    Const(i32),
    /// `consts[base + slot number]`
    PerSlot(u32),
    /// Of parts lying on the tiling: `consts[base + row * rest + slot number % rest]`.
    PerPart {
        base: u32,
        rest: u32,
        parts: u32,
    },
}

/// A state variable's place in the block.
#[derive(Clone, Debug)]
pub struct CellLayout {
    pub name: String,
    /// First word of slot 0.
    pub base: u32,
    pub shape: Shape,
    /// Words of one slot.
    pub words: u32,
    /// Lowest value, number of values and stride in slots of owner and indices.
    pub dims: Vec<(i32, u32, u32)>,
    pub slots: u32,
    pub low: Bound,
    pub high: Bound,
    /// Pieces or items a container slot can hold.
    pub capacity: Bound,
    /// What gives it more room, where no bound was declared.
    pub more_room: String,
    pub optional: bool,
    /// Value at the start: for each slot.
    pub start: Start,
    pub hidden: bool,
    pub private: Option<dsl::ir::Private>,
    pub top_shown: bool,
    /// Not even whether something is there is seen.
    pub conceals: bool,
    /// For each row the first that looks the same: others see so much of what lies in it.
    pub looks: Option<Vec<i32>>,
    /// Which of `dims` is the player whose it is.
    pub owner: Option<usize>,
    /// Belongs to a running step or action: private to the seat that is asked.
    pub passing: bool,
    /// What lies in it, if it can hold pieces.
    pub holds: Option<dsl::ir::Domain>,
    /// Lowest value and number of values of a word that it holds, as far as its type tells.
    pub values: Option<(i32, u32)>,
    pub reason: ReasonId,
    /// Code locals' frame offsets: owner, then indices.
    pub start_locals: Vec<u32>,
    pub frame_words: u32,
    /// Key of its chance streams.
    pub stream: u32,
    pub refill: Option<PlaceId>,
    pub fill: Option<PlaceId>,
}

/// What a cell holds at first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Start {
    Fill(i32),
    Eval(NodeId),
}

/// A cell as a target.
#[derive(Clone, Debug)]
pub struct Place {
    pub cell: Slot,
    pub args: List,
    pub element: Option<NodeId>,
    pub shape: Shape,
    pub span: Span,
    /// A write may have to be followed by refilling.
    pub feeds: bool,
    /// Some `repeats` compares the cell.
    pub compared: bool,
    /// How the address is known without evaluating anything, if it is.
    pub by: Option<By>,
}

/// What tells the address of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The cell has no index, and all of it is meant.
    Nothing {
        word: u32,
    },
    /// One index, which stands in a register of the machine.
    Me(Axis),
    Local(u32, Axis),
}

/// Where the slots of a cell with one index lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    pub base: u32,
    /// Words of each slot.
    pub words: u32,
    /// Lowest index and number of indices.
    pub low: i32,
    pub n: u32,
}

impl Axis {
    /// The first word of a slot, if there is such an index.
    #[inline]
    pub fn word(self, index: i32) -> Option<usize> {
        let at = index.wrapping_sub(self.low) as u32;
        (at < self.n).then(|| (self.base + at * self.words) as usize)
    }
}
