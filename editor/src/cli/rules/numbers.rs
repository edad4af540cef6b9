//! The numbered rules of a book, and which of them hold.

use super::Book;
use super::paper::{Numbered, Rule, Standing};
use crate::cli::ids::{self, Listed};
use dsl::assembly::{self, ChangeKind};
use dsl::ir::RuleSet;
use dsl::source::Span;
use std::collections::BTreeSet;

/// The numbered rules in the order of their files, below the headings there, and how many are left out because an overlay that is
/// not laid on carries them. What nothing carries, as what only shows something, goes with those below its heading.
pub fn rules(book: &Book<'_>) -> (Vec<Numbered>, usize) {
    let holding = ids_of(&book.chosen.rules);
    let plain = book.plain.as_ref().map(ids_of).unwrap_or_default();
    let standings = Standings::of(book);
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
                standing: standings.of_rule(id),
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

/// What tells how a rule stands with what is laid on.
struct Standings<'a> {
    /// What holds, and what held without: ids, each with what carries it.
    now: Vec<(&'a str, Span)>,
    before: Vec<(&'a str, Span)>,
    /// Texts in whose place an overlay puts another one.
    replaced: Vec<Span>,
}

impl<'a> Standings<'a> {
    fn of(book: &'a Book<'_>) -> Standings<'a> {
        let changes = assembly::changes(book.assembly).into_iter();
        let replaced = changes.filter(|change| change.kind == ChangeKind::Changed);
        Standings {
            now: reached(&book.chosen.rules),
            before: book.plain.as_ref().map(reached).unwrap_or_default(),
            replaced: replaced.filter_map(|change| change.old).collect(),
        }
    }

    /// A rule is gone where a game could come to something that carries it, and can no more. What another text has taken the
    /// place of may hold in part: what that says is for its reader.
    fn of_rule(&self, id: &str) -> Standing {
        if self.now.iter().any(|(of, _)| *of == id) {
            return Standing::Holds;
        }
        let mut before = self.before.iter().filter(|(of, _)| *of == id).peekable();
        if before.peek().is_none() {
            return Standing::Holds;
        }
        let inside = |carrier: Span, old: &Span| {
            old.file == carrier.file && old.start <= carrier.start && carrier.end <= old.end
        };
        let mut carriers = before.map(|(_, carrier)| *carrier);
        match carriers.any(|carrier| self.replaced.iter().any(|old| inside(carrier, old))) {
            true => Standing::Changed,
            false => Standing::Gone,
        }
    }
}

/// The ids that something carries which a game can come to.
fn reached(rules: &RuleSet) -> Vec<(&str, Span)> {
    let tags = rules.tags.iter().filter(|tag| tag.reached);
    tags.map(|tag| (tag.id.as_str(), tag.carrier)).collect()
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
