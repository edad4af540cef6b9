//! Who may see what: the one place that decides it, from what is declared of each cell and whose it is.
//!
//! While a step runs in which all answer secretly, a seat sees its own cells as they are and all others as they were when
//! the step began.

use super::{Seen, pieces};
use crate::Program;
use crate::program::*;
use dsl::ir::Private;

/// How much of a slot a seat may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// All of it.
    Open,
    /// Some columns of each piece.
    Shown,
    /// The uppermost, and how many there are.
    Top,
    /// How many there are.
    Size,
    /// Not even whether something is there.
    Nothing,
}

/// Somebody who looks: who is asked where he looks, and who he is. The words begin with those of the state.
#[derive(Clone, Copy)]
pub(crate) struct Looker<'a> {
    pub words: &'a [i32],
    pub asked: i32,
    pub seat: Option<u32>,
}

impl CellLayout {
    /// All may see all of it.
    pub(crate) fn is_open(&self) -> bool {
        !(self.hidden || self.private.is_some() || self.top_shown || self.looks.is_some())
    }

    /// Its owner may see all of it.
    pub(crate) fn is_open_to_owner(&self) -> bool {
        self.is_open_to_player(true)
    }

    /// The player whose it is, or every other one, may see all of it.
    pub(crate) fn is_open_to_player(&self, own: bool) -> bool {
        !self.hidden
            && match self.private {
                Some(Private::Owner) => own,
                Some(Private::Others) => !own,
                None if own => !self.top_shown,
                None => self.is_open(),
            }
    }

    /// What all may see of it, if that is not all.
    pub(crate) fn shown_to_all(&self) -> Sight {
        if self.is_open() {
            Sight::Open
        } else if self.top_shown {
            Sight::Top
        } else if self.looks.is_some() {
            Sight::Shown
        } else if self.conceals {
            Sight::Nothing
        } else {
            Sight::Size
        }
    }

    /// The seat whose slot it is.
    pub(crate) fn owner_of(&self, slot: u32) -> Option<u32> {
        let (_, n, stride) = self.dims[self.owner?];
        Some(slot / stride % n)
    }

    /// First word of a slot.
    pub(crate) fn word(&self, slot: u32) -> usize {
        (self.base + slot * self.words) as usize
    }
}

impl Looker<'_> {
    /// The slot belongs to the seat that looks.
    pub(crate) fn is_own(self, layout: &CellLayout, slot: u32) -> bool {
        let Some(seat) = self.seat else { return false };
        match layout.owner_of(slot) {
            Some(owner) => owner == seat,
            None => layout.passing && self.asked == seat as i32,
        }
    }

    /// How much of a slot may be seen; secret steps apart.
    pub(crate) fn sight(self, layout: &CellLayout, slot: u32) -> Sight {
        if self.seat.is_some() && layout.is_open_to_player(self.is_own(layout, slot)) {
            Sight::Open
        } else {
            layout.shown_to_all()
        }
    }

    /// Where the words of a slot lie that are seen: in a secret step those kept at its begin.
    pub(crate) fn seen_word(self, program: &Program, layout: &CellLayout, slot: u32) -> usize {
        let word = layout.word(slot);
        match program.secret_copy {
            Some(copy) if self.words[header::SECRET] > 0 && !self.is_own(layout, slot) => {
                copy as usize + word - program.cell_words().start
            }
            _ => word,
        }
    }

    /// What is seen of a slot.
    pub(crate) fn seen(self, program: &Program, cell: usize, slot: u32) -> Seen {
        let layout = &program.cells[cell];
        let word = self.seen_word(program, layout, slot);
        let words = &self.words[word..word + layout.words as usize];
        seen(layout, words, self.sight(layout, slot))
    }
}

/// So much of the words of a slot.
pub(super) fn seen(layout: &CellLayout, words: &[i32], sight: Sight) -> Seen {
    let pieces = |words| pieces(layout.shape, words);
    match sight {
        Sight::Open => Seen::Open(words.to_vec()),
        Sight::Size => Seen::Size(size(&pieces(words))),
        Sight::Nothing => Seen::Nothing,
        Sight::Top => {
            let pieces = pieces(words);
            Seen::Top {
                top: pieces.last().map(|(piece, _)| *piece),
                size: places(&pieces),
            }
        }
        Sight::Shown => {
            let looks = layout.looks.as_deref().unwrap_or_default();
            let look = |piece: i32| looks.get(piece as usize).copied().unwrap_or(NONE);
            let pieces = pieces(words).into_iter();
            let mut shown: Vec<_> = pieces.map(|(piece, count)| (look(piece), count)).collect();
            if matches!(layout.shape, Shape::Set { .. } | Shape::Bag { .. }) {
                // Which of those that look the same it is does not show in how they are counted.
                shown.sort_unstable();
                shown.dedup_by(|next, one| {
                    let same = next.0 == one.0;
                    one.1 = one.1.saturating_add(if same { next.1 } else { 0 });
                    same
                });
            }
            Seen::Shown(shown)
        }
    }
}

/// How many pieces there are, gaps apart, or as many as a number can tell.
pub(crate) fn size(pieces: &[(i32, i32)]) -> i32 {
    let there = pieces.iter().filter(|(piece, _)| *piece != NONE);
    there.fold(0, |sum, (_, count)| sum.saturating_add(*count))
}

/// How many there are with the gaps.
fn places(pieces: &[(i32, i32)]) -> i32 {
    let counts = pieces.iter().map(|(_, count)| *count);
    counts.fold(0, i32::saturating_add)
}

/// Leaves of the words of a slot so much as is seen of it.
pub(crate) fn veil(layout: &CellLayout, sight: Sight, words: &mut [i32]) {
    match layout.shape {
        _ if sight == Sight::Open => {}
        Shape::Scalar => {
            if sight == Sight::Nothing || !(layout.optional && words[0] == NONE) {
                words[0] = UNKNOWN;
            }
        }
        // What is unseen of sets and bags is counted behind them.
        Shape::Set { .. } | Shape::Bag { .. } => {
            let (seen, unseen) = words.split_at_mut(layout.shape.words());
            let counts = seen.iter().map(|word| match layout.shape {
                Shape::Set { .. } => word.count_ones() as i32,
                _ => *word,
            });
            unseen[0] = counts.fold(unseen[0], i32::saturating_add);
            seen.fill(0);
        }
        Shape::List { .. } => {
            let last = words[0].max(0) as usize;
            let first_seen = last + usize::from(sight != Sight::Top);
            words[1..first_seen.max(1)].fill(UNKNOWN);
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
