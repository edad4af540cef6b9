//! Writing: a file is there in whole, old or new, never in part. What is no plain file is written to as it is.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// What a file is called before it is whole; none of these stays longer than the writing takes, or the next writing.
const UNFINISHED: (&str, &str) = (".trackwright-", ".part");
/// Endings of the texts of games that are written by hand.
const WRITTEN_BY_HAND: [&str; 4] = ["rules", "toml", "scenario", "md"];
/// What stands near the begin of a simulation or tournament that was saved: they are replaced by such ones alone.
pub const SAVED: &str = "\ntrackwright_part = ";
/// What stands near the begin of other texts with such an ending that this program has made: they are made anew.
const MADE: &str = "Made by `trackwright ";
/// Bytes of a file in which they stand.
const NEAR: u64 = 4_096;
/// How recorded games begin: they are replaced by recorded games alone.
const RECORDED: &[u8] = interpreter::replay::MAGIC.as_bytes();
/// Links that lead to links are followed no further.
const LINKS_MAX: usize = 40;

/// Writes a file beside the place and renames it; folders are made. A link is followed; a device or a pipe is written to; a
/// file that may only be read stays as it is.
///
/// # Errors
/// What the system says, or that the file may only be read.
pub fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    match place(path)? {
        Place::Stream(path) => {
            let mut stream = OpenOptions::new().append(true).open(path)?;
            stream.write_all(contents)?;
            stream.flush()
        }
        Place::File(path) => {
            sweep(folder_of(&path));
            // Another one may have swept it away before it was locked.
            match replace(&path, contents) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => replace(&path, contents),
                done => done,
            }
        }
    }
}

/// The folder that is to be made for a file; none: it is there.
pub fn missing_folder(path: &Path) -> Option<PathBuf> {
    let folder = folder_of(path);
    (!folder.exists()).then(|| folder.to_path_buf())
}

/// The folder in which the folder of a file would have to be made and that is not there either; none: one new folder is enough.
pub fn missing_above(path: &Path) -> Option<PathBuf> {
    missing_folder(&missing_folder(path)?)
}

fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = beside(path)?;
    // Whoever sweeps leaves alone what is locked; where nothing can be locked, nothing is swept.
    let _ = file.as_file().try_lock();
    file.write_all(contents)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Whether a result could be written there now; nothing is left behind but its folder.
///
/// # Errors
/// Why not, as the system says it.
pub fn can_write(path: &Path) -> io::Result<()> {
    spare(path, None)?;
    match place(path)? {
        Place::Stream(_) => Ok(()),
        Place::File(path) => beside(&path).map(drop),
    }
}

/// As [`write`], of what a call or a player wants kept under a name given: no text of a game that people write goes for it, and
/// no recorded game or saved simulation for anything else.
///
/// # Errors
/// Why not, as the system says it, or that there is such a text.
pub fn write_result(path: &Path, contents: &[u8]) -> io::Result<()> {
    spare(path, Some(contents))?;
    write(path, contents)
}

/// A result of any length that is put together bit by bit. It is there in whole when it is finished, and until then nowhere.
pub struct Growing {
    text: BufWriter<tempfile::NamedTempFile>,
    /// Where it goes; none: to whoever finishes it.
    to: Option<Place>,
    /// What went wrong first.
    error: Option<io::Error>,
}

impl Growing {
    /// A result for this path; without one it is handed over at the end.
    ///
    /// # Errors
    /// Why it cannot be written there, as the system says it.
    pub fn begin(path: Option<&Path>) -> io::Result<Growing> {
        let to = match path {
            Some(path) => {
                spare(path, Some(b""))?;
                Some(place(path)?)
            }
            None => None,
        };
        let file = match &to {
            Some(Place::File(path)) => {
                sweep(folder_of(path));
                beside(path)?
            }
            Some(Place::Stream(_)) | None => tempfile::NamedTempFile::new()?,
        };
        // As where a file is replaced.
        let _ = file.as_file().try_lock();
        Ok(Growing {
            text: BufWriter::new(file),
            to,
            error: None,
        })
    }

    /// Puts a text at its end; what goes wrong is told when it is finished.
    pub fn push(&mut self, text: &str) {
        if self.error.is_none() {
            self.error = self.text.write_all(text.as_bytes()).err();
        }
    }

    /// Puts it in its place; where it has none, `out` gets it.
    ///
    /// # Errors
    /// What went wrong, now or before.
    pub fn finish(self, out: &mut dyn Write) -> io::Result<()> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let mut file = self
            .text
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        match self.to {
            Some(Place::File(path)) => {
                file.as_file().sync_all()?;
                file.persist(path).map_err(|error| error.error)?;
            }
            Some(Place::Stream(path)) => {
                file.rewind()?;
                let mut stream = OpenOptions::new().append(true).open(path)?;
                io::copy(&mut file, &mut stream)?;
                stream.flush()?;
            }
            None => {
                file.rewind()?;
                io::copy(&mut file, out)?;
                out.flush()?;
            }
        }
        Ok(())
    }
}

/// Nothing that people write or play is lost for what a machine makes anew; `contents`, if they are known.
fn spare(path: &Path, contents: Option<&[u8]>) -> io::Result<()> {
    let Place::File(path) = place(path)? else {
        return Ok(());
    };
    let ending = path.extension().and_then(|ending| ending.to_str());
    let by_hand = ending.is_some_and(|ending| WRITTEN_BY_HAND.contains(&ending));
    if !path.is_file() {
        return Ok(());
    }
    let begin = begin_of(&path)?;
    let near = |begin: &[u8], mark: &str| String::from_utf8_lossy(begin).contains(mark);
    let saved = near(&begin, SAVED);
    if by_hand && !begin.is_empty() && !saved && !near(&begin, MADE) {
        return Err(io::Error::other("a text that people write stands there"));
    }
    let Some(contents) = contents else {
        return Ok(());
    };
    if begin.starts_with(RECORDED) && !contents.starts_with(RECORDED) {
        return Err(io::Error::other("a recorded game stands there"));
    }
    let begins = &contents[..contents.len().min(NEAR as usize)];
    match saved && !near(begins, SAVED) {
        true => Err(io::Error::other("what a simulation has saved stands there")),
        false => Ok(()),
    }
}

fn begin_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut begin = Vec::new();
    File::open(path)?.take(NEAR).read_to_end(&mut begin)?;
    Ok(begin)
}

/// Where the bytes go.
enum Place {
    /// A plain file, there or not.
    File(PathBuf),
    /// A device or a pipe, or what stands for a stream of this program: opened as it is.
    Stream(PathBuf),
}

fn place(path: &Path) -> io::Result<Place> {
    let mut path = path.to_path_buf();
    for _ in 0..LINKS_MAX {
        // `/dev/stdout` and the like lead to what this program has open.
        let open = ["/dev/fd", "/proc"].iter().any(|at| path.starts_with(at));
        if open && path.exists() {
            return Ok(Place::Stream(path));
        }
        let Ok(data) = fs::symlink_metadata(&path) else {
            return Ok(Place::File(path));
        };
        if data.is_symlink() {
            path = folder_of(&path).join(fs::read_link(&path)?);
        } else if data.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        } else if data.permissions().readonly() {
            return Err(io::Error::other("it may only be read"));
        } else if data.is_file() {
            return Ok(Place::File(path));
        } else {
            return Ok(Place::Stream(path));
        }
    }
    Err(io::Error::other("its links lead to links without end"))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// An empty file in the folder of a path, which goes away unless it is given a place.
fn beside(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder = folder_of(path);
    fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(UNFINISHED.0).suffix(UNFINISHED.1);
    with_permissions(path, &mut builder).tempfile_in(folder)
}

/// Takes away what a writing left behind that was ended from outside: nobody holds it any more.
fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let unfinished = name
            .to_str()
            .is_some_and(|name| name.starts_with(UNFINISHED.0) && name.ends_with(UNFINISHED.1));
        if unfinished
            && let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A file that is replaced keeps its permissions; a new one can be read by all, as the system's default has it.
#[cfg(unix)]
fn with_permissions<'b, 'a>(
    path: &Path,
    builder: &'b mut tempfile::Builder<'a, 'a>,
) -> &'b mut tempfile::Builder<'a, 'a> {
    use std::os::unix::fs::PermissionsExt;
    let known = fs::metadata(path).map(|data| data.permissions());
    builder.permissions(known.unwrap_or_else(|_| fs::Permissions::from_mode(0o666)))
}

#[cfg(not(unix))]
fn with_permissions<'b, 'a>(
    _: &Path,
    builder: &'b mut tempfile::Builder<'a, 'a>,
) -> &'b mut tempfile::Builder<'a, 'a> {
    builder
}
