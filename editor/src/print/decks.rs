//! What is to be printed anew where a variant changes cards.

use crate::board::{Deck, Face};

/// How many cards of a deck are others than without the variant, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// With another face than any before, or more of them than before.
    pub printed: Vec<(String, u32)>,
    /// To be taken out.
    pub out: Vec<(String, u32)>,
    /// New ones that lie nowhere when the game begins.
    pub unused: u32,
}

/// Of a deck the cards that look as none did before, or of which there are more; and what came of the comparison. What lies nowhere
/// in the game counts as not there.
pub fn changed(before: Option<&Deck>, now: &Deck) -> (Deck, Change) {
    let mut change = Change::default();
    let before = before.map_or(&[][..], |deck| deck.faces.as_slice());
    // Of each card before, how many have no counterpart yet.
    let mut left: Vec<u32> = before.iter().map(|face| face.lying).collect();
    let mut missing: Vec<u32> = now.faces.iter().map(|face| face.lying).collect();
    let mut matched = |same_row: bool| {
        for (face, missing) in now.faces.iter().zip(&mut missing) {
            for (old, left) in before.iter().zip(&mut left) {
                if (old.row == face.row) == same_row && looks_like(old, face) {
                    let both = (*left).min(*missing);
                    (*left, *missing) = (*left - both, *missing - both);
                }
            }
        }
    };
    matched(true);
    // A card of another name serves as well.
    matched(false);
    let mut faces = Vec::new();
    for (face, copies) in now.faces.iter().zip(missing) {
        if face.lying == 0 && !before.iter().any(|old| old.row == face.row) {
            change.unused += face.copies;
        }
        if copies > 0 {
            change.printed.push((face.name.clone(), copies));
            faces.push(Face {
                copies,
                ..face.clone()
            });
        }
    }
    let out = before.iter().zip(left).filter(|(_, left)| *left > 0);
    change.out = out.map(|(old, left)| (old.name.clone(), left)).collect();
    let rest = Deck {
        table: now.table.clone(),
        called: now.called.clone(),
        back: now.back.clone(),
        faces,
    };
    (rest, change)
}

fn looks_like(one: &Face, other: &Face) -> bool {
    let mut pairs = one.shapes.iter().zip(&other.shapes);
    one.shapes.len() == other.shapes.len() && pairs.all(|(one, other)| one.looks_like(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Colour, Rect, Subject, canvas};
    use dsl::ir::Domain;

    /// Rows, copies, and what tells their faces apart.
    fn deck(faces: &[(&str, u32, f32)]) -> Deck {
        let faces = faces
            .iter()
            .enumerate()
            .map(|(at, (row, copies, width))| Face {
                row: (*row).to_owned(),
                name: row.to_uppercase(),
                copies: *copies,
                lying: *copies,
                shapes: vec![
                    canvas::boxed(Rect::new(0.0, 0.0, *width, 1.0), 0.0)
                        .filled(Colour::Card)
                        .standing_for(&[Subject::Element(Domain::Cell, at as i32)], row),
                ],
                lines: Vec::new(),
                cut: Vec::new(),
            });
        Deck {
            table: "card".to_owned(),
            called: "card".to_owned(),
            back: None,
            faces: faces.collect(),
        }
    }

    fn counts(all: &[(&str, u32)]) -> Vec<(String, u32)> {
        let all = all.iter();
        all.map(|(name, count)| ((*name).to_owned(), *count))
            .collect()
    }

    #[test]
    fn only_what_is_other_is_printed() {
        let before = deck(&[("a", 2, 1.0), ("b", 3, 2.0), ("c", 1, 3.0), ("d", 4, 4.0)]);
        let now = deck(&[
            ("a", 2, 1.0),
            ("b", 5, 2.0),
            ("c", 1, 9.0),
            ("e", 1, 5.0),
            ("d", 1, 4.0),
        ]);
        let (sheet, change) = changed(Some(&before), &now);
        let printed: Vec<(&str, u32)> = sheet
            .faces
            .iter()
            .map(|face| (face.row.as_str(), face.copies))
            .collect();
        assert_eq!(printed, [("b", 2), ("c", 1), ("e", 1)]);
        assert_eq!(change.printed, counts(&[("B", 2), ("C", 1), ("E", 1)]));
        assert_eq!(change.out, counts(&[("C", 1), ("D", 3)]));
        assert_eq!(changed(Some(&now), &now).0.faces.len(), 0);
        assert_eq!(changed(None, &now).0.faces.len(), 5);
    }

    /// A card that looks as one before, under another name or at another place of its table, need not be printed.
    #[test]
    fn what_looks_the_same_is_the_same() {
        let before = deck(&[("a", 1, 1.0), ("b", 1, 2.0)]);
        let now = deck(&[("z", 1, 3.0), ("b2", 1, 2.0), ("a", 2, 1.0)]);
        let (_, change) = changed(Some(&before), &now);
        assert_eq!(change.printed, counts(&[("Z", 1), ("A", 1)]));
        assert!(change.out.is_empty());
    }

    /// A variant that lays a deck aside for new cards: the old ones go out, those that it does not use are not printed.
    #[test]
    fn what_lies_nowhere_is_not_printed() {
        let before = deck(&[("a", 2, 1.0)]);
        let mut now = deck(&[("a", 2, 1.0), ("b", 1, 2.0), ("c", 3, 3.0)]);
        now.faces[0].lying = 0;
        now.faces[2].lying = 0;
        let (_, change) = changed(Some(&before), &now);
        assert_eq!(change.printed, counts(&[("B", 1)]));
        assert_eq!(change.out, counts(&[("A", 2)]));
        assert_eq!(change.unused, 3);
    }
}
