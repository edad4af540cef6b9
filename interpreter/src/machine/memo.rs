//! What is remembered of questions for one of a table's elements. Planned by `lower::memo`.

use super::targets::Target;
use super::trying::Outcome;
use super::{Halt, Machine};
use crate::Program;
use crate::network::bits;
use crate::program::*;

/// What looks by class said of each class so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ClassMemo {
    known: [u64; 4],
    holds: [u64; 4],
}

/// What looks by class said, memo by memo and seat by seat, and when.
#[derive(Debug, Default)]
pub(crate) struct Memos(Vec<(u64, ClassMemo)>);

const NEVER: u64 = u64::MAX;

impl Memos {
    pub fn new(program: &Program) -> Memos {
        let count = program.memos.len() * program.players as usize;
        Memos(vec![(NEVER, ClassMemo::default()); count])
    }

    pub fn forget(&mut self) {
        self.0.fill((NEVER, ClassMemo::default()));
    }
}

impl ClassMemo {
    /// Visits those of a set of elements whose classes may hold, for all that is known.
    pub fn each_open(&self, memo: &Memo, set: &[u32], mut visit: impl FnMut(u32)) {
        for (at, word) in set.iter().enumerate() {
            let mut open = *word;
            for (run, (known, holds)) in self.known.iter().zip(self.holds).enumerate() {
                let mut closed = known & !holds;
                while closed != 0 && open != 0 {
                    let class = run as u32 * 64 + closed.trailing_zeros();
                    open &= !memo.members(class as u8)[at];
                    closed &= closed - 1;
                }
            }
            while open != 0 {
                visit(at as u32 * 32 + open.trailing_zeros());
                open &= open - 1;
            }
        }
    }
}

impl Machine<'_> {
    /// A number that is the same as long as nothing of this was written.
    #[inline]
    fn stamp(&self, reads: &[Read]) -> u64 {
        let version = |read: &Read| match read {
            Read { first, own, .. } if *own => self.versions[*first as usize + self.me as usize],
            Read { first, count, .. } => {
                let run = *first as usize..(*first + *count) as usize;
                self.versions[run].iter().sum()
            }
        };
        // Versions only grow, so the sum stays the same only if all of them do.
        reads.iter().map(version).sum()
    }

    /// What is asked for is not given in this frame, and nothing that looks ahead has written anything.
    pub(super) fn memo_tells(&self, memo: &Memo) -> bool {
        self.journal.is_empty()
            && (memo.asked == 0 || self.m[self.fp + frame::GIVEN] & memo.asked == 0)
    }

    /// What is known of the classes for the acting seat.
    pub(super) fn class_memo(&self, memo: u32) -> ClassMemo {
        let (stamp, classes) = self.memos.0[(memo * self.p.players) as usize + self.me as usize];
        if stamp == self.stamp(&self.p.memos[memo as usize].reads) {
            classes
        } else {
            ClassMemo::default()
        }
    }

    pub(super) fn keep_classes(&mut self, memo: u32, classes: ClassMemo) {
        let stamp = self.stamp(&self.p.memos[memo as usize].reads);
        let at = (memo * self.p.players) as usize + self.me as usize;
        self.memos.0[at] = (stamp, classes);
    }

    /// The sieve of the elements that meet the conditions and may lead on, as the acting seat sees it. None where only
    /// running tells.
    pub(super) fn leading(&mut self, memo: u32) -> Option<SieveId> {
        let p = self.p;
        let code = &p.memos[memo as usize];
        let id = SieveId(code.leading?.0 + self.me as u32);
        let binder = &p.binders[p.choices[code.choice as usize].binder.at()];
        let local = self.fp + binder.local as usize;
        let before = self.m[local];
        let Some((passing, _)) = self.sieve_of(binder) else {
            self.m[local] = before;
            return None;
        };
        let known = self.refresh(id, |machine, element| {
            machine.m[local] = element as i32;
            bits::has(machine.sifted(passing), element)
                && match machine.look(&code.looks[code.by_class as usize..]) {
                    Some(Outcome::Yes) => true,
                    Some(Outcome::No) => false,
                    _ => machine.unknown() != 0,
                }
        });
        self.m[local] = before;
        known.then_some(id)
    }

    /// What the looks by element say of one. None where only running tells.
    pub(super) fn element_leads(&mut self, memo: u32, element: i32) -> Option<Outcome> {
        let id = self.leading(memo)?;
        Some(match bits::has(self.sifted(id), element as u32) {
            true => Outcome::Yes,
            false => Outcome::No,
        })
    }

    /// Whether any element leads on. None where only running tells.
    pub(super) fn some_element(&mut self, memo: u32) -> Option<Outcome> {
        let p = self.p;
        let code = &p.memos[memo as usize];
        if !self.memo_tells(code) {
            return None;
        }
        let leading = self.leading(memo)?;
        let mut classes = self.class_memo(memo);
        let mut best = Some(Outcome::No);
        // Those of which it is known come first.
        for known in [true, false] {
            for class in 0..code.members.len() / code.width() {
                let (word, bit) = (class / 64, 1u64 << (class % 64));
                if (classes.known[word] & bit != 0) != known {
                    continue;
                }
                let members = code.members(class as u8).iter();
                let both = self.sifted(leading).iter().zip(members).map(|(a, b)| a & b);
                let Some((at, bits)) = both.enumerate().find(|(_, bits)| *bits != 0) else {
                    continue;
                };
                let element = at as i32 * 32 + bits.trailing_zeros() as i32;
                match self.class_leads(code, element, &mut classes) {
                    Some(Outcome::No) => {}
                    Some(Outcome::Perhaps) => best = Some(Outcome::Perhaps),
                    outcome => {
                        self.keep_classes(memo, classes);
                        return outcome;
                    }
                }
            }
        }
        self.keep_classes(memo, classes);
        best
    }

    /// What the looks by class say of an element, asked once for each class. A halt is told apart.
    pub(super) fn class_leads(
        &mut self,
        memo: &Memo,
        element: i32,
        classes: &mut ClassMemo,
    ) -> Option<Outcome> {
        if memo.by_class == 0 {
            return Some(Outcome::Yes);
        }
        let (word, bit) = memo.place(element);
        if classes.known[word] & bit == 0 {
            if let Some(holds) = self.class_passes(memo, usize::from(memo.class[element as usize]))
            {
                classes.known[word] |= bit;
                classes.holds[word] |= if holds { bit } else { 0 };
                return Some(if holds { Outcome::Yes } else { Outcome::No });
            }
            let binder = &self.p.binders[self.p.choices[memo.choice as usize].binder.at()];
            let local = self.fp + binder.local as usize;
            let before = std::mem::replace(&mut self.m[local], element);
            let outcome = self.look(&memo.looks[..memo.by_class as usize]);
            self.m[local] = before;
            match (self.halt, outcome) {
                (Halt::No, Some(Outcome::Yes)) => classes.holds[word] |= bit,
                (Halt::No, Some(Outcome::No)) => {}
                (Halt::No, outcome) => return outcome,
                _ => return self.told(outcome),
            }
            classes.known[word] |= bit;
        }
        Some(match classes.holds[word] & bit {
            0 => Outcome::No,
            _ => Outcome::Yes,
        })
    }

    /// Whether the tests of a class hold. None where only its looks tell.
    #[inline]
    fn class_passes(&mut self, memo: &Memo, class: usize) -> Option<bool> {
        let each = memo.by_class as usize;
        for test in memo.tests.get(class * each..(class + 1) * each)? {
            let holds = match *test {
                ClassTest::Fits {
                    cell,
                    own,
                    change,
                    by,
                } => {
                    let code = &self.p.cells[cell.at()];
                    let index = if own { self.me as u32 } else { 0 };
                    let word = (code.base + index * code.words) as usize;
                    let value = self.number_after(word, change, by)?;
                    let target = Target {
                        word,
                        slot: cell,
                        shape: code.shape,
                    };
                    self.fits(target, value).is_ok()
                }
                ClassTest::Part { binder, size, ids } => self.has_part_of(binder, size, ids)?,
            };
            if !holds {
                return Some(false);
            }
        }
        Some(true)
    }
}
