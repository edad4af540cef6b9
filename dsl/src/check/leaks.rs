//! What may be answered must not depend on what the player who is asked cannot see: that would give it away.

mod names;
mod present;
mod sight;
mod told;

use super::places::place_of;
use super::{Checker, secret, visit};
use crate::diagnostic::Diagnostic;
use crate::ir::{
    Action, ActionId, AssignOp, Binder, Block, Cell, CellId, CellOwner, Choice, Domain, EffectExpr,
    EffectExprKind, Expr, ExprKind, FormulaId, LocalId, Move, MoveWhat, ParamKind, Place, RuleSet,
    Statement, StatementKind, Walk,
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
            called: BTreeMap::new(),
            effects_early: false,
            of_others: BTreeSet::new(),
            found: BTreeMap::new(),
        };
        search.bodies();
        let bodies = std::mem::take(&mut search.found);
        search.rules();
        let rules = search.found;
        for (span, leak) in rules {
            let what = "what others may answer would give it away";
            let help = "an `always … after L` reads `me`, the player of that pass";
            self.report(leak.warning(span, what).help(help));
        }
        for (span, leak) in bodies {
            let what = "what is offered or asked here would give it away";
            let help = match leak.sight {
                _ if leak.early => {
                    "this runs for another player before he is asked, and whoever answers before is offered only what goes on from here: let it never fail (`up to`, `min(…)`), or let it stand behind a question to him"
                }
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
    /// Who acts sees it, but is not asked before: whoever is asked before him does not.
    early: bool,
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

type Key = (FormulaId, BTreeSet<LocalId>, BTreeSet<LocalId>, bool);

struct Search<'a> {
    rs: &'a RuleSet,
    /// What formulas read that their caller may not see, by which of their parameters are the acting player, and which another, and
    /// whether it is early.
    known: BTreeMap<Key, Option<Leak>>,
    /// What is written in the secret step at hand.
    answered: BTreeSet<CellId>,
    /// How actions are called.
    called: BTreeMap<ActionId, Called>,
    /// Effects of columns run for a player who was not asked.
    effects_early: bool,
    /// What somebody may change who is not its player.
    of_others: BTreeSet<CellId>,
    found: BTreeMap<Span, Leak>,
}

/// Where an action is called.
#[derive(Clone, Copy, Default, PartialEq)]
struct Called {
    /// Behind an answer.
    asked: bool,
    /// And for another player than who gave it, before he is asked.
    early: bool,
}

impl Search<'_> {
    fn rules(&mut self) {
        let names = Names::default();
        let rs = self.rs;
        for rule in rs.rules.iter().filter(|rule| !rule.invariant) {
            // What limits everybody in his own alone limits nobody in what others have.
            if let [binder] = &rule.binders[..]
                && matches!(binder.source.kind, ExprKind::All(Domain::Player))
                && clauses(binder)
                    .into_iter()
                    .skip(1)
                    .chain([&rule.condition])
                    .all(|expr| self.is_own(expr, binder.local))
            {
                continue;
            }
            for binder in &rule.binders {
                self.note(&binder.source, &names);
                for condition in &binder.conditions {
                    self.note(&condition.expr, &names);
                }
            }
            self.note(&rule.condition, &names);
        }
    }

    /// It reads nothing but what belongs to this player, which nobody else changes.
    fn is_own(&self, expr: &Expr, player: LocalId) -> bool {
        use ExprKind as K;
        let of_player = |arg: &Expr| matches!(arg.kind, K::Local(local) if local == player);
        let own = match &expr.kind {
            K::Cell(id, args) => {
                let cell = &self.rs.cells[id.index()];
                let fed = cell.refill.is_some() || cell.fill.is_some();
                !fed && !self.of_others.contains(id)
                    && self.owner(cell, args).is_some_and(of_player)
            }
            K::Call(..)
            | K::Score(..)
            | K::Joins(..)
            | K::Reach(..)
            | K::BestWalk(_)
            | K::Distance(_)
            | K::EndsOfWalk(_)
            | K::Can(..) => false,
            _ => true,
        };
        own && visit::children(expr)
            .into_iter()
            .all(|part| self.is_own(part, player))
    }

    /// What is written here.
    fn writes(&mut self, place: &Place, names: &Names) {
        let cell = &self.rs.cells[place.cell.index()];
        let owner = self.owner(cell, &place.indices);
        if names.early || !owner.is_some_and(|owner| names.is_me(owner)) {
            self.of_others.insert(place.cell);
        }
    }

    /// The player whose cell it is, where it is one of each player.
    fn owner<'e>(&self, cell: &Cell, args: &'e [Expr]) -> Option<&'e Expr> {
        match cell.owner {
            CellOwner::Each(Domain::Player) => args.first(),
            CellOwner::Each(_) => player_index(&cell.indices).and_then(|at| args.get(at + 1)),
            _ => player_index(&cell.indices).and_then(|at| args.get(at)),
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
        // What is called where shows only where its caller was read.
        loop {
            let before = (self.called.clone(), self.effects_early);
            for (at, action) in self.rs.actions.iter().enumerate() {
                let id = ActionId(at as u32);
                let cells = answered.get(&id).cloned().unwrap_or_default();
                let called = self.called.get(&id).copied().unwrap_or_default();
                self.in_secret(cells, |search| {
                    search.action(action, called.asked, false);
                    if called.early {
                        search.action(action, true, true);
                    }
                });
            }
            let ways = if self.effects_early { 2 } else { 1 };
            for early in [false, true].into_iter().take(ways) {
                for effect in &self.rs.effects {
                    let names = Names::of(&effect.code).behind_answer(true, early);
                    self.block(&effect.body, &names);
                }
            }
            for when in &self.rs.whens {
                let names = Names::of(&when.code).behind_answer(true, false);
                self.block(&when.body, &names);
            }
            self.block(&self.rs.flow_body, &Names::of(&self.rs.flow));
            if before == (self.called.clone(), self.effects_early) {
                return;
            }
        }
    }

    fn action(&mut self, action: &Action, asked: bool, early: bool) {
        let mut names = Names::of(&action.code).behind_answer(asked, early);
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
            if self.asks(statement, &mut BTreeSet::new()) {
                names.asked_now();
            }
        }
    }

    /// A block that runs because the acting player said so.
    fn answered(&mut self, block: &Block, names: &Names) {
        let mut names = names.clone();
        names.asked_now();
        self.apart(block, &names);
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
            S::Step(_, body) => self.apart(body, names),
            S::May(body) => self.answered(body, names),
            S::Need(condition, _) => self.note(condition, names),
            S::Choose(choice) => self.choice(choice, names),
            S::Let(local, value) => self.keep(*local, Some(value), names),
            S::Assign { target, op, value } => {
                self.writes(target, names);
                self.assign(target, *op, value, statement.span, names);
            }
            S::AgendaAdd { effect, .. } => self.effect(effect, names),
            S::Move(step) => {
                let (MoveWhat::Value { from, .. }
                | MoveWhat::Everything(from)
                | MoveWhat::Drawn { of: from, .. }) = &step.what;
                self.writes(from, names);
                self.writes(&step.to, names);
                self.moved(step, names);
            }
            S::Shuffle(place) => self.writes(place, names),
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
                let names = names.passed_on(names.asked);
                for clause in each.conditions.iter().chain(&each.by) {
                    self.guard(clause, &alone(&each.body), &names);
                }
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
                let mut inside = names.passed_on(names.asked && !names.is_me(player));
                if let ExprKind::Local(local) = player.kind {
                    inside.mine.insert(local);
                }
                self.apart(body, &inside);
            }
            S::Repeat(repeat) => {
                for clause in repeat.times.iter().chain(&repeat.while_) {
                    self.guard(clause, &alone(&repeat.body), names);
                }
                match repeat.may {
                    true => self.answered(&repeat.body, names),
                    false => self.apart(&repeat.body, names),
                }
            }
            S::OneOf { items, none } => {
                items
                    .iter()
                    .for_each(|item| self.answered(&item.body, names));
                none.iter().for_each(|none| self.apart(none, names));
            }
            S::AnyOrder { items, .. } => {
                let mut names = names.clone();
                names.asked_now();
                items
                    .iter()
                    .for_each(|(_, effect)| self.effect(effect, &names));
            }
            S::Call(action, args) => {
                self.handed(*action, args, statement.span, names);
                self.calls(*action, names);
            }
            S::Walk { walk, body } => {
                let mut names = names.clone();
                names.asked_now();
                for clause in in_walk(walk) {
                    self.note(clause, &names);
                }
                self.apart(body, &names);
            }
            _ => {}
        }
    }

    fn calls(&mut self, action: ActionId, names: &Names) {
        let called = self.called.entry(action).or_default();
        called.asked |= names.asked;
        called.early |= names.early;
    }

    /// Who chooses is asked here: what he is offered only he sees.
    fn choice(&mut self, choice: &Choice, names: &mut Names) {
        names.asked_now();
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
            // That he is asked nobody can know who is asked before.
            if leak.early && !told.fails {
                return;
            }
            let told = Some(told);
            self.found.entry(span).or_insert(Leak { told, ..leak });
        }
    }

    fn note(&mut self, expr: &Expr, names: &Names) {
        if let Some((span, leak)) = self.first(expr, names) {
            self.found.entry(span).or_insert(leak);
        }
    }

    fn effect(&mut self, effect: &EffectExpr, names: &Names) {
        use EffectExprKind as E;
        match &effect.kind {
            E::Call(action, _) => self.calls(*action, names),
            E::Value(value) => {
                self.effects_early |= names.early;
                self.note(value, names);
            }
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
            E::OneOf(items) => items
                .iter()
                .for_each(|item| self.answered(&item.body, names)),
            E::Block(block) => self.block(block, names),
        }
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
