//! The Python package: games, play and simulations for Python, through the same code as the command line. Nothing of rules or
//! counting is done here.
#![cfg(feature = "wheel")]

mod arguments;
mod diagnostic;
mod game;
mod observation;
mod rules;
mod simulation;
mod spoken;
mod table;
mod tournament;
mod watched;

use diagnostic::refused;
use editor::cli::Context;
use editor::cli::door::Door;
use editor::surroundings;
use include_dir::{Dir, include_dir};
use pyo3::prelude::*;
use std::ffi::OsString;
use std::path::PathBuf;

/// The games as they were when the package was built.
static GAMES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../games");

/// The world as it is at this call.
fn door(games: Option<PathBuf>) -> Door {
    let context = Context {
        called: Some("trackwright".to_owned()),
        shipped: Some(&GAMES),
        ..surroundings::here()
    };
    Door { context, games }
}

/// The names of all games that are found: in `games`, in a folder `games` here or above, or those that came with the package.
#[pyfunction]
#[pyo3(signature = (games=None))]
fn games(games: Option<PathBuf>) -> PyResult<Vec<String>> {
    door(games).games().map_err(refused)
}

/// The command line. The result is the exit code.
#[pyfunction]
fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let context = door(None).context;
    py.detach(|| surroundings::run(arguments, &context))
}

#[pymodule]
fn _trackwright(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("Error", py.get_type::<diagnostic::Error>())?;
    module.add("CallError", py.get_type::<diagnostic::CallError>())?;
    module.add("RulesError", py.get_type::<diagnostic::RulesError>())?;
    module.add("RulesFault", py.get_type::<diagnostic::RulesFault>())?;
    module.add("NotOffered", py.get_type::<diagnostic::NotOffered>())?;
    module.add_class::<diagnostic::Diagnostic>()?;
    module.add_class::<rules::Rules>()?;
    module.add_class::<game::Game>()?;
    module.add_class::<game::Answer>()?;
    module.add_class::<game::Place>()?;
    module.add_class::<game::Followed>()?;
    module.add_class::<observation::Observation>()?;
    module.add_class::<simulation::Simulation>()?;
    module.add_class::<table::Table>()?;
    module.add_class::<tournament::Tournament>()?;
    module.add_function(wrap_pyfunction!(games, module)?)?;
    module.add_function(wrap_pyfunction!(main, module)?)?;
    module.add_function(wrap_pyfunction!(rules::load, module)?)?;
    module.add_function(wrap_pyfunction!(rules::from_texts, module)?)?;
    module.add_function(wrap_pyfunction!(rules::rules_of, module)?)?;
    module.add_function(wrap_pyfunction!(rules::check, module)?)?;
    module.add_function(wrap_pyfunction!(simulation::simulate, module)?)?;
    module.add_function(wrap_pyfunction!(simulation::may_simulate, module)?)?;
    module.add_function(wrap_pyfunction!(simulation::merge, module)?)?;
    module.add_function(wrap_pyfunction!(simulation::tried_json, module)?)?;
    module.add_function(wrap_pyfunction!(simulation::tried_csv, module)?)?;
    module.add_function(wrap_pyfunction!(tournament::tournament, module)?)?;
    module.add_function(wrap_pyfunction!(tournament::may_compete, module)?)?;
    module.add_function(wrap_pyfunction!(tournament::merge_tournament, module)?)?;
    Ok(())
}
