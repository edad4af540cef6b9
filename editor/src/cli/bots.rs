//! Bots as a call names them, and the files of those that have learnt.

use super::select::{Chosen, did_you_mean};
use super::{Failure, Outcome, Shell};
use crate::{files, models};
use dsl::BOT_WORDS;
use dsl::ir::RuleSet;
use interpreter::Program;
use interpreter::bots::{Bot, LOOKS_MAX, Model, UnknownBot, kinds};
use interpreter::words::listed;
use std::path::Path;
use std::sync::Arc;

/// Features that are named where a model has some that the rules have not.
const NAMED_MAX: usize = 4;

impl From<UnknownBot> for Failure {
    fn from(error: UnknownBot) -> Failure {
        let looks = error.0.strip_prefix("search:").map(str::trim);
        if looks.is_some_and(|looks| looks.starts_with(|c: char| c.is_ascii_digit() || c == '-')) {
            return Failure::call(
                format!("`{}` is no number of looks", error.0),
                format!("it looks at least once and at most {LOOKS_MAX} times: `search:1000`"),
            );
        }
        if error.0.trim_end_matches(':') == "learnt" {
            return Failure::call(
                "`learnt` names no file",
                "`learnt:FILE` plays by what `trackwright train GAME --out FILE` has written",
            );
        }
        if error.0.is_empty() {
            return Failure::call(
                "a bot has no name: nothing stands before or behind a comma",
                kinds(),
            );
        }
        let failure = Failure::call(format!("there is no bot `{}`", error.0), kinds());
        did_you_mean(failure, &error.0, &BOT_WORDS.map(str::to_owned))
    }
}

/// The bots named, for games of these rules.
pub fn bots(shell: &Shell, rules: &RuleSet, names: &[String]) -> Outcome<Vec<Bot>> {
    let mut models: Vec<Arc<Model>> = Vec::new();
    let mut model = |file: &str| -> Outcome<Arc<Model>> {
        if let Some(known) = models.iter().find(|model| model.name == file) {
            return Ok(known.clone());
        }
        let read = Arc::new(read(shell, file)?);
        models.push(read.clone());
        Ok(read)
    };
    let strategies = rules.strategy_names();
    let bots = names.iter().map(|name| {
        let bot = Bot::named(name, &strategies, &mut model);
        bot.map_err(|failure| tell_strategies(failure, name, &strategies))
    });
    bots.collect()
}

/// Says of a bot that there is not what strategies the rules have.
fn tell_strategies(failure: Failure, name: &str, strategies: &[&str]) -> Failure {
    let (kind, named) = name.split_once(':').unwrap_or(("strategy", name));
    if kind.trim() != "strategy" {
        return failure;
    }
    let known: Vec<String> = strategies.iter().map(|one| (*one).to_owned()).collect();
    let quoted: Vec<String> = known.iter().map(|one| format!("\"{one}\"")).collect();
    match quoted.as_slice() {
        [] => {
            failure.also("these rules have no strategy; docs/language.md says how one is written")
        }
        quoted => did_you_mean(failure, named, &known).also(format!(
            "the strategies of these rules are {}",
            listed(quoted, "and")
        )),
    }
}

fn read(shell: &Shell, file: &str) -> Outcome<Model> {
    let text = files::read_text(&shell.path(Path::new(file))).map_err(|(message, _)| {
        Failure::call(
            format!("`{file}`: {message}"),
            "`trackwright train GAME --out FILE` writes such a file",
        )
    })?;
    models::read(file, &text).map_err(|why| {
        Failure::call(
            format!("`{file}` is not what a bot has learnt: {why}"),
            "`trackwright train GAME --out FILE` writes such a file",
        )
    })
}

/// Says of models that were learnt with other rules how far they go.
pub fn tell_models(
    shell: &mut Shell,
    chosen: &Chosen,
    program: &Program,
    bots: &[Bot],
) -> Outcome<()> {
    let mut told: Vec<&str> = Vec::new();
    for model in bots.iter().filter_map(Bot::model) {
        let rules = &model.rules;
        let same = rules.fingerprint == chosen.rules.fingerprint();
        if told.contains(&model.name.as_str()) || same && rules.players == program.players {
            continue;
        }
        told.push(&model.name);
        let mut learnt_with = rules.game.clone();
        if !rules.overlays.is_empty() {
            learnt_with += &format!(" with {}", listed(&rules.overlays, "and"));
        }
        let missing = model.missing(program);
        let all = model.features.len();
        writeln!(
            shell.err,
            "note: `{}` was learnt of {learnt_with} with {} players, which are not these rules: {} of the {all} things it counts are here{}",
            model.name,
            rules.players,
            all - missing.len(),
            match missing.as_slice() {
                [] => String::new(),
                names => {
                    let quoted = names.iter().take(NAMED_MAX).map(|name| format!("`{name}`"));
                    let mut named: Vec<String> = quoted.collect();
                    if names.len() > NAMED_MAX {
                        named.push(format!("{} more", names.len() - NAMED_MAX));
                    }
                    format!(", not {}", listed(&named, "and"))
                }
            }
        )?;
    }
    Ok(())
}
