//! Where nothing can fail any more: from there on an answer needs no look-ahead.

use crate::program::*;
use dsl::ir::LabelId;

/// Fills `Program::safe`: the greatest fixed point of "this instruction cannot fail and neither can what follows".
pub(super) fn mark(program: &mut Program) {
    let count = program.code.len();
    let mut safe = vec![true; count];
    let facts = Facts::new(program);
    let certain: Vec<bool> = (0..count)
        .map(|pc| facts.cannot_fail(program, pc))
        .collect();
    loop {
        let mut changed = false;
        for pc in (0..count).rev() {
            if safe[pc]
                && !(certain[pc]
                    && facts.woken_are_safe(program, &safe, pc)
                    && rest_is_safe(program, &safe, pc))
            {
                safe[pc] = false;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    for proc in &mut program.procs {
        proc.safe = safe.get(proc.entry as usize).copied().unwrap_or(false);
    }
    program.safe = safe;
    super::idle::mark(program, &|program, pc| {
        certain[pc] && facts.woken_are_safe(program, &program.safe, pc)
    });
}

/// What is known of cells before instructions are looked at.
struct Facts {
    /// Written words of the cell may break an `always`.
    ruled: Vec<bool>,
    /// Whens that a write to the cell may wake.
    wakes: Vec<Vec<ProcId>>,
}

impl Facts {
    fn new(program: &Program) -> Facts {
        let mut ruled = vec![false; program.cells.len()];
        let mut wakes = vec![Vec::new(); program.cells.len()];
        for at in 0..program.cells.len() {
            for watcher in program.cell_watchers(Slot(at as u32)) {
                match watcher {
                    Watcher::Rule { .. } => ruled[at] = true,
                    Watcher::When { when, .. } => {
                        let proc = program.whens[*when as usize].proc;
                        if !wakes[at].contains(&proc) {
                            wakes[at].push(proc);
                        }
                    }
                    Watcher::Network { .. } => {}
                }
            }
        }
        Facts { ruled, wakes }
    }

    /// Bodies that a write of this instruction may wake cannot fail either.
    fn woken_are_safe(&self, program: &Program, safe: &[bool], pc: usize) -> bool {
        let quiet = |place: PlaceId| {
            self.wakes[program.places[place.at()].cell.at()]
                .iter()
                .all(|proc| safe[program.procs[proc.at()].entry as usize])
        };
        match program.code[pc] {
            Op::Set(place, _)
            | Op::Add(place, _)
            | Op::Subtract(place, _)
            | Op::SetWords(place, _)
            | Op::AddTo(place, _)
            | Op::TakeFrom(place, _)
            | Op::Shuffle(place) => quiet(place),
            Op::Move(step) => {
                let step = &program.moves[step as usize];
                let (MoveWhat::Value { from, .. }
                | MoveWhat::Everything(from)
                | MoveWhat::Top { of: from, .. }) = step.what;
                quiet(step.to) && quiet(from)
            }
            Op::Feed => program.feeding.iter().all(|slot| {
                self.wakes[slot.at()]
                    .iter()
                    .all(|proc| safe[program.procs[proc.at()].entry as usize])
            }),
            _ => true,
        }
    }

    fn free(&self, slot: Slot) -> bool {
        !self.ruled[slot.at()]
    }

    fn cannot_fail(&self, program: &Program, pc: usize) -> bool {
        let quiet = |node: NodeId| !may_unwrap(program, node, 0);
        let place = |id: PlaceId| self.free(program.places[id.at()].cell);
        match program.code[pc] {
            Op::Need(..)
            | Op::Choose(_)
            | Op::Param { .. }
            | Op::AgendaPick { .. }
            | Op::As { .. } => false,
            Op::Set(target, value) => {
                place(target) && quiet(value) && set_fits(program, target, value)
            }
            Op::Add(target, value) => {
                place(target) && quiet(value) && add_fits(program, target, value)
            }
            Op::Subtract(..) => false,
            Op::SetWords(target, value) | Op::AddTo(target, value) => {
                place(target) && quiet(value) && roomy(program, target)
            }
            Op::TakeFrom(..) => false,
            Op::Move(at) => self.move_is_certain(program, &program.moves[at as usize]),
            Op::Feed => program.feeding.iter().all(|slot| self.free(*slot)),
            Op::Let(_, value)
            | Op::LetWords(_, value)
            | Op::JumpUnless(value, _)
            | Op::Match { value, .. } => quiet(value),
            Op::OneOf(menu) => program.menus[menu as usize].none.is_some(),
            Op::WalkPick { walk, .. } => {
                let walk = &program.walks[walk.at()];
                walk.at_least.is_none() && walk.to.is_none() && walk.need.is_none()
            }
            Op::LeaveStep { label, .. } => !awaited(program, label),
            Op::RunEffect(_) => false,
            _ => true,
        }
    }

    fn move_is_certain(&self, program: &Program, step: &MoveOp) -> bool {
        let to = step.to;
        let (MoveWhat::Value { from, .. }
        | MoveWhat::Everything(from)
        | MoveWhat::Top { of: from, .. }) = step.what;
        let free =
            self.free(program.places[to.at()].cell) && self.free(program.places[from.at()].cell);
        let there = match step.what {
            MoveWhat::Everything(_) => true,
            MoveWhat::Top { .. } => step.up_to,
            MoveWhat::Value { value, from, .. } => step.up_to || picked_from(program, value, from),
        };
        free && there && roomy(program, to)
    }
}

fn awaited(program: &Program, label: LabelId) -> bool {
    program.awaited.contains(&label)
}

/// The value is a local that was chosen or looped over from this very cell.
fn picked_from(program: &Program, value: NodeId, from: PlaceId) -> bool {
    let Node::Local(local) = program.nodes[value.at()] else {
        return false;
    };
    let cell = program.places[from.at()].cell;
    program.binders.iter().any(|binder| {
        let (Source::Container(node) | Source::Parts(node)) = binder.source else {
            return false;
        };
        binder.local == local
            && matches!(program.nodes[node.at()], Node::CellWords(slot, _) if slot == cell)
    })
}

pub(super) fn roomy(program: &Program, place: PlaceId) -> bool {
    let cell = &program.cells[program.places[place.at()].cell.at()];
    match cell.shape {
        Shape::Set { .. } | Shape::Bag { .. } => cell.capacity == Bound::Const(i32::MAX),
        Shape::List { .. } => cell.capacity == Bound::Const(i32::MAX),
        Shape::Scalar => cell.high == Bound::Const(i32::MAX),
        Shape::Row { .. } => false,
        Shape::Agenda { .. } => true,
    }
}

fn unbounded(program: &Program, place: PlaceId) -> (bool, bool) {
    let cell = &program.cells[program.places[place.at()].cell.at()];
    (
        cell.low == Bound::Const(UNKNOWN + 1),
        cell.high == Bound::Const(i32::MAX),
    )
}

pub(super) fn set_fits(program: &Program, place: PlaceId, value: NodeId) -> bool {
    let (no_low, no_high) = unbounded(program, place);
    if no_low && no_high {
        return true;
    }
    let cell = &program.cells[program.places[place.at()].cell.at()];
    match (program.nodes[value.at()], cell.low, cell.high) {
        (Node::Const(value), Bound::Const(low), Bound::Const(high)) => {
            value >= low && value <= high
        }
        (Node::Me, Bound::Const(low), Bound::Const(high)) => {
            low <= 0 && high >= program.players as i32 - 1
        }
        _ => false,
    }
}

pub(super) fn add_fits(program: &Program, place: PlaceId, value: NodeId) -> bool {
    let (no_low, no_high) = unbounded(program, place);
    no_high && (no_low || not_negative(program, value))
}

fn not_negative(program: &Program, node: NodeId) -> bool {
    is_natural(program, node, &|_| false)
}

/// The value is a number and never below 0, as far as `local` tells it of locals.
pub(crate) fn is_natural(program: &Program, node: NodeId, local: &dyn Fn(u32) -> bool) -> bool {
    let natural = |node: NodeId| is_natural(program, node, local);
    let never_below = |cell: &CellLayout| {
        let low = matches!(cell.low, Bound::Const(low) if low >= 0);
        low && cell.shape == Shape::Scalar && !cell.optional
    };
    match program.nodes[node.at()] {
        Node::Const(value) => value >= 0,
        Node::Local(at) => local(at),
        Node::Size(_) | Node::CountOf(..) => true,
        Node::Column(base, _) => program.natural_columns.contains(&base),
        Node::Aggregate(id) => program.aggregates[id.at()].op == dsl::ir::AggregateOp::Count,
        Node::If(_, a, b)
        | Node::Add(a, b)
        | Node::Multiply(a, b)
        | Node::Minimum(a, b)
        | Node::Maximum(a, b) => natural(a) && natural(b),
        Node::Cell0(word) => program
            .cells
            .iter()
            .any(|c| c.base == word && never_below(c)),
        Node::Cell1(slot, _) => never_below(&program.cells[slot.at()]),
        _ => false,
    }
}

pub(super) fn may_unwrap(program: &Program, node: NodeId, depth: u32) -> bool {
    if depth > 24 {
        return true;
    }
    let inner = |node: NodeId| may_unwrap(program, node, depth + 1);
    if let Node::Unwrap(..) = program.nodes[node.at()] {
        return true;
    }
    if let Some(operands) = program.nodes[node.at()].operands() {
        return operands.of(program).iter().any(|operand| inner(*operand));
    }
    match program.nodes[node.at()] {
        Node::Cell1(_, a) => inner(a),
        Node::Cell(_, args) | Node::CellWords(_, args) | Node::Call(_, args) => {
            (args.start..args.start + args.len).any(|at| inner(program.lists[at as usize]))
        }
        Node::Aggregate(id) | Node::Collect(id) => {
            let aggregate = &program.aggregates[id.at()];
            aggregate.value.is_some_and(inner)
                || aggregate.binders.iter().any(|b| {
                    let binder = &program.binders[b.at()];
                    binder.conditions.iter().any(|(c, _)| inner(*c))
                })
        }
        _ => false,
    }
}

fn rest_is_safe(program: &Program, safe: &[bool], pc: usize) -> bool {
    let at = |target: u32| safe.get(target as usize).copied().unwrap_or(false);
    let next = pc + 1 < safe.len() && safe[pc + 1];
    match program.code[pc] {
        Op::ProbeEnd | Op::Return | Op::WhenEnd | Op::EndOfFlow | Op::FinishNow => true,
        // In the flow an extent ends here, unless a rule waits for the end of a step.
        Op::Settle => program.awaited.is_empty() || next,
        Op::Jump(target) => at(target),
        Op::JumpUnless(_, target) => at(target) && next,
        Op::EachNext { end, .. } | Op::PlayersNext { end, .. } | Op::RepeatTest { end, .. } => {
            at(end) && next
        }
        Op::Match { table, .. } => {
            let (_, jumps, default) = &program.matches[table as usize];
            at(*default) && jumps.iter().all(|t| at(*t))
        }
        Op::OneOf(menu) => program.menus[menu as usize].none.is_some_and(at),
        Op::May { end, .. } | Op::WalkPick { end, .. } => at(end),
        Op::Call(proc, args) => {
            next && (at(program.procs[proc.at()].entry) || guarded(program, pc, proc, args))
        }
        _ => next,
    }
}

/// `if can X: X`, `repeat while … can X: X`
fn guarded(program: &Program, pc: usize, proc: ProcId, args: List) -> bool {
    let open = |list: List| {
        (list.start..list.start + list.len)
            .all(|at| program.lists[at as usize] == super::expr::ASKED)
    };
    let Some(Op::JumpUnless(condition, _)) = pc.checked_sub(1).map(|before| program.code[before])
    else {
        return false;
    };
    let mut node = condition;
    loop {
        match program.nodes[node.at()] {
            Node::Can(asked, given) => return asked == proc && open(given) && open(args),
            Node::And(_, last) => node = last,
            _ => return false,
        }
    }
}
