//! Whether numbers differ by more than luck. Nothing but + − × ÷ √ of floats, each of which every machine rounds alike, so that
//! what is called different does not depend on the machine.

/// What is called more than luck: so often, at most, luck alone would be called so.
pub const LEVEL: f64 = 0.05;
/// How often a difference that is there shall be found, where it is said how many games that takes: 80 %.
const POWER_Z: f64 = 0.841_621_233_572_914_4;
const ROOT_TWO_PI: f64 = 2.506_628_274_631_000_7;
/// Behind so many deviations nothing is left that could be told.
const Z_MAX: f64 = 38.0;
/// Terms of the series and of the continued fraction, more than their bits need.
const TERMS: u32 = 200;

/// e to the power of `-x`; `x` is not negative.
fn exp_of_minus(x: f64) -> f64 {
    let mut halvings = 0;
    let mut small = x;
    while small > 0.5 {
        small /= 2.0;
        halvings += 1;
    }
    let (mut sum, mut term) = (1.0, 1.0);
    for n in 1..24 {
        term *= -small / f64::from(n);
        sum += term;
    }
    for _ in 0..halvings {
        sum *= sum;
    }
    sum
}

/// How often luck alone comes as far from the middle as `z` standard deviations, to either side.
pub fn two_tails(z: f64) -> f64 {
    let z = z.abs().min(Z_MAX);
    let density = exp_of_minus(z * z / 2.0) / ROOT_TWO_PI;
    if z < 3.0 {
        // Up to z there are density × (z + z³/3 + z⁵/(3·5) + …) on one side.
        let (mut sum, mut term) = (z, z);
        for n in 1..TERMS {
            term *= z * z / f64::from(2 * n + 1);
            sum += term;
        }
        return (1.0 - 2.0 * density * sum).max(0.0);
    }
    // Laplace's continued fraction, from its end.
    let below = (1..TERMS)
        .rev()
        .fold(z, |below, n| z + f64::from(n) / below);
    2.0 * density / below
}

/// So many standard deviations from the middle luck alone comes with probability `p`.
pub fn deviations(p: f64) -> f64 {
    let (mut low, mut high) = (0.0, Z_MAX);
    for _ in 0..80 {
        let middle = (low + high) / 2.0;
        if two_tails(middle) > p {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// How often luck alone makes a sum as far from 0 as this one, if each of its parts could as well have had the other sign (pairs
/// exchanged), or each game's seats have been exchanged. `variance` is that of the sum under such exchanges; `parts` of them are
/// not 0. For shares of two outcomes it is McNemar's test.
pub fn exchanged(sum: f64, variance: f64, parts: u64) -> f64 {
    if variance <= 0.0 || parts == 0 {
        return 1.0;
    }
    // All signs alike is the most that can be: with few parts that is no wonder.
    let least = (1..parts.min(1_100)).fold(1.0, |least, _| least / 2.0);
    two_tails(sum / variance.sqrt()).max(least)
}

/// In millionths, as files have it.
pub fn millionths(luck: f64) -> i64 {
    (luck * 1e6).round() as i64
}

/// Corrects for many questions at once (Holm, Scandinavian Journal of Statistics 6, 1979): below `p` of these, luck alone calls
/// even one of them different with probability `p` at most.
pub fn holm(all: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by(|a, b| all[*a].total_cmp(&all[*b]).then(a.cmp(b)));
    let mut corrected = vec![1.0; all.len()];
    let mut before: f64 = 0.0;
    for (place, at) in order.iter().enumerate() {
        let left = (all.len() - place) as f64;
        before = before.max((all[*at] * left).min(1.0));
        corrected[*at] = before;
    }
    corrected
}

/// How many parts it takes to find a mean so many of its standard deviations from 0, four times in five, among so many questions.
pub fn parts_to_know(mean_in_deviations: f64, questions: usize) -> Option<u64> {
    let z = deviations(LEVEL / questions.max(1) as f64) + POWER_Z;
    let parts = (z / mean_in_deviations.abs()) * (z / mean_in_deviations.abs());
    (parts < 1e12).then(|| parts.ceil() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-9 * b.abs().max(1e-3)
    }

    #[test]
    fn tails_are_those_of_the_tables() {
        for (z, p) in [
            (0.0, 1.0),
            (0.5, 0.617_075_077_451_973_8),
            (1.0, 0.317_310_507_862_914_04),
            (1.959_963_984_540_054, 0.05),
            (2.999_9, 0.002_700_682_327_186_6),
            (3.0, 0.002_699_796_063_260_188_5),
            (5.0, 5.733_031_437_583_878e-7),
        ] {
            assert!(
                (two_tails(z) - p).abs() < 2e-7 * p.max(1e-3),
                "{z}: {}",
                two_tails(z)
            );
        }
        assert!(near(deviations(0.05), 1.959_963_984_540_054));
        assert!(two_tails(100.0) < 1e-300);
        assert!(near(exp_of_minus(1.0), 0.367_879_441_171_442_33));
    }

    #[test]
    fn few_parts_are_no_proof() {
        // Five games that all went the same way: 2 of 32.
        assert_eq!(exchanged(5.0, 5.0, 5), 0.0625);
        assert_eq!(exchanged(0.0, 0.0, 0), 1.0);
        assert!(exchanged(30.0, 30.0, 30) < 1e-6);
    }

    #[test]
    fn corrected_as_by_hand() {
        assert_eq!(holm(&[0.04, 0.01, 0.03]), [0.06, 0.03, 0.06]);
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn a_smaller_difference_takes_more_games() {
        // (1.96 + 0.84)² = 7.849 deviations of one.
        assert_eq!(parts_to_know(0.1, 1), Some(785));
        assert!(parts_to_know(0.1, 10) > Some(785));
        assert_eq!(parts_to_know(0.0, 1), None);
    }
}
