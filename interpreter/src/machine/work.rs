//! Work is counted, not timed: what one answer, one look-ahead and what is computed while rules are loaded may come to.
//!
//! An answer that comes to too much is a fault of the rules, told where it happens. Looking ahead that comes to too much, or
//! goes too deep, breaks off: nobody knows then whether the answer leads on, so it is offered and marked.

use super::trying::Outcome;
use super::{Halt, Machine};
use crate::Program;
use crate::program::*;
use std::sync::atomic::Ordering::Relaxed;

/// Work there is left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work {
    /// Of what runs now.
    left: i64,
    /// While something looks ahead: of the answer; else: of the look-ahead of this decision.
    other: i64,
    /// What was left for looking ahead when it began.
    begun: i64,
    /// Bodies of lists that are being gone through and need stack, beside what looks ahead.
    pub deeper: u32,
}

impl Work {
    pub const NEW: Work = Work {
        left: WORK_PER_ANSWER_MAX,
        other: LOOK_AHEAD_WORK_MAX,
        begun: 0,
        deeper: 0,
    };

    pub fn of_loading(program: &Program) -> Work {
        Work {
            left: program.loading.load(Relaxed),
            ..Work::NEW
        }
    }
}

impl Machine<'_> {
    /// Counts work. Of what is large it is counted before it is done.
    #[inline(always)]
    pub(crate) fn spend(&mut self, units: u32) {
        self.work.left -= i64::from(units);
        if self.work.left < 0 {
            self.overworked();
        }
    }

    /// As [`Machine::spend`] for something of so many elements; whether it may be done.
    pub(crate) fn can_spend(&mut self, elements: i64) -> bool {
        self.work.left -= elements.max(0);
        if self.work.left < 0 {
            self.overworked();
        }
        self.halt == Halt::No
    }

    #[cold]
    #[inline(never)]
    fn overworked(&mut self) {
        // More may not be gathered debts of.
        self.work.left = -1;
        if self.probing > 0 {
            self.break_off();
        } else {
            self.too_much(
                "one answer takes too much work: does a loop never end, or does an expression go through too many elements?",
            );
        }
    }

    /// An answer comes to no end. Where `when`s wake one another, these are to blame, and not what stands there at last.
    #[cold]
    pub(super) fn too_much(&mut self, message: &str) {
        let p = self.p;
        let code = |when: &u32| &p.procs[p.whens[*when as usize].proc.at()];
        let Some(first) = self.waking.iter().min().map(code) else {
            let span = self.here();
            return self.broken(span, message);
        };
        let mut waking = self.waking.clone();
        waking.sort_unstable();
        let names = waking
            .iter()
            .map(code)
            .map(|proc| match proc.name.as_str() {
                "" => "`when`".to_owned(),
                name => format!("`when {name}`"),
            });
        let names: Vec<String> = names.collect();
        let message = match names.as_slice() {
            [one] => format!("{one} wakes itself again and again: does it never come to rest?"),
            all => format!(
                "{} wake one another again and again: do they never come to rest?",
                all.join(" and ")
            ),
        };
        self.broken(first.span, message);
    }

    /// A `when` fires. After so much has happened it is part of what does not end.
    #[inline]
    pub(super) fn note_waking(&mut self, when: u32) {
        let late =
            self.steps > STEPS_PER_ANSWER_MAX / 2 || self.work.left < WORK_PER_ANSWER_MAX / 2;
        if late && self.probing == 0 && !self.waking.contains(&when) {
            self.waking.push(when);
        }
    }

    /// Nothing more is looked ahead from this decision.
    #[cold]
    pub(super) fn break_off(&mut self) {
        self.probe_left = 0;
        self.broke_off = true;
        if self.halt == Halt::No {
            self.halt = Halt::Unknown;
        }
    }

    /// An answer begins.
    pub(super) fn begin_work(&mut self) {
        self.waking.clear();
        self.work = Work::NEW;
    }

    /// Somebody outside the game asks something: that is no work of an answer.
    pub(super) fn begin_asking(&mut self) {
        if self.probing == 0 {
            self.work.left = WORK_PER_ANSWER_MAX;
        }
    }

    /// An explanation begins: it looks ahead many times.
    pub(super) fn begin_explaining(&mut self) {
        self.work.other = WORK_PER_ANSWER_MAX;
    }

    /// Inside an explanation: looks ahead with the bound of a game.
    pub(super) fn with_bound<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let left = self.work.left;
        let bound = LOOK_AHEAD_WORK_MAX.min(left.max(0));
        self.work.left = bound;
        let found = look(self);
        self.work.left = left - (bound - self.work.left);
        found
    }

    /// Looks ahead with a part of what is left. That this came to its end is no sign of something endless.
    pub(super) fn with_share<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let (tries, work) = (self.probe_left, self.work.left);
        let broke_off = std::mem::take(&mut self.broke_off);
        let (few, little) = (tries / OTHERS_SHARE, work / i64::from(OTHERS_SHARE));
        (self.probe_left, self.work.left) = (few, little);
        let found = look(self);
        self.probe_left += tries - few;
        self.work.left += work - little;
        self.fell_short |= std::mem::replace(&mut self.broke_off, broke_off);
        found
    }

    /// Nothing is left of the work of what runs.
    #[inline]
    pub(super) fn is_spent(&self) -> bool {
        self.work.left < 0
    }

    /// While rules are loaded: the next machine goes on with what is left.
    pub(crate) fn keep_work(&self) {
        self.p.loading.store(self.work.left, Relaxed);
    }

    /// Looking ahead from a decision begins. What has led here without proof leaves less for it, so that nobody waits long
    /// for what never ends.
    pub(super) fn begin_looking(&mut self) {
        let share = 1 + (self.unproved_so_far() + self.struck.len()) as i64 / 4;
        let work = LOOK_AHEAD_WORK_MAX / share;
        // Inside an explanation the same counts for what looks ahead already.
        if self.probing == 0 {
            self.work.other = work;
        }
        self.probe_left = PROBE_ANSWERS_MAX;
        self.broke_off = false;
        self.fell_short = false;
        self.foresaw_fault = false;
    }

    /// Looking ahead from this decision came to a bound: of some of its answers nobody knows whether they lead on.
    pub fn broke_off(&self) -> bool {
        self.broke_off || self.fell_short
    }

    /// Looking ahead from this decision met a way that ends in a fault of the rules.
    pub fn foresaw_fault(&self) -> bool {
        self.foresaw_fault
    }

    /// Work that looking ahead from this decision took.
    pub fn looked_ahead(&self) -> i64 {
        LOOK_AHEAD_WORK_MAX - self.work.other.max(0)
    }

    /// What runs from here on looks ahead.
    #[inline]
    pub(crate) fn look_ahead(&mut self) {
        if self.probing == 0 {
            std::mem::swap(&mut self.work.left, &mut self.work.other);
            self.work.begun = self.work.left;
        }
        self.probing += 1;
    }

    /// As it was before [`Machine::look_ahead`].
    #[inline]
    pub(crate) fn look_back(&mut self) {
        self.probing -= 1;
        if self.probing == 0 {
            std::mem::swap(&mut self.work.left, &mut self.work.other);
            self.work.left -= self.work.begun - self.work.other;
        }
    }

    /// Looking ahead went on so far that it would need too much stack: what it would find is not known.
    #[inline]
    pub(super) fn is_too_deep(&self) -> bool {
        self.probing + self.work.deeper >= self.probe_from + LOOK_AHEAD_DEPTH_MAX
    }

    /// What is known where nothing more is tried.
    #[cold]
    pub(super) fn unproved(&mut self) -> Outcome {
        self.broke_off = true;
        self.learn_nothing();
        Outcome::Perhaps
    }
}
