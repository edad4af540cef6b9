//! Expectations. What resolves itself may have happened already or not: both are looked at.

use super::plan::{Part, Shown};
use super::{Run, Stopped};
use crate::explain::why_not;
use crate::machine::Stop;
use crate::machine::look::NoValue;
use crate::state::State;
use crate::words::{Refusal, print};
use dsl::ir::{Answer, Because, BinaryOp};
use dsl::source::Span;

/// Decisions in a row that resolve themselves.
const RESOLVED_MAX: usize = 200;

/// What is expected, for what is shown when it fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expectation {
    Refusal,
    Other,
}

impl Run<'_> {
    pub(super) fn expect(&mut self, parts: &[Part], span: Span) -> Result<(), Stopped> {
        self.somewhere(span, Expectation::Other, |run| run.parts_hold(parts))
    }

    pub(super) fn expect_not(
        &mut self,
        seat: u32,
        answer: &Answer,
        because: Option<&Because>,
        span: Span,
    ) -> Result<(), Stopped> {
        self.somewhere(span, Expectation::Refusal, |run| {
            run.is_refused(seat, answer, because)
        })
    }

    pub(super) fn expect_choices(&mut self, answers: &[Answer], span: Span) -> Result<(), Stopped> {
        self.somewhere(span, Expectation::Other, |run| {
            run.are_choices(answers, span)
        })
    }

    /// Tries an expectation where the game stands and behind each decision that resolves itself; stays where it was.
    fn somewhere(
        &mut self,
        span: Span,
        kind: Expectation,
        mut test: impl FnMut(&mut Self) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        let first = test(self);
        if first.is_ok() || !self.resolves_itself() {
            return first;
        }
        self.note();
        let log = self.log.len();
        let mut state = State::default();
        self.machine.save(&mut state);
        let refusal = matches!(kind, Expectation::Refusal);
        let mut result = Ok(());
        for _ in 0..RESOLVED_MAX {
            if let Err(stopped) = self.resolve(span) {
                result = Err(stopped);
                break;
            }
            let here = test(self);
            let done = here.is_ok() || !self.resolves_itself();
            result = here;
            if done {
                break;
            }
        }
        // Of a refusal the first place is the one that is meant.
        if result.is_err() && refusal {
            result = first;
        }
        if result.is_ok() {
            self.note();
            self.log.truncate(log);
        }
        let loaded = self.machine.load(&state);
        loaded.map_err(|fault| self.fault(&fault, span))?;
        self.machine.take_trace();
        result
    }

    fn resolves_itself(&self) -> bool {
        !self.machine.is_over() && self.machine.answers().len() <= 1
    }

    // ---------------------------------------------------------------------------------------------- conditions

    fn parts_hold(&mut self, parts: &[Part]) -> Result<(), Stopped> {
        for part in parts {
            let holds = self
                .machine
                .ask(part.condition, self.plan.frame_words)
                .map_err(|none| self.no_value(none, part.span))?;
            if holds.word() == 0 {
                return Err(self.differs(part));
            }
        }
        Ok(())
    }

    pub(super) fn no_value(&self, none: NoValue, span: Span) -> Stopped {
        let stopped = Stopped::at(span, self.words.no_value(&none));
        match none {
            NoValue::Fault(at, _) => Stopped {
                at: Some(at),
                ..stopped
            },
            NoValue::Missing(_) | NoValue::Unseen => stopped,
        }
    }

    fn differs(&mut self, part: &Part) -> Stopped {
        let written = self.words.slice(part.span).map(one_line);
        let mut message = match &written {
            Some(text) => format!("expected {text}"),
            None => "this does not hold".to_owned(),
        };
        if let Some((left, BinaryOp::Equal, right)) = &part.compares {
            let found = self.shown_value(left);
            message.push_str(&format!(", found {found}"));
            if !right.constant {
                let wanted = self.shown_value(right);
                message.push_str(&format!(" and {wanted}"));
            }
        }
        let mut shown = Vec::new();
        for one in part.shown.iter().filter(|one| !one.constant) {
            let value = self.shown_value(one);
            let name = self.words.slice(one.span).map(one_line);
            shown.push(match name {
                Some(name) => format!("{name} = {value}"),
                None => value,
            });
        }
        Stopped {
            shown,
            ..Stopped::at(part.span, message)
        }
    }

    fn shown_value(&mut self, shown: &Shown) -> String {
        match self.machine.ask(shown.node, self.plan.frame_words) {
            Ok(held) => self.words.value(&shown.ty, &held),
            Err(_) => "nothing".into(),
        }
    }

    // ---------------------------------------------------------------------------------------------- refusals

    fn is_refused(
        &mut self,
        seat: u32,
        answer: &Answer,
        because: Option<&Because>,
    ) -> Result<(), Stopped> {
        let name = self.words.seat(seat as i32);
        let text = print(answer);
        if self.machine.is_over() {
            return Err(Stopped::at(answer.span, "the game is over"));
        }
        // Who is not asked can answer nothing.
        if self.machine.seat() != seat && because.is_none() {
            return Ok(());
        }
        if self.machine.seat() != seat {
            let asked = self.words.seat(self.machine.seat() as i32);
            let message = format!("{asked} is asked, not {name}");
            return Err(Stopped::at(answer.span, message));
        }
        let reasons = why_not(&self.words, &mut self.machine, answer);
        if reasons.is_empty() {
            let message = format!("{name} can answer `{text}`");
            return Err(Stopped::at(answer.span, message));
        }
        let Some(because) = because else {
            return Ok(());
        };
        if reasons.iter().any(|reason| is_because(reason, because)) {
            return Ok(());
        }
        let shown = reasons.iter().take(6).map(|r| self.words.full(r)).collect();
        let wanted = match because {
            Because::Message(part) => format!("\"{part}\""),
            Because::Name(name) => format!("`{name}`"),
        };
        let message = format!("`{text}` is not offered, but not because of {wanted}");
        Err(Stopped {
            shown,
            ..Stopped::at(answer.span, message)
        })
    }

    // ---------------------------------------------------------------------------------------------- choices

    fn are_choices(&mut self, written: &[Answer], span: Span) -> Result<(), Stopped> {
        let answers = self.machine.answers();
        let mut met = vec![false; answers.len()];
        let mut missing = Vec::new();
        for one in written {
            let mut found = false;
            for (at, met) in met.iter_mut().enumerate() {
                let matched = self.words.matches(&self.machine, &answers.get(at), one);
                if matched.is_some() {
                    *met = true;
                    found = true;
                }
            }
            if !found {
                missing.push(one.clone());
            }
        }
        if missing.is_empty() && met.iter().all(|m| *m) {
            return Ok(());
        }
        let offered = self.words.answers(&self.machine);
        let more: Vec<&str> = met
            .iter()
            .zip(&offered)
            .filter(|(met, _)| !**met)
            .map(|(_, text)| text.as_str())
            .collect();
        let mut said = Vec::new();
        let mut shown = vec![format!("offered: {}", offered.join(", "))];
        if !missing.is_empty() {
            let names: Vec<String> = missing.iter().map(print).collect();
            said.push(format!("not offered: {}", names.join(", ")));
            for one in &missing {
                let reasons = why_not(&self.words, &mut self.machine, one);
                shown.extend(
                    reasons
                        .iter()
                        .take(2)
                        .map(|r| format!("{}: {}", print(one), self.words.full(r))),
                );
            }
        }
        if !more.is_empty() {
            said.push(format!("offered too: {}", more.join(", ")));
        }
        Err(Stopped {
            shown,
            ..Stopped::at(span, said.join("; "))
        })
    }

    /// Finds the pending decision's answers again after something was put into the state.
    pub(super) fn offer_anew(&mut self, span: Span) -> Result<Stop, Stopped> {
        if self.machine.is_over() {
            return Ok(Stop::Over);
        }
        let stop = self.machine.go_on();
        stop.map_err(|fault| self.fault(&fault, span))
    }
}

fn is_because(reason: &Refusal, because: &Because) -> bool {
    match because {
        Because::Message(part) => reason.sentence.contains(part.as_str()),
        Because::Name(name) => reason.name == *name || reason.ids.contains(name),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
