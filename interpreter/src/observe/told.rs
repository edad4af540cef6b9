//! Which answers all may hear: judged by where what was chosen lay, who could see that, and where it goes.
//!
//! An answer is told if neither what it was chosen from nor the conditions looked at anything that some cannot see, and
//! nothing made of it comes to lie where some cannot see it. What was found in a place that some cannot see is not made of
//! what tells which place that was: with whom hands are swapped is told. Nor is kept what others are asked about before. It is
//! told in any case if, before anybody else is asked, it lies open to all. Which item of a menu was picked is told unless an
//! item writes at once, where some cannot see it, what can be known by the item.

use super::reads::{Locals, Reach};
use crate::Program;
use crate::facts::{inside, leads, locals_named};
use crate::machine::AnswerKind;
use crate::program::*;
use std::collections::BTreeSet;
use std::ops::Range;

/// For each instruction that asks.
pub(super) struct Told {
    /// What was chosen, the step of a walk.
    chosen: Vec<bool>,
    /// Which item, yes or no.
    picked: Vec<bool>,
    /// What an agenda holds.
    entries: bool,
    /// By number of the anytime action.
    anytime: Vec<bool>,
}

impl Told {
    pub fn of(program: &Program) -> Told {
        let locals = program.secrets();
        let paths = Paths { program, locals };
        let picked = program.code.iter().map(|op| match *op {
            Op::OneOf(menu) => {
                let mut items = paths.items(&program.menus[menu as usize]).into_iter();
                !items.any(|code| paths.writes_in_secret(code))
            }
            Op::May { body, end, .. } => {
                !paths.writes_in_secret(body as usize..end.max(body) as usize)
            }
            _ => true,
        });
        let entry = |proc: ProcId| program.procs[proc.at()].entry as usize;
        let bodies = program.procs.iter().filter(|proc| {
            matches!(
                proc.kind,
                ProcKind::Effect | ProcKind::Inline | ProcKind::Action(_)
            )
        });
        let mut agenda = bodies.map(|proc| proc.entry as usize);
        let anytime = program.anytime.iter();
        Told {
            chosen: chosen(program, locals),
            picked: picked.collect(),
            entries: !agenda.any(|pc| paths.writes_in_secret(pc..program.code.len())),
            anytime: anytime
                .map(|(proc, ..)| !paths.writes_in_secret(entry(*proc)..program.code.len()))
                .collect(),
        }
    }

    /// Whether all may hear an answer to the question at an instruction.
    pub fn is_told(&self, asked: usize, kind: AnswerKind, value: i32) -> bool {
        let at = |told: &[bool], at: usize| told.get(at).copied().unwrap_or(false);
        match kind {
            AnswerKind::Element | AnswerKind::Part | AnswerKind::Together | AnswerKind::Step => {
                at(&self.chosen, asked)
            }
            AnswerKind::Item | AnswerKind::Yes | AnswerKind::Done => at(&self.picked, asked),
            AnswerKind::Entry => self.entries,
            AnswerKind::Anytime => at(&self.anytime, value as usize),
            AnswerKind::Go => true,
        }
    }
}

/// For each instruction whether all hear what is chosen there, or the step of a walk.
pub(super) fn chosen(program: &Program, locals: &Locals) -> Vec<bool> {
    let paths = Paths { program, locals };
    let chosen = (0..program.code.len()).map(|pc| match program.code[pc] {
        Op::Choose(choice) | Op::Param { choice, .. } => {
            let binder = program.choices[choice as usize].binder;
            let local = program.binders[binder.at()].local;
            let open = locals.reach_of_binder(program, pc, binder) == Reach::All;
            open && !paths.is_kept_secret(pc, &[local]) || paths.is_laid_open(pc + 1, local)
        }
        Op::WalkPick { walk, .. } => {
            let words = program.walks[walk.at()].words;
            let own: Vec<u32> = (words..words + walk_word::SETS).collect();
            let open = locals.reach_of_walk(program, pc, walk) == Reach::All;
            open && !paths.is_kept_secret(pc, &own)
        }
        _ => true,
    });
    let mut chosen: Vec<bool> = chosen.collect();
    for pc in 0..chosen.len() {
        // What is answered at once is told at once.
        if let Op::Choose(choice) | Op::Param { choice, .. } = program.code[pc] {
            let count = program.choices[choice as usize].at_once as usize;
            chosen[pc] = chosen[pc..pc + count].iter().all(|told| *told);
        }
    }
    chosen
}

/// The streams of what is drawn into a local and kept secret from nobody, or into a cell that lies open.
pub(super) fn rolled(program: &Program, locals: &Locals) -> BTreeSet<u32> {
    let paths = Paths { program, locals };
    let mut rolled = BTreeSet::new();
    for (pc, op) in program.code.iter().enumerate() {
        let (value, local) = match *op {
            Op::Let(local, value) => (value, Some(local)),
            Op::Set(place, value) | Op::AddTo(place, value) if paths.takes_openly(place) => {
                (value, None)
            }
            _ => continue,
        };
        let mut streams = BTreeSet::new();
        paths.streams(value, &mut streams);
        let open = !streams.is_empty() && locals.reach(program, pc, value) == Reach::All;
        if open && local.is_none_or(|local| !paths.is_kept_secret(pc, &[local])) {
            rolled.extend(streams);
        }
    }
    rolled
}

/// Follows code.
struct Paths<'p> {
    program: &'p Program,
    locals: &'p Locals,
}

/// A body in which it is looked for what is kept secret.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Body {
    /// Its first instruction.
    start: usize,
    /// From here on what was chosen is there.
    from: usize,
    /// Locals made of it.
    made: BTreeSet<u32>,
}

impl Body {
    /// One that is called with these parameters.
    fn called(entry: u32, made: BTreeSet<u32>) -> Body {
        let start = entry as usize;
        Body {
            start,
            from: start,
            made,
        }
    }
}

/// What is written over cells, by one instruction.
struct Written {
    place: PlaceId,
    value: Option<NodeId>,
}

impl Paths<'_> {
    fn cell(&self, place: PlaceId) -> &CellLayout {
        &self.program.cells[self.program.places[place.at()].cell.at()]
    }

    fn is_open(&self, place: PlaceId) -> bool {
        self.cell(place).is_open()
    }

    /// One value that all see, or what a step holds, which is gone when the answer is told.
    fn takes_openly(&self, place: PlaceId) -> bool {
        let cell = self.cell(place);
        cell.is_open() && (cell.shape == Shape::Scalar || cell.passing)
    }

    /// Where an instruction writes a value of its own making; moving pieces apart.
    fn written(&self, pc: usize) -> Option<Written> {
        let (place, value) = match self.program.code[pc] {
            Op::Set(place, value)
            | Op::Add(place, value)
            | Op::Subtract(place, value)
            | Op::SetWords(place, value)
            | Op::AddTo(place, value)
            | Op::TakeFrom(place, value) => (place, Some(value)),
            Op::AgendaAdd { agenda, .. } => (agenda, None),
            _ => return None,
        };
        Some(Written { place, value })
    }

    /// The code of each item of a menu.
    fn items(&self, menu: &Menu) -> Vec<Range<usize>> {
        let starts: Vec<usize> = menu.items.iter().map(|item| item.pc as usize).collect();
        let behind_first = starts.get(1).map(|next| self.program.code[next - 1]);
        let end = match (menu.none, behind_first) {
            (Some(none), _) => none as usize,
            (None, Some(Op::Jump(end))) => end as usize,
            _ => self.program.code.len(),
        };
        let ends = starts.iter().copied().skip(1).chain([end]);
        let code = starts.iter().copied().zip(ends);
        code.map(|(start, end)| start..end.max(start)).collect()
    }

    // ------------------------------------------------------------------------------------ what is written at once

    /// Code writes, before anybody is asked, what some cannot see and would not notice.
    fn writes_in_secret(&self, code: Range<usize>) -> bool {
        self.writes(code.start, &code, &BTreeSet::new(), &mut BTreeSet::new())
    }

    /// `asked`: what is asked for on the way, which nobody knows by the item.
    fn writes(
        &self,
        mut pc: usize,
        code: &Range<usize>,
        asked: &BTreeSet<u32>,
        met: &mut BTreeSet<(usize, BTreeSet<u32>)>,
    ) -> bool {
        let whole = 0..self.program.code.len();
        while code.contains(&pc) && met.insert((pc, asked.clone())) {
            let written = self.written(pc);
            let kept = written.filter(|written| !self.is_open(written.place));
            let known = |written: &Written| {
                let of_asked = written.value.is_some_and(|value| self.reads(value, asked));
                !of_asked && self.is_known(pc, written)
            };
            if kept.is_some_and(|written| known(&written)) {
                return true;
            }
            let leads = leads(self.program, self.program.code[pc]);
            match self.program.code[pc] {
                // Where the caller gives it, what is behind runs at once.
                Op::Param { .. } => {}
                Op::Call(proc, args) => {
                    let called = &self.program.procs[proc.at()];
                    let args = self.program.listed(args).iter().zip(&called.params);
                    let left = args.filter(|(node, _)| **node == ASKED);
                    let left = left.map(|(_, (local, _))| *local).collect();
                    if self.writes(called.entry as usize, &whole, &left, met) {
                        return true;
                    }
                }
                _ if leads.asks => return false,
                _ => {}
            }
            let ways = leads.ways(pc);
            let Some((next, others)) = ways.split_first() else {
                return false;
            };
            if others.iter().any(|pc| self.writes(*pc, code, asked, met)) {
                return true;
            }
            pc = *next;
        }
        false
    }

    /// Who knows which instruction runs knows what it writes: it rests on nothing that some cannot see and is not drawn, or
    /// changes what was there.
    fn is_known(&self, pc: usize, written: &Written) -> bool {
        let Some(value) = written.value else {
            return true;
        };
        let cell = self.program.places[written.place.at()].cell;
        self.changes(value, cell)
            || self.locals.reach(self.program, pc, value) == Reach::All && !self.is_drawn(value)
    }

    fn changes(&self, node: NodeId, cell: Slot) -> bool {
        let here = match self.program.nodes[node.at()] {
            Node::Cell0(word) => self.program.cell_at(word) == Some(cell),
            Node::Cell1(slot, _) | Node::Cell(slot, _) | Node::CellWords(slot, _) => slot == cell,
            _ => false,
        };
        let mut inner = inside(self.program, node).into_iter();
        here || inner.any(|node| self.changes(node, cell))
    }

    fn streams(&self, node: NodeId, out: &mut BTreeSet<u32>) {
        if let Node::Random(_, stream) = self.program.nodes[node.at()] {
            out.insert(stream);
        }
        for inner in inside(self.program, node) {
            self.streams(inner, out);
        }
    }

    fn is_drawn(&self, node: NodeId) -> bool {
        let here = matches!(
            self.program.nodes[node.at()],
            Node::Random(..) | Node::Shuffled(..)
        );
        let mut inner = inside(self.program, node).into_iter();
        here || inner.any(|node| self.is_drawn(node))
    }

    // ------------------------------------------------------------------------------------ where a value goes

    /// What is made of these locals of the body at `pc` is put where some cannot see it.
    fn is_kept_secret(&self, pc: usize, locals: &[u32]) -> bool {
        let procs = self.program.procs.iter();
        let bodies = procs.filter(|proc| proc.kind != ProcKind::Formula);
        let starts = bodies.map(|proc| proc.entry as usize);
        let start = starts.filter(|start| *start <= pc).max().unwrap_or(0);
        let body = Body {
            start,
            from: pc,
            made: locals.iter().copied().collect(),
        };
        self.keeps(body, &mut BTreeSet::new())
    }

    fn keeps(&self, mut body: Body, met: &mut BTreeSet<Body>) -> bool {
        if !met.insert(body.clone()) {
            return false;
        }
        let code = self.program.extent(body.start as u32);
        loop {
            let before = body.made.len();
            for pc in code.clone() {
                let copied = match self.program.code[pc] {
                    Op::Let(local, value) | Op::LetWords(local, value) => {
                        self.reads(value, &body.made).then_some(local)
                    }
                    Op::EachBegin { binder, .. } => {
                        let binder = &self.program.binders[binder.at()];
                        let source = match binder.source {
                            Source::Container(node) | Source::Parts(node) => Some(node),
                            _ => None,
                        };
                        let from = source.is_some_and(|node| self.reads(node, &body.made));
                        from.then_some(binder.local)
                    }
                    _ => None,
                };
                body.made.extend(copied);
            }
            if body.made.len() == before {
                break;
            }
        }
        code.into_iter().any(|pc| self.keeps_here(pc, &body, met))
    }

    fn keeps_here(&self, pc: usize, body: &Body, met: &mut BTreeSet<Body>) -> bool {
        let (program, made) = (self.program, &body.made);
        if let Some(written) = self.written(pc)
            && !self.is_open(written.place)
        {
            // How much lies in a place all see, so which place was meant shows. Of a number that changes nobody learns by
            // hearing which it is what it has become, unless that is known, or where it lies is its owner's secret.
            let place = &program.places[written.place.at()];
            let which = program.listed(place.args).iter().chain(&place.element);
            let layout = &program.cells[place.cell.at()];
            let shows = layout.conceals && !layout.hidden || self.is_known(pc, &written);
            let index = (self.cell(written.place).shape == Shape::Scalar)
                && which.into_iter().any(|node| self.reads(*node, made))
                && shows;
            return index || written.value.is_some_and(|value| self.reads(value, made));
        }
        match program.code[pc] {
            Op::Move(step) => {
                let step = &program.moves[step as usize];
                let which = |place: PlaceId| {
                    let place = &program.places[place.at()];
                    let mut args = program.listed(place.args).iter();
                    program.cells[place.cell.at()].conceals
                        && args.any(|node| self.reads(*node, made))
                };
                if which(step.to) || which(step.from()) {
                    return true;
                }
                let MoveWhat::Value { value, from, .. } = step.what else {
                    return false;
                };
                !self.is_open(step.to) && !self.is_open(from) && self.reads(value, made)
            }
            Op::JumpUnless(condition, end) if self.reads(condition, made) => {
                let mut end = end as usize;
                if let Some(Op::Jump(behind)) = end.checked_sub(1).map(|at| program.code[at]) {
                    end = end.max(behind as usize);
                }
                self.guards(pc + 1..end)
            }
            Op::Match { value, table } if self.reads(value, made) => {
                let (_, jumps, default) = &program.matches[table as usize];
                let end = jumps.iter().chain([default]).max();
                self.guards(pc + 1..end.map_or(pc, |end| *end as usize))
            }
            Op::Call(proc, args) => {
                !self.is_put_to_others(pc, body) && self.passes(proc, args, made, met)
            }
            Op::AgendaAdd { effect, .. } | Op::RunEffect(effect) => {
                self.adds(&program.effects[effect as usize], made, met)
            }
            _ => false,
        }
    }

    /// What the instruction calls with its arguments is offered to others, who so are told of them.
    fn is_put_to_others(&self, pc: usize, body: &Body) -> bool {
        let program = self.program;
        let is_offered = |op: &Op| match *op {
            Op::May { body, .. } => body as usize == pc,
            Op::OneOf(menu) => {
                let mut items = program.menus[menu as usize].items.iter();
                items.any(|item| item.pc as usize == pc)
            }
            _ => false,
        };
        let end = program.extent(body.start as u32).end;
        let since = &program.code[body.from.min(pc)..pc];
        let behind = program.code.get(pc..end).unwrap_or_default();
        let lasts = |op: &Op| match *op {
            Op::PlayersNext { end, .. } => end as usize > pc,
            Op::As { saved, .. } => behind
                .iter()
                .any(|op| matches!(*op, Op::AsEnd { saved: of } if of == saved)),
            _ => false,
        };
        since.iter().any(is_offered) && since.iter().any(lasts)
    }

    /// What is written here tells of the condition.
    fn guards(&self, mut code: Range<usize>) -> bool {
        code.any(|pc| {
            self.written(pc)
                .is_some_and(|written| !self.is_open(written.place))
        })
    }

    fn passes(
        &self,
        proc: ProcId,
        args: List,
        made: &BTreeSet<u32>,
        met: &mut BTreeSet<Body>,
    ) -> bool {
        let called = &self.program.procs[proc.at()];
        let args = self.program.listed(args).iter().zip(&called.params);
        let given = args.filter(|(node, _)| **node != ASKED && self.reads(**node, made));
        let given: BTreeSet<u32> = given.map(|(_, (local, _))| *local).collect();
        !given.is_empty() && self.keeps(Body::called(called.entry, given), met)
    }

    fn adds(&self, effect: &EffectNode, made: &BTreeSet<u32>, met: &mut BTreeSet<Body>) -> bool {
        effect.all().into_iter().any(|part| match part {
            EffectNode::Call { proc, args } => self.passes(*proc, *args, made, met),
            EffectNode::Inline { proc, .. } => {
                let entry = self.program.procs[proc.at()].entry;
                self.keeps(Body::called(entry, made.clone()), met)
            }
            EffectNode::Value { .. }
            | EffectNode::Times(..)
            | EffectNode::Many(_)
            | EffectNode::If(..)
            | EffectNode::For(..) => false,
        })
    }

    /// The value is made of these locals: not where they only tell which place is looked into that some cannot see.
    fn reads(&self, node: NodeId, locals: &BTreeSet<u32>) -> bool {
        let program = self.program;
        match program.nodes[node.at()] {
            // How much lies there all see.
            Node::Size(_) | Node::NotEmpty(_) | Node::IsSome(_) | Node::TopOf(_) => {
                let mut read = BTreeSet::new();
                locals_named(program, node, &mut read);
                !read.is_disjoint(locals)
            }
            Node::Cell1(slot, _) | Node::Cell(slot, _) | Node::CellWords(slot, _)
                if !program.cells[slot.at()].is_open() =>
            {
                false
            }
            Node::Local(local) => locals.contains(&local),
            _ => {
                let mut inner = inside(program, node).into_iter();
                inner.any(|node| self.reads(node, locals))
            }
        }
    }

    // ------------------------------------------------------------------------------------ what comes to lie open

    /// On every way from here this local's value comes to lie where all see it, before anybody else is asked.
    fn is_laid_open(&self, pc: usize, local: u32) -> bool {
        self.opens((pc, true), local, &mut BTreeSet::new())
    }

    /// `same`: whoever is asked here is the one who chose.
    fn opens(
        &self,
        (mut pc, mut same): (usize, bool),
        local: u32,
        met: &mut BTreeSet<(usize, u32)>,
    ) -> bool {
        let program = self.program;
        while pc < program.code.len() && met.insert((pc, local)) {
            if self.shows(pc, local) {
                return true;
            }
            let leads = leads(program, program.code[pc]);
            match program.code[pc] {
                Op::Choose(_) | Op::Param { .. } | Op::May { .. } | Op::OneOf(_) if same => {}
                Op::As { .. } | Op::PlayersBegin { .. } | Op::PlayersNext { .. } => same = false,
                _ if leads.asks => return false,
                _ => {}
            }
            if let Op::Call(proc, args) = program.code[pc] {
                let called = &program.procs[proc.at()];
                let mut args = program.listed(args).iter().zip(&called.params);
                let given = args.find(|(node, _)| **node != ASKED && self.is(**node, local));
                if let Some((_, (param, _))) = given
                    && self.opens_given((called.entry as usize, same), *param, met)
                {
                    return true;
                }
                // A body that asks comes before what is behind it.
                if self.asks(called.entry as usize, &mut BTreeSet::new()) {
                    return false;
                }
            }
            let ways = leads.ways(pc);
            let Some((next, others)) = ways.split_first() else {
                return false;
            };
            if !others.iter().all(|pc| self.opens((*pc, same), local, met)) {
                return false;
            }
            pc = *next;
        }
        false
    }

    /// Behind parameters that the caller gives.
    fn opens_given(
        &self,
        (mut pc, same): (usize, bool),
        local: u32,
        met: &mut BTreeSet<(usize, u32)>,
    ) -> bool {
        while matches!(
            self.program.code[pc],
            Op::EnterAction(_) | Op::ParamDefault { .. }
        ) {
            pc += 1;
        }
        self.opens((pc, same), local, met)
    }

    fn asks(&self, start: usize, met: &mut BTreeSet<usize>) -> bool {
        met.insert(start)
            && self
                .program
                .extent(start as u32)
                .any(|pc| match self.program.code[pc] {
                    Op::RunEffect(_) => true,
                    Op::Call(proc, _) => {
                        let entry = self.program.procs[proc.at()].entry as usize;
                        self.asks(entry, met)
                    }
                    op => leads(self.program, op).asks,
                })
    }

    /// An instruction puts the value where all see it, takes it from there, or changes what belongs to it.
    fn shows(&self, pc: usize, local: u32) -> bool {
        let program = self.program;
        let names = |place: PlaceId| {
            let place = &program.places[place.at()];
            let mut which = program.listed(place.args).iter().chain(&place.element);
            which.any(|node| self.is(*node, local))
        };
        if let Some(written) = self.written(pc) {
            let itself = written.value.is_some_and(|value| self.is(value, local));
            return self.is_open(written.place) && (itself || names(written.place));
        }
        let Op::Move(step) = program.code[pc] else {
            return false;
        };
        let step = &program.moves[step as usize];
        match step.what {
            MoveWhat::Value { value, from, .. } => {
                let itself = self.is(value, local);
                [step.to, from]
                    .into_iter()
                    .any(|place| self.is_open(place) && (itself || names(place)))
            }
            _ => false,
        }
    }

    fn is(&self, node: NodeId, local: u32) -> bool {
        self.program.nodes[node.at()] == Node::Local(local)
    }
}
