//! How many ways there are to play on from a position, to a depth: the figure by which programs that play the same game are
//! compared. The same numbers on any number of threads.
//!
//! A way is a row of answers. Depth is counted in answers, or in passes of a step, where a pass with several questions is one
//! way for each row of answers to them. A pass is over where the next one begins, or the game ends in it; one in which nobody
//! is asked counts as a pass of the way that comes through it. An answer that is offered without proof and leads nowhere is no
//! way. All is seen: hidden cards lie where they lie.

mod position;
mod report;

pub use report::{First, Level, Report};

use crate::Program;
use crate::bounds::WAY_ANSWERS_MAX;
use crate::machine::{Answers, Branches, Fault, Machine, Stop};
use crate::record;
use crate::state::State;
use crate::words::Words;
use dsl::ir::{LabelId, RuleSet};
use position::{Positions, Seen};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// In what depth is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Answers given, by whoever is asked.
    Answers,
    /// Passes of a step that have ended.
    Passes(LabelId),
}

impl Unit {
    /// Turns, if the rules have a step of this name, else answers.
    pub fn usual(program: &Program) -> Unit {
        program.turn_label.map_or(Unit::Answers, Unit::Passes)
    }
}

/// Where ways begin.
#[derive(Clone, Copy, Debug)]
pub enum Begin<'s> {
    /// At the first decision of a game with this seed.
    Start(u64),
    /// A position somebody has come to.
    Position(&'s State),
}

/// What is to be counted.
#[derive(Clone, Copy, Debug)]
pub struct Spec<'s> {
    /// Where counting starts.
    pub begin: Begin<'s>,
    /// How many units deep.
    pub depth: u32,
    /// What depth is counted in.
    pub unit: Unit,
    /// Each outcome of `random(…)` is a way of its own; otherwise chance falls as the seed says. Shuffles always do.
    pub every_outcome: bool,
    /// Also count how many different positions the ways lead to.
    pub distinct: bool,
    /// At least one is used.
    pub threads: usize,
}

/// Why counting came to no end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// A mistake of the rules.
    Fault {
        /// What it is.
        fault: Box<Fault>,
        /// The answers that led to it.
        way: Vec<String>,
    },
    /// So many answers, one behind the other, and the depth is not reached.
    Endless {
        /// One of the ways so far.
        way: Vec<String>,
    },
    /// There are more different positions than can be told apart.
    TooManyPositions,
}

/// Ways from which threads go on alone: enough that none has to wait long for the last.
const TASKS: usize = 512;

/// Counts. `progress` hears how many parts of how many are done, from any thread; `cancel` ends early, with what was counted.
///
/// # Errors
/// The first way, in the order in which answers are offered, that does not go on.
pub fn count(
    rules: &RuleSet,
    program: &Program,
    spec: &Spec<'_>,
    progress: &(dyn Fn(u64, u64) + Sync),
    cancel: &AtomicBool,
) -> Result<Report, Stopped> {
    let begin = Instant::now();
    let shared = Shared {
        words: Words::new(rules, program),
        spec,
        positions: Positions::new(program),
        seen: Seen::new(if spec.distinct { spec.depth } else { 0 }),
        cancel,
    };
    let mut counter = Counter::new(&shared);
    let (tasks, mut firsts) = counter.parts()?;
    let counted = spread(&shared, &tasks, firsts.len(), progress)?;
    let mut levels = counter.levels;
    for (levels_of_thread, ways) in counted {
        for (all, more) in levels.iter_mut().zip(levels_of_thread) {
            all.ways += more.ways;
            all.over += more.over;
        }
        for (first, more) in firsts.iter_mut().zip(ways) {
            first.ways += more;
        }
    }
    if spec.distinct {
        for (depth, level) in (1..).zip(levels.iter_mut().skip(1)) {
            level.positions = Some(shared.seen.count(depth));
        }
    }
    Ok(Report {
        id: rules.id.clone(),
        title: rules.title.clone(),
        fingerprint: rules.fingerprint(),
        overlays: rules.overlays().map(|layer| layer.id.clone()).collect(),
        options: shared.words.options_changed(),
        players: program.players,
        unit: match spec.unit {
            Unit::Answers => "answers".to_owned(),
            Unit::Passes(label) => rules.labels[label.index()].name.clone(),
        },
        levels: levels.split_off(1),
        firsts,
        complete: !cancel.load(Ordering::Relaxed),
        elapsed: begin.elapsed(),
    })
}

/// Levels and ways of each first, of a thread.
type Counted = (Vec<Level>, Vec<u64>);

/// Goes on from all tasks, on so many threads as are wanted.
fn spread(
    shared: &Shared<'_>,
    tasks: &[Task],
    firsts: usize,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Vec<Counted>, Stopped> {
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    // The first task that stopped: those before it are still counted, one of them may stop too.
    let first_stop = AtomicU64::new(u64::MAX);
    let stopped: Mutex<Option<(u64, Stopped)>> = Mutex::new(None);
    let all = Mutex::new(Vec::new());
    let work = || {
        let mut counter = Counter::new(shared);
        let mut ways = vec![0; firsts];
        while !shared.cancel.load(Ordering::Relaxed) {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = tasks.get(at as usize) else {
                break;
            };
            if at > first_stop.load(Ordering::Relaxed) {
                break;
            }
            match counter.task(task) {
                Ok(found) => ways[task.first] += found,
                Err(stop) => {
                    first_stop.fetch_min(at, Ordering::Relaxed);
                    let mut first = locked(&stopped);
                    if first.as_ref().is_none_or(|(other, _)| at < *other) {
                        *first = Some((at, stop));
                    }
                }
            }
            progress(1 + done.fetch_add(1, Ordering::Relaxed), tasks.len() as u64);
        }
        locked(&all).push((counter.levels, ways));
    };
    match shared.spec.threads.clamp(1, 256).min(tasks.len().max(1)) {
        1 => work(),
        threads => std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(work);
            }
        }),
    }
    match stopped.into_inner().unwrap_or_else(|e| e.into_inner()) {
        Some((_, stop)) => Err(stop),
        None => Ok(all.into_inner().unwrap_or_else(|e| e.into_inner())),
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|e| e.into_inner())
}

/// What all threads look at.
struct Shared<'a> {
    words: Words<'a>,
    spec: &'a Spec<'a>,
    positions: Positions,
    seen: Seen,
    cancel: &'a AtomicBool,
}

/// A way that has been begun; the machine stands at its end when it is taken up again.
struct Task {
    state: State,
    answers: Answers,
    asked: usize,
    /// Passes behind it, if depth is counted in passes; else answers.
    done: u32,
    /// Its answers.
    way: Vec<String>,
    /// Index into the firsts; 0 as long as the first one is not through.
    first: usize,
}

impl Task {
    /// What stopped a way that goes on from it, with all answers of the way.
    fn stopped(&self, stop: Stopped) -> Stopped {
        let whole = |way: Vec<String>| [self.way.clone(), way].concat();
        match stop {
            Stopped::Fault { fault, way } => Stopped::Fault {
                fault,
                way: whole(way),
            },
            Stopped::Endless { way } => Stopped::Endless { way: whole(way) },
            Stopped::TooManyPositions => Stopped::TooManyPositions,
        }
    }
}

/// Where the machine stood at a decision, to be stood at again.
#[derive(Default)]
struct Stand {
    state: State,
    answers: Answers,
    asked: usize,
    /// The answer that is being tried.
    at: usize,
}

/// Where an answer led.
enum Led {
    /// On; so much of the depth is behind.
    On(u32),
    /// To the depth, or to the end of the game; whether to the depth.
    Ended { full: bool },
    /// Nowhere: it was taken back.
    Back,
}

/// Counts on a machine of its own.
struct Counter<'a> {
    machine: Machine<'a>,
    shared: &'a Shared<'a>,
    /// Where it stood on the way, by depth in answers from where the task begins.
    stands: Vec<Stand>,
    /// From depth 0 on.
    levels: Vec<Level>,
    /// Passes begun before the first one that counts.
    before: i32,
}

impl<'a> Counter<'a> {
    fn new(shared: &'a Shared<'a>) -> Counter<'a> {
        let mut machine = Machine::new(shared.words.program);
        machine.stand_at_only_answers();
        let before = match shared.spec.begin {
            Begin::Start(_) => 0,
            Begin::Position(state) => {
                let begun = pass_word(shared.words.program, shared.spec.unit);
                begun.map_or(0, |word| (state.words()[word as usize] - 1).max(0))
            }
        };
        Counter {
            machine,
            shared,
            stands: Vec::new(),
            levels: vec![Level::default(); shared.spec.depth as usize + 1],
            before,
        }
    }

    /// The ways to be gone on from, and the firsts, with what was counted on the way there.
    fn parts(&mut self) -> Result<(Vec<Task>, Vec<First>), Stopped> {
        let mut firsts: Vec<First> = Vec::new();
        let mut tasks = self.starts()?;
        loop {
            let is_begun = |task: &Task| task.done > 0;
            if tasks.is_empty() || tasks.len() >= TASKS && tasks.iter().all(is_begun) {
                break;
            }
            // Only those are gone on from that are not begun, as soon as there are enough.
            let enough = tasks.len() >= TASKS;
            for task in std::mem::take(&mut tasks) {
                if enough && is_begun(&task) || self.is_cancelled() {
                    tasks.push(task);
                    continue;
                }
                self.stand_at(&task);
                self.each_answer(0, task.done, &mut |counter, at, led| {
                    let mut way = task.way.clone();
                    way.push(counter.text(0, at));
                    let is_first = |led: &Led| match led {
                        Led::On(done) => task.done == 0 && *done > 0,
                        Led::Ended { .. } => task.done == 0,
                        Led::Back => false,
                    };
                    let first = match is_first(&led) {
                        true => first_of(&mut firsts, &way),
                        false => task.first,
                    };
                    match led {
                        Led::On(_) if way.len() >= WAY_ANSWERS_MAX => {
                            let way = vec![counter.text(0, at)];
                            return Err(Stopped::Endless { way });
                        }
                        Led::On(done) => tasks.push(counter.begun(done, way, first)),
                        Led::Ended { full } => firsts[first].ways += u64::from(full),
                        Led::Back => {}
                    }
                    Ok(())
                })
                .map_err(|stop| task.stopped(stop))?;
            }
            if self.is_cancelled() {
                // What is left of the ways begun is not counted, but each has its place.
                tasks.clear();
            }
        }
        Ok((tasks, firsts))
    }

    /// The first decisions: one, or one for each outcome of chance before it.
    fn starts(&mut self) -> Result<Vec<Task>, Stopped> {
        let mut starts = Vec::new();
        let mut branches = Branches::default();
        loop {
            self.branch(&mut branches);
            let stop = match self.shared.spec.begin {
                Begin::Start(seed) => self.machine.start(seed),
                Begin::Position(state) => self.machine.load(state),
            };
            let stop = stop.map_err(|fault| stopped(fault, Vec::new()))?;
            self.branch(&mut branches);
            self.levels[0].ways += 1;
            match stop {
                Stop::Decision => starts.push(self.begun(0, Vec::new(), 0)),
                _ => self.levels[0].over += 1,
            }
            if !branches.next() {
                return Ok(starts);
            }
        }
    }

    fn begun(&self, done: u32, way: Vec<String>, first: usize) -> Task {
        let mut state = State::new();
        self.machine.save(&mut state);
        Task {
            state,
            answers: self.machine.answers().clone(),
            asked: self.machine.asked,
            done,
            way,
            first,
        }
    }

    fn stand_at(&mut self, task: &Task) {
        self.machine.stand(&task.state, &task.answers, task.asked);
    }

    /// Ways to the full depth that go on from a task.
    fn task(&mut self, task: &Task) -> Result<u64, Stopped> {
        self.stand_at(task);
        self.ways(0, task.done).map_err(|stop| task.stopped(stop))
    }

    /// Ways to the full depth from where the machine stands, `depth` answers behind the task.
    fn ways(&mut self, depth: usize, done: u32) -> Result<u64, Stopped> {
        if depth >= WAY_ANSWERS_MAX {
            return Err(Stopped::Endless {
                way: self.way(depth),
            });
        }
        let mut found = 0;
        self.each_answer(depth, done, &mut |counter, _, led| {
            found += match led {
                Led::On(done) => counter.ways(depth + 1, done)?,
                Led::Ended { full } => u64::from(full),
                Led::Back => 0,
            };
            Ok(())
        })?;
        Ok(found)
    }

    /// Answers each answer of the decision the machine stands at, with each outcome of chance that counts; `visit` hears where
    /// it led, and the machine stands there meanwhile.
    fn each_answer(
        &mut self,
        depth: usize,
        done: u32,
        visit: &mut dyn FnMut(&mut Self, usize, Led) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        if self.stands.len() == depth {
            self.stands.push(Stand::default());
        }
        let mut stand = std::mem::take(&mut self.stands[depth]);
        self.machine.save(&mut stand.state);
        stand.answers.clone_from(self.machine.answers());
        stand.asked = self.machine.asked;
        self.stands[depth] = stand;
        for at in 0..self.machine.answers().len() {
            self.stands[depth].at = at;
            let mut branches = Branches::default();
            loop {
                if self.is_cancelled() {
                    return Ok(());
                }
                let led = self.led(depth, done, at, &mut branches)?;
                visit(self, at, led)?;
                let stand = &self.stands[depth];
                self.machine
                    .stand(&stand.state, &stand.answers, stand.asked);
                if !branches.next() {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Gives answer number `at` and notes what came of it.
    fn led(
        &mut self,
        depth: usize,
        done: u32,
        at: usize,
        branches: &mut Branches,
    ) -> Result<Led, Stopped> {
        let (begun, given) = (self.passes_begun(), record::answers(&self.machine));
        self.branch(branches);
        let stop = self.machine.answer(at);
        self.branch(branches);
        let stop = stop.map_err(|fault| stopped(fault, self.way(depth + 1)))?;
        if record::answers(&self.machine) <= given {
            return Ok(Led::Back);
        }
        let is_over = stop == Stop::Over;
        let now = match self.shared.spec.unit {
            Unit::Answers => done + 1,
            // The pass in which this was answered is the last one, and through.
            Unit::Passes(_) if is_over && begun == self.passes_begun() => begun,
            Unit::Passes(_) => self.passes_begun().saturating_sub(1),
        };
        self.note(done, now, is_over)?;
        let full = now >= self.shared.spec.depth;
        Ok(match is_over || full {
            true => Led::Ended { full },
            false => Led::On(now),
        })
    }

    /// A way has come from one depth to another; perhaps the game is over there.
    fn note(&mut self, from: u32, to: u32, is_over: bool) -> Result<(), Stopped> {
        let depth = self.shared.spec.depth;
        for level in from + 1..=to.min(depth) {
            self.levels[level as usize].ways += 1;
        }
        if is_over && to <= depth {
            self.levels[to as usize].over += 1;
        }
        let seen = &self.shared.seen;
        if from < to && !seen.levels.is_empty() {
            let position = self.shared.positions.of(&self.machine);
            for level in from + 1..=to.min(depth) {
                seen.note(level, position)?;
            }
        }
        Ok(())
    }

    /// Passes begun, of those that count.
    fn passes_begun(&self) -> u32 {
        let word = pass_word(self.shared.words.program, self.shared.spec.unit);
        let begun = word.map_or(0, |word| self.machine.word(word) - self.before);
        begun.max(0) as u32
    }

    /// Lends the machine the outcomes of chance to be tried, or takes them back.
    fn branch(&mut self, branches: &mut Branches) {
        if self.shared.spec.every_outcome {
            self.machine.swap_branches(branches);
        }
    }

    fn is_cancelled(&self) -> bool {
        self.shared.cancel.load(Ordering::Relaxed)
    }

    /// The answer that is being tried so many answers behind the task, as it is written.
    fn text(&mut self, depth: usize, at: usize) -> String {
        let stand = &self.stands[depth];
        let mut now = State::new();
        self.machine.save(&mut now);
        let (answers, asked) = (self.machine.answers().clone(), self.machine.asked);
        self.machine
            .stand(&stand.state, &stand.answers, stand.asked);
        let text = record::text(&self.shared.words, &mut self.machine, at);
        self.machine.stand(&now, &answers, asked);
        text
    }

    /// The answers that are being tried, from the task on.
    fn way(&mut self, answers: usize) -> Vec<String> {
        let tried = 0..answers.min(self.stands.len());
        tried
            .map(|depth| {
                let stand = &self.stands[depth];
                self.machine
                    .stand(&stand.state, &stand.answers, stand.asked);
                record::text(&self.shared.words, &mut self.machine, stand.at)
            })
            .collect()
    }
}

fn stopped(fault: Fault, way: Vec<String>) -> Stopped {
    Stopped::Fault {
        fault: Box::new(fault),
        way,
    }
}

/// The word that counts the passes in which depth is counted.
fn pass_word(program: &Program, unit: Unit) -> Option<u32> {
    match unit {
        Unit::Answers => None,
        Unit::Passes(label) => Some(program.label_words[label.index()]),
    }
}

/// The place of a first way among the firsts; those that look alike are one.
fn first_of(firsts: &mut Vec<First>, way: &[String]) -> usize {
    let answers = way.join("; ");
    let known = firsts.iter().position(|first| first.answers == answers);
    known.unwrap_or_else(|| {
        firsts.push(First { answers, ways: 0 });
        firsts.len() - 1
    })
}
