//! Places of a board by rows and columns, as they are called.

use super::Words;
use dsl::ir::{PhrasePart, Saying};

/// A row or column of the board, as the names of its places say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coordinate {
    /// Of the row or column, as rules count.
    pub number: i32,
    /// `6`, `f`
    pub sign: String,
    /// With the words around it: `row 6`; the sign alone, if these say more than one of both.
    pub said: String,
    /// The last row is the first that is counted.
    pub upwards: bool,
}

impl Words<'_> {
    pub(super) fn place_called(&self, word: i32) -> Option<String> {
        let at = self.coordinates(word)?;
        let Some(phrase) = &self.speech().place else {
            let (row, column) = (at.0.to_string(), at.1.to_string());
            return Some(self.say(Saying::Place, &[("row", &row), ("column", &column)]));
        };
        let parts = phrase.parts.iter().map(|part| match part {
            PhrasePart::Text(text) => text.clone(),
            PhrasePart::Hole { name, .. } => self.coordinate(name, at),
        });
        Some(parts.collect())
    }

    /// What stands for a row or column in the name of a place, by the name of the hole.
    fn coordinate(&self, hole: &str, (row, column): (i32, i32)) -> String {
        match hole {
            "row" => row.to_string(),
            "row.up" => (self.last_row() + 1 - row).to_string(),
            "row.letter" => letters(row),
            "column.letter" => letters(column),
            _ => column.to_string(),
        }
    }

    /// How the name of a place says its row, then its column, each as far as it does: `f6` says `6` and `f`. None of what is no
    /// place of the board by rows and columns.
    pub fn row_and_column(&self, word: i32) -> Option<[Option<Coordinate>; 2]> {
        let at = self.coordinates(word)?;
        let template = match &self.speech().place {
            None => self.speech().saying(Saying::Place).to_owned(),
            Some(phrase) => {
                let parts = phrase.parts.iter().map(|part| match part {
                    PhrasePart::Text(text) => text.clone(),
                    PhrasePart::Hole { name, .. } => format!("{{{name}}}"),
                });
                parts.collect()
            }
        };
        let said = |axis: &str, number: i32| {
            let begin = template.find(&format!("{{{axis}"))?;
            let end = begin + template[begin..].find('}')?;
            let hole = &template[begin + 1..end];
            let sign = self.coordinate(hole, at);
            // The part of the name that says nothing else.
            let from = template[..begin].rfind(',').map_or(0, |comma| comma + 1);
            let to = template[end..]
                .find(',')
                .map_or(template.len(), |comma| end + comma);
            let part = template[from..to].trim();
            let alone = part.matches('{').count() == 1;
            Some(Coordinate {
                number,
                said: match alone {
                    true => part.replace(&format!("{{{hole}}}"), &sign),
                    false => sign.clone(),
                },
                sign,
                upwards: hole.ends_with(".up"),
            })
        };
        Some([said("row", at.0), said("column", at.1)])
    }

    fn last_row(&self) -> i32 {
        let tiling = self.program.tiling.as_ref();
        let rows = tiling.and_then(|tiling| tiling.rows.iter().max());
        rows.copied().unwrap_or(0)
    }
}

/// `a` for 1, `z` for 26, `aa` for 27; other numbers are written.
fn letters(at: i32) -> String {
    if at < 1 {
        return at.to_string();
    }
    let mut rest = at - 1;
    let mut text = Vec::new();
    loop {
        text.push(char::from(b'a' + (rest % 26) as u8));
        rest = rest / 26 - 1;
        if rest < 0 {
            break;
        }
    }
    text.iter().rev().collect()
}
