//! What a decision asks.

use super::speech::{Chosen, plain};
use super::{Held, Quoted, Words};
use crate::ask::Eyes;
use crate::machine::Machine;
use crate::program::*;
use dsl::ir::{Phrase, PhrasePart, Saying, Ty, before_noun};

impl Words<'_> {
    /// The question where the machine stands, as a sentence without full stop.
    pub fn question(&self, machine: &mut Machine<'_>) -> String {
        if machine.asked_pc() == machine.pc {
            return self.question_here(machine);
        }
        // A `may` that begins with the question has not entered its frame yet.
        let inside = machine.ahead(|inside| {
            let entered = inside.enter_question();
            entered.then(|| self.question_here(inside))
        });
        inside.unwrap_or_else(|| self.say(Saying::DoIt, &[]))
    }

    fn question_here(&self, machine: &mut Machine<'_>) -> String {
        match self.program.code[machine.pc] {
            Op::Choose(_) | Op::Param { .. } => {
                let choices = self.choices_at(machine);
                // What is answered at once is asked in the words of the first that has some.
                match choices.iter().find_map(|choice| choice.ask) {
                    Some(ask) => self.message(machine, ask),
                    None => self.choose(machine, choices),
                }
            }
            Op::OneOf(menu) => match self.program.menus[menu as usize].ask {
                Some(ask) => self.message(machine, ask),
                None => self.say(Saying::WhatDoYouDo, &[]),
            },
            Op::May { .. } => match self.yes_called(machine) {
                Some(deed) => self.say(Saying::DeedAsked, &[("deed", &deed)]),
                None => self.say(Saying::DoIt, &[]),
            },
            Op::AgendaPick { .. } => self.say(Saying::WhatComesNext, &[]),
            Op::WalkPick { .. } => self.say(Saying::WhereTo, &[]),
            Op::Pause(message) => self.message(machine, message),
            Op::LeaveStep { .. } => self.moment(machine),
            _ => String::new(),
        }
    }

    /// What saying yes does.
    fn yes_called(&self, machine: &mut Machine<'_>) -> Option<String> {
        match self.begun(machine.pc) {
            Some(deed) => Some(self.begun_called(machine, deed, None)),
            None => self.effect_run_called(machine),
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
            Some(unmet) => self.say(Saying::Mend, &[("what", &unmet)]),
            None => self.say(Saying::WhatDoYouDo, &[]),
        }
    }

    /// What a choice without words of its own asks: what is done with it, as far as it is known, and what it is.
    fn choose(&self, machine: &Machine<'_>, choices: &[ChoiceOp]) -> String {
        let Some(choice) = choices.first() else {
            return String::new();
        };
        let deed = self.speech().asked.get(&choice.span);
        let deed = deed.map(|deed| &self.speech().deeds[deed.index()]);
        let which = self.which(choice);
        let known = self.known(machine, choice);
        if let Some(phrase) = self.speech().questions.get(&choice.span)
            && let Some(text) = self.phrase(phrase, &known)
        {
            return text;
        }
        let Some(deed) = deed else { return which };
        if choices.len() > 1 && !deed.name.is_empty() {
            return self.say(Saying::DeedAsked, &[("deed", &deed.name)]);
        }
        if let Some(phrase) = &deed.asks
            && phrase.holes().any(|hole| hole == choice.name)
        {
            return self.asked_in(phrase, choice, &known, &which);
        }
        match deed.name.is_empty() || deed.asks.is_some() {
            true => which,
            false => self.say(
                Saying::InDeed,
                &[("deed", &deed.name), ("question", &which)],
            ),
        }
    }

    /// A phrase up to what is asked: `claim Dallas–Houston for which cards?`
    fn asked_in(
        &self,
        phrase: &Phrase,
        choice: &ChoiceOp,
        known: &[Chosen],
        which: &str,
    ) -> String {
        let mut text = String::new();
        for (at, part) in phrase.parts.iter().enumerate() {
            match part {
                PhrasePart::Text(part) => text.push_str(part),
                PhrasePart::Hole { name, unit, .. } if *name == choice.name => {
                    match (unit, choice.ty.required()) {
                        (Some(unit), Ty::Int { .. }) => {
                            let many = self.say(Saying::HowManyOf, &[("things", &unit.many)]);
                            text.push_str(&many);
                        }
                        (None, Ty::Int { .. }) => text.push_str("…?"),
                        _ => {
                            // `take start tile {t}`: what it is has been said.
                            let noun = self.noun(&choice.ty);
                            let said =
                                noun.and_then(|noun| text.strip_suffix(&format!("{} ", noun.one)));
                            if let Some(said) = said {
                                text.truncate(said.len());
                            }
                            // `draw a {k} card`: what is asked for has no article.
                            let bare = before_noun(&text).map(str::len);
                            text.truncate(bare.unwrap_or(text.len()));
                            text.push_str(which);
                        }
                    }
                    self.go_on(&mut text, &phrase.parts[at + 1..], known);
                    break;
                }
                PhrasePart::Hole { .. } => {
                    let known = self.known_hole(part, known);
                    text.push_str(&known.unwrap_or_else(|| "…".to_owned()));
                }
            }
        }
        text
    }

    /// What is said behind what is asked, where something of it is known already: `lay which tile at a place for Red?`
    fn go_on(&self, text: &mut String, behind: &[PhrasePart], known: &[Chosen]) {
        let is_known = |part: &PhrasePart| self.known_hole(part, known);
        let Some(last) = behind.iter().rposition(|part| is_known(part).is_some()) else {
            return;
        };
        let Some(asked) = text.strip_suffix('?') else {
            return;
        };
        let parts = behind[..=last].to_vec();
        *text = format!("{asked}{}?", Phrase { parts }.with(is_known));
    }

    /// `which track?`, `which cards?`, `how many?`
    fn which(&self, choice: &ChoiceOp) -> String {
        let is_part = matches!(
            self.program.binders[choice.binder.at()].source,
            Source::Parts(_)
        );
        let ty = match is_part {
            true => choice.ty.required().element().unwrap_or(Ty::INT),
            false => choice.ty.clone(),
        };
        match (self.noun(&ty), ty.required()) {
            (Some(noun), _) if is_part => self.say(Saying::WhichOnes, &[("things", &noun.many)]),
            (Some(noun), _) => self.say(Saying::Which, &[("thing", &noun.one)]),
            (None, Ty::Int { .. }) if choice.name.chars().count() <= 2 => {
                self.say(Saying::HowMany, &[])
            }
            (None, Ty::Bool) => self.say(Saying::YesOrNo, &[]),
            (None, _) => self.say(Saying::Which, &[("thing", &plain(&choice.name))]),
        }
    }

    /// What has been chosen before a question of the same deed, and what was given to it.
    pub(super) fn known(&self, machine: &Machine<'_>, asked: &ChoiceOp) -> Vec<Chosen> {
        let Some(deed) = self.speech().asked.get(&asked.span) else {
            return Vec::new();
        };
        let before = self.program.choices.iter().filter(|choice| {
            self.speech().asked.get(&choice.span) == Some(deed)
                && choice.span.file == asked.span.file
                && choice.span.start < asked.span.start
        });
        let chosen = before.map(|choice| {
            let binder = &self.program.binders[choice.binder.at()];
            let from = machine.fp + binder.local as usize;
            let words = machine.m.get(from..from + binder.shape.words());
            Chosen {
                name: choice.name.clone(),
                ty: choice.ty.clone(),
                held: Held {
                    shape: binder.shape,
                    words: words.unwrap_or_default().to_vec(),
                },
            }
        });
        let given = match self.action_of(*deed) {
            Some(_) => self.given_here(machine, Eyes::Of(Some(machine.seat()))),
            None => Vec::new(),
        };
        given.into_iter().chain(chosen).collect()
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
                    Some(Quoted::Held(value)) => text.push_str(&self.in_words(ty, value)),
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
}
