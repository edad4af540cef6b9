//! Tables, their rows, grids.

use super::expression::only;
use super::{Builder, Pair, Rule, mistake, parts};
use crate::syntax::ast::*;

impl Builder<'_> {
    pub(super) fn table(&self, pair: Pair) -> TableDecl {
        let mut inner = parts(pair);
        let mut table = TableDecl {
            name: self.name(inner.next().expect("a table has a name")),
            parent: None,
            section: None,
            sources: Vec::new(),
            key: Vec::new(),
            copies: None,
            columns: Vec::new(),
        };
        for clause in inner {
            match clause.as_rule() {
                Rule::nested => {
                    let mut names = self.names(clause).into_iter();
                    table.parent = names.next();
                    table.section = names.next();
                }
                Rule::sources => table.sources = self.sources(clause),
                Rule::key => table.key = self.names(only(clause)),
                Rule::copies => table.copies = Some(self.name(only(clause))),
                _ => {
                    table.columns = parts(clause)
                        .flat_map(|column| self.column(column))
                        .collect()
                }
            }
        }
        table
    }

    fn sources(&self, pair: Pair) -> Vec<TableSource> {
        parts(only(pair))
            .map(|source| self.source(source))
            .collect()
    }

    fn source(&self, pair: Pair) -> TableSource {
        let mut names = self.names(pair);
        let path = names.pop().expect("a source has a path");
        TableSource {
            section: names.pop(),
            path,
        }
    }

    /// One line may declare several columns of one type.
    fn column(&self, pair: Pair) -> Vec<ColumnDecl> {
        let doc = self.take_doc(self.span(&pair));
        let mut inner = parts(pair);
        let names = self.names(inner.next().expect("a column has a name"));
        let ty = self.type_(inner.next().expect("a column has a type"));
        let default = inner.next().map(|start| self.expr(start));
        names
            .into_iter()
            .map(|name| ColumnDecl {
                name,
                ty: ty.clone(),
                default: default.clone(),
                doc: doc.clone(),
            })
            .collect()
    }

    pub(super) fn rows(&self, pair: Pair) -> RowsDecl {
        let mut inner = parts(pair);
        let table = self.name(inner.next().expect("rows have a table"));
        let mut rows = RowsDecl {
            table,
            sources: Vec::new(),
            each: Vec::new(),
            head: Vec::new(),
            lines: Vec::new(),
        };
        for part in inner {
            match part.as_rule() {
                Rule::rows_for => {
                    rows.each = parts(part).map(|each| self.row_values(each)).collect()
                }
                Rule::sources => rows.sources = self.sources(part),
                Rule::head => rows.head = self.columns(part),
                _ => {
                    self.refuse_beyond(&rows.head, &part);
                    rows.lines
                        .push(parts(part).map(|cell| self.cell_or_gap(cell)).collect());
                }
            }
        }
        rows
    }

    /// `s in suit`
    fn row_values(&self, pair: Pair) -> (Name, Expr) {
        let mut inner = parts(pair);
        let name = self.name(inner.next().expect("the values have a name"));
        (name, self.expr(inner.next().expect("the name has values")))
    }

    pub(super) fn grid(&self, pair: Pair) -> GridDecl {
        let mut inner = parts(pair);
        let name = self.name(inner.next().expect("a grid has a name"));
        let indices = self.names(inner.next().expect("a grid has an index"));
        let mut grid = GridDecl {
            name,
            indices,
            ty: None,
            picture: None,
            head: Vec::new(),
            lines: Vec::new(),
        };
        for part in inner {
            match part.as_rule() {
                Rule::type_ => grid.ty = Some(self.type_(part)),
                Rule::picture_part => grid.picture = Some(self.picture(part)),
                Rule::head => grid.head = self.columns(part),
                _ => {
                    self.refuse_beyond(&grid.head, &part);
                    grid.lines.push(self.grid_line(part));
                }
            }
        }
        if let Some(picture) = grid.picture.as_ref().filter(|_| grid.head.is_empty()) {
            let head = ["sign", "value"].map(|text| Name {
                text: text.to_owned(),
                span: picture.span,
            });
            let meant = signs_alone(picture).into_iter();
            grid.head = head.to_vec();
            grid.lines = meant.map(|(sign, cell)| (sign, vec![Some(cell)])).collect();
        }
        grid
    }

    /// The line above the cells: each name heads one column.
    fn columns(&self, pair: Pair) -> Vec<Name> {
        let head = self.names(pair);
        for (at, name) in head.iter().enumerate() {
            if let Some(first) = head[..at].iter().find(|other| other.text == name.text) {
                self.report(mistake::column_twice(name, first.span));
            }
        }
        head
    }

    /// A value that stands below no name would be lost.
    fn refuse_beyond(&self, head: &[Name], line: &Pair) {
        let mut beyond = parts(line.clone()).skip(head.len());
        if let Some(cell) = beyond.find(|cell| parts(cell.clone()).next().is_some()) {
            self.report(mistake::no_column(self.span(&cell), head));
        }
    }

    fn grid_line(&self, pair: Pair) -> (Name, Vec<Option<GridCell>>) {
        let mut inner = parts(pair);
        let head = self.name(only(inner.next().expect("a grid line has a head")));
        (head, inner.map(|cell| self.cell_or_gap(cell)).collect())
    }

    /// `cell_or_gap` or `effect_or_gap`.
    fn cell_or_gap(&self, pair: Pair) -> Option<GridCell> {
        let inner = parts(pair).next()?;
        Some(match inner.as_rule() {
            Rule::inline => changes_or_value(self.inline(inner)),
            _ => self.cell_value(inner),
        })
    }

    /// A value if it reads as one, else changes.
    pub(super) fn cell_value(&self, pair: Pair) -> GridCell {
        let inner = only(pair);
        match inner.as_rule() {
            Rule::expr => GridCell::Expr(self.expr(inner)),
            _ => changes_or_value(self.inline(inner)),
        }
    }
}

/// A single value stays a value.
fn changes_or_value(mut block: Block) -> GridCell {
    if let [
        Statement {
            kind: StatementKind::Run(_),
            ..
        },
    ] = block.statements.as_slice()
        && let Some(Statement {
            kind: StatementKind::Run(value),
            ..
        }) = block.statements.pop()
    {
        return GridCell::Expr(value);
    }
    GridCell::Statements(block)
}

/// Without lines that say what signs mean, a digit is that number and a letter the value of that name.
fn signs_alone(picture: &Picture) -> Vec<(Name, GridCell)> {
    let mut signs: Vec<(Name, GridCell)> = Vec::new();
    for letter in picture.letters() {
        let text = letter.sign.to_string();
        let kind = match letter.sign.to_digit(10) {
            Some(digit) => ExprKind::Number(digit.into()),
            None if letter.sign.is_ascii_lowercase() => ExprKind::Name(text.clone()),
            None => continue,
        };
        if !signs.iter().any(|(name, _)| name.text == text) {
            let span = letter.span;
            let cell = GridCell::Expr(Expr { kind, span });
            signs.push((Name { text, span }, cell));
        }
    }
    signs
}
