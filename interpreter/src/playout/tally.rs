//! What is counted while games are played.

use super::named::Named;
use super::unused::RowsUsed;
use crate::Program;
use crate::coverage::Coverage;
use crate::machine::{Fault, Machine};
use crate::stats::{Distribution, VICTORY_PARTS};
use dsl::ir::EndingId;
use std::collections::BTreeMap;

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
    /// By the line that ended them; none: the flow was through.
    pub endings: BTreeMap<Option<EndingId>, u64>,
    /// Games that nobody won.
    pub unwon: u64,
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
        let winners = machine.winning_seats();
        machine.check()?;
        for (seat, (tally, scores)) in (0..).zip(self.seats.iter_mut().zip(&scores)) {
            tally.total.add(scores.iter().map(|s| i64::from(*s)).sum());
            for (line, score) in tally.lines.iter_mut().zip(scores) {
                line.add(i64::from(*score));
            }
            if winners.contains(&seat) {
                tally.victories += VICTORY_PARTS / (winners.len() as u64).max(1);
            }
        }
        self.unwon += u64::from(winners.is_empty());
        self.games += 1;
        self.answers.add(i64::from(answers));
        if let Some(turns) = turns(machine) {
            self.turns.add(i64::from(turns));
        }
        *self.endings.entry(machine.ending()).or_default() += 1;
        Ok(())
    }

    pub fn merge(&mut self, other: &Tally) {
        self.games += other.games;
        self.unwon += other.unwon;
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
