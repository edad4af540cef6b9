//! What overlays changed, for lists and for the view beside the rules.

use super::names::full;
use super::overlay::titled;
use super::{Act, Assembly, Deed, Entry};
use crate::ir::LayerId;
use crate::source::Span;

/// One thing that an overlay does to the game below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub layer: LayerId,
    pub kind: ChangeKind,
    /// What an operation does; none: a declaration of the overlay's own.
    pub act: Option<Act>,
    /// `player.value`, `flow.round.turn.act`, `card.[604]`.
    pub name: String,
    /// The text that stood there; absent for what is new.
    pub old: Option<Span>,
    /// The overlay's text.
    pub new: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    /// Declared by the overlay.
    New,
    /// More rows, lines, items, members, conditions, hooks.
    Added,
    /// Another value, another text in its place.
    Changed,
    Removed,
}

/// What the overlays changed, layer by layer, in the order of the texts.
pub fn changes(assembly: &Assembly) -> Vec<Change> {
    let deeds = assembly.deeds.iter();
    let mut changes: Vec<Change> = deeds.map(|deed| of_deed(assembly, deed)).collect();
    let a = assembly;
    declared(&a.options, |item| item.decl.name.text.clone(), &mut changes);
    declared(&a.enums, |item| item.decl.name.text.clone(), &mut changes);
    declared(&a.tables, |item| item.decl.name.text.clone(), &mut changes);
    declared(&a.grids, |item| item.decl.name.text.clone(), &mut changes);
    declared(
        &a.cells,
        |item| full(item.owner.as_ref(), &item.name),
        &mut changes,
    );
    declared(
        &a.formulas,
        |item| full(item.owner.as_ref(), &item.name),
        &mut changes,
    );
    declared(
        &a.networks,
        |item| full(item.owner.as_ref(), &item.name),
        &mut changes,
    );
    declared(&a.tilings, |item| item.name.text.clone(), &mut changes);
    declared(&a.rules, |item| item.name.text.clone(), &mut changes);
    declared(&a.whens, |item| item.name.text.clone(), &mut changes);
    declared(&a.actions, |item| item.name.text.clone(), &mut changes);
    declared(&a.strategies, |item| titled(&item.name), &mut changes);
    changes.retain(|change| assembly.layers[change.layer.index()].overlay);
    changes.sort_by_key(|change| (change.layer, change.new.file, change.new.start));
    changes
}

fn of_deed(assembly: &Assembly, deed: &Deed) -> Change {
    // Of a row that goes its own text, not that of its table.
    let row = match deed.act {
        Act::Remove => assembly.row_named(&deed.target, deed.layer),
        _ => None,
    };
    Change {
        layer: deed.layer,
        kind: match deed.act {
            Act::Set | Act::Shift | Act::Cell | Act::PatchSome | Act::Replace | Act::InsteadOf => {
                ChangeKind::Changed
            }
            Act::Remove => ChangeKind::Removed,
            Act::Before | Act::After | Act::Add | Act::Lines => ChangeKind::Added,
        },
        name: deed.target.clone(),
        act: Some(deed.act),
        old: row.or(deed.whole).or(deed.old),
        new: deed.span,
    }
}

/// Entries that a layer declared itself; what it replaced is among the deeds.
fn declared<T>(list: &[Entry<T>], name: impl Fn(&T) -> String, changes: &mut Vec<Change>) {
    for entry in list {
        let first = entry.replaced.last().unwrap_or(entry);
        changes.push(Change {
            layer: first.layer,
            kind: ChangeKind::New,
            act: None,
            name: name(&first.item),
            old: None,
            new: first.span,
        });
    }
}
