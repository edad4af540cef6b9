//! `trackwright tournament`: bots against one another.

use super::bots::{bots, tell_models};
use super::merge::{self, InParts, Planned};
use super::select::{Chosen, Wanted};
use super::simulate::{aside, files_apart, keep_fault, lowered, show_fault, watched};
use super::table::{Table, write_all};
use super::{Failure, Outcome, Shell, numbers};
use interpreter::bots::Bot;
use interpreter::playout::{ENTRANTS_MAX, Entry, Spec, Tournament, tournament};
use interpreter::stats::Estimate;
use interpreter::stats::written::{count, grouped, tenths};
use std::path::PathBuf;

/// Games played where nobody says how many.
const GAMES: u64 = 200;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    wanted: Wanted,
    /// Who plays: random, greedy, search, search:1000, learnt:FILE, search:1000:FILE; each has every seat as often as the others
    #[arg(
        long,
        value_name = "BOT,…",
        value_delimiter = ',',
        default_value = "random,greedy"
    )]
    bots: Vec<String>,
    /// How many games are played
    #[arg(long, value_name = "N", default_value_t = GAMES, value_parser = numbers::games, allow_negative_numbers = true)]
    games: u64,
    /// Where chance begins: the same seed gives the same games
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = numbers::seed, allow_negative_numbers = true)]
    seed: u64,
    /// Threads to play on (default: all of the machine); the numbers do not depend on it
    #[arg(long, value_name = "T", value_parser = numbers::threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Write all numbers as JSON into this file; `-` is the standard output, the tables then go to the error stream
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Say how long each bot thought for an answer, where it had a choice
    #[arg(long)]
    times: bool,
    /// Write the game into this file in which the rules fail
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
    #[command(flatten)]
    in_parts: InParts,
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    let (chosen, players) = args.wanted.choose(shell)?;
    let all = Spec {
        bots: entered(shell, &chosen, &args.bots, players)?,
        first: 0,
        games: args.games,
        seed: args.seed,
        threads: args.threads.unwrap_or(shell.context.threads),
    };
    let own = args.in_parts.spec(&all)?;
    let entry = Entry::of(&own, args.times);
    let files = [
        ("--json", &args.json),
        ("--keep", &args.keep),
        ("--save", &args.in_parts.save),
    ];
    files_apart(shell, &files)?;
    let planned = Planned::new("tournament", &chosen, players, (&all, &own));
    args.in_parts.may_save(shell, &planned)?;
    let program = lowered(shell, &chosen, players)?;
    tell_models(shell, &chosen, &program, &entry.bots)?;
    let outcome = watched(shell, entry.games, |progress, interrupted| {
        tournament(&chosen.rules, &program, &entry, progress, interrupted)
    });
    let result = match outcome {
        Ok(result) => result,
        Err(fault) => {
            show_fault(shell, &chosen, &fault.fault)?;
            writeln!(
                shell.err,
                "this was game {} of seed {}",
                fault.game + 1,
                entry.seed
            )?;
            match &args.keep {
                Some(path) => keep_fault(shell, &chosen, path, &fault)?,
                None => writeln!(
                    shell.err,
                    "  help: with `--keep fault.replay` it is written down"
                )?,
            }
            return Err(Failure::Said);
        }
    };
    tell(shell, &chosen, &result, &args.json)?;
    args.in_parts.save(shell, result.is_complete(), || {
        merge::written_tournament((&chosen, &program), &all, entry.first, &result)
    })
}

/// Tells what a tournament came to, and writes it.
pub fn tell(
    shell: &mut Shell,
    chosen: &Chosen,
    result: &Tournament,
    json: &Option<PathBuf>,
) -> Outcome<()> {
    let files = [("--json", json)];
    aside(shell, &files, |shell| show(shell, &chosen.title(), result))?;
    match json {
        Some(path) => shell.write(path, result.to_json(&chosen.rules).as_bytes()),
        None => Ok(()),
    }
}

/// The bots of a tournament.
pub fn entered(
    shell: &Shell,
    chosen: &Chosen,
    names: &[String],
    players: u32,
) -> Outcome<Vec<Bot>> {
    if players < 2 {
        return Err(Failure::call(
            "a tournament takes two players",
            "give `--players 2`, or more",
        ));
    }
    let bots = bots(shell, &chosen.rules, names)?;
    let twice = (0..bots.len()).find(|at| bots[..*at].contains(&bots[*at]));
    if let Some(at) = twice {
        return Err(Failure::call(
            format!("`{}` is named twice", bots[at]),
            "each bot plays against the others; name it once",
        ));
    }
    if !(2..=ENTRANTS_MAX).contains(&bots.len()) {
        return Err(Failure::call(
            format!("{} in a tournament", count(bots.len(), "bot")),
            format!("name 2 to {ENTRANTS_MAX}: `--bots random,greedy,search`"),
        ));
    }
    Ok(bots)
}

fn show(shell: &mut Shell, title: &str, result: &Tournament) -> Outcome<()> {
    let title = shell.paint().bold(title);
    let games = match result.is_complete() {
        true => count(result.games, "game"),
        false => format!(
            "interrupted after {} of {}: what follows is not complete",
            count(result.games, "game"),
            result.asked
        ),
    };
    writeln!(
        shell.out,
        "{title}: tournament, {games} of {} players, seed {}\n",
        result.players, result.seed
    )?;
    if result.games == 0 {
        return Ok(());
    }
    // Of what was never seen nothing is known.
    let known = |seen: u64, text: String| if seen == 0 { "–".to_owned() } else { text };
    let within = |share: Estimate| format!("{} %", share.within(2));
    let percent = |share: Estimate| format!("{} %", tenths(share.value, 2));
    let mut head = vec!["bot", "rating", "seats", "wins", "19 of 20 times within"];
    head.extend(result.scored.then_some("mean score"));
    let mut standing = Table::new(1, &head);
    let ratings = result.ratings();
    let mut order: Vec<usize> = (0..ratings.len()).collect();
    order.sort_by_key(|at| (-ratings[*at], *at));
    for at in &order {
        let entrant = &result.entrants[*at];
        let mut row = vec![
            result.bots[*at].to_string(),
            ratings[*at].to_string(),
            entrant.seats.to_string(),
            known(entrant.seats, percent(result.wins(*at))),
            known(entrant.seats, within(result.wins(*at))),
        ];
        row.extend(result.scored.then(|| tenths(entrant.total.mean().value, 3)));
        standing.row(&row);
    }
    let mut pairs = Table::new(
        2,
        &[
            "a better place",
            "than",
            "so often",
            "19 of 20 times within",
            "met",
        ],
    );
    for (place, at) in order.iter().enumerate() {
        for other in &order[place + 1..] {
            let better = result.better(*at, *other);
            let met = result.entrants[*at].against[*other].0;
            pairs.row(&[
                result.bots[*at].to_string(),
                result.bots[*other].to_string(),
                known(met, percent(better)),
                known(met, within(better)),
                met.to_string(),
            ]);
        }
    }
    write_all(&[standing, pairs], shell)?;
    if !result.thinking.is_empty() {
        let mut times = Table::new(1, &["bot", "a decision takes", "the longest", "decisions"]);
        for at in &order {
            let thinking = &result.thinking[*at];
            let mean = thinking.time.as_secs_f64() / thinking.decisions.max(1) as f64;
            times.row(&[
                result.bots[*at].to_string(),
                known(thinking.decisions, taken(mean)),
                known(thinking.decisions, taken(thinking.longest.as_secs_f64())),
                grouped(thinking.decisions),
            ]);
        }
        write_all(&[times], shell)?;
    }
    if !result.games.is_multiple_of(result.round) {
        writeln!(
            shell.out,
            "  with {} games, or a multiple of that, every bot has every seat as often as the others",
            result.round
        )?;
    }
    Ok(())
}

/// `0.03 ms`, `12 ms`, `1.4 s`
fn taken(seconds: f64) -> String {
    match seconds {
        long if long >= 1.0 => format!("{long:.1} s"),
        short if short >= 0.01 => format!("{:.0} ms", short * 1e3),
        shorter => format!("{:.2} ms", shorter * 1e3),
    }
}
