//! What a designer should know of many games, in sentences, each with the number of games it rests on and how sure it is. Made here
//! and nowhere else: the terminal, files and the window show the same.

use super::report::{Linked, LinkedWith, Report, seat_name};
use crate::bounds::PLAYOUT_ANSWERS_MAX;
use crate::stats::written::{count, decimal, grouped, tenths};
use crate::stats::{Estimate, luck, rounded};
use crate::words::listed;

/// Fewer games say nothing of seats.
const SEATS_GAMES_MIN: u64 = 10;
/// Of so many games it stands out that something never happened.
const NEVER_LEAST: u64 = 10;
/// Of each kind of link so many are told.
const LINKS_TOLD: usize = 4;
/// Names of one list.
const NAMES_TOLD: usize = 8;
/// Who has more of something and wins so often, in hundredths of a percent of what would be even, dominates.
const DOMINATES: i64 = 16_000;

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingKind {
    /// Who wins, by seat.
    Seats,
    /// Games that do not end, or that nobody wins.
    Ends,
    /// How long games are, and what there is to decide.
    Length,
    /// How close they are.
    Lead,
    /// What goes with winning.
    Links,
    /// What never happened.
    Never,
}

impl FindingKind {
    /// As it is called in JSON.
    pub fn name(self) -> &'static str {
        match self {
            FindingKind::Seats => "seats",
            FindingKind::Ends => "ends",
            FindingKind::Length => "length",
            FindingKind::Lead => "lead",
            FindingKind::Links => "links",
            FindingKind::Never => "never",
        }
    }
}

/// A sentence about many games.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What sort of thing was found.
    pub kind: FindingKind,
    /// Without full stop.
    pub text: String,
    /// Games it rests on.
    pub games: u64,
    /// How often luck alone makes it so, corrected for all that was asked beside it; none: it is what was counted.
    pub luck: Option<f64>,
    /// Somebody should look at it: what is not even, does not end, dominates or never happens.
    pub stands_out: bool,
}

impl Report {
    /// All findings, by what they are about.
    pub fn findings(&self) -> Vec<Finding> {
        if self.games == 0 {
            return Vec::new();
        }
        let mut found = self.of_seats();
        found.extend(self.of_ends());
        found.extend(self.of_length());
        found.extend(self.of_lead());
        found.extend(self.of_links());
        found.extend(self.of_never());
        found
    }

    fn counted(&self, kind: FindingKind, games: u64, text: String) -> Finding {
        Finding {
            kind,
            text,
            games,
            luck: None,
            stands_out: false,
        }
    }

    // ---------------------------------------------------------------------------------------------- who wins

    /// How often luck alone makes each seat win so often, or so rarely, corrected for all seats: as if the seats of each game had
    /// been exchanged.
    pub fn seats_luck(&self) -> Vec<f64> {
        let players = self.figures.players;
        let is_shared = self.is_shared();
        // What a victory with so many winners counts.
        let weight = |winners: u64| match is_shared {
            true => 1.0,
            false => 1.0 / winners as f64,
        };
        let mut won = vec![0.0; players];
        let (mut variance, mut games) = (0.0, 0);
        for winners in 1..=players as u64 {
            let mut times = 0;
            for (seat, won) in won.iter_mut().enumerate() {
                let own = self.won_among(seat, winners);
                *won += own as f64 * weight(winners);
                times += own;
            }
            if winners < players as u64 {
                let of_so_many = times / winners;
                let share = winners as f64 / players as f64;
                let one = weight(winners) * weight(winners) * share * (1.0 - share);
                variance += of_so_many as f64 * one;
                games += of_so_many;
            }
        }
        let even = won.iter().sum::<f64>() / players.max(1) as f64;
        let each: Vec<f64> = won
            .iter()
            .map(|won| luck::exchanged(won - even, variance, games))
            .collect();
        luck::holm(&each)
    }

    fn of_seats(&self) -> Vec<Finding> {
        let players = self.figures.players;
        if players < 2 || self.games < SEATS_GAMES_MIN {
            return Vec::new();
        }
        let games = count(self.games, "game");
        let is_shared = self.is_shared();
        let shared = match is_shared {
            true => ", alone or with others",
            false => "",
        };
        let wins = |seat: usize| match is_shared {
            true => self.among_winners(seat),
            false => self.wins(seat),
        };
        let alike = self.bots.iter().all(|bot| *bot == self.bots[0]);
        let all: i64 = (0..players).map(|seat| wins(seat).value).sum();
        let even = rounded(i128::from(all), players as i128) as i64;
        let lucks = self.seats_luck();
        let mut found = Vec::new();
        for (seat, luck) in lucks
            .iter()
            .enumerate()
            .filter(|(_, luck)| **luck < luck::LEVEL)
        {
            let wins = wins(seat);
            let above = wins.value > even;
            let what = match (alike, above) {
                (true, true) => "it is favoured",
                (true, false) => "it is held back",
                (false, true) => "that is more than its share",
                (false, false) => "that is less than its share",
            };
            let even = tenths(even, 2);
            found.push(Finding {
                kind: FindingKind::Seats,
                text: format!(
                    "{} wins {} of {games}{shared}: {what}; {even} % would be even",
                    self.who(seat, alike),
                    wins.percent()
                ),
                games: self.games,
                luck: Some(*luck),
                stands_out: alike,
            });
        }
        if found.is_empty() {
            let wins = wins(0);
            let half = (wins.high - wins.low) / 2;
            let text = format!(
                "No seat wins more or less often than the others as far as {games} can tell: {} wins {}{shared}. A seat that is {} points of a hundred off would mostly have shown",
                self.who(0, alike),
                wins.percent(),
                tenths(half * 3 / 2, 2)
            );
            let luck = lucks.iter().copied().fold(1.0, f64::min);
            found.push(Finding {
                luck: Some(luck),
                ..self.counted(FindingKind::Seats, self.games, text)
            });
        }
        found
    }

    /// `The first seat (A)`; where bots differ `Greedy on A`.
    fn who(&self, seat: usize, alike: bool) -> String {
        let name = seat_name(seat);
        if !alike {
            return format!("`{}` on seat {name}", self.bots[seat]);
        }
        match seat {
            0 => "The first seat (A)".to_owned(),
            _ if seat + 1 == self.figures.players => format!("The last seat ({name})"),
            _ => format!("Seat {name}"),
        }
    }

    // ---------------------------------------------------------------------------------------------- how games end

    fn of_ends(&self) -> Vec<Finding> {
        let mut found = Vec::new();
        let games = count(self.games, "game");
        let percent = |figure: usize| self.mean(figure).percent();
        if self.endless() > 0 {
            found.push(Finding {
                stands_out: true,
                ..self.counted(
                    FindingKind::Ends,
                    self.games,
                    format!(
                        "{} of {games} had not ended after {} answers, {}: with these bots the game can stall",
                        grouped(self.endless()),
                        grouped(PLAYOUT_ANSWERS_MAX.into()),
                        percent(self.figures.endless())
                    ),
                )
            });
        }
        if self.unwon() > 0 {
            let text = format!(
                "Nobody wins {} of {games}, {}",
                grouped(self.unwon()),
                percent(self.figures.nobody())
            );
            found.push(self.counted(FindingKind::Ends, self.games, text));
        }
        let ends = self.endings.iter().filter(|_| self.endings.len() > 1);
        let ends: Vec<String> = ends
            .map(|end| format!("{} {}", end.said, grouped(end.games)))
            .collect();
        if !ends.is_empty() {
            let text = format!("Of {games} so many ended by {}", listed(&ends, "and"));
            found.push(self.counted(FindingKind::Ends, self.games, text));
        }
        found
    }

    // ---------------------------------------------------------------------------------------------- how long they are

    fn of_length(&self) -> Vec<Finding> {
        let mut found = Vec::new();
        let (what, length) = match self.turns() {
            Some(turns) => ("turns", turns),
            None => ("answers", self.answers()),
        };
        let mean = length.mean();
        let text = format!(
            "A game takes {} {what} ({}), half of all games {} to {}; the shortest of {} {}, the longest {}",
            tenths(mean.value, 3),
            mean.within(3),
            length.quantile(1, 4),
            length.quantile(3, 4),
            count(self.games, "game"),
            length.min(),
            length.max()
        );
        found.push(self.counted(FindingKind::Length, self.games, text));
        let close = |name: &str| self.close(name);
        if let (Some((decisions, games)), Some((forced, _))) = (close("decisions"), close("forced"))
        {
            let all = (decisions.value + forced.value).max(1);
            let mut text = format!(
                "{} % of all answers are the only ones there are",
                tenths(forced.value * 10_000 / all, 2)
            );
            if let Some((offered, _)) = close("offered") {
                text += &format!(
                    "; where there is a choice, it is between {} on average",
                    tenths(offered.value, 3)
                );
            }
            if let Some((a_turn, _)) = close("decisions_a_turn") {
                text += &format!("; a turn has {} choices", tenths(a_turn.value, 3));
            }
            text += &format!(" ({})", count(games, "game"));
            found.push(self.counted(FindingKind::Length, games, text));
        }
        found
    }

    /// The mean of a figure that only games have that are looked at closely, and of how many games.
    fn close(&self, name: &str) -> Option<(Estimate, u64)> {
        let at = self.figures.named(name)?;
        let games = self.of(at).len();
        (games > 0).then(|| (self.mean(at), games))
    }

    // ---------------------------------------------------------------------------------------------- how close they are

    fn of_lead(&self) -> Vec<Finding> {
        let mut found = Vec::new();
        if let Some(at) = self.figures.margin() {
            let margins = self.of(at);
            let mean = margins.mean();
            let text = format!(
                "The first ends {} points before the second ({}), in half of {} {} to {}",
                tenths(mean.value, 3),
                mean.within(3),
                count(self.games, "game"),
                margins.quantile(1, 4),
                margins.quantile(3, 4)
            );
            found.push(self.counted(FindingKind::Lead, self.games, text));
        }
        if let (Some((changes, games)), Some((taken, _))) =
            (self.close("lead_changes"), self.close("lead_taken"))
        {
            let text = format!(
                "The lead changes {} times a game; who wins takes it for good when {} % of the turns are over ({}; {})",
                tenths(changes.value, 3),
                tenths(taken.value, 2),
                taken.within(2),
                count(games, "game")
            );
            found.push(self.counted(FindingKind::Lead, games, text));
        }
        found
    }

    // ---------------------------------------------------------------------------------------------- what goes with winning

    fn of_links(&self) -> Vec<Finding> {
        let mut found = Vec::new();
        if self.links_asked == 0 && self.bots.len() > 1 && !self.has_equals() {
            let text = "What goes with winning is asked among seats with the same bot; here no two have one";
            found.push(self.counted(FindingKind::Links, self.games, text.to_owned()));
        }
        for with in [LinkedWith::Done, LinkedWith::Named, LinkedWith::Early] {
            let own = self.linked.iter().filter(|one| one.with == with);
            found.extend(own.take(LINKS_TOLD).map(link));
        }
        found
    }

    /// Whether two seats are played by the same bot.
    fn has_equals(&self) -> bool {
        let mut seats = self.bots.iter().enumerate();
        seats.any(|(at, bot)| self.bots[..at].contains(bot))
    }

    // ---------------------------------------------------------------------------------------------- what never happened

    fn of_never(&self) -> Vec<Finding> {
        let mut found = Vec::new();
        let mut add = |games: u64, text: String| {
            found.push(Finding {
                stands_out: self.games >= NEVER_LEAST,
                ..self.counted(FindingKind::Never, games, text)
            });
        };
        let never: Vec<String> = self
            .uses
            .iter()
            .filter(|one| one.count == 0)
            .map(|one| one.said.clone())
            .collect();
        if !never.is_empty() {
            add(self.games, format!("Never done: {}", some(&never)));
        }
        for one in &self.unused {
            let text = format!(
                "Never used, {} of {} in `{}`: {}",
                one.rows.len(),
                one.of,
                one.table,
                some(&one.in_brief)
            );
            add(self.games, text);
        }
        let never: Vec<String> = self
            .never_ended
            .iter()
            .map(|end| end.said.clone())
            .collect();
        if !never.is_empty() {
            let text = format!("No game ended by {}", some(&never));
            add(self.games, text);
        }
        if !self.unfired.is_empty() {
            let text = format!(
                "Rules of which nothing ever happened: {}",
                some(&self.unfired)
            );
            add(self.games, text);
        }
        if !self.never_refused.is_empty() {
            let games = self.games.min(super::CLOSE_GAMES);
            let text = format!(
                "{} refused nothing in {}; `coverage` says which",
                count(self.never_refused.len() as u64, "requirement"),
                count(games, "game")
            );
            found.push(self.counted(FindingKind::Never, games, text));
        }
        found
    }
}

fn link(one: &Linked) -> Finding {
    let name = &one.said;
    let (more, less) = match one.with {
        LinkedWith::Done => (
            format!("Who does `{name}` more often than the others"),
            "who does it less often",
        ),
        LinkedWith::Named => (
            format!("Who names {name} more often than the others"),
            "who names it less often",
        ),
        LinkedWith::Early => (
            format!("Who has more {name} than the others at a quarter of the game"),
            "who has less",
        ),
    };
    let dominates = one.more.value * 10_000 > one.even * DOMINATES;
    let worthless = one.more.value * DOMINATES < one.even * 10_000;
    let verdict = match one.with {
        LinkedWith::Done | LinkedWith::Named if dominates => ": it dominates",
        LinkedWith::Done | LinkedWith::Named if worthless => ": it seems never worth it",
        LinkedWith::Early if dominates => ": an early lead in it decides",
        _ => "",
    };
    Finding {
        kind: FindingKind::Links,
        text: format!(
            "{more} wins {}, {less} {} ({}){verdict}",
            one.more.percent(),
            one.less.percent(),
            count(one.games, "game")
        ),
        games: one.games,
        luck: Some(one.luck),
        stands_out: !verdict.is_empty(),
    }
}

/// The first of them, and how many more there are.
fn some(names: &[String]) -> String {
    let shown = names[..names.len().min(NAMES_TOLD)].join(", ");
    match names.len().saturating_sub(NAMES_TOLD) {
        0 => shown,
        more => format!("{shown} and {} more", decimal(more as i64, 0)),
    }
}
