//! Zones as cards side by side or as one pile, and lines of values.

use super::canvas;
use super::marks::{self, heading, letters, size};
use super::palette::Colour;
use super::pen::{Bound, Pen, Sheet};
use super::pictures;
use super::scene::{Anchor, Form, Pattern, Point, Rect, Shape, Subject, Text};
use dsl::board::{Item, ItemKind};
use dsl::ir::{CellId, Saying, Ty, Value};
use interpreter::ask::Zone;
use interpreter::observe::Seen;
use interpreter::{NONE, UNKNOWN};

pub const CARD: (f32, f32) = (58.0, 36.0);
const GAP: f32 = 4.0;
const LETTERS: f32 = 11.0;
/// What stays free around the label above a pile, and of that below the letters, so that no edge or glow of the pile covers them.
const LABEL_GAP: f32 = 7.0;
const LABEL_FREE: f32 = 5.0;
/// Between columns of values.
const COLUMN_GAP: f32 = 18.0;
/// Height of a line of values, as a share of its letters.
const LINE: f32 = 1.45;

/// Cards that look the same, one behind the other.
struct Heap {
    /// Words; [`NONE`]: an empty place, [`UNKNOWN`]: not seen.
    piece: i32,
    count: u32,
    /// Only what others see of it too.
    partly: bool,
    /// It says how many they are.
    counted: bool,
}

/// One card alone, in a place of its own.
#[cfg(feature = "window")]
pub fn face(pen: &mut Pen, item: &Item, bound: &Bound, piece: i32, rect: Rect) -> Vec<Shape> {
    let heap = Heap {
        piece,
        count: 1,
        partly: false,
        counted: false,
    };
    pen.flow.clear();
    card(pen, item, bound, (&heap, None), rect);
    std::mem::take(&mut pen.flow)
}

/// Cards or piles in rows, beginning at `top`; what they take.
pub fn zones(pen: &mut Pen, item: &Item, bound: &Bound, top: f32, room: f32) -> Rect {
    let all: Vec<Bound> = pen.each(item.through, bound);
    let all: Vec<Bound> = all
        .into_iter()
        .filter(|here| pen.holds(item.when, here))
        .collect();
    if all.is_empty() {
        return Rect::default();
    }
    // Zones with labels of their own stand below one another.
    let mut groups: Vec<(Option<String>, Vec<Bound>)> = Vec::new();
    for here in all {
        let label = item.label.as_ref().filter(|_| item.kind == ItemKind::Cards);
        let label = label.map(|label| pen.text(label, &here));
        match groups.last_mut() {
            Some((known, group)) if *known == label => group.push(here),
            _ => groups.push((label, vec![here])),
        }
    }
    let mut whole = Rect::new(0.0, top, 0.0, 0.0);
    for (at, (_, group)) in groups.iter().enumerate() {
        let gap = if at == 0 { 0.0 } else { GAP };
        let rows = rows(pen, item, group, whole.bottom() + gap, room);
        whole.width = whole.width.max(rows.right());
        whole.height = rows.bottom() - top;
    }
    whole
}

/// Cards or piles below one label.
fn rows(pen: &mut Pen, item: &Item, all: &[Bound], top: f32, room: f32) -> Rect {
    let (width, height) = size(item, CARD);
    let usual = pen.readable(LETTERS, Sheet::Flow);
    // As far apart as the labels above them need.
    let mut step = width;
    if let (ItemKind::Pile, Some(label)) = (item.kind, &item.label) {
        for here in all {
            let wide = Text::width_of(&pen.text(label, here), usual);
            step = step.max(wide.min(room));
        }
    }
    let fits = ((room + GAP) / (step + GAP)).floor().max(1.0) as u32;
    let per_row = if item.per_row > 0 { item.per_row } else { fits };
    let (mut y, mut column, mut right) = (top, 0, 0.0f32);
    if item.kind == ItemKind::Cards {
        y += heading(pen, item, all.first(), top);
    }
    let label_height = match item.kind {
        ItemKind::Pile if item.label.is_some() => usual + LABEL_GAP,
        _ => 0.0,
    };
    let mut any = false;
    for here in all {
        let (zone, heaps) = heaps(pen, item, here);
        for heap in heaps {
            if column == per_row {
                y += height + GAP + label_height;
                column = 0;
            }
            let rect = Rect::new(
                column as f32 * (step + GAP) + (step - width) / 2.0,
                y + label_height,
                width,
                height,
            );
            card(pen, item, here, (&heap, zone.as_ref()), rect);
            if label_height > 0.0
                && let Some(label) = &item.label
            {
                let text = pen.text(label, here);
                let at = Point::new(rect.centre().x, rect.y - LABEL_FREE - usual / 2.0);
                let shape = canvas::text(at, text, usual, Colour::Muted);
                pen.flow.push(canvas::fitted(shape, step, usual));
            }
            right = right.max(column as f32 * (step + GAP) + step);
            column += 1;
            any = true;
        }
    }
    if !any {
        let at = Point::new(0.0, y + usual / 2.0);
        pen.flow.push(canvas::anchored(
            at,
            pen.view.words.say(Saying::NoThing, &[]),
            usual,
            Colour::Muted,
            Anchor::Start,
        ));
        return Rect::new(0.0, top, 30.0, y + usual - top);
    }
    Rect::new(0.0, top, right, y + height + label_height - top)
}

fn heaps(pen: &mut Pen, item: &Item, bound: &Bound) -> (Option<Zone>, Vec<Heap>) {
    let Some(id) = item.zone else {
        return (None, Vec::new());
    };
    let question = pen.board.question(id);
    let zone = pen.view.zone(question, &bound.words);
    let pieces = match &zone {
        Some(zone) => pen.view.pieces_of(zone),
        None => pen.items(id, bound),
    };
    if pen.printed.is_some() {
        return (zone, places(item, pieces.len()));
    }
    let partly = matches!(zone.as_ref().map(|zone| &zone.seen), Some(Seen::Shown(_)));
    if item.kind == ItemKind::Pile {
        let heap = Heap {
            piece: pieces.last().map_or(NONE, |(piece, _)| *piece),
            count: pieces.iter().map(|(_, count)| *count as u32).sum(),
            partly,
            counted: true,
        };
        return (zone, vec![heap]);
    }
    // The places of a row stand for themselves.
    let placed = matches!(question.ty.required(), Ty::Row(_));
    let mut heaps: Vec<Heap> = Vec::new();
    for (piece, count) in pieces {
        match heaps.last_mut() {
            Some(heap) if heap.piece == piece && piece != NONE && !placed => {
                heap.count += count as u32;
                heap.counted = true;
            }
            _ => heaps.push(Heap {
                piece,
                count: count as u32,
                partly,
                counted: count > 1,
            }),
        }
    }
    (zone, heaps)
}

/// Where cards are to lie on a printed board: what was dealt is for this game alone.
fn places(item: &Item, pieces: usize) -> Vec<Heap> {
    let count = match item.kind {
        ItemKind::Pile => 1,
        _ => pieces,
    };
    let place = || Heap {
        piece: NONE,
        count: 1,
        partly: false,
        counted: false,
    };
    std::iter::repeat_with(place).take(count).collect()
}

fn card(
    pen: &mut Pen,
    item: &Item,
    bound: &Bound,
    (heap, zone): (&Heap, Option<&Zone>),
    rect: Rect,
) {
    let mut subjects = Vec::new();
    let ty = item.card.clone().unwrap_or(Ty::INT);
    if heap.piece >= 0
        && !heap.partly
        && let Ty::Element(domain) = ty.required()
    {
        subjects.push(Subject::Element(*domain, heap.piece));
    }
    let place = zone.map(|zone| Subject::Slot(CellId(zone.cell.0), zone.slot));
    // A pile stands for itself before what lies on it.
    match item.kind {
        ItemKind::Pile => subjects.splice(0..0, place).for_each(drop),
        _ => subjects.extend(place),
    }
    let here = bound.with(&[heap.piece], std::slice::from_ref(&ty));
    subjects.extend(bound.subjects(bound.words.len().saturating_sub(1)));
    subjects.extend(pen.meant(item, &here));
    let seen = heap.piece != UNKNOWN && heap.piece != NONE;
    let mut name = if seen {
        pen.view.words.said(&ty, heap.piece)
    } else if heap.piece == NONE {
        pen.view.words.say(Saying::Empty, &[])
    } else {
        pen.view.words.say(Saying::NotOpen, &[])
    };
    if heap.count != 1 {
        name.push_str(&format!(" ×{}", heap.count));
    }
    if heap.piece == NONE {
        let mut shape = canvas::boxed(rect, 4.0).stroked(Colour::Muted, 1.0);
        if let Some(stroke) = &mut shape.stroke {
            stroke.dashed = true;
        }
        pen.flow.push(shape.standing_for(&subjects, &name));
        return;
    }
    let face = seen && !heap.partly;
    let (fill, sign) = if face {
        pen.look(item.fill.as_ref(), &here)
    } else {
        (None, None)
    };
    let fill = if face {
        fill.unwrap_or(Colour::Card)
    } else {
        Colour::Muted
    };
    let hex = pen.printed.as_ref().is_some_and(|printed| printed.hex);
    let (ground, rect) = match hex {
        true => {
            let side = rect.width.min(rect.height);
            let inner = Rect::around(rect.centre(), side, side);
            (
                Shape::new(Form::Polygon(pen.board.sides().hex(inner))),
                inner,
            )
        }
        false => (canvas::boxed(rect, 4.0), rect),
    };
    let mut shape = ground
        .filled(fill)
        .stroked(Colour::Ink, 1.0)
        .standing_for(&subjects, &name);
    shape.pattern = (!face).then_some(Pattern::Hatched);
    let ground = pen.flow.len();
    pen.flow.push(shape);
    let mut texts: Vec<String> = if face {
        item.text.iter().map(|line| pen.text(line, &here)).collect()
    } else if heap.partly {
        shown_columns(pen, zone, heap.piece)
    } else {
        Vec::new()
    };
    let picture = face.then(|| pictures::of(pen, item, &here)).flatten();
    let (size, least) = letters(pen, item, LETTERS, Sheet::Flow);
    let most = pen.printed.as_ref().and_then(|printed| printed.most);
    let size = most.map_or(size, |most| size.min(most));
    let mut rect = rect;
    if let Some(picture) = &picture {
        let (shape, left) = pictures::above(picture, (texts.len(), size), rect);
        pen.flow.extend(shape);
        rect = left;
    }
    if face && texts.is_empty() && picture.is_none() {
        texts.push(sign.unwrap_or_else(|| pen.view.words.said(&ty, heap.piece)));
    }
    let counted = heap.counted;
    let (left, lines) = match face {
        true => marks::ways_on(pen, item, &here, rect),
        false => (rect, None),
    };
    let mut room = left.shrunk(if hex { left.width * 0.12 } else { 3.0 });
    let foot = pen.printed.as_ref().map_or(0.0, |printed| printed.foot);
    room.height = (room.height - foot).max(0.0);
    if counted {
        let text = if face {
            format!("×{}", heap.count)
        } else {
            heap.count.to_string()
        };
        let size = pen.readable(12.0, Sheet::Flow);
        if texts.is_empty() {
            let shape = canvas::text(rect.centre(), text, size.max(15.0), fill.ink());
            pen.flow.push(canvas::bold(shape));
        } else {
            let at = Point::new(rect.right() - 3.0, rect.bottom() - size * 0.6);
            let taken = Text::width_of(&text, size) * 1.1 + 3.0;
            let shape = canvas::anchored(at, text, size, fill.ink(), Anchor::End);
            pen.flow.push(canvas::bold(shape));
            // A line of its own, or beside the text.
            if room.height > 2.4 * size {
                room.height -= size;
            } else {
                room.width = (room.width - taken).max(0.0);
            }
        }
    }
    let written = match lines {
        Some(from) => canvas::lines_among(room, &texts, (size, least), fill, &pen.flow[from..]),
        None => canvas::lines(room, &texts, (size, least), fill.ink()),
    };
    if !written.cut.is_empty()
        && let Some(own) = pen.flow.get_mut(ground)
    {
        own.whole = texts;
    }
    let letters = written.shapes.iter().filter_map(|shape| match &shape.form {
        Form::Text(text) => Some(text.size),
        _ => None,
    });
    let used = letters.reduce(f32::min);
    pen.flow.extend(written.shapes);
    if let Some(printed) = &mut pen.printed {
        printed.size = used;
        printed.cut = written.cut;
    }
}

/// What everybody sees of a card.
fn shown_columns(pen: &Pen, zone: Option<&Zone>, piece: i32) -> Vec<String> {
    let words = pen.view.words;
    let Some(zone) = zone else { return Vec::new() };
    let cell = &words.rules.cells[zone.cell.at()];
    let Some(Ty::Element(dsl::ir::Domain::Table(table))) = cell.ty.required().element() else {
        return Vec::new();
    };
    let row = usize::try_from(piece)
        .ok()
        .and_then(|piece| words.rules.tables[table.index()].rows.get(piece));
    let Some(row) = row else { return Vec::new() };
    let columns = cell.visibility.showing.iter();
    let texts = columns.map(|column| match &row.values[column.index()] {
        Value::Element(domain, at) => words.said(&Ty::Element(*domain), *at as i32),
        other => crate::values::shown(words.rules, other),
    });
    texts.collect()
}

/// Lines with a name and a value.
pub fn values(pen: &mut Pen, item: &Item, bound: &Bound, top: f32, room: f32) -> Rect {
    let (size, least) = letters(pen, item, LETTERS + 1.0, Sheet::Flow);
    let columns = item.per_row.max(1);
    let mut lines = Vec::new();
    for here in pen.each(item.through, bound) {
        if pen.holds(item.when, &here) {
            for (name, value) in &item.lines {
                lines.push((pen.text(name, &here), pen.text(value, &here)));
            }
        }
    }
    let wanted = lines
        .iter()
        .map(|(name, value)| Text::width_of(name, size) + Text::width_of(value, size) * 1.1 + 10.0);
    let natural = wanted.fold(0.0f32, f32::max);
    let width = if room.is_finite() {
        (room - COLUMN_GAP * (columns - 1) as f32) / columns as f32
    } else {
        natural
    };
    let height = size * LINE;
    for (at, (name, value)) in lines.iter().enumerate() {
        let (row, column) = (at as u32 / columns, at as u32 % columns);
        let x = column as f32 * (width + COLUMN_GAP);
        let y = top + row as f32 * height + height / 2.0;
        let taken = (Text::width_of(value, size) * 1.1).min(width * 0.75);
        let left = canvas::anchored(
            Point::new(x, y),
            name.as_str(),
            size,
            Colour::Muted,
            Anchor::Start,
        );
        pen.flow.push(canvas::fitted(left, width - taken, least));
        let right = canvas::anchored(
            Point::new(x + width, y),
            value.as_str(),
            size,
            Colour::Ink,
            Anchor::End,
        );
        pen.flow
            .push(canvas::bold(canvas::fitted(right, width * 0.75, least)));
    }
    let rows = (lines.len() as u32).div_ceil(columns);
    let total = columns as f32 * (width + COLUMN_GAP) - COLUMN_GAP;
    Rect::new(0.0, top, total, rows as f32 * height)
}
