//! What a seat may see of a state, and full states that agree with it.
//!
//! Sizes are always public; the seed and what was drawn from it never are.

mod foreseen;
mod numbers;
mod offered;
mod reads;
mod sample;
mod sight;
mod told;

use crate::Program;
use crate::ask::Eyes;
use crate::game::Told as Given;
use crate::machine::AnswerKind;
use crate::program::{NONE, Shape, header};
use crate::state::State;
use crate::words::set_items;
use dsl::ir::CellOwner;
use std::sync::OnceLock;
use told::Told;

pub use numbers::numbers_called;
pub(crate) use reads::{Locals, Reach, reach_of_formula};
pub use sample::Sampler;
pub(crate) use sample::{Copied, copies};
pub use sight::Sight;
pub(crate) use sight::{Looker, size, veil};

/// What a seat (or somebody who has none) sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// Whose eyes; none sees what is open to all.
    pub seat: Option<u32>,
    /// Who is asked; none when the game is over.
    pub asked: Option<u32>,
    /// The seat that starts.
    pub starter: u32,
    /// The end has been set off: the step after which it comes, and how many more times.
    pub finish: Option<(u32, i32)>,
    /// Passes of each label that have begun.
    pub passes: Vec<i32>,
    /// By label: whether it runs.
    pub running: Vec<bool>,
    /// What [`Program::end_words`] hold.
    pub ends: Vec<i32>,
    /// By cell, by slot.
    pub cells: Vec<Vec<Seen>>,
}

impl Observation {
    /// Cells of this owner are shown now: those of a step while it runs, those of an action never.
    pub fn shows_cells_of(&self, owner: CellOwner) -> bool {
        match owner {
            CellOwner::Game | CellOwner::Each(_) => true,
            CellOwner::Step(label) => self.running[label.index()],
            CellOwner::Action(_) => false,
        }
    }
}

/// What is seen of one slot of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// All of it: its words.
    Open(Vec<i32>),
    /// Some columns of each piece: a row that looks the same stands for it, with how many such there are. Gaps of a row of
    /// places are `none`.
    Shown(Vec<(i32, i32)>),
    /// How many there are, and the uppermost.
    Top {
        /// How many there are.
        size: i32,
        /// The uppermost, if there is one.
        top: Option<i32>,
    },
    /// How many there are. A single value counts 1, `none` 0.
    Size(i32),
    /// Not even whether something is there.
    Nothing,
}

/// Sees and samples states of one program.
pub struct Observer<'a> {
    program: &'a Program,
    told: OnceLock<Told>,
    known: OnceLock<Vec<bool>>,
}

/// What somebody hears of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hearing {
    /// What was answered.
    pub answer: bool,
    /// What else could be answered, so whether there was a choice.
    pub offer: bool,
}

impl Hearing {
    /// Who answers knows all of it.
    pub const ALL: Hearing = Hearing {
        answer: true,
        offer: true,
    };
}

impl<'a> Observer<'a> {
    /// For the games of a program.
    pub fn new(program: &'a Program) -> Observer<'a> {
        Observer {
            program,
            told: OnceLock::new(),
            known: OnceLock::new(),
        }
    }

    /// A state in which what the seat does not see is unknown. Sizes are true; it can be asked, not played.
    pub(crate) fn veiled(&self, state: &State, observation: &Observation) -> State {
        let mut veiled = state.without_past();
        let looker = looker(state, observation.seat);
        for layout in &self.program.cells {
            for slot in 0..layout.slots {
                let word = layout.word(slot);
                let from = looker.seen_word(self.program, layout, slot);
                let width = layout.words as usize;
                veiled.words.copy_within(from..from + width, word);
                sight::veil(
                    layout,
                    looker.sight(layout, slot),
                    &mut veiled.words[word..word + width],
                );
            }
        }
        veiled
    }

    /// Whether all may hear an answer to the question at an instruction, [`Machine::asked_pc`](crate::Machine::asked_pc):
    /// not if it tells of what others cannot see. In a secret step nobody hears any before the step ends.
    pub fn is_announced(&self, asked: usize, kind: AnswerKind, value: i32) -> bool {
        let told = self.told.get_or_init(|| Told::of(self.program));
        told.is_told(asked, kind, value)
    }

    /// What all others hear of an answer to the question at an instruction.
    pub fn hearing(&self, asked: usize, kind: AnswerKind, value: i32) -> Hearing {
        Hearing {
            answer: self.is_announced(asked, kind, value),
            offer: self.knows_offer(asked),
        }
    }

    /// Whether all others know what can be answered to the question at an instruction.
    pub fn knows_offer(&self, asked: usize) -> bool {
        let known = self.known.get_or_init(|| offered::known(self.program));
        known.get(asked) == Some(&true)
    }

    /// What a seat sees of a state.
    pub fn observe(&self, state: &State, seat: Option<u32>) -> Observation {
        let looker = looker(state, seat);
        self.look(state, seat, |cell, slot| {
            looker.seen(self.program, cell, slot)
        })
    }

    /// What somebody hears of an answer that was given.
    pub fn hears(&self, told: &Given<'_>, eyes: Eyes) -> Hearing {
        match eyes {
            Eyes::Open => Hearing::ALL,
            Eyes::Of(seat) if seat == Some(told.seat) => Hearing::ALL,
            Eyes::Of(_) => self.hearing(told.asked, told.answer.kind, told.answer.value),
        }
    }

    /// What is seen of a state: all, or what a seat sees.
    pub fn seen_by(&self, state: &State, eyes: Eyes) -> Observation {
        match eyes {
            Eyes::Open => self.reveal(state),
            Eyes::Of(seat) => self.observe(state, seat),
        }
    }

    /// Everything: what is shown when the game is over, or of a recorded one.
    pub fn reveal(&self, state: &State) -> Observation {
        self.look(state, None, |cell, slot| {
            let layout = &self.program.cells[cell];
            let word = layout.word(slot);
            Seen::Open(state.words[word..word + layout.words as usize].to_vec())
        })
    }

    fn look(
        &self,
        state: &State,
        seat: Option<u32>,
        seen: impl Fn(usize, u32) -> Seen,
    ) -> Observation {
        let words = &state.words;
        let cells = self.program.cells.iter().enumerate();
        let cells =
            cells.map(|(at, layout)| (0..layout.slots).map(|slot| seen(at, slot)).collect());
        let over = words[header::ENDED] != 0;
        let label = words[header::FINISH_LABEL];
        let labels = self.program.label_words.iter();
        Observation {
            seat,
            asked: (!over).then_some(words[header::ME] as u32),
            starter: words[header::STARTER] as u32,
            finish: (label != NONE).then(|| (label as u32, self.passes_left(words))),
            passes: (labels.clone()).map(|word| words[*word as usize]).collect(),
            running: labels.map(|word| words[*word as usize + 1] != 0).collect(),
            ends: self
                .program
                .end_words()
                .map(|word| words[word as usize])
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
}

fn looker(state: &State, seat: Option<u32>) -> Looker<'_> {
    Looker {
        words: &state.words,
        asked: state.words[header::ME],
        seat,
    }
}

/// The pieces of a slot in order, each with how often it lies there: those of a bag, of which there may be any number, once
/// for each kind. Gaps of a row are [`NONE`].
pub(crate) fn pieces(shape: Shape, words: &[i32]) -> Vec<(i32, i32)> {
    let each = |words: &[i32]| words.iter().map(|piece| (*piece, 1)).collect();
    match shape {
        Shape::Set { n, low } => set_items(words, n, low).map(|piece| (piece, 1)).collect(),
        Shape::Bag { n, low } => {
            let kinds = (0..n as i32).map(|kind| (low + kind, words[kind as usize]));
            kinds.filter(|(_, count)| *count > 0).collect()
        }
        Shape::List { .. } => each(&words[1..=words[0].max(0) as usize]),
        Shape::Row { n } => each(&words[..n as usize]),
        Shape::Agenda { .. } => vec![(0, 1); words[0].max(0) as usize],
        Shape::Scalar => each(&words[..1]),
    }
}
