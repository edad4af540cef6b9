//! What an instruction writes and where it leads.

use crate::program::*;
use std::collections::BTreeSet;

/// What an instruction does to the cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Writes {
    pub cells: BTreeSet<Slot>,
    /// Words of the state that are no cells, and at which rules can look.
    pub words: Vec<u32>,
    /// It writes cells and does nothing else: it asks nothing, leads nowhere but on, and changes no local.
    pub alone: bool,
    /// What else it may run.
    pub runs: Runs,
}

/// What an instruction may run, besides what it wakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runs {
    Nothing,
    Body(ProcId),
    /// What that is is known only then.
    Anything,
}

/// Cells that are fed and those they are fed from.
pub(crate) fn fed(program: &Flat) -> BTreeSet<Slot> {
    let mut cells = BTreeSet::new();
    for slot in &program.feeding {
        let cell = &program.cells[slot.at()];
        let sources = cell.refill.iter().chain(&cell.fill);
        cells.insert(*slot);
        cells.extend(sources.map(|from| program.places[from.at()].cell));
    }
    cells
}

/// See the module; what it wakes is not among it.
pub(crate) fn writes(program: &Flat, op: Op) -> Writes {
    let cell = |place: PlaceId| program.places[place.at()].cell;
    let passes = |label: dsl::ir::LabelId| program.label_words[label.index()];
    let alone = |cells: BTreeSet<Slot>| Writes {
        cells,
        words: Vec::new(),
        alone: true,
        runs: Runs::Nothing,
    };
    let besides = |cells: BTreeSet<Slot>, words: Vec<u32>| Writes {
        words,
        alone: false,
        ..alone(cells)
    };
    let running = |runs: Runs| Writes {
        runs,
        ..besides(BTreeSet::new(), Vec::new())
    };
    match op {
        Op::Set(place, _)
        | Op::Add(place, _)
        | Op::Subtract(place, _)
        | Op::SetWords(place, _)
        | Op::AddTo(place, _)
        | Op::TakeFrom(place, _)
        | Op::Shuffle(place) => alone(BTreeSet::from([cell(place)])),
        Op::Move(step) => {
            let step = &program.moves[step as usize];
            let mut cells = BTreeSet::from([cell(step.to), cell(step.from())]);
            // An empty deck is filled again in the midst of it.
            if program.cells[cell(step.from()).at()].refill.is_some() {
                cells.extend(fed(program));
            }
            alone(cells)
        }
        Op::Feed => alone(fed(program)),
        Op::AgendaAdd { agenda, .. } | Op::AgendaOpen { agenda, .. } => {
            besides(BTreeSet::from([cell(agenda)]), Vec::new())
        }
        Op::EnterAction(action) => {
            let own = &program.action_cells[action as usize];
            besides(own.iter().copied().collect(), Vec::new())
        }
        Op::EnterStep { label, .. } => {
            let own = program.label_cells[label.index()].iter().copied();
            besides(own.collect(), vec![passes(label), passes(label) + 1])
        }
        Op::LeaveStep { label, .. } => besides(BTreeSet::new(), vec![passes(label) + 1]),
        Op::SetStarter(_) => besides(BTreeSet::new(), vec![header::STARTER as u32]),
        Op::Finish { .. } => besides(
            BTreeSet::new(),
            vec![header::FINISH_LABEL as u32, header::FINISH_LEFT as u32],
        ),
        Op::Verdict { .. } => besides(BTreeSet::new(), program.fate_words().collect()),
        Op::Call(proc, _) => running(Runs::Body(proc)),
        Op::AgendaPick { agenda, .. } => Writes {
            runs: Runs::Anything,
            ..besides(BTreeSet::from([cell(agenda)]), Vec::new())
        },
        Op::RunEffect(_) => running(Runs::Anything),
        Op::ProbeEnd
        | Op::Jump(_)
        | Op::JumpUnless(..)
        | Op::Need(..)
        | Op::Let(..)
        | Op::LetWords(..)
        | Op::Return
        | Op::Param { .. }
        | Op::ParamDefault { .. }
        | Op::Choose(_)
        | Op::Settle { .. }
        | Op::EachBegin { .. }
        | Op::EachNext { .. }
        | Op::PlayersBegin { .. }
        | Op::PlayersNext { .. }
        | Op::PlayersLeave { .. }
        | Op::PassEnd { .. }
        | Op::SecretBegin
        | Op::SecretEnd
        | Op::As { .. }
        | Op::AsEnd { .. }
        | Op::RepeatBegin { .. }
        | Op::RepeatTest { .. }
        | Op::Match { .. }
        | Op::May { .. }
        | Op::OneOf(_)
        | Op::WalkBegin(_)
        | Op::WalkPick { .. }
        | Op::Pause(_)
        | Op::FinishNow(_)
        | Op::Stay { .. }
        | Op::EndOfFlow
        | Op::WhenEnd => besides(BTreeSet::new(), Vec::new()),
    }
}

/// Where an instruction may lead within its body.
pub(crate) struct Leads {
    /// To the one behind it.
    pub on: bool,
    pub to: Vec<u32>,
    /// Somebody is asked there.
    pub asks: bool,
}

impl Leads {
    /// All ways on from it, where it stands at `pc`.
    pub fn ways(self, pc: usize) -> Vec<usize> {
        let on = self.on.then_some(pc + 1);
        on.into_iter()
            .chain(self.to.into_iter().map(|to| to as usize))
            .collect()
    }
}

/// See [`Leads`]. What is called comes back, and is not among it.
pub(crate) fn leads(program: &Flat, op: Op) -> Leads {
    let ways = |on: bool, to: Vec<u32>| Leads {
        on,
        to,
        asks: false,
    };
    let asks = |on: bool, to: Vec<u32>| Leads { on, to, asks: true };
    match op {
        Op::Jump(to) => ways(false, vec![to]),
        Op::JumpUnless(_, to)
        | Op::EachNext { end: to, .. }
        | Op::PlayersNext { end: to, .. }
        | Op::Stay { out: to }
        | Op::RepeatTest { end: to, .. } => ways(true, vec![to]),
        Op::Param { .. } | Op::Choose(_) | Op::Pause(_) => asks(true, Vec::new()),
        Op::AgendaPick { end: to, .. } | Op::WalkPick { end: to, .. } => asks(true, vec![to]),
        Op::May { body, end, .. } => asks(false, vec![body, end]),
        Op::Match { table, .. } => {
            let (_, jumps, default) = &program.matches[table as usize];
            ways(false, jumps.iter().chain([default]).copied().collect())
        }
        Op::OneOf(menu) => {
            let menu = &program.menus[menu as usize];
            let items = menu.items.iter().map(|item| item.pc);
            asks(false, items.chain(menu.none).collect())
        }
        Op::ProbeEnd | Op::Return | Op::FinishNow(_) | Op::EndOfFlow | Op::WhenEnd => {
            ways(false, Vec::new())
        }
        Op::Need(..)
        | Op::Let(..)
        | Op::LetWords(..)
        | Op::Set(..)
        | Op::Add(..)
        | Op::Subtract(..)
        | Op::SetWords(..)
        | Op::AddTo(..)
        | Op::TakeFrom(..)
        | Op::AgendaAdd { .. }
        | Op::Move(_)
        | Op::Feed
        | Op::Shuffle(_)
        | Op::SetStarter(_)
        | Op::Call(..)
        | Op::RunEffect(_)
        | Op::EnterAction(_)
        | Op::ParamDefault { .. }
        | Op::EnterStep { .. }
        | Op::LeaveStep { .. }
        | Op::Settle { .. }
        | Op::EachBegin { .. }
        | Op::PlayersBegin { .. }
        | Op::PlayersLeave { .. }
        | Op::PassEnd { .. }
        | Op::SecretBegin
        | Op::SecretEnd
        | Op::As { .. }
        | Op::AsEnd { .. }
        | Op::RepeatBegin { .. }
        | Op::AgendaOpen { .. }
        | Op::WalkBegin(_)
        | Op::Verdict { .. }
        | Op::Finish { .. } => ways(true, Vec::new()),
    }
}

/// Cells that bodies of `when`s may write, with all that they call; none where that cannot be told.
pub(crate) fn of_whens(program: &Flat) -> Option<BTreeSet<Slot>> {
    let mut cells = BTreeSet::new();
    let mut procs: Vec<ProcId> = program.whens.iter().map(|when| when.proc).collect();
    let mut at = 0;
    while let Some(proc) = procs.get(at) {
        at += 1;
        for pc in program.extent(program.procs[proc.at()].entry) {
            let written = writes(program, program.code[pc]);
            cells.extend(written.cells);
            match written.runs {
                Runs::Nothing => {}
                Runs::Body(proc) if procs.contains(&proc) => {}
                Runs::Body(proc) => procs.push(proc),
                Runs::Anything => return None,
            }
        }
    }
    Some(cells)
}
