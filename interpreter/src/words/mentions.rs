//! What a sentence of the log says by itself: what comes of a deed is told beside it unless the sentence says that very change.

use super::Words;
use super::fold::Open;
use super::observed::{Change, News};
use dsl::ir::{Domain, Ty};
use dsl::source::Span;
use std::collections::BTreeMap;

/// What a sentence names.
pub(super) struct Mentions {
    /// Things, each with how many of it; who acts.
    things: BTreeMap<(Domain, i32), i32>,
    amounts: Vec<i32>,
}

impl Words<'_> {
    /// What the sentence of a deed names.
    pub(super) fn mentions(&self, open: &Open) -> Mentions {
        let mut things = BTreeMap::from([((Domain::Player, open.seat as i32), i32::MAX)]);
        let mut amounts = Vec::new();
        let tells = open.deed.and_then(|deed| {
            let deed = &self.speech().deeds[deed.index()];
            deed.tells.as_ref()
        });
        let chosen = open.chosen.iter().map(|(chosen, _)| (chosen, true));
        let given = open.given.iter().map(|given| (given, false));
        for (value, is_chosen) in chosen.chain(given) {
            let ty = value.ty.required();
            let one = ty.element().unwrap_or_else(|| ty.clone());
            let in_phrase = tells.map(|phrase| phrase.holes().any(|hole| hole == value.name));
            // What was chosen and has no hole stands behind the sentence, numbers apart.
            let said = in_phrase.unwrap_or(is_chosen);
            match one.required() {
                Ty::Element(domain) if said || is_chosen => {
                    for (piece, count) in self.pieces(&value.held) {
                        let known = things.entry((*domain, piece)).or_insert(0);
                        *known = known.saturating_add(count);
                    }
                }
                Ty::Int { .. } if said => {
                    amounts.extend(self.pieces(&value.held).into_iter().map(|one| one.0));
                }
                _ => {}
            }
        }
        Mentions { things, amounts }
    }
}

impl Mentions {
    /// The sentence says this very change: whose it is, what it is about, and of how many. What went from one place that is named
    /// to another was moved there.
    pub fn say(&self, news: &News, all: &[(News, Option<Span>)]) -> bool {
        let Some(by) = news.amount().filter(|_| self.name_owner(news)) else {
            return false;
        };
        let amount_said = by.abs() == 1 || self.amounts.contains(&by.saturating_abs());
        let mut others = all
            .iter()
            .map(|(other, _)| other)
            .filter(|other| other.owner != news.owner && self.name_owner(other));
        match (&news.change, news.steps().first()) {
            (Change::Number { noun, .. }, _) => {
                let went = |other: &News| {
                    let same =
                        matches!(&other.change, Change::Number { noun: of, .. } if of == noun);
                    same && other.amount().and_then(i32::checked_neg) == Some(by)
                };
                amount_said && news.owner.is_some() && others.any(went)
            }
            (_, Some((thing, _))) => {
                let many = self.things.get(thing).copied().unwrap_or(0);
                let went = |other: &News| other.steps().contains(&(*thing, by.saturating_neg()));
                // What a place that is named loses is told where it comes to.
                let place = (news.owner).is_some_and(|(domain, _)| domain != Domain::Player);
                many >= by.saturating_abs()
                    || amount_said && (many > 0 || by < 0 && place && others.any(went))
            }
            (_, None) => false,
        }
    }

    fn name_owner(&self, news: &News) -> bool {
        news.owner
            .is_none_or(|owner| self.things.contains_key(&owner))
    }
}
