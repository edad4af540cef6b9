//! `trackwright count`: how many ways there are to play on, to a depth.

use super::replay::position;
use super::report::Report;
use super::select::{Chosen, Game, Wanted, did_you_mean};
use super::simulate::{lowered, show_fault};
use super::table::{Table, write_all};
use super::{Exit, Failure, Outcome, Shell, is_output, numbers};
use crate::bench::{Bench, Stand, scenario_files};
use dsl::Heading;
use dsl::assembly::Selection;
use dsl::ir::LabelId;
use dsl::source::FileId;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use interpreter::count::{self, Begin, Level, Spec, Stopped, Unit};
use interpreter::stats::written::{count as counted, grouped, tenths};
use interpreter::words::listed;
use interpreter::{Program, State};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// The word for depth in answers.
const ANSWERS: &str = "answers";

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    wanted: Wanted,
    /// How deep: so many turns, or where the rules have no step `turn`, answers
    #[arg(long, value_name = "N", value_parser = numbers::depth, allow_negative_numbers = true)]
    depth: u32,
    /// What depth is counted in: `answers`, or the name of a step, whose passes are counted
    #[arg(long, value_name = "answers|STEP")]
    unit: Option<String>,
    /// Where to begin: a recorded game and how many of its decisions are behind (FILE:N, without N all), or the title of one of
    /// the game's scenarios, which is played to its end
    #[arg(long, value_name = "FILE:N|TITLE", conflicts_with_all = ["seed", "players"])]
    from: Option<String>,
    /// Also tell each first turn, or answer, with the ways that go on from it
    #[arg(long)]
    divide: bool,
    /// Also count how many different positions the ways lead to
    #[arg(long)]
    distinct: bool,
    /// Each outcome of `random(…)` is a way of its own; without, chance falls as the seed says, as shuffles always do
    #[arg(long)]
    every_outcome: bool,
    /// Where chance begins
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = numbers::seed, allow_negative_numbers = true)]
    seed: u64,
    /// Threads to count on (default: all of the machine); the numbers do not depend on it
    #[arg(long, value_name = "T", value_parser = numbers::threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Write all numbers as JSON into this file; `-` is the standard output, the table then goes to the error stream
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    if let Some(path) = &args.json {
        shell.can_write(path)?;
    }
    let (chosen, program, state) = begin(shell, args)?;
    let spec = Spec {
        begin: match &state {
            Some(state) => Begin::Position(state),
            None => Begin::Start(args.seed),
        },
        depth: args.depth,
        unit: unit(&chosen, &program, args.unit.as_deref())?,
        every_outcome: args.every_outcome,
        distinct: args.distinct,
        threads: args.threads.unwrap_or(shell.context.threads),
    };
    let report = counts(shell, &chosen, &program, &spec)?;
    let aside = args.json.as_deref().is_some_and(is_output);
    if aside {
        std::mem::swap(&mut shell.out, &mut shell.err);
    }
    let told = show(shell, &chosen, args, (&report, spec.threads));
    if aside {
        std::mem::swap(&mut shell.out, &mut shell.err);
    }
    told?;
    if let Some(path) = &args.json {
        shell.write(path, report.to_json().as_bytes())?;
    }
    Ok(match report.complete {
        true => Exit::Fine,
        false => Exit::Interrupted,
    })
}

// -------------------------------------------------------------------------------------------------- where to begin

/// The rules, and the position to begin at; none: where a game begins.
fn begin(shell: &mut Shell, args: &Args) -> Outcome<(Chosen, Program, Option<State>)> {
    let game = Game::open(shell, &args.wanted.game)?;
    let Some(from) = &args.from else {
        let chosen = game.choose(shell, &args.wanted.overlays)?;
        let players = chosen.players(args.wanted.players)?;
        let program = lowered(shell, &chosen, players)?;
        return Ok((chosen, program, None));
    };
    if let Some((file, heading)) = scenario(&game, from)? {
        return in_scenario(shell, args, game, file, &heading);
    }
    let (file, _) = super::replay::file_and_number(from);
    if !shell.path(Path::new(file)).is_file() {
        return Err(no_such_place(&game, from));
    }
    let (chosen, program, state) = position(shell, &args.wanted, from, &game.id)?;
    Ok((chosen, program, Some(state)))
}

/// The scenario of this title.
fn scenario(game: &Game, title: &str) -> Outcome<Option<(FileId, Heading)>> {
    let sources = &game.loaded.sources;
    let mut found: Option<(FileId, Heading)> = None;
    for file in scenario_files(sources, &game.id) {
        let same = |heading: &Heading| heading.title == title;
        for heading in dsl::headings(sources, file).into_iter().filter(same) {
            if let Some((first, _)) = &found {
                let files = [*first, file].map(|file| sources.file(file).path.clone());
                return Err(Failure::call(
                    format!("two scenarios are called \"{title}\""),
                    format!("give one of them another title: {}", listed(&files, "and")),
                ));
            }
            found = Some((file, heading));
        }
    }
    Ok(found)
}

fn no_such_place(game: &Game, from: &str) -> Failure {
    let sources = &game.loaded.sources;
    let files = scenario_files(sources, &game.id).into_iter();
    let titles: Vec<String> = files
        .flat_map(|file| dsl::headings(sources, file))
        .map(|heading| heading.title)
        .collect();
    let failure = Failure::call(
        format!(
            "`{from}` is neither a file nor the title of a scenario of {}",
            game.id
        ),
        "give `--from` a recorded game, `FILE:N` behind N of its decisions, or a scenario's title as it is written",
    );
    did_you_mean(failure, from, &titles)
}

/// Where a scenario comes to, under the rules it chooses.
fn in_scenario(
    shell: &mut Shell,
    args: &Args,
    game: Game,
    file: FileId,
    heading: &Heading,
) -> Outcome<(Chosen, Program, Option<State>)> {
    let overlays = &args.wanted.overlays;
    if !overlays.with.is_empty() || !overlays.set.is_empty() {
        return Err(Failure::call(
            "a scenario says itself under which rules it is played",
            "leave `--with` and `--set` out, or write them into the scenario",
        ));
    }
    let manifest = game.manifest(shell)?;
    let case = Bench::new(&game.loaded.sources, &game.id).case(file, heading);
    if !case.passed() {
        let mut report = Report::default();
        report.add("", game.loaded.diagnostics.iter().cloned());
        report.add("", case.mistakes);
        report.print(shell, &game.loaded, true)?;
        return Err(Failure::Said);
    }
    let Some(Stand {
        compiled,
        program,
        state,
    }) = case.stand
    else {
        return Err(Failure::Said);
    };
    let Some(rules) = compiled.rules.clone() else {
        return Err(Failure::Said);
    };
    let chosen = Chosen {
        manifest,
        selection: Selection {
            overlays: heading.with.clone(),
            options: heading.options.clone(),
            ..Selection::default()
        },
        compiled: (*compiled).clone(),
        rules,
        game,
    };
    Ok((chosen, (*program).clone(), Some(state)))
}

/// What depth is counted in.
fn unit(chosen: &Chosen, program: &Program, given: Option<&str>) -> Outcome<Unit> {
    let Some(given) = given else {
        return Ok(Unit::usual(program));
    };
    let labels = &chosen.rules.labels;
    if let Some(at) = labels.iter().position(|label| label.name == given) {
        return Ok(Unit::Passes(LabelId(at as u32)));
    }
    if given == ANSWERS {
        return Ok(Unit::Answers);
    }
    let mut known: Vec<String> = labels.iter().map(|label| label.name.clone()).collect();
    known.push(ANSWERS.to_owned());
    known.sort();
    known.dedup();
    let failure = Failure::call(
        format!("{} has no step `{given}`", chosen.rules.id),
        format!("depth can be counted in {}", listed(&known, "or")),
    );
    Err(did_you_mean(failure, given, &known))
}

// -------------------------------------------------------------------------------------------------- counting

fn counts(
    shell: &mut Shell,
    chosen: &Chosen,
    program: &Program,
    spec: &Spec<'_>,
) -> Outcome<count::Report> {
    let bar = progress_bar(shell);
    let progress = |done: u64, of: u64| {
        bar.set_length(of);
        bar.set_position(done);
    };
    let never = AtomicBool::new(false);
    let interrupted = shell.context.interrupts.map_or(&never, |listen| listen());
    let outcome = count::count(&chosen.rules, program, spec, &progress, interrupted);
    bar.finish_and_clear();
    outcome.or_else(|stopped| {
        let told = tell(shell, chosen, &stopped)?;
        Err(told)
    })
}

fn progress_bar(shell: &Shell) -> ProgressBar {
    if !shell.context.err_terminal {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {percent} %, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10)).with_style(style)
}

/// Why counting came to no end.
fn tell(shell: &mut Shell, chosen: &Chosen, stopped: &Stopped) -> Outcome<Failure> {
    Ok(match stopped {
        Stopped::Fault { fault, way } => {
            show_fault(shell, chosen, fault)?;
            if !way.is_empty() {
                writeln!(shell.err, "this was behind the answers {}", way.join("; "))?;
            }
            Failure::Said
        }
        Stopped::Endless { way } => {
            let begin: Vec<&str> = way.iter().take(WAY_SHOWN).map(String::as_str).collect();
            Failure::call(
                format!(
                    "there is a way of {} that does not come to this depth: {}; …",
                    counted(way.len(), "answer"),
                    begin.join("; ")
                ),
                "count in answers, with `--unit answers`, or in a step that takes fewer",
            )
        }
        Stopped::TooManyPositions => Failure::call(
            format!(
                "there are more than {} different positions: so many cannot be told apart",
                grouped(interpreter::bounds::COUNTED_POSITIONS_MAX)
            ),
            "leave `--distinct` out, or count less deep",
        ),
    })
}

/// Answers of a way without end that are shown.
const WAY_SHOWN: usize = 12;

// -------------------------------------------------------------------------------------------------- what is told

fn show(
    shell: &mut Shell,
    chosen: &Chosen,
    args: &Args,
    (report, threads): (&count::Report, usize),
) -> Outcome<()> {
    let paint = shell.paint();
    let title = paint.bold(&chosen.title());
    let from = match &args.from {
        Some(from) => format!("from \"{from}\""),
        None => format!(
            "from the start, {} players, seed {}",
            report.players, args.seed
        ),
    };
    let interrupted = match report.complete {
        true => "",
        false => ", interrupted: what follows is not complete",
    };
    writeln!(shell.out, "{title}: ways to play on {from}{interrupted}\n")?;
    let mut tables = vec![depths(report)];
    if args.divide {
        tables.push(firsts(report));
    }
    write_all(&tables, shell)?;
    let last = report.levels.last().map_or(0, |level| level.ways);
    let over: u64 = report.levels.iter().map(|level| level.over).sum();
    writeln!(
        shell.out,
        "{} of {}; {} over by then\n",
        counted(last as usize, "way"),
        in_units(report),
        match over {
            1 => "1 game is".to_owned(),
            over => format!("{} games are", grouped(over)),
        },
    )?;
    let all: u64 = report.levels.iter().map(|level| level.ways).sum();
    let millis = report.elapsed.as_millis().min(1 << 50) as u64;
    writeln!(
        shell.out,
        "{} s on {}, {} ways a second",
        tenths(millis as i64, 3),
        counted(threads, "thread"),
        grouped(all * 1_000 / millis.max(1)),
    )?;
    Ok(())
}

/// `3 answers`, `3 turns`
fn in_units(report: &count::Report) -> String {
    let depth = report.levels.len();
    match report.unit.as_str() {
        ANSWERS => counted(depth, "answer"),
        step => counted(depth, step),
    }
}

fn depths(report: &count::Report) -> Table {
    let distinct = report.levels.iter().any(|level| level.positions.is_some());
    let mut head = vec![
        report.unit.clone(),
        "ways".to_owned(),
        "game over".to_owned(),
    ];
    if distinct {
        head.push("positions".to_owned());
    }
    let mut table = Table::new(0, &head);
    for (depth, level) in (1..).zip(&report.levels) {
        let Level {
            ways,
            over,
            positions,
        } = level;
        let mut row = vec![grouped(depth), grouped(*ways), grouped(*over)];
        row.extend(positions.map(grouped));
        table.row(&row);
    }
    table
}

fn firsts(report: &count::Report) -> Table {
    let first = match report.unit.as_str() {
        ANSWERS => "first answer".to_owned(),
        step => format!("first {step}"),
    };
    let mut table = Table::new(1, &[first, "ways".to_owned()]);
    for first in &report.firsts {
        table.row(&[first.answers.clone(), grouped(first.ways)]);
    }
    table
}
