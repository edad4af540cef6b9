//! `trackwright coverage`: what was never used in many games.

use super::ids;
use super::select::{Chosen, Wanted};
use super::simulate::{self, Many};
use super::{Exit, Outcome, Shell};
use dsl::source::{SourceSet, Span};
use interpreter::Program;
use interpreter::coverage::Coverage;
use interpreter::stats::written::grouped;
use std::collections::BTreeSet;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    wanted: Wanted,
    #[command(flatten)]
    many: Many,
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    let (chosen, players) = args.wanted.choose(shell)?;
    let spec = args.many.spec(shell, &chosen.rules, players)?;
    let program = simulate::lowered(shell, &chosen, players)?;
    let report = simulate::play(shell, (&chosen, &program), &spec, None, None)?;
    let paint = shell.paint();
    writeln!(
        shell.out,
        "{}: {}\n",
        paint.bold(&chosen.title()),
        simulate::games_played(&report)
    )?;
    show(shell, &chosen, &program, report.coverage())?;
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
    let refusals = coverage.requirements(program);
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
