//! What happened in a game, in order: answers, answers that were the only one, and what chance decided.

use crate::machine::{Answer, Fault, Machine, Stop};
use crate::program::header;
use crate::words::Words;
use std::collections::BTreeMap;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Answers before it.
    pub(crate) count: u32,
    pub kind: ItemKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemKind {
    Answer {
        seat: u32,
        answer: Answer,
        text: String,
        /// It was the only one.
        forced: bool,
    },
    Chance {
        stream: u32,
        outcome: Vec<i32>,
    },
}

/// How far an answer led.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reached {
    Decision,
    Over,
    /// A dead end: the machine stands where so many answers had been given.
    Back(u32),
}

/// Answers given so far, those that answered themselves included.
pub(crate) fn answers(machine: &Machine<'_>) -> u32 {
    machine.word(header::ANSWERS as u32) as u32
}

/// Makes the machine stop at every decision and keep what chance decides.
pub(crate) fn prepare(machine: &mut Machine<'_>) {
    machine.stops_from = 0;
    machine.set_recording(true);
}

/// How an answer offered now is written; equal ones are numbered, among all that are offered.
pub(crate) fn text(words: &Words<'_>, machine: &mut Machine<'_>, at: usize) -> String {
    let answer = machine.answers().get(at);
    let text = words.answer(machine, &answer);
    if !words.may_be_called_as_another(machine, &answer, &text) {
        return text;
    }
    let offered = machine.all_answers();
    let at = offered.position(&answer).unwrap_or(0);
    let same = |other: &usize| words.answer(machine, &offered.get(*other)) == text;
    let before = (0..at).filter(same).count();
    numbered(text, before)
}

/// All answers offered now as they are written.
pub(crate) fn texts(words: &Words<'_>, machine: &Machine<'_>) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let plain = words.answers(machine);
    plain
        .into_iter()
        .map(|text| {
            let before = seen.entry(text.clone()).or_default();
            *before += 1;
            numbered(text, *before - 1)
        })
        .collect()
}

fn numbered(text: String, before: usize) -> String {
    match before {
        0 => text,
        before => format!("{text} #{}", before + 1),
    }
}

/// Forgets what came behind the decision at which so many answers had been given.
pub(crate) fn rewind(items: &mut Vec<Item>, count: u32) {
    items.retain(|item| match item.kind {
        ItemKind::Answer { .. } => item.count < count,
        ItemKind::Chance { .. } => item.count <= count,
    });
}

/// Answers with number `at` and notes it; then takes all decisions that have one answer.
///
/// # Errors
/// A fault of the rules; the items up to it are noted.
pub(crate) fn answer(
    words: &Words<'_>,
    machine: &mut Machine<'_>,
    at: usize,
    items: &mut Vec<Item>,
) -> Result<Reached, Fault> {
    let count = answers(machine);
    items.push(Item {
        count,
        kind: ItemKind::Answer {
            seat: machine.seat(),
            answer: machine.answers().get(at),
            text: text(words, machine, at),
            forced: false,
        },
    });
    let stop = machine.answer(at);
    go_on(words, machine, stop, Some(count), items)
}

/// Goes on from where the game was set up or an answer led, through decisions with one answer. `before`: answers before it.
pub(crate) fn go_on(
    words: &Words<'_>,
    machine: &mut Machine<'_>,
    mut stop: Result<Stop, Fault>,
    mut before: Option<u32>,
    items: &mut Vec<Item>,
) -> Result<Reached, Fault> {
    loop {
        let now = answers(machine);
        let chance = machine.take_chance();
        machine.take_resolved();
        if stop.is_ok() && before.is_some_and(|before| now <= before) {
            return Ok(Reached::Back(now));
        }
        items.extend(chance.into_iter().map(|(stream, outcome)| Item {
            count: now,
            kind: ItemKind::Chance { stream, outcome },
        }));
        match stop? {
            Stop::Over => return Ok(Reached::Over),
            _ if machine.answers().len() > 1 => return Ok(Reached::Decision),
            _ => {}
        }
        if machine.answers().len() == 1 {
            items.push(Item {
                count: now,
                kind: ItemKind::Answer {
                    seat: machine.seat(),
                    answer: machine.answers().get(0),
                    text: text(words, machine, 0),
                    forced: true,
                },
            });
            before = Some(now);
        } else {
            // Nothing to answer: the rules go another way, or back.
            before = now.checked_sub(1);
        }
        stop = machine.resolve_held();
    }
}
