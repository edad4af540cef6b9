//! Glances: where the code behind an answer runs straight on to where nothing can fail any more, a few tests of the state
//! as it is tell what running it would. They write nothing, so nothing has to be put back.

use super::fold::{self, Reads};
use crate::program::*;
use std::collections::BTreeSet;

/// Tests of one glance beyond which running is as good.
const LOOKS_MAX: usize = 16;

/// Fills `Program::glances` for every place where an answer can lead.
pub(super) fn mark(program: &mut Program) {
    program.glances = vec![Glance::default(); program.code.len()];
    if !program.awaited.is_empty() {
        return;
    }
    let behind_questions = program.code.iter().enumerate().filter_map(|(pc, op)| {
        matches!(op, Op::Choose(_) | Op::Param { .. }).then_some(pc as u32 + 1)
    });
    let items = program
        .menus
        .iter()
        .flat_map(|menu| menu.items.iter().map(|item| item.pc));
    let starts: BTreeSet<u32> = behind_questions.chain(items).collect();
    for start in starts {
        let mut plan = Plan {
            program,
            looks: Vec::new(),
            parts: Vec::new(),
            rules: Vec::new(),
            written: BTreeSet::new(),
            stepped: false,
        };
        if plan.follow(start as usize).is_some() && plan.rules_see_one_write_each() {
            let mut looks = plan.looks;
            looks.append(&mut plan.parts);
            looks.append(&mut plan.rules);
            if !looks.is_empty() {
                let glance = keep(program, start, looks);
                program.glances[start as usize] = glance;
            }
        }
    }
}

fn keep(program: &mut Program, start: u32, mut looks: Vec<Look>) -> Glance {
    let before = start.checked_sub(1).map(|pc| program.code[pc as usize]);
    let likes = match before {
        Some(Op::Choose(choice) | Op::Param { choice, .. }) => likes(program, choice, &looks),
        _ => None,
    };
    for at in 0..looks.len() {
        if let Look::Ask { choice, index, .. } = looks[at] {
            let likes = self::likes(program, choice, &looks[at + 1..]);
            looks[at] = Look::Ask {
                choice,
                index,
                likes,
            };
        }
    }
    let first = program.looks.len() as u32;
    program.looks.extend(looks);
    Glance {
        start: first,
        end: program.looks.len() as u32,
        likes,
    }
}

/// Puts the elements of a question into classes by the constants through which the first of these looks read them.
fn likes(program: &mut Program, choice: u32, looks: &[Look]) -> Option<u32> {
    let binder = &program.binders[program.choices[choice as usize].binder.at()];
    let Source::All { n, low: 0 } = binder.source else {
        return None;
    };
    let mut ways = Ways {
        program,
        local: binder.local,
        runs: BTreeSet::new(),
        masks: Vec::new(),
    };
    let through = looks.iter().take_while(|look| ways.look(look).is_some());
    let count = through.count() as u32;
    let Ways { runs, masks, .. } = ways;
    let mut keys: Vec<Vec<i32>> = Vec::new();
    let mut class = Vec::new();
    for element in 0..n as usize {
        let mut key = Vec::new();
        for (base, stride) in &runs {
            let at = *base as usize + element * *stride as usize;
            key.extend_from_slice(program.consts.get(at..at + *stride as usize)?);
        }
        for binder in &masks {
            let plan = program.binders[binder.at()].parts.as_ref()?;
            let cached = plan.kinds.as_ref()?.cached.as_ref()?;
            let run = cached.ranges.get(element)?;
            let ids = &cached.ids[run.start as usize..run.end as usize];
            key.push(ids.len() as i32);
            key.extend(ids.iter().map(|id| *id as i32));
        }
        let at = keys.iter().position(|k| *k == key).unwrap_or_else(|| {
            keys.push(key);
            keys.len() - 1
        });
        class.push(u8::try_from(at).ok()?);
    }
    // Classes of one are of no use.
    if count == 0 || keys.len() * 2 > class.len() {
        return None;
    }
    program.likes.push(Likes {
        class,
        looks: count,
    });
    Some(program.likes.len() as u32 - 1)
}

/// Through which constants an element is read.
struct Ways<'p> {
    program: &'p Program,
    local: u32,
    /// Base and words for each element.
    runs: BTreeSet<(u32, u32)>,
    /// Questions for parts whose masks depend on it.
    masks: Vec<BinderId>,
}

impl Ways<'_> {
    /// None where the element itself is read.
    fn look(&mut self, look: &Look) -> Option<()> {
        let p = self.program;
        match *look {
            Look::Need(node) => self.node(node),
            Look::Fits { place, value, .. } => {
                let place = &p.places[place.at()];
                self.node(value)?;
                self.list(place.args)
            }
            Look::Ask { choice, .. } => {
                let id = p.choices[choice as usize].binder;
                let binder = &p.binders[id.at()];
                let Source::Parts(zone) = binder.source else {
                    return None;
                };
                let plan = binder.parts.as_ref()?;
                for node in plan.size_low.iter().chain(&plan.size_high).chain([&zone]) {
                    self.node(*node)?;
                }
                if let Some(kinds) = &plan.kinds {
                    let cached = kinds.cached.as_ref()?;
                    if cached.key == self.local {
                        self.masks.push(id);
                    }
                }
                Some(())
            }
            Look::Rules { .. } | Look::Top(_) | Look::Enter { .. } => None,
        }
    }

    fn list(&mut self, list: List) -> Option<()> {
        let nodes = &self.program.lists[list.start as usize..(list.start + list.len) as usize];
        nodes.iter().try_for_each(|node| self.node(*node))
    }

    fn node(&mut self, node: NodeId) -> Option<()> {
        let p = self.program;
        match p.nodes[node.at()] {
            Node::Local(at) => return (at != self.local).then_some(()),
            Node::Column(base, row) if self.is_it(row) => {
                self.runs.insert((base, 1));
                return Some(());
            }
            Node::ColumnWords { base, stride, row } if self.is_it(row) => {
                self.runs.insert((base, stride));
                return Some(());
            }
            _ => {}
        }
        if let Some(operands) = p.nodes[node.at()].operands() {
            let operands = operands.of(p);
            return operands.iter().try_for_each(|node| self.node(*node));
        }
        match p.nodes[node.at()] {
            Node::Me | Node::Starter | Node::Cell0(_) => Some(()),
            Node::Cell1(_, index) => self.node(index),
            Node::Cell(_, args) | Node::CellWords(_, args) => self.list(args),
            _ => None,
        }
    }

    fn is_it(&self, node: NodeId) -> bool {
        self.program.nodes[node.at()] == Node::Local(self.local)
    }
}

struct Plan<'p> {
    program: &'p Program,
    looks: Vec<Look>,
    /// Questions for parts that are all alike: no look depends on the answer, so cheaper ones come first.
    parts: Vec<Look>,
    /// Come last: they look at what was written.
    rules: Vec<Look>,
    written: BTreeSet<Slot>,
    /// A step was entered, which is counted.
    stepped: bool,
}

impl Plan<'_> {
    /// Adds what tells whether the way from here leads on; none where only running does.
    fn follow(&mut self, mut pc: usize) -> Option<()> {
        let p = self.program;
        while !p.safe[pc] {
            if self.looks.len() > LOOKS_MAX {
                return None;
            }
            if p.idle[pc] {
                pc += 1;
                continue;
            }
            match p.code[pc] {
                Op::Need(condition, _) => {
                    self.unwritten(&[condition])?;
                    self.looks.push(Look::Need(condition));
                }
                Op::Set(place, value) => self.write(place, value, Change::Set)?,
                Op::Add(place, value) => self.write(place, value, Change::Add)?,
                Op::Subtract(place, value) => self.write(place, value, Change::Subtract)?,
                Op::Move(step) => self.draw(&p.moves[step as usize])?,
                Op::EnterStep { label, .. } if p.label_cells[label.index()].is_empty() => {
                    self.stepped = true;
                }
                Op::EnterAction(action) => {
                    self.written
                        .extend(p.action_cells[action as usize].iter().copied());
                }
                Op::Choose(choice) => self.ask(choice, None)?,
                Op::Param { choice, index } => self.ask(choice, Some(index))?,
                Op::Call(proc, args) if p.safe[pc + 1] => {
                    let args_of = p.lists[args.start as usize..(args.start + args.len) as usize]
                        .iter()
                        .copied()
                        .filter(|node| *node != super::expr::ASKED);
                    self.unwritten(&args_of.collect::<Vec<_>>())?;
                    self.looks.push(Look::Enter { proc, args });
                    return self.follow(p.procs[proc.at()].entry as usize);
                }
                _ => return None,
            }
            pc += 1;
        }
        Some(())
    }

    /// What these read is not written before.
    fn unwritten(&self, nodes: &[NodeId]) -> Option<()> {
        let mut reads = Reads::default();
        for node in nodes {
            fold::reads(self.program, *node, &mut reads);
        }
        self.sees_none(&reads)
    }

    fn sees_none(&self, reads: &Reads) -> Option<()> {
        let changed = self.stepped || !self.written.is_empty();
        (!(reads.opaque && changed) && reads.cells.is_disjoint(&self.written)).then_some(())
    }

    fn place(&self, place: PlaceId) -> Option<Slot> {
        let place = &self.program.places[place.at()];
        let args = place.args.start..place.args.start + place.args.len;
        let args: Vec<NodeId> = args.map(|at| self.program.lists[at as usize]).collect();
        self.unwritten(&args)?;
        let whole = place.element.is_none() && !self.written.contains(&place.cell);
        whole.then_some(place.cell)
    }

    fn write(&mut self, place: PlaceId, value: NodeId, change: Change) -> Option<()> {
        let p = self.program;
        let slot = self.place(place)?;
        self.unwritten(&[value])?;
        if p.shapes[value.at()] != Shape::Scalar || p.cells[slot.at()].shape != Shape::Scalar {
            return None;
        }
        let fits = match change {
            Change::Set => super::safety::set_fits(p, place, value),
            Change::Add => super::safety::add_fits(p, place, value),
            Change::Subtract => false,
        };
        if !fits {
            self.looks.push(Look::Fits {
                place,
                value,
                change,
            });
        }
        if self.woken(slot)? {
            self.rules.push(Look::Rules {
                place,
                value,
                change,
            });
        }
        self.written.insert(slot);
        Some(())
    }

    /// Whether rules look at this cell; none where more than that follows from a write.
    fn woken(&self, slot: Slot) -> Option<bool> {
        let p = self.program;
        let mut ruled = false;
        for watcher in p.cell_watchers(slot) {
            match watcher {
                Watcher::Rule { rule, .. } => {
                    let rule = &p.rules[*rule as usize];
                    if !rule.early || rule.bindings.parts.is_some() {
                        return None;
                    }
                    ruled |= !rule.invariant;
                }
                Watcher::When { when, .. } => {
                    if !p.procs[p.whens[*when as usize].proc.at()].safe {
                        return None;
                    }
                }
                Watcher::Network { .. } => {}
            }
        }
        Some(ruled)
    }

    /// A rule that is asked what one write comes to must not see another, nor what is known of networks.
    fn rules_see_one_write_each(&self) -> bool {
        let p = self.program;
        self.rules.iter().all(|look| {
            let Look::Rules { place, .. } = look else {
                return true;
            };
            let slot = p.places[place.at()].cell;
            p.cell_watchers(slot).all(|watcher| {
                let Watcher::Rule { rule, .. } = watcher else {
                    return true;
                };
                let rule = &p.rules[*rule as usize];
                let mut reads = Reads::default();
                fold::reads(p, rule.condition, &mut reads);
                if let Some(guard) = rule.bindings.guard {
                    fold::reads(p, guard, &mut reads);
                }
                let others = |read: &Slot| *read != slot && self.written.contains(read);
                rule.invariant || !reads.opaque && !reads.cells.iter().any(others)
            })
        })
    }

    /// One card from the top of a deck to where there is always room.
    fn draw(&mut self, step: &MoveOp) -> Option<()> {
        let MoveWhat::Top { count: None, of } = step.what else {
            return None;
        };
        let from = self.place(of)?;
        let to = self.place(step.to)?;
        let quiet = !self.woken(from)? && !self.woken(to)?;
        if !quiet || !super::safety::roomy(self.program, step.to) || step.up_to {
            return None;
        }
        self.looks.push(Look::Top(of));
        self.written.extend([from, to]);
        Some(())
    }

    fn ask(&mut self, choice: u32, index: Option<u32>) -> Option<()> {
        let p = self.program;
        let code = &p.choices[choice as usize];
        let binder = &p.binders[code.binder.at()];
        let plain = binder.by.is_empty() && binder.from.is_none() && binder.up_to.is_none();
        match binder.source {
            Source::Parts(zone) => {
                let plan = binder.parts.as_ref()?;
                let bounds = plan.size_low.into_iter().chain(plan.size_high);
                self.unwritten(&bounds.chain([zone]).collect::<Vec<_>>())?;
                let kinds_are_known = match &plan.kinds {
                    Some(kinds) => kinds.cached.is_some(),
                    None => true,
                };
                (code.alike && kinds_are_known && plan.rest.is_empty()).then_some(())?;
                self.parts.push(Look::Ask {
                    choice,
                    index,
                    likes: None,
                });
                return Some(());
            }
            Source::OnBoard(_) => return None,
            _ => {
                let mut reads = Reads::default();
                fold::binder_reads(p, code.binder, &mut reads);
                self.sees_none(&reads)?;
                plain.then_some(())?;
            }
        }
        self.looks.push(Look::Ask {
            choice,
            index,
            likes: None,
        });
        Some(())
    }
}
