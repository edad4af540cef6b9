//! How far what expressions look at may be seen, found once for a program: by all, by the acting player, or by nobody.

use super::Sight;
use crate::Program;
use crate::facts::{binder_clauses, locals_named, walk_clauses};
use crate::program::*;
use std::collections::{BTreeMap, BTreeSet};

/// Who may see everything that a value rests on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reach {
    #[default]
    All,
    /// The acting player.
    Own,
    Nobody,
}

/// What is known of the locals of the body an expression stands in.
#[derive(Clone, Copy, Default)]
struct Frame<'f> {
    /// Those that are the acting player.
    mine: &'f [u32],
    reaches: Option<&'f BTreeMap<u32, Reach>>,
}

/// The reach of the locals of each body.
#[derive(Clone, Debug)]
pub(crate) struct Locals {
    bodies: Vec<(std::ops::Range<usize>, BTreeMap<u32, Reach>)>,
    /// For each instruction: what is chosen there all hear.
    told: Vec<bool>,
    /// Streams of chance of which all hear what comes out.
    rolled: BTreeSet<u32>,
}

impl Locals {
    /// Who may see what the locals hold: copies of what cells held, elements gone through, arguments.
    pub fn of(program: &Program) -> Locals {
        let unheard = Locals::with(program, Vec::new());
        let told = super::told::chosen(program, &unheard);
        let mut locals = Locals::with(program, told);
        locals.rolled = super::told::rolled(program, &locals);
        locals
    }

    /// Whether all hear what comes out of a stream of chance: a roll that is kept open and lies nowhere.
    pub fn hear_of(&self, stream: u32) -> bool {
        self.rolled.contains(&stream)
    }

    fn with(program: &Program, told: Vec<bool>) -> Locals {
        let mut locals = Locals {
            bodies: bodies(program),
            told,
            rolled: BTreeSet::new(),
        };
        while locals.spread(program) {}
        locals
    }

    /// Whether all may see what a local of the body at `pc` holds, or whoever acts there if he is the one who looks.
    pub fn shows(&self, program: &Program, pc: usize, local: u32, own: bool) -> bool {
        let at = self.bodies.partition_point(|(code, _)| code.end <= pc);
        let Some((code, locals)) = self.bodies.get(at) else {
            return false;
        };
        match locals.get(&local).copied().unwrap_or_default() {
            Reach::All => true,
            Reach::Own => own && !asks_others(program, code.clone()),
            Reach::Nobody => false,
        }
    }

    /// The locals of the body that an instruction stands in.
    fn at(&self, pc: usize) -> Option<&BTreeMap<u32, Reach>> {
        let at = self.bodies.partition_point(|(code, _)| code.end <= pc);
        self.bodies.get(at).map(|(_, locals)| locals)
    }

    /// How far an expression in the body at `pc` may be seen.
    pub fn reach(&self, program: &Program, pc: usize, node: NodeId) -> Reach {
        let mut reader = Reader::new(program);
        reader.node(node, self.frame(pc))
    }

    /// How far what a binder in the body at `pc` chooses from may be seen, and what its conditions look at.
    pub fn reach_of_binder(&self, program: &Program, pc: usize, binder: BinderId) -> Reach {
        let mut reader = Reader::new(program);
        reader.binder(binder, self.frame(pc))
    }

    pub fn reach_of_walk(&self, program: &Program, pc: usize, walk: WalkId) -> Reach {
        Reader::new(program).walk(walk, self.frame(pc))
    }

    /// Whether an expression reads a local that holds what not even the acting player may see.
    pub fn holds_secret(&self, program: &Program, pc: usize, node: NodeId) -> bool {
        let Some(locals) = self.at(pc) else {
            return false;
        };
        let secret = |local: &u32| locals.get(local) == Some(&Reach::Nobody);
        let mut read = BTreeSet::new();
        locals_named(program, node, &mut read);
        read.iter().any(secret)
    }

    /// The instructions before `pc` in its body that copy what not even the acting player may see.
    pub fn copies<'a>(
        &'a self,
        program: &'a Program,
        pc: usize,
    ) -> impl Iterator<Item = usize> + 'a {
        let at = self.bodies.partition_point(|(code, _)| code.end <= pc);
        let body = self.bodies.get(at).into_iter();
        body.flat_map(move |(code, locals)| {
            (code.start..pc).filter(move |at| match program.code[*at] {
                Op::Let(local, _) | Op::LetWords(local, _) => {
                    locals.get(&local) == Some(&Reach::Nobody)
                }
                _ => false,
            })
        })
    }

    /// Some body copies what not even the acting player may see.
    pub fn copy_anything(&self) -> bool {
        let mut locals = self.bodies.iter().flat_map(|(_, locals)| locals.values());
        locals.any(|reach| *reach == Reach::Nobody)
    }

    fn frame(&self, pc: usize) -> Frame<'_> {
        Frame {
            mine: &[],
            reaches: self.at(pc),
        }
    }

    /// Goes through all code once; whether something became known.
    fn spread(&mut self, program: &Program) -> bool {
        let mut found: Vec<(usize, u32, Reach)> = Vec::new();
        for (body, (code, _)) in self.bodies.iter().enumerate() {
            // Where others are asked inside, what one of them may see another may not.
            let asks_others = asks_others(program, code.clone());
            let seen = |reach: Reach| match reach {
                Reach::Own if asks_others => Reach::Nobody,
                other => other,
            };
            for pc in code.clone() {
                match program.code[pc] {
                    Op::Let(local, value) | Op::LetWords(local, value) => {
                        found.push((body, local, seen(self.reach(program, pc, value))));
                    }
                    Op::EachBegin { binder, .. } => {
                        let reach = self.reach_of_binder(program, pc, binder);
                        let local = program.binders[binder.at()].local;
                        found.push((body, local, seen(reach)));
                    }
                    Op::Choose(_) | Op::Param { .. } if self.told.get(pc) == Some(&true) => {}
                    // What is offered to somebody he has seen.
                    Op::Choose(choice) | Op::Param { choice, .. } => {
                        let binder = program.choices[choice as usize].binder;
                        let reach = self.reach_of_binder(program, pc, binder).min(Reach::Own);
                        let local = program.binders[binder.at()].local;
                        found.push((body, local, seen(reach)));
                    }
                    Op::Call(proc, args) => self.pass_on(program, pc, (proc, args), &mut found),
                    Op::AgendaAdd { effect, .. } | Op::RunEffect(effect) => {
                        self.effect(program, pc, &program.effects[effect as usize], &mut found);
                    }
                    _ => {}
                }
            }
        }
        let mut grown = false;
        for (body, local, reach) in found {
            if reach == Reach::All {
                continue;
            }
            let known = self.bodies[body].1.entry(local).or_default();
            grown |= *known < reach;
            *known = reach.max(*known);
        }
        grown
    }

    fn pass_on(
        &self,
        program: &Program,
        pc: usize,
        (proc, args): (ProcId, List),
        found: &mut Vec<(usize, u32, Reach)>,
    ) {
        let called = &program.procs[proc.at()];
        let entry = called.entry as usize;
        let Some(body) = self.bodies.iter().position(|(code, _)| code.start == entry) else {
            return;
        };
        for (node, (local, _)) in program.listed(args).iter().zip(&called.params) {
            if *node != ASKED {
                found.push((body, *local, self.reach(program, pc, *node)));
            }
        }
    }

    fn effect(
        &self,
        program: &Program,
        pc: usize,
        effect: &EffectNode,
        found: &mut Vec<(usize, u32, Reach)>,
    ) {
        for part in effect.all() {
            match part {
                EffectNode::Call { proc, args } => self.pass_on(program, pc, (*proc, *args), found),
                // It gets a copy of the locals around it.
                EffectNode::Inline { proc, words } => {
                    let entry = program.procs[proc.at()].entry as usize;
                    let body = self.bodies.iter().position(|(code, _)| code.start == entry);
                    let (Some(body), Some(around)) = (body, self.at(pc)) else {
                        continue;
                    };
                    let end = frame::SIZE as u32 + words;
                    let copied = around.iter().filter(|(local, _)| **local < end);
                    found.extend(copied.map(|(local, reach)| (body, *local, *reach)));
                }
                EffectNode::Value { .. }
                | EffectNode::Times(..)
                | EffectNode::Many(_)
                | EffectNode::If(..)
                | EffectNode::For(..) => {}
            }
        }
    }
}

/// Others than who acts at its begin may be asked in a body.
fn asks_others(program: &Program, code: std::ops::Range<usize>) -> bool {
    let asks = |op: &Op| matches!(op, Op::As { .. } | Op::PlayersBegin { .. });
    program.code[code].iter().any(asks)
}

/// The code of each body, in order.
fn bodies(program: &Program) -> Vec<(std::ops::Range<usize>, BTreeMap<u32, Reach>)> {
    let with_code = program
        .procs
        .iter()
        .filter(|proc| proc.kind != ProcKind::Formula);
    let entries: BTreeSet<usize> = with_code.map(|proc| proc.entry as usize).collect();
    let ends = entries.iter().copied().skip(1).chain([program.code.len()]);
    let code = entries.iter().copied().zip(ends);
    code.map(|(start, end)| (start..end.max(start), BTreeMap::new()))
        .collect()
}

/// How far a formula may be seen whose first parameter, if it has one, is the player who looks.
pub(crate) fn reach_of_formula(program: &Program, proc: ProcId) -> Reach {
    let formula = &program.procs[proc.at()];
    let mine = formula.params.first().map(|(local, _)| *local);
    Reader::new(program).inside(formula.body, mine.into_iter().collect())
}

/// How far an expression may be seen whose locals are elements that all know, as those of a rule.
pub(crate) fn reach_alone(program: &Program, node: NodeId) -> Reach {
    Reader::new(program).inside(node, Vec::new())
}

/// Finds how far an expression may be seen. Bodies of formulas and conditions of networks are gone into once for each way of
/// saying who acts.
struct Reader<'a> {
    program: &'a Program,
    met: BTreeMap<(NodeId, Vec<u32>), Reach>,
}

impl<'a> Reader<'a> {
    fn new(program: &'a Program) -> Reader<'a> {
        Reader {
            program,
            met: BTreeMap::new(),
        }
    }

    fn all(&mut self, nodes: &[NodeId], frame: Frame<'_>) -> Reach {
        let reaches = nodes.iter().map(|node| self.node(*node, frame));
        reaches.max().unwrap_or_default()
    }

    fn binder(&mut self, id: BinderId, frame: Frame<'_>) -> Reach {
        self.all(&binder_clauses(self.program, id), frame)
    }

    fn walk(&mut self, id: WalkId, frame: Frame<'_>) -> Reach {
        let network = self.program.walks[id.at()].network;
        self.all(&walk_clauses(self.program, id), frame)
            .max(self.network(network))
    }

    fn network(&mut self, network: u32) -> Reach {
        let condition = self.program.networks[network as usize].condition;
        condition.map_or(Reach::All, |node| self.inside(node, Vec::new()))
    }

    /// A body of its own in which these locals are the acting player.
    fn inside(&mut self, node: NodeId, mine: Vec<u32>) -> Reach {
        let key = (node, mine);
        if let Some(known) = self.met.get(&key) {
            return *known;
        }
        self.met.insert(key.clone(), Reach::All);
        let frame = Frame {
            mine: &key.1,
            reaches: None,
        };
        let reach = self.node(node, frame);
        self.met.insert(key, reach);
        reach
    }

    fn call(&mut self, proc: ProcId, args: &[NodeId], frame: Frame<'_>) -> Reach {
        let called = &self.program.procs[proc.at()];
        let params = called.params.iter().zip(args);
        let mine = params
            .filter(|(_, arg)| self.is_me(**arg, frame))
            .map(|((local, _), _)| *local);
        let mine = mine.collect();
        self.all(args, frame).max(self.inside(called.body, mine))
    }

    fn is_me(&self, node: NodeId, frame: Frame<'_>) -> bool {
        match self.program.nodes[node.at()] {
            Node::Me => true,
            Node::Local(local) => frame.mine.contains(&local),
            _ => false,
        }
    }

    /// The contents of a slot, and what tells which slot.
    fn cell(&mut self, cell: usize, args: &[NodeId], frame: Frame<'_>) -> Reach {
        let layout = &self.program.cells[cell];
        let own = match layout.owner {
            Some(at) => args.get(at).is_some_and(|arg| self.is_me(*arg, frame)),
            None => layout.passing,
        };
        let reach = match layout.shown_to_all() {
            Sight::Open => Reach::All,
            _ if layout.is_open_to_owner() && own => Reach::Own,
            _ => Reach::Nobody,
        };
        reach.max(self.all(args, frame))
    }

    /// How much lies in a place all may know, unless it conceals even that.
    fn counted(&mut self, place: NodeId, frame: Frame<'_>) -> Reach {
        let program = self.program;
        match program.nodes[place.at()] {
            Node::Cell0(_) => Reach::All,
            Node::Cell1(slot, index) if !program.cells[slot.at()].conceals => {
                self.node(index, frame)
            }
            Node::Cell(slot, list) | Node::CellWords(slot, list)
                if !program.cells[slot.at()].conceals =>
            {
                self.all(program.listed(list), frame)
            }
            _ => self.node(place, frame),
        }
    }

    /// The uppermost card is seen where the deck shows it.
    fn top(&mut self, deck: NodeId, frame: Frame<'_>) -> Reach {
        let program = self.program;
        match program.nodes[deck.at()] {
            Node::CellWords(slot, list) if program.cells[slot.at()].top_shown => {
                self.all(program.listed(list), frame)
            }
            _ => self.node(deck, frame),
        }
    }

    fn node(&mut self, node: NodeId, frame: Frame<'_>) -> Reach {
        let program = self.program;
        let none = |node: NodeId| program.nodes[node.at()] == Node::Const(NONE);
        match program.nodes[node.at()] {
            Node::Local(at) => {
                let reaches = frame.reaches.and_then(|reaches| reaches.get(&at));
                reaches.copied().unwrap_or_default()
            }
            Node::Size(place) | Node::NotEmpty(place) | Node::IsSome(place) => {
                self.counted(place, frame)
            }
            Node::Equal(place, other) | Node::NotEqual(place, other) if none(other) => {
                self.counted(place, frame)
            }
            Node::TopOf(deck) => self.top(deck, frame),
            Node::Cell0(word) => match program.cell_at(word) {
                Some(slot) => self.cell(slot.at(), &[], frame),
                None => Reach::All,
            },
            Node::Cell1(slot, index) => self.cell(slot.at(), &[index], frame),
            Node::Cell(slot, list) | Node::CellWords(slot, list) => {
                self.cell(slot.at(), program.listed(list), frame)
            }
            Node::Call(proc, list) => self.call(proc, program.listed(list), frame),
            Node::CallValue(a, b) => {
                let values = program.formula_procs.iter();
                let values: Vec<ProcId> = values
                    .copied()
                    .filter(|proc| program.procs[proc.at()].params.len() == 1)
                    .collect();
                let reaches = values.into_iter().map(|proc| self.call(proc, &[b], frame));
                let reach = reaches.max().unwrap_or_default();
                reach.max(self.node(a, frame))
            }
            Node::Score(line, player) => {
                self.call(program.score_procs[line as usize], &[player], frame)
            }
            Node::ScoreTotal(player) => {
                let lines = program.score_procs.iter();
                let reaches = lines.map(|proc| self.call(*proc, &[player], frame));
                reaches.max().unwrap_or_default()
            }
            Node::Aggregate(id) | Node::Collect(id) => {
                let aggregate = &program.aggregates[id.at()];
                let binders = aggregate.binders.iter();
                let reaches = binders.map(|binder| self.binder(*binder, frame));
                let reach = reaches.max().unwrap_or_default();
                reach.max(self.all(aggregate.value.as_slice(), frame))
            }
            Node::Joins(network, owner, a, b) => {
                self.all(&[owner, a, b], frame).max(self.network(network))
            }
            Node::Reach(network, owner, from) => {
                self.all(&[owner, from], frame).max(self.network(network))
            }
            Node::BestWalk(walk)
            | Node::WalkNodes(walk)
            | Node::Distance(walk)
            | Node::EndsOfWalk(walk) => self.walk(walk, frame),
            Node::Random(from, _) | Node::Shuffled(from, _) => self.node(from, frame),
            Node::PositionOfTile(a) | Node::RowOfPart(a, _) => self.node(a, frame),
            Node::Repeats(at) => {
                let history = &program.histories[at as usize];
                match history
                    .slots
                    .iter()
                    .all(|cell| program.cells[cell.at()].is_open())
                {
                    true => self.all(&history.values, frame),
                    false => Reach::Nobody,
                }
            }
            Node::Me
            | Node::Starter
            | Node::Word(_)
            | Node::OnBoard(_)
            | Node::Finishing
            | Node::Finished
            | Node::Drawn(_)
            | Node::DecisionOf => Reach::All,
            Node::Out(player) => self.node(player, frame),
            other => match other.operands() {
                Some(operands) => self.all(operands.of(program), frame),
                // What is not taken apart here may look at anything.
                None => Reach::Nobody,
            },
        }
    }
}
