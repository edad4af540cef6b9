//! Simulations in parts: what `simulate --shard K/N --save FILE` counted, and `trackwright merge`, which puts the parts together.

use super::select::{Chosen, Game, Overlays};
use super::simulate::{Files, lowered};
use super::{Exit, Failure, Outcome, Shell, typed};
use crate::files;
use interpreter::Program;
use interpreter::playout::{Entrant, Entry, Report, Spec, Tally, Tournament};
use interpreter::stats::written::grouped;
use serde::de::DeserializeOwned;
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

/// Some of the games, and what was counted of them.
#[derive(Debug, Serialize, Deserialize)]
struct Part<C> {
    head: Head,
    first: u64,
    played: u64,
    counted: C,
}

impl Head {
    /// Of rules and what is played with them, all parts together.
    fn new(chosen: &Chosen, program: &Program, all: &Spec) -> Head {
        let overlays = chosen.overlays();
        Head {
            trackwright_part: FORM,
            game: chosen.game.called.clone(),
            with: overlays.with,
            set: overlays.set,
            language: overlays.language,
            fingerprint: format!("{:016x}", chosen.rules.fingerprint()),
            players: program.players,
            seed: all.seed.to_string(),
            bots: all.bots.iter().map(ToString::to_string).collect(),
            games: all.games,
        }
    }
}

impl<C: Serialize> Part<C> {
    fn text(&self) -> Result<String, String> {
        toml::to_string(self).map_err(|error| error.to_string())
    }
}

/// A part as text. `all` is the simulation that it is a part of.
pub fn written(
    (chosen, program): (&Chosen, &Program),
    all: &Spec,
    first: u64,
    report: &Report,
) -> Result<String, String> {
    let seated = Spec {
        bots: report.bots.clone(),
        ..all.clone()
    };
    let part = Part {
        head: Head::new(chosen, program, &seated),
        first,
        played: report.games,
        counted: report.tally.clone(),
    };
    part.text()
}

/// A part of a tournament as text. `all` is the tournament that it is a part of.
pub fn written_tournament(
    (chosen, program): (&Chosen, &Program),
    all: &Spec,
    first: u64,
    result: &Tournament,
) -> Result<String, String> {
    let part = Part {
        head: Head::new(chosen, program, all),
        first,
        played: result.games,
        counted: result.entrants.clone(),
    };
    part.text()
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
    let head = fitting(&mut parts)?;
    let overlays = Overlays {
        with: head.with.clone(),
        set: head.set.clone(),
        language: head.language.clone(),
    };
    let chosen = Game::open(shell, &head.game)?.choose(shell, &overlays)?;
    let players = chosen.players(Some(head.players))?;
    same_rules(head, &chosen)?;
    let program = lowered(shell, &chosen, players)?;
    let spec = spec(shell, head, &chosen)?;
    let report = Report::new(&chosen.rules, &program, &spec, together(parts));
    Ok(Merged {
        chosen,
        program,
        report,
        spec,
    })
}

/// How many play in the games of parts that were written, as the first of them says.
pub fn players(texts: &[String]) -> Outcome<u32> {
    #[derive(Deserialize)]
    struct Headed {
        head: Head,
    }
    let Some(text) = texts.first() else {
        return Err(Failure::call("there are no parts", "give all of them"));
    };
    let headed: Headed = toml::from_str(text).map_err(|error| no_part("part 1", &error))?;
    Ok(headed.head.players)
}

/// What a simulation came to, from the texts of all its parts in any order.
pub fn merged_texts(
    shell: &Shell,
    (chosen, program): (&Chosen, &Program),
    texts: &[String],
) -> Outcome<(Report, Spec)> {
    let mut parts = parsed(texts)?;
    let head = fitting(&mut parts)?;
    same_rules(head, chosen)?;
    let spec = spec(shell, head, chosen)?;
    let report = Report::new(&chosen.rules, program, &spec, together(parts));
    Ok((report, spec))
}

/// What a tournament came to, from the texts of all its parts in any order.
pub fn merged_tournament(
    shell: &Shell,
    (chosen, program): (&Chosen, &Program),
    texts: &[String],
) -> Outcome<Tournament> {
    let mut parts = parsed::<Vec<Entrant>>(texts)?;
    let head = fitting(&mut parts)?;
    same_rules(head, chosen)?;
    let spec = spec(shell, head, chosen)?;
    let entry = Entry {
        bots: spec.bots,
        first: 0,
        games: spec.games,
        seed: spec.seed,
        threads: spec.threads,
        times: false,
    };
    let mut result = Tournament::new(program, &entry);
    for (part, _) in &parts {
        result.merge(part.played, &part.counted);
    }
    Ok(result)
}

fn parsed<C: DeserializeOwned>(texts: &[String]) -> Outcome<Vec<(Part<C>, String)>> {
    let numbered = (1..).zip(texts);
    let each = numbered.map(|(number, text)| {
        let shown = format!("part {number}");
        Ok((part(text, &shown)?, shown))
    });
    each.collect()
}

fn same_rules(head: &Head, chosen: &Chosen) -> Outcome<()> {
    if format!("{:016x}", chosen.rules.fingerprint()) == head.fingerprint {
        return Ok(());
    }
    Err(Failure::call(
        "the rules are not those the games were played with",
        "play the parts again with `simulate … --shard K/N --save FILE`",
    ))
}

fn spec(shell: &Shell, head: &Head, chosen: &Chosen) -> Outcome<Spec> {
    Ok(Spec {
        first: 0,
        games: head.games,
        seed: head.seed.parse().unwrap_or_default(),
        bots: super::bots::bots(shell, &chosen.rules, &head.bots)?,
        threads: 1,
    })
}

fn together(parts: Vec<(Part<Tally>, String)>) -> Tally {
    let mut tally = Tally::default();
    for (at, (part, _)) in parts.into_iter().enumerate() {
        match at {
            0 => tally = part.counted,
            _ => tally.merge(&part.counted),
        }
    }
    tally
}

/// Reads a part; with its path as shown.
fn read(shell: &Shell, path: &Path) -> Outcome<(Part<Tally>, String)> {
    let shown = files::shown(path, &shell.context.folder);
    let text = files::read_text(&shell.path(path))
        .map_err(|(message, help)| Failure::call(format!("`{shown}`: {message}"), help))?;
    Ok((part(&text, &shown)?, shown))
}

fn part<C: DeserializeOwned>(text: &str, shown: &str) -> Outcome<Part<C>> {
    let part: Part<C> = toml::from_str(text).map_err(|error| no_part(shown, &error))?;
    if part.head.trackwright_part != FORM {
        return Err(Failure::call(
            format!("`{shown}` was written by another trackwright"),
            "play the part again with this one",
        ));
    }
    Ok(part)
}

fn no_part(shown: &str, error: &toml::de::Error) -> Failure {
    let why = error.message().lines().next().unwrap_or_default();
    Failure::call(
        format!("`{shown}` is no part of a simulation: {why}"),
        "name what `simulate … --shard K/N --save FILE` wrote",
    )
}

/// Puts parts in order; the head that all of them share. Together they are all games.
fn fitting<C>(parts: &mut [(Part<C>, String)]) -> Outcome<&Head> {
    parts.sort_by_key(|(part, _)| part.first);
    let parts = &*parts;
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
