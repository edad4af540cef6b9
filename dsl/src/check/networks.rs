//! Networks and walks.

use super::Checker;
use super::access::Head;
use super::body::{Body, Mode};
use super::graph::{Node, Touched};
use super::names::{Global, Member};
use super::symbols::Symbol;
use super::types::{domain_of, interval};
use crate::assembly::Entry;
use crate::diagnostic::Diagnostic;
use crate::ir::{
    self, Binder, Code, Domain, Expr, ExprKind, LocalId, Network, NetworkGround, NetworkId, Ty,
    Value, Walk, WalkWord,
};
use crate::source::Span;
use crate::syntax::ast;

impl<'a> Checker<'a> {
    pub(super) fn declare_network(&mut self, entry: &'a Entry<ast::NetworkDecl>) {
        let decl = &entry.item;
        let owner = decl
            .owner
            .as_ref()
            .and_then(|owner| self.owner_domain(owner));
        let id = NetworkId(self.rs.networks.len() as u32);
        self.note_replaced(entry, |old| &old.name, Symbol::Network(id));
        let name = decl.owner.as_ref().map_or_else(
            || decl.name.text.clone(),
            |owner| format!("{}.{}", owner.text, decl.name.text),
        );
        let ground = NetworkGround::Joins {
            part: Domain::Cell,
            column: NetworkGround::NEIGHBOURS,
        };
        self.rs.networks.push(Network {
            name,
            span: decl.name.span,
            owner,
            ground,
            condition: None,
            code: Code::default(),
        });
        let layer = entry.first_layer();
        match (owner, &decl.owner) {
            (Some(domain), _) => self.member(domain, &decl.name, Member::Network(id), layer),
            (None, None) => self.global(&decl.name, Global::Network(id), layer),
            (None, Some(owner)) => {
                let message = format!("there is no table `{}`", owner.text);
                self.report(Diagnostic::error("unknown-name", owner.span, message));
            }
        }
    }

    /// Grounds first: walks need to know what they go over.
    pub(super) fn network_grounds(&mut self) {
        for (at, entry) in self.asm.networks.iter().enumerate() {
            let id = NetworkId(at as u32);
            let done = match &entry.item.ground {
                ast::NetworkGround::Links {
                    element,
                    table,
                    from,
                    to,
                } => self.links(id, entry, element, table, (from, to)),
                ast::NetworkGround::Joins {
                    part,
                    column,
                    tiling,
                } => self.joins(id, part, column, tiling),
            };
            if done.is_none() {
                self.broken_networks.insert(id);
            }
        }
    }

    fn links(
        &mut self,
        id: NetworkId,
        entry: &'a Entry<ast::NetworkDecl>,
        element: &ast::Name,
        table: &ast::Name,
        ends: (&ast::Expr, &ast::Expr),
    ) -> Option<()> {
        let table = self.table_named(table)?;
        let owner = self.rs.networks[id.index()].owner;
        let mut body = Body::new(self, Node::Network(id), Mode::Pure);
        body.touch(Touched::Table(table), element.span);
        if let Some(owner) = owner {
            body.own(owner, entry.item.name.span);
        }
        let local = body.bind(element, Some(Ty::Element(Domain::Table(table))));
        let from = body.expr(ends.0, None).and_then(|end| body.require(end));
        let to = body.expr(ends.1, None).and_then(|end| body.require(end));
        let (from, to) = (from?, to?);
        let nodes = match (domain_of(&from.ty), domain_of(&to.ty)) {
            (Some(a), Some(b)) if a == b => a,
            _ => {
                let (a, b) = (body.k.in_words(&from.ty), body.k.in_words(&to.ty));
                body.error(
                    "wrong-type",
                    to.span,
                    format!("a link joins elements of one kind, not {a} and {b}"),
                );
                return None;
            }
        };
        let code = std::mem::take(&mut body.code);
        let network = &mut self.rs.networks[id.index()];
        network.ground = NetworkGround::Links {
            table,
            nodes,
            element: local,
            from,
            to,
        };
        network.code = code;
        Some(())
    }

    fn joins(
        &mut self,
        id: NetworkId,
        part: &ast::Name,
        column: &ast::Name,
        tiling: &ast::Name,
    ) -> Option<()> {
        if self.global_is(&tiling.text, tiling.span) != Some(Global::Tiling) {
            self.report(Diagnostic::error(
                "unknown-name",
                tiling.span,
                format!("there is no tiling `{}`", tiling.text),
            ));
            return None;
        }
        let positions = self.positions();
        let mut body = Body::new(self, Node::Network(id), Mode::Pure);
        let domain = body.domain(part, super::types::TypePlace::Code)?;
        let table = match domain {
            Domain::Part(table) => table,
            d if d == positions => body.k.rs.tiling.as_ref()?.tile?,
            _ => {
                body.error_help(
                    "wrong-type",
                    part.span,
                    format!("`{}` does not lie on the tiling", part.text),
                    "`cell`, or a table nested in the tile",
                );
                return None;
            }
        };
        let Some(found) = body.k.column(table, &column.text) else {
            body.k.no_column(table, column);
            return None;
        };
        body.touch(Touched::Column(table, found), column.span);
        body.k.note(column.span, Symbol::Column(table, found));
        body.k.note(tiling.span, Symbol::Tiling);
        if let Some(cell) = body
            .k
            .rs
            .tiling
            .as_ref()
            .and_then(|tiling| tiling.tile_cell)
        {
            body.touch(Touched::Read(cell), tiling.span);
        }
        let ty = body.k.rs.tables[table.index()].columns[found.index()]
            .ty
            .clone();
        if !matches!(ty, Ty::Set(Domain::Side | Domain::Port)) {
            let message = format!(
                "wanted a set of side or of port, found {}",
                body.k.in_words(&ty)
            );
            body.error("wrong-type", column.span, message);
            return None;
        }
        if let Some(owner) = self.rs.networks[id.index()].owner {
            let mut body = Body::new(self, Node::Network(id), Mode::Pure);
            body.own(owner, part.span);
            let code = std::mem::take(&mut body.code);
            self.rs.networks[id.index()].code = code;
        }
        self.rs.networks[id.index()].ground = NetworkGround::Joins {
            part: domain,
            column: found,
        };
        Some(())
    }

    pub(super) fn network_bodies(&mut self) {
        for (at, entry) in self.asm.networks.iter().enumerate() {
            let id = NetworkId(at as u32);
            if let Some(condition) = &entry.item.condition
                && !self.broken_networks.contains(&id)
            {
                self.network_condition(id, entry, condition);
            }
        }
    }

    fn network_condition(
        &mut self,
        id: NetworkId,
        entry: &'a Entry<ast::NetworkDecl>,
        condition: &'a ast::Expr,
    ) {
        let code = std::mem::take(&mut self.rs.networks[id.index()].code);
        let owner = self.rs.networks[id.index()].owner;
        let mut body = Body::new(self, Node::Network(id), Mode::Pure);
        if let Some(owner) = owner {
            body.own(owner, entry.item.name.span);
            body.code = Code::default();
        }
        body.code = code;
        if let ast::NetworkGround::Links { element, .. } = &entry.item.ground {
            let local = LocalId(u32::from(owner.is_some()));
            let ty = body
                .code
                .locals
                .get(local.index())
                .map(|local| local.ty.clone());
            body.vars.push(super::body::Var {
                name: element.text.clone(),
                value: ty.map(|ty| (ExprKind::Local(local), ty)),
                span: element.span,
                // The condition may hold what it takes the place of.
                layer: entry.first_layer(),
            });
        }
        let condition = body.condition(condition);
        let code = std::mem::take(&mut body.code);
        let network = &mut self.rs.networks[id.index()];
        network.condition = condition;
        network.code = code;
    }

    /// What a network's nodes are.
    pub(super) fn nodes(&self, id: NetworkId) -> Option<Domain> {
        if self.broken_networks.contains(&id) {
            return None;
        }
        Some(match &self.rs.networks[id.index()].ground {
            NetworkGround::Links { nodes, .. } => *nodes,
            NetworkGround::Joins { part, column } if *column == NetworkGround::NEIGHBOURS => {
                match part {
                    Domain::Cell => self.positions(),
                    other => *other,
                }
            }
            NetworkGround::Joins { part, .. } => *part,
        })
    }

    /// The tiling itself as a network: each position and its neighbours.
    pub(super) fn neighbours(&mut self) -> NetworkId {
        let column = NetworkGround::NEIGHBOURS;
        let known = |network: &Network| matches!(network.ground, NetworkGround::Joins { column: of, .. } if of == column);
        let declared = self.asm.networks.len();
        if let Some(at) = self.rs.networks.iter().skip(declared).position(known) {
            return NetworkId((declared + at) as u32);
        }
        let (name, span) = self.rs.tiling.as_ref().map_or(
            (String::new(), Span::new(crate::source::FileId(0), 0, 0)),
            |tiling| (tiling.name.clone(), tiling.span),
        );
        let ground = NetworkGround::Joins {
            part: self.positions(),
            column,
        };
        self.rs.networks.push(Network {
            name,
            span,
            owner: None,
            ground,
            condition: None,
            code: Code::default(),
        });
        NetworkId(self.rs.networks.len() as u32 - 1)
    }
}

impl Body<'_, '_> {
    pub fn network_call(
        &mut self,
        id: NetworkId,
        receiver: Option<Box<Expr>>,
        joins: bool,
        args: &[ast::Arg],
        span: Span,
    ) -> Option<Expr> {
        let nodes = self.k.nodes(id)?;
        let element = nodes.element_ty();
        let plain: Vec<&ast::Expr> = args.iter().map(|arg| &arg.value).collect();
        match (joins, plain.as_slice()) {
            (true, [a, b]) => {
                let (a, b) = (self.value(a, &element), self.value(b, &element));
                let kind = ExprKind::Joins(id, receiver, Box::new(a?), Box::new(b?));
                Some(Expr {
                    kind,
                    ty: Ty::Bool,
                    span,
                })
            }
            (false, [from]) => {
                let from = self.node_or_set(from, nodes)?;
                Some(Expr {
                    kind: ExprKind::Reach(id, receiver, Box::new(from)),
                    ty: Ty::Set(nodes),
                    span,
                })
            }
            _ => {
                let wanted = if joins {
                    "`joins` wants two nodes"
                } else {
                    "`reach` wants a node or a set of nodes"
                };
                self.error("wrong-arguments", span, wanted);
                None
            }
        }
    }

    /// A node or a set of nodes.
    fn node_or_set(&mut self, expr: &ast::Expr, nodes: Domain) -> Option<Expr> {
        let literal = matches!(expr.kind, ast::ExprKind::Braces(_));
        let hint = if literal {
            Ty::Set(nodes)
        } else {
            nodes.element_ty()
        };
        let found = self.expr(expr, Some(&hint))?;
        let found = self.require(found)?;
        if matches!(&found.ty, Ty::Set(domain) if *domain == nodes)
            || found.ty == nodes.element_ty()
        {
            return Some(found);
        }
        let message = format!(
            "wanted {} or a set of it, found {}",
            self.k.show_domain(nodes),
            self.k.in_words(&found.ty)
        );
        self.error("wrong-type", found.span, message);
        None
    }

    // -------------------------------------------------------------------------------------------- walks

    pub fn best_walk(&mut self, walk: &ast::Walk, span: Span) -> Option<Expr> {
        self.best(walk, span, Ty::optional)
    }

    /// None of the walkers may find a walk; then all of them together are worth nothing.
    pub fn best_walks(&mut self, walk: &ast::Walk, span: Span) -> Option<Expr> {
        if walk.by.is_none() {
            self.error_help(
                "wrong-arguments",
                span,
                "how many walks, or whose?",
                "`by 2`: two alike; `by t in trains`: one for each, as in `up to t.reach`",
            );
            return None;
        }
        self.best(walk, span, |ty| ty)
    }

    fn best(&mut self, walk: &ast::Walk, span: Span, ty: impl Fn(Ty) -> Ty) -> Option<Expr> {
        if walk.max.is_none() {
            self.error_help(
                "wrong-arguments",
                span,
                "the best by what?",
                "`max E`: the sum of E over the steps",
            );
        }
        let (walk, nodes) = self.scoped(|body| body.walk(walk))?;
        if !ends(&walk) {
            self.error_help(
                "endless",
                walk.span,
                "nothing bounds this walk: it can go to and fro, and its sum grows without end",
                "`where unused` uses each link once, `where fresh` enters each node once, `up to n` takes at most n steps",
            );
        }
        Some(Expr {
            kind: ExprKind::BestWalk(Box::new(walk)),
            ty: ty(Ty::Walk(nodes)),
            span,
        })
    }

    pub fn distance(&mut self, walk: &ast::Walk, span: Span) -> Option<Expr> {
        if walk.from.is_none() || walk.to.is_none() {
            self.error_help(
                "wrong-arguments",
                span,
                "a distance is from somewhere to somewhere",
                "`distance on N from a to b`; either may be a set, then the nearest of it counts",
            );
            return None;
        }
        let (walk, _) = self.scoped(|body| body.walk(walk))?;
        let ty = Ty::Int {
            low: Some(0),
            high: None,
        };
        Some(Expr {
            kind: ExprKind::Distance(Box::new(walk)),
            ty: ty.optional(),
            span,
        })
    }

    pub fn ends_of_walk(&mut self, walk: &ast::Walk, span: Span) -> Option<Expr> {
        let (walk, nodes) = self.scoped(|body| body.walk(walk))?;
        Some(Expr {
            kind: ExprKind::EndsOfWalk(Box::new(walk)),
            ty: Ty::Set(nodes),
            span,
        })
    }

    /// A walk's clauses; leaves the walk's words bound, the caller gives the scope.
    pub fn walk(&mut self, walk: &ast::Walk) -> Option<(Walk, Domain)> {
        let (network, receiver) = self.walk_network(&walk.network)?;
        let nodes = self.k.nodes(network)?;
        let by = match &walk.by {
            None => Some(None),
            Some(by) => self.walkers(by).map(Some),
        };
        let from = match &walk.from {
            Some(from) => self.node_or_set(from, nodes),
            None => Some(self.all_nodes(nodes, walk.span)),
        };
        let to = self.clause(walk.to.as_ref(), |body, to| body.node_or_set(to, nodes));
        let up_to = self.clause(walk.up_to.as_ref(), |body, up_to| body.amount(up_to, 0));
        let at_least = self.clause(walk.at_least.as_ref(), |body, least| body.amount(least, 0));
        self.walk_words(network, nodes, walk.span, true);
        let where_ = self.clause(walk.where_.as_ref(), Self::condition);
        let need = self.clause(walk.need.as_ref(), Self::condition);
        let max = self.clause(walk.max.as_ref(), Self::number);
        let walk = Walk {
            network,
            by: by?,
            receiver: receiver.map(|receiver| *receiver),
            from: from?,
            to: to?,
            up_to: up_to?,
            at_least: at_least?,
            where_: where_?,
            need: need?,
            max: max?,
            span: walk.span,
        };
        Some((walk, nodes))
    }

    /// So many alike are one for each number from 1 on.
    fn walkers(&mut self, by: &ast::Walkers) -> Option<Binder> {
        let (local, source, span) = match by {
            ast::Walkers::Each(name, source) => {
                let span = source.span;
                let found = self.source(source, false);
                let local = self.bind(name, found.as_ref().map(|found| found.element.clone()));
                let source = found?.expr;
                if matches!(source.kind, ExprKind::Parts(_)) {
                    let message = "one walk for each element, not for each part";
                    self.error("wrong-type", span, message);
                    return None;
                }
                (local, source, name.span)
            }
            ast::Walkers::Alike(many) => {
                let many = self.amount(many, 1)?;
                let span = many.span;
                let element = Ty::Int {
                    low: Some(1),
                    high: interval(&many.ty).1.map(|high| high.max(1)),
                };
                let ty = Ty::Set(domain_of(&element)?);
                let local = self.hidden_local("", element, span);
                let one = Expr {
                    kind: ExprKind::Const(Value::Int(1)),
                    ty: Ty::INT,
                    span,
                };
                let source = Expr {
                    kind: ExprKind::Range(Box::new(one), Box::new(many)),
                    ty,
                    span,
                };
                (local, source, span)
            }
        };
        Some(Binder {
            local,
            source,
            conditions: Vec::new(),
            by: Vec::new(),
            from: None,
            up_to: None,
            span,
        })
    }

    fn all_nodes(&self, nodes: Domain, span: Span) -> Expr {
        match nodes {
            Domain::Part(table) => Expr {
                kind: ExprKind::OnBoard(table),
                ty: Ty::Set(nodes),
                span,
            },
            _ => super::access::all_of(nodes, span),
        }
    }

    #[allow(clippy::type_complexity)]
    fn walk_network(&mut self, network: &ast::Expr) -> Option<(NetworkId, Option<Box<Expr>>)> {
        match self.head(network, None)? {
            Head::Network(id, receiver) => Some((id, receiver)),
            Head::Tiling => Some((self.k.neighbours(), None)),
            _ => {
                let text = self.k.slice(network.span).to_owned();
                self.error(
                    "wrong-type",
                    network.span,
                    format!("`{text}` is no network"),
                );
                None
            }
        }
    }

    /// `here`, `next`, `link`, …: names of the innermost ring.
    pub fn walk_words(&mut self, network: NetworkId, nodes: Domain, span: Span, clauses: bool) {
        let node = nodes.element_ty();
        let word = |word: WalkWord| ExprKind::WalkWord(word);
        let steps = Ty::Int {
            low: Some(0),
            high: None,
        };
        self.bind_word("here", word(WalkWord::Here), node.clone(), span);
        self.bind_word("steps", word(WalkWord::Steps), steps, span);
        self.bind_word("nodes", word(WalkWord::Nodes), Ty::Set(nodes), span);
        match &self.k.rs.networks[network.index()].ground {
            ir::NetworkGround::Links { table, .. } => {
                let link = Ty::Element(Domain::Table(*table));
                self.bind_word("link", word(WalkWord::Link), link, span);
            }
            ir::NetworkGround::Joins { .. } => {
                self.bind_word(
                    "side",
                    word(WalkWord::Side),
                    Ty::Element(Domain::Side),
                    span,
                );
                if clauses {
                    self.bind_word("straight", word(WalkWord::Straight), Ty::Bool, span);
                }
            }
        }
        if clauses {
            self.bind_word("next", word(WalkWord::Next), node, span);
            self.bind_word("fresh", word(WalkWord::Fresh), Ty::Bool, span);
            self.bind_word("unused", word(WalkWord::Unused), Ty::Bool, span);
            self.bind_word("onward", word(WalkWord::Onward), Ty::Bool, span);
        }
    }
}

/// Whether something may keep a best walk from growing without end. A condition on the node or the link of a step alone
/// does not: what may be gone once may be gone again, and back.
fn ends(walk: &Walk) -> bool {
    let grows = |max: &Expr| !matches!(max.ty, Ty::Int { high: Some(high), .. } if high <= 0);
    if walk.up_to.is_some() || !walk.max.as_ref().is_some_and(grows) {
        return true;
    }
    let mut words = Vec::new();
    if let Some(condition) = &walk.where_ {
        note_words(condition, &mut words);
    }
    let reads = |word| words.contains(&word);
    let past = [
        WalkWord::Fresh,
        WalkWord::Unused,
        WalkWord::Nodes,
        WalkWord::Steps,
        WalkWord::Onward,
        WalkWord::Straight,
        WalkWord::Side,
    ];
    past.into_iter().any(reads)
        || reads(WalkWord::Here) && (reads(WalkWord::Next) || reads(WalkWord::Link))
}

fn note_words(expr: &Expr, words: &mut Vec<WalkWord>) {
    if let ExprKind::WalkWord(word) = expr.kind {
        words.push(word);
    }
    for child in super::visit::children(expr) {
        note_words(child, words);
    }
}
