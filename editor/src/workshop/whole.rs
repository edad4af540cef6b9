//! The game that is open, the overlays that are active, and where edits go.

use super::cases::{CaseWorker, Cases, case_worker};
use super::checker::{Checker, checker};
use super::dealer::WhyNot;
use super::journal::Journal;
use super::laboratory::{Simulation, models_in};
use super::memory::Memory;
use super::open::Open;
use super::playing::Playing;
use super::playtest::{Playtest, Reload};
use super::project::{GameEntry, Project, obstacle};
use super::questions::{Answer, Asker, asker};
use super::recents::Recents;
use super::shelf::Shelf;
use super::watch::Watch;
use super::worker::Waker;
use crate::files::Library;
use dsl::assembly::OverlayInfo;
use dsl::syntax::ast::AssignOp;
use interpreter::bots::Model;
use std::path::Path;
use std::sync::Arc;

/// What has happened since the last poll.
#[derive(Clone, Debug)]
pub enum News {
    /// Texts have been checked; [`Workshop::checked`] has the result.
    Checked,
    /// Scenarios have been played; [`Workshop::cases`] has the results.
    Cases,
    /// The play-test goes on under changed rules; what became of it.
    Reloaded(Reload),
    /// A question about a word is answered.
    Answered(Answer),
    /// Why things are not offered where the play-test stands.
    WhyNot(WhyNot),
    /// A game cannot be set up, or not played on: what is wrong with the rules.
    CannotPlay(String),
    /// A saved game was loaded; how far it goes under these rules.
    Loaded(Reload),
    /// A game that was left goes on; whether it goes as far as it went.
    Resumed { whole: bool },
    /// A cell could not be set by hand, and why.
    NotGiven(String),
    /// A saved game could not be loaded, and why.
    NotLoaded(String),
    /// A scenario was written into this file; or why not.
    ScenarioMade {
        title: String,
        file: Result<String, String>,
    },
    /// A simulation is done; [`Workshop::simulation`] has the result.
    Simulated,
    /// A file that is not edited here was changed outside, and has been read again.
    Reread(String),
    /// A document with unsaved edits was changed outside: keep mine, take theirs, show both.
    Conflict {
        name: String,
        theirs: Option<String>,
    },
    /// A file cannot be read any more: its name, and why.
    Unreadable { name: String, why: String },
    /// The system does not tell when files change, and why: they are looked at each second.
    Unwatched(String),
}

/// See the module.
pub struct Workshop {
    pub project: Project,
    pub(super) open: Option<Open>,
    pub(super) checker: Checker,
    /// The game that is tried out, if one is.
    pub playtest: Option<Playtest>,
    pub(super) playing: Playing,
    pub(super) cases: Cases,
    pub(super) case_worker: CaseWorker,
    pub simulation: Option<Simulation>,
    /// What bots have learnt of the game that is open.
    pub(super) models: Vec<Arc<Model>>,
    /// What is wrong with files in its folder that say so.
    pub broken_models: Vec<String>,
    pub(super) asker: Asker,
    pub(super) watch: Watch,
    /// None: see [`Workshop::remember_in`].
    pub journal: Option<Journal>,
    pub recents: Recents,
    pub(super) memory: Memory,
    /// Of the texts of the game that was open last: those of the next one go on from there.
    pub(super) versions: u64,
    pub(super) shelf: Shelf,
    pub(super) waker: Waker,
}

pub(super) fn no_game() -> String {
    "no game is open".into()
}

impl Workshop {
    /// A workshop without a game; `waker` is called when [`Workshop::poll`] has something to tell.
    pub fn new(library: Library, waker: Waker) -> Workshop {
        Workshop {
            project: Project::open(library),
            open: None,
            checker: checker(waker.clone()),
            playtest: None,
            playing: Playing::new(waker.clone()),
            cases: Cases::default(),
            case_worker: case_worker(waker.clone()),
            simulation: None,
            models: Vec::new(),
            broken_models: Vec::new(),
            asker: asker(waker.clone()),
            watch: Watch::new(waker.clone()),
            journal: None,
            recents: Recents::default(),
            memory: Memory::default(),
            versions: 0,
            shelf: Shelf::new(waker.clone()),
            waker,
        }
    }

    /// Keeps unsaved work and what was opened last in the user's folder, and offers what was left behind there.
    ///
    /// # Errors
    /// If nothing can be written there, in a sentence; the workshop works without.
    pub fn remember_in(&mut self, user_folder: &Path) -> Result<(), String> {
        self.recents = Recents::open(user_folder);
        self.memory = Memory::open(user_folder);
        self.journal = Some(Journal::open(user_folder)?);
        Ok(())
    }

    pub(super) fn waker(&self) -> Waker {
        self.waker.clone()
    }

    /// The game that was open when the program ended, if no unsaved work waits to be looked at first.
    pub fn last_game(&self) -> Option<String> {
        let leftovers = self.journal.as_ref().map_or(&[][..], Journal::leftovers);
        let last = self.memory.last().filter(|_| leftovers.is_empty())?;
        Some(last.to_owned())
    }

    /// Opens a game as it was left. Documents of another game are closed: ask before, if [`Workshop::is_dirty`].
    ///
    /// # Errors
    /// If there is no such game.
    pub fn open_game(&mut self, id: &str) -> Result<(), String> {
        let Some(entry) = self.project.game(id) else {
            return Err(format!("there is no game `{id}`"));
        };
        let id = entry.id.clone();
        let folder = entry.folder.clone();
        self.recents.note(&folder);
        self.close_game();
        self.shelf.rest();
        let folders = self.project.chain(&id).into_iter();
        let folders = folders.filter_map(|id| self.project.library.folder_of(id));
        self.watch.set(folders.collect());
        (self.models, self.broken_models) = models_in(&folder);
        self.open = Some(Open::read(&self.project.library, id, self.versions + 1));
        self.bring_back();
        Ok(())
    }

    /// Back to the shelf; how the game stands is remembered.
    pub fn close_game(&mut self) {
        if self.open.is_some() {
            self.remember();
        }
        self.versions = self.versions.max(self.version());
        if let Some(open) = &self.open {
            self.shelf.forget(&open.id);
            if let Some(journal) = &mut self.journal {
                journal.write(&open.id, &[]);
            }
        }
        self.open = None;
        self.checker.cancel();
        self.asker.cancel();
        self.case_worker.cancel();
        self.cases = Cases::default();
        self.playing.cancel();
        self.playtest = None;
        self.simulation = None;
        self.models.clear();
        self.broken_models.clear();
        self.remember_shelf();
    }

    /// The game that is open.
    pub fn game(&self) -> Option<&GameEntry> {
        self.project.game(&self.open.as_ref()?.id)
    }

    /// Overlays the game declares, in the order of the layers, as the texts say now.
    pub fn overlays(&self) -> &[OverlayInfo] {
        let manifest = self.checked().and_then(|checked| checked.manifest());
        let now = manifest.map(|manifest| manifest.overlays.as_slice());
        now.or_else(|| self.game().map(|game| game.overlays.as_slice()))
            .unwrap_or_default()
    }

    /// Active overlays, in the order of the layers.
    pub fn stack(&self) -> &[String] {
        self.open.as_ref().map_or(&[], |open| &open.stack)
    }

    /// Languages that the game has words in, beside the one its rules are written in.
    pub fn languages(&self) -> Vec<String> {
        let open = self.open.as_ref();
        open.map_or_else(Vec::new, |open| {
            dsl::assembly::languages(&open.sources, &open.id)
        })
    }

    /// The language that is read; none: the one that the rules are written in.
    pub fn language(&self) -> Option<&str> {
        self.open.as_ref()?.language.as_deref()
    }

    /// Has everything of the game said in this language.
    pub fn set_language(&mut self, language: Option<String>) {
        if let Some(open) = &mut self.open
            && open.language != language
        {
            open.language = language;
            open.version += 1;
        }
    }

    /// Makes these overlays the active ones; their order is that of the game's manifest.
    pub fn set_stack(&mut self, mut ids: Vec<String>) {
        let order: Vec<String> = self.overlays().iter().map(|o| o.id.clone()).collect();
        ids.sort_by_key(|id| {
            order
                .iter()
                .position(|other| other == id)
                .unwrap_or(usize::MAX)
        });
        ids.dedup();
        if let Some(open) = &mut self.open
            && open.stack != ids
        {
            open.target = open.target.take().filter(|target| ids.contains(target));
            open.stack = ids;
            open.version += 1;
        }
    }

    /// Lays an overlay over the game, with those it needs, or takes it away, with those that need it.
    ///
    /// # Errors
    /// Why it does not go with the active ones.
    pub fn toggle(&mut self, id: &str) -> Result<(), String> {
        let overlays = self.overlays().to_vec();
        let mut stack = self.stack().to_vec();
        if stack.iter().any(|other| other == id) {
            let mut gone = vec![id.to_owned()];
            while let Some(id) = gone.pop() {
                stack.retain(|other| *other != id);
                let needing = overlays
                    .iter()
                    .filter(|other| stack.contains(&other.id) && other.needs.contains(&id));
                gone.extend(needing.map(|other| other.id.clone()));
            }
        } else {
            let mut wanted = vec![id.to_owned()];
            while let Some(id) = wanted.pop() {
                if stack.contains(&id) {
                    continue;
                }
                stack.push(id.clone());
                let info = overlays.iter().find(|other| other.id == id);
                wanted.extend(info.map(|info| info.needs.clone()).unwrap_or_default());
            }
            for id in &stack {
                if let Some(why) = obstacle(&overlays, &stack, id) {
                    return Err(why);
                }
            }
        }
        self.set_stack(stack);
        Ok(())
    }

    /// Why an overlay cannot be laid on now; none: it can, with those it needs.
    pub fn obstacle(&self, id: &str) -> Option<String> {
        let overlays = self.overlays();
        let mut active = self.stack().to_vec();
        let info = overlays.iter().find(|other| other.id == id)?;
        active.extend(info.needs.clone());
        obstacle(overlays, &active, id)
    }

    /// The overlay that edits of dials, cells and declarations go to; none: the game itself.
    pub fn target(&self) -> Option<&str> {
        self.open.as_ref()?.target.as_deref()
    }

    /// Lets edits go to this overlay; it is laid on if it is not active yet.
    ///
    /// # Errors
    /// Why it does not go with the active ones.
    pub fn set_target(&mut self, id: Option<&str>) -> Result<(), String> {
        if let Some(id) = id
            && !self.stack().iter().any(|other| other == id)
        {
            self.toggle(id)?;
        }
        if let Some(open) = &mut self.open {
            open.target = id.map(str::to_owned);
            open.version += 1;
        }
        Ok(())
    }

    /// Values of options for this session only.
    pub fn options(&self) -> &[(String, AssignOp, String)] {
        self.open.as_ref().map_or(&[], |open| &open.options)
    }

    /// Gives options values for this session only, after all layers.
    pub fn set_options(&mut self, options: Vec<(String, AssignOp, String)>) {
        if let Some(open) = &mut self.open
            && open.options != options
        {
            open.options = options;
            open.version += 1;
        }
    }
}
