//! Indices and calls: cells, tables, grids, lists; formulas, actions, methods.

use super::access::Head;
use super::body::Body;
use super::graph::{Node, Touched};
use super::symbols::Symbol;
use super::types::domain_of;
use crate::diagnostic::Diagnostic;
use crate::ir::{ActionId, Domain, Expr, ExprKind, FormulaId, ParamKind, TableId, Ty, Value};
use crate::source::Span;
use crate::syntax::ast;

/// A parameter as far as a call needs to know it.
struct Slot {
    name: String,
    ty: Option<Ty>,
    /// May be left out.
    open: bool,
    /// Where it is declared, unless the language has it.
    span: Option<Span>,
}

impl Body<'_, '_> {
    // -------------------------------------------------------------------------------------------- calls

    pub fn call(
        &mut self,
        callee: &ast::Expr,
        args: &[ast::Arg],
        want: Option<&Ty>,
        span: Span,
    ) -> Option<Expr> {
        if let ast::ExprKind::Name(name) = &callee.kind
            && let Some(result) = self.builtin(name, callee.span, args, want, span)
        {
            return result;
        }
        if let Some((step, at)) = self.repeats_of(callee) {
            let parts: Vec<&ast::Expr> = args.iter().map(|arg| &arg.value).collect();
            return self.repeats(Some(step), &parts, at, span);
        }
        if self.unknown_callee(callee, want) {
            return None;
        }
        match self.head(callee, None)? {
            Head::Formula(id, receiver) => self.call_with(id, receiver, args, span),
            Head::NetworkMember(id, receiver, joins) => {
                self.network_call(id, receiver, joins, args, span)
            }
            Head::Method(base, "count") => self.count_of(*base, args, span),
            Head::Method(base, "turned") => self.turned_of(*base, args, span),
            Head::Method(base, "border") => self.rim_of(*base, "border", args, span),
            Head::Method(base, "corner") => self.rim_of(*base, "corner", args, span),
            Head::Method(base, _) => self.next_of(*base, args, span),
            Head::Action(id) => {
                self.action_is_no_value(id, want, span);
                None
            }
            head => {
                let value = self.head_value(head, None, callee.span)?;
                let value = self.require(value)?;
                self.call_value(value, args, span)
            }
        }
    }

    /// `f(args)` with the receiver in front.
    pub(super) fn call_with(
        &mut self,
        id: FormulaId,
        receiver: Vec<Expr>,
        args: &[ast::Arg],
        span: Span,
    ) -> Option<Expr> {
        self.k.formula_type(id);
        let formula = &self.k.rs.formulas[id.index()];
        let skip = usize::from(formula.owner.is_some());
        let slots: Vec<Slot> = formula
            .params
            .iter()
            .skip(skip)
            .map(|local| {
                let local = &formula.code.locals[local.index()];
                Slot {
                    name: local.name.clone(),
                    ty: Some(local.ty.clone()),
                    open: false,
                    span: Some(local.span),
                }
            })
            .collect();
        let name = formula.name.clone();
        let args = self.args(&name, slots, args, span)?;
        let args: Vec<Expr> = args.into_iter().collect::<Option<_>>()?;
        self.call_formula(id, receiver.into_iter().chain(args).collect(), span)
    }

    /// A formula with all its arguments, receiver first.
    pub fn call_formula(&mut self, id: FormulaId, args: Vec<Expr>, span: Span) -> Option<Expr> {
        self.touch(Touched::Node(Node::Formula(id)), span);
        let ty = self.k.formula_type_at(id, span)?;
        let formula = &self.k.rs.formulas[id.index()];
        if formula.params.len() != args.len() {
            let (name, wanted) = (
                formula.name.clone(),
                formula.params.len() - usize::from(formula.owner.is_some()),
            );
            let message = format!(
                "`{name}` wants {wanted} argument{}",
                if wanted == 1 { "" } else { "s" }
            );
            self.error("wrong-arguments", span, message);
            return None;
        }
        Some(Expr {
            kind: ExprKind::Call(id, args),
            ty,
            span,
        })
    }

    /// A formula that stands in a table.
    pub(super) fn call_value(
        &mut self,
        value: Expr,
        args: &[ast::Arg],
        span: Span,
    ) -> Option<Expr> {
        let Ty::Formula { of, result } = value.ty.clone() else {
            let message = format!("{} cannot be called", self.k.in_words(&value.ty));
            self.error("wrong-type", value.span, message);
            return None;
        };
        let slot = Slot {
            name: self.k.show_domain(of),
            ty: Some(of.element_ty()),
            open: false,
            span: None,
        };
        let mut args = self.args("the formula", vec![slot], args, span)?;
        let arg = args.pop()??;
        Some(Expr {
            kind: ExprKind::CallValue(Box::new(value), Box::new(arg)),
            ty: *result,
            span,
        })
    }

    pub(super) fn count_of(&mut self, base: Expr, args: &[ast::Arg], span: Span) -> Option<Expr> {
        let slot = Slot {
            name: "x".to_owned(),
            ty: base.ty.element(),
            open: false,
            span: None,
        };
        let mut args = self.args("count", vec![slot], args, span)?;
        let arg = args.pop()??;
        let ty = Ty::Int {
            low: Some(0),
            high: None,
        };
        Some(Expr {
            kind: ExprKind::CountOf(Box::new(base), Box::new(arg)),
            ty,
            span,
        })
    }

    pub(super) fn next_of(&mut self, base: Expr, args: &[ast::Arg], span: Span) -> Option<Expr> {
        let slot = Slot {
            name: "side".to_owned(),
            ty: Some(Ty::Element(Domain::Side)),
            open: false,
            span: None,
        };
        let mut args = self.args("next", vec![slot], args, span)?;
        let arg = args.pop()??;
        let ty = Ty::Element(self.k.positions()).optional();
        Some(Expr {
            kind: ExprKind::Next(Box::new(base), Box::new(arg)),
            ty,
            span,
        })
    }

    fn rim_of(&mut self, base: Expr, word: &str, args: &[ast::Arg], span: Span) -> Option<Expr> {
        let slot = Slot {
            name: "side".to_owned(),
            ty: Some(Ty::Element(Domain::Side)),
            open: false,
            span: None,
        };
        let mut args = self.args(word, vec![slot], args, span)?;
        let direction = args.pop()??;
        self.rim_at(base, word == "corner", direction, span)
    }

    fn turned_of(&mut self, base: Expr, args: &[ast::Arg], span: Span) -> Option<Expr> {
        let slot = Slot {
            name: "turns".to_owned(),
            ty: Some(Ty::INT),
            open: false,
            span: None,
        };
        let mut args = self.args("turned", vec![slot], args, span)?;
        let arg = args.pop()??;
        let ty = base.ty.clone();
        if self
            .k
            .rs
            .tiling
            .as_ref()
            .is_some_and(|tiling| tiling.turns == 1 && tiling.tile.is_some())
        {
            let found = Diagnostic::warning(
                "no-turns",
                span,
                "tiles are not turned on this board: `turned` changes nothing",
            );
            self.k.report(found.help("say in how many ways things lie on it, behind the board: `turns 6`, of squares `turns 4`"));
        }
        Some(Expr {
            kind: ExprKind::Turned(Box::new(base), Box::new(arg)),
            ty,
            span,
        })
    }

    // -------------------------------------------------------------------------------------------- arguments

    /// Positional arguments, then named ones; `None` in the result: left open.
    fn args(
        &mut self,
        name: &str,
        slots: Vec<Slot>,
        args: &[ast::Arg],
        span: Span,
    ) -> Option<Vec<Option<Expr>>> {
        let mut found: Vec<Option<Expr>> = vec![None; slots.len()];
        let mut given = vec![false; slots.len()];
        let mut failed = false;
        for (at, arg) in args.iter().enumerate() {
            let Some(slot) = self.slot(name, &slots, arg, at) else {
                failed = true;
                continue;
            };
            if given[slot] {
                self.error(
                    "wrong-arguments",
                    arg.value.span,
                    format!("`{}` is given twice", slots[slot].name),
                );
                failed = true;
                continue;
            }
            given[slot] = true;
            if self.named_by_equals(name, &slots, arg) {
                failed = true;
                continue;
            }
            found[slot] = match &slots[slot].ty {
                Some(ty) => self.value(&arg.value, ty),
                None => None,
            };
            failed |= found[slot].is_none();
        }
        for (slot, given) in slots.iter().zip(&given) {
            if !given && !slot.open && !failed {
                let message = format!("`{name}` wants `{}`", slot.name);
                let help = slot
                    .ty
                    .as_ref()
                    .map(|ty| format!("it is {}", self.k.in_words(ty)));
                let mut diagnostic = Diagnostic::error("missing-argument", span, message);
                diagnostic.help = help;
                self.k.report(diagnostic);
                failed = true;
            }
        }
        (!failed).then_some(found)
    }

    /// `block(roles = {duke})`
    fn named_by_equals(&mut self, name: &str, slots: &[Slot], arg: &ast::Arg) -> bool {
        let ast::ExprKind::Binary(ast::BinaryOp::Equal, left, right) = &arg.value.kind else {
            return false;
        };
        let ast::ExprKind::Name(word) = &left.kind else {
            return false;
        };
        let is_slot = arg.name.is_none() && slots.iter().any(|slot| slot.name == *word);
        if !is_slot || self.means_something(word, left.span) {
            return false;
        }
        let value = self.k.slice(right.span);
        let line = format!("{word}: {value}");
        let help =
            format!("write `{line}`, or give what `{name}` takes in its order, without names");
        let message = "a parameter's name is followed by `:`, not by `=`";
        let diagnostic = Diagnostic::error("wrong-arguments", arg.value.span, message).help(help);
        let title = format!("write `{line}`");
        self.k.report(diagnostic.fix(title, arg.value.span, line));
        true
    }

    fn slot(&mut self, name: &str, slots: &[Slot], arg: &ast::Arg, at: usize) -> Option<usize> {
        match &arg.name {
            None if at < slots.len() => Some(at),
            None => {
                let message = match slots.len() {
                    0 => format!("`{name}` takes no arguments"),
                    1 => format!("`{name}` takes one argument"),
                    n => format!("`{name}` takes {n} arguments"),
                };
                self.error("wrong-arguments", arg.value.span, message);
                None
            }
            Some(word) => {
                let slot = slots.iter().position(|slot| slot.name == word.text);
                if let Some(declared) = slot.and_then(|at| slots[at].span) {
                    self.k.note(word.span, Symbol::Local(declared));
                }
                if slot.is_none() {
                    let near = crate::diagnostic::suggest::nearest(
                        &word.text,
                        slots.iter().map(|slot| slot.name.as_str()),
                    );
                    let mut diagnostic = Diagnostic::error(
                        "wrong-arguments",
                        word.span,
                        format!("`{name}` has no parameter `{}`", word.text),
                    );
                    if let Some(near) = near {
                        diagnostic = diagnostic.meant(word.span, near);
                    }
                    self.k.report(diagnostic);
                }
                slot
            }
        }
    }

    // -------------------------------------------------------------------------------------------- actions

    /// An action by its name or call. `None`: wrong; `Some(None)`: not an action.
    #[allow(clippy::option_option, clippy::type_complexity)]
    pub fn action_call(
        &mut self,
        expr: &ast::Expr,
    ) -> Option<Option<(ActionId, Vec<Option<Expr>>)>> {
        let (callee, args) = match &expr.kind {
            ast::ExprKind::Call(callee, args) => (&**callee, args.as_slice()),
            _ => (expr, &[][..]),
        };
        let Some(id) = self.named_action(callee) else {
            return Some(None);
        };
        self.touch(Touched::Node(Node::Action(id)), expr.span);
        self.k.note(callee.span, Symbol::Action(id));
        self.k.action_params(id);
        if self.k.broken_actions.contains(&id) {
            return None;
        }
        let action = &self.k.rs.actions[id.index()];
        let slots: Vec<Slot> = action
            .params
            .iter()
            .map(|param| {
                let local = &action.code.locals[param.local.index()];
                let open = !matches!(param.kind, ParamKind::Given(None));
                Slot {
                    name: local.name.clone(),
                    ty: Some(local.ty.clone()),
                    open,
                    span: Some(local.span),
                }
            })
            .collect();
        let asks = action
            .params
            .iter()
            .zip(0..)
            .any(|(param, at)| matches!(param.kind, ParamKind::Asked(_)) && at >= args.len());
        self.asks += u32::from(asks || self.k.may_ask(id));
        let name = action.name.clone();
        let args = self.args(&name, slots, args, expr.span)?;
        Some(Some((id, args)))
    }

    pub(super) fn named_action(&self, callee: &ast::Expr) -> Option<ActionId> {
        let ast::ExprKind::Name(name) = &callee.kind else {
            return None;
        };
        if self.var(name, callee.span).is_some() {
            return None;
        }
        if !matches!(self.understood, super::body::Understood::Nobody)
            && self
                .k
                .names
                .member(Domain::Player, name, callee.span)
                .is_some()
        {
            return None;
        }
        if !self.k.names.step_cells(name, callee.span).is_empty() {
            return None;
        }
        match self.k.names.global(name, callee.span) {
            Some(super::names::Global::Action(id)) => Some(id),
            _ => None,
        }
    }
}

impl super::Checker<'_> {
    /// Whether there is a row for every key these expressions can have.
    pub(crate) fn covers(&self, table: TableId, keys: &[Expr]) -> bool {
        const MOST: u64 = 10_000;
        let mut combinations: Vec<Vec<Value>> = vec![Vec::new()];
        for key in keys {
            let Some(values) = domain_of(&key.ty).and_then(|domain| self.elements_of(domain))
            else {
                return false;
            };
            if combinations.len() as u64 * values.len() as u64 > MOST {
                return false;
            }
            combinations = combinations
                .iter()
                .flat_map(|start| {
                    values
                        .iter()
                        .map(|value| start.iter().cloned().chain([value.clone()]).collect())
                })
                .collect();
        }
        combinations
            .iter()
            .all(|keys| self.rs.tables[table.index()].row_with(keys).is_some())
    }

    /// All elements of a domain, if they are few and known.
    pub(crate) fn elements_of(&self, domain: Domain) -> Option<Vec<Value>> {
        let count = match domain {
            Domain::Table(id) => self.rs.tables[id.index()].rows.len() as u32,
            Domain::Enum(id) => self.rs.enums[id.index()].members.len() as u32,
            Domain::Player => self.rs.players.1,
            Domain::Int { low, high } if i64::from(high) - i64::from(low) < 1000 => {
                return Some((low..=high).map(Value::Int).collect());
            }
            Domain::Action => self.rs.actions.len() as u32,
            _ => return None,
        };
        Some((0..count).map(|n| Value::Element(domain, n)).collect())
    }
}
