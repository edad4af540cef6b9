//! What a seat knows of places it cannot look into, because it sees copies of what lies there: of somebody else's cards that
//! were shown to it, of a pile that it has looked at.
//!
//! That one cell tells what lies in another is said nowhere in the rules. It is taken as known where it held in each position
//! of some games played at random, and would not have held by chance.

use super::homes::moved_cells;
use crate::Program;
use crate::machine::{Machine, Stop};
use crate::observe::pieces;
use crate::observe::sight::{Looker, Sight, size};
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

    /// Writes what the copy says over the words of the other slot, where it says all of it.
    pub fn write(self, program: &Program, real: &[i32], held: &mut [i32]) {
        let [shown, lies] = [self.shown, self.lies].map(|(cell, _)| &program.cells[cell]);
        let first = shown.word(self.shown.1);
        let copy = &real[first..first + shown.words as usize];
        let as_many = || {
            let count = |layout: &CellLayout, words| size(&pieces(layout.shape, words));
            count(shown, copy) == count(lies, held)
        };
        match (told(program, real, self).as_slice(), lies.shape) {
            (&[(value, _)], Shape::Scalar) => held[0] = value,
            ([_, ..], shape) if shape == shown.shape && as_many() => {
                let width = shape.words().min(copy.len());
                held[..width].copy_from_slice(&copy[..width]);
            }
            _ => {}
        }
    }
}

impl Pair {
    /// Whether what the copy holds lies there now too.
    fn holds(&mut self, program: &Program, words: &[i32]) -> bool {
        let told = told(program, words, self.copied);
        let lying = held(program, words, self.copied.lies);
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

/// What a copy says of what lies in the other slot, each piece with how often it is there.
pub(super) fn told(program: &Program, words: &[i32], copied: Copied) -> Vec<(i32, i32)> {
    let Copied { shown, lies } = copied;
    let hidden = &program.cells[lies.0];
    let mut told = held(program, words, shown);
    if let (None, Some((low, n))) = (hidden.holds, hidden.values) {
        // A number that cannot be there says that nothing is known.
        told.retain(|(number, _)| {
            (i64::from(low)..i64::from(low) + i64::from(n)).contains(&i64::from(*number))
        });
    }
    told
}

/// The kinds in a slot, in order, each with how often it lies there.
fn held(program: &Program, words: &[i32], (cell, slot): At) -> Vec<(i32, i32)> {
    let layout = &program.cells[cell];
    let word = layout.word(slot);
    let mut held = pieces(layout.shape, &words[word..word + layout.words as usize]);
    held.retain(|(piece, count)| *piece != NONE && *count > 0);
    held.sort_unstable();
    held.dedup_by(|next, one| {
        let same = next.0 == one.0;
        one.1 = one.1.saturating_add(if same { next.1 } else { 0 });
        same
    });
    held
}
