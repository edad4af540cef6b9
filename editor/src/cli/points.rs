//! Option values to be tried: `--set wagons_each=20..45..5`.

use super::select::{Chosen, Game, Overlays, Wanted};
use super::simulate::lowered;
use super::{Failure, Outcome, Shell};
use crate::values::values;
use dsl::ir::{GameOption, Ty};
use interpreter::Program;

/// More are not tried at once.
pub const POINTS_MAX: usize = 200;
/// Between the ends of a range, and before its step.
const TO: &str = "..";

/// An option and the values it is tried with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dial {
    pub option: String,
    pub values: Vec<String>,
}

/// Rules with one value for each dial.
pub struct Point {
    pub values: Vec<String>,
    pub chosen: Chosen,
    pub program: Program,
    pub players: u32,
}

impl Point {
    /// `wagons_each = 40, most_taken = 2`
    pub fn name(&self, dials: &[Dial]) -> String {
        let settings = dials.iter().zip(&self.values);
        let settings: Vec<String> = settings
            .map(|(dial, value)| format!("{} = {value}", dial.option))
            .collect();
        settings.join(", ")
    }
}

/// The dials that `--set` turns, at most two, and the rules at every combination of their values, the last dial turned first.
pub fn points(shell: &mut Shell, wanted: &Wanted) -> Outcome<(Vec<Dial>, Vec<Point>)> {
    let ranges = wanted.overlays.set.iter();
    let (ranges, fixed): (Vec<&String>, Vec<&String>) = ranges.partition(|set| set.contains(TO));
    let plain = Overlays {
        set: fixed.into_iter().cloned().collect(),
        ..wanted.overlays.clone()
    };
    let game = Game::open(shell, &wanted.game)?;
    let base = game.choose(shell, &plain)?;
    let players = base.players(wanted.players)?;
    let ranges: Vec<String> = ranges.into_iter().cloned().collect();
    let (dials, all) = settings(&base, &ranges)?;
    let mut points = Vec::new();
    for values in all {
        let overlays = overlays_at(&base, &dials, &values);
        let chosen = base.game.clone().choose(shell, &overlays)?;
        chosen.players(Some(players))?;
        let program = lowered(shell, &chosen, players)?;
        points.push(Point {
            values,
            chosen,
            program,
            players,
        });
    }
    Ok((dials, points))
}

/// What rules with other values of options are chosen with.
pub fn overlays_at(base: &Chosen, dials: &[Dial], values: &[String]) -> Overlays {
    let mut overlays = base.overlays();
    let settings = dials.iter().zip(values);
    let settings = settings.map(|(dial, value)| format!("{}={value}", dial.option));
    overlays.set.extend(settings);
    overlays
}

/// Dials by their ranges, at most two, and every combination of their values, the last dial turned first.
pub fn settings(base: &Chosen, ranges: &[String]) -> Outcome<(Vec<Dial>, Vec<Vec<String>>)> {
    let dials = ranges.iter().map(|text| dial(base, text));
    let dials = dials.collect::<Outcome<Vec<Dial>>>()?;
    if dials.is_empty() || dials.len() > 2 {
        return Err(Failure::call(
            format!("{} options to be tried", dials.len()),
            "give one or two of them a range: `--set OPTION=LOW..HIGH`, `--set OPTION=LOW..HIGH..STEP`, `--set OPTION=..` for all its values",
        ));
    }
    let combinations: usize = dials.iter().map(|dial| dial.values.len()).product();
    if combinations > POINTS_MAX {
        return Err(Failure::call(
            format!("{combinations} combinations are to be tried, more than {POINTS_MAX}"),
            "take a greater step: `--set OPTION=LOW..HIGH..STEP`",
        ));
    }
    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    for dial in &dials {
        let longer = all.iter().flat_map(|before| {
            let values = dial.values.iter();
            values.map(|value| [before.as_slice(), std::slice::from_ref(value)].concat())
        });
        all = longer.collect();
    }
    Ok((dials, all))
}

/// Reads `option=20..45`, `option=20..45..5` or `option=..`.
fn dial(base: &Chosen, text: &str) -> Outcome<Dial> {
    let (name, range) = text.split_once('=').unwrap_or((text, ""));
    let option = base
        .rules
        .options
        .iter()
        .find(|option| option.name == name.trim());
    let Some(option) = option else {
        let names: Vec<String> = base
            .rules
            .options
            .iter()
            .map(|one| one.name.clone())
            .collect();
        let help = match names.is_empty() {
            true => "this game has no options".to_owned(),
            false => format!("its options: {}", names.join(", ")),
        };
        let failure = Failure::call(format!("{} has no option `{name}`", base.rules.id), help);
        return Err(super::select::did_you_mean(failure, name, &names));
    };
    let values = match option.ty {
        Ty::Int { low, high } => numbers(option, range, (low, high))?,
        _ if range == TO => values(&base.rules, &option.ty),
        _ => {
            return Err(Failure::call(
                format!("`{name}` is no number"),
                format!("`--set {name}=..` tries all of its values"),
            ));
        }
    };
    Ok(Dial {
        option: option.name.clone(),
        values,
    })
}

fn numbers(
    option: &GameOption,
    range: &str,
    (least, most): (Option<i64>, Option<i64>),
) -> Outcome<Vec<String>> {
    let name = &option.name;
    let wrong = || {
        Failure::call(
            format!("`{range}` is no range of `{name}`"),
            format!(
                "write `--set {name}=LOW..HIGH` or `--set {name}=LOW..HIGH..STEP`, in whole numbers"
            ),
        )
    };
    let parts: Vec<&str> = range.split(TO).collect();
    let number = |text: &str| text.trim().parse::<i64>().map_err(|_| wrong());
    let end = |text: &str, own: Option<i64>| match text.trim().is_empty() {
        true => own.ok_or_else(wrong),
        false => number(text),
    };
    let (low, high, step) = match parts[..] {
        [low, high] => (end(low, least)?, end(high, most)?, 1),
        [low, high, step] => (end(low, least)?, end(high, most)?, number(step)?),
        _ => return Err(wrong()),
    };
    if step < 1 || low > high {
        return Err(wrong());
    }
    let count = (high - low) / step + 1;
    if count > POINTS_MAX as i64 {
        return Err(Failure::call(
            format!("`{name}` is to be tried with {count} values, more than {POINTS_MAX}"),
            format!(
                "take a greater step: `--set {name}={low}..{high}..{}`",
                (high - low) / 20 + 1
            ),
        ));
    }
    Ok((0..count).map(|at| (low + at * step).to_string()).collect())
}
