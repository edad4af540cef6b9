//! Many games in parts: what `simulate` and `tournament` counted with `--shard K/N --save FILE`, and `trackwright merge`, which puts the parts together.

use super::select::{Chosen, Game, Overlays};
use super::simulate::{Files, lowered};
use super::tournament;
use super::{Exit, Failure, Outcome, Shell, is_output, typed};
use crate::files;
use dsl::ir::sum_of;
use interpreter::Program;
use interpreter::playout::{Entrant, Entry, Report, Spec, Tally, Tournament};
use interpreter::stats::written::{count, grouped};
use interpreter::words::listed;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The form that is written and read.
const FORM: u32 = 3;
/// The line above all others: a sum of what stands below, by which it is seen that a part is as it was written.
const SUM: &str = "# sum ";

/// Parts that games are cut into; which of them are missing is found for so many.
const PARTS_MAX: u64 = 1_000;
/// Into more parts games are not cut.
const SHARDS_MAX: u64 = 1_000_000;

const SIMULATION: &str = "a simulation";
const TOURNAMENT: &str = "a tournament";

#[derive(clap::Args)]
pub struct Args {
    /// Parts of one simulation or tournament, all of them, in any order
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
            Some((number, of)) if 1 <= number && number <= of && of <= SHARDS_MAX => {
                Ok(Shard { number, of })
            }
            _ => Err(format!(
                "give which part of how many, from `1/8` to `8/8`; there are at most {} parts",
                grouped(SHARDS_MAX)
            )),
        }
    }

    /// The games of a part: together the parts are all games.
    ///
    /// # Errors
    /// If there are more parts than games: some would have none.
    pub(super) fn of(self, spec: &Spec) -> Outcome<Spec> {
        if self.of > spec.games {
            return Err(Failure::call(
                format!(
                    "{} cannot be played in {} parts",
                    count(spec.games, "game"),
                    grouped(self.of)
                ),
                format!("cut them into {} at most", count(spec.games, "part")),
            ));
        }
        let games = self.games(spec.games);
        Ok(Spec {
            first: games.start,
            games: games.end - games.start,
            ..spec.clone()
        })
    }

    /// The numbers of its games, of so many in all parts.
    fn games(self, all: u64) -> Range<u64> {
        let end = |number: u64| (u128::from(all) * u128::from(number) / u128::from(self.of)) as u64;
        end(self.number - 1)..end(self.number)
    }
}

/// Playing games in parts.
#[derive(clap::Args)]
pub struct InParts {
    /// Play one part of the games: the second of eight is `2/8`
    #[arg(long, value_name = "K/N", value_parser = Shard::read)]
    shard: Option<Shard>,
    /// Write what was counted into this file, for `merge`
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
}

impl InParts {
    /// The games of the part that is wanted; all where none is.
    ///
    /// # Errors
    /// If there are fewer games than parts.
    pub fn spec(&self, all: &Spec) -> Outcome<Spec> {
        self.shard
            .map_or_else(|| Ok(all.clone()), |shard| shard.of(all))
    }

    /// What was counted may take hours: what stands there is replaced by the same games alone, played again. Said before they are.
    ///
    /// # Errors
    /// If another simulation or tournament was saved there.
    pub fn may_save(&self, shell: &Shell, new: &Planned) -> Outcome<()> {
        let Some(path) = self.save.as_ref().filter(|path| !is_output(path)) else {
            return Ok(());
        };
        let text = files::read_text(&shell.path(path)).unwrap_or_default();
        if !is_part(&text) {
            return Ok(());
        }
        let shown = files::shown(path, &shell.context.folder);
        let differs = match part(&text, &shown) {
            Err(_) => Some("it cannot be read any more".to_owned()),
            Ok(old) if old.counted.command() != new.command => {
                Some(format!("it is one of `{}`", old.counted.command()))
            }
            Ok(old) if old.head.run() != new.head.run() => old
                .head
                .differs(&new.head)
                .map(|differs| format!("there {differs}")),
            Ok(old) if (old.first, old.played) != new.games => {
                Some("it is another part of these games".to_owned())
            }
            Ok(_) => None,
        };
        match differs {
            Some(differs) => Err(Failure::call(
                format!(
                    "`{shown}` is a part that was saved before, and not of these games: {differs}"
                ),
                "name another file, or delete that one first",
            )),
            None => Ok(()),
        }
    }

    /// Writes what was counted, where that is wanted and all games were played.
    pub fn save(
        &self,
        shell: &mut Shell,
        complete: bool,
        text: impl FnOnce() -> Result<String, String>,
    ) -> Outcome {
        match (&self.save, complete) {
            (Some(_), false) => writeln!(
                shell.err,
                "nothing was saved: a part is saved when all of its games are played"
            )?,
            (Some(path), true) => {
                let part = text().map_err(|why| Failure::call(why, "play fewer games at once"))?;
                shell.write(path, part.as_bytes())?;
            }
            (None, _) => {}
        }
        Ok(match complete {
            true => Exit::Fine,
            false => Exit::Interrupted,
        })
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

/// Games that are to be played and saved.
pub struct Planned {
    head: Head,
    /// The first of them, and how many.
    games: (u64, u64),
    command: &'static str,
}

impl Planned {
    /// The games of `own`, which are a part of `all`.
    pub fn new(
        command: &'static str,
        chosen: &Chosen,
        players: u32,
        (all, own): (&Spec, &Spec),
    ) -> Planned {
        Planned {
            head: Head::new(chosen, players, all),
            games: (own.first, own.games),
            command,
        }
    }
}

/// Some of the games, and what was counted of them.
#[derive(Debug, Serialize, Deserialize)]
struct Part {
    head: Head,
    first: u64,
    played: u64,
    counted: Counted,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Counted {
    Simulation(Box<Tally>),
    Tournament(Vec<Entrant>),
}

impl Counted {
    /// The command that counts so.
    fn command(&self) -> &'static str {
        match self {
            Counted::Simulation(_) => "simulate",
            Counted::Tournament(_) => "tournament",
        }
    }
}

/// A part, and what it is called in messages.
type Called = (Part, String);

impl Head {
    /// Of rules and what is played with them, all parts together.
    fn new(chosen: &Chosen, players: u32, all: &Spec) -> Head {
        let overlays = chosen.overlays();
        Head {
            trackwright_part: FORM,
            game: chosen.game.called.clone(),
            with: overlays.with,
            set: overlays.set,
            language: overlays.language,
            fingerprint: format!("{:016x}", chosen.rules.fingerprint()),
            players,
            seed: all.seed.to_string(),
            bots: all.bots.iter().map(ToString::to_string).collect(),
            games: all.games,
        }
    }

    /// All but the texts of the rules, which a designer changes between two calls that are the same, and their language.
    fn run(&self) -> Head {
        Head {
            fingerprint: String::new(),
            language: None,
            ..self.clone()
        }
    }

    /// The first thing in which another one is not the same: `the seed is 2, not 1`.
    fn differs(&self, other: &Head) -> Option<String> {
        let all = |head: &Head| {
            let list = |all: &[String]| match all {
                [] => "none".to_owned(),
                all => all.join(", "),
            };
            [
                ("the game is", head.game.clone()),
                ("the overlays are", list(&head.with)),
                ("the options set are", list(&head.set)),
                ("the number of players is", head.players.to_string()),
                ("the bots are", list(&head.bots)),
                ("the seed is", head.seed.clone()),
                ("the number of games is", head.games.to_string()),
                ("the language is", list(head.language.as_slice())),
            ]
        };
        let mut pairs = all(self).into_iter().zip(all(other));
        let found = pairs.find(|(own, other)| own != other);
        match found {
            Some(((what, own), (_, other))) => Some(format!("{what} {own}, not {other}")),
            None if self.fingerprint != other.fingerprint => {
                Some("the texts of the rules are other ones".to_owned())
            }
            None => None,
        }
    }
}

impl Part {
    fn text(&self) -> Result<String, String> {
        let text = toml::to_string(self).map_err(|error| error.to_string())?;
        Ok(format!("{SUM}{:016x}\n{text}", sum_of(&text)))
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
        head: Head::new(chosen, program.players, &seated),
        first,
        played: report.games,
        counted: Counted::Simulation(Box::new(report.tally.clone())),
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
        head: Head::new(chosen, program.players, all),
        first,
        played: result.games,
        counted: Counted::Tournament(result.entrants.clone()),
    };
    part.text()
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    args.files.apart(shell, &[])?;
    let whole = Whole::read(shell, &args.parts)?;
    let sides = (&whole.chosen, &whole.program);
    if let Some(Counted::Tournament(_)) = whole.counted() {
        let json = args.files.json_alone(TOURNAMENT)?;
        let result = whole.tournament()?;
        tournament::tell(shell, &whole.chosen, &result, json)?;
    } else {
        let report = whole.report()?;
        args.files.tell(shell, sides, (&report, &whole.spec), &[])?;
    }
    Ok(Exit::Fine)
}

/// Whether a text is a part of many games, be it a broken one.
pub fn is_part(text: &str) -> bool {
    text.contains(files::SAVED)
}

/// All parts, and the rules they were played with.
pub struct Whole {
    pub chosen: Chosen,
    pub program: Program,
    pub spec: Spec,
    parts: Vec<Called>,
}

impl Whole {
    /// Of files in any order.
    ///
    /// # Errors
    /// If they are not all of the same games, once each, or the rules have changed since.
    pub fn read(shell: &mut Shell, paths: &[PathBuf]) -> Outcome<Whole> {
        let mut parts = Vec::new();
        for path in paths {
            parts.push(read(shell, path)?);
        }
        let head = fitting(&mut parts)?.clone();
        let overlays = Overlays {
            with: head.with.clone(),
            set: head.set.clone(),
            language: head.language.clone(),
        };
        let chosen = Game::open(shell, &head.game)?.choose(shell, &overlays)?;
        let players = chosen.players(Some(head.players))?;
        let spec = spec(shell, &parts, &chosen)?;
        let program = lowered(shell, &chosen, players)?;
        Ok(Whole {
            chosen,
            program,
            spec,
            parts,
        })
    }

    fn counted(&self) -> Option<&Counted> {
        self.parts.first().map(|(part, _)| &part.counted)
    }

    /// What a simulation came to.
    ///
    /// # Errors
    /// If these are parts of a tournament.
    pub fn report(&self) -> Outcome<Report> {
        report(&self.chosen, &self.program, &self.spec, &self.parts)
    }

    fn tournament(&self) -> Outcome<Tournament> {
        together(&self.program, &self.spec, &self.parts)
    }
}

/// How many play in the games of parts that were written, as the first of them says.
///
/// # Errors
/// If there is none, it cannot be read, or it is of other rules.
pub fn players(chosen: &Chosen, texts: &[String]) -> Outcome<u32> {
    let text = texts.first().ok_or_else(no_parts)?;
    let shown = "part 1";
    let part = part(text, shown)?;
    of_rules(&(part, shown.to_owned()), chosen).map(|part| part.head.players)
}

/// A part, if it is of these rules.
fn of_rules<'p>((part, shown): &'p Called, chosen: &Chosen) -> Outcome<&'p Part> {
    let head = &part.head;
    if head.fingerprint == format!("{:016x}", chosen.rules.fingerprint()) {
        return Ok(part);
    }
    let overlays = chosen.overlays();
    let now = Head {
        game: chosen.game.id.clone(),
        with: overlays.with,
        set: overlays.set,
        language: head.language.clone(),
        fingerprint: String::new(),
        ..head.clone()
    };
    // It may have been called by its path.
    let called = Path::new(&head.game).file_name();
    let then = Head {
        game: called.map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
        ..head.clone()
    };
    let differs = then.differs(&now).unwrap_or_default();
    Err(Failure::call(
        format!("`{shown}` was not played with these rules: {differs}"),
        format!(
            "put it together with the rules it was played with, or play the parts again: `{} … --shard K/N --save FILE`",
            part.counted.command()
        ),
    ))
}

/// What a simulation came to, from the texts of all its parts in any order.
pub fn merged_texts(
    shell: &Shell,
    (chosen, program): (&Chosen, &Program),
    texts: &[String],
) -> Outcome<(Report, Spec)> {
    let mut parts = parsed(texts)?;
    fitting(&mut parts)?;
    let spec = spec(shell, &parts, chosen)?;
    let report = report(chosen, program, &spec, &parts)?;
    Ok((report, spec))
}

/// What a tournament came to, from the texts of all its parts in any order.
pub fn merged_tournament(
    shell: &Shell,
    (chosen, program): (&Chosen, &Program),
    texts: &[String],
) -> Outcome<Tournament> {
    let mut parts = parsed(texts)?;
    fitting(&mut parts)?;
    let spec = spec(shell, &parts, chosen)?;
    together(program, &spec, &parts)
}

fn parsed(texts: &[String]) -> Outcome<Vec<Called>> {
    let numbered = (1..).zip(texts);
    let each = numbered.map(|(number, text)| {
        let shown = format!("part {number}");
        Ok((part(text, &shown)?, shown))
    });
    each.collect()
}

/// What parts that fit were played with.
fn spec(shell: &Shell, parts: &[Called], chosen: &Chosen) -> Outcome<Spec> {
    let first = parts.first().ok_or_else(no_parts)?;
    let head = &of_rules(first, chosen)?.head;
    Ok(Spec {
        first: 0,
        games: head.games,
        seed: head.seed.parse().unwrap_or_default(),
        bots: super::bots::bots(shell, &chosen.rules, &head.bots)?,
        threads: 1,
    })
}

fn report(chosen: &Chosen, program: &Program, spec: &Spec, parts: &[Called]) -> Outcome<Report> {
    let mut all: Option<Tally> = None;
    for (part, shown) in parts {
        let Counted::Simulation(tally) = &part.counted else {
            return Err(other_kind(shown, TOURNAMENT, SIMULATION));
        };
        match &mut all {
            Some(all) => all.merge(tally),
            None => all = Some(Tally::clone(tally)),
        }
    }
    let tally = all.unwrap_or_default();
    Ok(Report::new(&chosen.rules, program, spec, tally))
}

fn together(program: &Program, spec: &Spec, parts: &[Called]) -> Outcome<Tournament> {
    let mut result = Tournament::new(program, &Entry::of(spec, false));
    for (part, shown) in parts {
        let Counted::Tournament(entrants) = &part.counted else {
            return Err(other_kind(shown, SIMULATION, TOURNAMENT));
        };
        result.merge(part.played, entrants);
    }
    Ok(result)
}

fn other_kind(shown: &str, is: &str, wanted: &str) -> Failure {
    Failure::call(
        format!("`{shown}` is a part of {is}"),
        format!("give parts of {wanted}"),
    )
}

/// Reads a part; with its path as shown.
fn read(shell: &Shell, path: &Path) -> Outcome<Called> {
    let shown = files::shown(path, &shell.context.folder);
    let text = files::read_text(&shell.path(path))
        .map_err(|(message, help)| Failure::call(format!("`{shown}`: {message}"), help))?;
    Ok((part(&text, &shown)?, shown))
}

fn part(text: &str, shown: &str) -> Outcome<Part> {
    let form = text.split_once(files::SAVED);
    let Some(form) = form.and_then(|(_, behind)| behind.lines().next()) else {
        return Err(Failure::call(
            format!("`{shown}` is no part of a simulation or tournament"),
            "name what `simulate` or `tournament` wrote with `--shard K/N --save FILE`",
        ));
    };
    if form.trim().parse() != Ok(FORM) {
        return Err(Failure::call(
            format!("`{shown}` was written by another trackwright"),
            "play the part again with this one",
        ));
    }
    let sum = text.split_once('\n');
    let sum = sum.and_then(|(line, rest)| Some((line.trim().strip_prefix(SUM)?, rest)));
    let whole = sum.is_some_and(|(sum, rest)| sum == format!("{:016x}", sum_of(rest)));
    let part = whole.then(|| toml::from_str(text).ok()).flatten();
    part.ok_or_else(|| {
        Failure::call(
            format!("`{shown}` is not as it was written: something in it was changed or lost"),
            "play the part again, or copy it again from where it was played",
        )
    })
}

/// Puts parts in order; the head that all of them share. Together they are all games.
fn fitting(parts: &mut [Called]) -> Outcome<&Head> {
    parts.sort_by_key(|(part, _)| part.first);
    let parts = &*parts;
    let Some((first, _)) = parts.first() else {
        return Err(no_parts());
    };
    if let Some(failure) = strange(parts) {
        return Err(failure);
    }
    let head = &first.head;
    let mut next = 0;
    let mut missing = Vec::new();
    for (part, shown) in parts {
        if part.first < next {
            return Err(Failure::call(
                format!("`{shown}` has games that another part has too"),
                "name each part once; all of them with the same N in `--shard K/N`",
            ));
        }
        if part.first > next {
            missing.push((next, part.first));
        }
        next = part.first + part.played;
    }
    if next < head.games {
        missing.push((next, head.games));
    }
    match missing.is_empty() {
        true => Ok(head),
        false => Err(lacking(parts, first, &missing)),
    }
}

/// A part that is of another run than most of them, if there is one.
fn strange(parts: &[Called]) -> Option<Failure> {
    let same = |(one, _): &Called, (other, _): &Called| {
        one.head == other.head && one.counted.command() == other.counted.command()
    };
    // Each votes for its own run, and takes a vote away from any other: what most have is left.
    let mut known = parts.first()?;
    let mut votes = 0_usize;
    for one in parts {
        match votes {
            0 => (known, votes) = (one, 1),
            _ if same(one, known) => votes += 1,
            _ => votes -= 1,
        }
    }
    let (odd, shown) = parts.iter().find(|one| !same(one, known))?;
    let (most, one) = known;
    let commands = (odd.counted.command(), most.counted.command());
    let differs = match odd.head.differs(&most.head) {
        Some(differs) if commands.0 == commands.1 => differs,
        _ => format!("it is one of `{}`, not of `{}`", commands.0, commands.1),
    };
    Some(Failure::call(
        format!("`{shown}` is not of the same run as `{one}`: {differs}"),
        "merge parts of one simulation or tournament, with the same game, options, players, seed, bots and number of games",
    ))
}

fn no_parts() -> Failure {
    Failure::call("there are no parts", "give all of them")
}

/// In how many parts games were played, so that each of these is one.
fn cut_in(parts: &[Called], games: u64) -> Option<u64> {
    (1..=PARTS_MAX).find(|of| {
        parts.iter().all(|(part, _)| {
            // Of the parts that begin no later, the last.
            let number =
                (u128::from(part.first) * u128::from(*of)).div_ceil(u128::from(games.max(1)));
            let shard = Shard {
                number: number as u64 + 1,
                of: *of,
            };
            shard.games(games) == (part.first..part.first + part.played)
        })
    })
}

/// Which games are missing, from and to, and how they are played.
fn lacking(parts: &[Called], one: &Part, missing: &[(u64, u64)]) -> Failure {
    let head = &one.head;
    let games = missing
        .iter()
        .map(|(from, to)| format!("{} to {}", grouped(from + 1), grouped(*to)));
    let games: Vec<String> = games.collect();
    let (mut shards, mut of) = ("K/N".to_owned(), String::new());
    if let Some(cut) = cut_in(parts, head.games) {
        let lacks = |number: &u64| {
            let shard = Shard {
                number: *number,
                of: cut,
            };
            let own = shard.games(head.games);
            let mut missing = missing.iter();
            !own.is_empty() && missing.any(|(first, end)| (*first..*end).contains(&own.start))
        };
        let lacking = (1..=cut).filter(lacks);
        let names: Vec<String> = lacking.map(|number| format!("{number}/{cut}")).collect();
        shards = names.first().cloned().unwrap_or(shards);
        of = match names.as_slice() {
            [] => of,
            [one] => format!(": part {one}"),
            several => format!(": parts {}", listed(several, "and")),
        };
    }
    let with = head
        .with
        .iter()
        .map(|one| format!(" --with {}", typed(one)));
    let set = head.set.iter().map(|one| format!(" --set {}", typed(one)));
    Failure::call(
        format!(
            "games {} of {} are missing{of}",
            listed(&games, "and"),
            grouped(head.games)
        ),
        format!(
            "`{} {}{}{} --players {} --bots {} --games {} --seed {} --shard {shards} --save FILE` plays a part",
            one.counted.command(),
            typed(&head.game),
            with.collect::<String>(),
            set.collect::<String>(),
            head.players,
            typed(&head.bots.join(",")),
            head.games,
            head.seed
        ),
    )
}
