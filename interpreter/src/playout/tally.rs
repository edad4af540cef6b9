//! What is counted of all games.

use super::figures::Figures;
use super::links::Link;
use super::named::Named;
use super::unused::RowsUsed;
use crate::coverage::Coverage;
use crate::stats::Distribution;
use dsl::ir::RuleSet;
use serde::{Deserialize, Serialize};

/// The figures of one game, in the order of [`Figures::all`]; none: this game has no such figure.
pub type Row = Vec<Option<i64>>;

/// Counts of games; those of several threads or shards are merged, in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Games counted.
    pub games: u64,
    /// One for each figure.
    pub(super) figures: Vec<Distribution>,
    /// Of figures that tell how close a game was: the game with the least, and with the greatest, value first.
    pub(super) least: Option<(i64, u64)>,
    pub(super) greatest: Option<(i64, u64)>,
    pub(super) coverage: Coverage,
    pub(super) rows: RowsUsed,
    pub(super) named: Named,
    /// What doing each deed more often than the others goes with.
    pub(super) done: Vec<Link>,
    /// What holding more than the others at a quarter of the game goes with.
    pub(super) early: Vec<Link>,
}

impl Tally {
    pub(super) fn new(rules: &RuleSet, figures: &Figures, holdings: usize) -> Tally {
        Tally {
            figures: vec![Distribution::default(); figures.all.len()],
            named: Named::new(rules),
            done: vec![Link::default(); figures.deeds.len()],
            early: vec![Link::default(); holdings],
            ..Tally::default()
        }
    }

    /// Counts a game that is over.
    pub(super) fn note(&mut self, game: u64, figures: &Figures, row: &Row) {
        self.games += 1;
        for (figure, value) in self.figures.iter_mut().zip(row) {
            if let Some(value) = value {
                figure.add(*value);
            }
        }
        // How close it was; without points, how long.
        let close = figures.margin().unwrap_or(figures.answers());
        if let Some(close) = row[close] {
            self.note_extremes(Some((close, game)), Some((close, game)));
        }
    }

    fn note_extremes(&mut self, least: Option<(i64, u64)>, greatest: Option<(i64, u64)>) {
        self.least = [self.least, least].into_iter().flatten().min();
        let both = [self.greatest, greatest].into_iter().flatten();
        // Of equals the first game.
        self.greatest = both.max_by_key(|(value, game)| (*value, std::cmp::Reverse(*game)));
    }

    /// Adds what another counted.
    pub fn merge(&mut self, other: &Tally) {
        self.games += other.games;
        for (own, other) in self.figures.iter_mut().zip(&other.figures) {
            own.merge(other);
        }
        self.note_extremes(other.least, other.greatest);
        self.coverage.merge(&other.coverage);
        self.rows.merge(&other.rows);
        self.named.merge(&other.named);
        for (own, other) in self.done.iter_mut().zip(&other.done) {
            own.merge(other);
        }
        for (own, other) in self.early.iter_mut().zip(&other.early) {
            own.merge(other);
        }
    }
}
