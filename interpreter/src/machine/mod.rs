//! The machine that runs a [`Program`]: one block of words, no allocation once its buffers have grown.
//!
//! The block holds everything that changes in a game: header, cells, `when` bits, chance counters, then the frames of the
//! bodies that are running. A decision leaves the machine standing at an instruction; answering it runs on to the next.
//! Looking ahead writes into the same block and keeps a journal of what to put back.

mod agenda;
mod answers;
mod containers;
mod decide;
mod ending;
mod eval;
mod fate;
mod feed;
pub(crate) mod form;
mod glance;
mod help;
mod history;
mod item;
mod learn;
pub(crate) mod look;
pub(crate) mod lots;
mod marked;
mod memo;
mod moment;
mod networks;
mod offer;
mod operand;
mod parts;
mod put_back;
mod recall;
mod rounds;
mod run;
mod scan;
mod score;
mod search;
mod settle;
mod sieve;
mod tally;
mod totals;
mod trying;
mod witness;
mod work;
mod zones;

use crate::ask::Eyes;
use crate::program::*;
use crate::state::State;
use dsl::source::Span;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

pub use answers::{Answer, AnswerKind, Answers};
pub use decide::Stop;
pub(crate) use history::History;
pub(crate) use marked::{Marked, Struck};
pub(crate) use trying::Outcome;
pub(crate) use witness::Witness;
pub(crate) use zones::Target;

/// Where a container's words lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loc {
    State(usize),
    Const(usize),
}

/// Why a way does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    No,
    /// Something written is not fulfilled.
    Fail,
    /// Something not yet seen would have to be known.
    Unknown,
    /// The rules themselves are wrong.
    Fault,
}

/// The unmet requirement met last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unmet {
    pub reason: ReasonId,
    /// What was needed and what was found, where both are numbers.
    pub needed: Option<i32>,
    pub found: Option<i32>,
}

/// A mistake of the rules met at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub span: Span,
    pub message: String,
    pub unmet: Option<Unmet>,
    /// Where the `always` stands that would be broken, if that is it.
    pub rule: Option<Span>,
}

/// A word of the state that was written; at the end of a list [`NONE`](crate::program::NONE) stands for nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Write {
    pub word: u32,
    pub old: i32,
    pub new: i32,
}

/// A change of the state, for logs; recorded on request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A word of a cell changed. Behind the end of a list lies [`NONE`].
    Write {
        word: u32,
        old: i32,
        new: i32,
        pc: u32,
    },
    /// An action, effect or `when` begins.
    Enter { proc: ProcId, me: i32 },
    /// A decision that had one answer.
    Resolved { pc: u32, me: i32 },
    /// Chance: the stream and how often it was used before.
    Chance { stream: u32, count: i32 },
}

/// See the module.
pub struct Machine<'p> {
    pub(crate) p: &'p Program,
    pub(crate) m: Vec<i32>,
    pub(crate) pc: usize,
    pub(crate) fp: usize,
    /// End of the running frame.
    pub(crate) sp: usize,
    /// End of temporaries, at least `sp`.
    pub(crate) top: usize,
    /// Temporaries lie above: what looking ahead will put back ends here, and so does what its journal keeps.
    pub(crate) floor: usize,
    pub(crate) me: i32,
    pub(crate) halt: Halt,
    pub(crate) unmet: Option<Unmet>,
    /// Where a fault lies, if that is known already, and what it is.
    pub(crate) fault: Option<(Option<Span>, String)>,
    pub(crate) steps: u32,
    pub(crate) work: work::Work,
    pub(crate) rounds: rounds::Rounds,
    /// Looking ahead from the decision at hand came to a bound.
    pub(crate) broke_off: bool,
    /// Answers looked at so far, to see whether there were any.
    pub(crate) tried: u64,
    /// `when`s that fired after an answer had come to more than half of what it may.
    pub(crate) waking: Vec<u32>,
    /// How many `may`s are being listed one inside the other.
    pub(crate) mays: u32,
    /// Depth of look-aheads running.
    pub(crate) probing: u32,
    /// How deep the decision lies that is looked ahead from: 0, or inside an explanation.
    pub(crate) probe_from: u32,
    pub(crate) probe_seat: i32,
    pub(crate) probe_left: u32,
    pub(crate) journal: Vec<(u32, i32)>,
    pub(crate) dirty: Vec<u32>,
    /// Written words put aside while `can` looks ahead, used as a stack.
    pub(crate) written: Vec<u32>,
    pub(crate) all_dirty: bool,
    pub(crate) woken: Vec<Watcher>,
    pub(crate) rules_due: Vec<Watcher>,
    pub(crate) answers: Answers,
    /// Of the decision at hand it is known at once that there is no choice.
    pub(crate) lone: bool,
    /// The lots of the seats that answer at random: at their decisions `answers` holds the one they take and,
    /// where it matters, one other.
    pub(crate) drawers: Vec<Option<u64>>,
    pub(crate) lots: Vec<u64>,
    /// Candidate values and their sort keys, used as a stack.
    pub(crate) candidates: Vec<i32>,
    pub(crate) keys: Vec<i32>,
    /// Words of parts being listed, used as a stack.
    pub(crate) part_words: Vec<i32>,
    /// Kinds and counts of the part of a large zone that is being listed.
    pub(crate) large_items: Vec<(i32, i32)>,
    pub(crate) large_counts: Vec<i32>,
    /// Candidates found inside a `may`, used as a stack.
    pub(crate) raws: Vec<answers::Raw>,
    /// Their words, used as a stack.
    pub(crate) raw_words: Vec<i32>,
    pub(crate) mask_words: Vec<u64>,
    pub(crate) met: search::Met,
    /// What the items of agendas come to.
    pub(crate) known: help::Known,
    pub(crate) bearings: Vec<Bearing>,
    /// What the failures met since the decision at hand look at.
    pub(crate) learnt: learn::Learnt,
    /// What may be done before the decisions being looked ahead from, used as a stack.
    pub(crate) extras: Vec<learn::Extra>,
    /// Sum over the words before the frames, kept up with every write: what was met while looking ahead is met again when the
    /// answer has been given.
    pub(crate) cells_sum: u64,
    pub(crate) rooms: parts::Rooms,
    /// Grows with every write of a cell.
    pub(crate) writes: u64,
    /// Each grows with every write of its words that is not looking ahead.
    pub(crate) versions: Vec<u64>,
    pub(crate) recalled: Vec<recall::Recalled>,
    pub(crate) memos: memo::Memos,
    /// States and answers that led to a dead end although they were offered.
    pub(crate) marked: Vec<marked::Marked>,
    /// How many of `marked` count; the others lend their room.
    pub(crate) marked_count: usize,
    pub(crate) struck: marked::Struck,
    pub(crate) histories: Vec<History>,
    /// The position at hand, while it is compared.
    pub(crate) present: Vec<i32>,
    /// Of each of `marked`: what had been noted and counted before it; and what was counted since the first of them.
    pub(crate) noted: Vec<tally::Noted>,
    pub(crate) counted: Vec<tally::Counted>,
    pub(crate) networks: networks::Cache,
    pub(crate) sifted: Vec<sieve::Sifted>,
    pub(crate) totals: totals::Totals,
    /// `None`: off.
    pub(crate) trace: Option<Vec<Event>>,
    /// Writes of the fixed part since they were taken last, if anybody follows them.
    pub(crate) moves: Option<Vec<Write>>,
    /// Somebody wants to know of each write: there is a trace, or moves are followed.
    pub(super) tells_writes: bool,
    /// The instruction that called the end which stands.
    pub(crate) finish_pc: usize,
    /// How often each instruction ran, looking ahead apart; `None`: off.
    pub(crate) coverage: Option<Vec<u64>>,
    /// How often each body began, by proc.
    pub(crate) entered: Option<Vec<u64>>,
    /// How often each menu item was chosen, menu by menu; `None`: off.
    pub(crate) items: Option<Vec<u64>>,
    /// How often each reason refused something; empty: never counted.
    pub(crate) refusals: Vec<u64>,
    /// Refusals are counted now.
    pub(crate) counts_refusals: bool,
    /// The instruction whose question the answers answer: of a `may` often one inside its body.
    pub(crate) asked: usize,
    /// Everything refused, for explanations; `None`: off.
    pub(crate) witnesses: Option<Vec<Witness>>,
    /// Who hears what is said of refusals.
    pub(crate) eyes: Eyes,
    /// Steps of walks that were not offered, and why; kept while refusals are watched.
    pub(crate) refused_steps: Vec<(Answer, Witness)>,
    /// Where a decision has fewer answers, the machine goes on by itself. 2: only one who has a choice is asked; 0: it stands
    /// at every decision.
    pub(crate) stops_from: usize,
    /// Outcomes to use instead of the generator's.
    pub(crate) fate: fate::Fate,
    /// Outcomes since the last call of [`Machine::take_chance`]; `None`: not recorded.
    pub(crate) chance_log: Option<Vec<(u32, Vec<i32>)>>,
    /// Answers taken without asking, recorded on request.
    pub(crate) resolved_log: Option<Vec<(i32, Answer)>>,
}

impl<'p> Machine<'p> {
    pub fn new(program: &'p Program) -> Machine<'p> {
        let mut machine = Machine::bare(program);
        machine.begin_work();
        machine.networks = networks::Cache::new(program);
        machine.sifted = vec![sieve::Sifted::default(); program.sieves.len()];
        machine.totals = totals::Totals::new(program);
        machine.versions = vec![0; program.versions as usize];
        machine.memos = memo::Memos::new(program);
        machine.recalled = recall::Recalled::all(program);
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
            tried: 0,
            mays: 0,
            waking: Vec::new(),
            probing: 0,
            probe_from: 0,
            probe_seat: 0,
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
            rooms: parts::Rooms::default(),
            writes: 0,
            versions: Vec::new(),
            recalled: Vec::new(),
            memos: memo::Memos::default(),
            marked: Vec::new(),
            marked_count: 0,
            struck: marked::Struck::default(),
            histories: vec![History::default(); program.histories.len()],
            present: Vec::new(),
            noted: Vec::new(),
            counted: Vec::new(),
            networks: networks::Cache::default(),
            sifted: Vec::new(),
            totals: totals::Totals::default(),
            trace: None,
            moves: None,
            tells_writes: false,
            finish_pc: 0,
            coverage: None,
            entered: None,
            items: None,
            refusals: Vec::new(),
            counts_refusals: false,
            asked: 0,
            witnesses: None,
            eyes: Eyes::Open,
            refused_steps: Vec::new(),
            stops_from: 2,
            fate: fate::Fate::default(),
            chance_log: None,
            resolved_log: None,
        }
    }

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
            self.forget_recalled();
        }
        self.dirty.clear();
        self.rules_due.clear();
        self.all_dirty = false;
        self.marked_count = 0;
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
        state.marked.clear();
        let marked = &self.marked[..self.marked_count];
        state.marked.extend_from_slice(marked);
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
    pub(crate) fn restore(&mut self, state: &State) {
        self.restore_words(&state.words);
        self.marked.clone_from(&state.marked);
        self.marked_count = self.marked.len();
        self.struck.clone_from(&state.struck);
        self.histories.clone_from(&state.histories);
        let count = self.p.histories.len();
        self.histories.resize_with(count, History::default);
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

    /// Runs something in another state of the same decision, with the answers of this one, and comes back to it.
    pub(crate) fn imagine<T>(
        &mut self,
        real: &[i32],
        other: &mut State,
        run: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let (answers, asked) = (std::mem::take(&mut self.answers), self.asked);
        let (steps, lone, marked) = (self.steps, self.lone, self.marked_count);
        let struck = std::mem::take(&mut self.struck);
        // What is refused there is refused nowhere.
        let counts = std::mem::replace(&mut self.counts_refusals, false);
        // Positions that came before are of the real state.
        other.forget_histories(self.histories.len());
        std::mem::swap(&mut self.histories, &mut other.histories);
        self.restore_words(&other.words);
        self.copy_anew();
        self.answers = answers;
        let result = run(self);
        let answers = std::mem::take(&mut self.answers);
        self.restore_words(real);
        std::mem::swap(&mut self.histories, &mut other.histories);
        (self.answers, self.struck, self.marked_count) = (answers, struck, marked);
        self.counts_refusals = counts;
        (self.asked, self.steps, self.lone) = (asked, steps, lone);
        result
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

    /// The word at an address of the state.
    pub fn word(&self, word: u32) -> i32 {
        self.m[word as usize]
    }

    pub fn is_over(&self) -> bool {
        self.m[header::ENDED] != 0
    }

    /// The seat that is asked.
    pub fn seat(&self) -> u32 {
        self.me as u32
    }

    pub fn answers(&self) -> &Answers {
        &self.answers
    }

    /// Answers tried to find those of this decision, at most [`PROBE_ANSWERS_MAX`](crate::program::PROBE_ANSWERS_MAX).
    pub fn tries(&self) -> u32 {
        PROBE_ANSWERS_MAX.saturating_sub(self.probe_left)
    }

    /// Instruction the machine stands at, and its place in the rules.
    pub fn position(&self) -> (usize, Span) {
        (self.pc, self.p.op_spans[self.pc])
    }

    /// The last unmet requirement.
    pub fn unmet(&self) -> Option<Unmet> {
        self.unmet
    }

    pub fn set_trace(&mut self, on: bool) {
        self.trace = on.then(Vec::new);
        self.tells_writes = on || self.moves.is_some();
    }

    /// Notes each write from now on, or no longer.
    pub(crate) fn follow_moves(&mut self, on: bool) {
        if on != self.moves.is_some() {
            self.moves = on.then(Vec::new);
        }
        self.tells_writes = on || self.trace.is_some();
    }

    /// Hands over what was written since then; the list given is used from now on.
    pub(crate) fn take_moves(&mut self, writes: &mut Vec<Write>) {
        writes.clear();
        self.noted.iter_mut().for_each(tally::Noted::moves_taken);
        if let Some(moves) = &mut self.moves {
            std::mem::swap(moves, writes);
        }
    }

    pub fn take_trace(&mut self) -> Vec<Event> {
        self.noted.iter_mut().for_each(tally::Noted::events_taken);
        self.trace.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Counts how often each instruction runs, each body is entered and each reason refuses.
    pub fn set_coverage(&mut self, on: bool) {
        self.coverage = on.then(|| vec![0; self.p.code.len()]);
        self.entered = on.then(|| vec![0; self.p.procs.len()]);
        let items = self.p.menus.iter().map(|menu| menu.items.len()).sum();
        self.items = on.then(|| vec![0; items]);
        self.refusals = vec![0; self.p.reasons.len()];
        self.counts_refusals = on;
    }

    /// Counts refusals from now on, or no longer; looking ahead is quicker where nobody counts them.
    pub(crate) fn count_refusals(&mut self, on: bool) {
        self.counts_refusals = on;
    }

    /// Runs of each instruction, beginnings of each body, refusals of each reason, choices of each menu item.
    pub(crate) fn counts(&self) -> Option<[&[u64]; 4]> {
        Some([
            self.coverage.as_deref()?,
            self.entered.as_deref()?,
            &self.refusals,
            self.items.as_deref()?,
        ])
    }

    /// What went wrong while something was evaluated.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn check(&mut self) -> Result<(), Fault> {
        match self.halt {
            Halt::No => Ok(()),
            _ => Err(self.take_fault()),
        }
    }

    /// Keeps what chance decides, and answers that resolve themselves.
    pub fn set_recording(&mut self, on: bool) {
        self.chance_log = on.then(Vec::new);
        self.resolved_log = on.then(Vec::new);
    }

    pub fn take_chance(&mut self) -> Vec<(u32, Vec<i32>)> {
        self.noted.iter_mut().for_each(tally::Noted::chance_taken);
        self.chance_log
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }

    pub fn take_resolved(&mut self) -> Vec<(i32, Answer)> {
        self.noted.iter_mut().for_each(tally::Noted::resolved_taken);
        self.resolved_log
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }

    // ---------------------------------------------------------------------------------------------- writing

    /// Every change of the state goes through here. Most writes change nothing: these cost a comparison.
    #[inline(always)]
    pub(crate) fn set(&mut self, at: usize, value: i32) {
        let old = self.m[at];
        if old != value {
            self.change(at, old, value);
        }
    }

    /// As [`Machine::set`], of a word of the running frame, by its distance from the frame's begin.
    #[inline(always)]
    pub(crate) fn set_local(&mut self, local: u32, value: i32) {
        let at = self.fp + local as usize;
        if at < self.floor {
            self.set(at, value);
        } else {
            // Nothing that was alive when a look-ahead began lies here, and nothing watches a frame.
            self.m[at] = value;
        }
    }

    fn change(&mut self, at: usize, old: i32, value: i32) {
        self.m[at] = value;
        let Some(word) = self.p.words.get(at) else {
            return self.note_local(at, old);
        };
        let change = i64::from(value) - i64::from(old);
        self.cells_sum = self
            .cells_sum
            .wrapping_add(word.key.wrapping_mul(change as u64));
        self.writes += 1;
        if self.probing > 0 || self.tells_writes || word.is_watched() {
            self.tell(at, word, old, value);
        } else {
            self.raise(word);
        }
    }

    #[inline(never)]
    fn note_local(&mut self, at: usize, old: i32) {
        if at < self.floor {
            self.journal.push((at as u32, old));
        }
    }

    /// Notes that a word of the fixed part was written, for all who may want to know. Apart from [`Machine::change`],
    /// which so needs no room on the stack.
    #[inline(never)]
    fn tell(&mut self, at: usize, word: &Word, old: i32, value: i32) {
        if self.probing > 0 {
            self.journal.push((at as u32, old));
        } else {
            self.raise(word);
            if self.tells_writes {
                self.note_write(at, old, value);
            }
        }
        if word.wakes() {
            self.dirty.push(at as u32);
        }
        if word.touches() {
            self.touch(at);
        }
    }

    /// The word's version grows, if it has one.
    #[inline]
    fn raise(&mut self, word: &Word) {
        if let Some(version) = self.versions.get_mut(word.version as usize) {
            *version += 1;
        }
    }

    /// Copies a word of the fixed part in from elsewhere: it counts as written if it differs, but wakes nothing.
    #[inline]
    fn replace(&mut self, at: usize, value: i32) {
        if self.m[at] != value {
            self.m[at] = value;
            let word = &self.p.words[at];
            self.raise(word);
            if word.touches() {
                self.touch(at);
            }
        }
    }

    /// Tells those who must know at once that a word was written.
    pub(crate) fn touch(&mut self, at: usize) {
        for watcher in self.p.touched_by(at) {
            match *watcher {
                Watcher::Network { network, owner } => self.networks.touch(network, owner),
                Watcher::Rule { .. } | Watcher::When { .. } => {}
            }
        }
    }

    #[cold]
    pub(crate) fn note_write(&mut self, at: usize, old: i32, new: i32) {
        let pc = self.pc as u32;
        if at >= self.p.fixed_words as usize {
            return;
        }
        if let Some(moves) = &mut self.moves {
            moves.push(Write {
                word: at as u32,
                old,
                new,
            });
        }
        if let Some(trace) = &mut self.trace {
            trace.push(Event::Write {
                word: at as u32,
                old,
                new,
                pc,
            });
        }
    }

    #[cold]
    pub(crate) fn fail(&mut self, reason: ReasonId, needed: Option<i32>, found: Option<i32>) {
        if self.halt == Halt::No {
            self.halt = Halt::Fail;
            let unmet = Unmet {
                reason,
                needed,
                found,
            };
            self.unmet = Some(unmet);
            if self.witnesses.is_some() {
                self.note_witness(unmet);
            }
            self.count_refusal(reason);
        }
    }

    #[cold]
    pub(crate) fn unknown(&mut self) -> i32 {
        if self.halt == Halt::No {
            self.halt = Halt::Unknown;
        }
        0
    }

    #[cold]
    pub(crate) fn broken(&mut self, span: Span, message: impl Into<String>) {
        self.breaks(Some(span), message.into());
    }

    /// As [`Machine::broken`] where what a node makes cannot be made: the node says where, in a statement the statement.
    #[cold]
    pub(super) fn cannot_be_made(&mut self, message: impl Into<String>) {
        self.breaks(None, message.into());
    }

    fn breaks(&mut self, span: Option<Span>, message: String) {
        if self.halt == Halt::No {
            self.halt = Halt::Fault;
            self.fault = Some((span, message));
        }
    }

    /// A fault of which nobody has said yet where it lies, lies there.
    #[cold]
    pub(super) fn breaks_at(&mut self, span: Span) {
        if let Some((at, _)) = &mut self.fault {
            at.get_or_insert(span);
        }
    }

    pub(crate) fn here(&self) -> Span {
        self.p.op_spans[self.pc]
    }

    // ---------------------------------------------------------------------------------------------- chance

    /// A generator for the next use of a stream.
    pub(crate) fn generator(&mut self, stream: u32) -> ChaCha8Rng {
        let word = (self.p.stream_base + stream) as usize;
        let count = self.m[word];
        self.set(word, count + 1);
        let mut seed = [0; 32];
        seed[..4].copy_from_slice(&self.m[header::SEED_LOW].to_le_bytes());
        seed[4..8].copy_from_slice(&self.m[header::SEED_HIGH].to_le_bytes());
        seed[8..16].copy_from_slice(&self.p.stream_keys[stream as usize].0.to_le_bytes());
        seed[16..20].copy_from_slice(&count.to_le_bytes());
        ChaCha8Rng::from_seed(seed)
    }

    /// A number below `n` (at least 1), without bias.
    pub(crate) fn below(rng: &mut ChaCha8Rng, n: u32) -> u32 {
        // Lemire's method: the high half of a product, refusing the few low halves that would favour some numbers.
        loop {
            let product = u64::from(rng.next_u32()) * u64::from(n);
            if product as u32 >= n.wrapping_neg() % n {
                return (product >> 32) as u32;
            }
        }
    }

    pub(crate) fn note_chance(&mut self, stream: u32, outcome: &[i32]) {
        if self.probing > 0 {
            return;
        }
        if let Some(log) = &mut self.chance_log {
            log.push((stream, outcome.to_vec()));
        }
        let count = self.m[(self.p.stream_base + stream) as usize] - 1;
        if let Some(trace) = &mut self.trace {
            trace.push(Event::Chance { stream, count });
        }
    }

    // ---------------------------------------------------------------------------------------------- frames

    /// Opens a frame for a body that returns to `return_pc`; parameters are filled by the caller.
    pub(crate) fn push_frame(&mut self, proc: ProcId, return_pc: usize) -> usize {
        let words = self.p.procs[proc.at()].frame_words as usize;
        let base = self.sp;
        if base + words + 1024 > self.m.len() {
            let span = self.here();
            self.broken(
                span,
                "too many calls are open: does an action call itself without end?",
            );
            return base;
        }
        self.count_step();
        let kept = base.max(self.floor).min(base + words);
        // Where something else lay before, all of it is put back, also what is 0: not all that is written into a frame leaves
        // a trace.
        for at in base..kept {
            let before = std::mem::take(&mut self.m[at]);
            self.journal.push((at as u32, before));
        }
        self.m[kept..base + words].fill(0);
        let caller = std::mem::replace(&mut self.fp, base);
        self.set_local(frame::RETURN_PC as u32, return_pc as i32);
        self.set_local(frame::CALLER as u32, caller as i32);
        self.set_local(frame::ME as u32, self.me);
        self.sp = base + words;
        self.top = self.sp.max(self.floor);
        self.pc = self.p.procs[proc.at()].entry as usize;
        if self.probing == 0 {
            self.count_entry(proc);
            if let Some(trace) = &mut self.trace {
                trace.push(Event::Enter { proc, me: self.me });
            }
        }
        base
    }

    pub(crate) fn pop_frame(&mut self) {
        self.pc = self.m[self.fp + frame::RETURN_PC] as usize;
        self.me = self.m[self.fp + frame::ME];
        self.sp = self.fp;
        self.fp = self.m[self.fp + frame::CALLER] as usize;
        self.top = self.sp.max(self.floor);
    }

    pub(crate) fn in_flow(&self) -> bool {
        self.fp == self.p.fixed_words as usize
    }
}
