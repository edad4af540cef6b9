//! Values, types, binders, walks.

use std::sync::LazyLock;

use pest::pratt_parser::{Assoc, Op, PrattParser};

use super::{Builder, Pair, Rule, has, mistake, parts};
use crate::diagnostic::braces;
use crate::source::Span;
use crate::syntax::ast::*;

/// The largest number of the language.
const NUMBER_MAX: i64 = i32::MAX as i64;

/// Operators, weakest first.
static OPERATORS: LazyLock<PrattParser<Rule>> = LazyLock::new(|| {
    PrattParser::new()
        .op(Op::infix(Rule::k_implies, Assoc::Right))
        .op(Op::infix(Rule::k_or, Assoc::Left))
        .op(Op::infix(Rule::k_and, Assoc::Left))
        .op(Op::prefix(Rule::not))
        .op(Op::infix(Rule::equal, Assoc::Left)
            | Op::infix(Rule::not_equal, Assoc::Left)
            | Op::infix(Rule::less, Assoc::Left)
            | Op::infix(Rule::less_equal, Assoc::Left)
            | Op::infix(Rule::greater, Assoc::Left)
            | Op::infix(Rule::greater_equal, Assoc::Left)
            | Op::infix(Rule::k_in, Assoc::Left)
            | Op::infix(Rule::not_in, Assoc::Left)
            | Op::infix(Rule::k_within, Assoc::Left))
        .op(Op::infix(Rule::range, Assoc::Left))
        .op(Op::infix(Rule::add, Assoc::Left) | Op::infix(Rule::subtract, Assoc::Left))
        .op(Op::infix(Rule::multiply, Assoc::Left)
            | Op::infix(Rule::divide, Assoc::Left)
            | Op::infix(Rule::remainder, Assoc::Left))
        .op(Op::infix(Rule::k_otherwise, Assoc::Right))
        .op(Op::prefix(Rule::negate) | Op::prefix(Rule::can) | Op::prefix(Rule::parts_of))
});

/// The one part of a pair that the grammar gives exactly one.
pub(super) fn only(pair: Pair) -> Pair {
    parts(pair)
        .next()
        .expect("the grammar gives this rule a part")
}

fn boxed(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}

impl Builder<'_> {
    /// `expr`, `sum`, or a rule that holds one (`start`, `by_clause`, `operand`, …).
    pub(super) fn expr(&self, pair: Pair) -> Expr {
        match pair.as_rule() {
            Rule::expr | Rule::sum => self.operators(pair),
            Rule::operand => self.operand(pair),
            Rule::literal => self.text_of(&pair, pair.as_str().trim_matches('"')),
            Rule::number => self.number(&pair),
            Rule::word => self.name_expr(&pair),
            _ => self.expr(only(pair)),
        }
    }

    pub(super) fn exprs(&self, pair: Pair) -> Vec<Expr> {
        parts(pair).map(|part| self.expr(part)).collect()
    }

    fn operators(&self, pair: Pair) -> Expr {
        let flat = pair.into_inner().flat_map(|part| match part.as_rule() {
            Rule::infix | Rule::sum_infix => part.into_inner().collect::<Vec<_>>(),
            _ => vec![part],
        });
        OPERATORS
            .map_primary(|operand| self.operand(operand))
            .map_prefix(|sign, value| self.prefixed(sign, value))
            .map_infix(|left, sign, right| infix(left, sign.as_rule(), right))
            .parse(flat)
    }

    fn prefixed(&self, sign: Pair, value: Expr) -> Expr {
        let span = self.span(&sign).to(value.span);
        let kind = match sign.as_rule() {
            Rule::not => ExprKind::Unary(UnaryOp::Not, boxed(value)),
            Rule::negate => ExprKind::Unary(UnaryOp::Negate, boxed(value)),
            Rule::can => ExprKind::Unary(UnaryOp::Can, boxed(value)),
            Rule::parts_of => ExprKind::Parts(boxed(value)),
            rule => unreachable!("no prefix: {rule:?}"),
        };
        Expr { kind, span }
    }

    fn operand(&self, pair: Pair) -> Expr {
        let mut inner = parts(pair);
        let first = inner.next().expect("an operand has a value");
        let span = self.span(&first);
        let value = match first.as_rule() {
            Rule::conditional => self.conditional(first),
            Rule::best_walk => Expr {
                kind: ExprKind::BestWalk(Box::new(self.walk(only(first)))),
                span,
            },
            Rule::best_walks => Expr {
                kind: ExprKind::BestWalks(Box::new(self.walk(only(first)))),
                span,
            },
            Rule::distance => Expr {
                kind: ExprKind::Distance(Box::new(self.walk(only(first)))),
                span,
            },
            Rule::ends_of_walk => Expr {
                kind: ExprKind::EndsOfWalk(Box::new(self.walk(only(first)))),
                span,
            },
            Rule::drawn => Expr {
                kind: ExprKind::Fated(Box::new(Fate::Draw), Some(self.name(only(first)))),
                span,
            },
            _ => self.postfix(first),
        };
        inner.fold(value, |value, part| match part.as_rule() {
            Rule::fate => self.fated(value, part),
            _ => {
                let ground = self.name(only(part));
                let span = value.span.to(ground.span);
                Expr {
                    kind: ExprKind::On(boxed(value), ground),
                    span,
                }
            }
        })
    }

    /// `A wins "four in a row"`, with `who` in front.
    fn fated(&self, who: Expr, pair: Pair) -> Expr {
        let span = who.span.to(self.span(&pair));
        let fate = match has(&pair, Rule::k_loses) {
            true => Fate::Loses(who),
            false => Fate::Wins(who),
        };
        let name = parts(pair).next().map(|name| self.name(name));
        Expr {
            kind: ExprKind::Fated(Box::new(fate), name),
            span,
        }
    }

    fn conditional(&self, pair: Pair) -> Expr {
        let span = self.span(&pair);
        let mut values = parts(pair).map(|part| boxed(self.expr(part)));
        let mut next = || values.next().expect("`if` has three values");
        Expr {
            kind: ExprKind::If(next(), next(), next()),
            span,
        }
    }

    pub(super) fn postfix(&self, pair: Pair) -> Expr {
        let mut inner = parts(pair);
        let first = inner.next().expect("a value begins with something");
        let mut value = self.primary(only(first));
        for suffix in inner {
            let span = value.span.to(self.span(&suffix));
            let kind = match suffix.as_rule() {
                Rule::member => ExprKind::Member(boxed(value), self.name(only(suffix))),
                Rule::subscript => ExprKind::Index(boxed(value), self.exprs(only(suffix))),
                _ => ExprKind::Call(
                    boxed(value),
                    parts(suffix).map(|arg| self.arg(arg)).collect(),
                ),
            };
            value = Expr { kind, span };
        }
        value
    }

    fn arg(&self, pair: Pair) -> Arg {
        let inner = only(pair);
        if inner.as_rule() != Rule::named_arg {
            return Arg {
                name: None,
                value: self.expr(inner),
            };
        }
        let mut inner = parts(inner);
        let name = inner.next().map(|name| self.name(name));
        Arg {
            name,
            value: self.expr(inner.next().expect("an argument has a value")),
        }
    }

    fn primary(&self, pair: Pair) -> Expr {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::number => return self.number(&pair),
            Rule::name => return self.name_expr(&pair),
            Rule::string => ExprKind::Text(self.message(pair)),
            Rule::parens => self.expr(only(pair)).kind,
            Rule::braces => ExprKind::Braces(parts(pair).map(|entry| self.entry(entry)).collect()),
            Rule::brackets => {
                ExprKind::Brackets(parts(pair).flat_map(|exprs| self.exprs(exprs)).collect())
            }
            Rule::aggregate => self.aggregate(pair, span),
            rule => unreachable!("no value: {rule:?}"),
        };
        Expr { kind, span }
    }

    fn entry(&self, pair: Pair) -> (Expr, Option<Expr>) {
        let mut inner = parts(pair);
        let key = self.expr(inner.next().expect("an entry has a value"));
        (key, inner.next().map(|count| self.expr(count)))
    }

    fn aggregate(&self, pair: Pair, span: Span) -> ExprKind {
        let mut inner = parts(pair);
        let word = inner.next().expect("an aggregate has a word");
        let op = aggregate_op(word.as_str());
        let binders = self.binders(inner.next().expect("an aggregate has binders"));
        let value = inner.next().map(|value| boxed(self.expr(value)));
        let kind = ExprKind::Aggregate { op, binders, value };
        if !matches!(word.as_str(), "shuffled" | "random") {
            return kind;
        }
        // `shuffled(c in card where C)` is `shuffled(bag(c in card where C))`.
        let callee = Expr {
            kind: ExprKind::Name(word.as_str().to_owned()),
            span: self.span(&word),
        };
        ExprKind::Call(
            boxed(callee),
            vec![Arg {
                name: None,
                value: Expr { kind, span },
            }],
        )
    }

    fn number(&self, pair: &Pair) -> Expr {
        let span = self.span(pair);
        let value = pair.as_str().trim().parse().unwrap_or_else(|_| {
            self.report(mistake::number_too_large(span, NUMBER_MAX as u64));
            0
        });
        Expr {
            kind: ExprKind::Number(value),
            span,
        }
    }

    fn name_expr(&self, pair: &Pair) -> Expr {
        Expr {
            kind: ExprKind::Name(pair.as_str().trim().to_owned()),
            span: self.span(pair),
        }
    }

    fn text_of(&self, pair: &Pair, text: &str) -> Expr {
        let span = self.span(pair);
        let parts = vec![MessagePart::Text(text.to_owned())];
        Expr {
            kind: ExprKind::Text(Message { parts, span }),
            span,
        }
    }

    /// A `string`, or a clause that holds one.
    pub(super) fn message(&self, pair: Pair) -> Message {
        if pair.as_rule() != Rule::string {
            return self.message(only(pair));
        }
        let span = self.span(&pair);
        let part = |part: Pair| match part.as_rule() {
            Rule::plain => {
                let stray = braces::stray(part.as_str(), 0, self.span(&part));
                stray.into_iter().for_each(|found| self.report(found));
                MessagePart::Text(part.as_str().to_owned())
            }
            _ => MessagePart::Value(self.expr(only(part))),
        };
        Message {
            parts: parts(pair).map(part).collect(),
            span,
        }
    }

    pub(super) fn path(&self, pair: Pair) -> Path {
        let span = self.span(&pair);
        Path {
            parts: self.names(pair),
            span,
        }
    }

    // -------------------------------------------------------------------------------------------- binders

    pub(super) fn binders(&self, pair: Pair) -> Vec<Binder> {
        parts(pair).map(|binder| self.binder(binder)).collect()
    }

    fn binder(&self, pair: Pair) -> Binder {
        self.choice(pair).binder
    }

    /// A `choice` or a `binder`.
    pub(super) fn choice(&self, pair: Pair) -> Choice {
        let span = self.span(&pair);
        let mut inner = parts(pair);
        let name = inner.next().map(|name| self.name(name));
        let domain = self.expr(inner.next().expect("a binder has a domain"));
        let mut binder = Binder {
            name,
            domain,
            conditions: Vec::new(),
            by: None,
            from: None,
            up_to: None,
            span,
        };
        let mut ask = None;
        for clause in inner {
            match clause.as_rule() {
                Rule::condition_clause | Rule::condition_plain => {
                    binder.conditions.push(self.condition(clause))
                }
                Rule::by_clause => binder.by = Some(self.expr(clause)),
                Rule::from_clause => binder.from = Some(self.expr(clause)),
                Rule::up_to => binder.up_to = Some(self.expr(clause)),
                _ => ask = Some(self.message(clause)),
            }
        }
        Choice {
            binder,
            ask,
            at_once: false,
            span,
        }
    }

    /// What stands behind one `choose`: more than one thing is answered at once.
    pub(super) fn choices(&self, pair: Pair) -> Vec<Choice> {
        let choices = parts(pair).enumerate().map(|(at, choice)| Choice {
            at_once: at > 0,
            ..self.choice(choice)
        });
        choices.collect()
    }

    pub(super) fn condition(&self, pair: Pair) -> Condition {
        let mut inner = parts(pair);
        let expr = self.expr(inner.next().expect("a condition has a value"));
        Condition {
            expr,
            message: inner.next().map(|message| self.message(message)),
        }
    }

    /// A `walk` with its clauses.
    pub(super) fn walk(&self, pair: Pair) -> Walk {
        let span = self.span(&pair);
        let mut inner = parts(pair);
        let network = self.expr(inner.next().expect("a walk has a network"));
        let mut walk = Walk {
            network,
            by: None,
            from: None,
            to: None,
            up_to: None,
            at_least: None,
            where_: None,
            need: None,
            max: None,
            span,
        };
        for clause in inner {
            let span = self.span(&clause);
            if clause.as_rule() == Rule::walkers {
                self.set_once(&mut walk.by, self.walkers(clause), span);
                continue;
            }
            let slot = match clause.as_rule() {
                Rule::from_clause | Rule::from_node => &mut walk.from,
                Rule::to_clause | Rule::to_node => &mut walk.to,
                Rule::up_to => &mut walk.up_to,
                Rule::at_least => &mut walk.at_least,
                Rule::where_clause => &mut walk.where_,
                Rule::need_clause => &mut walk.need,
                _ => &mut walk.max,
            };
            self.set_once(slot, self.expr(clause), span);
        }
        walk
    }

    fn walkers(&self, pair: Pair) -> Walkers {
        let who = only(pair);
        match who.as_rule() {
            Rule::walker => {
                let mut inner = parts(who);
                let name = self.name(inner.next().expect("walkers have a name"));
                Walkers::Each(
                    name,
                    self.expr(inner.next().expect("walkers have a source")),
                )
            }
            _ => Walkers::Alike(self.expr(who)),
        }
    }

    // -------------------------------------------------------------------------------------------- types

    pub(super) fn type_(&self, pair: Pair) -> Type {
        let span = self.span(&pair);
        let optional = has(&pair, Rule::s_optional);
        let inner = only(pair);
        let kind = match inner.as_rule() {
            Rule::container => self.container(inner),
            Rule::row_type => {
                let mut inner = parts(inner);
                let count = boxed(self.expr(inner.next().expect("a row has a length")));
                let element = self.type_(inner.next().expect("a row has an element"));
                TypeKind::Row(Box::new(element), count)
            }
            Rule::collected => TypeKind::Collected(self.name(only(inner))),
            Rule::effect_type => TypeKind::Effect(parts(inner).next().map(|path| self.path(path))),
            Rule::formula_type => {
                let mut inner = parts(inner);
                let of = self.name(inner.next().expect("a formula has an argument"));
                let result = Box::new(self.type_(inner.next().expect("a formula has a result")));
                TypeKind::Formula { of, result }
            }
            Rule::inline_enum => TypeKind::InlineEnum(self.names(only(inner))),
            Rule::range_type => self.range_type(inner),
            _ => TypeKind::Named(self.name(inner)),
        };
        Type {
            kind,
            optional,
            span,
        }
    }

    fn container(&self, pair: Pair) -> TypeKind {
        let word = pair.clone().into_inner().next().map(|word| word.as_rule());
        let mut inner = parts(pair);
        let element = Box::new(self.type_(inner.next().expect("a container has an element")));
        let up_to = inner.next().map(|clause| boxed(self.expr(clause)));
        match word {
            Some(Rule::k_set) => TypeKind::Set(element, up_to),
            Some(Rule::k_bag) => TypeKind::Bag(element, up_to),
            Some(Rule::k_list) => TypeKind::List(element, up_to),
            _ => TypeKind::Deck(element, up_to),
        }
    }

    fn range_type(&self, pair: Pair) -> TypeKind {
        let (mut low, mut high) = (None, None);
        for bound in parts(pair) {
            match bound.as_rule() {
                Rule::low_bound => low = Some(boxed(self.expr(bound))),
                _ => high = Some(boxed(self.expr(bound))),
            }
        }
        TypeKind::Range(low, high)
    }
}

fn infix(left: Expr, sign: Rule, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    if sign == Rule::range {
        return Expr {
            kind: ExprKind::Range(Some(boxed(left)), Some(boxed(right))),
            span,
        };
    }
    Expr {
        kind: ExprKind::Binary(binary_op(sign), boxed(left), boxed(right)),
        span,
    }
}

fn binary_op(sign: Rule) -> BinaryOp {
    match sign {
        Rule::k_implies => BinaryOp::Implies,
        Rule::k_or => BinaryOp::Or,
        Rule::k_and => BinaryOp::And,
        Rule::equal => BinaryOp::Equal,
        Rule::not_equal => BinaryOp::NotEqual,
        Rule::less => BinaryOp::Less,
        Rule::less_equal => BinaryOp::LessEqual,
        Rule::greater => BinaryOp::Greater,
        Rule::greater_equal => BinaryOp::GreaterEqual,
        Rule::k_in => BinaryOp::In,
        Rule::not_in => BinaryOp::NotIn,
        Rule::k_within => BinaryOp::Within,
        Rule::add => BinaryOp::Add,
        Rule::subtract => BinaryOp::Subtract,
        Rule::multiply => BinaryOp::Multiply,
        Rule::divide => BinaryOp::Divide,
        Rule::remainder => BinaryOp::Remainder,
        Rule::k_otherwise => BinaryOp::Otherwise,
        rule => unreachable!("no operator: {rule:?}"),
    }
}

fn aggregate_op(word: &str) -> AggregateOp {
    match word.trim() {
        "some" => AggregateOp::Some,
        "every" => AggregateOp::Every,
        "no" => AggregateOp::No,
        "count" => AggregateOp::Count,
        "sum" => AggregateOp::Sum,
        "min" => AggregateOp::Min,
        "max" => AggregateOp::Max,
        "first" => AggregateOp::First,
        "set" => AggregateOp::Set,
        "list" => AggregateOp::List,
        _ => AggregateOp::Bag,
    }
}
