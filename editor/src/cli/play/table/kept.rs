//! The game as a file: saved, and loaded again.

use super::{Shown, Table};
use crate::cli::{Outcome, Shell};
use crate::files;
use interpreter::replay::{self, Replay};
use interpreter::words::{quoted, unquoted};
use std::path::Path;

impl Table<'_> {
    pub(super) fn save(&mut self, shell: &mut Shell, file: &str) -> Outcome<()> {
        if file.is_empty() {
            writeln!(shell.out, "Say where: `save FILE`.")?;
            return Ok(());
        }
        let text = replay::write(&Replay::of_session(&mut self.session));
        let file = &named(file);
        match files::write_result(&shell.path(Path::new(file)), text.as_bytes()) {
            Ok(()) => {
                let all = match self.program.hides_something() {
                    true => " It holds all of the game, also what you do not see.",
                    false => "",
                };
                let replay = shell.call(&self.chosen.replay_arguments(file));
                writeln!(
                    shell.out,
                    "Saved; `load {}` goes on with it, `{replay}` shows it.{all}",
                    typed(file)
                )?;
            }
            Err(error) => writeln!(
                shell.out,
                "`{file}` cannot be written: {}.",
                files::in_words(&error)
            )?,
        }
        Ok(())
    }

    /// Goes on with a saved game; false if that cannot be.
    pub fn load(&mut self, shell: &mut Shell, file: &str) -> Outcome<bool> {
        if file.is_empty() {
            writeln!(shell.out, "Say which: `load FILE`.")?;
            return Ok(false);
        }
        let file = &*named(file);
        let text = match files::read_text(&shell.path(Path::new(file))) {
            Ok(text) => text,
            Err((message, help)) => {
                writeln!(shell.out, "`{file}`: {message}; {help}.")?;
                return Ok(false);
            }
        };
        let saved = match replay::parse(&text) {
            Ok(saved) => saved,
            Err(why) => {
                writeln!(shell.out, "`{file}` {}.", why.said("saved game"))?;
                return Ok(false);
            }
        };
        let (verdict, session) = replay::follow(&self.chosen.rules, self.program, &saved);
        let Some(mut session) = session else {
            let players = saved.players.to_string();
            let here = shell.library()?.ids().contains(&saved.game);
            let game = match (saved.game == self.chosen.game.id, here) {
                (true, _) => self.chosen.game.called.clone(),
                (false, true) => saved.game.clone(),
                (false, false) => {
                    writeln!(
                        shell.out,
                        "`{file}` is a game of `{}`, which is not among the games here: play that with `--load`, by the path of its folder.",
                        saved.game
                    )?;
                    return Ok(false);
                }
            };
            let mut call = vec!["play".to_owned(), game];
            let overlays = self.chosen.game.overlays_of(&saved);
            if !overlays.is_empty() {
                call.extend(["--with".to_owned(), overlays.join(",")]);
            }
            for (name, value) in &saved.options {
                call.extend(["--set".to_owned(), format!("{name}={value}")]);
            }
            call.extend(["--players", &players, "--load", file].map(str::to_owned));
            writeln!(
                shell.out,
                "`{file}` is another game; `{}` goes on with it.",
                shell.call(&call)
            )?;
            return Ok(false);
        };
        crate::cli::replay::tell(shell, self.chosen, &verdict)?;
        writeln!(shell.out, "Its seed is {}.", saved.seed)?;
        session.tree_mut().bots = self.session.tree().bots.clone();
        self.session = session;
        self.refill_log();
        Ok(true)
    }

    /// After loading: who answered, as far as all may know it; what else happened then is not kept.
    fn refill_log(&mut self) {
        let players = self.program.players;
        let tree = self.session.tree();
        let path = tree.path(tree.current()).into_iter();
        let entries = path.map(|id| (id, self.tell(id, false)));
        self.log = entries.collect();
        self.shown = vec![Shown::up_to(self.session.tree().position() + 1); players as usize];
        self.at_keyboard = None;
    }
}

/// The file that is meant: a name may stand in quotes.
fn named(file: &str) -> String {
    match unquoted(file) {
        Some((name, bytes)) if bytes == file.len() => name,
        _ => file.to_owned(),
    }
}

/// A file's name as it is typed here.
fn typed(file: &str) -> String {
    match file.contains(';') || file.starts_with('"') {
        true => quoted(file),
        false => file.to_owned(),
    }
}
