//! What happened, in sentences, each with the rule that asked and what came of it.

use super::{Eyes, Playtest, look};
use dsl::source::Span;
use interpreter::game::{NodeId, Told};
use interpreter::observe::{Hearing, Observer};
use interpreter::words::{Heard, Words};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A sentence of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// Where the game stood behind it; the log goes there.
    pub node: NodeId,
    pub kind: LogKind,
    pub text: String,
    /// What came of it, in short.
    pub effects: String,
    /// Each thing that came of it, with the rule that did it.
    pub folded: Vec<(String, Option<Span>)>,
    /// The rule that asked.
    pub span: Option<Span>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogKind {
    /// Somebody answered.
    Answer { seat: u32 },
    /// The only answer there was.
    Forced { seat: u32 },
}

/// What was heard at points that were asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    /// With whether it is kept secret.
    known: BTreeMap<NodeId, Arc<[(bool, Heard)]>>,
}

impl Playtest {
    /// What happened from the set-up to where the game stands, as the eyes see it. What others answer in secret is told when
    /// the secret is over.
    pub fn log(&mut self) -> Vec<LogLine> {
        let here = self.tree.position();
        let path = self.tree.line()[..=here].to_vec();
        let mut log = std::mem::take(&mut self.log);
        if path.iter().any(|id| !log.known.contains_key(id)) {
            let teller = Teller::new(self);
            for id in &path {
                let heard = log.known.entry(*id);
                heard.or_insert_with(|| teller.heard_at(*id).into());
            }
        }
        self.log = log;
        let (mut told, mut late) = (Vec::new(), Vec::new());
        for id in path {
            let heard = self.log.known.get(&id).into_iter();
            for (secret, heard) in heard.flat_map(|heard| heard.iter()) {
                if !secret {
                    told.append(&mut late);
                }
                match *secret && !self.is_heard_at_once(heard.seat) {
                    true => late.push((id, heard.clone())),
                    false => told.push((id, heard.clone())),
                }
            }
        }
        let (nodes, heard): (Vec<NodeId>, Vec<Heard>) = told.into_iter().unzip();
        let sentences = self.game.words().sentences(&heard).into_iter();
        let lines = sentences.map(|sentence| LogLine {
            node: nodes[sentence.answers.end - 1],
            kind: match sentence.forced {
                true => LogKind::Forced {
                    seat: sentence.seat,
                },
                false => LogKind::Answer {
                    seat: sentence.seat,
                },
            },
            text: sentence.text,
            effects: sentence.effects,
            folded: sentence.folded,
            span: sentence.span,
        });
        lines.collect()
    }

    /// In a step in which all answer secretly.
    fn is_heard_at_once(&self, seat: u32) -> bool {
        match self.eyes {
            Eyes::All => true,
            Eyes::Seat(own) => own == seat,
            Eyes::Nobody => false,
        }
    }
}

/// Tells what happened at the points of a tree.
pub(super) struct Teller<'a> {
    playtest: &'a Playtest,
    words: Words<'a>,
    observer: Observer<'a>,
}

impl<'a> Teller<'a> {
    pub(super) fn new(playtest: &'a Playtest) -> Teller<'a> {
        let game = &playtest.game;
        Teller {
            playtest,
            words: game.words(),
            observer: Observer::new(&game.program),
        }
    }

    /// The answer that led to a point and who gave it, as far as the eyes hear it.
    pub(super) fn heard(&self, id: NodeId) -> Option<(u32, String)> {
        let told = self.playtest.tree.told(self.words.program, id);
        let first = told.into_iter().find(|told| !told.forced)?;
        let late = first.is_kept_secret() && !self.playtest.is_heard_at_once(first.seat);
        let mut hearing = self.hears(&first);
        hearing.answer &= !late;
        let heard = self.words.heard(&first, hearing, Vec::new());
        let sentence = self.words.sentences(&[heard]).into_iter().next()?;
        Some((first.seat, sentence.text))
    }

    /// What happened on the way to one point of the line, and whether it was done in secret and is kept so.
    fn heard_at(&self, id: NodeId) -> Vec<(bool, Heard)> {
        let tree = &self.playtest.tree;
        // Of the set-up only is told what somebody answered.
        let shows = tree.node(id).parent.is_some();
        let told = tree.told(self.words.program, id).into_iter();
        let heard = told.map(|told| {
            let hears = self.hears(&told);
            let heard = match shows {
                false => self.words.heard(&told, hears, Vec::new()),
                true => {
                    let eyes = self.playtest.eyes;
                    let [old, new] =
                        [told.before, told.after].map(|state| look(&self.observer, state, eyes));
                    let heard = self.words.heard(&told, hears, self.words.news(&old, &new));
                    self.words.with_points(heard, &told, eyes.into())
                }
            };
            (told.is_kept_secret(), heard)
        });
        heard.collect()
    }

    /// What the eyes hear of an answer.
    fn hears(&self, told: &Told<'_>) -> Hearing {
        match self.playtest.eyes {
            Eyes::All => Hearing::ALL,
            Eyes::Seat(own) if own == told.seat => Hearing::ALL,
            Eyes::Seat(_) | Eyes::Nobody => {
                let (kind, value) = (told.answer.kind, told.answer.value);
                self.observer.hearing(told.asked, kind, value)
            }
        }
    }
}
