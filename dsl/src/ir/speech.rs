//! What people call things: names, sentences and amounts, in the language chosen. Decides nothing.

use super::{ActionId, CellId, ColumnId, TableId};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The words of a rule set.
#[derive(Clone, Debug, Default)]
pub struct Speech {
    /// `de`; none: as the rules are written.
    pub language: Option<String>,
    /// By [`TableId`].
    pub tables: Vec<TableWords>,
    /// By [`super::EnumId`].
    pub enums: Vec<EnumWords>,
    /// By [`super::CellId`]; none: it is not told of.
    pub cells: Vec<Option<Noun>>,
    /// By [`super::LabelId`].
    pub labels: Vec<String>,
    /// By [`super::OptionId`].
    pub options: Vec<String>,
    /// By [`super::ScoreId`].
    pub scores: Vec<Noun>,
    /// By [`super::EndingId`].
    pub endings: Vec<Option<String>>,
    /// Of players, positions and directions.
    pub kinds: BTreeMap<Kind, Noun>,
    /// What places of a board without a table are called: its holes are `row` and `column`, as numbers, letters or counted from below.
    pub place: Option<Phrase>,
    pub deeds: Vec<Deed>,
    /// Whose question a choice is, by the place of its binder.
    pub asked: BTreeMap<Span, DeedId>,
    /// Choices in the midst of a deed that others make than who does it, by the places of their binders.
    pub asked_others: BTreeSet<Span>,
    /// What an item of a menu, a `may` begins, by its place.
    pub begun: BTreeMap<Span, DeedId>,
    /// Places of what may be done again and again.
    pub repeated: BTreeSet<Span>,
    /// What a number stands for that is chosen, by the place of its binder.
    pub numbered: BTreeMap<Span, Numbered>,
    /// What is asked where a choice has its own words in this language, by the place of its binder.
    pub questions: BTreeMap<Span, Phrase>,
    /// Columns that the score reads.
    pub worth: BTreeSet<(TableId, ColumnId)>,
    /// How the product says things, by [`Saying`]; empty: in its own words.
    pub sayings: BTreeMap<&'static str, String>,
}

/// Index into [`Speech::deeds`]. The first ones are the actions, by their ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeedId(pub u32);

impl DeedId {
    pub fn of(action: ActionId) -> DeedId {
        DeedId(action.0)
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Kinds of things that no text declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Player,
    Place,
    Direction,
    Action,
}

impl Kind {
    pub const ALL: [(Kind, &'static str); 4] = [
        (Kind::Player, "player"),
        (Kind::Place, "place"),
        (Kind::Direction, "direction"),
        (Kind::Action, "action"),
    ];
}

/// What one of a kind is called, and several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Noun {
    pub one: String,
    pub many: String,
    /// What is counted: `3 wagons`; otherwise what has a measure: `length 3`.
    pub counted: bool,
}

impl Noun {
    /// With what it is of behind it: `men (24)`.
    pub fn with(&self, of: &str) -> Noun {
        let behind = |name: &String| match of {
            "" => name.clone(),
            of => format!("{name} ({of})"),
        };
        Noun {
            one: behind(&self.one),
            many: behind(&self.many),
            counted: self.counted,
        }
    }

    /// Over several values.
    pub fn heading(&self) -> &str {
        match self.counted {
            true => &self.many,
            false => &self.one,
        }
    }

    /// `3 wagons`, `length 3`
    pub fn amount(&self, number: i64) -> String {
        match (self.counted, number) {
            (true, 1 | -1) => format!("{number} {}", self.one),
            (true, _) => format!("{number} {}", self.many),
            (false, _) => format!("{} {number}", self.one),
        }
    }

    pub fn of(&self, number: i64) -> &str {
        match number {
            1 | -1 => &self.one,
            _ => &self.many,
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct TableWords {
    pub noun: Noun,
    /// By [`ColumnId`].
    pub columns: Vec<Noun>,
    /// What each row is called. No two are called alike.
    pub rows: Vec<String>,
    /// What several pieces of a row are called, by what one is; of others the same.
    pub several: BTreeMap<String, String>,
    /// Columns that the names of the rows hold.
    pub named: BTreeSet<ColumnId>,
    /// Columns in which rows differ.
    pub varied: BTreeSet<ColumnId>,
    /// What one must know of each row, where a text says it.
    pub details: Option<Vec<String>>,
}

#[derive(Clone, Debug, Default)]
pub struct EnumWords {
    pub noun: Noun,
    pub members: Vec<String>,
    /// What several of a member are called, by what one is; of others the same.
    pub several: BTreeMap<String, String>,
}

/// Something a player does: an action, an item of a menu, what he may or may not do.
#[derive(Clone, Debug, Default)]
pub struct Deed {
    /// Its name in the rules; empty where it has none.
    pub id: String,
    /// What it is called where it can be picked.
    pub name: String,
    /// With what is chosen, to ask for it; only where the rules say it and in their language.
    pub asks: Option<Phrase>,
    /// How it is told of somebody who does it.
    pub tells: Option<Phrase>,
    /// What is said where it is declined.
    pub declined: Option<String>,
    /// Columns that it reads.
    pub reads: BTreeSet<(TableId, ColumnId)>,
    /// Cells that it reads.
    pub looks: BTreeSet<CellId>,
    /// Nothing is told of it.
    pub silent: bool,
    /// In which it stands.
    pub within: Option<DeedId>,
}

/// A text with holes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phrase {
    pub parts: Vec<PhrasePart>,
}

/// The text before a word that a noun must follow, `buy ` of `buy a ` or `buy your `: there no other article can stand.
pub fn before_noun(text: &str) -> Option<&str> {
    const WORDS: [&str; 12] = [
        "a", "an", "the", "this", "that", "each", "my", "your", "his", "her", "its", "their",
    ];
    let words = text.trim_end();
    let last = words.rsplit(char::is_whitespace).next()?;
    let leads =
        words.len() < text.len() && WORDS.iter().any(|word| last.eq_ignore_ascii_case(word));
    words.strip_suffix(last).filter(|_| leads)
}

/// What a chosen number stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbered {
    /// How a tile is turned, of so many ways in which it lies.
    Turn(u32),
    /// A place of a row.
    Place(CellId),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PhrasePart {
    Text(String),
    /// What was chosen under this name, or a column of it; a number with its unit.
    Hole {
        name: String,
        columns: Vec<(TableId, ColumnId)>,
        unit: Option<Noun>,
        /// What stands there as long as it is not known: `a track`, `cards`.
        some: String,
    },
}

impl Phrase {
    /// The text with what is known of its holes: `claim a track for cards`, `claim Dallas–Houston for cards`.
    pub fn with(&self, known: impl Fn(&PhrasePart) -> Option<String>) -> String {
        let mut text = String::new();
        let mut parts = self.parts.iter().peekable();
        while let Some(part) = parts.next() {
            match part {
                PhrasePart::Text(part) => {
                    let joins = !text.is_empty() && !part.contains(char::is_alphabetic);
                    // `{a}–{b}`: the first one says what is meant.
                    match parts.next_if(|next| joins && known(next).is_none()) {
                        Some(_) => {}
                        None => text.push_str(part),
                    }
                }
                PhrasePart::Hole { some, .. } => {
                    text.push_str(&known(part).unwrap_or_else(|| some.clone()));
                }
            }
        }
        text
    }

    pub fn holes(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            PhrasePart::Text(_) => None,
            PhrasePart::Hole { name, .. } => Some(name.as_str()),
        })
    }
}

macro_rules! sayings {
    ($($name:ident = $text:literal),* $(,)?) => {
        /// What the product itself says of a game: a text with holes, which a language file may say in its words.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Saying { $($name),* }

        impl Saying {
            pub const ALL: &'static [Saying] = &[$(Saying::$name),*];

            pub fn text(self) -> &'static str {
                match self { $(Saying::$name => $text),* }
            }
        }
    };
}

sayings! {
    WhatDoYouDo = "what do you do?",
    WhatComesNext = "what comes next?",
    WhereTo = "where to?",
    DoIt = "do it?",
    DeedAsked = "{deed}?",
    Which = "which {thing}?",
    WhichOnes = "which {things}?",
    HowMany = "how many?",
    HowManyOf = "how many {things}?",
    YesOrNo = "yes or no?",
    InDeed = "{deed}: {question}",
    Mend = "{what}: what do you do about it?",
    Yes = "yes",
    No = "no",
    Decline = "do not {deed}",
    Enough = "that is all",
    StopHere = "stop here",
    GoOn = "go on",
    And = "and",
    Or = "or",
    To = "to {place}",
    ToBy = "to {place} along {link}",
    Nothing = "nothing",
    NoThing = "none",
    NoThingCalled = "no {thing}",
    NotSeen = "?",
    NotOpen = "unseen",
    Empty = "empty",
    Place = "row {row}, column {column}",
    PartOf = "part {part} of {place}",
    OnlyAnswer = "{sentence} (no choice)",
    HasChosen = "{who} has chosen",
    Follows = "What follows",
    Does = "{who}: {deed}",
    DoesNot = "{who} does not {deed}",
    Shuffled = "{what} is shuffled",
    ByChance = "chance decides",
    Rolled = "by chance {what}",
    Changes = "{what} {old} → {new}",
    More = "+{number}",
    Fewer = "−{number}",
    Unseen = "{number} unseen",
    OnTop = "on top {card}",
    OnTopOf = "{number}, on top {card}",
    Not = "not {what}",
    Is = "{what} is {value}",
    IsNot = "{what} is not {value}",
    IsLess = "{what} is less than {value}",
    IsMore = "{what} is more than {value}",
    IsAtLeast = "{what} is at least {value}",
    IsAtMost = "{what} is at most {value}",
    IsAmong = "{what} is among {value}",
    IsNotAmong = "{what} is not among {value}",
    IsThere = "there is {what}",
    NumberOf = "the number of {what}",
    You = "you",
    OfOwner = "{owner}: {what}",
    Owned = "{what} of {owner}",
    Points = "point|points",
    Wins = "{who} wins",
    Share = "{who} share the victory",
    Draw = "a draw",
    NobodyWins = "nobody wins",
    Ends = "the game ends",
    Loses = "{who} loses",
    Lose = "{who} lose",
    Since = "{what}, since {why}",
    Called = "{what} ({name})",
    North = "north",
    NorthEast = "north-east",
    East = "east",
    SouthEast = "south-east",
    South = "south",
    SouthWest = "south-west",
    West = "west",
    NorthWest = "north-west",
    AtRange = "{what} would be {found}: at least {needed}",
    OverRange = "{what} would be {found}: at most {needed}",
    TooFew = "{what} would hold {found}: at least {needed}",
    TooMany = "{what} would hold {found}: at most {needed}",
    OutOfRange = "{what} would leave its range",
    NumberBetween = "a number from {low} to {high} is wanted",
    NumberFrom = "a number from {low} up is wanted",
    NumberUpTo = "a number up to {high} is wanted",
    Upright = "upright",
    UpsideDown = "upside down",
    TurnedBy = "turned by {degrees}°",
    NoSuchPlace = "{what} has no such place or value",
    NotEnough = "{what} does not hold enough: {needed} needed, {found} there",
    NotThere = "it is not in {what}",
    CannotChoose = "there is no {thing} to choose",
    NoneCanBeDone = "none of the alternatives can be done",
    EndsBefore = "the game would end before it is done",
    Counts = "{what} (needed {needed}, found {found})",
    AfterThis = "after this, at the end of the {step}: {what}",
    Players = "Players: {seats}.",
    AllOpen = "Everything is open.",
    SeenBy = "This is what {who} saw.",
    SeenByNobody = "This is what somebody saw who stood by.",
    GameBegins = "The game begins.",
    CannotGoOn = "The rules cannot go on: {why}.",
    Board = "Board",
    Steps = "Steps",
    Step = "Step",
    StepOf = "{number} of {all}",
    ToBeginning = "To the beginning",
    OneStepBack = "One step back",
    OneStepOn = "One step on",
    ToEnd = "To the end",
    Play = "Play",
    Pause = "Pause",
    SecondsAStep = "Seconds a step",
    Scores = "Scores",
    Total = "Total",
    StandInWords = "How it stands, in words",
    WhatHappened = "What happened",
    Rules = "Rules",
    RuleNamed = "Rule: {name}",
    Sheet = "{title}: row {row} of {rows}, column {column} of {columns} ({sheets} sheets, which overlap by {overlap} mm)",
    NeedsScripts = "This page shows the game step by step with a script that lies in it; the browser has scripts switched off.",
}

impl Speech {
    /// How the product says something, before its holes are filled.
    pub fn saying(&self, saying: Saying) -> &str {
        let own = self.sayings.get(saying.text());
        own.map_or(saying.text(), String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::before_noun;

    #[test]
    fn a_noun_follows_an_article() {
        assert_eq!(before_noun("buy a "), Some("buy "));
        assert_eq!(before_noun("put your "), Some("put "));
        assert_eq!(before_noun("The "), Some(""));
        for text in ["buy ", "a", "", "via\u{a0}", "pla\u{a0}"] {
            assert_eq!(before_noun(text), None, "{text}");
        }
    }
}
