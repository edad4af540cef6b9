//! What expressions come to, and what is told where they come to nothing: small games, each with what checking and playing
//! says of it in a text beside it. `UPDATE_EXPECT=1` rewrites the texts.

use dsl::assembly::Selection;
use dsl::source::{SourceSet, Span};
use interpreter::playout::Table;
use interpreter::{Program, Stop};
use std::fs;
use std::path::{Path, PathBuf};
use tests::games;

/// Decisions of a game that are answered: more than any of these games has.
const DECISIONS: usize = 500;

#[test]
fn expressions_come_to_what_stands_beside_them() {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite/values");
    let only = std::env::var("CASE").unwrap_or_default();
    let mut paths: Vec<PathBuf> = fs::read_dir(&suite)
        .expect("the suite is there")
        .map(|entry| entry.expect("the suite can be read").path())
        .filter(|path| path.extension().is_some_and(|e| e == "rules"))
        .filter(|path| path.to_string_lossy().contains(&only))
        .collect();
    paths.sort();
    let mut wrong = Vec::new();
    for path in &paths {
        let said = told(path);
        let beside = path.with_extension("txt");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&beside, &said).expect("the suite can be written");
        } else if fs::read_to_string(&beside).unwrap_or_default() != said {
            wrong.push(format!("== {}\n{said}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(!paths.is_empty());
}

/// What checking and playing say of a game in one file.
fn told(path: &Path) -> String {
    let rules = fs::read_to_string(path).expect("a case can be read");
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let sources = games::of_text(&name, "2, 2", rules);
    let compiled = dsl::compile(&sources, &name, &Selection::default());
    let place = |span: Span| place(&sources, &name, span);
    let mut said = String::new();
    for one in &compiled.diagnostics {
        let kind = if one.is_error() { "error" } else { "warning" };
        said.push_str(&format!("{kind} {}: {}\n", place(one.span), one.message));
    }
    let Some(rules) = compiled.rules else {
        return said;
    };
    let program = match interpreter::lower(&rules, 2) {
        Ok(program) => program,
        Err(error) => return format!("{said}error {}: {}\n", place(error.span), error.message),
    };
    match played(&program) {
        Ok(scores) => {
            for (line, score) in rules.scores.iter().zip(scores) {
                said.push_str(&format!("{} = {score}\n", line.name));
            }
        }
        Err(fault) => {
            said.push_str(&format!("fault {}: {}\n", place(fault.span), fault.message));
            if let Some(rule) = fault.rule {
                said.push_str(&format!("rule {}\n", place(rule)));
            }
        }
    }
    said
}

/// Line, column and the text that stands there.
fn place(sources: &SourceSet, name: &str, span: Span) -> String {
    let place = sources.place(span);
    let place = place.trim_start_matches(&format!("{name}/{name}.rules:"));
    let text = sources.slice(span).lines().next().unwrap_or_default();
    format!("{place} `{text}`")
}

/// The scores of the first seat, line by line.
fn played(program: &Program) -> Result<Vec<i32>, interpreter::Fault> {
    let mut table = Table::new(program, Vec::new());
    let mut stop = table.start(1)?;
    for _ in 0..DECISIONS {
        if stop != Stop::Decision {
            break;
        }
        stop = table.step()?;
    }
    assert_eq!(stop, Stop::Over, "the game does not end");
    let scores = table.machine.scores(0);
    table.machine.check()?;
    table.machine.score(0);
    table.machine.check()?;
    Ok(scores)
}
