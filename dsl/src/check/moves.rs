//! `move`: what, where from, where to.

use super::body::Body;
use super::graph::Touched;
use super::places::place_of;
use super::types::{domain_of, is_int, same_domain};
use crate::diagnostic::Diagnostic;
use crate::ir::{DeckEnd, Expr, ExprKind, Move, MoveWhat, Place, StatementKind, Ty};
use crate::source::Span;
use crate::syntax::ast;

/// What a place holds, as one element.
fn held(ty: &Ty) -> Option<Ty> {
    match ty {
        Ty::Int { .. } => Some(Ty::INT),
        Ty::Optional(inner) if matches!(**inner, Ty::Element(_)) => Some((**inner).clone()),
        _ => ty.element(),
    }
}

/// The element an amount to move consists of.
fn moved(ty: &Ty) -> Option<Ty> {
    match ty {
        Ty::Element(_) => Some(ty.clone()),
        Ty::Int { .. } => Some(Ty::INT),
        _ => ty.element(),
    }
}

fn agree(a: &Ty, b: &Ty) -> bool {
    match (domain_of(a), domain_of(b)) {
        (Some(a), Some(b)) => same_domain(a, b),
        _ => a == b,
    }
}

impl Body<'_, '_> {
    pub fn move_(&mut self, decl: &ast::Move, span: Span) -> Option<StatementKind> {
        let what = match &decl.what {
            ast::MoveWhat::Drawn { count, of, bottom } => self.drawn(count.as_ref(), of, *bottom),
            ast::MoveWhat::Value(value) => self.what(value, decl, span),
        };
        let held_by = what.as_ref().and_then(|what| self.moved_by(what));
        let unseen = what.as_ref().is_some_and(|what| self.goes_unseen(what));
        // Into the box goes whatever it is, if what it is is known.
        let lost = is_box(&decl.to) && what.is_none();
        let to = if lost {
            None
        } else {
            self.zone(&decl.to, held_by.as_ref().map(|held| (held, unseen)))
        };
        let (what, to) = (what?, to?);
        self.check_end(decl, &to);
        let (from, element) = match &what {
            MoveWhat::Value { from, .. } => (from, held(&from.ty)),
            MoveWhat::Everything(from) | MoveWhat::Drawn { of: from, .. } => (from, held(&from.ty)),
        };
        let (Some(element), Some(into)) = (element, held(&to.ty)) else {
            return None;
        };
        if !agree(&element, &into) {
            let message = format!(
                "{} cannot go into a {}",
                self.k.in_words(&element),
                self.k.show(&to.ty)
            );
            self.error("wrong-type", decl.to.span, message);
            return None;
        }
        let from = from.clone();
        self.touch(Touched::Read(from.cell), from.span);
        self.written_place(&from);
        self.written_place(&to);
        Some(StatementKind::Move(Move {
            what,
            up_to: decl.up_to,
            to,
            end: decl.end,
        }))
    }

    fn moved_by(&self, what: &MoveWhat) -> Option<Ty> {
        match what {
            MoveWhat::Value { from, .. } => held(&from.ty),
            MoveWhat::Everything(from) | MoveWhat::Drawn { of: from, .. } => held(&from.ty),
        }
    }

    /// Nobody sees what is moved from where it lies.
    fn goes_unseen(&self, what: &MoveWhat) -> bool {
        let (from, top) = match what {
            MoveWhat::Drawn { of, bottom, .. } => (of, !bottom),
            MoveWhat::Value { from, .. } | MoveWhat::Everything(from) => (from, false),
        };
        let seen = &self.k.rs.cells[from.cell.index()].visibility;
        seen.hidden && !(seen.top && top) || seen.top && seen.private.is_none() && !top
    }

    fn check_end(&mut self, decl: &ast::Move, to: &Place) {
        let ordered = matches!(to.ty, Ty::Deck(_) | Ty::List(_));
        if decl.end != DeckEnd::Default && !ordered {
            let message = format!("a {} has no top and no bottom", self.k.show(&to.ty));
            self.error("wrong-type", decl.to.span, message);
        }
    }

    fn drawn(
        &mut self,
        count: Option<&ast::Expr>,
        of: &ast::Expr,
        bottom: bool,
    ) -> Option<MoveWhat> {
        let count = self.clause(count, Self::number);
        let of = self.zone(of, None)?;
        if !matches!(of.ty, Ty::Deck(_) | Ty::List(_)) {
            let end = if bottom { "bottom" } else { "top" };
            let message = format!("a {} has no {end}", self.k.show(&of.ty));
            self.error("wrong-type", of.span, message);
            return None;
        }
        Some(MoveWhat::Drawn {
            count: count?,
            of,
            bottom,
        })
    }

    /// A place that holds things: a container, a number, a cell that can be empty; the box.
    /// Of the box also what goes there or comes out, and whether nobody sees that.
    fn zone(&mut self, zone: &ast::Expr, boxed: Option<(&Ty, bool)>) -> Option<Place> {
        if let Some(place) = self.box_zone(zone, boxed) {
            return Some(place);
        }
        let place = self.target(zone)?;
        if held(&place.ty).is_none() {
            let message = format!(
                "a cell of type {} holds nothing that moves",
                self.k.show(&place.ty)
            );
            self.error("wrong-type", zone.span, message);
            return None;
        }
        Some(place)
    }

    fn box_zone(&mut self, zone: &ast::Expr, boxed: Option<(&Ty, bool)>) -> Option<Place> {
        let ast::ExprKind::Name(name) = &zone.kind else {
            return None;
        };
        if name != "box"
            || self.var(name, zone.span).is_some()
            || self.k.names.global(name, zone.span).is_some()
        {
            return None;
        }
        let (held, unseen) = boxed?;
        Some(self.the_box(held, unseen, zone.span))
    }

    fn what(&mut self, value: &ast::Expr, decl: &ast::Move, span: Span) -> Option<MoveWhat> {
        let Some(from) = &decl.from else {
            return self.without_from(value, span, decl.up_to);
        };
        if is_box(from) {
            let value = self
                .expr(value, None)
                .and_then(|value| self.require(value))?;
            let held = moved(&value.ty)?;
            let from = self.zone(from, Some((&held, false)))?;
            self.k.unboxed.push((from.cell, from.span));
            return Some(MoveWhat::Value { value, from });
        }
        let from = self.zone(from, None)?;
        let element = held(&from.ty)?;
        let literal = matches!(value.kind, ast::ExprKind::Braces(_));
        let hint = match domain_of(&element) {
            Some(domain) if literal && !is_int(&element) => Ty::Bag(domain),
            _ => element.clone(),
        };
        let value = self.expr(value, Some(&hint))?;
        let value = self.require(value)?;
        if is_int(&value.ty) && matches!(from.ty, Ty::Deck(_)) {
            return Some(MoveWhat::Drawn {
                count: Some(value),
                of: from,
                bottom: false,
            });
        }
        if !moved(&value.ty).is_some_and(|moved| agree(&moved, &element)) {
            let message = format!(
                "a {} holds no {}",
                self.k.show(&from.ty),
                self.k.show(&value.ty)
            );
            self.error("wrong-type", value.span, message);
            return None;
        }
        Some(self.out_of(value, from))
    }

    /// `D.bottom` is the card that lies there, not one like it further up.
    fn out_of(&self, value: Expr, from: Place) -> MoveWhat {
        let deck = match &value.kind {
            ExprKind::Unwrap(inner) => inner,
            _ => &value,
        };
        let deck = match &deck.kind {
            ExprKind::BottomOf(deck) => place_of(deck),
            _ => None,
        };
        let written = |place: &Place| -> Vec<String> {
            let indices = place.indices.iter();
            indices
                .map(|index| self.k.slice(index.span).to_owned())
                .collect()
        };
        match deck {
            Some(deck) if deck.cell == from.cell && written(&deck) == written(&from) => {
                MoveWhat::Drawn {
                    count: None,
                    of: from,
                    bottom: true,
                }
            }
            _ => MoveWhat::Value { value, from },
        }
    }

    /// Without `from`: a zone moves whole, an element knows where it was picked.
    fn without_from(&mut self, value: &ast::Expr, span: Span, up_to: bool) -> Option<MoveWhat> {
        if let Some(from) = self.box_zone(value, None) {
            return Some(MoveWhat::Everything(from));
        }
        let value = self.expr(value, None)?;
        if let Some(place) = place_of(&value) {
            return self.out_of_place(value, place, up_to);
        }
        let from = self.provenance(&value);
        let value = self.require(value)?;
        match from {
            Some(from) => Some(self.out_of(value, from)),
            None => {
                self.ask_from_where(&value, span);
                None
            }
        }
    }

    /// The value is what a place holds.
    fn out_of_place(&mut self, value: Expr, mut place: Place, up_to: bool) -> Option<MoveWhat> {
        if place.element.is_none() {
            place.ty = self.k.rs.cells[place.cell.index()].ty.clone();
        }
        let whole = value.ty.is_container() || is_int(&value.ty);
        if whole || (up_to && matches!(value.ty, Ty::Optional(_))) {
            return Some(MoveWhat::Everything(place));
        }
        if held(&place.ty).is_none() {
            self.ask_from_where(&value, value.span);
            return None;
        }
        let value = self.require(value)?;
        Some(MoveWhat::Value { value, from: place })
    }

    fn ask_from_where(&mut self, value: &Expr, span: Span) {
        let text = self.k.slice(value.span).to_owned();
        let diagnostic = Diagnostic::error("from-where", span, format!("from where does `{text}` come?"))
            .help(format!("say `move {text} from … to …`; only what is picked from a zone (`choose x in hand`) knows its place"));
        self.k.report(diagnostic);
    }

    /// A deck to shuffle.
    pub fn shuffle(&mut self, deck: &ast::Expr) -> Option<StatementKind> {
        let place = self.target(deck)?;
        if !matches!(place.ty, Ty::Deck(_)) {
            let message = format!("only decks are shuffled, not a {}", self.k.show(&place.ty));
            self.error("wrong-type", deck.span, message);
            return None;
        }
        self.written_place(&place);
        Some(StatementKind::Shuffle(place))
    }
}

fn is_box(expr: &ast::Expr) -> bool {
    matches!(&expr.kind, ast::ExprKind::Name(name) if name == "box")
}
