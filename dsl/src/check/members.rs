//! What stands behind a dot.

use super::access::Head;
use super::body::{Body, Mode};
use super::graph::{Node, Touched};
use super::names::Member;
use super::symbols::Symbol;
use super::types::constant;
use crate::diagnostic::{Diagnostic, Way};
use crate::ir::{
    AggregateOp, BinaryOp, Binder, CellOwner, Condition, Domain, EnumId, Expr, ExprKind, TableId,
    Ty, Value,
};
use crate::source::Span;
use crate::syntax::ast;

const METHODS: [&str; 3] = ["count", "next", "turned"];

impl Body<'_, '_> {
    pub(super) fn member_head(&mut self, base: &ast::Expr, word: &ast::Name) -> Option<Head> {
        if let Some(head) = self.qualified(base, word) {
            return head;
        }
        if let Some(value) = self.grid_column(base, word) {
            return value.map(Head::Value);
        }
        let span = base.span.to(word.span);
        if let Some(row) = self.word_with(base, word) {
            self.word_head(row.clone());
            return self.member_of(row, word, span);
        }
        if self.member_of_step(base, word) {
            return None;
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
            Head::Network(..) | Head::Tiling if word.text == "distance" => {
                let ground = self.k.slice(base.span).to_owned();
                self.error_help(
                    "unknown-member",
                    word.span,
                    "a distance is asked like a walk",
                    format!("`distance on {ground} from a to b`"),
                );
                None
            }
            Head::Score(player) => self.score_line(*player, word, span),
            Head::Domain(domain)
                if word.text != "size" && self.member_of_all(domain, word, span) =>
            {
                None
            }
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
    pub(super) fn word_with(&self, base: &ast::Expr, word: &ast::Name) -> Option<Expr> {
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
    pub(super) fn qualified(&mut self, base: &ast::Expr, word: &ast::Name) -> Option<Option<Head>> {
        let ast::ExprKind::Name(name) = &base.kind else {
            return None;
        };
        if self.var(name, base.span).is_some() {
            return None;
        }
        let span = base.span.to(word.span);
        let cells = self.k.names.step_cells(&word.text, word.span);
        for cell in cells {
            let owner = self.k.rs.cells[cell.index()].owner;
            if self.k.owner_name(owner) == *name {
                self.k.note_owner(base.span, owner);
                self.k.note(word.span, Symbol::Cell(cell));
                return Some(Some(self.cell_head(cell, Vec::new(), span)));
            }
        }
        if word.text == "number"
            && let Some(label) = self.k.names.labels.get(name).copied()
            && self.k.sees_step(name, base.span)
            && self.k.names.global(name, base.span).is_none()
        {
            self.k.note(base.span, Symbol::Label(label));
            let ty = Ty::Int {
                low: Some(0),
                high: None,
            };
            return Some(Some(Head::Value(Expr {
                kind: ExprKind::PassNumber(label),
                ty,
                span,
            })));
        }
        None
    }

    pub(super) fn named_row(
        &mut self,
        table: TableId,
        word: &ast::Name,
        span: Span,
    ) -> Option<Head> {
        let domain = Domain::Table(table);
        match self.k.names.word_in(domain, &word.text, word.span) {
            Some(row) => {
                self.k.note_element(word.span, domain, row);
                Some(Head::Value(constant(Value::Element(domain, row), span)))
            }
            None if word.text == "size" => {
                let all = Expr {
                    kind: ExprKind::All(domain),
                    ty: Ty::Set(domain),
                    span,
                };
                self.member_of(all, word, span)
            }
            None => {
                if !self.member_of_all(domain, word, span) {
                    self.k.no_row(table, &word.text, word.span);
                }
                None
            }
        }
    }

    pub(super) fn named_member(
        &mut self,
        id: EnumId,
        word: &ast::Name,
        span: Span,
    ) -> Option<Head> {
        let domain = Domain::Enum(id);
        match self.k.names.word_in(domain, &word.text, word.span) {
            Some(member) => {
                self.k.note_element(word.span, domain, member);
                Some(Head::Value(constant(Value::Element(domain, member), span)))
            }
            None => {
                if !self.member_of_all(domain, word, span) {
                    self.k.unknown_word(&word.text, domain, word.span);
                }
                None
            }
        }
    }

    pub(super) fn score_line(
        &mut self,
        player: Expr,
        word: &ast::Name,
        span: Span,
    ) -> Option<Head> {
        let at = self
            .k
            .asm
            .scores
            .iter()
            .position(|line| line.item.name.text == word.text);
        let Some(at) = at else {
            let lines = self.k.asm.scores.iter();
            let known: Vec<&str> = lines.map(|line| line.item.name.text.as_str()).collect();
            let help = crate::assembly::fields::there_are(&known);
            let near = crate::diagnostic::suggest::nearest(&word.text, known);
            let near = near.map(|near| Way::meant(word.span, near));
            let message = format!("the score has no line `{}`", word.text);
            let diagnostic = Diagnostic::error("unknown-member", word.span, message)
                .ways(near.into_iter().chain([Way::help(help)]));
            self.k.report(diagnostic);
            return None;
        };
        let id = crate::ir::ScoreId(at as u32);
        self.k.note(word.span, Symbol::Score(id));
        self.touch(Touched::Node(Node::Score(id)), span);
        Some(Head::Value(Expr {
            kind: ExprKind::Score(Some(id), Box::new(player)),
            ty: Ty::INT,
            span,
        }))
    }

    /// `value.word`
    pub(super) fn member_of(&mut self, base: Expr, word: &ast::Name, span: Span) -> Option<Head> {
        let base = self.require(base)?;
        match base.ty.clone() {
            Ty::Element(domain) => self.element_member(base, domain, word, span),
            Ty::Walk(domain) => self.walk_member(base, domain, word, span),
            ty if ty.is_container() => self.container_member(base, &ty, word, span),
            ty => {
                let message = format!("{} has no `{}`", self.k.in_words(&ty), word.text);
                self.error("unknown-member", word.span, message);
                None
            }
        }
    }

    pub(super) fn element_member(
        &mut self,
        base: Expr,
        domain: Domain,
        word: &ast::Name,
        span: Span,
    ) -> Option<Head> {
        if let Some(member) = self.k.names.member(domain, &word.text, word.span) {
            self.k.note_member(word.span, member);
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
        self.no_member(domain, base.span, word);
        None
    }

    /// A row where its part on the board is wanted cannot be used; a part can be used as its row's column.
    pub(super) fn as_owner(
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
    pub(super) fn lying_part(&mut self, table: TableId, row: u32, span: Span) -> Expr {
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

    pub(super) fn player_member(
        &mut self,
        base: &Expr,
        word: &ast::Name,
        span: Span,
    ) -> Option<Head> {
        let boxed = Box::new(base.clone());
        let number = Ty::Int {
            low: None,
            high: None,
        };
        let (kind, ty) = match word.text.as_str() {
            "seat" => {
                let high = Some(self.k.rs.players.1.into());
                (ExprKind::Seat(boxed), Ty::Int { low: Some(1), high })
            }
            "left" => (ExprKind::Left(boxed), Ty::Element(Domain::Player)),
            "right" => (ExprKind::Right(boxed), Ty::Element(Domain::Player)),
            "out" => (ExprKind::Out(boxed), Ty::Bool),
            "score" => return Some(Head::Score(boxed)),
            "standing" => (self.standing(boxed, span), number),
            "points" if self.mode == Mode::Outside => return Some(Head::Score(boxed)),
            _ if self.mode == Mode::Outside => return self.score_line_of(base, word, span),
            _ => return None,
        };
        Some(Head::Value(Expr { kind, ty, span }))
    }

    /// What everybody can see of a player's points: the lines of the score that are not hidden until the end.
    fn standing(&mut self, player: Box<Expr>, span: Span) -> ExprKind {
        let number = || Ty::Int {
            low: None,
            high: None,
        };
        let lines = self.k.asm.scores.iter().enumerate();
        let open = lines.filter(|(_, line)| !line.item.at_end);
        let open: Vec<crate::ir::ScoreId> =
            open.map(|(at, _)| crate::ir::ScoreId(at as u32)).collect();
        let nothing = ExprKind::Const(Value::Int(0));
        open.into_iter().fold(nothing, |sum, line| {
            self.touch(Touched::Node(Node::Score(line)), span);
            let part = |kind: ExprKind| {
                Box::new(Expr {
                    kind,
                    ty: number(),
                    span,
                })
            };
            let one = part(ExprKind::Score(Some(line), player.clone()));
            match sum {
                ExprKind::Const(_) => one.kind,
                sum => ExprKind::Binary(BinaryOp::Add, part(sum), one),
            }
        })
    }

    /// A line of a player's score: `A.tracks`.
    pub(super) fn score_line_of(
        &mut self,
        base: &Expr,
        word: &ast::Name,
        span: Span,
    ) -> Option<Head> {
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
    pub(super) fn understood_member(&mut self, name: &str, span: Span) -> Option<Head> {
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

    pub(super) fn no_member(&mut self, domain: Domain, base: Span, word: &ast::Name) {
        if self.k.is_broken(&word.text) {
            return;
        }
        let message = format!("{} has no `{}`", self.k.show_domain(domain), word.text);
        let ways = self.ways_of_member(domain, base, word);
        let diagnostic = Diagnostic::error("unknown-member", word.span, message).ways(ways);
        self.k.report(diagnostic);
    }

    pub(super) fn container_member(
        &mut self,
        base: Expr,
        ty: &Ty,
        word: &ast::Name,
        span: Span,
    ) -> Option<Head> {
        let text = word.text.as_str();
        let of_tiles = matches!(ty, Ty::Set(Domain::Side | Domain::Port));
        if let Some(method) = METHODS
            .iter()
            .find(|method| **method == text && (text == "count" || text == "turned" && of_tiles))
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
            ("top", Ty::Deck(domain)) => (ExprKind::TopOf(boxed), domain.element_ty().optional()),
            ("bottom", Ty::Deck(domain)) => {
                (ExprKind::BottomOf(boxed), domain.element_ty().optional())
            }
            _ => {
                self.no_container_member(ty, boxed.span, word);
                return None;
            }
        };
        Some(Head::Value(Expr { kind, ty, span }))
    }

    pub(super) fn walk_member(
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
}
