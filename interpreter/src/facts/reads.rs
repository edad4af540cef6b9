//! What an expression or an instruction reads.

use crate::program::*;
use std::collections::BTreeSet;

/// What an expression reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reads {
    /// Anything that can change during a game.
    pub state: bool,
    /// Who acts.
    pub seat: bool,
    /// Of that the cells; others are opaque.
    pub cells: BTreeSet<Slot>,
    /// Of the cells those that are read of others than the acting player.
    pub of_others: BTreeSet<Slot>,
    /// Some cell is read of the acting player.
    pub own: bool,
    pub opaque: bool,
    /// More than cells and what networks make of them.
    beyond: bool,
    /// Frame offsets read but not bound inside.
    pub locals: BTreeSet<u32>,
    /// Of these where containers lie.
    wide: BTreeSet<u32>,
}

/// Adds what a node reads.
pub(crate) fn reads(program: &Flat, node: NodeId, out: &mut Reads) {
    #[allow(clippy::wildcard_enum_match_arm)]
    match program.nodes[node.at()] {
        Node::Local(at) => {
            out.locals.insert(at);
            if program.shapes[node.at()] != Shape::Scalar {
                out.wide.insert(at);
            }
        }
        Node::Call(proc, args) => {
            list_reads(program, args, out);
            let mut inner = Reads::default();
            reads(program, program.procs[proc.at()].body, &mut inner);
            out.join_state(&inner);
        }
        Node::Aggregate(id) | Node::Collect(id) => {
            let aggregate = &program.aggregates[id.at()];
            let mut inner = Reads::default();
            if let Some(value) = aggregate.value {
                reads(program, value, &mut inner);
            }
            for binder in aggregate.binders.iter().rev() {
                binder_reads(program, *binder, &mut inner);
                inner.bind(program.binders[binder.at()].local);
            }
            out.join(&inner);
        }
        Node::Me => {
            out.state = true;
            out.seat = true;
        }
        Node::Cell0(word) => {
            out.state = true;
            match program.cell_at(word) {
                Some(slot) => out.cell(slot),
                None => out.hide(),
            };
        }
        Node::Cell1(slot, index) => {
            out.state = true;
            if program.nodes[index.at()] == Node::Me {
                out.own = true;
                out.cells.insert(slot);
            } else {
                out.cell(slot);
                reads(program, index, out);
            }
        }
        Node::Cell(slot, args) | Node::CellWords(slot, args) => {
            out.state = true;
            match *program.listed(args) {
                [index] if program.nodes[index.at()] == Node::Me => {
                    out.own = true;
                    out.cells.insert(slot);
                }
                _ => {
                    out.cell(slot);
                    list_reads(program, args, out);
                }
            }
        }
        Node::Reach(..) | Node::Joins(..) => {
            for inner in inside(program, node) {
                reads(program, inner, out);
            }
            out.state = true;
            out.opaque = true;
        }
        Node::BestWalk(walk)
        | Node::WalkNodes(walk)
        | Node::Distance(walk)
        | Node::EndsOfWalk(walk) => {
            let mut inner = Reads::default();
            for clause in super::walk_clauses(program, walk) {
                reads(program, clause, &mut inner);
            }
            let code = &program.walks[walk.at()];
            for set in [&mut inner.locals, &mut inner.wide] {
                set.retain(|at| !code.frame().contains(at));
            }
            if let Some(by) = code.by {
                binder_reads(program, by.binder, &mut inner);
                inner.bind(program.binders[by.binder.at()].local);
            }
            out.join(&inner);
            // A search looks up what links there are.
            out.state |= code.course.is_none();
            out.opaque |= match program.networks[code.network as usize].kind {
                NetworkKind::Neighbours(_) => false,
                NetworkKind::Links { .. } | NetworkKind::Joins { .. } => true,
            };
        }
        // While looking ahead it is not seen, whatever it was where nobody looked ahead.
        Node::TopOf(deck) if program.hides_top(deck) => {
            reads(program, deck, out);
            out.hide();
        }
        Node::BottomOf(deck) if program.hides_bottom(deck) => {
            reads(program, deck, out);
            out.hide();
        }
        // What is not told apart here may look at anything, unless its value depends on its operands and on nothing else.
        other => {
            for inner in inside(program, node) {
                reads(program, inner, out);
            }
            if other.operands().is_none() {
                out.hide();
            }
        }
    }
}

/// All expressions that stand directly in a node.
pub(crate) fn inside(program: &Flat, node: NodeId) -> Vec<NodeId> {
    #[allow(clippy::wildcard_enum_match_arm)]
    match program.nodes[node.at()] {
        Node::Aggregate(id) | Node::Collect(id) => {
            let aggregate = &program.aggregates[id.at()];
            let binders = aggregate.binders.iter();
            let clauses = binders.flat_map(|binder| super::binder_clauses(program, *binder));
            clauses.chain(aggregate.value).collect()
        }
        Node::BestWalk(walk)
        | Node::WalkNodes(walk)
        | Node::Distance(walk)
        | Node::EndsOfWalk(walk) => super::walk_clauses(program, walk),
        Node::Repeats(history) => program.histories[history as usize].values.clone(),
        other => {
            let (operands, _) = other.taken_apart();
            let operands = operands.of(program).iter().copied();
            operands.filter(|node| *node != ASKED).collect()
        }
    }
}

/// Evaluating it looks at many things, one after the other.
pub(crate) fn searches(program: &Flat, node: NodeId) -> bool {
    #[allow(clippy::wildcard_enum_match_arm)]
    let here = match program.nodes[node.at()] {
        Node::Aggregate(_)
        | Node::Collect(_)
        | Node::EndsOfWalk(_)
        | Node::WalkNodes(_)
        | Node::BestWalk(_)
        | Node::Distance(_) => true,
        Node::Call(proc, _) => searches(program, program.procs[proc.at()].body),
        _ => false,
    };
    here || inside(program, node)
        .into_iter()
        .any(|inner| searches(program, inner))
}

/// Frame offsets that an expression names, those that it binds itself among them.
pub(crate) fn locals_named(program: &Flat, node: NodeId, out: &mut BTreeSet<u32>) {
    if let Node::Local(at) = program.nodes[node.at()] {
        out.insert(at);
    }
    for inner in inside(program, node) {
        locals_named(program, inner, out);
    }
}

impl Reads {
    /// It reads more than cells, what networks make of them, and single words of the frame.
    pub fn is_beyond(&self) -> bool {
        self.beyond || !self.wide.is_empty()
    }

    /// A local is given its values inside.
    fn bind(&mut self, local: u32) {
        self.locals.remove(&local);
        self.wide.remove(&local);
    }

    /// What is read here is known of nothing.
    fn hide(&mut self) {
        self.state = true;
        self.opaque = true;
        self.beyond = true;
    }

    fn cell(&mut self, slot: Slot) {
        self.cells.insert(slot);
        self.of_others.insert(slot);
    }

    pub fn join(&mut self, other: &Reads) {
        self.join_state(other);
        self.locals.extend(&other.locals);
        self.wide.extend(&other.wide);
    }

    /// Joins all but the locals.
    fn join_state(&mut self, other: &Reads) {
        self.state |= other.state;
        self.seat |= other.seat;
        self.opaque |= other.opaque;
        self.beyond |= other.beyond;
        self.own |= other.own;
        self.cells.extend(&other.cells);
        self.of_others.extend(&other.of_others);
    }
}

/// What a binder's source and clauses read; its own local is among the locals.
pub(crate) fn binder_reads(program: &Flat, binder: BinderId, out: &mut Reads) {
    let binder = &program.binders[binder.at()];
    match binder.source {
        Source::All { .. } => {}
        Source::Range(a, b) => {
            reads(program, a, out);
            reads(program, b, out);
        }
        Source::Container(node) => reads(program, node, out),
        Source::Parts(_) | Source::OnBoard(_) => out.hide(),
    }
    for (condition, _) in &binder.conditions {
        reads(program, *condition, out);
    }
    for node in binder.by.iter().chain(&binder.from).chain(&binder.up_to) {
        reads(program, *node, out);
    }
}

/// Adds a place, and what tells which it is.
pub(crate) fn place_reads(program: &Flat, place: PlaceId, out: &mut Reads) {
    let place = &program.places[place.at()];
    out.cells.insert(place.cell);
    if !matches!(place.by, Some(By::Me(_))) {
        out.of_others.insert(place.cell);
    }
    list_reads(program, place.args, out);
    if let Some(element) = place.element {
        reads(program, element, out);
    }
}

fn list_reads(program: &Flat, list: List, out: &mut Reads) {
    for at in list.start..list.start + list.len {
        let node = program.lists[at as usize];
        if node != ASKED {
            reads(program, node, out);
        }
    }
}

/// Adds what an instruction itself looks at: what it evaluates, and the places it takes from or changes. What it runs, wakes
/// or has tested is not among it.
pub(crate) fn op_reads(program: &Flat, op: Op, out: &mut Reads) {
    match op {
        Op::Need(value, _)
        | Op::JumpUnless(value, _)
        | Op::Let(_, value)
        | Op::LetWords(_, value)
        | Op::ParamDefault { value, .. }
        | Op::Match { value, .. }
        | Op::RepeatBegin { times: value, .. }
        | Op::As { player: value, .. }
        | Op::SetStarter(value) => reads(program, value, out),
        Op::Finish { more: value, .. } | Op::Verdict { player: value, .. } => {
            value
                .into_iter()
                .for_each(|value| reads(program, value, out));
        }
        Op::Set(place, value)
        | Op::Add(place, value)
        | Op::Subtract(place, value)
        | Op::SetWords(place, value)
        | Op::AddTo(place, value)
        | Op::TakeFrom(place, value) => {
            place_reads(program, place, out);
            reads(program, value, out);
        }
        Op::Shuffle(place)
        | Op::AgendaOpen { agenda: place, .. }
        | Op::AgendaPick { agenda: place, .. } => place_reads(program, place, out),
        Op::AgendaAdd { agenda, effect, .. } => {
            place_reads(program, agenda, out);
            effect_reads(program, &program.effects[effect as usize], out);
        }
        Op::RunEffect(effect) => effect_reads(program, &program.effects[effect as usize], out),
        Op::Call(_, args) => list_reads(program, args, out),
        Op::Move(step) => move_reads(program, &program.moves[step as usize], out),
        Op::Feed => {
            out.cells.extend(super::fed(program));
            out.of_others.extend(super::fed(program));
        }
        Op::Param { choice, .. } | Op::Choose(choice) => {
            bound_reads(program, program.choices[choice as usize].binder, out);
        }
        Op::EachBegin { binder, .. } => bound_reads(program, binder, out),
        Op::PlayersBegin { order, .. } => {
            let asked = program.orders[order as usize].asked();
            asked.for_each(|node| reads(program, node, out));
        }
        Op::WalkBegin(_) | Op::WalkPick { .. } => out.hide(),
        Op::ProbeEnd
        | Op::Jump(_)
        | Op::Return
        | Op::EnterAction(_)
        | Op::EnterStep { .. }
        | Op::LeaveStep { .. }
        | Op::Settle { .. }
        | Op::EachNext { .. }
        | Op::PlayersNext { .. }
        | Op::PlayersLeave { .. }
        | Op::PassEnd { .. }
        | Op::SecretBegin
        | Op::SecretEnd
        | Op::AsEnd { .. }
        | Op::RepeatTest { .. }
        | Op::May { .. }
        | Op::OneOf(_)
        | Op::Pause(_)
        | Op::FinishNow(_)
        | Op::Stay { .. }
        | Op::EndOfFlow
        | Op::WhenEnd => {}
    }
}

fn move_reads(program: &Flat, step: &MoveOp, out: &mut Reads) {
    place_reads(program, step.to, out);
    place_reads(program, step.from(), out);
    match step.what {
        MoveWhat::Value { value, .. } => reads(program, value, out),
        MoveWhat::Drawn { count, .. } => {
            count
                .into_iter()
                .for_each(|count| reads(program, count, out));
        }
        MoveWhat::Everything(_) => {}
    }
}

/// As [`binder_reads`], without the local that it gives its values to.
fn bound_reads(program: &Flat, binder: BinderId, out: &mut Reads) {
    let mut inner = Reads::default();
    binder_reads(program, binder, &mut inner);
    inner.bind(program.binders[binder.at()].local);
    out.join(&inner);
}

fn effect_reads(program: &Flat, effect: &EffectNode, out: &mut Reads) {
    let (nodes, binders) = effect_asks(program, effect);
    for node in nodes {
        reads(program, node, out);
    }
    for binder in binders {
        binder_reads(program, binder, out);
    }
    // The whole frame is copied.
    let copies = |part: &&EffectNode| matches!(part, EffectNode::Inline { .. });
    if effect.all().iter().any(copies) {
        out.hide();
    }
}

/// The expressions and the binders that tell what an effect comes to.
pub(crate) fn effect_asks(program: &Flat, effect: &EffectNode) -> (Vec<NodeId>, Vec<BinderId>) {
    let (mut nodes, mut asked) = (Vec::new(), Vec::new());
    for part in effect.all() {
        match part {
            EffectNode::Call { args, .. } => {
                let given = program.listed(*args).iter().copied();
                nodes.extend(given.filter(|node| *node != ASKED));
            }
            EffectNode::Value { value: node, .. }
            | EffectNode::Times(node, _)
            | EffectNode::If(node, ..) => nodes.push(*node),
            EffectNode::For(binders, _) => asked.extend(binders),
            EffectNode::Many(_) | EffectNode::Inline { .. } => {}
        }
    }
    (nodes, asked)
}
