//! Where all answer secretly only what belongs to the one who answers may change, in the actions and effects that run there too:
//! anything else would show an answer before all have given theirs.

use std::collections::BTreeSet;

use super::Checker;
use super::graph::Node;
use super::visit;
use crate::diagnostic::Diagnostic;
use crate::ir::{
    ActionId, Block, CellId, CellOwner, Domain, EffectExpr, EffectExprKind, Expr, ExprKind, Item,
    MoveWhat, Place, RuleSet, Statement, StatementKind, Value,
};
use crate::source::Span;

/// What must not be done secretly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    /// A cell that is not of `me` is changed.
    Writes,
    /// A cell is changed where another player acts than the one who answers.
    WritesOfAnother,
    /// The game ends, or a player's part in it.
    Ends,
}

struct Finding {
    deed: Deed,
    place: Span,
    /// What the secret step runs, and what of it does the deed; nothing: it stands in the step itself.
    through: Option<(Span, Node)>,
}

/// One walk through a secret step, or through something that it runs.
struct Walk<'r> {
    rs: &'r RuleSet,
    /// `me` is the one who answers.
    mine: bool,
    /// What the secret step runs, and what of it is being read.
    through: Option<(Span, Node)>,
    /// What has been read on behalf of the step's line, and whether `me` was the one who answers.
    seen: BTreeSet<(Node, bool)>,
    /// Actions that have been entered: their cells are there for this run alone.
    entered: BTreeSet<ActionId>,
    found: Vec<Finding>,
    written: Written,
}

impl<'r> Walk<'r> {
    fn new(rs: &'r RuleSet) -> Walk<'r> {
        Walk {
            rs,
            mine: true,
            through: None,
            seen: BTreeSet::new(),
            entered: BTreeSet::new(),
            found: Vec::new(),
            written: Written::default(),
        }
    }
}

/// What a secret step does.
#[derive(Default)]
pub(super) struct Written {
    /// What it changes.
    pub cells: BTreeSet<CellId>,
    /// What it runs.
    pub actions: BTreeSet<ActionId>,
}

pub(super) fn written(rs: &RuleSet, body: &Block) -> Written {
    let mut walk = Walk::new(rs);
    walk.block(body);
    walk.written
}

/// The bodies of all secret steps.
pub(super) fn steps(rs: &RuleSet) -> Vec<&Block> {
    let mut found = Vec::new();
    let mut open: Vec<&Block> = bodies(rs).collect();
    while let Some(block) = open.pop() {
        for statement in &block.statements {
            match &statement.kind {
                StatementKind::EachPlayer(each) if each.secretly => found.push(&each.body),
                _ => open.extend(visit::blocks(statement)),
            }
        }
    }
    found
}

fn bodies(rs: &RuleSet) -> impl Iterator<Item = &Block> {
    std::iter::once(&rs.flow_body)
        .chain(rs.actions.iter().map(|action| &action.body))
        .chain(rs.effects.iter().map(|effect| &effect.body))
        .chain(rs.whens.iter().map(|when| &when.body))
}

impl Checker<'_> {
    pub(super) fn secret_steps(&mut self) {
        let rs = &self.rs;
        let mut walk = Walk::new(rs);
        steps(rs).into_iter().for_each(|body| walk.block(body));
        let mut told = BTreeSet::new();
        for finding in walk.found {
            let at = finding.through.map_or(finding.place, |(at, _)| at);
            if told.insert(at) {
                self.tell_secret(&finding);
            }
        }
    }

    fn tell_secret(&mut self, finding: &Finding) {
        let (message, help) = match finding.deed {
            Deed::Writes => (
                "what is written secretly must belong to the player",
                "all answer before any answer shows: write only cells indexed by `me`",
            ),
            Deed::WritesOfAnother => (
                "what is written secretly must belong to the player",
                "all answer before any answer shows, and another player acts here: write what is his behind the step",
            ),
            Deed::Ends => (
                "nothing ends while all answer secretly",
                "all answer before any answer shows: look behind the step whether the game ends",
            ),
        };
        let Some((at, inside)) = finding.through else {
            let diagnostic = Diagnostic::error("secret-write", finding.place, message);
            return self.report(diagnostic.help(help));
        };
        let name = match inside {
            Node::Action(id) => self.rs.actions[id.index()].name.as_str(),
            Node::Effect(id) => self.rs.effects[id.index()].text.as_str(),
            _ => "",
        };
        let (called, place) = (self.slice(at), self.slice(finding.place));
        let named = called == name
            || called
                .strip_prefix(name)
                .is_some_and(|rest| rest.starts_with('('));
        let within = if named {
            String::new()
        } else {
            format!(", in `{name}`")
        };
        let (what, label) = match finding.deed {
            Deed::Writes | Deed::WritesOfAnother => {
                (format!("writes `{place}`{within}"), "written here")
            }
            Deed::Ends => (format!("comes to `{place}`{within}"), "it ends here"),
        };
        let diagnostic =
            Diagnostic::error("secret-write", at, format!("{message}: `{called}` {what}"));
        self.report(diagnostic.label(finding.place, label).help(help));
    }
}

impl Walk<'_> {
    fn block(&mut self, block: &Block) {
        for statement in &block.statements {
            self.statement(statement);
        }
    }

    fn items(&mut self, items: &[Item]) {
        for item in items {
            self.block(&item.body);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        use StatementKind as K;
        match &statement.kind {
            K::Assign { target, .. } => self.writes(target),
            K::Move(moved) => {
                let from = match &moved.what {
                    MoveWhat::Value { from, .. } | MoveWhat::Everything(from) => from,
                    MoveWhat::Drawn { of, .. } => of,
                };
                self.writes(from);
                self.writes(&moved.to);
            }
            K::Shuffle(place) => self.writes(place),
            K::SetStarter(_) => self.find(Deed::Writes, statement.span),
            K::Finish(_) | K::Verdict(..) => self.find(Deed::Ends, statement.span),
            K::Call(action, _) => self.action(*action, statement.span),
            K::Run(value) => self.value(value, value.span),
            K::AnyOrder { items, .. } => {
                for (_, effect) in items {
                    self.effect(effect);
                }
            }
            K::As(player, body) => {
                let mine = matches!(player.kind, ExprKind::Me);
                self.acting(mine, body);
            }
            K::EachPlayer(each) => self.acting(each.secretly, &each.body),
            K::Step(..)
            | K::If { .. }
            | K::Match { .. }
            | K::Each { .. }
            | K::Repeat(_)
            | K::May(_)
            | K::OneOf { .. }
            | K::Walk { .. } => {
                for inner in visit::blocks(statement) {
                    self.block(inner);
                }
            }
            // What lies on an agenda runs where the agenda is worked off.
            K::AgendaAdd { .. } => {}
            K::Need(..) | K::Choose(_) | K::Let(..) | K::Pause(_) | K::Stop | K::Skip => {}
        }
    }

    /// A body in which `me` is still the one who answers, or another player.
    fn acting(&mut self, mine: bool, body: &Block) {
        let before = self.mine;
        self.mine &= mine;
        self.block(body);
        self.mine = before;
    }

    fn writes(&mut self, place: &Place) {
        self.written.cells.insert(place.cell);
        let owner = self.rs.cells[place.cell.index()].owner;
        if let CellOwner::Action(action) = owner
            && self.entered.contains(&action)
        {
            return;
        }
        let of_me = |index: &Expr| matches!(index.kind, ExprKind::Me);
        if !place.indices.iter().any(of_me) {
            self.find(Deed::Writes, place.span);
        } else if !self.mine {
            self.find(Deed::WritesOfAnother, place.span);
        }
    }

    fn find(&mut self, deed: Deed, place: Span) {
        self.found.push(Finding {
            deed,
            place,
            through: self.through,
        });
    }

    // -------------------------------------------------------------------------------------------- what is run

    fn action(&mut self, id: ActionId, at: Span) {
        let rs = self.rs;
        self.written.actions.insert(id);
        let entered = self.entered.insert(id);
        self.run(Node::Action(id), at, |walk| {
            let action = &rs.actions[id.index()];
            walk.block(&action.body);
            action.composite.iter().for_each(|parts| walk.effect(parts));
        });
        if entered {
            self.entered.remove(&id);
        }
    }

    /// Reads something that is run once for the line of the secret step that runs it.
    fn run(&mut self, node: Node, at: Span, read: impl FnOnce(&mut Self)) {
        let before = self.through;
        if before.is_none() {
            self.seen.clear();
        }
        if self.seen.insert((node, self.mine)) {
            self.through = Some((before.map_or(at, |(line, _)| line), node));
            read(self);
        }
        self.through = before;
    }

    fn effect(&mut self, effect: &EffectExpr) {
        use EffectExprKind as K;
        match &effect.kind {
            K::Call(action, _) => self.action(*action, effect.span),
            K::Value(value) => self.value(value, effect.span),
            K::Times(_, inner) | K::For(_, inner) => self.effect(inner),
            K::Many(all) => all.iter().for_each(|one| self.effect(one)),
            K::If(_, then, otherwise) => {
                self.effect(then);
                otherwise.iter().for_each(|one| self.effect(one));
            }
            K::OneOf(items) => self.items(items),
            K::Block(block) => self.block(block),
        }
    }

    /// The effects and actions that a value can be, as far as it says where they stand; those that a cell or a name holds are
    /// known only when they run.
    fn value(&mut self, value: &Expr, at: Span) {
        let rs = self.rs;
        match &value.kind {
            ExprKind::Const(value) => self.constant(value, at),
            ExprKind::Column(row, table, column) | ExprKind::ColumnAt(row, table, column) => {
                let named = match row.kind {
                    ExprKind::Const(Value::Element(Domain::Table(of), row)) if of == *table => {
                        Some(row as usize)
                    }
                    _ => None,
                };
                let rows = rs.tables[table.index()].rows.iter().enumerate();
                for (_, row) in rows.filter(|(at, _)| named.is_none_or(|named| named == *at)) {
                    if let Some(value) = row.values.get(column.index()) {
                        self.constant(value, at);
                    }
                }
            }
            ExprKind::Grid(grid, _) => {
                for value in &rs.grids[grid.index()].values {
                    self.constant(value, at);
                }
            }
            ExprKind::Unwrap(inner) | ExprKind::First(inner) | ExprKind::At(inner, _) => {
                self.value(inner, at);
            }
            ExprKind::If(_, then, otherwise) | ExprKind::Otherwise(then, otherwise) => {
                self.value(then, at);
                self.value(otherwise, at);
            }
            ExprKind::ListOf(all) | ExprKind::SetOf(all) => {
                for one in all {
                    self.value(one, at);
                }
            }
            _ => {}
        }
    }

    fn constant(&mut self, value: &Value, at: Span) {
        let rs = self.rs;
        match value {
            Value::Effect(id) => self.run(Node::Effect(*id), at, |walk| {
                walk.block(&rs.effects[id.index()].body);
            }),
            Value::Element(Domain::Action, at_) => self.action(ActionId(*at_), at),
            Value::List(all) => all.iter().for_each(|one| self.constant(one, at)),
            _ => {}
        }
    }
}
