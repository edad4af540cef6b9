//! What each command does.

use super::app::Window;
use super::commands::Command;
use super::dock::Pane;
use crate::workshop::history::{Edit, Gesture};
use dsl::service;
use egui::{Context, Theme};
use std::collections::BTreeMap;
use std::ops::Range;

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
        _ => return false,
    }
    true
}

impl Window {
    pub(super) fn run(&mut self, command: Command) {
        if !matches!(command, Command::Mean(_)) {
            self.notice = None;
        }
        match command {
            Command::Start => {
                self.shop.close_game();
                self.sitting.clear();
            }
            Command::Open(game) => self.open_game(&game),
            Command::NewVariant => {}
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
            Command::Edit(label, edits) => self.edit(&label, edits),
            Command::GoToDefinition(name, at) => self.go_to_definition(&name, at),
            Command::Begin(plan) => {
                if let Some(good) = self.shop.good() {
                    self.sitting.begin(good, plan);
                }
            }
            Command::Answer(at) => self.sitting.answer(at),
            Command::Mean(at) => self.views.meant = at,
            Command::Seat(seat, bot) => {
                if let Some(playtest) = self.sitting.playtest_mut() {
                    playtest.set_bot(seat, bot);
                }
            }
            Command::Look(eyes) => {
                if let Some(playtest) = self.sitting.playtest_mut() {
                    playtest.set_eyes(eyes);
                }
            }
            Command::BotsGo => self.sitting.let_bots_run(),
            Command::UndoAnswer => self.sitting.look(|playtest| {
                playtest.undo();
            }),
            Command::UndoTurn => self.sitting.look(|playtest| {
                playtest.undo_turn();
            }),
            Command::RedoAnswer => self.sitting.look(|playtest| {
                playtest.redo();
            }),
            Command::Jump(at) => self.sitting.look(|playtest| {
                playtest.jump(at);
            }),
            Command::GoToNode(node) => self.sitting.look(|playtest| {
                playtest.go_to(node);
            }),
            Command::Watch(text) => self.watch(&text),
            Command::ForgetWatch(at) => {
                if let Some(playtest) = self.sitting.playtest_mut() {
                    playtest.forget_watch(at);
                }
            }
            Command::Undo => self.step(true),
            Command::Redo => self.step(false),
            Command::Save => self.save(),
            Command::Show(pane) => self.dock.show(pane),
            Command::Arrange(desk) => self.dock.desk = desk,
            Command::ResetDesk => self.dock.reset(),
            Command::Palette => self.views.palette.open(),
            Command::Shortcuts => self.views.shortcuts = !self.views.shortcuts,
            Command::Theme | Command::Larger | Command::Smaller | Command::NormalSize => {}
        }
    }

    fn report(&mut self, done: Result<(), String>) {
        if let Err(why) = done {
            self.complain(why);
        }
    }

    fn open_game(&mut self, game: &str) {
        match self.shop.open_game(game) {
            Ok(()) => {
                self.views.rules.forget();
                self.sitting.clear();
            }
            Err(why) => self.complain(why),
        }
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

    /// Makes changes of any texts; those that were not open are opened.
    fn edit(&mut self, label: &str, edits: Vec<service::Edit>) {
        let mut by_file: BTreeMap<String, Vec<Edit>> = BTreeMap::new();
        for edit in edits {
            let own = Edit::new(edit.range, edit.text);
            by_file.entry(edit.path).or_default().push(own);
        }
        for (name, edits) in by_file {
            match self.shop.document(&name) {
                Ok(document) => {
                    if !document.edit(label, Gesture::Once, edits) {
                        self.complain("the text has changed meanwhile; try again");
                    }
                }
                Err(why) => self.complain(why),
            }
        }
    }

    /// Takes back or makes again what was done last in the document that is looked at.
    fn step(&mut self, back: bool) {
        let shown = self.views.rules.shown().map(str::to_owned);
        let Some(document) = shown.and_then(|name| self.shop.document(&name).ok()) else {
            return;
        };
        let place = if back {
            document.undo()
        } else {
            document.redo()
        };
        let name = document.name.clone();
        match place {
            Some(place) => self.views.rules.show(name, Some(place)),
            None if back => self.say("nothing to undo"),
            None => self.say("nothing to redo"),
        }
    }

    fn watch(&mut self, text: &str) {
        let Some(playtest) = self.sitting.playtest_mut() else {
            return;
        };
        if let Err(diagnostics) = playtest.watch(text)
            && let Some(first) = diagnostics.first()
        {
            let why = first.message.clone();
            self.complain(format!("`{text}` cannot be watched: {why}"));
        }
    }

    fn save(&mut self) {
        match self.shop.save_all() {
            Ok(()) => self.say("Saved"),
            Err(errors) => self.complain(errors.join("; ")),
        }
    }
}
