//! Long work beside Python: without its lock, with progress, ended by Ctrl-C.

use pyo3::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// So often is looked whether somebody pressed Ctrl-C, and progress told.
const LOOK_UP: Duration = Duration::from_millis(50);

/// Does work that plays so many games. `progress` hears `(done, of)`; what it raises ends the work.
pub fn watched<T: Send>(
    py: Python<'_>,
    games: u64,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&(dyn Fn(u64) + Sync), &AtomicBool) -> T + Send,
) -> PyResult<T> {
    let (cancel, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let raised = Mutex::new(None);
    let hear = |told: &mut u64| -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            let now = done.load(Ordering::Relaxed);
            if let Some(progress) = progress.filter(|_| now != *told) {
                progress.call1(py, (now, games))?;
                *told = now;
            }
            Ok(())
        })
    };
    let outcome = py.detach(|| {
        let here = thread::current();
        let mut told = 0;
        let outcome = thread::scope(|scope| {
            let worker = scope.spawn(|| {
                let count = |now: u64| {
                    done.fetch_max(now, Ordering::Relaxed);
                };
                let outcome = work(&count, &cancel);
                here.unpark();
                outcome
            });
            while !worker.is_finished() {
                thread::park_timeout(LOOK_UP);
                if !cancel.load(Ordering::Relaxed)
                    && let Err(error) = hear(&mut told)
                {
                    cancel.store(true, Ordering::Relaxed);
                    *raised.lock().unwrap_or_else(|e| e.into_inner()) = Some(error);
                }
            }
            worker.join()
        });
        if !cancel.load(Ordering::Relaxed)
            && let Err(error) = hear(&mut told)
        {
            *raised.lock().unwrap_or_else(|e| e.into_inner()) = Some(error);
        }
        outcome
    });
    match (
        raised.into_inner().unwrap_or_else(|e| e.into_inner()),
        outcome,
    ) {
        (Some(error), _) => Err(error),
        (None, Ok(outcome)) => Ok(outcome),
        (None, Err(panic)) => std::panic::resume_unwind(panic),
    }
}
