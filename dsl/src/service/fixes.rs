//! What can be done about a mistake by machine: the fix a diagnostic brings, and fixes found from what it says.

use super::edit::Edit;
use super::place::line_around;
use super::scope::declaration_start;
use crate::Compiled;
use crate::check::show;
use crate::diagnostic::Diagnostic;
use crate::ir::{Domain, RuleSet, Ty};
use crate::source::{SourceSet, Span};
use crate::syntax::parse::chunks;
use crate::trial::{Suggested, Trial};

/// One way to mend a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// Lower case, no full stop: what it does.
    pub title: String,
    pub edits: Vec<Edit>,
}

/// Ways to mend a mistake, the likeliest first; empty if only its author can say what was meant. None of them leads to another
/// mistake.
pub fn fixes(sources: &SourceSet, compiled: &Compiled, diagnostic: &Diagnostic) -> Vec<Fix> {
    let mut all = fixes_of(sources, compiled, &[diagnostic]);
    all.pop().unwrap_or_default()
}

/// [`fixes`] of each mistake that a compilation found.
pub fn all_fixes(sources: &SourceSet, compiled: &Compiled) -> Vec<Vec<Fix>> {
    let all: Vec<&Diagnostic> = compiled.diagnostics.iter().collect();
    fixes_of(sources, compiled, &all)
}

/// What a diagnostic brings has been tried by who found it; what is found from its words is tried here.
fn fixes_of(sources: &SourceSet, compiled: &Compiled, mistakes: &[&Diagnostic]) -> Vec<Vec<Fix>> {
    let found: Vec<(usize, Fix)> = mistakes
        .iter()
        .enumerate()
        .flat_map(|(at, diagnostic)| {
            let finder = Finder {
                sources,
                compiled,
                diagnostic,
            };
            finder.found().into_iter().map(move |fix| (at, fix))
        })
        .collect();
    let suggested: Vec<Suggested> = found
        .iter()
        .map(|(at, fix)| Suggested {
            mistake: mistakes[*at],
            edits: spans(sources, fix),
        })
        .collect();
    let check = |changed: &SourceSet| compiled.again(changed).diagnostics;
    let failing = Trial::new(sources, &compiled.diagnostics, &check).failing(&suggested);
    let mut all: Vec<Vec<Fix>> = mistakes
        .iter()
        .map(|one| brought(sources, one).into_iter().collect())
        .collect();
    for (number, (at, fix)) in found.into_iter().enumerate() {
        if !failing.contains(&number) {
            all[at].push(fix);
        }
    }
    all
}

/// The edits of a fix where they are made.
fn spans<'f>(sources: &SourceSet, fix: &'f Fix) -> Vec<(Span, &'f str)> {
    let placed = fix.edits.iter().filter_map(|edit| {
        let file = sources.find(&edit.path)?;
        let span = Span::new(file, edit.range.start, edit.range.end);
        Some((span, edit.text.as_str()))
    });
    placed.collect()
}

/// The fix that the diagnostic itself has.
pub fn brought(sources: &SourceSet, diagnostic: &Diagnostic) -> Option<Fix> {
    let fix = diagnostic.fix.as_ref()?;
    Some(Fix {
        title: fix.title.clone(),
        edits: vec![Edit::at(sources, fix.span, fix.replacement.as_str())],
    })
}

struct Finder<'a> {
    sources: &'a SourceSet,
    compiled: &'a Compiled,
    diagnostic: &'a Diagnostic,
}

impl Finder<'_> {
    fn found(&self) -> Vec<Fix> {
        let one = |fix: Option<Fix>| fix.into_iter().collect();
        match self.diagnostic.code {
            "unused" => one(self.remove_unused()),
            "unused-column" => one(self.declare_column()),
            "uncovered" => self.add_cases(),
            "unreachable" => one(self.remove_line("remove the line that never happens")),
            "not-a-condition" => one(self.compare()),
            "out-of-range" => one(self.nearest_in_range()),
            "missing-column" => one(self.add_cell()),
            "missing-section" => one(self.add_section()),
            "unknown-rule-id" => one(self.remove_rule_id()),
            "unclosed-bracket" => one(self.close_bracket()),
            "unclosed-string" => one(self.close_text()),
            "duplicate-name" | "overlay-conflict" => one(self.replace_instead()),
            "maybe-none" => one(self.say_otherwise()),
            _ => Vec::new(),
        }
    }

    fn span(&self) -> Span {
        self.diagnostic.span
    }

    fn text(&self) -> &str {
        self.sources.text(self.span().file)
    }

    fn rules(&self) -> Option<&RuleSet> {
        self.compiled.understood()
    }

    fn edit(
        &self,
        title: impl Into<String>,
        range: std::ops::Range<usize>,
        text: impl Into<String>,
    ) -> Fix {
        Fix {
            title: title.into(),
            edits: vec![Edit {
                path: self.sources.file(self.span().file).path.clone(),
                range,
                text: text.into(),
            }],
        }
    }

    /// The words in backticks of the message.
    fn quoted(&self) -> Vec<&str> {
        let parts = self.diagnostic.message.split('`');
        parts.skip(1).step_by(2).collect()
    }

    // -------------------------------------------------------------------------------------------- unused

    /// The whole declaration with its documentation; of a column its line, or its word if it shares one.
    fn remove_unused(&self) -> Option<Fix> {
        let at = self.span().start as usize;
        let title = format!("remove `{}`", self.quoted().first()?);
        let line = line_around(self.text(), at);
        let chunk = chunks(self.text())
            .into_iter()
            .map(|chunk| chunk.range)
            .find(|chunk| chunk.contains(&at))?;
        if line.start != declaration_start(self.text(), &chunk) {
            let start = doc_start(self.text(), line.start);
            let head = self.text()[line.clone()]
                .split(':')
                .next()
                .unwrap_or_default();
            if head.contains(',') {
                return None;
            }
            return Some(self.edit(title, start..next_line(self.text(), line.end), ""));
        }
        let end = chunk.start + self.text()[chunk.clone()].trim_end().len();
        let start = doc_start(self.text(), line.start).max(chunk.start);
        Some(self.edit(title, start..next_line(self.text(), end), ""))
    }

    fn remove_line(&self, title: &str) -> Option<Fix> {
        let line = line_around(self.text(), self.span().start as usize);
        let whole = self.text()[line.clone()].trim_start();
        let own = self.text()[self.span().start as usize..].starts_with(whole);
        own.then(|| self.edit(title, line.start..next_line(self.text(), line.end), ""))
    }

    fn remove_rule_id(&self) -> Option<Fix> {
        let (start, end) = (self.span().start as usize, self.span().end as usize);
        let text = self.text();
        let id = &text[start..end];
        let before = text[..start].trim_end();
        let after = &text[end..];
        let range = if before.ends_with('[') && after.trim_start().starts_with(']') {
            let blank = before[..before.len() - 1].trim_end_matches(' ').len();
            blank..end + after.find(']')? + 1
        } else if after.trim_start().starts_with(',') {
            let comma = end + after.find(',')? + 1;
            start..comma + text[comma..].len() - text[comma..].trim_start_matches(' ').len()
        } else {
            before.len() - usize::from(before.ends_with(','))..end
        };
        Some(self.edit(format!("remove `{id}`"), range, ""))
    }

    // -------------------------------------------------------------------------------------------- tables

    /// A line in the table's declaration, with the type that fits all its rows.
    fn declare_column(&self) -> Option<Fix> {
        let [column, table] = self.quoted()[..] else {
            return None;
        };
        let assembly = self.compiled.assembly.as_ref()?;
        let entry = assembly
            .tables
            .iter()
            .find(|one| one.item.decl.name.text == table)?;
        let cells = entry.item.rows.iter().map(|row| {
            let mut cells = row.cells.iter();
            cells
                .find(|cell| cell.name.text == column)
                .map(|cell| &cell.value)
        });
        let ty = crate::assembly::type_of_values(cells);
        let file = entry.span.file;
        let end = self.sources.text(file)[..entry.span.end as usize]
            .trim_end()
            .len();
        let line = line_around(self.sources.text(file), end);
        Some(Fix {
            title: format!("declare `{column}: {ty}` in `table {table}`"),
            edits: vec![Edit::insert(
                self.sources.file(file).path.as_str(),
                line.end,
                format!("\n  {column}: {ty}"),
            )],
        })
    }

    /// The column with a first value of its type.
    fn add_cell(&self) -> Option<Fix> {
        let column = *self.quoted().last()?;
        let declared = self.diagnostic.labels.first()?.span;
        let rules = self.rules()?;
        let mut columns = rules.tables.iter().flat_map(|table| &table.columns);
        let ty = columns
            .find(|one| one.span == declared)
            .map(|one| one.ty.clone())?;
        let value = first_value(rules, &ty);
        let path = &self.sources.file(self.span().file).path;
        if !path.ends_with(".toml") {
            return None;
        }
        let row = self.sources.slice(self.span());
        let end = self.span().end as usize;
        let (at, text) = if let Some(open) = row.strip_suffix('}') {
            let inner = open.trim_end().len();
            (
                self.span().start as usize + inner,
                format!(", {column} = {value}"),
            )
        } else {
            let at = last_key_line(self.text(), self.span().start as usize, end);
            (at, format!("\n{column} = {value}"))
        };
        Some(self.edit(format!("add `{column} = {value}`"), at..at, text))
    }

    /// An empty row under the section that is missing.
    fn add_section(&self) -> Option<Fix> {
        let [file, section] = self.quoted()[..] else {
            return None;
        };
        let id = self.sources.find(file)?;
        let end = self.sources.text(id).trim_end().len();
        let gap = if end == 0 { "" } else { "\n\n" };
        let name = section.trim_matches(['[', ']']);
        let columns = self.rules().and_then(|rules| {
            let table = rules.tables.iter().find(|table| table.name == name)?;
            let columns = table
                .columns
                .iter()
                .filter(|one| one.name != "id" && !one.name.is_empty());
            let lines =
                columns.map(|one| format!("{} = {}\n", one.name, first_value(rules, &one.ty)));
            Some(lines.collect::<String>())
        });
        let columns = columns.unwrap_or_default();
        Some(Fix {
            title: format!("add `{section}` to `{file}`"),
            edits: vec![Edit {
                path: file.to_owned(),
                range: end..self.sources.text(id).len(),
                text: format!("{gap}{section}\nid = \"first\"\n{columns}"),
            }],
        })
    }

    // -------------------------------------------------------------------------------------------- code

    /// Lines for the cases of a `match` or the words of a grid that have none.
    fn add_cases(&self) -> Vec<Fix> {
        let words = self.quoted();
        let grid = self.diagnostic.message.contains(" has no line for ");
        if !grid && !self.diagnostic.message.starts_with("no line for ") {
            return if self.diagnostic.message.starts_with("not every case") {
                self.append_lines("add `else: skip`", &["else: skip".to_owned()])
                    .into_iter()
                    .collect()
            } else {
                Vec::new()
            };
        }
        let named = words.first().copied().unwrap_or_default();
        let words = if grid { &words[1..] } else { &words[..] };
        let rules = self.rules();
        let of_grid = rules.and_then(|rules| {
            let found = rules.grids.iter().find(|one| one.name == named)?;
            Some(first_value(rules, &found.ty))
        });
        let value = of_grid.unwrap_or_else(|| "none".to_owned());
        let lines: Vec<String> = words
            .iter()
            .map(|word| {
                if grid {
                    format!("{word} | {value}")
                } else {
                    format!("{word}: skip")
                }
            })
            .collect();
        let title = format!(
            "add {}",
            words
                .iter()
                .map(|w| format!("`{w}`"))
                .collect::<Vec<_>>()
                .join(", ")
        );
        self.append_lines(&title, &lines).into_iter().collect()
    }

    /// Lines at the end of the block that begins below the diagnostic's line.
    fn append_lines(&self, title: &str, lines: &[String]) -> Option<Fix> {
        let text = self.text();
        let first = line_around(text, self.span().start as usize);
        let indent = |line: &str| line.len() - line.trim_start().len();
        let base = indent(&text[first.clone()]);
        let mut end = first.end;
        let mut inner = base + 2;
        let mut at = next_line(text, first.end);
        while at < text.len() {
            let line = line_around(text, at);
            let words = &text[line.clone()];
            if !words.trim().is_empty() {
                if indent(words) <= base {
                    break;
                }
                inner = if end == first.end {
                    indent(words)
                } else {
                    inner
                };
                end = line.end;
            }
            at = next_line(text, line.end);
            if line.end >= text.len() {
                break;
            }
        }
        let blanks = " ".repeat(inner);
        let all: String = lines
            .iter()
            .map(|line| format!("\n{blanks}{line}"))
            .collect();
        Some(self.edit(title, end..end, all))
    }

    fn compare(&self) -> Option<Fix> {
        let end = self.span().end as usize;
        self.diagnostic
            .message
            .starts_with("a number")
            .then(|| self.edit("ask for more than 0", end..end, " > 0"))
    }

    /// `17 is not a number from 1 to 10`: the nearest number that is.
    fn nearest_in_range(&self) -> Option<Fix> {
        let (_, wanted) = self.diagnostic.message.split_once("a number ")?;
        let number = |before: &str| {
            let (_, rest) = wanted.split_once(before)?;
            rest.split([' ', ',']).next()?.parse::<i64>().ok()
        };
        let found: i64 = self.sources.slice(self.span()).parse().ok()?;
        let near = match (number("from "), number("to ")) {
            (Some(low), _) if found < low => low,
            (_, Some(high)) if found > high => high,
            _ => return None,
        };
        let range = self.span().start as usize..self.span().end as usize;
        Some(self.edit(format!("write {near}"), range, near.to_string()))
    }

    fn say_otherwise(&self) -> Option<Fix> {
        let ty = self
            .diagnostic
            .here
            .strip_prefix("is ")?
            .strip_suffix('?')?;
        let text = self.sources.slice(self.span());
        let range = self.span().start as usize..self.span().end as usize;
        let number = ty == "number" || ty.contains("..");
        (number || ty == "bool").then(|| {
            let value = if number { "0" } else { "false" };
            let title = format!("say `{text} otherwise {value}`");
            self.edit(title, range, format!("({text} otherwise {value})"))
        })
    }

    fn close_bracket(&self) -> Option<Fix> {
        let close = match self.sources.slice(self.span()) {
            "(" => ")",
            "[" => "]",
            "{" => "}",
            _ => return None,
        };
        let line = line_around(self.text(), self.span().start as usize);
        let code = self.text()[line.clone()]
            .split('#')
            .next()
            .unwrap_or_default();
        let colon = code.trim_end().ends_with(':');
        let at = line.start + code.trim_end().len() - usize::from(colon);
        Some(self.edit(format!("close it with `{close}`"), at..at, close))
    }

    fn close_text(&self) -> Option<Fix> {
        let line = line_around(self.text(), self.span().start as usize);
        let at = line.start + self.text()[line].trim_end().len();
        Some(self.edit("close the text", at..at, "\""))
    }

    /// A second declaration of a name in an overlay takes the first one's place.
    fn replace_instead(&self) -> Option<Fix> {
        let first = self.diagnostic.labels.first()?.span;
        if first.file == self.span().file {
            return None;
        }
        let line = line_around(self.text(), self.span().start as usize);
        let declares = !self.text()[line.clone()].starts_with([' ', '#']);
        let fits = declares && self.diagnostic.code == "duplicate-name";
        fits.then(|| self.edit("replace the other one", line.start..line.start, "replace "))
    }
}

/// Where the documentation above a line begins.
fn doc_start(text: &str, line_start: usize) -> usize {
    let mut start = line_start;
    while start > 0 {
        let above = line_around(text, start - 1);
        if !text[above.clone()].trim_start().starts_with("##") {
            break;
        }
        start = above.start;
    }
    start
}

fn next_line(text: &str, end: usize) -> usize {
    (end + 1).min(text.len())
}

/// The end of the last line of a row's own keys: before blank lines and the next header.
fn last_key_line(text: &str, start: usize, end: usize) -> usize {
    let mut last = line_around(text, start).end;
    let mut at = start;
    while at < text.len() {
        let line = line_around(text, at);
        let words = text[line.clone()].trim();
        if line.start > start && words.starts_with('[')
            || line.start >= end.max(start + 1) && words.is_empty()
        {
            break;
        }
        if words.contains('=') {
            last = line.end;
        }
        at = line.end + 1;
    }
    last
}

/// A value of a type as TOML writes it.
fn first_value(rules: &RuleSet, ty: &Ty) -> String {
    match ty.required() {
        Ty::Int { low, .. } => low.unwrap_or(0).to_string(),
        Ty::Bool => "false".to_owned(),
        Ty::Element(Domain::Enum(id)) => {
            let members = &rules.enums[id.index()].members;
            format!("\"{}\"", members.first().map_or("", String::as_str))
        }
        Ty::Element(Domain::Table(id)) => {
            let rows = &rules.tables[id.index()].rows;
            format!("\"{}\"", rows.first().map_or("", |row| row.name.as_str()))
        }
        ty if ty.is_container() => "[]".to_owned(),
        ty if show(rules, ty) == "side" => "\"n\"".to_owned(),
        _ => "\"\"".to_owned(),
    }
}
