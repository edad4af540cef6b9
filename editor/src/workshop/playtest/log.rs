//! What happened, in sentences, each with the rule that did it.

use super::{Eyes, Playtest, look};
use dsl::source::Span;
use interpreter::Event;
use interpreter::game::{NodeId, Told};
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
    /// With whether it is kept secret.
    known: BTreeMap<NodeId, Arc<[(bool, LogLine)]>>,
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
            for (secret, line) in lines.flat_map(|lines| lines.iter()) {
                if !secret {
                    told.append(&mut late);
                }
                match *secret && !self.is_heard_at_once(line.kind) {
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
        let told = self.playtest.tree.told(self.words.program, id);
        let first = told.into_iter().find(|told| !told.forced)?;
        let (kind, text) = self.said(&first)?;
        match first.is_kept_secret() && !self.playtest.is_heard_at_once(kind) {
            true => Some((first.seat, self.has_chosen(first.seat))),
            false => Some((first.seat, text)),
        }
    }

    fn has_chosen(&self, seat: u32) -> String {
        format!("{} has chosen", self.words.seat(seat as i32))
    }

    /// What happened on the way to one point of the line, and whether it was done in secret and is kept so.
    fn lines_of(&self, id: NodeId) -> Vec<(bool, LogLine)> {
        let tree = &self.playtest.tree;
        // Of the set-up only is told what somebody answered.
        let shows = tree.node(id).parent.is_some();
        let mut lines = Vec::new();
        for told in tree.told(self.words.program, id) {
            let mut add = |kind, text, span| {
                let line = LogLine {
                    node: id,
                    kind,
                    text,
                    span,
                };
                lines.push((told.is_kept_secret(), line));
            };
            if let Some((kind, text)) = self.said(&told) {
                let pc = told.before.words()[header::PC] as usize;
                add(kind, text, self.words.program.op_spans.get(pc).copied());
            }
            if shows {
                let events = self.events(&told).into_iter();
                events.for_each(|(text, span)| add(LogKind::Event, text, span));
            }
        }
        lines
    }

    /// An answer, as far as the eyes hear it. An only one of others is heard where all may hear it, and else not at all.
    fn said(&self, told: &Told<'_>) -> Option<(LogKind, String)> {
        let heard = match self.playtest.eyes {
            Eyes::All => true,
            Eyes::Seat(own) if own == told.seat => true,
            Eyes::Seat(_) | Eyes::Nobody => {
                let (kind, value) = (told.answer.kind, told.answer.value);
                self.observer.is_announced(told.asked, kind, value)
            }
        };
        let name = self.words.seat(told.seat as i32);
        let (seat, text) = (told.seat, told.text);
        match (told.forced, heard) {
            (true, true) => Some((
                LogKind::Forced { seat },
                format!("{name}: {text} (the only answer)"),
            )),
            (true, false) => None,
            (false, true) => Some((LogKind::Answer { seat }, format!("{name}: {text}"))),
            (false, false) => Some((LogKind::Answer { seat }, self.has_chosen(seat))),
        }
    }

    /// What looks otherwise than before, in the order in which it happened, and what chance decided.
    fn events(&self, told: &Told<'_>) -> Vec<(String, Option<Span>)> {
        let eyes = self.playtest.eyes;
        let [old, new] = [told.before, told.after].map(|state| look(&self.observer, state, eyes));
        let news = self.words.news(&old, &new).into_iter();
        let placed = news.map(|one| (place(&one, told.events), one));
        let mut placed: Vec<(Option<usize>, News)> = placed.collect();
        placed.sort_by_key(|(place, _)| place.unwrap_or(usize::MAX));
        let chance = told.events.iter();
        let chance = chance.filter(|event| matches!(event, Event::Chance { .. }));
        let chance = chance.filter_map(|event| Some((self.words.event(event)?, None)));
        let seen = placed.into_iter().map(|(place, news)| {
            let event = place.and_then(|at| told.events.get(at));
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
