//! Why an answer is not offered: the requirements it does not meet, in the order of the rules.

mod all;
mod bars;
mod follow;
mod parts;
mod unmatched;

use crate::ask::Eyes;
use crate::machine::{Answer, AnswerKind, Machine, Outcome, Stop, Witness};
use crate::program::*;
use crate::words::{Refusal, RefusalKind, Words};
use bars::{Bars, Ways};
use dsl::ir;
use dsl::source::Span;

/// Answers one explanation may try.
const TRIES_MAX: u32 = 4_000;
/// Decisions an explanation looks behind.
const DEPTH_MAX: u32 = 6;
/// Of so many alternatives that do not meet their conditions is looked what else would bar them.
const LOOKED_BEHIND_MAX: usize = 64;
/// Parts of a zone of which conditions are asked.
const PARTS_MAX: usize = 1_000;
/// Answers named when another one was written.
const NAMED_MAX: usize = 4;

/// Something that is not offered, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Numbers that it gives, with the names that the rules have for them.
    pub numbers: Vec<(String, i32)>,
    /// As it would be written.
    pub answer: ir::Answer,
    /// As people say it.
    pub said: String,
    /// Every requirement that keeps it from being offered.
    pub reasons: Vec<Refusal>,
}

/// Every requirement that keeps an answer from being offered where the machine stands; none: it is possible.
/// What is written may be a call whose arguments answer the questions that follow, or its parts. The machine stays as it is.
/// What the reasons quote is quoted as far as the eyes see it.
pub fn why_not(
    words: &Words<'_>,
    machine: &mut Machine<'_>,
    written: &[ir::Answer],
    eyes: Eyes,
) -> Vec<Refusal> {
    let mut explain = Explain {
        words: *words,
        left: TRIES_MAX,
    };
    watched(machine, eyes, |machine| {
        explain.follow(machine, written.iter().cloned().collect())
    })
}

/// Everything in the decision's reach that is not offered: rows of a choice's source, menu items, entries, anytime actions.
pub fn all_refused(words: &Words<'_>, machine: &mut Machine<'_>, eyes: Eyes) -> Vec<Refused> {
    let mut explain = Explain {
        words: *words,
        left: TRIES_MAX,
    };
    let mut refused = watched(machine, eyes, |machine| explain.all(machine));
    if words.choices_at(machine).len() > 1 {
        // What stands alone may mean a later part: the parts before it that have one answer may be left out.
        refused.retain(|one| {
            !why_not(words, machine, std::slice::from_ref(&one.answer), eyes).is_empty()
        });
    }
    refused
}

fn watched<T>(machine: &mut Machine<'_>, eyes: Eyes, run: impl FnOnce(&mut Machine<'_>) -> T) -> T {
    machine.watch_refusals(eyes);
    // What is answered at once is followed from one question to the next: each has reasons of its own.
    machine.one_by_one = true;
    let result = machine.ahead(run);
    machine.one_by_one = false;
    machine.watch_no_refusals();
    result
}

struct Explain<'a> {
    words: Words<'a>,
    left: u32,
}

impl Explain<'_> {
    /// Why no way leads on from a decision.
    fn why_stuck(&mut self, machine: &mut Machine<'_>, depth: u32) -> Vec<Refusal> {
        let reasons = self.stuck(machine, depth).told();
        self.or_unseen(machine, reasons)
    }

    fn or_unseen(&self, machine: &Machine<'_>, reasons: Vec<Refusal>) -> Vec<Refusal> {
        match reasons.as_slice() {
            [] => vec![self.unseen(machine)],
            _ => reasons,
        }
    }

    /// What bars the ways of a decision. Of a zone those parts are no ways that do not pass, where any passes.
    fn stuck(&mut self, machine: &mut Machine<'_>, depth: u32) -> Bars {
        if machine.at_moment() {
            let unmet = machine.unmet_at_moment();
            return Bars::alone(self.all_of(unmet.as_slice()));
        }
        let mut ways = Ways::default();
        let candidates = machine.own_candidates(false);
        let none = candidates.is_empty();
        for candidate in candidates {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            ways.add(self.bars(machine, &candidate, depth));
        }
        if let Op::Choose(choice) | Op::Param { choice, .. } = machine.program().code[machine.pc]
            && (none || machine.part_zone(choice).is_none())
        {
            let failing = self.failing(machine, choice);
            ways = self.add_failing(machine, ways, &failing, depth);
        }
        let bars = ways.bars();
        match none && bars.is_empty() {
            true => Bars::alone(vec![self.no_answer(machine)]),
            false => bars,
        }
    }

    /// Alternatives that do not meet conditions of their own, and these.
    fn failing(&self, machine: &mut Machine<'_>, choice: u32) -> Vec<(Vec<i32>, Vec<Refusal>)> {
        let alternatives = self.alternatives(machine, choice).into_iter();
        let with_unmet = alternatives.map(|words| {
            let unmet = machine.unmet_conditions(choice, &words);
            let unmet = self.all_of(&unmet);
            (words, unmet)
        });
        with_unmet.filter(|(_, unmet)| !unmet.is_empty()).collect()
    }

    /// Adds what fails its own conditions. What would bar it behind them is looked at where that is needed to find
    /// something that bars all ways.
    fn add_failing(
        &mut self,
        machine: &mut Machine<'_>,
        ways: Ways,
        failing: &[(Vec<i32>, Vec<Refusal>)],
        depth: u32,
    ) -> Ways {
        let mut found = ways.clone();
        for (_, unmet) in failing {
            found.add(Bars::alone(unmet.clone()));
        }
        let more = found.one_bars_all() || ways.is_open() || failing.len() > LOOKED_BEHIND_MAX;
        if more {
            return found;
        }
        let mut found = ways;
        for (words, unmet) in failing {
            let mut alone = unmet.clone();
            if let ([value], 1..) = (words.as_slice(), self.left) {
                self.left -= 1;
                let candidate = Answer {
                    kind: AnswerKind::Element,
                    value: *value,
                    words: Vec::new(),
                };
                let behind = self.bars(machine, &candidate, depth).alone.into_iter();
                // What is missing then may well be missing because a condition is not met.
                alone.extend(behind.filter(|one| one.kind != RefusalKind::Missing));
            }
            found.add(Bars::alone(alone));
        }
        found
    }

    /// What a choice chooses from, conditions not asked, as far as that can be listed.
    fn alternatives(&self, machine: &mut Machine<'_>, choice: u32) -> Vec<Vec<i32>> {
        match machine.part_zone(choice) {
            Some((zone, shape)) => parts::of(&machine.held(zone), shape, PARTS_MAX),
            None => {
                let elements = machine.source_elements(choice).into_iter();
                elements.map(|value| vec![value]).collect()
            }
        }
    }

    /// Why one candidate leads nowhere; nothing if it does lead on.
    fn bars(&mut self, machine: &mut Machine<'_>, candidate: &Answer, depth: u32) -> Bars {
        self.behind(machine, candidate, |explain, machine, stop| {
            let looks_on = stop == Stop::Decision && depth < DEPTH_MAX && explain.left > 0;
            if !looks_on || machine.can_go_on() != Outcome::No {
                return Bars::default();
            }
            explain.stuck(machine, depth + 1)
        })
    }

    /// Answers, and says what refused that; else `then` says what stands in the way where the game has come to.
    fn behind(
        &mut self,
        machine: &mut Machine<'_>,
        candidate: &Answer,
        then: impl FnOnce(&mut Self, &mut Machine<'_>, Stop) -> Bars,
    ) -> Bars {
        machine.ahead(|machine| {
            machine.take_refusals();
            let stop = if machine.apply_answer(candidate) {
                machine.run_on()
            } else {
                Stop::Fail
            };
            match stop {
                Stop::Fail => Bars::alone(self.last(machine)),
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
        let (span, sentence) = match machine.endless_loop() {
            Some(span) => (
                span,
                "whatever is chosen here, the game comes back to where it is now: does a loop never end?",
            ),
            None => (machine.position().1, "nobody can go on from there"),
        };
        self.plain(RefusalKind::NoAnswer, "", span, sentence.to_owned())
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

fn word(text: String) -> ir::Answer {
    ir::Answer {
        kind: ir::AnswerKind::Word(text),
        span: Span::new(dsl::source::FileId(0), 0, 0),
    }
}
