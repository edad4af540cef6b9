//! A report as one page that can be mailed: text, numbers and plots in a single file that asks the network for nothing.

mod plots;

use crate::board::heat::heated;
use crate::board::{Board, Palette, svg};
use crate::escape::{escaped, inline};
use dsl::Compiled;
use dsl::ir::RuleSet;
use dsl::source::SourceSet;
use interpreter::ask::Eyes;
use interpreter::playout::{Report, game_seed, seat_name};
use interpreter::stats::written::{count, grouped, tenths};
use interpreter::stats::{Distribution, Estimate};
use interpreter::{Machine, Program, State, replay};
use std::fmt::Write as _;

/// What the page looks like; light or dark as the reader's machine is, wide or narrow.
const STYLE: &str = include_str!("style.css");
/// Moves of a game that are shown.
const MOVES_MAX: usize = 2_000;

/// What a page is about.
pub struct Page<'p> {
    pub title: &'p str,
    pub sources: &'p SourceSet,
    pub compiled: &'p Compiled,
    pub rules: &'p RuleSet,
    pub program: &'p Program,
    pub report: &'p Report,
}

impl Page<'_> {
    /// The page.
    pub fn html(&self) -> String {
        let mut text = String::new();
        let title = escaped(self.title);
        // Writing into a string cannot fail.
        let _ = write!(
            text,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p class=\"what\">{}</p>\n",
            escaped(&self.what())
        );
        if self.report.games > 0 {
            self.findings(&mut text);
            self.seats(&mut text);
            self.spread(&mut text);
            self.points(&mut text);
            self.done(&mut text);
            self.heat(&mut text);
            self.games(&mut text);
        }
        text += "</body>\n</html>\n";
        text
    }

    /// Which games were played.
    fn what(&self) -> String {
        let report = self.report;
        let mut bots: Vec<String> = report.bots.iter().map(ToString::to_string).collect();
        if bots.iter().all(|bot| *bot == bots[0]) {
            bots.truncate(1);
        }
        let options = report.options.iter();
        let options = options.map(|(name, value)| format!(", {name} = {value}"));
        let cut = match report.is_complete() {
            true => String::new(),
            false => format!(" (of {} asked for)", grouped(report.asked)),
        };
        format!(
            "{}{cut} of {} players, seed {}, played by {}{}. What stands in brackets is the interval in which the value lies 19 of 20 times.",
            count(report.games, "game"),
            report.players,
            report.seed,
            bots.join(", "),
            options.collect::<String>()
        )
    }

    fn findings(&self, text: &mut String) {
        *text += "<h2>What was found</h2>\n<ul class=\"findings\">\n";
        for finding in self.report.findings() {
            let class = if finding.stands_out {
                " class=\"out\""
            } else {
                ""
            };
            let _ = writeln!(text, "<li{class}>{}.</li>", inline(&finding.text));
        }
        *text += "</ul>\n";
    }

    fn seats(&self, text: &mut String) {
        let report = self.report;
        let seats: Vec<(String, Estimate)> = (0..report.figures.players)
            .map(|seat| {
                (
                    format!("{} · {}", seat_name(seat), report.bots[seat]),
                    report.wins(seat),
                )
            })
            .collect();
        let sum: i64 = seats.iter().map(|(_, wins)| wins.value).sum();
        let even = sum / seats.len().max(1) as i64;
        *text += "<h2>Who wins</h2>\n";
        *text += &plots::intervals(
            &seats,
            even,
            "Victories of each seat in percent, with their intervals; the line is what would be even",
        );
    }

    fn spread(&self, text: &mut String) {
        let report = self.report;
        *text += "<div class=\"pair\">\n";
        let scores = report.all_scores();
        if !scores.is_empty() {
            *text += &figure("Points of a seat", &scores);
        }
        match report.turns() {
            Some(turns) => *text += &figure("Turns of a game", turns),
            None => *text += &figure("Answers of a game", report.answers()),
        }
        if let Some(margin) = report.figures.margin() {
            *text += &figure("Points of the first before the second", report.of(margin));
        }
        *text += "</div>\n";
    }

    fn points(&self, text: &mut String) {
        let report = self.report;
        if report.headings.len() < 2 {
            return;
        }
        *text += "<h2>Where the points come from</h2>\n";
        let lines = report.headings.iter().enumerate();
        let rows = lines.map(|(at, heading)| {
            let all = report.all_of_line(at);
            let mean = all.mean();
            let numbers = [
                tenths(mean.value, 3),
                mean.within(3),
                all.min().to_string(),
                all.max().to_string(),
            ];
            (heading.clone(), numbers.to_vec())
        });
        table(
            text,
            &["", "mean of a seat", "within", "lowest", "highest"],
            rows,
        );
    }

    fn done(&self, text: &mut String) {
        let report = self.report;
        *text += "<h2>What is done</h2>\n";
        let mut uses: Vec<_> = report.uses.iter().collect();
        uses.sort_by_key(|one| std::cmp::Reverse(one.count));
        let rows = uses.into_iter().map(|one| {
            let per_game = u128::from(one.count) * 1000 / u128::from(report.games.max(1));
            let per_turn = report.per_turn(one).map(|rate| tenths(rate * 10, 3));
            let numbers = [
                grouped(one.count),
                tenths(per_game as i64, 3),
                per_turn.unwrap_or_default(),
            ];
            (one.said.clone(), numbers.to_vec())
        });
        table(text, &["", "times", "in a game", "in 100 turns"], rows);
        *text += "<h2>How games end</h2>\n";
        let ends = report.endings.iter();
        let rows = ends.map(|end| (end.said.clone(), vec![grouped(end.games)]));
        table(text, &["", "games"], rows);
        let never = report.unused.iter();
        let mut never: Vec<(String, Vec<String>)> = never
            .map(|one| {
                (
                    format!("{} of {} {}", one.rows.len(), one.of, one.table),
                    one.rows.clone(),
                )
            })
            .collect();
        never.push((
            "rules of which nothing happened".into(),
            report.unfired.clone(),
        ));
        never.push((
            "ways to end that never came".into(),
            report
                .never_ended
                .iter()
                .map(|end| end.said.clone())
                .collect(),
        ));
        never.retain(|(_, names)| !names.is_empty());
        if never.is_empty() {
            return;
        }
        *text += "<h2>Never used</h2>\n<dl>\n";
        for (what, names) in never {
            let _ = writeln!(
                text,
                "<dt>{}</dt><dd>{}</dd>",
                escaped(&what),
                inline(&names.join(", "))
            );
        }
        *text += "</dl>\n";
    }

    /// The board coloured by use; nothing without one.
    fn heat(&self, text: &mut String) {
        let Some((board, diagnostics)) = Board::new(self.sources, self.compiled, self.program)
        else {
            return;
        };
        if board.is_empty()
            || diagnostics
                .iter()
                .any(dsl::diagnostic::Diagnostic::is_error)
        {
            return;
        }
        let mut machine = Machine::new(self.program);
        machine.begin(game_seed(self.report.seed, 0));
        let mut state = State::new();
        machine.save(&mut state);
        let named = self.report.named();
        let heat = heated(board.scene(&state, Eyes::Of(None)), |domain, word| {
            named.count(domain, word)
        });
        if heat.counts.is_empty() {
            return;
        }
        *text += "<h2>What is used of the board</h2>\n<p>From never (dark) to most of its kind (bright).</p>\n<div class=\"board\">\n";
        *text += &svg(&heat.scene, self.title, &Palette::light());
        *text += "</div>\n";
    }

    /// The closest and the most one-sided game.
    fn games(&self, text: &mut String) {
        let report = self.report;
        let Some([least, greatest]) = report.extremes() else {
            return;
        };
        let names = match report.figures.margin() {
            Some(_) => ["The closest game", "The most one-sided game"],
            None => ["The shortest game", "The longest game"],
        };
        let unit = if report.figures.margin().is_some() {
            "point"
        } else {
            "answer"
        };
        for (name, (game, value)) in names.into_iter().zip([least, greatest]) {
            let value = count(value.unsigned_abs(), unit);
            let _ = writeln!(
                text,
                "<details>\n<summary>{name}: {value}, game {}, seed {}</summary>\n<ol class=\"moves\">",
                grouped(game + 1),
                game_seed(report.seed, game)
            );
            for line in self.moves(game) {
                let _ = writeln!(text, "<li>{}</li>", escaped(&line));
            }
            *text += "</ol>\n</details>\n";
        }
    }

    /// A game as its answers, as a recorded game has them.
    fn moves(&self, game: u64) -> Vec<String> {
        let seed = game_seed(self.report.seed, game);
        let recorded = replay::of_bots(self.rules, self.program, &self.report.bots, seed);
        let lines = recorded.lines().skip_while(|line| !line.is_empty());
        let told = lines.filter(|line| !line.is_empty() && !line.starts_with("chance "));
        told.take(MOVES_MAX).map(str::to_owned).collect()
    }
}

/// A histogram with its name and where its middle lies.
fn figure(name: &str, values: &Distribution) -> String {
    let mean = values.mean();
    let caption = format!(
        "{name}: {} on average ({}), half of them {} to {}",
        tenths(mean.value, 3),
        mean.within(3),
        values.quantile(1, 4),
        values.quantile(3, 4)
    );
    plots::histogram(values, &caption)
}

fn table(text: &mut String, heads: &[&str], rows: impl Iterator<Item = (String, Vec<String>)>) {
    *text += "<div class=\"wide\"><table>\n<tr>";
    for head in heads {
        let _ = write!(text, "<th>{}</th>", escaped(head));
    }
    *text += "</tr>\n";
    for (name, numbers) in rows {
        let _ = write!(text, "<tr><th>{}</th>", inline(&name));
        for number in numbers {
            let _ = write!(text, "<td>{}</td>", escaped(&number));
        }
        *text += "</tr>\n";
    }
    *text += "</table></div>\n";
}
