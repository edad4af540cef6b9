//! What happened in a game, in order: answers, answers that were the only one, and what chance decided.

use crate::machine::{Answer, Fault, Machine, Stop};
use crate::program::header;
use crate::state::State;
use crate::words::Words;
use std::collections::BTreeMap;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Answers before it.
    pub(crate) count: u32,
    /// What happened.
    pub kind: ItemKind,
}

/// What is recorded of a game: answers, and what chance decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// Somebody answered.
    Answer {
        /// Who did.
        seat: u32,
        /// What the machine was told.
        answer: Answer,
        /// The same, as it is written.
        text: String,
        /// It was the only one.
        forced: bool,
    },
    /// Chance decided.
    Chance {
        /// Which of the streams.
        stream: u32,
        /// The elements that came, in order.
        outcome: Vec<i32>,
    },
}

/// What is noted of a game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Track {
    pub items: Vec<Item>,
    /// Of each answer that was the only one how it stood before it; none if nobody wants to know.
    pub stands: Option<Vec<Stand>>,
}

/// How it stood before an answer that was the only one.
#[derive(Clone, Debug)]
pub(crate) struct Stand {
    pub state: State,
    /// The instruction whose question it answered.
    pub asked: usize,
}

impl Track {
    /// Also notes how it stands before each answer that is the only one.
    pub fn with_stands() -> Track {
        Track {
            items: Vec::new(),
            stands: Some(Vec::new()),
        }
    }

    fn note_answer(
        &mut self,
        words: &Words<'_>,
        machine: &mut Machine<'_>,
        (at, forced): (usize, bool),
    ) {
        if let Some(stands) = self.stands.as_mut().filter(|_| forced) {
            let mut state = State::new();
            machine.save(&mut state);
            let asked = machine.asked_pc();
            stands.push(Stand { state, asked });
        }
        self.items.push(Item {
            count: answers(machine),
            kind: ItemKind::Answer {
                seat: machine.seat(),
                answer: machine.answers().get(at),
                text: text(words, machine, at),
                forced,
            },
        });
    }

    /// How many of the answers were the only ones.
    pub fn only_answers(&self) -> usize {
        let only = |item: &&Item| matches!(item.kind, ItemKind::Answer { forced: true, .. });
        self.items.iter().filter(only).count()
    }

    /// Forgets what came behind the decision at which so many answers had been given.
    pub fn rewind(&mut self, count: u32) {
        self.items.retain(|item| match item.kind {
            ItemKind::Answer { .. } => item.count < count,
            ItemKind::Chance { .. } => item.count <= count,
        });
        if let Some(stands) = &mut self.stands {
            stands.retain(|stand| stand.state.answers() < count);
        }
    }
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

/// Answers with number `at` and notes it; then takes all decisions that have one answer.
///
/// # Errors
/// A fault of the rules; the items up to it are noted.
pub(crate) fn answer(
    words: &Words<'_>,
    machine: &mut Machine<'_>,
    at: usize,
    track: &mut Track,
) -> Result<Reached, Fault> {
    let count = answers(machine);
    track.note_answer(words, machine, (at, false));
    let stop = machine.answer(at);
    go_on(words, machine, stop, Some(count), track)
}

/// Goes on from where the game was set up or an answer led, through decisions with one answer. `before`: answers before it.
pub(crate) fn go_on(
    words: &Words<'_>,
    machine: &mut Machine<'_>,
    mut stop: Result<Stop, Fault>,
    mut before: Option<u32>,
    track: &mut Track,
) -> Result<Reached, Fault> {
    loop {
        let now = answers(machine);
        let chance = machine.take_chance();
        machine.take_resolved();
        if stop.is_ok() && before.is_some_and(|before| now <= before) {
            return Ok(Reached::Back(now));
        }
        let chance = chance.into_iter().map(|(stream, outcome)| Item {
            count: now,
            kind: ItemKind::Chance { stream, outcome },
        });
        track.items.extend(chance);
        match stop? {
            Stop::Over => return Ok(Reached::Over),
            _ if machine.answers().len() > 1 => return Ok(Reached::Decision),
            _ => {}
        }
        if machine.answers().len() == 1 {
            track.note_answer(words, machine, (0, true));
            before = Some(now);
        } else {
            // Nothing to answer: the rules go another way, or back.
            before = now.checked_sub(1);
        }
        stop = machine.resolve_held();
    }
}
