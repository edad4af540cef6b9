//! Small games in one file, as in `suite/check`: a line `##### path` begins another file of the game, `##### <id>/path` names it in
//! full; the first file is `g/rules.rules`. What is expected stands above its line.

use dsl::assembly::Selection;
use dsl::source::SourceSet;

const MANIFEST: &str =
    "[game]\nid = \"g\"\ntitle = \"G\"\nplayers = [2, 4]\nrules = [\"rules.rules\"]\n";

/// A case's files without the expectations.
pub struct Case {
    pub files: Vec<(String, String)>,
}

impl Case {
    pub fn new(text: &str) -> Case {
        let mut files = vec![("g/rules.rules".to_string(), String::new())];
        for line in text.split_inclusive('\n') {
            if let Some(path) = line.strip_prefix("##### ") {
                let path = path.trim();
                let full =
                    ["g/", "any/"].iter().any(|own| path.starts_with(own)) || path.contains(':');
                let path = if full {
                    path.to_string()
                } else {
                    format!("g/{path}")
                };
                files.push((path, String::new()));
            } else if !is_expectation(line)
                && let Some((_, file)) = files.last_mut()
            {
                file.push_str(line);
            }
        }
        Case { files }
    }

    pub fn sources(&self) -> (SourceSet, Selection) {
        let mut sources = SourceSet::new();
        sources.insert("g/game.toml", self.manifest());
        for (path, text) in &self.files {
            sources.insert(path.clone(), text.clone());
        }
        let overlays = self.overlays().map(str::to_string).collect();
        // A language file among them is the one that is read.
        let mut paths = self.files.iter().map(|(path, _)| path.as_str());
        let language = paths.find_map(|path| {
            let name = path.strip_prefix("g/words/")?;
            name.strip_suffix(".toml").map(str::to_string)
        });
        (
            sources,
            Selection {
                overlays,
                language,
                ..Selection::default()
            },
        )
    }

    /// Variants among the files are all chosen.
    pub fn overlays(&self) -> impl Iterator<Item = &str> {
        let paths = self.files.iter().map(|(path, _)| path.as_str());
        paths.filter_map(|path| {
            let variant = path.strip_prefix("g/variants/");
            variant
                .or(path.strip_prefix("any/variants/"))?
                .strip_suffix(".rules")
        })
    }

    pub fn manifest(&self) -> String {
        let overlays: Vec<String> = self.overlays().map(|id| format!("\"{id}\"")).collect();
        let prefix = if self.files.iter().any(|(path, _)| path == "g/RULES.md") {
            "prefix = \"G\"\n"
        } else {
            ""
        };
        format!("{MANIFEST}{prefix}overlays = [{}]\n", overlays.join(", "))
    }
}

/// Whether a line says what is wrong with the one below.
pub fn is_expectation(line: &str) -> bool {
    let line = line.trim_start();
    ["# error: ", "# warning: ", "# note: "]
        .iter()
        .any(|start| line.starts_with(start))
}
