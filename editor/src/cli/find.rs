//! `trackwright find`: a game, among thousands, in which something happens.

use super::select::{Chosen, Wanted};
use super::simulate::{Many, files_apart, keep, lowered, tell_fault, watched};
use super::table::{Table, write_all};
use super::{Exit, Failure, Outcome, Shell, numbers};
use crate::files;
use dsl::diagnostic::Diagnostic;
use dsl::diagnostic::render::render_all;
use dsl::ir::Ty;
use interpreter::Program;
use interpreter::ask::Question;
use interpreter::header;
use interpreter::playout::{self, Found, Looked, Spec, seat_name};
use interpreter::replay;
use interpreter::stats::written::{count, grouped};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    wanted: Wanted,
    /// What is to happen, in the rules language with seats A, B, …: `A.score - B.score > 60`, `finished and not winners`
    #[arg(value_name = "CONDITION")]
    condition: String,
    #[command(flatten)]
    many: Many,
    /// How many games are to be found
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::found, allow_negative_numbers = true)]
    first: usize,
    /// Write the first of them into this file, as a recorded game
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    let (chosen, players) = args.wanted.choose(shell)?;
    let spec = args.many.spec(shell, &chosen.rules, players)?;
    files_apart(shell, &[("--keep", &args.keep)])?;
    let mut program = lowered(shell, &chosen, players)?;
    let question = question(shell, &chosen, &mut program, &args.condition)?;
    let asked = (&question, args.first);
    let outcome = watched(shell, spec.games, |progress, interrupted| {
        playout::find(&chosen.rules, &program, &spec, asked, progress, interrupted)
    });
    let looked = match outcome {
        Ok(looked) => looked,
        Err(fault) => {
            tell_fault(
                shell,
                &chosen,
                (players, &spec),
                &fault,
                args.keep.as_deref(),
            )?;
            return Err(Failure::Said);
        }
    };
    show(shell, &chosen, args, (&looked, &spec))?;
    if let Some(first) = looked.found.first() {
        keep_found(shell, &chosen, args, (players, &spec), first)?;
    }
    let all = looked.found.len() >= args.first || looked.games == spec.games;
    Ok(if all { Exit::Fine } else { Exit::Interrupted })
}

/// The condition, added to the program.
fn question(
    shell: &mut Shell,
    chosen: &Chosen,
    program: &mut Program,
    text: &str,
) -> Outcome<Question> {
    let sources = &chosen.game.loaded.sources;
    let checked = match dsl::expression(sources, &chosen.compiled, text) {
        Ok(checked) => checked,
        Err(diagnostics) => return Err(say(shell, chosen, text, diagnostics)),
    };
    if checked.0.ty != Ty::Bool {
        return Err(Failure::call(
            format!("`{text}` does not say whether something holds"),
            "compare it with something: `A.score > 60`",
        ));
    }
    let added = Question::new(&chosen.rules, program, &checked, 0);
    added.map_err(|error| {
        let diagnostic = Diagnostic::error("cannot-ask", error.span, error.message);
        say(shell, chosen, text, vec![diagnostic])
    })
}

/// Shows what is wrong with the condition.
fn say(shell: &mut Shell, chosen: &Chosen, text: &str, diagnostics: Vec<Diagnostic>) -> Failure {
    let mut sources = chosen.game.loaded.shown_from(&shell.context.folder);
    sources.insert("CONDITION", text);
    let shown = render_all(&sources, diagnostics.iter(), shell.context.err_color);
    match writeln!(shell.err, "{shown}") {
        Ok(()) => Failure::call(
            "the condition cannot be asked",
            "it is written as in a scenario's `expect`: `A.score > 60`, `finished and B.score = 0`",
        ),
        Err(error) => Failure::Io(error),
    }
}

fn show(
    shell: &mut Shell,
    chosen: &Chosen,
    args: &Args,
    (looked, spec): (&Looked, &Spec),
) -> Outcome<()> {
    let title = shell.paint().bold(&chosen.title());
    let found = match looked.found.len() {
        0 => "in none".to_owned(),
        some => format!("in {}", grouped(some as u64)),
    };
    writeln!(
        shell.out,
        "{title}: `{}` {found} of {}, seed {}",
        args.condition,
        count(looked.games, "game"),
        spec.seed
    )?;
    if looked.found.is_empty() {
        return Ok(());
    }
    writeln!(shell.out)?;
    let mut table = Table::new(0, &["game", "seed", "after answers", "", "scores"]);
    for one in &looked.found {
        let scores = one.scores.iter().enumerate();
        let scores: Vec<String> = scores
            .map(|(seat, score)| format!("{} {score}", seat_name(seat)))
            .collect();
        table.row(&[
            grouped(one.game + 1),
            one.seed.to_string(),
            one.answers.to_string(),
            if one.over { "at its end" } else { "" }.to_owned(),
            scores.join(", "),
        ]);
    }
    Ok(write_all(&[table], shell)?)
}

/// Writes the game down, to its end, and says how to see the moment.
fn keep_found(
    shell: &mut Shell,
    chosen: &Chosen,
    args: &Args,
    (players, spec): (u32, &Spec),
    found: &Found,
) -> Outcome<()> {
    let Some(path) = &args.keep else {
        let help = "with `--keep FILE` the first is written down as a recorded game";
        return Ok(writeln!(shell.out, "  {help}")?);
    };
    let program = lowered(shell, chosen, players)?;
    let bots = spec.seated(players);
    let text = replay::of_bots(&chosen.rules, &program, &bots, found.seed);
    keep(shell, Some(path), Some(&text))?;
    let Ok(recorded) = replay::parse(&text) else {
        return Ok(());
    };
    let (_, session) = replay::follow(&chosen.rules, &program, &recorded);
    let Some(session) = session else {
        return Ok(());
    };
    let path_of = session.tree().path(session.tree().current());
    let answers = |node| session.tree().node(node).state().words()[header::ANSWERS] as u32;
    let there = path_of
        .iter()
        .position(|node| answers(*node) >= found.answers);
    let shown = files::shown(path, &shell.context.folder);
    let mut call = chosen.replay_arguments(&shown);
    if let Some(there) = there.filter(|_| !found.over) {
        call.extend(["--until".to_owned(), there.to_string()]);
    }
    let call = shell.call(&call);
    writeln!(shell.out, "  it is in {shown}; see it with `{call}`")?;
    Ok(())
}
