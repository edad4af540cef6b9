//! `turn: eahc player`, `bag off fruit`: a word of the language that is misspelt. Which one is meant the grammar itself says:
//! with it, reading goes on beyond the place where it failed.

use super::Failure;
use super::habits::span;
use crate::diagnostic::suggest::nearest_of;
use crate::diagnostic::{Diagnostic, Way};
use crate::syntax::layout::{INDENT, is_word_byte};
use crate::syntax::parse::{Builder, Grammar, Rule};
use pest::Parser;
use pest::error::InputLocation;
use std::ops::Range;

/// Words back from the failure that may be the misspelt one: what is no word of the language is read as a name at first.
const BACK_MAX: usize = 2;
/// Words of the language that are tried in place of one, the nearest first.
const TRIED_MAX: usize = 4;

pub(super) fn recognise(builder: &Builder, failure: &Failure) -> Option<Diagnostic> {
    let words = super::phrases::words(Rule::all_rules());
    let right = |word: &Range<usize>| words.iter().any(|one| *one == failure.text[word.clone()]);
    let mut wrong = written(failure).filter(|word| !right(word) && !is_name(failure, word));
    let (word, meant) = wrong.find_map(|word| {
        let known = words.iter().map(String::as_str);
        let near = nearest_of(&failure.text[word.clone()], known, TRIED_MAX);
        let meant = near
            .into_iter()
            .find(|meant| reads_on(failure, &word, meant))?;
        Some((word, meant.to_owned()))
    })?;
    let place = span(builder, word.start, word.len());
    let word_end = word.end;
    let message = format!("`{}` is no word of the language here", &failure.text[word]);
    let mut ways = vec![Way::meant(place, &meant)];
    let ends = failure.text[failure.at..].starts_with(INDENT) && failure.at == word_end;
    if ends && failure.before().contains(": ") {
        ways.push(Way::help(
            "if it is an action, it stands on a line of its own, as deep as those below",
        ));
    }
    Some(Diagnostic::error("syntax", place, message).ways(ways))
}

/// The word at the failure, and those before it on its line, the last one first.
fn written<'t>(failure: &Failure<'t>) -> impl Iterator<Item = Range<usize>> + use<'t> {
    let text = failure.text;
    let line = failure.line.max(failure.base);
    let part_of_word = |at: usize| {
        text.as_bytes()
            .get(at)
            .is_some_and(|byte| is_word_byte(*byte))
    };
    let at_failure = part_of_word(failure.at).then(|| {
        let begin = begin_of(text, line, failure.at);
        begin..failure.at + failure.token_length()
    });
    let mut at = at_failure.as_ref().map_or(failure.at, |word| word.start);
    let before = std::iter::from_fn(move || {
        let end = line + text[line..at].trim_end_matches(' ').len();
        at = begin_of(text, line, end);
        (at < end).then_some(at..end)
    });
    at_failure.into_iter().chain(before.take(BACK_MAX))
}

/// `pay(3)`, `pay.price`: what follows says that it is the name of something.
fn is_name(failure: &Failure, word: &Range<usize>) -> bool {
    failure.text[word.end..].starts_with(['(', '[', '.'])
}

/// Where the word begins that ends here.
fn begin_of(text: &str, line: usize, end: usize) -> usize {
    let letters = text.as_bytes()[line..end].iter().rev();
    end - letters.take_while(|byte| is_word_byte(**byte)).count()
}

/// With this word in place of that one, the grammar fails further on, or not at all.
fn reads_on(failure: &Failure, word: &Range<usize>, meant: &str) -> bool {
    let (before, behind) = (
        &failure.text[failure.base..word.start],
        &failure.text[word.end..],
    );
    let Err(error) = Grammar::parse(failure.rule, &format!("{before}{meant}{behind}")) else {
        return true;
    };
    let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
    // In bytes from the end of the word.
    let now = (at + failure.base).saturating_sub(word.start + meant.len());
    let then = (failure.at + failure.token_length()).saturating_sub(word.end);
    now > then
}
