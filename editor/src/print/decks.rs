//! What is to be printed anew where a variant changes cards.

use crate::board::{Deck, Face};

/// How many cards of a deck are others than without the variant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Names of cards with another face, or that are new.
    pub printed: Vec<String>,
    /// Names of cards that are to be taken out, and how many of each.
    pub out: Vec<(String, u32)>,
}

/// Of a deck the cards that were not in it before, or look otherwise; and what came of the comparison.
pub fn changed(before: Option<&Deck>, now: &Deck) -> (Deck, Change) {
    let mut change = Change::default();
    let old = |row: &str| {
        let faces = before.map_or(&[][..], |deck| deck.faces.as_slice());
        faces.iter().find(|face| face.row == row)
    };
    let mut faces = Vec::new();
    for face in &now.faces {
        let known = old(&face.row);
        let same = known.filter(|known| known.shapes == face.shapes);
        let copies = match same {
            Some(known) => face.copies.saturating_sub(known.copies),
            None => face.copies,
        };
        if let Some(known) = known {
            let kept = same.map_or(0, |known| known.copies.min(face.copies));
            if known.copies > kept {
                change.out.push((known.name.clone(), known.copies - kept));
            }
        }
        if copies > 0 {
            change.printed.push(face.name.clone());
            faces.push(Face {
                copies,
                ..face.clone()
            });
        }
    }
    let gone = before.into_iter().flat_map(|deck| &deck.faces);
    for face in gone.filter(|face| face.copies > 0) {
        if !now.faces.iter().any(|other| other.row == face.row) {
            change.out.push((face.name.clone(), face.copies));
        }
    }
    let table = now.table.clone();
    (Deck { table, faces }, change)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Colour, Rect, canvas};

    fn deck(faces: &[(&str, u32, f32)]) -> Deck {
        let faces = faces.iter().map(|(row, copies, width)| Face {
            row: (*row).to_owned(),
            name: row.to_uppercase(),
            copies: *copies,
            shapes: vec![canvas::boxed(Rect::new(0.0, 0.0, *width, 1.0), 0.0).filled(Colour::Card)],
        });
        Deck {
            table: "card".to_owned(),
            faces: faces.collect(),
        }
    }

    #[test]
    fn only_what_is_other_is_printed() {
        let before = deck(&[("a", 2, 1.0), ("b", 3, 1.0), ("c", 1, 1.0), ("d", 4, 1.0)]);
        let now = deck(&[
            ("a", 2, 1.0),
            ("b", 5, 1.0),
            ("c", 1, 9.0),
            ("e", 1, 1.0),
            ("d", 1, 1.0),
        ]);
        let (sheet, change) = changed(Some(&before), &now);
        let printed: Vec<(&str, u32)> = sheet
            .faces
            .iter()
            .map(|face| (face.row.as_str(), face.copies))
            .collect();
        assert_eq!(printed, [("b", 2), ("c", 1), ("e", 1)]);
        assert_eq!(change.out, [("C".to_owned(), 1), ("D".to_owned(), 3)]);
        assert_eq!(changed(Some(&now), &now).0.faces.len(), 0);
        assert_eq!(changed(None, &now).0.faces.len(), 5);
    }
}
