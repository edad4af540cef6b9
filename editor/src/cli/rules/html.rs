//! A rulebook as a page, whole in itself.

use super::paper::{Altered, Entry, Paper, SET_HERE, Standing, Words, changed, sentence, touching};
use super::prose::{self, Prose};
use crate::escape::{escaped, inline};
use dsl::assembly::ChangeKind;
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");

pub fn page(paper: &Paper) -> String {
    let title = escaped(&paper.title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
        <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
        <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
        <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p>{}.</p>\n",
        escaped(&paper.players)
    );
    out += &body(paper);
    out += "</body>\n</html>\n";
    out
}

/// What stands on the page below its title: for other pages that tell the rules too.
pub fn body(paper: &Paper) -> String {
    let mut out = String::new();
    if let Some(known) = paper.known(&escaped, &code) {
        // Writing into a string cannot fail.
        let _ = writeln!(out, "<p>{known}</p>");
    }
    contents(paper, &mut out);
    errata(paper, &mut out);
    numbered(paper, &mut out);
    options(paper, &mut out);
    lists(paper, &mut out);
    out += "<h2 id=\"run\">The rules as they are run</h2>\n";
    for chapter in &paper.chapters {
        let _ = writeln!(
            out,
            "<h3>{}</h3>\n<ul class=\"run\">",
            escaped(chapter.title)
        );
        for part in &chapter.parts {
            let _ = write!(out, "<li id=\"{}\">{}", part.anchor, code(&part.code));
            words(&part.words, &mut out);
            out += "</li>\n";
        }
        out += "</ul>\n";
    }
    out
}

fn contents(paper: &Paper, out: &mut String) {
    let parts = [
        (
            "changes",
            "What changes",
            !paper.errata.is_empty() || !paper.turned.is_empty(),
        ),
        ("rules", "The rules", !paper.numbered.is_empty()),
        ("options", "Options", !paper.options.is_empty()),
        ("components", "Components", !paper.lists.is_empty()),
        ("run", "The rules as they are run", true),
    ];
    *out += "<nav><ul>\n";
    for (id, title, _) in parts.iter().filter(|(_, _, there)| *there) {
        let _ = writeln!(out, "<li><a href=\"#{id}\">{title}</a></li>");
    }
    *out += "</ul></nav>\n";
}

fn errata(paper: &Paper, out: &mut String) {
    if !paper.errata.is_empty() || !paper.turned.is_empty() {
        *out += "<h2 id=\"changes\">What changes</h2>\n";
    }
    for erratum in &paper.errata {
        let _ = writeln!(out, "<h3>{}</h3>", escaped(&erratum.title));
        if !erratum.words.is_empty() {
            *out += "<p>";
            words(&erratum.words, out);
            *out += "</p>\n";
        }
        let first = erratum.changes.first().map_or(1, |change| change.number);
        let _ = writeln!(out, "<ol class=\"errata\" start=\"{first}\">");
        for change in &erratum.changes {
            let said = touching(&sentence(change, &code), &change.touches, &link);
            let _ = write!(out, "<li id=\"change-{}\">{said}", change.number);
            words(&change.words, out);
            altered(change, out);
            *out += "</li>\n";
        }
        *out += "</ol>\n";
    }
    if !paper.turned.is_empty() {
        let first = paper.turned.first().map_or(1, |option| option.number);
        let _ = writeln!(
            out,
            "<h3>{SET_HERE}</h3>\n<ol class=\"errata\" start=\"{first}\">"
        );
    }
    for option in &paper.turned {
        let (name, now, was) = (
            code(&option.name),
            escaped(&option.now),
            escaped(&option.was),
        );
        let said = format!("{name}: {now}, not {was}.");
        let said = touching(&said, &option.touches, &link);
        let _ = writeln!(out, "<li id=\"change-{}\">{said}</li>", option.number);
    }
    if !paper.turned.is_empty() {
        *out += "</ol>\n";
    }
}

/// The id of a rule, with its place below.
fn link(id: &str) -> String {
    let id = escaped(id);
    format!("<a href=\"#{id}\">{id}</a>")
}

fn altered(change: &Altered, out: &mut String) {
    if change.is_said() {
        return;
    }
    if let Some(old) = &change.old {
        let _ = write!(out, "<pre><del>{}</del></pre>", escaped(old));
    }
    if change.kind != ChangeKind::Removed {
        let _ = write!(out, "<pre><ins>{}</ins></pre>", escaped(&change.new));
    }
}

fn options(paper: &Paper, out: &mut String) {
    if paper.options.is_empty() {
        return;
    }
    *out += "<h2 id=\"options\">Options</h2>\n<table>\n<thead><tr><th>option</th><th>value</th><th>what it may be</th><th>what it is</th></tr></thead>\n";
    for option in &paper.options {
        let before = option.before.as_ref();
        let before = before.map_or_else(String::new, |value| {
            format!(" <small>(was {})</small>", escaped(value))
        });
        let _ = write!(
            out,
            "<tr><td>{}</td><td>{}{before}</td><td>{}</td><td>{}",
            code(&option.name),
            escaped(&option.value),
            escaped(&option.kind),
            escaped(&option.words.doc.join(" "))
        );
        rules(&option.words, out);
        *out += "</td></tr>\n";
    }
    *out += "</table>\n";
}

fn numbered(paper: &Paper, out: &mut String) {
    if !paper.numbered.is_empty() {
        *out += "<h2 id=\"rules\">The rules</h2>\n";
    }
    for part in &paper.numbered {
        if !part.heading.is_empty() {
            let _ = writeln!(out, "<h3>{}</h3>", inline(&part.heading));
        }
        for entries in part.entries.chunk_by(|one, other| kind(one) == kind(other)) {
            let (open, close) = match kind(&entries[0]) {
                Kind::Rules => ("<dl>\n", "</dl>\n"),
                Kind::Items => ("<ul>\n", "</ul>\n"),
                Kind::Other => ("", ""),
            };
            *out += open;
            for one in entries {
                entry(one, out);
            }
            *out += close;
        }
    }
    if let Some(missing) = paper.missing() {
        let _ = writeln!(out, "<p>{missing}</p>");
    }
}

/// What stands together in one element.
#[derive(PartialEq, Eq)]
enum Kind {
    Rules,
    Items,
    Other,
}

fn kind(entry: &Entry) -> Kind {
    match entry {
        Entry::Rule(_) => Kind::Rules,
        Entry::Prose(Prose::Item(_)) => Kind::Items,
        Entry::Prose(_) => Kind::Other,
    }
}

fn entry(entry: &Entry, out: &mut String) {
    // Writing into a string cannot fail.
    let _ = match entry {
        Entry::Rule(rule) => {
            let id = escaped(&rule.id);
            let text = inline(&rule.text);
            let text = match &rule.standing {
                Standing::Holds => text,
                Standing::Changed(numbers) => {
                    let link = |number| format!("<a href=\"#change-{number}\">{number}</a>");
                    format!("{text} <small>({})</small>", changed(numbers, &link))
                }
                Standing::Gone => format!("<del>{text}</del>"),
            };
            writeln!(out, "<div><dt id=\"{id}\">{id}</dt><dd>{text}</dd></div>")
        }
        Entry::Prose(Prose::Heading(text)) => writeln!(out, "<h4>{}</h4>", inline(text)),
        Entry::Prose(Prose::Paragraph(text)) => writeln!(out, "<p>{}</p>", inline(text)),
        Entry::Prose(Prose::Item(text)) => writeln!(out, "<li>{}</li>", inline(text)),
        Entry::Prose(Prose::Code(code)) => {
            let code = escaped(&prose::of_code(code));
            writeln!(out, "<pre><code>{code}</code></pre>")
        }
        Entry::Prose(Prose::Table(rows)) => {
            let row = |cells: &Vec<String>, kind: &str| {
                let cells = cells.iter();
                let cells = cells.map(|text| format!("<{kind}>{}</{kind}>", inline(text)));
                format!("<tr>{}</tr>\n", cells.collect::<String>())
            };
            let mut rows = rows.iter();
            let head = rows.next().map(|cells| row(cells, "th"));
            let rest: String = rows.map(|cells| row(cells, "td")).collect();
            writeln!(
                out,
                "<table>\n<thead>{}</thead>\n{rest}</table>",
                head.unwrap_or_default()
            )
        }
    };
}

fn lists(paper: &Paper, out: &mut String) {
    if !paper.lists.is_empty() {
        *out += "<h2 id=\"components\">Components</h2>\n";
    }
    for list in &paper.lists {
        let _ = writeln!(out, "<h3>{}</h3>", escaped(&list.name));
        if !list.doc.is_empty() {
            let _ = writeln!(out, "<p>{}</p>", escaped(&list.doc));
        }
        let row = |cells: &[String], kind: &str| {
            let cells = cells
                .iter()
                .map(|text| format!("<{kind}>{}</{kind}>", parted(text)));
            format!("<tr>{}</tr>\n", cells.collect::<String>())
        };
        let _ = write!(
            out,
            "<table>\n<thead>{}</thead>\n",
            row(&list.columns, "th")
        );
        for cells in &list.rows {
            *out += &row(cells, "td");
        }
        *out += "</table>\n";
    }
}

fn words(words: &Words, out: &mut String) {
    for line in &words.doc {
        let _ = write!(out, "<br>{}", escaped(line));
    }
    rules(words, out);
    if !words.silent.is_empty() {
        let _ = write!(
            out,
            "<br><small>{}</small>",
            escaped(&words.silent.join(", "))
        );
    }
}

/// The numbered rules that something says, each with its place above.
fn rules(words: &Words, out: &mut String) {
    for (id, text) in &words.rules {
        let id = escaped(id);
        let _ = write!(out, "<br><a href=\"#{id}\">{id}</a> {}", inline(text));
    }
}

/// A text that may go on in the next line behind a sign that joins words: `trans_` `siberian`.
fn parted(text: &str) -> String {
    let mut out = escaped(text);
    for sign in ['_', '/', '-'] {
        out = out.replace(sign, &format!("{sign}<wbr>"));
    }
    out
}

fn code(text: &str) -> String {
    match text.contains('\n') {
        true => format!("<pre><code>{}</code></pre>", escaped(text)),
        false => format!("<code>{}</code>", escaped(text)),
    }
}
