//! Panels with their titles, side by side and one below the other.

use super::cards;
use super::labels;
use super::marks;
use super::palette::Colour;
use super::pen::{Bound, Pen, Printed, Sheet, Shown};
use super::rulers;
use super::scene::{
    Anchor, Area, Form, Handle, Point, Rect, Scene, Shape, Size, Subject, Text, cut,
};
use super::{Board, canvas};
use dsl::board::{Item, ItemKind, Panel, Place, TemplatePart, viewer_type};
use dsl::ir::{Domain, Ty};
use interpreter::NONE;
use interpreter::ask::View;

/// Between panels, and around them.
const GAP: f32 = 8.0;
/// From the edge of a panel to what lies in it.
const PADDING: f32 = 7.0;
const TITLE: f32 = 13.0;
/// Radius of the mark before the title of what a panel is of.
const SWATCH: f32 = 5.5;
/// Behind it: what glows around it leaves the title free.
const SWATCH_GAP: f32 = 8.0;
/// Between things that lie one below the other in a panel.
const FLOW_GAP: f32 = 5.0;

/// Something laid out, its corner at the origin.
#[derive(Default)]
struct Block {
    width: f32,
    height: f32,
    shapes: Vec<Shape>,
    areas: Vec<Area>,
    handles: Vec<Handle>,
}

#[derive(Clone, Copy)]
enum Direction {
    Down,
    Across,
}

/// How the panels of a board are put together to fill a room.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrangement {
    order: Order,
    /// How many times as large as written the parts are in which things have places of their own.
    grow: f32,
    /// How many of the panels that are one for each lie side by side; none: as many as is written.
    per_row: Option<u32>,
    /// Height of the smallest letters, in board units.
    letters: f32,
    /// How many points of the screen a board unit has at least: where the whole board is smaller, much of what is written on it
    /// has no room, and it is rather looked at in parts. None: it fits.
    pub least: Option<f32>,
}

impl Default for Arrangement {
    fn default() -> Arrangement {
        Arrangement {
            order: Order::Written,
            grow: 1.0,
            per_row: None,
            letters: canvas::LEAST,
            least: None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// As `layout` says.
    Written,
    /// What `layout` says lies in rows lies in columns.
    Turned,
    /// Maps and boards, beside them all else in so many columns.
    Beside(usize),
    /// Maps and boards, below them all else in so many columns.
    Below(usize),
}

const ORDERS: [Order; 7] = [
    Order::Written,
    Order::Turned,
    Order::Beside(1),
    Order::Beside(2),
    Order::Below(2),
    Order::Below(3),
    Order::Below(4),
];
const GROWTHS: [f32; 8] = [0.55, 0.65, 0.8, 1.0, 1.25, 1.5, 1.8, 2.2];
/// So many panels side by side, of those that are one for each.
const ROWS: [Option<u32>; 4] = [None, Some(1), Some(2), Some(4)];
/// What a larger map is worth beside larger letters everywhere.
const MAP_WORTH: f32 = 0.35;
/// What of it is lost with a smaller one: where all becomes larger for it, the map stays about as it is.
const MAP_LOSS: f32 = 0.8;
/// As they are written, panels are where their author wants them: others have to be so much better.
const BETTER: f32 = 1.06;
/// Panels that lie somewhere stay there, unless elsewhere is so much better.
const ANEW: f32 = 1.06;
/// Height of the smallest letters on the screen, in its points; and in board units at most, however small the room is.
const READABLE: f32 = 9.5;
const LETTERS_MAX: f32 = 22.0;
/// Letters that are known stay as they are, unless they are to be so much larger or smaller.
const LETTERS_ANEW: f32 = 0.04;
/// How many points a board unit has, tried one after the other, where texts have no room on a board that is seen in whole.
const LARGER: [f32; 5] = [0.65, 0.75, 0.85, 0.95, 1.05];
/// How large maps are tried then, the largest first.
const PARTS: [f32; 4] = [1.25, 1.0, 0.8, 0.65];
/// A board is looked at in parts only where more than this share of its texts is cut else; and only where that leaves no more than this
/// share of these.
const CUT_MAX: f32 = 0.2;
const WORTH_PARTS: f32 = 0.5;
/// Width of the bar beside it, in points.
const BAR: f32 = 8.0;

/// The arrangement in which most is to be read in a room of this size; the known one, if no other is much better.
pub fn arranged(board: &Board, view: View, room: Size, known: Option<Arrangement>) -> Arrangement {
    let mut pen = Pen::new(board, view);
    pen.start = start(&pen);
    // Who looks at parts of the board goes on so: it does not change its size while it is played on.
    let parted = known.filter(|known| known.least.is_some());
    let whole = match parted {
        Some(known) => known,
        None => in_whole(&mut pen, room, known),
    };
    let (size, cut, texts) = measured(&mut pen, whole);
    let (few, most) = match parted {
        None => (texts as f32 * CUT_MAX, cut as f32 * WORTH_PARTS),
        Some(_) => (0.0, cut as f32 - 1.0),
    };
    if cut as f32 <= few {
        return whole;
    }
    let fit = (room.width / size.width).min(room.height / size.height);
    let now = whole.least.unwrap_or(fit);
    in_parts(&mut pen, room, (now, most)).unwrap_or(whole)
}

/// How large the panels are, put together so, how many texts are cut, and of how many.
fn measured(pen: &mut Pen, arrangement: Arrangement) -> (Size, usize, usize) {
    let block = whole(pen, arrangement);
    let size = Size {
        width: block.width + 2.0 * GAP,
        height: block.height + 2.0 * GAP,
    };
    let shapes = block.shapes.iter();
    let texts = shapes.filter(|shape| matches!(shape.form, Form::Text(_)));
    (size, cut(&block.shapes), texts.count())
}

/// The arrangement as wide as the room in which fewest texts are cut, `most` at most, and of these the smallest that is larger than
/// now. None where all are wider, or where a map has no room in whole.
fn in_parts(pen: &mut Pen, room: Size, (now, most): (f32, f32)) -> Option<Arrangement> {
    let mut best: Option<(Arrangement, usize)> = None;
    for least in LARGER.into_iter().filter(|least| *least > now) {
        let Some((arrangement, cut)) = shortest(pen, room, least) else {
            continue;
        };
        let fewer = best.is_none_or(|(_, known)| cut < known);
        if cut as f32 <= most && fewer {
            best = Some((arrangement, cut));
        }
        if cut == 0 {
            break;
        }
    }
    best.map(|(arrangement, _)| arrangement)
}

/// The least high arrangement with board units of this size that is no wider than the room, with its map as large as it can be;
/// and how many texts are cut.
fn shortest(pen: &mut Pen, room: Size, least: f32) -> Option<(Arrangement, usize)> {
    let maps = pen
        .board
        .plan
        .panels
        .iter()
        .filter(|panel| has_places(panel));
    let highest = maps.map(|map| map.size.1).max().unwrap_or(0) as f32;
    for grow in PARTS {
        if highest * grow * least > room.height {
            continue;
        }
        let arranged = ORDERS.map(|order| {
            let arrangement = Arrangement {
                order,
                grow,
                per_row: None,
                letters: READABLE / least,
                least: Some(least),
            };
            let (size, cut, _) = measured(pen, arrangement);
            (arrangement, cut, size)
        });
        let fitting = arranged.into_iter();
        let fitting = fitting.filter(|(.., size)| size.width * least <= room.width - BAR);
        let found = fitting.min_by(|one, other| one.2.height.total_cmp(&other.2.height));
        if let Some((arrangement, cut, _)) = found {
            return Some((arrangement, cut));
        }
    }
    None
}

/// The arrangement in which most is to be read where the whole board is seen.
fn in_whole(pen: &mut Pen, room: Size, known: Option<Arrangement>) -> Arrangement {
    let scale = |block: &Block| {
        let (width, height) = (block.width + 2.0 * GAP, block.height + 2.0 * GAP);
        (room.width / width).min(room.height / height)
    };
    let needed = |scale: f32| (READABLE / scale).clamp(canvas::LEAST, LETTERS_MAX);
    let mut letters = match known {
        Some(known) => known.letters,
        None => needed(scale(&whole(pen, Arrangement::default()))),
    };
    let mut found = best(pen, &scale, known, letters);
    // Larger letters need larger panels, and these are made smaller to fit.
    for _ in 0..2 {
        let wanted = needed(found.1);
        if (wanted - letters).abs() <= LETTERS_ANEW * letters {
            break;
        }
        letters = wanted;
        found = best(pen, &scale, known, letters);
    }
    found.0
}

/// With letters of this height; and how large a board unit is then.
fn best(
    pen: &mut Pen,
    scale: &dyn Fn(&Block) -> f32,
    known: Option<Arrangement>,
    letters: f32,
) -> (Arrangement, f32) {
    let grows = pen.board.plan.panels.iter().any(has_places);
    let mut worth = |arrangement: Arrangement| {
        let scale = scale(&whole(pen, arrangement));
        let more = arrangement.grow - 1.0;
        let worth = scale * (1.0 + more * if more > 0.0 { MAP_WORTH } else { MAP_LOSS });
        (worth, scale)
    };
    let mut best = (Arrangement::default(), (0.0f32, 1.0f32));
    for order in ORDERS {
        // Maps grow into what is left; where there is none, panels are put into other rows.
        let sizes = match grows {
            true => GROWTHS.map(|grow| (grow, None)).to_vec(),
            false => ROWS.map(|per_row| (1.0, per_row)).to_vec(),
        };
        for (grow, per_row) in sizes {
            let arrangement = Arrangement {
                order,
                grow,
                per_row,
                letters,
                least: None,
            };
            let worth = worth(arrangement);
            let needed = match (order, per_row) {
                (Order::Written, None) => best.1.0,
                _ => best.1.0 * BETTER,
            };
            if worth.0 > needed {
                best = (arrangement, worth);
            }
        }
    }
    let known = known.map(|known| Arrangement { letters, ..known });
    let known = known.map(|known| (known, worth(known)));
    let (arrangement, (_, scale)) = match known {
        Some(known) if best.1.0 <= known.1.0 * ANEW => known,
        _ => best,
    };
    (arrangement, scale)
}

/// `printed`: for paper; none: for the window.
pub fn scene(
    board: &Board,
    view: View,
    arrangement: Arrangement,
    printed: Option<Printed>,
) -> Scene {
    let mut pen = Pen::new(board, view);
    pen.start = start(&pen);
    pen.printed = printed;
    let block = whole(&mut pen, arrangement);
    let size = Size {
        width: block.width + 2.0 * GAP,
        height: block.height + 2.0 * GAP,
    };
    let mut scene = Scene {
        size,
        ..Scene::default()
    };
    let paper = Rect::new(0.0, 0.0, size.width, size.height);
    scene
        .shapes
        .push(canvas::boxed(paper, 0.0).filled(Colour::Paper));
    let mut whole = Block::default();
    put(&mut whole, block, Point::new(GAP, GAP));
    scene.shapes.extend(whole.shapes);
    scene.areas = whole.areas;
    scene.handles = whole.handles;
    scene.contrasted();
    scene
}

/// What is bound everywhere.
pub fn start(pen: &Pen) -> Bound {
    let viewer = pen.view.viewer().map_or(NONE, |seat| seat as i32);
    Bound::default().with(&[viewer], &[viewer_type()])
}

/// All panels, put together.
fn whole(pen: &mut Pen, arrangement: Arrangement) -> Block {
    pen.grow = arrangement.grow;
    pen.letters = arrangement.letters;
    pen.per_row = arrangement.per_row;
    pen.flow_width = None;
    let layout = &pen.board.plan.layout;
    let (columns, direction) = match arrangement.order {
        Order::Written => return places(pen, layout, Direction::Down),
        Order::Turned => return places(pen, layout, Direction::Across),
        Order::Beside(columns) => (columns, Direction::Across),
        Order::Below(columns) => (columns, Direction::Down),
    };
    let mut all = Vec::new();
    listed(layout, &mut all);
    let panels = &pen.board.plan.panels;
    let (maps, others): (Vec<usize>, Vec<usize>) =
        all.into_iter().partition(|at| has_places(&panels[*at]));
    // As wide as most of them are written.
    let mut widths: Vec<u32> = others.iter().map(|at| panels[*at].size.0).collect();
    widths.sort_unstable();
    let usual = widths
        .get(widths.len() / 2)
        .copied()
        .filter(|width| *width > 0);
    pen.flow_width = usual.map(|width| width as f32);
    let maps: Vec<Block> = maps.into_iter().map(|at| panels_of(pen, at)).collect();
    let others: Vec<Block> = others.into_iter().map(|at| panels_of(pen, at)).collect();
    let maps = strung(maps, Direction::Across);
    let others = in_columns(others, columns);
    strung(vec![maps, others], direction)
}

/// Panels in the order of the layout.
fn listed(places: &[Place], into: &mut Vec<usize>) {
    for place in places {
        match place {
            Place::Panel(at) => into.push(*at),
            Place::Group(inner) => listed(inner, into),
        }
    }
}

/// Whether things lie on a panel that have places of their own.
fn has_places(panel: &Panel) -> bool {
    let mut items = panel.items.iter();
    items.any(|item| {
        matches!(
            item.kind,
            ItemKind::Spaces | ItemKind::Ways | ItemKind::Links
        )
    })
}

/// Blocks in columns, each put where there is most room left, in their order.
fn in_columns(blocks: Vec<Block>, count: usize) -> Block {
    let total: f32 = blocks.iter().map(|block| block.height + GAP).sum();
    let wanted = total / count.max(1) as f32;
    let mut columns: Vec<Vec<Block>> = vec![Vec::new()];
    let mut height = 0.0;
    for block in blocks {
        let begins = height > 0.0 && height + block.height / 2.0 > wanted;
        if begins && columns.len() < count {
            columns.push(Vec::new());
            height = 0.0;
        }
        height += block.height + GAP;
        if let Some(column) = columns.last_mut() {
            column.push(block);
        }
    }
    let columns = columns.into_iter();
    let columns = columns.map(|column| strung(column, Direction::Down));
    strung(columns.collect(), Direction::Across)
}

fn put(into: &mut Block, block: Block, at: Point) {
    into.width = into.width.max(at.x + block.width);
    into.height = into.height.max(at.y + block.height);
    let shapes = block.shapes.into_iter();
    into.shapes.extend(shapes.map(|shape| shape.moved(1.0, at)));
    let handles = block.handles.into_iter();
    into.handles
        .extend(handles.map(|handle| handle.moved(1.0, at)));
    into.areas.extend(block.areas.into_iter().map(|area| Area {
        rect: area.rect.moved(1.0, at),
        head: area.head.moved(1.0, at),
        ..area
    }));
}

/// Blocks one behind the other.
fn strung(blocks: Vec<Block>, direction: Direction) -> Block {
    let mut all = Block::default();
    for block in blocks.into_iter().filter(|block| block.height > 0.0) {
        let begun = !all.shapes.is_empty();
        let gap = if begun { GAP } else { 0.0 };
        let at = match direction {
            Direction::Down => Point::new(0.0, all.height + gap),
            Direction::Across => Point::new(all.width + gap, 0.0),
        };
        put(&mut all, block, at);
    }
    all
}

fn places(pen: &mut Pen, list: &[Place], direction: Direction) -> Block {
    let other = match direction {
        Direction::Down => Direction::Across,
        Direction::Across => Direction::Down,
    };
    let blocks = list.iter().map(|place| match place {
        Place::Panel(at) => panels_of(pen, *at),
        Place::Group(list) => places(pen, list, other),
    });
    let blocks = blocks.collect();
    strung(blocks, direction)
}

/// A panel for each of the things its names stand for.
fn panels_of(pen: &mut Pen, at: usize) -> Block {
    let board = pen.board;
    let panel = &board.plan.panels[at];
    let mut blocks = Vec::new();
    let start = pen.start.clone();
    for bound in pen.each(panel.through, &start) {
        if pen.holds(panel.when, &bound) {
            blocks.push(one(pen, at, &bound));
        }
    }
    let per_row = pen.per_row.unwrap_or(panel.per_row);
    let mut rows = Vec::new();
    let mut left = blocks.into_iter().peekable();
    while left.peek().is_some() {
        let row: Vec<Block> = left.by_ref().take(per_row as usize).collect();
        rows.push(strung(row, Direction::Across));
    }
    strung(rows, Direction::Down)
}

/// Draws what lies on a panel; how far what flows reaches to the right and down.
fn draw(pen: &mut Pen, panel: &Panel, bound: &Bound, room: f32) -> (f32, f32) {
    pen.canvas.clear();
    pen.flow.clear();
    pen.stands.clear();
    pen.labels.clear();
    pen.handles.clear();
    let stands = |item: &Item| item.kind == ItemKind::Pieces && !item.on.is_empty();
    pen.pieces = panel.items.iter().any(stands);
    // Rows with a label before them begin below one another.
    let heads = panel.items.iter().map(|item| marks::head(pen, item, bound));
    pen.head = heads.fold(0.0, f32::max);
    let mut bottom = 0.0f32;
    let mut right = 0.0f32;
    // What has found nothing to lie on or to lead to yet is drawn behind all others, and painted where it is written.
    let mut late: Vec<(usize, &Item)> = Vec::new();
    for item in &panel.items {
        let (begin, flowed) = (pen.canvas.len(), pen.flow.len());
        if marks::on_canvas(pen, item, bound) {
            let leans = matches!(item.kind, ItemKind::Links | ItemKind::Pieces);
            if leans && (pen.canvas.len(), pen.flow.len()) == (begin, flowed) {
                late.push((begin, item));
            }
            continue;
        }
        let top = if bottom > 0.0 { bottom + FLOW_GAP } else { 0.0 };
        let taken = match item.kind {
            ItemKind::Boxes => marks::boxes(pen, item, bound, top, room),
            ItemKind::Values => cards::values(pen, item, bound, top, room),
            _ => cards::zones(pen, item, bound, top, room),
        };
        if taken.height > 0.0 {
            bottom = taken.bottom();
            right = right.max(taken.right());
        }
    }
    let mut below = 0;
    for (at, item) in late {
        let begin = pen.canvas.len();
        marks::on_canvas(pen, item, bound);
        let own = pen.canvas.len() - begin;
        pen.canvas[at + below..].rotate_right(own);
        below += own;
    }
    rulers::draw(pen);
    labels::place(pen);
    pen.reach = marks::reach(pen, panel);
    (right, bottom)
}

fn one(pen: &mut Pen, at: usize, bound: &Bound) -> Block {
    let panel = &pen.board.plan.panels[at];
    let (wide, high) = (panel.size.0 as f32, panel.size.1 as f32);
    let (wide, high) = match has_places(panel) {
        true => (wide * pen.grow, high * pen.grow),
        false => (pen.flow_width.unwrap_or(wide), high),
    };
    let room = if wide > 0.0 { wide } else { f32::INFINITY };
    pen.fit = pen.grow * pen.fits.get(&at).copied().unwrap_or(1.0);
    let (mut right, mut bottom) = draw(pen, panel, bound, room);
    let fit = fitting(&pen.canvas, pen.reach, (room, high), pen.grow).0;
    if !pen.canvas.is_empty() && (fit / pen.fit - 1.0).abs() > LETTERS_ANEW {
        // Its letters are as high as they are to be once it is known how large it is.
        pen.fits.insert(at, fit / pen.grow);
        pen.fit = fit;
        (right, bottom) = draw(pen, panel, bound, room);
    }
    let title = title(pen, panel, bound);
    let letters = pen.readable(TITLE, Sheet::Flow);
    let head = if title.is_empty() { 0.0 } else { letters + 6.0 };
    let drawn = std::mem::take(&mut pen.canvas);
    let (scale, by, canvas_size) = fitting(&drawn, pen.reach, (room, high), pen.grow);
    let inner = wide.max(right).max(canvas_size.width).max(if wide > 0.0 {
        0.0
    } else {
        Text::width_of(&title, letters) * 1.1 + 2.0 * SWATCH + SWATCH_GAP
    });
    let split = if canvas_size.height > 0.0 && bottom > 0.0 {
        FLOW_GAP
    } else {
        0.0
    };
    let height = head + canvas_size.height + split + bottom;
    let mut block = Block {
        width: inner + 2.0 * PADDING,
        height: height + 2.0 * PADDING,
        ..Block::default()
    };
    let rect = Rect::new(0.0, 0.0, block.width, block.height);
    let seat = seat_of(bound);
    block.shapes.push(ground(pen, rect, seat));
    let mut left = PADDING;
    if !title.is_empty() {
        let middle = PADDING + letters / 2.0;
        let mut ink = Colour::Ink;
        if let Some(seat) = seat {
            let colour = pen.seat_colour(seat);
            ink = colour.ink();
            let bar = Rect::new(2.0, 2.0, block.width - 4.0, PADDING + head - 5.0);
            let bar = canvas::boxed(bar, 4.0).filled(colour);
            // It stands for the player, so that he can be pointed at.
            let bar = bar.standing_for(&bound.subjects(1), &pen.name(bound, 1));
            block.shapes.push(bar);
        } else if let Some(swatch) = swatch(pen, bound, middle) {
            block.shapes.push(swatch);
            left += 2.0 * SWATCH + SWATCH_GAP;
        }
        let at = Point::new(left, middle);
        let shape = canvas::anchored(at, title.as_str(), letters, ink, Anchor::Start);
        let least = pen.least(Sheet::Flow);
        let shape = canvas::fitted(shape, (inner + PADDING - left) / 1.1, least);
        block.shapes.push(canvas::bold(shape));
    }
    let aside = (inner - canvas_size.width) / 2.0;
    let to = Point::new(PADDING + aside, PADDING + head);
    let to_canvas = Point::new(by.x + to.x, by.y + to.y);
    block
        .shapes
        .extend(drawn.into_iter().map(|shape| shape.moved(scale, to_canvas)));
    let handles = std::mem::take(&mut pen.handles).into_iter();
    block
        .handles
        .extend(handles.map(|handle| handle.moved(scale, to_canvas)));
    let to = Point::new(PADDING, PADDING + head + canvas_size.height + split);
    let flow = std::mem::take(&mut pen.flow).into_iter();
    block.shapes.extend(flow.map(|shape| shape.moved(1.0, to)));
    let head = Rect::new(left, 0.0, block.width - left, head);
    let cards = |item: &Item| matches!(item.kind, ItemKind::Cards | ItemKind::Pile);
    // A hand has no place on paper.
    let hand = seat.is_some() && panel.items.iter().all(cards);
    if pen.printed.is_none() || !hand {
        block.areas.push(Area {
            title,
            rect,
            head,
            seat,
        });
    }
    for shape in &mut block.shapes {
        shape.seat = seat;
    }
    block
}

/// What a panel is of, before its title, in its colour: it stands for that, so that it can be pointed at.
fn swatch(pen: &Pen, bound: &Bound, middle: f32) -> Option<Shape> {
    // Behind the viewer.
    let subjects = bound.subjects(1);
    let Some(Subject::Element(domain, word)) = subjects.first().copied() else {
        return None;
    };
    let name = pen.view.words.element(domain, word);
    let colour = pen.colour(&Shown::Element(domain, word, name));
    let middle = Point::new(PADDING + SWATCH, middle);
    let swatch = canvas::circle(middle, SWATCH)
        .filled(colour.unwrap_or(Colour::Muted))
        .stroked(Colour::Muted, 1.0);
    Some(swatch.standing_for(&subjects, &pen.name(bound, 1)))
}

/// What stands above a panel.
fn title(pen: &mut Pen, panel: &Panel, bound: &Bound) -> String {
    let mut title = pen.text(&panel.title, bound);
    let seat = seat_of(bound);
    let moves = (panel.title.parts.iter()).any(|part| matches!(part, TemplatePart::Value(_)));
    if pen.printed.is_some() && seat.is_none() && moves {
        // On paper nothing stands that the game changes.
        title.clear();
    }
    if pen.printed.is_none() && pen.lacks(&panel.title, bound) {
        // Who is to move, where nobody is.
        title = pen.view.ending().unwrap_or(title);
    }
    // Whose turn it is, without its colour too.
    if seat.is_some_and(|seat| pen.asked() == Some(seat)) && !title.is_empty() {
        title.insert_str(0, "▶ ");
    }
    title
}

/// A panel's own ground; who is asked has a thick edge, whatever the colours of the seats.
fn ground(pen: &Pen, rect: Rect, seat: Option<u32>) -> Shape {
    let edge = match seat {
        Some(seat) if pen.asked() == Some(seat) => (Colour::Ink, 3.5),
        Some(_) => (Colour::Muted, 1.2),
        None => (Colour::Muted, 0.6),
    };
    canvas::boxed(rect, 6.0)
        .filled(Colour::Card)
        .stroked(edge.0, edge.1)
}

/// The player whose panel it is.
fn seat_of(bound: &Bound) -> Option<u32> {
    // Behind the viewer.
    let pair = bound.words.get(1).zip(bound.types.get(1))?;
    match pair {
        (word, Ty::Element(Domain::Player)) => u32::try_from(*word).ok(),
        _ => None,
    }
}

/// How what lies on the canvas is scaled and then moved to fit its room, and what it takes; nothing is made larger than `most`.
/// `reach`: what could come to lie there has its room, so that nothing moves when it does.
fn fitting(
    shapes: &[Shape],
    reach: Option<Rect>,
    (room, high): (f32, f32),
    most: f32,
) -> (f32, Point, Size) {
    let Some(all) = shapes.iter().map(Shape::bounds).reduce(Rect::union) else {
        return (1.0, Point::default(), Size::default());
    };
    let all = reach.map_or(all, |reach| all.union(reach));
    let mut scale = most;
    if all.width * scale > room {
        scale = room / all.width;
    }
    if high > 0.0 && all.height * scale > high {
        scale = high / all.height;
    }
    let by = Point::new(-all.x * scale, -all.y * scale);
    let size = Size {
        width: all.width * scale,
        height: all.height * scale,
    };
    (scale, by, size)
}
