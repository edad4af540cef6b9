//! A table of states already expanded, of fixed size. A later state takes the place of an earlier one, so it forgets; but
//! whole keys are compared, so what it remembers is true, and a search that uses it only to cut stays exact.

const SLOTS: usize = 1 << 14;

#[derive(Clone, Copy, Default)]
struct Slot {
    age: u32,
    steps: u32,
    gain: i64,
}

#[derive(Default)]
pub(super) struct Memo {
    age: u32,
    stride: usize,
    keys: Vec<u32>,
    slots: Vec<Slot>,
}

impl Memo {
    /// Forgets all; keys are of `stride` words from now on.
    pub fn begin(&mut self, stride: usize) {
        if self.slots.is_empty() || self.age == u32::MAX {
            super::super::refill(&mut self.slots, SLOTS, Slot::default());
            self.age = 0;
        }
        self.age += 1;
        self.stride = stride;
        if self.keys.len() < SLOTS * stride {
            self.keys.resize(SLOTS * stride, 0);
        }
    }

    /// The key's slot, and the steps and gain it was left with.
    pub fn find(&self, key: &[u32]) -> (usize, Option<(u32, i64)>) {
        let mut hash = 0u64;
        for &word in key {
            hash = (hash.rotate_left(5) ^ u64::from(word)).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
        let at = (hash >> 50) as usize;
        let slot = self.slots[at];
        let same = slot.age == self.age && self.keys[at * self.stride..][..self.stride] == *key;
        (at, same.then_some((slot.steps, slot.gain)))
    }

    pub fn put(&mut self, at: usize, key: &[u32], steps: u32, gain: i64) {
        self.keys[at * self.stride..][..self.stride].copy_from_slice(key);
        self.slots[at] = Slot {
            age: self.age,
            steps,
            gain,
        };
    }
}
