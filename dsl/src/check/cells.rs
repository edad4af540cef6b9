//! Cells: their types first, then bounds, start values and feeds.

use super::body::{Body, Mode};
use super::graph::Node;
use super::places::place_of;
use super::types::{TypePlace, domain_of, fits};
use super::{Checker, Progress};
use crate::assembly::{Entry, SetEntry};
use crate::diagnostic::Diagnostic;
use crate::ir::{CellId, CellOwner, Domain, Expr, OptionId, Place, Private, Ty, Value, Visibility};
use crate::source::Span;
use crate::syntax::ast;

/// Constants that stand for one another in a bound.
const QUICK_DEPTH_MAX: u32 = 16;

impl<'a> Checker<'a> {
    /// The cell a declaration made: declared cells come after those of the tiling.
    fn cell_id(&self, at: usize) -> CellId {
        CellId((self.first_cell + at) as u32)
    }

    pub(super) fn cell_signatures(&mut self) {
        let asm = self.asm;
        for (at, entry) in asm.cells.iter().enumerate() {
            self.cell_signature(self.cell_id(at), entry);
        }
    }

    fn cell_signature(&mut self, id: CellId, entry: &'a Entry<ast::CellDecl>) {
        let decl = &entry.item;
        let mut indices = Vec::new();
        for index in &decl.indices {
            match self.index_domain(id, &index.domain) {
                Some(domain) => indices.push(domain),
                None => {
                    self.broken_cells.insert(id);
                }
            }
        }
        let shape = self.cell_shape(id, &decl.ty);
        if shape.is_none() {
            self.broken_cells.insert(id);
        }
        let visibility = self.visibility(decl, shape.as_ref());
        let cell = &mut self.rs.cells[id.index()];
        cell.indices = indices;
        cell.ty = shape.unwrap_or(Ty::Bool);
        cell.visibility = visibility;
    }

    /// The type without bounds that need more than constants: those come with the bodies.
    fn cell_shape(&mut self, id: CellId, ty: &ast::Type) -> Option<Ty> {
        let mut body = Body::new(self, Node::Cell(id), Mode::Start);
        let quick = |body: &mut Body<'_, '_>, bound: &Option<Box<ast::Expr>>, low: bool| {
            bound.as_ref().and_then(|bound| body.quick(bound, low))
        };
        let without_room = match &ty.kind {
            ast::TypeKind::Set(element, _) => Some(ast::TypeKind::Set(element.clone(), None)),
            ast::TypeKind::Bag(element, _) => Some(ast::TypeKind::Bag(element.clone(), None)),
            ast::TypeKind::List(element, _) => Some(ast::TypeKind::List(element.clone(), None)),
            ast::TypeKind::Deck(element, _) => Some(ast::TypeKind::Deck(element.clone(), None)),
            _ => None,
        };
        if let Some(kind) = without_room {
            let plain = ast::Type { kind, ..ty.clone() };
            return body.ty(&plain, TypePlace::Code);
        }
        let shape = match &ty.kind {
            ast::TypeKind::Range(low, high) => Ty::Int {
                low: quick(&mut body, low, true),
                high: quick(&mut body, high, false),
            },
            ast::TypeKind::Row(element, _) => {
                let deck = ast::Type {
                    kind: ast::TypeKind::Deck(element.clone(), None),
                    ..ty.clone()
                };
                let Ty::Deck(domain) = body.ty(&deck, TypePlace::Code)? else {
                    return None;
                };
                return Some(Ty::Row(domain));
            }
            _ => return body.ty(ty, TypePlace::Code),
        };
        Some(if ty.optional { shape.optional() } else { shape })
    }

    fn index_domain(&mut self, id: CellId, domain: &'a ast::Expr) -> Option<Domain> {
        let mut body = Body::new(self, Node::Cell(id), Mode::Start);
        match &domain.kind {
            ast::ExprKind::Name(name) => body.domain(
                &ast::Name {
                    text: name.clone(),
                    span: domain.span,
                },
                TypePlace::Code,
            ),
            ast::ExprKind::Range(Some(low), Some(high)) => {
                let (low, high) = (body.quick(low, true), body.quick(high, false));
                let clip = |n: i64| i32::try_from(n).ok();
                match (low.and_then(clip), high.and_then(clip)) {
                    (Some(low), Some(high)) if low <= high => Some(Domain::Int { low, high }),
                    (Some(_), Some(_)) => {
                        body.error(
                            "out-of-range",
                            domain.span,
                            "the range of this index is empty",
                        );
                        None
                    }
                    _ => {
                        body.error_help(
                            "not-constant",
                            domain.span,
                            "the range of this index is not known when the rules are loaded",
                            "use numbers, options, constants and `players`",
                        );
                        None
                    }
                }
            }
            _ => {
                body.error(
                    "wrong-type",
                    domain.span,
                    "an index is a table, an enum, `player`, … or a range of numbers",
                );
                None
            }
        }
    }

    fn visibility(&mut self, decl: &ast::CellDecl, ty: Option<&Ty>) -> Visibility {
        let mut visibility = Visibility {
            private: decl
                .visibility
                .private
                .map(|_| match decl.visibility.to_others {
                    true => Private::Others,
                    false => Private::Owner,
                }),
            hidden: decl.visibility.hidden.is_some(),
            ..Visibility::default()
        };
        if let Some(span) = decl.visibility.private {
            self.private_owner(decl, span);
        }
        for name in &decl.visibility.showing {
            self.showing(name, ty, &mut visibility);
        }
        visibility
    }

    fn private_owner(&mut self, decl: &ast::CellDecl, span: Span) {
        let owned = decl
            .owner
            .as_ref()
            .is_some_and(|owner| owner.text == "player");
        let indexed = decl.indices.iter().any(
            |index| matches!(&index.domain.kind, ast::ExprKind::Name(name) if name == "player"),
        );
        if !owned && !indexed {
            let help =
                "only cells of a player, or indexed by one, are private; `hidden` hides from all";
            self.report(Diagnostic::error("wrong-type", span, "private to whom?").help(help));
        }
    }

    fn showing(&mut self, name: &ast::Name, ty: Option<&Ty>, visibility: &mut Visibility) {
        if name.text == "top" && matches!(ty, Some(Ty::Deck(_))) {
            visibility.top = true;
            return;
        }
        let element = ty.and_then(Ty::element);
        match element.as_ref().and_then(domain_of) {
            Some(Domain::Table(table)) => match self.column(table, &name.text) {
                Some(column) => {
                    self.note(name.span, super::Symbol::Column(table, column));
                    self.graph.add(
                        Node::Table(table),
                        super::graph::Touched::Column(table, column),
                        name.span,
                        &std::rc::Rc::from([]),
                    );
                    visibility.showing.push(column);
                }
                None => self.no_column(table, name),
            },
            _ if ty.is_some() => self.report(Diagnostic::error(
                "wrong-type",
                name.span,
                "`showing` names a column of the table whose rows lie here",
            )),
            _ => {}
        }
    }

    // -------------------------------------------------------------------------------------------- bodies

    pub(super) fn cell_bodies(&mut self) {
        let asm = self.asm;
        for (at, entry) in asm.cells.iter().enumerate() {
            let id = self.cell_id(at);
            if !self.broken_cells.contains(&id) {
                self.cell_body(id, entry);
            }
        }
    }

    fn cell_body(&mut self, id: CellId, entry: &'a Entry<ast::CellDecl>) {
        let decl = &entry.item;
        let (owner, indices, ty) = {
            let cell = &self.rs.cells[id.index()];
            (cell.owner, cell.indices.clone(), cell.ty.clone())
        };
        let mut body = Body::new(self, Node::Cell(id), Mode::Start);
        match owner {
            CellOwner::Each(domain) => {
                body.own(domain, decl.name.span);
            }
            CellOwner::Action(action) => body.action = Some(action),
            CellOwner::Step(label) => body.labels = std::rc::Rc::from([label]),
            CellOwner::Game => {}
        }
        if matches!(owner, CellOwner::Step(_) | CellOwner::Action(_)) {
            body.understood = super::body::Understood::Me;
        }
        for (index, domain) in decl.indices.iter().zip(&indices) {
            match &index.name {
                Some(name) => body.bind(name, Some(domain.element_ty())),
                None => body.hidden_local("", domain.element_ty(), decl.name.span),
            };
        }
        let written = body.written(&decl.ty, TypePlace::Code);
        let start = decl.start.as_ref().and_then(|start| body.start(start, &ty));
        let refill = decl
            .refill
            .as_ref()
            .and_then(|zone| body.feed(zone, &ty, false));
        let fill = decl
            .fill
            .as_ref()
            .and_then(|zone| body.feed(zone, &ty, true));
        let code = std::mem::take(&mut body.code);
        let cell = &mut self.rs.cells[id.index()];
        if let Some(written) = written {
            (cell.low, cell.high, cell.capacity) = (written.low, written.high, written.capacity);
            if matches!(written.ty.required(), Ty::Int { .. }) {
                cell.ty = written.ty;
            }
        }
        (cell.start, cell.refill, cell.fill, cell.code) = (start, refill, fill, code);
    }

    // -------------------------------------------------------------------------------------------- options

    pub(super) fn option_values(&mut self) {
        for at in 0..self.rs.options.len() {
            let span = self.rs.options[at].span;
            self.option_value(OptionId(at as u32), span);
        }
    }

    /// The value the selection gives an option.
    pub(super) fn option_value(&mut self, id: OptionId, at: Span) -> Option<Value> {
        match self.option_done[id.index()] {
            Progress::Done => return Some(self.rs.options[id.index()].value.clone()),
            Progress::Failed => return None,
            Progress::Running => {
                let name = self.rs.options[id.index()].name.clone();
                self.report(Diagnostic::error(
                    "cycle",
                    at,
                    format!("option `{name}` needs itself"),
                ));
                return None;
            }
            Progress::Todo => {}
        }
        let running = self
            .option_done
            .iter()
            .filter(|done| **done == Progress::Running)
            .count();
        if running >= super::formulas::DEPTH_MAX {
            self.report(Diagnostic::error(
                "too-deep",
                at,
                "too many options need one another",
            ));
            return None;
        }
        self.option_done[id.index()] = Progress::Running;
        let done = self.compute_option(id);
        self.option_done[id.index()] = if done.is_some() {
            Progress::Done
        } else {
            Progress::Failed
        };
        done
    }

    fn compute_option(&mut self, id: OptionId) -> Option<Value> {
        let asm = self.asm;
        let entry = &asm.options.get(id.index())?.item;
        let mut body = Body::new(self, Node::Option(id), Mode::Pure);
        let ty = body.ty(&entry.decl.ty, TypePlace::Column)?;
        self.rs.options[id.index()].ty = ty.clone();
        let at = super::tables::At {
            node: Node::Option(id),
            row: None,
        };
        let default = self.expr_value(&entry.decl.value, &ty, at)?;
        self.rs.options[id.index()].default = default.clone();
        let mut value = default;
        let mut given_by: Vec<(&SetEntry, Value)> = Vec::new();
        for set in &entry.sets {
            // A change may pass through values outside of the range; the result may not.
            let operand = if set.op == ast::AssignOp::Set {
                ty.clone()
            } else {
                widened(&ty)
            };
            let given = self.set_value(set, &operand, at)?;
            if set.op == ast::AssignOp::Set {
                self.sets_clash(&entry.decl.name.text, &given_by, (set, &given));
                given_by.push((set, given.clone()));
            }
            let before = value.clone();
            value = match (set.op, value, given) {
                (ast::AssignOp::Set, _, given) => given,
                (ast::AssignOp::Add, Value::Int(a), Value::Int(b)) => {
                    let sum = i64::from(a) + i64::from(b);
                    Value::Int(self.number_of_language(sum, set.span)?)
                }
                (ast::AssignOp::Subtract, Value::Int(a), Value::Int(b)) => {
                    let left = i64::from(a) - i64::from(b);
                    Value::Int(self.number_of_language(left, set.span)?)
                }
                _ => {
                    self.report(Diagnostic::error(
                        "wrong-type",
                        set.span,
                        "only numbers are raised and lowered",
                    ));
                    return None;
                }
            };
            if value == before {
                self.idle_set(&entry.decl.name.text, &entry.sets, set);
            }
        }
        if let Some(last) = entry.sets.last() {
            value = self.in_range(value, &ty, last.span)?;
        }
        self.rs.options[id.index()].value = value.clone();
        Some(value)
    }

    /// The box for one kind of thing; what nobody sees going there lies apart, and nobody sees it there.
    pub(super) fn box_of(&mut self, held: &Ty, unseen: bool) -> CellId {
        let ty = match domain_of(held) {
            Some(Domain::Int { .. }) | None => Ty::Int {
                low: Some(0),
                high: None,
            },
            Some(domain) => Ty::Bag(domain),
        };
        let of = (ty.clone(), unseen);
        if let Some((_, id)) = self.boxes.iter().find(|(known, _)| *known == of) {
            return *id;
        }
        let id = self.new_cell(
            "box",
            Span::new(crate::source::FileId(0), 0, 0),
            CellOwner::Game,
            ty,
        );
        self.rs.cells[id.index()].visibility.hidden = unseen;
        self.boxes.push((of, id));
        id
    }

    pub(super) fn cells_named(&self, owner: Option<&str>, name: &str) -> Vec<CellId> {
        let fits = |cell: &crate::ir::Cell| {
            cell.name == name && owner.is_none_or(|owner| self.owner_name(cell.owner) == owner)
        };
        (0..self.rs.cells.len() as u32)
            .map(CellId)
            .filter(|id| fits(&self.rs.cells[id.index()]))
            .collect()
    }

    pub(super) fn owner_name(&self, owner: CellOwner) -> String {
        match owner {
            CellOwner::Game => String::new(),
            CellOwner::Each(Domain::Part(id)) => self.rs.tables[id.index()].name.clone(),
            CellOwner::Each(domain) => self.show_domain(domain),
            CellOwner::Step(label) => self.rs.labels[label.index()].name.clone(),
            CellOwner::Action(action) => self.rs.actions[action.index()].name.clone(),
        }
    }
}

fn widened(ty: &Ty) -> Ty {
    if matches!(ty, Ty::Int { .. }) {
        Ty::INT
    } else {
        ty.clone()
    }
}

impl Body<'_, '_> {
    /// A bound from numbers, options, `players` and constants, without reading cells or formulas that do; the least or the greatest
    /// that any number of players makes of it.
    pub fn quick(&mut self, bound: &ast::Expr, low: bool) -> Option<i64> {
        let (least, most) = self.quick_span(bound, QUICK_DEPTH_MAX)?;
        Some(if low { least } else { most })
    }

    /// Both ends of it; formulas that call one another lead so deep at most.
    fn quick_span(&mut self, bound: &ast::Expr, deep: u32) -> Option<(i64, i64)> {
        match &bound.kind {
            ast::ExprKind::Number(n) => Some((*n, *n)),
            ast::ExprKind::Name(name) if name == "players" => {
                let (least, most) = self.k.rs.players;
                Some((least.into(), most.into()))
            }
            ast::ExprKind::Name(name) => match self.k.names.global(name, bound.span)? {
                super::names::Global::Option(id) => {
                    self.touch(super::graph::Touched::Option(id), bound.span);
                    match self.k.option_value(id, bound.span)? {
                        Value::Int(n) => Some((n.into(), n.into())),
                        _ => None,
                    }
                }
                super::names::Global::Formula(_) => self.quick_constant(name, deep.checked_sub(1)?),
                _ => None,
            },
            ast::ExprKind::Unary(ast::UnaryOp::Negate, inner) => {
                let (least, most) = self.quick_span(inner, deep)?;
                Some((most.checked_neg()?, least.checked_neg()?))
            }
            ast::ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.quick_span(a, deep)?, self.quick_span(b, deep)?);
                let of = match op {
                    ast::BinaryOp::Add => i64::checked_add,
                    ast::BinaryOp::Subtract => i64::checked_sub,
                    ast::BinaryOp::Multiply => i64::checked_mul,
                    _ => return None,
                };
                let ends = [of(a.0, b.0)?, of(a.0, b.1)?, of(a.1, b.0)?, of(a.1, b.1)?];
                Some((*ends.iter().min()?, *ends.iter().max()?))
            }
            _ => None,
        }
    }

    /// A constant declared as one: a formula whose text reads only numbers.
    fn quick_constant(&mut self, name: &str, deep: u32) -> Option<(i64, i64)> {
        let decl = self
            .k
            .asm
            .formulas
            .iter()
            .find(|entry| entry.item.owner.is_none() && entry.item.name.text == *name)?;
        let simple = decl.item.params.is_empty() && decl.replaced.is_empty();
        let body = decl.item.body.clone();
        if simple {
            self.quick_span(&body, deep)
        } else {
            None
        }
    }

    /// A start value of the cell's type; decks and bags take a table's pieces.
    fn start(&mut self, start: &ast::Expr, ty: &Ty) -> Option<Expr> {
        let found = self.expr(start, Some(ty))?;
        if let (Some(held), Some(wanted)) = (found.ty.element(), ty.element())
            && matches!(ty, Ty::Deck(_) | Ty::Row(_) | Ty::Bag(_) | Ty::List(_))
            && !matches!(found.ty, Ty::Optional(_))
            && fits(&held, &wanted)
        {
            return Some(found);
        }
        self.fit(found, ty)
    }

    /// `refill from Z`, `fill from Z`.
    fn feed(&mut self, zone: &ast::Expr, ty: &Ty, fill: bool) -> Option<Place> {
        let found = self.raw(zone, None)?;
        let right_target = matches!((ty, fill), (Ty::Deck(_), false) | (Ty::Row(_), true));
        if !right_target {
            let message = if fill {
                "only a row is filled"
            } else {
                "only a deck is refilled"
            };
            self.error("wrong-type", zone.span, message);
            return None;
        }
        let place = place_of(&found);
        match (place, found.ty.element(), ty.element()) {
            (Some(place), Some(held), Some(wanted)) if held == wanted => Some(place),
            _ => {
                let message = format!(
                    "wanted a cell that holds what this {} holds",
                    self.k.show(ty)
                );
                self.error("wrong-type", zone.span, message);
                None
            }
        }
    }
}
