//! `trackwright train`: bots learn a game by playing it.

use super::select::{Chosen, Wanted};
use super::simulate::{keep_fault, lowered, show_fault};
use super::{Exit, Failure, Outcome, Shell, is_output, numbers};
use crate::models;
use indicatif::{ProgressBar, ProgressDrawTarget};
use interpreter::playout::{LESSON_ANSWERS_MAX, Lesson, Taught, Untaught, train};
use interpreter::stats::written::{count, grouped};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Minutes where nobody says how many games or minutes.
const MINUTES: u64 = 1;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    wanted: Wanted,
    /// For how long they play and learn; games that run then are broken off (default: 1)
    #[arg(long, value_name = "M", value_parser = numbers::minutes, allow_negative_numbers = true, conflicts_with = "games")]
    minutes: Option<u64>,
    /// How many games they play, in whole batches: the same number and seed teach the same
    #[arg(long, value_name = "N", value_parser = numbers::games, allow_negative_numbers = true)]
    games: Option<u64>,
    /// Where chance begins
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = numbers::seed, allow_negative_numbers = true)]
    seed: u64,
    /// Threads to play on (default: all of the machine); what is learnt in so many games does not depend on it
    #[arg(long, value_name = "T", value_parser = numbers::threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Where what was learnt is written (default: GAME.learnt); `-` is the standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write the game into this file in which the rules fail
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    let (chosen, players) = args.wanted.choose(shell)?;
    let file = PathBuf::from(format!("{}.learnt", chosen.game.id));
    let file = args.out.as_ref().unwrap_or(&file);
    for path in [Some(file), args.keep.as_ref()].into_iter().flatten() {
        shell.can_write(path)?;
    }
    let program = lowered(shell, &chosen, players)?;
    let lesson = Lesson {
        games: args.games,
        seed: args.seed,
        threads: args.threads.unwrap_or(shell.context.threads),
        name: file.display().to_string(),
    };
    let minutes = args.minutes.or(args.games.is_none().then_some(MINUTES));
    let time = minutes.map(|minutes| Duration::from_secs(minutes * 60));
    let begin = Instant::now();
    let never = AtomicBool::new(false);
    let interrupted = shell.context.interrupts.map_or(&never, |listen| listen());
    let bar = match shell.context.err_terminal {
        true => ProgressBar::with_draw_target(args.games, ProgressDrawTarget::stderr_with_hz(4)),
        false => ProgressBar::hidden(),
    };
    let progress = |games: u64| bar.set_position(games);
    let enough =
        || interrupted.load(Ordering::Relaxed) || time.is_some_and(|time| begin.elapsed() >= time);
    let learnt = train(&chosen.rules, &program, &lesson, &progress, &enough);
    bar.finish_and_clear();
    let Taught { model, endless } = match learnt {
        Ok(taught) => taught,
        Err(Untaught::NoEnd { endless }) => return no_end(shell, &chosen, endless),
        Err(Untaught::Fault(fault)) => {
            show_fault(shell, &chosen, &fault.fault)?;
            match &args.keep {
                Some(path) => keep_fault(shell, &chosen, path, &fault)?,
                None => writeln!(
                    shell.err,
                    "  help: with `--keep fault.replay` the game is written down"
                )?,
            }
            return Err(Failure::Said);
        }
    };
    if endless > 0 {
        writeln!(
            shell.err,
            "note: {} had not ended after {} answers and taught nothing",
            count(endless as usize, "game"),
            grouped(u64::from(LESSON_ANSWERS_MAX)),
        )?;
    }
    if model.features.is_empty() {
        writeln!(
            shell.err,
            "note: nothing that can be counted for a seat tells how these games end: all end alike, or chance alone decides; whoever plays by this plays at random"
        )?;
    }
    shell.write(file, models::write(&model).as_bytes())?;
    if !is_output(file) {
        let bot = format!("learnt:{}", file.display());
        let bots = format!("greedy,{bot}");
        let players_given = players.to_string();
        let mut call = vec!["tournament", chosen.game.called.as_str()];
        let overlays = &args.wanted.overlays;
        call.extend(overlays.with.iter().flat_map(|one| ["--with", one]));
        call.extend(overlays.set.iter().flat_map(|one| ["--set", one]));
        call.extend(["--players", &players_given, "--bots", &bots]);
        writeln!(
            shell.out,
            "{}: {} of {players} players taught what {} count for; it is written to {}\n  {}",
            chosen.title(),
            count(model.games as usize, "game"),
            count(model.features.len(), "thing"),
            file.display(),
            shell.call(&call),
        )?;
    }
    Ok(Exit::Fine)
}

/// Nothing can be learnt from games without an end.
fn no_end(shell: &mut Shell, chosen: &Chosen, endless: u64) -> Outcome {
    let title = chosen.title();
    match endless {
        0 => writeln!(
            shell.err,
            "{title}: no game came to its end in this time, so nothing was learnt and nothing written\n  help: give it more: `--minutes 5`"
        )?,
        endless => {
            let call = shell.call(&["simulate", &chosen.game.called, "--games", "100"]);
            writeln!(
                shell.err,
                "{title}: {} had not ended after {} answers, none came to its end: nothing was learnt and nothing written\n  \
                 help: `{call}` shows how games go on; an end is `finish now`, `me wins \"…\"`, or a loop `repeat n`",
                count(endless as usize, "game"),
                grouped(u64::from(LESSON_ANSWERS_MAX)),
            )?;
        }
    }
    Ok(Exit::AtFault)
}
