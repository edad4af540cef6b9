//! Bots against one another, on every seat alike.

use super::hand::parts;
use super::work::Work;
use super::{End, PlayoutFault, Spec, Table, game_seed};
use crate::Program;
use crate::bots::Bot;
use crate::json::Json;
use crate::machine::Fault;
use crate::stats::{Distribution, Estimate, VICTORY_PARTS, share};
use dsl::ir::RuleSet;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// More bots make more tables than anybody has time for.
pub const ENTRANTS_MAX: usize = 8;
/// Rounds of the rating's iteration, far more than it takes to stand still.
const RATING_ROUNDS: usize = 2_000;

/// What is to be played; the number of players is the program's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Two to [`ENTRANTS_MAX`] different ones.
    pub bots: Vec<Bot>,
    /// The first game's number: which seats who has depends on it.
    pub first: u64,
    /// How many games, of all entrants together.
    pub games: u64,
    /// Of which all games follow.
    pub seed: u64,
    /// Threads to play on, one at least.
    pub threads: usize,
    /// Whether it is measured how long the bots think.
    pub times: bool,
}

impl Entry {
    /// These games, as those of a tournament.
    pub fn of(spec: &Spec, times: bool) -> Entry {
        Entry {
            bots: spec.bots.clone(),
            first: spec.first,
            games: spec.games,
            seed: spec.seed,
            threads: spec.threads,
            times,
        }
    }
}

/// What came of one bot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// Seats it had in all games.
    pub seats: u64,
    /// Its share of the victories, in [`VICTORY_PARTS`].
    pub victories: u64,
    /// Its points in all its games.
    pub total: Distribution,
    /// Against each other bot: times both sat at a table, seat by seat, and how often this one had the better place, in
    /// [`VICTORY_PARTS`]; the same place is half of it.
    pub against: Vec<(u64, u64)>,
}

/// How long a bot has thought, where it had a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Thinking {
    /// Decisions with a choice.
    pub decisions: u64,
    /// For all of them together.
    pub time: Duration,
    /// The longest of them.
    pub longest: Duration,
}

impl Thinking {
    fn add(&mut self, other: &Thinking) {
        self.decisions += other.decisions;
        self.time += other.time;
        self.longest = self.longest.max(other.longest);
    }
}

/// Bots that played each other on all seats, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tournament {
    /// The bots that met, as they were named.
    pub bots: Vec<Bot>,
    /// What each of them came to, in the same order.
    pub entrants: Vec<Entrant>,
    /// Seats a game.
    pub players: u32,
    /// Games played.
    pub games: u64,
    /// Games that were asked for.
    pub asked: u64,
    /// Of which all games follow.
    pub seed: u64,
    /// The rules have a score.
    pub scored: bool,
    /// How long each bot has thought; empty where nobody asked for it. All else is the same whenever the same is played.
    pub thinking: Vec<Thinking>,
    /// Tables after which every bot has sat on every seat as often as each other.
    pub round: u64,
}

impl Tournament {
    /// Before its first game.
    pub fn new(program: &Program, entry: &Entry) -> Tournament {
        let bots = entry.bots.len();
        let entrant = Entrant {
            against: vec![(0, 0); bots],
            ..Entrant::default()
        };
        Tournament {
            bots: entry.bots.clone(),
            entrants: vec![entrant; bots],
            players: program.players,
            games: 0,
            asked: entry.games,
            seed: entry.seed,
            scored: !program.score_procs.is_empty(),
            thinking: Vec::new(),
            round: tables(bots, program.players as usize).len() as u64,
        }
    }

    /// Adds what came of the same bots in other games of it.
    pub fn merge(&mut self, games: u64, entrants: &[Entrant]) {
        self.games += games;
        for (own, other) in self.entrants.iter_mut().zip(entrants) {
            own.seats += other.seats;
            own.victories += other.victories;
            own.total.merge(&other.total);
            for (own, other) in own.against.iter_mut().zip(&other.against) {
                own.0 += other.0;
                own.1 += other.1;
            }
        }
    }

    /// All games that were asked for were played.
    pub fn is_complete(&self) -> bool {
        self.games == self.asked
    }

    /// Victories a seat that the bot had, in hundredths of a percent.
    pub fn wins(&self, at: usize) -> Estimate {
        let entrant = &self.entrants[at];
        share(entrant.victories, entrant.seats)
    }

    /// How often it had the better place than the other, in hundredths of a percent.
    pub fn better(&self, at: usize, other: usize) -> Estimate {
        let (met, better) = self.entrants[at].against[other];
        share(better, met)
    }

    /// Ratings on the scale of chess, around 1500: who is 400 above another has ten better places for one (Bradley and Terry,
    /// Biometrika 39, 1952; half a place more is given to each pair, so that who always wins has a rating too).
    pub fn ratings(&self) -> Vec<i64> {
        let count = self.bots.len();
        let pair = |at: usize, other: usize| {
            let (met, better) = self.entrants[at].against[other];
            let better = better as f64 / VICTORY_PARTS as f64;
            (met as f64 + 1.0, better + 0.5)
        };
        let mut strengths = vec![1.0f64; count];
        for _ in 0..RATING_ROUNDS {
            let next: Vec<f64> = (0..count)
                .map(|at| {
                    let others = (0..count).filter(|other| *other != at);
                    let (won, due) = others.fold((0.0, 0.0), |(won, due), other| {
                        let (met, better) = pair(at, other);
                        (won + better, due + met / (strengths[at] + strengths[other]))
                    });
                    won / due
                })
                .collect();
            let mean = next.iter().map(|one| one.ln()).sum::<f64>() / count as f64;
            strengths = next.iter().map(|one| one / mean.exp()).collect();
        }
        let rating = |strength: &f64| (1500.0 + 400.0 * strength.log10()).round() as i64;
        strengths.iter().map(rating).collect()
    }

    /// All numbers; shares in percent.
    pub fn to_json(&self, rules: &RuleSet) -> String {
        let share = |o: &mut Json, estimate: Estimate| {
            o.array(|a| {
                for value in [estimate.value, estimate.low, estimate.high] {
                    a.decimal(value, 2);
                }
            });
        };
        let mut json = Json::new();
        json.object(|o| {
            o.key("game").string(&rules.id);
            o.key("title").string(&rules.title);
            o.key("players").number(self.players);
            o.key("games").number(self.games);
            o.key("seed").number(self.seed);
            o.key("complete").boolean(self.is_complete());
            o.key("bots").array(|a| {
                for (at, rating) in self.ratings().into_iter().enumerate() {
                    a.object(|o| {
                        o.key("bot").string(&self.bots[at].to_string());
                        o.key("rating").number(rating);
                        o.key("seats").number(self.entrants[at].seats);
                        share(o.key("wins"), self.wins(at));
                        o.key("better_than").object(|o| {
                            for (other, bot) in self.bots.iter().enumerate() {
                                if other != at {
                                    share(o.key(&bot.to_string()), self.better(at, other));
                                }
                            }
                        });
                    });
                }
            });
        });
        json.finish()
    }
}

/// The tables of a round, one after the other: which bot has which seat. Each bot sits at a table as often as each other, give
/// or take one seat; a table is followed by those that come of it by everybody moving up a seat.
fn tables(bots: usize, seats: usize) -> Vec<Vec<usize>> {
    let (least, most) = (seats / bots, seats.div_ceil(bots));
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..seats {
        let longer = all.iter().flat_map(|table| {
            let open = (0..bots).filter(|bot| count(table, *bot) < most);
            open.map(|bot| [table.as_slice(), &[bot]].concat())
        });
        all = longer.collect();
    }
    all.retain(|table| (0..bots).all(|bot| count(table, bot) >= least));
    let mut ordered: Vec<Vec<usize>> = Vec::new();
    while let Some(table) = all.first().cloned() {
        for by in 0..seats {
            let mut moved = table.clone();
            moved.rotate_right(by);
            if let Some(at) = all.iter().position(|one| *one == moved) {
                ordered.push(all.remove(at));
            }
        }
    }
    ordered
}

fn count(table: &[usize], bot: usize) -> usize {
    table.iter().filter(|one| **one == bot).count()
}

/// Plays `entry.games` games. `progress` hears how many are done, from any thread; `cancel` ends early, with what was played.
///
/// # Errors
/// The first game in which the rules cannot go on.
pub fn tournament(
    rules: &RuleSet,
    program: &Program,
    entry: &Entry,
    progress: &(dyn Fn(u64) + Sync),
    cancel: &AtomicBool,
) -> Result<Tournament, PlayoutFault> {
    let tables = tables(entry.bots.len(), program.players as usize);
    let mut all = Tournament::new(program, entry);
    let seats = |game: u64| &tables[(game % tables.len() as u64) as usize];
    let bots = |game: u64| {
        seats(game)
            .iter()
            .map(|bot| entry.bots[*bot].clone())
            .collect()
    };
    let work = Work {
        games: entry.first..entry.first.saturating_add(entry.games),
        threads: entry.threads,
        progress,
        cancel,
    };
    let played = work.play(
        &|| Hand {
            table: Table::hasty(program, Vec::new()),
            thinking: vec![Thinking::default(); if entry.times { entry.bots.len() } else { 0 }],
        },
        &|hand, game| {
            hand.table.bots = bots(game);
            let seed = game_seed(entry.seed, game);
            hand.play(seed, seats(game), cancel)
        },
        &mut |game, standing| {
            all.note(&standing, seats(game));
            ControlFlow::Continue(())
        },
    );
    match played {
        Ok(hands) => {
            for hand in &hands {
                all.thinking
                    .resize(hand.thinking.len(), Thinking::default());
                let both = all.thinking.iter_mut().zip(&hand.thinking);
                both.for_each(|(all, own)| all.add(own));
            }
            Ok(all)
        }
        Err((game, fault)) => {
            let seed = game_seed(entry.seed, game);
            let bots: Vec<Bot> = bots(game);
            Err(PlayoutFault {
                game,
                seed,
                fault,
                replay: crate::replay::of_bots(rules, program, &bots, seed),
            })
        }
    }
}

/// What a game came to for each seat.
struct Standing {
    ranks: Vec<u32>,
    scores: Vec<i32>,
    /// In [`VICTORY_PARTS`].
    won: Vec<u64>,
}

struct Hand<'p> {
    table: Table<'p>,
    /// Of each bot, where it is measured.
    thinking: Vec<Thinking>,
}

impl Hand<'_> {
    /// Plays a game to its end; none if that was cancelled. In a game without end all have the same place. `seats` says
    /// which bot has which.
    fn play(
        &mut self,
        seed: u64,
        seats: &[usize],
        cancel: &AtomicBool,
    ) -> Result<Option<Standing>, Fault> {
        let table = &mut self.table;
        table.start(seed)?;
        let end = loop {
            match table.end(cancel) {
                None => {}
                Some(End::Cancelled) => return Ok(None),
                Some(end) => break end,
            };
            let thinks = seats[table.machine.seat() as usize];
            match self.thinking.get_mut(thinks) {
                Some(thinking) if table.machine.answers().len() > 1 => {
                    let begin = Instant::now();
                    let at = table.pick()?;
                    let time = begin.elapsed();
                    thinking.add(&Thinking {
                        decisions: 1,
                        time,
                        longest: time,
                    });
                    table.take(at)?;
                }
                _ => {
                    table.step()?;
                }
            }
        };
        let machine = &mut table.machine;
        let players = machine.program().players;
        let over = end == End::Over;
        let standing = Standing {
            ranks: if over {
                machine.ranks()
            } else {
                vec![1; players as usize]
            },
            scores: (0..players).map(|seat| machine.score(seat)).collect(),
            won: if over {
                parts(machine, players as usize)
            } else {
                vec![0; players as usize]
            },
        };
        machine.check()?;
        Ok(Some(standing))
    }
}

impl Tournament {
    /// Counts a game that is over; in whole numbers, so the order in which games end does not matter.
    fn note(&mut self, standing: &Standing, seats: &[usize]) {
        self.games += 1;
        let ranks = &standing.ranks;
        for (seat, bot) in seats.iter().enumerate() {
            let entrant = &mut self.entrants[*bot];
            entrant.seats += 1;
            entrant.total.add(i64::from(standing.scores[seat]));
            entrant.victories += standing.won[seat];
            for (other, rival) in seats.iter().enumerate().filter(|(_, rival)| *rival != bot) {
                let (met, better) = &mut entrant.against[*rival];
                *met += 1;
                *better += match ranks[seat].cmp(&ranks[other]) {
                    std::cmp::Ordering::Less => VICTORY_PARTS,
                    std::cmp::Ordering::Equal => VICTORY_PARTS / 2,
                    std::cmp::Ordering::Greater => 0,
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{count, tables};

    /// Every bot has every seat as often as each other.
    #[test]
    fn seats_are_rotated() {
        for (bots, seats, tables_in_all) in [
            (2, 2, 2),
            (3, 2, 6),
            (2, 3, 6),
            (3, 3, 6),
            (2, 4, 6),
            (4, 3, 24),
        ] {
            let all = tables(bots, seats);
            assert_eq!(all.len(), tables_in_all, "{bots} on {seats}");
            let mut seen = vec![0; bots * seats];
            for table in &all {
                table
                    .iter()
                    .enumerate()
                    .for_each(|(seat, bot)| seen[seat * bots + bot] += 1);
                let counts: Vec<usize> = (0..bots).map(|bot| count(table, bot)).collect();
                assert!(
                    counts
                        .iter()
                        .max()
                        .zip(counts.iter().min())
                        .is_some_and(|(a, b)| a - b <= 1)
                );
            }
            assert!(
                seen.iter().all(|times| *times == seen[0]),
                "{bots} on {seats}: {seen:?}"
            );
        }
    }
}
