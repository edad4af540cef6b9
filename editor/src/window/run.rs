//! What each command does.

use super::app::Window;
use super::commands::Command;
use super::dock::{Desk, Pane};
use super::panels::keep::Kind;
use super::panels::making::Making;
use super::panels::row::Purpose;
use crate::workshop::design::Drawing;
use crate::workshop::history::Gesture;
use crate::workshop::playtest::Playtest;
use dsl::service;
use dsl::source::Span;
use egui::{Context, Theme};
use interpreter::bots::Bot;
use std::ops::Range;
use std::path::Path;

const ZOOM_MIN: f32 = 0.6;
const ZOOM_MAX: f32 = 2.5;
const ZOOM_STEP: f32 = 0.1;

/// Does what concerns the screen alone; false: it is for the window.
pub(super) fn screen(ctx: &Context, command: &Command) -> bool {
    let zoom = |factor: f32| ctx.set_zoom_factor(factor.clamp(ZOOM_MIN, ZOOM_MAX));
    match command {
        Command::Theme => ctx.set_theme(match ctx.theme() {
            Theme::Dark => Theme::Light,
            Theme::Light => Theme::Dark,
        }),
        Command::Larger => zoom(ctx.zoom_factor() + ZOOM_STEP),
        Command::Smaller => zoom(ctx.zoom_factor() - ZOOM_STEP),
        Command::NormalSize => zoom(1.0),
        Command::Quit => ctx.send_viewport_cmd(egui::ViewportCommand::Close),
        _ => return false,
    }
    true
}

impl Window {
    pub(super) fn run(&mut self, command: Command) {
        if !matches!(command, Command::Mean(_) | Command::ThinkOf(_)) {
            self.notice = None;
        }
        match command {
            Command::Start
            | Command::Open(_)
            | Command::OpenFolder(_)
            | Command::Make(Making::Game, _)
                if self.shop.is_dirty() =>
            {
                self.views.leaving = Some(command)
            }
            Command::Leave { save } => self.leave(save),
            Command::Stay => self.views.leaving = None,
            Command::Start => {
                self.park();
                self.shop.close_game();
            }
            Command::Open(game) => self.open_game(&game),
            Command::New(making) => self.views.making.open(making, None),
            Command::Make(making, title) => self.make(making, &title),
            Command::MakeFile(part, name) => match self.shop.new_file(part, &name) {
                Ok(name) => self.open_file(name, None),
                Err(why) => self.complain(why),
            },
            Command::Folder => {
                let folder = self.shop.project.library.roots.first().cloned();
                self.views.folder.open(folder);
            }
            Command::OpenFolder(folder) => self.open_folder(&folder),
            Command::MoveOverlay(id, before) => {
                let done = self.shop.move_overlay(&id, Some(&before));
                self.report(done);
            }
            Command::Toggle(overlay) => {
                let done = self.shop.toggle(&overlay);
                self.report(done);
            }
            Command::Target(overlay) => {
                let done = self.shop.set_target(overlay.as_deref());
                self.report(done);
            }
            Command::OpenFile(name, range) => self.open_file(name, range),
            Command::CloseFile(name) => self.close_file(&name),
            Command::Type(name, text) => {
                if let Ok(document) = self.shop.document(&name) {
                    document.set_text("typing", Gesture::Typing, &text);
                }
            }
            Command::Edit(label, edits) => self.propose(&label, edits),
            Command::Replace(label, places) => self.replace(&label, &places),
            Command::QuickFix => self.quick_fix(),
            Command::Ask(about, name, at) => self.ask(about, &name, at),
            Command::Uses => self.list_uses(),
            Command::Rename => self.rename(),
            Command::ChangeInVariant => self.change_in_variant(),
            Command::ChangeThere(name, at) => self.change_there(&name, at),
            Command::Find(replacing) => self.find(replacing),
            Command::FindInAll(replacing) => self.find_in_all(replacing),
            Command::GoToLine => self.go_to_line(),
            Command::Format => self.format(),
            Command::FormatAll => self.format_all(),
            Command::Definition => {
                let at = self.views.rules.cursor();
                if let Some(name) = self.views.rules.shown().map(str::to_owned) {
                    self.go_to_definition(&name, at);
                }
            }
            Command::GoToDefinition(name, at) => self.go_to_definition(&name, at),
            Command::Turn(name, value) => {
                let gesture = Gesture::Typing;
                let done = self.shop.turn_dial(&name, &value, gesture);
                self.report(done);
            }
            Command::Sheet(table, change) => {
                let done = self.shop.change_sheet(&table, &change, Gesture::Once);
                self.changed(done);
            }
            Command::AskRow(purpose) => self.ask_row(purpose),
            Command::AskCsv(table) => self.views.keep.open_csv(table),
            Command::WriteCsv(table, path) => match self.shop.write_table(&table, &path) {
                Ok(()) => self.say(format!("`{table}` is written into {}", path.display())),
                Err(why) => self.complain(why),
            },
            Command::ReadCsv(table, path) => {
                let done = self.shop.read_table(&table, &path);
                self.changed(done);
            }
            Command::GoTo(span) => self.go_to(span),
            Command::Complete(name, at) => self.complete(&name, at),
            Command::Give(cell, value) => {
                self.views.play.bots_wait = true;
                let done = self.shop.give(&cell, &value);
                self.report(done);
            }
            Command::MakeScenario => self.ask_scenario(),
            Command::WriteScenario(title) => {
                let done = self.shop.make_scenario(&title);
                self.report(done);
            }
            Command::Simulate => self.simulate(),
            Command::SimulateGames => {
                self.views.simulation.want_games();
                self.simulate();
            }
            Command::StopSimulation => {
                if let Some(simulation) = &self.shop.simulation {
                    simulation.cancel();
                }
            }
            Command::OpenGame(game) => {
                self.views.play.bots_wait = true;
                self.shop.open_simulated(game);
                self.arrange(Desk::Play);
            }
            Command::Begin(seed, bots) => self.begin(seed, bots),
            Command::Answer(all) => {
                self.views.play.bots_wait = false;
                self.views.exhibit.close();
                self.shop.answer(all);
            }
            Command::Mean(at) => self.views.meant = at,
            Command::Doubt => self.shop.doubt_everything(),
            Command::Hint => self.shop.ask_for_hint(),
            Command::Review => self.shop.ask_for_review(),
            Command::ThinkOf(answers) => self.shop.think_of(&answers),
            Command::Seat(seat, bot) => {
                if let Some(playtest) = &mut self.shop.playtest {
                    playtest.set_bot(seat, bot);
                }
            }
            Command::BotTime(time) => self.shop.set_bot_time(time),
            Command::HurryBot => self.shop.hurry_bot(),
            Command::Language(language) => self.shop.set_language(language),
            Command::Look(eyes) => {
                if let Some(playtest) = &mut self.shop.playtest {
                    playtest.set_eyes(eyes);
                }
            }
            Command::FitBoard => self.views.board.fit(),
            Command::Draw(drawing) => {
                let done = self.shop.draw(&drawing);
                self.changed(done);
            }
            Command::ZoomBoard(percent) => self.views.board.zoom(percent),
            Command::BotsGo => self.views.play.bots_wait = false,
            Command::UndoAnswer => self.look(|playtest| {
                playtest.undo();
            }),
            Command::UndoTurn => self.look(|playtest| {
                playtest.undo_turn();
            }),
            Command::RedoAnswer => self.look(|playtest| {
                playtest.redo();
            }),
            Command::Jump(at) => self.look(|playtest| {
                playtest.jump(at);
            }),
            Command::GoToNode(node) => self.look(|playtest| {
                playtest.go_to(node);
            }),
            Command::NameLine(end, name) => {
                if let Some(playtest) = &mut self.shop.playtest {
                    playtest.name_line(end, &name);
                }
            }
            Command::ForgetLine(end) => {
                if let Some(playtest) = &mut self.shop.playtest {
                    playtest.forget_line(end);
                }
            }
            Command::AskSaveGame => self.ask_save_game(),
            Command::SaveGame(name) => match self.shop.save_replay(&name) {
                Ok(path) => self.say(format!("The game is kept in {}", path.display())),
                Err(why) => self.complain(why),
            },
            Command::AskLoadGame => self.views.keep.open(Kind::Load, String::new()),
            Command::LoadGame(path) => {
                let done = self.shop.load_replay(&path);
                self.report(done);
            }
            Command::PlayCase(at) => self.shop.play_case(at),
            Command::ShowCase(at) => self.show_case(at),
            Command::AskExport => {
                let folder = std::env::current_dir().unwrap_or_default();
                let path = folder.join("simulation.csv");
                self.views
                    .keep
                    .open(Kind::Export, path.display().to_string());
            }
            Command::Export(path) => match self.shop.export_simulation(Path::new(path.trim())) {
                Ok(path) => self.say(format!("Written: {path}")),
                Err(why) => self.complain(why),
            },
            Command::OlderRules => {
                self.views.play.parted = None;
                self.views.play.bots_wait = true;
                self.shop.back_to_older_rules();
            }
            Command::NewRules => self.shop.take_new_rules(),
            Command::OwnOptions => self.shop.set_options(Vec::new()),
            Command::Watch(text) => self.watch(&text),
            Command::ForgetWatch(at) => {
                if let Some(playtest) = &mut self.shop.playtest {
                    playtest.forget_watch(at);
                }
            }
            Command::Settle(theirs) => self.settle(theirs),
            Command::Recover(at) => match self.shop.recover(at) {
                Ok(name) => self.open_file(name, None),
                Err(why) => self.complain(why),
            },
            Command::Discard(at) => {
                if let Some(journal) = &mut self.shop.journal {
                    journal.take(at);
                }
            }
            Command::Undo => self.step(true),
            Command::Redo => self.step(false),
            Command::Save => self.save(),
            Command::Show(pane) => self.dock.show(pane),
            Command::Arrange(desk) => self.arrange(desk),
            Command::ResetDesk => self.dock.reset(),
            Command::Palette => self.views.palette.open(),
            Command::Help => self.help(),
            Command::HelpOn(words) => {
                self.views.help.look_up(&words);
                self.dock.show(Pane::Help);
            }
            Command::InsertExample(text) => self.insert_example(&text),
            Command::Tour => self.tour.begin(),
            Command::Shortcuts => self.views.shortcuts = !self.views.shortcuts,
            Command::Theme
            | Command::Larger
            | Command::Smaller
            | Command::NormalSize
            | Command::Quit => {}
        }
    }

    /// A text was changed from outside of its editor: undo goes there.
    fn changed(&mut self, done: Result<Option<String>, String>) {
        match done {
            Ok(Some(file)) => self.views.rules.turn_to(file),
            Ok(None) => {}
            Err(why) => self.complain(why),
        }
    }

    /// Asks what stands in a row; one that needs nothing more is there at once.
    fn ask_row(&mut self, purpose: Purpose) {
        let (title, lacking) = match &purpose {
            Purpose::Add(table) => {
                let title = format!("New row of {}", plain(table));
                (title, self.shop.lacking(table, None))
            }
            Purpose::Put(table, place) => {
                let title = format!("New row of {}", plain(table));
                let lacking = self.shop.lacking(table, None).map(|mut columns| {
                    columns.retain(|one| place.iter().all(|(name, _)| *name != one.name));
                    columns
                });
                (title, lacking)
            }
            Purpose::Join(Drawing::Join(join, ends, _)) => {
                let title = format!("New {} {} – {}", plain(&join.table), ends[0], ends[1]);
                (title, self.shop.lacking(&join.table, Some(join)))
            }
            Purpose::Join(Drawing::Write(..)) => return,
        };
        match (lacking, purpose) {
            (Err(why), _) => self.complain(why),
            (Ok(columns), Purpose::Join(drawing)) if columns.is_empty() => {
                self.run(Command::Draw(drawing));
            }
            (Ok(columns), purpose) => self.views.row.open(purpose, title, columns),
        }
    }

    pub(super) fn report(&mut self, done: Result<(), String>) {
        if let Err(why) = done {
            self.complain(why);
        }
    }

    fn leave(&mut self, save: bool) {
        let Some(to) = self.views.leaving.take() else {
            return;
        };
        if save {
            self.save();
            if self.shop.is_dirty() {
                return;
            }
        }
        // What is not saved by now is given up, in the journal too.
        self.shop.give_up();
        match to {
            Command::Quit => self.close(),
            to => self.run(to),
        }
    }

    pub(super) fn open_game(&mut self, game: &str) {
        self.park();
        if let Err(why) = self.shop.open_game(game) {
            self.complain(why);
        }
        self.unpark();
    }

    fn open_file(&mut self, name: String, range: Option<Range<usize>>) {
        match self.shop.document(&name) {
            Ok(_) => {
                self.views.rules.show(name, range);
                self.dock.show(Pane::Rules);
            }
            Err(why) => self.complain(why),
        }
    }

    fn close_file(&mut self, name: &str) {
        let dirty = |document: &&crate::workshop::document::Document| {
            document.name == name && document.is_dirty()
        };
        if self
            .shop
            .documents()
            .iter()
            .any(|document| dirty(&document))
        {
            self.complain(format!(
                "`{name}` has changes that are not saved: save or undo them first"
            ));
        } else {
            self.shop.close(name);
        }
    }

    /// Takes back or makes again what was done last in the document that is looked at.
    fn step(&mut self, back: bool) {
        let shown = self.views.rules.shown().map(str::to_owned);
        let Some(mut name) = shown else { return };
        let can = |name: &str| {
            let document = self.shop.documents().iter().find(|one| one.name == name);
            document.is_some_and(|document| match back {
                true => document.history().can_undo().is_some(),
                false => document.history().can_redo().is_some(),
            })
        };
        if name.ends_with(".toml") && !can(&name) {
            name = self.shop.done_last(back).unwrap_or(name);
        }
        let place = if back {
            self.shop.undo(&name)
        } else {
            self.shop.redo(&name)
        };
        match place {
            Ok(Some(place)) => self.views.rules.show(name, Some(place)),
            Ok(None) if back => self.say("nothing to undo"),
            Ok(None) => self.say("nothing to redo"),
            Err(why) => self.complain(why),
        }
    }

    fn watch(&mut self, text: &str) {
        let Some(playtest) = &mut self.shop.playtest else {
            return;
        };
        if let Err(diagnostics) = playtest.watch(text)
            && let Some(first) = diagnostics.first()
        {
            let why = first.message.clone();
            self.complain(format!("`{text}` cannot be watched: {why}"));
        }
    }

    pub(super) fn begin(&mut self, seed: u64, bots: Vec<Option<Bot>>) {
        self.views.play.bots_wait = false;
        self.views.play.trouble = None;
        self.views.play.parted = None;
        self.shop.begin(seed, bots);
    }

    /// Looks at another point of the game; bots wait meanwhile.
    fn look(&mut self, go: impl FnOnce(&mut Playtest)) {
        self.views.play.bots_wait = true;
        self.views.exhibit.close();
        if let Some(playtest) = &mut self.shop.playtest {
            go(playtest);
        }
    }

    fn ask_scenario(&mut self) {
        let Some(playtest) = &self.shop.playtest else {
            self.complain("no game is being played");
            return;
        };
        let title = format!("after {} answers", playtest.tree().position());
        self.views.keep.open(Kind::Scenario, title);
    }

    /// Shows on the board where a scenario came to, if it came anywhere.
    fn show_case(&mut self, at: usize) {
        let cases = self.shop.cases();
        let Some(result) = cases.results.get(at) else {
            return;
        };
        let stand = result.case.as_ref().and_then(|case| case.stand.as_ref());
        let sources = self.shop.checked();
        let sources = sources.filter(|checked| checked.version == cases.version);
        if let (Some(stand), Some(checked)) = (stand, sources) {
            let title = match result.passed() {
                Some(false) => format!("“{}”, where it fails", result.title),
                _ => format!("“{}”, how it ends", result.title),
            };
            self.views.exhibit.show(title, &checked.sources, stand);
            if self.dock.desk != Desk::Write {
                self.dock.show(Pane::Board);
            }
        }
    }

    fn ask_save_game(&mut self) {
        let Some(playtest) = &self.shop.playtest else {
            self.complain("no game is being played");
            return;
        };
        let answers = playtest.tree().position();
        let name = format!("seed {} answer {answers}", playtest.seed());
        self.views.keep.open(Kind::Save, name);
    }

    fn arrange(&mut self, desk: Desk) {
        self.dock.desk = desk;
        if desk == Desk::Play {
            // Whatever was looked at there before.
            self.dock.show(Pane::Board);
            self.dock.show(Pane::Play);
        }
    }

    fn simulate(&mut self) {
        match self.views.simulation.order(&self.shop, self.threads) {
            Ok(order) => {
                self.shop.simulate(order);
                self.dock.show(Pane::Simulation);
            }
            Err(why) => self.complain(why),
        }
    }

    fn settle(&mut self, take_theirs: bool) {
        let Some(conflict) = self.views.conflict.take() else {
            return;
        };
        match conflict.theirs {
            Some(theirs) if take_theirs => self.shop.take_theirs(&conflict.name, theirs),
            None if take_theirs => self.shop.close(&conflict.name),
            theirs => self.shop.keep_mine(&conflict.name, theirs),
        }
    }

    fn go_to(&mut self, span: Span) {
        let Some(sources) = self.shop.checked().map(|checked| &checked.sources) else {
            return;
        };
        // A place of older texts may be in a file that is gone.
        if span.file.0 as usize >= sources.ids().count() {
            return;
        }
        let name = sources.file(span.file).path.clone();
        self.open_file(name, Some(span.start as usize..span.end as usize));
    }

    /// Offers what could stand at a byte of a document.
    fn complete(&mut self, name: &str, at: usize) {
        let (Some(sources), Some(checked)) = (self.shop.sources(), self.shop.checked()) else {
            return;
        };
        // The text may be a letter ahead of what was checked.
        let mut sources = sources.clone();
        if let Some(document) = self.shop.documents().iter().find(|one| one.name == name) {
            sources.insert(name, document.text());
        }
        if let Some(file) = sources.find(name) {
            let found = service::complete(&sources, &checked.compiled, file, at);
            self.views.rules.offer(name, found);
        }
    }

    fn save(&mut self) {
        match self.shop.save_all() {
            Ok(()) => self.say("Saved"),
            Err(errors) => self.complain(errors.join("; ")),
        }
    }
}

/// `stack_kind` as people say it.
fn plain(name: &str) -> String {
    name.replace('_', " ")
}
