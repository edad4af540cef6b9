//! `trackwright coverage`: what was never used in many games.

use super::ids;
use super::report::grouped;
use super::select::{Chosen, Wanted};
use super::simulate;
use super::{Exit, Outcome, Shell, numbers};
use dsl::source::{SourceSet, Span};
use interpreter::coverage::Coverage;
use interpreter::program::ReasonKind;
use interpreter::{Program, playout};
use std::collections::BTreeSet;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    wanted: Wanted,
    /// How many games are played
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = numbers::games, allow_negative_numbers = true)]
    games: u64,
    /// Where chance begins
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = numbers::seed, allow_negative_numbers = true)]
    seed: u64,
    /// Who plays, seat by seat: random, greedy, search, search:1000
    #[arg(
        long,
        value_name = "BOT,…",
        value_delimiter = ',',
        default_value = "random"
    )]
    bots: Vec<String>,
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    let (chosen, players) = args.wanted.choose(shell)?;
    let spec = playout::Spec {
        games: args.games,
        seed: args.seed,
        bots: simulate::bots(&args.bots, players)?,
        threads: shell.context.threads,
    };
    let report = simulate::play(shell, &chosen, players, &spec, None)?;
    let program = simulate::lowered(shell, &chosen, players)?;
    let paint = shell.paint();
    writeln!(
        shell.out,
        "{}: {}\n",
        paint.bold(&chosen.title()),
        simulate::games_played(&report)
    )?;
    show(shell, &chosen, &program, &report.coverage)?;
    Ok(match report.is_complete() {
        true => Exit::Fine,
        false => Exit::Interrupted,
    })
}

/// Statements that never ran and requirements that never refused.
pub fn show(
    shell: &mut Shell,
    chosen: &Chosen,
    program: &Program,
    coverage: &Coverage,
) -> Outcome<()> {
    let sources = chosen.game.loaded.shown_from(&shell.context.folder);
    let statements = coverage.statements(program);
    let idle: Vec<Span> = statements
        .iter()
        .filter(|one| one.ran == 0)
        .map(|one| one.span)
        .collect();
    let written = requirements(program);
    let refusals: Vec<_> = coverage
        .refusals(program)
        .into_iter()
        .filter(|one| written.contains(&one.span))
        .collect();
    let silent: Vec<Span> = refusals
        .iter()
        .filter(|one| one.refused == 0)
        .map(|one| one.span)
        .collect();
    let places = [
        (
            format!(
                "{} of {} statements never ran",
                idle.len(),
                grouped(statements.len() as u64)
            ),
            idle,
        ),
        (
            format!(
                "{} of {} requirements never refused anything",
                silent.len(),
                grouped(refusals.len() as u64)
            ),
            silent,
        ),
    ];
    for (heading, spans) in places {
        writeln!(
            shell.out,
            "{heading}{}",
            if spans.is_empty() { "" } else { ":" }
        )?;
        for line in lines(chosen, &sources, &spans) {
            writeln!(shell.out, "  {line}")?;
        }
        writeln!(shell.out)?;
    }
    Ok(())
}

/// Places of what is written as a requirement: `need` and `always`. What a `where` leaves out is not counted one by one.
fn requirements(program: &Program) -> BTreeSet<Span> {
    let written = program
        .reasons
        .iter()
        .filter(|reason| matches!(reason.kind, ReasonKind::Need | ReasonKind::Rule(_)));
    written.map(|reason| reason.span).collect()
}

/// `file:line  ID, ID  text`, each line once.
fn lines(chosen: &Chosen, sources: &SourceSet, spans: &[Span]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut rows = Vec::new();
    for span in spans {
        let (line, _) = sources.line_column(*span);
        if !seen.insert((span.file, line)) {
            continue;
        }
        let text = sources
            .text(span.file)
            .lines()
            .nth(line - 1)
            .unwrap_or_default()
            .trim();
        let ids = ids::in_line(text, chosen.manifest.prefix.as_deref());
        let text = ids::without(text);
        rows.push((
            format!("{}:{line}", sources.file(span.file).path),
            text.to_owned(),
            ids,
        ));
    }
    let width = rows
        .iter()
        .map(|(place, ..)| place.len())
        .max()
        .unwrap_or(0);
    let lines = rows.into_iter().map(|(place, text, ids)| {
        let tail = if ids.is_empty() {
            String::new()
        } else {
            format!("  [{}]", ids.join(", "))
        };
        format!("{place:width$}  {text}{tail}")
    });
    lines.collect()
}
