//! A rulebook in the terminal.

use super::paper::{Altered, Paper, Words};
use crate::cli::{Outcome, Shell};
use dsl::assembly::ChangeKind;
use interpreter::stats::written::count;

pub fn print(shell: &mut Shell, paper: &Paper) -> Outcome<()> {
    let paint = shell.paint();
    writeln!(shell.out, "{}", paint.bold(&paper.title))?;
    writeln!(shell.out, "{}", paper.players)?;
    if let Some(known) = paper.known(&str::to_owned, &str::to_owned) {
        writeln!(shell.out, "{known}")?;
    }
    changes(shell, paper)?;
    if !paper.options.is_empty() {
        writeln!(shell.out, "\n{}", paint.bold("Options"))?;
    }
    for option in &paper.options {
        let (value, kind) = (option.now_and_before(), paint.dim(&option.kind));
        writeln!(shell.out, "  {} = {value}  {kind}", option.name)?;
        words(shell, &option.words)?;
    }
    for chapter in &paper.chapters {
        writeln!(shell.out, "\n{}", paint.bold(chapter.title))?;
        for part in &chapter.parts {
            for line in part.code.lines() {
                writeln!(shell.out, "  {}", paint.cyan(line))?;
            }
            words(shell, &part.words)?;
        }
    }
    Ok(())
}

/// What the overlays and the call change.
pub fn changes(shell: &mut Shell, paper: &Paper) -> Outcome<()> {
    let paint = shell.paint();
    for erratum in &paper.errata {
        let number = count(erratum.changes.len(), "change");
        let title = paint.bold(&format!("What {} changes", erratum.title));
        writeln!(shell.out, "\n{title} ({number})")?;
        for altered in &erratum.changes {
            change(shell, altered)?;
        }
    }
    for option in &paper.turned {
        let (name, was, now) = (&option.name, &option.was, &option.now);
        writeln!(shell.out, "\n--set: {name} was {was}, now {now}")?;
    }
    Ok(())
}

fn change(shell: &mut Shell, change: &Altered) -> Outcome<()> {
    let paint = shell.paint();
    let word = match change.kind {
        ChangeKind::New => paint.green("new    "),
        ChangeKind::Added => paint.green("added  "),
        ChangeKind::Changed => paint.yellow("changed"),
        ChangeKind::Removed => paint.red("removed"),
    };
    let place = paint.dim(&change.place);
    writeln!(shell.out, "  {word} {}  {place}", change.name)?;
    if let Some((was, now)) = &change.values {
        writeln!(shell.out, "    was {was}, now {now}")?;
        return Ok(());
    }
    if let Some(cells) = &change.cells {
        writeln!(shell.out, "    {cells}")?;
        return Ok(());
    }
    for (word, text) in [("was", change.old.as_ref()), ("now", Some(&change.new))] {
        let lines = text.map_or("", String::as_str).lines().enumerate();
        for (at, line) in lines {
            let word = if at == 0 { word } else { "   " };
            writeln!(shell.out, "    {word}  {line}")?;
        }
    }
    Ok(())
}

fn words(shell: &mut Shell, words: &Words) -> Outcome<()> {
    for line in &words.doc {
        writeln!(shell.out, "      {line}")?;
    }
    for (id, text) in &words.rules {
        writeln!(shell.out, "      {id}  {text}")?;
    }
    if !words.silent.is_empty() {
        writeln!(shell.out, "      {}", words.silent.join(", "))?;
    }
    Ok(())
}
