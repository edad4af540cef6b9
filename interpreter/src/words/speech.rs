//! Names and values as people say them. What is written in rules, scenarios and replays is said by [`Words::value`].

use super::{Held, Words, set_items};
use crate::program::*;
use dsl::ir::{
    self, CellOwner, ColumnId, DeedId, Domain, Noun, Numbered, Phrase, PhrasePart, Saying, Speech,
    TableId, Ty, Value,
};

/// What fills the holes of a text: their names, and what stands for them.
pub(crate) type Filling<'t> = [(&'t str, &'t str)];

impl<'a> Words<'a> {
    pub(crate) fn speech(&self) -> &'a Speech {
        &self.rules.speech
    }

    /// What the product says, in the language chosen.
    pub fn say(&self, saying: Saying, holes: &Filling<'_>) -> String {
        let mut text = String::new();
        let mut rest = self.speech().saying(saying);
        while let Some((before, behind)) = rest.split_once('{') {
            let Some((name, after)) = behind.split_once('}') else {
                break;
            };
            text.push_str(before);
            let value = holes.iter().find(|hole| hole.0 == name);
            text.push_str(value.map_or("…", |hole| hole.1));
            rest = after;
        }
        text + rest
    }

    /// `a`, `a and b`, `a, b and c`
    pub fn list(&self, words: &[String]) -> String {
        super::listed(words, &self.say(Saying::And, &[]))
    }

    // ---------------------------------------------------------------------------------------------- elements

    /// What people call an element.
    pub fn called(&self, domain: Domain, word: i32) -> String {
        if word == NONE {
            return self.say(Saying::NoThing, &[]);
        }
        if word == UNKNOWN {
            return self.say(Saying::NotSeen, &[]);
        }
        let at = usize::try_from(word).unwrap_or(usize::MAX);
        let speech = self.speech();
        let found = match domain {
            Domain::Table(id) => {
                let words = speech.tables.get(id.index());
                words.and_then(|words| words.rows.get(at).cloned())
            }
            Domain::Enum(id) => {
                let words = speech.enums.get(id.index());
                words.and_then(|words| words.members.get(at).cloned())
            }
            Domain::Player => Some(self.seat(word)),
            Domain::Cell => self.place_called(word),
            Domain::Side | Domain::Port => Some(self.direction(&self.element(domain, word))),
            Domain::Action => speech.deeds.get(at).map(|deed| deed.name.clone()),
            Domain::Part(table) => self.part_place(table, word).map(|(position, part)| {
                let place = self.called(self.positions(), position);
                let part = (part + 1).to_string();
                self.say(Saying::PartOf, &[("part", &part), ("place", &place)])
            }),
            Domain::Int { .. } => Some(number(i64::from(word))),
        };
        found.unwrap_or_else(|| self.element(domain, word))
    }

    fn direction(&self, name: &str) -> String {
        let saying = match name {
            "n" => Saying::North,
            "ne" => Saying::NorthEast,
            "e" => Saying::East,
            "se" => Saying::SouthEast,
            "s" => Saying::South,
            "sw" => Saying::SouthWest,
            "w" => Saying::West,
            "nw" => Saying::NorthWest,
            _ => return plain(name),
        };
        self.say(saying, &[])
    }

    /// What things of a kind are called; none of what has no name.
    pub(crate) fn noun(&self, ty: &Ty) -> Option<&'a Noun> {
        let Ty::Element(domain) = ty.required() else {
            return None;
        };
        let speech = self.speech();
        let kind = |kind: ir::Kind| speech.kinds.get(&kind);
        let noun = match domain {
            Domain::Table(id) | Domain::Part(id) => Some(&speech.tables.get(id.index())?.noun),
            Domain::Enum(id) => Some(&speech.enums.get(id.index())?.noun),
            Domain::Player => kind(ir::Kind::Player),
            Domain::Cell => kind(ir::Kind::Place),
            Domain::Side | Domain::Port => kind(ir::Kind::Direction),
            Domain::Action => kind(ir::Kind::Action),
            Domain::Int { .. } => None,
        };
        noun.filter(|noun| !noun.one.is_empty())
    }

    /// What a step is called.
    pub(crate) fn label_called(&self, label: ir::LabelId) -> String {
        let said = self.speech().labels.get(label.index());
        said.cloned()
            .unwrap_or_else(|| plain(&self.rules.labels[label.index()].name))
    }

    // ---------------------------------------------------------------------------------------------- values

    /// A scalar of this type, in words.
    pub fn said(&self, ty: &Ty, word: i32) -> String {
        if word == NONE {
            return self.say(Saying::NoThing, &[]);
        }
        if word == UNKNOWN {
            return self.say(Saying::NotSeen, &[]);
        }
        match ty.required() {
            Ty::Element(domain) => self.called(*domain, word),
            Ty::Bool if word == 0 => self.say(Saying::No, &[]),
            Ty::Bool => self.say(Saying::Yes, &[]),
            Ty::Text => self
                .rules
                .texts
                .get(word as usize)
                .map_or_else(|| word.to_string(), |text| on_one_line(text)),
            Ty::Effect(_) => match self.rules.effects.get(word as usize) {
                Some(effect) => self.effect(effect),
                None => self.scalar(ty, word),
            },
            Ty::Formula { .. } => match usize::try_from(word) {
                Ok(at) if at < self.rules.formulas.len() => {
                    self.formula(ir::FormulaId(word as u32))
                }
                _ => self.scalar(ty, word),
            },
            Ty::Int { .. } | Ty::Walk(_) => number(i64::from(word)),
            Ty::Set(_)
            | Ty::Bag(_)
            | Ty::List(_)
            | Ty::Deck(_)
            | Ty::Row(_)
            | Ty::Agenda
            | Ty::Optional(_) => self.scalar(ty, word),
        }
    }

    /// What is chosen where a choice asks for a value: of a number that says how a tile is turned, how.
    pub(super) fn said_of(&self, choice: &ChoiceOp, value: i32) -> String {
        let Some(Numbered::Turn(ways)) = self.speech().numbered.get(&choice.span) else {
            return self.said(&choice.ty, value);
        };
        let degrees = (i64::from(value) * 360 / i64::from((*ways).max(1))).rem_euclid(360);
        match degrees {
            0 => self.say(Saying::Upright, &[]),
            180 => self.say(Saying::UpsideDown, &[]),
            degrees => self.say(Saying::TurnedBy, &[("degrees", &degrees.to_string())]),
        }
    }

    /// A value of this type, in words.
    pub fn in_words(&self, ty: &Ty, value: &Held) -> String {
        self.told_by(ty, value, |ty, word| self.said(ty, word))
    }

    /// The same, and behind each row what one must know of it where the rules say that.
    pub(crate) fn in_full(&self, ty: &Ty, value: &Held) -> String {
        self.told_by(ty, value, |ty, word| {
            let said = self.said(ty, word);
            match self.must_know(ty, word) {
                Some(known) => format!("{said} ({known})"),
                None => said,
            }
        })
    }

    /// `each` says what one element is called, or a single value.
    fn told_by(&self, ty: &Ty, value: &Held, each: impl Fn(&Ty, i32) -> String) -> String {
        let element = ty.required().element().unwrap_or(Ty::INT);
        let words = &value.words;
        let one = |word: &i32| each(&element, *word);
        let items: Vec<String> = match value.shape {
            Shape::Scalar => return each(ty, value.word()),
            Shape::Set { n, low } => set_items(words, n, low).map(|word| one(&word)).collect(),
            Shape::Bag { n, low } => {
                let counts = words.iter().take(n as usize).zip(low..);
                let counts = counts.filter(|(count, _)| **count > 0);
                counts
                    .flat_map(|(count, piece)| {
                        counted(*count, self.of_several(&element, piece, *count))
                    })
                    .collect()
            }
            Shape::List { deck, .. } => {
                let items = list_items(words, deck).map(|word| one(&word));
                return self.in_order(items.collect());
            }
            Shape::Row { n } => {
                let places = words.iter().take(n as usize);
                let places = places.map(|word| match *word {
                    NONE => "–".to_owned(),
                    _ => one(word),
                });
                return self.in_order(places.collect());
            }
            Shape::Agenda { .. } => return self.value(ty, value),
        };
        match items.is_empty() {
            true => self.say(Saying::Nothing, &[]),
            false => self.list(&items),
        }
    }

    /// What so many pieces of a kind are called: `red`, `locomotive`, `locomotives`
    pub(crate) fn of_several(&self, ty: &Ty, piece: i32, count: i32) -> String {
        let one = self.said(ty, piece);
        let many = match ty.required() {
            Ty::Element(Domain::Table(table)) if count.abs() != 1 => {
                let words = self.speech().tables.get(table.index());
                words.and_then(|words| words.several.get(&one))
            }
            Ty::Element(Domain::Enum(id)) if count.abs() != 1 => {
                let words = self.speech().enums.get(id.index());
                words.and_then(|words| words.several.get(&one))
            }
            _ => None,
        };
        many.cloned().unwrap_or(one)
    }

    fn in_order(&self, items: Vec<String>) -> String {
        match items.is_empty() {
            true => self.say(Saying::Nothing, &[]),
            false => items.join(", "),
        }
    }

    /// A constant in words: a column's value, an option's.
    pub fn constant_in_words(&self, value: &Value) -> String {
        match value {
            Value::Element(Domain::Int { low, .. }, at) => number(i64::from(*low) + i64::from(*at)),
            Value::Element(domain, at) => self.called(*domain, *at as i32),
            Value::Int(n) => number(i64::from(*n)),
            Value::Bool(yes) => self.said(&Ty::Bool, i32::from(*yes)),
            Value::None => self.say(Saying::NoThing, &[]),
            Value::Text(text) => self.rules.text(*text).to_owned(),
            Value::Set(values) | Value::List(values) => {
                let values = values.iter().map(|value| self.constant_in_words(value));
                self.in_order(values.collect())
            }
            Value::Bag(counts) => {
                let counts = counts.iter();
                let counts = counts.flat_map(|(value, count)| {
                    counted(
                        i32::try_from(*count).unwrap_or(i32::MAX),
                        self.constant_in_words(value),
                    )
                });
                self.in_order(counts.collect())
            }
            Value::Effect(id) => self.effect(&self.rules.effects[id.index()]),
            Value::Formula(id) => self.formula(*id),
        }
    }

    // ---------------------------------------------------------------------------------------------- phrases

    /// An action with the arguments that are known, in the order of its parameters.
    pub(crate) fn deed_with(&self, action: ir::ActionId, values: &[Option<String>]) -> String {
        let Some(deed) = self.speech().deeds.get(DeedId::of(action).index()) else {
            return String::new();
        };
        let known = values.iter().flatten();
        let action = &self.rules.actions[action.index()];
        let named = |name: &str| {
            let mut params = action.params.iter().zip(values);
            let (_, value) =
                params.find(|(param, _)| action.code.locals[param.local.index()].name == name)?;
            value.clone()
        };
        // A name that was given to it says all.
        if known.clone().count() == 0 || deed.tells.is_some() && deed.asks.is_none() {
            return deed.name.clone();
        }
        match deed
            .asks
            .as_ref()
            .and_then(|phrase| self.fill(phrase, &named))
        {
            Some(text) => text,
            None if deed.asks.is_some() => deed.name.clone(),
            None => {
                let known: Vec<String> = known.cloned().collect();
                format!("{} {}", deed.name, known.join(", "))
            }
        }
    }

    /// A phrase whose holes hold plain texts; none if one is not known.
    pub(crate) fn fill(
        &self,
        phrase: &Phrase,
        value: &dyn Fn(&str) -> Option<String>,
    ) -> Option<String> {
        filled(phrase, |name, columns, unit| {
            let value = value(name)?;
            match (unit, columns.is_empty()) {
                (_, false) => None,
                (Some(unit), true) => {
                    let count = value.replace('−', "-").parse();
                    Some(count.map_or(value, |count| unit.amount(count)))
                }
                (None, true) => Some(value),
            }
        })
    }

    /// A phrase, its holes filled with values; none if one is not known.
    pub(crate) fn phrase(&self, phrase: &Phrase, values: &[Chosen]) -> Option<String> {
        filled(phrase, |name, columns, unit| {
            let chosen = values.iter().rev().find(|chosen| chosen.name == name)?;
            Some(self.hole(chosen, columns, unit))
        })
    }

    /// What stands for a hole, if it is known.
    pub(super) fn known_hole(&self, part: &PhrasePart, values: &[Chosen]) -> Option<String> {
        let PhrasePart::Hole {
            name,
            columns,
            unit,
            ..
        } = part
        else {
            return None;
        };
        let chosen = values.iter().rev().find(|chosen| chosen.name == *name)?;
        Some(self.hole(chosen, columns, unit.as_ref()))
    }

    /// The same, up to the first value that is not known yet; none if that is the first of all.
    pub(crate) fn phrase_so_far(&self, phrase: &Phrase, values: &[Chosen]) -> Option<String> {
        let known = |part: &PhrasePart| match part {
            PhrasePart::Text(_) => true,
            PhrasePart::Hole { name, .. } => values.iter().any(|chosen| chosen.name == *name),
        };
        let end = phrase.parts.iter().position(|part| !known(part));
        let Some(end) = end else {
            return self.phrase(phrase, values);
        };
        let parts = phrase.parts[..end].to_vec();
        let some = parts
            .iter()
            .any(|part| matches!(part, PhrasePart::Hole { .. }));
        let text = self.phrase(&Phrase { parts }, values)?;
        some.then(|| format!("{text}…"))
    }

    pub(crate) fn hole(
        &self,
        chosen: &Chosen,
        columns: &[(TableId, ColumnId)],
        unit: Option<&Noun>,
    ) -> String {
        let mut ty = chosen.ty.clone();
        let mut word = chosen.held.word();
        let mut last = None;
        for (table, column) in columns {
            let rows = &self.rules.tables[table.index()].rows;
            let Some(row) = usize::try_from(word).ok().and_then(|at| rows.get(at)) else {
                return self.say(Saying::NoThing, &[]);
            };
            let value = &row.values[column.index()];
            ty = self.rules.tables[table.index()].columns[column.index()]
                .ty
                .clone();
            word = match value {
                Value::Int(n) => *n,
                Value::Element(_, at) => *at as i32,
                _ => NONE,
            };
            last = Some(value);
        }
        let count = match (last, ty.required()) {
            (Some(Value::Int(n)), _) => Some(*n),
            (None, Ty::Int { .. }) if chosen.held.shape == Shape::Scalar => Some(word),
            _ => None,
        };
        match (unit, count, last) {
            (Some(unit), Some(count), _) => unit.amount(i64::from(count)),
            (_, _, Some(value)) => self.constant_in_words(value),
            (_, _, None) => self.in_words(&chosen.ty, &chosen.held),
        }
    }

    // ---------------------------------------------------------------------------------------------- cells

    /// What a cell is called and counts; none if it is not told of.
    pub(crate) fn cell_noun(&self, slot: Slot) -> Option<&'a Noun> {
        self.speech().cells.get(slot.at())?.as_ref()
    }

    /// Whose a slot is, if it has an owner.
    pub fn owner_of(&self, slot: Slot, index: u32) -> Option<(Domain, i32)> {
        self.slot_parts(slot, index).0
    }

    /// Whose a slot is, if it has an owner, and what its indices are called.
    pub(crate) fn slot_parts(
        &self,
        slot: Slot,
        index: u32,
    ) -> (Option<(Domain, i32)>, Vec<String>) {
        let cell = &self.rules.cells[slot.at()];
        let layout = &self.program.cells[slot.at()];
        let mut values: Vec<i32> = layout
            .dims
            .iter()
            .map(|(low, n, stride)| low + (index / stride % n) as i32)
            .collect();
        let owner = match cell.owner {
            CellOwner::Each(domain) if !values.is_empty() => Some((domain, values.remove(0))),
            CellOwner::Each(_) | CellOwner::Game | CellOwner::Step(_) | CellOwner::Action(_) => {
                None
            }
        };
        let indices = values.iter().zip(&cell.indices);
        let indices = indices.map(|(value, domain)| self.called(*domain, *value));
        (owner, indices.collect())
    }

    /// A slot without its owner: `hand`, `stack of track, level 3` is `stack track, 3`.
    pub(crate) fn slot_called(&self, slot: Slot, index: u32) -> String {
        let (_, indices) = self.slot_parts(slot, index);
        let cell = &self.rules.cells[slot.at()];
        let ty = cell.ty.required();
        let several = ty.is_container() || matches!(ty, Ty::Int { .. });
        let name = match self.cell_noun(slot) {
            None => plain(&cell.name),
            Some(noun) if several => noun.heading().to_owned(),
            Some(noun) => noun.one.clone(),
        };
        match indices.is_empty() {
            true => name,
            false => format!("{name} ({})", indices.join(", ")),
        }
    }

    /// Whose a slot is, with the kind of thing that is, and what it is called.
    pub fn owner_and_name(&self, slot: Slot, index: u32) -> (Option<String>, String) {
        let owner = self.slot_parts(slot, index).0.map(|(domain, word)| {
            let name = self.called(domain, word);
            match self.noun(&Ty::Element(domain)) {
                Some(noun) if !name.starts_with(&noun.one) => format!("{} {name}", noun.one),
                _ => name,
            }
        });
        (owner, self.slot_called(slot, index))
    }

    /// A slot with its owner: `hand of A`, `guest of Frankfurt`.
    pub fn slot_in_full(&self, slot: Slot, index: u32) -> String {
        let what = self.slot_called(slot, index);
        match self.slot_parts(slot, index).0 {
            None => what,
            Some((domain, word)) => {
                let owner = self.called(domain, word);
                self.say(Saying::Owned, &[("owner", &owner), ("what", &what)])
            }
        }
    }
}

/// Something that was chosen, under the name that the rules have for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chosen {
    pub name: String,
    pub ty: Ty,
    pub held: Held,
}

/// So many of what is called so: `2 red`, `1 locomotive`; of numbers each one, of many how often it is there: `5 (×12)`.
pub(crate) fn counted(count: i32, name: String) -> Vec<String> {
    const SINGLY_MAX: i32 = 6;
    let is_number = name
        .chars()
        .all(|letter| letter.is_ascii_digit() || letter == '−');
    match (is_number, usize::try_from(count)) {
        (true, Ok(each)) if count <= SINGLY_MAX => vec![name; each],
        (true, _) => vec![format!("{name} (×{count})")],
        (false, _) => vec![format!("{count} {name}")],
    }
}

/// `+2 coins`, `−1 wagon`, `money +300`
pub(crate) fn change(by: i64, noun: &Noun) -> String {
    let sign = if by < 0 { "−" } else { "+" };
    match noun.counted {
        true => format!("{sign}{} {}", by.unsigned_abs(), noun.of(by)),
        false => format!("{} {sign}{}", noun.one, by.unsigned_abs()),
    }
}

/// A number as people read it.
pub(crate) fn number(n: i64) -> String {
    match n < 0 {
        true => format!("−{}", n.unsigned_abs()),
        false => n.to_string(),
    }
}

/// The texts of a phrase with what stands for each hole; none if one is not known.
fn filled(
    phrase: &Phrase,
    hole: impl Fn(&str, &[(TableId, ColumnId)], Option<&Noun>) -> Option<String>,
) -> Option<String> {
    let parts = phrase.parts.iter().map(|part| match part {
        PhrasePart::Text(text) => Some(text.clone()),
        PhrasePart::Hole {
            name,
            columns,
            unit,
            ..
        } => hole(name, columns, unit.as_ref()),
    });
    parts.collect()
}

/// Without what ends lines or moves the cursor.
fn on_one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// A name as words.
pub(crate) fn plain(name: &str) -> String {
    name.replace('_', " ")
}
