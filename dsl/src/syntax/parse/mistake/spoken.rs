//! Statements as they are said at a table: what each is called here.

use super::Failure;
use super::habits::span;
use crate::diagnostic::Diagnostic;
use crate::syntax::layout::{INDENT, is_word_byte};
use crate::syntax::parse::declaration::first_word;
use crate::syntax::parse::{Builder, Rule};

pub(super) fn recognise(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    skipped(builder, failure)
        .or_else(|| so_many(builder, failure))
        .or_else(|| else_on_the_line(builder, failure))
        .or_else(|| chosen_value(builder, failure))
        .or_else(|| visibility_last(builder, failure))
        .or_else(|| drawn_value(builder, failure))
        .or_else(|| bare_text(builder, failure))
        .or_else(|| changes_in_a_row(builder, failure))
        .or_else(|| not_that(builder, failure))
        .or_else(|| no_values(builder, failure))
        .or_else(|| columns_in_a_row(builder, failure))
}

/// The statement that the failure lies in, and where it begins in its line.
fn statement<'f>(failure: &Failure<'f>) -> (&'f str, usize) {
    let before = failure.before();
    let begin = before.rfind([':', ';']).map_or(0, |at| at + 1);
    let text = &failure.whole_line()[begins(before, begin)..];
    (text, begins(before, begin))
}

fn is_word_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn begins(before: &str, begin: usize) -> usize {
    before.len() - before[begin..].trim_start_matches(' ').len()
}

/// `skip turn`, `skip a round`.
fn skipped(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let (text, at) = statement(failure);
    let object = text.strip_prefix("skip ")?;
    let place = span(
        builder,
        failure.line + at,
        "skip ".len() + object.trim_end().len(),
    );
    let found = Diagnostic::error(
        "syntax",
        place,
        "`skip` is nothing done, and takes nothing behind it",
    );
    Some(found.help(
        "who misses a turn is left out by the loop, or asked nothing in it: with `player.misses: bool` write `if misses: misses = false`, and what he does below `else`; a loop is left with `stop`",
    ))
}

/// `move 2 red from hand to bank`.
fn so_many(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let (text, at) = statement(failure);
    let behind = text.strip_prefix("move ")?;
    let behind = behind.strip_prefix("up to ").unwrap_or(behind);
    let mut words = behind.split(' ');
    let (number, kind, behind_it) = (words.next()?, words.next()?, words.next()?);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_word = !kind.is_empty() && kind.bytes().all(is_word_byte);
    if !is_number || !is_word || !matches!(behind_it, "from" | "to") {
        return None;
    }
    let start = failure.line + at + text.len() - behind.len();
    let place = span(builder, start, number.len() + 1 + kind.len());
    let bag = format!("{{{kind}: {number}}}");
    let found = Diagnostic::error("syntax", place, format!("`{number} {kind}` is no value"));
    Some(
        found
            .help(format!("so many of one kind are a bag: `{bag}`"))
            .fix(format!("write `{bag}`"), place, bag),
    )
}

/// `if a: x else y`, and with `then`.
fn else_on_the_line(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let line = failure.whole_line();
    let depth = line.len() - line.trim_start_matches(' ').len();
    let text = &line[depth..];
    let is_if = ["if ", "else if "]
        .iter()
        .any(|word| text.starts_with(word));
    if !is_if || failure.is_first_line() || line.contains(INDENT) {
        return None;
    }
    let colon = text
        .find([':'])
        .filter(|at| text[at + 1..].starts_with(' '));
    let (condition, body) = match (text.find(" then "), colon) {
        (Some(then), None) => (&text[..then], then + " then ".len()),
        (None, Some(colon)) => (&text[..colon], colon + 2),
        _ => return None,
    };
    let otherwise = body + text[body..].find(" else ")?;
    let lies_behind = failure.line + depth + body <= failure.at
        || text[..body].ends_with(" then ") && failure.line + depth <= failure.at;
    if !lies_behind {
        return None;
    }
    let place = span(builder, failure.line + depth + otherwise + 1, "else".len());
    let (first, second) = (&text[body..otherwise], &text[otherwise + " else ".len()..]);
    let found = Diagnostic::error("syntax", place, "`else` stands on a line of its own");
    Some(found.help(format!(
        "two lines of the same depth: `{condition}: {first}`, and below it `else: {second}`"
    )))
}

/// `let x = choose c in hand`.
fn chosen_value(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let (text, at) = statement(failure);
    let name = text.strip_prefix("let ")?.split(' ').next()?;
    let lead = format!("let {name} = choose ");
    let chosen = text.strip_prefix(lead.as_str())?.split(' ').next()?;
    let place = span(builder, failure.line + at, lead.len() + chosen.len());
    let right = format!("choose {name}");
    let found = Diagnostic::error(
        "syntax",
        place,
        "`choose` is a line, not a value: it names what is chosen itself",
    );
    Some(found.fix(format!("write `{right} in …`"), place, right))
}

/// `player.money: 0.. = 100 private`.
fn visibility_last(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let word = first_word(failure.rest());
    let head = failure.before().trim_end_matches(' ');
    let is_seen = matches!(word, "private" | "hidden" | "showing");
    if failure.rule != Rule::cell_or_formula || !is_seen {
        return None;
    }
    let (declared, start) = head.split_once(" = ")?;
    let seen = failure
        .rest()
        .split(" refill ")
        .next()?
        .split(" fill ")
        .next()?
        .trim_end();
    let place = span(builder, failure.at, seen.len());
    let found = Diagnostic::error(
        "syntax",
        place,
        format!("`{word}` stands before the start value"),
    );
    Some(found.help(format!("write `{declared} {seen} = {start}`")))
}

/// `hand += top of deck`.
fn drawn_value(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let (text, at) = statement(failure);
    let (to, what) = text.split_once(" += ").or_else(|| text.split_once(" = "))?;
    let end = first_word(what);
    if !matches!(end, "top" | "bottom") || !what.contains(" of ") {
        return None;
    }
    let place = span(builder, failure.line + at, text.trim_end().len());
    let right = format!("move {} to {to}", what.trim_end());
    let found = Diagnostic::error("syntax", place, "cards are not made, they are moved");
    Some(found.fix(format!("write `{right}`"), place, right))
}

/// `gold -= 1, wood += 1`, `patch card[a]: cost = 4, gain = 2`.
fn changes_in_a_row(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let changes = |text: &str| {
        let name = text.find(|c: char| !(is_word_char(c) || matches!(c, '.' | '[' | ']')));
        name.is_some_and(|end| {
            let sign = text[end..].trim_start();
            end > 0 && ["= ", "+= ", "-= "].iter().any(|one| sign.starts_with(one))
        })
    };
    let (first, _) = statement(failure);
    let second = failure.rest().strip_prefix(',')?.trim_start();
    if !changes(first) || !changes(second) {
        return None;
    }
    let place = span(builder, failure.at, ",".len());
    let found = Diagnostic::error("syntax", place, "two changes in a line are parted by `;`");
    Some(found.fix("write `;`", place, ";"))
}

/// `p not me`.
fn not_that(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let head = failure.before().trim_end().strip_suffix(" not")?;
    let word = &head[head.rfind(|c| !is_word_char(c)).map_or(0, |at| at + 1)..];
    let opens = [
        "where", "and", "or", "if", "while", "need", "implies", "then", "else", "not", "expect",
    ];
    if word.is_empty() || opens.contains(&word) || !failure.rest().starts_with(is_word_char) {
        return None;
    }
    let place = span(builder, failure.line + head.len() + 1, "not".len());
    let found = Diagnostic::error("syntax", place, "`not` turns a whole condition round");
    Some(
        found
            .help("different values are `!=`: `a != b`")
            .fix("write `!=`", place, "!="),
    )
}

/// `table deal[suit]: 0..`, and no line below it.
fn no_values(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let name = failure.before().strip_prefix("table ")?;
    let ends = failure.rest().is_empty() && failure.is_first_line();
    let name = name
        .split('[')
        .next()
        .filter(|_| ends && name.contains("]:"))?;
    let place = span(builder, failure.line + "table ".len(), name.len());
    let found = Diagnostic::error("syntax", place, format!("`{name}` has no values"));
    Some(found.help("they stand in lines below it, `grey | 3`; or one formula gives them all, behind ` = `: `table ability[worker]: 0.. = worker.level`"))
}

/// `table card id, cost: 0..`, `table card cost: 0..`.
fn columns_in_a_row(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let name = failure.before().strip_prefix("table ")?.trim_end();
    let is_name = !name.is_empty() && name.chars().all(is_word_char);
    let column = first_word(failure.rest());
    let known = ["of", "key", "copies", "in", "on", ""];
    if !is_name || failure.rule != Rule::table || known.contains(&column) {
        return None;
    }
    let place = span(builder, failure.at, failure.rest().trim_end().len());
    let found = Diagnostic::error(
        "syntax",
        place,
        "columns stand in lines below the table's name",
    );
    Some(found.help(format!(
        "`table {name}`, below it a line for each column, `cost: 0..`; the column that names the rows is said behind it: `table {name} key id`"
    )))
}

/// `| The king |`, `| 2c |` in a column of texts.
fn bare_text(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let in_rows = matches!(failure.rule, Rule::rows | Rule::grid) && !failure.is_first_line();
    let before = failure.before();
    let cell = before.rfind('|').map_or(0, |bar| bar + 1);
    let start = begins(before, cell);
    let text = failure.whole_line()[start..].split('|').next()?.trim_end();
    let is_text = !text.is_empty()
        && !text.contains(['"', '(', '[', '{', '=', '+', '<', '>', ':'])
        && text.chars().any(char::is_alphabetic);
    if !in_rows || !is_text {
        return None;
    }
    let place = span(builder, failure.line + start, text.len());
    let quoted = format!("\"{text}\"");
    let found = Diagnostic::error(
        "syntax",
        place,
        format!("`{text}` is neither a name nor a value"),
    );
    Some(
        found
            .help("a text that is not one word of letters a to z stands in quotes")
            .fix(format!("write `{quoted}`"), place, quoted),
    )
}
