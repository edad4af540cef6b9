//! What goes with winning: whether who has more of something than the others in the same game wins more often than they do.

use crate::stats::{VICTORY_PARTS, luck};
use serde::{Deserialize, Serialize};

/// How a game ended for its seats.
pub(super) struct Won<'g> {
    /// What part of the victory each has, in [`VICTORY_PARTS`].
    pub parts: &'g [u64],
    /// For each the first seat with the same bot.
    pub bots: &'g [usize],
}

/// Sums over games, in whole numbers: what seats had of one thing, beside what they won.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Games in which the seats had different amounts and not all won alike; of several bots one for each.
    pub games: u64,
    /// Sum of products of what each seat had and won, each less the mean of its game, times the number of seats.
    #[serde(with = "wide")]
    together: i128,
    /// What its square would be on the average if seats had won at random.
    #[serde(with = "wide")]
    variance: i128,
    /// Seats that had more than the mean of their game, and less, with the victories of both in [`VICTORY_PARTS`].
    pub more: (u64, u64),
    /// The same of those who have less of it.
    pub less: (u64, u64),
}

/// Whole numbers that are too great for some texts.
mod wide {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(number: &i128, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&number.to_string())
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<i128, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(D::Error::custom)
    }
}

impl Link {
    /// Counts a game: what each seat had, and its part of the victory. Only seats with the same bot are compared: a better one does
    /// other things, and wins.
    pub(super) fn note(&mut self, had: impl Iterator<Item = i64> + Clone, won: &Won<'_>) {
        for bot in (0..won.bots.len()).filter(|seat| won.bots[*seat] == *seat) {
            let seats = had.clone().zip(won.parts).zip(won.bots);
            let seats = seats.filter(|(_, of)| **of == bot);
            self.note_equals(seats.map(|((had, won), _)| (had, *won as i64)));
        }
    }

    fn note_equals(&mut self, all: impl Iterator<Item = (i64, i64)> + Clone) {
        // What is had and won lies far below what half the words hold; products of it do not.
        let (mut seats, mut sum, mut parts) = (0, 0, 0);
        for (had, won) in all.clone() {
            seats += 1;
            sum += had;
            parts += won;
        }
        let product = |a: i64, b: i64| i128::from(a) * i128::from(b);
        let (mut together, mut spread, mut stakes) = (0, 0, 0);
        for (had, won) in all.clone() {
            let x = had * seats - sum;
            let y = won * seats - parts;
            together += product(x, y);
            spread += product(x, x);
            stakes += product(y, y);
        }
        if spread == 0 {
            return;
        }
        for (had, won) in all {
            let side = match (had * seats).cmp(&sum) {
                std::cmp::Ordering::Greater => &mut self.more,
                std::cmp::Ordering::Less => &mut self.less,
                std::cmp::Ordering::Equal => continue,
            };
            side.0 += 1;
            side.1 += won.unsigned_abs();
        }
        if stakes > 0 {
            self.games += 1;
            self.together = self.together.saturating_add(together);
            // Over all orders in which the seats could have won.
            let variance = spread.saturating_mul(stakes) / i128::from((seats - 1).max(1));
            self.variance = self.variance.saturating_add(variance);
        }
    }

    pub(super) fn merge(&mut self, other: &Link) {
        self.games += other.games;
        self.together = self.together.saturating_add(other.together);
        self.variance = self.variance.saturating_add(other.variance);
        for (own, other) in [(&mut self.more, other.more), (&mut self.less, other.less)] {
            own.0 += other.0;
            own.1 += other.1;
        }
    }

    /// How often luck alone makes so close a link ([`luck::exchanged`]).
    pub fn luck(&self) -> f64 {
        luck::exchanged(self.together as f64, self.variance as f64, self.games)
    }

    /// How often who had more won, and who had less, in thousandths.
    pub fn wins(&self) -> (u64, u64) {
        let of = |(seats, parts): (u64, u64)| parts * 1_000 / (seats * VICTORY_PARTS).max(1);
        (of(self.more), of(self.less))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn among<'g>(parts: &'g [u64]) -> Won<'g> {
        let bots = &[0; 4][..parts.len()];
        Won { parts, bots }
    }

    #[test]
    fn who_has_more_and_wins_is_linked() {
        let mut link = Link::default();
        for game in 0..20 {
            let won = [VICTORY_PARTS, 0, 0];
            link.note([3 + game, 1, 2].into_iter(), &among(&won));
        }
        assert!(link.luck() < 1e-5);
        assert_eq!(link.wins(), (1_000, 0));
        // Nothing is learnt from who has as much as the others, nor from a draw.
        let mut none = Link::default();
        none.note([2, 2].into_iter(), &among(&[VICTORY_PARTS, 0]));
        none.note(
            [1, 2].into_iter(),
            &among(&[VICTORY_PARTS / 2, VICTORY_PARTS / 2]),
        );
        assert_eq!((none.games, none.luck()), (0, 1.0));
    }

    #[test]
    fn luck_alone_is_no_link() {
        let mut link = Link::default();
        for game in 0..40 {
            let won = if game % 2 == 0 {
                [VICTORY_PARTS, 0]
            } else {
                [0, VICTORY_PARTS]
            };
            let had = if game / 2 % 2 == 0 { [1, 2] } else { [2, 1] };
            link.note(had.into_iter(), &among(&won));
        }
        assert_eq!(link.luck(), 1.0);
        assert_eq!(link.wins(), (500, 500));
    }

    #[test]
    fn what_a_weaker_bot_does_is_not_what_loses() {
        // The first and the third seat always win, and do nothing; of the others one does more now and then.
        let mut link = Link::default();
        for game in 0..40 {
            let parts = [VICTORY_PARTS / 2, 0, VICTORY_PARTS / 2, 0];
            let had = [0, 5 + game % 2, 0, 6 - game % 2];
            let bots = &[0, 1, 0, 1];
            link.note(
                had.into_iter(),
                &Won {
                    parts: &parts,
                    bots,
                },
            );
        }
        assert_eq!((link.games, link.luck()), (0, 1.0));
    }
}
