//! What a seat can make of its own turn: each answer is tried in states that the seat may think it stands in, on a machine of
//! its own, and played on at random to the end of the turn, those that came to most again and again (successive halving:
//! Karnin, Koren, Somekh, ICML 2013). What a way comes to is said by whoever thinks.

use super::BotChance;
use crate::Program;
use crate::machine::{Machine, Stop};
use crate::state::State;

/// Answers of one way, so that a turn without end ends.
const WAY_ANSWERS_MAX: u32 = 64;

/// What came of one answer.
#[derive(Clone, Copy, Default)]
struct Hope {
    /// The best of the ways tried in the state at hand; none: no way came to an end.
    best: Option<f64>,
    /// Nothing was chosen behind it: it comes to the same each time.
    settled: bool,
    /// Of all states so far.
    sum: f64,
    states: u32,
}

impl Hope {
    fn mean(&self) -> f64 {
        match self.states {
            0 => f64::NEG_INFINITY,
            states => self.sum / f64::from(states),
        }
    }
}

/// How much a seat looks at for one decision.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// States that are made up, where a game hides something or chance decides.
    pub states: u32,
    /// Ways tried in each of them; every answer that is looked at is tried once in any case.
    pub ways: u32,
    /// Answers that are looked at; of more as many by lot.
    pub answers: usize,
}

/// A machine to try on, and what came of it, used again from decision to decision.
pub(super) struct Turn<'p> {
    machine: Machine<'p>,
    state: State,
    hopes: Vec<Hope>,
    /// The strategy by which what the seat does is weighed, if one is asked.
    weighs: Option<usize>,
    /// Ways tried so far.
    tried: u32,
    /// The answers that are still tried, and for the time of a state the best first.
    open: Vec<usize>,
}

impl<'p> Turn<'p> {
    pub fn new(program: &'p Program) -> Turn<'p> {
        let mut machine = Machine::new(program);
        machine.unheard = true;
        Turn {
            machine,
            state: State::new(),
            hopes: Vec::new(),
            weighs: None,
            tried: 0,
            open: Vec::new(),
        }
    }

    /// The number of the answer of `real` that comes to most by the end of the turn, as `worth` says; of those that come to
    /// as much any. `made_up` fills a state in which the seat that is asked sees what it sees; with `enough` it ends early, when
    /// something has been tried. None if too much is unseen.
    pub fn best(
        &mut self,
        real: &Machine<'p>,
        effort: Effort,
        chance: &mut BotChance,
        mut made_up: impl FnMut(&mut BotChance, &mut State) -> bool,
        worth: &mut dyn FnMut(&mut Machine<'p>, u32) -> f64,
        enough: &dyn Fn() -> bool,
    ) -> Option<usize> {
        let count = real.answers().len();
        self.hopes.clear();
        self.hopes.resize(count, Hope::default());
        for round in 0..effort.states.max(1) {
            if round > 0 && enough() {
                break;
            }
            if !made_up(chance, &mut self.state) {
                return None;
            }
            self.weigh(real, effort, chance, worth, enough);
            for hope in &mut self.hopes {
                if let Some(best) = hope.best.take() {
                    hope.sum += best;
                    hope.states += 1;
                }
                hope.settled = false;
            }
        }
        let mut best = (f64::NEG_INFINITY, 0);
        let mut alike = 0;
        for (at, hope) in self.hopes.iter().enumerate() {
            let mean = hope.mean();
            alike = match mean.total_cmp(&best.0) {
                std::cmp::Ordering::Less => continue,
                std::cmp::Ordering::Equal => alike + 1,
                std::cmp::Ordering::Greater => 1,
            };
            if alike == 1 || chance.below(alike) == 0 {
                best = (mean, at);
            }
        }
        Some(best.1)
    }

    /// From now on what the seat does on its ways is weighed by a strategy, or no more.
    pub fn weigh_by(&mut self, strategy: Option<usize>) {
        self.weighs = strategy;
    }

    /// Ways tried since it was asked last.
    pub fn take_tried(&mut self) -> u32 {
        std::mem::take(&mut self.tried)
    }

    /// What each answer came to that was looked at last.
    pub fn means(&self) -> impl Iterator<Item = f64> {
        self.hopes.iter().map(|hope| hope.mean())
    }

    /// Tries the answers in the state at hand: all of them, then the better half, and so on.
    fn weigh(
        &mut self,
        real: &Machine<'p>,
        effort: Effort,
        chance: &mut BotChance,
        worth: &mut dyn FnMut(&mut Machine<'p>, u32) -> f64,
        enough: &dyn Fn() -> bool,
    ) {
        let (count, ways) = (self.hopes.len(), effort.ways);
        self.open.clear();
        self.open.extend(0..count);
        if count > effort.answers {
            for at in 0..effort.answers {
                self.open.swap(at, at + chance.below(count - at));
            }
            self.open.truncate(effort.answers);
        }
        let rounds = usize::BITS - self.open.len().leading_zeros();
        while !self.open.is_empty() {
            let each = (ways / rounds / self.open.len() as u32).max(1);
            for at in 0..self.open.len() {
                let answer = self.open[at];
                for _ in 0..each {
                    if self.hopes[answer].settled {
                        break;
                    }
                    self.try_way(real, answer, chance, worth);
                    if enough() {
                        return;
                    }
                }
            }
            let hopes = &self.hopes;
            self.open.retain(|at| !hopes[*at].settled);
            if self.open.len() <= 2 {
                break;
            }
            let best = |at: &usize| hopes[*at].best.unwrap_or(f64::NEG_INFINITY);
            let order = |a: &usize, b: &usize| best(b).total_cmp(&best(a)).then(a.cmp(b));
            self.open.sort_unstable_by(order);
            self.open.truncate(self.open.len().div_ceil(2));
        }
    }

    /// Gives an answer and plays on at random while it is the same seat's turn.
    fn try_way(
        &mut self,
        real: &Machine<'p>,
        answer: usize,
        chance: &mut BotChance,
        worth: &mut dyn FnMut(&mut Machine<'p>, u32) -> f64,
    ) {
        self.tried += 1;
        let machine = &mut self.machine;
        let seat = real.seat();
        let lot = chance.new_lot();
        machine.drawers.clear();
        let players = machine.program().players as usize;
        machine.drawers.resize(players, Some(lot));
        machine.stand_as(&self.state, real);
        if let Some(strategy) = self.weighs {
            machine.begin_weighing(strategy, seat);
        }
        let turn = machine.turns();
        let mut given = 1;
        let mut stop = machine.answer(answer);
        while matches!(stop, Ok(Stop::Decision))
            && machine.seat() == seat
            && machine.turns() == turn
            && given < WAY_ANSWERS_MAX
        {
            let next = machine.answer_by_lot(lot);
            stop = machine.answer(next);
            given += 1;
        }
        let hope = &mut self.hopes[answer];
        hope.settled = given == 1;
        // A fault of the rules in a state made up is met when it is met.
        if stop.is_ok() {
            let came = worth(machine, seat);
            if machine.check().is_ok() {
                hope.best = Some(hope.best.map_or(came, |best| best.max(came)));
            }
        }
    }
}
