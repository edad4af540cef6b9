//! A board coloured by how often each thing on it was used.

use super::palette::{Colour, Rgb};
use super::scene::{Form, Scene, Subject};
use dsl::ir::Domain;
use std::collections::BTreeMap;

/// From never to most: dark blue over grey to yellow, told apart by the colour-blind and in grey too (after Cividis).
const SCALE: [Rgb; 5] = [
    Rgb([0x00, 0x22, 0x4e]),
    Rgb([0x41, 0x4d, 0x6b]),
    Rgb([0x7c, 0x7b, 0x78]),
    Rgb([0xbc, 0xaf, 0x6f]),
    Rgb([0xfe, 0xe8, 0x38]),
];

/// A scene in which colours say how often things were used, beside the most used thing of their kind.
#[derive(Clone, Debug, Default)]
pub struct Heat {
    pub scene: Scene,
    /// How often the things on the board were used; those of kinds that never were are left out.
    pub counts: BTreeMap<Subject, u64>,
}

/// The colour of a share of the scale, in thousandths.
pub fn colour(share: u64) -> Rgb {
    let last = SCALE.len() as u64 - 1;
    let place = share.min(1000) * last;
    let at = (place / 1000).min(last - 1) as usize;
    let part = place as i64 - at as i64 * 1000;
    let (low, high) = (SCALE[at].0, SCALE[at + 1].0);
    Rgb(std::array::from_fn(|channel| {
        let (low, high) = (i64::from(low[channel]), i64::from(high[channel]));
        (low + (high - low) * part / 1000) as u8
    }))
}

/// Colours a scene by the counts of its elements.
pub fn heated(mut scene: Scene, count: impl Fn(Domain, i32) -> u64) -> Heat {
    let mut most: BTreeMap<Domain, u64> = BTreeMap::new();
    let mut counts = BTreeMap::new();
    for subject in scene.shapes.iter().flat_map(|shape| &shape.subjects) {
        if let Subject::Element(domain, word) = *subject {
            let count = count(domain, word);
            counts.insert(*subject, count);
            let most = most.entry(domain).or_default();
            *most = count.max(*most);
        }
    }
    let most_of = |subject: &Subject| match subject {
        Subject::Element(domain, _) => most.get(domain).copied().unwrap_or(0),
        Subject::Slot(..) | Subject::Number(..) => 0,
    };
    counts.retain(|subject, _| most_of(subject) > 0);
    for shape in &mut scene.shapes {
        if let Form::Text(text) = &mut shape.form {
            // What it lies on has another colour now.
            text.halo = text.halo.map(|_| Colour::Card);
            shape.fill = Some(Colour::Ink);
            continue;
        }
        if shape.subjects.is_empty() {
            continue;
        }
        let hot = shape.subjects.iter().find(|one| counts.contains_key(one));
        let paint = match (hot, shape.subjects.first()) {
            (Some(one), _) => Colour::Fixed(colour(counts[one] * 1000 / most_of(one))),
            // Whose something is can be told all the same.
            (None, Some(Subject::Element(Domain::Player, _))) => continue,
            (None, _) => Colour::Card,
        };
        if let Some(fill) = &mut shape.fill {
            *fill = paint;
        } else if let Some(stroke) = &mut shape.stroke {
            stroke.colour = paint;
        }
    }
    scene.contrasted();
    Heat { scene, counts }
}

#[cfg(test)]
mod tests {
    use super::super::canvas;
    use super::*;
    use crate::board::{Point, Shape};

    #[test]
    fn what_is_used_most_of_its_kind_is_brightest() {
        let shape = |at| {
            let subject = Subject::Element(Domain::Cell, at);
            canvas::circle(Point::new(0.0, 0.0), 1.0)
                .filled(Colour::Paper)
                .standing_for(&[subject], "")
        };
        let seat: Shape = canvas::circle(Point::new(0.0, 0.0), 1.0)
            .filled(Colour::Paper)
            .standing_for(&[Subject::Element(Domain::Player, 0)], "");
        let scene = Scene {
            shapes: vec![shape(0), shape(1), seat],
            ..Scene::default()
        };
        let count = |domain, word| u64::from(domain == Domain::Cell) * 7 * word as u64;
        let heat = heated(scene, count);
        let fills: Vec<_> = heat.scene.shapes.iter().map(|shape| shape.fill).collect();
        let fixed = |rgb| Some(Colour::Fixed(rgb));
        assert_eq!(
            fills,
            [fixed(SCALE[0]), fixed(SCALE[4]), Some(Colour::Paper)]
        );
        assert_eq!(
            heat.counts.len(),
            2,
            "kinds that are never named say nothing"
        );
        assert_eq!(colour(0), SCALE[0]);
        assert_eq!(colour(500), SCALE[2]);
    }
}
