//! How often each statement ran, each requirement refused and each menu item was chosen, by place in the rules.

use crate::Program;
use crate::machine::Machine;
use crate::program::{Op, ProcId, ReasonKind};
use dsl::ir::RuleSet;
use dsl::source::Span;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Counts of one program; those of several games, threads and scenarios can be merged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// By instruction.
    instructions: Vec<u64>,
    /// By proc: how often its body began.
    entered: Vec<u64>,
    /// By reason.
    reasons: Vec<u64>,
    /// By menu and item.
    items: Vec<u64>,
}

/// A statement and how often it ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatementCount {
    /// Where it stands in the rules.
    pub span: Span,
    /// How often it ran.
    pub ran: u64,
}

/// A requirement and how often it made something impossible, looking ahead included. Of the parts of a zone it counts each
/// time that there was none that passes; those that do not pass are never made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefusalCount {
    /// Where it stands in the rules.
    pub span: Span,
    /// How many answers it refused.
    pub refused: u64,
}

/// What stands under a rule id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagCount {
    /// The tag of a numbered rule, as `TU-036`.
    pub id: String,
    /// Statements it carries.
    pub statements: u64,
    /// Those of them that ran.
    pub covered: u64,
    /// Runs of its statements and refusals of its requirements.
    pub ran: u64,
    /// Times its requirements made something impossible.
    pub refused: u64,
}

impl Coverage {
    /// What a machine has counted; none if it does not count.
    pub fn of(machine: &Machine<'_>) -> Option<Coverage> {
        let [instructions, entered, reasons, items] = machine.counts()?;
        let seats = machine.program().players as usize + 1;
        Some(Coverage {
            instructions: instructions.to_vec(),
            entered: of_all_seats(entered, seats),
            reasons: reasons.to_vec(),
            items: of_all_seats(items, seats),
        })
    }

    /// Adds what another counted.
    pub fn merge(&mut self, other: &Coverage) {
        let pairs = [
            (&mut self.instructions, &other.instructions),
            (&mut self.entered, &other.entered),
            (&mut self.reasons, &other.reasons),
            (&mut self.items, &other.items),
        ];
        for (own, other) in pairs {
            own.resize(own.len().max(other.len()), 0);
            for (own, other) in own.iter_mut().zip(other) {
                *own += other;
            }
        }
    }

    /// Runs of one instruction.
    pub fn of_instruction(&self, pc: u32) -> u64 {
        self.instructions.get(pc as usize).copied().unwrap_or(0)
    }

    /// How often a body began, its parts laid on an agenda among them. A question that is asked once more begins nothing.
    pub fn of_body(&self, proc: ProcId) -> u64 {
        self.entered.get(proc.at()).copied().unwrap_or(0)
    }

    /// By menu and item, in the program's order.
    pub fn items(&self) -> &[u64] {
        &self.items
    }

    /// Each statement by its place; a statement of several instructions ran as often as its first.
    pub fn statements(&self, program: &Program) -> Vec<StatementCount> {
        let mut found: BTreeMap<Span, u64> = BTreeMap::new();
        for (pc, span) in program.op_spans.iter().enumerate() {
            if is_statement(program.code[pc]) {
                found
                    .entry(*span)
                    .or_insert_with(|| self.of_instruction(pc as u32));
            }
        }
        found
            .into_iter()
            .map(|(span, ran)| StatementCount { span, ran })
            .collect()
    }

    /// Each requirement by its place.
    pub fn refusals(&self, program: &Program) -> Vec<RefusalCount> {
        let mut found: BTreeMap<Span, u64> = BTreeMap::new();
        for (at, reason) in program.reasons.iter().enumerate() {
            *found.entry(reason.span).or_default() += self.reasons.get(at).copied().unwrap_or(0);
        }
        found
            .into_iter()
            .map(|(span, refused)| RefusalCount { span, refused })
            .collect()
    }

    /// What is written as a requirement, `need` and `always`: all of it, and what of it refused nothing. What a `where` leaves
    /// out is not counted one by one.
    pub fn requirements(&self, program: &Program) -> Vec<RefusalCount> {
        let written = program.reasons.iter();
        let written = written
            .filter(|reason| matches!(reason.kind, ReasonKind::Need | ReasonKind::Rule(_)))
            .map(|reason| reason.span);
        let written: BTreeSet<Span> = written.collect();
        let mut all = self.refusals(program);
        all.retain(|one| written.contains(&one.span));
        all
    }

    /// Rule ids in the order of the rules: what carries them ran, or refused something.
    pub fn tags(&self, rules: &RuleSet, program: &Program) -> Vec<TagCount> {
        let statements = self.statements(program);
        let refusals = self.refusals(program);
        let mut order: Vec<TagCount> = Vec::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for tag in &rules.tags {
            let at = *places.entry(&tag.id).or_insert_with(|| {
                order.push(TagCount {
                    id: tag.id.clone(),
                    statements: 0,
                    covered: 0,
                    ran: 0,
                    refused: 0,
                });
                order.len() - 1
            });
            let count = &mut order[at];
            for one in inside(&statements, tag.carrier, |s| s.span) {
                count.statements += 1;
                count.covered += u64::from(one.ran > 0);
                count.ran += one.ran;
            }
            for one in inside(&refusals, tag.carrier, |r| r.span) {
                count.refused += one.refused;
            }
        }
        order
    }
}

/// What was counted seat by seat, together.
fn of_all_seats(counts: &[u64], seats: usize) -> Vec<u64> {
    let width = counts.len() / seats;
    let mut all = vec![0; width];
    for (at, count) in counts.iter().enumerate() {
        all[at % width.max(1)] += count;
    }
    all
}

/// Instructions that only tie others together say nothing of their own.
fn is_statement(op: Op) -> bool {
    !matches!(
        op,
        Op::ProbeEnd
            | Op::Jump(_)
            | Op::Return
            | Op::WhenEnd
            | Op::Settle { .. }
            | Op::LeaveStep { .. }
            | Op::PassEnd { .. }
            | Op::EndOfFlow
    )
}

/// The run of `all` (sorted by place) that lies in a span.
fn inside<T>(all: &[T], outer: Span, span: impl Fn(&T) -> Span) -> impl Iterator<Item = &T> {
    let low = all.partition_point(|one| {
        let span = span(one);
        (span.file, span.start) < (outer.file, outer.start)
    });
    all[low..].iter().take_while(move |one| {
        let span = span(one);
        span.file == outer.file && span.start < outer.end
    })
}
