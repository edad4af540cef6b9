//! Actions, effects of tables, agendas, formulas, rules: everything that has a body.

use super::Lower;
use crate::facts::Origin;
use crate::program::*;
use dsl::ir::{self, EffectExprKind, ExprKind, ParamKind, Ty};
use dsl::source::Span;

impl Lower<'_> {
    /// Makes a proc for every body, so that bodies can call each other before they are lowered.
    pub(super) fn declare_procs(&mut self) {
        for (at, action) in self.rules.actions.iter().enumerate() {
            let id = self.declare(
                &action.name,
                ProcKind::Action(ir::ActionId(at as u32)),
                action.span,
            );
            self.program.action_procs.push(id);
        }
        for effect in &self.rules.effects {
            let id = self.declare(&effect.text, ProcKind::Effect, effect.span);
            self.program.effect_procs.push(id);
        }
        for formula in &self.rules.formulas {
            let id = self.declare(&formula.name, ProcKind::Formula, formula.span);
            self.program.formula_procs.push(id);
            let nodes = match formula.ty.required() {
                ir::Ty::Walk(_) => {
                    Some(self.declare(&formula.name, ProcKind::Formula, formula.span))
                }
                _ => None,
            };
            self.program.walk_procs.push(nodes);
        }
        for line in &self.rules.scores {
            let id = self.declare(&line.name, ProcKind::Formula, line.span);
            self.program.score_procs.push(id);
        }
        for key in &self.rules.win {
            let id = self.declare("win by", ProcKind::Formula, key.span);
            self.program.win_procs.push(id);
        }
        self.program.flow = self.declare(
            "flow",
            ProcKind::Flow,
            Span::new(dsl::source::FileId(0), 0, 0),
        );
    }

    pub(super) fn declare(&mut self, name: &str, kind: ProcKind, span: Span) -> ProcId {
        self.program.procs.push(Proc {
            name: name.to_owned(),
            kind,
            entry: 0,
            end: 0,
            body: NodeId(0),
            frame_words: frame::SIZE as u32,
            params: Vec::new(),
            shape: Shape::Scalar,
            span,
            safe: false,
            ledger: None,
        });
        ProcId(self.program.procs.len() as u32 - 1)
    }

    fn formula_body(
        &mut self,
        proc: ProcId,
        params: &[ir::LocalId],
        body: &ir::Expr,
        code: &ir::Code,
    ) {
        self.open(code);
        let node = self.expr(body);
        let shape = self.shape(body.ty.required());
        self.said_by(proc, params, node, shape);
    }

    /// What the open body says is said by this formula.
    fn said_by(&mut self, proc: ProcId, params: &[ir::LocalId], node: NodeId, shape: Shape) {
        let params = params
            .iter()
            .map(|p| self.local(*p))
            .map(|(at, shape)| (at, shape.words() as u32))
            .collect();
        let frame_words = self.frame_words;
        let proc = &mut self.program.procs[proc.at()];
        proc.body = node;
        proc.params = params;
        proc.shape = shape;
        proc.frame_words = frame_words;
    }

    pub(super) fn formulas(&mut self) {
        for (at, formula) in self.rules.formulas.iter().enumerate() {
            let proc = self.program.formula_procs[at];
            self.formula_body(proc, &formula.params, &formula.body, &formula.code);
            if let Some(proc) = self.program.walk_procs[at]
                && let ir::Ty::Walk(nodes) = *formula.ty.required()
            {
                self.open(&formula.code);
                let shape = self.shape(&ir::Ty::Set(nodes));
                let nodes = self.walk_nodes(&formula.body, shape);
                self.said_by(proc, &formula.params, nodes, shape);
            }
        }
    }

    pub(super) fn scores(&mut self) {
        for (at, line) in self.rules.scores.iter().enumerate() {
            let proc = self.program.score_procs[at];
            self.formula_body(proc, &[ir::LocalId(0)], &line.value, &line.code);
        }
        for (at, key) in self.rules.win.iter().enumerate() {
            let proc = self.program.win_procs[at];
            self.formula_body(proc, &[ir::LocalId(0)], key, &self.rules.win_code);
        }
    }

    /// Behind the actions: where their code ends is known.
    pub(super) fn strategies(&mut self) {
        for strategy in &self.rules.strategies {
            let mut code = StrategyCode {
                name: strategy.name.clone(),
                of_actions: Vec::new(),
                of_positions: Vec::new(),
            };
            for line in &strategy.preferences {
                let proc = self.declare(&strategy.name, ProcKind::Formula, line.span);
                self.formula_body(proc, &line.params, &line.value, &line.code);
                let avoid = line.avoid;
                let preference = PreferenceCode { proc, avoid };
                match line.action {
                    Some(action) => {
                        let end = self.action_ends[action.index()];
                        let action = self.program.action_procs[action.index()];
                        code.of_actions.push((end, action, preference));
                    }
                    None => code.of_positions.push(preference),
                }
            }
            self.program.strategies.push(code);
        }
    }

    pub(super) fn effects(&mut self) {
        for (at, effect) in self.rules.effects.iter().enumerate() {
            let proc = self.program.effect_procs[at];
            self.open(&effect.code);
            let entry = self.here();
            match &effect.parts {
                Some(parts) if effect.body.statements.is_empty() => {
                    let parts = self.effect_index(parts);
                    self.emit(Op::RunEffect(parts), effect.span);
                }
                _ => self.staying(|lower| lower.block(&effect.body)),
            }
            self.emit(Op::Return, effect.span);
            self.close(proc, entry);
            let parts = match &effect.parts {
                Some(parts) if self.has_composite(parts) => {
                    self.open(&effect.code);
                    Some(self.effect_index(parts))
                }
                _ => None,
            };
            self.program.effect_parts.push(parts);
        }
    }

    /// The call of a composite somewhere in it: then its parts go onto an agenda, else the effect itself.
    fn has_composite(&self, effect: &ir::EffectExpr) -> bool {
        match &effect.kind {
            EffectExprKind::Call(action, _) => {
                self.rules.actions[action.index()].composite.is_some()
            }
            EffectExprKind::Value(_) | EffectExprKind::OneOf(_) | EffectExprKind::Block(_) => false,
            EffectExprKind::Times(..) | EffectExprKind::Many(_) | EffectExprKind::For(..) => true,
            EffectExprKind::If(_, yes, no) => {
                self.has_composite(yes) || no.as_ref().is_some_and(|no| self.has_composite(no))
            }
        }
    }

    pub(super) fn actions(&mut self) {
        for (at, action) in self.rules.actions.iter().enumerate() {
            let proc = self.program.action_procs[at];
            self.open(&action.code);
            let entry = self.here();
            if !self.program.action_cells[at].is_empty() {
                self.emit(Op::EnterAction(at as u32), action.span);
            }
            let mut params = Vec::new();
            self.staying(|lower| {
                for (index, param) in action.params.iter().enumerate() {
                    let (local, shape) = lower.local(param.local);
                    params.push((local, shape.words() as u32));
                    lower.param(param, index as u32, action.span);
                }
                match &action.composite {
                    Some(parts) => {
                        let parts = lower.effect_index(parts);
                        lower.emit(Op::RunEffect(parts), action.span);
                        lower.program.composites.push(Some(parts));
                    }
                    None => {
                        lower.block(&action.body);
                        lower.program.composites.push(None);
                    }
                }
            });
            let end = self.emit(Op::Return, action.span);
            self.action_ends.push(end);
            self.close(proc, entry);
            self.program.procs[proc.at()].params = params;
            if let Some(anytime) = action.anytime {
                self.program
                    .anytime
                    .push((proc, anytime.during, action.name.clone()));
            }
        }
    }

    fn param(&mut self, param: &ir::Param, index: u32, span: Span) {
        match &param.kind {
            ParamKind::Given(None) => {}
            ParamKind::Given(Some(default)) => {
                let (local, shape) = self.local(param.local);
                let value = self.expr(default);
                self.emit(
                    Op::ParamDefault {
                        local,
                        index,
                        value,
                        words: shape.words() as u32,
                    },
                    span,
                );
            }
            ParamKind::Asked(choice) => {
                self.of_param = true;
                let asked = self.choice(choice);
                if !choice.at_once {
                    self.stay(span);
                }
                self.emit(
                    Op::Param {
                        choice: asked,
                        index,
                    },
                    span,
                );
            }
        }
    }

    fn close(&mut self, proc: ProcId, entry: u32) {
        let (end, frame_words) = (self.here(), self.frame_words);
        let proc = &mut self.program.procs[proc.at()];
        proc.entry = entry;
        proc.end = end;
        proc.frame_words = frame_words;
    }

    pub(super) fn effect_index(&mut self, effect: &ir::EffectExpr) -> u32 {
        let node = self.effect(effect);
        self.program.effects.push(node);
        self.program.effects.len() as u32 - 1
    }

    fn effect(&mut self, effect: &ir::EffectExpr) -> EffectNode {
        match &effect.kind {
            EffectExprKind::Call(action, args) => {
                let list = self.call_args(*action, args);
                let proc = self.program.action_procs[action.index()];
                EffectNode::Call { proc, args: list }
            }
            EffectExprKind::Value(value) => {
                let kind = match value.ty.required() {
                    Ty::List(_) => EffectValue::List,
                    Ty::Element(_) => EffectValue::Action,
                    _ => EffectValue::Effect,
                };
                let value = self.expr(value);
                EffectNode::Value { value, kind }
            }
            EffectExprKind::Times(count, inner) => {
                let count = self.expr(count);
                EffectNode::Times(count, Box::new(self.effect(inner)))
            }
            EffectExprKind::Many(parts) => {
                EffectNode::Many(parts.iter().map(|p| self.effect(p)).collect())
            }
            EffectExprKind::If(condition, yes, no) => {
                let condition = self.expr(condition);
                let yes = Box::new(self.effect(yes));
                let no = no.as_ref().map(|no| Box::new(self.effect(no)));
                EffectNode::If(condition, yes, no)
            }
            EffectExprKind::For(binders, inner) => {
                let binders = binders.iter().map(|b| self.binder(b)).collect();
                EffectNode::For(binders, Box::new(self.effect(inner)))
            }
            EffectExprKind::OneOf(items) => {
                let body = ir::Block {
                    statements: vec![ir::Statement {
                        kind: ir::StatementKind::OneOf {
                            items: ir::Items {
                                all: items.clone(),
                                ask: None,
                            },
                            none: None,
                        },
                        span: effect.span,
                    }],
                };
                let name = items
                    .iter()
                    .map(|i| i.name.as_str())
                    .collect::<Vec<_>>()
                    .join(" or ");
                self.inline(&body, &name, effect.span)
            }
            EffectExprKind::Block(body) => {
                let name = self.block_name(body);
                self.inline(body, &name, effect.span)
            }
        }
    }

    fn block_name(&self, body: &ir::Block) -> String {
        match body.statements.first().map(|s| &s.kind) {
            Some(ir::StatementKind::Call(action, _)) => {
                self.rules.actions[action.index()].name.clone()
            }
            _ => "effect".into(),
        }
    }

    /// Statements that run later with a copy of today's locals: code out of line, over the same frame layout.
    fn inline(&mut self, body: &ir::Block, name: &str, span: Span) -> EffectNode {
        let proc = self.declare(name, ProcKind::Inline, span);
        let words = self.locals.last().map_or(0, |(at, shape)| {
            at + shape.words() as u32 - frame::SIZE as u32
        });
        let skip = self.emit(Op::Jump(0), span);
        let entry = self.here();
        let loops = std::mem::take(&mut self.loops);
        let in_flow = std::mem::replace(&mut self.in_flow, false);
        self.staying(|lower| lower.block(body));
        self.in_flow = in_flow;
        self.loops = loops;
        self.emit(Op::Return, span);
        let after = self.here();
        self.program.code[skip as usize] = Op::Jump(after);
        // The frame may still grow while the enclosing body is lowered; what runs inline only needs what exists now.
        self.close(proc, entry);
        EffectNode::Inline { proc, words }
    }

    /// Words of one agenda entry: must, body, given arguments, then arguments of the widest call that can lie there.
    pub(super) fn agenda_width(&self) -> u32 {
        let actions = self.rules.actions.iter().map(|action| {
            let words: usize = action
                .params
                .iter()
                .map(|p| self.shape(&action.code.locals[p.local.index()].ty).words())
                .sum();
            words as u32
        });
        let inline = self.inline_words();
        3 + actions.max().unwrap_or(0).max(inline)
    }

    fn inline_words(&self) -> u32 {
        let mut widest = 0;
        let mut look = |block: &ir::Block, code: &ir::Code| {
            if block_has_inline(block) {
                let words: usize = code.locals.iter().map(|l| self.shape(&l.ty).words()).sum();
                widest = widest.max(words as u32);
            }
        };
        for action in &self.rules.actions {
            look(&action.body, &action.code);
        }
        for effect in &self.rules.effects {
            look(&effect.body, &effect.code);
        }
        for when in &self.rules.whens {
            look(&when.body, &when.code);
        }
        look(&self.rules.flow_body, &self.rules.flow);
        widest
    }

    pub(super) fn rules_and_whens(&mut self) {
        for (at, rule) in self.rules.rules.iter().enumerate() {
            self.open(&rule.code);
            let bindings = self.bindings(&rule.binders);
            let condition = self.expr(&rule.condition);
            let message = rule.message.as_ref().map(|m| self.message(m));
            let kind = ReasonKind::Rule(ir::RuleId(at as u32));
            let reason = self.condition_reason(kind, &rule.condition, rule.span, message);
            if let Some(label) = rule.after {
                self.program.label_rules[label.index()].push(at);
                if !rule.invariant && !self.program.awaited.contains(&label) {
                    self.program.awaited.push(label);
                }
            }
            let frame_words = self.frame_words;
            self.program.rules.push(RuleCode {
                name: rule.name.clone(),
                condition,
                bindings: Bindings {
                    frame_words,
                    ..bindings
                },
                after: rule.after,
                invariant: rule.invariant,
                reason,
                early: false,
            });
        }
        for when in &self.rules.whens {
            self.open(&when.code);
            let bindings = self.bindings(&when.binders);
            let condition = self.expr(&when.condition);
            let proc = self.declare(&when.name, ProcKind::When, when.span);
            let entry = self.here();
            self.staying(|lower| lower.block(&when.body));
            self.emit(Op::WhenEnd, when.span);
            self.close(proc, entry);
            let actor = when
                .binders
                .iter()
                .find(|b| when.code.locals[b.local.index()].ty == Ty::Element(ir::Domain::Player))
                .map(|b| self.local(b.local).0);
            let params = bindings.dims.iter().map(|d| (d.0, 1)).collect();
            self.program.procs[proc.at()].params = params;
            let frame_words = self.frame_words;
            self.program.whens.push(WhenCode {
                proc,
                condition,
                bindings: Bindings {
                    frame_words,
                    ..bindings
                },
                once: when.once,
                on: when.on.iter().map(|c| Slot(c.0)).collect(),
                was: 0,
                pending: 0,
                fired: 0,
                actor,
            });
        }
    }

    /// Every element of each binder's domain is a binding; whether it is in the source and passes `where` is the guard.
    fn bindings(&mut self, binders: &[ir::Binder]) -> Bindings {
        let (mut dims, mut players) = (Vec::new(), Vec::new());
        let mut guard: Option<NodeId> = None;
        for binder in binders {
            let (at, _) = self.local(binder.local);
            let domain = match (&binder.source.kind, binder.source.ty.element()) {
                (ExprKind::All(domain), _) => Some(*domain),
                (_, Some(Ty::Element(domain))) => Some(domain),
                (
                    _,
                    Some(Ty::Int {
                        low: Some(low),
                        high: Some(high),
                    }),
                ) => Some(ir::Domain::Int {
                    low: low as i32,
                    high: high as i32,
                }),
                _ => None,
            };
            let everything = matches!(binder.source.kind, ExprKind::All(_));
            let (low, n) = domain.map_or((0, 0), |d| {
                if everything {
                    self.all_in(d)
                } else {
                    self.domain(d)
                }
            });
            dims.push((at, low, n));
            self.origins[binder.local.index()] = Some(Origin::Among { low, n });
            if domain == Some(ir::Domain::Player) {
                players.push(at);
            }
            let mut conditions = Vec::new();
            if !everything {
                let item = self.node(Node::Local(at), Shape::Scalar, binder.span);
                conditions.push(self.in_source(item, &binder.source, binder.span));
            }
            for condition in &binder.conditions {
                conditions.push(self.expr(&condition.expr));
            }
            for condition in conditions {
                guard = Some(match guard {
                    None => condition,
                    Some(before) => self.scalar(Node::And(before, condition), binder.span),
                });
            }
        }
        let parts = binders.first().and_then(|binder| match binder.source.kind {
            ExprKind::OnBoard(table) => Some(self.parts_index(table)),
            _ => None,
        });
        let all = dims
            .iter()
            .fold(1u64, |all, d| all.saturating_mul(d.2.into()));
        if all > BINDINGS_MAX
            && let Some(binder) = binders.first()
        {
            self.is_too_large(
                binder.span,
                format!(
                    "`for` stands for {all} combinations of elements, and {BINDINGS_MAX} are the most: look at fewer of them, \
                     or count them in one formula"
                ),
            );
        }
        Bindings {
            count: if all > BINDINGS_MAX { 0 } else { all as u32 },
            dims,
            guard,
            parts,
            players,
            ..Bindings::default()
        }
    }
}

fn block_has_inline(block: &ir::Block) -> bool {
    use ir::StatementKind as Kind;
    let inner = |effect: &ir::EffectExpr| effect_has_inline(effect);
    block
        .statements
        .iter()
        .any(|statement| match &statement.kind {
            Kind::AgendaAdd { effect, .. } => inner(effect),
            Kind::AnyOrder { items, .. } => items.iter().any(|(_, e)| inner(e)),
            Kind::Step(_, b) | Kind::May(b) | Kind::As(_, b) | Kind::Walk { body: b, .. } => {
                block_has_inline(b)
            }
            Kind::Each { body, .. } => block_has_inline(body),
            Kind::EachPlayer(each) => block_has_inline(&each.body),
            Kind::Repeat(repeat) => block_has_inline(&repeat.body),
            Kind::If { arms, otherwise } => {
                arms.iter().any(|(_, b)| block_has_inline(b))
                    || otherwise.as_ref().is_some_and(block_has_inline)
            }
            Kind::Match {
                arms, otherwise, ..
            } => {
                arms.iter().any(|(_, b)| block_has_inline(b))
                    || otherwise.as_ref().is_some_and(block_has_inline)
            }
            Kind::OneOf { items, none } => {
                items.iter().any(|i| block_has_inline(&i.body))
                    || none.as_ref().is_some_and(block_has_inline)
            }
            _ => false,
        })
}

fn effect_has_inline(effect: &ir::EffectExpr) -> bool {
    match &effect.kind {
        EffectExprKind::OneOf(_) | EffectExprKind::Block(_) => true,
        EffectExprKind::Times(_, inner) | EffectExprKind::For(_, inner) => effect_has_inline(inner),
        EffectExprKind::Many(parts) => parts.iter().any(effect_has_inline),
        EffectExprKind::If(_, yes, no) => {
            effect_has_inline(yes) || no.as_ref().is_some_and(|n| effect_has_inline(n))
        }
        EffectExprKind::Call(..) | EffectExprKind::Value(_) => false,
    }
}
