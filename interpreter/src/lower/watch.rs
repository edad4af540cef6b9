//! Which words a rule, a `when` or a network depends on, so that a write tells only those it concerns.

use super::clauses::{self, Clauses};
use super::finder::Finder;
use crate::Program;
use crate::program::*;
use std::collections::BTreeSet;
use std::ops::Range;

pub(super) fn attach(program: &mut Program) {
    let Attached {
        by_word,
        clauses,
        atoms,
        ..
    } = Attached::find(program);
    let program = &mut program.flat;
    program.atoms = atoms;
    let networks = program.networks.iter_mut().map(|code| &mut code.bindings);
    let rules = program.rules.iter_mut().map(|code| &mut code.bindings);
    let whens = program.whens.iter_mut().map(|code| &mut code.bindings);
    for (bindings, clauses) in networks.chain(rules).chain(whens).zip(clauses) {
        bindings.clauses = clauses;
    }
    for (word, mut watchers) in program.words.iter_mut().zip(by_word) {
        watchers.sort_unstable();
        watchers.dedup();
        let settles = |w: &Watcher| matches!(w, Watcher::Rule { .. } | Watcher::When { .. });
        word.start = program.watchers.len() as u32;
        word.mid = word.start + watchers.iter().filter(|w| settles(w)).count() as u32;
        word.end = word.start + watchers.len() as u32;
        program.watchers.extend(watchers);
    }
}

/// Who watches which words, and what bindings come to: of networks, then of rules, then of `when`s.
struct Attached<'p> {
    finder: Finder<'p>,
    by_word: Vec<Vec<Watcher>>,
    clauses: Vec<Vec<Range<u32>>>,
    atoms: Vec<Atom<Compared>>,
}

impl<'p> Attached<'p> {
    fn find(program: &'p Program) -> Attached<'p> {
        let mut attached = Attached {
            finder: Finder::new(program),
            by_word: vec![Vec::new(); program.fixed_words as usize],
            clauses: Vec::new(),
            atoms: Vec::new(),
        };
        for (at, code) in program.networks.iter().enumerate() {
            attached.network(at as u32, code);
        }
        for (at, rule) in program.rules.iter().enumerate() {
            attached.rule(at as u32, rule);
        }
        for (at, when) in program.whens.iter().enumerate() {
            attached.when(at as u32, when);
        }
        attached
    }

    fn add(&mut self, watcher: Watcher, words: impl IntoIterator<Item = u32>) {
        for word in words {
            self.by_word[word as usize].push(watcher);
        }
    }

    fn keep(&mut self, clauses: Option<&[Clauses]>) {
        let clauses = clauses.unwrap_or_default().iter();
        let runs = clauses.map(|clauses| clauses::lay(clauses, &clauses::NEVER, &mut self.atoms));
        self.clauses.push(runs.collect());
    }

    fn network(&mut self, network: u32, code: &NetworkCode) {
        for owner in 0..code.owners {
            let words = self.finder.network(network, owner as i32);
            self.add(Watcher::Network { network, owner }, words.iter());
        }
        let condition = code.condition;
        let clauses = condition.and_then(|c| self.finder.bound(&code.bindings, c, false));
        self.keep(clauses.as_deref());
    }

    fn rule(&mut self, at: u32, rule: &RuleCode) {
        let clauses = self.finder.bound(&rule.bindings, rule.condition, true);
        self.keep(clauses.as_deref());
        if rule.after.is_some() {
            return;
        }
        if rule.bindings.parts.is_some() {
            let words = self.finder.unbound(&rule.bindings, rule.condition);
            let binding = EVERY_BINDING;
            return self.add(Watcher::Rule { rule: at, binding }, words.iter());
        }
        let mut said = BTreeSet::new();
        for binding in 0..rule.bindings.count {
            // What always holds watches nothing, nor does what says the same as a binding before it.
            let tells = match &clauses {
                Some(clauses) => {
                    let clauses = &clauses[binding as usize];
                    !clauses.is_empty() && said.insert(clauses)
                }
                None => {
                    let known = binding_values(&rule.bindings, binding).collect();
                    self.finder.truth(rule.condition, &known) != Some(true)
                }
            };
            if tells {
                let words = self.finder.binding(&rule.bindings, binding, rule.condition);
                self.add(Watcher::Rule { rule: at, binding }, words.iter());
            }
        }
    }

    fn when(&mut self, at: u32, when: &WhenCode) {
        let clauses = self.finder.bound(&when.bindings, when.condition, false);
        self.keep(clauses.as_deref());
        let program = self.finder.program();
        for binding in 0..when.bindings.count {
            let words = if when.on.is_empty() {
                self.finder.binding(&when.bindings, binding, when.condition)
            } else {
                let player = bound_player(&when.bindings, binding);
                let cells = when.on.iter().map(|slot| &program.cells[slot.at()]);
                cells.flat_map(|cell| words_of(cell, player)).collect()
            };
            self.add(Watcher::When { when: at, binding }, words.iter());
        }
    }
}

/// The only player that a binding is about.
fn bound_player(bindings: &Bindings, binding: u32) -> Option<u32> {
    let [player] = bindings.players.as_slice() else {
        return None;
    };
    let bound = binding_values(bindings, binding).find(|(local, _)| local == player);
    bound.map(|(_, seat)| seat as u32)
}

/// The words of a cell, of one of each player only those that are his.
fn words_of(cell: &CellLayout, player: Option<u32>) -> impl Iterator<Item = u32> {
    let is_his = move |slot: &u32| match (player, cell.owner_of(*slot)) {
        (Some(player), Some(owner)) => player == owner,
        _ => true,
    };
    let slots = (0..cell.slots).filter(is_his);
    slots.flat_map(|slot| cell.word(slot) as u32..cell.word(slot) as u32 + cell.words)
}

/// The locals of a binding and their values.
pub(crate) fn binding_values(
    bindings: &Bindings,
    binding: u32,
) -> impl Iterator<Item = (u32, i32)> + '_ {
    let mut rest = binding;
    let mut stride: u32 = bindings.count;
    bindings.dims.iter().map(move |(local, low, n)| {
        stride /= (*n).max(1);
        let at = rest / stride.max(1);
        rest %= stride.max(1);
        (*local, low + at as i32)
    })
}
