//! A mistake is shown in the text of whoever made it: what is right in a text and no longer fits because of an overlay above it
//! is that overlay's.

use std::collections::BTreeMap;

use crate::assembly::{Assembly, Deed, Selection, lowest};
use crate::check;
use crate::diagnostic::{Diagnostic, Label};
use crate::ir::{LayerId, layer_of};
use crate::source::{SourceSet, Span};

/// Moves errors that lie in a text below to the overlay with which they appear.
pub(crate) fn put(
    sources: &SourceSet,
    assembly: &Assembly,
    selection: &Selection,
    diagnostics: &mut [Diagnostic],
) {
    if selection.overlays.is_empty() {
        return;
    }
    let mut blame = Blame {
        sources,
        assembly,
        known: BTreeMap::new(),
    };
    // What overlays do to one another is told with both places.
    let moved = |found: &&mut Diagnostic| found.is_error() && !found.code.starts_with("overlay-");
    for found in diagnostics.iter_mut().filter(moved) {
        if let Some(deed) = blame.deed(found) {
            move_to(found, deed, assembly.layer_id(deed.layer));
        }
    }
}

struct Blame<'a> {
    sources: &'a SourceSet,
    assembly: &'a Assembly,
    /// The errors of the game with so many of its layers.
    known: BTreeMap<usize, Vec<(Span, String)>>,
}

impl<'a> Blame<'a> {
    /// The operation that made right lines wrong; none: they are wrong as they are, or nobody knows.
    fn deed(&mut self, found: &Diagnostic) -> Option<&'a Deed> {
        let layers = &self.assembly.layers;
        let own = self.layer_of(found.span)?;
        // With so many layers the text is there; with all of them it is wrong.
        let (mut right, mut wrong) = (own + 1, layers.len());
        if right >= wrong || self.is_wrong(right, found) {
            return None;
        }
        while right + 1 < wrong {
            let middle = (right + wrong) / 2;
            if self.is_wrong(middle, found) {
                wrong = middle;
            } else {
                right = middle;
            }
        }
        self.operation(LayerId(wrong as u32 - 1), found)
    }

    /// The layer a text belongs to: rules files are listed, component lists lie in the folder of an expansion or of the game.
    fn layer_of(&self, span: Span) -> Option<usize> {
        let layers = &self.assembly.layers;
        if let Some(own) = layer_of(layers, span) {
            return Some(own.index());
        }
        let path = &self.sources.file(span.file).path;
        let folder = |path: &str| {
            path.split('/')
                .take(3)
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let own = folder(path);
        if own.get(1).is_some_and(|word| word == "expansions") {
            return layers.iter().position(|layer| {
                let mut files = layer.files.iter();
                files.any(|file| folder(&self.sources.file(*file).path) == own)
            });
        }
        let manifests = ["game.toml", "expansion.toml", "board.toml"];
        let is_list = path.ends_with(".toml") && !manifests.iter().any(|name| path.ends_with(name));
        is_list
            .then(|| layers.iter().rposition(|layer| !layer.overlay))
            .flatten()
    }

    fn is_wrong(&mut self, layers: usize, found: &Diagnostic) -> bool {
        let errors = self
            .known
            .entry(layers)
            .or_insert_with(|| errors(self.sources, self.assembly, layers));
        errors
            .iter()
            .any(|(span, message)| *span == found.span && *message == found.message)
    }

    /// Of the operations of an overlay the one that has to do with the place, else with a name in it.
    fn operation(&self, layer: LayerId, found: &Diagnostic) -> Option<&'a Deed> {
        let own = || {
            self.assembly
                .deeds
                .iter()
                .filter(|deed| deed.layer == layer)
        };
        let around = own().find(|deed| {
            deed.old.is_some_and(|old| {
                old.file == found.span.file
                    && old.start <= found.span.start
                    && found.span.end <= old.end
            })
        });
        let text = self.sources.text(found.span.file);
        let written = text
            .get(found.span.start as usize..found.span.end as usize)
            .unwrap_or("");
        let words = |text: &str| -> Vec<String> {
            let end = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
            text.split(end).map(str::to_owned).collect()
        };
        let named = [words(written), words(&found.message)].concat();
        let of_name = || {
            own().find(|deed| {
                let target = words(&deed.target);
                let last = target.iter().rev().find(|word| !word.is_empty());
                last.is_some_and(|last| named.contains(last))
            })
        };
        around.or_else(of_name).or_else(|| own().next())
    }
}

/// Errors of the game with its first layers only.
fn errors(sources: &SourceSet, assembly: &Assembly, layers: usize) -> Vec<(Span, String)> {
    let chosen = assembly.layers.iter();
    let selection = Selection {
        overlays: chosen
            .filter(|layer| layer.overlay && layer.part.is_none())
            .map(|layer| layer.id.clone())
            .collect(),
        ..Selection::default()
    };
    let (below, mut found) = lowest(sources, &assembly.manifest.id, &selection, layers);
    if let Some(below) = &below {
        let unread = found.iter().any(Diagnostic::is_error);
        found.extend(check::check(sources, below, unread).diagnostics);
    }
    let errors = found.into_iter().filter(Diagnostic::is_error);
    errors.map(|error| (error.span, error.message)).collect()
}

fn move_to(found: &mut Diagnostic, deed: &Deed, layer: &str) {
    let place = std::mem::replace(&mut found.span, deed.span);
    let here = std::mem::take(&mut found.here);
    found.labels.retain(|label| label.span != deed.span);
    let text = match here.is_empty() {
        true => "this no longer fits".to_string(),
        false => here,
    };
    found.labels.insert(0, Label { span: place, text });
    found.here = format!("with this change of `{layer}`");
    found.fix = None;
    found.otherwise.clear();
}
