//! Suggestions are tried before they are shown: what would lead to another mistake is not offered.
//!
//! A suggestion stands its trial if the texts, so changed, have one mistake less and no new one. What the changed texts have is
//! found by checking them as a whole; all that was read out of the unchanged ones is kept, so a trial costs what a check of names
//! and types costs. Suggestions are tried together first, and in halves where together they fail.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Fix};
use crate::source::{FileId, SourceSet, Span};
use crate::syntax::parse::parsed;

/// No more checks are made for the suggestions of one; what is left untried is not offered.
const CHECKS_MAX: usize = 12;
/// Of large texts fewer checks are made: no more bytes are checked.
const BYTES_MAX: usize = 4 << 20;

/// Mistakes whose suggestions may be tried.
pub(crate) struct Trial<'a> {
    sources: &'a SourceSet,
    /// All that is wrong with the texts.
    found: &'a [Diagnostic],
    /// What is wrong with changed ones.
    check: &'a dyn Fn(&SourceSet) -> Vec<Diagnostic>,
    /// Checks that may still be made.
    left: usize,
}

/// How often a mistake is there; places change with the texts and do not count.
type Counts<'a> = BTreeMap<(&'static str, &'a str, FileId), usize>;

/// The changes of one suggestion, and the mistake it is for.
pub(crate) struct Suggested<'d> {
    pub mistake: &'d Diagnostic,
    pub edits: Vec<(Span, &'d str)>,
}

impl<'d> Suggested<'d> {
    pub fn of(mistake: &'d Diagnostic, fix: &'d Fix) -> Suggested<'d> {
        Suggested {
            mistake,
            edits: vec![(fix.span, fix.replacement.as_str())],
        }
    }
}

/// The mistakes with the suggestions that lead to no other one.
pub(crate) fn tried(
    sources: &SourceSet,
    found: Vec<Diagnostic>,
    check: &dyn Fn(&SourceSet) -> Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let mut settled = found.clone();
    let mut trial = Trial::new(sources, &found, check);
    let has_fix = |one: &Diagnostic| one.fix.is_some();
    let mut open: Vec<usize> = (0..settled.len())
        .filter(|at| has_fix(&settled[*at]))
        .collect();
    while !open.is_empty() {
        let suggested: Vec<Suggested> = open
            .iter()
            .filter_map(|at| Some(Suggested::of(&found[*at], settled[*at].fix.as_ref()?)))
            .collect();
        let failing = trial.failing(&suggested);
        open = failing.into_iter().map(|at| open[at]).collect();
        for at in &open {
            settled[*at].give_up_fix();
        }
        open.retain(|at| has_fix(&settled[*at]));
    }
    settled
}

impl<'a> Trial<'a> {
    pub fn new(
        sources: &'a SourceSet,
        found: &'a [Diagnostic],
        check: &'a dyn Fn(&SourceSet) -> Vec<Diagnostic>,
    ) -> Trial<'a> {
        let bytes: usize = sources.ids().map(|id| sources.text(id).len()).sum();
        Trial {
            sources,
            found,
            check,
            left: (BYTES_MAX / bytes.max(1)).clamp(4, CHECKS_MAX),
        }
    }

    /// Which of the suggestions fail; also those for which no check is left.
    pub fn failing(&mut self, group: &[Suggested]) -> Vec<usize> {
        let mut failing = Vec::new();
        self.halve(group, 0, &mut failing);
        failing
    }

    fn halve(&mut self, group: &[Suggested], first: usize, failing: &mut Vec<usize>) {
        if group.is_empty() {
            return;
        }
        match self.changed(group) {
            Some(changed) if self.left > 0 => {
                self.left -= 1;
                if self.stands(group, &changed) {
                    return;
                }
            }
            // Two that change the same place cannot be made together.
            None if group.len() > 1 => {}
            _ => {
                failing.extend(first..first + group.len());
                return;
            }
        }
        if group.len() == 1 {
            failing.push(first);
            return;
        }
        let (one, other) = group.split_at(group.len() / 2);
        self.halve(one, first, failing);
        self.halve(other, first + one.len(), failing);
    }

    /// The texts with all the suggestions; none if they lie over each other.
    fn changed(&self, group: &[Suggested]) -> Option<SourceSet> {
        let mut edits: Vec<&(Span, &str)> = group.iter().flat_map(|one| &one.edits).collect();
        edits.sort_by_key(|(span, _)| *span);
        let meet = |pair: &[&(Span, &str)]| {
            pair[0].0.file == pair[1].0.file && pair[0].0.end > pair[1].0.start
        };
        if edits.windows(2).any(meet) {
            return None;
        }
        let mut sources = self.sources.clone();
        let mut rest = edits.as_slice();
        while let Some((last, _)) = rest.last() {
            let file = last.file;
            let start = rest.partition_point(|(span, _)| span.file < file);
            let mut text = sources.text(file).to_owned();
            for (span, replacement) in rest[start..].iter().rev() {
                let range = span.start as usize..span.end as usize;
                text.get(range.clone())?;
                text.replace_range(range, replacement);
            }
            let path = sources.file(file).path.clone();
            sources.insert(path, text);
            rest = &rest[..start];
        }
        Some(sources)
    }

    fn stands(&self, group: &[Suggested], changed: &SourceSet) -> bool {
        let after = (self.check)(changed);
        let mut before = counts(self.found);
        for one in group {
            if let Some(count) = before.get_mut(&key(one.mistake)) {
                *count -= usize::from(*count > 0);
            }
        }
        let now = counts(&after);
        let is_new = |one: &Diagnostic| {
            let key = key(one);
            now.get(&key) > before.get(&key)
        };
        let gone = |one: &Suggested| !is_new(one.mistake);
        group.iter().all(gone)
            && !after
                .iter()
                .filter(|one| one.is_error() && is_new(one))
                .any(|one| !self.was_unread(group, changed, one))
    }

    /// A declaration that could not be read has perhaps more that is wrong with it: what stands on other lines is not of the
    /// suggestion's making.
    fn was_unread(&self, group: &[Suggested], changed: &SourceSet, new: &Diagnostic) -> bool {
        let line = changed.line_column(new.span).0;
        let file = new.span.file;
        let edits = || group.iter().flat_map(|one| &one.edits);
        let edited = edits().any(|(span, replacement)| {
            let first = self.sources.line_column(*span).0;
            let last = first + replacement.matches('\n').count();
            span.file == file && (first..=last).contains(&line)
        });
        let unread = |one: &Suggested| {
            one.mistake.span.file == file && is_of_syntax(self.sources, one.mistake)
        };
        !edited && group.iter().any(unread)
    }
}

fn is_of_syntax(sources: &SourceSet, mistake: &Diagnostic) -> bool {
    let file = mistake.span.file;
    let is_rules = !sources.file(file).path.ends_with(".toml");
    is_rules
        && parsed(sources, file)
            .diagnostics
            .iter()
            .any(|one| one.span == mistake.span && one.code == mistake.code)
}

fn key(one: &Diagnostic) -> (&'static str, &str, FileId) {
    (one.code, one.message.as_str(), one.span.file)
}

fn counts(found: &[Diagnostic]) -> Counts<'_> {
    let mut counts = Counts::new();
    for one in found {
        *counts.entry(key(one)).or_default() += 1;
    }
    counts
}
