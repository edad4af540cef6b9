//! What is counted and noted on request while a game is played, and how it is forgotten again: an answer that was taken back
//! never happened.

use super::Machine;
use crate::program::*;

/// Something that was counted while an answer may still have to be taken back.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Counted {
    Instruction(u32),
    /// A body began, by its place among the counts of all seats.
    Entry(u32),
    /// Parts of a body were laid on an agenda in its stead.
    Laid(u32),
    /// The same of an item.
    Item(u32),
}

/// How much had been counted and noted when an answer was taken that may have to be taken back.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Noted {
    counted: usize,
    events: usize,
    chance: usize,
    resolved: usize,
    moves: usize,
    weighed: i64,
}

impl Noted {
    // What is noted was handed out: all that comes now came later.

    pub fn events_taken(&mut self) {
        self.events = 0;
    }

    pub fn chance_taken(&mut self) {
        self.chance = 0;
    }

    pub fn resolved_taken(&mut self) {
        self.resolved = 0;
    }

    pub fn moves_taken(&mut self) {
        self.moves = 0;
    }
}

impl Machine<'_> {
    /// Before the answer that was marked last.
    pub(super) fn note_how_much(&mut self) {
        let noted = Noted {
            counted: self.counted.len(),
            events: self.trace.as_ref().map_or(0, Vec::len),
            chance: self.chance_log.as_ref().map_or(0, Vec::len),
            resolved: self.resolved_log.as_ref().map_or(0, Vec::len),
            moves: self.moves.as_ref().map_or(0, Vec::len),
            weighed: self.weighed_so_far(),
        };
        self.noted.resize(self.marked.len(), Noted::default());
        self.noted.push(noted);
    }

    /// Forgets what was counted and noted since the answer that was marked as number `marked`.
    pub(super) fn forget_since(&mut self, marked: usize) {
        // Of a state that was loaded nothing had been counted.
        let noted = self.noted.get(marked).copied().unwrap_or_default();
        self.noted.truncate(marked);
        let since = noted.counted.min(self.counted.len());
        while self.counted.len() > since {
            if let Some(counted) = self.counted.pop() {
                self.take_off(counted);
            }
        }
        if let Some(events) = &mut self.trace {
            events.truncate(noted.events);
        }
        if let Some(chance) = &mut self.chance_log {
            chance.truncate(noted.chance);
        }
        if let Some(resolved) = &mut self.resolved_log {
            resolved.truncate(noted.resolved);
        }
        if let Some(moves) = &mut self.moves {
            moves.truncate(noted.moves);
        }
        self.weigh_again_from(noted.weighed);
    }

    fn take_off(&mut self, counted: Counted) {
        let (counts, counted) = match counted {
            Counted::Instruction(pc) => (self.coverage.as_deref_mut(), one(pc)),
            Counted::Entry(proc) => (self.entered.as_deref_mut(), one(proc)),
            Counted::Laid(proc) => (self.coverage.as_deref_mut(), self.p.body(proc)),
            Counted::Item(item) => (self.items.as_deref_mut(), one(item)),
        };
        let counts = counts.and_then(|counts| counts.get_mut(counted));
        for count in counts.into_iter().flatten() {
            *count = count.saturating_sub(1);
        }
    }

    /// Nothing that was counted has to be taken back any more.
    pub(super) fn keep_counts(&mut self) {
        self.counted.clear();
        self.noted.clear();
    }

    #[inline(always)]
    fn count_for_now(&mut self, counted: Counted) {
        if !self.marked.is_empty() {
            self.counted.push(counted);
        }
    }

    #[inline(always)]
    pub(super) fn count_instruction(&mut self) {
        if let Some(coverage) = &mut self.coverage {
            coverage[self.pc] += 1;
            self.count_for_now(Counted::Instruction(self.pc as u32));
        }
    }

    /// A body begins.
    #[inline]
    pub(super) fn count_entry(&mut self, proc: ProcId) {
        let at = self.seat_counted() * self.p.procs.len() + proc.at();
        if let Some(entered) = &mut self.entered {
            entered[at] += 1;
            self.count_for_now(Counted::Entry(at as u32));
        }
    }

    /// Whose deeds are counted now: a seat's, or behind the seats nobody's.
    #[inline]
    fn seat_counted(&self) -> usize {
        let players = self.p.players as usize;
        usize::try_from(self.me).map_or(players, |seat| seat.min(players))
    }

    /// Parts of a body are laid on an agenda in its stead: so it was done, though its instructions do not run.
    pub(super) fn count_laid(&mut self, proc: ProcId) {
        if self.probing > 0 {
            return;
        }
        self.count_entry(proc);
        if let Some(coverage) = &mut self.coverage {
            let body = self.p.body(proc.0);
            coverage[body].iter_mut().for_each(|ran| *ran += 1);
            self.count_for_now(Counted::Laid(proc.0));
        }
    }

    pub(super) fn count_item(&mut self, menu: u32, item: i32) {
        let p = self.p;
        let seat = self.seat_counted();
        if let Some(items) = &mut self.items {
            let before: usize = p.menus[..menu as usize].iter().map(|m| m.items.len()).sum();
            let all = items.len() / (p.players as usize + 1);
            let item = seat * all + before + item as usize;
            items[item] += 1;
            self.count_for_now(Counted::Item(item as u32));
        }
    }

    /// A reason refused something: counted on request, and for good. What is taken back is taken back because of it.
    #[inline]
    pub(crate) fn count_refusal(&mut self, reason: ReasonId) {
        if self.counts_refusals {
            self.refusals[reason.at()] += 1;
        }
    }

    /// Answers were taken that may still have to be taken back.
    pub(crate) fn may_go_back(&self) -> bool {
        !self.marked.is_empty()
    }
}

fn one(at: u32) -> std::ops::Range<usize> {
    at as usize..at as usize + 1
}
