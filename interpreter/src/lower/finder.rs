//! Which words of the state expressions depend on: walked with the values of some locals known. Whatever index can be computed
//! then is exact, of one that is one of a few each is taken, everything else stands for the whole cell.

use super::watch::binding_values;
use crate::Program;
use crate::machine::Machine;
use crate::network::bits;
use crate::program::*;
use dsl::ir::AggregateOp;
use std::collections::BTreeMap;

/// Expressions inside one another beyond which everything counts as read.
const DEPTH_MAX: u32 = 48;
/// Combinations of elements that are told apart.
const SPREAD_MAX: usize = 4096;

/// Known values of frame offsets.
pub(super) type Known = BTreeMap<u32, i32>;

/// Words of the state: a bit for each.
#[derive(Clone, Debug, Default)]
pub(super) struct Words(Vec<u32>);

impl Words {
    pub fn new() -> Words {
        Words::default()
    }

    pub fn insert(&mut self, word: u32) {
        self.make_room(bits::words(word + 1));
        bits::insert(&mut self.0, word);
    }

    pub fn insert_all(&mut self, others: &Words) {
        self.make_room(others.0.len());
        for (own, other) in self.0.iter_mut().zip(&others.0) {
            *own |= other;
        }
    }

    fn make_room(&mut self, len: usize) {
        if self.0.len() < len {
            self.0.resize(len, 0);
        }
    }

    /// Ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        bits::iter(&self.0)
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
}

impl FromIterator<u32> for Words {
    fn from_iter<I: IntoIterator<Item = u32>>(all: I) -> Words {
        let mut words = Words::new();
        words.extend(all);
        words
    }
}

impl Extend<u32> for Words {
    fn extend<I: IntoIterator<Item = u32>>(&mut self, words: I) {
        words.into_iter().for_each(|word| self.insert(word));
    }
}

/// Finds what expressions depend on.
pub(super) struct Finder<'p> {
    machine: Machine<'p>,
    program: &'p Program,
    networks: BTreeMap<(u32, i32), Words>,
    /// The same of formulas, by what is known of what they are given.
    calls: BTreeMap<(ProcId, Known), Words>,
    /// Of each node that was asked about the locals that tell what it comes to; none where they do not.
    told_by: Vec<Option<Option<Box<[u32]>>>>,
    /// Combinations of elements that are being told apart.
    spread: usize,
}

impl<'p> Finder<'p> {
    pub fn new(program: &'p Program) -> Finder<'p> {
        Finder {
            machine: Machine::bare(program),
            program,
            networks: BTreeMap::new(),
            calls: BTreeMap::new(),
            told_by: vec![None; program.nodes.len()],
            spread: 1,
        }
    }

    /// Adds the words that an expression depends on where these locals are known.
    pub fn expression(&mut self, node: NodeId, known: &Known, words: &mut Words) {
        self.node(node, known, words, 0);
    }

    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The first word of the slot that a place stands for, if these locals tell.
    pub fn place(&mut self, place: &Place, known: &Known) -> Option<u32> {
        let args = self.args(place.args);
        self.first_word(place.cell, &args, known)
    }

    /// The same of a cell with these indices.
    pub fn first_word(&mut self, cell: Slot, args: &[NodeId], known: &Known) -> Option<u32> {
        let cell = &self.program.cells[cell.at()];
        let mut at = 0;
        for (arg, (low, n, stride)) in args.iter().zip(&cell.dims) {
            let index = self.value(*arg, known)?.wrapping_sub(*low) as u32;
            at += (index < *n).then_some(index * stride)?;
        }
        Some(cell.base + at * cell.words)
    }

    pub fn binding(&mut self, bindings: &Bindings, binding: u32, condition: NodeId) -> Words {
        let mut known = Known::new();
        for (local, value) in binding_values(bindings, binding) {
            known.insert(local, value);
        }
        let mut words = Words::new();
        if let Some(guard) = bindings.guard {
            if self.truth(guard, &known) == Some(false) {
                return words;
            }
            self.node(guard, &known, &mut words, 0);
        }
        self.node(condition, &known, &mut words, 0);
        words
    }

    /// The truth of a condition, where the known values alone tell it.
    pub(super) fn truth(&mut self, node: NodeId, known: &Known) -> Option<bool> {
        let program = self.program;
        match program.nodes[node.at()] {
            Node::And(a, b) => match (self.truth(a, known), self.truth(b, known)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Node::Or(a, b) => match (self.truth(a, known), self.truth(b, known)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            Node::Not(a) => self.truth(a, known).map(|holds| !holds),
            // Of nothing.
            Node::Aggregate(id) => {
                let aggregate = &program.aggregates[id.at()];
                let source = program.binders[aggregate.binders.first()?.at()].source;
                match (aggregate.op, source) {
                    (AggregateOp::No | AggregateOp::Every, Source::Container(node)) => {
                        self.items_of(node, known)?.is_empty().then_some(true)
                    }
                    (AggregateOp::Some, Source::Container(node)) => {
                        self.items_of(node, known)?.is_empty().then_some(false)
                    }
                    _ => None,
                }
            }
            _ => self.value(node, known).map(|value| value != 0),
        }
    }

    /// What all bindings together depend on.
    pub(super) fn unbound(&mut self, bindings: &Bindings, condition: NodeId) -> Words {
        let mut words = Words::new();
        for node in bindings.guard.into_iter().chain([condition]) {
            self.node(node, &Known::new(), &mut words, 0);
        }
        words
    }

    /// Words the links of a network depend on.
    pub(super) fn network(&mut self, network: u32, owner: i32) -> Words {
        if let Some(words) = self.networks.get(&(network, owner)) {
            return words.clone();
        }
        // A network that asks itself is refused by the checker; the empty entry only bounds the recursion.
        self.networks.insert((network, owner), Words::new());
        let program = self.program;
        let code = &program.networks[network as usize];
        let mut words = Words::new();
        if let NetworkKind::Joins { .. } = code.kind
            && let Some(tiling) = &program.tiling
        {
            for slot in [tiling.tile_cell, tiling.turn_cell].into_iter().flatten() {
                self.cell(slot, &mut words);
            }
        }
        if let Some(condition) = code.condition {
            let of_each = code.bindings.count / code.owners.max(1);
            let first = owner as u32 * of_each;
            for binding in first..first + of_each {
                let known = binding_values(&code.bindings, binding).collect();
                self.node(condition, &known, &mut words, 0);
            }
        }
        self.networks.insert((network, owner), words.clone());
        words
    }

    fn cell(&self, slot: Slot, words: &mut Words) {
        let cell = &self.program.cells[slot.at()];
        words.extend(cell.base..cell.base + cell.words * cell.slots);
    }

    /// The value of an expression that reads only known locals.
    pub fn value(&mut self, node: NodeId, known: &Known) -> Option<i32> {
        match self.program.nodes[node.at()] {
            Node::Const(value) => return Some(value),
            Node::Local(at) => return known.get(&at).copied(),
            _ => {}
        }
        self.is_told_by(node, known)
            .then(|| self.machine.value_with(node, known))?
    }

    /// It rests on known locals alone.
    fn is_told_by(&mut self, node: NodeId, known: &Known) -> bool {
        let program = self.program;
        let told_by = self.told_by[node.at()].get_or_insert_with(|| {
            let mut reads = crate::facts::Reads::default();
            crate::facts::reads(program, node, &mut reads);
            (!reads.state).then(|| reads.locals.into_iter().collect())
        });
        (told_by.iter().flatten()).all(|local| known.contains_key(local)) && told_by.is_some()
    }

    fn slot(&mut self, slot: Slot, args: &[NodeId], known: &Known, words: &mut Words, depth: u32) {
        let len = self.program.cells[slot.at()].words;
        self.slot_start(slot, len, args, known, words, depth);
    }

    /// As [`Finder::slot`], of the slot's first words.
    fn slot_start(
        &mut self,
        slot: Slot,
        len: u32,
        args: &[NodeId],
        known: &Known,
        words: &mut Words,
        depth: u32,
    ) {
        let cell = &self.program.cells[slot.at()];
        // The slots that may be meant; none where that may be any.
        let mut slots = Some(vec![0]);
        for (arg, (low, n, stride)) in args.iter().zip(&cell.dims) {
            if self.value(*arg, known).is_none() {
                self.node(*arg, known, words, depth + 1);
            }
            // Outside of it nothing is read.
            let inside = self.may_be(*arg, known).map(|values| {
                let indices = values.into_iter().map(|at| at.wrapping_sub(*low) as u32);
                indices.filter(|at| at < n).collect::<Vec<u32>>()
            });
            slots = match (slots, inside) {
                (Some(slots), _) if slots.is_empty() => Some(slots),
                (_, Some(inside)) if inside.is_empty() => Some(inside),
                (Some(slots), Some(inside)) if slots.len() * inside.len() <= SPREAD_MAX => {
                    let all = slots
                        .iter()
                        .flat_map(|slot| inside.iter().map(move |index| slot + index * stride));
                    Some(all.collect())
                }
                _ => None,
            };
        }
        for at in slots.unwrap_or_else(|| (0..cell.slots).collect()) {
            let first = cell.base + at * cell.words;
            words.extend(first..first + len);
        }
    }

    pub fn args(&self, list: List) -> Vec<NodeId> {
        self.program.listed(list).to_vec()
    }

    pub(super) fn node(&mut self, node: NodeId, known: &Known, words: &mut Words, depth: u32) {
        if depth > DEPTH_MAX {
            return self.everything(words);
        }
        let program = self.program;
        // How many there are in a list stands in its first word.
        if let Node::Size(list) | Node::NotEmpty(list) = program.nodes[node.at()]
            && let Node::CellWords(slot, args) = program.nodes[list.at()]
            && matches!(program.shapes[list.at()], Shape::List { .. })
        {
            let args = self.args(args);
            return self.slot_start(slot, 1, &args, known, words, depth);
        }
        let mut visit = |inner: &[NodeId]| {
            for node in inner {
                self.node(*node, known, words, depth + 1);
            }
        };
        if let Some(operands) = program.nodes[node.at()].operands() {
            visit(operands.of(program));
            return;
        }
        match program.nodes[node.at()] {
            Node::Local(_) | Node::Me | Node::Finished | Node::DecisionOf => {}
            Node::Out(player) => {
                visit(&[player]);
                words.extend(program.fate_words());
            }
            Node::Word(word) => {
                words.insert(word);
            }
            Node::Starter => {
                words.insert(header::STARTER as u32);
            }
            Node::Finishing => {
                words.insert(header::FINISH_LABEL as u32);
            }
            Node::Cell0(word) => {
                words.insert(word);
            }
            Node::Cell1(slot, index) => self.slot(slot, &[index], known, words, depth),
            Node::Cell(slot, list) | Node::CellWords(slot, list) => {
                let args = self.args(list);
                self.slot(slot, &args, known, words, depth);
            }
            Node::RowOfPart(part, _) => {
                visit(&[part]);
                if let Some(tile) = program.tiling.as_ref().and_then(|t| t.tile_cell) {
                    self.cell(tile, words);
                }
            }
            Node::PositionOfTile(tile) => {
                visit(&[tile]);
                if let Some(tile) = program.tiling.as_ref().and_then(|t| t.tile_cell) {
                    self.cell(tile, words);
                }
            }
            Node::OnBoard(_) => {
                if let Some(tile) = program.tiling.as_ref().and_then(|t| t.tile_cell) {
                    self.cell(tile, words);
                }
            }
            Node::Call(proc, list) => self.call(proc, list, known, words, depth),
            Node::Aggregate(id) | Node::Collect(id) => {
                let aggregate = &program.aggregates[id.at()];
                let mut known = known.clone();
                self.aggregate(
                    &aggregate.binders,
                    aggregate.value,
                    &mut known,
                    words,
                    depth,
                );
            }
            Node::BestWalk(walk)
            | Node::WalkNodes(walk)
            | Node::Distance(walk)
            | Node::EndsOfWalk(walk) => self.walk(walk, known, words, depth),
            Node::Joins(network, receiver, a, b) => {
                visit(&[receiver, a, b]);
                let owner = self.value(receiver, known);
                self.networks_of(network, owner, words);
            }
            Node::Reach(network, receiver, from) => {
                visit(&[receiver, from]);
                let owner = self.value(receiver, known);
                self.networks_of(network, owner, words);
            }
            // What they look at is told by no node alone.
            _ => self.everything(words),
        }
    }

    fn everything(&self, words: &mut Words) {
        words.extend([header::STARTER as u32, header::FINISH_LABEL as u32]);
        words.extend(header::SIZE as u32..self.program.fixed_words);
    }

    pub(super) fn networks_of(&mut self, network: u32, owner: Option<i32>, words: &mut Words) {
        match owner {
            Some(owner) => words.insert_all(&self.network(network, owner)),
            None => {
                for owner in 0..self.program.networks[network as usize].owners {
                    words.insert_all(&self.network(network, owner as i32));
                }
            }
        }
    }

    fn call(&mut self, proc: ProcId, list: List, known: &Known, words: &mut Words, depth: u32) {
        let inner = self.frame(proc, list, known, words, depth);
        // What a formula is given that is one of a few is told apart.
        let params = self.program.procs[proc.at()].params.iter();
        let mut given = params.zip(self.args(list));
        let unknown = given.find(|((local, _), _)| !inner.contains_key(local));
        if let Some(((local, 1), arg)) = unknown
            && self.program.shapes[arg.at()] == Shape::Scalar
            && let Some(values) = self.may_be(arg, known)
        {
            for value in values {
                let mut inner = inner.clone();
                inner.insert(*local, value);
                self.called(proc, inner, words, depth);
            }
            return;
        }
        self.called(proc, inner, words, depth);
    }

    /// The words of a formula's body, found once for what is known in its frame.
    fn called(&mut self, proc: ProcId, known: Known, words: &mut Words, depth: u32) {
        let key = (proc, known);
        if let Some(found) = self.calls.get(&key) {
            words.insert_all(found);
            return;
        }
        let mut found = Words::new();
        self.node(
            self.program.procs[proc.at()].body,
            &key.1,
            &mut found,
            depth + 1,
        );
        words.insert_all(&found);
        self.calls.insert(key, found);
    }

    /// What is known in the frame of a formula; adds the words of what it is given that is not known.
    pub(super) fn frame(
        &mut self,
        proc: ProcId,
        list: List,
        known: &Known,
        words: &mut Words,
        depth: u32,
    ) -> Known {
        let program = self.program;
        let mut inner = Known::new();
        for (arg, (local, _)) in self
            .args(list)
            .into_iter()
            .zip(&program.procs[proc.at()].params)
        {
            match self.value(arg, known) {
                Some(value) => {
                    inner.insert(*local, value);
                }
                None => self.node(arg, known, words, depth + 1),
            }
        }
        inner
    }

    fn aggregate(
        &mut self,
        binders: &[BinderId],
        value: Option<NodeId>,
        known: &mut Known,
        words: &mut Words,
        depth: u32,
    ) {
        let Some((first, rest)) = binders.split_first() else {
            if let Some(value) = value {
                self.node(value, known, words, depth + 1);
            }
            return;
        };
        let program = self.program;
        let binder = &program.binders[first.at()];
        let mut items = self.items(binder, known);
        match binder.source {
            Source::Container(node) => {
                if let (None, Some(held)) = (&items, self.may_hold(node, known)) {
                    items = Some(held.into_iter().collect());
                }
                self.node(node, known, words, depth + 1);
            }
            Source::Parts(node) => self.node(node, known, words, depth + 1),
            Source::Range(a, b) => {
                self.node(a, known, words, depth + 1);
                self.node(b, known, words, depth + 1);
            }
            Source::OnBoard(_) => {
                if let Some(tile) = program.tiling.as_ref().and_then(|t| t.tile_cell) {
                    self.cell(tile, words);
                }
            }
            Source::All { .. } => {}
        }
        let items = items.filter(|items| items.len() * self.spread <= SPREAD_MAX);
        let values: Vec<Option<i32>> = match items {
            Some(items) => items.into_iter().map(Some).collect(),
            None => vec![None],
        };
        let spread = self.spread;
        self.spread *= values.len().max(1);
        for value_of in values {
            match value_of {
                Some(item) => known.insert(binder.local, item),
                None => known.remove(&binder.local),
            };
            self.element(binder, rest, value, known, words, depth);
        }
        self.spread = spread;
        known.remove(&binder.local);
    }

    /// What is asked of one element of a binder, which is known as far as it can be.
    pub(super) fn element(
        &mut self,
        binder: &Binder,
        rest: &[BinderId],
        value: Option<NodeId>,
        known: &mut Known,
        words: &mut Words,
        depth: u32,
    ) {
        for (condition, _) in &binder.conditions {
            if self.value(*condition, known) == Some(0) {
                return;
            }
            self.node(*condition, known, words, depth + 1);
        }
        for clause in (binder.by.iter()).chain(&binder.from).chain(&binder.up_to) {
            self.node(*clause, known, words, depth + 1);
        }
        self.aggregate(rest, value, known, words, depth + 1);
    }

    /// The elements a binder runs over, when they do not depend on the state.
    pub fn items(&mut self, binder: &Binder, known: &Known) -> Option<Vec<i32>> {
        match binder.source {
            Source::All { n, low } if n <= 4096 => Some((low..low + n as i32).collect()),
            Source::Range(a, b) => {
                let (a, b) = (self.value(a, known)?, self.value(b, known)?);
                (i64::from(b) - i64::from(a) < 4096).then(|| (a..=b).collect())
            }
            Source::Container(node) => self.items_of(node, known),
            _ => None,
        }
    }

    /// What lies in a container that reads only known locals.
    pub fn items_of(&mut self, container: NodeId, known: &Known) -> Option<Vec<i32>> {
        self.is_told_by(container, known)
            .then(|| self.machine.items_with(container, known))?
    }

    /// Tells so many combinations of elements apart, if that is not too much.
    pub fn spread(&mut self, elements: usize, tell: impl FnOnce(&mut Self)) -> bool {
        let spread = self.spread;
        if elements.saturating_mul(spread) > SPREAD_MAX {
            return false;
        }
        self.spread = spread * elements.max(1);
        tell(self);
        self.spread = spread;
        true
    }
}
