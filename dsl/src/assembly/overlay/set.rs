//! `set` and `patch`: numbers, grid cells, enum members, cells of rows.

use super::{note, roles, touch};
use crate::assembly::conflict::Act;
use crate::assembly::draft::{Draft, Frame, article};
use crate::assembly::fields::there_are;
use crate::assembly::names::Room;
use crate::assembly::{PatchEntry, SetEntry};
use crate::diagnostic::{Diagnostic, Way, suggest::nearest};
use crate::source::Span;
use crate::syntax::ast::{AssignOp, Expr, ExprKind, GridCell, Name};

pub(super) fn set(draft: &mut Draft, target: Expr, op: AssignOp, value: GridCell, frame: &Frame) {
    match target.kind {
        ExprKind::Name(ref name) => named(draft, name, &target, op, value, frame),
        ExprKind::Index(ref grid, ref indices) => match &grid.kind {
            ExprKind::Name(name) => cell(draft, name, grid, indices, op, value, frame),
            _ => not_settable(draft, &target, op, &value, frame),
        },
        _ => not_settable(draft, &target, op, &value, frame),
    }
}

fn not_settable(draft: &mut Draft, target: &Expr, op: AssignOp, value: &GridCell, frame: &Frame) {
    let said = roles::Said::new(draft, op, roles::start_of(value, frame.span), frame);
    let mut ways = match &target.kind {
        ExprKind::Member(row, column) => match &row.kind {
            ExprKind::Index(table, keys) => {
                let key = Span {
                    start: table.span.end,
                    end: keys.last().map_or(row.span.end, |key| key.span.end),
                    ..row.span
                };
                let table = draft.sources.slice(table.span);
                let key = format!("{}]", draft.sources.slice(key));
                roles::row_ways(table, &key, &column.text, &said).to_vec()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    if let Some(parts) = super::remove::as_path(target) {
        ways.extend(roles::set_ways(draft, &parts, &said));
    }
    ways.push(Way::help(
        "`set` changes options, cells of grids and members of enums; `patch` cells of rows, `replace` anything else",
    ));
    draft.out.push(
        Diagnostic::error("wrong-target", target.span, "`set` cannot change this").ways(ways),
    );
}

fn named(
    draft: &mut Draft,
    name: &str,
    target: &Expr,
    op: AssignOp,
    value: GridCell,
    frame: &Frame,
) {
    let options = &draft.assembly.options;
    if let Some(at) = options.iter().position(|e| e.item.decl.name.text == name) {
        let place = place(draft, &options[at].item.sets, op, frame);
        let entry = &mut draft.assembly.options[at];
        let old = entry.span;
        touch(entry, frame);
        let set = set_entry(op, Vec::new(), value, frame);
        entry.item.sets.insert(place, set);
        let act = if op == AssignOp::Set {
            Act::Set
        } else {
            Act::Shift
        };
        return note(draft, act, name, Some(old), frame);
    }
    if draft
        .assembly
        .enums
        .iter()
        .any(|e| e.item.decl.name.text == name)
    {
        return member(draft, name, target, op, value, frame);
    }
    let start = roles::start_of(&value, frame.span);
    let said = roles::Said::new(draft, op, start, frame);
    let found = unknown(draft, name, target, &said);
    draft.out.push(found);
}

fn set_entry(op: AssignOp, indices: Vec<Expr>, value: GridCell, frame: &Frame) -> SetEntry {
    SetEntry {
        op,
        indices,
        value,
        layer: Some(frame.layer),
        span: frame.span,
    }
}

/// Where a `set` goes among those that are there: `=` before the `+=` and `-=` of overlays it knows nothing of, so that
/// "40 wagons" and "8 wagons fewer" mean the same in either order.
fn place(draft: &Draft, sets: &[SetEntry], op: AssignOp, frame: &Frame) -> usize {
    let strange = |set: &SetEntry| {
        set.layer
            .is_some_and(|layer| draft.are_strangers(layer, frame.layer))
    };
    let shifts = sets
        .iter()
        .rev()
        .take_while(|set| set.op != AssignOp::Set && strange(set));
    match op {
        AssignOp::Set => sets.len() - shifts.count(),
        AssignOp::Add | AssignOp::Subtract => sets.len(),
    }
}

fn unknown(draft: &Draft, name: &str, target: &Expr, said: &roles::Said) -> Diagnostic {
    let parts = [Name {
        text: name.to_owned(),
        span: target.span,
    }];
    let mut ways = roles::set_ways(draft, &parts, said);
    if let Some(declared) = draft.names.get(&(Room::Values, name.to_string())) {
        let kind = declared.kind;
        let message = format!("`{name}` is {} {kind}, not an option", article(kind));
        ways.push(Way::help(match kind {
            "table" => format!("write `patch {name}[…]: column = …`"),
            _ => format!("write `replace {name} …`"),
        }));
        return Diagnostic::error("wrong-target", target.span, message)
            .label(declared.span, "declared here")
            .ways(ways);
    }
    let settable = draft.names.iter().filter(|((room, _), declared)| {
        *room == Room::Values && ["option", "grid", "enum"].contains(&declared.kind)
    });
    let near = nearest(name, settable.map(|((_, name), _)| name.as_str()));
    ways.extend(near.map(|near| Way::meant(target.span, near)));
    let options = draft.assembly.options.iter();
    let names: Vec<&str> = options.map(|e| e.item.decl.name.text.as_str()).collect();
    ways.push(Way::help(match names.is_empty() {
        true => "this game has no options; a variant changes a formula with `replace`, a row with `patch`".to_owned(),
        false => there_are(&names),
    }));
    let message = format!("there is no option `{name}`");
    Diagnostic::error("unknown-name", target.span, message).ways(ways)
}

/// `set colour += brown`
fn member(
    draft: &mut Draft,
    name: &str,
    target: &Expr,
    op: AssignOp,
    value: GridCell,
    frame: &Frame,
) {
    let added = match &value {
        GridCell::Expr(expr) if op == AssignOp::Add => member_names(expr),
        _ => None,
    };
    let Some(added) = added else {
        draft.out.push(
            Diagnostic::error("wrong-target", target.span, format!("`{name}` is an enum"))
                .help(format!("members are only added: `set {name} += member`")),
        );
        return;
    };
    let Some(at) = draft
        .assembly
        .enums
        .iter()
        .position(|e| e.item.decl.name.text == name)
    else {
        return;
    };
    for new in added {
        let entry = &mut draft.assembly.enums[at];
        let there = entry.item.decl.members.iter();
        let there = there.chain(entry.item.added.iter().map(|(name, _)| name));
        if let Some(first) = there.into_iter().find(|name| name.text == new.text) {
            let message = format!("`{name}` has a member `{}` already", new.text);
            let label = first.span;
            let strangers = !draft.sees(frame.layer, label);
            let code = if strangers {
                "overlay-conflict"
            } else {
                "duplicate-name"
            };
            let found = Diagnostic::error(code, new.span, message)
                .label(label, "the first one")
                .help("take it out of one of the two");
            draft.out.push(found);
            continue;
        }
        let target = format!("{name}.+{}", new.text);
        let old = entry.span;
        entry.item.added.push((new, frame.layer));
        touch(entry, frame);
        note(draft, Act::Add, target, Some(old), frame);
    }
}

fn member_names(expr: &Expr) -> Option<Vec<Name>> {
    match &expr.kind {
        ExprKind::Name(text) => Some(vec![Name {
            text: text.clone(),
            span: expr.span,
        }]),
        ExprKind::Braces(entries) => entries
            .iter()
            .map(|(key, count)| match (&key.kind, count) {
                (ExprKind::Name(text), None) => Some(Name {
                    text: text.clone(),
                    span: key.span,
                }),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}

/// `set ability[grey, trade] = steps(4)`
fn cell(
    draft: &mut Draft,
    name: &str,
    grid: &Expr,
    indices: &[Expr],
    op: AssignOp,
    value: GridCell,
    frame: &Frame,
) {
    let grids = &draft.assembly.grids;
    let Some(at) = grids.iter().position(|e| e.item.decl.name.text == name) else {
        let found = no_grid(draft, name, grid);
        draft.out.push(found);
        return;
    };
    if op != AssignOp::Set {
        let message = "a cell of a grid is not raised or lowered";
        draft.out.push(
            Diagnostic::error("wrong-target", frame.span, message)
                .help(format!("write what it is to be: `set {name}[…] = …`")),
        );
        return;
    }
    let entry = &mut draft.assembly.grids[at];
    let old = entry.span;
    touch(entry, frame);
    let set = set_entry(op, indices.to_vec(), value, frame);
    entry.item.sets.push(set);
    let target = format!("{name}.{}", key_text(indices));
    note(draft, Act::Cell, target, Some(old), frame);
}

fn no_grid(draft: &Draft, name: &str, grid: &Expr) -> Diagnostic {
    if let Some(declared) = draft.names.get(&(Room::Values, name.to_string())) {
        let kind = declared.kind;
        let message = format!("`{name}` is {} {kind}, not a grid", article(kind));
        let diagnostic = Diagnostic::error("wrong-target", grid.span, message)
            .label(declared.span, "declared here");
        return match kind {
            "table" => diagnostic.help(format!("write `patch {name}[key]: column = value`")),
            _ => diagnostic.help(format!("write `replace {name} …`")),
        };
    }
    let grids = draft.assembly.grids.iter();
    let near = nearest(name, grids.map(|e| e.item.decl.name.text.as_str()));
    let message = format!("there is no grid `{name}`");
    let diagnostic = Diagnostic::error("unknown-name", grid.span, message);
    match near {
        Some(near) => diagnostic.meant(grid.span, near),
        None => diagnostic.help("a grid is declared as `table name[rows, columns]: type`"),
    }
}

/// `[grey, trade]`, the same for the same key however it is spaced.
pub(super) fn key_text(indices: &[Expr]) -> String {
    let texts: Vec<String> = indices.iter().map(key_part).collect();
    format!("[{}]", texts.join(", "))
}

fn key_part(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Text(message) => super::remove::plain_text(message),
        ExprKind::Member(value, name) => format!("{}.{}", key_part(value), name.text),
        ExprKind::Index(value, keys) => format!("{}{}", key_part(value), key_text(keys)),
        _ => format!("at {}", expr.span.start),
    }
}

/// `patch colour[brown]: unlock = 5; x = 1`
pub(super) fn patch(
    draft: &mut Draft,
    table: &Name,
    key: Vec<Expr>,
    condition: Option<Expr>,
    cells: Vec<(Name, Expr)>,
    frame: &Frame,
) {
    let Some(at) = super::remove::table_at(draft, table) else {
        return;
    };
    let entry = &mut draft.assembly.tables[at];
    let name = table.text.as_str();
    touch(entry, frame);
    let mut notes = Vec::new();
    for (column, _) in &cells {
        let target = match key.is_empty() {
            true => format!("{name}.*.{}", column.text),
            false => format!("{name}.{}.{}", key_text(&key), column.text),
        };
        let act = if key.is_empty() {
            Act::PatchSome
        } else {
            Act::Cell
        };
        notes.push((act, target));
    }
    let old = entry.span;
    entry.item.patches.push(PatchEntry {
        key,
        condition,
        cells,
        layer: frame.layer,
        span: frame.span,
    });
    for (act, target) in notes {
        note(draft, act, target, Some(old), frame);
    }
}
