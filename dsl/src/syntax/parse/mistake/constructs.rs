//! Constructs that lack a part or have one too many, as people write them who know what they want: each with the line to write.

use super::Failure;
use super::forms::STATEMENT_WORDS;
use super::habits::span;
use crate::diagnostic::foreign::other_function;
use crate::diagnostic::suggest::nearest;
use crate::diagnostic::{Diagnostic, Way};
use crate::source::Span;
use crate::syntax::layout::{DEDENT, INDENT, NEWLINE, is_word_byte};
use crate::syntax::parse::declaration::first_word;
use crate::syntax::parse::{Builder, Rule};

/// Words before `( x in S … )`.
const COLLECTORS: [&str; 14] = [
    "some", "every", "no", "count", "sum", "min", "max", "first", "set", "bag", "list", "shuffled",
    "random", "can",
];

pub(super) fn recognise(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    open_brace(builder, failure)
        .or_else(|| board(builder, failure))
        .or_else(|| clause_too_late(builder, failure))
        .or_else(|| nameless(builder, failure))
        .or_else(|| score_outside(builder, failure))
        .or_else(|| collector(builder, failure))
        .or_else(|| without_else(builder, failure))
        .or_else(|| list_of_words(builder, failure))
        .or_else(|| numbered_columns(builder, failure))
        .or_else(|| of_action(builder, failure))
        .or_else(|| of_overlay(builder, failure))
        .or_else(|| of_enum(builder, failure))
        .or_else(|| braces(builder, failure))
        .or_else(|| half_condition(builder, failure))
        .or_else(|| value_first(builder, failure))
        .or_else(|| colon_behind_one_of(builder, failure))
        .or_else(|| nobody_wins(builder, failure))
        .or_else(|| names_in_a_row(builder, failure))
        .or_else(|| seed(builder, failure))
}

/// `"abc {"`, `"you {x have"`: a brace in a text that is never closed.
fn open_brace(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let (mut text, mut brace) = (false, None);
    for (at, c) in failure.before().char_indices() {
        match c {
            '"' if brace.is_none() => text = !text,
            '{' if text && brace.is_none() => brace = Some(at),
            '}' => brace = None,
            _ => {}
        }
    }
    let brace = brace?;
    let closed = failure.rest().find(['{', '}', '"']);
    if closed.is_some_and(|at| failure.rest()[at..].starts_with('}')) {
        return None;
    }
    let place = span(builder, failure.line + brace, 1);
    let found = Diagnostic::error("open-brace", place, "this `{` is not closed");
    Some(
        found
            .help("braces quote a value, as in `\"{name} was faster\"`: close it, or leave it out"),
    )
}

/// `tiling board on 8x8`, `on hex 5`, `on rhombus 11`.
fn board(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    if failure.rule != Rule::tiling || !failure.is_first_line() {
        return None;
    }
    let line = failure.whole_line();
    let at = line.find(" on ")? + " on ".len();
    let ground = line[at..].split(" turns ").next()?;
    let ground = ground.split(" where ").next()?.trim_end();
    if ground.starts_with("cell(") || ground.starts_with("plane ") || ground.is_empty() {
        return None;
    }
    let head = &line[..at];
    let place = span(builder, failure.line + at, ground.len());
    let wanted = board_meant(ground);
    if wanted.as_deref() == Some(ground) {
        return condition_of_places(builder, failure, at + ground.len());
    }
    let message = format!("`{ground}` is no board");
    Some(match wanted {
        Some(wanted) => Diagnostic::error("syntax", place, message)
            .ways([Way::fix(format!("write `{head}{wanted}`"), place, wanted)]),
        None => Diagnostic::error("syntax", place, message).help(format!(
            "a board is `{head}8 by 8` squares, `{head}11 by 11 hexes`, `{head}hexagon 5 hexes`; it grows from its middle, `{head}plane 41`, \
             or is drawn: `{head}squares`, and below it lines like `| . . .`"
        )),
    })
}

/// `2 by 2 where borders p`: behind a `where` stands which places there are.
fn condition_of_places(builder: &Builder, failure: &Failure, at: usize) -> Option<Diagnostic> {
    let line = failure.whole_line();
    let behind = line[at..].find(" where")? + at + " where".len();
    let word = first_word(line[behind..].trim_start());
    if !matches!(word, "" | "borders" | "corners" | "turns") {
        return None;
    }
    let place = span(
        builder,
        failure.line + behind - "where".len(),
        "where".len(),
    );
    let found = Diagnostic::error("syntax", place, "this `where` has no condition");
    Some(found.help(
        "it says of which rows and columns there are places, `where row in 2..4 or col > 1`; without it all are there",
    ))
}

/// `seed -1`, `seed abc`
fn seed(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    if failure.before().trim() != "seed" {
        return None;
    }
    let place = span(builder, failure.at, failure.token_length());
    let found = Diagnostic::error("syntax", place, "a seed is a whole number from 0 on");
    Some(found.help("it is written: `seed 7`"))
}

/// `choose a, b in cell`: each name has what it is chosen from.
fn names_in_a_row(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let before = failure.before();
    let name = before.trim_end();
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let start = name.trim_end_matches(is_of_word).len();
    let (first, chooses) = (&name[start..], name[..start].trim_end());
    let is_chosen =
        chooses.ends_with("choose") || chooses.ends_with(',') && chooses.contains("choose ");
    if !is_chosen || first.is_empty() || !failure.rest().trim_start().starts_with(',') {
        return None;
    }
    let rest = failure.rest();
    let source = rest.split(" in ").nth(1)?;
    let source = source
        .split([',', ')', ' ', ':'])
        .next()
        .filter(|text| !text.is_empty())?;
    let place = span(builder, failure.at - (before.len() - start), first.len());
    let message = format!("what `{first}` is chosen from is not said");
    let wanted = format!("{first} in {source}");
    Some(Diagnostic::error("syntax", place, message).ways([
        Way::fix(
            format!("each name has its own: `{wanted}`"),
            place,
            wanted.clone(),
        ),
        Way::help(format!("each name has its own: `choose {wanted}, …`")),
    ]))
}

/// A board written with words of its own: its numbers or options tell the size, its words the shape.
fn board_meant(ground: &str) -> Option<String> {
    let words: Vec<&str> = ground
        .split(|c: char| !is_word_byte(c as u8) || !c.is_ascii())
        .filter(|word| !word.is_empty())
        .collect();
    let mut sizes: Vec<&str> = Vec::new();
    let (mut hexes, mut flat, mut offset, mut hexagon) = (false, false, false, false);
    for word in words {
        match word {
            "hex" | "hexes" | "hexhex" | "hexagons" | "hexagonal" => hexes = true,
            "hexagon" => hexagon = true,
            "flat" => flat = true,
            "offset" | "rectangle" | "rectangular" | "brick" => offset = true,
            "pointy" | "rhombus" | "rhombic" | "parallelogram" => hexes = true,
            "by" | "x" | "square" | "squares" | "grid" | "of" | "side" | "board" | "a" => {}
            word => match word.split_once('x') {
                Some((rows, columns)) if [rows, columns].iter().all(|n| is_number(n)) => {
                    sizes.extend([rows, columns]);
                }
                _ => sizes.push(word),
            },
        }
    }
    let unit = match (hexes || hexagon || flat || offset, flat, offset) {
        (false, ..) => "",
        (_, false, false) => " hexes",
        (_, true, false) => " flat hexes",
        (_, false, true) => " offset hexes",
        (_, true, true) => " offset flat hexes",
    };
    match sizes.as_slice() {
        [side] if hexagon || hexes && !ground.contains("rhomb") && !offset => Some(format!(
            "hexagon {side}{}",
            if unit.is_empty() { " hexes" } else { unit }
        )),
        [side] => Some(format!("{side} by {side}{unit}")),
        [rows, columns] => Some(format!("{rows} by {columns}{unit}")),
        _ => None,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// `when wagons <= 2: …`: a law without its name.
fn nameless(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let line = failure.whole_line();
    let word = first_word(line);
    let colon = matches!(word, "when" | "always" | "check") && line[word.len()..].starts_with(": ");
    let of_law = matches!(failure.rule, Rule::when_decl | Rule::rule_decl);
    let of_cell = colon && failure.rule == Rule::cell_or_formula;
    if !failure.is_first_line() || !(of_law || of_cell) {
        return None;
    }
    if colon {
        let condition = line[word.len() + 1..]
            .split(':')
            .next()
            .unwrap_or_default()
            .trim();
        let name = name_of(condition);
        let place = span(builder, failure.line, word.len() + 1);
        let line = format!("{word} {name}:");
        let help = format!("write `{line} {condition}`");
        return Some(
            Diagnostic::error(
                "syntax",
                place,
                format!("a `{word}` has a name before its `:`"),
            )
            .ways([Way::fix(help.clone(), place, line), Way::help(help)]),
        );
    }
    let mut rest = line[word.len()..].trim_start();
    let kind = if word == "once" { "when" } else { word };
    if word == "once" {
        rest = rest.strip_prefix("when").unwrap_or(rest).trim_start();
    }
    let start = line.len() - rest.len();
    let name = first_word(rest);
    let after = rest[name.len()..].trim_start();
    let named = after.starts_with(':') && !name.is_empty();
    if named || after.starts_with("on ") || failure.at < failure.line + start + name.len() {
        return None;
    }
    // The condition reaches to the colon that begins the body.
    let condition = rest.split(':').next().unwrap_or(rest).trim_end();
    let invented = name_of(condition);
    let place = span(builder, failure.line + start, condition.len().max(1));
    let gap = gap(builder, failure.line + start);
    let help = format!("write `{kind} {invented}: {condition}`");
    let article = if kind == "always" { "an" } else { "a" };
    Some(
        Diagnostic::error(
            "syntax",
            place,
            format!("{article} `{kind}` has a name, and a `:` before its condition"),
        )
        .ways([
            Way::fix(help.clone(), gap, format!("{invented}: ")),
            Way::help(help),
        ]),
    )
}

/// A name from the words of a condition: `wagons <= 2` becomes `wagons_2`.
fn name_of(condition: &str) -> String {
    let words = condition.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).take(3).collect();
    let name = words.join("_");
    match name.starts_with(|c: char| c.is_ascii_lowercase()) {
        true => name,
        false => format!("law_{name}").to_lowercase(),
    }
}

/// `replace tickets at end = …`, `tickets at end = …`: a line of the score.
fn score_outside(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    if failure.rule != Rule::cell_or_formula || !failure.is_first_line() {
        return None;
    }
    let rest = &failure.text[failure.base..];
    let name = first_word(rest);
    if name.is_empty() || !rest[name.len()..].starts_with(" at end") {
        return None;
    }
    let place = span(builder, failure.base, name.len() + " at end".len());
    let gap = gap(builder, failure.base);
    let diagnostic = Diagnostic::error("syntax", place, "`at end` belongs to a line of the score");
    Some(match failure.base > 0 {
        true => diagnostic.ways([
            Way::fix(format!("write `replace score.{name} at end = …`"), gap, "score."),
            Way::help(format!("write `replace score.{name} at end = …`")),
        ]),
        false => diagnostic.help(format!(
            "lines of the score stand below `score`, two blanks in; in a variant write `add to score: {name} at end = …`"
        )),
    })
}

/// Which come after an element and its source, in this order.
const CLAUSES: [&str; 5] = ["where", "by", "from", "up", "ask"];

/// `first(p in player by p.money where p.money > 3)`.
fn clause_too_late(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let word = first_word(failure.rest());
    let rank = CLAUSES.iter().position(|one| *one == word)?;
    let before = failure.before();
    let source = before.rfind(" in ")? + " in ".len();
    let clauses = &before[source..];
    // Behind a colon other things begin, and what stands in brackets or quotes is no clause of this.
    let is_clause = |at: usize, word: &str| {
        let (head, tail) = clauses.split_at(at);
        head.ends_with(' ')
            && first_word(tail) == word
            && tail.matches('(').count() == tail.matches(')').count()
            && tail.matches('"').count() % 2 == 0
            && !tail.contains(':')
    };
    let later = CLAUSES[rank + 1..].iter().find(|later| {
        let mut places = clauses.match_indices(**later);
        places.any(|(at, _)| is_clause(at, later))
    })?;
    let called = |word: &str| {
        match word {
            "up" => "up to",
            _ => word,
        }
        .to_owned()
    };
    let message = format!("`{}` stands before `{}`", called(word), called(later));
    let help =
        "the order is `x in S where … by … from … up to … ask …`, each as far as it is needed";
    Some(Diagnostic::error("syntax", span(builder, failure.at, word.len()), message).help(help))
}

/// `lowest(c in card where …)`.
fn collector(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let before = failure.before();
    let open = open_bracket(before)?;
    let inner = &before[open + 1..];
    if !inner.contains(" in ") {
        return None;
    }
    let head = &before[..open];
    let length = head
        .bytes()
        .rev()
        .take_while(|byte| is_word_byte(*byte))
        .count();
    let word = &head[head.len() - length..];
    let goes_on = matches!(
        first_word(failure.rest()),
        "where" | "by" | "up" | "for" | "if"
    ) || failure.rest().starts_with(':');
    if word.is_empty() || !goes_on || COLLECTORS.contains(&word) || word.contains('.') {
        return None;
    }
    let place = span(builder, failure.line + head.len() - length, length);
    let diagnostic = Diagnostic::error("syntax", place, format!("there is no `{word}(x in …)`"));
    let mut ways: Vec<Way> = Vec::new();
    ways.extend(other_function(word).map(Way::help));
    ways.extend(nearest(word, COLLECTORS).map(|near| Way::meant(place, near)));
    ways.push(Way::help(
        "several are gone through by `some every no count sum min max first set bag list (x in …)`",
    ));
    Some(diagnostic.ways(ways))
}

/// The last `(` that is still open.
fn open_bracket(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices().rev() {
        match c {
            ')' => depth += 1,
            '(' if depth == 0 => return Some(at),
            '(' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// `total = if crowded then 2`.
fn without_else(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let before = failure.before();
    let rest = failure.rest();
    let ends = rest.is_empty() || rest.starts_with([')', ']', '}', ',', ';', ':']);
    let statement = first_word(before) == "if" && !failure.is_first_line();
    let words = |wanted: &str| {
        before
            .split([' ', '('])
            .filter(|word| *word == wanted)
            .count()
    };
    if !ends || statement || words("then") <= words("else") {
        return None;
    }
    let at = builder
        .layout
        .end_of_content(failure.line + before.trim_end().len());
    let gap = Span::new(builder.file, at, at);
    let ways = ["0", "none", "false", "{}"].map(|value| {
        Way::fix(
            format!("write what it is otherwise: `… else {value}`"),
            gap,
            format!(" else {value}"),
        )
    });
    let help = Way::help(
        "a value has its `else`: `if crowded then 2 else 0`; what is only done has a body: `if crowded: sweep`",
    );
    Some(
        Diagnostic::error("syntax", gap, "this `if … then …` does not say what else")
            .ways(ways.into_iter().chain([help])),
    )
}

/// A table whose lines are words and nothing else.
fn list_of_words(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let is_word = |line: &str| !line.is_empty() && first_word(line) == line;
    let line = failure.whole_line().trim_end();
    if failure.rule != Rule::table || failure.is_first_line() || !is_word(line) {
        return None;
    }
    let text = &failure.text[failure.base..];
    let name = first_word(text[first_word(text).len()..].trim_start());
    let lines = text
        .split([INDENT, DEDENT, NEWLINE])
        .skip(1)
        .map(str::trim_end);
    let words: Vec<&str> = lines
        .filter(|line| is_word(line) && !matches!(*line, "id" | "name"))
        .collect();
    let place = span(builder, failure.line, line.len());
    let help = format!(
        "words that are only words are an enum: `enum {name} = {}`; a column is written `{line}: type`, and rows stand below `rows {name}`",
        words.join(", ")
    );
    Some(
        Diagnostic::error(
            "syntax",
            place,
            "a table lists its columns, each with its type",
        )
        .help(help),
    )
}

/// `kind | 1 | 2 | 3` at the head of a grid.
fn numbered_columns(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let line = failure.whole_line().trim_end();
    let is_grid = matches!(failure.rule, Rule::grid | Rule::effect_grid);
    let mut heads = line.split('|').map(str::trim).skip(1).peekable();
    if !is_grid || failure.is_first_line() || heads.peek().is_none() || !heads.all(is_number) {
        return None;
    }
    let text = &failure.text[failure.base..];
    let above = text.split([INDENT, DEDENT, NEWLINE]).next()?;
    let (index, ty) = above.split_once(']').unwrap_or((above, ""));
    let index = index
        .split(',')
        .next()
        .unwrap_or(index)
        .trim_end_matches(']');
    let ty = ty.trim_start_matches([':', ' ']).trim_end();
    let name = index.split('[').next().unwrap_or(index);
    let name = name.strip_prefix("table ").unwrap_or(name);
    let ty = if ty.is_empty() { "0.." } else { ty };
    let help = format!(
        "let each line have a list: `{index}]: list of {ty}`, with one column of lists like `[4, 5, 6]`; the second number of a line is then `{name}[…][2]`"
    );
    let place = span(builder, failure.line, line.len());
    Some(Diagnostic::error("syntax", place, "numbers are no columns of a table").help(help))
}

/// The place right before a byte of the layout's text.
fn gap(builder: &Builder, at: usize) -> Span {
    let at = builder.layout.origin(at);
    Span::new(builder.file, at, at)
}

/// `action buy requires coins > 2`, `action buy(n)`.
fn of_action(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    if failure.rule != Rule::action || !failure.is_first_line() {
        return None;
    }
    let word = first_word(failure.rest());
    if matches!(
        word,
        "requires" | "require" | "when" | "if" | "where" | "needs" | "need" | "unless" | "only"
    ) {
        let condition = failure.rest()[word.len()..]
            .split(':')
            .next()
            .unwrap_or_default()
            .trim();
        let place = span(builder, failure.at, word.len());
        return Some(
            Diagnostic::error(
                "syntax",
                place,
                "an action has no condition in its first line",
            )
            .help(format!(
                "what must hold is a line below it: `need {condition} else \"…\"`"
            )),
        );
    }
    let open = open_bracket(failure.before())?;
    let name = failure.before()[open + 1..].rsplit(',').next()?.trim();
    let alone = !name.is_empty() && first_word(name) == name;
    (alone && failure.rest().starts_with([')', ','])).then(|| {
        let place = span(builder, failure.at - name.len(), name.len());
        Diagnostic::error("syntax", place, format!("what is `{name}`?")).help(format!(
            "a parameter that the caller gives has a type, `{name}: 0..`; one that the player is asked for has a source, `choose {name} in 1..3`"
        ))
    })
}

/// Heads of operations with a word too many or one missing.
fn of_overlay(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    if !failure.is_first_line() {
        return None;
    }
    let (before, rest) = (failure.before(), failure.rest());
    let head = before.trim();
    match failure.rule {
        Rule::remove_op => {
            let kind = head.strip_prefix("remove ")?;
            let known = [
                "action", "option", "table", "enum", "always", "check", "when", "network", "step",
                "cell", "formula", "row",
            ];
            known.contains(&kind).then(|| {
                let place = span(builder, failure.at - kind.len() - 1, kind.len() + 1);
                let name = rest.trim();
                Diagnostic::error("syntax", place, "`remove` wants a name alone").ways([
                    Way::fix(format!("write `remove {name}`"), place, ""),
                    Way::help(format!("write `remove {name}`")),
                ])
            })
        }
        Rule::hook if rest.starts_with('(') => {
            let length = rest.find(')').map_or(1, |end| end + 1);
            let place = span(builder, failure.at, length);
            Some(
                Diagnostic::error(
                    "syntax",
                    place,
                    "a hook names an action without its parameters",
                )
                .ways([
                    Way::fix(
                        format!("write `{head}`: its parameters are known in the lines below"),
                        place,
                        "",
                    ),
                    Way::help(format!(
                        "write `{head}`: its parameters are known in the lines below"
                    )),
                ]),
            )
        }
        Rule::hook if head.ends_with(" the") => {
            let place = span(builder, failure.at - "the ".len(), "the ".len());
            Some(
                Diagnostic::error("syntax", place, "`the` does not stand here").ways([
                    Way::fix(
                        format!("write `{} {rest}`", head.trim_end_matches(" the")),
                        place,
                        "",
                    ),
                    Way::help(format!("write `{} {rest}`", head.trim_end_matches(" the"))),
                ]),
            )
        }
        Rule::cell_or_formula if rest.starts_with("where ") => {
            let line = failure.whole_line();
            let gap = gap(builder, failure.line);
            let help = format!("a condition is added to what is chosen: `add to {line}`");
            Some(
                Diagnostic::error(
                    "syntax",
                    span(builder, failure.at, "where".len()),
                    "a condition stands here alone",
                )
                .ways([Way::fix(help.clone(), gap, "add to "), Way::help(help)]),
            )
        }
        Rule::cell_or_formula if rest.starts_with("+=") || rest.starts_with("-=") => {
            let place = span(builder, failure.at, 2);
            Some(
                Diagnostic::error("syntax", place, "a change stands inside an action or a step").help(format!(
                    "of an option write `set {}`; what a cell begins with is behind its type: `{head}: 0.. = 3`",
                    failure.whole_line().trim()
                )),
            )
        }
        _ => None,
    }
}

/// `enum suit: hearts, spades`, `enum suit = hearts; spades`.
fn of_enum(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    if failure.rule != Rule::enumeration {
        return None;
    }
    let (wrong, right) = match failure.rest().chars().next()? {
        ';' | '|' | '/' => (1, ","),
        ':' => (1, " ="),
        _ => return None,
    };
    let place = span(builder, failure.at, wrong);
    Some(
        Diagnostic::error("syntax", place, format!("here stands `{}`", right.trim()))
            .help("an enum is written `enum colour = red, blue, green`")
            .fix(format!("write `{}`", right.trim()), place, right),
    )
}

/// `action buy() {`
fn braces(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let body = failure.rest().starts_with('{') && !failure.before().contains(['=', '{']);
    body.then(|| {
        Diagnostic::error(
            "foreign-sign",
            span(builder, failure.at, 1),
            "no braces stand around a body",
        )
        .help("a body stands behind `:` on the same line, or on lines below, two blanks in")
    })
}

/// `coins > 3 and < 9`
fn half_condition(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let before = failure.before().trim_end();
    let joint = before
        .rsplit(' ')
        .next()
        .filter(|word| matches!(*word, "and" | "or"))?;
    failure.rest().starts_with(['<', '>', '=']).then(|| {
        let left = before[..before.len() - joint.len()].trim_end();
        let what = left.rsplit([' ', '(']).nth(2).unwrap_or("coins");
        let place = span(builder, failure.at, 1);
        let help = format!("say the value again: `{what} {}`", failure.rest().trim());
        let ways = [
            Way::fix(help.clone(), gap(builder, failure.at), format!("{what} ")),
            Way::help(help),
        ];
        Diagnostic::error(
            "syntax",
            place,
            format!("what is compared behind `{joint}`?"),
        )
        .ways(ways)
    })
}

/// `bonus = 5 if wagons = 0`
fn value_first(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let condition = failure.rest().strip_prefix("if ")?;
    let (_, value) = failure.before().rsplit_once("= ")?;
    let (condition, or) = match condition.split_once(" else ") {
        Some((condition, or)) => (condition, or.trim()),
        None => (condition.trim(), "0"),
    };
    let right = format!("if {condition} then {} else {or}", value.trim());
    let start = failure.at - value.len();
    let place = span(builder, start, value.len() + failure.rest().len());
    Some(
        Diagnostic::error("syntax", place, "the condition of a value stands before it").ways([
            Way::fix(format!("write `{right}`"), place, right.clone()),
            Way::help(format!("write `{right}`")),
        ]),
    )
}

/// `one of: buy, sell`
fn colon_behind_one_of(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let head = failure.before().trim_end();
    let is_list = head.ends_with("one of:") && !failure.rest().is_empty();
    is_list.then(|| {
        let at = failure.line + head.len() - 1;
        let place = span(builder, at, 1);
        Diagnostic::error(
            "syntax",
            place,
            "no `:` stands between `one of` and a list on the same line",
        )
        .ways([Way::fix(
            format!("write `one of {}`", failure.rest().trim()),
            place,
            "",
        )])
    })
}

/// `wins "four in a row"`, and no word of who.
fn nobody_wins(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let before = failure.before();
    let statement = &before[before.rfind([':', ';']).map_or(0, |at| at + 1)..];
    let verb = statement.trim();
    if !matches!(verb, "wins" | "loses") || !failure.rest().starts_with('"') {
        return None;
    }
    let start = failure.line + before.len() - statement.trim_start().len();
    let place = span(builder, start, verb.len());
    let gap = gap(builder, start);
    let help = format!("`me {verb} …` is of the player in turn, `p {verb} …` of a player p");
    let message = format!("a player stands before `{verb}`: who {verb}?");
    let me = Way::fix(format!("write `me {verb} …`"), gap, "me ");
    Some(Diagnostic::error("syntax", place, message).ways([me, Way::help(help)]))
}

/// `draw 3 cards`, `players take turns`: words that make a sentence, and no statement.
pub(super) fn sentence(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let of_match = matches!(first_word(failure.line_above_block()), "match" | "any");
    let in_head = failure.is_first_line()
        && !failure.before().contains("): ")
        && !failure.before().contains(": ");
    if of_match || in_head {
        return None;
    }
    let begin = failure.before().rfind([':', ';']).map_or(0, |at| at + 1);
    let word = failure.before()[begin..].trim();
    let rest = failure.rest();
    let is_name = !word.is_empty() && first_word(word) == word && !STATEMENT_WORDS.contains(&word);
    let goes_on = rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let in_body = matches!(
        failure.rule,
        Rule::action | Rule::flow | Rule::when_decl | Rule::hook | Rule::add_to
    );
    (is_name && goes_on && in_body && failure.before().ends_with(' ')).then(|| {
        let argument = &rest[..failure.token_length()];
        let place = span(builder, failure.at - word.len() - 1, word.len() + 1 + failure.token_length());
        Diagnostic::error("syntax", place, format!("`{word} {argument}` is no statement")).help(format!(
            "an action is called as `{word}({argument})`; other lines begin with a word such as `move`, `choose`, `need`, `each player`, or change a cell, `coins += 1`"
        ))
    })
}
