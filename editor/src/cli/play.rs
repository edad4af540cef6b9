//! `trackwright play`: people at one keyboard, and bots.

mod table;

use super::bots::{bots, tell_models};
use super::select::{Chosen, Wanted};
use super::simulate::lowered;
use super::{Exit, Failure, Outcome, Shell, numbers};
use interpreter::bots::Bot;
use interpreter::playout::seat_name;
use std::time::Duration;
use table::Table;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    wanted: Wanted,
    /// How many of them are people, from seat A on; the others are bots
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::seats, allow_negative_numbers = true)]
    people: u32,
    /// Who plays the other seats, over again if there are fewer: random, greedy, search, search:1000, learnt:FILE
    #[arg(
        long,
        value_name = "BOT,…",
        value_delimiter = ',',
        default_value = "greedy"
    )]
    bots: Vec<String>,
    /// Where chance begins (default: another one each time)
    #[arg(long, value_name = "S", value_parser = numbers::seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Bots take so long for each answer: a search tries as many ways as it can, others break off. The seed does not bring such a game again
    #[arg(long, value_name = "N", value_parser = numbers::seconds, allow_negative_numbers = true)]
    seconds: Option<u64>,
    /// Go on with a game that `save` has written
    #[arg(long, value_name = "FILE")]
    load: Option<String>,
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    let (chosen, players) = args.wanted.choose(shell)?;
    if args.people > players {
        let message = format!("{} people for {players} seats", args.people);
        return Err(Failure::call(
            message,
            format!("give `--people` a number up to {players}, or more `--players`"),
        ));
    }
    let bots = bots(shell, &chosen.rules, &args.bots)?;
    let seats = seats(players, args.people, &bots);
    let program = lowered(shell, &chosen, players)?;
    tell_models(shell, &chosen, &program, &bots)?;
    let seed = args.seed.unwrap_or_else(seed_of_the_moment);
    let time = args.seconds.map(Duration::from_secs);
    let mut table = match Table::set_up(&chosen, &program, seed, seats) {
        Ok(table) => table.with_bot_time(time),
        Err(fault) => {
            super::simulate::show_fault(shell, &chosen, &fault)?;
            return Ok(Exit::AtFault);
        }
    };
    if let Some(file) = &args.load
        && !table.load(shell, file)?
    {
        return Ok(Exit::WrongCall);
    }
    table.welcome(shell)?;
    table.play(shell)
}

/// People first, then bots.
fn seats(players: u32, people: u32, bots: &[Bot]) -> Vec<Option<Bot>> {
    let seat = |seat: u32| {
        let at = seat.checked_sub(people)? as usize;
        bots.get(at % bots.len().max(1)).cloned()
    };
    (0..players).map(seat).collect()
}

fn seed_of_the_moment() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(1, |since| since.as_millis() as u64 % 1_000_000)
}

/// `A you`, `B greedy`
fn seat_in_words(seat: usize, bot: Option<&Bot>) -> String {
    let name = seat_name(seat);
    bot.map_or_else(|| format!("{name} you"), |bot| format!("{name} {bot}"))
}

/// What a game came to, best first: ranks, scores by category.
pub fn result(
    chosen: &Chosen,
    machine: &mut interpreter::Machine,
    players: u32,
) -> super::table::Table {
    let lines: Vec<String> = chosen
        .rules
        .speech
        .scores
        .iter()
        .map(|noun| noun.heading().to_owned())
        .collect();
    let words = interpreter::words::Words::new(&chosen.rules, machine.program());
    let fates: Vec<Option<String>> = (0..players)
        .map(|seat| words.fate_of(machine, seat))
        .collect();
    let told = fates.iter().any(Option::is_some);
    let scored = !lines.is_empty();
    let mut head = vec!["place".to_owned(), "seat".to_owned()];
    if scored {
        head.push("score".to_owned());
        head.extend(lines);
    }
    if told {
        head.push(String::new());
    }
    let mut table = super::table::Table::new(2, &head);
    let ranks = machine.ranks();
    let mut seats: Vec<u32> = (0..players).collect();
    seats.sort_by_key(|seat| (ranks[*seat as usize], *seat));
    for seat in seats {
        let mut row = vec![
            format!("{}.", ranks[seat as usize]),
            seat_name(seat as usize),
        ];
        if scored {
            row.push(machine.score(seat).to_string());
            row.extend(machine.scores(seat).iter().map(i32::to_string));
        }
        if told {
            row.extend([fates[seat as usize].clone().unwrap_or_default()]);
        }
        table.row(&row);
    }
    table
}
