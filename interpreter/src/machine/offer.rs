//! What may be answered at a decision, before anything is tried.

use super::answers::{AnswerKind, Raw};
use super::decide::Stop;
use super::put_back::Mark;
use super::targets::Target;
use super::{Halt, Machine};
use crate::program::*;

/// `visit` gets each candidate; false stops.
type Visit<'a, 'p> = dyn FnMut(&mut Machine<'p>, Raw) -> bool + 'a;

impl<'p> Machine<'p> {
    // ---------------------------------------------------------------------------------- candidates

    /// Calls `visit` for every candidate of the decision that passes its own conditions, then for anytime actions.
    pub(crate) fn offer(&mut self, visit: &mut Visit<'_, 'p>) {
        let going = self.offer_own(visit);
        let asked = self.asked;
        if going {
            self.offer_anytime(|_| true, visit);
        }
        self.asked = asked;
    }

    /// Also says which instruction's question it is, in [`Machine::asked`].
    pub(crate) fn offer_own(&mut self, visit: &mut Visit<'_, 'p>) -> bool {
        let pc = self.pc;
        if let Op::May {
            lead, body, end, ..
        } = self.p.code[pc]
        {
            let body = (body as usize, end as usize, lead);
            let (going, asked) = self.offer_may(body, visit);
            let going = going && visit(self, Raw::new(AnswerKind::Done, 0));
            self.asked = asked;
            return going && self.halt != Halt::Fault;
        }
        let going = self.offer_here(visit);
        self.asked = pc;
        // A fault met while answers are listed is told before anything beside them is tried.
        going && self.halt != Halt::Fault
    }

    fn offer_here(&mut self, visit: &mut Visit<'_, 'p>) -> bool {
        let p = self.p;
        match p.code[self.pc] {
            Op::Choose(choice) | Op::Param { choice, .. } => match self.at_once(self.pc) {
                1 => self.offer_choice(choice, visit),
                count => self.offer_together(count, visit),
            },
            Op::OneOf(menu) => (0..p.menus[menu as usize].items.len())
                .all(|item| visit(self, Raw::new(AnswerKind::Item, item as i32))),
            Op::AgendaPick { agenda, as_far, .. } => {
                let Some(target) = self.target(agenda) else {
                    return false;
                };
                self.offer_agenda(target, as_far, visit)
            }
            Op::WalkPick { walk, .. } => self.offer_walk(walk, visit),
            Op::Pause(_) => visit(self, Raw::new(AnswerKind::Go, 0)),
            _ => true,
        }
    }

    pub(super) fn offer_choice(&mut self, choice: u32, visit: &mut Visit<'_, 'p>) -> bool {
        let p = self.p;
        let id = p.choices[choice as usize].binder;
        let binder = &p.binders[id.at()];
        if let Source::Parts(zone) = binder.source {
            return self.offer_parts(id, zone, visit);
        }
        if !binder.is_plain() {
            return self.offer_sorted((choice, binder), visit);
        }
        // Kinds that occur twice (in lists, rows, decks) are offered once.
        let ordered = match binder.source {
            Source::Container(node) => {
                matches!(p.shapes[node.at()], Shape::List { .. } | Shape::Row { .. })
            }
            _ => false,
        };
        let seen = self.candidates.len();
        let mut met = 0;
        let mut stopped = false;
        let going = self.scan_noting::<true>(id, |machine, value, _| {
            if ordered {
                if machine.candidates[seen..].contains(&value) {
                    return true;
                }
                machine.candidates.push(value);
            }
            stopped = !machine.offer_element((choice, binder), value, &mut met, visit);
            !stopped
        });
        self.candidates.truncate(seen);
        !stopped && (going || self.halt == Halt::No)
    }

    /// As [`Machine::offer_choice`], of elements that are sorted, rotated or cut: a bag's, too, come one by one then.
    fn offer_sorted(
        &mut self,
        (choice, binder): (u32, &Binder),
        visit: &mut Visit<'_, 'p>,
    ) -> bool {
        let local = self.fp + binder.local as usize;
        let start = self.candidates.len();
        self.collect_candidates(binder);
        let end = self.candidates.len();
        let mut met = 0;
        let mut stopped = false;
        for at in start..end {
            if stopped || self.halt != Halt::No {
                break;
            }
            let value = self.candidates[at];
            if !self.candidates[start..at].contains(&value) {
                self.m[local] = value;
                stopped = !self.offer_element((choice, binder), value, &mut met, visit);
            }
        }
        self.candidates.truncate(start);
        self.m[local] = 0;
        !stopped
    }

    /// False if no more is wanted.
    fn offer_element(
        &mut self,
        (choice, binder): (u32, &Binder),
        value: i32,
        met: &mut usize,
        visit: &mut Visit<'_, 'p>,
    ) -> bool {
        *met += 1;
        if *met > ANSWERS_MAX && self.probing == 0 {
            self.too_many_answers(choice);
            return false;
        }
        let local = self.fp + binder.local as usize;
        let going = visit(self, Raw::new(AnswerKind::Element, value));
        self.m[local] = value;
        going
    }

    #[cold]
    pub(super) fn too_many_answers(&mut self, choice: u32) {
        self.broken(
            self.p.choices[choice as usize].span,
            format!("there are more than {ANSWERS_MAX} answers to choose from: bound them"),
        );
    }

    /// The answers of the first question of a `may` body, or yes where something happens before one is asked.
    fn offer_may(
        &mut self,
        (body, end, lead): (usize, usize, bool),
        visit: &mut Visit<'_, 'p>,
    ) -> (bool, usize) {
        if let Some(stopped) = self.lists_too_deep() {
            return (stopped, self.pc);
        }
        self.offer_may_here((body, end, lead), visit)
    }

    /// Whether a `may` in the midst of others can no longer be listed; what its visitor would have said then.
    fn lists_too_deep(&mut self) -> Option<bool> {
        if self.mays >= MAYS_MAX {
            let span = self.here();
            self.broken(
                span,
                format!("one `may` leads to the next, more than {MAYS_MAX} deep: does an action call itself without end?"),
            );
        } else if self.is_too_deep() {
            self.unproved();
            self.unknown();
        } else {
            return None;
        }
        Some(false)
    }

    fn offer_may_here(
        &mut self,
        (body, end, lead): (usize, usize, bool),
        visit: &mut Visit<'_, 'p>,
    ) -> (bool, usize) {
        let mark = self.mark();
        let start = self.raw_words.len();
        let first = self.raws.len();
        self.look_ahead();
        self.pc = body;
        let written = self.journal.len();
        let stop = self.run();
        self.forget_fault();
        let mut question = stop == Stop::Decision
            && self.me == mark.me
            && (lead || self.only_entered(written))
            && self.leads(&mark, end);
        let mut asked = self.pc;
        if question {
            // Candidates are found inside, but tried from the `may` itself, so that they are what the answer will do.
            self.mays += 1;
            self.offer_own(&mut |machine, raw| {
                if raw.kind != AnswerKind::Done {
                    // Who lists parts takes their words away behind the last of them.
                    let at = machine.raw_words.len() as u32;
                    let words = raw.start as usize..(raw.start + raw.len) as usize;
                    let words = &machine.part_words[words];
                    machine.raw_words.extend_from_slice(words);
                    machine.raws.push(Raw { start: at, ..raw });
                }
                true
            });
            self.mays -= 1;
            asked = self.asked;
            // A yes inside would be taken for the yes of this one.
            question = !self.raws[first..]
                .iter()
                .any(|raw| raw.kind == AnswerKind::Yes);
        }
        self.look_back();
        self.undo(mark);
        let mut going = self.halt != Halt::Fault;
        if !question {
            self.raws.truncate(first);
            self.raw_words.truncate(start);
            let pc = self.pc;
            return (going && visit(self, Raw::new(AnswerKind::Yes, 0)), pc);
        }
        let last = self.raws.len();
        for at in first..last {
            let raw = self.raws[at];
            let words = raw.start as usize..(raw.start + raw.len) as usize;
            let start = self.part_words.len();
            let words = &self.raw_words[words];
            self.part_words.extend_from_slice(words);
            going = visit(
                self,
                Raw {
                    start: start as u32,
                    ..raw
                },
            );
            self.part_words.truncate(start);
            if !going {
                break;
            }
        }
        // A `may` around this one has put its own copies on top.
        if self.raws.len() == last {
            self.raw_words.truncate(start);
        }
        self.raws.drain(first..last);
        (going, asked)
    }

    /// Nothing but frames, and cells of steps and actions, was written since.
    fn only_entered(&self, since: usize) -> bool {
        let p = self.p;
        let cells = p.label_cells.iter().chain(&p.action_cells).flatten();
        let fresh = |word: u32| {
            cells.clone().any(|slot| {
                let cell = &p.cells[slot.at()];
                (cell.base..cell.base + cell.words * cell.slots).contains(&word)
            }) || p.label_words.iter().any(|at| *at == word || at + 1 == word)
        };
        self.journal[since..]
            .iter()
            .all(|(word, _)| *word >= p.fixed_words || fresh(*word))
    }

    /// The decision inside a `may` can stand for the `may`: a question, or another `may` that declining leaves in the same way.
    pub(super) fn leads(&mut self, outer: &Mark, end: usize) -> bool {
        match self.p.code[self.pc] {
            Op::Choose(_) | Op::Param { .. } | Op::OneOf(_) => true,
            Op::May { .. } => {
                let inner = self.mark();
                self.apply(Raw::new(AnswerKind::Done, 0));
                let stop = self.run();
                let within = (stop, self.halt, self.ahead_hash());
                self.undo(inner);
                self.forget_fault();
                let inner = self.mark();
                self.pc = end;
                self.fp = outer.fp;
                self.sp = outer.sp;
                self.me = outer.me;
                let stop = self.run();
                let without = (stop, self.halt, self.ahead_hash());
                self.undo(inner);
                self.forget_fault();
                matches!(stop, Stop::Decision | Stop::Done | Stop::Over) && within == without
            }
            _ => false,
        }
    }

    fn offer_agenda(&mut self, agenda: Target, as_far: bool, visit: &mut Visit<'_, 'p>) -> bool {
        let going = self.distinct_entries(agenda, |machine, at| {
            let start = machine.part_words.len();
            let words = machine.entry_range(agenda, at);
            machine.part_words.extend_from_slice(&machine.m[words]);
            let raw = Raw {
                kind: AnswerKind::Entry,
                value: at as i32,
                start: start as u32,
                len: (machine.part_words.len() - start) as u32,
            };
            let going = visit(machine, raw);
            machine.part_words.truncate(start);
            going
        });
        if !going {
            return false;
        }
        if !as_far && self.agenda_may_end(agenda) {
            return visit(self, Raw::new(AnswerKind::Done, 0));
        }
        true
    }

    /// Anytime actions that are open, of those that are wanted; false when `visit` said so.
    pub(crate) fn offer_anytime(
        &mut self,
        wanted: impl Fn(u32) -> bool,
        visit: &mut Visit<'_, 'p>,
    ) -> bool {
        let p = self.p;
        let unmet = self.unmet.filter(|_| self.probing > 0);
        let witnesses = self.witnesses.as_ref().map(Vec::len);
        for (at, (_, during, _)) in p.anytime.iter().enumerate() {
            let open = during.is_none_or(|label| {
                self.m[p.label_words[label.index()] as usize + 1] == self.me + 1
            });
            if open
                && wanted(at as u32)
                && !self.anytime_is_running(at)
                && !visit(self, Raw::new(AnswerKind::Anytime, at as i32))
            {
                return false;
            }
        }
        // What they could not mend is the reason, not why they failed themselves.
        if unmet.is_some() {
            self.unmet = unmet;
            if let (Some(found), Some(len)) = (&mut self.witnesses, witnesses) {
                found.truncate(len);
            }
        }
        true
    }

    /// An anytime action is not offered in the middle of itself.
    pub(crate) fn anytime_is_running(&self, at: usize) -> bool {
        self.is_running(self.p.anytime[at].0)
    }

    /// Whether this body runs, or waits for one that it called.
    pub(crate) fn is_running(&self, proc: ProcId) -> bool {
        let proc = &self.p.procs[proc.at()];
        let mut pc = self.pc as u32;
        let mut fp = self.fp;
        loop {
            if (proc.entry..proc.end).contains(&pc) {
                return true;
            }
            if fp == self.p.fixed_words as usize {
                return false;
            }
            pc = self.m[fp + frame::RETURN_PC] as u32;
            fp = self.m[fp + frame::CALLER] as usize;
        }
    }
}
