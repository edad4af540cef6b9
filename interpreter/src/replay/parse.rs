//! Text to replays.

use super::write::MAGIC;
use super::{Line, LineKind, Replay};
use crate::playout::seat_name;
use std::fmt;

/// Seats a replay can have.
const SEATS_MAX: u32 = 26;

/// Something in the text that is no replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
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

/// Reads a replay.
///
/// # Errors
/// Everything in it that cannot be read, in order.
pub fn parse(text: &str) -> Result<Replay, Vec<ReplayError>> {
    let mut reader = Reader::default();
    let mut lines = text.lines().enumerate();
    if let Some((_, first)) = lines.next()
        && first.trim_end() != MAGIC
    {
        return Err(vec![error(
            1,
            first,
            0,
            &format!("`{MAGIC}` as the first line"),
        )]);
    }
    for (at, line) in lines {
        let line = line.trim_end();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let number = at as u32 + 1;
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
    let found: String = rest.chars().take(24).collect();
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
                Some((name, value)) => self
                    .replay
                    .options
                    .push((name.to_owned(), value.to_owned())),
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
            // The list begins behind the last `: [` that no value's quotes hold: names of streams have no colon and blank.
            let Some((stream, list)) = rest.split_once(": [") else {
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
            LineKind::End { scores }
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
    let Some(inner) = rest.strip_prefix('"') else {
        return Err(error(line, text, at, "`\"`"));
    };
    let mut value = String::new();
    let mut chars = inner.char_indices();
    while let Some((offset, c)) = chars.next() {
        match c {
            '"' => return Ok((value, at + 1 + offset + 1)),
            '\\' => match chars.next() {
                Some((_, 'n')) => value.push('\n'),
                Some((_, c)) => value.push(c),
                None => break,
            },
            c => value.push(c),
        }
    }
    Err(error(line, text, text.len(), "`\"`"))
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
