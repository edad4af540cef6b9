//! A board in letters: what lies at each place, drawn where the place lies.

use super::Words;
use crate::observe::Seen;
use crate::program::{NONE, Shape, Slot};
use dsl::ir::{Coordinates, Lattice, Ty};

/// A board that is wider or higher is told place by place.
const LINES_MAX: i32 = 60;
const COLUMNS_MAX: i32 = 120;
/// Letters of a sign: what needs more is told place by place.
const SIGN_LETTERS_MAX: usize = 3;

impl Words<'_> {
    /// What is seen of a cell that each place has, as a picture with what its signs mean; none if it cannot be drawn, or
    /// nothing lies there.
    pub(super) fn drawn(&self, slot: Slot, seen: &[Seen]) -> Option<Vec<String>> {
        let tiling = self.rules.tiling.as_ref()?;
        let code = self.program.tiling.as_ref()?;
        let cell = &self.rules.cells[slot.at()];
        let drawable = tiling.tile.is_none()
            && cell.indices.is_empty()
            && self.program.cells[slot.at()].shape == Shape::Scalar;
        if !drawable || seen.len() != code.rows.len() {
            return None;
        }
        let values: Vec<i32> = seen
            .iter()
            .map(|seen| match seen {
                Seen::Open(words) => words.first().copied(),
                _ => None,
            })
            .collect::<Option<_>>()?;
        let is_empty = |value: i32| value == NONE || value == 0 && self.nothing_is_zero(&cell.ty);
        let mut kinds: Vec<i32> = values.iter().copied().filter(|v| !is_empty(*v)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        if kinds.is_empty() {
            return None;
        }
        let names: Vec<String> = kinds
            .iter()
            .map(|kind| self.scalar(&cell.ty, *kind))
            .collect();
        let signs = signs(&names)?;
        let width = signs.iter().map(|sign| sign.chars().count()).max()?;
        let written: Vec<Coordinates> = code
            .rows
            .iter()
            .copied()
            .zip(code.columns.iter().copied())
            .collect();
        let sign = |at: usize| {
            let kind = kinds.binary_search(&values[at]).ok();
            kind.map_or(".", |kind| signs[kind].as_str())
        };
        let mut lines = page(tiling.lattice, &written, width, sign)?;
        let meanings: Vec<String> = signs
            .iter()
            .zip(&names)
            .filter(|(sign, name)| sign != name)
            .map(|(sign, name)| format!("{sign} {name}"))
            .collect();
        let meanings = match meanings.is_empty() {
            true => String::new(),
            false => format!(" ({})", meanings.join(", ")),
        };
        lines.insert(0, format!("{}{meanings}:", cell.name));
        Some(lines)
    }

    /// Whether the first value of a type says that there is nothing.
    fn nothing_is_zero(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Int { .. } | Ty::Bool)
    }
}

/// For each name as few of its first letters as tell it from the others.
fn signs(names: &[String]) -> Option<Vec<String>> {
    let is_number = |name: &str| name.parse::<i32>().is_ok();
    names
        .iter()
        .map(|name| {
            if !name.is_ascii() {
                return None;
            }
            if is_number(name) {
                return (name.chars().count() <= SIGN_LETTERS_MAX).then(|| name.clone());
            }
            let others = || names.iter().filter(|other| *other != name);
            (1..=SIGN_LETTERS_MAX.min(name.chars().count()))
                .map(|letters| name.chars().take(letters).collect::<String>())
                .find(|sign| !others().any(|other| other.starts_with(sign.as_str())))
        })
        .collect()
}

/// The signs where their places lie, with the numbers of straight rows and columns beside them.
fn page<'s>(
    lattice: Lattice,
    written: &[Coordinates],
    width: usize,
    sign: impl Fn(usize) -> &'s str,
) -> Option<Vec<String>> {
    let drawn: Vec<Coordinates> = written.iter().map(|at| lattice.drawn(*at)).collect();
    let top = drawn.iter().map(|at| at.0).min()?;
    let left = drawn.iter().map(|at| at.1).min()?;
    let height = drawn.iter().map(|at| at.0).max()? - top + 1;
    // From place to place are two steps: they hold a sign and a blank.
    let step = (width as i32 + 2) / 2;
    let room = (drawn.iter().map(|at| at.1).max()? - left) * step + width as i32;
    if height > LINES_MAX || room > COLUMNS_MAX {
        return None;
    }
    let (rows_straight, columns_straight) = match lattice {
        Lattice::Squares => (true, true),
        Lattice::Hexes { flat, .. } => (!flat, flat),
    };
    let margin = match rows_straight {
        true => written.iter().map(|at| at.0.to_string().len()).max()? + 2,
        false => 0,
    };
    let blank = " ".repeat(margin + room as usize);
    let mut lines = vec![blank; height as usize + 1];
    let put = |line: &mut String, at: usize, text: &str| {
        let end = (at + text.len()).min(line.len());
        line.replace_range(at..end, &text[..end - at]);
    };
    for (at, (line, letter)) in drawn.iter().enumerate() {
        let (row, column) = written[at];
        let right = margin + ((letter - left) * step) as usize;
        let line = (line - top) as usize + 1;
        put(&mut lines[line], right, sign(at));
        if rows_straight {
            put(&mut lines[line], 0, &row.to_string());
        }
        if columns_straight {
            let number = column.rem_euclid(10_i32.pow(width.min(3) as u32));
            put(&mut lines[0], right, &number.to_string());
        }
    }
    if !columns_straight {
        lines.remove(0);
    }
    Some(
        lines
            .iter()
            .map(|line| format!("  {}", line.trim_end()))
            .collect(),
    )
}
