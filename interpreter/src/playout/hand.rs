//! Who plays one game after the other and notes what came of each.

use super::close::{CLOSE_GAMES, Close};
use super::figures::Figures;
use super::links::Won;
use super::named::NamedInGame;
use super::tally::{Row, Tally};
use super::unused::{Listener, RowsUsed};
use super::{End, Spec, Table, game_seed};
use crate::Program;
use crate::coverage::Coverage;
use crate::machine::{Fault, Machine};
use crate::state::State;
use crate::stats::VICTORY_PARTS;
use crate::words::Words;
use dsl::ir::RuleSet;
use std::sync::atomic::AtomicBool;

/// See the module. One for each thread.
pub(super) struct Hand<'p> {
    figures: &'p Figures,
    words: Words<'p>,
    seed: u64,
    table: Table<'p>,
    tally: Tally,
    listener: Listener<'p>,
    named: NamedInGame,
    close: Close<'p>,
    /// For each seat the first one with the same bot.
    bots: Vec<usize>,
    /// By seat and deed, nobody's last: how often it had been done before the game, and in it.
    counted: Vec<u64>,
    done: Vec<u64>,
}

impl<'p> Hand<'p> {
    pub fn new(
        rules: &'p RuleSet,
        program: &'p Program,
        figures: &'p Figures,
        spec: &Spec,
    ) -> Self {
        let seated = spec.seated(program.players);
        let first = |bot| seated.iter().position(|one| one == bot);
        let bots = seated.iter().filter_map(first).collect();
        let mut table = Table::hasty(program, seated);
        table.machine.set_coverage(true);
        let close = Close::new(rules, program);
        let mut tally = Tally::new(rules, figures, close.holdings().len());
        table.machine.begin(0);
        let mut start = State::new();
        table.machine.save(&mut start);
        tally.rows = RowsUsed::new(rules, program, start.words());
        Hand {
            figures,
            words: Words::new(rules, program),
            seed: spec.seed,
            table,
            tally,
            listener: Listener::new(rules, program),
            named: NamedInGame::new(rules, program.players as usize),
            close,
            bots,
            counted: Vec::new(),
            done: Vec::new(),
        }
    }

    /// Plays a game to its end; none if that was cancelled.
    pub fn game(&mut self, game: u64, cancel: &AtomicBool) -> Result<Option<Row>, Fault> {
        let closely = game < CLOSE_GAMES;
        self.table.machine.count_refusals(closely);
        let machine = &mut self.table.machine;
        let listens = self.listener.begin(machine, &self.tally.rows);
        self.named.begin();
        self.close.begin(game);
        count_done(&self.table, self.figures, &mut self.counted);
        self.table.start(game_seed(self.seed, game))?;
        let end = loop {
            if listens {
                let rows = &mut self.tally.rows;
                self.listener.hear(&mut self.table.machine, rows);
            }
            if let Some(end) = self.table.end(cancel) {
                break end;
            }
            if closely {
                self.close.note(&mut self.table.machine);
            }
            let at = self.table.pick()?;
            self.named.note(&self.words, &self.table.machine, at);
            self.table.take(at)?;
            self.named.forget_after(self.table.answers());
        };
        if end == End::Cancelled {
            return Ok(None);
        }
        let row = self.row(end, closely)?;
        self.tally.note(game, self.figures, &row);
        Ok(Some(row))
    }

    /// The figures of a game that is over.
    fn row(&mut self, end: End, closely: bool) -> Result<Row, Fault> {
        let figures = self.figures;
        let players = figures.players;
        let machine = &mut self.table.machine;
        let mut row: Row = vec![None; figures.all.len()];
        let mut aims = Vec::with_capacity(players);
        for seat in 0..players {
            let Some(at) = figures.score(seat) else { break };
            let scores = machine.scores(seat as u32);
            let total = scores.iter().map(|score| i64::from(*score)).sum();
            row[at] = Some(total);
            aims.push(i64::from(machine.aim(seat as u32)));
            for (line, score) in scores.iter().enumerate() {
                row[figures.line(seat, line)] = Some(i64::from(*score));
            }
        }
        let won = match end {
            End::Over => parts(machine, players),
            End::Endless | End::Cancelled => vec![0; players],
        };
        machine.check()?;
        for (seat, parts) in won.iter().enumerate() {
            row[figures.wins(seat)] = Some(*parts as i64);
        }
        aims.sort_unstable_by(|a, b| b.cmp(a));
        if let (Some(at), [first, second, ..]) = (figures.margin(), &aims[..]) {
            row[at] = Some(first - second);
        }
        let whole = |is: bool| Some(if is { VICTORY_PARTS as i64 } else { 0 });
        let endless = end == End::Endless;
        row[figures.nobody()] = whole(!endless && won.iter().all(|parts| *parts == 0));
        row[figures.endless()] = whole(endless);
        if let Some(at) = figures.turns() {
            row[at] = machine.turns().map(i64::from);
        }
        let ending = machine.ending();
        for (at, end) in figures.ends.iter().enumerate() {
            row[figures.ending(at)] = whole(!endless && end.is(ending));
        }
        row[figures.answers()] = Some(i64::from(self.table.answers()));
        self.note_done(&won, &mut row);
        let bots = &self.bots;
        let of_all = Won { parts: &won, bots };
        if closely {
            row[figures.close()..].copy_from_slice(&self.close.figures(&won));
            self.close.note_early(&of_all, &mut self.tally.early);
        }
        self.named.end(&of_all, &mut self.tally.named);
        Ok(row)
    }

    /// What was done in the game, and what choosing it more often goes with: beside all that a seat chooses, since who has one turn
    /// more does more of everything.
    fn note_done(&mut self, won: &[u64], row: &mut Row) {
        count_done(&self.table, self.figures, &mut self.done);
        for (done, before) in self.done.iter_mut().zip(&self.counted) {
            *done -= before;
        }
        let (deeds, players) = (self.figures.deeds.len(), self.figures.players);
        let of = |seat: usize, at: usize| self.done[seat * deeds + at];
        let chosen = |at: &usize| self.figures.deeds[*at].chosen;
        let all = |seat: usize| {
            (0..deeds)
                .filter(chosen)
                .map(|at| of(seat, at))
                .sum::<u64>()
        };
        for at in 0..deeds {
            let times: u64 = (0..=players).map(|seat| of(seat, at)).sum();
            row[self.figures.done(at)] = Some(times as i64);
            if !chosen(&at) {
                continue;
            }
            let parts = (0..players).map(|seat| part(of(seat, at), all(seat)));
            let bots = &self.bots;
            self.tally.done[at].note(parts, &Won { parts: won, bots });
        }
    }

    /// What was counted of all games.
    pub fn into_tally(mut self) -> Tally {
        if let Some(coverage) = Coverage::of(&self.table.machine) {
            self.tally.coverage.merge(&coverage);
        }
        self.tally
    }
}

/// What part of the victory each seat has, in [`VICTORY_PARTS`].
pub(super) fn parts(machine: &mut Machine<'_>, players: usize) -> Vec<u64> {
    let winners = machine.winning_seats();
    let part = VICTORY_PARTS / (winners.len() as u64).max(1);
    let mut won = vec![0; players];
    for seat in winners {
        if let Some(own) = won.get_mut(seat as usize) {
            *own = part;
        }
    }
    won
}

/// How often each seat, and behind them nobody, did each deed since the machine began to count.
fn count_done(table: &Table<'_>, figures: &Figures, counts: &mut Vec<u64>) {
    counts.clear();
    let seats = figures.players + 1;
    let Some(all) = table.machine.counts() else {
        return;
    };
    for seat in 0..seats {
        let deeds = figures.deeds.iter();
        counts.extend(deeds.map(|deed| deed.count(&all, (seat, seats))));
    }
}

/// A part of a whole in ten-thousandths.
pub(super) fn part(of: u64, whole: u64) -> i64 {
    (of * 10_000 / whole.max(1)) as i64
}
