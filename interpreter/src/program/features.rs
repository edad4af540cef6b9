//! What can be counted of a state for a seat, found from the rules alone: what bots learn to value.

use super::{ProcId, Shape};
use std::sync::Arc;

/// A number that a seat can know of a state.
#[derive(Clone, Debug)]
pub struct Feature {
    /// In the words of the rules: `hand.size`, `route.owner: length`, `money of others`. No two have the same.
    pub name: String,
    pub whose: Whose,
    /// One place or kind of several, all of which are counted together too.
    pub detail: bool,
    pub what: Counted,
}

/// Of whom it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Of the seat that looks; what belongs to no seat too.
    Own,
    /// The mean of all other seats.
    Others,
}

/// What is counted. Words are those of the first seat; `step` further lie those of the next.
#[derive(Clone, Debug)]
pub enum Counted {
    /// Numbers added up; none is 0.
    Numbers {
        words: Vec<u32>,
        step: u32,
    },
    /// How many of these hold this value.
    Value {
        words: Vec<u32>,
        step: u32,
        value: i32,
    },
    /// How many of these hold one.
    There {
        words: Vec<u32>,
        step: u32,
    },
    /// How much lies in containers that begin at these words.
    Size {
        words: Vec<u32>,
        step: u32,
        shape: Shape,
    },
    /// In how many sets that begin at these words an element lies.
    Member {
        words: Vec<u32>,
        step: u32,
        bit: u32,
    },
    /// A column of all that lies in these containers, added up: `column` is its first constant.
    Column {
        words: Vec<u32>,
        step: u32,
        shape: Shape,
        column: u32,
    },
    /// How many of these words name the seat, or a column of the rows that they belong to.
    Held {
        words: Vec<u32>,
        column: Option<u32>,
    },
    /// The same where these other words hold this value.
    HeldWith {
        words: Vec<u32>,
        others: Vec<u32>,
        value: i32,
    },
    /// What of rows that lie in these containers and name two nodes each is joined, or still to be joined.
    Ends {
        words: Vec<u32>,
        step: u32,
        shape: Shape,
        ends: Arc<Ends>,
        what: EndsCounted,
    },
    /// 1 where the word names the seat, -1 where it names another.
    Holder(u32),
    /// A formula of a player.
    Formula(ProcId),
    /// A formula of nobody.
    Global(ProcId),
    /// A line of the score.
    ScoreLine(u32),
    Score,
    /// The seat is asked; it begins; the end is announced.
    Asked,
    Starter,
    Finishing,
}

/// Rows that name two nodes, and the network that may join them.
#[derive(Debug)]
pub struct Ends {
    /// Of each player or of all: links are added to it in play.
    pub network: u32,
    /// First constants of the two columns.
    pub columns: (u32, u32),
    /// For each link the word that names who has it; empty where none does. What nobody has can still be had.
    pub holders: Vec<u32>,
}

/// What is counted of [`Ends`].
#[derive(Clone, Copy, Debug)]
pub enum EndsCounted {
    /// How many links are missing where they can be had, the fewest or those that come to least in a column of theirs.
    Missing(Option<u32>),
    /// How many are joined, or what a column of theirs comes to.
    Joined(Option<u32>),
    /// The same of those that can be joined no more.
    Cut(Option<u32>),
}
