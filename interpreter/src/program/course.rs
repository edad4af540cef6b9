//! How the ends of a walk are found where no search is needed for them.

use super::*;

/// Values that the steps of one walk may be compared with.
pub const COURSE_VALUES_MAX: usize = 8;

impl WalkCode {
    /// The places of its words in the frame.
    pub fn frame(&self) -> std::ops::Range<u32> {
        self.words..self.words + walk_word::SETS + self.node_words + self.link_words
    }
}

/// See the module. The steps of such a walk depend on where it is alone, so that what it comes to is known from the places
/// before it and behind it.
#[derive(Clone, Debug)]
pub struct Course {
    pub way: CourseWay,
    /// What tells in which directions it goes, the same for all its steps.
    pub sides: Vec<Sides>,
    /// What else each step must meet: clauses, each of which has to hold.
    pub atoms: Vec<Atom<StepTest>>,
    /// What is compared with, the same for all steps.
    pub values: Vec<NodeId>,
    /// No step is asked about as it is written.
    pub told: bool,
    /// Whether it ends at a place is told by the ways there alone: it goes straight on from one place, and all that is asked has
    /// a value.
    pub apart: bool,
}

impl Course {
    /// What is asked once for all steps.
    pub fn still(&self) -> impl Iterator<Item = NodeId> {
        let sides = self.sides.iter().map(|sides| match *sides {
            Sides::One(node) | Sides::OneOf(node) => node,
        });
        sides.chain(self.values.iter().copied())
    }
}

/// How a walk goes that needs no search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CourseWay {
    /// Straight on from each start, in each direction. It never comes back to where it was.
    Rays,
    /// Wherever it can get to: with `moved`, by a step at least.
    Flood { moved: bool },
}

/// In which directions a walk goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    One(NodeId),
    OneOf(NodeId),
}

/// A test of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StepTest {
    /// What a cell of the place stepped to, or of the one before, holds is this.
    Cell {
        next: bool,
        /// First word of the cell, which has one for each place.
        base: u32,
        is: StepValue,
    },
    /// No step has been taken before.
    First,
    /// Anything else, asked as it is written.
    Asked(NodeId),
}

/// With what a cell is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StepValue {
    Number(i32),
    /// Index into [`Course::values`].
    Value(u8),
}

/// The ends of a walk in one direction that a formula says, as they are found in the frame where it is called: what it is
/// given stands in the place of its parameters.
#[derive(Clone, Debug)]
pub struct Ray {
    /// The call.
    pub call: NodeId,
    pub walk: WalkId,
    pub from: NodeId,
    pub side: NodeId,
    /// As [`Course::values`].
    pub values: Vec<NodeId>,
    pub at_least: u32,
}

impl Flat {
    /// The ray that a call is, if it is one.
    pub fn ray_of(&self, call: NodeId) -> Option<u32> {
        let at = self.rays.iter().position(|ray| ray.call == call)?;
        Some(at as u32)
    }
}
