//! What may be answered must not depend on what the player who is asked cannot see: that would give it away.

mod names;
mod present;

use super::places::place_of;
use super::{Checker, secret, visit};
use crate::diagnostic::Diagnostic;
use crate::ir::{
    Action, ActionId, AggregateOp, AssignOp, BinaryOp, Binder, Block, CellId, CellOwner, Choice,
    Domain, EffectExpr, EffectExprKind, Expr, ExprKind, FormulaId, LocalId, Move, MoveWhat,
    ParamKind, Place, Private, RuleSet, Statement, StatementKind, Ty, UnaryOp, Value, Walk,
};
use crate::source::Span;
use names::Names;
use present::Present;
use std::collections::{BTreeMap, BTreeSet};

impl Checker<'_> {
    pub(super) fn leaks(&mut self) {
        let mut search = Search {
            rs: &self.rs,
            known: BTreeMap::new(),
            answered: BTreeSet::new(),
            found: BTreeMap::new(),
        };
        search.rules();
        let rules = std::mem::take(&mut search.found);
        search.bodies();
        let bodies = search.found;
        for (span, leak) in rules {
            let what = "what others may answer would give it away";
            let help = "an `always … after L` reads `me`, the player of that pass";
            self.report(leak.warning(span, what).help(help));
        }
        for (span, leak) in bodies {
            let what = "what is offered or asked here would give it away";
            let help = match leak.sight {
                Unseen::Answered => {
                    "all answer before any answer shows: let it depend on what lay there before the step, and on his own"
                }
                Unseen::PrivateToOthers => {
                    "let it depend on what the player who is asked sees: of this what others have, `choose p in player where p != me`"
                }
                Unseen::Private | Unseen::Hidden => {
                    "let it depend on what the player who is asked sees: open cells, his own, how many lie in a place"
                }
            };
            self.report(leak.warning(span, what).help(help));
        }
    }
}

/// Why a cell is not seen.
#[derive(Clone, Copy)]
enum Unseen {
    Hidden,
    Private,
    PrivateToOthers,
    /// It belongs to another player who may have answered in the same secret step.
    Answered,
}

/// A cell that the player who is asked cannot see.
#[derive(Clone)]
struct Leak {
    cell: String,
    sight: Unseen,
    /// What happens where it is read, if that is not what is offered there.
    here: &'static str,
    /// The statement that tells it, where that stands elsewhere.
    told: Option<Told>,
}

/// A statement that asks somebody or can fail: whether it runs, everybody notices.
#[derive(Clone, Copy)]
struct Told {
    span: Span,
    fails: bool,
}

impl Told {
    fn text(self) -> &'static str {
        if self.fails {
            "this can fail, and the answer that led to it is then taken back"
        } else {
            "whether somebody is asked here, all notice"
        }
    }
}

impl Leak {
    fn warning(&self, span: Span, what: &str) -> Diagnostic {
        let kind = match self.sight {
            Unseen::Hidden => "hidden",
            Unseen::Private => "private",
            Unseen::PrivateToOthers => "private to others",
            Unseen::Answered => "written secretly",
        };
        let message = format!("`{}` is {kind}: {what}", self.cell);
        let warning = Diagnostic::warning("leak", span, message).here(self.here);
        match self.told {
            Some(told) => warning.label(told.span, told.text()),
            None => warning,
        }
    }
}

type Key = (FormulaId, BTreeSet<LocalId>, BTreeSet<LocalId>);

struct Search<'a> {
    rs: &'a RuleSet,
    /// What formulas read that their caller may not see, by which of their parameters are the acting player, and which another.
    known: BTreeMap<Key, Option<Leak>>,
    /// What is written in the secret step at hand.
    answered: BTreeSet<CellId>,
    found: BTreeMap<Span, Leak>,
}

impl Search<'_> {
    fn rules(&mut self) {
        let names = Names::default();
        for rule in self.rs.rules.iter().filter(|rule| !rule.invariant) {
            for binder in &rule.binders {
                self.note(&binder.source, &names);
                for condition in &binder.conditions {
                    self.note(&condition.expr, &names);
                }
            }
            self.note(&rule.condition, &names);
        }
    }

    /// Runs something that stands in secret steps which write these cells.
    fn in_secret(&mut self, cells: BTreeSet<CellId>, run: impl FnOnce(&mut Self)) {
        // What formulas read is not seen here for another reason.
        let same = cells == self.answered;
        let known = (!same).then(|| std::mem::take(&mut self.known));
        let outer = std::mem::replace(&mut self.answered, cells);
        run(self);
        self.answered = outer;
        if let Some(known) = known {
            self.known = known;
        }
    }

    fn bodies(&mut self) {
        let mut answered: BTreeMap<ActionId, BTreeSet<CellId>> = BTreeMap::new();
        for body in secret::steps(self.rs) {
            let written = secret::written(self.rs, body);
            for action in written.actions {
                answered.entry(action).or_default().extend(&written.cells);
            }
        }
        for (at, action) in self.rs.actions.iter().enumerate() {
            let cells = answered.remove(&ActionId(at as u32)).unwrap_or_default();
            self.in_secret(cells, |search| search.action(action));
        }
        for effect in &self.rs.effects {
            self.block(&effect.body, &Names::of(&effect.code));
        }
        for when in &self.rs.whens {
            self.block(&when.body, &Names::of(&when.code));
        }
        self.block(&self.rs.flow_body, &Names::of(&self.rs.flow));
    }

    fn action(&mut self, action: &Action) {
        let mut names = Names::of(&action.code);
        for param in &action.params {
            match &param.kind {
                ParamKind::Asked(choice) => self.choice(choice, &mut names),
                ParamKind::Given(default) => self.keep(param.local, default.as_ref(), &mut names),
            }
        }
        let asked = action.params.iter().filter_map(|param| match &param.kind {
            ParamKind::Asked(choice) => Some(choice),
            ParamKind::Given(_) => None,
        });
        asked.for_each(|choice| names.present.choose(self.rs, choice));
        self.block(&action.body, &names);
        if let Some(effect) = &action.composite {
            self.effect(effect, &names);
        }
    }

    // ---------------------------------------------------------------------------------------- statements

    fn block(&mut self, block: &Block, names: &Names) {
        let mut names = names.clone();
        for statement in &block.statements {
            self.statement(statement, &mut names);
            names.present.after(self.rs, statement);
        }
    }

    /// A block before which others may have acted.
    fn apart(&mut self, block: &Block, names: &Names) {
        let present = Present::default();
        let names = Names {
            present,
            ..names.clone()
        };
        self.block(block, &names);
    }

    fn statement(&mut self, statement: &Statement, names: &mut Names) {
        use StatementKind as S;
        match &statement.kind {
            S::Step(_, body) | S::May(body) => self.apart(body, names),
            S::Need(condition, _) => self.note(condition, names),
            S::Choose(choice) => self.choice(choice, names),
            S::Let(local, value) => self.keep(*local, Some(value), names),
            S::Assign { target, op, value } => {
                self.assign(target, *op, value, statement.span, names);
            }
            S::AgendaAdd { effect, .. } => self.effect(effect, names),
            S::Move(step) => self.moved(step, names),
            S::If { arms, otherwise } => {
                let bodies = present::arms(self.rs, &names.present, arms, otherwise.as_ref());
                for (condition, _) in arms {
                    self.guard(condition, &bodies, names);
                }
                for (body, present) in bodies {
                    let names = Names {
                        present,
                        ..names.clone()
                    };
                    self.block(body, &names);
                }
            }
            S::Match {
                value,
                arms,
                otherwise,
            } => {
                let bodies = arms.iter().map(|(_, body)| body).chain(otherwise);
                let bodies: Vec<_> = bodies.map(|body| (body, names.present.clone())).collect();
                self.guard(value, &bodies, names);
                for (body, _) in &bodies {
                    self.block(body, names);
                }
            }
            S::Each { binders, body, .. } => {
                let mut inside = names.clone();
                for binder in binders {
                    inside.meet(binder);
                    for clause in clauses(binder) {
                        self.guard(clause, &alone(body), &inside);
                    }
                    self.keep(binder.local, Some(&binder.source), &mut inside);
                }
                self.apart(body, &inside);
            }
            S::EachPlayer(each) => {
                for clause in each.conditions.iter().chain(&each.by) {
                    self.guard(clause, &alone(&each.body), names);
                }
                let names = names.passed_on();
                match each.secretly {
                    true => {
                        let cells = secret::written(self.rs, &each.body).cells;
                        self.in_secret(cells, |search| search.apart(&each.body, &names));
                    }
                    false => self.apart(&each.body, &names),
                }
            }
            S::As(player, body) => {
                self.guard(player, &alone(body), names);
                let mut inside = names.passed_on();
                if let ExprKind::Local(local) = player.kind {
                    inside.mine.insert(local);
                }
                self.apart(body, &inside);
            }
            S::Repeat(repeat) => {
                for clause in repeat.times.iter().chain(&repeat.while_) {
                    self.guard(clause, &alone(&repeat.body), names);
                }
                self.apart(&repeat.body, names);
            }
            S::OneOf { items, none } => {
                items.iter().for_each(|item| self.apart(&item.body, names));
                none.iter().for_each(|none| self.apart(none, names));
            }
            S::AnyOrder { items, .. } => items
                .iter()
                .for_each(|(_, effect)| self.effect(effect, names)),
            S::Call(action, args) => self.handed(*action, args, statement.span, names),
            S::Walk { walk, body } => {
                for clause in in_walk(walk) {
                    self.note(clause, names);
                }
                self.apart(body, names);
            }
            _ => {}
        }
    }

    fn choice(&mut self, choice: &Choice, names: &mut Names) {
        names.meet(&choice.binder);
        for clause in clauses(&choice.binder) {
            self.note(clause, names);
        }
    }

    /// A name that stands for a value.
    fn keep(&mut self, local: LocalId, value: Option<&Expr>, names: &mut Names) {
        let Some(value) = value else { return };
        if names.is_me(value) {
            names.mine.insert(local);
        }
        if names.is_other(value) {
            names.others.insert(local);
        }
        if let Some((_, leak)) = self.first(value, names) {
            names.secret.insert(local, leak);
        }
    }

    /// A number that lies outside of what it is handed to makes the way illegal.
    fn handed(&mut self, action: ActionId, args: &[Option<Expr>], span: Span, names: &Names) {
        let action = &self.rs.actions[action.index()];
        for (param, arg) in action.params.iter().zip(args) {
            let held = &action.code.locals[param.local.index()].ty;
            if let Some(arg) = arg.as_ref().filter(|arg| !held.spans(&arg.ty))
                && let Some((at, leak)) = self.first(arg, names)
            {
                let told = Some(Told { span, fails: true });
                self.found.entry(at).or_insert(Leak { told, ..leak });
            }
        }
    }

    /// A number that would leave its range makes the way illegal.
    fn assign(&mut self, target: &Place, op: AssignOp, value: &Expr, span: Span, names: &Names) {
        if !self.can_leave(target, op, value) {
            return;
        }
        let cell = &self.rs.cells[target.cell.index()];
        if let Some((at, leak)) = self.first(value, names) {
            let told = Some(Told { span, fails: true });
            self.found.entry(at).or_insert(Leak { told, ..leak });
        }
        let sized = op == AssignOp::Add && cell.ty.is_container();
        if op != AssignOp::Set
            && !sized
            && let Some(leak) = self.unseen(target.cell, &target.indices, names)
        {
            let here = "this fails where it would leave its range";
            self.found.entry(span).or_insert(Leak { here, ..leak });
        }
    }

    /// Whether what is assigned may lie outside of what the cell holds.
    fn can_leave(&self, target: &Place, op: AssignOp, value: &Expr) -> bool {
        let cell = &self.rs.cells[target.cell.index()];
        match op {
            AssignOp::Set => {
                let counted = self.counts_to(value).map(|most| Ty::Int {
                    low: Some(0),
                    high: Some(most),
                });
                !target.ty.spans(counted.as_ref().unwrap_or(&value.ty))
            }
            AssignOp::Add => {
                let held = target.ty.element();
                let outside = held.is_some_and(|held| !held.spans(&value.ty));
                cell.high.is_some() || cell.capacity.is_some() || outside
            }
            AssignOp::Subtract => cell.low.is_some() || cell.ty.is_container(),
        }
    }

    /// The most that `count(x in 1..4 where …)` can come to.
    fn counts_to(&self, value: &Expr) -> Option<i64> {
        let ExprKind::Aggregate {
            op: AggregateOp::Count,
            binders,
            ..
        } = &value.kind
        else {
            return None;
        };
        binders.iter().try_fold(1i64, |most, binder| {
            let size = match &binder.source.kind {
                ExprKind::Range(low, high) => match (&low.kind, &high.kind) {
                    (ExprKind::Const(Value::Int(low)), ExprKind::Const(Value::Int(high))) => {
                        i64::from(*high) - i64::from(*low) + 1
                    }
                    _ => return None,
                },
                ExprKind::All(Domain::Table(table)) => {
                    self.rs.tables[table.index()].rows.len() as i64
                }
                ExprKind::All(Domain::Enum(of)) => self.rs.enums[of.index()].members.len() as i64,
                _ => return None,
            };
            most.checked_mul(size.max(0))
        })
    }

    /// What is not there cannot be taken.
    fn moved(&mut self, step: &Move, names: &Names) {
        let MoveWhat::Value { value, from } = &step.what else {
            return;
        };
        let picked = match &value.kind {
            ExprKind::Local(local) => names.picked.contains(&(*local, from.cell)),
            // Only an empty place has nothing to draw by chance, and how much lies in it all may know.
            ExprKind::Random(drawn) => {
                matches!(&drawn.kind, ExprKind::Cell(cell, _) if *cell == from.cell)
            }
            // So has `move hand[i] to discard`, whatever lies there.
            _ => place_of(value).is_some_and(|place| place.span == from.span),
        };
        if picked || step.up_to || names.present.holds(value, from) {
            return;
        }
        if let Some(leak) = self.unseen(from.cell, &from.indices, names) {
            let here = "where it does not lie here this fails, and the answer that led to it is taken back";
            self.found.entry(from.span).or_insert(Leak { here, ..leak });
        }
    }

    /// What decides whether statements run tells, if those ask somebody or can fail.
    fn guard(&mut self, condition: &Expr, bodies: &[(&Block, Present)], names: &Names) {
        let mut met = BTreeSet::new();
        let mut bodies = bodies.iter();
        let told = bodies.find_map(|(body, present)| self.tells(body, present, &mut met));
        if let (Some(told), Some((span, leak))) = (told, self.first(condition, names)) {
            let told = Some(told);
            self.found.entry(span).or_insert(Leak { told, ..leak });
        }
    }

    fn effect(&mut self, effect: &EffectExpr, names: &Names) {
        use EffectExprKind as E;
        match &effect.kind {
            E::Call(..) => {}
            E::Value(value) => self.note(value, names),
            E::Times(times, inner) => {
                self.note(times, names);
                self.effect(inner, names);
            }
            E::Many(all) => all.iter().for_each(|one| self.effect(one, names)),
            E::If(condition, yes, no) => {
                self.note(condition, names);
                for one in std::iter::once(yes).chain(no) {
                    self.effect(one, names);
                }
            }
            E::For(binders, inner) => {
                for clause in binders.iter().flat_map(clauses) {
                    self.note(clause, names);
                }
                self.effect(inner, names);
            }
            E::OneOf(items) => items.iter().for_each(|item| self.apart(&item.body, names)),
            E::Block(block) => self.block(block, names),
        }
    }

    /// The first statement that asks somebody something, or can fail.
    fn tells(
        &self,
        block: &Block,
        present: &Present,
        met: &mut BTreeSet<ActionId>,
    ) -> Option<Told> {
        let mut present = present.clone();
        block.statements.iter().find_map(|statement| {
            let told = self.statement_tells(statement, &present, met);
            present.after(self.rs, statement);
            told
        })
    }

    fn statement_tells(
        &self,
        statement: &Statement,
        present: &Present,
        met: &mut BTreeSet<ActionId>,
    ) -> Option<Told> {
        use StatementKind as S;
        let here = |fails| {
            let span = statement.span;
            Some(Told { span, fails })
        };
        let apart = Present::default();
        match &statement.kind {
            S::Let(..)
            | S::Shuffle(_)
            | S::SetStarter(_)
            | S::Finish(_)
            | S::Verdict(..)
            | S::Skip
            | S::Stop => None,
            S::Assign { target, op, value } => {
                let fails = self.can_leave(target, *op, value);
                fails.then(|| here(true)).flatten()
            }
            S::Move(step) => {
                let sure = match &step.what {
                    MoveWhat::Everything(_) => true,
                    MoveWhat::Value { value, from } => present.holds(value, from),
                    MoveWhat::Drawn { .. } => false,
                };
                let fails = !(step.up_to || sure);
                fails.then(|| here(true)).flatten()
            }
            S::If { arms, otherwise } => {
                let bodies = present::arms(self.rs, present, arms, otherwise.as_ref());
                let mut bodies = bodies.iter();
                bodies.find_map(|(body, present)| self.tells(body, present, met))
            }
            S::Match {
                arms, otherwise, ..
            } => {
                let mut bodies = arms.iter().map(|(_, body)| body).chain(otherwise);
                bodies.find_map(|body| self.tells(body, present, met))
            }
            S::Repeat(repeat) if repeat.may => here(false),
            S::Step(_, body) | S::As(_, body) | S::Each { body, .. } => {
                self.tells(body, &apart, met)
            }
            S::EachPlayer(each) => self.tells(&each.body, &apart, met),
            S::Repeat(repeat) => self.tells(&repeat.body, &apart, met),
            S::Call(id, _) => {
                let action: &Action = &self.rs.actions[id.index()];
                let asks = |kind: &ParamKind| matches!(kind, ParamKind::Asked(_));
                if action.composite.is_some() || action.params.iter().any(|param| asks(&param.kind))
                {
                    return here(false);
                }
                let new = met.insert(*id);
                new.then(|| self.tells(&action.body, &apart, met)).flatten()
            }
            S::Need(..) => here(true),
            _ => here(false),
        }
    }

    // ---------------------------------------------------------------------------------------- expressions

    fn note(&mut self, expr: &Expr, names: &Names) {
        if let Some((span, leak)) = self.first(expr, names) {
            self.found.entry(span).or_insert(leak);
        }
    }

    /// The contents of a cell, if the acting player does not see them.
    fn unseen(&self, id: CellId, args: &[Expr], names: &Names) -> Option<Leak> {
        let cell = &self.rs.cells[id.index()];
        let sight = &cell.visibility;
        let answered = self.answered.contains(&id);
        if !(answered
            || sight.private.is_some()
            || sight.hidden
            || sight.top
            || !sight.showing.is_empty())
        {
            return None;
        }
        let owner = match cell.owner {
            CellOwner::Each(Domain::Player) => args.first(),
            CellOwner::Each(_) => player_index(&cell.indices).and_then(|at| args.get(at + 1)),
            _ => player_index(&cell.indices).and_then(|at| args.get(at)),
        };
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
        (!seen).then(|| Leak {
            cell: cell.name.clone(),
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
    fn first(&mut self, expr: &Expr, names: &Names) -> Option<(Span, Leak)> {
        use ExprKind as K;
        let here = |leak: Leak| (expr.span, leak);
        match &expr.kind {
            K::Local(local) => names.secret.get(local).cloned().map(here),
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
                found.or_else(|| self.scored(mine).map(here))
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
                    let (_, leak) = self.first(condition, &Names::default())?;
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
        let key = (id, mine.clone(), others.clone());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        self.known.insert(key.clone(), None);
        let inside = Names {
            mine,
            others,
            ..Names::default()
        };
        let leak = self.first(&formula.body, &inside).map(|(_, leak)| leak);
        self.known.insert(key, leak.clone());
        leak
    }

    fn scored(&mut self, mine: bool) -> Option<Leak> {
        let rs = self.rs;
        let mut names = Names::default();
        if mine {
            names.mine.insert(LocalId(0));
        }
        let values = rs.scores.iter().map(|line| &line.value);
        self.first_of(values, &names).map(|(_, leak)| leak)
    }
}

/// A block before which others may have acted.
fn alone(body: &Block) -> [(&Block, Present); 1] {
    [(body, Present::default())]
}

fn player_index(indices: &[Domain]) -> Option<usize> {
    indices.iter().position(|domain| *domain == Domain::Player)
}

/// All expressions of a binder.
fn clauses(binder: &Binder) -> Vec<&Expr> {
    let conditions = binder.conditions.iter().map(|condition| &condition.expr);
    std::iter::once(&binder.source)
        .chain(conditions)
        .chain(&binder.by)
        .chain(&binder.from)
        .chain(&binder.up_to)
        .collect()
}

fn in_walk(walk: &Walk) -> Vec<&Expr> {
    let all = [
        &walk.receiver,
        &walk.to,
        &walk.up_to,
        &walk.at_least,
        &walk.where_,
        &walk.need,
        &walk.max,
    ];
    let walkers = walk.by.iter().flat_map(clauses);
    walkers
        .chain([&walk.from])
        .chain(all.into_iter().flatten())
        .collect()
}
