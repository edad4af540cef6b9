//! Putting the machine back to where it stood.

use super::{Halt, Machine};

/// Where to put the machine back to.
pub(crate) struct Mark {
    journal: usize,
    pc: usize,
    pub(super) fp: usize,
    pub(super) sp: usize,
    top: usize,
    floor: usize,
    pub(super) me: i32,
    steps: u32,
    cells_sum: u64,
}

impl<'p> Machine<'p> {
    pub(crate) fn mark(&mut self) -> Mark {
        let mark = Mark {
            journal: self.journal.len(),
            pc: self.pc,
            fp: self.fp,
            sp: self.sp,
            top: self.top,
            floor: self.floor,
            me: self.me,
            steps: self.steps,
            cells_sum: self.cells_sum,
        };
        // Temporaries are not in the journal: they must not lie where frames or temporaries live that come back.
        self.floor = self.floor.max(self.top).max(self.sp);
        mark
    }

    pub(crate) fn undo(&mut self, mark: Mark) {
        if self.journal.len() > mark.journal {
            self.writes += 1;
        }
        while self.journal.len() > mark.journal {
            if let Some((at, old)) = self.journal.pop() {
                let at = at as usize;
                self.m[at] = old;
                if self.p.words.get(at).is_some_and(|word| word.touches()) {
                    self.touch(at);
                }
            }
        }
        self.pc = mark.pc;
        self.fp = mark.fp;
        self.sp = mark.sp;
        self.top = mark.top;
        self.floor = mark.floor;
        self.me = mark.me;
        self.steps = mark.steps;
        self.cells_sum = mark.cells_sum;
        self.dirty.clear();
        self.rules_due.clear();
        self.all_dirty = false;
        if self.halt != Halt::Fault {
            self.halt = Halt::No;
        }
    }
}
