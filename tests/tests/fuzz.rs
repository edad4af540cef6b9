//! Broken inputs by chance: nothing panics, all comes to an end, what is wrong is told at its place (`tests::fuzz`).
//!
//! A few hundred with a fixed seed. `FUZZ_MINUTES=10` goes on for so long, `FUZZ_SEED=7` begins elsewhere, `FUZZ_INPUT=123` tries
//! that one alone, `FUZZ_KEEP=FOLDER` keeps what fails, made smaller, and while it runs what is tried, should it end the process.

use std::path::PathBuf;
use std::time::Duration;
use tests::fuzz::Campaign;

const SEED: u64 = 1;
const INPUTS: u64 = 400;

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
