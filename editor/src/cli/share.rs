//! `trackwright share`: a recorded game, or a simulation, as a page that a friend opens in a browser.

use super::replay::{read, rules_of, tell, tell_differs};
use super::report::Report;
use super::rules::Told;
use super::select::{Chosen, Overlays};
use super::simulate::page as page_of;
use super::{Exit, Failure, Outcome, Shell, is_output, merge};
use crate::board::Board;
use crate::files;
use crate::share::{About, page};
use crate::workshop::checker::{Checked, Request};
use crate::workshop::playtest::{Eyes, Playable, Playtest, Reload};
use dsl::diagnostic::Diagnostic;
use interpreter::playout::seat_name;
use interpreter::replay::{self, Differs};
use std::path::PathBuf;
use std::sync::Arc;

#[derive(clap::Args)]
pub struct Args {
    /// A game written by `save` or by `simulate --keep`; or a simulation: all files that `simulate --save` wrote of it
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Follow it under these rules instead of its own: name or path of a game
    #[arg(long = "of", value_name = "GAME")]
    game: Option<String>,
    #[command(flatten)]
    overlays: Overlays,
    /// The page shows what this seat saw: A, B, … (default: what somebody sees who stands by)
    #[arg(long, value_name = "SEAT", conflicts_with = "open")]
    seat: Option<String>,
    /// The page shows everything
    #[arg(long)]
    open: bool,
    /// The page is written into this file
    #[arg(long, value_name = "FILE")]
    html: PathBuf,
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    shell.can_write(&args.html)?;
    let [file] = args.files.as_slice() else {
        // Of recorded games there is one on a page.
        let texts = args
            .files
            .iter()
            .map(|file| files::read_text(&shell.path(file)));
        let recorded = texts.flatten().any(|text| text.starts_with(replay::MAGIC));
        return match recorded {
            false => simulation(shell, args),
            true => Err(Failure::call(
                "a page tells one recorded game, or the parts of one simulation",
                "share each recorded game on a page of its own",
            )),
        };
    };
    // What is wrong with the file is told by who reads it.
    let text = files::read_text(&shell.path(file)).unwrap_or_default();
    if merge::is_part(&text) {
        return simulation(shell, args);
    }
    let recorded = read(shell, file)?;
    let chosen = rules_of(shell, args.game.as_ref(), &args.overlays, &recorded)?;
    let players = recorded.players(&chosen)?;
    let eyes = super::board::eyes(args.open, args.seat.as_deref(), players)?;
    let sources = &chosen.game.loaded.sources;
    let checked = Arc::new(Checked::of(Request {
        version: 0,
        sources: sources.clone(),
        game: chosen.game.id.clone(),
        selection: chosen.selection.clone(),
        target: None,
    }));
    let game = Playable::new(checked.clone(), players);
    let game = match game {
        Ok(game) => game,
        Err(found) => return shown(shell, &chosen.game.loaded, *found),
    };
    let (playtest, reload) = Playtest::follow(game.clone(), &recorded.replay);
    let fault = match &reload {
        Reload::Fault { fault, .. } => Some(fault),
        _ => None,
    };
    let whole = playtest.filter(|_| fault.is_some() || reload == Reload::Whole);
    let Some(mut playtest) = whole else {
        let verdict = replay::verify(&chosen.rules, &game.program, &recorded.replay);
        tell(shell, &chosen, &verdict)?;
        return Err(Failure::Said);
    };
    playtest.set_eyes(match eyes {
        interpreter::ask::Eyes::Open => Eyes::All,
        interpreter::ask::Eyes::Of(Some(seat)) => Eyes::Seat(seat),
        interpreter::ask::Eyes::Of(None) => Eyes::Nobody,
    });
    let made = Board::new(sources, &checked.compiled, &game.program);
    let (board, wrong) = made.ok_or(Failure::Said)?;
    if let Some(found) = wrong.into_iter().find(Diagnostic::is_error) {
        return shown(shell, &chosen.game.loaded, found);
    }
    let names: Vec<String> = (0..players as usize).map(seat_name).collect();
    let told = Told::of(shell, &chosen).ok_or(Failure::Said)?;
    let about = About {
        title: &chosen.title(),
        names: &names,
        stops: fault.map(|fault| fault.message.as_str()),
        rules: &told.html,
        links: &|place| told.links(place),
    };
    let board = Some(&board).filter(|board| !board.is_empty());
    let text = page(&mut playtest, board, &about);
    written(shell, args, &chosen, &text)?;
    let differs = Differs::between(&chosen.rules, &game.program, &recorded.replay);
    if let Some(differs) = differs.filter(|_| fault.is_none() && !is_output(&args.html)) {
        tell_differs(shell, &differs)?;
    }
    if fault.is_some() {
        let verdict = replay::verify(&chosen.rules, &game.program, &recorded.replay);
        tell(shell, &chosen, &verdict)?;
        return Ok(Exit::AtFault);
    }
    Ok(Exit::Fine)
}

/// A simulation is told as `simulate --html` tells it.
fn simulation(shell: &mut Shell, args: &Args) -> Outcome {
    let overlays = &args.overlays;
    let asked = [
        ("--of", args.game.is_some()),
        ("--with", !overlays.with.is_empty()),
        ("--set", !overlays.set.is_empty()),
        ("--language", overlays.language.is_some()),
        ("--seat", args.seat.is_some()),
        ("--open", args.open),
    ];
    if let Some((option, _)) = asked.iter().find(|(_, asked)| *asked) {
        return Err(Failure::call(
            format!("`{option}` is for a recorded game, and this is a simulation"),
            "leave it out: a simulation is told as it was played",
        ));
    }
    let whole = merge::Whole::read(shell, &args.files)?;
    let text = page_of(&whole.chosen, &whole.program, &whole.report()?);
    written(shell, args, &whole.chosen, &text)?;
    Ok(Exit::Fine)
}

fn written(shell: &mut Shell, args: &Args, chosen: &Chosen, text: &str) -> Outcome<()> {
    shell.write(&args.html, text.as_bytes())?;
    if !is_output(&args.html) {
        let path = files::shown(&args.html, &shell.context.folder);
        writeln!(shell.out, "{}: {path}", chosen.title())?;
    }
    Ok(())
}

fn shown<T>(shell: &mut Shell, loaded: &files::Loaded, found: Diagnostic) -> Outcome<T> {
    let mut report = Report::default();
    report.add("", [found]);
    report.print(shell, loaded, true)?;
    Err(Failure::Said)
}
