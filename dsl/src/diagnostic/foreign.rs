//! Words of other languages and of the table, and how the same is said here.

/// Words of other languages and of the table, and what is written here.
pub(crate) const OTHER_WORDS: [(&[&str], &str, &str); 12] = [
    (
        &["null", "nil", "None", "nothing", "undefined", "nobody"],
        "none",
        "nothing is written `none`",
    ),
    (
        &["True", "yes", "TRUE"],
        "true",
        "what holds is written `true`",
    ),
    (
        &["False", "no", "FALSE"],
        "false",
        "what does not hold is written `false`",
    ),
    (
        &[
            "self",
            "I",
            "i",
            "you",
            "current_player",
            "active_player",
            "currentPlayer",
            "activePlayer",
            "current",
        ],
        "me",
        "who acts is `me`",
    ),
    (&["self"], "this", "what a formula belongs to is `this`"),
    (
        &[
            "opponent",
            "enemy",
            "other_player",
            "opp",
            "them",
            "next_player",
            "nextPlayer",
        ],
        "me.left",
        "who sits next is `me.left`; all others are `p in player where p != me`",
    ),
    (
        &["num_players", "player_count", "numPlayers", "nplayers"],
        "players",
        "how many play is `players`",
    ),
    (
        &["first_player", "start_player", "startPlayer"],
        "starter",
        "who began is `starter`",
    ),
    (
        &["bank", "discard", "trash", "supply"],
        "box",
        "what has left the game lies in the `box`; a pile of its own is declared: `discard: deck of card`",
    ),
    (
        &["everyone", "all_players", "allPlayers", "everybody"],
        "player",
        "all players are `player`",
    ),
    (
        &["int", "integer", "number", "Number"],
        "0..",
        "a number is declared by its range: `0..`",
    ),
    (
        &["turn_number", "round_number", "turnNumber", "roundNumber"],
        "round.number",
        "how many passes of a loop `round` have begun is `round.number`",
    ),
];

/// Functions of other languages and of spreadsheets.
const OTHER_FUNCTIONS: [(&[&str], &str); 22] = [
    (
        &["distance", "dist", "shortest_path", "steps_to"],
        "how many steps it is from a to b: `distance on N from a to b`",
    ),
    (
        &["len", "length", "size", "num", "numel", "count"],
        "how many things are in it: `hand.size`; how many fulfil a condition: `count(c in hand where …)`",
    ),
    (
        &["any", "exists", "or"],
        "whether one does: `some(x in S where …)`",
    ),
    (
        &["all", "forall", "and"],
        "whether all do: `every(x in S: …)`",
    ),
    (
        &["lowest", "smallest", "least", "argmin", "minby", "min_by"],
        "the one with the least: `first(x in S by x.cost)`; the least number itself: `min(x in S: x.cost)`",
    ),
    (
        &[
            "highest", "largest", "greatest", "most", "argmax", "maxby", "max_by", "biggest",
        ],
        "the one with the most: `first(x in S by -x.cost)`; the greatest number itself: `max(x in S: x.cost)`",
    ),
    (
        &["second", "third", "last", "nth"],
        "one of a sorted list: `list(x in S by x.cost)[2]`; the last: `first(x in S by -x.cost)`",
    ),
    (
        &["filter", "select", "find_all", "findall"],
        "those that fulfil a condition: `set(x in S where …)`",
    ),
    (
        &["find", "lookup", "vlookup", "get"],
        "the first that fulfils a condition: `first(x in S where …)`; a row by its key: `card[passenger]`",
    ),
    (
        &["sort", "sorted", "order", "sortby", "sort_by"],
        "in an order: `list(x in S by x.cost)`",
    ),
    (
        &["map", "foreach", "for_each"],
        "a value of each: `list(x in S: x.cost)`",
    ),
    (
        &["sumif", "total", "add", "sum"],
        "added up: `sum(x in S where …: x.cost)`",
    ),
    (
        &["countif", "number_of", "how_many"],
        "how many: `count(x in S where …)`",
    ),
    (
        &["average", "mean", "avg"],
        "there is no average of whole numbers but `sum(x in S: x.cost) / count(x in S)`, rounded down",
    ),
    (
        &[
            "mod", "modulo", "rem", "floor", "div", "round", "ceil", "sqrt", "pow",
        ],
        "numbers are whole: `/` rounds down, `%` is what is left over",
    ),
    (
        &["if", "ifs", "iif", "choose"],
        "one of two values: `if coins > 10 then 1 else 0`; one of many: a `table` with an index",
    ),
    (
        &[
            "win",
            "lose",
            "draw_game",
            "victory",
            "end",
            "end_game",
            "gameover",
            "game_over",
            "finish",
        ],
        "the game ends with `me wins \"four in a row\"`, `me loses \"no move\"` or `draw \"the board is full\"`; with `finish now` where the score tells who has won",
    ),
    (
        &["end_turn", "next_turn", "endturn", "nextturn", "next"],
        "a turn ends by itself behind its last line",
    ),
    (
        &["neighbours", "neighbors", "adjacent"],
        "the next place in a direction: `c.next(n)`; one of those around: `some(d in orthogonal: c.next(d))`",
    ),
    (&["abs"], "the distance of two numbers: `max(a - b, b - a)`"),
    (
        &["rand", "randint", "roll", "dice", "d6", "random_int"],
        "a throw of a die: `random(1..6)` as the start of a cell, or an action that draws from a deck",
    ),
    (
        &["print", "log", "message", "print_message", "alert", "echo"],
        "what happens is logged by itself; a question is `ask \"…\"`, a refusal `else \"…\"`",
    ),
];

/// Numbers in words.
pub(crate) const NUMBERS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
];

/// What is done to containers in other languages.
pub(crate) const CHANGES: [&str; 14] = [
    "add", "remove", "push", "pop", "append", "insert", "clear", "delete", "draw", "discard",
    "shuffle", "put", "take", "sort",
];

/// Whether a function of another language is meant, and how it is said here.
pub(crate) fn other_function(name: &str) -> Option<&'static str> {
    let lower = name.to_lowercase();
    let mut known = OTHER_FUNCTIONS.iter();
    known
        .find(|(names, _)| names.contains(&lower.as_str()))
        .map(|(_, says)| *says)
}
