//! What many games came to, as tables for the terminal.

use super::select::Chosen;
use super::simulate::games_played;
use super::table::{Table, write_all};
use super::{Outcome, Shell};
use interpreter::bots::Bot;
use interpreter::playout::{Report, Spec, Use};
use interpreter::stats::written::{count, grouped, tenths};
use interpreter::stats::{Distribution, Estimate};

/// All tables, then the findings.
///
/// # Errors
/// What is written to cannot be.
pub fn show(shell: &mut Shell, chosen: &Chosen, report: &Report, spec: &Spec) -> Outcome<()> {
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
    tables.push(uses(report));
    tables.push(endings(chosen, report));
    write_all(&tables, shell)?;
    let empty = always_zero(report);
    if !empty.is_empty() {
        writeln!(shell.out, "  always 0: {}\n", empty.join(", "))?;
    }
    findings(shell, report)?;
    if report.elapsed.is_zero() {
        // Put together of parts: nobody has measured how long they took.
        return Ok(());
    }
    let millis = report.elapsed.as_millis().min(1 << 50) as i64;
    let time = if millis < 1_000 {
        format!("{millis} ms")
    } else {
        format!("{} s", tenths(millis, 3))
    };
    let threads = count(spec.threads as u64, "thread");
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
    let shared = report.is_shared();
    if shared {
        head.push("alone or with others");
    }
    if scored {
        head.extend(["mean score", "lowest", "¼", "half", "¾", "highest"]);
    }
    let mut table = Table::new(2, &head);
    let share = |share: Estimate| {
        [
            format!("{} %", tenths(share.value, 2)),
            format!("{} %", share.within(2)),
        ]
    };
    for (at, bot) in report.bots.iter().enumerate() {
        let mut row = vec![interpreter::playout::seat_name(at), bot.to_string()];
        row.extend(share(report.wins(at)));
        if shared {
            row.push(format!("{} %", tenths(report.among_winners(at).value, 2)));
        }
        if let Some(score) = report.score(at) {
            row.push(tenths(score.mean().value, 3));
            row.extend(five(score));
        }
        table.row(&row);
    }
    if report.unwon() > 0 {
        let mut row = vec!["nobody".to_owned(), String::new()];
        row.extend(share(report.mean(report.figures.nobody())));
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
    let mut kinds: Vec<Bot> = report.bots.clone();
    kinds.sort_by_key(ToString::to_string);
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
            let seats = report.bots.iter().enumerate();
            for (seat, _) in seats.filter(|(_, bot)| *bot == kind) {
                if let Some(scores) = report.line(seat, line) {
                    all.merge(scores);
                }
            }
            let heading = report.heading(label).to_owned();
            let mut row = vec![heading, tenths(all.mean().value, 3)];
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
        let scores = report.all_of_line(*line);
        scores.min() == 0 && scores.max() == 0
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
    let turns = report.turns().map(|turns| ("turns", turns));
    for (name, values) in turns.into_iter().chain([("answers", report.answers())]) {
        let mut row = vec![name.to_owned(), tenths(values.mean().value, 3)];
        row.extend(five(values));
        table.row(&row);
    }
    table
}

/// Actions done and other items chosen, most frequent first.
fn uses(report: &Report) -> Table {
    let mut done: Vec<&Use> = report.uses.iter().filter(|one| one.count > 0).collect();
    done.sort_by_key(|one| std::cmp::Reverse(one.count));
    let mut table = Table::new(1, &["done", "times", "in a game", "in 100 turns"]);
    for one in done {
        let per_game = u128::from(one.count) * 1000 / u128::from(report.games.max(1));
        let per_turn = report.per_turn(one);
        let per_turn = per_turn.map_or_else(String::new, |per_turn| tenths(per_turn * 10, 3));
        let per_game = tenths(per_game as i64, 3);
        table.row(&[one.said.clone(), grouped(one.count), per_game, per_turn]);
    }
    table
}

/// How games ended, and where that is written.
fn endings(chosen: &Chosen, report: &Report) -> Table {
    let sources = &chosen.game.loaded.sources;
    let mut table = Table::new(2, &["end", "", "games"]);
    for end in &report.endings {
        let place = end.span.map_or_else(String::new, |span| {
            let path = &sources.file(span.file).path;
            let file = path.rsplit('/').next().unwrap_or(path);
            format!("{file}:{}", sources.line_column(span).0)
        });
        table.row(&[end.said.clone(), place, grouped(end.games)]);
    }
    table
}

/// What is to be known of the games, in sentences; what stands out is marked.
fn findings(shell: &mut Shell, report: &Report) -> Outcome<()> {
    let paint = shell.paint();
    writeln!(shell.out, "{}", paint.dim("  what was found"))?;
    for finding in report.findings() {
        let (mark, text) = match finding.stands_out {
            true => ("!", paint.bold(&finding.text)),
            false => ("·", finding.text),
        };
        writeln!(shell.out, "  {mark} {text}.")?;
    }
    writeln!(shell.out)?;
    Ok(())
}
