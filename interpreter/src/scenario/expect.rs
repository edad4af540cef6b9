//! Expectations: about the position that stands when everything has happened that happens by itself, or about one on the way.

use super::plan::{Part, Shown};
use super::read::Row;
use super::{Run, Stopped};
use crate::ask::Eyes;
use crate::explain::why_not;
use crate::machine::Stop;
use crate::machine::look::NoValue;
use crate::words::{Matched, Refusal, print};
use dsl::ir::{Answer, AnswerKind, Because, BinaryOp, Expectation, Moment};
use dsl::source::Span;

/// Decisions in a row that resolve themselves.
pub(super) const RESOLVED_MAX: usize = 200;
/// Answers that are shown of a decision that is still open.
const ASKED_MAX: usize = 8;

impl Run<'_> {
    pub(super) fn expect(
        &mut self,
        moment: Moment,
        what: &Expectation,
        parts: &[Part],
        span: Span,
    ) -> Result<(), Stopped> {
        self.tried(span, |run| match moment {
            // As answers are given: what resolves itself is passed over.
            Moment::Now if is_of_answers(what) => run.holds(what, parts, moment, span),
            Moment::Now => {
                run.stand(span)?;
                run.holds(what, parts, moment, span)
            }
            Moment::Some => run.some_moment(what, parts, span),
            Moment::Every => run.every_moment(what, parts, span),
        })
    }

    /// What a case answers last is answered to its end: nobody can tell what comes of a part.
    pub(super) fn is_whole(&mut self, seat: Option<u32>, span: Span) -> Result<(), Stopped> {
        if self.begun().is_none() {
            // What was left and begun anew by itself is something else.
            for _ in 0..RESOLVED_MAX {
                if !self.is_within() || !self.resolves_itself() {
                    break;
                }
                self.resolve(span)?;
            }
            let left = !self.is_within();
            self.stand(span)?;
            if left {
                return Ok(());
            }
        }
        if self.machine.is_over() || seat != Some(self.machine.seat()) {
            return Ok(());
        }
        let asked = self.who_is_asked();
        let message = format!(
            "the case ends in the midst of this, and {asked}: write the answer, or what is expected here"
        );
        Err(Stopped {
            shown: vec![self.what_is_offered()],
            ..Stopped::at(span, message)
        })
    }

    /// The machine stands in the midst of what was answered last.
    fn is_within(&self) -> bool {
        self.depth.is_some_and(|depth| self.machine.fp > depth)
    }

    /// Resolves what resolves itself.
    pub(super) fn stand(&mut self, span: Span) -> Result<(), Stopped> {
        for _ in 0..RESOLVED_MAX {
            if !self.resolves_itself() {
                return Ok(());
            }
            self.resolve(span)?;
        }
        Err(Stopped::endless(span))
    }

    fn some_moment(
        &mut self,
        what: &Expectation,
        parts: &[Part],
        span: Span,
    ) -> Result<(), Stopped> {
        for _ in 0..RESOLVED_MAX {
            let here = self.tried(span, |run| run.holds(what, parts, Moment::Some, span));
            if here.is_ok() || !self.resolves_itself() {
                return here;
            }
            self.resolve(span)?;
        }
        Err(Stopped::endless(span))
    }

    fn every_moment(
        &mut self,
        what: &Expectation,
        parts: &[Part],
        span: Span,
    ) -> Result<(), Stopped> {
        for _ in 0..RESOLVED_MAX {
            self.tried(span, |run| run.holds(what, parts, Moment::Every, span))?;
            if !self.resolves_itself() {
                return Ok(());
            }
            self.resolve(span)?;
        }
        Err(Stopped::endless(span))
    }

    /// Tries something and puts everything back; of what failed the log stays.
    pub(super) fn tried(
        &mut self,
        span: Span,
        test: impl FnOnce(&mut Self) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        self.note();
        let log = self.log.len();
        let (stand, ambiguous) = (self.stand_here(), self.ambiguous);
        let counts = (self.machine.coverage.take(), self.machine.items.take());
        let result = test(self);
        self.note();
        if result.is_ok() {
            self.log.truncate(log);
        }
        let back = self.go_to(&stand, span);
        self.ambiguous = ambiguous;
        (self.machine.coverage, self.machine.items) = counts;
        back.and(result)
    }

    fn holds(
        &mut self,
        what: &Expectation,
        parts: &[Part],
        moment: Moment,
        span: Span,
    ) -> Result<(), Stopped> {
        let here = moment != Moment::Now;
        match what {
            Expectation::Holds(_) => self.parts_hold(parts),
            Expectation::Offered(seat, answers) => self.is_offered(*seat, answers, here),
            Expectation::Refused {
                seat,
                answers,
                because,
            } => self.is_refused(*seat, answers, because.as_ref(), here),
            Expectation::Choices(answers) => self.are_choices(answers, span),
        }
    }

    // ---------------------------------------------------------------------------------------------- conditions

    pub(super) fn parts_hold(&mut self, parts: &[Part]) -> Result<(), Stopped> {
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
            if right.constant {
                message.push_str(&format!(", found {found}"));
            } else {
                let wanted = self.shown_value(right);
                message.push_str(&format!(": the left is {found}, the right {wanted}"));
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
        if !self.machine.is_over() {
            shown.push(self.still_asked());
        }
        Stopped {
            shown,
            ..Stopped::at(part.span, message)
        }
    }

    /// "A is asked (choose a route): r1, r2, …"
    fn still_asked(&mut self) -> String {
        let answers = self.words.answers(&self.machine);
        let more = if answers.len() > ASKED_MAX {
            ", …"
        } else {
            ""
        };
        let first: Vec<&str> = answers.iter().take(ASKED_MAX).map(String::as_str).collect();
        format!("{}: {}{more}", self.who_is_asked(), first.join(", "))
    }

    fn shown_value(&mut self, shown: &Shown) -> String {
        match self.machine.ask(shown.node, self.plan.frame_words) {
            Ok(held) => self.words.value(&shown.ty, &held),
            Err(_) => "nothing".into(),
        }
    }

    // ---------------------------------------------------------------------------------------------- answers

    /// `here`: it is the decision at which the game stands that is meant, and none behind it.
    fn is_offered(&mut self, seat: u32, answers: &[Answer], here: bool) -> Result<(), Stopped> {
        self.row(seat, Row::at(answers, here))
    }

    fn is_refused(
        &mut self,
        seat: u32,
        answers: &[Answer],
        because: Option<&Because>,
        here: bool,
    ) -> Result<(), Stopped> {
        let Some((last, head)) = answers.split_last() else {
            return Ok(());
        };
        self.row(seat, Row::at(head, here))?;
        let here = here && head.is_empty();
        let row = Row::at(std::slice::from_ref(last), here);
        let text = print(last);
        let stopped = match self.row(seat, row) {
            Ok(()) => {
                let name = self.words.seat(seat as i32);
                let message = format!("{name} can answer `{text}`");
                return Err(Stopped::at(last.span, message));
            }
            Err(stopped) => stopped,
        };
        let Some(reasons) = &stopped.refused else {
            return Err(stopped);
        };
        // Names are known to be something of the rules; a number may be anything.
        let is_number = matches!(last.kind, AnswerKind::Number(_));
        if is_number && !reasons.iter().any(Refusal::is_meant) {
            let message = format!("no number is asked for here: `{text}` could never be answered");
            return Err(Stopped::at(last.span, message));
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
            ..Stopped::at(last.span, message)
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
                if matched == Some(Matched::Whole) {
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
        let mut shown = vec![self.what_is_offered()];
        if !missing.is_empty() {
            let names: Vec<String> = missing.iter().map(print).collect();
            said.push(format!("not offered: {}", names.join(", ")));
            for one in &missing {
                let reasons = why_not(
                    &self.words,
                    &mut self.machine,
                    std::slice::from_ref(one),
                    Eyes::Open,
                );
                shown.extend(
                    reasons
                        .iter()
                        .take(2)
                        .map(|r| format!("why not {}: {}", print(one), self.words.full(r))),
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

pub(super) fn is_of_answers(what: &Expectation) -> bool {
    matches!(what, Expectation::Offered(..) | Expectation::Refused { .. })
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
