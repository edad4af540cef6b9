//! What a recorded game was played with, against what it is followed under.

use super::Replay;
use crate::Program;
use crate::words::{Words, listed};
use dsl::ir::RuleSet;

/// The first thing in which the rules that a game was played with are other ones than these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Differs {
    /// It is another game.
    Game {
        /// Its id.
        then: String,
        /// That of these rules.
        now: String,
    },
    /// Other overlays are laid on, or in another order.
    Overlays {
        /// Those it was played with.
        then: Vec<String>,
        /// Those of these rules.
        now: Vec<String>,
    },
    /// An option has another value; none: the one that the game has of itself.
    Option {
        /// Its name.
        name: String,
        /// The value it was played with.
        then: Option<String>,
        /// The value of these rules.
        now: Option<String>,
    },
    /// All of this is the same: the texts have changed since.
    Texts,
}

impl Differs {
    /// What differs between a game as it is written and these rules; none if it was played with the same.
    pub fn between(rules: &RuleSet, program: &Program, replay: &Replay) -> Option<Differs> {
        if replay.game != rules.id {
            return Some(Differs::Game {
                then: replay.game.clone(),
                now: rules.id.clone(),
            });
        }
        if replay.fingerprint == rules.fingerprint() {
            return None;
        }
        let overlays: Vec<String> = rules.overlays().map(|layer| layer.id.clone()).collect();
        if overlays != replay.overlays {
            return Some(Differs::Overlays {
                then: replay.overlays.clone(),
                now: overlays,
            });
        }
        let options = Words::new(rules, program).options_changed();
        let names = replay.options.iter().chain(&options);
        let mut each = names.map(|(name, _)| {
            let of = |all: &[(String, String)]| {
                let found = all.iter().find(|(other, _)| other == name);
                found.map(|(_, value)| value.clone())
            };
            (name, of(&replay.options), of(&options))
        });
        Some(match each.find(|(_, then, now)| then != now) {
            Some((name, then, now)) => Differs::Option {
                name: name.clone(),
                then,
                now,
            },
            None => Differs::Texts,
        })
    }

    /// A sentence, without full stop.
    pub fn said(&self) -> String {
        match self {
            Differs::Game { then, now } => {
                format!("it is a game of `{then}`, and these are the rules of `{now}`")
            }
            Differs::Overlays { then, now } => format!(
                "it was played with {}, and these rules are with {}",
                overlays(then),
                overlays(now)
            ),
            Differs::Option { name, then, now } => {
                let value = |value: &Option<String>| match value {
                    Some(value) => value.clone(),
                    None => "as the game has it".to_owned(),
                };
                format!(
                    "it was played with `{name}` {}, and here it is {}",
                    value(then),
                    value(now)
                )
            }
            Differs::Texts => "the texts of the rules have changed since it was played".to_owned(),
        }
    }
}

/// `the overlays a and b`, `no overlay`
fn overlays(ids: &[String]) -> String {
    let quoted: Vec<String> = ids.iter().map(|id| format!("`{id}`")).collect();
    match quoted.as_slice() {
        [] => "no overlay".to_owned(),
        [one] => format!("the overlay {one}"),
        several => format!("the overlays {}", listed(several, "and")),
    }
}
