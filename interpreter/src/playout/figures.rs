//! What a game comes to in numbers: its *figures*, a row a game. Reports count them, comparisons pair them, sweeps draw them,
//! goals are set for them; a figure has one name and one meaning in all of these.

use super::endings::{End, ends};
use super::uses::{Deed, deeds};
use super::{close, seat_name};
use crate::Program;
use crate::stats::{Distribution, Estimate, VICTORY_PARTS, rounded, share};
use dsl::ir::RuleSet;

/// What the numbers of a figure are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// In parts of a game ([`VICTORY_PARTS`]); shown in percent.
    Share,
    /// Whole numbers: points, turns, times.
    Number,
    /// Thousandths.
    Thousandths,
}

impl Unit {
    /// The mean with its interval: of shares Wilson's, in hundredths of a percent; else in thousandths.
    pub fn mean(self, values: &Distribution) -> Estimate {
        match self {
            Unit::Share => share(values.sum().max(0) as u64, values.len()),
            Unit::Number => values.mean(),
            Unit::Thousandths => self.scaled(values.mean()),
        }
    }

    /// What was reckoned with in thousandths of its numbers, in the decimals that it is shown with.
    pub fn scaled(self, estimate: Estimate) -> Estimate {
        let one = |value: i64| match self {
            Unit::Number => value,
            Unit::Thousandths => rounded(i128::from(value), 1_000) as i64,
            Unit::Share => rounded(i128::from(value) * 10, i128::from(VICTORY_PARTS)) as i64,
        };
        Estimate {
            value: one(estimate.value),
            low: one(estimate.low),
            high: one(estimate.high),
        }
    }

    /// Decimals of what is shown.
    pub fn decimals(self) -> u32 {
        match self {
            Unit::Share => 2,
            Unit::Number | Unit::Thousandths => 3,
        }
    }
}

/// A number that each game comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// What it is called in files and goals: `wins.A`, `turns`, `done.claim`.
    pub name: String,
    /// In words: `wins of A in percent`.
    pub label: String,
    /// What it is counted in.
    pub unit: Unit,
}

/// All figures of a program, in order, and where which stands.
#[derive(Clone, Debug)]
pub struct Figures {
    /// In the order of a game's row.
    pub all: Vec<Figure>,
    /// Number of players.
    pub players: usize,
    /// Score lines.
    pub lines: usize,
    pub(super) deeds: Vec<Deed>,
    pub(super) ends: Vec<End>,
    wins: usize,
    scores: usize,
    /// None: nobody scores, or nobody else.
    margin: Option<usize>,
    nobody: usize,
    endless: usize,
    turns: Option<usize>,
    answers: usize,
    endings: usize,
    done: usize,
    close: usize,
}

impl Figures {
    /// Those of a program.
    pub fn new(rules: &RuleSet, program: &Program) -> Figures {
        let players = program.players as usize;
        let scored = !program.score_procs.is_empty();
        let (deeds, ends) = (deeds(rules, program), ends(rules, program));
        let mut all: Vec<Figure> = Vec::new();
        let mut add = |name: String, label: String, unit: Unit| {
            all.push(Figure { name, label, unit });
            all.len() - 1
        };
        let percent = |what: &str| format!("{what} in percent");
        for seat in (0..players).map(seat_name) {
            let label = percent(&format!("wins of {seat}"));
            add(format!("wins.{seat}"), label, Unit::Share);
        }
        let scores = players;
        let headings: Vec<&str> = rules.speech.scores.iter().map(|n| n.heading()).collect();
        for seat in (0..players).map(seat_name).filter(|_| scored) {
            let label = format!("score of {seat}");
            add(format!("score.{seat}"), label, Unit::Number);
            // A score of one line is that line.
            let lines = rules.scores.iter().filter(|_| rules.scores.len() > 1);
            for (line, heading) in lines.zip(&headings) {
                let name = format!("score.{seat}.{}", line.name);
                add(name, format!("{heading} of {seat}"), Unit::Number);
            }
        }
        let margin = (scored && players > 1).then(|| {
            let label = "points of the first before the second".to_owned();
            add("margin".into(), label, Unit::Number)
        });
        let nobody = add(
            "nobody".into(),
            percent("games that nobody wins"),
            Unit::Share,
        );
        let endless = add("endless".into(), percent("games without end"), Unit::Share);
        let turns = program
            .turn_label
            .map(|_| add("turns".into(), "turns".into(), Unit::Number));
        let answers = add("answers".into(), "answers".into(), Unit::Number);
        let endings = answers + 1;
        for end in &ends {
            let label = percent(&format!("end: {}", end.said));
            add(format!("end.{}", end.how), label, Unit::Share);
        }
        let done = endings + ends.len();
        for deed in &deeds {
            let label = format!("{}, times", deed.said);
            add(format!("done.{}", deed.name), label, Unit::Number);
        }
        let close = done + deeds.len();
        for (name, label, unit) in close::FIGURES {
            add(name.to_owned(), label.to_owned(), unit);
        }
        Figures {
            all,
            players,
            lines: if scored { rules.scores.len() } else { 0 },
            deeds,
            ends,
            wins: 0,
            scores,
            margin,
            nobody,
            endless,
            turns,
            answers,
            endings,
            done,
            close,
        }
    }

    /// The place of a figure by its name.
    pub fn named(&self, name: &str) -> Option<usize> {
        self.all.iter().position(|figure| figure.name == name)
    }

    /// What people want to know first: who wins, and how long it takes.
    pub fn usual(&self) -> Vec<usize> {
        let wins = (0..self.players).map(|seat| self.wins(seat));
        let more = [
            Some(self.nobody),
            self.margin,
            self.turns,
            Some(self.answers),
        ];
        wins.chain(more.into_iter().flatten()).collect()
    }

    /// The number of the figure that tells whether a seat has won.
    pub fn wins(&self, seat: usize) -> usize {
        self.wins + seat
    }

    /// The score of a seat; none without one.
    pub fn score(&self, seat: usize) -> Option<usize> {
        (self.lines > 0).then(|| self.scores + seat * self.score_width())
    }

    /// A line of a seat's score.
    pub fn line(&self, seat: usize, line: usize) -> usize {
        let score = self.scores + seat * self.score_width();
        match self.lines {
            1 => score,
            _ => score + 1 + line,
        }
    }

    /// Figures of a seat's score.
    fn score_width(&self) -> usize {
        match self.lines {
            1 => 1,
            lines => 1 + lines,
        }
    }

    /// Points of the first before the second.
    pub fn margin(&self) -> Option<usize> {
        self.margin
    }

    /// Games that nobody won.
    pub fn nobody(&self) -> usize {
        self.nobody
    }

    /// Games that were broken off after [`crate::bounds::PLAYOUT_ANSWERS_MAX`] answers.
    pub fn endless(&self) -> usize {
        self.endless
    }

    /// Passes of the step `turn`, if the rules have one.
    pub fn turns(&self) -> Option<usize> {
        self.turns
    }

    /// Answers given, those that were the only ones included.
    pub fn answers(&self) -> usize {
        self.answers
    }

    /// Games that ended in the way number `at` of [`Figures::ends`].
    pub fn ending(&self, at: usize) -> usize {
        self.endings + at
    }

    /// How often the deed number `at` was done.
    pub fn done(&self, at: usize) -> usize {
        self.done + at
    }

    /// The first of those that only games have that are looked at closely ([`close::FIGURES`]).
    pub fn close(&self) -> usize {
        self.close
    }
}
