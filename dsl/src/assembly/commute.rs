//! Whether it matters which of two operations on one place comes first.

use super::conflict::{Brings, Deed};
use super::effects::{Effects, effects};
use super::names::full;
use super::words::{Reading, words};
use super::{Act, Assembly};
use crate::diagnostic::Diagnostic;
use crate::source::{SourceSet, Span};
use crate::syntax::ast::{
    AggregateOp, BinaryOp, Block, Expr, ExprKind, Name, Statement, StatementKind, Type, TypeKind,
};
use std::cell::OnceCell;

/// How deep a formula is followed to find what kind of value it has.
const DEPTH_MAX: u32 = 8;

pub(super) struct Commuting<'a> {
    assembly: &'a Assembly,
    reading: Reading<'a>,
    /// One a deed: what its lines read and write.
    effects: Vec<OnceCell<Effects<'a>>>,
}

/// How a value is built around `original`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Around {
    And,
    Or,
    Times,
    Least,
    Greatest,
    /// `original + a - b`
    Sum {
        plus: bool,
        minus: bool,
        of: Kind,
    },
}

/// What `+` and `-` do depends on what they are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Number,
    /// A set or bag.
    Pieces,
    Unknown,
}

impl<'a> Commuting<'a> {
    pub fn new(assembly: &'a Assembly, sources: &'a SourceSet) -> Commuting<'a> {
        Commuting {
            assembly,
            reading: Reading::new(assembly, sources),
            effects: assembly.deeds.iter().map(|_| OnceCell::new()).collect(),
        }
    }

    pub fn deed(&self, at: usize) -> &'a Deed {
        &self.assembly.deeds[at]
    }

    /// Whether both orders are known to come to the same.
    pub fn commute(&self, a: usize, b: usize) -> bool {
        let (first, second) = (self.deed(a), self.deed(b));
        if first.act != second.act {
            return false;
        }
        if self.same_text(first.span, second.span) {
            return true;
        }
        match (&first.brings, &second.brings) {
            (Brings::Value(a), Brings::Value(b)) => self.values(a, b),
            (Brings::Lines(_), Brings::Lines(_)) if first.act != Act::InsteadOf => self
                .effects_of(a)
                .commute(self.effects_of(b), self.assembly),
            _ => false,
        }
    }

    /// Whether what is done inside of the place of a deed is there behind it: the deed runs what stood there, or it brings a table
    /// anew, and `company.price` is a formula that belongs to its rows, whoever says which they are.
    pub fn keeps(&self, outer: usize, inner: &Deed) -> bool {
        let replaces = self.deed(outer).act == Act::Replace;
        self.runs_original(outer) || replaces && self.stands_alone(&inner.target)
    }

    /// Whether a place with an owner is declared apart from it.
    fn stands_alone(&self, target: &str) -> bool {
        let is = |owner: &Option<Name>, name: &Name| full(owner.as_ref(), name) == target;
        let assembly = self.assembly;
        assembly
            .formulas
            .iter()
            .any(|entry| is(&entry.item.owner, &entry.item.name))
            || assembly
                .cells
                .iter()
                .any(|entry| is(&entry.item.owner, &entry.item.name))
            || assembly
                .networks
                .iter()
                .any(|entry| is(&entry.item.owner, &entry.item.name))
    }

    /// Whether what stands in a place runs, or is read, inside what a deed puts there.
    pub fn runs_original(&self, at: usize) -> bool {
        words(self.reading.text(self.deed(at).span)).contains("original")
    }

    fn effects_of(&self, at: usize) -> &Effects<'a> {
        self.effects[at].get_or_init(|| match &self.deed(at).brings {
            Brings::Lines(body) => effects(body, &self.reading),
            _ => Effects::default(),
        })
    }

    /// The same words; blanks do not count.
    fn same_text(&self, a: Span, b: Span) -> bool {
        let (a, b) = (self.reading.text(a), self.reading.text(b));
        a.split_whitespace().eq(b.split_whitespace())
    }

    // ------------------------------------------------------------------------------------------- values

    fn values(&self, a: &Expr, b: &Expr) -> bool {
        let (Some(a), Some(b)) = (self.around(a), self.around(b)) else {
            return false;
        };
        match (a, b) {
            (
                Around::Sum { plus, minus, of },
                Around::Sum {
                    plus: other_plus,
                    minus: other_minus,
                    of: other,
                },
            ) => {
                let number = of == Kind::Number || other == Kind::Number;
                let known = of != Kind::Unknown || other != Kind::Unknown;
                number || known && !((plus || other_plus) && (minus || other_minus))
            }
            (a, b) => a == b,
        }
    }

    fn around(&self, expr: &Expr) -> Option<Around> {
        match &expr.kind {
            ExprKind::Binary(BinaryOp::And, ..) => self.joined(expr, BinaryOp::And, Around::And),
            ExprKind::Binary(BinaryOp::Or, ..) => self.joined(expr, BinaryOp::Or, Around::Or),
            ExprKind::Binary(BinaryOp::Multiply, ..) => {
                self.joined(expr, BinaryOp::Multiply, Around::Times)
            }
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Subtract, ..) => self.sum(expr),
            ExprKind::Call(callee, args) => {
                let ExprKind::Name(name) = &callee.kind else {
                    return None;
                };
                let args: Vec<&Expr> = args.iter().map(|arg| &arg.value).collect();
                let around = match name.as_str() {
                    "min" => Around::Least,
                    "max" => Around::Greatest,
                    _ => return None,
                };
                self.one_original(&args).then_some(around)
            }
            _ => None,
        }
    }

    fn joined(&self, expr: &Expr, op: BinaryOp, around: Around) -> Option<Around> {
        let mut operands = Vec::new();
        flatten(expr, op, &mut operands);
        self.one_original(&operands).then_some(around)
    }

    /// One of them is `original` itself, and no other reads it.
    fn one_original(&self, operands: &[&Expr]) -> bool {
        let reads = |expr: &&&Expr| words(self.reading.text(expr.span)).contains("original");
        let found: Vec<_> = operands.iter().filter(reads).collect();
        matches!(found[..], [only] if is_original(only))
    }

    fn sum(&self, expr: &Expr) -> Option<Around> {
        let (mut added, mut taken) = (Vec::new(), Vec::new());
        terms(expr, &mut added, &mut taken);
        if !self.one_original(&added) || taken.iter().any(|term| self.reads_original(term)) {
            return None;
        }
        let others = added.iter().filter(|term| !is_original(term));
        let plus = added.len() > 1;
        let kinds = others.chain(&taken).map(|term| self.kind(term, DEPTH_MAX));
        let mut of = Kind::Unknown;
        for kind in kinds {
            if kind != Kind::Unknown {
                of = kind;
            }
        }
        let minus = !taken.is_empty();
        Some(Around::Sum { plus, minus, of })
    }

    fn reads_original(&self, expr: &Expr) -> bool {
        words(self.reading.text(expr.span)).contains("original")
    }

    fn kind(&self, expr: &Expr, depth: u32) -> Kind {
        if depth == 0 {
            return Kind::Unknown;
        }
        let same = |a: &Expr, b: &Expr| match (self.kind(a, depth - 1), self.kind(b, depth - 1)) {
            (Kind::Unknown, known) | (known, Kind::Unknown) => known,
            (a, b) if a == b => a,
            _ => Kind::Unknown,
        };
        match &expr.kind {
            ExprKind::Number(_) => Kind::Number,
            ExprKind::Braces(_) => Kind::Pieces,
            ExprKind::Unary(..) => Kind::Number,
            ExprKind::Binary(BinaryOp::Divide | BinaryOp::Remainder, ..) => Kind::Number,
            ExprKind::Binary(
                BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Otherwise,
                a,
                b,
            ) => same(a, b),
            ExprKind::If(_, a, b) => same(a, b),
            ExprKind::Aggregate { op, .. } => match op {
                AggregateOp::Count | AggregateOp::Sum | AggregateOp::Min | AggregateOp::Max => {
                    Kind::Number
                }
                AggregateOp::Set | AggregateOp::Bag => Kind::Pieces,
                _ => Kind::Unknown,
            },
            ExprKind::Member(_, name) if name.text == "size" => Kind::Number,
            ExprKind::Name(name) => self.named(name, depth),
            ExprKind::Member(_, name) => self.named(&name.text, depth),
            ExprKind::Call(callee, _) | ExprKind::Index(callee, _) => self.kind(callee, depth),
            _ => Kind::Unknown,
        }
    }

    /// The kind of what is called so; several of different kinds: unknown.
    fn named(&self, name: &str, depth: u32) -> Kind {
        let is = |other: &Name| other.text == name;
        let a = self.assembly;
        let options = a.options.iter().map(|entry| &entry.item.decl);
        let options = options.filter(|decl| is(&decl.name));
        let cells = a.cells.iter().map(|entry| &entry.item);
        let cells = cells.filter(|decl| is(&decl.name));
        let columns = a.tables.iter().flat_map(|entry| &entry.item.decl.columns);
        let columns = columns.filter(|decl| is(&decl.name));
        let formulas = a.formulas.iter().map(|entry| &entry.item);
        let formulas = formulas.filter(|decl| is(&decl.name));
        let types = options
            .map(|decl| &decl.ty)
            .chain(cells.map(|decl| &decl.ty));
        let types = types.chain(columns.map(|decl| &decl.ty)).map(kind_of_type);
        let bodies = formulas.map(|decl| self.kind(&decl.body, depth - 1));
        let mut kinds = types.chain(bodies);
        match kinds.next() {
            Some(first) if kinds.all(|kind| kind == first) => first,
            _ => Kind::Unknown,
        }
    }

    // ------------------------------------------------------------------------------------------- no change

    /// What is put in the place of another and is the same.
    pub fn idle(&self) -> Vec<Diagnostic> {
        let deeds = self.assembly.deeds.iter();
        let idle = deeds.filter(|deed| self.assembly.is_overlay(deed.layer) && self.is_idle(deed));
        idle.map(|deed| {
            let place = super::conflict::shown(&deed.target);
            let message = format!("this changes nothing: `{place}` stays what it was");
            let found = Diagnostic::warning("changes-nothing", deed.span, message);
            let found = match deed.old {
                Some(old) => found.label(old, "what stands there"),
                None => found,
            };
            found.help("take the line away, or write what is to be different")
        })
        .collect()
    }

    fn is_idle(&self, deed: &Deed) -> bool {
        match (&deed.brings, deed.act) {
            (Brings::Value(value), Act::Replace) => {
                let same = |old| self.same_text(value.span, old);
                is_original(value) || deed.old.is_some_and(same) || self.is_as_before(deed)
            }
            (Brings::Lines(body), Act::InsteadOf) => only_original(body),
            (Brings::Lines(_), Act::Replace) => self.is_as_before(deed),
            _ => false,
        }
    }

    /// `replace` and then what stands there, word by word.
    fn is_as_before(&self, deed: &Deed) -> bool {
        deed.old.is_some_and(|old| {
            let new = self.reading.text(deed.span).split_whitespace();
            new.skip(1).eq(self.reading.text(old).split_whitespace())
        })
    }
}

fn flatten<'e>(expr: &'e Expr, op: BinaryOp, out: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Binary(this, a, b) if *this == op => {
            flatten(a, op, out);
            flatten(b, op, out);
        }
        _ => out.push(expr),
    }
}

/// What is added and what is taken away.
fn terms<'e>(expr: &'e Expr, added: &mut Vec<&'e Expr>, taken: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::Add, a, b) => {
            terms(a, added, taken);
            terms(b, added, taken);
        }
        ExprKind::Binary(BinaryOp::Subtract, a, b) => {
            terms(a, added, taken);
            taken.push(b);
        }
        _ => added.push(expr),
    }
}

fn kind_of_type(ty: &Type) -> Kind {
    match ty.kind {
        TypeKind::Range(..) => Kind::Number,
        TypeKind::Set(..) | TypeKind::Bag(..) => Kind::Pieces,
        _ => Kind::Unknown,
    }
}

fn is_original(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Name(name) if name == "original")
}

fn only_original(body: &Block) -> bool {
    let runs = |statement: &Statement| matches!(&statement.kind, StatementKind::Run(expr) if is_original(expr));
    matches!(&body.statements[..], [only] if runs(only))
}
