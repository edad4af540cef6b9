//! How fast games are played, what a state weighs, how long loading takes. At the end a table of ratios, the yardstick's
//! game first: Ticket to Ride (USA) written directly in Rust, in the same run.

mod yardstick;

use divan::Bencher;
use dsl::assembly::Selection;
use dsl::source::SourceSet;
use interpreter::playout::{Table, game_seed};
use interpreter::{Machine, Program, State, Stop};
use std::fmt;
use std::hint::black_box;
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use tests::games;
use yardstick::{Move, Rng, Tables};

fn main() {
    divan::main();
    if !std::env::args().any(|arg| arg == "--list" || arg == "--test") {
        print_table();
        print_combinations();
    }
}

const USA: &str = "ticket-to-ride-usa";
/// How long each row of the table is measured.
const ROW: Duration = Duration::from_secs(2);

/// A game and its number of players.
#[derive(Clone, Copy, PartialEq)]
struct Setting(&'static str, u32);

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} players", self.0, self.1)
    }
}

impl fmt::Debug for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

const SETTINGS: [Setting; 8] = [
    Setting(USA, 2),
    Setting(USA, 4),
    Setting("ticket-to-ride-maerklin", 4),
    Setting("chess", 2),
    Setting("russian-railroads", 4),
    Setting("railroad-revolution", 4),
    Setting("cube-express", 4),
    Setting("schwarze-lok", 4),
];

static SOURCES: LazyLock<SourceSet> = LazyLock::new(games::sources);

fn program(setting: Setting) -> Program {
    let rules = games::rules(&SOURCES, setting.0).expect("the game compiles");
    interpreter::lower(&rules, setting.1).expect("the game can be lowered")
}

fn tables() -> Tables {
    let read = |name| {
        let path = games::folder().join(USA).join("components").join(name);
        std::fs::read_to_string(path).expect("a component file")
    };
    Tables::load(
        &read("map.toml"),
        &read("train_cards.toml"),
        &read("tickets.toml"),
    )
    .expect("tables")
}

/// Plays one game; the number of its answers.
fn play(table: &mut Table<'_>, seed: u64) -> u64 {
    let mut stop = table.start(seed).expect("no fault");
    while stop == Stop::Decision {
        stop = table.step().expect("no fault");
    }
    for seat in 0..table.machine.program().players {
        black_box(table.machine.score(seat));
    }
    table.answers().into()
}

// ---------------------------------------------------------------------------------------------------- whole games

#[divan::bench(args = SETTINGS)]
fn game(bencher: Bencher, setting: Setting) {
    let program = program(setting);
    let mut table = Table::hasty(&program, vec![]);
    let mut number = 0;
    bencher.bench_local(|| {
        number += 1;
        play(&mut table, game_seed(1, number))
    });
}

#[divan::bench(args = [2, 4])]
fn yardstick_game(bencher: Bencher, players: u8) {
    let tables = tables();
    let mut rng = Rng::new(1);
    let mut moves: Vec<Move> = Vec::with_capacity(128);
    bencher.bench_local(|| yardstick::playout_with(&tables, players, &mut rng, &mut moves));
}

// ---------------------------------------------------------------------------------------------------- states

/// A game's middle: half of its answers are given.
fn middle(program: &Program) -> Machine<'_> {
    let mut table = Table::new(program, vec![]);
    let half = play(&mut table, 7) / 2;
    let mut stop = table.start(7).expect("no fault");
    while u64::from(table.answers()) < half {
        assert_eq!(stop, Stop::Decision);
        stop = table.step().expect("no fault");
    }
    table.machine
}

#[divan::bench(args = SETTINGS)]
fn save(bencher: Bencher, setting: Setting) {
    let program = program(setting);
    let machine = middle(&program);
    let mut state = State::new();
    bencher.bench_local(|| machine.save(&mut state));
}

/// With finding its answers.
#[divan::bench(args = SETTINGS)]
fn load(bencher: Bencher, setting: Setting) {
    let program = program(setting);
    let mut machine = middle(&program);
    let mut state = State::new();
    machine.save(&mut state);
    bencher.bench_local(|| machine.load(&state));
}

#[divan::bench(args = SETTINGS)]
fn clone(bencher: Bencher, setting: Setting) {
    let program = program(setting);
    let mut state = State::new();
    middle(&program).save(&mut state);
    bencher.bench_local(|| state.clone());
}

// ---------------------------------------------------------------------------------------------------- loading

/// The game with the most text, and its longest file of rules.
fn largest() -> (String, String) {
    let size = |path: &str| SOURCES.find(path).map_or(0, |id| SOURCES.text(id).len());
    let below = |folder: String| {
        SOURCES
            .paths()
            .filter(move |path| path.starts_with(&folder))
    };
    let ids = games::ids(&SOURCES).into_iter();
    let text = |id: &String| below(format!("{id}/")).map(size).sum::<usize>();
    let id = ids.max_by_key(text).expect("a game");
    let rules = below(format!("{id}/rules/"));
    let longest = rules.max_by_key(|path| size(path)).expect("rules");
    (id.clone(), longest.to_owned())
}

#[divan::bench]
fn compile_largest(bencher: Bencher) {
    let (id, _) = largest();
    bencher.bench(|| dsl::compile(&SOURCES, &id, &Selection::default()));
}

/// One character more, one less.
#[divan::bench]
fn check_again_after_an_edit(bencher: Bencher) {
    let (id, path) = largest();
    let mut sources = games::sources();
    let text = SOURCES
        .text(SOURCES.find(&path).expect("the file"))
        .to_owned();
    let mut longer = false;
    bencher.bench_local(|| {
        longer = !longer;
        let edited = if longer {
            format!("{text}\n")
        } else {
            text.clone()
        };
        sources.insert(path.clone(), edited);
        dsl::compile(&sources, &id, &Selection::default())
    });
}

#[divan::bench(args = SETTINGS)]
fn lower(bencher: Bencher, setting: Setting) {
    let rules = games::rules(&SOURCES, setting.0).expect("the game compiles");
    bencher.bench(|| interpreter::lower(&rules, setting.1));
}

// ---------------------------------------------------------------------------------------------------- the table

/// Games and answers in some time.
#[derive(Clone, Copy)]
struct Rate {
    games: f64,
    answers: f64,
    seconds: f64,
}

impl Rate {
    /// `one` plays one game and says how many answers it took.
    fn of(mut one: impl FnMut(u64) -> u64) -> Rate {
        let begin = Instant::now();
        let (mut games, mut answers) = (0, 0);
        while begin.elapsed() < ROW {
            answers += one(games);
            games += 1;
        }
        Rate {
            games: games as f64,
            answers: answers as f64,
            seconds: begin.elapsed().as_secs_f64(),
        }
    }

    fn games_a_second(self) -> f64 {
        self.games / self.seconds
    }
}

/// The part of a game's time in which answers are found, looking ahead: what loading each of its states takes, which is
/// finding the answers and copying the state.
fn share_of_listing(program: &Program) -> f64 {
    let mut table = Table::new(program, vec![]);
    let mut other = Machine::new(program);
    let mut state = State::new();
    let (mut playing, mut listing) = (Duration::ZERO, Duration::ZERO);
    let begin = Instant::now();
    let mut number = 0;
    while begin.elapsed() < ROW {
        let mut stop = table.start(game_seed(2, number)).expect("no fault");
        number += 1;
        while stop == Stop::Decision {
            table.machine.save(&mut state);
            let before = Instant::now();
            black_box(other.load(&state)).expect("no fault");
            listing += before.elapsed();
            let before = Instant::now();
            stop = table.step().expect("no fault");
            playing += before.elapsed();
        }
    }
    listing.as_secs_f64() / playing.as_secs_f64()
}

fn print_table() {
    let tables = tables();
    let mut rng = Rng::new(1);
    let mut moves = Vec::with_capacity(128);
    println!(
        "\n{:36} {:>9} {:>11} {:>11} {:>8} {:>7} {:>7}",
        "", "games/s", "answers/s", "ns/answer", "ratio", "listing", "words"
    );
    let row = |name: &str, rate: Rate, rest: String| {
        println!(
            "{name:36} {:9.0} {:11.0} {:11.0} {rest}",
            rate.games_a_second(),
            rate.answers / rate.seconds,
            rate.seconds * 1e9 / rate.answers
        );
    };
    for setting in SETTINGS {
        let mut yardstick = None;
        if setting.0 == USA {
            let players = setting.1 as u8;
            let rate = Rate::of(|_| {
                yardstick::playout_with(&tables, players, &mut rng, &mut moves)
                    .0
                    .into()
            });
            row(
                &format!("yardstick, {players} players"),
                rate,
                "    1.0".into(),
            );
            yardstick = Some(rate);
        }
        let program = program(setting);
        let mut table = Table::hasty(&program, vec![]);
        let rate = Rate::of(|game| play(&mut table, game_seed(1, game)));
        let ratio = yardstick.map_or(String::new(), |other| {
            format!("{:.1}", other.games_a_second() / rate.games_a_second())
        });
        let listing = share_of_listing(&program) * 100.0;
        let words = program.fixed_words;
        row(
            &setting.to_string(),
            rate,
            format!("{ratio:>8} {listing:6.0}% {words:7}"),
        );
    }
}

/// The expansions of the games that have some, and the games of tiles and of tracks without.
const COMBINATIONS: [(&str, &[&str]); 15] = [
    ("railroad-revolution", &[]),
    ("russian-railroads", &[]),
    ("russian-railroads", &["american-railroads"]),
    ("cube-express", &[]),
    ("schwarze-lok", &[]),
    ("schwarze-lok", &["mountains"]),
    ("schwarze-lok", &["benelux"]),
    ("schwarze-lok", &["benelux", "mountains"]),
    ("schwarze-lok", &["usa"]),
    ("schwarze-lok", &["usa", "mountains"]),
    ("schwarze-lok", &["long-game"]),
    ("schwarze-lok", &["mountains", "long-game"]),
    ("schwarze-lok", &["benelux", "long-game"]),
    ("schwarze-lok", &["usa", "long-game"]),
    ("schwarze-lok", &["usa", "mountains", "long-game"]),
];

fn print_combinations() {
    println!(
        "\n{:55} {:>9} {:>9} {:>9}",
        "games/s with 2, 3, 4 players", 2, 3, 4
    );
    for (game, overlays) in COMBINATIONS {
        let selection = Selection {
            overlays: overlays.iter().map(|name| (*name).to_owned()).collect(),
            ..Selection::default()
        };
        let rules = dsl::compile(&SOURCES, game, &selection).rules;
        let rules = rules.expect("the combination compiles");
        let rates = (2..=4).map(|players| {
            let program = interpreter::lower(&rules, players).expect("the game can be lowered");
            let mut table = Table::hasty(&program, vec![]);
            let rate = Rate::of(|number| play(&mut table, game_seed(1, number)));
            format!(" {:9.0}", rate.games_a_second())
        });
        let name = [&[game], overlays].concat().join(" + ");
        println!("{name:55}{}", rates.collect::<String>());
    }
}
