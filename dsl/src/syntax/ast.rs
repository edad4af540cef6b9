//! The syntax tree: what was written, with names as text and a span on everything. No name is resolved here.

use crate::source::{FileId, Span};

/// A word with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

/// A rule id at a line's end: `[TM-066]`.
pub type Tag = Name;

/// One rules, variant or scenario file.
#[derive(Clone, Debug)]
pub struct File {
    pub file: FileId,
    pub declarations: Vec<Declaration>,
}

/// One chunk at column 0.
#[derive(Clone, Debug)]
pub struct Declaration {
    pub kind: DeclarationKind,
    /// The whole chunk without its documentation.
    pub span: Span,
    /// Lines of `##` above it, joined by newlines; may be empty.
    pub doc: String,
    pub tags: Vec<Tag>,
}

impl Declaration {
    /// With what stands below a `with`.
    pub fn whole(&self) -> Span {
        match &self.kind {
            DeclarationKind::Part(part) => {
                let last = part.declarations.last();
                last.map_or(self.span, |last| self.span.to(last.span))
            }
            _ => self.span,
        }
    }
}

#[derive(Clone, Debug)]
pub enum DeclarationKind {
    Header(Header),
    Part(WithPart),
    Option(OptionDecl),
    Enum(EnumDecl),
    Table(TableDecl),
    Rows(RowsDecl),
    Grid(GridDecl),
    Cell(CellDecl),
    Formula(FormulaDecl),
    Network(NetworkDecl),
    Tiling(TilingDecl),
    Rule(RuleDecl),
    When(WhenDecl),
    Action(ActionDecl),
    Flow(Block),
    Score(Vec<ScoreLine>),
    Win(Vec<Expr>),
    Strategy(StrategyDecl),
    Overlay(Overlay),
    Scenario(Scenario),
}

/// What the header of a house rule for any game is of.
pub const ANY_GAME: &str = "any game";

/// `variant "Title" of game …` or `expansion …`.
#[derive(Clone, Debug)]
pub struct Header {
    pub title: Name,
    pub of: Name,
    pub needs: Vec<Name>,
    pub not_with: Vec<Name>,
    pub after: Vec<Name>,
}

/// `with coast`, `with coast not with tides`: what stands below it holds only where these are on, and those are not.
#[derive(Clone, Debug)]
pub struct WithPart {
    pub with: Vec<Name>,
    pub not_with: Vec<Name>,
    pub declarations: Vec<Declaration>,
}

#[derive(Clone, Debug)]
pub struct OptionDecl {
    pub name: Name,
    pub ty: Type,
    pub value: Expr,
}

#[derive(Clone, Debug)]
pub struct EnumDecl {
    pub name: Name,
    pub members: Vec<Name>,
}

/// `table road of tile from road`, `table card from section in "file", … key id copies count`.
#[derive(Clone, Debug)]
pub struct TableDecl {
    pub name: Name,
    /// The table whose rows hold these rows.
    pub parent: Option<Name>,
    /// The nested key, for a nested table; default: the table's name.
    pub section: Option<Name>,
    pub sources: Vec<TableSource>,
    /// Empty: `id`.
    pub key: Vec<Name>,
    pub copies: Option<Name>,
    pub columns: Vec<ColumnDecl>,
}

#[derive(Clone, Debug)]
pub struct TableSource {
    /// Default: the table's name.
    pub section: Option<Name>,
    /// The string literal, without quotes.
    pub path: Name,
}

#[derive(Clone, Debug)]
pub struct ColumnDecl {
    pub name: Name,
    pub ty: Type,
    pub default: Option<Expr>,
    pub doc: String,
}

/// `rows T from section in "file"` or lines with `|`, with `for x in S, …` once for each combination.
#[derive(Clone, Debug)]
pub struct RowsDecl {
    pub table: Name,
    pub sources: Vec<TableSource>,
    pub each: Vec<(Name, Expr)>,
    /// Head of the lines, and each line's cells (`None`: left empty).
    pub head: Vec<Name>,
    pub lines: Vec<Vec<Option<GridCell>>>,
}

/// `table ability[worker, action]: effect in main_action` and its lines.
#[derive(Clone, Debug)]
pub struct GridDecl {
    pub name: Name,
    /// One or two index types.
    pub indices: Vec<Name>,
    /// Type of a cell; for one index absent, and then each column declares itself by its cells.
    pub ty: Option<Type>,
    /// Of a table of places: what lies where, by signs. The lines say what each sign means.
    pub picture: Option<Picture>,
    /// The first word of the head line (the row index), then the column heads.
    pub head: Vec<Name>,
    pub lines: Vec<(Name, Vec<Option<GridCell>>)>,
}

/// A cell of a grid or an inline row: an expression, or changes (`money -= 100; flip_one`).
#[derive(Clone, Debug)]
pub enum GridCell {
    Expr(Expr),
    Statements(Block),
}

/// `owner.name[indices]: type visibility = start feeds`.
#[derive(Clone, Debug)]
pub struct CellDecl {
    pub owner: Option<Name>,
    pub name: Name,
    pub indices: Vec<CellIndex>,
    pub ty: Type,
    pub visibility: Visibility,
    pub start: Option<Expr>,
    pub refill: Option<Expr>,
    pub fill: Option<Expr>,
}

/// `[colour]` or `[i in 1..5]`.
#[derive(Clone, Debug)]
pub struct CellIndex {
    pub name: Option<Name>,
    pub domain: Expr,
}

#[derive(Clone, Debug, Default)]
pub struct Visibility {
    pub private: Option<Span>,
    /// `private to others`.
    pub to_others: bool,
    pub hidden: Option<Span>,
    /// `showing deck`, `showing top`.
    pub showing: Vec<Name>,
}

/// `owner.name(params) = body`.
#[derive(Clone, Debug)]
pub struct FormulaDecl {
    pub owner: Option<Name>,
    pub name: Name,
    pub params: Vec<Param>,
    pub body: Expr,
}

#[derive(Clone, Debug)]
pub struct NetworkDecl {
    pub owner: Option<Name>,
    pub name: Name,
    pub ground: NetworkGround,
    pub condition: Option<Expr>,
}

#[derive(Clone, Debug)]
pub enum NetworkGround {
    /// `links r in route from r.a to r.b`
    Links {
        element: Name,
        table: Name,
        from: Expr,
        to: Expr,
    },
    /// `joins road by ports on map`
    Joins {
        part: Name,
        column: Name,
        tiling: Name,
    },
}

#[derive(Clone, Debug)]
pub struct TilingDecl {
    pub name: Name,
    /// The table of tiles that can lie on it.
    pub tile: Option<Name>,
    pub ground: TilingGround,
    pub lattice: crate::ir::Lattice,
    /// Only places with such rows and columns.
    pub condition: Option<Expr>,
    /// How many ways a tile can be turned; 1 without the clause.
    pub turns: Option<(u32, Span)>,
    /// What borders and corners of places are called, as tables.
    pub borders: Option<Name>,
    pub corners: Option<Name>,
}

#[derive(Clone, Debug)]
pub enum TilingGround {
    /// Rows and columns around (0, 0), as many to each side.
    Plane(Expr),
    /// Rows by columns, counted from 1.
    Board(Expr, Expr),
    /// Hexes in the shape of a hexagon, so many at each side.
    Hexagon(Expr),
    /// Drawn place by place.
    Drawn(Picture),
    /// A table with the columns for row and column.
    Table {
        table: Name,
        row: Name,
        column: Name,
    },
}

/// Lines of letters, each with a `|` before them.
#[derive(Clone, Debug)]
pub struct Picture {
    /// What stands behind the `|`.
    pub lines: Vec<Name>,
    pub span: Span,
}

/// A sign of a picture: its line, and how many blanks and signs stand before it.
#[derive(Clone, Copy, Debug)]
pub struct Letter {
    pub at: crate::ir::Coordinates,
    pub sign: char,
    pub span: Span,
}

impl Picture {
    /// All its signs, line by line.
    pub fn letters(&self) -> Vec<Letter> {
        let mut all = Vec::new();
        for (line, text) in self.lines.iter().enumerate() {
            for (at, (byte, sign)) in text.text.char_indices().enumerate() {
                if sign != ' ' {
                    let start = text.span.start as usize + byte;
                    all.push(Letter {
                        at: (line as i32, at as i32),
                        sign,
                        span: Span::new(text.span.file, start, start + sign.len_utf8()),
                    });
                }
            }
        }
        all
    }
}

/// `always` and `check`.
#[derive(Clone, Debug)]
pub struct RuleDecl {
    /// `check` instead of `always`.
    pub invariant: bool,
    pub name: Name,
    pub condition: Expr,
    pub binders: Vec<Binder>,
    pub after: Option<Path>,
    pub message: Option<Message>,
}

#[derive(Clone, Debug)]
pub struct WhenDecl {
    pub once: bool,
    pub name: Name,
    /// `on display`: fires on writes instead of edges.
    pub on: Vec<Path>,
    pub condition: Expr,
    pub binders: Vec<Binder>,
    pub body: Block,
}

#[derive(Clone, Debug)]
pub struct ActionDecl {
    pub name: Name,
    pub params: Vec<Param>,
    pub anytime: Option<Anytime>,
    pub body: ActionBody,
}

#[derive(Clone, Debug)]
pub struct Anytime {
    pub span: Span,
    pub during: Option<Path>,
}

#[derive(Clone, Debug)]
pub enum ActionBody {
    Steps(Block),
    /// `= parts`: replaced by its parts.
    Composite(Expr),
}

#[derive(Clone, Debug)]
pub enum Param {
    /// `x: T = default`
    Given {
        name: Name,
        ty: Type,
        default: Option<Expr>,
    },
    /// `choose x in S …`, and each that shares its `choose`
    Asked(Choice),
}

/// A binder that a player decides.
#[derive(Clone, Debug)]
pub struct Choice {
    pub binder: Binder,
    pub ask: Option<Message>,
    /// It shares the `choose` of the one before it: both are answered at once.
    pub at_once: bool,
    pub span: Span,
}

/// `x in S where C else "…" by K from F up to n`.
#[derive(Clone, Debug)]
pub struct Binder {
    /// Absent only in `each player`, `each other player`.
    pub name: Option<Name>,
    pub domain: Expr,
    pub conditions: Vec<Condition>,
    pub by: Option<Expr>,
    pub from: Option<Expr>,
    pub up_to: Option<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Condition {
    pub expr: Expr,
    pub message: Option<Message>,
}

/// A string that may quote values: `"fewer than {workers_min} workers"`.
#[derive(Clone, Debug)]
pub struct Message {
    pub parts: Vec<MessagePart>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum MessagePart {
    Text(String),
    Value(Expr),
}

#[derive(Clone, Debug)]
pub struct ScoreLine {
    pub name: Name,
    pub at_end: bool,
    pub value: Expr,
    pub doc: String,
    pub tags: Vec<Tag>,
    pub span: Span,
}

/// `strategy "ticket hoarder"` and what is preferred or avoided.
#[derive(Clone, Debug)]
pub struct StrategyDecl {
    /// Between the quotes.
    pub name: Name,
    pub preferences: Vec<Preference>,
}

/// `prefer claim by r.length`, `avoid wagons by 2`.
#[derive(Clone, Debug)]
pub struct Preference {
    /// `avoid`: it counts against.
    pub avoid: bool,
    /// An action, a number or a condition.
    pub what: Expr,
    /// How much; absent: 1.
    pub by: Option<Expr>,
    pub doc: String,
    pub span: Span,
}

/// `turn.act`, `claim.r`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    pub parts: Vec<Name>,
    pub span: Span,
}

// ------------------------------------------------------------------------------------------------ types

#[derive(Clone, Debug)]
pub struct Type {
    pub kind: TypeKind,
    /// `T?`
    pub optional: bool,
    pub span: Span,
}

impl Type {
    /// The enum whose members are what stands in a column of this type, if it is `enum …` or a container of it.
    pub fn collected(&self) -> Option<&Name> {
        match &self.kind {
            TypeKind::Collected(name) => Some(name),
            TypeKind::Set(inner, _) | TypeKind::Bag(inner, _) | TypeKind::List(inner, _) => {
                inner.collected()
            }
            _ => None,
        }
    }
}

#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `low..high`; either bound may be missing.
    Range(Option<Box<Expr>>, Option<Box<Expr>>),
    /// `bool`, `text`, `player`, `cell`, `side`, `port`, `action`, `agenda`, `effect`, a table, an enum.
    Named(Name),
    /// `{city, border}`
    InlineEnum(Vec<Name>),
    /// `enum name`: members collected from the column.
    Collected(Name),
    Set(Box<Type>, Option<Box<Expr>>),
    Bag(Box<Type>, Option<Box<Expr>>),
    List(Box<Type>, Option<Box<Expr>>),
    Deck(Box<Type>, Option<Box<Expr>>),
    Row(Box<Type>, Box<Expr>),
    /// `effect in scope`
    Effect(Option<Path>),
    /// `formula of player: 0..`
    Formula {
        of: Name,
        result: Box<Type>,
    },
}

// ------------------------------------------------------------------------------------------------ statements

/// Lines of a body, in order.
#[derive(Clone, Debug, Default)]
pub struct Block {
    pub statements: Vec<Statement>,
    /// They stand on lines of their own, not behind a colon.
    pub below: bool,
}

impl Block {
    /// The loop behind a label that is nothing else: such a label names one pass. Of a loop on a line of its own it does not.
    pub fn labelled_loop(&self) -> Option<&Statement> {
        let is_loop = |kind: &StatementKind| {
            matches!(
                kind,
                StatementKind::Each(..) | StatementKind::EachPlayer(_) | StatementKind::Repeat(_)
            )
        };
        match &self.statements[..] {
            [only] if !self.below && is_loop(&only.kind) => Some(only),
            _ => None,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
    pub doc: String,
    pub tags: Vec<Tag>,
}

#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `name: …`
    Label(Name, Block),
    Need(Expr, Option<Message>),
    Choose(Vec<Choice>),
    Let(Name, Expr),
    Assign {
        target: Expr,
        op: AssignOp,
        value: Expr,
    },
    Move(Move),
    Shuffle(Expr),
    If {
        /// `if` and each `else if`.
        arms: Vec<(Expr, Block)>,
        otherwise: Option<Block>,
    },
    Match {
        value: Expr,
        arms: Vec<MatchArm>,
        otherwise: Option<Block>,
    },
    Each(Vec<Binder>, Block),
    /// `each player …`: the word passes.
    EachPlayer(EachPlayer),
    As(Expr, Block),
    Repeat(Repeat),
    May(Block),
    OneOf {
        items: Vec<Item>,
        ask: Option<Message>,
        /// `if none can be done:`
        none: Option<Block>,
    },
    AnyOrder {
        agenda: Expr,
        /// `as far as possible`
        as_far: bool,
        items: Vec<AgendaItem>,
    },
    Walk(Walk, Block),
    Pause(Message),
    Finish(Finish),
    /// `another turn`
    Another(Name),
    Verdict(Verdict),
    Stop,
    Skip,
    /// A call, or a value that is an effect.
    Run(Expr),
}

impl StatementKind {
    /// The blocks directly inside, in the order they are written.
    pub fn blocks(&self) -> Vec<&Block> {
        match self {
            StatementKind::Label(_, block)
            | StatementKind::Each(_, block)
            | StatementKind::As(_, block)
            | StatementKind::May(block)
            | StatementKind::Walk(_, block) => vec![block],
            StatementKind::If { arms, otherwise } => {
                let arms = arms.iter().map(|(_, block)| block);
                arms.chain(otherwise).collect()
            }
            StatementKind::Match {
                arms, otherwise, ..
            } => arms.iter().map(|arm| &arm.body).chain(otherwise).collect(),
            StatementKind::EachPlayer(each) => vec![&each.body],
            StatementKind::Repeat(repeat) => vec![&repeat.body],
            StatementKind::OneOf { items, none, .. } => {
                items.iter().map(|item| &item.body).chain(none).collect()
            }
            StatementKind::AnyOrder { items, .. } => items.iter().map(|item| &item.body).collect(),
            _ => Vec::new(),
        }
    }

    /// Whoever plays picks from it, or it is a label of such a line.
    pub fn is_menu(&self) -> bool {
        match self {
            StatementKind::OneOf { .. } | StatementKind::AnyOrder { .. } => true,
            StatementKind::Label(_, block) => {
                matches!(&block.statements[..], [only] if only.kind.is_menu())
            }
            _ => false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignOp {
    Set,
    Add,
    Subtract,
}

#[derive(Clone, Debug)]
pub struct Move {
    pub what: MoveWhat,
    pub up_to: bool,
    pub from: Option<Expr>,
    pub to: Expr,
    pub end: DeckEnd,
}

#[derive(Clone, Debug)]
pub enum MoveWhat {
    /// An element, set, bag, number, or a zone (everything in it).
    Value(Expr),
    /// `top n of D`, `bottom n of D`
    Drawn {
        count: Option<Expr>,
        of: Expr,
        bottom: bool,
    },
}

/// Where on a deck or list moved things come to lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeckEnd {
    /// Nothing said: on top of a deck, at the end of a list.
    Default,
    Top,
    Bottom,
}

#[derive(Clone, Debug)]
pub struct MatchArm {
    pub values: Vec<Expr>,
    pub body: Block,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct EachPlayer {
    /// `each other player`: all but `me`.
    pub other: bool,
    pub conditions: Vec<Condition>,
    pub by: Option<Expr>,
    pub from: Option<SeatFrom>,
    pub secretly: bool,
    pub body: Block,
}

#[derive(Clone, Debug)]
pub enum SeatFrom {
    /// `from the left`: my left neighbour first.
    Left,
    /// `from the right`: my right neighbour first, against the seat order.
    Right,
    /// `from p`: p first, then in seat order.
    Player(Expr),
}

#[derive(Clone, Debug)]
pub struct Repeat {
    /// `repeat n`, `repeat up to n`; `None`: as long as it goes on.
    pub times: Option<Expr>,
    pub up_to: bool,
    pub while_: Option<Expr>,
    /// `repeat may X`: asked each time.
    pub may: bool,
    pub body: Block,
}

/// An alternative of `one of`.
#[derive(Clone, Debug)]
pub struct Item {
    /// The label of a line, when it has one.
    pub label: Option<Name>,
    pub body: Block,
    pub span: Span,
    pub doc: String,
    pub tags: Vec<Tag>,
}

#[derive(Clone, Debug)]
pub struct AgendaItem {
    pub must: bool,
    /// An effect: a call, a composite, `one of a, b` …
    pub body: Block,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Finish {
    pub when: FinishWhen,
    /// What this end is called.
    pub name: Option<Name>,
}

#[derive(Clone, Debug)]
pub enum FinishWhen {
    Now,
    /// `after this L and n more [of each player]`
    After {
        label: Name,
        more: Option<Expr>,
        of_each_player: bool,
    },
}

/// How the game ends for somebody, and what that is called: `me wins "four in a row"`, `p loses "no move"`, `draw "board full"`.
#[derive(Clone, Debug)]
pub struct Verdict {
    pub fate: Fate,
    pub name: Name,
    /// `and play goes on`
    pub goes_on: Option<Span>,
}

#[derive(Clone, Debug)]
pub enum Fate {
    Wins(Expr),
    Loses(Expr),
    Draw,
}

// ------------------------------------------------------------------------------------------------ expressions

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Number(i64),
    Text(Message),
    /// A word: everything from `true` and `me` to a cell, a row or an enum member.
    Name(String),
    /// `x.f`
    Member(Box<Expr>, Name),
    /// `x[i, j]`
    Index(Box<Expr>, Vec<Expr>),
    /// `f(a, name: b)`
    Call(Box<Expr>, Vec<Arg>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a..b`
    Range(Option<Box<Expr>>, Option<Box<Expr>>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `{a, b}` or `{a: 2}` or `{}`
    Braces(Vec<(Expr, Option<Expr>)>),
    /// `[a, b]`
    Brackets(Vec<Expr>),
    Aggregate {
        op: AggregateOp,
        binders: Vec<Binder>,
        value: Option<Box<Expr>>,
    },
    /// `parts of Z`
    Parts(Box<Expr>),
    /// `X on map`
    On(Box<Expr>, Name),
    /// `A wins`, `A loses "no move"`, `draw "board full"`: whether the game has ended so.
    Fated(Box<Fate>, Option<Name>),
    /// `best walk on …`
    BestWalk(Box<Walk>),
    /// `best walks on … by …`
    BestWalks(Box<Walk>),
    /// `distance on … from … to …`
    Distance(Box<Walk>),
    /// `ends of walk on …`
    EndsOfWalk(Box<Walk>),
    /// `shuffled(…)`, `random(…)`, `first(S)`, `set(S)`, `bag(S)`, `list(S)`, `min(a, b)`, … are [`ExprKind::Call`]s;
    /// this marks an expression that did not parse, already reported.
    Error,
}

#[derive(Clone, Debug)]
pub struct Arg {
    pub name: Option<Name>,
    pub value: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Not,
    Negate,
    Can,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Implies,
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    NotIn,
    Within,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Otherwise,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AggregateOp {
    Some,
    Every,
    No,
    Count,
    Sum,
    Min,
    Max,
    First,
    Set,
    Bag,
    List,
}

/// The clauses of a walk; each may be named by an overlay (`drive.trip.where`).
#[derive(Clone, Debug)]
pub struct Walk {
    pub network: Expr,
    /// Of `best walks` alone.
    pub by: Option<Walkers>,
    pub from: Option<Expr>,
    pub to: Option<Expr>,
    pub up_to: Option<Expr>,
    pub at_least: Option<Expr>,
    pub where_: Option<Expr>,
    pub need: Option<Expr>,
    pub max: Option<Expr>,
    pub span: Span,
}

/// Who walks at once.
#[derive(Clone, Debug)]
pub enum Walkers {
    /// `by n`: so many alike.
    Alike(Expr),
    /// `by t in S`: one for each, of which the clauses can speak.
    Each(Name, Expr),
}

// ------------------------------------------------------------------------------------------------ overlays

#[derive(Clone, Debug)]
pub enum Overlay {
    /// `set x = e`, `set x += e`; `set ability[grey, trade] = …`.
    Set {
        target: Expr,
        op: AssignOp,
        value: GridCell,
    },
    /// `replace table …`, `replace player.value(track) = …`: the declaration that takes the place.
    Replace(Box<Declaration>),
    /// `replace drive.trip.where = e`: a clause of a statement.
    ReplaceClause {
        path: Path,
        value: Expr,
    },
    /// `replace score.tickets at end = …`
    ReplaceScore(ScoreLine),
    Remove(Vec<Expr>),
    /// `remove strategy "ticket hoarder"`
    RemoveStrategy(Name),
    Patch {
        table: Name,
        /// `[key, …]`
        key: Vec<Expr>,
        condition: Option<Expr>,
        cells: Vec<(Name, Expr)>,
    },
    /// `add to turn.act: item`, `add to flow` with lines.
    AddTo {
        path: Path,
        body: Block,
    },
    AddScore(Vec<ScoreLine>),
    /// `add to claim.r where C else "…"`
    AddCondition {
        path: Path,
        condition: Condition,
    },
    Hook {
        kind: HookKind,
        paths: Vec<Path>,
        body: Block,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookKind {
    Before,
    After,
    InsteadOf,
}

// ------------------------------------------------------------------------------------------------ scenarios

/// A worked case, or a position that cases begin from.
#[derive(Clone, Debug)]
pub struct Scenario {
    pub title: Name,
    /// `position "…"`: what cases begin from; it is played with each of them.
    pub is_position: bool,
    pub of: Option<Name>,
    pub with: Vec<Name>,
    /// The position it begins from.
    pub from: Option<Name>,
    /// `for n in 1..4`: played once for each value.
    pub values: Option<CaseValues>,
    pub steps: Vec<ScenarioStep>,
}

/// `for n, points in {[1, 1], [2, 4]}`
#[derive(Clone, Debug)]
pub struct CaseValues {
    pub names: Vec<Name>,
    pub values: Expr,
}

#[derive(Clone, Debug)]
pub struct ScenarioStep {
    pub kind: ScenarioStepKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ScenarioStepKind {
    /// A number, or a value of the case.
    Players(Expr),
    Seed(u64),
    Set {
        option: Name,
        op: AssignOp,
        value: Expr,
    },
    /// `before setup`: answers and fixed draws before the first decision after set-up; `before L`: the moment before step L
    /// begins for the first time.
    Before {
        step: Path,
        steps: Vec<ScenarioStep>,
    },
    /// Cells to set, in order: `route["x"].owner = B`.
    Given(Vec<(Expr, AssignOp, Expr)>),
    /// `A: x; y; z`, `each player: done until C`
    Answers {
        /// None: of whoever is asked.
        seat: Option<Name>,
        answers: Vec<Expr>,
        /// The last answer is given again and again until this holds.
        until: Option<Expr>,
    },
    Expect {
        at_some_moment: bool,
        what: Expectation,
    },
}

#[derive(Clone, Debug)]
pub enum Expectation {
    Holds(Expr),
    /// `expect A: claim(x)`: these answers could be given.
    Offered {
        seat: Name,
        answers: Vec<Expr>,
    },
    /// `expect not A: claim(x) because "taken"`: of these the last is not offered.
    Refused {
        seat: Name,
        answers: Vec<Expr>,
        because: Option<Because>,
    },
    /// `expect choices = {…}`
    Choices(Vec<Expr>),
}

#[derive(Clone, Debug)]
pub enum Because {
    Message(Name),
    Rule(Name),
}

/// The word, number or text that an expression is, as it would stand in a component list; empty: it is none.
pub fn expr_text(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Name(name) => name.clone(),
        ExprKind::Number(n) => n.to_string(),
        ExprKind::Unary(UnaryOp::Negate, inner) => format!("-{}", expr_text(inner)),
        ExprKind::Text(message) => message
            .parts
            .iter()
            .map(|part| match part {
                MessagePart::Text(text) => text.as_str(),
                MessagePart::Value(_) => "",
            })
            .collect(),
        _ => String::new(),
    }
}

/// A number as it is written.
pub(crate) fn number(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Number(n) => Some(*n),
        ExprKind::Unary(UnaryOp::Negate, inner) => number(inner).map(|n| -n),
        _ => None,
    }
}
