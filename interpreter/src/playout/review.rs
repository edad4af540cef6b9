//! What a game hung on: from the begin of each of its turns it is played on many times, by bots and with other luck, so that it
//! shows how often each seat would have won from there.

use super::hand::parts;
use super::work::Work;
use super::{End, Table, game_seed};
use crate::Program;
use crate::bots::{Bot, BotChance};
use crate::game::{NodeId, Tree};
use crate::machine::Fault;
use crate::observe::Sampler;
use crate::program::header;
use crate::state::State;
use crate::stats::{Estimate, VICTORY_PARTS, share};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// A fall is marked where luck alone makes one as deep in fewer than one of twenty turns: so many standard errors.
const ERRORS: f64 = 1.96;

/// How a game is looked back at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// Games that are played on from the begin of each turn.
    pub games: u32,
    /// Of which all chance in them follows.
    pub seed: u64,
    /// Who plays them, on all seats.
    pub bot: Bot,
    /// At least one is used.
    pub threads: usize,
}

/// The begin of a turn, or the end of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Where it stands in the game.
    pub at: NodeId,
    /// Whose turn begins; none: the game is over.
    pub seat: Option<u32>,
    /// Answers before it.
    pub answers: usize,
    /// Victories of each seat, in [`VICTORY_PARTS`], and of how many games.
    won: Vec<u64>,
    games: u64,
}

impl Moment {
    /// How often a seat wins from here, in hundredths of a percent; at the end 0 or all.
    pub fn chance(&self, seat: usize) -> Estimate {
        share(self.won[seat], self.games)
    }

    fn part(&self, seat: usize) -> f64 {
        self.won[seat] as f64 / (self.games.max(1) * VICTORY_PARTS) as f64
    }
}

/// A game that was looked back at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// In their order; the last one is where the game ended, or was left.
    pub moments: Vec<Moment>,
}

/// A turn after which its seat would win less often than before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fall {
    /// Index of the moment with which it begins.
    pub moment: usize,
    /// Whose turn it is.
    pub seat: u32,
    /// How often the seat would win before it, from 0 to 1.
    pub before: f64,
    /// The same behind it.
    pub after: f64,
}

impl Review {
    /// The turns in which a seat's chance fell by more than luck of the look makes, the deepest fall first. What fell may have
    /// been a mistake of the seat, or its luck.
    pub fn falls(&self) -> Vec<Fall> {
        let pairs = self.moments.windows(2).enumerate();
        let falls = pairs.filter_map(|(moment, pair)| {
            let seat = pair[0].seat?;
            let [before, after] = [0, 1].map(|at: usize| pair[at].part(seat as usize));
            let error = |one: &Moment, part: f64| match one.seat {
                Some(_) => part * (1.0 - part) / one.games.max(1) as f64,
                None => 0.0,
            };
            let errors = error(&pair[0], before) + error(&pair[1], after);
            let fell = before - after > ERRORS * errors.sqrt();
            fell.then_some(Fall {
                moment,
                seat,
                before,
                after,
            })
        });
        let mut falls: Vec<Fall> = falls.collect();
        falls.sort_by(|a, b| {
            let depth = |fall: &Fall| fall.before - fall.after;
            let deeper = depth(b).total_cmp(&depth(a));
            deeper.then(a.moment.cmp(&b.moment))
        });
        falls
    }
}

/// Looks back at the line of a play-test that leads to a node. `progress` hears how many turns are done, from any thread; none if
/// it was cancelled.
///
/// # Errors
/// A fault of a strategy by which the games are played on.
pub fn review(
    program: &Program,
    (tree, end): (&Tree, NodeId),
    look: &Look,
    progress: &(dyn Fn(u64) + Sync),
    cancel: &AtomicBool,
) -> Result<Option<Review>, Fault> {
    let moments = moments(program, tree, end);
    let work = Work {
        games: 0..moments.len() as u64,
        threads: look.threads,
        progress,
        cancel,
    };
    let mut all: Vec<Moment> = Vec::new();
    let hand = || Hand {
        table: Table::hasty(program, vec![look.bot.clone()]),
        sampler: Sampler::new(program),
        state: State::new(),
    };
    let played = work.play(
        &hand,
        &|hand: &mut Hand<'_>, number| {
            let moment = &moments[number as usize];
            hand.play_on(tree, moment, look, cancel)
        },
        &mut |_, moment| {
            all.push(moment);
            ControlFlow::Continue(())
        },
    );
    match played {
        Ok(_) => Ok((all.len() == moments.len()).then_some(Review { moments: all })),
        Err((_, fault)) => Err(fault),
    }
}

/// Where turns begin on the way to a node, and that node.
fn moments(program: &Program, tree: &Tree, end: NodeId) -> Vec<Moment> {
    let path = tree.path(end);
    let turn = |at: NodeId| {
        let node = tree.node(at);
        let passes = program.turn_label.map(|label| {
            let word = program.label_words[label.index()];
            node.state().words()[word as usize]
        });
        (node.seat(), passes)
    };
    let mut last = None;
    let mut found = Vec::new();
    for (answers, at) in path.iter().enumerate() {
        let here = Some(turn(*at));
        if here != last || answers + 1 == path.len() {
            found.push(Moment {
                at: *at,
                seat: tree.node(*at).seat(),
                answers,
                won: vec![0; program.players as usize],
                games: 0,
            });
        }
        last = here;
    }
    found
}

struct Hand<'p> {
    table: Table<'p>,
    sampler: Sampler<'p>,
    state: State,
}

impl Hand<'_> {
    /// Plays on from a moment; none if that was cancelled.
    fn play_on(
        &mut self,
        tree: &Tree,
        moment: &Moment,
        look: &Look,
        cancel: &AtomicBool,
    ) -> Result<Option<Moment>, Fault> {
        let mut moment = moment.clone();
        let node = tree.node(moment.at);
        let players = moment.won.len();
        let Some(seat) = moment.seat else {
            node.stand(&mut self.table.machine);
            moment.won = parts(&mut self.table.machine, players);
            moment.games = 1;
            return Ok(Some(moment));
        };
        let answers = node.state().words()[header::ANSWERS] as u64;
        for game in 0..u64::from(look.games) {
            // The same luck at each turn, as far as it is asked for alike.
            let seed = game_seed(look.seed, game);
            let mut chance = BotChance::new(seed ^ answers, u32::MAX);
            let known = self
                .sampler
                .sample(node.state(), seat, &mut chance, &mut self.state);
            if !known {
                continue;
            }
            // A fault of the rules in a state made up is met when it is met.
            if self.table.go_on(&self.state, seed).is_err() {
                continue;
            }
            let end = loop {
                if let Some(end) = self.table.end(cancel) {
                    break Some(end);
                }
                let at = self.table.pick()?;
                if self.table.take(at).is_err() {
                    break None;
                }
            };
            match end {
                Some(End::Cancelled) => return Ok(None),
                None => continue,
                Some(End::Over) => {
                    let won = parts(&mut self.table.machine, players);
                    if self.table.machine.check().is_err() {
                        continue;
                    }
                    for (sum, won) in moment.won.iter_mut().zip(won) {
                        *sum += won;
                    }
                }
                Some(End::Endless) => {}
            }
            moment.games += 1;
        }
        Ok(Some(moment))
    }
}
