//! `trackwright board`: a position as a picture.

use super::replay::position;
use super::report::Report;
use super::select::{Chosen, Game, Wanted};
use super::simulate::{lowered, show_fault};
use super::{Exit, Failure, Outcome, Shell, numbers};
use crate::board::{Board, Palette, svg};
use crate::files;
use dsl::diagnostic::Diagnostic;
use interpreter::ask::Eyes;
use interpreter::bots::{Bot, Patience};
use interpreter::game::Session;
use interpreter::{Program, State};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    wanted: Wanted,
    /// A recorded game, and how many of its decisions are behind (default: all): FILE:N
    #[arg(long, value_name = "FILE:N", conflicts_with_all = ["seed", "after", "players"])]
    at: Option<String>,
    /// Where chance begins
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = numbers::seed, allow_negative_numbers = true)]
    seed: u64,
    /// How many decisions bots take at random before
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = numbers::decision, allow_negative_numbers = true)]
    after: usize,
    /// Whose hidden cards are seen: A, B, … (default: nobody's)
    #[arg(long, value_name = "SEAT", conflicts_with = "open")]
    seat: Option<String>,
    /// Everything is seen
    #[arg(long)]
    open: bool,
    /// The picture is written into this file
    #[arg(long, value_name = "FILE")]
    svg: PathBuf,
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    let game = Game::open(shell, &args.wanted.game)?;
    let (chosen, program, state) = match &args.at {
        Some(at) => position(shell, &args.wanted, at, &game.id)?,
        None => played(shell, args, game)?,
    };
    let eyes = eyes(args.open, args.seat.as_deref(), program.players)?;
    let board = drawn(shell, &chosen, &program)?;
    let picture = svg(
        &board.scene(&state, eyes),
        &chosen.title(),
        &Palette::light(),
    );
    shell.write(&args.svg, picture.as_bytes())?;
    let shown = files::shown(&args.svg, &shell.context.folder);
    writeln!(shell.out, "{}: {shown}", chosen.title())?;
    Ok(Exit::Fine)
}

/// How a game is drawn; mistakes of its `board.toml` are shown.
pub fn drawn(shell: &mut Shell, chosen: &Chosen, program: &Program) -> Outcome<Board> {
    let sources = &chosen.game.loaded.sources;
    let Some((board, diagnostics)) = Board::new(sources, &chosen.compiled, program) else {
        return Err(Failure::Said);
    };
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    if failed {
        let mut report = Report::default();
        report.add("", diagnostics);
        report.print(shell, &chosen.game.loaded, true)?;
        return Err(Failure::Said);
    }
    if board.is_empty() {
        let message = format!("{} has no `board.toml` that shows anything", chosen.title());
        let help = "write one beside its `game.toml`; docs/board.md says how";
        return Err(Failure::call(message, help));
    }
    Ok(board)
}

fn played(shell: &mut Shell, args: &Args, game: Game) -> Outcome<(Chosen, Program, State)> {
    let chosen = game.choose(shell, &args.wanted.overlays)?;
    let players = chosen.players(args.wanted.players)?;
    let program = lowered(shell, &chosen, players)?;
    let state = {
        let session = Session::new(&chosen.rules, &program, args.seed);
        let mut session = match session {
            Ok(session) => session,
            Err(fault) => return fail(shell, &chosen, &fault),
        };
        for _ in 0..args.after {
            match session.bot_answer(&Bot::Random, &Patience::OWN) {
                Ok(None) => break,
                Ok(Some(answer)) => {
                    if let Err(fault) = session.answer(answer) {
                        return fail(shell, &chosen, &fault);
                    }
                }
                Err(fault) => return fail(shell, &chosen, &fault),
            }
        }
        session
            .tree()
            .node(session.tree().current())
            .state()
            .clone()
    };
    Ok((chosen, program, state))
}

fn fail<T>(shell: &mut Shell, chosen: &Chosen, fault: &interpreter::Fault) -> Outcome<T> {
    show_fault(shell, chosen, fault)?;
    Err(Failure::Said)
}

/// Whose eyes look, as `--open` and `--seat` say.
pub fn eyes(open: bool, seat: Option<&str>, players: u32) -> Outcome<Eyes> {
    if open {
        return Ok(Eyes::Open);
    }
    let Some(given) = seat else {
        return Ok(Eyes::Of(None));
    };
    let letters: Vec<String> = (0..players)
        .map(|seat| interpreter::playout::seat_name(seat as usize))
        .collect();
    match letters
        .iter()
        .position(|letter| letter.eq_ignore_ascii_case(given))
    {
        Some(seat) => Ok(Eyes::Of(Some(seat as u32))),
        None => Err(Failure::call(
            format!("there is no seat `{given}`"),
            format!("seats are {}", interpreter::words::listed(&letters, "and")),
        )),
    }
}
