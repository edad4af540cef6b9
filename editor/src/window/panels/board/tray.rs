//! What is asked for and lies nowhere on the board is laid on a tray beside it, so that it can be pointed at too.

use super::Drawn;
use super::aim::Aim;
use crate::board::{Board, Point, Scene, Size, Subject, Thing, differing};
use crate::workshop::Workshop;
use crate::workshop::playtest::{Element, Playtest, Pointed};
use dsl::ir::Domain;
use interpreter::ask::Eyes;

/// More numbers than these are not shown by how the table would stand.
const PICTURES_MAX: usize = 12;

/// What lies beside the board.
pub struct Tray {
    things: Vec<Thing>,
    /// The board without it.
    board: Scene,
    /// It, and where it lies; none: there is too much.
    pub laid: Option<(Scene, Point)>,
    title: String,
    room: Size,
    /// The answers that things stand for alone, if all are to be shown by how the table would stand.
    pub pictured: Vec<Vec<usize>>,
}

/// What answers name and nothing on the board stands for, each with the answers that name it. What all of them name tells
/// nothing. Choices of numbers of which nothing stands on the board join those that are known.
fn unplaced(
    scene: &Scene,
    choices: &mut Vec<String>,
    (asked, before): (Option<u32>, &[Element]),
    all: &[&Pointed],
) -> Vec<(Subject, Vec<usize>)> {
    for (name, _) in all.iter().flat_map(|about| &about.numbers) {
        if !choices.contains(name) {
            choices.push(name.clone());
        }
    }
    let aim = Aim::new(scene, choices, asked, before);
    let mut found: Vec<(Subject, Vec<usize>)> = Vec::new();
    for (at, about) in all.iter().enumerate() {
        for subject in aim.lacking(about) {
            match found.iter_mut().find(|(known, _)| *known == subject) {
                Some((_, answers)) => answers.push(at),
                None => found.push((subject, vec![at])),
            }
        }
    }
    let named = all.iter().filter(|about| !about.is_empty()).count();
    found.retain(|(_, answers)| named == 1 || answers.len() < named);
    // Others of their kind are shown beside them, so that all that can be chosen lies in one place.
    let kinds: Vec<Domain> = found
        .iter()
        .filter_map(|(subject, _)| kind(*subject))
        .collect();
    for (at, about) in all.iter().enumerate() {
        for (domain, word) in about.names.iter().filter(|one| kinds.contains(&one.0)) {
            let subject = Subject::Element(*domain, *word);
            match found.iter_mut().find(|(known, _)| *known == subject) {
                Some((_, answers)) if !answers.contains(&at) => answers.push(at),
                Some(_) => {}
                None => found.push((subject, vec![at])),
            }
        }
    }
    found.retain(|(_, answers)| named == 1 || answers.len() < named);
    found.sort_by_key(|(_, answers)| answers.first().copied());
    found
}

/// What kind of thing a subject is one of, unless it is known by where it is: places, players.
fn kind(subject: Subject) -> Option<Domain> {
    match subject {
        Subject::Element(Domain::Cell | Domain::Player | Domain::Action, _) => None,
        Subject::Element(domain, _) => Some(domain),
        Subject::Slot(..) | Subject::Number(..) => None,
    }
}

impl Tray {
    fn lay(&mut self, board: &Board, playtest: &Playtest) {
        let eyes: Eyes = playtest.eyes().into();
        let seen = (playtest.position(), eyes);
        let said = (self.title.as_str(), self.things.as_slice());
        self.laid = board.tray(self.board.size, seen, said, self.room);
    }

    /// The board with it.
    pub fn scene(&self) -> Scene {
        self.beside(self.board.clone())
    }

    /// It lies beside another scene of the same board.
    pub fn beside(&self, mut scene: Scene) -> Scene {
        if let Some((tray, at)) = &self.laid {
            scene.append(tray.clone(), *at);
        }
        scene
    }
}

impl Drawn {
    /// Lays what is asked for and lies nowhere on the board beside it, under the words of the question.
    pub(super) fn lay_tray(
        &mut self,
        board: &Board,
        playtest: &Playtest,
        (title, room): (&str, Size),
    ) {
        let about: Vec<&Pointed> = self.offers.iter().map(|offer| &offer.about).collect();
        let found = unplaced(
            &self.scene,
            &mut self.choices,
            (self.asked, &self.before),
            &about,
        );
        if found.is_empty() {
            return;
        }
        let words = playtest.game().words();
        let things = found.iter().map(|(subject, answers)| Thing {
            subject: *subject,
            text: match (subject, answers.as_slice()) {
                (Subject::Element(domain, word), _) => words.called(*domain, *word),
                (_, [only]) => self.offers[*only].text.clone(),
                (Subject::Number(_, number), _) => number.to_string(),
                (Subject::Slot(..), _) => String::new(),
            },
            picture: None,
        });
        let alone = found.iter().map(|(subject, answers)| match subject {
            Subject::Number(..) if answers.len() == 1 => Some(answers.clone()),
            _ => None,
        });
        let alone: Option<Vec<Vec<usize>>> = alone.collect();
        let alone = alone.filter(|all| (2..=PICTURES_MAX).contains(&all.len()));
        let mut tray = Tray {
            things: things.collect(),
            board: self.scene.clone(),
            laid: None,
            title: title.to_owned(),
            room,
            pictured: alone.unwrap_or_default(),
        };
        tray.lay(board, playtest);
        self.scene = tray.scene();
        self.tray = Some(tray);
    }

    /// Shows numbers by how the table would stand behind them, once all of that is known.
    pub(super) fn show_tray(&mut self, board: &Board, shop: &Workshop) {
        let (Some(tray), Some(playtest)) = (&mut self.tray, &shop.playtest) else {
            return;
        };
        if tray.pictured.is_empty() {
            return;
        }
        let states = tray.pictured.iter().map(|answers| shop.preview(answers));
        let Some(states) = states.collect::<Option<Vec<_>>>() else {
            return;
        };
        tray.pictured.clear();
        let Some(states) = states.into_iter().collect::<Option<Vec<_>>>() else {
            return;
        };
        let scenes = states.into_iter().map(|foreseen| {
            let eyes = playtest.eyes().into();
            board.scene_as(&foreseen.state, eyes, self.arrangement)
        });
        let scenes: Vec<Scene> = scenes.collect();
        let Some(parts) = differing(&scenes) else {
            return;
        };
        for (thing, part) in tray.things.iter_mut().zip(parts) {
            thing.picture = Some(part);
        }
        tray.lay(board, playtest);
        self.scene = tray.scene();
        self.take_aim();
    }

    /// Finds the shapes that each answer is about.
    pub(super) fn take_aim(&mut self) {
        let aim = Aim::new(&self.scene, &self.choices, self.asked, &self.before);
        for offer in &mut self.offers {
            offer.shapes = aim.shapes(&offer.about);
            offer.goals = aim.places(&offer.about);
            offer.goals.retain(|goal| !offer.shapes.contains(goal));
        }
        self.leave_to_ways();
        self.marks.choices = self.choices_behind(None);
        self.marks.starts = self.marks.choices.clone();
        self.marked = (None, Vec::new());
    }
}
