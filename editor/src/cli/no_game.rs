//! What was named where a game is wanted, and is none.

use super::select::did_you_mean;
use super::{Failure, Shell, typed};
use crate::files::{self, Library, Loaded};
use dsl::assembly;
use interpreter::words::listed;
use std::path::Path;

/// Folders in which overlays lie.
const OVERLAYS: [&str; 2] = ["variants", "expansions"];

/// Why this is no game, and what to name instead.
pub fn failure(shell: &Shell, library: &Library, given: &str) -> Failure {
    let path = shell.path(Path::new(given));
    let failure = if !path.exists() {
        let message = format!("there is no game `{given}`");
        match came_along(shell, given) {
            Some(help) => return Failure::call(message, help).also(games_here(library)),
            None => Failure::call(message, games_here(library)),
        }
    } else if let Some(game) = path.ancestors().skip(1).find(|above| is_game(above)) {
        let kind = if path.is_file() { "file" } else { "folder" };
        Failure::call(
            format!("`{given}` is a {kind} of a game, not a game"),
            format!(
                "name the folder of the game: `{}`",
                files::shown(game, &shell.context.folder)
            ),
        )
    } else if path.is_file() {
        Failure::call(
            format!("`{given}` is a file, not a game"),
            "a game is a folder with a `game.toml`",
        )
        .also(games_here(library))
    } else if files::holds_games(&path) {
        Failure::call(
            format!("`{given}` holds games, but is none"),
            format!("for the games in it: `trackwright --games {given} COMMAND`"),
        )
    } else {
        no_game_in(&path, given).also(games_here(library))
    };
    did_you_mean(failure, given, &library.ids())
}

/// How a game is reached that came with the program, where another folder of games is used.
fn came_along(shell: &Shell, given: &str) -> Option<String> {
    shell.context.shipped?.get_dir(given)?;
    let folder = shell.context.user_folder.as_ref()?.join("games");
    let named = typed(&folder.to_string_lossy());
    let name = shell.context.called.as_deref().unwrap_or("trackwright");
    Some(match is_game(&folder.join(given)) {
        true => format!("it came with the program: `{name} --games {named} …`"),
        false => format!(
            "it came with the program, whose games are unpacked by the first call in a folder without games: from then on `{name} --games {named} …`"
        ),
    })
}

fn is_game(folder: &Path) -> bool {
    folder.join("game.toml").is_file()
}

/// A folder that is there, but holds no game.
fn no_game_in(folder: &Path, given: &str) -> Failure {
    if OVERLAYS.iter().any(|name| folder.join(name).is_dir()) {
        return Failure::call(
            format!(
                "`{given}` holds what is laid over a game, but no game: there is no `game.toml` in it"
            ),
            "variants and expansions are checked with their game: lay them into its folder and name them in its `game.toml`",
        );
    }
    Failure::call(
        format!("`{given}` is no game: there is no `game.toml` in it"),
        "`trackwright new game NAME` begins one",
    )
}

/// Which games can be named.
pub fn games_here(library: &Library) -> String {
    let listings = assembly::games(&Loaded::manifests_only(library).sources);
    let games = listings.into_iter().filter(|listing| !listing.family);
    let ids: Vec<String> = games.map(|listing| listing.id).collect();
    if ids.is_empty() {
        "there are no games here: `trackwright new game NAME` begins one".to_owned()
    } else {
        format!("games here: {}", listed(&ids, "and"))
    }
}
