//! What of the table answers name, so that they can be given by pointing at it.

use super::Playtest;
use dsl::ir::Domain;

/// Something that answers can name: an element of a domain, by its word.
pub type Element = (Domain, i32);

impl Playtest {
    /// For each answer offered now what it names, the most special first.
    pub fn named(&mut self) -> Vec<Vec<Element>> {
        if self.is_over() {
            return Vec::new();
        }
        self.with(|session| {
            let (words, machine) = (session.words(), session.machine());
            let answers = 0..machine.answers().len();
            let named = answers.map(|at| {
                let mut found = Vec::new();
                words.named(machine, at, &mut |domain, word| found.push((domain, word)));
                found
            });
            named.collect()
        })
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
