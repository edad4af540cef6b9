//! Checking: each file of `suite/check` is a small game, what is wrong with it written above the line that is wrong (`tests::case`).
//!
//! `# error: 16 [unknown-name] message = help` stands above its line: 16 is the column. `UPDATE_EXPECT=1` rewrites these lines.

use dsl::diagnostic::{Diagnostic, Severity};
use dsl::source::SourceSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use tests::case::{Case, is_expectation};

const MISTAKES_MIN: usize = 45;

#[test]
fn small_games() {
    let mut wrong = Vec::new();
    let mut codes = Vec::new();
    for path in cases() {
        let text = fs::read_to_string(&path).expect("a case can be read");
        let (found, diagnostics) = run(&Case::new(&text));
        codes.extend(
            diagnostics
                .iter()
                .map(|diagnostic| (diagnostic.code, diagnostic.message.clone())),
        );
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&path, &found).expect("a case can be written");
        } else if found != text {
            wrong.push(format!(
                "== {}\n{}",
                path.display(),
                difference(&text, &found)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    codes.sort();
    codes.dedup();
    assert!(
        codes.len() >= MISTAKES_MIN,
        "only {} different mistakes",
        codes.len()
    );
}

/// A file whose name begins with `good` has no error.
#[test]
fn good_games_are_good() {
    for path in cases().iter().filter(|path| is_good(path)) {
        let text = fs::read_to_string(path).expect("a case can be read");
        let (_, diagnostics) = run(&Case::new(&text));
        let errors: Vec<&Diagnostic> = diagnostics.iter().filter(|one| one.is_error()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", path.display());
    }
}

/// What is suggested leads to no other mistake on the line where it is written, and to fewer mistakes in all.
#[test]
fn suggestions_lead_to_no_other_mistake() {
    let mut tried = 0;
    for path in cases() {
        let text = fs::read_to_string(&path).expect("a case can be read");
        let case = Case::new(&text);
        let (sources, selection) = case.sources();
        let compiled = dsl::compile(&sources, "g", &selection);
        for (at, diagnostic) in compiled.diagnostics.iter().enumerate() {
            let all = dsl::service::fixes(&sources, &compiled, diagnostic);
            for fix in all {
                tried += 1;
                let mut changed = sources.clone();
                dsl::service::apply(&fix.edits, &mut changed).expect("a fix can be made");
                let after = dsl::compile(&changed, "g", &selection).diagnostics;
                let was = |one: &Diagnostic| {
                    let mut others = compiled.diagnostics.iter().enumerate();
                    others.any(|(other, old)| other != at && old.message == one.message)
                };
                let line = sources.line_column(diagnostic.span).0;
                let new = after.iter().filter(|one| one.is_error() && !was(one));
                for one in new.filter(|one| one.span.file == diagnostic.span.file) {
                    let here = changed.line_column(one.span).0;
                    assert_ne!(
                        here,
                        line,
                        "{}: {}\n{}",
                        path.display(),
                        fix.title,
                        one.message
                    );
                }
            }
        }
    }
    assert!(tried >= 20, "only {tried} suggestions");
}

/// A rule set's fingerprint follows from what matters to play only.
#[test]
fn fingerprints_pass_over_form() {
    let text = fs::read_to_string(suite().join("good-basics.rules")).expect("a case can be read");
    let plain = fingerprint(&text);
    let spaced = fingerprint(&format!("# a comment\n\n{text}"));
    assert_eq!(plain, spaced);
    assert_ne!(
        plain,
        fingerprint(&text.replace("money -= 2", "money -= 1"))
    );
}

/// Questions see the seats as letters.
#[test]
fn questions_are_checked() {
    let text = fs::read_to_string(suite().join("good-basics.rules")).expect("a case can be read");
    let (sources, selection) = Case::new(&text).sources();
    let compiled = dsl::compile(&sources, "g", &selection);
    assert!(dsl::expression(&sources, &compiled, "A.money + 1").is_ok());
    assert!(dsl::expression(&sources, &compiled, "winners = {A} or not finished").is_ok());
    let mistakes = dsl::expression(&sources, &compiled, "A.monney").expect_err("no such cell");
    assert_eq!(mistakes[0].code, "unknown-member");
}

fn fingerprint(text: &str) -> u64 {
    let (sources, selection) = Case::new(text).sources();
    let compiled = dsl::compile(&sources, "g", &selection);
    compiled.rules.expect("the game is good").fingerprint()
}

fn suite() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("suite/check")
}

fn cases() -> Vec<PathBuf> {
    let entries = fs::read_dir(suite()).into_iter().flatten().flatten();
    let mut all: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    all.sort();
    all
}

fn is_good(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name.to_string_lossy().starts_with("good"))
}

// ------------------------------------------------------------------------------------------------ cases

/// The case with what was found written into it.
fn run(case: &Case) -> (String, Vec<Diagnostic>) {
    let (sources, selection) = case.sources();
    let compiled = dsl::compile(&sources, "g", &selection);
    let mut diagnostics = compiled.diagnostics.clone();
    for (path, _) in case
        .files
        .iter()
        .filter(|(path, _)| path.ends_with(".scenario"))
    {
        if let Some(file) = sources.find(path) {
            diagnostics.extend(dsl::scenarios(&sources, &compiled, file).1);
        }
    }
    let mut out = String::new();
    for (at, (path, text)) in case.files.iter().enumerate() {
        if at > 0 {
            let short = path.strip_prefix("g/").unwrap_or(path);
            let _ = writeln!(out, "##### {short}");
        }
        let file = sources.find(path);
        for (line, content) in text.split_inclusive('\n').enumerate() {
            let here = diagnostics.iter().filter(|one| {
                Some(one.span.file) == file && sources.line_column(one.span).0 == line + 1
            });
            for diagnostic in here {
                out.push_str(&expectation(&sources, diagnostic, content));
            }
            out.push_str(content);
        }
    }
    (out, diagnostics)
}

fn expectation(sources: &SourceSet, diagnostic: &Diagnostic, line: &str) -> String {
    let indent = &line[..line.len() - line.trim_start_matches(' ').len()];
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let column = sources.line_column(diagnostic.span).1;
    let mut text = format!(
        "{indent}# {severity}: {column} [{}] {}",
        diagnostic.code, diagnostic.message
    );
    if let Some(help) = &diagnostic.help {
        let _ = write!(text, " = {help}");
    }
    text.push('\n');
    text
}

fn difference(expected: &str, found: &str) -> String {
    let mut out = String::new();
    for line in expected
        .lines()
        .filter(|line| is_expectation(line) && !found.contains(line))
    {
        let _ = writeln!(out, "- {}", line.trim());
    }
    for line in found
        .lines()
        .filter(|line| is_expectation(line) && !expected.contains(line))
    {
        let _ = writeln!(out, "+ {}", line.trim());
    }
    if out.is_empty() {
        "order or place of the lines".to_string()
    } else {
        out
    }
}
