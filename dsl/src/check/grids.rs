//! Grids: tables inside the rules, with one or two indices.

use std::collections::BTreeMap;

use super::Checker;
use super::body::{Body, Mode};
use super::graph::{Node, Touched};
use super::keys::expr_text;
use super::symbols::Symbol;
use super::tables::{At, is_code};
use super::types::{TypePlace, join};
use crate::assembly::{Entry, GridEntry, SetEntry};
use crate::diagnostic::Diagnostic;
use crate::ir::{Domain, Grid, GridId, Ground, Ty, Value};
use crate::source::Span;
use crate::syntax::ast;

/// A grid's cells by place, as written.
struct Sheet<'a> {
    /// Line, column word, cell.
    cells: Vec<(Line, ast::Name, &'a ast::GridCell)>,
}

/// What a cell's line is of.
enum Line {
    Word(ast::Name),
    /// Drawn at this position.
    Drawn(u32, Span),
}

impl Line {
    fn span(&self) -> Span {
        match self {
            Line::Word(name) => name.span,
            Line::Drawn(_, span) => *span,
        }
    }
}

impl<'a> Checker<'a> {
    pub(super) fn grid_signatures(&mut self) {
        for (at, entry) in self.asm.grids.iter().enumerate() {
            self.grid_signature(GridId(at as u32), entry);
        }
    }

    /// Index types, the type of the cells if it is written, and a hidden grid for each column of a one-index grid.
    fn grid_signature(&mut self, id: GridId, entry: &'a Entry<GridEntry>) {
        let decl = &entry.item.decl;
        let mut body = Body::new(self, Node::Grid(id), Mode::Pure);
        let indices: Vec<Option<Domain>> = decl
            .indices
            .iter()
            .map(|name| body.domain(name, TypePlace::Column))
            .collect();
        let ty = decl.ty.as_ref().map(|ty| body.ty(ty, TypePlace::Column));
        let Some(indices) = indices.into_iter().collect::<Option<Vec<Domain>>>() else {
            return;
        };
        if indices.is_empty() || indices.len() > 2 || matches!(ty, Some(None)) {
            return;
        }
        let ty = ty.flatten();
        if indices.len() == 2 && ty.is_none() {
            self.report(
                Diagnostic::error("unknown-type", decl.name.span, "what type have the cells?")
                    .help("`table name[a, b]: type`"),
            );
            return;
        }
        let columns: Vec<ast::Name> = decl.head.iter().skip(1).cloned().collect();
        if indices.len() == 1 && (columns.len() > 1 || ty.is_none()) {
            self.column_grids(id, entry, &indices, ty, &columns);
            return;
        }
        let whole = ty.unwrap_or(Ty::Bool);
        self.fill_grid(id, entry, indices, Some(whole), None);
    }

    fn column_grids(
        &mut self,
        id: GridId,
        entry: &'a Entry<GridEntry>,
        indices: &[Domain],
        ty: Option<Ty>,
        columns: &[ast::Name],
    ) {
        let mut all = Vec::new();
        for column in columns {
            let hidden = GridId(self.rs.grids.len() as u32);
            self.note(column.span, Symbol::Grid(hidden));
            let name = format!("{}.{}", entry.item.decl.name.text, column.text);
            self.rs.grids.push(Grid {
                name,
                span: column.span,
                indices: Vec::new(),
                ty: Ty::Bool,
                values: Vec::new(),
            });
            self.fill_grid(hidden, entry, indices.to_vec(), ty.clone(), Some(column));
            all.push((column.text.clone(), hidden));
        }
        self.names.grid_columns.insert(id.0, all);
    }

    /// Reads the cells into a grid; without a type the cells say what they are.
    fn fill_grid(
        &mut self,
        id: GridId,
        entry: &'a Entry<GridEntry>,
        indices: Vec<Domain>,
        ty: Option<Ty>,
        column: Option<&ast::Name>,
    ) {
        let sheet = match &entry.item.decl.picture {
            Some(picture) => self.drawn_sheet(&entry.item, picture, &indices, column),
            None => self.sheet(&entry.item, column),
        };
        let sizes: Vec<usize> = indices.iter().map(|domain| self.size_of(*domain)).collect();
        let mut values = vec![Value::None; sizes.iter().product()];
        let ty = ty.or_else(|| self.type_of_cells(id, &sheet));
        let Some(ty) = ty else { return };
        let mut filled = vec![false; values.len()];
        for (row, column, cell) in &sheet.cells {
            let row_at = match row {
                Line::Word(word) => self.index_value(word, indices[0]),
                Line::Drawn(position, _) => Some(*position),
            };
            let column_at = match indices.get(1) {
                Some(domain) => self.index_value(column, *domain),
                None => Some(0),
            };
            let (Some(row_at), Some(column_at)) = (row_at, column_at) else {
                continue;
            };
            let place = row_at as usize * sizes.get(1).copied().unwrap_or(1) + column_at as usize;
            let span = cell_span(cell);
            if filled.get(place).copied().unwrap_or(true) {
                let name = self.slice(row.span()).to_owned();
                self.report(Diagnostic::error(
                    "duplicate-key",
                    row.span(),
                    format!("`{name}` has a line already"),
                ));
                continue;
            }
            filled[place] = true;
            let at = At {
                node: Node::Grid(id),
                row: None,
            };
            values[place] = self.grid_cell(cell, span, &ty, at).unwrap_or(Value::None);
        }
        self.grid_sets(
            id,
            entry,
            &indices,
            &sizes,
            &ty,
            (&mut values, &mut filled),
            column,
        );
        self.uncovered_lines(entry, &indices, &sizes, &ty, &filled);
        let whole = filled.iter().all(|filled| *filled);
        let grid = &mut self.rs.grids[id.index()];
        grid.ty = if whole { ty } else { ty.optional() };
        (grid.indices, grid.values) = (indices, values);
    }

    fn sheet(&mut self, entry: &'a GridEntry, only: Option<&ast::Name>) -> Sheet<'a> {
        let mut cells = Vec::new();
        let wanted = |name: &ast::Name| only.is_none_or(|only| only.text == name.text);
        for (row, line) in &entry.decl.lines {
            for (column, cell) in entry.decl.head.iter().skip(1).zip(line) {
                if let Some(cell) = cell
                    && wanted(column)
                {
                    cells.push((Line::Word(row.clone()), column.clone(), cell));
                }
            }
        }
        for (rows, _) in &entry.rows {
            for line in &rows.lines {
                let Some(Some(first)) = line.first() else {
                    continue;
                };
                let name = ast::Name {
                    text: cell_text(first),
                    span: cell_span(first),
                };
                for (column, cell) in rows.head.iter().zip(line).skip(1) {
                    if !entry
                        .decl
                        .head
                        .iter()
                        .any(|known| known.text == column.text)
                        && entry.decl.indices.len() < 2
                    {
                        self.report(Diagnostic::error(
                            "unknown-column",
                            column.span,
                            format!("`{}` has no column `{}`", entry.decl.name.text, column.text),
                        ));
                        continue;
                    }
                    if let Some(cell) = cell
                        && wanted(column)
                    {
                        cells.push((Line::Word(name.clone()), column.clone(), cell));
                    }
                }
            }
        }
        Sheet { cells }
    }

    /// The cells of a picture: what its signs mean, at the places where they stand.
    fn drawn_sheet(
        &mut self,
        entry: &'a GridEntry,
        picture: &ast::Picture,
        indices: &[Domain],
        only: Option<&ast::Name>,
    ) -> Sheet<'a> {
        let mut cells = Vec::new();
        // Each column is a grid of its own: what is wrong with the picture is said once.
        let first = entry.decl.head.get(1).map(|column| &column.text);
        let told = only.is_some_and(|only| Some(&only.text) != first);
        let before = self.diagnostics.len();
        if !told {
            // A sign is known by the line that says what it means.
            let lines = entry.decl.lines.iter().map(|(sign, _)| sign);
            for sign in entry.decl.head.iter().take(1).chain(lines) {
                self.note(sign.span, Symbol::Local(sign.span));
            }
        }
        if *indices != [Domain::Cell] {
            self.report(
                Diagnostic::error("wrong-type", picture.span, "only places can be drawn")
                    .help(format!("`table {}[cell]`", entry.decl.name.text)),
            );
        } else if let Some(drawn) = self.drawn_on(picture) {
            for (position, letter) in drawn {
                let mut sign = [0; 4];
                let sign: &str = letter.sign.encode_utf8(&mut sign);
                let line = entry.decl.lines.iter().find(|(name, _)| name.text == *sign);
                let Some((meaning, line)) = line else {
                    if sign != "." {
                        self.report(
                            Diagnostic::error(
                                "unknown-name",
                                letter.span,
                                format!("nothing says what `{sign}` means"),
                            )
                            .help(self.legend(&entry.decl, sign)),
                        );
                    }
                    continue;
                };
                if !told {
                    self.note(letter.span, Symbol::Local(meaning.span));
                }
                for (column, cell) in entry.decl.head.iter().skip(1).zip(line) {
                    if let Some(cell) = cell
                        && only.is_none_or(|only| only.text == column.text)
                    {
                        cells.push((Line::Drawn(position, letter.span), column.clone(), cell));
                    }
                }
            }
        }
        if told {
            self.diagnostics.truncate(before);
        }
        Sheet { cells }
    }

    /// How a sign's line is written.
    fn legend(&self, decl: &ast::GridDecl, sign: &str) -> String {
        let word = sign.chars().all(|c| c.is_ascii_alphanumeric());
        let sign = if word {
            sign.to_owned()
        } else {
            format!("\"{sign}\"")
        };
        let columns: Vec<&str> = decl.head.iter().map(|name| name.text.as_str()).collect();
        let dots = vec!["…"; columns.len().saturating_sub(1)];
        format!(
            "lines below the picture say it: `{}`, and below it `{sign} | {}`",
            columns.join(" | "),
            dots.join(" | ")
        )
    }

    fn type_of_cells(&mut self, id: GridId, sheet: &Sheet<'a>) -> Option<Ty> {
        let mut common: Option<Ty> = None;
        for (_, _, cell) in &sheet.cells {
            let expr = match cell {
                ast::GridCell::Expr(expr) => expr,
                ast::GridCell::Statements(block) => match block.statements.as_slice() {
                    [
                        ast::Statement {
                            kind: ast::StatementKind::Run(expr),
                            ..
                        },
                    ] => expr,
                    _ => {
                        self.report(Diagnostic::error(
                            "wrong-type",
                            cell_span(cell),
                            "changes need a type: `table name[index]: effect`",
                        ));
                        return None;
                    }
                },
            };
            let mut body = Body::new(self, Node::Grid(id), Mode::Pure);
            let found = body.expr(expr, common.as_ref())?;
            common = match common {
                None => Some(found.ty),
                Some(before) => match join(&before, &found.ty) {
                    Some(joined) => Some(joined),
                    None => {
                        let (a, b) = (self.in_words(&before), self.in_words(&found.ty));
                        self.report(Diagnostic::error(
                            "wrong-type",
                            expr.span,
                            format!("wanted {a} as above, found {b}"),
                        ));
                        return None;
                    }
                },
            };
        }
        common.map(|ty| {
            if matches!(ty, Ty::Int { .. }) {
                widen(ty)
            } else {
                ty
            }
        })
    }

    /// How many elements an index has.
    fn size_of(&self, domain: Domain) -> usize {
        let lattice = self.lattice().unwrap_or_default();
        match domain {
            Domain::Cell => match self.rs.tiling.as_ref().map(|tiling| &tiling.ground) {
                Some(Ground::Places(places)) => places.len(),
                Some(Ground::Table { .. }) | None => 0,
            },
            Domain::Side => lattice.directions() as usize,
            Domain::Port => lattice.ports() as usize,
            Domain::Table(_)
            | Domain::Enum(_)
            | Domain::Player
            | Domain::Action
            | Domain::Part(_)
            | Domain::Int { .. } => self.elements_of(domain).map_or(0, |all| all.len()),
        }
    }

    /// The number of a row's or column's word in its index.
    fn index_value(&mut self, word: &ast::Name, domain: Domain) -> Option<u32> {
        match domain {
            Domain::Player => {
                let seat: u32 = word.text.parse().ok()?;
                (1..=self.rs.players.1).contains(&seat).then(|| seat - 1)
            }
            Domain::Action => {
                let at = self
                    .rs
                    .actions
                    .iter()
                    .position(|action| action.name == word.text);
                if at.is_none() {
                    self.unknown_word(&word.text, domain, word.span);
                }
                let at = at.map(|at| at as u32)?;
                self.note_element(word.span, domain, at);
                Some(at)
            }
            _ => match self.word_value(&word.text, domain, word.span)? {
                Value::Element(_, number) => Some(number),
                _ => None,
            },
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn grid_sets(
        &mut self,
        id: GridId,
        entry: &'a Entry<GridEntry>,
        indices: &[Domain],
        sizes: &[usize],
        ty: &Ty,
        cells: (&mut [Value], &mut [bool]),
        column: Option<&ast::Name>,
    ) {
        let mut given: BTreeMap<usize, Vec<(&SetEntry, Value)>> = BTreeMap::new();
        for set in &entry.item.sets {
            let Some(place) = self.set_place(set, indices, sizes, column) else {
                continue;
            };
            let at = At {
                node: Node::Grid(id),
                row: None,
            };
            if let Some(value) = self.set_value(set, ty, at) {
                let name = self.grid_place(entry, set);
                // Code is the same where its text is.
                let compared = match is_code(ty) {
                    true => {
                        let text = cell_span(&set.value);
                        let text = self.slice(text).to_owned();
                        Value::Text(self.intern(&text))
                    }
                    false => value.clone(),
                };
                let others = given.entry(place).or_default();
                self.sets_clash(&name, others, (set, &compared));
                others.push((set, compared));
                if cells.1[place] && cells.0[place] == value {
                    self.idle_set(&name, &entry.item.sets, set);
                }
                cells.0[place] = value;
                cells.1[place] = true;
            }
        }
    }

    /// `ability[grey, trade]`, as it is written.
    fn grid_place(&self, entry: &Entry<GridEntry>, set: &SetEntry) -> String {
        let words: Vec<String> = set.indices.iter().map(expr_text).collect();
        format!("{}[{}]", entry.item.decl.name.text, words.join(", "))
    }

    fn set_place(
        &mut self,
        set: &SetEntry,
        indices: &[Domain],
        sizes: &[usize],
        column: Option<&ast::Name>,
    ) -> Option<usize> {
        let mut place = 0;
        if column.is_some() || set.indices.len() != indices.len() {
            self.report(Diagnostic::error(
                "wrong-arguments",
                set.span,
                "name the cell by its line and column: `set table[line, column] = …`",
            ));
            return None;
        }
        for ((index, domain), size) in set.indices.iter().zip(indices).zip(sizes) {
            let at = if *domain == Domain::Cell {
                self.place_named(index)?
            } else {
                let word = ast::Name {
                    text: expr_text(index),
                    span: index.span,
                };
                self.index_value(&word, *domain)?
            };
            place = place * size + at as usize;
        }
        Some(place)
    }

    /// An enum's member without a line: the grid says nothing about it.
    fn uncovered_lines(
        &mut self,
        entry: &'a Entry<GridEntry>,
        indices: &[Domain],
        sizes: &[usize],
        ty: &Ty,
        filled: &[bool],
    ) {
        if matches!(ty, Ty::Optional(_)) {
            return;
        }
        let across = sizes.get(1).copied().unwrap_or(1).max(1);
        for (axis, domain) in indices.iter().enumerate() {
            let Domain::Enum(id) = domain else { continue };
            let covered = |member: usize| {
                (0..filled.len()).any(|at| {
                    filled[at] && (if axis == 0 { at / across } else { at % across }) == member
                })
            };
            let missing: Vec<String> = (0..sizes[axis])
                .filter(|member| !covered(*member))
                .map(|member| format!("`{}`", self.rs.enums[id.index()].members[member]))
                .collect();
            if !missing.is_empty() {
                let what = if axis == 0 { "line" } else { "column" };
                let message = format!(
                    "`{}` has no {what} for {}",
                    entry.item.decl.name.text,
                    missing.join(", ")
                );
                self.report(
                    Diagnostic::error("uncovered", entry.item.decl.name.span, message)
                        .help("add it, or let cells be missing: give them a type with `?`"),
                );
            }
        }
    }
}

fn widen(ty: Ty) -> Ty {
    match ty {
        Ty::Int { low, .. } => Ty::Int {
            low: low.filter(|low| *low < 0).or(Some(0)),
            high: None,
        },
        other => other,
    }
}

fn cell_text(cell: &ast::GridCell) -> String {
    super::keys::raw_text(&crate::assembly::RawValue::Cell(Box::new(cell.clone())))
}

fn cell_span(cell: &ast::GridCell) -> Span {
    match cell {
        ast::GridCell::Expr(expr) => expr.span,
        ast::GridCell::Statements(block) => {
            match (block.statements.first(), block.statements.last()) {
                (Some(first), Some(last)) => first.span.to(last.span),
                _ => Span::new(crate::source::FileId(0), 0, 0),
            }
        }
    }
}

impl Body<'_, '_> {
    /// `gait[man].reach`: a column of a one-index grid.
    #[allow(clippy::option_option)]
    pub fn grid_column(
        &mut self,
        base: &ast::Expr,
        word: &ast::Name,
    ) -> Option<Option<crate::ir::Expr>> {
        let ast::ExprKind::Index(grid, keys) = &base.kind else {
            return None;
        };
        let ast::ExprKind::Name(name) = &grid.kind else {
            return None;
        };
        if self.var(name, grid.span).is_some() {
            return None;
        }
        let Some(super::names::Global::Grid(id)) = self.k.names.global(name, grid.span) else {
            return None;
        };
        let columns = self.k.names.grid_columns.get(&id.0)?;
        let found = columns
            .iter()
            .find(|(column, _)| *column == word.text)
            .map(|(_, id)| *id);
        self.touch(Touched::Grid(id), grid.span);
        self.k.note(grid.span, Symbol::Grid(id));
        match found {
            Some(column) => {
                self.k.note(word.span, Symbol::Grid(column));
                Some(self.grid(column, keys, base.span.to(word.span)))
            }
            None => {
                self.error(
                    "unknown-column",
                    word.span,
                    format!("`{name}` has no column `{}`", word.text),
                );
                Some(None)
            }
        }
    }
}
