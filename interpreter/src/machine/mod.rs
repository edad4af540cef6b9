//! The machine that runs a [`Program`]: one block of words, no allocation once its buffers have grown.
//!
//! The block holds everything that changes in a game: header, cells, `when` bits, chance counters, then the frames of the
//! bodies that are running. A decision leaves the machine standing at an instruction; answering it runs on to the next.
//! Looking ahead writes into the same block and keeps a journal of what to put back.

mod agenda;
mod answers;
mod best_walks;
mod chance;
mod containers;
mod contents;
mod course;
mod decide;
mod early_end;
mod ending;
mod eval;
mod fate;
mod fates;
mod features;
mod feed;
pub(crate) mod form;
mod frames;
mod glance;
mod halt;
mod hash;
mod help;
mod history;
mod item;
mod kinds;
mod labels;
mod laid;
mod learn;
mod ledger;
pub(crate) mod look;
mod loops;
pub(crate) mod lots;
mod marked;
mod memo;
mod moment;
mod moves;
mod networks;
mod offer;
mod operand;
mod others;
mod parts;
mod put_back;
mod rays;
mod rounds;
mod run;
mod scan;
mod score;
mod search;
mod settle;
mod setup;
mod sieve;
mod tally;
mod targets;
mod together;
mod totals;
mod trying;
mod walk_steps;
mod walks_at_once;
mod weigh;
mod witness;
mod work;
mod write;
mod zones;

use crate::Program;
use crate::ask::Eyes;
use crate::program::*;
use dsl::source::Span;

pub use answers::{Answer, AnswerKind, Answers};
pub use decide::Stop;
pub(crate) use fate::{Branches, Fate};
pub(crate) use history::History;
pub(crate) use marked::{Marks, Struck};
pub(crate) use targets::Target;
pub(crate) use trying::Outcome;
pub(crate) use witness::Witness;

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
    /// The reason that the rules give.
    pub reason: ReasonId,
    /// What was needed and what was found, where both are numbers.
    pub needed: Option<i32>,
    /// What was there in its place.
    pub found: Option<i32>,
}

/// A mistake of the rules met at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where in the rules.
    pub span: Span,
    /// What is wrong, for people.
    pub message: String,
    /// What was not fulfilled, if that is it.
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
        /// Number of the word in the state.
        word: u32,
        /// What it held before.
        old: i32,
        /// What it holds now.
        new: i32,
        /// The instruction that wrote it.
        pc: u32,
    },
    /// An action, effect or `when` begins.
    Enter {
        /// Its body.
        proc: ProcId,
        /// For whom: a seat.
        me: i32,
    },
    /// A decision that had one answer.
    Resolved {
        /// Where the machine stood.
        pc: u32,
        /// Who was asked.
        me: i32,
    },
    /// Chance.
    Chance {
        /// Which of the streams.
        stream: u32,
        /// How often it was used before.
        count: i32,
        /// What came out, if that is one thing.
        found: Option<i32>,
        /// Who acted: a seat.
        me: i32,
    },
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
    /// The same for its part behind a question to somebody else.
    pub(crate) fell_short: bool,
    /// Looking ahead from this decision met a fault of the rules.
    pub(crate) foresaw_fault: bool,
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
    /// Each question is asked alone, also where several are answered at once.
    pub(crate) one_by_one: bool,
    pub(crate) probe_seat: i32,
    /// The look-ahead has come to a question to somebody else.
    pub(crate) beyond: bool,
    /// Looking ahead is not on behalf of a player.
    pub(crate) all_seeing: bool,
    /// How many answers deep the one lies that is looked for behind the one that is looked ahead from.
    pub(crate) helping: u32,
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
    pub(crate) rooms: kinds::Rooms,
    /// Grows with every write of a cell.
    pub(crate) writes: u64,
    /// Each grows with every write of its words that is not looking ahead.
    pub(crate) versions: Vec<u64>,
    pub(crate) memos: memo::Memos,
    /// States and answers that led to a dead end although they were offered.
    pub(crate) marked: marked::Marks,
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
    pub(crate) ledgers: ledger::Ledgers,
    /// `None`: off.
    pub(crate) trace: Option<Vec<Event>>,
    /// Writes of the fixed part since they were taken last, if anybody follows them.
    pub(crate) moves: Option<Vec<Write>>,
    /// For each word whether somebody wants to know of writes: all if there is a trace, those of which moves are followed.
    pub(super) told: Vec<bool>,
    followed: Vec<bool>,
    /// How often each instruction ran, looking ahead apart; `None`: off.
    pub(crate) coverage: Option<Vec<u64>>,
    /// How often each body began, by proc.
    pub(crate) entered: Option<Vec<u64>>,
    /// How often each menu item was chosen, menu by menu; `None`: off.
    pub(crate) items: Option<Vec<u64>>,
    /// How often each reason refused something; empty: never counted.
    pub(crate) refusals: Vec<u64>,
    /// Whose deeds are weighed by a strategy; none: nobody's.
    pub(crate) weighing: Option<weigh::Weighing>,
    /// Nobody hears why nothing goes on: this is somebody's thought.
    pub(crate) unheard: bool,
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
    pub(crate) fate: Fate,
    /// Outcomes since the last call of [`Machine::take_chance`]; `None`: not recorded.
    pub(crate) chance_log: Option<Vec<(u32, Vec<i32>)>>,
    /// Answers taken without asking, recorded on request.
    pub(crate) resolved_log: Option<Vec<(i32, Answer)>>,
}

impl<'p> Machine<'p> {
    /// The word at an address of the state.
    pub fn word(&self, word: u32) -> i32 {
        self.m[word as usize]
    }

    /// The game is over.
    pub fn is_over(&self) -> bool {
        self.m[header::ENDED] != 0
    }

    /// The seat that is asked.
    pub fn seat(&self) -> u32 {
        self.me as u32
    }

    /// Passes of the step `turn` that have begun, if the rules have one.
    pub fn turns(&self) -> Option<i32> {
        let label = self.p.turn_label?;
        Some(self.word(self.p.label_words[label.index()]))
    }

    /// What may be answered at this decision.
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

    /// Whether what happens is kept for [`Machine::take_trace`].
    pub fn set_trace(&mut self, on: bool) {
        self.trace = on.then(Vec::new);
        self.say_who_is_told();
    }

    /// Notes each write of these words from now on; of none nothing is noted.
    pub(crate) fn follow_moves(&mut self, words: Vec<bool>) {
        self.moves = words.contains(&true).then(Vec::new);
        self.followed = words;
        self.say_who_is_told();
    }

    fn say_who_is_told(&mut self) {
        self.told.clone_from(&self.followed);
        if self.trace.is_some() {
            self.told.clear();
            self.told.resize(self.p.fixed_words as usize, true);
        }
    }

    /// Hands over what was written since then; the list given is used from now on.
    pub(crate) fn take_moves(&mut self, writes: &mut Vec<Write>) {
        writes.clear();
        self.noted.iter_mut().for_each(tally::Noted::moves_taken);
        if let Some(moves) = &mut self.moves {
            std::mem::swap(moves, writes);
        }
    }

    /// What happened since it was taken last.
    pub fn take_trace(&mut self) -> Vec<Event> {
        self.noted.iter_mut().for_each(tally::Noted::events_taken);
        self.trace.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Counts how often each instruction runs, each body is entered and each reason refuses.
    pub fn set_coverage(&mut self, on: bool) {
        self.coverage = on.then(|| vec![0; self.p.code.len()]);
        // Of each seat, and behind them of nobody.
        let seats = self.p.players as usize + 1;
        self.entered = on.then(|| vec![0; self.p.procs.len() * seats]);
        let items: usize = self.p.menus.iter().map(|menu| menu.items.len()).sum();
        self.items = on.then(|| vec![0; items * seats]);
        self.refusals = vec![0; self.p.reasons.len()];
        self.counts_refusals = on;
    }

    /// Counts refusals from now on, or no longer; looking ahead is quicker where nobody counts them.
    pub(crate) fn count_refusals(&mut self, on: bool) {
        self.counts_refusals = on;
    }

    /// Runs of each instruction, beginnings of each body, refusals of each reason, choices of each menu item; of bodies and items
    /// those of each seat, one behind the other, then nobody's.
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

    /// What chance decided since it was taken last, by stream.
    pub fn take_chance(&mut self) -> Vec<(u32, Vec<i32>)> {
        self.noted.iter_mut().for_each(tally::Noted::chance_taken);
        self.chance_log
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// Answers that were the only ones, and whose, since they were taken last.
    pub fn take_resolved(&mut self) -> Vec<(i32, Answer)> {
        self.noted.iter_mut().for_each(tally::Noted::resolved_taken);
        self.resolved_log
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }
}
