//! The operations of overlays: what each does to the declarations below.

mod add;
mod clause;
mod hook;
mod kept;
mod original;
mod path;
mod remove;
mod replace;
mod roles;
mod set;
mod sites;
mod walk;

use super::conflict::{Act, Brings, Deed};
use super::draft::{Draft, Frame};
use super::{Entry, Touch};
use crate::source::Span;
use crate::syntax::ast::{self, HookKind, Overlay};
use sites::Root;

pub(super) use kept::Kept;
pub(super) use remove::{no_table, titled};
pub(super) use roles::new_value_ways;
pub(super) use sites::{Root as SiteRoot, Shape as SiteShape, Site};
pub(crate) use walk::blocks;

/// Applies the operations of layers that know nothing of each other: all replacements first, hooks last, so that what one layer
/// adds is not lost by what another replaces. Within a kind: layer by layer, as written; of several `before`s the last layer's
/// comes first.
pub(super) fn apply(draft: &mut Draft, layers: Vec<Vec<(Overlay, Frame)>>) {
    let mut all: Vec<(Overlay, Frame)> = layers.into_iter().flatten().collect();
    if all.is_empty() {
        return;
    }
    draft.sites_before = sites::all(&mut draft.assembly);
    for phase in 0..PHASES {
        let (now, later): (Vec<_>, Vec<_>) = all
            .into_iter()
            .partition(|(operation, _)| phase_of(operation) == phase);
        all = later;
        if phase == BEFORE {
            hooks_before(draft, now);
        } else {
            for (operation, frame) in now {
                one(draft, operation, &frame);
            }
        }
    }
}

const PHASES: usize = 8;
const BEFORE: usize = 6;

fn phase_of(operation: &Overlay) -> usize {
    match operation {
        Overlay::Replace(_) => 0,
        Overlay::Set { .. } | Overlay::Patch { .. } => 1,
        Overlay::Remove(_) | Overlay::RemoveStrategy(_) => 2,
        Overlay::ReplaceClause { .. } | Overlay::ReplaceScore(_) => 3,
        Overlay::AddTo { .. } | Overlay::AddScore(_) | Overlay::AddCondition { .. } => 4,
        Overlay::Hook { kind, .. } => match kind {
            HookKind::InsteadOf => 5,
            HookKind::Before => BEFORE,
            HookKind::After => 7,
        },
    }
}

/// Each `before` goes to the front; so that one layer's stand as written, they are put there from the last to the first.
fn hooks_before(draft: &mut Draft, mut hooks: Vec<(Overlay, Frame)>) {
    let mut at = 0;
    while at < hooks.len() {
        let layer = hooks[at].1.layer;
        let length = hooks[at..]
            .iter()
            .take_while(|(_, f)| f.layer == layer)
            .count();
        hooks[at..at + length].reverse();
        at += length;
    }
    for (operation, frame) in hooks {
        one(draft, operation, &frame);
    }
}

fn one(draft: &mut Draft, mut operation: Overlay, frame: &Frame) {
    if !kept::fits(draft, &mut operation, frame) {
        return;
    }
    match operation {
        Overlay::Set { target, op, value } => set::set(draft, target, op, value, frame),
        Overlay::Patch {
            table,
            key,
            condition,
            cells,
        } => set::patch(draft, &table, key, condition, cells, frame),
        Overlay::Replace(declaration) => replace::declaration(draft, *declaration, frame),
        Overlay::ReplaceClause { path, value } => clause::replace(draft, &path, value, frame),
        Overlay::ReplaceScore(line) => replace::score(draft, line, frame),
        Overlay::Remove(targets) => {
            for target in targets {
                remove::remove(draft, target, frame);
            }
        }
        Overlay::RemoveStrategy(name) => remove::strategy(draft, &name, frame),
        Overlay::AddTo { path, body } => add::lines(draft, &path, body, frame),
        Overlay::AddScore(lines) => add::score(draft, lines, frame),
        Overlay::AddCondition { path, condition } => {
            add::condition(draft, &path, condition, frame);
        }
        Overlay::Hook { kind, paths, body } => {
            for path in paths {
                hook::hook(draft, kind, &path, body.clone(), frame);
            }
        }
    }
}

/// Notes what an operation did.
fn note(draft: &mut Draft, act: Act, target: impl Into<String>, old: Option<Span>, frame: &Frame) {
    note_what(draft, act, target, old, Brings::Whole, frame);
}

/// [`note`], with what it brought.
fn note_what(
    draft: &mut Draft,
    act: Act,
    target: impl Into<String>,
    old: Option<Span>,
    brings: Brings,
    frame: &Frame,
) {
    draft.assembly.deeds.push(Deed {
        act,
        target: target.into(),
        layer: frame.layer,
        span: frame.span,
        old,
        whole: None,
        brings,
    });
}

/// Notes of the latest deed which lines of a step it takes the place of, or takes away.
fn note_lines(draft: &mut Draft, lines: Option<Span>) {
    if let Some(deed) = draft.assembly.deeds.last_mut() {
        deed.whole = deed.old.zip(lines).map(|(name, lines)| name.to(lines));
    }
}

/// Where the lines of a block stand that lie in one text with its name.
fn lines_of(block: &ast::Block, name: Span) -> Option<Span> {
    let spans = block.statements.iter().map(|statement| statement.span);
    let own = spans.filter(|span| span.file == name.file && span.start >= name.start);
    own.reduce(Span::to)
}

/// Marks an entry as changed by an operation, and gives it the operation's rule ids.
fn touch<T>(entry: &mut Entry<T>, frame: &Frame) {
    entry.touched.push(Touch {
        layer: frame.layer,
        span: frame.span,
    });
    entry.tags.extend(frame.tags.iter().cloned());
}

/// [`touch`]es the declaration a place lies in.
fn touch_root(draft: &mut Draft, site: &Site, frame: &Frame) {
    let assembly = &mut draft.assembly;
    match site.root {
        Root::Action(at) => touch(&mut assembly.actions[at], frame),
        Root::When(at) => touch(&mut assembly.whens[at], frame),
        Root::Formula(at) => touch(&mut assembly.formulas[at], frame),
        Root::Network(at) => touch(&mut assembly.networks[at], frame),
        Root::Flow => {
            if let Some(flow) = &mut assembly.flow {
                touch(flow, frame);
            }
        }
    }
}

/// The lines of a loop, if a step is nothing else: its label names one pass.
fn pass(body: &mut ast::Block) -> &mut ast::Block {
    use ast::StatementKind as Kind;
    if body.labelled_loop().is_none() {
        return body;
    }
    match &mut body.statements[0].kind {
        Kind::Each(_, body) => body,
        Kind::EachPlayer(each) => &mut each.body,
        Kind::Repeat(repeat) => &mut repeat.body,
        kind => unreachable!("no loop: {kind:?}"),
    }
}
