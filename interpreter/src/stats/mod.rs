//! Statistics of whole numbers, computed in whole numbers: the same on every machine and in any order of counting.

pub mod luck;
pub mod written;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A victory's parts: shared by up to eight seats without remainder.
pub const VICTORY_PARTS: u64 = 840;

/// How often each value was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<(i64, u64)>", into = "Vec<(i64, u64)>")]
pub struct Distribution {
    counts: BTreeMap<i64, u64>,
}

/// A bar of a histogram: values from `low` to `high`, and how often they were seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    /// Least number of the bin.
    pub low: i64,
    /// Greatest number of the bin.
    pub high: i64,
    /// How many numbers lie in it.
    pub count: u64,
}

impl From<Vec<(i64, u64)>> for Distribution {
    fn from(counts: Vec<(i64, u64)>) -> Distribution {
        let mut all = Distribution::default();
        for (value, times) in counts {
            all.add_many(value, times);
        }
        all
    }
}

impl From<Distribution> for Vec<(i64, u64)> {
    fn from(all: Distribution) -> Vec<(i64, u64)> {
        all.counts.into_iter().collect()
    }
}

/// A value with the interval in which it lies in 19 of 20 cases; the unit is said where it is made (of means: thousandths).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// The best guess.
    pub value: i64,
    /// Lower end of the interval.
    pub low: i64,
    /// Upper end of the interval.
    pub high: i64,
}

impl Distribution {
    /// Counts a value once.
    pub fn add(&mut self, value: i64) {
        self.add_many(value, 1);
    }

    /// Counts it so many times.
    pub fn add_many(&mut self, value: i64, times: u64) {
        *self.counts.entry(value).or_default() += times;
    }

    /// Adds what another counted.
    pub fn merge(&mut self, other: &Distribution) {
        for (value, times) in &other.counts {
            self.add_many(*value, *times);
        }
    }

    /// Each value, ascending, and how often it was counted.
    pub fn counts(&self) -> impl Iterator<Item = (i64, u64)> + '_ {
        self.counts.iter().map(|(value, times)| (*value, *times))
    }

    /// How often this value was counted.
    pub fn times(&self, value: i64) -> u64 {
        self.counts.get(&value).copied().unwrap_or(0)
    }

    /// How many were counted.
    pub fn len(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The least value; 0 of none.
    pub fn min(&self) -> i64 {
        self.counts.keys().next().copied().unwrap_or(0)
    }

    /// The greatest value; 0 of none.
    pub fn max(&self) -> i64 {
        self.counts.keys().next_back().copied().unwrap_or(0)
    }

    /// All of them together.
    pub fn sum(&self) -> i128 {
        self.counts()
            .map(|(v, n)| i128::from(v) * i128::from(n))
            .sum()
    }

    /// The smallest value with at least `part` of `of` values at or below it: `quantile(1, 4)` is the lower quartile.
    pub fn quantile(&self, part: u64, of: u64) -> i64 {
        let total = u128::from(self.len());
        let wanted = (total * u128::from(part)).div_ceil(u128::from(of.max(1)));
        let mut seen = 0u128;
        for (value, times) in self.counts() {
            seen += u128::from(times);
            if seen >= wanted {
                return value;
            }
        }
        self.max()
    }

    /// All values in at most so many bars of equal width, gaps included.
    pub fn bars(&self, most: u32) -> Vec<Bar> {
        if self.is_empty() || most == 0 {
            return Vec::new();
        }
        let (low, high) = (self.min(), self.max());
        let width = ((high - low + 1) as u64).div_ceil(u64::from(most)).max(1) as i64;
        let count = (high - low) / width + 1;
        let mut all: Vec<Bar> = (0..count)
            .map(|at| Bar {
                low: low + at * width,
                high: low + (at + 1) * width - 1,
                count: 0,
            })
            .collect();
        for (value, times) in self.counts() {
            all[((value - low) / width) as usize].count += times;
        }
        all
    }

    /// The mean in thousandths, with its interval.
    pub fn mean(&self) -> Estimate {
        mean(self.len(), self.sum(), self.sum_of_squares())
    }

    /// Variance of the mean, in millionths.
    fn variance_of_mean(&self) -> u128 {
        variance_of_mean(self.len(), self.sum(), self.sum_of_squares())
    }

    /// All of them squared, together.
    fn sum_of_squares(&self) -> i128 {
        self.counts()
            .map(|(v, n)| i128::from(v) * i128::from(v) * i128::from(n))
            .sum()
    }

    /// The standard deviation of one of them, in thousandths.
    pub fn spread(&self) -> i64 {
        let variance = self
            .variance_of_mean()
            .saturating_mul(u128::from(self.len()));
        variance.isqrt() as i64
    }
}

/// Variance of the mean of `n` values, in millionths.
fn variance_of_mean(n: u64, sum: i128, squares: i128) -> u128 {
    let n = i128::from(n);
    if n < 2 {
        return 0;
    }
    // n·Σx² − (Σx)², over n·(n − 1) for the variance, over n again for the mean's.
    let spread = n
        .saturating_mul(squares)
        .saturating_sub(sum.saturating_mul(sum))
        .max(0);
    (spread.saturating_mul(1_000_000) / (n * n).saturating_mul(n - 1).max(1)) as u128
}

/// The mean of `n` values in thousandths, with its interval.
fn mean(n: u64, sum: i128, squares: i128) -> Estimate {
    if n == 0 {
        return Estimate::default();
    }
    let value = rounded(sum * 1000, i128::from(n)) as i64;
    let half = (variance_of_mean(n, sum, squares).isqrt() * 196 / 100) as i64;
    Estimate {
        value,
        low: value - half,
        high: value + half,
    }
}

/// Differences of pairs (the second less the first), as sums: pairs of the same games under two rule sets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// Pairs compared.
    pub pairs: u64,
    /// Pairs that differ, and those of them in which the second is greater.
    pub differing: u64,
    /// Pairs in which the second is greater.
    pub greater: u64,
    /// What the first of the pairs had, and the second.
    pub sides: [Distribution; 2],
    sum: i128,
    squares: i128,
}

impl Pairs {
    /// Counts a pair.
    pub fn add(&mut self, first: i64, second: i64) {
        let difference = i128::from(second) - i128::from(first);
        self.pairs += 1;
        self.differing += u64::from(difference != 0);
        self.greater += u64::from(difference > 0);
        self.sides[0].add(first);
        self.sides[1].add(second);
        self.sum += difference;
        self.squares += difference * difference;
    }

    /// Adds what another counted.
    pub fn merge(&mut self, other: &Pairs) {
        self.pairs += other.pairs;
        self.differing += other.differing;
        self.greater += other.greater;
        for (own, other) in self.sides.iter_mut().zip(&other.sides) {
            own.merge(other);
        }
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// The mean difference in thousandths, with its interval.
    pub fn mean(&self) -> Estimate {
        mean(self.pairs, self.sum, self.squares)
    }

    /// How often luck alone makes so great a difference ([`luck::exchanged`]).
    pub fn luck(&self) -> f64 {
        luck::exchanged(self.sum as f64, self.squares as f64, self.differing)
    }

    /// Pairs it takes to be sure of a difference as great as this one ([`luck::parts_to_know`]).
    pub fn to_know(&self, questions: usize) -> Option<u64> {
        if self.squares == 0 {
            return None;
        }
        let n = self.pairs as f64;
        let mean_in_deviations = (self.sum as f64 / n) / (self.squares as f64 / n).sqrt();
        luck::parts_to_know(mean_in_deviations, questions)
    }
}

/// The share of `parts` of `games` victories in hundredths of a percent, with Wilson's interval.
pub fn share(parts: u64, games: u64) -> Estimate {
    if games == 0 {
        return Estimate::default();
    }
    let (unit, w, n) = (
        u128::from(VICTORY_PARTS),
        u128::from(parts),
        u128::from(games),
    );
    const MILLION: u128 = 1_000_000;
    // z = 1.96: z² = 3.8416.
    let lost = (unit * n).saturating_sub(w);
    let variance = w * lost * MILLION * MILLION / (unit * unit * n);
    let half = (variance + 960_400 * MILLION).isqrt() * 196 / 100;
    let middle = w * MILLION / unit + 1_920_800;
    let all = n * MILLION + 3_841_600;
    Estimate {
        value: rounded((w * 10_000) as i128, (unit * n) as i128) as i64,
        low: (middle.saturating_sub(half) * 10_000 / all) as i64,
        high: ((middle + half) * 10_000 / all).min(10_000) as i64,
    }
}

/// `a / b`, halves away from zero; `b` is positive.
pub fn rounded(a: i128, b: i128) -> i128 {
    let half = b / 2;
    if a >= 0 {
        (a + half) / b
    } else {
        (a - half) / b
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[i64]) -> Distribution {
        let mut distribution = Distribution::default();
        values.iter().for_each(|v| distribution.add(*v));
        distribution
    }

    #[test]
    fn quartiles_and_mean() {
        let d = of(&[5, 1, 2, 3, 4, 6, 7, 8]);
        assert_eq!(
            (
                d.min(),
                d.quantile(1, 4),
                d.quantile(1, 2),
                d.quantile(3, 4),
                d.max()
            ),
            (1, 2, 4, 6, 8)
        );
        let mean = d.mean();
        // Standard deviation 2.449, of the mean 0.866, times 1.96: 1.697.
        assert_eq!((mean.value, mean.low, mean.high), (4500, 2803, 6197));
        assert_eq!(of(&[-3, -4]).mean().value, -3500);
    }

    #[test]
    fn wilson_agrees_with_the_formula() {
        // 10 of 40: 0.25, from 0.1419 to 0.4019.
        assert_eq!(
            share(10 * VICTORY_PARTS, 40),
            Estimate {
                value: 2500,
                low: 1418,
                high: 4019
            }
        );
        assert_eq!(share(0, 10).low, 0);
        assert_eq!(
            share(10 * VICTORY_PARTS, 10),
            Estimate {
                value: 10_000,
                low: 7224,
                high: 10_000
            }
        );
    }

    #[test]
    fn merging_is_counting_together() {
        let mut a = of(&[1, 2]);
        a.merge(&of(&[2, 3]));
        assert_eq!(a, of(&[1, 2, 2, 3]));
        let (mut pairs, mut others) = (Pairs::default(), Pairs::default());
        pairs.add(1, 3);
        pairs.add(1, 1);
        others.add(2, 1);
        others.add(5, 9);
        pairs.merge(&others);
        // Differences 2, 0, −1, 4: mean 1.25, deviation 2.217, of the mean 1.108, times 1.96: 2.171; what is behind is cut off.
        let mean = Estimate {
            value: 1250,
            low: -921,
            high: 3421,
        };
        assert_eq!(
            (pairs.pairs, pairs.differing, pairs.greater, pairs.mean()),
            (4, 3, 2, mean)
        );
        assert!(pairs.luck() > 0.2);
    }
}
