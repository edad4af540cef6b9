//! `trackwright gallery`: a page of what bots make of each game and expansion, and a table of all of them.

use super::select::{Chosen, Game, Overlays};
use super::simulate::{Many, lowered, page, play};
use super::{Exit, Outcome, Shell, not_writable};
use crate::files;
use interpreter::playout::Report;
use interpreter::stats::written::{count, grouped, tenths};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The table of all pages, in the gallery's folder.
const TABLE: &str = "README.md";

/// What it begins with.
const HEADING: &str = "# What bots make of the games\n";

#[derive(clap::Args)]
pub struct Args {
    /// The folder that the pages are written into
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Names or paths of games (default: all)
    #[arg(value_name = "GAME")]
    chosen: Vec<String>,
    /// Write the table of all pages into this file (default: `README.md` beside them)
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    #[command(flatten)]
    many: Many,
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    let games = match args.chosen.is_empty() {
        true => super::check::all_games(shell)?,
        false => args.chosen.clone(),
    };
    let made = std::fs::create_dir_all(shell.path(&args.folder));
    made.map_err(|error| not_writable(&args.folder, &error))?;
    let mut rows = String::new();
    for game in &games {
        let game = Game::open(shell, game)?;
        if game.is_family() {
            continue;
        }
        let manifest = game.manifest(shell)?;
        let mut sets: Vec<Vec<String>> = vec![Vec::new()];
        for expansion in manifest.overlays.iter().filter(|overlay| overlay.expansion) {
            let mut with = expansion.needs.clone();
            with.push(expansion.id.clone());
            sets.push(with);
        }
        for with in sets {
            let overlays = Overlays {
                with,
                ..Overlays::default()
            };
            let chosen = game.clone().choose(shell, &overlays)?;
            match one(shell, &chosen, args)? {
                Some(row) => rows += &row,
                None => return Ok(Exit::Interrupted),
            }
        }
    }
    let text = format!(
        "{HEADING}\nMade by `trackwright gallery FOLDER --games {}{}`. Each page has the findings in sentences, plots, the board coloured by use,\nwhat was never used, and the closest and the most one-sided game. Bots only show what bots do: what stands out is a question to the\ndesigner, not an answer. In brackets stands the interval in which a value lies 19 of 20 times.\n\n| game | page | players | length | points of a seat | the first seat wins | what stands out first |\n|---|---|---:|---:|---:|---:|---|\n{rows}",
        args.many.games,
        args.many.bots_argument(),
    );
    let beside = args.folder.join(TABLE);
    let table = args.table.as_ref().unwrap_or(&beside).clone();
    shell.write(&table, text.as_bytes())?;
    let shown = files::shown(&table, &shell.context.folder);
    writeln!(shell.out, "{}: {shown}", count(games.len(), "game"))?;
    Ok(Exit::Fine)
}

/// Plays one game and writes its page; its row of the table, none if somebody pressed Ctrl-C.
fn one(shell: &mut Shell, chosen: &Chosen, args: &Args) -> Outcome<Option<String>> {
    let players = chosen.players(None)?;
    let spec = args.many.spec(shell, &chosen.rules, players)?;
    let program = lowered(shell, chosen, players)?;
    let report = play(shell, (chosen, &program), &spec, None, None)?;
    if !report.is_complete() {
        return Ok(None);
    }
    let overlays = &chosen.selection.overlays;
    let mut name = vec![chosen.game.id.clone()];
    name.extend(overlays.iter().cloned());
    let file = format!("{}.html", name.join("+"));
    let text = page(chosen, &program, &report);
    shell.write(&args.folder.join(&file), text.as_bytes())?;
    writeln!(shell.out, "{}: {file}", chosen.title())?;
    Ok(Some(row(chosen, &report, Path::new(&file))))
}

fn row(chosen: &Chosen, report: &Report, file: &Path) -> String {
    let length = match report.turns() {
        Some(turns) => format!("{} turns", tenths(turns.mean().value, 3)),
        None => format!("{} answers", tenths(report.answers().mean().value, 3)),
    };
    let scores = report.all_scores();
    let points = match scores.is_empty() {
        true => "–".to_owned(),
        false => format!(
            "{}, {} to {}",
            tenths(scores.mean().value, 3),
            scores.min(),
            scores.max()
        ),
    };
    let findings = report.findings();
    let first = findings.iter().find(|one| one.stands_out);
    let first = first.map_or_else(String::new, |one| one.text.replace('|', "\\|"));
    let mut text = String::new();
    // Writing into a string cannot fail.
    let _ = writeln!(
        text,
        "| {} | `{}` | {} | {length} | {points} | {} | {first} |",
        chosen.title(),
        file.display(),
        grouped(report.players.into()),
        report.wins(0).percent(),
    );
    text
}
