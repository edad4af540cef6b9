//! How a game has ended, in a sentence.

use super::Words;
use crate::machine::Machine;
use crate::program::*;
use dsl::ir::{EndingId, EndingKind};

impl Words<'_> {
    /// What a line of the rules calls the end that it brings.
    pub fn ending_name(&self, ending: EndingId) -> Option<&str> {
        let name = self.rules.endings[ending.index()].name?;
        Some(self.rules.text(name))
    }

    /// "A wins (four in a row)", "A wins, since B loses (mate)", "a draw (the board is full)", of a game that is over.
    pub fn end(&self, machine: &mut Machine<'_>) -> String {
        let winners = machine.winning_seats();
        let names = |seats: &[i32]| {
            let names: Vec<String> = seats.iter().map(|seat| self.seat(*seat)).collect();
            super::listed(&names, "and")
        };
        let who = match winners.as_slice() {
            _ if machine.is_drawn() => "a draw".to_owned(),
            [] => "nobody wins".to_owned(),
            [_] => format!("{} wins", names(&winners)),
            several => format!("{} share the victory", names(several)),
        };
        let Some(ending) = machine.ending() else {
            return who;
        };
        let name = self.ending_name(ending);
        let because = match self.rules.endings[ending.index()].kind {
            EndingKind::Loses if !winners.is_empty() => {
                let losers: Vec<i32> = (0..self.program.players as i32)
                    .filter(|seat| machine.is_out(*seat))
                    .filter(|seat| machine.ending_of(*seat as u32) == Some(ending))
                    .collect();
                let verb = if losers.len() == 1 { "loses" } else { "lose" };
                format!(", since {} {verb}", names(&losers))
            }
            EndingKind::Finish
            | EndingKind::Wins
            | EndingKind::WinsAlone
            | EndingKind::Loses
            | EndingKind::Draw => String::new(),
        };
        match name {
            Some(name) => format!("{who}{because} ({name})"),
            None => format!("{who}{because}"),
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
            Some(name) => format!("{what} ({name})"),
            None => what,
        };
        if word == header::ENDING as u32 {
            let ending = said(new - 1)?;
            return match self.rules.endings[ending].kind {
                EndingKind::Draw => Some(named("a draw".to_owned(), ending)),
                EndingKind::Finish => self
                    .ending_name(EndingId(ending as u32))
                    .map(|name| format!("the game ends ({name})")),
                EndingKind::Wins | EndingKind::WinsAlone | EndingKind::Loses => None,
            };
        }
        let fates = self.program.fate_words();
        if !fates.contains(&word) || new == 0 {
            return None;
        }
        let seat = self.seat((word - fates.start) as i32);
        let ending = said((new.abs() - 1) % self.rules.endings.len().max(1) as i32)?;
        let what = if new > 0 { "wins" } else { "loses" };
        Some(named(format!("{seat} {what}"), ending))
    }
}
