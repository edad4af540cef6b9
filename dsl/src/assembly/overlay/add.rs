//! `add to`: items, lines, conditions, score lines.

use super::path::{resolve, span as path_span, text};
use super::sites::{self, Shape, SiteMut};
use super::{clause, note, note_what, pass, roles, touch_root};
use crate::assembly::conflict::{Act, Brings};
use crate::assembly::draft::{Draft, Frame};
use crate::assembly::fields::quoted_list;
use crate::diagnostic::{Diagnostic, Way};
use crate::source::Span;
use crate::syntax::ast::{
    ActionBody, AgendaItem, Block, Condition, Item, Path, ScoreLine, Statement, StatementKind,
};

pub(super) fn score(draft: &mut Draft, lines: Vec<ScoreLine>, frame: &Frame) {
    for line in lines {
        let name = line.name.text.clone();
        draft.score(line, frame.layer);
        note(draft, Act::Add, format!("score.{name}"), None, frame);
    }
}

/// Items of the choice a path names, or lines at the end of a step.
pub(super) fn lines(draft: &mut Draft, path: &Path, mut body: Block, frame: &Frame) {
    let fits = |site: &sites::Site| matches!(site.shape, Shape::Declaration | Shape::Step);
    let site = match resolve(draft, &path.parts, &fits, frame) {
        Ok(site) => site,
        Err(found) => {
            let found = with_menus(draft, path, *found);
            return draft.out.push(found);
        }
    };
    tag(&mut body, frame);
    let mut composite = false;
    let mut act = Act::Lines;
    sites::at(&mut draft.assembly, &site, &mut |found| {
        let body = body.clone();
        match found {
            SiteMut::Action(action) => match &mut action.body {
                ActionBody::Steps(to) => act = append(to, body),
                ActionBody::Composite(_) => composite = true,
            },
            SiteMut::When(when) => act = append(&mut when.body, body),
            SiteMut::Flow(to) => to.statements.extend(body.statements),
            SiteMut::Step(to) => act = append(to, body),
            _ => {}
        }
        true
    });
    if composite {
        draft.out.push(super::hook::no_steps(path));
        return;
    }
    touch_root(draft, &site, &frame.untagged());
    let (path, old) = (site.full_path(), Some(site.span));
    note_what(draft, act, path, old, Brings::Lines(body), frame);
}

/// There is no such step: those where a player picks one of several are what is mostly meant.
fn with_menus(draft: &mut Draft, path: &Path, mut found: Diagnostic) -> Diagnostic {
    if found.code != "unknown-path" {
        return found;
    }
    let mut menus = Vec::new();
    let all = sites::all(&mut draft.assembly);
    found = without_items(&all, path, found);
    for site in all {
        if site.shape != Shape::Step || site.implicit {
            continue;
        }
        sites::at(&mut draft.assembly, &site, &mut |step| {
            if let SiteMut::Step(body) = step
                && choices(body) == 1
            {
                menus.push(site.path());
            }
            true
        });
    }
    let last = found
        .otherwise
        .iter_mut()
        .rev()
        .find_map(|way| way.help.as_mut());
    let first = found.help.as_mut().filter(|_| found.fix.is_none());
    if let Some(help) = last.or(first)
        && help.starts_with("there are ")
        && !menus.is_empty()
    {
        *help = format!("a player picks one of several in {}", roles::steps(&menus));
    }
    found
}

/// What is near only because an action of that name is called there is no menu: lines would be done behind it, each time.
fn without_items(all: &[sites::Site], path: &Path, mut found: Diagnostic) -> Diagnostic {
    let first = Way {
        help: found.help.take(),
        fix: found.fix.take(),
    };
    let is_item = |way: &Way| {
        let named = |site: &sites::Site, text: &str| site.path().ends_with(text);
        way.fix.as_ref().is_some_and(|fix| {
            let mut sites = all.iter().filter(|site| named(site, &fix.replacement));
            sites.all(|site| site.implicit)
        })
    };
    let ways: Vec<Way> = std::iter::once(first)
        .chain(std::mem::take(&mut found.otherwise))
        .collect();
    let (items, mut ways): (Vec<Way>, Vec<Way>) = ways.into_iter().partition(is_item);
    if !items.is_empty()
        && let Some(name) = path.parts.last()
    {
        let help = format!(
            "if a menu is meant that has no label: give it one where it stands, `{}: one of …`",
            name.text
        );
        ways.insert(0, Way::help(help));
    }
    found.ways(ways)
}

/// The operation's rule ids go to the first line it brings.
pub(super) fn tag(body: &mut Block, frame: &Frame) {
    if let Some(first) = body.statements.first_mut() {
        for tag in &frame.tags {
            if !first.tags.contains(tag) {
                first.tags.push(tag.clone());
            }
        }
        if first.doc.is_empty() {
            first.doc.clone_from(&frame.doc);
        }
    }
}

/// As one more item where there is one choice, else as lines at the end.
fn append(to: &mut Block, body: Block) -> Act {
    if choices(to) == 1
        && let Some(choice) = first_choice(to)
    {
        add_items(choice, body);
        return Act::Add;
    }
    pass(to).statements.extend(body.statements);
    Act::Lines
}

/// How many `one of` and `any order` belong to a step itself and not to a step inside.
fn choices(block: &mut Block) -> usize {
    block.statements.iter_mut().map(choices_in).sum()
}

fn choices_in(statement: &mut Statement) -> usize {
    match &mut statement.kind {
        StatementKind::OneOf { .. } | StatementKind::AnyOrder { .. } => 1,
        _ => own_blocks(statement).into_iter().map(choices).sum(),
    }
}

fn first_choice(block: &mut Block) -> Option<&mut Statement> {
    block.statements.iter_mut().find_map(|statement| {
        let is_choice = matches!(
            statement.kind,
            StatementKind::OneOf { .. } | StatementKind::AnyOrder { .. }
        );
        if is_choice {
            return Some(statement);
        }
        own_blocks(statement).into_iter().find_map(first_choice)
    })
}

/// Blocks that are still the same step.
fn own_blocks(statement: &mut Statement) -> Vec<&mut Block> {
    match &mut statement.kind {
        StatementKind::Each(_, body) | StatementKind::As(_, body) | StatementKind::May(body) => {
            vec![body]
        }
        StatementKind::EachPlayer(each) => vec![&mut each.body],
        StatementKind::Repeat(repeat) => vec![&mut repeat.body],
        _ => Vec::new(),
    }
}

fn add_items(choice: &mut Statement, body: Block) {
    match &mut choice.kind {
        StatementKind::OneOf { items, .. } => {
            for statement in body.statements {
                match statement.kind {
                    // `add to act: one of a, b` adds both
                    StatementKind::OneOf {
                        items: more,
                        ask: None,
                        none: None,
                    } => items.extend(more),
                    _ => items.push(item(statement)),
                }
            }
        }
        StatementKind::AnyOrder { items, .. } => {
            for statement in body.statements {
                match statement.kind {
                    StatementKind::AnyOrder { items: more, .. } => items.extend(more),
                    _ => items.push(agenda_item(statement)),
                }
            }
        }
        _ => {}
    }
}

fn item(mut statement: Statement) -> Item {
    let span = statement.span;
    let doc = std::mem::take(&mut statement.doc);
    let tags = std::mem::take(&mut statement.tags);
    let (label, body) = match statement.kind {
        StatementKind::Label(name, body) => (Some(name), body),
        _ => (None, one(statement)),
    };
    Item {
        label,
        body,
        span,
        doc,
        tags,
    }
}

fn agenda_item(statement: Statement) -> AgendaItem {
    let span = statement.span;
    match statement.kind {
        StatementKind::May(body) => AgendaItem {
            must: false,
            body,
            span,
        },
        _ => AgendaItem {
            must: true,
            body: one(statement),
            span,
        },
    }
}

fn one(statement: Statement) -> Block {
    Block {
        statements: vec![statement],
        below: false,
    }
}

/// `add to claim.r where C else "…"`
pub(super) fn condition(draft: &mut Draft, path: &Path, new: Condition, frame: &Frame) {
    let fits = |site: &sites::Site| site.shape != Shape::Declaration;
    let site = match resolve(draft, &path.parts, &fits, frame) {
        Ok(site) => site,
        Err(found) => {
            let found = by_its_choices(draft, path, *found, &new, frame);
            return draft.out.push(found);
        }
    };
    let mut added = false;
    sites::at(&mut draft.assembly, &site, &mut |found| {
        added = add_condition(found, &new);
        true
    });
    if !added {
        let name = text(&path.parts);
        let found = Diagnostic::error(
            "wrong-place",
            path_span(&path.parts),
            format!("`{name}` takes no condition"),
        )
        .label(site.span, "this is what it names");
        let found = match site.shape {
            Shape::Given => found.help("the caller gives it; write `before …: need …`"),
            _ => by_its_choices(draft, path, found, &new, frame),
        };
        return draft.out.push(found);
    }
    touch_root(draft, &site, frame);
    let target = format!("{}.where", site.full_path());
    note(draft, Act::Add, target, Some(site.span), frame);
}

/// A condition on an action or step: one of its choices takes it, or it is needed before.
fn by_its_choices(
    draft: &mut Draft,
    path: &Path,
    found: Diagnostic,
    new: &Condition,
    frame: &Frame,
) -> Diagnostic {
    if found.code != "wrong-place" {
        return found;
    }
    let name = text(&path.parts);
    let choices = roles::choices(draft, &path.parts, frame);
    let condition = draft.sources.slice(Span {
        start: new.expr.span.start,
        ..frame.span
    });
    let mut ways: Vec<Way> = choices
        .iter()
        .map(|choice| {
            let all = quoted_list(choices.iter().map(String::as_str));
            let help = format!("conditions are added to what is chosen in it: {all}");
            Way::fix(help, path.span, choice.as_str())
        })
        .collect();
    if choices.is_empty() {
        let line = format!("before {name}: need {}", condition.trim_end());
        let help = format!("nothing is chosen in it: write `{line}`");
        ways.push(Way::fix(help, frame.span, line));
    }
    ways.push(Way::help("conditions are added to choices, loops and walks; what must hold before is `before …: need …`"));
    found.ways(ways)
}

fn add_condition(site: SiteMut, new: &Condition) -> bool {
    match site {
        SiteMut::Choice(choice) => choice.binder.conditions.push(new.clone()),
        SiteMut::Network(network) => {
            network.condition = Some(clause::both(network.condition.take(), new.expr.clone()));
        }
        SiteMut::Step(body) => return condition_of_step(body, new),
        _ => return false,
    }
    true
}

fn condition_of_step(body: &mut Block, new: &Condition) -> bool {
    for statement in &mut body.statements {
        match &mut statement.kind {
            StatementKind::EachPlayer(each) => each.conditions.push(new.clone()),
            StatementKind::Each(binders, _) => match binders.last_mut() {
                Some(binder) => binder.conditions.push(new.clone()),
                None => return false,
            },
            StatementKind::Choose(choices) => match choices.last_mut() {
                Some(choice) => choice.binder.conditions.push(new.clone()),
                None => return false,
            },
            StatementKind::Walk(walk, _) => {
                walk.where_ = Some(clause::both(walk.where_.take(), new.expr.clone()));
            }
            _ => continue,
        }
        return true;
    }
    false
}
