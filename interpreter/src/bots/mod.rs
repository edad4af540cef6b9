//! Policies that answer for a seat. They see nothing their seat may not see: they think in states that are made up from what
//! it sees; what chance will decide is made up too, or not looked at.

mod search;

use crate::Program;
use crate::machine::Machine;
use crate::observe::Sampler;
use crate::state::State;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use search::Search;
use std::fmt;
use std::str::FromStr;

/// Answers a greedy bot looks at for one decision.
pub const GREEDY_TRIES_MAX: u32 = 96;

/// Who answers for a seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bot {
    /// Any answer, each as likely as the others.
    #[default]
    Random,
    /// An answer after which its own score can be greatest by the end of the action; ties at random.
    Greedy,
    /// The answer that went best where it tried so many ways to go on, most of them with those that went well before.
    Search { looks: u32 },
}

/// Ways to go on that a search tries where nothing else is said.
pub const LOOKS: u32 = 200;
/// The most that may be asked for.
pub const LOOKS_MAX: u32 = 1_000_000;

impl Bot {
    pub const ALL: [Bot; 3] = [Bot::Random, Bot::Greedy, Bot::Search { looks: LOOKS }];

    /// The word for its kind.
    pub fn name(self) -> &'static str {
        match self {
            Bot::Random => "random",
            Bot::Greedy => "greedy",
            Bot::Search { .. } => "search",
        }
    }

    /// The number of one of the machine's answers; the machine stands at a decision.
    pub fn pick<'p>(
        self,
        machine: &mut Machine<'p>,
        mind: &mut Mind<'p>,
        chance: &mut BotChance,
    ) -> usize {
        match self {
            Bot::Random => machine.answer_by_lot(chance.lot()),
            Bot::Greedy => greedy(machine, mind, chance),
            Bot::Search { looks } => mind.search(machine, looks, chance),
        }
    }
}

impl fmt::Display for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bot::Search { looks } if *looks != LOOKS => write!(f, "{}:{looks}", self.name()),
            Bot::Random | Bot::Greedy | Bot::Search { .. } => f.write_str(self.name()),
        }
    }
}

/// No bot has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownBot(pub String);

impl fmt::Display for UnknownBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = Bot::ALL.iter().map(|bot| format!("`{bot}`")).collect();
        write!(
            f,
            "there is no bot `{}`; bots are {}; `search:1000` tries 1000 ways to go on instead of {LOOKS}, at most {LOOKS_MAX}",
            self.0,
            crate::words::listed(&names, "and")
        )
    }
}

impl std::error::Error for UnknownBot {}

impl FromStr for Bot {
    type Err = UnknownBot;

    fn from_str(text: &str) -> Result<Bot, UnknownBot> {
        let wanted = text.trim();
        let unknown = || UnknownBot(wanted.to_owned());
        let (name, looks) = match wanted.split_once(':') {
            Some((name, looks)) => (name, Some(looks.parse().map_err(|_| unknown())?)),
            None => (wanted, None),
        };
        let mut known = Bot::ALL.into_iter();
        let bot = known.find(|bot| bot.name().eq_ignore_ascii_case(name));
        match (bot.ok_or_else(unknown)?, looks) {
            (Bot::Search { .. }, Some(looks)) if (1..=LOOKS_MAX).contains(&looks) => {
                Ok(Bot::Search { looks })
            }
            (bot, None) => Ok(bot),
            (Bot::Random | Bot::Greedy | Bot::Search { .. }, Some(_)) => Err(unknown()),
        }
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
    sampler: Sampler<'p>,
    /// The words of the state there is.
    real: Vec<i32>,
    made_up: State,
    /// Made when somebody searches.
    search: Option<Box<Search<'p>>>,
}

impl<'p> Mind<'p> {
    /// One that has not thought yet.
    pub fn new(program: &'p Program) -> Mind<'p> {
        Mind {
            sampler: Sampler::new(program),
            real: Vec::new(),
            made_up: State::new(),
            search: None,
        }
    }

    /// Puts the machine into a state in which the seat that is asked sees what it sees now, and all else is made up; `think`
    /// then works with the answers of the real one. Everything is as it was afterwards. Nothing if too much is unseen to be
    /// made up.
    fn imagine<T>(
        &mut self,
        machine: &mut Machine<'p>,
        chance: &mut BotChance,
        think: impl FnOnce(&mut Machine<'p>, &mut BotChance) -> T,
    ) -> Option<T> {
        if !machine.program().hides_something() {
            return Some(think(machine, chance));
        }
        machine.save_words(&mut self.real);
        let seat = machine.seat();
        let made_up = self
            .sampler
            .sample_words(&self.real, seat, chance, &mut self.made_up);
        made_up.then(|| {
            machine.imagine(&self.real, &mut self.made_up, |machine| {
                think(machine, chance)
            })
        })
    }
}

impl<'p> Mind<'p> {
    fn search(&mut self, machine: &Machine<'p>, looks: u32, chance: &mut BotChance) -> usize {
        let count = machine.answers().len();
        if count < 2 {
            return 0;
        }
        machine.save_words(&mut self.real);
        let search = self
            .search
            .get_or_insert_with(|| Box::new(Search::new(machine.program())));
        let (sampler, real) = (&mut self.sampler, &self.real);
        let best = search.best(machine, looks, chance, |chance, state| {
            sampler.sample_words(real, machine.seat(), chance, state)
        });
        best.unwrap_or_else(|| chance.below(count))
    }
}

fn greedy<'p>(machine: &mut Machine<'p>, mind: &mut Mind<'p>, chance: &mut BotChance) -> usize {
    let count = machine.answers().len();
    if count < 2 {
        return 0;
    }
    let best = mind.imagine(machine, chance, best_at_once);
    best.unwrap_or_else(|| chance.below(count))
}

/// The answer after which the seat's score can be greatest.
fn best_at_once(machine: &mut Machine<'_>, chance: &mut BotChance) -> usize {
    let seat = machine.seat();
    let now = machine.score(seat);
    let count = machine.answers().len();
    let mut best = (i32::MIN, 0);
    let mut ties = 0;
    machine.begin_weighing();
    for at in 0..count {
        let tries = (GREEDY_TRIES_MAX / count as u32).max(1);
        let score = machine.score_behind(at, tries).unwrap_or(now);
        if score > best.0 {
            best = (score, at);
            ties = 1;
        } else if score == best.0 {
            ties += 1;
            if chance.below(ties) == 0 {
                best.1 = at;
            }
        }
    }
    best.1
}
