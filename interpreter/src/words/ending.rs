//! How a game has ended, in a sentence.

use super::Words;
use crate::machine::Machine;
use crate::program::*;
use dsl::ir::{EndingId, EndingKind, Saying};

impl Words<'_> {
    /// What a line of the rules calls the end that it brings.
    pub fn ending_name(&self, ending: EndingId) -> Option<&str> {
        let name = self.rules.endings[ending.index()].name?;
        let said = self.speech().endings.get(ending.index());
        let said = said.and_then(|said| said.as_deref());
        Some(said.unwrap_or_else(|| self.rules.text(name)))
    }

    /// "A wins (four in a row)", "A wins, since B loses (mate)", "a draw (the board is full)", of a game that is over.
    pub fn end(&self, machine: &mut Machine<'_>) -> String {
        let winners = machine.winning_seats();
        let names = |seats: &[i32]| {
            let names: Vec<String> = seats.iter().map(|seat| self.seat(*seat)).collect();
            self.list(&names)
        };
        let who = match winners.as_slice() {
            _ if machine.is_drawn() => self.say(Saying::Draw, &[]),
            [] => self.say(Saying::NobodyWins, &[]),
            [_] => self.say(Saying::Wins, &[("who", &names(&winners))]),
            several => self.say(Saying::Share, &[("who", &names(several))]),
        };
        let Some(ending) = machine.ending() else {
            return who;
        };
        let name = self.ending_name(ending);
        let what = match self.rules.endings[ending.index()].kind {
            EndingKind::Loses if !winners.is_empty() => {
                let losers: Vec<i32> = (0..self.program.players as i32)
                    .filter(|seat| machine.is_out(*seat))
                    .filter(|seat| machine.ending_of(*seat as u32) == Some(ending))
                    .collect();
                let lose = if losers.len() == 1 {
                    Saying::Loses
                } else {
                    Saying::Lose
                };
                let why = self.say(lose, &[("who", &names(&losers))]);
                self.say(Saying::Since, &[("what", &who), ("why", &why)])
            }
            EndingKind::Finish
            | EndingKind::Wins
            | EndingKind::WinsAlone
            | EndingKind::Loses
            | EndingKind::Draw => who,
        };
        match name {
            Some(name) => self.say(Saying::Called, &[("what", &what), ("name", name)]),
            None => what,
        }
    }

    /// How a seat's part in the game has ended, where it ended for the seat alone: "wins (home)", "loses (mate)".
    pub fn fate_of(&self, machine: &Machine<'_>, seat: u32) -> Option<String> {
        let word = self.program.fates? + seat;
        let told = self.fate(word, machine.word(word))?;
        let seat = self.seat(seat as i32);
        told.strip_prefix(&seat).map(|told| told.trim().to_owned())
    }

    /// What a written word says of the end of the game, or of a player's part in it; none if it says nothing of these.
    pub(super) fn fate(&self, word: u32, new: i32) -> Option<String> {
        let said = |ending: i32| {
            usize::try_from(ending)
                .ok()
                .filter(|at| *at < self.rules.endings.len())
        };
        let named = |what: String, ending: usize| match self.ending_name(EndingId(ending as u32)) {
            Some(name) => self.say(Saying::Called, &[("what", &what), ("name", name)]),
            None => what,
        };
        if word == header::ENDING as u32 {
            let ending = said(new - 1)?;
            return match self.rules.endings[ending].kind {
                EndingKind::Draw => Some(named(self.say(Saying::Draw, &[]), ending)),
                EndingKind::Finish => self
                    .ending_name(EndingId(ending as u32))
                    .map(|_| named(self.say(Saying::Ends, &[]), ending)),
                EndingKind::Wins | EndingKind::WinsAlone | EndingKind::Loses => None,
            };
        }
        let fates = self.program.fate_words();
        if !fates.contains(&word) || new == 0 {
            return None;
        }
        let seat = self.seat((word - fates.start) as i32);
        let ending = said((new.abs() - 1) % self.rules.endings.len().max(1) as i32)?;
        let saying = if new > 0 { Saying::Wins } else { Saying::Loses };
        Some(named(self.say(saying, &[("who", &seat)]), ending))
    }
}
