//! What a seat may see of a state, and full states that agree with it.
//!
//! Sizes are always public; the seed and what was drawn from it never are. While a step runs in which all answer secretly,
//! a seat sees its own cells as they are and everything else as it was when the step began.

mod announce;
mod sample;

use crate::bots::BotChance;
use crate::machine::{AnswerKind, Machine};
use crate::program::{CellLayout, NONE, Op, Program, Shape, UNKNOWN, header};
use crate::state::State;
use crate::words::set_items;
use dsl::ir::{CellOwner, ColumnId, Domain, RuleSet, TableId, Ty};
use std::sync::OnceLock;

/// What a seat (or somebody who has none) sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    pub seat: Option<u32>,
    /// Who is asked; none when the game is over.
    pub asked: Option<u32>,
    pub starter: u32,
    /// The end has been set off: the step after which it comes, and how many more times.
    pub finish: Option<(u32, i32)>,
    /// Passes of each label that have begun.
    pub passes: Vec<i32>,
    /// By cell, by slot.
    pub cells: Vec<Vec<Seen>>,
}

/// What is seen of one slot of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// All of it: its words.
    Open(Vec<i32>),
    /// Some columns of each piece: a row that looks the same stands for it. Gaps of a row of places are `none`.
    Shown(Vec<i32>),
    /// How many there are, and the uppermost.
    Top { size: i32, top: Option<i32> },
    /// How many there are. A single value counts 1, `none` 0.
    Size(i32),
}

/// How much of a slot a seat may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    Open,
    Shown,
    Top,
    Size,
}

/// Sees and samples states of one program.
pub struct Observer<'a> {
    program: &'a Program,
    cells: Vec<CellSight>,
    /// Choices whose answers may be heard by all, walks whose steps may be.
    open_choices: Vec<bool>,
    open_walks: Vec<bool>,
    /// For each cell with several decks: what each could hold at the start.
    homes: OnceLock<Vec<Option<Vec<Vec<bool>>>>>,
}

/// Who may see a cell.
struct CellSight {
    hidden: bool,
    private: bool,
    top: bool,
    /// Rows that look alike have the same number: the first of them.
    looks: Option<Vec<i32>>,
    /// Which of the cell's indices is the player whose it is.
    owner: Option<usize>,
    /// Belongs to a running step or action: private to the seat that is asked.
    passing: bool,
    /// Domain of what lies in it, if it holds pieces that move.
    pieces: Option<Domain>,
}

impl CellSight {
    /// All may see all of it.
    fn is_open(&self) -> bool {
        !(self.hidden || self.private || self.top || self.looks.is_some())
    }
}

impl<'a> Observer<'a> {
    pub fn new(rules: &RuleSet, program: &'a Program) -> Observer<'a> {
        let moved = moved_cells(program);
        let cells =
            rules
                .cells
                .iter()
                .zip(&program.cells)
                .enumerate()
                .map(|(at, (cell, layout))| CellSight {
                    hidden: layout.hidden,
                    private: layout.private,
                    top: layout.top_shown,
                    looks: looks(rules, &cell.ty, &cell.visibility.showing),
                    owner: owner(cell),
                    passing: matches!(cell.owner, CellOwner::Step(_) | CellOwner::Action(_)),
                    pieces: if moved[at] { domain(&cell.ty) } else { None },
                });
        let cells: Vec<CellSight> = cells.collect();
        Observer {
            program,
            open_choices: announce::open_choices(program, &cells),
            open_walks: announce::open_walks(program, &cells),
            cells,
            homes: OnceLock::new(),
        }
    }

    /// Found when the first state is sampled.
    fn homes(&self) -> &[Option<Vec<Vec<bool>>>] {
        self.homes.get_or_init(|| homes(self.program, &self.cells))
    }

    /// A state in which what the seat does not see is unknown. Sizes are true; it can be asked, not played.
    pub(crate) fn veiled(&self, state: &State, observation: &Observation) -> State {
        let mut veiled = state.without_past();
        for (layout, slots) in self.program.cells.iter().zip(&observation.cells) {
            for (slot, seen) in slots.iter().enumerate() {
                let base = layout.base as usize + slot * layout.words as usize;
                let words = &mut veiled.words[base..base + layout.words as usize];
                veil(layout, seen, words);
            }
        }
        veiled
    }

    /// How much of a slot a seat may see; secret steps apart.
    pub fn sight(&self, state: &State, cell: usize, slot: u32, seat: Option<u32>) -> Sight {
        let sight = &self.cells[cell];
        let by_owner = !sight.hidden && (sight.private || !sight.top);
        if sight.is_open() || by_owner && self.is_own(state, cell, slot, seat) {
            Sight::Open
        } else if sight.top {
            Sight::Top
        } else if sight.looks.is_some() {
            Sight::Shown
        } else {
            Sight::Size
        }
    }

    /// The slot belongs to the seat.
    fn is_own(&self, state: &State, cell: usize, slot: u32, seat: Option<u32>) -> bool {
        let Some(seat) = seat else { return false };
        let sight = &self.cells[cell];
        match self.owner_of(cell, slot) {
            Some(owner) => owner == seat,
            None => sight.passing && state.words[header::ME] == seat as i32,
        }
    }

    fn owner_of(&self, cell: usize, slot: u32) -> Option<u32> {
        let (_, n, stride) = self.program.cells[cell].dims[self.cells[cell].owner?];
        Some(slot / stride % n)
    }

    /// Whether all may hear an answer of this kind to the decision at an instruction: not if it tells of what others cannot
    /// see. In a secret step nobody hears any before the step ends.
    pub fn is_announced(&self, pc: usize, kind: AnswerKind) -> bool {
        match (kind, self.program.code[pc]) {
            (
                AnswerKind::Element | AnswerKind::Part,
                Op::Choose(choice) | Op::Param { choice, .. },
            ) => self.open_choices[choice as usize],
            (AnswerKind::Step, Op::WalkPick { walk, .. }) => self.open_walks[walk.at()],
            (AnswerKind::Element | AnswerKind::Part | AnswerKind::Step, _) => false,
            _ => true,
        }
    }

    /// What a seat sees of a state.
    pub fn observe(&self, state: &State, seat: Option<u32>) -> Observation {
        self.look(state, seat, |cell, slot| {
            (
                self.seen_word(state, cell, slot, seat),
                self.sight(state, cell, slot, seat),
            )
        })
    }

    /// Everything: what is shown when the game is over, or of a recorded one.
    pub fn reveal(&self, state: &State) -> Observation {
        self.look(state, None, |cell, slot| {
            (self.word(cell, slot), Sight::Open)
        })
    }

    /// Looks at a state; `sight` says where the words of a slot lie and how much of it is seen.
    fn look(
        &self,
        state: &State,
        seat: Option<u32>,
        sight: impl Fn(usize, u32) -> (usize, Sight),
    ) -> Observation {
        let words = &state.words;
        let cells = self.program.cells.iter().enumerate().map(|(at, layout)| {
            let slots = (0..layout.slots).map(|slot| {
                let (word, sight) = sight(at, slot);
                self.seen(at, &words[word..word + layout.words as usize], sight)
            });
            slots.collect()
        });
        let over = words[header::ENDED] != 0;
        let label = words[header::FINISH_LABEL];
        Observation {
            seat,
            asked: (!over).then_some(words[header::ME] as u32),
            starter: words[header::STARTER] as u32,
            finish: (label != NONE).then(|| (label as u32, self.passes_left(words))),
            passes: self
                .program
                .label_words
                .iter()
                .map(|word| words[*word as usize])
                .collect(),
            cells: cells.collect(),
        }
    }

    /// Passes that the announced end waits for.
    fn passes_left(&self, words: &[i32]) -> i32 {
        let seats = 0..self.program.players;
        let owed = self.program.owed.into_iter();
        let owed = owed.flat_map(|first| {
            seats
                .clone()
                .map(move |seat| words[(first + seat) as usize])
        });
        owed.fold(words[header::FINISH_LEFT], i32::saturating_add)
    }

    fn word(&self, cell: usize, slot: u32) -> usize {
        let layout = &self.program.cells[cell];
        (layout.base + slot * layout.words) as usize
    }

    /// Where the words of a slot lie that a seat sees: in a secret step those kept at its begin.
    fn seen_word(&self, state: &State, cell: usize, slot: u32, seat: Option<u32>) -> usize {
        let word = self.word(cell, slot);
        match self.program.secret_copy {
            Some(copy)
                if state.words[header::SECRET] > 0 && !self.is_own(state, cell, slot, seat) =>
            {
                copy as usize + word - self.program.cell_words().start
            }
            _ => word,
        }
    }

    fn seen(&self, cell: usize, words: &[i32], sight: Sight) -> Seen {
        let layout = &self.program.cells[cell];
        let pieces = |words| pieces(layout.shape, words);
        match sight {
            Sight::Open => Seen::Open(words.to_vec()),
            Sight::Size => {
                Seen::Size(pieces(words).iter().filter(|piece| **piece != NONE).count() as i32)
            }
            Sight::Top => {
                let pieces = pieces(words);
                Seen::Top {
                    size: pieces.len() as i32,
                    top: pieces.last().copied(),
                }
            }
            Sight::Shown => {
                let looks = self.cells[cell].looks.as_deref().unwrap_or_default();
                let look = |piece: i32| looks.get(piece as usize).copied().unwrap_or(NONE);
                let mut shown: Vec<i32> = pieces(words).into_iter().map(look).collect();
                if matches!(layout.shape, Shape::Set { .. } | Shape::Bag { .. }) {
                    shown.sort_unstable();
                }
                Seen::Shown(shown)
            }
        }
    }

    /// A full state that agrees with what the seat sees: pieces it does not see change places with each other, the generator
    /// is another one. Each piece stays among those that look like it where that is seen, and in a deck that held it at the
    /// start where every deck of its kind does.
    ///
    /// Single values that others set in a running secret step are what they were before it, as the seat sees them.
    pub fn sample(&self, state: &State, seat: u32, chance: &mut BotChance) -> State {
        sample::sample(self, state, seat, chance)
    }
}

/// The pieces of a slot in order; a bag's one by one. Gaps of a row are [`NONE`].
pub(crate) fn pieces(shape: Shape, words: &[i32]) -> Vec<i32> {
    match shape {
        Shape::Set { n, low } => set_items(words, n, low).collect(),
        Shape::Bag { n, low } => {
            let kinds = (0..n as i32).flat_map(|kind| {
                std::iter::repeat_n(low + kind, words[kind as usize].max(0) as usize)
            });
            kinds.collect()
        }
        Shape::List { .. } => words[1..=words[0].max(0) as usize].to_vec(),
        Shape::Row { n } => words[..n as usize].to_vec(),
        Shape::Agenda { .. } => vec![0; words[0].max(0) as usize],
        Shape::Scalar => words[..1].to_vec(),
    }
}

/// Writes what is seen of a slot over its words.
fn veil(layout: &CellLayout, seen: &Seen, words: &mut [i32]) {
    let (size, top) = match seen {
        Seen::Open(open) => return words.copy_from_slice(open),
        Seen::Shown(pieces) => (pieces.len() as i32, None),
        Seen::Top { size, top } => (*size, *top),
        Seen::Size(size) => (*size, None),
    };
    match layout.shape {
        Shape::Scalar => {
            if !(layout.optional && words[0] == NONE) {
                words[0] = UNKNOWN;
            }
        }
        // What is unseen of sets and bags is counted behind them.
        Shape::Set { .. } | Shape::Bag { .. } => {
            let counted = layout.shape.words();
            words[..counted].fill(0);
            words[counted] = size;
        }
        Shape::List { .. } => {
            let last = words[0].max(0) as usize;
            words[1..=last].fill(UNKNOWN);
            if let Some(top) = top {
                words[last] = top;
            }
        }
        Shape::Row { n } => {
            let places = words[..n as usize].iter_mut();
            places
                .filter(|place| **place != NONE)
                .for_each(|place| *place = UNKNOWN);
        }
        Shape::Agenda { .. } => words.fill(0),
    }
}

/// What lies in a container, or in a cell that holds one piece.
pub(crate) fn domain(ty: &Ty) -> Option<Domain> {
    match ty {
        Ty::Set(domain) | Ty::Bag(domain) | Ty::Deck(domain) | Ty::Row(domain) => Some(*domain),
        Ty::List(element) => domain(&Ty::Optional(element.clone())),
        Ty::Optional(inner) => match **inner {
            Ty::Element(domain) => Some(domain),
            _ => None,
        },
        _ => None,
    }
}

/// Which of a cell's indices, its owner being the first, is the player whose it is.
fn owner(cell: &dsl::ir::Cell) -> Option<usize> {
    if cell.owner == CellOwner::Each(Domain::Player) {
        return Some(0);
    }
    let before = usize::from(matches!(cell.owner, CellOwner::Each(_)));
    let index = cell
        .indices
        .iter()
        .position(|domain| *domain == Domain::Player)?;
    Some(before + index)
}

/// For each row the first one that has the same values in these columns.
fn looks(rules: &RuleSet, ty: &Ty, columns: &[ColumnId]) -> Option<Vec<i32>> {
    let Some(Domain::Table(table)) = domain(ty) else {
        return None;
    };
    if columns.is_empty() {
        return None;
    }
    let rows = &rules.tables[TableId::index(table)].rows;
    let same = |a: usize, b: usize| {
        columns
            .iter()
            .all(|c| rows[a].values[c.index()] == rows[b].values[c.index()])
    };
    let first = |row: usize| (0..row).find(|other| same(row, *other)).unwrap_or(row) as i32;
    Some((0..rows.len()).map(first).collect())
}

/// Cells that pieces are moved into or out of, or that begin as decks.
fn moved_cells(program: &Program) -> Vec<bool> {
    use crate::program::{MoveWhat, Node, Start};
    let mut moved = vec![false; program.cells.len()];
    let place = |id: crate::program::PlaceId| program.places[id.at()].cell.at();
    for step in &program.moves {
        moved[place(step.to)] = true;
        let (MoveWhat::Value { from, .. }
        | MoveWhat::Everything(from)
        | MoveWhat::Top { of: from, .. }) = step.what;
        moved[place(from)] = true;
    }
    for (at, cell) in program.cells.iter().enumerate() {
        let feeds = [cell.refill, cell.fill].into_iter().flatten();
        for from in feeds {
            moved[at] = true;
            moved[place(from)] = true;
        }
        if let Start::Eval(node) = cell.start
            && matches!(program.nodes[node.at()], Node::Shuffled(..))
        {
            moved[at] = true;
        }
    }
    moved
}

/// What the decks of cells with several of them could hold at the start.
fn homes(program: &Program, cells: &[CellSight]) -> Vec<Option<Vec<Vec<bool>>>> {
    let mut machine = Machine::new(program);
    machine.begin(0);
    let home = |at: usize| {
        let layout = &program.cells[at];
        let deck = matches!(layout.shape, Shape::List { .. });
        if !deck || layout.slots < 2 || cells[at].pieces.is_none() || cells[at].passing {
            return None;
        }
        let slots = (0..layout.slots).map(|slot| {
            let base = layout.base + slot * layout.words;
            let len = machine.word(base).max(0) as u32;
            let items: Vec<i32> = (1..=len).map(|at| machine.word(base + at)).collect();
            let most = items.iter().copied().max().unwrap_or(-1).max(-1);
            let mut held = vec![false; (most + 1) as usize];
            for item in items {
                if let Some(held) = held.get_mut(item as usize) {
                    *held = true;
                }
            }
            held
        });
        let slots: Vec<Vec<bool>> = slots.collect();
        slots.iter().any(|held| !held.is_empty()).then_some(slots)
    };
    (0..program.cells.len()).map(home).collect()
}
