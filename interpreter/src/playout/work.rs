//! Many games on many threads. What came of each is told in the order of the games, whichever thread was done first.

use super::Spec;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

/// So many games may be done before one that is not; who is further ahead waits, so that memory does not grow.
const AHEAD_MAX: u64 = 1_024;
/// Who waits looks up so often whether it was cancelled.
const LOOK_UP: Duration = Duration::from_millis(50);

/// What is to be done, and how that is watched and ended early.
pub(super) struct Work<'w> {
    pub games: Range<u64>,
    /// At least one is used.
    pub threads: usize,
    /// Hears how many games are done, from any thread.
    pub progress: &'w (dyn Fn(u64) + Sync),
    pub cancel: &'w AtomicBool,
}

/// Plays a game by its number with a hand; nothing for one that was cancelled.
type Play<'p, H, T, E> = dyn Fn(&mut H, u64) -> Result<Option<T>, E> + Sync + 'p;

impl<'w> Work<'w> {
    /// The games of `spec`.
    pub fn of(spec: &Spec, progress: &'w (dyn Fn(u64) + Sync), cancel: &'w AtomicBool) -> Work<'w> {
        Work {
            games: spec.numbers(),
            threads: spec.threads,
            progress,
            cancel,
        }
    }

    /// Plays the games. Each thread has a hand of its own; `play` gives nothing for a game that was cancelled. `tell` hears what
    /// came of the games in their order, and may say that it is enough. The hands come back.
    ///
    /// # Errors
    /// The first game, by its number, in which the rules cannot go on; those before it were told.
    pub fn play<H: Send, T: Send, E: Send>(
        &self,
        hand: &(dyn Fn() -> H + Sync),
        play: &Play<'_, H, T, E>,
        tell: &mut (dyn FnMut(u64, T) -> ControlFlow<()> + Send),
    ) -> Result<Vec<H>, (u64, E)> {
        let count = self.games.end.saturating_sub(self.games.start);
        let threads = self.threads.clamp(1, 256).min(count.clamp(1, 256) as usize);
        let desk = Desk {
            work: self,
            taken: AtomicU64::new(self.games.start),
            done: AtomicU64::new(0),
            over: AtomicBool::new(false),
            queue: Mutex::new(Queue {
                next: self.games.start,
                waiting: BTreeMap::new(),
                tell,
                fault: None,
            }),
            moved: Condvar::new(),
        };
        let hands = if threads == 1 {
            vec![desk.play(hand(), play)]
        } else {
            std::thread::scope(|scope| {
                let threads: Vec<_> = (0..threads)
                    .map(|_| scope.spawn(|| desk.play(hand(), play)))
                    .collect();
                let hands = threads.into_iter().map(|thread| match thread.join() {
                    Ok(hand) => hand,
                    Err(panic) => std::panic::resume_unwind(panic),
                });
                hands.collect()
            })
        };
        let mut queue = desk.queue.into_inner().unwrap_or_else(|e| e.into_inner());
        queue.tell_rest();
        match queue.fault {
            Some(fault) => Err(fault),
            None => Ok(hands),
        }
    }
}

/// What the threads share.
struct Desk<'d, T, E> {
    work: &'d Work<'d>,
    taken: AtomicU64,
    done: AtomicU64,
    /// Nobody wants to know more.
    over: AtomicBool,
    queue: Mutex<Queue<'d, T, E>>,
    moved: Condvar,
}

/// What was handed in and not yet told.
struct Queue<'d, T, E> {
    next: u64,
    waiting: BTreeMap<u64, Result<T, E>>,
    tell: &'d mut (dyn FnMut(u64, T) -> ControlFlow<()> + Send),
    fault: Option<(u64, E)>,
}

impl<T, E> Queue<'_, T, E> {
    /// Tells one game; whether more are wanted.
    fn tell(&mut self, game: u64, outcome: Result<T, E>) -> bool {
        match outcome {
            Ok(one) => (self.tell)(game, one).is_continue(),
            Err(fault) => {
                self.fault = Some((game, fault));
                false
            }
        }
    }

    /// Tells all that lies ready without a gap; whether more are wanted.
    fn tell_ready(&mut self) -> bool {
        while let Some(outcome) = self.waiting.remove(&self.next) {
            let game = self.next;
            self.next += 1;
            if !self.tell(game, outcome) {
                self.waiting.clear();
                return false;
            }
        }
        true
    }

    /// Tells what games behind one that was cancelled came to.
    fn tell_rest(&mut self) {
        while let Some((game, outcome)) = self.waiting.pop_first() {
            if !self.tell(game, outcome) {
                return;
            }
        }
    }
}

impl<T, E> Desk<'_, T, E> {
    fn stops(&self) -> bool {
        self.over.load(Ordering::Relaxed) || self.work.cancel.load(Ordering::Relaxed)
    }

    /// Takes games until none is left.
    fn play<H>(&self, mut hand: H, play: &Play<'_, H, T, E>) -> H {
        while !self.stops() {
            let game = self.taken.fetch_add(1, Ordering::Relaxed);
            if game >= self.work.games.end {
                break;
            }
            let Some(outcome) = play(&mut hand, game).transpose() else {
                break;
            };
            if outcome.is_ok() {
                (self.work.progress)(1 + self.done.fetch_add(1, Ordering::Relaxed));
            }
            self.hand_in(game, outcome);
        }
        hand
    }

    fn hand_in(&self, game: u64, outcome: Result<T, E>) {
        let mut queue = self.queue.lock().unwrap_or_else(|e| e.into_inner());
        if self.over.load(Ordering::Relaxed) {
            return;
        }
        queue.waiting.insert(game, outcome);
        if !queue.tell_ready() {
            self.over.store(true, Ordering::Relaxed);
        }
        self.moved.notify_all();
        while game > queue.next + AHEAD_MAX && !self.stops() {
            let waited = self.moved.wait_timeout(queue, LOOK_UP);
            queue = waited.unwrap_or_else(|e| e.into_inner()).0;
        }
    }
}
