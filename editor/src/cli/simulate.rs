//! `trackwright simulate`, and what bare `trackwright` does.

use super::report::{count, grouped};
use super::select::{Chosen, Game, Overlays, Wanted};
use super::table::{Table, decimal, tenths, write_all};
use super::{Exit, Failure, Outcome, Shell, is_output, numbers};
use crate::files;
use dsl::assembly::Selection;
use dsl::diagnostic::{Diagnostic, render::render};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use interpreter::Fault;
use interpreter::bots::{Bot, LOOKS, LOOKS_MAX};
use interpreter::playout::{self, Comparison, PlayoutFault, Report, Spec, Use, UseKind};
use interpreter::replay;
use interpreter::stats::{Distribution, Estimate};
use interpreter::words::listed;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Games played where nobody says how many.
const GAMES: u64 = 1_000;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    wanted: Wanted,
    /// How many games are played
    #[arg(long, value_name = "N", default_value_t = GAMES, value_parser = numbers::games, allow_negative_numbers = true)]
    games: u64,
    /// Where chance begins: the same seed gives the same games
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = numbers::seed, allow_negative_numbers = true)]
    seed: u64,
    /// Who plays, seat by seat, over again if there are fewer: random, greedy, search, search:1000
    #[arg(
        long,
        value_name = "BOT,…",
        value_delimiter = ',',
        default_value = "random"
    )]
    bots: Vec<String>,
    /// Threads to play on (default: all of the machine); the numbers do not depend on it
    #[arg(long, value_name = "T", value_parser = numbers::threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Also play without overlays and changed options, and show the differences
    #[arg(long)]
    compare: bool,
    /// Write all numbers as JSON into this file; `-` is the standard output, the tables then go to the error stream
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write all numbers as a table into this file; `-` as above
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the game into this file in which the rules fail; the only game in any case
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    let (chosen, players) = args.wanted.choose(shell)?;
    let spec = Spec {
        games: args.games,
        seed: args.seed,
        bots: bots(&args.bots, players)?,
        threads: args.threads.unwrap_or(shell.context.threads),
    };
    if args.compare && chosen.selection == Selection::default() {
        return Err(Failure::call(
            "`--compare` has nothing to compare",
            "add `--with OVERLAY` or `--set OPTION=VALUE`",
        ));
    }
    files_apart(shell, args)?;
    // What is for the standard output stands there alone.
    let files = [&args.json, &args.csv, &args.keep];
    let aside = files.into_iter().flatten().any(|path| is_output(path));
    if aside {
        std::mem::swap(&mut shell.out, &mut shell.err);
    }
    let told = tell(shell, &chosen, args, &spec);
    if aside {
        std::mem::swap(&mut shell.out, &mut shell.err);
    }
    let (report, compared, game) = told?;
    keep(shell, args.keep.as_deref(), game.as_deref())?;
    let compared = compared.as_ref();
    let json = args.json.as_ref().map(|_| report.to_json(compared));
    keep(shell, args.json.as_deref(), json.as_deref())?;
    let csv = args.csv.as_ref().map(|_| report.to_csv(compared));
    keep(shell, args.csv.as_deref(), csv.as_deref())?;
    Ok(match report.is_complete() {
        true => Exit::Fine,
        false => Exit::Interrupted,
    })
}

/// As many games as where nobody says how many, compared with the game alone where something lies over it.
pub fn compared(shell: &mut Shell, chosen: &Chosen) -> Outcome<()> {
    let players = chosen.players(None)?;
    let spec = Spec {
        games: GAMES,
        seed: 1,
        bots: vec![Bot::Random],
        threads: shell.context.threads,
    };
    let report = play(shell, chosen, players, &spec, None)?;
    show(shell, chosen, &report, &spec)?;
    if chosen.selection != Selection::default() {
        compare(shell, None, (chosen, players), &spec, &report)?;
    }
    Ok(())
}

/// Plays and tells; what came of it, what differs if that was asked, and the only game if it is to be kept.
fn tell(
    shell: &mut Shell,
    chosen: &Chosen,
    args: &Args,
    spec: &Spec,
) -> Outcome<(Report, Option<Comparison>, Option<String>)> {
    let players = chosen.players(args.wanted.players)?;
    let report = play(shell, chosen, players, spec, args.keep.as_deref())?;
    show(shell, chosen, &report, spec)?;
    let game = match args.keep.is_some() && spec.games == 1 && report.is_complete() {
        true => Some(only_game(shell, chosen, players, spec)?),
        false => None,
    };
    let compared = match args.compare && report.is_complete() {
        true => {
            let keep = args.keep.as_deref();
            Some(compare(shell, keep, (chosen, players), spec, &report)?)
        }
        false => None,
    };
    Ok((report, compared, game))
}

/// Each file that is to be written is another one, and can be written: said before the games are played, not after.
fn files_apart(shell: &Shell, args: &Args) -> Outcome<()> {
    let named = [&args.json, &args.csv, &args.keep];
    let named: Vec<&Path> = named.into_iter().flatten().map(PathBuf::as_path).collect();
    for (at, path) in named.iter().enumerate() {
        shell.can_write(path)?;
        if named[..at].contains(path) {
            return Err(Failure::call(
                format!("`{}` is named for two of the files", path.display()),
                "give `--json`, `--csv` and `--keep` a file each",
            ));
        }
    }
    Ok(())
}

/// Play-tests the default game and says what to try next.
pub fn run_default(shell: &mut Shell) -> Outcome {
    let chosen = Game::open_default(shell)?.choose(shell, &Overlays::default())?;
    let players = chosen.players(None)?;
    let spec = Spec {
        games: GAMES,
        seed: 1,
        bots: vec![Bot::Random],
        threads: shell.context.threads,
    };
    let report = play(shell, &chosen, players, &spec, None)?;
    show(shell, &chosen, &report, &spec)?;
    let id = &chosen.game.id;
    let overlay = chosen
        .manifest
        .overlays
        .iter()
        .find(|overlay| !overlay.expansion);
    let compare = overlay.map_or_else(
        || format!("simulate {id} --bots greedy,random"),
        |overlay| format!("simulate {id} --with {} --compare", overlay.id),
    );
    let command = shell.command();
    writeln!(shell.out, "\nTry next:")?;
    for (what, arguments) in [
        ("play it yourself, against bots", format!("play {id}")),
        ("see what a house rule changes", compare),
        (
            "begin a rule of your own",
            format!("new variant my-rule --of {id}"),
        ),
    ] {
        writeln!(shell.out, "  {what:<32}{command} {arguments}")?;
    }
    Ok(Exit::Fine)
}

/// The bots named; not more than seats.
pub fn bots(names: &[String], players: u32) -> Outcome<Vec<Bot>> {
    let bots = names
        .iter()
        .map(|name| bot(name))
        .collect::<Outcome<Vec<Bot>>>()?;
    if bots.len() > players as usize {
        let message = format!("{} bots for {players} players", bots.len());
        return Err(Failure::call(
            message,
            "name one bot for each seat, or fewer: they are used over again",
        ));
    }
    Ok(bots)
}

/// The bot of a name.
pub fn bot(name: &str) -> Outcome<Bot> {
    name.parse().map_err(|_| {
        let known: Vec<String> = Bot::ALL.iter().map(Bot::to_string).collect();
        let failure = Failure::call(
            format!("there is no bot `{name}`"),
            format!(
                "bots: {}; `search:1000` looks 1000 times instead of {LOOKS}, at most {LOOKS_MAX} times",
                listed(&known, "and")
            ),
        );
        super::select::did_you_mean(failure, name, &known)
    })
}

/// Plays the games with a progress bar; a fault of the rules is shown.
pub fn play(
    shell: &mut Shell,
    chosen: &Chosen,
    players: u32,
    spec: &Spec,
    keep: Option<&Path>,
) -> Outcome<Report> {
    let program = lowered(shell, chosen, players)?;
    let bar = progress_bar(shell, spec.games);
    let progress = |done: u64| {
        if done.is_multiple_of(16) || done == spec.games {
            bar.set_position(done);
        }
    };
    let never = AtomicBool::new(false);
    let interrupted = shell.context.interrupts.map_or(&never, |listen| listen());
    let outcome = playout::run(&chosen.rules, &program, spec, &progress, interrupted);
    bar.finish_and_clear();
    match outcome {
        Ok(report) => Ok(report),
        Err(fault) => {
            tell_fault(shell, chosen, (players, spec), &fault, keep)?;
            Err(Failure::Said)
        }
    }
}

/// `1,000 games of 4 players`; of a simulation that was interrupted, how many there were to be.
pub fn games_played(report: &Report) -> String {
    let games = count(report.games as usize, "game");
    let players = report.players;
    match report.is_complete() {
        true => format!("{games} of {players} players"),
        false => format!(
            "interrupted after {games} of {} of {players} players: what follows is not complete",
            grouped(report.asked)
        ),
    }
}

/// The program of a rule set; what cannot be run is shown.
pub fn lowered(shell: &mut Shell, chosen: &Chosen, players: u32) -> Outcome<interpreter::Program> {
    match interpreter::lower(&chosen.rules, players) {
        Ok(program) => Ok(program),
        Err(error) => {
            let sources = chosen.game.loaded.shown_from(&shell.context.folder);
            let diagnostic = Diagnostic::error("cannot-run", error.span, error.message);
            writeln!(
                shell.err,
                "{}",
                render(&sources, &diagnostic, shell.context.err_color)
            )?;
            Err(Failure::Said)
        }
    }
}

pub fn progress_bar(shell: &Shell, games: u64) -> ProgressBar {
    if !shell.context.err_terminal {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(
        "{bar:40} {human_pos} of {human_len} games, {per_sec}, {eta} left",
    )
    .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr_with_hz(10))
        .with_style(style)
}

/// A fault of the rules as a mistake at its place.
pub fn mistake(fault: Fault) -> Diagnostic {
    let diagnostic =
        Diagnostic::error("fault", fault.span, fault.message).here("the rules cannot go on here");
    match fault.rule {
        Some(rule) => diagnostic.label(rule, "this would be broken"),
        None => diagnostic,
    }
}

/// A fault of the rules met while playing, with its place.
pub fn show_fault(shell: &mut Shell, chosen: &Chosen, fault: &Fault) -> Outcome<()> {
    let sources = chosen.game.loaded.shown_from(&shell.context.folder);
    let diagnostic = mistake(fault.clone());
    writeln!(
        shell.err,
        "{}",
        render(&sources, &diagnostic, shell.context.err_color)
    )?;
    Ok(())
}

fn tell_fault(
    shell: &mut Shell,
    chosen: &Chosen,
    (players, spec): (u32, &Spec),
    fault: &PlayoutFault,
    keep: Option<&Path>,
) -> Outcome<()> {
    show_fault(shell, chosen, &fault.fault)?;
    let number = fault.game + 1;
    writeln!(shell.err, "this was game {number} of seed {}", spec.seed)?;
    match keep {
        Some(path) => keep_fault(shell, chosen, path, fault)?,
        None => {
            let bots: Vec<String> = (0..players)
                .map(|seat| spec.bot(seat).to_string())
                .collect();
            let mut call = vec!["simulate".to_owned(), chosen.game.called.clone()];
            call.extend(chosen.overlay_arguments());
            for (option, value) in [
                ("--players", players.to_string()),
                ("--bots", bots.join(",")),
                ("--seed", spec.seed.to_string()),
                ("--games", number.to_string()),
                ("--keep", "fault.replay".to_owned()),
            ] {
                call.extend([option.to_owned(), value]);
            }
            let call = shell.call(&call);
            let replay = shell.call(&chosen.replay_arguments("fault.replay"));
            writeln!(
                shell.err,
                "  help: `{call}` plays up to it and writes it down, `{replay}` shows it"
            )?;
        }
    }
    Ok(())
}

/// Writes down a game in which the rules failed, and says how it is looked at.
pub fn keep_fault(
    shell: &mut Shell,
    chosen: &Chosen,
    path: &Path,
    fault: &PlayoutFault,
) -> Outcome<()> {
    shell.write(path, fault.replay.as_bytes())?;
    let shown = files::shown(path, &shell.context.folder);
    let replay = shell.call(&chosen.replay_arguments(&shown));
    writeln!(
        shell.err,
        "  help: it is in {shown}; see how it came to this with `{replay}`"
    )?;
    Ok(())
}

/// The first game, as a replay.
fn only_game(shell: &mut Shell, chosen: &Chosen, players: u32, spec: &Spec) -> Outcome<String> {
    let program = lowered(shell, chosen, players)?;
    let bots: Vec<Bot> = (0..players).map(|seat| spec.bot(seat)).collect();
    let seed = playout::game_seed(spec.seed, 0);
    Ok(replay::of_bots(&chosen.rules, &program, &bots, seed))
}

fn keep(shell: &mut Shell, path: Option<&Path>, text: Option<&str>) -> Outcome<()> {
    match path.zip(text) {
        Some((path, text)) => shell.write(path, text.as_bytes()),
        None => Ok(()),
    }
}

// -------------------------------------------------------------------------------------------------- the tables

fn show(shell: &mut Shell, chosen: &Chosen, report: &Report, spec: &Spec) -> Outcome<()> {
    let paint = shell.paint();
    let title = paint.bold(&chosen.title());
    writeln!(
        shell.out,
        "{title}: {}, seed {}\n",
        games_played(report),
        report.seed
    )?;
    if report.games == 0 {
        return Ok(());
    }
    let mut tables = vec![seats(report)];
    tables.extend(scores(report));
    tables.push(length(report));
    tables.extend(uses(report));
    tables.push(unused(report));
    tables.push(endings(chosen, report));
    write_all(&tables, shell)?;
    let empty = always_zero(report);
    if !empty.is_empty() {
        writeln!(shell.out, "  always 0: {}\n", empty.join(", "))?;
    }
    let millis = report.elapsed.as_millis().min(1 << 50) as i64;
    let time = if millis < 1_000 {
        format!("{millis} ms")
    } else {
        format!("{} s", tenths(millis))
    };
    let threads = count(spec.threads, "thread");
    writeln!(
        shell.out,
        "{time} on {threads}, {} games a second",
        grouped(report.games_per_second())
    )?;
    Ok(())
}

fn seats(report: &Report) -> Table {
    let scored = !report.lines.is_empty();
    let mut head = vec!["seat", "bot", "wins", "19 of 20 times within"];
    if scored {
        head.extend(["mean score", "lowest", "¼", "half", "¾", "highest"]);
    }
    let mut table = Table::new(2, &head);
    let share = |share: Estimate| {
        [
            format!("{} %", decimal(share.value, 2)),
            format!("{} to {} %", decimal(share.low, 2), decimal(share.high, 2)),
        ]
    };
    for (at, seat) in report.seats.iter().enumerate() {
        let mut row = vec![super::play::seat_name(at), seat.bot.to_string()];
        row.extend(share(report.wins(at)));
        if scored {
            row.push(tenths(seat.total.mean().value));
            row.extend(five(&seat.total));
        }
        table.row(&row);
    }
    if report.unwon > 0 {
        let mut row = vec!["nobody".to_owned(), String::new()];
        row.extend(share(report.unwon()));
        table.row(&row);
    }
    table
}

/// Lowest, quartiles, highest.
fn five(values: &Distribution) -> [String; 5] {
    [
        values.min(),
        values.quantile(1, 4),
        values.quantile(1, 2),
        values.quantile(3, 4),
        values.max(),
    ]
    .map(|value| value.to_string())
}

/// Scores by category, for each kind of bot that plays.
fn scores(report: &Report) -> Vec<Table> {
    let mut kinds: Vec<Bot> = report.seats.iter().map(|seat| seat.bot).collect();
    kinds.sort();
    kinds.dedup();
    let tables = kinds.iter().map(|kind| {
        let name = if kinds.len() == 1 {
            "score".to_owned()
        } else {
            format!("score of {kind}")
        };
        let mut table = Table::new(
            1,
            &[name.as_str(), "mean", "lowest", "¼", "half", "¾", "highest"],
        );
        let empty = always_zero(report);
        for (line, label) in report.lines.iter().enumerate() {
            if empty.contains(&label.as_str()) {
                continue;
            }
            let mut all = Distribution::default();
            for seat in report.seats.iter().filter(|seat| seat.bot == *kind) {
                all.merge(&seat.scores[line]);
            }
            let heading = report.heading(label).to_owned();
            let mut row = vec![heading, tenths(all.mean().value)];
            row.extend(five(&all));
            table.row(&row);
        }
        table
    });
    tables.collect()
}

/// Lines of the score that never came to anything.
fn always_zero(report: &Report) -> Vec<&str> {
    let lines = report.lines.iter().enumerate();
    let empty = lines.filter(|(line, _)| {
        let mut seats = report.seats.iter().map(|seat| &seat.scores[*line]);
        seats.all(|scores| scores.min() == 0 && scores.max() == 0)
    });
    empty.map(|(_, label)| label.as_str()).collect()
}

fn length(report: &Report) -> Table {
    let mut table = Table::new(
        1,
        &[
            "length of a game",
            "mean",
            "lowest",
            "¼",
            "half",
            "¾",
            "highest",
        ],
    );
    let turns = report.turns.as_ref().map(|turns| ("turns", turns));
    for (name, values) in turns.into_iter().chain([("answers", &report.answers)]) {
        let mut row = vec![name.to_owned(), tenths(values.mean().value)];
        row.extend(five(values));
        table.row(&row);
    }
    table
}

/// Actions done and other items chosen, most frequent first; then what was never done.
fn uses(report: &Report) -> Vec<Table> {
    let is_action = |name: &str| {
        report
            .uses
            .iter()
            .any(|one| one.kind == UseKind::Action && one.name == name)
    };
    let mut shown: Vec<Use> = Vec::new();
    let named = report.uses.iter();
    for one in named.filter(|one| one.kind == UseKind::Action || !is_action(&one.name)) {
        // Several menus may have an item of one name.
        match shown.iter_mut().find(|known| known.name == one.name) {
            Some(known) => known.count += one.count,
            None => shown.push(one.clone()),
        }
    }
    shown.sort_by_key(|one| std::cmp::Reverse(one.count));
    let mut table = Table::new(1, &["done", "times", "in a game", "in 100 turns"]);
    for one in shown.iter().filter(|one| one.count > 0) {
        let per_game =
            tenths((u128::from(one.count) * 1000 / u128::from(report.games.max(1))) as i64);
        let per_turn = report
            .per_turn(one)
            .map_or_else(String::new, |per_turn| tenths(per_turn * 10));
        table.row(&[one.said.clone(), grouped(one.count), per_game, per_turn]);
    }
    let mut never = Table::new(1, &["never done"]);
    for one in shown.iter().filter(|one| one.count == 0) {
        never.row(&[&one.said]);
    }
    vec![table, never]
}

/// Names of one line of what was never used.
const UNUSED_SHOWN_MAX: usize = 8;

/// Components and rules that no game used; all of them are in the JSON file.
fn unused(report: &Report) -> Table {
    let mut table = Table::new(3, &["never used", "", ""]);
    let some = |names: &[String]| {
        let shown = names[..names.len().min(UNUSED_SHOWN_MAX)].join(", ");
        let more = names.len().saturating_sub(UNUSED_SHOWN_MAX);
        if more > 0 {
            format!("{shown} and {more} more")
        } else {
            shown
        }
    };
    for one in &report.unused {
        let how_many = format!("{} of {}", one.rows.len(), one.of);
        table.row(&[one.table.clone(), how_many, some(&one.in_brief)]);
    }
    if !report.unfired.is_empty() {
        let how_many = report.unfired.len().to_string();
        table.row(&["rules".to_owned(), how_many, some(&report.unfired)]);
    }
    table
}

/// How games ended, and where that is written.
fn endings(chosen: &Chosen, report: &Report) -> Table {
    let sources = &chosen.game.loaded.sources;
    let mut table = Table::new(2, &["end", "", "games"]);
    for (how, place, games) in &report.endings {
        let place = place.map_or_else(String::new, |span| {
            let path = &sources.file(span.file).path;
            let file = path.rsplit('/').next().unwrap_or(path);
            format!("{file}:{}", sources.line_column(span).0)
        });
        table.row(&[how.clone(), place, grouped(*games)]);
    }
    table
}

// -------------------------------------------------------------------------------------------------- comparing

fn compare(
    shell: &mut Shell,
    keep: Option<&Path>,
    (chosen, players): (&Chosen, u32),
    spec: &Spec,
    variant: &Report,
) -> Outcome<Comparison> {
    let below = needed(chosen);
    let without = match below.is_empty() {
        true => "without".to_string(),
        false => format!("with {} only", listed(&below, "and")),
    };
    let overlays = Overlays {
        with: below,
        language: chosen.selection.language.clone(),
        ..Overlays::default()
    };
    let base = chosen.game.clone().choose(shell, &overlays)?;
    base.players(Some(players))?;
    let report = play(shell, &base, players, spec, keep)?;
    let comparison = playout::compare(&report, variant);
    let paint = shell.paint();
    writeln!(
        shell.out,
        "\n{}: {} {without}, {} with",
        paint.bold("Compared"),
        count(report.games as usize, "game"),
        count(variant.games as usize, "game")
    )?;
    let same_play = report.seats == variant.seats
        && report.answers == variant.answers
        && report.turns == variant.turns;
    if same_play {
        writeln!(
            shell.out,
            "No game went differently: with these bots the change makes no difference."
        )?;
        return Ok(comparison);
    }
    for (at, line) in differences(&comparison).lines().iter().enumerate() {
        writeln!(
            shell.out,
            "{}",
            if at == 0 {
                paint.dim(line)
            } else {
                line.clone()
            }
        )?;
    }
    Ok(comparison)
}

/// The overlays that others of those chosen need: what these change is compared with the game in which those lie. If options are
/// all that is left, nothing needs them.
fn needed(chosen: &Chosen) -> Vec<String> {
    let ids = &chosen.selection.overlays;
    let overlays = chosen.manifest.overlays.iter();
    let overlays = overlays.filter(|overlay| ids.contains(&overlay.id));
    let needs: Vec<&String> = overlays.flat_map(|overlay| &overlay.needs).collect();
    ids.iter()
        .filter(|id| needs.contains(id))
        .cloned()
        .collect()
}

fn differences(comparison: &Comparison) -> Table {
    let mut table = Table::new(
        1,
        &[
            "",
            "without",
            "with",
            "difference",
            "19 of 20 times within",
            "",
        ],
    );
    for row in &comparison.rows {
        let number = |value: i64| {
            if row.decimals == 3 {
                tenths(value)
            } else {
                decimal(value, row.decimals)
            }
        };
        let value = |estimate: Option<Estimate>| {
            estimate.map_or_else(String::new, |estimate| number(estimate.value))
        };
        let within = row.difference.map_or_else(String::new, |difference| {
            format!("{} to {}", number(difference.low), number(difference.high))
        });
        let clear = if row.is_clear() { "clear" } else { "" };
        table.row(&[
            row.what.clone(),
            value(row.base),
            value(row.variant),
            value(row.difference),
            within,
            clear.to_owned(),
        ]);
    }
    table
}
