//! Variants, expansions and games to begin with: they check and play from the first moment, and their comments teach.

mod list;
mod texts;

pub use list::in_order;

use crate::files;
use dsl::ir::RuleSet;
use std::path::{Path, PathBuf};

/// Files that were written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Created {
    /// The one to begin in first.
    pub files: Vec<PathBuf>,
    /// The manifest that lists it now, if it was another one's.
    pub listed_in: Option<PathBuf>,
}

/// Why something could not be begun, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    pub message: String,
    pub help: Vec<String>,
}

impl TemplateError {
    fn new(message: impl Into<String>, help: impl Into<String>) -> TemplateError {
        TemplateError {
            message: message.into(),
            help: vec![help.into()],
        }
    }
}

/// Begins a variant of a game whose folder is given; `title`: what players call it, empty: made from the name.
///
/// # Errors
/// A name that is none or is taken; files that cannot be written.
pub fn variant(
    rules: &RuleSet,
    folder: &Path,
    name: &str,
    title: &str,
) -> Result<Created, TemplateError> {
    test_name(name)?;
    let text = texts::Teacher { rules }.variant(&title_of(name, title), &rules.id);
    let path = folder.join("variants").join(format!("{name}.rules"));
    overlay(folder, vec![(path, text)], name)
}

/// Begins an expansion: a folder with rules and component lists of its own.
///
/// # Errors
/// A name that is none or is taken; files that cannot be written.
pub fn expansion(
    rules: &RuleSet,
    folder: &Path,
    name: &str,
    title: &str,
) -> Result<Created, TemplateError> {
    test_name(name)?;
    let own = folder.join("expansions").join(name);
    let teacher = texts::Teacher { rules };
    let files = vec![
        (
            own.join("rules").join(format!("{name}.rules")),
            teacher.expansion_rules(name),
        ),
        (
            own.join("expansion.toml"),
            texts::expansion_manifest(name, &title_of(name, title), &rules.id),
        ),
    ];
    overlay(folder, files, name)
}

/// Begins a game, small and complete, in a folder of games.
///
/// # Errors
/// A name that is none or is taken; files that cannot be written.
pub fn game(games: &Path, name: &str, title: &str) -> Result<Created, TemplateError> {
    test_name(name)?;
    let folder = games.join(name);
    if folder.exists() {
        return Err(TemplateError::new(
            format!("`{name}` is already there"),
            "take another name",
        ));
    }
    let files = texts::game(name, &title_of(name, title));
    let files: Vec<(PathBuf, String)> = files
        .into_iter()
        .map(|(path, text)| (folder.join(path), text))
        .collect();
    write_all(&files)?;
    Ok(Created {
        files: files.into_iter().map(|(path, _)| path).collect(),
        listed_in: None,
    })
}

/// Writes the files, then lists the overlay in the game's manifest.
fn overlay(
    folder: &Path,
    files: Vec<(PathBuf, String)>,
    id: &str,
) -> Result<Created, TemplateError> {
    let manifest = folder.join("game.toml");
    let text =
        files::read_text(&manifest).map_err(|(message, help)| TemplateError::new(message, help))?;
    let Some(text) = list::with_overlay(&text, id) else {
        return Err(TemplateError::new(
            "`game.toml` could not be changed",
            format!("write `overlays = [\"{id}\"]` below its `[game]` yourself, then try again"),
        ));
    };
    if let Some((path, _)) = files.iter().find(|(path, _)| path.exists()) {
        return Err(TemplateError::new(
            format!("`{}` is already there", files::shown(path, folder)),
            "take another name, or add it to `overlays` in `game.toml`",
        ));
    }
    write_all(&files)?;
    write_all(&[(manifest.clone(), text)])?;
    Ok(Created {
        files: files.into_iter().map(|(path, _)| path).collect(),
        listed_in: Some(manifest),
    })
}

fn write_all(files: &[(PathBuf, String)]) -> Result<(), TemplateError> {
    for (path, text) in files {
        files::write(path, text.as_bytes()).map_err(|error| {
            TemplateError::new(
                format!(
                    "`{}` cannot be written: {}",
                    path.display(),
                    files::in_words(&error)
                ),
                "look whether you may write to that folder",
            )
        })?;
    }
    Ok(())
}

/// Whether a name may be that of a folder or file of rules.
///
/// # Errors
/// What is wrong with it, with a name that would do.
pub fn test_name(name: &str) -> Result<(), TemplateError> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let right = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(plain)
        && !name.ends_with('-')
        && name.len() <= 60;
    if right {
        return Ok(());
    }
    let mut error = TemplateError::new(
        format!("`{name}` is no name for a folder or file of rules"),
        "a name is made of small letters, digits and hyphens, and begins with a letter",
    );
    let suggestion = name_of(name);
    if !suggestion.is_empty() {
        error.help.push(format!("for example `{suggestion}`"));
    }
    Err(error)
}

/// A name for what people call so: `Forty wagons` becomes `forty-wagons`; empty if nothing of it can be used.
pub fn name_of(title: &str) -> String {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let letters: String = title
        .to_lowercase()
        .chars()
        .map(|c| if plain(c) { c } else { '-' })
        .collect();
    let letters = letters.trim_start_matches(|c: char| !c.is_ascii_lowercase());
    letters.trim_end_matches('-').chars().take(60).collect()
}

/// `short-trains` is called `Short trains`.
fn title_of(name: &str, title: &str) -> String {
    if !title.trim().is_empty() {
        return title.trim().replace(['"', '\\', '\n'], " ");
    }
    let words = name.replace('-', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
