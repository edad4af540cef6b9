//! What is drawn with: answers of the state as texts, colours and signs, and where things have their places.

use super::labels::Wanted;
use super::palette::{Colour, Rgb};
use super::scene::{Handle, Rect, Shape, Spot, Subject};
use super::{Board, canvas};
use dsl::board::{Datum, Item, LoopId, QuestionId, Source, Template, TemplatePart, Value};
use dsl::ir::{CellId, Domain, Ty};
use interpreter::ask::View;
use interpreter::words::Held;
use interpreter::{NONE, UNKNOWN};
use std::collections::BTreeMap;

/// Names bound so far, with what they stand for.
#[derive(Clone, Debug, Default)]
pub struct Bound {
    pub words: Vec<i32>,
    pub types: Vec<Ty>,
}

impl Bound {
    pub fn with(&self, words: &[i32], types: &[Ty]) -> Bound {
        let mut more = self.clone();
        more.words.extend_from_slice(words);
        more.types.extend_from_slice(types);
        more
    }

    /// What the names from `first` on stand for, the last one first; numbers are nothing on their own.
    pub fn subjects(&self, first: usize) -> Vec<Subject> {
        let pairs = self.words.iter().zip(&self.types).skip(first).rev();
        let found = pairs.filter_map(|(word, ty)| match ty.required() {
            Ty::Element(domain) if *word >= 0 => Some(Subject::Element(*domain, *word)),
            _ => None,
        });
        found.collect()
    }

    /// Under which its place is known.
    pub fn key(&self, first: usize) -> Vec<Key> {
        let pairs = self.words.iter().zip(&self.types).skip(first);
        pairs.map(|(word, ty)| Key::new(ty, *word)).collect()
    }
}

/// Part of the name of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key(Domain, i32);

impl Key {
    pub fn is_of(self, ty: &Ty) -> bool {
        matches!(ty.required(), Ty::Element(domain) if *domain == self.0)
    }

    fn new(ty: &Ty, word: i32) -> Key {
        match ty.required() {
            Ty::Element(domain) => Key(*domain, word),
            _ => Key::number(word),
        }
    }

    fn number(word: i32) -> Key {
        Key(Domain::Int { low: 0, high: 0 }, word)
    }
}

/// What a value came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Shown {
    Nothing,
    Unseen,
    Number(i32),
    Truth(bool),
    /// Of a look, or a text.
    Word(String),
    Element(Domain, i32, String),
}

/// The part of a panel that something lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sheet {
    /// Things have places of their own; scaled as a whole.
    Canvas,
    /// One thing below the other.
    Flow,
}

/// Where pieces can stand.
#[derive(Clone, Copy, Debug)]
pub struct Stand {
    pub rect: Rect,
    pub sheet: Sheet,
    /// Pieces that stand there already.
    pub used: u32,
}

/// What is drawn for paper.
#[derive(Clone, Debug, Default)]
pub struct Printed {
    /// Height of the smallest letters that are read on it.
    pub least: f32,
    /// Cards are hexes, as those of the game's board lie.
    pub hex: bool,
    /// What is left free of texts at the lower edge of a card.
    pub foot: f32,
    /// Letters are no larger, so that those of a table are of one size; none: as large as there is room.
    pub most: Option<f32>,
    /// Height of the letters of the last card; none: it has no text.
    pub size: Option<f32>,
    /// Which of the texts of the last card are not there in whole.
    pub cut: Vec<usize>,
}

pub struct Pen<'a> {
    pub board: &'a Board,
    pub view: View<'a>,
    /// What is bound everywhere.
    pub start: Bound,
    /// Of the panel being drawn.
    pub canvas: Vec<Shape>,
    pub flow: Vec<Shape>,
    /// Labels of the canvas, which get their places when all else has one.
    pub labels: Vec<Wanted>,
    /// Of the canvas.
    pub handles: Vec<Handle>,
    pub stands: BTreeMap<Vec<Key>, Stand>,
    /// How far pieces reach that may come to stand on its canvas.
    pub reach: Option<Rect>,
    /// Width of the labels before rows of boxes.
    pub head: f32,
    /// Whether pieces may come to stand on its things.
    pub pieces: bool,
    /// How many times larger than written canvases are.
    pub grow: f32,
    /// Height of the smallest letters, in units of the whole board.
    pub letters: f32,
    /// How many times larger than written the canvas being drawn will be, as far as that is known.
    pub fit: f32,
    /// Of each panel, by its number, for one that grows as written.
    pub fits: BTreeMap<usize, f32>,
    /// How many panels that are one for each lie side by side; none: as many as is written.
    pub per_row: Option<u32>,
    /// Width of panels without a canvas; none: as it is written.
    pub flow_width: Option<f32>,
    /// None: it is drawn for the window.
    pub printed: Option<Printed>,
}

impl<'a> Pen<'a> {
    pub fn new(board: &'a Board, view: View<'a>) -> Pen<'a> {
        Pen {
            board,
            view,
            start: Bound::default(),
            canvas: Vec::new(),
            flow: Vec::new(),
            labels: Vec::new(),
            handles: Vec::new(),
            stands: BTreeMap::new(),
            reach: None,
            head: 0.0,
            pieces: false,
            grow: 1.0,
            letters: canvas::LEAST,
            fit: 1.0,
            fits: BTreeMap::new(),
            per_row: None,
            flow_width: None,
            printed: None,
        }
    }

    /// Height of the smallest letters on a sheet, in its own units.
    pub fn least(&self, sheet: Sheet) -> f32 {
        match (&self.printed, sheet) {
            (Some(printed), _) => printed.least,
            (None, Sheet::Flow) => self.letters,
            (None, Sheet::Canvas) => self.letters / self.fit.max(f32::EPSILON),
        }
    }

    /// The height wanted, or that of the smallest letters that are read.
    pub fn readable(&self, wanted: f32, sheet: Sheet) -> f32 {
        match self.printed {
            // On paper what is too small is cut, nothing is made larger.
            Some(_) => wanted,
            None => wanted.max(self.least(sheet)),
        }
    }

    /// The seat that is asked, if it is shown whose turn it is.
    pub fn asked(&self) -> Option<u32> {
        self.view.asked().filter(|_| self.printed.is_none())
    }

    pub fn sheet(&mut self, sheet: Sheet) -> &mut Vec<Shape> {
        match sheet {
            Sheet::Canvas => &mut self.canvas,
            Sheet::Flow => &mut self.flow,
        }
    }

    // ---------------------------------------------------------------------------------------------- asking

    /// All that the names stand for; without names once.
    pub fn each(&mut self, through: Option<LoopId>, bound: &Bound) -> Vec<Bound> {
        let Some(id) = through else {
            return vec![bound.clone()];
        };
        let types = &self.board.plan.loops[id.0].types;
        let found = self.view.each(self.board.through(id), &bound.words);
        found.iter().map(|words| bound.with(words, types)).collect()
    }

    pub fn holds(&mut self, condition: Option<QuestionId>, bound: &Bound) -> bool {
        let Some(id) = condition else { return true };
        let question = self.board.question(id);
        let Some(held) = self.view.value(question, &bound.words) else {
            return false;
        };
        match question.ty.required().is_container() {
            true => !self.view.pieces(&held).is_empty(),
            false => held.word() != 0 && held.word() != NONE,
        }
    }

    pub fn show(&mut self, value: &Value, bound: &Bound) -> Shown {
        match value {
            Value::Number(number) => Shown::Number(*number),
            Value::Name(name) => Shown::Word(name.clone()),
            Value::Asked(id) => self.ask(*id, bound),
            Value::Column {
                row, table, data, ..
            } => {
                let question = self.board.question(*row);
                let Some(held) = self.view.value(question, &bound.words) else {
                    return Shown::Unseen;
                };
                let row = match question.ty.required() {
                    Ty::Element(Domain::Part(_)) => self.view.row_of_part(*table, held.word()),
                    _ => held.word(),
                };
                let datum = usize::try_from(row).ok().and_then(|row| data.get(row));
                shown_datum(datum.unwrap_or(&Datum::Nothing))
            }
        }
    }

    fn ask(&mut self, id: QuestionId, bound: &Bound) -> Shown {
        let question = self.board.question(id);
        let Some(held) = self.view.value(question, &bound.words) else {
            return match self.view.is_missing(question, &bound.words) {
                true => Shown::Nothing,
                false => Shown::Unseen,
            };
        };
        let words = self.view.words;
        match question.ty.required() {
            _ if held.word() == NONE && !question.ty.is_container() => Shown::Nothing,
            _ if held.word() == UNKNOWN => Shown::Unseen,
            Ty::Int { .. } => Shown::Number(held.word()),
            Ty::Bool => Shown::Truth(held.word() != 0),
            Ty::Element(domain) => {
                let name = words.element(*domain, held.word());
                Shown::Element(*domain, held.word(), name)
            }
            Ty::Text => Shown::Word(
                words
                    .value(&question.ty, &held)
                    .trim_matches('"')
                    .to_owned(),
            ),
            ty if ty.is_container() => self.contents(ty, &held),
            ty => Shown::Word(words.in_words(ty, &held)),
        }
    }

    /// What a container holds, equal things that follow one another as one.
    fn contents(&self, ty: &Ty, held: &Held) -> Shown {
        let element = ty.element().unwrap_or(Ty::INT);
        let mut groups: Vec<(i32, i32)> = Vec::new();
        for (piece, count) in self.view.pieces(held) {
            match groups.last_mut() {
                Some((last, sum)) if *last == piece => *sum += count,
                _ => groups.push((piece, count)),
            }
        }
        if groups.is_empty() {
            return Shown::Nothing;
        }
        let words = self.view.words;
        let texts = groups.into_iter().map(|(piece, count)| {
            let shown = match element.required() {
                _ if piece == NONE => Shown::Word("–".into()),
                _ if piece == UNKNOWN => Shown::Unseen,
                Ty::Element(domain) => {
                    Shown::Element(*domain, piece, words.element(*domain, piece))
                }
                ty => Shown::Word(words.said(ty, piece)),
            };
            match (count, self.in_words(&shown)) {
                (1, text) => text,
                (count, text) => format!("{count} {text}"),
            }
        });
        Shown::Word(texts.collect::<Vec<_>>().join(", "))
    }

    pub fn number(&mut self, value: &Value, bound: &Bound) -> Option<i32> {
        match self.show(value, bound) {
            Shown::Number(number) => Some(number),
            Shown::Truth(yes) => Some(i32::from(yes)),
            _ => None,
        }
    }

    /// Elements of a set, as words, each with how many of it there are.
    pub fn items(&mut self, id: QuestionId, bound: &Bound) -> Vec<(i32, i32)> {
        let held = self.view.value(self.board.question(id), &bound.words);
        held.map_or_else(Vec::new, |held| self.view.pieces(&held))
    }

    // ---------------------------------------------------------------------------------------------- looks

    pub fn text(&mut self, template: &Template, bound: &Bound) -> String {
        let parts = template.parts.iter().map(|part| match part {
            TemplatePart::Text(text) => text.clone(),
            TemplatePart::Value(value) => {
                let shown = self.show(value, bound);
                self.in_words(&shown)
            }
        });
        parts.collect()
    }

    /// Whether something is missing that a text is to say.
    pub fn lacks(&mut self, template: &Template, bound: &Bound) -> bool {
        template.parts.iter().any(|part| match part {
            TemplatePart::Text(_) => false,
            TemplatePart::Value(value) => self.show(value, bound) == Shown::Nothing,
        })
    }

    pub fn in_words(&self, shown: &Shown) -> String {
        match shown {
            Shown::Nothing => String::new(),
            Shown::Unseen => "?".into(),
            Shown::Number(number) => number.to_string(),
            Shown::Truth(yes) => self.view.words.said(&Ty::Bool, i32::from(*yes)),
            Shown::Word(word) => word.clone(),
            Shown::Element(Domain::Player, seat, _) => self.seat_name(*seat as u32),
            Shown::Element(domain, word, name) => match self.board.plan.looks.get(name) {
                // The sign of a look that has nothing else.
                Some(look) if look.colour.is_none() => look.sign.clone().unwrap_or_default(),
                _ => self.view.words.called(*domain, *word),
            },
        }
    }

    /// `A`, with its colour's name if it has one: `A Red`.
    pub fn seat_name(&self, seat: u32) -> String {
        let letter = self.view.words.seat(seat as i32);
        match self.board.plan.seats.get(seat as usize) {
            Some(look) if !look.name.is_empty() => format!("{letter} {}", look.name),
            _ => letter,
        }
    }

    pub fn colour(&self, shown: &Shown) -> Option<Colour> {
        match shown {
            Shown::Element(Domain::Player, seat, _) => Some(self.seat_colour(*seat as u32)),
            Shown::Element(_, _, name) | Shown::Word(name) => self.named_colour(name),
            Shown::Number(number) => self.named_colour(&number.to_string()),
            Shown::Truth(yes) => self.named_colour(&yes.to_string()),
            Shown::Nothing | Shown::Unseen => None,
        }
    }

    pub fn seat_colour(&self, seat: u32) -> Colour {
        let look = self.board.plan.seats.get(seat as usize);
        let rgb = look.and_then(|look| Rgb::parse(&look.colour));
        rgb.map_or(Colour::Seat(seat), Colour::Fixed)
    }

    fn named_colour(&self, name: &str) -> Option<Colour> {
        let look = self.board.plan.looks.get(name);
        if let Some(rgb) = look.and_then(|look| Rgb::parse(look.colour.as_deref()?)) {
            return Some(Colour::Fixed(rgb));
        }
        match name {
            "ink" => Some(Colour::Ink),
            "muted" => Some(Colour::Muted),
            "paper" => Some(Colour::Paper),
            "card" => Some(Colour::Card),
            "highlight" => Some(Colour::Highlight),
            _ => None,
        }
    }

    /// The letters that stand for it beside its colour.
    pub fn sign(&self, shown: &Shown) -> Option<String> {
        match shown {
            Shown::Element(Domain::Player, seat, _) => Some(self.view.words.seat(*seat)),
            Shown::Element(_, _, name) | Shown::Word(name) => {
                self.board.plan.looks.get(name)?.sign.clone()
            }
            Shown::Nothing | Shown::Unseen | Shown::Number(_) | Shown::Truth(_) => None,
        }
    }

    /// The look of a value that says a colour.
    pub fn look(
        &mut self,
        value: Option<&Value>,
        bound: &Bound,
    ) -> (Option<Colour>, Option<String>) {
        let Some(value) = value else {
            return (None, None);
        };
        let shown = self.show(value, bound);
        (self.colour(&shown), self.sign(&shown))
    }

    // ---------------------------------------------------------------------------------------------- places

    /// Part of the name of the place that a value means.
    pub fn key(&mut self, value: &Value, bound: &Bound) -> Option<Key> {
        match self.show(value, bound) {
            Shown::Element(domain, word, _) => Some(Key(domain, word)),
            Shown::Number(number) => Some(Key::number(number)),
            _ => None,
        }
    }

    pub fn stand(&mut self, values: &[Value], bound: &Bound) -> Option<(Vec<Key>, Stand)> {
        let keys = values.iter().map(|value| self.key(value, bound));
        let keys = keys.collect::<Option<Vec<Key>>>()?;
        let stand = *self.stands.get(&keys)?;
        Some((keys, stand))
    }

    /// Where a value is written.
    pub fn spot(&self, source: &Source, bound: &Bound) -> Option<Spot> {
        match source {
            Source::Number(span) => Some(Spot::Number(*span)),
            Source::Column {
                name,
                table,
                column,
            } => {
                let table = &self.view.words.rules.tables[table.index()];
                let row = usize::try_from(*bound.words.get(*name)?).ok()?;
                Some(Spot::Cell {
                    table: table.name.clone(),
                    row: table.rows.get(row)?.name.clone(),
                    column: column.clone(),
                })
            }
        }
    }

    /// What something stands for: its own names, and what it is said to mean.
    pub fn subjects(&mut self, item: &Item, bound: &Bound, first: usize) -> Vec<Subject> {
        let mut found = bound.subjects(first);
        for subject in self.meant(item, bound) {
            if !found.contains(&subject) {
                found.push(subject);
            }
        }
        found
    }

    /// What something is said to mean.
    pub fn meant(&mut self, item: &Item, bound: &Bound) -> Vec<Subject> {
        let mut found = Vec::new();
        for value in &item.means {
            match (self.show(value, bound), value) {
                (Shown::Element(domain, word, _), _) => found.push(Subject::Element(domain, word)),
                // A cell that holds no element is meant itself.
                (_, Value::Asked(id)) => {
                    let place = self.view.place(self.board.question(*id), &bound.words);
                    found.extend(place.map(|(cell, slot)| Subject::Slot(CellId(cell.0), slot)));
                }
                _ => {}
            }
        }
        for (choice, value) in &item.numbers {
            let number = self.number(value, bound);
            found.extend(number.map(|number| Subject::Number(*choice as u32, number)));
        }
        found
    }

    /// What the names from `first` on are called, for those who do not see the shape.
    pub fn name(&self, bound: &Bound, first: usize) -> String {
        let pairs = bound.words.iter().zip(&bound.types).skip(first);
        let names = pairs.map(|(word, ty)| self.view.words.said(ty, *word));
        names.collect::<Vec<_>>().join(", ")
    }
}

fn shown_datum(datum: &Datum) -> Shown {
    match datum {
        Datum::Nothing => Shown::Nothing,
        Datum::Number(number) => Shown::Number(*number),
        Datum::Text(text) => Shown::Word(text.clone()),
        Datum::List(list) => {
            let parts = list.iter().map(|datum| match datum {
                Datum::Number(number) => number.to_string(),
                Datum::Text(text) => text.clone(),
                Datum::Nothing | Datum::List(_) => String::new(),
            });
            Shown::Word(parts.collect::<Vec<_>>().join(", "))
        }
    }
}
