//! The language service on the largest game: a check after one letter, colours, completion.
//!
//! `cargo bench -p tests --bench service`

use divan::Bencher;
use dsl::assembly::Selection;
use dsl::service::{self, Language};
use dsl::source::SourceSet;

fn main() {
    divan::main();
}

/// Games with all overlays that go together, and a file to type in.
const GAMES: [(&str, &[&str], &str); 3] = [
    (
        "russian-railroads",
        &["american-railroads"],
        "russian-railroads/rules/effects.rules",
    ),
    ("schwarze-lok", &["usa"], "schwarze-lok/rules/play.rules"),
    (
        "ticket-to-ride-maerklin",
        &["germany-2017"],
        "ticket-to-ride/rules/play.rules",
    ),
];

fn selection(overlays: &[&str]) -> Selection {
    Selection {
        overlays: overlays.iter().map(|id| (*id).to_string()).collect(),
        options: Vec::new(),
    }
}

/// From a changed text to diagnostics: only the changed file is read again.
#[divan::bench(args = [0, 1, 2])]
fn check_after_a_letter(bencher: Bencher, at: usize) {
    let (game, overlays, path) = GAMES[at];
    let mut sources = tests::games::sources();
    let selection = selection(overlays);
    let file = sources.find(path).expect("the file is shipped");
    let text = sources.text(file).to_string();
    let mut even = false;
    dsl::compile(&sources, game, &selection);
    bencher.bench_local(move || {
        even = !even;
        let blank = if even { "\n" } else { "" };
        sources.insert(path, format!("{text}{blank}"));
        dsl::compile(&sources, game, &selection).diagnostics.len()
    });
}

/// The same with nothing kept.
#[divan::bench(args = [0, 1, 2])]
fn check_from_scratch(bencher: Bencher, at: usize) {
    let (game, overlays, _) = GAMES[at];
    let sources = tests::games::sources();
    let texts: Vec<(String, String)> = sources
        .ids()
        .map(|id| (sources.file(id).path.clone(), sources.text(id).to_string()))
        .collect();
    let selection = selection(overlays);
    bencher
        .with_inputs(|| {
            let mut fresh = SourceSet::new();
            for (path, text) in &texts {
                fresh.insert(path.as_str(), text.as_str());
            }
            fresh
        })
        .bench_local_refs(|fresh| dsl::compile(fresh, game, &selection).diagnostics.len());
}

/// Colours of 2,000 lines.
#[divan::bench]
fn colours(bencher: Bencher) {
    let sources = tests::games::sources();
    let file = sources.find(GAMES[0].2).expect("the file is shipped");
    let lines: Vec<&str> = sources.text(file).lines().cycle().take(2000).collect();
    let text = lines.join("\n");
    bencher.bench_local(|| service::tokens(&text, Language::Rules).len());
}

/// What can follow at the end of a file.
#[divan::bench]
fn completion(bencher: Bencher) {
    let (game, overlays, path) = GAMES[0];
    let mut sources = tests::games::sources();
    let file = sources.find(path).expect("the file is shipped");
    let text = format!("{}\naction more\n  ", sources.text(file));
    let end = text.len();
    sources.insert(path, text);
    let compiled = dsl::compile(&sources, game, &selection(overlays));
    bencher.bench_local(|| service::complete(&sources, &compiled, file, end).len());
}
