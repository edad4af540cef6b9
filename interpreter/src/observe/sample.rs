//! Full states that agree with what a seat sees.

use super::{Observer, Sight, pieces};
use crate::bots::BotChance;
use crate::program::{NONE, Shape, header};
use crate::state::State;
use dsl::ir::Domain;
use std::collections::BTreeMap;

/// How often pieces that may not lie everywhere are passed through.
const PASSES: usize = 12;

/// A place in which a piece lies that the seat does not see.
struct Place {
    /// Index into [`Hidden::slots`].
    slot: usize,
    /// Word of the piece in lists, rows and single places.
    word: Option<usize>,
    piece: i32,
}

/// A slot with pieces that are not seen.
struct Slot {
    cell: usize,
    slot: u32,
    word: usize,
    /// What lies in it looks as it did.
    shown: bool,
}

/// What the seat does not see of one domain.
#[derive(Default)]
struct Hidden {
    slots: Vec<Slot>,
    places: Vec<Place>,
}

pub(super) fn sample(
    observer: &Observer<'_>,
    state: &State,
    seat: u32,
    chance: &mut BotChance,
) -> State {
    let mut sampled = state.without_past();
    sampled.words[header::SEED_LOW] = chance.next_u32() as i32;
    sampled.words[header::SEED_HIGH] = chance.next_u32() as i32;
    let program = observer.program;
    let offsets = match program.secret_copy {
        Some(copy) if state.words[header::SECRET] > 0 => {
            vec![0, copy as usize - program.cell_words().start]
        }
        _ => vec![0],
    };
    // In a secret step both the cells and what they were at its begin are made up.
    for offset in offsets {
        let hidden = gather(observer, state, seat, offset);
        for hidden in hidden.into_values() {
            let mixed = mix(observer, hidden, chance);
            put_back(observer, mixed, &mut sampled);
        }
    }
    take_back_secrets(observer, state, seat, &mut sampled);
    sampled
}

/// What holds no pieces cannot be mixed: where others have written it in a running secret step it is again what it was at
/// the step's begin, which is what the seat sees.
fn take_back_secrets(observer: &Observer<'_>, state: &State, seat: u32, sampled: &mut State) {
    for (cell, layout) in observer.program.cells.iter().enumerate() {
        if observer.cells[cell].pieces.is_some() {
            continue;
        }
        for slot in 0..layout.slots {
            let word = observer.word(cell, slot);
            let seen = observer.seen_word(state, cell, slot, Some(seat));
            let words = seen..seen + layout.words as usize;
            sampled.words.copy_within(words, word);
        }
    }
}

/// Everything the seat does not see, by domain.
fn gather(
    observer: &Observer<'_>,
    state: &State,
    seat: u32,
    offset: usize,
) -> BTreeMap<Domain, Hidden> {
    let program = observer.program;
    let words = &state.words;
    let mut found: BTreeMap<Domain, Hidden> = BTreeMap::new();
    for (cell, layout) in program.cells.iter().enumerate() {
        let Some(domain) = observer.cells[cell].pieces else {
            continue;
        };
        for slot in 0..layout.slots {
            let now = (layout.base + slot * layout.words) as usize;
            let word = now + offset;
            let own = &words[word..word + layout.words as usize];
            let mut sight = observer.sight(state, cell, slot, Some(seat));
            if let Some(copy) = program.secret_copy
                && words[header::SECRET] > 0
                && sight == Sight::Open
                && offset == 0
                && !observer.is_own(state, cell, slot, Some(seat))
            {
                let kept = copy as usize + now - program.cell_words().start;
                if &words[kept..kept + layout.words as usize] != own {
                    // Others have changed it in secret.
                    sight = Sight::Size;
                }
            }
            if sight == Sight::Open || offset > 0 && observer.is_own(state, cell, slot, Some(seat))
            {
                continue;
            }
            let hidden = found.entry(domain).or_default();
            let at = hidden.slots.len();
            hidden.slots.push(Slot {
                cell,
                slot,
                word,
                shown: sight == Sight::Shown,
            });
            let first = match layout.shape {
                Shape::List { .. } => Some(word + 1),
                Shape::Row { .. } | Shape::Scalar => Some(word),
                _ => None,
            };
            let all = pieces(layout.shape, own);
            let unseen = all.len() - usize::from(sight == Sight::Top && !all.is_empty());
            let places = all[..unseen]
                .iter()
                .enumerate()
                .filter(|(_, piece)| **piece != NONE);
            hidden.places.extend(places.map(|(index, piece)| Place {
                slot: at,
                word: first.map(|first| first + index),
                piece: *piece,
            }));
        }
    }
    found
}

/// Lets pieces change places where both may lie in the other's place.
fn mix(observer: &Observer<'_>, mut hidden: Hidden, chance: &mut BotChance) -> Hidden {
    let bound = homebound(observer, &hidden);
    let free = bound.iter().all(|bound| !bound)
        && hidden.slots.iter().all(|slot| {
            !slot.shown && !matches!(observer.program.cells[slot.cell].shape, Shape::Set { .. })
        });
    for _ in 0..if free { 1 } else { PASSES } {
        for at in (1..hidden.places.len()).rev() {
            let other = chance.below(at + 1);
            if free
                || (fits(observer, &hidden, &bound, at, other)
                    && fits(observer, &hidden, &bound, other, at))
            {
                let piece = hidden.places[at].piece;
                hidden.places[at].piece = hidden.places[other].piece;
                hidden.places[other].piece = piece;
            }
        }
    }
    hidden
}

/// Slots whose cell has only pieces that were there at the start, in each of its slots.
fn homebound(observer: &Observer<'_>, hidden: &Hidden) -> Vec<bool> {
    let at_home = |place: &Place| {
        let slot = &hidden.slots[place.slot];
        is_home(observer, slot, place.piece)
    };
    let cell_is = |cell: usize| {
        observer.homes()[cell].is_some()
            && hidden
                .places
                .iter()
                .filter(|place| hidden.slots[place.slot].cell == cell)
                .all(at_home)
    };
    hidden.slots.iter().map(|slot| cell_is(slot.cell)).collect()
}

fn is_home(observer: &Observer<'_>, slot: &Slot, piece: i32) -> bool {
    let Some(homes) = &observer.homes()[slot.cell] else {
        return true;
    };
    let held = homes.get(slot.slot as usize);
    held.is_some_and(|held| held.get(piece as usize).copied().unwrap_or(false))
}

/// The piece that lies at `from` may lie at `to`, in place of what lies there.
fn fits(observer: &Observer<'_>, hidden: &Hidden, bound: &[bool], from: usize, to: usize) -> bool {
    let (piece, place) = (hidden.places[from].piece, &hidden.places[to]);
    let slot = &hidden.slots[place.slot];
    if bound[place.slot] && !is_home(observer, slot, piece) {
        return false;
    }
    if slot.shown {
        let looks = observer.cells[slot.cell]
            .looks
            .as_deref()
            .unwrap_or_default();
        if looks.get(piece as usize) != looks.get(place.piece as usize) {
            return false;
        }
    }
    let set = matches!(observer.program.cells[slot.cell].shape, Shape::Set { .. });
    let twice = || {
        hidden
            .places
            .iter()
            .enumerate()
            .any(|(at, other)| at != to && other.slot == place.slot && other.piece == piece)
    };
    !(set && hidden.places[from].slot != place.slot && twice())
}

fn put_back(observer: &Observer<'_>, hidden: Hidden, state: &mut State) {
    for slot in &hidden.slots {
        let layout = &observer.program.cells[slot.cell];
        if matches!(layout.shape, Shape::Set { .. } | Shape::Bag { .. }) {
            state.words[slot.word..slot.word + layout.shape.words()].fill(0);
        }
    }
    for place in &hidden.places {
        let slot = &hidden.slots[place.slot];
        let words = &mut state.words;
        match (observer.program.cells[slot.cell].shape, place.word) {
            (Shape::Set { low, .. }, _) => {
                let at = (place.piece - low) as u32;
                words[slot.word + (at / 32) as usize] |= 1i32.wrapping_shl(at % 32);
            }
            (Shape::Bag { low, .. }, _) => words[slot.word + (place.piece - low) as usize] += 1,
            (_, Some(word)) => words[word] = place.piece,
            _ => {}
        }
    }
}
