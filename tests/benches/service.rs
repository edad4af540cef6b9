//! The language service on the largest game: a check after one letter, colours, completion.
//!
//! `cargo bench -p tests --bench service`

use divan::Bencher;
use dsl::assembly::Selection;
use dsl::service::{self, Language};
use dsl::source::SourceSet;
use tests::typing::{TYPISTS, Typist};

fn main() {
    divan::main();
}

fn typist(game: &str) -> &'static Typist {
    let found = TYPISTS.iter().find(|typist| typist.game == game);
    found.expect("the game is one of them")
}

fn games() -> impl Iterator<Item = &'static str> {
    TYPISTS.iter().map(|typist| typist.game)
}

/// Each kind of place of the two largest games, one of the others.
fn letters() -> impl Iterator<Item = (&'static str, &'static str)> {
    let kinds = |(at, typist): (usize, &'static Typist)| {
        let kinds: Vec<&str> = typist.letters().iter().map(|typed| typed.kind).collect();
        let first = if at < 2 { 0 } else { 2 };
        let count = if at < 2 { kinds.len() } else { 1 };
        let kinds = kinds.into_iter().skip(first).take(count);
        kinds.map(|kind| (typist.game, kind))
    };
    TYPISTS.iter().enumerate().flat_map(kinds)
}

/// From a changed text to diagnostics, there and back: only what was changed is read again.
#[divan::bench(args = letters(), sample_count = 60)]
fn check_after_a_letter(bencher: Bencher, (game, kind): (&str, &str)) {
    let typist = typist(game);
    let mut all = typist.letters().into_iter();
    let typed = all.find(|typed| typed.kind == kind).expect("such a place");
    let mut sources = tests::games::sources();
    let selection = typist.selection();
    let file = sources.find(typed.path).expect("the file is shipped");
    let text = sources.text(file).to_string();
    dsl::compile(&sources, game, &selection);
    let mut number = 0;
    bencher.bench_local(move || {
        number += 1;
        let text = if number % 2 == 0 {
            Some(text.clone())
        } else {
            typed.in_text(&text, number)
        };
        sources.insert(typed.path, text.expect("such a place"));
        dsl::compile(&sources, game, &selection)
    });
}

/// The same with nothing kept.
#[divan::bench(args = games())]
fn check_from_scratch(bencher: Bencher, game: &str) {
    let sources = tests::games::sources();
    let texts: Vec<(String, String)> = sources
        .ids()
        .map(|id| (sources.file(id).path.clone(), sources.text(id).to_string()))
        .collect();
    let selection = typist(game).selection();
    bencher
        .with_inputs(|| {
            let mut fresh = SourceSet::new();
            for (path, text) in &texts {
                fresh.insert(path.as_str(), text.as_str());
            }
            fresh
        })
        .bench_local_refs(|fresh| dsl::compile(fresh, game, &selection));
}

/// What is coloured, and typed in to complete.
const TYPED: &str = "russian-railroads/rules/effects.rules";

/// Colours of 2,000 lines.
#[divan::bench]
fn colours(bencher: Bencher) {
    let sources = tests::games::sources();
    let file = sources.find(TYPED).expect("the file is shipped");
    let lines: Vec<&str> = sources.text(file).lines().cycle().take(2000).collect();
    let text = lines.join("\n");
    bencher.bench_local(|| service::tokens(&text, Language::Rules).len());
}

/// What can follow at the end of a file.
#[divan::bench]
fn completion(bencher: Bencher) {
    let mut sources = tests::games::sources();
    let file = sources.find(TYPED).expect("the file is shipped");
    let text = format!("{}\naction more\n  ", sources.text(file));
    let end = text.len();
    sources.insert(TYPED, text);
    let selection = Selection {
        overlays: vec!["american-railroads".into()],
        ..Selection::default()
    };
    let compiled = dsl::compile(&sources, "russian-railroads", &selection);
    bencher.bench_local(|| service::complete(&sources, &compiled, file, end).len());
}
