//! The games that came with the program, in the user's folder. A newer program brings newer ones; what somebody has changed stays.

use super::sum_of;
use include_dir::{Dir, DirEntry, File};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// In it is written what each file was when it was unpacked.
const UNPACKED: &str = ".unpacked";

/// A sum of each file's bytes, by its path among the games.
type Sums = BTreeMap<String, u64>;

/// Writes the games into a folder: those that are not there, and anew those of which no file has changed since they were
/// unpacked. The folder comes back.
///
/// # Errors
/// What the system says.
pub(super) fn unpack(shipped: &Dir, folder: &Path) -> io::Result<PathBuf> {
    let (before, now) = (read(folder), sums(shipped));
    if before == now && shipped.dirs().all(|game| is_there(game, folder)) {
        return Ok(folder.to_path_buf());
    }
    let mut known = Sums::new();
    for game in shipped.dirs() {
        let of_game = |sums: &Sums| -> Sums {
            let own = sums
                .iter()
                .filter(|(path, _)| Path::new(path).starts_with(game.path()));
            own.map(|(path, sum)| (path.clone(), *sum)).collect()
        };
        let (old, new) = (of_game(&before), of_game(&now));
        let is_new = !is_there(game, folder);
        if !is_new && old == new {
            known.extend(new);
        } else if is_new || !old.is_empty() && is_untouched(&old, folder) {
            for gone in old.keys().filter(|path| !new.contains_key(*path)) {
                fs::remove_file(folder.join(gone))?;
            }
            write_all(game, folder)?;
            known.extend(new);
        } else {
            // It is somebody's own now, or as it was before sums were written.
            known.extend(old);
        }
    }
    if known != before {
        let lines = known
            .iter()
            .map(|(path, sum)| format!("{sum:016x} {path}\n"));
        super::write(&folder.join(UNPACKED), lines.collect::<String>().as_bytes())?;
    }
    Ok(folder.to_path_buf())
}

fn is_there(game: &Dir, folder: &Path) -> bool {
    folder.join(game.path()).join("game.toml").is_file()
}

fn is_untouched(sums: &Sums, folder: &Path) -> bool {
    sums.iter()
        .all(|(path, sum)| fs::read(folder.join(path)).is_ok_and(|bytes| sum_of(&bytes) == *sum))
}

fn read(folder: &Path) -> Sums {
    let text = fs::read_to_string(folder.join(UNPACKED)).unwrap_or_default();
    let lines = text.lines().filter_map(|line| {
        let (sum, path) = line.split_once(' ')?;
        Some((path.to_owned(), u64::from_str_radix(sum, 16).ok()?))
    });
    lines.collect()
}

fn sums(shipped: &Dir) -> Sums {
    let mut all = Sums::new();
    for entry in shipped.entries() {
        match entry {
            DirEntry::Dir(inner) => all.extend(sums(inner)),
            DirEntry::File(file) => {
                all.insert(path_of(file), sum_of(file.contents()));
            }
        }
    }
    all
}

fn path_of(file: &File) -> String {
    file.path().to_string_lossy().replace('\\', "/")
}

/// `game.toml` comes last: a game half unpacked is unpacked again.
fn write_all(folder: &Dir, to: &Path) -> io::Result<()> {
    let mut last = None;
    for entry in folder.entries() {
        match entry {
            DirEntry::Dir(inner) => write_all(inner, to)?,
            DirEntry::File(file)
                if file
                    .path()
                    .file_name()
                    .is_some_and(|name| name == "game.toml") =>
            {
                last = Some(file)
            }
            DirEntry::File(file) => super::write(&to.join(file.path()), file.contents())?,
        }
    }
    match last {
        Some(file) => super::write(&to.join(file.path()), file.contents()),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &Dir = &Dir::new(
        "",
        &[
            DirEntry::Dir(Dir::new(
                "hex",
                &[
                    DirEntry::File(File::new("hex/game.toml", b"old")),
                    DirEntry::File(File::new("hex/gone.rules", b"gone")),
                ],
            )),
            DirEntry::Dir(Dir::new(
                "chess",
                &[DirEntry::File(File::new("chess/game.toml", b"old"))],
            )),
        ],
    );
    const NEW: &Dir = &Dir::new(
        "",
        &[
            DirEntry::Dir(Dir::new(
                "hex",
                &[
                    DirEntry::File(File::new("hex/game.toml", b"new")),
                    DirEntry::File(File::new("hex/more.rules", b"more")),
                ],
            )),
            DirEntry::Dir(Dir::new(
                "chess",
                &[DirEntry::File(File::new("chess/game.toml", b"new"))],
            )),
        ],
    );

    /// A newer program brings its games; what was changed by hand, and what somebody has put beside, stays.
    #[test]
    fn games_are_renewed_unless_they_were_changed() {
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().join("games");
        let read = |path: &str| fs::read_to_string(folder.join(path)).unwrap_or_default();
        unpack(OLD, &folder).expect("written");
        assert_eq!(
            (read("hex/game.toml"), read("chess/game.toml")),
            ("old".into(), "old".into())
        );
        fs::write(folder.join("chess/game.toml"), "mine").expect("written");
        fs::write(folder.join("hex/mine.rules"), "mine").expect("written");
        for _ in 0..2 {
            unpack(NEW, &folder).expect("written");
            assert_eq!(read("hex/game.toml"), "new");
            assert_eq!(read("hex/more.rules"), "more");
            assert_eq!(read("hex/mine.rules"), "mine");
            assert!(!folder.join("hex/gone.rules").exists());
            assert_eq!(read("chess/game.toml"), "mine");
        }
        // What need not be written is not: it could not be.
        let kept = folder.join("hex/game.toml");
        let mut rights = fs::metadata(&kept).expect("it is there").permissions();
        rights.set_readonly(true);
        fs::set_permissions(&kept, rights).expect("set");
        unpack(NEW, &folder).expect("nothing is written");
        fs::remove_dir_all(folder.join("chess")).expect("it goes");
        unpack(NEW, &folder).expect("written");
        assert_eq!(read("chess/game.toml"), "new");
    }
}
