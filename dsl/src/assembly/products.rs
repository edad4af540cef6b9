//! `rows card for s in suit, n in 1..5`: rows for each combination of values.

use super::components::Rows;
use super::{Entry, EnumEntry, TableEntry};
use crate::bounds::ROWS_MAX;
use crate::diagnostic::{Diagnostic, suggest::nearest};
use crate::source::Span;
use crate::syntax::ast::{
    Expr, ExprKind, GridCell, Message, MessagePart, Name, RowsDecl, expr_text, number,
};
use crate::syntax::placed::{Replacing, Visit};

/// What a name can stand for here: all members of an enum, all rows of a table that come first.
pub(super) struct Named<'a> {
    pub enums: &'a [Entry<EnumEntry>],
    pub tables: &'a [Entry<TableEntry>],
    pub rows: &'a [Vec<Rows<'a>>],
}

/// The same rows, each line once for each combination, the last name changing fastest.
///
/// # Errors
/// Where the values of a name are not known by what is written, or there are more than [`ROWS_MAX`] rows.
pub(super) fn written_out(decl: &RowsDecl, named: &Named<'_>) -> Result<RowsDecl, Box<Diagnostic>> {
    let mut combinations: Vec<Vec<Expr>> = vec![Vec::new()];
    for (_, values) in &decl.each {
        let values = named.values(values)?;
        if combinations.len() * values.len() * decl.lines.len().max(1) > ROWS_MAX {
            let span = decl.table.span;
            let message = format!("these are more than {ROWS_MAX} rows");
            return Err(Box::new(Diagnostic::error("too-large", span, message)));
        }
        let each = combinations.iter().flat_map(|combination| {
            values.iter().map(|value| {
                let mut longer = combination.clone();
                longer.push(value.clone());
                longer
            })
        });
        combinations = each.collect();
    }
    let mut rows = RowsDecl {
        each: Vec::new(),
        lines: Vec::new(),
        ..decl.clone()
    };
    let has_id = |head: &[Name]| head.iter().any(|name| name.text == "id");
    let adds_id = !has_id(&decl.head) && !named.has_key(&decl.table.text);
    if adds_id {
        rows.head.push(Name {
            text: "id".to_owned(),
            span: decl.table.span,
        });
    }
    for combination in combinations {
        let names = decl.each.iter().map(|(name, _)| name.text.as_str());
        let mut replacing = Replacing::new(names.zip(combination.iter().cloned()));
        for line in &decl.lines {
            let mut line = line.clone();
            line.visit(&mut replacing);
            if adds_id {
                line.resize(decl.head.len(), None);
                line.push(Some(id(&combination, decl.table.span)));
            }
            rows.lines.push(line);
        }
    }
    Ok(rows)
}

/// `red_3`
fn id(combination: &[Expr], span: Span) -> GridCell {
    let words: Vec<String> = combination.iter().map(expr_text).collect();
    let text = MessagePart::Text(words.join("_"));
    let kind = ExprKind::Text(Message {
        parts: vec![text],
        span,
    });
    GridCell::Expr(Expr { kind, span })
}

impl Named<'_> {
    fn has_key(&self, table: &str) -> bool {
        let mut tables = self.tables.iter();
        tables.any(|entry| entry.item.decl.name.text == table && !entry.item.decl.key.is_empty())
    }

    fn values(&self, of: &Expr) -> Result<Vec<Expr>, Box<Diagnostic>> {
        let span = of.span;
        let value = |kind: ExprKind| Expr { kind, span };
        match &of.kind {
            ExprKind::Range(Some(low), Some(high)) => match (number(low), number(high)) {
                (Some(low), Some(high)) if low > high => {
                    Err(wanted(of, "the range of these rows is empty"))
                }
                (Some(low), Some(high)) if high.saturating_sub(low) < ROWS_MAX as i64 => {
                    Ok((low..=high).map(|n| value(ExprKind::Number(n))).collect())
                }
                _ => Err(wanted(of, "the ends of this range are no such numbers")),
            },
            ExprKind::Braces(entries) if entries.iter().all(|entry| entry.1.is_none()) => {
                Ok(entries.iter().map(|entry| entry.0.clone()).collect())
            }
            ExprKind::Brackets(entries) => Ok(entries.clone()),
            ExprKind::Name(name) => match self.members(name) {
                Some(members) if !members.is_empty() => Ok(members
                    .into_iter()
                    .map(|member| value(ExprKind::Name(member)))
                    .collect()),
                Some(_) => Err(wanted(
                    of,
                    &format!("`{name}` has no rows with an id above this line"),
                )),
                None => {
                    let enums = self
                        .enums
                        .iter()
                        .map(|one| one.item.decl.name.text.as_str());
                    let found = wanted(of, &format!("no enum or table is called `{name}`"));
                    Err(match nearest(name, enums) {
                        Some(near) => Box::new(found.help(format!("did you mean `{near}`?"))),
                        None => found,
                    })
                }
            },
            _ => Err(wanted(of, "these are no values for rows")),
        }
    }

    /// The words of an enum, or the ids of a table's rows.
    fn members(&self, name: &str) -> Option<Vec<String>> {
        let mut enums = self.enums.iter();
        if let Some(entry) = enums.find(|entry| entry.item.decl.name.text == name) {
            let added = entry.item.added.iter().map(|(member, _)| member);
            let all = entry.item.decl.members.iter().chain(added);
            return Some(all.map(|member| member.text.clone()).collect());
        }
        let mut tables = self.tables.iter();
        let at = tables.position(|entry| entry.item.decl.name.text == name)?;
        let cells = self.rows[at].iter().flat_map(|row| &row.row.cells);
        let ids = cells.filter(|cell| cell.name.text == "id");
        Some(ids.filter_map(|cell| cell.value.as_word()).collect())
    }
}

fn wanted(of: &Expr, message: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("wrong-type", of.span, message).help(
        "rows stand for each member of an enum, each row of a table above, each number of a range or what is listed: `for s in suit, n in 1..5, k in {a, b}`",
    ))
}
