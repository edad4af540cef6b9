//! Replays to text.

use super::{LineKind, Replay};
use crate::playout::seat_name;
use crate::words::quoted;
use std::fmt::Write as _;

/// What the first line of every replay begins with; behind it stands the number of its form.
pub const MAGIC: &str = "trackwright replay ";
/// The form that is written, and the newest that is read.
pub(super) const FORM: u32 = 1;

/// A replay as text; [`super::parse`] reads it back.
pub fn write(replay: &Replay) -> String {
    let mut text = format!("{MAGIC}{FORM}\n");
    let _ = writeln!(text, "game {} {}", replay.game, quoted(&replay.title));
    let _ = writeln!(text, "fingerprint {:016x}", replay.fingerprint);
    for overlay in &replay.overlays {
        let _ = writeln!(text, "overlay {overlay}");
    }
    for (name, value) in &replay.options {
        let _ = writeln!(text, "option {name} = {}", to_the_end(value));
    }
    let _ = writeln!(text, "players {}", replay.players);
    for (seat, who) in replay.seats.iter().enumerate() {
        if let Some(who) = who {
            let _ = writeln!(text, "seat {} {who}", seat_name(seat));
        }
    }
    let _ = writeln!(text, "seed {}\n", replay.seed);
    for line in &replay.lines {
        let _ = writeln!(text, "{}", line_text(&line.kind));
    }
    text
}

/// A line as it is written.
pub(super) fn line_text(line: &LineKind) -> String {
    match line {
        LineKind::Answer {
            seat,
            text,
            forced: true,
        } => format!("{}: ({text})", seat_name(*seat as usize)),
        LineKind::Answer { seat, text, .. } => format!("{}: {text}", seat_name(*seat as usize)),
        LineKind::Chance { stream, values } => {
            let values: Vec<String> = values.iter().map(|value| plain_or_quoted(value)).collect();
            format!("chance {stream}: [{}]", values.join(", "))
        }
        LineKind::End { scores, how } => {
            let scores: Vec<String> = scores
                .iter()
                .enumerate()
                .map(|(seat, score)| format!("{} {score}", seat_name(seat)))
                .collect();
            let how = how.iter().map(|how| format!("; {how}"));
            format!("end: {}{}", scores.join(", "), how.collect::<String>())
        }
    }
}

/// In quotes where a comma, bracket or blank would end it.
fn plain_or_quoted(value: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./".contains(c);
    if !value.is_empty() && value.chars().all(plain) {
        value.to_owned()
    } else {
        quoted(value)
    }
}

/// The value of an option, in quotes where the line would not give it back.
fn to_the_end(value: &str) -> String {
    if value.starts_with('"') || value.trim() != value || value.contains(char::is_control) {
        quoted(value)
    } else {
        value.to_owned()
    }
}
