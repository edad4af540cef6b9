//! A number for a state.

use super::Machine;
use crate::program::*;

/// A fast hash over words, the same on every machine.
pub(crate) struct Hash(u64);

impl Hash {
    pub fn new() -> Hash {
        Hash(0x9e37_79b9_7f4a_7c15)
    }

    /// Of what goes on behind something that came to this number.
    pub fn after(number: u64) -> Hash {
        Hash(number)
    }

    #[inline]
    pub fn word(&mut self, word: i32) {
        self.0 =
            (self.0.rotate_left(5) ^ u64::from(word as u32)).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    /// Many words, several at a time: each lane waits for itself alone.
    pub fn words(&mut self, words: &[i32]) {
        let mut lanes = [self.0, 1, 2, 3];
        let runs = words.chunks_exact(8);
        let rest = runs.remainder();
        for run in runs {
            for (lane, pair) in lanes.iter_mut().zip(run.chunks_exact(2)) {
                let pair = u64::from(pair[0] as u32) | u64::from(pair[1] as u32) << 32;
                *lane = (lane.rotate_left(5) ^ pair).wrapping_mul(0x517c_c1b7_2722_0a95);
            }
        }
        for lane in lanes {
            self.0 = (self.0.rotate_left(5) ^ lane).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
        for word in rest {
            self.word(*word);
        }
    }

    pub fn finish(self) -> u64 {
        let mut x = self.0;
        x ^= x >> 32;
        x = x.wrapping_mul(0xd6e8_feb8_6659_fd93);
        x ^ (x >> 32)
    }
}

/// A number that stands for these words.
pub(super) fn of_words(words: &[i32]) -> u64 {
    let mut hash = Hash::new();
    hash.words(words);
    hash.finish()
}

impl Machine<'_> {
    /// A number that stands for the whole state.
    pub(crate) fn state_hash(&self) -> u64 {
        let mut hash = Hash::new();
        hash.word(self.pc as i32);
        hash.word(self.fp as i32);
        hash.word(self.me);
        for word in &self.m[header::STARTER..self.sp] {
            hash.word(*word);
        }
        hash.finish()
    }
}
