//! The faces of cards and tiles, each as it lies on the board, in a size of its own.

use super::pen::{Bound, Pen};
use super::scene::{Anchor, Form, Point, Rect, Shape, Size};
use super::{Board, layout};
use super::{canvas, cards};
use dsl::board::{Item, ItemKind, Value};
use dsl::ir::{self, Domain, TableId, Ty};
use interpreter::ask::View;

/// All kinds of cards of one table.
#[derive(Clone, Debug, PartialEq)]
pub struct Deck {
    /// Name of the table.
    pub table: String,
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
    /// In the size asked for, its corner at the origin.
    pub shapes: Vec<Shape>,
}

/// The tables whose rows are shown as cards somewhere on the board, in the order of their declaration.
pub fn decks(board: &Board, view: View, size: Size) -> Vec<Deck> {
    let mut pen = Pen::new(board, view);
    pen.start = layout::start(&pen);
    let rules = &board.plan.rules;
    let mut decks = Vec::new();
    for (at, table) in rules.tables.iter().enumerate() {
        let Some((item, bound)) = best(&mut pen, TableId(at as u32)) else {
            continue;
        };
        let faces = (0..table.rows.len()).map(|row| {
            let rect = Rect::new(0.0, 0.0, size.width, size.height);
            let mut shapes = cards::face(&mut pen, item, &bound, row as i32, rect);
            let ty = Ty::Element(Domain::Table(TableId(at as u32)));
            let here = bound.with(&[row as i32], std::slice::from_ref(&ty));
            shapes.extend(sign(&mut pen, item, &here, size, &shapes));
            let copies = table
                .copies
                .map(|column| &table.rows[row].values[column.index()]);
            Face {
                row: table.rows[row].name.clone(),
                name: pen.view.words.said(&ty, row as i32),
                copies: match copies {
                    Some(ir::Value::Int(number)) => u32::try_from(*number).unwrap_or(0),
                    _ => 1,
                },
                shapes,
            }
        });
        decks.push(Deck {
            table: table.name.clone(),
            faces: faces.collect(),
        });
    }
    decks
}

/// What the colour of a face stands for, in a corner, so that it is not alone; nothing if the face says it, or all have that colour.
fn sign(pen: &mut Pen, item: &Item, bound: &Bound, size: Size, shapes: &[Shape]) -> Option<Shape> {
    const LETTERS: f32 = 9.0;
    let fill = item.fill.as_ref()?;
    if matches!(fill, Value::Name(_) | Value::Number(_)) {
        return None;
    }
    let shown = pen.show(fill, bound);
    let colour = pen.colour(&shown)?;
    let name = pen.in_words(&shown);
    let sign = pen.sign(&shown).unwrap_or_else(|| name.clone());
    let says = |shape: &Shape| match &shape.form {
        Form::Text(text) => {
            let mut words = text.text.split(|letter: char| !letter.is_alphanumeric());
            text.text.to_lowercase().contains(&name.to_lowercase())
                || words.any(|word| word == sign)
        }
        _ => false,
    };
    if sign.is_empty() || shapes.iter().any(says) {
        return None;
    }
    let at = Point::new(LETTERS * 0.5, size.height - LETTERS * 0.8);
    let text = canvas::anchored(at, sign, LETTERS, colour.ink(), Anchor::Start);
    Some(canvas::bold(canvas::fitted(text, size.width * 0.6)))
}

/// Where the cards of a table say most on their faces, with what the names around stand for.
fn best<'b>(pen: &mut Pen<'b>, table: TableId) -> Option<(&'b Item, Bound)> {
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
