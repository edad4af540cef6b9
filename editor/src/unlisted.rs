//! Files that lie where a game's rules and variants lie, and that nothing names: they are read by nobody.

use dsl::assembly::Manifest;
use dsl::diagnostic::Diagnostic;
use dsl::source::{SourceSet, Span};

/// A warning for each such file, at its beginning.
pub fn unlisted(sources: &SourceSet, game: &str, manifest: &Manifest) -> Vec<Diagnostic> {
    let own = format!("{game}/");
    let files = sources.ids().filter_map(|file| {
        let path = sources.file(file).path.as_str();
        let inner = path.strip_prefix(&own)?;
        let name = inner.strip_suffix(".rules")?;
        let (list, word) = match name.split_once('/')? {
            ("rules", _) if !manifest.rules.iter().any(|known| known == inner) => ("rules", inner),
            ("variants", stem) if !manifest.overlays.iter().any(|known| known.id == stem) => {
                ("overlays", stem)
            }
            _ => return None,
        };
        let message = format!("`{inner}` is read by nothing");
        let warning = Diagnostic::warning("unlisted-file", Span::new(file, 0, 0), message);
        Some(warning.help(format!(
            "add \"{word}\" to `{list}` in `game.toml`, or take the file away"
        )))
    });
    files.collect()
}
