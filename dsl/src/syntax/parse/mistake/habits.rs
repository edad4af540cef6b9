//! Frequent mistakes: spellings of other languages and of earlier drafts.

use super::Failure;
use crate::diagnostic::{Diagnostic, Way};
use crate::source::Span;
use crate::syntax::layout::is_rule_id;
use crate::syntax::parse::declaration::first_word;
use crate::syntax::parse::{Builder, Rule};

/// A sign of another language, what to write here (empty: only the words help), and why.
struct Sign {
    wrong: &'static str,
    right: &'static str,
    says: &'static str,
}

const fn sign(wrong: &'static str, right: &'static str, says: &'static str) -> Sign {
    Sign { wrong, right, says }
}

/// Longer ones first.
const SIGNS: [Sign; 23] = [
    sign("===", "=", "values are compared with `=`"),
    sign("!==", "!=", "values are compared with `!=`"),
    sign("==", "=", "values are compared with `=`"),
    sign("&&", "and", "both of two conditions are joined with `and`"),
    sign("||", "or", "one of two conditions is enough: `or`"),
    sign("<>", "!=", "different values are `!=`"),
    sign(
        "=>",
        "",
        "a body stands after `:`; an implication is `implies`",
    ),
    sign(
        "->",
        "",
        "pieces are moved by `move hand to discard`; a body stands after `:`; an implication is `implies`",
    ),
    sign(":=", "=", "a cell is changed with `=`"),
    sign("++", " += 1", "one more is `+= 1`"),
    sign("--", " -= 1", "one less is `-= 1`"),
    sign(
        "*=",
        "",
        "cells are changed with `=`, `+=` and `-=`: write `x = x * 2`",
    ),
    sign(
        "/=",
        "",
        "cells are changed with `=`, `+=` and `-=`: write `x = x / 2`",
    ),
    sign("?", "", "one of two values is `if a then b else c`"),
    sign("//", "#", "a comment begins with `#`"),
    sign(
        "/*",
        "#",
        "a comment begins with `#` and goes to the end of the line",
    ),
    sign("!", "not ", "a condition is turned round with `not`"),
    sign("≤", "<=", "at most is `<=`"),
    sign("≥", ">=", "at least is `>=`"),
    sign("≠", "!=", "different values are `!=`"),
    sign("×", "*", "a product is `*`"),
    sign("–", "-", "this is a dash, not a minus"),
    sign("−", "-", "this is a typographic minus"),
];

/// A first word of a line or declaration that is written otherwise here.
struct Word {
    wrong: &'static str,
    right: &'static str,
    says: &'static str,
}

const fn word(wrong: &'static str, right: &'static str, says: &'static str) -> Word {
    Word { wrong, right, says }
}

const DECLARATIONS: [Word; 23] = [
    word(
        "int",
        "",
        "what changes is a cell, `coins: 0.. = 3`; what stays is a constant, `coins = 3`",
    ),
    word(
        "number",
        "",
        "what changes is a cell, `coins: 0.. = 3`; what stays is a constant, `coins = 3`",
    ),
    word("bool", "", "what changes is a cell, `over: bool`"),
    word(
        "string",
        "",
        "there are no texts that change: words are members of an enum, `enum colour = red, blue`",
    ),
    word(
        "class",
        "table",
        "things with columns are a `table`, its rows stand below `rows`",
    ),
    word(
        "struct",
        "table",
        "things with columns are a `table`, its rows stand below `rows`",
    ),
    word(
        "keep",
        "always",
        "what always holds is declared with `always`",
    ),
    word(
        "invariant",
        "check",
        "an invariant is declared with `check`",
    ),
    word(
        "rule",
        "always",
        "what always holds is declared with `always`",
    ),
    word("const", "", "a constant is written `name = value`"),
    word(
        "let",
        "",
        "a constant is written `name = value`; `let` stands inside of bodies",
    ),
    word("var", "", "what changes is a cell: `name: type = start`"),
    word("cell", "", "a cell is written `name: type = start`"),
    word(
        "def",
        "",
        "a formula is written `name(x: type) = value`, an action `action name(x: type)`",
    ),
    word(
        "fn",
        "",
        "a formula is written `name(x: type) = value`, an action `action name(x: type)`",
    ),
    word(
        "function",
        "",
        "a formula is written `name(x: type) = value`",
    ),
    word(
        "formula",
        "",
        "a formula is written `name = value`, without a word before it",
    ),
    word(
        "trigger",
        "when",
        "what happens by itself is declared with `when`",
    ),
    word(
        "on",
        "when",
        "what happens by itself is declared with `when`",
    ),
    word("game", "", "the game is described in game.toml"),
    word("players", "", "the number of players stands in game.toml"),
    word("include", "", "the rules files are listed in game.toml"),
    word("import", "", "the rules files are listed in game.toml"),
];

const STATEMENTS: [Word; 18] = [
    word("elif", "else if", "another condition is `else if`"),
    word("elseif", "else if", "another condition is `else if`"),
    word("elsif", "else if", "another condition is `else if`"),
    word("by", "match", "cases are distinguished with `match`"),
    word("switch", "match", "cases are distinguished with `match`"),
    word(
        "case",
        "",
        "a case of `match` is only its values: `a, b: …`",
    ),
    word("default", "else", "the rest of the cases is `else`"),
    word(
        "while",
        "repeat while",
        "a loop with a condition is `repeat while`",
    ),
    word(
        "until",
        "repeat while not",
        "a loop with a condition is `repeat while`",
    ),
    word(
        "for",
        "each",
        "every element is visited with `each x in …`, every player with `each player`; so often is `repeat 8`",
    ),
    word("foreach", "each", "every element is visited with `each`"),
    word("var", "let", "a value gets a name with `let`"),
    word("const", "let", "a value gets a name with `let`"),
    word(
        "return",
        "",
        "actions yield nothing: what is done otherwise stands below `else:`; a value is written as a formula",
    ),
    word("break", "stop", "a loop is left with `stop`"),
    word(
        "continue",
        "",
        "what is left out for some stands below `if …:`; a loop is left with `stop`",
    ),
    word("pass", "skip", "nothing to do is `skip`"),
    word("require", "need", "a condition that must hold is `need`"),
];

/// What stands here for a statement of another language that reads like the name of an action: `return`, `break`.
pub(crate) fn foreign_statement(name: &str) -> Option<&'static str> {
    let known = STATEMENTS.iter().find(|word| word.wrong == name)?;
    Some(known.says)
}

/// The diagnostic of a mistake that is known by its looks.
pub(super) fn recognise(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    super::constructs::recognise(builder, failure)
        .or_else(|| super::spoken::recognise(builder, failure))
        .or_else(|| wrong_word(builder, failure))
        .or_else(|| wrong_sign(builder, failure))
        .or_else(|| semicolon(builder, failure))
        .or_else(|| quotes(builder, failure))
        .or_else(|| numbers(builder, failure))
        .or_else(|| letters(builder, failure))
        .or_else(|| blank_before_bracket(builder, failure))
        .or_else(|| wrong_clause(builder, failure))
        .or_else(|| then_body(builder, failure))
        .or_else(|| repeat_until(builder, failure))
        .or_else(|| path_without_quotes(builder, failure))
        .or_else(|| lone_else(builder, failure))
        .or_else(|| missing_of(builder, failure))
        .or_else(|| answer_among_conditions(builder, failure))
        .or_else(|| super::misspelt::recognise(builder, failure))
        .or_else(|| super::constructs::sentence(builder, failure))
}

/// `expect x = 7 and not A: use(…)`
fn answer_among_conditions(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let before = failure.before().trim_end_matches(' ');
    let is_answer = failure.rule == Rule::scenario
        && first_word(failure.whole_line()) == "expect"
        && failure.rest().starts_with(':');
    let seat = before.rsplit(' ').next().filter(|_| is_answer)?;
    let is_refused = before
        .trim_end_matches(seat)
        .trim_end_matches(' ')
        .ends_with("not");
    let not = if is_refused { "not " } else { "" };
    let at = failure.line + before.len() - seat.len();
    let found = Diagnostic::error(
        "syntax",
        span(builder, at, seat.len()),
        "an answer is expected on a line of its own",
    );
    Some(found.help(format!(
        "write `expect {not}{seat}{}` below this line",
        failure.rest().trim_end_matches(' ')
    )))
}

pub(super) fn span(builder: &Builder, start: usize, length: usize) -> Span {
    builder.layout.span(builder.file, start..start + length)
}

/// A word at the beginning of the declaration or of the line.
fn wrong_word(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    if failure.is_first_line() && failure.rule == Rule::cell_or_formula {
        let text = &failure.text[failure.base..];
        let known = DECLARATIONS
            .iter()
            .find(|word| word.wrong == first_word(text))?;
        // `on = 3` and `game: text` are names.
        text[known.wrong.len()..].starts_with(' ').then_some(())?;
        return Some(old_word(builder, failure.base, known));
    }
    // The failing statement stands behind the last `;` or `:` before the failure, or begins the line.
    let begins = failure.before().rfind([';', ':']).map_or(0, |at| at + 1);
    [begins, 0].into_iter().find_map(|begin| {
        let rest = &failure.whole_line()[begin..];
        let text = rest.trim_start_matches(' ');
        let start = failure.line + begin + (rest.len() - text.len());
        let known = STATEMENTS
            .iter()
            .find(|word| word.wrong == first_word(text))?;
        // `while won …`: as a name it would be followed by a sign.
        let rest = &failure.text[start + known.wrong.len()..];
        let heads = rest.starts_with(' ')
            && rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let near = heads || failure.at <= start + known.wrong.len() + 1;
        (near && (begin > 0 || !failure.is_first_line())).then(|| old_word(builder, start, known))
    })
}

fn old_word(builder: &Builder, at: usize, known: &Word) -> Diagnostic {
    let span = span(builder, at, known.wrong.len());
    let message = format!("`{}` is no word of the language here", known.wrong);
    let diagnostic = Diagnostic::error("foreign-word", span, message).help(known.says);
    match known.right {
        "" => diagnostic,
        right => diagnostic.fix(format!("write `{right}`"), span, right),
    }
}

/// A sign of another language that begins at the failure or one character before it (`=|=`).
fn wrong_sign(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let starts = [failure.at.checked_sub(1), Some(failure.at)];
    starts.into_iter().flatten().find_map(|start| {
        let text = failure.text.get(start..)?;
        let known = SIGNS.iter().find(|sign| text.starts_with(sign.wrong))?;
        // The sign reaches over the failure; `!=` is right.
        let reaches = start + known.wrong.len() > failure.at;
        let is_right = known.wrong == "!" && text.starts_with("!=");
        (reaches && !is_right).then(|| {
            let span = span(builder, start, known.wrong.len());
            let message = format!("`{}` is no sign of the language", known.wrong);
            let diagnostic = Diagnostic::error("foreign-sign", span, message).help(known.says);
            match known.right {
                "" => diagnostic,
                right => diagnostic.fix(format!("write `{}`", right.trim()), span, right),
            }
        })
    })
}

/// `;` at the end of a line.
fn semicolon(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let before = failure.before().trim_end_matches(' ');
    let (at, ends) = match before.strip_suffix(';') {
        Some(before) => (failure.line + before.len(), failure.rest().is_empty()),
        None => (failure.at, failure.rest().trim_end() == ";"),
    };
    ends.then(|| {
        let span = span(builder, at, 1);
        Diagnostic::error("semicolon", span, "a `;` ends this line")
            .help("`;` stands only between two statements on one line")
            .fix("remove it", span, "")
    })
}

fn quotes(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let first = failure.rest().chars().next()?;
    if !matches!(first, '\'' | '`' | '“' | '”' | '„' | '‘' | '’' | '«' | '»') {
        return None;
    }
    let span = span(builder, failure.at, first.len_utf8());
    let message = format!("`{first}` is no quotation mark of the language");
    Some(
        Diagnostic::error("foreign-sign", span, message).help("a text stands in `\"`: `\"taken\"`"),
    )
}

/// `1.5` and `3rd`.
fn numbers(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    if !failure.rest().starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let length = failure.token_length();
    let before = failure.before();
    let whole = before
        .strip_suffix('.')
        .filter(|before| before.ends_with(|c: char| c.is_ascii_digit()));
    if let Some(whole) = whole {
        let digits = whole.len() - whole.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let span = span(builder, failure.at - digits - 1, digits + 1 + length);
        return Some(
            Diagnostic::error("no-fractions", span, "numbers are whole")
                .help("count in smaller units: 15 tenths instead of 1.5"),
        );
    }
    let token = &failure.rest()[..length];
    if token.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let span = span(builder, failure.at, length);
    let message = format!("`{token}` is neither a number nor a name");
    let digits = token.len() - token.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, word) = token.split_at(digits);
    if digits > 0 && word.len() > 1 && !matches!(word, "st" | "nd" | "rd" | "th") {
        let product = format!("{number} * {word}");
        let ways = [
            Way::fix(format!("a product is `{product}`"), span, product),
            Way::help(
                "a number has only digits; a row whose id is no name is written `card[\"…\"]`",
            ),
        ];
        return Some(Diagnostic::error("bad-name", span, message).ways(ways));
    }
    Some(Diagnostic::error("bad-name", span, message).help(
        "a number has only digits; a name begins with a letter or `_`; a row whose id is no name is written `card[\"…\"]`",
    ))
}

/// Letters that names cannot have.
fn letters(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let first = failure.rest().chars().next()?;
    if first.is_ascii() || !first.is_alphanumeric() {
        return None;
    }
    let span = span(builder, failure.at, first.len_utf8());
    let message = format!("`{first}` cannot stand in a name");
    Some(
        Diagnostic::error("bad-name", span, message)
            .help("names are made of the letters a to z, digits and `_`; titles and messages may have all letters"),
    )
}

/// `claim (r)`, `stack [k]`.
fn blank_before_bracket(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let first = failure
        .rest()
        .chars()
        .next()
        .filter(|first| matches!(first, '(' | '['))?;
    let before = failure.before();
    let name = before.trim_end_matches(' ');
    let last = name.rsplit(' ').next().unwrap_or(name);
    if name.len() == before.len()
        || is_keyword(last)
        || !name.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == ')' || c == ']')
    {
        return None;
    }
    if first == '['
        && failure
            .rest()
            .split([']', ','])
            .next()
            .is_some_and(|id| is_rule_id(&id[1..]))
    {
        let length = failure.rest().find(']').map_or(1, |end| end + 1);
        let span = span(builder, failure.at, length);
        return Some(
            Diagnostic::error("rule-id", span, "rule ids in the middle of a line")
                .help("rule ids stand at the end of the line"),
        );
    }
    let blank = failure.line + name.len()..failure.at;
    let at = builder.layout.origin(blank.end);
    let gap = Span::new(builder.file, at - blank.len(), at);
    let what = if first == '(' {
        "arguments"
    } else {
        "an index"
    };
    let message = format!("a blank before the `{first}` of {what}");
    Some(
        Diagnostic::error(
            "blank-before-bracket",
            span(builder, failure.at, 1),
            message,
        )
        .help(format!("`{first}` stands directly behind the name"))
        .fix("remove the blank", gap, ""),
    )
}

/// `on (size)`: behind a word of the language a bracket begins a value.
fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "on" | "by"
            | "to"
            | "from"
            | "in"
            | "of"
            | "where"
            | "and"
            | "or"
            | "not"
            | "then"
            | "else"
            | "if"
            | "up"
            | "least"
    )
}

/// Words between the parts of a statement.
fn wrong_clause(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let before: Vec<&str> = failure.before().split_whitespace().collect();
    let (right, says) = match first_word(failure.rest()) {
        "from" if failure.before().contains(" in ") => (
            "",
            "elements are sorted with `by`: `first(p in player by p.seat)`; `from` belongs to `each player` and to walks",
        ),
        "by" if before.windows(2).any(|two| two == ["best", "walk"]) => (
            "",
            "several walks at once are `best walks on N by 2 …` or `by t in trains`; one walk is the best by `max`",
        ),
        "from" | "between"
            if before.ends_with(&["distance"])
                || before
                    .last()
                    .is_some_and(|last| last.ends_with("(distance")) =>
        {
            (
                "",
                "where one goes stands first: `distance on N from a to b`",
            )
        }
        "of" if before.ends_with(&["choose", "one"]) => (
            "",
            "one of several is picked by `one of buy, sell`, without `choose`",
        ),
        "times" if before.contains(&"repeat") => ("", "so often is `repeat 8: …`, without `times`"),
        "to" if failure.rule == Rule::set_op => ("=", "`set` gives a value with `=`"),
        "from" | "of"
            if before.len() > 1
                && ["choose", "each"]
                    .iter()
                    .any(|word| before[before.len() - 2].ends_with(word)) =>
        {
            (
                "in",
                "what is chosen from stands after `in`: `choose c in hand`",
            )
        }
        "then" => (
            "",
            "a body stands after `:`; `then` belongs to a value: `x = if a then b else c`",
        ),
        "do" => ("", "a body stands after `:` or on indented lines"),
        "has" => (
            "",
            "whether something is in a container is asked with `x in container`",
        ),
        "is" if second_word(failure.rest()) == "not" => ("", "different values are `!=`: `a != b`"),
        "is" => ("=", "values are compared with `=`"),
        "equals" | "equal" | "eq" => ("=", "values are compared with `=`"),
        "contains" | "includes" | "holds" => (
            "",
            "whether something is in a container is asked the other way round: `x in container`",
        ),
        "mod" | "modulo" | "rem" => ("%", "what is left over of a division is `%`"),
        "div" => ("/", "`/` divides and rounds down"),
        "plus" => ("+", "numbers and containers are added with `+`"),
        "minus" => (
            "-",
            "one number or container is taken from another with `-`",
        ),
        "times" => ("*", "a product is `*`"),
        "greater" | "more" | "bigger" | "above" | "over" => {
            (">", "more than is `>`, at least `>=`")
        }
        "less" | "fewer" | "smaller" | "below" | "under" => ("<", "less than is `<`, at most `<=`"),
        "xor" => ("!=", "one of two conditions but not both: `a != b`"),
        "with" | "such" | "when" | "unless" if failure.before().contains(" in ") => {
            ("where", "elements are filtered with `where`")
        }
        "limit" | "max" if failure.before().contains(" in ") => {
            ("up to", "elements are cut with `up to`")
        }
        "order" | "sort" | "sorted" if failure.before().contains(" in ") => {
            ("by", "elements are sorted with `by`")
        }
        "checks" => ("", "rule ids stand at the end of the line: `[TM-066]`"),
        "until" => ("while not", "a loop goes on with `while`"),
        _ => return None,
    };
    let word = first_word(failure.rest());
    let span = span(builder, failure.at, word.len());
    let message = format!("`{word}` does not stand here");
    let diagnostic = Diagnostic::error("foreign-word", span, message).help(says);
    Some(match right {
        "" => diagnostic,
        right => diagnostic.fix(format!("write `{right}`"), span, right),
    })
}

fn second_word(text: &str) -> &str {
    text.split_whitespace().nth(1).unwrap_or_default()
}

/// `if a then b` as a statement: read as a value that lacks its `else`.
fn then_body(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let line = failure.before();
    let at = line.find(" then ").filter(|at| {
        let begin = line[..*at].rfind(": ").map_or(0, |colon| colon + 2);
        first_word(&line[begin..]) == "if" && (begin > 0 || !failure.is_first_line())
    })?;
    let span = span(builder, failure.line + at + 1, "then".len());
    Some(
        Diagnostic::error("foreign-word", span, "`then` does not stand here")
            .help("a body stands after `:`; `then` belongs to a value: `x = if a then b else c`"),
    )
}

/// `repeat until a`, where `until` was read as a name.
fn repeat_until(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let at = failure
        .before()
        .trim_end()
        .strip_suffix("repeat until")?
        .len()
        + "repeat ".len();
    let span = span(builder, failure.line + at, "until".len());
    Some(
        Diagnostic::error("foreign-word", span, "`until` does not stand here")
            .help("a loop goes on with `while`")
            .fix("write `while not`", span, "while not"),
    )
}

/// `in cards.toml`.
fn path_without_quotes(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let is_path = matches!(failure.rule, Rule::table | Rule::rows)
        && failure.rest().starts_with(['.', '/', '-']);
    let before = failure.before();
    let start = before.rfind(' ').map_or(0, |blank| blank + 1);
    let length = failure.whole_line()[start..]
        .find([' ', ','])
        .unwrap_or(failure.whole_line().len() - start);
    let path = &failure.whole_line()[start..start + length];
    (is_path && path.contains(".toml")).then(|| {
        let span = span(builder, failure.line + start, length);
        Diagnostic::error("syntax", span, "the path of a file stands in quotes").fix(
            "put it in quotes",
            span,
            format!("\"{path}\""),
        )
    })
}

fn lone_else(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let line = failure.whole_line();
    let ends = matches!(failure.before().trim_end(), "" | "else") && first_word(line) == "else";
    let rest = failure.rest();
    (ends && (rest.is_empty() || rest.starts_with([':']) || rest.starts_with("else"))).then(|| {
        let span = span(builder, failure.line, "else".len());
        let diagnostic =
            Diagnostic::error("lone-else", span, "this `else` has no `if` above it");
        diagnostic.help(match failure.line_above().starts_with("if none can") {
            true => "`if none can be done:` belongs to the menu above it and has no `else`: what else is to be done stands in the menu's items",
            false => "`else` stands at the same depth as its `if`, directly below its lines",
        })
    })
}

/// `bag card`.
fn missing_of(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let container = failure.before().trim_end().rsplit(' ').next()?;
    let is_container = matches!(container, "set" | "bag" | "list" | "deck" | "row");
    let is_word = failure
        .rest()
        .starts_with(|c: char| c.is_ascii_alphanumeric());
    (is_container && is_word && failure.before().contains(':')).then(|| {
        let next = span(builder, failure.at, failure.token_length());
        let gap = Span::new(builder.file, next.start as usize, next.start as usize);
        Diagnostic::error("syntax", next, format!("after `{container}` comes `of`"))
            .help(format!("a container is written `{container} of …`"))
            .fix("write `of`", gap, "of ")
    })
}
