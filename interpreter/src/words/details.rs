//! What one must know of a row where it is chosen.

use super::Words;
use dsl::ir::{ColumnId, DeedId, Domain, TableId, Ty, Value};

/// Columns that are told of a row where it is chosen.
const DETAILS_MAX: usize = 4;
/// Sets with more elements say how many they have.
const ELEMENTS_MAX: usize = 6;

impl Words<'_> {
    /// What one must know of a row where it is chosen for a deed.
    pub(crate) fn details(&self, table: TableId, row: i32, deed: Option<DeedId>) -> String {
        let speech = self.speech();
        let Some(words) = speech.tables.get(table.index()) else {
            return String::new();
        };
        let at = usize::try_from(row).unwrap_or(usize::MAX);
        if let Some(details) = &words.details {
            return details.get(at).cloned().unwrap_or_default();
        }
        let declared = &self.rules.tables[table.index()];
        let (Some(row), Some(name)) = (declared.rows.get(at), words.rows.get(at)) else {
            return String::new();
        };
        let reads = deed.and_then(|deed| speech.deeds.get(deed.index()));
        let mut parts: Vec<String> = Vec::new();
        for (at, value) in row.values.iter().enumerate() {
            let column = ColumnId(at as u32);
            let is_read = speech.worth.contains(&(table, column))
                || reads.is_some_and(|deed| deed.reads.contains(&(table, column)));
            let is_told = is_read
                && words.varied.contains(&column)
                && !words.named.contains(&column)
                && declared.copies != Some(column);
            if is_told && let Some(part) = self.detail(table, column, value, name) {
                parts.push(part);
            }
        }
        parts.truncate(DETAILS_MAX);
        parts.join(", ")
    }

    /// What one must know of a row, where the sentence of its table says that: `{name}: {cost}`. Not of pieces of which there are several.
    pub(crate) fn must_know(&self, ty: &Ty, row: i32) -> Option<&str> {
        let Ty::Element(Domain::Table(table)) = ty.required() else {
            return None;
        };
        let details = self.speech().tables.get(table.index())?.details.as_ref()?;
        let several = self.rules.tables[table.index()].copies.is_some();
        let known = details.get(usize::try_from(row).ok()?)?;
        (!several && !known.is_empty()).then_some(known)
    }

    /// All that a table says of a row, each with what it is called; for who looks closely.
    pub fn facts(&self, table: TableId, row: i32) -> Vec<(String, String)> {
        let declared = &self.rules.tables[table.index()];
        let row = usize::try_from(row)
            .ok()
            .and_then(|at| declared.rows.get(at));
        let (Some(row), Some(words)) = (row, self.speech().tables.get(table.index())) else {
            return Vec::new();
        };
        let columns = words.columns.iter().zip(&declared.columns).zip(&row.values);
        let told = columns.filter_map(|((noun, column), value)| {
            let says = match value {
                Value::None | Value::Bool(false) | Value::Formula(_) => false,
                // Its own name.
                Value::Text(_) => false,
                Value::Set(values) | Value::List(values) => !values.is_empty(),
                Value::Bag(counts) => !counts.is_empty(),
                Value::Int(_) | Value::Bool(true) | Value::Element(..) | Value::Effect(_) => true,
            };
            let hides = declared
                .parent
                .is_some_and(|(_, parent)| declared.columns[parent.index()].name == column.name);
            let said = match value {
                Value::Bool(true) => String::new(),
                value => self.constant_in_words(value),
            };
            // A letter is no word: what it is of says more.
            let kind = match column.name.chars().count() {
                1 => self.noun(&column.ty),
                _ => None,
            };
            let called = kind.map_or_else(|| noun.heading(), |kind| kind.one.as_str());
            (says && !hides).then(|| (called.to_owned(), said))
        });
        told.collect()
    }

    /// A column's value with its unit; none where it tells nothing that the name does not.
    fn detail(
        &self,
        table: TableId,
        column: ColumnId,
        value: &Value,
        name: &str,
    ) -> Option<String> {
        let noun = self.speech().tables[table.index()]
            .columns
            .get(column.index())?;
        let text = match value {
            Value::None | Value::Int(0) | Value::Bool(false) | Value::Text(_) => return None,
            Value::Formula(_) => return None,
            Value::Int(n) => noun.amount(i64::from(*n)),
            Value::Bool(true) => noun.one.clone(),
            Value::Element(
                Domain::Int { .. } | Domain::Side | Domain::Port | Domain::Player,
                _,
            ) => {
                format!("{} {}", noun.one, self.constant_in_words(value))
            }
            Value::Element(..) | Value::Effect(_) => self.constant_in_words(value),
            Value::Set(values) | Value::List(values) if values.is_empty() => return None,
            Value::List(values) if values.iter().all(|one| matches!(one, Value::Effect(_))) => {
                self.constant_in_words(value)
            }
            Value::Set(values) | Value::List(values) if values.len() > ELEMENTS_MAX => {
                noun.amount(values.len() as i64)
            }
            Value::Bag(counts) if counts.is_empty() => return None,
            Value::Set(_) | Value::List(_) | Value::Bag(_) => {
                format!("{} {}", noun.one, self.constant_in_words(value))
            }
        };
        let of_numbers = match &self.rules.tables[table.index()].columns[column.index()].ty {
            Ty::Set(domain) => matches!(domain, Domain::Int { .. }),
            _ => false,
        };
        let is_said = of_numbers || name.to_lowercase().contains(&text.to_lowercase());
        (!is_said).then_some(text)
    }
}
