//! Which lines go on with the line above.

use super::is_word_byte;

/// The line ends with a comma or an infix operator, and the next one goes on with it.
pub(super) fn ends_open(content: &str) -> bool {
    let word_start = content.len()
        - content
            .bytes()
            .rev()
            .take_while(|byte| is_word_byte(*byte))
            .count();
    let word = &content[word_start..];
    if word.is_empty() {
        return content.ends_with([',', '+', '-', '*', '/', '%', '=', '<', '>']);
    }
    let before = content[..word_start].trim_end();
    matches!(
        word,
        "and" | "or" | "not" | "implies" | "in" | "within" | "otherwise" | "then" | "where" | "by"
    ) && !before.ends_with(['.', '|', ','])
        && !before.is_empty()
}

/// What a line holds that deeper lines may go on with by words that begin statements elsewhere.
#[derive(Clone, Copy)]
pub(super) struct LineWords {
    /// A `best walk`, `best walks`, `ends of walk` or `distance`: `need`, `max`, `at least`.
    holds_walk: bool,
    /// `always`, `check` or `when`: `for`.
    holds_rule: bool,
}

impl LineWords {
    pub(super) fn of(line: &str) -> LineWords {
        let line = line.strip_prefix("replace ").unwrap_or(line);
        LineWords {
            holds_walk: ["best walk ", "best walks ", "ends of walk ", "distance on "]
                .iter()
                .any(|words| line.contains(words)),
            holds_rule: ["always ", "check ", "when ", "once "]
                .iter()
                .any(|word| line.starts_with(word)),
        }
    }
}

/// A deeper line that begins so goes on with the line above it. Names of columns and cells are not meant:
/// `to: list of area`, `from, to: place`, `by = 3`.
pub(super) fn begins_as_continuation(line: &str, above: LineWords) -> bool {
    let word_length = line.bytes().take_while(|byte| is_word_byte(*byte)).count();
    let (word, rest) = line.split_at(word_length);
    if word.is_empty() {
        let mut chars = line.chars();
        let first = chars.next().unwrap_or(' ');
        let second = chars.next().unwrap_or(' ');
        return match first {
            '+' | '*' | '/' | '%' | '<' | '>' | '=' => true,
            '-' => second == ' ',
            '!' => second == '=',
            '.' => second == '.',
            _ => false,
        };
    }
    let known = match word {
        "for" => above.holds_rule,
        "where" | "by" | "from" | "up" | "to" | "and" | "or" | "ask" | "implies" | "in"
        | "within" | "otherwise" | "then" => true,
        "else" => !rest.trim().is_empty() && !rest.trim_start().starts_with('#'),
        "not" => rest
            .trim_start()
            .strip_prefix("in")
            .is_some_and(|after| after.starts_with(' ')),
        "need" | "max" | "at" => above.holds_walk,
        _ => false,
    };
    known && !is_name_here(rest)
}

/// What follows shows that the word before it is a name: `to: …`, `by, at: …`, `from.x`, `up = 1`, `to[1]`, `or | x`.
fn is_name_here(rest: &str) -> bool {
    if rest.starts_with(['.', '[', '(']) && !rest.starts_with("..") {
        return !rest.starts_with('(');
    }
    rest.trim_start().starts_with([':', ',', '|', '=', '?'])
        || rest.trim_start().starts_with("+=")
        || rest.trim_start().starts_with("-=")
}
