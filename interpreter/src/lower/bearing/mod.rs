//! How instructions bear on each other: what of each cell they need to go on, and how they change it. Looking ahead leaves
//! out what cannot help what fails (`machine::help`).

mod reads;

use super::{idle, safety};
use crate::program::*;
use std::collections::BTreeSet;

/// Fills `Program::bearings`.
pub(super) fn mark(program: &mut Program) {
    let slots = program.cells.len() + 1 + program.whens.len();
    let picks = |op: &Op| matches!(op, Op::AgendaPick { as_far: false, .. });
    if slots * 2 > Ways::BITS || !program.code.iter().any(picks) {
        return;
    }
    let ops = (0..program.code.len())
        .map(|pc| bearing(program, pc))
        .collect();
    let wakes = (0..program.cells.len())
        .map(|at| wakes(program, Slot(at as u32)))
        .collect();
    let bodies: Vec<_> = program
        .procs
        .iter()
        .map(|proc| body(program, proc))
        .collect();
    let plain = bodies
        .iter()
        .map(|body| is_plain(program, body.clone()))
        .collect();
    let mut bearings = Bearings {
        ops,
        wakes,
        still: vec![true; program.cells.len()],
        bodies,
        plain,
        doubts: (0..program.code.len())
            .map(|pc| doubt(program, pc))
            .collect(),
    };
    for (proc, body) in program.procs.iter().zip(&bearings.bodies) {
        if proc.kind != ProcKind::Flow {
            for pc in body.clone() {
                let moves = bearings.ops[pc].moves;
                for (slot, still) in bearings.still.iter_mut().enumerate() {
                    *still &= !moves.has(slot);
                }
            }
        }
    }
    program.bearings = Some(bearings);
}

/// The code of a body, with the statements in it that lie on agendas; of formulas none.
fn body(program: &Program, proc: &Proc) -> std::ops::Range<usize> {
    let whole = |proc: &&Proc| !matches!(proc.kind, ProcKind::Formula | ProcKind::Inline);
    match proc.kind {
        ProcKind::Formula => return 0..0,
        ProcKind::Inline => return idle::extent(program, proc.entry),
        _ => {}
    }
    let entries = program.procs.iter().filter(whole).map(|proc| proc.entry);
    let end = entries.filter(|entry| *entry > proc.entry).min();
    proc.entry as usize..end.unwrap_or(program.code.len() as u32) as usize
}

/// A body that asks nothing and calls nothing.
fn is_plain(program: &Program, mut body: std::ops::Range<usize>) -> bool {
    body.all(|pc| {
        !matches!(
            program.code[pc],
            Op::Call(..)
                | Op::RunEffect(_)
                | Op::Param { .. }
                | Op::Choose(_)
                | Op::May { .. }
                | Op::OneOf(_)
                | Op::Pause(_)
                | Op::AgendaPick { .. }
                | Op::WalkPick { .. }
        )
    })
}

/// Bodies that a write to this cell may wake.
fn wakes(program: &Program, slot: Slot) -> Vec<ProcId> {
    let whens: BTreeSet<u32> = program
        .cell_watchers(slot)
        .filter_map(|watcher| match watcher {
            Watcher::When { when, .. } => Some(*when),
            _ => None,
        })
        .collect();
    whens
        .into_iter()
        .map(|when| program.whens[when as usize].proc)
        .collect()
}

fn bearing(program: &Program, pc: usize) -> Bearing {
    let mut finder = Finder {
        program,
        pc,
        found: Bearing::default(),
        seen: BTreeSet::new(),
    };
    finder.op();
    finder.woken();
    finder.found
}

/// The cell that an instruction changes by a number which may be negative for all that can be told here.
fn doubt(program: &Program, pc: usize) -> Option<(usize, NodeId)> {
    let (Op::Add(place, value) | Op::Subtract(place, value)) = program.code[pc] else {
        return None;
    };
    let natural = safety::is_natural(program, value, &|_| false);
    (!natural).then(|| (program.places[place.at()].cell.at(), value))
}

struct Finder<'p> {
    program: &'p Program,
    pc: usize,
    found: Bearing,
    /// Formulas gone through, each way once.
    seen: BTreeSet<(ProcId, Way)>,
}

impl Finder<'_> {
    fn op(&mut self) {
        let p = self.program;
        match p.code[self.pc] {
            Op::Need(condition, _) => self.node(condition, Way::More),
            Op::Let(_, value)
            | Op::LetWords(_, value)
            | Op::JumpUnless(value, _)
            | Op::Match { value, .. }
            | Op::RepeatBegin { times: value, .. }
            | Op::ParamDefault { value, .. } => self.node(value, Way::Any),
            Op::Set(place, value) | Op::SetWords(place, value) => {
                self.node(value, Way::Any);
                let slot = self.place(place);
                self.found.touch(slot);
            }
            Op::Add(place, value) => self.add(place, value),
            Op::Subtract(place, value) => self.subtract(place, value),
            Op::AddTo(place, value) => {
                self.node(value, Way::Any);
                self.put(place);
            }
            Op::TakeFrom(place, value) => {
                self.node(value, Way::Any);
                self.take(place);
            }
            Op::Move(step) => self.step(&p.moves[step as usize]),
            Op::Feed => {
                for slot in &p.feeding {
                    let cell = &p.cells[slot.at()];
                    self.found.touch(slot.at());
                    for from in cell.refill.iter().chain(&cell.fill) {
                        let slot = self.place(*from);
                        self.found.touch(slot);
                    }
                }
            }
            Op::Shuffle(place) => {
                let slot = self.place(place);
                self.found.touch(slot);
            }
            Op::Call(_, args) => self.list(args),
            Op::RunEffect(effect) => self.effect(&p.effects[effect as usize]),
            Op::AgendaAdd { agenda, effect, .. } => {
                self.effect(&p.effects[effect as usize]);
                let slot = self.place(agenda);
                self.found.moves.add(slot, Way::Any);
            }
            Op::Param { choice, .. } | Op::Choose(choice) => {
                self.choice(p.choices[choice as usize].binder)
            }
            Op::EachBegin { binder, .. } => self.binder(binder, Way::Any),
            Op::EnterAction(action) => self.fresh(&p.action_cells[action as usize]),
            Op::EnterStep { label, .. } => {
                self.found.free |= p.awaited.contains(&label);
                self.fresh(&p.label_cells[label.index()]);
            }
            // A rule is tested, or the game may end.
            Op::LeaveStep { label, .. } => {
                let ends = |op: &Op| matches!(op, Op::Finish { label: of, .. } if *of == label);
                self.found.free |= p.awaited.contains(&label) || p.code.iter().any(ends);
            }
            Op::Finish { more, .. } => {
                more.into_iter().for_each(|more| self.node(more, Way::Any));
                self.found.touch(p.cells.len());
            }
            Op::ProbeEnd
            | Op::Jump(_)
            | Op::Return
            | Op::Settle
            | Op::EachNext { .. }
            | Op::RepeatTest { .. }
            | Op::May { .. }
            | Op::OneOf(_)
            | Op::Pause(_)
            | Op::WhenEnd => {}
            // Others are asked, or more happens than cells tell.
            Op::SetStarter(_)
            | Op::PlayersBegin { .. }
            | Op::PlayersNext { .. }
            | Op::PlayersLeave { .. }
            | Op::SecretBegin
            | Op::SecretEnd
            | Op::As { .. }
            | Op::AsEnd { .. }
            | Op::AgendaOpen { .. }
            | Op::AgendaPick { .. }
            | Op::WalkBegin(_)
            | Op::WalkPick { .. }
            | Op::FinishNow
            | Op::EndOfFlow => self.found.free = true,
        }
    }

    /// What follows from the writes: rules that must allow them, `when`s whose turn comes sooner or later.
    fn woken(&mut self) {
        let p = self.program;
        for at in 0..p.cells.len() {
            if !self.found.moves.has(at) {
                continue;
            }
            let watchers: BTreeSet<Watcher> = p.cell_watchers(Slot(at as u32)).copied().collect();
            for watcher in watchers {
                match watcher {
                    Watcher::Rule { rule, .. } => {
                        let rule = &p.rules[rule as usize];
                        if !rule.invariant {
                            rule.bindings
                                .guard
                                .into_iter()
                                .for_each(|guard| self.node(guard, Way::Any));
                            self.node(rule.condition, Way::More);
                        }
                    }
                    Watcher::When { when, .. } => {
                        self.found.touch(p.cells.len() + 1 + when as usize);
                    }
                    Watcher::Network { .. } => {}
                }
            }
        }
    }

    // ------------------------------------------------------------------------------------------- places

    fn place(&mut self, place: PlaceId) -> usize {
        let place = &self.program.places[place.at()];
        self.list(place.args);
        if let Some(element) = place.element {
            self.node(element, Way::Any);
            self.found.reads.add(place.cell.at(), Way::Any);
        }
        place.cell.at()
    }

    /// Taken for granted that the value is not negative: see [`doubt`].
    fn add(&mut self, place: PlaceId, value: NodeId) {
        self.node(value, Way::Any);
        self.put(place);
    }

    fn subtract(&mut self, place: PlaceId, value: NodeId) {
        self.node(value, Way::Any);
        self.take(place);
    }

    /// Something goes into a container or number.
    fn put(&mut self, place: PlaceId) {
        let slot = self.place(place);
        let cell = &self.program.cells[slot];
        match cell.shape {
            Shape::Bag { .. } | Shape::Set { .. } => {
                self.found.moves.add(slot, Way::More);
                if cell.capacity != Bound::Const(i32::MAX) {
                    self.found.reads.add(slot, Way::Less);
                }
            }
            Shape::Scalar if !cell.optional => {
                self.found.moves.add(slot, Way::More);
                if cell.high != Bound::Const(i32::MAX) {
                    self.found.reads.add(slot, Way::Less);
                }
            }
            _ => self.found.touch(slot),
        }
    }

    /// Something is taken out of a container or number.
    fn take(&mut self, place: PlaceId) {
        let slot = self.place(place);
        let cell = &self.program.cells[slot];
        match cell.shape {
            Shape::Bag { .. } | Shape::Set { .. } => {}
            Shape::Scalar if !cell.optional => {}
            _ => return self.found.touch(slot),
        }
        self.found.moves.add(slot, Way::Less);
        self.found.takes.add(slot, Way::More);
    }

    fn step(&mut self, step: &MoveOp) {
        match step.what {
            MoveWhat::Value { value, from, .. } => {
                self.node(value, Way::Any);
                self.take(from);
                self.put(step.to);
                if step.up_to {
                    let slot = self.place(from);
                    self.found.reads.add(slot, Way::Any);
                }
            }
            MoveWhat::Everything(from) | MoveWhat::Top { of: from, .. } => {
                if let MoveWhat::Top {
                    count: Some(count), ..
                } = step.what
                {
                    self.node(count, Way::Any);
                }
                let slot = self.place(from);
                self.found.touch(slot);
                let slot = self.place(step.to);
                self.found.touch(slot);
            }
        }
    }

    /// Cells made new.
    fn fresh(&mut self, slots: &[Slot]) {
        for slot in slots {
            self.found.touch(slot.at());
            if let Start::Eval(node) = self.program.cells[slot.at()].start {
                self.node(node, Way::Any);
            }
        }
    }

    fn effect(&mut self, effect: &EffectNode) {
        match effect {
            EffectNode::Call { args, .. } => self.list(*args),
            EffectNode::Value { value, .. } => self.node(*value, Way::Any),
            EffectNode::Times(count, inner) => {
                self.node(*count, Way::Any);
                self.effect(inner);
            }
            EffectNode::Many(parts) => parts.iter().for_each(|part| self.effect(part)),
            EffectNode::If(condition, yes, no) => {
                self.node(*condition, Way::Any);
                self.effect(yes);
                no.iter().for_each(|no| self.effect(no));
            }
            EffectNode::For(binders, inner) => {
                binders
                    .iter()
                    .for_each(|binder| self.binder(*binder, Way::Any));
                self.effect(inner);
            }
            EffectNode::Inline { .. } => {}
        }
    }
}
