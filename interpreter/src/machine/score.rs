//! Scores and ranks.

use super::{Halt, Machine};
use crate::ask::Eyes;
use crate::program::*;
use dsl::ir::number::Sum;

impl Machine<'_> {
    /// One line of a player's score.
    pub(crate) fn score_line(&mut self, line: usize, player: i32) -> i32 {
        let proc = self.p.score_procs[line];
        self.formula_of(proc, Some(player))
    }

    pub(crate) fn score_total(&mut self, player: i32) -> i32 {
        let mut total = Sum::default();
        for line in 0..self.p.score_procs.len() {
            total.add(self.score_line(line, player), 1);
        }
        total.total().unwrap_or_else(|why| {
            // Of a score without lines the sum is 0.
            let last = self.p.score_procs.last();
            last.map_or(0, |line| {
                self.no_number(self.p.procs[line.at()].body, Some(why))
            })
        })
    }

    /// A formula of a player, or of nobody.
    pub(super) fn formula_of(&mut self, proc: ProcId, player: Option<i32>) -> i32 {
        let p = self.p;
        let proc = &p.procs[proc.at()];
        let base = self.reserve(proc.frame_words as usize);
        for word in 0..proc.frame_words as usize {
            self.m[base + word] = 0;
        }
        if let Some(((local, _), player)) = proc.params.first().zip(player) {
            self.m[base + *local as usize] = player;
        }
        let caller = std::mem::replace(&mut self.fp, base);
        let value = self.ev(proc.body);
        self.fp = caller;
        self.top = base;
        value
    }

    /// A player's score, line by line in the order of the rules.
    pub fn scores(&mut self, seat: u32) -> Vec<i32> {
        self.begin_asking();
        (0..self.p.score_procs.len())
            .map(|line| self.score_line(line, seat as i32))
            .collect()
    }

    /// A player's score, line by line; none where somebody cannot see all that it rests on.
    pub fn scores_seen(&mut self, seat: u32, eyes: Eyes) -> Vec<Option<i32>> {
        let Eyes::Of(viewer) = eyes else {
            return self.scores(seat).into_iter().map(Some).collect();
        };
        self.as_seen(viewer, |machine| {
            let lines = 0..machine.p.score_procs.len();
            let seen = lines.map(|line| {
                let score = machine.score_line(line, seat as i32);
                let known = std::mem::replace(&mut machine.halt, Halt::No) == Halt::No;
                known.then_some(score)
            });
            seen.collect()
        })
    }

    /// A player's score without a list.
    pub fn score(&mut self, seat: u32) -> i32 {
        self.begin_asking();
        self.score_total(seat as i32)
    }

    /// Whether anything is counted for a seat: points, or what `win by` asks.
    pub(crate) fn is_ranked(&self) -> bool {
        !self.p.score_procs.is_empty() || !self.p.win_procs.is_empty()
    }

    /// What the ranking asks first, of which each seat wants as much as it can get: points, but where the fewest win, their
    /// negative.
    pub(crate) fn aim(&mut self, seat: u32) -> i32 {
        self.begin_asking();
        match self.p.win_procs.first() {
            Some(key) => self.formula_of(*key, Some(seat as i32)),
            None => self.score_total(seat as i32),
        }
    }

    /// What the ranking asks first is the score.
    pub(crate) fn aims_at_score(&self) -> bool {
        self.p.win_procs.first().is_none_or(|key| {
            let body = self.p.procs[key.at()].body;
            matches!(self.p.nodes[body.at()], Node::ScoreTotal(_))
        })
    }

    /// Sort keys of the ranking; without `win by` the score.
    fn win_keys(&mut self, seat: u32) -> Vec<i32> {
        let procs = self.p.win_procs.clone();
        if procs.is_empty() {
            return vec![self.score_total(seat as i32)];
        }
        procs
            .into_iter()
            .map(|proc| self.formula_of(proc, Some(seat as i32)))
            .collect()
    }

    /// Rank of each seat, 1 is best; equal keys share a rank.
    pub fn ranks(&mut self) -> Vec<u32> {
        let drawn = self.is_drawn();
        let keys: Vec<((i32, i32), Vec<i32>)> = (0..self.p.players)
            .map(|seat| {
                let standing = self.standing(seat as i32);
                // Who has won, lost or drawn needs no score.
                let by_score = standing.0 == 1 && !drawn;
                let keys = by_score.then(|| self.win_keys(seat));
                (standing, keys.unwrap_or_default())
            })
            .collect();
        keys.iter()
            .map(|own| 1 + keys.iter().filter(|other| *other > own).count() as u32)
            .collect()
    }

    /// Those who have won: with the first rank, unless they have lost or the game was drawn.
    pub fn winning_seats(&mut self) -> Vec<i32> {
        let ranks = self.ranks();
        (0..self.p.players as i32)
            .filter(|seat| ranks[*seat as usize] == 1 && self.counts_as_winner(*seat))
            .collect()
    }
}
