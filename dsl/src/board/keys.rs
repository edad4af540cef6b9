//! The keys that the sections of `board.toml` know, each with what it is for.

use super::item::ItemKind;
use crate::assembly::fields::{Holds, Key, key};

pub const ROOT: [Key; 5] = [
    key(
        "layout",
        "rows of panels, in order: `[[\"map\", \"players\"], \"hand\"]`",
        Holds::Panels,
    ),
    key(
        "seat",
        "colours of the players, in seat order: `[[seat]]` for each",
        Holds::Section,
    ),
    key(
        "looks",
        "how anything with this name looks: an enum's member, a row, a number, a text",
        Holds::Section,
    ),
    key(
        "panel",
        "a part of the table: `[[panel]]` for each",
        Holds::Section,
    ),
    key(
        "uses",
        "columns that are there for people only",
        Holds::Section,
    ),
];

pub const USES: [Key; 1] = [key(
    "columns",
    "columns that nothing reads and people need: `[\"ticket.printed_on\"]`",
    Holds::Free,
)];

pub const SEAT: [Key; 2] = [
    key("name", "what the colour is called", Holds::Free),
    key(
        "colour",
        "red, green and blue as six digits: `\"#2a5caa\"`",
        Holds::Free,
    ),
];

pub const LOOK: [Key; 2] = [
    key(
        "colour",
        "red, green and blue as six digits: `\"#2a5caa\"`",
        Holds::Free,
    ),
    key(
        "sign",
        "stands beside the colour; without a colour, instead of the name",
        Holds::Free,
    ),
];

pub const PANEL: [Key; 7] = [
    key("id", "its name in `layout`", Holds::Free),
    key(
        "title",
        "stands above it; values in braces",
        Holds::Template,
    ),
    FOR,
    key(
        "adds",
        "`true`: what stands here is added to the panel below that has this id",
        Holds::Flag,
    ),
    PER_ROW,
    WHEN,
    key(
        "size",
        "width, and height of the part in which things have places of their own; 0: as it comes",
        Holds::Free,
    ),
];

/// Kinds of items, as sections of a panel.
pub const KINDS: [(&str, ItemKind); 8] = [
    ("spaces", ItemKind::Spaces),
    ("links", ItemKind::Links),
    ("pieces", ItemKind::Pieces),
    ("ways", ItemKind::Ways),
    ("boxes", ItemKind::Boxes),
    ("cards", ItemKind::Cards),
    ("pile", ItemKind::Pile),
    ("values", ItemKind::Values),
];

const FOR: Key = key(
    "for",
    "one for each: `\"p in player\"`, `\"r in route where r.owner\"`, `\"l in line, i in 0..l.length\"`",
    Holds::Loop,
);
const WHEN: Key = key("when", "only where this holds", Holds::Value);
const PER_ROW: Key = key("per_row", "so many of them side by side", Holds::Free);

/// The keys of all kinds of items.
const OF_ITEMS: [Key; 26] = [
    FOR,
    WHEN,
    PER_ROW,
    key(
        "at",
        "its place, to the right and down, in any unit: `[\"c.x\", \"c.y\"]`",
        Holds::Value,
    ),
    key("shift", "beside its place: to the right, down", Holds::Free),
    key(
        "size",
        "width and height, or one number for both",
        Holds::Free,
    ),
    key(
        "shape",
        "its outline",
        Holds::OneOf(&["box", "circle", "diamond", "hex", "none"]),
    ),
    key(
        "fill",
        "its colour: the name of a look, or a value that has one",
        Holds::Value,
    ),
    key("outline", "the colour around it", Holds::Value),
    key(
        "picture",
        "a PNG or SVG file in the game's folder; values in braces",
        Holds::Template,
    ),
    key(
        "text",
        "on it, one or several lines; values in braces",
        Holds::Template,
    ),
    key("text_size", "height of its letters", Holds::Free),
    key("label", "text beside it; values in braces", Holds::Template),
    key(
        "label_side",
        "where the label stands",
        Holds::OneOf(&["above", "below", "left", "right"]),
    ),
    key("turn", "how far it is turned", Holds::Value),
    key("means", "what else of the game it stands for", Holds::Value),
    key(
        "ends",
        "the two things that it joins: `[\"r.a\", \"r.b\"]`",
        Holds::Value,
    ),
    key("length", "of how many boxes", Holds::Value),
    key("owner", "whose colour and letter lie on it", Holds::Value),
    key("width", "of the line or the boxes", Holds::Free),
    key(
        "zone",
        "the container that is shown: `\"p.hand\"`",
        Holds::Zone,
    ),
    key(
        "as",
        "the name of each piece or card of the zone in the other keys",
        Holds::Free,
    ),
    key(
        "on",
        "what it stands on: an element that a space, link or box stands for, or several",
        Holds::Value,
    ),
    key(
        "sides",
        "the sides or ports that lines come from",
        Holds::Value,
    ),
    key(
        "aside",
        "where this holds, a line straight through goes around the middle",
        Holds::Value,
    ),
    key(
        "lines",
        "names and values: `[[\"cards\", \"{p.hand.size}\"]]`",
        Holds::Template,
    ),
];

/// Keys of the two kinds of sections that only some items have.
const BACK: Key = key(
    "back",
    "printed on the other side of a card; values in braces",
    Holds::Template,
);
const WAYS: Key = key(
    "ways",
    "lines on each, from the sides of a tile to its middle: a section of its own",
    Holds::Section,
);

/// Keys of an item of this kind.
pub fn of(kind: ItemKind) -> Vec<Key> {
    let words = match kind {
        ItemKind::Spaces => {
            "for when at shift size shape fill outline picture text text_size label label_side means turn"
        }
        ItemKind::Links => "for when ends length fill owner text width means",
        ItemKind::Pieces => {
            "for zone as when on at shift size shape fill outline picture text text_size means"
        }
        ItemKind::Ways => "for when at size sides aside fill width means",
        ItemKind::Boxes => {
            "for when size per_row shape fill outline picture text text_size label means ways"
        }
        ItemKind::Cards | ItemKind::Pile => {
            "for zone as when size per_row fill picture text text_size label back means ways"
        }
        ItemKind::Values => "for when lines text_size per_row",
    };
    let all = OF_ITEMS.iter().chain([&BACK, &WAYS]);
    let known = |word: &str| all.clone().find(|key| key.name == word).copied();
    words.split(' ').filter_map(known).collect()
}

/// Keys of a panel, the kinds of its items among them.
pub fn of_panel() -> Vec<Key> {
    let kinds = KINDS
        .iter()
        .map(|(name, kind)| key(name, kind.meaning(), Holds::Section));
    PANEL.into_iter().chain(kinds).collect()
}

/// The keys below a heading of the file: `panel.cards`, `panel.cards.ways`; those above all headings below an empty one.
pub fn below(heading: &str) -> Option<Vec<Key>> {
    let kind = |name: &str| KINDS.iter().find(|(known, _)| *known == name);
    let mut parts = heading.split('.').map(str::trim);
    Some(match (parts.next()?, parts.next(), parts.next()) {
        ("", None, None) => vec![ROOT[0]],
        ("seat", None, None) => SEAT.into(),
        ("uses", None, None) => USES.into(),
        ("looks", Some(_), None) => LOOK.into(),
        ("panel", None, None) => PANEL.into(),
        ("panel", Some(name), None) => of(kind(name)?.1),
        ("panel", Some(_), Some("ways")) => of(ItemKind::Ways),
        _ => return None,
    })
}

/// The headings of the file, as they are written, each with what stands below it.
pub fn headings() -> Vec<(String, &'static str)> {
    let lists = ["seat", "panel"];
    let sections = ROOT
        .iter()
        .skip(1)
        .map(|key| match lists.contains(&key.name) {
            true => (format!("[[{}]]", key.name), key.meaning),
            false => (format!("[{}]", key.name), key.meaning),
        });
    let items = KINDS
        .iter()
        .map(|(name, kind)| (format!("[[panel.{name}]]"), kind.meaning()));
    let on = KINDS
        .iter()
        .filter(|(_, kind)| of(*kind).iter().any(|key| key.name == WAYS.name));
    let on = on.map(|(name, _)| (format!("[[panel.{name}.ways]]"), WAYS.meaning));
    sections.chain(items).chain(on).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [`of`] passes over a word that no key has.
    #[test]
    fn every_key_of_an_item_has_a_meaning() {
        let counts: Vec<usize> = KINDS.iter().map(|(_, kind)| of(*kind).len()).collect();
        assert_eq!(counts, [15, 9, 15, 9, 13, 14, 14, 5]);
        assert!(
            KINDS
                .iter()
                .all(|(name, _)| below(&format!("panel.{name}")).is_some())
        );
    }
}
