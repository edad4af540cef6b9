//! `trackwright new`: variants, expansions and games to begin with.

mod list;
mod texts;

use super::select::{Chosen, Game, Overlays};
use super::{Exit, Failure, Outcome, Shell};
use crate::files;
use clap::Subcommand;
use std::path::{Path, PathBuf};
use texts::Teacher;

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
    Game {
        /// Small letters, digits and hyphens: the folder's name
        name: String,
        /// What players call it (default: from the name)
        #[arg(long)]
        title: Option<String>,
    },
}

#[derive(clap::Args)]
struct Overlay {
    /// Small letters, digits and hyphens: the file's or folder's name
    name: String,
    /// The game it is for (default: the game that bare `trackwright` plays)
    #[arg(long, value_name = "GAME")]
    of: Option<String>,
    /// What players call it (default: from the name)
    #[arg(long)]
    title: Option<String>,
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    match &args.what {
        What::Variant(overlay) => variant(shell, overlay),
        What::Expansion(overlay) => expansion(shell, overlay),
        What::Game { name, title } => game(shell, name, title.as_deref()),
    }
}

fn variant(shell: &mut Shell, overlay: &Overlay) -> Outcome {
    let (chosen, folder) = base(shell, overlay)?;
    let teacher = Teacher {
        rules: &chosen.rules,
        sources: &chosen.game.loaded.sources,
    };
    let title = title_of(&overlay.name, overlay.title.as_deref());
    let path = folder
        .join("variants")
        .join(format!("{}.rules", overlay.name));
    let text = teacher.variant(&title, &chosen.game.id);
    create(shell, &folder, &[(path.clone(), text)], &overlay.name)?;
    next_steps(shell, &path, &chosen, &overlay.name)
}

fn expansion(shell: &mut Shell, overlay: &Overlay) -> Outcome {
    let (chosen, folder) = base(shell, overlay)?;
    let teacher = Teacher {
        rules: &chosen.rules,
        sources: &chosen.game.loaded.sources,
    };
    let title = title_of(&overlay.name, overlay.title.as_deref());
    let own = folder.join("expansions").join(&overlay.name);
    let path = own.join("rules").join(format!("{}.rules", overlay.name));
    let files = [
        (path.clone(), teacher.expansion_rules(&overlay.name)),
        (
            own.join("expansion.toml"),
            texts::expansion_manifest(&overlay.name, &title, &chosen.game.id),
        ),
    ];
    create(shell, &folder, &files, &overlay.name)?;
    next_steps(shell, &path, &chosen, &overlay.name)
}

/// The game an overlay is for, and its folder; the name must be free.
fn base(shell: &mut Shell, overlay: &Overlay) -> Outcome<(Chosen, PathBuf)> {
    test_name(&overlay.name)?;
    let game = match &overlay.of {
        Some(game) => Game::open(shell, game)?,
        None => Game::open_default(shell)?,
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
    let Some(folder) = chosen.game.library.folder_of(&chosen.game.id) else {
        return Err(Failure::call(
            format!("the folder of {} is gone", chosen.game.id),
            "look whether it has been moved",
        ));
    };
    Ok((chosen, folder))
}

fn game(shell: &mut Shell, name: &str, title: Option<&str>) -> Outcome {
    test_name(name)?;
    let root = match &shell.games {
        Some(folder) => shell.path(folder),
        None => shell
            .library()?
            .roots
            .first()
            .cloned()
            .unwrap_or_else(|| shell.path(Path::new("games"))),
    };
    let folder = root.join(name);
    if folder.exists() {
        let shown = files::shown(&folder, &shell.context.folder);
        return Err(Failure::call(
            format!("`{shown}` is already there"),
            "take another name",
        ));
    }
    let title = title_of(name, title);
    for (path, text) in texts::game(name, &title) {
        let path = folder.join(path);
        files::write(&path, text.as_bytes()).map_err(|error| cannot_write(shell, &path, &error))?;
        writeln!(shell.out, "{}", files::shown(&path, &shell.context.folder))?;
    }
    let command = shell.command();
    writeln!(shell.out, "\nTry next:")?;
    for action in ["check", "simulate", "play", "test"] {
        writeln!(shell.out, "  {command} {action} {name}")?;
    }
    Ok(Exit::Fine)
}

/// Writes the files, then lists the overlay in the game's manifest.
fn create(shell: &mut Shell, folder: &Path, files: &[(PathBuf, String)], id: &str) -> Outcome<()> {
    let manifest = folder.join("game.toml");
    let text =
        files::read_text(&manifest).map_err(|(message, help)| Failure::call(message, help))?;
    let Some(text) = list::with_overlay(&text, id) else {
        let message = format!(
            "`{}` could not be changed",
            files::shown(&manifest, &shell.context.folder)
        );
        return Err(Failure::call(
            message,
            format!("write `overlays = [\"{id}\"]` below its `[game]` yourself, then try again"),
        ));
    };
    if let Some((path, _)) = files.iter().find(|(path, _)| path.exists()) {
        let message = format!(
            "`{}` is already there",
            files::shown(path, &shell.context.folder)
        );
        return Err(Failure::call(
            message,
            "take another name, or add it to `overlays` in `game.toml`",
        ));
    }
    for (path, text) in files {
        files::write(path, text.as_bytes()).map_err(|error| cannot_write(shell, path, &error))?;
        writeln!(shell.out, "{}", files::shown(path, &shell.context.folder))?;
    }
    files::write(&manifest, text.as_bytes())
        .map_err(|error| cannot_write(shell, &manifest, &error))?;
    writeln!(
        shell.out,
        "{} now lists it",
        files::shown(&manifest, &shell.context.folder)
    )?;
    Ok(())
}

fn next_steps(shell: &mut Shell, path: &Path, chosen: &Chosen, id: &str) -> Outcome {
    let game = &chosen.game.id;
    let command = shell.command();
    writeln!(
        shell.out,
        "\nOpen {} in a text editor, then try:",
        files::shown(path, &shell.context.folder)
    )?;
    for action in [
        format!("check {game} --with {id}"),
        format!("simulate {game} --with {id} --compare"),
        format!("play {game} --with {id}"),
    ] {
        writeln!(shell.out, "  {command} {action}")?;
    }
    Ok(Exit::Fine)
}

fn cannot_write(shell: &Shell, path: &Path, error: &std::io::Error) -> Failure {
    let shown = files::shown(path, &shell.context.folder);
    Failure::call(
        format!("`{shown}` cannot be written: {}", files::in_words(error)),
        "look whether you may write to that folder",
    )
}

fn test_name(name: &str) -> Outcome<()> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let right = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(plain)
        && !name.ends_with('-')
        && name.len() <= 60;
    if right {
        return Ok(());
    }
    let letters = name
        .to_lowercase()
        .chars()
        .map(|c| if plain(c) { c } else { '-' })
        .collect::<String>();
    let suggestion = letters.trim_matches('-');
    let help = "a name is made of small letters, digits and hyphens, and begins with a letter";
    let failure = Failure::call(
        format!("`{name}` is no name for a folder or file of rules"),
        help,
    );
    if suggestion.starts_with(|c: char| c.is_ascii_lowercase()) {
        Err(failure.also(format!("for example `{suggestion}`")))
    } else {
        Err(failure)
    }
}

/// `short-trains` is called `Short trains`.
fn title_of(name: &str, title: Option<&str>) -> String {
    if let Some(title) = title {
        return title.replace(['"', '\\', '\n'], " ");
    }
    let words = name.replace('-', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
