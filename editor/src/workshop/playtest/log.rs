//! What happened, in sentences, each with the rule that did it.

use super::{Eyes, Playtest, look};
use dsl::source::Span;
use interpreter::Event;
use interpreter::game::{ItemKind, Node, NodeId};
use interpreter::observe::Observer;
use interpreter::program::header;
use interpreter::words::{News, Words};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A sentence of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// Where the game stood behind it; the log goes there.
    pub node: NodeId,
    pub kind: LogKind,
    pub text: String,
    /// The rule that asked or did it.
    pub span: Option<Span>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogKind {
    /// Somebody answered.
    Answer { seat: u32 },
    /// The only answer there was.
    Forced { seat: u32 },
    /// Something came of it.
    Event,
}

/// Lines of points that were asked for, as the eyes saw them.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    known: BTreeMap<NodeId, Arc<[LogLine]>>,
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
                let lines = log.known.entry(*id);
                lines.or_insert_with(|| teller.lines_of(*id).into());
            }
        }
        self.log = log;
        let (mut told, mut late) = (Vec::new(), Vec::new());
        for id in path {
            let lines = self.log.known.get(&id).into_iter();
            let secret = self.tree.is_kept_secret(id);
            if !secret {
                told.append(&mut late);
            }
            for line in lines.flat_map(|lines| lines.iter()) {
                match secret && !self.is_heard_at_once(line.kind) {
                    true => late.push(line.clone()),
                    false => told.push(line.clone()),
                }
            }
        }
        told
    }

    /// In a step in which all answer secretly.
    fn is_heard_at_once(&self, kind: LogKind) -> bool {
        match (self.eyes, kind) {
            (Eyes::All, _) => true,
            (Eyes::Seat(own), LogKind::Answer { seat } | LogKind::Forced { seat }) => own == seat,
            // What is seen of the state does not show anything of the step before it is over.
            (_, LogKind::Event) => true,
            (Eyes::Nobody, _) => false,
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
        let node = self.playtest.tree.node(id);
        let (kind, text, _) = self.answer(self.playtest.tree.node(node.parent?), node)?;
        let LogKind::Answer { seat } = kind else {
            return None;
        };
        match self.playtest.tree.is_kept_secret(id) && !self.playtest.is_heard_at_once(kind) {
            true => Some((seat, self.has_chosen(seat))),
            false => Some((seat, text)),
        }
    }

    fn has_chosen(&self, seat: u32) -> String {
        format!("{} has chosen", self.words.seat(seat as i32))
    }

    /// What happened on the way to one point of the line.
    fn lines_of(&self, id: NodeId) -> Vec<LogLine> {
        let node = self.playtest.tree.node(id);
        let line = |kind, text, span| LogLine {
            node: id,
            kind,
            text,
            span,
        };
        let mut lines = Vec::new();
        if let Some(parent) = node.parent {
            let parent = self.playtest.tree.node(parent);
            if let Some((kind, text, span)) = self.answer(parent, node) {
                lines.push(line(kind, text, Some(span)));
            }
            let events = self.events(parent, node).into_iter();
            lines.extend(events.map(|(text, span)| line(LogKind::Event, text, span)));
        }
        for (seat, text) in node.forced() {
            if self.playtest.eyes == Eyes::All || self.playtest.eyes == Eyes::Seat(seat) {
                let name = self.words.seat(seat as i32);
                let said = format!("{name}: {text} (the only answer)");
                lines.push(line(LogKind::Forced { seat }, said, None));
            }
        }
        lines
    }

    /// The answer that led from one point to another, as far as the eyes hear it, and the rule that asked.
    fn answer(&self, before: &Node, after: &Node) -> Option<(LogKind, String, Span)> {
        let (seat, answer, text) = after.items.iter().find_map(|item| match &item.kind {
            ItemKind::Answer {
                seat,
                answer,
                text,
                forced: false,
            } => Some((*seat, answer, text)),
            _ => None,
        })?;
        let pc = before.state().words()[header::PC] as usize;
        let heard = match self.playtest.eyes {
            Eyes::All => true,
            Eyes::Seat(own) if own == seat => true,
            Eyes::Seat(_) | Eyes::Nobody => {
                let asked = before.asked_pc(self.words.program);
                self.observer.is_announced(asked, answer.kind, answer.value)
            }
        };
        let said = match heard {
            true => format!("{}: {text}", self.words.seat(seat as i32)),
            false => self.has_chosen(seat),
        };
        let span = *self.words.program.op_spans.get(pc)?;
        Some((LogKind::Answer { seat }, said, span))
    }

    /// What looks otherwise than before, in the order in which it happened, and what chance decided.
    fn events(&self, before: &Node, after: &Node) -> Vec<(String, Option<Span>)> {
        let eyes = self.playtest.eyes;
        let [old, new] = [before, after].map(|node| look(&self.observer, node.state(), eyes));
        let news = self.words.news(&old, &new).into_iter();
        let placed = news.map(|one| (place(&one, &after.events), one));
        let mut placed: Vec<(Option<usize>, News)> = placed.collect();
        placed.sort_by_key(|(place, _)| place.unwrap_or(usize::MAX));
        let chance = after.events.iter();
        let chance = chance.filter(|event| matches!(event, Event::Chance { .. }));
        let chance = chance.filter_map(|event| Some((self.words.event(event)?, None)));
        let seen = placed.into_iter().map(|(place, news)| {
            let event = place.and_then(|at| after.events.get(at));
            let span = event.and_then(|event| self.words.event_span(event));
            (news.text, span)
        });
        let mut lines: Vec<(String, Option<Span>)> = Vec::new();
        for line in chance.chain(seen) {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines
    }
}

/// The event that wrote last what is told of.
fn place(news: &News, events: &[Event]) -> Option<usize> {
    events
        .iter()
        .rposition(|event| matches!(event, Event::Write { word, .. } if news.words.contains(word)))
}
