//! What happened, in sentences, each with the rule that asked and what came of it.

use super::Playtest;
use dsl::source::Span;
use interpreter::State;
use interpreter::ask::Eyes;
use interpreter::game::NodeId;
use interpreter::observe::Observer;
use interpreter::words::{Heard, Telling, Words, in_order};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A sentence of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// Where the game stood behind it; the log goes there.
    pub node: NodeId,
    /// How it stood when it was told, if the game did not stop there: all had answered secretly, and nothing had followed yet.
    pub shown: Option<Arc<State>>,
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
    known: BTreeMap<NodeId, Arc<[Telling]>>,
}

impl Playtest {
    /// What happened from the set-up to where the game stands, as the eyes see it. What others choose in secret is told when
    /// all have chosen.
    pub fn log(&mut self) -> Vec<LogLine> {
        let here = self.tree.position();
        let path = self.tree.line()[..=here].to_vec();
        let mut log = std::mem::take(&mut self.log);
        if path.iter().any(|id| !log.known.contains_key(id)) {
            let teller = Teller::new(self);
            for id in &path {
                let heard = log.known.entry(*id);
                heard.or_insert_with(|| teller.tellings(*id).into());
            }
        }
        self.log = log;
        let known = path.into_iter().filter_map(|id| {
            let tellings = self.log.known.get(&id)?;
            Some(tellings.iter().map(move |telling| (id, telling)))
        });
        let told = in_order(known.flatten());
        let heard: Vec<Heard> = told.iter().map(|told| told.heard.clone()).collect();
        let sentences = self.game.words().sentences(&heard).into_iter();
        let lines = sentences.map(|sentence| LogLine {
            node: told[sentence.answers.end - 1].place,
            shown: told[sentence.answers.end - 1].shown.cloned(),
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
        let eyes: Eyes = self.playtest.eyes.into();
        let mut hearing = self.observer.hears(&first, eyes);
        let knows = eyes == Eyes::Open || eyes == Eyes::Of(Some(first.seat));
        hearing.answer &= knows || !first.is_kept_secret();
        let heard = self.words.heard(&first, hearing, Vec::new());
        let sentence = self.words.sentences(&[heard]).into_iter().next()?;
        Some((first.seat, sentence.text))
    }

    /// What happened on the way to one point of the line.
    fn tellings(&self, id: NodeId) -> Vec<Telling> {
        let tree = &self.playtest.tree;
        // Of the set-up only is told what somebody answered.
        let tells_news = tree.node(id).parent.is_some();
        let eyes: Eyes = self.playtest.eyes.into();
        let told = tree.told(self.words.program, id).into_iter();
        let tellings =
            told.flat_map(|told| self.words.tellings(&self.observer, &told, eyes, tells_news));
        tellings.collect()
    }
}
