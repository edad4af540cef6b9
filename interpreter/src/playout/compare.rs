//! Two rule sets compared, game by game: both play games of the same seeds, in which chance falls alike wherever both ask for it,
//! so that what differs is what the rules make of it. Nothing is called different that luck could have made.

use super::figures::{Figure, Figures};
use super::hand::Hand;
use super::tally::{Row, Tally};
use super::work::Work;
use super::{PlayoutFault, Report, Spec, merged};
use crate::Program;
use crate::json::{Json, csv_field};
use crate::stats::written::{count, decimal, tenths};
use crate::stats::{Estimate, Pairs, luck, rounded};
use dsl::ir::RuleSet;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// Hundredths of the spread of one game from which on a difference is called small, middling and large (Cohen, 1988).
const EFFECTS: [(i64, &str); 3] = [(80, "large"), (50, "middling"), (20, "small")];
/// Of what differs so many are told in sentences.
const TOLD: usize = 6;
/// Nobody plays so many games to know.
const MORE_GAMES_MAX: u64 = 100_000_000;

/// One of the two rule sets, for the same number of players.
#[derive(Clone, Copy)]
pub struct Side<'s> {
    /// The rules as they are checked.
    pub rules: &'s RuleSet,
    /// The same, ready to be played.
    pub program: &'s Program,
}

/// What came of both, and what differs.
#[derive(Clone, Debug)]
pub struct Compared {
    /// What the games of the first side came to.
    pub first: Report,
    /// What the games of the second side came to.
    pub second: Report,
    /// Games that were the same in every figure.
    pub alike: u64,
    /// One for each figure that both or one of them have.
    pub changes: Vec<Change>,
    /// Of so many figures it was asked whether they differ: those that did in some game.
    pub questions: usize,
}

/// A figure under both rule sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// What is compared.
    pub figure: Figure,
    /// Means; none where this side has no such figure.
    pub first: Option<Estimate>,
    /// Its mean on the second side.
    pub second: Option<Estimate>,
    /// Games in which both have it; in how many of them the figure differed, and was greater with the second.
    pub games: u64,
    /// Pairs of games in which it differs.
    pub differing: u64,
    /// Those of them in which the second side has more.
    pub greater: u64,
    /// Second less first, game by game.
    pub difference: Option<Estimate>,
    /// The difference in hundredths of the spread (standard deviation) that games have under the first; none if they have none.
    pub effect: Option<i64>,
    /// How often luck alone makes so great a difference in any of the figures; 1 where nothing differs.
    pub luck: f64,
    /// How many games more it takes to be sure, should the difference be as it seems.
    pub more_games: Option<u64>,
}

impl Change {
    /// The difference is more than luck.
    pub fn is_sure(&self) -> bool {
        self.luck < luck::LEVEL
    }

    /// How large a difference is beside the spread of single games: `small`.
    pub fn size(&self) -> &'static str {
        // Games of the first side have no spread that it could be small beside.
        if self.is_beyond_spread() {
            return "in every game";
        }
        let effect = self.effect.map_or(0, i64::abs);
        let known = EFFECTS.iter().find(|(least, _)| effect >= *least);
        known.map_or("slight", |(_, name)| name)
    }

    /// It differs, and all games of the first side are alike in it.
    fn is_beyond_spread(&self) -> bool {
        self.effect.is_none() && self.differing > 0
    }

    /// Only one side has this figure.
    fn is_one_sided(&self) -> bool {
        self.first.is_none() || self.second.is_none()
    }

    /// Whether it differs, in a few words: `different, large`, `2,307 games more to know`.
    pub fn verdict(&self) -> String {
        match self.more_games {
            _ if self.is_one_sided() => "only there".to_owned(),
            _ if self.is_sure() => format!("different, {}", self.size()),
            Some(games) => format!("{} more to know", count(games, "game")),
            None => String::new(),
        }
    }

    /// How often luck alone makes so great a difference: `12.0 %`, `< 0.1 %`; nothing where only one side has the figure.
    pub fn luck_in_words(&self) -> String {
        let hundredths = (self.luck * 10_000.0).round() as i64;
        match hundredths {
            _ if self.difference.is_none() => String::new(),
            ..10 => "< 0.1 %".to_owned(),
            10_000.. => "100 %".to_owned(),
            _ => format!("{} %", tenths(hundredths, 2)),
        }
    }
}

/// Plays the games of `spec` under both. `progress` hears how many pairs are done.
///
/// # Errors
/// The first game in which the rules cannot go on, and whether that was under the second.
pub fn compare(
    first: Side<'_>,
    second: Side<'_>,
    spec: &Spec,
    progress: &(dyn Fn(u64) + Sync),
    cancel: &AtomicBool,
) -> Result<Compared, (bool, PlayoutFault)> {
    let mut comparison = Comparison::new(first, second);
    comparison.play(spec, progress, cancel)?;
    Ok(comparison.compared(spec))
}

/// Two rule sets that are being compared, some games after the other: what is known so far can be told between them.
pub struct Comparison<'s> {
    sides: [Side<'s>; 2],
    figures: [Figures; 2],
    columns: Vec<Column>,
    pairs: Vec<Pairs>,
    alike: u64,
    tallies: [Option<Tally>; 2],
}

impl<'s> Comparison<'s> {
    /// Of two rule sets for the same number of players, before the first game.
    pub fn new(first: Side<'s>, second: Side<'s>) -> Comparison<'s> {
        let sides = [first, second];
        let figures = sides.map(|side| Figures::new(side.rules, side.program));
        let columns = columns(&figures);
        Comparison {
            pairs: vec![Pairs::default(); columns.len()],
            sides,
            figures,
            columns,
            alike: 0,
            tallies: [None, None],
        }
    }

    /// Plays the games of `part` under both; each game must be in one part alone. `progress` hears how many pairs of it are done. Whether
    /// all of them were played, none was cancelled.
    ///
    /// # Errors
    /// The first game in which the rules cannot go on, and whether that was under the second.
    pub fn play(
        &mut self,
        part: &Spec,
        progress: &(dyn Fn(u64) + Sync),
        cancel: &AtomicBool,
    ) -> Result<bool, (bool, PlayoutFault)> {
        let (sides, figures) = (self.sides, &self.figures);
        let (columns, pairs, alike) = (&self.columns, &mut self.pairs, &mut self.alike);
        let mut done = 0;
        let work = Work::of(part, progress, cancel);
        let hand = |at: usize| Hand::new(sides[at].rules, sides[at].program, &figures[at], part);
        let played = work.play(
            &|| [hand(0), hand(1)],
            &|[one, other]: &mut [Hand<'_>; 2], game| {
                let first = one.game(game, cancel).map_err(|fault| (false, fault))?;
                let Some(first) = first else { return Ok(None) };
                let second = other.game(game, cancel).map_err(|fault| (true, fault))?;
                Ok(second.map(|second| [first, second]))
            },
            &mut |_, rows| {
                *alike += u64::from(note(columns, &rows, pairs));
                done += 1;
                ControlFlow::Continue(())
            },
        );
        let hands = played.map_err(|(game, (is_second, fault))| {
            let side = sides[usize::from(is_second)];
            let fault = PlayoutFault::of_bots(side.rules, side.program, part, (game, fault));
            (is_second, fault)
        })?;
        let (ones, others): (Vec<_>, Vec<_>) = hands.into_iter().map(Into::into).unzip();
        for (tally, hands) in self.tallies.iter_mut().zip([ones, others]) {
            let new = merged(hands);
            match tally {
                Some(tally) => tally.merge(&new),
                None => *tally = Some(new),
            }
        }
        Ok(done == part.games)
    }

    /// What came of the games so far; `whole` is what is played altogether.
    pub fn compared(&self, whole: &Spec) -> Compared {
        let report = |at: usize| {
            let tally = self.tallies[at].clone().unwrap_or_default();
            Report::new(self.sides[at].rules, self.sides[at].program, whole, tally)
        };
        let (first, second) = (report(0), report(1));
        let asked = self.pairs.iter().filter(|pairs| pairs.differing > 0);
        Compared {
            changes: changes(&self.figures, &self.columns, &self.pairs, [&first, &second]),
            questions: asked.count(),
            first,
            second,
            alike: self.alike,
        }
    }
}

/// Where each figure stands on both sides, those that only the second has last.
type Column = [Option<usize>; 2];

fn columns([first, second]: &[Figures; 2]) -> Vec<Column> {
    let own = first.all.iter().enumerate();
    let own = own.map(|(at, figure)| [Some(at), second.named(&figure.name)]);
    let more = second.all.iter().enumerate();
    let more = more.filter(|(_, figure)| first.named(&figure.name).is_none());
    own.chain(more.map(|(at, _)| [None, Some(at)])).collect()
}

/// Pairs the figures of a game; whether they are all the same.
fn note(columns: &[Column], rows: &[Row; 2], pairs: &mut [Pairs]) -> bool {
    let mut alike = true;
    for (column, pairs) in columns.iter().zip(pairs) {
        let value = |side: usize| column[side].and_then(|at| rows[side][at]);
        alike &= value(0) == value(1);
        if let (Some(first), Some(second)) = (value(0), value(1)) {
            pairs.add(first, second);
        }
    }
    alike
}

fn changes(
    figures: &[Figures; 2],
    columns: &[Column],
    pairs: &[Pairs],
    reports: [&Report; 2],
) -> Vec<Change> {
    // What never differs cannot differ by more than luck: it is no question.
    let asked = pairs.iter().filter(|pairs| pairs.differing > 0);
    let each: Vec<f64> = asked.map(Pairs::luck).collect();
    let questions = each.len();
    let mut corrected = luck::holm(&each).into_iter();
    let each = columns.iter().zip(pairs).filter_map(|(column, pairs)| {
        let (side, at) = match *column {
            [Some(at), _] => (0, at),
            [None, at] => (1, at?),
        };
        let figure = figures[side].all[at].clone();
        let luck = match pairs.differing {
            0 => 1.0,
            _ => corrected.next().unwrap_or(1.0),
        };
        let both = pairs.pairs > 0;
        // Where there are pairs, means and difference are of the same games.
        let mean = |side: usize| match both {
            true => Some(figure.unit.mean(&pairs.sides[side])),
            false => Some(reports[side].mean(column[side]?)),
        };
        let mean_difference = pairs.mean();
        let spread = column[0].map_or(0, |at| reports[0].of(at).spread());
        let effect = i128::from(mean_difference.value) * 100;
        let to_know = pairs.to_know(questions).filter(|_| luck >= luck::LEVEL);
        let more = to_know.map(|games| games.saturating_sub(pairs.pairs).max(1));
        let (first, second) = (mean(0), mean(1));
        Some(Change {
            difference: both.then(|| figure.unit.scaled(mean_difference)),
            figure,
            first,
            second,
            games: pairs.pairs,
            differing: pairs.differing,
            greater: pairs.greater,
            effect: (both && spread > 0).then(|| rounded(effect, spread.into()) as i64),
            luck,
            more_games: more.filter(|games| *games <= MORE_GAMES_MAX),
        })
    });
    each.collect()
}

impl Compared {
    /// What differs by more than luck, the largest difference first; and how it was asked.
    pub fn sure(&self) -> Vec<&Change> {
        let mut sure: Vec<&Change> = self.changes.iter().filter(|one| one.is_sure()).collect();
        sure.sort_by_key(|one| {
            let effect = match one.is_beyond_spread() {
                true => i64::MAX,
                false => one.effect.map_or(0, i64::abs),
            };
            std::cmp::Reverse(effect)
        });
        sure
    }

    /// The changes that are worth telling: what went differently in some game, and what only one side has.
    pub fn told(&self) -> impl Iterator<Item = &Change> {
        let changes = self.changes.iter();
        changes.filter(|change| change.differing > 0 || change.is_one_sided())
    }

    /// What was found, in sentences without full stop.
    pub fn findings(&self) -> Vec<String> {
        let games = self.first.games;
        if self.alike == games {
            let games = count(games, "game");
            return vec![format!(
                "In {games} nothing went differently: with these bots the second is the first"
            )];
        }
        let sure = self.sure();
        let mut found: Vec<String> = sure.iter().take(TOLD).map(|one| sentence(one)).collect();
        if let Some(more) = sure.len().checked_sub(TOLD).filter(|more| *more > 0) {
            found.push(format!(
                "{} more differ by more than luck",
                count(more, "figure")
            ));
        }
        if found.is_empty() {
            found.push(format!(
                "Nothing differs by more than luck in {}",
                count(games, "game")
            ));
        }
        found.push(format!(
            "{} of {} went alike; {} asked, corrected after Holm: luck alone calls even one of them different in at most 5 of 100 comparisons",
            self.alike,
            count(games, "game"),
            count(self.questions as u64, "question"),
        ));
        found
    }

    /// A row for each figure; what a row does not have is empty.
    pub fn to_csv(&self) -> String {
        let mut text =
            "name,label,games,first,second,difference,low,high,effect,luck,sure,more_games\n"
                .to_owned();
        for change in &self.changes {
            let decimals = change.figure.unit.decimals();
            let value = |value: Option<i64>, decimals: u32| {
                value.map_or_else(String::new, |value| decimal(value, decimals))
            };
            let one = |side: Option<Estimate>| value(side.map(|side| side.value), decimals);
            let row = [
                csv_field(&change.figure.name),
                csv_field(&change.figure.label),
                change.games.to_string(),
                one(change.first),
                one(change.second),
                one(change.difference),
                value(change.difference.map(|one| one.low), decimals),
                value(change.difference.map(|one| one.high), decimals),
                value(change.effect, 2),
                decimal(luck::millionths(change.luck), 6),
                change.is_sure().to_string(),
                change
                    .more_games
                    .map_or_else(String::new, |more| more.to_string()),
            ];
            text += &row.join(",");
            text.push('\n');
        }
        text
    }

    /// All numbers.
    pub fn to_json(&self) -> String {
        let mut json = Json::new();
        json.object(|o| {
            o.key("first").object(|o| self.first.write_head(o));
            o.key("second").object(|o| self.second.write_head(o));
            o.key("alike").number(self.alike);
            o.key("questions").number(self.questions as u64);
            o.key("findings")
                .array(|a| self.findings().iter().for_each(|one| a.string(one)));
            o.key("figures").array(|a| {
                self.changes
                    .iter()
                    .for_each(|one| a.object(|o| write(o, one)))
            });
        });
        json.finish()
    }
}

fn sentence(change: &Change) -> String {
    let decimals = change.figure.unit.decimals();
    let value =
        |side: Option<Estimate>| side.map_or_else(String::new, |side| tenths(side.value, decimals));
    let difference = change.difference.unwrap_or_default();
    let way = if difference.value < 0 { "less" } else { "more" };
    let (low, high) = match difference.value < 0 {
        true => (-difference.high, -difference.low),
        false => (difference.low, difference.high),
    };
    let games = count(change.games, "game");
    let size = match change.is_beyond_spread() {
        true => format!("a difference {} ({games})", change.size()),
        false => format!("a {} difference, in {games}", change.size()),
    };
    format!(
        "{}: {} → {}, {} {way} ({} to {}): {size}",
        change.figure.label,
        value(change.first),
        value(change.second),
        tenths(difference.value.abs(), decimals),
        tenths(low, decimals),
        tenths(high, decimals),
    )
}

fn write(o: &mut Json, change: &Change) {
    let decimals = change.figure.unit.decimals();
    o.key("name").string(&change.figure.name);
    o.key("label").string(&change.figure.label);
    o.key("games").number(change.games);
    o.key("differing").number(change.differing);
    o.key("greater").number(change.greater);
    for (name, estimate) in [
        ("first", change.first),
        ("second", change.second),
        ("difference", change.difference),
    ] {
        let Some(estimate) = estimate else { continue };
        o.key(name).object(|e| {
            e.key("value").decimal(estimate.value, decimals);
            e.key("low").decimal(estimate.low, decimals);
            e.key("high").decimal(estimate.high, decimals);
        });
    }
    if let Some(effect) = change.effect {
        o.key("effect").decimal(effect, 2);
    }
    o.key("luck").decimal(luck::millionths(change.luck), 6);
    o.key("sure").boolean(change.is_sure());
    if let Some(more) = change.more_games {
        o.key("more_games").number(more);
    }
}
