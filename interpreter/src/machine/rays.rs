//! Where one gets to in one direction, found in the frame of who asks a formula for it. Planned by `lower::rays`.

use super::course::{Compared, Step};
use super::{Halt, Loc, Machine};
use crate::program::*;

impl<'p> Machine<'p> {
    /// How many ends there are; none where something is not seen.
    pub(super) fn count_along(&mut self, ray: &'p Ray) -> Option<i32> {
        let way = self.along(ray, |_, _| {})?;
        let ends = way.map_or(0, |(_, taken)| {
            (taken + 1).saturating_sub(ray.at_least) as i32
        });
        Some(ends)
    }

    /// The set of the ends.
    pub(super) fn ends_along(&mut self, ray: &'p Ray) -> Loc {
        let top = self.top;
        let to = self.fresh(self.p.shapes[ray.call.at()]);
        let way = self.along(ray, |machine, step| {
            if step.steps + 1 >= ray.at_least {
                machine.put_end(to, step.next);
            }
        });
        match way {
            Some(Some((start, _))) if ray.at_least == 0 => self.put_end(to, start),
            Some(_) => {}
            None => {
                self.top = top;
                return self.place_of(ray.call);
            }
        }
        Loc::State(to)
    }

    /// Goes along a ray: from where, and how many steps, if it begins anywhere. None where something is not seen.
    #[inline(always)]
    fn along(
        &mut self,
        ray: &'p Ray,
        mut visit: impl FnMut(&mut Self, Step),
    ) -> Option<Option<(u32, u32)>> {
        let p = self.p;
        let (tiling, course) = (p.tiling.as_ref()?, p.walks[ray.walk.at()].course.as_ref()?);
        if self.halt != Halt::No {
            return None;
        }
        let side = self.ev(ray.side) as u32;
        let start = self.ev(ray.from) as u32;
        if self.halt != Halt::No {
            // In its place it may not be asked at all.
            self.forget_halt();
            return None;
        }
        if start >= tiling.positions {
            return Some(None);
        }
        let mut compared = Compared::new(&ray.values);
        let directions = tiling.directions;
        let next_to = |here: u32| match side < directions {
            true => u32::try_from(tiling.next[(here * directions + side) as usize]).ok(),
            false => None,
        };
        let mut here = start;
        let mut taken = 0;
        while let Some(next) = next_to(here) {
            let step = Step {
                here,
                next,
                side,
                steps: taken,
            };
            if !self.atoms_hold(&course.atoms, &mut compared, step, |_, _| None)? {
                break;
            }
            taken += 1;
            visit(self, step);
            here = next;
        }
        self.spend(1 + taken / 4);
        Some(Some((start, taken)))
    }
}
