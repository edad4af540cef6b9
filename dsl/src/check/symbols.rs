//! What words stand for: noted while names are resolved, for those who ask about a place in a text.

use super::Checker;
use super::names::{Global, Member};
use crate::assembly::Entry;
use crate::ir::{
    ActionId, CellId, CellOwner, ColumnId, Domain, EnumId, FormulaId, GridId, LabelId, NetworkId,
    OptionId, RuleId, ScoreId, TableId, Value, WhenId,
};
use crate::source::{FileId, Span};
use crate::syntax::ast;

/// Something with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    Option(OptionId),
    Enum(EnumId),
    /// A member of an enum, by its number.
    Member(EnumId, u32),
    Table(TableId),
    Column(TableId, ColumnId),
    /// A row of a table, by its number.
    Row(TableId, u32),
    Grid(GridId),
    Cell(CellId),
    Formula(FormulaId),
    Network(NetworkId),
    Action(ActionId),
    Tiling,
    /// `always` and `check`, in the order of the assembly.
    Rule(RuleId),
    /// In the order of the assembly.
    When(WhenId),
    Label(LabelId),
    /// A line of the score.
    Score(ScoreId),
    /// A parameter, `let` or binder: where it is bound.
    Local(Span),
}

impl Symbol {
    pub(crate) fn of_global(global: Global) -> Symbol {
        match global {
            Global::Option(id) => Symbol::Option(id),
            Global::Enum(id) => Symbol::Enum(id),
            Global::Table(id) => Symbol::Table(id),
            Global::Grid(id) => Symbol::Grid(id),
            Global::Cell(id) => Symbol::Cell(id),
            Global::Formula(id) => Symbol::Formula(id),
            Global::Network(id) => Symbol::Network(id),
            Global::Action(id) => Symbol::Action(id),
            Global::Tiling => Symbol::Tiling,
        }
    }

    pub(crate) fn of_member(member: Member) -> Symbol {
        match member {
            Member::Column(table, column) => Symbol::Column(table, column),
            Member::Cell(id) => Symbol::Cell(id),
            Member::Formula(id) => Symbol::Formula(id),
            Member::Network(id) => Symbol::Network(id),
        }
    }
}

/// Every word whose meaning is known, by place.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    /// Sorted by span; one meaning each.
    all: Vec<(Span, Symbol)>,
}

impl Uses {
    /// Of several meanings of one place the last counts: the one it was settled on.
    pub(crate) fn new(mut notes: Vec<(Span, Symbol)>) -> Uses {
        notes.sort_by_key(|(span, _)| *span);
        notes.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = next.1;
            }
            same
        });
        Uses { all: notes }
    }

    /// The smallest noted place that holds the byte, or ends at it.
    pub fn at(&self, file: FileId, offset: usize) -> Option<(Span, Symbol)> {
        let offset = offset as u32;
        let of_file = self.in_file(file);
        let behind = of_file.partition_point(|(span, _)| span.start <= offset);
        let around = of_file[..behind].iter().rev().take(16);
        around
            .filter(|(span, _)| span.end >= offset)
            .min_by_key(|(span, _)| (span.end == offset, span.end - span.start))
            .copied()
    }

    /// All places of all files, in order.
    pub fn all(&self) -> &[(Span, Symbol)] {
        &self.all
    }

    /// All places of a file, in order.
    pub fn in_file(&self, file: FileId) -> &[(Span, Symbol)] {
        let start = self.all.partition_point(|(span, _)| span.file < file);
        let end = self.all.partition_point(|(span, _)| span.file <= file);
        &self.all[start..end]
    }

    /// All places where a symbol is named, in the order of files and bytes; its declarations are among them.
    pub fn of(&self, symbol: Symbol) -> impl Iterator<Item = Span> + use<'_> {
        let fits = move |(_, one): &&(Span, Symbol)| *one == symbol;
        self.all.iter().filter(fits).map(|(span, _)| *span)
    }
}

impl Checker<'_> {
    /// Notes what a word stands for.
    pub(crate) fn note(&mut self, span: Span, symbol: Symbol) {
        self.notes.push((span, symbol));
    }

    pub(crate) fn note_global(&mut self, span: Span, global: Global) {
        self.note(span, Symbol::of_global(global));
    }

    pub(crate) fn note_member(&mut self, span: Span, member: Member) {
        self.note(span, Symbol::of_member(member));
    }

    /// The owner named before a dot.
    pub(crate) fn note_owner(&mut self, span: Span, owner: CellOwner) {
        match owner {
            CellOwner::Step(id) => self.note(span, Symbol::Label(id)),
            CellOwner::Action(id) => self.note(span, Symbol::Action(id)),
            CellOwner::Game | CellOwner::Each(_) => {}
        }
    }

    /// Notes the names under which what an overlay replaced was declared.
    pub(crate) fn note_replaced<T>(
        &mut self,
        entry: &Entry<T>,
        name: impl Fn(&T) -> &ast::Name,
        symbol: Symbol,
    ) {
        for old in &entry.replaced {
            self.note(name(&old.item).span, symbol);
        }
    }

    /// Notes a word that names a row, a member of an enum or an action.
    pub(crate) fn note_element(&mut self, span: Span, domain: Domain, number: u32) {
        match domain {
            Domain::Table(id) | Domain::Part(id) => self.note(span, Symbol::Row(id, number)),
            Domain::Enum(id) => self.note(span, Symbol::Member(id, number)),
            Domain::Action => self.note(span, Symbol::Action(ActionId(number))),
            _ => {}
        }
    }

    pub(crate) fn note_value(&mut self, span: Span, value: &Value) {
        if let Value::Element(domain, number) = value {
            self.note_element(span, *domain, *number);
        }
    }
}
