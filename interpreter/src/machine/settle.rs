//! Settling: running woken `when`s to rest, then testing `always` and `check`.

use super::{Halt, Machine};
use crate::lower::watch::binding_values;
use crate::program::*;
use dsl::ir::LabelId;
use std::ops::Range;

/// What a settle found to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settled {
    /// All is at rest.
    Yes,
    /// The body of a `when` runs now; the instruction that wanted to settle runs again afterwards.
    Body,
    /// Somebody has won or lost, or it was drawn, and that is the end of the game.
    Over,
    /// See `halt`.
    Halted,
}

impl Machine<'_> {
    #[inline]
    pub(crate) fn settle(&mut self) -> Settled {
        // Rules wait where bodies of `when`s ran in between.
        let rests = self.dirty.is_empty() && self.rules_due.is_empty();
        if rests && !self.all_dirty && self.m[header::PENDING] | self.m[header::ENDING] == 0 {
            return Settled::Yes;
        }
        self.settle_changes()
    }

    fn settle_changes(&mut self) -> Settled {
        if self.m[header::SECRET] > 0 {
            return Settled::Yes;
        }
        self.look_at_writes();
        if self.halt == Halt::No && self.m[header::IN_WHEN] == 0 && self.m[header::PENDING] > 0 {
            return self.run_pending();
        }
        if self.rules_due.len() > 1 {
            self.rules_due.sort_unstable();
            self.rules_due.dedup();
        }
        let mut due = std::mem::take(&mut self.rules_due);
        self.test_rules(&due);
        due.clear();
        self.rules_due = due;
        if self.halt != Halt::No {
            Settled::Halted
        } else if self.m[header::ENDING] != 0 && self.m[header::IN_WHEN] == 0 && self.is_decided() {
            Settled::Over
        } else {
            Settled::Yes
        }
    }

    /// Wakes what written words concern.
    fn look_at_writes(&mut self) {
        self.gather();
        let mut woken = std::mem::take(&mut self.woken);
        for watcher in &woken {
            match watcher {
                Watcher::When { when, binding } => self.wake(*when, *binding),
                // Rules come first in order. Where a body may mend them they are tested when the bodies are through, and so
                // are all where nobody looks ahead: what is told is what comes first as it is written.
                Watcher::Rule { rule, binding }
                    if self.probing > 0 && self.p.rules[*rule as usize].early =>
                {
                    if self.halt == Halt::No {
                        self.test(*rule as usize, *binding);
                    }
                }
                Watcher::Rule { .. } => self.rules_due.push(*watcher),
                Watcher::Network { .. } => {}
            }
        }
        woken.clear();
        self.woken = woken;
    }

    /// What was written from outside counts as seen: wakes nothing, tests nothing.
    pub(crate) fn settle_silently(&mut self) {
        self.gather();
        let woken = std::mem::take(&mut self.woken);
        for watcher in &woken {
            if let Watcher::When { when, binding } = watcher {
                let code = &self.p.whens[*when as usize];
                let now = self.binding_holds(&code.bindings, *binding, code.condition, false);
                self.halt = Halt::No;
                if now != self.bit(code.was, *binding) {
                    self.set_bit(code.was, *binding, now);
                }
            }
        }
        self.dirty.clear();
        self.rules_due.clear();
    }

    /// Tests the rules that written words concern, and wakes nothing: at the end of a look-ahead.
    pub(crate) fn test_written(&mut self) {
        self.gather();
        let mut woken = std::mem::take(&mut self.woken);
        self.test_rules(&woken);
        woken.clear();
        self.woken = woken;
    }

    /// Tests rules, up to one that does not hold; that of others it is not known, since something is not seen, is no excuse.
    fn test_rules(&mut self, due: &[Watcher]) {
        let mut unknown = false;
        for watcher in due {
            match self.halt {
                Halt::No => {}
                Halt::Unknown => {
                    unknown = true;
                    self.halt = Halt::No;
                }
                Halt::Fail | Halt::Fault => return,
            }
            if let Watcher::Rule { rule, binding } = watcher {
                self.test(*rule as usize, *binding);
            }
        }
        if unknown && self.halt == Halt::No {
            self.halt = Halt::Unknown;
        }
    }

    /// Turns written words into watchers, each once, in order.
    fn gather(&mut self) {
        let p = self.p;
        self.woken.clear();
        if self.all_dirty || p.plain && !self.dirty.is_empty() {
            for (rule, code) in p.rules.iter().enumerate() {
                if code.after.is_none() {
                    let rule = rule as u32;
                    let open = |binding: &u32| p.plain || !code.bindings.always(*binding);
                    let bindings = all_bindings(&code.bindings).filter(open);
                    self.woken
                        .extend(bindings.map(|binding| Watcher::Rule { rule, binding }));
                }
            }
        }
        if self.all_dirty {
            self.all_dirty = false;
            for (when, code) in p.whens.iter().enumerate() {
                let when = when as u32;
                self.woken.extend(
                    (0..code.bindings.count).map(|binding| Watcher::When { when, binding }),
                );
            }
        } else {
            for word in &self.dirty {
                self.woken.extend(p.woken_by(*word as usize));
            }
            if self.woken.len() > 1 {
                self.woken.sort_unstable();
                self.woken.dedup();
            }
        }
        self.dirty.clear();
    }

    /// A temporary frame with a binding's values; returns its base.
    pub(crate) fn binding_frame(&mut self, bindings: &Bindings, binding: u32) -> usize {
        let base = self.reserve(bindings.frame_words as usize);
        for (local, value) in binding_values(bindings, binding) {
            self.m[base + local as usize] = value;
        }
        base
    }

    pub(super) fn binding_holds(
        &mut self,
        bindings: &Bindings,
        binding: u32,
        condition: NodeId,
        otherwise: bool,
    ) -> bool {
        if let Some(atoms) = bindings.clauses.get(binding as usize)
            && !self.p.plain
            && let Some(holds) = self.clauses_hold(atoms)
        {
            return holds;
        }
        let base = self.binding_frame(bindings, binding);
        let caller = std::mem::replace(&mut self.fp, base);
        let holds = match bindings.guard {
            Some(guard) if self.ev(guard) == 0 => otherwise,
            _ => self.ev(condition) != 0,
        };
        self.fp = caller;
        self.top = base;
        holds
    }

    /// Whether all clauses of a run of atoms hold. None where a word is not yet seen: then the order matters in which they
    /// are read.
    fn clauses_hold(&self, atoms: &Range<u32>) -> Option<bool> {
        let (mut all, mut one) = (true, false);
        for atom in &self.p.atoms[atoms.start as usize..atoms.end as usize] {
            let Compared { a, comparison, b } = atom.test;
            one |= comparison.holds(self.side(a)?, self.side(b)?) == atom.holds;
            if atom.last {
                all &= std::mem::take(&mut one);
            }
        }
        Some(all)
    }

    #[inline(always)]
    fn side(&self, side: Side) -> Option<i32> {
        match side {
            Side::Number(value) => Some(value),
            Side::Word(word) => self.seen(word as usize),
            Side::Count { words, item } => self.items_in(words, item),
        }
    }

    fn items_in(&self, (start, end): (u32, u32), item: i32) -> Option<i32> {
        let words = &self.m[start as usize..end as usize];
        let seen = !words.contains(&UNKNOWN);
        seen.then(|| words.iter().filter(|word| **word == item).count() as i32)
    }

    fn bit(&self, base: u32, binding: u32) -> bool {
        self.m[(base + binding / 32) as usize] as u32 >> (binding % 32) & 1 == 1
    }

    fn set_bit(&mut self, base: u32, binding: u32, on: bool) {
        let at = (base + binding / 32) as usize;
        let bit = 1i32.wrapping_shl(binding % 32);
        let word = if on {
            self.m[at] | bit
        } else {
            self.m[at] & !bit
        };
        self.set(at, word);
    }

    /// Looks at a `when` some of whose words were written.
    fn wake(&mut self, when: u32, binding: u32) {
        if self.halt != Halt::No {
            return;
        }
        let p = self.p;
        let code = &p.whens[when as usize];
        let now = self.binding_holds(&code.bindings, binding, code.condition, false);
        if self.halt != Halt::No {
            return;
        }
        let was = self.bit(code.was, binding);
        if now != was {
            self.set_bit(code.was, binding, now);
        }
        // A binding is deaf to its own body.
        let own = self.m[header::IN_WHEN] == when as i32 + 1
            && self.m[header::WHEN_BINDING] == binding as i32;
        let fires = now && !own && (!was || !code.on.is_empty());
        if fires
            && !self.bit(code.pending, binding)
            && !(code.once && self.bit(code.fired, binding))
        {
            self.set_bit(code.pending, binding, true);
            self.set(header::PENDING, self.m[header::PENDING] + 1);
        }
    }

    /// Opens the body of the next pending `when`: rules in file order, bindings of the player in turn first.
    fn run_pending(&mut self) -> Settled {
        let p = self.p;
        for (when, code) in p.whens.iter().enumerate() {
            let Some(binding) = self.next_binding(code) else {
                continue;
            };
            self.set_bit(code.pending, binding, false);
            self.set(header::PENDING, self.m[header::PENDING] - 1);
            if code.once {
                self.set_bit(code.fired, binding, true);
            }
            let values: [(u32, i32); 4] = {
                let mut values = [(0, 0); 4];
                for (to, value) in values
                    .iter_mut()
                    .zip(binding_values(&code.bindings, binding))
                {
                    *to = value;
                }
                values
            };
            let actor = code
                .actor
                .and_then(|local| values.iter().find(|v| v.0 == local).map(|v| v.1))
                .unwrap_or(self.m[header::CAUSE]);
            self.note_waking(when as u32);
            let return_pc = self.pc;
            self.push_frame(code.proc, return_pc);
            for (local, value) in values.into_iter().take(code.bindings.dims.len()) {
                self.set(self.fp + local as usize, value);
            }
            self.set(header::IN_WHEN, when as i32 + 1);
            self.set(header::WHEN_BINDING, binding as i32);
            self.me = actor;
            return Settled::Body;
        }
        self.set(header::PENDING, 0);
        Settled::Yes
    }

    fn next_binding(&self, code: &WhenCode) -> Option<u32> {
        let mut pending = (0..code.bindings.count).filter(|b| self.bit(code.pending, *b));
        let first = pending.next()?;
        let Some(actor) = code.actor else {
            return Some(first);
        };
        let seat = |binding: u32| {
            let value = binding_values(&code.bindings, binding)
                .find(|v| v.0 == actor)
                .map_or(0, |v| v.1);
            (value - self.m[header::CAUSE]).rem_euclid(self.p.players as i32)
        };
        std::iter::once(first)
            .chain(pending)
            .min_by_key(|b| (seat(*b), *b))
    }

    pub(crate) fn end_when(&mut self) {
        self.look_at_writes();
        self.set(header::IN_WHEN, 0);
        self.pop_frame();
    }

    /// Tests one binding of a rule.
    fn test(&mut self, rule: usize, binding: u32) {
        let p = self.p;
        let code = &p.rules[rule];
        if self.halt != Halt::No || code.invariant && self.probing > 0 {
            // A broken invariant is a fault where it happens, not where it might.
            return;
        }
        if binding == EVERY_BINDING {
            return self.test_parts(rule);
        }
        if self.binding_holds(&code.bindings, binding, code.condition, true)
            || self.halt != Halt::No
        {
            return;
        }
        if code.invariant {
            let span = p.reasons[code.reason.at()].span;
            let message = self.breach(rule, binding);
            self.broken(span, message);
            return;
        }
        // In the binding's frame, where its sides and its message can be read.
        let base = self.binding_frame(&code.bindings, binding);
        let caller = std::mem::replace(&mut self.fp, base);
        self.need_failed(code.condition, code.reason);
        self.fp = caller;
        self.top = base;
    }

    /// "a `check` does not hold for B: it compares 22 and 20"
    #[cold]
    fn breach(&mut self, rule: usize, binding: u32) -> String {
        let code = &self.p.rules[rule];
        let base = self.binding_frame(&code.bindings, binding);
        let caller = std::mem::replace(&mut self.fp, base);
        self.need_failed(code.condition, code.reason);
        self.fp = caller;
        self.top = base;
        self.halt = Halt::No;
        let players = binding_values(&code.bindings, binding)
            .filter(|(local, _)| code.bindings.players.contains(local));
        let players: Vec<String> = players
            .map(|(_, seat)| crate::words::letter(seat))
            .collect();
        let whose = match players.is_empty() {
            true => String::new(),
            false => format!(" for {}", players.join(" and ")),
        };
        match self.unmet.map(|unmet| (unmet.needed, unmet.found)) {
            Some((Some(needed), Some(found))) => {
                format!("a `check` does not hold{whose}: it compares {needed} and {found}")
            }
            _ => format!("a `check` does not hold{whose}"),
        }
    }

    /// Tests the bindings of a rule over parts that lie on the tiling.
    fn test_parts(&mut self, rule: usize) {
        let p = self.p;
        let bindings = &p.rules[rule].bindings;
        let (Some(kind), Some((_, _, n))) = (bindings.parts, bindings.dims.first()) else {
            return;
        };
        let rest = bindings.count / (*n).max(1);
        self.each_part(kind as usize, None, |machine, part| {
            let first = part as u32 * rest;
            for binding in first..first + rest {
                machine.test(rule, binding);
            }
            machine.halt == Halt::No
        });
    }

    /// Tests the rules that wait for the end of a step, for the player of its pass.
    /// Whoever is out of the game has nothing to keep any more.
    pub(crate) fn test_after(&mut self, label: LabelId, player: i32) {
        let p = self.p;
        if self.is_out(player) {
            return;
        }
        let me = std::mem::replace(&mut self.me, player);
        for rule in &p.label_rules[label.index()] {
            for binding in all_bindings(&p.rules[*rule].bindings) {
                self.test(*rule, binding);
            }
        }
        self.me = me;
    }

    /// No awaited step runs, so an extent ends with the outermost action.
    pub(crate) fn nothing_awaited(&self) -> bool {
        self.p
            .awaited
            .iter()
            .all(|label| self.m[self.p.label_words[label.index()] as usize + 1] == 0)
    }
}

/// The bindings of a rule to test, those over parts in one.
fn all_bindings(bindings: &Bindings) -> std::ops::RangeInclusive<u32> {
    match bindings.parts {
        Some(_) => EVERY_BINDING..=EVERY_BINDING,
        #[allow(clippy::reversed_empty_ranges)]
        None if bindings.count == 0 => 1..=0,
        None => 0..=bindings.count - 1,
    }
}
