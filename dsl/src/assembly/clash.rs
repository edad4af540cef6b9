//! Overlays that change the same thing: one message for a place, however many they are.

use super::Assembly;
use crate::diagnostic::Diagnostic;
use crate::ir::LayerId;
use crate::source::Span;
use std::collections::BTreeMap;

/// How many overlays a message names, and to how many places it points.
const NAMED_MAX: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Both are there; what comes out depends on which comes first.
    Order,
    /// Only one of them can be there.
    Conflict,
}

/// What one overlay does to the place.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub layer: LayerId,
    pub span: Span,
    /// "`a` sets `x`"
    pub does: String,
}

/// By kind and place, what is done there: by layer and text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clashes {
    found: BTreeMap<(Kind, String), BTreeMap<(LayerId, Span), String>>,
}

impl Clashes {
    pub fn add(&mut self, kind: Kind, place: &str, part: Part) {
        let key = (kind, place.to_string());
        let parts = self.found.entry(key).or_default();
        parts.entry((part.layer, part.span)).or_insert(part.does);
    }

    pub fn told(&self, assembly: &Assembly) -> Vec<Diagnostic> {
        let all = self.found.iter();
        all.filter_map(|((kind, _), parts)| told(assembly, *kind, parts))
            .collect()
    }
}

fn told(
    assembly: &Assembly,
    kind: Kind,
    parts: &BTreeMap<(LayerId, Span), String>,
) -> Option<Diagnostic> {
    let mut layers: Vec<&str> = parts.keys().map(|(of, _)| assembly.layer_id(*of)).collect();
    layers.dedup();
    let ((_, span), does) = parts.last_key_value()?;
    let who = listed(&layers);
    let diagnostic = match kind {
        Kind::Order => {
            let message = format!("what {who} do depends on their order");
            Diagnostic::warning("overlay-order", *span, message)
        }
        Kind::Conflict => {
            let message = format!("{who} do not go together");
            Diagnostic::error("overlay-conflict", *span, message)
        }
    };
    let mut diagnostic = diagnostic.here(does.as_str());
    for ((_, other), does) in parts.iter().take(parts.len() - 1).take(NAMED_MAX - 1) {
        diagnostic = diagnostic.label(*other, does.as_str());
    }
    Some(diagnostic.help(help(assembly, kind, &layers)))
}

fn help(assembly: &Assembly, kind: Kind, layers: &[&str]) -> String {
    let after = |id: &str| assembly.ids_of(id).join(", ");
    let header = |id: &str| assembly.ids_of(id).remove(0);
    match (kind, layers) {
        (Kind::Order, [first, second]) => {
            let (first, second) = (after(first), header(second));
            format!("write `after {first}` in the header of `{second}` if the order is right")
        }
        (Kind::Order, _) => {
            "write `after …` in the headers of those that are to come later, if the order matters"
                .to_string()
        }
        (Kind::Conflict, [first, second]) => {
            let (first, second) = (after(first), header(second));
            format!(
                "choose one of the two, or write `after {first}` in the header of `{second}` if it is to lie on top"
            )
        }
        (Kind::Conflict, _) => {
            "choose one of them, or write `after …` in the headers of those that are to lie on top"
                .to_string()
        }
    }
}

/// "`a`, `b` and `c`", "`a`, `b`, `c`, `d` and 146 more"
fn listed(layers: &[&str]) -> String {
    let more = layers.len().saturating_sub(NAMED_MAX);
    let named = &layers[..layers.len() - more];
    let mut words: Vec<String> = named.iter().map(|id| format!("`{id}`")).collect();
    if more > 0 {
        words.push(format!("{more} more"));
    }
    match words.split_last() {
        Some((last, first)) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => words.concat(),
    }
}
