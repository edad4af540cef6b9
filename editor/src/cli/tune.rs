//! `trackwright tune`: which option values lead to a goal.

use super::points::{Dial, Point, points};
use super::select::Wanted;
use super::simulate::{Many, play};
use super::table::{Table, write_all};
use super::{Exit, Failure, Outcome, Shell};
use interpreter::playout::{Figures, GOALS, Goal, NoGoal, Report, Spec};
use interpreter::stats::written::{count, grouped, tenths};

/// Games of the first round, at least: fewer tell nothing.
const FIRST_ROUND_MIN: u64 = 50;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    wanted: Wanted,
    /// What the values shall lead to: "first seat wins as often as others", "seats win alike", "length about 40 turns",
    /// "FIGURE about N", "as little FIGURE as possible", "as much FIGURE as possible"
    #[arg(long, value_name = "GOAL")]
    goal: String,
    #[command(flatten)]
    many: Many,
}

/// What was tried: how far it came.
struct Candidate<'p> {
    point: &'p Point,
    report: Report,
    /// Round in which it was left behind; none: it stayed to the end.
    left: Option<usize>,
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    let (dials, points) = points(shell, &args.wanted)?;
    let Some(first) = points.first() else {
        return Err(Failure::call(
            "there is nothing to try",
            "give an option a range",
        ));
    };
    let figures = Figures::new(&first.chosen.rules, &first.program);
    let goal = Goal::read(&args.goal, &figures).map_err(|why| no_goal(&why, &figures))?;
    let spec = args.many.spec(shell, &first.chosen.rules, first.players)?;
    let (candidates, complete) = race(shell, &goal, &points, &spec)?;
    show(shell, args, (&dials, &goal), &candidates)?;
    Ok(if complete {
        Exit::Fine
    } else {
        Exit::Interrupted
    })
}

fn no_goal(why: &NoGoal, figures: &Figures) -> Failure {
    let goals: Vec<String> = GOALS.iter().map(|goal| format!("\"{goal}\"")).collect();
    let failure = Failure::call(why.to_string(), format!("goals: {}", goals.join(", ")));
    match why {
        NoGoal::Figure(name) => {
            let names: Vec<String> = figures.all.iter().map(|one| one.name.clone()).collect();
            let failure = failure.also(format!("figures: {}", names.join(", ")));
            super::select::did_you_mean(failure, name, &names)
        }
        NoGoal::Unknown(_) | NoGoal::Number(_) => failure,
    }
}

/// Successive halving: all play a few games; the better half plays twice as many, and so on, until those that are left have played
/// all. All play the same games, so that luck does not choose. Best first; false if somebody pressed Ctrl-C.
fn race<'p>(
    shell: &mut Shell,
    goal: &Goal,
    points: &'p [Point],
    spec: &Spec,
) -> Outcome<(Vec<Candidate<'p>>, bool)> {
    let mut halvings = 0;
    while points.len() >> halvings > 1 && spec.games >> (halvings + 1) >= FIRST_ROUND_MIN {
        halvings += 1;
    }
    let (mut racing, mut left): (Vec<Candidate>, Vec<Candidate>) = (Vec::new(), Vec::new());
    for round in 0..=halvings {
        let games = spec.games >> (halvings - round);
        if round == 0 {
            let first = Spec {
                games,
                ..spec.clone()
            };
            for point in points {
                let report = play(shell, (&point.chosen, &point.program), &first, None, None)?;
                let complete = report.is_complete();
                racing.push(Candidate {
                    point,
                    report,
                    left: None,
                });
                if !complete {
                    return Ok((racing, false));
                }
            }
        } else {
            for candidate in &mut racing {
                let known = candidate.report.games;
                let more = Spec {
                    first: known,
                    games: games - known,
                    ..spec.clone()
                };
                let more = play(
                    shell,
                    (&candidate.point.chosen, &candidate.point.program),
                    &more,
                    None,
                    None,
                )?;
                let complete = more.is_complete();
                let rules = &candidate.point.chosen.rules;
                let all = Spec {
                    games: known + more.games,
                    ..spec.clone()
                };
                let mut tally = candidate.report.tally.clone();
                tally.merge(&more.tally);
                candidate.report = Report::new(rules, &candidate.point.program, &all, tally);
                if !complete {
                    racing.append(&mut left);
                    return Ok((racing, false));
                }
            }
        }
        racing.sort_by_key(|one| goal.distance(&one.report));
        if round < halvings {
            let keep = racing.len().div_ceil(2);
            let mut behind = racing.split_off(keep);
            behind.iter_mut().for_each(|one| one.left = Some(round + 1));
            left.splice(0..0, behind);
        }
    }
    racing.append(&mut left);
    Ok((racing, true))
}

fn show(
    shell: &mut Shell,
    args: &Args,
    (dials, goal): (&[Dial], &Goal),
    candidates: &[Candidate],
) -> Outcome<()> {
    let Some(best) = candidates.first() else {
        return Ok(());
    };
    let title = shell.paint().bold(&best.point.chosen.title());
    writeln!(
        shell.out,
        "{title}: {}, {} of {} players tried, seed {}\n",
        args.goal,
        count(candidates.len(), "value"),
        best.point.players,
        args.many.seed
    )?;
    let figure = goal.figure(&best.report.figures);
    let label = best.report.figures.all[figure].label.clone();
    let mut head: Vec<&str> = dials.iter().map(|dial| dial.option.as_str()).collect();
    head.extend(["games", &label, "19 of 20 times within", "off by", ""]);
    let mut table = Table::new(0, &head);
    for one in candidates {
        let decimals = one.report.figures.all[figure].unit.decimals();
        let mean = one.report.mean(figure);
        let mut row = one.point.values.clone();
        row.extend([
            grouped(one.report.games),
            tenths(mean.value, decimals),
            mean.within(decimals),
            goal.distance_in_words(&one.report),
            one.left
                .map_or_else(String::new, |round| format!("left in round {round}")),
        ]);
        table.row(&row);
    }
    write_all(&[table], shell)?;
    let name = best.point.name(dials);
    writeln!(
        shell.out,
        "  best: {name}, off by {}",
        goal.distance_in_words(&best.report)
    )?;
    let reach = goal.distance(&best.report) + goal.sureness(&best.report);
    let stayed = candidates.iter().skip(1).filter(|one| one.left.is_none());
    let as_good =
        stayed.filter(|one| goal.distance(&one.report) - goal.sureness(&one.report) <= reach);
    let as_good: Vec<String> = as_good.map(|one| one.point.name(dials)).collect();
    if !as_good.is_empty() {
        writeln!(
            shell.out,
            "  as good as far as {} can tell: {}",
            count(best.report.games, "game"),
            as_good.join("; ")
        )?;
    }
    let game = &best.point.chosen.game.called;
    let mut call = vec!["simulate".to_owned(), game.clone()];
    call.extend(best.point.chosen.overlay_arguments());
    let call = shell.call(&call);
    Ok(writeln!(shell.out, "  `{call}` plays it")?)
}
