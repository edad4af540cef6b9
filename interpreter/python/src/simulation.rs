//! Many games of bots: the report that the command line makes, and the games as tables.

use crate::arguments;
use crate::diagnostic::{RulesFault, call_error, diagnostics, refused, with};
use crate::door;
use crate::game::told;
use crate::rules::{Lowered, Rules};
use crate::table::{Table, arrow_error};
use crate::watched::watched;
use arrow_array::builder::{
    BooleanBuilder, Float64Builder, Int64Builder, StringDictionaryBuilder, UInt32Builder,
    UInt64Builder,
};
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch};
use arrow_schema::{Field, Schema, SchemaRef};
use editor::cli::door::{Called, Chosen, Door, Shard};
use interpreter::bots::Bot;
use interpreter::playout::{
    self, Figures, PlayoutFault, Report, Row, Spec, Tried, Unit, game_seed, seat_name,
};
use interpreter::replay::Replay;
use interpreter::stats::VICTORY_PARTS;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Rows that are handed on together.
const BATCH_ROWS: usize = 65_536;

/// What many games came to. Everything that the program counts is the same here, to the byte.
#[pyclass(frozen, module = "trackwright")]
pub struct Simulation {
    lowered: Arc<Lowered>,
    report: Report,
    /// All games it is a part of, and the first of its own.
    all: Spec,
    first: u64,
    /// A column for each figure; none of games that were merged.
    columns: Option<Vec<Int64Array>>,
    decisions: Option<Table>,
}

/// The games of the part that is meant by `2/8`; all without one.
pub fn own(shard: Option<&str>, all: &Spec) -> PyResult<Spec> {
    let Some(text) = shard else {
        return Ok(all.clone());
    };
    let shard = Shard::read(text);
    let shard = shard.map_err(|why| call_error(&format!("`shard` is \"{text}\""), &[why]))?;
    door(None).own(shard, all).map_err(refused)
}

/// Finds bots by their names for so many players.
pub type Find = fn(&Door, &Chosen, &[String], u32) -> Called<Vec<Bot>>;

/// What is asked of bots that play on these rules: the program, and the games.
pub fn asked(
    py: Python<'_>,
    rules: &Rules,
    (games, seed): (u64, u64),
    seats: Option<u32>,
    (find, bots): (Find, &[String]),
    threads: Option<usize>,
) -> PyResult<(Arc<Lowered>, Spec)> {
    let lowered = rules.program(py, seats)?;
    let door = door(None);
    let bots = find(&door, &lowered.chosen, bots, lowered.program.players);
    let all = Spec {
        first: 0,
        games,
        seed,
        bots: bots.map_err(refused)?,
        threads: threads.unwrap_or(door.context.threads),
    };
    Ok((lowered, all))
}

/// Raises what `simulate` would raise of such a call, before anything is played.
#[pyfunction]
#[pyo3(signature = (rules, games, seed, *, seats=None, bots=vec!["random".to_owned()]))]
pub fn may_simulate(
    py: Python<'_>,
    #[pyo3(from_py_with = arguments::rules)] rules: Bound<'_, Rules>,
    #[pyo3(from_py_with = arguments::games)] games: u64,
    #[pyo3(from_py_with = arguments::seed)] seed: u64,
    #[pyo3(from_py_with = arguments::seats)] seats: Option<u32>,
    #[pyo3(from_py_with = arguments::bots)] bots: Vec<String>,
) -> PyResult<()> {
    let bots = (Door::seated as Find, &bots[..]);
    asked(py, rules.get(), (games, seed), seats, bots, None).map(drop)
}

/// A fault of the rules met in one of many games.
pub fn playout_fault(lowered: &Lowered, met: PlayoutFault) -> PyErr {
    let found = door(None).fault(&lowered.chosen, met.fault);
    let text: Vec<String> = diagnostics(&found)
        .into_iter()
        .map(|one| one.text)
        .collect();
    let number = met.game + 1;
    let text = format!("{}\nthis was game {number}", text.join("\n\n"));
    with(RulesFault::new_err(text), |value| {
        value.setattr("diagnostics", diagnostics(&found))?;
        value.setattr("game", number)?;
        value.setattr("seed", met.seed)?;
        value.setattr("replay", met.replay)
    })
}

/// Lets bots play, on all cores and without Python's lock. The same games and numbers as `trackwright simulate`, on any number of
/// threads. `bots` sit seat by seat, over again if there are fewer; `shard="2/8"` plays the second of eight parts; with
/// `decisions` each of them is kept, for which the games are played once more. `progress` hears `(done, of)`.
///
/// Raises `CallError`, or `RulesFault` for the first game in which the rules cannot go on.
#[pyfunction]
#[pyo3(signature = (
    rules, games=1_000, seed=1, *, seats=None, bots=vec!["random".to_owned()], threads=None, shard=None, decisions=false,
    progress=None
))]
#[allow(clippy::too_many_arguments)] // All but two by name.
pub fn simulate(
    py: Python<'_>,
    #[pyo3(from_py_with = arguments::rules)] rules: Bound<'_, Rules>,
    #[pyo3(from_py_with = arguments::games)] games: u64,
    #[pyo3(from_py_with = arguments::seed)] seed: u64,
    #[pyo3(from_py_with = arguments::seats)] seats: Option<u32>,
    #[pyo3(from_py_with = arguments::bots)] bots: Vec<String>,
    #[pyo3(from_py_with = arguments::threads)] threads: Option<usize>,
    #[pyo3(from_py_with = arguments::shard)] shard: Option<String>,
    decisions: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Simulation> {
    let bots = (Door::seated as Find, &bots[..]);
    let (lowered, all) = asked(py, rules.get(), (games, seed), seats, bots, threads)?;
    let spec = own(shard.as_deref(), &all)?;
    let (rules, program) = (&lowered.chosen.rules, &lowered.program);
    let mut columns: Vec<Int64Builder> = Vec::new();
    columns.resize_with(Figures::new(rules, program).all.len(), Int64Builder::new);
    let mut each = |_, row: &Row| {
        let values = columns.iter_mut().zip(row);
        values.for_each(|(column, value)| column.append_option(*value));
    };
    let passes = 1 + u64::from(decisions);
    let report = watched(
        py,
        spec.games * passes,
        progress.as_ref(),
        |told, cancel| playout::run(rules, program, &spec, told, cancel, &mut each),
    )?;
    let report = report.map_err(|met| playout_fault(&lowered, met))?;
    let decisions = match decisions {
        false => None,
        true => {
            let mut rows = Decisions::default();
            watched(
                py,
                spec.games * passes,
                progress.as_ref(),
                |told, cancel| {
                    let told = |done| told(spec.games + done);
                    let mut each = |game, replay: &Replay| rows.note(game, replay);
                    playout::told(rules, program, &spec, &told, cancel, &mut each);
                },
            )?;
            Some(rows.finish()?)
        }
    };
    let columns = columns.iter_mut().map(Int64Builder::finish).collect();
    Ok(Simulation {
        report,
        first: spec.first,
        all,
        columns: Some(columns),
        decisions,
        lowered,
    })
}

/// A simulation of all its parts (`Simulation.part`), in any order: what the whole would have come to, to the byte. It has no
/// tables of games.
///
/// Raises `CallError` if they are not all parts of one simulation of these rules, once each.
#[pyfunction]
pub fn merge(
    py: Python<'_>,
    #[pyo3(from_py_with = arguments::rules)] rules: Bound<'_, Rules>,
    #[pyo3(from_py_with = arguments::parts)] parts: Vec<String>,
) -> PyResult<Simulation> {
    let (door, rules) = (door(None), rules.get());
    let players = door.players_of(&rules.chosen, &parts).map_err(refused)?;
    let lowered = rules.program(py, Some(players))?;
    let merged = py.detach(|| door.merged((&lowered.chosen, &lowered.program), &parts));
    let (report, all) = merged.map_err(refused)?;
    Ok(Simulation {
        report,
        first: 0,
        all,
        columns: None,
        decisions: None,
        lowered,
    })
}

/// What was tried, as `trackwright sweep --json` writes it.
#[pyfunction]
pub fn tried_json(tried: Vec<(Bound<'_, PyDict>, Bound<'_, Simulation>)>) -> PyResult<String> {
    Ok(playout::tried_to_json(&self::tried(&tried)?))
}

/// What was tried, as `trackwright sweep --csv` writes it.
#[pyfunction]
pub fn tried_csv(tried: Vec<(Bound<'_, PyDict>, Bound<'_, Simulation>)>) -> PyResult<String> {
    Ok(playout::tried_to_csv(&self::tried(&tried)?))
}

fn tried<'t>(tried: &'t [(Bound<'_, PyDict>, Bound<'_, Simulation>)]) -> PyResult<Vec<Tried<'t>>> {
    let each = tried.iter().map(|(set, simulation)| {
        let options = set.iter();
        let options =
            options.map(|(name, value)| Ok((name.extract()?, arguments::written(&value)?)));
        Ok(Tried {
            options: options.collect::<PyResult<_>>()?,
            report: &simulation.get().report,
        })
    });
    each.collect()
}

#[pymethods]
impl Simulation {
    /// Games that were played.
    #[getter]
    fn games(&self) -> u64 {
        self.report.games
    }

    #[getter]
    fn seed(&self) -> u64 {
        self.report.seed
    }

    /// Who sat on which seat.
    #[getter]
    fn bots(&self) -> Vec<String> {
        self.report.bots.iter().map(ToString::to_string).collect()
    }

    /// Seconds that it took.
    #[getter]
    fn seconds(&self) -> f64 {
        self.report.elapsed.as_secs_f64()
    }

    /// The mean of each figure, and between which it lies 19 of 20 times; shares in percent.
    #[getter]
    fn figures(&self) -> BTreeMap<String, (f64, f64, f64)> {
        let all = self.report.figures.all.iter().enumerate();
        let each = all.map(|(at, figure)| {
            let mean = self.report.mean(at);
            let one = |value: i64| value as f64 / 10f64.powi(figure.unit.decimals() as i32);
            (
                figure.name.clone(),
                (one(mean.value), one(mean.low), one(mean.high)),
            )
        });
        each.collect()
    }

    /// What stands out, in sentences.
    #[getter]
    fn findings(&self) -> Vec<String> {
        let all = self.report.findings().into_iter();
        all.map(|finding| finding.text).collect()
    }

    /// All numbers, as `trackwright simulate --json` writes them.
    #[getter]
    fn json(&self) -> String {
        self.report.to_json()
    }

    /// All numbers, as `trackwright simulate --csv` writes them.
    #[getter]
    fn csv(&self) -> String {
        self.report.to_csv()
    }

    /// A page with findings and plots, as `trackwright simulate --html` writes it.
    #[getter]
    fn html(&self) -> String {
        door(None).page((&self.lowered.chosen, &self.lowered.program), &self.report)
    }

    /// What was counted, as `trackwright simulate --shard K/N --save` writes it, for `merge`.
    #[getter]
    fn part(&self) -> PyResult<String> {
        let of = (&*self.lowered.chosen, &self.lowered.program);
        let part = door(None).part(of, &self.all, self.first, &self.report);
        part.map_err(refused)
    }

    /// A row a game and seat: who sat there, its part of the victory in percent, its score and its lines, and how long the game was.
    ///
    /// Raises `CallError` if the simulation was merged of parts.
    #[getter]
    fn by_seat(&self) -> PyResult<Table> {
        let columns = self.columns()?;
        let figures = &self.report.figures;
        let games = columns.first().map_or(0, Array::len);
        let seats = figures.players;
        let rows = (0..games).flat_map(|game| (0..seats).map(move |seat| (game, seat)));
        let value = |at: usize, game: usize| {
            let column = &columns[at];
            column.is_valid(game).then(|| column.value(game))
        };
        let mut table = Columns::default();
        self.which_games(rows.clone().map(|(game, _)| game), &mut table);
        table.words("seat", rows.clone().map(|(_, seat)| Some(seat_name(seat))));
        let bots = self.bots();
        table.words("bot", rows.clone().map(|(_, seat)| bots.get(seat).cloned()));
        table.shares(
            "wins",
            rows.clone()
                .map(|(game, seat)| value(figures.wins(seat), game)),
        );
        if figures.score(0).is_some() {
            let score = |(game, seat): (usize, usize)| value(figures.score(seat)?, game);
            table.numbers("score", rows.clone().map(score));
            let lines = self.report.lines.iter().enumerate();
            for (line, name) in lines.filter(|_| self.report.lines.len() > 1) {
                let score = |(game, seat)| value(figures.line(seat, line), game);
                table.numbers(&format!("score.{name}"), rows.clone().map(score));
            }
        }
        if let Some(turns) = figures.turns() {
            table.numbers("turns", rows.clone().map(|(game, _)| value(turns, game)));
        }
        table.numbers(
            "answers",
            rows.clone().map(|(game, _)| value(figures.answers(), game)),
        );
        let ends: Vec<(usize, &str)> = (0..)
            .zip(&figures.all)
            .filter_map(|(at, figure)| Some((at, figure.name.strip_prefix("end.")?)))
            .collect();
        let end = |game: usize| {
            let mut ends = ends.iter();
            let end = ends.find(|(at, _)| value(*at, game).is_some_and(|part| part > 0))?;
            Some(end.1.to_owned())
        };
        table.words("end", rows.map(|(game, _)| end(game)));
        table.finish()
    }

    /// A row a game: all figures, as `trackwright simulate --games-csv` writes them; shares in percent.
    ///
    /// Raises `CallError` if the simulation was merged of parts.
    #[getter]
    fn by_game(&self) -> PyResult<Table> {
        let columns = self.columns()?;
        let games = columns.first().map_or(0, Array::len);
        let mut table = Columns::default();
        self.which_games(0..games, &mut table);
        for (figure, column) in self.report.figures.all.iter().zip(columns) {
            match figure.unit {
                Unit::Number => table.add(&figure.name, Arc::new(column.clone())),
                Unit::Share => table.shares(&figure.name, column.iter()),
                Unit::Thousandths => {
                    let values = column.iter();
                    table.floats(&figure.name, values.map(|one| Some(one? as f64 / 1_000.0)));
                }
            }
        }
        table.finish()
    }

    /// A row a decision: whose it was, what was answered, and whether that was the only answer.
    ///
    /// Raises `CallError` if they were not asked for.
    #[getter]
    fn by_decision(&self) -> PyResult<Table> {
        self.decisions.clone().ok_or_else(|| {
            let help = "play with `simulate(…, decisions=True)`".to_owned();
            call_error("decisions were not kept", &[help])
        })
    }

    fn __repr__(&self) -> String {
        let report = &self.report;
        format!(
            "<trackwright.Simulation {}: {} games of {} players, seed {}>",
            report.title, report.games, report.players, report.seed
        )
    }
}

impl Simulation {
    fn columns(&self) -> PyResult<&[Int64Array]> {
        self.columns.as_deref().ok_or_else(|| {
            let help = "take the tables of its parts".to_owned();
            call_error("what is merged of parts has no games", &[help])
        })
    }

    /// The number of each game, from 1, and its seed.
    fn which_games(&self, games: impl Iterator<Item = usize> + Clone, table: &mut Columns) {
        let number = |game: usize| self.first + game as u64;
        let mut numbers = UInt64Builder::new();
        let mut seeds = UInt64Builder::new();
        for game in games {
            numbers.append_value(number(game) + 1);
            seeds.append_value(game_seed(self.all.seed, number(game)));
        }
        table.add("game", Arc::new(numbers.finish()));
        table.add("seed", Arc::new(seeds.finish()));
    }
}

/// A table that is being made.
#[derive(Default)]
struct Columns {
    fields: Vec<Field>,
    arrays: Vec<ArrayRef>,
}

impl Columns {
    fn add(&mut self, name: &str, array: ArrayRef) {
        self.fields
            .push(Field::new(name, array.data_type().clone(), true));
        self.arrays.push(array);
    }

    fn numbers(&mut self, name: &str, values: impl Iterator<Item = Option<i64>>) {
        let mut column = Int64Builder::new();
        values.for_each(|value| column.append_option(value));
        self.add(name, Arc::new(column.finish()));
    }

    fn floats(&mut self, name: &str, values: impl Iterator<Item = Option<f64>>) {
        let mut column = Float64Builder::new();
        values.for_each(|value| column.append_option(value));
        self.add(name, Arc::new(column.finish()));
    }

    /// In percent.
    fn shares(&mut self, name: &str, values: impl Iterator<Item = Option<i64>>) {
        let percent = |parts: i64| (parts * 100) as f64 / VICTORY_PARTS as f64;
        self.floats(name, values.map(|parts| parts.map(percent)));
    }

    fn words(&mut self, name: &str, values: impl Iterator<Item = Option<String>>) {
        let mut column = StringDictionaryBuilder::<Int32Type>::new();
        values.for_each(|value| column.append_option(value));
        self.add(name, Arc::new(column.finish()));
    }

    fn finish(self) -> PyResult<Table> {
        let schema: SchemaRef = Arc::new(Schema::new(self.fields));
        let all = RecordBatch::try_new(schema.clone(), self.arrays);
        let all = all.map_err(|error| arrow_error(&error))?;
        let starts = (0..all.num_rows()).step_by(BATCH_ROWS);
        let batches = starts.map(|at| all.slice(at, BATCH_ROWS.min(all.num_rows() - at)));
        Ok(Table::new(schema, batches.collect()))
    }
}

/// Decisions that are being noted.
#[derive(Default)]
struct Decisions {
    games: UInt64Builder,
    numbers: UInt32Builder,
    seats: StringDictionaryBuilder<Int32Type>,
    answers: StringDictionaryBuilder<Int32Type>,
    only: BooleanBuilder,
}

impl Decisions {
    fn note(&mut self, game: u64, replay: &Replay) {
        for (number, (seat, answer, only)) in (1..).zip(told(replay)) {
            self.games.append_value(game + 1);
            self.numbers.append_value(number);
            self.seats.append_value(seat);
            self.answers.append_value(answer);
            self.only.append_value(only);
        }
    }

    fn finish(mut self) -> PyResult<Table> {
        let mut table = Columns::default();
        table.add("game", Arc::new(self.games.finish()));
        table.add("decision", Arc::new(self.numbers.finish()));
        table.add("seat", Arc::new(self.seats.finish()));
        table.add("answer", Arc::new(self.answers.finish()));
        table.add("only", Arc::new(self.only.finish()));
        table.finish()
    }
}
