//! Words that nothing can be called, since where they stand they mean something already. Behind a dot every word is free.

/// They cannot begin a value: the grammar's `reserved`.
const OPERATORS: [&str; 14] = [
    "and",
    "or",
    "not",
    "implies",
    "in",
    "within",
    "otherwise",
    "where",
    "by",
    "if",
    "then",
    "else",
    "for",
    "ask",
];

/// Values that every game has.
const VALUES: [&str; 8] = [
    "me", "this", "original", "players", "starter", "none", "true", "false",
];

/// What every game has beside them: a row or a member can be called so where one is wanted.
const THINGS: [&str; 3] = ["player", "box", DONE];

/// The answer that declines.
const DONE: &str = "done";

/// What a game with a board has.
const OF_BOARDS: [&str; 3] = ["cell", "side", "port"];

/// Whether a row or a member could not be named by this word.
pub(crate) fn is_value(word: &str) -> bool {
    OPERATORS.contains(&word) || VALUES.contains(&word)
}

/// Whether a step, which may be an item of a menu, could not be named by this word.
pub(crate) fn is_answer(word: &str) -> bool {
    is_value(word) || word == DONE
}

/// Whether a declaration or what is chosen could not be named by this word.
pub(crate) fn is_reserved(word: &str) -> bool {
    is_value(word) || THINGS.contains(&word)
}

/// Whether a game with a board has something of this name by itself.
pub(crate) fn is_of_boards(word: &str) -> bool {
    OF_BOARDS.contains(&word)
}
