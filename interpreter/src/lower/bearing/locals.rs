//! Which locals of its frame an instruction reads: where none on the way to a failure reads what was chosen, every other
//! choice fails as well.

use crate::Program;
use crate::facts::Reads;
use crate::program::*;

/// Frame offsets that an instruction reads; none where that cannot be told.
pub(super) fn read(program: &Program, pc: usize) -> Option<Vec<u32>> {
    let mut out = Reads::default();
    crate::facts::op_reads(program, program.code[pc], &mut out);
    if out.opaque {
        return None;
    }
    if let Some((local, _)) = carried(program, pc) {
        out.locals.remove(&local);
        if let Op::Move(at) = program.code[pc] {
            let step = &program.moves[at as usize];
            crate::facts::place_reads(program, step.to, &mut out);
            crate::facts::place_reads(program, step.from(), &mut out);
        }
    }
    Some(out.locals.into_iter().collect())
}

/// The local that an instruction does nothing with but take it from one bag to another, and these bags.
pub(super) fn carried(program: &Program, pc: usize) -> Option<(u32, Ways)> {
    let Op::Move(at) = program.code[pc] else {
        return None;
    };
    let step = &program.moves[at as usize];
    let MoveWhat::Value { value, from, .. } = step.what else {
        return None;
    };
    let Node::Local(local) = program.nodes[value.at()] else {
        return None;
    };
    let mut bags = Ways::default();
    for place in [from, step.to] {
        let slot = program.places[place.at()].cell.at();
        if !super::is_bag(&program.cells[slot]) || program.shapes[value.at()] != Shape::Scalar {
            return None;
        }
        bags.add(slot, Way::Any);
    }
    (!step.up_to).then_some((local, bags))
}
