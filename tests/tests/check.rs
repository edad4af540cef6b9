//! Checking: each file of `suite/check` is a small game, what is wrong with it written above the line that is wrong.
//!
//! A line `##### path` begins another file of the game, `##### <id>/path` names it in full; the first file is `g/rules.rules`.
//! `# error: 16 [unknown-name] message = help` stands above its line: 16 is the column. `UPDATE_EXPECT=1` rewrites these lines.

use dsl::assembly::Selection;
use dsl::diagnostic::{Diagnostic, Severity};
use dsl::source::SourceSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

const MANIFEST: &str =
    "[game]\nid = \"g\"\ntitle = \"G\"\nplayers = [2, 4]\nrules = [\"rules.rules\"]\n";
const MISTAKES_MIN: usize = 45;

#[test]
fn small_games() {
    let mut wrong = Vec::new();
    let mut codes = Vec::new();
    for path in cases() {
        let text = fs::read_to_string(&path).expect("a case can be read");
        let case = Case::new(&text);
        let (found, diagnostics) = case.run();
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
        let (_, diagnostics) = Case::new(&text).run();
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

/// Words taken away, doubled and swapped in games good and broken: whatever comes out, it is reported and nothing panics.
#[test]
fn mutations_never_panic() {
    let mut seed = 1_u64;
    for path in cases() {
        let text = fs::read_to_string(&path).expect("a case can be read");
        let rounds = if is_good(&path) { 150 } else { 15 };
        for _ in 0..rounds {
            let mutant = mutate(&text, &mut seed);
            let case = Case::new(&mutant);
            let (sources, selection) = case.sources();
            let compiled = dsl::compile(&sources, "g", &selection);
            for diagnostic in &compiled.diagnostics {
                assert!(
                    !diagnostic.message.is_empty(),
                    "{}",
                    sources.place(diagnostic.span)
                );
            }
        }
    }
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

/// A case's files without the expectations.
struct Case {
    files: Vec<(String, String)>,
}

impl Case {
    fn new(text: &str) -> Case {
        let mut files = vec![("g/rules.rules".to_string(), String::new())];
        for line in text.split_inclusive('\n') {
            if let Some(path) = line.strip_prefix("##### ") {
                let path = path.trim();
                let full = path.starts_with("g/") || path.contains(':');
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

    fn sources(&self) -> (SourceSet, Selection) {
        let mut sources = SourceSet::new();
        sources.insert("g/game.toml", self.manifest());
        for (path, text) in &self.files {
            sources.insert(path.clone(), text.clone());
        }
        let overlays = self.overlays().map(str::to_string).collect();
        (
            sources,
            Selection {
                overlays,
                options: Vec::new(),
            },
        )
    }

    /// Variants among the files are all chosen.
    fn overlays(&self) -> impl Iterator<Item = &str> {
        let variant = |path: &'_ str| path.starts_with("g/variants/");
        self.files
            .iter()
            .map(|(path, _)| path.as_str())
            .filter(move |path| variant(path))
            .filter_map(|path| path.strip_prefix("g/variants/")?.strip_suffix(".rules"))
    }

    fn manifest(&self) -> String {
        let overlays: Vec<String> = self.overlays().map(|id| format!("\"{id}\"")).collect();
        let prefix = if self.files.iter().any(|(path, _)| path == "g/RULES.md") {
            "prefix = \"G\"\n"
        } else {
            ""
        };
        format!("{MANIFEST}{prefix}overlays = [{}]\n", overlays.join(", "))
    }

    /// The case with what was found written into it.
    fn run(&self) -> (String, Vec<Diagnostic>) {
        let (sources, selection) = self.sources();
        let compiled = dsl::compile(&sources, "g", &selection);
        let mut diagnostics = compiled.diagnostics.clone();
        for (path, _) in self
            .files
            .iter()
            .filter(|(path, _)| path.ends_with(".scenario"))
        {
            if let Some(file) = sources.find(path) {
                diagnostics.extend(dsl::scenarios(&sources, &compiled, file).1);
            }
        }
        let mut out = String::new();
        for (at, (path, text)) in self.files.iter().enumerate() {
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
}

fn is_expectation(line: &str) -> bool {
    let line = line.trim_start();
    ["# error: ", "# warning: ", "# note: "]
        .iter()
        .any(|start| line.starts_with(start))
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

// ------------------------------------------------------------------------------------------------ mutations

fn random(seed: &mut u64, below: usize) -> usize {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    ((*seed >> 33) as usize) % below.max(1)
}

/// One or two words gone, doubled, or in each other's place.
fn mutate(text: &str, seed: &mut u64) -> String {
    let mut words = tokens(text);
    for _ in 0..=random(seed, 2) {
        let (a, b) = (random(seed, words.len()), random(seed, words.len()));
        match random(seed, 4) {
            0 => words[a] = "",
            1 => words.swap(a, b),
            2 => words[a] = words[b],
            _ => words.insert(a, words[b]),
        }
    }
    words.concat()
}

/// Words, numbers and signs; blanks for themselves, so that lines keep their indentation.
fn tokens(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let kind = |c: char| (c.is_alphanumeric() || c == '_', c == ' ', c == '\n');
        let word = kind(first).0 || first == ' ';
        let end = if word {
            rest.find(|c| kind(c) != kind(first)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        all.push(&rest[..end]);
        rest = &rest[end..];
    }
    all
}
