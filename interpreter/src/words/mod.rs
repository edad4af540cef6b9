//! Words of the state as text, and text as answers: one spelling for scenarios, replays, logs and the window.

mod answer;
mod asked;
mod chance;
mod changed;
mod condition;
mod decision;
mod details;
mod effect;
mod ending;
mod event;
mod fold;
mod given;
mod matching;
mod mentions;
mod named;
mod observed;
mod offer;
mod picture;
mod places;
mod reason;
mod speech;
mod tale;
mod telling;
mod typed;

use crate::Program;
use crate::machine::Machine;
use crate::observe::Seen;
use crate::program::*;
use dsl::ir::{self, CellOwner, Domain, RuleSet, Ty};
use dsl::source::{SourceSet, Span};

pub use answer::print;
pub use matching::{Matched, same_text};
pub use named::Walking;
pub use observed::{Change, News};
pub use offer::Offer;
pub use places::Coordinate;
pub use reason::{Refusal, RefusalKind};
pub use tale::{Heard, Sentence};
pub use telling::{Hears, Telling, in_order};

/// A value copied out of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    pub(crate) shape: Shape,
    pub(crate) words: Vec<i32>,
}

/// A value in a message, as far as it may be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Quoted {
    Held(Held),
    /// A place that cannot be looked into.
    Zone(Slot, Seen),
    Unseen,
}

impl Held {
    /// The word of a scalar.
    pub fn word(&self) -> i32 {
        self.words.first().copied().unwrap_or(NONE)
    }
}

/// Names of everything in a rule set lowered for a number of players.
#[derive(Clone, Copy)]
pub struct Words<'a> {
    /// The rules as they are checked.
    pub rules: &'a RuleSet,
    /// The same, ready to be played.
    pub program: &'a Program,
    /// The texts of the rules, where they are at hand.
    pub sources: Option<&'a SourceSet>,
}

/// `a`, `a and b`, `a, b and c`
pub fn listed<T: AsRef<str>>(words: &[T], joint: &str) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} {joint} {last}", first.join(", ")),
    }
}

/// Directions in the order of their elements.
/// `A` for seat 0.
pub(crate) fn letter(seat: i32) -> String {
    match u8::try_from(seat) {
        Ok(seat) if seat < 26 => char::from(b'A' + seat).to_string(),
        _ => "nobody".into(),
    }
}

impl<'a> Words<'a> {
    /// Words for the states of a program.
    pub fn new(rules: &'a RuleSet, program: &'a Program) -> Words<'a> {
        Words {
            rules,
            program,
            sources: None,
        }
    }

    /// With the texts, so that sentences can name a file and line.
    pub fn with_sources(self, sources: &'a SourceSet) -> Words<'a> {
        Words {
            sources: Some(sources),
            ..self
        }
    }

    /// `A` for seat 0.
    pub fn seat(&self, seat: i32) -> String {
        letter(seat)
    }

    /// `play.rules:91`, if the texts are there.
    pub fn place(&self, span: Span) -> Option<String> {
        let sources = self.sources?;
        let (line, _) = sources.line_column(span);
        let path = &sources.file(span.file).path;
        let name = path.rsplit('/').next().unwrap_or(path);
        Some(format!("{name}:{line}"))
    }

    /// What is written at a place.
    pub fn slice(&self, span: Span) -> Option<&'a str> {
        let text = self.sources?.text(span.file);
        text.get(span.start as usize..span.end as usize)
    }

    // ---------------------------------------------------------------------------------------------- values

    /// The name of an element of a domain, by its word.
    pub fn element(&self, domain: Domain, word: i32) -> String {
        if word == NONE {
            return "none".into();
        }
        if word == UNKNOWN {
            return "unknown".into();
        }
        let at = usize::try_from(word).unwrap_or(usize::MAX);
        let found = match domain {
            Domain::Table(id) => self.rules.tables[id.index()]
                .rows
                .get(at)
                .map(|row| row.name.clone()),
            Domain::Enum(id) => self.rules.enums[id.index()].members.get(at).cloned(),
            Domain::Player => Some(self.seat(word)),
            Domain::Cell => self.position(word),
            Domain::Side => self.lattice().name(at as u32),
            Domain::Port => self.lattice().port_name(at as u32).map(str::to_owned),
            Domain::Action => self.rules.actions.get(at).map(|a| a.name.clone()),
            Domain::Part(table) => self.part(table, word),
            Domain::Int { .. } => Some(word.to_string()),
        };
        found.unwrap_or_else(|| format!("#{word}"))
    }

    /// `cell(3, -2)`
    fn position(&self, word: i32) -> Option<String> {
        let (row, column) = self.coordinates(word)?;
        Some(format!("cell({row}, {column})"))
    }

    pub(crate) fn coordinates(&self, word: i32) -> Option<(i32, i32)> {
        let tiling = self.program.tiling.as_ref()?;
        let at = usize::try_from(word).ok()?;
        Some((*tiling.rows.get(at)?, *tiling.columns.get(at)?))
    }

    /// A part on the tiling: `part(cell(0, 2), 1)`, the position and which part of its tile.
    fn part(&self, table: ir::TableId, word: i32) -> Option<String> {
        let (position, at) = self.part_place(table, word)?;
        Some(format!(
            "part({}, {})",
            self.element(self.positions(), position),
            at + 1
        ))
    }

    pub(crate) fn part_place(&self, table: ir::TableId, word: i32) -> Option<(i32, i32)> {
        let tiling = self.program.tiling.as_ref()?;
        let code = tiling.parts.iter().find(|p| p.table == table)?;
        let max = code.max as i32;
        Some((word.div_euclid(max), word.rem_euclid(max)))
    }

    /// What the tiling's positions look like.
    fn lattice(&self) -> ir::Lattice {
        let tiling = self.rules.tiling.as_ref();
        tiling.map_or(ir::Lattice::Squares, |tiling| tiling.lattice)
    }

    /// What the tiling's positions are.
    pub(crate) fn positions(&self) -> Domain {
        self.rules
            .tiling
            .as_ref()
            .map_or(Domain::Cell, |t| t.positions)
    }

    /// A scalar of this type.
    pub fn scalar(&self, ty: &Ty, word: i32) -> String {
        if word == NONE {
            return "none".into();
        }
        if word == UNKNOWN {
            return "unknown".into();
        }
        match ty.required() {
            Ty::Int { .. } | Ty::Walk(_) => word.to_string(),
            Ty::Bool => (word != 0).to_string(),
            Ty::Text => self
                .rules
                .texts
                .get(word as usize)
                .map_or_else(|| format!("text {word}"), |text| format!("\"{text}\"")),
            Ty::Element(domain) => self.element(*domain, word),
            Ty::Effect(_) => self
                .rules
                .effects
                .get(word as usize)
                .map_or_else(|| format!("effect {word}"), |e| e.text.clone()),
            Ty::Formula { .. } => self
                .rules
                .formulas
                .get(word as usize)
                .map_or_else(|| format!("formula {word}"), |f| f.name.clone()),
            _ => word.to_string(),
        }
    }

    /// A value of this type.
    pub fn value(&self, ty: &Ty, value: &Held) -> String {
        if value.shape == Shape::Scalar {
            return self.scalar(ty, value.word());
        }
        let element = ty.required().element().unwrap_or(Ty::INT);
        let one = |word: i32| self.scalar(&element, word);
        let words = &value.words;
        match value.shape {
            Shape::Scalar => self.scalar(ty, value.word()),
            Shape::Set { n, low } => {
                let items = set_items(words, n, low).map(one).collect::<Vec<_>>();
                format!("{{{}}}", items.join(", "))
            }
            Shape::Bag { n, low } => {
                let items: Vec<String> = (0..n as usize)
                    .filter(|at| words.get(*at).is_some_and(|count| *count > 0))
                    .map(|at| format!("{}: {}", one(low + at as i32), words[at]))
                    .collect();
                format!("{{{}}}", items.join(", "))
            }
            Shape::List { deck, .. } => {
                let items: Vec<String> = list_items(words, deck).map(one).collect();
                format!("[{}]", items.join(", "))
            }
            Shape::Row { n } => {
                let items: Vec<String> = words.iter().take(n as usize).map(|w| one(*w)).collect();
                format!("[{}]", items.join(", "))
            }
            Shape::Agenda { width } => self.agenda(words, width as usize),
        }
    }

    fn agenda(&self, words: &[i32], width: usize) -> String {
        let count = words.first().copied().unwrap_or(0).max(0) as usize;
        let entry = |at: usize| -> Option<String> {
            let entry = words.get(1 + at * width..1 + (at + 1) * width)?;
            let text = print(&self.entry(&entry[1..]));
            Some(if entry[0] == 1 {
                format!("must {text}")
            } else {
                format!("may {text}")
            })
        };
        let items: Vec<String> = (0..count).filter_map(entry).collect();
        format!("[{}]", items.join(", "))
    }

    /// A constant as it is written: an option's value, a column's.
    pub fn constant(&self, value: &ir::Value) -> String {
        use ir::Value;
        let all = |values: &[Value]| {
            let texts: Vec<String> = values.iter().map(|value| self.constant(value)).collect();
            texts.join(", ")
        };
        match value {
            Value::None => "none".into(),
            Value::Int(number) => number.to_string(),
            Value::Bool(yes) => yes.to_string(),
            Value::Text(text) => plain_or_quoted(self.rules.text(*text)),
            Value::Element(Domain::Int { low, .. }, at) => {
                (i64::from(*low) + i64::from(*at)).to_string()
            }
            Value::Element(domain, at) => self.scalar(&Ty::Element(*domain), *at as i32),
            Value::Set(values) => format!("{{{}}}", all(values)),
            Value::List(values) => format!("[{}]", all(values)),
            Value::Bag(counts) => {
                let texts: Vec<String> = counts
                    .iter()
                    .map(|(value, count)| format!("{}: {count}", self.constant(value)))
                    .collect();
                format!("{{{}}}", texts.join(", "))
            }
            Value::Effect(id) => self.rules.effects[id.index()].text.clone(),
            Value::Formula(id) => self.rules.formulas[id.index()].name.clone(),
        }
    }

    /// Options with another value than the game has of itself, and that value.
    pub fn options_changed(&self) -> Vec<(String, String)> {
        let is_of_game = |option: &ir::GameOption| {
            // What who plays sets has the place of the declaration.
            let own = option.set_at.filter(|place| *place != option.span);
            let layer = own.and_then(|place| self.rules.layer_of(place));
            layer.is_some_and(|layer| !self.rules.layers[layer.index()].overlay)
        };
        let options = self.rules.options.iter();
        options
            .filter(|option| option.value != option.default && !is_of_game(option))
            .map(|option| (option.name.clone(), self.constant(&option.value)))
            .collect()
    }

    // ---------------------------------------------------------------------------------------------- cells

    /// The name of a cell without owner: `hand`.
    pub fn cell(&self, slot: Slot) -> &'a str {
        &self.rules.cells[slot.at()].name
    }

    /// The cell whose shuffles a stream of chance decides: `draw_pile`, `stack[coal, 2]`. Of a table without rows there is none.
    pub(crate) fn stream_cell(&self, stream: u32) -> Option<String> {
        let mut cells = self.program.cells.iter().enumerate();
        let (at, cell) =
            cells.find(|(_, cell)| (cell.stream..cell.stream + cell.slots).contains(&stream))?;
        Some(self.cell_slot(Slot(at as u32), stream - cell.stream))
    }

    /// The name of one slot of a cell: `A.hand`, `route["berlin-hamburg-1"].owner`, `stack[coal, 2]`.
    pub fn cell_slot(&self, slot: Slot, index: u32) -> String {
        let cell = &self.rules.cells[slot.at()];
        let layout = &self.program.cells[slot.at()];
        let values: Vec<i32> = layout
            .dims
            .iter()
            .map(|(low, n, stride)| low + (index / stride % n) as i32)
            .collect();
        let mut text = String::new();
        let mut rest = values.as_slice();
        if let (CellOwner::Each(domain), [owner, others @ ..]) = (cell.owner, rest) {
            text.push_str(&self.owner(domain, *owner));
            text.push('.');
            rest = others;
        }
        text.push_str(&cell.name);
        if !rest.is_empty() {
            let indices: Vec<String> = rest
                .iter()
                .zip(&cell.indices)
                .map(|(value, domain)| plain_or_quoted(&self.element(*domain, *value)))
                .collect();
            text.push('[');
            text.push_str(&indices.join(", "));
            text.push(']');
        }
        text
    }

    /// An element in front of a dot.
    fn owner(&self, domain: Domain, word: i32) -> String {
        let name = self.element(domain, word);
        match domain {
            Domain::Table(id) if !is_word(&name) => {
                format!("{}[{}]", self.rules.tables[id.index()].name, quoted(&name))
            }
            _ => name,
        }
    }

    /// Which slot of which cell a word of the state belongs to, and which word of the slot it is.
    pub fn cell_of(&self, word: u32) -> Option<(Slot, u32, u32)> {
        let cells = &self.program.cells;
        let at = cells
            .partition_point(|cell| cell.base <= word)
            .checked_sub(1)?;
        // Cells without slots take no room: the last one that begins here may be empty.
        let at = (0..=at).rev().find(|at| {
            let cell = &cells[*at];
            word < cell.base + cell.words * cell.slots
        })?;
        let cell = &cells[at];
        (word >= cell.base).then(|| {
            let offset = word - cell.base;
            (Slot(at as u32), offset / cell.words, offset % cell.words)
        })
    }

    /// What a slot holds now.
    pub fn slot_value(&self, machine: &Machine<'_>, slot: Slot, index: u32) -> Held {
        let cell = &self.program.cells[slot.at()];
        let start = (cell.base + index * cell.words) as usize;
        let words = machine.m[start..start + cell.shape.words()].to_vec();
        Held {
            shape: cell.shape,
            words,
        }
    }

    /// What a slot holds now, as text.
    pub fn slot_text(&self, machine: &Machine<'_>, slot: Slot, index: u32) -> String {
        let held = self.slot_value(machine, slot, index);
        self.value(&self.rules.cells[slot.at()].ty, &held)
    }

    /// All slots of the state with their values, in the order of the rules.
    pub fn slots(&self) -> impl Iterator<Item = (Slot, u32)> + '_ {
        self.program
            .cells
            .iter()
            .enumerate()
            .flat_map(|(at, cell)| (0..cell.slots).map(move |index| (Slot(at as u32), index)))
    }

    // ---------------------------------------------------------------------------------------------- rule ids

    /// Rule ids of what a span stands in, innermost carriers first.
    pub fn tags(&self, span: Span) -> Vec<&'a str> {
        let mut found: Vec<(u32, &str)> = self
            .rules
            .tags
            .iter()
            .filter(|tag| {
                let carrier = tag.carrier;
                carrier.file == span.file && carrier.start <= span.start && span.end <= carrier.end
            })
            .map(|tag| (tag.carrier.end - tag.carrier.start, tag.id.as_str()))
            .collect();
        found.sort_by_key(|(size, _)| *size);
        // Only the innermost carriers: a flow carries the ids of every line in it.
        let least = found.first().map(|f| f.0);
        found
            .into_iter()
            .filter(|f| Some(f.0) == least)
            .map(|f| f.1)
            .collect()
    }

    /// Title of the overlay a span stands in, if it stands in one.
    pub fn overlay(&self, span: Span) -> Option<&'a str> {
        let layer = &self.rules.layers[self.rules.layer_of(span)?.index()];
        layer.overlay.then_some(layer.title.as_str())
    }
}

/// Elements of a set's words.
pub(crate) fn set_items(words: &[i32], n: u32, low: i32) -> impl Iterator<Item = i32> + '_ {
    (0..n).filter_map(move |at| {
        let word = *words.get((at / 32) as usize)? as u32;
        (word >> (at % 32) & 1 == 1).then_some(low + at as i32)
    })
}

/// A name that needs no quotes.
pub(crate) fn is_word(text: &str) -> bool {
    let mut chars = text.chars();
    chars
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_plain(text: &str) -> bool {
    is_word(text) || text.parse::<i64>().is_ok() || answer::is_call(text)
}

/// In quotes where a name in an index needs them.
fn plain_or_quoted(text: &str) -> String {
    if is_plain(text) {
        text.to_owned()
    } else {
        quoted(text)
    }
}

/// In quotes, on one line: a quote, a backslash and what ends lines are written with a backslash.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => quoted.extend(c.escape_unicode()),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// The text in quotes that begins at the front, as [`quoted`] writes it, and how many bytes it takes with its quotes.
pub fn unquoted(text: &str) -> Option<(String, usize)> {
    let inner = text.strip_prefix('"')?;
    let mut value = String::new();
    let mut letters = inner.char_indices();
    while let Some((at, c)) = letters.next() {
        match c {
            '"' => return Some((value, at + 2)),
            '\\' => match letters.next()?.1 {
                'n' => value.push('\n'),
                'u' => {
                    let rest = inner.get(at + 2..)?.strip_prefix('{')?;
                    let (digits, _) = rest.split_once('}')?;
                    value.push(char::from_u32(u32::from_str_radix(digits, 16).ok()?)?);
                    letters.nth(digits.len() + 1);
                }
                c => value.push(c),
            },
            c => value.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{quoted, unquoted};

    #[test]
    fn what_is_quoted_is_read_back() {
        for text in [
            "",
            "a",
            "a\"b",
            "a\\",
            "\\n",
            "a\nb\r\u{1b}",
            "(done)",
            "ä\u{85}ö",
        ] {
            let written = format!("{}, more", quoted(text));
            let read = unquoted(&written);
            assert_eq!(
                read,
                Some((text.to_owned(), written.len() - 6)),
                "{written}"
            );
            assert_eq!(written.lines().count(), 1);
        }
        assert_eq!(unquoted("\"a"), None);
    }
}
