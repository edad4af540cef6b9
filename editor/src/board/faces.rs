//! The faces of cards and tiles, each as it lies on the board, in a size of its own.

use super::canvas;
use super::pen::{Bound, Pen, Printed, Shown};
use super::scene::{Anchor, Point, Rect, Shape, Size};
use super::{Board, layout};
use dsl::board::{Item, ItemKind, TemplatePart, Value};
use dsl::ir::{self, Domain, ExprKind, TableId, Ty};
use interpreter::ask::View;

/// The kinds of cards of one table that have the same back.
#[derive(Clone, Debug, PartialEq)]
pub struct Deck {
    /// Name of the table.
    pub table: String,
    /// What people call one of them.
    pub called: String,
    /// What stands on the backs, where `board.toml` says it.
    pub back: Option<String>,
    pub faces: Vec<Face>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// Of the row.
    pub row: String,
    /// As people call it.
    pub name: String,
    /// How many of them there are.
    pub copies: u32,
    /// How many of these lie somewhere in the game; all, if no card of the deck does.
    pub lying: u32,
    /// In the size asked for, its corner at the origin.
    pub shapes: Vec<Shape>,
    /// What is to be written on it, line by line: columns, or expressions, and their texts.
    pub lines: Vec<(String, String)>,
    /// What is not there in whole, for want of room: columns, or expressions.
    pub cut: Vec<String>,
}

impl Deck {
    /// What its cards are called together.
    pub fn title(&self) -> String {
        match &self.back {
            Some(back) => format!("{} ({back})", self.table),
            None => self.table.clone(),
        }
    }
}

/// How cards are made.
#[derive(Clone, Copy, Debug)]
pub struct Cards {
    pub size: Size,
    /// They are hexes within that size.
    pub hex: bool,
    /// Height of the smallest letters.
    pub least: f32,
}

/// Height of the letters of a sign.
const SIGN: f32 = 9.0;

/// The tables whose rows are shown as cards somewhere on the board, in the order of their declaration.
pub fn decks(board: &Board, view: View, cards: Cards) -> Vec<Deck> {
    let mut pen = Pen::new(board, view);
    pen.start = layout::start(&pen);
    let rules = &board.plan.rules;
    let mut decks: Vec<Deck> = Vec::new();
    for (at, table) in rules.tables.iter().enumerate() {
        let id = TableId(at as u32);
        let Some((item, bound)) = best(&mut pen, id) else {
            continue;
        };
        let lying = pen.view.lying(id);
        let first = decks.len();
        let sizes: Vec<f32> = (0..table.rows.len())
            .filter_map(|row| {
                let (_, printed) = face(&mut pen, (item, &bound), (id, row), cards, None);
                printed.size
            })
            .collect();
        let most = one_size(&sizes);
        for row in 0..table.rows.len() {
            let ty = Ty::Element(Domain::Table(id));
            let here = bound.with(&[row as i32], std::slice::from_ref(&ty));
            let (shapes, printed) = face(&mut pen, (item, &bound), (id, row), cards, most);
            let cut = printed.cut;
            let copies = table
                .copies
                .map(|column| &table.rows[row].values[column.index()]);
            let copies = match copies {
                Some(ir::Value::Int(number)) => u32::try_from(*number).unwrap_or(0),
                _ => 1,
            };
            let found = lying.get(&(row as i32)).copied().unwrap_or(0);
            let name = pen.view.words.said(&ty, row as i32);
            let mut lines = Vec::new();
            for (line, template) in item.text.iter().enumerate() {
                let text = pen.text(template, &here);
                lines.push((longest(&mut pen, item, line, &here), text));
            }
            if lines.is_empty() {
                lines.push(("name".to_owned(), name.clone()));
            }
            let back = item.back.as_ref().map(|back| pen.text(back, &here));
            let face = Face {
                row: table.rows[row].name.clone(),
                name,
                lines,
                copies,
                lying: if lying.is_empty() {
                    copies
                } else {
                    copies.min(found)
                },
                shapes,
                cut: cut
                    .into_iter()
                    .map(|line| longest(&mut pen, item, line, &here))
                    .collect(),
            };
            match decks[first..].iter_mut().find(|deck| deck.back == back) {
                Some(deck) => deck.faces.push(face),
                None => decks.push(Deck {
                    table: table.name.clone(),
                    called: called(&pen, id),
                    back,
                    faces: vec![face],
                }),
            }
        }
    }
    decks
}

/// What people call one of a table's cards.
fn called(pen: &Pen, table: TableId) -> String {
    let rules = &pen.board.plan.rules;
    let noun = rules.speech.tables.get(table.index());
    let noun = noun.map(|words| words.noun.one.clone());
    let named = noun.filter(|noun| !noun.is_empty());
    named.unwrap_or_else(|| rules.tables[table.index()].name.replace('_', " "))
}

/// What a card looks like, and what came of its texts.
fn face(
    pen: &mut Pen,
    (item, bound): (&Item, &Bound),
    (table, row): (TableId, usize),
    cards: Cards,
    most: Option<f32>,
) -> (Vec<Shape>, Printed) {
    let ty = Ty::Element(Domain::Table(table));
    let here = bound.with(&[row as i32], std::slice::from_ref(&ty));
    let sign = sign(pen, item, &here, cards);
    pen.printed = Some(Printed {
        least: cards.least,
        hex: cards.hex,
        foot: sign.as_ref().map_or(0.0, |_| SIGN * 1.2),
        most,
        size: None,
        cut: Vec::new(),
    });
    let rect = Rect::new(0.0, 0.0, cards.size.width, cards.size.height);
    let mut shapes = super::cards::face(pen, item, bound, row as i32, rect);
    shapes.extend(sign);
    (shapes, pen.printed.take().unwrap_or_default())
}

/// The size of letters that all cards of a table have room for; few with much more text than the others do not make all small.
fn one_size(sizes: &[f32]) -> Option<f32> {
    /// Of the size of those in the middle.
    const REASON: f32 = 0.7;
    let mut sizes = sizes.to_vec();
    sizes.sort_by(f32::total_cmp);
    let (least, middle) = (sizes.first()?, sizes.get(sizes.len() / 2)?);
    Some(least.max(middle * REASON))
}

/// What stands in a line of text of a card and is the longest part of it: a column, or what it is called where it is none.
fn longest(pen: &mut Pen, item: &Item, line: usize, bound: &Bound) -> String {
    let Some(template) = item.text.get(line) else {
        return "name".to_owned();
    };
    let mut found = (0, "text".to_owned());
    for part in &template.parts {
        let TemplatePart::Value(value) = part else {
            continue;
        };
        let shown = pen.show(value, bound);
        let length = pen.in_words(&shown).chars().count();
        if length <= found.0 {
            continue;
        }
        let name = match value {
            Value::Name(name) => name.clone(),
            _ => column(pen, value).map_or_else(|| "text".to_owned(), |(_, name)| name),
        };
        found = (length, name);
    }
    found.1
}

/// What the colour of a face stands for, in a corner, so that it is not alone; nothing if the face says it, or all have that colour.
fn sign(pen: &mut Pen, item: &Item, bound: &Bound, cards: Cards) -> Option<Shape> {
    let size = cards.size;
    let fill = item.fill.as_ref()?;
    if matches!(fill, Value::Name(_) | Value::Number(_)) {
        return None;
    }
    let shown = pen.show(fill, bound);
    let colour = pen.colour(&shown)?;
    let name = pen.in_words(&shown);
    let sign = pen.sign(&shown).unwrap_or_else(|| name.clone());
    let texts: Vec<String> = item.text.iter().map(|line| pen.text(line, bound)).collect();
    // A face without texts of its own has the sign in its middle.
    if texts.is_empty() && item.picture.is_none() {
        return None;
    }
    let said = match shown {
        // A number says nothing by itself: `132` does not tell the level, and neither does another 2.
        Shown::Number(_) => {
            let lines = item.text.iter().flat_map(|line| &line.parts);
            let mut values = lines.filter_map(|part| match part {
                TemplatePart::Value(value) => column(pen, value),
                TemplatePart::Text(_) => None,
            });
            let own = column(pen, fill);
            let whole = texts.contains(&name);
            whole || own.is_some() && values.any(|value| Some(value) == own)
        }
        _ => {
            let words = [name.as_str(), sign.as_str()];
            texts
                .iter()
                .any(|text| words.iter().any(|word| says(text, word)))
        }
    };
    if sign.is_empty() || said {
        return None;
    }
    // A hex has no corners there.
    let (at, anchor) = match cards.hex {
        true => (
            Point::new(size.width / 2.0, size.height - SIGN * 1.8),
            Anchor::Middle,
        ),
        false => (
            Point::new(SIGN * 0.5, size.height - SIGN * 0.8),
            Anchor::Start,
        ),
    };
    let text = canvas::anchored(at, sign, SIGN, colour.ink(), anchor);
    Some(canvas::bold(canvas::fitted(text, size.width * 0.6, 0.0)))
}

/// Whether a text has a name in it, as words of its own.
fn says(text: &str, name: &str) -> bool {
    let (text, name) = (text.to_lowercase(), name.to_lowercase());
    let is_apart = |letter: Option<char>| !letter.is_some_and(char::is_alphanumeric);
    let mut found = text.match_indices(name.as_str());
    !name.is_empty()
        && found.any(|(at, _)| {
            let behind = &text[at + name.len()..];
            is_apart(text[..at].chars().next_back()) && is_apart(behind.chars().next())
        })
}

/// The column that a value shows.
fn column(pen: &Pen, value: &Value) -> Option<(TableId, String)> {
    match value {
        Value::Column { table, name, .. } => Some((*table, name.clone())),
        Value::Asked(id) => match &pen.board.plan.questions[id.0].checked.0.kind {
            ExprKind::Column(_, table, column) => {
                let name = &pen.board.plan.rules.tables[table.index()].columns[column.index()].name;
                Some((*table, name.clone()))
            }
            _ => None,
        },
        Value::Name(_) | Value::Number(_) => None,
    }
}

/// Where the cards of a table say most on their faces, with what the names around stand for.
pub fn best<'b>(pen: &mut Pen<'b>, table: TableId) -> Option<(&'b Item, Bound)> {
    let board = pen.board;
    let mut found: Option<(&Item, Bound)> = None;
    for panel in &board.plan.panels {
        for item in &panel.items {
            let is_card = matches!(item.kind, ItemKind::Cards | ItemKind::Pile);
            let ty = item.card.as_ref().map(Ty::required);
            let says = |item: &Item| {
                let own = [item.fill.is_some(), item.picture.is_some()];
                item.text.len() + own.into_iter().filter(|own| *own).count()
            };
            if !is_card
                || ty != Some(&Ty::Element(Domain::Table(table)))
                || found
                    .as_ref()
                    .is_some_and(|(known, _)| says(known) >= says(item))
            {
                continue;
            }
            let start = pen.start.clone();
            let around = pen.each(panel.through, &start).into_iter().next();
            let bound =
                around.and_then(|around| pen.each(item.through, &around).into_iter().next());
            if let Some(bound) = bound {
                found = Some((item, bound));
            }
        }
    }
    found
}
