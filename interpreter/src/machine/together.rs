//! Questions that are answered at once: one answer holds something for each of them.
//!
//! They stand one behind the other, and each looks at what was chosen before. So an answer to all is what leads from one to
//! the next: it is listed, and tried, as if the machine stood at the last of them with everything before chosen.

use super::Machine;
use super::answers::{Answer, AnswerKind, Answers, Raw};
use super::trying::Outcome;
use crate::program::*;

impl Answers {
    /// What may be answered where each question is asked alone.
    pub(crate) fn one_by_one(&self) -> Answers {
        let mut found = Answers::default();
        for at in 0..self.len() {
            let answer = match (self.kind(at), self.words(at)) {
                (AnswerKind::Together, [first, ..]) => Answer {
                    kind: AnswerKind::Element,
                    value: *first,
                    words: Vec::new(),
                },
                _ => self.get(at),
            };
            match found.position(&answer) {
                Some(before) => {
                    let outcome = found.outcome(before).or(self.outcome(at));
                    found.mark(before, outcome);
                }
                None => found.push(
                    Raw::new(answer.kind, answer.value),
                    &answer.words,
                    self.outcome(at),
                ),
            }
        }
        found
    }

    /// Of answers to several questions at once what may be answered to the others where the first is answered so.
    pub(crate) fn behind(&self, first: &Answer) -> Answers {
        let mut found = Answers::default();
        for at in (0..self.len()).filter(|at| self.kind(*at) == AnswerKind::Together) {
            match self.words(at) {
                [word, rest @ ..] if *word == first.value && !rest.is_empty() => {
                    found.push(Raw::new(AnswerKind::Together, 0), rest, self.outcome(at));
                }
                _ => {}
            }
        }
        found
    }
}

impl<'p> Machine<'p> {
    /// How many questions are answered at once at an instruction that asks; what has its value from the call is not asked.
    #[inline]
    pub(crate) fn at_once(&self, pc: usize) -> usize {
        match self.p.code[pc] {
            Op::Choose(choice) | Op::Param { choice, .. } => {
                match self.p.choices[choice as usize].at_once as usize {
                    1 => 1,
                    _ if self.one_by_one => 1,
                    most => self.asked_of(pc, most),
                }
            }
            _ => 1,
        }
    }

    fn asked_of(&self, pc: usize, most: usize) -> usize {
        let given = |op: &Op| matches!(*op, Op::Param { index, .. } if self.is_given(index));
        let behind = &self.p.code[pc + 1..pc + most];
        1 + behind.iter().take_while(|op| !given(op)).count()
    }

    /// The frame's word that an instruction's question fills.
    pub(super) fn chosen_at(&self, pc: usize) -> Option<usize> {
        let (Op::Choose(choice) | Op::Param { choice, .. }) = self.p.code[pc] else {
            return None;
        };
        let binder = self.p.choices[choice as usize].binder;
        Some(self.fp + self.p.binders[binder.at()].local as usize)
    }

    /// Calls `visit` for each answer to so many questions.
    pub(super) fn offer_together(
        &mut self,
        count: usize,
        visit: &mut dyn FnMut(&mut Machine<'p>, Raw) -> bool,
    ) -> bool {
        let head = self.pc;
        let (Op::Choose(first) | Op::Param { choice: first, .. }) = self.p.code[head] else {
            return true;
        };
        let start = self.part_words.len();
        let mut met = 0;
        let going = self.offer_from(head..head + count, &mut |machine| {
            met += 1;
            if met > ANSWERS_MAX && machine.probing == 0 {
                machine.too_many_answers(first);
                return false;
            }
            visit(
                machine,
                Raw {
                    kind: AnswerKind::Together,
                    value: 0,
                    start: start as u32,
                    len: count as u32,
                },
            )
        });
        self.part_words.truncate(start);
        going
    }

    /// Chooses at each of these instructions; the words chosen lie on `part_words` when `visit` is called at the first one.
    fn offer_from(
        &mut self,
        pcs: std::ops::Range<usize>,
        visit: &mut dyn FnMut(&mut Machine<'p>) -> bool,
    ) -> bool {
        let at = self.pc;
        let (Op::Choose(choice) | Op::Param { choice, .. }, Some(local)) =
            (self.p.code[at], self.chosen_at(at))
        else {
            return true;
        };
        self.offer_choice(choice, &mut |machine, raw| {
            let len = machine.part_words.len();
            machine.part_words.push(raw.value);
            let going = if at + 1 == pcs.end {
                machine.pc = pcs.start;
                visit(machine)
            } else {
                machine.m[local] = raw.value;
                machine.pc = at + 1;
                machine.offer_from(pcs.clone(), visit)
            };
            machine.pc = at;
            machine.part_words.truncate(len);
            going
        })
    }

    /// Looks ahead from an answer to several questions, standing at the last of them.
    pub(super) fn outcome_together(&mut self, raw: Raw) -> Outcome {
        let head = self.pc;
        let (start, count) = (raw.start as usize, raw.len as usize);
        let kept = self.part_words.len();
        for at in 0..count - 1 {
            if let Some(local) = self.chosen_at(head + at) {
                let before = std::mem::replace(&mut self.m[local], self.part_words[start + at]);
                self.part_words.push(before);
            }
        }
        self.pc = head + count - 1;
        let last = self.part_words[start + count - 1];
        let outcome = self.outcome(Raw::new(AnswerKind::Element, last));
        self.pc = head;
        for at in 0..count - 1 {
            if let Some(local) = self.chosen_at(head + at) {
                self.m[local] = self.part_words[kept + at];
            }
        }
        self.part_words.truncate(kept);
        outcome
    }

    /// Answers several questions; the machine then stands behind the last of them.
    pub(super) fn apply_together(&mut self, raw: Raw) {
        for at in raw.start as usize..(raw.start + raw.len) as usize {
            if let Some(local) = self.chosen_at(self.pc) {
                self.choose_element(local, self.part_words[at]);
            }
            self.pc += 1;
        }
    }

    /// Listing the answers may have left another candidate there.
    pub(super) fn choose_element(&mut self, local: usize, value: i32) {
        self.m[local] = 0;
        self.set(local, value);
    }
}
