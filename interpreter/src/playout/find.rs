//! Looking through many games for one in which something happens.

use super::work::Work;
use super::{PlayoutFault, Spec, Table, game_seed};
use crate::Program;
use crate::ask::Question;
use crate::machine::{Fault, Stop};
use dsl::ir::RuleSet;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// The first moment of a game at which a condition holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Number of the game, from 0.
    pub game: u64,
    /// Its own seed.
    pub seed: u64,
    /// Answers that had been given, those that were the only ones included.
    pub answers: u32,
    /// The game was over.
    pub over: bool,
    /// Points of the seats then; none without a score.
    pub scores: Vec<i32>,
}

/// What looking came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Looked {
    /// The games in which it happened, in their order.
    pub found: Vec<Found>,
    /// Games looked through.
    pub games: u64,
}

/// Plays games of `spec`, in their order, until the condition held in `most` of them. It is asked at each decision and at the end,
/// of all there is, hidden or not; where it has no value it does not hold. The program is one the question was added to.
///
/// # Errors
/// The first game in which the rules, or the question, cannot go on.
pub fn find(
    rules: &RuleSet,
    program: &Program,
    spec: &Spec,
    (question, most): (&Question, usize),
    progress: &(dyn Fn(u64) + Sync),
    cancel: &AtomicBool,
) -> Result<Looked, PlayoutFault> {
    let bots = || spec.seated(program.players);
    let mut looked = Looked::default();
    let work = Work::of(spec, progress, cancel);
    let played = work.play(
        &|| Table::hasty(program, bots()),
        &|table, game| {
            let seed = game_seed(spec.seed, game);
            look(table, (game, seed), question, cancel)
        },
        &mut |_, found| {
            looked.games += 1;
            looked.found.extend(found);
            match looked.found.len() < most {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        },
    );
    match played {
        Ok(_) => Ok(looked),
        Err(fault) => Err(PlayoutFault::of_bots(rules, program, spec, fault)),
    }
}

/// Plays a game until the condition holds; nothing if it was cancelled, then nothing if it never held.
fn look(
    table: &mut Table<'_>,
    (game, seed): (u64, u64),
    question: &Question,
    cancel: &AtomicBool,
) -> Result<Option<Option<Found>>, Fault> {
    let mut stop = table.start(seed)?;
    loop {
        if question.holds(&mut table.machine)? {
            let scored = !table.machine.program().score_procs.is_empty();
            let seats = 0..table.machine.program().players;
            let seats = seats.filter(|_| scored);
            let scores = seats.map(|seat| table.machine.score(seat)).collect();
            return Ok(Some(Some(Found {
                game,
                seed,
                answers: table.answers(),
                over: stop == Stop::Over,
                scores,
            })));
        }
        match table.end(cancel) {
            None => stop = table.step()?,
            Some(super::End::Cancelled) => return Ok(None),
            Some(super::End::Over | super::End::Endless) => return Ok(Some(None)),
        }
    }
}
