//! What operations did to which place, and which of two overlays do not go together.

use super::draft::{Draft, Frame};
use crate::diagnostic::Diagnostic;
use crate::ir::LayerId;
use crate::source::Span;

/// What an operation does to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// `set x = e`, a cell of `patch`.
    Set,
    /// `set x += e`, `-= e`
    Shift,
    Replace,
    Remove,
    InsteadOf,
    Before,
    After,
    /// `add to`, `rows`, a new declaration.
    Add,
    /// `patch T where C`: which rows it meets shows only in play.
    PatchSome,
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
}

/// How two operations go together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Match {
    Fine,
    Order,
    Conflict,
}

/// Reports pairs of overlays that change the same thing and know nothing of each other.
pub(super) fn check(draft: &mut Draft) {
    let mut found = Vec::new();
    let deeds = &draft.assembly.deeds;
    for (at, later) in deeds.iter().enumerate() {
        for earlier in &deeds[..at] {
            if !draft.are_strangers(earlier.layer, later.layer) {
                continue;
            }
            match compare(earlier, later) {
                Match::Fine => {}
                Match::Order => found.push(order(draft, earlier, later)),
                Match::Conflict => found.push(conflict(draft, earlier, later)),
            }
        }
    }
    draft.out.extend(found);
}

fn compare(a: &Deed, b: &Deed) -> Match {
    if a.target == b.target {
        return same_place(a.act, b.act);
    }
    if within(&a.target, &b.target) {
        return around(b.act, a.act);
    }
    if within(&b.target, &a.target) {
        return around(a.act, b.act);
    }
    Match::Fine
}

/// Whether `inner` lies in `outer`: `turn.act` in `turn`.
pub(super) fn within(inner: &str, outer: &str) -> bool {
    inner
        .strip_prefix(outer)
        .is_some_and(|rest| rest.starts_with('.'))
}

fn same_place(a: Act, b: Act) -> Match {
    match (a, b) {
        (Act::Before, Act::Before) | (Act::After, Act::After) => Match::Order,
        (Act::PatchSome, Act::PatchSome | Act::Set) | (Act::Set, Act::PatchSome) => Match::Order,
        (Act::Remove, _) | (_, Act::Remove) => Match::Conflict,
        _ if is_addition(a) || is_addition(b) => Match::Fine,
        // what is set counts before what is shifted, whichever comes first
        (Act::Shift, Act::Shift | Act::Set) | (Act::Set, Act::Shift) => Match::Fine,
        _ => Match::Conflict,
    }
}

/// `outer` was done to something in which `inner` was done.
fn around(outer: Act, inner: Act) -> Match {
    match outer {
        Act::Remove => Match::Conflict,
        Act::Replace | Act::InsteadOf if !is_addition(inner) => Match::Conflict,
        _ => Match::Fine,
    }
}

fn is_addition(act: Act) -> bool {
    matches!(act, Act::Add | Act::Before | Act::After)
}

fn verb(act: Act) -> &'static str {
    match act {
        Act::Set | Act::PatchSome => "sets",
        Act::Shift => "shifts",
        Act::Replace => "replaces",
        Act::Remove => "removes",
        Act::InsteadOf => "puts something else in the place of",
        Act::Before => "does something before",
        Act::After => "does something after",
        Act::Add => "adds to",
    }
}

/// How a place is called in messages.
fn shown(target: &str) -> String {
    let target = target.strip_prefix("flow.").unwrap_or(target);
    target.replace(".[", "[")
}

fn does(draft: &Draft, deed: &Deed) -> String {
    let layer = draft.layer_id(deed.layer);
    format!("`{layer}` {} `{}`", verb(deed.act), shown(&deed.target))
}

fn conflict(draft: &Draft, earlier: &Deed, later: &Deed) -> Diagnostic {
    let (first, second) = (draft.layer_id(earlier.layer), draft.layer_id(later.layer));
    let message = format!("`{first}` and `{second}` do not go together");
    Diagnostic::error("overlay-conflict", later.span, message)
        .here(does(draft, later))
        .label(earlier.span, does(draft, earlier))
        .help(format!(
            "choose one of the two, or write `after {first}` in the header of `{second}` if it is to lie on top"
        ))
}

/// What an operation is for has been taken away by another overlay.
pub(super) fn gone(draft: &Draft, taken: &Deed, target: &str, frame: &Frame) -> Diagnostic {
    let (first, second) = (draft.layer_id(taken.layer), draft.layer_id(frame.layer));
    let message = format!("`{first}` and `{second}` do not go together");
    Diagnostic::error("overlay-conflict", frame.span, message)
        .here(format!("`{second}` changes `{}`", shown(target)))
        .label(taken.span, does(draft, taken))
        .help("choose one of the two")
}

fn order(draft: &Draft, earlier: &Deed, later: &Deed) -> Diagnostic {
    let (first, second) = (draft.layer_id(earlier.layer), draft.layer_id(later.layer));
    let message = format!("what `{first}` and `{second}` do depends on their order");
    Diagnostic::warning("overlay-order", later.span, message)
        .here(does(draft, later))
        .label(earlier.span, does(draft, earlier))
        .help(format!(
            "write `after {first}` in the header of `{second}` if the order is right"
        ))
}
