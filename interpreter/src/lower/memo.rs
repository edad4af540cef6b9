//! What is remembered of questions for one of a table's elements. Elements whose answer is looked at through the same
//! constants only form a class; what conditions and rules say of each element a sieve keeps.

use super::finder::{Finder, Known, Words};
use super::versions;
use crate::Program;
use crate::facts::Reads;
use crate::network::bits;
use crate::program::*;
use std::collections::{BTreeMap, BTreeSet};

/// Words on which one element may depend; what depends on more would be forgotten too often.
const WORDS_MAX: usize = 64;

/// The memo of a question behind whose answers this is looked at.
pub(super) fn plan(program: &mut Program, choice: u32, looks: &[Look]) -> Option<u32> {
    let same = |memo: &Memo| memo.choice == choice && memo.looks == looks;
    if let Some(at) = program.memos.iter().position(same) {
        return Some(at as u32);
    }
    let binder = &program.binders[program.choices[choice as usize].binder.at()];
    let Source::All { n, low: 0 } = binder.source else {
        return None;
    };
    if n == 0 {
        return None;
    }
    let (by_class, class, reads) =
        classes(program, binder.local, n, looks).unwrap_or((0, vec![0; n as usize], Vec::new()));
    let asked = looks[..by_class as usize]
        .iter()
        .fold(0, |asked, look| match look {
            Look::Ask {
                index: Some(index), ..
            } => asked | 1 << index,
            _ => asked,
        });
    let memo = Memo {
        choice,
        looks: looks.to_vec(),
        by_class,
        members: members(&class),
        class,
        reads,
        asked,
        leading: None,
        tests: Vec::new(),
    };
    program.memos.push(memo);
    Some(program.memos.len() as u32 - 1)
}

fn members(class: &[u8]) -> Vec<u32> {
    let width = bits::words(class.len() as u32);
    let count = class.iter().max().map_or(0, |last| usize::from(*last) + 1);
    let mut members = vec![0; count * width];
    for (element, class) in class.iter().enumerate() {
        bits::insert(&mut members[usize::from(*class) * width..], element as u32);
    }
    members
}

/// How many looks read the elements only through constants, the class of each element by these constants, and what else
/// they read. None where most elements are in a class of their own.
fn classes(
    program: &Program,
    local: u32,
    n: u32,
    looks: &[Look],
) -> Option<(u32, Vec<u8>, Vec<Read>)> {
    let mut ways = Ways {
        program,
        local,
        runs: BTreeSet::new(),
        masks: Vec::new(),
    };
    // The look that ends this leaves constants behind that it reads; classes are only finer for it.
    let through = looks.iter().take_while(|look| ways.look(look).is_some());
    let count = through.count();
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
    let mut reads = Reads::default();
    for look in &looks[..count] {
        look_reads(program, look, &mut reads)?;
    }
    let useful = count > 0 && keys.len() * 2 <= class.len();
    useful.then(|| (count as u32, class, versions::of(program, &reads)))
}

/// Adds all that a look by class reads.
fn look_reads(program: &Program, look: &Look, reads: &mut Reads) -> Option<()> {
    match *look {
        Look::Need(node) => crate::facts::reads(program, node, reads),
        Look::Fits { place, value, .. } => {
            crate::facts::reads(program, value, reads);
            crate::facts::place_reads(program, place, reads);
        }
        Look::Ask { choice, .. } => {
            let binder = &program.binders[program.choices[choice as usize].binder.at()];
            let Source::Parts(zone) = binder.source else {
                return None;
            };
            let plan = binder.parts.as_ref()?;
            for node in plan.size_low.iter().chain(&plan.size_high).chain([&zone]) {
                crate::facts::reads(program, *node, reads);
            }
        }
        Look::Rules { .. } | Look::Top(_) | Look::Enter { .. } => return None,
    }
    (!reads.opaque).then_some(())
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
    /// None where the element itself is read, or what another question was answered with.
    fn look(&mut self, look: &Look) -> Option<()> {
        let p = self.program;
        match *look {
            Look::Need(node) => self.node(node),
            Look::Fits { place, value, .. } => {
                let place = &p.places[place.at()];
                let cell = &p.cells[place.cell.at()];
                let fixed = |bound| !matches!(bound, Bound::PerPart { .. });
                (place.element.is_none() && fixed(cell.low) && fixed(cell.high)).then_some(())?;
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
                    (cached.key == self.local).then(|| self.masks.push(id))?;
                }
                Some(())
            }
            Look::Rules { .. } | Look::Top(_) | Look::Enter { .. } => None,
        }
    }

    fn list(&mut self, list: List) -> Option<()> {
        let nodes = self.program.listed(list);
        nodes.iter().try_for_each(|node| self.node(*node))
    }

    fn node(&mut self, node: NodeId) -> Option<()> {
        let p = self.program;
        match p.nodes[node.at()] {
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

/// Lets sieves remember what can be told of each element, and puts numbers into the looks by class.
pub(super) fn attach(program: &mut Program) {
    let mut found = Vec::new();
    {
        let mut finder = Finder::new(program);
        for memo in 0..program.memos.len() {
            let tests = class_tests(program, &mut finder, memo).unwrap_or_default();
            found.push((tests, leading(program, &mut finder, memo)));
        }
    }
    let program = &mut program.flat;
    for (at, (tests, sieve)) in found.into_iter().enumerate() {
        let memo = &mut program.memos[at];
        memo.tests = tests;
        if let Some(sieve) = sieve {
            memo.leading = Some(SieveId(program.sieves.len() as u32));
            let seats = program.players as usize;
            program.sieves.extend(std::iter::repeat_n(sieve, seats));
        }
    }
    let memos = &program.memos;
    let useful = |memo: &u32| {
        let memo = &memos[*memo as usize];
        memo.by_class > 0 || memo.leading.is_some()
    };
    for glance in &mut program.glances {
        glance.memo = glance.memo.filter(useful);
    }
    for look in &mut program.looks {
        if let Look::Ask { memo, .. } = look {
            *memo = memo.filter(useful);
        }
    }
}

/// The tests of all classes; none where a look is no such test.
fn class_tests(program: &Program, finder: &mut Finder<'_>, memo: usize) -> Option<Vec<ClassTest>> {
    let memo = &program.memos[memo];
    let local = program.binders[program.choices[memo.choice as usize].binder.at()].local;
    let mut tests = Vec::new();
    let classes = memo.members.len() / memo.width();
    for class in 0..classes {
        let element = memo.class.iter().position(|c| usize::from(*c) == class)?;
        let known = Known::from([(local, element as i32)]);
        for look in &memo.looks[..memo.by_class as usize] {
            tests.push(match *look {
                Look::Fits {
                    place,
                    value,
                    change,
                } => {
                    let place = &program.places[place.at()];
                    let own = matches!(place.by, Some(By::Me(_)));
                    (own || place.args.len == 0).then_some(())?;
                    ClassTest::Fits {
                        cell: place.cell,
                        own,
                        change,
                        by: finder.value(value, &known)?,
                    }
                }
                Look::Ask { choice, .. } => {
                    let binder = program.choices[choice as usize].binder;
                    let plan = program.binders[binder.at()].parts.as_ref()?;
                    let cached = plan.kinds.as_ref()?.cached.as_ref()?;
                    let ids = cached.ranges.get(element)?;
                    let exact = plan.size_low == plan.size_high && plan.rest.is_empty();
                    ClassTest::Part {
                        binder,
                        size: finder.value(plan.size_low.filter(|_| exact)?, &known)?,
                        ids: (ids.start, ids.end),
                    }
                }
                _ => return None,
            });
        }
    }
    Some(tests)
}

/// Which elements meet the conditions and lead on as far as they matter themselves, as one seat sees it. None where a sieve
/// does not tell who meets the conditions, or an element depends on too many words, or on more than words.
fn leading(program: &Program, finder: &mut Finder<'_>, memo: usize) -> Option<Sieve> {
    let memo = &program.memos[memo];
    let binder = &program.binders[program.choices[memo.choice as usize].binder.at()];
    let (sifted, conditions) = binder.sieve?;
    (conditions == binder.conditions.len()).then_some(())?;
    let mut words = vec![Words::new(); memo.class.len()];
    program.sieves[sifted.at()].each_read(|word, element| {
        words[element as usize].insert(word);
    });
    let mut readers: BTreeMap<u32, Vec<Reader>> = BTreeMap::new();
    for (element, mut words) in (0..).zip(words) {
        let known = Known::from([(binder.local, element as i32)]);
        add_words(program, finder, memo, binder, &known, &mut words)?;
        for word in words.iter() {
            let reader = Reader { element, parts: 0 };
            readers.entry(word).or_default().push(reader);
        }
    }
    let mut sieve = Sieve::new(&readers, 0, memo.class.len() as u32);
    sieve.own = true;
    Some(sieve)
}

/// Adds the words that the looks at an element itself rest on; none where that are too many, or more than words.
fn add_words(
    program: &Program,
    finder: &mut Finder<'_>,
    memo: &Memo,
    binder: &Binder,
    known: &Known,
    words: &mut Words,
) -> Option<()> {
    let add = |node: NodeId, finder: &mut Finder<'_>, words: &mut Words| {
        let mut reads = Reads::default();
        crate::facts::reads(program, node, &mut reads);
        finder.expression(node, known, words);
        reads.locals.iter().all(|at| *at == binder.local) && words.len() <= WORDS_MAX
    };
    for look in &memo.looks[memo.by_class as usize..] {
        match *look {
            Look::Need(condition) => add(condition, finder, words).then_some(())?,
            Look::Rules { place, value, .. } => {
                add(value, finder, words).then_some(())?;
                let place = &program.places[place.at()];
                let word = place
                    .element
                    .is_none()
                    .then(|| finder.place(place, known))??;
                words.insert(word);
                for watcher in program.word_watchers(word as usize) {
                    let Watcher::Rule { rule, binding } = *watcher else {
                        continue;
                    };
                    let rule = &program.rules[rule as usize];
                    if rule.invariant {
                        continue;
                    }
                    (binding != EVERY_BINDING).then_some(())?;
                    words.insert_all(&finder.binding(&rule.bindings, binding, rule.condition));
                }
            }
            _ => return None,
        }
    }
    (words.len() <= WORDS_MAX).then_some(())
}
