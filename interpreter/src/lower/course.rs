//! Walks that need no search. Over the places of a tiling, a walk whose clauses look at nothing of its past but the direction
//! and the number of its steps goes straight on, or floods what it can get to: the next place is found in a table.
//!
//! **Why that is the same.** A walk that keeps its direction has one way from each start in each direction, since in each
//! direction there is at most one next place and (tested here) no way leads back into itself; its ends are the places on it. A
//! walk that looks at neither past, direction nor number of steps ends wherever steps that are allowed lead, in any order.
//! All that is asked on the way always has a value, so it does not matter what is asked first.

use super::clauses::{self, atom, both, constant, either, lay};
use super::finder::{Finder, Known, Words};
use crate::Program;
use crate::facts::{Ends, Facts, Reads, binder_clauses};
use crate::program::*;
use std::collections::{BTreeMap, BTreeSet};

/// No step is the first and is not.
const NEVER: [Atom<StepTest>; 2] = [first(true), first(false)];
/// Directions that a set of them has bits for.
const DIRECTIONS_MAX: u32 = 64;

/// Pairs of places of which it is known what leads from one to the other.
const WAYS_MAX: u32 = 1 << 18;

/// Fills `WalkCode::course` and, where any walk goes straight on, `TilingCode::ways`.
pub(super) fn mark(program: &mut Program, facts: &Facts) {
    let Some(tiling) = &program.tiling else {
        return;
    };
    if tiling.directions > DIRECTIONS_MAX {
        return;
    }
    let straight_on = no_way_comes_back(tiling);
    let mut rays = false;
    for at in 0..program.walks.len() {
        let course = of(program, facts, &program.walks[at], straight_on);
        rays |= course
            .as_ref()
            .is_some_and(|course| course.way == CourseWay::Rays);
        program.walks[at].course = course;
    }
    if let (true, Some(tiling)) = (rays, &mut program.tiling) {
        tiling.ways = ways(tiling);
    }
}

/// A bit for each direction that leads from one place to another.
fn ways(tiling: &TilingCode) -> Vec<u64> {
    let places = tiling.positions;
    let pairs = places
        .checked_mul(places)
        .filter(|pairs| *pairs <= WAYS_MAX);
    let mut ways = vec![0; pairs.unwrap_or(0) as usize];
    if !ways.is_empty() {
        for (start, side) in
            (0..places).flat_map(|at| (0..tiling.directions).map(move |side| (at, side)))
        {
            let nexts = steps_straight(tiling, start, side, u32::MAX).flatten();
            for (_, next) in nexts.filter(|(word, _)| *word == walk_word::NEXT) {
                ways[(start * places) as usize + next as usize] |= 1 << side;
            }
        }
    }
    ways
}

/// In no direction a place is reached again, and all ways end within the steps that a search may take.
fn no_way_comes_back(tiling: &TilingCode) -> bool {
    let next = |place: u32, side: u32| {
        u32::try_from(tiling.next[(place * tiling.directions + side) as usize]).ok()
    };
    (0..tiling.directions).all(|side| {
        (0..tiling.positions).all(|start| {
            let way = std::iter::successors(Some(start), |place| next(*place, side));
            way.take(WALK_STEPS_MAX as usize + 1).count() <= WALK_STEPS_MAX as usize
        })
    })
}

fn of(program: &Program, facts: &Facts, walk: &WalkCode, straight_on: bool) -> Option<Course> {
    let network = &program.networks[walk.network as usize];
    let still = matches!(network.kind, NetworkKind::Neighbours(_)) && network.condition.is_none();
    let well = |node: NodeId| facts.ends(node) == Ends::WELL;
    let mut gains = [walk.max, walk.start].into_iter().flatten();
    if !still || walk.by.is_some() || walk.need.is_some() || !gains.all(well) {
        return None;
    }
    let mut terms = Terms::default();
    if let Some(condition) = walk.where_ {
        terms.add(program, walk, condition);
    }
    let way = way(program, walk, &terms)?;
    if way == CourseWay::Rays && !straight_on {
        return None;
    }
    let reads = words_read(program, walk);
    if !reads.iter().all(|word| is_told(way, *word)) {
        return None;
    }
    let mut tests = Tests {
        program,
        walk,
        way,
        values: Vec::new(),
    };
    let mut atoms = Vec::new();
    let mut told = true;
    for term in terms.others {
        match tests.told(term, &Frame::Own, true) {
            Some(clauses) => {
                lay(&clauses, &NEVER, &mut atoms);
            }
            None => {
                told = false;
                atoms.push(Atom {
                    test: StepTest::Asked(term),
                    holds: true,
                    last: true,
                });
            }
        }
    }
    let mut bounds = [walk.up_to, walk.at_least].into_iter().flatten();
    let from_one = way == CourseWay::Rays && !walk.from_set && walk.to.is_none();
    let course = Course {
        way,
        sides: terms.sides,
        atoms,
        values: tests.values,
        told,
        apart: told && from_one && bounds.all(well),
    };
    // Cells of places of the board are read where they have their place.
    let safe = match told {
        true => course.still().all(well),
        false => walk.where_.is_none_or(well),
    };
    safe.then_some(course)
}

/// Straight on, or wherever steps lead; none where only a search tells.
fn way(program: &Program, walk: &WalkCode, terms: &Terms) -> Option<CourseWay> {
    let one = |sides: &Sides| matches!(sides, Sides::One(_));
    if terms.straight || terms.sides.iter().any(one) {
        return Some(CourseWay::Rays);
    }
    // What comes of the best way among many is no matter of places.
    if walk.up_to.is_some() || walk.max.is_some() {
        return None;
    }
    let moved = match walk.at_least.map(|n| program.nodes[n.at()]) {
        None => false,
        Some(Node::Const(n)) if n <= 1 => n == 1,
        Some(_) => return None,
    };
    // So many steps a search may take.
    let nodes = program.networks[walk.network as usize].nodes;
    (nodes < WALK_STEPS_MAX).then_some(CourseWay::Flood { moved })
}

/// The conditions of a `where`, all of which must hold.
#[derive(Default)]
struct Terms {
    straight: bool,
    sides: Vec<Sides>,
    others: Vec<NodeId>,
}

impl Terms {
    fn add(&mut self, program: &Program, walk: &WalkCode, node: NodeId) {
        let is =
            |node: NodeId, word: u32| program.nodes[node.at()] == Node::Local(walk.words + word);
        let still = |node: NodeId| is_still(program, walk, node);
        match program.nodes[node.at()] {
            Node::And(a, b) => {
                self.add(program, walk, a);
                self.add(program, walk, b);
            }
            Node::Local(at) if at == walk.words + walk_word::STRAIGHT => self.straight = true,
            Node::Equal(a, b) if is(a, walk_word::SIDE) && still(b) => {
                self.sides.push(Sides::One(b));
            }
            Node::Equal(a, b) if is(b, walk_word::SIDE) && still(a) => {
                self.sides.push(Sides::One(a));
            }
            Node::In(a, b) if is(a, walk_word::SIDE) && still(b) => {
                self.sides.push(Sides::OneOf(b));
            }
            _ => self.others.push(node),
        }
    }
}

/// What it comes to is the same for all steps.
fn is_still(program: &Program, walk: &WalkCode, node: NodeId) -> bool {
    let mut reads = Reads::default();
    crate::facts::reads(program, node, &mut reads);
    reads.locals.range(walk.frame()).next().is_none()
}

/// Which words of the walk its clauses read.
fn words_read(program: &Program, walk: &WalkCode) -> Vec<u32> {
    let mut reads = Reads::default();
    for node in [walk.where_, walk.max, walk.start].into_iter().flatten() {
        crate::facts::reads(program, node, &mut reads);
    }
    let own = reads.locals.range(walk.frame());
    own.map(|at| at - walk.words).collect()
}

/// Nothing but the place and the direction tells what this word is.
fn is_told(way: CourseWay, word: u32) -> bool {
    use walk_word::{FRESH, HERE, NEXT, ONWARD, SIDE, STEPS, STRAIGHT, UNUSED};
    match way {
        CourseWay::Rays => {
            [HERE, NEXT, SIDE, STEPS, FRESH, UNUSED, ONWARD, STRAIGHT].contains(&word)
        }
        CourseWay::Flood { .. } => [HERE, NEXT, SIDE].contains(&word),
    }
}

impl Finder<'_> {
    /// Adds the words that a walk depends on.
    pub(super) fn walk(&mut self, id: WalkId, known: &Known, words: &mut Words, depth: u32) {
        let program = self.program();
        let walk = &program.walks[id.at()];
        let still = [
            walk.receiver,
            Some(walk.from),
            walk.to.map(|(to, _)| to),
            walk.up_to,
            walk.at_least,
        ];
        let walkers = walk.by.map(|by| binder_clauses(program, by.binder));
        let walkers = walkers.into_iter().flatten();
        for node in still.into_iter().flatten().chain(walkers) {
            self.node(node, known, words, depth + 1);
        }
        if !matches!(
            program.networks[walk.network as usize].kind,
            NetworkKind::Neighbours(_)
        ) {
            let owner = walk
                .receiver
                .map_or(Some(0), |node| self.value(node, known));
            self.networks_of(walk.network, owner, words);
        }
        if self.rays(walk, known, words, depth).is_none() {
            for node in [walk.where_, walk.need, walk.start, walk.max]
                .into_iter()
                .flatten()
            {
                self.node(node, known, words, depth + 1);
            }
        }
    }

    /// The same of steps straight on from a place that is known; none where they are not.
    fn rays(
        &mut self,
        walk: &WalkCode,
        known: &Known,
        words: &mut Words,
        depth: u32,
    ) -> Option<()> {
        let (start, steps) = self.steps_of(walk, known)?;
        let Some(start) = start else {
            return Some(());
        };
        let done = self.spread(steps.len(), |finder| {
            let mut known = known.clone();
            known.insert(walk.words + walk_word::HERE, start as i32);
            if let Some(node) = walk.start {
                finder.node(node, &known, words, depth + 1);
            }
            for step in &steps {
                known.extend(step.map(|(word, value)| (walk.words + word, value)));
                for node in [walk.where_, walk.max].into_iter().flatten() {
                    finder.node(node, &known, words, depth + 1);
                }
            }
        });
        done.then_some(())
    }

    /// Where a walk straight on begins, if anywhere, and the steps that it may take; none where that is not known.
    fn steps_of(
        &mut self,
        walk: &WalkCode,
        known: &Known,
    ) -> Option<(Option<u32>, Vec<StepWords>)> {
        let course = walk.course.as_ref()?;
        let tiling = self.program().tiling.as_ref()?;
        if course.way != CourseWay::Rays || walk.from_set {
            return None;
        }
        let start = self.value(walk.from, known)?;
        let start = u32::try_from(start)
            .ok()
            .filter(|at| *at < tiling.positions);
        let Some(start) = start else {
            return Some((None, Vec::new()));
        };
        let mut sides: BTreeSet<i32> = (0..tiling.directions as i32).collect();
        for side in &course.sides {
            let told = match *side {
                Sides::One(node) => self.value(node, known).map(|side| vec![side]),
                Sides::OneOf(node) => self.items_of(node, known),
            };
            if let Some(told) = told {
                sides.retain(|side| told.contains(side));
            }
        }
        let up_to = walk.up_to.and_then(|n| self.value(n, known));
        let up_to = up_to.map_or(u32::MAX, |n| n.max(0) as u32);
        let steps = (sides.into_iter())
            .flat_map(|side| steps_straight(tiling, start, side as u32, up_to))
            .collect();
        Some((Some(start), steps))
    }

    /// All places where a walk straight on may end; none where they are not known.
    pub(super) fn ends_of(&mut self, walk: WalkId, known: &Known) -> Option<BTreeSet<i32>> {
        let program = self.program();
        let (start, steps) = self.steps_of(&program.walks[walk.at()], known)?;
        let nexts = steps.into_iter().flatten();
        let nexts = nexts.filter(|(word, _)| *word == walk_word::NEXT);
        let ends = nexts.map(|(_, next)| next);
        Some(ends.chain(start.map(|start| start as i32)).collect())
    }
}

/// What a step is, in words of its walk.
type StepWords = [(u32, i32); 4];

/// The words of all steps straight on.
fn steps_straight(
    tiling: &TilingCode,
    start: u32,
    side: u32,
    up_to: u32,
) -> impl Iterator<Item = StepWords> {
    let next = move |place: u32| {
        u32::try_from(tiling.next[(place * tiling.directions + side) as usize]).ok()
    };
    let places = std::iter::successors(Some(start), move |place| next(*place));
    places.zip(0..up_to).map_while(move |(here, steps)| {
        Some([
            (walk_word::HERE, here as i32),
            (walk_word::NEXT, next(here)? as i32),
            (walk_word::SIDE, side as i32),
            (walk_word::STEPS, steps as i32),
        ])
    })
}

type Clauses = clauses::Clauses<StepTest>;

/// In whose frame an expression stands.
enum Frame {
    /// In that of the walk.
    Own,
    /// In that of a formula: what its parameters are, by their places in its frame.
    Formula(BTreeMap<u32, Argument>),
}

#[derive(Clone, Copy)]
enum Argument {
    Next,
    Here,
    Still(NodeId),
}

/// Turns conditions on a step into tests of words.
struct Tests<'p> {
    program: &'p Program,
    walk: &'p WalkCode,
    way: CourseWay,
    values: Vec<NodeId>,
}

impl Tests<'_> {
    /// When a condition is as wanted; none where that takes more than such tests.
    fn told(&mut self, node: NodeId, frame: &Frame, wanted: bool) -> Option<Clauses> {
        let p = self.program;
        match p.nodes[node.at()] {
            Node::Const(value) => Some(constant((value != 0) == wanted)),
            Node::Not(a) => self.told(a, frame, !wanted),
            Node::And(a, b) => self.joined((a, wanted), (b, wanted), frame, wanted),
            Node::Or(a, b) => self.joined((a, wanted), (b, wanted), frame, !wanted),
            Node::Implies(a, b) => self.joined((a, !wanted), (b, wanted), frame, !wanted),
            Node::If(c, yes, no) => {
                let yes = self.joined((c, false), (yes, wanted), frame, false)?;
                let no = self.joined((c, true), (no, wanted), frame, false)?;
                both(yes, no)
            }
            Node::Equal(a, b) => self.equal(a, b, frame, wanted),
            Node::NotEqual(a, b) => self.equal(a, b, frame, !wanted),
            Node::IsSome(a) => {
                let cell = self.cell(a, frame)?;
                Some(atom(is(cell, StepValue::Number(NONE)), !wanted))
            }
            Node::Call(proc, args) => {
                let code = &p.procs[proc.at()];
                let mut inner = BTreeMap::new();
                for (arg, (local, _)) in p.listed(args).iter().zip(&code.params) {
                    inner.insert(*local, self.argument(*arg, frame)?);
                }
                self.told(code.body, &Frame::Formula(inner), wanted)
            }
            Node::Local(at) => self.word(at, frame, wanted),
            _ => {
                let cell = self.cell(node, frame)?;
                Some(atom(is(cell, StepValue::Number(0)), !wanted))
            }
        }
    }

    /// Of words that say the same of every step straight on.
    fn word(&self, at: u32, frame: &Frame, wanted: bool) -> Option<Clauses> {
        use walk_word::{FRESH, ONWARD, STRAIGHT, UNUSED};
        let always = [FRESH, UNUSED, ONWARD, STRAIGHT].map(|word| self.walk.words + word);
        let own = matches!(frame, Frame::Own) && always.contains(&at);
        (own && self.way == CourseWay::Rays).then(|| constant(wanted))
    }

    fn joined(
        &mut self,
        a: (NodeId, bool),
        b: (NodeId, bool),
        frame: &Frame,
        all: bool,
    ) -> Option<Clauses> {
        let a = self.told(a.0, frame, a.1)?;
        let b = self.told(b.0, frame, b.1)?;
        if all { both(a, b) } else { either(&a, &b) }
    }

    fn equal(&mut self, a: NodeId, b: NodeId, frame: &Frame, wanted: bool) -> Option<Clauses> {
        for (a, b) in [(a, b), (b, a)] {
            if self.is_steps(a, frame) && self.program.nodes[b.at()] == Node::Const(0) {
                return Some(atom(StepTest::First, wanted));
            }
            if let (Some(cell), Some(value)) = (self.cell(a, frame), self.value(b, frame)) {
                return Some(atom(is(cell, value), wanted));
            }
        }
        None
    }

    fn is_steps(&self, node: NodeId, frame: &Frame) -> bool {
        let steps = Node::Local(self.walk.words + walk_word::STEPS);
        matches!(frame, Frame::Own) && self.program.nodes[node.at()] == steps
    }

    /// A cell of the place stepped to or of the one before: which, and its first word.
    fn cell(&self, node: NodeId, frame: &Frame) -> Option<(bool, u32)> {
        let Node::Cell1(slot, index) = self.program.nodes[node.at()] else {
            return None;
        };
        let cell = &self.program.cells[slot.at()];
        let positions = self.program.tiling.as_ref()?.positions;
        let each = cell.dims == [(0, positions, 1)] && cell.shape == Shape::Scalar;
        match self.argument(index, frame).filter(|_| each)? {
            Argument::Next => Some((true, cell.base)),
            Argument::Here => Some((false, cell.base)),
            Argument::Still(_) => None,
        }
    }

    fn argument(&self, node: NodeId, frame: &Frame) -> Option<Argument> {
        match (self.program.nodes[node.at()], frame) {
            (Node::Local(at), Frame::Formula(inner)) => inner.get(&at).copied(),
            (Node::Local(at), Frame::Own) if at == self.walk.words + walk_word::NEXT => {
                Some(Argument::Next)
            }
            (Node::Local(at), Frame::Own) if at == self.walk.words + walk_word::HERE => {
                Some(Argument::Here)
            }
            (_, Frame::Own) => {
                let scalar = self.program.shapes[node.at()] == Shape::Scalar;
                let still = scalar && is_still(self.program, self.walk, node);
                still.then_some(Argument::Still(node))
            }
            (_, Frame::Formula(_)) => {
                let mut reads = Reads::default();
                crate::facts::reads(self.program, node, &mut reads);
                let scalar = self.program.shapes[node.at()] == Shape::Scalar;
                let still = scalar && reads.locals.is_empty();
                still.then_some(Argument::Still(node))
            }
        }
    }

    fn value(&mut self, node: NodeId, frame: &Frame) -> Option<StepValue> {
        let Argument::Still(value) = self.argument(node, frame)? else {
            return None;
        };
        if let Node::Const(number) = self.program.nodes[value.at()] {
            return Some(StepValue::Number(number));
        }
        let at = match self.values.iter().position(|other| *other == value) {
            Some(at) => at,
            None if self.values.len() == COURSE_VALUES_MAX => return None,
            None => {
                self.values.push(value);
                self.values.len() - 1
            }
        };
        Some(StepValue::Value(at as u8))
    }
}

const fn first(holds: bool) -> Atom<StepTest> {
    Atom {
        test: StepTest::First,
        holds,
        last: true,
    }
}

fn is((next, base): (bool, u32), is: StepValue) -> StepTest {
    StepTest::Cell { next, base, is }
}
