//! Shapes that most things are made of.

use super::palette::Colour;
use super::scene::{Anchor, Form, MORE, Point, Rect, Shape, Text};

/// Letters are not made smaller than this share of the size wanted.
const SHRINK_MIN: f32 = 0.62;
/// So many letters are not cut.
const FEW: usize = 4;

pub fn boxed(rect: Rect, corner: f32) -> Shape {
    turned(rect, corner, 0.0)
}

pub fn turned(rect: Rect, corner: f32, turn: f32) -> Shape {
    Shape::new(Form::Rect { rect, corner, turn })
}

pub fn circle(centre: Point, radius: f32) -> Shape {
    Shape::new(Form::Circle { centre, radius })
}

pub fn diamond(rect: Rect) -> Shape {
    let middle = rect.centre();
    Shape::new(Form::Polygon(vec![
        Point::new(middle.x, rect.y),
        Point::new(rect.right(), middle.y),
        Point::new(middle.x, rect.bottom()),
        Point::new(rect.x, middle.y),
    ]))
}

/// A text in the middle of a place.
pub fn text(at: Point, text: impl Into<String>, size: f32, colour: Colour) -> Shape {
    anchored(at, text, size, colour, Anchor::Middle)
}

pub fn anchored(
    at: Point,
    text: impl Into<String>,
    size: f32,
    colour: Colour,
    anchor: Anchor,
) -> Shape {
    Shape::new(Form::Text(Text {
        at,
        text: text.into(),
        size,
        anchor,
        turn: 0.0,
        bold: false,
        halo: None,
    }))
    .filled(colour)
}

pub fn bold(mut shape: Shape) -> Shape {
    if let Form::Text(text) = &mut shape.form {
        text.bold = true;
    }
    shape
}

/// Can be read on anything.
pub fn haloed(mut shape: Shape, colour: Colour) -> Shape {
    if let Form::Text(text) = &mut shape.form {
        text.halo = Some(colour);
    }
    shape
}

/// Makes a text fit a width: smaller letters first, down to `least`, then fewer. One that says an amount is left out as a whole:
/// of `$500` nothing must be left that reads as another amount.
pub fn fitted(mut shape: Shape, width: f32, least: f32) -> Shape {
    if let Form::Text(text) = &mut shape.form {
        let wanted = Text::width_of(&text.text, text.size);
        if wanted > width {
            let smaller = text.size * (width / wanted).max(SHRINK_MIN);
            text.size = smaller.max(least.min(text.size));
        }
        // Of a few letters nothing would be left.
        let cut = text.text.chars().nth(FEW).is_some();
        if cut && Text::width_of(&text.text, text.size) > width {
            text.text = match text.text.contains(char::is_numeric) {
                true => MORE.to_owned(),
                false => ended(Text::fitting(&text.text, text.size, width)),
            };
        }
    }
    shape
}

/// Sizes that letters are tried in, as shares of the size wanted.
const SHARES: [f32; 6] = [1.0, 0.92, 0.84, 0.76, 0.69, SHRINK_MIN];
/// From there on each size is this share of the one before.
const STEP: f32 = 0.92;
/// Smaller than this share of the size wanted they are only if words are parted too.
const WHOLE_MIN: f32 = 0.45;
/// Height of a line, as a share of its letters.
pub const LINE: f32 = 1.15;
/// The same where there is little room.
const TIGHT: f32 = 0.95;
/// What the last line may lack of it.
const LAST: f32 = LINE - 0.95;
/// On boards letters are never smaller.
pub const LEAST: f32 = 5.0;

/// Texts in a box.
pub struct Written {
    pub shapes: Vec<Shape>,
    /// Which of the texts are not there in whole.
    pub cut: Vec<usize>,
}

/// Lines of text in the middle of a box, all in one size that fits, `least` at least; long ones go on in the next line where there
/// is room. Words are parted only where smaller letters do not help.
pub fn lines(rect: Rect, lines: &[String], (size, least): (f32, f32), colour: Colour) -> Written {
    let filled: Vec<(usize, &str)> = lines
        .iter()
        .map(|line| begin_of(line))
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .collect();
    let whole = tried(size, least).find_map(|(size, parts)| {
        let all = filled.iter().flat_map(|(at, line)| {
            let lines = wrapped(line, size, rect.width, parts).into_iter();
            lines.map(|line| (*at, line))
        });
        let all: Vec<(usize, String)> = all.collect();
        let high = size * (LINE * all.len() as f32 - LAST) <= rect.height;
        let wide = |(_, line): &(usize, String)| Text::width_of(line, size) <= rect.width;
        (high && all.iter().all(wide)).then_some((size, all))
    });
    let (size, all, mut cut) = match whole {
        Some((size, all)) => {
            let begun = filled
                .iter()
                .filter(|(at, begin)| lines[*at].len() > begin.len());
            (size, all, begun.map(|(at, _)| *at).collect())
        }
        None => shortened(rect, &filled, (size, least)),
    };
    let step = (size * LINE).min(rect.height.max(least) / all.len().max(1) as f32);
    let top = rect.centre().y - step * (all.len() as f32 - 1.0) / 2.0;
    let mut shapes = Vec::new();
    for (at, (of, line)) in all.into_iter().enumerate() {
        let place = Point::new(rect.centre().x, top + at as f32 * step);
        let shape = fitted(text(place, line.as_str(), size, colour), rect.width, least);
        let whole = matches!(&shape.form, Form::Text(text) if text.text == line);
        if !whole && !cut.contains(&of) {
            cut.push(of);
        }
        shapes.push(shape);
    }
    Written { shapes, cut }
}

/// As [`lines`], on a ground that lines are drawn on: in its middle, at its upper or at its lower edge, where they lie on least of
/// these, with an edge around the letters in the colour of the ground.
pub fn lines_among(
    rect: Rect,
    texts: &[String],
    letters: (f32, f32),
    ground: Colour,
    among: &[Shape],
) -> Written {
    /// Of the height.
    const BAND: f32 = 0.34;
    let height = rect.height * BAND;
    let upper = Rect { height, ..rect };
    let lower = Rect {
        y: rect.bottom() - height,
        ..upper
    };
    let each = [rect, upper, lower].map(|room| {
        let written = lines(room, texts, letters, ground.ink());
        let struck: usize = written
            .shapes
            .iter()
            .map(|text| among.iter().filter(|line| crosses(line, text)).count())
            .sum();
        // To be there in whole comes first.
        (written.cut.len(), struck, written)
    });
    let best = each
        .into_iter()
        .min_by_key(|(cut, struck, _)| (*cut, *struck));
    let mut written = best.map_or_else(|| lines(rect, texts, letters, ground.ink()), |best| best.2);
    let shapes = written.shapes.into_iter();
    written.shapes = shapes.map(|shape| haloed(shape, ground)).collect();
    written
}

/// Whether a line goes through where a text stands.
fn crosses(line: &Shape, text: &Shape) -> bool {
    const STEPS: usize = 32;
    let Form::Polyline(points) = &line.form else {
        return false;
    };
    let width = line.stroke.map_or(0.0, |stroke| stroke.width);
    let place = text.bounds().shrunk(-width / 2.0);
    points.windows(2).any(|pair| {
        (0..=STEPS).any(|step| {
            let share = step as f32 / STEPS as f32;
            let between = |from: f32, to: f32| from + (to - from) * share;
            place.contains(Point::new(
                between(pair[0].x, pair[1].x),
                between(pair[0].y, pair[1].y),
            ))
        })
    })
}

/// A text, as far as a box could ever show it.
fn begin_of(text: &str) -> &str {
    const LETTERS: usize = 4_000;
    let end = text.char_indices().nth(LETTERS);
    end.map_or(text, |(at, _)| &text[..at])
}

/// Sizes of letters, and whether words are parted that are longer than a line.
fn tried(size: f32, least: f32) -> impl Iterator<Item = (f32, bool)> {
    let smaller = move |from: f32, to: f32| {
        std::iter::successors(Some(from), |size| Some(size * STEP))
            .take_while(move |size| *size > to)
    };
    let usual = SHARES.into_iter().map(move |share| size * share);
    let usual = usual.filter(move |smaller| *smaller >= least.min(size));
    let usual = usual.map(|size| (size, false));
    let first = size * SHRINK_MIN;
    let whole = smaller(first * STEP, least.max(size * WHOLE_MIN));
    let parted = smaller(first, least).chain((first > least).then_some(least));
    let whole = whole.map(|size| (size, false));
    usual.chain(whole).chain(parted.map(|size| (size, true)))
}

/// As much as there is room for, of each text something: its size, the lines with the texts they are of, and which texts are cut.
fn shortened(
    rect: Rect,
    filled: &[(usize, &str)],
    (size, least): (f32, f32),
) -> (f32, Vec<(usize, String)>, Vec<usize>) {
    // One line always; they lie closer together before one is left out.
    let room = ((rect.height / (least * TIGHT)).floor() as usize).max(1);
    let whole = |(at, line): &(usize, &str)| (*at, (*line).to_owned());
    if room < filled.len() {
        // The first ones, and a sign that there are more.
        let kept = &filled[..room];
        let mut all: Vec<(usize, String)> = kept.iter().map(whole).collect();
        if let Some((_, last)) = all.last_mut() {
            *last = begun(last, least, rect.width, true);
        }
        let cut = filled.iter().skip(kept.len() - 1).map(|(at, _)| *at);
        return (least, all, cut.collect());
    }
    if room == filled.len() {
        let height = rect.height / filled.len().max(1) as f32;
        let all = filled.iter().map(whole).collect();
        return (size.min(height * 0.95).max(least), all, Vec::new());
    }
    let mut spare = room - filled.len();
    let (mut all, mut cut) = (Vec::new(), Vec::new());
    for (at, line) in filled {
        let mut own = wrapped(line, least, rect.width, true);
        let kept = own.len().min(spare + 1);
        spare -= kept - 1;
        if kept < own.len() {
            own.truncate(kept);
            if let Some(last) = own.last_mut() {
                *last = begun(last, least, rect.width, false);
            }
            cut.push(*at);
        }
        all.extend(own.into_iter().map(|line| (*at, line)));
    }
    (least, all, cut)
}

/// The beginning of a text with a sign that there is more. It ends behind a whole word, and with no amount: of `pay 12 coins` not
/// `pay 1…`, nor `pay 12…`. `ends`: the text ends here, and others are left out.
fn begun(line: &str, size: f32, width: f32, ends: bool) -> String {
    let whole = format!("{line} {MORE}");
    if ends && Text::width_of(&whole, size) <= width {
        return whole;
    }
    let fitting = Text::fitting(line, size, width);
    if !line.contains(char::is_numeric) {
        return ended(fitting);
    }
    let between = fitting.len() == line.len() || line[fitting.len()..].starts_with(' ');
    let mut words: Vec<&str> = fitting.split(' ').collect();
    if !between {
        words.pop();
    }
    let says = |word: &&str| word.contains(char::is_alphabetic) && !word.contains(char::is_numeric);
    while words.last().is_some_and(|last| !says(last)) {
        words.pop();
    }
    ended(&words.join(" "))
}

fn ended(kept: &str) -> String {
    let kept = kept.trim_end_matches([' ', '-', '…']);
    format!("{kept}{MORE}")
}

/// A text in as many lines as it takes at a width; `parts`: words that are longer than a line are parted.
fn wrapped(text: &str, size: f32, width: f32, parts: bool) -> Vec<String> {
    let fits = |line: &str| Text::width_of(line, size) <= width;
    // A sign alone stands behind its word, never alone on a line.
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let sign = !word.is_empty() && !word.contains(char::is_alphanumeric);
        match words.last_mut().filter(|_| sign) {
            Some(before) => *before = format!("{before} {word}"),
            None => words.push(word.to_owned()),
        }
    }
    let mut lines: Vec<String> = Vec::new();
    for word in &words {
        let longer = lines.last().map(|line| format!("{line} {word}"));
        match (lines.last_mut(), longer) {
            (Some(line), Some(longer)) if fits(&longer) => *line = longer,
            _ if parts => lines.extend(parted(word, &fits, false)),
            _ => lines.push(word.clone()),
        }
    }
    lines
}

/// The parts of a word of which each fits. It is parted behind a sign that joins words, if one stands there, else with a hyphen.
/// `numbers`: those that are too long are parted too; else they stay whole.
pub fn parted(word: &str, fits: &dyn Fn(&str) -> bool, numbers: bool) -> Vec<String> {
    const JOINS: [char; 7] = ['-', '–', '/', '_', '.', ':', ','];
    /// No line has more letters: what is far too long is not looked through in whole for each of its parts.
    const LETTERS: usize = 200;
    let mut parts = Vec::new();
    let mut rest = word;
    while rest.chars().nth(LETTERS).is_some() || !fits(rest) {
        let between = |at: usize, of: fn(char) -> bool| {
            rest[..at].ends_with(of) && rest[at..].starts_with(of)
        };
        let all = rest.char_indices().skip(1).take(LETTERS);
        let all = all.map(|(at, _)| at);
        // `$`, `1,` or `3` alone would say another amount.
        let in_amount = |at: &usize| {
            let (before, behind) = rest.split_at(*at);
            let joined = before.strip_suffix(JOINS);
            let joined = joined.is_some_and(|word| word.ends_with(char::is_alphabetic));
            before.ends_with(char::is_numeric) || behind.starts_with(char::is_numeric) && !joined
        };
        let mut ends: Vec<usize> = all.clone().filter(|at| !in_amount(at)).collect();
        if ends.is_empty() && numbers {
            ends = all.collect();
        }
        let Some(first) = ends.first().copied() else {
            break;
        };
        // Longer parts are wider.
        ends.truncate(ends.partition_point(|at| fits(&rest[..*at])));
        let joined = ends.iter().rev().find(|at| rest[..**at].ends_with(JOINS));
        let mut broken = ends.iter().rev().map(|at| {
            let hyphen = if between(*at, char::is_alphabetic) {
                "-"
            } else {
                ""
            };
            (*at, format!("{}{hyphen}", &rest[..*at]))
        });
        let (at, part) = match (joined, broken.find(|(_, part)| fits(part))) {
            (Some(at), _) => (*at, rest[..*at].to_owned()),
            (None, Some(broken)) => broken,
            // Not even one letter fits.
            (None, None) => (first, rest[..first].to_owned()),
        };
        parts.push(part);
        rest = &rest[at..];
    }
    parts.push(rest.to_owned());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn box_of(width: f32, height: f32) -> Rect {
        Rect::new(0.0, 0.0, width, height)
    }

    fn said(written: &Written) -> String {
        let shapes = written.shapes.iter();
        let texts = shapes.filter_map(|shape| match &shape.form {
            Form::Text(text) => Some(text.text.clone()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join(" ")
    }

    fn stays_inside(written: &Written, rect: Rect) {
        for shape in &written.shapes {
            let bounds = shape.bounds();
            assert!(
                bounds.x >= -0.01 && bounds.right() <= rect.right() + 0.01,
                "{bounds:?}"
            );
            assert!(bounds.y >= -1.0 && bounds.bottom() <= rect.bottom() + 1.0);
        }
    }

    /// A text gets smaller until it is there, down to the least size.
    #[test]
    fn long_texts_are_there_in_whole() {
        let rect = box_of(72.0, 100.0);
        for length in [10, 40, 60] {
            let text = "word ".repeat(length).trim().to_owned();
            let written = lines(rect, std::slice::from_ref(&text), (11.0, 2.6), Colour::Ink);
            assert_eq!(said(&written), text);
            assert_eq!(written.cut, [0; 0]);
            stays_inside(&written, rect);
        }
    }

    #[test]
    fn long_words_are_parted() {
        let rect = box_of(40.0, 60.0);
        let word = "Donaudampfschifffahrtsgesellschaftskapitän";
        let written = lines(rect, &[format!("An {word}")], (11.0, 2.6), Colour::Ink);
        assert_eq!(said(&written).replace("- ", ""), format!("An {word}"));
        assert!(written.cut.is_empty());
        stays_inside(&written, rect);
    }

    /// Of each text there is something, and it is known of which something is missing.
    #[test]
    fn what_has_no_room_is_told() {
        let rect = box_of(40.0, 20.0);
        let texts = [
            "Name".to_owned(),
            String::new(),
            "word ".repeat(200),
            "7".to_owned(),
        ];
        let written = lines(rect, &texts, (11.0, 2.6), Colour::Ink);
        let said = said(&written);
        assert!(
            said.starts_with("Name word") && said.ends_with("… 7"),
            "{said}"
        );
        assert_eq!(written.cut, [2]);
        stays_inside(&written, rect);
        let written = lines(box_of(20.0, 6.0), &texts[2..3], (11.0, 5.0), Colour::Ink);
        assert_eq!(written.cut, [0]);
    }

    /// What is left of a text with amounts reads as no other amount.
    #[test]
    fn amounts_are_there_or_not() {
        let narrow = |words: &str, width: f32, height: f32| {
            let written = lines(
                box_of(width, height),
                &[words.to_owned()],
                (11.0, 9.0),
                Colour::Ink,
            );
            assert_eq!(written.cut, [0], "{words}");
            said(&written)
        };
        assert_eq!(narrow("$50000", 24.0, 12.0), "…");
        assert_eq!(narrow("2 coins · 1 share", 50.0, 12.0), "…");
        assert_eq!(
            narrow("take 2 of all the coins", 44.0, 20.0),
            "take 2 of all the…"
        );
        assert_eq!(narrow("costs you 12,000 coins", 44.0, 20.0), "costs you …");
        assert_eq!(narrow("Washington", 40.0, 12.0), "Washi…");
        let width = Text::width_of("$500 …", 9.0);
        let both = ["$500".to_owned(), "a station".to_owned()];
        let written = lines(box_of(width, 10.0), &both, (11.0, 9.0), Colour::Ink);
        assert_eq!(said(&written), "$500 …");
    }

    /// Beside a line there is a place for words; where there is none, they have an edge.
    #[test]
    fn words_go_out_of_the_way_of_lines() {
        let rect = box_of(60.0, 60.0);
        let across = |y: f32| {
            let points = vec![Point::new(0.0, y), Point::new(60.0, y)];
            Shape::new(Form::Polyline(points)).stroked(Colour::Ink, 6.0)
        };
        let texts = ["track".to_owned()];
        let at = |among: &[Shape]| {
            let written = lines_among(rect, &texts, (11.0, 2.6), Colour::Card, among);
            let text = &written.shapes[0];
            assert!(matches!(&text.form, Form::Text(text) if text.halo == Some(Colour::Card)));
            text.bounds().centre().y
        };
        assert_eq!(at(&[]), 30.0);
        assert!(at(&[across(30.0)]) < 15.0);
        assert!(at(&[across(30.0), across(10.0)]) > 45.0);
    }

    #[test]
    fn signs_stand_behind_their_words() {
        let width = Text::width_of("Kansas City", 10.0);
        let lines = wrapped("Kansas City – Boston", 10.0, width, false);
        assert_eq!(lines, ["Kansas", "City –", "Boston"]);
        assert_eq!(wrapped("– on", 10.0, 1.0, false), ["–", "on"]);
    }

    #[test]
    fn numbers_stay_whole() {
        let fits = |line: &str| line.chars().count() <= 4;
        assert_eq!(parted("123456", &fits, false), ["123456"]);
        assert_eq!(parted("no-123456", &fits, false), ["no-", "123456"]);
        assert_eq!(parted("no-123456", &fits, true), ["no-", "1234", "56"]);
        for amount in ["12,000", "$5000", "-12345", "+1/20"] {
            assert_eq!(parted(amount, &fits, false), [amount]);
        }
    }

    #[test]
    fn words_are_parted_where_they_are_joined() {
        let parts =
            |word: &str, most: usize| parted(word, &|part| part.chars().count() <= most, false);
        assert_eq!(parts("trans_siberian", 13), ["trans_", "siberian"]);
        assert_eq!(parts("Kapitän", 5), ["Kapi-", "tän"]);
        assert_eq!(parts("ab", 0), ["a", "b"]);
        assert_eq!(parts("", 0), [""]);
    }
}
