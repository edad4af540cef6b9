//! What makes two positions the same: all that the rules can still look at. What only tells how the game came there (how many
//! answers were given, how often chance was asked, passes that nothing counts, what cells of steps held that do not run any
//! more) does not tell them apart.

use super::{Stopped, locked};
use crate::Program;
use crate::bounds::COUNTED_POSITIONS_MAX;
use crate::machine::Machine;
use crate::program::{Node, Op, Slot, frame, header, history_word};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Which words of a state count.
pub(super) struct Positions {
    /// Of the words before the frames.
    counts: Vec<bool>,
    scopes: Vec<Scope>,
}

/// Cells that are there only while a step or an action runs.
struct Scope {
    /// Where the machine stands, or will come back to, while it does.
    code: Vec<Range<usize>>,
    words: Vec<Range<usize>>,
}

impl Positions {
    pub fn new(program: &Program) -> Positions {
        let mut counts = vec![true; program.fixed_words as usize];
        let mut leave_out = |word: usize| counts[word] = false;
        for word in [
            // What the machine holds elsewhere while it runs.
            header::PC,
            header::FP,
            header::SP,
            header::ME,
            // What nothing reads of it.
            header::SEED_LOW,
            header::SEED_HIGH,
            header::CAUSE,
            header::ANSWERS,
        ] {
            leave_out(word);
        }
        let streams = program.stream_base as usize;
        (streams..streams + program.stream_keys.len()).for_each(&mut leave_out);
        for history in &program.histories {
            let base = history.base as usize;
            (base..base + history_word::SIZE).for_each(&mut leave_out);
        }
        let is_read = |word: u32| {
            let mut nodes = program.nodes.iter();
            nodes.any(|node| matches!(node, Node::Word(other) if *other == word))
        };
        let passes = program.label_words.iter();
        passes
            .filter(|word| !is_read(**word))
            .for_each(|word| leave_out(*word as usize));
        Positions {
            counts,
            scopes: scopes(program),
        }
    }

    /// A position as 128 bits: that two different ones have the same is not to be expected of any number that can be counted.
    pub fn of(&self, machine: &Machine<'_>) -> u128 {
        // From where a game is over nothing goes on: what was being done then does not matter.
        let is_over = machine.is_over();
        let (places, end) = match is_over {
            true => (Vec::new(), self.counts.len()),
            false => (places(machine), machine.sp),
        };
        let mut parts = [DefaultHasher::new(), DefaultHasher::new()];
        1_u8.hash(&mut parts[1]);
        let mut add = |value: i32| parts.iter_mut().for_each(|part| value.hash(part));
        let dead = |scope: &&Scope| {
            let runs = |at: &usize| scope.code.iter().any(|range| range.contains(at));
            !places.iter().any(runs)
        };
        let dead: Vec<&Range<usize>> = self
            .scopes
            .iter()
            .filter(dead)
            .flat_map(|scope| &scope.words)
            .collect();
        for (at, value) in machine.m[..end].iter().enumerate() {
            let counts = self.counts.get(at).is_none_or(|counts| *counts);
            if counts && !dead.iter().any(|range| range.contains(&at)) {
                add(*value);
            }
        }
        if !is_over {
            add(machine.pc as i32);
            add(machine.me);
        }
        let [low, high] = parts.map(|part| u128::from(part.finish()));
        high << 64 | low
    }
}

/// Where the machine stands, and where the bodies that run will go on.
fn places(machine: &Machine<'_>) -> Vec<usize> {
    let mut places = vec![machine.pc];
    let mut fp = machine.fp;
    while fp != machine.p.fixed_words as usize {
        places.push(machine.m[fp + frame::RETURN_PC] as usize);
        fp = machine.m[fp + frame::CALLER] as usize;
    }
    places
}

fn scopes(program: &Program) -> Vec<Scope> {
    let words = |slots: &[Slot]| -> Vec<Range<usize>> {
        let cells = slots.iter().map(|slot| &program.cells[slot.at()]);
        cells
            .map(|cell| cell.base as usize..(cell.base + cell.words * cell.slots) as usize)
            .collect()
    };
    let steps = program.label_cells.iter().enumerate();
    let steps = steps
        .filter(|(_, slots)| !slots.is_empty())
        .map(|(label, slots)| Scope {
            code: code_of_step(program, label),
            words: words(slots),
        });
    let mut entries: Vec<usize> = program
        .procs
        .iter()
        .map(|proc| proc.entry as usize)
        .collect();
    entries.sort_unstable();
    let actions = program.action_cells.iter().zip(&program.action_procs);
    let actions = actions
        .filter(|(slots, _)| !slots.is_empty())
        .map(|(slots, proc)| {
            let entry = program.procs[proc.at()].entry as usize;
            let next = entries.iter().find(|other| **other > entry);
            Scope {
                code: std::iter::once(entry..*next.unwrap_or(&program.code.len())).collect(),
                words: words(slots),
            }
        });
    steps.chain(actions).collect()
}

/// The instructions of a step, wherever it is written out: behind its beginning, up to its end.
fn code_of_step(program: &Program, label: usize) -> Vec<Range<usize>> {
    let mut open = Vec::new();
    let mut found = Vec::new();
    for (at, op) in program.code.iter().enumerate() {
        match op {
            Op::EnterStep { label: other, .. } if other.index() == label => open.push(at + 1),
            Op::LeaveStep { label: other, .. } if other.index() == label => {
                found.extend(open.pop().map(|start| start..at + 1));
            }
            _ => {}
        }
    }
    found
}

/// Parts of a set, so that threads seldom wait for one another.
const PARTS: usize = 64;

/// Positions seen at each depth, from 1 on.
pub(super) struct Seen {
    pub levels: Vec<[Mutex<HashSet<u128>>; PARTS]>,
    found: AtomicU64,
}

impl Seen {
    pub fn new(depth: u32) -> Seen {
        let part = || std::array::from_fn(|_| Mutex::default());
        Seen {
            levels: (0..depth).map(|_| part()).collect(),
            found: AtomicU64::new(0),
        }
    }

    pub fn note(&self, depth: u32, position: u128) -> Result<(), Stopped> {
        let parts = &self.levels[depth as usize - 1];
        let part = &parts[position as usize % PARTS];
        if locked(part).insert(position)
            && self.found.fetch_add(1, Ordering::Relaxed) >= COUNTED_POSITIONS_MAX
        {
            return Err(Stopped::TooManyPositions);
        }
        Ok(())
    }

    pub fn count(&self, depth: u32) -> u64 {
        let parts = self.levels[depth as usize - 1].iter();
        parts.map(|part| locked(part).len() as u64).sum()
    }
}
