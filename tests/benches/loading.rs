//! What a state weighs and how long loading takes.

use divan::Bencher;
use dsl::assembly::Selection;
use dsl::source::SourceSet;
use interpreter::playout::Table;
use interpreter::{Machine, Program, State, Stop};
use std::fmt;
use std::sync::LazyLock;
use tests::games;

fn main() {
    divan::main();
}

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
    Setting("ticket-to-ride-usa", 2),
    Setting("ticket-to-ride-usa", 4),
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

/// Plays one game; the number of its answers.
fn play(table: &mut Table<'_>, seed: u64) -> u64 {
    let mut stop = table.start(seed).expect("no fault");
    while stop == Stop::Decision {
        stop = table.step().expect("no fault");
    }
    table.answers().into()
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
