//! Many games played by bots, on many threads, counted in whole numbers. The same numbers on any number of threads.

mod compare;
mod named;
mod report;
mod tally;
mod tournament;
mod unused;

pub use compare::{Comparison, Difference, compare};
pub use named::Named;
pub use report::{Report, SeatReport, Use, UseKind, seat_name};
pub use tournament::{ENTRANTS_MAX, Entrant, Entry, Tournament, tournament};
pub use unused::UnusedRows;

use crate::Program;
use crate::bots::{Bot, BotChance, Mind};
use crate::bounds::PLAYOUT_ANSWERS_MAX;
use crate::coverage::Coverage;
use crate::machine::{Fault, Machine, Stop, lots};
use crate::program::header;
use crate::state::State;
use crate::words::Words;
use dsl::ir::RuleSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;
use tally::Tally;
use unused::{Listener, RowsUsed};

/// In so many games, the first ones, it is counted what the rules refuse: to find that out takes longer than playing.
pub const REFUSALS_COUNTED_GAMES: u64 = 100;

/// What is to be played; the number of players is the program's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    pub games: u64,
    pub seed: u64,
    /// Of the seats in order, over again if there are fewer; none: all at random.
    pub bots: Vec<Bot>,
    /// At least one is used.
    pub threads: usize,
}

impl Spec {
    /// Who sits on a seat.
    pub fn bot(&self, seat: u32) -> Bot {
        if self.bots.is_empty() {
            return Bot::Random;
        }
        self.bots[seat as usize % self.bots.len()]
    }
}

/// A mistake of the rules met in a game, with the game up to there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayoutFault {
    /// Number of the game, from 0.
    pub game: u64,
    /// Seed of that game alone: `play` and the file it is kept in have it.
    pub seed: u64,
    pub fault: Fault,
    pub replay: String,
}

/// The seed of one of many games.
pub fn game_seed(seed: u64, game: u64) -> u64 {
    lots::mixed(seed.wrapping_add(game.wrapping_mul(lots::STEP)))
}

/// A game that bots play on a machine of their own, again and again.
pub struct Table<'p> {
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
        let players = self.machine.program().players;
        self.chances.clear();
        self.chances
            .extend((0..players).map(|seat| BotChance::new(seed, seat)));
        self.machine.drawers.clear();
        if self.hasty {
            for seat in 0..players {
                let lot = self.chances[seat as usize].lot();
                let draws = self.bot(seat) == Bot::Random;
                self.machine.drawers.push(draws.then_some(lot));
            }
        }
        self.machine.start(seed)
    }

    fn bot(&self, seat: u32) -> Bot {
        let bot = self.bots.get(seat as usize % self.bots.len().max(1));
        bot.copied().unwrap_or_default()
    }

    /// Which answer the bot of the seat that is asked takes.
    pub fn pick(&mut self) -> usize {
        let seat = self.machine.seat();
        let bot = self.bot(seat);
        let chance = &mut self.chances[seat as usize];
        bot.pick(&mut self.machine, &mut self.mind, chance)
    }

    /// Answers one decision.
    ///
    /// # Errors
    /// A fault of the rules, or a game without end.
    pub fn step(&mut self) -> Result<Stop, Fault> {
        let at = self.pick();
        self.take(at)
    }

    /// Answers one decision with this answer.
    ///
    /// # Errors
    /// As [`Table::step`].
    pub fn take(&mut self, at: usize) -> Result<Stop, Fault> {
        let stop = self.machine.answer(at)?;
        if stop == Stop::Decision && self.answers() > PLAYOUT_ANSWERS_MAX {
            return Err(Fault {
                span: self.machine.position().1,
                message: format!(
                    "the game has not ended after {PLAYOUT_ANSWERS_MAX} answers; it is here now"
                ),
                unmet: None,
                rule: None,
            });
        }
        Ok(stop)
    }

    /// Answers so far, those that answered themselves included.
    pub fn answers(&self) -> u32 {
        self.machine.word(header::ANSWERS as u32) as u32
    }
}

/// Plays `spec.games` games. `progress` hears how many are done, from any thread; `cancel` ends early, with what was played.
///
/// # Errors
/// The first game in which the rules cannot go on.
pub fn run(
    rules: &RuleSet,
    program: &Program,
    spec: &Spec,
    progress: &(dyn Fn(u64) + Sync),
    cancel: &AtomicBool,
) -> Result<Report, PlayoutFault> {
    let begin = Instant::now();
    let work = Work {
        rules,
        program,
        spec,
        progress,
        cancel,
        next: AtomicU64::new(0),
        done: AtomicU64::new(0),
        first_fault: AtomicU64::new(u64::MAX),
        fault: Mutex::new(None),
        all: Mutex::new(Tally::new(program)),
    };
    let threads = spec
        .threads
        .clamp(1, 256)
        .min(spec.games.clamp(1, 256) as usize);
    if threads == 1 {
        work.play();
    } else {
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| work.play());
            }
        });
    }
    let fault = work.fault.into_inner().unwrap_or_else(|e| e.into_inner());
    if let Some((game, fault)) = fault {
        let seed = game_seed(spec.seed, game);
        let bots: Vec<Bot> = (0..program.players).map(|seat| spec.bot(seat)).collect();
        let replay = crate::replay::of_bots(rules, program, &bots, seed);
        return Err(PlayoutFault {
            game,
            seed,
            fault,
            replay,
        });
    }
    let tally = work.all.into_inner().unwrap_or_else(|e| e.into_inner());
    Ok(Report::new(rules, program, spec, tally, begin.elapsed()))
}

/// What the threads share.
struct Work<'a> {
    rules: &'a RuleSet,
    program: &'a Program,
    spec: &'a Spec,
    progress: &'a (dyn Fn(u64) + Sync),
    cancel: &'a AtomicBool,
    next: AtomicU64,
    done: AtomicU64,
    first_fault: AtomicU64,
    fault: Mutex<Option<(u64, Fault)>>,
    all: Mutex<Tally>,
}

impl Work<'_> {
    /// Takes games until none is left. Counting commutes, so the order in which games end does not matter.
    fn play(&self) {
        let bots = (0..self.program.players)
            .map(|seat| self.spec.bot(seat))
            .collect();
        let mut table = Table::hasty(self.program, bots);
        table.machine.set_coverage(true);
        let mut tally = Tally::new(self.program);
        table.machine.begin(0);
        let mut start = State::new();
        table.machine.save(&mut start);
        tally.rows = RowsUsed::new(self.rules, self.program, start.words());
        let mut listener = Listener::new(self.rules, self.program);
        while !self.cancel.load(Ordering::Relaxed) {
            let game = self.next.fetch_add(1, Ordering::Relaxed);
            // Games before the first fault are still played: one of them may have an earlier one.
            if game >= self.spec.games || game > self.first_fault.load(Ordering::Relaxed) {
                break;
            }
            match self.game(&mut table, game, &mut listener, &mut tally) {
                Ok(false) => break,
                Ok(true) => {
                    (self.progress)(1 + self.done.fetch_add(1, Ordering::Relaxed));
                }
                Err(fault) => self.note_fault(game, fault),
            }
        }
        if let Some(coverage) = Coverage::of(&table.machine) {
            tally.coverage.merge(&coverage);
        }
        self.all
            .lock()
            .unwrap_or_else(|e| e.into_inner())
            .merge(&tally);
    }

    /// Plays a game to its end; false if that was cancelled.
    fn game(
        &self,
        table: &mut Table<'_>,
        game: u64,
        listener: &mut Listener<'_>,
        tally: &mut Tally,
    ) -> Result<bool, Fault> {
        table.machine.count_refusals(game < REFUSALS_COUNTED_GAMES);
        // Where everything has been used there is nothing more to hear.
        let listens = !tally.rows.are_all_used();
        table.machine.follow_moves(listens);
        listener.begin();
        let mut stop = table.start(game_seed(self.spec.seed, game))?;
        let words = Words::new(self.rules, self.program);
        loop {
            if listens {
                listener.hear(&mut table.machine, &mut tally.rows);
            }
            if stop == Stop::Over {
                break;
            }
            if self.cancel.load(Ordering::Relaxed) {
                return Ok(false);
            }
            let at = table.pick();
            tally.named.note(&words, &table.machine, at);
            stop = table.take(at)?;
            tally.named.forget_after(table.answers());
        }
        let answers = table.answers();
        tally.note(&mut table.machine, answers)?;
        Ok(true)
    }

    fn note_fault(&self, game: u64, fault: Fault) {
        self.first_fault.fetch_min(game, Ordering::Relaxed);
        let mut first = self.fault.lock().unwrap_or_else(|e| e.into_inner());
        if first.as_ref().is_none_or(|(at, _)| game < *at) {
            *first = Some((game, fault));
        }
    }
}
