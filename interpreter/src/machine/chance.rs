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
        if let Some(trace) = &mut self.trace {
            trace.push(Event::Chance { stream, count });
        }
    }
}
