//! A rulebook as Markdown.

use super::paper::{Altered, Entry, Paper, SET_HERE, Standing, Words, changed, sentence, touching};
use super::prose::Prose;
use dsl::assembly::ChangeKind;
use std::fmt::Write;

pub fn text(paper: &Paper) -> String {
    let mut out = String::new();
    // Writing into a string cannot fail.
    let _ = write!(
        out,
        "<!-- Made by `trackwright rules`; the next call makes it anew. -->\n\n# {}\n\n{}.\n",
        escaped(&paper.title),
        paper.players
    );
    if let Some(known) = paper.known(&escaped, &code) {
        let _ = write!(out, "\n{known}\n");
    }
    errata(paper, &mut out);
    if !paper.numbered.is_empty() {
        out += "\n## The rules\n";
    }
    for part in &paper.numbered {
        if !part.heading.is_empty() {
            let _ = write!(out, "\n### {}\n", part.heading);
        }
        out.push('\n');
        let mut above = None;
        for one in &part.entries {
            let is_line = matches!(one, Entry::Rule(_) | Entry::Prose(Prose::Item(_)));
            if above.is_some_and(|above| !(above && is_line)) {
                out.push('\n');
            }
            written(one, &mut out);
            above = Some(is_line);
        }
    }
    if let Some(missing) = paper.missing() {
        let _ = write!(out, "\n{missing}\n");
    }
    options(paper, &mut out);
    lists(paper, &mut out);
    out += "\n## The rules as they are run\n";
    for chapter in &paper.chapters {
        let _ = write!(out, "\n### {}\n\n", chapter.title);
        for part in &chapter.parts {
            declared(&part.code, &mut out);
            words(&part.words, &mut out);
        }
    }
    out
}

/// A rule, or what stands beside rules, as it was read.
fn written(entry: &Entry, out: &mut String) {
    // Writing into a string cannot fail.
    let _ = match entry {
        Entry::Rule(rule) => {
            let (id, text) = (&rule.id, &rule.text);
            match &rule.standing {
                Standing::Holds => writeln!(out, "- **{id}** {text}"),
                Standing::Changed(numbers) => {
                    let link = |number| format!("[{number}](#change-{number})");
                    writeln!(out, "- **{id}** {text} *({})*", changed(numbers, &link))
                }
                Standing::Gone => writeln!(out, "- **{id}** ~~{text}~~"),
            }
        }
        Entry::Prose(Prose::Heading(text)) => writeln!(out, "#### {text}"),
        Entry::Prose(Prose::Paragraph(text)) => writeln!(out, "{text}"),
        Entry::Prose(Prose::Item(text)) => writeln!(out, "- {text}"),
        Entry::Prose(Prose::Code(code)) => writeln!(out, "{code}"),
        Entry::Prose(Prose::Table(rows)) => {
            for (at, row) in rows.iter().enumerate() {
                let _ = writeln!(out, "| {} |", row.join(" | "));
                if at == 0 {
                    let _ = writeln!(out, "|{}", "---|".repeat(row.len()));
                }
            }
            Ok(())
        }
    };
}

fn options(paper: &Paper, out: &mut String) {
    if !paper.options.is_empty() {
        *out +=
            "\n## Options\n\n| option | value | what it may be | what it is |\n|---|---|---|---|\n";
    }
    for option in &paper.options {
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} |",
            code(&option.name),
            cell(&option.now_and_before()),
            cell(&option.kind),
            cell(&option.words.doc.join(" "))
        );
    }
}

/// A declaration as an item of a list; one of several lines as a block.
fn declared(text: &str, out: &mut String) {
    // Writing into a string cannot fail.
    if !text.contains('\n') {
        let _ = writeln!(out, "- {}", code(text));
        return;
    }
    *out += "- ```\n";
    for line in text.lines() {
        let _ = writeln!(out, "  {line}");
    }
    *out += "  ```\n";
}

fn errata(paper: &Paper, out: &mut String) {
    for erratum in &paper.errata {
        let _ = write!(out, "\n## What {} changes\n\n", escaped(&erratum.title));
        if !erratum.words.is_empty() {
            words(&erratum.words, out);
            out.push('\n');
        }
        for change in &erratum.changes {
            entry(
                change.number,
                &sentence(change, &code),
                &change.touches,
                out,
            );
            for line in &change.words.doc {
                let _ = writeln!(out, "   {line}");
            }
            for (id, text) in &change.words.rules {
                let _ = writeln!(out, "   - **{id}** {text}");
            }
            altered(change, out);
        }
    }
    if !paper.turned.is_empty() {
        let _ = write!(out, "\n## {SET_HERE}\n\n");
    }
    for option in &paper.turned {
        let said = format!(
            "{}: {}, not {}.",
            code(&option.name),
            option.now,
            option.was
        );
        entry(option.number, &said, &option.touches, out);
    }
}

/// A change with the rules that it touches, and a place that leads to it.
fn entry(number: usize, said: &str, touches: &[String], out: &mut String) {
    let said = touching(said, touches, &str::to_owned);
    let _ = writeln!(out, "{number}. <a id=\"change-{number}\"></a>{said}");
}

/// The texts of a change, as a difference.
fn altered(change: &Altered, out: &mut String) {
    if change.is_said() {
        return;
    }
    let _ = writeln!(out, "\n   ```diff");
    for line in change.old.iter().flat_map(|text| text.lines()) {
        let _ = writeln!(out, "   - {line}");
    }
    let sign = match change.kind {
        ChangeKind::Removed => "#",
        _ => "+",
    };
    for line in change.new.lines() {
        let _ = writeln!(out, "   {sign} {line}");
    }
    let _ = writeln!(out, "   ```\n");
}

fn lists(paper: &Paper, out: &mut String) {
    if !paper.lists.is_empty() {
        *out += "\n## Components\n";
    }
    for list in &paper.lists {
        let _ = write!(out, "\n### {}\n\n", list.name);
        if !list.doc.is_empty() {
            let _ = write!(out, "{}\n\n", list.doc);
        }
        let head: Vec<String> = list.columns.iter().map(|name| cell(name)).collect();
        let _ = writeln!(out, "| {} |", head.join(" | "));
        let _ = writeln!(out, "|{}", "---|".repeat(head.len()));
        for row in &list.rows {
            let cells: Vec<String> = row.iter().map(|text| cell(text)).collect();
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        }
    }
}

fn words(words: &Words, out: &mut String) {
    for line in &words.doc {
        let _ = writeln!(out, "  {line}");
    }
    for (id, text) in &words.rules {
        let _ = writeln!(out, "  - **{id}** {text}");
    }
    if !words.silent.is_empty() {
        let _ = writeln!(out, "  - {}", words.silent.join(", "));
    }
}

/// What stands in rules.
fn code(text: &str) -> String {
    match text.contains('`') {
        true => format!("`` {text} ``"),
        false => format!("`{text}`"),
    }
}

fn escaped(text: &str) -> String {
    text.replace('*', "\\*")
        .replace('_', "\\_")
        .replace('<', "&lt;")
}

fn cell(text: &str) -> String {
    escaped(text).replace('|', "\\|").replace('\n', " ")
}
