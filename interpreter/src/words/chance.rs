//! What chance brought, in words.

use super::Words;
use super::observed::News;
use super::tale::Heard;
use crate::machine::Event;
use crate::program::Slot;
use dsl::ir::Saying;

/// What chance brought, openly.
#[derive(Clone, Debug)]
pub(super) struct Roll {
    /// Who acted: a seat.
    pub seat: i32,
    pub text: String,
    /// The word of the state that holds it since.
    pub word: Option<u32>,
}

impl Words<'_> {
    /// What chance decided, where that is not told as a roll.
    pub(super) fn chance(&self, event: &Event) -> Option<String> {
        let Event::Chance { stream, .. } = *event else {
            return None;
        };
        let Some((slot, index)) = self.stream_slot(stream) else {
            return Some(self.say(Saying::ByChance, &[]));
        };
        self.cell_noun(slot)?;
        let what = self.slot_in_full(slot, index);
        Some(self.say(Saying::Shuffled, &[("what", &what)]))
    }

    /// A roll that all hear of, which these events begin with.
    pub(super) fn rolled(&self, events: &[Event]) -> Option<Roll> {
        let (first, then) = events.split_first()?;
        let Event::Chance {
            stream,
            found: Some(found),
            me,
            ..
        } = *first
        else {
            return None;
        };
        let ty = self.program.stream_types.get(stream as usize)?;
        if !self.program.secrets().hear_of(stream) {
            return None;
        }
        let mut later = then.iter().skip(1);
        let word = match then.first() {
            Some(Event::Write { word, pc, .. }) => {
                let laid = self.program.rolls_into(*pc as usize);
                laid.filter(|(_, of)| *of == stream).map(|_| *word)
            }
            _ => None,
        };
        let stays = |word: &u32| {
            !later.any(|event| matches!(event, Event::Write { word: of, .. } if of == word))
        };
        Some(Roll {
            seat: me,
            text: self.said(ty, found),
            word: word.filter(stays),
        })
    }

    /// What chance decided openly, by whom it was for.
    pub(super) fn rolls(&self, own: &[Heard]) -> Vec<(i32, String)> {
        let mut all: Vec<(i32, Vec<String>)> = Vec::new();
        for roll in own.iter().flat_map(|one| &one.rolled) {
            match all.last_mut() {
                Some((of, texts)) if *of == roll.seat => texts.push(roll.text.clone()),
                _ => all.push((roll.seat, vec![roll.text.clone()])),
            }
        }
        let told = all.into_iter().map(|(seat, texts)| {
            let what = self.list(&texts);
            (seat, self.say(Saying::Rolled, &[("what", &what)]))
        });
        told.collect()
    }

    /// The slot whose shuffles a stream of chance decides.
    fn stream_slot(&self, stream: u32) -> Option<(Slot, u32)> {
        let mut cells = self.program.cells.iter().enumerate();
        let (at, cell) =
            cells.find(|(_, cell)| (cell.stream..cell.stream + cell.slots).contains(&stream))?;
        Some((Slot(at as u32), stream - cell.stream))
    }
}

/// It is what chance brought, and that is told as a roll.
pub(super) fn is_rolled(own: &[Heard], news: &News) -> bool {
    let told = |one: &&Heard| one.news.iter().any(|(of, _)| of.words == news.words);
    own.iter().rfind(told).is_some_and(|last| {
        let mut words = last.rolled.iter().filter_map(|roll| roll.word);
        words.any(|word| news.words.start == word && news.words.len() == 1)
    })
}
