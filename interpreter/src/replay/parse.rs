//! Text to replays.

use super::write::{FORM, MAGIC};
use super::{Line, LineKind, Replay};
use crate::playout::seat_name;
use crate::words::unquoted;
use dsl::bounds::SEATS_MAX;
use std::fmt;

/// Something in the text that is no replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
    /// What should stand there.
    pub expected: String,
    /// What stands there instead.
    pub found: String,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = match self.found.as_str() {
            "" => "the line ends",
            found => &format!("there is `{found}`"),
        };
        write!(
            f,
            "{}:{}: expected {}, but {found}",
            self.line, self.column, self.expected
        )
    }
}

impl std::error::Error for ReplayError {}

/// Why a text is no replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It says that it has a form, this one, which only newer programs read.
    Newer(u32),
    /// Everything in it that cannot be read, in order.
    Wrong(Vec<ReplayError>),
}

impl Unreadable {
    /// What is to be said of the file: `is no saved game: 3:1: …`.
    pub fn said(&self, what: &str) -> String {
        match self {
            Unreadable::Newer(form) => format!(
                "was written by a newer trackwright: it has form {form}, this one reads form {FORM}"
            ),
            Unreadable::Wrong(errors) => {
                let first = errors.first().map_or_else(String::new, ToString::to_string);
                let more = match errors.len().saturating_sub(1) {
                    0 => String::new(),
                    more => format!(" (and {more} more)"),
                };
                format!("is no {what}: {first}{more}")
            }
        }
    }

    /// What to do about it; `otherwise` where the text is wrong.
    pub fn help<'h>(&self, otherwise: &'h str) -> &'h str {
        match self {
            Unreadable::Newer(_) => "follow it with the trackwright that wrote it, or a newer one",
            Unreadable::Wrong(_) => otherwise,
        }
    }
}

/// Reads a replay.
///
/// # Errors
/// Why it cannot be read.
pub fn parse(text: &str) -> Result<Replay, Unreadable> {
    let first = text.lines().next().unwrap_or_default();
    let form = first.strip_prefix(MAGIC).map(str::trim_end);
    match form.and_then(|form| form.parse().ok()) {
        Some(FORM) => read(text).map_err(Unreadable::Wrong),
        Some(form) if form > FORM => Err(Unreadable::Newer(form)),
        _ => {
            let expected = format!("`{MAGIC}{FORM}` as the first line");
            Err(Unreadable::Wrong(vec![error(1, first, 0, &expected)]))
        }
    }
}

/// What stands below the first line.
fn read(text: &str) -> Result<Replay, Vec<ReplayError>> {
    let mut reader = Reader::default();
    let lines = text.lines().enumerate().skip(1);
    for (at, line) in lines {
        let line = line.trim_end();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let number = at as u32 + 1;
        if let Some(at) = line.find(char::is_control) {
            let expected = "a character that can be seen";
            reader.errors.push(error(number, line, at, expected));
            continue;
        }
        // Without a whole header nothing below it can be told.
        if !reader.is_header(line) && !reader.header_is_whole(number, line) {
            break;
        }
        if let Err(error) = reader.line(number, line) {
            reader.errors.push(error);
        }
    }
    reader.header_is_whole(text.lines().count() as u32 + 1, "");
    reader.finish()
}

#[derive(Default)]
struct Reader {
    replay: Replay,
    errors: Vec<ReplayError>,
    /// Header words that were there.
    seen: Vec<&'static str>,
    over: bool,
}

/// Header words that every replay has, once.
const NEEDED: [&str; 4] = ["game", "fingerprint", "players", "seed"];

const HEADER: [&str; 7] = [
    "game",
    "fingerprint",
    "overlay",
    "option",
    "players",
    "seat",
    "seed",
];

fn error(line: u32, text: &str, at: usize, expected: &str) -> ReplayError {
    let rest = text.get(at..).unwrap_or_default();
    let mut found = String::new();
    for c in rest.chars().take(24) {
        // Nobody sees it, and a terminal may take it for a command.
        match c.is_control() {
            true => found.extend(c.escape_unicode()),
            false => found.push(c),
        }
    }
    ReplayError {
        line,
        column: text.get(..at).unwrap_or_default().chars().count() as u32 + 1,
        expected: expected.to_owned(),
        found: found.trim_end().to_owned(),
    }
}

impl Reader {
    /// A line of the header, or one among them that is neither that nor something that happened.
    fn is_header(&self, text: &str) -> bool {
        let head = text.split(' ').next().unwrap_or_default();
        HEADER.contains(&head) || self.replay.lines.is_empty() && !text.contains(": ")
    }

    /// Whether the header, which ends above this line, has all it needs and no mistake; what it lacks is noted once.
    fn header_is_whole(&mut self, number: u32, text: &str) -> bool {
        if self.errors.is_empty() {
            let lacks = NEEDED.iter().find(|word| !self.seen.contains(word));
            let lacks = lacks.map(|word| {
                error(
                    number,
                    text,
                    0,
                    &format!("a line `{word} …` in the header above"),
                )
            });
            self.errors.extend(lacks);
        }
        self.errors.is_empty()
    }

    fn line(&mut self, number: u32, text: &str) -> Result<(), ReplayError> {
        let (head, rest) = text.split_once(' ').unwrap_or((text, ""));
        if let Some(word) = NEEDED.into_iter().find(|word| *word == head) {
            if self.seen.contains(&word) {
                return Err(error(number, text, 0, &format!("no second line `{word}`")));
            }
            self.seen.push(word);
        }
        let at = text.len() - rest.len();
        let fail = |expected: &str| Err(error(number, text, at, expected));
        match head {
            "game" => {
                let (id, title) = rest.split_once(' ').unwrap_or((rest, ""));
                if id.is_empty() {
                    return fail("the id of a game");
                }
                self.replay.game = id.to_owned();
                let from = text.len() - title.len();
                self.replay.title = match title {
                    "" => String::new(),
                    _ => string(number, text, from)?.0,
                };
            }
            "fingerprint" => match u64::from_str_radix(rest, 16) {
                Ok(value) if rest.len() == 16 => self.replay.fingerprint = value,
                _ => return fail("16 digits 0 to f"),
            },
            "overlay" if rest.is_empty() => return fail("the id of an overlay"),
            "overlay" => self.replay.overlays.push(rest.to_owned()),
            "option" => match rest.split_once(" = ") {
                Some((name, value)) => {
                    let at = text.len() - value.len();
                    let value = match value.starts_with('"') {
                        true => string(number, text, at)?.0,
                        false => value.to_owned(),
                    };
                    self.replay.options.push((name.to_owned(), value));
                }
                None => return fail("`name = value`"),
            },
            "players" => match rest.parse() {
                Ok(players) if (1..=SEATS_MAX).contains(&players) => {
                    self.replay.players = players;
                    self.replay.seats.resize(players as usize, None);
                }
                _ => return fail("a number of players"),
            },
            // What is wrong with `players` is told there.
            "seat" if self.replay.players == 0 => {}
            "seat" => match rest.split_once(' ') {
                Some((name, who)) if self.seat(name).is_some() => {
                    let seat = self.seat(name).unwrap_or_default() as usize;
                    self.replay.seats[seat] = Some(who.to_owned());
                }
                _ => return fail("a seat of this game and who answers for it, as `A random`"),
            },
            "seed" => match rest.parse() {
                Ok(seed) => self.replay.seed = seed,
                Err(_) => return fail("a whole number"),
            },
            _ if self.is_header(text) => {
                let expected = format!(
                    "a line of the header (`{}`) or an answer, as `A: done`",
                    HEADER.join("`, `")
                );
                return Err(error(number, text, 0, &expected));
            }
            _ => return self.happened(number, text),
        }
        Ok(())
    }

    /// A line behind the header.
    fn happened(&mut self, number: u32, text: &str) -> Result<(), ReplayError> {
        if self.over {
            return Err(error(number, text, 0, "nothing behind `end:`"));
        }
        let kind = if let Some(rest) = text.strip_prefix("chance ") {
            let Some((stream, list)) = stream_and_list(rest) else {
                return Err(error(
                    number,
                    text,
                    text.len(),
                    "`chance NAME: [what came out]`",
                ));
            };
            LineKind::Chance {
                stream: stream.to_owned(),
                values: values(number, text, text.len() - list.len())?,
            }
        } else if let Some(rest) = text.strip_prefix("end: ") {
            self.over = true;
            let mut at = text.len() - rest.len();
            let mut scores = Vec::new();
            let (rest, how) = match rest.split_once("; ") {
                Some((scores, how)) => (scores, Some(how.to_owned())),
                None => (rest, None),
            };
            for (seat, part) in rest.split(", ").enumerate() {
                let score = part
                    .strip_prefix(&seat_name(seat))
                    .and_then(|rest| rest.trim().parse().ok());
                let Some(score) = score else {
                    return Err(error(
                        number,
                        text,
                        at,
                        &format!("`{}` and a score", seat_name(seat)),
                    ));
                };
                scores.push(score);
                at += part.len() + 2;
            }
            LineKind::End { scores, how }
        } else {
            let Some((name, answer)) = text.split_once(": ") else {
                return Err(error(
                    number,
                    text,
                    0,
                    "`SEAT: answer`, `chance NAME: […]` or `end: …`",
                ));
            };
            let Some(seat) = self.seat(name) else {
                return Err(error(number, text, 0, "a seat of this game, as `A`"));
            };
            let inner = answer
                .strip_prefix('(')
                .and_then(|rest| rest.strip_suffix(')'));
            LineKind::Answer {
                seat,
                text: inner.unwrap_or(answer).to_owned(),
                forced: inner.is_some(),
            }
        };
        self.replay.lines.push(Line { number, kind });
        Ok(())
    }

    fn seat(&self, name: &str) -> Option<u32> {
        (0..self.replay.players).find(|seat| seat_name(*seat as usize) == name)
    }

    fn finish(self) -> Result<Replay, Vec<ReplayError>> {
        if self.errors.is_empty() {
            Ok(self.replay)
        } else {
            Err(self.errors)
        }
    }
}

/// A string in quotes that begins at a byte; with where it ends.
fn string(line: u32, text: &str, at: usize) -> Result<(String, usize), ReplayError> {
    let rest = text.get(at..).unwrap_or_default();
    if !rest.starts_with('"') {
        return Err(error(line, text, at, "`\"`"));
    }
    match unquoted(rest) {
        Some((value, bytes)) => Ok((value, at + bytes)),
        None => Err(error(line, text, text.len(), "`\"`")),
    }
}

/// Parts the name of a stream from what came out of it, at the first `: [` outside of quotes.
fn stream_and_list(text: &str) -> Option<(&str, &str)> {
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some(list) = rest.strip_prefix(": [") {
            return Some((&text[..at], list));
        }
        at += match unquoted(rest) {
            Some((_, bytes)) => bytes,
            None => rest.chars().next().map_or(1, char::len_utf8),
        };
    }
    None
}

/// Values up to the closing bracket, from a byte behind the opening one.
fn values(line: u32, text: &str, mut at: usize) -> Result<Vec<String>, ReplayError> {
    let mut values = Vec::new();
    if text.get(at..) == Some("]") {
        return Ok(values);
    }
    loop {
        let rest = text.get(at..).unwrap_or_default();
        if rest.starts_with('"') {
            let (value, end) = string(line, text, at)?;
            values.push(value);
            at = end;
        } else {
            let len = rest.find([',', ']']).unwrap_or(rest.len());
            if len == 0 {
                return Err(error(line, text, at, "a value"));
            }
            values.push(rest[..len].to_owned());
            at += len;
        }
        let rest = text.get(at..).unwrap_or_default();
        if rest == "]" {
            return Ok(values);
        }
        match rest.strip_prefix(", ") {
            Some(_) => at += 2,
            None => return Err(error(line, text, at, "`, ` or `]` at the end")),
        }
    }
}
