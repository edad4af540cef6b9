//! Answers as people type them, as in scenarios: a word, a number, `claim(x, y)`, `cell[3, 6]`, `{red: 2}`, `[a, b]`.

use dsl::ir::{Answer, AnswerKind};
use dsl::source::{FileId, Span};
use interpreter::ask::Eyes;
use interpreter::words::{Matched, Refusal, RefusalKind, Words, unquoted};
use interpreter::{Machine, explain};

/// Brackets in brackets are followed no deeper.
const DEPTH_MAX: usize = 32;

/// The answer a text means; none if its brackets or quotes do not close.
pub fn answer(text: &str) -> Option<Answer> {
    let mut reader = Reader { text, at: 0 };
    let answer = reader.answer(0)?;
    reader.blanks();
    (reader.at == text.len()).then_some(answer)
}

/// What a line may say: as it stands in scenarios, in the words that people read, with or without the brackets around
/// several things that are one answer.
fn readings(words: &Words<'_>, line: &str) -> Vec<Answer> {
    let named = words.as_written(line);
    let texts = std::iter::once(line.to_owned()).chain(named);
    let each = texts.flat_map(|text| [format!("[{text}]"), text].into_iter().rev());
    each.filter_map(|text| answer(&text)).collect()
}

/// The places in the offer of the answers that a line means.
pub fn meant(words: &Words<'_>, machine: &Machine<'_>, line: &str) -> Vec<usize> {
    let offered = machine.answers();
    let meant = |written: &Answer| -> Vec<usize> {
        let meant =
            |at: &usize| words.matches(machine, &offered.get(*at), written) == Some(Matched::Whole);
        (0..offered.len()).filter(meant).collect()
    };
    let readings = readings(words, line);
    let mut each = readings.iter().map(meant);
    each.find(|found| !found.is_empty()).unwrap_or_default()
}

/// What there is to say of a line that may be an answer.
#[derive(Clone, Debug)]
pub enum Why {
    /// It cannot be read.
    Unreadable,
    /// It is one of the answers.
    Offered,
    /// Nothing is against it, but something else is asked now.
    NotNow,
    /// What is against it.
    Refused(Vec<Refusal>),
}

/// Why what a line says is not offered to whoever is asked.
pub fn why(words: &Words<'_>, machine: &mut Machine<'_>, line: &str, eyes: Eyes) -> Why {
    let mut reasons = None;
    for answer in readings(words, line) {
        let written = std::slice::from_ref(&answer);
        let found = explain::why_not(words, machine, written, eyes);
        let fits = |one: &Refusal| one.is_meant() && one.kind != RefusalKind::Nearly;
        let is_meant = found.is_empty() || found.iter().any(fits);
        // What could be meant here is told of; else what stands there as it is written.
        if is_meant || reasons.is_none() {
            reasons = Some(found);
        }
        if is_meant {
            break;
        }
    }
    match reasons {
        None => Why::Unreadable,
        Some(reasons) if !reasons.is_empty() => Why::Refused(reasons),
        Some(_) => {
            let shown = words.offers(machine);
            let known = words.answers(machine).iter().any(|answer| answer == line)
                || shown.iter().any(|offer| offer.text == line)
                || !meant(words, machine, line).is_empty();
            match known {
                true => Why::Offered,
                false => Why::NotNow,
            }
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn eat(&mut self, letter: char) -> bool {
        self.blanks();
        let found = self.rest().starts_with(letter);
        if found {
            self.at += letter.len_utf8();
        }
        found
    }

    fn answer(&mut self, depth: usize) -> Option<Answer> {
        if depth > DEPTH_MAX {
            return None;
        }
        self.blanks();
        let kind = if self.eat('{') {
            self.braces(depth)?
        } else if self.eat('[') {
            AnswerKind::List(self.items(']', depth)?)
        } else if self.rest().starts_with('"') {
            let (word, bytes) = unquoted(self.rest())?;
            self.at += bytes;
            AnswerKind::Word(word)
        } else {
            self.word(depth)?
        };
        Some(Answer {
            kind,
            span: Span::new(FileId(0), 0, 0),
        })
    }

    fn word(&mut self, depth: usize) -> Option<AnswerKind> {
        let end = self
            .rest()
            .find([',', ':', '(', ')', '{', '}', '[', ']', '"'])
            .unwrap_or(self.rest().len());
        let word = self.rest()[..end].trim().to_owned();
        self.at += end;
        if word.is_empty() {
            return None;
        }
        if self.eat('(') {
            return Some(AnswerKind::Call(word, self.items(')', depth)?));
        }
        if self.eat('[') {
            let keys = self.items(']', depth)?;
            let place = match (word.as_str(), keys.as_slice()) {
                ("cell", [_, _]) if key(&keys).is_some() => AnswerKind::Call(word, keys),
                _ => AnswerKind::Word(key(&keys)?),
            };
            return self.beside(place, depth);
        }
        Some(
            word.parse()
                .map_or(AnswerKind::Word(word), AnswerKind::Number),
        )
    }

    /// `cell[2, 2].border(e)`: what lies beside a place in a direction.
    fn beside(&mut self, place: AnswerKind, depth: usize) -> Option<AnswerKind> {
        let Some(rest) = self.rest().strip_prefix('.') else {
            return Some(place);
        };
        let name = ["border", "corner"].into_iter().find(|name| {
            let behind = rest.strip_prefix(name);
            behind.is_some_and(|behind| behind.trim_start().starts_with('('))
        })?;
        self.at += 1 + name.len();
        self.eat('(');
        let place = Answer {
            kind: place,
            span: Span::new(FileId(0), 0, 0),
        };
        let direction = self.items(')', depth)?;
        let all = std::iter::once(place).chain(direction);
        Some(AnswerKind::Call(name.to_owned(), all.collect()))
    }

    fn items(&mut self, close: char, depth: usize) -> Option<Vec<Answer>> {
        let mut items = Vec::new();
        while !self.eat(close) {
            items.push(self.answer(depth + 1)?);
            if !self.eat(',') {
                return self.eat(close).then_some(items);
            }
        }
        Some(items)
    }

    fn braces(&mut self, depth: usize) -> Option<AnswerKind> {
        let (mut set, mut bag) = (Vec::new(), Vec::new());
        while !self.eat('}') {
            let item = self.answer(depth + 1)?;
            if self.eat(':') {
                let AnswerKind::Number(count) = self.answer(depth + 1)?.kind else {
                    return None;
                };
                bag.push((item, count));
            } else {
                set.push(item);
            }
            if !self.eat(',') && !self.rest().starts_with('}') {
                return None;
            }
        }
        match (set.is_empty(), bag.is_empty()) {
            (_, true) => Some(AnswerKind::Set(set)),
            (true, false) => Some(AnswerKind::Bag(bag)),
            (false, false) => None,
        }
    }
}

/// What a row or place of a table is called by its keys: `cell[3, 6]` is `3/6`, as in scenarios.
fn key(keys: &[Answer]) -> Option<String> {
    let words = keys.iter().map(|key| match &key.kind {
        AnswerKind::Word(word) => Some(word.clone()),
        AnswerKind::Number(number) => Some(number.to_string()),
        AnswerKind::Call(..) | AnswerKind::Set(_) | AnswerKind::Bag(_) | AnswerKind::List(_) => {
            None
        }
    });
    let words: Vec<String> = words.collect::<Option<_>>()?;
    (!words.is_empty()).then(|| words.join("/"))
}

#[cfg(test)]
mod tests {
    use super::answer;
    use interpreter::words::print;

    #[test]
    fn what_is_typed_is_what_is_meant() {
        for (typed, meant) in [
            ("draw_cards", Some("draw_cards")),
            (
                " claim( berlin-hamburg-1 , {red: 2, blue:1})",
                Some("claim(berlin-hamburg-1, {red: 2, blue: 1})"),
            ),
            ("{a, \"b c\"}", Some("{a, \"b c\"}")),
            (r#""a\"b\n\\""#, Some(r#""a\"b\n\\""#)),
            ("\"(done)\"", Some("\"(done)\"")),
            ("[1, 2]", Some("[1, 2]")),
            ("cell[1, -4]", Some("cell(1, -4)")),
            (
                "pave(cell[2, 2].border(e))",
                Some("pave(border(cell(2, 2), e))"),
            ),
            ("cell[2, 2].colour(e)", None),
            (
                "play(cell[7, 6], road[\"a b\"])",
                Some("play(cell(7, 6), \"a b\")"),
            ),
            ("cell[]", None),
            ("cell[1, [2]]", None),
            ("claim(", None),
            ("{a: b}", None),
            ("", None),
        ] {
            assert_eq!(
                answer(typed).map(|answer| print(&answer)).as_deref(),
                meant,
                "{typed}"
            );
        }
    }
}
