//! Broken inputs: the shipped games and many small ones, with something in one of their texts changed by chance.
//!
//! Whatever comes out is read, checked, played and drawn as the program does it (`drive`): nothing panics, everything comes to an
//! end, and what is wrong is told at its place. Each input depends on a seed and its number alone.

mod corpus;
mod drive;
mod mutate;

pub use crate::chance::Chance;
pub use corpus::{Corpus, Home, Kind};
pub use drive::{Input, Reached, drive};
pub use mutate::mutate;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::panic::{self, PanicHookInfo};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, Once, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Less than any thread has.
pub const STACK_BYTES: usize = 3 << 19;
/// No input takes so long, however busy the machine is. Never what a test measures: it ends a run that would hang, and tells of
/// the input.
const WATCHDOG: Duration = Duration::from_secs(120);

/// How many inputs, and which.
pub struct Campaign {
    pub seed: u64,
    /// The first input's number.
    pub first: u64,
    pub inputs: u64,
    /// Ends earlier or later than by `inputs`.
    pub time: Option<Duration>,
    pub threads: usize,
    /// Where inputs that fail are kept.
    pub keep: Option<PathBuf>,
}

/// What came of a campaign.
#[derive(Debug, Default)]
pub struct Report {
    pub inputs: u64,
    pub checked: u64,
    pub faults: u64,
    pub diagnostics: u64,
    pub decisions: u64,
    pub cases: u64,
    pub replays: u64,
    pub scenes: u64,
    pub by_kind: BTreeMap<Kind, u64>,
    /// By number of the input, each with how to run it alone.
    pub failed: BTreeMap<u64, String>,
    /// What took longest, as a hint where to look.
    pub longest: Vec<(Duration, u64)>,
}

impl Report {
    fn note(&mut self, number: u64, kind: Kind, took: Duration, reached: Reached) {
        self.inputs += 1;
        *self.by_kind.entry(kind).or_default() += 1;
        self.checked += u64::from(reached.checks);
        self.faults += u64::from(reached.fault);
        self.diagnostics += reached.diagnostics;
        self.decisions += reached.decisions;
        self.cases += reached.cases;
        self.replays += reached.replays;
        self.scenes += reached.scenes;
        self.longest.push((took, number));
        self.longest.sort_by(|a, b| b.cmp(a));
        self.longest.truncate(5);
    }
}

impl Campaign {
    /// Puts its inputs through the program.
    pub fn run(&self) -> Report {
        self.run_with(&drive)
    }

    /// Puts its inputs through something.
    ///
    /// # Panics
    /// If there is no place to write to.
    pub fn run_with(&self, drive: &Driver) -> Report {
        NOTES_PANICS.call_once(|| {
            let before = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                if !note_panic(info) {
                    before(info);
                }
            }));
        });
        let corpus = Corpus::new();
        let sandbox = tempfile::tempdir().expect("a folder for the inputs");
        let begin = Instant::now();
        let next = AtomicU64::new(self.first);
        let report = Mutex::new(Report::default());
        let running: Mutex<BTreeMap<u64, (Instant, String)>> = Mutex::default();
        let is_over = AtomicU64::new(0);
        std::thread::scope(|scope| {
            scope.spawn(|| watch(&running, &is_over, self.threads as u64));
            for thread in 0..self.threads {
                let worker = Worker {
                    campaign: self,
                    drive,
                    corpus: &corpus,
                    folder: sandbox.path().join(thread.to_string()),
                    running: &running,
                };
                let (next, report, is_over) = (&next, &report, &is_over);
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let goes_on = match self.time {
                            Some(time) => begin.elapsed() < time,
                            None => number < self.first + self.inputs,
                        };
                        if !goes_on {
                            break;
                        }
                        worker.one(number, report);
                    }
                    is_over.fetch_add(1, Ordering::Relaxed);
                });
            }
        });
        report.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends a run that hangs, and tells where; past the test's own output, which would be lost.
fn watch(running: &Mutex<BTreeMap<u64, (Instant, String)>>, is_over: &AtomicU64, threads: u64) {
    while is_over.load(Ordering::Relaxed) < threads {
        std::thread::sleep(Duration::from_millis(50));
        let running = running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, told)) = running.values().find(|(at, _)| at.elapsed() > WATCHDOG) {
            let _ = writeln!(
                std::io::stderr(),
                "this input does not come to an end:\n{told}"
            );
            std::process::abort();
        }
    }
}

struct Worker<'c> {
    campaign: &'c Campaign,
    drive: &'c Driver,
    corpus: &'c Corpus,
    folder: PathBuf,
    running: &'c Mutex<BTreeMap<u64, (Instant, String)>>,
}

impl<'c> Worker<'c> {
    fn one(&self, number: u64, report: &Mutex<Report>) {
        let input = self.input(number);
        let told = self.told(number, &input);
        // An input may end the process: it is there before it is tried.
        let kept = self.keep(number, &input, &told);
        let begin = Instant::now();
        self.running
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(number, (begin, told.clone()));
        let found = self.tried(&input);
        self.running
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&number);
        let mut report = report.lock().unwrap_or_else(PoisonError::into_inner);
        let kind = Kind::of(&input.path);
        let reached = *found.as_ref().unwrap_or(&Reached::default());
        report.note(number, kind, begin.elapsed(), reached);
        match found {
            Ok(_) => {
                if let Some(kept) = kept {
                    let _ = fs::remove_dir_all(kept);
                }
            }
            Err(wrong) => {
                drop(report.failed.insert(number, format!("{told}\n{wrong}")));
                drop(report);
                if let Some(kept) = kept {
                    let _ = fs::write(kept.join("wrong.txt"), format!("{told}\n{wrong}\n"));
                    let small = self.smaller(input, &wrong);
                    let _ = fs::write(kept.join("small"), small.bytes);
                }
            }
        }
    }

    /// The input of this number.
    fn input(&self, number: u64) -> Input<'c> {
        let mut chance = Chance::of_input(self.campaign.seed, number);
        let (home, (path, text)) = self.corpus.pick(&mut chance);
        let bytes = mutate(self.corpus, Kind::of(path), text, &mut chance);
        Input {
            home,
            path: path.clone(),
            bytes,
            overlays: home.choice(path, &mut chance),
            chance,
        }
    }

    fn told(&self, number: u64, input: &Input) -> String {
        format!(
            "FUZZ_SEED={} FUZZ_INPUT={number}: {} with [{}], `{}` changed",
            self.campaign.seed,
            input.home.name,
            input.overlays.join(", "),
            input.path
        )
    }

    fn keep(&self, number: u64, input: &Input, told: &str) -> Option<PathBuf> {
        let folder = self.campaign.keep.as_ref()?;
        let folder = folder.join(format!("{}-{number}", self.campaign.seed));
        let name = input.path.rsplit('/').next().unwrap_or_default();
        fs::create_dir_all(&folder).ok()?;
        fs::write(folder.join("input.txt"), told).ok()?;
        fs::write(folder.join(name), &input.bytes).ok()?;
        Some(folder)
    }

    /// Drives it on a small stack.
    fn tried(&self, input: &Input) -> Result<Reached, String> {
        let folder = self.prepared(input.home);
        static THREADS: AtomicU64 = AtomicU64::new(0);
        let name = format!("{INPUT}{}", THREADS.fetch_add(1, Ordering::Relaxed));
        let tried = std::thread::scope(|scope| {
            std::thread::Builder::new()
                .name(name.clone())
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, || (self.drive)(&folder, input))
                .expect("a thread starts")
                .join()
        });
        tried.unwrap_or_else(|_| {
            // What was changed stands there still.
            let _ = fs::remove_dir_all(&folder);
            let panics = PANICS.get_or_init(Mutex::default);
            let mut panics = panics.lock().unwrap_or_else(PoisonError::into_inner);
            Err(panics.remove(&name).unwrap_or_else(|| "panics".to_owned()))
        })
    }

    /// A folder of games with a home's files as they are.
    fn prepared(&self, home: &Home) -> PathBuf {
        let folder = self.folder.join(home.name.replace(['/', ' '], "_"));
        if !folder.is_dir() {
            for (path, text) in &home.files {
                let path = folder.join(path);
                let place = path.parent().unwrap_or(Path::new("."));
                fs::create_dir_all(place).expect("the folder can be written");
                fs::write(&path, text).expect("the file can be written");
            }
        }
        folder
    }

    /// Lines left out as long as the same goes wrong.
    fn smaller(&self, mut input: Input<'c>, wrong: &str) -> Input<'c> {
        let head = |wrong: &str| wrong.lines().next().unwrap_or_default().to_owned();
        let Ok(mut text) = String::from_utf8(input.bytes.clone()) else {
            return input;
        };
        let mut size = text.lines().count() / 2;
        while size > 0 {
            let mut at = 0;
            loop {
                let lines: Vec<&str> = text.split_inclusive('\n').collect();
                if at >= lines.len() {
                    break;
                }
                let end = (at + size).min(lines.len());
                let fewer = [&lines[..at], &lines[end..]].concat().concat();
                input.bytes = fewer.clone().into_bytes();
                match self.tried(&input) {
                    Err(still) if head(&still) == head(wrong) => text = fewer,
                    _ => at += size,
                }
            }
            size /= 2;
        }
        input.bytes = text.into_bytes();
        input
    }
}

/// What an input is put through, in a folder of games in which it is one.
pub type Driver = dyn Fn(&Path, &Input) -> Result<Reached, String> + Sync;

/// What the names of threads begin with that inputs are put through on.
const INPUT: &str = "input ";

static NOTES_PANICS: Once = Once::new();

/// What panics said and where, by the thread's name.
static PANICS: OnceLock<Mutex<BTreeMap<String, String>>> = OnceLock::new();

/// Notes a panic of an input; false if it is another one.
fn note_panic(info: &PanicHookInfo<'_>) -> bool {
    let thread = std::thread::current();
    let Some(name) = thread.name().filter(|name| name.starts_with(INPUT)) else {
        return false;
    };
    let place = info.location().map(ToString::to_string).unwrap_or_default();
    let payload = info.payload();
    let said = payload.downcast_ref::<&str>().map(ToString::to_string);
    let said = said.or_else(|| payload.downcast_ref::<String>().cloned());
    let told = format!("panics at {place}: {}", said.unwrap_or_default());
    let panics = PANICS.get_or_init(Mutex::default);
    let mut panics = panics.lock().unwrap_or_else(PoisonError::into_inner);
    panics.insert(name.to_owned(), told);
    true
}
