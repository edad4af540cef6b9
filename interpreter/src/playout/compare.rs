//! Did a change of the rules help, and how sure is that?

use super::Report;
use super::report::seat_name;
use crate::json::{Json, csv_field, decimal};
use crate::stats::{Distribution, Estimate, difference, share};
use std::fmt::Write as _;

/// Means of two reports side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    pub rows: Vec<Difference>,
}

/// One thing measured in both; `base` and `variant` are absent where only the other has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub what: String,
    /// Decimals of the numbers.
    pub decimals: u32,
    pub base: Option<Estimate>,
    pub variant: Option<Estimate>,
    /// Variant less base.
    pub difference: Option<Estimate>,
}

impl Difference {
    /// Both sides and the difference, by what they are called in files.
    fn sides(&self) -> [(&'static str, Option<Estimate>); 3] {
        [
            ("without", self.base),
            ("with", self.variant),
            ("difference", self.difference),
        ]
    }

    /// Zero lies outside the interval of the difference.
    pub fn is_clear(&self) -> bool {
        self.difference.is_some_and(|d| d.low > 0 || d.high < 0)
    }
}

/// Compares victories, scores and lengths.
pub fn compare(base: &Report, variant: &Report) -> Comparison {
    let mut rows = Vec::new();
    for seat in 0..base.seats.len().max(variant.seats.len()) {
        let (a, b) = (base.seats.get(seat), variant.seats.get(seat));
        let name = seat_name(seat);
        rows.push(wins(
            format!("wins of {name} in percent"),
            a.map(|s| (s.victories, base.games)),
            b.map(|s| (s.victories, variant.games)),
        ));
        rows.push(means(
            format!("score of {name}"),
            a.map(|s| &s.total),
            b.map(|s| &s.total),
        ));
        for line in line_names(base, variant) {
            let (a, b) = (scores(base, seat, line), scores(variant, seat, line));
            rows.push(means(format!("{line} of {name}"), a, b));
        }
    }
    if base.turns.is_some() || variant.turns.is_some() {
        rows.push(means(
            "turns".into(),
            base.turns.as_ref(),
            variant.turns.as_ref(),
        ));
    }
    rows.push(means(
        "answers".into(),
        Some(&base.answers),
        Some(&variant.answers),
    ));
    Comparison { rows }
}

fn line_names<'a>(base: &'a Report, variant: &'a Report) -> Vec<&'a str> {
    let new = variant
        .lines
        .iter()
        .filter(|line| !base.lines.contains(line));
    base.lines.iter().chain(new).map(String::as_str).collect()
}

fn scores<'a>(report: &'a Report, seat: usize, line: &str) -> Option<&'a Distribution> {
    let at = report.lines.iter().position(|l| l == line)?;
    report.seats.get(seat)?.scores.get(at)
}

fn means(what: String, base: Option<&Distribution>, variant: Option<&Distribution>) -> Difference {
    Difference {
        what,
        decimals: 3,
        base: base.map(Distribution::mean),
        variant: variant.map(Distribution::mean),
        difference: base.zip(variant).map(|(a, b)| difference(a, b)),
    }
}

/// Newcombe's interval for the difference of two shares, from Wilson's of each.
fn wins(what: String, base: Option<(u64, u64)>, variant: Option<(u64, u64)>) -> Difference {
    let estimate = |of: Option<(u64, u64)>| of.map(|(parts, games)| share(parts, games));
    let (base, variant) = (estimate(base), estimate(variant));
    let difference = base.zip(variant).map(|(a, b)| {
        let value = b.value - a.value;
        let length = |x: i64, y: i64| (x * x + y * y).isqrt();
        Estimate {
            value,
            low: value - length(b.value - b.low, a.high - a.value),
            high: value + length(b.high - b.value, a.value - a.low),
        }
    });
    Difference {
        what,
        decimals: 2,
        base,
        variant,
        difference,
    }
}

impl Comparison {
    /// A list with an object for each row.
    pub(super) fn write_json(&self, json: &mut Json) {
        json.array(|a| {
            for row in &self.rows {
                a.object(|o| {
                    o.key("what").string(&row.what);
                    for (name, estimate) in row.sides() {
                        let Some(estimate) = estimate else { continue };
                        o.key(name).object(|e| {
                            e.key("value").decimal(estimate.value, row.decimals);
                            e.key("low").decimal(estimate.low, row.decimals);
                            e.key("high").decimal(estimate.high, row.decimals);
                        });
                    }
                    o.key("clear").boolean(row.is_clear());
                });
            }
        });
    }

    /// Rows of the report's table: `without`, `with` and `difference`.
    pub(super) fn write_csv(&self, text: &mut String) {
        for row in &self.rows {
            let what = csv_field(&row.what);
            for (name, estimate) in row.sides() {
                let Some(e) = estimate else { continue };
                let [value, low, high] = [e.value, e.low, e.high].map(|v| decimal(v, row.decimals));
                let _ = writeln!(text, "{name},{what},,,{value},{low},{high},,,,,");
            }
        }
    }
}
