//! `trackwright fmt`

use super::report::Report;
use super::select::Game;
use super::{Exit, Failure, Outcome, Shell};
use crate::files::{self, Loaded, read_text};
use dsl::syntax::print;
use interpreter::stats::written::count;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Args {
    /// Change nothing, only say which files are not in their normal form
    #[arg(long)]
    check: bool,
    /// Rules files, scenarios, names or paths of games; none: all games
    #[arg(value_name = "FILE|GAME")]
    what: Vec<String>,
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    let mut files = Vec::new();
    if args.what.is_empty() {
        let library = shell.library()?;
        for id in library.ids() {
            files.extend(of_game(&Game::open(shell, &id)?));
        }
    }
    for what in &args.what {
        let path = shell.path(Path::new(what));
        if path.is_file() {
            files.push(rules_file(path, what)?);
        } else if is_formatted(&path) && !path.exists() {
            return Err(Failure::call(
                format!("there is no file `{what}`"),
                "name a file that is there, or a game",
            ));
        } else {
            files.extend(of_game(&Game::open(shell, what)?));
        }
    }
    files.sort();
    files.dedup();
    format_all(shell, &files, args.check)
}

fn rules_file(path: PathBuf, given: &str) -> Outcome<PathBuf> {
    if is_formatted(&path) {
        Ok(path)
    } else {
        Err(Failure::call(
            format!("`{given}` is no rules file"),
            "`fmt` takes files that end in `.rules` or `.scenario`, and games",
        ))
    }
}

fn is_formatted(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending == "rules" || ending == "scenario")
}

fn of_game(game: &Game) -> Vec<PathBuf> {
    let own = format!("{}/", game.id);
    let sources = &game.loaded.sources;
    let files = sources.ids().zip(&game.loaded.paths);
    files
        .filter(|(id, path)| is_formatted(path) && sources.file(*id).path.starts_with(&own))
        .map(|(_, path)| path.clone())
        .collect()
}

fn format_all(shell: &mut Shell, paths: &[PathBuf], check: bool) -> Outcome {
    let (mut changed, mut broken) = (0, 0);
    for path in paths {
        let shown = files::shown(path, &shell.context.folder);
        let text = match read_text(path) {
            Ok(text) => text,
            Err((message, help)) => {
                broken += 1;
                writeln!(shell.err, "error: {shown}: {message}\n  help: {help}")?;
                continue;
            }
        };
        let mut loaded = Loaded::default();
        let file = loaded.sources.insert(shown.clone(), text);
        loaded.paths.push(path.clone());
        match print::format(file, loaded.sources.text(file)) {
            Ok(normal) if normal == loaded.sources.text(file) => {}
            Ok(normal) => {
                changed += 1;
                if check {
                    writeln!(shell.out, "{shown} is not in its normal form")?;
                } else {
                    shell.rewrite(path, normal.as_bytes())?;
                    writeln!(shell.out, "{shown}")?;
                }
            }
            Err(diagnostics) => {
                broken += 1;
                let mut report = Report::default();
                report.add("", diagnostics);
                report.print(shell, &loaded, true)?;
            }
        }
    }
    let what = if check {
        "to change; run `trackwright fmt`"
    } else {
        "changed"
    };
    let tail = if broken == 0 {
        String::new()
    } else {
        format!("; {} with mistakes left as before", count(broken, "file"))
    };
    let what = if check && changed == 0 {
        "to change"
    } else {
        what
    };
    writeln!(
        shell.out,
        "{}, {changed} {what}{tail}",
        count(paths.len(), "file")
    )?;
    Ok(if broken > 0 || (check && changed > 0) {
        Exit::AtFault
    } else {
        Exit::Fine
    })
}
