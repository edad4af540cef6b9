//! The numbered rules of a book, and which of them hold.

use super::Book;
use super::paper::{Numbered, Rule};
use crate::cli::ids::{self, Listed};
use dsl::ir::RuleSet;
use std::collections::BTreeSet;

/// The numbered rules in the order of their files, below the headings there, and how many are left out because an overlay that is
/// not laid on carries them. What nothing carries, as what only shows something, goes with those below its heading.
pub fn rules(book: &Book<'_>) -> (Vec<Numbered>, usize) {
    let holding = ids_of(&book.chosen.rules);
    let plain = book.plain.as_ref().map(ids_of).unwrap_or_default();
    let foreign = foreign(book);
    let is_foreign = |id: &String| {
        foreign.contains(id) && !holding.contains(id.as_str()) && !plain.contains(id.as_str())
    };
    let mut rules: Vec<(&String, &Listed)> = book.numbered.iter().collect();
    rules.sort_by_key(|(_, rule)| rule.span);
    let mut all = Vec::new();
    let mut left_out = 0;
    for below in rules.chunk_by(|(_, one), (_, other)| heading(book, one) == heading(book, other)) {
        let carried = |id: &String| holding.contains(id.as_str()) || plain.contains(id.as_str());
        let none_holds = !below.iter().any(|(id, _)| carried(id));
        let gone = none_holds && below.iter().any(|(id, _)| is_foreign(id));
        let kept = below
            .iter()
            .filter(|(id, _)| !is_foreign(id) && !gone)
            .map(|(id, rule)| Rule {
                id: (*id).clone(),
                text: rule.text.clone(),
                struck: plain.contains(id.as_str()) && !holding.contains(id.as_str()),
            });
        let kept: Vec<Rule> = kept.collect();
        left_out += below.len() - kept.len();
        if let (Some((_, first)), false) = (below.first(), kept.is_empty()) {
            all.push(Numbered {
                heading: heading(book, first),
                rules: kept,
            });
        }
    }
    (all, left_out)
}

/// The heading that a rule stands below.
fn heading(book: &Book<'_>, rule: &Listed) -> String {
    let before = &book.sources.text(rule.span.file)[..rule.span.start as usize];
    let mut lines = before.lines().rev();
    let heading = lines.find_map(|line| line.strip_prefix("## "));
    heading.unwrap_or_default().trim().to_owned()
}

/// The ids that rules carry.
fn ids_of(rules: &RuleSet) -> BTreeSet<&str> {
    rules.tags.iter().map(|tag| tag.id.as_str()).collect()
}

/// The ids that stand in overlays that are not laid on.
fn foreign(book: &Book<'_>) -> BTreeSet<String> {
    let on = &book.chosen.selection.overlays;
    let overlays = book.chosen.manifest.overlays.iter();
    let off = overlays.filter(|overlay| !on.contains(&overlay.id));
    let files = off.flat_map(|overlay| &overlay.files);
    let files = files.filter_map(|path| book.sources.find(path));
    let lines = files.flat_map(|file| book.sources.text(file).lines());
    let ids = lines.flat_map(|line| ids::in_line(line, None));
    ids.map(str::to_owned).collect()
}
