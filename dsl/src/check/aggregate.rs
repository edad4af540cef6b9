//! The one form for "each, some, how many": binders, and what is made of them.

use super::body::Body;
use super::names::Global;
use super::places::place_of;
use super::types::{TypePlace, domain_of, is_int};
use crate::diagnostic::Diagnostic;
use crate::ir::{AggregateOp, Binder, Choice, Condition, Domain, Expr, ExprKind, Place, Ty};
use crate::source::Span;
use crate::syntax::{ast, reserved};

/// What a binder runs over.
pub(crate) struct Source {
    pub expr: Expr,
    pub element: Ty,
    pub from: Option<Place>,
}

impl Body<'_, '_> {
    pub fn aggregate(
        &mut self,
        op: AggregateOp,
        binders: &[ast::Binder],
        value: Option<&ast::Expr>,
        want: Option<&Ty>,
        span: Span,
    ) -> Option<Expr> {
        // What is bound inside cannot be asked for outside.
        let chain = self.chain.take();
        let result = self.scoped(|body| {
            let pieces = op == AggregateOp::Bag;
            let binders = body.binders(binders, pieces);
            let value = value.map(|value| body.aggregate_value(op, value, want));
            let binders = binders?;
            let value = match value {
                Some(value) => Some(value?),
                None => None,
            };
            let conditions = binders.iter().flat_map(|binder| &binder.conditions);
            let conditions = conditions.map(|condition| &condition.expr);
            let asked: Vec<Expr> = conditions.chain(&value).cloned().collect();
            body.note_edges(&asked);
            body.aggregate_of(op, binders, value, span)
        });
        self.chain = chain;
        result
    }

    fn aggregate_value(
        &mut self,
        op: AggregateOp,
        value: &ast::Expr,
        want: Option<&Ty>,
    ) -> Option<Expr> {
        match op {
            AggregateOp::Some | AggregateOp::Every | AggregateOp::No => self.condition(value),
            AggregateOp::Sum | AggregateOp::Min | AggregateOp::Max => self.number(value),
            AggregateOp::Count => {
                self.error_help(
                    "wrong-type",
                    value.span,
                    "`count` counts elements, it takes no value",
                    "conditions follow `where`: `count(x in S where C)`",
                );
                None
            }
            AggregateOp::First => self.expr(value, want.map(Ty::required)),
            AggregateOp::Set | AggregateOp::Bag | AggregateOp::List => {
                let hint = want.map(Ty::required).and_then(Ty::element);
                let value = self.expr(value, hint.as_ref())?;
                self.require(value)
            }
        }
    }

    fn aggregate_of(
        &mut self,
        op: AggregateOp,
        binders: Vec<Binder>,
        value: Option<Expr>,
        span: Span,
    ) -> Option<Expr> {
        let last = binders.last()?;
        let element = self.code.locals[last.local.index()].ty.clone();
        let held = value
            .as_ref()
            .map_or_else(|| element.clone(), |value| value.ty.clone());
        let ty = match op {
            AggregateOp::Some | AggregateOp::No => Ty::Bool,
            AggregateOp::Every if value.is_some() => Ty::Bool,
            AggregateOp::Every => {
                self.error_help(
                    "wrong-type",
                    span,
                    "`every` asks something of each element",
                    "`every(x in S: C)`",
                );
                return None;
            }
            AggregateOp::Count => Ty::Int {
                low: Some(0),
                high: None,
            },
            AggregateOp::Sum | AggregateOp::Min | AggregateOp::Max => {
                self.number_of(&held, op, span)?
            }
            AggregateOp::First => held.optional(),
            AggregateOp::List => self.list_ty_of(held, span)?,
            AggregateOp::Set | AggregateOp::Bag => {
                let Some(domain) = domain_of(&held) else {
                    let message = format!("a container cannot hold {}", self.k.in_words(&held));
                    self.error("wrong-type", span, message);
                    return None;
                };
                let (word, ty): (_, fn(Domain) -> Ty) = match op {
                    AggregateOp::Set => ("set", Ty::Set),
                    _ => ("bag", Ty::Bag),
                };
                ty(self.few(Some(domain), span, word, TypePlace::Code)?)
            }
        };
        let value = value.map(Box::new);
        Some(Expr {
            kind: ExprKind::Aggregate { op, binders, value },
            ty,
            span,
        })
    }

    /// The range of a sum, a least or a greatest number; 0 of nothing.
    fn number_of(&mut self, held: &Ty, op: AggregateOp, span: Span) -> Option<Ty> {
        let Ty::Int { low, high } = *held else {
            let message = format!("wanted numbers, found {}", self.k.in_words(held));
            self.error_help(
                "wrong-type",
                span,
                message,
                "say what is added: `sum(x in S: x.points)`",
            );
            return None;
        };
        let natural = low.is_some_and(|low| low >= 0);
        Some(match op {
            AggregateOp::Sum => Ty::Int {
                low: natural.then_some(0),
                high: high.filter(|high| *high <= 0).map(|_| 0),
            },
            _ => Ty::Int {
                low: low.map(|low| low.min(0)),
                high: high.map(|high| high.max(0)),
            },
        })
    }

    // -------------------------------------------------------------------------------------------- binders

    /// Binders in order, each seeing those before it. The caller gives the scope.
    pub fn binders(&mut self, binders: &[ast::Binder], pieces: bool) -> Option<Vec<Binder>> {
        let all: Vec<Option<Binder>> = binders
            .iter()
            .map(|binder| self.binder(binder, pieces))
            .collect();
        all.into_iter().collect()
    }

    pub fn binder(&mut self, binder: &ast::Binder, pieces: bool) -> Option<Binder> {
        let source = self.source(&binder.domain, pieces);
        self.binder_over(binder, source)
    }

    fn binder_over(&mut self, binder: &ast::Binder, source: Option<Source>) -> Option<Binder> {
        let name = binder.name.clone().unwrap_or_else(|| ast::Name {
            text: String::new(),
            span: binder.span,
        });
        let local = self.bind(&name, source.as_ref().map(|source| source.element.clone()));
        if let Some(source) = &source {
            self.pick_from(local, source.from.clone());
        }
        let conditions = self.conditions(&binder.conditions);
        let by = binder
            .by
            .as_ref()
            .map_or_else(|| Some(Vec::new()), |by| self.sort_keys(by));
        let element = source.as_ref().map(|source| source.element.clone());
        let from = self.clause(binder.from.as_ref(), |body, from| {
            body.value(from, element.as_ref()?)
        });
        let up_to = self.clause(binder.up_to.as_ref(), |body, up_to| body.amount(up_to, 0));
        let source = source?.expr;
        let clauses = [("by", binder.by.as_ref()), ("up to", binder.up_to.as_ref())];
        if matches!(source.kind, ExprKind::Parts(_))
            && let Some((word, clause)) =
                clauses.iter().find_map(|(word, one)| Some((word, (*one)?)))
        {
            let message = format!("parts of something have no order, so `{word}` takes none first");
            let help = match &binder.name {
                Some(name) => format!(
                    "say which parts are meant: `choose {0} in parts of Z where {0}.size <= 2`",
                    name.text
                ),
                None => "say by `where` which parts are meant".to_owned(),
            };
            let found = Diagnostic::error("wrong-type", clause.span, message);
            self.k.report(found.help(help));
            return None;
        }
        Some(Binder {
            local,
            source,
            conditions: conditions?,
            by: by?,
            from: from?,
            up_to: up_to?,
            span: binder.span,
        })
    }

    /// `Some(None)`: not written; `None`: wrong.
    #[allow(clippy::option_option)]
    pub fn clause(
        &mut self,
        clause: Option<&ast::Expr>,
        check: impl FnOnce(&mut Self, &ast::Expr) -> Option<Expr>,
    ) -> Option<Option<Expr>> {
        match clause {
            None => Some(None),
            Some(expr) => check(self, expr).map(Some),
        }
    }

    /// Conditions in order; each is known to hold in those after it and in what follows.
    pub fn conditions(&mut self, conditions: &[ast::Condition]) -> Option<Vec<Condition>> {
        let mut all = Some(Vec::new());
        for condition in conditions {
            let before = std::mem::replace(&mut self.asked_often, true);
            let expr = self.condition(&condition.expr);
            self.asked_often = before;
            let message = self.messages(condition.message.as_ref());
            match (expr, &mut all) {
                (Some(expr), Some(list)) => {
                    self.learn(&expr, true);
                    list.push(Condition { expr, message });
                }
                (None, _) => all = None,
                _ => {}
            }
        }
        all
    }

    /// `by k`, `by [a, b]`.
    pub fn sort_keys(&mut self, by: &ast::Expr) -> Option<Vec<Expr>> {
        let keys = match &by.kind {
            ast::ExprKind::Brackets(keys) => keys.as_slice(),
            _ => std::slice::from_ref(by),
        };
        let all: Vec<Option<Expr>> = keys.iter().map(|key| self.sort_key(key)).collect();
        all.into_iter().collect()
    }

    fn sort_key(&mut self, key: &ast::Expr) -> Option<Expr> {
        let found = self.expr(key, None)?;
        match found.ty.required() {
            Ty::Int { .. } | Ty::Element(_) | Ty::Bool => Some(found),
            ty => {
                let message = format!("{} cannot be sorted", self.k.in_words(ty));
                self.error("wrong-type", key.span, message);
                None
            }
        }
    }

    /// What can stand behind `in`.
    pub fn source(&mut self, domain: &ast::Expr, pieces: bool) -> Option<Source> {
        let want = pieces.then_some(Ty::Bag(crate::ir::Domain::Player));
        let table = matches!(domain.kind, ast::ExprKind::Name(_));
        let expr = self.expr(domain, if table { want.as_ref() } else { None })?;
        let expr = self.require(expr)?;
        let Some(element) = expr.ty.element() else {
            self.no_source(&expr);
            return None;
        };
        self.warn_of_hiding(&expr);
        let from = place_of(&expr);
        Some(Source {
            expr,
            element,
            from,
        })
    }

    /// `choose f in food` where a player has a bag `food` of `food`: one's own bag, and people may mean all there are.
    pub(super) fn warn_of_hiding(&mut self, of: &Expr) {
        let what = match of.kind {
            ExprKind::Cell(..) => "cell",
            ExprKind::Call(..) => "formula",
            _ => return,
        };
        let name = self.k.slice(of.span).trim().to_owned();
        let held = of.ty.element().as_ref().and_then(domain_of);
        let hidden = match (self.k.names.global(&name, of.span), held) {
            (Some(Global::Table(id)), Some(Domain::Table(held))) if id == held => "table",
            (Some(Global::Enum(id)), Some(Domain::Enum(held))) if id == held => "enum",
            _ => return,
        };
        let message = format!("`{name}` is the {what} here, not the {hidden} `{name}`");
        self.k.report(
            Diagnostic::warning("hidden-name", of.span, message)
                .help(format!("give the {what} a name of its own: then `{name}` are all there are, and the other what lies there")),
        );
    }

    fn no_source(&mut self, expr: &Expr) {
        let message = format!("{} has no elements", self.k.in_words(&expr.ty));
        let name = self.k.slice(expr.span).trim();
        let global = self.k.names.global(name, expr.span);
        let hidden = matches!(global, Some(Global::Table(_) | Global::Enum(_)))
            || self.k.rs.tiling.is_some() && reserved::is_of_boards(name);
        let help = if hidden {
            format!(
                "`{name}` belongs to a player here, and hides the `{name}` of the game: give it another name"
            )
        } else if matches!(expr.kind, ExprKind::Players) {
            "`players` is how many play; each of them is one of `player`".to_owned()
        } else if is_int(&expr.ty) {
            "numbers from 1: `1..n`".to_owned()
        } else {
            "wanted a table, an enum, `player`, a container or a range".to_owned()
        };
        self.k
            .report(Diagnostic::error("wrong-type", expr.span, message).help(help));
    }

    fn parts(&mut self, zone: &ast::Expr, span: Span) -> Option<Source> {
        let zone = self.expr(zone, None)?;
        let zone = self.require(zone)?;
        let element = match &zone.ty {
            Ty::Bag(domain) | Ty::Deck(domain) => Ty::Bag(*domain),
            Ty::Set(domain) | Ty::Row(domain) => Ty::Set(*domain),
            Ty::List(element) => Ty::Set(domain_of(element)?),
            ty => {
                let message = format!("{} has no parts", self.k.in_words(ty));
                self.error("wrong-type", zone.span, message);
                return None;
            }
        };
        let from = place_of(&zone);
        let ty = Ty::List(Box::new(element.clone()));
        Some(Source {
            expr: Expr {
                kind: ExprKind::Parts(Box::new(zone)),
                ty,
                span,
            },
            element,
            from,
        })
    }

    /// A choice: a binder that the acting player decides.
    pub fn choice(&mut self, choice: &ast::Choice) -> Option<Choice> {
        self.asks += 1;
        self.settle();
        let domain = &choice.binder.domain;
        let source = match &domain.kind {
            ast::ExprKind::Parts(zone) => self.parts(zone, domain.span),
            _ => self.source(domain, false),
        };
        let binder = self.binder_over(&choice.binder, source);
        if let Some(binder) = &binder {
            self.warn_of_first_few(&choice.binder, binder);
        }
        let ask = self.messages(choice.ask.as_ref());
        Some(Choice {
            binder: binder?,
            ask,
            at_once: choice.at_once,
        })
    }

    /// `choose c in hand up to 3`: people mean three of them, and one of the first three is offered.
    fn warn_of_first_few(&mut self, written: &ast::Binder, binder: &Binder) {
        let unordered = matches!(binder.source.ty, Ty::Set(_) | Ty::Bag(_));
        let (Some(up_to), true, true) = (&written.up_to, unordered, binder.by.is_empty()) else {
            return;
        };
        let number = self.k.slice(up_to.span).to_owned();
        let source = self.k.slice(written.domain.span).trim().to_owned();
        let message =
            format!("one is chosen, and only the first {number} in row order are offered");
        let found = Diagnostic::warning("first-few", up_to.span, message);
        self.k.report(found.help(format!(
            "for several at once write `choose some in parts of {source} where some.size <= {number}`; which come first is said by `by`"
        )));
    }

    /// Of what is answered at once each is one thing.
    pub(super) fn at_once<'c>(&mut self, choices: impl Iterator<Item = &'c ast::Choice>) {
        let choices: Vec<&ast::Choice> = choices.collect();
        for (at, choice) in choices.iter().enumerate() {
            let shares = choice.at_once || choices.get(at + 1).is_some_and(|next| next.at_once);
            let domain = &choice.binder.domain;
            if shares && matches!(domain.kind, ast::ExprKind::Parts(_)) {
                self.error_help(
                    "parts-at-once",
                    domain.span,
                    "`parts of` is asked for alone: what shares a `choose` is answered at once, each with one thing",
                    "give it a `choose` of its own: `choose r in route, choose pay in parts of hand`",
                );
            }
        }
    }
}
