//! How fast every shipped game is played, with the fewest players, with the most and with each expansion: random seats, one
//! thread, with scores. Beside each row the yardstick is measured, so that a row means the same on any machine: Ticket to Ride
//! (USA) written directly in Rust. Words behind `--` choose the games with one of them in their name; `-- --write` puts the
//! table of all into docs/speed.md.

mod yardstick;

use interpreter::playout::{Table, game_seed};
use interpreter::{Program, Stop};
use std::fmt;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};
use tests::counting::{Counting, allocations};
use tests::games;
use yardstick::{Move, Rng, Tables};

#[global_allocator]
static COUNTING: Counting = Counting;

/// The game that is also written directly in Rust.
const USA: &str = "ticket-to-ride-usa";
/// How often each row is measured, and the yardstick beside it, and how long each time; the fastest counts.
const TIMES: usize = 4;
const ROW: Duration = Duration::from_millis(250);
const BESIDE: Duration = Duration::from_millis(150);
/// Games in which buffers grow.
const WARM_UP: u64 = 4;
/// Between these lines of the document lies the table.
const MARKS: [&str; 2] = ["<!-- peers -->\n", "<!-- /peers -->\n"];

fn main() {
    let (options, wanted): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|word| word.starts_with('-'));
    let is_wanted = |id: &str| wanted.is_empty() || wanted.iter().any(|word| id.contains(word));
    let mut direct = Direct::new();
    let mut table = Vec::new();
    let mut add = |row: String| {
        print!("{row}");
        table.push(row);
    };
    add(Row::HEAD.to_owned());
    for players in [2, 4] {
        let rate = direct.rate(players, ROW);
        add(Row::new(("written directly", players.into()), rate, rate).to_string());
    }
    for (rules, programs) in games::programs() {
        for program in programs.iter().filter(|_| is_wanted(&rules.id)) {
            let rate = played(program);
            let overlays = rules.layers.iter().filter(|layer| layer.overlay);
            let names = std::iter::once(&rules.id).chain(overlays.map(|layer| &layer.id));
            let name = names.map(String::as_str).collect::<Vec<_>>().join(" + ");
            let beside = direct.rate(2, BESIDE);
            add(Row::new((&name, program.players), rate, beside).to_string());
        }
    }
    if wanted.is_empty() && options.iter().any(|option| option == "--write") {
        write(&table.concat());
    }
}

/// Puts the table into the document.
fn write(table: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/speed.md");
    let text = std::fs::read_to_string(&path).expect("the document");
    let [begin, end] = MARKS.map(|mark| text.find(mark).expect("where the table lies"));
    let text = [&text[..begin + MARKS[0].len()], table, &text[end..]].concat();
    std::fs::write(path, text).expect("the document can be written");
}

/// What was played in some time.
#[derive(Clone, Copy, Default)]
struct Rate {
    games: u64,
    answers: u64,
    allocations: u64,
    seconds: f64,
}

impl Rate {
    /// `one` plays one game and says how many answers it took.
    fn of(time: Duration, mut one: impl FnMut(u64) -> u64) -> Rate {
        let mut game = 0;
        let mut next = || {
            game += 1;
            one(game)
        };
        (0..WARM_UP).for_each(|_| {
            next();
        });
        let rates = (0..TIMES).map(|_| {
            let (begin, run) = (Instant::now(), processor_time());
            let before = allocations();
            let mut rate = Rate::default();
            while begin.elapsed() < time {
                rate.answers += next();
                rate.games += 1;
            }
            rate.allocations = allocations() - before;
            let run = run.and_then(|before| processor_time()?.checked_sub(before));
            rate.seconds = run.unwrap_or_else(|| begin.elapsed()).as_secs_f64();
            rate
        });
        let speed = |rate: &Rate| rate.nanoseconds_an_answer();
        let fastest = rates.min_by(|a, b| speed(a).total_cmp(&speed(b)));
        fastest.unwrap_or_default()
    }

    fn nanoseconds_an_answer(&self) -> f64 {
        self.seconds * 1e9 / self.answers as f64
    }
}

/// How long this thread has been run, where the system tells it: others may want the processor too.
fn processor_time() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = told.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// Random seats that find no more answers than they need, and the score at the end.
fn played(program: &Program) -> Rate {
    let mut table = Table::hasty(program, vec![]);
    Rate::of(ROW, |game| {
        let mut stop = table.start(game_seed(1, game)).expect("no fault");
        while stop == Stop::Decision {
            stop = table.step().expect("no fault");
        }
        for seat in 0..program.players {
            black_box(table.machine.score(seat));
        }
        table.answers().into()
    })
}

/// The yardstick.
struct Direct {
    tables: Tables,
    rng: Rng,
    moves: Vec<Move>,
}

impl Direct {
    fn new() -> Direct {
        let read = |name| {
            let path = games::folder().join(USA).join("components").join(name);
            std::fs::read_to_string(path).expect("a component file")
        };
        let tables = Tables::load(
            &read("map.toml"),
            &read("train_cards.toml"),
            &read("tickets.toml"),
        );
        Direct {
            tables: tables.expect("tables"),
            rng: Rng::new(1),
            moves: Vec::with_capacity(128),
        }
    }

    fn rate(&mut self, players: u8, time: Duration) -> Rate {
        Rate::of(time, |_| {
            let Direct { tables, rng, moves } = self;
            yardstick::playout_with(tables, players, rng, moves)
                .0
                .into()
        })
    }
}

/// A row of the table.
struct Row<'a> {
    game: (&'a str, u32),
    rate: Rate,
    beside: Rate,
}

impl<'a> Row<'a> {
    const HEAD: &'static str = "\
| game | players | games a second | answers a second | ns an answer | times the yardstick's | allocations a game |
|---|---:|---:|---:|---:|---:|---:|
";

    fn new(game: (&'a str, u32), rate: Rate, beside: Rate) -> Row<'a> {
        Row { game, rate, beside }
    }
}

impl fmt::Display for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rate {
            games,
            answers,
            allocations,
            seconds,
        } = self.rate;
        let each = self.rate.nanoseconds_an_answer();
        let ratio = each / self.beside.nanoseconds_an_answer();
        let (name, players) = self.game;
        write!(f, "| {name} | {players} ")?;
        write!(f, "| {:.0} ", games as f64 / seconds)?;
        write!(f, "| {:.0} | {each:.0} ", answers as f64 / seconds)?;
        let made = allocations as f64 / games as f64;
        writeln!(f, "| {ratio:.1} | {made:.1} |")
    }
}
