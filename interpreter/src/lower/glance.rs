//! Glances: where the code behind an answer runs straight on to where nothing can fail any more, a few tests of the state
//! as it is tell what running it would. They write nothing, so nothing has to be put back.

use super::memo;
use super::safety;
use crate::Program;
use crate::facts::{Facts, Reads, writes};
use crate::program::*;
use std::collections::BTreeSet;

/// Tests of one glance beyond which running is as good.
const LOOKS_MAX: usize = 16;

/// Fills `Program::glances` for every place where an answer can lead.
pub(super) fn mark(program: &mut Program, facts: &Facts, quiet: &[bool]) {
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
        let mut plan = Plan::new(program, facts, quiet);
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
    // What stands behind a question is part of what is remembered of it, so the last comes first.
    for at in (0..looks.len()).rev() {
        if let Look::Ask { choice, index, .. } = looks[at] {
            let memo = memo::plan(program, choice, &looks[at + 1..]);
            looks[at] = Look::Ask {
                choice,
                index,
                memo,
            };
        }
    }
    let before = start.checked_sub(1).map(|pc| program.code[pc as usize]);
    let memo = match before {
        Some(Op::Choose(choice) | Op::Param { choice, .. }) => memo::plan(program, choice, &looks),
        _ => None,
    };
    let first = program.looks.len() as u32;
    program.looks.extend(looks);
    Glance {
        start: first,
        end: program.looks.len() as u32,
        memo,
    }
}

struct Plan<'p> {
    program: &'p Program,
    facts: &'p Facts,
    /// Instructions that cannot fail, nor can what they wake.
    quiet: &'p [bool],
    looks: Vec<Look>,
    /// Questions for parts that are all alike: no look depends on the answer, so cheaper ones come first.
    parts: Vec<Look>,
    /// Come last: they look at what was written.
    rules: Vec<Look>,
    written: BTreeSet<Slot>,
    /// A step was entered, which is counted.
    stepped: bool,
}

impl<'p> Plan<'p> {
    fn new(program: &'p Program, facts: &'p Facts, quiet: &'p [bool]) -> Plan<'p> {
        Plan {
            program,
            facts,
            quiet,
            looks: Vec::new(),
            parts: Vec::new(),
            rules: Vec::new(),
            written: BTreeSet::new(),
            stepped: false,
        }
    }

    /// Adds what tells whether the way from here leads on; none where only running does.
    fn follow(&mut self, mut pc: usize) -> Option<()> {
        let p = self.program;
        while !p.safe[pc] {
            if self.looks.len() > LOOKS_MAX {
                return None;
            }
            let writes = writes(p, p.code[pc]);
            if self.quiet[pc] && writes.alone {
                self.note_writes(writes.cells)?;
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
                    self.note_writes(p.action_cells[action as usize].iter().copied())?;
                }
                Op::Choose(choice) => self.ask(choice, None)?,
                Op::Param { choice, index } => self.ask(choice, Some(index))?,
                Op::Call(proc, args) if p.safe[pc + 1] => {
                    let args_of = p.listed(args).iter().copied().filter(|node| *node != ASKED);
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
            crate::facts::reads(self.program, *node, &mut reads);
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
            Change::Set => safety::set_fits(p, self.facts, place, value),
            Change::Add | Change::Subtract => {
                safety::change_fits(p, self.facts, place, value, change)
            }
        };
        let certain =
            fits && !self.facts.ends(value).fails && !safety::is_outside(p, self.facts, place);
        if !certain {
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
        self.note_writes([slot])
    }

    /// Notes what is written, and what may be because of it; none where that cannot be told.
    fn note_writes(&mut self, cells: impl IntoIterator<Item = Slot>) -> Option<()> {
        let cells = cells.into_iter().collect();
        self.written
            .extend(self.facts.with_woken(self.program, cells)?);
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
                crate::facts::reads(p, rule.condition, &mut reads);
                if let Some(guard) = rule.bindings.guard {
                    crate::facts::reads(p, guard, &mut reads);
                }
                let others = |read: &Slot| *read != slot && self.written.contains(read);
                rule.invariant || !reads.opaque && !reads.cells.iter().any(others)
            })
        })
    }

    /// One card from an end of a deck to where there is always room.
    fn draw(&mut self, step: &MoveOp) -> Option<()> {
        let MoveWhat::Drawn {
            count: None, of, ..
        } = step.what
        else {
            return None;
        };
        let from = self.place(of)?;
        let to = self.place(step.to)?;
        let quiet = !self.woken(from)? && !self.woken(to)?;
        let p = self.program;
        let elements = safety::elements_of(p.places[of.at()].shape);
        let certain = !safety::is_outside(p, self.facts, of)
            && !safety::is_outside(p, self.facts, step.to)
            && safety::roomy(p, step.to, elements);
        if !quiet || !certain || step.up_to {
            return None;
        }
        self.looks.push(Look::Top(of));
        self.note_writes([from, to])
    }

    fn ask(&mut self, choice: u32, index: Option<u32>) -> Option<()> {
        let p = self.program;
        let code = &p.choices[choice as usize];
        let binder = &p.binders[code.binder.at()];
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
                    memo: None,
                });
                return Some(());
            }
            Source::OnBoard(_) => return None,
            _ => {
                let mut reads = Reads::default();
                crate::facts::binder_reads(p, code.binder, &mut reads);
                self.sees_none(&reads)?;
                binder.is_plain().then_some(())?;
            }
        }
        self.looks.push(Look::Ask {
            choice,
            index,
            memo: None,
        });
        Some(())
    }
}
