//! Indices and calls: cells, tables, grids, lists; formulas, actions, methods.

use super::access::Head;
use super::body::Body;
use super::graph::{Node, Touched};
use super::types::{domain_of, interval, show};
use crate::diagnostic::Diagnostic;
use crate::ir::{
    ActionId, CellId, Domain, Expr, ExprKind, FormulaId, GridId, ParamKind, TableId, Ty, Value,
};
use crate::source::Span;
use crate::syntax::ast;

/// A parameter as far as a call needs to know it.
struct Slot {
    name: String,
    ty: Option<Ty>,
    /// May be left out.
    open: bool,
}

impl Body<'_, '_> {
    // -------------------------------------------------------------------------------------------- indices

    pub fn index(&mut self, base: &ast::Expr, keys: &[ast::Expr], span: Span) -> Option<Expr> {
        match self.head(base, None)? {
            Head::Cell(cell, owner) if self.takes_indices(cell) => {
                self.cell_value(cell, owner, keys, span)
            }
            Head::Table(table) => self.lookup(table, keys, span),
            Head::Grid(grid) => self.grid(grid, keys, span),
            Head::Domain(Domain::Player) => self.player_at(keys, span),
            Head::Domain(Domain::Cell) if keys.len() == 2 => {
                self.position_at(&keys[0], &keys[1], span)
            }
            head => {
                let value = self.head_value(head, None, base.span)?;
                let value = self.require(value)?;
                self.at(value, keys, span)
            }
        }
    }

    fn takes_indices(&self, cell: CellId) -> bool {
        !self.k.rs.cells[cell.index()].indices.is_empty()
    }

    /// A cell with its owner and indices.
    pub fn cell_value(
        &mut self,
        cell: CellId,
        owner: Vec<Expr>,
        keys: &[ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        let declared = &self.k.rs.cells[cell.index()];
        let (indices, ty, name) = (
            declared.indices.clone(),
            declared.ty.clone(),
            declared.name.clone(),
        );
        if self.k.broken_cells.contains(&cell) {
            return None;
        }
        if keys.len() != indices.len() {
            self.wrong_count(&name, indices.len(), keys.len(), span);
            return None;
        }
        let keys = self.keys(keys, &indices)?;
        let all = owner.into_iter().chain(keys).collect();
        Some(Expr {
            kind: ExprKind::Cell(cell, all),
            ty,
            span,
        })
    }

    fn wrong_count(&mut self, name: &str, wanted: usize, found: usize, span: Span) {
        let text = match wanted {
            0 => format!("`{name}` takes no index"),
            1 => format!("`{name}` takes one index, found {found}"),
            n => format!("`{name}` takes {n} indices, found {found}"),
        };
        self.error("wrong-arguments", span, text);
    }

    fn keys(&mut self, keys: &[ast::Expr], domains: &[Domain]) -> Option<Vec<Expr>> {
        let all: Vec<Option<Expr>> = keys
            .iter()
            .zip(domains)
            .map(|(key, domain)| self.key(key, *domain))
            .collect();
        all.into_iter().collect()
    }

    fn key(&mut self, key: &ast::Expr, domain: Domain) -> Option<Expr> {
        let found = self.value(key, &domain.element_ty())?;
        self.require(found)
    }

    /// `table[key, …]`: the row or none; a constant key names its row.
    fn lookup(&mut self, table: TableId, keys: &[ast::Expr], span: Span) -> Option<Expr> {
        if let Some(row) = self.named_row_at(table, keys, span) {
            return row;
        }
        let declared = &self.k.rs.tables[table.index()];
        let name = declared.name.clone();
        let types: Vec<Ty> = declared
            .key
            .iter()
            .map(|column| declared.columns[column.index()].ty.required().clone())
            .collect();
        if types.is_empty() || keys.len() != types.len() {
            self.wrong_count(&name, types.len(), keys.len(), span);
            return None;
        }
        let found: Vec<Option<Expr>> = keys
            .iter()
            .zip(&types)
            .map(|(key, ty)| self.value(key, ty).and_then(|key| self.require(key)))
            .collect();
        let keys: Vec<Expr> = found.into_iter().collect::<Option<_>>()?;
        for column in self.k.rs.tables[table.index()].key.clone() {
            self.touch(Touched::Column(table, column), span);
        }
        let row = Ty::Element(Domain::Table(table));
        if let Some(values) = self.constants(&keys) {
            return match self.k.row_with(table, &values) {
                Some(row) => Some(super::types::constant(
                    Value::Element(Domain::Table(table), row),
                    span,
                )),
                None => {
                    let text = self.k.slice(span).to_owned();
                    self.error("unknown-row", span, format!("there is no row `{text}`"));
                    None
                }
            };
        }
        let ty = if self.k.covers(table, &keys) {
            row
        } else {
            row.optional()
        };
        Some(Expr {
            kind: ExprKind::Lookup(table, keys),
            ty,
            span,
        })
    }

    /// `card["+4"]`, `card[passenger]`, `gate[t1, 3]` with words that are no other names.
    #[allow(clippy::option_option)]
    fn named_row_at(
        &mut self,
        table: TableId,
        keys: &[ast::Expr],
        span: Span,
    ) -> Option<Option<Expr>> {
        let plain = |key: &ast::Expr| match &key.kind {
            ast::ExprKind::Number(_) | ast::ExprKind::Text(_) => true,
            ast::ExprKind::Name(name) => self.var(name, key.span).is_none() && self.needs_hint(key),
            _ => false,
        };
        if !keys.iter().all(plain) {
            return None;
        }
        let name = super::keys::key_text(keys);
        let domain = Domain::Table(table);
        match self.k.names.word_in(domain, &name, span) {
            Some(row) => Some(Some(super::types::constant(
                Value::Element(domain, row),
                span,
            ))),
            None => {
                self.k.no_row(table, &name, span);
                Some(None)
            }
        }
    }

    fn constants(&mut self, exprs: &[Expr]) -> Option<Vec<Value>> {
        let constant = |expr: &Expr| match &expr.kind {
            ExprKind::Const(value) => Some(value.clone()),
            _ => None,
        };
        exprs.iter().map(constant).collect()
    }

    pub fn grid(&mut self, grid: GridId, keys: &[ast::Expr], span: Span) -> Option<Expr> {
        let declared = &self.k.rs.grids[grid.index()];
        let (name, indices, ty) = (
            declared.name.clone(),
            declared.indices.clone(),
            declared.ty.clone(),
        );
        if indices.is_empty() {
            return None;
        }
        if keys.len() != indices.len() {
            self.wrong_count(&name, indices.len(), keys.len(), span);
            return None;
        }
        let keys: Vec<Option<Expr>> = keys
            .iter()
            .zip(&indices)
            .map(|(key, domain)| self.grid_key(key, *domain))
            .collect();
        let keys: Vec<Expr> = keys.into_iter().collect::<Option<_>>()?;
        Some(Expr {
            kind: ExprKind::Grid(grid, keys),
            ty,
            span,
        })
    }

    fn grid_key(&mut self, key: &ast::Expr, domain: Domain) -> Option<Expr> {
        self.key(key, domain)
    }

    fn player_at(&mut self, keys: &[ast::Expr], span: Span) -> Option<Expr> {
        let [key] = keys else {
            self.wrong_count("player", 1, keys.len(), span);
            return None;
        };
        let most = self.k.rs.players.1;
        let seat = self.value(
            key,
            &Ty::Int {
                low: Some(1),
                high: Some(most.into()),
            },
        )?;
        let ty = Ty::Element(Domain::Player);
        if let ExprKind::Const(Value::Int(n)) = seat.kind {
            return Some(Expr {
                kind: ExprKind::Const(Value::Element(Domain::Player, n.max(1) as u32 - 1)),
                ty,
                span,
            });
        }
        let all = super::access::all_of(Domain::Player, span);
        Some(Expr {
            kind: ExprKind::At(Box::new(all), Box::new(seat)),
            ty,
            span,
        })
    }

    /// `list[i]`, `row[i]`.
    fn at(&mut self, value: Expr, keys: &[ast::Expr], span: Span) -> Option<Expr> {
        let ty = match &value.ty {
            Ty::List(element) => (**element).clone(),
            Ty::Row(domain) => domain.element_ty().optional(),
            ty => {
                let message = format!("{} has no index", show(&self.k.rs, ty));
                let help = if ty.is_container() {
                    "how many of a kind: `.count(x)`"
                } else {
                    "cells, tables, lists and rows have"
                };
                self.error_help("wrong-type", span, message, help);
                return None;
            }
        };
        let [key] = keys else {
            self.wrong_count("a list", 1, keys.len(), span);
            return None;
        };
        let index = self.number(key)?;
        self.in_list(&value, &index)?;
        Some(Expr {
            kind: ExprKind::At(Box::new(value), Box::new(index)),
            ty,
            span,
        })
    }

    fn in_list(&mut self, list: &Expr, index: &Expr) -> Option<()> {
        let (low, high) = interval(&index.ty);
        let size = match self.k.constant(list) {
            Some(Value::List(all)) => i64::try_from(all.len()).ok(),
            _ => None,
        };
        let above = low.zip(size).is_some_and(|(low, size)| low > size);
        if above || high.is_some_and(|high| high < 1) {
            let message = size.map_or("the first is 1".to_owned(), |size| {
                format!("the first is 1, the last {size}")
            });
            self.error("index-out-of-range", index.span, message);
            return None;
        }
        Some(())
    }

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
        match self.head(callee, None)? {
            Head::Formula(id, receiver) => self.call_with(id, receiver, args, span),
            Head::NetworkMember(id, receiver, joins) => {
                self.network_call(id, receiver, joins, args, span)
            }
            Head::Method(base, "count") => self.count_of(*base, args, span),
            Head::Method(base, _) => self.next_of(*base, args, span),
            Head::Action(id) => {
                let name = self.k.rs.actions[id.index()].name.clone();
                self.error_help(
                    "wrong-type",
                    span,
                    format!("`{name}` is an action, not a value"),
                    "actions are called in statements",
                );
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
    fn call_with(
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
    fn call_value(&mut self, value: Expr, args: &[ast::Arg], span: Span) -> Option<Expr> {
        let Ty::Formula { of, result } = value.ty.clone() else {
            let message = format!("{} cannot be called", self.k.show(&value.ty));
            self.error("wrong-type", value.span, message);
            return None;
        };
        let slot = Slot {
            name: self.k.show_domain(of),
            ty: Some(of.element_ty()),
            open: false,
        };
        let mut args = self.args("the formula", vec![slot], args, span)?;
        let arg = args.pop()??;
        Some(Expr {
            kind: ExprKind::CallValue(Box::new(value), Box::new(arg)),
            ty: *result,
            span,
        })
    }

    fn count_of(&mut self, base: Expr, args: &[ast::Arg], span: Span) -> Option<Expr> {
        let slot = Slot {
            name: "x".to_owned(),
            ty: base.ty.element(),
            open: false,
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

    fn next_of(&mut self, base: Expr, args: &[ast::Arg], span: Span) -> Option<Expr> {
        let slot = Slot {
            name: "side".to_owned(),
            ty: Some(Ty::Element(Domain::Side)),
            open: false,
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
                    .map(|ty| format!("it is {}", self.k.show(ty)));
                let mut diagnostic = Diagnostic::error("missing-argument", span, message);
                diagnostic.help = help;
                self.k.report(diagnostic);
                failed = true;
            }
        }
        (!failed).then_some(found)
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
                        diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
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

    fn named_action(&self, callee: &ast::Expr) -> Option<ActionId> {
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
    /// The row whose key has these values.
    pub(crate) fn row_with(&self, table: TableId, keys: &[Value]) -> Option<u32> {
        let declared = &self.rs.tables[table.index()];
        let fits = |row: &crate::ir::Row| {
            declared
                .key
                .iter()
                .zip(keys)
                .all(|(column, key)| row.values.get(column.index()) == Some(key))
        };
        declared.rows.iter().position(fits).map(|at| at as u32)
    }

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
            .all(|keys| self.row_with(table, keys).is_some())
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
