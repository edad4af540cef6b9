//! What can be done in a game, and what counts how often it was.

use crate::Program;
use crate::program::{Op, ProcId};
use dsl::ir::{ActionId, DeedId, RuleSet};
use dsl::source::Span;
use std::collections::BTreeSet;

/// What is counted as used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UseKind {
    /// An action was done, however it came about.
    Action,
    /// Something else was chosen from a menu.
    Item,
}

impl UseKind {
    /// As it is called in JSON.
    pub fn name(self) -> &'static str {
        match self {
            UseKind::Action => "action",
            UseKind::Item => "item",
        }
    }
}

/// An action, or all menu items of one name that begin none.
#[derive(Clone, Debug)]
pub struct Deed {
    pub kind: UseKind,
    pub name: String,
    /// What people call it.
    pub said: String,
    pub span: Span,
    /// A seat can choose to do it: it stands in a menu, behind `may`, or may be done at any time. What others only call, or the
    /// flow demands, is nobody's choice.
    pub chosen: bool,
    counters: Vec<Counter>,
}

#[derive(Clone, Copy, Debug)]
enum Counter {
    Body(ProcId),
    Item(usize),
}

impl Deed {
    /// How often a seat did it, as far as it was counted; the seat behind the last is nobody. `seats` has nobody in it, too.
    pub(super) fn count(
        &self,
        [_, entered, _, items]: &[&[u64]; 4],
        (seat, seats): (usize, usize),
    ) -> u64 {
        let of =
            |counts: &[u64], at: usize| counts.get(seat * (counts.len() / seats) + at).copied();
        let count = |counter: &Counter| match counter {
            Counter::Body(proc) => of(entered, proc.at()),
            Counter::Item(item) => of(items, *item),
        };
        self.counters.iter().filter_map(count).sum()
    }
}

/// All deeds in the order of the rules, actions first.
pub(super) fn deeds(rules: &RuleSet, program: &Program) -> Vec<Deed> {
    let called = |deed: Option<DeedId>, name: &str| {
        let deed = deed.and_then(|deed| rules.speech.deeds.get(deed.index()));
        deed.map_or(name, |deed| deed.name.as_str()).to_owned()
    };
    let may_begin = may_begin(program);
    let actions = rules.actions.iter().zip(&program.action_procs).zip(0..);
    let mut all: Vec<Deed> = actions
        .map(|((action, proc), at)| Deed {
            kind: UseKind::Action,
            name: action.name.clone(),
            said: called(Some(DeedId::of(ActionId(at))), &action.name),
            span: action.span,
            chosen: may_begin.contains(proc),
            counters: vec![Counter::Body(*proc)],
        })
        .collect();
    let actions = all.len();
    let items = program.menus.iter().flat_map(|menu| &menu.items);
    for (at, item) in items.enumerate() {
        match all.iter_mut().position(|deed| deed.name == item.name) {
            // An item that begins an action is counted as that.
            Some(known) if known < actions => {}
            // Several menus may have an item of one name.
            Some(known) => all[known].counters.push(Counter::Item(at)),
            None => all.push(Deed {
                kind: UseKind::Item,
                name: item.name.clone(),
                said: called(rules.speech.begun.get(&item.span).copied(), &item.name),
                span: item.span,
                chosen: true,
                counters: vec![Counter::Item(at)],
            }),
        }
    }
    all
}

/// The actions that answers begin.
fn may_begin(program: &Program) -> BTreeSet<ProcId> {
    let items = program.menus.iter().flat_map(|menu| &menu.items);
    let mays = program.code.iter().filter_map(|op| match op {
        Op::May { body, .. } => Some(*body),
        _ => None,
    });
    let called = |pc: u32| match program.code.get(pc as usize) {
        Some(Op::Call(proc, _)) => Some(*proc),
        _ => None,
    };
    let begun = items.map(|item| item.pc).chain(mays).filter_map(called);
    begun
        .chain(program.anytime.iter().map(|(proc, ..)| *proc))
        .collect()
}
