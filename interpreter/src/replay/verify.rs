//! Following a replay: is every answer still offered, does chance still fit?

use super::write::line_text;
use super::{Differs, Line, LineKind, Replay, chance, line};
use crate::Program;
use crate::bots::Bot;
use crate::game::{Played, Session};
use crate::machine::Fault;
use crate::playout::seat_name;
use crate::record::Item;
use crate::words::{Words, quoted};
use dsl::ir::RuleSet;
use std::collections::BTreeMap;

/// What became of a replay under these rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// In what the rules are other ones than those the game was played with; that alone is no harm.
    pub differs: Option<Differs>,
    /// Lines that were followed.
    pub followed: usize,
    /// How following it ended.
    pub ending: Ending,
}

/// How following a recorded game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All lines fit; whether the game is over with them.
    Complete {
        /// The game is over behind the last line.
        over: bool,
    },
    /// It is no game of these rules, or for so many players: not a line was followed.
    Unfit {
        /// What it is a game of.
        logged: String,
        /// What it is followed under.
        now: String,
    },
    /// The game went another way than is recorded.
    Diverged(Divergence),
    /// The rules could not go on; the line that led there.
    Fault {
        /// Line of the file, from 1.
        line: u32,
        /// What went wrong.
        fault: Fault,
    },
}

/// The first line that does not fit, and both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// Line of the text; 0 where the text ends.
    pub line: u32,
    /// What the replay says.
    pub logged: String,
    /// What happened now.
    pub now: String,
    /// What is offered, where an answer is wanted.
    pub offered: Vec<String>,
}

impl Verdict {
    /// All of its lines fit.
    pub fn is_complete(&self) -> bool {
        matches!(self.ending, Ending::Complete { .. })
    }
}

/// Follows a replay.
pub fn verify(rules: &RuleSet, program: &Program, replay: &Replay) -> Verdict {
    follow(rules, program, replay).0
}

/// Follows a replay and hands out the session where it stopped, to be played on from there.
pub fn follow<'a>(
    rules: &'a RuleSet,
    program: &'a Program,
    replay: &Replay,
) -> (Verdict, Option<Session<'a>>) {
    let mut follower = Follower {
        words: Words::new(rules, program),
        lines: &replay.lines,
        at: 0,
    };
    let (ending, session) = match unfit(rules, program, replay) {
        Some(unfit) => (unfit, None),
        None => follower.start(replay),
    };
    let verdict = Verdict {
        differs: Differs::between(rules, program, replay),
        followed: follower.at,
        ending,
    };
    (verdict, session)
}

fn unfit(rules: &RuleSet, program: &Program, replay: &Replay) -> Option<Ending> {
    let (logged, now) = if replay.game != rules.id {
        (
            format!("game {}", replay.game),
            format!("game {}", rules.id),
        )
    } else if replay.players != program.players {
        (
            format!("players {}", replay.players),
            format!("players {}", program.players),
        )
    } else {
        return None;
    };
    Some(Ending::Unfit { logged, now })
}

struct Follower<'a, 'r> {
    words: Words<'a>,
    lines: &'r [Line],
    /// The next line to be followed.
    at: usize,
}

impl<'a> Follower<'a, '_> {
    fn start(&mut self, replay: &Replay) -> (Ending, Option<Session<'a>>) {
        let outcomes = self.outcomes();
        let (rules, program) = (self.words.rules, self.words.program);
        let mut session = match Session::start(rules, program, replay.seed, outcomes) {
            Ok(session) => session,
            Err(fault) => {
                return (
                    Ending::Fault {
                        line: self.number(),
                        fault,
                    },
                    None,
                );
            }
        };
        for (own, who) in session.tree_mut().bots.iter_mut().zip(&replay.seats) {
            *own = who.as_ref().and_then(|who| Bot::of_rules(who, rules));
        }
        let ending = self.play(&mut session);
        // What the replay says of chance is over; from here on the seed decides.
        session.machine_mut().fix_chances(BTreeMap::new());
        (ending, Some(session))
    }

    fn play(&mut self, session: &mut Session<'a>) -> Ending {
        if let Err(divergence) = self.compare(session) {
            return Ending::Diverged(divergence);
        }
        while let Some(next) = self.lines.get(self.at) {
            if session.is_over() {
                return self.end(session, next);
            }
            let offered = session.answers();
            let asked = session.machine().seat();
            let found = match &next.kind {
                LineKind::Answer { seat, text, .. } if *seat == asked => {
                    let is_offered = |text: &str| offered.iter().position(|one| one == text);
                    is_offered(text).or_else(|| is_offered(&self.written_now(text)?))
                }
                _ => None,
            };
            let Some(found) = found else {
                return Ending::Diverged(
                    self.diverged(&format!("{} is asked", seat_name(asked as usize)), offered),
                );
            };
            match session.answer(found) {
                Err(fault) => {
                    return Ending::Fault {
                        line: next.number,
                        fault,
                    };
                }
                Ok(Played::Back(_)) => {
                    return Ending::Diverged(
                        self.diverged("it leads nowhere: another answer has to be found", offered),
                    );
                }
                Ok(Played::On(_)) => {}
            }
            if let Err(divergence) = self.compare(session) {
                return Ending::Diverged(divergence);
            }
        }
        Ending::Complete {
            over: session.is_over(),
        }
    }

    /// The game is over: the next line can only be the end.
    fn end(&mut self, session: &mut Session<'a>, next: &Line) -> Ending {
        let now = LineKind::end(&self.words, session.machine_mut());
        // A game that was recorded when its end had no name says nothing of it.
        let unnamed = match (&next.kind, &now) {
            (LineKind::End { scores, how: None }, LineKind::End { scores: own, .. }) => {
                scores == own
            }
            _ => false,
        };
        if unnamed || next.kind == now {
            self.at += 1;
            Ending::Complete { over: true }
        } else {
            Ending::Diverged(self.diverged(&line_text(&now), Vec::new()))
        }
    }

    /// What happened on the way to the current node against the next lines. At the end of the lines anything may follow.
    fn compare(&mut self, session: &Session<'a>) -> Result<(), Divergence> {
        let items: &[Item] = &session.tree().node(session.tree().current()).items;
        for item in items {
            let Some(next) = self.lines.get(self.at) else {
                break;
            };
            let now = line(&self.words, item).kind;
            if !self.same(&next.kind, &now) {
                return Err(self.diverged(&line_text(&now), Vec::new()));
            }
            self.at += 1;
        }
        Ok(())
    }

    /// Whether a line says what happens now; whether an answer was the only one may differ.
    fn same(&self, logged: &LineKind, now: &LineKind) -> bool {
        let answer = |line: &LineKind| match line {
            LineKind::Answer { seat, text, .. } => Some((*seat, text.clone())),
            LineKind::Chance { .. } | LineKind::End { .. } => None,
        };
        match (answer(logged), answer(now)) {
            (Some((seat, text)), Some((other, now))) => {
                seat == other && (text == now || self.written_now(&text) == Some(now))
            }
            _ => logged == now,
        }
    }

    /// Names such as `"008"` were written `8`, and may still stand so in a file, if nothing else is called so.
    fn written_now(&self, text: &str) -> Option<String> {
        let number: i64 = text.parse().ok()?;
        let rules = self.words.rules;
        let rows = rules.tables.iter().flat_map(|table| &table.rows);
        let members = rules.enums.iter().flat_map(|one| &one.members);
        let names = rows.map(|row| &row.name).chain(members);
        let mut meant = names.filter(|name| name.parse() == Ok(number));
        let name = meant.next()?;
        meant.all(|other| other == name).then(|| quoted(name))
    }

    fn number(&self) -> u32 {
        self.lines.get(self.at).map_or(0, |line| line.number)
    }

    fn diverged(&self, now: &str, offered: Vec<String>) -> Divergence {
        Divergence {
            line: self.number(),
            logged: self
                .lines
                .get(self.at)
                .map_or_else(String::new, |line| line_text(&line.kind)),
            now: now.to_owned(),
            offered,
        }
    }

    /// Outcomes of chance by stream, as far as their names mean something under these rules.
    fn outcomes(&self) -> BTreeMap<u32, Vec<Vec<i32>>> {
        let mut streams: BTreeMap<&str, Option<u32>> = BTreeMap::new();
        let mut found: BTreeMap<u32, Vec<Vec<i32>>> = BTreeMap::new();
        for line in self.lines {
            let LineKind::Chance { stream, values } = &line.kind else {
                continue;
            };
            let known = streams
                .entry(stream)
                .or_insert_with(|| chance::stream(&self.words, stream));
            let Some(number) = *known else { continue };
            let outcome: Option<Vec<i32>> = values
                .iter()
                .map(|text| chance::word(&self.words, number, text))
                .collect();
            match outcome {
                Some(outcome) => found.entry(number).or_default().push(outcome),
                // The stream's later outcomes must not move up.
                None => *known = None,
            }
        }
        found
    }
}
