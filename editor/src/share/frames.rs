//! Texts one behind the other, of which each differs from the one before in a few lines: each line is kept once, of each text
//! only what changes.

use serde_json::{Value, json};
use std::collections::BTreeMap;

/// See the module.
#[derive(Default)]
pub struct Frames {
    lines: Vec<String>,
    numbers: BTreeMap<String, usize>,
    /// Of each text: lines that stay at its beginning, at its end, and those between.
    changes: Vec<(usize, usize, Vec<usize>)>,
    last: Vec<usize>,
}

impl Frames {
    /// Adds a text.
    pub fn add<'l>(&mut self, text: impl Iterator<Item = &'l str>) {
        let mut now = Vec::new();
        for line in text {
            let number = match self.numbers.get(line) {
                Some(number) => *number,
                None => {
                    self.lines.push(line.to_owned());
                    self.numbers.insert(line.to_owned(), self.lines.len() - 1);
                    self.lines.len() - 1
                }
            };
            now.push(number);
        }
        let same = |(a, b): &(&usize, &usize)| a == b;
        let begin = now.iter().zip(&self.last).take_while(same).count();
        let rest = now.len().min(self.last.len()) - begin;
        let ends = now.iter().rev().zip(self.last.iter().rev());
        let end = ends.take(rest).take_while(same).count();
        let between = now[begin..now.len() - end].to_vec();
        self.changes.push((begin, end, between));
        self.last = now;
    }

    /// The lines, and of each text how many stay at its beginning and at its end, and the numbers of those between.
    pub fn told(&self) -> Value {
        json!({ "lines": self.lines, "changes": self.changes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_as_they_were() {
        let texts = [
            "a b c d",
            "a x c d",
            "a x c d",
            "",
            "d d d",
            "d d",
            "a b c d e",
        ];
        let mut frames = Frames::default();
        for text in texts {
            frames.add(text.split_whitespace());
        }
        let mut now: Vec<usize> = Vec::new();
        for (text, (begin, end, between)) in texts.iter().zip(&frames.changes) {
            let tail = now[now.len() - end..].to_vec();
            now.truncate(*begin);
            now.extend(between);
            now.extend(tail);
            let lines: Vec<&str> = now.iter().map(|at| frames.lines[*at].as_str()).collect();
            assert_eq!(lines, text.split_whitespace().collect::<Vec<_>>());
        }
        assert_eq!(frames.lines.len(), 6);
        assert_eq!(frames.changes[1], (1, 2, vec![4]));
        assert_eq!(frames.changes[2].2.len(), 0);
    }
}
