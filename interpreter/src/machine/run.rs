//! Running instructions up to the next decision.

use super::decide::Stop;
use super::settle::Settled;
use super::{Halt, Machine};
use crate::ask::Eyes;
use crate::lower::expr::ASKED;
use crate::program::*;
use dsl::ir::number;

impl Machine<'_> {
    /// Runs to a decision, the end, or a halt. Looking ahead, also to the end of the extent.
    pub(crate) fn run(&mut self) -> Stop {
        self.run_to(false)
    }

    /// As [`Machine::run`]. With `only_whether` it matters only whether the extent can be ended: the run stops where
    /// nothing can fail any more and leaves out what nothing sees that could.
    pub(crate) fn run_to(&mut self, only_whether: bool) -> Stop {
        let p = self.p;
        // Whether anybody follows each instruction is the same for the whole run.
        let followed = self.probing > 0 || self.coverage.is_some();
        loop {
            let pc = self.pc;
            let next = pc + 1;
            if followed {
                if only_whether {
                    if p.safe[pc]
                        && let Some(stop) = self.end_early()
                    {
                        self.learn_nothing();
                        return stop;
                    }
                    if p.idle[pc] && self.nothing_waits_to_fail() && self.callers_are_safe() {
                        self.pc = next;
                        continue;
                    }
                }
                self.follow();
                self.top = self.sp.max(self.floor);
            } else {
                self.top = self.sp;
            }
            match p.code[pc] {
                Op::ProbeEnd => match self.settle() {
                    Settled::Yes => return Stop::Done,
                    Settled::Body => continue,
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
                Op::Return => self.pop_frame(),
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
                    Settled::Halted => {}
                    Settled::Yes => match self.leave_step(label, saved, more) {
                        Some(stop) => return stop,
                        None if self.halt == Halt::No => self.pc = next,
                        None => {}
                    },
                },
                Op::Settle { more } => match self.settle() {
                    Settled::Body => continue,
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
                Op::EachBegin { binder, list } => {
                    self.each_begin(binder, list);
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
                            Settled::Halted => {}
                            Settled::Yes => return self.end_game(),
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
                    Settled::Halted => {}
                    Settled::Yes => {
                        if self.loop_passes_on(&p.orders[order as usize]) {
                            return self.end_game();
                        }
                        self.pc = next;
                    }
                },
                // What was written before is settled before: afterwards only what was written in secret is looked at.
                Op::SecretBegin => match self.settle() {
                    Settled::Body => continue,
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
                    Settled::Halted => {}
                    Settled::Yes => {
                        if self.agenda_is_empty(agenda) {
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
                    Settled::Halted => {}
                    Settled::Yes => {
                        if self.walk_is_full(walk) {
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
                } => {
                    let more = more.map_or(0, |m| self.ev(m));
                    if self.halt == Halt::No {
                        if self.probing == 0 && self.m[header::FINISH_LABEL] == NONE {
                            self.finish_pc = pc;
                        }
                        self.announce_end(label, more, of_each_player);
                    }
                    self.pc = next;
                }
                Op::FinishNow | Op::EndOfFlow => {
                    self.set(header::ENDED, 1);
                    return Stop::Over;
                }
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
        if let Op::Choose(choice) | Op::Param { choice, .. } = self.p.code[self.pc]
            && self.p.choices[choice as usize].again
        {
            let binder = &self.p.binders[self.p.choices[choice as usize].binder.at()];
            for at in 0..binder.shape.words() as u32 {
                self.set_local(binder.local + at, 0);
            }
        }
    }

    /// Notes that the instruction runs: for coverage, or while looking ahead for what a failure may teach.
    fn follow(&mut self) {
        if self.probing > 0 {
            if !self.asks(self.p.code[self.pc]) {
                self.learn_of_look(self.pc);
            }
        } else {
            self.count_instruction();
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

    /// Where nothing can fail from here on: whether what was written breaks no rule. None where only running on tells.
    fn end_early(&mut self) -> Option<Stop> {
        let p = self.p;
        let waits = self.all_dirty
            || !self.rules_due.is_empty()
            || self.m[header::PENDING] > 0
            || self.m[header::SECRET] > 0;
        if waits || !self.callers_are_safe() {
            return None;
        }
        if self.dirty.is_empty() {
            return Some(Stop::Done);
        }
        let known = self.dirty.iter().all(|word| {
            let watchers = p.woken_by(*word as usize);
            watchers.iter().all(|watcher| match watcher {
                Watcher::Rule { rule, .. } => p.rules[*rule as usize].early,
                Watcher::When { when, .. } => p.procs[p.whens[*when as usize].proc.at()].safe,
                Watcher::Network { .. } => true,
            })
        });
        if !known {
            return None;
        }
        self.test_written();
        Some(match self.halt {
            Halt::No => Stop::Done,
            Halt::Fail => Stop::Fail,
            Halt::Unknown => Stop::Unknown,
            Halt::Fault => Stop::Fault,
        })
    }

    /// No body of a `when` that can fail has still to run because of what was written before: it may look at anything.
    #[inline]
    fn nothing_waits_to_fail(&self) -> bool {
        self.p.whens_are_safe
            || self.dirty.is_empty() && !self.all_dirty && self.m[header::PENDING] == 0
    }

    /// Nothing from `pc` on to the end of the extent can fail.
    pub(crate) fn safe_from(&self, pc: usize) -> bool {
        self.p.safe[pc] && self.callers_are_safe()
    }

    /// Nothing behind the running body can fail.
    pub(crate) fn callers_are_safe(&self) -> bool {
        let p = self.p;
        if !p.awaited.is_empty() {
            return false;
        }
        let mut fp = self.fp;
        let flow = p.fixed_words as usize;
        while fp != flow {
            let pc = self.m[fp + frame::RETURN_PC] as usize;
            if !p.safe[pc] {
                return false;
            }
            fp = self.m[fp + frame::CALLER] as usize;
        }
        true
    }

    #[cold]
    pub(super) fn need_failed(&mut self, condition: NodeId, reason: ReasonId) {
        let told = match self.p.nodes[condition.at()] {
            _ if !self.p.reasons[reason.at()].numbers => None,
            Node::LessEqual(a, b) | Node::Less(a, b) => Some((a, b)),
            Node::Equal(a, b) => Some((b, a)),
            _ => None,
        };
        let (needed, found) = match (told, self.eyes) {
            (None, _) => (None, None),
            (Some((needed, found)), Eyes::Open) => (Some(self.ev(needed)), Some(self.ev(found))),
            (Some((needed, found)), Eyes::Of(_)) => {
                let local = !matches!(self.p.reasons[reason.at()].kind, ReasonKind::Rule(_));
                let numbers = [needed, found].map(|node| self.quoted_number(node, local));
                match numbers {
                    [Some(needed), Some(found)] => (Some(needed), Some(found)),
                    _ => (None, None),
                }
            }
        };
        self.fail(reason, needed, found);
    }

    pub(super) fn let_words(&mut self, local: u32, value: NodeId) {
        let p = self.p;
        let shape = p.shapes[value.at()];
        let loc = self.loc(value);
        for at in 0..shape.words() {
            let word = self.get(loc, at);
            self.set_local(local + at as u32, word);
        }
    }

    /// Calls an action; open arguments are asked by its own parameters.
    pub(crate) fn call(&mut self, proc: ProcId, args: List, return_pc: usize) {
        if args.len == 0 {
            self.push_frame(proc, return_pc);
            return;
        }
        let p = self.p;
        let mark = self.candidates.len();
        let mut given = 0;
        // Evaluated in the caller's frame first: the new frame lies where temporaries are.
        for (index, (arg, (_, words))) in (args.start..args.start + args.len)
            .zip(&p.procs[proc.at()].params)
            .enumerate()
        {
            let node = p.lists[arg as usize];
            if node == ASKED {
                continue;
            }
            given |= 1 << index;
            self.push_argument(node, *words as usize);
        }
        if self.halt == Halt::No {
            self.push_frame(proc, return_pc);
            self.fill_params(proc, given, mark);
        }
        self.candidates.truncate(mark);
    }

    /// Evaluates an argument onto the candidates.
    pub(crate) fn push_argument(&mut self, node: NodeId, words: usize) {
        let shape = self.p.shapes[node.at()];
        if shape == Shape::Scalar {
            let value = self.ev(node);
            self.candidates.push(value);
            return;
        }
        let loc = self.loc(node);
        let own = shape.words();
        if self.is_cut_off(loc, shape, words) {
            self.breaks_at(self.p.node_spans[node.at()]);
        }
        for at in 0..words {
            let word = if at < own {
                self.get(loc, at)
            } else {
                shape.empty_word()
            };
            self.candidates.push(word);
        }
    }

    /// Moves given arguments from the candidates into the running frame.
    pub(crate) fn fill_params(&mut self, proc: ProcId, given: i32, mark: usize) {
        if self.halt != Halt::No {
            return;
        }
        self.set_local(frame::GIVEN as u32, given);
        let mut at = mark;
        for (index, (local, words)) in self.p.procs[proc.at()].params.iter().enumerate() {
            if given >> index & 1 == 0 {
                continue;
            }
            for word in 0..*words as usize {
                let value = self.candidates[at];
                self.set_local(local + word as u32, value);
                at += 1;
            }
        }
    }

    /// A parameter has its value from the call.
    #[inline]
    pub(super) fn is_given(&self, index: u32) -> bool {
        self.m[self.fp + frame::GIVEN] >> index & 1 == 1
    }

    /// A given value of an asked parameter still has to pass its conditions.
    fn check_given(&mut self, next: usize) {
        if let Op::Param { choice, .. } = self.p.code[self.pc] {
            self.require_conditions(choice);
        }
        if self.halt == Halt::No {
            self.pc = next;
        }
    }

    /// Fails if what a choice's local holds does not pass its conditions.
    pub(super) fn require_conditions(&mut self, choice: u32) {
        let p = self.p;
        let binder = &p.binders[p.choices[choice as usize].binder.at()];
        for (condition, reason) in &binder.conditions {
            self.require(*condition, *reason);
        }
    }

    /// Fails where a condition does not hold, unless something failed before.
    pub(super) fn require(&mut self, condition: NodeId, reason: ReasonId) {
        if self.halt != Halt::No {
            return;
        }
        let holds = self.ev(condition) != 0;
        if self.halt == Halt::No && !holds {
            self.need_failed(condition, reason);
        }
    }

    /// Ends a step. Where the game ends with it, or a look-ahead is through with its extent, the run stops; also where a rule
    /// that waits for this end does not hold yet and an anytime action may mend that.
    fn leave_step(
        &mut self,
        label: dsl::ir::LabelId,
        saved: Option<u32>,
        more: bool,
    ) -> Option<Stop> {
        let p = self.p;
        let word = p.label_words[label.index()] as usize;
        if !p.label_rules[label.index()].is_empty() {
            let player = self.m[word + 1] - 1;
            self.test_after(label, player);
            if self.halt == Halt::Fail && self.has_moment(player) {
                self.halt = Halt::No;
                return Some(Stop::Decision);
            }
            if self.halt != Halt::No {
                return None;
            }
        }
        if let Some(saved) = saved {
            let before = self.m[self.fp + saved as usize];
            self.set(word + 1, before);
        }
        if self.pass_ends(label) {
            return Some(self.end_game());
        }
        let rests = !more && self.in_flow() && self.nothing_awaited();
        if rests && self.probing > 0 {
            self.pc += 1;
            return Some(Stop::Done);
        }
        if rests {
            self.forget_marked();
        }
        self.count_positions(label);
        None
    }

    fn each_begin(&mut self, id: BinderId, list: u32) {
        let p = self.p;
        let binder = &p.binders[id.at()];
        let mark = self.candidates.len();
        self.collect_candidates(binder);
        let count = self.candidates.len() - mark;
        if self.fp + list as usize + 2 + count > self.sp {
            let span = self.here();
            self.broken(
                span,
                format!("a loop runs over {count} elements, more than there is room for"),
            );
        } else if self.halt == Halt::No {
            self.set_local(list, count as i32);
            self.set_local(list + 1, 0);
            for at in 0..count {
                let item = self.candidates[mark + at];
                self.set_local(list + 2 + at as u32, item);
            }
        }
        self.candidates.truncate(mark);
    }

    /// Lists who has a pass of a loop over players; false where the game is over instead, since nobody has one left.
    fn players_begin(&mut self, order: u32, list: u32) -> bool {
        let p = self.p;
        let order = &p.orders[order as usize];
        let players = p.players as i32;
        let asker = self.me;
        let (first, step) = match order.from {
            SeatFrom::Starter => (self.m[header::STARTER], 1),
            SeatFrom::Left => (asker + 1, 1),
            SeatFrom::Right => (asker - 1, -1),
            SeatFrom::Player(player) => (self.ev(player), 1),
        };
        let mark = self.candidates.len();
        let keys = self.keys.len();
        for at in 0..players {
            let seat = (first + at * step).rem_euclid(players);
            if order.other && seat == asker {
                continue;
            }
            self.me = seat;
            if order.conditions.iter().any(|c| self.ev(*c) == 0) {
                continue;
            }
            self.candidates.push(seat);
            for key in &order.by {
                let key = self.ev(*key);
                self.keys.push(if key == NONE { i32::MAX } else { key });
            }
        }
        self.me = asker;
        self.sort_candidates(mark, keys, order.by.len());
        if !order.by.is_empty()
            && let SeatFrom::Player(_) = order.from
            && let Some(at) = self.candidates[mark..]
                .iter()
                .position(|s| *s == first.rem_euclid(players))
        {
            self.candidates[mark..].rotate_left(at);
        }
        self.keys.truncate(keys);
        if self.halt == Halt::No && self.loop_is_over(order, mark) {
            self.candidates.truncate(mark);
            return false;
        }
        let count = self.candidates.len() - mark;
        self.set_local(list, asker);
        self.set_local(list + 1, count as i32);
        self.set_local(list + 2, 0);
        for at in 0..count {
            let seat = self.candidates[mark + at];
            self.set_local(list + 3 + at as u32, seat);
        }
        self.candidates.truncate(mark);
        true
    }

    /// A number that stands for the whole state.
    pub(crate) fn state_hash(&self) -> u64 {
        let mut hash = Hash::new();
        hash.word(self.pc as i32);
        hash.word(self.fp as i32);
        hash.word(self.me);
        for word in &self.m[header::STARTER..self.sp] {
            hash.word(*word);
        }
        hash.finish()
    }
}

/// A fast hash over words, the same on every machine.
pub(crate) struct Hash(u64);

impl Hash {
    pub fn new() -> Hash {
        Hash(0x9e37_79b9_7f4a_7c15)
    }

    #[inline]
    pub fn word(&mut self, word: i32) {
        self.0 =
            (self.0.rotate_left(5) ^ u64::from(word as u32)).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    /// Many words, several at a time: each lane waits for itself alone.
    pub fn words(&mut self, words: &[i32]) {
        let mut lanes = [self.0, 1, 2, 3];
        let runs = words.chunks_exact(8);
        let rest = runs.remainder();
        for run in runs {
            for (lane, pair) in lanes.iter_mut().zip(run.chunks_exact(2)) {
                let pair = u64::from(pair[0] as u32) | u64::from(pair[1] as u32) << 32;
                *lane = (lane.rotate_left(5) ^ pair).wrapping_mul(0x517c_c1b7_2722_0a95);
            }
        }
        for lane in lanes {
            self.0 = (self.0.rotate_left(5) ^ lane).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
        for word in rest {
            self.word(*word);
        }
    }

    pub fn finish(self) -> u64 {
        let mut x = self.0;
        x ^= x >> 32;
        x = x.wrapping_mul(0xd6e8_feb8_6659_fd93);
        x ^ (x >> 32)
    }
}
