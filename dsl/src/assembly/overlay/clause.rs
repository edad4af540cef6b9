//! `replace drive.trip.where = e`: one clause of a walk, a loop, a choice, a formula's walk or a network.

use super::path::{find, span as path_span, text};
use super::sites::{self, Shape, SiteMut};
use super::{note_what, original, touch_root, walk};
use crate::assembly::conflict::{Act, Brings};
use crate::assembly::draft::{Draft, Frame};
use crate::assembly::fields::quoted_list;
use crate::assembly::names::Room;
use crate::diagnostic::{Diagnostic, suggest::nearest};
use crate::source::Span;
use crate::syntax::ast::{
    BinaryOp, Binder, Block, Choice, Condition, Expr, ExprKind, Param, Path, SeatFrom, Statement,
    StatementKind, Walk,
};

/// `up` and `least` stand for `up to` and `at least`.
const CLAUSES: [&str; 12] = [
    "where", "need", "max", "while", "up", "least", "from", "to", "by", "in", "times", "if",
];

pub(super) fn is_clause(word: &str) -> bool {
    CLAUSES.contains(&word)
}

pub(super) fn replace(draft: &mut Draft, path: &Path, value: Expr, frame: &Frame) {
    let Some((clause, place)) = path.parts.split_last() else {
        return;
    };
    if is_formula(draft, path) {
        return super::replace::formula(draft, path, value, frame);
    }
    if place.is_empty() || !is_clause(&clause.text) {
        draft.out.push(unknown_clause(&clause.text, clause.span));
        return;
    }
    let Some(site) = find(draft, place, &|site| site.shape != Shape::Given, frame) else {
        return;
    };
    let mut done = Err(Vec::new());
    sites::at(&mut draft.assembly, &site, &mut |found| {
        done = exchange(found, &clause.text, &value);
        true
    });
    match done {
        Ok(old) => {
            touch_root(draft, &site, frame);
            let target = format!("{}.{}", site.full_path(), clause.text);
            let old = Some(old.unwrap_or(site.span));
            let brings = Brings::Value(Box::new(value));
            note_what(draft, Act::Replace, target, old, brings, frame);
        }
        Err(there) => {
            let message = format!("`{}` has no `{}` to replace", text(place), clause.text);
            let found = Diagnostic::error("unknown-clause", path_span(&path.parts), message)
                .label(site.span, "this is what it names");
            draft.out.push(match there.is_empty() {
                true => found.help("clauses stand in walks, loops, choices and networks"),
                false => found.help(format!("it has {}", quoted_list(there))),
            });
        }
    }
}

/// A formula may be called like a clause: `player.from`.
fn is_formula(draft: &Draft, path: &Path) -> bool {
    let key = (Room::Values, text(&path.parts));
    draft
        .names
        .get(&key)
        .is_some_and(|declared| declared.kind == "formula")
}

fn unknown_clause(word: &str, span: Span) -> Diagnostic {
    let message = format!("`{word}` is not a clause");
    let diagnostic = Diagnostic::error("unknown-clause", span, message);
    match nearest(word, CLAUSES) {
        Some(near) => diagnostic.meant(span, near),
        None => diagnostic.help(format!("clauses are {}", quoted_list(CLAUSES))),
    }
}

/// The span of what stood there, or the clauses that are there.
type Done = Result<Option<Span>, Vec<&'static str>>;

fn exchange(site: SiteMut, clause: &str, value: &Expr) -> Done {
    match site {
        SiteMut::Choice(Choice { binder, .. }) => in_binder(binder, clause, value),
        SiteMut::Step(body) | SiteMut::Flow(body) => in_block(body, clause, value),
        SiteMut::Action(action) => match &mut action.params[..] {
            [Param::Asked(choice)] => in_binder(&mut choice.binder, clause, value),
            _ => Err(Vec::new()),
        },
        SiteMut::When(when) => match clause {
            "if" => Ok(put(&mut when.condition, value)),
            _ => Err(vec!["if"]),
        },
        SiteMut::Formula(formula) => match walk::walks(&mut formula.body) {
            1 => match walk::first_walk(&mut formula.body) {
                Some(walk) => in_walk(walk, clause, value),
                None => Err(Vec::new()),
            },
            _ => Err(Vec::new()),
        },
        SiteMut::Network(network) => match clause {
            "where" => Ok(put_condition(&mut network.condition, value)),
            _ => Err(vec!["where"]),
        },
        SiteMut::Given => Err(Vec::new()),
    }
}

/// The one statement of a step that has clauses; hooks may stand around it.
fn in_block(body: &mut Block, clause: &str, value: &Expr) -> Done {
    let mut there = Vec::new();
    for statement in &mut body.statements {
        match in_statement(statement, clause, value) {
            Ok(old) => return Ok(old),
            Err(clauses) => there.extend(clauses),
        }
    }
    Err(there)
}

fn in_statement(statement: &mut Statement, clause: &str, value: &Expr) -> Done {
    match &mut statement.kind {
        StatementKind::Walk(walk, _) => in_walk(walk, clause, value),
        StatementKind::Each(binders, _) => match &mut binders[..] {
            [only] => in_binder(only, clause, value),
            _ => Err(Vec::new()),
        },
        StatementKind::Choose(choices) => match &mut choices[..] {
            [only] => in_binder(&mut only.binder, clause, value),
            _ => Err(Vec::new()),
        },
        StatementKind::EachPlayer(each) => match clause {
            "where" => Ok(put_conditions(&mut each.conditions, value)),
            "by" => put_option(&mut each.by, value, Vec::new()),
            "from" => {
                let old = match &each.from {
                    Some(SeatFrom::Player(old)) => Some(old.clone()),
                    _ => None,
                };
                let mut value = value.clone();
                if let Some(old) = &old {
                    original::expression(&mut value, old);
                }
                each.from = Some(SeatFrom::Player(value));
                Ok(old.map(|old| old.span))
            }
            _ => Err(vec!["where", "by", "from"]),
        },
        StatementKind::Repeat(repeat) => match clause {
            "while" => Ok(put_condition(&mut repeat.while_, value)),
            "times" => put_option(&mut repeat.times, value, vec!["while"]),
            "up" if repeat.up_to => put_option(&mut repeat.times, value, vec!["while"]),
            _ => Err(vec!["while", "times"]),
        },
        StatementKind::Need(condition, _) => match clause {
            "need" => Ok(put(condition, value)),
            _ => Err(vec!["need"]),
        },
        StatementKind::If { arms, .. } => match (clause, &mut arms[..]) {
            ("if", [(condition, _), ..]) => Ok(put(condition, value)),
            _ => Err(vec!["if"]),
        },
        _ => Err(Vec::new()),
    }
}

fn in_binder(binder: &mut Binder, clause: &str, value: &Expr) -> Done {
    let there = vec!["where", "in"];
    match clause {
        "where" => Ok(put_conditions(&mut binder.conditions, value)),
        "in" => Ok(put(&mut binder.domain, value)),
        "by" => put_option(&mut binder.by, value, there),
        "from" => put_option(&mut binder.from, value, there),
        "up" => put_option(&mut binder.up_to, value, there),
        _ => Err(there),
    }
}

fn in_walk(walk: &mut Walk, clause: &str, value: &Expr) -> Done {
    let there = clauses_of(walk);
    match clause {
        "where" => Ok(put_condition(&mut walk.where_, value)),
        "need" => Ok(put_condition(&mut walk.need, value)),
        "by" => match &mut walk.by {
            Some(by) => Ok(put(walk::walkers(by), value)),
            None => Err(there),
        },
        "from" => put_option(&mut walk.from, value, there),
        "to" => put_option(&mut walk.to, value, there),
        "up" => put_option(&mut walk.up_to, value, there),
        "least" => put_option(&mut walk.at_least, value, there),
        "max" => put_option(&mut walk.max, value, there),
        _ => Err(there),
    }
}

fn clauses_of(walk: &Walk) -> Vec<&'static str> {
    let all = [
        ("by", walk.by.is_some()),
        ("from", walk.from.is_some()),
        ("to", walk.to.is_some()),
        ("up", walk.up_to.is_some()),
        ("least", walk.at_least.is_some()),
        ("where", walk.where_.is_some()),
        ("need", walk.need.is_some()),
        ("max", walk.max.is_some()),
    ];
    let there = all.into_iter().filter(|(_, there)| *there);
    there.map(|(name, _)| name).collect()
}

fn put(target: &mut Expr, value: &Expr) -> Option<Span> {
    let old = std::mem::replace(target, value.clone());
    original::expression(target, &old);
    Some(old.span)
}

/// A clause may be missing unless the new one reads it.
fn put_option(target: &mut Option<Expr>, value: &Expr, there: Vec<&'static str>) -> Done {
    match target {
        Some(target) => Ok(put(target, value)),
        None if original::reads_original(&mut value.clone()) => Err(there),
        None => {
            *target = Some(value.clone());
            Ok(None)
        }
    }
}

/// A condition that is missing is always true.
fn put_condition(target: &mut Option<Expr>, value: &Expr) -> Option<Span> {
    let old = target.take();
    let span = old.as_ref().map(|old| old.span);
    let old = old.unwrap_or_else(|| original::truth(value.span));
    let mut value = value.clone();
    original::expression(&mut value, &old);
    *target = Some(value);
    span
}

/// All `where`s of a binder become one; it keeps the first message.
fn put_conditions(conditions: &mut Vec<Condition>, value: &Expr) -> Option<Span> {
    let message = conditions.iter().find_map(|c| c.message.clone());
    let mut old = None;
    for condition in std::mem::take(conditions) {
        old = Some(both(old, condition.expr));
    }
    let span = put_condition(&mut old, value);
    conditions.extend(old.map(|expr| Condition { expr, message }));
    span
}

/// `a and b`
pub(super) fn both(a: Option<Expr>, b: Expr) -> Expr {
    let Some(a) = a else {
        return b;
    };
    let span = if a.span.file == b.span.file {
        a.span.to(b.span)
    } else {
        b.span
    };
    Expr {
        kind: ExprKind::Binary(BinaryOp::And, Box::new(a), Box::new(b)),
        span,
    }
}
