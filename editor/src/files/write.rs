//! Writing: a file is there in whole, old or new, never in part.

use std::io::{self, Write};
use std::path::Path;

/// Writes a file beside the place and renames it; folders are made.
///
/// # Errors
/// What the system says.
pub fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = beside(path)?;
    file.write_all(contents)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Whether a file could be written there now; nothing is left behind but its folder.
///
/// # Errors
/// Why not, as the system says it.
pub fn can_write(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    beside(path).map(drop)
}

/// An empty file in the folder of a path, which goes away unless it is given a place.
fn beside(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    std::fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    with_permissions(path, &mut builder).tempfile_in(folder)
}

/// A file that is replaced keeps its permissions; a new one can be read by all, as the system's default has it.
#[cfg(unix)]
fn with_permissions<'b, 'a>(
    path: &Path,
    builder: &'b mut tempfile::Builder<'a, 'a>,
) -> &'b mut tempfile::Builder<'a, 'a> {
    use std::os::unix::fs::PermissionsExt;
    let known = std::fs::metadata(path).map(|data| data.permissions());
    builder.permissions(known.unwrap_or_else(|_| std::fs::Permissions::from_mode(0o666)))
}

#[cfg(not(unix))]
fn with_permissions<'b, 'a>(
    _: &Path,
    builder: &'b mut tempfile::Builder<'a, 'a>,
) -> &'b mut tempfile::Builder<'a, 'a> {
    builder
}
