//! Following what is written from question to question, to the first answer that is not offered and what stands in its way.

use super::Explain;
use crate::machine::{Answer, AnswerKind, Answers, Machine, Stop};
use crate::words::{Matched, Refusal};
use dsl::ir;
use std::collections::VecDeque;

/// Decisions of one answer that resolve themselves.
const RESOLVED_MAX: u32 = 64;

/// A question on the way through the answers written.
struct Asked {
    /// What is offered, as long as the way leads on.
    answers: Answers,
    /// The rest of what is offered for several questions at once, as far as what was said fits.
    rows: Answers,
    /// Every answer so far is offered.
    leads_on: bool,
    /// Why what is written did not answer a question that resolved itself, and whether it could have been meant there.
    passed: Option<(bool, Vec<Refusal>)>,
}

impl Asked {
    fn next(&mut self, machine: &mut Machine<'_>) {
        self.answers = if !self.leads_on {
            Answers::default()
        } else if self.rows.is_empty() {
            machine.offered_here()
        } else {
            self.rows.one_by_one()
        };
    }
}

impl Explain<'_> {
    /// From a decision through the answers written to the first that is not offered, and on to what stands in its way.
    pub(super) fn follow(
        &mut self,
        machine: &mut Machine<'_>,
        mut queue: VecDeque<ir::Answer>,
    ) -> Vec<Refusal> {
        let seat = machine.me;
        let mut asked = Asked {
            answers: machine.answers().one_by_one(),
            rows: machine.answers().clone(),
            leads_on: true,
            passed: None,
        };
        // What was read last is but the name of what asks here.
        let mut is_named = false;
        for _ in 0..RESOLVED_MAX {
            let Some(written) = queue.pop_front() else {
                return match is_named {
                    true => self.named(machine, &asked),
                    false => self.why_stuck(machine, 0),
                };
            };
            if let ir::AnswerKind::List(row) = &written.kind
                && self.words.choices_at(machine).len() > 1
            {
                row.iter()
                    .rev()
                    .for_each(|one| queue.push_front(one.clone()));
                continue;
            }
            let candidate = match self.answer_to(machine, &mut asked, written, &mut queue) {
                Ok(Some(candidate)) => candidate,
                Ok(None) => {
                    is_named = true;
                    continue;
                }
                Err(reasons) => return reasons,
            };
            is_named = false;
            asked.rows = asked.rows.behind(&candidate);
            if queue.is_empty() && asked.leads_on {
                return Vec::new();
            }
            machine.take_refusals();
            let failed = !machine.apply_answer(&candidate);
            let stop = if failed { Stop::Fail } else { machine.run_on() };
            match (stop, queue.front()) {
                (Stop::Decision, _) if machine.me == seat => asked.next(machine),
                (Stop::Fail, _) => return self.last(machine),
                (Stop::Unknown, _) if asked.leads_on => return vec![self.depends(machine)],
                (Stop::Fault | Stop::Unknown, _) => return vec![self.unseen(machine)],
                (_, Some(rest)) => {
                    let passed = asked.passed.take().map(|(_, reasons)| reasons);
                    return passed.unwrap_or_else(|| vec![self.not_asked(machine, rest, &[])]);
                }
                (Stop::Decision, None) => return self.why_stuck(machine, 0),
                (Stop::Done | Stop::Over, None) => return vec![self.unseen(machine)],
            }
        }
        vec![self.unseen(machine)]
    }

    /// The candidate that answers the question with what is written, or what resolves itself before that; what is left to
    /// answer is put back. None: only the name of what asks was written.
    fn answer_to(
        &mut self,
        machine: &mut Machine<'_>,
        asked: &mut Asked,
        written: ir::Answer,
        queue: &mut VecDeque<ir::Answer>,
    ) -> Result<Option<Answer>, Vec<Refusal>> {
        let mut candidates = machine.own_candidates(true);
        // What is offered is an answer, also where that rests on what is not seen while looking ahead.
        let offered = (0..asked.answers.len()).map(|at| asked.answers.get(at));
        let unseen: Vec<Answer> = offered.filter(|one| !candidates.contains(one)).collect();
        candidates.extend(unseen);
        if let Some((candidate, matched)) = self.meant(machine, asked, &candidates, &written) {
            if let Matched::Head(args) = matched {
                args.into_iter().rev().for_each(|arg| queue.push_front(arg));
            }
            asked.leads_on &= asked.answers.position(&candidate).is_some();
            asked.passed = None;
            return Ok(Some(candidate));
        }
        let here = match self.words.names_asker(machine, &written) {
            // Where there is no choice a later question of that name may be meant.
            Some(args) if args.is_empty() || asked.answers.len() != 1 => {
                args.into_iter().rev().for_each(|arg| queue.push_front(arg));
                return Ok(None);
            }
            Some(mut args) => args.swap_remove(0),
            None => written.clone(),
        };
        let only = self.pass(machine, asked, &candidates, &here)?;
        queue.push_front(written);
        Ok(Some(only))
    }

    /// The candidate that is written: of several one that is offered, of these one that is written in full.
    fn meant(
        &self,
        machine: &Machine<'_>,
        asked: &Asked,
        candidates: &[Answer],
        written: &ir::Answer,
    ) -> Option<(Answer, Matched)> {
        let matched = candidates.iter().filter_map(|candidate| {
            let matched = self.words.matches(machine, candidate, written)?;
            Some((candidate.clone(), matched))
        });
        matched.min_by_key(|(candidate, matched)| {
            let offered = asked.answers.position(candidate).is_some();
            (!offered, *matched != Matched::Whole)
        })
    }

    /// What is written answers something else. A question with one answer resolves itself: that answer. Else the reasons
    /// why nothing of this kind can be answered.
    fn pass(
        &mut self,
        machine: &mut Machine<'_>,
        asked: &mut Asked,
        candidates: &[Answer],
        written: &ir::Answer,
    ) -> Result<Answer, Vec<Refusal>> {
        let found = self.unmatched(machine, written);
        let reasons = found.unwrap_or_else(|| {
            // Who wrote something else is told what could be answered, and of nothing that could not.
            let offered = (0..asked.answers.len()).map(|at| asked.answers.get(at));
            let offered: Vec<Answer> = match asked.leads_on {
                true => offered.collect(),
                false => candidates.to_vec(),
            };
            vec![self.not_asked(machine, written, &offered)]
        });
        let known = reasons.iter().any(Refusal::is_meant);
        let only = match (asked.answers.len(), candidates) {
            (1, _) => Some(asked.answers.get(0)),
            (0, [only]) => Some(only.clone()),
            _ => None,
        };
        let Some(only) = only else {
            let before = asked.passed.take().filter(|(known, _)| *known);
            return Err(before.map_or(reasons, |(_, before)| before));
        };
        if asked
            .passed
            .as_ref()
            .is_none_or(|passed| !passed.0 && known)
        {
            asked.passed = Some((known, reasons));
        }
        Ok(only)
    }

    /// Only the name of what asks was written: possible if one of its ways is offered.
    fn named(&mut self, machine: &mut Machine<'_>, asked: &Asked) -> Vec<Refusal> {
        let offered = (0..asked.answers.len()).map(|at| asked.answers.kind(at));
        let is_way = |kind| {
            !matches!(
                kind,
                AnswerKind::Anytime | AnswerKind::Done | AnswerKind::Go
            )
        };
        if asked.leads_on && offered.into_iter().any(is_way) {
            return Vec::new();
        }
        machine.ahead(|machine| {
            if machine.enter_question() {
                self.why_stuck(machine, 0)
            } else {
                self.last(machine)
            }
        })
    }
}
