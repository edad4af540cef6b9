//! Laying the layers of a game on one another.

use super::draft::Draft;
use super::{Assembly, Selection, components, layers, manifest};
use crate::diagnostic::Diagnostic;
use crate::source::SourceSet;

/// One set of declarations from a game and the overlays chosen; what could not be read or applied is reported and left out.
/// `None`: there is no such game, or its manifest is of no use.
pub fn assemble(
    sources: &SourceSet,
    game: &str,
    selection: &Selection,
) -> (Option<Assembly>, Vec<Diagnostic>) {
    let (found, mut out) = manifest(sources, game);
    let Some(manifest) = found else {
        return (None, out);
    };
    let layers = layers::read(sources, &manifest, selection, &mut out);
    let mut draft = Draft::new(manifest);
    draft.out = out;
    for layer in layers {
        let _operations = draft.lay(layer);
    }
    components::fill(&mut draft, sources);
    (Some(draft.assembly), draft.out)
}
