//! What one seat may see of the state, and of what happens.

use crate::values::shown;
use dsl::ir::{CellOwner, Domain, Ty};
use dsl::source::Span;
use interpreter::program::{NONE, Node, Op, Shape, Slot, Source};
use interpreter::words::Words;
use interpreter::{AnswerKind, Event, Machine};
use std::collections::{BTreeMap, BTreeSet};

/// Items of a list that are named when it changes.
const ITEMS_SHOWN_MAX: usize = 12;

/// The eyes of a seat; none: of somebody who sees everything.
#[derive(Clone, Copy)]
pub struct Sight<'w, 'a> {
    pub words: &'w Words<'a>,
    pub seat: Option<u32>,
}

impl Sight<'_, '_> {
    /// Whether the seat sees what a cell's slot holds.
    fn sees(&self, slot: Slot, index: u32) -> bool {
        let Some(seat) = self.seat else {
            return true;
        };
        let cell = &self.words.rules.cells[slot.at()];
        if cell.visibility.hidden || cell.visibility.top {
            return false;
        }
        !cell.visibility.private || self.owner(slot, index) == Some(seat)
    }

    /// The seat that a slot belongs to.
    fn owner(&self, slot: Slot, index: u32) -> Option<u32> {
        let cell = &self.words.rules.cells[slot.at()];
        let layout = &self.words.program.cells[slot.at()];
        let (low, n, stride) = layout.dims.first()?;
        (cell.owner == CellOwner::Each(Domain::Player))
            .then(|| (low + (index / stride % n) as i32).max(0) as u32)
    }

    // ---------------------------------------------------------------------------------------------- the state

    /// A line for each cell that is not empty.
    pub fn state(&self, machine: &Machine) -> Vec<String> {
        let mut lines = Vec::new();
        let rules = self.words.rules;
        for (at, cell) in rules.cells.iter().enumerate() {
            let slot = Slot(at as u32);
            let slots = self.words.program.cells[at].slots;
            if matches!(cell.owner, CellOwner::Step(_) | CellOwner::Action(_))
                || cell.name.is_empty()
            {
                continue;
            }
            if cell.owner == CellOwner::Each(Domain::Player)
                && cell.indices.is_empty()
                && self.words.program.cells[at].shape == Shape::Scalar
            {
                lines.extend(self.of_players(machine, slot));
                continue;
            }
            let many = matches!(cell.owner, CellOwner::Each(domain) if domain != Domain::Player)
                || slots > 24;
            let parts: Vec<String> = (0..slots)
                .filter_map(|index| self.slot(machine, slot, index, many))
                .collect();
            if many && parts.len() > 1 {
                lines.push(format!("{}: {}", cell.name, parts.join(", ")));
            } else {
                lines.extend(parts);
            }
        }
        lines
    }

    /// `wagons: A 45, B 43`: only what the seat sees; none if that is nothing.
    fn of_players(&self, machine: &Machine, slot: Slot) -> Option<String> {
        let players = 0..self.words.program.cells[slot.at()].slots;
        let seen = players.filter(|index| self.sees(slot, *index));
        let parts: Vec<String> = seen
            .map(|index| {
                format!(
                    "{} {}",
                    self.words.seat(index as i32),
                    self.words.slot_text(machine, slot, index)
                )
            })
            .collect();
        (!parts.is_empty()).then(|| format!("{}: {}", self.words.cell(slot), parts.join(", ")))
    }

    /// What the seat knows of a slot: its value, or how much is in it; none if it knows nothing.
    pub fn known(&self, machine: &Machine, slot: Slot, index: u32) -> Option<String> {
        if self.sees(slot, index) {
            return Some(self.words.slot_text(machine, slot, index));
        }
        self.half_seen(machine, slot, index)
    }

    fn slot(&self, machine: &Machine, slot: Slot, index: u32, only_if_set: bool) -> Option<String> {
        let name = self.words.cell_slot(slot, index);
        if self.sees(slot, index) {
            let text = self.words.slot_text(machine, slot, index);
            let empty = matches!(text.as_str(), "none" | "{}" | "[]" | "0" | "false");
            return (!(only_if_set && empty)).then(|| format!("{name} = {text}"));
        }
        let known = self.half_seen(machine, slot, index)?;
        Some(format!("{name}: {known}"))
    }

    /// What all see of a container that they cannot look into: its size, the columns shown.
    fn half_seen(&self, machine: &Machine, slot: Slot, index: u32) -> Option<String> {
        let items = self.items(machine, slot, index)?;
        let size = items.iter().map(|(_, count)| count).sum::<i64>();
        let cell = &self.words.rules.cells[slot.at()];
        let mut text = format!("{size} unseen");
        if let Some((top, _)) = items.last().filter(|_| cell.visibility.top)
            && let Some(ty) = cell.ty.required().element()
        {
            text = format!("{size}, on top {}", self.words.scalar(&ty, *top));
        }
        let Some(Ty::Element(Domain::Table(table))) = cell.ty.required().element() else {
            return Some(text);
        };
        for column in &cell.visibility.showing {
            let mut seen: BTreeMap<String, i64> = BTreeMap::new();
            for (item, count) in &items {
                if let Some(row) = self.words.rules.tables[table.index()]
                    .rows
                    .get(*item as usize)
                {
                    *seen
                        .entry(shown(self.words.rules, &row.values[column.index()]))
                        .or_default() += count;
                }
            }
            let parts: Vec<String> = seen
                .iter()
                .map(|(value, count)| format!("{value}: {count}"))
                .collect();
            if !parts.is_empty() {
                text += &format!(" ({})", parts.join(", "));
            }
        }
        Some(text)
    }

    /// Elements of a container and how many of each.
    fn items(&self, machine: &Machine, slot: Slot, index: u32) -> Option<Vec<(i32, i64)>> {
        let layout = &self.words.program.cells[slot.at()];
        let base = layout.base + index * layout.words;
        let word = |at: u32| machine.word(base + at);
        Some(match layout.shape {
            Shape::Set { n, low } => (0..n)
                .filter(|at| word(at / 32) as u32 >> (at % 32) & 1 == 1)
                .map(|at| (low + at as i32, 1))
                .collect(),
            Shape::Bag { n, low } => (0..n)
                .map(|at| (low + at as i32, i64::from(word(at))))
                .filter(|(_, count)| *count > 0)
                .collect(),
            Shape::List { .. } => (0..word(0).max(0) as u32)
                .map(|at| (word(at + 1), 1))
                .collect(),
            Shape::Row { n } => (0..n)
                .map(word)
                .filter(|item| *item != NONE)
                .map(|item| (item, 1))
                .collect(),
            Shape::Scalar | Shape::Agenda { .. } => return None,
        })
    }

    // ---------------------------------------------------------------------------------------------- what happens

    /// Sentences for what happened, each with the place of the rule that did it; what the seat cannot see is left out, or
    /// only counted. The machine stands behind the events.
    pub fn events(&self, machine: &Machine, events: &[Event]) -> Vec<(String, Option<Span>)> {
        let mut lines: Vec<(String, Option<Span>)> = Vec::new();
        let mut unseen: BTreeMap<(u32, u32), i64> = BTreeMap::new();
        for event in merged(events) {
            let place = self.words.event_span(&event);
            match event {
                Event::Write { word, old, new, .. } => {
                    let Some((slot, index, at)) = self.words.cell_of(word) else {
                        continue;
                    };
                    if matches!(
                        self.words.rules.cells[slot.at()].owner,
                        CellOwner::Step(_) | CellOwner::Action(_)
                    ) {
                        continue;
                    }
                    let ordered = matches!(
                        self.words.program.cells[slot.at()].shape,
                        Shape::List { .. } | Shape::Row { .. }
                    );
                    if self.sees(slot, index) && ordered {
                        lines.push((self.ordered(machine, slot, index), place));
                    } else if self.sees(slot, index) {
                        lines.extend(self.words.event(&event).map(|text| (text, place)));
                    } else {
                        *unseen.entry((slot.0, index)).or_default() +=
                            self.grown(slot, at, old, new);
                    }
                }
                Event::Chance { .. } => {
                    lines.extend(self.words.event(&event).map(|text| (text, place)));
                }
                Event::Enter { .. } | Event::Resolved { .. } => {}
            }
        }
        for ((slot, index), by) in unseen.into_iter().filter(|(_, by)| *by != 0) {
            let word = if by > 0 { "more" } else { "fewer" };
            let name = self.words.cell_slot(Slot(slot), index);
            lines.push((format!("{name}: {} {word}", by.abs()), None));
        }
        let mut said = BTreeSet::new();
        lines.retain(|(line, _)| said.insert(line.clone()));
        lines
    }

    /// A list or row as it is now; of a long one only how long it is.
    fn ordered(&self, machine: &Machine, slot: Slot, index: u32) -> String {
        let name = self.words.cell_slot(slot, index);
        match self.items(machine, slot, index) {
            Some(items) if items.len() > ITEMS_SHOWN_MAX => format!("{name}: {} now", items.len()),
            _ => format!("{name}: {}", self.words.slot_text(machine, slot, index)),
        }
    }

    /// By how much a container's size changed with one of its words.
    fn grown(&self, slot: Slot, at: u32, old: i32, new: i32) -> i64 {
        match self.words.program.cells[slot.at()].shape {
            Shape::Set { n, .. } if at < n.div_ceil(32) => {
                i64::from(new.count_ones()) - i64::from(old.count_ones())
            }
            Shape::Bag { n, .. } if at < n => i64::from(new) - i64::from(old),
            Shape::List { .. } if at == 0 => i64::from(new) - i64::from(old),
            Shape::Row { .. } => i64::from(old == NONE) - i64::from(new == NONE),
            _ => 0,
        }
    }
}

/// Several writes of one word become one; those that come to nothing fall away.
fn merged(events: &[Event]) -> Vec<Event> {
    let mut out: Vec<Event> = Vec::new();
    let mut places: BTreeMap<u32, usize> = BTreeMap::new();
    for event in events {
        if let Event::Write { word, new, .. } = *event {
            if let Some(Event::Write { new: last, .. }) =
                places.get(&word).and_then(|at| out.get_mut(*at))
            {
                *last = new;
                continue;
            }
            places.insert(word, out.len());
        }
        out.push(*event);
    }
    out.retain(|event| !matches!(event, Event::Write { old, new, .. } if old == new));
    out
}

/// Whether all may hear an answer: not if it names what lies where others cannot look.
pub fn is_public(words: &Words, machine: &Machine, kind: AnswerKind) -> bool {
    if !matches!(kind, AnswerKind::Element | AnswerKind::Part) {
        return true;
    }
    let program = words.program;
    let (Op::Choose(choice) | Op::Param { choice, .. }) = program.code[machine.position().0] else {
        return false;
    };
    match program.binders[program.choices[choice as usize].binder.at()].source {
        Source::All { .. } | Source::Range(..) | Source::OnBoard(_) => true,
        Source::Container(node) | Source::Parts(node) => match program.nodes[node.at()] {
            Node::CellWords(slot, _) => {
                let visibility = &words.rules.cells[slot.at()].visibility;
                !visibility.private && !visibility.hidden
            }
            Node::SetOf(_) | Node::ListOf(_) | Node::Words(_) | Node::Numbers(..) => true,
            _ => false,
        },
    }
}
