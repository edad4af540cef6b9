//! `trackwright new`: variants, expansions and games to begin with.

use super::no_game::games_here;
use super::select::{Chosen, Game, Overlays};
use super::{Exit, Failure, Outcome, Shell};
use crate::files::{self, Library};
use crate::template::{self, Base, Created, Like, TemplateError};
use clap::Subcommand;
use dsl::assembly::ANY;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// A house rule: one file
    Variant(Overlay),
    /// A folder with rules and component lists of its own
    Expansion(Overlay),
    /// A game of your own, small and complete, to be changed into yours
    ///
    /// It is written into the folder `games` here, even if that is empty, else into the folder of games above; where there is none, `games` is begun here. `trackwright --games DIR new game NAME` writes into DIR.
    Game {
        /// Small letters, digits and hyphens: the folder's name
        name: String,
        /// What it is like (default: a heap of stones to take from)
        #[arg(long, value_enum, value_name = "KIND")]
        like: Option<Like>,
        /// What players call it (default: from the name)
        #[arg(long)]
        title: Option<String>,
    },
}

#[derive(clap::Args)]
struct Overlay {
    /// Small letters, digits and hyphens: the file's or folder's name
    name: String,
    /// The game or family it is for, or `any` (default: the game in whose folder this is called, or the only one there is)
    #[arg(long, value_name = "GAME")]
    of: Option<String>,
    /// What players call it (default: from the name)
    #[arg(long)]
    title: Option<String>,
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    match &args.what {
        What::Variant(overlay) => begin(shell, overlay, template::variant),
        What::Expansion(overlay) => begin(shell, overlay, template::expansion),
        What::Game { name, like, title } => {
            game(shell, name, like.unwrap_or_default(), title.as_deref())
        }
    }
}

type Begin = fn(Base, &Path, &str, &str) -> Result<Created, TemplateError>;

fn begin(shell: &mut Shell, overlay: &Overlay, how: Begin) -> Outcome {
    template::test_name(&overlay.name).map_err(failure)?;
    if overlay.of.as_deref() == Some(ANY) && shell.library()?.folder_of(ANY).is_none() {
        let root = library_root(shell)?;
        template::any(&root).map_err(failure)?;
    }
    let (chosen, of, folder) = chosen(shell, overlay)?;
    let base = Base {
        sources: &chosen.game.loaded.sources,
        rules: &chosen.rules,
        of: &of,
    };
    let title = overlay.title.as_deref().unwrap_or_default();
    let created = how(base, &folder, &overlay.name, title).map_err(failure)?;
    tell(shell, &created)?;
    let (game, id) = (chosen.game.called.as_str(), overlay.name.as_str());
    writeln!(
        shell.out,
        "\nOpen {} in a text editor, then try:",
        files::shown(&created.files[0], &shell.context.folder)
    )?;
    for call in [
        &["check", game, "--with", id][..],
        &["compare", game, id],
        &["play", game, "--with", id],
    ] {
        writeln!(shell.out, "  {}", shell.call(call))?;
    }
    Ok(Exit::Fine)
}

/// A game to try the overlay with, the game or family it is for, and the folder of that; the name must be free.
fn chosen(shell: &mut Shell, overlay: &Overlay) -> Outcome<(Chosen, String, PathBuf)> {
    let game = match &overlay.of {
        Some(game) => Game::open(shell, game)?,
        None => meant(shell)?,
    };
    let of = game.id.clone();
    let game = match game.is_family().then(|| game.family_members()) {
        // What is of a family goes with each of its games; the first one stands for all.
        Some(members) if !members.is_empty() => Game::open(shell, &members[0])?,
        _ => game,
    };
    let chosen = game.choose(shell, &Overlays::default())?;
    if chosen
        .manifest
        .overlays
        .iter()
        .any(|other| other.id == overlay.name)
    {
        let message = format!(
            "{} already has an overlay `{}`",
            chosen.game.id, overlay.name
        );
        return Err(Failure::call(message, "take another name"));
    }
    let Some(folder) = chosen.game.library.folder_of(&of) else {
        return Err(Failure::call(
            format!("the folder of {of} is gone"),
            "look whether it has been moved",
        ));
    };
    Ok((chosen, of, folder))
}

/// The game where none is named: the one in whose folder the call is made, or the only one there is.
fn meant(shell: &Shell) -> Outcome<Game> {
    let mut above = shell.context.folder.ancestors();
    if let Some(folder) = above.find(|folder| folder.join("game.toml").is_file()) {
        return Game::open(shell, &folder.display().to_string());
    }
    let library = shell.library()?;
    let ids = library.ids();
    match ids.as_slice() {
        [only] => Game::open(shell, only),
        _ => Err(Failure::call(
            "it is not said which game this is for",
            "name it with `--of GAME`, or call this in the game's folder",
        )
        .also(games_here(&library))),
    }
}

fn game(shell: &mut Shell, name: &str, like: Like, title: Option<&str>) -> Outcome {
    template::test_name(name).map_err(failure)?;
    let root = match &shell.games {
        Some(folder) => shell.path(folder),
        None => Library::beginning(&shell.context.folder),
    };
    let created = template::game(&root, name, title.unwrap_or_default(), like).map_err(failure)?;
    tell(shell, &created)?;
    writeln!(shell.out, "\nTry next:")?;
    for action in ["check", "simulate", "play", "test"] {
        writeln!(shell.out, "  {}", shell.call(&[action, name]))?;
    }
    Ok(Exit::Fine)
}

/// The folder of games in which what goes with all games is begun.
fn library_root(shell: &Shell) -> Outcome<PathBuf> {
    Ok(match &shell.games {
        Some(folder) => shell.path(folder),
        None => shell
            .library()?
            .roots
            .first()
            .cloned()
            .unwrap_or_else(|| shell.path(Path::new("games"))),
    })
}

/// Which files were written.
fn tell(shell: &mut Shell, created: &Created) -> Outcome<()> {
    for path in &created.files {
        writeln!(shell.out, "{}", files::shown(path, &shell.context.folder))?;
    }
    if let Some(manifest) = &created.listed_in {
        let shown = files::shown(manifest, &shell.context.folder);
        writeln!(shell.out, "{shown} now lists it")?;
    }
    Ok(())
}

fn failure(error: TemplateError) -> Failure {
    Failure::Call {
        message: error.message,
        help: error.help,
        about: None,
    }
}
