//! The numbered rules of a book, and which of them hold.

use super::Book;
use super::errata::Errata;
use super::paper::{Entry, Numbered, Rule, Standing};
use super::prose::{self, Prose};
use crate::cli::ids::{self, Listed};
use dsl::ir::RuleSet;
use dsl::source::FileId;
use std::collections::{BTreeMap, BTreeSet};

/// What stands below one heading of a `RULES.md`.
struct Section<'b> {
    heading: String,
    /// Rules and what stands between them.
    entries: Vec<Read<'b>>,
}

enum Read<'b> {
    Rule(&'b str, &'b Listed),
    Prose(Prose),
}

/// The numbered rules in the order of their files, below the headings there, with what stands beside them; and how many are left
/// out because an overlay that is not laid on carries them. What nothing carries, as what only shows something, goes with those
/// below its heading.
pub fn rules(book: &Book<'_>, errata: &Errata) -> (Vec<Numbered>, usize) {
    let holding = holding(book);
    let plain = book.plain.as_ref().map(ids_of).unwrap_or_default();
    let standings = Standings::of(book, errata);
    let foreign = foreign(book);
    let carried = |id: &str| holding.contains(id) || plain.contains(id);
    let is_foreign = |id: &str| foreign.contains(id) && !carried(id);
    let mut all = Vec::new();
    let mut left_out = 0;
    for (path, section) in sections(book) {
        let ids = section.entries.iter().filter_map(|entry| match entry {
            Read::Rule(id, _) => Some(*id),
            Read::Prose(_) => None,
        });
        let ids: Vec<&str> = ids.collect();
        let none_holds = !ids.iter().any(|id| carried(id));
        let gone = none_holds && ids.iter().any(|id| is_foreign(id));
        let is_kept = |id: &str| !gone && !is_foreign(id);
        let kept = ids.iter().filter(|id| is_kept(id)).count();
        left_out += ids.len() - kept;
        // What is said of rules that are left out goes with them.
        let told = match ids.is_empty() {
            true => is_laid_on(book, &path),
            false => kept > 0,
        };
        if !told {
            continue;
        }
        let entries = section.entries.into_iter().filter_map(|entry| match entry {
            Read::Rule(id, _) if !is_kept(id) => None,
            Read::Rule(id, rule) => Some(Entry::Rule(Rule {
                id: id.to_owned(),
                text: rule.text.clone(),
                standing: standings.of_rule(id),
            })),
            Read::Prose(prose) => Some(Entry::Prose(prose)),
        });
        all.push(Numbered {
            heading: section.heading,
            entries: entries.collect(),
        });
    }
    (all, left_out)
}

/// The files with rules, cut at their headings; without what has nothing below it.
fn sections<'b>(book: &'b Book<'_>) -> Vec<(String, Section<'b>)> {
    let game = &book.chosen.game.id;
    let mut files: BTreeSet<FileId> = book.numbered.values().map(|rule| rule.span.file).collect();
    files.extend(book.sources.find(&format!("{game}/RULES.md")));
    let lists = ids::books(book.sources, game, None).into_iter();
    files.extend(lists.map(|list| list.file));
    let mut by_place: BTreeMap<(FileId, u32), (&str, &Listed)> = BTreeMap::new();
    for (id, rule) in &book.numbered {
        by_place.insert((rule.span.file, rule.span.start), (id, rule));
    }
    let mut all = Vec::new();
    for file in files {
        let path = &book.sources.file(file).path;
        let mut section = Section {
            heading: String::new(),
            entries: Vec::new(),
        };
        for line in lines(book.sources.text(file)) {
            let rule = by_place
                .range((file, line.start as u32)..(file, line.end as u32))
                .next();
            match (rule, line.text.strip_prefix("## ")) {
                (Some((_, (id, rule))), _) => section.entries.push(Read::Rule(id, rule)),
                (None, Some(heading)) => {
                    let next = Section {
                        heading: heading.trim().to_owned(),
                        entries: Vec::new(),
                    };
                    all.push((path.clone(), std::mem::replace(&mut section, next)));
                }
                // The title stands above the book, and what goes on from a rule is a part of it.
                (None, None) if line.text.starts_with("# ") || line.of_rule(&section) => {}
                (None, None) => put(&line, &mut section),
            }
        }
        all.push((path.clone(), section));
    }
    all.retain(|(_, section)| !section.entries.is_empty());
    all
}

/// A line of a file that is not empty.
struct Line<'t> {
    text: &'t str,
    start: usize,
    end: usize,
    /// Nothing stands in the line above.
    is_apart: bool,
}

impl Line<'_> {
    /// It goes on with the rule above it.
    fn of_rule(&self, section: &Section<'_>) -> bool {
        let below_rule = matches!(section.entries.last(), Some(Read::Rule(..)));
        below_rule && !self.is_apart && ids::goes_on(self.text)
    }
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let (mut all, mut start, mut is_apart) = (Vec::new(), 0, true);
    // Comments are for authors.
    let mut is_comment = false;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let text = line.trim_end();
        is_comment |= text.trim_start().starts_with("<!--");
        match text.trim().is_empty() || is_comment {
            true => is_apart = true,
            false => {
                all.push(Line {
                    text,
                    start,
                    end,
                    is_apart,
                });
                is_apart = false;
            }
        }
        is_comment &= !text.ends_with("-->");
        start = end;
    }
    all
}

fn put(line: &Line<'_>, section: &mut Section<'_>) {
    let last = section.entries.pop();
    let mut prose = Vec::new();
    match last {
        Some(Read::Prose(last)) => prose.push(last),
        Some(rule) => section.entries.push(rule),
        None => {}
    }
    prose::read(line.text, line.is_apart, &mut prose);
    section.entries.extend(prose.into_iter().map(Read::Prose));
}

/// Whether a file is the game's own, or that of an overlay that is laid on.
fn is_laid_on(book: &Book<'_>, path: &str) -> bool {
    let game = &book.chosen.game.id;
    let on = &book.chosen.selection.overlays;
    path == format!("{game}/RULES.md")
        || on
            .iter()
            .any(|id| path == format!("{game}/expansions/{id}/RULES.md"))
}

/// The ids that rules carry, and what is laid on them.
fn holding<'b>(book: &'b Book<'_>) -> BTreeSet<&'b str> {
    let written = book.assembly.written.iter().map(|one| one.id.as_str());
    ids_of(&book.chosen.rules)
        .into_iter()
        .chain(written)
        .collect()
}

fn ids_of(rules: &RuleSet) -> BTreeSet<&str> {
    rules.tags.iter().map(|tag| tag.id.as_str()).collect()
}

/// What tells how a rule stands with what is laid on.
struct Standings<'a> {
    /// Ids of what a game can come to, with what is laid on and without.
    now: BTreeSet<&'a str>,
    before: BTreeSet<&'a str>,
    errata: &'a Errata,
}

impl<'a> Standings<'a> {
    fn of(book: &'a Book<'_>, errata: &'a Errata) -> Standings<'a> {
        Standings {
            now: reached(&book.chosen.rules),
            before: book.plain.as_ref().map(reached).unwrap_or_default(),
            errata,
        }
    }

    /// A rule is gone where a game could come to something that carries it, and can no more. Where what carries it is another
    /// text or another value, or a part of that is gone, it may hold in part: what the change says is for its reader.
    fn of_rule(&self, id: &str) -> Standing {
        let numbers = self.errata.touched.get(id);
        let is_replaced = self.errata.replaced.iter().any(|one| one == id);
        let gone = !self.now.contains(id) && self.before.contains(id);
        match numbers {
            Some(numbers) if !gone || is_replaced => Standing::Changed(numbers.clone()),
            _ if gone => Standing::Gone,
            _ => Standing::Holds,
        }
    }
}

/// The ids that something carries which a game can come to.
fn reached(rules: &RuleSet) -> BTreeSet<&str> {
    let tags = rules.tags.iter().filter(|tag| tag.reached);
    tags.map(|tag| tag.id.as_str()).collect()
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
