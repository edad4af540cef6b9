//! How long single decisions take: from an answer to the next question, everything it may be answered with looked ahead.
//!
//! `GAME=railroad-revolution PLAYERS=4 GAMES=100 cargo bench --bench decisions`; all settings have defaults. `ALL=1` finds all
//! answers, as for people and greedy bots; otherwise random bots play, which look for no more than they need. The slowest
//! decisions are asked again and the least time counts, so that what else the computer does is not measured.

use interpreter::playout::{Table, game_seed};
use interpreter::words::Words;
use interpreter::{State, Stop};
use std::str::FromStr;
use std::time::{Duration, Instant};
use tests::games;

/// So many of the slowest decisions are asked again.
const SLOWEST: usize = 40;
/// So often.
const AGAIN: usize = 5;

fn main() {
    if std::env::args().any(|arg| arg == "--list" || arg == "--test") {
        return;
    }
    let id: String = setting("GAME", "railroad-revolution".to_owned());
    let all = setting("ALL", 0) > 0;
    let sources = games::sources();
    let rules = games::rules(&sources, &id).expect("the game compiles");
    let (least, most) = rules.players;
    let players: u32 = setting("PLAYERS", 0);
    println!("{id}: decisions of {} random games", setting("GAMES", 100));
    println!(
        "players    answers    median     mean     99 %    99.9 %    worst   most tries   unproved"
    );
    for players in (least..=most).filter(|n| players == 0 || *n == players) {
        let program = interpreter::lower(&rules, players).expect("the game can be lowered");
        let table = if all {
            Table::new(&program, vec![])
        } else {
            Table::hasty(&program, vec![])
        };
        let mut times = Times::default();
        times.play(table);
        times.print(players);
        let words = Words::new(&rules, &program).with_sources(&sources);
        for slow in times.slowest.iter().take(setting("SHOW", 0)) {
            println!("  {slow} {}", words.place(slow.at).unwrap_or_default());
        }
    }
}

/// What the environment says.
fn setting<T: FromStr>(name: &str, default: T) -> T {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// A decision that took long: the state before the answer that led to it.
struct Slow {
    time: Duration,
    tries: u32,
    seed: u64,
    before: State,
    at: dsl::source::Span,
}

impl std::fmt::Display for Slow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {} tries", self.time, self.tries)
    }
}

#[derive(Default)]
struct Times {
    all: Vec<Duration>,
    slowest: Vec<Slow>,
    most_tries: u32,
    /// Answers offered although nobody could prove that they lead on.
    unproved: usize,
}

impl Times {
    fn play(&mut self, mut table: Table<'_>) {
        let mut before = State::new();
        for game in 0..setting("GAMES", 100) {
            let seed = game_seed(1, game);
            let mut stop = table.start(seed).expect("no fault");
            while stop == Stop::Decision {
                table.machine.save(&mut before);
                let begin = Instant::now();
                stop = table.step().expect("no fault");
                let time = begin.elapsed();
                let tries = table.machine.tries();
                self.most_tries = self.most_tries.max(tries);
                let answers = table.machine.answers();
                self.unproved += (0..answers.len())
                    .filter(|at| answers.is_marked(*at))
                    .count();
                self.all.push(time);
                let slow = Slow {
                    time,
                    tries,
                    seed,
                    before: State::new(),
                    at: table.machine.position().1,
                };
                self.note(slow, &before);
            }
        }
        for slow in &mut self.slowest {
            slow.measure_again(&mut table);
        }
        self.slowest
            .sort_by_key(|slow| std::cmp::Reverse(slow.time));
        self.all.sort();
        // Nothing but the slowest ones matters for the last numbers.
        let kept = self.all.len().saturating_sub(self.slowest.len());
        self.all.truncate(kept);
        self.all.extend(self.slowest.iter().map(|slow| slow.time));
        self.all.sort();
    }

    fn note(&mut self, mut slow: Slow, before: &State) {
        if self.slowest.len() == SLOWEST
            && self
                .slowest
                .last()
                .is_some_and(|last| last.time >= slow.time)
        {
            return;
        }
        slow.before.clone_from(before);
        let place = self
            .slowest
            .partition_point(|other| other.time >= slow.time);
        self.slowest.insert(place, slow);
        self.slowest.truncate(SLOWEST);
    }

    fn print(&self, players: u32) {
        let micros = |time: Duration| time.as_nanos() as f64 / 1000.0;
        let part = |of: f64| micros(self.all[((self.all.len() - 1) as f64 * of) as usize]);
        let mean = micros(self.all.iter().sum::<Duration>()) / self.all.len() as f64;
        println!(
            "{players:7} {:10} {:6.1} µs {mean:5.1} µs {:5.0} µs {:6.0} µs {:5.0} µs {:12} {:10}",
            self.all.len(),
            part(0.5),
            part(0.99),
            part(0.999),
            part(1.0),
            self.most_tries,
            self.unproved
        );
    }
}

impl Slow {
    fn measure_again(&mut self, table: &mut Table<'_>) {
        table.start(self.seed).expect("no fault");
        for _ in 0..AGAIN {
            table.machine.load(&self.before).expect("no fault");
            let begin = Instant::now();
            table.step().expect("no fault");
            self.time = self.time.min(begin.elapsed());
        }
    }
}
