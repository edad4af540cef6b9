//! `remove`: declarations, rows, steps, items, score lines.

use super::path::{self, resolve, text};
use super::set::key_text;
use super::sites::{self, Shape, Site, SiteMut};
use super::{lines_of, note, note_lines, touch, touch_root};
use crate::assembly::conflict::Act;
use crate::assembly::draft::{Draft, Frame};
use crate::assembly::names::{Room, full};
use crate::assembly::{Entry, RemovedRow};
use crate::diagnostic::{Diagnostic, suggest::nearest};
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind, Message, MessagePart, Name};

pub(super) fn remove(draft: &mut Draft, target: Expr, frame: &Frame) {
    if let ExprKind::Index(table, key) = &target.kind
        && let ExprKind::Name(name) = &table.kind
    {
        let name = Name {
            text: name.clone(),
            span: table.span,
        };
        return row(draft, &name, key.clone(), frame);
    }
    let Some(parts) = as_path(&target) else {
        draft.out.push(
            Diagnostic::error(
                "wrong-target",
                target.span,
                "`remove` cannot take this away",
            )
            .help("name a declaration, a row `card[604]` or a step `turn.deals`"),
        );
        return;
    };
    match &parts[..] {
        [score, line] if score.text == "score" => score_line(draft, line, frame),
        _ => declaration_or_step(draft, &parts, frame),
    }
}

/// `a.b.c` as names; `None` for anything else.
pub(super) fn as_path(expr: &Expr) -> Option<Vec<Name>> {
    match &expr.kind {
        ExprKind::Name(text) => Some(vec![Name {
            text: text.clone(),
            span: expr.span,
        }]),
        ExprKind::Member(value, name) => {
            let mut parts = as_path(value)?;
            parts.push(name.clone());
            Some(parts)
        }
        _ => None,
    }
}

fn row(draft: &mut Draft, table: &Name, key: Vec<Expr>, frame: &Frame) {
    let Some(at) = table_at(draft, table) else {
        return;
    };
    let target = format!("{}.{}", table.text, key_text(&key));
    let entry = &mut draft.assembly.tables[at];
    touch(entry, frame);
    let old = entry.span;
    entry.item.removed.push(RemovedRow {
        key,
        layer: frame.layer,
        span: frame.span,
    });
    note(draft, Act::Remove, target, Some(old), frame);
}

/// The table of that name; reports when there is none.
pub(super) fn table_at(draft: &mut Draft, table: &Name) -> Option<usize> {
    let mut tables = draft.assembly.tables.iter();
    let at = tables.position(|entry| entry.item.decl.name.text == table.text);
    if at.is_none() {
        let found = no_table(draft, table);
        draft.out.push(found);
    }
    at
}

/// The error for a table that is not there.
pub(in crate::assembly) fn no_table(draft: &Draft, table: &Name) -> Diagnostic {
    let tilings = draft.assembly.tilings.iter().map(|entry| &entry.item);
    let mut rims = tilings.flat_map(|tiling| tiling.borders.iter().chain(&tiling.corners));
    if rims.any(|rim| rim.text == table.text) {
        let message = format!("the rows of `{}` follow from the board", table.text);
        let help = "what belongs to each is a cell or a formula: `path.road: player?`";
        return Diagnostic::error("unknown-name", table.span, message).help(help);
    }
    let tables = draft.assembly.tables.iter();
    let names = tables.map(|entry| entry.item.decl.name.text.as_str());
    let message = format!("there is no table `{}`", table.text);
    let diagnostic = Diagnostic::error("unknown-name", table.span, message);
    match nearest(&table.text, names) {
        Some(near) => diagnostic.meant(table.span, near),
        None => diagnostic.help("declare it: `table name in \"components/file.toml\"`"),
    }
}

fn score_line(draft: &mut Draft, line: &Name, frame: &Frame) {
    let scores = &mut draft.assembly.scores;
    match scores
        .iter()
        .position(|entry| entry.item.name.text == line.text)
    {
        Some(at) => {
            let old = scores.remove(at).span;
            let target = format!("score.{}", line.text);
            note(draft, Act::Remove, target, Some(old), frame);
        }
        None => {
            let target = format!("score.{}", line.text);
            if !removed_again(draft, &target, frame) {
                let found = super::replace::no_score(draft, line, frame);
                draft.out.push(found);
            }
        }
    }
}

pub(super) fn strategy(draft: &mut Draft, name: &Name, frame: &Frame) {
    let key = (Room::Strategies, name.text.clone());
    if let Some(declared) = draft.names.remove(&key) {
        let strategies = &mut draft.assembly.strategies;
        strategies.retain(|entry| entry.item.name.text != name.text);
        return note(draft, Act::Remove, titled(name), Some(declared.span), frame);
    }
    if removed_again(draft, &titled(name), frame) {
        return;
    }
    let rooms = draft.names.keys();
    let known = rooms.filter(|(room, _)| *room == Room::Strategies);
    let message = format!("there is no strategy \"{}\"", name.text);
    let diagnostic = Diagnostic::error("unknown-name", name.span, message);
    draft.out.push(
        match nearest(&name.text, known.map(|(_, name)| name.as_str())) {
            Some(near) => diagnostic.meant(name.span, near),
            None => diagnostic,
        },
    );
}

/// What a strategy is called among other things that overlays change.
pub(in crate::assembly) fn titled(name: &Name) -> String {
    format!("strategy \"{}\"", name.text)
}

/// Whether another overlay has taken the same away: then both want the same.
fn removed_again(draft: &mut Draft, target: &str, frame: &Frame) -> bool {
    let mut deeds = draft.assembly.deeds.iter();
    let before = deeds.find(|deed| {
        deed.act == Act::Remove
            && deed.target == target
            && draft.are_strangers(deed.layer, frame.layer)
    });
    let Some(old) = before.map(|deed| deed.old) else {
        return false;
    };
    note(draft, Act::Remove, target, old, frame);
    true
}

fn declaration_or_step(draft: &mut Draft, parts: &[Name], frame: &Frame) {
    let name = text(parts);
    for room in [Room::Values, Room::Laws] {
        if let Some(declared) = draft.names.remove(&(room, name.clone())) {
            take(draft, &name, room);
            return note(draft, Act::Remove, name, Some(declared.span), frame);
        }
    }
    if removed_again(draft, &name, frame) {
        return;
    }
    let fits = |site: &sites::Site| site.shape == Shape::Step;
    let before = draft.sites_before.iter();
    let before = path::before(before, parts).map(Site::full_path);
    match resolve(draft, parts, &fits, frame) {
        Ok(site) => {
            touch_root(draft, &site, frame);
            let mut lines = None;
            sites::at(&mut draft.assembly, &site, &mut |found| {
                if let SiteMut::Step(body) = found {
                    lines = lines_of(body, site.span);
                }
                false
            });
            note(draft, Act::Remove, site.full_path(), Some(site.span), frame);
            note_lines(draft, lines);
        }
        Err(_) if before.is_some_and(|path| removed_again(draft, &path, frame)) => {}
        Err(found) => {
            let found = near_declaration(draft, parts, *found);
            draft.out.push(found);
        }
    }
}

/// Not a step: perhaps a declaration was meant.
fn near_declaration(draft: &Draft, parts: &[Name], found: Diagnostic) -> Diagnostic {
    if found.code != "unknown-path" || found.fix.is_some() {
        return found;
    }
    let name = text(parts);
    let names = draft.names.keys().map(|(_, name)| name.as_str());
    match nearest(&name, names) {
        Some(near) => {
            let span: Span = found.span;
            found.meant(span, near)
        }
        None => found,
    }
}

/// Takes a declaration out of its list.
fn take(draft: &mut Draft, name: &str, room: Room) {
    fn without<T>(list: &mut Vec<Entry<T>>, is: impl Fn(&T) -> bool) {
        list.retain(|entry| !is(&entry.item));
    }
    let to = &mut draft.assembly;
    if room == Room::Laws {
        without(&mut to.rules, |d| d.name.text == name);
        without(&mut to.whens, |d| d.name.text == name);
        return;
    }
    without(&mut to.options, |d| d.decl.name.text == name);
    without(&mut to.enums, |d| d.decl.name.text == name);
    without(&mut to.tables, |d| d.decl.name.text == name);
    without(&mut to.grids, |d| d.decl.name.text == name);
    without(&mut to.cells, |d| full(d.owner.as_ref(), &d.name) == name);
    without(&mut to.formulas, |d| {
        full(d.owner.as_ref(), &d.name) == name
    });
    without(&mut to.networks, |d| {
        full(d.owner.as_ref(), &d.name) == name
    });
    without(&mut to.tilings, |d| d.name.text == name);
    without(&mut to.actions, |d| d.name.text == name);
    draft.rows.retain(|(rows, ..)| rows.table.text != name);
}

/// A string without values in it, as it is written.
pub(super) fn plain_text(message: &Message) -> String {
    let parts = message.parts.iter().map(|part| match part {
        MessagePart::Text(text) => text.as_str(),
        MessagePart::Value(_) => "{…}",
    });
    parts.collect()
}
