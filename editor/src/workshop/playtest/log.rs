//! What happened, in sentences, each with the rule that did it.

use super::{Eyes, Playtest};
use crate::sight::is_public;
use dsl::source::Span;
use interpreter::game::NodeId;
use std::collections::BTreeMap;

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
    known: BTreeMap<NodeId, Vec<LogLine>>,
}

impl Playtest {
    /// What happened from the set-up to where the game stands, as the eyes see it. What others do in secret is told when
    /// the secret is over.
    pub fn log(&mut self) -> Vec<LogLine> {
        let here = self.tree.position();
        let path = self.tree.line()[..=here].to_vec();
        for (at, id) in path.iter().enumerate() {
            if !self.log.known.contains_key(id) {
                let lines = self.lines_of(at, *id);
                self.log.known.insert(*id, lines);
            }
        }
        let (mut told, mut late) = (Vec::new(), Vec::new());
        for id in path {
            let lines = self.log.known.get(&id).into_iter().flatten().cloned();
            let secret = self.tree.node(id).is_secret();
            let own = |line: &LogLine| match (self.eyes, line.kind) {
                (Eyes::All, _) => true,
                (Eyes::Seat(own), LogKind::Answer { seat } | LogKind::Forced { seat }) => {
                    own == seat
                }
                _ => false,
            };
            for line in lines {
                match secret && !own(&line) {
                    true => late.push(line),
                    false => told.push(line),
                }
            }
            if !secret {
                told.append(&mut late);
            }
        }
        told
    }

    /// What happened on the way to one point of the line.
    fn lines_of(&mut self, position: usize, id: NodeId) -> Vec<LogLine> {
        let (here, eyes) = (self.tree.position(), self.eyes);
        let game = self.game.clone();
        let words = game.words();
        let sight = self.sight(&words);
        let line = |kind, text, span| LogLine {
            node: id,
            kind,
            text,
            span,
        };
        self.with(|session| {
            let mut lines = Vec::new();
            let before = position.checked_sub(1);
            if let Some(before) = before
                && session.jump(before).is_ok()
                && let Some((seat, text)) = session.tree().node(id).answer()
            {
                let machine = session.machine();
                let offered = machine.answers();
                let kind = session.answers().iter().position(|one| one == text);
                let public = kind.is_some_and(|at| is_public(&words, machine, offered.kind(at)));
                let seen = public || eyes == Eyes::All || eyes == Eyes::Seat(seat);
                let name = words.seat(seat as i32);
                let said = match seen {
                    true => format!("{name}: {text}"),
                    false => format!("{name} has chosen"),
                };
                lines.push(line(
                    LogKind::Answer { seat },
                    said,
                    Some(machine.position().1),
                ));
            }
            // States are kept whole: going to one cannot fail.
            let _ = session.jump(position);
            let events = &session.tree().node(id).events;
            let events = sight.events(session.machine(), events);
            lines.extend(
                events
                    .into_iter()
                    .map(|(text, span)| line(LogKind::Event, text, span)),
            );
            for (seat, text) in session.tree().node(id).forced() {
                if eyes == Eyes::All || eyes == Eyes::Seat(seat) {
                    let said = format!("{}: {text} (the only answer)", words.seat(seat as i32));
                    lines.push(line(LogKind::Forced { seat }, said, None));
                }
            }
            let _ = session.jump(here);
            lines
        })
    }
}
