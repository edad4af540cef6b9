//! `trackwright review`: the turns of a recorded game after which its seat would win less often than before.

use super::bots::{bots, tell_models};
use super::replay::{read, rules_of, tell};
use super::select::Overlays;
use super::simulate::{lowered, show_fault, watched};
use super::table::{Table, write_all};
use super::{Exit, Failure, Outcome, Shell, numbers};
use interpreter::game::{NodeId, Tree};
use interpreter::playout::{Look, Review, review, seat_name};
use interpreter::replay;
use interpreter::stats::written::count;
use std::path::PathBuf;

/// Games played on from the begin of each turn where nobody says how many.
const GAMES: u64 = 300;
/// Falls that are told in words.
const TOLD_MAX: usize = 5;

#[derive(clap::Args)]
pub struct Args {
    /// A game written by `save` or by `simulate --keep`
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Games that are played on from the begin of each turn
    #[arg(long, value_name = "N", default_value_t = GAMES, value_parser = numbers::games, allow_negative_numbers = true)]
    games: u64,
    /// Who plays them on, on all seats
    #[arg(long, value_name = "BOT", default_value = "random")]
    bot: String,
    /// Where chance begins
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = numbers::seed, allow_negative_numbers = true)]
    seed: u64,
    /// Threads to play on (default: all of the machine); the numbers do not depend on it
    #[arg(long, value_name = "T", value_parser = numbers::threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Follow it under these rules instead of its own: name or path of a game
    #[arg(long = "of", value_name = "GAME")]
    game: Option<String>,
    #[command(flatten)]
    overlays: Overlays,
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    let recorded = read(shell, &args.file)?;
    let chosen = rules_of(shell, args.game.as_ref(), &args.overlays, &recorded)?;
    let players = recorded.players(&chosen)?;
    let bot = bots(shell, &chosen.rules, std::slice::from_ref(&args.bot))?;
    let program = lowered(shell, &chosen, players)?;
    tell_models(shell, &chosen, &program, &bot)?;
    let (verdict, session) = replay::follow(&chosen.rules, &program, &recorded.replay);
    let Some(session) = session.filter(|_| verdict.is_complete()) else {
        tell(shell, &chosen, &verdict)?;
        return Ok(Exit::AtFault);
    };
    let Some(bot) = bot.into_iter().next() else {
        return Err(Failure::call("no bot is named", "`--bot greedy`"));
    };
    let look = Look {
        games: u32::try_from(args.games).unwrap_or(u32::MAX),
        seed: args.seed,
        bot,
        threads: args.threads.unwrap_or(shell.context.threads),
    };
    let tree = session.tree();
    let end = tree.current();
    let turns = tree.path(end).len() as u64;
    let outcome = watched(shell, turns, |progress, interrupted| {
        review(&program, (tree, end), &look, progress, interrupted)
    });
    let found = match outcome {
        Ok(Some(found)) => found,
        Ok(None) => return Ok(Exit::Interrupted),
        Err(fault) => {
            show_fault(shell, &chosen, &fault)?;
            return Err(Failure::Said);
        }
    };
    let title = shell.paint().bold(&chosen.title());
    writeln!(
        shell.out,
        "{title}: {players} players, {}; {} played on from the begin of each by {} bots, seed {}\n",
        count(found.moments.len() - 1, "turn"),
        count(args.games, "game"),
        look.bot,
        look.seed,
    )?;
    show(shell, tree, &found)?;
    Ok(Exit::Fine)
}

fn show(shell: &mut Shell, tree: &Tree, found: &Review) -> Outcome<()> {
    let falls = found.falls();
    let seats = tree.bots.len();
    let mut head = vec!["turn".to_owned(), "answers".to_owned(), "of".to_owned()];
    head.extend((0..seats).map(|seat| format!("{} wins", seat_name(seat))));
    head.push(String::new());
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let mut table = Table::new(0, &head);
    for (at, moment) in found.moments.iter().enumerate() {
        let turn = match moment.seat {
            Some(_) => (at + 1).to_string(),
            None => "end".to_owned(),
        };
        let who = moment
            .seat
            .map_or_else(String::new, |seat| seat_name(seat as usize));
        let mut row = vec![turn, moment.answers.to_string(), who];
        row.extend((0..seats).map(|seat| percent(moment.chance(seat).value)));
        let fell = falls.iter().find(|fall| fall.moment == at);
        row.push(fell.map_or_else(String::new, |fall| {
            format!("▼ {:.0}", 100.0 * (fall.before - fall.after))
        }));
        table.row(&row);
    }
    write_all(&[table], shell)?;
    if falls.is_empty() {
        writeln!(
            shell.out,
            "  in no turn a seat's chance fell by more than luck: `--games 1000` sees smaller falls, `--bot greedy` plays better"
        )?;
        return Ok(());
    }
    for fall in falls.iter().take(TOLD_MAX) {
        let [from, to] = [0, 1].map(|next: usize| found.moments[fall.moment + next].at);
        writeln!(
            shell.out,
            "  ▼ turn {}, {}: {:.0} % → {:.0} %  {}",
            fall.moment + 1,
            seat_name(fall.seat as usize),
            100.0 * fall.before,
            100.0 * fall.after,
            answers(tree, from, to),
        )?;
    }
    Ok(())
}

/// What was answered between two points of a line.
fn answers(tree: &Tree, from: NodeId, to: NodeId) -> String {
    let path = tree.path(to).into_iter();
    let behind = path.skip_while(|at| *at != from).skip(1);
    let texts = behind.filter_map(|at| tree.node(at).answer().map(|(_, text)| text.to_owned()));
    texts.collect::<Vec<String>>().join("; ")
}

/// `47 %` of hundredths of a percent.
fn percent(hundredths: i64) -> String {
    format!("{} %", (hundredths + 50) / 100)
}
