//! Answers that nobody could prove to lead on, and the way back to them from a dead end.

use super::answers::{AnswerKind, Answers, Raw};
use super::{Fault, Halt, Machine};
use crate::program::*;

/// An answer that was taken although nobody could prove that it leads on, and the words of the state before it.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Marked {
    /// Looking ahead broke off.
    broken_off: bool,
    before: Vec<i32>,
    kind: AnswerKind,
    value: i32,
    words: Vec<i32>,
}

impl Clone for Marked {
    fn clone(&self) -> Marked {
        let mut copy = Marked::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Marked) {
        self.before.clone_from(&other.before);
        self.words.clone_from(&other.words);
        (self.broken_off, self.kind, self.value) = (other.broken_off, other.kind, other.value);
    }
}

/// Such answers one behind the other; the room of those that are forgotten is kept.
#[derive(Default)]
pub(crate) struct Marks {
    items: Vec<Marked>,
    count: usize,
}

impl Marks {
    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub fn clear(&mut self) {
        self.count = 0;
    }

    fn all(&self) -> &[Marked] {
        &self.items[..self.count]
    }

    /// One more, to be written.
    fn grow(&mut self) -> &mut Marked {
        if self.count == self.items.len() {
            self.items.push(Marked::default());
        }
        self.count += 1;
        &mut self.items[self.count - 1]
    }

    fn forget_first(&mut self) {
        self.items[..self.count].rotate_left(1);
        self.count -= 1;
    }
}

impl Clone for Marks {
    fn clone(&self) -> Marks {
        Marks {
            items: self.all().to_vec(),
            count: self.count,
        }
    }

    fn clone_from(&mut self, other: &Marks) {
        if self.items.len() < other.count {
            self.items.resize_with(other.count, Marked::default);
        }
        self.count = other.count;
        let copied = self.items.iter_mut().zip(other.all());
        copied.for_each(|(copy, one)| copy.clone_from(one));
    }
}

impl PartialEq for Marks {
    fn eq(&self, other: &Marks) -> bool {
        self.all() == other.all()
    }
}

impl Eq for Marks {}

impl std::hash::Hash for Marks {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.all().hash(state);
    }
}

impl std::fmt::Debug for Marks {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.all().fmt(to)
    }
}

/// Answers that led to a dead end, by the state in which they were taken; kept without allocation.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Struck {
    items: Vec<(u64, Raw)>,
    words: Vec<i32>,
}

impl Clone for Struck {
    fn clone(&self) -> Struck {
        let mut copy = Struck::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Struck) {
        self.items.clone_from(&other.items);
        self.words.clone_from(&other.words);
    }
}

impl Struck {
    pub fn clear(&mut self) {
        self.items.clear();
        self.words.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub(super) fn push(&mut self, state: u64, marked: &Marked) {
        let raw = Raw {
            kind: marked.kind,
            value: marked.value,
            start: self.words.len() as u32,
            len: marked.words.len() as u32,
        };
        self.words.extend_from_slice(&marked.words);
        self.items.push((state, raw));
    }

    /// Takes what was struck in this state out of the answers.
    pub(super) fn take_out_of(&self, answers: &mut Answers, state: u64) {
        let run = |raw: &Raw| raw.start as usize..(raw.start + raw.len) as usize;
        let Answers { items, words } = answers;
        items.retain(|(raw, _)| {
            !self.items.iter().any(|(at, other)| {
                *at == state
                    && (other.kind, other.value) == (raw.kind, raw.value)
                    && self.words[run(other)] == words[run(raw)]
            })
        });
    }
}

impl<'p> Machine<'p> {
    pub(super) fn remember_if_marked(&mut self, at: usize) -> Result<(), Fault> {
        if self.answers.is_unproved(at) {
            self.remember_marked(at)?;
        }
        Ok(())
    }

    #[cold]
    fn remember_marked(&mut self, at: usize) -> Result<(), Fault> {
        self.note_how_much();
        if self.unproved_so_far() == UNPROVED_MAX {
            let span = self.here();
            self.broken(
                span,
                format!(
                    "after {UNPROVED_MAX} answers of this action, one behind the other, looking ahead cannot see that it \
                     can be ended: does a loop never end, or is something free that should cost?"
                ),
            );
            return Err(self.take_fault());
        }
        if self.marked.len() == MARKED_MAX {
            // Nobody goes back so far.
            self.marked.forget_first();
            self.noted.remove(0);
        }
        let mut marked = std::mem::take(self.marked.grow());
        marked.broken_off = self.broke_off;
        self.save_words(&mut marked.before);
        marked.kind = self.answers.kind(at);
        marked.value = self.answers.value(at);
        marked.words.clear();
        marked.words.extend_from_slice(self.answers.words(at));
        let last = self.marked.len() - 1;
        self.marked.items[last] = marked;
        Ok(())
    }

    /// Answers of this action before which looking ahead broke off.
    pub(super) fn unproved_so_far(&self) -> usize {
        let marked = self.marked.all().iter();
        marked.filter(|marked| marked.broken_off).count()
    }

    /// An action of the flow is through: nothing before it is taken back.
    pub(crate) fn forget_marked(&mut self) {
        self.marked.clear();
        self.struck.clear();
        self.keep_counts();
        self.forget_met();
    }

    /// Nothing goes on from here: back to the last answer that was offered without proof, which is struck.
    pub(super) fn dead_end(&mut self) -> Result<(), Fault> {
        let Some(last) = self.marked.len().checked_sub(1) else {
            return Err(self.stuck());
        };
        if self.struck.len() == DEAD_ENDS_MAX {
            let stuck = self.stuck();
            return Err(Fault {
                message: format!(
                    "{DEAD_ENDS_MAX} ways to go on with this action were dead ends, and no other is known; at the last one {}",
                    stuck.message
                ),
                ..stuck
            });
        }
        self.back_to(last, true);
        // Others have refused so much that looking ahead with what the player sees is of no use: from here on it sees all.
        if self.struck.len() == DEAD_ENDS_UNSEEN_MAX && last > 0 {
            self.back_to(0, false);
        }
        Ok(())
    }

    /// To where an answer was taken that is not proved, which may be struck.
    fn back_to(&mut self, at: usize, strikes: bool) {
        self.forget_since(at);
        let marked = std::mem::take(&mut self.marked.items[at]);
        let mut struck = std::mem::take(&mut self.struck);
        let (steps, work) = (self.steps, self.work);
        self.restore_words(&marked.before);
        (self.steps, self.work) = (steps, work);
        if strikes {
            struck.push(self.state_hash(), &marked);
        }
        self.marked.items[at] = marked;
        self.marked.count = at;
        self.struck = struck;
        self.networks.forget();
    }

    /// A requirement fails where nobody chose anything.
    fn stuck(&mut self) -> Fault {
        let (message, rule) = match self.unmet {
            _ if self.unheard => (String::new(), None),
            _ if self.rounds.endless.is_some() => (
                "no answer is possible here; the last that was tried comes back to where it began, whatever is chosen: \
                 does a loop never end?"
                    .to_owned(),
                None,
            ),
            Some(unmet) => {
                let reason = &self.p.reasons[unmet.reason.at()];
                let rule = matches!(reason.kind, ReasonKind::Rule(_)).then_some(reason.span);
                let brief = self.reason_in_brief(reason);
                let message = match self.halt {
                    Halt::Fail => format!("nothing can be done here: {brief}"),
                    Halt::No | Halt::Unknown | Halt::Fault => format!(
                        "no answer is possible here; the last that was tried leads to this: {brief}"
                    ),
                };
                (message, rule)
            }
            None => ("no answer is possible here".to_owned(), None),
        };
        self.halt = Halt::No;
        Fault {
            span: self.here(),
            message,
            unmet: self.unmet,
            rule,
        }
    }

    fn reason_in_brief(&self, reason: &Reason) -> String {
        match &reason.kind {
            ReasonKind::Range(slot) => {
                format!("`{}` would leave its range", self.p.cells[slot.at()].name)
            }
            ReasonKind::Missing(slot) => {
                format!("`{}` does not hold enough", self.p.cells[slot.at()].name)
            }
            ReasonKind::Full(slot) => format!("`{}` has no room", self.p.cells[slot.at()].name),
            ReasonKind::Need | ReasonKind::Where(_) => "a requirement is not met".into(),
            ReasonKind::Outside { .. } => "a number lies outside of what is wanted here".into(),
            ReasonKind::Rule(id) => {
                let mut text = match self.p.rules[id.index()].name.as_str() {
                    "" => "an `always` rule would be broken".to_owned(),
                    name => format!("`always {name}` would be broken"),
                };
                if let Some(message) = reason.message {
                    text.push_str(": ");
                    let mut number;
                    for part in &self.p.messages[message as usize] {
                        text.push_str(match part {
                            MessagePart::Text(part) => part,
                            MessagePart::Value(node, dsl::ir::Ty::Int { .. }) => {
                                // Of an option the value is known; of all else it is no more what it was.
                                if let Node::Const(value) = self.p.nodes[node.at()] {
                                    number = value.to_string();
                                    &number
                                } else {
                                    "…"
                                }
                            }
                            MessagePart::Value(..) => "…",
                        });
                    }
                }
                text
            }
            ReasonKind::IsNone => "something that is needed is none".into(),
            ReasonKind::NoAnswer(name) => format!("nothing can be chosen for `{name}`"),
            ReasonKind::NothingPossible => "none of the alternatives can be done".into(),
            ReasonKind::GivesUp => "the game would end before it is done".into(),
        }
    }

    pub(super) fn has_struck(&self) -> bool {
        !self.struck.is_empty()
    }
}
