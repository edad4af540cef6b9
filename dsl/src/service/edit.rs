//! Changes to texts: what a rename, a fix or a stub wants written, without writing it.

use std::ops::Range;

use crate::source::{SourceSet, Span};

/// One change: the bytes of `range` in the file give way to `text`. A path that is not there yet makes a new file (range `0..0`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub path: String,
    pub range: Range<usize>,
    pub text: String,
}

impl Edit {
    /// A change of what a span covers.
    pub fn at(sources: &SourceSet, span: Span, text: impl Into<String>) -> Edit {
        Edit {
            path: sources.file(span.file).path.clone(),
            range: span.start as usize..span.end as usize,
            text: text.into(),
        }
    }

    /// A text put in at a place.
    pub fn insert(path: impl Into<String>, at: usize, text: impl Into<String>) -> Edit {
        Edit {
            path: path.into(),
            range: at..at,
            text: text.into(),
        }
    }
}

/// The edits by path and place, each once.
///
/// # Errors
/// Two edits want the same bytes changed in different ways.
pub fn sorted(mut edits: Vec<Edit>) -> Result<Vec<Edit>, String> {
    edits.sort_by(|a, b| {
        let key = |edit: &Edit| (edit.range.start, edit.range.end);
        (&a.path, key(a), &a.text).cmp(&(&b.path, key(b), &b.text))
    });
    edits.dedup();
    for pair in edits.windows(2) {
        if pair[0].path == pair[1].path && pair[1].range.start < pair[0].range.end {
            return Err(format!(
                "two changes of `{}` overlap at byte {}",
                pair[0].path, pair[1].range.start
            ));
        }
    }
    Ok(edits)
}

/// Makes all the changes, or none.
///
/// # Errors
/// Edits overlap, or a range does not lie in its file between characters.
pub fn apply(edits: &[Edit], sources: &mut SourceSet) -> Result<(), String> {
    let edits = sorted(edits.to_vec())?;
    let mut changed: Vec<(String, String)> = Vec::new();
    for edit in edits.iter().rev() {
        if changed.last().is_none_or(|(path, _)| *path != edit.path) {
            let old = sources.find(&edit.path).map(|id| sources.text(id));
            changed.push((edit.path.clone(), old.unwrap_or_default().to_owned()));
        }
        let Some((_, text)) = changed.last_mut() else {
            continue;
        };
        if text.get(edit.range.clone()).is_none() {
            return Err(format!(
                "`{}` has no bytes {} to {}",
                edit.path, edit.range.start, edit.range.end
            ));
        }
        text.replace_range(edit.range.clone(), &edit.text);
    }
    for (path, text) in changed {
        sources.insert(path, text);
    }
    Ok(())
}
