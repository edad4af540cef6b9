//! The log as a tree: what was taken back stays as a line, can be named, compared and gone back to.

use super::Playtest;
use interpreter::Machine;
use interpreter::game::NodeId;

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
    /// Where it parts from the one that is looked at: after so many answers.
    pub parts_after: u32,
    /// Its first answer behind that.
    pub first: Option<String>,
}

/// Two lines compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fork {
    /// The last point that both have.
    pub at: NodeId,
    pub ends: [LineEnd; 2],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineEnd {
    pub end: NodeId,
    /// What was answered since they parted: seat and text.
    pub answers: Vec<(u32, String)>,
    /// By seat: score at its end as far as it stands, lines `at end` included.
    pub scores: Vec<i32>,
}

impl Playtest {
    /// All lines: those that end where nothing was tried any more, and those that have a name. Oldest first.
    pub fn lines(&self) -> Vec<Line> {
        let tree = self.tree();
        let all = (0..tree.len() as u32).map(NodeId);
        let mut ends: Vec<NodeId> = all
            .filter(|id| tree.node(*id).children.is_empty())
            .chain(tree.names().map(|(_, end)| end))
            .collect();
        ends.sort();
        ends.dedup();
        ends.into_iter().map(|end| self.line_to(end)).collect()
    }

    fn line_to(&self, end: NodeId) -> Line {
        let tree = self.tree();
        let path = tree.path(end);
        let same = path.iter().zip(tree.line());
        let common = same.take_while(|(a, b)| a == b).count();
        let first = path.get(common).and_then(|id| tree.node(*id).answer());
        let mut names = tree.names();
        Line {
            name: names
                .find(|(_, id)| *id == end)
                .map(|(name, _)| name.to_owned()),
            length: tree.node(end).depth,
            over: tree.node(end).over,
            current: tree.line().contains(&end),
            parts_after: common.saturating_sub(1) as u32,
            first: first.map(|(_, text)| text.to_owned()),
            end,
        }
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

    /// Where two lines part, what was answered in each since then, and how they stand.
    pub fn compare(&mut self, one: NodeId, other: NodeId) -> Fork {
        let paths = [self.tree.path(one), self.tree.path(other)];
        let same = paths[0].iter().zip(&paths[1]);
        let common = same.take_while(|(a, b)| a == b).count().max(1);
        let at = paths[0][common - 1];
        let ends = paths.map(|path| LineEnd {
            end: path[path.len() - 1],
            answers: path[common..]
                .iter()
                .filter_map(|id| self.tree.node(*id).answer())
                .map(|(seat, text)| (seat, text.to_owned()))
                .collect(),
            scores: self.scores_at(path[path.len() - 1]),
        });
        Fork { at, ends }
    }

    fn scores_at(&self, id: NodeId) -> Vec<i32> {
        let mut machine = Machine::new(&self.game.program);
        // A state that was saved stands at a decision: finding its answers again cannot fail.
        let _ = machine.load(self.tree.node(id).state());
        (0..self.players())
            .map(|seat| machine.score(seat))
            .collect()
    }

    /// Names of the score lines, and for each seat what they come to here; lines `at end` only for those who see all.
    pub fn scores(&mut self) -> (Vec<String>, Vec<Vec<i32>>) {
        let shown: Vec<bool> = {
            let all = self.is_over() || self.eyes == super::Eyes::All;
            let lines = self.game.rules.scores.iter();
            lines.map(|line| all || !line.at_end).collect()
        };
        let names = self.game.rules.scores.iter().zip(&shown);
        let names = names
            .filter(|(_, shown)| **shown)
            .map(|(line, _)| line.name.clone());
        let names = names.collect();
        let players = self.players();
        let scores = self.with(|session| {
            let machine = session.machine_mut();
            (0..players)
                .map(|seat| {
                    let all = machine.scores(seat).into_iter().zip(&shown);
                    all.filter(|(_, shown)| **shown)
                        .map(|(score, _)| score)
                        .collect()
                })
                .collect()
        });
        (names, scores)
    }

    /// Ranks of the seats, 1 the best; empty while the game goes on.
    pub fn ranks(&mut self) -> Vec<u32> {
        match self.is_over() {
            true => self.with(|session| session.machine_mut().ranks()),
            false => Vec::new(),
        }
    }
}
