//! Everything that was played: a tree of nodes, each with the answer that led to it.

use crate::Program;
use crate::bots::Bot;
use crate::machine::{Answer, AnswerKind, Answers, Event, Machine};
use crate::program::{Op, header};
use crate::record::{Item, ItemKind, Stand, Track};
use crate::state::State;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A decision of the tree, or an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// Where a game stood, and how it came there.
#[derive(Clone, Debug)]
pub struct Node {
    /// The answer before it; none at the start.
    pub parent: Option<NodeId>,
    /// Lines tried from here, oldest first.
    pub children: Vec<NodeId>,
    /// From the parent's decision (or the set-up) to this one: the answer first, then what followed of itself.
    pub items: Vec<Item>,
    /// What changed meanwhile; of the set-up nothing is kept.
    pub events: Vec<Event>,
    /// How it stood before each of the answers on the way here that were the only ones.
    pub(super) stands: Vec<Stand>,
    /// How many answers lie between the set-up and here.
    pub depth: u32,
    /// The game is over behind it.
    pub over: bool,
    pub(super) state: State,
    /// What is offered here, so that nothing has to be found anew.
    pub(super) answers: Answers,
    pub(super) asked: usize,
}

impl Node {
    /// The state that it leads to.
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
    pub(super) fn track(&self) -> Track {
        Track {
            items: self.items.clone(),
            stands: Some(self.stands.clone()),
        }
    }

    /// What changed on the way here before the answer behind so many that were the only ones.
    pub(super) fn events_before(&self, only_answers: usize) -> Vec<Event> {
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
    /// Who answered.
    pub seat: u32,
    /// The answer.
    pub answer: &'n Answer,
    /// The answer, as it is written.
    pub text: &'n str,
    /// It was the only one.
    pub forced: bool,
    /// The instruction whose question it answered.
    pub asked: usize,
    /// The state it was given in.
    pub before: &'n State,
    /// Before the next answer, or at the point itself.
    pub after: &'n State,
    /// What changed in between.
    pub events: &'n [Event],
}

impl Told<'_> {
    /// It was given in a step in which all answer secretly, and that step was not over then: others hear of it later.
    pub fn is_kept_secret(&self) -> bool {
        self.before.is_secret() && self.laid_open().is_none()
    }

    /// How it stood when all was shown that had been answered secretly, and behind how many of the events; none if that did not
    /// come of it.
    pub(crate) fn laid_open(&self) -> Option<(State, usize)> {
        let ends = |event: &Event| matches!(event, Event::Write { word, new: 0, .. } if *word == header::SECRET as u32);
        let end = self.events.iter().position(ends)? + 1;
        let mut state = self.before.laid_open();
        for event in &self.events[..end] {
            if let Event::Write { word, new, .. } = event
                && let Some(held) = state.words.get_mut(*word as usize)
            {
                *held = *new;
            }
        }
        Some((state, end))
    }
}

/// All that a play-test keeps, apart from the rules. A copy shares the decisions with it. The default is no game at all, a
/// place to be filled.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Of which all chance follows.
    pub seed: u64,
    pub(super) nodes: Vec<Arc<Node>>,
    /// The line that is looked at, from the set-up on; redo goes along it.
    pub(super) line: Vec<NodeId>,
    /// Index into `line`.
    pub(super) at: usize,
    /// Lines that have a name, by their last node.
    pub(super) names: BTreeMap<String, NodeId>,
    /// Who answers for each seat; none: a person.
    pub bots: Vec<Option<Bot>>,
}

impl Tree {
    /// A node by its id.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// There is always the set-up.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node at which the game stands.
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

    /// All named nodes, by name.
    pub fn names(&self) -> impl Iterator<Item = (&str, NodeId)> {
        self.names.iter().map(|(name, id)| (name.as_str(), *id))
    }

    /// Gives the line up to a node a name; a name stands for one line.
    pub fn name_line(&mut self, name: impl Into<String>, end: NodeId) {
        self.names.insert(name.into(), end);
    }

    /// A node loses this name.
    pub fn forget_name(&mut self, name: &str) {
        self.names.remove(name);
    }

    pub(super) fn add(&mut self, parent: NodeId, node: Node) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Arc::new(node));
        self.node_mut(parent).children.push(id);
        id
    }

    pub(super) fn node_mut(&mut self, id: NodeId) -> &mut Node {
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
    pub(super) fn stand_at(&mut self, id: NodeId) {
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
