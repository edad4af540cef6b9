//! Games as text: a header, then a line for each answer and each outcome of chance. Under changed rules a game is followed
//! up to the first line that does not fit any more.

mod chance;
mod differs;
mod parse;
mod verify;
mod write;

use crate::Program;
use crate::bots::Bot;
use crate::game::{NodeId, Session, Tree};
use crate::machine::Machine;
use crate::playout::Table;
use crate::record::{self, Item, ItemKind, Track};
use crate::words::Words;
use dsl::ir::RuleSet;

pub use differs::Differs;
pub use parse::{ReplayError, Unreadable, parse};
pub use verify::{Divergence, Ending, Verdict, follow, verify};
pub use write::{MAGIC, write};

/// A game as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    /// Id and title of the game.
    pub game: String,
    /// Title of the game, for people.
    pub title: String,
    /// Of the rule set it was played with.
    pub fingerprint: u64,
    /// Overlays that were on, in order.
    pub overlays: Vec<String>,
    /// Options that differ from what the game declares, with their values.
    pub options: Vec<(String, String)>,
    /// Number of players.
    pub players: u32,
    /// Who answered for each seat, as far as that is known: a bot's name or a person's.
    pub seats: Vec<Option<String>>,
    /// Of which all chance follows that was not recorded.
    pub seed: u64,
    /// What happened, in order.
    pub lines: Vec<Line>,
}

/// A line behind the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Line of the text, from 1; 0 if it has not been written yet.
    pub number: u32,
    /// What happened.
    pub kind: LineKind,
}

/// What a line of a recorded game says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// `A: claim`, or `A: (done)` for an answer that was the only one.
    Answer {
        /// Who answered.
        seat: u32,
        /// The answer, as it is written; empty if it was not.
        text: String,
        /// It was the only one.
        forced: bool,
    },
    /// `chance draw_pile: [red, blue]`
    Chance {
        /// The stream, by name.
        stream: String,
        /// What came of it.
        values: Vec<String>,
    },
    /// `end: A 45, B 33`: the game is over, with these scores; `end: A 0, B 0; A wins (four in a row)` where the end has a name.
    End {
        /// Points of each seat.
        scores: Vec<i64>,
        /// The ending that the rules name, as it is written.
        how: Option<String>,
    },
}

impl LineKind {
    /// The last line of a game that is over.
    fn end(words: &Words<'_>, machine: &mut Machine<'_>) -> LineKind {
        let seats = 0..words.program.players;
        let scores = seats.map(|seat| i64::from(machine.score(seat))).collect();
        let named = machine
            .ending()
            .is_some_and(|ending| words.ending_name(ending).is_some());
        let how = named.then(|| words.end(machine));
        LineKind::End { scores, how }
    }
}

impl Replay {
    /// The header of a game under these rules.
    pub fn header(rules: &RuleSet, program: &Program, seed: u64) -> Replay {
        let words = Words::new(rules, program);
        Replay {
            game: rules.id.clone(),
            title: rules.title.clone(),
            fingerprint: rules.fingerprint(),
            overlays: rules.overlays().map(|layer| layer.id.clone()).collect(),
            options: words.options_changed(),
            players: program.players,
            seats: vec![None; program.players as usize],
            seed,
            lines: Vec::new(),
        }
    }

    /// The game up to a node of a play-test.
    pub fn of_tree(words: &Words<'_>, tree: &Tree, end: NodeId) -> Replay {
        let mut replay = Replay::header(words.rules, words.program, tree.seed);
        replay.seats = tree
            .bots
            .iter()
            .map(|bot| bot.as_ref().map(Bot::recorded))
            .collect();
        replay.lines = tree.items(end).map(|item| line(words, item)).collect();
        replay
    }

    /// The game up to where a session stands; with the scores if it is over.
    pub fn of_session(session: &mut Session<'_>) -> Replay {
        let words = *session.words();
        let mut replay = Replay::of_tree(&words, session.tree(), session.tree().current());
        if session.is_over() {
            let kind = LineKind::end(&words, session.machine_mut());
            replay.lines.push(Line { number: 0, kind });
        }
        replay
    }
}

/// What happened, as a line.
fn line(words: &Words<'_>, item: &Item) -> Line {
    let kind = match &item.kind {
        ItemKind::Answer {
            seat, text, forced, ..
        } => LineKind::Answer {
            seat: *seat,
            text: text.clone(),
            forced: *forced,
        },
        ItemKind::Chance { stream, outcome } => LineKind::Chance {
            stream: chance::name(words, *stream),
            values: outcome
                .iter()
                .map(|word| chance::value(words, *stream, *word))
                .collect(),
        },
    };
    Line { number: 0, kind }
}

/// Plays a game of bots and writes it, as far as it goes.
pub fn of_bots(rules: &RuleSet, program: &Program, bots: &[Bot], seed: u64) -> String {
    write(&played(rules, program, bots, seed))
}

/// A game of bots, as far as it goes.
pub fn played(rules: &RuleSet, program: &Program, bots: &[Bot], seed: u64) -> Replay {
    let words = Words::new(rules, program);
    let mut table = Table::hasty(program, bots.to_vec());
    record::prepare(&mut table.machine);
    let mut track = Track::default();
    let stop = table.start(seed);
    let mut reached = record::go_on(&words, &mut table.machine, stop, None, &mut track);
    loop {
        match reached {
            Ok(record::Reached::Decision) => {}
            Ok(record::Reached::Back(count)) => {
                track.rewind(count);
                if table.machine.answers().len() <= 1 {
                    let stop = Ok(crate::machine::Stop::Decision);
                    reached = record::go_on(&words, &mut table.machine, stop, None, &mut track);
                    continue;
                }
            }
            Ok(record::Reached::Over) | Err(_) => break,
        }
        if table.answers() > crate::bounds::PLAYOUT_ANSWERS_MAX {
            break;
        }
        let Ok(at) = table.pick() else { break };
        reached = record::answer(&words, &mut table.machine, at, &mut track);
    }
    let mut replay = Replay::header(rules, program, seed);
    replay.seats = (0..program.players as usize)
        .map(|seat| bots.get(seat % bots.len().max(1)).map(Bot::recorded))
        .collect();
    replay.lines = track.items.iter().map(|item| line(&words, item)).collect();
    if let Ok(record::Reached::Over) = reached {
        let kind = LineKind::end(&words, &mut table.machine);
        replay.lines.push(Line { number: 0, kind });
    }
    replay
}
