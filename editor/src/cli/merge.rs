//! Simulations in parts: what `simulate --shard K/N --save FILE` counted, and `trackwright merge`, which puts the parts together.

use super::select::{Chosen, Game, Overlays};
use super::simulate::{Files, lowered};
use super::{Exit, Failure, Outcome, Shell, typed};
use crate::files;
use dsl::syntax::ast::AssignOp;
use interpreter::Program;
use interpreter::playout::{Report, Spec, Tally};
use interpreter::stats::written::grouped;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The form that is written and read.
const FORM: u32 = 1;

#[derive(clap::Args)]
pub struct Args {
    /// Parts of one simulation, all of them, in any order
    #[arg(value_name = "FILE", required = true)]
    parts: Vec<PathBuf>,
    #[command(flatten)]
    files: Files,
}

/// Which of the games a part plays: `K/N`, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: u64,
    of: u64,
}

impl Shard {
    /// Reads `K/N`.
    pub fn read(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/');
        let parts = parts.and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((number, of)) if 1 <= number && number <= of && of <= 1_000_000 => {
                Ok(Shard { number, of })
            }
            _ => Err("give which part of how many, as `2/8`".into()),
        }
    }

    /// The games of a part: together the parts are all games.
    pub fn of(self, spec: &Spec) -> Spec {
        let end = |number: u64| {
            (u128::from(spec.games) * u128::from(number) / u128::from(self.of)) as u64
        };
        let first = end(self.number - 1);
        Spec {
            first,
            games: end(self.number) - first,
            ..spec.clone()
        }
    }
}

/// What a part is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    trackwright_part: u32,
    game: String,
    with: Vec<String>,
    set: Vec<String>,
    language: Option<String>,
    fingerprint: String,
    players: u32,
    /// In quotes: there are greater seeds than these files have numbers.
    seed: String,
    bots: Vec<String>,
    /// Games of all parts.
    games: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct Part {
    head: Head,
    first: u64,
    played: u64,
    counted: Tally,
}

/// A part as text. `all` is the simulation that it is a part of.
pub fn written(chosen: &Chosen, all: &Spec, first: u64, report: &Report) -> Result<String, String> {
    let selection = &chosen.selection;
    let sign = |op: &AssignOp| match op {
        AssignOp::Add => "+=",
        AssignOp::Subtract => "-=",
        AssignOp::Set => "=",
    };
    let set = selection.options.iter();
    let set = set.map(|(name, op, value)| format!("{name}{}{value}", sign(op)));
    let part = Part {
        head: Head {
            trackwright_part: FORM,
            game: chosen.game.called.clone(),
            with: selection.overlays.clone(),
            set: set.collect(),
            language: selection.language.clone(),
            fingerprint: format!("{:016x}", report.fingerprint),
            players: report.players,
            seed: all.seed.to_string(),
            bots: report.bots.iter().map(ToString::to_string).collect(),
            games: all.games,
        },
        first,
        played: report.games,
        counted: report.tally.clone(),
    };
    toml::to_string(&part).map_err(|error| error.to_string())
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    args.files.apart(shell, &[])?;
    let whole = merged(shell, &args.parts)?;
    let sides = (&whole.chosen, &whole.program);
    args.files
        .tell(shell, sides, (&whole.report, &whole.spec), &[])?;
    Ok(Exit::Fine)
}

/// Whether a text is a part of a simulation, be it a broken one.
pub fn is_part(text: &str) -> bool {
    let mut lines = text.lines();
    lines.any(|line| line.starts_with("trackwright_part"))
}

/// A whole simulation.
pub struct Merged {
    pub chosen: Chosen,
    pub program: Program,
    pub report: Report,
    pub spec: Spec,
}

/// Puts parts together.
///
/// # Errors
/// If they are not all of one simulation, or the rules have changed since.
pub fn merged(shell: &mut Shell, paths: &[PathBuf]) -> Outcome<Merged> {
    let mut parts = Vec::new();
    for path in paths {
        parts.push(read(shell, path)?);
    }
    parts.sort_by_key(|(part, _)| part.first);
    let head = fitting(&parts)?;
    let overlays = Overlays {
        with: head.with.clone(),
        set: head.set.clone(),
        language: head.language.clone(),
    };
    let chosen = Game::open(shell, &head.game)?.choose(shell, &overlays)?;
    let players = chosen.players(Some(head.players))?;
    if format!("{:016x}", chosen.rules.fingerprint()) != head.fingerprint {
        return Err(Failure::call(
            "the rules are not those the games were played with",
            "play the parts again with `simulate … --shard K/N --save FILE`",
        ));
    }
    let program = lowered(shell, &chosen, players)?;
    let spec = Spec {
        first: 0,
        games: head.games,
        seed: head.seed.parse().unwrap_or_default(),
        bots: super::bots::bots(shell, &chosen.rules, &head.bots)?,
        threads: 1,
    };
    let mut tally = Tally::default();
    for (at, (part, _)) in parts.into_iter().enumerate() {
        match at {
            0 => tally = part.counted,
            _ => tally.merge(&part.counted),
        }
    }
    let report = Report::new(&chosen.rules, &program, &spec, tally);
    Ok(Merged {
        chosen,
        program,
        report,
        spec,
    })
}

/// Reads a part; with its path as shown.
fn read(shell: &Shell, path: &Path) -> Outcome<(Part, String)> {
    let shown = files::shown(path, &shell.context.folder);
    let text = files::read_text(&shell.path(path))
        .map_err(|(message, help)| Failure::call(format!("`{shown}`: {message}"), help))?;
    let part: Part = toml::from_str(&text).map_err(|error| {
        let why = error
            .message()
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned();
        Failure::call(
            format!("`{shown}` is no part of a simulation: {why}"),
            "name what `simulate … --shard K/N --save FILE` wrote",
        )
    })?;
    if part.head.trackwright_part != FORM {
        return Err(Failure::call(
            format!("`{shown}` was written by another trackwright"),
            "play the part again with this one",
        ));
    }
    Ok((part, shown))
}

/// The head that all parts share; they are sorted, and together they are all games.
fn fitting(parts: &[(Part, String)]) -> Outcome<&Head> {
    let Some((first, known)) = parts.first() else {
        return Err(Failure::call("there are no parts", "name their files"));
    };
    let head = &first.head;
    let mut next = 0;
    for (part, shown) in parts {
        if part.head != *head {
            return Err(Failure::call(
                format!("`{shown}` and `{known}` are not of the same simulation"),
                "merge parts with the same game, options, players, seed, bots and number of games",
            ));
        }
        if part.first < next {
            return Err(Failure::call(
                format!("`{shown}` has games that another part has too"),
                "name each part once; all of them with the same N in `--shard K/N`",
            ));
        }
        if part.first > next {
            return Err(missing(head, next, part.first));
        }
        next = part.first + part.played;
    }
    match next < head.games {
        true => Err(missing(head, next, head.games)),
        false => Ok(head),
    }
}

fn missing(head: &Head, from: u64, to: u64) -> Failure {
    let with: Vec<String> = head
        .with
        .iter()
        .map(|one| format!(" --with {}", typed(one)))
        .collect();
    Failure::call(
        format!(
            "games {} to {} of {} are missing",
            grouped(from + 1),
            grouped(to),
            grouped(head.games)
        ),
        format!(
            "`simulate {}{} --games {} --seed {} --shard K/N --save FILE` plays a part",
            typed(&head.game),
            with.concat(),
            head.games,
            head.seed
        ),
    )
}
