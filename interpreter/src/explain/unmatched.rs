//! What is written is none of the candidates: what was meant, and which conditions that does not meet.

use super::parts::{count_in, kinds_of, put};
use super::{Explain, NAMED_MAX};
use crate::machine::{Answer, Machine, Witness};
use crate::program::*;
use crate::words::{Refusal, RefusalKind, print};
use dsl::diagnostic::suggest::nearest;
use dsl::ir::{self, Ty};
use dsl::source::Span;

impl Explain<'_> {
    /// What is written is none of the candidates: the conditions it does not meet, if it could be meant at all.
    pub(super) fn unmatched(
        &mut self,
        machine: &mut Machine<'_>,
        written: &ir::Answer,
    ) -> Option<Vec<Refusal>> {
        machine.ahead(|machine| {
            if !machine.enter_question() {
                return Some(self.last(machine));
            }
            match machine.program().code[machine.pc] {
                Op::Choose(choice) | Op::Param { choice, .. } => {
                    if machine.part_zone(choice).is_some() {
                        self.unmatched_part(machine, choice, written)
                    } else {
                        self.unmatched_element(machine, choice, written)
                    }
                }
                Op::AgendaPick { .. } if is_done(written) => Some(self.musts(machine)),
                Op::WalkPick { .. } => self
                    .refused_step(machine, written)
                    .or_else(|| self.closed_anytime(machine, written)),
                _ => self.closed_anytime(machine, written),
            }
        })
    }

    fn unmatched_element(
        &mut self,
        machine: &mut Machine<'_>,
        choice: u32,
        written: &ir::Answer,
    ) -> Option<Vec<Refusal>> {
        let ty = self.words.question_ty(machine)?;
        let elements = machine.source_elements(choice);
        let meant = elements
            .into_iter()
            .find(|value| self.words.means(machine, &ty, *value, written));
        if let Some(value) = meant {
            let witnesses = machine.unmet_conditions(choice, &[value]);
            if !witnesses.is_empty() {
                return Some(self.all_of(&witnesses));
            }
        }
        self.elsewhere(machine, choice, &ty, written)
    }

    /// An element of the right kind that is not in the source at all.
    fn elsewhere(
        &self,
        machine: &mut Machine<'_>,
        choice: u32,
        ty: &Ty,
        written: &ir::Answer,
    ) -> Option<Vec<Refusal>> {
        let Ty::Element(domain) = ty.required() else {
            return None;
        };
        let exists = (0..self.words.size(*domain))
            .any(|value| self.words.means(machine, ty, value, written));
        let op = &machine.program().choices[choice as usize];
        exists.then(|| {
            let source = self.source_text(op.span);
            let sentence = match source {
                Some(text) => format!("`{}` is not among `{text}`", print(written)),
                None => format!("`{}` is not there to be chosen", print(written)),
            };
            vec![self.plain(RefusalKind::Where, &op.name, op.span, sentence)]
        })
    }

    /// What a choice chooses from, as written.
    fn source_text(&self, span: Span) -> Option<String> {
        let text = self.words.slice(span)?;
        let (_, after) = text.split_once(" in ")?;
        let end = after.find(" where ").unwrap_or(after.len());
        let text: Vec<&str> = after[..end].split_whitespace().collect();
        Some(text.join(" "))
    }

    fn unmatched_part(
        &mut self,
        machine: &mut Machine<'_>,
        choice: u32,
        written: &ir::Answer,
    ) -> Option<Vec<Refusal>> {
        let (zone, shape) = machine.part_zone(choice)?;
        let ty = self.words.question_ty(machine)?;
        let element = ty.required().element()?;
        let pieces = pieces_of(written)?;
        let held = machine.held(zone);
        let op = &machine.program().choices[choice as usize];
        let mut words = vec![0; shape.words()];
        for (one, count) in &pieces {
            let kinds = kinds_of(shape);
            let kind = kinds
                .into_iter()
                .find(|kind| self.words.means(machine, &element, *kind, one))?;
            put(&mut words, shape, kind, *count);
        }
        let missing = self.missing(&held, shape, &words);
        if let Some((needed, found)) = missing {
            let sentence = format!(
                "`{}` is not there: {}",
                print(written),
                self.words.value(&ty, &held)
            );
            let mut refusal = self.plain(RefusalKind::Missing, &op.name, op.span, sentence);
            refusal.needed = Some(needed);
            refusal.found = Some(found);
            return Some(vec![refusal]);
        }
        let witnesses = machine.unmet_conditions(choice, &words);
        if witnesses.is_empty() {
            return None;
        }
        Some(self.all_of(&witnesses))
    }

    /// A kind of which the zone holds less than is wanted.
    fn missing(&self, zone: &crate::words::Held, shape: Shape, part: &[i32]) -> Option<(i32, i32)> {
        kinds_of(shape).into_iter().find_map(|kind| {
            let needed = count_in(part, shape, kind);
            let found = count_in(&zone.words, zone.shape, kind);
            (needed > found).then_some((needed, found))
        })
    }

    /// The step of a walk that is written, if its `where` forbids it.
    pub(super) fn refused_step(
        &self,
        machine: &mut Machine<'_>,
        written: &ir::Answer,
    ) -> Option<Vec<Refusal>> {
        let refused = machine.refused_steps().into_iter();
        let meant: Vec<Witness> = refused
            .filter(|(step, _)| self.words.matches(machine, step, written).is_some())
            .map(|(_, witness)| witness)
            .collect();
        let mut reasons = self.all_of(&meant);
        reasons.dedup();
        (!reasons.is_empty()).then_some(reasons)
    }

    pub(super) fn musts(&self, machine: &mut Machine<'_>) -> Vec<Refusal> {
        let musts = machine.musts();
        let mut names: Vec<String> = musts.iter().map(|w| print(&self.words.entry(w))).collect();
        names.dedup();
        let span = machine.position().1;
        let sentence = format!("still to be done: {}", names.join(", "));
        vec![self.plain(RefusalKind::NoAnswer, "done", span, sentence)]
    }

    /// An anytime action that is not for now.
    pub(super) fn closed_anytime(
        &self,
        machine: &mut Machine<'_>,
        written: &ir::Answer,
    ) -> Option<Vec<Refusal>> {
        let head = head_of(written)?;
        let anytime = &machine.program().anytime;
        let at = anytime.iter().position(|a| a.2 == head)?;
        if machine.anytime_open(at) {
            return None;
        }
        Some(vec![self.closed(machine, at)])
    }

    pub(super) fn closed(&self, machine: &Machine<'_>, at: usize) -> Refusal {
        let (proc, during, name) = &machine.program().anytime[at];
        let span = machine.program().procs[proc.at()].span;
        let sentence = match during {
            Some(label) if !machine.anytime_is_running(at) => format!(
                "`{name}` is possible only during your own {}",
                self.words.rules.labels[label.index()].name
            ),
            _ => format!("`{name}` is running"),
        };
        self.plain(RefusalKind::NotAsked, name, span, sentence)
    }

    pub(super) fn not_asked(
        &self,
        machine: &mut Machine<'_>,
        written: &ir::Answer,
        candidates: &[Answer],
    ) -> Refusal {
        let spelled: Vec<ir::Answer> = candidates
            .iter()
            .map(|candidate| self.words.spell(machine, candidate))
            .collect();
        let names: Vec<String> = spelled.iter().map(print).collect();
        let span = machine.position().1;
        let mut sentence = format!("`{}` is no answer here", print(written));
        let question = self.words.question(machine);
        if !question.is_empty() {
            sentence.push_str(&format!(": {question}"));
        }
        let plain: Vec<String> = spelled.iter().map(|s| print(s).replace('"', "")).collect();
        let meant = head_of(written).unwrap_or_default();
        let mut kind = RefusalKind::NotAsked;
        if let Some(near) = nearest(&meant, plain.iter().map(String::as_str)) {
            kind = RefusalKind::Nearly;
            sentence.push_str(&format!("; did you mean `{near}`?"));
        } else if !names.is_empty() {
            let shown: Vec<&str> = names.iter().take(NAMED_MAX).map(String::as_str).collect();
            let more = if names.len() > shown.len() {
                ", …"
            } else {
                ""
            };
            sentence.push_str(&format!(" ({}{more})", shown.join(", ")));
        }
        self.plain(kind, &meant, span, sentence)
    }

    pub(super) fn no_answer(&self, machine: &Machine<'_>) -> Refusal {
        let span = machine.position().1;
        let name = self
            .words
            .choice_at(machine)
            .map_or(String::new(), |choice| choice.name.clone());
        let sentence = if name.is_empty() {
            "nothing can be done then".to_owned()
        } else {
            format!("nothing can be chosen for `{name}`")
        };
        self.plain(RefusalKind::NoAnswer, &name, span, sentence)
    }
}

fn is_done(answer: &ir::Answer) -> bool {
    matches!(&answer.kind, ir::AnswerKind::Word(text) if text == "done")
}

fn head_of(answer: &ir::Answer) -> Option<String> {
    match &answer.kind {
        ir::AnswerKind::Word(text) | ir::AnswerKind::Call(text, _) => Some(text.clone()),
        ir::AnswerKind::Number(n) => Some(n.to_string()),
        _ => None,
    }
}

/// A set or bag as it is written.
fn pieces_of(answer: &ir::Answer) -> Option<Vec<(ir::Answer, i32)>> {
    let one = |answer: &ir::Answer| (answer.clone(), 1);
    Some(match &answer.kind {
        ir::AnswerKind::Set(items) | ir::AnswerKind::List(items) => items.iter().map(one).collect(),
        ir::AnswerKind::Bag(items) => items
            .iter()
            .map(|(kind, count)| (kind.clone(), i32::try_from(*count).unwrap_or(i32::MAX)))
            .collect(),
        ir::AnswerKind::Word(_) | ir::AnswerKind::Number(_) => vec![one(answer)],
        ir::AnswerKind::Call(..) => return None,
    })
}
