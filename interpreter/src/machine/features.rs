//! Counts of a state for a seat.

use super::{Halt, Loc, Machine};
use crate::program::*;

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
        let number = |word: i32| if word == NONE { 0 } else { i64::from(word) };
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
            Counted::Held { words, column } => {
                let mut sum = 0;
                for (row, word) in words.iter().enumerate() {
                    if self.word(*word) == seat as i32 {
                        let column = column.map(|column| p.consts[column as usize + row]);
                        sum += column.map_or(1, number);
                    }
                }
                sum
            }
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

    fn each_lying(&mut self, word: u32, shape: Shape, mut item: impl FnMut(i32, i32)) {
        self.for_items(Loc::State(word as usize), shape, |_, element, count| {
            item(element, count);
            true
        });
    }
}
