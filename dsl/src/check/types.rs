//! Types: from their spelling, to their spelling, and whether one fits the other.

use super::body::Body;
use super::graph::Touched;
use super::names::Global;
use crate::diagnostic::{Diagnostic, Way};
use crate::ir::{Domain, Enum, EnumId, Expr, ExprKind, RuleSet, Ty, Value};
use crate::source::Span;
use crate::syntax::ast;

/// Where a type stands decides what a table's name means: a row, or a part lying on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypePlace {
    /// Bounds must be known when the rules are loaded; a table's name is a row.
    Column,
    /// Bounds may read the number of players and columns; a nested table's name is a part on the board.
    Code,
}

/// A type with the bounds as they were written.
pub(crate) struct Written {
    pub ty: Ty,
    pub low: Option<Expr>,
    pub high: Option<Expr>,
    pub capacity: Option<Expr>,
}

impl Written {
    fn plain(ty: Ty) -> Written {
        Written {
            ty,
            low: None,
            high: None,
            capacity: None,
        }
    }
}

impl Body<'_, '_> {
    pub fn ty(&mut self, ty: &ast::Type, place: TypePlace) -> Option<Ty> {
        self.written(ty, place).map(|written| written.ty)
    }

    pub fn written(&mut self, ty: &ast::Type, place: TypePlace) -> Option<Written> {
        let mut written = self.written_kind(&ty.kind, ty.span, place)?;
        if ty.optional {
            if written.ty.is_container() || written.ty == Ty::Agenda {
                let help = "a container without elements says the same";
                self.error_help(
                    "wrong-type",
                    ty.span,
                    "a container cannot be optional",
                    help,
                );
                return None;
            }
            written.ty = written.ty.optional();
        }
        Some(written)
    }

    fn written_kind(
        &mut self,
        kind: &ast::TypeKind,
        span: Span,
        place: TypePlace,
    ) -> Option<Written> {
        match kind {
            ast::TypeKind::Range(low, high) => {
                self.range_ty(low.as_deref(), high.as_deref(), place)
            }
            ast::TypeKind::Named(name) => self.named_ty(name, place).map(Written::plain),
            ast::TypeKind::InlineEnum(members) => {
                Some(Written::plain(self.inline_enum(members, span)))
            }
            ast::TypeKind::Collected(name) => self.collected(name).map(Written::plain),
            ast::TypeKind::Set(element, up_to) => {
                self.sized(element, up_to.as_deref(), place, Ty::Set)
            }
            ast::TypeKind::Bag(element, up_to) => {
                self.sized(element, up_to.as_deref(), place, Ty::Bag)
            }
            ast::TypeKind::List(element, up_to) => self.list_ty(element, up_to.as_deref(), place),
            ast::TypeKind::Deck(element, up_to) => {
                self.sized(element, up_to.as_deref(), place, Ty::Deck)
            }
            ast::TypeKind::Row(element, places) => {
                self.sized(element, Some(places), place, Ty::Row)
            }
            ast::TypeKind::Effect(scope) => self.effect_ty(scope.as_ref()).map(Written::plain),
            ast::TypeKind::Formula { of, result } => {
                self.formula_ty(of, result, place).map(Written::plain)
            }
        }
    }

    fn sized(
        &mut self,
        element: &ast::Type,
        size: Option<&ast::Expr>,
        place: TypePlace,
        make: fn(Domain) -> Ty,
    ) -> Option<Written> {
        let mut domain = self.domain_ty(element, place);
        let what = match make(Domain::Player) {
            Ty::Set(_) => Some("set"),
            Ty::Bag(_) => Some("bag"),
            _ => None,
        };
        if let Some(what) = what {
            domain = self.few(domain, element.span, what, place);
        }
        let capacity = size.and_then(|size| self.number(size));
        Some(Written {
            capacity,
            ..Written::plain(make(domain?))
        })
    }

    /// A set or bag keeps something for each number it may hold. What a column holds is known, so it is as wide as that.
    pub(super) fn few(
        &mut self,
        domain: Option<Domain>,
        span: Span,
        what: &str,
        place: TypePlace,
    ) -> Option<Domain> {
        let domain = domain?;
        if place == TypePlace::Code && is_wide(domain) {
            let message = format!(
                "a {what} keeps a place for each number it may hold, and here these are too many"
            );
            let help = "give the numbers a greatest one, as in `set of 0..45`, or take a `list of 0.. up to 10`";
            self.error_help("unbounded", span, message, help);
            return None;
        }
        Some(domain)
    }

    fn list_ty(
        &mut self,
        element: &ast::Type,
        size: Option<&ast::Expr>,
        place: TypePlace,
    ) -> Option<Written> {
        let span = element.span;
        let element = self.ty(element, place);
        let capacity = size.and_then(|size| self.number(size));
        Some(Written {
            capacity,
            ..Written::plain(self.list_ty_of(element?, span)?)
        })
    }

    /// A list of these; containers are refused.
    pub(super) fn list_ty_of(&mut self, element: Ty, span: Span) -> Option<Ty> {
        if !element.required().is_container() {
            return Some(Ty::List(Box::new(element)));
        }
        let message = format!(
            "a list holds single things, not {}",
            self.k.in_words(&element)
        );
        self.error_help("wrong-type", span, message, "what has a value for each of several things is a table, and its columns may be sets and lists: `table price key line, column`, asked as `price[1, 2].value`");
        None
    }

    fn range_ty(
        &mut self,
        low: Option<&ast::Expr>,
        high: Option<&ast::Expr>,
        place: TypePlace,
    ) -> Option<Written> {
        let low = self.bound(low, place)?;
        let high = self.bound(high, place)?;
        let from = low.as_ref().and_then(|bound| interval(&bound.ty).0);
        let to = high.as_ref().and_then(|bound| interval(&bound.ty).1);
        if let (Some(from), Some(to), Some(last)) = (from, to, &high)
            && from > to
        {
            self.error(
                "out-of-range",
                last.span,
                format!("the range {from}..{to} is empty"),
            );
            return None;
        }
        Some(Written {
            ty: Ty::Int {
                low: from,
                high: to,
            },
            low,
            high,
            capacity: None,
        })
    }

    /// `Some(None)`: there is no bound; `None`: it is wrong.
    #[allow(clippy::option_option)]
    fn bound(&mut self, bound: Option<&ast::Expr>, place: TypePlace) -> Option<Option<Expr>> {
        let Some(bound) = bound else {
            return Some(None);
        };
        let value = self.number(bound)?;
        if let Some(known) = self.k.constant(&value) {
            return Some(Some(constant(known, value.span)));
        }
        if place == TypePlace::Column {
            let help = "in a table only numbers, options and constants bound a range";
            self.error_help(
                "not-constant",
                value.span,
                "this bound is not known when the rules are loaded",
                help,
            );
            return None;
        }
        Some(Some(value))
    }

    fn named_ty(&mut self, name: &ast::Name, place: TypePlace) -> Option<Ty> {
        match name.text.as_str() {
            "bool" => Some(Ty::Bool),
            "text" => Some(Ty::Text),
            "agenda" => Some(Ty::Agenda),
            "effect" => Some(Ty::Effect(None)),
            "int" | "number" => {
                self.error_help(
                    "unknown-type",
                    name.span,
                    format!("there is no type `{}`", name.text),
                    "whole numbers are written as a range: `0..`",
                );
                None
            }
            _ => self.domain(name, place).map(Ty::Element),
        }
    }

    /// A domain by its name.
    pub fn domain(&mut self, name: &ast::Name, place: TypePlace) -> Option<Domain> {
        let global = self.k.names.global(&name.text, name.span);
        if let Some(global @ (Global::Table(_) | Global::Enum(_))) = global {
            self.k.note_global(name.span, global);
        }
        match (name.text.as_str(), global) {
            (_, Some(Global::Table(id))) => {
                self.touch(Touched::Table(id), name.span);
                let part = place == TypePlace::Code && self.k.is_part(id);
                Some(if part {
                    Domain::Part(id)
                } else {
                    Domain::Table(id)
                })
            }
            (_, Some(Global::Enum(id))) => {
                self.touch(Touched::Enum(id), name.span);
                Some(Domain::Enum(id))
            }
            ("player", _) => Some(Domain::Player),
            ("action", _) => Some(Domain::Action),
            ("cell" | "side" | "port", _) => self.tiling_domain(name),
            _ => self.unknown_domain(name),
        }
    }

    fn tiling_domain(&mut self, name: &ast::Name) -> Option<Domain> {
        if self.k.asm.tilings.is_empty() {
            if self.k.is_broken(&name.text) {
                return None;
            }
            let message = format!("`{}` needs a tiling, and none is declared", name.text);
            self.error("unknown-type", name.span, message);
            return None;
        }
        match name.text.as_str() {
            "cell" => Some(self.k.positions()),
            "side" => Some(Domain::Side),
            _ => Some(Domain::Port),
        }
    }

    fn unknown_domain(&mut self, name: &ast::Name) -> Option<Domain> {
        if self.k.is_broken(&name.text) {
            return None;
        }
        let near = self.k.near_type(&name.text, name.span);
        let other = match name.text.as_str() {
            "string" | "str" | "String" => Some(
                "words are members of an enum, `enum colour = red, blue`, or rows of a table; `text` stands in columns",
            ),
            "boolean" | "Boolean" => Some("yes or no is `bool`"),
            "integer" | "float" | "double" | "Int" => {
                Some("whole numbers are written as a range: `0..`")
            }
            "array" | "dict" | "map" | "tuple" | "vector" => Some(
                "several are `set of …`, `bag of …`, `list of …`; one for each of something is an index: `stock[colour]: 0..`",
            ),
            _ => None,
        };
        let message = format!("there is no table, enum or type `{}`", name.text);
        let ways = other.map(Way::help).into_iter();
        let ways = ways.chain(near.map(|near| Way::meant(name.span, &near)));
        let all = Way::help(
            "a type is a range of numbers, `0..10`, `bool`, `player`, a table, an enum, or several: `set of …`, `bag of …`",
        );
        let diagnostic =
            Diagnostic::error("unknown-type", name.span, message).ways(ways.chain([all]));
        self.k.report(diagnostic);
        None
    }

    /// What a set, bag, deck or row holds.
    fn domain_ty(&mut self, ty: &ast::Type, place: TypePlace) -> Option<Domain> {
        let element = self.ty(ty, place)?;
        match domain_of(&element) {
            Some(domain) if !ty.optional => Some(domain),
            _ => {
                let message = format!("a container cannot hold {}", self.k.in_words(&element));
                self.error("wrong-type", ty.span, message);
                None
            }
        }
    }

    fn effect_ty(&mut self, scope: Option<&ast::Path>) -> Option<Ty> {
        let Some(path) = scope else {
            return Some(Ty::Effect(None));
        };
        let name = path.parts.last()?;
        match self.k.names.global(&name.text, name.span) {
            Some(global @ Global::Action(id)) => {
                self.k.note_global(name.span, global);
                Some(Ty::Effect(Some(id)))
            }
            _ => {
                self.error(
                    "unknown-name",
                    name.span,
                    format!("there is no action `{}`", name.text),
                );
                None
            }
        }
    }

    fn formula_ty(&mut self, of: &ast::Name, result: &ast::Type, place: TypePlace) -> Option<Ty> {
        let of = self.domain(of, TypePlace::Code);
        let result = Box::new(self.ty(result, place)?);
        Some(Ty::Formula { of: of?, result })
    }

    /// Equal lists of members are one enum.
    fn inline_enum(&mut self, members: &[ast::Name], span: Span) -> Ty {
        let words: Vec<String> = members.iter().map(|name| name.text.clone()).collect();
        let same = |known: &Enum| known.name.is_empty() && known.members == words;
        if let Some(at) = self.k.rs.enums.iter().position(same) {
            for (number, member) in members.iter().enumerate() {
                let domain = Domain::Enum(EnumId(at as u32));
                self.k.note_element(member.span, domain, number as u32);
            }
            return Ty::Element(Domain::Enum(EnumId(at as u32)));
        }
        let layer = self.k.names.layer(span);
        let id = self.k.add_enum("", span);
        for member in members {
            self.k.add_enum_member(id, member, layer);
        }
        Ty::Element(Domain::Enum(id))
    }

    /// `enum name`: its members are added by the tables that use it.
    fn collected(&mut self, name: &ast::Name) -> Option<Ty> {
        match self.k.names.global(&name.text, name.span) {
            Some(global @ Global::Enum(id)) => {
                self.k.note_global(name.span, global);
                Some(Ty::Element(Domain::Enum(id)))
            }
            _ => {
                self.error(
                    "unknown-type",
                    name.span,
                    format!(
                        "`enum {}` collects its members in a table's column",
                        name.text
                    ),
                );
                None
            }
        }
    }
}

/// A constant number.
pub(crate) fn constant(value: Value, span: Span) -> Expr {
    let ty = match &value {
        Value::Int(n) => exactly(i64::from(*n)),
        Value::Bool(_) => Ty::Bool,
        Value::Text(_) => Ty::Text,
        Value::Element(domain, _) => Ty::Element(*domain),
        _ => Ty::INT,
    };
    Expr {
        kind: ExprKind::Const(value),
        ty,
        span,
    }
}

pub(crate) fn exactly(n: i64) -> Ty {
    Ty::Int {
        low: Some(n),
        high: Some(n),
    }
}

pub(crate) fn interval(ty: &Ty) -> (Option<i64>, Option<i64>) {
    match ty.required() {
        Ty::Int { low, high } => (*low, *high),
        _ => (None, None),
    }
}

pub(crate) fn is_int(ty: &Ty) -> bool {
    matches!(ty, Ty::Int { .. })
}

pub(crate) fn is_none(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Const(Value::None))
}

/// Numbers beyond this many are no elements of a set.
const NUMBERS_MAX: i64 = 1 << 16;

pub(crate) fn is_wide(domain: Domain) -> bool {
    matches!(domain, Domain::Int { low, high } if i64::from(high) - i64::from(low) > NUMBERS_MAX)
}

/// The domain whose elements have this type.
pub(crate) fn domain_of(ty: &Ty) -> Option<Domain> {
    match ty {
        Ty::Element(domain) => Some(*domain),
        Ty::Int { low, high } => {
            let clip = |bound: Option<i64>, or: i32| {
                bound.map_or(or, |n| n.clamp(i32::MIN.into(), i32::MAX.into()) as i32)
            };
            Some(Domain::Int {
                low: clip(*low, i32::MIN),
                high: clip(*high, i32::MAX),
            })
        }
        _ => None,
    }
}

pub(crate) fn same_domain(a: Domain, b: Domain) -> bool {
    matches!((a, b), (Domain::Int { .. }, Domain::Int { .. })) || a == b
}

/// The smallest domain that holds the elements of both.
pub(crate) fn join_domain(a: Domain, b: Domain) -> Option<Domain> {
    match (a, b) {
        (Domain::Int { low, high }, Domain::Int { low: l, high: h }) => Some(Domain::Int {
            low: low.min(l),
            high: high.max(h),
        }),
        _ => (a == b).then_some(a),
    }
}

/// Whether a value of `from` can stand where `to` is wanted, `none` aside.
pub(crate) fn fits(from: &Ty, to: &Ty) -> bool {
    match (from, to) {
        (Ty::Int { .. }, Ty::Int { .. }) => true,
        (Ty::Set(a), Ty::Set(b))
        | (Ty::Bag(a), Ty::Bag(b))
        | (Ty::Deck(a), Ty::Deck(b))
        | (Ty::Row(a), Ty::Row(b)) => same_domain(*a, *b),
        (Ty::List(a), Ty::List(b)) => fits(a, b),
        (Ty::Effect(_), Ty::Effect(_)) => true,
        (Ty::Formula { of: a, result: r }, Ty::Formula { of: b, result: s }) => {
            a == b && fits(r, s)
        }
        (Ty::Optional(a), Ty::Optional(b)) => fits(a, b),
        (a, Ty::Optional(b)) => fits(a, b),
        (a, b) => a == b,
    }
}

/// The type of a value that is one or the other.
pub(crate) fn join(a: &Ty, b: &Ty) -> Option<Ty> {
    match (a, b) {
        (Ty::Int { low, high }, Ty::Int { low: l, high: h }) => Some(Ty::Int {
            low: (*low).zip(*l).map(|(x, y)| x.min(y)),
            high: (*high).zip(*h).map(|(x, y)| x.max(y)),
        }),
        (Ty::Set(x), Ty::Set(y)) => join_domain(*x, *y).map(Ty::Set),
        (Ty::Bag(x), Ty::Bag(y)) => join_domain(*x, *y).map(Ty::Bag),
        (Ty::List(x), Ty::List(y)) => join(x, y).map(|ty| Ty::List(Box::new(ty))),
        (Ty::Optional(x), y) | (y, Ty::Optional(x)) => join(x, y.required()).map(Ty::optional),
        _ => fits(a, b).then(|| b.clone()),
    }
}

/// A type in a sentence: `wanted {…}`, `found {…}`.
pub(crate) fn in_words(rules: &RuleSet, ty: &Ty) -> String {
    match ty {
        Ty::Int { low, high } => match (low, high) {
            (None, None) => "a number".to_owned(),
            (Some(low), Some(high)) if low == high => format!("the number {low}"),
            (Some(low), Some(high)) => format!("a number from {low} to {high}"),
            (Some(low), None) => format!("a number from {low} up"),
            (None, Some(high)) => format!("a number up to {high}"),
        },
        Ty::Bool => "`true` or `false`".to_owned(),
        Ty::Text => "a text".to_owned(),
        Ty::Optional(inner) => format!("{} or `none`", in_words(rules, inner)),
        _ => show(rules, ty),
    }
}

/// A type as people write it.
pub(crate) fn show(rules: &RuleSet, ty: &Ty) -> String {
    match ty {
        Ty::Int { low, high } => show_range(*low, *high),
        Ty::Bool => "bool".to_owned(),
        Ty::Text => "text".to_owned(),
        Ty::Element(domain) => show_domain(rules, *domain),
        Ty::Effect(None) => "effect".to_owned(),
        Ty::Effect(Some(id)) => rules
            .actions
            .get(id.index())
            .map_or("effect".to_owned(), |action| {
                format!("effect in {}", action.name)
            }),
        Ty::Formula { of, result } => format!(
            "formula of {}: {}",
            show_domain(rules, *of),
            show(rules, result)
        ),
        Ty::Set(domain) => format!("set of {}", show_domain(rules, *domain)),
        Ty::Bag(domain) => format!("bag of {}", show_domain(rules, *domain)),
        Ty::List(element) => format!("list of {}", show(rules, element)),
        Ty::Deck(domain) => format!("deck of {}", show_domain(rules, *domain)),
        Ty::Row(domain) => format!("row of {}", show_domain(rules, *domain)),
        Ty::Agenda => "agenda".to_owned(),
        Ty::Walk(_) => "walk".to_owned(),
        Ty::Optional(inner) => format!("{}?", show(rules, inner)),
    }
}

/// A constant as people write it.
pub(crate) fn show_value(rules: &RuleSet, value: &Value) -> String {
    let all = |values: &[Value]| {
        let shown: Vec<String> = values.iter().map(|one| show_value(rules, one)).collect();
        shown.join(", ")
    };
    match value {
        Value::None => "none".to_owned(),
        Value::Int(n) => n.to_string(),
        Value::Bool(b) => b.to_string(),
        Value::Text(id) => format!("\"{}\"", rules.text(*id)),
        Value::Element(Domain::Table(id) | Domain::Part(id), n) => rules.tables[id.index()]
            .rows
            .get(*n as usize)
            .map_or_else(String::new, |row| row.name.clone()),
        Value::Element(Domain::Enum(id), n) => rules.enums[id.index()]
            .members
            .get(*n as usize)
            .cloned()
            .unwrap_or_default(),
        Value::Element(Domain::Action, n) => rules
            .actions
            .get(*n as usize)
            .map_or_else(String::new, |action| action.name.clone()),
        Value::Element(Domain::Player, n) => format!("player[{}]", n + 1),
        Value::Element(Domain::Cell, n) => match rules.tiling.as_ref().map(|t| &t.ground) {
            Some(crate::ir::Ground::Places(places)) => places
                .get(*n as usize)
                .map_or_else(String::new, |(row, column)| {
                    format!("cell[{row}, {column}]")
                }),
            _ => (n + 1).to_string(),
        },
        Value::Element(Domain::Side, n) => rules
            .tiling
            .as_ref()
            .and_then(|tiling| tiling.lattice.name(*n))
            .unwrap_or_default(),
        Value::Element(Domain::Port, n) => rules
            .tiling
            .as_ref()
            .and_then(|tiling| tiling.lattice.port_name(*n))
            .unwrap_or_default()
            .to_owned(),
        Value::Element(Domain::Int { .. }, n) => (n + 1).to_string(),
        Value::Set(values) => format!("{{{}}}", all(values)),
        Value::List(values) => format!("[{}]", all(values)),
        Value::Bag(values) => {
            let pieces = values
                .iter()
                .map(|(one, count)| format!("{}: {count}", show_value(rules, one)));
            format!("{{{}}}", pieces.collect::<Vec<_>>().join(", "))
        }
        Value::Effect(id) => rules
            .effects
            .get(id.index())
            .map_or_else(String::new, |effect| effect.text.clone()),
        Value::Formula(_) => "a formula".to_owned(),
    }
}

fn show_range(low: Option<i64>, high: Option<i64>) -> String {
    match (low, high) {
        (None, None) => "number".to_owned(),
        (Some(low), Some(high)) if low == high => low.to_string(),
        (low, high) => format!(
            "{}..{}",
            low.map_or(String::new(), |n| n.to_string()),
            high.map_or(String::new(), |n| n.to_string())
        ),
    }
}

pub(crate) fn show_domain(rules: &RuleSet, domain: Domain) -> String {
    match domain {
        Domain::Table(id) => rules
            .tables
            .get(id.index())
            .map_or_else(String::new, |table| table.name.clone()),
        Domain::Part(id) => rules
            .tables
            .get(id.index())
            .map_or_else(String::new, |table| format!("{} on the board", table.name)),
        Domain::Enum(id) => rules
            .enums
            .get(id.index())
            .map_or_else(String::new, show_enum),
        Domain::Player => "player".to_owned(),
        Domain::Cell => "cell".to_owned(),
        Domain::Side => "side".to_owned(),
        Domain::Port => "port".to_owned(),
        Domain::Action => "action".to_owned(),
        Domain::Int { low, high } => show_range(
            (low > i32::MIN).then_some(low.into()),
            (high < i32::MAX).then_some(high.into()),
        ),
    }
}

fn show_enum(declared: &Enum) -> String {
    if declared.name.is_empty() {
        format!("{{{}}}", declared.members.join(", "))
    } else {
        declared.name.clone()
    }
}
