//! `trackwright edit`: the window.

use super::select::Game;
use super::{Exit, Failure, Outcome, Shell};
use crate::files::Library;
use crate::window::{self, Opening};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// The game to open: its name, its folder or a file of it (default: the shelf of all games)
    #[arg(value_name = "PATH")]
    path: Option<String>,
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    if !shell.context.display {
        return Err(Failure::call(
            "there is no display to open a window on",
            "on Unix `DISPLAY` or `WAYLAND_DISPLAY` names one; the other commands need none",
        ));
    }
    match &args.path {
        None => run_default(shell),
        Some(given) => {
            let game = Game::open(shell, &folder_of(shell, given))?;
            open(shell, game.library, Some(game.id))
        }
    }
}

/// The window with the shelf of all games.
pub fn run_default(shell: &mut Shell) -> Outcome {
    let library = shell.library()?;
    open(shell, library, None)
}

fn open(shell: &Shell, library: Library, game: Option<String>) -> Outcome {
    let opening = Opening {
        library,
        user_folder: shell.context.user_folder.clone(),
        threads: shell.context.threads,
        game,
    };
    let help = "the other commands need no window: `trackwright --help` lists them";
    window::open(opening)
        .map_err(|why| Failure::call(format!("the window cannot be opened: {why}"), help))?;
    Ok(Exit::Fine)
}

/// The folder of the game that a file belongs to; anything else stays as it is.
fn folder_of(shell: &Shell, given: &str) -> String {
    let path = shell.path(PathBuf::from(given).as_path());
    let game = path.is_file().then(|| {
        path.ancestors()
            .skip(1)
            .find(|folder| folder.join("game.toml").is_file())
    });
    game.flatten()
        .map_or_else(|| given.to_owned(), |folder| folder.display().to_string())
}
