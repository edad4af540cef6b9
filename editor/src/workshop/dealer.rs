//! What may take long with a play-test, on a thread of its own: setting up, answering, bots, saved games, other rules; and why
//! things are not offered.

use super::checker::Checked;
use super::playtest::{Foreseen, Kept, Moment, NotOffered, Playable, Playtest, Reload, Way};
use super::worker::{Desk, Waker, Worker};
use dsl::diagnostic::Diagnostic;
use interpreter::Fault;
use interpreter::bots::{Bot, Opinion, Patience};
use interpreter::playout::{Look, Review};
use interpreter::replay::Replay;
use interpreter::words::Refusal;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What is to be done.
pub(super) enum Task {
    Begin {
        rules: Arc<Checked>,
        seed: u64,
        /// One entry a seat, none for a person.
        bots: Vec<Option<Bot>>,
    },
    /// A person's answers in a row, by their numbers.
    Answer(Playtest, Vec<usize>),
    /// One answer of the bot whose turn it is, which thinks so long; none: as long as it does by itself.
    Bot(Playtest, Option<Duration>),
    /// Under other rules; `now` is the version of the game that is looked at.
    Reload {
        game: Playtest,
        now: u64,
        rules: Arc<Checked>,
    },
    /// A saved game.
    Load(Arc<Checked>, Replay),
    /// A game as it was left.
    Resume(Arc<Checked>, Kept),
    /// A cell set by hand.
    Give {
        game: Playtest,
        cell: String,
        value: String,
    },
    /// A scenario that leads to where a game stands.
    Scenario { game: Playtest, title: String },
}

/// What a person is told to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    SettingUp,
    Answering,
    ForBot,
    Reloading,
    Loading,
    MakingScenario,
}

/// What came of it. `from` is the version of the game that was looked at.
pub(super) enum Dealt {
    Begun(Result<Playtest, Box<Diagnostic>>),
    Went {
        from: u64,
        game: Playtest,
        /// What is wrong with the rules; the game stands where it stood.
        fault: Option<Box<Diagnostic>>,
    },
    Reloaded {
        from: u64,
        old: Box<Playtest>,
        /// Version of the texts.
        texts: u64,
        game: Option<Playtest>,
        reload: Reload,
    },
    Loaded(Result<(Option<Playtest>, Reload), String>),
    /// Whether it goes as far as it went.
    Resumed(Result<(Playtest, bool), Box<Diagnostic>>),
    Given {
        from: u64,
        game: Result<Box<Playtest>, String>,
    },
    Scenario {
        title: String,
        text: Result<String, String>,
    },
}

pub(super) type Dealer = Worker<Task, Dealt>;

pub(super) fn dealer(waker: Waker) -> Dealer {
    Worker::new(waker, |task: Task, desk: &Desk<Dealt>| {
        desk.send(task.run(desk))
    })
}

impl Task {
    pub(super) fn waiting(&self) -> Waiting {
        match self {
            Task::Begin { .. } => Waiting::SettingUp,
            Task::Answer(..) => Waiting::Answering,
            Task::Bot(..) => Waiting::ForBot,
            Task::Reload { .. } => Waiting::Reloading,
            Task::Load(..) | Task::Resume(..) => Waiting::Loading,
            Task::Scenario { .. } => Waiting::MakingScenario,
            Task::Give { .. } => Waiting::SettingUp,
        }
    }

    fn run(self, desk: &Desk<Dealt>) -> Dealt {
        match self {
            Task::Begin { rules, seed, bots } => Dealt::Begun(begin(rules, seed, bots)),
            Task::Answer(game, all) => {
                went(game, |game| all.iter().try_for_each(|at| game.answer(*at)))
            }
            Task::Bot(game, time) => {
                let begin = Instant::now();
                let over = |time: Duration| begin.elapsed() >= time;
                let patience = Patience {
                    to_the_end: time.is_some(),
                    enough: &|| desk.is_stopped() || time.is_some_and(over),
                };
                went(game, |game| game.bot_step(&patience).map(|_| ()))
            }
            Task::Reload { game, now, rules } => {
                let texts = rules.version;
                let (new, reload) = reload(&game, rules);
                Dealt::Reloaded {
                    from: now,
                    old: Box::new(game),
                    texts,
                    game: new,
                    reload,
                }
            }
            Task::Load(rules, saved) => Dealt::Loaded(load(rules, &saved)),
            Task::Resume(rules, kept) => Dealt::Resumed(resume(rules, &kept)),
            Task::Give {
                mut game,
                cell,
                value,
            } => Dealt::Given {
                from: game.version(),
                game: game.with_given(&cell, &value).map(Box::new),
            },
            Task::Scenario { mut game, title } => {
                let text = game.scenario_here(&title);
                Dealt::Scenario { title, text }
            }
        }
    }
}

fn went(mut game: Playtest, go: impl FnOnce(&mut Playtest) -> Result<(), Fault>) -> Dealt {
    let from = game.version();
    let fault = go(&mut game).err().map(in_rules);
    Dealt::Went { from, game, fault }
}

fn begin(
    rules: Arc<Checked>,
    seed: u64,
    bots: Vec<Option<Bot>>,
) -> Result<Playtest, Box<Diagnostic>> {
    let game = Playable::new(rules, bots.len() as u32)?;
    Playtest::start(game, seed, bots).map_err(in_rules)
}

fn load(rules: Arc<Checked>, saved: &Replay) -> Result<(Option<Playtest>, Reload), String> {
    let game = Playable::new(rules, saved.players).map_err(|error| error.message)?;
    Ok(Playtest::follow(game, saved))
}

fn resume(rules: Arc<Checked>, kept: &Kept) -> Result<(Playtest, bool), Box<Diagnostic>> {
    let game = Playable::new(rules, kept.players())?;
    Playtest::resume(game, kept).map_err(in_rules)
}

fn in_rules(fault: Fault) -> Box<Diagnostic> {
    let diagnostic = Diagnostic::error("fault", fault.span, fault.message);
    Box::new(match fault.rule {
        Some(rule) => diagnostic.label(rule, "this would be broken"),
        None => diagnostic,
    })
}

fn reload(old: &Playtest, rules: Arc<Checked>) -> (Option<Playtest>, Reload) {
    match Playable::new(rules, old.players()) {
        Ok(game) => old.reload(game),
        Err(error) => {
            let reload = Reload::Unfit {
                logged: format!("a game of {} players", old.players()),
                now: error.message,
            };
            (None, reload)
        }
    }
}

// -------------------------------------------------------------------------------------------------- why not

/// Questions about what is not offered where a game stands.
pub(super) struct Doubt {
    pub game: Playtest,
    /// All that is within reach.
    pub all: bool,
    /// And what lies behind menus.
    pub behind: bool,
    /// Something that was typed.
    pub typed: Option<String>,
}

/// The answers, for a version of the game.
#[derive(Clone, Debug)]
pub struct WhyNot {
    pub version: u64,
    pub all: Option<Vec<NotOffered>>,
    /// The same of what would be asked behind a menu, where that was wanted.
    pub behind: Vec<NotOffered>,
    /// What was typed, with the reasons (none: it is offered), or what to write.
    pub typed: Option<(String, Result<Vec<Refusal>, String>)>,
}

pub(super) type Doubter = Worker<Doubt, WhyNot>;

pub(super) fn doubter(waker: Waker) -> Doubter {
    Worker::new(waker, |mut doubt: Doubt, desk: &Desk<WhyNot>| {
        let all = doubt.all.then(|| doubt.game.not_offered());
        let behind = doubt.behind.then(|| doubt.game.not_offered_behind());
        let typed = doubt.typed.map(|text| {
            let why = doubt.game.why_not(&text);
            (text, why)
        });
        desk.send(WhyNot {
            version: doubt.game.version(),
            all,
            behind: behind.unwrap_or_default(),
            typed,
        });
    })
}

// ---------------------------------------------------------------------------------------------- ways

/// What lies behind the menus where a game stands.
pub(super) type Scout = Worker<Playtest, (Moment, Vec<Way>)>;

pub(super) fn scout(waker: Waker) -> Scout {
    Worker::new(waker, |game: Playtest, desk: &Desk<_>| {
        desk.send((game.moment(), game.ways()));
    })
}

// ---------------------------------------------------------------------------------------------- hints

/// Ways that are tried for a hint, and how long at most.
const HINT_LOOKS: u32 = 4_000;
const HINT_TIME: Duration = Duration::from_secs(3);

/// What a search thinks of the answers where a game stands.
pub(super) type Advice = (Moment, Vec<Option<Opinion>>);

pub(super) fn adviser(waker: Waker) -> Worker<Playtest, Advice> {
    Worker::new(waker, |game: Playtest, desk: &Desk<Advice>| {
        let begin = Instant::now();
        let enough = || desk.is_stopped() || begin.elapsed() >= HINT_TIME;
        let opinions = game.hint(HINT_LOOKS, &enough);
        if !desk.is_stopped() {
            desk.send((game.moment(), opinions));
        }
    })
}

// ---------------------------------------------------------------------------------------------- reviews

/// Games that are played on from the begin of each turn.
const REVIEW_GAMES: u32 = 200;

/// Where a game that is over hung; or why that is not known.
pub(super) type Reviewed = (Moment, Result<Review, String>);

pub(super) fn reviewer(waker: Waker) -> Worker<Playtest, Reviewed> {
    Worker::new(waker, |game: Playtest, desk: &Desk<Reviewed>| {
        let look = Look {
            games: REVIEW_GAMES,
            seed: game.seed(),
            bot: Bot::Random,
            threads: std::thread::available_parallelism().map_or(1, |n| n.get()),
        };
        match game.review(&look, desk.stop()) {
            Ok(Some(found)) => desk.send((game.moment(), Ok(found))),
            Ok(None) => {}
            Err(fault) => desk.send((game.moment(), Err(fault.message))),
        }
    })
}

// ---------------------------------------------------------------------------------------------- previews

/// A game, and answers that a person thinks of giving, each some in a row.
pub(super) type Thought = (Playtest, Vec<Vec<usize>>);

/// How the table would stand behind them, where that can be known.
pub(super) type Previews = (Moment, Vec<(Vec<usize>, Option<Foreseen>)>);

pub(super) fn foreseer(waker: Waker) -> Worker<Thought, Previews> {
    Worker::new(waker, |(game, rows): Thought, desk: &Desk<Previews>| {
        let seen = rows.into_iter().map(|row| {
            let foreseen = game.preview(&row);
            (row, foreseen)
        });
        let seen = seen.collect();
        desk.send((game.moment(), seen));
    })
}
