//! A thread that works on the latest request only: what was asked before and not begun yet is dropped, what is running
//! is told to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// Called from any thread when there is something new to be polled: the window draws again.
pub type Waker = Arc<dyn Fn() + Send + Sync>;

/// A thread for requests `Q` that sends answers `A`.
pub struct Worker<Q, A> {
    shared: Arc<Shared<Q>>,
    answers: Receiver<A>,
}

struct Shared<Q> {
    slot: Mutex<Slot<Q>>,
    filled: Condvar,
}

struct Slot<Q> {
    next: Option<Q>,
    /// Of the request that is running.
    stop: Arc<AtomicBool>,
    busy: bool,
    closed: bool,
}

/// What a running request answers through.
pub struct Desk<A> {
    sender: Sender<A>,
    waker: Waker,
    stop: Arc<AtomicBool>,
}

impl<A> Desk<A> {
    /// Nobody waits for this request any more.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// For code that wants to look by itself.
    pub fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    pub fn send(&self, answer: A) {
        // Nobody is there any more to hear it: the window has been closed.
        let _ = self.sender.send(answer);
        (self.waker)();
    }
}

impl<Q: Send + 'static, A: Send + 'static> Worker<Q, A> {
    /// Starts the thread; `work` may answer a request several times.
    pub fn new(waker: Waker, mut work: impl FnMut(Q, &Desk<A>) + Send + 'static) -> Worker<Q, A> {
        let shared = Arc::new(Shared {
            slot: Mutex::new(Slot {
                next: None,
                stop: Arc::default(),
                busy: false,
                closed: false,
            }),
            filled: Condvar::new(),
        });
        let (sender, answers) = channel();
        let own = shared.clone();
        std::thread::spawn(move || {
            while let Some((request, stop)) = own.take() {
                let desk = Desk {
                    sender: sender.clone(),
                    waker: waker.clone(),
                    stop,
                };
                work(request, &desk);
                own.lock().busy = false;
                (desk.waker)();
            }
        });
        Worker { shared, answers }
    }

    /// Asks for this instead of all that was asked before.
    pub fn ask(&self, request: Q) {
        let mut slot = self.shared.lock();
        slot.stop.store(true, Ordering::Relaxed);
        slot.next = Some(request);
        self.shared.filled.notify_one();
    }

    /// Stops what is running and forgets what was asked.
    pub fn cancel(&self) {
        let mut slot = self.shared.lock();
        slot.stop.store(true, Ordering::Relaxed);
        slot.next = None;
    }

    /// Tells what is running to come to an end; what it came to is still told.
    pub fn hurry(&self) {
        self.shared.lock().stop.store(true, Ordering::Relaxed);
    }

    /// Whether something is asked that is not done yet.
    pub fn is_busy(&self) -> bool {
        let slot = self.shared.lock();
        slot.busy || slot.next.is_some()
    }

    /// The next answer that has come.
    pub fn poll(&self) -> Option<A> {
        self.answers.try_recv().ok()
    }
}

impl<Q> Shared<Q> {
    /// A poisoned lock holds what it held: nothing is left half done under it.
    fn lock(&self) -> MutexGuard<'_, Slot<Q>> {
        self.slot.lock().unwrap_or_else(|error| error.into_inner())
    }

    /// Waits for the next request; none: the worker is gone.
    fn take(&self) -> Option<(Q, Arc<AtomicBool>)> {
        let mut slot = self.lock();
        loop {
            if slot.closed {
                return None;
            }
            if let Some(request) = slot.next.take() {
                slot.busy = true;
                slot.stop = Arc::default();
                return Some((request, slot.stop.clone()));
            }
            slot = self
                .filled
                .wait(slot)
                .unwrap_or_else(|error| error.into_inner());
        }
    }
}

impl<Q, A> Drop for Worker<Q, A> {
    fn drop(&mut self) {
        let mut slot = self.shared.lock();
        slot.stop.store(true, Ordering::Relaxed);
        slot.closed = true;
        self.shared.filled.notify_one();
    }
}
