//! Games found and compiled as they are asked for.

use crate::arguments;
use crate::diagnostic::{Diagnostic, diagnostics, refused};
use crate::door;
use crate::game::{Followed, Game};
use dsl::ir::{RuleSet, Value};
use editor::cli::door::{Chosen, Overlays};
use editor::values::shown;
use interpreter::Program;
use interpreter::observe::numbers_called;
use interpreter::words::Words;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// The rules of a game as they were asked for: checked, ready to be played.
#[pyclass(frozen, module = "trackwright")]
pub struct Rules {
    pub chosen: Arc<Chosen>,
    /// By number of players.
    programs: Mutex<BTreeMap<u32, Arc<Lowered>>>,
}

/// Rules for a number of players.
pub struct Lowered {
    pub chosen: Arc<Chosen>,
    pub program: Program,
}

impl Lowered {
    pub fn words(&self) -> Words<'_> {
        Words::new(&self.chosen.rules, &self.program).with_sources(&self.chosen.game.loaded.sources)
    }
}

impl Rules {
    pub fn new(chosen: Chosen) -> Rules {
        Rules::of(Arc::new(chosen))
    }

    pub fn of(chosen: Arc<Chosen>) -> Rules {
        Rules {
            chosen,
            programs: Mutex::default(),
        }
    }

    /// The program for so many players; without a number four, or what is nearest to it.
    pub fn program(&self, py: Python<'_>, seats: Option<u32>) -> PyResult<Arc<Lowered>> {
        let door = door(None);
        let players = door.players(&self.chosen, seats).map_err(refused)?;
        py.detach(|| {
            let mut programs = self.programs.lock().unwrap_or_else(|e| e.into_inner());
            if let Some(known) = programs.get(&players) {
                return Ok(known.clone());
            }
            let program = door.program(&self.chosen, players)?;
            let chosen = self.chosen.clone();
            let lowered = Arc::new(Lowered { chosen, program });
            programs.insert(players, lowered.clone());
            Ok(lowered)
        })
        .map_err(refused)
    }

    /// The texts, by their paths.
    fn sources(&self) -> BTreeMap<String, String> {
        let sources = &self.chosen.game.loaded.sources;
        let each = sources.ids().map(|id| {
            let file = sources.file(id);
            (file.path.clone(), sources.text(id).to_owned())
        });
        each.collect()
    }
}

/// Loads a game by its name or the path of its folder, with these overlays and option values, saying everything in this
/// language. `games` is the folder of the games; without it they are found as the command line finds them.
///
/// Raises `CallError` if there is no such game, overlay, option or value, `RulesError` if the texts have mistakes.
#[pyfunction]
#[pyo3(signature = (game, overlays=Vec::new(), options=Vec::new(), *, language=None, games=None))]
pub fn load(
    py: Python<'_>,
    game: PathBuf,
    #[pyo3(from_py_with = arguments::overlays)] overlays: Vec<String>,
    #[pyo3(from_py_with = arguments::options)] options: Vec<String>,
    language: Option<String>,
    games: Option<PathBuf>,
) -> PyResult<Rules> {
    let overlays = Overlays {
        with: overlays,
        set: options,
        language,
    };
    let door = door(games);
    let chosen = py.detach(|| door.choose(door.open(&game.to_string_lossy())?, &overlays));
    Ok(Rules::new(chosen.map_err(refused)?))
}

/// A game whose texts are given by their paths below the folder of the games: `{"harbour/game.toml": "…"}`. What they extend
/// and do not hold comes from the games folder. Where there are several games among them, `game` names the one that is meant.
///
/// Raises what `load` raises.
#[pyfunction]
#[pyo3(signature = (texts, game=None, overlays=Vec::new(), options=Vec::new(), language=None))]
pub fn from_texts(
    py: Python<'_>,
    texts: BTreeMap<String, String>,
    game: Option<String>,
    #[pyo3(from_py_with = arguments::overlays)] overlays: Vec<String>,
    #[pyo3(from_py_with = arguments::options)] options: Vec<String>,
    language: Option<String>,
) -> PyResult<Rules> {
    let overlays = Overlays {
        with: overlays,
        set: options,
        language,
    };
    let door = door(None);
    let chosen = py.detach(|| door.choose(door.texts(texts, game.as_deref())?, &overlays));
    Ok(Rules::new(chosen.map_err(refused)?))
}

/// The rules that a recorded game was played with: its game, with its overlays and option values.
///
/// Raises `CallError` if the file cannot be read, or there is no such game, overlay or option any more.
#[pyfunction]
#[pyo3(signature = (file, *, language=None, games=None))]
pub fn rules_of(
    py: Python<'_>,
    file: PathBuf,
    language: Option<String>,
    games: Option<PathBuf>,
) -> PyResult<Rules> {
    let door = door(games);
    let chosen = py.detach(|| door.rules_of(&file, language));
    Ok(Rules::new(chosen.map_err(refused)?))
}

/// A game that is checked: its name or path, or its texts.
pub enum Given {
    Texts(BTreeMap<String, String>),
    Named(PathBuf),
}

fn given(game: &Bound<'_, PyAny>) -> PyResult<Given> {
    if let Ok(name) = game.extract() {
        return Ok(Given::Named(name));
    }
    let texts = game.extract().map(Given::Texts);
    texts.map_err(|_| {
        arguments::unfit(
            "game",
            "the name or path of a game, or texts by their paths",
            game,
        )
    })
}

/// What is wrong with a game, in every declared combination of overlays and number of players, or in the one that is named.
/// `game` is a name, a path, or texts as `from_texts` takes them. An empty list: nothing.
///
/// Raises `CallError` if there is no such game or overlay.
#[pyfunction]
#[pyo3(signature = (game, overlays=Vec::new(), *, games=None))]
pub fn check(
    py: Python<'_>,
    #[pyo3(from_py_with = given)] game: Given,
    #[pyo3(from_py_with = arguments::overlays)] overlays: Vec<String>,
    games: Option<PathBuf>,
) -> PyResult<Vec<Diagnostic>> {
    let door = door(games);
    let found = py.detach(|| {
        let game = match game {
            Given::Texts(texts) => door.texts(texts, None)?,
            Given::Named(name) => door.open(&name.to_string_lossy())?,
        };
        door.check(&game, &overlays)
    });
    Ok(diagnostics(&found.map_err(refused)?))
}

/// The value of an option, as Python has it.
fn value<'py>(py: Python<'py>, rules: &RuleSet, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Int(number) => number.into_pyobject(py)?.into_any(),
        Value::Bool(truth) => truth.into_pyobject(py)?.to_owned().into_any(),
        Value::None => py.None().into_bound(py),
        other => shown(rules, other).into_pyobject(py)?.into_any(),
    })
}

/// What `__reduce__` gives: how to make the same rules again.
type Reduced = (
    BTreeMap<String, String>,
    String,
    Vec<String>,
    Vec<String>,
    Option<String>,
);

#[pymethods]
impl Rules {
    #[getter]
    fn id(&self) -> &str {
        &self.chosen.rules.id
    }

    /// With the titles of what is laid over it.
    #[getter]
    fn title(&self) -> String {
        self.chosen.title()
    }

    /// The least and the greatest number of players.
    #[getter]
    fn seats(&self) -> (u32, u32) {
        self.chosen.rules.players
    }

    /// The overlays that are laid over the game.
    #[getter]
    fn overlays(&self) -> Vec<String> {
        self.chosen.overlays().with
    }

    /// All overlays that the game has, with their titles.
    #[getter]
    fn known_overlays(&self) -> BTreeMap<String, String> {
        let all = self.chosen.manifest.overlays.iter();
        all.map(|one| (one.id.clone(), one.title.clone())).collect()
    }

    /// All options with their values: numbers, truth values, names.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let rules = &self.chosen.rules;
        let all = PyDict::new(py);
        for option in &rules.options {
            all.set_item(&option.name, value(py, rules, &option.value)?)?;
        }
        Ok(all)
    }

    /// The same for the same rules, wherever their texts lie.
    #[getter]
    fn fingerprint(&self) -> String {
        format!("{:016x}", self.chosen.rules.fingerprint())
    }

    /// The texts of the game and of what it extends, by their paths; `from_texts(rules.texts, rules.id)` takes them.
    #[getter]
    fn texts(&self) -> BTreeMap<String, String> {
        self.sources()
    }

    /// The same game with other option values.
    ///
    /// Raises `CallError` if there is no such option or value.
    fn with_options(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::options)] options: Vec<String>,
    ) -> PyResult<Rules> {
        let mut all = self.chosen.overlays();
        all.set.extend(options);
        let chosen = py.detach(|| door(None).choose(self.chosen.game.clone(), &all));
        Ok(Rules::new(chosen.map_err(refused)?))
    }

    /// The rules at every combination of option values, `{"wagons_each": "20..45..5"}`: what was set, and the rules. One or two
    /// options are turned.
    ///
    /// Raises `CallError` if a range cannot be read.
    fn points<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arguments::ranges)] ranges: Vec<String>,
    ) -> PyResult<Vec<(Bound<'py, PyDict>, Rules)>> {
        let points = py.detach(|| door(None).points(&self.chosen, &ranges));
        let (dials, points) = points.map_err(refused)?;
        let each = points.into_iter().map(|(_, chosen)| {
            let set = PyDict::new(py);
            for dial in &dials {
                let mut options = chosen.rules.options.iter();
                if let Some(option) = options.find(|option| option.name == dial.option) {
                    let value = value(py, &chosen.rules, &option.value)?;
                    set.set_item(&dial.option, value)?;
                }
            }
            Ok((set, Rules::new(chosen)))
        });
        each.collect()
    }

    /// Follows a recorded game, given as text.
    ///
    /// Raises `CallError` if it cannot be read.
    fn replay(&self, py: Python<'_>, text: &str) -> PyResult<Followed> {
        Followed::follow(py, self, text)
    }

    /// Sets up a game.
    ///
    /// Raises `CallError` if it is not for so many, `RulesFault` if the rules cannot go on.
    #[pyo3(signature = (seed=1, seats=None))]
    fn game(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::seed)] seed: u64,
        #[pyo3(from_py_with = arguments::seats)] seats: Option<u32>,
    ) -> PyResult<Game> {
        Game::begin(self.program(py, seats)?, seed)
    }

    /// What each of `Observation.numbers` is, in words.
    #[pyo3(signature = (seats=None))]
    fn numbers_called(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::seats)] seats: Option<u32>,
    ) -> PyResult<Vec<String>> {
        Ok(numbers_called(&self.program(py, seats)?.words()))
    }

    fn __repr__(&self) -> String {
        format!("<trackwright.Rules {}>", self.title())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Reduced)> {
        let made_by = py
            .import("trackwright._trackwright")?
            .getattr("from_texts")?;
        let overlays = self.chosen.overlays();
        let how = (
            self.sources(),
            self.chosen.game.id.clone(),
            overlays.with,
            overlays.set,
            overlays.language,
        );
        Ok((made_by, how))
    }
}
