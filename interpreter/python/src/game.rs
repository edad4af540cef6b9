//! A game being played.

use crate::arguments::{self, unfit};
use crate::diagnostic::{NotOffered, call_error, fault, refused, with};
use crate::door;
use crate::observation::Observation;
use crate::rules::{Lowered, Rules};
use editor::files;
use editor::written::{self, Why};
use interpreter::ask::Eyes;
use interpreter::bots::Patience;
use interpreter::explain;
use interpreter::game::{Played, Session};
use interpreter::observe::Observer;
use interpreter::playout::seat_name;
use interpreter::replay::{self, Differs, Ending, LineKind, Replay, Verdict};
use interpreter::stats::VICTORY_PARTS;
use interpreter::{Fault, State};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt};
use self_cell::self_cell;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

self_cell!(
    /// A play-test with the rules it is of.
    struct Play {
        owner: Arc<Lowered>,
        #[not_covariant]
        dependent: Session,
    }
);

impl Play {
    fn with<T>(&mut self, ask: impl for<'a> FnOnce(&'a Lowered, &mut Session<'a>) -> T) -> T {
        self.with_dependent_mut(|lowered, session| ask(lowered, session))
    }
}

/// A game being played: somebody is asked, or it is over. Decisions with one answer are taken by themselves.
#[pyclass(frozen, module = "trackwright")]
pub struct Game {
    lowered: Arc<Lowered>,
    play: Mutex<Play>,
}

/// An answer that is offered. Answers with the same key are the same.
#[pyclass(frozen, get_all, eq, hash, module = "trackwright")]
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its place in the offer, from 0.
    pub index: usize,
    /// How it is written in scenarios and recorded games: the same wherever it is offered.
    pub key: String,
    /// In words for people.
    pub text: String,
    /// What one must know of it.
    pub details: String,
}

impl PartialEq for Answer {
    fn eq(&self, other: &Answer) -> bool {
        self.key == other.key
    }
}

impl Eq for Answer {}

impl Hash for Answer {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

#[pymethods]
impl Answer {
    fn __str__(&self) -> String {
        match self.details.as_str() {
            "" => self.text.clone(),
            details => format!("{}  {details}", self.text),
        }
    }

    fn __repr__(&self) -> String {
        format!("<Answer {}: {}>", self.index, self.key)
    }
}

/// What came of a seat.
#[pyclass(frozen, get_all, module = "trackwright")]
#[derive(Clone, Debug)]
pub struct Place {
    pub seat: String,
    /// From 1.
    pub rank: u32,
    pub score: i32,
    /// Its part of the victory, from 0 to 1.
    pub won: f64,
}

#[pymethods]
impl Place {
    fn __repr__(&self) -> String {
        let Place {
            seat,
            rank,
            score,
            won,
        } = self;
        format!("<Place {seat}: rank {rank}, score {score}, won {won}>")
    }
}

/// An answer as it is given: its place in the offer, its key, or what a person would type.
pub enum Given {
    Index(i64),
    Typed(String),
}

fn given(answer: &Bound<'_, PyAny>) -> PyResult<Given> {
    if let Ok(one) = answer.cast::<Answer>() {
        return Ok(Given::Typed(one.get().key.clone()));
    }
    if let Ok(typed) = answer.extract() {
        return Ok(Given::Typed(typed));
    }
    match answer.extract::<i64>() {
        Ok(index) if !answer.is_instance_of::<PyBool>() => Ok(Given::Index(index)),
        Err(_) if answer.is_instance_of::<PyInt>() => {
            Err(not_offered("so many answers there are not", &[]))
        }
        _ => Err(unfit("answer", "an answer, its index or its key", answer)),
    }
}

#[pymethods]
impl Game {
    /// Sets up a game; without a number of seats for four, or what is nearest to it.
    ///
    /// Raises `CallError` if it is not for so many, `RulesFault` if the rules cannot go on.
    #[staticmethod]
    #[pyo3(signature = (rules, seed=1, seats=None))]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::rules)] rules: Bound<'_, Rules>,
        #[pyo3(from_py_with = arguments::seed)] seed: u64,
        #[pyo3(from_py_with = arguments::seats)] seats: Option<u32>,
    ) -> PyResult<Game> {
        Game::begin(rules.get().program(py, seats)?, seed)
    }

    /// Goes on with a game that `save`, or the program, wrote into a file.
    ///
    /// Raises `CallError` if it cannot be read, or does not go under these rules as it went.
    #[staticmethod]
    fn load(
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::rules)] rules: Bound<'_, Rules>,
        file: PathBuf,
    ) -> PyResult<Game> {
        let shown = file.display().to_string();
        let text = files::read_text(&file)
            .map_err(|(message, help)| call_error(&format!("`{shown}`: {message}"), &[help]))?;
        let followed = Followed::follow(py, rules.get(), &text)?;
        if !followed.complete {
            let help = "`Rules.replay` says how far it goes, and stands there".to_owned();
            let (why, help) = match followed.differs {
                Some(differs) => (
                    differs,
                    vec![
                        format!("`tw.rules_of(\"{shown}\")` are the rules it was played with"),
                        help,
                    ],
                ),
                None => (followed.told, vec![help]),
            };
            let message = format!("`{shown}` does not go as it went: {why}");
            return Err(call_error(&message, &help));
        }
        let none = || call_error(&format!("`{shown}` cannot be set up"), &[]);
        followed
            .game
            .map(|game| game.get().clone_(py))
            .ok_or_else(none)
    }

    /// The seats: `A`, `B`, …
    #[getter]
    fn seats(&self) -> Vec<String> {
        (0..self.lowered.program.players as usize)
            .map(seat_name)
            .collect()
    }

    /// The seat that is asked; none when the game is over.
    #[getter]
    fn seat(&self) -> Option<String> {
        let seat = self.lock().with(|_, session| session.seat());
        seat.map(|seat| seat_name(seat as usize))
    }

    #[getter]
    fn over(&self) -> bool {
        self.lock().with(|_, session| session.is_over())
    }

    #[getter]
    fn seed(&self) -> u64 {
        self.lock().with(|_, session| session.tree().seed)
    }

    /// What is asked, in words; none when the game is over.
    #[getter]
    fn question(&self) -> Option<String> {
        self.lock().with(|_, session| {
            let words = *session.words();
            (!session.is_over()).then(|| words.question(session.machine_mut()))
        })
    }

    /// A number of the question: the same wherever it is asked in games of these rules for so many players; -1 when the game is
    /// over.
    #[getter]
    fn question_number(&self) -> i64 {
        self.lock().with(|lowered, session| {
            let tree = session.tree();
            match session.is_over() {
                true => -1,
                false => tree.node(tree.current()).asked_pc(&lowered.program) as i64,
            }
        })
    }

    /// The answers that are offered.
    #[getter]
    fn answers(&self) -> Vec<Answer> {
        self.lock().with(|_, session| answers(session))
    }

    /// The keys of the answers that are offered, without their words.
    #[getter]
    fn keys(&self) -> Vec<String> {
        self.lock().with(|_, session| session.answers())
    }

    /// Answers: with an answer of `answers`, its index, its key, or what a person would type. Whether the game went on: where an
    /// answer proves to lead nowhere, it goes back to an earlier decision that does not offer it any more.
    ///
    /// Raises `NotOffered` with the reasons, or `RulesFault`: the game then stands where it stood.
    fn apply(&self, py: Python<'_>, #[pyo3(from_py_with = given)] answer: Given) -> PyResult<bool> {
        let at = self.place_of(answer)?;
        let played = py.detach(|| self.lock().with(|_, session| session.answer(at)));
        match played {
            Ok(played) => Ok(matches!(played, Played::On(_))),
            Err(found) => Err(self.fault(found)),
        }
    }

    /// Why an answer is not offered, written as a person would type it: a sentence for each reason. Empty: it is offered.
    ///
    /// Raises `CallError` if it cannot be read as an answer.
    fn why(&self, py: Python<'_>, answer: &str) -> PyResult<Vec<String>> {
        self.going_on()?;
        let reasons = py.detach(|| {
            self.lock().with(|lowered, session| {
                let (words, eyes) = (lowered.words(), Eyes::Of(session.seat()));
                let machine = session.machine_mut();
                match written::why(&words, machine, answer, eyes) {
                    Why::Unreadable => None,
                    Why::Offered => Some(Vec::new()),
                    Why::NotNow => Some(vec![format!(
                        "nothing is against it, but what is asked now is: {}",
                        words.question(machine)
                    )]),
                    Why::Refused(found) => Some(found.iter().map(|one| words.full(one)).collect()),
                }
            })
        });
        reasons.ok_or_else(|| unreadable(answer))
    }

    /// All that is not offered, each with the reasons.
    fn refused(&self, py: Python<'_>) -> PyResult<Vec<(String, Vec<String>)>> {
        self.going_on()?;
        let all = py.detach(|| {
            self.lock().with(|lowered, session| {
                let (words, eyes) = (lowered.words(), Eyes::Of(session.seat()));
                let all = explain::all_refused(&words, session.machine_mut(), eyes).into_iter();
                let full = all.map(|one| {
                    let reasons = one.reasons.iter().map(|reason| words.full(reason));
                    (one.said, reasons.collect())
                });
                full.collect()
            })
        });
        Ok(all)
    }

    /// What a seat may see; without a seat, what the one sees that is asked.
    ///
    /// Raises `CallError` if there is no such seat, or the game is over and none is named.
    #[pyo3(signature = (seat=None))]
    fn observe(&self, seat: Option<&str>) -> PyResult<Observation> {
        let seat = match seat {
            Some(seat) => Some(self.seat_named(seat)?),
            None => self.lock().with(|_, session| session.seat()),
        };
        let Some(seat) = seat else {
            let help = "name a seat".to_owned();
            return Err(call_error("the game is over, nobody is asked", &[help]));
        };
        let seen = self.lock().with(|lowered, session| {
            let mut state = State::new();
            session.machine().save(&mut state);
            Observer::new(&lowered.program).observe(&state, Some(seat))
        });
        Ok(Observation::new(self.lowered.clone(), seen))
    }

    /// The score of each seat, so far or at the end, as the seat that is asked sees it, or the one that is named. None: it rests
    /// on what is not seen, or the rules have no score.
    ///
    /// Raises `CallError` if there is no such seat.
    #[pyo3(signature = (seat=None))]
    fn scores(&self, seat: Option<&str>) -> PyResult<BTreeMap<String, Option<i32>>> {
        let viewer = seat.map(|seat| self.seat_named(seat)).transpose()?;
        Ok(self.lock().with(|lowered, session| {
            let eyes = match (session.is_over(), viewer.or(session.seat())) {
                (false, Some(seat)) => Eyes::Of(Some(seat)),
                _ => Eyes::Open,
            };
            let seats = 0..lowered.program.players;
            let score = |seat: u32| {
                let lines = session.machine_mut().scores_seen(seat, eyes);
                let known: Option<Vec<i32>> = lines.into_iter().collect();
                let known = known.filter(|lines| !lines.is_empty());
                (
                    seat_name(seat as usize),
                    known.map(|lines| lines.iter().sum()),
                )
            };
            seats.map(score).collect()
        }))
    }

    /// What came of each seat; none as long as the game goes on.
    #[getter]
    fn result(&self) -> Option<Vec<Place>> {
        self.lock().with(|lowered, session| {
            if !session.is_over() {
                return None;
            }
            let machine = session.machine_mut();
            let (ranks, winners) = (machine.ranks(), machine.winning_seats());
            let part = VICTORY_PARTS / (winners.len() as u64).max(1);
            let seats = (0..lowered.program.players).zip(ranks);
            let places = seats.map(|(seat, rank)| Place {
                seat: seat_name(seat as usize),
                rank,
                score: machine.score(seat),
                won: match winners.contains(&(seat as i32)) {
                    true => part as f64 / VICTORY_PARTS as f64,
                    false => 0.0,
                },
            });
            Some(places.collect())
        })
    }

    /// How the game ended, in words; none as long as it goes on.
    #[getter]
    fn ending(&self) -> Option<String> {
        self.lock().with(|_, session| {
            let words = *session.words();
            session.is_over().then(|| words.end(session.machine_mut()))
        })
    }

    /// All answers up to here: seat, key, and whether it was the only one. It tells all, hidden answers too.
    #[getter]
    fn log(&self) -> Vec<(String, String, bool)> {
        let replay = self.lock().with(|_, session| Replay::of_session(session));
        told(&replay).collect()
    }

    /// Which answer a bot would take here: `random`, `greedy`, `strategy:NAME`, `search`, `search:1000`, `learnt:FILE`. The same
    /// whenever it is asked.
    ///
    /// Raises `CallError` if there is no such bot, or the game is over; `RulesFault` if the rules cannot go on.
    fn bot_answer(&self, py: Python<'_>, bot: String) -> PyResult<Answer> {
        self.going_on()?;
        let lowered = &self.lowered;
        let bots = door(None).seated(&lowered.chosen, &[bot], lowered.program.players);
        let bots = bots.map_err(refused)?;
        let answer = py.detach(|| {
            self.lock().with(|_, session| {
                let Some(bot) = bots.first() else {
                    return Ok(None);
                };
                let at = session.bot_answer(bot, &Patience::OWN)?;
                Ok(at.and_then(|at| answers(session).into_iter().nth(at)))
            })
        });
        let answer = answer.map_err(|found| self.fault(found))?;
        answer.ok_or_else(|| call_error("there is nothing to answer", &[]))
    }

    /// Another game that stands where this one stands, with all that came before.
    fn clone(&self, py: Python<'_>) -> Game {
        self.clone_(py)
    }

    fn __copy__(&self, py: Python<'_>) -> Game {
        self.clone_(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> Game {
        self.clone_(py)
    }

    /// The game up to here as text, with all that is hidden, as the program records it.
    fn text(&self) -> String {
        let replay = self.lock().with(|_, session| Replay::of_session(session));
        replay::write(&replay)
    }

    /// Writes `text` into a file.
    ///
    /// Raises `CallError` if it cannot be written.
    fn save(&self, file: PathBuf) -> PyResult<()> {
        files::write_result(&file, self.text().as_bytes()).map_err(|error| {
            let message = format!("`{}` cannot be written: {error}", file.display());
            call_error(&message, &["name another file".to_owned()])
        })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Game>) -> PyResult<(Bound<'py, PyAny>, (Rules, String))> {
        let game = slf.get();
        let rules = Rules::of(game.lowered.chosen.clone());
        Ok((slf.get_type().getattr("_kept")?, (rules, game.text())))
    }

    /// A game as it was pickled.
    #[staticmethod]
    fn _kept(py: Python<'_>, rules: &Rules, text: &str) -> PyResult<Game> {
        let followed = Followed::follow(py, rules, text)?;
        let game = followed.game.filter(|_| followed.complete);
        let game = game.ok_or_else(|| call_error(&followed.told, &[]))?;
        Ok(game.get().clone_(py))
    }

    fn __repr__(&self) -> String {
        let asked = match self.seat() {
            Some(seat) => format!("{seat} is asked"),
            None => "over".to_owned(),
        };
        format!(
            "<trackwright.Game {}: {asked}>",
            self.lowered.chosen.rules.id
        )
    }
}

impl Game {
    /// Sets up a game.
    pub fn begin(lowered: Arc<Lowered>, seed: u64) -> PyResult<Game> {
        let play = Play::try_new(lowered.clone(), |lowered| {
            Session::new(&lowered.chosen.rules, &lowered.program, seed)
        });
        match play {
            Ok(play) => Ok(Game::of(play)),
            Err(found) => Err(fault(&door(None).fault(&lowered.chosen, found))),
        }
    }

    fn of(play: Play) -> Game {
        Game {
            lowered: play.borrow_owner().clone(),
            play: Mutex::new(play),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Play> {
        self.play.lock().unwrap_or_else(|e| e.into_inner())
    }

    fn clone_(&self, py: Python<'_>) -> Game {
        py.detach(|| {
            let tree = self.lock().with(|_, session| session.tree().clone());
            Game::of(Play::new(self.lowered.clone(), |lowered| {
                Session::resume(&lowered.chosen.rules, &lowered.program, tree)
            }))
        })
    }

    fn seat_named(&self, name: &str) -> PyResult<u32> {
        let mut seats = 0..self.lowered.program.players;
        let found = seats.find(|seat| seat_name(*seat as usize).eq_ignore_ascii_case(name));
        found.ok_or_else(|| {
            let help = format!("seats: {}", self.seats().join(", "));
            call_error(&format!("there is no seat `{name}`"), &[help])
        })
    }

    fn going_on(&self) -> PyResult<()> {
        match self.over() {
            true => Err(call_error("the game is over", &[])),
            false => Ok(()),
        }
    }

    fn fault(&self, found: Fault) -> PyErr {
        fault(&door(None).fault(&self.lowered.chosen, found))
    }

    /// The place in the offer of what was given.
    fn place_of(&self, given: Given) -> PyResult<usize> {
        self.going_on()?;
        let typed = match given {
            Given::Index(at) => {
                let offered = self
                    .lock()
                    .with(|_, session| session.machine().answers().len());
                let place = usize::try_from(at).ok().filter(|at| *at < offered);
                return place.ok_or_else(|| {
                    let message = format!("there is no answer {at}: they are 0 to {}", offered - 1);
                    not_offered(&message, &[])
                });
            }
            Given::Typed(typed) => typed,
        };
        let found = self.lock().with(|_, session| {
            let by_key = session.answers().iter().position(|key| *key == typed);
            by_key.map_or_else(
                || {
                    let words = *session.words();
                    let offers = words.offers(session.machine());
                    match offers.iter().position(|offer| offer.text == typed) {
                        Some(at) => vec![at],
                        None => written::meant(&words, session.machine(), &typed),
                    }
                },
                |at| vec![at],
            )
        });
        match found.as_slice() {
            [at] => Ok(*at),
            [] => {
                let reasons = Python::attach(|py| self.why(py, &typed))?;
                Err(not_offered(&format!("`{typed}` is not offered"), &reasons))
            }
            several => {
                let message = format!("`{typed}` may be {} of the answers", several.len());
                Err(not_offered(&message, &[]))
            }
        }
    }
}

fn unreadable(answer: &str) -> PyErr {
    let help = "write it as in a scenario: `claim(x, {red: 2})`".to_owned();
    call_error(&format!("`{answer}` cannot be read"), &[help])
}

fn not_offered(message: &str, reasons: &[String]) -> PyErr {
    let lines: String = reasons.iter().map(|one| format!("\n  {one}")).collect();
    with(NotOffered::new_err(format!("{message}{lines}")), |value| {
        value.setattr("reasons", reasons.to_vec())
    })
}

fn answers(session: &mut Session<'_>) -> Vec<Answer> {
    if session.is_over() {
        return Vec::new();
    }
    let offers = session.words().offers(session.machine());
    let each = session.answers().into_iter().zip(offers).enumerate();
    each.map(|(index, (key, offer))| Answer {
        index,
        key,
        text: offer.text,
        details: offer.details,
    })
    .collect()
}

/// The answers of a recorded game: seat, key, and whether it was the only one.
pub fn told(replay: &Replay) -> impl Iterator<Item = (String, String, bool)> {
    replay.lines.iter().filter_map(|line| match &line.kind {
        LineKind::Answer { seat, text, forced } => {
            Some((seat_name(*seat as usize), text.clone(), *forced))
        }
        LineKind::Chance { .. } | LineKind::End { .. } => None,
    })
}

/// A recorded game that was followed.
#[pyclass(frozen, get_all, module = "trackwright")]
pub struct Followed {
    /// All of its lines fit.
    pub complete: bool,
    /// The rules are other ones than those it was played with; that alone is no harm.
    pub other_rules: bool,
    /// The first thing in which they are other ones: another game, other overlays or options, or texts that have changed.
    pub differs: Option<String>,
    /// Lines that were followed.
    pub followed: usize,
    /// Line of the text that does not fit; 0 where the text ends, none where all fit.
    pub line: Option<u32>,
    /// What does not fit, in words; empty where all fits.
    pub told: String,
    /// What is offered there.
    pub offered: Vec<String>,
    /// The game as far as it could be followed; none if it could not even be set up.
    pub game: Option<Py<Game>>,
}

#[pymethods]
impl Followed {
    fn __repr__(&self) -> String {
        match self.complete {
            true => format!("<Followed: all {} lines>", self.followed),
            false => format!("<Followed: {} lines; {}>", self.followed, self.told),
        }
    }
}

impl Followed {
    /// Follows a recorded game.
    pub fn follow(py: Python<'_>, rules: &Rules, text: &str) -> PyResult<Followed> {
        let replay = replay::parse(text).map_err(|why| {
            let help = why
                .help("give the text that `Game.text` or `Game.save` wrote")
                .to_owned();
            call_error(&format!("the text {}", why.said("recorded game")), &[help])
        })?;
        let id = &rules.chosen.rules.id;
        if replay.game != *id {
            let help = format!("load it with the rules of `{}`", replay.game);
            let message = format!(
                "it is a game of `{}`, and these are the rules of `{id}`",
                replay.game
            );
            return Err(call_error(&message, &[help]));
        }
        let lowered = rules.program(py, Some(replay.players))?;
        let (verdict, play) = py.detach(|| {
            let mut verdict = None;
            let play = Play::try_new(lowered.clone(), |lowered| {
                let (found, session) =
                    replay::follow(&lowered.chosen.rules, &lowered.program, &replay);
                verdict = Some(found);
                session.ok_or(())
            });
            (verdict, play.ok())
        });
        let game = play.map(|play| Py::new(py, Game::of(play))).transpose()?;
        let Some(verdict) = verdict else {
            return Err(call_error("the game was not followed", &[]));
        };
        Ok(Followed::new(&verdict, game))
    }

    fn new(verdict: &Verdict, game: Option<Py<Game>>) -> Followed {
        let (line, told, offered) = match &verdict.ending {
            Ending::Complete { .. } => (None, String::new(), Vec::new()),
            Ending::Unfit { logged, now } => {
                (None, format!("then {logged}, now {now}"), Vec::new())
            }
            Ending::Diverged(one) => (
                Some(one.line),
                format!("line {}: then {}, now {}", one.line, one.logged, one.now),
                one.offered.clone(),
            ),
            Ending::Fault { line, fault } => (
                Some(*line),
                format!("line {line}: {}", fault.message),
                Vec::new(),
            ),
        };
        Followed {
            complete: verdict.is_complete(),
            other_rules: verdict.differs.is_some(),
            differs: verdict.differs.as_ref().map(Differs::said),
            followed: verdict.followed,
            line,
            told,
            offered,
            game,
        }
    }
}
