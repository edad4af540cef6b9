//! Links between two spaces: a row of boxes, several between the same two side by side.

use super::canvas;
use super::palette::Colour;
use super::pen::{Bound, Key, Pen, Sheet, Stand};
use super::scene::{Point, Rect};
use dsl::board::Item;
use std::collections::BTreeMap;

/// Usual width of a link's boxes.
const WIDTH: f32 = 15.0;
/// Between two boxes of a link.
const GAP: f32 = 3.0;
/// The shortest box.
const LEAST: f32 = 1.0;
/// Between links side by side.
const LANE_GAP: f32 = 3.0;
/// How near to the middle of a space a link begins.
const CLEAR: f32 = 12.0;

struct Link {
    bound: Bound,
    from: Point,
    to: Point,
    pair: [Vec<Key>; 2],
}

pub fn links(pen: &mut Pen, item: &Item, bound: &Bound) {
    let first = bound.words.len();
    let mut found = Vec::new();
    for here in pen.each(item.through, bound) {
        if pen.holds(item.when, &here) {
            found.extend(link(pen, item, here));
        }
    }
    let mut lanes: BTreeMap<[Vec<Key>; 2], (u32, u32)> = BTreeMap::new();
    for link in &found {
        lanes.entry(link.pair.clone()).or_default().0 += 1;
    }
    for link in &found {
        let Some((count, next)) = lanes.get_mut(&link.pair) else {
            continue;
        };
        let lane = *next as f32 - (*count as f32 - 1.0) / 2.0;
        *next += 1;
        draw(pen, item, link, first, lane);
    }
}

fn link(pen: &mut Pen, item: &Item, bound: Bound) -> Option<Link> {
    let [a, b] = item.ends.as_slice() else {
        return None;
    };
    let (a_key, a) = pen.stand(std::slice::from_ref(a), &bound)?;
    let (b_key, b) = pen.stand(std::slice::from_ref(b), &bound)?;
    // Both directions of a connection are one pair, seen from the same end.
    let (from, to, pair) = if a_key <= b_key {
        (a, b, [a_key, b_key])
    } else {
        (b, a, [b_key, a_key])
    };
    Some(Link {
        bound,
        from: from.rect.centre(),
        to: to.rect.centre(),
        pair,
    })
}

fn draw(pen: &mut Pen, item: &Item, link: &Link, first: usize, lane: f32) {
    let here = &link.bound;
    stand(pen, link, first);
    let width = if item.width > 0 {
        item.width as f32
    } else {
        WIDTH
    };
    let length = item
        .length
        .as_ref()
        .and_then(|length| pen.number(length, here))
        .unwrap_or(1);
    let (fill, sign) = pen.look(item.fill.as_ref(), here);
    let (owner, letter) = pen.look(item.owner.as_ref(), here);
    let subjects = pen.subjects(item, here, first);
    let mut name = pen.name(here, first);
    if let Some(letter) = &letter {
        name.push_str(&format!(", of {letter}"));
    }
    let fill = fill.unwrap_or(Colour::Card);
    let whole = link.from.distance(link.to).max(1.0);
    let along = Point::new(
        (link.to.x - link.from.x) / whole,
        (link.to.y - link.from.y) / whole,
    );
    let aside = lane * (width + LANE_GAP);
    let clear = CLEAR.min(whole / 4.0);
    // No more boxes than can be told apart.
    let most = ((whole - 2.0 * clear) / (GAP + LEAST)) as i32;
    let length = length.clamp(1, most.max(1));
    let step = (whole - 2.0 * clear) / length as f32;
    let mut turn = along.y.atan2(along.x).to_degrees();
    // Letters stand upright as far as that goes.
    if turn > 90.0 {
        turn -= 180.0;
    } else if turn <= -90.0 {
        turn += 180.0;
    }
    let texts: Vec<String> = item.text.iter().map(|text| pen.text(text, here)).collect();
    let size = pen.readable(width * 0.72, Sheet::Canvas);
    for at in 0..length {
        let distance = clear + (at as f32 + 0.5) * step;
        let centre = Point::new(
            link.from.x + along.x * distance - along.y * aside,
            link.from.y + along.y * distance + along.x * aside,
        );
        let rect = Rect::around(centre, step - GAP, width);
        pen.canvas.push(
            canvas::turned(rect, 2.0, turn)
                .filled(fill)
                .stroked(Colour::Ink, 1.2)
                .standing_for(&subjects, &name),
        );
        match (owner, &letter) {
            (Some(owner), Some(letter)) => {
                let inner = Rect::around(centre, step - GAP - 4.0, width - 3.0);
                pen.canvas.push(
                    canvas::turned(inner, 4.0, turn)
                        .filled(owner)
                        .stroked(owner.ink(), 1.6)
                        .standing_for(&subjects, &name),
                );
                let text = canvas::text(centre, letter.as_str(), size, owner.ink());
                pen.canvas.push(canvas::bold(text));
            }
            _ if at == length / 2 => {
                let mut said = texts.clone();
                said.extend(sign.clone().filter(|_| texts.is_empty()));
                let room = Rect::around(centre, step.max(width), width);
                pen.canvas.extend(
                    canvas::lines(room, &said, (size, pen.least(Sheet::Canvas)), fill.ink()).shapes,
                );
            }
            _ => {}
        }
    }
}

/// Pieces stand in the middle of a link.
fn stand(pen: &mut Pen, link: &Link, first: usize) {
    let middle = Point::new(
        (link.from.x + link.to.x) / 2.0,
        (link.from.y + link.to.y) / 2.0,
    );
    let length = link.from.distance(link.to) * 0.6;
    let stand = Stand {
        rect: Rect::around(middle, length, length),
        sheet: Sheet::Canvas,
        used: 0,
    };
    pen.stands.insert(link.bound.key(first), stand);
}
