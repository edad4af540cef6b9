//! `each`, `each player`, `as`, `repeat`, `walk`.

use super::Checker;
use super::body::{Body, Understood};
use super::graph::Touched;
use crate::diagnostic::Diagnostic;
use crate::ir::{self, Block, Domain, LabelId, SeatFrom, StatementKind, Ty};
use crate::source::Span;
use crate::syntax::ast;

impl Checker<'_> {
    /// The cell that counts how many passes more the running one of a step is given.
    fn passes_more(&mut self, label: LabelId, step: &ast::Name) -> ir::CellId {
        if let Some(cell) = self.rs.labels[label.index()].another {
            return cell;
        }
        let ty = Ty::Int {
            low: Some(0),
            high: None,
        };
        let owner = ir::CellOwner::Step(label);
        let cell = self.new_cell("another", step.span, owner, ty);
        self.rs.labels[label.index()].another = Some(cell);
        cell
    }
}

impl Body<'_, '_> {
    /// `another turn`: one pass more for the one that runs.
    pub(super) fn another(&mut self, step: &ast::Name, span: Span) -> Option<StatementKind> {
        let label = self.k.label_at(step)?;
        let cell = self.k.passes_more(label, step);
        self.touch(Touched::Write(cell), span);
        let ty = self.k.rs.cells[cell.index()].ty.clone();
        let one = ir::Expr {
            kind: ir::ExprKind::Const(ir::Value::Int(1)),
            ty: Ty::INT,
            span,
        };
        Some(StatementKind::Assign {
            target: ir::Place {
                cell,
                indices: Vec::new(),
                element: None,
                ty,
                span,
            },
            op: ir::AssignOp::Add,
            value: one,
        })
    }

    /// A loop's body: what is known of the state before may be untrue in a later pass.
    pub(super) fn looped(&mut self, body: &ast::Block) -> Block {
        self.loops += 1;
        let block = self.block(body);
        self.loops -= 1;
        block
    }

    pub(super) fn each(
        &mut self,
        binders: &[ast::Binder],
        body: &ast::Block,
        pass: Option<LabelId>,
    ) -> Option<StatementKind> {
        self.forget(None);
        self.scoped(|this| {
            let binders = this.binders(binders, false);
            this.known.retain(|path| !path.contains('!'));
            let body = this.looped(body);
            Some(StatementKind::Each {
                binders: binders?,
                pass,
                body,
            })
        })
    }

    pub(super) fn each_player(
        &mut self,
        each: &ast::EachPlayer,
        pass: Option<LabelId>,
        span: Span,
    ) -> Option<StatementKind> {
        if each.other && matches!(self.understood, Understood::Nobody) {
            self.error_help(
                "no-player",
                span,
                "other than whom?",
                "`each other player` stands where somebody acts",
            );
        }
        let player = Ty::Element(Domain::Player);
        let from = match &each.from {
            None => Some(SeatFrom::Starter),
            Some(ast::SeatFrom::Left) => Some(SeatFrom::Left),
            Some(ast::SeatFrom::Right) => Some(SeatFrom::Right),
            Some(ast::SeatFrom::Player(expr)) => self.value(expr, &player).map(SeatFrom::Player),
        };
        let before = self.understood.clone();
        let result = self.scoped(|body| {
            body.new_player();
            let conditions = body.conditions(&each.conditions);
            let by = each
                .by
                .as_ref()
                .map_or_else(|| Some(Vec::new()), |by| body.sort_keys(by));
            body.known.retain(|path| !path.contains('!'));
            let block = body.looped(&each.body);
            let conditions = conditions?
                .into_iter()
                .map(|condition| condition.expr)
                .collect();
            Some(ir::EachPlayer {
                other: each.other,
                conditions,
                by: by?,
                from: from?,
                secretly: each.secretly,
                pass,
                body: block,
            })
        });
        self.understood = before;
        self.forget(None);
        result.map(StatementKind::EachPlayer)
    }

    /// Another player acts from here on.
    pub(super) fn new_player(&mut self) {
        self.understood = Understood::Me;
        self.known.retain(|path| !path.contains("@me"));
    }

    pub(super) fn as_player(
        &mut self,
        player: &ast::Expr,
        body: &ast::Block,
    ) -> Option<StatementKind> {
        let player = self.value(player, &Ty::Element(Domain::Player));
        let before = self.understood.clone();
        let block = self.scoped(|this| {
            this.new_player();
            this.block(body)
        });
        self.understood = before;
        Some(StatementKind::As(player?, block))
    }

    pub(super) fn repeat(
        &mut self,
        repeat: &ast::Repeat,
        pass: Option<LabelId>,
        span: Span,
    ) -> Option<StatementKind> {
        let times = self.clause(repeat.times.as_ref(), |body, times| body.amount(times, 0));
        self.forget(None);
        let asks = self.asks;
        if repeat.may {
            self.someone(span);
        }
        let (while_, body) = self.scoped(|body| {
            let while_ = body.clause(repeat.while_.as_ref(), Self::condition);
            if let Some(Some(condition)) = &while_ {
                body.learn(condition, true);
            }
            (while_, body.looped(&repeat.body))
        });
        if repeat.times.is_none()
            && repeat.while_.is_none()
            && self.asks == asks
            && !leaves(&repeat.body)
        {
            let note = Diagnostic {
                severity: crate::diagnostic::Severity::Note,
                ..Diagnostic::warning("endless", span, "nothing ends this `repeat`")
            };
            self.k
                .report(note.help("`while C`, a number of times, `stop` or `finish` end it"));
        }
        Some(StatementKind::Repeat(ir::Repeat {
            times: times?,
            up_to: repeat.up_to,
            while_: while_?,
            may: repeat.may,
            pass,
            body,
        }))
    }

    pub(super) fn walk_statement(
        &mut self,
        walk: &ast::Walk,
        body: &ast::Block,
        span: Span,
    ) -> Option<StatementKind> {
        self.someone(span);
        let checked = self.scoped(|this| this.walk(walk));
        let checked = checked.filter(|(walk, _)| {
            let is_one = matches!(walk.from.ty, Ty::Element(_));
            if !is_one {
                self.error_help(
                    "wrong-type",
                    walk.from.span,
                    "whoever walks begins at one place",
                    "where there are several, let him choose first: `choose x in …`, and below it `walk on N from x`",
                );
            }
            is_one
        });
        self.forget(None);
        let block = self.scoped(|this| {
            if let Some((walk, nodes)) = &checked {
                this.walk_words(walk.network, *nodes, span, false);
            }
            this.looped(body)
        });
        checked.map(|(walk, _)| StatementKind::Walk { walk, body: block })
    }

    pub(super) fn stop(&mut self, span: Span) -> Option<StatementKind> {
        if self.loops == 0 {
            self.error_help(
                "nothing-to-stop",
                span,
                "there is no loop to leave here",
                "`stop` leaves the innermost repeat, each or walk of the same action",
            );
            return None;
        }
        Some(StatementKind::Stop)
    }
}

/// Whether `stop` or an end of the game stands somewhere in it.
fn leaves(block: &ast::Block) -> bool {
    block.statements.iter().any(|statement| {
        matches!(
            statement.kind,
            ast::StatementKind::Stop
                | ast::StatementKind::Finish(_)
                | ast::StatementKind::Verdict(_)
        ) || statement.kind.blocks().into_iter().any(leaves)
    })
}
