//! The only place that opens files: finds the games, loads a game's texts, writes atomically.

mod find;
mod load;
mod unpack;
mod write;

pub use find::{FindError, Library, Places};
pub use load::{Loaded, read_bytes, read_text, text_of};
pub(crate) use load::{in_words, is_text};
pub use write::{Growing, SAVED, can_write, missing_above, missing_folder, write, write_result};

use std::path::Path;

/// Greatest size of one text, in bytes; longer ones are reported and not read.
pub const FILE_BYTES_MAX: u64 = 4 << 20;
/// Greatest size of a game's texts together.
pub const GAME_BYTES_MAX: u64 = 64 << 20;
/// Greatest number of a game's texts.
pub const GAME_FILES_MAX: usize = 4_000;
/// Folders lie no deeper in a game.
pub const FOLDER_DEPTH_MAX: usize = 6;

/// A path as people read it: relative to `folder` where it lies below, with `/` between its parts.
pub fn shown(path: &Path, folder: &Path) -> String {
    let path = path.strip_prefix(folder).unwrap_or(path);
    let text = path.to_string_lossy().replace('\\', "/");
    if text.is_empty() {
        ".".to_owned()
    } else {
        text
    }
}

/// Whether the folder holds at least one game.
pub fn holds_games(folder: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return false;
    };
    entries
        .flatten()
        .any(|entry| entry.path().join("game.toml").is_file())
}

/// A short sum of bytes, the same on every machine (FNV-1a): it tells one thing from another, and keeps no secret.
pub(crate) fn sum_of(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum: u64, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
