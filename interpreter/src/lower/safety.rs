//! Where nothing can fail any more: from there on an answer needs no look-ahead.

use crate::Program;
use crate::facts::{Facts, Runs, effect_asks, leads, writes};
use crate::program::*;
use std::collections::BTreeSet;

/// Fills `Program::safe`: the greatest fixed point of "this instruction cannot fail and neither can what follows". Returns which
/// instructions cannot fail themselves, nor can what they wake.
pub(super) fn mark(program: &mut Program, facts: &Facts) -> Vec<bool> {
    let count = program.code.len();
    let mut safe = vec![true; count];
    let (certain, woken) = {
        let safety = Safety::new(program, facts);
        let woken: Vec<Woken> = (0..count)
            .map(|pc| safety.woken(program.code[pc]))
            .collect();
        let certain: Vec<bool> = (0..count)
            .map(|pc| !woken[pc].fails && !safety.fails(pc))
            .collect();
        loop {
            let mut changed = false;
            for pc in (0..count).rev() {
                let holds = certain[pc]
                    && woken[pc].bodies.iter().all(|entry| safe[*entry as usize])
                    && safety.rest_is_safe(&safe, pc);
                if safe[pc] && !holds {
                    safe[pc] = false;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        (certain, woken)
    };
    for proc in &mut program.procs {
        proc.safe = safe.get(proc.entry as usize).copied().unwrap_or(false);
    }
    program.safe = safe;
    let woken_is_safe = |woken: &Woken| {
        woken
            .bodies
            .iter()
            .all(|entry| program.safe[*entry as usize])
    };
    let quiet = certain.iter().zip(&woken);
    quiet
        .map(|(certain, woken)| *certain && woken_is_safe(woken))
        .collect()
}

/// What a write may have for a consequence.
#[derive(Clone, Debug, Default)]
struct Woken {
    /// It may break a rule, or what it wakes may fail when it is asked whether to run.
    fails: bool,
    /// First instructions of the bodies of `when`s that it may wake.
    bodies: BTreeSet<u32>,
}

struct Safety<'p> {
    program: &'p Program,
    facts: &'p Facts,
    /// By cell.
    woken: Vec<Woken>,
    /// Choices of parameters that some caller gives.
    given: BTreeSet<u32>,
    /// Instructions to which some other one leads than that before them.
    targets: BTreeSet<u32>,
}

impl<'p> Safety<'p> {
    fn new(program: &'p Program, facts: &'p Facts) -> Safety<'p> {
        let mut safety = Safety {
            program,
            facts,
            woken: Vec::new(),
            given: given_choices(program),
            targets: jump_targets(program),
        };
        safety.woken = (program.cells.iter())
            .map(|cell| safety.watchers(cell.base..cell.base + cell.words * cell.slots))
            .collect();
        safety
    }

    fn watchers(&self, words: impl IntoIterator<Item = u32>) -> Woken {
        let mut woken = Woken::default();
        for word in words {
            for watcher in self.program.word_watchers(word as usize) {
                match watcher {
                    // What is a fault where it happens refuses nothing.
                    Watcher::Rule { rule, .. } => {
                        woken.fails |= !self.program.rules[*rule as usize].invariant;
                    }
                    Watcher::When { when, .. } => {
                        let when = &self.program.whens[*when as usize];
                        let asked = self.facts.bindings_end(&when.bindings, when.condition);
                        woken.fails |= asked.fails;
                        let body = self.program.procs[when.proc.at()].entry;
                        woken.bodies.insert(body);
                    }
                    Watcher::Network { .. } => {}
                }
            }
        }
        woken
    }

    /// What an instruction's own writes may have for a consequence.
    fn woken(&self, op: Op) -> Woken {
        let written = writes(self.program, op);
        let mut woken = self.watchers(written.words);
        for cell in written.cells {
            let of_cell = &self.woken[cell.at()];
            woken.fails |= of_cell.fails;
            woken.bodies.extend(&of_cell.bodies);
        }
        woken
    }

    /// Running the instruction may fail, whatever comes of its writes.
    fn fails(&self, pc: usize) -> bool {
        let p = self.program;
        let fails = |node: NodeId| self.facts.ends(node).fails;
        match p.code[pc] {
            Op::ProbeEnd
            | Op::Jump(_)
            | Op::Return
            | Op::Settle { .. }
            | Op::EachNext { .. }
            | Op::PlayersNext { .. }
            | Op::PlayersLeave { .. }
            | Op::PassEnd { .. }
            | Op::SecretBegin
            | Op::AsEnd { .. }
            | Op::RepeatTest { .. }
            | Op::Pause(_)
            // It can be declined.
            | Op::May { .. }
            | Op::Stay { .. }
            | Op::EndOfFlow
            | Op::WhenEnd => false,
            // What was written in secret is looked at now.
            Op::SecretEnd => !p.whens.is_empty() || p.rules.iter().any(|rule| !rule.invariant),
            // There may be nothing to answer.
            Op::Need(..)
            | Op::Choose(_)
            | Op::Param { .. }
            | Op::AgendaPick { .. }
            | Op::TakeFrom(..)
            | Op::RunEffect(_) => true,
            Op::OneOf(menu) => p.menus[menu as usize].none.is_none(),
            Op::WalkPick { walk, .. } => {
                let code = &p.walks[walk.at()];
                let must = code.at_least.is_some() || code.to.is_some() || code.need.is_some();
                must || self.facts.walk_ends(p, walk).fails
            }
            Op::WalkBegin(walk) => fails(p.walks[walk.at()].from),
            Op::JumpUnless(value, _)
            | Op::Let(_, value)
            | Op::LetWords(_, value)
            | Op::Match { value, .. }
            | Op::ParamDefault { value, .. }
            | Op::SetStarter(value)
            | Op::As { player: value, .. }
            | Op::RepeatBegin { times: value, .. } => fails(value),
            Op::Set(place, value) => {
                self.is_outside(place) || fails(value) || !set_fits(p, self.facts, place, value)
            }
            Op::Add(place, value) => {
                self.is_outside(place) || fails(value) || !change_fits(p, self.facts, place, value, Change::Add)
            }
            Op::Subtract(place, value) => {
                self.is_outside(place) || fails(value) || !change_fits(p, self.facts, place, value, Change::Subtract)
            }
            Op::SetWords(place, value) | Op::AddTo(place, value) => {
                self.is_outside(place) || fails(value) || !self.takes(place, value)
            }
            Op::Move(step) => !self.move_is_certain(pc, &p.moves[step as usize]),
            Op::Feed => !self.feed_is_certain(),
            Op::Shuffle(place) | Op::AgendaOpen { agenda: place, .. } => self.is_outside(place),
            Op::AgendaAdd { agenda, effect, .. } => {
                self.is_outside(agenda) || self.effect_fails(&p.effects[effect as usize])
            }
            Op::Call(_, args) => self.facts.list_ends(p, args).fails,
            Op::EnterAction(action) => self.start_fails(&p.action_cells[action as usize]),
            Op::EnterStep { label, .. } => self.start_fails(&p.label_cells[label.index()]),
            Op::LeaveStep { label, .. } => {
                let mut compared = p.histories.iter().flat_map(|history| &history.values);
                p.awaited.contains(&label) || compared.any(|value| fails(*value))
            }
            Op::EachBegin { binder, .. } => self.facts.binder_ends(p, binder).fails,
            Op::PlayersBegin { order, .. } => {
                p.orders[order as usize].asked().any(fails)
            }
            Op::Finish { more, .. } => more.is_some_and(fails),
            // An anytime action in the midst of something else may not give up.
            Op::Verdict { player, .. } => !p.anytime.is_empty() || player.is_some_and(fails),
            Op::FinishNow(_) => !p.anytime.is_empty(),
        }
    }

    fn is_outside(&self, place: PlaceId) -> bool {
        is_outside(self.program, self.facts, place)
    }

    fn start_fails(&self, cells: &[Slot]) -> bool {
        cells
            .iter()
            .any(|cell| match self.program.cells[cell.at()].start {
                Start::Fill(_) => false,
                Start::Eval(node) => self.facts.ends(node).fails,
            })
    }

    fn effect_fails(&self, effect: &EffectNode) -> bool {
        let (nodes, binders) = effect_asks(self.program, effect);
        nodes.into_iter().any(|node| self.facts.ends(node).fails)
            || (binders.into_iter())
                .any(|binder| self.facts.binder_ends(self.program, binder).fails)
    }

    /// Whatever lies in the value, or the element that it is, has its place in the cell.
    fn takes(&self, place: PlaceId, value: NodeId) -> bool {
        let shape = self.program.shapes[value.at()];
        let elements = match shape {
            Shape::Scalar => {
                let values = self.facts.values(value);
                (values.low, values.high)
            }
            _ => elements_of(shape),
        };
        roomy(self.program, place, elements)
    }

    fn move_is_certain(&self, pc: usize, step: &MoveOp) -> bool {
        let p = self.program;
        let from = step.from();
        if self.is_outside(step.to) || self.is_outside(from) {
            return false;
        }
        let cell = &p.cells[p.places[from.at()].cell.at()];
        // A number is moved from one count to another.
        if p.places[from.at()].shape == Shape::Scalar && !cell.optional {
            return false;
        }
        let there = match step.what {
            MoveWhat::Everything(_) => true,
            MoveWhat::Drawn { count, .. } => {
                let fails = count.is_some_and(|count| self.facts.ends(count).fails);
                let refills = cell.refill.is_some();
                step.up_to && !fails && (!refills || self.feed_is_certain())
            }
            MoveWhat::Value { value, shape, .. } => {
                let some = shape != Shape::Scalar || !self.facts.values(value).none;
                let fails = self.facts.ends(value).fails;
                some && !fails && (step.up_to || self.is_picked_from(pc, value, from))
            }
        };
        there && roomy(p, step.to, elements_of(p.places[from.at()].shape))
    }

    /// Whatever is fed fits.
    fn feed_is_certain(&self) -> bool {
        let p = self.program;
        p.feeding.iter().all(|slot| {
            let cell = &p.cells[slot.at()];
            let sources = cell.refill.into_iter().chain(cell.fill);
            // A row that is filled takes what it has gaps for.
            let fits = cell.refill.is_none() || cell.capacity == Bound::Const(i32::MAX);
            fits && sources.into_iter().all(|from| !self.is_outside(from))
        })
    }

    /// The value is a local that was chosen from this very place, or is looped over, and nothing was written since.
    fn is_picked_from(&self, pc: usize, value: NodeId, from: PlaceId) -> bool {
        let p = self.program;
        let Node::Local(local) = p.nodes[value.at()] else {
            return false;
        };
        for before in (0..pc).rev() {
            // Nothing else leads between the two.
            if self.targets.contains(&(before as u32 + 1)) {
                return false;
            }
            match p.code[before] {
                Op::EachNext { .. } => return self.is_looped_from(before, pc, local, from),
                Op::Param { choice, .. } if self.given.contains(&choice) => return false,
                Op::Choose(choice) | Op::Param { choice, .. } => {
                    let binder = p.choices[choice as usize].binder;
                    return self.binds(binder, local) && self.lists(binder, from);
                }
                Op::Need(..) => {}
                op => {
                    // Other cells may be written, if nothing that does writes this one.
                    let written = writes(p, op);
                    let cells = self.facts.with_woken(p, written.cells);
                    let cell = p.places[from.at()].cell;
                    if !written.alone || cells.is_none_or(|cells| cells.contains(&cell)) {
                        return false;
                    }
                }
            }
        }
        false
    }

    /// The body of a loop begins behind `before`, and up to `pc` nothing but requirements stand in it.
    fn is_looped_from(&self, before: usize, pc: usize, local: u32, from: PlaceId) -> bool {
        let p = self.program;
        let Op::EachNext {
            local: element,
            list,
            end,
        } = p.code[before]
        else {
            return false;
        };
        let Some(Op::EachBegin {
            binder,
            list: begun,
            ..
        }) = before.checked_sub(1).map(|at| p.code[at])
        else {
            return false;
        };
        // Each element is moved away once, and nothing else changes the place while the loop runs.
        let cell = p.places[from.at()].cell;
        let others = (before..end as usize).filter(|at| *at != pc).all(|at| {
            let written = writes(p, p.code[at]);
            let quiet = self.woken(p.code[at]).bodies.is_empty();
            let asks = leads(p, p.code[at]).asks;
            let runs = written.runs != Runs::Nothing;
            quiet && !asks && !runs && !written.cells.contains(&cell)
        });
        let own = self.woken(p.code[pc]).bodies.is_empty();
        let to = match p.code[pc] {
            Op::Move(step) => p.places[p.moves[step as usize].to.at()].cell,
            _ => cell,
        };
        element == local
            && list == begun
            && others
            && own
            && to != cell
            && self.binds(binder, local)
            && self.lists(binder, from)
    }

    fn binds(&self, binder: BinderId, local: u32) -> bool {
        self.program.binders[binder.at()].local == local
    }

    /// The binder lists what lies in this place: the same slot of the same cell.
    fn lists(&self, binder: BinderId, from: PlaceId) -> bool {
        let p = self.program;
        let (Source::Container(node) | Source::Parts(node)) = p.binders[binder.at()].source else {
            return false;
        };
        let place = &p.places[from.at()];
        let Node::CellWords(slot, args) = p.nodes[node.at()] else {
            return false;
        };
        let same = |(a, b): (&NodeId, &NodeId)| {
            let (a, b) = (p.nodes[a.at()], p.nodes[b.at()]);
            a == b && matches!(a, Node::Local(_) | Node::Me | Node::Const(_))
        };
        let (of_binder, of_place) = (p.listed(args), p.listed(place.args));
        slot == place.cell
            && place.element.is_none()
            && of_binder.len() == of_place.len()
            && of_binder.iter().zip(of_place).all(same)
    }

    fn rest_is_safe(&self, safe: &[bool], pc: usize) -> bool {
        let p = self.program;
        let at = |target: u32| safe.get(target as usize).copied().unwrap_or(false);
        let next = at(pc as u32 + 1);
        match p.code[pc] {
            // In the flow an extent ends here, unless a rule waits for the end of a step.
            Op::Settle { more: false } if p.awaited.is_empty() => true,
            // One way on is enough where it can be chosen.
            Op::OneOf(menu) => p.menus[menu as usize].none.is_some_and(at),
            Op::May { end, .. } | Op::WalkPick { end, .. } => at(end),
            Op::Call(proc, _) => next && at(p.procs[proc.at()].entry),
            op => {
                let leads = leads(p, op);
                (next || !leads.on) && leads.to.into_iter().all(at)
            }
        }
    }
}

/// Choices of parameters to which a call, or an effect, gives a value.
fn given_choices(program: &Program) -> BTreeSet<u32> {
    let mut calls: Vec<(ProcId, List)> = Vec::new();
    for op in &program.code {
        if let Op::Call(proc, args) = op {
            calls.push((*proc, *args));
        }
    }
    for part in program.effects.iter().flat_map(EffectNode::all) {
        if let EffectNode::Call { proc, args } = part {
            calls.push((*proc, *args));
        }
    }
    let mut given = BTreeSet::new();
    for (proc, args) in calls {
        let args = program.listed(args);
        for pc in program.extent(program.procs[proc.at()].entry) {
            if let Op::Param { choice, index } = program.code[pc]
                && args.get(index as usize).is_some_and(|arg| *arg != ASKED)
            {
                given.insert(choice);
            }
        }
    }
    given
}

fn jump_targets(program: &Program) -> BTreeSet<u32> {
    let entries = program.procs.iter().map(|proc| proc.entry);
    let jumps = program.code.iter().flat_map(|op| leads(program, *op).to);
    entries.chain(jumps).collect()
}

/// An index may lie outside of the cell, or the place that is meant in it may not be there.
pub(super) fn is_outside(program: &Program, facts: &Facts, place: PlaceId) -> bool {
    let place = &program.places[place.at()];
    place.element.is_some()
        || facts.list_ends(program, place.args).fails
        || !facts.is_inside(program, place.cell, place.args)
}

/// The least and the greatest element that such a container can hold.
pub(super) fn elements_of(shape: Shape) -> (i64, i64) {
    match shape {
        Shape::Set { n, low } | Shape::Bag { n, low } => {
            (low.into(), i64::from(low) + i64::from(n) - 1)
        }
        Shape::Scalar | Shape::List { .. } | Shape::Row { .. } | Shape::Agenda { .. } => {
            (i32::MIN.into(), i32::MAX.into())
        }
    }
}

/// Any number of such elements has room there. That a list holds no more than there is memory for is a fault.
pub(super) fn roomy(program: &Program, place: PlaceId, (least, most): (i64, i64)) -> bool {
    let cell = &program.cells[program.places[place.at()].cell.at()];
    let unbounded = cell.capacity == Bound::Const(i32::MAX);
    match cell.shape {
        Shape::Set { n, low } | Shape::Bag { n, low } => {
            // Pieces of a table are what the zone is made for.
            let (first, last) = (i64::from(low), i64::from(low) + i64::from(n) - 1);
            let holds =
                matches!(cell.holds, Some(holds) if !matches!(holds, dsl::ir::Domain::Int { .. }));
            unbounded && (holds || first <= least && most <= last)
        }
        Shape::List { .. } => unbounded,
        Shape::Scalar => cell.high == Bound::Const(i32::MAX),
        Shape::Row { .. } => false,
        Shape::Agenda { .. } => true,
    }
}

/// The bounds that every slot keeps.
fn bounds(program: &Program, cell: &CellLayout) -> Option<(i64, i64)> {
    let slots = |base: u32| &program.consts[base as usize..(base + cell.slots) as usize];
    let low = match cell.low {
        Bound::Const(low) => low,
        Bound::PerSlot(base) => *slots(base).iter().max()?,
        Bound::PerPart { .. } => return None,
    };
    let high = match cell.high {
        Bound::Const(high) => high,
        Bound::PerSlot(base) => *slots(base).iter().min()?,
        Bound::PerPart { .. } => return None,
    };
    Some((low.into(), high.into()))
}

pub(super) fn set_fits(program: &Program, facts: &Facts, place: PlaceId, value: NodeId) -> bool {
    let place = &program.places[place.at()];
    let cell = &program.cells[place.cell.at()];
    let values = facts.values(value);
    let none = !values.none || cell.optional || place.shape != cell.shape;
    let fits = |(low, high)| values.lies_in(low, high);
    none && bounds(program, cell).is_some_and(fits)
}

/// More or less of a number stays in its range, whatever it is; of what may be none there is neither.
pub(super) fn change_fits(
    program: &Program,
    facts: &Facts,
    place: PlaceId,
    value: NodeId,
    change: Change,
) -> bool {
    let cell = &program.cells[program.places[place.at()].cell.at()];
    let no_low = cell.low == Bound::Const(UNKNOWN + 1);
    let no_high = cell.high == Bound::Const(i32::MAX);
    let values = facts.values(value);
    let (grows, shrinks) = match change {
        Change::Add => (values.high > 0, values.low < 0),
        Change::Subtract => (values.low < 0, values.high > 0),
        Change::Set => (true, true),
    };
    !values.none && !cell.optional && (no_high || !grows) && (no_low || !shrinks)
}
