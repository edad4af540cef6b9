//! A game's texts and pictures, read into a source set.

use super::{FILE_BYTES_MAX, FOLDER_DEPTH_MAX, GAME_BYTES_MAX, GAME_FILES_MAX, Library, shown};
use crate::picture;
use dsl::assembly::{self, ANY};
use dsl::diagnostic::Diagnostic;
use dsl::source::{FileId, Picture, SourceSet, Span, is_picture};
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Endings of the texts a game is made of.
const ENDINGS: [&str; 5] = ["rules", "toml", "scenario", "replay", "md"];

/// The code of the mistake that a folder holds too many texts.
const TOO_MANY: &str = "too-many-files";

/// The code of the mistake that a file, or all of them, is too large.
const TOO_LARGE: &str = "file-too-large";

/// The texts of a game and of all it extends, and of every other game its manifest.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    pub sources: SourceSet,
    /// Where each file lies, by its id.
    pub paths: Vec<PathBuf>,
    /// Where the pictures lie.
    pub picture_paths: Vec<PathBuf>,
    /// Files that could not be read as text.
    pub diagnostics: Vec<Diagnostic>,
    bytes: u64,
    complete: BTreeSet<String>,
}

impl Loaded {
    /// Loads a game with what it extends, and the house rules for any game.
    pub fn game(library: &Library, game: &str) -> Loaded {
        let mut loaded = Loaded::default();
        loaded.chain(library, Some(game.to_owned()));
        // What is wrong with others is told where they are asked for.
        let own = loaded.diagnostics.len();
        loaded.manifests(library);
        loaded.diagnostics.truncate(own);
        loaded
    }

    /// A game with what it extends, as far as they are not there yet, and the house rules for any game.
    fn chain(&mut self, library: &Library, game: Option<String>) {
        let mut next = game;
        while let Some(id) = next.filter(|id| !self.complete.contains(id)) {
            self.whole_game(library, &id);
            let listings = assembly::games(&self.sources);
            next = listings
                .into_iter()
                .find(|listing| listing.id == id)
                .and_then(|listing| listing.extends);
        }
        if !self.complete.contains(ANY) {
            self.whole_game(library, ANY);
        }
    }

    /// A game whose texts are given, each under its path: `harbour/game.toml`. What they extend and do not hold themselves
    /// comes from the library.
    pub fn texts(
        library: &Library,
        game: &str,
        texts: impl IntoIterator<Item = (String, String)>,
    ) -> Loaded {
        let mut loaded = Loaded::default();
        for (name, text) in texts {
            let folder = name.split('/').next().unwrap_or_default();
            loaded.complete.insert(folder.to_owned());
            loaded.paths.push(PathBuf::from(&name));
            loaded.sources.insert(name, text);
        }
        let listings = assembly::games(&loaded.sources);
        let own = listings.into_iter().find(|listing| listing.id == game);
        let above = own.and_then(|listing| listing.extends);
        loaded.chain(library, above);
        loaded
    }

    /// The manifests of all games, nothing else.
    pub fn manifests_only(library: &Library) -> Loaded {
        let mut loaded = Loaded::default();
        loaded.manifests(library);
        loaded
    }

    fn manifests(&mut self, library: &Library) {
        for id in library.ids() {
            if let Some(folder) = library.folder_of(&id)
                && !self.complete.contains(&id)
            {
                self.file(&folder.join("game.toml"), format!("{id}/game.toml"));
            }
        }
    }

    /// The same texts under paths as people read them, relative to `folder`.
    pub fn shown_from(&self, folder: &Path) -> SourceSet {
        let mut set = SourceSet::new();
        for (id, path) in self.sources.ids().zip(&self.paths) {
            set.insert(shown(path, folder), self.sources.text(id));
        }
        set
    }

    /// A file that lies elsewhere, as one more of a game.
    pub fn add(&mut self, game: &str, path: &Path, text: String) -> FileId {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let file = self
            .sources
            .insert(format!("{game}/elsewhere/{name}"), text);
        self.paths.push(path.to_owned());
        file
    }

    /// Whether a file could not be read at all: what names it would seem wrong.
    pub fn is_unread(&self) -> bool {
        self.diagnostics.iter().any(|one| {
            let path = &self.sources.file(one.span.file).path;
            let of = path.split('/').next().unwrap_or_default();
            one.code != "not-utf8" && self.complete.contains(of)
        })
    }

    /// Whether of a folder with too many files only the manifest was read: what it names would seem to be missing.
    pub fn is_cut(&self) -> bool {
        self.diagnostics.iter().any(|one| one.code == TOO_MANY)
    }

    /// Whether all texts of this game were read, not its manifest alone.
    pub fn holds(&self, game: &str) -> bool {
        self.complete.contains(game)
    }

    /// The file that lies at a path.
    pub fn file_at(&self, path: &Path) -> Option<FileId> {
        let wanted = path.canonicalize().ok()?;
        let at = self
            .paths
            .iter()
            .position(|known| known.canonicalize().is_ok_and(|known| known == wanted))?;
        Some(FileId(at as u32))
    }

    fn whole_game(&mut self, library: &Library, id: &str) {
        self.complete.insert(id.to_owned());
        let Some(folder) = library.folder_of(id) else {
            return;
        };
        let Ok(root) = folder.canonicalize() else {
            return;
        };
        let mut walk = Walk {
            root,
            seen: BTreeSet::new(),
            found: Vec::new(),
            pictures: Vec::new(),
        };
        walk.folder(&folder, id, 0);
        if walk.found.len() >= GAME_FILES_MAX || walk.pictures.len() >= GAME_FILES_MAX {
            return self.too_many(&folder, id);
        }
        for (path, name) in walk.found {
            self.file(&path, name);
        }
        for (path, name) in walk.pictures {
            self.picture(&path, name);
        }
    }

    /// Of such a folder only the manifest is read, where this is told.
    fn too_many(&mut self, folder: &Path, id: &str) {
        let name = format!("{id}/game.toml");
        self.file(&folder.join("game.toml"), name.clone());
        if let Some(file) = self.sources.find(&name) {
            let message = format!(
                "the folder of this game holds {} texts or more, which is too many",
                grouped(GAME_FILES_MAX)
            );
            let help = "take out what is not part of the game";
            let found = Diagnostic::error(TOO_MANY, Span::new(file, 0, 0), message);
            self.diagnostics.push(found.help(help));
        }
    }

    /// What is wrong with it is told where it is named.
    fn picture(&mut self, path: &Path, name: String) {
        let picture = match bytes_of(path) {
            Ok(bytes) if self.bytes + bytes.len() as u64 > GAME_BYTES_MAX => {
                Picture::new(name, Vec::new(), |_, _| {
                    let most = GAME_BYTES_MAX >> 20;
                    let message = "is one too many: the game's files are more than";
                    let help = "make its pictures smaller";
                    Err((format!("{message} {most} MB together"), help.to_owned()))
                })
            }
            Ok(bytes) => {
                self.bytes += bytes.len() as u64;
                Picture::new(name, bytes, picture::read)
            }
            Err(problem) if problem.code == TOO_LARGE => Picture::new(name, Vec::new(), |_, _| {
                let message = format!("is larger than {} MB", FILE_BYTES_MAX >> 20);
                Err((message, "make it smaller".to_owned()))
            }),
            Err(_) => Picture::new(name, Vec::new(), |_, _| {
                Err(("cannot be read".to_owned(), "make it readable".to_owned()))
            }),
        };
        self.sources.add_picture(picture);
        self.picture_paths.push(path.to_path_buf());
    }

    fn file(&mut self, path: &Path, name: String) {
        if self.paths.len() >= GAME_FILES_MAX {
            return;
        }
        let (text, problem) = match bytes_of(path) {
            Ok(bytes) if self.bytes + bytes.len() as u64 > GAME_BYTES_MAX => {
                let most = GAME_BYTES_MAX >> 20;
                (
                    String::new(),
                    Some(Problem::new(
                        TOO_LARGE,
                        format!("the game's texts are more than {most} MB together"),
                        "take out what is not needed",
                    )),
                )
            }
            Ok(bytes) => {
                self.bytes += bytes.len() as u64;
                decode(bytes)
            }
            Err(problem) => (String::new(), Some(problem)),
        };
        let id = self.sources.insert(name, text);
        if id.0 as usize == self.paths.len() {
            self.paths.push(path.to_path_buf());
        }
        if let Some(problem) = problem {
            let span = Span::new(id, problem.at, problem.end);
            let diagnostic = Diagnostic::error(problem.code, span, problem.message);
            self.diagnostics
                .push(diagnostic.here(problem.here).help(problem.help));
        }
    }
}

/// `4,000`
fn grouped(number: usize) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{},{:03}", number / 1_000, number % 1_000),
    }
}

/// What is wrong with a file.
struct Problem {
    code: &'static str,
    message: String,
    help: String,
    here: String,
    at: usize,
    end: usize,
}

impl Problem {
    fn new(code: &'static str, message: impl Into<String>, help: impl Into<String>) -> Problem {
        Problem {
            code,
            message: message.into(),
            help: help.into(),
            here: String::new(),
            at: 0,
            end: 0,
        }
    }
}

/// Reads a text that is not part of a game.
///
/// # Errors
/// What is wrong, and what to do about it.
pub fn read_text(path: &Path) -> Result<String, (String, String)> {
    let as_pair = |problem: Problem| (problem.message, problem.help);
    let bytes = bytes_of(path).map_err(as_pair)?;
    match decode(bytes) {
        (text, None) => Ok(text),
        (_, Some(problem)) => Err(as_pair(problem)),
    }
}

/// The text that bytes are.
///
/// # Errors
/// The line where they are none, from 1, or 0 for all of them, and what is wrong there.
pub fn text_of(bytes: Vec<u8>) -> Result<String, (u64, String)> {
    let valid = match std::str::from_utf8(&bytes) {
        Ok(text) => text.len(),
        Err(error) => error.valid_up_to(),
    };
    let line = 1 + bytes[..valid].iter().filter(|byte| **byte == b'\n').count() as u64;
    match decode(bytes) {
        (text, None) => Ok(text),
        // Of what is known as another kind of text no single letter is wrong.
        (_, Some(problem)) if problem.at == problem.end => Err((0, problem.message)),
        (_, Some(problem)) => Err((line, format!("{}: {}", problem.message, problem.here))),
    }
}

/// Reads a file that is no text.
///
/// # Errors
/// What is wrong, and what to do about it.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, (String, String)> {
    bytes_of(path).map_err(|problem| (problem.message, problem.help))
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, Problem> {
    let unreadable = |error: std::io::Error| {
        let message = format!("the file cannot be read: {}", in_words(&error));
        let help = match error.kind() {
            std::io::ErrorKind::NotFound => {
                "look how its name is written, and in which folder it is"
            }
            _ => "make it readable, or take it away",
        };
        Problem::new("unreadable-file", message, help)
    };
    let data = std::fs::metadata(path).map_err(unreadable)?;
    if data.is_dir() {
        return Err(Problem::new(
            "unreadable-file",
            "this is a folder, not a file",
            "name a file in it",
        ));
    }
    if !data.is_file() {
        return Err(Problem::new(
            "unreadable-file",
            "this is not a plain file",
            "put a text file here",
        ));
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(unreadable)?;
    file.take(FILE_BYTES_MAX + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        let message = format!("the file is larger than {} MB", FILE_BYTES_MAX >> 20);
        return Err(Problem::new(
            TOO_LARGE,
            message,
            "split it into several files",
        ));
    }
    Ok(bytes)
}

/// The system's reason, without its number.
pub(crate) fn in_words(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".into(),
        std::io::ErrorKind::PermissionDenied => "no permission".into(),
        std::io::ErrorKind::IsADirectory => "it is a folder".into(),
        std::io::ErrorKind::AlreadyExists | std::io::ErrorKind::NotADirectory => {
            "a file stands where a folder is wanted".into()
        }
        _ => {
            let text = error.to_string();
            text.split(" (os error")
                .next()
                .unwrap_or(&text)
                .to_lowercase()
        }
    }
}

/// The text; a byte order mark is left out; where lines end in CR alone, they end in LF. What is written in another way than
/// UTF-8 is read in that way where it can be told, so that one thing is wrong with the file and not every letter of it.
fn decode(bytes: Vec<u8>) -> (String, Option<Problem>) {
    if let Some((text, order)) = utf16(&bytes) {
        let message = "the file is UTF-16 text, not UTF-8";
        let mut problem = Problem::new("not-utf8", message, SAVE_AS);
        problem.here = format!("its letters take two bytes each, {order} first");
        return (text, Some(problem));
    }
    let mut text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let byte = error.as_bytes()[at];
            let bytes = error.into_bytes();
            if is_no_text(&bytes) {
                let message = "the file is no text";
                return (
                    String::new(),
                    Some(Problem::new(
                        "not-text",
                        message,
                        "put a text file here, or take it away",
                    )),
                );
            }
            // One byte a letter: Western European, as older programs save it.
            let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
            let problem = Problem::new("not-utf8", "the file is not UTF-8 text", SAVE_AS);
            let here = format!("the byte {byte:02X} stands here");
            let end = at + char::from(byte).len_utf8();
            return (
                text,
                Some(Problem {
                    here,
                    at,
                    end,
                    ..problem
                }),
            );
        }
    };
    if is_no_text(text.as_bytes()) {
        let problem = Problem::new(
            "not-text",
            "the file is no text",
            "put a text file here, or take it away",
        );
        return (String::new(), Some(problem));
    }
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    if text.contains('\r') && !text.contains('\n') {
        text = text.replace('\r', "\n");
    }
    (text, None)
}

const SAVE_AS: &str = "save it as UTF-8 in your text editor (`Save as…`, encoding UTF-8)";

/// The text of UTF-16, with or without its mark, and which byte of a letter comes first.
fn utf16(bytes: &[u8]) -> Option<(String, &'static str)> {
    let (little, body) = match bytes {
        [0xFF, 0xFE, rest @ ..] => (true, rest),
        [0xFE, 0xFF, rest @ ..] => (false, rest),
        // Every second byte of plain letters is nought.
        [first, 0, third, 0, ..] if *first != 0 && *third != 0 => (true, bytes),
        [0, second, 0, fourth, ..] if *second != 0 && *fourth != 0 => (false, bytes),
        _ => return None,
    };
    let units = body.chunks_exact(2).map(|pair| match little {
        true => u16::from_le_bytes([pair[0], pair[1]]),
        false => u16::from_be_bytes([pair[0], pair[1]]),
    });
    let text: String = char::decode_utf16(units).collect::<Result<_, _>>().ok()?;
    (!is_no_text(text.as_bytes()))
        .then_some((text, if little { "the lower" } else { "the higher" }))
}

/// Bytes that no text has.
fn is_no_text(bytes: &[u8]) -> bool {
    bytes.contains(&0)
}

/// Collects the texts and pictures of a game's folder.
struct Walk {
    /// Links may lead to what lies in here.
    root: PathBuf,
    seen: BTreeSet<PathBuf>,
    found: Vec<(PathBuf, String)>,
    pictures: Vec<(PathBuf, String)>,
}

impl Walk {
    fn folder(&mut self, folder: &Path, name: &str, depth: usize) {
        let Ok(real) = folder.canonicalize() else {
            return;
        };
        if depth > FOLDER_DEPTH_MAX || !real.starts_with(&self.root) || !self.seen.insert(real) {
            return;
        }
        let Ok(entries) = std::fs::read_dir(folder) else {
            return;
        };
        let mut entries: Vec<(String, PathBuf)> = entries
            .flatten()
            .filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.path())))
            .collect();
        entries.sort();
        for (entry, path) in entries {
            let full = [&self.found, &self.pictures].map(|list| list.len() >= GAME_FILES_MAX);
            if entry.starts_with('.') || full.contains(&true) {
                continue;
            }
            let name = format!("{name}/{entry}");
            if path.is_dir() {
                self.folder(&path, &name, depth + 1);
            } else if is_text(&path) && self.is_inside(&path) {
                self.found.push((path, name));
            } else if is_picture(&name) && self.is_inside(&path) {
                self.pictures.push((path, name));
            }
        }
    }

    /// Links out of the game are left alone.
    fn is_inside(&self, path: &Path) -> bool {
        match path.canonicalize() {
            Ok(real) => real.starts_with(&self.root),
            Err(_) => !path.is_symlink(),
        }
    }
}

/// Whether a file's name is that of a text a game is made of.
pub(crate) fn is_text(path: &Path) -> bool {
    path.extension()
        .and_then(|ending| ending.to_str())
        .is_some_and(|ending| ENDINGS.contains(&ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_texts_are_told_at_the_manifest() {
        let place = tempfile::tempdir().expect("a folder for the test");
        let lists = place.path().join("g/components");
        std::fs::create_dir_all(&lists).expect("a folder for the test");
        for number in 0..GAME_FILES_MAX {
            std::fs::write(lists.join(format!("{number}.toml")), "").expect("a file for the test");
        }
        let manifest = "[game]\nid = \"g\"\ntitle = \"G\"\nplayers = [2, 2]\nrules = []\n";
        std::fs::write(place.path().join("g/game.toml"), manifest).expect("a file for the test");
        let library = Library {
            roots: vec![place.path().to_path_buf()],
        };
        let loaded = Loaded::game(&library, "g");
        let [found] = &loaded.diagnostics[..] else {
            panic!("one mistake, not {:?}", loaded.diagnostics);
        };
        assert_eq!(found.code, TOO_MANY);
        assert!(loaded.is_cut());
        assert_eq!(loaded.sources.file(found.span.file).path, "g/game.toml");
        assert!(found.message.contains("4,000 texts or more"));
    }
}
