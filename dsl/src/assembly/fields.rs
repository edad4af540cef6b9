//! Reading a section of a manifest field by field: wrong values and unknown keys are reported where they stand.

use super::tree::{Node, Value};
use crate::bounds::SEATS_MAX;
use crate::diagnostic::{Diagnostic, suggest::nearest};
use crate::source::Span;

/// A key of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub name: &'static str,
    /// What it is for, lower case, no full stop.
    pub meaning: &'static str,
    pub holds: Holds,
}

/// What can be written behind a key, as far as it can be offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// What nobody can foresee: a name, a number, a file.
    Free,
    /// A section of its own.
    Section,
    Flag,
    OneOf(&'static [&'static str]),
    /// An expression of the rules, or a look.
    Value,
    /// A text, in its braces expressions.
    Template,
    /// A container of the rules.
    Zone,
    /// `p in player`
    Loop,
    /// Ids of panels.
    Panels,
    /// Ids of overlays.
    Overlays,
}

pub(crate) const fn key(name: &'static str, meaning: &'static str, holds: Holds) -> Key {
    Key {
        name,
        meaning,
        holds,
    }
}

/// Names of keys.
pub(crate) fn names(keys: &[Key]) -> Vec<&'static str> {
    keys.iter().map(|key| key.name).collect()
}

/// A text of a manifest with its place.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub text: String,
    pub span: Span,
}

/// One section, `[game]`, and where its mistakes go.
pub(crate) struct Fields<'a> {
    node: &'a Node,
    title: &'a str,
    out: &'a mut Vec<Diagnostic>,
}

impl<'a> Fields<'a> {
    /// Reports keys that are not among `known`.
    pub fn new(
        node: &'a Node,
        title: &'a str,
        known: &[Key],
        out: &'a mut Vec<Diagnostic>,
    ) -> Fields<'a> {
        if !matches!(node.value, Value::Table(_) | Value::Broken) {
            let message = format!("`{title}` is {}, not a section", node.describe());
            out.push(
                Diagnostic::error("wrong-value", node.span, message)
                    .help("a section has keys: `[name]`, and below it lines `key = value`"),
            );
        }
        for (key, _) in node.entries() {
            if !known.iter().any(|one| one.name == key.text) {
                let known = names(known);
                out.push(unknown_key(&key.text, key.span, title, &known));
            }
        }
        Fields { node, title, out }
    }

    pub fn span(&self) -> Span {
        self.node.span
    }

    pub fn is_missing(&self, key: &str) -> bool {
        self.node.get(key).is_none()
    }

    pub fn error(&mut self, diagnostic: Diagnostic) {
        self.out.push(diagnostic);
    }

    pub fn required_text(&mut self, key: &str) -> Option<Text> {
        self.require_as(key, "\"…\"");
        self.text(key)
    }

    pub fn text(&mut self, key: &str) -> Option<Text> {
        let node = self.node.get(key)?;
        let text = as_text(node);
        if text.is_none() {
            self.wrong(key, node, &TEXT);
        }
        text
    }

    pub fn texts(&mut self, key: &str) -> Vec<Text> {
        let Some(node) = self.node.get(key) else {
            return Vec::new();
        };
        let Value::List(values) = &node.value else {
            self.wrong(key, node, &TEXTS);
            return Vec::new();
        };
        let mut texts = Vec::new();
        for value in values {
            match as_text(value) {
                Some(text) => texts.push(text),
                None => self.wrong(key, value, &ONE_OF_TEXTS),
            }
        }
        texts
    }

    pub fn flag(&mut self, key: &str) -> bool {
        match self.node.get(key) {
            None => false,
            Some(node) => match node.value {
                Value::Bool(value) => value,
                _ => {
                    self.wrong(key, node, &SWITCH);
                    false
                }
            },
        }
    }

    /// Reports a key that is missing.
    pub fn require(&mut self, key: &str) {
        self.require_as(key, "…");
    }

    /// What is no section has been reported, and misses nothing.
    fn require_as(&mut self, key: &str, example: &str) {
        if matches!(self.node.value, Value::Table(_)) && self.is_missing(key) {
            let message = format!("`{}` has no `{key}`", self.title);
            let help = format!("write `{key} = {example}`");
            self.out
                .push(Diagnostic::error("missing-key", self.node.span, message).help(help));
        }
    }

    /// A number that is not negative.
    pub fn count(&mut self, key: &str) -> Option<u32> {
        let node = self.node.get(key)?;
        let count = as_count(node);
        if count.is_none() {
            self.wrong(key, node, &COUNT);
        }
        count
    }

    /// `[120, 80]`, or one number for both.
    pub fn pair(&mut self, key: &str) -> Option<(u32, u32)> {
        let node = self.node.get(key)?;
        let numbers: Vec<u32> = match &node.value {
            Value::List(values) => values.iter().filter_map(as_count).collect(),
            _ => as_count(node).into_iter().cycle().take(2).collect(),
        };
        match numbers[..] {
            [width, height] => Some((width, height)),
            _ => {
                self.wrong(key, node, &SIZE);
                None
            }
        }
    }

    /// `[18, -10]`
    pub fn signed_pair(&mut self, key: &str) -> Option<(i32, i32)> {
        let node = self.node.get(key)?;
        let numbers: Vec<i32> = match &node.value {
            Value::List(values) => values.iter().filter_map(as_number).collect(),
            _ => Vec::new(),
        };
        match numbers[..] {
            [x, y] => Some((x, y)),
            _ => {
                self.wrong(key, node, &OFFSET);
                None
            }
        }
    }

    /// `[2, 5]`: least and greatest number of players.
    pub fn players(&mut self, key: &str) -> Option<(u32, u32)> {
        let node = self.node.get(key)?;
        let numbers: Vec<u32> = match &node.value {
            Value::List(values) => values.iter().filter_map(as_count).collect(),
            _ => Vec::new(),
        };
        let [least, greatest] = numbers[..] else {
            self.wrong(key, node, &PLAYERS);
            return None;
        };
        if least == 0 || least > greatest {
            let message = format!("`{key}` goes from {least} to {greatest}");
            let mut diagnostic = Diagnostic::error("players-order", node.span, message)
                .help("the least number of players comes first, and it is at least 1");
            if least > greatest && greatest > 0 {
                let turned = format!("[{greatest}, {least}]");
                diagnostic = diagnostic.fix("turn it round", node.span, turned);
            }
            self.out.push(diagnostic);
            return None;
        }
        if greatest > SEATS_MAX {
            let message = format!("`{key}` goes up to {greatest}; a table has {SEATS_MAX} seats");
            let help = format!("seats are called A to Z: write {SEATS_MAX} at most");
            self.out
                .push(Diagnostic::error("players-order", node.span, message).help(help));
            return None;
        }
        Some((least, greatest))
    }

    fn wrong(&mut self, key: &str, node: &Node, wanted: &Wanted) {
        let same = match node.value {
            Value::Broken => return,
            Value::List(_) => wanted.kind == Kind::List,
            Value::Int(_) => wanted.kind == Kind::Number,
            _ => false,
        };
        // "is a list" is no news where a list of other values is wanted.
        let message = match same {
            true => format!("`{key}` wants {}", wanted.words),
            false => format!("`{key}` is {}, not {}", node.describe(), wanted.words),
        };
        let help = format!("write it like `{key} = {}`", wanted.example);
        self.out
            .push(Diagnostic::error("wrong-value", node.span, message).help(help));
    }
}

/// What a value has to be.
struct Wanted {
    kind: Kind,
    words: &'static str,
    /// As the whole key would be written.
    example: &'static str,
}

#[derive(PartialEq, Eq)]
enum Kind {
    Text,
    Bool,
    Number,
    List,
}

const fn wanted(kind: Kind, words: &'static str, example: &'static str) -> Wanted {
    Wanted {
        kind,
        words,
        example,
    }
}

const TEXT: Wanted = wanted(Kind::Text, "a text in quotes", "\"…\"");
const TEXTS: Wanted = wanted(Kind::List, "a list of texts", TEXTS_EXAMPLE);
const ONE_OF_TEXTS: Wanted = wanted(Kind::Text, "a text in quotes", TEXTS_EXAMPLE);
const TEXTS_EXAMPLE: &str = "[\"…\", \"…\"]";
const SWITCH: Wanted = wanted(Kind::Bool, "`true` or `false`", "true");
const COUNT: Wanted = wanted(Kind::Number, "a whole number from 0 on", "1");
const SIZE: Wanted = wanted(Kind::List, "two whole numbers from 0 on", "[120, 80]");
const OFFSET: Wanted = wanted(Kind::List, "two whole numbers", "[18, -10]");
const PLAYERS: Wanted = wanted(Kind::List, "two whole numbers", "[2, 5]");

pub(crate) fn unknown_key(key: &str, span: Span, title: &str, known: &[&str]) -> Diagnostic {
    let message = format!("`{title}` has no key `{key}`");
    let diagnostic = Diagnostic::error("unknown-key", span, message);
    match nearest(key, known.iter().copied()) {
        Some(near) => diagnostic.meant(span, near),
        None => diagnostic.help(format!("known are {}", quoted_list(known.iter().copied()))),
    }
}

/// "`a`, `b` and `c`"
pub(crate) fn quoted_list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        None => "none".into(),
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
    }
}

/// "there is `a`", "there are `a` and `b`"
pub(crate) fn there_are(names: &[&str]) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("there {verb} {}", quoted_list(names.iter().copied()))
}

fn as_text(node: &Node) -> Option<Text> {
    match &node.value {
        Value::Text { text, span, .. } => Some(Text {
            text: text.clone(),
            span: *span,
        }),
        _ => None,
    }
}

fn as_number(node: &Node) -> Option<i32> {
    match node.value {
        Value::Int(number) => i32::try_from(number).ok(),
        _ => None,
    }
}

fn as_count(node: &Node) -> Option<u32> {
    match node.value {
        Value::Int(number) => u32::try_from(number).ok(),
        _ => None,
    }
}
