//! Learning what positions are worth, from games that bots play against themselves: whatever can be counted for a seat is weighed
//! so that the sum foretells the end. Games are played in batches; each is played with what the batches before have taught.

use super::{PlayoutFault, Table, game_seed};
use crate::Program;
use crate::bots::{
    Bot, BotChance, Ends, LearntOf, MOMENTS, Model, PARTS, Weighed, Weights, base, moments,
    standing_out,
};
use crate::machine::{Fault, Stop};
use dsl::ir::RuleSet;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Games of a batch.
pub const BATCH_GAMES: u64 = 24;
/// Batches of bots that have learnt nothing.
const FIRST_BATCHES: u64 = 2;
/// Positions of one game that are kept, for each seat.
const POSITIONS_MAX: usize = 48;
/// Games that are kept at least.
const KEPT_GAMES_MIN: usize = 72;
/// Numbers that are kept of all games; the oldest are forgotten.
const NUMBERS_MAX: usize = 24_000_000;
/// How much a weight needs to speak for it, in positions: one of the sums, and one of a single place or kind.
const DOUBT: f64 = 1_500.0;
const DOUBT_OF_DETAIL: f64 = 12_000.0;
/// Steps towards the weights that fit best, after each batch.
const STEPS: usize = 12;
/// One answer of so many is taken at random, so that more is met than what is thought best.
const STRAY: usize = 20;

/// A game that has not ended after so many answers is broken off and teaches nothing.
pub const LESSON_ANSWERS_MAX: u32 = 5_000;

/// What is to be learnt; the number of players is the program's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// Played whole batches until there are as many; none: until somebody says that it is enough.
    pub games: Option<u64>,
    /// Of which all games follow.
    pub seed: u64,
    /// Threads to play on, one at least.
    pub threads: usize,
    /// What the model is called.
    pub name: String,
}

/// What was learnt, and of how many games nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taught {
    /// What a bot plays by.
    pub model: Model,
    /// Games that had not ended after [`LESSON_ANSWERS_MAX`] answers.
    pub endless: u64,
}

/// Why nothing was learnt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Untaught {
    /// The first game in which the rules cannot go on.
    Fault(Box<PlayoutFault>),
    /// No game came to its end: so many were broken off as being without one.
    NoEnd {
        /// How many.
        endless: u64,
    },
}

/// Learns. `enough` is asked before each answer, from any thread: a batch that is broken off teaches by the games that are over.
/// `progress` hears of each game.
///
/// # Errors
/// See [`Untaught`].
pub fn train(
    rules: &RuleSet,
    program: &Program,
    lesson: &Lesson,
    progress: &(dyn Fn(u64) + Sync),
    enough: &(dyn Fn() -> bool + Sync),
) -> Result<Taught, Untaught> {
    let mut pupil = Pupil::new(rules, program, lesson);
    let mut model: Option<Arc<Model>> = None;
    let mut endless = 0;
    for batch in 0.. {
        let come = pupil.play(batch, model.as_ref(), progress, enough);
        let come = come.map_err(|fault| Untaught::Fault(Box::new(fault)))?;
        let over = come.iter().filter(|one| **one == Come::Endless).count();
        endless += over as u64;
        let played = come.into_iter().filter_map(Come::played).collect();
        pupil.learn(played);
        let done = BATCH_GAMES * (batch + 1);
        let over = enough() || lesson.games.is_some_and(|wanted| done >= wanted);
        if batch + 1 >= FIRST_BATCHES || over {
            if pupil.model.games == 0 {
                return Err(Untaught::NoEnd { endless });
            }
            model = Some(Arc::new(pupil.taught()));
        }
        if over {
            break;
        }
    }
    let model = pupil.taught();
    Ok(Taught { model, endless })
}

/// A seat's view of a position, and what came of it.
#[derive(Clone, Debug, PartialEq)]
struct Position {
    numbers: Vec<f32>,
    answers: f32,
    place: f32,
    ahead: f32,
}

/// How a game of a lesson went.
#[derive(Clone, Debug, PartialEq)]
enum Come {
    Over(Played),
    Endless,
    /// There is no more time.
    BrokenOff,
}

impl Come {
    fn played(self) -> Option<Played> {
        match self {
            Come::Over(played) => Some(played),
            Come::Endless | Come::BrokenOff => None,
        }
    }
}

/// What a game taught.
#[derive(Clone, Debug, Default, PartialEq)]
struct Played {
    positions: Vec<Position>,
    answers: u32,
}

/// Weights of one of the two things that are foretold: of nothing in particular, then of each feature.
type Head = Vec<[f64; MOMENTS]>;

/// A position as it is weighed: how far its features stand out, and the moment of the game.
struct Row {
    out: Vec<f32>,
    moments: [f64; MOMENTS],
}

struct Pupil<'a> {
    rules: &'a RuleSet,
    program: &'a Program,
    lesson: &'a Lesson,
    positions: Vec<Position>,
    /// How many of them each game has brought, the oldest first.
    games: VecDeque<usize>,
    /// Of each feature, over all positions kept.
    means: Vec<f64>,
    spreads: Vec<f64>,
    place: Head,
    ahead: Head,
    answers: f64,
    lead: f64,
    /// Features that say how far ahead the seat is already, and how they count.
    base: Vec<(usize, f64)>,
    /// Its names and counts; weights are put in at the end.
    model: Model,
}

impl<'a> Pupil<'a> {
    fn new(rules: &'a RuleSet, program: &'a Program, lesson: &'a Lesson) -> Pupil<'a> {
        let count = program.features.len();
        let overlays = rules.layers.iter();
        let overlays = overlays.filter(|layer| layer.overlay && layer.part.is_none());
        Pupil {
            rules,
            program,
            lesson,
            positions: Vec::new(),
            games: VecDeque::new(),
            means: vec![0.0; count],
            spreads: vec![1.0; count],
            place: vec![[0.0; MOMENTS]; count + 1],
            ahead: vec![[0.0; MOMENTS]; count + 1],
            answers: 1.0,
            lead: 1.0,
            base: base(program),
            model: Model {
                name: lesson.name.clone(),
                rules: LearntOf {
                    game: rules.id.clone(),
                    overlays: overlays.map(|layer| layer.id.clone()).collect(),
                    players: program.players,
                    fingerprint: rules.fingerprint(),
                },
                games: 0,
                answers: 0,
                lead: 0,
                place: [0; MOMENTS],
                ahead: [0; MOMENTS],
                features: Vec::new(),
            },
        }
    }

    /// Plays a batch; what came of its games, in their order.
    fn play(
        &self,
        batch: u64,
        model: Option<&Arc<Model>>,
        progress: &(dyn Fn(u64) + Sync),
        enough: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<Come>, PlayoutFault> {
        let first = batch * BATCH_GAMES;
        let next = AtomicU64::new(0);
        type Met = Result<Come, (Fault, Vec<Bot>)>;
        let all: Mutex<Vec<(u64, Met)>> = Mutex::new(Vec::new());
        let work = || {
            loop {
                let game = next.fetch_add(1, Ordering::Relaxed);
                if game >= BATCH_GAMES {
                    break;
                }
                let seed = game_seed(self.lesson.seed, first + game);
                let bots = self.bots(seed, model);
                let played =
                    watch(self.program, &bots, seed, enough).map_err(|fault| (fault, bots));
                let mut all = all.lock().unwrap_or_else(|e| e.into_inner());
                all.push((game, played));
                progress(first + all.len() as u64);
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.lesson.threads.clamp(1, 256) {
                scope.spawn(work);
            }
        });
        let mut all = all.into_inner().unwrap_or_else(|e| e.into_inner());
        all.sort_by_key(|(game, _)| *game);
        let played = all.into_iter().map(|(game, played)| {
            played.map_err(|(fault, bots)| {
                let seed = game_seed(self.lesson.seed, first + game);
                PlayoutFault {
                    game: first + game,
                    seed,
                    fault,
                    replay: crate::replay::of_bots(self.rules, self.program, &bots, seed),
                }
            })
        });
        played.collect()
    }

    /// Who plays: the same on all seats, else it would be learnt by what one knows the better player.
    fn bots(&self, seed: u64, model: Option<&Arc<Model>>) -> Vec<Bot> {
        let bot = match (model, BotChance::new(seed, u32::MAX).below(8)) {
            (Some(model), 0..=6) => Bot::Learnt(model.clone()),
            (None, 0..=1) => Bot::Random,
            _ => Bot::Greedy,
        };
        vec![bot; self.program.players as usize]
    }

    fn learn(&mut self, games: Vec<Played>) {
        if games.is_empty() {
            return;
        }
        let before = self.model.games as f64;
        let answers: f64 = games.iter().map(|game| f64::from(game.answers)).sum();
        let count = games.len() as f64;
        self.answers = (self.answers * before + answers) / (before + count);
        self.model.games += games.len() as u64;
        self.games
            .extend(games.iter().map(|game| game.positions.len()));
        self.positions
            .extend(games.into_iter().flat_map(|game| game.positions));
        self.forget();
        self.measure();
        let rows: Vec<Row> = self.positions.iter().map(|one| self.row(one)).collect();
        let places = self.positions.iter().map(|one| f64::from(one.place) - 0.5);
        let places: Vec<f64> = places.collect();
        let rests = self.positions.iter().map(|one| {
            let now: f64 = self
                .base
                .iter()
                .map(|(at, sign)| sign * f64::from(one.numbers[*at]))
                .sum();
            ((f64::from(one.ahead) - now) / self.lead).clamp(-3.0, 3.0)
        });
        let rests: Vec<f64> = rests.collect();
        let mut place = std::mem::take(&mut self.place);
        let mut ahead = std::mem::take(&mut self.ahead);
        self.fit(&rows, &places, &mut place);
        self.fit(&rows, &rests, &mut ahead);
        (self.place, self.ahead) = (place, ahead);
    }

    /// What those did who had learnt little counts no more when there is enough of those who have learnt more.
    fn forget(&mut self) {
        let room = NUMBERS_MAX / self.program.features.len().max(1);
        let keep = (self.model.games as usize * 2 / 3).max(KEPT_GAMES_MIN);
        while self.games.len() > keep || self.games.len() > 1 && self.positions.len() > room {
            let first = self.games.pop_front().unwrap_or(0);
            self.positions.drain(..first);
        }
    }

    fn row(&self, position: &Position) -> Row {
        let numbers = position.numbers.iter().enumerate();
        let out = numbers.map(|(at, number)| {
            standing_out(f64::from(*number), self.means[at], self.spreads[at]) as f32
        });
        Row {
            out: out.collect(),
            moments: moments(f64::from(position.answers), self.answers),
        }
    }

    /// Brings weights nearer to those that foretell best, large ones counting against them: conjugate gradients for damped least
    /// squares (Hestenes and Stiefel, J. Res. NBS 49, 1952), beginning with what is known.
    fn fit(&self, rows: &[Row], wanted: &[f64], head: &mut Head) {
        let doubts: Vec<f64> = std::iter::once(DOUBT)
            .chain(self.program.features.iter().map(|one| match one.detail {
                true => DOUBT_OF_DETAIL,
                false => DOUBT,
            }))
            .map(|doubt: f64| 1.0 / doubt.sqrt())
            .collect();
        // In these terms each weight is in doubt alike.
        let mut weights: Head = zip(head, &doubts, |weight, doubt| weight / doubt);
        let mut off: Vec<f64> = rows
            .iter()
            .zip(wanted)
            .map(|(row, wanted)| wanted - foretold(row, &weights, &doubts))
            .collect();
        let slope = |off: &[f64], weights: &Head| -> Head {
            let mut slope: Head = vec![[0.0; MOMENTS]; weights.len()];
            for (row, off) in rows.iter().zip(off) {
                add_to(&mut slope, row, *off, &doubts);
            }
            zip(&slope, weights, |slope, weight| slope - weight)
        };
        let mut way = slope(&off, &weights);
        let mut steep = square(&way);
        let mut direction = way.clone();
        for _ in 0..STEPS {
            if steep <= 0.0 {
                break;
            }
            let moved: Vec<f64> = rows
                .iter()
                .map(|row| foretold(row, &direction, &doubts))
                .collect();
            let length = moved.iter().map(|one| one * one).sum::<f64>() + square(&direction);
            let step = steep / length;
            weights = zip(&weights, &direction, |weight, by| weight + step * by);
            for (off, moved) in off.iter_mut().zip(&moved) {
                *off -= step * moved;
            }
            way = slope(&off, &weights);
            let steeper = square(&way);
            let turn = steeper / steep;
            direction = zip(&way, &direction, |way, before| way + turn * before);
            steep = steeper;
        }
        *head = zip(&weights, &doubts, |weight, doubt| weight * doubt);
    }

    /// Finds what is usual; what was learnt stays what it is in these terms.
    fn measure(&mut self) {
        let count = self.positions.len().max(1) as f64;
        let leads = self.positions.iter().map(|one| f64::from(one.ahead).abs());
        let lead = (leads.sum::<f64>() / count).max(0.5);
        for weight in self.ahead.iter_mut().flatten() {
            *weight *= self.lead / lead;
        }
        self.lead = lead;
        for at in 0..self.means.len() {
            let values = self.positions.iter().map(|one| f64::from(one.numbers[at]));
            let mean = values.clone().sum::<f64>() / count;
            let squares = values.map(|value| (value - mean) * (value - mean));
            let spread = (squares.sum::<f64>() / count).sqrt();
            // What has never changed may do so yet.
            let spread = if spread > 0.0 { spread.max(0.05) } else { 1.0 };
            let (old_mean, old_spread) = (self.means[at], self.spreads[at]);
            for head in [&mut self.place, &mut self.ahead] {
                let Some(([level], weights)) = head.split_first_chunk_mut::<1>() else {
                    continue;
                };
                for (level, weight) in level.iter_mut().zip(&mut weights[at]) {
                    *level += *weight * (mean - old_mean) / old_spread;
                    *weight *= spread / old_spread;
                }
            }
            (self.means[at], self.spreads[at]) = (mean, spread);
        }
    }

    /// What has been learnt, without what counts for nothing.
    fn taught(&self) -> Model {
        let parts = |value: f64| (value * PARTS).round() as i64;
        let weights = |own: &[f64; MOMENTS]| -> Weights { own.map(parts) };
        let features = self.program.features.iter().enumerate();
        let features = features.map(|(at, feature)| Weighed {
            name: feature.name.clone(),
            mean: parts(self.means[at]),
            spread: parts(self.spreads[at]),
            place: weights(&self.place[at + 1]),
            ahead: weights(&self.ahead[at + 1]),
        });
        let counts = |one: &Weighed| [one.place, one.ahead] != [[0; MOMENTS]; 2];
        Model {
            answers: self.answers.round() as u32,
            lead: parts(self.lead),
            place: weights(&self.place[0]),
            ahead: weights(&self.ahead[0]),
            features: features.filter(counts).collect(),
            ..self.model.clone()
        }
    }
}

/// What weights come to for a position, each times its doubt.
fn foretold(row: &Row, weights: &Head, doubts: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (moment, share) in row
        .moments
        .iter()
        .enumerate()
        .filter(|(_, share)| **share > 0.0)
    {
        let mut here = weights[0][moment] * doubts[0];
        for ((out, weight), doubt) in row.out.iter().zip(&weights[1..]).zip(&doubts[1..]) {
            here += f64::from(*out) * weight[moment] * doubt;
        }
        sum += share * here;
    }
    sum
}

/// Adds so much of a position to what weights should become.
fn add_to(slope: &mut Head, row: &Row, off: f64, doubts: &[f64]) {
    for (moment, share) in row
        .moments
        .iter()
        .enumerate()
        .filter(|(_, share)| **share > 0.0)
    {
        slope[0][moment] += off * share * doubts[0];
        for ((out, slope), doubt) in row.out.iter().zip(&mut slope[1..]).zip(&doubts[1..]) {
            slope[moment] += off * share * f64::from(*out) * doubt;
        }
    }
}

/// Two rows of weights put together, one by one.
fn zip<B: PerMoment>(a: &Head, b: &[B], put: impl Fn(f64, f64) -> f64) -> Head {
    let rows = a.iter().zip(b);
    let rows = rows.map(|(a, b)| std::array::from_fn(|moment| put(a[moment], b.at(moment))));
    rows.collect()
}

/// A number for each moment, or the same for all.
trait PerMoment {
    fn at(&self, moment: usize) -> f64;
}

impl PerMoment for f64 {
    fn at(&self, _: usize) -> f64 {
        *self
    }
}

impl PerMoment for [f64; MOMENTS] {
    fn at(&self, moment: usize) -> f64 {
        self[moment]
    }
}

fn square(head: &Head) -> f64 {
    head.iter().flatten().map(|one| one * one).sum()
}

/// Plays a game and keeps what each seat could count of it when a turn had ended.
fn watch(
    program: &Program,
    bots: &[Bot],
    seed: u64,
    enough: &(dyn Fn() -> bool + Sync),
) -> Result<Come, Fault> {
    let mut table = Table::hasty(program, bots.to_vec());
    let mut stray = BotChance::new(seed, u32::MAX - 1);
    let mut stop = table.start(seed)?;
    let mut positions: Vec<(u32, Position)> = Vec::new();
    let mut last = None;
    while stop == Stop::Decision {
        if table.answers() >= LESSON_ANSWERS_MAX {
            return Ok(Come::Endless);
        }
        if enough() {
            return Ok(Come::BrokenOff);
        }
        let here = (table.machine.seat(), table.machine.turns());
        if last != Some(here) {
            last = Some(here);
            let answers = table.answers() as f32;
            for seat in 0..program.players {
                let features = program.features.iter();
                let numbers = features.map(|one| table.machine.feature(one, seat) as f32);
                let position = Position {
                    numbers: numbers.collect(),
                    answers,
                    place: 0.0,
                    ahead: 0.0,
                };
                positions.push((seat, position));
            }
            thin_out(&mut positions, program.players as usize);
        }
        let at = match stray.below(STRAY) {
            0 => stray.below(table.machine.answers().len()),
            _ => table.pick()?,
        };
        stop = table.take(at)?;
    }
    let mut ends = Ends::default();
    let of_seats: Vec<(f64, f64)> = (0..program.players)
        .map(|seat| ends.of(&mut table.machine, seat))
        .collect();
    table.machine.check()?;
    let positions = positions.into_iter().map(|(seat, position)| {
        let (place, ahead) = of_seats[seat as usize];
        Position {
            place: place as f32,
            ahead: ahead as f32,
            ..position
        }
    });
    Ok(Come::Over(Played {
        positions: positions.collect(),
        answers: table.answers(),
    }))
}

/// Of a long game every other position goes.
fn thin_out(positions: &mut Vec<(u32, Position)>, players: usize) {
    if positions.len() < 2 * POSITIONS_MAX * players {
        return;
    }
    let mut at = 0;
    positions.retain(|_| {
        at += 1;
        ((at - 1) / players).is_multiple_of(2)
    });
}
