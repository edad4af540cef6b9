//! Plots as SVG in the colours of the page.

use crate::escape::escaped;
use interpreter::stats::written::{grouped, tenths};
use interpreter::stats::{Distribution, Estimate};
use std::fmt::Write as _;

const WIDTH: i64 = 640;
/// Of a histogram, several of which stand side by side.
const NARROW: i64 = 320;
const ROW: i64 = 30;
/// Left of the plot stand the names.
const NAMES: i64 = 130;
const HEIGHT: i64 = 150;
/// Below the plot stand the numbers of its axis.
const AXIS: i64 = 22;
const BARS: u32 = 40;

/// A frame around a plot, with what it shows, for who sees it and who does not.
fn framed((width, height): (i64, i64), caption: &str, inner: &str) -> String {
    let caption = escaped(caption);
    format!(
        "<figure>\n<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{caption}\">\n{inner}</svg>\n<figcaption>{caption}</figcaption>\n</figure>\n"
    )
}

/// Shares in hundredths of a percent, a row each, with their intervals; a line where all would be even.
pub fn intervals(rows: &[(String, Estimate)], even: i64, caption: &str) -> String {
    let most = rows.iter().map(|(_, share)| share.high).max().unwrap_or(0);
    // Up to the next ten percent.
    let end = ((most / 1_000 + 1) * 1_000).clamp(1_000, 10_000);
    let x = |share: i64| NAMES + share * (WIDTH - NAMES - 60) / end;
    let height = rows.len() as i64 * ROW + AXIS;
    let mut text = String::new();
    let bottom = height - AXIS;
    for share in (0..=end).step_by(1_000) {
        let at = x(share);
        let _ = writeln!(
            text,
            "<line class=\"grid\" x1=\"{at}\" y1=\"0\" x2=\"{at}\" y2=\"{bottom}\"/><text class=\"tick\" x=\"{at}\" y=\"{}\">{} %</text>",
            height - 6,
            share / 100
        );
    }
    let at = x(even);
    let _ = writeln!(
        text,
        "<line class=\"even\" x1=\"{at}\" y1=\"0\" x2=\"{at}\" y2=\"{bottom}\"/>"
    );
    for (row, (name, share)) in rows.iter().enumerate() {
        let y = row as i64 * ROW + ROW / 2;
        let (low, high, value) = (x(share.low), x(share.high), x(share.value));
        let _ = writeln!(
            text,
            "<text x=\"0\" y=\"{}\">{}</text><line class=\"span\" x1=\"{low}\" y1=\"{y}\" x2=\"{high}\" y2=\"{y}\"/><circle class=\"dot\" cx=\"{value}\" cy=\"{y}\" r=\"5\"/><text x=\"{}\" y=\"{}\">{}</text>",
            y + 5,
            escaped(name),
            high + 8,
            y + 5,
            tenths(share.value, 2)
        );
    }
    framed((WIDTH, height), caption, &text)
}

/// How often which value was counted.
pub fn histogram(values: &Distribution, caption: &str) -> String {
    let bars = values.bars(BARS);
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(1).max(1);
    let count = bars.len().max(1) as i64;
    let x = |bar: i64| bar * NARROW / count;
    let bottom = HEIGHT - AXIS;
    let mut text = String::new();
    for (at, bar) in bars.iter().enumerate() {
        let (left, right) = (x(at as i64), x(at as i64 + 1));
        let height = (u128::from(bar.count) * bottom as u128).div_ceil(u128::from(most)) as i64;
        let name = match bar.low == bar.high {
            true => bar.low.to_string(),
            false => format!("{} to {}", bar.low, bar.high),
        };
        let _ = writeln!(
            text,
            "<rect class=\"bar\" x=\"{left}\" y=\"{}\" width=\"{}\" height=\"{height}\"><title>{name}: {}</title></rect>",
            bottom - height,
            (right - left - 1).max(1),
            grouped(bar.count)
        );
    }
    let ends = [
        (0, "start", values.min()),
        (NARROW / 2, "middle", middle(&bars)),
        (NARROW, "end", values.max()),
    ];
    for (at, anchor, value) in ends {
        let _ = writeln!(
            text,
            "<text class=\"tick {anchor}\" x=\"{at}\" y=\"{}\">{value}</text>",
            HEIGHT - 6
        );
    }
    framed((NARROW, HEIGHT), caption, &text)
}

/// The value in the middle of the axis.
fn middle(bars: &[interpreter::stats::Bar]) -> i64 {
    bars.get(bars.len() / 2).map_or(0, |bar| bar.low)
}
