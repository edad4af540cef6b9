//! What a seat sees as a row of numbers: as many for every state of a program, each at its place, for those who learn from rows.

use super::{Observation, Seen};
use crate::Program;
use crate::playout::seat_name;
use crate::program::{CellLayout, NONE, Shape, Slot, UNKNOWN, list_items};
use crate::words::{Words, set_items};
use dsl::ir::Ty;

/// Where nothing is.
const NOTHING: i32 = -1;
/// What is there is not seen.
const UNSEEN: i32 = -2;

impl Observation {
    /// All that is seen: who looks, who is asked, who began, what is known of the end, passes of steps and ends of seats; then
    /// each slot of each cell. Elements are counted from 0; -1 is none, -2 what is not seen. A container has a number for each
    /// of its places or kinds. Of pieces of which only some columns are seen a row that looks the same stands for them.
    /// [`numbers_called`] says what each number is.
    pub fn numbers(&self, program: &Program) -> Vec<i32> {
        let seat = |seat: Option<u32>| seat.map_or(NOTHING, |seat| seat as i32);
        let (label, left) = self.finish.map_or((NOTHING, 0), |(l, n)| (l as i32, n));
        let mut numbers = vec![
            seat(self.seat),
            seat(self.asked),
            self.starter as i32,
            label,
            left,
        ];
        numbers.extend(self.passes.iter().chain(&self.ends).copied().map(number));
        for (layout, slots) in program.cells.iter().zip(&self.cells) {
            slots
                .iter()
                .for_each(|seen| of_slot(layout, seen, &mut numbers));
        }
        numbers
    }
}

/// What each of [`Observation::numbers`] is, in words: `A.hand: red`.
pub fn numbers_called(words: &Words<'_>) -> Vec<String> {
    let (rules, program) = (words.rules, words.program);
    let mut names: Vec<String> = ["seat", "asked", "starter", "finish", "finish left"]
        .map(str::to_owned)
        .to_vec();
    let labels = rules.labels.iter();
    names.extend(labels.map(|label| format!("passes of {}", label.name)));
    let ends = program.end_words().count();
    let seats = program.players as usize;
    names.extend((0..ends).map(|at| match ends == seats {
        true => format!("end of {}", seat_name(at)),
        false => format!("end {at}"),
    }));
    for (slot, layout) in (0..).map(Slot).zip(&program.cells) {
        let ty = rules.cells[slot.at()].ty.required();
        for index in 0..layout.slots {
            let name = words.cell_slot(slot, index);
            let kinds = |n: u32, low: i32| {
                let element = match ty {
                    Ty::Set(domain) | Ty::Bag(domain) => Some(*domain),
                    _ => None,
                };
                let kind = move |at: i32| element.map(|one| words.element(one, at));
                (low..low + n as i32).map(move |at| kind(at).unwrap_or_else(|| at.to_string()))
            };
            match layout.shape {
                Shape::Scalar => names.push(name),
                Shape::Set { n, low } | Shape::Bag { n, low } => {
                    names.extend(kinds(n, low).map(|kind| format!("{name}: {kind}")));
                    names.push(format!("{name}: unseen"));
                }
                Shape::List { cap: n, .. } | Shape::Row { n } => {
                    names.push(format!("{name}: how many"));
                    names.extend((1..=n).map(|place| format!("{name}: {place}")));
                }
                Shape::Agenda { .. } => {}
            }
        }
    }
    names
}

fn number(word: i32) -> i32 {
    match word {
        NONE => NOTHING,
        UNKNOWN => UNSEEN,
        word => word,
    }
}

fn of_slot(layout: &CellLayout, seen: &Seen, numbers: &mut Vec<i32>) {
    match layout.shape {
        Shape::Scalar => numbers.push(scalar(seen)),
        Shape::Set { n, low } | Shape::Bag { n, low } => {
            let from = numbers.len();
            numbers.resize(from + n as usize + 1, 0);
            let (counts, unseen) = numbers[from..].split_at_mut(n as usize);
            let mut add = |piece: i32, count: i32| {
                if let Some(counted) = counts.get_mut((piece - low).max(0) as usize) {
                    *counted += count;
                }
            };
            match (seen, layout.shape) {
                (Seen::Open(words), Shape::Set { .. }) => {
                    set_items(words, n, low).for_each(|piece| add(piece, 1));
                    unseen[0] = words.get(layout.shape.words()).map_or(0, |more| *more);
                }
                (Seen::Open(words), _) => {
                    (low..)
                        .zip(&words[..n as usize])
                        .for_each(|(piece, count)| add(piece, *count));
                    unseen[0] = words.get(n as usize).map_or(0, |more| *more);
                }
                (Seen::Shown(pieces), _) => {
                    pieces.iter().for_each(|(piece, count)| add(*piece, *count));
                }
                (Seen::Top { size, .. } | Seen::Size(size), _) => unseen[0] = *size,
                (Seen::Nothing, _) => {}
            }
        }
        Shape::List { cap: n, .. } | Shape::Row { n } => {
            let from = numbers.len();
            numbers.resize(from + n as usize + 1, NOTHING);
            let places = &mut numbers[from..];
            let items = |words: &[i32], places: &mut [i32]| {
                places
                    .iter_mut()
                    .zip(words)
                    .for_each(|(place, word)| *place = number(*word));
            };
            match (seen, layout.shape) {
                (Seen::Open(words), Shape::List { deck, .. }) => {
                    let words: Vec<i32> = list_items(words, deck).take(n as usize).collect();
                    places[0] = words.len() as i32;
                    items(&words, &mut places[1..]);
                }
                (Seen::Open(words), _) => {
                    let words = &words[..n as usize];
                    places[0] = words.iter().filter(|word| **word != NONE).count() as i32;
                    items(words, &mut places[1..]);
                }
                (Seen::Shown(pieces), _) => {
                    let words: Vec<i32> = pieces.iter().map(|(piece, _)| *piece).collect();
                    places[0] = words.iter().filter(|word| **word != NONE).count() as i32;
                    items(&words, &mut places[1..]);
                }
                (Seen::Top { size, .. } | Seen::Size(size), shape) => {
                    places[0] = *size;
                    let there = match shape {
                        Shape::List { .. } => (*size).clamp(0, n as i32) as usize,
                        _ => n as usize,
                    };
                    places[1..=there].fill(UNSEEN);
                    if let (Seen::Top { top: Some(top), .. }, 1..) = (seen, there) {
                        places[1] = number(*top);
                    }
                }
                (Seen::Nothing, _) => {}
            }
        }
        Shape::Agenda { .. } => {}
    }
}

fn scalar(seen: &Seen) -> i32 {
    match seen {
        Seen::Open(words) => number(words[0]),
        Seen::Shown(pieces) => pieces.first().map_or(NOTHING, |(piece, _)| number(*piece)),
        Seen::Top { top, .. } => top.map_or(NOTHING, number),
        Seen::Size(0) => NOTHING,
        Seen::Size(_) | Seen::Nothing => UNSEEN,
    }
}
