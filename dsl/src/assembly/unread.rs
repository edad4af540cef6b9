//! What one overlay changes and another no longer reads.

use super::Assembly;
use super::conflict::{self, Act, Brings, Deed, shown, within};
use super::words::{Reading, words};
use crate::diagnostic::Diagnostic;
use crate::source::SourceSet;

/// An overlay that puts a text in the place of one that read what another overlay changes, without reading it itself.
pub(super) fn check(assembly: &Assembly, sources: &SourceSet) -> Vec<Diagnostic> {
    let reading = Reading::new(assembly, sources);
    let changed: Vec<(&Deed, &str)> = assembly
        .deeds
        .iter()
        .filter_map(|deed| Some((deed, value_changed(assembly, deed)?)))
        .collect();
    let mut found = Vec::new();
    for deed in assembly
        .deeds
        .iter()
        .filter(|deed| deed.act == Act::Replace)
    {
        let Some(old) = deed
            .old
            .filter(|_| !matches!(deed.brings, Brings::Lines(_)))
        else {
            continue;
        };
        let mut others = changed.iter();
        if !others.any(|(other, _)| assembly.are_strangers(other.layer, deed.layer)) {
            continue;
        }
        let new = words(reading.text(deed.span));
        if new.contains("original") {
            continue;
        }
        let own = deed.target.rsplit('.').next().unwrap_or_default();
        let before = reading.through(words(reading.text(old)));
        let mut after = reading.through(new);
        after.insert(own);
        let lost = changed.iter().find(|(other, name)| {
            let last = name.rsplit('.').next().unwrap_or_default();
            assembly.are_strangers(other.layer, deed.layer)
                && before.contains(last)
                && !after.contains(last)
        });
        found.extend(lost.map(|(other, name)| told(assembly, deed, other, name)));
    }
    found
}

/// The formula, network or option whose value an operation changes.
fn value_changed<'a>(assembly: &'a Assembly, deed: &'a Deed) -> Option<&'a str> {
    let values = matches!(
        deed.act,
        Act::Replace | Act::Set | Act::Shift | Act::Remove | Act::Add
    );
    let target = deed.target.as_str();
    let is = |name: &str| target == name || within(target, name);
    let full = |owner: &Option<crate::syntax::ast::Name>, name: &crate::syntax::ast::Name| {
        is(&super::names::full(owner.as_ref(), name))
    };
    let formulas = assembly.formulas.iter();
    let mut formulas = formulas.filter(|entry| full(&entry.item.owner, &entry.item.name));
    let networks = assembly.networks.iter();
    let mut networks = networks.filter(|entry| full(&entry.item.owner, &entry.item.name));
    let mut options = assembly.options.iter();
    let there = formulas.next().is_some()
        || networks.next().is_some()
        || options.any(|entry| is(&entry.item.decl.name.text));
    (values && there).then(|| {
        let clause = [".where", ".need", ".max", ".from", ".to", ".up", ".least"];
        let mut clauses = clause.iter();
        clauses
            .find_map(|clause| target.strip_suffix(clause))
            .unwrap_or(target)
    })
}

fn told(assembly: &Assembly, deed: &Deed, other: &Deed, name: &str) -> Diagnostic {
    let (by, of) = (
        assembly.layer_id(deed.layer),
        assembly.layer_id(other.layer),
    );
    let (place, name) = (shown(&deed.target), shown(name));
    let message = format!("`{by}` no longer reads what `{of}` changes");
    let diagnostic = Diagnostic::warning("overlay-unread", deed.span, message)
        .here(format!("what `{by}` replaces here read `{name}`"))
        .label(other.span, conflict::does(assembly, other));
    let (by, others) = (assembly.ids_of(by).remove(0), assembly.ids_of(of));
    let (of, all) = (&others[0], others.join(", "));
    diagnostic.help(format!(
            "read `original` or `{name}` in the new `{place}`; or write `not with {of}` in the header of `{by}`, or `after {all}` if this is right"
        ))
}
