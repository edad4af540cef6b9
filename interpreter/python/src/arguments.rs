//! What calls are given, read with words for what is wrong: a wrong number is a `CallError`, what is of a wrong kind a
//! `TypeError`; both name the argument.

use crate::diagnostic::call_error;
use crate::rules::Rules;
use editor::cli::door::{GAMES_MAX, THREADS_MAX};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyMapping, PyString};

/// More do not sit at a table.
const SEATS_MAX: u64 = dsl::bounds::SEATS_MAX as u64;

/// What is of a wrong kind, and what is wanted.
pub fn unfit(name: &str, wants: &str, given: &Bound<'_, PyAny>) -> PyErr {
    let kind = given.get_type().name();
    let kind = kind.map_or_else(|_| "something else".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!(
        "`{name}` wants {wants}, and this is of the type `{kind}`"
    ))
}

/// A whole number within a range, both ends included.
fn number(given: &Bound<'_, PyAny>, name: &str, (low, high): (u64, u64)) -> PyResult<u64> {
    let wants = || unfit(name, "a whole number", given);
    if given.is_instance_of::<PyBool>() {
        return Err(wants());
    }
    let outside = || {
        let shown = given.str().map(|text| text.to_string());
        call_error(
            &format!("`{name}` is {}", shown.unwrap_or_default()),
            &[format!("give a whole number from {low} to {high}")],
        )
    };
    match given.extract::<u64>() {
        Ok(number) if (low..=high).contains(&number) => Ok(number),
        Ok(_) => Err(outside()),
        Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => Err(outside()),
        // Too great or below 0 all the same, whatever is said of it.
        Err(_) if given.is_instance_of::<PyInt>() => Err(outside()),
        Err(_) => Err(wants()),
    }
}

fn unless_none<'py, T>(
    given: &Bound<'py, PyAny>,
    read: impl FnOnce(&Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Option<T>> {
    match given.is_none() {
        true => Ok(None),
        false => read(given).map(Some),
    }
}

pub fn seed(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    number(given, "seed", (0, u64::MAX))
}

pub fn games(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    number(given, "games", (1, GAMES_MAX))
}

pub fn seats(given: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
    unless_none(given, |given| {
        let number = number(given, "seats", (1, SEATS_MAX))?;
        Ok(u32::try_from(number).unwrap_or(u32::MAX))
    })
}

pub fn threads(given: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    unless_none(given, |given| {
        let number = number(given, "threads", (1, THREADS_MAX as u64))?;
        Ok(usize::try_from(number).unwrap_or(THREADS_MAX))
    })
}

pub fn shard(given: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    unless_none(given, |given| {
        let text = given.extract();
        text.map_err(|_| unfit("shard", "a part and how many there are, as \"2/8\"", given))
    })
}

/// Rules, not the name of a game.
pub fn rules<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Rules>> {
    let rules = given.cast::<Rules>();
    let rules =
        rules.map_err(|_| unfit("rules", "rules, as `tw.load(\"a game\")` gives them", given));
    rules.cloned()
}

/// A list of texts, and no text, which is a list of letters.
fn texts(given: &Bound<'_, PyAny>, name: &str, wants: &str) -> PyResult<Vec<String>> {
    let read = || -> PyResult<Vec<String>> {
        let each = given.try_iter()?;
        each.map(|one| one?.extract::<String>()).collect()
    };
    let is_one = given.is_instance_of::<PyString>() || given.cast::<PyMapping>().is_ok();
    match is_one {
        true => Err(unfit(name, wants, given)),
        false => read().map_err(|_| unfit(name, wants, given)),
    }
}

pub fn overlays(given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    texts(given, "overlays", "a list of names, as [\"stations\"]")
}

/// Bots for each seat, or one for all.
pub fn bots(given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    match given.extract::<String>() {
        Ok(one) => Ok(vec![one]),
        Err(_) => texts(
            given,
            "bots",
            "the name of a bot, or a list of names, as [\"random\", \"greedy\"]",
        ),
    }
}

/// Bots that play against one another.
pub fn entrants(given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    texts(given, "bots", "a list of bots, as [\"random\", \"greedy\"]")
}

pub fn parts(given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    texts(given, "parts", "a list of the texts of parts")
}

/// Option values by name, or as `NAME=VALUE`, `NAME+=N`, `NAME-=N`; as they are written on the command line.
pub fn options(given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    match given.is_none() {
        true => Ok(Vec::new()),
        false => settings(given, "options", "values by name, as {\"wagons_each\": 30}"),
    }
}

/// Ranges of options to be tried.
pub fn ranges(given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let wants = "ranges by name, as {\"wagons_each\": \"20..45..5\"}";
    settings(given, "ranges", wants)
}

fn settings(given: &Bound<'_, PyAny>, name: &str, wants: &str) -> PyResult<Vec<String>> {
    let Ok(by_name) = given.cast::<PyMapping>() else {
        return texts(given, name, wants);
    };
    let mut all = Vec::new();
    for pair in by_name.items()?.iter() {
        let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
        let key = key.extract::<String>();
        let key = key.map_err(|_| unfit(name, wants, given))?;
        all.push(format!("{key}={}", written(&value)?));
    }
    Ok(all)
}

/// A value as rules write it.
pub fn written(value: &Bound<'_, PyAny>) -> PyResult<String> {
    match value.cast::<PyBool>() {
        Ok(truth) => Ok(truth.is_true().to_string()),
        Err(_) => Ok(value.str()?.to_string()),
    }
}
