//! Who wins and who loses: said by a line, felt where the game settles next.
//!
//! A seat's fate is 0 while it plays, and afterwards `1 + ending + endings * moment`, negative if it has lost. Moments are
//! counted from settling to settling, so that whoever wins or loses between two of these has the same place. What is said first
//! between two stands: a draw is no draw where somebody has just won or lost, and nobody wins a game that is drawn.

use super::Machine;
use crate::program::*;
use dsl::ir::{EndingId, EndingKind};

/// Bit of a frame's `GIVEN` word.
const HELPS: u32 = 27;

impl Machine<'_> {
    /// Marks the anytime action that was just opened, if looking ahead it is done in the midst of something else.
    pub(super) fn mark_helper(&mut self) {
        if self.helping > 0 {
            let word = self.fp + frame::GIVEN;
            self.set(word, self.m[word] | 1 << HELPS);
        }
    }

    /// Who gives up the game in the midst of something has not done it: else whoever may resign could begin anything. Fails
    /// where such an anytime action runs.
    pub(super) fn gives_up(&mut self, ending: EndingId) -> bool {
        if self.helping == 0 || self.p.anytime.is_empty() {
            return false;
        }
        let mut fp = self.fp;
        while fp != self.p.fixed_words as usize {
            if self.m[fp + frame::GIVEN] >> HELPS & 1 == 1 {
                self.fail(self.p.endings[ending.index()].reason, None, None);
                return true;
            }
            fp = self.m[fp + frame::CALLER] as usize;
        }
        false
    }

    fn kind(&self, ending: i32) -> Option<EndingKind> {
        let at = usize::try_from(ending - 1).ok()?;
        self.p.endings.get(at).map(|ending| ending.kind)
    }

    /// `0` while the seat plays.
    fn fate(&self, seat: i32) -> i32 {
        let word = self.p.fates.zip(u32::try_from(seat).ok());
        word.map_or(0, |(first, seat)| self.m[(first + seat) as usize])
    }

    /// At which moment a seat left the game, and with which ending.
    fn parting(&self, fate: i32) -> (i32, i32) {
        let kinds = self.p.endings.len() as i32;
        let at = fate.abs() - 1;
        (at / kinds.max(1), at % kinds.max(1) + 1)
    }

    /// The seat takes no more part in the game.
    pub(crate) fn is_out(&self, seat: i32) -> bool {
        self.fate(seat) != 0
    }

    /// Somebody wins or loses, or the game is drawn.
    pub(super) fn pronounce(&mut self, ending: EndingId, seat: Option<i32>) {
        let pending = self.m[header::ENDING];
        let said = self.kind(pending);
        let kind = self.p.endings[ending.index()].kind;
        if said == Some(EndingKind::Draw) {
            return;
        }
        let own = ending.0 as i32 + 1;
        let Some((seat, first)) = seat.zip(self.p.fates) else {
            if pending == 0 {
                self.set(header::ENDING, own);
            }
            return;
        };
        if self.is_out(seat) {
            return;
        }
        let moment = self.m[header::MOMENT] * self.p.endings.len() as i32;
        let fate = own + moment;
        let lost = kind == EndingKind::Loses;
        let word = first as usize + seat as usize;
        self.set(word, if lost { -fate } else { fate });
        // The game ends for the strongest reason that was said.
        if pending == 0 || said.is_some_and(EndingKind::leaves) && !kind.leaves() {
            self.set(header::ENDING, own);
        }
    }

    /// Where all is at rest: whether what was said since it was ends the game. If not, the next moment begins.
    pub(super) fn is_decided(&mut self) -> bool {
        let decided = match self.kind(self.m[header::ENDING]) {
            None | Some(EndingKind::Finish) => return false,
            Some(EndingKind::Wins | EndingKind::Draw) => true,
            Some(EndingKind::WinsAlone | EndingKind::Loses) => {
                let players = self.p.players as i32;
                let left = (0..players).filter(|seat| !self.is_out(*seat)).count();
                left == 0 || left == 1 && players > 1
            }
        };
        if !decided {
            self.set(header::ENDING, 0);
            self.set(header::MOMENT, self.m[header::MOMENT] + 1);
        }
        decided
    }

    /// How the game has ended: a line of the rules; none where the flow was through, or it goes on.
    pub fn ending(&self) -> Option<EndingId> {
        let ending = self.m[header::ENDING];
        (self.is_over() && ending > 0).then(|| EndingId(ending as u32 - 1))
    }

    /// How it has ended for a seat: where the seat left before, with that.
    pub fn ending_of(&self, seat: u32) -> Option<EndingId> {
        match self.fate(seat as i32) {
            0 => self.ending(),
            fate => Some(EndingId(self.parting(fate).1 as u32 - 1)),
        }
    }

    /// A draw was called.
    pub fn is_drawn(&self) -> bool {
        self.is_over() && self.kind(self.m[header::ENDING]) == Some(EndingKind::Draw)
    }

    /// Orders seats by how their part in the game has ended, best first: winners, those who still played, losers; whoever won
    /// earlier and whoever lost later is ahead.
    pub(super) fn standing(&self, seat: i32) -> (i32, i32) {
        let fate = self.fate(seat);
        let (moment, _) = self.parting(fate);
        match fate {
            1.. => (2, -moment),
            0 => (1, 0),
            _ => (0, moment),
        }
    }

    /// Whether the seat has won or lost the game by what its rules say of that, and not by points: 1 or -1.
    pub(crate) fn verdict(&self, seat: u32) -> i32 {
        if !self.is_over() || self.is_drawn() {
            return 0;
        }
        let own = self.standing(seat as i32).0;
        let others = (0..self.p.players).filter(|other| *other != seat);
        let best = others.map(|other| self.standing(other as i32).0).max();
        best.map_or(0, |best| (own - best).signum())
    }

    /// The seat has won, or none has: it has the first place, has not lost, and shares in no draw.
    pub(super) fn counts_as_winner(&self, seat: i32) -> bool {
        let fate = self.fate(seat);
        fate > 0 || fate == 0 && !self.is_drawn()
    }

    fn is_called(&self, ending: Option<EndingId>, name: u32) -> bool {
        let called = ending.and_then(|ending| self.p.endings[ending.index()].name);
        name == ANY_NAME || called == Some(name)
    }

    fn ended_for(&self, seat: i32, name: u32) -> bool {
        u32::try_from(seat).is_ok_and(|seat| self.is_called(self.ending_of(seat), name))
    }

    pub(crate) fn has_won(&mut self, seat: i32, name: u32) -> bool {
        if !self.is_over() || !self.ended_for(seat, name) {
            return false;
        }
        self.fate(seat) > 0 || self.winning_seats().contains(&seat)
    }

    pub(crate) fn has_lost(&mut self, seat: i32, name: u32) -> bool {
        if !self.ended_for(seat, name) {
            return false;
        }
        let fate = self.fate(seat);
        let over = self.is_over() && fate == 0 && !self.is_drawn();
        fate < 0 || over && !self.winning_seats().contains(&seat)
    }

    pub(crate) fn was_drawn(&self, name: u32) -> bool {
        self.is_drawn() && self.is_called(self.ending(), name)
    }
}
