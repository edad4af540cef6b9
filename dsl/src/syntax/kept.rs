//! What was read out of pieces of text, kept by the text alone: an edit reads only the declarations and cells that it changed.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::source::{FileId, Span};
use crate::syntax::ast;
use crate::syntax::layout::{Chunk, whole};
use crate::syntax::parse::{Part, parse_chunk, parse_effect, parse_expression};
use crate::syntax::placed::Visit;

/// Bytes of text that are kept of a kind; beyond, all is read anew once. Some five times what the largest game holds.
const KEPT_BYTES_MAX: usize = 1 << 20;

/// All that is kept for a set of sources and its clones.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    declarations: Shelf<ast::Declaration>,
    /// Those below a `with`.
    inner: Shelf<ast::Declaration>,
    effects: Shelf<ast::Block>,
    expressions: Shelf<ast::Expr>,
}

impl Kept {
    /// See [`parse_chunk`]; what stands in the chunk is `text`.
    pub fn declaration(&self, text: &str, file: FileId, chunk: &Chunk) -> Part<ast::Declaration> {
        let own = Chunk {
            inner: chunk.inner,
            ..whole(text)
        };
        let shelf = match chunk.inner {
            true => &self.inner,
            false => &self.declarations,
        };
        let read = |file| parse_chunk(file, text, own);
        shelf.part(text, file, chunk.range.start, read)
    }

    /// See [`parse_effect`]; the text stands at `span`.
    pub fn effect(&self, text: &str, span: Span) -> Part<ast::Block> {
        let read = |file| parse_effect(file, text, 0);
        self.effects
            .part(text, span.file, span.start as usize, read)
    }

    /// See [`parse_expression`]; the text stands at `span`.
    pub fn expression(&self, text: &str, span: Span) -> Part<ast::Expr> {
        let read = |file| parse_expression(file, text, 0);
        self.expressions
            .part(text, span.file, span.start as usize, read)
    }
}

#[derive(Debug)]
struct Shelf<T>(Mutex<Pieces<T>>);

#[derive(Debug)]
struct Pieces<T> {
    /// By their text, as if each stood at the begin of the first file.
    by_text: BTreeMap<String, Part<T>>,
    /// Of the texts.
    bytes: usize,
}

impl<T> Default for Shelf<T> {
    fn default() -> Shelf<T> {
        Shelf(Mutex::new(Pieces {
            by_text: BTreeMap::new(),
            bytes: 0,
        }))
    }
}

impl<T: Clone + Visit> Shelf<T> {
    /// The piece at its place; `read` only if no such text has been read before.
    fn part(
        &self,
        text: &str,
        file: FileId,
        start: usize,
        read: impl FnOnce(FileId) -> Part<T>,
    ) -> Part<T> {
        let known = self.pieces().by_text.get(text).cloned();
        let mut part = known.unwrap_or_else(|| {
            let part = read(FileId(0));
            self.pieces().keep(text, &part);
            part
        });
        part.place(file, start as u32);
        part
    }

    fn pieces(&self) -> MutexGuard<'_, Pieces<T>> {
        // Nothing in here is left half done, whoever panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Clone> Pieces<T> {
    fn keep(&mut self, text: &str, part: &Part<T>) {
        if self.bytes + text.len() > KEPT_BYTES_MAX {
            self.by_text.clear();
            self.bytes = 0;
        }
        if self.by_text.insert(text.to_owned(), part.clone()).is_none() {
            self.bytes += text.len();
        }
    }
}
