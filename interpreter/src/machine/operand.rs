//! What formulas read most: constants, locals, cells and columns. A function that evaluates a node is made once for each
//! kind of its operands, so that it reads them without asking what they are.

use super::Machine;
use crate::Program;
use crate::program::*;
use dsl::ir::number;

/// Up to three words that say which constant, local or cell an operand is.
pub(super) type Args = [u32; 3];

/// The kinds there are, as values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Const,
    Local,
    Me,
    Cell,
    CellOfMe,
    CellOfLocal,
    ColumnOfLocal,
    Inner,
}

/// A kind of operand, as a type.
pub(super) trait Operand {
    fn read(machine: &mut Machine<'_>, args: &Args) -> i32;
}

/// A constant.
pub(super) struct Const;
/// An offset in the frame.
pub(super) struct Local;
/// The acting player.
pub(super) struct Me;
/// A word of the state.
pub(super) struct Cell;
/// `index`, first word and number of a cell's slots.
pub(super) struct CellOfMe;
pub(super) struct CellOfLocal;
/// An offset in the frame, and the column's first constant.
pub(super) struct ColumnOfLocal;
/// Any other node.
pub(super) struct Inner;

/// The function made for a kind, with further types before it.
macro_rules! by_kind {
    ($kind:expr, $function:ident $(, $before:ty)*) => {
        match $kind {
            Kind::Const => $function::<$($before,)* operand::Const>,
            Kind::Local => $function::<$($before,)* operand::Local>,
            Kind::Me => $function::<$($before,)* operand::Me>,
            Kind::Cell => $function::<$($before,)* operand::Cell>,
            Kind::CellOfMe => $function::<$($before,)* operand::CellOfMe>,
            Kind::CellOfLocal => $function::<$($before,)* operand::CellOfLocal>,
            Kind::ColumnOfLocal => $function::<$($before,)* operand::ColumnOfLocal>,
            Kind::Inner => $function::<$($before,)* operand::Inner>,
        }
    };
}
pub(super) use by_kind;

/// The kind a node is of when it stands as an operand.
pub(super) fn kind_of(program: &Program, node: NodeId) -> (Kind, Args) {
    let index = |node: NodeId| program.nodes[node.at()];
    match program.nodes[node.at()] {
        Node::Const(value) => (Kind::Const, [value as u32, 0, 0]),
        Node::Local(at) => (Kind::Local, [at, 0, 0]),
        Node::Me => (Kind::Me, [0; 3]),
        Node::Cell0(word) => (Kind::Cell, [word, 0, 0]),
        Node::Column(base, row) => match index(row) {
            Node::Local(at) => (Kind::ColumnOfLocal, [at, base, 0]),
            _ => (Kind::Inner, [node.0, 0, 0]),
        },
        Node::Cell1(slot, by) => {
            let cell = &program.cells[slot.at()];
            match (cell.dims[0], index(by)) {
                ((0, n, _), Node::Me) => (Kind::CellOfMe, [0, cell.base, n]),
                ((0, n, _), Node::Local(at)) => (Kind::CellOfLocal, [at, cell.base, n]),
                _ => (Kind::Inner, [node.0, 0, 0]),
            }
        }
        _ => (Kind::Inner, [node.0, 0, 0]),
    }
}

impl Operand for Const {
    #[inline(always)]
    fn read(_: &mut Machine<'_>, args: &Args) -> i32 {
        args[0] as i32
    }
}

impl Operand for Local {
    #[inline(always)]
    fn read(machine: &mut Machine<'_>, args: &Args) -> i32 {
        machine.m[machine.fp + args[0] as usize]
    }
}

impl Operand for Me {
    #[inline(always)]
    fn read(machine: &mut Machine<'_>, _: &Args) -> i32 {
        machine.me
    }
}

impl Operand for Cell {
    #[inline(always)]
    fn read(machine: &mut Machine<'_>, args: &Args) -> i32 {
        machine.known(args[0] as usize)
    }
}

impl Operand for CellOfMe {
    #[inline(always)]
    fn read(machine: &mut Machine<'_>, args: &Args) -> i32 {
        machine.slot_value(machine.me as u32, args[1], args[2])
    }
}

impl Operand for CellOfLocal {
    #[inline(always)]
    fn read(machine: &mut Machine<'_>, args: &Args) -> i32 {
        let index = machine.m[machine.fp + args[0] as usize];
        machine.slot_value(index as u32, args[1], args[2])
    }
}

impl Operand for ColumnOfLocal {
    #[inline(always)]
    fn read(machine: &mut Machine<'_>, args: &Args) -> i32 {
        let row = machine.m[machine.fp + args[0] as usize];
        machine.column_value(row, args[1])
    }
}

impl Operand for Inner {
    #[inline(always)]
    fn read(machine: &mut Machine<'_>, args: &Args) -> i32 {
        machine.ev(NodeId(args[0]))
    }
}

impl Machine<'_> {
    /// The value of a cell's slot. The slots of a scalar are single words.
    #[inline(always)]
    pub(super) fn slot_value(&mut self, slot: u32, base: u32, slots: u32) -> i32 {
        if slot < slots {
            self.known((base + slot) as usize)
        } else {
            let cell = self.p.cell_at(base);
            self.outside(cell.map_or(0, Slot::at))
        }
    }

    /// A cell is read where it has no place: none if it may be, otherwise a mistake of the rules.
    #[cold]
    pub(super) fn outside(&mut self, cell: usize) -> i32 {
        let cell = &self.p.cells[cell];
        if cell.optional {
            return NONE;
        }
        let message = format!("`{}` is read where it has no place", cell.name);
        let span = self.here();
        self.broken(span, message);
        0
    }

    /// The value of a column in a row; none if there is no row.
    #[inline(always)]
    pub(super) fn column_value(&self, row: i32, base: u32) -> i32 {
        if row < 0 {
            return NONE;
        }
        let at = (base + row as u32) as usize;
        self.p.consts.get(at).copied().unwrap_or(NONE)
    }

    /// A state word that is read; what was not yet seen ends the way.
    #[inline(always)]
    pub(super) fn known(&mut self, word: usize) -> i32 {
        match self.seen(word) {
            Some(value) => value,
            None => self.unknown(),
        }
    }

    /// A state word, if it was seen.
    #[inline(always)]
    pub(super) fn seen(&self, word: usize) -> Option<i32> {
        Some(self.m[word]).filter(|value| *value != UNKNOWN)
    }

    /// What a number becomes; none where it is none or not seen, or becomes too large.
    pub(super) fn number_after(&self, word: usize, change: Change, by: i32) -> Option<i32> {
        let number = |value: i32| Some(value).filter(|value| *value != NONE);
        match change {
            Change::Set => Some(by),
            Change::Add => number::add(number(self.seen(word)?)?, number(by)?).ok(),
            Change::Subtract => number::subtract(number(self.seen(word)?)?, number(by)?).ok(),
        }
    }
}
