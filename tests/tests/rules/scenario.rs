//! Small games, each in one file with its worked cases: the meanings that are easiest to get wrong.
//!
//! A file of `suite/scenario` is a game of its own; its first comment line says for how many players. Cases stand beside it
//! in a `.scenario` file of the same name, tables that hold calls in a `.toml` file.

use dsl::assembly::Selection;
use dsl::diagnostic::Diagnostic;
use dsl::diagnostic::render::render;
use dsl::source::SourceSet;
use interpreter::scenario;
use std::fs;
use std::path::{Path, PathBuf};
use tests::games;

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
    let mut sources = games::of_text(&name, players, rules.as_str());
    if let Ok(tables) = fs::read_to_string(path.with_extension("toml")) {
        sources.insert(format!("{name}/{name}.toml"), tables);
    }
    let file = sources.insert(format!("{name}/{name}.scenario"), cases);
    let base = dsl::compile(&sources, &name, &Selection::default());
    let mut wrong = mistakes(&sources, &base.diagnostics);
    if base.rules.is_none() {
        wrong.push(format!("{name}: no rule set"));
        return (0, wrong);
    }
    let headings = dsl::headings(&sources, file);
    for heading in &headings {
        // What a case sets is known when the rules are read.
        let selection = Selection {
            overlays: heading.with.clone(),
            options: heading.options.clone(),
            ..Selection::default()
        };
        let other =
            (!heading.options.is_empty()).then(|| dsl::compile(&sources, &name, &selection));
        let compiled = other.as_ref().unwrap_or(&base);
        if let Some(other) = &other {
            wrong.extend(mistakes(&sources, &other.diagnostics));
        }
        let (scenario, diagnostics) = dsl::scenario(&sources, compiled, file, heading);
        wrong.extend(mistakes(&sources, &diagnostics));
        let (Some(rules), Some(scenario)) = (&compiled.rules, scenario) else {
            wrong.push(format!("{name}: {} is not read", heading.title));
            continue;
        };
        let report = scenario::run(rules, Some(&sources), &scenario);
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
    (headings.len(), wrong)
}

fn mistakes(sources: &SourceSet, diagnostics: &[Diagnostic]) -> Vec<String> {
    let errors = diagnostics.iter().filter(|d| d.is_error());
    errors.map(|d| render(sources, d, false)).collect()
}

const COUNTED: &str = "\
enum coin = gold, silver
player.purse: bag of coin = {gold: 3, silver: 1}
player.bought: 0..
player.rested: 0..
action buy                                                                [TT-1]
  need bought < 2 else \"enough\"
  choose pay in parts of purse where pay.size = 2 else \"two coins\"       [TT-2]
  move pay to box
  bought += 1
action rest: rested += 1                                                  [TT-3]
flow
  round: repeat 3
    turn: each player
      act: one of buy, rest
";

const COUNTED_CASE: &str = "\
scenario \"three rounds\" of counted
  players 2
  A: buy; {gold: 2}
  B: rest
  A: buy; {gold: 1, silver: 1}
  given B.purse = {gold: 1}
  B: rest
  A: rest
  B: rest
  expect finished and A.bought = 2 and B.rested = 3
";

/// Each statement counts once for each time it ran for good, each requirement when it refused, a payment when none could be made.
#[test]
fn coverage_counts_what_ran_and_what_was_refused() {
    let mut sources = games::of_text("counted", "2, 2", COUNTED);
    let file = sources.insert("counted/counted.scenario", COUNTED_CASE);
    let compiled = dsl::compile(&sources, "counted", &Selection::default());
    let rules = compiled.rules.as_ref().expect("the game compiles");
    let (scenarios, _) = dsl::scenarios(&sources, &compiled, file);
    let report = scenario::run(rules, Some(&sources), &scenarios[0]);
    assert!(report.passed(), "{:?}", report.failure);
    let coverage = report.coverage.expect("scenarios count");
    let program = interpreter::lower(rules, 2).expect("lowers");
    let statements = coverage.statements(&program);
    let ran = |text: &str| -> u64 {
        let mut one = statements
            .iter()
            .filter(|one| sources.slice(one.span).starts_with(text));
        one.next().map_or(0, |one| one.ran)
    };
    assert_eq!(
        (
            ran("move pay to box"),
            ran("bought += 1"),
            ran("rested += 1")
        ),
        (2, 2, 4)
    );
    let refusals = coverage.refusals(&program);
    let refused = |text: &str| -> u64 {
        let some = refusals
            .iter()
            .filter(|one| sources.slice(one.span).contains(text));
        some.map(|one| one.refused).sum()
    };
    assert!(
        refused("bought < 2") > 0,
        "A may not buy a third time: {refusals:?}"
    );
    assert!(
        refused("pay.size = 2") > 0,
        "B cannot pay with one coin: {refusals:?}"
    );
    let tags = coverage.tags(rules, &program);
    let tag = |id: &str| tags.iter().find(|tag| tag.id == id).expect("a rule id");
    assert_eq!((tag("TT-3").ran, tag("TT-3").refused), (4, 0));
    assert!(tag("TT-1").refused > 0 && tag("TT-2").refused > 0);
}

const LONG_SET_UP: &str = "\
player.taken: 0..
action take: taken += 1
action rest: taken = 0
flow
  setup: repeat 6000
    each player
      one of take, rest
  round: repeat 2
    turn: each player
      one of take, rest
score
  all = taken
";

const LONG_SET_UP_CASE: &str = "\
scenario \"who begins\" of long
  players 2
  A: take
";

/// A set-up that takes too many answers is told as such; the case does not begin in the midst of it.
#[test]
fn a_set_up_has_a_bound() {
    let mut sources = games::of_text("long", "2, 2", LONG_SET_UP);
    let file = sources.insert("long/long.scenario", LONG_SET_UP_CASE);
    let compiled = dsl::compile(&sources, "long", &Selection::default());
    let wrong = mistakes(&sources, &compiled.diagnostics);
    let rules = compiled
        .rules
        .as_ref()
        .unwrap_or_else(|| panic!("{wrong:?}"));
    let (scenarios, _) = dsl::scenarios(&sources, &compiled, file);
    let report = scenario::run(rules, Some(&sources), &scenarios[0]);
    let failure = report.failure.expect("the set-up is too long");
    assert_eq!(
        failure.message,
        "the set-up is not through after 10000 answers"
    );
}
