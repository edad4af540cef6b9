//! What is remembered of questions for one of a table's elements. Planned by `lower::memo`.

use super::decide::Outcome;
use super::zones::Target;
use super::{Halt, Machine};
use crate::program::*;

/// What is remembered, memo by memo and seat by seat.
#[derive(Debug, Default)]
pub(crate) struct Memos {
    /// Of each memo with room for its elements and of each seat three sets: of those that are known, of those that pass the
    /// conditions, and of those that the looks by element let pass as well.
    sets: Vec<u64>,
    /// What the looks by class said, and when.
    classes: Vec<(u64, ClassMemo)>,
}

/// The sets of a seat.
#[derive(Clone, Copy)]
pub(crate) struct Sets {
    at: usize,
    width: usize,
}

const NEVER: u64 = u64::MAX;

impl Memos {
    pub fn new(program: &Program) -> Memos {
        let seats = program.players as usize;
        Memos {
            sets: vec![0; program.memo_words as usize],
            classes: vec![(NEVER, ClassMemo::default()); program.memos.len() * seats],
        }
    }

    pub fn passing(&self, sets: Sets) -> &[u64] {
        &self.sets[sets.at + sets.width..][..sets.width]
    }

    pub fn leading(&self, sets: Sets) -> &[u64] {
        &self.sets[sets.at + 2 * sets.width..][..sets.width]
    }

    /// The first of these that leads on as far as the element itself matters.
    fn first_leading(&self, sets: Sets, members: &[u64]) -> Option<i32> {
        let both = self.leading(sets).iter().zip(members).map(|(a, b)| a & b);
        let (word, bits) = both.enumerate().find(|(_, bits)| *bits != 0)?;
        Some(word as i32 * 64 + bits.trailing_zeros() as i32)
    }
}

/// The elements of a set.
pub(super) fn elements_of(set: &[u64]) -> impl Iterator<Item = i32> + use<'_> {
    set.iter().enumerate().flat_map(|(word, bits)| {
        let mut bits = *bits;
        std::iter::from_fn(move || {
            let bit = (bits != 0).then(|| bits.trailing_zeros())?;
            bits &= bits - 1;
            Some(word as i32 * 64 + bit as i32)
        })
    })
}

/// The element of a set of one.
pub(super) fn only_element(set: &[u64]) -> Option<i32> {
    let mut elements = elements_of(set);
    let first = elements.next()?;
    elements.next().is_none().then_some(first)
}

impl ClassMemo {
    /// Whether the looks by class hold for this element, if that is known.
    #[inline]
    pub fn says(&self, memo: &Memo, element: i32) -> Option<bool> {
        let (word, bit) = memo.place(element);
        (self.known[word] & bit != 0).then(|| self.holds[word] & bit != 0)
    }
}

impl Machine<'_> {
    pub(super) fn forget_memos(&mut self) {
        self.memos.sets.fill(0);
        self.memos.classes.fill((NEVER, ClassMemo::default()));
    }

    /// A word was written on which what is known of this element rests.
    pub(super) fn forget_element(&mut self, memo: u32, element: u32) {
        let code = &self.p.memos[memo as usize];
        let Some(first) = code.elements else { return };
        let known = (first + element / 64) as usize..self.memos.sets.len();
        let stride = 3 * code.width as usize;
        let seats = self.p.players as usize;
        for word in self.memos.sets[known].iter_mut().step_by(stride).take(seats) {
            *word &= !(1 << (element % 64));
        }
    }

    /// What is asked for is not given in this frame, and nothing that looks ahead has written anything.
    pub(super) fn memo_tells(&self, memo: &Memo) -> bool {
        self.journal.is_empty()
            && (memo.asked == 0 || self.m[self.fp + frame::GIVEN] & memo.asked == 0)
    }

    /// What is known of the classes for the acting seat.
    pub(super) fn class_memo(&self, memo: u32) -> ClassMemo {
        let (stamp, classes) =
            self.memos.classes[(memo * self.p.players) as usize + self.me as usize];
        if stamp == self.stamp(&self.p.memos[memo as usize].reads) {
            classes
        } else {
            ClassMemo::default()
        }
    }

    pub(super) fn keep_classes(&mut self, memo: u32, classes: ClassMemo) {
        let stamp = self.stamp(&self.p.memos[memo as usize].reads);
        let at = (memo * self.p.players) as usize + self.me as usize;
        self.memos.classes[at] = (stamp, classes);
    }

    /// The sets of the acting seat, with every element known; none where only running tells. The element is the local of
    /// the question's binder.
    pub(super) fn sets(&mut self, memo: u32) -> Option<Sets> {
        let code = &self.p.memos[memo as usize];
        let width = code.width as usize;
        let sets = Sets {
            at: code.elements? as usize + self.me as usize * 3 * width,
            width,
        };
        let n = code.class.len();
        for word in 0..width {
            let all = match n - word * 64 {
                left if left < 64 => (1 << left) - 1,
                _ => u64::MAX,
            };
            while let missing @ 1.. = all & !self.memos.sets[sets.at + word] {
                let bit = missing.trailing_zeros();
                self.find_out(code, sets, word as u32 * 64 + bit)?;
            }
        }
        Some(sets)
    }

    fn find_out(&mut self, code: &Memo, sets: Sets, element: u32) -> Option<()> {
        let binder = &self.p.binders[self.p.choices[code.choice as usize].binder.at()];
        let local = self.fp + binder.local as usize;
        let before = std::mem::replace(&mut self.m[local], element as i32);
        let passes = self.passes(binder);
        let outcome = match passes && self.halt == Halt::No {
            true => self.look(&code.looks[code.by_class as usize..]),
            false => Some(Outcome::No),
        };
        self.m[local] = before;
        let leads = match (self.halt, outcome) {
            (Halt::No, Some(Outcome::Yes)) => true,
            (Halt::No, Some(Outcome::No)) => false,
            // Running meets it again, and says where.
            _ => {
                self.halt = Halt::No;
                self.fault = None;
                return None;
            }
        };
        let at = sets.at + element as usize / 64;
        let bit = 1u64 << (element % 64);
        self.memos.sets[at] |= bit;
        for (on, set) in [(passes, 1), (leads, 2)] {
            let word = &mut self.memos.sets[at + set * sets.width];
            *word = if on { *word | bit } else { *word & !bit };
        }
        Some(())
    }

    /// What the looks by element say of one. None where only running tells.
    pub(super) fn element_leads(&mut self, memo: u32, element: i32) -> Option<Outcome> {
        let code = &self.p.memos[memo as usize];
        let width = code.width as usize;
        let sets = Sets {
            at: code.elements? as usize + self.me as usize * 3 * width,
            width,
        };
        let (word, bit) = (element as usize / 64, 1u64 << (element % 64));
        if self.memos.sets[sets.at + word] & bit == 0 {
            self.find_out(code, sets, element as u32)?;
        }
        Some(match self.memos.leading(sets)[word] & bit {
            0 => Outcome::No,
            _ => Outcome::Yes,
        })
    }

    /// Whether any element leads on. None where only running tells.
    pub(super) fn some_element(&mut self, memo: u32) -> Option<Outcome> {
        let p = self.p;
        let code = &p.memos[memo as usize];
        if !self.memo_tells(code) {
            return None;
        }
        let sets = self.sets(memo)?;
        let mut classes = self.class_memo(memo);
        let mut best = Some(Outcome::No);
        // Those of which it is known come first.
        for known in [true, false] {
            for class in 0..code.members.len() / sets.width {
                let (word, bit) = (class / 64, 1u64 << (class % 64));
                if (classes.known[word] & bit != 0) != known {
                    continue;
                }
                let Some(element) = self.memos.first_leading(sets, code.members(class as u8))
                else {
                    continue;
                };
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
            if let Some(holds) = self.class_passes(memo, usize::from(memo.class[element as usize])) {
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
                    let old = self.m[word];
                    let value = match change {
                        Change::Set => by,
                        _ if old == UNKNOWN => return None,
                        Change::Add => old.checked_add(by)?,
                        Change::Subtract => old.checked_sub(by)?,
                    };
                    let target = Target {
                        word,
                        slot: cell,
                        shape: code.shape,
                        index,
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
