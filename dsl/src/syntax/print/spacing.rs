//! Blanks between the tokens of a line.

use crate::syntax::layout::is_word_byte;

/// A word, number, text in quotes or sign.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub text: &'t str,
    /// No blank stood before it.
    adjacent: bool,
}

const SIGNS_OF_TWO: [&str; 6] = ["+=", "-=", "!=", "<=", ">=", ".."];

/// Words after which a `-` belongs to the number behind it.
const BEFORE_VALUE: [&str; 26] = [
    "and",
    "or",
    "not",
    "in",
    "within",
    "implies",
    "otherwise",
    "if",
    "then",
    "else",
    "where",
    "by",
    "from",
    "to",
    "of",
    "need",
    "max",
    "least",
    "while",
    "repeat",
    "match",
    "as",
    "let",
    "can",
    "and",
    "on",
];

/// Words that follow a range without upper end.
const AFTER_RANGE: [&str; 14] = [
    "private", "hidden", "showing", "refill", "fill", "up", "where", "by", "else", "for", "and",
    "or", "ask", "then",
];

/// The tokens of a line without comment.
pub(super) fn tokens(line: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut adjacent = true;
    while let Some(first) = line[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            adjacent = false;
            continue;
        }
        let length = token_length(&line[at..], first);
        tokens.push(Token {
            text: &line[at..at + length],
            adjacent,
        });
        at += length;
        adjacent = true;
    }
    tokens
}

fn token_length(rest: &str, first: char) -> usize {
    if first == '"' {
        return rest[1..].find('"').map_or(rest.len(), |end| end + 2);
    }
    let word = rest.bytes().take_while(|byte| is_word_byte(*byte)).count();
    if word > 0 {
        return word;
    }
    match SIGNS_OF_TWO.iter().any(|sign| rest.starts_with(sign)) {
        true => 2,
        false => first.len_utf8(),
    }
}

/// The tokens as a line. In a header hyphens belong to names; a line that goes on may begin with a sign.
pub(super) fn join(tokens: &[Token], is_header: bool, goes_on: bool) -> String {
    let mut line = String::new();
    let mut unary = false;
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).map(|index| tokens[index]);
        if let Some(before) = before
            && !unary
            && has_blank(before, *token, is_header)
        {
            line.push(' ');
        }
        line.push_str(token.text);
        unary = token.text == "-" && before.map_or(!goes_on, |before| wants_value(before.text));
    }
    line
}

/// What stands before a sign that belongs to the value behind it.
fn wants_value(before: &str) -> bool {
    match before {
        ")" | "]" | "}" | "?" => false,
        _ if before.starts_with('"') => false,
        _ if is_word(before) => BEFORE_VALUE.contains(&before),
        _ => true,
    }
}

fn is_word(text: &str) -> bool {
    text.bytes().next().is_some_and(is_word_byte)
}

/// Whether a value ends with this token.
fn ends_value(text: &str) -> bool {
    !wants_value(text)
}

fn has_blank(before: Token, token: Token, is_header: bool) -> bool {
    match (before.text, token.text) {
        ("-", _) | (_, "-") if is_header => !token.adjacent,
        (_, ")" | "]" | "}" | "," | ";" | ":" | "?") => false,
        ("(" | "[" | "{" | ".", _) | (_, ".") => false,
        (before, "..") => !ends_value(before),
        ("..", next) => match is_word(next) {
            true => AFTER_RANGE.contains(&next),
            false => !matches!(next, "(" | "[" | "-"),
        },
        // Directly behind a name these are arguments and an index.
        (before, "(" | "[") if ends_value(before) || is_word(before) => !token.adjacent,
        _ => true,
    }
}
