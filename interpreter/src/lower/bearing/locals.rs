//! Which locals of its frame an instruction reads: where none on the way to a failure reads what was chosen, every other
//! choice fails as well.

use super::super::idle;
use crate::Program;
use crate::facts::Reads;
use crate::program::*;

/// Frame offsets that an instruction reads; none where that cannot be told.
pub(super) fn read(program: &Program, pc: usize) -> Option<Vec<u32>> {
    let mut out = Reads::default();
    match program.code[pc] {
        Op::Call(_, args) => crate::facts::list_reads(program, args, &mut out),
        Op::RunEffect(effect) => {
            self::effect(program, &program.effects[effect as usize], &mut out)?
        }
        Op::AgendaAdd { agenda, effect, .. } => {
            crate::facts::place_reads(program, agenda, &mut out);
            self::effect(program, &program.effects[effect as usize], &mut out)?;
        }
        Op::AgendaOpen { agenda, .. } | Op::AgendaPick { agenda, .. } | Op::Shuffle(agenda) => {
            crate::facts::place_reads(program, agenda, &mut out)
        }
        Op::Param { choice, .. } | Op::Choose(choice) => {
            let id = program.choices[choice as usize].binder;
            crate::facts::binder_reads(program, id, &mut out);
            out.locals.remove(&program.binders[id.at()].local);
        }
        Op::EachBegin { binder: id, .. } => crate::facts::binder_reads(program, id, &mut out),
        Op::Match { value, .. }
        | Op::RepeatBegin { times: value, .. }
        | Op::As { player: value, .. }
        | Op::SetStarter(value)
        | Op::Finish {
            more: Some(value), ..
        }
        | Op::Verdict {
            player: Some(value),
            ..
        } => crate::facts::reads(program, value, &mut out),
        Op::PlayersBegin { order, .. } => {
            let order = &program.orders[order as usize];
            for node in order.conditions.iter().chain(&order.by) {
                crate::facts::reads(program, *node, &mut out);
            }
            if let SeatFrom::Player(player) = order.from {
                crate::facts::reads(program, player, &mut out);
            }
        }
        Op::Move(at) if carried(program, pc).is_some() => {
            let step = &program.moves[at as usize];
            crate::facts::place_reads(program, step.to, &mut out);
            if let MoveWhat::Value { from, .. } = step.what {
                crate::facts::place_reads(program, from, &mut out);
            }
        }
        Op::WalkBegin(_) | Op::WalkPick { .. } => return None,
        _ => {
            idle::read_by(program, pc, &mut out);
        }
    }
    (!out.opaque).then(|| out.locals.into_iter().collect())
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

fn effect(program: &Program, node: &EffectNode, out: &mut Reads) -> Option<()> {
    match node {
        EffectNode::Call { args, .. } => crate::facts::list_reads(program, *args, out),
        EffectNode::Value { value, .. } => crate::facts::reads(program, *value, out),
        EffectNode::Times(count, inner) => {
            crate::facts::reads(program, *count, out);
            effect(program, inner, out)?;
        }
        EffectNode::Many(parts) => {
            for part in parts {
                effect(program, part, out)?;
            }
        }
        EffectNode::If(condition, yes, no) => {
            crate::facts::reads(program, *condition, out);
            effect(program, yes, out)?;
            if let Some(no) = no {
                effect(program, no, out)?;
            }
        }
        EffectNode::For(binders, inner) => {
            for id in binders {
                crate::facts::binder_reads(program, *id, out);
            }
            effect(program, inner, out)?;
        }
        // The whole frame is copied.
        EffectNode::Inline { .. } => return None,
    }
    Some(())
}
