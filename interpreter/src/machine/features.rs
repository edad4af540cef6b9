//! Counts of a state for a seat.

use super::{Halt, Loc, Machine};
use crate::network;
use crate::program::*;

/// None is 0.
fn number(word: i32) -> i64 {
    if word == NONE { 0 } else { i64::from(word) }
}

impl Machine<'_> {
    /// What a feature comes to for a seat; 0 where it comes to nothing.
    pub(crate) fn feature(&mut self, feature: &Feature, seat: u32) -> f64 {
        self.begin_asking();
        let value = match feature.whose {
            Whose::Own => self.counted(&feature.what, seat) as f64,
            Whose::Others => {
                let players = self.p.players;
                let others = (0..players).filter(|other| *other != seat);
                let sum: i64 = others.map(|other| self.counted(&feature.what, other)).sum();
                sum as f64 / f64::from(players.max(2) - 1)
            }
        };
        if self.halt != Halt::No {
            self.halt = Halt::No;
            self.fault = None;
            self.top = self.sp;
            return 0.0;
        }
        value
    }

    fn counted(&mut self, what: &Counted, seat: u32) -> i64 {
        let p = self.p;
        match what {
            Counted::Numbers { words, step } => {
                let words = words.iter().map(|word| self.word(word + seat * step));
                words.map(number).sum()
            }
            Counted::Value { words, step, value } => {
                let words = words.iter().map(|word| self.word(word + seat * step));
                words.filter(|word| word == value).count() as i64
            }
            Counted::There { words, step } => {
                let words = words.iter().map(|word| self.word(word + seat * step));
                words.filter(|word| *word != NONE).count() as i64
            }
            Counted::Size { words, step, shape } => {
                let mut size = 0;
                for word in words {
                    self.each_lying(word + seat * step, *shape, |_, count| {
                        size += i64::from(count);
                    });
                }
                size
            }
            Counted::Member { words, step, bit } => {
                let word = |word: &u32| self.word(word + seat * step + bit / 32) as u32;
                let there = words.iter().filter(|at| word(at) >> (bit % 32) & 1 == 1);
                there.count() as i64
            }
            Counted::Column {
                words,
                step,
                shape,
                column,
            } => {
                let mut sum = 0;
                for word in words {
                    self.each_lying(word + seat * step, *shape, |row, count| {
                        let value = p.consts[(column + row as u32) as usize];
                        sum += number(value) * i64::from(count);
                    });
                }
                sum
            }
            Counted::Held { words, column } => self.rows_held(words, *column, seat),
            Counted::HeldWith {
                words,
                others,
                value,
            } => {
                let pairs = words.iter().zip(others);
                let both = pairs.filter(|(word, other)| {
                    self.word(**word) == seat as i32 && self.word(**other) == *value
                });
                both.count() as i64
            }
            Counted::Ends {
                words,
                step,
                shape,
                ends,
                what,
            } => self.ends_counted((words, seat * step, *shape), ends, *what, seat),
            Counted::Holder(word) => match self.word(*word) {
                holder if holder < 0 => 0,
                holder if holder == seat as i32 => 1,
                _ => -1,
            },
            Counted::Formula(proc) => number(self.formula_of(*proc, Some(seat as i32))),
            Counted::Global(proc) => number(self.formula_of(*proc, None)),
            Counted::ScoreLine(line) => i64::from(self.score_line(*line as usize, seat as i32)),
            Counted::Score => i64::from(self.aim(seat)),
            Counted::Asked => i64::from(!self.is_over() && self.seat() == seat),
            Counted::Starter => i64::from(self.word(header::STARTER as u32) == seat as i32),
            Counted::Finishing => i64::from(self.word(header::FINISH_LABEL as u32) != NONE),
        }
    }

    fn rows_held(&self, words: &[u32], column: Option<u32>, seat: u32) -> i64 {
        let held = words.iter().enumerate();
        let held = held.filter(|(_, word)| self.word(**word) == seat as i32);
        let counts = held.map(|(row, _)| match column {
            Some(column) => number(self.p.consts[column as usize + row]),
            None => 1,
        });
        counts.sum()
    }

    fn ends_counted(
        &mut self,
        (words, further, shape): (&[u32], u32, Shape),
        ends: &Ends,
        what: EndsCounted,
        seat: u32,
    ) -> i64 {
        let network = ends.network as usize;
        let owner = if self.p.networks[network].owners > 1 {
            seat
        } else {
            0
        };
        let mut sum = 0;
        for word in words {
            let from = Loc::State((word + further) as usize);
            self.for_items(from, shape, |machine, row, count| {
                if let Some(apart) = machine.apart(ends, what, (owner, seat), row as u32) {
                    sum += apart.counted(what, row as u32, &machine.p.consts) * i64::from(count);
                }
                true
            });
        }
        sum
    }

    /// How far the two nodes of a row lie apart. None for what no link could ever join.
    fn apart(
        &mut self,
        ends: &Ends,
        what: EndsCounted,
        (owner, seat): (u32, u32),
        row: u32,
    ) -> Option<Apart> {
        let p = self.p;
        let network = ends.network as usize;
        let node = |column: u32| {
            let node = p.consts[(column + row) as usize];
            u32::try_from(node).ok().map(network::NodeId)
        };
        let (a, b) = (node(ends.columns.0)?, node(ends.columns.1)?);
        let NetworkKind::Links { graph, .. } = &p.networks[network].kind else {
            return None;
        };
        if !graph.could_join(a, b) {
            return None;
        }
        let owner = self.know(network, owner as i32)?;
        let words = &self.m;
        let there = &self.networks.links[network][owner].mask;
        let length = |link: network::LinkId| {
            let at = link.0 as usize;
            if network::bits::has(there, link.0) {
                return Some(0);
            }
            let free = |word: &u32| {
                let holder = words[*word as usize];
                holder == NONE || holder == seat as i32
            };
            let length = match what {
                EndsCounted::Missing(Some(base)) => p.consts[base as usize + at].max(0) as u32,
                _ => 1,
            };
            ends.holders.get(at).is_none_or(free).then_some(length)
        };
        let far = graph.shortest(a, b, length, &mut self.networks.scratch);
        Some(far.map_or(Apart::Cut, Apart::By))
    }

    fn each_lying(&mut self, word: u32, shape: Shape, mut item: impl FnMut(i32, i32)) {
        self.for_items(Loc::State(word as usize), shape, |_, element, count| {
            item(element, count);
            true
        });
    }
}

/// Two nodes that links of a seat may join.
enum Apart {
    /// So far; 0 where they are joined.
    By(u32),
    Cut,
}

impl Apart {
    fn counted(&self, what: EndsCounted, row: u32, consts: &[i32]) -> i64 {
        let column = match (self, what) {
            (Apart::By(far), EndsCounted::Missing(_)) => return i64::from(*far),
            (Apart::By(0), EndsCounted::Joined(column)) => column,
            (Apart::Cut, EndsCounted::Cut(column)) => column,
            (Apart::By(_) | Apart::Cut, _) => return 0,
        };
        column.map_or(1, |column| i64::from(consts[(column + row) as usize]))
    }
}
