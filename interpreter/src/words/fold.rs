//! Which answers one sentence tells of, and what came of them together.

use super::observed::{Change, News};
use super::speech::Chosen;
use super::tale::{Heard, Said};
use dsl::ir::DeedId;
use dsl::source::Span;

/// A sentence that is still being told.
pub(super) struct Open {
    pub answers: std::ops::Range<usize>,
    pub seat: u32,
    pub span: Option<Span>,
    pub hidden: bool,
    /// It tells what follows when all have answered secretly.
    pub follows: bool,
    pub deed: Option<DeedId>,
    /// What was picked, one in another.
    pub begins: Vec<String>,
    pub chosen: Vec<(Chosen, String)>,
    /// What the deed was given.
    pub given: Vec<Chosen>,
    /// Of a walk, and what was said beside.
    pub steps: Vec<String>,
    /// What was not done.
    pub undone: Option<String>,
    /// Something came of it that is seen.
    changed: bool,
}

impl Open {
    pub fn begin(at: usize, one: &Heard) -> Open {
        let mut open = Open {
            answers: at..at + 1,
            seat: one.seat,
            span: one.span,
            hidden: false,
            follows: false,
            deed: None,
            begins: Vec::new(),
            chosen: Vec::new(),
            given: one.given.clone(),
            steps: Vec::new(),
            undone: None,
            changed: !one.news.is_empty(),
        };
        match &one.said {
            Said::Hidden => open.hidden = true,
            Said::Follows => open.follows = true,
            Said::Nothing => {}
            Said::Begins(deed, text) => {
                open.deed = *deed;
                open.begins.push(text.clone());
            }
            Said::Chooses(deed, chosen) => {
                open.deed = *deed;
                open.chosen.extend(chosen.iter().cloned());
            }
            Said::Says(text) | Said::Declines(text) => open.steps.push(text.clone()),
            Said::LeavesUndone(deed) => open.undone = Some(deed.clone()),
        }
        open
    }

    /// Takes an answer that belongs to the same deed.
    pub fn take(&mut self, one: &Heard) -> bool {
        if one.seat != self.seat || self.follows {
            return false;
        }
        let taken = match &one.said {
            Said::Hidden => self.hidden,
            Said::Follows => false,
            Said::Nothing => true,
            // That there is no more goes without saying.
            Said::Declines(_) | Said::LeavesUndone(_) => !self.hidden,
            Said::Says(text) => {
                let fits = !self.hidden && self.undone.is_none();
                if fits {
                    self.steps.push(text.clone());
                }
                fits
            }
            Said::Begins(deed, text) => {
                // What is picked within what was picked says it more closely.
                let fits = !self.hidden
                    && !self.changed
                    && self.chosen.is_empty()
                    && self.steps.is_empty()
                    && !self.begins.is_empty();
                if fits {
                    self.deed = *deed;
                    self.begins.push(text.clone());
                }
                fits
            }
            Said::Chooses(deed, chosen) => {
                let known =
                    |name: &String| self.chosen.iter().any(|(known, _)| known.name == *name);
                let again = chosen.iter().any(|(one, _)| known(&one.name));
                let belongs = *deed == self.deed && (deed.is_some() || !self.begins.is_empty());
                let fits = !self.hidden && belongs && !again;
                if fits {
                    self.chosen.extend(chosen.iter().cloned());
                }
                fits
            }
        };
        if taken {
            self.given.extend(one.given.iter().cloned());
            self.changed |= !one.news.is_empty();
        }
        taken
    }
}

/// What is new after all of them: numbers and pieces that changed several times are told once.
pub(super) fn merged(own: &[Heard]) -> Vec<(News, Option<Span>)> {
    let mut all: Vec<(News, Option<Span>)> = Vec::new();
    for (news, span) in own.iter().flat_map(|one| &one.news) {
        let known = all.iter_mut().find(|(known, _)| {
            known.words == news.words
                && known.owner == news.owner
                && match (&known.change, &news.change) {
                    (Change::Number { .. }, Change::Number { .. }) => true,
                    (Change::Pieces { piece: a, .. }, Change::Pieces { piece: b, .. }) => a == b,
                    (Change::Other(_), Change::Other(_)) => true,
                    (
                        Change::Number { .. } | Change::Pieces { .. } | Change::Other(_),
                        Change::Number { .. } | Change::Pieces { .. } | Change::Other(_),
                    ) => false,
                }
        });
        match known {
            None => all.push((news.clone(), *span)),
            Some((known, at)) => {
                *at = *span;
                match (&mut known.change, &news.change) {
                    (Change::Number { new, .. }, Change::Number { new: last, .. }) => *new = *last,
                    (Change::Pieces { by, .. }, Change::Pieces { by: more, .. }) => {
                        *by = by.saturating_add(*more)
                    }
                    (change, last) => *change = last.clone(),
                }
            }
        }
    }
    all
}
