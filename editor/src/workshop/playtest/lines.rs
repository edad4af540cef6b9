//! The log as a tree: what was taken back stays as a line, can be named, compared and gone back to.

use super::log::Teller;
use super::{Eyes, Playtest};
use dsl::source::Span;
use interpreter::ask;
use interpreter::game::{Node, NodeId};
use interpreter::{Machine, State};
use std::collections::BTreeMap;

/// A line of play, from the set-up to where it was left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub end: NodeId,
    /// Given by [`Playtest::name_line`].
    pub name: Option<String>,
    /// Answers up to its end.
    pub length: u32,
    /// Its game is over.
    pub over: bool,
    /// It is the one that is looked at, or a part of it.
    pub current: bool,
    /// Lines it has branched off from, one of the other: 0 for the one tried first.
    pub depth: u32,
    /// It parts from the line above after so many answers.
    pub parts_after: u32,
    /// Its first answer behind that, as far as the eyes hear it; none for the line tried first.
    pub first: Option<String>,
}

/// Two lines compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fork {
    /// The last point that both have.
    pub at: NodeId,
    /// Answers up to there.
    pub after: u32,
    pub ends: [LineEnd; 2],
    /// What is seen of the state that differs at the ends.
    pub differing: Vec<Differing>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineEnd {
    pub end: NodeId,
    /// What was answered since they parted: seat and text, as far as the eyes hear it.
    pub answers: Vec<(u32, String)>,
    /// By score line that is seen, by seat: what it comes to at its end.
    pub scores: Vec<(String, Vec<Option<i32>>)>,
}

/// A cell with the values it has at the ends of two lines; none where it is not seen at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differing {
    pub owner: String,
    pub name: String,
    pub values: [Option<String>; 2],
    pub span: Span,
}

impl Playtest {
    /// All lines: those that end where nothing was tried any more, and those that have a name. As a tree: each stands
    /// behind the one it branches off from.
    pub fn lines(&self) -> Vec<Line> {
        let tree = self.tree();
        let teller = Teller::new(self);
        let mut lines = Vec::new();
        // Where to go on, with the branches on the way there and the last of them.
        let mut open = vec![(NodeId(0), 0, None)];
        while let Some((id, depth, branch)) = open.pop() {
            let node = tree.node(id);
            let name = tree.names().find(|(_, end)| *end == id);
            if node.children.is_empty() || name.is_some() {
                let first: Option<&Node> = branch.map(|id| tree.node(id));
                lines.push(Line {
                    name: name.map(|(name, _)| name.to_owned()),
                    length: node.depth,
                    over: node.over,
                    current: tree.line().contains(&id),
                    depth,
                    parts_after: first.map_or(0, |node| node.depth.saturating_sub(1)),
                    first: branch.and_then(|id| teller.heard(id)).map(|(_, said)| said),
                    end: id,
                });
            }
            for (at, child) in node.children.iter().enumerate().rev() {
                open.push(match at {
                    0 => (*child, depth, branch),
                    _ => (*child, depth + 1, Some(*child)),
                });
            }
        }
        lines
    }

    /// Gives the line up to a point a name, in place of the one it had; a name stands for one line.
    pub fn name_line(&mut self, end: NodeId, name: &str) {
        let own = self.tree.names().find(|(_, id)| *id == end);
        if let Some(old) = own.map(|(old, _)| old.to_owned()) {
            self.tree.forget_name(&old);
        }
        if !name.trim().is_empty() {
            self.tree.name_line(name.trim(), end);
        }
        self.version += 1;
    }

    /// Takes a line out of the tree, back to where others part from it; false if nothing of it can go, because the game stands on it.
    pub fn forget_line(&mut self, end: NodeId) -> bool {
        self.version += 1;
        self.tree.forget_line(end)
    }

    /// Where two lines part, what was answered in each since then, and how they stand, as far as the eyes see it.
    pub fn compare(&self, one: NodeId, other: NodeId) -> Fork {
        let paths = [self.tree.path(one), self.tree.path(other)];
        let same = paths[0].iter().zip(&paths[1]);
        let common = same.take_while(|(a, b)| a == b).count().max(1);
        let at = paths[0][common - 1];
        let teller = Teller::new(self);
        let ends = paths.map(|path| {
            let end = path[path.len() - 1];
            LineEnd {
                end,
                answers: path[common..]
                    .iter()
                    .filter_map(|id| teller.heard(*id))
                    .collect(),
                scores: self.scores_at(end),
            }
        });
        Fork {
            after: self.tree.node(at).depth,
            differing: self.differing(one, other),
            at,
            ends,
        }
    }

    fn differing(&self, one: NodeId, other: NodeId) -> Vec<Differing> {
        type Cells = BTreeMap<(String, String), (Option<String>, Option<String>, Span)>;
        let mut cells = Cells::new();
        for (at, id) in [one, other].into_iter().enumerate() {
            for group in self.state_at(self.tree.node(id).state()) {
                for cell in group.cells {
                    let known = cells.entry((group.owner.clone(), cell.name));
                    let known = known.or_insert((None, None, cell.span));
                    match at {
                        0 => known.0 = Some(cell.value),
                        _ => known.1 = Some(cell.value),
                    }
                }
            }
        }
        let differing = cells.into_iter().filter(|(_, (a, b, _))| a != b);
        let differing = differing.map(|((owner, name), (a, b, span))| Differing {
            owner,
            name,
            values: [a, b],
            span,
        });
        differing.collect()
    }

    fn scores_at(&self, id: NodeId) -> Vec<(String, Vec<Option<i32>>)> {
        let node = self.tree.node(id);
        self.scores_of(node.state(), node.over)
    }

    /// The scores of a state that a game passed.
    pub fn scores_of(&self, state: &State, over: bool) -> Vec<(String, Vec<Option<i32>>)> {
        let mut machine = Machine::new(&self.game.program);
        machine.restore(state);
        let eyes = match over {
            true => ask::Eyes::Open,
            false => self.eyes.into(),
        };
        let seats: Vec<Vec<Option<i32>>> = (0..self.players())
            .map(|seat| machine.scores_seen(seat, eyes))
            .collect();
        let lines = self.game.rules.scores.iter().enumerate();
        let lines = lines.filter(|(_, line)| self.sees_score(line.at_end, over));
        let by_seat = lines.map(|(at, line)| {
            let scores = seats.iter().map(|scores| scores[at]).collect();
            (self.score_called(at, &line.name), scores)
        });
        by_seat.collect()
    }

    fn score_called(&self, at: usize, name: &str) -> String {
        let said = self.game.rules.speech.scores.get(at);
        said.map_or(name, |noun| noun.heading()).to_owned()
    }

    /// What only the end shows is for those who see all.
    fn sees_score(&self, at_end: bool, over: bool) -> bool {
        !at_end || over || self.eyes == Eyes::All
    }

    /// For each score line its name, and for each seat what it comes to here, as far as the eyes see it; lines `at end` only for those who see all.
    pub fn scores(&self) -> Vec<(String, Vec<Option<i32>>)> {
        self.scores_at(self.tree.current())
    }

    /// How the game has ended, in a sentence; none while it goes on.
    pub fn end(&mut self) -> Option<String> {
        self.is_over().then(|| {
            self.with(|session| {
                let words = *session.words();
                words.end(session.machine_mut())
            })
        })
    }

    /// Ranks of the seats, 1 the best; empty while the game goes on.
    pub fn ranks(&mut self) -> Vec<u32> {
        match self.is_over() {
            true => self.with(|session| session.machine_mut().ranks()),
            false => Vec::new(),
        }
    }
}
