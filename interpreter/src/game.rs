//! A game being played and tried out: a tree of decisions, undo and redo, lines side by side.

use crate::bots::{Bot, BotChance, Mind};
use crate::machine::{Answer, AnswerKind, Answers, Event, Fault, Machine, Stop};
use crate::program::{Op, Program, header};
use crate::record::{self, Reached, Stand, Track};
use crate::state::State;
use crate::words::Words;
use dsl::ir::RuleSet;
use std::collections::BTreeMap;
use std::sync::Arc;

pub use crate::record::{Item, ItemKind};

/// A decision of the tree, or an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// Where a game stood, and how it came there.
#[derive(Clone, Debug)]
pub struct Node {
    pub parent: Option<NodeId>,
    /// Lines tried from here, oldest first.
    pub children: Vec<NodeId>,
    /// From the parent's decision (or the set-up) to this one: the answer first, then what followed of itself.
    pub items: Vec<Item>,
    /// What changed meanwhile; of the set-up nothing is kept.
    pub events: Vec<Event>,
    /// How it stood before each of the answers on the way here that were the only ones.
    stands: Vec<Stand>,
    /// How many answers lie between the set-up and here.
    pub depth: u32,
    pub over: bool,
    state: State,
    /// What is offered here, so that nothing has to be found anew.
    answers: Answers,
    asked: usize,
}

impl Node {
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What is offered here.
    pub fn answers(&self) -> &Answers {
        &self.answers
    }

    /// The seat that is asked here; none when the game is over.
    pub fn seat(&self) -> Option<u32> {
        (!self.over).then(|| self.state.seat())
    }

    /// Puts a machine of the same program here.
    pub fn stand(&self, machine: &mut Machine<'_>) {
        machine.stand(&self.state, &self.answers, self.asked);
    }

    /// The instruction whose question is asked here.
    pub fn asked_pc(&self, program: &Program) -> usize {
        let pc = self.state.words()[header::PC] as usize;
        match program.code[pc] {
            Op::May { .. } => self.asked,
            _ => pc,
        }
    }

    /// The answer that led here: seat and text.
    pub fn answer(&self) -> Option<(u32, &str)> {
        self.items.iter().find_map(|item| match &item.kind {
            ItemKind::Answer { seat, text, .. } => Some((*seat, text.as_str())),
            ItemKind::Chance { .. } => None,
        })
    }

    /// The words of the steps of walks that led here, the latest first.
    pub fn steps(&self) -> impl Iterator<Item = &[i32]> {
        let items = self.items.iter().rev();
        items.filter_map(|item| match &item.kind {
            ItemKind::Answer { answer, .. } if answer.kind == AnswerKind::Step => {
                Some(answer.words.as_slice())
            }
            _ => None,
        })
    }

    /// What was noted on the way here.
    fn track(&self) -> Track {
        Track {
            items: self.items.clone(),
            stands: Some(self.stands.clone()),
        }
    }

    /// What changed on the way here before the answer behind so many that were the only ones.
    fn events_before(&self, only_answers: usize) -> Vec<Event> {
        let is_answer = |event: &Event| matches!(event, Event::Resolved { .. });
        let mut ends = (0..self.events.len()).filter(|at| is_answer(&self.events[*at]));
        let end = ends.nth(only_answers).unwrap_or(self.events.len());
        self.events[..end].to_vec()
    }

    /// The answers that led here, one after the other, each with how it stood before and what came of it until the next.
    /// `parent` is where the first one was given, if it was no only one.
    pub fn told<'n>(&'n self, program: &Program, parent: Option<&'n Node>) -> Vec<Told<'n>> {
        let mut stands = self.stands.iter();
        let mut events = self
            .events
            .split(|event| matches!(event, Event::Resolved { .. }));
        let mut told: Vec<Told> = Vec::new();
        for item in &self.items {
            let ItemKind::Answer {
                seat,
                answer,
                text,
                forced,
            } = &item.kind
            else {
                continue;
            };
            let (before, asked) = match (forced, parent) {
                (true, _) => {
                    let Some(stand) = stands.next() else { break };
                    if told.is_empty() {
                        // What happened before the first answer.
                        events.next();
                    }
                    (&stand.state, stand.asked)
                }
                (false, Some(parent)) => (&parent.state, parent.asked_pc(program)),
                (false, None) => break,
            };
            if let Some(last) = told.last_mut() {
                last.after = before;
            }
            told.push(Told {
                seat: *seat,
                answer,
                text,
                forced: *forced,
                asked,
                before,
                after: &self.state,
                events: events.next().unwrap_or_default(),
            });
        }
        told
    }
}

/// An answer on the way to a point of a game.
#[derive(Clone, Copy, Debug)]
pub struct Told<'n> {
    pub seat: u32,
    pub answer: &'n Answer,
    pub text: &'n str,
    /// It was the only one.
    pub forced: bool,
    /// The instruction whose question it answered.
    pub asked: usize,
    pub before: &'n State,
    /// Before the next answer, or at the point itself.
    pub after: &'n State,
    /// What changed in between.
    pub events: &'n [Event],
}

impl Told<'_> {
    /// It was given in a step in which all answer secretly, and that step was not over then: others hear of it later.
    pub fn is_kept_secret(&self) -> bool {
        let ends = |event: &Event| matches!(event, Event::Write { word, new: 0, .. } if *word == header::SECRET as u32);
        self.before.is_secret() && self.after.is_secret() && !self.events.iter().any(ends)
    }
}

/// All that a play-test keeps, apart from the rules. A copy shares the decisions with it. The default is no game at all, a
/// place to be filled.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub seed: u64,
    nodes: Vec<Arc<Node>>,
    /// The line that is looked at, from the set-up on; redo goes along it.
    line: Vec<NodeId>,
    /// Index into `line`.
    at: usize,
    /// Lines that have a name, by their last node.
    names: BTreeMap<String, NodeId>,
    /// Who answers for each seat; none: a person.
    pub bots: Vec<Option<Bot>>,
}

impl Tree {
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// There is always the set-up.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn current(&self) -> NodeId {
        self.line[self.at]
    }

    /// The line from the set-up to what redo would reach last.
    pub fn line(&self) -> &[NodeId] {
        &self.line
    }

    /// Position in [`Tree::line`].
    pub fn position(&self) -> usize {
        self.at
    }

    /// Nodes from the set-up to a node.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> =
            std::iter::successors(Some(id), |id| self.node(*id).parent).collect();
        path.reverse();
        path
    }

    /// The answers that led to a node, each with what came of it.
    pub fn told(&self, program: &Program, id: NodeId) -> Vec<Told<'_>> {
        let node = self.node(id);
        node.told(program, node.parent.map(|parent| self.node(parent)))
    }

    /// Everything that happened from the set-up to a node.
    pub fn items(&self, id: NodeId) -> impl Iterator<Item = &Item> {
        self.path(id)
            .into_iter()
            .flat_map(|id| self.node(id).items.iter())
    }

    pub fn names(&self) -> impl Iterator<Item = (&str, NodeId)> {
        self.names.iter().map(|(name, id)| (name.as_str(), *id))
    }

    /// Gives the line up to a node a name; a name stands for one line.
    pub fn name_line(&mut self, name: impl Into<String>, end: NodeId) {
        self.names.insert(name.into(), end);
    }

    pub fn forget_name(&mut self, name: &str) {
        self.names.remove(name);
    }

    fn add(&mut self, parent: NodeId, node: Node) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Arc::new(node));
        self.node_mut(parent).children.push(id);
        id
    }

    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        Arc::make_mut(&mut self.nodes[id.0 as usize])
    }

    /// Forgets a line back to where another one parts from it, a named one ends, or the game stands; false if that is at once.
    /// The other points keep their ids.
    pub fn forget_line(&mut self, end: NodeId) -> bool {
        self.names.retain(|_, named| *named != end);
        let standing = self.path(self.current());
        let mut last = end;
        while self.node(last).children.is_empty()
            && !standing.contains(&last)
            && self.names.values().all(|named| *named != last)
            && let Some(parent) = self.node(last).parent
        {
            self.node_mut(parent)
                .children
                .retain(|child| *child != last);
            last = parent;
        }
        let forgotten = last != end;
        if forgotten && self.line.contains(&end) {
            self.line = standing;
            self.go_on_along_the_last_line();
        }
        forgotten
    }

    /// Makes a node the current one; the line keeps what lies behind it if the node is on it.
    fn stand_at(&mut self, id: NodeId) {
        if let Some(at) = self.line.iter().position(|other| *other == id) {
            self.at = at;
            return;
        }
        self.line = self.path(id);
        self.at = self.line.len() - 1;
        self.go_on_along_the_last_line();
    }

    /// Redo goes on along the line tried last.
    fn go_on_along_the_last_line(&mut self) {
        while let Some(next) = self.node(self.line[self.line.len() - 1]).children.last() {
            self.line.push(*next);
        }
    }
}

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
        let mut track = Track::with_stands();
        let stop = machine.start(seed);
        let reached = record::go_on(&words, &mut machine, stop, None, &mut track)?;
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
                bots: vec![None; program.players as usize],
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

    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    pub fn tree_mut(&mut self) -> &mut Tree {
        &mut self.tree
    }

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

    fn push(
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

    fn stand_at(&mut self, id: NodeId) {
        self.tree.node(id).stand(&mut self.machine);
        self.machine.take_chance();
        self.machine.take_resolved();
        self.machine.take_trace();
    }

    /// The bot that is to answer now, if one is.
    pub fn bot_to_move(&self) -> Option<Bot> {
        let seat = self.seat()?;
        self.tree.bots.get(seat as usize).copied().flatten()
    }

    /// Which answer a bot would take here; the same whenever it is asked.
    pub fn bot_answer(&mut self, bot: Bot) -> Option<usize> {
        let seat = self.seat()?;
        let depth = u64::from(self.tree.node(self.tree.current()).depth);
        let seed = crate::playout::game_seed(self.tree.seed, depth);
        let program = self.machine.program();
        let mind = self.mind.get_or_insert_with(|| Mind::new(program));
        let chance = &mut BotChance::new(seed, seat);
        Some(bot.pick(&mut self.machine, mind, chance))
    }

    /// Lets the bot whose turn it is answer; none if it is a person's.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn play_bot(&mut self) -> Result<Option<Played>, Fault> {
        let Some(at) = self.bot_to_move().and_then(|bot| self.bot_answer(bot)) else {
            return Ok(None);
        };
        self.answer(at).map(Some)
    }
}

fn state(machine: &Machine<'_>) -> State {
    let mut state = State::new();
    machine.save(&mut state);
    state
}
