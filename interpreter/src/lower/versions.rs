//! Versions: numbers that grow with every write of a cell, so that what was found out holds while they stay the same. A cell
//! that every player has has one for each.

use crate::Program;
use crate::facts::Reads;
use crate::program::*;

/// Fills `Program::words`, but for who watches them, and `cell_reads`.
pub(super) fn number(program: &mut Flat) {
    let mut key = 0;
    program.words = (0..program.fixed_words)
        .map(|_| {
            key = crate::machine::lots::mixed(key);
            Word {
                key: key | 1,
                version: NO_VERSION,
                start: 0,
                mid: 0,
                end: 0,
            }
        })
        .collect();
    let mut next = 0;
    for cell in &program.cells {
        let each = match cell.dims.as_slice() {
            [(0, n, 1)] if *n == program.players => program.players,
            _ => 1,
        };
        let words = cell.words * cell.slots / each;
        for at in 0..each {
            let first = (cell.base + at * words) as usize;
            for word in &mut program.words[first..first + words as usize] {
                word.version = next + at;
            }
        }
        program.cell_reads.push(Read {
            first: next,
            count: each,
            own: false,
        });
        next += each;
    }
    program.versions = next;
}

/// The versions that tell whether what was read is still the same.
pub(super) fn of(program: &Program, reads: &Reads) -> Vec<Read> {
    let cell = |slot: &Slot| {
        let read = program.cell_reads[slot.at()];
        let own = read.count > 1 && !reads.of_others.contains(slot);
        Read { own, ..read }
    };
    reads.cells.iter().map(cell).collect()
}
