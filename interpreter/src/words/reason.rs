//! Why something is not possible, in a sentence.

use super::{Quoted, Words};
use crate::machine::Unmet;
use crate::machine::look::NoValue;
use crate::program::*;
use dsl::ir::Saying;
use dsl::source::Span;

/// What kind of requirement is not met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RefusalKind {
    /// A condition of a choice or parameter.
    Where,
    /// A `need` that is not fulfilled.
    Need,
    /// A cell would leave its range or has no room.
    Range,
    /// A piece is not where it should be taken from; something needed is none.
    Missing,
    /// An `always`.
    Rule,
    /// A later choice or menu has no answer.
    NoAnswer,
    /// It is no answer to what is asked, but spelled nearly like one.
    Nearly,
    /// It is no answer to what is asked.
    NotAsked,
}

/// One requirement that is not met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What sort of refusal.
    pub kind: RefusalKind,
    /// Rule ids of the place, and the overlay it stands in, if any.
    pub ids: Vec<String>,
    /// The overlay whose line it is, by id.
    pub overlay: Option<String>,
    /// Where the line stands.
    pub span: Span,
    /// Without full stop and place.
    pub sentence: String,
    /// What was needed, where that is a number.
    pub needed: Option<i32>,
    /// What was found, where that is a number.
    pub found: Option<i32>,
    /// Of the cell, rule or parameter.
    pub name: String,
}

impl Refusal {
    /// What was written is of the kind that is asked for.
    pub fn is_meant(&self) -> bool {
        self.kind != RefusalKind::NotAsked
    }
}

impl Words<'_> {
    /// Why something has no value, in a sentence.
    pub(crate) fn no_value(&self, none: &NoValue) -> String {
        match none {
            NoValue::Missing(Some(unmet)) => self.unmet(unmet).sentence,
            NoValue::Missing(None) => "something in this is none".into(),
            NoValue::Unseen => "something in this is not seen".into(),
            NoValue::Fault(_, message) => message.clone(),
        }
    }

    /// A requirement the machine refused, with the values of its message as they were then.
    pub(crate) fn refusal(&self, unmet: &Unmet, values: &[Quoted]) -> Refusal {
        let reason = &self.program.reasons[unmet.reason.at()];
        let message = reason.message.map(|id| self.message_text(id, values));
        let (kind, name) = self.kind_and_name(reason);
        let sentence = self.sentence(reason, unmet, message);
        self.refusal_at(kind, name, reason.span, sentence, unmet)
    }

    pub(crate) fn refusal_at(
        &self,
        kind: RefusalKind,
        name: String,
        span: Span,
        sentence: String,
        unmet: &Unmet,
    ) -> Refusal {
        Refusal {
            kind,
            ids: self.tags(span).into_iter().map(str::to_owned).collect(),
            overlay: self.overlay(span).map(str::to_owned),
            span,
            sentence,
            needed: unmet.needed,
            found: unmet.found,
            name,
        }
    }

    fn kind_and_name(&self, reason: &Reason) -> (RefusalKind, String) {
        let cell = |slot: &Slot| self.cell(*slot).to_owned();
        match &reason.kind {
            ReasonKind::Range(slot) | ReasonKind::Full(slot) => (RefusalKind::Range, cell(slot)),
            ReasonKind::Missing(slot) => (RefusalKind::Missing, cell(slot)),
            ReasonKind::Need | ReasonKind::Outside { .. } => (RefusalKind::Need, String::new()),
            ReasonKind::Where(name) => (RefusalKind::Where, name.clone()),
            ReasonKind::Rule(id) => (RefusalKind::Rule, self.rules.rules[id.index()].name.clone()),
            ReasonKind::IsNone => (RefusalKind::Missing, String::new()),
            ReasonKind::NoAnswer(name) => (RefusalKind::NoAnswer, name.clone()),
            ReasonKind::NothingPossible | ReasonKind::GivesUp => {
                (RefusalKind::NoAnswer, String::new())
            }
        }
    }

    fn sentence(&self, reason: &Reason, unmet: &Unmet, message: Option<String>) -> String {
        let counts = match (unmet.needed, unmet.found) {
            (Some(needed), Some(found)) => Some((needed, found)),
            _ => None,
        };
        let name = |slot: &Slot| self.cell_called(*slot);
        match (&reason.kind, counts) {
            (ReasonKind::Range(slot) | ReasonKind::Full(slot), Some((needed, found))) => {
                self.range(*slot, needed, found)
            }
            // Who does not see it does not hear by how much.
            (ReasonKind::Range(slot), None) if !self.program.cells[slot.at()].is_open() => {
                self.say(Saying::OutOfRange, &[("what", &name(slot))])
            }
            (ReasonKind::Range(slot) | ReasonKind::Full(slot), None) => {
                self.say(Saying::NoSuchPlace, &[("what", &name(slot))])
            }
            (ReasonKind::Missing(slot), Some((needed, found))) if needed > 1 || found > 0 => {
                let (needed, found) = (needed.to_string(), found.to_string());
                self.say(
                    Saying::NotEnough,
                    &[
                        ("what", &name(slot)),
                        ("needed", &needed),
                        ("found", &found),
                    ],
                )
            }
            (ReasonKind::Missing(slot), _) => self.say(Saying::NotThere, &[("what", &name(slot))]),
            (ReasonKind::Need | ReasonKind::Where(_), _) => {
                message.unwrap_or_else(|| self.condition(reason, counts))
            }
            (ReasonKind::Outside { low, high, .. }, _) => self.wanted(*low, *high),
            (ReasonKind::Rule(id), _) => self.rule(*id, message, counts),
            (ReasonKind::IsNone, _) => match self.slice(reason.span) {
                Some(text) => format!("`{text}` is none"),
                None => "something that is needed is none".into(),
            },
            (ReasonKind::NoAnswer(_), _) => {
                let thing = self.wanted_at(reason);
                self.say(Saying::CannotChoose, &[("thing", &thing)])
            }
            (ReasonKind::NothingPossible, _) => self.say(Saying::NoneCanBeDone, &[]),
            (ReasonKind::GivesUp, _) => self.say(Saying::EndsBefore, &[]),
        }
    }

    /// What a cell is called.
    fn cell_called(&self, slot: Slot) -> String {
        match self.cell_noun(slot) {
            Some(noun) => noun.heading().to_owned(),
            None => super::speech::plain(self.cell(slot)),
        }
    }

    /// What a choice without answers was to choose.
    fn wanted_at(&self, reason: &Reason) -> String {
        let name = match &reason.kind {
            ReasonKind::NoAnswer(name) => super::speech::plain(name),
            _ => String::new(),
        };
        let choices = &self.program.choices;
        let choice = choices.iter().find(|choice| choice.span == reason.span);
        let noun = choice.and_then(|choice| {
            let ty = choice.ty.required();
            let one = ty.element().unwrap_or_else(|| ty.clone());
            self.noun(&one)
        });
        noun.map_or(name, |noun| noun.one.clone())
    }

    fn range(&self, slot: Slot, needed: i32, found: i32) -> String {
        let container = self.program.cells[slot.at()].shape != Shape::Scalar;
        let saying = match (container, found < needed) {
            (true, true) => Saying::TooFew,
            (true, false) => Saying::TooMany,
            (false, true) => Saying::AtRange,
            (false, false) => Saying::OverRange,
        };
        let what = self.cell_called(slot);
        let (needed, found) = (needed.to_string(), found.to_string());
        self.say(
            saying,
            &[("what", &what), ("needed", &needed), ("found", &found)],
        )
    }

    /// A number that would have been right.
    fn wanted(&self, low: Option<i32>, high: Option<i32>) -> String {
        let saying = match (low, high) {
            (_, None) => Saying::NumberFrom,
            (None, Some(_)) => Saying::NumberUpTo,
            (Some(_), Some(_)) => Saying::NumberBetween,
        };
        let [low, high] = [low, high].map(|bound| bound.unwrap_or_default().to_string());
        self.say(saying, &[("low", &low), ("high", &high)])
    }

    /// A condition without a message.
    fn condition(&self, reason: &Reason, counts: Option<(i32, i32)>) -> String {
        let said = reason.condition.as_ref();
        let said = said.and_then(|condition| self.fails(condition));
        let text = match (said, self.slice(reason.span)) {
            (Some(said), _) => said,
            (None, Some(text)) => format!("`{}` does not hold", one_line(text)),
            (None, None) => "a requirement is not met".into(),
        };
        match counts {
            Some(counts) => self.counts(&text, counts),
            None => text,
        }
    }

    fn counts(&self, what: &str, (needed, found): (i32, i32)) -> String {
        let (needed, found) = (needed.to_string(), found.to_string());
        self.say(
            Saying::Counts,
            &[("what", what), ("needed", &needed), ("found", &found)],
        )
    }

    fn rule(
        &self,
        id: dsl::ir::RuleId,
        message: Option<String>,
        counts: Option<(i32, i32)>,
    ) -> String {
        let rule = &self.rules.rules[id.index()];
        let text = message.unwrap_or_else(|| format!("`{}` would not hold", rule.name));
        let text = match counts {
            Some(counts) => self.counts(&text, counts),
            None => text,
        };
        match rule.after {
            Some(label) => {
                let label = self.label_called(label);
                self.say(Saying::AfterThis, &[("step", &label), ("what", &text)])
            }
            None => text,
        }
    }

    /// The sentence with rule ids, overlay and place: what a log or a tooltip shows.
    pub fn full(&self, refusal: &Refusal) -> String {
        let mut text = refusal.sentence.clone();
        let mut notes: Vec<String> = refusal.ids.clone();
        notes.extend(refusal.overlay.clone());
        notes.extend(self.place(refusal.span));
        if !notes.is_empty() {
            text.push_str(&format!(" ({})", notes.join(", ")));
        }
        text
    }

    /// The sentence for a fault's requirement, if it has one.
    pub fn unmet(&self, unmet: &Unmet) -> Refusal {
        self.refusal(unmet, &[])
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
