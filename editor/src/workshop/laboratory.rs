//! Many games of bots in the background: what the rules come to, what becomes of them at other values of an option, in which game
//! something happens, and what bots learn by playing.

use super::checker::Checked;
use super::whole::Workshop;
use super::worker::{Desk, Waker, Worker};
use crate::{files, models};
use dsl::assembly::Selection;
use dsl::diagnostic::Diagnostic;
use dsl::ir::{RuleSet, Ty};
use dsl::syntax::ast::AssignOp;
use interpreter::Program;
use interpreter::ask::Question;
use interpreter::bots::{Bot, Model};
use interpreter::playout::{
    self, Compared, LESSON_ANSWERS_MAX, Lesson, Looked, PlayoutFault, Report, Side, Spec, Tally,
    Tried, Untaught,
};
use interpreter::replay::{self, Replay};
use interpreter::stats::written::{count, grouped};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Games are told in so many parts, while others are still played.
const PARTS: u64 = 20;
/// A part has at least so many games for each thread.
const PART_GAMES: u64 = 8;
/// Games that are looked for; more than people open.
const FOUND_MAX: usize = 20;
/// Of search on what was learnt.
const STRONG_LOOKS: u32 = 1_000;
/// Ending of the files in which is written what bots have learnt.
pub const LEARNT: &str = "learnt";

/// What is to be found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trial {
    /// What the games come to; beside the same games of the game without overlays, if that is wanted.
    Games { beside_base: bool },
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

/// What came of them.
#[derive(Clone, Debug)]
pub enum Simulated {
    Alone(Box<Report>),
    /// The same games of the game without overlays, first, and both compared.
    Beside(Box<Compared>),
    /// At each value of an option, as far as they have been tried.
    Swept {
        option: String,
        reports: Vec<(String, Report)>,
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

fn tried<'r>(option: &str, reports: &'r [(String, Report)]) -> Vec<Tried<'r>> {
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

// -------------------------------------------------------------------------------------------------- in the background

/// An order that is being done.
struct Run<'r> {
    order: &'r Order,
    done: &'r AtomicU64,
    desk: &'r Desk<Told>,
    spec: Spec,
}

impl<'r> Run<'r> {
    fn new(order: &'r Order, done: &'r AtomicU64, desk: &'r Desk<Told>) -> Run<'r> {
        Run {
            order,
            done,
            desk,
            spec: Spec {
                first: 0,
                games: order.games,
                seed: order.seed,
                bots: order.bots.clone(),
                threads: order.threads,
            },
        }
    }

    fn outcome(&self) -> Outcome {
        match &self.order.trial {
            Trial::Games { beside_base: false } => self.alone(),
            Trial::Games { beside_base: true } => self.beside(),
            Trial::Sweep { option, values } => self.sweep(option, values),
            Trial::Find { condition } => self.find(condition),
            Trial::Train { seconds, file } => self.train(*seconds, file),
        }
    }

    fn so_far(&self, simulated: Simulated) {
        self.desk.send(Told {
            whole: false,
            outcome: Ok(simulated),
        });
    }

    fn progress(&self) -> impl Fn(u64) + Sync {
        let done = self.done;
        move |_| {
            done.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn play(
        &self,
        rules: &RuleSet,
        program: &Program,
        spec: &Spec,
    ) -> Result<Report, PlayoutFault> {
        let stop = self.desk.stop();
        playout::run(rules, program, spec, &self.progress(), stop, &mut |_, _| {})
    }

    /// Part by part, each told with those before it.
    fn alone(&self) -> Outcome {
        let (rules, program) = lowered(self.order)?;
        let threads = self.spec.threads as u64;
        let most = (self.spec.games / PARTS).max(PART_GAMES * threads).max(1);
        let begin = Instant::now();
        let mut tally: Option<Tally> = None;
        let mut first = 0;
        loop {
            let games = most.min(self.spec.games - first);
            let part = Spec {
                first,
                games,
                ..self.spec.clone()
            };
            let played = self.play(rules, &program, &part)?;
            let complete = played.is_complete();
            let all = match tally.take() {
                None => played.tally,
                Some(mut all) => {
                    all.merge(&played.tally);
                    all
                }
            };
            let mut report = Report::new(rules, &program, &self.spec, all.clone());
            report.elapsed = begin.elapsed();
            first += games;
            if first >= self.spec.games || !complete {
                return Ok(Simulated::Alone(Box::new(report)));
            }
            self.so_far(Simulated::Alone(Box::new(report)));
            tally = Some(all);
        }
    }

    fn beside(&self) -> Outcome {
        let (rules, program) = lowered(self.order)?;
        let base = of_selection(
            self.order,
            &Selection::default(),
            "the game without overlays",
        )?;
        let base_program = lower(&base, self.order.players)?;
        let side = |rules, program| Side { rules, program };
        let sides = (side(&base, &base_program), side(rules, &program));
        let stop = self.desk.stop();
        let compared = playout::compare(sides.0, sides.1, &self.spec, &self.progress(), stop);
        let compared = compared.map_err(|(_, fault)| fault)?;
        Ok(Simulated::Beside(Box::new(compared)))
    }

    fn sweep(&self, option: &str, values: &[String]) -> Outcome {
        let told = |reports| Simulated::Swept {
            option: option.to_owned(),
            reports,
        };
        let mut swept: Vec<(String, Report)> = Vec::new();
        for value in values {
            let mut selection = self.order.rules.selection.clone();
            selection.options.retain(|(name, _, _)| name != option);
            let set = (option.to_owned(), AssignOp::Set, value.clone());
            selection.options.push(set);
            let what = format!("the game with `{option} = {value}`");
            let rules = of_selection(self.order, &selection, &what)?;
            let program = lower(&rules, self.order.players)?;
            let report = self.play(&rules, &program, &self.spec)?;
            let complete = report.is_complete();
            swept.push((value.clone(), report));
            if !complete {
                break;
            }
            self.so_far(told(swept.clone()));
        }
        Ok(told(swept))
    }

    fn find(&self, condition: &str) -> Outcome {
        let (rules, mut program) = lowered(self.order)?;
        let checked = &self.order.rules;
        let asked = dsl::expression(&checked.sources, &checked.compiled, condition);
        let asked = asked.map_err(|wrong| cannot(condition_wrong(condition, &wrong)))?;
        if asked.0.ty != Ty::Bool {
            return Err(cannot(format!(
                "`{condition}` does not say whether something holds: compare it with something, as `A.score > 60`"
            )));
        }
        let question = Question::new(rules, &mut program, &asked, 0);
        let question = question.map_err(|error| cannot(error.message))?;
        let (progress, stop) = (self.progress(), self.desk.stop());
        let asked = (&question, FOUND_MAX);
        let looked = playout::find(rules, &program, &self.spec, asked, &progress, stop)?;
        Ok(Simulated::Found(looked))
    }

    fn train(&self, seconds: u64, file: &Path) -> Outcome {
        let (rules, program) = lowered(self.order)?;
        let lesson = Lesson {
            games: None,
            seed: self.order.seed,
            threads: self.order.threads,
            name: name_of(file),
        };
        let (begin, time) = (Instant::now(), Duration::from_secs(seconds));
        let enough = || self.desk.is_stopped() || begin.elapsed() >= time;
        let learnt = playout::train(rules, &program, &lesson, &self.progress(), &enough);
        let taught = learnt.map_err(|untaught| match untaught {
            Untaught::Fault(fault) => NotSimulated::Fault(fault),
            Untaught::NoEnd { endless: 0 } => {
                cannot("no game came to its end in this time: give it more".into())
            }
            Untaught::NoEnd { endless } => cannot(format!(
                "{} had not ended after {} answers, none came to its end, so nothing was learnt: an end is `finish now`, `me wins \"…\"`, or a loop `repeat n`",
                count(endless as usize, "game"),
                grouped(u64::from(LESSON_ANSWERS_MAX)),
            )),
        })?;
        let shown = file.display().to_string();
        let written = files::write(file, models::write(&taught.model).as_bytes());
        Ok(Simulated::Taught(Taught {
            model: Arc::new(taught.model),
            endless: taught.endless,
            file: written
                .map(|()| shown.clone())
                .map_err(|why| format!("`{shown}` cannot be written: {why}")),
        }))
    }
}

/// Plays a game of an order once more.
fn opened(order: &Order, game: &GameOf, stop: &AtomicBool) -> Opened {
    let (rules, program) = lowered(order).map_err(|why| match why {
        NotSimulated::CannotRun(why) => why,
        NotSimulated::Fault(fault) => fault.fault.message,
    })?;
    let spec = Spec {
        first: 0,
        games: order.games,
        seed: order.seed,
        bots: order.bots.clone(),
        threads: order.threads,
    };
    let (seed, answers) = match game {
        GameOf::Seed { seed, answers } => (*seed, *answers),
        GameOf::Number(number) => (playout::game_seed(order.seed, *number), None),
        GameOf::Figure { figures, low, high } => {
            let number = first_with(rules, &program, &spec, (figures, *low, *high), stop);
            let number = number.ok_or("no game was found there")?;
            (playout::game_seed(order.seed, number), None)
        }
    };
    let bots: Vec<Bot> = (0..program.players).map(|seat| spec.bot(seat)).collect();
    Ok((replay::played(rules, &program, &bots, seed), answers))
}

/// The first game of which one of the figures lies between two numbers.
fn first_with(
    rules: &RuleSet,
    program: &Program,
    spec: &Spec,
    (figures, low, high): (&[usize], i64, i64),
    stop: &AtomicBool,
) -> Option<u64> {
    let enough = AtomicBool::new(false);
    let mut found = None;
    let mut each = |game: u64, row: &playout::Row| {
        let mut values = figures
            .iter()
            .filter_map(|at| row.get(*at).copied().flatten());
        if found.is_none() && values.any(|value| (low..=high).contains(&value)) {
            found = Some(game);
        }
        if found.is_some() || stop.load(Ordering::Relaxed) {
            enough.store(true, Ordering::Relaxed);
        }
    };
    // A fault behind it is of no matter here; the simulation has told it.
    let _ = playout::run(rules, program, spec, &|_| {}, &enough, &mut each);
    found
}

fn cannot(why: String) -> NotSimulated {
    NotSimulated::CannotRun(why)
}

fn condition_wrong(condition: &str, wrong: &[Diagnostic]) -> String {
    let first = wrong.first();
    let message = first.map_or("it cannot be read", |one| one.message.as_str());
    format!("`{condition}`: {message}")
}

fn lower(rules: &RuleSet, players: u32) -> Result<Program, NotSimulated> {
    interpreter::lower(rules, players).map_err(|error| cannot(error.message))
}

/// The rules of an order, and what plays them.
fn lowered(order: &Order) -> Result<(&RuleSet, Program), NotSimulated> {
    let rules = order.rules.rules();
    let rules = rules.ok_or_else(|| cannot("the rules have mistakes".into()))?;
    Ok((rules, lower(rules, order.players)?))
}

/// The rules with other overlays or options, if they are for so many players.
fn of_selection(order: &Order, selection: &Selection, what: &str) -> Result<RuleSet, NotSimulated> {
    let checked = &order.rules;
    let compiled = dsl::compile(&checked.sources, &checked.game, selection);
    let why = match compiled.rules {
        Some(rules) if (rules.players.0..=rules.players.1).contains(&order.players) => {
            return Ok(rules);
        }
        Some(_) => format!("is not for {} players", order.players),
        None => {
            let first = compiled.diagnostics.first();
            let first = first.map_or_else(String::new, |one| format!(": {}", one.message));
            format!("has mistakes{first}")
        }
    };
    Err(cannot(format!("{what} {why}")))
}
