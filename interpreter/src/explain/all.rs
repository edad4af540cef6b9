//! Everything in the reach of a decision that is not offered, and why.

use super::bars::Bars;
use super::{Explain, Refused, word};
use crate::machine::{Answer, AnswerKind, Machine, Stop};
use crate::program::*;
use crate::words::Refusal;

impl Explain<'_> {
    pub(super) fn all(&mut self, machine: &mut Machine<'_>) -> Vec<Refused> {
        let offered: Vec<Answer> = {
            let answers = machine.answers();
            (0..answers.len()).map(|at| answers.get(at)).collect()
        };
        let mut found = Vec::new();
        // Those that fail their own conditions.
        let conditions = machine.ahead(|machine| {
            if !machine.enter_question() {
                return Vec::new();
            }
            self.failing_conditions(machine)
        });
        found.extend(conditions);
        for candidate in machine.own_candidates(true) {
            if offered.contains(&candidate) {
                continue;
            }
            let answer = self.words.spell(machine, &candidate);
            let reasons = self.of_candidate(machine, &candidate);
            found.push(Refused { answer, reasons });
        }
        for at in 0..machine.program().anytime.len() {
            let answer = word(machine.program().anytime[at].2.clone());
            // Another answer may be called the same, or what asks.
            let mut others = offered.iter();
            let named = self.words.names_asker(machine, &answer).is_some()
                || others.any(|one| self.words.matches(machine, one, &answer).is_some());
            if !named && !machine.anytime_open(at) {
                let reasons = vec![self.closed(machine, at)];
                found.push(Refused { answer, reasons });
            }
        }
        found
    }

    fn failing_conditions(&mut self, machine: &mut Machine<'_>) -> Vec<Refused> {
        let op = machine.program().code[machine.pc];
        if let Op::WalkPick { .. } = op {
            let steps = machine.refused_steps().into_iter();
            return steps
                .map(|(step, witness)| Refused {
                    answer: self.words.spell(machine, &step),
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
                answer: self.words.spell(machine, &candidate),
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
