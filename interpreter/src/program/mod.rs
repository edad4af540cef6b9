//! The flat form of a rule set for one number of players: expression nodes, statement code, constant columns and the
//! layout of the state. Made once by [`crate::lower`], read-only afterwards.

mod bearing;
mod cells;
mod code;
mod course;
mod expr;
mod features;
mod layout;
mod looks;
mod names;
mod networks;
mod questions;
mod rules;
mod strategies;

use dsl::ir::LabelId;
use dsl::source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;

pub use crate::bounds::*;
pub use bearing::*;
pub use cells::*;
pub use code::*;
pub use course::*;
pub use expr::*;
pub use features::*;
pub use layout::*;
pub use looks::*;
pub use names::*;
pub use networks::*;
pub use questions::*;
pub use rules::*;
pub use strategies::*;

/// The word that stands for `none`.
pub const NONE: i32 = i32::MIN;

/// The word that stands for something not yet seen, while looking ahead.
pub const UNKNOWN: i32 = i32::MIN + 1;

/// See the module.
#[derive(Clone, Debug)]
pub struct Flat {
    /// Work left for what is computed while the rules are loaded.
    pub loading: Arc<AtomicI64>,
    pub players: u32,
    /// Nothing is left out, looked up or remembered ([`crate::lower_plain`]).
    pub plain: bool,
    /// Elements from which on it pays to remember what was found of them.
    pub many: u32,
    pub nodes: Vec<Node>,
    pub shapes: Vec<Shape>,
    pub node_spans: Vec<Span>,
    pub lists: Vec<NodeId>,
    pub consts: Vec<i32>,
    /// First constants of the columns that hold no negative number and no `none`.
    pub natural_columns: BTreeSet<u32>,
    /// Rows of each column, by its first constant.
    pub column_rows: BTreeMap<u32, u32>,
    pub code: Vec<Op>,
    pub op_spans: Vec<Span>,
    pub binders: Vec<Binder>,
    pub aggregates: Vec<Aggregate>,
    pub dense: Vec<Dense>,
    pub cells: Vec<CellLayout>,
    pub places: Vec<Place>,
    pub procs: Vec<Proc>,
    pub moves: Vec<MoveOp>,
    pub choices: Vec<ChoiceOp>,
    pub menus: Vec<Menu>,
    /// What to say when a choice or a menu has no answer.
    pub choice_reasons: Vec<ReasonId>,
    pub menu_reasons: Vec<ReasonId>,
    pub orders: Vec<SeatOrder>,
    /// `match`: first value, then targets by value - first, else target last.
    pub matches: Vec<(i32, Vec<u32>, u32)>,
    pub effects: Vec<EffectNode>,
    pub walks: Vec<WalkCode>,
    pub rays: Vec<Ray>,
    pub messages: Vec<Vec<MessagePart>>,
    pub names: Vec<String>,
    pub reasons: Vec<Reason>,
    pub rules: Vec<RuleCode>,
    pub whens: Vec<WhenCode>,
    /// Clauses of bindings, one behind the other.
    pub atoms: Vec<Atom<Compared>>,
    pub networks: Vec<NetworkCode>,
    pub sieves: Vec<Sieve>,
    pub indices: Vec<Index>,
    pub totals: Vec<Total>,
    pub ledgers: Vec<Ledger>,
    pub tiling: Option<TilingCode>,
    pub histories: Vec<HistoryCode>,
    /// Proc of each action; of each effect (`none` for those never run); of each formula.
    pub action_procs: Vec<ProcId>,
    pub effect_procs: Vec<ProcId>,
    pub formula_procs: Vec<ProcId>,
    /// Of those that say a walk, what says its nodes.
    pub walk_procs: Vec<Option<ProcId>>,
    /// What lies on an agenda in place of an effect cell.
    pub effect_parts: Vec<Option<u32>>,
    pub composites: Vec<Option<u32>>,
    /// Cells made new at entry of each label and action.
    pub label_cells: Vec<Vec<Slot>>,
    pub action_cells: Vec<Vec<Slot>>,
    /// Rules that are tested at the end of each label's steps.
    pub label_rules: Vec<Vec<usize>>,
    /// Word of each label: passes begun; the next word: the player of the running pass plus 1, or 0 (of labels of which somebody asks).
    pub label_words: Vec<u32>,
    /// Labels some `always … after` waits for.
    pub awaited: Vec<LabelId>,
    pub anytime: Vec<(ProcId, Option<LabelId>, String)>,
    pub score_procs: Vec<ProcId>,
    pub win_procs: Vec<ProcId>,
    /// In the order of the rules.
    pub strategies: Vec<StrategyCode>,
    /// Cells of the game whose starts are computed game by game, in the order in which they can be.
    pub start_order: Vec<Slot>,
    /// Decks that lie ready and have only to be shuffled, before that.
    pub start_shuffled: Vec<Slot>,
    pub flow: ProcId,
    /// Words of the state below the first frame.
    pub fixed_words: u32,
    /// Chance streams: one counter word each, from this word on.
    pub stream_base: u32,
    pub stream_keys: Vec<(u64, String)>,
    /// What a stream's outcomes consist of.
    pub stream_types: Vec<dsl::ir::Ty>,
    pub agenda_width: u32,
    /// First word of the queue on which parts of composites wait that are run in order.
    pub run_queue: Option<u32>,
    /// First of the words that count, for each seat, the passes it has still to have before the end; the word behind them says
    /// whether the running pass of a loop over players came to the step that is counted. None: no `finish` counts so.
    pub owed: Option<u32>,
    /// How the game, or a player's part in it, may end.
    pub endings: Vec<EndingCode>,
    /// First of the words that say of each seat whether and how its part has ended: 0, or an ending and a moment
    /// (`machine/fates`). None: no rule lets anybody win or lose.
    pub fates: Option<u32>,
    /// Somebody may leave the game while others play on.
    pub leaves: bool,
    /// Where the cells lie as they were when the running secret step began, for those who may not see what others answered.
    pub secret_copy: Option<u32>,
    /// The label of a turn.
    pub turn_label: Option<LabelId>,
    /// For each fixed word.
    pub words: Vec<Word>,
    /// What they hold before anything is computed or decided by chance.
    pub blanks: Vec<i32>,
    /// How many versions there are, and those of each cell.
    pub versions: u32,
    pub cell_reads: Vec<Read>,
    pub watchers: Vec<Watcher>,
    /// Cells with `fill` or `refill`, fills last.
    pub feeding: Vec<Slot>,
    /// For each instruction: nothing from here to the end of its body can fail.
    pub safe: Vec<bool>,
    /// For each instruction: it cannot fail, nor can what it wakes.
    pub quiet: Vec<bool>,
    /// For each instruction behind an answer: what tells whether the extent can be ended from there.
    pub glances: Vec<Glance>,
    pub looks: Vec<Look>,
    pub memos: Vec<Memo>,
    /// None where looking ahead leaves nothing out: no agenda, or too many cells.
    pub bearings: Option<Bearings>,
    /// What bots can count of a state.
    pub features: Vec<Feature>,
}

impl Flat {
    /// The words that say of each seat whether and how its part in the game has ended.
    pub fn fate_words(&self) -> Range<u32> {
        self.fates.map_or(0..0, |first| first..first + self.players)
    }

    /// These, and behind them the word that says how the game has ended.
    pub fn end_words(&self) -> impl Iterator<Item = u32> {
        self.fate_words().chain([header::ENDING as u32])
    }

    /// The instructions of a body, up to its end.
    pub(crate) fn body(&self, proc: u32) -> std::ops::Range<usize> {
        let entry = self.procs[proc as usize].entry as usize;
        let code = self.code[entry..].iter();
        let length = code.take_while(|op| !matches!(op, Op::Return)).count();
        entry..entry + length
    }

    /// The code of the body that begins here, with what lies on agendas of its own.
    pub(crate) fn extent(&self, entry: u32) -> Range<usize> {
        let bodies = self.procs.iter().filter(|p| p.kind != ProcKind::Formula);
        let entries = bodies.map(|p| p.entry);
        let end = entries.filter(|other| *other > entry).min();
        entry as usize..end.unwrap_or(self.code.len() as u32) as usize
    }

    /// Some seat does not see something, or hears of it later.
    pub fn hides_something(&self) -> bool {
        self.secret_copy.is_some() || self.cells.iter().any(|cell| !cell.is_open())
    }

    /// The cell that begins at this word.
    pub fn cell_at(&self, word: u32) -> Option<Slot> {
        let at = self.cells.iter().position(|cell| cell.base == word)?;
        Some(Slot(at as u32))
    }

    /// Nobody who looks ahead sees what lies on top of this deck.
    pub fn hides_top(&self, deck: NodeId) -> bool {
        match self.nodes[deck.at()] {
            Node::CellWords(slot, _) => self.cells[slot.at()].hidden,
            _ => false,
        }
    }

    /// Where an instruction is `cell = random(…)`: the cell, and the stream of chance.
    pub fn rolls_into(&self, pc: usize) -> Option<(PlaceId, u32)> {
        let Op::Set(place, value) = *self.code.get(pc)? else {
            return None;
        };
        match self.nodes[value.at()] {
            Node::Random(_, stream) => Some((place, stream)),
            _ => None,
        }
    }

    /// Nobody who looks ahead sees what lies under all others in this deck, if there are others.
    pub fn hides_bottom(&self, deck: NodeId) -> bool {
        match self.nodes[deck.at()] {
            Node::CellWords(slot, _) => {
                let cell = &self.cells[slot.at()];
                cell.hidden || cell.top_shown
            }
            _ => false,
        }
    }

    /// The nodes of a list.
    #[inline]
    pub fn listed(&self, list: List) -> &[NodeId] {
        &self.lists[list.start as usize..(list.start + list.len) as usize]
    }

    /// Who must be told of a write to this word of the fixed part.
    #[inline]
    pub(crate) fn word_watchers(&self, word: usize) -> &[Watcher] {
        let Word { start, end, .. } = self.words[word];
        &self.watchers[start as usize..end as usize]
    }

    /// Of these the ones that are told when the writing settles.
    #[inline]
    pub(crate) fn woken_by(&self, word: usize) -> &[Watcher] {
        let Word { start, mid, .. } = self.words[word];
        &self.watchers[start as usize..mid as usize]
    }

    /// Of these the ones that are told at once.
    #[inline]
    pub(crate) fn touched_by(&self, word: usize) -> &[Watcher] {
        let Word { mid, end, .. } = self.words[word];
        &self.watchers[mid as usize..end as usize]
    }

    /// Who must be told of a write to any word of this cell; some more than once.
    pub(crate) fn cell_watchers(&self, slot: Slot) -> impl Iterator<Item = &Watcher> {
        let cell = &self.cells[slot.at()];
        (cell.base..cell.base + cell.words * cell.slots)
            .flat_map(|word| self.word_watchers(word as usize))
    }

    /// Where all cells lie, one behind the other.
    pub(crate) fn cell_words(&self) -> Range<usize> {
        let first = self.cells.first().map_or(0, |cell| cell.base);
        let end = self
            .cells
            .last()
            .map_or(0, |cell| cell.base + cell.words * cell.slots);
        first as usize..end as usize
    }
}
