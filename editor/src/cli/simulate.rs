//! `trackwright simulate`, and what bare `trackwright` does.

use super::bots::{bots, tell_models};
use super::merge::{self, InParts, Planned};
use super::select::{Chosen, Game, Overlays, Wanted};
use super::{Exit, Failure, Outcome, Shell, is_output, numbers, tables};
use crate::files::{self, Growing};
use crate::page::Page;
use dsl::diagnostic::{Diagnostic, render::render};
use dsl::ir::RuleSet;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use interpreter::bots::Bot;
use interpreter::playout::{self, Figures, PlayoutFault, Report, Row, Spec};
use interpreter::replay;
use interpreter::stats::written::{count, grouped};
use interpreter::words::listed;
use interpreter::{Fault, Program};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Games played where nobody says how many.
const GAMES: u64 = 1_000;

/// Many games of bots.
#[derive(clap::Args)]
pub struct Many {
    /// How many games are played
    #[arg(long, value_name = "N", default_value_t = GAMES, value_parser = numbers::games, allow_negative_numbers = true)]
    pub games: u64,
    /// Where chance begins: the same seed gives the same games
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = numbers::seed, allow_negative_numbers = true)]
    pub seed: u64,
    /// Who plays, seat by seat, over again if there are fewer: random, greedy, search, search:1000, learnt:FILE, search:1000:FILE
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
}

impl Many {
    /// `--bots` as it was given; nothing where it says nothing new.
    pub fn bots_argument(&self) -> String {
        match self.bots.iter().all(|bot| bot == Bot::Random.name()) {
            true => String::new(),
            false => format!(" --bots {}", self.bots.join(",")),
        }
    }

    /// What is to be played by so many players.
    pub fn spec(&self, shell: &Shell, rules: &RuleSet, players: u32) -> Outcome<Spec> {
        Ok(Spec {
            first: 0,
            games: self.games,
            seed: self.seed,
            bots: seated(shell, rules, &self.bots, players)?,
            threads: self.threads.unwrap_or(shell.context.threads),
        })
    }
}

/// Files that many games are written into.
#[derive(clap::Args)]
pub struct Files {
    /// Write all numbers as JSON into this file; `-` is the standard output, the tables then go to the error stream
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write all numbers as a table into this file; `-` as above
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write a page with findings and plots into this file, to be opened in a browser or mailed; `-` as above
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// A file that a call names, with the option that names it.
pub type Named<'f> = (&'static str, &'f Option<PathBuf>);

impl Files {
    fn named<'f>(&'f self, more: &[Named<'f>]) -> Vec<Named<'f>> {
        let own = [
            ("--json", &self.json),
            ("--csv", &self.csv),
            ("--html", &self.html),
        ];
        own.into_iter().chain(more.iter().copied()).collect()
    }

    /// These and more can be written, each is another one.
    pub fn apart(&self, shell: &mut Shell, more: &[Named]) -> Outcome<()> {
        files_apart(shell, &self.named(more))
    }

    /// The file for JSON, where something else is told than a simulation, which has nothing for the others.
    pub fn json_alone(&self, of: &str) -> Outcome<&Option<PathBuf>> {
        let others = [("--csv", &self.csv), ("--html", &self.html)];
        match others.iter().find(|(_, path)| path.is_some()) {
            Some((option, _)) => Err(Failure::call(
                format!("`{option}` is for simulations, and these are parts of {of}"),
                "leave it out; `--json FILE` writes all numbers",
            )),
            None => Ok(&self.json),
        }
    }

    /// Tells what many games came to, and writes it.
    pub fn tell(
        &self,
        shell: &mut Shell,
        (chosen, program): (&Chosen, &Program),
        (report, spec): (&Report, &Spec),
        more: &[Named],
    ) -> Outcome<()> {
        aside(shell, &self.named(more), |shell| {
            tables::show(shell, chosen, report, spec)
        })?;
        let json = self.json.as_ref().map(|_| report.to_json());
        keep(shell, self.json.as_deref(), json.as_deref())?;
        let csv = self.csv.as_ref().map(|_| report.to_csv());
        keep(shell, self.csv.as_deref(), csv.as_deref())?;
        let html = self.html.as_ref().map(|_| page(chosen, program, report));
        keep(shell, self.html.as_deref(), html.as_deref())
    }
}

/// A report as a page.
pub fn page(chosen: &Chosen, program: &Program, report: &Report) -> String {
    let page = Page {
        title: &chosen.title(),
        sources: &chosen.game.loaded.sources,
        compiled: &chosen.compiled,
        rules: &chosen.rules,
        program,
        report,
    };
    page.html()
}

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    wanted: Wanted,
    #[command(flatten)]
    many: Many,
    #[command(flatten)]
    files: Files,
    /// Write a row for each game into this file; `-` as above
    #[arg(long, value_name = "FILE")]
    games_csv: Option<PathBuf>,
    /// Write the game into this file in which the rules fail; the only game in any case
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
    #[command(flatten)]
    in_parts: InParts,
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    let (chosen, players) = args.wanted.choose(shell)?;
    let all = args.many.spec(shell, &chosen.rules, players)?;
    let spec = args.in_parts.spec(&all)?;
    let more = [
        ("--games-csv", &args.games_csv),
        ("--keep", &args.keep),
        ("--save", &args.in_parts.save),
    ];
    args.files.apart(shell, &more)?;
    let seated = Spec {
        bots: all.seated(players),
        ..all.clone()
    };
    let planned = Planned::new("simulate", &chosen, players, (&seated, &spec));
    args.in_parts.may_save(shell, &planned)?;
    let program = lowered(shell, &chosen, players)?;
    let mut rows = match &args.games_csv {
        Some(path) => Some(shell.growing(path)?),
        None => None,
    };
    let sides = (&chosen, &program);
    let report = play(shell, sides, &spec, args.keep.as_deref(), rows.as_mut())?;
    args.files.tell(shell, sides, (&report, &spec), &more)?;
    if let (Some(path), Some(rows)) = (&args.games_csv, rows) {
        shell.finish(path, rows)?;
    }
    if args.keep.is_some() && spec.games > 1 {
        writeln!(
            shell.err,
            "nothing was kept: the rules failed in no game; of one game alone (`--games 1`) that game is kept"
        )?;
    }
    if args.keep.is_some() && spec.games == 1 && report.is_complete() {
        let seed = playout::game_seed(spec.seed, spec.first);
        let game = replay::of_bots(&chosen.rules, &program, &report.bots, seed);
        keep(shell, args.keep.as_deref(), Some(&game))?;
    }
    args.in_parts.save(shell, report.is_complete(), || {
        merge::written(sides, &all, spec.first, &report)
    })
}

/// What is for the standard output stands there alone: where one of the files is that, all else goes to the error stream.
pub fn aside<'s, T>(
    shell: &mut Shell<'s>,
    files: &[Named],
    tell: impl FnOnce(&mut Shell<'s>) -> T,
) -> T {
    let mut named = files.iter().filter_map(|(_, path)| path.as_ref());
    let aside = named.any(|path| is_output(path));
    if aside {
        std::mem::swap(&mut shell.out, &mut shell.err);
    }
    let told = tell(shell);
    if aside {
        std::mem::swap(&mut shell.out, &mut shell.err);
    }
    told
}

/// Each file that is to be written is another one, and can be written: said before the games are played, not after.
pub fn files_apart(shell: &mut Shell, files: &[Named]) -> Outcome<()> {
    let mut seen: Vec<&PathBuf> = Vec::new();
    for path in files.iter().filter_map(|(_, path)| path.as_ref()) {
        shell.can_write(path)?;
        if seen.contains(&path) {
            let options: Vec<String> = files.iter().map(|(name, _)| format!("`{name}`")).collect();
            return Err(Failure::call(
                format!("`{}` is named for two of the files", path.display()),
                format!("give {} a file each", listed(&options, "and")),
            ));
        }
        seen.push(path);
    }
    Ok(())
}

/// As many games as where nobody says how many.
pub fn usual(shell: &Shell) -> Spec {
    Spec {
        first: 0,
        games: GAMES,
        seed: 1,
        bots: vec![Bot::Random],
        threads: shell.context.threads,
    }
}

/// Plays games and tells what came of them.
pub fn simulated(shell: &mut Shell, chosen: &Chosen, players: u32, spec: &Spec) -> Outcome<()> {
    let program = lowered(shell, chosen, players)?;
    let report = play(shell, (chosen, &program), spec, None, None)?;
    tables::show(shell, chosen, &report, spec)
}

/// Play-tests the default game and says what to try next.
pub fn run_default(shell: &mut Shell) -> Outcome {
    let chosen = Game::open_default(shell)?.choose(shell, &Overlays::default())?;
    let players = chosen.players(None)?;
    let spec = usual(shell);
    simulated(shell, &chosen, players, &spec)?;
    let id = &chosen.game.id;
    let overlay = chosen
        .manifest
        .overlays
        .iter()
        .find(|overlay| !overlay.expansion);
    let compare = overlay.map_or_else(
        || format!("simulate {id} --bots greedy,random"),
        |overlay| format!("compare {id} {}", overlay.id),
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
pub fn seated(shell: &Shell, rules: &RuleSet, names: &[String], players: u32) -> Outcome<Vec<Bot>> {
    let bots = bots(shell, rules, names)?;
    if bots.len() > players as usize {
        let message = format!("{} bots for {players} players", bots.len());
        return Err(Failure::call(
            message,
            "name one bot for each seat, or fewer: they are used over again",
        ));
    }
    Ok(bots)
}

/// Plays the games with a progress bar; a fault of the rules is shown. `rows` gets a row for each game.
pub fn play(
    shell: &mut Shell,
    (chosen, program): (&Chosen, &Program),
    spec: &Spec,
    keep: Option<&Path>,
    rows: Option<&mut Growing>,
) -> Outcome<Report> {
    tell_models(shell, chosen, program, &spec.bots)?;
    let figures = Figures::new(&chosen.rules, program);
    let mut rows = rows;
    if let Some(rows) = &mut rows {
        rows.push(&figures.csv_head());
    }
    let mut each = |game: u64, row: &Row| {
        if let Some(rows) = &mut rows {
            rows.push(&figures.csv_row(spec.seed, game, row));
        }
    };
    let outcome = watched(shell, spec.games, |progress, interrupted| {
        playout::run(
            &chosen.rules,
            program,
            spec,
            progress,
            interrupted,
            &mut each,
        )
    });
    match outcome {
        Ok(report) => Ok(report),
        Err(fault) => {
            tell_fault(shell, chosen, (program.players, spec), &fault, keep)?;
            Err(Failure::Said)
        }
    }
}

/// Runs something that plays so many games, with a progress bar, until it is done or somebody presses Ctrl-C.
pub fn watched<T>(
    shell: &Shell,
    games: u64,
    run: impl FnOnce(&(dyn Fn(u64) + Sync), &AtomicBool) -> T,
) -> T {
    let bar = progress_bar(shell, games);
    let progress = |done: u64| {
        if done.is_multiple_of(16) || done == games {
            bar.set_position(done);
        }
    };
    let never = AtomicBool::new(false);
    let interrupted = shell.context.interrupts.map_or(&never, |listen| listen());
    let outcome = run(&progress, interrupted);
    bar.finish_and_clear();
    outcome
}

/// `1,000 games of 4 players`; of a simulation that was interrupted, how many there were to be.
pub fn games_played(report: &Report) -> String {
    let games = count(report.games, "game");
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
pub fn lowered(shell: &mut Shell, chosen: &Chosen, players: u32) -> Outcome<Program> {
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

fn progress_bar(shell: &Shell, games: u64) -> ProgressBar {
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

pub fn tell_fault(
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
            let seated = spec.seated(players);
            let bots: Vec<String> = seated.iter().map(ToString::to_string).collect();
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

/// Writes a text into the file that was named for it.
pub fn keep(shell: &mut Shell, path: Option<&Path>, text: Option<&str>) -> Outcome<()> {
    match path.zip(text) {
        Some((path, text)) => shell.write(path, text.as_bytes()),
        None => Ok(()),
    }
}
