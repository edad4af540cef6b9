//! Expressions to nodes.

use super::Lower;
use crate::facts::Origin;
use crate::program::*;
use dsl::ir::{self, AggregateOp, BinaryOp, Domain, ExprKind, Ty, UnaryOp, Value, WalkWord};
use dsl::source::Span;

impl Lower<'_> {
    pub(super) fn shape_of(&self, node: NodeId) -> Shape {
        self.program.shapes[node.at()]
    }

    pub(super) fn exprs(&mut self, exprs: &[ir::Expr]) -> List {
        let nodes: Vec<NodeId> = exprs.iter().map(|e| self.expr(e)).collect();
        self.list(&nodes)
    }

    pub(super) fn expr(&mut self, expr: &ir::Expr) -> NodeId {
        let node = self.expr_node(expr);
        if let Ty::Element(domain) = expr.ty.required() {
            let elements = self.domain(*domain);
            self.hints.elements.insert(node, elements);
        }
        node
    }

    fn expr_node(&mut self, expr: &ir::Expr) -> NodeId {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Const(value) => self.constant_node(value, &expr.ty, span),
            ExprKind::Local(id) => {
                let (at, shape) = self.local(*id);
                let node = self.node(Node::Local(at), shape, span);
                if let Some(mut origin) = self.origins[id.index()] {
                    let narrowed = self.optional[id.index()] && !matches!(expr.ty, Ty::Optional(_));
                    if let Origin::Value(value) = origin
                        && narrowed
                    {
                        origin = Origin::Something(value);
                    }
                    self.hints.origins.insert(node, origin);
                }
                node
            }
            ExprKind::Me => self.scalar(Node::Me, span),
            ExprKind::Players => self.scalar(Node::Const(self.players as i32), span),
            ExprKind::Starter => self.scalar(Node::Starter, span),
            ExprKind::Column(row, table, column) => {
                self.column(row, *table, *column, &expr.ty, span)
            }
            ExprKind::ColumnAt(position, table, column) => {
                self.column_at(position, *table, *column, &expr.ty, span)
            }
            ExprKind::Lookup(table, keys) => {
                let dense = self.lookup(*table);
                let args = self.exprs(keys);
                self.scalar(Node::Dense(dense, args), span)
            }
            ExprKind::Grid(grid, args) => self.grid(*grid, args, span),
            ExprKind::Cell(cell, args) => self.cell_read(*cell, args, span),
            ExprKind::Call(formula, args) => self.formula_call(*formula, args, span),
            ExprKind::CallValue(formula, receiver) => {
                let shape = self.shape(&expr.ty);
                let formula = self.expr(formula);
                let receiver = self.expr(receiver);
                self.node(Node::CallValue(formula, receiver), shape, span)
            }
            ExprKind::Score(line, player) => {
                let player = self.expr(player);
                match line {
                    Some(line) => self.scalar(Node::Score(line.0, player), span),
                    None => self.scalar(Node::ScoreTotal(player), span),
                }
            }
            ExprKind::Unary(op, inner) => self.unary(*op, inner, span),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, span),
            ExprKind::If(condition, yes, no) => {
                let condition = self.expr(condition);
                let yes = self.expr(yes);
                let no = self.expr(no);
                let shape = self.wider(yes, no);
                self.node(Node::If(condition, yes, no), shape, span)
            }
            ExprKind::Otherwise(value, other) => {
                let value = self.expr(value);
                let other = self.expr(other);
                let shape = self.wider(value, other);
                self.node(Node::Otherwise(value, other), shape, span)
            }
            ExprKind::Unwrap(inner) => {
                let inner = self.expr(inner);
                let reason = self.reason(ReasonKind::IsNone, span, None);
                let shape = self.shape_of(inner);
                self.node(Node::Unwrap(inner, reason), shape, span)
            }
            ExprKind::SetOf(items) => self.constructor(items, &expr.ty, span),
            ExprKind::ListOf(items) => {
                let items = self.exprs(items);
                let shape = Shape::List { cap: items.len };
                self.node(Node::ListOf(items), shape, span)
            }
            ExprKind::BagOf(items) => {
                let mut nodes = Vec::new();
                for (kind, count) in items {
                    nodes.push(self.expr(kind));
                    nodes.push(self.expr(count));
                }
                let list = self.list(&nodes);
                let shape = self.shape(&expr.ty);
                self.node(Node::BagOf(list), shape, span)
            }
            ExprKind::All(domain) => self.all_of(*domain, span),
            ExprKind::Pieces(table) => self.pieces_node(*table, span),
            ExprKind::Range(low, high) => {
                let low = self.expr(low);
                let high = self.expr(high);
                let shape = self.shape(&expr.ty);
                self.node(Node::Numbers(low, high), shape, span)
            }
            ExprKind::Parts(zone) => self.expr(zone),
            ExprKind::OnBoard(table) => {
                let at = self.parts_index(*table);
                let shape = self.shape(&Ty::Set(Domain::Part(*table)));
                self.node(Node::OnBoard(at), shape, span)
            }
            ExprKind::Convert(inner) => self.convert(inner, expr, span),
            ExprKind::First(inner) => {
                let inner = self.expr(inner);
                self.scalar(Node::First(inner), span)
            }
            ExprKind::Aggregate { op, binders, value } => {
                self.aggregate(*op, binders, value.as_deref(), expr)
            }
            ExprKind::Size(inner) => {
                let inner = self.expr(inner);
                self.scalar(Node::Size(inner), span)
            }
            ExprKind::CountOf(container, item) => {
                let container = self.expr(container);
                let item = self.expr(item);
                self.scalar(Node::CountOf(container, item), span)
            }
            ExprKind::At(container, index) => {
                let container = self.expr(container);
                let index = self.expr(index);
                self.scalar(Node::At(container, index), span)
            }
            ExprKind::TopOf(deck) => {
                let deck = self.expr(deck);
                self.scalar(Node::TopOf(deck), span)
            }
            ExprKind::Shuffled(inner) => {
                let stream = self.next_stream("shuffled", &expr.ty);
                let shape = self.ordered_shape(expr);
                let inner = self.expr(inner);
                self.node(Node::Shuffled(inner, stream), shape, span)
            }
            ExprKind::Random(inner) => {
                let stream = self.next_stream("random", &expr.ty);
                let inner = self.expr(inner);
                self.scalar(Node::Random(inner, stream), span)
            }
            ExprKind::Joins(network, receiver, a, b) => {
                let receiver = self.receiver(receiver.as_deref(), span);
                let a = self.expr(a);
                let b = self.expr(b);
                self.scalar(Node::Joins(network.0, receiver, a, b), span)
            }
            ExprKind::Reach(network, receiver, from) => {
                let receiver = self.receiver(receiver.as_deref(), span);
                let from = self.expr(from);
                let shape = self.shape(&expr.ty);
                self.node(Node::Reach(network.0, receiver, from), shape, span)
            }
            ExprKind::BestWalk(walk) => {
                let walk = self.walk(walk);
                self.scalar(Node::BestWalk(walk), span)
            }
            ExprKind::EndsOfWalk(walk) => {
                let shape = self.shape(&expr.ty);
                let walk = self.walk(walk);
                self.node(Node::EndsOfWalk(walk), shape, span)
            }
            ExprKind::WalkValue(walk) => {
                let walk = self.expr(walk);
                self.scalar(Node::WalkValue(walk), span)
            }
            ExprKind::WalkNodes(walk) => {
                let shape = self.shape(&expr.ty);
                let walk = self.expr(walk);
                self.node(Node::WalkNodes(walk), shape, span)
            }
            ExprKind::WalkWord(word) => self.walk_word(*word, &expr.ty, span),
            ExprKind::Seat(player) => {
                let player = self.expr(player);
                let one = self.scalar(Node::Const(1), span);
                self.scalar(Node::Add(player, one), span)
            }
            ExprKind::Left(player) => self.of_one(Node::Left, player, span),
            ExprKind::Right(player) => self.of_one(Node::Right, player, span),
            ExprKind::Next(position, side) => {
                let position = self.expr(position);
                let side = self.expr(side);
                self.scalar(Node::Next(position, side), span)
            }
            ExprKind::RowOf(position) => self.of_one(Node::RowOf, position, span),
            ExprKind::ColumnOf(position) => self.of_one(Node::ColumnOf, position, span),
            ExprKind::PositionAt(row, column) => {
                let row = self.expr(row);
                let column = self.expr(column);
                self.scalar(Node::PositionAt(row, column), span)
            }
            ExprKind::Back(side) => self.of_one(Node::Back, side, span),
            ExprKind::Turned(value, by) => {
                let ty = &value.ty;
                let value = self.expr(value);
                let turn = self.expr(by);
                self.turned_by(turn, value, ty, span)
            }
            ExprKind::PositionOf(part) => self.position_of_part(part, span),
            ExprKind::PositionOfTile(tile) => self.of_one(Node::PositionOfTile, tile, span),
            ExprKind::PassNumber(label) => {
                let word = self.program.label_words[label.index()];
                self.scalar(Node::Word(word), span)
            }
            ExprKind::Finishing => self.scalar(Node::Finishing, span),
            ExprKind::Repeats(compared) => {
                let at = self.repeats(compared, span);
                self.scalar(Node::Repeats(at), span)
            }
            ExprKind::Can(action, args) => {
                let list = self.call_args(args);
                let proc = self.program.action_procs[action.index()];
                self.scalar(Node::Can(proc, list), span)
            }
            ExprKind::Finished => self.scalar(Node::Finished, span),
            ExprKind::Winners => {
                let shape = self.shape(&Ty::Set(Domain::Player));
                self.node(Node::Winners, shape, span)
            }
            ExprKind::DecisionOf => self.scalar(Node::DecisionOf, span),
        }
    }

    fn of_one(&mut self, make: fn(NodeId) -> Node, inner: &ir::Expr, span: Span) -> NodeId {
        let inner = self.expr(inner);
        self.scalar(make(inner), span)
    }

    /// Arguments that the caller leaves open are [`ASKED`].
    pub(super) fn call_args(&mut self, args: &[Option<ir::Expr>]) -> List {
        let nodes: Vec<NodeId> = args
            .iter()
            .map(|arg| arg.as_ref().map_or(ASKED, |arg| self.expr(arg)))
            .collect();
        self.list(&nodes)
    }

    fn receiver(&mut self, receiver: Option<&ir::Expr>, span: Span) -> NodeId {
        match receiver {
            Some(receiver) => self.expr(receiver),
            None => self.scalar(Node::Const(0), span),
        }
    }

    fn constant_node(&mut self, value: &Value, ty: &Ty, span: Span) -> NodeId {
        let shape = match (value, ty.required()) {
            (Value::List(items), Ty::List(_) | Ty::Deck(_)) => Shape::List {
                cap: items.len() as u32,
            },
            (Value::List(items), Ty::Row(_)) => Shape::List {
                cap: items.len() as u32,
            },
            (_, ty) => self.shape(ty),
        };
        if shape == Shape::Scalar {
            let word = self.word(value);
            return self.scalar(Node::Const(word), span);
        }
        self.words(value, shape, span)
    }

    fn wider(&self, a: NodeId, b: NodeId) -> Shape {
        match (self.shape_of(a), self.shape_of(b)) {
            (Shape::List { cap: x }, Shape::List { cap: y }) => Shape::List { cap: x.max(y) },
            (Shape::Set { n: a, low: x }, Shape::Set { n: b, low: y }) => {
                let (n, low) = hull((a, x), (b, y));
                Shape::Set { n, low }
            }
            (Shape::Bag { n: a, low: x }, Shape::Bag { n: b, low: y }) => {
                let (n, low) = hull((a, x), (b, y));
                Shape::Bag { n, low }
            }
            (shape, _) => shape,
        }
    }

    fn column(
        &mut self,
        row: &ir::Expr,
        table: ir::TableId,
        column: ir::ColumnId,
        ty: &Ty,
        span: Span,
    ) -> NodeId {
        if let Ty::Element(Domain::Part(parts)) = row.ty.required() {
            let at = self.parts_index(*parts);
            let part = self.expr(row);
            let value = self.scalar(Node::RowOfPart(part, at), span);
            let value = self.column_of(value, table, column, span);
            let position = self.scalar(Node::PositionOfPart(part, at), span);
            return self.turned(position, value, ty, span);
        }
        let row = self.expr(row);
        self.column_of(row, table, column, span)
    }

    pub(super) fn column_of(
        &mut self,
        row: NodeId,
        table: ir::TableId,
        column: ir::ColumnId,
        span: Span,
    ) -> NodeId {
        let place = self.columns[table.index()][column.index()];
        if place.shape == Shape::Scalar {
            return self.scalar(Node::Column(place.base, row), span);
        }
        let stride = place.shape.words() as u32;
        let node = Node::ColumnWords {
            base: place.base,
            stride,
            row,
        };
        self.node(node, place.shape, span)
    }

    fn grid(&mut self, grid: ir::GridId, args: &[ir::Expr], span: Span) -> NodeId {
        let (dense, base, shape) = self.grids[grid.index()];
        let args = self.exprs(args);
        if shape == Shape::Scalar {
            return self.scalar(Node::Dense(dense, args), span);
        }
        let stride = shape.words() as u32;
        let node = Node::DenseWords {
            dense,
            args,
            base,
            stride,
        };
        self.node(node, shape, span)
    }

    fn cell_read(&mut self, cell: ir::CellId, args: &[ir::Expr], span: Span) -> NodeId {
        let slot = Slot(cell.0);
        let shape = self.program.cells[slot.at()].shape;
        let nodes: Vec<NodeId> = args.iter().map(|a| self.expr(a)).collect();
        if shape != Shape::Scalar {
            let args = self.list(&nodes);
            return self.node(Node::CellWords(slot, args), shape, span);
        }
        match nodes.as_slice() {
            [] => {
                let base = self.program.cells[slot.at()].base;
                self.scalar(Node::Cell0(base), span)
            }
            [index] => self.scalar(Node::Cell1(slot, *index), span),
            _ => {
                let args = self.list(&nodes);
                self.scalar(Node::Cell(slot, args), span)
            }
        }
    }

    fn formula_call(&mut self, formula: ir::FormulaId, args: &[ir::Expr], span: Span) -> NodeId {
        let proc = self.program.formula_procs[formula.index()];
        // The body may not be lowered yet.
        let shape = self.said_shape(&self.rules.formulas[formula.index()]);
        let args = self.exprs(args);
        self.node(Node::Call(proc, args), shape, span)
    }

    fn unary(&mut self, op: UnaryOp, inner: &ir::Expr, span: Span) -> NodeId {
        let container = inner.ty.is_container();
        let inner = self.expr(inner);
        match op {
            UnaryOp::Not => self.scalar(Node::Not(inner), span),
            UnaryOp::Negate => self.scalar(Node::Negate(inner), span),
            UnaryOp::There if container => self.scalar(Node::NotEmpty(inner), span),
            UnaryOp::There => self.scalar(Node::IsSome(inner), span),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &ir::Expr, b: &ir::Expr, span: Span) -> NodeId {
        if op == BinaryOp::In {
            return self.membership(a, b, span);
        }
        let (ea, eb) = (a, b);
        let a = self.expr(a);
        let b = self.expr(b);
        let containers = self.shape_of(a) != Shape::Scalar && self.shape_of(b) != Shape::Scalar;
        let node = match op {
            BinaryOp::And => Node::And(a, b),
            BinaryOp::Or => Node::Or(a, b),
            BinaryOp::Implies => Node::Implies(a, b),
            BinaryOp::Equal if containers => Node::EqualWords(a, b),
            BinaryOp::NotEqual if containers => {
                let equal = self.scalar(Node::EqualWords(a, b), span);
                Node::Not(equal)
            }
            BinaryOp::Equal => Node::Equal(a, b),
            BinaryOp::NotEqual => Node::NotEqual(a, b),
            BinaryOp::Less => Node::Less(a, b),
            BinaryOp::LessEqual => Node::LessEqual(a, b),
            BinaryOp::Greater => Node::Less(b, a),
            BinaryOp::GreaterEqual => Node::LessEqual(b, a),
            BinaryOp::Within => Node::Within(a, b),
            BinaryOp::Add => Node::Add(a, b),
            BinaryOp::Subtract => Node::Subtract(a, b),
            BinaryOp::Multiply => Node::Multiply(a, b),
            BinaryOp::Divide => Node::Divide(a, b),
            BinaryOp::Remainder => Node::Remainder(a, b),
            BinaryOp::In => unreachable!("handled above"),
            BinaryOp::Union | BinaryOp::Difference => {
                let shape = self.union_shape(a, b, ea, eb);
                let node = if op == BinaryOp::Union {
                    Node::Union(a, b)
                } else {
                    Node::Difference(a, b)
                };
                return self.node(node, shape, span);
            }
            BinaryOp::Scale => {
                let (count, bag) = if self.shape_of(a) == Shape::Scalar {
                    (a, b)
                } else {
                    (b, a)
                };
                let shape = self.shape_of(bag);
                return self.node(Node::Scale(count, bag), shape, span);
            }
        };
        self.scalar(node, span)
    }

    fn union_shape(&self, a: NodeId, b: NodeId, ea: &ir::Expr, eb: &ir::Expr) -> Shape {
        match (self.shape_of(a), self.shape_of(b)) {
            (Shape::List { cap: x }, Shape::List { cap: y }) => Shape::List { cap: x + y },
            (Shape::List { cap }, Shape::Scalar) | (Shape::Scalar, Shape::List { cap }) => {
                Shape::List { cap: cap + 1 }
            }
            (Shape::Scalar, Shape::Scalar) => {
                let domain = match (ea.ty.required(), eb.ty.required()) {
                    (Ty::Element(domain), _) | (_, Ty::Element(domain)) => *domain,
                    _ => Domain::Int { low: 0, high: 31 },
                };
                self.shape(&Ty::Set(domain))
            }
            (Shape::Scalar, shape) => shape,
            (shape, _) => shape,
        }
    }

    fn membership(&mut self, item: &ir::Expr, container: &ir::Expr, span: Span) -> NodeId {
        if let ExprKind::Range(low, high) = &container.kind {
            let item = self.expr(item);
            let low = self.expr(low);
            let high = self.expr(high);
            return self.scalar(Node::InRange(item, low, high), span);
        }
        if let ExprKind::SetOf(items) = &container.kind
            && items.len() <= 4
            && !item.ty.is_container()
            && items.iter().all(|i| !i.ty.is_container())
        {
            let item = self.expr(item);
            let mut any = self.scalar(Node::Const(0), span);
            for (at, other) in items.iter().enumerate() {
                let other = self.expr(other);
                let equal = self.scalar(Node::Equal(item, other), span);
                any = if at == 0 {
                    equal
                } else {
                    self.scalar(Node::Or(any, equal), span)
                };
            }
            return any;
        }
        let item = self.expr(item);
        self.in_source(item, container, span)
    }

    fn constructor(&mut self, items: &[ir::Expr], ty: &Ty, span: Span) -> NodeId {
        let items = self.exprs(items);
        let shape = self.shape(ty);
        self.node(Node::SetOf(items), shape, span)
    }

    /// What a domain's name stands for as a set. Diagonals and leaps are directions, but no sides of a tile.
    pub(super) fn all_in(&self, domain: Domain) -> (i32, u32) {
        match domain {
            Domain::Side => (0, 4),
            other => self.domain(other),
        }
    }

    fn all_of(&mut self, domain: Domain, span: Span) -> NodeId {
        let (low, n) = self.all_in(domain);
        let shape = Shape::Set { n, low };
        let base = self.reserve_consts(shape.words());
        for at in 0..n {
            let word = &mut self.program.consts[(base + at / 32) as usize];
            *word |= 1i32.wrapping_shl(at % 32);
        }
        self.node(Node::Words(base), shape, span)
    }

    fn pieces_node(&mut self, table: ir::TableId, span: Span) -> NodeId {
        let rows = &self.rules.tables[table.index()].rows;
        let copies = self.rules.tables[table.index()].copies;
        let counts: Vec<i32> = rows
            .iter()
            .map(|row| match copies.map(|c| &row.values[c.index()]) {
                Some(Value::Int(n)) => *n,
                _ => 1,
            })
            .collect();
        let base = self.reserve_consts(0);
        let shape = Shape::Bag {
            n: counts.len() as u32,
            low: 0,
        };
        self.program.consts.extend(counts);
        self.node(Node::Words(base), shape, span)
    }

    /// The shape of what an expression makes: of a list or deck with room for all that may come into it.
    fn ordered_shape(&self, expr: &ir::Expr) -> Shape {
        match expr.ty.required() {
            Ty::List(element) => Shape::List {
                cap: self.room_of(expr, element),
            },
            Ty::Deck(domain) => Shape::List {
                cap: self.room_of(expr, &domain.element_ty()),
            },
            ty => self.shape(ty),
        }
    }

    fn convert(&mut self, inner: &ir::Expr, expr: &ir::Expr, span: Span) -> NodeId {
        let inner = self.expr(inner);
        let shape = match (self.ordered_shape(expr), self.shape_of(inner)) {
            (Shape::List { .. }, Shape::List { cap }) => Shape::List { cap },
            (Shape::List { .. }, Shape::Row { n }) => Shape::List { cap: n },
            (shape, _) => shape,
        };
        if shape == self.shape_of(inner) {
            return inner;
        }
        self.node(Node::Convert(inner), shape, span)
    }

    fn aggregate(
        &mut self,
        op: AggregateOp,
        binders: &[ir::Binder],
        value: Option<&ir::Expr>,
        expr: &ir::Expr,
    ) -> NodeId {
        let span = expr.span;
        if let Some(chosen) = self.of_written(op, binders, value, span) {
            return chosen;
        }
        let binders: Vec<BinderId> = binders.iter().map(|b| self.binder(b)).collect();
        let value = value.map(|v| self.expr(v));
        for id in &binders {
            self.program.binders[id.at()].run = self.run_of(*id);
        }
        let shape = match op {
            AggregateOp::Set | AggregateOp::Bag | AggregateOp::List => self.ordered_shape(expr),
            _ => Shape::Scalar,
        };
        let id = AggregateId(self.program.aggregates.len() as u32);
        self.program.aggregates.push(Aggregate {
            op,
            binders,
            value,
            shape,
            total: None,
            span,
        });
        if shape == Shape::Scalar {
            self.scalar(Node::Aggregate(id), span)
        } else {
            self.node(Node::Collect(id), shape, span)
        }
    }

    /// `min(a, b)`: of numbers that are written out none is collected.
    fn of_written(
        &mut self,
        op: AggregateOp,
        binders: &[ir::Binder],
        value: Option<&ir::Expr>,
        span: Span,
    ) -> Option<NodeId> {
        let make = match op {
            AggregateOp::Min => Node::Minimum,
            AggregateOp::Max => Node::Maximum,
            _ => return None,
        };
        let [binder] = binders else { return None };
        let ExprKind::ListOf(items) = &binder.source.kind else {
            return None;
        };
        let as_it_is = binder.conditions.is_empty()
            && binder.up_to.is_none()
            && value.is_none_or(|v| matches!(v.kind, ExprKind::Local(id) if id == binder.local))
            && items.iter().all(|item| matches!(item.ty, Ty::Int { .. }));
        if !as_it_is {
            return None;
        }
        let numbers: Vec<NodeId> = items.iter().map(|item| self.expr(item)).collect();
        (numbers.into_iter()).reduce(|a, b| self.scalar(make(a, b), span))
    }

    /// Rows that lie together in their table: `where row.column = value`, with a column that never falls.
    fn run_of(&self, id: BinderId) -> Option<(u32, NodeId)> {
        let binder = &self.program.binders[id.at()];
        let Source::All { n, low: 0 } = binder.source else {
            return None;
        };
        let mut conditions = binder.conditions.iter();
        let (base, value) =
            conditions.find_map(|(condition, _)| self.column_in(*condition, binder.local))?;
        let column = &self.program.consts[base as usize..(base + n) as usize];
        column.is_sorted().then_some((base, value))
    }

    pub(super) fn binder(&mut self, binder: &ir::Binder) -> BinderId {
        let (local, shape) = self.local(binder.local);
        let of_param = std::mem::take(&mut self.of_param);
        let source = self.source(&binder.source);
        self.origins[binder.local.index()] = match of_param {
            true => Some(Origin::Item),
            false => self.origin(source),
        };
        let name = self.binder_name(binder);
        let conditions = binder
            .conditions
            .iter()
            .map(|condition| {
                let node = self.expr(&condition.expr);
                let message = condition.message.as_ref().map(|m| self.message(m));
                let reason = self.condition_reason(
                    ReasonKind::Where(name.clone()),
                    &condition.expr,
                    condition.expr.span,
                    message,
                );
                (node, reason)
            })
            .collect();
        let by = binder.by.iter().map(|k| self.expr(k)).collect();
        let from = binder.from.as_ref().map(|f| self.expr(f));
        let up_to = binder.up_to.as_ref().map(|n| self.expr(n));
        let mut lowered = Binder {
            local,
            source,
            conditions,
            by,
            from,
            up_to,
            shape,
            parts: None,
            unread: false,
            at: None,
            run: None,
            among: None,
            sieve: None,
        };
        if let Source::OnBoard(_) = source {
            let mut conditions = lowered.conditions.iter();
            lowered.at = conditions.find_map(|(node, _)| self.position_in(*node, local));
        }
        if matches!(source, Source::Parts(_)) {
            lowered.parts = Some(self.parts_plan(binder, &lowered));
        }
        self.program.binders.push(lowered);
        BinderId(self.program.binders.len() as u32 - 1)
    }

    /// Where the elements of a source come from.
    fn origin(&self, source: Source) -> Option<Origin> {
        match source {
            Source::All { n, low } => Some(Origin::Among { low, n }),
            Source::Range(low, high) => Some(Origin::Between(low, high)),
            Source::Container(node) => match self.shape_of(node) {
                Shape::Set { n, low } | Shape::Bag { n, low } => Some(Origin::Among { low, n }),
                Shape::List { .. } | Shape::Row { .. } => Some(Origin::Item),
                Shape::Scalar | Shape::Agenda { .. } => None,
            },
            Source::OnBoard(_) => Some(Origin::Item),
            Source::Parts(_) => None,
        }
    }

    fn binder_name(&self, binder: &ir::Binder) -> String {
        let _ = binder;
        self.current_names
            .get(binder.local.index())
            .cloned()
            .unwrap_or_default()
    }

    fn source(&mut self, source: &ir::Expr) -> Source {
        match &source.kind {
            ExprKind::All(domain) => {
                let (low, n) = self.all_in(*domain);
                Source::All { n, low }
            }
            ExprKind::Range(low, high) => {
                let low = self.expr(low);
                let high = self.expr(high);
                Source::Range(low, high)
            }
            ExprKind::Parts(zone) => Source::Parts(self.expr(zone)),
            ExprKind::OnBoard(table) => Source::OnBoard(self.parts_index(*table)),
            _ => Source::Container(self.expr(source)),
        }
    }

    pub(super) fn message(&mut self, message: &ir::Message) -> MessageId {
        let parts = message
            .parts
            .iter()
            .map(|part| match part {
                ir::MessagePart::Text(text) => MessagePart::Text(text.clone()),
                ir::MessagePart::Value(expr) => {
                    let node = self.expr(expr);
                    MessagePart::Value(node, expr.ty.clone())
                }
            })
            .collect();
        self.program.messages.push(parts);
        self.program.messages.len() as u32 - 1
    }

    fn walk_word(&mut self, word: WalkWord, ty: &Ty, span: Span) -> NodeId {
        let (words, _) = self.walk_words.unwrap_or((frame::SIZE as u32, 0));
        let at = match word {
            WalkWord::Here => walk_word::HERE,
            WalkWord::Next => walk_word::NEXT,
            WalkWord::Link => walk_word::LINK,
            WalkWord::Side => walk_word::SIDE,
            WalkWord::Steps => walk_word::STEPS,
            WalkWord::Fresh => walk_word::FRESH,
            WalkWord::Unused => walk_word::UNUSED,
            WalkWord::Onward => walk_word::ONWARD,
            WalkWord::Straight => walk_word::STRAIGHT,
            WalkWord::Nodes => {
                let shape = self.shape(ty);
                return self.node(Node::Local(words + walk_word::SETS), shape, span);
            }
        };
        self.scalar(Node::Local(words + at), span)
    }
}

/// The numbers of two runs: how many, from where on.
fn hull((a, x): (u32, i32), (b, y): (u32, i32)) -> (u32, i32) {
    let low = x.min(y);
    let end = (i64::from(x) + i64::from(a)).max(i64::from(y) + i64::from(b));
    ((end - i64::from(low)) as u32, low)
}
