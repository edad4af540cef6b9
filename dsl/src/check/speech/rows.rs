//! What rows of tables are called: by a phrase of their table, a column `name`, the two things they join, or their key.

use super::Words;
use super::english::{self, plain};
use super::phrase::{Raw, Said};
use crate::board::{Datum, data};
use crate::diagnostic::{Diagnostic, suggest::nearest};
use crate::ir::{ColumnId, Domain, Noun, Row, RuleSet, Saying, Table, TableId, Ty, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The column that says what people call a row.
const NAME: &str = "name";

/// Names of the rows, and what one must know of each where a phrase says it.
#[derive(Default)]
pub(super) struct Named {
    pub rows: Vec<String>,
    pub columns: BTreeSet<ColumnId>,
    pub details: Option<Vec<String>>,
    /// What several of a row are called, by what one is.
    pub several: BTreeMap<String, String>,
}

impl Words<'_> {
    /// Names the rows of all tables; those that rows of others hold come first.
    pub fn name_rows(&mut self, phrases: &BTreeMap<TableId, Said>) {
        let mut done: BTreeSet<TableId> = BTreeSet::new();
        for at in 0..self.rules.tables.len() {
            self.name_rows_of(TableId(at as u32), phrases, &mut done);
        }
    }

    fn name_rows_of(
        &mut self,
        table: TableId,
        phrases: &BTreeMap<TableId, Said>,
        done: &mut BTreeSet<TableId>,
    ) {
        if !done.insert(table) {
            return;
        }
        for column in &self.rules.tables[table.index()].columns {
            if let Ty::Element(Domain::Table(other)) = *column.ty.required() {
                self.name_rows_of(other, phrases, done);
            }
        }
        let mut named = match phrases.get(&table) {
            Some(said) => self.by_phrase(table, said),
            None => self.by_structure(table),
        };
        self.own_words(table, &mut named);
        // A name is shown on a line.
        for name in &mut named.rows {
            if name.contains(char::is_control) {
                *name = name.replace(char::is_control, " ");
            }
        }
        self.tell_apart(table, &mut named);
        let declared = &self.rules.tables[table.index()];
        let varied = (0..declared.columns.len()).filter(|at| {
            let mut values = declared.rows.iter().map(|row| &row.values[*at]);
            let first = values.next();
            values.any(|value| Some(value) != first)
        });
        let varied = varied.map(|at| ColumnId(at as u32)).collect();
        let words = &mut self.speech.tables[table.index()];
        (words.rows, words.named, words.details) = (named.rows, named.columns, named.details);
        words.varied = varied;
        words.several = named.several;
    }

    /// `"{a}–{b}"`; behind a colon what one must know: `"{a}–{b}: {length|space|spaces}"`.
    fn by_phrase(&mut self, table: TableId, said: &Said) -> Named {
        let parts = super::phrase::read(said, &mut self.out);
        let mut split = None;
        for (at, part) in parts.iter().enumerate() {
            if let Raw::Text(text) = part
                && let Some(colon) = text.find(": ").or_else(|| {
                    (text.ends_with(':') && at + 1 == parts.len()).then(|| text.len() - 1)
                })
            {
                split = split.or(Some((at, colon)));
            }
        }
        let (mut name, mut details) = (parts, None);
        if let Some((at, colon)) = split {
            let mut rest = name.split_off(at);
            if let Some(Raw::Text(text)) = rest.first().cloned() {
                name.push(Raw::Text(text[..colon].to_owned()));
                rest[0] = Raw::Text(text.get(colon + 2..).unwrap_or_default().to_owned());
            }
            details = Some(rest);
        }
        let mut columns = BTreeSet::new();
        let rows = self.filled(table, &name, &mut columns);
        let details = details.map(|details| self.filled(table, &details, &mut columns));
        Named {
            rows,
            columns,
            details,
            ..Named::default()
        }
    }

    /// The parts with the values of each row.
    fn filled(
        &mut self,
        table: TableId,
        parts: &[Raw],
        columns: &mut BTreeSet<ColumnId>,
    ) -> Vec<String> {
        let count = self.rules.tables[table.index()].rows.len();
        let mut texts = vec![String::new(); count];
        for part in parts {
            match part {
                Raw::Text(text) => texts.iter_mut().for_each(|one| one.push_str(text)),
                Raw::Hole { path, unit, span } => {
                    match self.column_texts(table, path, unit.as_ref()) {
                        Ok((own, values)) => {
                            columns.extend(own);
                            texts
                                .iter_mut()
                                .zip(values)
                                .for_each(|(one, value)| one.push_str(&value));
                        }
                        Err(near) => {
                            let name = &self.rules.tables[table.index()].name;
                            let message = format!("`{name}` has no column `{}`", path.join("."));
                            let found = Diagnostic::error("unknown-column", *span, message);
                            self.out.push(match near {
                                Some(near) => found.help(format!("did you mean `{near}`?")),
                                None => found.help("name a column of the table in the braces"),
                            });
                            return texts;
                        }
                    }
                }
            }
        }
        texts
    }

    /// The values of a column in words, one a row; the name of a column that was meant, if there is none such.
    fn column_texts(
        &self,
        table: TableId,
        path: &[String],
        unit: Option<&Noun>,
    ) -> Result<(Option<ColumnId>, Vec<String>), Option<String>> {
        let declared = &self.rules.tables[table.index()];
        let (first, rest) = path.split_first().ok_or(None)?;
        let at = declared.columns.iter().position(|one| one.name == *first);
        let Some(at) = at else {
            let known = declared.columns.iter().map(|one| one.name.as_str());
            let near = nearest(first, known).map(str::to_owned);
            let data = data(self.asm, self.rules, table, first).filter(|_| rest.is_empty());
            let texts = data.ok_or(near)?.iter().map(shown).collect();
            return Ok((None, texts));
        };
        let column = &declared.columns[at];
        let own = Some(ColumnId(at as u32));
        if rest.is_empty() {
            let values = declared
                .rows
                .iter()
                .map(|row| match (&row.values[at], unit) {
                    (Value::Int(number), Some(unit)) => unit.amount(i64::from(*number)),
                    (value, _) => self.value(value),
                });
            return Ok((own, values.collect()));
        }
        let Ty::Element(Domain::Table(other)) = *column.ty.required() else {
            return Err(None);
        };
        let (_, texts) = self.column_texts(other, rest, unit)?;
        let values = declared.rows.iter().map(|row| match row.values[at] {
            Value::Element(_, row) => texts.get(row as usize).cloned().unwrap_or_default(),
            _ => String::new(),
        });
        Ok((own, values.collect()))
    }

    /// A constant in words.
    pub fn value(&self, value: &Value) -> String {
        match value {
            Value::None => String::new(),
            Value::Int(number) => number.to_string(),
            Value::Bool(yes) => yes.to_string(),
            Value::Text(text) => self.rules.text(*text).to_owned(),
            Value::Element(Domain::Table(table), at) => {
                let rows = &self.speech.tables[table.index()].rows;
                rows.get(*at as usize).cloned().unwrap_or_default()
            }
            Value::Element(Domain::Enum(id), at) => {
                let members = &self.speech.enums[id.index()].members;
                members.get(*at as usize).cloned().unwrap_or_default()
            }
            Value::Element(Domain::Int { low, .. }, at) => {
                (i64::from(*low) + i64::from(*at)).to_string()
            }
            Value::Element(
                Domain::Player
                | Domain::Cell
                | Domain::Side
                | Domain::Port
                | Domain::Action
                | Domain::Part(_),
                at,
            ) => at.to_string(),
            Value::Set(values) | Value::List(values) => {
                let values: Vec<String> = values.iter().map(|one| self.value(one)).collect();
                values.join(", ")
            }
            Value::Bag(counts) => {
                let counts = counts.iter();
                let values: Vec<String> = counts
                    .map(|(one, count)| format!("{count} {}", self.value(one)))
                    .collect();
                values.join(", ")
            }
            Value::Effect(id) => self.rules.effects[id.index()].text.clone(),
            Value::Formula(id) => plain(&self.rules.formulas[id.index()].name),
        }
    }

    fn by_structure(&self, table: TableId) -> Named {
        let Ok((own, names)) = self.column_texts(table, &[NAME.to_owned()], None) else {
            return self.by_key(table);
        };
        if names.iter().all(String::is_empty) {
            return self.by_key(table);
        }
        let mut named = match names.iter().any(String::is_empty) {
            true => self.by_key(table),
            false => Named::default(),
        };
        named.rows.resize(names.len(), String::new());
        for (row, name) in named.rows.iter_mut().zip(names) {
            if !name.is_empty() {
                *row = name;
            }
        }
        named.columns.extend(own);
        named
    }

    /// Rows without a name of their own: by the two things they join, or by their key.
    fn by_key(&self, table: TableId) -> Named {
        let declared = &self.rules.tables[table.index()];
        if let Some([a, b]) = joined(self.rules, table) {
            let ends = declared.rows.iter().map(|row| {
                let [a, b] = [a, b].map(|end| self.value(&row.values[end.index()]));
                join(&a, &b)
            });
            return Named {
                rows: ends.collect(),
                columns: [a, b].into(),
                ..Named::default()
            };
        }
        let keys: BTreeSet<ColumnId> = declared.key.iter().copied().collect();
        let is_number = |name: &str| name.parse::<i64>().is_ok();
        let noun = &self.speech.tables[table.index()].noun.one;
        let rows = declared.rows.iter().enumerate();
        let rows = rows.map(|(at, row)| match is_number(&row.name) {
            true => format!("{noun} {}", row.name),
            false => (self.part_of(declared, at)).unwrap_or_else(|| plain(&row.name)),
        });
        Named {
            rows: rows.collect(),
            columns: keys,
            ..Named::default()
        }
    }

    /// A row without a name of its own is called by the one that holds it.
    fn part_of(&self, declared: &Table, at: usize) -> Option<String> {
        let (_, column) = declared.parent?;
        let row = &declared.rows[at];
        let (_, number) = row.name.rsplit_once('/')?;
        let holder = self.value(&row.values[column.index()]);
        if !number.starts_with('#') || holder.is_empty() {
            return None;
        }
        let own = |other: &&Row| other.values[column.index()] == row.values[column.index()];
        let before = declared.rows[..=at].iter().rev();
        let part = before.take_while(own).count().to_string();
        let said = self.speech.saying(Saying::PartOf);
        Some(said.replace("{part}", &part).replace("{place}", &holder))
    }

    /// What a language file calls single rows.
    fn own_words(&mut self, table: TableId, named: &mut Named) {
        let declared = &self.rules.tables[table.index()];
        for (row, name) in declared.rows.iter().zip(&mut named.rows) {
            let full = format!("{}.{}", declared.name, row.name);
            if let Some(own) = self.lexicon.noun(&[&full, &row.name]) {
                if own.counted {
                    named.several.insert(own.one.clone(), own.many);
                }
                *name = own.one;
            }
        }
    }

    /// Rows that are called alike get what sets them apart behind their name.
    fn tell_apart(&self, table: TableId, named: &mut Named) {
        let mut same: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, name) in named.rows.iter().enumerate() {
            same.entry(name.clone()).or_default().push(at);
        }
        let declared = &self.rules.tables[table.index()];
        for group in same.into_values().filter(|group| group.len() > 1) {
            let differs = |column: &usize| {
                let values: BTreeSet<String> = group
                    .iter()
                    .map(|at| self.value(&declared.rows[*at].values[*column]))
                    .collect();
                values.len() == group.len()
            };
            let scalar = |column: &usize| {
                let ty = declared.columns[*column].ty.required();
                let is_key = declared.key.contains(&ColumnId(*column as u32));
                !is_key && matches!(ty, Ty::Int { .. } | Ty::Element(_) | Ty::Text)
            };
            let columns = || (0..declared.columns.len()).filter(scalar);
            let column = columns().find(differs);
            // The one that is of another kind than all others needs nothing more.
            let alone = match column {
                Some(_) => None,
                None => columns().find_map(|column| alone(declared, &group, column)),
            };
            let group = group.into_iter().filter(|at| Some(*at) != alone);
            for (number, at) in group.enumerate() {
                let row = &declared.rows[at];
                let apart = match column {
                    None => (number + 1).to_string(),
                    Some(column) => match &row.values[column] {
                        Value::Int(number) => self.speech.tables[table.index()].columns[column]
                            .amount(i64::from(*number)),
                        value => self.value(value),
                    },
                };
                // One has nothing there: that is what sets it apart.
                if !apart.is_empty() {
                    named.rows[at] = format!("{} ({apart})", named.rows[at]);
                }
            }
            named.columns.extend(column.map(|at| ColumnId(at as u32)));
        }
    }
}

/// The row of a group that has a value in this column which no other has, where all others have the same.
fn alone(declared: &Table, group: &[usize], column: usize) -> Option<usize> {
    let value = |at: &usize| &declared.rows[*at].values[column];
    let mut found = group.iter().filter(|one| {
        let others: Vec<&Value> = group.iter().filter(|at| at != one).map(value).collect();
        let same = others.windows(2).all(|pair| pair[0] == pair[1]);
        same && others.len() > 1 && !others.contains(&value(one))
    });
    let one = found.next().copied();
    one.filter(|_| found.next().is_none())
}

/// The two columns of a table without names of its own whose rows join things of one other table.
fn joined(rules: &RuleSet, table: TableId) -> Option<[ColumnId; 2]> {
    let declared = &rules.tables[table.index()];
    let mut ends: BTreeMap<TableId, Vec<ColumnId>> = BTreeMap::new();
    for (at, column) in declared.columns.iter().enumerate() {
        if let Ty::Element(Domain::Table(other)) = column.ty {
            ends.entry(other).or_default().push(ColumnId(at as u32));
        }
    }
    let is_parent = |column: &ColumnId| {
        let parent = declared.parent;
        parent.is_some_and(|(_, own)| own == *column)
    };
    let mut pairs = ends
        .into_values()
        .filter_map(|columns| match columns.as_slice() {
            [a, b] if !is_parent(a) && !is_parent(b) => Some([*a, *b]),
            _ => None,
        });
    let pair = pairs.next()?;
    pairs.next().is_none().then_some(pair)
}

/// `Köln–Bonn`, `New York – Boston`
fn join(a: &str, b: &str) -> String {
    let is_long = |name: &str| name.contains([' ', '-', '–']);
    match is_long(a) || is_long(b) {
        true => format!("{a} – {b}"),
        false => format!("{a}–{b}"),
    }
}

fn shown(datum: &Datum) -> String {
    match datum {
        Datum::Nothing => String::new(),
        Datum::Number(number) => number.to_string(),
        Datum::Text(text) => text.clone(),
        Datum::List(items) => {
            let items: Vec<String> = items.iter().map(shown).collect();
            items.join(", ")
        }
    }
}

impl Words<'_> {
    /// What columns of a table are called.
    pub fn name_columns(&mut self, table: TableId) {
        let declared = &self.rules.tables[table.index()];
        let mut nouns = Vec::new();
        for column in &declared.columns {
            let sayings = self.sayings(&column.doc, column.span);
            let full = format!("{}.{}", declared.name, column.name);
            let own = self.lexicon.noun(&[&full, &column.name]);
            let said = sayings.name.map(|said| english::said(&said.text));
            nouns.push(own.or(said).unwrap_or_else(|| english::noun(&column.name)));
        }
        self.speech.tables[table.index()].columns = nouns;
    }
}
