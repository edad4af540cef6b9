//! What was learnt of a game: a weighted sum of its features, which changes from the begin to the end of a game, and foretells a
//! seat's place and how far it will be ahead.

use crate::Program;
use crate::machine::Machine;
use crate::program::{Counted, Feature, Whose, header};

/// Moments of a game that have weights of their own: its begin, its middle, its end. In between they pass over into another.
pub const MOMENTS: usize = 3;
/// Weights are whole numbers of so many parts of one.
pub const PARTS: f64 = 10_000.0;
/// So many times as far from the mean as usual is as far as a count counts.
const FAR: f64 = 4.0;

/// Weights at the begin, in the middle and at the end of a game, in ten-thousandths.
pub type Weights = [i64; MOMENTS];

/// See the module. It knows features by their names, so it can be used where the rules are a little different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// What it is called where bots are named.
    pub name: String,
    /// The rules it was learnt with.
    pub rules: LearntOf,
    /// Games it was learnt from.
    pub games: u64,
    /// Answers of a game, in the mean.
    pub answers: u32,
    /// How far a seat is usually ahead of or behind the best of the others at the end, in ten-thousandths of a point.
    pub lead: i64,
    /// What it foretells of a seat of which nothing is known.
    pub place: Weights,
    /// The same for how far the seat will be ahead.
    pub ahead: Weights,
    /// What is counted for a seat, with its weight.
    pub features: Vec<Weighed>,
}

/// Which rules something was learnt with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LearntOf {
    /// Id of the game.
    pub game: String,
    /// Names of the overlays that were on.
    pub overlays: Vec<String>,
    /// Number of players of the games learnt from.
    pub players: u32,
    /// [`dsl::ir::RuleSet::fingerprint`]
    pub fingerprint: u64,
}

/// A feature and what it counts for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weighed {
    /// As the rules call it.
    pub name: String,
    /// What it is usually, in ten-thousandths.
    pub mean: i64,
    /// How far it usually lies from that, in ten-thousandths.
    pub spread: i64,
    /// For the place at the end.
    pub place: Weights,
    /// For how far the seat is ahead at the end.
    pub ahead: Weights,
}

impl Model {
    /// Its features that these rules have no more: what it can say nothing of.
    pub fn missing<'m>(&'m self, program: &Program) -> Vec<&'m str> {
        let known = |name: &str| program.features.iter().any(|one| one.name == name);
        let names = self.features.iter().map(|one| one.name.as_str());
        names.filter(|name| !known(name)).collect()
    }
}

/// From 0 to 1, ½ in the middle. Made of a sum and a quotient, so that each machine comes to the same.
pub(crate) fn squashed(value: f64) -> f64 {
    0.5 + 0.5 * value / (1.0 + value.abs())
}

/// How far it counts that a feature lies from its mean.
pub(crate) fn standing_out(value: f64, mean: f64, spread: f64) -> f64 {
    ((value - mean) / spread).clamp(-FAR, FAR)
}

/// How much each moment counts after so many of the usual answers.
pub(crate) fn moments(answers: f64, usual: f64) -> [f64; MOMENTS] {
    let last = (MOMENTS - 1) as f64;
    let at = (answers / usual.max(1.0)).clamp(0.0, 1.0) * last;
    std::array::from_fn(|moment| (1.0 - (at - moment as f64).abs()).max(0.0))
}

/// A model made ready for a program.
pub(crate) struct Judge<'p> {
    features: Vec<Known<'p>>,
    place: [f64; MOMENTS],
    ahead: [f64; MOMENTS],
    answers: f64,
    lead: f64,
    base: Vec<(usize, f64)>,
    ends: Ends,
}

struct Known<'p> {
    feature: &'p Feature,
    mean: f64,
    spread: f64,
    place: [f64; MOMENTS],
    ahead: [f64; MOMENTS],
}

impl<'p> Judge<'p> {
    pub fn new(model: &Model, program: &'p Program) -> Judge<'p> {
        let part = |parts: i64| parts as f64 / PARTS;
        let weights = |weights: &Weights| weights.map(part);
        let known = model.features.iter().filter_map(|one| {
            let mut features = program.features.iter();
            Some(Known {
                feature: features.find(|feature| feature.name == one.name)?,
                mean: part(one.mean),
                spread: part(one.spread.max(1)),
                place: weights(&one.place),
                ahead: weights(&one.ahead),
            })
        });
        Judge {
            features: known.collect(),
            place: weights(&model.place),
            ahead: weights(&model.ahead),
            answers: f64::from(model.answers),
            lead: part(model.lead.max(1)),
            base: base(program),
            ends: Ends::default(),
        }
    }

    /// What the state is worth to a seat, about from 0 to 1: by how far it will be ahead, of games without a score by its place.
    pub fn worth(&mut self, machine: &mut Machine<'p>, seat: u32) -> f64 {
        let scored = !machine.program().score_procs.is_empty();
        if machine.is_over() {
            let (place, ahead) = self.ends.of(machine, seat);
            return match scored {
                true => (place + squashed(ahead / self.lead)) / 2.0,
                false => place,
            };
        }
        let answers = f64::from(machine.word(header::ANSWERS as u32));
        let moments = moments(answers, self.answers);
        let at = |weights: &[f64; MOMENTS]| -> f64 {
            weights.iter().zip(&moments).map(|(a, b)| a * b).sum()
        };
        let mut sum = at(if scored { &self.ahead } else { &self.place });
        for one in &self.features {
            let value = machine.feature(one.feature, seat);
            let out = standing_out(value, one.mean, one.spread);
            sum += out * at(if scored { &one.ahead } else { &one.place });
        }
        if !scored {
            return 0.5 + sum;
        }
        for (at, sign) in &self.base {
            let feature = &machine.program().features[*at];
            sum += sign * machine.feature(feature, seat) / self.lead;
        }
        squashed(sum)
    }
}

/// The features that say how far a seat is ahead already, with their signs: its score, and that of the others where it shows.
pub(crate) fn base(program: &Program) -> Vec<(usize, f64)> {
    let features = program.features.iter().enumerate();
    let scores = features.filter(|(_, feature)| matches!(feature.what, Counted::Score));
    let signed = scores.map(|(at, feature)| match feature.whose {
        Whose::Own => (at, 1.0),
        Whose::Others => (at, -1.0),
    });
    signed.collect()
}

/// What came of games that are over; used again from game to game.
#[derive(Default)]
pub(crate) struct Ends {
    scores: Vec<f64>,
}

impl Ends {
    /// The seat's place, 1 for the first and 0 for the last, and how many points it is ahead of the best of the others.
    pub fn of(&mut self, machine: &mut Machine<'_>, seat: u32) -> (f64, f64) {
        let ranks = machine.ranks();
        let own = ranks[seat as usize];
        // Who shares a place has the middle of those that are shared.
        let better = ranks.iter().filter(|other| **other < own).count() as f64;
        let same = ranks.iter().filter(|other| **other == own).count() as f64 - 1.0;
        let last = (ranks.len().max(2) - 1) as f64;
        let place = 1.0 - (better + same / 2.0) / last;
        if !machine.is_ranked() || ranks.len() < 2 {
            return (place, 0.0);
        }
        self.scores.clear();
        for other in 0..ranks.len() as u32 {
            self.scores.push(f64::from(machine.aim(other)));
        }
        let others = self.scores.iter().enumerate();
        let others = others.filter(|(other, _)| *other != seat as usize);
        let best = others.map(|(_, score)| *score).fold(f64::MIN, f64::max);
        (place, self.scores[seat as usize] - best)
    }
}
