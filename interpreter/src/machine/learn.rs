//! Learning from failures. Looking ahead notes what each failure looks at: of every instruction on the way what decides how it
//! goes on, of the one that fails what it is in want of (`lower/bearing`). From a state that differs in nothing of that, or
//! only in ways that do not help, the same answer fails as well. So of what may be done before a decision only that need be
//! tried which changes what was learnt there.
//!
//! Also noted is which locals were read on the way. Where none read what was chosen, every other choice fails as well.
//!
//! For take a way on in which the first thing tried comes later: nothing before it changes what was learnt of it, so it
//! fails there too. An anytime action may also be done in the midst of something that is not tried: it can as well be done
//! before, unless what it takes was raised there, or it spoils what is needed there; such things count as helping.

use super::Machine;
use super::decide::{AnswerKind, Raw};
use super::help::Helpers;
use super::zones::Target;
use crate::program::*;

/// What failures look at.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Learnt {
    pub cells: Ways,
    /// Words of the frames that were read, by their distance from the first frame, a bit each.
    locals: [u64; LOCALS / 64],
    /// Others too.
    more_locals: bool,
    /// How far frames were left: the least end of all, below what is known as yet; 0 is none.
    left: usize,
}

/// Words of frames that are told apart.
const LOCALS: usize = 512;

impl Learnt {
    /// Anything may have been the reason.
    const NOTHING: Learnt = Learnt {
        cells: Ways::ALL,
        locals: [u64::MAX; LOCALS / 64],
        more_locals: true,
        left: usize::MAX,
    };

    fn join(&mut self, other: &Learnt) {
        self.cells.join(&other.cells);
        for (word, other) in self.locals.iter_mut().zip(other.locals) {
            *word |= other;
        }
        self.more_locals |= other.more_locals;
        self.left = self.left.max(other.left);
    }

    fn read(&mut self, at: usize) {
        match self.locals.get_mut(at / 64) {
            Some(word) => *word |= 1 << (at % 64),
            None => self.more_locals = true,
        }
    }

    fn has_read(&self, at: usize) -> bool {
        let word = self.locals.get(at / 64);
        word.map_or(self.more_locals, |word| word >> (at % 64) & 1 == 1)
    }

    /// Whatever read this word, it was given its value since.
    fn forget(&mut self, at: usize) {
        if let Some(word) = self.locals.get_mut(at / 64).filter(|_| !self.more_locals) {
            *word &= !(1 << (at % 64));
        }
    }
}

/// What may be done before what a decision asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extra {
    what: What,
    /// None: it may do anything.
    bearing: Option<Bearing>,
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
pub(super) struct Ahead<'p> {
    pub may: bool,
    pub agenda: Option<Target>,
    pub helpers: Option<Helpers>,
    /// Anytime actions that change what an unmet requirement looks at.
    pub remedies: &'p [u32],
    /// Nothing may be left out.
    pub all: bool,
}

impl<'p> Machine<'p> {
    /// At a decision: what is learnt from now on is learnt of what begins there.
    pub(super) fn begin_learning(&mut self) {
        self.learnt = Learnt::default();
        self.learn_of_look(self.pc);
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
            Op::Param { index, .. } => self.m[self.fp + frame::GIVEN] >> index & 1 == 0,
            Op::Choose(_) => true,
            _ => false,
        }
    }

    #[inline]
    pub(super) fn learn(&mut self, of: &Learnt) {
        self.learnt.join(of);
    }

    pub(super) fn learn_nothing(&mut self) {
        self.learnt = Learnt::NOTHING;
    }

    #[inline]
    pub(super) fn learn_of_look(&mut self, pc: usize) {
        let Some(bearings) = &self.p.bearings else {
            return;
        };
        self.learnt.cells.join(&bearings.looks[pc]);
        let first = self.fp - self.p.fixed_words as usize;
        match &bearings.locals[pc] {
            Some(locals) => {
                for local in locals {
                    self.learnt.read(first + *local as usize);
                }
            }
            None => {
                self.learnt.locals.fill(u64::MAX);
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

    pub(super) fn learn_of_obligations(&mut self) {
        if let Some(bearings) = &self.p.bearings {
            self.learnt.cells.join(&bearings.obligations);
        }
    }

    /// A body was left; frames end here now.
    #[inline]
    pub(super) fn learn_of_return(&mut self) {
        self.learnt.left = self.learnt.left.max(usize::MAX - self.sp);
    }

    /// Calls `visit` for the answers of a question of its own, until one fails without regard to what was chosen: then all do.
    pub(super) fn offer_choices(
        &mut self,
        visit: &mut dyn FnMut(&mut Machine<'p>, Raw) -> bool,
    ) -> bool {
        let (Op::Choose(choice) | Op::Param { choice, .. }, Some(_)) =
            (self.p.code[self.pc], &self.p.bearings)
        else {
            return self.offer_own(visit);
        };
        let binder = self.p.choices[choice as usize].binder;
        let local = self.fp + self.p.binders[binder.at()].local as usize;
        let word = local - self.p.fixed_words as usize;
        let asks_why = self.witnesses.is_some();
        let mut alike = false;
        let going = self.offer_own(&mut |machine, raw| {
            let before = std::mem::take(&mut machine.learnt);
            let going = visit(machine, raw);
            alike = going
                && raw.kind == AnswerKind::Element
                && !asks_why
                && !machine.learnt.has_read(word);
            if !alike {
                machine.learn(&before);
            }
            going && !alike
        });
        self.learnt.forget(word);
        going || alike
    }

    /// Visits what may be done first, as long as something is left that may help. Entries lie on `raws` from `first` on.
    pub(super) fn offer_extras(
        &mut self,
        ahead: &Ahead<'_>,
        first: usize,
        visit: &mut dyn FnMut(&mut Machine<'p>, Raw) -> bool,
    ) {
        let base = self.extras.len();
        self.list_extras(ahead, first);
        let end = self.extras.len();
        let mut wanted = Ways::default();
        let mut spoilt = Ways::default();
        while let Some(at) = (base..end).find(|at| self.may_help(*at, &wanted, &spoilt)) {
            self.extras[at].tried = true;
            let Extra { what, bearing, .. } = self.extras[at];
            let left = std::mem::take(&mut self.learnt.left);
            let going = match what {
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
            // What fails in any case cannot be done in the midst of something else either.
            let done = self.learnt.left >= usize::MAX - self.sp;
            self.learnt.left = self.learnt.left.max(left);
            if let (What::Anytime(_), Some(bearing), true) = (what, bearing, done) {
                wanted.join(&bearing.reads);
                wanted.join(&bearing.takes);
                spoilt.join(&bearing.moves.turned());
            }
        }
        self.extras.truncate(base);
    }

    fn may_help(&self, at: usize, wanted: &Ways, spoilt: &Ways) -> bool {
        let Extra { tried, bearing, .. } = &self.extras[at];
        let helps = |bearing: &Bearing| {
            bearing.free
                || bearing.moves.meets(&self.learnt.cells)
                || bearing.moves.meets(wanted)
                || bearing.reads.meets(spoilt)
        };
        !tried && bearing.as_ref().is_none_or(helps)
    }

    fn list_extras(&mut self, ahead: &Ahead<'_>, first: usize) {
        // Whoever asks why is told of everything that was tried.
        let readable = |bearings: &Bearings| !bearings.agendas_are_read;
        let all = ahead.all
            || self.witnesses.is_some()
            || !self.p.bearings.as_ref().is_some_and(readable);
        let list = |machine: &mut Self, what, bearing: Option<Bearing>| {
            machine.extras.push(Extra {
                what,
                bearing: bearing.filter(|_| !all),
                tried: false,
            });
        };
        let anytime: Vec<u32> = match &ahead.helpers {
            None => (0..self.p.anytime.len() as u32).collect(),
            Some(helpers) => (0..self.p.anytime.len() as u32)
                .filter(|at| helpers.has_anytime(*at))
                .collect(),
        };
        for remedies in [true, false] {
            for number in anytime.iter().copied() {
                if ahead.remedies.contains(&number) == remedies {
                    let bearing = self.bearing_of_anytime(number as usize);
                    list(self, What::Anytime(number), bearing);
                }
            }
            if !remedies {
                continue;
            }
            if let Some(agenda) = ahead.agenda {
                for at in first..self.raws.len() {
                    let bearing = self.bearing_of_entry(agenda, self.raws[at].value as usize);
                    list(self, What::Entry(at), bearing);
                }
            }
            if ahead.may {
                let bearing = self.bearing_of_may();
                list(self, What::Body, bearing);
            }
        }
    }
}
