//! What carries the ids of numbered rules, whether a game can come to it, and whose ids go for what has none.

use std::collections::{BTreeMap, BTreeSet};

use super::Checker;
use super::formulas::Origin;
use super::graph::{Node, Touched, Use};
use crate::assembly::{Entry, Lent, full};
use crate::ir::{
    ActionId, CellId, CellOwner, Domain, FormulaId, GridId, NetworkId, OptionId, TableId, TagUse,
    Ty,
};
use crate::source::Span;
use crate::syntax::ast;

impl Checker<'_> {
    /// Notes where rule ids stand.
    pub(super) fn tag_uses(&mut self, by_node: &BTreeMap<Node, Vec<Use>>) {
        let asm = self.asm;
        let mut tags = Tags {
            reached: self.come_to(by_node),
            found: Vec::new(),
        };
        let first_cell = self.first_cell as u32;
        // Types, boards and laws hold as long as they stand there.
        tags.of(&asm.enums, |_| None);
        tags.of(&asm.tilings, |_| None);
        tags.of(&asm.rules, |_| None);
        tags.of(&asm.whens, |_| None);
        tags.of(&asm.scores, |_| None);
        tags.of(&asm.options, |at| Some(Node::Option(OptionId(at))));
        tags.of(&asm.tables, |at| Some(Node::Table(TableId(at))));
        tags.of(&asm.grids, |at| Some(Node::Grid(GridId(at))));
        tags.of(&asm.cells, |at| Some(Node::Cell(CellId(first_cell + at))));
        let declared = |at: u32| {
            let span = asm.formulas.get(at as usize)?.item.name.span;
            let at = self.rs.formulas.iter().position(|one| one.span == span)?;
            Some(Node::Formula(FormulaId(at as u32)))
        };
        tags.of(&asm.formulas, declared);
        tags.of(&asm.networks, |at| Some(Node::Network(NetworkId(at))));
        tags.of(&asm.actions, |at| Some(Node::Action(ActionId(at))));
        for entry in &asm.scores {
            tags.all(&entry.item.tags, entry.item.span, None);
        }
        for entry in &asm.whens {
            tags.inside(&entry.item.body, None);
        }
        for (at, entry) in (0..).zip(&asm.actions) {
            if let ast::ActionBody::Steps(block) = &entry.item.body {
                tags.inside(block, Some(Node::Action(ActionId(at))));
            }
        }
        if let Some(flow) = &asm.flow {
            tags.all(&flow.tags, flow.span, None);
            tags.inside(&flow.item, None);
        }
        if let Some(win) = &asm.win {
            tags.all(&win.tags, win.span, None);
        }
        self.rs.tags = tags.found;
        // What stands in several bodies is come to if it is in one.
        let tags = &mut self.rs.tags;
        tags.sort_by_key(|tag| (tag.span, !tag.reached));
        tags.dedup_by_key(|tag| tag.span);
        self.rs.lent = self.lent();
    }

    /// What an overlay or whoever plays may change without naming a rule: options, formulas and columns without ids of their
    /// own, each with the ids of the places that read it.
    fn lent(&self) -> Lent {
        let asm = self.asm;
        let options = || asm.options.iter().flat_map(|entry| &entry.item.sets);
        let is_changed = asm.layers.iter().any(|layer| layer.overlay)
            || options().any(|set| set.layer.is_none());
        if !is_changed {
            return Lent::new();
        }
        let mut readings: BTreeMap<Touched, Vec<&Use>> = BTreeMap::new();
        for one in self.graph.readings() {
            readings.entry(one.what).or_default().push(one);
        }
        let bare = |spans: &[Span]| {
            let mut written = asm.written.iter();
            !written.any(|one| {
                let mut spans = spans.iter();
                spans.any(|span| span.file == one.carrier.file && *span == one.carrier)
            })
        };
        let mut named: BTreeMap<FormulaId, String> = BTreeMap::new();
        for entry in &asm.formulas {
            let chain = std::iter::once(entry).chain(&entry.replaced);
            let spans: Vec<Span> = chain.clone().map(|one| one.span).collect();
            // An overlay's ids are not those of what it replaces.
            let own: Vec<Span> = match asm.is_overlay(entry.layer) {
                true => spans[1..].to_vec(),
                false => spans,
            };
            if !bare(&own) {
                continue;
            }
            let name = full(entry.item.owner.as_ref(), &entry.item.name);
            let places: Vec<Span> = chain.map(|one| one.item.name.span).collect();
            let formulas = (0..).map(FormulaId).zip(&self.rs.formulas);
            let ids = formulas.filter(|(_, formula)| places.contains(&formula.span));
            named.extend(ids.map(|(id, _)| (id, name.clone())));
        }
        let lender = Lender {
            checker: self,
            readings: &readings,
            named: &named,
        };
        let mut lent = Lent::new();
        for what in readings.keys() {
            let name = match *what {
                Touched::Node(Node::Formula(id)) => named.get(&id).cloned(),
                Touched::Option(id) => {
                    let entry = asm.options.get(id.index());
                    let entry = entry.filter(|entry| bare(&[entry.span]));
                    entry.map(|entry| entry.item.decl.name.text.clone())
                }
                Touched::Column(table, column) => {
                    let table = &self.rs.tables[table.index()];
                    let column = table.columns.get(column.index());
                    column.map(|column| format!("{}.{}", table.name, column.name))
                }
                _ => None,
            };
            if let Some(name) = name {
                let ids = lender.of(*what, &mut BTreeSet::new());
                lent.entry(name).or_default().extend(ids);
            }
        }
        lent
    }

    /// All that a game can come to, from the flow, the laws and the scores on: what runs, and what that reads and changes.
    fn come_to(&self, by_node: &BTreeMap<Node, Vec<Use>>) -> BTreeSet<Node> {
        let roots = self.roots().into_iter().map(|(node, _, _)| node);
        let mut open: Vec<Node> = roots
            // What bots like is no rule.
            .filter(|node| !matches!(node, Node::Strategy(_)))
            .chain([Node::Outside])
            .collect();
        // Formulas that nobody declared are values of rows, which are called without a name.
        let formulas = (0..).map(FormulaId).zip(&self.formulas);
        let values = formulas.filter(|(_, (_, origin))| !matches!(origin, Origin::Declared { .. }));
        open.extend(values.map(|(id, _)| Node::Formula(id)));
        let mut seen: BTreeSet<Node> = open.iter().copied().collect();
        while let Some(node) = open.pop() {
            let uses = by_node.get(&node).into_iter().flatten();
            let used = uses.filter_map(|one| node_of(one.what));
            for next in used.chain(self.of_types(node)) {
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        seen
    }

    /// The tables of which a cell or the columns of a table are made.
    fn of_types(&self, node: Node) -> Vec<Node> {
        let rs = &self.rs;
        let tables: Vec<Option<TableId>> = match node {
            Node::Cell(id) => {
                let cell = &rs.cells[id.index()];
                let owner = match cell.owner {
                    CellOwner::Each(domain) => Some(domain),
                    _ => None,
                };
                let domains = owner.into_iter().chain(cell.indices.iter().copied());
                domains.map(table_of).chain([table_in(&cell.ty)]).collect()
            }
            Node::Table(id) => {
                let columns = rs.tables[id.index()].columns.iter();
                columns.map(|column| table_in(&column.ty)).collect()
            }
            _ => Vec::new(),
        };
        tables.into_iter().flatten().map(Node::Table).collect()
    }
}

/// Finds the ids of what reads a value.
struct Lender<'c, 'a> {
    checker: &'c Checker<'a>,
    readings: &'c BTreeMap<Touched, Vec<&'c Use>>,
    /// Formulas without ids.
    named: &'c BTreeMap<FormulaId, String>,
}

impl Lender<'_, '_> {
    /// Those of the places that read it; of a formula without any those of what reads that.
    fn of(&self, what: Touched, met: &mut BTreeSet<Touched>) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        if !met.insert(what) {
            return found;
        }
        for one in self.readings.get(&what).into_iter().flatten() {
            // What bots like is no rule.
            if matches!(one.from, Node::Strategy(_) | Node::Outside) {
                continue;
            }
            let (asm, sources) = (self.checker.asm, self.checker.sources);
            let ids = asm.ids_at(sources, one.span);
            match one.from {
                Node::Formula(id) if ids.is_empty() && self.named.contains_key(&id) => {
                    found.extend(self.of(Touched::Node(one.from), met));
                }
                _ => found.extend(ids),
            }
        }
        found
    }
}

struct Tags {
    reached: BTreeSet<Node>,
    found: Vec<TagUse>,
}

impl Tags {
    /// `node` says which piece of code a declaration is; none: it holds in any case.
    fn of<T>(&mut self, entries: &[Entry<T>], node: impl Fn(u32) -> Option<Node>) {
        for (at, entry) in (0..).zip(entries) {
            self.all(&entry.tags, entry.span, node(at));
        }
    }

    fn all(&mut self, tags: &[ast::Tag], carrier: Span, node: Option<Node>) {
        let reached = node.is_none_or(|node| self.reached.contains(&node));
        for tag in tags {
            self.found.push(TagUse {
                id: tag.text.clone(),
                span: tag.span,
                carrier,
                reached,
            });
        }
    }

    fn inside(&mut self, block: &ast::Block, node: Option<Node>) {
        for statement in &block.statements {
            self.all(&statement.tags, statement.span, node);
            if let ast::StatementKind::OneOf { items, .. } = &statement.kind {
                for item in items {
                    self.all(&item.tags, item.span, node);
                }
            }
            for inner in statement.kind.blocks() {
                self.inside(inner, node);
            }
        }
    }
}

/// The piece of code, or the declaration, that is touched.
fn node_of(what: Touched) -> Option<Node> {
    Some(match what {
        Touched::Node(node) => node,
        Touched::Read(cell) | Touched::Write(cell) => Node::Cell(cell),
        Touched::Column(table, _) | Touched::Table(table) => Node::Table(table),
        Touched::Option(option) => Node::Option(option),
        Touched::Grid(grid) => Node::Grid(grid),
        Touched::ActionValue(action) => Node::Action(action),
        Touched::Enum(_) | Touched::Scope(_) => return None,
    })
}

fn table_of(domain: Domain) -> Option<TableId> {
    match domain {
        Domain::Table(id) | Domain::Part(id) => Some(id),
        _ => None,
    }
}

fn table_in(ty: &Ty) -> Option<TableId> {
    match ty {
        Ty::Element(domain)
        | Ty::Set(domain)
        | Ty::Bag(domain)
        | Ty::Deck(domain)
        | Ty::Row(domain)
        | Ty::Walk(domain)
        | Ty::Formula { of: domain, .. } => table_of(*domain),
        Ty::List(of) | Ty::Optional(of) => table_in(of),
        Ty::Int { .. } | Ty::Bool | Ty::Text | Ty::Effect(_) | Ty::Agenda => None,
    }
}
