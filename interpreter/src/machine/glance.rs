//! Glances: telling whether one can go on from an answer by looking at the state as it is. Planned by `lower::glance`.

use super::answers::{AnswerKind, Raw};
use super::trying::Outcome;
use super::{Halt, Machine};
use crate::program::*;

impl Machine<'_> {
    /// Whether one can go on from this answer, which leads to `behind`, where a glance tells.
    pub(super) fn glance(&mut self, raw: Raw, behind: usize) -> Option<Outcome> {
        let p = self.p;
        let glance = p.glances[behind];
        if glance.start == glance.end || !self.glances_tell() {
            return None;
        }
        let looks = &p.looks[glance.start as usize..glance.end as usize];
        let local = match (p.code[self.pc], raw.kind) {
            (Op::Choose(choice) | Op::Param { choice, .. }, AnswerKind::Element) => {
                Some(self.fp + p.binders[p.choices[choice as usize].binder.at()].local as usize)
            }
            (Op::Choose(choice) | Op::Param { choice, .. }, _)
                if !p.choices[choice as usize].alike =>
            {
                return None;
            }
            _ => None,
        };
        let before = local.map(|at| std::mem::replace(&mut self.m[at], raw.value));
        let top = self.top;
        // Hidden cards are not seen.
        self.probing += 1;
        let outcome = match glance.memo {
            Some(memo) if local.is_some() => self.look_from_memory(memo, raw.value, looks),
            _ => self.look(looks),
        };
        self.probing -= 1;
        self.top = top;
        let outcome = self.told(outcome);
        if let (Some(at), Some(before)) = (local, before) {
            self.m[at] = before;
        }
        // What an anytime action could mend is not settled.
        outcome.filter(|outcome| *outcome == Outcome::Yes || p.anytime.is_empty())
    }

    /// What is asked is a parameter, and has its value from the call.
    fn param_is_given(&self, index: Option<u32>) -> bool {
        index.is_some_and(|at| self.is_given(at))
    }

    /// Nothing is underway that only running on would bring to an end, and nobody wants to know why something is refused.
    pub(super) fn glances_tell(&self) -> bool {
        self.witnesses.is_none()
            && !self.counts_refusals
            && self.dirty.is_empty()
            && self.rules_due.is_empty()
            && !self.all_dirty
            && self.m[header::PENDING] == 0
            && self.m[header::SECRET] == 0
            && self.callers_are_safe()
    }

    /// What looks come to.
    pub(super) fn told(&mut self, outcome: Option<Outcome>) -> Option<Outcome> {
        match std::mem::replace(&mut self.halt, Halt::No) {
            Halt::No => outcome,
            Halt::Fail => Some(Outcome::No),
            Halt::Unknown => Some(Outcome::Perhaps),
            Halt::Fault => {
                // Running says where.
                self.fault = None;
                None
            }
        }
    }

    /// As [`Machine::look`] for one answer of a question; what was found out of others like it is not asked again.
    fn look_from_memory(&mut self, memo: u32, element: i32, looks: &[Look]) -> Option<Outcome> {
        let code = &self.p.memos[memo as usize];
        if !self.memo_tells(code) {
            return self.look(looks);
        }
        let mut classes = self.class_memo(memo);
        let outcome = self.class_leads(code, element, &mut classes);
        self.keep_classes(memo, classes);
        if outcome != Some(Outcome::Yes) {
            return outcome;
        }
        if let Some(outcome) = self.element_leads(memo, element) {
            return Some(outcome);
        }
        self.look(&looks[code.by_class as usize..])
    }

    /// None where only running tells.
    pub(super) fn look(&mut self, looks: &[Look]) -> Option<Outcome> {
        let p = self.p;
        for (at, look) in looks.iter().enumerate() {
            let holds = match *look {
                Look::Need(condition) => self.ev(condition) != 0,
                Look::Fits {
                    place,
                    value,
                    change,
                } => {
                    let (target, value) = self.changed(place, value, change)?;
                    self.fits(target, value).is_ok()
                }
                Look::Rules {
                    place,
                    value,
                    change,
                } => {
                    let (target, value) = self.changed(place, value, change)?;
                    self.rules_allow(target.word, value)
                }
                Look::Top(deck) => {
                    let deck = self.target(deck)?;
                    if self.m[deck.word] == 0 && p.cells[deck.slot.at()].refill.is_some() {
                        return None;
                    }
                    self.m[deck.word] > 0
                }
                Look::Enter { proc, args } => {
                    let base = self.enter_asked(proc, args);
                    let caller = std::mem::replace(&mut self.fp, base);
                    let outcome = self.look(&looks[at + 1..]);
                    self.fp = caller;
                    self.top = base;
                    return outcome;
                }
                Look::Ask {
                    choice,
                    index,
                    memo,
                } => {
                    if !self.param_is_given(index) {
                        return self.some_answer(choice, memo, &looks[at + 1..]);
                    }
                    let binder = &p.binders[p.choices[choice as usize].binder.at()];
                    binder.conditions.iter().all(|(c, _)| self.ev(*c) != 0)
                }
            };
            if self.halt != Halt::No {
                return None;
            }
            if !holds {
                return Some(Outcome::No);
            }
        }
        Some(Outcome::Yes)
    }

    /// Whether the looks behind a question hold for any of its answers.
    fn some_answer(&mut self, choice: u32, memo: Option<u32>, looks: &[Look]) -> Option<Outcome> {
        let p = self.p;
        let id = p.choices[choice as usize].binder;
        if let Source::Parts(_) = p.binders[id.at()].source {
            return match self.has_part(id)? {
                true => self.look(looks),
                false => Some(Outcome::No),
            };
        }
        if let Some(outcome) = memo.and_then(|memo| self.some_element(memo)) {
            return Some(outcome);
        }
        let mut best = Some(Outcome::No);
        let binder = &p.binders[id.at()];
        let local = self.fp + binder.local as usize;
        self.scan_source(binder, |machine, value, _| {
            machine.m[local] = value;
            if !machine.passes(binder) {
                return machine.halt == Halt::No;
            }
            let outcome = match memo {
                Some(memo) => machine.look_from_memory(memo, value, looks),
                None => machine.look(looks),
            };
            // A way that is closed says nothing of the others.
            match machine.halt {
                Halt::Fail => machine.halt = Halt::No,
                Halt::Unknown => {
                    machine.halt = Halt::No;
                    best = Some(Outcome::Perhaps);
                }
                _ => match outcome {
                    Some(Outcome::No) => {}
                    Some(Outcome::Perhaps | Outcome::Others) => best = outcome,
                    Some(Outcome::Yes) | None => {
                        best = outcome;
                        return false;
                    }
                },
            }
            machine.halt == Halt::No
        });
        self.m[local] = 0;
        best
    }

    /// A number's place and what it would be changed to; none after a halt, or where it becomes too large.
    fn changed(
        &mut self,
        place: PlaceId,
        value: NodeId,
        change: Change,
    ) -> Option<(super::Target, i32)> {
        let value = self.ev(value);
        if self.halt != Halt::No {
            return None;
        }
        let target = self.target(place)?;
        if change != Change::Set && self.seen(target.word).is_none() {
            self.unknown();
            return None;
        }
        // What changes by none fails when it is run.
        let value = self.number_after(target.word, change, value)?;
        Some((target, value))
    }

    /// Tests the rules that see a word as if it had this value.
    fn rules_allow(&mut self, word: usize, value: i32) -> bool {
        let p = self.p;
        let old = std::mem::replace(&mut self.m[word], value);
        let allowed = old == value
            || p.word_watchers(word).iter().all(|watcher| {
                let Watcher::Rule { rule, binding } = *watcher else {
                    return true;
                };
                let rule = &p.rules[rule as usize];
                rule.invariant || self.binding_holds(&rule.bindings, binding, rule.condition, true)
            });
        self.m[word] = old;
        allowed
    }

    /// A frame for a call whose open arguments are asked for inside.
    fn enter_asked(&mut self, proc: ProcId, args: List) -> usize {
        let p = self.p;
        let code = &p.procs[proc.at()];
        let base = self.reserve(code.frame_words as usize);
        self.m[base..base + code.frame_words as usize].fill(0);
        let mut given = 0;
        for (index, (local, words)) in code.params.iter().take(args.len as usize).enumerate() {
            let node = p.lists[args.start as usize + index];
            if node != ASKED {
                given |= 1 << index;
                self.argument(node, base + *local as usize, *words as usize);
            }
        }
        self.m[base + frame::GIVEN] = given;
        base
    }
}
