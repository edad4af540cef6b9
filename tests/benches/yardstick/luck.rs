//! Where the order of a shuffled deck comes from: a small generator, or a log.

use std::collections::VecDeque;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deck {
    /// Elements are card kinds.
    Trains,
    /// Elements are ticket rows.
    Tickets,
}

/// Shuffles decks. `items` comes sorted and is left in drawing order, the first drawn first.
pub trait Luck {
    fn shuffle(&mut self, deck: Deck, items: &mut [u8]);
}

/// Splitmix64: small and fast, for benches only.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `n - 1`, with a bias of at most n in 2^32.
    pub fn below(&mut self, n: usize) -> usize {
        (((self.next() >> 32) * n as u64) >> 32) as usize
    }
}

impl Luck for Rng {
    fn shuffle(&mut self, _: Deck, items: &mut [u8]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// The orders of a log: of the train deck at the start and at each reshuffle (even of one card), of the ticket deck once.
/// The first is drawn first.
#[derive(Clone, Debug, Default)]
pub struct Orders {
    pub trains: VecDeque<Vec<u8>>,
    pub tickets: VecDeque<Vec<u8>>,
}

impl Luck for Orders {
    /// # Panics
    /// If the log has no further order, or one of other cards: the replay has left the logged game.
    fn shuffle(&mut self, deck: Deck, items: &mut [u8]) {
        let orders = match deck {
            Deck::Trains => &mut self.trains,
            Deck::Tickets => &mut self.tickets,
        };
        let order = orders
            .pop_front()
            .unwrap_or_else(|| panic!("no order left for {deck:?}"));
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(
            sorted, items,
            "the logged order of {deck:?} has other cards"
        );
        items.copy_from_slice(&order);
    }
}
