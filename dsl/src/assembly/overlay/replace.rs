//! `replace`: a declaration of the same name and kind takes the place of the one that stands there.

use super::roles::{self, Said};
use super::{clause, note, note_what, original};
use crate::assembly::conflict::{Act, Brings, gone};
use crate::assembly::draft::{Draft, Frame, article, grid_entry, score_entry, split, table_entry};
use crate::assembly::names::{Called, called, full};
use crate::assembly::{Entry, EnumEntry, OptionEntry};
use crate::diagnostic::{Diagnostic, Way, suggest::nearest};
use crate::source::Span;
use crate::syntax::ast::{
    self, ActionBody, AssignOp, Declaration, DeclarationKind as Kind, Expr, Name, NetworkGround,
    Path, ScoreLine,
};

pub(super) fn declaration(draft: &mut Draft, declaration: Declaration, frame: &Frame) {
    let (kind, mut inner) = split(declaration, frame.layer);
    inner.span = frame.span;
    if inner.tags.is_empty() {
        inner.tags.clone_from(&frame.tags);
    }
    if inner.doc.is_empty() {
        inner.doc.clone_from(&frame.doc);
    }
    match kind {
        Kind::Flow(block) => flow(draft, block, inner),
        Kind::Win(keys) => win(draft, keys, inner),
        Kind::Score(lines) => all_scores(draft, lines, inner),
        kind => match called(&kind) {
            Some(name) => named(draft, kind, name, inner),
            None => draft.out.push(
                Diagnostic::error("wrong-target", frame.span, "this cannot be replaced").help(
                    "replaced are declarations, `flow`, `win by`, score lines and clauses of steps",
                ),
            ),
        },
    }
}

fn named(draft: &mut Draft, kind: Kind, called: Called, frame: Frame) {
    let key = (called.room, called.name.clone());
    let Some(&declared) = draft.names.get(&key) else {
        if let Kind::Formula(formula) = kind {
            return unknown_formula(draft, formula, &called, &frame);
        }
        let found = unknown(draft, &called, Vec::new(), &frame);
        draft.out.push(found);
        return;
    };
    if declared.kind != called.kind {
        let found = other_kind(&called, declared.kind, declared.span);
        draft.out.push(found);
        return;
    }
    let layer = frame.layer;
    let brings = brings(draft, &kind, &called.name);
    let old = put(draft, kind, &called.name, frame.clone());
    note_what(
        draft,
        Act::Replace,
        called.name.clone(),
        old,
        brings,
        &frame,
    );
    let new = crate::assembly::draft::Declared {
        span: called.span,
        layer,
        kind: called.kind,
    };
    draft.names.insert(key, new);
}

/// What of a declaration can go together with what another overlay puts there.
fn brings(draft: &Draft, kind: &Kind, name: &str) -> Brings {
    match kind {
        Kind::Formula(decl) => Brings::Value(Box::new(decl.body.clone())),
        Kind::Network(decl) => {
            let mut networks = draft.assembly.networks.iter().map(|entry| &entry.item);
            let old = networks.find(|old| full(old.owner.as_ref(), &old.name) == name);
            match (&decl.condition, old) {
                (Some(condition), Some(old)) if same_ground(&decl.ground, &old.ground) => {
                    Brings::Value(Box::new(condition.clone()))
                }
                _ => Brings::Whole,
            }
        }
        Kind::Action(ast::ActionDecl {
            body: ActionBody::Steps(body),
            ..
        }) => Brings::Lines(body.clone()),
        _ => Brings::Whole,
    }
}

/// Links of the same table between the same columns, or joins of the same parts.
fn same_ground(a: &NetworkGround, b: &NetworkGround) -> bool {
    match (a, b) {
        (
            NetworkGround::Links {
                table, from, to, ..
            },
            NetworkGround::Links {
                table: other,
                from: other_from,
                to: other_to,
                ..
            },
        ) => table.text == other.text && same_column(from, other_from) && same_column(to, other_to),
        (
            NetworkGround::Joins {
                part,
                column,
                tiling,
            },
            NetworkGround::Joins {
                part: other_part,
                column: other_column,
                tiling: other_tiling,
            },
        ) => {
            part.text == other_part.text
                && column.text == other_column.text
                && tiling.text == other_tiling.text
        }
        _ => false,
    }
}

/// `r.a` and `x.a`, each of the link.
fn same_column(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ast::ExprKind::Member(_, a), ast::ExprKind::Member(_, b)) => a.text == b.text,
        _ => false,
    }
}

/// `replace drive.trip = …` may still name a clause: `replace claim.where = …`.
fn unknown_formula(draft: &mut Draft, formula: ast::FormulaDecl, called: &Called, frame: &Frame) {
    let is_clause = clause::is_clause(&formula.name.text) && formula.params.is_empty();
    match formula.owner {
        Some(owner) if is_clause => {
            let span = owner.span.to(formula.name.span);
            let path = Path {
                parts: vec![owner, formula.name],
                span,
            };
            clause::replace(draft, &path, formula.body, frame);
        }
        owner => {
            let parts: Vec<Name> = owner.into_iter().chain([formula.name]).collect();
            let said = Said::new(draft, AssignOp::Set, formula.body.span, frame);
            let ways = roles::set_ways(draft, &parts, &said);
            let found = unknown(draft, called, ways, frame);
            draft.out.push(found);
        }
    }
}

/// `replace player.from = e`, read as a clause at first.
pub(super) fn formula(draft: &mut Draft, path: &Path, body: Expr, frame: &Frame) {
    let Some((name, owner)) = path.parts.split_last() else {
        return;
    };
    let decl = ast::FormulaDecl {
        owner: owner.first().cloned(),
        name: name.clone(),
        params: Vec::new(),
        body,
    };
    let kind = Kind::Formula(decl);
    if let Some(name) = called(&kind) {
        named(draft, kind, name, frame.clone());
    }
}

/// `ways`: what else of this name could have been meant.
fn unknown(draft: &Draft, called: &Called, mut ways: Vec<Way>, frame: &Frame) -> Diagnostic {
    let name = &called.name;
    let same_kind = draft
        .names
        .iter()
        .filter(|((room, _), declared)| *room == called.room && declared.kind == called.kind);
    let near = nearest(name, same_kind.map(|((_, name), _)| name.as_str()));
    ways.extend(near.map(|near| Way::meant(called.span, near)));
    let word = Span {
        end: frame.span.start + "replace ".len() as u32,
        ..frame.span
    };
    let mut alone = Way::fix("without `replace` it is a declaration of its own", word, "");
    if let Some(fix) = &mut alone.fix {
        fix.title = "take `replace` away".to_owned();
    }
    ways.push(alone);
    let message = format!("there is no {} `{name}` to replace", called.kind);
    Diagnostic::error("unknown-name", called.span, message).ways(ways)
}

fn other_kind(called: &Called, kind: &'static str, first: Span) -> Diagnostic {
    let name = &called.name;
    let message = format!(
        "`{name}` is {} {kind}, and {} {} cannot take its place",
        article(kind),
        article(called.kind),
        called.kind
    );
    let diagnostic =
        Diagnostic::error("other-kind", called.span, message).label(first, "declared here");
    match kind {
        "option" => diagnostic.help(format!("write `set {name} = …`")),
        _ => diagnostic.help(format!("replace it by {} {kind}", article(kind))),
    }
}

/// Puts the new declaration in the place of the old one; tells where that stood.
fn put(draft: &mut Draft, kind: Kind, name: &str, frame: Frame) -> Option<Span> {
    let layer = frame.layer;
    let to = &mut draft.assembly;
    match kind {
        Kind::Option(mut decl) => {
            let sets = Vec::new();
            exchange(
                &mut to.options,
                |d| d.decl.name.text == name,
                frame,
                |old| {
                    original::expression(&mut decl.value, &old.decl.value);
                    OptionEntry { decl, sets }
                },
            )
        }
        Kind::Enum(decl) => {
            let added = Vec::new();
            let new = |_: &EnumEntry| EnumEntry { decl, added };
            exchange(&mut to.enums, |d| d.decl.name.text == name, frame, new)
        }
        Kind::Table(decl) => {
            if !decl.sources.is_empty() {
                draft
                    .rows
                    .retain(|(rows, from, _)| rows.table.text != name || *from >= layer);
            }
            let tables = &mut draft.assembly.tables;
            let is = |d: &crate::assembly::TableEntry| d.decl.name.text == name;
            exchange(tables, is, frame, |_| table_entry(decl))
        }
        Kind::Grid(decl) => exchange(
            &mut to.grids,
            |d| d.decl.name.text == name,
            frame,
            |_| grid_entry(decl),
        ),
        Kind::Cell(mut decl) => {
            let is = |d: &ast::CellDecl| full(d.owner.as_ref(), &d.name) == name;
            exchange(&mut to.cells, is, frame, |old| {
                substitute(&mut decl.start, &old.start);
                decl
            })
        }
        Kind::Formula(decl) => {
            let is = |d: &ast::FormulaDecl| full(d.owner.as_ref(), &d.name) == name;
            exchange(&mut to.formulas, is, frame, |_| decl)
        }
        Kind::Network(mut decl) => {
            let is = |d: &ast::NetworkDecl| full(d.owner.as_ref(), &d.name) == name;
            exchange(&mut to.networks, is, frame, |old| {
                if let Some(condition) = &mut decl.condition {
                    original::network(condition, (&decl.ground, old));
                }
                decl
            })
        }
        Kind::Tiling(decl) => exchange(&mut to.tilings, |d| d.name.text == name, frame, |_| decl),
        Kind::Rule(mut decl) => exchange(
            &mut to.rules,
            |d| d.name.text == name,
            frame,
            |old| {
                original::expression(&mut decl.condition, &old.condition);
                decl
            },
        ),
        Kind::When(mut decl) => exchange(
            &mut to.whens,
            |d| d.name.text == name,
            frame,
            |old| {
                original::expression(&mut decl.condition, &old.condition);
                original::block(&mut decl.body, &old.body);
                decl
            },
        ),
        Kind::Action(decl) => action(draft, decl, name, frame),
        Kind::Strategy(decl) => {
            exchange(&mut to.strategies, |d| d.name.text == name, frame, |_| decl)
        }
        _ => None,
    }
}

fn substitute(new: &mut Option<Expr>, old: &Option<Expr>) {
    if let (Some(new), Some(old)) = (new, old) {
        original::expression(new, old);
    }
}

fn action(draft: &mut Draft, mut decl: ast::ActionDecl, name: &str, frame: Frame) -> Option<Span> {
    let mut composite = false;
    let span = decl.name.span;
    let actions = &mut draft.assembly.actions;
    let old = exchange(
        actions,
        |d| d.name.text == name,
        frame,
        |old| {
            match (&mut decl.body, &old.body) {
                (ActionBody::Steps(new), ActionBody::Steps(old)) => original::block(new, old),
                (ActionBody::Composite(new), ActionBody::Composite(old)) => {
                    original::expression(new, old);
                }
                (ActionBody::Steps(new), ActionBody::Composite(_)) => {
                    composite = original::runs_in(new);
                }
                (ActionBody::Composite(new), ActionBody::Steps(_)) => {
                    composite = original::reads_original(new);
                }
            }
            decl
        },
    );
    if composite {
        let message =
            format!("`original` of `{name}` does not fit: only one of the two is a list of parts");
        draft.out.push(
            Diagnostic::error("composite-action", span, message)
                .help("write out what is to happen"),
        );
    }
    old
}

/// Puts `new(old)` in the place of the entry that `is` it; the old one stays behind it.
fn exchange<T>(
    list: &mut [Entry<T>],
    is: impl Fn(&T) -> bool,
    frame: Frame,
    new: impl FnOnce(&T) -> T,
) -> Option<Span> {
    let entry = list.iter_mut().find(|entry| is(&entry.item))?;
    let span = entry.span;
    let item = new(&entry.item);
    replace_entry(entry, frame.around(item));
    Some(span)
}

fn replace_entry<T>(entry: &mut Entry<T>, mut new: Entry<T>) {
    std::mem::swap(entry, &mut new);
    let mut old = new;
    let before = std::mem::take(&mut old.replaced);
    entry.replaced.push(old);
    entry.replaced.extend(before);
}

fn flow(draft: &mut Draft, mut block: ast::Block, frame: Frame) {
    match &mut draft.assembly.flow {
        None => draft.assembly.flow = Some(frame.around(block)),
        Some(entry) => {
            let brings = Brings::Lines(block.clone());
            original::block(&mut block, &entry.item);
            let old = Some(entry.span);
            replace_entry(entry, frame.clone().around(block));
            note_what(draft, Act::Replace, "flow", old, brings, &frame);
        }
    }
}

fn win(draft: &mut Draft, keys: Vec<Expr>, frame: Frame) {
    match &mut draft.assembly.win {
        None => draft.assembly.win = Some(frame.around(keys)),
        Some(entry) => {
            let old = Some(entry.span);
            replace_entry(entry, frame.clone().around(keys));
            note(draft, Act::Replace, "win", old, &frame);
        }
    }
}

/// `replace score` with lines: all of them.
fn all_scores(draft: &mut Draft, lines: Vec<ScoreLine>, frame: Frame) {
    let old = std::mem::take(&mut draft.assembly.scores);
    // Lines that stand together are one text.
    let together = old.iter().map(|entry| entry.span);
    let first = together.reduce(|all, next| match all.file == next.file {
        true => all.to(next),
        false => all,
    });
    for mut line in lines {
        let before = old
            .iter()
            .find(|entry| entry.item.name.text == line.name.text);
        if let Some(before) = before {
            original::expression(&mut line.value, &before.item.value);
        }
        draft.score(line, frame.layer);
        if let (Some(entry), Some(before)) = (draft.assembly.scores.last_mut(), before) {
            entry.replaced.push(before.clone());
        }
    }
    note(draft, Act::Replace, "score", first, &frame);
}

/// `replace score.tickets at end = original + 1`
pub(super) fn score(draft: &mut Draft, mut line: ScoreLine, frame: &Frame) {
    let scores = &mut draft.assembly.scores;
    let Some(entry) = scores
        .iter_mut()
        .find(|e| e.item.name.text == line.name.text)
    else {
        let found = no_score(draft, &line.name, frame);
        draft.out.push(found);
        return;
    };
    let brings = Brings::Value(Box::new(line.value.clone()));
    original::expression(&mut line.value, &entry.item.value);
    let target = format!("score.{}", line.name.text);
    let old = Some(entry.span);
    let mut new = score_entry(line, frame.layer);
    new.span = frame.span;
    if new.tags.is_empty() {
        new.tags.clone_from(&frame.tags);
    }
    replace_entry(entry, new);
    note_what(draft, Act::Replace, target, old, brings, frame);
}

pub(super) fn no_score(draft: &Draft, name: &Name, frame: &Frame) -> Diagnostic {
    let target = format!("score.{}", name.text);
    let mut deeds = draft.assembly.deeds.iter();
    let taken = deeds.find(|deed| {
        deed.act == Act::Remove
            && deed.target == target
            && draft.are_strangers(deed.layer, frame.layer)
    });
    if let Some(taken) = taken {
        return gone(draft, taken, &target, frame);
    }
    let lines = draft.assembly.scores.iter();
    let lines = lines.map(|entry| entry.item.name.text.as_str());
    let message = format!("there is no score line `{}`", name.text);
    let diagnostic = Diagnostic::error("unknown-name", name.span, message);
    match nearest(&name.text, lines) {
        Some(near) => diagnostic.meant(name.span, near),
        None => diagnostic.help("write `add to score` to add one"),
    }
}
