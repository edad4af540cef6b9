//! Broken inputs by chance: nothing panics, all comes to an end, what is wrong is told at its place (`tests::fuzz`).
//!
//! A few hundred with a fixed seed. `FUZZ_MINUTES=10` goes on for so long, `FUZZ_SEED=7` begins elsewhere, `FUZZ_INPUT=123` tries
//! that one alone, `FUZZ_KEEP=FOLDER` keeps what fails, made smaller, and while it runs what is tried, should it end the process.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;
use tests::fuzz::{Campaign, Reached};

const SEED: u64 = 1;
const INPUTS: u64 = 300;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn broken_inputs_are_told() {
    let minutes = number("FUZZ_MINUTES");
    let alone = number("FUZZ_INPUT");
    let campaign = Campaign {
        seed: number("FUZZ_SEED").unwrap_or(SEED),
        first: alone.unwrap_or(0),
        inputs: if alone.is_some() { 1 } else { INPUTS },
        time: minutes.map(|minutes| Duration::from_secs(60 * minutes)),
        threads: 2,
        keep: std::env::var_os("FUZZ_KEEP").map(PathBuf::from),
    };
    let report = campaign.run();
    println!("{report:#?}");
    let failed: Vec<String> = report.failed.into_values().collect();
    assert!(
        failed.is_empty(),
        "{} fail:\n{}",
        failed.len(),
        failed.join("\n\n")
    );
    if alone.is_some() {
        return;
    }
    // Else a part of it would be tested by nothing.
    assert!(report.inputs >= INPUTS && report.by_kind.len() == 8);
    assert!(report.checked * 10 > report.inputs, "too many are refused");
    assert!(report.diagnostics > report.inputs);
    for reached in [
        report.faults,
        report.decisions,
        report.cases,
        report.replays,
        report.scenes,
    ] {
        assert!(reached > 0);
    }
}

/// That the search can fail: what panics is told with its place, what is wrong in words, and a smaller input is kept.
#[test]
fn what_fails_is_told_and_kept() {
    let kept = tempfile::tempdir().expect("a folder");
    let campaign = Campaign {
        seed: 5,
        first: 0,
        inputs: 12,
        time: None,
        threads: 2,
        keep: Some(kept.path().to_path_buf()),
    };
    let report = campaign.run_with(&|folder, input| {
        assert!(folder.join(&input.path).is_file());
        let has = |letter: char| input.bytes.contains(&(letter as u8));
        assert!(!has('e'), "there is an e");
        match has('#') {
            true => Err("there is a hash".to_owned()),
            false => Ok(Reached::default()),
        }
    });
    assert_eq!(report.inputs, 12);
    assert!(report.failed.len() >= 8, "{report:?}");
    for (number, told) in &report.failed {
        let panicked = told.contains("panics at tests/tests/rules/fuzz.rs:");
        assert_eq!(panicked, told.contains("there is an e"), "{told}");
        assert!(told.starts_with(&format!("FUZZ_SEED=5 FUZZ_INPUT={number}: ")));
        let folder = kept.path().join(format!("5-{number}"));
        let wrong = fs::read_to_string(folder.join("wrong.txt")).expect("what was wrong");
        assert_eq!(wrong.trim_end(), told);
        let small = fs::read_to_string(folder.join("small")).unwrap_or_default();
        assert!(small.lines().count() <= 1, "{small}");
        assert!(small.contains(if panicked { 'e' } else { '#' }) || small.is_empty());
    }
    // What went well left nothing behind.
    let left = fs::read_dir(kept.path()).expect("the folder").count();
    assert_eq!(left, report.failed.len());
}
