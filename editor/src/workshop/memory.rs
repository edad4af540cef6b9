//! What was worked on, game by game: overlays, language, texts that were open, the play-test with all its lines. It comes back
//! when the game is opened again, another day too.

use super::playtest::{Kept, Moment};
use super::whole::Workshop;
use crate::files;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long after a change it is written down.
const WRITE_AFTER: Duration = Duration::from_millis(800);

/// What is remembered of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remembered {
    /// Overlays that lie on it.
    #[serde(default)]
    pub stack: Vec<String>,
    /// Where edits go.
    pub target: Option<String>,
    pub language: Option<String>,
    /// Texts that were open.
    #[serde(default)]
    pub texts: Vec<String>,
    /// Overlays that edits went to, the last one first.
    #[serde(default)]
    pub own: Vec<String>,
    pub play: Option<Kept>,
}

/// See the module.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Memory {
    /// The game that is open; none: the shelf.
    open: Option<String>,
    #[serde(default)]
    games: BTreeMap<String, Remembered>,
    /// There was nothing to be remembered yet.
    #[serde(skip)]
    fresh: bool,
    #[serde(skip)]
    file: Option<PathBuf>,
    /// Of what is written down, and since when it is another one.
    #[serde(skip)]
    known: Stand,
    #[serde(skip)]
    changed: Option<Instant>,
}

/// Equal stands, nothing new to be remembered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Stand {
    game: Option<String>,
    version: u64,
    moment: Option<Moment>,
    texts: usize,
}

impl Memory {
    /// Reads what was remembered; nothing if there is no such file, or none of use.
    pub fn open(user_folder: &Path) -> Memory {
        let file = user_folder.join("session.toml");
        let text = files::read_text(&file).unwrap_or_default();
        let known: Memory = toml::from_str(&text).unwrap_or_default();
        Memory {
            fresh: !file.exists(),
            file: Some(file),
            ..known
        }
    }

    /// The game that was open when the program ended.
    pub fn last(&self) -> Option<&str> {
        self.open.as_deref()
    }

    /// What is known of a game.
    pub fn of(&self, game: &str) -> Option<&Remembered> {
        self.games.get(game)
    }

    fn write(&self) {
        if let Some(file) = &self.file
            && let Ok(text) = toml::to_string(self)
        {
            // What cannot be remembered must not stop the work; it is tried again with the next change.
            let _ = files::write(file, text.as_bytes());
        }
    }
}

impl Workshop {
    /// Whether nobody has worked here before.
    pub fn is_first_time(&self) -> bool {
        self.memory.fresh
    }

    /// Whether something is new that is not written down yet.
    pub fn has_to_remember(&self) -> bool {
        self.memory.changed.is_some()
    }

    /// To be called once a frame: writes down what is new when it has rested for a moment.
    pub(super) fn remember_if_due(&mut self, now: Instant) {
        if self.stand() == self.memory.known {
            self.memory.changed = None;
            return;
        }
        let since = *self.memory.changed.get_or_insert(now);
        if now - since >= WRITE_AFTER && self.playing.is_settled() {
            self.remember();
        }
    }

    /// Remembers the game that is open as it stands.
    pub fn remember(&mut self) {
        let stand = self.stand();
        self.memory.changed = None;
        self.memory.open.clone_from(&stand.game);
        if let Some(game) = &stand.game {
            let before = self.memory.games.remove(game).unwrap_or_default();
            let now = self.remembered(before);
            self.memory.games.insert(game.clone(), now);
        }
        self.memory.known = stand;
        self.memory.write();
    }

    /// Nothing is open: the shelf is what comes back.
    pub(super) fn remember_shelf(&mut self) {
        self.memory.open = None;
        self.memory.known = self.stand();
        self.memory.write();
    }

    fn stand(&self) -> Stand {
        Stand {
            game: self.open.as_ref().map(|open| open.id.clone()),
            version: self.version(),
            moment: self.playtest.as_ref().map(|game| game.moment()),
            texts: self.documents().len(),
        }
    }

    fn remembered(&self, before: Remembered) -> Remembered {
        let target = self.target().map(str::to_owned);
        let mut own = before.own;
        if let Some(target) = &target {
            own.retain(|other| other != target);
            own.insert(0, target.clone());
        }
        Remembered {
            stack: self.stack().to_vec(),
            target,
            language: self.language().map(str::to_owned),
            texts: self
                .documents()
                .iter()
                .map(|one| one.name.clone())
                .collect(),
            own,
            // A game that is still to come back stays as it was written down.
            play: match &self.playtest {
                Some(game) => Some(game.kept()).filter(|kept| !kept.is_fresh()),
                None => before.play,
            },
        }
    }

    /// Brings back how a game was left, as far as it is still there.
    pub(super) fn bring_back(&mut self) {
        let Some(game) = self.open.as_ref().map(|open| open.id.clone()) else {
            return;
        };
        let Some(known) = self.memory.of(&game).cloned() else {
            return;
        };
        let there: Vec<String> = self.overlays().iter().map(|one| one.id.clone()).collect();
        let stack = known.stack.into_iter().filter(|id| there.contains(id));
        self.set_stack(stack.collect());
        if let Some(target) = known.target.filter(|id| there.contains(id)) {
            // What does not go together any more is not laid on.
            let _ = self.set_target(Some(&target));
        }
        if known
            .language
            .as_ref()
            .is_some_and(|one| self.languages().contains(one))
        {
            self.set_language(known.language);
        }
        for text in &known.texts {
            // One that has gone is not missed.
            let _ = self.document(text);
        }
        self.playing.resume(known.play);
    }

    /// Overlays of the open game that edits went to, the last one first.
    pub fn own_overlays(&self) -> &[String] {
        let game = self.open.as_ref().and_then(|open| self.memory.of(&open.id));
        game.map_or(&[], |game| &game.own)
    }
}
