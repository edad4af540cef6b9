//! Failures of the grammar in words: what was being written, what was expected there, how it looks when it is right.

mod constructs;
mod forms;
mod habits;
mod misspelt;
mod phrases;
mod spoken;

pub(crate) use habits::foreign_statement;
use pest::error::{Error, ErrorVariant, InputLocation};

use super::{Builder, Rule};
use crate::diagnostic::{Diagnostic, Way};
use crate::ir::Lattice;
use crate::source::Span;
use crate::syntax::ast::Name;
use crate::syntax::layout::{DEDENT, INDENT, NEWLINE, is_word_byte};
use crate::syntax::parse::declaration::first_word;

/// Where and on what the grammar failed.
struct Failure<'t> {
    /// The layout's text.
    text: &'t str,
    /// The byte of `text` where no rule went on.
    at: usize,
    /// Where the line that holds it begins, continued lines joined.
    line: usize,
    /// The construct the declaration was read as.
    rule: Rule,
    /// Where the declaration's own text begins: behind `replace`.
    base: usize,
}

impl<'t> Failure<'t> {
    fn new(text: &'t str, rule: Rule, base: usize, error: &Error<Rule>) -> Failure<'t> {
        let at = match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => (base + at).min(text.len()),
        };
        let line = text[..at]
            .rfind([INDENT, DEDENT, NEWLINE])
            .map_or(0, |shape| shape + 1);
        Failure {
            text,
            at,
            line,
            rule,
            base,
        }
    }

    /// What stands at the failure, to the end of its line.
    fn rest(&self) -> &'t str {
        let rest = &self.text[self.at..];
        rest.split([INDENT, DEDENT, NEWLINE]).next().unwrap_or("")
    }

    /// The line up to the failure.
    fn before(&self) -> &'t str {
        &self.text[self.line..self.at]
    }

    /// The line to its end.
    fn whole_line(&self) -> &'t str {
        let line = &self.text[self.line..];
        line.split([INDENT, DEDENT, NEWLINE]).next().unwrap_or("")
    }

    /// The line under which the block of this line stands.
    fn line_above_block(&self) -> &'t str {
        let mut depth = 0;
        for (at, c) in self.text[..self.line].char_indices().rev() {
            match c {
                DEDENT => depth += 1,
                INDENT if depth > 0 => depth -= 1,
                INDENT => {
                    let start = self.text[..at]
                        .rfind([INDENT, DEDENT, NEWLINE])
                        .map_or(0, |shape| shape + 1);
                    return &self.text[start..at];
                }
                _ => {}
            }
        }
        ""
    }

    /// The line above at the same depth.
    fn line_above(&self) -> &'t str {
        let mut depth = 0;
        let mut end = self.line;
        for (at, c) in self.text[..self.line].char_indices().rev() {
            if !matches!(c, INDENT | DEDENT | NEWLINE) {
                continue;
            }
            let line = &self.text[at + c.len_utf8()..end];
            end = at;
            if depth == 0 && !line.is_empty() {
                return line;
            }
            match c {
                DEDENT => depth += 1,
                INDENT if depth == 0 => return "",
                INDENT => depth -= 1,
                _ => {}
            }
        }
        &self.text[..end]
    }

    fn is_first_line(&self) -> bool {
        self.line <= self.base
    }

    /// The bytes of the word, number, sign or text at the failure; none at the end of a line.
    fn token_length(&self) -> usize {
        let rest = self.rest();
        let word = rest.bytes().take_while(|byte| is_word_byte(*byte)).count();
        if word > 0 {
            return word;
        }
        if let Some(inner) = rest.strip_prefix('"') {
            return inner.find('"').map_or(rest.len(), |end| end + 2);
        }
        rest.chars().next().map_or(0, char::len_utf8)
    }
}

pub(super) fn indented_declaration(span: Span) -> Diagnostic {
    Diagnostic::error(
        "indentation",
        span,
        "this line is indented, but no declaration stands above it",
    )
    .help("a declaration begins at the start of a line")
    .fix("move it to the start of the line", span, "")
}

pub(super) fn said_twice(span: Span) -> Diagnostic {
    Diagnostic::error("clause-twice", span, "this is said a second time")
        .help("join conditions with `and`, or keep one of the clauses; a walk whose conditions end before these stands in brackets")
}

pub(super) fn number_too_large(span: Span, largest: u64) -> Diagnostic {
    Diagnostic::error(
        "number-too-large",
        span,
        format!("the largest number is {largest}"),
    )
}

/// `tiling board on hexes`, and nothing drawn below it.
pub(super) fn no_picture(span: Span, lattice: Lattice) -> Diagnostic {
    let help = match lattice {
        Lattice::Squares => {
            "write its size: `on 8 by 8`; or draw its places below, a `.` each: `| . . .`"
        }
        Lattice::Hexes { .. } => {
            "write its size: `on 11 by 11 hexes`, `on hexagon 5 hexes`; or draw its places below, a `.` each, every second line \
             moved by one blank: `|  . . .`"
        }
    };
    Diagnostic::error("syntax", span, "how large is this board?").help(help)
}

/// `id | cost | cost`
pub(super) fn column_twice(name: &Name, first: Span) -> Diagnostic {
    let message = format!("`{}` heads a column already", name.text);
    Diagnostic::error("declared-twice", name.span, message)
        .label(first, "the first one")
        .help("each column has a name of its own")
}

/// `a | 1 | 2` below `id | cost`
pub(super) fn no_column(span: Span, head: &[Name]) -> Diagnostic {
    let names: Vec<String> = head.iter().map(|name| format!("`{}`", name.text)).collect();
    Diagnostic::error("syntax", span, "no column stands above this").help(format!(
        "the first line names {}: name another column there, or take this away",
        names.join(", ")
    ))
}

/// `tiling board on hexagon 5`
pub(super) fn hexagon_of_what(span: Span) -> Diagnostic {
    let end = Span::new(span.file, span.end as usize, span.end as usize);
    Diagnostic::error("syntax", span, "a hexagon is made of hexes").fix(
        "write `hexes` behind it",
        end,
        " hexes",
    )
}

pub(super) fn picture_too_many(span: Span, lattice: Lattice) -> Diagnostic {
    let word = match lattice {
        Lattice::Squares => "squares",
        Lattice::Hexes { .. } => "hexes",
    };
    Diagnostic::error("syntax", span, "this board has a size, and is drawn too").help(format!(
        "leave the picture out, or write `on {word}` above it"
    ))
}

/// The diagnostic of a declaration that could not be read as the construct it begins like.
pub(super) fn declaration(builder: &Builder, rule: Rule, error: &Error<Rule>) -> Diagnostic {
    let failure = Failure::new(&builder.layout.text, rule, builder.base.get(), error);
    habits::recognise(builder, &failure)
        .or_else(|| misspelt_head(builder, &failure))
        .or_else(|| deeper_line(builder, &failure))
        .or_else(|| no_declaration(builder, &failure))
        .unwrap_or_else(|| expected(builder, &failure, error))
}

/// The diagnostic of a value or effect in a component table.
pub(super) fn cell(builder: &Builder, rule: Rule, error: &Error<Rule>) -> Diagnostic {
    let failure = Failure::new(&builder.layout.text, rule, 0, error);
    habits::recognise(builder, &failure).unwrap_or_else(|| expected(builder, &failure, error))
}

/// A first word that begins nothing: `phase main`.
fn no_declaration(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    if failure.rule != Rule::cell_or_formula || !failure.is_first_line() {
        return None;
    }
    let word = first_word(&failure.text[failure.base..]);
    let span = builder
        .layout
        .span(builder.file, failure.base..failure.base + word.len().max(1));
    let rest = &failure.text[failure.base + word.len()..];
    let goes_on_with_word = rest
        .trim_start_matches(' ')
        .starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '"');
    if !word.is_empty() && !goes_on_with_word && failure.at > failure.base {
        return None;
    }
    if !word.is_empty() && failure.at > failure.base + word.len() + 1 {
        return None;
    }
    let message = if word.is_empty() {
        "no declaration begins like this".to_owned()
    } else {
        format!("`{word}` begins no declaration")
    };
    let diagnostic = Diagnostic::error("unknown-declaration", span, message);
    if forms::STATEMENT_WORDS.contains(&word) {
        return Some(diagnostic.help(format!(
            "`{word}` stands inside an action, a `when` or the flow: indent it by two blanks"
        )));
    }
    if let Some(near) =
        crate::diagnostic::suggest::nearest(word, forms::DECLARATION_WORDS.iter().copied())
    {
        return Some(diagnostic.meant(span, near));
    }
    Some(diagnostic.help(
        "a cell is written `name: type`, a formula `name = value`; other declarations begin with a word such as `action`, `always`, `table`",
    ))
}

/// An indented line under one that takes none.
fn deeper_line(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let inner = failure.text[failure.at..].strip_prefix(INDENT)?;
    let line = inner.split([INDENT, DEDENT, NEWLINE]).next().unwrap_or("");
    let at = builder.layout.origin(failure.at + INDENT.len_utf8());
    let above = builder.layout.origin(failure.line);
    let span = Span::new(builder.file, at, at + first_word(line).len().max(1));
    let end = builder.layout.end_of_content(failure.at);
    let diagnostic = Diagnostic::error(
        "indentation",
        span,
        "this line is deeper than the one above it, which takes no lines below",
    )
    .label(Span::new(builder.file, above, end), "the line above");
    let head = failure.before().trim();
    let is_name = !head.is_empty() && head.bytes().all(is_word_byte);
    if head.ends_with("else") || head.ends_with("then") {
        return Some(diagnostic.help(
            "a value that goes on in the next line: let that line begin with `else` or `then`",
        ));
    }
    if head.contains(": ") && !failure.is_first_line() {
        return Some(diagnostic.help("what is to be done stands behind the colon or on lines below it: put what stands behind it on a line of its own, as deep as this one"));
    }
    if !is_name {
        return Some(diagnostic.help("indent it like the line above; a line that goes on begins with an operator or a word such as `where`"));
    }
    let what = match failure.line_above_block().starts_with("one of") {
        true => "an item",
        false => "a step",
    };
    let help = format!("{what} with lines of its own ends with a colon: `{head}:`");
    let gap = Span::new(builder.file, end, end);
    Some(diagnostic.ways([Way::fix(help, gap, ":")]))
}

/// `scores`: what begins a declaration decides how it is read, so its grammar knows of no other.
fn misspelt_head(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    failure.text[failure.at..].strip_prefix(INDENT)?;
    let word = failure.before().trim_end();
    if !failure.is_first_line() {
        return None;
    }
    let near = crate::diagnostic::suggest::nearest(word, ["flow", "score"])?;
    let end = builder.layout.end_of_content(failure.at);
    let span = Span::new(builder.file, end - word.len(), end);
    let message = format!("`{word}` takes no lines below it");
    Some(Diagnostic::error("indentation", span, message).meant(span, near))
}

fn expected(builder: &Builder, failure: &Failure, error: &Error<Rule>) -> Diagnostic {
    let rules: &[Rule] = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => positives,
        ErrorVariant::CustomError { .. } => &[],
    };
    let form = forms::of(failure);
    let before = failure.before().trim();
    let after_word = forms::STATEMENT_WORDS.contains(&before);
    let wanted = phrases::list(rules, form, after_word);
    let message = match form.name {
        "" => format!("expected {wanted}"),
        name => format!("in this {name}: expected {wanted}"),
    };
    let (span, here) = place(builder, failure);
    let mut diagnostic = Diagnostic::error("syntax", span, message).here(here);
    if !form.example.is_empty() {
        let last = before.rsplit(' ').next().unwrap_or(before);
        let is_alone = failure.token_length() == 0 && forms::STATEMENT_WORDS.contains(&last);
        let called = match is_alone {
            true => format!("; an action of this name is called with `{last}()`"),
            false => String::new(),
        };
        diagnostic = diagnostic.help(format!("it is written: `{}`{called}", form.example));
    }
    diagnostic
}

/// What the carets show and what is said there.
fn place(builder: &Builder, failure: &Failure) -> (Span, String) {
    let length = failure.token_length();
    if length > 0 {
        let span = builder
            .layout
            .span(builder.file, failure.at..failure.at + length);
        return (span, String::new());
    }
    let end = builder.layout.end_of_content(failure.at);
    (
        Span::new(builder.file, end, end),
        "the line ends here".to_owned(),
    )
}

/// The names that a declaration gives, as far as its words tell: `claim` of `action claim(…`, `hand` of `player.hand: …`; also
/// what begins a line below it, which may be a step, a column or a line of the score.
pub(super) fn declared(chunk: &str) -> Vec<String> {
    let mut lines = chunk
        .lines()
        .filter(|line| !line.is_empty() && !line.trim_start().starts_with('#'));
    let Some(first) = lines.next() else {
        return Vec::new();
    };
    let mut words = first.split(' ').filter(|word| !word.is_empty());
    let mut heads = Vec::new();
    let mut word = words.next().unwrap_or_default();
    while ["replace", "once"].contains(&word) || forms::DECLARATION_WORDS.contains(&word) {
        heads.push(word);
        let Some(next) = words.next() else { break };
        word = next;
    }
    let mut names = vec![name_in(word.rsplit('.').next().unwrap_or(word)).to_owned()];
    if heads.contains(&"enum") {
        let others = first.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        names.extend(others.map(str::to_owned));
    }
    if heads.contains(&"tiling") {
        names.extend(TILING_WORDS.map(str::to_owned));
    }
    names.extend(lines.flat_map(|line| {
        let words = line.split([',', '|', ':']);
        words.map(|word| name_in(word.trim()).to_owned())
    }));
    names.retain(|name| !name.is_empty());
    names
}

/// What only a game with a board knows.
const TILING_WORDS: [&str; 22] = [
    "cell",
    "side",
    "port",
    "n",
    "e",
    "s",
    "w",
    "ne",
    "se",
    "sw",
    "nw",
    "nne",
    "ene",
    "ese",
    "sse",
    "ssw",
    "wsw",
    "wnw",
    "nnw",
    "orthogonal",
    "diagonal",
    "leap",
];

/// The word that a text begins with.
fn name_in(text: &str) -> &str {
    let in_name = |c: char| c.is_alphanumeric() || c == '_';
    let owner = text.split('.').next_back().unwrap_or(text);
    &owner[..owner.find(|c| !in_name(c)).unwrap_or(owner.len())]
}
