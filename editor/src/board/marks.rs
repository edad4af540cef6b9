//! Spaces, boxes, pieces, ways: things that stand for one element each.

use super::canvas::{self, Written};
use super::labels;
use super::palette::Colour;
use super::pen::{Bound, Key, Pen, Sheet, Stand};
use super::pictures;
use super::scene::{Anchor, Form, Handle, Pattern, Point, Rect, Shape, Spot, Subject};
use dsl::board::{Item, ItemKind, Outline, Panel, Value};
use dsl::ir::{CellId, Domain, Saying, Ty};
use interpreter::{NONE, UNKNOWN};
use std::collections::BTreeMap;

/// Usual sizes.
const SPACE: f32 = 16.0;
const BOX: (f32, f32) = (64.0, 36.0);
const PIECE: f32 = 20.0;
const LETTERS: f32 = 12.0;
/// Lines up to this width go on from square to square without a seam.
const THIN: f32 = 10.0;
/// Height that a box's text leaves for pieces.
const LEFT: f32 = PIECE * 0.8;
/// What is seen of a piece that another one lies on, as a share of it.
const OVERLAP: f32 = 0.4;
/// Between boxes, and between pieces.
const GAP: f32 = 4.0;

pub fn size(item: &Item, usual: (f32, f32)) -> (f32, f32) {
    match item.size {
        (0, 0) => usual,
        (width, height) => (width as f32, height as f32),
    }
}

/// Height of an item's letters, and of the smallest that they may become.
pub fn letters(pen: &Pen, item: &Item, usual: f32, sheet: Sheet) -> (f32, f32) {
    let wanted = if item.text_size > 0 {
        item.text_size as f32
    } else {
        usual
    };
    (pen.readable(wanted, sheet), pen.least(sheet))
}

/// Things with places of their own.
pub fn spaces(pen: &mut Pen, item: &Item, bound: &Bound) {
    let first = bound.words.len();
    for here in pen.each(item.through, bound) {
        let Some(at) = place(pen, item, &here) else {
            continue;
        };
        if !pen.holds(item.when, &here) {
            continue;
        }
        let (width, height) = size(item, (SPACE, SPACE));
        let rect = Rect::around(at, width, height);
        body(pen, item, &here, first, rect, Sheet::Canvas);
        labels::note(pen, item, &here, rect);
        handle(pen, item, &here, first, rect);
        let stand = Stand {
            rect,
            sheet: Sheet::Canvas,
            used: 0,
        };
        pen.stands.insert(here.key(first), stand);
    }
}

/// What is drawn where its place is written can be moved there; what is drawn twice is moved at once.
fn handle(pen: &mut Pen, item: &Item, bound: &Bound, first: usize, rect: Rect) {
    let Some([x, y]) = &item.written_at else {
        return;
    };
    let (Some(x), Some(y)) = (pen.spot(x, bound), pen.spot(y, bound)) else {
        return;
    };
    let spots = [x, y];
    let label = item.label.as_ref().zip(item.written_label.as_ref());
    let label =
        label.and_then(|(label, source)| Some((pen.text(label, bound), pen.spot(source, bound)?)));
    if let Some(known) = pen.handles.iter_mut().find(|known| known.spots == spots) {
        known.label = known.label.take().or(label);
        return;
    }
    let Some(at) = place(pen, item, bound) else {
        return;
    };
    let at = (at.x as i32 - item.shift.0, at.y as i32 - item.shift.1);
    let sizes = [item.size.0, item.size.1].into_iter();
    let written = item.written_size.iter().map(|span| Spot::Number(*span));
    pen.handles.push(Handle {
        subject: bound.subjects(first).first().copied(),
        name: pen.name(bound, first),
        rect,
        scale: 1.0,
        at,
        spots,
        label,
        size: sizes.zip(written).collect(),
    });
}

fn place(pen: &mut Pen, item: &Item, bound: &Bound) -> Option<Point> {
    let [x, y] = item.at.as_ref()?;
    let x = pen.number(x, bound)?;
    let y = pen.number(y, bound)?;
    let (right, down) = item.shift;
    Some(Point::new((x + right) as f32, (y + down) as f32))
}

/// The outline with its texts; what is left for pieces.
fn body(pen: &mut Pen, item: &Item, bound: &Bound, first: usize, rect: Rect, sheet: Sheet) -> Rect {
    let whole = rect;
    let (fill, sign) = pen.look(item.fill.as_ref(), bound);
    let (edge, _) = pen.look(item.outline.as_ref(), bound);
    let fill = fill.unwrap_or(Colour::Card);
    let subjects = pen.subjects(item, bound, first);
    let name = pen.name(bound, first);
    let turn = item.turn.as_ref();
    let turn = turn.and_then(|turn| pen.number(turn, bound)).unwrap_or(0);
    let ground = pen.sheet(sheet).len();
    if let Some(shape) = outline(pen, item.shape, rect) {
        let width = if edge.is_some() { 2.5 } else { 1.0 };
        let shape = turned(shape, turn as f32)
            .filled(fill)
            .stroked(edge.unwrap_or(Colour::Muted), width)
            .standing_for(&subjects, &name);
        pen.sheet(sheet).push(shape);
    }
    let mut texts: Vec<String> = item.text.iter().map(|line| pen.text(line, bound)).collect();
    let picture = pictures::of(pen, item, bound);
    let (size, least) = letters(pen, item, LETTERS, sheet);
    let mut rect = rect;
    if let Some(picture) = &picture {
        let (shape, left) = pictures::above(picture, (texts.len(), size), rect);
        let shape = shape.map(|shape| turned(shape, turn as f32));
        // Without an outline it stands for the thing itself.
        let shape = shape.map(|shape| match item.shape {
            Outline::None => shape.standing_for(&subjects, &name),
            _ => shape,
        });
        pen.sheet(sheet).extend(shape);
        rect = left;
    }
    let (rect, lines) = ways_on(pen, item, bound, rect);
    let says_colour = item.fill.is_some() && item.text.is_empty() && picture.is_none();
    texts.extend(sign.filter(|_| says_colour));
    let ink = match item.shape {
        Outline::None => Colour::Ink,
        _ => fill.ink(),
    };
    let room = match item.shape {
        Outline::Circle | Outline::Diamond | Outline::Hex => rect.shrunk(rect.width * 0.12),
        _ => rect.shrunk(2.0),
    };
    let pieces = item.kind == ItemKind::Boxes && pen.pieces && lines.is_none();
    let above = pieces.then(|| above_pieces(room, &texts, (size, least), ink));
    let (written, left) = match (above.flatten(), lines) {
        (Some((written, left)), _) => (written, left),
        (None, Some(from)) => {
            let drawn = &pen.flow[from..];
            let written = canvas::lines_among(room, &texts, (size, least), fill, drawn);
            (written, whole)
        }
        (None, None) => (canvas::lines(room, &texts, (size, least), ink), whole),
    };
    if !written.cut.is_empty()
        && let Some(own) = pen.sheet(sheet).get_mut(ground)
    {
        own.whole = texts;
    }
    if item.kind == ItemKind::Spaces && picture.is_none() {
        plate(pen.sheet(sheet), ground, &written.shapes);
    }
    pen.sheet(sheet).extend(written.shapes);
    left
}

/// A thing on a larger one that stands for the same is only the ground of its text.
fn plate(drawn: &mut [Shape], at: usize, text: &[Shape]) {
    let Some((below, [own, ..])) = drawn.split_at_mut_checked(at) else {
        return;
    };
    if below.iter().any(|shape| bears(shape, own)) {
        let sizes = text.iter().filter_map(|shape| match &shape.form {
            Form::Text(text) => Some(text.size),
            _ => None,
        });
        own.letters = sizes.reduce(f32::min);
    }
}

/// Whether a thing lies wholly on a larger one that stands for the same.
fn bears(below: &Shape, above: &Shape) -> bool {
    let (ground, bounds) = (below.bounds(), above.bounds());
    below.fill.is_some()
        && below.subjects == above.subjects
        && ground.union(bounds) == ground
        && ground.width * ground.height > bounds.width * bounds.height
}

/// Texts at the upper edge of a box, and what they leave for pieces; none where both have no room.
fn above_pieces(
    room: Rect,
    texts: &[String],
    letters: (f32, f32),
    ink: Colour,
) -> Option<(Written, Rect)> {
    let upper = Rect {
        height: room.height - LEFT,
        ..room
    };
    let mut written = canvas::lines(upper, texts, letters, ink);
    let bounds = written.shapes.iter().map(Shape::bounds);
    let taken = bounds.reduce(Rect::union)?;
    // Lines that lie so close are rather where they have more room.
    let count = written.shapes.len() as f32;
    let tight = taken.height < count * letters.1 * canvas::LINE - letters.1 * 0.3;
    if upper.height < letters.1 || tight || !written.cut.is_empty() {
        return None;
    }
    let up = Point::new(0.0, room.y - taken.y);
    let shapes = written.shapes.into_iter();
    written.shapes = shapes.map(|shape| shape.moved(1.0, up)).collect();
    let left = Rect::new(
        room.x,
        room.y + taken.height,
        room.width,
        room.height - taken.height,
    );
    Some((written, left))
}

fn outline(pen: &Pen, shape: Outline, rect: Rect) -> Option<Shape> {
    Some(match shape {
        Outline::Box => canvas::boxed(rect, 3.0),
        Outline::Circle => canvas::circle(rect.centre(), rect.width / 2.0),
        Outline::Diamond => canvas::diamond(rect),
        Outline::Hex => Shape::new(Form::Polygon(pen.board.sides().hex(rect))),
        Outline::None => return None,
    })
}

fn turned(mut shape: Shape, degrees: f32) -> Shape {
    if let Form::Rect { turn, .. } | Form::Picture { turn, .. } = &mut shape.form {
        *turn = degrees;
    }
    shape
}

/// Width of the labels before an item's rows of boxes, if it has some.
pub fn head(pen: &mut Pen, item: &Item, bound: &Bound) -> f32 {
    let (ItemKind::Boxes, Some(label)) = (item.kind, &item.label) else {
        return 0.0;
    };
    let size = pen.readable(LETTERS, Sheet::Flow);
    let mut head = 0.0f32;
    for here in pen.each(item.through, bound) {
        if here.words.len() > bound.words.len() + 1 && pen.holds(item.when, &here) {
            let text = pen.text(label, &here);
            head = head.max(super::scene::Text::width_of(&text, size) + GAP);
        }
    }
    head
}

/// Boxes in rows; what the first of several names stands for begins a row of its own.
pub fn boxes(pen: &mut Pen, item: &Item, bound: &Bound, top: f32, room: f32) -> Rect {
    let first = bound.words.len();
    let (width, height) = size(item, BOX);
    let all: Vec<Bound> = pen.each(item.through, bound);
    let all: Vec<Bound> = all
        .into_iter()
        .filter(|here| pen.holds(item.when, here))
        .collect();
    let grouped = all.first().is_some_and(|here| here.words.len() > first + 1);
    let fits = ((room + GAP) / (width + GAP)).floor().max(1.0) as u32;
    let per_row = if item.per_row > 0 { item.per_row } else { fits };
    let label_size = pen.readable(LETTERS, Sheet::Flow);
    let head = if grouped && item.label.is_some() {
        pen.head
    } else {
        0.0
    };
    let (mut y, mut column, mut last, mut right) = (top, 0, None, 0.0f32);
    if !grouped {
        y += heading(pen, item, all.first(), top);
    }
    for here in &all {
        let group = here.words.get(first).copied();
        let begins = grouped && group != last;
        if column == per_row || begins && last.is_some() {
            y += height + GAP;
            column = 0;
        }
        if begins && let Some(label) = &item.label {
            let text = pen.text(label, here);
            let at = Point::new(0.0, y + height / 2.0);
            let shape = canvas::anchored(at, text, label_size, Colour::Ink, Anchor::Start);
            pen.flow.push(shape);
        }
        last = group;
        let rect = Rect::new(head + column as f32 * (width + GAP), y, width, height);
        let stand = Stand {
            rect: body(pen, item, here, first, rect, Sheet::Flow),
            sheet: Sheet::Flow,
            used: 0,
        };
        pen.stands.insert(here.key(first), stand);
        right = right.max(rect.right());
        column += 1;
    }
    let bottom = if all.is_empty() { top } else { y + height };
    Rect::new(0.0, top, right, bottom - top)
}

/// The label above a group; its height.
pub fn heading(pen: &mut Pen, item: &Item, bound: Option<&Bound>, top: f32) -> f32 {
    let (Some(template), Some(bound)) = (&item.label, bound) else {
        return 0.0;
    };
    let text = pen.text(template, bound);
    let size = pen.readable(LETTERS - 1.0, Sheet::Flow);
    let at = Point::new(0.0, top + size / 2.0);
    let shape = canvas::anchored(at, text, size, Colour::Muted, Anchor::Start);
    pen.flow.push(shape);
    size + 1.0 + GAP
}

/// A token, and where it lies, if it is one of a zone's.
struct Token {
    bound: Bound,
    zone: Option<Subject>,
}

/// The tokens of an item, with what the names around them stand for: one for each, or all of a zone.
fn tokens(pen: &mut Pen, item: &Item, bound: &Bound) -> Vec<Token> {
    let mut found = Vec::new();
    for here in pen.each(item.through, bound) {
        if !pen.holds(item.when, &here) {
            continue;
        }
        let (Some(id), Some(ty)) = (item.zone, &item.card) else {
            found.push(Token {
                bound: here,
                zone: None,
            });
            continue;
        };
        let zone = pen.view.zone(pen.board.question(id), &here.words);
        let pieces = match &zone {
            Some(zone) => pen.view.pieces_of(zone),
            None => pen.items(id, &here),
        };
        let zone = zone.map(|zone| Subject::Slot(CellId(zone.cell.0), zone.slot));
        for (piece, count) in pieces.into_iter().filter(|(piece, _)| *piece != NONE) {
            let token = || Token {
                bound: here.with(&[piece], std::slice::from_ref(ty)),
                zone,
            };
            found.extend(std::iter::repeat_with(token).take(count.max(0) as usize));
        }
    }
    found
}

/// Draws a token.
fn token(pen: &mut Pen, item: &Item, token: &Token, first: usize, place: (Rect, Sheet)) {
    let (rect, sheet) = place;
    let from = pen.sheet(sheet).len();
    if token.bound.words.last() == Some(&UNKNOWN) {
        let mut shape = outline(pen, item.shape, rect);
        if let Some(shape) = &mut shape {
            shape.fill = Some(Colour::Muted);
            shape.pattern = Some(Pattern::Hatched);
            shape.subjects = token.bound.subjects(first);
            shape.name = pen.view.words.say(Saying::NotOpen, &[]);
        }
        pen.sheet(sheet).extend(shape);
    } else {
        body(pen, item, &token.bound, first, rect, sheet);
    }
    if let Some(zone) = token.zone {
        let own = pen.sheet(sheet).iter_mut().skip(from);
        for shape in own.filter(|shape| !shape.subjects.is_empty()) {
            shape.subjects.push(zone);
        }
    }
}

/// Tokens; several on one place stand side by side.
pub fn pieces(pen: &mut Pen, item: &Item, bound: &Bound) {
    let first = bound.words.len();
    let mut groups: BTreeMap<Vec<Key>, Vec<Token>> = BTreeMap::new();
    for one in tokens(pen, item, bound) {
        if item.on.is_empty() {
            if let Some(at) = place(pen, item, &one.bound) {
                let (width, height) = size(item, (PIECE, PIECE));
                let rect = Rect::around(at, width, height);
                token(pen, item, &one, first, (rect, Sheet::Canvas));
            }
        } else if let Some((keys, _)) = pen.stand(&item.on, &one.bound) {
            groups.entry(keys).or_default().push(one);
        }
    }
    for (keys, tokens) in groups {
        let Some(stand) = pen.stands.get_mut(&keys) else {
            continue;
        };
        let stand_now = *stand;
        stand.used += tokens.len() as u32;
        for (at, one) in tokens.iter().enumerate() {
            let rect = spot(item, &stand_now, at as u32, tokens.len() as u32);
            token(pen, item, one, first, (rect, stand_now.sheet));
        }
    }
}

/// How far one piece of each kind reaches on whatever it may stand on; none where none stand on single things of the canvas.
pub fn reach(pen: &Pen, panel: &Panel) -> Option<Rect> {
    let mut reach: Option<Rect> = None;
    for item in panel
        .items
        .iter()
        .filter(|item| item.kind == ItemKind::Pieces)
    {
        let [Value::Asked(id)] = item.on.as_slice() else {
            continue;
        };
        let ty = &pen.board.question(*id).ty;
        let stands = pen.stands.iter().filter(|(keys, stand)| {
            let single = matches!(keys.as_slice(), [key] if key.is_of(ty));
            single && stand.sheet == Sheet::Canvas
        });
        for (_, stand) in stands {
            let empty = Stand { used: 0, ..*stand };
            let rect = spot(item, &empty, 0, 1);
            reach = Some(reach.map_or(rect, |reach| reach.union(rect)));
        }
    }
    reach
}

/// Where the piece number `at` of `count` stands.
fn spot(item: &Item, stand: &Stand, at: u32, count: u32) -> Rect {
    let (width, height) = size(item, (PIECE, PIECE));
    let room = stand.rect.width.max(width);
    let most = ((room / width).floor() as u32).max(1);
    let middle = stand.rect.centre();
    let (right, down) = item.shift;
    let centre = Point::new(middle.x + right as f32, middle.y + down as f32);
    if stand.used == 0 && count <= most {
        let x = centre.x + (at as f32 - (count as f32 - 1.0) / 2.0) * (width + 1.0);
        return Rect::around(Point::new(x, centre.y), width, height);
    }
    // More than fit beside each other: further rows go down. Around what is small they lie side by side all the same, and where
    // there is little room they overlap as far as each can still be pointed at.
    let all = stand.used + count;
    let place = stand.used + at;
    let square = (all as f32).sqrt().ceil() as u32;
    let most = match stand.sheet {
        Sheet::Canvas => most.max(square),
        Sheet::Flow => most,
    };
    let rows = all.div_ceil(most);
    let (row, column) = (place / most, place % most);
    let in_row = most.min(all);
    let step_y = if rows > 1 {
        let least = height * OVERLAP;
        ((stand.rect.height - height) / (rows - 1) as f32).clamp(least, height + 1.0)
    } else {
        0.0
    };
    let x = centre.x + (column as f32 - (in_row as f32 - 1.0) / 2.0) * (width + 1.0);
    let y = centre.y + (row as f32 - (rows as f32 - 1.0) / 2.0) * step_y;
    Rect::around(Point::new(x, y), width, height)
}

/// Lines from the sides or ports of a square to its middle.
pub fn ways(pen: &mut Pen, item: &Item, bound: &Bound) {
    let first = bound.words.len();
    for here in pen.each(item.through, bound) {
        let Some(at) = place(pen, item, &here) else {
            continue;
        };
        if !pen.holds(item.when, &here) {
            continue;
        }
        let (width, height) = size(item, BOX);
        let rect = Rect::around(at, width, height);
        let meeting = lines_in(pen, item, &here, first, rect, Sheet::Canvas);
        let stand = Stand {
            rect: Rect::around(meeting, width * 0.45, height * 0.3),
            sheet: Sheet::Canvas,
            used: 0,
        };
        pen.stands.insert(here.key(first), stand);
    }
}

/// The lines on a box or card, in the square at its upper edge; the room for words: below, or if there is none on the lines, which
/// is said by where in the flow these begin.
pub fn ways_on(pen: &mut Pen, item: &Item, bound: &Bound, rect: Rect) -> (Rect, Option<usize>) {
    if item.ways.is_empty() {
        return (rect, None);
    }
    let from = pen.flow.len();
    let side = rect.width.min(rect.height);
    let left = rect.x + (rect.width - side) / 2.0;
    let square = Rect::new(left, rect.y, side, side);
    let first = bound.words.len();
    for way in &item.ways {
        for here in pen.each(way.through, bound) {
            if pen.holds(way.when, &here) {
                lines_in(pen, way, &here, first, square, Sheet::Flow);
            }
        }
    }
    // Words that have no room below lie on it.
    let below = rect.height - side;
    if below < letters(pen, item, LETTERS, Sheet::Flow).0 {
        return (rect, Some(from));
    }
    if pen.printed.is_some() {
        // The tile ends here, and so do its lines.
        let (y, right) = (rect.y + side, rect.right());
        let edge = Form::Polyline(vec![Point::new(rect.x, y), Point::new(right, y)]);
        pen.flow.push(Shape::new(edge).stroked(Colour::Muted, 0.8));
    }
    (Rect::new(rect.x, rect.y + side, rect.width, below), None)
}

/// Draws the lines; where they come together.
fn lines_in(
    pen: &mut Pen,
    item: &Item,
    bound: &Bound,
    first: usize,
    rect: Rect,
    sheet: Sheet,
) -> Point {
    let Some(sides) = item.sides else {
        return rect.centre();
    };
    let ports = matches!(
        pen.board.question(sides).ty.required(),
        Ty::Set(Domain::Port)
    );
    let lie = pen.board.sides();
    let (colour, _) = pen.look(item.fill.as_ref(), bound);
    let subjects = pen.subjects(item, bound, first);
    let name = pen.name(bound, first);
    let ends: Vec<Point> = pen
        .items(sides, bound)
        .iter()
        .filter_map(|(side, _)| match ports {
            true => lie.port(rect, *side),
            false => lie.middle(rect, *side),
        })
        .collect();
    let mut meeting = meeting(rect, &ends);
    if item.aside.is_some() && pen.holds(item.aside, bound) {
        meeting = aside(rect, &ends, meeting);
    }
    let thick = if item.width > 0 {
        item.width as f32
    } else {
        4.0
    };
    for end in ends {
        // Round ends of thick lines stay on the square.
        let reach = if thick > THIN || sheet == Sheet::Flow {
            thick / 2.0
        } else {
            0.0
        };
        let short = (reach / end.distance(meeting).max(1.0)).min(0.5);
        let end = Point::new(
            end.x + (meeting.x - end.x) * short,
            end.y + (meeting.y - end.y) * short,
        );
        let line = Shape::new(Form::Polyline(vec![end, meeting]))
            .stroked(colour.unwrap_or(Colour::Ink), thick)
            .standing_for(&subjects, &name);
        pen.sheet(sheet).push(line);
    }
    meeting
}

/// Of a line straight through the middle, a point beside it, so that it goes around what stands there.
fn aside(rect: Rect, ends: &[Point], meeting: Point) -> Point {
    const ASIDE: f32 = 0.32;
    let middle = rect.centre();
    let [from, to] = ends else { return meeting };
    if middle.distance(meeting) > rect.width * 0.05 {
        return meeting;
    }
    let length = from.distance(*to).max(1.0);
    let away = rect.width.min(rect.height) * ASIDE / length;
    Point::new(
        middle.x + (to.y - from.y) * away,
        middle.y - (to.x - from.x) * away,
    )
}

/// Where the lines come together: in the middle, of one side's ports near that side.
fn meeting(rect: Rect, ends: &[Point]) -> Point {
    let count = ends.len().max(1) as f32;
    let sum = ends
        .iter()
        .fold((0.0, 0.0), |sum, end| (sum.0 + end.x, sum.1 + end.y));
    let middle = rect.centre();
    let mean = Point::new(sum.0 / count, sum.1 / count);
    Point::new((mean.x + middle.x) / 2.0, (mean.y + middle.y) / 2.0)
}

/// Draws an item that lies on the canvas; false if it is one that flows.
pub fn on_canvas(pen: &mut Pen, item: &Item, bound: &Bound) -> bool {
    match item.kind {
        ItemKind::Spaces => spaces(pen, item, bound),
        ItemKind::Links => super::links::links(pen, item, bound),
        ItemKind::Pieces => pieces(pen, item, bound),
        ItemKind::Ways => ways(pen, item, bound),
        ItemKind::Boxes | ItemKind::Cards | ItemKind::Pile | ItemKind::Values => return false,
    }
    true
}
