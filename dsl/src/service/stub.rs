//! "Change this in my variant": the operation that changes a declaration, with what it says now to begin from.

use super::edit::Edit;
use super::place::symbol_at;
use crate::Compiled;
use crate::assembly::{Assembly, Entry};
use crate::check::{Symbol, show_value};
use crate::ir::{RuleSet, Value};
use crate::source::{FileId, SourceSet, Span};
use crate::syntax::ast;

/// Writes the operation that changes what stands at a byte of a file at the end of an overlay's file; the text says what it
/// changes until its author writes something else: a number stays, a body runs as it did.
///
/// # Errors
/// Why there is none: nothing is declared there, it cannot be changed from outside, or the overlay has no such file.
pub fn overlay_stub(
    sources: &SourceSet,
    compiled: &Compiled,
    file: FileId,
    offset: usize,
    overlay: &str,
) -> Result<Edit, String> {
    let target = sources
        .find(overlay)
        .ok_or_else(|| format!("there is no file `{overlay}`"))?;
    if target == file {
        return Err("it stands in this overlay already: change it here".to_owned());
    }
    let (span, symbol) =
        symbol_at(sources, compiled, file, offset).ok_or("nothing is declared here")?;
    let (Some(rules), Some(assembly)) = (compiled.understood(), &compiled.assembly) else {
        return Err("the game cannot be read".to_owned());
    };
    let writer = Writer {
        sources,
        rules,
        assembly,
    };
    let stub = writer
        .stub(symbol, sources.slice(span))
        .ok_or_else(|| format!("`{}` cannot be changed from outside", sources.slice(span)))?;
    let text = sources.text(target);
    let head = |line: &str| {
        let head = line.split(['=', ':', '(']).next().unwrap_or_default();
        head.trim_end().to_owned()
    };
    let own = stub.lines().find(|line| !line.starts_with('#')).map(head);
    if let Some(own) = own.filter(|own| text.lines().any(|line| head(line) == *own)) {
        return Err(format!(
            "`{overlay}` has a line `{own} …` already: change it there"
        ));
    }
    let end = text.trim_end().len();
    let gap = if end == 0 { "" } else { "\n\n" };
    Ok(Edit {
        path: overlay.to_owned(),
        range: end..text.len(),
        text: format!("{gap}{}\n", stub.trim_end()),
    })
}

struct Writer<'a> {
    sources: &'a SourceSet,
    rules: &'a RuleSet,
    assembly: &'a Assembly,
}

impl Writer<'_> {
    fn stub(&self, symbol: Symbol, word: &str) -> Option<String> {
        let asm = self.assembly;
        match symbol {
            Symbol::Option(id) => {
                let option = self.rules.options.get(id.index())?;
                let value = show_value(self.rules, &option.value);
                Some(format!(
                    "# {} is {value}\nset {} = {value}",
                    option.name, option.name
                ))
            }
            Symbol::Row(id, row) => self.patch(id.index(), row as usize),
            Symbol::Member(id, _) => {
                let name = &self.rules.enums.get(id.index())?.name;
                (!name.is_empty()).then(|| format!("set enum {name} += another"))
            }
            Symbol::Enum(id) => {
                let declared = self.rules.enums.get(id.index())?;
                let members = declared.members.join(", ");
                Some(format!(
                    "# {} = {members}\nset enum {} += another",
                    declared.name, declared.name
                ))
            }
            Symbol::Label(_) => Some(format!("instead of {word}\n  original")),
            Symbol::Action(id) => {
                let entry = asm.actions.get(id.index())?;
                Some(self.replace(entry))
            }
            Symbol::Score(id) => {
                let entry = asm.scores.get(id.index())?;
                let value = self.sources.slice(entry.item.value.span);
                let end = if entry.item.at_end { " at end" } else { "" };
                Some(format!("replace score.{word}{end} = {value}"))
            }
            Symbol::Table(id) => self.replaced(
                &asm.tables,
                self.rules.tables.get(id.index())?.span,
                |one| one.decl.name.span,
            ),
            Symbol::Grid(id) => {
                self.replaced(&asm.grids, self.rules.grids.get(id.index())?.span, |one| {
                    one.decl.name.span
                })
            }
            Symbol::Cell(id) => {
                self.replaced(&asm.cells, self.rules.cells.get(id.index())?.span, |one| {
                    one.name.span
                })
            }
            Symbol::Formula(id) => self.replaced(
                &asm.formulas,
                self.rules.formulas.get(id.index())?.span,
                |one| one.name.span,
            ),
            Symbol::Network(id) => self.replaced(
                &asm.networks,
                self.rules.networks.get(id.index())?.span,
                |one| one.name.span,
            ),
            Symbol::Rule(id) => asm.rules.get(id.index()).map(|entry| self.replace(entry)),
            Symbol::When(id) => asm.whens.get(id.index()).map(|entry| self.replace(entry)),
            Symbol::Local(span) => self.condition(span, word),
            Symbol::Tiling | Symbol::Column(..) => None,
        }
    }

    fn replaced<T>(
        &self,
        entries: &[Entry<T>],
        at: Span,
        name: impl Fn(&T) -> Span,
    ) -> Option<String> {
        let entry = entries.iter().find(|entry| name(&entry.item) == at)?;
        Some(self.replace(entry))
    }

    /// The declaration as it was written, under `replace`.
    fn replace<T>(&self, entry: &Entry<T>) -> String {
        let text = self.sources.slice(entry.span).trim_end();
        let text = text.strip_prefix("replace ").unwrap_or(text);
        let doc: String = entry
            .doc
            .lines()
            .map(|line| format!("## {line}\n"))
            .collect();
        format!("{doc}replace {text}")
    }

    /// The cells of a row as they are.
    fn patch(&self, table: usize, row: usize) -> Option<String> {
        let table = self.rules.tables.get(table)?;
        let row = table.rows.get(row)?;
        let keys = table
            .key
            .iter()
            .filter_map(|key| row.values.get(key.index()));
        let keys: Vec<String> = keys.map(|value| self.written(value)).collect();
        let others = table.columns.iter().zip(&row.values).enumerate();
        let cells = others.filter(|(at, (column, value))| {
            let key = table.key.iter().any(|key| key.index() == *at);
            let plain = !matches!(value, Value::Effect(_) | Value::Formula(_) | Value::None);
            !key && plain
                && table.copies.is_none_or(|of| of.index() != *at)
                && !column.name.is_empty()
        });
        let lines: String = cells
            .map(|(_, (column, value))| format!("\n  {} = {}", column.name, self.written(value)))
            .collect();
        (!lines.is_empty()).then(|| format!("patch {}[{}]{lines}", table.name, keys.join(", ")))
    }

    /// A value as the rules write it: words that are no names stand in quotes.
    fn written(&self, value: &Value) -> String {
        match value {
            Value::Element(..) => {
                let name = show_value(self.rules, value);
                let word = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
                if word { name } else { format!("\"{name}\"") }
            }
            Value::List(all) => {
                let all: Vec<String> = all.iter().map(|one| self.written(one)).collect();
                format!("[{}]", all.join(", "))
            }
            Value::Set(all) => {
                let all: Vec<String> = all.iter().map(|one| self.written(one)).collect();
                format!("{{{}}}", all.join(", "))
            }
            _ => show_value(self.rules, value),
        }
    }

    /// One more condition on what a player chooses.
    fn condition(&self, span: Span, word: &str) -> Option<String> {
        let action = self.assembly.actions.iter().find(|entry| {
            entry.item.params.iter().any(|param| match param {
                ast::Param::Asked(choice) => choice
                    .binder
                    .name
                    .as_ref()
                    .is_some_and(|name| name.span == span),
                ast::Param::Given { .. } => false,
            })
        })?;
        let name = &action.item.name.text;
        Some(format!("add to {name}.{word} where true else \"why not\""))
    }
}
