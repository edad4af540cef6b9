//! Final scoring: tickets, the longest trail, the winners.

use super::tables::{CITIES_MAX, Tables};

/// [TU-007]
pub(super) const BONUS: i32 = 10;
/// A seat has 45 wagons, so at most 45 routes.
const LINKS_MAX: usize = 45;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Points of the routes, taken during play.
    pub routes: i32,
    /// Completed tickets less the others.
    pub tickets: i32,
    pub completed: u8,
    /// Spaces of the longest trail.
    pub longest: u8,
    /// 10 for whoever has the longest trail of all, else 0.
    pub bonus: i32,
}

impl Score {
    pub fn total(&self) -> i32 {
        self.routes + self.tickets + self.bonus
    }
}

/// The bonus goes to every seat with the longest trail, if there is any route. [TU-040, TU-041]
pub(super) fn award_bonus(scores: &mut [Score]) {
    let longest = scores.iter().map(|score| score.longest).max().unwrap_or(0);
    for score in scores {
        score.bonus = if longest > 0 && score.longest == longest {
            BONUS
        } else {
            0
        };
    }
}

/// The seats that win, as a bit mask (give the scores of the players only): by total, completed tickets, longest trail; else they share. [TU-042]
pub fn winners(scores: &[Score]) -> u8 {
    let key = |score: &Score| (score.total(), score.completed, score.bonus);
    let best = scores.iter().map(key).max();
    let seats = (0..scores.len()).filter(|&seat| Some(key(&scores[seat])) == best);
    seats.fold(0, |mask, seat| mask | 1 << seat)
}

/// Spaces of the longest trail in a seat's routes: each used once, cities as often as wanted. Exact. [TU-039]
///
/// # Panics
/// With more routes than a seat has wagons.
pub fn longest_trail(tables: &Tables, owned: u128) -> u8 {
    Network::new(tables, owned).longest_trail()
}

/// The routes of one seat as a graph; a set of links is a bit mask.
pub(super) struct Network {
    links: usize,
    ends: [(u8, u8); LINKS_MAX],
    length: [u8; LINKS_MAX],
    /// The links at each city.
    at: [u64; CITIES_MAX],
    /// A city of the same connected part; followed to the end, the first one of the part.
    part: [u8; CITIES_MAX],
}

impl Network {
    pub(super) fn new(tables: &Tables, owned: u128) -> Self {
        let mut network = Self {
            links: 0,
            ends: [(0, 0); LINKS_MAX],
            length: [0; LINKS_MAX],
            at: [0; CITIES_MAX],
            part: std::array::from_fn(|city| city as u8),
        };
        let mut rest = owned;
        while rest != 0 {
            let route = tables.routes[rest.trailing_zeros() as usize];
            rest &= rest - 1;
            let link = network.links;
            network.links += 1;
            network.ends[link] = (route.a, route.b);
            network.length[link] = route.length;
            network.at[usize::from(route.a)] |= 1 << link;
            network.at[usize::from(route.b)] |= 1 << link;
            let (a, b) = (network.part_of(route.a), network.part_of(route.b));
            network.part[usize::from(a.max(b))] = a.min(b);
        }
        network
    }

    fn part_of(&self, mut city: u8) -> u8 {
        while self.part[usize::from(city)] != city {
            city = self.part[usize::from(city)];
        }
        city
    }

    pub(super) fn joins(&self, a: u8, b: u8) -> bool {
        self.part_of(a) == self.part_of(b)
    }

    /// A part with at most two odd cities is walked whole (Euler). In any other a longest trail runs from one odd city to
    /// another: where it ends no link is left, so an end is odd unless the trail is closed, and a closed one that leaves
    /// links over can be begun at one of those and made longer.
    pub(super) fn longest_trail(&self) -> u8 {
        let mut spaces = [0; CITIES_MAX];
        let mut odd = [0u64; CITIES_MAX];
        let mut links = [0u64; CITIES_MAX];
        for link in 0..self.links {
            let (a, b) = self.ends[link];
            let part = usize::from(self.part_of(a));
            spaces[part] += self.length[link];
            links[part] |= 1 << link;
            for city in [a, b] {
                if self.at[usize::from(city)].count_ones() % 2 == 1 {
                    odd[part] |= 1 << city;
                }
            }
        }

        let mut best = 0;
        for part in 0..CITIES_MAX {
            if spaces[part] <= best {
                continue;
            }
            if odd[part].count_ones() <= 2 {
                best = spaces[part];
                continue;
            }
            // Every trail has two ends: one odd city need not be tried.
            let mut starts = odd[part] & (odd[part] - 1);
            let enough = spaces[part] - self.left_over(odd[part]);
            while starts != 0 && best < enough {
                let start = starts.trailing_zeros() as u8;
                starts &= starts - 1;
                self.walk(start, links[part], 0, spaces[part], &mut best);
            }
        }
        best
    }

    /// Spaces that every trail leaves over: at all odd cities but its two ends some link is not used.
    fn left_over(&self, mut odd: u64) -> u8 {
        let (mut sum, mut largest) = (0, [0; 2]);
        while odd != 0 {
            let mut here = self.at[odd.trailing_zeros() as usize];
            odd &= odd - 1;
            let mut shortest = u8::MAX;
            while here != 0 {
                shortest = shortest.min(self.length[here.trailing_zeros() as usize]);
                here &= here - 1;
            }
            sum += shortest;
            if shortest > largest[0] {
                largest = [shortest, largest[0]];
            } else if shortest > largest[1] {
                largest[1] = shortest;
            }
        }
        (sum - largest[0] - largest[1]).div_ceil(2)
    }

    /// `left`: spaces of the links in `unused`.
    fn walk(&self, city: u8, unused: u64, done: u8, left: u8, best: &mut u8) {
        *best = done.max(*best);
        let mut onward = self.at[usize::from(city)] & unused;
        while onward != 0 && done + left > *best {
            let link = onward.trailing_zeros() as usize;
            onward &= onward - 1;
            let (a, b) = self.ends[link];
            let (next, length) = (a ^ b ^ city, self.length[link]);
            self.walk(
                next,
                unused & !(1 << link),
                done + length,
                left - length,
                best,
            );
        }
    }
}
