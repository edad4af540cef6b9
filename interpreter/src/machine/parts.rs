//! `parts of Z`: listing the parts of a zone that pass, each once.

use super::answers::{AnswerKind, Raw};
use super::kinds::room;
use super::{Halt, Machine};
use crate::program::*;

/// Kinds a mask can hold.
pub(super) const KINDS_MAX: usize = 64;

/// What is being listed.
struct Listing<'a> {
    binder: &'a Binder,
    fp: usize,
    low: i32,
    high: i32,
    /// Pieces there are of each kind.
    have: &'a [i32; KINDS_MAX],
    shape: Shape,
    masks: &'a [u64],
    /// The mask whose parts are listed.
    mask: usize,
    listed: usize,
    looked_at: u32,
}

type Visit<'a, 'p> = dyn FnMut(&mut Machine<'p>, Raw) -> bool + 'a;

impl<'p> Machine<'p> {
    /// Calls `visit` for each part that passes; false when it said so.
    pub(crate) fn offer_parts(
        &mut self,
        id: BinderId,
        zone: NodeId,
        visit: &mut Visit<'_, 'p>,
    ) -> bool {
        let p = self.p;
        let binder = &p.binders[id.at()];
        let Some(plan) = &binder.parts else {
            return true;
        };
        let top = self.top;
        let zone_shape = p.shapes[zone.at()];
        let loc = self.loc(zone);
        let mut have = [0; KINDS_MAX];
        let (kinds, first) = match (zone_shape, binder.shape) {
            (Shape::Set { n, low } | Shape::Bag { n, low }, _)
            | (_, Shape::Set { n, low } | Shape::Bag { n, low }) => (n as usize, low),
            _ => (usize::MAX, 0),
        };
        if self.probing > 0 && self.has_unseen(loc, zone_shape) {
            self.top = top;
            return self.offer_unseen_part(binder, plan, loc, zone_shape, visit);
        }
        if kinds > KINDS_MAX {
            self.top = top;
            return self.offer_large_parts(binder, plan, loc, zone_shape, visit);
        }
        let mut too_many = false;
        if let (Shape::Bag { .. }, super::Loc::State(base)) = (zone_shape, loc)
            && zone_shape == binder.shape
            && !self.has_unseen(loc, zone_shape)
        {
            have[..kinds].copy_from_slice(&self.m[base..base + kinds]);
        } else {
            self.for_items(loc, zone_shape, |_, value, count| {
                match have.get_mut((value - first) as usize) {
                    Some(kind) => *kind += count,
                    None => too_many = true,
                }
                true
            });
        }
        self.top = top;
        if too_many {
            let span = self.here();
            self.broken(span, "the parts of so large a zone cannot be listed");
        }
        if self.halt != Halt::No {
            return self.halt != Halt::Fault;
        }
        let total: i32 = have[..kinds].iter().sum();
        let present = (0..kinds).fold(0, |mask, kind| mask | u64::from(have[kind] > 0) << kind);
        let low = plan.size_low.map_or(0, |n| self.ev(n)).max(0);
        let high = plan.size_high.map_or(total, |n| self.ev(n)).min(total);
        if self.halt != Halt::No {
            return true;
        }
        if low > high {
            let p = self.p;
            self.refuse_all_parts(&p.binders[id.at()]);
            return true;
        }
        let mark = self.mask_words.len();
        let masks: &[u64];
        let own;
        match (&plan.kinds, self.cached_masks(plan)) {
            (None, _) => masks = &[u64::MAX],
            (Some(_), Some(cached)) => masks = cached.masks,
            (Some(test), None) => {
                let mut found = std::mem::take(&mut self.mask_words);
                // Of kinds that are not there nothing is asked.
                self.masks_now(test, first, present, &mut found);
                own = found[mark..].to_vec();
                found.truncate(mark);
                self.mask_words = found;
                masks = &own;
            }
        }
        let room = |mask: u64| room(&have, mask & present);
        if masks.iter().all(|mask| room(*mask) < low) {
            let p = self.p;
            self.refuse_all_parts(&p.binders[id.at()]);
            return true;
        }
        let start = self.part_words.len();
        self.part_words.resize(start + binder.shape.words(), 0);
        let mut listing = Listing {
            binder,
            fp: self.fp,
            low,
            high,
            have: &have,
            shape: binder.shape,
            masks,
            mask: 0,
            listed: 0,
            looked_at: 0,
        };
        let mut going = true;
        // Going through the kinds needs stack, one behind the other.
        let deeper = present.count_ones() / 8;
        self.work.deeper += deeper;
        for (at, mask) in masks.iter().enumerate() {
            let room = room(*mask);
            if room < low {
                continue;
            }
            listing.mask = at;
            going = self.list_parts(&mut listing, *mask & present, 0, 0, room, start, visit);
            if !going {
                break;
            }
        }
        self.work.deeper -= deeper;
        self.part_words.truncate(start);
        let local = self.fp + binder.local as usize;
        for at in 0..binder.shape.words() {
            self.m[local + at] = 0;
        }
        going
    }

    /// Chooses how many of each of the kinds still open; `room` is what they could still give.
    #[allow(clippy::too_many_arguments)]
    fn list_parts(
        &mut self,
        listing: &mut Listing<'_>,
        open: u64,
        size: i32,
        support: u64,
        room: i32,
        words: usize,
        visit: &mut Visit<'_, 'p>,
    ) -> bool {
        self.spend(1);
        listing.looked_at += 1;
        if listing.looked_at > PARTS_LOOKED_AT_MAX {
            self.too_many_parts();
        }
        if self.halt != Halt::No {
            return false;
        }
        if size + room < listing.low {
            return true;
        }
        if open == 0 || size == listing.high {
            // Each part once: not if an earlier mask has listed it.
            if listing.masks[..listing.mask]
                .iter()
                .any(|mask| support & !mask == 0)
            {
                return true;
            }
            return self.visit_part(listing, words, visit);
        }
        let kind = open.trailing_zeros() as usize;
        let open = open & (open - 1);
        let have = listing.have[kind];
        let room = room - have;
        let most = have.min(listing.high - size);
        // Many first, so that "all of one colour" comes before mixtures.
        for count in (0..=most).rev() {
            self.set_part(listing, words, kind, count);
            let support = support | u64::from(count > 0) << kind;
            if !self.list_parts(listing, open, size + count, support, room, words, visit) {
                self.set_part(listing, words, kind, 0);
                return false;
            }
        }
        true
    }

    fn set_part(&mut self, listing: &Listing<'_>, words: usize, kind: usize, count: i32) {
        match listing.shape {
            Shape::Bag { .. } => self.part_words[words + kind] = count,
            Shape::Set { .. } => {
                let bit = 1i32.wrapping_shl(kind as u32 % 32);
                let word = &mut self.part_words[words + kind / 32];
                *word = if count > 0 { *word | bit } else { *word & !bit };
            }
            _ => {}
        }
    }

    /// The remaining conditions, then the visitor.
    fn visit_part(
        &mut self,
        listing: &mut Listing<'_>,
        words: usize,
        visit: &mut Visit<'_, 'p>,
    ) -> bool {
        let binder = listing.binder;
        let len = listing.shape.words();
        if let Some(plan) = &binder.parts
            && !plan.rest.is_empty()
        {
            let local = listing.fp + binder.local as usize;
            for at in 0..len {
                self.m[local + at] = self.part_words[words + at];
            }
            for at in &plan.rest {
                let top = self.top;
                let holds = self.ev(binder.conditions[*at].0);
                self.top = top;
                if self.halt != Halt::No {
                    return false;
                }
                if holds == 0 {
                    return true;
                }
            }
        }
        listing.listed += 1;
        if listing.listed > ANSWERS_MAX {
            self.too_many_parts();
            return false;
        }
        visit(
            self,
            Raw {
                kind: AnswerKind::Part,
                value: 0,
                start: words as u32,
                len: len as u32,
            },
        )
    }

    #[cold]
    fn too_many_parts(&mut self) {
        if self.probing > 0 {
            return self.break_off();
        }
        let span = self.here();
        self.broken(
            span,
            "there are too many parts to choose from: bound their size in `where`",
        );
    }

    /// Looking ahead over pieces not yet seen: if nothing behind asks which part it is, and of it only the size matters here, some
    /// part will do, whatever they are.
    fn offer_unseen_part(
        &mut self,
        binder: &Binder,
        plan: &PartsPlan,
        loc: super::Loc,
        shape: Shape,
        visit: &mut Visit<'_, 'p>,
    ) -> bool {
        if plan.kinds.is_some() || !plan.rest.is_empty() {
            self.unknown();
            return false;
        }
        let total = self.size_at(loc, shape);
        let low = plan.size_low.map_or(0, |n| self.ev(n)).max(0);
        let high = plan.size_high.map_or(total, |n| self.ev(n)).min(total);
        if low > high || self.halt != Halt::No {
            return true;
        }
        if !self.answers_are_alike() {
            self.unknown();
            return false;
        }
        let start = self.part_words.len();
        self.part_words.resize(start + binder.shape.words(), 0);
        let raw = Raw {
            kind: AnswerKind::Part,
            value: 0,
            start: start as u32,
            len: binder.shape.words() as u32,
        };
        let going = visit(self, raw);
        self.part_words.truncate(start);
        going
    }

    /// Sets of more than 64 elements: the elements that are there are numbered anew.
    fn offer_large_parts(
        &mut self,
        binder: &Binder,
        plan: &PartsPlan,
        loc: super::Loc,
        shape: Shape,
        visit: &mut Visit<'_, 'p>,
    ) -> bool {
        let mut items = std::mem::take(&mut self.large_items);
        items.clear();
        self.for_items(loc, shape, |_, value, count| {
            items.push((value, count));
            true
        });
        if self.halt != Halt::No {
            self.large_items = items;
            return self.halt != Halt::Fault;
        }
        if items.len() > LARGE_PARTS_MAX {
            let span = self.here();
            self.broken(
                span,
                format!(
                    "the parts of {} different pieces cannot be listed, but of {LARGE_PARTS_MAX}",
                    items.len()
                ),
            );
            self.large_items = items;
            return false;
        }
        let total: i32 = items.iter().map(|i| i.1).sum();
        let low = plan.size_low.map_or(0, |n| self.ev(n)).max(0);
        let high = plan.size_high.map_or(total, |n| self.ev(n)).min(total);
        let start = self.part_words.len();
        self.part_words.resize(start + binder.shape.words(), 0);
        let mut counts = std::mem::take(&mut self.large_counts);
        counts.clear();
        counts.resize(items.len(), 0);
        let mut tried = 0;
        let deeper = items.len() as u32 / 8;
        self.work.deeper += deeper;
        let going = self.large_parts(
            binder,
            &items,
            &mut counts,
            0,
            0,
            (low, high),
            start,
            &mut tried,
            visit,
        );
        self.work.deeper -= deeper;
        self.large_items = items;
        self.large_counts = counts;
        self.part_words.truncate(start);
        let local = self.fp + binder.local as usize;
        for at in 0..binder.shape.words() {
            self.m[local + at] = 0;
        }
        going
    }

    #[allow(clippy::too_many_arguments)]
    fn large_parts(
        &mut self,
        binder: &Binder,
        items: &[(i32, i32)],
        counts: &mut [i32],
        at: usize,
        size: i32,
        bounds: (i32, i32),
        start: usize,
        tried: &mut usize,
        visit: &mut Visit<'_, 'p>,
    ) -> bool {
        self.spend(1 + (items.len() - at) as u32 / 8);
        if self.halt != Halt::No {
            return false;
        }
        let rest: i32 = items[at..].iter().map(|i| i.1).sum();
        if size + rest < bounds.0 {
            return true;
        }
        if at == items.len() || size == bounds.1 {
            if size < bounds.0 {
                return true;
            }
            *tried += 1;
            if *tried > ANSWERS_MAX {
                self.too_many_parts();
                return false;
            }
            self.part_words[start..start + binder.shape.words()].fill(0);
            let local = self.fp + binder.local as usize;
            for word in 0..binder.shape.words() {
                self.m[local + word] = 0;
            }
            for (item, count) in items.iter().zip(counts.iter()) {
                self.put_value(item.0, local, binder.shape, *count);
            }
            for (condition, _) in &binder.conditions {
                let top = self.top;
                let holds = self.ev(*condition);
                self.top = top;
                if self.halt != Halt::No {
                    return false;
                }
                if holds == 0 {
                    return true;
                }
            }
            for word in 0..binder.shape.words() {
                self.part_words[start + word] = self.m[local + word];
            }
            let raw = Raw {
                kind: AnswerKind::Part,
                value: 0,
                start: start as u32,
                len: binder.shape.words() as u32,
            };
            return visit(self, raw);
        }
        for count in (0..=items[at].1.min(bounds.1 - size)).rev() {
            counts[at] = count;
            if !self.large_parts(
                binder,
                items,
                counts,
                at + 1,
                size + count,
                bounds,
                start,
                tried,
                visit,
            ) {
                return false;
            }
        }
        counts[at] = 0;
        true
    }
}
