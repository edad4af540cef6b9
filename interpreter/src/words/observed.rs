//! What a seat sees in words, and what is new to it.

use super::speech::{counted, plain};
use super::{Held, Words};
use crate::observe::{Observation, Seen, size};
use crate::program::{NONE, Shape, Slot, Start};
use dsl::ir::{CellOwner, Domain, Noun, Saying, Ty};
use std::collections::BTreeMap;
use std::iter::repeat;
use std::ops::Range;

/// Something that looks otherwise than it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct News {
    /// What changed.
    pub change: Change,
    /// The words of the state it tells of.
    pub words: Range<u32>,
    /// Whose it is, if it is anybody's.
    pub owner: Option<(Domain, i32)>,
    /// The things it is about: what comes or goes, of a value the old and the new one.
    pub about: Vec<(Domain, i32)>,
}

/// What has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A number, or how much of something there is.
    Number {
        /// What it was.
        old: i32,
        /// What it is.
        new: i32,
        /// What one calls it.
        noun: Noun,
    },
    /// How many pieces of a kind lie somewhere.
    Pieces {
        /// So many more, or fewer.
        by: i32,
        /// What one calls the kind.
        piece: String,
        /// Where.
        place: String,
    },
    /// Anything else, in words.
    Other(String),
}

impl News {
    /// A number of a player.
    pub(super) fn counts_for_player(&self) -> bool {
        let of_player = matches!(self.owner, Some((Domain::Player, _)));
        of_player && matches!(self.change, Change::Number { .. })
    }

    /// By how much something of the table has changed, or how many of a thing came; fewer than none went.
    pub(super) fn amount(&self) -> Option<i32> {
        match &self.change {
            Change::Number { .. } if self.counts_for_player() => None,
            Change::Number { old, new, .. } => new.checked_sub(*old),
            Change::Pieces { .. } | Change::Other(_) => self.steps().first().map(|step| step.1),
        }
    }

    /// Which things came, each with how many, and which went, what came first.
    pub(super) fn steps(&self) -> Vec<((Domain, i32), i32)> {
        match (&self.change, self.about.as_slice()) {
            (Change::Pieces { by, .. }, [thing]) => vec![(*thing, *by)],
            (Change::Other(_), [old, new]) => {
                let steps = [(*new, 1), (*old, -1)].into_iter();
                steps.filter(|step| step.0.1 != NONE).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Slots of one cell that have a line each; more of them share one.
const LINES_MAX: u32 = 24;

impl Words<'_> {
    /// What is seen, a line for each cell, those of the steps that run among them: of cells with many slots only those that hold
    /// something.
    pub fn observed(&self, seen: &Observation) -> Vec<String> {
        let mut lines = Vec::new();
        let cells = self.cells_named();
        for (slot, cell) in cells.filter(|(_, cell)| seen.shows_cells_of(cell.owner)) {
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
            let several = many && seen.len() > 1;
            let parts: Vec<String> = slots
                .filter_map(|(seen, index)| self.slot_seen(slot, index, seen, (many, several)))
                .collect();
            if parts.is_empty() {
                continue;
            }
            if several {
                // What has commas of its own is kept apart.
                let has_commas = parts.iter().any(|part| part.contains(", "));
                let parts = parts.join(if has_commas { "; " } else { ", " });
                lines.push(format!("{}: {parts}", self.heading(slot)));
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
                open.push(News {
                    change: Change::Other(text),
                    words: word..word + 1,
                    owner: None,
                    about: Vec::new(),
                });
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

    /// Cells that are not those of a step or an action.
    fn lasting(&self) -> impl Iterator<Item = (Slot, &dsl::ir::Cell)> {
        let lasting =
            |cell: &dsl::ir::Cell| matches!(cell.owner, CellOwner::Game | CellOwner::Each(_));
        self.cells_named().filter(move |(_, cell)| lasting(cell))
    }

    fn cells_named(&self) -> impl Iterator<Item = (Slot, &dsl::ir::Cell)> {
        let cells = self.rules.cells.iter().zip(0..);
        cells
            .filter(|(cell, _)| !cell.name.is_empty())
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
        (!parts.is_empty()).then(|| format!("{}: {}", self.heading(slot), parts.join(", ")))
    }

    /// What a cell is called where all its slots are told of; its name where it is not told of when it changes.
    fn heading(&self, slot: Slot) -> String {
        match self.cell_noun(slot) {
            Some(noun) => noun.heading().to_owned(),
            None => plain(self.cell(slot)),
        }
    }

    /// A slot with what is seen of it; of many only if there is something, of several without the name that all have.
    fn slot_seen(
        &self,
        slot: Slot,
        index: u32,
        seen: &Seen,
        (many, several): (bool, bool),
    ) -> Option<String> {
        let text = match seen {
            Seen::Open(words)
                if many && self.is_empty(slot, words) && !self.begins_with_number(slot) =>
            {
                return None;
            }
            Seen::Open(words) => self.held_text(slot, words),
            Seen::Shown(_) | Seen::Top { .. } | Seen::Size(_) => self.half_seen(slot, seen)?,
            Seen::Nothing => return None,
        };
        if !several {
            return Some(format!("{}: {text}", self.slot_in_full(slot, index)));
        }
        let (owner, indices) = self.slot_parts(slot, index);
        let owner = owner.map(|(domain, word)| self.called(domain, word));
        let of = match (owner, indices.as_slice()) {
            (Some(owner), []) => owner,
            (Some(owner), indices) => format!("{owner} ({})", indices.join(", ")),
            (None, [index]) => index.clone(),
            (None, indices) => format!("({})", indices.join(", ")),
        };
        let is_yes = self.rules.cells[slot.at()].ty == Ty::Bool;
        Some(match is_yes {
            true => of,
            false => format!("{of} {text}"),
        })
    }

    /// A number that does not begin with nothing: that nothing is left is worth telling.
    fn begins_with_number(&self, slot: Slot) -> bool {
        let is_number = matches!(self.rules.cells[slot.at()].ty, Ty::Int { .. });
        is_number && self.program.cells[slot.at()].start != Start::Fill(0)
    }

    /// It is as at the start of most games: none, nothing, zero.
    pub fn is_empty(&self, slot: Slot, words: &[i32]) -> bool {
        match self.program.cells[slot.at()].shape {
            Shape::Scalar => {
                let ty = &self.rules.cells[slot.at()].ty;
                let zero = matches!(ty, Ty::Int { .. } | Ty::Bool);
                words
                    .first()
                    .is_none_or(|word| *word == NONE || zero && *word == 0)
            }
            Shape::Row { n } => words.iter().take(n as usize).all(|word| *word == NONE),
            Shape::Set { .. } | Shape::Bag { .. } => words.iter().all(|word| *word == 0),
            Shape::List { .. } | Shape::Agenda { .. } => words.first().is_none_or(|len| *len <= 0),
        }
    }

    /// What is known of a place one cannot look into; nothing of a single value.
    fn half_seen(&self, slot: Slot, seen: &Seen) -> Option<String> {
        let ty = self.rules.cells[slot.at()].ty.required();
        let element = ty.element()?;
        let size = seen.size();
        Some(match seen {
            Seen::Top { top: Some(top), .. } => {
                let (size, card) = (size.to_string(), self.said(&element, *top));
                self.say(Saying::OnTopOf, &[("number", &size), ("card", &card)])
            }
            Seen::Shown(looks) => {
                let unseen = self.unseen(size);
                format!("{unseen}{}", self.shown(slot, &element, looks))
            }
            Seen::Nothing => return None,
            Seen::Top { top: None, .. } | Seen::Size(_) | Seen::Open(_) => self.unseen(size),
        })
    }

    fn unseen(&self, size: i32) -> String {
        self.say(Saying::Unseen, &[("number", &size.to_string())])
    }

    /// ` (3 short, 1 long)`: for each column shown what is seen of the pieces.
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
                    .entry(self.constant_in_words(&row.values[column.index()]))
                    .or_default();
                *count = count.saturating_add(*many);
            }
            let parts = counts.into_iter();
            let parts: Vec<String> = parts
                .flat_map(|(value, count)| counted(count, value))
                .collect();
            if !parts.is_empty() {
                text += &format!(" ({})", parts.join(", "));
            }
        }
        text
    }

    /// How an open slot has changed: what came and went, of values the new one.
    fn changes(&self, slot: Slot, index: u32, old: &[i32], new: &[i32], out: &mut Vec<News>) {
        let Some(noun) = self.cell_noun(slot) else {
            return;
        };
        let shape = self.program.cells[slot.at()].shape;
        let words = self.place_of(slot, index);
        let (owner, _) = self.slot_parts(slot, index);
        let place = self.slot_called(slot, index);
        let news = |change, words, about| News {
            change,
            words,
            owner,
            about,
        };
        let ty = &self.rules.cells[slot.at()].ty;
        if shape == Shape::Scalar {
            let (old, new) = (old[0], new[0]);
            let change = match ty.required() {
                Ty::Int { .. } if old != NONE && new != NONE => Change::Number {
                    old,
                    new,
                    noun: noun.with(&self.slot_parts(slot, index).1.join(", ")),
                },
                Ty::Bool if new != 0 => Change::Other(place),
                Ty::Bool => Change::Other(self.say(Saying::Not, &[("what", &place)])),
                _ if new == NONE => {
                    Change::Other(self.say(Saying::NoThingCalled, &[("thing", &place)]))
                }
                _ => Change::Other(match self.said(ty, new) {
                    // `card 605`
                    value if value.starts_with(&format!("{place} ")) => value,
                    value => format!("{place} {value}"),
                }),
            };
            let about = match ty.required() {
                Ty::Element(domain) => [old, new].map(|word| (*domain, word)).to_vec(),
                _ => Vec::new(),
            };
            out.push(news(change, words, about));
            return;
        }
        let [before, after] = [old, new].map(|words| Held {
            shape,
            words: words.to_vec(),
        });
        let Some(element) = ty.required().element() else {
            return;
        };
        let mut counts: BTreeMap<i32, i32> = BTreeMap::new();
        for (held, sign) in [(&before, -1), (&after, 1)] {
            for (piece, count) in self.pieces(held) {
                let by = counts.entry(piece).or_default();
                *by = by.saturating_add(count.saturating_mul(sign));
            }
        }
        for (piece, by) in counts.into_iter().filter(|(_, by)| *by != 0) {
            let about = match element.required() {
                Ty::Element(domain) => vec![(*domain, piece)],
                _ => Vec::new(),
            };
            let piece = self.of_several(&element, piece, by);
            let place = place.clone();
            out.push(news(
                Change::Pieces { by, piece, place },
                words.clone(),
                about,
            ));
        }
    }

    /// The words of a slot.
    fn place_of(&self, slot: Slot, index: u32) -> Range<u32> {
        let layout = &self.program.cells[slot.at()];
        let base = layout.base + index * layout.words;
        base..base + layout.words
    }

    /// By how many pieces a place one cannot look into has grown, and what lies on top now.
    fn grown(&self, slot: Slot, index: u32, old: &Seen, new: &Seen) -> Option<News> {
        self.cell_noun(slot)?;
        let name = self.slot_called(slot, index);
        let element = self.rules.cells[slot.at()].ty.required().element();
        let by = new.size().saturating_sub(old.size());
        let mut parts = Vec::new();
        if by != 0 {
            let saying = if by > 0 { Saying::More } else { Saying::Fewer };
            parts.push(self.say(saying, &[("number", &by.abs().to_string())]));
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
            let card = self.said(&ty, *top);
            parts.push(self.say(Saying::OnTop, &[("card", &card)]));
        }
        (!parts.is_empty()).then(|| News {
            change: Change::Other(format!("{name} {}", parts.join(", "))),
            words: self.place_of(slot, index),
            owner: self.slot_parts(slot, index).0,
            about: Vec::new(),
        })
    }

    /// What a slot holds whose words these are.
    fn held_text(&self, slot: Slot, words: &[i32]) -> String {
        let shape = self.program.cells[slot.at()].shape;
        let words = words[..shape.words()].to_vec();
        self.in_full(&self.rules.cells[slot.at()].ty, &Held { shape, words })
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
            Seen::Open(_) | Seen::Nothing => 0,
            Seen::Shown(looks) => size(looks),
            Seen::Top { size, .. } | Seen::Size(size) => *size,
        }
    }
}
