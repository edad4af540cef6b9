//! The game as a file: saved, and loaded again.

use super::{Seen, Table};
use crate::cli::play::seat_name;
use crate::cli::{Outcome, Shell};
use crate::files;
use interpreter::replay::{self, Replay};
use std::path::Path;

impl Table<'_> {
    pub(super) fn save(&mut self, shell: &mut Shell, file: &str) -> Outcome<()> {
        if file.is_empty() {
            writeln!(shell.out, "Say where: `save FILE`.")?;
            return Ok(());
        }
        let text = replay::write(&Replay::of_session(&mut self.session));
        match files::write(&shell.path(Path::new(file)), text.as_bytes()) {
            Ok(()) => {
                let all = match self.program.hides_something() {
                    true => " It holds all of the game, also what you do not see.",
                    false => "",
                };
                writeln!(
                    shell.out,
                    "Saved; `load {file}` goes on with it, `trackwright replay {file}` shows it.{all}"
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
        let text = match files::read_text(&shell.path(Path::new(file))) {
            Ok(text) => text,
            Err((message, help)) => {
                writeln!(shell.out, "`{file}`: {message}; {help}.")?;
                return Ok(false);
            }
        };
        let saved = match replay::parse(&text) {
            Ok(saved) => saved,
            Err(errors) => {
                writeln!(shell.out, "`{file}` is no saved game:")?;
                for error in errors.iter().take(5) {
                    writeln!(shell.out, "  {file}:{error}")?;
                }
                return Ok(false);
            }
        };
        let (verdict, session) = replay::follow(&self.chosen.rules, self.program, &saved);
        let Some(mut session) = session else {
            writeln!(
                shell.out,
                "`{file}` is another game; `trackwright play {} --players {} --load {file}` goes on with it.",
                saved.game, saved.players
            )?;
            return Ok(false);
        };
        crate::cli::replay::tell(shell, self.chosen, &verdict)?;
        session.tree_mut().bots = self.session.tree().bots.clone();
        self.session = session;
        self.refill_log();
        Ok(true)
    }

    /// After loading: who answered, as far as all may know it; what else happened then is not kept.
    fn refill_log(&mut self) {
        let players = self.program.players;
        let tree = self.session.tree();
        let entries = tree
            .path(tree.current())
            .into_iter()
            .skip(1)
            .filter_map(|id| {
                let node = tree.node(id);
                let (seat, text) = node.answer()?;
                let name = seat_name(seat as usize);
                let told = self.observer.is_told(tree, id);
                let heard = |viewer| {
                    if viewer == seat || told {
                        format!("{name}: {text}")
                    } else {
                        format!("{name} has chosen")
                    }
                };
                let seen = |viewer| Seen {
                    lines: vec![heard(viewer)],
                    forced: Vec::new(),
                };
                Some((id, (0..players).map(seen).collect()))
            });
        self.log = entries.collect();
        self.shown = vec![self.session.tree().position() + 1; players as usize];
        self.at_keyboard = None;
    }
}
