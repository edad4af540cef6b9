//! What a strategy makes of what a seat does: counted where an action ends, and asked of the position that came of it.

use super::{Fault, Halt, Machine};
use crate::program::*;

/// Whose deeds are weighed, and what they came to.
#[derive(Debug)]
pub(crate) struct Weighing {
    /// Index into [`Flat::strategies`].
    strategy: usize,
    seat: i32,
    sum: i64,
    /// The first line that came to nothing.
    fault: Option<Fault>,
}

impl Machine<'_> {
    /// From now on what a seat does is weighed as a strategy says.
    pub(crate) fn begin_weighing(&mut self, strategy: usize, seat: u32) {
        self.weighing = Some(Weighing {
            strategy,
            seat: seat as i32,
            sum: 0,
            fault: None,
        });
    }

    /// What has been done since then and the position count for; a line of the strategy that came to nothing is told.
    ///
    /// # Errors
    /// A fault of the strategy.
    pub(crate) fn weighed(&mut self) -> Result<i64, Fault> {
        let p = self.p;
        let Some(mut weighing) = self.weighing.take() else {
            return Ok(0);
        };
        if let Some(fault) = weighing.fault {
            return Err(fault);
        }
        self.begin_asking();
        for line in &p.strategies[weighing.strategy].of_positions {
            let value = self.formula_of(line.proc, Some(weighing.seat));
            self.check()?;
            weighing.sum = line.counted(weighing.sum, value);
        }
        Ok(weighing.sum)
    }

    /// What was counted so far, to be taken back to.
    pub(super) fn weighed_so_far(&self) -> i64 {
        self.weighing.as_ref().map_or(0, |weighing| weighing.sum)
    }

    /// What was done since was taken back.
    pub(super) fn weigh_again_from(&mut self, sum: i64) {
        if let Some(weighing) = &mut self.weighing {
            weighing.sum = sum;
        }
    }

    /// A body ends: what the lines about it count for is added up while its parameters are known.
    #[cold]
    pub(super) fn weigh_done(&mut self) {
        let Some(mut weighing) = self.weighing.take() else {
            return;
        };
        let lines = &self.p.strategies[weighing.strategy].of_actions;
        let end = self.pc as u32;
        for (_, action, line) in lines.iter().filter(|(pc, ..)| *pc == end) {
            if self.me != weighing.seat || weighing.fault.is_some() {
                break;
            }
            let value = self.weigh_line(*action, line.proc, weighing.seat);
            match self.halt {
                Halt::No => weighing.sum = line.counted(weighing.sum, value),
                _ => {
                    weighing.fault = Some(self.take_fault());
                    self.top = self.sp.max(self.floor);
                }
            }
        }
        self.weighing = Some(weighing);
    }

    /// A line about the action whose frame runs.
    fn weigh_line(&mut self, action: ProcId, line: ProcId, seat: i32) -> i32 {
        let p = self.p;
        let line = &p.procs[line.at()];
        let words = line.frame_words as usize;
        let base = self.reserve(words);
        if self.halt != Halt::No {
            return 0;
        }
        self.m[base..base + words].fill(0);
        let mut own = line.params.iter();
        if let Some((seat_at, _)) = own.next() {
            self.m[base + *seat_at as usize] = seat;
        }
        for ((to, words), (from, _)) in own.zip(&p.procs[action.at()].params) {
            let from = self.fp + *from as usize;
            let words = from..from + *words as usize;
            self.m.copy_within(words, base + *to as usize);
        }
        let caller = std::mem::replace(&mut self.fp, base);
        let value = self.ev(line.body);
        self.fp = caller;
        self.top = base;
        value
    }
}
