//! Laying the layers of a game on one another.

use super::draft::Draft;
use super::layers::LayerSource;
use super::{
    Assembly, Selection, components, conflict, languages, layers, manifest, options, overlay,
};
use crate::diagnostic::Diagnostic;
use crate::source::SourceSet;

/// One set of declarations from a game and the overlays chosen; what could not be read or applied is reported and left out.
/// `None`: there is no such game, or its manifest is of no use.
pub fn assemble(
    sources: &SourceSet,
    game: &str,
    selection: &Selection,
) -> (Option<Assembly>, Vec<Diagnostic>) {
    lowest(sources, game, selection, usize::MAX)
}

/// The same of so many layers only, counted from the base.
pub(crate) fn lowest(
    sources: &SourceSet,
    game: &str,
    selection: &Selection,
    layers: usize,
) -> (Option<Assembly>, Vec<Diagnostic>) {
    let (found, mut out) = manifest(sources, game);
    let Some(manifest) = found else {
        return (None, out);
    };
    let mut laid = layers::read(sources, &manifest, selection, &mut out);
    laid.truncate(layers);
    let mut draft = Draft::new(sources, manifest);
    draft.out = out;
    for group in groups(laid) {
        let operations = group.into_iter().map(|layer| draft.lay(layer)).collect();
        overlay::apply(&mut draft, operations);
    }
    options::from_outside(&mut draft, &selection.options);
    conflict::check(&mut draft, sources);
    components::fill(&mut draft, sources);
    languages::find(&mut draft, sources, selection);
    draft
        .out
        .sort_by_key(|found| (found.span.file, found.span.start));
    (Some(draft.assembly), draft.out)
}

/// Layers that are laid on at once: each game of the chain alone, then the overlays, those first that know of no other. An
/// overlay sees what the overlays it names in its header have done.
fn groups(layers: Vec<LayerSource>) -> Vec<Vec<LayerSource>> {
    let mut groups: Vec<Vec<LayerSource>> = Vec::new();
    let mut heights: Vec<(String, usize)> = Vec::new();
    let mut base = 0;
    for layer in layers {
        let Some(known) = &layer.knows else {
            groups.push(vec![layer]);
            base += 1;
            continue;
        };
        let below = heights
            .iter()
            .filter(|(id, _)| known.contains(id))
            .map(|(_, height)| height + 1);
        let height = below.max().unwrap_or(0);
        heights.push((layer.layer.id.clone(), height));
        while groups.len() <= base + height {
            groups.push(Vec::new());
        }
        groups[base + height].push(layer);
    }
    groups
}
