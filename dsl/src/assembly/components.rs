//! Rows of tables: from component files, from lines in the rules, from rows of other tables.

use super::columns;
use super::draft::Draft;
use super::fields::{Fields, Text, there_are};
use super::manifest::{join, near_file};
use super::products;
use super::tree::{self, Node, Value};
use super::words::words;
use super::{Act, Brings, Deed, Entry, RawCell, RawRow, RawValue, TableEntry, Touch, overlay};
use crate::board::keys;
use crate::diagnostic::{Diagnostic, suggest::nearest};
use crate::ir::LayerId;
use crate::source::{FileId, SourceSet, Span};
use crate::syntax::ast::{GridCell, Name, RowsDecl, TableDecl, TableSource};
use std::collections::BTreeMap;

/// All component files that tables name, and `board.toml`s, read once.
type Files<'s> = BTreeMap<FileId, &'s Node>;

/// Gives every table its rows, base first, then layer by layer.
pub(super) fn fill(draft: &mut Draft, sources: &SourceSet) {
    let files = read_files(draft, sources);
    columns::drawn(draft, sources, &files);
    columns::said(draft);
    let rows = sort_rows(draft);
    let mut tables: Vec<Vec<Rows>> = Vec::new();
    let order = parents_first(draft);
    tables.resize_with(draft.assembly.tables.len(), Vec::new);
    for at in order {
        let mut found = Vec::new();
        let entry = &draft.assembly.tables[at];
        let mut reader = Reader {
            sources,
            files: &files,
            folders: &draft.folders,
            table: &entry.item.decl.name,
            found: &mut found,
            out: &mut draft.out,
        };
        let origin = origin(entry);
        for source in &origin.item.decl.sources {
            reader.section(source, origin.layer);
        }
        if let Some(parent) = parent_of(&draft.assembly.tables, at) {
            reader.nested(&tables[parent], section_of(&entry.item));
        }
        let name = &entry.item.decl.name.text;
        for (decl, layer, _) in rows.iter().filter(|(decl, ..)| decl.table.text == *name) {
            for source in &decl.sources {
                reader.section(source, *layer);
            }
            if decl.each.is_empty() {
                reader.lines(decl, *layer);
                continue;
            }
            let named = products::Named {
                enums: &draft.assembly.enums,
                tables: &draft.assembly.tables,
                rows: &tables,
            };
            match products::written_out(decl, &named) {
                Ok(decl) => reader.lines(&decl, *layer),
                Err(found) => reader.out.push(*found),
            }
        }
        if let Some(parent) = parent_of(&draft.assembly.tables, at) {
            let above = (&draft.assembly.tables[parent].item, &tables[parent][..]);
            lie_in(&mut found, &entry.item.decl, above, &mut draft.out);
        }
        tables[at] = found;
    }
    // A table that does not find its rows is told first.
    if !draft.out.iter().any(Diagnostic::is_error) {
        unread_sections(draft, sources, &files, &rows);
    }
    for (at, found) in tables.into_iter().enumerate() {
        let nested = nested_sections(draft, at);
        let rows = found.into_iter().map(|row| row.raw(&nested)).collect();
        draft.assembly.tables[at].item.rows = rows;
        columns::check(draft, at);
    }
}

/// Sections of component files that no table reads. An overlay that is not chosen may read them, and so may the drawing.
fn unread_sections(
    draft: &mut Draft,
    sources: &SourceSet,
    files: &Files,
    rows: &[(RowsDecl, LayerId, Span)],
) {
    let mut read: Vec<(String, &str)> = Vec::new();
    let all = draft.assembly.tables.iter().flat_map(|entry| {
        let older = entry.replaced.iter().map(|old| (&old.item.decl, old.layer));
        std::iter::once((&entry.item.decl, entry.layer)).chain(older)
    });
    let declared = all.map(|(decl, layer)| (&decl.name, &decl.sources, layer));
    let added = rows
        .iter()
        .map(|(decl, layer, _)| (&decl.table, &decl.sources, *layer));
    for (table, of, layer) in declared.chain(added) {
        let folder = &draft.folders[layer.0 as usize];
        read.extend(of.iter().map(|source| {
            let section = source.section.as_ref().unwrap_or(table);
            (join(folder, &source.path.text), section.text.as_str())
        }));
    }
    let elsewhere = texts_of_overlays(draft, sources);
    let mut found = Vec::new();
    for (id, root) in files {
        let path = &sources.file(*id).path;
        let wanted: Vec<&str> = read
            .iter()
            .filter(|(of, _)| of == path)
            .map(|(_, section)| *section)
            .collect();
        for (key, _) in root.entries() {
            let word = key.text.as_str();
            let known = wanted.is_empty()
                || wanted.contains(&word)
                || draft.assembly.drawn.contains(word)
                || elsewhere.iter().any(|text| words(text).contains(word));
            if !known {
                found.push(unread_section(key, &wanted));
            }
        }
    }
    draft.out.extend(found);
}

fn unread_section(key: &Name, wanted: &[&str]) -> Diagnostic {
    let word = &key.text;
    let message = format!("`[[{word}]]` is read by nothing");
    let found = Diagnostic::warning("unread-section", key.span, message);
    match nearest(word, wanted.iter().copied()) {
        Some(near) => found.help(format!("did you mean `[[{near}]]`?")).fix(
            format!("write `{near}`"),
            key.span,
            near,
        ),
        None => found.help(format!(
            "declare a table for it: `table {word} in \"FILE\"`, or take it away"
        )),
    }
}

/// The rules of all overlays of the game, chosen or not.
fn texts_of_overlays<'s>(draft: &Draft, sources: &'s SourceSet) -> Vec<&'s str> {
    let overlays = draft.assembly.manifest.overlays.iter();
    let files = overlays.flat_map(|overlay| &overlay.files);
    let found = files.filter_map(|path| sources.find(path));
    found.map(|file| sources.text(file)).collect()
}

/// The declaration that says where rows come from: one that replaces another without saying so keeps its rows.
fn origin(entry: &Entry<TableEntry>) -> &Entry<TableEntry> {
    let mut chain = std::iter::once(entry).chain(&entry.replaced);
    chain
        .find(|entry| !entry.item.decl.sources.is_empty())
        .unwrap_or(entry)
}

/// `rows T …` of tables, in layer order; those of grids go to their grids, those of nothing are reported.
fn sort_rows(draft: &mut Draft) -> Vec<(RowsDecl, LayerId, Span)> {
    let mut of_tables = Vec::new();
    for (rows, layer, span) in std::mem::take(&mut draft.rows) {
        let name = rows.table.text.as_str();
        let to = &mut draft.assembly;
        let touch = Touch { layer, span };
        let deed = Deed {
            act: Act::Add,
            target: name.to_string(),
            layer,
            span,
            old: None,
            whole: None,
            brings: Brings::Whole,
        };
        if let Some(table) = to.tables.iter_mut().find(|e| e.item.decl.name.text == name) {
            if layer > table.layer {
                table.touched.push(touch);
                to.deeds.push(deed);
            }
            of_tables.push((rows, layer, span));
        } else if let Some(grid) = to.grids.iter_mut().find(|e| e.item.decl.name.text == name) {
            if layer > grid.layer {
                grid.touched.push(touch);
                to.deeds.push(deed);
            }
            grid.item.rows.push((rows, layer));
        } else {
            let found = overlay::no_table(draft, &rows.table);
            draft.out.push(found);
        }
    }
    of_tables.sort_by_key(|(_, layer, _)| *layer);
    of_tables
}

/// A row with the tree it came from, for the tables nested in it.
pub(super) struct Rows<'a> {
    pub row: RawRow,
    node: Option<&'a Node>,
}

impl Rows<'_> {
    /// Without the keys under which nested tables stand.
    fn raw(mut self, nested: &[String]) -> RawRow {
        self.row
            .cells
            .retain(|cell| !nested.contains(&cell.name.text));
        self.row
    }
}

fn read_files<'s>(draft: &mut Draft, sources: &'s SourceSet) -> Files<'s> {
    let mut wanted = Vec::new();
    for entry in draft.assembly.tables.iter().map(origin) {
        wanted.extend(entry.item.decl.sources.iter().map(|s| (s, entry.layer)));
    }
    for (decl, layer, _) in &draft.rows {
        wanted.extend(decl.sources.iter().map(|source| (source, *layer)));
    }
    let paths = wanted
        .into_iter()
        .map(|(source, layer)| join(&draft.folders[layer.0 as usize], &source.path.text));
    let boards = draft
        .folders
        .iter()
        .map(|folder| format!("{folder}/board.toml"));
    let ids: Vec<FileId> = paths
        .chain(boards)
        .filter_map(|path| sources.find(&path))
        .collect();
    let mut files = Files::new();
    for id in ids {
        files
            .entry(id)
            .or_insert_with(|| read_file(sources, id, &mut draft.out));
    }
    files
}

/// In a `board.toml` a misspelt `[[pannel]]` makes TOML take the next `[[panel]]` for a second key: the misspelling is told.
fn read_file<'s>(sources: &'s SourceSet, id: FileId, out: &mut Vec<Diagnostic>) -> &'s Node {
    let mut mistakes = Vec::new();
    let root = tree::read(sources, id, &mut mistakes);
    if !mistakes.is_empty() && sources.file(id).path.ends_with("/board.toml") {
        let mut misspelt = Vec::new();
        Fields::new(root, "board.toml", &keys::ROOT, &mut misspelt);
        misspelt.retain(|mistake| mistake.fix.is_some());
        if !misspelt.is_empty() {
            mistakes.retain(|mistake| !tree::is_second_key(mistake));
        }
        out.append(&mut misspelt);
    }
    out.append(&mut mistakes);
    root
}

fn parent_of(tables: &[Entry<TableEntry>], at: usize) -> Option<usize> {
    let parent = tables[at].item.decl.parent.as_ref()?;
    tables
        .iter()
        .position(|entry| entry.item.decl.name.text == parent.text)
}

/// Lines of a nested table say in the column of its parent which of the parent's rows they lie in.
fn lie_in(
    found: &mut [Rows],
    decl: &TableDecl,
    (parent, above): (&TableEntry, &[Rows]),
    out: &mut Vec<Diagnostic>,
) {
    let (table, of) = (&decl.name.text, &parent.decl.name.text);
    let key = parent.decl.key.first().map_or("id", |key| &key.text);
    let named = |row: &RawRow, column: &str| {
        let cell = row.cells.iter().find(|cell| cell.name.text == *column)?;
        Some((cell.value.as_word()?, cell.span))
    };
    let names: Vec<Option<String>> = above
        .iter()
        .map(|row| Some(named(&row.row, key)?.0))
        .collect();
    for Rows { row, .. } in found.iter_mut().filter(|rows| rows.row.parent.is_none()) {
        let wanted = named(row, of);
        let at = wanted
            .as_ref()
            .and_then(|(word, _)| names.iter().position(|name| name.as_ref() == Some(word)));
        row.parent = at;
        if at.is_some() {
            continue;
        }
        let there = names.iter().flatten().map(String::as_str);
        out.push(match wanted {
            Some((word, span)) => {
                let message = format!("`{of}` has no row `{word}` for this row of `{table}` to lie in");
                let diagnostic = Diagnostic::error("unknown-row", span, message);
                match nearest(&word, there.clone()) {
                    Some(near) => diagnostic.meant(span, near),
                    None => diagnostic.help(there_are(&there.take(6).collect::<Vec<_>>())),
                }
            }
            None => {
                let message = format!("which row of `{of}` does this row of `{table}` lie in?");
                Diagnostic::error("missing-value", row.span, message).help(format!(
                    "rows of a nested table say so in a column `{of}`; or write them in TOML, below their row: `[[{of}.{}]]`",
                    decl.section.as_ref().map_or(table, |name| &name.text)
                ))
            }
        });
    }
}

/// Indices of the tables, each after the one whose rows hold its rows. Unknown and circular parents are left to the checker.
fn parents_first(draft: &Draft) -> Vec<usize> {
    let tables = &draft.assembly.tables;
    let depth = |start: usize| {
        let mut depth = 0;
        let mut at = start;
        while let Some(parent) = parent_of(tables, at) {
            depth += 1;
            if depth > tables.len() {
                break;
            }
            at = parent;
        }
        depth
    };
    let mut order: Vec<usize> = (0..tables.len()).collect();
    order.sort_by_key(|&at| depth(at));
    order
}

/// The key under which a nested table's rows stand in its parent's rows.
fn section_of(entry: &TableEntry) -> &str {
    let decl = &entry.decl;
    decl.section
        .as_ref()
        .map_or(&decl.name.text, |name| &name.text)
}

/// Keys of the rows of table `at` that hold rows of other tables.
pub(super) fn nested_sections(draft: &Draft, at: usize) -> Vec<String> {
    let name = &draft.assembly.tables[at].item.decl.name.text;
    let tables = draft.assembly.tables.iter().map(|entry| &entry.item);
    tables
        .filter(|entry| entry.decl.parent.as_ref().is_some_and(|p| p.text == *name))
        .map(|entry| section_of(entry).to_string())
        .collect()
}

/// Collects the rows of one table.
struct Reader<'a, 'f> {
    sources: &'a SourceSet,
    files: &'f Files<'f>,
    folders: &'a [String],
    table: &'a Name,
    found: &'a mut Vec<Rows<'f>>,
    out: &'a mut Vec<Diagnostic>,
}

/// Where rows come from: the name they stand under, the layer, and the place that says so.
#[derive(Clone, Copy)]
struct From<'s> {
    section: &'s str,
    layer: LayerId,
    source: Span,
}

impl<'f> Reader<'_, 'f> {
    /// `[[section]]`s of a file.
    fn section(&mut self, source: &TableSource, layer: LayerId) {
        let folder = &self.folders[layer.0 as usize];
        let path = join(folder, &source.path.text);
        let Some(file) = self.sources.find(&path) else {
            let wanted = Text {
                text: source.path.text.clone(),
                span: source.path.span,
            };
            let message = format!("there is no file `{path}`");
            let found = near_file(self.sources, folder, &wanted, message);
            self.out.push(found);
            return;
        };
        let section = source.section.as_ref().unwrap_or(self.table);
        let Some(root) = self.files.get(&file) else {
            return;
        };
        match root.get(&section.text) {
            Some(node) => {
                let from = From {
                    section: &section.text,
                    layer,
                    source: source.path.span,
                };
                self.list(node, from, None);
            }
            None => {
                let found = self.no_section(root, section, &path);
                self.out.push(found);
            }
        }
    }

    fn no_section(&self, root: &Node, section: &Name, path: &str) -> Diagnostic {
        let wanted = &section.text;
        let message = format!("`{path}` has no `[[{wanted}]]`");
        let diagnostic = Diagnostic::error("missing-section", section.span, message);
        let there = root.entries().iter().map(|(key, _)| key.text.as_str());
        match nearest(wanted, there) {
            Some(near) => diagnostic.help(format!(
                "did you mean `[[{near}]]`? then write `from {near} in …`"
            )),
            None => diagnostic.help(format!("add `[[{wanted}]]` and its columns to the file")),
        }
    }

    /// Rows that stand inside the rows of another table.
    fn nested(&mut self, parents: &[Rows<'f>], section: &str) {
        for (at, parent) in parents.iter().enumerate() {
            if let Some(node) = parent.node.and_then(|node| node.get(section)) {
                let from = From {
                    section,
                    layer: parent.row.layer,
                    source: parent.row.source,
                };
                self.list(node, from, Some(at));
            }
        }
    }

    fn list(&mut self, node: &'f Node, from: From<'_>, parent: Option<usize>) {
        let section = from.section;
        let rows = match &node.value {
            Value::List(rows) => rows,
            Value::Broken => return,
            _ => {
                let message = format!("`{section}` is {}, not a list of rows", node.describe());
                self.out.push(
                    Diagnostic::error("not-rows", node.span, message)
                        .help(format!("write `[[{section}]]` above each row")),
                );
                return;
            }
        };
        for row in rows {
            self.row(row, from, parent);
        }
    }

    fn row(&mut self, node: &'f Node, from: From<'_>, parent: Option<usize>) {
        if node.is_broken() {
            return;
        }
        if !matches!(node.value, Value::Table(_)) {
            let message = format!("a row of `{}` is {}", from.section, node.describe());
            self.out.push(
                Diagnostic::error("not-rows", node.span, message)
                    .help("a row has keys and values: `{ id = \"…\", … }`"),
            );
            return;
        }
        let cells = node.entries().iter().map(|(name, value)| RawCell {
            name: name.clone(),
            value: raw(value),
            span: value.span,
        });
        self.found.push(Rows {
            row: RawRow {
                layer: from.layer,
                span: node.span,
                cells: cells.collect(),
                parent,
                source: from.source,
                section: from.section.to_owned(),
            },
            node: Some(node),
        });
    }

    /// Lines with `|` in a rules file.
    fn lines(&mut self, decl: &RowsDecl, layer: LayerId) {
        for line in &decl.lines {
            let cells: Vec<RawCell> = decl
                .head
                .iter()
                .zip(line)
                .filter_map(|(name, cell)| Some(inline(name, cell.as_ref()?)))
                .collect();
            let span = match (cells.first(), cells.last()) {
                (Some(first), Some(last)) => first.span.to(last.span),
                _ => decl.table.span,
            };
            self.found.push(Rows {
                row: RawRow {
                    layer,
                    span,
                    cells,
                    parent: None,
                    source: decl.table.span,
                    section: decl.table.text.clone(),
                },
                node: None,
            });
        }
    }
}

fn inline(name: &Name, cell: &GridCell) -> RawCell {
    RawCell {
        name: name.clone(),
        value: RawValue::Cell(Box::new(cell.clone())),
        span: cell_span(cell).unwrap_or(name.span),
    }
}

/// The place of a cell of a grid or an inline row.
pub(super) fn cell_span(cell: &GridCell) -> Option<Span> {
    match cell {
        GridCell::Expr(expr) => Some(expr.span),
        GridCell::Statements(block) => {
            let first = block.statements.first()?;
            let last = block.statements.last()?;
            Some(first.span.to(last.span))
        }
    }
}

fn raw(node: &Node) -> RawValue {
    match &node.value {
        Value::Text { text, span, plain } => RawValue::Text {
            text: text.clone(),
            span: *span,
            plain: *plain,
        },
        Value::Int(number) => RawValue::Int(*number),
        Value::Bool(value) => RawValue::Bool(*value),
        Value::List(values) => RawValue::List(
            values
                .iter()
                .map(|value| (raw(value), value.span))
                .collect(),
        ),
        Value::Table(_) => RawValue::Other("a table"),
        Value::Other(what) => RawValue::Other(what),
        Value::Broken => RawValue::Broken,
    }
}
