//! From a path (`turn.act`) to the place it names.

use super::roles;
use super::sites::{self, Root, Shape, Site};
use crate::assembly::any::USES;
use crate::assembly::conflict::{self, Act, within};
use crate::assembly::draft::{Draft, Frame};
use crate::assembly::fields::quoted_list;
use crate::diagnostic::{Diagnostic, Way, suggest::nearest};
use crate::source::Span;
use crate::syntax::ast::Name;

/// The one place a path names among those that `fits` lets pass; reports when there is none or more than one. Places that come
/// from overlays the layer knows nothing of are not seen.
pub(super) fn find(
    draft: &mut Draft,
    parts: &[Name],
    fits: &dyn Fn(&Site) -> bool,
    frame: &Frame,
) -> Option<Site> {
    match resolve(draft, parts, fits, frame) {
        Ok(site) => Some(site),
        Err(found) => {
            draft.out.push(*found);
            None
        }
    }
}

/// [`find`], leaving it to the caller to report.
pub(super) fn resolve(
    draft: &mut Draft,
    parts: &[Name],
    fits: &dyn Fn(&Site) -> bool,
    frame: &Frame,
) -> Result<Site, Box<Diagnostic>> {
    let own = parts.last().map_or("", |part| part.text.as_str());
    let mut named = sites::called(&mut draft.assembly, own);
    named.retain(|site| draft.sees_site(frame.layer, site) && matches(site, parts));
    let fitting = best(named.iter().filter(|site| fits(site)).collect(), parts);
    match &fitting[..] {
        [only] => Ok((*only).clone()),
        [] => {
            let lost = lost(draft, parts, frame);
            Err(Box::new(lost.unwrap_or_else(|| {
                unknown(draft, &named, parts, fits, frame)
            })))
        }
        several => Err(Box::new(ambiguous(several, parts))),
    }
}

/// The place was there before overlays that the layer knows nothing of took it away.
fn lost(draft: &Draft, parts: &[Name], frame: &Frame) -> Option<Diagnostic> {
    let site = before(draft.sites_before.iter(), parts)?;
    let target = site.full_path();
    let deed = draft.assembly.deeds.iter().find(|deed| {
        let takes = matches!(deed.act, Act::Remove | Act::Replace | Act::InsteadOf);
        let around = deed.target == target || within(&target, &deed.target);
        takes && around && draft.are_strangers(deed.layer, frame.layer)
    })?;
    Some(conflict::gone(draft, deed, &target, frame))
}

/// The place a path named before the overlays of one group were applied.
pub(super) fn before<'s>(
    sites: impl Iterator<Item = &'s Site>,
    parts: &[Name],
) -> Option<&'s Site> {
    let named = sites.filter(|site| matches(site, parts)).collect();
    best(named, parts).into_iter().next()
}

/// The last part is the place's own name, the others some of the names around it, in order.
fn matches(site: &Site, parts: &[Name]) -> bool {
    let Some((last, outer)) = parts.split_last() else {
        return false;
    };
    let Some((own, around)) = site.chain.split_last() else {
        return false;
    };
    let flow = "flow".to_string();
    let in_flow = (site.root == Root::Flow).then_some(&flow);
    let mut around = in_flow.into_iter().chain(around);
    *own == last.text
        && outer
            .iter()
            .all(|part| around.any(|name| *name == part.text))
}

/// A path written out in full wins, then names without gaps, then labels before names of called actions.
fn best<'a>(mut found: Vec<&'a Site>, parts: &[Name]) -> Vec<&'a Site> {
    let full = |site: &Site| site.chain.iter().eq(parts.iter().map(|part| &part.text));
    let suffix = |site: &Site| {
        let texts: Vec<&String> = parts.iter().map(|part| &part.text).collect();
        let chain: Vec<&String> = site.chain.iter().collect();
        chain.ends_with(&texts)
    };
    let label = |site: &Site| !site.implicit;
    let tests: [&dyn Fn(&Site) -> bool; 3] = [&full, &label, &suffix];
    for test in tests {
        if found.iter().any(|site| test(site)) {
            found.retain(|site| test(site));
        }
    }
    found
}

pub(super) fn span(parts: &[Name]) -> Span {
    match (parts.first(), parts.last()) {
        (Some(first), Some(last)) => first.span.to(last.span),
        _ => Span::new(crate::source::FileId(0), 0, 0),
    }
}

pub(super) fn text(parts: &[Name]) -> String {
    let texts: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
    texts.join(".")
}

fn ambiguous(several: &[&Site], parts: &[Name]) -> Diagnostic {
    let wanted = text(parts);
    let mut paths: Vec<String> = several.iter().map(|site| site.path()).collect();
    paths.dedup();
    let message = format!("`{wanted}` names {} places", several.len());
    let mut diagnostic = Diagnostic::error("ambiguous-path", span(parts), message);
    for site in several {
        diagnostic = diagnostic.label(site.span, format!("`{}`", site.path()));
    }
    let help = match &paths[..] {
        [_] => "give the steps different labels".to_string(),
        paths => format!(
            "write one of {}",
            quoted_list(paths.iter().map(String::as_str))
        ),
    };
    diagnostic.help(help)
}

/// What people call the begin of a game.
const BEGINNINGS: [&str; 6] = ["setup", "set_up", "start", "begin", "beginning", "game"];

fn unknown(
    draft: &mut Draft,
    named: &[Site],
    parts: &[Name],
    fits: &dyn Fn(&Site) -> bool,
    frame: &Frame,
) -> Diagnostic {
    let wanted = text(parts);
    if let Some(site) = named.first() {
        let message = format!("`{wanted}` cannot be changed in this way");
        return Diagnostic::error("wrong-place", span(parts), message)
            .label(site.span, "this is what it names")
            .help(match site.shape {
                Shape::Choice | Shape::Given => {
                    "it is a parameter: conditions are added to it with `add to … where …`"
                }
                Shape::Formula => "it is a formula or a network: write `replace`",
                _ => "it has no choice of its own: what must hold is `before …: need …`",
            });
    }
    let message = format!("there is no step or action `{wanted}`");
    let diagnostic = Diagnostic::error("unknown-path", span(parts), message);
    if draft.assembly.layers[frame.layer.index()].of_any {
        return diagnostic.help(USES);
    }
    let all = sites::all(&mut draft.assembly);
    let seen = |site: &&Site| draft.sees_site(frame.layer, site) && fits(site);
    let fitting: Vec<&Site> = all.iter().filter(seen).collect();
    let last = parts.last().map_or("", |part| part.text.as_str());
    let same = fitting
        .iter()
        .filter(|site| site.chain.last().is_some_and(|own| own == last));
    let mut ways: Vec<Way> = same
        .map(|site| {
            let path = site.path();
            Way::fix(format!("there is `{path}`"), span(parts), path)
        })
        .collect();
    let ends: Vec<String> = fitting.iter().map(|site| end(site, parts.len())).collect();
    let near = nearest(&wanted, ends.iter().map(String::as_str));
    ways.extend(near.map(|near| Way::meant(span(parts), near)));
    if BEGINNINGS.contains(&last) && fitting.iter().any(|site| site.root == Root::Flow) {
        let way = "what is done once, before all else, is `before flow: …`";
        ways.push(Way::help(way));
    }
    ways.push(Way::help(match roles::no_step(draft, parts) {
        Some(role) => role,
        None => {
            let labels = fitting.iter().filter(|site| !site.implicit);
            let (steps, others): (Vec<&Site>, Vec<&Site>) =
                labels.partition(|site| site.root == Root::Flow);
            let mut paths: Vec<String> = steps
                .iter()
                .chain(&others)
                .map(|site| site.path())
                .collect();
            paths.dedup();
            match paths.is_empty() {
                true => "a path names a step by its labels, innermost last".to_owned(),
                false => format!("there are {}", roles::steps(&paths)),
            }
        }
    }));
    diagnostic.ways(ways)
}

/// The last `length` names of a place's chain.
fn end(site: &Site, length: usize) -> String {
    let from = site.chain.len().saturating_sub(length);
    site.chain[from..].join(".")
}
