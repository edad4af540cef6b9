//! `trackwright table`: component tables out to a spreadsheet, and in again.

use super::check::checked;
use super::select::{Chosen, Game, Overlays};
use super::{Exit, Failure, Outcome, Shell, is_output, select::did_you_mean, typed};
use crate::bench::{Bench, scenario_files};
use crate::files;
use crate::workshop::checker::{Checked, Request};
use crate::workshop::sheet::csv::{Reading, Trouble};
use crate::workshop::sheet::{FileEdit, Sheet};
use clap::Subcommand;
use dsl::diagnostic::suggest::nearest;
use dsl::service::Edit;
use dsl::source::{FileId, SourceSet};
use interpreter::stats::written::count;
use interpreter::words::listed;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Rows that are named where there are many.
const NAMED_MAX: usize = 5;

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    deed: Deed,
}

#[derive(Subcommand)]
enum Deed {
    /// Write a table into a file that spreadsheets open
    Export(Export),
    /// Take a table over from such a file, into the files its rows stand in; what cannot be read is told, and nothing written
    Import(Import),
}

#[derive(clap::Args)]
struct Which {
    /// Name or path of the game
    #[arg(value_name = "GAME")]
    game: String,
    /// Name of the table, as the rules declare it
    #[arg(value_name = "TABLE")]
    table: String,
    #[command(flatten)]
    overlays: Overlays,
    #[command(flatten)]
    file: Given,
}

/// The file, and what kind it is of.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct Given {
    /// The file as values parted by commas, semicolons or tabs; `-` is the standard output or input
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// The file as a workbook of Excel, LibreOffice and others
    #[arg(long, value_name = "FILE")]
    xlsx: Option<PathBuf>,
}

impl Given {
    fn path(&self) -> &Path {
        let path = self.csv.as_ref().or(self.xlsx.as_ref());
        path.map_or(Path::new("-"), PathBuf::as_path)
    }
}

#[derive(clap::Args)]
struct Export {
    #[command(flatten)]
    which: Which,
    /// What parts the cells: comma, semicolon, tab
    #[arg(
        long,
        value_name = "SIGN",
        default_value = "comma",
        conflicts_with = "xlsx"
    )]
    delimiter: Delimiter,
    /// Begin with a byte order mark, by which some spreadsheets know that the text is UTF-8
    #[arg(long, conflicts_with = "xlsx")]
    bom: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Delimiter {
    Comma,
    Semicolon,
    Tab,
}

#[derive(clap::Args)]
struct Import {
    #[command(flatten)]
    which: Which,
    /// Write what differs into this overlay, which must be laid on with `--with`; the game's own files stay as they are
    #[arg(long, value_name = "OVERLAY")]
    into: Option<String>,
    /// Take rows away that the file does not have
    #[arg(long)]
    remove: bool,
    /// Say what would be done, and write nothing
    #[arg(long)]
    check: bool,
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    match &args.deed {
        Deed::Export(args) => export(shell, args),
        Deed::Import(args) => import(shell, args),
    }
}

fn export(shell: &mut Shell, args: &Export) -> Outcome {
    let (_, sheet, _) = args.which.open(shell)?;
    let path = args.which.file.path();
    let bytes = match args.which.file.xlsx {
        Some(_) => sheet
            .to_xlsx()
            .map_err(|why| Failure::call(why, "write it with `--csv`"))?,
        None => {
            let delimiter = match args.delimiter {
                Delimiter::Comma => b',',
                Delimiter::Semicolon => b';',
                Delimiter::Tab => b'\t',
            };
            let mut text = sheet.to_csv(delimiter);
            if args.bom {
                text.insert(0, '\u{feff}');
            }
            text.into_bytes()
        }
    };
    shell.write(path, &bytes)?;
    if !is_output(path) {
        let there = sheet.rows.iter().filter(|row| row.removed.is_none());
        let rows = count(there.count(), "row");
        writeln!(shell.out, "{}: {rows} of `{}`", path.display(), sheet.name)?;
    }
    Ok(Exit::Fine)
}

fn import(shell: &mut Shell, args: &Import) -> Outcome {
    let which = &args.which;
    if let Some(into) = args.into.as_ref()
        && !which.overlays.with.contains(into)
    {
        return Err(Failure::call(
            format!("`--into {into}` names an overlay that is not laid on"),
            format!("add `--with {}`", typed(into)),
        ));
    }
    let path = which.file.path();
    let into = args.into.as_deref();
    let (chosen, sheet, read) = if which.file.xlsx.is_some() {
        let bytes = given(shell, path)?;
        let (chosen, sheet, checked) = which.open(shell)?;
        let read = sheet.read_xlsx(&checked, into, &bytes, args.remove);
        (chosen, sheet, read)
    } else {
        if path.extension().is_some_and(|ending| ending == "xlsx") {
            return Err(Failure::call(
                format!("`{}` is a workbook", path.display()),
                "read it with `--xlsx`",
            ));
        }
        let text = given_text(shell, path)?;
        let (chosen, sheet, checked) = which.open(shell)?;
        let read = sheet.read_csv(&checked, into, &text, args.remove);
        (chosen, sheet, read)
    };
    let reading = match read {
        Ok(reading) => reading,
        Err(troubles) => return tell(shell, path, &troubles),
    };
    let changed = fitting(shell, &chosen, &reading.edits)?;
    if !args.check {
        for (file, text) in &changed {
            let path = chosen.game.loaded.sources.find(file);
            let path = path.and_then(|id| chosen.game.loaded.paths.get(id.0 as usize));
            if let Some(path) = path {
                shell.rewrite(path, text.as_bytes())?;
            }
        }
    }
    say(shell, args, &sheet, &reading, &changed)?;
    if !changed.is_empty() {
        say_cases(shell, &chosen.game, &changed)?;
    }
    Ok(Exit::Fine)
}

/// Says how many worked cases come to something else with the table: they check, and are played here.
fn say_cases(shell: &mut Shell, game: &Game, changed: &[(String, String)]) -> Outcome<()> {
    let before = &game.loaded.sources;
    let mut after = before.clone();
    for (file, text) in changed {
        after.insert(file.as_str(), text.as_str());
    }
    let failed = failing(&after, &game.id);
    let new = match failed.is_empty() {
        true => 0,
        false => failed.difference(&failing(before, &game.id)).count(),
    };
    if new > 0 {
        let (cases, hold) = (count(new, "case"), if new == 1 { "does" } else { "do" });
        let call = shell.call(&["test", &game.called]);
        writeln!(
            shell.err,
            "note: {cases} {hold} not hold with this table: `{call}` shows what comes of it"
        )?;
    }
    Ok(())
}

/// Worked cases that come to something else than they expect: file and title of each.
fn failing(sources: &SourceSet, game: &str) -> BTreeSet<(FileId, String)> {
    let mut bench = Bench::new(sources, game);
    let mut failed = BTreeSet::new();
    for file in scenario_files(sources, game) {
        for heading in dsl::headings(sources, file) {
            if !bench.case(file, &heading).passed() {
                failed.insert((file, heading.title));
            }
        }
    }
    failed
}

/// The bytes of the file.
fn given(shell: &mut Shell, path: &Path) -> Outcome<Vec<u8>> {
    if is_output(path) {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut shell.input, &mut bytes)?;
        return Ok(bytes);
    }
    files::read_bytes(&shell.path(path))
        .map_err(|(message, help)| Failure::call(format!("`{}`: {message}", path.display()), help))
}

/// The text of the file.
fn given_text(shell: &mut Shell, path: &Path) -> Outcome<String> {
    let bytes = given(shell, path)?;
    match files::text_of(bytes) {
        Ok(text) => Ok(text),
        Err((line, message)) => {
            let help = "save it from the spreadsheet as `CSV UTF-8 (delimited)`, or as .xlsx and read it with `--xlsx`";
            let trouble = Trouble {
                line,
                column: String::new(),
                message: format!("{message}; {help}"),
            };
            tell(shell, path, &[trouble])?;
            Err(Failure::Said)
        }
    }
}

/// All that cannot be read, by line and column.
fn tell(shell: &mut Shell, path: &Path, troubles: &[Trouble]) -> Outcome {
    for trouble in troubles {
        let mut place = path.display().to_string();
        if trouble.line > 0 {
            place += &format!(", line {}", trouble.line);
        }
        if !trouble.column.is_empty() {
            place += &format!(", column `{}`", trouble.column);
        }
        writeln!(shell.err, "{place}: {}", trouble.message)?;
    }
    writeln!(shell.err, "nothing has been written")?;
    Ok(Exit::AtFault)
}

/// The texts of the files that change; rules that would not check with them are shown.
fn fitting(
    shell: &mut Shell,
    chosen: &Chosen,
    edits: &[FileEdit],
) -> Outcome<Vec<(String, String)>> {
    let mut game = chosen.game.clone();
    let all = edits.iter().flat_map(|one| {
        one.edits.iter().map(|edit| Edit {
            path: one.file.clone(),
            range: edit.range.clone(),
            text: edit.text.clone(),
        })
    });
    let mut changed = Vec::new();
    for one in edits {
        let sources = &game.loaded.sources;
        let old = sources.find(&one.file).map(|file| sources.text(file));
        let mut text = old.unwrap_or_default().to_owned();
        let mut own: Vec<Edit> = all.clone().filter(|edit| edit.path == one.file).collect();
        own.sort_by_key(|edit| edit.range.start);
        for edit in own.iter().rev() {
            text.replace_range(edit.range.clone(), &edit.text);
        }
        changed.push((one.file.clone(), text));
    }
    for (file, text) in &changed {
        game.loaded.sources.insert(file.as_str(), text.as_str());
    }
    if changed.is_empty() {
        return Ok(changed);
    }
    // With their cases, which may name what goes.
    let overlays = &chosen.selection.overlays;
    let before = checked(&chosen.game, overlays)?.report.errors;
    let report = checked(&game, overlays)?.report;
    if report.errors > before {
        report.print(shell, &game.loaded, true)?;
        writeln!(
            shell.err,
            "the game would not check with this table: nothing has been written"
        )?;
        return Err(Failure::Said);
    }
    Ok(changed)
}

fn say(
    shell: &mut Shell,
    args: &Import,
    sheet: &Sheet,
    reading: &Reading,
    changed: &[(String, String)],
) -> Outcome<()> {
    let set = count(reading.set, "cell");
    let added = count(reading.added.len(), "row");
    let mut said = format!("{}: {set} set, {added} added", sheet.name);
    let missing = count(reading.missing.len(), "row");
    if args.remove {
        said += &format!(", {missing} taken away");
    }
    let files: Vec<&str> = changed.iter().map(|(file, _)| file.as_str()).collect();
    match (files.is_empty(), args.check) {
        (true, _) if !reading.missing.is_empty() => {
            said += "; the rows that the file has are what it says";
        }
        (true, _) => said += "; the table is what the file says",
        (false, true) => said += &format!("; it would go into {}", listed(&files, "and")),
        (false, false) => said += &format!(", in {}", listed(&files, "and")),
    }
    writeln!(shell.out, "{said}")?;
    for name in reading.added.iter().take(NAMED_MAX) {
        let near = nearest(name, reading.missing.iter().map(String::as_str));
        let near =
            near.map(|near| format!(": did you mean `{near}`, which the file does not have?"));
        writeln!(shell.out, "new: `{name}`{}", near.unwrap_or_default())?;
    }
    if reading.added.len() > NAMED_MAX {
        writeln!(shell.out, "…")?;
    }
    for fresh in &reading.fresh {
        let near = fresh.near.as_ref();
        let near = near.map(|near| format!("; did you mean `{near}`?"));
        writeln!(
            shell.out,
            "`{}` is new in `{}`{}",
            fresh.value,
            fresh.column,
            near.unwrap_or_default()
        )?;
    }
    if reading.notes {
        writeln!(
            shell.err,
            "note: the workbook has notes on cells, which are not read: what is to stay stands in a column"
        )?;
    }
    if !args.remove && !reading.missing.is_empty() {
        let names: Vec<&String> = reading.missing.iter().take(NAMED_MAX).collect();
        let more = if reading.missing.len() > NAMED_MAX {
            ", …"
        } else {
            ""
        };
        let names: Vec<&str> = names.into_iter().map(String::as_str).collect();
        writeln!(
            shell.out,
            "the file does not have {missing} of the table ({}{more}): `--remove` takes away what it does not have",
            names.join(", ")
        )?;
    }
    Ok(())
}

impl Which {
    fn open(&self, shell: &mut Shell) -> Outcome<(Chosen, Sheet, Checked)> {
        let chosen = Game::open(shell, &self.game)?.choose(shell, &self.overlays)?;
        let checked = Checked::of(Request {
            version: 0,
            sources: chosen.game.loaded.sources.clone(),
            game: chosen.game.id.clone(),
            selection: chosen.selection.clone(),
            target: None,
        });
        let mut sheets = Sheet::all(&checked, &chosen.rules);
        let names: Vec<String> = sheets.iter().map(|sheet| sheet.name.clone()).collect();
        let Some(at) = names.iter().position(|name| *name == self.table) else {
            let help = match names.is_empty() {
                true => "this game has no tables of rows".to_owned(),
                false => format!("its tables: {}", listed(&names, "and")),
            };
            let mut grids = chosen.rules.grids.iter();
            let message = match grids.any(|grid| grid.name == self.table) {
                true => format!(
                    "`{}` is a table with an index, which stands in the rules: it has no rows for a spreadsheet",
                    self.table
                ),
                false => format!("{} has no table `{}`", chosen.game.called, self.table),
            };
            let failure = Failure::call(message, help);
            return Err(did_you_mean(failure, &self.table, &names));
        };
        Ok((chosen, sheets.swap_remove(at), checked))
    }
}
