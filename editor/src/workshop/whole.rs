//! The game that is open: its documents, the overlays that are active, and the rules as they check.

use super::checker::{Checked, Checker, Request, checker};
use super::document::Document;
use super::jobs::{CaseWorker, Cases, Simulation, case_worker};
use super::journal::Journal;
use super::outside::{Outside, Stamp, stamp};
use super::playtest::{Playable, Playtest, Reload};
use super::project::{GameEntry, Project, obstacle};
use super::recents::Recents;
use super::worker::{Desk, Waker, Worker};
use crate::files::{Library, Loaded};
use dsl::assembly::{OverlayInfo, Selection};
use dsl::diagnostic::Diagnostic;
use dsl::source::SourceSet;
use dsl::syntax::ast::AssignOp;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// What has happened since the last poll.
#[derive(Clone, Debug)]
pub enum News {
    /// Texts have been checked; [`Workshop::checked`] has the result.
    Checked,
    /// Scenarios have been played; [`Workshop::cases`] has the results.
    Cases,
    /// The play-test goes on under changed rules; what became of it.
    Reloaded(Reload),
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
}

/// See the module.
pub struct Workshop {
    pub project: Project,
    open: Option<Open>,
    checker: Checker,
    /// The game that is tried out, if one is.
    pub playtest: Option<Playtest>,
    reloader: Reloader,
    cases: Cases,
    case_worker: CaseWorker,
    pub simulation: Option<Simulation>,
    /// None: see [`Workshop::remember_in`].
    pub journal: Option<Journal>,
    pub recents: Recents,
    waker: Waker,
}

/// Plays a play-test again under other rules, in the background: what it was, and the rules.
type Reloader = Worker<(Playtest, Arc<Checked>), (u64, Option<Playtest>, Reload)>;

fn reloader(waker: Waker) -> Reloader {
    Worker::new(
        waker,
        |(old, checked): (Playtest, Arc<Checked>), desk: &Desk<_>| {
            let answer = match Playable::new(checked, old.players()) {
                Ok(game) => {
                    let (new, reload) = old.reload(game);
                    (old.version(), new, reload)
                }
                Err(error) => {
                    let reload = Reload::Unfit {
                        logged: format!("a game of {} players", old.players()),
                        now: error.message,
                    };
                    (old.version(), None, reload)
                }
            };
            desk.send(answer);
        },
    )
}

pub(super) fn no_game() -> String {
    "no game is open".into()
}

/// The game that is open.
struct Open {
    id: String,
    /// As it lies on disk.
    loaded: Loaded,
    folders: BTreeMap<PathBuf, Stamp>,
    stamps: Vec<Stamp>,
    /// With the texts of the documents.
    sources: SourceSet,
    documents: Vec<Document>,
    /// Versions of the documents that are in `sources`.
    seen: Vec<u64>,
    /// Conflicts that are told and not settled.
    conflicts: Vec<String>,
    stack: Vec<String>,
    options: Vec<(String, AssignOp, String)>,
    target: Option<String>,
    version: u64,
    asked: u64,
    checked: Option<Arc<Checked>>,
    good: Option<Arc<Checked>>,
}

impl Workshop {
    /// A workshop without a game; `waker` is called when [`Workshop::poll`] has something to tell.
    pub fn new(library: Library, waker: Waker) -> Workshop {
        Workshop {
            project: Project::open(library),
            open: None,
            checker: checker(waker.clone()),
            playtest: None,
            reloader: reloader(waker.clone()),
            cases: Cases::default(),
            case_worker: case_worker(waker.clone()),
            simulation: None,
            journal: None,
            recents: Recents::default(),
            waker,
        }
    }

    /// Keeps unsaved work and what was opened last in the user's folder, and offers what was left behind there.
    ///
    /// # Errors
    /// If nothing can be written there, in a sentence; the workshop works without.
    pub fn remember_in(&mut self, user_folder: &Path) -> Result<(), String> {
        self.recents = Recents::open(user_folder);
        self.journal = Some(Journal::open(user_folder)?);
        Ok(())
    }

    pub(super) fn waker(&self) -> Waker {
        self.waker.clone()
    }

    // ---------------------------------------------------------------------------------------------- the game

    /// Opens a game without overlays. Documents of another game are closed: ask before, if [`Workshop::is_dirty`].
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
        self.open = Some(Open::read(&self.project.library, id));
        Ok(())
    }

    pub fn close_game(&mut self) {
        if let (Some(journal), Some(open)) = (&mut self.journal, &self.open) {
            journal.write(&open.id, &[]);
        }
        self.open = None;
        self.checker.cancel();
        self.case_worker.cancel();
        self.cases = Cases::default();
        self.playtest = None;
        self.simulation = None;
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

    /// Values of options for this session only, after all layers.
    pub fn set_options(&mut self, options: Vec<(String, AssignOp, String)>) {
        if let Some(open) = &mut self.open
            && open.options != options
        {
            open.options = options;
            open.version += 1;
        }
    }

    // ---------------------------------------------------------------------------------------------- documents

    /// The texts of the game as they are now, unsaved edits included.
    pub fn sources(&self) -> Option<&SourceSet> {
        self.open.as_ref().map(|open| &open.sources)
    }

    /// Where a file of the game lies.
    pub fn path(&self, name: &str) -> Option<&Path> {
        let open = self.open.as_ref()?;
        let file = open.loaded.sources.find(name)?;
        open.loaded.paths.get(file.0 as usize).map(PathBuf::as_path)
    }

    /// Documents that are open, in the order they were opened.
    pub fn documents(&self) -> &[Document] {
        self.open.as_ref().map_or(&[], |open| &open.documents)
    }

    /// Opens a file of the game, named as the source set names it; one that is open already stays as it is.
    ///
    /// # Errors
    /// What is wrong, in a sentence.
    pub fn document(&mut self, name: &str) -> Result<&mut Document, String> {
        let path = self.path(name).map(Path::to_path_buf);
        let Some(open) = &mut self.open else {
            return Err("no game is open".into());
        };
        if let Some(at) = open.documents.iter().position(|other| other.name == name) {
            return Ok(&mut open.documents[at]);
        }
        let path = path.ok_or_else(|| format!("there is no file `{name}`"))?;
        let document = Document::open(&path, name)
            .map_err(|(message, help)| format!("`{name}`: {message}; {help}"))?;
        open.documents.push(document);
        // Never seen: what lies on disk may differ from what was loaded.
        open.seen.push(u64::MAX);
        let last = open.documents.len() - 1;
        Ok(&mut open.documents[last])
    }

    /// Opens a file of the game that may not be there yet: saving makes it.
    ///
    /// # Errors
    /// What is wrong, in a sentence.
    pub(super) fn new_document(
        &mut self,
        name: &str,
        path: &Path,
    ) -> Result<&mut Document, String> {
        let known = self.documents().iter().any(|one| one.name == name);
        if known || self.path(name).is_some() {
            return self.document(name);
        }
        let open = self.open.as_mut().ok_or_else(no_game)?;
        let document = Document::open(path, name)
            .map_err(|(message, help)| format!("`{name}`: {message}; {help}"))?;
        open.documents.push(document);
        open.seen.push(u64::MAX);
        let last = open.documents.len() - 1;
        Ok(&mut open.documents[last])
    }

    /// Takes an unsaved text that was left behind by a program that ended into its document; its game must be open.
    ///
    /// # Errors
    /// What is wrong, in a sentence.
    pub fn recover(&mut self, at: usize) -> Result<String, String> {
        let journal = self.journal.as_ref().ok_or("there is no journal")?;
        let leftover = journal
            .leftovers()
            .get(at)
            .ok_or("there is nothing left behind")?;
        let entry = leftover.entry.clone();
        if self.open.as_ref().is_none_or(|open| open.id != entry.game) {
            self.open_game(&entry.game)?;
        }
        let document = self.new_document(&entry.name, &entry.path)?;
        document.set_text(
            "recover unsaved work",
            super::history::Gesture::Once,
            &entry.text,
        );
        if let Some(journal) = &mut self.journal {
            journal.take(at);
        }
        Ok(entry.name)
    }

    /// Closes a document; unsaved edits are lost.
    pub fn close(&mut self, name: &str) {
        let Some(open) = &mut self.open else { return };
        let Some(at) = open.documents.iter().position(|other| other.name == name) else {
            return;
        };
        let document = open.documents.remove(at);
        open.seen.remove(at);
        if let Some(text) = document.on_disk() {
            open.sources.insert(document.name.clone(), text);
        }
        open.version += 1;
    }

    /// Whether a document has unsaved edits.
    pub fn is_dirty(&self) -> bool {
        self.documents().iter().any(Document::is_dirty)
    }

    /// Writes all documents with unsaved edits.
    ///
    /// # Errors
    /// What could not be written, and why; the others are.
    pub fn save_all(&mut self) -> Result<(), Vec<String>> {
        let Some(open) = &mut self.open else {
            return Ok(());
        };
        let dirty = open.documents.iter_mut().filter(|one| one.is_dirty());
        let errors: Vec<String> = dirty.filter_map(|one| one.save().err()).collect();
        open.conflicts.clear();
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }

    // ---------------------------------------------------------------------------------------------- checking

    /// To be called once a frame: hands changed texts to the checker and says what has come back. Takes no time.
    pub fn poll(&mut self) -> Vec<News> {
        let mut news = Vec::new();
        if self.simulation.as_mut().is_some_and(Simulation::poll) {
            news.push(News::Simulated);
        }
        self.poll_playtest(&mut news);
        let Some(open) = &mut self.open else {
            return news;
        };
        open.note_documents();
        if let Some(journal) = &mut self.journal {
            journal.note(&open.id, &open.documents, Instant::now());
        }
        if open.asked != open.version {
            open.asked = open.version;
            self.checker.ask(open.request());
        }
        while let Some(checked) = self.checker.poll() {
            if checked.game != open.id {
                continue;
            }
            // What was checked at once meanwhile is newer.
            if open
                .checked
                .as_ref()
                .is_some_and(|known| known.version > checked.version)
            {
                continue;
            }
            open.take(checked.clone());
            news.push(News::Checked);
            if checked.rules().is_some() {
                self.case_worker.ask(checked.clone());
                if let Some(playtest) = &self.playtest {
                    self.reloader.ask((playtest.clone(), checked));
                }
            }
        }
        while let Some(played) = self.case_worker.poll() {
            self.cases.note(played);
            news.push(News::Cases);
        }
        news
    }

    fn poll_playtest(&mut self, news: &mut Vec<News>) {
        while let Some((version, new, reload)) = self.reloader.poll() {
            let Some(playtest) = &mut self.playtest else {
                continue;
            };
            if playtest.version() != version {
                // It has been played on meanwhile: once more, with what is good now.
                let good = self.open.as_ref().and_then(|open| open.good.clone());
                if let Some(good) = good {
                    self.reloader.ask((playtest.clone(), good));
                }
                continue;
            }
            if let Some(new) = new {
                *playtest = new;
            }
            news.push(News::Reloaded(reload));
        }
    }

    /// Scenarios of the game, with what came of them as far as they have been played.
    pub fn cases(&self) -> &Cases {
        &self.cases
    }

    /// Whether scenarios are being played.
    pub fn is_playing_cases(&self) -> bool {
        self.case_worker.is_busy()
    }

    /// Checks the texts as they are at once, if the checker has not come to them yet.
    pub(super) fn check_now(&mut self) {
        let Some(open) = &mut self.open else { return };
        open.note_documents();
        if open.checked.as_ref().map(|checked| checked.version) != Some(open.version) {
            let checked = Arc::new(Checked::of(open.request()));
            open.take(checked);
        }
    }

    /// Reads again what lies on disk, after files were made here.
    pub(super) fn reread(&mut self) {
        self.project.refresh();
        if let Some(open) = &mut self.open {
            open.reread(&self.project.library);
        }
    }

    /// The texts that were checked last.
    pub fn checked(&self) -> Option<&Arc<Checked>> {
        self.open.as_ref()?.checked.as_ref()
    }

    /// The last ones that were without mistakes: what is played.
    pub fn good(&self) -> Option<&Arc<Checked>> {
        self.open.as_ref()?.good.as_ref()
    }

    /// Whether what is played are the rules as they are written now.
    pub fn is_current(&self) -> bool {
        let Some(open) = &self.open else { return false };
        let good = open.good.as_ref().map(|good| good.version);
        good == Some(open.version)
    }

    /// Whether the checker has not come to the texts as they are now.
    pub fn is_checking(&self) -> bool {
        let Some(open) = &self.open else { return false };
        open.checked.as_ref().map(|checked| checked.version) != Some(open.version)
    }

    /// All problems of the texts that were checked last, those of unreadable files too.
    pub fn problems(&self) -> Vec<Diagnostic> {
        let Some(open) = &self.open else {
            return Vec::new();
        };
        let checked = open
            .checked
            .iter()
            .flat_map(|checked| checked.diagnostics());
        let cases = self.cases.problems.iter();
        let cases = cases.filter(|_| self.cases.version == open.version);
        let unreadable = open.loaded.diagnostics.iter();
        unreadable.chain(checked).chain(cases).cloned().collect()
    }

    // ---------------------------------------------------------------------------------------------- outside

    /// Looks whether files were changed, made or taken away by somebody else; call it about once a second, or when the
    /// system says that something happened in the folder.
    pub fn look_outside(&mut self) -> Vec<News> {
        match &mut self.open {
            Some(open) => open.look_outside(&self.project.library),
            None => Vec::new(),
        }
    }

    /// Goes on with the document as it is here; saving writes over what lies on disk.
    pub fn keep_mine(&mut self, name: &str, theirs: Option<String>) {
        self.settle(name, |document| document.keep_mine(theirs));
    }

    /// Takes what lies on disk, as a step that can be undone.
    pub fn take_theirs(&mut self, name: &str, theirs: String) {
        self.settle(name, |document| document.take_theirs(theirs));
    }

    fn settle(&mut self, name: &str, how: impl FnOnce(&mut Document)) {
        let Some(open) = &mut self.open else { return };
        open.conflicts.retain(|other| other != name);
        if let Some(document) = open.documents.iter_mut().find(|one| one.name == name) {
            how(document);
        }
    }
}

impl Open {
    fn read(library: &Library, id: String) -> Open {
        let loaded = Loaded::game(library, &id);
        let mut open = Open {
            id,
            sources: loaded.sources.clone(),
            loaded,
            folders: BTreeMap::new(),
            stamps: Vec::new(),
            documents: Vec::new(),
            seen: Vec::new(),
            conflicts: Vec::new(),
            stack: Vec::new(),
            options: Vec::new(),
            target: None,
            version: 1,
            asked: 0,
            checked: None,
            good: None,
        };
        open.note_stamps();
        open
    }

    fn request(&self) -> Request {
        Request {
            version: self.version,
            sources: self.sources.clone(),
            game: self.id.clone(),
            selection: Selection {
                overlays: self.stack.clone(),
                options: self.options.clone(),
            },
            target: self.target.clone(),
        }
    }

    fn take(&mut self, checked: Arc<Checked>) {
        if checked.rules().is_some() {
            self.good = Some(checked.clone());
        }
        self.checked = Some(checked);
    }

    /// Puts the documents' texts into the sources.
    fn note_documents(&mut self) {
        for (document, seen) in self.documents.iter().zip(&mut self.seen) {
            if *seen != document.version() {
                *seen = document.version();
                self.sources.insert(document.name.clone(), document.text());
                self.version += 1;
            }
        }
    }

    fn note_stamps(&mut self) {
        self.stamps = self.loaded.paths.iter().map(|path| stamp(path)).collect();
        let folders = self.loaded.paths.iter().filter_map(|path| path.parent());
        self.folders = folders
            .map(|folder| (folder.to_path_buf(), stamp(folder)))
            .collect();
    }

    fn look_outside(&mut self, library: &Library) -> Vec<News> {
        let mut news = Vec::new();
        for document in &mut self.documents {
            let theirs = match document.look_outside() {
                Outside::Same => continue,
                Outside::Unreadable(why) => {
                    let name = document.name.clone();
                    news.push(News::Unreadable { name, why });
                    continue;
                }
                Outside::Changed(theirs) if !document.is_dirty() => {
                    document.take_theirs(theirs);
                    news.push(News::Reread(document.name.clone()));
                    continue;
                }
                Outside::Changed(theirs) => Some(theirs),
                Outside::Gone => None,
            };
            if !self.conflicts.contains(&document.name) {
                self.conflicts.push(document.name.clone());
                let name = document.name.clone();
                news.push(News::Conflict { name, theirs });
            }
        }
        let touched = self.loaded.paths.iter().zip(&self.stamps);
        let touched = touched
            .filter(|(path, known)| stamp(path) != **known)
            .count()
            > 0
            || self
                .folders
                .iter()
                .any(|(folder, known)| stamp(folder) != *known);
        if touched {
            news.extend(self.reread(library).into_iter().map(News::Reread));
        }
        news
    }

    /// Reads all files again; the names of those that differ and are not open as documents.
    fn reread(&mut self, library: &Library) -> Vec<String> {
        let loaded = Loaded::game(library, &self.id);
        let old = std::mem::replace(&mut self.loaded, loaded);
        self.note_stamps();
        let text = |set: &SourceSet, name: &str| set.find(name).map(|id| set.text(id).to_owned());
        let names: Vec<&str> = self
            .loaded
            .sources
            .paths()
            .chain(old.sources.paths())
            .collect();
        let mut differ: Vec<String> = names
            .into_iter()
            .filter(|name| text(&self.loaded.sources, name) != text(&old.sources, name))
            .map(str::to_owned)
            .collect();
        differ.sort();
        differ.dedup();
        if differ.is_empty() {
            return differ;
        }
        // File ids may be others now: all that was checked before keeps its own sources.
        self.sources = self.loaded.sources.clone();
        for document in &self.documents {
            self.sources.insert(document.name.clone(), document.text());
        }
        self.version += 1;
        differ.retain(|name| !self.documents.iter().any(|one| one.name == *name));
        differ
    }
}
