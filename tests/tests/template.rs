//! What `new` writes: each commented example of it can be taken as it is.

use dsl::assembly::Selection;
use dsl::diagnostic::Diagnostic;
use dsl::source::SourceSet;
use editor::template::{self, Base};
use std::fs;
use tests::games;

const ID: &str = "my-rule";

#[test]
fn examples_of_variants_check_in_every_game() {
    let sources = games::sources();
    for game in games::ids(&sources) {
        let home = tempfile::tempdir().expect("a folder");
        let manifest = fs::read_to_string(games::folder().join(&game).join("game.toml"));
        fs::write(home.path().join("game.toml"), manifest.expect("a manifest")).expect("written");
        let rules = games::rules(&sources, &game).expect("a good game");
        let base = Base {
            sources: &sources,
            rules: &rules,
            of: &game,
        };
        template::variant(base, home.path(), ID, "").expect("a variant is begun");
        let read = |path: &str| fs::read_to_string(home.path().join(path)).expect("a file");
        let listed = read("game.toml");
        let text = read(&format!("variants/{ID}.rules"));
        let examples = examples(&text);
        assert!(examples.len() >= 4, "{game}: {examples:?}");
        let all = examples.join("\n");
        for lines in examples.iter().chain([&all]) {
            let mut changed = sources.clone();
            changed.insert(format!("{game}/game.toml"), listed.clone());
            let text = format!("{text}\n{lines}\n");
            changed.insert(format!("{game}/variants/{ID}.rules"), text);
            let wrong = mistakes(&changed, &game);
            assert!(wrong.is_empty(), "{game}:\n{lines}\n{wrong:?}");
        }
    }
}

/// Blocks of commented lines that are rules: prose begins with a great letter or a quotation.
fn examples(text: &str) -> Vec<String> {
    let mut blocks: Vec<Vec<&str>> = vec![Vec::new()];
    for line in text.lines() {
        let code = line
            .strip_prefix("# ")
            .filter(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase() || c == ' '));
        match (code, blocks.last_mut()) {
            (Some(code), Some(block)) => block.push(code),
            _ => blocks.push(Vec::new()),
        }
    }
    let full = blocks.into_iter().filter(|block| !block.is_empty());
    full.map(|block| block.join("\n")).collect()
}

fn mistakes(sources: &SourceSet, game: &str) -> Vec<Diagnostic> {
    let selection = Selection {
        overlays: vec![ID.to_owned()],
        options: Vec::new(),
    };
    let compiled = dsl::compile(sources, game, &selection);
    let all = compiled.diagnostics.into_iter();
    all.filter(Diagnostic::is_error).collect()
}
