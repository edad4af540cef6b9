//! When to look at files that others may have changed: when the system tells that something happened in the game's
//! folders; each second where it cannot tell.

use super::worker::Waker;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often files are looked at where the system does not tell.
pub const LOOK_EVERY: Duration = Duration::from_secs(1);

/// See the module.
pub(super) struct Watch {
    waker: Waker,
    told: Arc<AtomicBool>,
    /// What is watched, and by what; none: the system cannot tell.
    watcher: Option<RecommendedWatcher>,
    folders: Vec<PathBuf>,
    looked: Option<Instant>,
    /// Why the system cannot tell, until it has been said.
    trouble: Option<String>,
}

impl Watch {
    pub(super) fn new(waker: Waker) -> Watch {
        Watch {
            waker,
            told: Arc::default(),
            watcher: None,
            folders: Vec::new(),
            looked: None,
            trouble: None,
        }
    }

    /// Watches these folders, with all in them, and no others.
    pub(super) fn set(&mut self, folders: Vec<PathBuf>) {
        if self.folders == folders {
            return;
        }
        self.watcher = None;
        self.folders = folders;
        let (told, waker) = (self.told.clone(), self.waker.clone());
        let hear = move |event: notify::Result<Event>| {
            // Reading a file is told too, and is nothing new.
            let is_new = event.map_or(true, |event| !matches!(event.kind, EventKind::Access(_)));
            if is_new {
                told.store(true, Ordering::Relaxed);
                waker();
            }
        };
        let watched = notify::recommended_watcher(hear).and_then(|mut watcher| {
            for folder in &self.folders {
                watcher.watch(folder, RecursiveMode::Recursive)?;
            }
            Ok(watcher)
        });
        match watched {
            Ok(watcher) => self.watcher = Some(watcher),
            Err(error) => self.trouble = Some(error.to_string()),
        }
    }

    /// Why the system cannot tell when files change; said once.
    pub(super) fn take_trouble(&mut self) -> Option<String> {
        self.trouble.take()
    }

    /// Whether the system tells.
    pub(super) fn is_told(&self) -> bool {
        self.watcher.is_some()
    }

    /// Whether it is time to look; it is taken as done.
    pub(super) fn is_due(&mut self, now: Instant) -> bool {
        let told = self.told.swap(false, Ordering::Relaxed);
        let late = !self.is_told() && self.looked.is_none_or(|then| now - then >= LOOK_EVERY);
        if told || late {
            self.looked = Some(now);
        }
        told || late
    }
}
