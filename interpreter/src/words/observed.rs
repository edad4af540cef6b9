//! What a seat sees in words, and what is new to it.

use super::{Held, Words};
use crate::observe::{Observation, Seen, size};
use crate::program::{NONE, Shape, Slot};
use dsl::ir::{CellOwner, Domain, Ty};
use std::collections::BTreeMap;
use std::iter::repeat;
use std::ops::Range;

/// Something that looks otherwise than it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct News {
    /// A sentence without full stop.
    pub text: String,
    /// The words of the state it tells of.
    pub words: Range<u32>,
}

/// Slots of one cell that have a line each; more of them share one.
const LINES_MAX: u32 = 24;
/// Items of a list that are named when it changes.
const ITEMS_SHOWN_MAX: usize = 12;

impl Words<'_> {
    /// What is seen, a line for each cell: of cells with many slots only those that hold something.
    pub fn observed(&self, seen: &Observation) -> Vec<String> {
        let mut lines = Vec::new();
        for (slot, cell) in self.lasting() {
            let seen = &seen.cells[slot.at()];
            let scalar = self.program.cells[slot.at()].shape == Shape::Scalar;
            if cell.owner == CellOwner::Each(Domain::Player) && cell.indices.is_empty() && scalar {
                lines.extend(self.of_players(slot, seen));
                continue;
            }
            let many = matches!(cell.owner, CellOwner::Each(domain) if domain != Domain::Player)
                || seen.len() as u32 > LINES_MAX;
            if cell.owner == CellOwner::Each(self.positions())
                && let Some(picture) = self.drawn(slot, seen)
            {
                lines.extend(picture);
                continue;
            }
            let slots = seen.iter().zip(0..);
            let parts: Vec<String> = slots
                .filter_map(|(seen, index)| self.slot_seen(slot, index, seen, many))
                .collect();
            if many && parts.len() > 1 {
                lines.push(format!("{}: {}", cell.name, parts.join(", ")));
            } else {
                lines.extend(parts);
            }
        }
        let ends = self.program.end_words().zip(&seen.ends);
        lines.extend(ends.filter_map(|(word, end)| self.fate(word, *end)));
        lines
    }

    /// A sentence for each thing that looks otherwise after than before, to the same seat. Of what it does not see it learns
    /// how much more or less there is.
    pub fn news(&self, before: &Observation, after: &Observation) -> Vec<News> {
        let mut open = Vec::new();
        let mut counted = Vec::new();
        for (slot, _) in self.lasting() {
            let slots = before.cells[slot.at()].iter().zip(&after.cells[slot.at()]);
            for ((old, new), index) in slots.zip(0..).filter(|((old, new), _)| old != new) {
                match (old, new) {
                    (Seen::Open(old), Seen::Open(new)) => {
                        self.changes(slot, index, old, new, &mut open);
                    }
                    _ => counted.extend(self.grown(slot, index, old, new)),
                }
            }
        }
        open.append(&mut counted);
        // How somebody's part has ended comes last, the end of the game behind it.
        let ends = before.ends.iter().zip(&after.ends);
        for (word, (old, new)) in self.program.end_words().zip(ends) {
            if old != new
                && let Some(text) = self.fate(word, *new)
            {
                let words = word..word + 1;
                open.push(News { text, words });
            }
        }
        open
    }

    /// What is seen of a slot: its value, or how much lies in it; none if that is nothing.
    pub fn seen(&self, slot: Slot, seen: &Seen) -> Option<String> {
        match seen {
            Seen::Open(words) => Some(self.held_text(slot, words)),
            _ => self.half_seen(slot, seen),
        }
    }

    /// Cells that are not those of a running step or action.
    fn lasting(&self) -> impl Iterator<Item = (Slot, &dsl::ir::Cell)> {
        let cells = self.rules.cells.iter().zip(0..);
        let passing =
            |cell: &dsl::ir::Cell| matches!(cell.owner, CellOwner::Step(_) | CellOwner::Action(_));
        cells
            .filter(move |(cell, _)| !passing(cell) && !cell.name.is_empty())
            .map(|(cell, at)| (Slot(at), cell))
    }

    /// `wagons: A 45, B 43`: only what is seen; none if that is nothing.
    fn of_players(&self, slot: Slot, seen: &[Seen]) -> Option<String> {
        let parts: Vec<String> = seen
            .iter()
            .zip(0..)
            .filter_map(|(seen, seat)| match seen {
                Seen::Open(words) => Some(format!(
                    "{} {}",
                    self.seat(seat),
                    self.held_text(slot, words)
                )),
                _ => None,
            })
            .collect();
        (!parts.is_empty()).then(|| format!("{}: {}", self.cell(slot), parts.join(", ")))
    }

    fn slot_seen(&self, slot: Slot, index: u32, seen: &Seen, only_if_set: bool) -> Option<String> {
        let name = self.cell_slot(slot, index);
        if let Seen::Open(words) = seen {
            let text = self.held_text(slot, words);
            let empty = matches!(text.as_str(), "none" | "{}" | "[]" | "0" | "false");
            return (!(only_if_set && empty)).then(|| format!("{name} = {text}"));
        }
        self.half_seen(slot, seen)
            .map(|known| format!("{name}: {known}"))
    }

    /// What is known of a place one cannot look into; nothing of a single value.
    fn half_seen(&self, slot: Slot, seen: &Seen) -> Option<String> {
        let ty = self.rules.cells[slot.at()].ty.required();
        let element = ty.element()?;
        let size = seen.size();
        Some(match seen {
            Seen::Top { top: Some(top), .. } => {
                format!("{size}, on top {}", self.scalar(&element, *top))
            }
            Seen::Shown(looks) => format!("{size} unseen{}", self.shown(slot, &element, looks)),
            _ => format!("{size} unseen"),
        })
    }

    /// ` (short: 3, long: 1)`: for each column shown what is seen of the pieces.
    fn shown(&self, slot: Slot, element: &Ty, looks: &[(i32, i32)]) -> String {
        let Ty::Element(Domain::Table(table)) = element else {
            return String::new();
        };
        let rows = &self.rules.tables[table.index()].rows;
        let mut text = String::new();
        for column in &self.rules.cells[slot.at()].visibility.showing {
            let mut counts: BTreeMap<String, i32> = BTreeMap::new();
            let looks = looks.iter();
            for (row, many) in
                looks.filter_map(|(look, many)| Some((rows.get(*look as usize)?, many)))
            {
                let count = counts
                    .entry(self.constant(&row.values[column.index()]))
                    .or_default();
                *count = count.saturating_add(*many);
            }
            let parts: Vec<String> = counts
                .iter()
                .map(|(value, count)| format!("{value}: {count}"))
                .collect();
            if !parts.is_empty() {
                text += &format!(" ({})", parts.join(", "));
            }
        }
        text
    }

    /// How an open slot has changed: lists and rows as they are now, of others each thing that is another.
    fn changes(&self, slot: Slot, index: u32, old: &[i32], new: &[i32], out: &mut Vec<News>) {
        let layout = &self.program.cells[slot.at()];
        let place = self.place_of(slot, index);
        let items = match layout.shape {
            Shape::List { .. } => new[0].max(0) as usize,
            Shape::Row { n } => n as usize,
            _ => {
                let words = old.iter().zip(new).zip(place);
                let words = words.filter(|((old, new), _)| old != new);
                out.extend(words.filter_map(|((old, new), word)| {
                    let text = self.write(word, *old, *new)?;
                    let words = word..word + 1;
                    Some(News { text, words })
                }));
                return;
            }
        };
        let name = self.cell_slot(slot, index);
        let text = if items > ITEMS_SHOWN_MAX {
            format!("{name}: {items} now")
        } else {
            format!("{name}: {}", self.held_text(slot, new))
        };
        out.push(News { text, words: place });
    }

    /// The words of a slot.
    fn place_of(&self, slot: Slot, index: u32) -> Range<u32> {
        let layout = &self.program.cells[slot.at()];
        let base = layout.base + index * layout.words;
        base..base + layout.words
    }

    /// By how many pieces a place one cannot look into has grown, and what lies on top now.
    fn grown(&self, slot: Slot, index: u32, old: &Seen, new: &Seen) -> Option<News> {
        let name = self.cell_slot(slot, index);
        let element = self.rules.cells[slot.at()].ty.required().element();
        let by = new.size().saturating_sub(old.size());
        let mut parts = Vec::new();
        if by != 0 {
            let word = if by > 0 { "more" } else { "fewer" };
            parts.push(format!("{} {word}", by.abs()));
        }
        if let (Seen::Shown(old), Seen::Shown(new), Some(ty)) = (old, new, &element) {
            let [come, gone] = [apart(new, old), apart(old, new)];
            // All of one kind: the number has been said.
            let said = [&come, &gone].map(|looks| self.shown(slot, ty, looks));
            for (text, sign) in said.iter().zip(["+", "−"]) {
                match (
                    by > 0 && sign == "+" || by < 0 && sign == "−",
                    text.is_empty(),
                ) {
                    (_, true) => {}
                    (true, false) => match parts.last_mut() {
                        Some(part) => part.push_str(text),
                        None => parts.push(text.trim_start().to_owned()),
                    },
                    (false, false) => parts.push(format!("{sign}{text}")),
                }
            }
        }
        if let (Seen::Top { top: Some(top), .. }, Some(ty)) = (new, element)
            && !matches!(old, Seen::Top { top: before, .. } if *before == Some(*top))
        {
            parts.push(format!("on top {}", self.scalar(&ty, *top)));
        }
        (!parts.is_empty()).then(|| News {
            text: format!("{name}: {}", parts.join(", ")),
            words: self.place_of(slot, index),
        })
    }

    /// What a slot holds whose words these are.
    fn held_text(&self, slot: Slot, words: &[i32]) -> String {
        let shape = self.program.cells[slot.at()].shape;
        let words = words[..shape.words()].to_vec();
        self.value(&self.rules.cells[slot.at()].ty, &Held { shape, words })
    }
}

/// What of `these` is more often there than in `those`, and by how many.
fn apart(these: &[(i32, i32)], those: &[(i32, i32)]) -> Vec<(i32, i32)> {
    let mut more: BTreeMap<i32, i64> = BTreeMap::new();
    for ((look, many), sign) in these
        .iter()
        .zip(repeat(1))
        .chain(those.iter().zip(repeat(-1)))
    {
        *more.entry(*look).or_default() += sign * i64::from(*many);
    }
    let more = more
        .into_iter()
        .filter(|(look, by)| *look != NONE && *by > 0);
    more.map(|(look, by)| (look, i32::try_from(by).unwrap_or(i32::MAX)))
        .collect()
}

impl Seen {
    /// How many pieces there are; a single value counts 1, `none` 0, and so does a gap.
    fn size(&self) -> i32 {
        match self {
            Seen::Open(_) => 0,
            Seen::Shown(looks) => size(looks),
            Seen::Top { size, .. } | Seen::Size(size) => *size,
        }
    }
}
