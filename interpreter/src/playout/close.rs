//! What only some games are looked at for, since finding it out takes longer than playing: who leads, how many answers there
//! are, what seats hold early.

use super::figures::Unit;
use super::links::{Link, Won};
use crate::Program;
use crate::machine::Machine;
use crate::observe::pieces;
use crate::program::{NONE, Shape, Slot};
use crate::stats::VICTORY_PARTS;
use dsl::ir::{CellOwner, Domain, RuleSet, Ty};

/// So many games, the first ones, are looked at closely; in these it is counted, too, what the rules refuse.
pub const CLOSE_GAMES: u64 = 200;

/// Listing all answers takes longer than playing: when so many were listed in a game, only those of each so many'th decision are,
/// which stand for as many. Which ones differs from game to game, so that none is passed over in all.
const LISTED_MAX: u64 = 256;
const LISTED_OF: u64 = 8;

/// Figures that only those games have, in the order of [`Close::figures`].
pub(super) const FIGURES: [(&str, &str, Unit); 6] = [
    ("offered", "answers to choose from", Unit::Thousandths),
    ("decisions", "answers that had a choice", Unit::Number),
    (
        "decisions_a_turn",
        "answers a turn that had a choice",
        Unit::Thousandths,
    ),
    ("forced", "answers that were the only ones", Unit::Number),
    ("lead_changes", "changes of the lead", Unit::Number),
    (
        "lead_taken",
        "the winner leads for good from, in percent",
        Unit::Share,
    ),
];

/// Something that a seat holds.
#[derive(Clone, Debug)]
pub struct Holding {
    /// `gold`; `track.owner` where others say whose they are.
    pub name: String,
    /// What people call it.
    pub said: String,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// The number in a player's cell, or how many pieces lie in it.
    Own(Slot),
    /// In how many of a cell's slots the player stands.
    Marked(Slot),
    /// Points.
    Score,
}

/// All that can be held: what the rules declare for each player, and what may belong to one.
pub(super) fn holdings(rules: &RuleSet, program: &Program) -> Vec<Holding> {
    let mut all = Vec::new();
    for (cell, at) in rules.cells.iter().zip(0..) {
        let layout = &program.cells[at as usize];
        let number = matches!(cell.ty.required(), Ty::Int { .. });
        let held = number || layout.holds.is_some() && !matches!(layout.shape, Shape::Scalar);
        let noun = rules.speech.cells.get(at as usize).and_then(Option::as_ref);
        let said = noun.map_or(cell.name.as_str(), |noun| noun.heading());
        let is_player = *cell.ty.required() == Ty::Element(Domain::Player);
        let (name, kind) = match cell.owner {
            CellOwner::Each(Domain::Player) if held => (cell.name.clone(), Kind::Own(Slot(at))),
            CellOwner::Each(Domain::Table(table)) if is_player => {
                let name = format!("{}.{}", rules.tables[table.index()].name, cell.name);
                (name, Kind::Marked(Slot(at)))
            }
            CellOwner::Each(Domain::Cell) if is_player => {
                (format!("cell.{}", cell.name), Kind::Marked(Slot(at)))
            }
            _ => continue,
        };
        let owner = match cell.owner {
            CellOwner::Each(Domain::Table(table)) => rules.speech.tables.get(table.index()),
            _ => None,
        };
        let said = match owner {
            Some(table) => format!("{} ({said})", table.noun.many),
            None => said.to_owned(),
        };
        all.push(Holding { name, said, kind });
    }
    if !program.score_procs.is_empty() {
        all.push(Holding {
            name: "score".into(),
            said: "points".into(),
            kind: Kind::Score,
        });
    }
    all
}

/// What is noted of a game that is looked at closely.
pub(super) struct Close<'p> {
    program: &'p Program,
    holdings: Vec<Holding>,
    /// At each beginning of a turn: what each seat holds of each, then its points.
    moments: Vec<i64>,
    turn: Option<i32>,
    /// Answers there were at decisions that had a choice, and at how many of them, as far as they were listed.
    offered: u64,
    at: u64,
    /// Answers listed.
    listed: u64,
    decisions: u64,
    forced: u64,
    /// Which of each [`LISTED_OF`] decisions is listed.
    phase: u64,
}

impl<'p> Close<'p> {
    pub fn new(rules: &RuleSet, program: &'p Program) -> Close<'p> {
        Close {
            program,
            holdings: holdings(rules, program),
            moments: Vec::new(),
            turn: None,
            offered: 0,
            at: 0,
            listed: 0,
            decisions: 0,
            forced: 0,
            phase: 0,
        }
    }

    pub fn holdings(&self) -> &[Holding] {
        &self.holdings
    }

    /// Of the game number `game`, which begins.
    pub fn begin(&mut self, game: u64) {
        self.moments.clear();
        self.turn = None;
        (self.offered, self.at, self.listed) = (0, 0, 0);
        (self.decisions, self.forced) = (0, 0);
        self.phase = game % LISTED_OF;
    }

    /// The machine stands at a decision.
    pub fn note(&mut self, machine: &mut Machine<'_>) {
        self.note_answers(machine);
        let turn = machine.turns();
        if turn.is_none() || turn != self.turn {
            self.turn = turn;
            self.note_moment(machine);
        }
    }

    fn note_answers(&mut self, machine: &mut Machine<'_>) {
        if !machine.has_choice() {
            // Where rules never leave a choice nobody misses one.
            self.forced += u64::from(!machine.asks_for_one());
            return;
        }
        let stands_for = match self.listed < LISTED_MAX {
            true => 1,
            false => LISTED_OF,
        };
        if stands_for == 1 || self.decisions % LISTED_OF == self.phase {
            let answers = machine.all_answers().len() as u64;
            self.listed += answers;
            self.offered += stands_for * answers;
            self.at += stands_for;
        }
        self.decisions += 1;
    }

    fn note_moment(&mut self, machine: &mut Machine<'_>) {
        for seat in 0..self.program.players {
            let points = self.points(machine, seat);
            for at in 0..self.holdings.len() {
                let held = match self.holdings[at].kind {
                    Kind::Score if machine.aims_at_score() => points,
                    _ => self.held(machine, at, seat),
                };
                self.moments.push(held);
            }
            self.moments.push(points);
        }
    }

    /// What the ranking asks: who has most of it leads.
    fn points(&self, machine: &mut Machine<'_>, seat: u32) -> i64 {
        match machine.is_ranked() {
            true => i64::from(machine.aim(seat)),
            false => 0,
        }
    }

    fn held(&self, machine: &mut Machine<'_>, holding: usize, seat: u32) -> i64 {
        let (cell, own) = match self.holdings[holding].kind {
            Kind::Score => return i64::from(machine.score(seat)),
            Kind::Own(cell) => (cell, true),
            Kind::Marked(cell) => (cell, false),
        };
        let layout = &self.program.cells[cell.at()];
        let mut sum = 0;
        for slot in 0..layout.slots {
            let first = layout.base + slot * layout.words;
            if !own {
                sum += i64::from(machine.word(first) == seat as i32);
                continue;
            }
            let of = layout.dims.first();
            let of = of.map(|(low, n, stride)| low + (slot / stride % n) as i32);
            if of != Some(seat as i32) {
                continue;
            }
            sum += match layout.shape {
                Shape::Scalar => match machine.word(first) {
                    NONE => 0,
                    number => i64::from(number),
                },
                shape => {
                    let words: Vec<i32> = (first..first + layout.words)
                        .map(|word| machine.word(word))
                        .collect();
                    let held = pieces(shape, &words).into_iter();
                    held.filter(|(piece, _)| *piece != NONE)
                        .map(|(_, count)| i64::from(count))
                        .sum()
                }
            };
        }
        sum
    }

    /// How many moments were noted.
    fn len(&self) -> usize {
        self.moments.len() / (self.width() * self.program.players as usize).max(1)
    }

    /// Numbers of a seat at a moment.
    fn width(&self) -> usize {
        self.holdings.len() + 1
    }

    fn at(&self, moment: usize, seat: usize) -> &[i64] {
        let width = self.width();
        let start = (moment * self.program.players as usize + seat) * width;
        &self.moments[start..start + width]
    }

    /// Of a game that is over, in which each seat had such a part of the victory: the [`FIGURES`].
    pub fn figures(&self, won: &[u64]) -> [Option<i64>; FIGURES.len()] {
        let each = |sum: u64, of: u64| (of > 0).then(|| (sum * 1_000 / of) as i64);
        let offered = each(self.offered, self.at);
        let turns = u64::try_from(self.turn.unwrap_or(0)).unwrap_or(0);
        let a_turn = each(self.decisions, turns);
        let scored = !self.program.score_procs.is_empty() && won.len() > 1;
        let (changes, taken) = match scored && self.len() > 0 {
            true => self.leads(won),
            false => (None, None),
        };
        [
            offered,
            Some(self.decisions as i64),
            a_turn,
            Some(self.forced as i64),
            changes,
            taken,
        ]
    }

    /// How often the lead went from one seat to another, and which part of the game was over when the only winner took it for
    /// good; none if that was not before its end.
    fn leads(&self, won: &[u64]) -> (Option<i64>, Option<i64>) {
        let winner = won.iter().position(|parts| *parts == VICTORY_PARTS);
        let (mut leader, mut since, mut changes) = (None, 0, 0);
        for moment in 0..self.len() {
            let points = (0..won.len()).map(|seat| self.at(moment, seat)[self.width() - 1]);
            let most = points.clone().max().unwrap_or(0);
            let mut ahead = points.enumerate().filter(|(_, points)| *points == most);
            let first = ahead.next().map(|(seat, _)| seat);
            // Who is level with others leads no longer, but nobody else does yet.
            let alone = first.filter(|_| ahead.next().is_none());
            if alone.is_some() && alone != leader {
                changes += i64::from(leader.is_some());
                leader = alone;
                since = moment;
            }
        }
        let taken = winner.map(|winner| match leader == Some(winner) {
            true => (since as u64 * VICTORY_PARTS / self.len() as u64) as i64,
            false => VICTORY_PARTS as i64,
        });
        (Some(changes), taken)
    }

    /// Counts what seats held at a quarter of the game beside what they won.
    pub fn note_early(&self, won: &Won<'_>, links: &mut [Link]) {
        if self.len() == 0 {
            return;
        }
        // After whole rounds: who has had one turn more has more.
        let players = won.parts.len();
        let quarter = self.len() / 4 / players * players;
        for (at, link) in links.iter_mut().enumerate() {
            let held = (0..players).map(|seat| self.at(quarter, seat)[at]);
            link.note(held, won);
        }
    }
}
