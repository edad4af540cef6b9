//! Policies that answer for a seat. They see nothing their seat may not see: looking ahead stops at what is hidden.

use crate::machine::Machine;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
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
}

impl Bot {
    pub const ALL: [Bot; 2] = [Bot::Random, Bot::Greedy];

    pub fn name(self) -> &'static str {
        match self {
            Bot::Random => "random",
            Bot::Greedy => "greedy",
        }
    }

    /// The number of one of the machine's answers; the machine stands at a decision.
    pub fn pick(self, machine: &mut Machine<'_>, chance: &mut BotChance) -> usize {
        match self {
            Bot::Random => machine.answer_by_lot(chance.lot()),
            Bot::Greedy => greedy(machine, chance),
        }
    }
}

impl fmt::Display for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
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
            "there is no bot `{}`; bots are {}",
            self.0,
            names.join(" and ")
        )
    }
}

impl std::error::Error for UnknownBot {}

impl FromStr for Bot {
    type Err = UnknownBot;

    fn from_str(text: &str) -> Result<Bot, UnknownBot> {
        let wanted = text.trim();
        Bot::ALL
            .into_iter()
            .find(|bot| bot.name().eq_ignore_ascii_case(wanted))
            .ok_or_else(|| UnknownBot(wanted.to_owned()))
    }
}

/// A bot's own generator: one for each game and seat, apart from the game's.
#[derive(Clone, Debug)]
pub struct BotChance {
    rng: ChaCha8Rng,
    lot: u64,
}

impl BotChance {
    pub fn new(game_seed: u64, seat: u32) -> BotChance {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&game_seed.to_le_bytes());
        seed[8..12].copy_from_slice(&seat.to_le_bytes());
        // Apart from the streams of the game, which have their key here.
        seed[24..].copy_from_slice(b"bot seat");
        let mut rng = ChaCha8Rng::from_seed(seed);
        let lot = rng.next_u64();
        BotChance { rng, lot }
    }

    /// What this bot draws lots with, the same in all of the game.
    pub fn lot(&self) -> u64 {
        self.lot
    }

    /// A number below `n`, which is at least 1, without bias.
    pub fn below(&mut self, n: usize) -> usize {
        Machine::below(&mut self.rng, n.max(1) as u32) as usize
    }

    pub fn next_u32(&mut self) -> u32 {
        self.rng.next_u32()
    }
}

fn greedy(machine: &mut Machine<'_>, chance: &mut BotChance) -> usize {
    let seat = machine.seat();
    let now = machine.score(seat);
    let count = machine.answers().len();
    let mut best = (i32::MIN, 0);
    let mut ties = 0;
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
