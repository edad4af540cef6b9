//! Cells of steps and actions are reached only from inside; nothing that follows from itself.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::Checker;
use super::graph::{Node, Touched, Use};
use crate::diagnostic::Diagnostic;
use crate::ir::{
    ActionId, CellId, CellOwner, FormulaId, LabelId, NetworkId, RuleId, ScoreId, WhenId,
};
use crate::source::Span;

/// Where code begins that nobody calls, with the labels around it.
pub(super) type Root = (Node, Vec<LabelId>, Span);

impl Checker<'_> {
    pub(super) fn scopes(&mut self, by_node: &BTreeMap<Node, Vec<Use>>) {
        let owners: BTreeSet<CellOwnerKey> = self
            .rs
            .cells
            .iter()
            .filter_map(|cell| CellOwnerKey::of(cell.owner))
            .collect();
        let scoped: BTreeSet<ActionId> = self
            .graph
            .uses
            .iter()
            .filter_map(|one| {
                if let Touched::Scope(action) = one.what {
                    Some(action)
                } else {
                    None
                }
            })
            .collect();
        let all: BTreeSet<CellOwnerKey> = owners
            .into_iter()
            .chain(
                scoped
                    .into_iter()
                    .map(|action| CellOwnerKey::Action(action.0)),
            )
            .collect();
        let roots = self.roots();
        for owner in all {
            self.scope_of(owner, by_node, &roots);
        }
    }

    /// Uses by the code they stand in.
    pub(super) fn by_node(&self) -> BTreeMap<Node, Vec<Use>> {
        let mut all: BTreeMap<Node, Vec<Use>> = BTreeMap::new();
        for one in &self.graph.uses {
            all.entry(one.from).or_default().push(one.clone());
        }
        let mut effects: BTreeMap<Option<ActionId>, Vec<Node>> = BTreeMap::new();
        for (at, effect) in self.rs.effects.iter().enumerate() {
            effects
                .entry(effect.scope)
                .or_default()
                .push(Node::Effect(crate::ir::EffectId(at as u32)));
        }
        for (scope, nodes) in effects {
            for node in nodes {
                all.entry(Node::Effects(scope))
                    .or_default()
                    .push(use_of(Node::Effects(scope), node));
            }
        }
        let values: BTreeSet<ActionId> = self
            .graph
            .uses
            .iter()
            .filter_map(|one| {
                if let Touched::ActionValue(id) = one.what {
                    Some(id)
                } else {
                    None
                }
            })
            .collect();
        for action in values {
            all.entry(Node::ActionValues)
                .or_default()
                .push(use_of(Node::ActionValues, Node::Action(action)));
        }
        all
    }

    pub(super) fn roots(&self) -> Vec<Root> {
        let nowhere = Span::new(self.asm.manifest.file, 0, 0);
        let mut roots: Vec<Root> = vec![
            (Node::Flow, Vec::new(), nowhere),
            (Node::Win, Vec::new(), nowhere),
        ];
        for (at, when) in self.asm.whens.iter().enumerate() {
            roots.push((Node::When(WhenId(at as u32)), Vec::new(), when.span));
        }
        for (at, line) in self.asm.scores.iter().enumerate() {
            roots.push((Node::Score(ScoreId(at as u32)), Vec::new(), line.span));
        }
        for (at, strategy) in self.asm.strategies.iter().enumerate() {
            roots.push((Node::Strategy(at as u32), Vec::new(), strategy.span));
        }
        for (at, rule) in self.rs.rules.iter().enumerate() {
            let labels = rule.after.map_or_else(Vec::new, |label| self.around(label));
            roots.push((Node::Rule(RuleId(at as u32)), labels, rule.span));
        }
        for (at, action) in self.rs.actions.iter().enumerate() {
            if let Some(anytime) = action.anytime {
                let labels = anytime
                    .during
                    .map_or_else(Vec::new, |label| self.around(label));
                roots.push((Node::Action(ActionId(at as u32)), labels, action.span));
            }
        }
        roots
    }

    /// A label and the labels that are always around it.
    fn around(&self, label: LabelId) -> Vec<LabelId> {
        let mut common: Option<BTreeSet<LabelId>> = None;
        for (_, _, outer) in self.graph.labels.iter().filter(|(id, _, _)| *id == label) {
            let outer: BTreeSet<LabelId> = outer.iter().copied().collect();
            common = Some(common.map_or(outer.clone(), |before| {
                before.intersection(&outer).copied().collect()
            }));
        }
        common
            .unwrap_or_default()
            .into_iter()
            .chain([label])
            .collect()
    }

    /// Walks from the roots without entering the owner: what is met must not touch its cells.
    fn scope_of(
        &mut self,
        owner: CellOwnerKey,
        by_node: &BTreeMap<Node, Vec<Use>>,
        roots: &[Root],
    ) {
        let mut seen: BTreeSet<Node> = BTreeSet::new();
        let mut queue: VecDeque<Node> = VecDeque::new();
        for (node, labels, _) in roots {
            if !owner.is_in(labels) && !owner.is_node(*node) && seen.insert(*node) {
                queue.push_back(*node);
            }
        }
        let mut found: Vec<(Span, Touched)> = Vec::new();
        while let Some(node) = queue.pop_front() {
            for one in by_node.get(&node).into_iter().flatten() {
                if owner.is_in(&one.labels) {
                    continue;
                }
                match one.what {
                    Touched::Read(cell) | Touched::Write(cell) if self.owned_by(cell, owner) => {
                        found.push((one.span, one.what))
                    }
                    Touched::Scope(action) if owner == CellOwnerKey::Action(action.0) => {
                        found.push((one.span, one.what))
                    }
                    Touched::Node(next) if !owner.is_node(next) && seen.insert(next) => {
                        queue.push_back(next)
                    }
                    _ => {}
                }
            }
        }
        found.sort_by_key(|(span, _)| *span);
        found.dedup_by_key(|(span, _)| *span);
        for (span, what) in found {
            self.outside(owner, span, what);
        }
    }

    fn owned_by(&self, cell: CellId, owner: CellOwnerKey) -> bool {
        CellOwnerKey::of(self.rs.cells[cell.index()].owner) == Some(owner)
    }

    /// The cell counts what `another` gives.
    pub(super) fn gives_passes(&self, cell: CellId) -> bool {
        let mut labels = self.rs.labels.iter();
        labels.any(|label| label.another == Some(cell))
    }

    fn outside(&mut self, owner: CellOwnerKey, span: Span, what: Touched) {
        let name = match owner {
            CellOwnerKey::Step(label) => self.rs.labels[label as usize].name.clone(),
            CellOwnerKey::Action(action) => self.rs.actions[action as usize].name.clone(),
        };
        let message = match what {
            Touched::Write(cell) if self.gives_passes(cell) => {
                format!("`another {name}` is for the pass of `{name}` that runs")
            }
            Touched::Read(cell) | Touched::Write(cell) => format!(
                "`{}` is only there while `{name}` runs",
                self.rs.cells[cell.index()].name
            ),
            _ => format!("this effect uses cells of `{name}`, and `{name}` need not run here"),
        };
        let mut diagnostic = Diagnostic::error("outside-scope", span, message)
            .help(format!("the code here can run outside of `{name}`"));
        if let Touched::Read(cell) | Touched::Write(cell) = what
            && !self.gives_passes(cell)
        {
            diagnostic = diagnostic.label(self.rs.cells[cell.index()].span, "declared here");
        }
        self.report(diagnostic);
    }

    // -------------------------------------------------------------------------------------------- cycles

    /// Networks and start values that need themselves; formulas have been found already.
    pub(super) fn cycles(&mut self) {
        let mut edges: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
        for one in &self.graph.uses {
            let pure = matches!(
                one.from,
                Node::Formula(_) | Node::Network(_) | Node::Cell(_) | Node::Score(_)
            );
            let to = match one.what {
                Touched::Node(to @ (Node::Formula(_) | Node::Network(_) | Node::Score(_))) => {
                    Some(to)
                }
                // Only a start value waits for another one; what formulas read of the running game does not matter.
                Touched::Read(cell)
                    if matches!(
                        one.from,
                        Node::Cell(_) | Node::Formula(_) | Node::Network(_)
                    ) =>
                {
                    Some(Node::Cell(cell))
                }
                _ => None,
            };
            if let (true, Some(to)) = (pure, to) {
                edges.entry(one.from).or_default().push(to);
            }
        }
        let mut done: BTreeSet<Node> = BTreeSet::new();
        let starts: Vec<Node> = edges.keys().copied().collect();
        for start in starts {
            let mut path = Vec::new();
            self.cycle_from(start, &edges, &mut done, &mut path);
        }
    }

    fn cycle_from(
        &mut self,
        start: Node,
        edges: &BTreeMap<Node, Vec<Node>>,
        done: &mut BTreeSet<Node>,
        path: &mut Vec<Node>,
    ) {
        // An explicit stack: formulas can be many deep.
        let mut stack: Vec<(Node, usize)> = vec![(start, 0)];
        if !done.insert(start) {
            return;
        }
        path.push(start);
        while let Some((node, at)) = stack.pop() {
            let Some(next) = edges.get(&node).and_then(|all| all.get(at)).copied() else {
                path.pop();
                continue;
            };
            stack.push((node, at + 1));
            if let Some(from) = path.iter().position(|seen| *seen == next) {
                let cycle = path[from..].to_vec();
                self.report_cycle(&cycle);
            } else if done.insert(next) {
                path.push(next);
                stack.push((next, 0));
            }
        }
    }

    fn report_cycle(&mut self, cycle: &[Node]) {
        let only_formulas = cycle.iter().all(|node| matches!(node, Node::Formula(_)));
        let has_start = cycle.iter().all(
            |node| !matches!(node, Node::Cell(id) if self.rs.cells[id.index()].start.is_none()),
        );
        if only_formulas || !has_start {
            return;
        }
        let name = |node: &Node| match node {
            Node::Formula(FormulaId(id)) => self.rs.formulas[*id as usize].name.clone(),
            Node::Network(NetworkId(id)) => self.rs.networks[*id as usize].name.clone(),
            Node::Score(id) => format!("score {}", self.asm.scores[id.index()].item.name.text),
            Node::Cell(id) => format!("start of {}", self.rs.cells[id.index()].name),
            _ => String::new(),
        };
        let span = |node: &Node| match node {
            Node::Formula(FormulaId(id)) => self.rs.formulas[*id as usize].span,
            Node::Network(NetworkId(id)) => self.rs.networks[*id as usize].span,
            Node::Cell(id) => self.rs.cells[id.index()].span,
            Node::Score(id) => self.asm.scores[id.index()].span,
            _ => Span::new(self.asm.manifest.file, 0, 0),
        };
        let mut words: Vec<String> = cycle
            .iter()
            .map(|node| format!("`{}`", name(node)))
            .collect();
        words.push(words[0].clone());
        let mut diagnostic = Diagnostic::error(
            "cycle",
            span(&cycle[0]),
            format!("this needs itself: {}", words.join(" → ")),
        );
        for node in &cycle[1..] {
            diagnostic = diagnostic.label(span(node), format!("`{}`", name(node)));
        }
        self.report(diagnostic);
    }
}

/// Owners of cells that come and go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CellOwnerKey {
    Step(u32),
    Action(u32),
}

impl CellOwnerKey {
    fn of(owner: CellOwner) -> Option<CellOwnerKey> {
        match owner {
            CellOwner::Step(label) => Some(CellOwnerKey::Step(label.0)),
            CellOwner::Action(action) => Some(CellOwnerKey::Action(action.0)),
            CellOwner::Game | CellOwner::Each(_) => None,
        }
    }

    fn is_in(self, labels: &[LabelId]) -> bool {
        matches!(self, CellOwnerKey::Step(label) if labels.iter().any(|one| one.0 == label))
    }

    fn is_node(self, node: Node) -> bool {
        matches!((self, node), (CellOwnerKey::Action(action), Node::Action(id)) if id.0 == action)
    }
}

fn use_of(from: Node, to: Node) -> Use {
    Use {
        from,
        what: Touched::Node(to),
        span: Span::new(crate::source::FileId(0), 0, 0),
        labels: std::rc::Rc::from([]),
    }
}
