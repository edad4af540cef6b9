//! Why an answer is not offered: the requirements it does not meet, in the order of the rules.

use crate::machine::{Answer, AnswerKind, Machine, Outcome, Stop, Witness};
use crate::program::*;
use crate::words::{Matched, Refusal, RefusalKind, Words, print};
use dsl::diagnostic::suggest::nearest;
use dsl::ir::{self, Domain, Ty};
use dsl::source::Span;
use std::collections::VecDeque;

/// Answers one explanation may try.
const TRIES_MAX: u32 = 4_000;
/// Decisions an explanation looks behind.
const DEPTH_MAX: u32 = 6;
/// Answers named when another one was written.
const NAMED_MAX: usize = 4;
/// Decisions of one answer that resolve themselves.
const RESOLVED_MAX: u32 = 64;

/// Something that is not offered, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// As it would be written.
    pub answer: ir::Answer,
    pub reasons: Vec<Refusal>,
}

/// Every requirement that keeps an answer from being offered where the machine stands; none: it is possible.
/// The answer may be a call whose arguments answer the questions that follow. The machine stays as it is.
pub fn why_not(words: &Words<'_>, machine: &mut Machine<'_>, answer: &ir::Answer) -> Vec<Refusal> {
    let mut explain = Explain {
        words: *words,
        left: TRIES_MAX,
    };
    watched(machine, |machine| {
        explain.follow(machine, VecDeque::from([answer.clone()]))
    })
}

/// Everything in the decision's reach that is not offered: rows of a choice's source, menu items, entries, anytime actions.
pub fn all_refused(words: &Words<'_>, machine: &mut Machine<'_>) -> Vec<Refused> {
    let mut explain = Explain {
        words: *words,
        left: TRIES_MAX,
    };
    watched(machine, |machine| explain.all(machine))
}

fn watched<T>(machine: &mut Machine<'_>, run: impl FnOnce(&mut Machine<'_>) -> T) -> T {
    machine.watch_refusals(true);
    let result = machine.ahead(run);
    machine.watch_refusals(false);
    result
}

struct Explain<'a> {
    words: Words<'a>,
    left: u32,
}

/// Reasons with how many ways they close.
type Tally = Vec<(Refusal, u32)>;

impl Explain<'_> {
    /// From a decision through the answers written to the end of what they do.
    fn follow(
        &mut self,
        machine: &mut Machine<'_>,
        mut queue: VecDeque<ir::Answer>,
    ) -> Vec<Refusal> {
        let seat = machine.me;
        for _ in 0..RESOLVED_MAX {
            let Some(written) = queue.pop_front() else {
                return self.at_the_end(machine);
            };
            let candidates = machine.own_candidates(true);
            let matched = candidates.iter().find_map(|candidate| {
                let matched = self.words.matches(machine, candidate, &written)?;
                Some((candidate.clone(), matched))
            });
            let candidate = match matched {
                Some((candidate, matched)) => {
                    if let Matched::Head(args) = matched {
                        for arg in args.into_iter().rev() {
                            queue.push_front(arg);
                        }
                    }
                    candidate
                }
                None => {
                    if let Some(args) = self.words.names_asker(machine, &written) {
                        args.into_iter().rev().for_each(|arg| queue.push_front(arg));
                        continue;
                    }
                    if let Some(reasons) = self.unmatched(machine, &written) {
                        return reasons;
                    }
                    // What resolves itself need not be written.
                    let [only] = candidates.as_slice() else {
                        return vec![self.not_asked(machine, &written, &candidates)];
                    };
                    queue.push_front(written);
                    only.clone()
                }
            };
            machine.take_refusals();
            let failed = !machine.apply_answer(&candidate);
            let stop = if failed { Stop::Fail } else { machine.run_on() };
            match stop {
                Stop::Decision if machine.me == seat => {}
                Stop::Decision if queue.is_empty() => return self.obligations(machine, seat),
                Stop::Done | Stop::Over if queue.is_empty() => return Vec::new(),
                Stop::Fail => return self.last(machine),
                Stop::Fault | Stop::Unknown => return vec![self.unseen(machine)],
                Stop::Decision | Stop::Done | Stop::Over => {
                    let rest = queue.pop_front().unwrap_or(written_nothing());
                    return vec![self.not_asked(machine, &rest, &[])];
                }
            }
        }
        vec![self.unseen(machine)]
    }

    /// All answers are given: whether the seat can go on, and if not why.
    fn at_the_end(&mut self, machine: &mut Machine<'_>) -> Vec<Refusal> {
        if machine.can_go_on() != Outcome::No {
            return Vec::new();
        }
        let tally = self.stuck(machine, 0);
        self.commonest(machine, tally)
    }

    fn commonest(&self, machine: &mut Machine<'_>, tally: Tally) -> Vec<Refusal> {
        if tally.is_empty() {
            return vec![self.unseen(machine)];
        }
        tally.into_iter().map(|(refusal, _)| refusal).collect()
    }

    /// Why no way leads on from a decision of the same seat: each candidate with its first reason, commonest first.
    fn stuck(&mut self, machine: &mut Machine<'_>, depth: u32) -> Tally {
        let mut tally = Tally::new();
        if let Op::Choose(choice) | Op::Param { choice, .. } = machine.program().code[machine.pc] {
            self.tally_conditions(machine, choice, &mut tally);
        }
        for candidate in machine.own_candidates(false) {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            let mut reasons = self.reasons(machine, &candidate, depth).into_iter();
            if let Some(reason) = reasons.next() {
                count(&mut tally, reason, 1);
            }
            for reason in reasons {
                count(&mut tally, reason, 0);
            }
        }
        if tally.is_empty() {
            tally.push((self.no_answer(machine), 1));
        }
        tally.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        tally
    }

    fn tally_conditions(&mut self, machine: &mut Machine<'_>, choice: u32, tally: &mut Tally) {
        if machine.part_zone(choice).is_some() {
            // Too many parts: the condition all of them fail is the reason.
            let op = &machine.program().choices[choice as usize];
            let binder = &machine.program().binders[op.binder.at()];
            let reasons: Vec<ReasonId> = binder.conditions.iter().map(|c| c.1).collect();
            for reason in reasons {
                let unmet = crate::machine::Unmet {
                    reason,
                    needed: None,
                    found: None,
                };
                let message = self.words.program.reasons[reason.at()].message;
                let values = message.map_or_else(Vec::new, |id| machine.message_values(id));
                count(tally, self.words.refusal(&unmet, &values), 1);
            }
            return;
        }
        for value in machine.source_elements(choice) {
            if let Some(first) = machine.unmet_conditions(choice, &[value]).first() {
                count(tally, self.words.refusal(&first.unmet, &first.values), 1);
            }
        }
    }

    /// The reasons why one candidate leads nowhere, commonest first; none if it does lead on.
    fn reasons(
        &mut self,
        machine: &mut Machine<'_>,
        candidate: &Answer,
        depth: u32,
    ) -> Vec<Refusal> {
        let seat = machine.me;
        machine.ahead(|machine| {
            machine.take_refusals();
            let stop = if machine.apply_answer(candidate) {
                machine.run_on()
            } else {
                Stop::Fail
            };
            match stop {
                Stop::Fail => self.last(machine),
                Stop::Decision if machine.me != seat => self.obligations(machine, seat),
                Stop::Decision if depth < DEPTH_MAX && self.left > 0 => {
                    if machine.can_go_on() == Outcome::No {
                        let tally = self.stuck(machine, depth + 1);
                        tally.into_iter().map(|(refusal, _)| refusal).collect()
                    } else {
                        Vec::new()
                    }
                }
                _ => Vec::new(),
            }
        })
    }

    fn last(&self, machine: &mut Machine<'_>) -> Vec<Refusal> {
        let witnesses = machine.take_refusals();
        let last = witnesses.last().cloned();
        let further = last
            .as_ref()
            .map(|last| machine.further_needs(last.unmet.reason));
        let all: Vec<Witness> = last
            .into_iter()
            .chain(further.into_iter().flatten())
            .collect();
        let found = self.all_of(&all);
        if found.is_empty() {
            return vec![self.unseen(machine)];
        }
        found
    }

    /// `always … after` of steps of `seat` that are still running while another seat is asked.
    fn obligations(&self, machine: &mut Machine<'_>, seat: i32) -> Vec<Refusal> {
        machine.take_refusals();
        if machine.open_obligations(seat) {
            return Vec::new();
        }
        self.last(machine)
    }

    // ---------------------------------------------------------------------------------- no candidate

    /// What is written is none of the candidates: the conditions it does not meet, if it could be meant at all.
    fn unmatched(
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

    fn all_of(&self, witnesses: &[Witness]) -> Vec<Refusal> {
        let refusals = witnesses.iter();
        refusals
            .map(|w| self.words.refusal(&w.unmet, &w.values))
            .collect()
    }

    /// An element of the right kind that is not in the source at all.
    fn elsewhere(
        &self,
        machine: &mut Machine<'_>,
        choice: u32,
        ty: &Ty,
        written: &ir::Answer,
    ) -> Option<Vec<Refusal>> {
        let exists = (0..self.size_of(machine, ty)?)
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

    fn size_of(&self, machine: &Machine<'_>, ty: &Ty) -> Option<i32> {
        let Ty::Element(domain) = ty.required() else {
            return None;
        };
        let rules = self.words.rules;
        let tiling = machine.program().tiling.as_ref();
        let size = match domain {
            Domain::Table(id) => rules.tables[id.index()].rows.len(),
            Domain::Enum(id) => rules.enums[id.index()].members.len(),
            Domain::Player => machine.program().players as usize,
            Domain::Cell => tiling?.positions as usize,
            Domain::Side => tiling?.directions as usize,
            Domain::Port => 8,
            Domain::Action => rules.actions.len(),
            Domain::Part(_) | Domain::Int { .. } => return None,
        };
        Some(size as i32)
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
    fn refused_step(
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

    fn musts(&self, machine: &mut Machine<'_>) -> Vec<Refusal> {
        let musts = machine.musts();
        let mut names: Vec<String> = musts.iter().map(|w| print(&self.words.entry(w))).collect();
        names.dedup();
        let span = machine.position().1;
        let sentence = format!("still to be done: {}", names.join(", "));
        vec![self.plain(RefusalKind::NoAnswer, "done", span, sentence)]
    }

    /// An anytime action that is not for now.
    fn closed_anytime(
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

    fn closed(&self, machine: &Machine<'_>, at: usize) -> Refusal {
        let (proc, during, name) = &machine.program().anytime[at];
        let span = machine.program().procs[proc.at()].span;
        let sentence = match during {
            Some(label) => format!(
                "`{name}` is possible only during your own {}",
                self.words.rules.labels[label.index()].name
            ),
            None => format!("`{name}` is running"),
        };
        self.plain(RefusalKind::NotAsked, name, span, sentence)
    }

    fn not_asked(
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
        if let Some(near) = nearest(&meant, plain.iter().map(String::as_str)) {
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
        self.plain(RefusalKind::NotAsked, &meant, span, sentence)
    }

    fn no_answer(&self, machine: &Machine<'_>) -> Refusal {
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

    fn unseen(&self, machine: &Machine<'_>) -> Refusal {
        let sentence = "nobody can go on from there".to_owned();
        self.plain(RefusalKind::NoAnswer, "", machine.position().1, sentence)
    }

    fn plain(&self, kind: RefusalKind, name: &str, span: Span, sentence: String) -> Refusal {
        Refusal {
            kind,
            ids: self
                .words
                .tags(span)
                .into_iter()
                .map(str::to_owned)
                .collect(),
            overlay: self.words.overlay(span).map(str::to_owned),
            span,
            sentence,
            needed: None,
            found: None,
            name: name.to_owned(),
        }
    }

    // ---------------------------------------------------------------------------------- everything

    fn all(&mut self, machine: &mut Machine<'_>) -> Vec<Refused> {
        let offered: Vec<Answer> = {
            let answers = machine.answers();
            (0..answers.len()).map(|at| answers.get(at)).collect()
        };
        let mut found = Vec::new();
        // Those that fail their own conditions.
        let conditions = machine.ahead(|machine| {
            if !machine.enter_question() {
                return Vec::new();
            }
            self.failing_conditions(machine)
        });
        found.extend(conditions);
        for candidate in machine.own_candidates(true) {
            if offered.contains(&candidate) {
                continue;
            }
            let answer = self.words.spell(machine, &candidate);
            let reasons = self.of_candidate(machine, &candidate);
            found.push(Refused { answer, reasons });
        }
        for at in 0..machine.program().anytime.len() {
            if !machine.anytime_open(at) {
                let reasons = vec![self.closed(machine, at)];
                let name = machine.program().anytime[at].2.clone();
                found.push(Refused {
                    answer: word(name),
                    reasons,
                });
            }
        }
        found
    }

    fn failing_conditions(&mut self, machine: &mut Machine<'_>) -> Vec<Refused> {
        let op = machine.program().code[machine.pc];
        if let Op::WalkPick { .. } = op {
            let steps = machine.refused_steps().into_iter();
            return steps
                .map(|(step, witness)| Refused {
                    answer: self.words.spell(machine, &step),
                    reasons: self.all_of(&[witness]),
                })
                .collect();
        }
        let (Op::Choose(choice) | Op::Param { choice, .. }) = op else {
            return Vec::new();
        };
        if machine.part_zone(choice).is_some() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for value in machine.source_elements(choice) {
            let witnesses = machine.unmet_conditions(choice, &[value]);
            if witnesses.is_empty() {
                continue;
            }
            let candidate = Answer {
                kind: AnswerKind::Element,
                value,
                words: Vec::new(),
            };
            found.push(Refused {
                answer: self.words.spell(machine, &candidate),
                reasons: self.all_of(&witnesses),
            });
        }
        found
    }

    /// A candidate that passes its own conditions but is not offered.
    fn of_candidate(&mut self, machine: &mut Machine<'_>, candidate: &Answer) -> Vec<Refusal> {
        let seat = machine.me;
        machine.ahead(|machine| {
            machine.take_refusals();
            let stop = if machine.apply_answer(candidate) {
                machine.run_on()
            } else {
                Stop::Fail
            };
            match stop {
                Stop::Fail => self.last(machine),
                Stop::Decision if machine.me != seat => self.obligations(machine, seat),
                Stop::Decision => {
                    let tally = self.stuck(machine, 1);
                    self.commonest(machine, tally)
                }
                _ => vec![self.unseen(machine)],
            }
        })
    }
}

/// Reasons one explanation keeps.
const REASONS_MAX: usize = 24;

fn count(tally: &mut Tally, refusal: Refusal, ways: u32) {
    let same = |other: &Refusal| {
        other.span == refusal.span
            && other.kind == refusal.kind
            && other.sentence == refusal.sentence
    };
    match tally.iter().position(|(other, _)| same(other)) {
        Some(at) => tally[at].1 += ways,
        None if tally.len() < REASONS_MAX => tally.push((refusal, ways)),
        None => {}
    }
}

fn word(text: String) -> ir::Answer {
    ir::Answer {
        kind: ir::AnswerKind::Word(text),
        span: Span::new(dsl::source::FileId(0), 0, 0),
    }
}

fn written_nothing() -> ir::Answer {
    word("nothing".into())
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

fn kinds_of(shape: Shape) -> Vec<i32> {
    match shape {
        Shape::Set { n, low } | Shape::Bag { n, low } => (low..low + n as i32).collect(),
        _ => Vec::new(),
    }
}

fn put(words: &mut [i32], shape: Shape, kind: i32, count: i32) {
    match shape {
        Shape::Set { low, .. } => {
            let at = (kind - low) as u32;
            words[(at / 32) as usize] |= 1i32.wrapping_shl(at % 32);
        }
        Shape::Bag { low, .. } => words[(kind - low) as usize] += count,
        _ => {}
    }
}

fn count_in(words: &[i32], shape: Shape, kind: i32) -> i32 {
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
