//! What bars a decision of which no way leads on. A requirement is a reason if it alone bars each of the ways; only where
//! there is none such are those told that bar some of them, and are said to.

use crate::words::Refusal;

/// Reasons one explanation keeps.
const REASONS_MAX: usize = 24;

/// Why one way, or each of several, leads nowhere.
#[derive(Clone, Debug, Default)]
pub(super) struct Bars {
    /// Each of these would be enough. None: it takes all of `some`.
    pub alone: Vec<Refusal>,
    /// Commonest first; of several ways each bars some.
    pub some: Vec<Refusal>,
}

impl Bars {
    pub fn alone(alone: Vec<Refusal>) -> Bars {
        Bars {
            alone,
            some: Vec::new(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.alone.is_empty() && self.some.is_empty()
    }

    /// As they are told.
    pub fn told(self) -> Vec<Refusal> {
        if !self.alone.is_empty() {
            return self.alone;
        }
        let mut some = self.some;
        for refusal in &mut some {
            refusal.sentence.push_str(" (bars some of the ways)");
        }
        some
    }
}

/// What is found of the ways of one decision, way by way.
#[derive(Clone, Default)]
pub(super) struct Ways {
    met: bool,
    /// What barred each way so far.
    each: Vec<Refusal>,
    /// What barred any, with the number of ways of which it was the first reason.
    any: Vec<(Refusal, u32)>,
}

impl Ways {
    /// One more way; of one of which nothing is known nothing follows.
    pub fn add(&mut self, bars: Bars) {
        if bars.is_empty() {
            return;
        }
        if self.met {
            self.each
                .retain(|one| bars.alone.iter().any(|other| same_requirement(one, other)));
        } else {
            self.met = true;
            self.each.clone_from(&bars.alone);
        }
        for (at, refusal) in bars.alone.into_iter().chain(bars.some).enumerate() {
            self.count(refusal, u32::from(at == 0));
        }
    }

    /// Something bars all ways so far.
    pub fn one_bars_all(&self) -> bool {
        !self.each.is_empty()
    }

    /// Nothing bars all ways met so far.
    pub fn is_open(&self) -> bool {
        self.met && self.each.is_empty()
    }

    fn count(&mut self, refusal: Refusal, ways: u32) {
        let same = |other: &Refusal| {
            same_requirement(other, &refusal) && other.sentence == refusal.sentence
        };
        match self.any.iter().position(|(other, _)| same(other)) {
            Some(at) => self.any[at].1 += ways,
            None if self.any.len() < REASONS_MAX => self.any.push((refusal, ways)),
            None => {}
        }
    }

    pub fn bars(mut self) -> Bars {
        if !self.each.is_empty() {
            return Bars::alone(self.each);
        }
        self.any.sort_by_key(|(_, ways)| std::cmp::Reverse(*ways));
        Bars {
            alone: Vec::new(),
            some: self.any.into_iter().map(|(refusal, _)| refusal).collect(),
        }
    }
}

/// The same place of the rules; the numbers may differ from way to way.
fn same_requirement(a: &Refusal, b: &Refusal) -> bool {
    (a.span, a.kind, &a.name) == (b.span, b.kind, &b.name)
}
