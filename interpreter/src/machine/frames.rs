//! Frames of the bodies that are running, and what they are called with.

use super::{Event, Halt, Machine};
use crate::ask::Eyes;
use crate::program::*;

impl Machine<'_> {
    #[cold]
    pub(super) fn need_failed(&mut self, condition: NodeId, reason: ReasonId) {
        let told = match self.p.nodes[condition.at()] {
            _ if !self.p.reasons[reason.at()].numbers => None,
            // A `check` asks for nothing: it compares.
            Node::LessEqual(a, b) | Node::Less(a, b) if self.compares(reason) => Some((a, b, 0)),
            // What is fixed is the limit; of two numbers that change the lesser one is what is needed: a price, not the money.
            Node::LessEqual(a, b) if self.is_fixed(b) => Some((b, a, 0)),
            Node::Less(a, b) if self.is_fixed(b) => Some((b, a, -1)),
            Node::LessEqual(a, b) => Some((a, b, 0)),
            Node::Less(a, b) => Some((a, b, 1)),
            Node::Equal(a, b) => Some((b, a, 0)),
            _ => None,
        };
        let (needed, found) = match (told, self.eyes) {
            (None, _) => (None, None),
            (Some((needed, found, more)), Eyes::Open) => (
                Some(self.ev(needed).saturating_add(more)),
                Some(self.ev(found)),
            ),
            (Some((needed, found, more)), Eyes::Of(_)) => {
                let local = !matches!(self.p.reasons[reason.at()].kind, ReasonKind::Rule(_));
                let numbers = [needed, found].map(|node| self.quoted_number(node, local));
                match numbers {
                    [Some(needed), Some(found)] => (Some(needed.saturating_add(more)), Some(found)),
                    _ => (None, None),
                }
            }
        };
        self.fail(reason, needed, found);
    }

    fn compares(&self, reason: ReasonId) -> bool {
        match self.p.reasons[reason.at()].kind {
            ReasonKind::Rule(rule) => self.p.rules[rule.index()].invariant,
            _ => false,
        }
    }

    fn is_fixed(&self, node: NodeId) -> bool {
        matches!(self.p.nodes[node.at()], Node::Const(_))
    }

    pub(super) fn let_words(&mut self, local: u32, value: NodeId) {
        let p = self.p;
        let shape = p.shapes[value.at()];
        let loc = self.loc(value);
        for at in 0..shape.words() {
            let word = self.get(loc, at);
            self.set_local(local + at as u32, word);
        }
    }

    /// Calls an action; open arguments are asked by its own parameters.
    pub(crate) fn call(&mut self, proc: ProcId, args: List, return_pc: usize) {
        if args.len == 0 {
            self.push_frame(proc, return_pc);
            return;
        }
        let p = self.p;
        let mark = self.candidates.len();
        let mut given = 0;
        // Evaluated in the caller's frame first: the new frame lies where temporaries are.
        for (index, (arg, (_, words))) in (args.start..args.start + args.len)
            .zip(&p.procs[proc.at()].params)
            .enumerate()
        {
            let node = p.lists[arg as usize];
            if node == ASKED {
                continue;
            }
            given |= 1 << index;
            self.push_argument(node, *words as usize);
        }
        if self.halt == Halt::No {
            self.push_frame(proc, return_pc);
            self.fill_params(proc, given, mark);
        }
        self.candidates.truncate(mark);
    }

    /// Evaluates an argument onto the candidates.
    pub(crate) fn push_argument(&mut self, node: NodeId, words: usize) {
        let shape = self.p.shapes[node.at()];
        if shape == Shape::Scalar {
            let value = self.ev(node);
            self.candidates.push(value);
            return;
        }
        let loc = self.loc(node);
        let own = shape.words();
        if self.is_cut_off(loc, shape, words) {
            self.breaks_at(self.p.node_spans[node.at()]);
        }
        for at in 0..words {
            let word = if at < own {
                self.get(loc, at)
            } else {
                shape.empty_word()
            };
            self.candidates.push(word);
        }
    }

    /// Moves given arguments from the candidates into the running frame.
    pub(crate) fn fill_params(&mut self, proc: ProcId, given: i32, mark: usize) {
        if self.halt != Halt::No {
            return;
        }
        self.set_local(frame::GIVEN as u32, given);
        let mut at = mark;
        for (index, (local, words)) in self.p.procs[proc.at()].params.iter().enumerate() {
            if given >> index & 1 == 0 {
                continue;
            }
            for word in 0..*words as usize {
                let value = self.candidates[at];
                self.set_local(local + word as u32, value);
                at += 1;
            }
        }
    }

    /// A parameter has its value from the call.
    #[inline]
    pub(crate) fn is_given(&self, index: u32) -> bool {
        self.m[self.fp + frame::GIVEN] >> index & 1 == 1
    }

    /// A given value of an asked parameter still has to pass its conditions.
    pub(super) fn check_given(&mut self, next: usize) {
        let p = self.p;
        if let Op::Param { choice, .. } = p.code[self.pc] {
            let binder = &p.binders[p.choices[choice as usize].binder.at()];
            for (condition, reason) in &binder.conditions {
                self.require(*condition, *reason);
            }
        }
        if self.halt == Halt::No {
            self.pc = next;
        }
    }

    /// Fails where a condition does not hold, unless something failed before.
    pub(super) fn require(&mut self, condition: NodeId, reason: ReasonId) {
        if self.halt != Halt::No {
            return;
        }
        let holds = self.ev(condition) != 0;
        if self.halt == Halt::No && !holds {
            self.need_failed(condition, reason);
        }
    }
}

impl<'p> Machine<'p> {
    // ---------------------------------------------------------------------------------------------- frames

    /// Opens a frame for a body that returns to `return_pc`; parameters are filled by the caller.
    pub(crate) fn push_frame(&mut self, proc: ProcId, return_pc: usize) -> usize {
        let words = self.p.procs[proc.at()].frame_words as usize;
        let base = self.sp;
        if base + words + 1024 > self.m.len() {
            let span = self.here();
            self.broken(
                span,
                "too many calls are open: does an action call itself without end?",
            );
            return base;
        }
        self.count_step();
        let kept = base.max(self.floor).min(base + words);
        // Where something else lay before, all of it is put back, also what is 0: not all that is written into a frame leaves
        // a trace.
        for at in base..kept {
            let before = std::mem::take(&mut self.m[at]);
            self.journal.push((at as u32, before));
        }
        self.m[kept..base + words].fill(0);
        let caller = std::mem::replace(&mut self.fp, base);
        self.set_local(frame::RETURN_PC as u32, return_pc as i32);
        self.set_local(frame::CALLER as u32, caller as i32);
        self.set_local(frame::ME as u32, self.me);
        self.sp = base + words;
        self.top = self.sp.max(self.floor);
        self.pc = self.p.procs[proc.at()].entry as usize;
        if self.probing == 0 {
            self.count_entry(proc);
            if let Some(trace) = &mut self.trace {
                trace.push(Event::Enter { proc, me: self.me });
            }
        }
        base
    }

    pub(crate) fn pop_frame(&mut self) {
        self.pc = self.m[self.fp + frame::RETURN_PC] as usize;
        self.me = self.m[self.fp + frame::ME];
        self.sp = self.fp;
        self.fp = self.m[self.fp + frame::CALLER] as usize;
        self.top = self.sp.max(self.floor);
    }

    pub(crate) fn in_flow(&self) -> bool {
        self.fp == self.p.fixed_words as usize
    }
}
