//! Something for each element that answers can name.

use dsl::ir::{Domain, EnumId, RuleSet, TableId};
use serde::{Deserialize, Serialize};

/// By domain and word; what was never touched has its default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Elements<T> {
    tables: usize,
    enums: usize,
    domains: Vec<Vec<T>>,
}

impl<T: Clone + Default> Elements<T> {
    pub fn new(rules: &RuleSet) -> Elements<T> {
        let (tables, enums) = (rules.tables.len(), rules.enums.len());
        Elements {
            tables,
            enums,
            domains: vec![Vec::new(); 2 * tables + enums + 4],
        }
    }

    /// Place of a domain; none of what is not counted: numbers, and who it is.
    fn place(&self, domain: Domain) -> Option<usize> {
        let rest = 2 * self.tables + self.enums;
        Some(match domain {
            Domain::Table(table) => table.index(),
            Domain::Part(table) => self.tables + table.index(),
            Domain::Enum(one) => 2 * self.tables + one.index(),
            Domain::Cell => rest,
            Domain::Side => rest + 1,
            Domain::Port => rest + 2,
            Domain::Action => rest + 3,
            Domain::Player | Domain::Int { .. } => return None,
        })
    }

    fn domain(&self, place: usize) -> Domain {
        let rest = 2 * self.tables + self.enums;
        match place {
            at if at < self.tables => Domain::Table(TableId(at as u32)),
            at if at < 2 * self.tables => Domain::Part(TableId((at - self.tables) as u32)),
            at if at < rest => Domain::Enum(EnumId((at - 2 * self.tables) as u32)),
            at => [Domain::Cell, Domain::Side, Domain::Port, Domain::Action][(at - rest).min(3)],
        }
    }

    pub fn get(&self, domain: Domain, word: i32) -> Option<&T> {
        let place = self.place(domain)?;
        self.domains.get(place)?.get(usize::try_from(word).ok()?)
    }

    /// To be changed; none of what is not counted.
    pub fn at(&mut self, domain: Domain, word: i32) -> Option<&mut T> {
        let (place, word) = (self.place(domain)?, usize::try_from(word).ok()?);
        let own = self.domains.get_mut(place)?;
        if own.len() <= word {
            own.resize(word + 1, T::default());
        }
        own.get_mut(word)
    }

    /// All that were touched, in order.
    pub fn each(&self) -> impl Iterator<Item = (Domain, i32, &T)> {
        let domains = self.domains.iter().enumerate();
        domains.flat_map(|(place, own)| {
            let domain = self.domain(place);
            own.iter()
                .zip(0..)
                .map(move |(one, word)| (domain, word, one))
        })
    }

    /// Adds what another has, element by element.
    pub fn merge(&mut self, other: &Elements<T>, add: impl Fn(&mut T, &T)) {
        if self.domains.is_empty() {
            self.clone_from(other);
            return;
        }
        for (domain, word, one) in other.each() {
            if let Some(own) = self.at(domain, word) {
                add(own, one);
            }
        }
    }
}
