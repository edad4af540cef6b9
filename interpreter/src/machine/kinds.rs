//! Which pieces can stand in a part: masks of kinds, and how many of each a zone has.

use super::parts::KINDS_MAX;
use super::{Halt, Machine};
use crate::program::*;

/// The masks for one value of what they depend on.
pub(super) struct Masks<'p> {
    pub(super) masks: &'p [u64],
    /// Where they are in `distinct`.
    ids: &'p [u32],
}

/// What a bag held when parts of it were last asked for, and how many pieces each mask of the question allows of it.
#[derive(Default)]
pub(crate) struct Rooms {
    binder: Option<BinderId>,
    /// Who asked, and how much had been written.
    asked: (i32, u64),
    have: Vec<i32>,
    total: i32,
    rooms: Vec<i32>,
}

impl Rooms {
    pub(super) fn of(&mut self, binder: BinderId, have: &[i32], masks: &[u64]) {
        if self.binder == Some(binder) && self.have == have {
            return;
        }
        self.binder = Some(binder);
        self.have.clear();
        self.have.extend_from_slice(have);
        self.total = have.iter().sum();
        self.rooms.clear();
        self.rooms
            .extend(masks.iter().map(|mask| room(have, *mask)));
    }
}

/// Pieces of the kinds in a mask.
pub(super) fn room(have: &[i32], mask: u64) -> i32 {
    let mut kinds = mask & u64::MAX >> (KINDS_MAX - have.len());
    let mut room = 0;
    while kinds != 0 {
        room += have[kinds.trailing_zeros() as usize];
        kinds &= kinds - 1;
    }
    room
}

impl<'p> Machine<'p> {
    /// Whether any part passes, without listing one; none where only listing tells.
    pub(crate) fn has_part(&mut self, id: BinderId) -> Option<bool> {
        let plan = self.p.binders[id.at()].parts.as_ref()?;
        let ids: &[u32] = match &plan.kinds {
            None => &[],
            Some(_) => self.cached_masks(plan)?.ids,
        };
        self.look_at_rooms(id)?;
        let total = self.rooms.total;
        let low = plan.size_low.map_or(0, |n| self.ev(n));
        let high = match plan.size_high {
            Some(high) if plan.size_low == Some(high) => low,
            Some(high) => self.ev(high),
            None => total,
        };
        let (low, high) = (low.max(0), high.min(total));
        if self.halt != Halt::No {
            return None;
        }
        let fits = |at: &u32| self.rooms.rooms[*at as usize] >= low;
        let some = low <= high && (plan.kinds.is_none() || ids.iter().any(fits));
        if !some {
            let p = self.p;
            self.refuse_all_parts(&p.binders[id.at()]);
        }
        Some(some)
    }

    /// Parts that do not pass are never made, so that none is counted; but that there is none at all counts.
    #[cold]
    pub(super) fn refuse_all_parts(&mut self, binder: &Binder) {
        for (_, reason) in &binder.conditions {
            self.count_refusal(*reason);
        }
    }

    /// Whether there is a part of `size` pieces that one of these masks allows; none where only listing tells.
    #[inline]
    pub(super) fn has_part_of(&mut self, id: BinderId, size: i32, ids: (u32, u32)) -> Option<bool> {
        self.look_at_rooms(id)?;
        let plan = self.p.binders[id.at()].parts.as_ref()?;
        let ids = &plan.kinds.as_ref()?.cached.as_ref()?.ids[ids.0 as usize..ids.1 as usize];
        let fits = |at: &u32| self.rooms.rooms[*at as usize] >= size;
        Some((0..=self.rooms.total).contains(&size) && ids.iter().any(fits))
    }

    /// Counts how much of the zone the masks of a question allow; none where only listing tells.
    #[inline]
    fn look_at_rooms(&mut self, id: BinderId) -> Option<()> {
        let plan = self.p.binders[id.at()].parts.as_ref()?;
        let asked = (self.me, self.writes);
        if plan.still && self.rooms.binder == Some(id) && self.rooms.asked == asked {
            return Some(());
        }
        self.count_rooms(id)
    }

    fn count_rooms(&mut self, id: BinderId) -> Option<()> {
        let binder = &self.p.binders[id.at()];
        let (Source::Parts(zone), Some(plan)) = (binder.source, &binder.parts) else {
            return None;
        };
        let shape @ Shape::Bag { n, .. } = self.p.shapes[zone.at()] else {
            return None;
        };
        let kinds = n as usize;
        if shape != binder.shape || kinds > KINDS_MAX || !plan.rest.is_empty() {
            return None;
        }
        let masks: &[u64] = match &plan.kinds {
            None => &[],
            Some(kinds) => &kinds.cached.as_ref()?.distinct,
        };
        let super::Loc::State(base) = self.loc(zone) else {
            return None;
        };
        if self.has_unseen(super::Loc::State(base), shape) {
            return None;
        }
        self.rooms.of(id, &self.m[base..base + kinds], masks);
        self.rooms.asked = (self.me, self.writes);
        Some(())
    }

    /// The masks made when the rules were loaded; none if they depend on more, or for a value nobody foresaw.
    pub(super) fn cached_masks(&self, plan: &'p PartsPlan) -> Option<Masks<'p>> {
        let cached = plan.kinds.as_ref()?.cached.as_ref()?;
        let key = self.m[self.fp + cached.key as usize];
        let range = cached.ranges.get(usize::try_from(key).ok()?)?;
        let range = range.start as usize..range.end as usize;
        Some(Masks {
            masks: &cached.masks[range.clone()],
            ids: &cached.ids[range],
        })
    }

    /// One mask for each alternative: the kinds that pass the test.
    pub(super) fn masks_now(
        &mut self,
        test: &KindTest,
        first: i32,
        kinds: u64,
        out: &mut Vec<u64>,
    ) {
        let Some(alternatives) = test.alternatives else {
            let mask = self.mask_of(test, first, kinds);
            out.push(mask);
            return;
        };
        let start = out.len();
        let mut found = std::mem::take(out);
        self.scan(alternatives, |machine, _, _| {
            let mask = machine.mask_of(test, first, kinds);
            if !found[start..].contains(&mask) {
                found.push(mask);
            }
            true
        });
        *out = found;
    }

    fn mask_of(&mut self, test: &KindTest, first: i32, mut kinds: u64) -> u64 {
        let piece = self.fp + test.piece as usize;
        let mut mask = 0;
        while kinds != 0 {
            let kind = kinds.trailing_zeros();
            kinds &= kinds - 1;
            self.m[piece] = first + kind as i32;
            let top = self.top;
            if self.ev(test.test) != 0 {
                mask |= 1 << kind;
            }
            self.top = top;
        }
        self.m[piece] = 0;
        mask
    }

    /// For lowering: the masks for one value of the local they depend on; false if they cannot be computed.
    pub(crate) fn kind_masks(
        &mut self,
        test: &KindTest,
        key: u32,
        value: i32,
        kinds: u32,
        out: &mut Vec<u64>,
    ) -> bool {
        self.halt = Halt::No;
        self.top = self.sp + 8192;
        let local = self.fp + key as usize;
        self.m[local] = value;
        let all = (0..kinds).fold(0, |all, kind| all | 1 << kind);
        self.masks_now(test, 0, all, out);
        self.m[local] = 0;
        self.halt == Halt::No
    }
}
