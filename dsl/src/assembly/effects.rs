//! What lines of rules read and write, for the question whether two pieces of them can change places.

use super::Assembly;
use super::words::{Reading, Words, words};
use crate::source::Span;
use crate::syntax::ast::{
    AssignOp, Block, Expr, ExprKind, Message, MessagePart, Move, MoveWhat, Statement,
    StatementKind as Kind, TypeKind,
};
use std::collections::BTreeMap;

/// How a cell is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Raised,
    Lowered,
    Other,
}

/// Names, without owners: two cells of one name are taken for one.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects<'s> {
    /// Something asks, calls, moves or ends: nothing is known.
    unknown: bool,
    reads: Words<'s>,
    writes: BTreeMap<String, Way>,
}

/// What lines do, what they read followed through formulas.
pub(super) fn effects<'s>(body: &Block, reading: &Reading<'s>) -> Effects<'s> {
    let mut found = Effects::default();
    found.block(body, reading);
    found.reads = reading.through(std::mem::take(&mut found.reads));
    found
}

impl<'s> Effects<'s> {
    /// Whether both orders come to the same.
    pub fn commute(&self, other: &Effects, assembly: &Assembly) -> bool {
        if self.unknown || other.unknown {
            return false;
        }
        let apart = |writer: &Effects, reader: &Effects| {
            let mut written = writer.writes.keys();
            !written.any(|name| reader.reads.contains(name.as_str()))
        };
        apart(self, other) && apart(other, self) && self.writes_along(other, assembly)
    }

    /// What both write, both raise or both lower, and it is not a sequence.
    fn writes_along(&self, other: &Effects, assembly: &Assembly) -> bool {
        self.writes
            .iter()
            .all(|(name, way)| match other.writes.get(name) {
                None => true,
                Some(theirs) => *way != Way::Other && way == theirs && !is_sequence(assembly, name),
            })
    }

    fn block(&mut self, body: &Block, reading: &Reading<'s>) {
        for statement in &body.statements {
            self.statement(statement, reading);
        }
    }

    fn statement(&mut self, statement: &Statement, reading: &Reading<'s>) {
        match &statement.kind {
            Kind::Skip => {}
            Kind::Need(condition, message) => {
                self.read(condition, reading);
                self.message(message.as_ref(), reading);
            }
            Kind::Let(_, value) => self.read(value, reading),
            Kind::Assign { target, op, value } => {
                self.read(value, reading);
                self.assign(target, *op, reading);
            }
            Kind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    self.read(condition, reading);
                    self.block(body, reading);
                }
                if let Some(body) = otherwise {
                    self.block(body, reading);
                }
            }
            Kind::Each(binders, body) => {
                for binder in binders {
                    let all = words(reading.text(binder.span));
                    self.reads.extend(all);
                }
                self.block(body, reading);
            }
            Kind::Move(moved) => self.moved(moved, statement.span, reading),
            // Whoever asks whether the end has come reads what this writes.
            Kind::Finish(_) => {
                self.writes.insert("finishing".into(), Way::Other);
            }
            _ => self.unknown = true,
        }
    }

    /// Both zones become others; where one is not named nothing is known.
    fn moved(&mut self, moved: &Move, span: Span, reading: &Reading<'s>) {
        self.reads.extend(words(reading.text(span)));
        let from = match (&moved.what, &moved.from) {
            (MoveWhat::Drawn { of, .. }, _) => Some(of),
            (MoveWhat::Value(_), from) => from.as_ref(),
        };
        for zone in [from, Some(&moved.to)] {
            match zone.and_then(written) {
                Some(name) => {
                    self.writes.insert(name.to_string(), Way::Other);
                }
                None => self.unknown = true,
            }
        }
    }

    fn assign(&mut self, target: &Expr, op: AssignOp, reading: &Reading<'s>) {
        let Some(name) = written(target) else {
            self.unknown = true;
            return;
        };
        // The owner and the indices are read; the cell itself is not.
        let mut around = words(reading.text(target.span));
        around.remove(name);
        self.reads.extend(around);
        let way = match op {
            AssignOp::Set => Way::Other,
            AssignOp::Add => Way::Raised,
            AssignOp::Subtract => Way::Lowered,
        };
        let known = self.writes.entry(name.to_string()).or_insert(way);
        if *known != way {
            *known = Way::Other;
        }
    }

    fn read(&mut self, expr: &Expr, reading: &Reading<'s>) {
        let all = words(reading.text(expr.span));
        // What could be done depends on everything.
        self.unknown |= all.contains("can") || all.contains("random") || all.contains("shuffled");
        self.reads.extend(all);
    }

    fn message(&mut self, message: Option<&Message>, reading: &Reading<'s>) {
        for part in message.iter().flat_map(|message| &message.parts) {
            if let MessagePart::Value(value) = part {
                self.read(value, reading);
            }
        }
    }
}

/// The name of the cell that is written.
fn written(target: &Expr) -> Option<&str> {
    match &target.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Member(_, name) if name.text != "must" && name.text != "may" => Some(&name.text),
        ExprKind::Index(base, _) => written(base),
        _ => None,
    }
}

/// Where the order in which things come counts.
fn is_sequence(assembly: &Assembly, name: &str) -> bool {
    let mut cells = assembly.cells.iter().map(|entry| &entry.item);
    cells.any(|cell| {
        let ordered = matches!(
            cell.ty.kind,
            TypeKind::List(..) | TypeKind::Deck(..) | TypeKind::Row(..)
        );
        cell.name.text == name && ordered
    })
}
