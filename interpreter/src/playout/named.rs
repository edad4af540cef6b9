//! How often the answers of bots named each element: what of the table is used, and what is left alone.

use crate::machine::Machine;
use crate::words::Words;
use dsl::ir::Domain;

/// Counts by element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named {
    /// For each domain that was met, by word.
    domains: Vec<(Domain, Vec<u64>)>,
    /// What was counted since an answer that may still be taken back, and how many answers had been given before.
    lately: Vec<(u32, Domain, i32)>,
}

impl Named {
    /// Counts answer number `at` of those offered.
    pub(super) fn note(&mut self, words: &Words<'_>, machine: &Machine<'_>, at: usize) {
        let before = crate::record::answers(machine);
        let lasts = !machine.may_go_back() && !machine.answers().is_marked(at);
        if lasts {
            self.lately.clear();
        }
        words.named(machine, at, &mut |domain, word| {
            self.add(domain, word, 1);
            if !lasts {
                self.lately.push((before, domain, word));
            }
        });
    }

    /// So many answers have been given now: those that were taken back name nothing.
    pub(super) fn forget_after(&mut self, answers: u32) {
        while let Some((_, domain, word)) = self.lately.pop_if(|(before, ..)| *before >= answers) {
            let counts = self.domains.iter_mut().find(|(one, _)| *one == domain);
            if let Some(count) = counts.and_then(|(_, counts)| counts.get_mut(word as usize)) {
                *count = count.saturating_sub(1);
            }
        }
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
