//! Expressions to nodes.

use super::Lower;
use super::binders::hull;
use crate::facts::Origin;
use crate::program::*;
use dsl::ir::{self, BinaryOp, Domain, ExprKind, Ty, UnaryOp, Value, WalkWord};
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
            ExprKind::Binary(op, a, b) => self.binary(*op, (a, b), &expr.ty, span),
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
                let shape = Shape::List {
                    cap: items.len,
                    deck: matches!(expr.ty.required(), Ty::Deck(_)),
                };
                self.node(Node::ListOf(items), shape, span)
            }
            ExprKind::BagOf(items) => {
                let mut nodes = Vec::new();
                let held = expr.ty.element().unwrap_or(Ty::INT);
                for (kind, count) in items {
                    nodes.push(self.handed(kind, &held));
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
            ExprKind::BottomOf(deck) => {
                let deck = self.expr(deck);
                self.scalar(Node::BottomOf(deck), span)
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
            ExprKind::Distance(walk) => {
                let walk = self.walk(walk);
                self.scalar(Node::Distance(walk), span)
            }
            ExprKind::EndsOfWalk(walk) => {
                let shape = self.shape(&expr.ty);
                let walk = self.walk(walk);
                self.node(Node::EndsOfWalk(walk), shape, span)
            }
            // A walk is what it is worth.
            ExprKind::WalkValue(walk) => self.expr(walk),
            ExprKind::WalkNodes(walk) => {
                let shape = self.shape(&expr.ty);
                self.walk_nodes(walk, shape)
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
                let list = self.call_args(*action, args);
                let proc = self.program.action_procs[action.index()];
                self.scalar(Node::Can(proc, list), span)
            }
            ExprKind::Finished => self.scalar(Node::Finished, span),
            ExprKind::Winners => {
                let shape = self.shape(&Ty::Set(Domain::Player));
                self.node(Node::Winners, shape, span)
            }
            ExprKind::DecisionOf => self.scalar(Node::DecisionOf, span),
            ExprKind::Out(player) => self.out(player, span),
            ExprKind::Wins(player, name) => {
                let (player, name) = (self.expr(player), self.ending_name(*name));
                self.scalar(Node::Wins(player, name), span)
            }
            ExprKind::Loses(player, name) => {
                let (player, name) = (self.expr(player), self.ending_name(*name));
                self.scalar(Node::Loses(player, name), span)
            }
            ExprKind::Drawn(name) => {
                let name = self.ending_name(Some(*name));
                self.scalar(Node::Drawn(name), span)
            }
        }
    }

    fn of_one(&mut self, make: fn(NodeId) -> Node, inner: &ir::Expr, span: Span) -> NodeId {
        let inner = self.expr(inner);
        self.scalar(make(inner), span)
    }

    /// Arguments that the caller leaves open are [`ASKED`].
    pub(super) fn call_args(&mut self, action: ir::ActionId, args: &[Option<ir::Expr>]) -> List {
        let action = &self.rules.actions[action.index()];
        let handed = args.iter().zip(&action.params);
        let nodes: Vec<NodeId> = handed
            .map(|(arg, param)| match arg {
                Some(arg) => self.handed(arg, &action.code.locals[param.local.index()].ty),
                None => ASKED,
            })
            .collect();
        self.list(&nodes)
    }

    /// A value as something of this type holds it: a number outside of its range cannot be handed on, and what a set or bag
    /// holds lies in another place where the range is another.
    pub(super) fn handed(&mut self, value: &ir::Expr, ty: &Ty) -> NodeId {
        let node = self.expr(value);
        let span = value.span;
        let shape = match ty.required() {
            Ty::Set(_) | Ty::Bag(_) => self.shape(ty),
            Ty::Int { low, high } if !ty.spans(&value.ty) => {
                // There is no bound that no number passes.
                let bound = |bound: &Option<i64>| bound.and_then(|bound| i32::try_from(bound).ok());
                let kind = ReasonKind::Outside {
                    low: bound(low),
                    high: bound(high),
                    optional: matches!(ty, Ty::Optional(_)),
                };
                let reason = self.reason(kind, span, None);
                return self.scalar(Node::Kept(node, reason), span);
            }
            _ => return node,
        };
        let same_kind = matches!(
            (self.shape_of(node), shape),
            (Shape::Set { .. }, Shape::Set { .. }) | (Shape::Bag { .. }, Shape::Bag { .. })
        );
        match same_kind && self.shape_of(node) != shape {
            true => self.node(Node::Convert(node), shape, span),
            false => node,
        }
    }

    fn receiver(&mut self, receiver: Option<&ir::Expr>, span: Span) -> NodeId {
        match receiver {
            Some(receiver) => self.expr(receiver),
            None => self.scalar(Node::Const(0), span),
        }
    }

    fn constant_node(&mut self, value: &Value, ty: &Ty, span: Span) -> NodeId {
        let shape = match (value, ty.required()) {
            (Value::List(items), ty @ (Ty::List(_) | Ty::Deck(_) | Ty::Row(_))) => Shape::List {
                cap: items.len() as u32,
                deck: matches!(ty, Ty::Deck(_)),
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
            (
                Shape::List { cap: x, deck },
                Shape::List {
                    cap: y,
                    deck: other,
                },
            ) if deck == other => Shape::List {
                cap: x.max(y),
                deck,
            },
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

    fn binary(
        &mut self,
        op: BinaryOp,
        (a, b): (&ir::Expr, &ir::Expr),
        ty: &Ty,
        span: Span,
    ) -> NodeId {
        if op == BinaryOp::In {
            return self.membership(a, b, span);
        }
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
                // It has room for what lies in either.
                let shape = match ty {
                    Ty::Set(_) | Ty::Bag(_) => self.shape(ty),
                    _ => self.union_shape(a, b),
                };
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

    /// Of two lists, or a list and an element.
    fn union_shape(&self, a: NodeId, b: NodeId) -> Shape {
        let cap = |node: NodeId| match self.shape_of(node) {
            Shape::List { cap, .. } => cap,
            _ => 1,
        };
        Shape::List {
            cap: cap(a) + cap(b),
            deck: false,
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
        let held = ty.element().unwrap_or(Ty::INT);
        let items: Vec<NodeId> = items.iter().map(|item| self.handed(item, &held)).collect();
        let items = self.list(&items);
        let shape = self.shape(ty);
        self.node(Node::SetOf(items), shape, span)
    }

    /// The shape of what an expression makes: of a list or deck with room for all that may come into it.
    pub(super) fn ordered_shape(&self, expr: &ir::Expr) -> Shape {
        match expr.ty.required() {
            Ty::List(element) => Shape::List {
                deck: false,
                cap: self.room_of(expr, element),
            },
            Ty::Deck(domain) => Shape::List {
                deck: true,
                cap: self.room_of(expr, &domain.element_ty()),
            },
            ty => self.shape(ty),
        }
    }

    fn convert(&mut self, inner: &ir::Expr, expr: &ir::Expr, span: Span) -> NodeId {
        let inner = self.expr(inner);
        let shape = match (self.ordered_shape(expr), self.shape_of(inner)) {
            (Shape::List { deck, .. }, Shape::List { cap, .. }) => Shape::List { cap, deck },
            (Shape::List { deck, .. }, Shape::Row { n }) => Shape::List { cap: n, deck },
            (shape, _) => shape,
        };
        if shape == self.shape_of(inner) {
            return inner;
        }
        self.node(Node::Convert(inner), shape, span)
    }

    pub(super) fn message(&mut self, message: &ir::Message) -> MessageId {
        let parts = message
            .in_words()
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
