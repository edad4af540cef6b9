//! Reading answers: what is written is matched with what is offered, here and nowhere else, whether it is answered, expected or
//! expected not to be possible.
//!
//! What resolves itself may be written or left out. Which of both is meant is decided by the answers alone, never by what is
//! expected: as written, if the answers can be read so.

use super::{Begun, Line, Run, Stopped};
use crate::ask::Eyes;
use crate::bounds::UNTIL_ANSWERS_MAX;
use crate::explain::why_not;
use crate::machine::{AnswerKind, Stop};
use crate::program::header;
use crate::words::{Matched, Refusal, print};
use dsl::ir::{Answer, Answers};
use dsl::source::Span;
use std::collections::VecDeque;

/// Decisions in a row that resolve themselves.
const RESOLVED_MAX: usize = 1_000;
/// Readings of one line that are tried.
const READINGS_MAX: u32 = 64;

/// A row of answers, and how far it has been answered.
#[derive(Clone)]
pub(super) struct Row {
    /// What is left of the answer that is being given: the arguments of a call.
    parts: VecDeque<Answer>,
    rest: VecDeque<Answer>,
    /// Whole answers that are done.
    done: usize,
    /// The first one is meant for the decision at which the game stands, even if that resolves itself.
    here: bool,
    /// What was answered last was the only way of what was named.
    by_name: bool,
    /// What the row has answered of what is answered at once, as long as that is not all.
    begun: Vec<Answer>,
}

/// What is left of the answers to what is answered at once.
struct Narrowed {
    left: Vec<usize>,
    /// So many parts were read.
    read: usize,
    /// The last one was for the last question.
    is_whole: bool,
}

/// The answer taken (none: what asks was only named) and what is left; or what is left, its first answer not being offered.
type Read = Result<(Option<usize>, Row), Row>;

impl Row {
    pub fn of(answers: &[Answer]) -> Row {
        let mut row = Row {
            parts: VecDeque::new(),
            rest: answers.iter().cloned().collect(),
            done: 0,
            here: false,
            by_name: false,
            begun: Vec::new(),
        };
        row.begin();
        row
    }

    /// A row whose first answer is meant for the decision at which the game stands.
    pub fn at(answers: &[Answer], here: bool) -> Row {
        Row {
            here,
            ..Row::of(answers)
        }
    }

    /// The next whole answer, if the last one is through.
    fn begin(&mut self) {
        if self.parts.is_empty() {
            self.parts.extend(self.rest.pop_front());
        }
    }

    pub fn is_done(&self) -> bool {
        self.parts.is_empty()
    }

    pub fn span(&self, otherwise: Span) -> Span {
        self.parts.front().map_or(otherwise, |answer| answer.span)
    }

    /// What is left when the first part has answered so.
    fn after(&self, matched: Matched) -> Row {
        let mut next = self.clone();
        (next.here, next.by_name) = (false, false);
        next.parts.pop_front();
        next.done += 1;
        if let Matched::Head(args) = matched {
            args.into_iter()
                .rev()
                .for_each(|arg| next.parts.push_front(arg));
        }
        next.begin();
        next
    }
}

impl Run<'_> {
    /// Plays one line of a case.
    pub(super) fn line(
        &mut self,
        line: &Answers,
        until: &[super::plan::Part],
    ) -> Result<(), Stopped> {
        let Some((last, head)) = line.answers.split_last() else {
            return Ok(());
        };
        match line.seat {
            Some(seat) if line.until.is_none() => self.row(seat, Row::of(&line.answers)),
            Some(seat) => {
                self.row(seat, Row::of(head))?;
                self.until(Some(seat), last, until)
            }
            None => self.until(None, last, until),
        }
    }

    pub(super) fn row(&mut self, seat: u32, row: Row) -> Result<(), Stopped> {
        let mut left = READINGS_MAX;
        let played = self.play(seat, row, &mut left);
        played.map_err(|(_, stopped)| stopped)
    }

    /// An answer again and again until a condition holds; what has one answer beside anytime actions is left to itself.
    fn until(
        &mut self,
        seat: Option<u32>,
        answer: &Answer,
        until: &[super::plan::Part],
    ) -> Result<(), Stopped> {
        let span = answer.span;
        for _ in 0..UNTIL_ANSWERS_MAX {
            while self.resolves_itself() {
                self.resolve(span)?;
            }
            let Err(missing) = self.parts_hold(until) else {
                return Ok(());
            };
            if self.machine.is_over() {
                let message = format!("the game is over before this holds: {}", missing.message);
                return Err(Stopped { message, ..missing });
            }
            let asked = self.machine.seat();
            if seat.is_some_and(|seat| seat != asked) {
                let stopped = self.other_seat(seat.unwrap_or(asked), answer);
                let message = format!("{}; until then: {}", stopped.message, missing.message);
                return Err(Stopped { message, ..stopped });
            }
            let row = Row::of(std::slice::from_ref(answer));
            match self.read(&row) {
                Ok(_) => self.row(asked, row)?,
                Err(row) => {
                    let Some(only) = self.only_own() else {
                        return Err(self.cannot(asked, &row).1);
                    };
                    self.take(only, span)?;
                }
            }
        }
        Err(Stopped::at(
            span,
            format!("after {UNTIL_ANSWERS_MAX} answers this does not hold yet"),
        ))
    }

    /// The one answer there is beside anytime actions.
    fn only_own(&self) -> Option<usize> {
        let answers = self.machine.answers();
        let mut own = (0..answers.len()).filter(|at| answers.kind(*at) != AnswerKind::Anytime);
        own.next().filter(|_| own.next().is_none())
    }

    /// Plays a row; on failure says how far it came.
    fn play(&mut self, seat: u32, mut row: Row, left: &mut u32) -> Result<(), (usize, Stopped)> {
        // Where an answer that was the only one was not meant, but something of its kind.
        let mut skipped: Option<(usize, Stopped)> = None;
        for _ in 0..RESOLVED_MAX {
            let done = row.done;
            let failed = |stopped| (done, stopped);
            let Some(written) = row.parts.front().cloned() else {
                return self.is_meant().map_err(failed);
            };
            let span = written.span;
            if self.machine.is_over() {
                let message = format!("the game is over: `{}` is not asked", print(&written));
                return Err(failed(Stopped::at(span, message)));
            }
            let resolves = self.resolves_itself() && !row.here;
            if self.machine.seat() != seat {
                if !resolves {
                    let other = self.other_seat(seat, &written);
                    return Err(failed(where_meant(skipped, done, other)));
                }
                self.resolve(span).map_err(failed)?;
                continue;
            }
            if done == 0 {
                let here = self.machine.fp;
                self.depth = Some(self.depth.map_or(here, |depth| depth.min(here)));
            }
            match self.read(&row) {
                Ok((None, next)) => {
                    self.open = Some(Begun {
                        decision: self.decision(),
                        chosen: next.begun.clone(),
                    });
                    row = next;
                }
                Ok((Some(at), next)) if !resolves || *left == 0 => {
                    self.take(at, span).map_err(failed)?;
                    row = next;
                }
                Ok((Some(at), next)) => return self.two_readings(seat, (row, next), at, left),
                Err(refused) if !resolves => {
                    let now = self.cannot(seat, &refused).1;
                    return Err(failed(where_meant(skipped, done, now)));
                }
                Err(refused) => match self.resolve_unless_refused(seat, &refused) {
                    Err(now) => return Err(failed(where_meant(skipped, done, now))),
                    Ok((true, refused)) if skipped.as_ref().is_none_or(|(at, _)| *at != done) => {
                        skipped = Some((done, refused));
                    }
                    Ok(_) => {}
                },
            }
        }
        let endless = Stopped::endless(row.span(self.scenario.span));
        Err((row.done, where_meant(skipped, row.done, endless)))
    }

    /// All is read: this reading is taken, unless it is to be passed over.
    fn is_meant(&mut self) -> Result<(), Stopped> {
        match self.passed_over.checked_sub(1) {
            None => Ok(()),
            Some(more) => {
                self.passed_over = more;
                let message = "the answers can be read in no other way";
                Err(Stopped::at(self.scenario.span, message))
            }
        }
    }

    /// The one answer there is, is written: it may be meant, or it may resolve itself and a later one be meant.
    fn two_readings(
        &mut self,
        seat: u32,
        (left_out, written): (Row, Row),
        at: usize,
        left: &mut u32,
    ) -> Result<(), (usize, Stopped)> {
        let span = left_out.span(self.scenario.span);
        *left -= 1;
        self.note();
        let log = self.log.len();
        let stand = self.stand_here();
        // Where there is no choice a name alone rather begins something later.
        let order = if written.by_name { [1, 0] } else { [0, 1] };
        let rows = [written, left_out];
        let mut failure: Option<(usize, Stopped)> = None;
        for (attempt, which) in order.into_iter().enumerate() {
            if attempt > 0 {
                self.note();
                self.log.truncate(log);
                let back = self.go_to(&stand, span);
                back.map_err(|stopped| (0, stopped))?;
            }
            let row = rows[which].clone();
            let done = row.done;
            let taken = match which {
                0 => self.take(at, span),
                _ => self.resolve(span),
            };
            let result = match taken {
                Ok(_) => self.play(seat, row, left),
                Err(stopped) => Err((done, stopped)),
            };
            match result {
                Ok(()) => {
                    self.ambiguous = true;
                    return Ok(());
                }
                Err(new) => {
                    if failure.as_ref().is_none_or(|old| new.0 > old.0) {
                        failure = Some(new);
                    }
                }
            }
        }
        failure.map_or(Ok(()), Err)
    }

    /// One answer, another one is written: it resolves itself, unless nobody could then mean what is written.
    /// Gives back why what is written was refused here, as [`Run::cannot`].
    fn resolve_unless_refused(&mut self, seat: u32, row: &Row) -> Result<(bool, Stopped), Stopped> {
        let refused = self.cannot(seat, row);
        let before = self.machine.seat();
        self.resolve(row.span(self.scenario.span))?;
        let others = self.machine.is_over() || self.machine.seat() != before;
        if others && self.machine.answers().len() != 1 {
            return Err(refused.1);
        }
        Ok(refused)
    }

    /// What the first part of a row means where the game stands.
    ///
    /// It is one of the answers offered, or the name of what asks, and then one of its ways must be open: the next part says
    /// which, or it is the only one.
    pub(super) fn read(&self, row: &Row) -> Read {
        let Some(written) = row.parts.front() else {
            return Err(row.clone());
        };
        let all: Vec<usize> = (0..self.machine.answers().len()).collect();
        let begun = self.begun().is_some();
        let ways = if begun { self.ways() } else { all };
        if let Some((at, matched)) = self.offered(&ways, written) {
            return Ok((Some(at), row.after(matched)));
        }
        if let Some(read) = self.at_once(row) {
            return read;
        }
        let named = self.words.names_asker(&self.machine, written);
        let Some(args) = named.filter(|_| !begun) else {
            return Err(row.clone());
        };
        let ways = self.ways();
        if ways.is_empty() {
            return Err(row.clone());
        }
        let is_alone = args.is_empty();
        let mut next = row.after(Matched::Head(args));
        let said = next
            .parts
            .front()
            .and_then(|part| self.offered(&ways, part));
        if let (None, Some(read)) = (&said, self.at_once(&next)) {
            return read;
        }
        match (said, ways.as_slice()) {
            (Some((at, matched)), _) => Ok((Some(at), next.after(matched))),
            (None, [only]) if is_alone => {
                next.by_name = true;
                Ok((Some(*only), next))
            }
            (None, _) if is_alone && next.is_done() => Ok((None, next)),
            _ => Err(next),
        }
    }

    /// The answer that is begun where the game stands.
    pub(super) fn begun(&self) -> Option<&Begun> {
        let decision = self.decision();
        self.open.as_ref().filter(|open| open.decision == decision)
    }

    /// Parts of a row, one for each question, read as one answer to what is answered at once; none if they do not begin one.
    fn at_once(&self, row: &Row) -> Option<Read> {
        let before = self.begun().map_or(&[][..], |begun| &begun.chosen);
        let written = before.iter().chain(&row.parts).chain(&row.rest);
        let narrowed = self.narrowed(&written.cloned().collect::<Vec<_>>())?;
        let read = narrowed.read.checked_sub(before.len()).filter(|n| *n > 0)?;
        let mut next = row.clone();
        next.begun = before.to_vec();
        for _ in 0..read {
            next.begun.extend(next.parts.front().cloned());
            next = next.after(Matched::Whole);
        }
        Some(match (narrowed.is_whole, &narrowed.left[..]) {
            (true, left) => Ok((left.first().copied(), next)),
            // What else is written is read when the one that is left has been given.
            (false, [_]) => Ok((None, next)),
            (false, _) if next.is_done() => Ok((None, next)),
            (false, _) => Err(row.clone()),
        })
    }

    /// The answers to what is answered at once that these parts leave, one part for each question. What has but one answer
    /// may be left out.
    fn narrowed(&self, written: &[Answer]) -> Option<Narrowed> {
        let answers = self.machine.answers();
        let together = |at: &usize| answers.kind(*at) == AnswerKind::Together;
        let mut left: Vec<usize> = (0..answers.len()).filter(together).collect();
        let count = answers.words(*left.first()?).len();
        let (mut read, mut is_whole) = (0, false);
        for place in 0..count {
            let meant = |at: &usize| {
                let chosen = (place, answers.words(*at));
                let means = |one| self.words.means_chosen(&self.machine, chosen, one);
                written.get(read).is_some_and(means)
            };
            let found: Vec<usize> = left.iter().copied().filter(meant).collect();
            is_whole = !found.is_empty();
            if is_whole {
                left = found;
                read += 1;
                continue;
            }
            let word = |at: &usize| answers.words(*at)[place];
            if left.iter().any(|at| word(at) != word(&left[0])) {
                break;
            }
        }
        Some(Narrowed {
            left,
            read,
            is_whole,
        })
    }

    /// The one answer that what is begun leaves.
    fn only_begun(&self) -> Option<usize> {
        let narrowed = self.narrowed(&self.begun()?.chosen)?;
        match narrowed.left[..] {
            [only] if narrowed.read > 0 => Some(only),
            _ => None,
        }
    }

    /// Answers that do what is asked: neither declining nor an anytime action.
    fn ways(&self) -> Vec<usize> {
        let answers = self.machine.answers();
        let own = |at: &usize| {
            !matches!(
                answers.kind(*at),
                AnswerKind::Anytime | AnswerKind::Done | AnswerKind::Go
            )
        };
        (0..answers.len()).filter(own).collect()
    }

    /// The first of these answers that something written means; one that it means as a whole comes first.
    fn offered(&self, ways: &[usize], written: &Answer) -> Option<(usize, Matched)> {
        let answers = self.machine.answers();
        let matches = ways.iter().filter_map(|at| {
            let matched = self
                .words
                .matches(&self.machine, &answers.get(*at), written)?;
            Some((*at, matched))
        });
        matches.min_by_key(|(_, matched)| *matched != Matched::Whole)
    }

    /// Which decision the game stands at.
    fn decision(&self) -> i32 {
        self.machine.word(header::ANSWERS as u32)
    }

    pub(super) fn take(&mut self, at: usize, span: Span) -> Result<Stop, Stopped> {
        self.note_answer(at);
        self.gave = false;
        let stop = self.machine.answer(at);
        stop.map_err(|fault| self.fault(&fault, span))
    }

    fn note_answer(&mut self, at: usize) {
        self.note();
        let answer = self.machine.answers().get(at);
        let text = self.words.answer(&self.machine, &answer);
        self.log
            .push(Line::Answer(self.machine.seat() as i32, text));
    }

    pub(super) fn resolves_itself(&self) -> bool {
        !self.machine.is_over()
            && (self.machine.answers().len() <= 1 || self.only_begun().is_some())
    }

    /// Goes on where there is one answer or none.
    pub(super) fn resolve(&mut self, span: Span) -> Result<Stop, Stopped> {
        if let Some(only) = self.only_begun() {
            return self.take(only, span);
        }
        if self.machine.answers().len() == 1 {
            self.note_answer(0);
        }
        let stop = self.machine.resolve_held();
        stop.map_err(|fault| self.fault(&fault, span))
    }

    /// "B is asked (what do you do?), not A: `x`"
    pub(super) fn other_seat(&mut self, seat: u32, written: &Answer) -> Stopped {
        let message = format!(
            "{}, not {}: `{}`",
            self.who_is_asked(),
            self.words.seat(seat as i32),
            print(written)
        );
        Stopped {
            shown: vec![self.what_is_offered()],
            ..Stopped::at(written.span, message)
        }
    }

    /// "A is asked (what do you do?)"
    pub(super) fn who_is_asked(&mut self) -> String {
        if self.machine.is_over() {
            return "the game is over".into();
        }
        let seat = self.words.seat(self.machine.seat() as i32);
        match self.words.question(&mut self.machine) {
            question if question.is_empty() => format!("{seat} is asked"),
            question => format!("{seat} is asked ({question})"),
        }
    }

    pub(super) fn what_is_offered(&self) -> String {
        match self.words.answers(&self.machine) {
            none if none.is_empty() => "nothing is offered".to_owned(),
            answers => format!("offered: {}", answers.join(", ")),
        }
    }

    /// "A cannot answer `x`: reasons", and whether it could be meant where the game stands.
    pub(super) fn cannot(&mut self, seat: u32, row: &Row) -> (bool, Stopped) {
        let parts = self.written(row);
        let shown = vec![self.what_is_offered()];
        let reasons = why_not(&self.words, &mut self.machine, &parts, Eyes::Open);
        let meant = reasons.iter().any(Refusal::is_meant);
        let text: Vec<String> = reasons
            .iter()
            .take(3)
            .map(|reason| self.words.full(reason))
            .collect();
        let written: Vec<String> = parts.iter().map(print).collect();
        let message = format!(
            "{} cannot answer `{}`: {}",
            self.words.seat(seat as i32),
            written.join("; "),
            if text.is_empty() {
                "it is no answer to what is asked".to_owned()
            } else {
                text.join("; ")
            }
        );
        let stopped = Stopped {
            shown,
            refused: Some(reasons),
            ..Stopped::at(row.span(self.scenario.span), message)
        };
        (meant, stopped)
    }
}

impl Run<'_> {
    /// What is left of the answer that is being given; of what is answered at once all of it.
    fn written(&self, row: &Row) -> Vec<Answer> {
        let asked = self.words.choices_at(&self.machine).len();
        let begun = self.begun().map_or(&[][..], |begun| &begun.chosen);
        let parts: Vec<Answer> = begun.iter().chain(&row.parts).cloned().collect();
        let missing = if asked > 1 {
            asked.saturating_sub(parts.len())
        } else {
            0
        };
        parts
            .into_iter()
            .chain(row.rest.iter().take(missing).cloned())
            .collect()
    }
}

/// Where an answer was refused first is where it was meant; a fault of the rules is one wherever it is.
fn where_meant(skipped: Option<(usize, Stopped)>, done: usize, now: Stopped) -> Stopped {
    match skipped {
        Some((at, first)) if at == done && now.at.is_none() => first,
        _ => now,
    }
}
