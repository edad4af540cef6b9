//! Everything in the reach of a decision that is not offered, and why.

use super::bars::Bars;
use super::{Explain, Refused, word};
use crate::machine::{Answer, AnswerKind, Machine, Stop};
use crate::program::*;
use crate::words::Refusal;
use dsl::ir;

impl Explain<'_> {
    pub(super) fn all(&mut self, machine: &mut Machine<'_>) -> Vec<Refused> {
        let offered: Vec<Answer> = {
            let answers = machine.answers().one_by_one();
            (0..answers.len()).map(|at| answers.get(at)).collect()
        };
        let mut found = self.own(machine, &offered);
        let more = self.words.choices_at(machine).len();
        found.extend(self.shared(machine, &offered, more));
        for at in 0..machine.program().anytime.len() {
            let answer = word(machine.program().anytime[at].2.clone());
            // Another answer may be called the same, or what asks.
            let mut others = offered.iter();
            let named = self.words.names_asker(machine, &answer).is_some()
                || others.any(|one| self.words.matches(machine, one, &answer).is_some());
            if !named && !machine.anytime_open(at) {
                let reasons = vec![self.closed(machine, at)];
                let anytime = Answer {
                    kind: AnswerKind::Anytime,
                    value: at as i32,
                    words: Vec::new(),
                };
                let said = self.words.offer_of(machine, &anytime).text;
                found.push(Refused {
                    numbers: Vec::new(),
                    answer,
                    said,
                    reasons,
                });
            }
        }
        found
    }

    /// What fails its own conditions, and candidates that are not offered.
    fn own(&mut self, machine: &mut Machine<'_>, offered: &[Answer]) -> Vec<Refused> {
        let mut found = machine.ahead(|machine| {
            if !machine.enter_question() {
                return Vec::new();
            }
            self.failing_conditions(machine)
        });
        for candidate in machine.own_candidates(true) {
            if offered.contains(&candidate) {
                continue;
            }
            let answer = self.words.spell(machine, &candidate);
            let said = self.words.offer_of(machine, &candidate).text;
            let reasons = self.of_candidate(machine, &candidate);
            found.push(Refused {
                numbers: self.numbers(machine, &candidate),
                answer,
                said,
                reasons,
            });
        }
        found
    }

    fn numbers(&self, machine: &Machine<'_>, answer: &Answer) -> Vec<(String, i32)> {
        let mut numbers = Vec::new();
        let mut tell = |name: &str, number| numbers.push((name.to_owned(), number));
        self.words.numbers_of(machine, answer, &mut tell);
        numbers
    }

    /// Behind each answer offered, what the other questions that share it refuse; so many are asked at once.
    fn shared(
        &mut self,
        machine: &mut Machine<'_>,
        offered: &[Answer],
        asked: usize,
    ) -> Vec<Refused> {
        let mut found = Vec::new();
        let chosen = offered.iter().filter(|one| one.kind == AnswerKind::Element);
        for first in chosen.filter(|_| asked > 1) {
            let spelled = self.words.spell(machine, first);
            let called = self.words.offer_of(machine, first).text;
            let numbers = self.numbers(machine, first);
            let behind = machine.ahead(|machine| {
                if !machine.apply_answer(first) || machine.run_on() != Stop::Decision {
                    return Vec::new();
                }
                let answers = machine.offered_here();
                let offered: Vec<Answer> = (0..answers.len()).map(|at| answers.get(at)).collect();
                let mut found = self.own(machine, &offered);
                found.extend(self.shared(machine, &offered, asked - 1));
                found
            });
            found.extend(behind.into_iter().map(|one| Refused {
                numbers: [numbers.clone(), one.numbers].concat(),
                answer: row_of(&spelled, one.answer, asked),
                said: format!("{called}, {}", one.said),
                reasons: one.reasons,
            }));
        }
        found
    }

    fn failing_conditions(&mut self, machine: &mut Machine<'_>) -> Vec<Refused> {
        let op = machine.program().code[machine.pc];
        if let Op::WalkPick { .. } = op {
            let steps = machine.refused_steps().into_iter();
            return steps
                .map(|(step, witness)| Refused {
                    numbers: Vec::new(),
                    answer: self.words.spell(machine, &step),
                    said: self.words.offer_of(machine, &step).text,
                    reasons: self.all_of(&[witness]),
                })
                .collect();
        }
        let (Op::Choose(choice) | Op::Param { choice, .. }) = op else {
            return Vec::new();
        };
        if machine.part_zone(choice).is_some() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for value in machine.source_elements(choice) {
            let witnesses = machine.unmet_conditions(choice, &[value]);
            if witnesses.is_empty() {
                continue;
            }
            let candidate = Answer {
                kind: AnswerKind::Element,
                value,
                words: Vec::new(),
            };
            found.push(Refused {
                numbers: self.numbers(machine, &candidate),
                answer: self.words.spell(machine, &candidate),
                said: self.words.offer_of(machine, &candidate).text,
                reasons: self.all_of(&witnesses),
            });
        }
        found
    }

    /// A candidate that passes its own conditions but is not offered.
    fn of_candidate(&mut self, machine: &mut Machine<'_>, candidate: &Answer) -> Vec<Refusal> {
        let reasons = self.behind(machine, candidate, |explain, machine, stop| match stop {
            Stop::Decision => explain.stuck(machine, 1),
            _ => Bars::default(),
        });
        self.or_unseen(machine, reasons.told())
    }
}

/// What is answered at once, the first of it and the rest.
fn row_of(first: &ir::Answer, rest: ir::Answer, asked: usize) -> ir::Answer {
    let row = match rest.kind {
        ir::AnswerKind::List(row) if asked > 2 => row,
        _ => vec![rest],
    };
    ir::Answer {
        kind: ir::AnswerKind::List(std::iter::once(first.clone()).chain(row).collect()),
        ..first.clone()
    }
}
