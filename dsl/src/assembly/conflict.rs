//! What operations did to which place, and which overlays do not go together.

use super::clash::{Clashes, Kind};
use super::commute::Commuting;
use super::draft::{Draft, Frame};
use super::{Assembly, clash, unread};
use crate::diagnostic::{Diagnostic, Severity};
use crate::ir::LayerId;
use crate::source::{SourceSet, Span};
use crate::syntax::ast::{Block, Expr};

/// What an operation does to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// `set x = e` of an option.
    Set,
    /// `set x += e`, `-= e`
    Shift,
    Replace,
    Remove,
    InsteadOf,
    Before,
    After,
    /// `add to` a choice, a condition or the score, `rows`, a new declaration.
    Add,
    /// `add to S: …`: lines at the end of a step.
    Lines,
    /// A cell of a row or grid that is named. What others do to it shows when rows are known.
    Cell,
    /// `patch T where C`: which rows it meets shows when rows are known.
    PatchSome,
}

/// What an operation brings, for the question whether two of them commute.
#[derive(Clone, Debug)]
pub enum Brings {
    /// Something that two overlays cannot both bring.
    Whole,
    /// A value: of a formula, a clause, a score line; `original` is the one below.
    Value(Box<Expr>),
    /// Lines that run.
    Lines(Block),
}

/// One operation of one layer: what it did to the place of that name.
#[derive(Clone, Debug)]
pub struct Deed {
    pub act: Act,
    /// `flow.round.turn.act`, `player.value`, `card.[604].price`.
    pub target: String,
    pub layer: LayerId,
    /// Of the operation.
    pub span: Span,
    /// What stood there before, if it was a text of its own.
    pub old: Option<Span>,
    /// The same with all lines of it, where `old` is no more than the name of a step.
    pub whole: Option<Span>,
    pub brings: Brings,
}

/// Reports overlays that change the same thing and know nothing of each other.
pub(super) fn check(draft: &mut Draft, sources: &SourceSet) {
    let assembly = &draft.assembly;
    let commuting = Commuting::new(assembly, sources);
    let mut clashes = Clashes::default();
    for (at, later) in assembly.deeds.iter().enumerate() {
        for (before, earlier) in assembly.deeds[..at].iter().enumerate() {
            let Some((kind, place)) = compare(&commuting, before, at) else {
                continue;
            };
            if assembly.are_strangers(earlier.layer, later.layer) {
                clashes.add(kind, place, part(assembly, earlier));
                clashes.add(kind, place, part(assembly, later));
            }
        }
    }
    let mut found = clashes.told(assembly);
    found.extend(unread::check(assembly, sources));
    found.extend(commuting.idle());
    found.extend(fallen(assembly, &commuting));
    draft.out.extend(found);
}

/// What layers below hung on an action, or on what lies in it, and falls away with it: told, since who replaces an action may
/// know its text alone.
fn fallen(assembly: &Assembly, texts: &Commuting) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (at, later) in assembly.deeds.iter().enumerate() {
        if !matches!(later.act, Act::Replace | Act::InsteadOf) || texts.runs_original(at) {
            continue;
        }
        let hung = assembly.deeds[..at].iter().filter(|deed| {
            (is_hook(deed.act) || adds_lines(deed))
                && (deed.target == later.target || within(&deed.target, &later.target))
                && deed.layer < later.layer
                && !assembly.are_strangers(deed.layer, later.layer)
        });
        let hung: Vec<&Deed> = hung.take(HUNG_MAX).collect();
        let hangs_again = |deed: &Deed| {
            is_hook(deed.act) && deed.layer == later.layer && deed.target == later.target
        };
        if hung.is_empty() || assembly.deeds[at + 1..].iter().any(hangs_again) {
            continue;
        }
        let place = shown(&later.target);
        let message = format!("what hung on `{place}` falls away with it");
        let told = Diagnostic {
            severity: Severity::Note,
            ..Diagnostic::warning("hooks-fallen", later.span, message)
        };
        let told = told.help(format!("write it again, `before {place}: …` or `after {place}: …`, if it is to stay; `original` in the new text would run it"));
        let label = |told: Diagnostic, deed: &&Deed| told.label(deed.span, does(assembly, deed));
        found.push(hung.iter().fold(told, label));
    }
    found
}

/// How many of the things that fall away are pointed at.
const HUNG_MAX: usize = 4;

/// How two operations that are not of one mind disagree, and on which place.
fn compare<'a>(texts: &Commuting<'a>, earlier: usize, later: usize) -> Option<(Kind, &'a str)> {
    let (a, b) = (texts.deed(earlier), texts.deed(later));
    let kind = if lies_in(a, b) {
        around(b.act, a).filter(|_| !texts.keeps(later, a))
    } else if lies_in(b, a) {
        around(a.act, b).filter(|_| !texts.keeps(earlier, b))
    } else if a.target == b.target {
        same_place(a.act, b.act).filter(|_| !texts.commute(earlier, later))
    } else {
        None
    };
    let outer = if a.target.len() <= b.target.len() {
        &a.target
    } else {
        &b.target
    };
    Some((kind?, outer))
}

/// Whether `inner` lies in `outer`: `turn.act` in `turn`.
pub(super) fn within(inner: &str, outer: &str) -> bool {
    inner
        .strip_prefix(outer)
        .is_some_and(|rest| rest.starts_with('.'))
}

/// Whether what a deed does is done to something in the place of another one. Lines that are added to a place lie in it, where
/// something else is put in its place.
fn lies_in(inner: &Deed, outer: &Deed) -> bool {
    let added = outer.act == Act::InsteadOf && adds_lines(inner) && inner.target == outer.target;
    added || within(&inner.target, &outer.target)
}

/// It brings lines or items that stand in what it adds to, and go with that.
fn adds_lines(deed: &Deed) -> bool {
    matches!(deed.act, Act::Add | Act::Lines) && matches!(deed.brings, Brings::Lines(_))
}

/// How two operations on one place disagree unless what they bring commutes.
fn same_place(a: Act, b: Act) -> Option<Kind> {
    match (a, b) {
        (Act::Before, Act::Before) | (Act::After, Act::After) | (Act::Lines, Act::Lines) => {
            Some(Kind::Order)
        }
        (Act::Remove, Act::Remove) => None,
        (Act::Remove, _) | (_, Act::Remove) => Some(Kind::Conflict),
        _ if is_addition(a) || is_addition(b) => None,
        _ if by_rows(a) && by_rows(b) => None,
        // what is set counts before what is shifted, whichever comes first; what two set shows when values are known
        (Act::Shift | Act::Set, Act::Shift | Act::Set) => None,
        _ => Some(Kind::Conflict),
    }
}

/// `outer` was done to something in which `inner` was done.
fn around(outer: Act, inner: &Deed) -> Option<Kind> {
    match outer {
        Act::Remove => Some(Kind::Conflict),
        Act::Replace if !is_addition(inner.act) => Some(Kind::Conflict),
        Act::InsteadOf if !is_addition(inner.act) || adds_lines(inner) => Some(Kind::Conflict),
        _ => None,
    }
}

fn is_addition(act: Act) -> bool {
    act == Act::Add || is_hook(act)
}

fn is_hook(act: Act) -> bool {
    matches!(act, Act::Lines | Act::Before | Act::After)
}

/// Compared by what they do to each cell, when rows are known.
fn by_rows(act: Act) -> bool {
    matches!(act, Act::Cell | Act::PatchSome)
}

fn verb(act: Act) -> &'static str {
    match act {
        Act::Set | Act::Cell | Act::PatchSome => "sets",
        Act::Shift => "shifts",
        Act::Replace => "replaces",
        Act::Remove => "removes",
        Act::InsteadOf => "puts something else in the place of",
        Act::Before => "does something before",
        Act::After => "does something after",
        Act::Add | Act::Lines => "adds to",
    }
}

/// How a place is called in messages.
pub(super) fn shown(target: &str) -> String {
    let target = target.strip_prefix("flow.").unwrap_or(target);
    target.replace(".[", "[")
}

pub(super) fn does(assembly: &Assembly, deed: &Deed) -> String {
    let layer = assembly.layer_id(deed.layer);
    format!("`{layer}` {} `{}`", verb(deed.act), shown(&deed.target))
}

fn part(assembly: &Assembly, deed: &Deed) -> clash::Part {
    clash::Part {
        layer: deed.layer,
        span: deed.span,
        does: does(assembly, deed),
    }
}

/// What an operation is for has been taken away by another overlay.
pub(super) fn gone(draft: &Draft, taken: &Deed, target: &str, frame: &Frame) -> Diagnostic {
    let (first, second) = (draft.layer_id(taken.layer), draft.layer_id(frame.layer));
    let message = format!("`{first}` and `{second}` do not go together");
    Diagnostic::error("overlay-conflict", frame.span, message)
        .here(format!("`{second}` changes `{}`", shown(target)))
        .label(taken.span, does(&draft.assembly, taken))
        .help("choose one of the two")
}
