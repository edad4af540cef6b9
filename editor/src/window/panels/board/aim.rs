//! Which shapes an answer is about: those that stand for what it names, where it names it.

use crate::board::{Scene, Shape, Subject};
use crate::workshop::playtest::{Element, Pointed};
use dsl::ir::{CellId, Domain};
use std::collections::{BTreeMap, BTreeSet};

/// The shapes of a scene by what they stand for.
pub struct Aim<'s> {
    scene: &'s Scene,
    /// Names of choices for whose numbers shapes stand.
    choices: &'s [String],
    standing: BTreeMap<Subject, Vec<usize>>,
    /// Who is asked, and players that were chosen before.
    seats: BTreeSet<u32>,
}

impl<'s> Aim<'s> {
    pub fn new(
        scene: &'s Scene,
        choices: &'s [String],
        asked: Option<u32>,
        chosen: &[Element],
    ) -> Aim<'s> {
        let mut standing: BTreeMap<Subject, Vec<usize>> = BTreeMap::new();
        for (at, shape) in scene.shapes.iter().enumerate() {
            for subject in &shape.subjects {
                standing.entry(*subject).or_default().push(at);
            }
        }
        Aim {
            scene,
            choices,
            standing,
            seats: asked.into_iter().chain(players(chosen)).collect(),
        }
    }

    /// The shapes that an answer is about, each with what of it they stand for.
    pub fn shapes(&self, about: &Pointed) -> Vec<(usize, Subject)> {
        let piles = self.piles(about);
        if !piles.is_empty() {
            return piles;
        }
        let mut found = Vec::new();
        for subject in self.subjects(about) {
            found.extend(self.meant(about, subject).map(|at| (at, subject)));
        }
        found
    }

    /// What an answer names and no shape stands for. Actions are read, not pointed at.
    pub fn lacking(&self, about: &Pointed) -> Vec<Subject> {
        if !self.piles(about).is_empty() {
            return Vec::new();
        }
        let action = |subject: &Subject| matches!(subject, Subject::Element(Domain::Action, _));
        let all = self.subjects(about).filter(|subject| !action(subject));
        all.filter(|subject| self.meant(about, *subject).next().is_none())
            .collect()
    }

    /// The piles and other places that an answer changes without naming anything.
    fn piles(&self, about: &Pointed) -> Vec<(usize, Subject)> {
        if about.names.iter().any(|name| name.0 != Domain::Action) || !about.numbers.is_empty() {
            return Vec::new();
        }
        let zone = zone(about).into_iter();
        let piles = zone.flat_map(|zone| self.of(zone).map(move |at| (at, zone)));
        piles.chain(self.places(about)).collect()
    }

    /// The shapes that stand before all else for a place that an answer changes: a pile, a goal, a counter; not what lies there.
    pub fn places(&self, about: &Pointed) -> Vec<(usize, Subject)> {
        let places = about.changes.iter();
        let places = places.map(|(cell, slot)| Subject::Slot(CellId(*cell), *slot));
        let shapes = places.flat_map(|place| self.of(place).map(move |at| (at, place)));
        let is_place = |shape: &Shape, place: Subject| {
            let own = shape.subjects.iter();
            let mut things = own.filter(|one| !matches!(one, Subject::Number(..)));
            things.next() == Some(&place)
        };
        shapes
            .filter(|(at, place)| is_place(&self.scene.shapes[*at], *place))
            .collect()
    }

    /// What it names, numbers too.
    fn subjects<'a>(&'a self, about: &'a Pointed) -> impl Iterator<Item = Subject> + 'a {
        let names = about.names.iter();
        let names = names.map(|(domain, word)| Subject::Element(*domain, *word));
        let numbers = about.numbers.iter().filter_map(|(name, number)| {
            let choice = self.choices.iter().position(|one| one == name)?;
            Some(Subject::Number(choice as u32, *number))
        });
        names.chain(numbers)
    }

    /// The shapes that stand for a thing where an answer means it: those that stand for it before all else, if there are any, else
    /// what only belongs to it.
    fn meant(&self, about: &Pointed, subject: Subject) -> impl Iterator<Item = usize> + use<> {
        let seats: BTreeSet<u32> = players(&about.names)
            .chain(self.seats.iter().copied())
            .collect();
        let zone = zone(about);
        let fitting = self.of(subject);
        let fitting = fitting.filter(|at| fits(&self.scene.shapes[*at], subject, zone, &seats));
        let (own, others): (Vec<usize>, Vec<usize>) =
            fitting.partition(|at| self.scene.shapes[*at].subjects.first() == Some(&subject));
        let meant = if own.is_empty() { others } else { own };
        meant.into_iter()
    }

    /// The shapes that stand for elements, where those of the players are meant whose turn it is about.
    pub fn standing_for(&self, elements: impl IntoIterator<Item = Element>) -> BTreeSet<usize> {
        let all = elements.into_iter();
        let shapes = all.flat_map(|(domain, word)| {
            let subject = Subject::Element(domain, word);
            let own = self.of(subject);
            own.filter(move |at| fits(&self.scene.shapes[*at], subject, None, &self.seats))
        });
        shapes.collect()
    }

    fn of(&self, subject: Subject) -> impl Iterator<Item = usize> + '_ {
        let found = self.standing.get(&subject);
        found.into_iter().flatten().copied()
    }
}

/// Where what an answer names lies.
fn zone(about: &Pointed) -> Option<Subject> {
    let (cell, slot) = about.zone?;
    Some(Subject::Slot(CellId(cell), slot))
}

/// Whether a shape that stands for something stands for it where it is meant.
fn fits(shape: &Shape, subject: Subject, zone: Option<Subject>, seats: &BTreeSet<u32>) -> bool {
    let own = shape
        .subjects
        .iter()
        .find(|one| matches!(one, Subject::Slot(..)));
    if let (Some(own), Some(zone)) = (own, zone) {
        // The same card elsewhere is another one.
        return *own == zone;
    }
    let mut whose = shape.subjects.iter().filter_map(|one| match one {
        Subject::Element(Domain::Player, seat) if *one != subject => u32::try_from(*seat).ok(),
        _ => None,
    });
    let is_player = matches!(subject, Subject::Element(Domain::Player, _));
    let ground = shape.seat.filter(|_| !is_player);
    whose.all(|seat| seats.contains(&seat)) && ground.is_none_or(|seat| seats.contains(&seat))
}

fn players(elements: &[Element]) -> impl Iterator<Item = u32> + '_ {
    let seats = elements
        .iter()
        .filter(|(domain, _)| *domain == Domain::Player);
    seats.filter_map(|(_, seat)| u32::try_from(*seat).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Form, Point};

    const CARD: Element = (Domain::Cell, 3);

    fn shape(subjects: &[Subject], seat: Option<u32>) -> Shape {
        let form = Form::Circle {
            centre: Point::new(0.0, 0.0),
            radius: 1.0,
        };
        let mut shape = Shape::new(form).standing_for(subjects, "");
        shape.seat = seat;
        shape
    }

    fn about(names: &[Element], zone: Option<(u32, u32)>) -> Pointed {
        Pointed {
            names: names.to_vec(),
            numbers: Vec::new(),
            zone,
            changes: BTreeSet::new(),
        }
    }

    #[test]
    fn a_card_is_meant_where_it_lies() {
        let card = Subject::Element(CARD.0, CARD.1);
        let zone = |slot| Subject::Slot(CellId(7), slot);
        let scene = Scene {
            shapes: vec![
                shape(&[card, zone(0)], Some(0)),
                shape(&[card, zone(1)], None),
                shape(&[zone(2)], None),
            ],
            ..Scene::default()
        };
        let aim = Aim::new(&scene, &[], Some(0), &[]);
        let shapes = |about: &Pointed| -> Vec<usize> {
            aim.shapes(about).into_iter().map(|(at, _)| at).collect()
        };
        assert_eq!(shapes(&about(&[CARD], Some((7, 1)))), [1]);
        assert_eq!(shapes(&about(&[CARD], None)), [0, 1]);
        // Of a pile nothing is seen: it is taken from.
        assert_eq!(shapes(&about(&[], Some((7, 2)))), [2]);
        assert!(shapes(&about(&[], None)).is_empty());
        // A place that is changed is meant, not what lies in it.
        let changing = |names: &[Element], slots: [u32; 2]| Pointed {
            changes: slots.map(|slot| (7, slot)).into(),
            ..about(names, None)
        };
        assert_eq!(shapes(&changing(&[], [0, 2])), [2]);
        // What is named is pointed at; where it goes to only after that.
        let named = changing(&[CARD], [0, 2]);
        assert_eq!(shapes(&named), [0, 1]);
        assert_eq!(aim.places(&named), [(2, zone(2))]);
    }

    /// What a player has does not stand for him where something else does.
    #[test]
    fn what_is_a_players_is_not_the_player() {
        let player = Subject::Element(Domain::Player, 1);
        let card = Subject::Element(CARD.0, CARD.1);
        let mut scene = Scene {
            shapes: vec![shape(&[card, player], None), shape(&[player], None)],
            ..Scene::default()
        };
        let found = |scene: &Scene| -> Vec<usize> {
            let aim = Aim::new(scene, &[], Some(0), &[]);
            let shapes = aim.shapes(&about(&[(Domain::Player, 1)], None));
            shapes.into_iter().map(|(at, _)| at).collect()
        };
        assert_eq!(found(&scene), [1]);
        scene.shapes.pop();
        assert_eq!(found(&scene), [0]);
    }

    #[test]
    fn what_others_have_is_not_meant() {
        let place = Subject::Element(CARD.0, CARD.1);
        let player = |seat| Subject::Element(Domain::Player, seat);
        let scene = Scene {
            shapes: vec![
                shape(&[place], Some(1)),
                shape(&[place, player(1)], None),
                shape(&[place, player(0)], None),
                shape(&[place], None),
            ],
            ..Scene::default()
        };
        let found = |aim: &Aim, names: &[Element]| -> Vec<usize> {
            let shapes = aim.shapes(&about(names, None));
            shapes.into_iter().map(|(at, _)| at).collect()
        };
        let aim = Aim::new(&scene, &[], Some(0), &[]);
        assert_eq!(found(&aim, &[CARD]), [2, 3]);
        // Unless it is said whose.
        let aim = Aim::new(&scene, &[], Some(0), &[(Domain::Player, 1)]);
        assert_eq!(found(&aim, &[CARD]), [0, 1, 2, 3]);
    }
}
