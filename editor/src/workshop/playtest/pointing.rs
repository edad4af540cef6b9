//! What of the table answers are about, so that they can be given by pointing at it; what was chosen before, what others have
//! changed, and what is known of a thing.

use super::{Eyes, Playtest, look};
use dsl::ir::Domain;
use interpreter::State;
use interpreter::game::{Item, ItemKind};
use interpreter::observe::{Observer, Seen};
use std::collections::BTreeSet;

/// Something that answers can name: an element of a domain, by its word.
pub type Element = (Domain, i32);

/// A zone: a cell, and which of its places.
pub type ZoneAt = (u32, u32);

/// What an answer is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pointed {
    /// The most special first.
    pub names: Vec<Element>,
    /// Numbers that it gives, with the names that the rules have for them.
    pub numbers: Vec<(String, i32)>,
    /// Where what it names lies.
    pub zone: Option<ZoneAt>,
    /// What it takes from, puts to or counts.
    pub changes: BTreeSet<ZoneAt>,
}

/// How the table would stand behind answers in a row.
#[derive(Clone, Debug)]
pub struct Foreseen {
    pub state: State,
    /// What came of it, in short: what it cost, and what it gave.
    pub effects: String,
}

impl Pointed {
    /// It names nothing.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.numbers.is_empty()
    }
}

impl Playtest {
    /// For each answer offered now what it is about.
    pub fn pointed(&mut self) -> Vec<Pointed> {
        if self.is_over() {
            return Vec::new();
        }
        self.with(|session| {
            let words = *session.words();
            let asked = words.zone_asked(session.machine_mut());
            let machine = session.machine_mut();
            let answers = 0..machine.answers().len();
            let pointed = answers.map(|at| {
                let changes = words.changed(machine, at).into_iter();
                let mut names = Vec::new();
                words.named(machine, at, &mut |domain, word| names.push((domain, word)));
                let mut numbers = Vec::new();
                let mut tell = |name: &str, number| numbers.push((name.to_owned(), number));
                words.numbers(machine, at, &mut tell);
                Pointed {
                    names,
                    numbers,
                    zone: asked.map(|(cell, slot)| (cell.0, slot)),
                    changes: changes.map(|(cell, slot)| (cell.0, slot)).collect(),
                }
            });
            pointed.collect()
        })
    }

    /// How the table would stand behind answers in a row, if whoever is asked can know that: nothing is left to chance, and of
    /// what is hidden nothing moves that he has not named. To be called in the background.
    pub fn preview(&self, answers: &[usize]) -> Option<Foreseen> {
        let seat = self.asked();
        let mut game = self.clone();
        let from = game.tree.position();
        let mut named = game.chosen();
        for at in answers {
            let about = game.pointed().into_iter().nth(*at)?;
            named.extend(about.names);
            game.answer(*at).ok()?;
        }
        let line = game
            .tree
            .line()
            .get(from + 1..=game.tree.position())?
            .to_vec();
        let is_chance = |item: &Item| matches!(item.kind, ItemKind::Chance { .. });
        let mut items = line.iter().flat_map(|id| &game.tree.node(*id).items);
        if line.len() != answers.len() || items.any(is_chance) {
            return None;
        }
        let observer = Observer::new(self.game.words().program);
        let positions = (self.position(), game.position());
        let state = observer.foreseen(positions, seat, &named)?;
        let told = game.log().into_iter();
        let told = told.filter(|told| line.contains(&told.node) && !told.effects.is_empty());
        let effects: Vec<String> = told.map(|told| told.effects).collect();
        Some(Foreseen {
            state,
            effects: effects.join(", "),
        })
    }

    /// What was chosen before in the action whose question is asked.
    pub fn chosen(&mut self) -> Vec<Element> {
        if self.is_over() {
            return Vec::new();
        }
        self.with(|session| {
            let mut found = Vec::new();
            let mut tell = |domain, word| found.push((domain, word));
            session.words().chosen_before(session.machine(), &mut tell);
            found
        })
    }

    /// What has changed on the table since the one who looks answered last: whatever has a cell that is seen to be another.
    pub fn recent(&self) -> BTreeSet<Element> {
        let own = match self.eyes {
            Eyes::Seat(seat) => Some(seat),
            Eyes::All | Eyes::Nobody => self.asked(),
        };
        let line = &self.tree.line()[..=self.tree.position()];
        let answered = |at: &usize| {
            let answer = self.tree.node(line[*at]).answer();
            answer.map(|(seat, _)| seat) == own
        };
        // Of a game that is over nobody is asked: its last answer.
        let begin = match own {
            Some(_) => 0,
            None => line.len().saturating_sub(2),
        };
        let last = (begin..line.len()).rev().find(answered).unwrap_or(begin);
        let words = self.game.words();
        let observer = Observer::new(words.program);
        let [then, now] = [line[last], line[line.len() - 1]]
            .map(|id| look(&observer, self.tree.node(id).state(), self.eyes));
        let owners = words.slots().filter_map(|(slot, index)| {
            let [then, now] = [&then, &now].map(|seen| &seen.cells[slot.at()][index as usize]);
            let owner = words.owner_of(slot, index)?;
            // What players have is told in numbers.
            (then != now && owner.0 != Domain::Player).then_some(owner)
        });
        owners.collect()
    }

    /// What is known of an element: what its table says of it, and what its cells hold, as far as the eyes see them.
    pub fn facts(&self, (domain, word): Element) -> Vec<(String, String)> {
        let words = self.game.words();
        let mut facts = match domain {
            Domain::Table(table) => words.facts(table, word),
            _ => Vec::new(),
        };
        let observer = Observer::new(words.program);
        let seen = look(&observer, self.position(), self.eyes);
        for (slot, index) in words.slots() {
            if words.owner_of(slot, index) != Some((domain, word)) {
                continue;
            }
            let seen = &seen.cells[slot.at()][index as usize];
            let empty = matches!(seen, Seen::Open(held) if words.is_empty(slot, held));
            if let Some(value) = words.seen(slot, seen).filter(|_| !empty) {
                facts.push((words.owner_and_name(slot, index).1, value));
            }
        }
        facts
    }

    /// What the rules say of the kind of thing an element is, and where: the documentation and place of its table or enum.
    pub fn kind_of(&self, domain: Domain) -> Option<(String, dsl::source::Span)> {
        let rules = self.game.rules();
        match domain {
            Domain::Table(id) | Domain::Part(id) => {
                let table = &rules.tables[id.index()];
                Some((super::prose(&table.doc), table.span))
            }
            Domain::Enum(id) => {
                let one = &rules.enums[id.index()];
                Some((String::new(), one.span))
            }
            _ => None,
        }
    }

    /// Where a row is written.
    pub fn written_at(&self, (domain, word): Element) -> Option<dsl::source::Span> {
        let (Domain::Table(id), Ok(row)) = (domain, usize::try_from(word)) else {
            return None;
        };
        let rows = &self.game.rules().tables[id.index()].rows;
        rows.get(row).map(|row| row.span)
    }

    /// How rules and scenarios call an element.
    pub fn written_name(&self, (domain, word): Element) -> String {
        self.game.words().element(domain, word)
    }

    /// The steps of the walk that is being made, in order: what each goes along, if that is something, and what it comes to.
    pub fn walked(&mut self) -> Vec<Vec<Element>> {
        if self.is_over() {
            return Vec::new();
        }
        let line = &self.tree.line()[..=self.tree.position()];
        let nodes = line.iter().rev().map(|id| self.tree.node(*id));
        let steps: Vec<Vec<i32>> = nodes
            .flat_map(|node| node.steps().map(<[i32]>::to_vec))
            .collect();
        self.with(|session| {
            let words = session.words();
            let Some(walking) = words.walking(session.machine()) else {
                return Vec::new();
            };
            let last = steps.iter().take(walking.steps).rev();
            let told = last.map(|step| {
                let mut found = Vec::new();
                walking.tell_step(words, step, &mut |domain, word| found.push((domain, word)));
                found
            });
            told.collect()
        })
    }
}
