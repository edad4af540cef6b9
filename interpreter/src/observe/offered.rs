//! Of which questions everybody knows what may be answered: there an only answer says nothing of what is hidden.
//!
//! What is offered rests on what is chosen from, on conditions, and on whatever may still fail up to the end of the extent. If
//! nobody can fail to see any of it, everybody knows the offer. What is not followed here counts as unseen.

use super::reads::{Locals, Reach, reach_alone};
use crate::Program;
use crate::facts::leads;
use crate::program::*;
use std::collections::BTreeSet;

/// For each instruction: it asks, and everybody knows what may be answered.
pub(super) fn known(program: &Program) -> Vec<bool> {
    let offers = Offers {
        program,
        locals: program.secrets(),
        rules_are_open: rules_are_open(program),
    };
    let all = 0..program.code.len();
    all.map(|pc| {
        leads(program, program.code[pc]).asks && (!program.hides_something() || offers.is_open(pc))
    })
    .collect()
}

/// Whether everybody sees what tells if rules hold and `when`s wake.
fn rules_are_open(program: &Program) -> bool {
    let rules = program.rules.iter();
    let rules = rules.map(|rule| (rule.condition, &rule.bindings));
    let whens = program.whens.iter();
    let mut all = rules.chain(whens.map(|when| (when.condition, &when.bindings)));
    all.all(|(condition, bindings)| {
        let mut asked = bindings.guard.into_iter().chain([condition]);
        asked.all(|node| reach_alone(program, node) == Reach::All)
    })
}

struct Offers<'p> {
    program: &'p Program,
    locals: &'p Locals,
    rules_are_open: bool,
}

impl Offers<'_> {
    /// Everything that decides what is offered at an instruction that asks lies open.
    fn is_open(&self, asked: usize) -> bool {
        let program = self.program;
        let mut met = BTreeSet::new();
        let mut open = vec![asked];
        while let Some(pc) = open.pop() {
            let is_safe = pc != asked && program.safe.get(pc) == Some(&true);
            if pc >= program.code.len() || is_safe || !met.insert(pc) {
                continue;
            }
            if !self.tests_in_the_open(pc) {
                return false;
            }
            if program.quiet.get(pc) != Some(&true) {
                if !self.rules_are_open {
                    return false;
                }
                let whens = program.whens.iter();
                open.extend(whens.map(|when| program.procs[when.proc.at()].entry as usize));
            }
            match program.code[pc] {
                // The extent ends, unless a rule waits for the end of a step.
                Op::Settle { more: false } if program.awaited.is_empty() => continue,
                Op::Call(proc, _) => open.push(program.procs[proc.at()].entry as usize),
                Op::Return => match self.callers(pc) {
                    Some(callers) => open.extend(callers.map(|pc| pc + 1)),
                    None => return false,
                },
                _ => {}
            }
            open.extend(leads(program, program.code[pc]).ways(pc));
        }
        true
    }

    /// The calls that lead to the body of a `return`; none if it is run otherwise too.
    fn callers(&self, pc: usize) -> Option<impl Iterator<Item = usize>> {
        let program = self.program;
        let bodies = program.procs.iter().enumerate();
        let bodies =
            bodies.filter(|(_, proc)| proc.kind != ProcKind::Formula && proc.entry as usize <= pc);
        let (body, proc) = bodies.max_by_key(|(_, proc)| proc.entry)?;
        let parts = program.effects.iter().flat_map(EffectNode::all);
        let is_run = |part: &EffectNode| match part {
            EffectNode::Call { proc, .. } | EffectNode::Inline { proc, .. } => proc.at() == body,
            EffectNode::Value { .. } => true,
            EffectNode::Times(..)
            | EffectNode::Many(_)
            | EffectNode::If(..)
            | EffectNode::For(..) => false,
        };
        let is_anytime = program.anytime.iter().any(|one| one.0.at() == body);
        if !matches!(proc.kind, ProcKind::Action(_)) || is_anytime || parts.into_iter().any(is_run)
        {
            return None;
        }
        let code = program.code.iter().enumerate();
        Some(code.filter_map(move |(at, op)| match op {
            Op::Call(proc, _) if proc.at() == body => Some(at),
            _ => None,
        }))
    }

    /// What the instruction looks at, where that may decide whether and where it goes on, everybody sees.
    fn tests_in_the_open(&self, pc: usize) -> bool {
        let program = self.program;
        let open = |node: NodeId| self.locals.reach(program, pc, node) == Reach::All;
        let place_open = |place: PlaceId| {
            let place = &program.places[place.at()];
            let mut which = program.listed(place.args).iter().chain(&place.element);
            which.all(|node| open(*node))
        };
        let lies_open = |place: PlaceId| {
            let cell = program.places[place.at()].cell;
            program.cells[cell.at()].is_open() && place_open(place)
        };
        let is_quiet = program.quiet.get(pc) == Some(&true);
        match program.code[pc] {
            Op::JumpUnless(value, _)
            | Op::Match { value, .. }
            | Op::RepeatBegin { times: value, .. }
            | Op::As { player: value, .. } => open(value),
            Op::Choose(choice) | Op::Param { choice, .. } => {
                let binder = program.choices[choice as usize].binder;
                self.locals.reach_of_binder(program, pc, binder) == Reach::All
            }
            Op::EachBegin { binder, .. } => {
                self.locals.reach_of_binder(program, pc, binder) == Reach::All
            }
            Op::PlayersBegin { order, .. } => program.orders[order as usize].asked().all(open),
            Op::WalkBegin(walk) | Op::WalkPick { walk, .. } => {
                self.locals.reach_of_walk(program, pc, walk) == Reach::All
            }
            Op::AgendaPick { .. } | Op::RunEffect(_) | Op::LeaveStep { more: true, .. } => false,
            _ if is_quiet => true,
            Op::Need(value, _)
            | Op::Let(_, value)
            | Op::LetWords(_, value)
            | Op::ParamDefault { value, .. }
            | Op::SetStarter(value) => open(value),
            // Whether it fits shows in the value.
            Op::Set(place, value) | Op::SetWords(place, value) => place_open(place) && open(value),
            Op::Add(place, value)
            | Op::Subtract(place, value)
            | Op::AddTo(place, value)
            | Op::TakeFrom(place, value) => lies_open(place) && open(value),
            Op::Move(step) => self.moves_in_the_open(pc, &program.moves[step as usize]),
            Op::Call(_, args) => {
                let mut args = program.listed(args).iter();
                args.all(|node| *node == ASKED || open(*node))
            }
            Op::Verdict { player, .. } => player.is_none_or(open),
            Op::Finish { more, .. } => more.is_none_or(open),
            Op::AgendaAdd { .. } | Op::AgendaOpen { .. } => false,
            Op::ProbeEnd
            | Op::Jump(_)
            | Op::Feed
            | Op::Shuffle(_)
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
            | Op::WhenEnd => true,
        }
    }

    /// How much lies in a place all see, what lies there not.
    fn moves_in_the_open(&self, pc: usize, step: &MoveOp) -> bool {
        let program = self.program;
        let open = |node: NodeId| self.locals.reach(program, pc, node) == Reach::All;
        let which = |place: PlaceId| {
            let place = &program.places[place.at()];
            let mut which = program.listed(place.args).iter().chain(&place.element);
            which.all(|node| open(*node))
        };
        let taken = match step.what {
            MoveWhat::Value { value, from, .. } => {
                let cell = program.places[from.at()].cell;
                open(value) && (step.up_to || program.cells[cell.at()].is_open())
            }
            MoveWhat::Drawn { count, .. } => count.is_none_or(open),
            MoveWhat::Everything(_) => true,
        };
        taken && which(step.from()) && which(step.to)
    }
}
