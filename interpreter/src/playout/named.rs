//! How often the answers of bots named each element: what of the table is used, and what is left alone.

use super::elements::Elements;
use super::hand::part;
use super::links::{Link, Won};
use crate::machine::Machine;
use crate::words::Words;
use dsl::ir::{Domain, RuleSet};
use serde::{Deserialize, Serialize};

/// Counts by element.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    counts: Elements<u64>,
    links: Elements<Link>,
}

impl Named {
    pub(super) fn new(rules: &RuleSet) -> Named {
        Named {
            counts: Elements::new(rules),
            links: Elements::new(rules),
        }
    }

    pub(super) fn merge(&mut self, other: &Named) {
        self.counts.merge(&other.counts, |own, other| *own += other);
        self.links.merge(&other.links, Link::merge);
    }

    /// How often an element was named.
    pub fn count(&self, domain: Domain, word: i32) -> u64 {
        self.counts.get(domain, word).copied().unwrap_or(0)
    }

    /// What naming an element more often than the others goes with.
    pub(super) fn links(&self) -> impl Iterator<Item = (Domain, i32, &Link)> {
        self.links.each()
    }
}

/// What seats named in a game.
pub(super) struct NamedInGame {
    /// For each element a word for each seat.
    seats: Elements<Vec<u32>>,
    players: usize,
    /// What was named in this game: a map has a hundred times as many places.
    touched: Vec<(Domain, i32)>,
    /// What was counted since an answer that may still be taken back, and how many answers had been given before.
    lately: Vec<(u32, Domain, i32, usize)>,
}

impl NamedInGame {
    pub fn new(rules: &RuleSet, players: usize) -> NamedInGame {
        NamedInGame {
            seats: Elements::new(rules),
            players,
            touched: Vec::new(),
            lately: Vec::new(),
        }
    }

    /// Counts answer number `at` of those offered.
    pub fn note(&mut self, words: &Words<'_>, machine: &Machine<'_>, at: usize) {
        let before = crate::record::answers(machine);
        let lasts = !machine.may_go_back() && !machine.answers().is_marked(at);
        if lasts {
            self.lately.clear();
        }
        let seat = machine.seat() as usize;
        words.named(machine, at, &mut |domain, word| {
            let Some(count) = self.seats.at(domain, word) else {
                return;
            };
            count.resize(self.players, 0);
            if count.iter().all(|count| *count == 0) {
                self.touched.push((domain, word));
            }
            count[seat] += 1;
            if !lasts {
                self.lately.push((before, domain, word, seat));
            }
        });
    }

    /// So many answers have been given now: those that were taken back name nothing.
    pub fn forget_after(&mut self, answers: u32) {
        while let Some((_, domain, word, seat)) =
            self.lately.pop_if(|(before, ..)| *before >= answers)
        {
            if let Some(count) = self
                .seats
                .at(domain, word)
                .and_then(|one| one.get_mut(seat))
            {
                *count = count.saturating_sub(1);
            }
        }
    }

    /// Counts the game in which each seat had such a part of the victory, and is ready for the next.
    pub fn end(&mut self, won: &Won<'_>, everything: &mut Named) {
        self.touched.sort_unstable();
        self.touched.dedup();
        for of_domain in self.touched.chunk_by(|(one, _), (other, _)| one == other) {
            // Beside all of its kind that a seat names: who has one turn more names more of everything.
            let counts = of_domain.iter();
            let counts = counts.filter_map(|(domain, word)| self.seats.get(*domain, *word));
            let own = |seat: usize| counts.clone().filter_map(move |seats| seats.get(seat));
            let all = |seat| own(seat).map(|count| u64::from(*count)).sum::<u64>();
            let all: Vec<u64> = (0..self.players).map(all).collect();
            for ((domain, word), seats) in of_domain.iter().zip(counts.clone()) {
                let named: u64 = seats.iter().copied().map(u64::from).sum();
                if named == 0 {
                    continue;
                }
                if let Some(count) = everything.counts.at(*domain, *word) {
                    *count += named;
                }
                if let Some(link) = everything.links.at(*domain, *word) {
                    let parts = seats.iter().zip(&all);
                    let parts = parts.map(|(count, all)| part(u64::from(*count), *all));
                    link.note(parts, won);
                }
            }
        }
        self.begin();
    }

    /// Of a game that begins.
    pub fn begin(&mut self) {
        for (domain, word) in self.touched.drain(..) {
            if let Some(seats) = self.seats.at(domain, word) {
                seats.fill(0);
            }
        }
        self.lately.clear();
    }
}
