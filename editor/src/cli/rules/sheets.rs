//! A rulebook on sheets of paper.

use super::paper::{Altered, Entry, Paper, SET_HERE, Standing, Words, changed, sentence, touching};
use super::prose::{self, Prose};
use crate::print::{Page, Sheets, Size};
use dsl::assembly::ChangeKind;

pub fn pages(paper: &Paper, size: Size) -> Vec<Page> {
    let mut out = Sheets::new(size);
    out.heading(0, &paper.title);
    out.paragraph(0, "", &format!("{}.", paper.players));
    if let Some(known) = paper.known(&str::to_owned, &str::to_owned) {
        out.paragraph(0, "", &known);
    }
    errata(paper, &mut out);
    if !paper.numbered.is_empty() {
        out.heading(1, "The rules");
    }
    for part in &paper.numbered {
        if !part.heading.is_empty() {
            out.heading(2, &plain(&part.heading));
        }
        for one in &part.entries {
            entry_of(one, &mut out);
        }
    }
    if let Some(missing) = paper.missing() {
        out.paragraph(0, "", &missing);
    }
    options(paper, &mut out);
    if !paper.lists.is_empty() {
        out.heading(1, "Components");
    }
    for list in &paper.lists {
        out.heading(2, &list.name);
        if !list.doc.is_empty() {
            out.introduction(&list.doc);
        }
        out.table(&list.columns, &list.rows);
    }
    out.heading(1, "The rules as they are run");
    for chapter in &paper.chapters {
        out.heading(2, chapter.title);
        for part in &chapter.parts {
            for line in part.code.lines() {
                out.paragraph(0, "", line);
            }
            words(&part.words, &mut out);
        }
    }
    out.pages()
}

/// A rule, or what stands beside rules.
fn entry_of(entry: &Entry, out: &mut Sheets) {
    match entry {
        Entry::Rule(rule) => {
            let text = plain(&rule.text);
            let text = match &rule.standing {
                Standing::Holds => text,
                Standing::Changed(numbers) => {
                    let link = |number: usize| number.to_string();
                    format!("{text} ({})", changed(numbers, &link))
                }
                Standing::Gone => format!("(This does not hold here.) {text}"),
            };
            out.paragraph(0, &rule.id, &text);
        }
        Entry::Prose(Prose::Heading(text)) => out.heading(2, &plain(text)),
        Entry::Prose(Prose::Paragraph(text)) => out.paragraph(0, "", &plain(text)),
        Entry::Prose(Prose::Item(text)) => out.paragraph(0, "–", &plain(text)),
        Entry::Prose(Prose::Code(code)) => {
            for line in prose::of_code(code).lines() {
                out.paragraph(1, "", line);
            }
        }
        Entry::Prose(Prose::Table(rows)) => {
            let plain = |row: &Vec<String>| row.iter().map(|cell| plain(cell)).collect();
            let rows: Vec<Vec<String>> = rows.iter().map(plain).collect();
            if let Some((head, rest)) = rows.split_first() {
                out.table(head, rest);
            }
        }
    }
}

fn options(paper: &Paper, out: &mut Sheets) {
    if !paper.options.is_empty() {
        out.heading(1, "Options");
    }
    for option in &paper.options {
        let text = format!(
            "{}, {}. {}",
            option.now_and_before(),
            option.kind,
            option.words.doc.join(" ")
        );
        out.paragraph(0, &option.name, &text);
    }
}

fn errata(paper: &Paper, out: &mut Sheets) {
    if !paper.errata.is_empty() || !paper.turned.is_empty() {
        out.heading(1, "What changes");
    }
    for erratum in &paper.errata {
        out.heading(2, &erratum.title);
        words(&erratum.words, out);
        for change in &erratum.changes {
            let said = sentence(change, &|text| text.to_owned());
            entry(change.number, &said, &change.touches, out);
            words(&change.words, out);
            altered(change, out);
        }
    }
    if !paper.turned.is_empty() {
        out.heading(2, SET_HERE);
    }
    for option in &paper.turned {
        let said = format!("{}: {}, not {}.", option.name, option.now, option.was);
        entry(option.number, &said, &option.touches, out);
    }
}

/// A change with the rules that it touches.
fn entry(number: usize, said: &str, touches: &[String], out: &mut Sheets) {
    let said = touching(said, touches, &str::to_owned);
    out.paragraph(0, &format!("{number}."), &said);
}

/// The texts of a change, line by line.
fn altered(change: &Altered, out: &mut Sheets) {
    if change.is_said() {
        return;
    }
    for line in change.old.iter().flat_map(|text| text.lines()) {
        out.paragraph(1, "before", line);
    }
    if change.kind != ChangeKind::Removed {
        for line in change.new.lines() {
            out.paragraph(1, "now", line);
        }
    }
}

fn words(words: &Words, out: &mut Sheets) {
    if !words.doc.is_empty() {
        out.paragraph(1, "", &words.doc.join(" "));
    }
    for (id, text) in &words.rules {
        out.paragraph(1, id, &plain(text));
    }
    if !words.silent.is_empty() {
        out.paragraph(1, "", &words.silent.join(", "));
    }
}

/// Without the marks of Markdown.
fn plain(text: &str) -> String {
    text.replace("**", "").replace(['`', '*'], "")
}
