//! What a decision asks.

use super::{Quoted, Words};
use crate::ask::Eyes;
use crate::machine::Machine;
use crate::program::*;
use dsl::ir::{Domain, Ty};

impl Words<'_> {
    /// The question where the machine stands, as a sentence without full stop.
    pub fn question(&self, machine: &mut Machine<'_>) -> String {
        match self.asking(machine) {
            Op::Choose(_) | Op::Param { .. } => {
                let choices = self.choices_at(machine);
                // What is answered at once is asked in the words of the first that has some.
                let ask = choices.iter().find_map(|choice| choice.ask);
                // A `may` that begins with the question has not entered its frame yet.
                let here = matches!(
                    machine.program().code[machine.pc],
                    Op::Choose(_) | Op::Param { .. }
                );
                match ask {
                    Some(ask) if here => self.message(machine, ask),
                    Some(ask) if self.is_constant(ask) => self.message(machine, ask),
                    _ => self.choose(choices),
                }
            }
            Op::OneOf(_) => "what do you do?".into(),
            Op::May { .. } => match self.yes_name(machine).as_str() {
                "yes" => "do it?".into(),
                name => format!("{}?", plain(name)),
            },
            Op::AgendaPick { .. } => "what comes next?".into(),
            Op::WalkPick { .. } => "where to?".into(),
            Op::Pause(message) => self.message(machine, message),
            Op::LeaveStep { .. } => self.moment(machine),
            _ => String::new(),
        }
    }

    /// What must be mended before a step ends.
    fn moment(&self, machine: &mut Machine<'_>) -> String {
        let unmet = machine.unmet_at_moment().map(|witness| {
            let reason = &self.program.reasons[witness.unmet.reason.at()];
            match reason.message {
                Some(message) => self.message_text(message, &witness.values),
                None => self.refusal(&witness.unmet, &witness.values).sentence,
            }
        });
        match unmet {
            Some(unmet) => format!("{unmet}: what do you do about it?"),
            None => "what do you do?".into(),
        }
    }

    fn is_constant(&self, message: MessageId) -> bool {
        let parts = &self.program.messages[message as usize];
        parts.iter().all(|p| matches!(p, MessagePart::Text(_)))
    }

    /// "choose a place", "choose from (place) and to (place)"
    fn choose(&self, choices: &[ChoiceOp]) -> String {
        let things: Vec<String> = choices.iter().map(|one| self.thing(one)).collect();
        format!("choose {}", things.join(" and "))
    }

    fn thing(&self, choice: &ChoiceOp) -> String {
        let parts = matches!(
            self.program.binders[choice.binder.at()].source,
            Source::Parts(_)
        );
        let name = plain(&choice.name);
        let what = self.kind(&choice.ty);
        let said = what.as_ref().is_some_and(|what| *what == name);
        match what {
            _ if parts => name,
            Some(what) if choice.name.chars().count() <= 2 || said => {
                format!("{} {what}", article(&what))
            }
            Some(what) => format!("{name} ({what})"),
            None => name,
        }
    }

    /// What a value is called in general: `route`, `player`, `place`.
    fn kind(&self, ty: &Ty) -> Option<String> {
        let Ty::Element(domain) = ty.required() else {
            return matches!(ty.required(), Ty::Int { .. }).then(|| "number".into());
        };
        Some(match domain {
            Domain::Table(id) | Domain::Part(id) => plain(&self.rules.tables[id.index()].name),
            Domain::Enum(id) => {
                let name = &self.rules.enums[id.index()].name;
                if name.is_empty() {
                    return None;
                }
                plain(name)
            }
            Domain::Player => "player".into(),
            Domain::Cell => "place".into(),
            Domain::Side | Domain::Port => "direction".into(),
            Domain::Action => "action".into(),
            Domain::Int { .. } => "number".into(),
        })
    }

    /// A message with its values as they are now, as far as the seat that is asked sees them.
    pub fn message(&self, machine: &mut Machine<'_>, message: MessageId) -> String {
        let asked = Eyes::Of(Some(machine.seat()));
        let eyes = std::mem::replace(&mut machine.eyes, asked);
        let values = machine.message_values(message);
        machine.eyes = eyes;
        self.message_text(message, &values)
    }

    /// A message with values kept from when it was true.
    pub(crate) fn message_text(&self, message: MessageId, values: &[Quoted]) -> String {
        let mut text = String::new();
        let mut values = values.iter();
        for part in &self.program.messages[message as usize] {
            match part {
                MessagePart::Text(part) => text.push_str(part),
                MessagePart::Value(_, ty) => match values.next() {
                    Some(Quoted::Held(value)) => text.push_str(&self.spoken(ty, value)),
                    Some(Quoted::Zone(slot, seen)) => match self.seen(*slot, seen) {
                        Some(known) => text.push_str(&known),
                        None => text.push('?'),
                    },
                    Some(Quoted::Unseen) => text.push('?'),
                    None => text.push('…'),
                },
            }
        }
        text
    }

    /// As [`Words::value`], texts without quotes.
    fn spoken(&self, ty: &Ty, value: &super::Held) -> String {
        let text = self.value(ty, value);
        match ty.required() {
            Ty::Text => text.trim_matches('"').to_owned(),
            _ => text,
        }
    }
}

/// A name as words.
pub(crate) fn plain(name: &str) -> String {
    name.replace('_', " ")
}

fn article(noun: &str) -> &'static str {
    match noun.chars().next() {
        Some('a' | 'e' | 'i' | 'o' | 'u') => "an",
        _ => "a",
    }
}
