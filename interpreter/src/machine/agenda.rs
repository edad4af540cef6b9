//! Agendas: what must and what may still be done. An entry is must, body, given arguments, argument words.

use super::targets::Target;
use super::{Halt, Machine};
use crate::program::*;

/// Words before the arguments.
const HEAD: usize = 3;

/// Bits of a frame's `GIVEN` word: the body was picked from an agenda; as something that must be done.
const FROM_AGENDA: u32 = 29;
const WAS_MUST: u32 = 28;

impl Machine<'_> {
    fn width(&self) -> usize {
        self.p.agenda_width as usize
    }

    /// Where an entry lies.
    pub(super) fn entry(&self, agenda: Target, at: usize) -> usize {
        agenda.word + 1 + at * self.width()
    }

    pub(crate) fn agenda_open(&mut self, agenda: PlaceId, saved: u32) {
        if let Some(target) = self.target(agenda) {
            let count = self.m[target.word];
            self.set(self.fp + saved as usize, count);
        }
    }

    pub(crate) fn agenda_is_empty(&mut self, agenda: PlaceId) -> bool {
        self.target(agenda)
            .is_none_or(|target| self.m[target.word] == 0)
    }

    /// `todo.must += effect`: composites are replaced by their parts, arguments evaluated now.
    pub(crate) fn agenda_add(&mut self, agenda: PlaceId, must: bool, effect: u32) {
        let Some(target) = self.target(agenda) else {
            return;
        };
        let p = self.p;
        self.add_effect(target, must, &p.effects[effect as usize], 0);
    }

    fn add_effect(&mut self, agenda: Target, must: bool, effect: &EffectNode, depth: u32) {
        if self.halt != Halt::No {
            return;
        }
        if depth > 32 {
            let span = self.here();
            self.broken(span, "effects are made of each other without end");
            return;
        }
        match effect {
            EffectNode::Call { proc, args, .. } => self.add_call(agenda, must, *proc, *args, depth),
            EffectNode::Value { value, kind } => self.add_value(agenda, must, *value, *kind, depth),
            EffectNode::Times(count, inner) => {
                let count = self.ev(*count);
                for _ in 0..count {
                    self.add_effect(agenda, must, inner, depth + 1);
                }
            }
            EffectNode::Many(parts) => {
                for part in parts {
                    self.add_effect(agenda, must, part, depth + 1);
                }
            }
            EffectNode::If(condition, yes, no) => {
                if self.ev(*condition) != 0 {
                    self.add_effect(agenda, must, yes, depth + 1);
                } else if let Some(no) = no {
                    self.add_effect(agenda, must, no, depth + 1);
                }
            }
            EffectNode::For(binders, inner) => self.add_for(agenda, must, binders, inner, depth),
            EffectNode::Inline { proc, words } => {
                let entry = self.push_entry(agenda, must, *proc, -1);
                if let Some(entry) = entry {
                    for at in 0..*words as usize {
                        let word = self.m[self.fp + frame::SIZE + at];
                        self.set(entry + HEAD + at, word);
                    }
                }
            }
        }
    }

    fn add_for(
        &mut self,
        agenda: Target,
        must: bool,
        binders: &[BinderId],
        inner: &EffectNode,
        depth: u32,
    ) {
        let Some((first, rest)) = binders.split_first() else {
            return self.add_effect(agenda, must, inner, depth + 1);
        };
        let p = self.p;
        let binder = &p.binders[first.at()];
        let mark = self.candidates.len();
        self.collect_candidates(binder);
        let end = self.candidates.len();
        for at in mark..end {
            let item = self.candidates[at];
            self.m[self.fp + binder.local as usize] = item;
            self.add_for(agenda, must, rest, inner, depth);
        }
        self.m[self.fp + binder.local as usize] = 0;
        self.candidates.truncate(mark);
    }

    fn add_value(
        &mut self,
        agenda: Target,
        must: bool,
        value: NodeId,
        kind: EffectValue,
        depth: u32,
    ) {
        let p = self.p;
        match kind {
            EffectValue::Effect => {
                let effect = self.ev(value);
                self.add_table_effect(agenda, must, effect, depth);
            }
            EffectValue::Action => {
                let action = self.ev(value);
                if let Some(proc) = usize::try_from(action)
                    .ok()
                    .and_then(|a| p.action_procs.get(a))
                {
                    self.push_entry(agenda, must, *proc, 0);
                }
            }
            EffectValue::List => {
                let mark = self.candidates.len();
                let shape = p.shapes[value.at()];
                let loc = self.loc(value);
                self.for_items(loc, shape, |machine, effect, _| {
                    machine.candidates.push(effect);
                    true
                });
                for at in mark..self.candidates.len() {
                    let effect = self.candidates[at];
                    self.add_table_effect(agenda, must, effect, depth);
                }
                self.candidates.truncate(mark);
            }
        }
    }

    /// The effect of a table's cell: itself, or its parts where it calls composites.
    fn add_table_effect(&mut self, agenda: Target, must: bool, effect: i32, depth: u32) {
        let p = self.p;
        let Some(at) = usize::try_from(effect)
            .ok()
            .filter(|at| *at < p.effect_procs.len())
        else {
            return;
        };
        let proc = p.effect_procs[at];
        match p.effect_parts[at] {
            None => {
                self.push_entry(agenda, must, proc, 0);
            }
            Some(parts) => {
                self.count_laid(proc);
                let base = self.reserve(p.procs[proc.at()].frame_words as usize);
                let caller = std::mem::replace(&mut self.fp, base);
                self.add_effect(agenda, must, &p.effects[parts as usize], depth + 1);
                self.fp = caller;
                self.top = base;
            }
        }
    }

    fn add_call(&mut self, agenda: Target, must: bool, proc: ProcId, args: List, depth: u32) {
        let p = self.p;
        let action = match p.procs[proc.at()].kind {
            ProcKind::Action(action) => action.index(),
            _ => return,
        };
        // With a question of its own a composite waits to be picked: see `lay_parts`.
        let open = (args.start..args.start + args.len).any(|at| p.lists[at as usize] == ASKED);
        if !open && let Some(parts) = p.composites.get(action).copied().flatten() {
            self.count_laid(proc);
            let base = self.enter_action(proc, args);
            let caller = std::mem::replace(&mut self.fp, base);
            self.add_effect(agenda, must, &p.effects[parts as usize], depth + 1);
            self.fp = caller;
            self.top = base;
            return;
        }
        let mark = self.candidates.len();
        let given = self.push_arguments(proc, args);
        if let Some(entry) = self.push_entry(agenda, must, proc, given) {
            for at in 0..self.candidates.len() - mark {
                let word = self.candidates[mark + at];
                self.set(entry + HEAD + at, word);
            }
        }
        self.candidates.truncate(mark);
    }

    /// A temporary frame with an action's arguments.
    fn enter_action(&mut self, proc: ProcId, args: List) -> usize {
        let p = self.p;
        let mark = self.candidates.len();
        let given = self.push_arguments(proc, args);
        let base = self.reserve(p.procs[proc.at()].frame_words as usize);
        let mut at = mark;
        for (index, (local, words)) in p.procs[proc.at()].params.iter().enumerate() {
            if given >> index & 1 == 1 {
                for word in 0..*words as usize {
                    self.m[base + *local as usize + word] = self.candidates[at];
                    at += 1;
                }
            }
        }
        self.candidates.truncate(mark);
        base
    }

    fn push_arguments(&mut self, proc: ProcId, args: List) -> i32 {
        let p = self.p;
        let mut given = 0;
        for (index, (arg, (_, words))) in (args.start..args.start + args.len)
            .zip(&p.procs[proc.at()].params)
            .enumerate()
        {
            let node = p.lists[arg as usize];
            if node != ASKED {
                given |= 1 << index;
                self.push_argument(node, *words as usize);
            }
        }
        given
    }

    fn push_entry(
        &mut self,
        agenda: Target,
        must: bool,
        proc: ProcId,
        given: i32,
    ) -> Option<usize> {
        let count = self.m[agenda.word] as usize;
        if count >= AGENDA_MAX {
            let span = self.here();
            self.broken(
                span,
                format!("an agenda holds more than {AGENDA_MAX} effects"),
            );
            return None;
        }
        let entry = self.entry(agenda, count);
        self.set(entry, i32::from(must));
        self.set(entry + 1, proc.0 as i32);
        self.set(entry + 2, given);
        self.set(agenda.word, count as i32 + 1);
        Some(entry)
    }

    /// Calls `visit` with the first of each run of equal entries; must-entries before equal may-entries.
    pub(crate) fn distinct_entries(
        &mut self,
        agenda: Target,
        mut visit: impl FnMut(&mut Self, usize) -> bool,
    ) -> bool {
        let count = self.m[agenda.word] as usize;
        for at in 0..count {
            let same = (0..at).any(|before| self.same_entry(agenda, before, at));
            if !same && !visit(self, at) {
                return false;
            }
        }
        true
    }

    fn same_entry(&self, agenda: Target, a: usize, b: usize) -> bool {
        let (a, b) = (self.entry(agenda, a), self.entry(agenda, b));
        self.m[a + 1..a + self.width()] == self.m[b + 1..b + self.width()]
    }

    /// No must-entry is left.
    pub(crate) fn agenda_may_end(&self, agenda: Target) -> bool {
        let count = self.m[agenda.word] as usize;
        (0..count).all(|at| self.m[self.entry(agenda, at)] == 0)
    }

    /// Who picks this entry, the first of equal ones, does what must be done.
    pub(crate) fn is_must(&self, agenda: Target, at: usize) -> bool {
        self.must_among_equals(agenda, at).is_some()
    }

    /// From an entry on the first equal one that must be done.
    fn must_among_equals(&self, agenda: Target, at: usize) -> Option<usize> {
        let count = self.m[agenda.word] as usize;
        (at..count).find(|other| {
            self.m[self.entry(agenda, *other)] == 1 && self.same_entry(agenda, at, *other)
        })
    }

    pub(crate) fn agenda_clear(&mut self, agenda: Target) {
        let count = self.m[agenda.word] as usize;
        for word in agenda.word..self.entry(agenda, count) {
            self.set(word, 0);
        }
    }

    /// Where an entry's words lie behind its mode: body, given, arguments.
    pub(crate) fn entry_range(&self, agenda: Target, at: usize) -> std::ops::Range<usize> {
        let entry = self.entry(agenda, at);
        entry + 1..entry + self.width()
    }

    /// Takes an entry off (a must-entry among equals first) and opens its body, which returns to this instruction.
    pub(crate) fn agenda_run(&mut self, agenda: Target, at: usize) {
        let count = self.m[agenda.word] as usize;
        let at = self.must_among_equals(agenda, at).unwrap_or(at);
        // Moves the entry to the end, the others keep their order.
        for at in at + 1..count {
            self.swap_entries(agenda, at - 1, at);
        }
        let must = self.m[self.entry(agenda, count - 1)] == 1;
        self.run_last(agenda, count - 1);
        let bits = 1 << FROM_AGENDA | i32::from(must) << WAS_MUST;
        self.set(
            self.fp + frame::GIVEN,
            self.m[self.fp + frame::GIVEN] | bits,
        );
    }

    /// A composite that was picked from an agenda lays its parts there, in its own mode.
    fn lay_parts(&mut self, effect: u32, next: usize) -> bool {
        let p = self.p;
        let given = self.m[self.fp + frame::GIVEN];
        // Only the composite's own parts, not effects its body runs.
        if given >> FROM_AGENDA & 1 == 0 || !p.composites.contains(&Some(effect)) {
            return false;
        }
        let return_pc = self.m[self.fp + frame::RETURN_PC] as usize;
        let Op::AgendaPick { agenda, .. } = p.code[return_pc] else {
            return false;
        };
        let own = self.fp;
        self.fp = self.m[own + frame::CALLER] as usize;
        let target = self.target(agenda);
        self.fp = own;
        if let Some(target) = target {
            self.add_effect(
                target,
                given >> WAS_MUST & 1 == 1,
                &p.effects[effect as usize],
                0,
            );
        }
        self.pc = next;
        true
    }

    /// Runs an effect in place: calls, table effects, composites part by part.
    pub(crate) fn run_effect(&mut self, effect: u32, next: usize) {
        let p = self.p;
        if self.lay_parts(effect, next) {
            return;
        }
        match &p.effects[effect as usize] {
            EffectNode::Call { proc, args, .. } => self.call(*proc, *args, next),
            EffectNode::Value { value, kind } if *kind != EffectValue::List => {
                let at = self.ev(*value);
                if self.halt != Halt::No {
                    return;
                }
                let procs = if *kind == EffectValue::Action {
                    &p.action_procs
                } else {
                    &p.effect_procs
                };
                match usize::try_from(at).ok().and_then(|at| procs.get(at)) {
                    Some(proc) => {
                        self.push_frame(*proc, next);
                    }
                    None => self.pc = next,
                }
            }
            _ => self.run_parts(effect, next),
        }
    }

    /// Parts of a composite or a list: they are laid on the hidden agenda of the frame stack, one frame each, in order.
    fn run_parts(&mut self, effect: u32, next: usize) {
        let p = self.p;
        let Some(queue) = p.run_queue else {
            self.pc = next;
            return;
        };
        let target = self.queue_target(queue);
        if self.m[self.fp + frame::GIVEN] >> 30 & 1 == 0 {
            // First time here: remember how full the queue is, then add the parts in reverse, so that the first is on top.
            let before = self.m[target.word];
            self.set(
                self.fp + frame::GIVEN,
                self.m[self.fp + frame::GIVEN] | 1 << 30,
            );
            self.add_effect(target, true, &p.effects[effect as usize], 0);
            let after = self.m[target.word];
            self.set(self.fp + frame::QUEUE, before);
            self.reverse_entries(target, before as usize, after as usize);
        }
        if self.m[target.word] > self.m[self.fp + frame::QUEUE] {
            let last = self.m[target.word] as usize - 1;
            self.run_last(target, last);
        } else {
            self.set(
                self.fp + frame::GIVEN,
                self.m[self.fp + frame::GIVEN] & !(1 << 30),
            );
            self.set(self.fp + frame::QUEUE, 0);
            self.pc = next;
        }
    }

    fn queue_target(&self, queue: u32) -> Target {
        Target {
            word: queue as usize,
            slot: Slot(0),
            shape: Shape::Agenda {
                width: self.p.agenda_width,
            },
        }
    }

    fn reverse_entries(&mut self, agenda: Target, from: usize, to: usize) {
        let (mut low, mut high) = (from, to);
        while low + 1 < high {
            high -= 1;
            self.swap_entries(agenda, low, high);
            low += 1;
        }
    }

    fn swap_entries(&mut self, agenda: Target, a: usize, b: usize) {
        let (a, b) = (self.entry(agenda, a), self.entry(agenda, b));
        for at in 0..self.entry_words(a).max(self.entry_words(b)) {
            let (x, y) = (self.m[a + at], self.m[b + at]);
            self.set(a + at, y);
            self.set(b + at, x);
        }
    }

    /// Words of an entry that may be other than 0.
    fn entry_words(&self, entry: usize) -> usize {
        let proc = &self.p.procs[self.m[entry + 1] as usize];
        let given = self.m[entry + 2];
        let len = match given {
            ..0 => (proc.frame_words as usize).saturating_sub(frame::SIZE),
            _ => (proc.params.iter().enumerate())
                .filter(|(index, _)| given >> index & 1 == 1)
                .map(|(_, (_, words))| *words as usize)
                .sum(),
        };
        self.width().min(HEAD + len)
    }

    fn run_last(&mut self, agenda: Target, last: usize) {
        let entry = self.entry(agenda, last);
        let words = self.entry_words(entry);
        let proc = ProcId(self.m[entry + 1] as u32);
        let given = self.m[entry + 2];
        let mark = self.candidates.len();
        self.candidates
            .extend_from_slice(&self.m[entry + HEAD..entry + words]);
        for word in entry..entry + words {
            self.set(word, 0);
        }
        self.set(agenda.word, last as i32);
        let return_pc = self.pc;
        self.push_frame(proc, return_pc);
        if given < 0 {
            for at in 0..words - HEAD {
                let word = self.candidates[mark + at];
                self.set(self.fp + frame::SIZE + at, word);
            }
        } else {
            self.fill_params(proc, given, mark);
        }
        self.candidates.truncate(mark);
    }
}
