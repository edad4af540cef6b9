//! What lies on the tiling: tiles, their parts, where they lie and how they are turned.

use super::Machine;
use crate::program::*;

impl Machine<'_> {
    /// The parts that lie on the tiling, position by position; with `at` those there alone.
    pub(crate) fn each_part(
        &mut self,
        parts: usize,
        at: Option<i32>,
        mut visit: impl FnMut(&mut Self, i32) -> bool,
    ) -> bool {
        let p = self.p;
        let Some(tiling) = &p.tiling else { return true };
        let Some(cell) = tiling.tile_cell.map(|slot| &p.cells[slot.at()]) else {
            return true;
        };
        let code = &tiling.parts[parts];
        let mut lying = |machine: &mut Self, position: u32, tile: u32| {
            let (_, count) = code.rows[tile as usize];
            (0..count).all(|part| visit(machine, (position * code.max + part) as i32))
        };
        match at.map(u32::try_from) {
            None => self.each_laid(tiling, lying),
            Some(Ok(at)) if at < tiling.positions => {
                let tile = self.m[(cell.base + at * cell.words) as usize];
                u32::try_from(tile).map_or(true, |tile| lying(self, at, tile))
            }
            Some(_) => true,
        }
    }

    /// The places on which a tile lies, with the tile.
    pub(crate) fn each_laid(
        &mut self,
        tiling: &TilingCode,
        mut visit: impl FnMut(&mut Self, u32, u32) -> bool,
    ) -> bool {
        let p = self.p;
        let Some(cell) = tiling.tile_cell.map(|slot| &p.cells[slot.at()]) else {
            return true;
        };
        let mut look = |machine: &mut Self, position: u32| {
            let tile = machine.m[(cell.base + position * cell.words) as usize];
            u32::try_from(tile).map_or(true, |tile| visit(machine, position, tile))
        };
        let start = self.candidates.len();
        if !self.push_laid(tiling) {
            return (0..tiling.positions).all(|at| look(self, at));
        }
        let end = self.candidates.len();
        let going = (start..end).all(|at| {
            let position = self.candidates[at] as u32;
            look(self, position)
        });
        // What was visited may have been collected behind.
        self.candidates.drain(start..end);
        going
    }

    pub(crate) fn position_of_part(&self, part: i32, parts: usize) -> i32 {
        if part < 0 {
            return NONE;
        }
        self.tiling(|t| Some(part / t.parts[parts].max as i32))
            .unwrap_or(NONE)
    }

    pub(crate) fn row_of_part(&self, part: i32, parts: usize) -> i32 {
        if part < 0 {
            return NONE;
        }
        let p = self.p;
        self.tiling(|t| {
            let code = &t.parts[parts];
            let position = part as u32 / code.max;
            let cell = &p.cells[t.tile_cell?.at()];
            let tile = self.m[(cell.base + position * cell.words) as usize];
            let (first, count) = *code.rows.get(usize::try_from(tile).ok()?)?;
            let at = part as u32 % code.max;
            (at < count).then(|| (first + at) as i32)
        })
        .unwrap_or(NONE)
    }

    pub(crate) fn position_of_tile(&self, tile: i32) -> i32 {
        let p = self.p;
        self.tiling(|t| {
            let cell = &p.cells[t.tile_cell?.at()];
            let found =
                (0..t.positions).find(|at| self.m[(cell.base + at * cell.words) as usize] == tile);
            found.map(|at| at as i32)
        })
        .unwrap_or(NONE)
    }

    /// A side or port of a tile that is turned so often.
    pub(crate) fn turned_by(&self, turn: i32, value: i32, port: bool) -> i32 {
        if value < 0 {
            return value;
        }
        self.tiling(|t| {
            let turn = turn.rem_euclid(t.turns.max(1) as i32) as usize;
            t.turned(turn, value as usize, port)
        })
        .unwrap_or(value)
    }
}
