//! A play-test written down with all its lines, so that it can be gone along again another day.

use super::{Eyes, Playable, Playtest};
use interpreter::Fault;
use interpreter::bots::Bot;
use interpreter::game::NodeId;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Answers of lines aside that are written down: more would be waited for too long.
const ANSWERS_MAX: usize = 4_000;
/// Who looks, where it is no seat.
const ALL: &str = "all";
const NOBODY: &str = "nobody";

/// What is needed to go along a game again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    seed: String,
    /// The bot of each seat, by its name; empty: a person.
    bots: Vec<String>,
    /// `all`, `nobody`, or the seat's number.
    eyes: String,
    /// How far along its first line the game stands.
    position: usize,
    #[serde(default)]
    watches: Vec<String>,
    /// The lines that lead to a position that was set by hand; empty: it begins with the set-up.
    #[serde(default)]
    origin: String,
    /// The one that is looked at comes first.
    lines: Vec<KeptLine>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct KeptLine {
    /// Empty: it has none.
    name: String,
    /// As replays write them.
    answers: Vec<String>,
}

impl Playtest {
    /// The game with its lines, as it can be written down.
    pub fn kept(&self) -> Kept {
        let tree = self.tree();
        let line = tree.line();
        let last = line[line.len() - 1];
        let name = |id: NodeId| {
            let named = tree.names().find(|(_, end)| *end == id);
            named.map_or_else(String::new, |(name, _)| name.to_owned())
        };
        let written = |id: NodeId| KeptLine {
            name: name(id),
            answers: super::reload::answers(tree, id)
                .map(str::to_owned)
                .collect(),
        };
        let mut left = ANSWERS_MAX;
        let mut lines = vec![written(last)];
        for at in 0..tree.len() {
            let id = NodeId(at as u32);
            let ends = tree.node(id).children.is_empty() || !name(id).is_empty();
            if !ends || id == last || !self.is_in_tree(id) {
                continue;
            }
            let line = written(id);
            match left.checked_sub(line.answers.len()) {
                Some(rest) => left = rest,
                None => break,
            }
            lines.push(line);
        }
        Kept {
            seed: self.seed().to_string(),
            bots: self
                .bots()
                .iter()
                .map(|bot| bot.as_ref().map_or_else(String::new, Bot::to_string))
                .collect(),
            eyes: match self.eyes {
                Eyes::All => ALL.to_owned(),
                Eyes::Nobody => NOBODY.to_owned(),
                Eyes::Seat(seat) => seat.to_string(),
            },
            position: tree.position(),
            origin: self
                .origin
                .as_ref()
                .map_or_else(String::new, |one| one.text.clone()),
            watches: self.watches.iter().map(|(text, _)| text.clone()).collect(),
            lines,
        }
    }

    /// Whether a point has not been taken out with its line.
    fn is_in_tree(&self, id: NodeId) -> bool {
        let tree = self.tree();
        let mut at = id;
        while let Some(parent) = tree.node(at).parent {
            if !tree.node(parent).children.contains(&at) {
                return false;
            }
            at = parent;
        }
        at == NodeId(0)
    }

    /// Goes along a game that was written down, as far as it goes under these rules; whether all of the first line does.
    /// Takes as long as playing it again: to be called in the background.
    ///
    /// # Errors
    /// A fault of the rules at the set-up.
    pub fn resume(game: Arc<Playable>, kept: &Kept) -> Result<(Playtest, bool), Fault> {
        let bots = kept
            .bots
            .iter()
            .map(|name| Bot::of_rules(name, game.rules()))
            .collect();
        let seed = kept.seed.parse().unwrap_or(1);
        let mut playtest = Playtest::start(game.clone(), seed, bots)?;
        if !kept.origin.is_empty() {
            playtest = match playtest.set_as(&kept.origin) {
                Ok(set) => set,
                // It is not as it was: the game begins anew.
                Err(_) => return Ok((playtest, false)),
            };
        }
        let players = playtest.players();
        let mut whole = true;
        playtest.with(|session| {
            for (at, line) in kept.lines.iter().enumerate().rev() {
                let mut left = usize::MAX;
                let texts = line.answers.iter().map(String::as_str);
                let end = super::reload::along(session, texts, &mut left);
                if let Some(end) = end.filter(|_| !line.name.is_empty()) {
                    session.tree_mut().name_line(&line.name, end);
                }
                whole &= at > 0 || end.is_some();
            }
        });
        let last = playtest.tree.line().len() - 1;
        playtest.jump(kept.position.min(last));
        playtest.eyes = match (kept.eyes.as_str(), kept.eyes.parse()) {
            (ALL, _) => Eyes::All,
            (_, Ok(seat)) if seat < players => Eyes::Seat(seat),
            _ => Eyes::Nobody,
        };
        playtest.watch_all(kept.watches.clone());
        Ok((playtest, whole))
    }
}

impl Kept {
    /// Seats at its table.
    pub fn players(&self) -> u32 {
        self.bots.len() as u32
    }

    /// Whether nothing has been answered yet: nothing would be missed.
    pub fn is_fresh(&self) -> bool {
        self.origin.is_empty() && self.lines.iter().all(|line| line.answers.is_empty())
    }
}
