//! Going through syntax: what was read by itself is put to its place in a file; names are replaced by values.

use crate::diagnostic::{Diagnostic, Fix, Label};
use crate::ir::Lattice;
use crate::source::{FileId, Span};
use crate::syntax::ast::*;
use crate::syntax::parse::Part;
use std::collections::BTreeMap;

/// What goes through syntax.
pub(crate) trait Visitor {
    fn span(&mut self, _: &mut Span) {}

    /// Before what an expression holds; false: that is left out.
    fn expr(&mut self, _: &mut Expr) -> bool {
        true
    }
}

/// What can be gone through.
pub(crate) trait Visit {
    fn visit(&mut self, by: &mut dyn Visitor);

    /// Puts what was read as a text of its own to byte `start` of a file.
    fn place(&mut self, file: FileId, start: u32) {
        self.visit(&mut Placing { file, start });
    }
}

struct Placing {
    file: FileId,
    start: u32,
}

impl Visitor for Placing {
    fn span(&mut self, span: &mut Span) {
        *span = Span {
            file: self.file,
            start: self.start + span.start,
            end: self.start + span.end,
        };
    }
}

impl Visit for Span {
    fn visit(&mut self, by: &mut dyn Visitor) {
        by.span(self);
    }
}

impl Visit for Expr {
    fn visit(&mut self, by: &mut dyn Visitor) {
        let inner = by.expr(self);
        let Expr { kind, span } = self;
        if inner {
            kind.visit(by);
        }
        span.visit(by);
    }
}

impl<T: Visit> Visit for Box<T> {
    fn visit(&mut self, by: &mut dyn Visitor) {
        (**self).visit(by);
    }
}

impl<T: Visit> Visit for Option<T> {
    fn visit(&mut self, by: &mut dyn Visitor) {
        self.iter_mut().for_each(|one| one.visit(by));
    }
}

impl<T: Visit> Visit for Vec<T> {
    fn visit(&mut self, by: &mut dyn Visitor) {
        self.iter_mut().for_each(|one| one.visit(by));
    }
}

impl<A: Visit, B: Visit> Visit for (A, B) {
    fn visit(&mut self, by: &mut dyn Visitor) {
        self.0.visit(by);
        self.1.visit(by);
    }
}

impl<A: Visit, B: Visit, C: Visit> Visit for (A, B, C) {
    fn visit(&mut self, by: &mut dyn Visitor) {
        self.0.visit(by);
        self.1.visit(by);
        self.2.visit(by);
    }
}

impl<T: Visit> Visit for Part<T> {
    fn visit(&mut self, by: &mut dyn Visitor) {
        self.value.visit(by);
        self.diagnostics.visit(by);
    }
}

impl Visit for Diagnostic {
    fn visit(&mut self, by: &mut dyn Visitor) {
        self.span.visit(by);
        for Label { span, text: _ } in &mut self.labels {
            span.visit(by);
        }
        let others = self.otherwise.iter_mut().filter_map(|way| way.fix.as_mut());
        for Fix { span, .. } in self.fix.iter_mut().chain(others) {
            span.visit(by);
        }
    }
}

macro_rules! placeless {
    ($($ty:ident)*) => { $(
        impl Visit for $ty {
            fn visit(&mut self, _: &mut dyn Visitor) {}
        }
    )* };
}

/// All fields are listed, so that one more cannot be forgotten.
macro_rules! structs {
    ($($ty:ident { $($field:ident)* })*) => { $(
        impl Visit for $ty {
            fn visit(&mut self, by: &mut dyn Visitor) {
                let $ty { $($field),* } = self;
                $($field.visit(by);)*
            }
        }
    )* };
}

/// Likewise all variants.
macro_rules! enums {
    ($($ty:ident { $($variant:ident $(($($part:ident)*))? $({ $($field:ident)* })?,)* })*) => { $(
        impl Visit for $ty {
            fn visit(&mut self, by: &mut dyn Visitor) {
                match self {
                    $($ty::$variant $(($($part),*))? $({ $($field),* })? => {
                        $($($part.visit(by);)*)?
                        $($($field.visit(by);)*)?
                    })*
                }
            }
        }
    )* };
}

placeless! { String bool u32 u64 i64 AssignOp DeckEnd UnaryOp BinaryOp AggregateOp HookKind Lattice }

structs! {
    Name { text span }
    Path { parts span }
    Declaration { kind span doc tags }
    Header { title of needs not_with after }
    WithPart { with not_with declarations }
    OptionDecl { name ty value }
    EnumDecl { name members }
    TableDecl { name parent section sources key copies columns }
    TableSource { section path }
    ColumnDecl { name ty default doc }
    RowsDecl { table sources each head lines }
    GridDecl { name indices ty picture head lines }
    CellDecl { owner name indices ty visibility start refill fill }
    CellIndex { name domain }
    Visibility { private to_others hidden showing }
    FormulaDecl { owner name params body }
    NetworkDecl { owner name ground condition }
    TilingDecl { name tile ground lattice condition turns borders corners }
    Picture { lines span }
    RuleDecl { invariant name condition binders after message }
    WhenDecl { once name on condition binders body }
    ActionDecl { name params anytime body }
    Anytime { span during }
    Choice { binder ask at_once span }
    Binder { name domain conditions by from up_to span }
    Condition { expr message }
    Message { parts span }
    ScoreLine { name at_end value doc tags span }
    Type { kind optional span }
    Block { statements below }
    Statement { kind span doc tags }
    Move { what up_to from to end }
    StrategyDecl { name preferences }
    Preference { avoid what by doc span }
    Finish { when name }
    Verdict { fate name goes_on }
    MatchArm { values body span }
    EachPlayer { other conditions by from secretly body }
    Repeat { times up_to while_ may body }
    Item { label body span doc tags }
    AgendaItem { must body span }
    Arg { name value }
    Walk { network by from to up_to at_least where_ need max span }
    Scenario { title is_position of with from values steps }
    CaseValues { names values }
    ScenarioStep { kind span }
}

enums! {
    DeclarationKind {
        Header(one), Part(one), Option(one), Enum(one), Table(one), Rows(one), Grid(one), Cell(one), Formula(one), Network(one),
        Tiling(one), Rule(one), When(one), Action(one), Flow(one), Score(one), Win(one), Strategy(one), Overlay(one), Scenario(one),
    }
    GridCell { Expr(one), Statements(one), }
    NetworkGround { Links { element table from to }, Joins { part column tiling }, }
    TilingGround { Plane(one), Board(rows columns), Hexagon(one), Drawn(one), Table { table row column }, }
    ActionBody { Steps(one), Composite(one), }
    Param { Given { name ty default }, Asked(one), }
    MessagePart { Text(one), Value(one), }
    Walkers { Alike(one), Each(name source), }
    TypeKind {
        Range(low high), Named(one), InlineEnum(one), Collected(one), Set(one size), Bag(one size), List(one size),
        Deck(one size), Row(one size), Effect(one), Formula { of result },
    }
    StatementKind {
        Label(name body), Need(one message), Choose(one), Let(name value), Assign { target op value }, Move(one), Shuffle(one),
        If { arms otherwise }, Match { value arms otherwise }, Each(binders body), EachPlayer(one), As(player body),
        Repeat(one), May(one), OneOf { items ask none }, AnyOrder { agenda as_far items }, Walk(one body), Pause(one), Finish(one),
        Another(one), Verdict(one), Stop, Skip, Run(one),
    }
    MoveWhat { Value(one), Drawn { count of bottom }, }
    SeatFrom { Left, Right, Player(one), }
    FinishWhen { Now, After { label more of_each_player }, }
    Fate { Wins(one), Loses(one), Draw, }
    ExprKind {
        Number(one), Text(one), Name(one), Member(base name), Index(base keys), Call(base args), Unary(op one),
        Binary(op left right), Range(low high), If(condition then otherwise), Braces(one), Brackets(one),
        Aggregate { op binders value }, Parts(one), On(one name), Fated(fate name), BestWalk(one), BestWalks(one), Distance(one), EndsOfWalk(one), Error,
    }
    Overlay {
        Set { target op value }, Replace(one), ReplaceClause { path value }, ReplaceScore(one), Remove(one), RemoveStrategy(one),
        Patch { table key condition cells }, AddTo { path body }, AddScore(one), AddCondition { path condition },
        Hook { kind paths body },
    }
    ScenarioStepKind {
        Players(one), Seed(one), Set { option op value }, Before { step steps }, Given(one), Answers { seat answers until },
        Expect { at_some_moment what },
    }
    Expectation { Holds(one), Offered { seat answers }, Refused { seat answers because }, Choices(one), }
    Because { Message(one), Rule(one), }
}

/// Puts values in the place of names.
pub(crate) struct Replacing<'c> {
    values: BTreeMap<&'c str, Expr>,
}

impl<'c> Replacing<'c> {
    pub fn new(values: impl Iterator<Item = (&'c str, Expr)>) -> Replacing<'c> {
        Replacing {
            values: values.collect(),
        }
    }
}

impl Visitor for Replacing<'_> {
    fn expr(&mut self, expr: &mut Expr) -> bool {
        match &mut expr.kind {
            ExprKind::Name(name) => {
                if let Some(value) = self.values.get(name.as_str()) {
                    expr.kind = value.kind.clone();
                    return false;
                }
            }
            // `"berlin-{n}"`
            ExprKind::Text(message) => {
                for part in &mut message.parts {
                    if let MessagePart::Value(value) = part
                        && let ExprKind::Name(name) = &value.kind
                        && let Some(value) = self.values.get(name.as_str())
                    {
                        *part = MessagePart::Text(expr_text(value));
                    }
                }
            }
            _ => {}
        }
        true
    }
}
