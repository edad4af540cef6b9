//! Seats by their letters, where a game is looked at from outside: in cases and questions.

use super::access::Head;
use super::body::{Body, Mode};
use crate::diagnostic::Diagnostic;
use crate::ir::{Domain, Expr, ExprKind, Ty, Value};
use crate::source::Span;
use crate::syntax::ast;

/// The seat that a letter stands for, from 0.
pub(super) fn letter(name: &str) -> Option<u32> {
    match name.as_bytes() {
        [letter @ b'A'..=b'Z'] => Some(u32::from(letter - b'A')),
        _ => None,
    }
}

/// "A", "A and B", "A to D"
fn seats_in_words(seats: u32) -> String {
    let name = |seat: u32| char::from(b'A' + seat.min(25) as u8);
    match seats {
        0 | 1 => "A".into(),
        2 => "A and B".into(),
        _ => format!("A to {}", name(seats - 1)),
    }
}

impl Body<'_, '_> {
    /// The seat in front of answers.
    pub(super) fn seat(&mut self, seat: &ast::Name) -> Option<u32> {
        let Some(found) = letter(&seat.text) else {
            let message = format!("`{}` is no seat: they are A, B, C, …", seat.text);
            self.error("unknown-name", seat.span, message);
            return None;
        };
        if found >= self.seats {
            self.nobody_sits(found, seat.span);
            return None;
        }
        Some(found)
    }

    /// `A` in an expression. A letter that is nobody's may be something else.
    #[allow(clippy::option_option)]
    pub(super) fn seat_named(
        &mut self,
        name: &str,
        span: Span,
        want: Option<&Ty>,
    ) -> Option<Option<Head>> {
        let seat = letter(name).filter(|_| self.mode == Mode::Outside)?;
        if want
            .and_then(|ty| self.wanted_word(name, span, ty))
            .is_some()
        {
            return None;
        }
        if seat >= self.seats {
            let names = &self.k.names;
            let is_known = self.var(name, span).is_some()
                || names.global(name, span).is_some()
                || !names.words(name, span).is_empty();
            if is_known {
                return None;
            }
            self.nobody_sits(seat, span);
            return Some(None);
        }
        Some(Some(Head::Value(Expr {
            kind: ExprKind::Const(Value::Element(Domain::Player, seat)),
            ty: Ty::Element(Domain::Player),
            span,
        })))
    }

    /// Reports a seat that nobody has.
    pub(super) fn nobody_sits(&mut self, seat: u32, span: Span) {
        let most = self.k.rs.players.1;
        let there = seats_in_words(self.seats);
        let message = match self.seats {
            1 => "nobody has this seat: there is 1 player, A".to_owned(),
            seats => format!("nobody has this seat: there are {seats} players, {there}"),
        };
        let found = Diagnostic::error("out-of-range", span, message);
        self.k.report(if seat < most {
            found.help(format!(
                "write `players {}`, or a seat that somebody has",
                seat + 1
            ))
        } else if self.seats < most {
            found.help(format!(
                "more than {most} cannot play: {}",
                seats_in_words(most)
            ))
        } else {
            found.help(format!("more than {most} cannot play; name one of {there}"))
        });
    }
}
