//! Running instructions up to the next decision.

use super::decide::Stop;
use super::settle::Settled;
use super::{Halt, Machine};
use crate::program::*;
use dsl::ir::number;

impl Machine<'_> {
    /// Runs to a decision, the end, or a halt. Looking ahead, also to the end of the extent.
    pub(crate) fn run(&mut self) -> Stop {
        self.run_to(false)
    }

    /// As [`Machine::run`]. With `only_whether` it matters only whether the extent can be ended: the run stops where
    /// nothing can fail any more.
    pub(crate) fn run_to(&mut self, only_whether: bool) -> Stop {
        let p = self.p;
        // Whether it looks ahead, and whether each instruction is counted, is the same for the whole run.
        let (ahead, counted) = (self.probing > 0, self.coverage.is_some());
        loop {
            let pc = self.pc;
            let next = pc + 1;
            if ahead {
                if only_whether
                    && p.safe[pc]
                    && let Some(stop) = self.end_early()
                {
                    self.learn_nothing();
                    return stop;
                }
                // What a failure may teach.
                if !self.asks(p.code[pc]) {
                    self.learn_of_look(pc);
                }
            } else if counted {
                self.count_instruction();
            }
            self.top = self.sp.max(self.floor);
            match p.code[pc] {
                Op::ProbeEnd => match self.settle() {
                    Settled::Yes => return Stop::Done,
                    Settled::Body => continue,
                    Settled::Over => return self.end_game(),
                    Settled::Halted => {}
                },
                Op::Jump(target) => {
                    self.count_step();
                    if self.halt == Halt::No {
                        self.pc = target as usize;
                        continue;
                    }
                }
                Op::JumpUnless(condition, target) => {
                    let holds = self.ev(condition);
                    if self.halt == Halt::No {
                        self.pc = if holds != 0 { next } else { target as usize };
                        continue;
                    }
                }
                Op::Need(condition, reason) => {
                    let holds = self.ev(condition);
                    if self.halt == Halt::No {
                        if holds == 0 {
                            self.need_failed(condition, reason);
                        } else {
                            self.pc = next;
                        }
                    }
                }
                Op::Let(local, value) => {
                    let value = self.ev(value);
                    self.set_local(local, value);
                    self.pc = next;
                }
                Op::LetWords(local, value) => {
                    self.let_words(local, value);
                    self.pc = next;
                }
                Op::Set(place, value) => {
                    self.set_scalar(place, value);
                    self.stir_by(place);
                    self.pc = next;
                }
                Op::Add(place, value) => {
                    self.assign(place, value, number::add);
                    self.stir_by(place);
                    self.pc = next;
                }
                Op::Subtract(place, value) => {
                    self.assign(place, value, number::subtract);
                    self.stir_by(place);
                    self.pc = next;
                }
                Op::SetWords(place, value) => {
                    self.set_words(place, value);
                    self.stir_by(place);
                    self.pc = next;
                }
                Op::AddTo(place, value) => {
                    self.add_to(place, value);
                    self.stir_by(place);
                    self.pc = next;
                }
                Op::TakeFrom(place, value) => {
                    self.take_from(place, value);
                    self.stir_by(place);
                    self.pc = next;
                }
                Op::AgendaAdd {
                    agenda,
                    must,
                    effect,
                } => {
                    self.agenda_add(agenda, must, effect);
                    self.pc = next;
                }
                Op::Move(step) => {
                    self.run_move(step);
                    self.stir_by(p.moves[step as usize].to);
                    self.stir_by(p.moves[step as usize].what.source());
                    self.pc = next;
                }
                Op::Feed => {
                    self.feed();
                    self.pc = next;
                }
                Op::Shuffle(place) => {
                    if let Some(target) = self.target(place) {
                        let stream = p.cells[target.slot.at()].stream + self.number(target);
                        self.shuffle_words(target.word, stream);
                    }
                    self.pc = next;
                }
                Op::SetStarter(player) => {
                    let player = self.ev(player);
                    if self.halt == Halt::No && player >= 0 {
                        self.set(header::STARTER, player);
                    }
                    self.pc = next;
                }
                Op::Call(proc, args) => self.call(proc, args, next),
                Op::RunEffect(effect) => self.run_effect(effect, next),
                Op::Return => {
                    if self.weighing.is_some() && !ahead {
                        self.weigh_done();
                    }
                    self.pop_frame();
                }
                Op::EnterAction(action) => {
                    for slot in &p.action_cells[action as usize] {
                        self.start_cell(*slot);
                    }
                    self.pc = next;
                }
                Op::Param { index, .. } if self.is_given(index) => self.check_given(next),
                Op::Param { .. } | Op::Choose(_) | Op::OneOf(_) | Op::May { .. } | Op::Pause(_) => {
                    match self.settle() {
                        Settled::Yes => {
                            self.open_question();
                            return Stop::Decision;
                        }
                        Settled::Body => continue,
                        Settled::Over => return self.end_game(),
                        Settled::Halted => {}
                    }
                }
                Op::ParamDefault {
                    local,
                    index,
                    value,
                    words,
                } => {
                    if !self.is_given(index) {
                        if words == 1 && p.shapes[value.at()] == Shape::Scalar {
                            let value = self.ev(value);
                            self.set_local(local, value);
                        } else {
                            self.let_words(local, value);
                        }
                    }
                    self.pc = next;
                }
                Op::EnterStep { label, saved } => {
                    let word = p.label_words[label.index()] as usize;
                    self.set(word, self.m[word] + 1);
                    if let Some(saved) = saved {
                        self.set_local(saved, self.m[word + 1]);
                        self.set(word + 1, self.me + 1);
                    }
                    self.begin_positions(label);
                    for slot in &p.label_cells[label.index()] {
                        self.start_cell(*slot);
                    }
                    self.pc = next;
                }
                Op::LeaveStep { label, saved, more } => match self.settle() {
                    Settled::Body => continue,
                    Settled::Over => return self.end_game(),
                    Settled::Halted => {}
                    Settled::Yes => match self.leave_step(label, saved, more) {
                        Some(stop) => return stop,
                        None if self.halt == Halt::No => self.pc = next,
                        None => {}
                    },
                },
                Op::Settle { more } => match self.settle() {
                    Settled::Body => continue,
                    Settled::Over => return self.end_game(),
                    Settled::Halted => {}
                    Settled::Yes => {
                        self.pc = next;
                        self.stir();
                        if !more && self.in_flow() && self.nothing_awaited() {
                            if self.probing > 0 {
                                return Stop::Done;
                            }
                            self.forget_marked();
                        }
                    }
                },
                Op::EachBegin { binder, list, room } => {
                    self.each_begin(binder, list, room);
                    self.pc = next;
                }
                Op::EachNext { local, list, end } => {
                    let base = self.fp + list as usize;
                    let at = self.m[base + 1];
                    if at < self.m[base] {
                        let item = self.m[base + 2 + at as usize];
                        self.set_local(list + 1, at + 1);
                        self.set_local(local, item);
                        self.pc = next;
                    } else {
                        self.pc = end as usize;
                    }
                    continue;
                }
                Op::PlayersBegin { order, list } => {
                    if self.players_begin(order, list) {
                        self.pc = next;
                    } else {
                        match self.settle() {
                            Settled::Body => continue,
                            Settled::Over => return self.end_game(),
                            Settled::Halted => {}
                            Settled::Yes => return self.end_as_announced(),
                        }
                    }
                }
                Op::PlayersNext { list, end } => {
                    let base = self.fp + list as usize;
                    let at = self.m[base + 2];
                    if at < self.m[base + 1] {
                        let seat = self.m[base + 3 + at as usize];
                        self.set_local(list + 2, at + 1);
                        self.me = seat;
                        self.pc = next;
                    } else {
                        self.me = self.m[base];
                        self.pc = end as usize;
                    }
                    continue;
                }
                Op::PlayersLeave { list } => {
                    self.me = self.m[self.fp + list as usize];
                    self.pc = next;
                }
                Op::PassEnd { order } => match self.settle() {
                    Settled::Body => continue,
                    Settled::Over => return self.end_game(),
                    Settled::Halted => {}
                    Settled::Yes => {
                        if self.loop_passes_on(&p.orders[order as usize]) {
                            return self.end_as_announced();
                        }
                        self.pc = next;
                    }
                },
                // What was written before is settled before: afterwards only what was written in secret is looked at.
                Op::SecretBegin => match self.settle() {
                    Settled::Body => continue,
                    Settled::Over => return self.end_game(),
                    Settled::Halted => {}
                    Settled::Yes => {
                        self.set(header::SECRET, self.m[header::SECRET] + 1);
                        if self.m[header::SECRET] == 1 {
                            self.keep_for_secret(true);
                        }
                        self.pc = next;
                    }
                },
                Op::SecretEnd => {
                    self.set(header::SECRET, self.m[header::SECRET] - 1);
                    if self.m[header::SECRET] == 0 {
                        self.tell_of_secret();
                        self.keep_for_secret(false);
                    }
                    self.pc = next;
                }
                Op::As { player, saved } => {
                    let player = self.ev(player);
                    if self.halt == Halt::No {
                        if player < 0 {
                            let span = self.here();
                            self.broken(span, "there is no player to be asked");
                        } else {
                            self.set_local(saved, self.me);
                            self.me = player;
                            self.pc = next;
                        }
                    }
                }
                Op::AsEnd { saved } => {
                    self.me = self.m[self.fp + saved as usize];
                    self.pc = next;
                }
                Op::RepeatBegin { times, counter } => {
                    let times = self.ev(times);
                    self.set_local(counter, times.max(0));
                    self.pc = next;
                }
                Op::RepeatTest { counter, end } => {
                    let left = self.m[self.fp + counter as usize];
                    if left > 0 {
                        self.set_local(counter, left - 1);
                        self.pc = next;
                    } else {
                        self.pc = end as usize;
                    }
                    continue;
                }
                Op::Match { value, table } => {
                    let value = self.ev(value);
                    let (low, jumps, default) = &p.matches[table as usize];
                    let known = jumps.len() - 1;
                    self.pc = if value == NONE {
                        jumps[known] as usize
                    } else {
                        let at = value.wrapping_sub(*low) as u32 as usize;
                        if at < known {
                            jumps[at] as usize
                        } else {
                            *default as usize
                        }
                    };
                }
                Op::AgendaOpen { agenda, saved } => {
                    self.agenda_open(agenda, saved);
                    self.pc = next;
                }
                Op::AgendaPick { agenda, end, .. } => match self.settle() {
                    Settled::Body => continue,
                    Settled::Over => return self.end_game(),
                    Settled::Halted => {}
                    Settled::Yes => {
                        if self.agenda_is_empty(agenda) || self.is_out(self.me) {
                            self.pc = end as usize;
                        } else {
                            return Stop::Decision;
                        }
                    }
                },
                Op::WalkBegin(walk) => {
                    self.walk_begin(walk);
                    self.pc = next;
                }
                Op::WalkPick { walk, end } => match self.settle() {
                    Settled::Body => continue,
                    Settled::Over => return self.end_game(),
                    Settled::Halted => {}
                    Settled::Yes => {
                        if self.walk_is_full(walk) || self.is_out(self.me) {
                            self.pc = end as usize;
                        } else {
                            return Stop::Decision;
                        }
                    }
                },
                Op::Finish {
                    label,
                    more,
                    of_each_player,
                    ending,
                } => {
                    let more = more.map_or(0, |m| self.ev(m));
                    if self.halt == Halt::No {
                        self.announce_end(label, more, of_each_player, ending);
                    }
                    self.pc = next;
                }
                // Rules hold, and `when`s are through, in the last position too.
                Op::FinishNow(ending) if self.gives_up(ending) => {}
                Op::FinishNow(_) | Op::EndOfFlow => match self.settle() {
                    Settled::Body => continue,
                    Settled::Over => return self.end_game(),
                    Settled::Halted => {}
                    Settled::Yes => {
                        if let Op::FinishNow(ending) = p.code[pc] {
                            self.set(header::ENDING, ending.0 as i32 + 1);
                        }
                        return self.end_game();
                    }
                },
                Op::Verdict { ending, player } => {
                    let player = player.map(|player| self.ev(player));
                    if self.halt == Halt::No {
                        match player {
                            Some(..0) => {
                                let span = self.here();
                                self.broken(span, "there is no player who wins or loses");
                            }
                            _ if self.gives_up(ending) => {}
                            _ => self.pronounce(ending, player),
                        }
                    }
                    self.pc = next;
                }
                Op::Stay { out } => match self.settle() {
                    Settled::Body => continue,
                    Settled::Over => return self.end_game(),
                    Settled::Halted => {}
                    Settled::Yes => {
                        self.pc = if self.is_out(self.me) {
                            out as usize
                        } else {
                            next
                        };
                    }
                },
                Op::WhenEnd => self.end_when(),
            }
            let stop = match self.halt {
                Halt::No => continue,
                Halt::Fail => {
                    self.learn_of_failure(pc);
                    Stop::Fail
                }
                Halt::Unknown => Stop::Unknown,
                Halt::Fault => {
                    self.breaks_at(p.op_spans[pc]);
                    Stop::Fault
                }
            };
            // What cannot be done is told where it stands.
            self.pc = pc;
            return stop;
        }
    }

    /// What was chosen the last time is nothing any more. Listing answers writes here without a trace, so that it must be 0
    /// before, and be put back where a look-ahead came here from within the loop that chose it.
    #[inline]
    pub(super) fn open_question(&mut self) {
        let p = self.p;
        for op in &p.code[self.pc..self.pc + self.at_once(self.pc)] {
            if let Op::Choose(choice) | Op::Param { choice, .. } = *op
                && p.choices[choice as usize].again
            {
                let binder = &p.binders[p.choices[choice as usize].binder.at()];
                for at in 0..binder.shape.words() as u32 {
                    self.set_local(binder.local + at, 0);
                }
            }
        }
    }

    /// Of everything endless: each loop jumps back, everything else begins bodies.
    #[inline]
    pub(super) fn count_step(&mut self) {
        self.steps += 1;
        self.spend(WORK_OF_STEP);
        if self.steps > STEPS_PER_ANSWER_MAX {
            self.too_many_steps();
        }
    }

    #[cold]
    fn too_many_steps(&mut self) {
        self.too_much("one answer runs too many steps: does a loop never end?");
    }

    /// At the begin of an outermost secret step: keeps the cells as they are. At its end: forgets them.
    fn keep_for_secret(&mut self, keep: bool) {
        let Some(copy) = self.p.secret_copy else {
            return;
        };
        for (at, word) in self.p.cell_words().enumerate() {
            let value = if keep { self.m[word] } else { 0 };
            self.set(copy as usize + at, value);
        }
    }

    /// At the end of an outermost secret step: a cell that holds something else than before counts as written, once.
    /// What is no cell cannot be compared; it wakes nothing that waits for writes.
    fn tell_of_secret(&mut self) {
        let p = self.p;
        let Some(copy) = p.secret_copy else {
            return;
        };
        self.dirty.clear();
        let cells = p.cell_words();
        for (word, watched) in p.words.iter().enumerate() {
            if !watched.wakes() {
                continue;
            }
            let same =
                cells.contains(&word) && self.m[word] == self.m[copy as usize + word - cells.start];
            if !same {
                self.dirty.push(word as u32);
            }
        }
    }
}
