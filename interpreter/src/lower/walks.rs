//! Walks and networks.

use super::cells::walk_expr;
use super::{ColumnPlace, Lower, LowerError};
use crate::network::{self, Graph, Lattice, Layout, NO_CELL};
use crate::program::{
    Bindings, NetworkCode, NetworkKind, Node, NodeId, ReasonKind, Shape, WalkCode, WalkId, Walkers,
    WordUse, walk_word,
};
use dsl::ir::{self, Domain, ExprKind, WalkWord};

/// `max E + (if steps = 0 then F else 0)` of a walk with steps, F about `here` alone: F is what starting there adds, so that
/// the search needs not know of `steps`.
fn gains(walk: &ir::Walk) -> (Option<&ir::Expr>, Option<&ir::Expr>) {
    let whole = (None, walk.max.as_ref());
    let is = |e: &ir::Expr, n: i32| matches!(e.kind, ExprKind::Const(ir::Value::Int(m)) if m == n);
    let moves = |e: &ir::Expr| matches!(e.kind, ExprKind::Const(ir::Value::Int(n)) if n > 0);
    let Some(ExprKind::Binary(ir::BinaryOp::Add, a, b)) = walk.max.as_ref().map(|max| &max.kind)
    else {
        return whole;
    };
    if !walk.at_least.as_ref().is_some_and(moves) {
        return whole;
    }
    for (gain, first) in [(a, b), (b, a)] {
        let ExprKind::If(condition, start, otherwise) = &first.kind else {
            continue;
        };
        let at_start = matches!(&condition.kind, ExprKind::Binary(ir::BinaryOp::Equal, steps, zero)
            if matches!(steps.kind, ExprKind::WalkWord(WalkWord::Steps)) && is(zero, 0));
        let mut here_alone = true;
        walk_expr(start, &mut |e| {
            here_alone &= !matches!(e.kind, ExprKind::WalkWord(word) if word != WalkWord::Here);
        });
        if at_start && here_alone && is(otherwise, 0) {
            return (Some(start), Some(gain));
        }
    }
    whole
}

/// `some(n in nodes where …)` with conditions about `n`.
fn asks_for_one(need: &ir::Expr) -> bool {
    let ExprKind::Aggregate {
        op: ir::AggregateOp::Some,
        binders,
        value: None,
    } = &need.kind
    else {
        return false;
    };
    let [binder] = binders.as_slice() else {
        return false;
    };
    let plain =
        matches!(binder.source.kind, ExprKind::WalkWord(WalkWord::Nodes)) && binder.is_plain();
    let mut words = false;
    for condition in &binder.conditions {
        walk_expr(&condition.expr, &mut |e| {
            words |= matches!(e.kind, ExprKind::WalkWord(_))
        });
    }
    plain && !words
}

/// Where a walk's clauses look at its past only in `fresh or REST or …` with RESTs about `next` alone, those of each such
/// condition of `where`: a node for which one of the RESTs holds need not be remembered for that condition.
fn rests(walk: &ir::Walk) -> Vec<Vec<&ir::Expr>> {
    let looks_back = |e: &ir::Expr| {
        let mut found = false;
        walk_expr(e, &mut |e| {
            found |= matches!(
                e.kind,
                ExprKind::WalkWord(WalkWord::Fresh | WalkWord::Nodes)
            );
        });
        found
    };
    let of_next = |e: &ir::Expr| {
        let mut found = true;
        walk_expr(e, &mut |e| {
            found &= !matches!(e.kind, ExprKind::WalkWord(word) if word != WalkWord::Next);
        });
        found
    };
    let asked = walk.need.as_ref().is_some_and(|need| !asks_for_one(need));
    if asked || walk.max.as_ref().is_some_and(looks_back) {
        return Vec::new();
    }
    let mut all = Vec::new();
    let mut conditions = Vec::new();
    if let Some(condition) = &walk.where_ {
        split(condition, ir::BinaryOp::And, &mut conditions);
    }
    for condition in conditions.into_iter().filter(|c| looks_back(c)) {
        let mut alternatives = Vec::new();
        split(condition, ir::BinaryOp::Or, &mut alternatives);
        let fresh = |e: &&ir::Expr| matches!(e.kind, ExprKind::WalkWord(WalkWord::Fresh));
        let (first, rest): (Vec<_>, Vec<_>) = alternatives.into_iter().partition(fresh);
        if first.is_empty() || rest.is_empty() || !rest.iter().all(|rest| of_next(rest)) {
            return Vec::new();
        }
        all.push(rest);
    }
    all
}

/// The operands of a chain of one operation.
fn split<'e>(expr: &'e ir::Expr, op: ir::BinaryOp, out: &mut Vec<&'e ir::Expr>) {
    match &expr.kind {
        ExprKind::Binary(own, a, b) if *own == op => {
            split(a, op, out);
            split(b, op, out);
        }
        _ => out.push(expr),
    }
}

impl Lower<'_> {
    /// The nodes of what is a walk: of one that is chosen, of the one that is.
    pub(super) fn walk_nodes(&mut self, walk: &ir::Expr, shape: Shape) -> NodeId {
        let span = walk.span;
        let none = ir::Value::Set(Vec::new());
        let known = match &walk.kind {
            ExprKind::BestWalk(walk) => Some(Node::WalkNodes(self.walk(walk))),
            ExprKind::Local(id) => self.walk_locals.get(id).map(|(at, _)| Node::Local(*at)),
            ExprKind::Call(formula, args) => {
                let args = self.exprs(args);
                self.program.walk_procs[formula.index()].map(|proc| Node::Call(proc, args))
            }
            ExprKind::If(condition, yes, no) => {
                let condition = self.expr(condition);
                let (yes, no) = (self.walk_nodes(yes, shape), self.walk_nodes(no, shape));
                Some(Node::If(condition, yes, no))
            }
            ExprKind::Otherwise(first, second) => {
                let there = self.expr(first);
                let there = self.scalar(Node::IsSome(there), span);
                let first = self.walk_nodes(first, shape);
                Some(Node::If(there, first, self.walk_nodes(second, shape)))
            }
            // What is none ends the way before its nodes are looked for.
            ExprKind::Unwrap(inner) => {
                let there = self.expr(walk);
                let there = self.scalar(Node::IsSome(there), span);
                let nodes = self.walk_nodes(inner, shape);
                Some(Node::If(there, nodes, nodes))
            }
            ExprKind::Const(ir::Value::None) => return self.words(&none, shape, span),
            _ => None,
        };
        match known {
            Some(node) => self.node(node, shape, span),
            None => {
                let message = "the places of this walk cannot be told: ask `.nodes` of the `best walk` itself";
                let message = message.to_owned();
                self.too_large.get_or_insert(LowerError { span, message });
                self.words(&none, shape, span)
            }
        }
    }

    pub(super) fn walk(&mut self, walk: &ir::Walk) -> WalkId {
        let network = &self.program.networks[walk.network.index()];
        let node_words = network.nodes.div_ceil(32);
        let link_words = network.links.div_ceil(32);
        let receiver = walk.receiver.as_ref().map(|r| self.expr(r));
        let by = walk.by.as_ref().map(|by| {
            let mut read = false;
            let clauses = [
                &walk.to,
                &walk.up_to,
                &walk.at_least,
                &walk.where_,
                &walk.need,
                &walk.max,
            ];
            for clause in clauses.into_iter().flatten().chain([&walk.from]) {
                walk_expr(clause, &mut |e| {
                    read |= matches!(e.kind, ExprKind::Local(id) if id == by.local);
                });
            }
            let binder = self.binder(by);
            Walkers { binder, read }
        });
        let from = self.expr(&walk.from);
        let from_set = self.shape_of(from) != Shape::Scalar;
        let up_to = walk.up_to.as_ref().map(|e| self.expr(e));
        let at_least = walk.at_least.as_ref().map(|e| self.expr(e));
        let outer = self.walk_words;
        let words = self.extra(walk_word::SETS + node_words + link_words);
        self.walk_words = Some((words, node_words));
        let to = walk.to.as_ref().map(|e| {
            let node = self.expr(e);
            (node, self.shape_of(node) != Shape::Scalar)
        });
        let where_ = walk.where_.as_ref().map(|e| self.expr(e));
        let where_reason = walk
            .where_
            .as_ref()
            .map(|e| self.condition_reason(ReasonKind::Where(String::new()), e, e.span, None));
        let need = walk.need.as_ref().map(|e| self.expr(e));
        let (start, gain) = gains(walk);
        let start = start.map(|e| self.expr(e));
        let max = gain.map(|e| self.expr(e));
        let rests = rests(walk);
        let rests = rests
            .iter()
            .map(|any| any.iter().map(|e| self.expr(e)).collect());
        let rests = rests.collect();
        self.walk_words = outer;
        let mut uses = WordUse::default();
        if let Some(gain) = gain {
            walk_expr(gain, &mut |e| match e.kind {
                ExprKind::WalkWord(WalkWord::Fresh) => uses.gain_fresh = true,
                ExprKind::WalkWord(WalkWord::Nodes) => uses.gain_nodes = true,
                _ => {}
            });
        }
        for clause in walk.where_.iter().chain(gain) {
            walk_expr(clause, &mut |e| match e.kind {
                ExprKind::WalkWord(WalkWord::Nodes | WalkWord::Fresh) => uses.visited = true,
                ExprKind::WalkWord(WalkWord::Unused) => uses.links = true,
                ExprKind::WalkWord(WalkWord::Side | WalkWord::Onward | WalkWord::Straight) => {
                    uses.direction = true
                }
                ExprKind::WalkWord(WalkWord::Steps) => uses.steps = true,
                _ => {}
            });
        }
        if let Some(need) = &walk.need {
            walk_expr(need, &mut |e| {
                uses.need_more |=
                    matches!(e.kind, ExprKind::WalkWord(word) if word != WalkWord::Nodes);
            });
        }
        let need_any = need
            .filter(|_| walk.need.as_ref().is_some_and(asks_for_one))
            .and_then(|need| {
                let Node::Aggregate(id) = self.program.nodes[need.at()] else {
                    return None;
                };
                self.program.aggregates[id.at()].binders.first().copied()
            });
        self.program.walks.push(WalkCode {
            network: walk.network.0,
            by,
            receiver,
            from,
            from_set,
            to,
            up_to,
            at_least,
            where_,
            where_reason,
            need,
            need_any,
            rests,
            start,
            max,
            words,
            node_words,
            link_words,
            uses,
            course: None,
            total: None,
            span: walk.span,
        });
        WalkId(self.program.walks.len() as u32 - 1)
    }

    /// The sides or ports of each row of a table in each of a tile's turns: row × turns + turn.
    fn ports_as_they_lie(&self, column: ColumnPlace, table: ir::TableId, port: bool) -> Vec<u64> {
        let Some(tiling) = &self.program.tiling else {
            return Vec::new();
        };
        let words = column.shape.words();
        let rows = self.rules.tables[table.index()].rows.len();
        let first = column.base as usize;
        let sets = self.program.consts[first..first + rows * words].chunks(words);
        let as_it_lies = |set: &[i32], turn: usize| {
            let words: Vec<u32> = set.iter().map(|word| *word as u32).collect();
            let turned =
                network::bits::iter(&words).map(|at| tiling.turned(turn, at as usize, port));
            let known = turned.flatten().filter(|at| (0..64).contains(at));
            known.fold(0, |ports, at| ports | 1 << at)
        };
        let turns = 0..tiling.turns.max(1) as usize;
        sets.flat_map(|set| turns.clone().map(move |turn| as_it_lies(set, turn)))
            .collect()
    }

    pub(super) fn networks(&mut self) {
        // Conditions may ask other networks and formulas: first the grounds, so that all are known, then the conditions.
        for network in &self.rules.networks {
            let owners = network.owner.map_or(1, |d| self.domain(d).1);
            let code = match &network.ground {
                ir::NetworkGround::Links {
                    table,
                    nodes,
                    element,
                    from,
                    to,
                } => {
                    let rows = self.rules.tables[table.index()].rows.len() as u32;
                    let count = self.domain(*nodes).1;
                    let ends: Vec<(u32, u32)> = (0..rows)
                        .map(|row| {
                            let mut locals = vec![None; network.code.locals.len()];
                            locals[element.index()] =
                                Some(ir::Value::Element(Domain::Table(*table), row));
                            let end = |e: &ir::Expr| {
                                self.constant_word(e, &locals)
                                    .filter(|v| *v >= 0)
                                    .unwrap_or(0) as u32
                            };
                            (end(from), end(to))
                        })
                        .collect();
                    NetworkCode {
                        kind: NetworkKind::Links {
                            graph: Graph::new(
                                count,
                                &ends
                                    .iter()
                                    .map(|(a, b)| (network::NodeId(*a), network::NodeId(*b)))
                                    .collect::<Vec<_>>(),
                            ),
                            ends,
                        },
                        owners,
                        condition: None,
                        bindings: Bindings::default(),
                        nodes: count,
                        links: rows,
                    }
                }
                ir::NetworkGround::Joins { column, .. }
                    if *column == ir::NetworkGround::NEIGHBOURS =>
                {
                    self.neighbours(owners)
                }
                ir::NetworkGround::Joins { part, column } => {
                    let (table, parts) = match part {
                        Domain::Part(table) => (*table, Some(self.parts_index(*table))),
                        _ => (
                            self.rules
                                .tiling
                                .as_ref()
                                .and_then(|t| t.tile)
                                .unwrap_or(ir::TableId(0)),
                            None,
                        ),
                    };
                    let place = self.columns[table.index()][column.index()];
                    let nodes = self.domain(*part).1;
                    let port = matches!(
                        self.rules.tables[table.index()].columns[column.index()]
                            .ty
                            .required(),
                        ir::Ty::Set(Domain::Port)
                    );
                    NetworkCode {
                        kind: NetworkKind::Joins {
                            ports: self.ports_as_they_lie(place, table, port),
                            parts,
                            port,
                        },
                        owners,
                        condition: None,
                        bindings: Bindings::default(),
                        nodes,
                        links: 0,
                    }
                }
            };
            self.program.networks.push(code);
        }
        for (at, network) in self.rules.networks.iter().enumerate() {
            let Some(condition) = &network.condition else {
                continue;
            };
            self.open(&network.code);
            let condition = self.expr(condition);
            let code = &self.program.networks[at];
            let owner = network.owner.map(|_| (self.locals[0].0, 0, code.owners));
            let link = match &network.ground {
                ir::NetworkGround::Links { element, .. } => {
                    Some((self.local(*element).0, 0, code.links))
                }
                ir::NetworkGround::Joins { .. } => None,
            };
            let dims: Vec<(u32, i32, u32)> = owner.into_iter().chain(link).collect();
            let bindings = Bindings {
                count: dims.iter().map(|d| d.2).product(),
                dims,
                frame_words: self.frame_words,
                ..Bindings::default()
            };
            let code = &mut self.program.networks[at];
            code.condition = Some(condition);
            code.bindings = bindings;
        }
    }

    /// The tiling's positions, linked in every direction.
    fn neighbours(&self, owners: u32) -> NetworkCode {
        let layout = self
            .program
            .tiling
            .as_ref()
            .map_or_else(Layout::default, |tiling| {
                let next = tiling
                    .next
                    .iter()
                    .map(|to| u32::try_from(*to).unwrap_or(NO_CELL))
                    .collect();
                let back: Vec<u32> = tiling.back.iter().map(|b| *b as u32).collect();
                Layout::by_sides(next, &back)
            });
        NetworkCode {
            kind: NetworkKind::Neighbours(Lattice::new(&layout)),
            owners,
            condition: None,
            bindings: Bindings::default(),
            nodes: layout.cells,
            links: 0,
        }
    }
}
