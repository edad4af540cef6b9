//! What a seat sees.

use crate::rules::Lowered;
use interpreter::observe;
use interpreter::playout::seat_name;
use pyo3::prelude::*;
use std::sync::Arc;

/// What a seat may see of a game, and nothing else.
#[pyclass(frozen, module = "trackwright")]
pub struct Observation {
    lowered: Arc<Lowered>,
    seen: observe::Observation,
}

impl Observation {
    pub fn new(lowered: Arc<Lowered>, seen: observe::Observation) -> Observation {
        Observation { lowered, seen }
    }
}

#[pymethods]
impl Observation {
    /// Who looks.
    #[getter]
    fn seat(&self) -> Option<String> {
        self.seen.seat.map(|seat| seat_name(seat as usize))
    }

    /// Who is asked; none when the game is over.
    #[getter]
    fn asked(&self) -> Option<String> {
        self.seen.asked.map(|seat| seat_name(seat as usize))
    }

    /// In words, a line for each thing that is kept track of.
    #[getter]
    fn lines(&self) -> Vec<String> {
        self.lowered.words().observed(&self.seen)
    }

    /// As a row of whole numbers: as many, in the same order, at each moment of games of these rules for so many players.
    /// `Rules.numbers_called` says what each is. Elements are counted from 0; -1 is none, -2 what is there and not seen.
    #[getter]
    fn numbers(&self) -> Vec<i32> {
        self.seen.numbers(&self.lowered.program)
    }

    fn __str__(&self) -> String {
        self.lines().join("\n")
    }
}
