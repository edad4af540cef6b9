//! Numbers on the command line, and what to say when they are none.

use std::fmt::Display;
use std::str::FromStr;

/// How many games may be played.
pub const GAMES_MAX: u64 = 100_000_000;
/// How many threads may be used.
pub const THREADS_MAX: usize = 256;
/// How deep ways are counted.
pub const DEPTH_MAX: u32 = 1_000;

/// A whole number in a range, both ends included.
fn between<T: FromStr + PartialOrd + Display>(text: &str, low: T, high: T) -> Result<T, String> {
    match text.parse::<T>() {
        Ok(number) if low <= number && number <= high => Ok(number),
        _ => Err(format!("give a whole number from {low} to {high}")),
    }
}

pub fn games(text: &str) -> Result<u64, String> {
    between(text, 1, GAMES_MAX)
}

/// How many games are to be found.
pub fn found(text: &str) -> Result<usize, String> {
    between(text, 1, 1_000)
}

/// For how long bots learn.
pub fn minutes(text: &str) -> Result<u64, String> {
    between(text, 1, 10_000)
}

/// How long a bot thinks about an answer.
pub fn seconds(text: &str) -> Result<u64, String> {
    between(text, 1, 3_600)
}

pub fn threads(text: &str) -> Result<usize, String> {
    between(text, 1, THREADS_MAX)
}

pub fn seed(text: &str) -> Result<u64, String> {
    between(text, 0, u64::MAX)
}

/// How deep ways are counted.
pub fn depth(text: &str) -> Result<u32, String> {
    between(text, 1, DEPTH_MAX)
}

/// How many sit at the table; which numbers a game is for is asked later.
pub fn seats(text: &str) -> Result<u32, String> {
    let number = text.parse::<u32>();
    number.map_err(|_| "say in a whole number how many play".to_owned())
}

/// Number of a decision in a recorded game.
pub fn decision(text: &str) -> Result<usize, String> {
    between(text, 0, 1_000_000)
}
