//! Learning from failures. Looking ahead notes what each failure looks at: of every instruction on the way what decides how it
//! goes on, of the one that fails what it is in want of (`lower/bearing`). Of what may be done before a decision only that
//! need be tried which changes what was learnt there (ARCHITECTURE.md, "Why leaving out is allowed", c and e).
//!
//! Also noted is which locals were read on the way. Where nothing read what was chosen, every other choice fails as well. It
//! may be carried from bag to bag, though, as long as nothing looks at more of these than how many they hold.

use super::Machine;
use super::answers::{AnswerKind, Raw};
use super::help::Helpers;
use super::targets::Target;
use crate::program::*;

/// What failures look at.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Learnt {
    pub cells: Ways,
    /// Words of the frames that were read, by their distance from the first frame, a bit each.
    locals: [u64; LOCALS / 64],
    /// So many of these and of `carried` hold anything: mostly very few.
    used: u8,
    /// Others too.
    more_locals: bool,
    /// Words of the frames of which nothing was read but that they were carried from bag to bag, and these bags.
    carried: [u64; LOCALS / 64],
    bags: Ways,
}

/// Words of frames that are told apart.
const LOCALS: usize = 512;

impl Learnt {
    /// Anything may have been the reason.
    pub const NOTHING: Learnt = Learnt {
        cells: Ways::ALL,
        locals: [u64::MAX; LOCALS / 64],
        used: (LOCALS / 64) as u8,
        more_locals: true,
        carried: [0; LOCALS / 64],
        bags: Ways::ALL,
    };

    fn join(&mut self, other: &Learnt) {
        self.cells.join(&other.cells);
        for at in 0..usize::from(other.used) {
            self.locals[at] |= other.locals[at];
            self.carried[at] |= other.carried[at];
        }
        self.used = self.used.max(other.used);
        self.more_locals |= other.more_locals;
        self.bags.join(&other.bags);
    }

    fn read(&mut self, at: usize) {
        match self.locals.get_mut(at / 64) {
            Some(word) => {
                *word |= 1 << (at % 64);
                self.used = self.used.max((at / 64 + 1) as u8);
            }
            None => self.more_locals = true,
        }
    }

    fn carry(&mut self, at: usize, bags: &Ways) {
        match self.carried.get_mut(at / 64) {
            Some(word) => {
                *word |= 1 << (at % 64);
                self.used = self.used.max((at / 64 + 1) as u8);
            }
            None => self.more_locals = true,
        }
        self.bags.join(bags);
    }

    /// It matters what this word was.
    fn rests_on(&self, at: usize) -> bool {
        let bit =
            |words: &[u64; LOCALS / 64]| words.get(at / 64).map(|word| word >> (at % 64) & 1 == 1);
        match (bit(&self.locals), bit(&self.carried)) {
            (Some(read), Some(carried)) => read || carried && self.bags.meets(&self.cells),
            _ => self.more_locals,
        }
    }

    /// Whatever read this word, it was given its value since.
    fn forget(&mut self, at: usize) {
        if self.more_locals {
            return;
        }
        for words in [&mut self.locals, &mut self.carried] {
            if let Some(word) = words.get_mut(at / 64) {
                *word &= !(1 << (at % 64));
            }
        }
    }
}

/// What may be done before what a decision asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extra {
    what: What,
    /// What it changes; none: perhaps anything.
    moves: Option<Ways>,
    tried: bool,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Anytime(u32),
    /// An entry of an agenda, on `raws`.
    Entry(usize),
    /// The body of a `may`.
    Body,
}

/// What is known of a decision after what had to be tried first.
#[derive(Default)]
pub(super) struct Ahead {
    pub may: bool,
    pub agenda: Option<Target>,
    pub helpers: Option<Helpers>,
    /// Nothing may be left out.
    pub all: bool,
}

impl<'p> Machine<'p> {
    /// At a decision: what is learnt from now on is learnt of what begins there.
    pub(super) fn begin_learning(&mut self) {
        self.learnt = Learnt::default();
        for pc in self.pc..self.pc + self.at_once(self.pc) {
            self.learn_of_look(pc);
        }
        if self.at_moment() {
            self.learn_of_failure(self.pc);
        }
        if let Op::AgendaPick { agenda, .. } = self.p.code[self.pc]
            && let Some(target) = self.target(agenda)
        {
            let ends = self.agenda_may_end(target);
            let way = if ends { Way::More } else { Way::Any };
            self.learnt.cells.add(target.slot.at(), way);
        }
    }

    /// A question: what it looks at is learnt when it is asked ([`Machine::begin_learning`]).
    #[inline]
    pub(super) fn asks(&self, op: Op) -> bool {
        match op {
            Op::Param { index, .. } => !self.is_given(index),
            Op::Choose(_) => true,
            _ => false,
        }
    }

    #[inline]
    pub(super) fn learn(&mut self, of: &Learnt) {
        self.learnt.join(of);
    }

    pub(super) fn learn_nothing(&mut self) {
        if self.p.bearings.is_some() {
            self.learnt = Learnt::NOTHING;
        }
    }

    #[inline]
    pub(super) fn learn_of_look(&mut self, pc: usize) {
        let Some(bearings) = &self.p.bearings else {
            return;
        };
        self.learnt.cells.join(&bearings.looks[pc]);
        let first = self.fp - self.p.fixed_words as usize;
        if let Some((local, bags)) = &bearings.carried[pc] {
            self.learnt.carry(first + *local as usize, bags);
        }
        match &bearings.locals[pc] {
            Some(locals) => {
                for local in locals {
                    self.learnt.read(first + *local as usize);
                }
            }
            None => {
                self.learnt.locals.fill(u64::MAX);
                self.learnt.used = Learnt::NOTHING.used;
                self.learnt.more_locals = true;
            }
        }
    }

    #[inline]
    pub(super) fn learn_of_failure(&mut self, pc: usize) {
        if let Some(bearings) = &self.p.bearings {
            self.learnt.cells.join(&bearings.fails[pc]);
        }
    }

    /// Calls `visit` for the answers of a question of its own, until one fails without regard to what was chosen: then all do.
    pub(super) fn offer_choices(
        &mut self,
        visit: &mut dyn FnMut(&mut Machine<'p>, Raw) -> bool,
    ) -> bool {
        let (Op::Choose(_) | Op::Param { .. }, Some(_)) = (self.p.code[self.pc], &self.p.bearings)
        else {
            return self.offer_own(visit);
        };
        let asked = self.pc..self.pc + self.at_once(self.pc);
        let first = self.p.fixed_words as usize;
        let asks_why = self.witnesses.is_some();
        let mut alike = false;
        let going = self.offer_own(&mut |machine, raw| {
            let before = std::mem::take(&mut machine.learnt);
            let going = visit(machine, raw);
            let mut chosen = asked.clone().filter_map(|pc| machine.chosen_at(pc));
            alike = going
                && matches!(raw.kind, AnswerKind::Element | AnswerKind::Together)
                && !asks_why
                && !chosen.any(|local| machine.learnt.rests_on(local - first));
            if !alike {
                machine.learn(&before);
            }
            going && !alike
        });
        for pc in asked {
            if let Some(local) = self.chosen_at(pc) {
                self.learnt.forget(local - first);
            }
        }
        going || alike
    }

    /// Visits what may be done first, as long as something is left that may help. Entries lie on `raws` from `first` on.
    pub(super) fn offer_extras(
        &mut self,
        ahead: &Ahead,
        first: usize,
        visit: &mut dyn FnMut(&mut Machine<'p>, Raw) -> bool,
    ) {
        let base = self.extras.len();
        self.list_extras(ahead, first);
        let end = self.extras.len();
        while let Some(at) = (base..end).find(|at| self.may_help(*at)) {
            self.extras[at].tried = true;
            let going = match self.extras[at].what {
                What::Anytime(number) => self.offer_anytime(|at| at == number, visit),
                What::Entry(at) => {
                    let raw = self.raws[at];
                    visit(self, raw)
                }
                What::Body => visit(self, Raw::new(AnswerKind::Yes, 0)),
            };
            if !going {
                break;
            }
        }
        self.extras.truncate(base);
    }

    fn may_help(&self, at: usize) -> bool {
        let Extra { tried, moves, .. } = &self.extras[at];
        let helps = |moves: &Ways| moves.meets(&self.learnt.cells);
        !tried && moves.as_ref().is_none_or(helps)
    }

    fn list_extras(&mut self, ahead: &Ahead, first: usize) {
        // Whoever asks why is told of everything that was tried.
        let readable = |bearings: &Bearings| !bearings.agendas_are_read;
        let all = ahead.all
            || self.witnesses.is_some()
            || !self.p.bearings.as_ref().is_some_and(readable);
        if let Some(agenda) = ahead.agenda {
            for at in first..self.raws.len() {
                let bearing = self.bearing_of_entry(agenda, self.raws[at].value as usize);
                self.list_extra(What::Entry(at), bearing, all);
            }
        }
        if ahead.may {
            let bearing = self.bearing_of_may();
            self.list_extra(What::Body, bearing, all);
        }
        self.list_anytime(ahead, all);
    }

    fn list_anytime(&mut self, ahead: &Ahead, all: bool) {
        for number in 0..self.p.anytime.len() as u32 {
            let helps = |helpers: &Helpers| helpers.has_anytime(number);
            if ahead.helpers.as_ref().is_none_or(helps) {
                let bearing = self.bearing_of_anytime(number as usize);
                self.list_extra(What::Anytime(number), bearing, all);
            }
        }
    }

    fn list_extra(&mut self, what: What, bearing: Option<Bearing>, all: bool) {
        let moves = bearing.filter(|bearing| !all && !bearing.free);
        self.extras.push(Extra {
            what,
            moves: moves.map(|bearing| bearing.moves),
            tried: false,
        });
    }
}
