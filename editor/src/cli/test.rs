//! `trackwright test`: plays the scenarios, and follows the recorded games.

use super::report::Report;
use super::select::{Game, named};
use super::{Exit, Failure, Outcome, Shell, ids, replay};
use crate::bench::{Bench, Case, files_of, scenario_files};
use crate::files;
use dsl::Heading;
use dsl::assembly;
use dsl::diagnostic::{Diagnostic, render::render};
use dsl::source::{FileId, SourceSet, Span};
use interpreter::stats::written::count;
use interpreter::words::listed;
use std::collections::BTreeSet;
use std::path::Path;

/// Lines of what happened that are shown of a failed scenario.
const LOG_LINES_MAX: usize = 12;

#[derive(clap::Args)]
pub struct Args {
    /// Names or paths of games, or scenario files; none: all games
    #[arg(value_name = "GAME|FILE")]
    what: Vec<String>,
    /// Only scenarios with this in their title
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Also say which rule ids have no scenario
    #[arg(long)]
    coverage: bool,
    /// Also try the contrary of everything that is expected: it must fail
    #[arg(long)]
    negate: bool,
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    let mut total = Total::default();
    for (game, files, recorded) in chosen(shell, &args.what)? {
        let mut cases = Cases {
            shown: game.loaded.shown_from(&shell.context.folder),
            bench: {
                let mut bench = Bench::new(&game.loaded.sources, &game.id);
                bench.denies = args.negate;
                bench
            },
            game: &game,
            ids: BTreeSet::new(),
            told: BTreeSet::new(),
        };
        for file in files {
            cases.file(shell, file, args, &mut total)?;
        }
        for file in recorded.into_iter().filter(|_| args.only.is_none()) {
            cases.recorded(shell, file, &mut total)?;
        }
        if args.coverage {
            cases.ids_without_scenario(shell)?;
        }
    }
    if let Some(text) = args.only.as_ref().filter(|_| total == Total::default()) {
        return Err(Failure::call(
            format!("there are no scenarios with `{text}` in their title"),
            "without `--only` all are played",
        ));
    }
    let paint = shell.paint();
    let passed = format!("{} passed", total.passed);
    match total.failed {
        0 if total.passed == 0 => writeln!(shell.out, "there are no scenarios")?,
        0 => writeln!(shell.out, "{}", paint.green(&passed))?,
        failed => writeln!(
            shell.out,
            "{}, {}",
            paint.green(&passed),
            paint.red(&format!("{failed} failed"))
        )?,
    }
    if args.negate {
        let expected = count(total.denied, "expectation");
        writeln!(shell.out, "{expected}: the contrary was tried of each")?;
    }
    Ok(if total.failed == 0 {
        Exit::Fine
    } else {
        Exit::AtFault
    })
}

#[derive(Default, PartialEq, Eq)]
struct Total {
    passed: usize,
    failed: usize,
    /// Things expected whose contrary was tried.
    denied: usize,
}

/// A game with the scenarios and the recorded games to be tested.
type Tested = (Game, Vec<FileId>, Vec<FileId>);

fn chosen(shell: &Shell, what: &[String]) -> Outcome<Vec<Tested>> {
    let mut found = Vec::new();
    if what.is_empty() {
        for id in shell.library()?.ids() {
            found.push(all_of(Game::open(shell, &id)?));
        }
    }
    for given in what {
        let path = shell.path(Path::new(given));
        if path.is_file() {
            found.push(one_file(shell, &path, given)?);
            continue;
        }
        if given.ends_with(".scenario") {
            return Err(Failure::call(
                format!("there is no file `{given}`"),
                "look how its name is written, and in which folder it is",
            ));
        }
        let game = Game::open(shell, given)?;
        if game.is_family() {
            for member in game.family_members() {
                found.push(all_of(Game::open(shell, &member)?));
            }
        } else {
            found.push(all_of(game));
        }
    }
    Ok(found)
}

fn all_of(game: Game) -> (Game, Vec<FileId>, Vec<FileId>) {
    let files = scenario_files(&game.loaded.sources, &game.id);
    let recorded = files_of(&game.loaded.sources, &game.id, ".replay");
    (game, files, recorded)
}

/// A file of a game's own, or one that lies anywhere and says of which game it is.
fn one_file(shell: &Shell, path: &Path, given: &str) -> Outcome<Tested> {
    if path.extension().is_none_or(|ending| ending != "scenario") {
        return Err(Failure::call(
            format!("`{given}` holds no scenarios"),
            "name a file that ends in `.scenario`",
        ));
    }
    let mut folders = path.ancestors().skip(1);
    if let Some(folder) = folders.find(|folder| folder.join("game.toml").is_file()) {
        let game = Game::open(shell, &folder.to_string_lossy())?;
        if let Some(file) = game.loaded.file_at(path) {
            return Ok((game, vec![file], Vec::new()));
        }
    }
    let text = files::read_text(path).map_err(|(message, help)| Failure::call(message, help))?;
    let mut alone = SourceSet::new();
    let file = alone.insert(given, text.as_str());
    let of = dsl::headings(&alone, file)
        .into_iter()
        .find_map(|heading| heading.of);
    let Some(of) = of else {
        let unread = dsl::syntax::parse::parse(file, alone.text(file)).diagnostics;
        if let Some(first) = unread.iter().find(|found| found.is_error()) {
            let (line, column) = alone.line_column(first.span);
            return Err(Failure::call(
                format!(
                    "`{given}:{line}:{column}` cannot be read: {}",
                    first.message
                ),
                first.help.clone().unwrap_or_else(|| {
                    "a file of cases begins like this: `scenario \"a claim\" of harbour-lines`"
                        .to_owned()
                }),
            ));
        }
        return Err(Failure::call(
            format!("`{given}` does not say of which game its scenarios are"),
            "write it into its first line: `scenario \"a claim\" of harbour-lines`",
        ));
    };
    let mut game = Game::open(shell, &of)?;
    let file = game.loaded.add(&of, path, text);
    Ok((game, vec![file], Vec::new()))
}

/// How many cases of a file could not be read at all: they stand in no list of its cases.
fn unreadable(sources: &SourceSet, file: FileId, unread: &[Diagnostic]) -> usize {
    let text = sources.text(file);
    let begins = |line: &str| line.starts_with(|c: char| !c.is_whitespace() && c != '#');
    // The last line at the margin, up to and with that of the mistake, begins its case.
    let case_of = |found: &Diagnostic| {
        let mut at = 0;
        let lines = text.split_inclusive('\n').map(|line| {
            at += line.len();
            (at - line.len(), line)
        });
        let above = lines.take_while(|(start, _)| *start <= found.span.start as usize);
        let first = above.filter(|(_, line)| begins(line)).last();
        first.map_or(0, |(start, _)| start)
    };
    let read: BTreeSet<usize> = dsl::headings(sources, file)
        .iter()
        .map(|heading| heading.span.start as usize)
        .collect();
    let errors = unread.iter().filter(|found| found.is_error());
    let broken: BTreeSet<usize> = errors.map(case_of).collect();
    broken.difference(&read).count()
}

/// The scenarios of one game.
struct Cases<'g> {
    game: &'g Game,
    shown: SourceSet,
    bench: Bench<'g>,
    /// Rule ids that scenarios name.
    ids: BTreeSet<String>,
    /// Mistakes shown already: those of the rules would come with each scenario.
    told: BTreeSet<(Span, String)>,
}

impl Cases<'_> {
    fn file(
        &mut self,
        shell: &mut Shell,
        file: FileId,
        args: &Args,
        total: &mut Total,
    ) -> Outcome<()> {
        let sources = &self.game.loaded.sources;
        let path = files::shown(
            &self.game.loaded.paths[file.0 as usize],
            &shell.context.folder,
        );
        let mut report = Report::default();
        report.add(
            "",
            self.game
                .loaded
                .diagnostics
                .iter()
                .filter(|diagnostic| diagnostic.span.file == file)
                .cloned(),
        );
        let unread = dsl::syntax::parse::parse(file, sources.text(file)).diagnostics;
        report.add("", unread.iter().cloned());
        if report.errors > 0 {
            report.print(shell, &self.game.loaded, false)?;
        }
        let (mut passed, before) = (0, total.failed);
        total.failed += unreadable(sources, file, &unread);
        for heading in dsl::headings(sources, file) {
            if args
                .only
                .as_ref()
                .is_some_and(|text| !heading.title.to_lowercase().contains(&text.to_lowercase()))
            {
                continue;
            }
            let case = self.bench.case(file, &heading);
            self.ids.extend(case.tags.iter().cloned());
            total.denied += case.denied;
            let of_text = |one: &Diagnostic| {
                let same =
                    |other: &Diagnostic| other.span == one.span && other.message == one.message;
                unread.iter().any(same)
            };
            if case.passed() {
                passed += 1;
            } else {
                total.failed += 1;
                if !case.mistakes.iter().all(of_text) {
                    self.tell(shell, &heading, &case)?;
                }
            }
        }
        total.passed += passed;
        let paint = shell.paint();
        if passed > 0 || total.failed > before {
            let failed = match total.failed - before {
                0 => String::new(),
                failed => format!(", {}", paint.red(&format!("{failed} failed"))),
            };
            writeln!(
                shell.out,
                "{path}: {}{failed}",
                paint.green(&format!("{passed} passed"))
            )?;
        }
        Ok(())
    }

    /// A whole game that is kept: it still goes to its end as it went.
    fn recorded(&self, shell: &mut Shell, file: FileId, total: &mut Total) -> Outcome<()> {
        let path = files::shown(
            &self.game.loaded.paths[file.0 as usize],
            &shell.context.folder,
        );
        let holds = replay::holds(shell, self.game, file)?;
        let paint = shell.paint();
        let said = if holds {
            total.passed += 1;
            paint.green("goes as it went")
        } else {
            total.failed += 1;
            paint.red("failed")
        };
        writeln!(shell.out, "{path}: {said}")?;
        Ok(())
    }

    fn tell(&mut self, shell: &mut Shell, heading: &Heading, case: &Case) -> Outcome<()> {
        let paint = shell.paint();
        let with = if heading.with.is_empty() {
            String::new()
        } else {
            format!(" ({})", named(&self.game.id, &heading.with))
        };
        writeln!(
            shell.out,
            "{} \"{}\"{with}",
            paint.red("failed"),
            heading.title
        )?;
        for diagnostic in &case.mistakes {
            if !self
                .told
                .insert((diagnostic.span, diagnostic.message.clone()))
            {
                writeln!(shell.out, "  as above: {}", diagnostic.message)?;
                continue;
            }
            writeln!(
                shell.out,
                "{}",
                render(&self.shown, diagnostic, shell.context.out_color)
            )?;
        }
        if !case.log.is_empty() {
            writeln!(shell.out, "what happened:")?;
        }
        for line in &case.log[case.log.len().saturating_sub(LOG_LINES_MAX)..] {
            writeln!(shell.out, "  {line}")?;
        }
        writeln!(shell.out)?;
        Ok(())
    }

    fn ids_without_scenario(&self, shell: &mut Shell) -> Outcome<()> {
        let sources = &self.game.loaded.sources;
        let (manifest, _) = assembly::manifest(sources, &self.game.id);
        let prefix = manifest.and_then(|manifest| manifest.prefix);
        if prefix.is_none() {
            writeln!(
                shell.out,
                "{}: no `prefix` in `game.toml`, so it has no rule ids",
                self.game.id
            )?;
        }
        let of_expansions = ids::books(sources, &self.game.id, None).into_iter();
        for prefix in prefix
            .into_iter()
            .chain(of_expansions.map(|book| book.prefix))
        {
            let used = ids::used(sources, &self.game.chain(), &prefix);
            let idle: Vec<&String> = used.keys().filter(|id| !self.ids.contains(*id)).collect();
            let ids = count(used.len(), &format!("{prefix} rule id"));
            match idle.len() {
                0 => writeln!(shell.out, "{}: each of {ids} has a scenario", self.game.id)?,
                n => writeln!(
                    shell.out,
                    "{}: {n} of {ids} have no scenario: {}",
                    self.game.id,
                    listed(&idle, "and")
                )?,
            }
        }
        Ok(())
    }
}
