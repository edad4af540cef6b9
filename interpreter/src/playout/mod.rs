//! Many games played by bots, on many threads, counted in whole numbers. The same numbers on any number of threads.

mod close;
mod compare;
mod elements;
mod endings;
mod figures;
mod files;
mod find;
mod findings;
mod goal;
mod hand;
mod links;
mod named;
mod report;
mod review;
mod tally;
mod told;
mod tournament;
mod train;
mod unused;
mod uses;
mod work;

pub use close::CLOSE_GAMES;
pub use compare::{Change, Compared, Comparison, Side, compare};
pub use figures::{Figure, Figures, Unit};
pub use files::{Tried, tried_to_csv, tried_to_json};
pub use find::{Found, Looked, find};
pub use findings::{Finding, FindingKind};
pub use goal::{GOALS, Goal, NoGoal};
pub use links::Link;
pub use named::Named;
pub use report::{Ended, Linked, LinkedWith, Report, Use, seat_name};
pub use review::{Fall, Look, Moment, Review, review};
pub use tally::{Row, Tally};
pub use told::told;
pub use tournament::{ENTRANTS_MAX, Entrant, Entry, Thinking, Tournament, tournament};
pub use train::{BATCH_GAMES, LESSON_ANSWERS_MAX, Lesson, Taught, Untaught, train};
pub use unused::UnusedRows;
pub use uses::UseKind;

use crate::Program;
use crate::bots::{Bot, BotChance, Mind, Patience};
use crate::bounds::PLAYOUT_ANSWERS_MAX;
use crate::machine::{Fault, Machine, Stop, lots};
use crate::program::header;
use crate::state::State;
use dsl::ir::RuleSet;
use hand::Hand;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use work::Work;

/// What is to be played; the number of players is the program's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The first game's number, and how many there are: game 7 is the same game in whatever run.
    pub first: u64,
    /// How many games.
    pub games: u64,
    /// Game `n` has the seed [`game_seed`]`(seed, n)`.
    pub seed: u64,
    /// Of the seats in order, over again if there are fewer; none: all at random.
    pub bots: Vec<Bot>,
    /// At least one is used.
    pub threads: usize,
}

impl Spec {
    /// The numbers of the games.
    pub fn numbers(&self) -> Range<u64> {
        self.first..self.first.saturating_add(self.games)
    }

    /// Who sits on a seat.
    pub fn bot(&self, seat: u32) -> Bot {
        if self.bots.is_empty() {
            return Bot::Random;
        }
        self.bots[seat as usize % self.bots.len()].clone()
    }

    /// Who sits on each of so many seats.
    pub fn seated(&self, players: u32) -> Vec<Bot> {
        (0..players).map(|seat| self.bot(seat)).collect()
    }
}

/// A mistake of the rules met in a game, with the game up to there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayoutFault {
    /// Number of the game, from 0.
    pub game: u64,
    /// Seed of that game alone: `play` and the file it is kept in have it.
    pub seed: u64,
    /// What went wrong.
    pub fault: Fault,
    /// The game up to there, as a recorded game.
    pub replay: String,
}

/// The seed of one of many games.
pub fn game_seed(seed: u64, game: u64) -> u64 {
    lots::mixed(seed.wrapping_add(game.wrapping_mul(lots::STEP)))
}

/// How a game of bots is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The game is over.
    Over,
    /// It has not ended after [`PLAYOUT_ANSWERS_MAX`] answers.
    Endless,
    /// Somebody wanted it to end.
    Cancelled,
}

/// A game that bots play on a machine of their own, again and again.
pub struct Table<'p> {
    /// The machine the games are played on.
    pub machine: Machine<'p>,
    bots: Vec<Bot>,
    chances: Vec<BotChance>,
    mind: Mind<'p>,
    /// Seats that answer at random look for no more answers than they need.
    hasty: bool,
}

impl<'p> Table<'p> {
    /// A table with these bots; seats without one answer at random.
    pub fn new(program: &'p Program, bots: Vec<Bot>) -> Table<'p> {
        Table {
            machine: Machine::new(program),
            bots,
            chances: Vec::new(),
            mind: Mind::new(program),
            hasty: false,
        }
    }

    /// The same games, played faster: the machine stands at each answer, even where there is no other, and where a bot
    /// answers at random its answers are not all there are, but the one the bot takes. Where looking ahead meets its bound, games may differ.
    pub fn hasty(program: &'p Program, bots: Vec<Bot>) -> Table<'p> {
        let mut table = Table::new(program, bots);
        table.hasty = true;
        table.machine.stand_at_only_answers();
        table
    }

    /// Sets up a game; `step` then plays it.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn start(&mut self, seed: u64) -> Result<Stop, Fault> {
        self.seat_bots(seed);
        self.machine.start(seed)
    }

    /// Goes on from a state that somebody made up.
    fn go_on(&mut self, state: &State, seed: u64) -> Result<Stop, Fault> {
        self.seat_bots(seed);
        self.machine.stand_in(state)
    }

    fn seat_bots(&mut self, seed: u64) {
        let players = self.machine.program().players;
        self.chances.clear();
        self.chances
            .extend((0..players).map(|seat| BotChance::new(seed, seat)));
        self.machine.drawers.clear();
        if self.hasty {
            for seat in 0..players {
                let lot = self.chances[seat as usize].lot();
                let draws = *self.bot(seat) == Bot::Random;
                self.machine.drawers.push(draws.then_some(lot));
            }
        }
    }

    fn bot(&self, seat: u32) -> &Bot {
        let bot = self.bots.get(seat as usize % self.bots.len().max(1));
        bot.unwrap_or(&Bot::Random)
    }

    /// Which answer the bot of the seat that is asked takes.
    ///
    /// # Errors
    /// A fault of the strategy that the bot plays by.
    pub fn pick(&mut self) -> Result<usize, Fault> {
        let seat = self.machine.seat();
        let bot = self.bot(seat).clone();
        let chance = &mut self.chances[seat as usize];
        let (machine, mind) = (&mut self.machine, &mut self.mind);
        bot.pick(machine, mind, chance, &Patience::OWN)
    }

    /// Answers one decision.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn step(&mut self) -> Result<Stop, Fault> {
        let at = self.pick()?;
        self.take(at)
    }

    /// Answers one decision with this answer.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn take(&mut self, at: usize) -> Result<Stop, Fault> {
        self.machine.answer(at)
    }

    /// Whether and how the game is over, or is to be broken off.
    pub fn end(&self, cancel: &AtomicBool) -> Option<End> {
        if self.machine.is_over() {
            Some(End::Over)
        } else if self.answers() >= PLAYOUT_ANSWERS_MAX {
            Some(End::Endless)
        } else {
            cancel.load(Ordering::Relaxed).then_some(End::Cancelled)
        }
    }

    /// Answers so far, those that answered themselves included.
    pub fn answers(&self) -> u32 {
        self.machine.word(header::ANSWERS as u32) as u32
    }
}

/// Plays the games of `spec`. `progress` hears how many are done, from any thread; `cancel` ends early, with what was played;
/// `each` hears the figures of each game, in the order of the games.
///
/// # Errors
/// The first game in which the rules cannot go on.
pub fn run(
    rules: &RuleSet,
    program: &Program,
    spec: &Spec,
    progress: &(dyn Fn(u64) + Sync),
    cancel: &AtomicBool,
    each: &mut (dyn FnMut(u64, &Row) + Send),
) -> Result<Report, PlayoutFault> {
    let begin = Instant::now();
    let figures = Figures::new(rules, program);
    let work = Work::of(spec, progress, cancel);
    let hands = work.play(
        &|| Hand::new(rules, program, &figures, spec),
        &|hand, game| hand.game(game, cancel),
        &mut |game, row| {
            each(game, &row);
            ControlFlow::Continue(())
        },
    );
    let hands = hands.map_err(|fault| PlayoutFault::of_bots(rules, program, spec, fault))?;
    let tally = merged(hands);
    let mut report = Report::new(rules, program, spec, tally);
    report.elapsed = begin.elapsed();
    Ok(report)
}

/// What the hands of all threads counted.
fn merged<'h>(hands: impl IntoIterator<Item = Hand<'h>>) -> Tally {
    let mut tallies = hands.into_iter().map(Hand::into_tally);
    let mut all = tallies.next().unwrap_or_default();
    tallies.for_each(|tally| all.merge(&tally));
    all
}

impl PlayoutFault {
    /// A fault met by the bots of `spec`, with the game up to there.
    fn of_bots(
        rules: &RuleSet,
        program: &Program,
        spec: &Spec,
        (game, fault): (u64, Fault),
    ) -> PlayoutFault {
        let seed = game_seed(spec.seed, game);
        let bots = spec.seated(program.players);
        let replay = crate::replay::of_bots(rules, program, &bots, seed);
        PlayoutFault {
            game,
            seed,
            fault,
            replay,
        }
    }
}
