//! Answers, and how they answer.

use super::trying::Outcome;

/// How an answer answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AnswerKind {
    #[default]
    /// An element of a choice: `value`.
    Element,
    /// A part of a zone: `words` are its words.
    Part,
    /// Item `value` of a menu.
    Item,
    /// No more, or no.
    Done,
    /// Yes, do it (the body of a `may` that begins without a question).
    Yes,
    /// Anytime action number `value`.
    Anytime,
    /// Entry `value` of an agenda; `words` are body, given, arguments.
    Entry,
    /// Go on after a pause.
    Go,
    /// The step of a walk along arc `value`; `words` are link, next node, side.
    Step,
    /// What is chosen for several questions at once: `words` has one word for each.
    Together,
}

/// An answer on its own, for logs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Answer {
    /// What sort of answer.
    pub kind: AnswerKind,
    /// The element, the number of an item, entry or action; 0 where there is nothing to number.
    pub value: i32,
    /// Of parts and of what is answered at once: the values; else empty.
    pub words: Vec<i32>,
}

/// An answer whose words lie in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Raw {
    pub kind: AnswerKind,
    pub value: i32,
    /// Run of `part_words`.
    pub start: u32,
    pub len: u32,
}

impl Raw {
    pub fn new(kind: AnswerKind, value: i32) -> Raw {
        Raw {
            kind,
            value,
            start: 0,
            len: 0,
        }
    }
}

/// All answers of a decision, in canonical order; reused without allocation.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    pub(super) items: Vec<(Raw, Outcome)>,
    pub(super) words: Vec<i32>,
}

impl Answers {
    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.items.clear();
        self.words.clear();
    }

    /// The same as others, without asking for room once there is enough.
    pub(super) fn copy_from(&mut self, others: &Answers) {
        self.clear();
        self.items.extend_from_slice(&others.items);
        self.words.extend_from_slice(&others.words);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// What kind of answer this is.
    pub fn kind(&self, at: usize) -> AnswerKind {
        self.items[at].0.kind
    }

    /// Its element, item or entry, by number.
    pub fn value(&self, at: usize) -> i32 {
        self.items[at].0.value
    }

    /// The words of a part.
    pub fn words(&self, at: usize) -> &[i32] {
        let raw = self.items[at].0;
        &self.words[raw.start as usize..(raw.start + raw.len) as usize]
    }

    /// Nobody could prove that the player can go on from it: it needs what is not seen yet, or the look-ahead became too large.
    pub fn is_marked(&self, at: usize) -> bool {
        self.items[at].1 == Outcome::Perhaps
    }

    /// As [`Answers::is_marked`], or others who are asked before the end decide with what they alone see.
    pub fn is_unproved(&self, at: usize) -> bool {
        self.outcome(at) != Outcome::Yes
    }

    /// What looking ahead from it found.
    pub(super) fn outcome(&self, at: usize) -> Outcome {
        self.items[at].1
    }

    /// An answer by its number.
    pub fn get(&self, at: usize) -> Answer {
        Answer {
            kind: self.kind(at),
            value: self.value(at),
            words: self.words(at).to_vec(),
        }
    }

    /// The number of this answer among them.
    pub fn position(&self, answer: &Answer) -> Option<usize> {
        (0..self.len()).find(|&at| {
            self.kind(at) == answer.kind
                && self.value(at) == answer.value
                && self.words(at) == answer.words
        })
    }

    pub(super) fn raw(&self, at: usize) -> Raw {
        self.items[at].0
    }

    pub(super) fn remove(&mut self, at: usize) {
        self.items.remove(at);
    }

    pub(super) fn swap(&mut self, a: usize, b: usize) {
        self.items.swap(a, b);
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.items.truncate(len);
    }

    pub(super) fn mark(&mut self, at: usize, outcome: Outcome) {
        self.items[at].1 = outcome;
    }

    pub(super) fn push(&mut self, raw: Raw, words: &[i32], outcome: Outcome) {
        let start = self.words.len() as u32;
        self.words.extend_from_slice(words);
        self.items.push((
            Raw {
                start,
                len: words.len() as u32,
                ..raw
            },
            outcome,
        ));
    }
}
