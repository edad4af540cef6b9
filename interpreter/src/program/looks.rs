//! What spares running: looks at the state as it is, and what is remembered of questions and counts.

use super::{AggregateId, BinderId, Change, List, NodeId, PlaceId, ProcId, SieveId, Slot};
use crate::network::bits;
use std::ops::Range;

/// A test of the state as it is, in place of running instructions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Look {
    /// A condition holds.
    Need(NodeId),
    /// A number stays in its range.
    Fits {
        place: PlaceId,
        value: NodeId,
        change: Change,
    },
    /// The rules that see a number allow its new value.
    Rules {
        place: PlaceId,
        value: NodeId,
        change: Change,
    },
    /// A card lies on top of a deck.
    Top(PlaceId),
    /// The rest is looked at in the frame of this call.
    Enter { proc: ProcId, args: List },
    /// Some answer to this question leads on; `index` of a parameter, which may be given.
    Ask {
        choice: u32,
        index: Option<u32>,
        memo: Option<u32>,
    },
}

/// Looks at the state in place of running on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Glance {
    /// Run of [`Flat::looks`]; empty where only running on tells.
    pub start: u32,
    pub end: u32,
    /// Of the question whose answer leads here.
    pub memo: Option<u32>,
}

/// Locals that a result which is remembered may depend on.
pub const TOTAL_LOCALS: usize = 3;

/// Results that are remembered of one expression at a time.
pub const TOTAL_ENTRIES: u32 = 16;

/// An aggregate or a best walk whose result is remembered: by the locals (and the seat) it depends on, while the words it reads stay.
#[derive(Clone, Debug, PartialEq)]
pub struct Total {
    /// Frame offsets.
    pub locals: [Option<u32>; TOTAL_LOCALS],
    /// It depends on who acts.
    pub seat: bool,
    /// Words that are read, and how many.
    pub runs: Vec<std::ops::Range<u32>>,
    pub len: u32,
    /// Where its results lie among all that are remembered.
    pub first: u32,
}

impl Total {
    /// A result takes: whether there is one, what it depends on, the result, the words.
    pub fn entry_words(&self) -> u32 {
        1 + TOTAL_LOCALS as u32 + 1 + 1 + self.len
    }
}

/// What a formula said of each of its arguments.
#[derive(Clone, Debug)]
pub struct Ledger {
    /// Of each parameter the least value and how many there are.
    pub dims: Vec<(i32, u32)>,
    /// Also who asks for one element, or how many there are, needs the whole set.
    pub whole: bool,
    /// By arguments, the last one fastest.
    pub rows: Vec<LedgerRow>,
    /// Words of the state that results rest on.
    pub words: Vec<u32>,
}

/// A result that is remembered.
#[derive(Clone, Debug)]
pub struct LedgerRow {
    /// Run of the ledger's words.
    pub words: Range<u32>,
    /// Where it lies among all that are remembered: whether it is there, what the words were, the result.
    pub at: u32,
}

/// What is remembered of a question for one of all elements of a table: which pass its conditions and which of those
/// may be taken, until something is written that they read.
#[derive(Clone, Debug, PartialEq)]
pub struct Memo {
    pub choice: u32,
    /// What is looked at behind an answer.
    pub looks: Vec<Look>,
    /// The first so many of these read the element through the same constants only, so that what they say of one they say
    /// of all of its class.
    pub by_class: u32,
    /// The class of each element.
    pub class: Vec<u8>,
    /// The looks by class again, class by class, as tests with what the constants say put in; empty where one is no such test.
    pub tests: Vec<ClassTest>,
    /// All that the looks by class rest on.
    pub reads: Vec<Read>,
    /// Parameters that must not be given: bits as in [`frame::GIVEN`].
    pub asked: i32,
    /// For each seat what remembers of which elements the conditions and the other looks hold.
    pub leading: Option<SieveId>,
    /// The elements of each class, class by class.
    pub members: Vec<u32>,
}

/// A look at elements of one class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClassTest {
    /// The cell, of the acting player if every player has one, stays in its range.
    Fits {
        cell: Slot,
        own: bool,
        change: Change,
        by: i32,
    },
    /// A part of so many pieces, all of the kinds in one of these masks.
    Part {
        binder: BinderId,
        size: i32,
        /// Run of [`CachedMasks::ids`].
        ids: (u32, u32),
    },
}

/// Versions that tell whether a cell is still as it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Read {
    /// Run of the machine's versions.
    pub first: u32,
    pub count: u32,
    /// Of the run only that of the seat that reads.
    pub own: bool,
}

impl Memo {
    /// Word and bit of an element's class.
    #[inline]
    pub fn place(&self, element: i32) -> (usize, u64) {
        let class = self.class[element as usize];
        (usize::from(class / 64), 1 << (class % 64))
    }

    /// Words of a set of elements.
    pub fn width(&self) -> usize {
        bits::words(self.class.len() as u32)
    }

    /// The elements of a class.
    pub fn members(&self, class: u8) -> &[u32] {
        let width = self.width();
        &self.members[usize::from(class) * width..][..width]
    }
}

/// Which elements meet conditions that read cells and nothing else.
#[derive(Clone, Debug)]
pub struct Sieve {
    /// What element 0 is called, and how many there are.
    pub low: i32,
    pub n: u32,
    /// It depends on who acts: each player has one, in the order of the seats.
    pub own: bool,
    /// A condition that is asked part by part.
    pub split: Option<Split>,
    /// The words that are read by many elements.
    pub common: Vec<Range<u32>>,
    /// The words that are read by few.
    pub runs: Vec<Range<u32>>,
    /// Of each of them the first of its `readers`, and the end of the last one's.
    pub firsts: Vec<u32>,
    pub readers: Vec<Reader>,
}

/// An element, counted from 0, whose conditions read a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reader {
    pub element: u32,
    /// A bit for each part of the split condition that does.
    pub parts: u64,
}

impl Sieve {
    /// Visits each word that is read with each element whose conditions read it.
    pub fn each_read(&self, mut visit: impl FnMut(u32, u32)) {
        for word in self.common.iter().cloned().flatten() {
            (0..self.n).for_each(|element| visit(word, element));
        }
        for (at, word) in self.runs.iter().cloned().flatten().enumerate() {
            let readers = self.readers_of(at).iter();
            readers.for_each(|reader| visit(word, reader.element));
        }
    }

    /// Who reads word number `at` of all runs.
    pub fn readers_of(&self, at: usize) -> &[Reader] {
        &self.readers[self.firsts[at] as usize..self.firsts[at + 1] as usize]
    }
}

/// A condition that asks whether one of a few elements, always the same, meets what an aggregate asks of it: as whether in
/// some direction something lies. What is found of each is remembered for itself, since other words tell of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// Which condition of its sieve.
    pub condition: usize,
    /// The formula that says it, if one does.
    pub call: Option<(ProcId, List)>,
    /// Its first binder runs over the parts.
    pub aggregate: AggregateId,
    pub parts: Vec<i32>,
    /// The condition holds where some part does; else where none does.
    pub some: bool,
}
