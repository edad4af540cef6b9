//! A game being played and tried out: a tree of decisions, undo and redo, lines side by side.

mod tree;

use crate::Program;
use crate::bots::{Bot, BotChance, Mind, Opinion, Patience};
use crate::machine::{Event, Fault, Machine, Stop};
use crate::record::{self, Reached, Track};
pub use crate::record::{Item, ItemKind};
use crate::state::State;
use crate::words::Words;
use dsl::ir::RuleSet;
use std::collections::BTreeMap;
use std::sync::Arc;
pub use tree::{Node, NodeId, Told, Tree};

/// What an answer came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Played {
    /// A new decision or the end.
    On(NodeId),
    /// It led to a dead end although it was offered: the game stands at this earlier decision, where it is not offered any more.
    Back(NodeId),
}

/// A play-test: the tree with a machine that stands at its current node.
pub struct Session<'a> {
    words: Words<'a>,
    machine: Machine<'a>,
    tree: Tree,
    /// Of the bots; none before the first is asked.
    mind: Option<Mind<'a>>,
}

impl<'a> Session<'a> {
    /// Sets up a game.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn new(rules: &'a RuleSet, program: &'a Program, seed: u64) -> Result<Session<'a>, Fault> {
        Session::start(rules, program, seed, BTreeMap::new())
    }

    /// Sets up a game with the outcomes of chance given, by stream.
    pub(crate) fn start(
        rules: &'a RuleSet,
        program: &'a Program,
        seed: u64,
        chance: BTreeMap<u32, Vec<Vec<i32>>>,
    ) -> Result<Session<'a>, Fault> {
        let words = Words::new(rules, program);
        let mut machine = Machine::new(program);
        record::prepare(&mut machine);
        machine.fix_chances(chance);
        let stop = machine.start(seed);
        Session::rooted(words, machine, seed, stop)
    }

    /// Goes on from a state in which somebody is asked; nothing is known of how it came about.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn from_state(
        rules: &'a RuleSet,
        program: &'a Program,
        state: &State,
        seed: u64,
    ) -> Result<Session<'a>, Fault> {
        let words = Words::new(rules, program);
        let mut machine = Machine::new(program);
        record::prepare(&mut machine);
        let stop = machine.load(state);
        Session::rooted(words, machine, seed, stop)
    }

    /// With a tree that begins where the machine has come to.
    fn rooted(
        words: Words<'a>,
        mut machine: Machine<'a>,
        seed: u64,
        stop: Result<Stop, Fault>,
    ) -> Result<Session<'a>, Fault> {
        let mut track = Track::with_stands();
        let reached = record::go_on(&words, &mut machine, stop, None, &mut track)?;
        let players = words.program.players as usize;
        let root = Node {
            parent: None,
            children: Vec::new(),
            items: track.items,
            events: Vec::new(),
            stands: track.stands.unwrap_or_default(),
            depth: 0,
            over: reached == Reached::Over,
            state: state(&machine),
            answers: machine.answers().clone(),
            asked: machine.asked,
        };
        machine.set_trace(true);
        Ok(Session {
            words,
            machine,
            tree: Tree {
                seed,
                nodes: vec![Arc::new(root)],
                line: vec![NodeId(0)],
                at: 0,
                names: BTreeMap::new(),
                bots: vec![None; players],
            },
            mind: None,
        })
    }

    /// Goes on with a tree kept from an earlier session with the same program.
    pub fn resume(rules: &'a RuleSet, program: &'a Program, tree: Tree) -> Session<'a> {
        let mut machine = Machine::new(program);
        record::prepare(&mut machine);
        machine.set_trace(true);
        let mut session = Session {
            words: Words::new(rules, program),
            machine,
            tree,
            mind: None,
        };
        session.stand_at(session.tree.current());
        session
    }

    /// The tree alone, to be resumed later.
    pub fn into_tree(self) -> Tree {
        self.tree
    }

    /// All lines that were played.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The same, to be changed.
    pub fn tree_mut(&mut self) -> &mut Tree {
        &mut self.tree
    }

    /// Words for its states.
    pub fn words(&self) -> &Words<'a> {
        &self.words
    }

    /// Stands at the current node; its answers are those offered.
    pub fn machine(&self) -> &Machine<'a> {
        &self.machine
    }

    /// For questions that leave the state as it is.
    pub fn machine_mut(&mut self) -> &mut Machine<'a> {
        &mut self.machine
    }

    /// The current line is at the end of the game.
    pub fn is_over(&self) -> bool {
        self.tree.node(self.tree.current()).over
    }

    /// The seat that is asked; none when the game is over.
    pub fn seat(&self) -> Option<u32> {
        (!self.is_over()).then(|| self.machine.seat())
    }

    /// All answers offered, in order; equal ones are numbered.
    pub fn answers(&self) -> Vec<String> {
        if self.is_over() {
            return Vec::new();
        }
        record::texts(&self.words, &self.machine)
    }

    /// Answers the current decision. A line tried before is gone along again.
    ///
    /// # Errors
    /// A fault of the rules; the game stands where it stood.
    pub fn answer(&mut self, at: usize) -> Result<Played, Fault> {
        let current = self.tree.current();
        if let Some(known) = self.known(at) {
            self.go_to(known)?;
            return Ok(Played::On(known));
        }
        let mut track = Track::with_stands();
        let reached = match record::answer(&self.words, &mut self.machine, at, &mut track) {
            Ok(reached) => reached,
            Err(fault) => {
                self.stand_at(current);
                return Err(fault);
            }
        };
        match reached {
            Reached::Back(count) => self.go_back_to(current, track, count),
            reached => Ok(Played::On(self.push(current, track, Vec::new(), reached))),
        }
    }

    /// The child that the answer has led to before.
    fn known(&mut self, at: usize) -> Option<NodeId> {
        let text = record::text(&self.words, &mut self.machine, at);
        let node = self.tree.node(self.tree.current());
        let children = node.children.iter().copied();
        children.rev().find(|child| {
            self.tree
                .node(*child)
                .answer()
                .is_some_and(|(_, other)| other == text)
        })
    }

    pub(super) fn push(
        &mut self,
        parent: NodeId,
        track: Track,
        mut events: Vec<Event>,
        reached: Reached,
    ) -> NodeId {
        events.append(&mut self.machine.take_trace());
        let node = Node {
            parent: Some(parent),
            children: Vec::new(),
            items: track.items,
            events,
            stands: track.stands.unwrap_or_default(),
            depth: self.tree.node(parent).depth + 1,
            over: reached == Reached::Over,
            state: state(&self.machine),
            answers: self.machine.answers().clone(),
            asked: self.machine.asked,
        };
        let id = self.tree.add(parent, node);
        self.tree.stand_at(id);
        id
    }

    /// After a dead end the machine stands at an earlier decision; so does the tree then. `track` is what had happened
    /// since the point that it went on from.
    fn go_back_to(&mut self, from: NodeId, mut track: Track, count: u32) -> Result<Played, Fault> {
        let path = self.tree.path(from);
        let found = path.iter().rev().copied().find(|id| {
            let node = self.tree.node(*id);
            node.state.answers() <= count
        });
        let target = found.unwrap_or(NodeId(0));
        let gone = path.iter().skip_while(|id| **id != target).nth(1);
        let mut events = Vec::new();
        if let Some(gone) = gone.map(|id| self.tree.node(*id)) {
            self.machine.take_trace();
            track = gone.track();
            track.rewind(count);
            events = gone.events_before(track.only_answers());
        } else {
            track.rewind(count);
        }
        if self.machine.answers().len() > 1 && self.tree.node(target).state.answers() == count {
            self.machine.take_trace();
            let (state, answers) = (state(&self.machine), self.machine.answers().clone());
            let node = self.tree.node_mut(target);
            (node.state, node.answers) = (state, answers);
            self.tree.stand_at(target);
            return Ok(Played::Back(target));
        }
        let reached = record::go_on(
            &self.words,
            &mut self.machine,
            Ok(Stop::Decision),
            None,
            &mut track,
        )?;
        match reached {
            Reached::Back(count) => self.go_back_to(target, track, count),
            reached => {
                // It went on by itself here before.
                let children = self.tree.node(target).children.iter().copied();
                let same = children
                    .rev()
                    .find(|one| self.tree.node(*one).items == track.items);
                match same {
                    Some(child) => self.go_to(child)?,
                    None => {
                        self.push(target, track, events, reached);
                    }
                }
                Ok(Played::Back(self.tree.current()))
            }
        }
    }

    /// One step back along the line; false at the set-up.
    ///
    /// # Errors
    /// None as long as states are kept whole; callers are ready for a fault of the rules.
    pub fn undo(&mut self) -> Result<bool, Fault> {
        match self.tree.at.checked_sub(1) {
            Some(at) => self.jump(at).map(|()| true),
            None => Ok(false),
        }
    }

    /// One step on along the line; false at its end.
    ///
    /// # Errors
    /// None as long as states are kept whole; callers are ready for a fault of the rules.
    pub fn redo(&mut self) -> Result<bool, Fault> {
        let next = self.tree.at + 1;
        if next < self.tree.line.len() {
            self.jump(next).map(|()| true)
        } else {
            Ok(false)
        }
    }

    /// To a position of the line; beyond its end: to the end.
    ///
    /// # Errors
    /// None as long as states are kept whole; callers are ready for a fault of the rules.
    pub fn jump(&mut self, position: usize) -> Result<(), Fault> {
        let at = position.min(self.tree.line.len() - 1);
        self.go_to(self.tree.line[at])
    }

    /// To any node of the tree.
    ///
    /// # Errors
    /// None as long as states are kept whole; callers are ready for a fault of the rules.
    pub fn go_to(&mut self, id: NodeId) -> Result<(), Fault> {
        self.stand_at(id);
        self.tree.stand_at(id);
        Ok(())
    }

    pub(super) fn stand_at(&mut self, id: NodeId) {
        self.tree.node(id).stand(&mut self.machine);
        self.machine.take_chance();
        self.machine.take_resolved();
        self.machine.take_trace();
    }

    /// The bot that is to answer now, if one is.
    pub fn bot_to_move(&self) -> Option<Bot> {
        let seat = self.seat()?;
        self.tree.bots.get(seat as usize).cloned().flatten()
    }

    /// Which answer a bot would take here; the same whenever it is asked, as long as nobody is impatient. None if the game is over.
    ///
    /// # Errors
    /// A fault of the strategy that the bot plays by.
    pub fn bot_answer(
        &mut self,
        bot: &Bot,
        patience: &Patience<'_>,
    ) -> Result<Option<usize>, Fault> {
        let Some(seat) = self.seat() else {
            return Ok(None);
        };
        let depth = u64::from(self.tree.node(self.tree.current()).depth);
        let seed = crate::playout::game_seed(self.tree.seed, depth);
        let program = self.machine.program();
        let mind = self.mind.get_or_insert_with(|| Mind::new(program));
        let chance = &mut BotChance::new(seed, seat);
        let at = bot.pick(&mut self.machine, mind, chance, patience);
        at.map(Some)
    }

    /// What a search of so many looks thinks of each answer here, or of fewer if somebody says that it is enough; it sees what
    /// the seat sees that is asked. None of those that it did not try.
    pub fn hint(&mut self, looks: u32, enough: &dyn Fn() -> bool) -> Vec<Option<Opinion>> {
        let Some(seat) = self.seat() else {
            return Vec::new();
        };
        let program = self.machine.program();
        let mind = self.mind.get_or_insert_with(|| Mind::new(program));
        let chance = &mut BotChance::new(self.tree.seed, seat);
        mind.opinions(&self.machine, looks, chance, enough)
    }

    /// Lets the bot whose turn it is answer; none if it is a person's.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn play_bot(&mut self, patience: &Patience<'_>) -> Result<Option<Played>, Fault> {
        let Some(bot) = self.bot_to_move() else {
            return Ok(None);
        };
        match self.bot_answer(&bot, patience)? {
            Some(at) => self.answer(at).map(Some),
            None => Ok(None),
        }
    }
}

pub(super) fn state(machine: &Machine<'_>) -> State {
    let mut state = State::new();
    machine.save(&mut state);
    state
}
