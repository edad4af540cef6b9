//! Syntax that was read by itself, put to its place in a file.

use crate::diagnostic::{Diagnostic, Fix, Label};
use crate::source::{FileId, Span};
use crate::syntax::ast::*;
use crate::syntax::parse::Part;

/// What holds spans.
pub(crate) trait Placed {
    /// Puts what was read as a text of its own to byte `start` of a file.
    fn place(&mut self, file: FileId, start: u32);
}

impl Placed for Span {
    fn place(&mut self, file: FileId, start: u32) {
        *self = Span {
            file,
            start: self.start + start,
            end: self.end + start,
        };
    }
}

impl<T: Placed> Placed for Box<T> {
    fn place(&mut self, file: FileId, start: u32) {
        (**self).place(file, start);
    }
}

impl<T: Placed> Placed for Option<T> {
    fn place(&mut self, file: FileId, start: u32) {
        self.iter_mut().for_each(|one| one.place(file, start));
    }
}

impl<T: Placed> Placed for Vec<T> {
    fn place(&mut self, file: FileId, start: u32) {
        self.iter_mut().for_each(|one| one.place(file, start));
    }
}

impl<A: Placed, B: Placed> Placed for (A, B) {
    fn place(&mut self, file: FileId, start: u32) {
        self.0.place(file, start);
        self.1.place(file, start);
    }
}

impl<A: Placed, B: Placed, C: Placed> Placed for (A, B, C) {
    fn place(&mut self, file: FileId, start: u32) {
        self.0.place(file, start);
        self.1.place(file, start);
        self.2.place(file, start);
    }
}

impl<T: Placed> Placed for Part<T> {
    fn place(&mut self, file: FileId, start: u32) {
        self.value.place(file, start);
        self.diagnostics.place(file, start);
    }
}

impl Placed for Diagnostic {
    fn place(&mut self, file: FileId, start: u32) {
        self.span.place(file, start);
        for Label { span, text: _ } in &mut self.labels {
            span.place(file, start);
        }
        if let Some(Fix { span, .. }) = &mut self.fix {
            span.place(file, start);
        }
    }
}

macro_rules! placeless {
    ($($ty:ident)*) => { $(
        impl Placed for $ty {
            fn place(&mut self, _: FileId, _: u32) {}
        }
    )* };
}

/// All fields are listed, so that one more cannot be forgotten.
macro_rules! structs {
    ($($ty:ident { $($field:ident)* })*) => { $(
        impl Placed for $ty {
            fn place(&mut self, file: FileId, start: u32) {
                let $ty { $($field),* } = self;
                $($field.place(file, start);)*
            }
        }
    )* };
}

/// Likewise all variants.
macro_rules! enums {
    ($($ty:ident { $($variant:ident $(($($part:ident)*))? $({ $($field:ident)* })?,)* })*) => { $(
        impl Placed for $ty {
            fn place(&mut self, file: FileId, start: u32) {
                match self {
                    $($ty::$variant $(($($part),*))? $({ $($field),* })? => {
                        $($($part.place(file, start);)*)?
                        $($($field.place(file, start);)*)?
                    })*
                }
            }
        }
    )* };
}

placeless! { String bool u32 u64 i64 AssignOp DeckEnd UnaryOp BinaryOp AggregateOp HookKind }

structs! {
    Name { text span }
    Path { parts span }
    Declaration { kind span doc tags }
    Header { title of needs not_with after }
    OptionDecl { name ty value }
    EnumDecl { name members }
    TableDecl { name parent section sources key copies columns }
    TableSource { section path }
    ColumnDecl { name ty default doc }
    RowsDecl { table sources head lines }
    GridDecl { name indices ty head lines }
    CellDecl { owner name indices ty visibility start refill fill }
    CellIndex { name domain }
    Visibility { private hidden showing }
    FormulaDecl { owner name params body }
    NetworkDecl { owner name ground condition }
    TilingDecl { name tile ground turns }
    RuleDecl { invariant name condition binders after message }
    WhenDecl { once name on condition binders body }
    ActionDecl { name params anytime body }
    Anytime { span during }
    Choice { binder ask span }
    Binder { name domain conditions by from up_to span }
    Condition { expr message }
    Message { parts span }
    ScoreLine { name at_end value doc tags span }
    Type { kind optional span }
    Block { statements }
    Statement { kind span doc tags }
    Move { what up_to from to end }
    MatchArm { values body span }
    EachPlayer { other conditions by from secretly body }
    Repeat { times up_to while_ may body }
    Item { label body span doc tags }
    AgendaItem { must body span }
    Expr { kind span }
    Arg { name value }
    Walk { network from to up_to at_least where_ need max span }
    Scenario { title of with steps }
    ScenarioStep { kind span }
}

enums! {
    DeclarationKind {
        Header(one), Option(one), Enum(one), Table(one), Rows(one), Grid(one), Cell(one), Formula(one), Network(one),
        Tiling(one), Rule(one), When(one), Action(one), Flow(one), Score(one), Win(one), Overlay(one), Scenario(one),
    }
    GridCell { Expr(one), Statements(one), }
    NetworkGround { Links { element table from to }, Joins { part column tiling }, }
    TilingGround { Plane(size span), Board(rows columns span), Table { table row column }, }
    ActionBody { Steps(one), Composite(one), }
    Param { Given { name ty default }, Asked(one), }
    MessagePart { Text(one), Value(one), }
    TypeKind {
        Range(low high), Named(one), InlineEnum(one), Collected(one), Set(one), Bag(one size), List(one size), Deck(one),
        Row(one size), Effect(one), Formula { of result },
    }
    StatementKind {
        Label(name body), Need(one message), Choose(one), Let(name value), Assign { target op value }, Move(one), Shuffle(one),
        If { arms otherwise }, Match { value arms otherwise }, Each(binders body), EachPlayer(one), As(player body),
        Repeat(one), May(one), OneOf { items none }, AnyOrder { agenda as_far items }, Walk(one body), Pause(one), Finish(one),
        Stop, Skip, Run(one),
    }
    MoveWhat { Value(one), Top { count of }, }
    SeatFrom { Left, Right, Player(one), }
    Finish { Now, After { label more of_each_player }, }
    ExprKind {
        Number(one), Text(one), Name(one), Member(base name), Index(base keys), Call(base args), Unary(op one),
        Binary(op left right), Range(low high), If(condition then otherwise), Braces(one), Brackets(one),
        Aggregate { op binders value }, Parts(one), On(one name), BestWalk(one), EndsOfWalk(one), Error,
    }
    Overlay {
        Set { target op value }, Replace(one), ReplaceClause { path value }, ReplaceScore(one), Remove(one),
        Patch { table key condition cells }, AddTo { path body }, AddScore(one), AddCondition { path condition },
        Hook { kind paths body },
    }
    ScenarioStepKind {
        Players(one), Seed(one), Set { option op value }, BeforeSetup(one), Given(one), Answers { seat answers }, Expect(one),
        ExpectNot { seat answer because }, ExpectChoices(one),
    }
    Because { Message(one), Rule(one), }
}
