//! Full states that agree with what a seat sees. What it does not see is made up from that and from chance alone: two states
//! that look the same to the seat give the same samples.
//!
//! Pieces that are not seen are dealt anew to where pieces lie unseen: each among those that look like it where that is seen,
//! in a deck that its kind can lie in, never twice in a set. Other values are any that their range allows. The generator
//! is another one, so that the draws to come are not those of the game.
//!
//! In a step in which all answer secretly, what others have done in it is not done. Where the seat itself has already changed
//! something of its own, pieces that others took meanwhile are counted where they lie.
//!
//! Where the seat sees a copy of what lies in a place that it cannot look into, that lies there.

mod copies;
mod homes;

use super::sight::{Looker, Sight};
use crate::Program;
use crate::bots::{BotChance, Dice};
use crate::bounds::UNSEEN_MAX;
use crate::program::*;
use crate::state::State;
pub(crate) use copies::{Copied, copies};
use dsl::ir::Domain;
use homes::{Homes, homes, known_numbers, moved_cells, number_range, share_there};
use std::collections::BTreeSet;
use std::ops::Range;

/// An element that is not one.
const NOTHING: i32 = NONE;

/// Makes states up, again and again, without allocation once its buffers have grown.
#[derive(Clone)]
pub struct Sampler<'p> {
    program: &'p Program,
    /// By cell: pieces lie in it that move.
    pieces: Vec<bool>,
    /// Of these the domains.
    domains: Vec<Domain>,
    /// By cell, if its pieces never lie in any slot: which may lie in which.
    homes: Vec<Option<Homes>>,
    slots: Vec<Slots>,
    places: Vec<Place>,
    dealt: Vec<i32>,
    /// Words of places that stay empty, where not even that is seen.
    empty: Vec<usize>,
    met: Vec<bool>,
    /// What is seen of each piece of a set or bag.
    seen: Vec<Option<i32>>,
    /// What a copy shows, piece by piece.
    shown: Vec<i32>,
}

/// A slot with pieces that are not seen.
#[derive(Clone, Copy)]
struct Slots {
    cell: usize,
    slot: u32,
    word: usize,
}

/// A place in which a piece lies that the seat does not see.
#[derive(Clone, Copy)]
struct Place {
    /// Index into [`Sampler::slots`].
    slot: usize,
    /// Word of the piece in lists, rows and single places.
    word: Option<usize>,
    /// What is seen of it all the same.
    look: Option<i32>,
    /// Whether a piece lies here is not seen.
    concealed: bool,
    piece: i32,
    /// The seat knows that this piece lies here.
    known: bool,
}

impl<'p> Sampler<'p> {
    /// For the games of a program.
    pub fn new(program: &'p Program) -> Sampler<'p> {
        let moved = moved_cells(program);
        let cells = program.cells.iter().zip(&moved);
        let domains: BTreeSet<Domain> = cells
            .filter_map(|(cell, moved)| cell.holds.filter(|_| *moved))
            .collect();
        Sampler {
            program,
            pieces: program
                .cells
                .iter()
                .zip(moved)
                .map(|(cell, moved)| moved && cell.holds.is_some())
                .collect(),
            domains: domains.into_iter().collect(),
            homes: homes(program),
            slots: Vec::new(),
            places: Vec::new(),
            dealt: Vec::new(),
            empty: Vec::new(),
            met: Vec::new(),
            seen: Vec::new(),
            shown: Vec::new(),
        }
    }

    /// Makes up `into`: the seat sees of it what it sees of `state`. False, with nothing made up, if more than [`UNSEEN_MAX`]
    /// pieces lie unseen in bags; how many do everybody knows.
    pub fn sample(
        &mut self,
        state: &State,
        seat: u32,
        chance: &mut BotChance,
        into: &mut State,
    ) -> bool {
        self.sample_words(&state.words, seat, chance, into)
    }

    pub(crate) fn sample_words(
        &mut self,
        real: &[i32],
        seat: u32,
        chance: &mut BotChance,
        into: &mut State,
    ) -> bool {
        if self.unseen_in_bags(real) > UNSEEN_MAX {
            return false;
        }
        let dice = chance.made_up();
        into.words.clear();
        into.words.extend_from_slice(real);
        into.marked.clear();
        into.struck.clear();
        into.words[header::SEED_LOW] = dice.next_u32() as i32;
        into.words[header::SEED_HIGH] = dice.next_u32() as i32;
        let looker = Looker {
            words: real,
            asked: real[header::ME],
            seat: Some(seat),
        };
        let words = &mut into.words;
        let secret = self.program.secret_copy;
        let Some(copy) = secret.filter(|_| looker.words[header::SECRET] > 0) else {
            self.make_up(looker, Region::Now, dice, words);
            return true;
        };
        self.make_up(looker, Region::Before, dice, words);
        let cells = self.program.cell_words();
        let before = copy as usize..copy as usize + cells.len();
        if self.own_is_as_before(looker, &before) {
            words.copy_within(before, cells.start);
            return true;
        }
        self.make_up(looker, Region::Now, dice, words);
        self.take_back(looker, words);
        true
    }

    /// Pieces in bags that not all can look into, now and when the running secret step began.
    fn unseen_in_bags(&self, real: &[i32]) -> i64 {
        let first = self.program.cell_words().start;
        let regions =
            std::iter::once(first).chain(self.program.secret_copy.map(|copy| copy as usize));
        let cells = self.program.cells.iter().filter(|layout| !layout.is_open());
        let bags = cells.filter_map(|layout| match layout.shape {
            Shape::Bag { n, .. } => Some((layout, n as usize)),
            _ => None,
        });
        let words = bags.flat_map(|(layout, n)| {
            let regions = regions.clone();
            (0..layout.slots).flat_map(move |slot| {
                let at = layout.word(slot) - first;
                regions
                    .clone()
                    .flat_map(move |region| &real[region + at..region + at + n])
            })
        });
        words.map(|count| i64::from(*count)).sum()
    }

    /// The seat has changed nothing of its own since the secret step began.
    fn own_is_as_before(&self, looker: Looker<'_>, before: &Range<usize>) -> bool {
        let first = self.program.cell_words().start;
        self.program.cells.iter().all(|layout| {
            let mut own = (0..layout.slots).filter(|slot| looker.is_own(layout, *slot));
            own.all(|slot| {
                let now = layout.word(slot)..layout.word(slot) + layout.words as usize;
                let then = now.start - first + before.start..now.end - first + before.start;
                looker.words[now] == looker.words[then]
            })
        })
    }

    /// Where others have written what is no piece in the running secret step, it is again what it was at its begin.
    fn take_back(&self, looker: Looker<'_>, words: &mut [i32]) {
        for (layout, pieces) in self.program.cells.iter().zip(&self.pieces) {
            for slot in (0..layout.slots).filter(|_| !pieces) {
                let seen = looker.seen_word(self.program, layout, slot);
                words.copy_within(seen..seen + layout.words as usize, layout.word(slot));
            }
        }
    }

    /// Makes up what is not seen of the cells as they are, or as they were when the running secret step began.
    fn make_up(&mut self, looker: Looker<'_>, region: Region, dice: &mut Dice, words: &mut [i32]) {
        for at in 0..self.domains.len() {
            self.gather(looker, region, self.domains[at]);
            self.lay_known(looker);
            self.leave_empty(dice);
            self.deal(dice);
            self.put_back(words);
        }
        for cell in 0..self.program.cells.len() {
            let layout = &self.program.cells[cell];
            if self.pieces[cell] || layout.is_open() {
                continue;
            }
            let share = layout
                .conceals
                .then(|| share_there(self.program, looker, cell));
            for slot in 0..layout.slots {
                let sight = looker.sight(layout, slot);
                if sight != Sight::Open {
                    let word = region.word(self.program, layout, slot);
                    let known = known_numbers(self.program, looker, cell);
                    if let (Sight::Nothing, Some(share)) = (sight, share) {
                        let there = share.falls(dice);
                        let range = number_range(self.program, layout, slot, known);
                        let range = range.filter(|_| there);
                        words[word] = range.map_or(NONE, |(low, n)| {
                            low.saturating_add(dice.below(n as usize) as i32)
                        });
                        continue;
                    }
                    let seen = &mut self.seen;
                    make_up_slot(
                        self.program,
                        (layout, slot),
                        sight,
                        (known, seen),
                        dice,
                        &mut words[word..],
                    );
                }
            }
        }
        self.copy_known(looker, words);
    }

    // ------------------------------------------------------------------------------------------ pieces

    /// Everything of a domain that the seat does not see.
    fn gather(&mut self, looker: Looker<'_>, region: Region, domain: Domain) {
        self.slots.clear();
        self.places.clear();
        self.dealt.clear();
        let program = self.program;
        for (cell, layout) in program.cells.iter().enumerate() {
            if !self.pieces[cell] || layout.holds != Some(domain) {
                continue;
            }
            for slot in 0..layout.slots {
                let sight = region.sight(program, looker, layout, slot);
                if sight != Sight::Open {
                    self.gather_slot(looker, region, (cell, slot), sight);
                }
            }
        }
        self.dealt.sort_unstable();
    }

    fn gather_slot(
        &mut self,
        looker: Looker<'_>,
        region: Region,
        (cell, slot): (usize, u32),
        sight: Sight,
    ) {
        let layout = &self.program.cells[cell];
        let word = region.word(self.program, layout, slot);
        let own = &looker.words[word..word + layout.words as usize];
        let first = self.places.len();
        let at = self.slots.len();
        self.slots.push(Slots { cell, slot, word });
        let in_order = match layout.shape {
            Shape::List { .. } => Some(word + 1),
            Shape::Row { .. } | Shape::Scalar => Some(word),
            _ => None,
        };
        let looks = layout.looks.as_deref().filter(|_| sight == Sight::Shown);
        let (places, dealt) = (&mut self.places, &mut self.dealt);
        each_piece(layout.shape, own, |index, piece| {
            dealt.push(piece);
            places.push(Place {
                slot: at,
                word: in_order.map(|first| first + index),
                look: looks.map(|looks| looks.get(piece as usize).copied().unwrap_or(NOTHING)),
                concealed: sight == Sight::Nothing,
                piece: NOTHING,
                known: false,
            });
        });
        if sight == Sight::Nothing && places.len() == first {
            places.push(Place {
                slot: at,
                word: in_order,
                look: None,
                concealed: true,
                piece: NOTHING,
                known: false,
            });
        }
        if sight == Sight::Top && places.len() > first {
            // The uppermost is seen.
            places.pop();
            dealt.pop();
        }
        if in_order.is_none() {
            self.places[first..].sort_unstable_by_key(|place| place.look);
        }
    }

    /// Of the places that may be empty as many are as there are too many, which ones is due to chance.
    fn leave_empty(&mut self, dice: &mut Dice) {
        let free = self.places.iter().filter(|place| !place.known);
        let mut spare = free.clone().count().saturating_sub(self.dealt.len());
        let mut left = free.filter(|place| place.concealed).count();
        let empty = &mut self.empty;
        empty.clear();
        self.places.retain(|place| {
            if !place.concealed || place.known {
                return true;
            }
            let stays = dice.below(left) >= spare;
            left -= 1;
            if !stays {
                spare -= 1;
                empty.extend(place.word);
            }
            stays
        });
    }

    /// Gives each piece a place. They come in an order that is due to chance alone.
    fn deal(&mut self, dice: &mut Dice) {
        for at in (1..self.dealt.len()).rev() {
            self.dealt.swap(at, dice.below(at + 1));
        }
        for at in 0..self.dealt.len() {
            let piece = self.dealt[at];
            let from = dice.below(self.places.len());
            if self.lay(piece, from) {
                continue;
            }
            self.met.clear();
            self.met.extend(self.places.iter().map(|place| place.known));
            if !self.make_room(piece) {
                // More pieces of a kind than sets can hold are left to where room is.
                let free = self.places.iter_mut().find(|place| place.piece == NOTHING);
                if let Some(place) = free {
                    place.piece = piece;
                }
            }
        }
    }

    /// Lays a piece where nothing lies yet.
    fn lay(&mut self, piece: i32, from: usize) -> bool {
        let count = self.places.len();
        let mut order = (from..count).chain(0..from);
        let free = order.find(|at| self.places[*at].piece == NOTHING && self.fits(piece, *at));
        if let Some(at) = free {
            self.places[at].piece = piece;
        }
        free.is_some()
    }

    /// Lays a piece in place of one that can lie elsewhere.
    fn make_room(&mut self, piece: i32) -> bool {
        for at in 0..self.places.len() {
            if self.met[at] || !self.fits(piece, at) {
                continue;
            }
            self.met[at] = true;
            let other = std::mem::replace(&mut self.places[at].piece, piece);
            if other == NOTHING || self.lay(other, 0) || self.make_room(other) {
                return true;
            }
            self.places[at].piece = other;
        }
        false
    }

    /// A piece may lie at a place, whatever lies there now.
    fn fits(&self, piece: i32, at: usize) -> bool {
        let place = &self.places[at];
        let slot = self.slots[place.slot];
        let layout = &self.program.cells[slot.cell];
        if let Some(homes) = &self.homes[slot.cell] {
            let home = homes.get(slot.slot as usize);
            if !home.is_some_and(|home| home.get(piece as usize).copied().unwrap_or(false)) {
                return false;
            }
        }
        if let Some(look) = place.look {
            let looks = layout.looks.as_deref().unwrap_or_default();
            if looks.get(piece as usize).copied() != Some(look) {
                return false;
            }
        }
        let twice = |(other, lying): (usize, &Place)| {
            other != at && lying.slot == place.slot && lying.piece == piece
        };
        !matches!(layout.shape, Shape::Set { .. }) || !self.places.iter().enumerate().any(twice)
    }

    fn put_back(&self, words: &mut [i32]) {
        self.empty.iter().for_each(|word| words[*word] = NONE);
        for slot in &self.slots {
            let layout = &self.program.cells[slot.cell];
            if matches!(layout.shape, Shape::Set { .. } | Shape::Bag { .. }) {
                words[slot.word..slot.word + layout.shape.words()].fill(0);
            }
        }
        for place in &self.places {
            let slot = self.slots[place.slot];
            match place.word {
                Some(word) => words[word] = place.piece,
                None => put(
                    self.program.cells[slot.cell].shape,
                    place.piece,
                    &mut words[slot.word..],
                ),
            }
        }
    }
}

/// Which words of the cells are meant.
#[derive(Clone, Copy)]
enum Region {
    Now,
    /// As they were when the running secret step began.
    Before,
}

impl Region {
    pub(super) fn word(self, program: &Program, layout: &CellLayout, slot: u32) -> usize {
        let word = layout.word(slot);
        match (self, program.secret_copy) {
            (Region::Before, Some(copy)) => word - program.cell_words().start + copy as usize,
            _ => word,
        }
    }

    pub(super) fn sight(
        self,
        program: &Program,
        looker: Looker<'_>,
        layout: &CellLayout,
        slot: u32,
    ) -> Sight {
        let sight = looker.sight(layout, slot);
        let width = layout.words as usize;
        let (now, seen) = (layout.word(slot), looker.seen_word(program, layout, slot));
        match self {
            // Others have changed it in secret.
            Region::Now
                if sight == Sight::Open
                    && looker.words[now..now + width] != looker.words[seen..seen + width] =>
            {
                Sight::Size
            }
            _ => sight,
        }
    }
}

/// The pieces of a slot in order, each with its number; a bag's one by one, gaps left out.
pub(super) fn each_piece(shape: Shape, words: &[i32], mut visit: impl FnMut(usize, i32)) {
    let mut line = |items: &[i32]| {
        for (at, item) in items.iter().enumerate().filter(|(_, item)| **item != NONE) {
            visit(at, *item);
        }
    };
    match shape {
        Shape::List { .. } => line(&words[1..=words[0].max(0) as usize]),
        Shape::Row { n } => line(&words[..n as usize]),
        Shape::Scalar => line(&words[..1]),
        Shape::Set { n, low } => {
            let there = (0..n).filter(|at| words[(at / 32) as usize] as u32 >> (at % 32) & 1 == 1);
            there.for_each(|at| visit(0, low + at as i32));
        }
        Shape::Bag { n, low } => {
            for kind in 0..n as i32 {
                (0..words[kind as usize]).for_each(|_| visit(0, low + kind));
            }
        }
        Shape::Agenda { .. } => {}
    }
}

/// Puts an element into a set or bag.
fn put(shape: Shape, element: i32, words: &mut [i32]) {
    match shape {
        Shape::Set { low, .. } => {
            let at = (element - low) as u32;
            words[(at / 32) as usize] |= 1i32.wrapping_shl(at % 32);
        }
        Shape::Bag { low, .. } => words[(element - low) as usize] += 1,
        _ => {}
    }
}

/// Makes up what is no piece: any values that fit, as many as there are.
fn make_up_slot(
    program: &Program,
    (layout, slot): (&CellLayout, u32),
    sight: Sight,
    (known, seen): ((i32, i32), &mut Vec<Option<i32>>),
    dice: &mut Dice,
    words: &mut [i32],
) {
    let looks = layout.looks.as_deref().filter(|_| sight == Sight::Shown);
    let shape = layout.shape;
    match shape {
        Shape::Scalar => {
            if words[0] != NONE
                && let Some((low, n)) = number_range(program, layout, slot, known)
            {
                words[0] = low + dice.below(n as usize) as i32;
            }
        }
        Shape::Set { n, low } | Shape::Bag { n, low } => {
            // What is seen of each, in an order that tells no more.
            seen.clear();
            each_piece(shape, words, |_, piece| {
                seen.push(looks.map(|looks| looks.get(piece as usize).copied().unwrap_or(NOTHING)));
            });
            seen.sort_unstable();
            words[..shape.words()].fill(0);
            for look in seen {
                let free = |element: i32| {
                    let at = (element - low) as usize;
                    let set = matches!(shape, Shape::Set { .. });
                    !(set && words[at / 32] as u32 >> (at % 32) & 1 == 1)
                };
                if let Some(one) = any_element((low, n), looks, *look, dice, free) {
                    put(shape, one, words);
                }
            }
        }
        Shape::List { .. } | Shape::Row { .. } => {
            let Some(range) = layout.values.filter(|(_, n)| *n > 0) else {
                return;
            };
            let items = match shape {
                Shape::List { .. } => 1..1 + words[0].max(0) as usize,
                _ => 0..shape.words(),
            };
            let end = items.end - usize::from(sight == Sight::Top && !items.is_empty());
            for word in &mut words[items.start..end.max(items.start)] {
                if *word == NONE {
                    continue;
                }
                let look = looks.map(|looks| looks.get(*word as usize).copied().unwrap_or(NOTHING));
                if let Some(one) = any_element(range, looks, look, dice, |_| true) {
                    *word = one;
                }
            }
        }
        Shape::Agenda { .. } => {}
    }
}

/// The first element from a place due to chance on that looks so and is wanted.
fn any_element(
    (low, n): (i32, u32),
    looks: Option<&[i32]>,
    look: Option<i32>,
    dice: &mut Dice,
    wanted: impl Fn(i32) -> bool,
) -> Option<i32> {
    let from = dice.below(n as usize) as u32;
    let elements = (from..n).chain(0..from).map(|at| low + at as i32);
    let alike = |element: &i32| match (looks, look) {
        (Some(looks), Some(look)) => looks.get(*element as usize).copied() == Some(look),
        _ => true,
    };
    elements.filter(alike).find(|element| wanted(*element))
}
