//! Variants, expansions and games to begin with: they check and play from the first moment, and their comments teach.

mod list;
mod parts;
mod teacher;
mod texts;

pub use list::in_order;
pub use parts::{Game, Part, part};
pub use teacher::Base;
pub use texts::Like;

use crate::files;
use dsl::assembly::ANY;
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
    base: Base,
    folder: &Path,
    name: &str,
    title: &str,
) -> Result<Created, TemplateError> {
    test_name(name)?;
    let title = title_of(name, title)?;
    if title.contains('"') {
        return Err(TemplateError::new(
            format!(
                "the title `{title}` has quotation marks, and a variant's title stands between such marks in its first line"
            ),
            format!("take others: `{}`", curly(&title)),
        ));
    }
    let text = base.variant(&title);
    let path = folder.join("variants").join(format!("{name}.rules"));
    overlay(folder, vec![(path, text)], name)
}

/// Begins the family of house rules for any game in a folder of games.
///
/// # Errors
/// A file that cannot be written.
pub fn any(games: &Path) -> Result<(), TemplateError> {
    let mut begun = Begun::default();
    begun.write(&games.join(ANY).join("game.toml"), texts::ANY_MANIFEST)
}

/// Begins an expansion: a folder with rules and component lists of its own.
///
/// # Errors
/// A name that is none or is taken; files that cannot be written.
pub fn expansion(
    base: Base,
    folder: &Path,
    name: &str,
    title: &str,
) -> Result<Created, TemplateError> {
    test_name(name)?;
    let own = folder.join("expansions").join(name);
    let files = vec![
        (
            own.join("rules").join(format!("{name}.rules")),
            base.expansion_rules(name),
        ),
        (
            own.join("expansion.toml"),
            texts::expansion_manifest(name, &title_of(name, title)?, base.of),
        ),
    ];
    overlay(folder, files, name)
}

/// Begins a game, small and complete, in a folder of games.
///
/// # Errors
/// A name that is none or is taken; files that cannot be written.
pub fn game(games: &Path, name: &str, title: &str, like: Like) -> Result<Created, TemplateError> {
    test_name(name)?;
    if name == ANY {
        return Err(TemplateError::new(
            format!("`{ANY}` is where house rules for any game lie"),
            "take another name",
        ));
    }
    let folder = games.join(name);
    if folder.exists() {
        return Err(TemplateError::new(
            format!("`{name}` is already there"),
            "take another name",
        ));
    }
    let files = texts::game(name, &title_of(name, title)?, like);
    let files: Vec<(PathBuf, String)> = files
        .into_iter()
        .map(|(path, text)| (folder.join(path), text))
        .collect();
    let mut begun = Begun::default();
    for (path, text) in &files {
        begun.write(path, text)?;
    }
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
    let mut begun = Begun::default();
    for (path, text) in &files {
        begun.write(path, text)?;
    }
    // Last, so that it lists nothing that is not there.
    begun.change(&manifest, &text)?;
    Ok(Created {
        files: files.into_iter().map(|(path, _)| path).collect(),
        listed_in: Some(manifest),
    })
}

/// What has been made so far: if the rest cannot be written, it is taken away again, so that a second try finds what the first one
/// found.
#[derive(Default)]
struct Begun {
    files: Vec<PathBuf>,
    /// The outermost first.
    folders: Vec<PathBuf>,
}

impl Begun {
    /// Writes a file that is new, and the folders it lies in.
    fn write(&mut self, path: &Path, text: &str) -> Result<(), TemplateError> {
        let missing = path
            .ancestors()
            .skip(1)
            .take_while(|folder| !folder.exists());
        let mut missing: Vec<PathBuf> = missing
            .filter(|folder| !folder.as_os_str().is_empty())
            .map(Path::to_path_buf)
            .collect();
        missing.reverse();
        self.folders.extend(missing);
        self.change(path, text)?;
        self.files.push(path.to_path_buf());
        Ok(())
    }

    /// Writes a file that may be there.
    fn change(&mut self, path: &Path, text: &str) -> Result<(), TemplateError> {
        files::write(path, text.as_bytes()).map_err(|error| {
            self.take_back();
            TemplateError::new(
                format!(
                    "`{}` cannot be written: {}",
                    path.display(),
                    files::in_words(&error)
                ),
                "look whether you may write to that folder",
            )
        })
    }

    /// Folders in which something else lies by now stay; what cannot be taken away stays too, and the message is that of the writing.
    fn take_back(&mut self) {
        for path in self.files.drain(..).rev() {
            std::fs::remove_file(path).ok();
        }
        for folder in self.folders.drain(..).rev() {
            std::fs::remove_dir(folder).ok();
        }
    }
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
fn title_of(name: &str, title: &str) -> Result<String, TemplateError> {
    let title = title.trim();
    if title.contains(char::is_control) {
        return Err(TemplateError::new(
            "the title has a character that cannot be seen, or a line break",
            "a title is one line of letters, digits and signs",
        ));
    }
    if !title.is_empty() {
        return Ok(title.to_owned());
    }
    let words = name.replace('-', " ");
    let mut letters = words.chars();
    Ok(letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    }))
}

/// With quotation marks that open and close: `The “Black” Line`.
fn curly(title: &str) -> String {
    let mut open = false;
    let marks = |c: char| match c {
        '"' => {
            open = !open;
            if open { '“' } else { '”' }
        }
        c => c,
    };
    title.chars().map(marks).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_begun_is_taken_back() {
        let place = tempfile::tempdir().expect("a folder for the test");
        let kept = place.path().join("there.txt");
        std::fs::write(&kept, "old").expect("a file for the test");
        let new = place.path().join("game/rules");
        let mut begun = Begun::default();
        begun
            .write(&new.join("a.rules"), "a")
            .expect("it can be written");
        // A file stands where a folder is wanted.
        assert!(begun.write(&kept.join("b.rules"), "b").is_err());
        assert!(!place.path().join("game").exists());
        assert_eq!(std::fs::read_to_string(&kept).ok().as_deref(), Some("old"));
    }
}
