//! Functions of the language: `shuffled`, `random`, `first`, `set`, `bag`, `list`, `min`, `max`, `repeats`, `cell`, `leap`.

use super::body::{Body, Mode};
use super::places::place_of;
use super::types::{TypePlace, domain_of, interval};
use crate::ir::{AggregateOp, Binder, Domain, Expr, ExprKind, Ty};
use crate::source::Span;
use crate::syntax::ast;

/// What they are called.
pub(super) const BUILTINS: [&str; 11] = [
    "shuffled", "random", "first", "set", "bag", "list", "min", "max", "repeats", "cell", "leap",
];

impl Body<'_, '_> {
    /// `None`: not a function of the language, or hidden by a name of the game.
    #[allow(clippy::option_option)]
    pub fn builtin(
        &mut self,
        name: &str,
        at: Span,
        args: &[ast::Arg],
        want: Option<&Ty>,
        span: Span,
    ) -> Option<Option<Expr>> {
        if !BUILTINS.contains(&name) || self.var(name, at).is_some() {
            return None;
        }
        if matches!(
            self.k.names.global(name, at),
            Some(super::names::Global::Formula(_) | super::names::Global::Table(_))
        ) && name != "cell"
        {
            return None;
        }
        let plain: Vec<&ast::Expr> = args.iter().map(|arg| &arg.value).collect();
        Some(match (name, plain.as_slice()) {
            ("shuffled", [of]) => self.shuffled(of, want, span),
            ("random", [of]) => self.random(of, span),
            ("first", [of]) => self.first(of, span),
            ("set" | "bag" | "list", [of]) => self.convert(name, of, want, span),
            ("min" | "max", [_, _, ..]) => self.extreme(name == "max", &plain, span),
            ("repeats", parts) if !parts.is_empty() => self.repeats(None, parts, at, span),
            ("cell", [row, column]) => self.position_at(row, column, span),
            ("leap", [a, b]) => self.leap(a, b, span),
            _ => {
                let wanted = match name {
                    "min" | "max" => "several numbers, or `x in S: …`",
                    "cell" | "leap" => "two numbers",
                    _ => "one container",
                };
                let message = format!("`{name}` wants {wanted}");
                let given = plain
                    .first()
                    .map_or("S", |given| self.k.slice(given.span))
                    .to_owned();
                let help = match (name, plain.len()) {
                    ("min" | "max", 1) => format!("of several: `{name}(x in {given}: x.cost)`"),
                    ("random", 2) => {
                        let high = self.k.slice(plain[1].span);
                        format!("a number by chance: `random({given}..{high})`")
                    }
                    _ => format!(
                        "it is written `{name}({})`",
                        if matches!(name, "min" | "max" | "cell" | "leap") {
                            "a, b"
                        } else {
                            "S"
                        }
                    ),
                };
                self.error_help("wrong-arguments", span, message, help);
                None
            }
        })
    }

    fn chance(&mut self, span: Span) -> Option<()> {
        let help = match (self.mode == Mode::Pure, self.asked_often) {
            (true, _) => "shuffle in a start value or a statement",
            (false, true) => "roll before, and compare with what came: `let n = random(1..6)`",
            (false, false) => return Some(()),
        };
        let message = "chance has no place in a formula or condition";
        self.error_help("impure", span, message, help);
        None
    }

    fn shuffled(&mut self, of: &ast::Expr, want: Option<&Ty>, span: Span) -> Option<Expr> {
        self.chance(span)?;
        let _ = want;
        let of = match &of.kind {
            ast::ExprKind::Aggregate {
                op: AggregateOp::Set,
                binders,
                value,
            } => self.aggregate(AggregateOp::Bag, binders, value.as_deref(), None, of.span)?,
            _ => self.expr(of, Some(&Ty::Bag(Domain::Player)))?,
        };
        let of = self.require(of)?;
        let Some(domain) = of.ty.element().as_ref().and_then(domain_of) else {
            let message = format!("{} cannot be shuffled", self.k.in_words(&of.ty));
            self.error("wrong-type", of.span, message);
            return None;
        };
        Some(Expr {
            kind: ExprKind::Shuffled(Box::new(of)),
            ty: Ty::Deck(domain),
            span,
        })
    }

    fn random(&mut self, of: &ast::Expr, span: Span) -> Option<Expr> {
        self.chance(span)?;
        let of = self.expr(of, None)?;
        if let Ty::Int { .. } = of.ty {
            let most = self.k.slice(of.span).to_owned();
            let message = format!("wanted a container, found {}", self.k.in_words(&of.ty));
            let help = format!("one of the numbers from 1 on: `random(1..{most})`");
            self.error_help("wrong-type", of.span, message, help);
            return None;
        }
        let of = self.container(of)?;
        self.warn_of_hiding(&of);
        let ty = of.ty.element()?;
        Some(Expr {
            kind: ExprKind::Random(Box::new(of)),
            ty,
            span,
        })
    }

    fn first(&mut self, of: &ast::Expr, span: Span) -> Option<Expr> {
        let of = self.expr(of, None)?;
        let of = self.container(of)?;
        let ty = of.ty.element()?.optional();
        Some(Expr {
            kind: ExprKind::First(Box::new(of)),
            ty,
            span,
        })
    }

    pub fn container(&mut self, of: Expr) -> Option<Expr> {
        let of = self.require(of)?;
        if !of.ty.is_container() {
            let message = format!("wanted a container, found {}", self.k.in_words(&of.ty));
            self.error("wrong-type", of.span, message);
            return None;
        }
        Some(of)
    }

    fn convert(
        &mut self,
        word: &str,
        of: &ast::Expr,
        want: Option<&Ty>,
        span: Span,
    ) -> Option<Expr> {
        let hint = match word {
            "bag" if matches!(of.kind, ast::ExprKind::Name(_)) => Some(Ty::Bag(Domain::Player)),
            _ => want.cloned(),
        };
        let of = self.expr(of, hint.as_ref())?;
        let of = self.container(of)?;
        let element = of.ty.element()?;
        let ty = match (word, domain_of(&element)) {
            ("list", _) => Ty::List(Box::new(element)),
            ("set", Some(domain)) => {
                Ty::Set(self.few(Some(domain), span, word, TypePlace::Code)?)
            }
            ("bag", Some(domain)) => {
                Ty::Bag(self.few(Some(domain), span, word, TypePlace::Code)?)
            }
            _ => of.ty.clone(),
        };
        if ty == of.ty {
            return Some(Expr { span, ..of });
        }
        Some(Expr {
            kind: ExprKind::Convert(Box::new(of)),
            ty,
            span,
        })
    }

    /// The smallest or greatest of some numbers, as a choice between them.
    fn extreme(&mut self, max: bool, numbers: &[&ast::Expr], span: Span) -> Option<Expr> {
        let numbers: Vec<Option<Expr>> = numbers.iter().map(|one| self.number(one)).collect();
        let numbers: Vec<Expr> = numbers.into_iter().collect::<Option<_>>()?;
        let both = |x: Option<i64>, y: Option<i64>| x.zip(y);
        let either = |x: Option<i64>, y: Option<i64>, pick: fn(i64, i64) -> i64| match (x, y) {
            (Some(x), Some(y)) => Some(pick(x, y)),
            (x, y) => x.or(y),
        };
        let intervals = numbers.iter().map(|one| interval(&one.ty));
        let (low, high) = intervals.reduce(|(la, ha), (lb, hb)| match max {
            true => (
                either(la, lb, i64::max),
                both(ha, hb).map(|(x, y)| x.max(y)),
            ),
            false => (
                both(la, lb).map(|(x, y)| x.min(y)),
                either(ha, hb, i64::min),
            ),
        })?;
        let ty = Ty::Int { low, high };
        let list_ty = Ty::List(Box::new(Ty::INT));
        let source = Expr {
            kind: ExprKind::ListOf(numbers),
            ty: list_ty,
            span,
        };
        let local = self.hidden_local("", Ty::INT, span);
        let binder = Binder {
            local,
            source,
            conditions: Vec::new(),
            by: Vec::new(),
            from: None,
            up_to: None,
            span,
        };
        let value = Expr {
            kind: ExprKind::Local(local),
            ty: Ty::INT,
            span,
        };
        let op = if max {
            AggregateOp::Max
        } else {
            AggregateOp::Min
        };
        Some(Expr {
            kind: ExprKind::Aggregate {
                op,
                binders: vec![binder],
                value: Some(Box::new(value)),
            },
            ty,
            span,
        })
    }

    /// Cells of this name; none: no cell is called so.
    pub(super) fn cells_of_name(&self, expr: &ast::Expr) -> Vec<crate::ir::CellId> {
        match &expr.kind {
            ast::ExprKind::Name(name) => self.k.cells_named(None, name),
            ast::ExprKind::Member(base, word) => match &base.kind {
                ast::ExprKind::Name(owner) => self.k.cells_named(Some(owner), &word.text),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    pub fn position_at(&mut self, row: &ast::Expr, column: &ast::Expr, span: Span) -> Option<Expr> {
        if self.k.rs.tiling.is_none() {
            self.error(
                "unknown-name",
                span,
                "`cell(row, column)` needs a tiling, and none is declared",
            );
            return None;
        }
        let (row, column) = (self.number(row), self.number(column));
        let (row, column) = (row?, column?);
        let place = Ty::Element(self.k.positions());
        let ty = match self.is_on_board(&row, &column, span) {
            Some(true) => place,
            Some(false) => return None,
            None => place.optional(),
        };
        Some(Expr {
            kind: ExprKind::PositionAt(Box::new(row), Box::new(column)),
            ty,
            span,
        })
    }

    /// Whether a place named by numbers is one of the board; none: it is not named by numbers, or there is no telling.
    fn is_on_board(&mut self, row: &Expr, column: &Expr, span: Span) -> Option<bool> {
        let mut number = |at: &Expr| match self.k.constant(at) {
            Some(crate::ir::Value::Int(n)) => Some(n),
            _ => None,
        };
        let at = (number(row)?, number(column)?);
        self.has_place(at, span)
    }

    /// Whether the board has a place in this row and column, and reports it if not; none: its places are not named by numbers.
    pub(super) fn has_place(&mut self, at: crate::ir::Coordinates, span: Span) -> Option<bool> {
        let tiling = self.k.rs.tiling.as_ref()?;
        let crate::ir::Ground::Places(_) = &tiling.ground else {
            return None;
        };
        if self.k.broken_board {
            return Some(true);
        }
        if tiling.ground.find(at).is_some() {
            return Some(true);
        }
        let message = format!(
            "`{}` has no place in row {}, column {}",
            tiling.name, at.0, at.1
        );
        let help = self.k.board_in_words();
        self.error_help("no-such-place", span, message, help);
        Some(false)
    }

    /// Where an expression takes things from, seen through `first`, `.top`, `.bottom` and `x[i]`.
    pub fn provenance(&self, expr: &Expr) -> Option<crate::ir::Place> {
        match &expr.kind {
            ExprKind::TopOf(inner)
            | ExprKind::BottomOf(inner)
            | ExprKind::First(inner)
            | ExprKind::Random(inner) => place_of(inner),
            ExprKind::At(inner, _) => place_of(inner),
            ExprKind::Aggregate {
                op: AggregateOp::First | AggregateOp::Set | AggregateOp::Bag | AggregateOp::List,
                binders,
                value: None,
            } => match binders.as_slice() {
                [binder] => place_of(&binder.source),
                _ => None,
            },
            ExprKind::Unwrap(inner) => self.provenance(inner),
            _ => self.picked_from(expr),
        }
    }
}
