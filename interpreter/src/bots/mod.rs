//! Policies that answer for a seat. They see nothing their seat may not see: they think in states that are made up from what
//! it sees; what chance will decide is made up too, or not looked at.

mod model;
mod search;
mod turn;

use crate::Program;
use crate::machine::{Fault, Machine};
use crate::observe::Sampler;
use crate::state::State;
use dsl::ir::RuleSet;
use model::Judge;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use search::Search;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use turn::{Effort, Turn};

pub(crate) use model::{Ends, base, moments, standing_out};
pub use model::{LearntOf, MOMENTS, Model, PARTS, Weighed, Weights};
pub use search::Opinion;

/// Ways to the end of its turn that a greedy bot looks at for one decision.
const GREEDY_EFFORT: Effort = Effort {
    states: 1,
    ways: 16,
    answers: usize::MAX,
};
/// The same of one that has learnt.
const LEARNT_EFFORT: Effort = Effort {
    states: 2,
    ways: 24,
    answers: usize::MAX,
};
/// What a victory by the rules counts for beside points.
const VERDICT_POINTS: f64 = 1e10;

/// Who answers for a seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Bot {
    /// Any answer, each as likely as the others.
    #[default]
    Random,
    /// An answer after which its own score can be greatest by the end of its turn; ties at random.
    Greedy,
    /// An answer after which what a strategy of the rules says can come to most by the end of its turn.
    Strategy(Arc<str>),
    /// An answer after which the position can be best by the end of its turn, as it was learnt in other games.
    Learnt(Arc<Model>),
    /// The answer that went best where it tried so many ways to go on, most of them with those that went well before.
    Search {
        /// Play-outs for each of its decisions.
        looks: u32,
        /// What values positions; none: what they come to where one plays on at random.
        model: Option<Arc<Model>>,
    },
}

/// The word before the name of a strategy.
const STRATEGY: &str = "strategy";
/// Ways to go on that a search tries where nothing else is said.
pub const LOOKS: u32 = 200;
/// The most that may be asked for.
pub const LOOKS_MAX: u32 = 1_000_000;

impl Bot {
    /// Those that need nothing but the rules.
    pub const ALL: [Bot; 3] = [
        Bot::Random,
        Bot::Greedy,
        Bot::Search {
            looks: LOOKS,
            model: None,
        },
    ];

    /// Those that need nothing but these rules, their strategies among them.
    pub fn all_of(rules: &RuleSet) -> Vec<Bot> {
        let named = rules.strategies.iter();
        let named = named.map(|strategy| Bot::Strategy(Arc::from(strategy.name.as_str())));
        Bot::ALL.into_iter().chain(named).collect()
    }

    /// The bot of these words, if it needs nothing but these rules.
    pub fn of_rules(text: &str, rules: &RuleSet) -> Option<Bot> {
        let mut model = |_: &str| Err(UnknownBot(text.trim().to_owned()));
        Bot::named(text, &rules.strategy_names(), &mut model).ok()
    }

    /// How a recorded game names it.
    pub fn recorded(&self) -> String {
        match self {
            Bot::Strategy(_) => self.to_string(),
            _ => self.name().to_owned(),
        }
    }

    /// The word for its kind.
    pub fn name(&self) -> &'static str {
        match self {
            Bot::Random => "random",
            Bot::Greedy => "greedy",
            Bot::Strategy(_) => STRATEGY,
            Bot::Learnt(_) => "learnt",
            Bot::Search { .. } => "search",
        }
    }

    /// What it values positions with, if it has learnt that.
    pub fn model(&self) -> Option<&Arc<Model>> {
        match self {
            Bot::Learnt(model) => Some(model),
            Bot::Search { model, .. } => model.as_ref(),
            Bot::Random | Bot::Greedy | Bot::Strategy(_) => None,
        }
    }

    /// The bot of these words. `strategies` are those that the rules have; they may be named alone, or behind `strategy:`.
    /// `model` finds what was learnt by its name.
    ///
    /// # Errors
    /// What is wrong with the words, or why there is no such model.
    pub fn named<E: From<UnknownBot>>(
        text: &str,
        strategies: &[&str],
        model: &mut dyn FnMut(&str) -> Result<Arc<Model>, E>,
    ) -> Result<Bot, E> {
        let wanted = text.trim();
        let strategy = |name: &str| {
            let name = name.trim().trim_matches('"');
            let known = strategies.iter().find(|one| one.eq_ignore_ascii_case(name));
            known.map(|name| Bot::Strategy(Arc::from(*name)))
        };
        if let Some(named) = strategy(wanted) {
            return Ok(named);
        }
        let unknown = || E::from(UnknownBot(wanted.to_owned()));
        let (name, rest) = match wanted.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (wanted, None),
        };
        let is = |word: &str| name.eq_ignore_ascii_case(word);
        match rest {
            None if is("random") => Ok(Bot::Random),
            None if is("greedy") => Ok(Bot::Greedy),
            None if is("search") => Ok(Bot::ALL[2].clone()),
            Some(name) if is(STRATEGY) => strategy(name).ok_or_else(unknown),
            Some(file) if is("learnt") && !file.is_empty() => Ok(Bot::Learnt(model(file)?)),
            Some(rest) if is("search") => {
                let (looks, file) = match rest.split_once(':') {
                    Some((looks, file)) => (looks, Some(file)),
                    None => (rest, None),
                };
                let looks = looks.parse().map_err(|_| unknown())?;
                if !(1..=LOOKS_MAX).contains(&looks) || file == Some("") {
                    return Err(unknown());
                }
                let model = file.map(model).transpose()?;
                Ok(Bot::Search { looks, model })
            }
            _ => Err(unknown()),
        }
    }

    /// The number of one of the machine's answers; the machine stands at a decision.
    ///
    /// # Errors
    /// A line of the strategy that comes to nothing, or rules without this strategy.
    pub fn pick<'p>(
        &self,
        machine: &mut Machine<'p>,
        mind: &mut Mind<'p>,
        chance: &mut BotChance,
        patience: &Patience<'_>,
    ) -> Result<usize, Fault> {
        let enough = patience.enough;
        let (aim, effort) = match self {
            Bot::Random => return Ok(machine.answer_by_lot(chance.lot())),
            Bot::Search { looks, model } => {
                let looks = if patience.to_the_end {
                    LOOKS_MAX
                } else {
                    *looks
                };
                return Ok(mind.search(machine, looks, model.as_ref(), chance, enough));
            }
            Bot::Greedy => (Aim::Score, GREEDY_EFFORT),
            Bot::Strategy(name) => (Aim::Strategy(name), GREEDY_EFFORT),
            Bot::Learnt(model) => (Aim::Learnt(model), LEARNT_EFFORT),
        };
        mind.best_of_turn(machine, aim, effort, chance, enough)
    }
}

impl fmt::Display for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bot::Random | Bot::Greedy => f.write_str(self.name()),
            Bot::Strategy(name) => write!(f, "{STRATEGY}:{name}"),
            Bot::Learnt(model) => write!(f, "{}:{}", self.name(), model.name),
            Bot::Search { looks, model } => {
                f.write_str(self.name())?;
                if *looks != LOOKS || model.is_some() {
                    write!(f, ":{looks}")?;
                }
                model
                    .iter()
                    .try_for_each(|model| write!(f, ":{}", model.name))
            }
        }
    }
}

/// How long somebody waits for an answer.
#[derive(Clone, Copy)]
pub struct Patience<'e> {
    /// A search goes on until it is enough, instead of trying the number of ways it is named for.
    pub to_the_end: bool,
    /// Says that it is enough: who still thinks answers by what is known so far. If that depends on a clock, so does the answer.
    pub enough: &'e dyn Fn() -> bool,
}

impl Patience<'_> {
    /// Each bot thinks as long as it does by itself, and answers the same each time.
    pub const OWN: Patience<'static> = Patience {
        to_the_end: false,
        enough: &|| false,
    };
}

/// No bot has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownBot(pub String);

/// What bots there are, for whoever has named none of them.
pub fn kinds() -> String {
    let names: Vec<String> = Bot::ALL.iter().map(|bot| format!("`{bot}`")).collect();
    format!(
        "bots are {}; `strategy:NAME` plays by a strategy of the rules; `learnt:FILE` plays as was learnt; `search:1000` tries 1000 ways to go on instead of {LOOKS}, at most \
         {LOOKS_MAX}, and `search:1000:FILE` values them as was learnt",
        crate::words::listed(&names, "and")
    )
}

impl fmt::Display for UnknownBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no bot `{}`; {}", self.0, kinds())
    }
}

impl std::error::Error for UnknownBot {}

impl FromStr for Bot {
    type Err = UnknownBot;

    /// Of a bot that needs nothing but any rules.
    fn from_str(text: &str) -> Result<Bot, UnknownBot> {
        Bot::named(text, &[], &mut |_| Err(UnknownBot(text.trim().to_owned())))
    }
}

/// A bot's own generators: for each game and seat, apart from the game's.
#[derive(Clone, Debug)]
pub struct BotChance {
    dice: Dice,
    lot: u64,
    made_up: Dice,
}

/// A generator without bias.
#[derive(Clone, Debug)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    fn new(game_seed: u64, seat: u32, purpose: &[u8; 8]) -> Dice {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&game_seed.to_le_bytes());
        seed[8..12].copy_from_slice(&seat.to_le_bytes());
        // Apart from the streams of the game, which have their key here.
        seed[24..].copy_from_slice(purpose);
        Dice(ChaCha8Rng::from_seed(seed))
    }

    /// A number below `n`, which is at least 1.
    pub fn below(&mut self, n: usize) -> usize {
        Machine::below(&mut self.0, n.max(1) as u32) as usize
    }

    /// The next number.
    pub fn next_u32(&mut self) -> u32 {
        self.0.next_u32()
    }
}

impl BotChance {
    /// For a seat of a game.
    pub fn new(game_seed: u64, seat: u32) -> BotChance {
        let mut dice = Dice::new(game_seed, seat, b"bot seat");
        let lot = dice.0.next_u64();
        BotChance {
            dice,
            lot,
            made_up: Dice::new(game_seed, seat, b"made up "),
        }
    }

    /// What this bot draws lots with, the same in all of the game.
    pub fn lot(&self) -> u64 {
        self.lot
    }

    /// A number below `n`, which is at least 1, without bias.
    pub fn below(&mut self, n: usize) -> usize {
        self.dice.below(n)
    }

    /// What somebody draws lots with who is played in thought.
    fn new_lot(&mut self) -> u64 {
        self.dice.0.next_u64()
    }

    /// What states are made up with.
    pub(crate) fn made_up(&mut self) -> &mut Dice {
        &mut self.made_up
    }
}

/// What a bot needs to think: states made up from what its seat sees, in buffers that are used again.
pub struct Mind<'p> {
    program: &'p Program,
    sampler: Sampler<'p>,
    /// The words of the state there is.
    real: Vec<i32>,
    /// Made when somebody thinks about a turn, or searches.
    turn: Option<Box<Turn<'p>>>,
    search: Option<Box<Search<'p>>>,
    /// What each answer comes to by the end of the turn, before one searches.
    means: Vec<f64>,
    /// Of the models that were asked for.
    judges: Vec<(Arc<Model>, Judge<'p>)>,
}

impl<'p> Mind<'p> {
    /// One that has not thought yet.
    pub fn new(program: &'p Program) -> Mind<'p> {
        Mind {
            program,
            sampler: Sampler::new(program),
            real: Vec::new(),
            turn: None,
            search: None,
            means: Vec::new(),
            judges: Vec::new(),
        }
    }

    /// What a search of so many looks thinks of each answer of the machine's decision, or of fewer if somebody says that it is
    /// enough; none of those that it did not try.
    pub fn opinions(
        &mut self,
        machine: &Machine<'p>,
        looks: u32,
        chance: &mut BotChance,
        enough: &dyn Fn() -> bool,
    ) -> Vec<Option<Opinion>> {
        let answers = machine.answers();
        if answers.len() < 2 {
            return vec![None; answers.len()];
        }
        self.search(machine, looks, None, chance, enough);
        let search = self.search.as_ref();
        search.map_or_else(Vec::new, |search| search.opinions(answers))
    }

    /// The answer after which most of what is aimed at can be had by the end of the turn.
    fn best_of_turn(
        &mut self,
        machine: &Machine<'p>,
        aim: Aim<'_>,
        effort: Effort,
        chance: &mut BotChance,
        enough: &dyn Fn() -> bool,
    ) -> Result<usize, Fault> {
        let (model, strategy) = match aim {
            Aim::Score => (None, None),
            Aim::Strategy(name) => (None, Some(self.strategy(machine, name)?)),
            Aim::Learnt(model) => (Some(model), None),
        };
        let count = machine.answers().len();
        if count < 2 {
            return Ok(0);
        }
        machine.save_words(&mut self.real);
        let mut judge = model.map(|model| judge_of(&mut self.judges, model, self.program));
        let turn = self
            .turn
            .get_or_insert_with(|| Box::new(Turn::new(self.program)));
        turn.weigh_by(strategy);
        let (sampler, real) = (&mut self.sampler, &self.real);
        let made_up = |chance: &mut BotChance, state: &mut State| {
            sampler.sample_words(real, machine.seat(), chance, state)
        };
        let mut fault = None;
        let mut worth = |machine: &mut Machine<'p>, seat| match &mut judge {
            Some(judge) => judge.worth(machine, seat),
            None if strategy.is_some() => {
                let verdict = f64::from(machine.verdict(seat));
                let weighed = machine.weighed().unwrap_or_else(|found| {
                    fault.get_or_insert(found);
                    0
                });
                verdict * VERDICT_POINTS + weighed as f64
            }
            None => own_aim(machine, seat),
        };
        let best = turn.best(machine, effort, chance, made_up, &mut worth, enough);
        match fault {
            Some(fault) => Err(fault),
            None => Ok(best.unwrap_or_else(|| chance.below(count))),
        }
    }

    /// The number of a strategy.
    fn strategy(&self, machine: &Machine<'p>, name: &str) -> Result<usize, Fault> {
        let mut strategies = self.program.strategies.iter();
        let found = strategies.position(|one| one.name == name);
        found.ok_or_else(|| Fault {
            span: machine.position().1,
            message: format!("these rules have no strategy \"{name}\""),
            unmet: None,
            rule: None,
        })
    }

    fn search(
        &mut self,
        machine: &Machine<'p>,
        looks: u32,
        model: Option<&Arc<Model>>,
        chance: &mut BotChance,
        enough: &dyn Fn() -> bool,
    ) -> usize {
        let count = machine.answers().len();
        if count < 2 {
            return 0;
        }
        self.means.clear();
        if let Some(model) = model {
            // What was learnt has no lines that could fail; what each answer came to is wanted.
            let aim = Aim::Learnt(model);
            let _ = self.best_of_turn(machine, aim, LEARNT_EFFORT, chance, enough);
            let turn = self.turn.iter();
            self.means.extend(turn.flat_map(|turn| turn.means()));
        }
        machine.save_words(&mut self.real);
        let judge = model.map(|model| judge_of(&mut self.judges, model, self.program));
        let search = self
            .search
            .get_or_insert_with(|| Box::new(Search::new(self.program)));
        let (sampler, real) = (&mut self.sampler, &self.real);
        let known = judge.map(|judge| (judge, self.means.as_slice()));
        let made_up = |chance: &mut BotChance, state: &mut State| {
            sampler.sample_words(real, machine.seat(), chance, state)
        };
        let best = search.best(machine, looks, known, chance, made_up, enough);
        best.unwrap_or_else(|| chance.below(count))
    }
}

/// What somebody wants to have by the end of his turn.
#[derive(Clone, Copy)]
enum Aim<'a> {
    /// What the ranking asks.
    Score,
    /// What the strategy of this name prefers.
    Strategy(&'a str),
    /// A position that is worth most, as it was learnt.
    Learnt(&'a Arc<Model>),
}

/// The model made ready; once for each.
fn judge_of<'j, 'p>(
    judges: &'j mut Vec<(Arc<Model>, Judge<'p>)>,
    model: &Arc<Model>,
    program: &'p Program,
) -> &'j mut Judge<'p> {
    let known = judges
        .iter()
        .position(|(known, _)| Arc::ptr_eq(known, model));
    let at = known.unwrap_or_else(|| {
        judges.push((model.clone(), Judge::new(model, program)));
        judges.len() - 1
    });
    &mut judges[at].1
}

/// What the ranking asks of a seat, beside which a victory by the rules counts for more than anything.
fn own_aim(machine: &mut Machine<'_>, seat: u32) -> f64 {
    let verdict = f64::from(machine.verdict(seat));
    verdict * VERDICT_POINTS + f64::from(machine.aim(seat))
}
