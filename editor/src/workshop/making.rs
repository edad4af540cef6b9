//! Commands of the workshop that make and change things: variants, dials, cells, simulations.

use super::checker::Checked;
use super::history::Gesture;
use super::sheet::{FileEdit, Sheet, SheetChange, is_workbook};
use super::variant::{Dial, dials, turn};
use super::whole::{Workshop, no_game};
use crate::files;
use crate::template::{self, Base, Created, Like, Part, TemplateError};
use dsl::assembly::OverlayInfo;
use std::path::Path;

type Begin = fn(Base, &Path, &str, &str) -> Result<Created, TemplateError>;

impl Workshop {
    // ---------------------------------------------------------------------------------------------- beginning

    /// Begins a variant of the game that is open, lays it on and lets edits go to it; its id.
    ///
    /// # Errors
    /// What is wrong and what to do, in sentences.
    pub fn new_variant(&mut self, title: &str) -> Result<String, String> {
        self.new_overlay(title, template::variant)
    }

    /// Begins an expansion of the game that is open, lays it on and lets edits go to it; its id.
    ///
    /// # Errors
    /// What is wrong and what to do, in sentences.
    pub fn new_expansion(&mut self, title: &str) -> Result<String, String> {
        self.new_overlay(title, template::expansion)
    }

    fn new_overlay(&mut self, title: &str, begin: Begin) -> Result<String, String> {
        let folder = self.game().ok_or_else(no_game)?.folder.clone();
        let manifest = folder.join("game.toml");
        let unsaved = |one: &super::document::Document| one.path == manifest && one.is_dirty();
        if self.documents().iter().any(unsaved) {
            return Err("`game.toml` has unsaved changes: save it first".into());
        }
        let id = template::name_of(title);
        if self.overlays().iter().any(|other| other.id == id) {
            return Err(format!(
                "there is already an overlay `{id}`: take another name"
            ));
        }
        let Some(good) = self.good() else {
            return Err("the rules have to be without mistakes for a moment first".into());
        };
        let rules = good.rules().ok_or_else(no_game)?;
        let base = Base {
            sources: &good.sources,
            rules,
            of: &rules.id,
        };
        begin(base, &folder, &id, title).map_err(in_words)?;
        self.reread();
        let mut stack = self.stack().to_vec();
        stack.push(id.clone());
        self.set_stack(stack);
        self.set_target(Some(&id))?;
        Ok(id)
    }

    /// Begins a game, small and complete, in the first folder of games; its id. It is not opened.
    ///
    /// # Errors
    /// What is wrong and what to do, in sentences.
    pub fn new_game(&mut self, title: &str) -> Result<String, String> {
        let Some(root) = self.project.library.roots.first() else {
            return Err("there is no folder of games".into());
        };
        let id = template::name_of(title);
        template::game(root, &id, title, Like::default()).map_err(in_words)?;
        self.project.refresh();
        self.shelf.clear();
        Ok(id)
    }

    /// Begins one more file of the game that is open; its name, as the source set has it.
    ///
    /// # Errors
    /// What is wrong and what to do, in sentences.
    pub fn new_file(&mut self, part: Part, name: &str) -> Result<String, String> {
        let game = self.game().ok_or_else(no_game)?.clone();
        let manifest = game.folder.join("game.toml");
        let unsaved = |one: &super::document::Document| one.path == manifest && one.is_dirty();
        if part == Part::Rules && self.documents().iter().any(unsaved) {
            return Err("`game.toml` has unsaved changes: save it first".into());
        }
        let name = template::name_of(name);
        let board = self.derived_board();
        let base = template::Game {
            folder: &game.folder,
            id: &game.id,
            title: &game.title,
            players: game.players.map_or(2, |(least, _)| least),
            board: board.as_deref(),
        };
        template::part(part, base, &name).map_err(in_words)?;
        self.reread();
        let place = part.place(&name);
        let place: Vec<String> = place
            .iter()
            .map(|part| part.to_string_lossy().into_owned())
            .collect();
        Ok(format!("{}/{}", game.id, place.join("/")))
    }

    /// What the `board.toml` says that a game without one is drawn by; none if it has one, or nothing to be drawn.
    pub fn derived_board(&self) -> Option<String> {
        let good = self.good()?;
        dsl::board::written(&good.compiled)
    }

    /// Opens a folder: a game, a file of one, or games, whose folder comes before the others then; the id of the game, if
    /// it is one. The game that is open is closed.
    ///
    /// # Errors
    /// If there is no game in it.
    pub fn open_folder(&mut self, folder: &Path) -> Result<Option<String>, String> {
        let folder = folder.canonicalize().map_err(|error| {
            let why = files::in_words(&error);
            format!("`{}` cannot be opened: {why}", folder.display())
        })?;
        let game = folder
            .ancestors()
            .find(|above| above.join("game.toml").is_file());
        let name = |game: &Path| Some(game.file_name()?.to_str()?.to_owned());
        let id = game.and_then(name);
        let inner = folder.join("games");
        let root = match game {
            Some(game) => game.parent(),
            None if files::holds_games(&folder) => Some(folder.as_path()),
            None if files::holds_games(&inner) => Some(inner.as_path()),
            None => None,
        };
        let Some(root) = root else {
            return Err(format!(
                "there is no game in `{}`: a game is a folder with a `game.toml`",
                folder.display()
            ));
        };
        self.close_game();
        self.project.library.put_first(root.to_path_buf());
        self.project.refresh();
        Ok(id)
    }

    // ---------------------------------------------------------------------------------------------- changing

    /// Makes edits, each in its document. What touches several documents is one deed, undone at once.
    ///
    /// # Errors
    /// If a file cannot be opened, or an edit does not fit it.
    pub fn apply(&mut self, changes: Vec<FileEdit>, gesture: Gesture) -> Result<(), String> {
        let gesture = match (&mut self.open, gesture) {
            (Some(open), Gesture::Once) if changes.len() > 1 => {
                open.deeds += 1;
                Gesture::Deed(open.deeds)
            }
            _ => gesture,
        };
        for change in changes {
            let document = self.document(&change.file)?;
            if !document.edit(&change.label, gesture, change.edits) {
                return Err(format!(
                    "`{}` has changed meanwhile: try again",
                    change.file
                ));
            }
        }
        Ok(())
    }

    /// Options of the rules that were without mistakes last.
    pub fn dials(&self) -> Vec<Dial> {
        self.good().map(|good| dials(good)).unwrap_or_default()
    }

    /// Gives an option a value in the overlay that edits go to.
    ///
    /// # Errors
    /// If there is no such overlay or option, or the value is none of its.
    pub fn turn_dial(&mut self, name: &str, value: &str, gesture: Gesture) -> Result<(), String> {
        let Some(target) = self.target().map(str::to_owned) else {
            return Err(
                "begin a variant first, or choose one: it takes what is changed here".into(),
            );
        };
        let all = self.dials();
        let Some(dial) = all.iter().find(|dial| dial.name == name) else {
            return Err(format!("there is no option `{name}`"));
        };
        let Some(file) = self.file_of(&target) else {
            return Err(format!("`{target}` has no rules file"));
        };
        let source = self.document(&file)?.text().to_owned();
        let change = turn(dial, &file, &source, value)?;
        self.apply(vec![change], gesture)
    }

    /// The first rules file of an overlay, as the source set names it.
    pub fn file_of(&self, overlay: &str) -> Option<String> {
        let known = self.overlays().iter().find(|other| other.id == overlay);
        if let Some(file) = known.and_then(|info| info.files.first()) {
            return Some(file.clone());
        }
        // One that has just been begun is not checked yet.
        let game = &self.game()?.id;
        let places = [
            format!("{game}/variants/{overlay}.rules"),
            format!("{game}/expansions/{overlay}/rules/{overlay}.rules"),
        ];
        places.into_iter().find(|place| self.path(place).is_some())
    }

    /// All component tables, as the texts are now.
    pub fn sheets(&mut self) -> Vec<Sheet> {
        let Some(now) = self.fresh() else {
            return Vec::new();
        };
        let good = self.good().cloned();
        let types = now
            .rules()
            .or_else(|| good.as_ref().and_then(|good| good.rules()));
        types
            .map(|types| Sheet::all(&now, types))
            .unwrap_or_default()
    }

    /// Writes a table for spreadsheets: as a workbook where the path ends in `.xlsx`, else as CSV.
    ///
    /// # Errors
    /// Why it cannot be written, in a sentence.
    pub fn write_table(&mut self, table: &str, path: &Path) -> Result<(), String> {
        let sheets = self.sheets();
        let sheet = sheets.iter().find(|sheet| sheet.name == table);
        let sheet = sheet.ok_or_else(|| format!("there is no table `{table}`"))?;
        let bytes = match is_workbook(path) {
            true => sheet.to_xlsx()?,
            false => sheet.to_csv(b',').into_bytes(),
        };
        files::write(path, &bytes).map_err(|error| {
            let why = files::in_words(&error);
            format!("`{}` cannot be written: {why}", path.display())
        })
    }

    /// Reads a table from CSV or a workbook, as one step; the text that has changed.
    ///
    /// # Errors
    /// What is wrong with the file, in a sentence.
    pub fn read_table(&mut self, table: &str, path: &Path) -> Result<Option<String>, String> {
        let shown = path.display();
        let wrong = |(message, help): (String, String)| format!("`{shown}`: {message}; {help}");
        let sheets = self.sheets();
        let sheet = sheets.iter().find(|sheet| sheet.name == table);
        let sheet = sheet.ok_or_else(|| format!("there is no table `{table}`"))?;
        let now = self.fresh().ok_or_else(no_game)?;
        let read = if is_workbook(path) {
            let bytes = files::read_bytes(path).map_err(wrong)?;
            sheet.read_xlsx(&now, self.target(), &bytes, false)
        } else {
            let text = files::read_text(path).map_err(wrong)?;
            sheet.read_csv(&now, self.target(), &text, false)
        };
        let read = read.map_err(|troubles| {
            let told = troubles.iter().map(|trouble| match trouble.line {
                0 => trouble.message.clone(),
                line => format!("line {line}: {}", trouble.message),
            });
            let told: Vec<String> = told.collect();
            format!("`{shown}`: {}", told.join("; "))
        })?;
        let file = read.edits.first().map(|edit| edit.file.clone());
        self.apply(read.edits, Gesture::Once)?;
        Ok(file)
    }

    /// Changes a table: in the overlay that edits go to, or in the game's own files if there is none. The text that has
    /// changed.
    ///
    /// # Errors
    /// Why it cannot be done, in a sentence.
    pub fn change_sheet(
        &mut self,
        table: &str,
        change: &SheetChange,
        gesture: Gesture,
    ) -> Result<Option<String>, String> {
        let sheets = self.sheets();
        let Some(sheet) = sheets.iter().find(|sheet| sheet.name == table) else {
            return Err(format!("there is no table `{table}`"));
        };
        let now = self.fresh().ok_or_else(no_game)?;
        let target = self.target().map(str::to_owned);
        let edits = sheet.change(&now, target.as_deref(), change)?;
        let file = edits.first().map(|edit| edit.file.clone());
        self.apply(edits, gesture)?;
        Ok(file)
    }

    /// Puts an overlay before another one in the order of the layers, or last: an edit of `game.toml`.
    ///
    /// # Errors
    /// If the manifest cannot be read.
    pub fn move_overlay(&mut self, id: &str, before: Option<&str>) -> Result<(), String> {
        let game = self.game().ok_or_else(no_game)?.id.clone();
        let overlays = self.overlays().to_vec();
        let document = self.document(&format!("{game}/game.toml"))?;
        // House rules for any game lie above the game's own, unless it lists them.
        let listed =
            |one: &OverlayInfo| !one.of_any || document.text().contains(&format!("\"{}\"", one.id));
        let mut order: Vec<String> = overlays
            .iter()
            .filter(|one| listed(one))
            .map(|one| one.id.clone())
            .collect();
        if !order.iter().any(|other| other == id) {
            return Err(format!(
                "`{id}` is of any game: it lies above what `game.toml` lists, unless it is listed there too"
            ));
        }
        order.retain(|other| other != id);
        let at = before.and_then(|before| order.iter().position(|other| other == before));
        order.insert(at.unwrap_or(order.len()), id.to_owned());
        let text = template::in_order(document.text(), &order)
            .ok_or("the list `overlays` in `game.toml` cannot be read")?;
        document.set_text("move an overlay", Gesture::Once, &text);
        Ok(())
    }

    // ---------------------------------------------------------------------------------------------- simulating

    /// Writes the results of the simulation as JSON or as CSV, as the path ends, with what overlays change. The path written.
    ///
    /// # Errors
    /// Why that cannot be done, in a sentence.
    pub fn export_simulation(&self, path: &Path) -> Result<String, String> {
        let result = self.simulation.as_ref().and_then(|one| one.result.as_ref());
        let Some(Ok(done)) = result else {
            return Err("there are no results yet: simulate first".into());
        };
        let ending = path.extension().and_then(|e| e.to_str());
        let text = match ending {
            Some("json") => done.to_json(),
            Some("csv") => done.to_csv(),
            _ => return Err("end the name with .json or .csv".into()),
        };
        let text = text.ok_or("there is no table of this: it is shown here alone")?;
        let shown = path.display().to_string();
        files::write(path, text.as_bytes())
            .map_err(|why| format!("`{shown}` cannot be written: {why}"))?;
        Ok(shown)
    }

    /// The texts as they are now, checked: at once, if the checker has not come to them.
    pub(super) fn fresh(&mut self) -> Option<std::sync::Arc<Checked>> {
        self.check_now();
        self.checked().cloned()
    }
}

fn in_words(error: TemplateError) -> String {
    format!("{}; {}", error.message, error.help.join("; "))
}
