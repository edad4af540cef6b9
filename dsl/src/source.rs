//! Source texts, places in them, and the pictures that lie beside them. The crate reads no disk: the caller puts the files into a
//! [`SourceSet`].

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// One file of a [`SourceSet`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A byte range in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(file: FileId, start: usize, end: usize) -> Span {
        Span {
            file,
            start: start as u32,
            end: end as u32,
        }
    }

    /// The smallest range that holds both; both lie in one file.
    pub fn to(self, other: Span) -> Span {
        Span {
            file: self.file,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// A text under the path by which manifests and rules name it (`/` separates folders, relative to the games folder).
#[derive(Debug)]
pub struct SourceFile {
    pub path: String,
    pub text: String,
    line_starts: Vec<u32>,
    /// What was read out of the text, kept as long as the text stays as it is: an edit of one file reads that file again only.
    pub(crate) rules: OnceLock<crate::syntax::parse::Parsed>,
    pub(crate) toml: OnceLock<crate::assembly::Tree>,
}

/// A picture that lies beside the texts. What it shows is known to who draws it; here only whether it can be drawn.
#[derive(Clone)]
pub struct Picture(Arc<PictureFile>);

/// Reads a picture's width and height out of its path and bytes, or says what is wrong with it, and what to do.
pub type PictureReader = fn(&str, &[u8]) -> Result<(f32, f32), (String, String)>;

/// Whether a file of this name is a picture: PNG or SVG.
pub fn is_picture(name: &str) -> bool {
    let name = name.to_lowercase();
    [".png", ".svg"].iter().any(|ending| name.ends_with(ending))
}

struct PictureFile {
    path: String,
    bytes: Vec<u8>,
    reader: PictureReader,
    /// What the reader found, as soon as somebody asks.
    read: OnceLock<Result<(f32, f32), (String, String)>>,
}

impl Picture {
    pub fn new(path: String, bytes: Vec<u8>, reader: PictureReader) -> Picture {
        Picture(Arc::new(PictureFile {
            path,
            bytes,
            reader,
            read: OnceLock::new(),
        }))
    }

    /// As a text's: `/` separates folders, relative to the games folder.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    pub fn bytes(&self) -> &[u8] {
        &self.0.bytes
    }

    fn read(&self) -> &Result<(f32, f32), (String, String)> {
        let file = &self.0;
        file.read
            .get_or_init(|| (file.reader)(&file.path, &file.bytes))
    }

    /// Width and height as it says them; none: it cannot be drawn.
    pub fn size(&self) -> Option<(f32, f32)> {
        self.read().as_ref().ok().copied()
    }

    /// Why it cannot be drawn, and what to do about it.
    pub fn fault(&self) -> Option<(&str, &str)> {
        let (message, help) = self.read().as_ref().err()?;
        Some((message, help))
    }

    /// The same for all clones, as long as one of them lives.
    pub fn key(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }
}

impl PartialEq for Picture {
    fn eq(&self, other: &Picture) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.bytes == other.0.bytes
    }
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_tuple("Picture").field(&self.0.path).finish()
    }
}

/// All texts a compilation may use. Clones share what has been read out of them.
#[derive(Clone, Debug, Default)]
pub struct SourceSet {
    files: Vec<Arc<SourceFile>>,
    by_path: BTreeMap<String, FileId>,
    pictures: BTreeMap<String, Picture>,
    pub(crate) kept: Arc<crate::syntax::kept::Kept>,
}

impl SourceSet {
    pub fn new() -> SourceSet {
        SourceSet::default()
    }

    /// Adds a text, or replaces the one under the same path (its `FileId` stays).
    pub fn insert(&mut self, path: impl Into<String>, text: impl Into<String>) -> FileId {
        let path = path.into();
        let text = text.into();
        if let Some(id) = self.find(&path)
            && self.text(id) == text
        {
            return id;
        }
        let mut line_starts = vec![0];
        line_starts.extend(
            text.bytes()
                .enumerate()
                .filter(|(_, byte)| *byte == b'\n')
                .map(|(at, _)| at as u32 + 1),
        );
        let file = Arc::new(SourceFile {
            path: path.clone(),
            text,
            line_starts,
            rules: OnceLock::new(),
            toml: OnceLock::new(),
        });
        if let Some(&id) = self.by_path.get(&path) {
            self.files[id.0 as usize] = file;
            return id;
        }
        let id = FileId(self.files.len() as u32);
        self.files.push(file);
        self.by_path.insert(path, id);
        id
    }

    /// Adds a picture, or replaces the one under the same path.
    pub fn add_picture(&mut self, picture: Picture) {
        self.pictures.insert(picture.path().to_owned(), picture);
    }

    pub fn picture(&self, path: &str) -> Option<&Picture> {
        self.pictures.get(path)
    }

    /// By path, in alphabetical order.
    pub fn pictures(&self) -> impl Iterator<Item = &Picture> {
        self.pictures.values()
    }

    pub fn find(&self, path: &str) -> Option<FileId> {
        self.by_path.get(path).copied()
    }

    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    pub fn text(&self, id: FileId) -> &str {
        &self.files[id.0 as usize].text
    }

    pub fn ids(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..self.files.len() as u32).map(FileId)
    }

    /// Paths in alphabetical order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.by_path.keys().map(String::as_str)
    }

    /// The text a span covers.
    pub fn slice(&self, span: Span) -> &str {
        &self.text(span.file)[span.start as usize..span.end as usize]
    }

    /// `path:line:column` of a span's start; both count from 1, columns in characters.
    pub fn place(&self, span: Span) -> String {
        let (line, column) = self.line_column(span);
        format!("{}:{line}:{column}", self.file(span.file).path)
    }

    /// Line and column of a span's start; both count from 1, columns in characters.
    pub fn line_column(&self, span: Span) -> (usize, usize) {
        let file = self.file(span.file);
        let line = file
            .line_starts
            .partition_point(|&start| start <= span.start)
            .max(1);
        let start = file.line_starts[line - 1] as usize;
        let end = (span.start as usize).min(file.text.len());
        let column = file
            .text
            .get(start..end)
            .map_or(1, |s| s.chars().count() + 1);
        (line, column)
    }
}
