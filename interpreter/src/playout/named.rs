//! How often the answers of bots named each element: what of the table is used, and what is left alone.

use crate::machine::Machine;
use crate::words::Words;
use dsl::ir::Domain;

/// Counts by element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named {
    /// For each domain that was met, by word.
    domains: Vec<(Domain, Vec<u64>)>,
}

impl Named {
    /// Counts answer number `at` of those offered.
    pub(super) fn note(&mut self, words: &Words<'_>, machine: &Machine<'_>, at: usize) {
        words.named(machine, at, &mut |domain, word| self.add(domain, word, 1));
    }

    fn add(&mut self, domain: Domain, word: i32, times: u64) {
        let Ok(word) = usize::try_from(word) else {
            return;
        };
        let known = self.domains.iter().position(|(one, _)| *one == domain);
        let at = known.unwrap_or_else(|| {
            self.domains.push((domain, Vec::new()));
            self.domains.len() - 1
        });
        let counts = &mut self.domains[at].1;
        if counts.len() <= word {
            counts.resize(word + 1, 0);
        }
        counts[word] += times;
    }

    pub(super) fn merge(&mut self, other: &Named) {
        for (domain, counts) in &other.domains {
            for (word, times) in counts.iter().enumerate().filter(|(_, times)| **times > 0) {
                self.add(*domain, word as i32, *times);
            }
        }
        // Threads meet domains in any order.
        self.domains.sort_unstable_by_key(|(domain, _)| *domain);
    }

    /// How often an element was named.
    pub fn count(&self, domain: Domain, word: i32) -> u64 {
        let counts = self.domains.iter().find(|(one, _)| *one == domain);
        let word = usize::try_from(word).ok();
        let count = counts
            .zip(word)
            .and_then(|((_, counts), word)| counts.get(word));
        count.copied().unwrap_or(0)
    }
}
