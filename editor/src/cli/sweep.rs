//! `trackwright sweep`: what becomes of the games where options are turned up or down.

use super::points::{Dial, Point, points};
use super::select::Wanted;
use super::simulate::{Many, aside, files_apart, keep, play};
use super::table::{Table, write_all};
use super::{Exit, Failure, Outcome, Shell};
use interpreter::playout::{self, Figures, Report, Spec, Tried};
use interpreter::stats::written::{count, tenths};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// Options that are tried have a range: `--set wagons_each=20..45..5`, one or two of them; `..` alone is all values
    #[command(flatten)]
    wanted: Wanted,
    #[command(flatten)]
    many: Many,
    /// Which figures are shown: `wins.A`, `turns`, `done.claim` (default: who wins, and how long it takes)
    #[arg(long, value_name = "FIGURE,…", value_delimiter = ',')]
    figures: Vec<String>,
    /// Write all figures as JSON into this file; `-` is the standard output, the table then goes to the error stream
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write all figures as a table into this file; `-` as above
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    let (dials, points) = points(shell, &args.wanted)?;
    let files = [("--json", &args.json), ("--csv", &args.csv)];
    files_apart(shell, &files)?;
    let Some(first) = points.first() else {
        return Err(Failure::call(
            "there is nothing to try",
            "give an option a range",
        ));
    };
    let figures = Figures::new(&first.chosen.rules, &first.program);
    let shown = shown(&figures, &args.figures)?;
    let spec = args.many.spec(shell, &first.chosen.rules, first.players)?;
    let mut reports = Vec::new();
    for point in &points {
        let report = play(shell, (&point.chosen, &point.program), &spec, None, None)?;
        let complete = report.is_complete();
        reports.push(report);
        if !complete {
            break;
        }
    }
    let swept = Swept {
        dials: &dials,
        points: &points,
        reports: &reports,
    };
    aside(shell, &files, |shell| swept.show(shell, &shown, &spec))?;
    let json = args
        .json
        .as_ref()
        .map(|_| playout::tried_to_json(&swept.settings()));
    keep(shell, args.json.as_deref(), json.as_deref())?;
    let csv = args
        .csv
        .as_ref()
        .map(|_| playout::tried_to_csv(&swept.settings()));
    keep(shell, args.csv.as_deref(), csv.as_deref())?;
    let complete = reports.len() == points.len() && reports.iter().all(Report::is_complete);
    Ok(if complete {
        Exit::Fine
    } else {
        Exit::Interrupted
    })
}

/// The figures asked for; without that who wins, and how long it takes.
fn shown(figures: &Figures, asked: &[String]) -> Outcome<Vec<usize>> {
    if asked.is_empty() {
        return Ok(figures.usual());
    }
    asked.iter().map(|name| figure(figures, name)).collect()
}

/// A figure by its name.
pub fn figure(figures: &Figures, name: &str) -> Outcome<usize> {
    figures.named(name).ok_or_else(|| {
        let names: Vec<String> = figures.all.iter().map(|one| one.name.clone()).collect();
        let failure = Failure::call(
            format!("games have no figure `{name}`"),
            format!("figures: {}", names.join(", ")),
        );
        super::select::did_you_mean(failure, name, &names)
    })
}

/// Points and what came of the games there; the last ones lack where somebody pressed Ctrl-C.
struct Swept<'s> {
    dials: &'s [Dial],
    points: &'s [Point],
    reports: &'s [Report],
}

impl Swept<'_> {
    fn each(&self) -> impl Iterator<Item = (&Point, &Report)> {
        self.points.iter().zip(self.reports)
    }

    fn show(&self, shell: &mut Shell, shown: &[usize], spec: &Spec) -> Outcome<()> {
        let Some(first) = self.points.first() else {
            return Ok(());
        };
        let title = shell.paint().bold(&first.chosen.title());
        let games = count(spec.games, "game");
        writeln!(
            shell.out,
            "{title}: {games} of {} players at each of {}, with the same luck, seed {}; ± is within 19 of 20 times\n",
            first.players,
            count(self.points.len(), "point"),
            spec.seed
        )?;
        let Some(report) = self.reports.first() else {
            return Ok(());
        };
        let mut head: Vec<&str> = self.dials.iter().map(|dial| dial.option.as_str()).collect();
        let figures = &report.figures.all;
        head.extend(shown.iter().map(|at| figures[*at].label.as_str()));
        let mut table = Table::new(0, &head);
        for (point, report) in self.each() {
            let mut row = point.values.clone();
            row.extend(shown.iter().map(|at| {
                let (mean, decimals) = (report.mean(*at), report.figures.all[*at].unit.decimals());
                let half = tenths((mean.high - mean.low) / 2, decimals);
                format!("{} ±{half}", tenths(mean.value, decimals))
            }));
            table.row(&row);
        }
        Ok(write_all(&[table], shell)?)
    }

    /// What was set at each point, and what came of it.
    fn settings(&self) -> Vec<Tried<'_>> {
        let names = || self.dials.iter().map(|dial| dial.option.clone());
        let tried = self.each().map(|(point, report)| Tried {
            options: names().zip(point.values.iter().cloned()).collect(),
            report,
        });
        tried.collect()
    }
}
