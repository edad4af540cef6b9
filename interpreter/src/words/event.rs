//! What happened, a sentence for each event of the trace.

use super::Words;
use crate::machine::Event;
use crate::program::*;

impl Words<'_> {
    /// A sentence without full stop; none for what is no news (words behind the cells).
    pub fn event(&self, event: &Event) -> Option<String> {
        match *event {
            Event::Write { word, old, new, .. } => self.write(word, old, new),
            Event::Enter { proc, me } => self.enter(proc, me),
            Event::Resolved { pc, me } => Some(format!(
                "{} has one answer to {}",
                self.seat(me),
                self.asked_in_brief(pc as usize)
            )),
            Event::Chance { stream, .. } => Some(match self.stream_cell(stream) {
                Some(cell) => format!("{cell} is shuffled"),
                None => "chance decides".to_owned(),
            }),
        }
    }

    /// The rule's place an event comes from.
    pub fn event_span(&self, event: &Event) -> Option<dsl::source::Span> {
        match *event {
            Event::Write { pc, .. } | Event::Resolved { pc, .. } => {
                self.program.op_spans.get(pc as usize).copied()
            }
            Event::Enter { proc, .. } => self.program.procs.get(proc.at()).map(|p| p.span),
            Event::Chance { .. } => None,
        }
    }

    fn enter(&self, proc: ProcId, me: i32) -> Option<String> {
        let proc = self.program.procs.get(proc.at())?;
        Some(match proc.kind {
            ProcKind::When => format!("`{}` happens", proc.name),
            ProcKind::Action(_) | ProcKind::Effect | ProcKind::Inline => {
                format!("{}: {}", self.seat(me), proc.name)
            }
            ProcKind::Flow | ProcKind::Formula => return None,
        })
    }

    fn asked_in_brief(&self, pc: usize) -> String {
        match self.program.code[pc] {
            Op::Choose(choice) | Op::Param { choice, .. } => {
                let first = choice as usize;
                let count = self.program.choices[first].at_once as usize;
                let choices = self.program.choices[first..first + count].iter();
                let names: Vec<String> = choices.map(|one| format!("`{}`", one.name)).collect();
                names.join(" and ")
            }
            Op::May { name, .. } => format!("`{}`", self.program.names[name as usize]),
            _ => "the question".into(),
        }
    }

    /// What changed with a word of the state.
    pub(super) fn write(&self, word: u32, old: i32, new: i32) -> Option<String> {
        let label = self.program.label_words.iter().position(|w| *w == word);
        if word == header::STARTER as u32 {
            return Some(format!("starter: {} → {}", self.seat(old), self.seat(new)));
        }
        if let Some(told) = self.fate(word, new) {
            return Some(told);
        }
        if let Some(label) = label {
            let name = &self.rules.labels[label].name;
            return Some(format!("{name} {new} begins"));
        }
        let (slot, index, at) = self.cell_of(word)?;
        let cell = &self.rules.cells[slot.at()];
        let layout = &self.program.cells[slot.at()];
        let name = self.slot_name(slot, index);
        let element = cell.ty.required().element();
        let one = |word: i32| {
            element
                .as_ref()
                .map_or_else(|| word.to_string(), |ty| self.scalar(ty, word))
        };
        Some(match layout.shape {
            Shape::Scalar => format!(
                "{name} {} → {}",
                self.scalar(&cell.ty, old),
                self.scalar(&cell.ty, new)
            ),
            Shape::Set { n, low } if at < n.div_ceil(32) => {
                let bits = |word: i32| {
                    (0..32)
                        .filter(move |bit| word as u32 >> bit & 1 == 1)
                        .map(move |bit| low + (at * 32 + bit) as i32)
                };
                let mut changes: Vec<String> = bits(new & !old)
                    .map(|item| format!("+ {}", one(item)))
                    .collect();
                changes.extend(bits(old & !new).map(|item| format!("− {}", one(item))));
                format!("{name} {}", changes.join(", "))
            }
            Shape::Bag { n, low } if at < n => {
                format!("{name} {} {old} → {new}", one(low + at as i32))
            }
            // The length is said by the items.
            Shape::List { .. } if at == 0 => return None,
            Shape::List { .. } if new == NONE => {
                format!("{name} place {at}: {} is taken away", one(old))
            }
            Shape::List { .. } => format!("{name} place {at} → {}", one(new)),
            Shape::Row { .. } => {
                format!("{name} place {} {} → {}", at + 1, one(old), one(new))
            }
            _ => return None,
        })
    }

    /// "A's wagons:", "route berlin-hamburg-1: owner", "display:"
    fn slot_name(&self, slot: Slot, index: u32) -> String {
        let cell = &self.rules.cells[slot.at()];
        let name = self.cell_slot(slot, index);
        let dsl::ir::CellOwner::Each(domain) = cell.owner else {
            return format!("{name}:");
        };
        let layout = &self.program.cells[slot.at()];
        let Some((low, n, stride)) = layout.dims.first() else {
            return format!("{name}:");
        };
        let owner = self.element(domain, low + (index / stride % n) as i32);
        let rest = match cell.indices.is_empty() {
            true => cell.name.clone(),
            false => {
                let from = name.rfind(&format!(".{}[", cell.name));
                from.map_or(cell.name.clone(), |at| name[at + 1..].to_owned())
            }
        };
        match domain {
            dsl::ir::Domain::Player => format!("{owner}'s {rest}:"),
            dsl::ir::Domain::Table(id) => {
                format!("{} {owner}: {rest}", self.rules.tables[id.index()].name)
            }
            _ => format!("{owner}: {rest}"),
        }
    }
}
