//! Small games, each in one file with its worked cases: the meanings that are easiest to get wrong.
//!
//! A file of `suite/scenario` is a game of its own; its first comment line says for how many players. Cases stand beside it
//! in a `.scenario` file of the same name, tables that hold calls in a `.toml` file.

use dsl::assembly::Selection;
use dsl::diagnostic::render::render;
use dsl::source::SourceSet;
use interpreter::scenario;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn cases() {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite/scenario");
    let only = std::env::var("CASE").unwrap_or_default();
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in files(&suite, "rules") {
        if path.to_string_lossy().contains(&only) {
            let (run, failed) = run(&path);
            count += run;
            wrong.extend(failed);
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(count >= 20 || !only.is_empty(), "{count} cases");
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == ending))
        .collect();
    files.sort();
    files
}

fn run(path: &Path) -> (usize, Vec<String>) {
    let name = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .to_string();
    let rules = fs::read_to_string(path).unwrap_or_default();
    let cases = fs::read_to_string(path.with_extension("scenario")).unwrap_or_default();
    let players = rules
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("# players "))
        .unwrap_or("2, 2");
    let manifest = format!(
        "[game]\nid = \"{name}\"\ntitle = \"{name}\"\nplayers = [{players}]\nrules = [\"{name}.rules\"]\n"
    );
    let mut sources = SourceSet::new();
    sources.insert(format!("{name}/game.toml"), manifest);
    sources.insert(format!("{name}/{name}.rules"), rules);
    if let Ok(tables) = fs::read_to_string(path.with_extension("toml")) {
        sources.insert(format!("{name}/{name}.toml"), tables);
    }
    let file = sources.insert(format!("{name}/{name}.scenario"), cases);
    let compiled = dsl::compile(&sources, &name, &Selection::default());
    let mut wrong: Vec<String> = compiled
        .diagnostics
        .iter()
        .filter(|d| d.is_error())
        .map(|d| render(&sources, d, false))
        .collect();
    let Some(rules) = &compiled.rules else {
        wrong.push(format!("{name}: no rule set"));
        return (0, wrong);
    };
    let (scenarios, diagnostics) = dsl::scenarios(&sources, &compiled, file);
    wrong.extend(
        diagnostics
            .iter()
            .filter(|d| d.is_error())
            .map(|d| render(&sources, d, false)),
    );
    for scenario in &scenarios {
        let report = scenario::run(rules, Some(&sources), scenario);
        if let Some(failure) = report.failure {
            wrong.push(format!(
                "== {}: {}\n{}: {}\n{}\n-- log\n{}",
                name,
                scenario.title,
                sources.place(failure.span),
                failure.message,
                failure.shown.join("\n"),
                failure.log.join("\n"),
            ));
        }
    }
    (scenarios.len(), wrong)
}
