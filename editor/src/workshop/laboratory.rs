//! Many games of bots in the background: what the rules come to, what becomes of them at other values of an option, in which game
//! something happens, and what bots learn by playing.

pub mod beside;
mod run;

use super::checker::Checked;
use super::whole::Workshop;
use super::worker::{Desk, Waker, Worker};
use crate::{files, models};
use dsl::ir::RuleSet;
use interpreter::bots::{Bot, Model};
use interpreter::playout::{self, Compared, Looked, PlayoutFault, Report, Spec, Tried};
use interpreter::replay::Replay;
use run::{Run, opened};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Of search on what was learnt.
const STRONG_LOOKS: u32 = 1_000;
/// Ending of the files in which is written what bots have learnt.
pub const LEARNT: &str = "learnt";

/// What is to be found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trial {
    /// What the games come to; beside the same games with these overlays instead, if that is wanted.
    Games { beside: Option<beside::Overlays> },
    /// What they come to at each of these values of an option.
    Sweep { option: String, values: Vec<String> },
    /// The first games in which a condition holds, in the rules language.
    Find { condition: String },
    /// Bots learn by playing, for so many seconds; what they learn is written into a file.
    Train { seconds: u64, file: PathBuf },
}

/// Many games of bots.
#[derive(Clone, Debug)]
pub struct Order {
    /// Texts without mistakes.
    pub rules: Arc<Checked>,
    pub players: u32,
    pub games: u64,
    pub seed: u64,
    /// Of the seats in order, over again if there are fewer.
    pub bots: Vec<Bot>,
    pub threads: usize,
    pub trial: Trial,
}

impl Order {
    fn spec(&self) -> Spec {
        Spec {
            first: 0,
            games: self.games,
            seed: self.seed,
            bots: self.bots.clone(),
            threads: self.threads,
        }
    }
}

/// What came of them.
#[derive(Clone, Debug)]
pub enum Simulated {
    Alone(Box<Report>),
    /// The same games with other overlays or none, first, and both compared; as far as they have been played.
    Beside(Box<Compared>),
    /// At each value of an option, as far as they have been tried.
    Swept {
        option: String,
        reports: Vec<(String, Arc<Report>)>,
    },
    Found(Looked),
    Taught(Taught),
}

/// What bots have learnt.
#[derive(Clone, Debug)]
pub struct Taught {
    pub model: Arc<Model>,
    /// Games that taught nothing, because they had no end.
    pub endless: u64,
    /// The file it is written into; or why there is none.
    pub file: Result<String, String>,
}

impl Simulated {
    /// What came of the rules as they are, with all their overlays.
    pub fn report(&self) -> Option<&Report> {
        match self {
            Simulated::Alone(report) => Some(report),
            Simulated::Beside(compared) => Some(&compared.second),
            Simulated::Swept { .. } | Simulated::Found(_) | Simulated::Taught(_) => None,
        }
    }

    /// What they were compared with.
    pub fn compared(&self) -> Option<&Compared> {
        match self {
            Simulated::Beside(compared) => Some(compared),
            _ => None,
        }
    }
}

impl Simulated {
    /// All numbers as JSON; none of what has no form for it.
    pub fn to_json(&self) -> Option<String> {
        Some(match self {
            Simulated::Alone(report) => report.to_json(),
            Simulated::Beside(compared) => compared.to_json(),
            Simulated::Swept { option, reports } => playout::tried_to_json(&tried(option, reports)),
            Simulated::Found(_) | Simulated::Taught(_) => return None,
        })
    }

    /// All numbers as a table for spreadsheets; none of what has no form for it.
    pub fn to_csv(&self) -> Option<String> {
        Some(match self {
            Simulated::Alone(report) => report.to_csv(),
            Simulated::Beside(compared) => compared.to_csv(),
            Simulated::Swept { option, reports } => playout::tried_to_csv(&tried(option, reports)),
            Simulated::Found(_) | Simulated::Taught(_) => return None,
        })
    }
}

fn tried<'r>(option: &str, reports: &'r [(String, Arc<Report>)]) -> Vec<Tried<'r>> {
    let each = reports.iter().map(|(value, report)| Tried {
        options: vec![(option.to_owned(), value.clone())],
        report,
    });
    each.collect()
}

/// Why there is nothing to show.
#[derive(Clone, Debug)]
pub enum NotSimulated {
    /// The rules met a mistake in a game.
    Fault(Box<PlayoutFault>),
    /// What cannot be run, and why.
    CannotRun(String),
}

impl From<PlayoutFault> for NotSimulated {
    fn from(fault: PlayoutFault) -> NotSimulated {
        NotSimulated::Fault(Box::new(fault))
    }
}

type Outcome = Result<Simulated, NotSimulated>;

/// What the thread tells.
struct Told {
    /// Nothing more comes.
    whole: bool,
    outcome: Outcome,
}

/// One of the games that were played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameOf {
    /// By its own seed; shown as it stood after so many answers, or at its end.
    Seed { seed: u64, answers: Option<u32> },
    /// By its number, from 0.
    Number(u64),
    /// The first in which one of these figures lies between these, both included.
    Figure {
        figures: Vec<usize>,
        low: i64,
        high: i64,
    },
}

/// A game that is looked at again, to where it is shown.
type Opened = Result<(Replay, Option<u32>), String>;

/// A simulation that runs, or is done.
pub struct Simulation {
    worker: Worker<Order, Told>,
    opener: Worker<GameOf, Opened>,
    order: Order,
    done: Arc<AtomicU64>,
    asked: u64,
    begin: Instant,
    over: bool,
    /// While it runs: what is known so far.
    pub result: Option<Outcome>,
}

/// How far a simulation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub done: u64,
    /// None: it plays as long as there is time.
    pub asked: Option<u64>,
    pub elapsed: Duration,
    /// None: that cannot be said yet.
    pub left: Option<Duration>,
}

impl Simulation {
    /// Begins to play in the background.
    pub fn start(order: Order, waker: Waker) -> Simulation {
        let done = Arc::new(AtomicU64::new(0));
        let counter = done.clone();
        let worker = Worker::new(waker.clone(), move |order: Order, desk: &Desk<_>| {
            let outcome = Run::new(&order, &counter, desk).outcome();
            desk.send(Told {
                whole: true,
                outcome,
            });
        });
        let of = order.clone();
        let opener = Worker::new(waker, move |game: GameOf, desk: &Desk<_>| {
            desk.send(opened(&of, &game, desk.stop()));
        });
        worker.ask(order.clone());
        let rounds = match &order.trial {
            Trial::Sweep { values, .. } => values.len() as u64,
            Trial::Games { .. } | Trial::Find { .. } | Trial::Train { .. } => 1,
        };
        Simulation {
            worker,
            opener,
            asked: order.games.saturating_mul(rounds),
            order,
            done,
            begin: Instant::now(),
            over: false,
            result: None,
        }
    }

    /// Takes in what is known; whether it is done now.
    fn poll(&mut self) -> bool {
        let before = self.over;
        while let Some(told) = self.worker.poll() {
            self.over |= told.whole;
            self.result = Some(told.outcome);
        }
        self.over && !before
    }

    /// What was asked for.
    pub fn order(&self) -> &Order {
        &self.order
    }

    pub fn is_running(&self) -> bool {
        !self.over && self.worker.is_busy()
    }

    /// Whether a game of it is being played once more, to be looked at.
    pub fn is_opening(&self) -> bool {
        self.opener.is_busy()
    }

    /// Ends it early; the result is of the games that were played.
    pub fn cancel(&self) {
        // What was played is still told: only its stop is asked for.
        self.worker.cancel();
    }

    pub fn progress(&self) -> Progress {
        let done = self.done.load(Ordering::Relaxed);
        let elapsed = self.begin.elapsed();
        if let Trial::Train { seconds, .. } = self.order.trial {
            return Progress {
                done,
                asked: None,
                elapsed,
                left: Some(Duration::from_secs(seconds).saturating_sub(elapsed)),
            };
        }
        let left = self.asked.saturating_sub(done);
        Progress {
            done,
            asked: Some(self.asked),
            elapsed,
            left: (done > 0).then(|| {
                let millis =
                    elapsed.as_millis().saturating_mul(u128::from(left)) / u128::from(done);
                Duration::from_millis(millis.min(u128::from(u64::MAX)) as u64)
            }),
        }
    }
}

impl Workshop {
    /// Lets bots play many games in the background, instead of those that may be running.
    pub fn simulate(&mut self, mut order: Order) {
        order.threads = order.threads.max(1);
        self.simulation = Some(Simulation::start(order, self.waker()));
    }

    /// Plays one of the games of the simulation once more, in the background, and puts it into the play-test as
    /// [`Workshop::load_replay`] does.
    pub fn open_simulated(&self, game: GameOf) {
        if let Some(simulation) = &self.simulation {
            simulation.opener.ask(game);
        }
    }

    /// Whether a simulation is done since the last poll, and the game of it that is to be looked at.
    pub(super) fn poll_simulation(&mut self) -> (bool, Option<Opened>) {
        let Some(simulation) = &mut self.simulation else {
            return (false, None);
        };
        let done = simulation.poll();
        let opened = simulation.opener.poll();
        if let Some(Ok(Simulated::Taught(taught))) = simulation.result.as_ref().filter(|_| done) {
            let model = taught.model.clone();
            self.models.retain(|known| known.name != model.name);
            self.models.push(model);
        }
        (done, opened)
    }

    /// Bots that can sit down under these rules: those that need nothing else, and those that play by what was learnt.
    pub fn bots(&self, rules: &RuleSet) -> Vec<Bot> {
        let mut all = Bot::all_of(rules);
        for model in &self.models {
            all.push(Bot::Learnt(model.clone()));
            all.push(Bot::Search {
                looks: STRONG_LOOKS,
                model: Some(model.clone()),
            });
        }
        all
    }

    /// Where is written what bots learn of the game as it is now: in its folder, by what it is played with.
    pub fn lesson_file(&self, players: u32) -> Option<PathBuf> {
        let game = self.game()?;
        let parts = self.stack().iter().map(String::as_str);
        let parts: Vec<&str> = std::iter::once(game.id.as_str()).chain(parts).collect();
        let name = format!("{}-{players}.{LEARNT}", parts.join("+"));
        Some(game.folder.join(name))
    }
}

/// What bots have learnt, as it lies in the folder of a game; and what is wrong with files that cannot be read.
pub(super) fn models_in(folder: &Path) -> (Vec<Arc<Model>>, Vec<String>) {
    let (mut found, mut broken) = (Vec::new(), Vec::new());
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|ending| ending == LEARNT))
        .collect();
    paths.sort();
    for path in paths {
        let name = name_of(&path);
        let text = files::read_text(&path).map_err(|(message, _)| message);
        match text.and_then(|text| models::read(&name, &text)) {
            Ok(model) => found.push(Arc::new(model)),
            Err(why) => broken.push(format!("`{name}` is not what a bot has learnt: {why}")),
        }
    }
    (found, broken)
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}
