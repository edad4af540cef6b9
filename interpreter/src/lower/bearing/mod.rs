//! How instructions bear on each other: what of each cell they need to go on, and how they change it. Looking ahead leaves
//! out what cannot help what fails (`machine::help`, `machine::learn`).

mod locals;
mod optional;
mod reads;

use crate::Program;
use crate::facts::{Facts, Runs, effect_asks, leads, writes};
use crate::program::*;
use dsl::ir::LabelId;
use std::collections::BTreeSet;

/// Fills `Program::bearings`.
pub(super) fn mark(program: &mut Program, facts: &Facts) {
    let slots = size_slot(program, program.cells.len());
    let picks = |op: &Op| matches!(op, Op::AgendaPick { as_far: false, .. });
    if slots > TOLD_APART_CELLS_MAX || !program.code.iter().any(picks) {
        return;
    }
    let found: Vec<_> = (0..program.code.len())
        .map(|pc| bearing(program, facts, pc))
        .collect();
    let agenda = |node: &Node| matches!(node, Node::CellWords(slot, _) if matches!(program.cells[slot.at()].shape, Shape::Agenda { .. }));
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
        ops: found.iter().map(|found| found.0).collect(),
        looks: found.iter().map(|found| found.1).collect(),
        fails: found.iter().map(|found| found.2).collect(),
        locals: (0..program.code.len())
            .map(|pc| locals::read(program, pc))
            .collect(),
        carried: (0..program.code.len())
            .map(|pc| locals::carried(program, pc))
            .collect(),
        optional: optional::all(program),
        agendas_are_read: program.nodes.iter().any(agenda),
        wakes,
        still: vec![true; program.cells.len()],
        bodies,
        plain,
        doubts: (0..program.code.len())
            .map(|pc| doubt(program, facts, pc))
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
        ProcKind::Inline => return program.extent(proc.entry),
        _ => {}
    }
    let entries = program.procs.iter().filter(whole).map(|proc| proc.entry);
    let end = entries.filter(|entry| *entry > proc.entry).min();
    proc.entry as usize..end.unwrap_or(program.code.len() as u32) as usize
}

/// A body that asks nothing and calls nothing.
fn is_plain(program: &Program, mut body: std::ops::Range<usize>) -> bool {
    body.all(|pc| {
        let op = program.code[pc];
        writes(program, op).runs == Runs::Nothing && !leads(program, op).asks
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

/// Where it stands how many a bag holds, which is all that some look at: behind the cells and the rest, in their order.
fn size_slot(program: &Program, slot: usize) -> usize {
    let bags = program.cells[..slot].iter().filter(|cell| is_bag(cell));
    program.cells.len() + 1 + program.whens.len() + bags.count()
}

fn is_bag(cell: &CellLayout) -> bool {
    matches!(cell.shape, Shape::Bag { .. })
}

/// Of an instruction: its bearing, what it looks at, without what it need not fail.
fn bearing(program: &Program, facts: &Facts, pc: usize) -> (Bearing, Ways, Ways) {
    let mut finder = Finder::new(program, facts, pc);
    finder.only_fails = matches!(program.code[pc], Op::Need(..));
    finder.op();
    finder.only_fails = false;
    finder.woken();
    finder.resize();
    let mut fails = finder.found.reads;
    fails.join(&finder.found.takes);
    if let Some((slot, _)) = doubt(program, facts, pc) {
        fails.add(slot, Way::Any);
    }
    if let Op::LeaveStep { label, .. } = program.code[pc] {
        fails.join(&obligations(program, facts, label));
    }
    if finder.opaque {
        (finder.found, Ways::ALL, Ways::ALL)
    } else {
        (finder.found, finder.looks, fails)
    }
}

/// What the rules look at that are tested at the end of a step.
fn obligations(program: &Program, facts: &Facts, label: LabelId) -> Ways {
    let mut finder = Finder::new(program, facts, 0);
    for rule in &program.rules {
        if rule.after == Some(label) {
            finder.rule(rule);
        }
    }
    if finder.opaque {
        return Ways::ALL;
    }
    finder.looks
}

/// The cell that an instruction changes by a number which may be negative for all that can be told here.
fn doubt(program: &Program, facts: &Facts, pc: usize) -> Option<(usize, NodeId)> {
    let (Op::Add(place, value) | Op::Subtract(place, value)) = program.code[pc] else {
        return None;
    };
    (!facts.is_natural(value)).then(|| (program.places[place.at()].cell.at(), value))
}

struct Finder<'p> {
    program: &'p Program,
    facts: &'p Facts,
    pc: usize,
    found: Bearing,
    looks: Ways,
    /// What is read now matters only where the instruction fails.
    only_fails: bool,
    /// It looks at what cannot be told.
    opaque: bool,
    /// Formulas gone through, each way once.
    seen: BTreeSet<(ProcId, Way)>,
}

impl<'p> Finder<'p> {
    fn new(program: &'p Program, facts: &'p Facts, pc: usize) -> Finder<'p> {
        Finder {
            program,
            facts,
            pc,
            found: Bearing::default(),
            looks: Ways::default(),
            only_fails: false,
            opaque: false,
            seen: BTreeSet::new(),
        }
    }

    fn read(&mut self, slot: usize, way: Way) {
        self.found.reads.add(slot, way);
        if !self.only_fails {
            self.looks.add(slot, way);
        }
    }

    /// Changed in a way that depends on what is there.
    fn look_and_touch(&mut self, slot: usize) {
        self.found.touch(slot);
        self.looks.add(slot, Way::Any);
    }

    /// What is looked at cannot be told.
    fn anything(&mut self) {
        self.found.free = true;
        self.opaque = true;
    }

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
                    self.look_and_touch(slot.at());
                    for from in cell.refill.iter().chain(&cell.fill) {
                        let slot = self.place(*from);
                        self.look_and_touch(slot);
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
            // An action of the flow is through, which is all that was wanted.
            Op::Settle { more } => self.found.free |= !more,
            // A rule is tested, the game may end, or nothing before it is taken back any more.
            Op::LeaveStep { label, more, .. } => {
                let ends = |op: &Op| matches!(op, Op::Finish { label: of, .. } if *of == label);
                let ends = p.code.iter().any(ends);
                let in_flow = p.extent(p.procs[p.flow.at()].entry).contains(&self.pc);
                self.found.free |= p.awaited.contains(&label) || ends || in_flow && !more;
                if ends {
                    self.looks.add(p.cells.len(), Way::Any);
                }
            }
            // Others may be asked, or nobody any more.
            Op::Verdict { player, .. } => {
                player
                    .into_iter()
                    .for_each(|player| self.node(player, Way::Any));
                self.found.touch(p.cells.len());
                self.found.free = true;
            }
            Op::Finish { more, .. } => {
                more.into_iter().for_each(|more| self.node(more, Way::Any));
                self.found.touch(p.cells.len());
            }
            Op::ProbeEnd
            | Op::Jump(_)
            | Op::Return
            | Op::EachNext { .. }
            | Op::RepeatTest { .. }
            | Op::May { .. }
            | Op::OneOf(_)
            | Op::Pause(_)
            | Op::WhenEnd => {}
            // Others are asked, or more happens than cells tell.
            Op::SetStarter(player) | Op::As { player, .. } => {
                self.node(player, Way::Any);
                self.found.free = true;
            }
            Op::PlayersBegin { order, .. } => {
                let order = &p.orders[order as usize];
                order.asked().for_each(|node| self.node(node, Way::Any));
                if !order.counted.is_empty() {
                    self.looks.add(p.cells.len(), Way::Any);
                }
                self.found.free = true;
            }
            Op::PassEnd { .. } | Op::Stay { .. } => {
                self.looks.add(p.cells.len(), Way::Any);
                self.found.free = true;
            }
            Op::AgendaOpen { agenda, .. } => {
                let slot = self.place(agenda);
                self.look_and_touch(slot);
                self.found.free = true;
            }
            Op::AgendaPick { agenda, .. } => {
                let slot = self.place(agenda);
                self.looks.add(slot, Way::More);
                self.found.free = true;
            }
            Op::PlayersNext { .. }
            | Op::PlayersLeave { .. }
            | Op::AsEnd { .. }
            | Op::FinishNow(_)
            | Op::EndOfFlow => self.found.free = true,
            Op::SecretBegin | Op::SecretEnd | Op::WalkBegin(_) | Op::WalkPick { .. } => {
                self.anything()
            }
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
                            self.rule(rule);
                        }
                    }
                    Watcher::When { when, .. } => {
                        self.look_and_touch(p.cells.len() + 1 + when as usize);
                    }
                    Watcher::Network { .. } => {}
                }
            }
        }
    }

    /// What changes a bag may change how many it holds.
    fn resize(&mut self) {
        for (slot, _) in self
            .program
            .cells
            .iter()
            .enumerate()
            .filter(|(_, cell)| is_bag(cell))
        {
            for way in [Way::More, Way::Less] {
                let mut moved = Ways::default();
                moved.add(slot, way);
                if self.found.moves.meets(&moved) {
                    self.found.moves.add(size_slot(self.program, slot), way);
                }
            }
        }
    }

    fn rule(&mut self, rule: &RuleCode) {
        self.opaque |= rule.bindings.parts.is_some();
        let guard = rule.bindings.guard;
        guard
            .into_iter()
            .for_each(|guard| self.node(guard, Way::Any));
        self.node(rule.condition, Way::More);
    }

    // ------------------------------------------------------------------------------------------- places

    fn place(&mut self, place: PlaceId) -> usize {
        let place = &self.program.places[place.at()];
        self.list(place.args);
        if let Some(element) = place.element {
            self.node(element, Way::Any);
            self.read(place.cell.at(), Way::Any);
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
                    self.read(slot, Way::Any);
                }
            }
            MoveWhat::Everything(from) | MoveWhat::Drawn { of: from, .. } => {
                if let MoveWhat::Drawn {
                    count: Some(count), ..
                } = step.what
                {
                    self.node(count, Way::Any);
                }
                let slot = self.place(from);
                self.look_and_touch(slot);
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
        let (nodes, binders) = effect_asks(self.program, effect);
        nodes.into_iter().for_each(|node| self.node(node, Way::Any));
        (binders.into_iter()).for_each(|binder| self.binder(binder, Way::Any));
    }
}
