//! The best walks at once: one for each walker at most, no two over the same link.
//!
//! **Why it is exact.** Of each walker the best walk over the links left to him is found by [`super::best`]; together these are
//! worth no less than any walks that share no link. If no two of them use the same link, they are the best. Else let some
//! use link `l`, walker `i` among them. In each set of walks that share no link either nobody but `i` goes over `l`, or `i`
//! does not; so both are looked into, with `l` barred to all others, and with `l` barred to `i`. Walkers that are alike and to whom
//! the same links are barred may change places: if one of them goes over `l`, it may as well be `i`; so in the second case `l`
//! is barred to all of these. Each case bars a link to somebody who used it, so they come to an end; one that
//! is worth no more than the best set known is left out.
//!
//! The first set known lets the walkers choose one after the other, the one with the most valuable walk first.

use super::Found;
use crate::network::{Exhausted, LinkId, NodeId, bits, refill};

/// Who walks.
pub trait Walkers {
    /// How many.
    fn count(&self) -> usize;
    /// Whether two have the same clauses.
    fn alike(&self, a: usize, b: usize) -> bool;
    /// The best walk of one of them that uses none of these links, by [`super::best`]; `walk` is empty before.
    fn best(&mut self, walker: usize, barred: &[u32], walk: &mut Walk) -> Result<(), Exhausted>;
}

/// A walk of one walker. What is worth nothing he leaves: then it is worth 0 and has no nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// What it is worth.
    pub value: i64,
    /// Places in order, the start among them.
    pub nodes: Vec<NodeId>,
    /// Links in order.
    pub links: Vec<LinkId>,
}

impl Walk {
    pub(crate) fn clear(&mut self) {
        self.value = 0;
        self.nodes.clear();
        self.links.clear();
    }

    /// Takes over what a search has found.
    pub(super) fn put(&mut self, found: &Found) {
        if let Some(value) = found.value.filter(|value| *value > 0) {
            self.value = value;
            self.nodes.extend_from_slice(&found.nodes);
            self.links.extend_from_slice(&found.links);
        }
    }

    fn copy(&mut self, other: &Walk) {
        self.value = other.value;
        self.nodes.clone_from(&other.nodes);
        self.links.clone_from(&other.links);
    }
}

/// Each walker's links that are barred, and his best walk over the others.
#[derive(Default)]
struct Case {
    barred: Vec<u32>,
    walks: Vec<Walk>,
    /// The link that some share, and the first of them; what has been looked into.
    link: u32,
    walker: u32,
    looked: Looked,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Looked {
    #[default]
    Nothing,
    /// Where the link is the walker's.
    His,
    Both,
}

#[derive(Default)]
pub(crate) struct SetScratch {
    cases: Vec<Case>,
    best: Vec<Walk>,
    users: Vec<u32>,
    order: Vec<u32>,
}

impl SetScratch {
    /// The walks that [`best_set`] has found, one for each walker.
    pub fn walks(&self, walkers: usize) -> &[Walk] {
        &self.best[..walkers]
    }
}

struct Search<'a, W> {
    walkers: &'a mut W,
    count: usize,
    /// Words of a set of links.
    words: usize,
    s: &'a mut SetScratch,
    value: i64,
}

/// The greatest sum of walks that share no link, of which each walker has one or none; `cases_max` bounds how many cases are
/// looked into. The walks lie in the scratch.
pub(crate) fn best_set<W: Walkers>(
    walkers: &mut W,
    links: u32,
    cases_max: u32,
    scratch: &mut SetScratch,
) -> Result<i64, Exhausted> {
    let count = walkers.count();
    let mut search = Search {
        walkers,
        count,
        words: bits::words(links),
        s: scratch,
        value: 0,
    };
    search.room(0);
    let Case { barred, .. } = &mut search.s.cases[0];
    barred.fill(0);
    for walker in 0..count {
        search.ask(0, walker)?;
    }
    search.one_after_the_other(links)?;
    search.run(links, cases_max)?;
    Ok(search.value)
}

impl<W: Walkers> Search<'_, W> {
    /// Room for a case.
    fn room(&mut self, depth: usize) {
        if self.s.cases.len() == depth {
            self.s.cases.push(Case::default());
        }
        let case = &mut self.s.cases[depth];
        case.barred.resize(self.count * self.words, 0);
        grow(&mut case.walks, self.count);
        grow(&mut self.s.best, self.count);
    }

    /// The walker's best walk in this case. Of one who is alike and comes before him it is the same.
    fn ask(&mut self, depth: usize, walker: usize) -> Result<(), Exhausted> {
        let words = self.words;
        let case = &mut self.s.cases[depth];
        let barred = &case.barred[walker * words..][..words];
        let same = (0..walker).find(|other| {
            self.walkers.alike(*other, walker) && case.barred[other * words..][..words] == *barred
        });
        let (before, rest) = case.walks.split_at_mut(walker);
        match same {
            Some(other) => rest[0].copy(&before[other]),
            None => {
                rest[0].clear();
                self.walkers.best(walker, barred, &mut rest[0])?;
            }
        }
        Ok(())
    }

    /// The first set: who has the most valuable walk chooses first, the next of what is left.
    fn one_after_the_other(&mut self, links: u32) -> Result<(), Exhausted> {
        let SetScratch {
            cases,
            best,
            users,
            order,
        } = &mut *self.s;
        order.clear();
        order.extend(0..self.count as u32);
        order.sort_unstable_by_key(|walker| (-cases[0].walks[*walker as usize].value, *walker));
        refill(users, bits::words(links), 0);
        for &walker in order.iter() {
            let walk = &mut best[walker as usize];
            let first = &cases[0].walks[walker as usize];
            if first.links.iter().any(|link| bits::has(users, link.0)) {
                walk.clear();
                self.walkers.best(walker as usize, users, walk)?;
            } else {
                walk.copy(first);
            }
            for link in &walk.links {
                bits::insert(users, link.0);
            }
        }
        self.value = best[..self.count].iter().map(|walk| walk.value).sum();
        Ok(())
    }

    fn run(&mut self, links: u32, cases_max: u32) -> Result<(), Exhausted> {
        let (mut depth, mut cases) = (0, 0);
        if !self.enter(0, links) {
            return Ok(());
        }
        loop {
            let promising = match self.s.cases[depth].looked {
                Looked::Both if depth == 0 => return Ok(()),
                Looked::Both => {
                    depth -= 1;
                    continue;
                }
                looked => {
                    cases += 1;
                    if cases > cases_max {
                        return Err(Exhausted::Cases);
                    }
                    self.branch(depth, looked)?
                }
            };
            if promising && self.enter(depth + 1, links) {
                depth += 1;
            }
        }
    }

    /// Looks whether some share a link; if none do, this is the best set so far.
    fn enter(&mut self, depth: usize, links: u32) -> bool {
        let case = &mut self.s.cases[depth];
        let walks = &case.walks[..self.count];
        let total = walks.iter().map(|walk| walk.value).sum();
        if total <= self.value {
            return false;
        }
        refill(&mut self.s.users, links as usize, 0);
        for (walker, walk) in (0..self.count).zip(walks) {
            // A walk may use a link more than once; the count's low half says who was the last to count.
            for link in &walk.links {
                let users = &mut self.s.users[link.index()];
                if *users & 0xffff != walker as u32 + 1 {
                    *users = ((*users >> 16) + 1) << 16 | (walker as u32 + 1);
                }
            }
        }
        let most = (0..links).max_by_key(|link| {
            let users = self.s.users[*link as usize] >> 16;
            (users, std::cmp::Reverse(*link))
        });
        let shared = most.filter(|link| self.s.users[*link as usize] >> 16 > 1);
        let Some(link) = shared else {
            for (best, walk) in self.s.best.iter_mut().zip(walks) {
                best.copy(walk);
            }
            self.value = total;
            return false;
        };
        let uses = |walk: &Walk| walk.links.contains(&LinkId(link));
        case.walker = walks.iter().position(uses).unwrap_or_default() as u32;
        case.link = link;
        case.looked = Looked::Nothing;
        true
    }

    /// Makes the next case below this one; false if it is worth no more than what is known.
    fn branch(&mut self, depth: usize, looked: Looked) -> Result<bool, Exhausted> {
        self.room(depth + 1);
        let words = self.words;
        let (above, below) = self.s.cases.split_at_mut(depth + 1);
        let (case, next) = (&mut above[depth], &mut below[0]);
        next.barred.clone_from(&case.barred);
        for (walk, from) in next.walks.iter_mut().zip(&case.walks[..self.count]) {
            walk.copy(from);
        }
        let (link, his) = (case.link, case.walker as usize);
        let his_barred = |other: usize| {
            case.barred[other * words..][..words] == case.barred[his * words..][..words]
        };
        for walker in 0..self.count {
            let is_barred = match looked {
                Looked::Nothing => walker != his,
                Looked::His => self.walkers.alike(walker, his) && his_barred(walker),
                Looked::Both => false,
            };
            if is_barred {
                bits::insert(&mut next.barred[walker * words..][..words], link);
            }
        }
        case.looked = match looked {
            Looked::Nothing => Looked::His,
            Looked::His | Looked::Both => Looked::Both,
        };
        for walker in 0..self.count {
            let next = &self.s.cases[depth + 1];
            let barred = &next.barred[walker * words..][..words];
            let hit = next.walks[walker]
                .links
                .iter()
                .any(|l| bits::has(barred, l.0));
            if hit {
                self.ask(depth + 1, walker)?;
                let walks = &self.s.cases[depth + 1].walks[..self.count];
                if walks.iter().map(|walk| walk.value).sum::<i64>() <= self.value {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

fn grow(walks: &mut Vec<Walk>, count: usize) {
    if walks.len() < count {
        walks.resize_with(count, Walk::default);
    }
}
