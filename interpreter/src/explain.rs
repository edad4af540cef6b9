//! Why an answer is not offered: the requirements it does not meet, in the order of the rules.

mod all;
mod follow;
mod unmatched;

use crate::machine::{Answer, Machine, Outcome, Stop, Witness};
use crate::program::*;
use crate::words::{Refusal, RefusalKind, Words};
use dsl::ir;
use dsl::source::Span;

/// Answers one explanation may try.
const TRIES_MAX: u32 = 4_000;
/// Decisions an explanation looks behind.
const DEPTH_MAX: u32 = 6;
/// Answers named when another one was written.
const NAMED_MAX: usize = 4;

/// Something that is not offered, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// As it would be written.
    pub answer: ir::Answer,
    pub reasons: Vec<Refusal>,
}

/// Every requirement that keeps an answer from being offered where the machine stands; none: it is possible.
/// What is written may be a call whose arguments answer the questions that follow, or its parts. The machine stays as it is.
pub fn why_not(
    words: &Words<'_>,
    machine: &mut Machine<'_>,
    written: &[ir::Answer],
) -> Vec<Refusal> {
    let mut explain = Explain {
        words: *words,
        left: TRIES_MAX,
    };
    watched(machine, |machine| {
        explain.follow(machine, written.iter().cloned().collect())
    })
}

/// Everything in the decision's reach that is not offered: rows of a choice's source, menu items, entries, anytime actions.
pub fn all_refused(words: &Words<'_>, machine: &mut Machine<'_>) -> Vec<Refused> {
    let mut explain = Explain {
        words: *words,
        left: TRIES_MAX,
    };
    watched(machine, |machine| explain.all(machine))
}

fn watched<T>(machine: &mut Machine<'_>, run: impl FnOnce(&mut Machine<'_>) -> T) -> T {
    machine.watch_refusals(true);
    let result = machine.ahead(run);
    machine.watch_refusals(false);
    result
}

struct Explain<'a> {
    words: Words<'a>,
    left: u32,
}

/// Reasons with how many ways they close.
type Tally = Vec<(Refusal, u32)>;

impl Explain<'_> {
    /// Why no way leads on from a decision of the same seat.
    fn why_stuck(&mut self, machine: &mut Machine<'_>, depth: u32) -> Vec<Refusal> {
        let tally = self.stuck(machine, depth);
        let reasons = tally.into_iter().map(|(refusal, _)| refusal).collect();
        self.or_unseen(machine, reasons)
    }

    fn or_unseen(&self, machine: &Machine<'_>, reasons: Vec<Refusal>) -> Vec<Refusal> {
        match reasons.as_slice() {
            [] => vec![self.unseen(machine)],
            _ => reasons,
        }
    }

    /// Each candidate of a decision with the first reason why it does not lead on, commonest first.
    fn stuck(&mut self, machine: &mut Machine<'_>, depth: u32) -> Tally {
        let mut tally = Tally::new();
        if let Op::Choose(choice) | Op::Param { choice, .. } = machine.program().code[machine.pc] {
            self.tally_conditions(machine, choice, &mut tally);
        }
        let candidates = machine.own_candidates(false);
        let none = candidates.is_empty();
        for candidate in candidates {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            let mut reasons = self.reasons(machine, &candidate, depth).into_iter();
            if let Some(reason) = reasons.next() {
                count(&mut tally, reason, 1);
            }
            for reason in reasons {
                count(&mut tally, reason, 0);
            }
        }
        if tally.is_empty() && none {
            tally.push((self.no_answer(machine), 1));
        }
        tally.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        tally
    }

    fn tally_conditions(&mut self, machine: &mut Machine<'_>, choice: u32, tally: &mut Tally) {
        if machine.part_zone(choice).is_some() {
            // Too many parts: the condition all of them fail is the reason.
            let op = &machine.program().choices[choice as usize];
            let binder = &machine.program().binders[op.binder.at()];
            let reasons: Vec<ReasonId> = binder.conditions.iter().map(|c| c.1).collect();
            for reason in reasons {
                let unmet = crate::machine::Unmet {
                    reason,
                    needed: None,
                    found: None,
                };
                let message = self.words.program.reasons[reason.at()].message;
                let values = message.map_or_else(Vec::new, |id| machine.message_values(id));
                count(tally, self.words.refusal(&unmet, &values), 1);
            }
            return;
        }
        for value in machine.source_elements(choice) {
            if let Some(first) = machine.unmet_conditions(choice, &[value]).first() {
                count(tally, self.words.refusal(&first.unmet, &first.values), 1);
            }
        }
    }

    /// The reasons why one candidate leads nowhere, commonest first; none if it does lead on.
    fn reasons(
        &mut self,
        machine: &mut Machine<'_>,
        candidate: &Answer,
        depth: u32,
    ) -> Vec<Refusal> {
        self.behind(machine, candidate, |explain, machine, stop| {
            let looks_on = stop == Stop::Decision && depth < DEPTH_MAX && explain.left > 0;
            if !looks_on || machine.can_go_on() != Outcome::No {
                return Vec::new();
            }
            let tally = explain.stuck(machine, depth + 1);
            tally.into_iter().map(|(refusal, _)| refusal).collect()
        })
    }

    /// Answers, and says what refused that; else `then` says what stands in the way where the game has come to.
    fn behind(
        &mut self,
        machine: &mut Machine<'_>,
        candidate: &Answer,
        then: impl FnOnce(&mut Self, &mut Machine<'_>, Stop) -> Vec<Refusal>,
    ) -> Vec<Refusal> {
        let seat = machine.me;
        machine.ahead(|machine| {
            machine.take_refusals();
            let stop = if machine.apply_answer(candidate) {
                machine.run_on()
            } else {
                Stop::Fail
            };
            match stop {
                Stop::Fail => self.last(machine),
                Stop::Decision if machine.me != seat => self.obligations(machine, seat),
                stop => then(self, machine, stop),
            }
        })
    }

    fn last(&self, machine: &mut Machine<'_>) -> Vec<Refusal> {
        let witnesses = machine.take_refusals();
        let last = witnesses.last().cloned();
        let further = last
            .as_ref()
            .map(|last| machine.further_needs(last.unmet.reason));
        let all: Vec<Witness> = last
            .into_iter()
            .chain(further.into_iter().flatten())
            .collect();
        self.or_unseen(machine, self.all_of(&all))
    }

    /// `always … after` of steps of `seat` that are still running while another seat is asked.
    fn obligations(&self, machine: &mut Machine<'_>, seat: i32) -> Vec<Refusal> {
        machine.take_refusals();
        if machine.open_obligations(seat) {
            return Vec::new();
        }
        self.last(machine)
    }

    fn all_of(&self, witnesses: &[Witness]) -> Vec<Refusal> {
        let refusals = witnesses.iter();
        refusals
            .map(|w| self.words.refusal(&w.unmet, &w.values))
            .collect()
    }

    /// What is written comes behind something that nobody has seen yet.
    fn depends(&self, machine: &Machine<'_>) -> Refusal {
        let sentence = "what comes then depends on what is not seen yet".to_owned();
        self.plain(RefusalKind::NotAsked, "", machine.position().1, sentence)
    }

    fn unseen(&self, machine: &Machine<'_>) -> Refusal {
        let sentence = "nobody can go on from there".to_owned();
        self.plain(RefusalKind::NoAnswer, "", machine.position().1, sentence)
    }

    fn plain(&self, kind: RefusalKind, name: &str, span: Span, sentence: String) -> Refusal {
        Refusal {
            kind,
            ids: self
                .words
                .tags(span)
                .into_iter()
                .map(str::to_owned)
                .collect(),
            overlay: self.words.overlay(span).map(str::to_owned),
            span,
            sentence,
            needed: None,
            found: None,
            name: name.to_owned(),
        }
    }
}

/// Reasons one explanation keeps.
const REASONS_MAX: usize = 24;

fn count(tally: &mut Tally, refusal: Refusal, ways: u32) {
    let same = |other: &Refusal| {
        other.span == refusal.span
            && other.kind == refusal.kind
            && other.sentence == refusal.sentence
    };
    match tally.iter().position(|(other, _)| same(other)) {
        Some(at) => tally[at].1 += ways,
        None if tally.len() < REASONS_MAX => tally.push((refusal, ways)),
        None => {}
    }
}

fn word(text: String) -> ir::Answer {
    ir::Answer {
        kind: ir::AnswerKind::Word(text),
        span: Span::new(dsl::source::FileId(0), 0, 0),
    }
}
