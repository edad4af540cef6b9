//! What was counted, for people and for other programs.

use crate::json::{Json, Played};
use std::time::Duration;

/// The ways of one depth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// Ways to play to that depth.
    pub ways: u64,
    /// Of these, those with which the game ends.
    pub over: u64,
    /// Different positions at their ends, if that was asked.
    pub positions: Option<u64>,
}

/// A way to answer the first answer, or to have the first pass, and how many ways lead on from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct First {
    /// Its answers, as recorded games write them.
    pub answers: String,
    /// Ways to play on behind this answer.
    pub ways: u64,
}

/// What was counted.
#[derive(Clone, Debug)]
pub struct Report {
    /// Id of the game.
    pub id: String,
    /// Title of the game, for people.
    pub title: String,
    /// Of the rule set ([`RuleSet::fingerprint`](dsl::ir::RuleSet)).
    pub fingerprint: u64,
    /// Overlays that were on, in order.
    pub overlays: Vec<String>,
    /// Options with another value than the game declares, and that value.
    pub options: Vec<(String, String)>,
    /// Number of players.
    pub players: u32,
    /// `answers`, or the name of the step.
    pub unit: String,
    /// From depth 1 on.
    pub levels: Vec<Level>,
    /// In the order in which they are offered.
    pub firsts: Vec<First>,
    /// Nobody interrupted.
    pub complete: bool,
    /// How long counting took.
    pub elapsed: Duration,
}

impl Report {
    /// One object; the time apart, in `timing`.
    pub fn to_json(&self) -> String {
        let mut json = Json::new();
        json.object(|o| {
            Played {
                id: &self.id,
                title: &self.title,
                fingerprint: self.fingerprint,
                overlays: &self.overlays,
                options: &self.options,
                players: self.players,
            }
            .write(o);
            o.key("unit").string(&self.unit);
            o.key("complete").boolean(self.complete);
            o.key("depths").array(|a| {
                for (at, level) in self.levels.iter().enumerate() {
                    a.object(|o| {
                        o.key("depth").number(at as u32 + 1);
                        o.key("ways").number(level.ways);
                        o.key("over").number(level.over);
                        if let Some(positions) = level.positions {
                            o.key("positions").number(positions);
                        }
                    });
                }
            });
            o.key("first").array(|a| {
                for first in &self.firsts {
                    a.object(|o| {
                        o.key("answers").string(&first.answers);
                        o.key("ways").number(first.ways);
                    });
                }
            });
            o.key("timing").object(|t| {
                t.key("seconds").decimal(self.elapsed.as_millis() as i64, 3);
            });
        });
        json.finish()
    }
}
