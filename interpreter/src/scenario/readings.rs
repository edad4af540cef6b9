//! Which answers of a case are written and which have resolved themselves: what all its answers together can mean.
//!
//! Expectations have no say in it. All readings of the lines so far are followed side by side, those that lead to one position
//! as one, so that it costs no more the longer a case is.

use super::given::Supply;
use super::{Begun, Run, Stopped};
use crate::Program;
use crate::machine::Fate;
use crate::state::State;
use dsl::ir::ScenarioStepKind;
use dsl::source::Span;

/// Readings that are followed side by side.
const READINGS_MAX: usize = 64;

/// For each line of answers, which of the ways in which it can be read is meant; the first one is number 0.
pub(super) type Picks = Vec<u32>;

/// Where a case stands.
pub(super) struct Stand {
    state: State,
    fate: Fate,
    supply: Supply,
    open: Option<Begun>,
    depth: Option<usize>,
}

impl<'p> Run<'p> {
    /// The first reading in which each answer of the case is offered where it stands.
    pub(super) fn reading(mut self, stops: Option<&'p Program>) -> Option<Picks> {
        self.set_up(stops).ok()?;
        self.machine.coverage = None;
        let span = self.scenario.span;
        let mut all = vec![(Picks::new(), self.stand_here())];
        for at in 0..self.scenario.steps.len() {
            let mut next = Vec::new();
            for (picks, stand) in &all {
                self.read_step(at, picks, stand, &mut next);
            }
            all = next;
        }
        let whole = all.iter().find(|(_, stand)| {
            let back = self.go_to(stand, span);
            back.and_then(|()| self.last_is_whole()).is_ok()
        });
        whole.or(all.first()).map(|(picks, _)| picks.clone())
    }

    /// Adds where the readings of a step lead from there.
    fn read_step(
        &mut self,
        at: usize,
        picks: &Picks,
        from: &Stand,
        next: &mut Vec<(Picks, Stand)>,
    ) {
        let span = self.scenario.span;
        let kind = &self.scenario.steps[at].kind;
        let is_line = matches!(kind, ScenarioStepKind::Answers(_));
        let expects = matches!(kind, ScenarioStepKind::Expect(..));
        for pick in 0.. {
            let back = self.go_to(from, span);
            let read = back.and_then(|()| if expects { Ok(()) } else { self.step(at, pick) });
            if read.is_err() || next.len() >= READINGS_MAX {
                return;
            }
            let stand = self.stand_here();
            let same = |(_, other): &(Picks, Stand)| {
                other.state == stand.state && other.fate == stand.fate
            };
            if !next.iter().any(same) {
                let picked = picks.iter().copied().chain(is_line.then_some(pick));
                next.push((picked.collect(), stand));
            }
            if !is_line {
                return;
            }
        }
    }

    pub(super) fn stand_here(&self) -> Stand {
        let mut state = State::new();
        self.machine.save(&mut state);
        Stand {
            state,
            fate: self.machine.fate.clone(),
            supply: self.supply.clone(),
            open: self.open.clone(),
            depth: self.depth,
        }
    }

    /// Puts everything back as it was, the log apart.
    pub(super) fn go_to(&mut self, stand: &Stand, span: Span) -> Result<(), Stopped> {
        self.machine.fate.clone_from(&stand.fate);
        self.supply.clone_from(&stand.supply);
        (self.open, self.depth) = (stand.open.clone(), stand.depth);
        let loaded = self.machine.load(&stand.state);
        loaded.map_err(|fault| self.fault(&fault, span))?;
        self.machine.take_trace();
        Ok(())
    }
}
