//! `before`, `after`, `instead of`: woven into the bodies of actions and steps.

use super::path::{find, span as path_span, text};
use super::sites::{self, Shape, SiteMut};
use super::{add, lines_of, note_lines, note_what, original, pass, touch_root};
use crate::assembly::conflict::{Act, Brings};
use crate::assembly::draft::{Draft, Frame};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{ActionBody, Block, HookKind, Path};

pub(super) fn hook(draft: &mut Draft, kind: HookKind, path: &Path, body: Block, frame: &Frame) {
    let fits = |site: &sites::Site| matches!(site.shape, Shape::Declaration | Shape::Step);
    let Some(site) = find(draft, &path.parts, &fits, frame) else {
        return;
    };
    let mut body = body;
    add::tag(&mut body, frame);
    let mut composite = false;
    let mut lines = None;
    sites::at(&mut draft.assembly, &site, &mut |found| {
        let to = match found {
            SiteMut::Action(action) => match &mut action.body {
                ActionBody::Steps(to) => to,
                ActionBody::Composite(_) => {
                    composite = true;
                    return true;
                }
            },
            SiteMut::When(when) => &mut when.body,
            SiteMut::Flow(to) => to,
            SiteMut::Step(to) => pass(to),
            _ => return true,
        };
        lines = lines_of(to, site.span);
        weave(to, kind, body.clone(), frame);
        true
    });
    if composite {
        draft.out.push(no_steps(path));
        return;
    }
    touch_root(draft, &site, &frame.untagged());
    let act = match kind {
        HookKind::Before => Act::Before,
        HookKind::After => Act::After,
        HookKind::InsteadOf => Act::InsteadOf,
    };
    let (path, old) = (site.full_path(), Some(site.span));
    note_what(draft, act, path, old, Brings::Lines(body), frame);
    if kind == HookKind::InsteadOf {
        note_lines(draft, lines);
    }
}

fn weave(to: &mut Block, kind: HookKind, mut body: Block, frame: &Frame) {
    match kind {
        HookKind::Before => {
            let mut statements = original::scoped(body, frame.span).statements;
            statements.append(&mut to.statements);
            to.statements = statements;
        }
        HookKind::After => {
            let body = original::scoped(body, frame.span);
            to.statements.extend(body.statements);
        }
        HookKind::InsteadOf => {
            original::block(&mut body, to);
            *to = body;
        }
    }
}

/// A composite action is a list of parts: nothing runs before or after it.
pub(super) fn no_steps(path: &Path) -> Diagnostic {
    let name = text(&path.parts);
    let message = format!("`{name}` is a list of parts and has no steps of its own");
    Diagnostic::error("composite-action", path_span(&path.parts), message).help(format!(
        "write `replace action {name}`, or hook onto its parts"
    ))
}
