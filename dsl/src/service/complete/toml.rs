//! What could be written at a cursor of a component list: names of columns, of sections, and values of a column.

use std::ops::Range;

use super::{Completion, CompletionKind};
use crate::Compiled;
use crate::check::show;
use crate::ir::{Domain, RuleSet, Table, Ty};
use crate::syntax::ast::TableDecl;

/// Rows of a table are offered up to this many; more are found by typing a part of the name.
const OFFERED_MAX: usize = 200;

/// The part of the text that has been typed, and what fits there, unranked.
pub(super) type Fitting = (Range<usize>, Vec<(u8, Completion)>);

/// What fits before the cursor.
pub(super) fn complete(compiled: &Compiled, text: &str, offset: usize) -> Option<Fitting> {
    let (assembly, _, rules) = compiled.context()?;
    let line_start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let line = &text[line_start..offset];
    let tables = || assembly.tables.iter().map(|entry| &entry.item.decl);
    if let Some(typed) = line.trim_start().strip_prefix("[[") {
        let names = tables().flat_map(sections);
        let items = names.map(|name| item(CompletionKind::Table, name, "a section of rows", name));
        return Some((offset - typed.len()..offset, items.collect()));
    }
    let section = section_above(&text[..line_start])?;
    let mut owners = tables().zip(&rules.tables);
    let (_, table) = owners.find(|(decl, _)| sections(decl).contains(&section))?;
    let typed = line.trim_start();
    match typed.split_once('=') {
        None => {
            let has = |name: &str| written(text, line_start).any(|known| known == name);
            let columns = table.columns.iter().zip(0..);
            let columns = columns.filter(|(column, at)| {
                let above = table
                    .parent
                    .is_some_and(|(_, parent)| parent.index() == *at);
                !above && !has(&column.name)
            });
            let items = columns.map(|(column, _)| {
                let insert = format!("{} = ", column.name);
                let ty = show(rules, &column.ty);
                item(CompletionKind::Member, &column.name, &ty, &insert)
            });
            Some((offset - typed.len()..offset, items.collect()))
        }
        Some((name, value)) => values(rules, table, name.trim(), value, &text[offset..], offset),
    }
}

pub(super) fn item(
    kind: CompletionKind,
    label: &str,
    detail: &str,
    insert: &str,
) -> (u8, Completion) {
    let completion = Completion {
        label: label.to_owned(),
        kind,
        detail: detail.to_owned(),
        insert: insert.to_owned(),
        range: 0..0,
    };
    (0, completion)
}

/// Under which names its rows stand in a file.
fn sections(decl: &TableDecl) -> Vec<&str> {
    let named = decl
        .sources
        .iter()
        .filter_map(|source| source.section.as_ref());
    let named = named.chain(&decl.section).map(|name| name.text.as_str());
    std::iter::once(decl.name.text.as_str())
        .chain(named)
        .collect()
}

/// The last word of the heading that the line stands under: `[[place.bonus]]`.
fn section_above(before: &str) -> Option<&str> {
    let mut headings = before.lines().rev().filter_map(|line| {
        let inside = line.trim().strip_prefix("[[")?;
        Some(inside.split_once("]]")?.0)
    });
    headings.next()?.rsplit('.').next().map(str::trim)
}

/// Names that the lines of the row around a line give values.
pub(super) fn written(text: &str, line_start: usize) -> impl Iterator<Item = &str> {
    let is_heading = |line: &&str| line.trim_start().starts_with('[');
    let above = text[..line_start].lines().rev();
    let above = above.take_while(move |line| !is_heading(line));
    let below = text[line_start..].lines().skip(1);
    let below = below.take_while(move |line| !is_heading(line));
    let lines = above.chain(below);
    lines.filter_map(|line| Some(line.split_once('=')?.0.trim()))
}

/// A value that has been begun.
pub(super) struct Typed {
    /// What a value takes the place of.
    pub range: Range<usize>,
    pub is_quoted: bool,
    is_closed: bool,
}

impl Typed {
    /// `value`: what stands between the equals sign and the cursor.
    pub fn of(value: &str, after: &str, offset: usize) -> Typed {
        let is_quoted = value.matches('"').count() % 2 == 1;
        let begin = match is_quoted {
            true => value.rfind('"').map_or(0, |at| at + 1),
            false => value.rfind(['[', ',', ' ']).map_or(0, |at| at + 1),
        };
        // Of a text that is closed already all takes the place of all.
        let rest = after.lines().next().unwrap_or_default();
        let closed = rest.find('"').filter(|_| is_quoted);
        Typed {
            range: offset - (value.len() - begin)..offset + closed.unwrap_or(0),
            is_quoted,
            is_closed: closed.is_some(),
        }
    }

    /// A text as it is inserted.
    pub fn quoted(&self, text: &str) -> String {
        match (self.is_quoted, self.is_closed) {
            (true, true) => text.to_owned(),
            (true, false) => format!("{text}\""),
            (false, _) => format!("\"{text}\""),
        }
    }
}

/// Values of the column's type, in quotes where TOML wants them.
fn values(
    rules: &RuleSet,
    table: &Table,
    name: &str,
    value: &str,
    after: &str,
    offset: usize,
) -> Option<Fitting> {
    let column = table.columns.iter().find(|column| column.name == name)?;
    let typed = Typed::of(value, after, offset);
    let range = typed.range.clone();
    let ty = column.ty.required();
    let detail = show(rules, &column.ty);
    if *ty == Ty::Bool {
        let words = ["true", "false"];
        let items = words.map(|word| item(CompletionKind::Keyword, word, &detail, word));
        return Some((range, items.into()));
    }
    let element = ty.element();
    let Ty::Element(domain) = element.as_ref().unwrap_or(ty) else {
        return None;
    };
    let items = names(rules, *domain).into_iter().map(|name| {
        item(
            CompletionKind::Element,
            &name,
            &detail,
            &typed.quoted(&name),
        )
    });
    Some((range, items.collect()))
}

/// Members of an enum, rows of a table.
pub(super) fn names(rules: &RuleSet, domain: Domain) -> Vec<String> {
    match domain {
        Domain::Enum(id) => rules.enums[id.index()].members.clone(),
        Domain::Table(id) | Domain::Part(id) => {
            let rows = rules.tables[id.index()].rows.iter();
            rows.map(|row| row.name.clone()).take(OFFERED_MAX).collect()
        }
        _ => Vec::new(),
    }
}
