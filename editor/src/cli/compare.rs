//! `trackwright compare`: two rule sets side by side, game by game.

use super::select::{Chosen, Game, Overlays, Wanted, named as named_game, overlay_ids, stem};
use super::simulate::{
    Many, aside, files_apart, keep, lowered, simulated, tell_fault, usual, watched,
};
use super::table::{Table, write_all};
use super::{Exit, Failure, Outcome, Shell};
use dsl::assembly::Selection;
use interpreter::playout::{self, Compared, Side, Spec};
use interpreter::stats::Estimate;
use interpreter::stats::written::{count, grouped, tenths};
use std::path::{Path, PathBuf};

/// A side of a comparison that adds nothing.
const NOTHING: &str = "-";

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    wanted: Wanted,
    /// What is compared: overlays and options (`forty,most_taken=2`), `-` for none; one alone is compared with the game without it.
    /// `--with` and `--set` hold on both sides
    #[arg(value_name = "OVERLAYS", required = true, num_args = 1..=2)]
    sides: Vec<String>,
    #[command(flatten)]
    many: Many,
    /// Write all numbers as JSON into this file; `-` is the standard output, the tables then go to the error stream
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write all numbers as a table into this file; `-` as above
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the game into this file in which the rules fail
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    let [first, second] = sides(shell, args)?;
    let players = first.players(args.wanted.players)?;
    second.players(Some(players))?;
    let spec = args.many.spec(shell, &first.rules, players)?;
    let files = [
        ("--json", &args.json),
        ("--csv", &args.csv),
        ("--keep", &args.keep),
    ];
    files_apart(shell, &files)?;
    let both = [&first, &second];
    let compared = play(shell, both, (players, &spec), args.keep.as_deref())?;
    let names = match &args.sides[..] {
        [first, second] => [first.as_str(), second],
        [second] => [NOTHING, second],
        _ => [NOTHING, NOTHING],
    };
    aside(shell, &files, |shell| {
        show(shell, both, names, (&compared, &spec))
    })?;
    let json = args.json.as_ref().map(|_| compared.to_json());
    keep(shell, args.json.as_deref(), json.as_deref())?;
    let csv = args.csv.as_ref().map(|_| compared.to_csv());
    keep(shell, args.csv.as_deref(), csv.as_deref())?;
    Ok(match compared.first.is_complete() {
        true => Exit::Fine,
        false => Exit::Interrupted,
    })
}

/// Plays the games of both sides; a fault of the rules is shown.
fn play(
    shell: &mut Shell,
    both: [&Chosen; 2],
    (players, spec): (u32, &Spec),
    keep: Option<&Path>,
) -> Outcome<Compared> {
    let programs = [
        lowered(shell, both[0], players)?,
        lowered(shell, both[1], players)?,
    ];
    let side = |at: usize| Side {
        rules: &both[at].rules,
        program: &programs[at],
    };
    let outcome = watched(shell, spec.games, |progress, interrupted| {
        playout::compare(side(0), side(1), spec, progress, interrupted)
    });
    match outcome {
        Ok(compared) => Ok(compared),
        Err((is_second, fault)) => {
            let chosen = both[usize::from(is_second)];
            tell_fault(shell, chosen, (players, spec), &fault, keep)?;
            Err(Failure::Said)
        }
    }
}

/// As many games as where nobody says how many, beside those of the game alone where something lies over it.
pub fn with_base(shell: &mut Shell, chosen: &Chosen) -> Outcome<()> {
    let players = chosen.players(None)?;
    let spec = usual(shell);
    if chosen.selection == Selection::default() {
        return simulated(shell, chosen, players, &spec);
    }
    let overlays = Overlays {
        with: chosen.manifest.needed(&chosen.selection.overlays),
        language: chosen.selection.language.clone(),
        ..Overlays::default()
    };
    let base = chosen.game.clone().choose(shell, &overlays)?;
    base.players(Some(players))?;
    let both = [&base, chosen];
    let compared = play(shell, both, (players, &spec), None)?;
    let name = chosen.overlay_arguments().join(" ");
    show(shell, both, [NOTHING, &name], (&compared, &spec))
}

/// Both sides. What one of them needs stands on both: a variant of an expansion is compared with the expansion.
fn sides(shell: &mut Shell, args: &Args) -> Outcome<[Chosen; 2]> {
    let game = Game::open(shell, &args.wanted.game)?;
    let manifest = game.manifest(shell)?;
    let [first, second] = match &args.sides[..] {
        [first, second] => [first.as_str(), second],
        [second] => [NOTHING, second],
        _ => [NOTHING, NOTHING],
    };
    let sides = [first, second].map(|side| named(side, &args.wanted.overlays));
    let chosen: Vec<String> = sides.iter().flat_map(|side| side.with.clone()).collect();
    let ids: Vec<String> = chosen.iter().map(|given| stem(given).to_owned()).collect();
    let needed = manifest.needed(&ids);
    let [mut first, mut second] = sides;
    for side in [&mut first, &mut second] {
        side.with.splice(0..0, needed.iter().cloned());
        // Said of both before one of them is compiled.
        overlay_ids(&manifest, &game, &side.with)?;
    }
    if first.with == second.with && first.set == second.set {
        return Err(Failure::call(
            "both sides are the same",
            "name what one of them has and the other has not: an overlay, or `OPTION=VALUE`",
        ));
    }
    let first = game.clone().choose(shell, &first)?;
    Ok([first, game.choose(shell, &second)?])
}

/// What a side of a call names, laid over what both have.
fn named(side: &str, both: &Overlays) -> Overlays {
    let mut overlays = both.clone();
    let parts = side.split(',').map(str::trim);
    for part in parts.filter(|part| !part.is_empty() && *part != NOTHING) {
        match part.contains('=') {
            true => overlays.set.push(part.to_owned()),
            false => overlays.with.push(part.to_owned()),
        }
    }
    overlays
}

/// The game, with what lies on both sides.
fn title([first, second]: [&Chosen; 2]) -> String {
    let both = |id: &&String| second.selection.overlays.contains(id);
    let shared = first.selection.overlays.iter().filter(both);
    named_game(&first.rules.title, &shared.cloned().collect::<Vec<_>>())
}

fn show(
    shell: &mut Shell,
    both: [&Chosen; 2],
    names: [&str; 2],
    (compared, spec): (&Compared, &Spec),
) -> Outcome<()> {
    let title = shell.paint().bold(&title(both));
    let [first, second] = names.map(|name| if name == NOTHING { "without" } else { name });
    let games = count(compared.first.games, "game");
    let asked = match compared.first.is_complete() {
        true => String::new(),
        false => format!(", interrupted: {} were asked for", grouped(spec.games)),
    };
    writeln!(
        shell.out,
        "{title}: {first} and {second}, {games} of {} players each with the same luck, seed {}{asked}\n",
        compared.first.players, spec.seed
    )?;
    if compared.first.games == 0 {
        return Ok(());
    }
    write_all(&[changes(compared, [first, second])], shell)?;
    for finding in compared.findings() {
        writeln!(shell.out, "  · {finding}.")?;
    }
    Ok(())
}

/// What is told of each figure.
fn changes(compared: &Compared, names: [&str; 2]) -> Table {
    let [first, second] = names;
    let head = [
        "",
        first,
        second,
        "difference",
        "19 of 20 times within",
        "by luck",
        "",
    ];
    let mut table = Table::new(1, &head);
    for change in compared.told() {
        let decimals = change.figure.unit.decimals();
        let value = |side: Option<Estimate>| {
            side.map_or_else(String::new, |side| tenths(side.value, decimals))
        };
        let within = change.difference.map(|one| one.within(decimals));
        table.row(&[
            change.figure.label.clone(),
            value(change.first),
            value(change.second),
            value(change.difference),
            within.unwrap_or_default(),
            change.luck_in_words(),
            change.verdict(),
        ]);
    }
    table
}
