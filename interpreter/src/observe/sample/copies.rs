//! What a seat knows of places it cannot look into, because it sees copies of what lies there: of somebody else's cards that
//! were shown to it, of a pile that it has looked at.
//!
//! That one cell tells what lies in another is said nowhere in the rules. It is taken as known where it held in each position
//! of some games played at random, and would not have held by chance.

use super::homes::moved_cells;
use super::{NOTHING, Place, Sampler, Slots, each_piece};
use crate::Program;
use crate::machine::{Machine, Stop};
use crate::observe::sight::{Looker, Sight};
use crate::program::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Games that are looked at.
const GAMES: u64 = 24;
/// Decisions of each.
const DECISIONS: usize = 200;
/// How often a copy has said something else than before, at least: by chance a pair of the fewest values agrees so often once
/// in 65,536 times.
const TOLD_MIN: u32 = 16;
/// Pairs of slots that are compared; cells with more are left out.
const PAIRS_MAX: usize = 4096;

/// A slot of a cell.
pub(super) type At = (usize, u32);

/// Where something of what lies unseen is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Copied {
    /// What this slot holds, if anything,
    pub shown: At,
    /// lies here.
    pub lies: At,
}

/// A pair that has held so far.
struct Pair {
    copied: Copied,
    /// What the copy said last, and how often that was something else than before.
    last: Vec<(i32, i32)>,
    told: u32,
}

/// Which slots show what lies in others.
pub(crate) fn copies(program: &Program) -> Vec<Copied> {
    let mut pairs = candidates(program);
    let mut machine = Machine::new(program);
    for seed in 0..GAMES {
        if pairs.is_empty() {
            break;
        }
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let mut stop = machine.start(seed);
        for _ in 0..DECISIONS {
            pairs.retain_mut(|pair| pair.holds(program, &machine.m));
            let answers = machine.answers().len() as u64;
            if stop != Ok(Stop::Decision) || answers == 0 {
                break;
            }
            stop = machine.answer((u64::from(dice.next_u32()) % answers) as usize);
        }
    }
    pairs.retain(|pair| pair.told >= TOLD_MIN);
    pairs.into_iter().map(|pair| pair.copied).collect()
}

/// Cells that rules write into, not by moving pieces there, beside cells that some cannot see and that hold the like.
fn candidates(program: &Program) -> Vec<Pair> {
    let cells = &program.cells;
    let moved = moved_cells(program);
    let mut written = vec![false; cells.len()];
    for op in &program.code {
        if let Op::Set(place, value) | Op::SetWords(place, value) | Op::AddTo(place, value) = *op
            && !matches!(program.nodes[value.at()], Node::Const(_))
        {
            written[program.places[place.at()].cell.at()] = true;
        }
    }
    let mut pairs = Vec::new();
    for (lies, hidden) in cells.iter().enumerate() {
        if hidden.is_open() || hidden.passing || is_empty_shape(hidden) {
            continue;
        }
        for (shown, copy) in cells.iter().enumerate() {
            let told = written[shown] && !moved[shown] && copy.is_open_to_owner() && !copy.passing;
            let alike = shown != lies && !is_empty_shape(copy) && hold_alike(hidden, copy);
            if told
                && alike
                && (hidden.slots as usize).saturating_mul(copy.slots as usize) <= PAIRS_MAX
            {
                let slots = (0..hidden.slots).flat_map(|a| (0..copy.slots).map(move |b| (a, b)));
                pairs.extend(slots.map(|(a, b)| Pair {
                    copied: Copied {
                        shown: (shown, b),
                        lies: (lies, a),
                    },
                    last: Vec::new(),
                    told: 0,
                }));
            }
        }
    }
    pairs
}

fn is_empty_shape(layout: &CellLayout) -> bool {
    matches!(layout.shape, Shape::Agenda { .. })
}

/// Elements of the same kind, or numbers of which some are the same; a number does not lie in a container.
fn hold_alike(one: &CellLayout, other: &CellLayout) -> bool {
    let scalar = |layout: &CellLayout| layout.shape == Shape::Scalar;
    match (one.holds, other.holds) {
        (Some(one), Some(other)) => one == other,
        (None, None) => {
            scalar(one)
                && scalar(other)
                && match (one.values, other.values) {
                    (Some((low, n)), Some((from, m))) => {
                        i64::from(low) < i64::from(from) + i64::from(m)
                            && i64::from(from) < i64::from(low) + i64::from(n)
                    }
                    _ => false,
                }
        }
        _ => false,
    }
}

impl Copied {
    /// The seat sees the copy as it is now.
    pub fn is_seen(self, program: &Program, looker: Looker<'_>) -> bool {
        let (cell, slot) = self.shown;
        looker.words[header::SECRET] == 0 && looker.sight(&program.cells[cell], slot) == Sight::Open
    }

    /// What the copy says of what lies in the other slot: each piece, and how often it is there.
    pub fn each(self, program: &Program, words: &[i32], mut visit: impl FnMut(i32, i32)) {
        let hidden = &program.cells[self.lies.0];
        each_kind(program, words, self.shown, |piece, count| {
            // A number that cannot be there says that nothing is known.
            let known = match (hidden.holds, hidden.values) {
                (None, Some((low, n))) => {
                    let past = i64::from(low) + i64::from(n);
                    (i64::from(low)..past).contains(&i64::from(piece))
                }
                _ => true,
            };
            if known {
                visit(piece, count);
            }
        });
    }

    /// Writes what the copy says over the words of the other slot, where it says all of it.
    pub fn write(self, program: &Program, real: &[i32], held: &mut [i32]) {
        let [shown, lies] = [self.shown, self.lies].map(|(cell, _)| &program.cells[cell]);
        if lies.shape == Shape::Scalar {
            return self.each(program, real, |value, _| held[0] = value);
        }
        let first = shown.word(self.shown.1);
        let copy = &real[first..first + shown.words as usize];
        let count = |words: &[i32]| {
            let mut size = 0i64;
            kinds(lies.shape, words, |_, count| size += i64::from(count));
            size
        };
        if lies.shape == shown.shape && count(copy) == count(held) {
            let width = lies.shape.words().min(copy.len());
            held[..width].copy_from_slice(&copy[..width]);
        }
    }
}

impl Sampler<'_> {
    /// Lays what the seat sees copies of where it lies.
    pub(super) fn lay_known(&mut self, looker: Looker<'_>) {
        let program = self.program;
        for copied in program.copies() {
            let (cell, slot) = copied.lies;
            let here = |slots: &Slots| (slots.cell, slots.slot) == (cell, slot);
            let Some(at) = self.slots.iter().position(here) else {
                continue;
            };
            if !copied.is_seen(program, looker) {
                continue;
            }
            let most = self.places.len();
            let mut shown = std::mem::take(&mut self.shown);
            shown.clear();
            copied.each(program, looker.words, |piece, count| {
                let count = (count.max(0) as usize).min(most);
                shown.extend(std::iter::repeat_n(piece, count));
            });
            for (number, piece) in shown.iter().enumerate() {
                let same = shown[..=number].iter().filter(|other| *other == piece);
                let lies =
                    |place: &&Place| place.slot == at && place.known && place.piece == *piece;
                if self.places.iter().filter(lies).count() < same.count() {
                    self.lay_one_known(*piece, at);
                }
            }
            self.shown = shown;
        }
    }

    /// Lays a piece that is known to lie in a slot, if it is among those that are not seen.
    fn lay_one_known(&mut self, piece: i32, slot: usize) {
        let Some(from) = self.dealt.iter().position(|dealt| *dealt == piece) else {
            return;
        };
        let free = |at: &usize| {
            let place = &self.places[*at];
            place.slot == slot && place.piece == NOTHING && self.fits(piece, *at)
        };
        let free = (0..self.places.len()).find(free);
        if let Some(place) = free.and_then(|at| self.places.get_mut(at)) {
            (place.piece, place.known) = (piece, true);
            self.dealt.remove(from);
        }
    }

    /// Of what is no piece and not seen, writes what the seat sees copies of.
    pub(super) fn copy_known(&self, looker: Looker<'_>, words: &mut [i32]) {
        for copied in self.program.copies() {
            let (cell, slot) = copied.lies;
            let layout = &self.program.cells[cell];
            let seen = looker.sight(layout, slot) == Sight::Open;
            if seen || self.pieces[cell] || !copied.is_seen(self.program, looker) {
                continue;
            }
            let word = layout.word(slot);
            let held = &mut words[word..word + layout.words as usize];
            copied.write(self.program, looker.words, held);
        }
    }
}

impl Pair {
    /// Whether what the copy holds lies there now too.
    fn holds(&mut self, program: &Program, words: &[i32]) -> bool {
        let (mut told, mut lying) = (Vec::new(), Vec::new());
        let note = |piece, count| told.push((piece, count));
        self.copied.each(program, words, note);
        each_kind(program, words, self.copied.lies, |piece, count| {
            lying.push((piece, count));
        });
        let (told, lying) = (sorted(told), sorted(lying));
        let all = told.iter().all(|(piece, count)| {
            let there = lying.iter().filter(|(other, _)| other == piece);
            there.map(|(_, count)| *count).sum::<i32>() >= *count
        });
        if !told.is_empty() && told != self.last {
            self.told += 1;
            self.last = told;
        }
        all
    }
}

/// The kinds in a slot with how often each lies there; one of a list or row may come several times.
fn each_kind(program: &Program, words: &[i32], (cell, slot): At, visit: impl FnMut(i32, i32)) {
    let layout = &program.cells[cell];
    let word = layout.word(slot);
    kinds(
        layout.shape,
        &words[word..word + layout.words as usize],
        visit,
    );
}

fn kinds(shape: Shape, words: &[i32], mut visit: impl FnMut(i32, i32)) {
    match shape {
        Shape::Bag { n, low } => {
            let counts = words.iter().take(n as usize).zip(low..);
            let there = counts.filter(|(count, _)| **count > 0);
            there.for_each(|(count, kind)| visit(kind, *count));
        }
        shape => each_piece(shape, words, |_, piece| visit(piece, 1)),
    }
}

/// Each kind once, in order.
fn sorted(mut held: Vec<(i32, i32)>) -> Vec<(i32, i32)> {
    held.sort_unstable();
    held.dedup_by(|next, one| {
        let same = next.0 == one.0;
        one.1 = one.1.saturating_add(if same { next.1 } else { 0 });
        same
    });
    held
}
