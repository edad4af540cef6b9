//! Parts of a zone, by their words.

use crate::program::*;
use crate::words::Held;

/// The parts that can be taken out of a zone, the empty one among them; the first `max` of them.
pub(super) fn of(zone: &Held, shape: Shape, max: usize) -> Vec<Vec<i32>> {
    let mut found = vec![vec![0; shape.words()]];
    for kind in kinds_of(shape) {
        let held = count_in(&zone.words, zone.shape, kind);
        let before = found.len();
        for count in 1..=held {
            for at in 0..before {
                if found.len() == max {
                    return found;
                }
                let mut part = found[at].clone();
                put(&mut part, shape, kind, count);
                found.push(part);
            }
        }
    }
    found
}

pub(super) fn kinds_of(shape: Shape) -> Vec<i32> {
    match shape {
        Shape::Set { n, low } | Shape::Bag { n, low } => (low..low + n as i32).collect(),
        _ => Vec::new(),
    }
}

pub(super) fn put(words: &mut [i32], shape: Shape, kind: i32, count: i32) {
    match shape {
        Shape::Set { low, .. } => {
            let at = (kind - low) as u32;
            words[(at / 32) as usize] |= 1i32.wrapping_shl(at % 32);
        }
        Shape::Bag { low, .. } => words[(kind - low) as usize] += count,
        _ => {}
    }
}

pub(super) fn count_in(words: &[i32], shape: Shape, kind: i32) -> i32 {
    match shape {
        Shape::Set { n, low } => {
            let at = kind.wrapping_sub(low) as u32;
            if at >= n {
                return 0;
            }
            let word = words.get((at / 32) as usize).copied().unwrap_or(0);
            i32::from(word as u32 >> (at % 32) & 1 == 1)
        }
        Shape::Bag { n, low } => {
            let at = kind.wrapping_sub(low) as u32;
            let count = words.get(at as usize).copied().unwrap_or(0);
            if at < n { count } else { 0 }
        }
        Shape::List { .. } => {
            let len = words.first().copied().unwrap_or(0).max(0) as usize;
            let items = words.iter().skip(1).take(len);
            items.filter(|item| **item == kind).count() as i32
        }
        Shape::Row { n } => {
            let items = words.iter().take(n as usize);
            items.filter(|item| **item == kind).count() as i32
        }
        Shape::Scalar | Shape::Agenda { .. } => 0,
    }
}
