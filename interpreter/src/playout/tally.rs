//! What is counted while games are played.

use super::named::Named;
use super::unused::RowsUsed;
use crate::Program;
use crate::coverage::Coverage;
use crate::machine::{Fault, Machine};
use crate::program::{Op, header};
use crate::stats::{Distribution, VICTORY_PARTS};
use std::collections::BTreeMap;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ending {
    /// `finish now`, at this instruction.
    Now(u32),
    /// After the step with this label, which this instruction called.
    After(u32, u32),
    /// The flow was through.
    Flow,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct SeatTally {
    /// In [`VICTORY_PARTS`].
    pub victories: u64,
    pub total: Distribution,
    pub lines: Vec<Distribution>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub games: u64,
    pub seats: Vec<SeatTally>,
    pub turns: Distribution,
    pub answers: Distribution,
    pub endings: BTreeMap<Ending, u64>,
    pub coverage: Coverage,
    pub rows: RowsUsed,
    pub named: Named,
}

impl Tally {
    pub fn new(program: &Program) -> Tally {
        let seat = SeatTally {
            lines: vec![Distribution::default(); program.score_procs.len()],
            ..SeatTally::default()
        };
        Tally {
            seats: vec![seat; program.players as usize],
            ..Tally::default()
        }
    }

    /// Counts a game that is over.
    pub fn note(&mut self, machine: &mut Machine<'_>, answers: u32) -> Result<(), Fault> {
        let scores: Vec<Vec<i32>> = (0..self.seats.len() as u32)
            .map(|seat| machine.scores(seat))
            .collect();
        let ranks = machine.ranks();
        machine.check()?;
        let winners = ranks.iter().filter(|rank| **rank == 1).count() as u64;
        for ((tally, scores), rank) in self.seats.iter_mut().zip(&scores).zip(&ranks) {
            tally.total.add(scores.iter().map(|s| i64::from(*s)).sum());
            for (line, score) in tally.lines.iter_mut().zip(scores) {
                line.add(i64::from(*score));
            }
            if *rank == 1 {
                tally.victories += VICTORY_PARTS / winners.max(1);
            }
        }
        self.games += 1;
        self.answers.add(i64::from(answers));
        if let Some(turns) = turns(machine) {
            self.turns.add(i64::from(turns));
        }
        *self.endings.entry(ending(machine)).or_default() += 1;
        Ok(())
    }

    pub fn merge(&mut self, other: &Tally) {
        self.games += other.games;
        for (own, other) in self.seats.iter_mut().zip(&other.seats) {
            own.victories += other.victories;
            own.total.merge(&other.total);
            for (own, other) in own.lines.iter_mut().zip(&other.lines) {
                own.merge(other);
            }
        }
        self.turns.merge(&other.turns);
        self.answers.merge(&other.answers);
        for (ending, games) in &other.endings {
            *self.endings.entry(*ending).or_default() += games;
        }
        self.coverage.merge(&other.coverage);
        self.rows.merge(&other.rows);
        self.named.merge(&other.named);
    }
}

/// Passes of the step `turn`, if the rules have one.
pub(crate) fn turns(machine: &Machine<'_>) -> Option<i32> {
    let program = machine.program();
    let label = program.turn_label?;
    Some(machine.word(program.label_words[label.index()]))
}

fn ending(machine: &Machine<'_>) -> Ending {
    let (pc, _) = machine.position();
    match machine.program().code[pc] {
        Op::FinishNow => Ending::Now(pc as u32),
        Op::EndOfFlow => Ending::Flow,
        _ => Ending::After(
            machine.word(header::FINISH_LABEL as u32) as u32,
            machine.finish_pc as u32,
        ),
    }
}
