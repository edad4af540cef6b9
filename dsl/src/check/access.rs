//! What a word or `x.word` stands for, ring by ring.

use super::body::{Body, Mode, Original, Understood, Var};
use super::graph::{Node, Touched};
use super::names::{Global, Member};
use super::types::{constant, domain_of};
use crate::diagnostic::Diagnostic;
use crate::ir::{
    ActionId, AggregateOp, BinaryOp, Binder, CellId, CellOwner, Condition, Domain, EnumId, Expr,
    ExprKind, FormulaId, GridId, NetworkId, TableId, Ty, Value,
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

const METHODS: [&str; 2] = ["count", "next"];

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

    fn name_head(&mut self, name: &str, span: Span, want: Option<&Ty>) -> Option<Head> {
        if let Some(head) = self.word_of_the_language(name, span, want) {
            return head;
        }
        if let Some(var) = self.var(name, span).cloned() {
            return self.var_value(&var, span).map(Head::Value);
        }
        let inner = self.inner_head(name, span);
        let wanted = want.and_then(|ty| self.wanted_word(name, span, ty));
        match (inner, wanted) {
            (Some(None), _) => None,
            (Some(Some(head)), Some(word)) => Some(if self.is_of(&head, want) {
                head
            } else {
                Head::Value(word)
            }),
            (Some(head), None) => head,
            (None, Some(word)) => Some(Head::Value(word)),
            (None, None) => self.free_word(name, span, want),
        }
    }

    #[allow(clippy::option_option)]
    fn word_of_the_language(
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
            "original" if !matches!(self.original, Original::None) => {
                return Some(self.original_value(span, want).map(Head::Value));
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
            "A" | "B" | "C" | "D" | "E"
                if self.mode == Mode::Outside
                    && want
                        .and_then(|ty| self.wanted_word(name, span, ty))
                        .is_none() =>
            {
                let seat = u32::from(name.as_bytes()[0] - b'A');
                (
                    ExprKind::Const(Value::Element(Domain::Player, seat)),
                    Ty::Element(Domain::Player),
                )
            }
            _ => return None,
        };
        Some(Some(Head::Value(Expr {
            kind: kind.0,
            ty: kind.1,
            span,
        })))
    }

    fn players(&self, span: Span) -> Expr {
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

    fn this_value(&mut self, span: Span) -> Option<Expr> {
        match &self.this {
            Some(this) => Some(Expr {
                span,
                ..this.clone()
            }),
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

    fn var_value(&mut self, var: &Var, span: Span) -> Option<Expr> {
        let (kind, ty) = var.value.clone()?;
        Some(Expr { kind, ty, span })
    }

    /// Rings two to four. `Some(None)`: it is known and wrong.
    #[allow(clippy::option_option)]
    fn inner_head(&mut self, name: &str, span: Span) -> Option<Option<Head>> {
        if !matches!(self.understood, Understood::Nobody)
            && let Some(member) = self.k.names.member(Domain::Player, name, span)
        {
            let player = self.understood_player(span)?;
            return Some(Some(self.owned_head(member, player, span)));
        }
        let steps = self.k.names.step_cells(name, span);
        if !steps.is_empty() {
            let cell = self.step_cell(name, &steps, span);
            return Some(cell.map(|cell| self.cell_head(cell, Vec::new(), span)));
        }
        if let Some(global) = self.k.names.global(name, span) {
            return Some(self.global_head(global, span));
        }
        let head = match name {
            "player" => Some(Head::Domain(Domain::Player)),
            "side" if self.k.rs.tiling.is_some() => Some(Head::Domain(Domain::Side)),
            "port" if self.k.rs.tiling.is_some() => Some(Head::Domain(Domain::Port)),
            "cell" if self.k.rs.tiling.is_some() => Some(Head::Domain(self.k.positions())),
            "score" | "seat" | "left" | "right" => self.understood_member(name, span),
            _ => self.directions(name, span).map(Head::Value),
        };
        head.map(Some)
    }

    /// A cell of a step or action: the nearest around this text, else the only one of that name.
    fn step_cell(&mut self, name: &str, all: &[CellId], span: Span) -> Option<CellId> {
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

    fn global_head(&mut self, global: Global, span: Span) -> Option<Head> {
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

    fn cell_head(&mut self, cell: CellId, owner: Vec<Expr>, span: Span) -> Head {
        if !std::mem::take(&mut self.writing) {
            self.touch(Touched::Read(cell), span);
        }
        Head::Cell(cell, owner)
    }

    fn network_head(&mut self, id: NetworkId, receiver: Option<Expr>, span: Span) -> Head {
        self.touch(Touched::Node(Node::Network(id)), span);
        Head::Network(id, receiver.map(Box::new))
    }

    fn owned_head(&mut self, member: Member, owner: Expr, span: Span) -> Head {
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
    fn wanted_word(&self, name: &str, span: Span, want: &Ty) -> Option<Expr> {
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

    /// Whether a meaning of an inner ring has the type wanted; else the word of the outer ring is meant.
    fn is_of(&mut self, head: &Head, want: Option<&Ty>) -> bool {
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
    fn free_word(&mut self, name: &str, span: Span, want: Option<&Ty>) -> Option<Head> {
        let words = self.k.names.words(name, span);
        match words.as_slice() {
            [(domain, number)] => Some(Head::Value(constant(
                Value::Element(*domain, *number),
                span,
            ))),
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

    fn direction_word(&self, name: &str, span: Span) -> Option<Expr> {
        let side = self.k.side_named(name).map(|side| (Domain::Side, side));
        let (domain, number) =
            side.or_else(|| self.k.port_named(name).map(|port| (Domain::Port, port)))?;
        Some(constant(Value::Element(domain, number), span))
    }

    /// Where a member is wanted, the members are named; else what is near.
    fn unknown_here(&mut self, name: &str, span: Span, want: Option<&Ty>) {
        if let Some(Ty::Element(domain)) = want.map(Ty::required) {
            let closed = matches!(domain, Domain::Enum(_) | Domain::Side | Domain::Port);
            let near = self.k.names.near_word(*domain, name).is_some();
            if near || closed && self.near_name(name, span).is_none() {
                self.k.unknown_word(name, *domain, span);
                return;
            }
        }
        self.unknown_name(name, span);
    }

    /// A name that may have been meant.
    fn near_name(&self, name: &str, span: Span) -> Option<String> {
        let player = !matches!(self.understood, Understood::Nobody);
        let local = self.vars.iter().map(|var| var.name.as_str());
        let near = crate::diagnostic::suggest::nearest(name, local);
        near.or_else(|| self.k.names.near_global(name, span, player))
            .map(str::to_owned)
    }

    fn unknown_name(&mut self, name: &str, span: Span) {
        let mut diagnostic = Diagnostic::error(
            "unknown-name",
            span,
            format!("nothing is called `{name}` here"),
        );
        if let Some(help) = self.elsewhere(name, span) {
            diagnostic = diagnostic.help(help);
        } else if let Some(near) = self.near_name(name, span) {
            diagnostic = diagnostic
                .help(format!("did you mean `{near}`?"))
                .fix("replace", span, near);
        } else if let Some(near) = self.k.names.near_member(Domain::Player, name, span) {
            diagnostic = diagnostic.help(format!("did you mean `p.{near}` of a player `p`?"));
        }
        self.k.report(diagnostic);
    }

    /// The same name where it is not understood.
    fn elsewhere(&self, name: &str, span: Span) -> Option<String> {
        if self.k.names.member(Domain::Player, name, span).is_some() {
            return Some(format!("it belongs to a player: `p.{name}`"));
        }
        if let Some(this) = &self.this
            && let Some(domain) = domain_of(&this.ty)
            && self.k.names.member(domain, name, span).is_some()
        {
            return Some(format!("say `this.{name}`"));
        }
        let later = self.k.names.globals.get(name)?.first()?;
        let layer = self.k.rs.layers.get(later.layer.0 as usize)?;
        Some(format!(
            "`{}` declares it, but this text does not know of that overlay",
            layer.id
        ))
    }

    fn original_value(&mut self, span: Span, want: Option<&Ty>) -> Option<Expr> {
        match self.original.clone() {
            Original::None => None,
            Original::Expr(expr) => self.raw(expr, want),
            Original::Formula(id, params) => {
                let args = params
                    .iter()
                    .map(|local| Expr {
                        kind: ExprKind::Local(*local),
                        ty: self.code.locals[local.index()].ty.clone(),
                        span,
                    })
                    .collect();
                self.call_formula(id, args, span)
            }
        }
    }

    // -------------------------------------------------------------------------------------------- members

    fn member_head(&mut self, base: &ast::Expr, word: &ast::Name) -> Option<Head> {
        if let Some(head) = self.qualified(base, word) {
            return head;
        }
        if let Some(value) = self.grid_column(base, word) {
            return value.map(Head::Value);
        }
        let span = base.span.to(word.span);
        if let Some(row) = self.word_with(base, word) {
            return self.member_of(row, word, span);
        }
        let writing = std::mem::take(&mut self.writing);
        let head = self.head(base, None);
        self.writing = writing;
        match head? {
            Head::Table(id) => self.named_row(id, word, span),
            Head::Enum(id) => self.named_member(id, word, span),
            Head::Network(id, receiver) if word.text == "joins" || word.text == "reach" => {
                Some(Head::NetworkMember(id, receiver, word.text == "joins"))
            }
            Head::Score(player) => self.score_line(*player, word, span),
            head => {
                self.writing = false;
                let value = self.head_value(head, None, base.span)?;
                let value = self.narrow(value);
                self.writing = writing;
                let member = self.member_of(value, word, span);
                self.writing = false;
                member
            }
        }
    }

    /// A word with several meanings of which one has the member: `hannover.guest`.
    fn word_with(&self, base: &ast::Expr, word: &ast::Name) -> Option<Expr> {
        let ast::ExprKind::Name(name) = &base.kind else {
            return None;
        };
        let words = self.k.names.words(name, base.span);
        if words.len() < 2 || !self.needs_hint(base) {
            return None;
        }
        let mut fitting = words.into_iter().filter(|(domain, _)| {
            self.k
                .names
                .member(*domain, &word.text, word.span)
                .is_some()
        });
        let (domain, number) = fitting.next()?;
        fitting
            .next()
            .is_none()
            .then(|| constant(Value::Element(domain, number), base.span))
    }

    /// `step.cell`, `action.cell`, `loop.number`: not values with members.
    #[allow(clippy::option_option)]
    fn qualified(&mut self, base: &ast::Expr, word: &ast::Name) -> Option<Option<Head>> {
        let ast::ExprKind::Name(name) = &base.kind else {
            return None;
        };
        if self.var(name, base.span).is_some() {
            return None;
        }
        let span = base.span.to(word.span);
        let cells = self.k.names.step_cells(&word.text, word.span);
        for cell in cells {
            if self.k.owner_name(self.k.rs.cells[cell.index()].owner) == *name {
                return Some(Some(self.cell_head(cell, Vec::new(), span)));
            }
        }
        if word.text == "number"
            && let Some(label) = self.k.names.labels.get(name)
            && self.k.names.global(name, base.span).is_none()
        {
            let ty = Ty::Int {
                low: Some(0),
                high: None,
            };
            return Some(Some(Head::Value(Expr {
                kind: ExprKind::PassNumber(*label),
                ty,
                span,
            })));
        }
        None
    }

    fn named_row(&mut self, table: TableId, word: &ast::Name, span: Span) -> Option<Head> {
        let domain = Domain::Table(table);
        match self.k.names.word_in(domain, &word.text, word.span) {
            Some(row) => Some(Head::Value(constant(Value::Element(domain, row), span))),
            None if word.text == "size" => {
                let all = Expr {
                    kind: ExprKind::All(domain),
                    ty: Ty::Set(domain),
                    span,
                };
                self.member_of(all, word, span)
            }
            None => {
                self.k.no_row(table, &word.text, word.span);
                None
            }
        }
    }

    fn named_member(&mut self, id: EnumId, word: &ast::Name, span: Span) -> Option<Head> {
        let domain = Domain::Enum(id);
        match self.k.names.word_in(domain, &word.text, word.span) {
            Some(member) => Some(Head::Value(constant(Value::Element(domain, member), span))),
            None => {
                self.k.unknown_word(&word.text, domain, word.span);
                None
            }
        }
    }

    fn score_line(&mut self, player: Expr, word: &ast::Name, span: Span) -> Option<Head> {
        let at = self
            .k
            .asm
            .scores
            .iter()
            .position(|line| line.item.name.text == word.text);
        let Some(at) = at else {
            self.error(
                "unknown-member",
                word.span,
                format!("there is no score `{}`", word.text),
            );
            return None;
        };
        let id = crate::ir::ScoreId(at as u32);
        self.touch(Touched::Node(Node::Score(id)), span);
        Some(Head::Value(Expr {
            kind: ExprKind::Score(Some(id), Box::new(player)),
            ty: Ty::INT,
            span,
        }))
    }

    /// `value.word`
    fn member_of(&mut self, base: Expr, word: &ast::Name, span: Span) -> Option<Head> {
        let base = self.require(base)?;
        match base.ty.clone() {
            Ty::Element(domain) => self.element_member(base, domain, word, span),
            Ty::Walk(domain) => self.walk_member(base, domain, word, span),
            ty if ty.is_container() => self.container_member(base, &ty, word, span),
            ty => {
                let message = format!("{} has no `{}`", self.k.show(&ty), word.text);
                self.error("unknown-member", word.span, message);
                None
            }
        }
    }

    fn element_member(
        &mut self,
        base: Expr,
        domain: Domain,
        word: &ast::Name,
        span: Span,
    ) -> Option<Head> {
        if let Some(member) = self.k.names.member(domain, &word.text, word.span) {
            let base = self.as_owner(base, domain, member, word)?;
            return Some(self.owned_head(member, base, span));
        }
        if let Some(head) = self.tiling_member(&base, domain, word, span) {
            return head;
        }
        if domain == Domain::Player
            && let Some(head) = self.player_member(&base, word, span)
        {
            return Some(head);
        }
        self.no_member(domain, word);
        None
    }

    /// A row where its part on the board is wanted cannot be used; a part can be used as its row's column.
    fn as_owner(
        &mut self,
        base: Expr,
        domain: Domain,
        member: Member,
        word: &ast::Name,
    ) -> Option<Expr> {
        let owner = match member {
            Member::Cell(id) => match self.k.rs.cells[id.index()].owner {
                CellOwner::Each(owner) => owner,
                _ => return Some(base),
            },
            Member::Formula(id) => match self.k.rs.formulas[id.index()].owner {
                Some(owner) => owner,
                None => return Some(base),
            },
            Member::Column(..) | Member::Network(_) => return Some(base),
        };
        if owner == domain {
            return Some(base);
        }
        if self.mode == Mode::Outside
            && let (Domain::Table(table), ExprKind::Const(Value::Element(_, row))) =
                (domain, &base.kind)
            && owner == Domain::Part(table)
        {
            return Some(self.lying_part(table, *row, base.span));
        }
        let name = self.k.show_domain(domain);
        let help = format!("`{name} on …` are the parts that lie there");
        self.error_help(
            "wrong-type",
            word.span,
            format!("only a `{name}` that lies on the board has `{}`", word.text),
            help,
        );
        None
    }

    /// In scenarios a part's row means the part that lies on the board: the first whose key is the row's.
    fn lying_part(&mut self, table: TableId, row: u32, span: Span) -> Expr {
        let part = Ty::Element(Domain::Part(table));
        let local = self.hidden_local("", part.clone(), span);
        let declared = &self.k.rs.tables[table.index()];
        let conditions = declared.key.iter().map(|column| {
            let ty = declared.columns[column.index()].ty.clone();
            let part = Expr {
                kind: ExprKind::Local(local),
                ty: part.clone(),
                span,
            };
            let left = Expr {
                kind: ExprKind::Column(Box::new(part), table, *column),
                ty: ty.clone(),
                span,
            };
            let value = declared.rows[row as usize].values[column.index()].clone();
            let right = Expr {
                kind: ExprKind::Const(value),
                ty,
                span,
            };
            let expr = Expr {
                kind: ExprKind::Binary(BinaryOp::Equal, Box::new(left), Box::new(right)),
                ty: Ty::Bool,
                span,
            };
            Condition {
                expr,
                message: None,
            }
        });
        let conditions = conditions.collect();
        let source = Expr {
            kind: ExprKind::OnBoard(table),
            ty: Ty::Set(Domain::Part(table)),
            span,
        };
        let binder = Binder {
            local,
            source,
            conditions,
            by: Vec::new(),
            from: None,
            up_to: None,
            span,
        };
        let first = ExprKind::Aggregate {
            op: AggregateOp::First,
            binders: vec![binder],
            value: None,
        };
        let first = Expr {
            kind: first,
            ty: part.clone().optional(),
            span,
        };
        Expr {
            kind: ExprKind::Unwrap(Box::new(first)),
            ty: part,
            span,
        }
    }

    fn player_member(&mut self, base: &Expr, word: &ast::Name, span: Span) -> Option<Head> {
        let boxed = Box::new(base.clone());
        let (kind, ty) = match word.text.as_str() {
            "seat" => {
                let high = Some(self.k.rs.players.1.into());
                (ExprKind::Seat(boxed), Ty::Int { low: Some(1), high })
            }
            "left" => (ExprKind::Left(boxed), Ty::Element(Domain::Player)),
            "right" => (ExprKind::Right(boxed), Ty::Element(Domain::Player)),
            "score" => return Some(Head::Score(boxed)),
            "points" if self.mode == Mode::Outside => return Some(Head::Score(boxed)),
            _ if self.mode == Mode::Outside => return self.score_line_of(base, word, span),
            _ => return None,
        };
        Some(Head::Value(Expr { kind, ty, span }))
    }

    /// A line of a player's score: `A.tracks`.
    fn score_line_of(&mut self, base: &Expr, word: &ast::Name, span: Span) -> Option<Head> {
        let known = self
            .k
            .asm
            .scores
            .iter()
            .any(|line| line.item.name.text == word.text);
        if known {
            self.score_line(base.clone(), word, span)
        } else {
            None
        }
    }

    /// `score`, `seat`, … of the player understood.
    fn understood_member(&mut self, name: &str, span: Span) -> Option<Head> {
        let player = self.understood_player(span)?;
        self.player_member(
            &player,
            &ast::Name {
                text: name.to_owned(),
                span,
            },
            span,
        )
    }

    fn no_member(&mut self, domain: Domain, word: &ast::Name) {
        let message = format!("{} has no `{}`", self.k.show_domain(domain), word.text);
        let mut diagnostic = Diagnostic::error("unknown-member", word.span, message);
        if let Some(near) = self
            .k
            .names
            .near_member(domain, &word.text, word.span)
            .map(str::to_owned)
        {
            diagnostic = diagnostic
                .help(format!("did you mean `{near}`?"))
                .fix("replace", word.span, near);
        }
        self.k.report(diagnostic);
    }

    fn container_member(
        &mut self,
        base: Expr,
        ty: &Ty,
        word: &ast::Name,
        span: Span,
    ) -> Option<Head> {
        let text = word.text.as_str();
        if let Some(method) = METHODS
            .iter()
            .find(|method| **method == text && **method == "count")
        {
            return Some(Head::Method(Box::new(base), method));
        }
        let boxed = Box::new(base);
        let (kind, ty) = match (text, ty) {
            ("size", _) => (
                ExprKind::Size(boxed),
                Ty::Int {
                    low: Some(0),
                    high: None,
                },
            ),
            ("top", Ty::Deck(domain)) => (ExprKind::TopOf(boxed), Ty::Element(*domain).optional()),
            _ => {
                let message = format!("a {} has no `{text}`", self.k.show(ty));
                let help = "containers have `.size`, `.count(x)`, and decks `.top`";
                self.error_help("unknown-member", word.span, message, help);
                return None;
            }
        };
        Some(Head::Value(Expr { kind, ty, span }))
    }

    fn walk_member(
        &mut self,
        base: Expr,
        domain: Domain,
        word: &ast::Name,
        span: Span,
    ) -> Option<Head> {
        let boxed = Box::new(base);
        let (kind, ty) = match word.text.as_str() {
            "value" => (ExprKind::WalkValue(boxed), Ty::INT),
            "nodes" => (ExprKind::WalkNodes(boxed), Ty::Set(domain)),
            _ => {
                self.error(
                    "unknown-member",
                    word.span,
                    format!("a walk has `.value` and `.nodes`, not `.{}`", word.text),
                );
                return None;
            }
        };
        Some(Head::Value(Expr { kind, ty, span }))
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

    fn score_value(&mut self, player: Expr, span: Span) -> Expr {
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

    fn table_value(&mut self, id: TableId, want: Option<&Ty>, span: Span) -> Expr {
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

    fn action_value(&mut self, id: ActionId, span: Span) -> Expr {
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
