//! Walks that need no search: straight on from place to place, or a flood. Planned by `lower::course`.

use super::{Halt, Machine};
use crate::network::bits;
use crate::program::*;

/// What is the same for all steps of a walk.
struct Going<'p> {
    code: &'p WalkCode,
    course: &'p Course,
    tiling: &'p TilingCode,
    /// A bit for each direction it goes in.
    sides: u64,
    up_to: u32,
    at_least: u32,
    compared: Compared<'p>,
    /// The words of the walk hold something.
    put: bool,
}

impl<'p> Going<'p> {
    /// The places beside one in the directions it goes in, each with its direction.
    fn around(&self, here: u32) -> impl Iterator<Item = (u32, u32)> + use<'p> {
        let (tiling, mut sides) = (self.tiling, self.sides);
        let directions = std::iter::from_fn(move || {
            let side = sides.trailing_zeros();
            (sides != 0).then(|| {
                sides &= sides - 1;
                side
            })
        });
        directions.filter_map(move |side| {
            let next = tiling.next[(here * tiling.directions + side) as usize];
            Some((side, u32::try_from(next).ok()?))
        })
    }
}

/// What steps are compared with, and a bit for each that has been asked.
pub(super) struct Compared<'p> {
    nodes: &'p [NodeId],
    values: [i32; COURSE_VALUES_MAX],
    asked: u8,
}

impl<'p> Compared<'p> {
    pub fn new(nodes: &'p [NodeId]) -> Compared<'p> {
        Compared {
            nodes,
            values: [0; COURSE_VALUES_MAX],
            asked: 0,
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct Step {
    pub here: u32,
    pub next: u32,
    pub side: u32,
    /// How many were taken before it.
    pub steps: u32,
}

impl<'p> Machine<'p> {
    /// Puts the ends of a walk into a set that is empty yet; false where only a search tells.
    pub(super) fn ends_by_course(&mut self, code: &'p WalkCode, to: usize) -> bool {
        let Some(mut going) = self.set_off(code) else {
            return false;
        };
        match going.course.way {
            CourseWay::Rays if code.from_set => {
                let starts = self.starts(code);
                for start in bits::iter(&starts) {
                    self.ends_from(&mut going, start, to);
                }
                self.networks.give_back(starts);
            }
            CourseWay::Rays => {
                if let Ok(start) = u32::try_from(self.ev(code.from))
                    && start < going.tiling.positions
                {
                    self.ends_from(&mut going, start, to);
                }
            }
            CourseWay::Flood { moved } => {
                let starts = self.starts(code);
                self.flood(&mut going, &starts, moved, to);
                self.networks.give_back(starts);
            }
        }
        let ends = self.last_nodes(code);
        if let Some(ends) = ends {
            for (at, word) in ends.iter().enumerate() {
                self.m[to + at] &= *word as i32;
            }
            self.networks.give_back(ends);
        }
        self.come_back(&going);
        true
    }

    /// How many ends a walk has that goes one way; none where that takes a set of them.
    pub(super) fn count_by_course(&mut self, code: &'p WalkCode) -> Option<i32> {
        let course = code.course.as_ref()?;
        let one_way = course.sides.iter().any(|of| matches!(of, Sides::One(_)));
        if course.way != CourseWay::Rays || !one_way || code.from_set || code.to.is_some() {
            return None;
        }
        let mut going = self.set_off(code)?;
        // It never comes back to a place, so that each step has an end of its own.
        let mut ends = 0;
        if let Ok(start) = u32::try_from(self.ev(code.from))
            && start < going.tiling.positions
        {
            let mut taken = 0;
            if going.sides != 0 {
                let side = going.sides.trailing_zeros();
                taken = self.go_one_way(&mut going, start, side, &mut |_, _, _| {});
            }
            ends = (taken + 1).saturating_sub(going.at_least);
        }
        self.come_back(&going);
        Some(ends as i32)
    }

    /// Whether a walk straight on ends at a place: asked of the ways that lead there alone. None where that takes the set of
    /// its ends.
    pub(super) fn may_end_at(&mut self, code: &'p WalkCode, place: i32) -> Option<bool> {
        let (course, tiling) = (code.course.as_ref()?, self.p.tiling.as_ref()?);
        if !course.apart || tiling.ways.is_empty() || self.halt != Halt::No {
            return None;
        }
        let start = self.ev(code.from);
        let (Some(start), Some(place)) = (tiling.place(start), tiling.place(place)) else {
            return Some(false);
        };
        let ways = tiling.ways[(start * tiling.positions + place) as usize];
        if self.halt != Halt::No || ways == 0 && start != place {
            return Some(false);
        }
        let mut going = self.set_off(code)?;
        going.sides &= ways;
        let mut found = going.at_least == 0 && start == place;
        self.go_straight(&mut going, start, &mut |_, going, step| {
            found |= step.next == place && step.steps + 1 >= going.at_least;
        });
        self.come_back(&going);
        Some(found)
    }

    /// Puts the ends of all ways straight on from a start into a set.
    fn ends_from(&mut self, going: &mut Going<'p>, start: u32, to: usize) {
        if going.at_least == 0 {
            self.put_end(to, start);
        }
        self.go_straight(going, start, &mut |machine, going, step| {
            if step.steps + 1 >= going.at_least {
                machine.put_end(to, step.next);
            }
        });
    }

    /// The steps of the shortest walk, if there is a walk; none where only a search tells.
    pub(super) fn distance_by_course(&mut self, code: &'p WalkCode) -> Option<Option<u32>> {
        let mut going = self.set_off(code)?;
        let starts = self.starts(code);
        let ends = self.last_nodes(code);
        let may_end = |node: u32| ends.as_ref().is_none_or(|ends| bits::has(ends, node));
        let fewest = if going.at_least == 0 && bits::iter(&starts).any(may_end) {
            Some(0)
        } else {
            match going.course.way {
                CourseWay::Rays => {
                    let mut fewest: Option<u32> = None;
                    for start in bits::iter(&starts) {
                        self.go_straight(&mut going, start, &mut |_, going, step| {
                            let steps = step.steps + 1;
                            if steps >= going.at_least && may_end(step.next) {
                                fewest = Some(fewest.map_or(steps, |fewest| fewest.min(steps)));
                            }
                        });
                    }
                    fewest
                }
                CourseWay::Flood { .. } => self.spread(&mut going, &starts, may_end),
            }
        };
        for set in [Some(starts), ends].into_iter().flatten() {
            self.networks.give_back(set);
        }
        self.come_back(&going);
        Some(fewest)
    }

    /// How many steps lead to the nearest place where one may end, one at least: breadth first.
    fn spread(
        &mut self,
        going: &mut Going<'p>,
        starts: &[u32],
        may_end: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let mut stood = self.networks.lend(starts.len());
        let mut open = self.networks.lend(0);
        stood.copy_from_slice(starts);
        open.extend(bits::iter(starts));
        let (mut at, mut end, mut steps, mut taken) = (0, open.len(), 1, 0);
        let mut fewest = None;
        'all: while at < open.len() {
            if at == end {
                (end, steps) = (open.len(), steps + 1);
            }
            let here = open[at];
            at += 1;
            for (side, next) in going.around(here) {
                let is_new = !bits::has(&stood, next);
                let ends = may_end(next);
                if !is_new && !ends {
                    continue;
                }
                let step = Step {
                    here,
                    next,
                    side,
                    steps: 0,
                };
                taken += 1;
                if !self.may_step(going, step) {
                    continue;
                }
                if ends {
                    fewest = Some(steps);
                    break 'all;
                }
                bits::insert(&mut stood, next);
                open.push(next);
            }
        }
        self.spend(taken / 4);
        // The last that is given back is lent first: each keeps its use, and so its room.
        self.networks.give_back(open);
        self.networks.give_back(stood);
        fewest
    }

    /// The value of the best walk, if there is a walk; none where only a search tells.
    pub(super) fn best_by_course(&mut self, code: &'p WalkCode) -> Option<Option<i64>> {
        let mut going = self.set_off(code)?;
        let starts = self.starts(code);
        let ends = self.last_nodes(code);
        let may_end = |node: u32| ends.as_ref().is_none_or(|ends| bits::has(ends, node));
        let mut best: Option<i64> = None;
        for start in bits::iter(&starts) {
            let first = self.gain_of_start(&mut going, start);
            if going.at_least == 0 && may_end(start) {
                best = best.max(Some(first));
            }
            let mut sum = first;
            self.go_straight(&mut going, start, &mut |machine, going, step| {
                // A way of its own begins at the start.
                if step.steps == 0 {
                    sum = first;
                }
                sum += machine.gain(going, step);
                if step.steps + 1 >= going.at_least && may_end(step.next) {
                    best = best.max(Some(sum));
                }
            });
        }
        for set in [Some(starts), ends].into_iter().flatten() {
            self.networks.give_back(set);
        }
        self.come_back(&going);
        Some(best)
    }

    /// Asks what is the same for all steps; none where there is no course, or where something of it is not seen.
    fn set_off(&mut self, code: &'p WalkCode) -> Option<Going<'p>> {
        let course = code.course.as_ref()?;
        let tiling = self.p.tiling.as_ref()?;
        if self.halt != Halt::No {
            return None;
        }
        let mut sides = u64::MAX >> (64 - tiling.directions.max(1));
        for of in &course.sides {
            sides &= match *of {
                Sides::One(side) => {
                    let side = self.ev(side) as u32;
                    if side < 64 { 1 << side } else { 0 }
                }
                Sides::OneOf(set) => self.side_bits(set),
            };
        }
        if self.halt != Halt::No {
            // In its place it may not be asked at all.
            self.forget_halt();
            return None;
        }
        let up_to = code.up_to.map_or(u32::MAX, |n| self.ev(n).max(0) as u32);
        let at_least = code.at_least.map_or(0, |n| self.ev(n).max(0) as u32);
        Some(Going {
            code,
            course,
            tiling,
            sides,
            up_to,
            at_least,
            compared: Compared::new(&course.values),
            put: false,
        })
    }

    fn side_bits(&mut self, set: NodeId) -> u64 {
        let mut sides = 0;
        let top = self.top;
        let loc = self.loc(set);
        self.for_items(loc, self.p.shapes[set.at()], |_, side, _| {
            sides |= 1 << side;
            true
        });
        self.top = top;
        sides
    }

    /// The places where a walk begins.
    fn starts(&mut self, code: &WalkCode) -> Vec<u32> {
        let mut starts = self.networks.lend(code.node_words as usize);
        self.nodes_into(code.from, code.from_set, &mut starts);
        starts
    }

    /// The places where it may end, where not at all.
    fn last_nodes(&mut self, code: &WalkCode) -> Option<Vec<u32>> {
        let (to, is_set) = code.to?;
        let mut ends = self.networks.lend(code.node_words as usize);
        self.nodes_into(to, is_set, &mut ends);
        Some(ends)
    }

    #[inline]
    pub(super) fn put_end(&mut self, to: usize, node: u32) {
        self.m[to + node as usize / 32] |= 1i32.wrapping_shl(node % 32);
    }

    /// Each step that may be taken straight on from a start, direction by direction.
    fn go_straight(
        &mut self,
        going: &mut Going<'p>,
        start: u32,
        visit: &mut impl FnMut(&mut Self, &mut Going<'p>, Step),
    ) {
        let mut sides = going.sides;
        while sides != 0 {
            let side = sides.trailing_zeros();
            sides &= sides - 1;
            self.go_one_way(going, start, side, visit);
        }
    }

    /// The same in one direction; says how many steps were taken.
    #[inline(always)]
    fn go_one_way(
        &mut self,
        going: &mut Going<'p>,
        start: u32,
        side: u32,
        visit: &mut impl FnMut(&mut Self, &mut Going<'p>, Step),
    ) -> u32 {
        let tiling = going.tiling;
        let mut here = start;
        let mut taken = 0;
        while taken < going.up_to {
            let next = tiling.next[(here * tiling.directions + side) as usize];
            let Ok(next) = u32::try_from(next) else {
                break;
            };
            let step = Step {
                here,
                next,
                side,
                steps: taken,
            };
            if !self.may_step(going, step) {
                break;
            }
            taken += 1;
            visit(self, going, step);
            here = next;
        }
        self.spend(1 + taken / 4);
        taken
    }

    /// Wherever steps lead: all places where one stood, or with `moved` those stepped to.
    fn flood(&mut self, going: &mut Going<'p>, starts: &[u32], moved: bool, to: usize) {
        let mut stood = self.networks.lend(starts.len());
        let mut open = self.networks.lend(0);
        stood.copy_from_slice(starts);
        open.extend(bits::iter(starts));
        let mut taken = 0;
        while let Some(here) = open.pop() {
            for (side, next) in going.around(here) {
                let is_new = !bits::has(&stood, next);
                let met = moved && self.m[to + next as usize / 32] as u32 >> (next % 32) & 1 == 1;
                if !is_new && (met || !moved) {
                    continue;
                }
                let step = Step {
                    here,
                    next,
                    side,
                    steps: 0,
                };
                taken += 1;
                if !self.may_step(going, step) {
                    continue;
                }
                if moved {
                    self.put_end(to, next);
                }
                if is_new {
                    bits::insert(&mut stood, next);
                    open.push(next);
                }
            }
        }
        self.spend(taken / 4);
        if !moved {
            for (at, word) in stood.iter().enumerate() {
                self.m[to + at] = *word as i32;
            }
        }
        // The last that is given back is lent first: each keeps its use, and so its room.
        self.networks.give_back(open);
        self.networks.give_back(stood);
    }

    /// Whether all clauses hold for a step.
    #[inline(always)]
    fn may_step(&mut self, going: &mut Going<'p>, step: Step) -> bool {
        let (code, compared, put) = (going.code, &mut going.compared, &mut going.put);
        let holds = self.atoms_hold(&going.course.atoms, compared, step, |machine, node| {
            *put = true;
            machine.put_step(code, step);
            Some(machine.ask_step(node))
        });
        // What is not seen counts only where it would be asked.
        holds.unwrap_or_else(|| self.may_step_as_written(going, step))
    }

    /// Whether all clauses of atoms hold for a step; `ask` says what else comes to. None where something is not seen.
    #[inline(always)]
    pub(super) fn atoms_hold(
        &mut self,
        atoms: &[Atom<StepTest>],
        compared: &mut Compared<'p>,
        step: Step,
        mut ask: impl FnMut(&mut Self, NodeId) -> Option<i32>,
    ) -> Option<bool> {
        let mut met = false;
        for atom in atoms {
            if !met {
                let is = match atom.test {
                    StepTest::Cell { next, base, is } => {
                        let place = if next { step.next } else { step.here };
                        let word = self.m[(base + place) as usize];
                        let value = match is {
                            StepValue::Number(value) => value,
                            StepValue::Value(at) if compared.asked >> at & 1 == 1 => {
                                compared.values[usize::from(at)]
                            }
                            StepValue::Value(at) => self.compared_with(compared, at)?,
                        };
                        if word == UNKNOWN {
                            return None;
                        }
                        word == value
                    }
                    StepTest::First => step.steps == 0,
                    StepTest::Asked(node) => ask(self, node)? != 0,
                };
                met = is == atom.holds;
            }
            if atom.last && !std::mem::take(&mut met) {
                return Some(false);
            }
        }
        Some(true)
    }

    #[inline(never)]
    fn compared_with(&mut self, compared: &mut Compared<'p>, at: u8) -> Option<i32> {
        let value = self.ask_step(compared.nodes[usize::from(at)]);
        if self.halt != Halt::No {
            self.forget_halt();
            return None;
        }
        compared.values[usize::from(at)] = value;
        compared.asked |= 1 << at;
        Some(value)
    }

    #[cold]
    fn may_step_as_written(&mut self, going: &mut Going<'p>, step: Step) -> bool {
        going.put = true;
        self.put_step(going.code, step);
        going
            .code
            .where_
            .is_none_or(|node| self.ask_step(node) != 0)
    }

    fn gain(&mut self, going: &mut Going<'p>, step: Step) -> i64 {
        let Some(max) = going.code.max else {
            return 0;
        };
        if let Node::Const(gain) = self.p.nodes[max.at()] {
            return gain.into();
        }
        going.put = true;
        self.put_step(going.code, step);
        self.ask_step(max).into()
    }

    fn gain_of_start(&mut self, going: &mut Going<'p>, start: u32) -> i64 {
        let Some(gain) = going.code.start else {
            return 0;
        };
        let step = Step {
            here: start,
            next: 0,
            side: 0,
            steps: 0,
        };
        going.put = true;
        self.put_step(going.code, step);
        self.ask_step(gain).into()
    }

    /// Puts a step where conditions read it. It is never one back.
    fn put_step(&mut self, code: &WalkCode, step: Step) {
        let base = self.fp + code.words as usize;
        let words = &mut self.m[base..base + walk_word::SETS as usize];
        words[walk_word::HERE as usize] = step.here as i32;
        words[walk_word::NEXT as usize] = step.next as i32;
        words[walk_word::SIDE as usize] = step.side as i32;
        words[walk_word::STEPS as usize] = step.steps as i32;
        words[walk_word::FRESH as usize] = 1;
        words[walk_word::UNUSED as usize] = 1;
        words[walk_word::ONWARD as usize] = 1;
        words[walk_word::STRAIGHT as usize] = 1;
    }

    fn come_back(&mut self, going: &Going<'p>) {
        if going.put {
            let base = self.fp + going.code.words as usize;
            self.m[base..base + walk_word::SETS as usize].fill(0);
        }
    }

    fn ask_step(&mut self, node: NodeId) -> i32 {
        let top = self.top;
        let value = self.ev(node);
        self.top = top;
        value
    }
}
