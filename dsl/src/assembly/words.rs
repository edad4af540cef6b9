//! Which names a text reads, directly and through formulas, networks and score lines.

use super::Assembly;
use crate::source::{SourceSet, Span};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) type Words<'s> = BTreeSet<&'s str>;

/// The words of a text that could be names: not those of comments, and of strings only the values quoted.
pub(crate) fn words(text: &str) -> Words<'_> {
    let mut found = Words::new();
    for line in text.lines() {
        for (at, part) in line.split('"').enumerate() {
            let in_string = at % 2 == 1;
            if in_string {
                let values = part.split('{').skip(1);
                values.for_each(|value| names(value.split('}').next().unwrap_or(""), &mut found));
                continue;
            }
            let (code, comment) = match part.split_once('#') {
                Some((code, _)) => (code, true),
                None => (part, false),
            };
            names(code, &mut found);
            if comment {
                break;
            }
        }
    }
    found
}

fn names<'t>(code: &'t str, found: &mut Words<'t>) {
    let is_end = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    found.extend(code.split(is_end).filter(|word| !word.is_empty()));
}

/// What each name of a formula, network or score line stands for, as words. Names are taken without their owners, so that
/// too much is called read rather than too little.
pub(crate) struct Reading<'s> {
    sources: &'s SourceSet,
    behind: BTreeMap<&'s str, Words<'s>>,
}

impl<'s> Reading<'s> {
    pub fn new(assembly: &'s Assembly, sources: &'s SourceSet) -> Reading<'s> {
        let mut reading = Reading {
            sources,
            behind: BTreeMap::new(),
        };
        for entry in &assembly.formulas {
            let older = entry.replaced.iter().map(|old| old.span);
            reading.name(&entry.item.name.text, entry.span, older);
        }
        for entry in &assembly.networks {
            let older = entry.replaced.iter().map(|old| old.span);
            reading.name(&entry.item.name.text, entry.span, older);
        }
        for entry in &assembly.scores {
            let older: Vec<Span> = entry.replaced.iter().map(|old| old.span).collect();
            reading.name(&entry.item.name.text, entry.span, older.iter().copied());
            reading.name("score", entry.span, older.into_iter());
        }
        reading
    }

    pub fn text(&self, span: Span) -> &'s str {
        let text = self.sources.text(span.file);
        text.get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    /// A declaration's words; `original` stands for what it replaced.
    fn name(&mut self, name: &'s str, span: Span, older: impl Iterator<Item = Span>) {
        let mut all = words(self.text(span));
        for old in older {
            if !all.remove("original") {
                break;
            }
            all.extend(words(self.text(old)));
        }
        self.behind.entry(name).or_default().extend(all);
    }

    /// These words and all that they stand for.
    pub fn through(&self, mut found: Words<'s>) -> Words<'s> {
        let mut open: Vec<&str> = found.iter().copied().collect();
        while let Some(word) = open.pop() {
            for next in self.behind.get(word).into_iter().flatten() {
                if found.insert(next) {
                    open.push(next);
                }
            }
        }
        found
    }
}
