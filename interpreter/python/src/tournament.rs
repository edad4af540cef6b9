//! Bots against one another.

use crate::arguments;
use crate::diagnostic::refused;
use crate::door;
use crate::rules::{Lowered, Rules};
use crate::simulation::{Find, asked, own, playout_fault};
use crate::watched::watched;
use editor::cli::door::Door;
use interpreter::playout::{self, Entry, Spec};
use interpreter::stats::Estimate;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bots that played one another, on every seat alike, and how they are rated.
#[pyclass(frozen, module = "trackwright")]
pub struct Tournament {
    lowered: Arc<Lowered>,
    result: playout::Tournament,
    all: Spec,
    first: u64,
}

/// Raises what `tournament` would raise of such a call, before anything is played.
#[pyfunction]
#[pyo3(signature = (rules, games, seed, *, seats=None, bots=Vec::new()))]
pub fn may_compete(
    py: Python<'_>,
    #[pyo3(from_py_with = arguments::rules)] rules: Bound<'_, Rules>,
    #[pyo3(from_py_with = arguments::games)] games: u64,
    #[pyo3(from_py_with = arguments::seed)] seed: u64,
    #[pyo3(from_py_with = arguments::seats)] seats: Option<u32>,
    #[pyo3(from_py_with = arguments::entrants)] bots: Vec<String>,
) -> PyResult<()> {
    let bots = (Door::entrants as Find, &bots[..]);
    asked(py, rules.get(), (games, seed), seats, bots, None).map(drop)
}

/// Lets bots play against one another, each on every seat as often as the others, and rates them. The same games and numbers as
/// `trackwright tournament`. `shard` and `progress` are those of `simulate`.
///
/// Raises `CallError`, or `RulesFault` for the first game in which the rules cannot go on.
#[pyfunction]
#[pyo3(signature = (rules, bots=vec!["random".to_owned(), "greedy".to_owned()], games=200, seed=1, *, seats=None, threads=None, shard=None, progress=None))]
#[allow(clippy::too_many_arguments)] // Most of them by name.
pub fn tournament(
    py: Python<'_>,
    #[pyo3(from_py_with = arguments::rules)] rules: Bound<'_, Rules>,
    #[pyo3(from_py_with = arguments::entrants)] bots: Vec<String>,
    #[pyo3(from_py_with = arguments::games)] games: u64,
    #[pyo3(from_py_with = arguments::seed)] seed: u64,
    #[pyo3(from_py_with = arguments::seats)] seats: Option<u32>,
    #[pyo3(from_py_with = arguments::threads)] threads: Option<usize>,
    #[pyo3(from_py_with = arguments::shard)] shard: Option<String>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Tournament> {
    let bots = (Door::entrants as Find, &bots[..]);
    let (lowered, all) = asked(py, rules.get(), (games, seed), seats, bots, threads)?;
    let own = own(shard.as_deref(), &all)?;
    let entry = Entry::of(&own, false);
    let (rules, program) = (&lowered.chosen.rules, &lowered.program);
    let result = watched(py, entry.games, progress.as_ref(), |told, cancel| {
        playout::tournament(rules, program, &entry, told, cancel)
    })?;
    Ok(Tournament {
        result: result.map_err(|met| playout_fault(&lowered, met))?,
        first: entry.first,
        all,
        lowered,
    })
}

/// A tournament of all its parts (`Tournament.part`), in any order: what the whole would have come to, to the byte.
///
/// Raises `CallError` if they are not all parts of one tournament under these rules, once each.
#[pyfunction]
pub fn merge_tournament(
    py: Python<'_>,
    #[pyo3(from_py_with = arguments::rules)] rules: Bound<'_, Rules>,
    #[pyo3(from_py_with = arguments::parts)] parts: Vec<String>,
) -> PyResult<Tournament> {
    let (door, rules) = (door(None), rules.get());
    let players = door.players_of(&rules.chosen, &parts).map_err(refused)?;
    let lowered = rules.program(py, Some(players))?;
    let merged = py.detach(|| door.merged_tournament((&lowered.chosen, &lowered.program), &parts));
    let result = merged.map_err(refused)?;
    Ok(Tournament {
        first: 0,
        all: Spec {
            first: 0,
            games: result.games,
            seed: result.seed,
            bots: result.bots.clone(),
            threads: 1,
        },
        result,
        lowered,
    })
}

/// In percent.
fn percent(share: Estimate) -> (f64, f64, f64) {
    let one = |value: i64| value as f64 / 100.0;
    (one(share.value), one(share.low), one(share.high))
}

#[pymethods]
impl Tournament {
    /// Games that were played.
    #[getter]
    fn games(&self) -> u64 {
        self.result.games
    }

    /// On the scale of chess, around 1500.
    #[getter]
    fn ratings(&self) -> BTreeMap<String, i64> {
        let bots = self.result.bots.iter().map(ToString::to_string);
        bots.zip(self.result.ratings()).collect()
    }

    /// Victories a seat in percent, and between which they lie 19 of 20 times.
    #[getter]
    fn wins(&self) -> BTreeMap<String, (f64, f64, f64)> {
        let bots = self.result.bots.iter().enumerate();
        let each = bots.map(|(at, bot)| (bot.to_string(), percent(self.result.wins(at))));
        each.collect()
    }

    /// How often the first of two had the better place, in percent, and between which it lies 19 of 20 times.
    #[getter]
    fn better(&self) -> BTreeMap<(String, String), (f64, f64, f64)> {
        let bots = &self.result.bots;
        let pairs = (0..bots.len()).flat_map(|one| (0..bots.len()).map(move |two| (one, two)));
        let pairs = pairs.filter(|(one, two)| one != two);
        let each = pairs.map(|(one, two)| {
            let names = (bots[one].to_string(), bots[two].to_string());
            (names, percent(self.result.better(one, two)))
        });
        each.collect()
    }

    /// All numbers, as `trackwright tournament --json` writes them.
    #[getter]
    fn json(&self) -> String {
        self.result.to_json(&self.lowered.chosen.rules)
    }

    /// What was counted, for `merge_tournament`.
    #[getter]
    fn part(&self) -> PyResult<String> {
        let of = (&*self.lowered.chosen, &self.lowered.program);
        let part = door(None).tournament_part(of, &self.all, self.first, &self.result);
        part.map_err(refused)
    }

    fn __repr__(&self) -> String {
        let ratings: Vec<String> = self
            .ratings()
            .into_iter()
            .map(|(bot, rating)| format!("{bot} {rating}"))
            .collect();
        format!(
            "<trackwright.Tournament of {} games: {}>",
            self.result.games,
            ratings.join(", ")
        )
    }
}
