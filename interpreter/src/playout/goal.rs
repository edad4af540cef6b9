//! What option values shall lead to, in plain words, and how far games are from it.

use super::figures::Figures;
use super::report::Report;
use crate::stats::written::tenths;
use std::fmt;

/// How goals are written, for who wrote another one.
pub const GOALS: [&str; 6] = [
    "first seat wins as often as others",
    "seats win alike",
    "length about 40 turns",
    "FIGURE about N",
    "as little FIGURE as possible",
    "as much FIGURE as possible",
];

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The first seat wins as often as the others do on the average.
    FirstSeat,
    /// No seat wins more often than others: what the one that is furthest off is off.
    Alike,
    /// A figure, by its place, is about so much, in the decimals of its unit.
    About(usize, i64),
    /// The figure of this number is to be as small as possible.
    Least(usize),
    /// The figure of this number is to be as great as possible.
    Most(usize),
}

/// Why a text is no goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoGoal {
    /// It is written like none of [`GOALS`].
    Unknown(String),
    /// There is no such figure.
    Figure(String),
    /// That is no number.
    Number(String),
}

impl fmt::Display for NoGoal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoGoal::Unknown(goal) => write!(f, "nobody knows when `{goal}` is reached"),
            NoGoal::Figure(name) => write!(f, "games have no figure `{name}`"),
            NoGoal::Number(text) => write!(f, "`{text}` is no number"),
        }
    }
}

impl Goal {
    /// Reads a goal.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(text: &str, figures: &Figures) -> Result<Goal, NoGoal> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let figure = |name: &str| {
            let place = figures.named(name);
            place.ok_or_else(|| NoGoal::Figure(name.to_owned()))
        };
        let about = |name: &str, number: &str| {
            let place = figure(name)?;
            let decimals = figures.all[place].unit.decimals();
            let value = value(number, decimals);
            let value = value.ok_or_else(|| NoGoal::Number(number.to_owned()))?;
            Ok(Goal::About(place, value))
        };
        match words[..] {
            ["first", "seat", "wins", "as", "often", "as", "others"] => Ok(Goal::FirstSeat),
            ["seats", "win", "alike"] => Ok(Goal::Alike),
            ["length", "about", number, unit @ ("turns" | "answers")] => about(unit, number),
            [name, "about", number] => about(name, number),
            ["as", "little", name, "as", "possible"] => Ok(Goal::Least(figure(name)?)),
            ["as", "much", name, "as", "possible"] => Ok(Goal::Most(figure(name)?)),
            _ => Err(NoGoal::Unknown(text.to_owned())),
        }
    }

    /// How far games are from it: what is less is better. Of figures that shall be as great as possible it is less than 0.
    pub fn distance(&self, report: &Report) -> i64 {
        let players = report.figures.players.max(1) as i64;
        let wins = |seat: usize| report.wins(seat).value;
        let all: i64 = (0..report.figures.players).map(wins).sum();
        match *self {
            Goal::FirstSeat => (wins(0) - (all - wins(0)) / (players - 1).max(1)).abs(),
            Goal::Alike => {
                let off =
                    (0..report.figures.players).map(|seat| (wins(seat) - all / players).abs());
                off.max().unwrap_or(0)
            }
            Goal::About(figure, value) => (report.mean(figure).value - value).abs(),
            Goal::Least(figure) => report.mean(figure).value,
            Goal::Most(figure) => -report.mean(figure).value,
        }
    }

    /// The figure that it looks at, by its place.
    pub fn figure(&self, figures: &Figures) -> usize {
        match *self {
            Goal::FirstSeat | Goal::Alike => figures.wins(0),
            Goal::About(figure, _) | Goal::Least(figure) | Goal::Most(figure) => figure,
        }
    }

    /// The distance as text, as its figure is written.
    pub fn distance_in_words(&self, report: &Report) -> String {
        let unit = report.figures.all[self.figure(&report.figures)].unit;
        tenths(self.distance(report).abs(), unit.decimals())
    }

    /// How far luck may have moved it: half of the interval of its figure.
    pub fn sureness(&self, report: &Report) -> i64 {
        let mean = report.mean(self.figure(&report.figures));
        (mean.high - mean.low) / 2
    }
}

/// A number with so many decimals, if the text is one.
fn value(text: &str, decimals: u32) -> Option<i64> {
    let text = text.trim_end_matches('%');
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|digit| digit.is_ascii_digit());
    let number = whole.strip_prefix('-').unwrap_or(whole);
    if number.is_empty() || !digits(number) || !digits(rest) || rest.len() > decimals as usize {
        return None;
    }
    let all = format!("{whole}{rest:0<width$}", width = decimals as usize);
    all.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn numbers_are_read_in_the_decimals_of_their_unit() {
        assert_eq!(value("40", 3), Some(40_000));
        assert_eq!(value("-2.5", 3), Some(-2_500));
        assert_eq!(value("50%", 2), Some(5_000));
        for wrong in ["", "x", "1.2.3", "1.2345", "1e3", "99999999999999999999"] {
            assert_eq!(value(wrong, 3), None, "{wrong}");
        }
    }
}
