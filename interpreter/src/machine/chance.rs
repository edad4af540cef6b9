//! Streams of chance.

use super::{Event, Machine};
use crate::program::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

impl<'p> Machine<'p> {
    // ---------------------------------------------------------------------------------------------- chance

    /// A generator for the next use of a stream.
    pub(crate) fn generator(&mut self, stream: u32) -> ChaCha8Rng {
        let word = (self.p.stream_base + stream) as usize;
        let count = self.m[word];
        self.set(word, count + 1);
        let mut seed = [0; 32];
        seed[..4].copy_from_slice(&self.m[header::SEED_LOW].to_le_bytes());
        seed[4..8].copy_from_slice(&self.m[header::SEED_HIGH].to_le_bytes());
        seed[8..16].copy_from_slice(&self.p.stream_keys[stream as usize].0.to_le_bytes());
        seed[16..20].copy_from_slice(&count.to_le_bytes());
        ChaCha8Rng::from_seed(seed)
    }

    /// A number below `n` (at least 1), without bias.
    pub(crate) fn below(rng: &mut ChaCha8Rng, n: u32) -> u32 {
        // Lemire's method: the high half of a product, refusing the few low halves that would favour some numbers.
        loop {
            let product = u64::from(rng.next_u32()) * u64::from(n);
            if product as u32 >= n.wrapping_neg() % n {
                return (product >> 32) as u32;
            }
        }
    }

    pub(crate) fn note_chance(&mut self, stream: u32, outcome: &[i32]) {
        if self.probing > 0 {
            return;
        }
        if let Some(log) = &mut self.chance_log {
            log.push((stream, outcome.to_vec()));
        }
        let count = self.m[(self.p.stream_base + stream) as usize] - 1;
        let me = self.me;
        if let Some(trace) = &mut self.trace {
            trace.push(Event::Chance {
                stream,
                count,
                found: None,
                me,
            });
        }
    }
}

impl Machine<'_> {
    /// Shuffles a list in place with the next outcome of a stream.
    pub(crate) fn shuffle_words(&mut self, list: usize, stream: u32) {
        let len = self.m[list] as usize;
        if self.probing > 0 {
            for at in 0..len {
                self.set(list + 1 + at, UNKNOWN);
            }
            return;
        }
        let mut rng = self.generator(stream);
        // Canonical order first, so that the outcome does not depend on how the cards came here.
        let mut items = std::mem::take(&mut self.keys);
        let start = items.len();
        items.extend_from_slice(&self.m[list + 1..list + 1 + len]);
        items[start..].sort_unstable();
        for at in (1..len).rev() {
            let other = Machine::below(&mut rng, at as u32 + 1) as usize;
            items.swap(start + at, start + other);
        }
        if let Some(outcome) = self.fixed(stream) {
            let mut sorted = outcome.clone();
            sorted.sort_unstable();
            let mut own = items[start..].to_vec();
            own.sort_unstable();
            if sorted == own {
                items.truncate(start);
                items.extend_from_slice(&outcome);
            }
        }
        for at in 0..len {
            let value = items[start + at];
            self.set(list + 1 + at, value);
        }
        if self.chance_log.is_some() || self.trace.is_some() {
            let outcome = items[start..].to_vec();
            self.note_chance(stream, &outcome);
        }
        items.truncate(start);
        self.keys = items;
    }

    pub(crate) fn random(&mut self, node: NodeId, container: NodeId, stream: u32) -> i32 {
        let top = self.top;
        let shape = self.p.shapes[container.at()];
        let loc = self.loc(container);
        let total = self.size_at(loc, shape);
        if total == 0 {
            self.top = top;
            let span = self.p.node_spans[node.at()];
            self.broken(span, "there is nothing to choose from at random");
            return NONE;
        }
        if self.probing > 0 {
            self.top = top;
            return self.unknown();
        }
        let mut rng = self.generator(stream);
        let mut pick = Machine::below(&mut rng, total as u32) as i32;
        let mut found = NONE;
        self.for_items(loc, shape, |_, value, count| {
            found = value;
            pick -= count;
            pick >= 0
        });
        if self.tries_outcomes() {
            let mut outcomes = Vec::new();
            self.for_items(loc, shape, |_, value, _| {
                if !outcomes.contains(&value) {
                    outcomes.push(value);
                }
                true
            });
            found = self.branch(&outcomes);
        } else if let Some(value) = self.fixed_random(stream) {
            if self.count_of(loc, shape, value) > 0 {
                found = value;
            } else {
                let here = self.here();
                self.broken(
                    here,
                    "what is fixed to come out here is not among what chance has to choose from",
                );
            }
        }
        self.note_chance(stream, &[found]);
        if let Some(Event::Chance { found: came, .. }) =
            self.trace.as_mut().and_then(|t| t.last_mut())
        {
            *came = Some(found);
        }
        self.top = top;
        found
    }
}
