//! What bots have learnt, as text: TOML, with numbers as people read them.

use interpreter::bots::{LearntOf, MOMENTS, Model, PARTS, Weighed, Weights};
use serde::Deserialize;
use std::fmt::Write;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    rules: Rules,
    learnt: Learnt,
    #[serde(default)]
    feature: Vec<Feature>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rules {
    game: String,
    #[serde(default)]
    overlays: Vec<String>,
    players: u32,
    fingerprint: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Learnt {
    games: u64,
    answers: u32,
    lead: f64,
    place: [f64; MOMENTS],
    ahead: [f64; MOMENTS],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Feature {
    name: String,
    mean: f64,
    spread: f64,
    place: [f64; MOMENTS],
    ahead: [f64; MOMENTS],
}

/// Reads a model; it is called `name` where bots are named.
///
/// # Errors
/// What is wrong with the text, and where.
pub fn read(name: &str, text: &str) -> Result<Model, String> {
    let file: File = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let before = &text[..text.floor_char_boundary(at)];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        format!("line {line}, column {column}: {}", error.message())
    })?;
    let fingerprint = u64::from_str_radix(&file.rules.fingerprint, 16);
    let fingerprint = fingerprint.map_err(|_| {
        format!(
            "`fingerprint` is 16 digits from 0 to f, not `{}`",
            file.rules.fingerprint
        )
    })?;
    let parts = |value: f64| (value * PARTS).round() as i64;
    let weights = |own: [f64; MOMENTS]| -> Weights { own.map(parts) };
    let features = file.feature.into_iter().map(|one| Weighed {
        name: one.name,
        mean: parts(one.mean),
        spread: parts(one.spread),
        place: weights(one.place),
        ahead: weights(one.ahead),
    });
    Ok(Model {
        name: name.to_owned(),
        rules: LearntOf {
            game: file.rules.game,
            overlays: file.rules.overlays,
            players: file.rules.players,
            fingerprint,
        },
        games: file.learnt.games,
        answers: file.learnt.answers,
        lead: parts(file.learnt.lead),
        place: weights(file.learnt.place),
        ahead: weights(file.learnt.ahead),
        features: features.collect(),
    })
}

/// The text of a model; features that count for most come first.
pub fn write(model: &Model) -> String {
    let number = |parts: i64| {
        let sign = if parts < 0 { "-" } else { "" };
        let (whole, rest) = (parts.unsigned_abs() / 10_000, parts.unsigned_abs() % 10_000);
        format!("{sign}{whole}.{rest:04}")
    };
    let numbers = |weights: &Weights| {
        let all: Vec<String> = weights.iter().map(|one| number(*one)).collect();
        format!("[{}]", all.join(", "))
    };
    let text = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let rules = &model.rules;
    let overlays: Vec<String> = rules.overlays.iter().map(|one| text(one)).collect();
    let mut out = String::from(
        "# What bots have learnt of a game. Each feature counts by how far it lies from its mean, in spreads, at the begin, in the\n\
         # middle and at the end of the game: for the place at the end, and for how far the seat is ahead.\n\n",
    );
    // Writing into a text cannot fail.
    let _ = write!(
        out,
        "[rules]\ngame = {}\noverlays = [{}]\nplayers = {}\nfingerprint = \"{:016x}\"\n\n\
         [learnt]\ngames = {}\nanswers = {}\nlead = {}\nplace = {}\nahead = {}\n",
        text(&rules.game),
        overlays.join(", "),
        rules.players,
        rules.fingerprint,
        model.games,
        model.answers,
        number(model.lead),
        numbers(&model.place),
        numbers(&model.ahead),
    );
    let weight = |one: &Weighed| -> i64 {
        let all = one.place.iter().chain(&one.ahead);
        all.map(|weight| weight.abs()).sum()
    };
    let mut order: Vec<&Weighed> = model.features.iter().collect();
    order.sort_by_key(|one| std::cmp::Reverse(weight(one)));
    for one in order {
        let _ = write!(
            out,
            "\n[[feature]]\nname = {}\nmean = {}\nspread = {}\nplace = {}\nahead = {}\n",
            text(&one.name),
            number(one.mean),
            number(one.spread),
            numbers(&one.place),
            numbers(&one.ahead),
        );
    }
    out
}
