//! What commands about texts and their words do.

use super::app::Window;
use super::commands::Command;
use super::dock::Pane;
use super::panels::fixes::line_of;
use super::panels::making::Making;
use crate::workshop::places::{Place, files};
use crate::workshop::questions::{About, Answer};
use dsl::service::Edit;

impl Window {
    /// The document that is looked at, and where the cursor is in it.
    fn in_hand(&mut self) -> Option<(String, usize)> {
        let name = self.views.rules.shown().map(str::to_owned);
        if name.is_none() {
            self.complain("open a file first");
        }
        Some((name?, self.views.rules.cursor()))
    }

    pub(super) fn propose(&mut self, label: &str, edits: Vec<Edit>) {
        let done = self.shop.propose(label, edits);
        self.report(done);
    }

    pub(super) fn replace(&mut self, label: &str, places: &[Place]) {
        match self.shop.replace(label, places) {
            Ok(()) if files(places) > 1 => self.say(format!(
                "Changed in {} files, nothing saved yet; one undo takes all of it back",
                files(places)
            )),
            done => self.report(done),
        }
    }

    pub(super) fn quick_fix(&mut self) {
        if !self.views.rules.open_fixes() {
            self.say("nothing in this line can be mended by machine");
        }
    }

    pub(super) fn ask(&mut self, about: About, name: &str, at: usize) {
        let done = self.shop.ask(about, name, at);
        self.report(done);
    }

    /// Takes the answer to a question about a word to where it was asked.
    pub(super) fn answered(&mut self, answer: &Answer) {
        if self.views.rename.take(answer) {
            return;
        }
        match &answer.places {
            Ok(places) if places.is_empty() => self.say("nothing here has a name of its own"),
            Ok(places) => {
                self.views.find.list(answer.word.clone(), places.clone());
                self.dock.show(Pane::Find);
            }
            Err(why) => self.complain(why.clone()),
        }
    }

    pub(super) fn list_uses(&mut self) {
        if let Some((name, at)) = self.in_hand() {
            self.ask(About::Uses, &name, at);
        }
    }

    pub(super) fn rename(&mut self) {
        let Some((name, at)) = self.in_hand() else {
            return;
        };
        match self.shop.word_at(&name, at) {
            Some(word) => self.views.rename.open(name, at, word),
            None => self.say("nothing here has a name of its own"),
        }
    }

    /// Goes to where the variant in hand changes what stands at the cursor; asks for a variant first if there is none.
    pub(super) fn change_in_variant(&mut self) {
        let Some((name, at)) = self.in_hand() else {
            return;
        };
        if self.shop.variant_in_hand().is_none() {
            let then = Some(Command::ChangeThere(name, at));
            self.views.making.open(Making::Variant, then);
            return;
        }
        self.change_there(&name, at);
    }

    pub(super) fn change_there(&mut self, name: &str, at: usize) {
        match self.shop.change_in_variant(name, at) {
            Ok((file, place)) => self.run(Command::OpenFile(file, Some(place))),
            Err(why) => self.complain(why),
        }
    }

    /// Opens the manual at the word under the cursor, where a text is in front; else where it was read last.
    pub(super) fn help(&mut self) {
        // What is wrong is asked about before what is there.
        let problem = self
            .problem_here()
            .filter(|_| self.dock.is_shown(Pane::Rules));
        if let Some(code) = problem {
            self.views.help.look_up(code);
            return self.dock.show(Pane::Help);
        }
        let word = self.views.rules.shown().and_then(|name| {
            let mut documents = self.shop.documents().iter();
            let document = documents.find(|one| one.name == name)?;
            word_at(document.text(), self.views.rules.cursor())
        });
        if let Some(word) = word.filter(|_| self.dock.is_shown(Pane::Rules)) {
            self.views.help.look_up(word);
        }
        self.dock.show(Pane::Help);
    }

    /// The code of what is wrong in the line of the cursor.
    fn problem_here(&self) -> Option<&'static str> {
        let name = self.views.rules.shown()?;
        let mut documents = self.shop.documents().iter();
        let document = documents.find(|one| one.name == name)?;
        let line = line_of(document.text(), self.views.rules.cursor());
        let checked = self.shop.checked()?;
        let file = checked.sources.find(name)?;
        let mut problems = checked.problems().filter(|problem| {
            let start = problem.span.start as usize;
            problem.span.file == file && line.start <= start && start <= line.end
        });
        problems.next().map(|problem| problem.code)
    }

    pub(super) fn insert_example(&mut self, text: &str) {
        if let Some((path, at)) = self.in_hand() {
            let edit = Edit {
                path,
                range: at..at,
                text: text.to_owned(),
            };
            self.propose("insert an example", vec![edit]);
            self.dock.show(Pane::Rules);
        }
    }

    pub(super) fn find(&mut self, replacing: bool) {
        if self.in_hand().is_some() {
            let word = self.views.rules.selected_text(&self.shop).to_owned();
            self.views.rules.find(&word, replacing);
            self.dock.show(Pane::Rules);
        }
    }

    pub(super) fn find_in_all(&mut self, replacing: bool) {
        let word = self.views.rules.selected_text(&self.shop).to_owned();
        let query = self.views.rules.query().clone();
        self.views.find.open(query, &word, replacing);
        self.dock.show(Pane::Find);
    }

    pub(super) fn go_to_line(&mut self) {
        let shown = self.views.rules.shown().map(str::to_owned);
        self.views.goto.open(&self.shop, shown);
    }

    pub(super) fn format(&mut self) {
        let Some((name, _)) = self.in_hand() else {
            return;
        };
        match self.shop.format(&name) {
            Ok(true) => {}
            Ok(false) => self.say("it is in its normal form already"),
            Err(why) => self.complain(format!("mend this first: {why}")),
        }
    }

    pub(super) fn format_all(&mut self) {
        match self.shop.format_all() {
            Ok(0) => self.say("all files are in their normal form already"),
            Ok(changed) => self.say(format!("{changed} files changed, nothing saved yet")),
            Err(why) => self.complain(format!("mend this first: {}", why.join("; "))),
        }
    }

    // ---------------------------------------------------------------------------------------------- beginning

    pub(super) fn make(&mut self, making: Making, title: &str) {
        let made = match making {
            Making::Variant => self.shop.new_variant(title),
            Making::Expansion => self.shop.new_expansion(title),
            Making::Game => self.shop.new_game(title),
            // It is asked for by what it is, too.
            Making::File => return,
        };
        let id = match made {
            Ok(id) => id,
            Err(why) => return self.complain(why),
        };
        if making == Making::Game {
            self.open_game(&id);
            self.dock.desk = super::Desk::Write;
            let own = format!("{id}/rules/");
            let names = self.shop.own_files();
            let rules = names.into_iter().find(|name| name.starts_with(&own));
            if let Some(name) = rules.map(str::to_owned) {
                self.run(Command::OpenFile(name, None));
            }
            return;
        }
        if let Some(file) = self.shop.file_of(&id) {
            // What it changes is written behind the words that explain it.
            let text = self.shop.document(&file).map(|one| one.text().len());
            let end = text.unwrap_or_default();
            self.run(Command::OpenFile(file, Some(end..end)));
        }
        self.dock.show(Pane::Variant);
        self.say(format!("Changes of dials and cells go into “{title}” now"));
    }

    pub(super) fn open_folder(&mut self, folder: &std::path::Path) {
        match self.shop.open_folder(folder) {
            Ok(Some(game)) => self.open_game(&game),
            Ok(None) => {}
            Err(why) => self.complain(why),
        }
    }
}

/// The word around a byte, or that ends there.
fn word_at(text: &str, at: usize) -> Option<&str> {
    let inner = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (before, behind) = text.split_at_checked(at)?;
    let start = before.len() - before.chars().rev().take_while(|c| inner(*c)).count();
    let end = at + behind.chars().take_while(|c| inner(*c)).count();
    text.get(start..end).filter(|word| !word.is_empty())
}
