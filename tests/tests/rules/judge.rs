//! The judge over rule sets made at random, over kept cases and over shipped games that were changed a little.
//!
//! `JUDGE=from..to` judges these seeds instead of the few of a normal run; `JUDGE_KEEP=folder` keeps what differs there, small.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tests::generate;
use tests::judge::{Case, Difference, Seen, Spec, shrunk};
use tests::{games, mutate};

const SEEDS: std::ops::Range<u64> = 0..200;

fn seeds() -> std::ops::Range<u64> {
    let Ok(range) = std::env::var("JUDGE") else {
        return SEEDS;
    };
    let (from, to) = range.split_once("..").expect("JUDGE is FROM..TO");
    from.parse().expect("a number")..to.parse().expect("a number")
}

fn players(seed: u64) -> [u32; 1] {
    [2 + u32::from(seed % 4 == 3)]
}

#[test]
fn rule_sets_made_at_random_are_played_alike() {
    let mut all = Seen::default();
    let mut rejected: BTreeMap<String, u64> = BTreeMap::new();
    let mut wrong: Vec<String> = Vec::new();
    let (mut count, mut refused) = (0, 0);
    for seed in seeds() {
        count += 1;
        let text = generate::rules(seed);
        let case = match Case::of(&text, &players(seed)) {
            Ok(case) => case,
            Err(mistakes) => {
                refused += 1;
                if std::env::var_os("JUDGE_REJECTED").is_some() {
                    println!("== {seed}\n{}", mistakes.join("\n"));
                }
                let first = mistakes.first().map_or("", String::as_str);
                let code = first.split(':').next().unwrap_or_default();
                *rejected.entry(code.to_owned()).or_default() += 1;
                continue;
            }
        };
        match case.judge(&Spec::new(seed, 3)) {
            Ok(seen) => all.add(&seen),
            Err(difference) => wrong.push(told(seed, &text, &case, &difference)),
        }
    }
    println!("{count} rule sets, {refused} of them refused by `check`: {rejected:?}\n{all:?}");
    assert!(
        wrong.is_empty(),
        "{} differ\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(
        refused * 10 < count,
        "{refused} of {count} are refused: {rejected:?}"
    );
    assert!(all.choices > all.games * 4, "{all:?}");
    assert!(all.ended * 10 > all.games * 6, "{all:?}");
}

/// Makes it small, keeps it where that is wanted, and says what differs.
fn told(seed: u64, text: &str, case: &Case, difference: &Difference) -> String {
    let whole = case.told(difference);
    if std::env::var_os("JUDGE_WHOLE").is_some() {
        println!("== seed {seed}: {whole}");
        return format!("== seed {seed}: {whole}");
    }
    let spec = Spec::new(seed, 4);
    let small = shrunk(text, &players(seed), &spec, difference.kind);
    let said = Case::of(&small, &players(seed)).ok().and_then(|case| {
        let found = case.judge(&spec).err()?;
        Some(case.told(&found))
    });
    let said = said.unwrap_or(whole);
    if let Ok(folder) = std::env::var("JUDGE_KEEP") {
        let name = format!("{:?}-{seed}", difference.kind).to_lowercase();
        let comment: String = said.lines().map(|line| format!("# {line}\n")).collect();
        let path = Path::new(&folder).join(format!("{name}.rules"));
        fs::write(path, format!("{comment}{small}")).expect("what differs can be kept");
    }
    let said = format!("== seed {seed}: {said}\n{small}");
    println!("{said}");
    said
}

/// Each either has a mistake that `check` finds, or is played to its end, and as the plain program says.
#[test]
fn kept_cases_are_played_alike() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in cases() {
        count += 1;
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let text = fs::read_to_string(&path).expect("a case can be read");
        // Written by chance for three, who may come to where nobody can do anything.
        let three = text.starts_with("# Three play");
        let Ok(case) = Case::of(&text, &[if three { 3 } else { 2 }]) else {
            continue;
        };
        let spec = Spec {
            why: true,
            strict: !three,
            ..Spec::new(1, 20)
        };
        if let Err(difference) = case.judge(&spec) {
            wrong.push(format!("{name}: {}", case.told(&difference)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 11, "{count} cases");
}

/// Shipped games with something changed, by so many seeds as rule sets are made at random in a run.
#[test]
fn games_changed_a_little_are_played_alike() {
    let sources = games::sources();
    let mut all = Seen::default();
    let mut wrong = Vec::new();
    let (mut count, mut refused) = (0, 0);
    for seed in seeds() {
        count += 1;
        let mutant = mutate::mutant(&sources, seed);
        let players = mutate::players(&mutant, seed);
        let case = Case::of_sources(mutant.sources, &mutant.id, &mutant.selection, &[players]);
        let Ok(case) = case else {
            refused += 1;
            continue;
        };
        let spec = Spec {
            decisions: 30,
            ..Spec::new(seed, 1)
        };
        match case.judge(&spec) {
            Ok(seen) => all.add(&seen),
            Err(found) => wrong.push(format!(
                "== seed {seed}: {}\n{}",
                mutant.change,
                case.told(&found)
            )),
        }
    }
    println!("{count} changed games, {refused} of them refused by `check`\n{all:?}");
    assert!(
        wrong.is_empty(),
        "{} differ\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(refused * 10 < count * 7, "{refused} of {count} are refused");
    assert!(all.choices > all.games * 10, "{all:?}");
}

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite/judge");
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut cases: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    cases.retain(|path| path.extension().is_some_and(|end| end == "rules"));
    cases.sort();
    cases
}
