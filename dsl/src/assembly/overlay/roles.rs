//! What a name at the head of an operation is, and how such a thing is changed: said when it was tried in another way.

use super::sites::{self, Shape};
use crate::assembly::RawRow;
use crate::assembly::draft::{Draft, Frame, article};
use crate::assembly::fields::quoted_list;
use crate::assembly::names::{Room, full};
use crate::diagnostic::Way;
use crate::source::Span;
use crate::syntax::ast::{AssignOp, GridCell, Name};

/// A new value for something, as its author wrote it.
pub(super) struct Said {
    /// The whole operation.
    span: Span,
    op: AssignOp,
    value: String,
}

impl Said {
    /// What `set` or `replace` says; its value begins at `start` and ends with the operation.
    pub fn new(draft: &Draft, op: AssignOp, start: Span, frame: &Frame) -> Said {
        let span = Span {
            start: start.start.min(frame.span.end),
            ..frame.span
        };
        let text = draft.sources.slice(span);
        Said {
            span: frame.span,
            op,
            value: text.lines().next().unwrap_or_default().trim().to_owned(),
        }
    }

    /// The new value of what is read as `old` here.
    fn value(&self, old: &str) -> String {
        let value = &self.value;
        match self.op {
            AssignOp::Set => value.replace("original", old),
            AssignOp::Add => format!("{old} + {value}"),
            AssignOp::Subtract => format!("{old} - {value}"),
        }
    }

    /// A line in the operation's place.
    fn way(&self, what: &str, line: String) -> Way {
        let line = line.trim_end().to_owned();
        Way::fix(format!("{what}: write `{line}`"), self.span, line)
    }
}

/// Where the value of a `set` begins.
pub(super) fn start_of(value: &GridCell, or: Span) -> Span {
    match value {
        GridCell::Expr(expr) => expr.span,
        GridCell::Statements(block) => block.statements.first().map_or(or, |one| one.span),
    }
}

/// A declaration of a name: `player.hand` for `hand`, whoever owns it.
struct Declared {
    full: String,
    kind: &'static str,
}

/// All that a name with or without its owner can mean, each with the line that gives it the new value.
pub(super) fn set_ways(draft: &Draft, parts: &[Name], said: &Said) -> Vec<Way> {
    let Some((name, owner)) = parts.split_last() else {
        return Vec::new();
    };
    let owner = owner.last().map(|owner| owner.text.as_str());
    let mut ways = Vec::new();
    for one in declared(draft, owner, &name.text) {
        let what = format!("`{}` is {} {}", one.full, article(one.kind), one.kind);
        ways.extend(declaration_line(draft, &one, said).map(|line| said.way(&what, line)));
    }
    for table in tables_with(draft, owner, &name.text) {
        let what = format!("`{}` is a column of `{table}`", name.text);
        let value = said.value(&format!("this.{}", name.text));
        ways.push(said.way(&what, format!("patch {table}: {} = {value}", name.text)));
    }
    if owner.is_none_or(|owner| owner == "score")
        && let Some(line) = draft
            .assembly
            .scores
            .iter()
            .find(|one| one.item.name.text == name.text)
    {
        let what = format!("`{}` is a line of the score", name.text);
        let end = if line.item.at_end { " at end" } else { "" };
        let value = said.value("original");
        ways.push(said.way(&what, format!("replace score.{}{end} = {value}", name.text)));
    }
    if ways.is_empty() && owner.is_some() {
        return set_ways(draft, std::slice::from_ref(name), said);
    }
    ways
}

/// `hand_size = 4` where that is declared already: what gives it the value.
pub(in crate::assembly) fn new_value_ways(
    draft: &Draft,
    name: &str,
    span: Span,
    frame: &Frame,
) -> Vec<Way> {
    let text = draft.sources.slice(frame.span);
    let Some(at) = text.find(" = ") else {
        return Vec::new();
    };
    let start = Span {
        start: frame.span.start + (at + " = ".len()) as u32,
        ..frame.span
    };
    let said = Said::new(draft, AssignOp::Set, start, frame);
    let parts: Vec<Name> = name
        .split('.')
        .map(|part| Name {
            text: part.to_owned(),
            span,
        })
        .collect();
    set_ways(draft, &parts, &said)
}

/// `set cell["a3"].mountain = true`: the cell of a row; where the row is not there, that is told when it is written so.
pub(super) fn row_ways(table: &str, key: &str, column: &str, said: &Said) -> [Way; 2] {
    let what = format!("`{column}` is a column of `{table}`");
    let value = said.value(&format!("this.{column}"));
    let way = said.way(&what, format!("patch {table}{key}: {column} = {value}"));
    let help = way.help.clone().unwrap_or_default();
    [way, Way::help(help)]
}

fn declaration_line(draft: &Draft, one: &Declared, said: &Said) -> Option<String> {
    let name = &one.full;
    let value = said.value("original");
    Some(match one.kind {
        "option" => {
            let sign = match said.op {
                AssignOp::Set => "=",
                AssignOp::Add => "+=",
                AssignOp::Subtract => "-=",
            };
            format!("set {name} {sign} {}", said.value)
        }
        "formula" => format!("replace {name} = {value}"),
        "cell" => {
            let cells = draft.assembly.cells.iter();
            let mut named =
                cells.filter(|entry| full(entry.item.owner.as_ref(), &entry.item.name) == *name);
            let entry = named.next()?;
            let text = draft.sources.slice(entry.span);
            let line = text.lines().find(|line| !line.starts_with('#'))?;
            let head = line.split(" = ").next().unwrap_or(line).trim_end();
            format!("replace {head} = {value}")
        }
        _ => return None,
    })
}

fn declared(draft: &Draft, owner: Option<&str>, name: &str) -> Vec<Declared> {
    let fits = |full: &str| match (owner, full.split_once('.')) {
        (None, None) => full == name,
        (None, Some((_, last))) => last == name,
        (Some(of), Some((first, last))) => first == of && last == name,
        (Some(_), None) => false,
    };
    let known = draft
        .names
        .iter()
        .filter(|((room, full), _)| *room == Room::Values && fits(full));
    known
        .map(|((_, full), declared)| Declared {
            full: full.clone(),
            kind: declared.kind,
        })
        .collect()
}

/// The tables that have a column of this name.
fn tables_with<'d>(draft: &'d Draft, owner: Option<&str>, column: &str) -> Vec<&'d str> {
    let tables = draft.assembly.tables.iter().map(|entry| &entry.item.decl);
    tables
        .filter(|decl| owner.is_none_or(|owner| owner == decl.name.text))
        .filter(|decl| decl.columns.iter().any(|one| one.name.text == column))
        .map(|decl| decl.name.text.as_str())
        .collect()
}

/// The table that has a row of this name in its first column.
fn table_with_row<'d>(draft: &'d Draft, name: &str) -> Option<&'d str> {
    let is_named = |row: &RawRow| {
        let first = row.cells.first().and_then(|cell| cell.value.as_word());
        first.is_some_and(|word| word == name)
    };
    let mut tables = draft.assembly.tables.iter();
    let table = tables.find(|entry| entry.item.rows.iter().any(is_named))?;
    Some(&table.item.decl.name.text)
}

/// What a name that is no step is, and what it can take instead of a hook or an addition.
pub(super) fn no_step(draft: &Draft, parts: &[Name]) -> Option<String> {
    let (name, owner) = parts.split_last()?;
    let owner = owner.last().map(|owner| owner.text.as_str());
    let text = &name.text;
    if let Some(one) = declared(draft, owner, text).first() {
        let what = format!("`{}` is {} {}", one.full, article(one.kind), one.kind);
        return Some(match one.kind {
            "cell" => format!(
                "{what}, no step: what happens when it changes is `when NAME on {}: …`",
                one.full
            ),
            "option" => format!("{what}, no step: write `set {} = …`", one.full),
            "table" => format!(
                "{what}, no step: write `rows {text}` for more rows, `patch {text}[…]: column = …` for other cells"
            ),
            "enum" => format!("{what}, no step: write `set {text} += …`"),
            kind => format!(
                "{what}, no step: write `replace {} …`",
                if kind == "formula" {
                    format!("{} =", one.full)
                } else {
                    format!("{kind} {text}")
                }
            ),
        });
    }
    if let Some(table) = tables_with(draft, owner, text).first() {
        return Some(format!(
            "`{text}` is a column of `{table}`, no step: write `patch {table}[…]: {text} = …`"
        ));
    }
    if let Some(table) = table_with_row(draft, text) {
        return Some(format!(
            "`{text}` is a row of `{table}`, no step: it is written `{table}[{text}]`"
        ));
    }
    let mut lines = draft.assembly.scores.iter();
    if lines.any(|one| one.item.name.text == *text) {
        return Some(format!(
            "`{text}` is a line of the score, no step: write `replace score.{text} = …` or `remove score.{text}`"
        ));
    }
    let laws = draft
        .names
        .iter()
        .find(|((room, law), _)| *room == Room::Laws && law == text);
    laws.map(|(_, declared)| {
        let kind = declared.kind;
        format!(
            "`{text}` is {} `{kind}`, no step: write `replace {kind} {text}: …`",
            article(kind)
        )
    })
}

/// The conditions that an action's own choices can take, each as a line to write.
pub(super) fn choices(draft: &mut Draft, parts: &[Name], frame: &Frame) -> Vec<String> {
    let Some(name) = parts.last() else {
        return Vec::new();
    };
    let all = sites::all(&mut draft.assembly);
    let inside = all.iter().filter(|site| {
        site.shape == Shape::Choice
            && draft.sees_site(frame.layer, site)
            && site
                .chain
                .iter()
                .rev()
                .skip(1)
                .any(|outer| *outer == name.text)
    });
    inside.map(sites::Site::path).collect()
}

/// The steps that an operation could have meant, for those who know none: a few of them.
pub(super) fn steps(found: &[String]) -> String {
    const SHOWN_MAX: usize = 6;
    let shown = quoted_list(found.iter().take(SHOWN_MAX).map(String::as_str));
    match found.len().saturating_sub(SHOWN_MAX) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
