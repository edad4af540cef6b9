//! What of an expression the player who is asked cannot see.

use super::names::Names;
use super::{Leak, Search, Unseen};
use crate::check::visit;
use crate::ir::{
    BinaryOp, Binder, CellId, CellOwner, Expr, ExprKind, FormulaId, LocalId, Private, UnaryOp,
    Value,
};
use crate::source::Span;
use std::collections::BTreeSet;

impl Search<'_> {
    /// The contents of a cell, if the acting player does not see them.
    pub(super) fn unseen(&self, id: CellId, args: &[Expr], names: &Names) -> Option<Leak> {
        let cell = &self.rs.cells[id.index()];
        let sight = &cell.visibility;
        let answered = self.answered.contains(&id);
        let concealed =
            sight.private.is_some() || sight.hidden || sight.top || !sight.showing.is_empty();
        if !(answered || concealed) {
            return None;
        }
        let owner = self.owner(cell, args);
        let passing = matches!(cell.owner, CellOwner::Step(_) | CellOwner::Action(_));
        let own = match owner {
            Some(owner) => names.is_me(owner),
            None => passing,
        };
        let seen = match sight.private {
            _ if sight.hidden => false,
            _ if answered => own,
            Some(Private::Owner) => own,
            Some(Private::Others) => owner.is_some_and(|owner| names.is_other(owner)),
            None => own && !sight.top,
        };
        (!seen || names.early && concealed).then(|| Leak {
            cell: cell.name.clone(),
            early: seen,
            sight: match sight.private {
                _ if sight.hidden => Unseen::Hidden,
                Some(Private::Owner) => Unseen::Private,
                Some(Private::Others) => Unseen::PrivateToOthers,
                None if answered => Unseen::Answered,
                None => Unseen::Hidden,
            },
            here: "",
            told: None,
        })
    }

    /// The first thing in an expression that the acting player does not see.
    pub(super) fn first(&mut self, expr: &Expr, names: &Names) -> Option<(Span, Leak)> {
        use ExprKind as K;
        let here = |leak: Leak| (expr.span, leak);
        match &expr.kind {
            K::Local(local) => {
                let leak = names
                    .secret
                    .get(local)
                    .filter(|leak| names.early || !leak.early);
                leak.cloned().map(here)
            }
            K::Cell(id, args) => match self.unseen(*id, args, names) {
                Some(leak) => Some(here(leak)),
                None => self.first_of(args.iter(), names),
            },
            // How much lies in a place all may know, unless it conceals even that.
            K::Size(place) | K::Unary(UnaryOp::There, place) => self.counted(place, names),
            K::Binary(BinaryOp::Equal | BinaryOp::NotEqual, place, other)
                if matches!(other.kind, K::Const(Value::None)) =>
            {
                self.counted(place, names)
            }
            K::TopOf(deck) => match &deck.kind {
                K::Cell(id, args) if self.rs.cells[id.index()].visibility.top => {
                    self.first_of(args.iter(), names)
                }
                _ => self.first(deck, names),
            },
            K::Call(formula, args) => {
                let found = self.first_of(args.iter(), names);
                found.or_else(|| self.called(*formula, args, names).map(here))
            }
            K::Score(_, player) => {
                let mine = names.is_me(player);
                let found = self.first(player, names);
                found.or_else(|| self.scored(mine, names.early).map(here))
            }
            K::Aggregate { binders, .. } => {
                // What a zone holds that is not seen is not seen of its elements either.
                let names = &self.with_binders(binders, names);
                self.first_of(visit::children(expr).into_iter(), names)
            }
            _ => {
                let network = match &expr.kind {
                    K::Joins(network, ..) | K::Reach(network, ..) => Some(*network),
                    K::BestWalk(walk) | K::Distance(walk) | K::EndsOfWalk(walk) => {
                        Some(walk.network)
                    }
                    _ => None,
                };
                let of_walkers = match &expr.kind {
                    K::BestWalk(walk) => walk.by.as_slice(),
                    _ => &[],
                };
                let names = &self.with_binders(of_walkers, names);
                let found = self.first_of(visit::children(expr).into_iter(), names);
                found.or_else(|| {
                    let rs = self.rs;
                    let condition = rs.networks[network?.index()].condition.as_ref()?;
                    let early = Names::default().behind_answer(names.early, names.early);
                    let (_, leak) = self.first(condition, &early)?;
                    Some(here(leak))
                })
            }
        }
    }

    fn with_binders(&self, binders: &[Binder], names: &Names) -> Names {
        let mut names = names.clone();
        for binder in binders {
            if names.is_me(&binder.source) {
                names.mine.insert(binder.local);
            }
            names.meet(binder);
        }
        names
    }

    fn first_of<'e>(
        &mut self,
        exprs: impl Iterator<Item = &'e Expr>,
        names: &Names,
    ) -> Option<(Span, Leak)> {
        for expr in exprs {
            let found = self.first(expr, names);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn counted(&mut self, place: &Expr, names: &Names) -> Option<(Span, Leak)> {
        match &place.kind {
            ExprKind::Cell(id, args) if !self.rs.cells[id.index()].conceals() => {
                self.first_of(args.iter(), names)
            }
            _ => self.first(place, names),
        }
    }

    fn called(&mut self, id: FormulaId, args: &[Expr], names: &Names) -> Option<Leak> {
        let rs = self.rs;
        let formula = &rs.formulas[id.index()];
        let params = formula.params.iter().zip(args);
        let (mut mine, mut others) = (BTreeSet::new(), BTreeSet::new());
        for (param, arg) in params {
            if names.is_me(arg) {
                mine.insert(*param);
            }
            if names.is_other(arg) {
                others.insert(*param);
            }
        }
        let key = (id, mine.clone(), others.clone(), names.early);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        self.known.insert(key.clone(), None);
        let inside = Names {
            mine,
            others,
            early: names.early,
            ..Names::default()
        };
        let leak = self.first(&formula.body, &inside).map(|(_, leak)| leak);
        self.known.insert(key, leak.clone());
        leak
    }

    fn scored(&mut self, mine: bool, early: bool) -> Option<Leak> {
        let rs = self.rs;
        let mut names = Names::default().behind_answer(early, early);
        if mine {
            names.mine.insert(LocalId(0));
        }
        let values = rs.scores.iter().map(|line| &line.value);
        self.first_of(values, &names).map(|(_, leak)| leak)
    }
}
