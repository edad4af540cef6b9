//! What a word or `x.word` stands for, ring by ring.

use super::body::{Body, Mode, Original, Understood, Var};
use super::graph::{Node, Touched};
use super::names::{Global, Member};
use super::symbols::Symbol;
use super::types::constant;
use crate::assembly::{Act, Deed};
use crate::diagnostic::Diagnostic;
use crate::ir::{
    ActionId, CellId, CellOwner, Domain, EnumId, Expr, ExprKind, FormulaId, GridId, NetworkId,
    TableId, Ty, Value,
};
use crate::source::Span;
use crate::syntax::ast;

/// A meaning that may still want arguments or indices.
#[derive(Clone, Debug)]
pub(crate) enum Head {
    Value(Expr),
    /// A cell with its owner.
    Cell(CellId, Vec<Expr>),
    /// A formula with its receiver.
    Formula(FormulaId, Vec<Expr>),
    Network(NetworkId, Option<Box<Expr>>),
    /// `N.joins`, `N.reach`
    NetworkMember(NetworkId, Option<Box<Expr>>, bool),
    Table(TableId),
    Enum(EnumId),
    Grid(GridId),
    Action(ActionId),
    /// `player`, `side`, `cell`, `port` as sources.
    Domain(Domain),
    Tiling,
    /// `x.score`
    Score(Box<Expr>),
    /// `x.count`, `c.next`: wants arguments.
    Method(Box<Expr>, &'static str),
}

impl Body<'_, '_> {
    /// What a name, a member or any other expression stands for.
    pub fn head(&mut self, expr: &ast::Expr, want: Option<&Ty>) -> Option<Head> {
        match &expr.kind {
            ast::ExprKind::Name(name) => self.name_head(name, expr.span, want),
            ast::ExprKind::Member(base, word) => self.member_head(base, word),
            _ => self.raw(expr, want).map(Head::Value),
        }
    }

    // -------------------------------------------------------------------------------------------- names

    pub(super) fn name_head(&mut self, name: &str, span: Span, want: Option<&Ty>) -> Option<Head> {
        if let Some(head) = self.word_of_the_language(name, span, want) {
            return head;
        }
        if let Some(var) = self.var(name, span).cloned() {
            self.k.note(span, Symbol::Local(var.span));
            return self.var_value(&var, span).map(Head::Value);
        }
        let inner = self.inner_head(name, span);
        let wanted = want.and_then(|ty| self.wanted_word(name, span, ty));
        match (inner, wanted) {
            (Some(None), _) => None,
            (Some(Some(head)), Some(word)) => Some(if self.is_of(&head, want) {
                head
            } else {
                self.word_head(word)
            }),
            (Some(head), None) => head,
            (None, Some(word)) => Some(self.word_head(word)),
            (None, None) => self.free_word(name, span, want),
        }
    }

    #[allow(clippy::option_option)]
    pub(super) fn word_of_the_language(
        &mut self,
        name: &str,
        span: Span,
        want: Option<&Ty>,
    ) -> Option<Option<Head>> {
        let kind = match name {
            "true" | "false" => (ExprKind::Const(Value::Bool(name == "true")), Ty::Bool),
            "none" => (
                ExprKind::Const(Value::None),
                want.cloned().unwrap_or(Ty::Bool).optional(),
            ),
            "players" => return Some(Some(Head::Value(self.players(span)))),
            "me" => return Some(self.me(span).map(Head::Value)),
            "this" => return Some(self.this_value(span).map(Head::Value)),
            "original" if self.original.is_some() => {
                return Some(self.original_value(span).map(Head::Value));
            }
            "starter" => (ExprKind::Starter, Ty::Element(Domain::Player)),
            "finishing" if self.k.names.global(name, span).is_none() => {
                (ExprKind::Finishing, Ty::Bool)
            }
            "finished" if self.mode == Mode::Outside => (ExprKind::Finished, Ty::Bool),
            "winners" if self.mode == Mode::Outside => (ExprKind::Winners, Ty::Set(Domain::Player)),
            "decision" if self.mode == Mode::Outside => {
                (ExprKind::DecisionOf, Ty::Element(Domain::Player).optional())
            }
            _ => return self.seat_named(name, span, want),
        };
        Some(Some(Head::Value(Expr {
            kind: kind.0,
            ty: kind.1,
            span,
        })))
    }

    pub(super) fn players(&self, span: Span) -> Expr {
        let (low, high) = self.k.rs.players;
        Expr {
            kind: ExprKind::Players,
            ty: Ty::Int {
                low: Some(low.into()),
                high: Some(high.into()),
            },
            span,
        }
    }

    pub fn me(&mut self, span: Span) -> Option<Expr> {
        match (&self.understood, self.mode) {
            (Understood::Me, _) => {}
            (_, Mode::Pure | Mode::Start) => {
                let help = "formulas and conditions are the same for all; name the player: a parameter, a binder, `this`";
                self.error_help("impure", span, "`me` is not known here", help);
                return None;
            }
            _ => {
                self.error_help(
                    "no-player",
                    span,
                    "nobody acts here",
                    "`me` is known inside `each player` and `as p`",
                );
                return None;
            }
        }
        Some(Expr {
            kind: ExprKind::Me,
            ty: Ty::Element(Domain::Player),
            span,
        })
    }

    pub(super) fn this_value(&mut self, span: Span) -> Option<Expr> {
        match &self.this {
            Some(this) => Some(Expr {
                span,
                ..this.clone()
            }),
            None if self.k.has_broken_owner(self.node) => None,
            None => {
                self.error_help(
                    "unknown-name",
                    span,
                    "there is no `this` here",
                    "only formulas, cells and scores that belong to something have it",
                );
                None
            }
        }
    }

    /// The player whose cells a bare name means.
    pub fn understood_player(&self, span: Span) -> Option<Expr> {
        match self.understood {
            Understood::Nobody => None,
            Understood::Me => Some(Expr {
                kind: ExprKind::Me,
                ty: Ty::Element(Domain::Player),
                span,
            }),
            Understood::Owner => self.this.clone().map(|this| Expr { span, ..this }),
        }
    }

    pub(super) fn var_value(&mut self, var: &Var, span: Span) -> Option<Expr> {
        let (kind, ty) = var.value.clone()?;
        Some(Expr { kind, ty, span })
    }

    /// Rings two to four. `Some(None)`: it is known and wrong.
    #[allow(clippy::option_option)]
    pub(super) fn inner_head(&mut self, name: &str, span: Span) -> Option<Option<Head>> {
        if !matches!(self.understood, Understood::Nobody)
            && let Some(member) = self.k.names.member(Domain::Player, name, span)
        {
            let player = self.understood_player(span)?;
            self.k.note_member(span, member);
            return Some(Some(self.owned_head(member, player, span)));
        }
        let steps = self.k.names.step_cells(name, span);
        if !steps.is_empty() {
            let cell = self.step_cell(name, &steps, span);
            return Some(cell.map(|cell| {
                self.k.note(span, Symbol::Cell(cell));
                self.cell_head(cell, Vec::new(), span)
            }));
        }
        if let Some(global) = self.k.names.global(name, span) {
            return Some(self.global_head(global, span));
        }
        let head = match name {
            "player" => Some(Head::Domain(Domain::Player)),
            "side" if self.k.rs.tiling.is_some() => Some(Head::Domain(Domain::Side)),
            "port" if self.k.rs.tiling.is_some() => Some(Head::Domain(Domain::Port)),
            "cell" if self.k.rs.tiling.is_some() => Some(Head::Domain(self.k.positions())),
            "score" | "seat" | "left" | "right" | "out" => self.understood_member(name, span),
            _ => self.directions(name, span).map(Head::Value),
        };
        head.map(Some)
    }

    /// A cell of a step or action: the nearest around this text, else the only one of that name.
    pub(super) fn step_cell(&mut self, name: &str, all: &[CellId], span: Span) -> Option<CellId> {
        if all.len() <= 1 {
            return all.first().copied();
        }
        let owner = |cell: &CellId| self.k.rs.cells[cell.index()].owner;
        let around = self
            .labels
            .iter()
            .rev()
            .map(|label| CellOwner::Step(*label))
            .chain(self.action.map(CellOwner::Action));
        for near in around {
            if let Some(cell) = all.iter().find(|cell| owner(cell) == near) {
                return Some(*cell);
            }
        }
        let owners: Vec<String> = all
            .iter()
            .map(|cell| self.k.owner_name(owner(cell)))
            .collect();
        let help = format!(
            "say {}",
            owners
                .iter()
                .map(|of| format!("`{of}.{name}`"))
                .collect::<Vec<_>>()
                .join(" or ")
        );
        self.error_help(
            "ambiguous-name",
            span,
            format!("several steps have a cell `{name}`"),
            help,
        );
        None
    }

    pub(super) fn global_head(&mut self, global: Global, span: Span) -> Option<Head> {
        self.k.note_global(span, global);
        Some(match global {
            Global::Option(id) => {
                self.touch(Touched::Option(id), span);
                let value = self.k.option_value(id, span)?;
                let mut expr = constant(value, span);
                expr.ty = self.k.rs.options[id.index()].ty.clone();
                Head::Value(expr)
            }
            Global::Enum(id) => {
                self.touch(Touched::Enum(id), span);
                Head::Enum(id)
            }
            Global::Table(id) => {
                self.touch(Touched::Table(id), span);
                Head::Table(id)
            }
            Global::Grid(id) => {
                self.touch(Touched::Grid(id), span);
                Head::Grid(id)
            }
            Global::Cell(id) => self.cell_head(id, Vec::new(), span),
            Global::Formula(id) => Head::Formula(id, Vec::new()),
            Global::Network(id) => self.network_head(id, None, span),
            Global::Action(id) => Head::Action(id),
            Global::Tiling => Head::Tiling,
        })
    }

    pub(super) fn cell_head(&mut self, cell: CellId, owner: Vec<Expr>, span: Span) -> Head {
        if !std::mem::take(&mut self.writing) {
            self.touch(Touched::Read(cell), span);
        }
        Head::Cell(cell, owner)
    }

    pub(super) fn network_head(
        &mut self,
        id: NetworkId,
        receiver: Option<Expr>,
        span: Span,
    ) -> Head {
        self.touch(Touched::Node(Node::Network(id)), span);
        Head::Network(id, receiver.map(Box::new))
    }

    pub(super) fn owned_head(&mut self, member: Member, owner: Expr, span: Span) -> Head {
        match member {
            Member::Column(table, column) => {
                self.touch(Touched::Column(table, column), span);
                Head::Value(self.column_value(owner, table, column, span))
            }
            Member::Cell(cell) => self.cell_head(cell, vec![owner], span),
            Member::Formula(formula) => Head::Formula(formula, vec![owner]),
            Member::Network(network) => self.network_head(network, Some(owner), span),
        }
    }

    /// Ring five, with the type wanted: a row, a member, a side.
    pub(super) fn wanted_word(&self, name: &str, span: Span, want: &Ty) -> Option<Expr> {
        let Ty::Element(domain) = want.required() else {
            return None;
        };
        let number = match domain {
            Domain::Side => self.k.side_named(name)?,
            Domain::Port => self.k.port_named(name)?,
            Domain::Action => return None,
            _ => self.k.names.word_in(*domain, name, span)?,
        };
        Some(constant(Value::Element(*domain, number), span))
    }

    /// A row or member that a word was found to mean.
    pub(super) fn word_head(&mut self, word: Expr) -> Head {
        if let ExprKind::Const(value) = &word.kind {
            self.k.note_value(word.span, value);
        }
        Head::Value(word)
    }

    /// Whether a meaning of an inner ring has the type wanted; else the word of the outer ring is meant.
    pub(super) fn is_of(&mut self, head: &Head, want: Option<&Ty>) -> bool {
        let Some(want) = want.map(Ty::required) else {
            return true;
        };
        match head {
            Head::Value(expr) => expr.ty.required() == want,
            Head::Cell(cell, _) => self.k.rs.cells[cell.index()].ty.required() == want,
            Head::Formula(id, _) => self
                .k
                .formula_type(*id)
                .is_some_and(|ty| ty.required() == want),
            _ => false,
        }
    }

    /// A row or member that only one table or enum has, where no type is wanted.
    pub(super) fn free_word(&mut self, name: &str, span: Span, want: Option<&Ty>) -> Option<Head> {
        let words = self.k.names.words(name, span);
        match words.as_slice() {
            [(domain, number)] => {
                Some(self.word_head(constant(Value::Element(*domain, *number), span)))
            }
            [] => {
                let direction = self.direction_word(name, span);
                if direction.is_none() {
                    self.unknown_here(name, span, want);
                }
                direction.map(Head::Value)
            }
            several => {
                let owners: Vec<String> = several
                    .iter()
                    .map(|(domain, _)| format!("`{}.{name}`", self.k.show_domain(*domain)))
                    .collect();
                let help = format!("say {}", owners.join(" or "));
                self.error_help(
                    "ambiguous-name",
                    span,
                    format!("`{name}` has several meanings here"),
                    help,
                );
                None
            }
        }
    }

    pub(super) fn direction_word(&self, name: &str, span: Span) -> Option<Expr> {
        let side = self.k.side_named(name).map(|side| (Domain::Side, side));
        let (domain, number) =
            side.or_else(|| self.k.port_named(name).map(|port| (Domain::Port, port)))?;
        Some(constant(Value::Element(domain, number), span))
    }

    /// Where a member is wanted, the members are named; else what is near.
    pub(super) fn unknown_here(&mut self, name: &str, span: Span, want: Option<&Ty>) {
        if self.k.is_broken(name) || self.k.has_lost_owner(name) {
            return;
        }
        if let Some(Ty::Element(domain)) = want.map(Ty::required) {
            let listed = matches!(
                domain,
                Domain::Table(_) | Domain::Enum(_) | Domain::Side | Domain::Port
            );
            let near = self.k.names.near_word(*domain, name).is_some();
            if near || listed && self.ways_of(name, span, None).is_empty() {
                self.k.unknown_word(name, *domain, span);
                return;
            }
        }
        self.unknown_name(name, span, want);
    }

    fn unknown_name(&mut self, name: &str, span: Span, want: Option<&Ty>) {
        let diagnostic = Diagnostic::error(
            "unknown-name",
            span,
            format!("nothing is called `{name}` here"),
        );
        let removed =
            |deed: &&Deed| deed.act == Act::Remove && deed.target.rsplit('.').next() == Some(name);
        let diagnostic = match self.k.asm.deeds.iter().find(removed) {
            Some(deed) => diagnostic
                .label(deed.span, "removed here")
                .help(format!("remove or replace what names `{name}` as well")),
            None => diagnostic.ways(self.ways_of(name, span, want)),
        };
        self.k.report(diagnostic);
    }

    fn original_value(&mut self, span: Span) -> Option<Expr> {
        let Original { formula, args } = self.original.clone()?;
        let args = args
            .iter()
            .map(|local| Expr {
                kind: ExprKind::Local(*local),
                ty: self.code.locals[local.index()].ty.clone(),
                span,
            })
            .collect();
        self.call_formula(formula, args, span)
    }

    // -------------------------------------------------------------------------------------------- as values

    /// A meaning used as it stands.
    pub fn head_value(&mut self, head: Head, want: Option<&Ty>, span: Span) -> Option<Expr> {
        match head {
            Head::Value(expr) => Some(expr),
            Head::Cell(cell, owner) => self.cell_value(cell, owner, &[], span),
            Head::Formula(id, args) => self.call_formula(id, args, span),
            Head::Table(id) => Some(self.table_value(id, want, span)),
            Head::Enum(id) => Some(all_of(Domain::Enum(id), span)),
            Head::Domain(domain) => Some(all_of(domain, span)),
            Head::Action(id) => Some(self.action_value(id, span)),
            Head::Score(player) => Some(self.score_value(*player, span)),
            Head::Grid(_)
            | Head::Network(..)
            | Head::NetworkMember(..)
            | Head::Tiling
            | Head::Method(..) => {
                let text = self.k.slice(span).to_owned();
                self.error("wrong-type", span, format!("`{text}` alone is not a value"));
                None
            }
        }
    }

    pub(super) fn score_value(&mut self, player: Expr, span: Span) -> Expr {
        for line in 0..self.k.asm.scores.len() {
            self.touch(
                Touched::Node(Node::Score(crate::ir::ScoreId(line as u32))),
                span,
            );
        }
        Expr {
            kind: ExprKind::Score(None, Box::new(player)),
            ty: Ty::INT,
            span,
        }
    }

    pub(super) fn table_value(&mut self, id: TableId, want: Option<&Ty>, span: Span) -> Expr {
        let domain = Domain::Table(id);
        match want {
            Some(Ty::Bag(_) | Ty::Deck(_)) => Expr {
                kind: ExprKind::Pieces(id),
                ty: Ty::Bag(domain),
                span,
            },
            _ => all_of(domain, span),
        }
    }

    pub(super) fn action_value(&mut self, id: ActionId, span: Span) -> Expr {
        self.touch(Touched::ActionValue(id), span);
        constant(Value::Element(Domain::Action, id.0), span)
    }
}

pub(crate) fn all_of(domain: Domain, span: Span) -> Expr {
    Expr {
        kind: ExprKind::All(domain),
        ty: Ty::Set(domain),
        span,
    }
}
