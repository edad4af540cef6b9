//! Lines that never run, answers that do nothing, changes that are lost.

use super::super::{Checker, visit};
use super::{any, warning};
use crate::assembly::{Act, Brings};
use crate::diagnostic::Diagnostic;
use crate::ir::{
    ActionId, Block, CellId, CellOwner, EndingKind, Expr, ExprKind, Item, LabelId, RuleSet,
    Statement, StatementKind as Kind, Value,
};
use crate::source::Span;
use crate::syntax::ast;

pub(super) fn check(checker: &Checker, block: &Block, found: &mut Vec<Diagnostic>) {
    behind(block, found);
    decided(checker, block, found);
    for statement in &block.statements {
        match &statement.kind {
            Kind::OneOf { items, .. } => items.iter().for_each(|item| declined(item, found)),
            Kind::Step(label, body) => lost(checker, *label, body, found),
            _ => {}
        }
        if let Some(label) = statement.kind.label() {
            passes_without_end(checker, label, statement, found);
        }
        for inner in visit::blocks(statement) {
            check(checker, inner, found);
        }
    }
}

// ---------------------------------------------------------------------------------------------- never run

/// What stands behind a loop that nothing leaves: the first line of each text.
fn behind(block: &Block, found: &mut Vec<Diagnostic>) {
    let all = &block.statements;
    let Some(at) = all.iter().position(|one| is_endless(one) || is_stop(one)) else {
        return;
    };
    let (message, label, help) = if is_stop(&all[at]) {
        (
            "this never runs: `stop` leaves before it",
            "leaves here",
            "put it before `stop`",
        )
    } else {
        (
            "this never runs: the loop before it ends only with the game",
            "goes on until the game is over",
            "to do it in each pass write `add to LABEL` with the loop's label; to do it first, `before LABEL`",
        )
    };
    let mut last = None;
    for next in &all[at + 1..] {
        if last != Some(next.span.file) {
            found.push(
                warning("never-runs", next.span, message.to_string())
                    .label(all[at].span, label)
                    .help(help),
            );
        }
        last = Some(next.span.file);
    }
}

/// What stands behind a line that ends the game: it still runs up to the next question.
fn decided(checker: &Checker, block: &Block, found: &mut Vec<Diagnostic>) {
    let all = &block.statements;
    let ends = |one: &Statement| match &one.kind {
        Kind::Verdict(ending, _) => {
            let kind = checker.rs.endings[ending.index()].kind;
            matches!(kind, EndingKind::Wins | EndingKind::Draw)
        }
        _ => false,
    };
    let Some(at) = all.iter().position(ends) else {
        return;
    };
    for next in &all[at + 1..] {
        let (code, message, help) = match &next.kind {
            Kind::Choose(_) | Kind::May(_) | Kind::OneOf { .. } | Kind::Pause(_) => (
                "never-runs",
                "this is never asked: the game is over before it",
                "what is asked stands before the line that ends the game, or below an `else`",
            ),
            Kind::Need(..) => (
                "takes-back",
                "this still has to hold: where it does not, the answer that ends the game is not offered",
                "put it before the line that ends the game, or below an `else`",
            ),
            _ => continue,
        };
        let one = warning(code, next.span, message.to_string());
        found.push(one.label(all[at].span, "ends the game").help(help));
        return;
    }
}

fn is_stop(statement: &Statement) -> bool {
    matches!(statement.kind, Kind::Stop)
}

fn is_endless(statement: &Statement) -> bool {
    match &statement.kind {
        Kind::Repeat(repeat) => {
            repeat.times.is_none() && repeat.while_.is_none() && !repeat.may && !stops(&repeat.body)
        }
        Kind::Step(_, body) | Kind::As(_, body) => body.statements.iter().any(is_endless),
        _ => false,
    }
}

/// Whether some line leaves the loop whose body this is.
fn stops(block: &Block) -> bool {
    block
        .statements
        .iter()
        .any(|statement| match &statement.kind {
            Kind::Stop => true,
            Kind::Repeat(_) | Kind::Each { .. } | Kind::EachPlayer(_) | Kind::Walk { .. } => false,
            _ => visit::blocks(statement).into_iter().any(stops),
        })
}

// ---------------------------------------------------------------------------------------------- declined

/// An alternative that may be declined: whoever takes it need do nothing.
fn declined(item: &Item, found: &mut Vec<Diagnostic>) {
    let Some(only) = alone(&item.body) else {
        return;
    };
    if let Kind::May(_) = only.kind {
        let message = format!(
            "`{}` can be chosen and then declined: so nothing need be done",
            item.name
        );
        found.push(
            warning("may-in-choice", only.span, message)
                .help("take `may` away: what stands in `one of` is optional as it is"),
        );
    }
}

/// The one statement of a block, out of the steps around it.
fn alone(block: &Block) -> Option<&Statement> {
    match &block.statements[..] {
        [only] => match &only.kind {
            Kind::Step(_, inner) => alone(inner),
            _ => Some(only),
        },
        _ => None,
    }
}

// ---------------------------------------------------------------------------------------------- lost

/// A cell of the step that is changed when nothing reads it any more: with the step it ends.
fn lost(checker: &Checker, label: LabelId, body: &Block, found: &mut Vec<Diagnostic>) {
    let cells = &checker.rs.cells;
    let own: Vec<CellId> = (0..cells.len())
        .filter(|at| cells[*at].owner == CellOwner::Step(label))
        .map(|at| CellId(at as u32))
        .filter(|cell| !checker.is_read_by_laws(*cell) && !checker.gives_passes(*cell))
        .collect();
    if !own.is_empty() {
        let name = &checker.rs.labels[label.index()].name;
        lost_in(checker, (name, &own), body, &mut Vec::new(), found);
    }
}

/// From the last line upwards, as long as it is known what the lines read.
fn lost_in(
    checker: &Checker,
    (label, own): (&str, &[CellId]),
    block: &Block,
    read: &mut Vec<CellId>,
    found: &mut Vec<Diagnostic>,
) -> bool {
    for statement in block.statements.iter().rev() {
        match &statement.kind {
            Kind::Assign { target, .. } if own.contains(&target.cell) => {
                if !read.contains(&target.cell) {
                    let name = &checker.rs.cells[target.cell.index()].name;
                    let message = format!(
                        "this is lost: `{name}` ends with the step `{label}`, and nothing reads it before"
                    );
                    let help = "change it before the lines that read it; what is to last longer belongs to an outer step or to the player";
                    found.push(warning("lost-change", statement.span, message).help(help));
                }
            }
            Kind::If { arms, otherwise } => {
                let arms = arms.iter().map(|(_, block)| block).chain(otherwise);
                for arm in arms {
                    if !lost_in(checker, (label, own), arm, &mut read.clone(), found) {
                        return false;
                    }
                }
            }
            Kind::Assign { .. } | Kind::Let(..) | Kind::Need(..) | Kind::Skip => {}
            _ => return false,
        }
        for expr in visit::expressions(statement) {
            if any(expr, &|inner| {
                matches!(inner.kind, ExprKind::Call(..) | ExprKind::CallValue(..))
            }) {
                return false;
            }
            for cell in own {
                let reads = |inner: &crate::ir::Expr| matches!(inner.kind, ExprKind::Cell(found, _) if found == *cell);
                if any(expr, &reads) {
                    read.push(*cell);
                }
            }
        }
    }
    true
}

/// A step that is given another pass in each of its passes.
fn passes_without_end(
    checker: &Checker,
    label: LabelId,
    statement: &Statement,
    found: &mut Vec<Diagnostic>,
) {
    let label = &checker.rs.labels[label.index()];
    let Some(cell) = label.another else { return };
    let blocks = statement.kind.blocks().into_iter();
    for span in blocks.filter_map(|block| given_anyway(block, cell)) {
        let name = &label.name;
        let message = format!("each pass of `{name}` gets another one: it never ends");
        found.push(
            Diagnostic::error("endless-step", span, message)
                .help(format!("say when: `if doubles: another {name}`")),
        );
    }
}

/// Where a block adds to a cell, whatever happens.
fn given_anyway(block: &Block, cell: CellId) -> Option<Span> {
    for statement in &block.statements {
        match &statement.kind {
            Kind::Assign { target, .. } if target.cell == cell => return Some(statement.span),
            Kind::Step(_, body) | Kind::As(_, body) => {
                if let Some(span) = given_anyway(body, cell) {
                    return Some(span);
                }
            }
            Kind::EachPlayer(each) if each.conditions.is_empty() => {
                if let Some(span) = given_anyway(&each.body, cell) {
                    return Some(span);
                }
            }
            Kind::Stop | Kind::Verdict(..) => return None,
            Kind::Finish(finish) if finish.is_now() => return None,
            _ => {}
        }
    }
    None
}

// ---------------------------------------------------------------------------------------------- calls

/// Actions that run themselves, whatever happens: none of them can ever be completed.
pub(super) fn endless_calls(rs: &RuleSet, found: &mut Vec<Diagnostic>) {
    let calls: Vec<Vec<(ActionId, Span)>> = rs
        .actions
        .iter()
        .map(|action| {
            let mut calls = Vec::new();
            sure_calls(&action.body, &mut calls);
            calls
        })
        .collect();
    for (at, action) in rs.actions.iter().enumerate() {
        let own = ActionId(at as u32);
        let back = calls[at]
            .iter()
            .find(|(next, _)| reaches(&calls, *next, own));
        if let Some((_, span)) = back {
            let name = &action.name;
            let message = format!("`{name}` runs itself again, without end");
            found.push(
                Diagnostic::error("endless-action", *span, message)
                    .label(action.span, "so this can never be completed")
                    .help(format!(
                        "to do it twice write `instead of {name}` with `original` on two lines"
                    )),
            );
        }
    }
}

fn reaches(calls: &[Vec<(ActionId, Span)>], from: ActionId, to: ActionId) -> bool {
    let mut seen = vec![from];
    let mut at = 0;
    while let Some(action) = seen.get(at).copied() {
        if action == to {
            return true;
        }
        at += 1;
        for (next, _) in &calls[action.index()] {
            if !seen.contains(next) {
                seen.push(*next);
            }
        }
    }
    false
}

/// What runs in any case. False: lines behind this block may not be reached.
fn sure_calls(block: &Block, calls: &mut Vec<(ActionId, Span)>) -> bool {
    for statement in &block.statements {
        match &statement.kind {
            Kind::Call(action, _) => calls.push((*action, statement.span)),
            Kind::Step(_, body) | Kind::As(_, body) if !sure_calls(body, calls) => return false,
            // A hook that makes names known stands in a block of its own.
            Kind::If { arms, .. } if sure_arm(arms).is_some_and(|arm| !sure_calls(arm, calls)) => {
                return false;
            }
            Kind::Stop => return false,
            Kind::Finish(finish) if finish.is_now() => return false,
            _ => {}
        }
    }
    true
}

fn sure_arm(arms: &[(Expr, Block)]) -> Option<&Block> {
    let (condition, body) = arms.first()?;
    matches!(condition.kind, ExprKind::Const(Value::Bool(true))).then_some(body)
}

// ---------------------------------------------------------------------------------------------- originals

impl Checker<'_> {
    /// `instead of X: if C: original`, where X is an answer: without C it can still be chosen, and does nothing.
    pub(super) fn skipped_originals(&self, found: &mut Vec<Diagnostic>) {
        for deed in &self.asm.deeds {
            let (Act::InsteadOf, Brings::Lines(body)) = (deed.act, &deed.brings) else {
                continue;
            };
            let mut actions = self.rs.actions.iter();
            let Some(at) = actions.position(|action| action.name == deed.target) else {
                continue;
            };
            if let Some(condition) = only_if(body)
                && self.is_offered(ActionId(at as u32))
            {
                let name = &deed.target;
                let message = format!(
                    "where this does not hold `{name}` can still be chosen, and does nothing"
                );
                let text = self.slice(condition);
                found.push(warning("chosen-in-vain", condition, message).help(format!(
                    "to forbid it write `before {name}: need {text} else \"…\"`; else say what happens instead: `else: …`"
                )));
            }
        }
    }

    /// An alternative of a choice, or open at any time.
    fn is_offered(&self, action: ActionId) -> bool {
        fn in_block(block: &Block, action: ActionId) -> bool {
            block.statements.iter().any(|statement| {
                let items = match &statement.kind {
                    Kind::OneOf { items, .. } => &items[..],
                    _ => &[],
                };
                let calls = |item: &Item| {
                    let only = alone(&item.body).map(|only| &only.kind);
                    matches!(only, Some(Kind::Call(called, _)) if *called == action)
                };
                items.iter().any(calls)
                    || visit::blocks(statement)
                        .into_iter()
                        .any(|inner| in_block(inner, action))
            })
        }
        self.rs.actions[action.index()].anytime.is_some()
            || super::bodies(&self.rs).any(|block| in_block(block, action))
    }

    /// Rules and whens read a step's cell when the step ends.
    fn is_read_by_laws(&self, cell: CellId) -> bool {
        use super::super::graph::{Node, Touched};
        self.graph.uses.iter().any(|one| {
            one.what == Touched::Read(cell) && matches!(one.from, Node::Rule(_) | Node::When(_))
        })
    }
}

/// The condition of lines that are one `if` with `original` in it and no `else`.
fn only_if(body: &ast::Block) -> Option<Span> {
    let [only] = &body.statements[..] else {
        return None;
    };
    let ast::StatementKind::If {
        arms,
        otherwise: None,
    } = &only.kind
    else {
        return None;
    };
    let [(condition, lines)] = &arms[..] else {
        return None;
    };
    let runs = lines.statements.iter().any(|line| {
        matches!(&line.kind, ast::StatementKind::Run(expr)
            if matches!(&expr.kind, ast::ExprKind::Name(name) if name == "original"))
    });
    runs.then_some(condition.span)
}
