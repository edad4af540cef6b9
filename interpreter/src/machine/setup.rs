//! A machine, and a game at its begin; states saved and loaded.

use super::answers::Answers;
use super::decide::Stop;
use super::history::History;
use super::kinds;
use super::{
    Fault, Halt, Machine, fate, help, learn, ledger, marked, memo, networks, rounds, search, sieve,
    totals, work,
};
use crate::Program;
use crate::ask::Eyes;
use crate::program::*;
use crate::state::State;

impl<'p> Machine<'p> {
    /// A machine without a game: [`Machine::begin`] sets one up.
    pub fn new(program: &'p Program) -> Machine<'p> {
        let mut machine = Machine::bare(program);
        machine.begin_work();
        machine.networks = networks::Cache::new(program);
        machine.sifted = vec![sieve::Sifted::default(); program.sieves.len()];
        machine.totals = totals::Totals::new(program);
        machine.ledgers = ledger::Ledgers::new(program);
        machine.versions = vec![0; program.versions as usize];
        machine.memos = memo::Memos::new(program);
        machine
    }

    /// A machine for expressions that read no state, for the time while rules are loaded: all of these share one bound.
    pub(crate) fn bare(program: &'p Program) -> Machine<'p> {
        let base = program.fixed_words as usize;
        Machine {
            p: program,
            m: vec![0; base + STACK_WORDS_MAX],
            pc: 0,
            fp: base,
            sp: base,
            top: base,
            floor: 0,
            me: 0,
            halt: Halt::No,
            unmet: None,
            fault: None,
            steps: 0,
            work: work::Work::of_loading(program),
            rounds: rounds::Rounds::default(),
            broke_off: false,
            fell_short: false,
            foresaw_fault: false,
            tried: 0,
            mays: 0,
            waking: Vec::new(),
            probing: 0,
            probe_from: 0,
            probe_seat: 0,
            beyond: false,
            all_seeing: false,
            helping: 0,
            probe_left: 0,
            journal: Vec::new(),
            dirty: Vec::new(),
            written: Vec::new(),
            all_dirty: false,
            woken: Vec::new(),
            rules_due: Vec::new(),
            answers: Answers::default(),
            lone: false,
            drawers: Vec::new(),
            lots: Vec::new(),
            candidates: Vec::new(),
            keys: Vec::new(),
            part_words: Vec::new(),
            large_items: Vec::new(),
            large_counts: Vec::new(),
            raws: Vec::new(),
            raw_words: Vec::new(),
            mask_words: Vec::new(),
            met: search::Met::default(),
            known: help::Known::default(),
            bearings: Vec::new(),
            learnt: learn::Learnt::default(),
            extras: Vec::new(),
            cells_sum: 0,
            rooms: kinds::Rooms::default(),
            writes: 0,
            versions: Vec::new(),
            memos: memo::Memos::default(),
            marked: marked::Marks::default(),
            struck: marked::Struck::default(),
            histories: vec![History::default(); program.histories.len()],
            present: Vec::new(),
            noted: Vec::new(),
            counted: Vec::new(),
            networks: networks::Cache::default(),
            sifted: Vec::new(),
            totals: totals::Totals::default(),
            ledgers: ledger::Ledgers::default(),
            trace: None,
            moves: None,
            told: Vec::new(),
            followed: Vec::new(),
            coverage: None,
            entered: None,
            items: None,
            refusals: Vec::new(),
            weighing: None,
            unheard: false,
            counts_refusals: false,
            asked: 0,
            witnesses: None,
            one_by_one: false,
            eyes: Eyes::Open,
            refused_steps: Vec::new(),
            stops_from: 2,
            fate: fate::Fate::default(),
            chance_log: None,
            resolved_log: None,
        }
    }

    /// What it runs.
    pub fn program(&self) -> &'p Program {
        self.p
    }

    /// Sets the game up and runs to its first decision.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn start(&mut self, seed: u64) -> Result<Stop, Fault> {
        self.begin(seed);
        // What lies there at the start has not moved.
        if let Some(moves) = &mut self.moves {
            moves.clear();
        }
        self.go_on()
    }

    /// Sets cells to their starts and stands at the begin of the flow; nothing has run yet.
    pub fn begin(&mut self, seed: u64) {
        self.begin_unfed(seed);
        self.feed();
    }

    /// As [`Machine::begin`], before gaps are filled.
    pub(crate) fn begin_unfed(&mut self, seed: u64) {
        let p = self.p;
        self.reset();
        self.keep_counts();
        // All of it counts as written.
        self.m[..p.blanks.len()].copy_from_slice(&p.blanks);
        self.versions.iter_mut().for_each(|version| *version += 1);
        self.networks.forget();
        self.m[header::SEED_LOW] = seed as u32 as i32;
        self.m[header::SEED_HIGH] = (seed >> 32) as u32 as i32;
        self.m[header::FINISH_LABEL] = NONE;
        self.m[header::CAUSE] = 0;
        let flow = &p.procs[p.flow.at()];
        self.fp = p.fixed_words as usize;
        self.sp = self.fp + flow.frame_words as usize;
        self.top = self.sp;
        self.m[self.fp..self.sp].fill(0);
        self.pc = flow.entry as usize;
        self.sum_cells();
        for slot in &p.start_shuffled {
            self.shuffle_cell(*slot);
        }
        for slot in &p.start_order {
            self.start_cell(*slot);
        }
        self.all_dirty = true;
    }

    /// The words of the state where these cells have their starts; none if one of them cannot be computed.
    pub(crate) fn started(program: &'p Program, cells: &[Slot]) -> Option<Vec<i32>> {
        let mut machine = Machine::bare(program);
        for slot in cells {
            machine.start_cell(*slot);
        }
        machine.keep_work();
        machine.m.truncate(program.fixed_words as usize);
        (machine.halt == Halt::No).then_some(machine.m)
    }

    fn reset(&mut self) {
        self.halt = Halt::No;
        self.unmet = None;
        self.fault = None;
        self.me = 0;
        self.probing = 0;
        self.floor = 0;
        if !self.journal.is_empty() {
            // A look-ahead broke off: what it wrote was not counted.
            self.journal.clear();
            self.networks.forget();
            self.memos.forget();
        }
        self.dirty.clear();
        self.rules_due.clear();
        self.all_dirty = false;
        self.marked.clear();
        self.struck.clear();
        self.forget_met();
        self.answers.clear();
        self.steps = 0;
        self.begin_work();
        self.rounds.clear();
        self.mays = 0;
        self.writes += 1;
    }

    /// Copies the state out.
    pub fn save(&self, state: &mut State) {
        self.save_words(&mut state.words);
        state.marked.clone_from(&self.marked);
        state.struck.clone_from(&self.struck);
        self.save_histories(&mut state.histories);
    }

    pub(crate) fn save_words(&self, words: &mut Vec<i32>) {
        words.clear();
        words.extend_from_slice(&self.m[..self.sp]);
        words[header::PC] = self.pc as i32;
        words[header::FP] = self.fp as i32;
        words[header::SP] = self.sp as i32;
        words[header::ME] = self.me;
    }

    /// Stands where the state was saved. Its decision's answers are found anew.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn load(&mut self, state: &State) -> Result<Stop, Fault> {
        self.restore(state);
        self.go_on()
    }

    /// Copies a state in without looking for its answers.
    pub fn restore(&mut self, state: &State) {
        self.restore_words(&state.words);
        self.marked.clone_from(&state.marked);
        self.struck.clone_from(&state.struck);
        let none = History::default();
        for (at, history) in self.histories.iter_mut().enumerate() {
            history.clone_from(state.histories.get(at).unwrap_or(&none));
        }
        self.keep_counts();
    }

    pub(crate) fn restore_words(&mut self, words: &[i32]) {
        self.reset();
        let fixed = self.p.fixed_words as usize;
        for (at, word) in words[..fixed].iter().enumerate() {
            self.replace(at, *word);
        }
        self.m[fixed..words.len()].copy_from_slice(&words[fixed..]);
        self.pc = words[header::PC] as usize;
        self.fp = words[header::FP] as usize;
        self.sp = words[header::SP] as usize;
        self.me = words[header::ME];
        self.top = self.sp;
        self.sum_cells();
    }

    /// Stands at a decision, or the end, of which all is known.
    pub(crate) fn stand(&mut self, state: &State, answers: &Answers, asked: usize) {
        self.restore(state);
        self.answers.clone_from(answers);
        self.asked = asked;
    }

    /// Stands where another machine stands, with its answers, in a state of the same decision that somebody made up. What came
    /// before is not known.
    pub(crate) fn stand_as(&mut self, state: &State, real: &Machine<'p>) {
        self.restore(state);
        self.copy_anew();
        self.answers.copy_from(&real.answers);
        self.asked = real.asked;
        self.lone = false;
    }

    /// Stands at the decision of a state that somebody made up, and finds its answers. What came before is not known.
    ///
    /// # Errors
    /// A fault of the rules.
    pub(crate) fn stand_in(&mut self, state: &State) -> Result<Stop, Fault> {
        self.restore(state);
        self.copy_anew();
        self.go_on()
    }

    /// Copies in open frames of what nobody sees are made again, of what the state holds now.
    fn copy_anew(&mut self) {
        let p = self.p;
        let secrets = p.secrets();
        if !secrets.copy_anything() {
            return;
        }
        let recorded = (self.chance_log.take(), self.trace.take());
        let (mut pc, mut fp, own) = (self.pc, self.fp, (self.pc, self.fp, self.me));
        loop {
            for at in secrets.copies(p, pc) {
                (self.pc, self.fp) = (at, fp);
                match p.code[at] {
                    Op::Let(local, value) => {
                        let value = self.ev(value);
                        self.m[fp + local as usize] = if self.halt == Halt::No { value } else { 0 };
                    }
                    Op::LetWords(local, value) => self.let_words(local, value),
                    _ => {}
                }
                self.halt = Halt::No;
                self.fault = None;
                self.top = self.sp;
            }
            if fp == p.fixed_words as usize {
                break;
            }
            pc = self.m[fp + frame::RETURN_PC] as usize;
            self.me = self.m[fp + frame::ME];
            fp = self.m[fp + frame::CALLER] as usize;
        }
        (self.pc, self.fp, self.me) = own;
        (self.chance_log, self.trace) = recorded;
    }
}
